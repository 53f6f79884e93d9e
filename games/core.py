"""The one protocol that every game of this project follows, and the one way to play it.

Terms. A *seat* is a number from 0 to seats - 1, clockwise. A *state* is one position with everything
in it, hidden cards included. A *move* is a small int within one game; its *word* is what people and
records read. A *turn* is a seat with its move. A *view* is what one seat (or, for ``None``, a
spectator) may know of a state, JSON-ready. A *chance event* is a shuffle: number 0 is the deal, later
ones (a reshuffle, a second deal) are counted from 1 in the order they fall due. An *outcome* is a
finished game's result.

Promises
- The same game version, seats, options, seed and turns give the same positions for ever: all chance
  comes from ``event_source`` and ``shuffled``, which use nothing of ``random`` but ``Random(n).random()``,
  the one sequence that Python guarantees to keep.
- Unreadable words, illegal moves and moves out of turn are three different errors, and their text is
  a sentence a player understands.
- A view is built by naming what is shown, never by hiding parts of a state.

Never: a state or a view holds the seed or a random source, and a state is never serialised (a record
and views are what leaves).

Where several seats choose at the same time, ``to_move`` names them all; each choice is a turn of its
own, in any order, and the state keeps early choices out of every other seat's view until the last is
made. Where the table plays together (``cooperative``), the outcome has no places.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol, Self, TypeVar

Seat = int
Move = int
Json = bool | int | str | list[Any] | dict[str, Any] | None
T = TypeVar("T")

SEED_LIMIT = 2**53
"""Seeds are whole numbers from 0 to below this, so that every JSON reader holds them exactly."""

_EVENTS_PER_SEED = 2**16
_SHOWN_LENGTH = 60


class Turn(NamedTuple):
    """Who moves, and what."""

    seat: Seat
    move: Move


class GameError(ValueError):
    """Something that whoever plays or sets up a game can put right; the text says how."""


class UnreadableMove(GameError):
    """A word that is no move of this game, whatever the position."""


class IllegalMove(GameError):
    """A move of this game that the position does not allow."""


class OutOfTurn(GameError):
    """A move by a seat that is not to move."""


class BadSetup(GameError):
    """Seats, seed or options that the game can't be dealt with.

    ``field`` is ``seats``, ``seed``, ``options`` or ``options.KEY``.
    """

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished game.

    ``scores`` has one number a seat (a cooperative game gives each seat the table's result).
    ``places`` has one place a seat, equal scores sharing it and the following places skipped;
    ``None`` in a cooperative game. ``reason`` is a code for how the game ended.
    """

    scores: tuple[int, ...]
    places: tuple[int, ...] | None
    reason: str


@dataclass(frozen=True, slots=True)
class Option:
    """One thing agreed before the deal; what it may be depends on the number of seats.

    ``read`` is given the number of seats and a value of any JSON type, and returns the value as records
    hold it; it raises ValueError saying what is allowed, to follow the words "must be".
    """

    key: str
    default: Callable[[int], Json]
    read: Callable[[int, Json], Json]

    @classmethod
    def choice(cls, key: str, default: Callable[[int], Json], allowed: Callable[[int], Collection[Json]]) -> Self:
        """An option that is one of a few values."""

        def read(seats: int, value: Json) -> Json:
            # The types are compared too: True equals 1 in Python but is not a seat.
            if any(type(value) is type(one) and value == one for one in allowed(seats)):
                return value
            raise ValueError(f"one of {', '.join(map(_shown, allowed(seats)))}")

        return cls(key, default, read)


def _shown(value: Json) -> str:
    """A JSON value as a person would write it into a record."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_LENGTH else f"{text[: _SHOWN_LENGTH - 3]}..."


class State(Protocol):
    """What every game's state can do; all else is between the game and its state."""

    def clone(self) -> Self:
        """An equal state that shares nothing changeable with this one."""


S = TypeVar("S", bound=State)
V = TypeVar("V", bound=Mapping[str, Any])


