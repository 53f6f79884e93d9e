"""How strong the bots are: every row of the strength table in docs/bots.md, measured so that it can be interrupted.

    python -m benchmarks.bots --list
    python -m benchmarks.bots ROW [ROW ...] [--deals N]

Terms. A *row* is one bot at one table and what it must reach. A *contest* has the row's bot on one seat and
another bot on all others; it is *duplicate*: each deal is replayed with the bot on every seat in turn. A *pair* is a
contest that is compared with the same deal where the other bot sits everywhere: the figure is by how much the row's bot
does better on the same seat with the same cards. A *table* has the row's bot on all seats, for cooperative games.
A *deal's figure* is its mean over all its games; means and intervals are over deals (``games.arena.estimate``).

Promises: the result of every deal is appended to ``build/bots/ROW.jsonl`` as soon as it is there, so that a run that
was killed goes on where it stopped. A line counts for the same game version, row and sources of the bots alone
(its *fingerprint*); other lines stay and are passed over. Deals, seeds and all choices are the same on every machine;
CPU times are not.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from random import Random
from statistics import fmean
from time import process_time
from typing import Any, Literal

from games.arena import Estimate, deal_options, estimate
from games.bots import BOTS, BotFactory
from games.bots.base import Bot
from games.bots.budget import Budget
from games.bots.searching import search
from games.catalog import GAMES
from games.core import AnyGame, Json, Move, Playthrough, Seat
from games.match import deal_seed, play_through

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "build" / "bots"
SEED = 2026

Figure = Literal["place", "wins", "score", "ahead", "perfect"]


@dataclass(frozen=True)
class Row:
    """One figure of one bot.

    ``bot`` and ``others`` are keys of ``BOTS``, "search:N" for N iterations, "search:Nms" for milliseconds, or
    "module:name" of a factory; without ``others`` the bot sits on all seats. ``figure``: the bot's place, share of
    first places, score, by how many places it is ahead of ``others`` in the same seat and deal, or the share of
    games with score 0. ``bound`` is reached when the whole interval is at most or at least that, as ``most`` says.
    ``sources`` are patterns of the files beside the game's rules that the choices come from.
    """

    name: str
    game: str
    bot: str
    figure: Figure
    bound: float
    most: bool
    deals: int
    seats: int = 4
    others: str | None = None
    options: Mapping[str, Json] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    most_cpu: float | None = None
    """Of a turn on average, in seconds."""

    def engine(self) -> AnyGame:
        """The rules."""
        engine = GAMES[self.game].engine
        if engine is None:
            raise ValueError(f"{self.game} can't be played here")
        return engine

    def fingerprint(self) -> str:
        """What the results depend on: not the number of deals or the bound."""
        known = asdict(self)
        for part in ("name", "figure", "bound", "most", "deals", "most_cpu"):
            del known[part]
        digest = sha256(json.dumps([known, self.engine().version, SEED], sort_keys=True).encode())
        for pattern in self.sources:
            for path in sorted(ROOT.glob(pattern)):
                digest.update(path.read_bytes())
        return digest.hexdigest()[:16]


_SHEDDING = ("games/bots/greedy_shedding.py", "games/bots/search_shedding*.py")
_TRICKS = ("games/bots/greedy_tricks.py", "games/bots/search_tricks*.py")
_REFUSAL = (*_TRICKS, "games/bots/greedy_refusal.py", "games/bots/search_refusal*.py")
_ROUNDS = ("games/bots/greedy_rounds.py", "games/bots/search_rounds*.py")
_STRAIGHTS = ("games/bots/greedy_straights.py", "games/bots/search_straights*.py")


def _greedy(game: str, bound: float, deals: int, sources: tuple[str, ...]) -> Row:
    return Row(f"{game}-greedy", game, "greedy", "place", bound, True, deals, others="random", sources=sources)


def _search(game: str, bound: float, deals: int, sources: tuple[str, ...]) -> Row:
    return Row(f"{game}-search", game, "search", "place", bound, True, deals, others="greedy", sources=sources)


def _ahead(game: str, deals: int, sources: tuple[str, ...]) -> Row:
    return Row(f"{game}-search", game, "search", "ahead", 0.0, False, deals, others="greedy", sources=sources)


def _planner(seats: int, minimum: int) -> tuple[str, ...]:
    """What looks ahead alone (planner_alone.py) is nothing to other tables."""
    programs = ("planner*.py",) if seats == 1 else ("planner.py", "planner_[!a]*.py")
    return (*(f"games/bots/{one}" for one in programs), f"games/bots/planner_nets/{seats}-{minimum}.bin")


def _perfect(seats: int, share: float) -> Row:
    return Row(
        f"the-game-{seats}",
        "the-game",
        "planner",
        "perfect",
        share,
        False,
        1000,
        seats=seats,
        options={"minimum": 2},
        sources=_planner(seats, 2),
        most_cpu=0.1,
    )


def _left(seats: int, cards: float) -> Row:
    return Row(
        f"the-game-expert-{seats}",
        "the-game",
        "planner",
        "score",
        cards,
        True,
        1000,
        seats=seats,
        options={"minimum": 3},
        sources=_planner(seats, 3),
        most_cpu=0.1,
    )


def _reader(name: str, reader: str, others: str) -> Row:
    """Exploited is who lets a reader win half the games at a table of four."""
    sources = (*_ROUNDS, "benchmarks/rounds_reader.py")
    bot = f"benchmarks.rounds_reader:{reader}"
    return Row(name, "und-tschuess", bot, "wins", 0.5, True, 40, others=others, sources=sources)


ROWS: tuple[Row, ...] = (
    _greedy("xxl-1", 2.1, 2000, _SHEDDING),
    _greedy("xxl-2", 2.1, 2000, _SHEDDING),
    _greedy("xxl-5", 2.1, 2000, _SHEDDING),
    _search("xxl-1", 2.35, 300, _SHEDDING),
    _search("xxl-2", 2.35, 300, _SHEDDING),
    _search("xxl-5", 2.35, 300, _SHEDDING),
    _greedy("xxl-3", 2.0, 300, _REFUSAL),
    _greedy("xxl-6", 2.0, 300, _TRICKS),
    _greedy("xxl-6-plus", 2.0, 300, _TRICKS),
    _ahead("xxl-3", 200, _REFUSAL),
    _ahead("xxl-6", 200, _TRICKS),
    _ahead("xxl-6-plus", 200, _TRICKS),
    _greedy("xxl-4", 1.6, 100, _STRAIGHTS),
    _search("xxl-4", 2.35, 200, _STRAIGHTS),
    Row("und-tschuess-search", "und-tschuess", "search", "wins", 0.5, False, 600, others="greedy", sources=_ROUNDS),
    _reader("und-tschuess-reader-of-greedy", "of_greedy", "greedy"),
    _reader("und-tschuess-reader-of-search", "of_search", "benchmarks.rounds_reader:little_search"),
    *map(_perfect, (1, 2, 3, 4, 5), (0.20, 0.60, 0.35, 0.40, 0.27)),
    *map(_left, (1, 2, 3, 4, 5), (16, 13, 21, 16, 14)),
)


def maker(name: str) -> BotFactory:
    """What makes a bot of a row."""
    if name in BOTS:
        return BOTS[name]
    first, _colon, rest = name.partition(":")
    if first == "search":
        number = rest.removesuffix("ms")
        return search(Budget(iterations=int(rest)) if number == rest else Budget(milliseconds=float(number)))
    made: BotFactory = getattr(importlib.import_module(first), rest)
    return made


class Timed:
    """A bot with a clock beside it."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.seconds = 0.0
        self.choices = 0

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        """As the bot does. What is no choice does not count."""
        begin = process_time()
        move = self.bot.choose(view, legal, rng)
        self.seconds += process_time() - begin
        self.choices += len(legal) > 1
        return move


