"""Keeping the stored standings true to the session results.

Promises: called with the season's row locked (every change of a season's results locks it first), so that of two
changes the second counts what the first wrote; and inside the transaction of the change, so that no page ever shows
one without the other. Changed are the lines of the players concerned, and the positions of those who are or were
tied with them; of everybody where the season's rules reach further (`RankingRules.reaches_everybody`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import cached_property
from itertools import groupby

from django.db import transaction
from django.db.models import Max, QuerySet

from league.models import DivisionPlayer, Season, SessionResult, Standing
from league.scoring import ties
from league.scoring.standings import SessionPlace, StandingLine, has_rank, line, sort_key
from league.scoring.standings import add as with_session

# Under the limit of variables that SQLite takes in one statement.
_BATCH = 500
_FIELDS = [
    *("division", "sessions", "place_total", "wins", "last_session", "last_place", "counted", "absences", "value"),
    *("game_points", "place_counts", "sort_key", "tie_position"),
]
# A tie is of one division and one sort key.
_Tie = tuple[int | None, float]


def add(*, season: Season, results: Collection[SessionPlace]) -> None:
    """Add the places of more sessions: as `refresh` would, where the rules allow it without the sessions before."""
    rules = season.ranking_rules
    players = list(dict.fromkeys(result.player for result in results))
    if not rules.is_additive or rules.reaches_everybody:
        refresh(season=season, players=players)
        return
    stored = Standing.objects.filter(season=season, player_id__in=players)
    lines: dict[int, StandingLine] = {}
    left: set[_Tie] = set()
    for row in stored.select_related("last_session"):
        lines[row.player_id] = stored_line(row)
        left.add((row.division_id, row.sort_key))
    for result in results:
        lines[result.player] = with_session(lines.get(result.player), result, rules)
    reached = _store(season, [lines[player] for player in players])
    _break_ties(season, left | reached)


def stored_line(row: Standing) -> StandingLine:
    """A stored row as a line. Its value is exact under additive rules: a whole number, or a mean of whole numbers.

    Of all quotients whose denominators are no larger than what counts, the exact one is nearest to its float.
    """
    return StandingLine(
        player=row.player_id,
        sessions=row.sessions,
        place_total=row.place_total,
        wins=row.wins,
        last_session=row.last_session_id,
        last_played_on=row.last_session.played_on,
        last_place=row.last_place,
        counted=row.counted,
        absences=row.absences,
        value=Fraction(row.value).limit_denominator(row.counted or 1),
        game_points=row.game_points,
        place_counts=tuple(row.place_counts),
    )


def refresh(*, season: Season, players: Iterable[int]) -> None:
    """Bring the standings of these players (ids) up to date from all their results in the season."""
    rules = season.ranking_rules
    ids = sorted(set(players))
    days: Mapping[date, int] = {}
    if rules.reaches_everybody and ids:
        ids = sorted({*ids, *_players(season)})
        days = evenings(season) if rules.absence != "none" else {}
    moved: set[_Tie] = set()
    for start in range(0, len(ids), _BATCH):
        batch = ids[start : start + _BATCH]
        history = sessions_of(season, batch)
        stored = Standing.objects.filter(season=season, player_id__in=batch)
        moved.update(stored.values_list("division_id", "sort_key"))
        stored.filter(player_id__in=set(batch) - set(history)).delete()
        lines = [line(player, places, days, rules) for player, places in history.items()]
        moved |= _store(season, lines)
    _break_ties(season, moved)


def _players(season: Season) -> Iterator[int]:
    """Everybody who has a line or is to have one."""
    yield from Standing.objects.filter(season=season).values_list("player_id", flat=True)
    yield from _counting(season).values_list("player_id", flat=True).distinct()


def _counting(season: Season) -> QuerySet[SessionResult]:
    return SessionResult.objects.filter(session__season=season, session__counts=True, place__isnull=False)


def evenings(season: Season) -> dict[date, int]:
    """The evenings of a season: days of sessions that count, with the number of players at a largest table."""
    found = _counting(season).order_by().values_list("session__played_on").annotate(most=Max("players"))
    return dict(found)


def sessions_of(season: Season, players: Collection[int]) -> dict[int, list[SessionPlace]]:
    """The sessions of each of these players that count for the season; who has none is left out."""
    history: dict[int, list[SessionPlace]] = defaultdict(list)
    found = _counting(season).filter(player_id__in=players)
    columns = ("player_id", "session_id", "session__played_on", "place", "players", "points")
    for player, session, played_on, place, seated, points in found.values_list(*columns):
        history[player].append(SessionPlace(player, session, played_on, place or 0, seated, points))
    return history


def _store(season: Season, lines: Collection[StandingLine]) -> set[_Tie]:
    """Store lines as if untied, and return where they stand now."""
    rules = season.ranking_rules
    divisions: dict[int, int] = {}
    if season.has_divisions:
        mine = DivisionPlayer.objects.filter(season=season, player_id__in=[one.player for one in lines])
        divisions = dict(mine.values_list("player_id", "division_id"))
    rows = [
        Standing(
            club_id=season.club_id,
            season=season,
            player_id=one.player,
            division_id=divisions.get(one.player),
            sessions=one.sessions,
            place_total=one.place_total,
            wins=one.wins,
            last_session_id=one.last_session,
            last_place=one.last_place,
            counted=one.counted,
            absences=one.absences,
            value=float(one.value),
            game_points=one.game_points,
            place_counts=list(one.place_counts),
            sort_key=sort_key(one, rules),
            tie_position=0,
        )
        for one in lines
    ]
    Standing.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["season", "player"],
        update_fields=_FIELDS,
        batch_size=_BATCH // len(_FIELDS),
    )
    return {(row.division_id, row.sort_key) for row in rows}


# --- Counted anew -----------------------------------------------------------------------------------------------------

_TOLD = (
    *("player_id", "division_id", "sessions", "place_total", "wins", "last_session_id", "last_place", "counted"),
    *("absences", "value", "game_points", "place_counts", "sort_key", "tie_position"),
)


def differences(*, season: Season) -> list[int]:
    """Ids of the players whose stored line is not what the stored results add up to, from scratch; changes nothing."""
    with transaction.atomic():
        stored = _told(season)
        Standing.objects.filter(season=season).delete()
        refresh(season=season, players=_players(season))
        expected = _told(season)
        transaction.set_rollback(True)
    return sorted(player for player in {*stored, *expected} if stored.get(player) != expected.get(player))


def _told(season: Season) -> dict[int, tuple[object, ...]]:
    return {row[0]: row for row in Standing.objects.filter(season=season).values_list(*_TOLD)}


# --- Ties -------------------------------------------------------------------------------------------------------------


class StoredHistories:
    """What tie-breaks ask for, read when they do; `ties.Histories`."""

    def __init__(self, season: Season) -> None:
        self.season = season

    def sessions(self, players: Sequence[int]) -> Mapping[int, Sequence[SessionPlace]]:
        """The sessions of these players that count for the season."""
        found: dict[int, Sequence[SessionPlace]] = {}
        for start in range(0, len(players), _BATCH):
            found.update(sessions_of(self.season, players[start : start + _BATCH]))
        return found

    def opponents(self, players: Sequence[int]) -> Mapping[int, Fraction | None]:
        """The mean place average of the opponents of each of these players."""
        own = self.sessions(players)
        tables: dict[int, list[int]] = defaultdict(list)
        wanted = sorted({result.session for results in own.values() for result in results})
        for start in range(0, len(wanted), _BATCH):
            found = _counting(self.season).filter(session_id__in=wanted[start : start + _BATCH])
            for session, player in found.values_list("session_id", "player_id"):
                tables[session].append(player)
        return {
            player: ties.opponents_strength(
                tables, [result.session for result in own.get(player, ())], player, self._averages
            )
            for player in players
        }

    @cached_property
    def _averages(self) -> Mapping[int, Fraction]:
        totals = self.season.standings.values_list("player_id", "place_total", "sessions")
        return {player: Fraction(places, sessions) for player, places, sessions in totals}


def _break_ties(season: Season, moved: Collection[_Tie]) -> None:
    """Store the positions of those who are tied where somebody came or went."""
    rules = season.ranking_rules
    if not rules.tie_breaks or not moved:
        return
    histories = StoredHistories(season)
    changed: list[Standing] = []
    for tied in _ties(season, moved):
        order = ties.break_tie([stored_line(row) for row in tied], rules.tie_breaks, histories)
        for row in tied:
            position = order.positions[row.player_id]
            if row.tie_position != position:
                row.tie_position = position
                changed.append(row)
    Standing.objects.bulk_update(changed, ["tie_position"], batch_size=_BATCH)


def _ties(season: Season, moved: Collection[_Tie]) -> Iterator[list[Standing]]:
    """Those who are tied there now, of the players with a rank: others neither share one nor part two who do."""
    rules = season.ranking_rules
    keys = sorted({key for _division, key in moved})
    for start in range(0, len(keys), _BATCH):
        rows = Standing.objects.filter(season=season, sort_key__in=keys[start : start + _BATCH])
        ordered = sorted(
            (row for row in rows.select_related("last_session") if has_rank(row.sessions, row.counted, rules)),
            key=lambda row: (row.sort_key, row.division_id or 0, row.player_id),
        )
        for _tie, group in groupby(ordered, key=lambda row: (row.sort_key, row.division_id)):
            yield list(group)
