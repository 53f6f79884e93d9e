"""The table of a season: what each player's sessions add up to, and the order of the players.

Terms. A *session place* is one player's final place in a session that counts. An *evening* is a day on which
sessions were played that count. An *item* is what one session, or one evening missed, brings a player. A *line* is
what the items of one player add up to: its *value* is the number that the season ranks by (the *metric*), low or
high being best. A *rank* is a position in the table, shared by equal players with the following ranks skipped. A
*win* is a session finished at place 1, shared or not.

Promises: the order of the input changes nothing. All values are exact (``Fraction``); what is stored of them
compares as they do, in the sense of ``sort_key``.

Never: breaks a tie (``league/scoring/ties.py`` does), or reads a session that was not given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Literal

Metric = Literal["place_average", "place_sum", "points", "game_points", "wins"]
Best = Literal["low", "high"]
TableWeight = Literal["none", "relative", "midpoint", "opponents"]
Absence = Literal["none", "average", "last"]
TieBreak = Literal["direct", "countback", "last_evening", "fewer_sessions", "opponents"]

POINTS_BY_PLACE = (10, 7, 5, 3, 2, 1)
_BY_PLACE = frozenset({"place_average", "place_sum"})


@dataclass(frozen=True, slots=True)
class SessionPlace:
    """One player's final place (from 1) in one session in which so many players have a place; ids as plain numbers.

    ``points`` are the points of the player's rounds added up, ``None`` where no round has any.
    """

    player: int
    session: int
    played_on: date
    place: int
    players: int
    points: int | None = None


@dataclass(frozen=True, slots=True)
class RankingRules:
    """What a season ranks by (docs/season-rules.md tells it to players).

    ``metric``: the mean of the values of the items that count (``place_average``), or their sum: of places
    (``place_sum``), of points for places (``points``), of points in the games (``game_points``), of wins (``wins``).
    ``best``: whether low or high is best. ``points_by_place``: points for place 1, 2, …; 0 beyond.

    ``table_weight`` says what a place ``p`` of ``n`` is worth: ``p`` itself (``none``); ``(p - 1) / (n - 1)``
    (``relative``; 0 at a table of one); ``(p - 1/2) / n`` (``midpoint``), both for places alone. ``opponents``
    multiplies points and wins by ``n - 1``.

    ``drop_worst`` items don't count, or all but the ``count_best`` (0: all count); at least one counts. ``absence``:
    an evening missed is nothing (``none``), the mean of the player's own items (``average``), or the last place of
    a largest table of that evening with one more at it (``last``). ``minimum_sessions``: from how many on a player
    has a rank, if anything counts. ``tie_breaks``: asked in this order; none left, the rank is shared.
    """

    metric: Metric = "place_average"
    minimum_sessions: int = 1
    best: Best = "low"
    points_by_place: tuple[int, ...] = POINTS_BY_PLACE
    table_weight: TableWeight = "none"
    drop_worst: int = 0
    count_best: int = 0
    absence: Absence = "none"
    tie_breaks: tuple[TieBreak, ...] = ()

    @property
    def is_additive(self) -> bool:
        """Whether a line with one more session follows from the line before, without the sessions before."""
        whole = not (self.drop_worst or self.count_best) and self.absence == "none"
        return whole and self.table_weight in {"none", "opponents"}

    @property
    def reaches_everybody(self) -> bool:
        """Whether a result may change the figures of players who were not in it."""
        return self.absence != "none" or "opponents" in self.tie_breaks


@dataclass(frozen=True, slots=True)
class Item:
    """What a session (its ``place`` of ``players``), or an evening missed (``session`` is ``None``), brings.

    ``counts`` is false where it enters nothing: ``dropped`` by the rules, or else a session without any points in a
    season that adds up points.
    """

    played_on: date
    value: Fraction
    session: int | None = None
    place: int | None = None
    players: int = 0
    points: int | None = None
    counts: bool = True
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One player's items added up.

    ``place_total`` is the sum of the final places of all ``sessions``, ``game_points`` of all their points.
    ``counted`` items, sessions and evenings missed, make the ``value``; ``absences`` are the evenings missed, counted
    or not. ``place_counts`` says how often place 1, 2, … was reached in sessions that count.
    """

    player: int
    sessions: int
    place_total: int
    wins: int
    last_session: int
    last_played_on: date
    last_place: int
    counted: int = 0
    absences: int = 0
    value: Fraction = Fraction(0)
    game_points: int | None = None
    place_counts: tuple[int, ...] = ()

    @property
    def place_average(self) -> Fraction:
        """The sum of the final places divided by the sessions; 1 is the best there can be."""
        return Fraction(self.place_total, self.sessions)


