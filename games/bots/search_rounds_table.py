"""A round of und Tschüss on plain numbers, for searches that play thousands of rounds to their end.

Terms as in ``games.rules.und_tschuess``; a card is its value.

Promises: a round ends as in the engine, card by card, taker by taker (a test plays both side by side).
Never: deals, refills, or looks at a view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.core import NOBODY, Seat


@dataclass(slots=True)
class Round:
    """A round at a step in which all inside have to choose.

    By seat: ``hands`` (ascending), ``sums`` of the round, totals ``won`` in the game. ``inside`` and ``point_cards``
    are ascending; ``first_out`` took the round's first point card. ``dealer`` decides between equal sums when it
    is settled.
    """

    hands: list[list[int]]
    sums: list[int]
    won: list[int]
    inside: list[Seat]
    point_cards: list[int]
    dealer: Seat
    first_out: Seat = NOBODY

    def clone(self) -> Round:
        """An equal round that shares nothing changeable with this one."""
        return Round(
            [hand.copy() for hand in self.hands],
            self.sums.copy(),
            self.won.copy(),
            self.inside.copy(),
            self.point_cards.copy(),
            self.dealer,
            self.first_out,
        )

    def play(self, cards: Sequence[int]) -> bool:
        """Play one step, a card for each seat inside in their order; whether the round goes on."""
        hands, sums, inside = self.hands, self.sums, self.inside
        totals = []
        for seat, card in zip(inside, cards, strict=True):
            hands[seat].remove(card)
            sums[seat] = total = sums[seat] + card
            totals.append(total)
        # The lowest sum drops out, and of the last two the higher takes the last card; equal ones play on.
        deciding = min(totals) if len(totals) > 2 else max(totals)
        if totals.count(deciding) == 1:
            self._take(inside[totals.index(deciding)])
        if not self.point_cards:
            return False
        if hands[inside[0]]:
            return True
        seats = len(sums)
        order = sorted(inside, key=lambda seat: (sums[seat], (seat - self.dealer - 1) % seats))
        for seat in (*order[:-2], order[-1]):
            self._take(seat)
        return False

    def _take(self, seat: Seat) -> None:
        self.inside.remove(seat)
        self.won[seat] += self.point_cards.pop(0)
        if self.first_out == NOBODY:
            self.first_out = seat

    def play_out(self, cards: Sequence[int], choose: Callable[[Round, Seat], int]) -> None:
        """Play these cards and then, as chosen for each seat inside, to the end of the round."""
        while self.play(cards):
            cards = [choose(self, seat) for seat in self.inside]
