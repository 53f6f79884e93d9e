"""Planned evenings: which there are, who comes, and the buttons to say so. Works without JavaScript."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Count, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.models import Club, PlannedEvening, Player, PlayerKind, Role, Season, SeasonStatus, SignUp, SignUpState
from league.services import planned_evenings as service
from league.services.access import Access
from league.services.errors import Conflict, InputError, NotFound
from league.services.players import own_player
from league.web.access import club_page
from league.web.calendars import own_word
from league.web.fields import WholeNumberField
from league.web.forms import ServiceForm
from league.web.reading import rights_of

_PAST = 10


class EveningForm(ServiceForm):
    """A planned evening; times are those of the club's clock."""

    starts_at = forms.DateTimeField(
        label=_l("Begins"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"],
    )
    location = forms.CharField(label=_l("Location"), max_length=service.LONGEST["location"], required=False)
    capacity = WholeNumberField(
        label=_l("Places"),
        min_value=1,
        max_value=service.LARGEST_CAPACITY,
        required=False,
        help_text=_l("Who signs up when all are taken waits and moves up. Empty: all who want to can come."),
    )
    season = forms.TypedChoiceField(label=_l("Season"), required=False, coerce=int, empty_value=None)
    note = forms.CharField(
        label=pgettext_lazy("of an evening", "Note"), max_length=service.LONGEST["note"], required=False
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen = self.initial.get("season")
        offered = Season.objects.filter(Q(status=SeasonStatus.OPEN) | Q(pk=chosen), club=club).select_related("league")
        self.fields["season"].choices = [("", _("none")), *((one.pk, str(one)) for one in offered)]  # type: ignore[attr-defined]


def _counted(club: Club) -> "QuerySet[PlannedEvening]":
    """The evenings of a club, each with how many are `coming` and `waiting`."""
    return (
        PlannedEvening.objects.filter(club=club)
        .select_related("season__league")
        .annotate(
            coming=Count("sign_ups", filter=Q(sign_ups__state=SignUpState.COMING)),
            waiting=Count("sign_ups", filter=Q(sign_ups__state=SignUpState.WAITING)),
        )
    )


def _own(access: Access) -> Player | None:
    try:
        return own_player(access=access)
    except NotFound:
        return None


@require_safe
@club_page(Role.MEMBER)
def evenings(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The evenings that are to come, the next one first, with the own word; then the last that were."""
    since = timezone.now() - service.OVER_AFTER
    found = _counted(access.club)
    own = _own(access)
    coming = list(found.filter(starts_at__gte=since).order_by("starts_at", "pk"))
    said = dict(SignUp.objects.filter(evening__in=coming, player=own).values_list("evening", "state")) if own else {}
    context = {
        "club": access.club,
        "rights": rights_of(access.role),
        "evenings": [(one, SignUpState(said[one.pk]).label if one.pk in said else "") for one in coming],
        "past": found.filter(starts_at__lt=since).order_by("-starts_at", "-pk")[:_PAST],
        "own": own,
        "may_write": access.may(Role.SCOREKEEPER),
    }
    return render(request, "web/evenings.html", context)


@require_safe
@club_page(Role.MEMBER)
def evening(request: HttpRequest, access: Access, evening_id: int) -> HttpResponseBase:
    """One evening: who comes, who waits, and the buttons."""
    said = Prefetch("sign_ups", SignUp.objects.select_related("player"))
    rows = PlannedEvening.objects.select_related("season__league").prefetch_related(said)
    found = get_object_or_404(rows, club=access.club, pk=evening_id)
    attendance, own = service.attendance(found), _own(access)
    mine = attendance.of(own.pk) if own is not None else None
    over = timezone.now() > found.starts_at + service.OVER_AFTER
    may_write = access.may(Role.SCOREKEEPER)
    # Who said so and was archived since still takes a place that may be given up.
    known = {one.player_id for one in (*attendance.coming, *attendance.waiting)}
    active = Q(archived_at=None, kind=PlayerKind.PERSON) | Q(pk__in=known)
    others = Player.objects.filter(active, club=access.club).order_by("name_key")
    context = {
        "club": access.club,
        "rights": rights_of(access.role),
        "evening": found,
        "attendance": attendance,
        "own": own,
        "mine": mine,
        "own_word": own_word(mine.state if mine else None, attendance.position(own.pk)) if own else "",
        "free": None if found.capacity is None else max(0, found.capacity - len(attendance.coming)),
        "is_on": found.cancelled_at is None and not over,
        "may_write": may_write,
        "others": others if may_write else (),
    }
    return render(request, "web/evening.html", context)


@require_POST
@club_page(Role.MEMBER)
def answer(request: HttpRequest, access: Access, evening_id: int) -> HttpResponseBase:
    """Say that the own player comes or not, or another."""
    player = request.POST.get("player", "")
    # As the select of the page sends it: an id.
    player_id = int(player) if player.isascii() and player.isdigit() and len(player) < 19 else None
    try:
        said = service.answer(
            access=access,
            evening_id=evening_id,
            state=request.POST.get("state", ""),
            player_id=player_id,
            now=timezone.now(),
        )
    except InputError as error:
        messages.error(request, " ".join(problem.message for problem in error.problems))
    except Conflict as error:
        messages.error(request, error.message)
    else:
        words = {"player": said.player.name, "state": said.get_state_display()}
        messages.success(request, _("%(player)s: %(state)s.") % words)
    return redirect("web:evening", club=access.club.slug, evening_id=evening_id)


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def new(request: HttpRequest, access: Access) -> HttpResponseBase:
    """Plan an evening."""
    form = EveningForm(request.POST or None, club=access.club)
    if form.is_valid():
        fields, now = form.cleaned_data, timezone.now()
        planned = form.attempt(lambda: service.plan(access=access, fields=fields, now=now))
        if planned is not None:
            return redirect("web:evening", club=access.club.slug, evening_id=planned.pk)
    return _form(request, access, form, _("Plan an evening"))


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def edit(request: HttpRequest, access: Access, evening_id: int) -> HttpResponseBase:
    """Change a planned evening."""
    found = get_object_or_404(PlannedEvening, club=access.club, pk=evening_id)
    initial = {field: getattr(found, field) for field in ("starts_at", "location", "capacity", "note")}
    form = EveningForm(request.POST or None, club=access.club, initial={**initial, "season": found.season_id})
    if form.is_valid():
        changes, now = form.cleaned_data, timezone.now()
        if form.attempt(lambda: service.change(access=access, evening_id=evening_id, changes=changes, now=now)):
            messages.success(request, _("Saved."))
            return redirect("web:evening", club=access.club.slug, evening_id=evening_id)
    return _form(request, access, form, _("Change the evening"))


@require_POST
@club_page(Role.SCOREKEEPER)
def cancel(request: HttpRequest, access: Access, evening_id: int) -> HttpResponseBase:
    """Call an evening off."""
    service.cancel(access=access, evening_id=evening_id, now=timezone.now())
    messages.success(request, _("The evening is called off; calendars that are subscribed show it."))
    return redirect("web:evening", club=access.club.slug, evening_id=evening_id)


def _form(request: HttpRequest, access: Access, form: EveningForm, heading: str) -> HttpResponseBase:
    context = {"club": access.club, "form": form, "heading": heading}
    return render(request, "web/evening_form.html", context)
