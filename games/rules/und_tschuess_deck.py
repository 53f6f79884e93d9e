"""The deck of und Tschüss (docs/rules/und-tschuess.md, "Ruling, deck").

Terms. A *card* is a whole number, its *value*. Inside the engine it is its *kind*, the index of its value
among the different values of the deck, ascending; several cards are ``bytes`` of kinds. A move is the kind
to play; the number of kinds and above it: a kind to lay off; one more: the end of an exchange.

Promises: ``DECK`` is what the file ``und_tschuess_deck.csv`` says, or the import fails. A deck's tables depend
on its values alone, not on their order.

Never: knows whose turn it is or what may be played.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Final

from games.core import Json, Move, UnreadableMove

DEFAULT_DECK: Final = "default"
VALUES: Final = range(-99, 100)
MOST_CARDS: Final = 250
_COLUMNS = ("value", "count")


class DeckError(ValueError):
    """A file that is not a deck; the message names the row and what is allowed."""


def read_deck(text: str) -> tuple[int, ...]:
    """Read the values of a deck from CSV text: columns value, count; one row a value.

    Raises DeckError when a row is not a value from -99 to 99 with a count of 1 or more.
    """
    reader = csv.DictReader(io.StringIO(text))
    if tuple(reader.fieldnames or ()) != _COLUMNS:
        raise DeckError(f"The first row of a deck names the columns {', '.join(_COLUMNS)}.")
    cards: list[int] = []
    for row in reader:
        where = f"Row {reader.line_num}"
        if set(row) != set(_COLUMNS) or None in row.values():
            raise DeckError(f"{where}: exactly {' and '.join(_COLUMNS)}.")
        if row["value"] not in map(str, VALUES):
            raise DeckError(f"{where}: value is a whole number from {VALUES[0]} to {VALUES[-1]}, not {row['value']!r}.")
        if row["count"] not in map(str, range(1, MOST_CARDS + 1)):
            raise DeckError(f"{where}: count is a whole number from 1 to {MOST_CARDS}, not {row['count']!r}.")
        cards += [int(row["value"])] * int(row["count"])
    return tuple(cards)


class Deck:
    """The cards of a game with the tables that the engine reads; ``cards`` are values, in any order."""

    def __init__(self, cards: Sequence[int]) -> None:
        self.values = tuple(sorted(set(cards)))
        """By kind: the value."""
        self.kind_of = {value: kind for kind, value in enumerate(self.values)}
        self.cards = bytes(sorted(map(self.kind_of.__getitem__, cards)))
        """The kinds of all cards, ascending."""
        self.kinds = len(self.values)
        self.done = 2 * self.kinds
        """The move that ends an exchange."""
        self.alone = tuple(bytes((kind,)) for kind in range(self.kinds))
        """By kind: one card of it."""
        self.words = (*map(str, self.values), *(f"lay off {value}" for value in self.values), "done")
        """By move."""
        self._move_by_word = {"".join(word.split()): move for move, word in enumerate(self.words)}

    def kinds_of(self, values: Iterable[int]) -> bytes:
        """The kinds of values, in their order."""
        return bytes(map(self.kind_of.__getitem__, values))

    def values_of(self, cards: Iterable[int]) -> list[int]:
        """The values of kinds, in their order."""
        return [self.values[card] for card in cards]

    def count(self, *cards: bytes) -> list[int]:
        """By kind: how many of the cards are of it."""
        counts = [0] * self.kinds
        for card in b"".join(cards):
            counts[card] += 1
        return counts

    def without(self, *seen: bytes) -> bytes:
        """The cards of the deck that are not among the seen ones."""
        return minus(self.cards, *seen)

    def read_move(self, word: str) -> Move:
        """The move a word stands for. Raises UnreadableMove."""
        move = self._move_by_word.get("".join(word.split()).lower())
        if move is None:
            raise UnreadableMove(
                f"{word[:40]!r} is no move. A card of the deck is played by its value, as in {self.words[0]}; an "
                f"exchange is written as {self.words[self.kinds]}, card by card, and then done."
            )
        return move


DECK: Final = Deck(read_deck(resources.files("games.rules").joinpath("und_tschuess_deck.csv").read_text("ascii")))
"""The deck that is used unless another one is agreed on."""


@lru_cache(maxsize=32)
def deck_of(cards: tuple[int, ...]) -> Deck:
    """The deck of these values; a series of games makes its tables once."""
    return Deck(cards)


_DEFAULT_CARDS = DECK.values_of(DECK.cards)


def deck_in_use(options: Mapping[str, Json]) -> list[int]:
    """The values of the deck agreed on, ascending; without an agreement those of the default deck."""
    agreed = options.get("deck", DEFAULT_DECK)
    return agreed if isinstance(agreed, list) else _DEFAULT_CARDS


def minus(cards: bytes, *others: bytes) -> bytes:
    """Several cards without others that are among them."""
    for card in b"".join(others):
        cards = cards.replace(bytes((card,)), b"", 1)
    return cards
