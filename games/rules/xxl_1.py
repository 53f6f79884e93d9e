"""XXL game 1, "Rauf & Runter" (docs/rules/xxl.md, "Game 1").

Terms. A half of a pile's top card is *free* (one up and one down fit) or, being the one by which the card
was laid, *fixed* in the direction just taken. A lay is a card, a pile and the half of the card by which it
is laid.

A *top* is an int: the card times 5, plus ``FREE`` or which half is fixed in which direction. A lay is the
card times 4, plus 2 for the second pile, plus 1 for the card's high half. The table is the tops of the two
piles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from games.core import Move, Seat
from games.rules.xxl_deck import COLOURS, DECK, NUMBERS, Deck, as_set, bit, cards_in
from games.rules.xxl_shedding import PileView, SheddingGame

FREE, LOW_UP, LOW_DOWN, HIGH_UP, HIGH_DOWN = range(5)


class RaufUndRunter(SheddingGame):
    """Game 1 for 2 to 6 seats."""

    key = "xxl-1"
    start_cards = 2
    example = "red1/blue7 on pile 2 by red"
    rules = """\
6 cards each; two cards face-up are the tops of two piles. The dealer's left begins.
A lay puts a card on a pile by one of its halves: the same colour as a half of the top card, and a number
exactly 1 higher or 1 lower. On a start card both directions are open on both halves.
After a lay the half by which the card was laid goes on in the same direction only; its other half is free.
What the covered card offered is gone. A sequence that has come to 10 upwards or to 0 downwards ends there.
Ruling: whoever has a card that goes must lay one. Whoever has none draws a card from the draw pile and may
lay it at once if it goes (draw, then the lay or keep); a card that does not go is kept by itself.
Ruling: with an empty draw pile, whoever has no card that goes passes.
The game ends when somebody lays the last card, or when the draw pile is empty and nobody has a card that
goes. Ruling: that is looked up over all hands after every finished turn.
The lowest hand points win. A lay is the card, the pile and the colour of the half by which it is laid,
like red1/blue7 on pile 2 by red; other moves are draw, keep and pass."""

    def __init__(self, deck: Deck = DECK) -> None:
        super().__init__(deck)
        takes = [list(self._takes(top)) for top in range(5 * len(deck.cards))]
        low_in = [as_set(i for i, halves in enumerate(self.halves) if halves[0][0] == c) for c in range(len(COLOURS))]
        having = deck.having
        self._by_low = tuple(sum(having[c][number] & low_in[c] for c, number in halves) for halves in takes)
        """By top: the set of cards whose low half fits on it."""
        self._by_high = tuple(sum(having[c][number] & ~low_in[c] for c, number in halves) for halves in takes)
        """By top: the set of cards whose high half fits on it."""
        self._fitting = tuple(map(int.__or__, self._by_low, self._by_high))

    def _takes(self, top: int) -> Iterator[tuple[int, int]]:
        """The halves, as index in ``COLOURS`` and number, that fit on a top."""
        card, fixed = divmod(top, 5)
        for half, up, down in (0, LOW_UP, LOW_DOWN), (1, HIGH_UP, HIGH_DOWN):
            colour, number = self.halves[card][half]
            if fixed != up and number > NUMBERS[0]:
                yield colour, number - 1
            if fixed != down and number < NUMBERS[-1]:
                yield colour, number + 1

    def hand_size(self, seats: int) -> int:
        """6, whatever the number of seats."""
        return 6

    def first_seat(self, hands: Sequence[int], dealer: Seat) -> Seat:
        """The dealer's left."""
        return (dealer + 1) % len(hands)

    def _lay_words(self) -> dict[Move, str]:
        return {
            card * 4 + pile * 2 + half: f"{word} on pile {pile + 1} by {COLOURS[self.halves[card][half][0]]}"
            for card, word in enumerate(self.deck.words)
            for pile in (0, 1)
            for half in (0, 1)
        }

    def _set_up(self, start: Sequence[int]) -> list[int]:
        return [card * 5 for card in start]

    def _suitable(self, table: Sequence[int]) -> int:
        first, second = table
        return self._fitting[first] | self._fitting[second]

    def _lays(self, table: Sequence[int], cards: int) -> tuple[Move, ...]:
        first, second = table
        by_low, by_high = self._by_low, self._by_high
        first_low, first_high, second_low, second_high = by_low[first], by_high[first], by_low[second], by_high[second]
        lays = []
        for card in cards_in(cards):
            alone = bit[card]
            if alone & first_low:
                lays.append(card * 4)
            if alone & first_high:
                lays.append(card * 4 + 1)
            if alone & second_low:
                lays.append(card * 4 + 2)
            if alone & second_high:
                lays.append(card * 4 + 3)
        return tuple(lays)

    def _lay(self, table: list[int], move: Move) -> int:
        card, pile, half = move >> 2, move >> 1 & 1, move & 1
        colour, number = self.halves[card][half]
        up = number > self.deck.number[colour][table[pile] // 5]
        table[pile] = card * 5 + (HIGH_UP if half else LOW_UP) + (not up)
        return card

    def card_of(self, move: Move) -> int:
        return move >> 2

    def _piles(self, table: Sequence[int]) -> list[PileView]:
        return [
            {
                "name": f"pile {pile}",
                "top": self.deck.words[top // 5],
                "takes": [f"{COLOURS[colour]}{number}" for colour, number in self._takes(top)],
            }
            for pile, top in enumerate(table, start=1)
        ]

    def _misfit(self, table: Sequence[int], move: Move) -> str:
        colour, number = self.halves[move >> 2][move & 1]
        pile = self._piles(table)[move >> 1 & 1]
        return f"{COLOURS[colour]}{number} does not fit on {pile['name']}, which takes {' or '.join(pile['takes'])}."


GAME: Final = RaufUndRunter()
