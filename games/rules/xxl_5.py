"""XXL game 5, "Auf die Reihe bekommen" (docs/rules/xxl.md, "Game 5").

Terms. The *run* of a colour descends from 10 to 0; it is *open* from its 10 on until its 0 lies. A lay is
a card and the half of it that is used.

A lay is the card times 2, plus 1 for the card's high half. The table is, by index in ``COLOURS``, the
number that the run wants next; 10 says that the run is not open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core import Move
from games.rules.xxl_deck import COLOURS, NUMBERS, cards_in
from games.rules.xxl_shedding import PileView, SheddingGame

_OPENS = NUMBERS[-1]


class AufDieReiheBekommen(SheddingGame):
    """Game 5 for 2 to 6 seats."""

    key = "xxl-5"
    start_cards = 0
    example = "red5/blue9 by red"
    rules = """\
9 cards each with 2 to 4 players, 7 with 5 or 6. Whoever has the most hand points begins (equal: the first
clockwise from the dealer's left).
There is a run of each colour, from 10 down to 0. A card is laid by one of its halves: a 10 opens the run
of its colour when that is not open, else exactly the next lower number goes on it. A 0 closes the run;
then a 10 of its colour may open it anew. The other half of a laid card plays no part.
Ruling: whoever has a card that goes must lay one. Whoever has none draws a card from the draw pile and may
lay it at once if it goes (draw, then the lay or keep); a card that does not go is kept by itself.
Ruling: with an empty draw pile, whoever has no card that goes passes.
The game ends when somebody lays the last card, or when the draw pile is empty and nobody has a card that
goes. Ruling: that is looked up over all hands after every finished turn.
The lowest hand points win. A lay is the card and the colour of the half that is used, like
red5/blue9 by red; other moves are draw, keep and pass."""

    def hand_size(self, seats: int) -> int:
        """9 with 2 to 4 seats, else 7."""
        return 9 if seats <= 4 else 7

    def _lay_words(self) -> dict[Move, str]:
        return {
            card * 2 + half: f"{word} by {COLOURS[self.halves[card][half][0]]}"
            for card, word in enumerate(self.deck.words)
            for half in (0, 1)
        }

    def _set_up(self, start: Sequence[int]) -> list[int]:
        return [_OPENS] * len(COLOURS)

    def _suitable(self, table: Sequence[int]) -> int:
        red, yellow, green, blue = self.deck.having
        return red[table[0]] | yellow[table[1]] | green[table[2]] | blue[table[3]]

    def _lays(self, table: Sequence[int], cards: int) -> tuple[Move, ...]:
        lays = []
        for card in cards_in(cards):
            (low_colour, low), (high_colour, high) = self.halves[card]
            if table[low_colour] == low:
                lays.append(card * 2)
            if table[high_colour] == high:
                lays.append(card * 2 + 1)
        return tuple(lays)

    def _lay(self, table: list[int], move: Move) -> int:
        colour, number = self.halves[move >> 1][move & 1]
        table[colour] = number - 1 if number else _OPENS
        return move >> 1

    def card_of(self, move: Move) -> int:
        return move >> 1

    def _piles(self, table: Sequence[int]) -> list[PileView]:
        return [
            {
                "name": f"{colour} run",
                "top": None if wanted == _OPENS else f"{colour}{wanted + 1}",
                "takes": [f"{colour}{wanted}"],
            }
            for colour, wanted in zip(COLOURS, table, strict=True)
        ]

    def _misfit(self, table: Sequence[int], move: Move) -> str:
        colour, number = self.halves[move >> 1][move & 1]
        wanted = table[colour]
        run = "is not open: it begins with" if wanted == _OPENS else "goes on with"
        return f"{COLOURS[colour]}{number} does not go: the {COLOURS[colour]} run {run} {COLOURS[colour]}{wanted}."


GAME: Final = AufDieReiheBekommen()
