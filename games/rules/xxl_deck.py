"""The deck of the XXL games and how it is dealt (docs/rules/xxl.md, "The deck").

Terms. A *card* shows two different numbers from 0 to 10 in two different colours. A *half* is one
(colour, number) of the two; the *low* half bears the smaller number. The *total* of a card is the
sum of its numbers, *hand points* the sum of the totals of a hand.

Inside the engines a card is an int, its index in its deck; a set of cards is an int with bit i set for
card i. A set of colours is an int with bit i set for ``COLOURS[i]``, and a single colour is the set of
just that colour (1, 2, 4 or 8).

Promises: ``DECK`` is complete (each of the 55 pairs of numbers once) or the import fails. Its order
is the order of the file ``xxl_deck.csv`` and never depends on anything else.

Never: knows whose turn it is or what may be laid; that is each game's own.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations
from typing import Final

from games.core import Seat, T, UnreadableMove

COLOURS = ("red", "yellow", "green", "blue")
NUMBERS = range(11)
ALL_COLOURS = 0b1111
_COLUMNS = ("low", "low_colour", "high", "high_colour")
_CARDS = 55

PARTS: Final = (10, 10, 10, 13, 12)
"""Sets of cards are looked up in five parts of so many cards, the first three together and the last two.

Python calculates twice as fast with numbers below 2**30, hence the cut there.
"""
LOW, TEN, THIRTEEN = (1 << 30) - 1, (1 << 10) - 1, (1 << 13) - 1
"""All cards of the first three parts, of any one of these, and of the fourth."""

_WORD = re.compile(r"(?P<low_colour>[a-z]+)(?P<low>[0-9]+)/(?P<high_colour>[a-z]+)(?P<high>[0-9]+)")


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
    return _complete([_read_card(row, f"Row {reader.line_num}") for row in reader])


def read_list(words: Sequence[object]) -> tuple[Card, ...]:
    """Read a deck from a list of words such as ``green1/red2``, the lower half first.

    Raises DeckError when a word is not a card, or when the pairs are not complete: each of the 55 once.
    """
    return _complete([_read_card(_row(word, f"Card {i}"), f"Card {i}") for i, word in enumerate(words, start=1)])


def _row(word: object, where: str) -> dict[str, str]:
    found = _WORD.fullmatch(word) if isinstance(word, str) else None
    if found is None:
        raise DeckError(f"{where}: a card is written like green1/red2, not {word!r}.")
    return found.groupdict()


def _complete(deck: Sequence[Card]) -> tuple[Card, ...]:
    if sorted((card.low, card.high) for card in deck) != list(combinations(NUMBERS, 2)):
        raise DeckError(
            f"A deck holds each of the 55 pairs of numbers from 0 to 10 exactly once; these {len(deck)} cards do not."
        )
    return tuple(deck)


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


class Deck:
    """Cards with the tables that the engines read; equal to no other deck than itself.

    ``cards`` are 1 to 55 cards, no pair of numbers twice. All tables are by card unless stated otherwise.
    """

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = tuple(cards)
        self.words = tuple(card.word for card in cards)
        self.totals = tuple(card.total for card in cards)
        self.all_cards = (1 << len(cards)) - 1
        """The set of all cards."""
        self.high_colour = tuple(1 << COLOURS.index(card.high_colour) for card in cards)
        """The colour of the higher number."""
        self.colours_of = tuple(
            1 << COLOURS.index(card.low_colour) | high for card, high in zip(cards, self.high_colour, strict=True)
        )
        """The set of the card's two colours."""
        self.showing = tuple(
            as_set(i for i, shown in enumerate(self.colours_of) if shown & colours)
            for colours in range(ALL_COLOURS + 1)
        )
        """By set of colours: the set of cards with a half in any of them."""
        self.number = tuple(
            tuple({card.low_colour: card.low, card.high_colour: card.high}.get(colour, -1) for card in cards)
            for colour in COLOURS
        )
        """By index in ``COLOURS`` and card: the card's number in that colour, -1 where it has none."""
        self.having = tuple(
            tuple(as_set(i for i, shown in enumerate(row) if shown == number) for number in NUMBERS)
            for row in self.number
        )
        """By index in ``COLOURS`` and number: the set of cards with that half."""
        self.strength = tuple(self._strength(colour) for colour in range(ALL_COLOURS + 1))
        """By single colour and card: the greater, the stronger in a trick of that colour (else empty).

        The number in the colour decides, equal numbers by the total (19 at most, hence 20); two cards with
        the same number in the same colour differ in their other number, so there is no further tie. A card
        without the colour is below all that have it.
        """
        self._points = _tables(lambda members: sum(self.totals[card] for card in members if card < len(cards)))
        self._card_by_word = {
            spelling: i for i, word in enumerate(self.words) for spelling in (word, "/".join(reversed(word.split("/"))))
        }

    def _strength(self, colour: int) -> tuple[int, ...]:
        if colour.bit_count() != 1:
            return ()
        row = self.number[colour.bit_length() - 1]
        return tuple(number * 20 + total for number, total in zip(row, self.totals, strict=True))

    def read_word(self, word: str) -> int:
        """The card a word stands for, its halves in either order. Raises UnreadableMove."""
        card = self._card_by_word.get("".join(word.split()).lower())
        if card is None:
            raise UnreadableMove(
                f"{word[:40]!r} is no card of the deck. A card is written as its two halves, as in {self.words[-1]}."
            )
        return card

    def read_words(self, words: Iterable[str]) -> int:
        """The set of the cards that words stand for. Raises UnreadableMove."""
        return as_set(map(self.read_word, words))

    def words_of(self, cards: int) -> list[str]:
        """The words of a set of cards, in the order of the deck."""
        return [self.words[card] for card in cards_in(cards)]

    def hand_points(self, cards: int) -> int:
        """The sum of the totals of a set of cards."""
        a, b, c, d, e = self._points
        low, high = cards & LOW, cards >> 30
        return a[low & TEN] + b[low >> 10 & TEN] + c[low >> 20] + d[high & THIRTEEN] + e[high >> 13]


