"""Par of cooperative games: how a bot did in a few thousand deals, which people can measure their own result by.

Terms. A *configuration* is a game, a number of seats and what was agreed on; options that change no result (who
starts The Game) are left at what is usual and are no part of it. Its *deals* are counted from 0, deal k of each
having the seed ``deal_seed(PAR_SEED, k)``. The *par* of a configuration counts the results of deals that were played
by ``BOT`` with the effort ``BUDGET``; its *version* says which planner and rules played. A result *beats* a game
that ended worse; an equal one it does not. *Shipped* deals, in ``FILE``, are numbered from 0; deals that are
*stored* by an installation from ``STORED_FROM``, so that both can be added up whatever a later release ships.

Promises: the same configuration, deal and version give the same result on every machine; counts of two versions are
never added up.
Never: reads a clock or a database.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import count, islice, product
from pathlib import Path
from time import sleep
from typing import Any, Final, Self

from games.bots.planner import CHEAP, cheap_planner
from games.bots.planner_net import name_of
from games.catalog import GAMES
from games.core import AnyGame, Json
from games.match import deal_seed, play_through

BOT: Final = "planner"
BUDGET: Final = "cheap"
"""The planner's effort of that name: ``games.bots.planner.CHEAP``."""
PAR_SEED: Final = 19_980_402
STORED_FROM: Final = 1_000_000
"""The first deal that an installation plays itself."""
ENOUGH: Final = 2_000
"""How many games a configuration should have; so many give a percentage within about 2 points."""
FILE: Final = Path(__file__).parent / "data" / "par.json"

_OPTIONS: Final[Mapping[str, Mapping[str, tuple[Json, ...]]]] = {
    "the-game": {"short_hand": (False, True), "minimum": (2, 3)}
}
"""By key of each game that has a par: the options that its results follow from, and what each may be."""
_FIRST: Final = 20
"""Of so many deals the results are kept one by one, so that they can be checked."""
_BATCH: Final = 20
_ALONE: Final = "planner_alone"
_VERSION_DIGITS: Final = 16


_WAIT: Final = 0.05  # seconds between two tries at a file that another process writes
_TRIES: Final = 200


class Busy(RuntimeError):
    """A file that another process has been writing for long; ``lock`` says so for as long as it is there."""

    def __init__(self, lock: Path) -> None:
        super().__init__(f"{lock} says that another process writes there")
        self.lock = lock


@dataclass(frozen=True, slots=True)
class Configuration:
    """What is played. ``options`` is JSON with the keys in order, as it is stored."""

    game: str
    seats: int
    options: str

    @classmethod
    def of(cls, game: str, seats: int, options: Mapping[str, Json]) -> Self | None:
        """The configuration of a table, or ``None`` where there is no par for it.

        Options left out are the usual ones; those that no result follows from are ignored.
        """
        if game not in _OPTIONS or seats not in _engine(game).seats:
            return None
        told = {**_engine(game).read_options(seats), **options}
        text = json.dumps({name: told[name] for name in _OPTIONS[game]}, sort_keys=True)
        return cls(game, seats, text) if text in _choices(game) else None

    @property
    def agreed(self) -> dict[str, Any]:
        """The options by name."""
        found: dict[str, Any] = json.loads(self.options)
        return found


def _engine(game: str) -> AnyGame:
    engine = GAMES[game].engine
    if engine is None:
        raise LookupError(f"{game} can't be played by bots")
    return engine


def _choices(game: str) -> list[str]:
    names = _OPTIONS[game]
    return [json.dumps(dict(zip(names, values, strict=True)), sort_keys=True) for values in product(*names.values())]


def configurations() -> list[Configuration]:
    """All there are: with the usual hands first, then with short ones."""
    return [
        Configuration(game, seats, options)
        for game in _OPTIONS
        for options in _choices(game)
        for seats in _engine(game).seats
    ]


