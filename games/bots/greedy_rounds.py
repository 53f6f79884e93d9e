"""The rule of thumb for und Tschüss: a card is played for the point card that it is likely to lead to.

Terms as in ``games.rules.und_tschuess``. A *plan* says how a round will be played on: the card at hand now,
then always the highest or the lowest card left. Others are taken to play cards of about the deck's average,
so that their sums are normally distributed, and whoever has the lowest sum now to drop out first.

A plan is worth the point cards it leads to, each times its chance, less what its cards would have been worth
in later rounds. So a hand plays low where the lowest point card is good or the last one bad, high where the
last one is worth it, and leaves a bad round as cheaply as it can.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, prod, sqrt
from statistics import fmean, pstdev
from typing import Final, NamedTuple

from games.core import Move
from games.rules import und_tschuess

_OTHERS_AIM_HIGHER: Final = 1.5
"""What others play, on average, above the deck's average."""
_WORTH_LATER: Final = 0.15
"""Of what a card is above the deck's average: in points, what it is worth in a later round."""


class _Table(NamedTuple):
    """What a round is about.

    ``others`` are the sums of the other seats inside, ``point_cards`` those of the middle, both ascending;
    ``later`` is what a card is worth in later rounds for each point that it is above the average.
    """

    others: Sequence[int]
    point_cards: Sequence[int]
    later: float


class RoundRule:
    """For und Tschüss."""

    def __init__(self, game: und_tschuess.UndTschuess) -> None:
        self._deck = game.deck
        values = game.deck.values_of(game.deck.cards)
        self._average = fmean(values)
        self._spread = pstdev(values)

    def rate(self, view: und_tschuess.View, legal: Sequence[Move]) -> list[float]:
        """In points: what the best plan is worth that begins with the card; in an exchange, what it gains."""
        deck = self._deck
        if view["phase"] == "exchange":
            return [0.0 if move == deck.done else self._average - deck.values[move - deck.kinds] for move in legal]
        me = view["seat"] or 0
        others = sorted(view["sums"][seat] for seat in view["inside"] if seat != me)
        later = _WORTH_LATER * self._rounds_to_come(view)
        table = _Table(others, view["point_cards"], later)
        hand, total = sorted(view["hand"] or ()), view["sums"][me]
        return [self._play(table, 0, deck.values[move], hand, total) for move in legal]

    def _rounds_to_come(self, view: und_tschuess.View) -> float:
        """How likely there is another round, 0 to 1, by the cards that one needs."""
        seats = view["seats"]
        needed = sum(range(2, seats + 1)) + seats - 1
        return 1.0 if view["reshuffles"] else min(1.0, view["draw_pile"] / needed)

    def _play(self, table: _Table, steps: int, card: int, hand: Sequence[int], total: int) -> float:
        """What it is worth to play a card of the hand so many steps from now, with this sum before it."""
        others, point_cards = table.others[steps:], table.point_cards[steps:]
        total += card
        price = table.later * max(0.0, card - self._average)
        mean = (steps + 1) * (self._average + _OTHERS_AIM_HIGHER)
        spread = self._spread * sqrt(2 * (steps + 1)) or 1.0
        lowest = prod((1 + erf((other + mean - total) / spread)) / 2 for other in others)
        if len(others) == 1:
            # Of the last two the higher sum takes the point card.
            return (1 - lowest) * point_cards[0] - price
        rest = list(hand)
        rest.remove(card)
        ends = {rest[0], rest[-1]} if rest else ()
        staying = max((self._play(table, steps + 1, one, rest, total) for one in ends), default=0.0)
        return lowest * point_cards[0] + (1 - lowest) * staying - price
