"""The rule of thumb for und Tschüss: a card is played for the point card that it is likely to lead to.

Terms as in ``games.rules.und_tschuess``; a card is its value. A *plan* says how a round will be played on: the
card at hand now, then always the highest or the lowest card left. Others are taken to play cards of about the
deck's average, so that their sums are normally distributed, and whoever has the lowest sum now to drop out first.

A plan is worth the point cards it leads to, each times its chance, less the *prices* of its cards, that is, what
they would have been worth in later rounds. So a hand plays low where the lowest point card is good or the last one
bad, high where the last one is worth it, and leaves a bad round as cheaply as it can.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, erf, prod, sqrt
from statistics import fmean, pstdev
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.core import Move
from games.language import gettext as _
from games.language import number
from games.rules import und_tschuess

_OTHERS_AIM_HIGHER: Final = 1.5
"""What others play, on average, above the deck's average."""
_WORTH_LATER: Final = 0.15
"""Of what a card is above the deck's average: in points, what it is worth in a later round."""

Prices = Mapping[int, float]
"""By card: in points, what it costs to have played it."""


class Table(NamedTuple):
    """What a round is about for one seat: the sums of the others inside and the point cards left, both ascending."""

    others: Sequence[int]
    point_cards: Sequence[int]
    prices: Prices


class _Chances(dict[int, float]):
    """By how much another's sum is above the own one: the chance that it stays above when both have been played on.

    The other is to play on cards of ``mean`` in all; ``spread`` is the standard deviation of the difference, times the
    square root of 2.
    """

    def __init__(self, mean: float, spread: float) -> None:
        self._mean, self._spread = mean, spread

    @property
    def certain(self) -> int:
        """A lead, up or down, beyond which nothing is uncertain: from 6 on the error function is 1 in floats."""
        return ceil(6 * self._spread + abs(self._mean))

    def __missing__(self, lead: int) -> float:
        chance = self[lead] = (1 + erf((lead + self._mean) / self._spread)) / 2
        return chance


class Outlook:
    """What may become of a round, by what the cards of a deck are on average."""

    def __init__(self, values: Sequence[int]) -> None:
        self.values = sorted(set(values))
        self.average = fmean(values)
        self.spread = pstdev(values)
        self._chances: list[_Chances] = []
        self._tables: list[tuple[NDArray[np.float64], int]] = []

    def prices(self, share: float) -> Prices:
        """This share of what each card is above the average."""
        return {card: share * max(0.0, card - self.average) for card in self.values}

    def _at(self, steps: int) -> Sequence[_Chances]:
        """For so many steps, from the one at hand on."""
        while len(self._chances) < steps:
            cards = len(self._chances) + 1
            mean, spread = cards * (self.average + _OTHERS_AIM_HIGHER), self.spread * sqrt(2 * cards)
            self._chances.append(_Chances(mean, spread or 1.0))
        return self._chances

    def table(self, steps: int) -> tuple[NDArray[np.float64], int]:
        """The chances of so many steps from now as a table, and the place in it of a lead of 0.

        It ends where the chances are exactly 0 and 1.
        """
        while len(self._tables) <= steps:
            chances = self._at(len(self._tables) + 1)[len(self._tables)]
            most = chances.certain
            self._tables.append((np.array([chances[lead] for lead in range(-most, most + 1)]), most))
        return self._tables[steps]

    def rate(self, cards: Sequence[int], hand: Sequence[int], total: int, table: Table) -> list[float]:
        """In points: for each of these cards of the hand, what the best plan is worth that begins with it.

        ``hand`` is ascending, ``total`` the own sum.
        """
        others, point_cards, prices = table
        above = self._at(len(others))[0]
        if len(others) == 1:
            lead, point = others[0] - total, point_cards[0]
            return [(1 - above[lead - card]) * point - prices[card] for card in cards]
        return [self._play(table, 0, card, hand, total) for card in cards]

    def _play(self, table: Table, steps: int, card: int, hand: Sequence[int], total: int) -> float:
        """What it is worth to play a card of the hand so many steps from now, with this sum before it.

        At least two others are inside then. Nothing is built that is not needed: searches ask this very often.
        """
        others, point_cards, prices = table
        total += card
        above, lowest = self._chances[steps], 1.0
        for other in others[steps:]:
            lowest *= above[other - total]
        leaving = lowest * point_cards[steps] - prices[card]
        at = hand.index(card)
        rest = [*hand[:at], *hand[at + 1 :]]
        if not rest:
            return leaving
        low, high = rest[0], rest[-1]
        if steps + 2 == len(others):
            # Of the last two the higher sum takes the point card.
            lead, point, after = others[-1] - total, point_cards[-1], self._chances[steps + 1]
            staying = (1 - after[lead - high]) * point - prices[high]
            if low != high:
                staying = max(staying, (1 - after[lead - low]) * point - prices[low])
        else:
            staying = self._play(table, steps + 1, high, rest, total)
            if low != high:
                staying = max(staying, self._play(table, steps + 1, low, rest, total))
        return leaving + (1 - lowest) * staying

    def lowest(self, total: int, others: Sequence[int]) -> float:
        """The chance to have the lowest sum after this step, with this own one after it and these others before it."""
        above = self._at(1)[0]
        return prod(above[other - total] for other in others)

    def best(self, hand: Sequence[int], total: int, table: Table) -> int:
        """The card that is rated best; of equal ones the lowest."""
        cards = sorted(set(hand))
        if len(cards) == 1:
            return cards[0]
        ratings = self.rate(cards, hand, total, table)
        return cards[ratings.index(max(ratings))]