def play_deal(row: Row, deal: int) -> dict[str, Any]:
    """One line of results.

    ``places`` (of a cooperative game none), ``scores`` by game; of a pair also ``other_places`` and
    ``other_scores`` of the other bot on the same seats. ``seconds``, ``choices`` and ``turns`` of the row's bot.
    """
    engine = row.engine()
    options = deal_options(engine, row.seats, deal, row.options)
    rules = engine.with_options(options)
    seed = deal_seed(SEED, deal)
    timed = Timed(maker(row.bot)(rules))
    line: dict[str, Any] = {"deal": deal, "places": [], "scores": []}
    turns = 0
    others = None if row.others is None else maker(row.others)(rules)
    for seat in range(row.seats if others else 1):
        bots = [timed if others is None or one == seat else others for one in range(row.seats)]
        played = play_through(engine, bots, seed, options)
        turns += _turns_of(played, [bot is timed for bot in bots])
        _add(line, "", played, seat)
    if others is not None and row.figure == "ahead":
        played = play_through(engine, [others] * row.seats, seed, options)
        line |= {"other_places": [], "other_scores": []}
        for seat in range(row.seats):
            _add(line, "other_", played, seat)
    return {**line, "seconds": round(timed.seconds, 4), "choices": timed.choices, "turns": turns}


def _turns_of(played: Playthrough, counts: Sequence[bool]) -> int:
    """How often it was the turn of a seat that counts: where one plays alone, as often as it ended its turn."""
    if len(counts) == 1:
        return sum(played.game.describe(turn.move) == "end" for turn in played.turns)
    return sum(1 for seat, _moves in groupby(turn.seat for turn in played.turns) if counts[seat])