class Game(ABC, Generic[S, V]):
    """The rules of one game; an instance holds nothing of any single playing of it.

    ``version`` grows with every change that makes an old record replay differently. ``seats`` are the
    possible numbers of seats, ``options`` what can be agreed on. ``rules`` tells the rules and rulings as
    short text for a terminal.
    """

    key: ClassVar[str]
    version: ClassVar[int]
    seats: ClassVar[range]
    options: ClassVar[tuple[Option, ...]]
    high_wins: ClassVar[bool]
    cooperative: ClassVar[bool]
    rules: ClassVar[str]

    # What each game writes.

    @abstractmethod
    def start(self, seats: int, options: Mapping[str, Any], rng: Random) -> S:
        """Chance event 0: the state after the deal. ``options`` are complete and allowed."""

    @abstractmethod
    def to_move(self, state: S) -> tuple[Seat, ...]:
        """The seats that may move now, ascending; none when the game is over or chance is due."""

    @abstractmethod
    def legal(self, state: S, seat: Seat) -> tuple[Move, ...]:
        """The moves of a seat that is to move, in a fixed order; never empty. Empty for other seats."""

    @abstractmethod
    def advance(self, state: S, seat: Seat, move: Move) -> None:
        """Change the state by a move that is known to be legal.

        It trusts its caller, for the sake of searching bots; any other caller wants ``apply``.
        """

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The result; ``None`` while the game runs."""

    @abstractmethod
    def parse(self, word: str) -> Move:
        """The move a word stands for; case and spaces don't matter. Raises UnreadableMove."""

    @abstractmethod
    def describe(self, move: Move) -> str:
        """The word of a move; ``parse`` reads it back."""

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V:
        """What the seat may know, or a spectator for ``None``; a fresh value made of JSON types."""

    @abstractmethod
    def determinize(self, view: V, rng: Random) -> S:
        """A random state that a seat with this view must think possible: ``view`` of it is this view."""

    @abstractmethod
    def draw(self, view: V) -> str:
        """The view as lines of text for a terminal, without a line break at the end."""

    @abstractmethod
    def turn_limit(self, seats: int, options: Mapping[str, Any]) -> int:
        """A number of turns that no playing exceeds, whatever is chosen; the docstring tells why."""

    # What a game overrides when it needs it.

    def with_options(self, options: Mapping[str, Any]) -> Self:
        """The rules as they are under these (complete and allowed) options.

        Words, views and states of a game with another deck belong to the instance this returns; a game
        whose options change none of that is its own.
        """
        return self

    def series_options(self, seats: int, number: int) -> dict[str, Json]:
        """The options of the deal with this number, from 0, when a table plays several in a row."""
        return {}

    def chance_due(self, state: S) -> bool:
        """Whether a chance event after the deal must be settled before anybody moves."""
        return False

    def settle(self, state: S, rng: Random) -> None:
        """Settle the chance event that is due, drawing from ``rng`` by ``shuffled`` alone."""
        raise RuntimeError(f"{self.key} has no chance event after the deal.")

    def objection(self, state: S, seat: Seat, move: Move) -> str:
        """Why a move is not legal for a seat that is to move, as a sentence to that player."""
        return f"{self.describe(move)} is not allowed now."

    # What all games share.

    def read_options(self, seats: int, given: Mapping[str, Json] | None = None) -> dict[str, Json]:
        """All options with defaults filled in. Raises BadSetup naming the option and what is allowed."""
        given = given or {}
        known = [option.key for option in self.options]
        for key in given:
            if key not in known:
                has = ", ".join(known) or "none"
                raise BadSetup(f"options.{key}", f"{self.key} has no option {key!r}; its options: {has}.")
        read: dict[str, Json] = {}
        for option in self.options:
            value = given.get(option.key, option.default(seats))
            try:
                read[option.key] = option.read(seats, value)
            except ValueError as error:
                raise BadSetup(
                    f"options.{option.key}",
                    f"The option {option.key} of {self.key} with {seats} seats must be {error}, not {_shown(value)}.",
                ) from error
        return read

    def deal(self, seats: int, seed: int, options: Mapping[str, Json] | None = None) -> S:
        """The state after the deal. Raises BadSetup for seats, seed or options that are not allowed.

        The state belongs to ``with_options`` of the same options.
        """
        if type(seats) is not int or seats not in self.seats:
            raise BadSetup("seats", f"{self.key} is for {self.seats[0]} to {self.seats[-1]} seats, not {seats!r}.")
        if type(seed) is not int or not 0 <= seed < SEED_LIMIT:
            raise BadSetup("seed", f"A seed is a whole number from 0 to {SEED_LIMIT - 1}, not {seed!r}.")
        read = self.read_options(seats, options)
        return self.with_options(read).start(seats, read, event_source(seed, 0))

    def apply(self, state: S, turn: Turn) -> None:
        """Change the state by a turn; on OutOfTurn or IllegalMove it is as before."""
        seat, move = turn
        to_move = self.to_move(state)
        if seat not in to_move:
            if not to_move:
                reason = "the game is over"
                if self.chance_due(state):
                    reason = "first the cards are dealt or shuffled anew"
                raise OutOfTurn(f"Nobody is to move: {reason}.")
            due = " and ".join(f"seat {due}" for due in to_move)
            raise OutOfTurn(f"It is the turn of {due}, not of seat {seat}.")
        if move not in self.legal(state, seat):
            raise IllegalMove(self.objection(state, seat, move))
        self.advance(state, seat, move)

    def clone(self, state: S) -> S:
        """An equal state that shares nothing changeable with the given one."""
        return state.clone()

    def rollout(self, state: S, rng: Random) -> None:
        """Play the rest of the game at random, each legal move equally likely; the state is then final.

        A game may do it faster in its own way, with other draws from ``rng`` but the same chances.
        """
        random = rng.random
        while True:
            to_move = self.to_move(state)
            if to_move:
                seat = to_move[0]
                legal = self.legal(state, seat)
                self.advance(state, seat, legal[int(random() * len(legal))])
            elif self.chance_due(state):
                self.settle(state, rng)
            else:
                return


