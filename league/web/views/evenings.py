"""An evening as the scorekeeper enters it: opened, round by round, ended. Works without JavaScript."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.catalog import GAMES, GameInfo
from league.models import PlannedEvening, Player, Role, SeasonStatus, Seat, Session, SessionFormat, SessionStatus
from league.models.sheets import ScoreSheet, score_sheet
from league.scoring.sessions import PURE_XXL
from league.services import games, results, tournament_company, tournament_results
from league.services.access import Access
from league.services.planned_evenings import attendance
from league.web import table_entry
from league.web.access import club_page
from league.web.forms import SEATS, EndForm, RoundForm, ServiceForm, SessionForm, TableForm
from league.web.reading import members_session

_XXL = {key: game for key, game in GAMES.items() if game.family == "xxl"}


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def new_session(request: HttpRequest, access: Access) -> HttpResponseBase:
    """Open a session: what is played, who sits where."""
    now = timezone.now()
    today = access.club.local_date(now)
    form = SessionForm(request.POST or None, club=access.club, today=today, initial=_planned(request, access))
    if form.is_valid():
        data = form.session_input()
        session = form.attempt(lambda: results.record(access=access, data=data, confirm=form.confirm, now=now))
        if session is not None:
            return redirect("web:enter", club=access.club.slug, session_id=session.pk)
    return render(request, "web/session_form.html", {"club": access.club, "form": form})


def _planned(request: HttpRequest, access: Access) -> dict[str, Any]:
    """What the planned evening that the address names says of a session: where, of which season, who comes."""
    asked = request.GET.get("evening", "")
    if not (asked.isascii() and asked.isdigit() and len(asked) < 19):
        return {}
    rows = PlannedEvening.objects.filter(club=access.club, pk=int(asked)).select_related("season")
    found = rows.prefetch_related("sign_ups__player").first()
    if found is None:
        return {}
    initial: dict[str, Any] = {"location": found.location}
    if found.season is not None and found.season.status == SeasonStatus.OPEN:
        initial["season"] = found.season_id
    # One table at a time: who comes to another is entered there.
    coming = attendance(found).coming[:SEATS]
    return initial | {f"seat_{seat}": one.player.name for seat, one in enumerate(coming)}


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def enter(request: HttpRequest, access: Access, session_id: int) -> HttpResponseBase:
    """The next round of an open session; the last planned one ends it and shows the score sheet."""
    session = members_session(access, session_id)
    if session.status != SessionStatus.OPEN or session.voided_at is not None:
        return redirect("web:session", club=access.club.slug, session_id=session_id)
    here = reverse("web:enter", kwargs={"club": access.club.slug, "session_id": session_id})
    return enter_round(request, access, session, template="web/enter.html", here=here)


def enter_round(
    request: HttpRequest, access: Access, session: Session, *, template: str, here: str
) -> HttpResponseBase:
    """The next round of an open session on a page of `template`, whose address is `here`."""
    sheet = score_sheet(session)
    seats = _seats_to_come(sheet)
    form = _round_form(request, session, sheet, seats)
    again = redirect(here)
    valid = form.is_valid()
    number = form.cleaned_data.get("number") if form.is_bound else None
    # Whatever else may be wrong with it: a form of a round that is over can't be put right.
    if number is not None and number < _next_round(sheet):
        messages.info(request, _("Round %(number)d is stored already.") % {"number": number})
        return again
    if valid:
        now = timezone.now()
        data = form.round_input()
        done = form.attempt(
            lambda: results.record_round(
                access=access, session_id=session.pk, data=data, confirm=form.confirm, now=now, number=number
            )
        )
        if form.conflict:
            # Somebody else was quicker; what was typed belongs to no round any more.
            messages.error(request, form.conflict)
            return again
        if done is not None:
            messages.success(request, _("Round %(number)d is stored.") % {"number": _next_round(sheet)})
            return again
    context = {
        "club": access.club,
        "session": session,
        "season": session.season,
        "sheet": sheet,
        "number": _next_round(sheet),
        "form": form,
        # Once a form comes back with something to say, it goes on without the script.
        "entry": None if form.is_bound else _entry(access, sheet, seats, here=here),
        "here": here,
        "table_form": TableForm(club=access.club, sitting=_sitting(seats)),
    }
    return render(request, template, context)


@require_POST
@club_page(Role.SCOREKEEPER)
def table(request: HttpRequest, access: Access, session_id: int) -> HttpResponseBase:
    """Somebody comes, gets up, or takes another's seat, from the next round on."""
    sheet = score_sheet(members_session(access, session_id))
    form = TableForm(request.POST, club=access.club, sitting=_sitting(_seats_to_come(sheet)))
    if form.is_valid():
        now = timezone.now()
        comes, gets_up = form.cleaned_data["player"], form.cleaned_data["substitutes"]

        def change() -> Session:
            if comes is None:
                return results.leave(access=access, session_id=session_id, player=gets_up, now=now)
            tournament_company.check_newcomer(sheet.session, player=comes, gets_up=gets_up, confirm=form.confirm)
            if gets_up is None:
                return results.join(access=access, session_id=session_id, player=comes, seat=None, now=now)
            return results.substitute(access=access, session_id=session_id, player=comes, for_player=gets_up, now=now)

        if form.attempt(change) is not None:
            messages.success(request, _("The table is changed from the next round on."))
            return redirect("web:enter", club=access.club.slug, session_id=session_id)
    return _step_page(request, access, sheet.session, form, "web/table.html")