def place_value(place: int, players: int, rules: RankingRules) -> Fraction:
    """What place ``place`` of ``players`` is worth where a season ranks by places, points for places, or wins."""
    if rules.metric == "points":
        points = rules.points_by_place[place - 1] if place <= len(rules.points_by_place) else 0
        return Fraction(points * (players - 1 if rules.table_weight == "opponents" else 1))
    if rules.metric == "wins":
        return Fraction((place == 1) * (players - 1 if rules.table_weight == "opponents" else 1))
    if rules.table_weight == "relative":
        return Fraction(place - 1, players - 1) if players > 1 else Fraction(0)
    if rules.table_weight == "midpoint":
        return Fraction(2 * place - 1, 2 * players)
    return Fraction(place)


def items(results: Iterable[SessionPlace], days: Mapping[date, int], rules: RankingRules) -> tuple[Item, ...]:
    """What one player's sessions and the evenings missed bring, in the order of the days.

    ``days`` are the evenings of the season with the number of players at a largest table (read only where
    ``rules.absence`` asks). Of equal items the earliest is dropped first (Racing Rules of Sailing A2.1).
    """
    found = [_played(one, rules) for one in results]
    counting = [item for item in found if item.counts]
    if rules.absence != "none" and counting:
        mean = sum((item.value for item in counting), Fraction(0)) / len(counting)
        there = {item.played_on for item in found}
        for day, players in days.items():
            if day not in there:
                value = mean if rules.absence == "average" else place_value(players + 1, players + 1, rules)
                found.append(Item(day, value))
    found.sort(key=lambda item: (item.played_on, item.session or 0))
    return tuple(_dropped(found, rules))


def _played(result: SessionPlace, rules: RankingRules) -> Item:
    if rules.metric == "game_points":
        value = Fraction(result.points or 0)
    else:
        value = place_value(result.place, result.players, rules)
    return Item(
        played_on=result.played_on,
        value=value,
        session=result.session,
        place=result.place,
        players=result.players,
        points=result.points,
        counts=rules.metric != "game_points" or result.points is not None,
    )


def _dropped(found: Sequence[Item], rules: RankingRules) -> list[Item]:
    """The items, those that the rules drop marked so."""
    counting = [index for index, item in enumerate(found) if item.counts]
    surplus = rules.drop_worst
    if rules.count_best:
        surplus = max(surplus, len(counting) - rules.count_best)
    # One stays: a line without any item has no value.
    surplus = max(0, min(surplus, len(counting) - 1))
    sign = 1 if rules.best == "low" else -1
    worst = sorted(counting, key=lambda index: (-sign * found[index].value, index))[:surplus]
    drop = frozenset(worst)
    return [replace(item, counts=False, dropped=True) if i in drop else item for i, item in enumerate(found)]


def line(player: int, results: Sequence[SessionPlace], days: Mapping[date, int], rules: RankingRules) -> StandingLine:
    """The line of a player with these sessions, given in any order; ``days`` as ``items`` takes them.

    Raises ValueError when there is no session, or one of another player.
    """
    if not results or any(result.player != player for result in results):
        raise ValueError("A line adds up the sessions of exactly one player.")
    found = items(results, days, rules)
    last = max(results, key=lambda result: (result.played_on, result.session))
    counted = [item for item in found if item.counts]
    points = [result.points for result in results if result.points is not None]
    return StandingLine(
        player=player,
        sessions=len(results),
        place_total=sum(result.place for result in results),
        wins=sum(result.place == 1 for result in results),
        last_session=last.session,
        last_played_on=last.played_on,
        last_place=last.place,
        counted=len(counted),
        absences=sum(item.session is None for item in found),
        value=_value(sum((item.value for item in counted), Fraction(0)), len(counted), rules),
        game_points=sum(points) if points else None,
        place_counts=_counts(item.place for item in counted if item.place is not None),
    )