AnyGame = Game[Any, Any]


class Playthrough:
    """One playing of a game: holds the seed, applies turns, settles chance as it falls due.

    ``game`` is the game under the options agreed on. ``state`` is for reading; ``turns`` are those played
    so far. Views for players and bots come from ``view``, which never shows the seed.
    """

    __slots__ = ("_events", "game", "options", "seats", "seed", "state", "turns")

    def __init__(self, game: AnyGame, seats: int, seed: int, options: Mapping[str, Json] | None = None) -> None:
        """Deal. Raises BadSetup."""
        self.state = game.deal(seats, seed, options)
        self.options = game.read_options(seats, options)
        self.game = game.with_options(self.options)
        self.seats = seats
        self.seed = seed
        self.turns: list[Turn] = []
        self._events = 1
        self._settle()

    def play(self, turn: Turn) -> None:
        """Play one turn. Raises OutOfTurn or IllegalMove and is then as before."""
        self.game.apply(self.state, turn)
        self.turns.append(turn)
        self._settle()

    def _settle(self) -> None:
        while self.game.chance_due(self.state):
            self.game.settle(self.state, event_source(self.seed, self._events))
            self._events += 1

    def to_move(self) -> tuple[Seat, ...]:
        """The seats that may move now; none when the game is over."""
        return self.game.to_move(self.state)

    def view(self, seat: Seat | None) -> Mapping[str, Any]:
        """What the seat, or a spectator for ``None``, may know now."""
        view: Mapping[str, Any] = self.game.view(self.state, seat)
        return view

    def outcome(self) -> Outcome | None:
        """The result; ``None`` while the game runs."""
        return self.game.outcome(self.state)


def event_source(seed: int, event: int) -> Random:
    """The random source of one chance event of one seed: ``Random(seed * 65536 + event)``.

    Event 0 is the deal. The formula is part of what a record means and must stay as it is.
    """
    return Random(seed * _EVENTS_PER_SEED + event)


def bot_source(seed: int, seat: Seat) -> Random:
    """The random source of the bot at a seat: ``Random`` of the SHA-256 of "bot SEAT SEED" as a number.

    A bot holds its source, and what a source was seeded with can be worked out from its state; a digest
    leads neither to the seed nor to the cards.
    """
    digest = sha256(f"bot {seat} {seed}".encode("ascii")).digest()
    return Random(int.from_bytes(digest, "big"))


def shuffled(items: Iterable[T], rng: Random) -> list[T]:
    """The items in random order by Fisher and Yates, from the last position down to the second.

    Each step swaps position i with position ``int(rng.random() * (i + 1))``. ``Random.shuffle`` would do
    the same today, but Python may change it and with it every old record.
    """
    order = list(items)
    random = rng.random
    for i in range(len(order) - 1, 0, -1):
        j = int(random() * (i + 1))
        order[i], order[j] = order[j], order[i]
    return order


NOBODY: Final[Seat] = -1
"""In a state: no seat."""

one_seat: Final[tuple[tuple[Seat, ...], ...]] = (*((seat,) for seat in range(6)), ())
"""By seat: the tuple of that seat alone; the last, that of ``NOBODY``, is empty."""


def counted(number: int, noun: str) -> str:
    """A number with its noun, as drawings write it: ``1 card``, ``2 cards``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def competition_places(scores: Sequence[int], *, high_wins: bool) -> tuple[int, ...]:
    """Places for scores: equal ones share a place, the following are skipped (1, 2, 2, 4)."""
    ranking = sorted(scores, reverse=high_wins)
    return tuple(ranking.index(score) + 1 for score in scores)
