"""How fast the rules are, and how large a position is.

Terms. An *action* is one turn; shuffles, deals and settled chance are no actions, but take their time. A
*run* is a number of whole games of random play, deal included, timed together.

Promises: speeds are of the process' CPU time, the median of several runs; every run plays other games, so
that nothing a game remembers of one run serves the next. Rollouts don't count their turns: how many a
game has is the mean over as many games as a run has, played move by move outside the timed part.
Never: prints, or knows a single game.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from statistics import median
from sys import getsizeof
from time import process_time
from typing import Any, Final

from games.core import AnyGame

RUNS: Final = 5
SECONDS: Final = 0.4
SEED: Final = 2026
_SIZED_GAMES = 20
_SMALL_INT = 257


@dataclass(frozen=True, slots=True)
class Speed:
    """Random play of a game at one table.

    ``games_per_second`` of CPU time is a median over runs of ``games_per_run`` games, ``actions_per_game`` a
    mean, ``actions_per_second`` their product. ``state_bytes`` is the largest ``state_size`` of all positions
    of 20 games.
    """

    game: str
    seats: int
    actions_per_second: float
    games_per_second: float
    actions_per_game: float
    games_per_run: int
    state_bytes: int


def measure(
    game: AnyGame,
    seats: int,
    *,
    runs: int = RUNS,
    seconds: float = SECONDS,
    on_run: Callable[[], None] | None = None,
) -> Speed:
    """Play at random with default options, ``runs`` runs of about ``seconds`` CPU time each.

    ``on_run`` is called after each run. Raises BadSetup for seats the game does not have.
    """
    game.deal(seats, SEED)  # which looks at the seats, as starting a game does not
    number = games_within(partial(play, game, seats), seconds)
    times = []
    for run in range(runs):
        times.append(timed(partial(play, game, seats, run * number, number)))
        if on_run is not None:
            on_run()
    games_per_second = median(number / time for time in times)
    actions_per_game = count_actions(game, seats, 0, number) / number
    return Speed(
        game=game.key,
        seats=seats,
        actions_per_second=games_per_second * actions_per_game,
        games_per_second=games_per_second,
        actions_per_game=actions_per_game,
        games_per_run=number,
        state_bytes=max(map(state_size, positions(game, seats, 0, min(_SIZED_GAMES, number)))),
    )


def games_within(playing: Callable[[int, int], object], seconds: float) -> int:
    """How many games to play for about so many seconds of CPU time, found by playing a few.

    ``playing`` is given the number of the first game and how many to play.
    """
    first, count = 1_000_000, 1
    while True:
        # Numbers that no run will use: what is played here must not be known to the runs.
        begin = process_time()
        playing(first, count)
        spent = process_time() - begin
        if spent > seconds / 20:
            return max(1, round(count * seconds / spent))
        first, count = first + count, count * 2


def timed(playing: Callable[[], object]) -> float:
    """The CPU time of a call, in seconds, begun with no garbage left by what was before; above 0."""
    gc.collect()
    begin = process_time()
    playing()
    return max(process_time() - begin, 1e-9)


def play(game: AnyGame, seats: int, first: int, number: int) -> None:
    """Deal so many games, from the one numbered ``first`` on, play each to its end at random, and score it.

    All chance comes from one running source, deals included, as searching bots and other libraries have it.
    """
    rng, rules, options = _set_up(game, seats, first)
    for _ in range(number):
        state = rules.start(seats, options, rng)
        rules.rollout(state, rng)
        rules.outcome(state)


def _set_up(game: AnyGame, seats: int, first: int) -> tuple[Random, AnyGame, Mapping[str, Any]]:
    options = game.read_options(seats)
    return Random(SEED + first), game.with_options(options), options


def positions(game: AnyGame, seats: int, first: int, number: int) -> Iterator[Any]:
    """Every position of so many random games, played turn by turn; one state a game, changed in place."""
    rng, rules, options = _set_up(game, seats, first)
    for _ in range(number):
        state = rules.start(seats, options, rng)
        yield state
        while True:
            if to_move := rules.to_move(state):
                legal = rules.legal(state, to_move[0])
                rules.advance(state, to_move[0], legal[int(rng.random() * len(legal))])
            elif rules.chance_due(state):
                rules.settle(state, rng)
            else:
                break
            yield state


def count_actions(game: AnyGame, seats: int, first: int, number: int) -> int:
    """The turns of all the games of ``positions``."""
    return sum(len(game.to_move(state)) > 0 for state in positions(game, seats, first, number))


def state_size(state: object) -> int:
    """The bytes a state takes by itself, by ``sys.getsizeof``.

    Counted: the state; whatever in it is a list, tuple, set, frozenset, dictionary, bytes or bytearray or an object
    with slots, at any depth; whole numbers from 257 on and below -5, and fractions. Each object once.

    Not counted, since all states of a program share them: smaller whole numbers, ``None``, booleans,
    strings, and objects without slots, such as a game, a deck and its tables.
    """
    seen: dict[int, object] = {}
    waiting = [state]
    while waiting:
        one = waiting.pop()
        if id(one) not in seen and _is_own(one):
            seen[id(one)] = one
            waiting += _parts(one)
    return sum(map(getsizeof, seen.values()))


def _is_own(value: object) -> bool:
    match value:
        case None | bool() | str():
            return False
        case int():
            return not -6 < value < _SMALL_INT
        case type():
            return False
    return not hasattr(value, "__dict__")


def _parts(value: object) -> Iterator[object]:
    match value:
        case Mapping():
            yield from value.keys()
            yield from value.values()
        case list() | tuple() | set() | frozenset():
            yield from value
    for kind in type(value).__mro__:
        slots = getattr(kind, "__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            if hasattr(value, slot):
                yield getattr(value, slot)
