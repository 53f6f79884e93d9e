"""The deck of the XXL games (docs/rules/xxl.md, "The deck").

Terms. A *card* shows two different numbers from 0 to 10 in two different colours. A *half* is one
(colour, number) of the two; the *low* half bears the smaller number. The *total* of a card is the
sum of its numbers.

Promises: ``DECK`` is complete (each of the 55 pairs of numbers once) or the import fails. Its order
is the order of the file ``xxl_deck.csv`` and never depends on anything else.

Never: shuffles. Whoever deals brings the shuffled deck.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from importlib import resources
from itertools import combinations

COLOURS = ("red", "yellow", "green", "blue")
NUMBERS = range(11)
_COLUMNS = ("low", "low_colour", "high", "high_colour")


@dataclass(frozen=True, slots=True)
class Card:
    """One card of the deck: ``low`` < ``high``, both from ``NUMBERS``, colours by name."""

    low: int
    low_colour: str
    high: int
    high_colour: str

    @property
    def total(self) -> int:
        """The card's total value: the sum of its two numbers."""
        return self.low + self.high

    @property
    def word(self) -> str:
        """How the card is written in records, views and input: ``green1/red2``, low half first."""
        return f"{self.low_colour}{self.low}/{self.high_colour}{self.high}"


class DeckError(ValueError):
    """A file that is not a deck; the message names the row and what is allowed."""


def read_deck(text: str) -> tuple[Card, ...]:
    """Read a deck from CSV text: columns low, low_colour, high, high_colour; one row a card.

    Raises DeckError when a row is not a card (two different numbers from 0 to 10, the lower one
    first, in two different colours) or when the pairs are not complete: each of the 55 once.
    """
    reader = csv.DictReader(io.StringIO(text))
    if tuple(reader.fieldnames or ()) != _COLUMNS:
        raise DeckError(f"The first row of a deck names the columns {', '.join(_COLUMNS)}.")
    deck = tuple(_read_card(row, f"Row {reader.line_num}") for row in reader)
    if sorted((card.low, card.high) for card in deck) != list(combinations(NUMBERS, 2)):
        raise DeckError(
            f"A deck holds each of the 55 pairs of numbers from 0 to 10 exactly once; "
            f"these {len(deck)} cards do not."
        )
    return deck


def _read_card(row: dict[str, str], where: str) -> Card:
    if set(row) != set(_COLUMNS) or None in row.values():
        raise DeckError(f"{where}: a card has exactly {len(_COLUMNS)} values.")
    for column in ("low", "high"):
        if row[column] not in map(str, NUMBERS):
            raise DeckError(f"{where}: {column} is a whole number from 0 to 10, not {row[column]!r}.")
    for column in ("low_colour", "high_colour"):
        if row[column] not in COLOURS:
            raise DeckError(f"{where}: {column} is one of {', '.join(COLOURS)}, not {row[column]!r}.")
    card = Card(int(row["low"]), row["low_colour"], int(row["high"]), row["high_colour"])
    if card.low >= card.high:
        raise DeckError(f"{where}: low is below high, not {card.low} and {card.high}.")
    if card.low_colour == card.high_colour:
        raise DeckError(f"{where}: low_colour and high_colour differ, not both {card.low_colour}.")
    return card


DECK: tuple[Card, ...] = read_deck(
    resources.files("games.rules").joinpath("xxl_deck.csv").read_text(encoding="ascii")
)
