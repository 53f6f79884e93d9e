"""What a round of Swiss for two costs, and how the same matching goes with NetworkX.

    .venv-test/bin/python -m benchmarks.swiss                            32, 200, 1,000 and 5,000 players
    .venv-test/bin/python -m benchmarks.swiss --rounds 3 --networkx 200 1000

For each size a tournament is played by chance, the stronger winning more often. Printed are CPU seconds of a round, all
of it, median and most; those of the matching alone in the last round; the same matching of the same graph by NetworkX
up to `--networkx` players, with the ratio; and whether a field that is not solved with every pair at first loses
anything by it up to `--every` players: the sums of what the module compares, in its order, with every pair.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from statistics import median
from typing import Any

import networkx  # type: ignore[import-untyped]
import rustworkx
from tqdm import tqdm

from league.pairing import swiss
from league.pairing.values import Entrant, PairedRound, PastRound, Table, TableKind

SIZES = [32, 200, 1000, 5000]
Graph = rustworkx.PyGraph[None, int]


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """What the call gives, and its CPU seconds."""
    begin = time.process_time()
    return call(), time.process_time() - begin


@contextmanager
def watched() -> Iterator[list[tuple[Graph, float]]]:
    """The graphs that are matched meanwhile, each with its CPU seconds."""
    seen: list[tuple[Graph, float]] = []
    own = rustworkx.max_weight_matching

    def match(graph: Graph, **how: Any) -> Any:
        found, seconds = timed(lambda: own(graph, **how))
        seen.append((graph, seconds))
        return found

    rustworkx.max_weight_matching = match  # type: ignore[assignment]
    try:
        yield seen
    finally:
        rustworkx.max_weight_matching = own


def with_networkx(graph: Graph) -> float:
    """CPU seconds that NetworkX takes for the same matching. Raises SystemExit where it finds another one."""
    same: networkx.Graph = networkx.Graph()
    same.add_nodes_from(range(graph.num_nodes()))
    same.add_weighted_edges_from(graph.weighted_edge_list())
    found, seconds = timed(lambda: networkx.max_weight_matching(same, maxcardinality=True))
    ours = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if {frozenset(two) for two in found} != {frozenset(two) for two in ours}:
        raise SystemExit("NetworkX found another matching")
    return seconds


def play(paired: PairedRound, number: int, rng: random.Random, scores: dict[int, float]) -> PastRound:
    """The round with results, added to `scores`."""
    tables = []
    for two in paired.tables:
        upper, lower = sorted(two)
        share = rng.random()
        points = 0.5 if share < 0.1 else float(share < 0.55 + 0.4 * (lower - upper) / len(scores))
        tables.append(Table(entrants=two, scores={upper: points, lower: 1 - points}))
    tables += [Table(entrants=(one,), kind=TableKind.BYE, scores={one: 1.0}) for one in paired.byes]
    for table in tables:
        for entrant, points in table.scores.items():
            scores[entrant] += points
    return PastRound(number=number, tables=tuple(tables))


def costs(
    paired: PairedRound, entrants: Sequence[Entrant], rounds: Sequence[PastRound], scores: dict[int, float]
) -> list[int]:
    """The sums of what the module compares at tables."""
    past = swiss.history(rounds)
    matching = swiss._Matching(
        swiss.playing(entrants, rounds, scores), scores, past, met={}, apart=frozenset(), random=random.Random(1)
    )
    places = {one.id: place for place, one in enumerate(matching.field)}
    by_table = []
    for two in paired.tables:
        upper, lower = sorted(two, key=lambda one: places[one])
        by_table.append(matching._cost(matching.field[places[upper]], matching.field[places[lower]]))
    return [sum(column) for column in zip(*by_table, strict=True)]


def measure(size: int, rounds: int, *, networkx_to: int, every_to: int, bar: "tqdm[Any]") -> str:
    """One line of figures."""
    rng = random.Random(size)
    entrants = [Entrant(id=number, seed=number) for number in range(1, size + 1)]
    scores = dict.fromkeys(range(1, size + 1), 0.0)
    past: list[PastRound] = []
    taken = []
    for number in range(1, rounds + 1):
        bar.set_postfix_str(f"{size} players, round {number}")
        before = dict(scores)
        with watched() as seen:
            paired, seconds = timed(lambda: swiss.pair(entrants, past, scores, seed=1))
        taken.append(seconds)
        if number < rounds:
            past.append(play(paired, number, rng, scores))
        bar.update()
    graph, matched = seen[-1]
    told = f"{size:>5} players: a round {median(taken):.2f} s, at most {max(taken):.2f} s; "
    told += f"{graph.num_edges()} pairs, matching {matched:.3f} s"
    if size <= networkx_to:
        bar.set_postfix_str(f"{size} players, NetworkX")
        other = with_networkx(graph)
        told += f", NetworkX {other:.2f} s ({other / matched:.0f} times)"
    if swiss._COMPLETE < size <= every_to:
        bar.set_postfix_str(f"{size} players, every pair")
        usual, swiss._COMPLETE = swiss._COMPLETE, size
        complete, seconds = timed(lambda: swiss.pair(entrants, past, before, seed=1))
        swiss._COMPLETE = usual
        ours, best = costs(paired, entrants, past, before), costs(complete, entrants, past, before)
        told += f"; with every pair {seconds:.1f} s, costs {ours} and {best}"
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES, metavar="players")
    parser.add_argument("--rounds", type=int, default=6, help="rounds of each tournament")
    parser.add_argument("--networkx", type=int, default=1000, metavar="PLAYERS", help="the largest field for NetworkX")
    parser.add_argument("--every", type=int, default=1000, metavar="PLAYERS", help="the largest field with every pair")
    options = parser.parse_args()
    with tqdm(total=len(options.sizes) * options.rounds, desc="Swiss", unit="round", disable=None) as bar:
        for size in options.sizes:
            line = measure(size, options.rounds, networkx_to=options.networkx, every_to=options.every, bar=bar)
            bar.write(line, file=sys.stdout)
    sys.stdout.write(
        f"rustworkx {version('rustworkx')}, networkx {version('networkx')}; load {os.getloadavg()[0]:.1f}\n"
    )


if __name__ == "__main__":
    main()
