"""What the games of XXL have in common (docs/rules/xxl.md, "The deck").

Terms. A *deck* is the cards a game is played with; another one than the default is agreed on as an
option, a list of its 55 cards, whose order is part of the record. The *dealer* is a seat, by default the
last.

Never: knows a rule of any single game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from textwrap import wrap
from typing import Any, ClassVar, Final, Self

from games.core import Game, Json, Option, S, Seat, V
from games.rules.xxl_deck import DECK, Deck, DeckError, most_points, read_list

DEFAULT_DECK = "default"
_WIDTH: Final = 120


def _read_deck(seats: int, value: Json) -> Json:
    if value == DEFAULT_DECK:
        return value
    if not isinstance(value, list):
        raise ValueError(f'"{DEFAULT_DECK}" or a list of the 55 cards of a deck')
    try:
        return [card.word for card in read_list(value)]
    except DeckError as error:
        raise ValueError(f'"{DEFAULT_DECK}" or a list of the 55 cards of a deck ({error})') from error


DEALER = Option.choice("dealer", default=lambda seats: seats - 1, allowed=range)
DECK_OPTION = Option("deck", default=lambda seats: DEFAULT_DECK, read=_read_deck)


class XxlGame(Game[S, V]):
    """A game of XXL with its deck: 2 to 6 seats, a dealer who moves on each game."""

    seats = range(2, 7)
    options: ClassVar[tuple[Option, ...]] = (DEALER, DECK_OPTION)
    cooperative = False

    def __init__(self, deck: Deck = DECK) -> None:
        """The game with this deck; one of fewer cards serves for looking closely at small positions."""
        self.deck = deck

    def with_options(self, options: Mapping[str, Any]) -> Self:
        """The game with the deck agreed on."""
        words = options["deck"]
        if words == DEFAULT_DECK:
            return self if self.deck is DECK else type(self)()
        game: Self = _game(type(self), tuple(words))
        return game

    def series_options(self, seats: int, number: int) -> dict[str, Json]:
        """The dealer moves one seat to the left each game."""
        return {"dealer": (seats - 1 + number) % seats}

    def beginner(self, hands: Sequence[int], dealer: Seat) -> Seat:
        """The seat with the most hand points; of equal ones the first clockwise from the dealer's left."""
        return most_points([self.deck.hand_points(hand) for hand in hands], dealer)

    def heading(self, view: V) -> str:
        """The first line of every drawing: the game, the table, and who sees it."""
        watcher = "a spectator" if view["seat"] is None else f"seat {view['seat']}"
        return f"{self.key}, {view['seats']} seats, dealer {view['dealer']}, seen by {watcher}"


def drawing(lines: Iterable[str]) -> str:
    """Lines as one text for a terminal, those of more than 120 columns broken between words."""
    return "\n".join(part for line in lines for part in wrap(line, _WIDTH, subsequent_indent="  "))


@lru_cache(maxsize=32)
def _game(kind: Callable[[Deck], Any], words: tuple[str, ...]) -> Any:
    """A game's tables take a while to make, and a series of deals asks for the same game each time."""
    return kind(_deck(words))


@lru_cache(maxsize=32)
def _deck(words: tuple[str, ...]) -> Deck:
    return Deck(read_list(words))