def add(before: StandingLine | None, result: SessionPlace, rules: RankingRules) -> StandingLine:
    """The line with one more session; ``None`` is the line of a player who has none yet.

    The last session is the one played last; of several on one day the one with the highest id. Raises ValueError for
    a result of another player, and under rules that are not additive.
    """
    if not rules.is_additive:
        raise ValueError("Under these rules a line follows from all of its sessions alone.")
    if before is None:
        return line(result.player, [result], {}, rules)
    if before.player != result.player:
        raise ValueError("A line adds up the sessions of exactly one player.")
    later = (result.played_on, result.session) >= (before.last_played_on, before.last_session)
    item = _played(result, rules)
    counted = before.counted + item.counts
    total = before.value * before.counted if rules.metric == "place_average" else before.value
    points = [one for one in (before.game_points, result.points) if one is not None]
    width = max(len(before.place_counts), result.place) if item.counts else len(before.place_counts)
    counts = [*before.place_counts, *(0 for _ in range(width - len(before.place_counts)))]
    if item.counts:
        counts[result.place - 1] += 1
    return StandingLine(
        player=before.player,
        sessions=before.sessions + 1,
        place_total=before.place_total + result.place,
        wins=before.wins + (result.place == 1),
        last_session=result.session if later else before.last_session,
        last_played_on=result.played_on if later else before.last_played_on,
        last_place=result.place if later else before.last_place,
        counted=counted,
        value=_value(total + (item.value if item.counts else 0), counted, rules),
        game_points=sum(points) if points else None,
        place_counts=tuple(counts),
    )


def _value(total: Fraction, counted: int, rules: RankingRules) -> Fraction:
    return total / counted if rules.metric == "place_average" and counted else total


def _counts(places: Iterable[int]) -> tuple[int, ...]:
    found = list(places)
    return tuple(found.count(place) for place in range(1, max(found, default=0) + 1))


def sort_key(line: StandingLine, rules: RankingRules) -> float:
    """The value as one number to store and to sort by; lower is better. Without any item that counts, the last of all.

    Division of whole numbers is rounded correctly, so it depends on the exact quotient alone: 10/2 and 5/1, or 14/6
    and 7/3, give the very same float. Different quotients give different floats, too: averages below 8 over fewer than
    ten million sessions differ by more than floats do, and so do sums of a thousand weighted places (of tables of up
    to ten, all of them multiples of 1/2520).
    """
    if not line.counted:
        return LAST
    return float(line.value if rules.best == "low" else -line.value)


def has_rank(sessions: int, counted: int, rules: RankingRules) -> bool:
    """Whether somebody with so many sessions, and so many items that count, has a rank: nobody without any value."""
    return sessions >= rules.minimum_sessions and counted > 0


# Behind every value; finite, since databases disagree about infinity.
LAST = 1e300


def rank(lines: Iterable[StandingLine], rules: RankingRules) -> tuple[tuple[int | None, StandingLine], ...]:
    """The table from the top, ties unbroken: (rank, line), with ``None`` at the end for those without a rank.

    Equal values share the rank and stand in the order of the players' ids.
    """
    ordered = sorted(lines, key=lambda line: (sort_key(line, rules), line.player))
    ranked = [line for line in ordered if has_rank(line.sessions, line.counted, rules)]
    below = [line for line in ordered if not has_rank(line.sessions, line.counted, rules)]
    ranks: dict[float, int] = {}
    for position, line in enumerate(ranked, start=1):
        ranks.setdefault(sort_key(line, rules), position)
    return (
        *((ranks[sort_key(line, rules)], line) for line in ranked),
        *((None, line) for line in below),
    )