def share_later(seats: int, draw_pile: int, reshuffles: int) -> float:
    """Of what a card is above the average, what it is worth after this round, by the cards that another one needs."""
    needed = sum(range(2, seats + 1)) + seats - 1
    return _WORTH_LATER * (1.0 if reshuffles else min(1.0, draw_pile / needed))


class RoundRule:
    """For und Tschüss."""

    def __init__(self, game: und_tschuess.UndTschuess) -> None:
        self._deck = game.deck
        self._outlook = Outlook(game.deck.values_of(game.deck.cards))

    def rate(self, view: und_tschuess.View, legal: Sequence[Move]) -> list[float]:
        """In points: what the best plan is worth that begins with the card; in an exchange, what it gains."""
        deck, average = self._deck, self._outlook.average
        if view["phase"] == "exchange":
            return [0.0 if move == deck.done else average - deck.values[move - deck.kinds] for move in legal]
        me = view["seat"] or 0
        others = sorted(view["sums"][seat] for seat in view["inside"] if seat != me)
        prices = self._outlook.prices(share_later(view["seats"], view["draw_pile"], view["reshuffles"]))
        cards = [deck.values[move] for move in legal]
        hand = sorted(view["hand"] or ())
        return self._outlook.rate(cards, hand, view["sums"][me], Table(others, view["point_cards"], prices))

    def reason(self, view: und_tschuess.View, legal: Sequence[Move], move: Move) -> str | None:
        """How likely the card is the lowest sum, or the higher of the last two, and for which point card."""
        deck, outlook = self._deck, self._outlook
        if view["phase"] == "exchange":
            average = number(outlook.average, 1)
            if move == deck.done:
                return _("No card left is below the deck's average of {average}.").format(average=average)
            return _("Below the deck's average of {average}.").format(average=average)
        me = view["seat"] or 0
        others = [view["sums"][seat] for seat in view["inside"] if seat != me]
        lowest = outlook.lowest(view["sums"][me] + deck.values[move], others)
        points, last = view["point_cards"][0], view["point_cards"][-1]
        if len(others) == 1:
            chance = round(100 * (1 - lowest))
            return _("Has the higher sum and takes the {points} with chance {chance} %.").format(
                points=points, chance=chance
            )
        return _("Drops out now with chance {chance} % and takes the {points}; the last card is the {last}.").format(
            chance=round(100 * lowest), points=points, last=last
        )
