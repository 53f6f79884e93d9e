"""Pages to print: score sheets, blank and filled, and the tables of a day."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Prefetch
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from league.models import Club, Role, Seat, Session, SessionStatus
from league.models.sheets import score_sheet
from league.services.access import Access
from league.web import papers, reading
from league.web.access import club_page
from league.web.print_forms import BlankSheetForm, DayForm


@require_safe
@club_page(Role.MEMBER)
def blank_sheet(request: HttpRequest, access: Access) -> HttpResponseBase:
    """A score sheet of Pure XXL to write on, as the address says; what it leaves out is as usual."""
    wanted = request.GET.copy()
    for name, usual in (("players", "4"), ("repeats", "1")):
        wanted.setdefault(name, usual)
    form = BlankSheetForm(wanted, club=access.club)
    paper = None
    if form.is_valid():
        data = form.cleaned_data
        paper = papers.blank(players=data["players"], repeats=data["repeats"], names=form.sheet_names())
    context = {"club": access.club, "form": form, "paper": paper, "season": form.chosen_season}
    return render(request, "web/print/score_sheet.html", context)


@require_safe
def session_sheet(request: HttpRequest, club: str, session_id: int) -> HttpResponseBase:
    """A session's score sheet for paper; read by whoever reads its page."""
    key = reading.board_key(request)
    session, rights = reading.session_page(reader=request.user, club=club, session_id=session_id, key=key)
    sheet = reading.shown_sheet(score_sheet(session), rights)
    context = {
        "club": session.club,
        "season": session.season,
        "session": session,
        "sheet": sheet,
        "played": papers.rounds_played(sheet),
        "paper": papers.filled(sheet),
        "rights": rights,
    }
    with timezone.override(session.club.zone):
        response = render(request, "web/print/session.html", context)
    patch_cache_control(response, no_cache=True, **({"private": True} if request.user.is_authenticated else {}))
    return response


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a day: its number from 1, what is played there, and who sits there in seat order."""

    number: int
    session: Session
    players: tuple[str, ...]


@require_safe
@club_page(Role.MEMBER)
def tables(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The open sessions of a day, today's unless the address names one, in letters to be read from afar."""
    today = access.club.local_date(timezone.now())
    form = DayForm(request.GET if "day" in request.GET else {"day": today.isoformat()}, today=today)
    day: date | None = form.cleaned_data["day"] if form.is_valid() else None
    found = _tables(access.club, day) if day is not None else []
    return render(request, "web/print/tables.html", {"club": access.club, "form": form, "day": day, "tables": found})


def _tables(club: Club, day: date) -> list[Table]:
    """The tables of a day in the order in which they were opened: two queries."""
    sessions = (
        Session.objects.filter(club=club, played_on=day, status=SessionStatus.OPEN, voided_at=None)
        .select_related("season__league")
        .annotate(played=Count("rounds"))
        .prefetch_related(Prefetch("seats", Seat.objects.select_related("player").order_by("number", "from_round")))
        .order_by("pk")
    )
    return [Table(number, one, _sitting(one)) for number, one in enumerate(sessions, start=1)]


def _sitting(session: Session) -> tuple[str, ...]:
    """Who sits there for the next round, in seat order."""
    next_round = vars(session)["played"] + 1
    return tuple(
        seat.player.name
        for seat in session.seats.all()
        if seat.from_round <= next_round and (seat.until_round is None or seat.until_round >= next_round)
    )
