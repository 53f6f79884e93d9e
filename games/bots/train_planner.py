"""Trains the nets of the planner for The Game by games that it plays with itself.

    python -m games.bots.train_planner [SEATS-MINIMUM ...]         train the nets of the schedule in its order, or these
    python -m games.bots.train_planner --pack [SEATS-MINIMUM ...]  put what was trained into games/bots/planner_nets

Terms. A *lesson* is the training of one net: *rounds* of games, after each of which the net is fitted to the results of
the last rounds. A *target* of a position is what came of it: the game's result, mixed with what the net says of the
positions after it (TD(lambda); Sutton and Barto, Reinforcement Learning, 2nd edition 2018, chapter 12).

How. In its games the planner plays whole turns in a few worlds, without the search at the end. A lesson that starts
from no other net begins with games by the rule of thumb, jumps and signals, and some noise. The net has one layer of
hidden units cut off at 0 and 1, and is fitted by Adam (Kingma and Ba, ICLR 2015): cross entropy for the chance of a
perfect game, squares for the cards left.

Promises: every round is stored in build/planner as soon as it is fitted, and a lesson that was killed goes on after it.
Chance follows from the lesson and the round alone; on another machine sums may differ in the last digit and with them
the weights, which is why the nets are shipped.
Never: is run by the product.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final, NamedTuple

import numpy as np

from games.bots.planner_net import HIDDEN, name_of, pack, quantised
from games.bots.planner_turns import Considered, turns
from games.bots.planner_value import FEATURES, Array, Batch, Position, features_of, mirrored, scales
from games.bots.planner_worlds import Worlds
from games.core import event_source
from games.rules.the_game import END, GAME, PileState
from games.rules.the_game_piles import as_set, signals

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "build" / "planner"
NETS: Final = ROOT / "games" / "bots" / "planner_nets"
SEED: Final = 2026

WORLDS: Final = 3
_STEPS = 500
_BATCH = 512
_SIGNALLED = (0.0, 1.0, 4.0)
_NOISE = 2.0
_LEAK = 0.01
"""How far beyond its ends a hidden unit still learns."""

Weights = list[Array]


@dataclass(frozen=True)
class Lesson:
    """``rounds`` are numbers of games, ``start`` the name of the lesson whose net it goes on from.

    A net may be made in parts; those with a ``part`` to name are not shipped. ``keeps_games``: what the lesson before
    learnt from is learnt from too. ``kept`` rounds are learnt from. ``epochs`` says how often each position is met in
    each half of a fit, ``None``: in 500 steps, however many there are. ``mixing`` is lambda. ``left`` says how much
    twenty cards left weigh in choices under the basic rules, a perfect game being 1; ``mirrored`` whether half the
    positions are learnt in the mirror (``planner_value.mirrored``). ``deals`` are passed over, of the million a table
    has.
    """

    seats: int
    minimum: int
    start: str | None
    rounds: tuple[int, ...]
    part: str = ""
    deals: int = 0
    keeps_games: bool = False
    kept: int = 5
    left: float = 0.05
    mirrored: bool = False
    epochs: int | None = None
    rate: float = 2e-3
    mixing: float = 0.9

    @property
    def table(self) -> str:
        """What the net is called."""
        return name_of(self.seats, self.minimum)

    @property
    def name(self) -> str:
        """As the command line and the files have it."""
        return f"{self.table}-{self.part}" if self.part else self.table

    @property
    def first_seed(self) -> int:
        """Of its deals."""
        return (10 * self.seats + self.minimum) * 1_000_000 + self.deals


def _going_on(seats: int, minimum: int, start: str, rounds: tuple[int, ...]) -> Lesson:
    """From a net that plays well: with small steps, lest it learns the first few games by heart."""
    return Lesson(seats, minimum, start, rounds, mirrored=True, epochs=3, rate=7e-4)


SCHEDULE: Final = (
    Lesson(3, 2, None, (1000, *(300,) * 5, *(400,) * 4)),
    Lesson(4, 2, "3-2", (300, 300, 400)),
    Lesson(1, 2, None, (1000, *(300,) * 4, *(400,) * 4), part="first"),
    Lesson(1, 2, "1-2-first", (500,) * 6, part="second", deals=500_000, left=0.3, mirrored=True),
    Lesson(
        1,
        2,
        "1-2-second",
        (500,) * 10,
        part="third",
        deals=700_000,
        keeps_games=True,
        kept=15,
        left=0.15,
        mirrored=True,
        epochs=1,
        rate=1e-3,
        mixing=0.8,
    ),
    Lesson(
        1,
        2,
        "1-2-third",
        (500,) * 30,
        deals=710_000,
        keeps_games=True,
        kept=30,
        left=0.15,
        mirrored=True,
        epochs=1,
        rate=7e-4,
        mixing=0.8,
    ),
    _going_on(2, 2, "3-2", (600, 600, 600)),
    _going_on(3, 3, "3-2", (600, 600)),
    _going_on(2, 3, "2-2", (600, 600)),
    _going_on(5, 2, "4-2", (400,)),
    _going_on(1, 3, "1-2-third", (600, 600)),
    _going_on(4, 3, "4-2", (400,)),
    _going_on(5, 3, "4-2", (600, 600)),
)


class Played(NamedTuple):
    """A game: the positions after its turns, and the cards left."""

    positions: list[Position]
    left: int


# The net while it is trained.


def new_weights(rng: Any) -> Weights:
    """Of a net that knows nothing."""
    return [
        some.astype(np.float32)
        for some in (
            rng.normal(0, 1, (FEATURES, HIDDEN)) / np.sqrt(FEATURES / 4),
            np.full(HIDDEN, 0.2),
            rng.normal(0, 1, (HIDDEN, 2)) / 20,
            np.array([-1.0, 1.0]),
        )
    ]


def heads(weights: Weights, rows: Array) -> tuple[Array, Array]:
    """The chance of a perfect game and the cards left in twenties, for scaled features."""
    first, bias, second, bias2 = weights
    out = np.clip(rows @ first + bias, 0, 1) @ second + bias2
    return 1 / (1 + np.exp(-out[:, 0])), out[:, 1]


class Adam:
    """Fits weights step by step; its memory is stored with them."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.mean = [np.zeros_like(some) for some in weights]
        self.square = [np.zeros_like(some) for some in weights]
        self.steps = 0

    def step(self, rows: Array, targets: Array, rate: float) -> None:
        """One step on a batch."""
        first, bias, second, bias2 = self.weights
        before = rows @ first + bias
        hidden = np.clip(before, 0, 1)
        wrong = hidden @ second + bias2
        wrong[:, 0] = 1 / (1 + np.exp(-wrong[:, 0]))
        wrong = (wrong - targets) / len(rows)
        back = wrong @ second.T * ((before > -_LEAK) & (before < 1 + _LEAK))
        slopes = (rows.T @ back, back.sum(0), hidden.T @ wrong, wrong.sum(0))
        self.steps += 1
        fresh, fresh_square = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        for i, slope in enumerate(slopes):
            self.mean[i] += 0.1 * (slope - self.mean[i])
            self.square[i] += 0.001 * (slope * slope - self.square[i])
            self.weights[i] -= rate * (self.mean[i] / fresh) / (np.sqrt(self.square[i] / fresh_square) + 1e-8)