@cache
def version(configuration: Configuration) -> str:
    """Which planner and rules play here: hexadecimal digits of a digest of the planner's files and net.

    Of no other file, so that a par stands while other bots, or nets of other tables, change; what looks ahead alone is
    nothing to other tables.
    """
    folder = Path(__file__).parent / "bots"
    minimum = configuration.agreed["minimum"]
    net = folder / "planner_nets" / f"{name_of(configuration.seats, minimum)}.bin"
    digest = sha256(f"{_engine(configuration.game).version}\0{CHEAP}\0".encode())
    programs = [path for path in sorted(folder.glob("planner*.py")) if configuration.seats == 1 or path.stem != _ALONE]
    for path in (*programs, net):
        digest.update(f"{path.name}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:_VERSION_DIGITS]


@dataclass(frozen=True, slots=True)
class Par:
    """Results of a configuration's deals: how many games ended with each.

    ``first`` are the results of the first shipped deals in their order.
    """

    configuration: Configuration
    version: str
    counts: Mapping[int, int] = field(default_factory=dict)
    first: tuple[int, ...] = ()

    @property
    def games(self) -> int:
        """How many games were played."""
        return sum(self.counts.values())

    def share_beaten(self, result: int) -> Fraction:
        """The share of games that ended worse than this result. Raises ZeroDivisionError where none was played."""
        high_wins = GAMES[self.configuration.game].high_wins
        worse = sum(n for other, n in self.counts.items() if (other < result if high_wins else other > result))
        return Fraction(worse, self.games)

    def percent_beaten(self, result: int) -> int:
        """``share_beaten`` in whole per cent, rounded down: no more is claimed than is true."""
        return int(100 * self.share_beaten(result))

    @property
    def mean(self) -> float:
        """The average result."""
        return sum(result * n for result, n in self.counts.items()) / self.games

    @property
    def share_perfect(self) -> float:
        """The share of games in which nothing was left."""
        return self.counts.get(0, 0) / self.games

    def joined(self, other: Par) -> Par:
        """Both together. Raises ValueError for another configuration or version."""
        if (self.configuration, self.version) != (other.configuration, other.version):
            raise ValueError("Only results of one configuration and version can be added up.")
        counts = Counter(self.counts)
        counts.update(other.counts)
        return Par(self.configuration, self.version, counts, self.first or other.first)


def results(configuration: Configuration, first: int = 0) -> Iterator[int]:
    """The results of the deals from ``first`` on, one after another, without an end."""
    engine = _engine(configuration.game)
    options = engine.read_options(configuration.seats, configuration.agreed)
    bots = [cheap_planner(engine.with_options(options))] * configuration.seats
    for deal in count(first):
        outcome = play_through(engine, bots, deal_seed(PAR_SEED, deal), options).outcome()
        if outcome is None:
            raise RuntimeError(f"{configuration.game} did not end")
        yield outcome.scores[0]


# --- The file that is shipped -----------------------------------------------------------------------------------------


def load(path: Path = FILE) -> dict[Configuration, Par]:
    """What a file holds; nothing where there is none. Raises ValueError, KeyError for one not made by ``save``."""
    try:
        lines = json.loads(path.read_text(encoding="utf-8"))["pars"]
    except FileNotFoundError:
        return {}
    pars = [
        Par(
            Configuration(line["game"], line["seats"], json.dumps(line["options"], sort_keys=True)),
            line["version"],
            {int(result): n for result, n in line["counts"].items()},
            tuple(line["first"]),
        )
        for line in lines
    ]
    return {par.configuration: par for par in pars}


@cache
def shipped() -> Mapping[Configuration, Par]:
    """What this release ships, read once."""
    return load()


def save(pars: Mapping[Configuration, Par], path: Path = FILE) -> None:
    """Write all of them, whole or not at all; a line each, so that changes can be seen."""
    head = json.dumps({"bot": BOT, "budget": BUDGET, "effort": asdict(CHEAP), "seed": PAR_SEED}, sort_keys=True)
    lines = [_line(pars[one]) for one in configurations() if one in pars]
    # Two processes may be at it, each at configurations of its own.
    new = path.with_suffix(f".{os.getpid()}.new")
    body = ",\n".join(lines)
    new.write_text(f'{head[:-1]}, "pars": [\n{body}\n]}}\n', encoding="utf-8")
    new.replace(path)


def _add(par: Par, path: Path) -> None:
    """Put a configuration's par into the file, whatever other processes write there; more of the same stays."""
    with _alone(path):
        there = load(path)
        stored = there.get(par.configuration)
        if stored is None or stored.version != par.version or stored.games < par.games:
            save({**there, par.configuration: par}, path)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Be the only process that changes the file. Raises Busy where another one, or a lock left by one, stays.

    A file that can be made once alone is a lock on every system; it is there for some milliseconds.
    """
    lock = path.with_suffix(".lock")
    for _try in range(_TRIES):
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        except FileExistsError:
            sleep(_WAIT)
        else:
            break
    else:
        raise Busy(lock)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


def _line(par: Par) -> str:
    return json.dumps(
        {
            "game": par.configuration.game,
            "seats": par.configuration.seats,
            "options": par.configuration.agreed,
            "version": par.version,
            "games": par.games,
            "first": par.first,
            "counts": {str(result): par.counts[result] for result in sorted(par.counts)},
        }
    )


def extend(
    wanted: Sequence[Configuration],
    games: int,
    path: Path = FILE,
    on_game: Callable[[int, int], None] | None = None,
) -> None:
    """Play on until each configuration in the file has so many games, and write the file after every few of them.

    It goes on where it was stopped; what another version has played is played anew. ``on_game`` is told how many are
    done and how many there will be. Several processes may be at it; at the same configuration they play the same deals.
    Raises Busy.
    """
    pars = {one: _begun(load(path), one) for one in wanted}
    done, total = sum(min(par.games, games) for par in pars.values()), games * len(wanted)
    for one, begun in pars.items():
        par = begun
        deals = results(one, par.games)
        while par.games < games:
            played = []
            for result in islice(deals, min(_BATCH, games - par.games)):
                played.append(result)
                done += 1
                if on_game is not None:
                    on_game(done, total)
            more = Par(one, par.version, Counter(played))
            first = (par.first + tuple(played))[:_FIRST]
            par = Par(one, par.version, par.joined(more).counts, first)
            _add(par, path)


def _begun(found: Mapping[Configuration, Par], wanted: Configuration) -> Par:
    par = found.get(wanted)
    return par if par is not None and par.version == version(wanted) else Par(wanted, version(wanted))
