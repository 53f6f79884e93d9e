"""What a table of a tournament is worth: tournament points from places, points or cards left.

Terms. A *meeting* is one table of a tournament round with what came of it. *Tournament points* are what it gives each
entrant; a *score* adds them up. A *duel* is a meeting of two. A *bye* is a round that an entrant sits out, given by
the pairing or asked for. A *forfeit* has a winner although nobody played, a *double forfeit* has none. The *basis* of a
tournament is what its points are made of:

- ``result``: win, draw and loss; at a table of more than two the relative place stretched between loss and win.
- ``places``: the relative place alone, (players - place) / (players - 1): 1 for the first, 0 for the last.
- ``place_points``: a list of points for places, made for the largest table and stretched over smaller ones.
- ``place_sum``: the place itself, lowest best.
- ``game_points``: the points of the games, highest best unless the game says lowest.
- ``cards_left``: the cards that a table of a cooperative game has left, lowest best; all who sit there share them.

Promises. Equal places share the points of the places they cover, as race points are shared (Racing Rules of Sailing
2025-2028, A7), so that in the first three bases tables of one size give the same total whatever their results; by
``result`` (with a draw halfway between loss and win) and ``places`` the mean of a table is the same for all sizes.
All figures are exact.

Never: ranks anybody; ``league/scoring/tie_breaks.py`` does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

Kind = Literal["played", "bye", "forfeit", "double_forfeit"]
Basis = Literal["result", "places", "place_points", "place_sum", "game_points", "cards_left"]


_NOTHING: Mapping[int, Any] = MappingProxyType({})


# A tuple: a large tournament has thousands of them, and a tuple is made in a third of the time.
class Meeting(NamedTuple):
    """A table of a tournament round, from 1, and what came of it.

    ``entrants`` in order of seats; of a forfeit the winner first, of a bye the one who sits out. ``places``: 1 is best,
    equals share a place and the following are skipped; a forfeit may leave them out. ``scores``: tournament points of
    each; empty while nothing came of it, and then it counts for nothing. ``game_points``: those that were noted.
    ``requested``: a bye that the entrant asked for, against one that the pairing gave.
    """

    round: int
    entrants: tuple[int, ...]
    kind: Kind = "played"
    places: Mapping[int, int] = _NOTHING
    scores: Mapping[int, Fraction | float] = _NOTHING
    game_points: Mapping[int, int] = _NOTHING
    requested: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How a tournament gives its points.

    ``win``, ``draw``, ``loss``: of a duel, by ``result``. ``place_points``: by ``place_points``, from the first place
    down. ``low_game_points``: whether the fewest points of the games are best. ``bye``, ``forfeit_win``,
    ``forfeit_loss``: tournament points of these, ``None`` for what ``worth`` says; they are asked for where the basis
    has no best result that could stand for them (``place_sum``, ``game_points``, ``cards_left``).
    """

    basis: Basis = "result"
    win: Fraction = Fraction(1)
    draw: Fraction = Fraction(1, 2)
    loss: Fraction = Fraction(0)
    place_points: tuple[Fraction | int, ...] = ()
    low_game_points: bool = False
    bye: Fraction | None = None
    forfeit_win: Fraction | None = None
    forfeit_loss: Fraction | None = None
    missed: Fraction = Fraction(0)

    def __hash__(self) -> int:
        # Equals have it in common, and it is asked for each table: all fields would take longer than the points.
        return hash((self.basis, self.low_game_points))

    @property
    def high_is_best(self) -> bool:
        """Whether the highest score leads."""
        return self.basis not in ("place_sum", "cards_left") and not (
            self.basis == "game_points" and self.low_game_points
        )


class Worth(NamedTuple):
    """What the best, the middle and the last result of a table bring: what a win, a draw and a loss are to a duel."""

    win: Fraction
    draw: Fraction
    loss: Fraction


class Flaw(NamedTuple):
    """What is wrong with a scoring or a chain: its code, the field, and the figures or words of its sentence.

    Of a scoring: ``order_of_points`` (a win is worth more than a draw, a draw no less than a loss),
    ``no_place_points``, ``rising_place_points`` (a later place is worth more), ``equal_place_points`` (all places are
    worth the same), ``worth_needed`` (this basis has no points of its own for it). Those of a chain stand in
    ``tie_breaks.py``.
    """

    code: str
    field: str
    params: Mapping[str, str] = {}


def check_scoring(scoring: Scoring) -> tuple[Flaw, ...]:
    """What is wrong with it; empty where nothing is."""
    return tuple(_flaws(scoring))


def _flaws(scoring: Scoring) -> Iterator[Flaw]:
    if scoring.basis == "result" and not scoring.loss <= scoring.draw < scoring.win:
        yield Flaw("order_of_points", "win")
    if scoring.basis == "place_points":
        points = scoring.place_points
        if len(points) < 2:
            yield Flaw("no_place_points", "place_points")
        elif list(points) != sorted(points, reverse=True):
            yield Flaw("rising_place_points", "place_points")
        elif points[0] == points[-1]:
            yield Flaw("equal_place_points", "place_points")
    if scoring.basis in ("place_sum", "game_points", "cards_left"):
        for name in ("bye", "forfeit_win", "forfeit_loss"):
            if getattr(scoring, name) is None:
                yield Flaw("worth_needed", name)


