"""Keeping the stored standings true to the session results.

Promises: called with the season's row locked (every change of a season's results locks it first), so that of two
changes the second counts what the first wrote; and inside the transaction of the change, so that no page ever shows
one without the other.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from league.models import Season, SessionResult, Standing
from league.scoring.standings import SessionPlace, StandingLine, fold, sort_key
from league.scoring.standings import add as with_session

# Under the limit of variables that SQLite takes in one statement.
_BATCH = 500
# A stored row as a `StandingLine`, in the order of its fields; plain values, for this runs with every result.
_LINE = (
    "player_id",
    "sessions",
    "place_total",
    "wins",
    "last_session_id",
    "last_session__played_on",
    "last_place",
)
_FIELDS = ["sessions", "place_total", "wins", "last_session", "last_place", "sort_key"]


def add(*, season: Season, results: Collection[SessionPlace]) -> None:
    """Add the places of more sessions: as `refresh` would, without reading the sessions before."""
    stored = Standing.objects.filter(season=season, player_id__in=[result.player for result in results])
    lines = {row[0]: StandingLine(*row) for row in stored.values_list(*_LINE)}
    for result in results:
        lines[result.player] = with_session(lines.get(result.player), result)
    _store(season, [lines[player] for player in dict.fromkeys(result.player for result in results)])


def refresh(*, season: Season, players: Iterable[int]) -> None:
    """Bring the standings of these players (ids) up to date from all their results in the season."""
    ids = sorted(set(players))
    for start in range(0, len(ids), _BATCH):
        batch = ids[start : start + _BATCH]
        history: dict[int, list[SessionPlace]] = defaultdict(list)
        results = SessionResult.objects.filter(
            session__season=season, session__counts=True, player_id__in=batch, place__isnull=False
        ).values_list("player_id", "session_id", "session__played_on", "place")
        for player, session, played_on, place in results:
            history[player].append(SessionPlace(player, session, played_on, place or 0, 0))
        Standing.objects.filter(season=season, player_id__in=set(batch) - set(history)).delete()
        _store(season, [fold(places) for places in history.values()])


def _store(season: Season, lines: Collection[StandingLine]) -> None:
    rules = season.ranking_rules
    Standing.objects.bulk_create(
        [
            Standing(
                club_id=season.club_id,
                season=season,
                player_id=line.player,
                sessions=line.sessions,
                place_total=line.place_total,
                wins=line.wins,
                last_session_id=line.last_session,
                last_place=line.last_place,
                sort_key=sort_key(line, rules),
            )
            for line in lines
        ],
        update_conflicts=True,
        unique_fields=["season", "player"],
        update_fields=_FIELDS,
        batch_size=_BATCH // len(_FIELDS),
    )