NO_CARD: Final = -1
"""In a state: where a card would be, and is none."""

bit = tuple(1 << card for card in range(_CARDS))
"""By card: the set of that card alone."""


def _tables(of: Callable[[tuple[int, ...]], T]) -> tuple[tuple[T, ...], ...]:
    """For each of the ``PARTS``, by set of its cards: what a function says of them."""
    tables, first = [], 0
    for many in PARTS:
        tables.append(tuple(of(tuple(first + i for i in range(many) if some >> i & 1)) for some in range(1 << many)))
        first += many
    return tuple(tables)


_A, _B, _C, _D, _E = _tables(lambda members: members)


def cards_in(cards: int) -> tuple[int, ...]:
    """The members of a set of cards, ascending."""
    low, high = cards & LOW, cards >> 30
    return _A[low & TEN] + _B[low >> 10 & TEN] + _C[low >> 20] + _D[high & THIRTEEN] + _E[high >> 13]


def as_set(cards: Iterable[int]) -> int:
    """The set of the given cards."""
    members = 0
    for card in cards:
        members |= 1 << card
    return members


def colour_names(colours: int) -> list[str]:
    """The names of a set of colours, in the order of ``COLOURS``."""
    return [colour for bit, colour in enumerate(COLOURS) if colours >> bit & 1]


@cache
def clockwise(seats: int, dealer: Seat) -> tuple[Seat, ...]:
    """All seats clockwise from the dealer's left; the dealer is the last."""
    return tuple((dealer + 1 + i) % seats for i in range(seats))


def deal_hands(pile: Sequence[int], seats: int, size: int, dealer: Seat) -> list[int]:
    """Hands of ``size`` cards, one set a seat, dealt one card at a time from the dealer's left.

    ``pile`` is the shuffled deck, its top first; what is left of it starts at ``seats * size``.
    """
    hands = [0] * seats
    for first, seat in enumerate(clockwise(seats, dealer)):
        # The cards of a hand differ, so that their sum is their union.
        hands[seat] = sum(map(bit.__getitem__, pile[first : seats * size : seats]))
    return hands


def most_points(points: Sequence[int], dealer: Seat) -> Seat:
    """The seat with the most hand points; of equal ones the first clockwise from the dealer's left."""
    return max(clockwise(len(points), dealer), key=points.__getitem__)


DECK = Deck(read_deck(resources.files("games.rules").joinpath("xxl_deck.csv").read_text(encoding="ascii")))
"""The deck that is used unless another one is agreed on."""
