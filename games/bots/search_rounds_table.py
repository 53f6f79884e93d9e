"""The rest of a round of und Tschüss on plain numbers, for a search that plays thousands of rounds to their end.

Terms as in ``games.rules.und_tschuess``; a card is its value. The *outlook* of a deck has what the rule of thumb
needs to know of it, and plays a card by that rule (``games.bots.greedy_rounds``).

Promises: a round ends as in the engine, card by card, taker by taker (a test plays both side by side).
Never: deals, refills or looks at a view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import erf, sqrt
from statistics import fmean, pstdev
from typing import Final

from games.core import NOBODY, Seat

_OTHERS_AIM_HIGHER: Final = 1.5
"""What others play, on average, above the deck's average."""

Hand = list[int]
"""Values, ascending."""
Choose = Callable[[Seat, Hand, list[int], list[Seat], list[int]], int]
"""Chooses a card: for this seat, of its hand, given all sums, who is inside, and the point cards left."""


class _Chances(dict[int, float]):
    """By how much another's sum is above the own one: the chance that it stays above when both have been played on.

    The other has so many cards of the deck still to play, each ``mean`` on average; ``spread`` is that of their
    total, times the square root of 2.
    """

    def __init__(self, mean: float, spread: float) -> None:
        self.mean, self.spread = mean, spread

    def __missing__(self, lead: int) -> float:
        chance = self[lead] = (1 + erf((lead + self.mean) / self.spread)) / 2
        return chance


class Outlook:
    """What the cards of a deck are like on average, and what follows for a card that is played."""

    def __init__(self, values: Sequence[int]) -> None:
        self.average = fmean(values)
        self._spread = pstdev(values)
        self._chances: list[_Chances] = []

    def chances(self, steps: int) -> Sequence[_Chances]:
        """For the step at hand and so many after it."""
        while len(self._chances) <= steps:
            cards = len(self._chances) + 1
            self._chances.append(
                _Chances(cards * (self.average + _OTHERS_AIM_HIGHER), self._spread * sqrt(2 * cards) or 1.0)
            )
        return self._chances

    def rate(
        self,
        kinds: Sequence[int],
        hand: Hand,
        total: int,
        others: Sequence[int],
        point_cards: Sequence[int],
        later: float,
    ) -> list[float]:
        """In points: for each different card of the hand, what the best plan is worth that begins with it.

        ``others`` are the sums of the other seats inside, ``point_cards`` those of the middle, both ascending;
        ``later`` is what a card is worth in later rounds for each point that it is above the average.
        """
        chances = self.chances(len(others))
        if len(others) == 1:
            (other,), (point,), ahead = others, point_cards, chances[0]
            average = self.average
            return [
                (1 - ahead[other - total - card]) * point - (later * (card - average) if card > average else 0.0)
                for card in kinds
            ]
        return [self._play(chances, 0, card, hand, total, others, point_cards, later) for card in kinds]

    def _play(
        self,
        chances: Sequence[_Chances],
        steps: int,
        card: int,
        hand: Hand,
        total: int,
        others: Sequence[int],
        point_cards: Sequence[int],
        later: float,
    ) -> float:
        """What it is worth to play a card of the hand so many steps from now, with this sum before it.

        Whoever has the lowest sum now is taken to drop out first; so after some steps the first ones are gone.
        """
        total += card
        average = self.average
        price = later * (card - average) if card > average else 0.0
        ahead = chances[steps]
        lowest = 1.0
        for other in others[steps:]:
            lowest *= ahead[other - total]
        # The hand without the card: only its ends matter.
        low, high = hand[0], hand[-1]
        if low == card:
            hand = hand[1:]
        elif high == card:
            hand = hand[:-1]
        else:
            hand = hand.copy()
            hand.remove(card)
        if not hand:
            return lowest * point_cards[steps] - price
        low, high = hand[0], hand[-1]
        if steps + 2 == len(others):
            # Of the last two the higher sum takes the point card.
            other, point, after = others[-1] - total, point_cards[-1], chances[steps + 1]
            staying = (1 - after[other - high]) * point - (later * (high - average) if high > average else 0.0)
            if low != high:
                leaving = (1 - after[other - low]) * point - (later * (low - average) if low > average else 0.0)
                if leaving > staying:
                    staying = leaving
        else:
            staying = self._play(chances, steps + 1, high, hand, total, others, point_cards, later)
            if low != high:
                leaving = self._play(chances, steps + 1, low, hand, total, others, point_cards, later)
                if leaving > staying:
                    staying = leaving
        return lowest * point_cards[steps] + (1 - lowest) * staying - price

    def best(self, hand: Hand, total: int, others: Sequence[int], point_cards: Sequence[int], later: float) -> int:
        """The card that is rated best; of equal ones the lowest."""
        kinds = sorted(set(hand))
        if len(kinds) == 1:
            return kinds[0]
        ratings = self.rate(kinds, hand, total, others, point_cards, later)
        return kinds[ratings.index(max(ratings))]


def play_round(
    hands: list[Hand],
    sums: list[int],
    inside: list[Seat],
    point_cards: list[int],
    won: list[int],
    dealer: Seat,
    first: Sequence[int],
    choose: Choose,
) -> Seat:
    """Play a round to its end, in place; who of those inside took the lowest point card left (or ``NOBODY``).

    ``first`` are the cards of the step at hand, by order of ``inside``; in later steps ``choose`` is asked for each
    seat inside. ``won`` gains what is taken, by seat. ``hands``, ``sums``, ``inside``, ``point_cards`` are
    used up: pass copies.
    """
    cards: Sequence[int] = first
    first_out = NOBODY
    while True:
        totals = []
        for seat, card in zip(inside, cards, strict=True):
            hands[seat].remove(card)
            sums[seat] = total = sums[seat] + card
            totals.append(total)
        deciding = min(totals) if len(totals) > 2 else max(totals)
        if totals.count(deciding) == 1:
            taker = inside.pop(totals.index(deciding))
            won[taker] += point_cards.pop(0)
            if first_out == NOBODY:
                first_out = taker
            if not point_cards:
                return first_out
        if not hands[inside[0]]:
            seats = len(sums)
            order = sorted(inside, key=lambda seat: (sums[seat], (seat - dealer - 1) % seats))
            for seat, point in zip([*order[:-2], order[-1]], point_cards, strict=True):
                won[seat] += point
            return order[0] if first_out == NOBODY else first_out
        cards = [choose(seat, hands[seat], sums, inside, point_cards) for seat in inside]
