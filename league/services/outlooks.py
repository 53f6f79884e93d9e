"""What is still possible, for a session that goes on and for a season: the store read for `league/scoring`'s outlooks.

Terms. An *outlook* says who can still win or finish in the top N, who has clinched it, and which place it takes next.
Where none can be given, its `reason` is a code of `REASONS`. Promises: says what it takes to be given. Never: changes
anything.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.models import (
    Division,
    PlannedEvening,
    Player,
    Season,
    SeasonStatus,
    Session,
    SessionFormat,
    SessionResult,
    SessionStatus,
    Standing,
)
from league.scoring.outlook import PlayerOutlook, outlook, table_of
from league.scoring.season_outlook import LIMIT, Left, Past, SeasonProspect, season_outlook
from league.scoring.sessions import EveningRules, Seat
from league.services import standings

USUAL_TOP = 3
LARGEST_TOP = 100
# What is worked out while somebody waits: beyond, none is given.
MOST_EVENINGS = 30
MOST_PLAYERS = 60
LARGEST_TABLE = 12
_BY_PLACE_SUM = frozenset({SessionFormat.PURE_XXL, SessionFormat.INDIVIDUAL_XXL})

REASONS: Mapping[str, str | Promise] = {
    "": "",
    "over": _("The session is over."),
    "other_format": _("Only Pure XXL and Individual XXL are won by the sum of places."),
    "nobody_sits": _("Nobody sits at the table for the games left, or it is known to change before the last one."),
    "unknown_evenings": _("It is not known how many evenings are left: the season plans none."),
    "too_many_evenings": _("Too many evenings are left to work it out."),
    "too_many_players": _("Too many players stand in the table to work it out."),
    "unbounded": _("Points in the games have no bounds: nobody is sure of anything, and nobody is out of it."),
    "nobody_stands": _("Nobody stands in this table yet."),
}


# --- A session ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TablePlayer:
    """A player's prospects at the table."""

    player: Player
    outlook: PlayerOutlook


@dataclass(frozen=True, slots=True)
class TableOutlook:
    """A session's outlook; `sitting` share out the places of `games_left` games; without players there is a reason."""

    session: Session
    reason: str
    sitting: int = 0
    games_left: int = 0
    players: tuple[TablePlayer, ...] = ()


def of_session(session: Session) -> TableOutlook:
    """The outlook of a session, best place sums first; read in three queries, with none where it is over."""
    if session.status != SessionStatus.OPEN or session.voided_at is not None:
        return TableOutlook(session, "over")
    if session.format not in _BY_PLACE_SUM:
        return TableOutlook(session, "other_format")
    rows = list(session.seats.select_related("player").order_by("number", "from_round"))
    seats = [Seat(row.player_id, row.number, row.from_round, row.until_round) for row in rows]
    rules = session.season.evening_rules if session.season is not None else EveningRules()
    table = table_of(seats, session.played_rounds(), planned=session.planned_rounds, rules=rules)
    if table is None or not table.entries:
        return TableOutlook(session, "nobody_sits")
    players = {row.player_id: row.player for row in rows}
    found = sorted(outlook(table), key=lambda one: one.place_sum)
    told = tuple(TablePlayer(players[one.player], one) for one in found)
    return TableOutlook(session, "", table.sitting, table.games, told)


# --- A season -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the reader asks for; None: as the season says, or as it was played so far."""

    top: int = USUAL_TOP
    evenings: int | None = None
    largest: int | None = None
    one_table: bool | None = None


@dataclass(frozen=True, slots=True)
class SeasonPlayer:
    """A player's prospects in the season."""

    player: Player
    prospect: SeasonProspect


@dataclass(frozen=True, slots=True)
class DivisionOutlook:
    """The outlook of one table of a season, that of a division or of those in none; best values first."""

    division: Division | None
    reason: str
    players: tuple[SeasonPlayer, ...] = ()


@dataclass(frozen=True, slots=True)
class SeasonOutlook:
    """A season's outlook with what it takes to be given; `left` is None where the reason is that it is not known."""

    season: Season
    top: int
    left: Left | None
    reason: str
    divisions: tuple[DivisionOutlook, ...] = ()


def of_season(season: Season, wanted: Wanted, *, now: datetime) -> SeasonOutlook:
    """The outlook of a season's tables, as the reader wants it."""
    days = standings.evenings(season)
    evenings = wanted.evenings if wanted.evenings is not None else _evenings_left(season, len(days), now)
    if evenings is None:
        return SeasonOutlook(season, wanted.top, None, "unknown_evenings")
    one_table = wanted.one_table if wanted.one_table is not None else _is_of_one_table(season)
    largest = wanted.largest if wanted.largest is not None else min(LARGEST_TABLE, max([2, *days.values()]))
    left = Left(evenings, largest, one_table)
    if evenings > MOST_EVENINGS:
        return SeasonOutlook(season, wanted.top, left, "too_many_evenings")
    tables: dict[int | None, list[Standing]] = {}
    for row in Standing.objects.table(season):
        tables.setdefault(row.division_id, []).append(row)
    if not tables:
        return SeasonOutlook(season, wanted.top, left, "nobody_stands")
    rules = season.ranking_rules
    divisions = []
    for rows in tables.values():
        if len(rows) > MOST_PLAYERS:
            divisions.append(DivisionOutlook(rows[0].division, "too_many_players"))
            continue
        played = standings.sessions_of(season, [row.player_id for row in rows])
        pasts = [Past(row.player_id, tuple(played[row.player_id])) for row in rows]
        prospects = season_outlook(pasts, days, rules, left, top=wanted.top, limit=LIMIT // len(tables))
        if prospects is None:
            divisions.append(DivisionOutlook(rows[0].division, "unbounded"))
            continue
        told = tuple(SeasonPlayer(row.player, one) for row, one in zip(rows, prospects, strict=True))
        divisions.append(DivisionOutlook(rows[0].division, "", told))
    return SeasonOutlook(season, wanted.top, left, "", tuple(divisions))


def _evenings_left(season: Season, played: int, now: datetime) -> int | None:
    """How many evenings are left of those that the season plans, by its number or by what is in the calendar."""
    if season.status == SeasonStatus.CLOSED:
        return 0
    if season.planned_evenings is not None:
        return max(0, season.planned_evenings - played)
    planned = PlannedEvening.objects.filter(season=season, cancelled_at=None)
    to_come = planned.filter(starts_at__gt=now).count()
    # A season that has had planned evenings and has none any more is over; of one that never had, nothing is known.
    return to_come if to_come or planned.exists() else None


def _is_of_one_table(season: Season) -> bool:
    """Whether each evening so far was one session."""
    counting = SessionResult.objects.filter(session__season=season, session__counts=True, place__isnull=False)
    sessions = counting.order_by().values_list("session__played_on", "session").distinct()
    return max(Counter(day for day, _session in sessions).values(), default=1) == 1
