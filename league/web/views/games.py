"""A club's own games: added, changed, archived."""

from django.contrib import messages
from django.db.models import F
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.catalog import GAMES
from league.models import ClubGame, Role
from league.services import games as service
from league.services.access import Access
from league.web.access import club_page
from league.web.game_forms import GameForm, NewGameForm


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def club_games(request: HttpRequest, access: Access) -> HttpResponseBase:
    """All games that the club can log, and the form for one more."""
    form = NewGameForm(request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        fields = form.fields_given()
        now = timezone.now()
        game = form.attempt(
            lambda: service.create(access=access, key=data["key"], name=data["name"], fields=fields, now=now)
        )
        if game is not None:
            messages.success(request, _("%(name)s was added.") % {"name": game.name})
            return redirect("web:games", club=access.club.slug)
    own = ClubGame.objects.filter(club=access.club).order_by(F("archived_at").asc(nulls_first=True), "name", "pk")
    context = {"club": access.club, "form": form, "own": own, "catalogue": GAMES.values()}
    return render(request, "web/manage/games.html", context)


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def club_game(request: HttpRequest, access: Access, key: str) -> HttpResponseBase:
    """Change one of the club's own games; a second button archives or brings back."""
    known = get_object_or_404(ClubGame, club=access.club, key=key)
    back = redirect("web:games", club=access.club.slug)
    now = timezone.now()
    if "archived" in request.POST:
        changes: dict[str, object] = {"archived": request.POST["archived"] == "yes"}
        service.update(access=access, key=key, changes=changes, now=now)
        return back
    initial = {field: getattr(known, field) for field in service.GAME_FIELDS}
    form = GameForm(request.POST or None, initial=initial)
    if form.is_valid():
        changes = form.cleaned_data
        if form.attempt(lambda: service.update(access=access, key=key, changes=changes, now=now)):
            messages.success(request, _("Saved."))
            return back
    return render(request, "web/manage/game.html", {"club": access.club, "game": known, "form": form})
