"""Two seats that choose at the same time: matrix games, and the duel of und Tschüss for the last point card.

Terms. A *matrix game* has one row a choice of the one, one column a choice of the other; an entry is what the one
wins and the other loses. A *mix* is a chance for each choice. The *value* is what the one wins on average when both
mix as well as they can (von Neumann 1928). In a *duel* two are left inside with one point card; the *lead* is the one's
sum less the other's. The one with the higher sum after a step *takes*; after equal sums both choose again.

With *open hands* a duel is solved backwards from its last step, a matrix game for each pair of hands left. With *hidden
hands* a seat's *types* are the hands that the other must think possible; what can be won depends on the other's
types only by how often they play which card, so that each type learns against the average of the other's
(regret matching plus, Tammelin 2014). How far the average mixes are from the best is told by the *gap*.

Promises: open hands are solved exactly, in fractions.
Never: knows a view, or what a point card is worth. A duel is for taking: who must dread the card sees it from
the other side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

Matrix = Sequence[Sequence[Fraction]]
Mix = tuple[Fraction, ...]


class Solution(NamedTuple):
    """The value of a matrix game, a best mix of the rows and one of the columns."""

    value: Fraction
    rows: Mix
    columns: Mix


def solve(matrix: Matrix) -> Solution:
    """A matrix game of one row and one column or more, by the simplex method (Dantzig 1951), with Bland's rule.

    With all entries made positive the columns' player finds y >= 0 of greatest total with M y <= 1; the value is
    1 / total, the mix y times the value, and the prices of the rows are the rows' mix times the same.
    """
    rows, columns = len(matrix), len(matrix[0])
    shift = 1 - min(min(row) for row in matrix)
    tableau = [
        [*(Fraction(entry + shift) for entry in row), *(Fraction(i == j) for j in range(rows)), Fraction(1)]
        for i, row in enumerate(matrix)
    ]
    costs = [Fraction(-1)] * columns + [Fraction(0)] * (rows + 1)
    basis = list(range(columns, columns + rows))
    while (entering := next((j for j, cost in enumerate(costs[:-1]) if cost < 0), None)) is not None:
        # Every entry of the first columns is positive at first, so that the total is bounded and a row is found.
        candidates = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(tableau) if row[entering] > 0]
        leaving = min(candidates)[2]
        pivot = tableau[leaving][entering]
        tableau[leaving] = [entry / pivot for entry in tableau[leaving]]
        for row in (*(row for i, row in enumerate(tableau) if i != leaving), costs):
            if factor := row[entering]:
                row[:] = [entry - factor * by for entry, by in zip(row, tableau[leaving], strict=True)]
        basis[leaving] = entering
    value = 1 / costs[-1]
    plays = dict(zip(basis, (row[-1] for row in tableau), strict=True))
    return Solution(
        value - shift,
        tuple(price * value for price in costs[columns : columns + rows]),
        tuple(plays.get(j, Fraction(0)) * value for j in range(columns)),
    )


class OpenDuel:
    """The duel of two who know each other's hands: the yardstick of what is learned below.

    ``settles`` is what the one wins when sums are equal and no cards are left: 1 when it counts as the higher, else 0.
    By card: ``costs`` of the one and of the ``other``, as shares of what is at stake for each; none for a card that is
    left out. Since nobody can change what the other's cards cost, the one may be said to win them.
    """

    def __init__(
        self, settles: int, costs: Mapping[int, Fraction] | None = None, other: Mapping[int, Fraction] | None = None
    ) -> None:
        self._settles = Fraction(settles)
        self._costs, self._other = costs or {}, other or {}
        self._value = cache(self._solved)

    def solve(self, hand: Sequence[int], other: Sequence[int], lead: int) -> tuple[Sequence[int], Solution]:
        """The different cards of the hand, and the solution whose rows they are.

        Its value is the chance to take less the own costs and plus the other's. Both hands are equally large and not
        empty.
        """
        cards, theirs = sorted(set(hand)), sorted(set(other))
        return cards, solve([[self._after(hand, other, lead, (mine, their)) for their in theirs] for mine in cards])

    def _after(self, hand: Sequence[int], other: Sequence[int], lead: int, played: tuple[int, int]) -> Fraction:
        """What the one wins when these cards are played at this lead."""
        mine, their = played
        costs = self._costs.get(mine, Fraction(0)) - self._other.get(their, Fraction(0))
        lead += mine - their
        if lead:
            return Fraction(lead > 0) - costs
        return self._value(_without(hand, mine), _without(other, their)) - costs

    def _solved(self, hand: tuple[int, ...], other: tuple[int, ...]) -> Fraction:
        return self.solve(hand, other, 0)[1].value if hand else self._settles


def _without(hand: Sequence[int], card: int) -> tuple[int, ...]:
    rest = sorted(hand)
    rest.remove(card)
    return tuple(rest)


_NO_CARDS_TOLD: Final = 0.5
"""The chance to take after equal sums, when hidden hands have cards left."""


@dataclass
class Side:
    """One side of a duel with hidden hands.

    ``types`` are its possible hands, each as likely as the other; ``costs`` has, by card, the share of what is at
    stake that playing it costs. ``habit`` has, by card, how often a known opponent plays it, who sits there with
    the chance ``trust``; the rest of the chance is a side that learns.
    """

    types: Sequence[Sequence[int]]
    costs: Mapping[int, float]
    habit: Mapping[int, float] = field(default_factory=dict)
    trust: float = 0.0


class _Learner:
    """All types of a side, with what they regret and what they have played on average."""

    def __init__(self, side: Side, cards: Sequence[int]) -> None:
        index = {card: i for i, card in enumerate(cards)}
        self.side, self.cards = side, cards
        self.choices = [sorted({index[card] for card in hand}) for hand in side.types]
        self.regrets = [[0.0] * len(choices) for choices in self.choices]
        self.totals = [[0.0] * len(choices) for choices in self.choices]
        self._habit = [side.trust * side.habit.get(card, 0.0) for card in cards]

    def play(self, weight: float) -> list[float]:
        """How often each card is played now, over all types; the play counts for the average with this weight."""
        played = [0.0] * len(self.cards)
        for choices, regrets, totals in zip(self.choices, self.regrets, self.totals, strict=True):
            mix = matched(regrets)
            for i, (card, chance) in enumerate(zip(choices, mix, strict=True)):
                played[card] += chance
                totals[i] += weight * chance
        return self._with_habit(played)

    def _with_habit(self, played: Sequence[float]) -> list[float]:
        share = (1 - self.side.trust) / len(self.choices)
        return [habit + share * often for habit, often in zip(self._habit, played, strict=True)]

    def learn(self, worth: Sequence[float]) -> None:
        """Take in what each card would have been worth."""
        for choices, regrets in zip(self.choices, self.regrets, strict=True):
            mix = matched(regrets)
            mean = sum(chance * worth[card] for chance, card in zip(mix, choices, strict=True))
            # What is below nothing is forgotten at once: that is the plus of regret matching plus.
            regrets[:] = [max(0.0, old + worth[card] - mean) for old, card in zip(regrets, choices, strict=True)]

    def averages(self) -> list[list[float]]:
        """By type: the average mix over its different cards, ascending."""
        return [_normal(totals) for totals in self.totals]

    def average_play(self) -> list[float]:
        """How often each card is played by the average mixes."""
        played = [0.0] * len(self.cards)
        for choices, mix in zip(self.choices, self.averages(), strict=True):
            for card, chance in zip(choices, mix, strict=True):
                played[card] += chance
        return self._with_habit(played)

    def gain(self, worth: Sequence[float]) -> float:
        """How much more the best card of each type is worth than its average mix, on average over types."""
        gains = 0.0
        for choices, mix in zip(self.choices, self.averages(), strict=True):
            best = max(worth[card] for card in choices)
            gains += best - sum(chance * worth[card] for chance, card in zip(mix, choices, strict=True))
        return gains / len(self.choices)


class HiddenDuel:
    """The duel of two who don't know each other's hands, learned by both sides at once.

    ``settled`` is the one's chance to take when sums are equal and no cards are left, ``None`` while cards are.
    """

    def __init__(self, one: Side, other: Side, lead: int, settled: float | None = None) -> None:
        cards = sorted({card for side in (one, other) for hand in side.types for card in hand})
        self._one, self._other = _Learner(one, cards), _Learner(other, cards)
        equal = _NO_CARDS_TOLD if settled is None else settled
        self._takes = [
            [1.0 if lead + mine > their else equal if lead + mine == their else 0.0 for their in cards]
            for mine in cards
        ]
        self._gives = [[1 - row[j] for row in self._takes] for j in range(len(cards))]
        self._costs = [[side.costs.get(card, 0.0) for card in cards] for side in (one, other)]

    def learn(self, rounds: int) -> None:
        """Let both sides learn in turn; later rounds count for more."""
        for number in range(1, rounds + 1):
            self._other.learn(self._worth(1, self._one.play(number)))
            self._one.learn(self._worth(0, self._other.play(number)))

    def _worth(self, side: int, against: Sequence[float]) -> list[float]:
        """What each card is worth to a side, as a share of what is at stake, against such play."""
        wins = self._gives if side else self._takes
        return [
            sum(often * win for often, win in zip(against, row, strict=True) if often) - cost
            for row, cost in zip(wins, self._costs[side], strict=True)
        ]

    def mixes(self) -> list[list[float]]:
        """By type of the one: its average mix over its different cards, ascending."""
        return self._one.averages()

    def gap(self) -> float:
        """How much both sides together could still win by playing best against the other's average; 0 is exact."""
        one, other = self._one.average_play(), self._other.average_play()
        return self._one.gain(self._worth(0, other)) + self._other.gain(self._worth(1, one))


def matched(regrets: Sequence[float]) -> list[float]:
    """Regret matching (Hart and Mas-Colell 2000): chances in proportion to positive regrets, else all alike."""
    return _normal([max(0.0, regret) for regret in regrets])


def _normal(weights: Sequence[float]) -> list[float]:
    total = sum(weights)
    return [weight / total for weight in weights] if total > 0 else [1 / len(weights)] * len(weights)