# Games.


def _unplayed(state: PileState) -> int:
    cards = as_set(state.draw_pile)
    for hand in state.hands:
        cards |= hand
    return cards


def _others(state: PileState) -> list[int]:
    """The other seats with cards, in turn order."""
    seats = len(state.hands)
    return [seat % seats for seat in range(state.turn + 1, state.turn + seats) if state.hands[seat % seats]]


def _play(state: PileState, turn: Considered, played: Played) -> None:
    others = [state.hands[seat] for seat in _others(state)]
    together = 0
    for hand in others[1:]:
        together |= hand
    draw_pile = len(state.draw_pile)
    played.positions.append(
        Position(
            tops=turn[1],
            own=turn[0],
            following=others[0] if others else 0,
            others=together,
            unplayed=_unplayed(state) ^ state.hands[state.turn] | turn[0],
            draw_pile=draw_pile,
            drawn=min(draw_pile, state.hand_size - turn[0].bit_count()),
        )
    )
    seat = state.turn
    for move in turn[2]:
        GAME.advance(state, seat, move)
    if turn[0]:
        GAME.advance(state, seat, END)


def _by_rule(state: PileState, considered: Sequence[Considered], rng: Random) -> Considered:
    """The turn with the shortest jumps, keeping off signalled piles; a card laid is worth one in the way."""
    shown = [tuple(signals(state.hands[seat], state.tops)) for seat in _others(state)]
    signalled = [max((_SIGNALLED[one[pile]] for one in shown), default=0.0) for pile in range(4)]

    def cost(turn: Considered) -> float:
        return turn[3] + sum(signalled[move & 3] for move in turn[2]) - len(turn[2]) + _NOISE * rng.random()

    return min(considered, key=cost)