def worth(scoring: Scoring) -> Worth:
    """What a win, a draw and a loss are worth, for byes, forfeits and the tie-breaks that ask it.

    Where a place, points of games or cards left are the score, there is none but what the scoring gives a bye (the
    draw), the winner and the loser of a forfeit.
    """
    if scoring.basis == "result":
        return Worth(scoring.win, scoring.draw, scoring.loss)
    if scoring.basis == "places":
        return Worth(Fraction(1), Fraction(1, 2), Fraction(0))
    if scoring.basis == "place_points":
        first, last = Fraction(scoring.place_points[0]), Fraction(scoring.place_points[-1])
        return Worth(first, (first + last) / 2, last)
    zero = Fraction(0)
    return Worth(scoring.forfeit_win or zero, scoring.bye or zero, scoring.forfeit_loss or zero)


def scored(
    scoring: Scoring,
    number: int,
    entrants: tuple[int, ...],
    kind: Kind = "played",
    *,
    places: Mapping[int, int] | None = None,
    game_points: Mapping[int, int] | None = None,
    requested: bool = False,
) -> Meeting:
    """The meeting of this tournament round with everybody's tournament points.

    Of one that was played, ``places`` hold every entrant, or nobody while nothing came of it. Where points of games
    are the basis, who has none (somebody else sat on the seat) is worth no more than the loser of a forfeit and the
    last of the table; cards left are shared by all who sit there. A requested bye gives the points of a bye, too: who
    gives it others sets ``scores``.
    """
    given, noted = places or {}, game_points or {}
    scores: Mapping[int, Fraction]
    if kind == "played":
        if scoring.basis in ("game_points", "cards_left"):
            scores = _noted_scores(scoring, entrants, noted)
        else:
            scores = table_scores(scoring, given) if all(one in given for one in entrants) else {}
    elif kind == "bye":
        scores = dict.fromkeys(entrants, bye_score(scoring))
    else:
        winner, loser = forfeit_scores(scoring)
        winners = entrants[:1] if kind == "forfeit" else ()
        scores = {one: winner if one in winners else loser for one in entrants}
    return Meeting(number, entrants, kind, given, scores, noted, requested)


def _noted_scores(scoring: Scoring, entrants: Sequence[int], noted: Mapping[int, int]) -> dict[int, Fraction]:
    """The points or cards of each entrant; none while none are noted of anybody."""
    if not noted:
        return {}
    _winner, loser = forfeit_scores(scoring)
    if scoring.basis == "cards_left":
        least = Fraction(max(noted.values()))
    elif scoring.low_game_points:
        least = max(loser, Fraction(max(noted.values())))
    else:
        least = min(loser, Fraction(min(noted.values())))
    return {one: Fraction(noted[one]) if one in noted else least for one in entrants}


def table_scores(
    scoring: Scoring, places: Mapping[int, int], game_points: Mapping[int, int] | None = None
) -> dict[int, Fraction]:
    """The tournament points of everybody at a table that was played."""
    if scoring.basis in ("game_points", "cards_left"):
        return {one: Fraction(points) for one, points in (game_points or {}).items()}
    if scoring.basis == "place_sum":
        return {one: Fraction(place) for one, place in places.items()}
    shared = _shared(scoring, tuple(sorted(places.values())))
    return {one: shared[place] for one, place in places.items()}


# Few patterns of places occur, and exact figures cost more than to look them up.
@lru_cache(maxsize=1024)
def _shared(scoring: Scoring, places: tuple[int, ...]) -> Mapping[int, Fraction]:
    """The points of each place of a table with these places, shared by equals."""
    sharing = Counter(places)
    if scoring.basis == "result" and places == (1, 1):
        return {1: scoring.draw}
    points = _points_of_places(scoring, len(places))
    return {place: sum(points[place - 1 : place - 1 + many], Fraction(0)) / many for place, many in sharing.items()}


def _points_of_places(scoring: Scoring, size: int) -> Sequence[Fraction]:
    """What each place of a table of this size is worth, from the first down."""
    best, _middle, last = worth(scoring)
    if size == 1:
        return [best]
    if scoring.basis != "place_points":
        return [last + (best - last) * Fraction(size - place, size - 1) for place in range(1, size + 1)]
    return [_between(scoring.place_points, Fraction((place - 1), size - 1)) for place in range(1, size + 1)]


def _between(points: Sequence[Fraction | int], share: Fraction) -> Fraction:
    """The value that far along a list, from 0 for its first to 1 for its last, in a straight line between two."""
    along = share * (len(points) - 1)
    index = min(int(along), len(points) - 2)
    before, after = Fraction(points[index]), Fraction(points[index + 1])
    return before + (after - before) * (along - index)


def bye_score(scoring: Scoring) -> Fraction:
    """The tournament points of a bye: those of a win, unless the tournament says otherwise."""
    return worth(scoring).win if scoring.bye is None else scoring.bye


def forfeit_scores(scoring: Scoring) -> tuple[Fraction, Fraction]:
    """The tournament points of the winner and of a loser of a forfeit: those of a win and of a loss, unless…"""
    best, _middle, last = worth(scoring)
    return (
        best if scoring.forfeit_win is None else scoring.forfeit_win,
        last if scoring.forfeit_loss is None else scoring.forfeit_loss,
    )
