"""Random play of our games beside that of other libraries, in one run on one machine.

    python3 -m venv build/bench
    build/bench/bin/pip install --upgrade pip
    build/bench/bin/pip install --group bench
    build/bench/bin/python -m benchmarks.games

writes the table into docs/benchmarks.md, between two markers. ``--print`` shows it and changes nothing.

Terms. A *contestant* is one game of one library and the loop that plays it. A *round* lets each contestant play
whole games for about as long, one after another, so that a busy moment of the machine hits all alike; its
speed is the median over rounds.

Fairness. All choose by ``legal[int(random() * len(legal))]``, in one process, and CPU time counts. Each
library is played in the fastest way found that still plays whole games by its rules: no wrappers, no
observations that the loop does not need, no copy that can be left out. Actions are those of players.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from random import Random
from statistics import median

from games.bench import count_actions, games_within, play, timed
from games.catalog import GAMES
from games.core import AnyGame, Game
from games.terminal import Progress

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
BEGIN = "<!-- Random play: written by benchmarks/games.py -->"
END = "<!-- end of random play -->"
INSTALL = "pip install --group bench (pip 25.1 or newer)"
ROUNDS = 7
SECONDS = 0.5
SEATS = 4

# Plays the games with these numbers: the first, and how many. Returns the players' actions and all moves, chance
# included, where the loop learns of them.
Loop = Callable[[int, int], tuple[int, int] | None]


@dataclass
class Contestant:
    """``key`` names it in comparisons; ``actions_per_game`` is given where the loop does not count."""

    key: str
    title: str
    loop: Loop
    actions_per_game: float | None = None
    games: int = 0
    seconds: list[float] = field(default_factory=list)
    actions: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)

    def round(self, number: int) -> None:
        """Play a round's games, other ones in each round."""
        counted: list[tuple[int, int] | None] = []
        first = number * self.games
        self.seconds.append(timed(lambda: counted.append(self.loop(first, self.games))))
        if self.actions_per_game is not None:
            self.actions.append(self.actions_per_game * self.games)
        elif counted[0] is not None:
            actions, moves = counted[0]
            self.actions.append(actions)
            self.moves.append(moves)

    def speeds(self) -> list[float]:
        """Actions per second, by round."""
        return [actions / seconds for actions, seconds in zip(self.actions, self.seconds, strict=True)]

    def speed(self) -> float:
        """The median of ``speeds``."""
        return median(self.speeds())

    def moves_per_second(self) -> float:
        """As ``speed``, chance counted too."""
        return median(moves / seconds for moves, seconds in zip(self.moves, self.seconds, strict=True))

    def games_per_second(self) -> float:
        """The median over rounds."""
        return median(self.games / seconds for seconds in self.seconds)


# Our own games.


def own() -> list[Contestant]:
    """Every game of the catalogue at 4 seats, by its rollout; XXL 6 once more move by move."""
    made = []
    for info in GAMES.values():
        if info.engine is not None:
            title = f"{info.titles['en']} (`{info.key}`)"
            made.append(_own(info.key, f"**{title}**", info.engine, partial(play, info.engine, SEATS)))
            if info.key == "xxl-6":
                loop = partial(_move_by_move, info.engine)
                made.append(_own("xxl-6 by moves", f"{title}, every move by `legal` and `advance`", info.engine, loop))
    return made


def _own(key: str, title: str, game: AnyGame, loop: Callable[[int, int], None]) -> Contestant:
    sample = 300
    return Contestant(key, title, loop, count_actions(game, SEATS, 0, sample) / sample)


def _move_by_move(game: AnyGame, first: int, number: int) -> None:
    """As the protocol's own rollout goes, for a game that has a faster one."""
    rng, options = Random(first), game.read_options(SEATS)
    for _ in range(number):
        state = game.start(SEATS, options, rng)
        Game.rollout(game, state, rng)
        game.outcome(state)


# The peers. Each import stands in its function: they are needed here alone.


