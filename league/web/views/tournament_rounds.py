"""A tournament round as its organisers see it: its tables before and after they are published, and what is changed.

Promises: what a change would break is shown before it is carried out, and so is what mending an overtaken tournament
round would bring; see `tournaments_manage.py` for what all organisers' pages share.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.models import Role, RoundStatus, SessionStatus
from league.pairing.values import TableKind
from league.scoring.tournaments import forfeit_scores
from league.services import tournament_asked, tournament_changes, tournament_rounds
from league.services.access import Access
from league.services.errors import Conflict
from league.services.tournament_formats import rules_of
from league.services.tournament_state import RoundValue, TableValue
from league.services.tournaments import LARGEST_TABLE
from league.web import addresses, job_words, tournament_lines
from league.web.access import club_page
from league.web.reading import rights_of
from league.web.tournament_forms import AnnouncementForm, PairForm
from league.web.tournaments import ShownTournament, shown
from league.web.views.tournaments_manage import (
    announced,
    cancelled,
    context_of,
    is_over,
    number_of,
    overtaken_of,
    tournament_of,
    tried,
    version_of,
    why_still,
)


@dataclass(frozen=True, slots=True)
class _Line:
    """A table in words: `names` in order of seats with the place of each, "" where it is not known; the `sheet` is the
    address of its session, "" without one, and `entry` that of the form where its result is still to be entered.
    """

    number: int
    group: int
    # Of links that stand on a page once for each table.
    told: str
    names: list[tuple[str, str]]
    kind: str
    state: str
    is_open: bool
    session: int | None
    sheet: str
    entry: str


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def round_(request: HttpRequest, access: Access, slug: str, number: int) -> HttpResponseBase:
    """The tables of a tournament round, and what can be done with it."""
    tournament, now = tournament_of(access, slug), timezone.now()
    # What is changed is read again by whoever changes it.
    page = shown(tournament, rights_of(access.role), tables_of=[number] if request.method == "POST" else None)
    found = page.round(number)
    action = request.POST.get("action", "")
    version = {"version": tournament.version}
    seated = {entry: page.names[entry] for table in found.tables for entry in table.entries}
    swap = PairForm(request.POST if action == "swap" else None, names=seated, initial=version)
    said = AnnouncementForm(
        request.POST if action == "announce" else None, initial={"announcement": tournament.announcement, **version}
    )
    target: dict[str, Any] = {"access": access, "tournament_id": tournament.pk, "number": number, "now": now}
    if request.method == "POST":
        carried_out = (
            _swapped(request, swap, target)
            if action == "swap"
            else (
                announced(request, access, tournament, said, now)
                if action == "announce"
                else _acted(request, action, target)
            )
        )
        if carried_out:
            if not tournament.rounds.filter(number=number).exists():
                return redirect("web:tournament-manage", access.club.slug, slug)
            return redirect("web:tournament-round-manage", access.club.slug, slug, number)
        tournament = tournament_of(access, slug)
        page = shown(tournament, rights_of(access.role))
        found = page.round(number)
    over = next((one for one in overtaken_of(page.state) if one.number == number), None)
    stage = next(one for one in page.state.stages if one.row.pk == found.row.stage_id)
    is_long = tournament_changes.mending_takes_long(stage.row.format, len(stage.places))
    still = why_still(tournament)
    looks = over is not None and not still and (is_long or "mend" in request.GET)
    works = over is not None and tournament_asked.is_at_work(tournament)
    context = {
        "found": found.row,
        "why_still": still,
        "is_published": found.is_published,
        "can_unpublish": not _is_begun(found)
        and not any(one.is_published for one in page.state.rounds if one.row.number > number),
        "lines": _lines(page, found.tables),
        "open_tables": sum(not table.decided for table in found.tables),
        "grouped": stage.row.groups > 1,
        "reasons": page.reasons(found),
        "quality": tournament_lines.quality_told(found.row),
        "overtaken": over,
        "is_bracket": rules_of(stage.row.format).bracket,
        "foreseen": _foreseen(request, page, found, target) if looks else None,
        "is_long": is_long,
        "job": tournament.pairing_job,
        "is_pairing": works,
        "waiting": job_words.waiting(tournament.pairing_job, now=now) if works else "",
        "poll": 1 if works else 0,
        "swap": swap,
        "announcement": said,
        "ends_at": _ends_at(found, tournament.round_minutes),
        "is_over": is_over(tournament),
        "numbers": [one.row.number for one in page.state.rounds],
    }
    return render(request, "web/tournament_round_manage.html", context_of(access, tournament, **context))


def _is_begun(found: RoundValue) -> bool:
    """Whether a result stands at a table of the round."""
    return any(table.decided for table in found.tables if table.kind is TableKind.PLAYED)


def _lines(page: ShownTournament, tables: Iterable[TableValue]) -> list[_Line]:
    """Tables in words. What stands on a line is put together here: of a thousand players there are five hundred, and a
    template looks every word and address up anew.
    """
    club = page.row.club.slug
    sheet, entry = addresses.numbered("web:session", club), addresses.numbered("web:enter", club)
    places = {number: _("place %(place)s") % {"place": number} for number in range(1, LARGEST_TABLE + 1)}
    states = {status: str(label) for status, label in SessionStatus.choices}
    decided, of_table = _("decided"), _("of table %(number)s")
    found: list[_Line] = []
    for table in tables:
        if table.kind is not TableKind.PLAYED:
            state = tournament_lines.unplayed_told(table.kind, page.seated(table))
        elif table.session is None:
            state = decided if table.decided else ""
        else:
            state = states[table.session_status]
        is_open = not table.decided
        line = _Line(
            number=table.number,
            group=table.group,
            told=of_table % {"number": table.number},
            names=[
                (page.names[seat.entry], places.get(seat.place or 0, "") if table.decided else "")
                for seat in table.seats
            ],
            kind=table.kind.value,
            state=state,
            is_open=is_open,
            session=table.session,
            sheet=sheet(table.session) if table.session is not None else "",
            entry=entry(table.session) if table.session is not None and is_open else "",
        )
        found.append(line)
    return found


def _ends_at(found: RoundValue, minutes: int | None) -> datetime | None:
    """When the clock of the tournament round stops."""
    if found.row.started_at is None or minutes is None:
        return None
    return found.row.started_at + timedelta(minutes=minutes)


def _foreseen(
    request: HttpRequest, page: ShownTournament, found: RoundValue, target: Mapping[str, Any]
) -> list[tuple[int, list[str], list[str]]] | None:
    """(table, who sits there, who would) of each table that mending would change; None where it can't be mended, and
    while nobody has asked the job that works it out.
    """
    try:
        after = tournament_changes.foresee(**target).tables
    except Conflict as error:
        if error.code != "not_foreseen":
            messages.error(request, error.message)
        return None
    before = {table.number: table.entries for table in found.tables}
    return [
        (
            number,
            [page.names[one] for one in before.get(number, ())],
            [page.names[one] for one in after.get(number, ())],
        )
        for number in sorted({*before, *after})
        if set(before.get(number, ())) != set(after.get(number, ()))
    ]


def _swapped(request: HttpRequest, form: PairForm, target: Mapping[str, Any]) -> bool:
    if not form.is_valid():
        return False
    first, second = form.cleaned_data["first"], form.cleaned_data["second"]
    done = form.attempt(
        lambda: tournament_changes.swap(
            first=first, second=second, confirm=form.confirm, expected=form.expected, **target
        )
    )
    if done is not None:
        messages.success(request, _("They have exchanged their seats."))
    return done is not None


def _acted(request: HttpRequest, action: str, target: dict[str, Any]) -> bool:
    """Carry out a button of the tournament round."""
    expected = version_of(request)
    match action:
        case "publish":
            done = _("The tournament round is published: its tables can be played.")
            tried(request, lambda: tournament_rounds.publish(expected=expected, **target), done=done)
        case "unpublish":
            done = _("The tournament round is a draft again.")
            tried(request, lambda: tournament_rounds.unpublish(expected=expected, **target), done=done)
        case "clock-start" | "clock-stop":
            # Without the version: every result is a change, and the clock overwrites nobody's.
            runs = action == "clock-start"
            done = _("The clock runs.") if runs else _("The clock is stopped.")
            tried(request, lambda: tournament_rounds.set_clock(runs=runs, **target), done=done)
        case "keep":
            done = _("The tournament round stays as it is.")
            tried(request, lambda: tournament_changes.keep(expected=expected, **target), done=done)
        case "mend":
            _mended(request, expected, target)
        case "foresee":
            done = _("What would change is being worked out; this page shows how far it is.")
            tried(request, lambda: tournament_changes.ask_foresight(expected=expected, **target), done=done)
        case "cancel":
            cancelled(request, target["access"], target["tournament_id"], target["now"])
        case _:
            messages.error(request, _("Choose what to do."))
    return True


def _mended(request: HttpRequest, expected: int | None, target: dict[str, Any]) -> None:
    mended = tried(request, lambda: tournament_changes.mend(expected=expected, **target))
    if mended is None:
        return
    if mended.job is not None:
        messages.success(request, _("The pairing is being worked out; this page shows how far it is."))
    else:
        messages.success(request, _("What was not played yet is paired anew."))


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def table(request: HttpRequest, access: Access, slug: str, number: int, table: int) -> HttpResponseBase:
    """One table: decided by forfeit, that taken back, or opened again after its session was voided."""
    tournament, now = tournament_of(access, slug), timezone.now()
    page = shown(tournament, rights_of(access.role), tables_of=[number])
    found = page.round(number)
    its = next((one for one in found.tables if one.number == table), None)
    if its is None:
        raise Http404
    if request.method == "POST":
        target: dict[str, Any] = {
            "access": access,
            "tournament_id": tournament.pk,
            "number": number,
            "table": table,
            "expected": version_of(request),
            "now": now,
        }
        match request.POST.get("action", ""):
            case "forfeit":
                winner = number_of(request, "winner")
                done = _("The table is decided by forfeit.")
                if winner is None and request.POST.get("winner") != "nobody":
                    messages.error(request, _("Choose who wins by forfeit, or nobody."))
                else:
                    tried(request, lambda: tournament_changes.forfeit(winner=winner, **target), done=done)
            case "take-back":
                done = _("The table is to be played. A code printed for it before is dead: make a new one here.")
                tried(request, lambda: tournament_changes.take_forfeit_back(**target), done=done)
            case "open":
                tried(request, lambda: tournament_changes.open_table(**target), done=_("The table is open again."))
            case _:
                messages.error(request, _("Choose what to do."))
        return redirect("web:tournament-table-manage", access.club.slug, slug, number, table)
    still = why_still(tournament)
    is_played = its.kind is TableKind.PLAYED
    is_void = is_played and its.session is None and found.row.status == RoundStatus.PUBLISHED
    is_forfeit = its.kind in {TableKind.FORFEIT, TableKind.DOUBLE_FORFEIT}
    win, loss = forfeit_scores(tournament_lines.scoring_of(tournament))
    context = {
        "number": number,
        "line": _lines(page, [its])[0],
        "table": its,
        "seated": [(entry, page.names[entry]) for entry in its.entries],
        "win": tournament_lines.number_told(win),
        "loss": tournament_lines.number_told(loss),
        "counted": tournament_lines.counted(tournament),
        "why_still": still,
        "is_forfeit": is_forfeit,
        "can_take_back": is_forfeit and not still,
        "can_forfeit": is_played and not its.decided and not still,
        "is_void": is_void,
        "can_open": is_void and not still,
    }
    return render(request, "web/tournament_table_manage.html", context_of(access, tournament, **context))
