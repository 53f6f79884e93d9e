"""Players of a club: added, renamed, archived."""

from django.contrib import messages
from django.db.models import F
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.models import Player, PlayerMerge, Role
from league.services import erasure, merges
from league.services import players as service
from league.services.access import Access
from league.services.errors import Conflict
from league.web.access import club_page
from league.web.forms import NewPlayerForm, PlayerForm
from league.web.player_forms import EraseForm, MergeForm


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def players(request: HttpRequest, access: Access) -> HttpResponseBase:
    """All players, archived ones last, and the form for one more."""
    form = NewPlayerForm(request.POST or None, access=access)
    if form.is_valid():
        data = form.cleaned_data
        now = timezone.now()
        player = form.attempt(
            lambda: service.create(
                access=access,
                name=data["name"],
                kind=data["kind"],
                bot=data["bot"],
                is_guest=data["is_guest"],
                member_id=data.get("member"),
                now=now,
            )
        )
        if player is not None:
            messages.success(request, _("%(name)s was added.") % {"name": player.name})
            return redirect("web:players", club=access.club.slug)
    known = Player.objects.filter(club=access.club).select_related("member__user")
    context = {
        "club": access.club,
        "form": form,
        "shows_logins": access.may(Role.ADMIN),
        "players": known.order_by(F("archived_at").asc(nulls_first=True), "name_key"),
    }
    return render(request, "web/manage/players.html", context)


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def player(request: HttpRequest, access: Access, player_id: int) -> HttpResponseBase:
    """Change one player; a second button archives or brings back."""
    known = get_object_or_404(Player.objects.select_related("merged_into"), club=access.club, pk=player_id)
    initial = {"name": known.name, "nickname": known.nickname, "is_guest": known.is_guest, "member": known.member_id}
    back = redirect("web:players", club=access.club.slug)
    now = timezone.now()
    if "archived" in request.POST:
        changes = {"archived": request.POST["archived"] == "yes"}
        try:
            service.update(access=access, player_id=player_id, changes=changes, now=now)
        except Conflict as error:
            # Merged or erased since the page was loaded.
            messages.error(request, error.message)
        return back
    form = PlayerForm(request.POST or None, access=access, initial=initial)
    if known.bot or known.merged_into is not None:
        for field in ("is_guest", "member", "nickname"):
            form.fields.pop(field, None)
    if form.is_valid():
        changes = {"member_id" if field == "member" else field: value for field, value in form.cleaned_data.items()}
        if form.attempt(lambda: service.update(access=access, player_id=player_id, changes=changes, now=now)):
            messages.success(request, _("Saved."))
            return back
    context = {"club": access.club, "player": known, "form": form, "may_manage": access.may(Role.ADMIN)}
    return render(request, "web/manage/player.html", context)


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def merge(request: HttpRequest, access: Access, player_id: int) -> HttpResponseBase:
    """Give all results of a player to another, after saying to whom."""
    known = get_object_or_404(Player, club=access.club, pk=player_id)
    form = MergeForm(request.POST or None, source=known)
    if form.is_valid():
        reference = form.cleaned_data["into"]
        now = timezone.now()

        def give() -> PlayerMerge:
            target = service.find(club=access.club, references=[(("into",), reference)])[reference]
            return merges.merge(access=access, source_id=player_id, target_id=target.pk, now=now)

        if (done := form.attempt(give)) is not None:
            words = {"source": known.name, "target": done.target.name}
            messages.success(request, _("All results of %(source)s are %(target)s's now.") % words)
            return redirect("web:player", club=access.club.slug, player_id=player_id)
    return render(request, "web/manage/merge.html", {"club": access.club, "player": known, "form": form})


@require_POST
@club_page(Role.ADMIN)
def unmerge(request: HttpRequest, access: Access, player_id: int) -> HttpResponseBase:
    """Take a merge back."""
    try:
        merges.undo(access=access, source_id=player_id, now=timezone.now())
    except Conflict as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("The merge is taken back."))
    return redirect("web:player", club=access.club.slug, player_id=player_id)


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def erase(request: HttpRequest, access: Access, player_id: int) -> HttpResponseBase:
    """Forget a person, once that is confirmed."""
    known = get_object_or_404(Player, club=access.club, pk=player_id)
    form = EraseForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        confirmed = erasure.CONFIRM in form.confirm
        now = timezone.now()
        if form.attempt(lambda: erasure.erase(access=access, player_id=player_id, confirmed=confirmed, now=now)):
            messages.success(request, _("The person is forgotten; the results stay."))
            return redirect("web:players", club=access.club.slug)
    return render(request, "web/manage/erase.html", {"club": access.club, "player": known, "form": form})