def peers() -> list[Contestant]:
    """The games of the other libraries. Raises ModuleNotFoundError where one is not installed."""
    return [*open_spiel(), *rlcard(), pettingzoo(), python_chess()]


def open_spiel() -> list[Contestant]:
    """Hearts with passing, as by default; the deal, 52 cards and the direction to pass in, is 53 chance nodes."""
    import pyspiel

    game = pyspiel.load_game("hearts")

    def play_hearts(first: int, number: int) -> tuple[int, int]:
        random = Random(first).random
        moves = 0
        for _ in range(number):
            state = game.new_initial_state()
            while not state.is_terminal():
                # Every chance of hearts is even, so that the list of what is possible will do for them too.
                legal = state.legal_actions()
                state.apply_action(legal[int(random() * len(legal))])
            moves += state.move_number()
        return moves - 53 * number, moves

    def play_as_documented(first: int, number: int) -> tuple[int, int]:
        random = Random(first).random
        moves = 0
        for _ in range(number):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    chances = state.chance_outcomes()
                    state.apply_action(chances[int(random() * len(chances))][0])
                else:
                    legal = state.legal_actions()
                    state.apply_action(legal[int(random() * len(legal))])
            moves += state.move_number()
        return moves - 53 * number, moves

    return [
        Contestant("hearts", "OpenSpiel `hearts` (C++), chance by `legal_actions`", play_hearts),
        Contestant("hearts, documented", "OpenSpiel `hearts` (C++), chance by `chance_outcomes`", play_as_documented),
    ]


def rlcard() -> list[Contestant]:
    """Uno for two, as an environment with its arrays, and the bare game below it."""
    import rlcard as library

    environment = library.make("uno", config={"seed": 1})
    game = environment.game

    def play_environment(first: int, number: int) -> tuple[int, int]:
        random = Random(first).random
        actions = 0
        for _ in range(number):
            state, _player = environment.reset()
            while not environment.is_over():
                legal = list(state["legal_actions"])
                state, _player = environment.step(legal[int(random() * len(legal))])
                actions += 1
        return actions, actions

    def play_bare(first: int, number: int) -> tuple[int, int]:
        random = Random(first).random
        actions = 0
        for _ in range(number):
            state, _player = game.init_game()
            while not game.is_over():
                legal = state["legal_actions"]
                state, _player = game.step(legal[int(random() * len(legal))])
                actions += 1
        return actions, actions

    return [
        Contestant("uno", "RLCard `uno`, the environment", play_environment),
        Contestant("uno, bare", "RLCard `uno`, the bare game object", play_bare),
    ]


def pettingzoo() -> Contestant:
    """Hanabi for two, without the wrappers that check arguments."""
    import numpy
    from pettingzoo.classic import hanabi_v5

    environment = hanabi_v5.raw_env()

    def play_hanabi(first: int, number: int) -> tuple[int, int]:
        random = Random(first).random
        actions = 0
        for seed in range(first, first + number):
            environment.reset(seed=seed)
            while not environment.terminations[environment.agent_selection]:
                mask = environment.infos[environment.agent_selection]["action_mask"]
                legal = numpy.flatnonzero(mask)
                environment.step(int(legal[int(random() * len(legal))]))
                actions += 1
        return actions, actions

    return Contestant("hanabi", "PettingZoo `hanabi_v5`", play_hanabi)


def python_chess() -> Contestant:
    """Chess until mate, stalemate, too few pieces or 75 moves without a capture; repetitions are not looked for."""
    import chess

    def play_chess(first: int, number: int) -> tuple[int, int]:
        random = Random(first).random
        actions = 0
        for _ in range(number):
            board = chess.Board()
            while legal := list(board.legal_moves):
                if board.halfmove_clock >= 150 or board.is_insufficient_material():
                    break
                board.push(legal[int(random() * len(legal))])
                actions += 1
        return actions, actions

    return Contestant("chess", "python-chess", play_chess)


# The run and the table.