def _add(line: dict[str, Any], whose: str, played: Playthrough, seat: Seat) -> None:
    outcome = played.outcome()
    if outcome is None:
        raise RuntimeError(f"{played.game.key} did not end")
    line[f"{whose}scores"].append(outcome.scores[seat])
    if outcome.places is not None:
        line[f"{whose}places"].append(outcome.places[seat])


def figure_of(figure: Figure, line: Mapping[str, Any]) -> float:
    """A deal's figure."""
    match figure:
        case "place":
            return fmean(line["places"])
        case "wins":
            return fmean(place == 1 for place in line["places"])
        case "score":
            return fmean(line["scores"])
        case "perfect":
            return fmean(score == 0 for score in line["scores"])
        case "ahead":
            return fmean(line["other_places"]) - fmean(line["places"])


def stored(row: Row, folder: Path) -> dict[int, dict[str, Any]]:
    """The lines that count, by deal. A line that was cut off by a kill is passed over."""
    path, lines = folder / f"{row.name}.jsonl", {}
    if path.exists():
        fingerprint = row.fingerprint()
        for text in path.read_text(encoding="utf-8").splitlines():
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if line["fingerprint"] == fingerprint:
                lines[line["deal"]] = line
    return lines


def measure(row: Row, deals: int, folder: Path) -> Iterator[dict[int, dict[str, Any]]]:
    """The lines of the first so many deals, after each deal that was still to be played and at the end."""
    lines, fingerprint = stored(row, folder), row.fingerprint()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{row.name}.jsonl").open("a", encoding="utf-8") as file:
        for deal in range(deals):
            if deal not in lines:
                lines[deal] = {"fingerprint": fingerprint, **play_deal(row, deal)}
                # A line of its own even after one that a kill cut off.
                file.write(f"\n{json.dumps(lines[deal])}")
                file.flush()
                yield lines
    yield {deal: line for deal, line in lines.items() if deal < deals}


def report(row: Row, lines: Mapping[int, Mapping[str, Any]]) -> str:
    """One line of Markdown: what came out, and whether the bound is reached."""
    ordered = [lines[deal] for deal in sorted(lines)]
    found = estimate([figure_of(row.figure, line) for line in ordered])
    cpu = sum(line["seconds"] for line in ordered)
    choices = max(1, sum(line["choices"] for line in ordered))
    turns = max(1, sum(line["turns"] for line in ordered))
    against = "all seats" if row.others is None else f"among {row.seats - 1} {row.others}"
    parts = [
        row.name,
        f"{row.bot} {against}",
        f"{len(ordered):,}",
        f"{row.figure} {_shown(found)}",
        f"{'at most' if row.most else 'at least'} {row.bound:g}",
        "**reached**" if reached(row, found) and within(row, cpu / turns) else "not reached",
        f"{1000 * cpu / choices:.2f} ms a choice, {1000 * cpu / turns:.2f} ms a turn",
    ]
    if row.figure == "ahead":
        gains = [fmean(line["scores"]) - fmean(line["other_scores"]) for line in ordered]
        parts.append(f"points more {_shown(estimate(gains))}")
    return f"| {' | '.join(parts)} |"


def reached(row: Row, found: Estimate) -> bool:
    """Whether the whole interval lies on the right side of the bound; of one that excludes 0, not on it."""
    if found.margin is None:
        return False
    if row.figure == "ahead":
        return found.mean - found.margin > row.bound
    return found.mean + found.margin <= row.bound if row.most else found.mean - found.margin >= row.bound


def within(row: Row, seconds: float) -> bool:
    """Whether a turn is fast enough."""
    return row.most_cpu is None or seconds <= row.most_cpu


def _shown(value: Estimate) -> str:
    return f"{value.mean:.3f}" if value.margin is None else f"{value.mean:.3f} ± {value.margin:.3f}"


def main(argv: Sequence[str]) -> int:
    """Measure, or list, rows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bots", description="How strong the bots are.")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="by name; a first part names all that begin so")
    parser.add_argument("--deals", type=int, help="how many deals (else the row's own number)")
    parser.add_argument("--list", action="store_true", help="list the rows, or show what is stored of those named")
    parser.add_argument("--folder", type=Path, default=RESULTS, help="of the results")
    given = parser.parse_args(argv)
    for name in given.rows:
        if not any(row.name.startswith(name) for row in ROWS):
            parser.error(f"ROW must be one of {', '.join(row.name for row in ROWS)}, not {name}")
    chosen = [row for row in ROWS if any(row.name.startswith(name) for name in given.rows)]
    if not given.rows:
        if not given.list:
            parser.error("name a row, or --list")
        chosen = list(ROWS)
    for row in chosen:
        lines = stored(row, given.folder)
        if not given.list:
            for lines in measure(row, given.deals or row.deals, given.folder):
                if sys.stderr.isatty():
                    sys.stderr.write(f"\r{report(row, lines)} ")
        sys.stdout.write(f"{report(row, lines) if lines else f'| {row.name} | nothing measured |'}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