def games_of(lesson: Lesson, weights: Weights | None, seeds: Iterable[int], rng: Random) -> list[Played]:
    """Games side by side, so that the net values the turns of all tables at one go; by the rule without a net."""
    options = GAME.read_options(lesson.seats, {"minimum": lesson.minimum})
    games = [(GAME.start(lesson.seats, options, event_source(seed, 0)), Played([], 0)) for seed in seeds]
    scale = (1 / scales()).astype(np.float32)
    live = games
    while live := [(state, played) for state, played in live if not state.over]:
        batch, choices = Batch(), []
        for state, played in live:
            hand, unplayed = state.hands[state.turn], _unplayed(state)
            up1, up2, down1, down2 = state.tops
            considered = turns(hand, (up1, up2, down1, down2), state.minimum, unplayed)
            if weights is None:
                _play(state, _by_rule(state, considered, rng), played)
                continue
            hands = [state.hands[seat] for seat in _others(state)]
            shown = [tuple(signals(one, state.tops)) for one in hands]
            worlds = Worlds(state.tops, unplayed & ~hand, [one.bit_count() for one in hands], shown)
            drawn = [worlds.draw(rng) for _ in range(WORLDS if hands else 1)]
            batch.add(
                considered,
                drawn,
                elsewhere=unplayed ^ hand,
                draw_pile=len(state.draw_pile),
                hand_size=state.hand_size,
            )
            choices.append((state, played, considered, len(drawn)))
        if weights is not None:
            chance, left = heads(weights, batch.features().astype(np.float32) * scale)
            worth = chance - lesson.left * left if lesson.minimum == 2 else chance / 4 - left
            at = 0
            for state, played, considered, many in choices:
                end = at + many * len(considered)
                best = int(worth[at:end].reshape(len(considered), many).sum(1).argmax())
                _play(state, considered[best], played)
                at = end
    return [played._replace(left=GAME.outcome(state).scores[0]) for state, played in games]  # type: ignore[union-attr]


# Lessons.


def targets(weights: Weights, rows: Array, lengths: Sequence[tuple[int, int]], mixing: float) -> Array:
    """By position: what to expect of it (n, 2). ``lengths`` are the games' numbers of positions and cards left."""
    chance, left = heads(weights, rows)
    found = np.empty((len(rows), 2), np.float32)
    at = 0
    for number, cards in lengths:
        perfect, twenties = float(cards == 0), cards / 20
        for i in range(at + number - 1, at - 1, -1):
            if i < at + number - 1:
                perfect = mixing * perfect + (1 - mixing) * chance[i + 1]
                twenties = mixing * twenties + (1 - mixing) * left[i + 1]
            found[i] = perfect, twenties
        at += number
    return found


@dataclass
class Progress:
    """A lesson under way: rounds done, the net, and by round kept the features and the games' lengths and results."""

    done: int
    adam: Adam
    rows: list[Array]
    lengths: list[Array]

    def store(self, path: Path) -> None:
        """Whole or not at all."""
        arrays: dict[str, Any] = {"done": np.array([self.done, self.adam.steps])}
        for i, some in enumerate(self.adam.weights):
            arrays |= {f"weights{i}": some, f"mean{i}": self.adam.mean[i], f"square{i}": self.adam.square[i]}
        for i, (rows, lengths) in enumerate(zip(self.rows, self.lengths, strict=True)):
            arrays |= {f"rows{i}": rows.astype(np.uint8), f"lengths{i}": lengths}
        part = path.with_suffix(".part.npz")
        np.savez(part, **arrays)
        part.replace(path)

    @classmethod
    def read(cls, path: Path) -> Progress:
        """What was stored."""
        with np.load(path) as file:
            adam = Adam([file[f"weights{i}"] for i in range(4)])
            adam.mean, adam.square = ([file[f"{name}{i}"] for i in range(4)] for name in ("mean", "square"))
            done, adam.steps = map(int, file["done"])
            kept = sum(name.startswith("rows") for name in file.files)
            rows = [file[f"rows{i}"].astype(np.float32) for i in range(kept)]
            return cls(done, adam, rows, [file[f"lengths{i}"] for i in range(kept)])


def path_of(name: str, folder: Path) -> Path:
    """Where a lesson is stored."""
    return folder / f"{name}.npz"


