"""The deck of the XXL games and how it is dealt (docs/rules/xxl.md, "The deck").

Terms. A *card* shows two different numbers from 0 to 10 in two different colours. A *half* is one
(colour, number) of the two; the *low* half bears the smaller number. The *total* of a card is the
sum of its numbers, *hand points* the sum of the totals of a hand.

Inside the engines a card is an int, its index in ``DECK`` (0 to 54); a set of cards is an int with bit
i set for card i. A set of colours is an int with bit i set for ``COLOURS[i]``, and a single colour is
the set of just that colour (1, 2, 4 or 8).

Promises: ``DECK`` is complete (each of the 55 pairs of numbers once) or the import fails. Its order
is the order of the file ``xxl_deck.csv`` and never depends on anything else.

Never: knows whose turn it is or what may be laid; that is each game's own.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import combinations
from random import Random

from games.core import Seat, UnreadableMove, shuffled

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
            f"A deck holds each of the 55 pairs of numbers from 0 to 10 exactly once; these {len(deck)} cards do not."
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


DECK: tuple[Card, ...] = read_deck(resources.files("games.rules").joinpath("xxl_deck.csv").read_text(encoding="ascii"))

TOTALS = tuple(card.total for card in DECK)
WORDS = tuple(card.word for card in DECK)

ALL_COLOURS = 0b1111
HIGH_COLOUR = tuple(1 << COLOURS.index(card.high_colour) for card in DECK)
"""By card: the colour of its higher number."""

COLOURS_OF = tuple(HIGH_COLOUR[i] | 1 << COLOURS.index(card.low_colour) for i, card in enumerate(DECK))
"""By card: the set of its two colours."""

SHOWING = tuple(
    sum(1 << i for i, shown in enumerate(COLOURS_OF) if shown & colours) for colours in range(ALL_COLOURS + 1)
)
"""By set of colours: the set of cards with a half in any of them."""

STRENGTH = {
    1 << bit: tuple(
        {card.low_colour: card.low, card.high_colour: card.high}.get(colour, -1) * 20 + card.total for card in DECK
    )
    for bit, colour in enumerate(COLOURS)
}
"""By colour and card: the greater, the stronger in a trick of that colour.

The number in the colour decides, equal numbers by the total (19 at most, hence 20); two cards with the
same number in the same colour differ in their other number, so there is no further tie. A card without
the colour is below all that have it.
"""

_CARD_BY_WORD = {
    spelling: i for i, word in enumerate(WORDS) for spelling in (word, "/".join(reversed(word.split("/"))))
}


def read_word(word: str) -> int:
    """The card a word stands for, its halves in either order. Raises UnreadableMove."""
    card = _CARD_BY_WORD.get("".join(word.split()).lower())
    if card is None:
        raise UnreadableMove(
            f"{word[:40]!r} is no card of the deck. A card is written as its two halves, as in {WORDS[10]}."
        )
    return card


def cards_in(cards: int) -> tuple[int, ...]:
    """The members of a set of cards, ascending."""
    members = []
    while cards:
        lowest = cards & -cards
        members.append(lowest.bit_length() - 1)
        cards ^= lowest
    return tuple(members)


def as_set(cards: Iterable[int]) -> int:
    """The set of the given cards."""
    members = 0
    for card in cards:
        members |= 1 << card
    return members


def words_of(cards: int) -> list[str]:
    """The words of a set of cards, in the order of the deck."""
    return [WORDS[card] for card in cards_in(cards)]


def colour_names(colours: int) -> list[str]:
    """The names of a set of colours, in the order of ``COLOURS``."""
    return [colour for bit, colour in enumerate(COLOURS) if colours >> bit & 1]


def hand_points(cards: int) -> int:
    """The sum of the totals of a set of cards."""
    return sum(TOTALS[card] for card in cards_in(cards))


def clockwise(seats: int, dealer: Seat) -> tuple[Seat, ...]:
    """All seats clockwise from the dealer's left; the dealer is the last."""
    return tuple((dealer + 1 + i) % seats for i in range(seats))


def deal_hands(pile: Sequence[int], seats: int, size: int, dealer: Seat) -> list[int]:
    """Hands of ``size`` cards, one set a seat, dealt one card at a time from the dealer's left.

    ``pile`` is the shuffled deck, its top first; what is left of it starts at ``seats * size``.
    """
    hands = [0] * seats
    order = clockwise(seats, dealer)
    for i, card in enumerate(pile[: seats * size]):
        hands[order[i % seats]] |= 1 << card
    return hands


def most_points(points: Sequence[int], dealer: Seat) -> Seat:
    """The seat with the most hand points; of equal ones the first clockwise from the dealer's left."""
    return max(clockwise(len(points), dealer), key=points.__getitem__)


def deal_unseen(unseen: int, sizes: Sequence[int], barred: Sequence[int], rng: Random) -> list[int]:
    """Spread a set of unseen cards at random over owners, for guessing at hidden hands.

    ``sizes`` says how many cards each owner gets (together all of them), ``barred`` the set of cards
    each can't have. Returns one set an owner. Where nothing is barred every spread is equally likely;
    else every spread is possible, but not exactly equally likely. Raises ValueError when there is none.
    """
    hands = [0] * len(sizes)
    room = list(sizes)

    def make_room(owner: int, asked: set[int]) -> bool:
        # An augmenting path: a full owner passes a card on to another one that can make room.
        if room[owner]:
            return True
        asked.add(owner)
        for other in shuffled(range(len(sizes)), rng):
            if other not in asked and hands[owner] & ~barred[other] and make_room(other, asked):
                card = shuffled(cards_in(hands[owner] & ~barred[other]), rng)[0]
                hands[owner] ^= 1 << card
                hands[other] |= 1 << card
                room[owner] += 1
                room[other] -= 1
                return True
        return False

    # The cards that fewest may have come first; dealt last, they would often find no room.
    cards = shuffled(cards_in(unseen), rng)
    cards.sort(key=lambda card: -sum(bars >> card & 1 for bars in barred))
    for card in cards:
        may_have = [owner for owner in range(len(sizes)) if not barred[owner] >> card & 1]
        point = rng.random() * sum(room[owner] for owner in may_have)
        for owner in may_have:
            point -= room[owner]
            if point < 0:
                break
        else:
            asked: set[int] = set()
            for owner in shuffled(may_have, rng):
                if make_room(owner, asked):
                    break
            else:
                raise ValueError("The unseen cards can't be spread: too many are barred.")
        hands[owner] |= 1 << card
        room[owner] -= 1
    return hands
