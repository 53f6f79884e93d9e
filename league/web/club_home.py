"""What the page of a club reads: the next evening, the tables that play just now, the leaders of its seasons.

Promises: a fixed number of queries whatever the size of the club; a visitor finds what is public alone.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q

from league.models import (
    Club,
    PlannedEvening,
    SeasonStatus,
    Seat,
    Session,
    SignUpState,
    Tournament,
    TournamentStatus,
    Visibility,
)
from league.scoring.sessions import EveningRules, running
from league.scoring.sessions import Seat as Span
from league.web import figures, reading
from league.web.figures import SeasonTop
from league.web.reading import Rights
from league.web.tournaments import listed as listed_tournaments

# An evening stays on the page while it may go on.
_EVENING = timedelta(hours=6)
_OPEN_SEASONS = 6
_CLOSED_SEASONS = 6
_TOURNAMENTS = 6


def next_evening(club: Club, rights: Rights, *, now: datetime) -> PlannedEvening | None:
    """The next planned evening that the reader may see, with how many are `coming` and `waiting`: one query."""
    evenings = PlannedEvening.objects.filter(club=club, cancelled_at=None, starts_at__gte=now - _EVENING)
    if not rights.member:
        evenings = evenings.filter(season__visibility=Visibility.PUBLIC)
    counted = evenings.select_related("season__league").annotate(
        coming=Count("sign_ups", filter=Q(sign_ups__state=SignUpState.COMING)),
        waiting=Count("sign_ups", filter=Q(sign_ups__state=SignUpState.WAITING)),
    )
    return counted.order_by("starts_at", "pk").first()


def tournaments(club: Club, rights: Rights) -> list[Tournament]:
    """The tournaments that go on or are to come, the soonest first: one query."""
    rows = listed_tournaments(club, rights).exclude(status=TournamentStatus.FINISHED)
    return list(rows.filter(archived_at=None).order_by("starts_on", "pk")[:_TOURNAMENTS])


@dataclass(frozen=True, slots=True)
class LiveLine:
    """A player at a table that plays: the place and the sum of places so far; place None without a round."""

    place: int | None
    name: str
    place_sum: int


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A session that goes on: rounds played and planned, the players by their places so far."""

    row: reading.SessionRow
    played: int
    planned: int
    lines: tuple[LiveLine, ...]


def live_tables(rows: Collection[reading.SessionRow], rights: Rights) -> list[LiveTable]:
    """The sums so far of these sessions, by the rules of their seasons: four queries, none for no session."""
    if not rows:
        return []
    sessions = Session.objects.filter(pk__in=[one.pk for one in rows]).select_related("season")
    found = {one.pk: one for one in sessions.prefetch_related("seats__player", "rounds__scores")}
    return [_live_table(one, found[one.pk], rights) for one in rows if one.pk in found]


def _live_table(row: reading.SessionRow, session: Session, rights: Rights) -> LiveTable:
    seats: list[Seat] = list(session.seats.all())
    names = {one.player_id: one.player.name if rights.member else one.player.public_name for one in seats}
    spans = [Span(one.player_id, one.number, one.from_round, one.until_round) for one in seats]
    rounds = sorted(session.played_rounds(), key=lambda one: one.number)
    rules = session.season.evening_rules if session.season is not None else EveningRules()
    results = sorted(
        running(spans, rounds, rules), key=lambda one: (one.place is None, one.place or 0, names[one.player])
    )
    # What played together has no sums to compare.
    lines = tuple(LiveLine(one.place, names[one.player], one.place_sum) for one in results)
    return LiveTable(row, len(rounds), session.planned_rounds, lines)


@dataclass(frozen=True, slots=True)
class Seasons:
    """A club's seasons as its page shows them: the open ones with their leaders, the newest of the closed ones."""

    open: list[SeasonTop]
    closed: list[SeasonTop]


def seasons(club: Club, rights: Rights) -> Seasons:
    """The seasons that the reader may see, newest first: two queries."""
    found = reading.club_seasons(club, rights)
    going_on = [one for one in found if one.status == SeasonStatus.OPEN]
    over = [one for one in found if one.status != SeasonStatus.OPEN]
    tops = figures.tops(going_on[:_OPEN_SEASONS], rights)
    return Seasons(
        open=[SeasonTop(one, tops.get(one.pk, ())) for one in going_on],
        closed=[SeasonTop(one, ()) for one in over[:_CLOSED_SEASONS]],
    )
