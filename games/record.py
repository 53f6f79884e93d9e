"""Records: all that is needed to play a finished or unfinished game once more.

Terms. A *record* names the game and its version, the seats, the options, the seed and every move as a
word with its seat. To *replay* it is to deal and play it again by the rules. A *departure* is the
first move that the rules do not allow.

Promises: a record that was read from JSON has the right shape, whatever it came from; whether it
keeps to the rules is known by replaying it.

Never: holds a position, or a move in its inner form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from games.catalog import GAMES
from games.core import AnyGame, BadSetup, GameError, Json, Playthrough, Seat, Turn

_FIELDS = ("game", "version", "seats", "options", "seed", "moves")


class RecordError(ValueError):
    """A record that can't be read or dealt; ``field`` is the field of the JSON at fault."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


class Departure(ValueError):
    """A record's move that departs from the rules: ``index`` from 0, ``error`` says what is wrong."""

    def __init__(self, index: int, error: GameError) -> None:
        super().__init__(f"Move {index + 1}: {error}")
        self.index = index
        self.error = error


@dataclass(frozen=True, slots=True)
class Record:
    """One playing of a game. ``moves`` are pairs of seat and word, in the order they were played."""

    game: str
    version: int
    seats: int
    options: Mapping[str, Json]
    seed: int
    moves: tuple[tuple[Seat, str], ...]

    @classmethod
    def of(cls, playthrough: Playthrough) -> Self:
        """The record of a playthrough up to where it stands."""
        game = playthrough.game
        return cls(
            game=game.key,
            version=game.version,
            seats=playthrough.seats,
            options=dict(playthrough.options),
            seed=playthrough.seed,
            moves=tuple((seat, game.describe(move)) for seat, move in playthrough.turns),
        )

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Read what ``to_json`` gives. Raises RecordError naming the field and what is allowed."""
        if not isinstance(data, dict):
            raise RecordError("", "A record is an object.")
        for field in _FIELDS:
            if field not in data:
                raise RecordError(field, f"A record must have the field {field}.")
        for field in data:
            if field not in _FIELDS:
                raise RecordError(str(field), f"A record has only {', '.join(_FIELDS)}, not {field!r}.")
        if not isinstance(data["game"], str):
            raise RecordError("game", "game is the key of a game, a string.")
        for field in ("version", "seats", "seed"):
            if type(data[field]) is not int:
                raise RecordError(field, f"{field} is a whole number.")
        if not isinstance(data["options"], dict) or not all(isinstance(key, str) for key in data["options"]):
            raise RecordError("options", "options is an object.")
        if not isinstance(data["moves"], list):
            raise RecordError("moves", "moves is a list.")
        return cls(
            game=data["game"],
            version=data["version"],
            seats=data["seats"],
            options=dict(data["options"]),
            seed=data["seed"],
            moves=tuple(_read_move(i, entry) for i, entry in enumerate(data["moves"])),
        )

    def to_json(self) -> dict[str, Json]:
        """The record as JSON types; ``from_json`` reads it back."""
        return {
            "game": self.game,
            "version": self.version,
            "seats": self.seats,
            "options": dict(self.options),
            "seed": self.seed,
            "moves": [[seat, word] for seat, word in self.moves],
        }

    def replay(self) -> Playthrough:
        """Deal and play the record once more; an unfinished one ends where it ends.

        Raises RecordError when there is no such game or deal, Departure at a move against the rules.
        """
        game = _engine(self.game)
        if self.version != game.version:
            raise RecordError("version", f"The rules of {self.game} are at version {game.version}, not {self.version}.")
        try:
            playthrough = Playthrough(game, self.seats, self.seed, self.options)
        except BadSetup as error:
            raise RecordError(error.field, str(error)) from error
        for index, (seat, word) in enumerate(self.moves):
            try:
                playthrough.play(Turn(seat, playthrough.game.parse(word)))
            except GameError as error:
                raise Departure(index, error) from error
        return playthrough

    def verify(self) -> Departure | None:
        """The first move that departs from the rules; ``None`` when all keep to them.

        Raises RecordError when there is no such game or deal.
        """
        try:
            self.replay()
        except Departure as departure:
            return departure
        return None


def _engine(key: str) -> AnyGame:
    info = GAMES.get(key)
    if info is None or info.engine is None:
        playable = ", ".join(key for key, info in GAMES.items() if info.engine is not None)
        raise RecordError("game", f"There is no game {key!r} to replay; there are {playable}.")
    return info.engine


def _read_move(index: int, entry: Any) -> tuple[Seat, str]:
    match entry:
        case [int(seat), str(word)] if type(seat) is int:
            return seat, word
    raise RecordError(f"moves[{index}]", "A move is a list of a seat (a whole number) and a word.")
