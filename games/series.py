"""A series: deals that the same bots play one after another, added up, and kept in few bytes.

Terms. A *plan* is all that a series follows from: what is played, by which bots, the seed. Its deals are counted from
0; any of them can be played without the others. A *tally* is what deals add up to, by seat; tallies of parts of a
series, in any order, add up to that of the whole. A *package* holds finished deals: scores, how they ended, and the
words of their moves, from which each can be replayed by the plan.

Promises: the same plan and ``fingerprint`` give the same deals everywhere; a package is unpacked only into what its
plan's rules lead to (``record_of`` and ``Record.replay`` tell when the rules are others by now).
Never: reads a clock or knows who asked.
"""

from __future__ import annotations

import json
import platform
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version as package_version
from pathlib import Path
from typing import Any, Self

from games.bots import BOTS
from games.bots.base import Bot
from games.catalog import GAMES
from games.core import AnyGame, GameError, Json, Playthrough, Turn
from games.match import OnMove, deal_seed, play_through
from games.record import Departure, Record, RecordError

PURE_XXL = ("xxl-1", "xxl-2", "xxl-3", "xxl-4", "xxl-5", "xxl-6")
"""The games of a Pure XXL session in their order (docs/rules/xxl.md)."""

# Unpacked: a thousand of the longest deals fit several times.
MAXIMUM_UNPACKED = 16 * 1024**2
_BETWEEN = "|"  # stands in no word of any move


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """16 hexadecimal digits that say which state of games and bots this is: of all their files, as they are here.

    Texts of other languages and what was measured (``games.par``) have no part in how a deal goes. What Python, NumPy
    and the kind of processor round in sums and powers of floats may decide between two moves that look equally good:
    they are part of the state.
    """
    folder = Path(__file__).parent
    digest = sha256(f"{sys.version_info[:2]} {package_version('numpy')} {platform.machine()}".encode())
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyc" and path.relative_to(folder).parts[0] not in {"locale", "data"}:
            digest.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a series follows from.

    ``games`` are keys of the catalogue that are played in turn, over and over: one, or the six of Pure XXL. ``bots``
    are the keys of the bots in seat order, ``options`` what was agreed on for every deal, put over what changes from
    deal to deal at a table (``Game.series_options``).
    """

    games: tuple[str, ...]
    bots: tuple[str, ...]
    seed: int
    options: Mapping[str, Json] = field(default_factory=dict)

    def game_of(self, deal: int) -> AnyGame:
        """What is played in the deal. Raises LookupError for a game that no bot can play."""
        engine = GAMES[self.games[deal % len(self.games)]].engine
        if engine is None:
            raise LookupError(f"{self.games} can't be played by bots")
        return engine

    def options_of(self, deal: int) -> dict[str, Json]:
        """All options of the deal. Raises BadSetup for what the game does not have."""
        game, seats = self.game_of(deal), len(self.bots)
        return game.read_options(seats, {**game.series_options(seats, deal), **self.options})

    def check(self) -> None:
        """Raise BadSetup or LookupError unless every game can be dealt so; the keys of the bots are not looked at.

        What options allow each for itself may not go together: a deal itself tells.
        """
        for deal in range(len(self.games)):
            self.game_of(deal).deal(len(self.bots), self.seed, self.options_of(deal))


@dataclass(frozen=True, slots=True)
class Deal:
    """A finished deal: one score a seat, one place a seat (``None`` in a cooperative game), how it ended, its moves.

    ``moves`` are words in the order played; whose they are follows from the rules.
    """

    game: str
    scores: tuple[int, ...]
    places: tuple[int, ...] | None
    reason: str
    moves: tuple[str, ...]


class Player:
    """Plays deals of one plan; bots are made once for all deals with the same rules."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._bots: dict[str, list[Bot]] = {}

    def play(self, deal: int, on_move: OnMove | None = None) -> Deal:
        """Play the deal of that number (from 0). Raises BadSetup, BotFault, and what ``on_move`` raises."""
        game, options = self.plan.game_of(deal), self.plan.options_of(deal)
        rules = json.dumps([game.key, options], sort_keys=True)
        bots = self._bots.get(rules)
        if bots is None:
            played = game.with_options(options)
            bots = self._bots[rules] = [BOTS[key](played) for key in self.plan.bots]
        return finished(play_through(game, bots, deal_seed(self.plan.seed, deal), options, on_move))


def finished(playthrough: Playthrough) -> Deal:
    """A playthrough that has ended, as a deal of a series."""
    outcome = playthrough.outcome()
    if outcome is None:
        raise RuntimeError(f"{playthrough.game.key} did not end")
    describe = playthrough.game.describe
    return Deal(
        game=playthrough.game.key,
        scores=outcome.scores,
        places=outcome.places,
        reason=outcome.reason,
        moves=tuple(describe(move) for _seat, move in playthrough.turns),
    )


