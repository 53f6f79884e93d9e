"""Breaking ties: who of several players with equal values stands before whom, and why.

Terms. A *tie* is a group of players whose values are equal. A *tie-break* compares the players of such a group by
one *figure* each; those whose figures are equal stay tied, and the season's next tie-break is asked. A *position*
counts from 0 how many of the group stand before a player; players who stay tied share it. A *meeting* of two players
is a session in which both have a final place.

Promises: every position that differs from a neighbour's has a ``Decision`` that says which tie-break made it so, with
the figures of both. The order of the input changes nothing.

Never: compares players whose values differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any, Protocol

from league.scoring.standings import SessionPlace, StandingLine, TieBreak


class Histories(Protocol):
    """Where tie-breaks that need more than the lines find it; asked only when one is reached."""

    def sessions(self, players: Sequence[int]) -> Mapping[int, Sequence[SessionPlace]]:
        """The sessions of these players that count for the season."""

    def opponents(self, players: Sequence[int]) -> Mapping[int, Fraction | None]:
        """The strength of the opponents of each of these players, as ``opponents_strength`` tells it."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What a tie-break compares of one player.

    ``direct``: mean result against the others of the tie, 1 for before and 1/2 for level, summed over them.
    ``countback``: how often place 1, 2, …. ``last_evening``: (day, best place there or ``None``) of the evening that
    decided. ``fewer_sessions``: their number. ``opponents``: mean place average of the opponents.
    """

    value: Fraction | int | tuple[int, ...] | tuple[date, int | None]


@dataclass(frozen=True, slots=True)
class Decision:
    """Why ``above`` stands before ``below`` although their values are equal."""

    code: TieBreak
    above: int
    below: int
    above_figure: Figure
    below_figure: Figure


@dataclass(frozen=True, slots=True)
class Order:
    """A tie as it was broken: the players in order, their positions, and a decision for each two neighbours.

    ``None`` stands for two neighbours who stay tied.
    """

    players: tuple[int, ...]
    positions: Mapping[int, int]
    decisions: tuple[Decision | None, ...]


# What a tie-break makes of a group: a sortable figure for each (lower is better), or None where it does not apply.
_Figures = Mapping[int, Any] | None


@dataclass(frozen=True, slots=True)
class _Split:
    """One tie-break that parted a group."""

    code: TieBreak
    figures: Mapping[int, Any]


# Through which splits a player came, and into which part of each.
_Trails = Mapping[int, list[tuple[_Split, int]]]


def break_tie(tied: Iterable[StandingLine], tie_breaks: Sequence[TieBreak], histories: Histories) -> Order:
    """Put players with equal values in order by these tie-breaks, asked one after the other."""
    lines = {line.player: line for line in sorted(tied, key=lambda line: line.player)}
    trails: _Trails = {player: [] for player in lines}
    groups: list[list[int]] = [list(lines)]
    for code in tie_breaks:
        groups = [part for group in groups for part in _parts(code, group, lines, histories, trails)]
    positions: dict[int, int] = {}
    for group in groups:
        positions.update(dict.fromkeys(group, len(positions)))
    players = tuple(positions)
    return Order(players, positions, tuple(_decision(trails, *pair) for pair in pairwise(players)))


def _parts(
    code: TieBreak, group: list[int], lines: Mapping[int, StandingLine], histories: Histories, trails: _Trails
) -> list[list[int]]:
    """The group in parts by one tie-break."""
    figures = _FIGURES[code](group, lines, histories) if len(group) > 1 else None
    if figures is None:
        return [group]
    ordered = sorted(group, key=lambda player: (figures[player], player))
    parts = [list(part) for _figure, part in groupby(ordered, key=lambda player: figures[player])]
    if len(parts) == 1:
        return parts
    split = _Split(code, figures)
    for index, part in enumerate(parts):
        for player in part:
            trails[player].append((split, index))
    if code == "direct":
        # Among those still level the meetings with the others of the tie no longer count: asked again.
        return [again for part in parts for again in _parts(code, part, lines, histories, trails)]
    return parts


def _decision(trails: _Trails, above: int, below: int) -> Decision | None:
    """The split that parted two neighbours, None where none did."""
    for (split, part), (_same, other) in zip(trails[above], trails[below], strict=False):
        if part != other:
            one, two = _SHOWN[split.code](split.figures[above], split.figures[below])
            return Decision(split.code, above, below, Figure(one), Figure(two))
    return None


# --- The tie-breaks ---------------------------------------------------------------------------------------------------


def _direct(group: Sequence[int], lines: Mapping[int, StandingLine], histories: Histories) -> _Figures:
    """Mean result against each other of the group, summed; None unless all of them met."""
    history = histories.sessions(group)
    places: dict[int, dict[int, int]] = defaultdict(dict)
    for player in group:
        for result in history.get(player, ()):
            places[result.session][player] = result.place
    results: dict[tuple[int, int], list[Fraction]] = defaultdict(list)
    for table in places.values():
        for one, place in table.items():
            for other, its in table.items():
                if one != other:
                    results[one, other].append(Fraction((place < its) * 2 + (place == its), 2))
    if any((one, other) not in results for one in group for other in group if one != other):
        return None
    return {
        one: -sum(
            (Fraction(sum(results[one, other]), len(results[one, other])) for other in group if other != one),
            Fraction(0),
        )
        for one in group
    }


def _countback(group: Sequence[int], lines: Mapping[int, StandingLine], histories: Histories) -> _Figures:
    """Most firsts, then most seconds, and so on, of the sessions that count (RRS A8.1 in counts)."""
    width = max(len(lines[player].place_counts) for player in group)
    return {player: tuple(-count for count in (*lines[player].place_counts, *[0] * width)[:width]) for player in group}


def _last_evening(group: Sequence[int], lines: Mapping[int, StandingLine], histories: Histories) -> _Figures:
    """Best place on the last evening of any of them, then on the one before (RRS A8.2); who missed it stands behind."""
    history = histories.sessions(group)
    best: dict[int, dict[date, int]] = {player: {} for player in group}
    for player in group:
        for result in history.get(player, ()):
            known = best[player].get(result.played_on)
            best[player][result.played_on] = result.place if known is None else min(known, result.place)
    days = sorted({day for own in best.values() for day in own}, reverse=True)
    # (missed, place, day): the day only tells which evening it was.
    return {player: tuple((day not in own, own.get(day, 0), day) for day in days) for player, own in best.items()}


def _fewer_sessions(group: Sequence[int], lines: Mapping[int, StandingLine], histories: Histories) -> _Figures:
    return {player: lines[player].sessions for player in group}


def _opponents(group: Sequence[int], lines: Mapping[int, StandingLine], histories: Histories) -> _Figures:
    """The lower the place average of the opponents, the stronger they were."""
    strength = histories.opponents(group)
    found = {player: strength.get(player) for player in group}
    return None if None in found.values() else found


_FIGURES: Mapping[TieBreak, Callable[[Sequence[int], Mapping[int, StandingLine], Histories], _Figures]] = {
    "direct": _direct,
    "countback": _countback,
    "last_evening": _last_evening,
    "fewer_sessions": _fewer_sessions,
    "opponents": _opponents,
}


def _evening_shown(above: Any, below: Any) -> tuple[Any, Any]:
    """The evening on which two differ first."""
    one, other = next((one, other) for one, other in zip(above, below, strict=True) if one != other)
    return (one[2], None if one[0] else one[1]), (other[2], None if other[0] else other[1])


def _as_they_are(above: Any, below: Any) -> tuple[Any, Any]:
    return above, below


# From what sorts to what is shown, for two players.
_SHOWN: Mapping[TieBreak, Callable[[Any, Any], tuple[Any, Any]]] = {
    "direct": lambda above, below: (-above, -below),
    "countback": lambda above, below: (tuple(-one for one in above), tuple(-one for one in below)),
    "last_evening": _evening_shown,
    "fewer_sessions": _as_they_are,
    "opponents": _as_they_are,
}


def opponents_strength(
    tables: Mapping[int, Sequence[int]], sessions: Iterable[int], player: int, averages: Mapping[int, Fraction]
) -> Fraction | None:
    """Mean place average of the opponents over all meetings; ``None`` without any.

    ``tables``: the players with a place by session; ``sessions``: those of the player; ``averages``: place averages of
    all players in the season.
    """
    met = [averages[other] for session in sessions for other in tables[session] if other != player]
    return sum(met, Fraction(0)) / len(met) if met else None
