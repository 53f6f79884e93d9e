"""XXL game 2, "Immer schön drunter bleiben" (docs/rules/xxl.md, "Game 2").

A lay is the card. The table is the top card of the discard pile alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core import Move
from games.rules.xxl_deck import COLOURS, DECK, Deck, cards_in
from games.rules.xxl_shedding import PileView, SheddingGame


class ImmerSchoenDrunterBleiben(SheddingGame):
    """Game 2 for 2 to 6 seats."""

    key = "xxl-2"
    start_cards = 1
    example = "green1/red2"
    rules = """\
6 cards each; the top card of the draw pile starts the discard pile. Whoever has the most hand points
begins (equal: the first clockwise from the dealer's left).
A card goes if one of its halves has the colour of a half of the discard pile's top card and a lower number,
any lower one. A half that shows 0 takes nothing.
Ruling: whoever has a card that goes must lay one. Whoever has none draws a card from the draw pile and may
lay it at once if it goes (draw, then the card or keep); a card that does not go is kept by itself.
Ruling: with an empty draw pile, whoever has no card that goes passes.
Ruling: when nothing can go any more, players still draw as long as there are cards.
The game ends when somebody lays the last card, or when the draw pile is empty and nobody has a card that
goes. Ruling: that is looked up over all hands after every finished turn.
The lowest hand points win. A move is a card, like green1/red2, or draw, keep or pass."""

    def __init__(self, deck: Deck = DECK) -> None:
        super().__init__(deck)
        below = [[sum(row[:number]) for number in range(len(row))] for row in deck.having]
        self._under = tuple(
            below[low_colour][low] | below[high_colour][high] for (low_colour, low), (high_colour, high) in self.halves
        )
        """By card: the set of cards that go on it."""

    def hand_size(self, seats: int) -> int:
        """6, whatever the number of seats."""
        return 6

    def _lay_words(self) -> dict[Move, str]:
        return dict(enumerate(self.deck.words))

    def _set_up(self, start: Sequence[int]) -> list[int]:
        return list(start)

    def _suitable(self, table: Sequence[int]) -> int:
        return self._under[table[0]]

    def _lays(self, table: Sequence[int], cards: int) -> tuple[Move, ...]:
        return cards_in(cards)

    def _lay(self, table: list[int], move: Move) -> int:
        table[0] = move
        return move

    def card_of(self, move: Move) -> int:
        return move

    def _piles(self, table: Sequence[int]) -> list[PileView]:
        (top,) = table
        takes = [
            f"{COLOURS[colour]}0-{number - 1}" if number > 1 else f"{COLOURS[colour]}0"
            for colour, number in self.halves[top]
            if number
        ]
        return [{"name": "discard pile", "top": self.deck.words[top], "takes": takes}]

    def _misfit(self, table: Sequence[int], move: Move) -> str:
        (pile,) = self._piles(table)
        return f"{self.deck.words[move]} does not go: the discard pile takes {' or '.join(pile['takes'])}."


GAME: Final = ImmerSchoenDrunterBleiben()