# --- Tallies ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Tally:
    """Sums over deals, each list with one number a seat.

    ``places`` and ``squares`` are the sums of places and of their squares, ``firsts`` counts first places, shared ones
    too; all three are 0 in a cooperative game. ``ends`` counts how deals ended, ``results`` (of a cooperative game
    alone) the table's results, each by its text.
    """

    deals: int
    scores: list[int]
    places: list[int]
    squares: list[int]
    firsts: list[int]
    ends: Counter[str] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)

    @classmethod
    def empty(cls, seats: int) -> Self:
        """Nothing played yet."""
        return cls(0, [0] * seats, [0] * seats, [0] * seats, [0] * seats)

    @classmethod
    def of(cls, deals: Iterable[Deal], seats: int) -> Self:
        """What these deals add up to."""
        tally = cls.empty(seats)
        for deal in deals:
            tally.add(deal)
        return tally

    def add(self, deal: Deal) -> None:
        """One deal more."""
        self.deals += 1
        self.ends[deal.reason] += 1
        if deal.places is None:
            self.results[str(deal.scores[0])] += 1
        for seat, score in enumerate(deal.scores):
            self.scores[seat] += score
            if deal.places is not None:
                place = deal.places[seat]
                self.places[seat] += place
                self.squares[seat] += place * place
                self.firsts[seat] += place == 1

    def join(self, other: Tally) -> None:
        """Add another part of the same series."""
        self.deals += other.deals
        for own, more in zip(self._sums(), other._sums(), strict=True):
            own[:] = [a + b for a, b in zip(own, more, strict=True)]
        self.ends.update(other.ends)
        self.results.update(other.results)

    def _sums(self) -> Iterator[list[int]]:
        yield from (self.scores, self.places, self.squares, self.firsts)

    def to_json(self) -> dict[str, Any]:
        """JSON types; ``from_json`` reads them back."""
        return {
            "deals": self.deals,
            "scores": self.scores,
            "places": self.places,
            "squares": self.squares,
            "firsts": self.firsts,
            "ends": dict(self.ends),
            "results": dict(self.results),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Of what ``to_json`` gave."""
        scores, places, squares, firsts = (list(data[key]) for key in ("scores", "places", "squares", "firsts"))
        return cls(data["deals"], scores, places, squares, firsts, Counter(data["ends"]), Counter(data["results"]))


# --- Packages ---------------------------------------------------------------------------------------------------------


class BadPackage(ValueError):
    """Bytes that `pack` has not made."""


def pack(deals: Sequence[Deal], versions: Mapping[str, int] | None = None) -> bytes:
    """The deals in few bytes, with the version of every game among them.

    ``versions``: those by which they were played, by key; None: as the games are here.
    """
    versions = {deal.game: _version(deal.game) if versions is None else versions[deal.game] for deal in deals}
    lines = [[deal.game, deal.scores, deal.places, deal.reason, _BETWEEN.join(deal.moves)] for deal in deals]
    return zlib.compress(json.dumps([versions, lines], separators=(",", ":")).encode())


def _version(key: str) -> int:
    engine = GAMES[key].engine
    if engine is None:
        raise LookupError(f"{key} can't be played by bots")
    return engine.version


def unpack(package: bytes) -> tuple[dict[str, int], list[Deal]]:
    """The versions of the games by key, and the deals, as they were packed.

    Nothing is assumed of where the bytes come from: raises BadPackage for any that ``pack`` can't have made, and for
    what would unpack to more than ``MAXIMUM_UNPACKED`` bytes, before it does.
    """
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(package, MAXIMUM_UNPACKED)
        if not unpacker.eof or unpacker.unused_data:
            raise BadPackage("cut off, too large, or with something behind it")
        versions, lines = json.loads(text)
        return _versions(versions), [_deal(*line) for line in lines]
    except BadPackage:
        raise
    except (zlib.error, ValueError, TypeError, RecursionError) as error:
        raise BadPackage(str(error)) from error


def _versions(told: object) -> dict[str, int]:
    if not isinstance(told, dict) or not all(type(version) is int for version in told.values()):
        raise BadPackage("versions of games")
    return told


def _deal(game: object, scores: object, places: object, reason: object, moves: object) -> Deal:
    if not (isinstance(game, str) and isinstance(reason, str) and isinstance(moves, str)):
        raise BadPackage("a deal's words")
    return Deal(game, _numbers(scores), _numbers(places) if places else None, reason, tuple(moves.split(_BETWEEN)))


def _numbers(told: object) -> tuple[int, ...]:
    # Not isinstance: true is no number.
    if not isinstance(told, list) or not all(type(one) is int for one in told):
        raise BadPackage("a deal's numbers")
    return tuple(told)


def replay(plan: Plan, deal: int, played: Deal, version: int) -> Playthrough:
    """Play an unpacked deal of the plan once more, ``version`` being that of its game when it was packed.

    Raises RecordError where the rules are at another version by now, or by which the deal does not end with its moves,
    and Departure at a move that they don't allow.
    """
    game = plan.game_of(deal)
    if (game.key, game.version) != (played.game, version):
        message = f"The rules of {game.key} are at version {game.version}, not {version} of {played.game}."
        raise RecordError("version", message)
    playthrough = Playthrough(game, len(plan.bots), deal_seed(plan.seed, deal), plan.options_of(deal))
    for index, word in enumerate(played.moves):
        # Where several choose at once, bots are asked in the order of their seats (games/match.py).
        seat = next(iter(playthrough.to_move()), 0)
        try:
            playthrough.play(Turn(seat, playthrough.game.parse(word)))
        except GameError as error:
            raise Departure(index, error) from error
    if playthrough.outcome() is None:
        raise RecordError("moves", f"After {len(played.moves)} moves {game.key} has not ended.")
    return playthrough


def record_of(plan: Plan, deal: int, played: Deal, version: int) -> Record:
    """The record of an unpacked deal of the plan. Raises as ``replay`` does."""
    return Record.of(replay(plan, deal, played, version))