def begin(lesson: Lesson, folder: Path) -> Progress:
    """Where the lesson stands, or its start. Raises FileNotFoundError when the net it goes on from is missing."""
    path = path_of(lesson.name, folder)
    if path.exists():
        return Progress.read(path)
    if lesson.start is None:
        weights = new_weights(np.random.default_rng([SEED, lesson.seats, lesson.minimum]))
    else:
        before = Progress.read(path_of(lesson.start, folder))
        weights = before.adam.weights
        if lesson.keeps_games:
            return Progress(0, Adam(weights), before.rows, before.lengths)
    return Progress(0, Adam(weights), [], [])


def teach(lesson: Lesson, folder: Path, tell: Callable[[str], object]) -> None:
    """Go on with a lesson to its end; every round is told in a line of JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    progress = begin(lesson, folder)
    for number in range(progress.done, len(lesson.rounds)):
        clock = process_time()
        size = lesson.rounds[number]
        by_rule = lesson.start is None and number == 0
        first = lesson.first_seed + sum(lesson.rounds[:number])
        rng = Random(first + SEED)
        weights = progress.adam.weights
        played = games_of(lesson, None if by_rule else weights, range(first, first + size), rng)
        progress.rows.append(features_of([one for game in played for one in game.positions]).astype(np.float32))
        progress.lengths.append(np.array([(len(game.positions), game.left) for game in played]))
        del progress.rows[: -lesson.kept], progress.lengths[: -lesson.kept]
        rate = lesson.rate * (1 - 0.7 * number / len(lesson.rounds))
        chance = np.random.default_rng([SEED, lesson.seats, lesson.minimum, number])
        _fit(progress, lesson, rate, chance, by_rule=by_rule)
        progress.done = number + 1
        progress.store(path_of(lesson.name, folder))
        perfect = sum(game.left == 0 for game in played) / size
        told = {"lesson": lesson.name, "round": number, "games": size, "perfect": round(perfect, 3)}
        told |= {"left": round(sum(game.left for game in played) / size, 2), "cpu": round(process_time() - clock, 1)}
        tell(json.dumps(told))


def _fit(progress: Progress, lesson: Lesson, rate: float, rng: Any, *, by_rule: bool) -> None:
    order = mirrored()
    rows = np.concatenate(progress.rows) * (1 / scales()).astype(np.float32)
    steps = _STEPS if lesson.epochs is None else lesson.epochs * len(rows) // _BATCH
    lengths = [(int(number), int(left)) for one in progress.lengths for number, left in one]
    for _ in range(2):
        # What the net says is worth nothing before it has learnt from the rule's games.
        wanted = targets(progress.adam.weights, rows, lengths, 1.0 if by_rule else lesson.mixing)
        for step in range(steps):
            chosen = rng.integers(0, len(rows), _BATCH)
            some = rows[chosen]
            if lesson.mirrored:
                some[::2] = some[::2, order]
            progress.adam.step(some, wanted[chosen], rate * (1 - 0.9 * step / steps))


def write(lesson: Lesson, folder: Path, nets: Path) -> None:
    """Put the net of a lesson, as it is now, where the planner reads it.

    Before its first round that is the net which it goes on from. Raises FileNotFoundError without one.
    """
    progress = begin(lesson, folder)
    about = {
        "net": lesson.table,
        "program": "python -m games.bots.train_planner",
        "seed": SEED,
        "start": lesson.start,
        "rounds": list(lesson.rounds[: progress.done]),
    }
    nets.mkdir(exist_ok=True)
    (nets / f"{lesson.table}.bin").write_bytes(pack(quantised(progress.adam.weights), about))


def main(argv: Sequence[str]) -> int:
    """Train, or pack."""
    parser = argparse.ArgumentParser(prog="python -m games.bots.train_planner", description="Trains the planner.")
    names = [lesson.name for lesson in SCHEDULE]
    parser.add_argument("lessons", nargs="*", metavar="SEATS-MINIMUM", help=", ".join(names))
    parser.add_argument("--pack", action="store_true", help="write games/bots/planner_nets instead")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    given = parser.parse_args(argv)
    for name in given.lessons:
        if name not in names:
            parser.error(f"SEATS-MINIMUM must be one of {', '.join(names)}, not {name}")
    for lesson in SCHEDULE:
        if given.lessons and lesson.name not in given.lessons:
            continue
        if given.pack and not lesson.part:
            write(lesson, given.folder, NETS)
        elif not given.pack:
            teach(lesson, given.folder, lambda line: (sys.stdout.write(f"{line}\n"), sys.stdout.flush()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