def compete(contestants: Sequence[Contestant], rounds: int, seconds: float) -> None:
    """Let all play all rounds."""
    with Progress(sys.stderr, "benchmark") as progress:
        for one in contestants:
            one.games = games_within(one.loop, seconds)
        for number in range(rounds):
            for index, one in enumerate(contestants):
                one.round(number)
                progress.show(number * len(contestants) + index + 1, rounds * len(contestants))


def ratio(one: Contestant, other: Contestant) -> float:
    """How many times as fast: the median of the rounds' ratios, since both had the same moment of the machine."""
    return median(a / b for a, b in zip(one.speeds(), other.speeds(), strict=True))


def table(contestants: Sequence[Contestant], rounds: int, seconds: float) -> str:
    """The section of the page, between the markers."""
    by_key = {one.key: one for one in contestants}
    hearts, documented, uno = by_key["hearts"], by_key["hearts, documented"], by_key["uno"]
    lines = [
        BEGIN,
        f"Measured on {datetime.now(UTC):%d %B %Y}: {_machine()}; open-spiel {version('open-spiel')}, rlcard "
        f"{version('rlcard')}, pettingzoo {version('pettingzoo')}, chess {version('chess')}. {rounds} rounds of "
        f"{seconds} s of CPU time each, all in one process, one after another in every round; medians. "
        f"Our games at {SEATS} seats.",
        "",
        "| random play | actions/s | games/s | times hearts | times uno |",
        "|---|---:|---:|---:|---:|",
        *(
            f"| {one.title} | {one.speed():,.0f} | {one.games_per_second():,.0f} "
            f"| {ratio(one, hearts):.2f} | {ratio(one, uno):.1f} |"
            for one in contestants
        ),
        "",
        "Actions are players' actions. OpenSpiel deals the 52 cards of hearts one by one and draws whom to pass to: "
        "53 chance nodes a game, which cost calls from Python like actions and are none. Counted with them, hearts "
        f"makes {hearts.moves_per_second():,.0f} moves/s, and XXL 6 has "
        f"{_with_chance(by_key['xxl-6'], hearts):.2f} times as many actions/s as that. Asked for `chance_outcomes` "
        f"at chance nodes, as its documentation does, hearts makes {documented.speed():,.0f} actions/s, of which "
        f"XXL 6 has {ratio(by_key['xxl-6'], documented):.2f} times as many. Our deals are part of the time too, and "
        "no actions.",
        END,
    ]
    return "\n".join(lines)


def _with_chance(one: Contestant, other: Contestant) -> float:
    moves = [count / seconds for count, seconds in zip(other.moves, other.seconds, strict=True)]
    return median(a / b for a, b in zip(one.speeds(), moves, strict=True))


def _machine() -> str:
    info = Path("/proc/cpuinfo")
    names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")]
    processor = f"{len(names)} x {names[0]}" if names else platform.processor() or platform.machine()
    # 1 or less is a machine with nothing else to do; what shares the caches slows Python more than C++.
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return (
        f"{processor}, {platform.system()} {platform.machine()}, Python {platform.python_version()}, "
        f"load average at the end {load}"
    )


def put_in(page: str, section: str) -> str:
    """The page with the section in place of what is between the markers. Raises ValueError without markers."""
    before, found, rest = page.partition(BEGIN)
    _old, ended, after = rest.partition(END)
    if not (found and ended):
        raise ValueError(f"{PAGE} lacks the lines {BEGIN} and {END}")
    return f"{before}{section}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.games", description="Random play beside other libraries."
    )
    parser.add_argument("--print", action="store_true", help="show the table, write nothing")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds (else {ROUNDS})")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"of a contestant's turn (else {SECONDS})")
    given = parser.parse_args()
    try:
        others = peers()
    except ModuleNotFoundError as error:
        sys.stderr.write(f"{error.name} is not installed. The libraries to compare with come with: {INSTALL}\n")
        return 2
    contestants = [*own(), *others]
    compete(contestants, given.rounds, given.seconds)
    section = table(contestants, given.rounds, given.seconds)
    if given.print:
        sys.stdout.write(f"{section}\n")
    else:
        PAGE.write_text(put_in(PAGE.read_text(encoding="utf-8"), section), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