@require_POST
@club_page(Role.SCOREKEEPER)
def end(request: HttpRequest, access: Access, session_id: int) -> HttpResponseBase:
    """End a session before its last planned round, once that is confirmed."""
    form = EndForm(request.POST)
    if form.is_valid():
        now = timezone.now()
        done = form.attempt(lambda: results.end(access=access, session_id=session_id, confirm=form.confirm, now=now))
        if done is not None:
            return redirect("web:session", club=access.club.slug, session_id=session_id)
    return _step_page(request, access, members_session(access, session_id), form, "web/end.html")


def _next_round(sheet: ScoreSheet) -> int:
    return len(sheet.rounds) + 1


def _seats_to_come(sheet: ScoreSheet) -> list[Seat]:
    """The seats that are taken for any round to come, in their order."""
    to_come = Q(until_round=None) | Q(until_round__gte=_next_round(sheet))
    return list(sheet.session.seats.filter(to_come).select_related("player"))


def _sitting(seats: list[Seat]) -> list[Player]:
    """The players of these seats, each once, in seat order."""
    return list(dict.fromkeys(seat.player for seat in seats))


def _entry(access: Access, sheet: ScoreSheet, seats: list[Seat], *, here: str) -> dict[str, Any]:
    choices = games_of(sheet.session, sheet)
    return table_entry.entry(access, sheet, here=here, seats=seats, games=choices, kind=_last_kind(sheet))


def _round_form(request: HttpRequest, session: Session, sheet: ScoreSheet, seats: list[Seat]) -> RoundForm:
    played = [one.game.key for one in sheet.rounds]
    choices = games_of(session, sheet)
    keys = list(choices)
    # The game that comes next in a session of Pure XXL; a start in the other formats.
    proposed = keys[len(played) % len(keys)]
    in_order = session.format == SessionFormat.PURE_XXL and played == [
        keys[index % len(keys)] for index in range(len(played))
    ]
    kind = _last_kind(sheet) if choices[proposed].scored_by == "points" else "place"
    initial = {"game": proposed, "number": _next_round(sheet), "kind": kind}
    data = request.POST if request.method == "POST" else None
    playing = [seat.player for seat in seats if seat.from_round <= _next_round(sheet)]
    return RoundForm(data, players=playing, games=choices, following=proposed if in_order else None, initial=initial)


def games_of(session: Session, sheet: ScoreSheet) -> Mapping[str, GameInfo]:
    """The games to choose from for a round of the session, by their keys."""
    match SessionFormat(session.format):
        case SessionFormat.PURE_XXL:
            return {key: GAMES[key] for key in PURE_XXL}
        case SessionFormat.INDIVIDUAL_XXL:
            return _XXL
        case SessionFormat.SERIES if sheet.rounds:
            return {sheet.rounds[0].game.key: sheet.rounds[0].game}
    available = games.available(club=session.club)
    agreed = tournament_results.agreed_game(session)
    return {agreed: available[agreed]} if agreed in available else available


def _last_kind(sheet: ScoreSheet) -> str:
    """What the last round was given as: whoever notes places alone does so all evening."""
    cells = [cell for cell in sheet.rounds[-1].cells if cell is not None] if sheet.rounds else []
    return "place" if cells and all(cell.points is None for cell in cells) else "points"


def _step_page(
    request: HttpRequest, access: Access, session: Session, form: ServiceForm, template: str
) -> HttpResponseBase:
    """What was said about a form of the entry page, on a page of its own: nothing else competes for the eye."""
    context = {"club": access.club, "session": session, "season": session.season, "form": form}
    return render(request, template, context)
