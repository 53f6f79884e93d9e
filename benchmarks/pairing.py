"""Planned seatings: how many repeats they have beside what is provably possible, and then what Swiss costs.

    .venv-test/bin/python -m benchmarks.pairing                          every row, then benchmarks.swiss
    .venv-test/bin/python -m benchmarks.pairing 40x4x13 13x4x6           these players x size x rounds alone
    .venv-test/bin/python -m benchmarks.pairing --seed 7 --no-swiss

Printed for each row: the sizes of a round's tables; the lower bound; F, the sum over all pairs of c(c-1)/2 where c is
how often they sit together; the largest c; how often whoever is least and most often at a short table is there; the
iterations used, CPU seconds and the method. A row that does not reach what is known to be possible is marked, and the
program ends with 1. Then the seatings beyond annealing's reach, round by round, each counted pair by pair.
"""

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from tqdm import tqdm

from league.pairing.seating import BUDGET, METHODS, Plan, plan_seating

Row = tuple[int, int, int]

# F by players, preferred size and rounds: what is known to be possible.
KNOWN: dict[Row, int] = {
    (9, 3, 4): 0,
    (15, 3, 7): 0,
    (18, 3, 8): 0,
    (21, 3, 10): 0,
    (8, 4, 7): 84,
    (12, 4, 6): 45,
    (12, 4, 11): 198,
    (16, 4, 5): 0,
    (16, 4, 6): 24,
    (20, 4, 5): 0,
    (24, 4, 6): 0,
    (24, 4, 7): 0,
    (28, 4, 8): 0,
    (28, 4, 9): 0,
    (32, 4, 9): 0,
    (25, 5, 6): 0,
    (30, 5, 6): 0,
    (35, 5, 7): 0,
    (18, 6, 6): 135,
    (36, 6, 3): 0,
    (13, 4, 6): 12,
    (14, 4, 6): 17,
    (17, 5, 6): 32,
    (22, 4, 6): 0,
    (23, 6, 6): 105,
    (25, 4, 7): 0,
    (26, 4, 7): 0,
    (27, 4, 7): 0,
    (100, 4, 10): 0,
    (200, 4, 10): 0,
}
# Known by constructions alone; annealing of all rounds ends at 22, 20, 43 and 40.
BEYOND: dict[Row, int] = {(32, 4, 10): 0, (36, 4, 11): 0, (40, 4, 13): 0, (48, 4, 15): 0}
# Not reached here, so not held against a run: docs/seating.md.
OPEN = {(32, 4, 10)}

HEAD = "players size rounds  tables           bound    F  c  short  iterations  CPU s  method"


def plan_row(row: Row, seed: int, budget: int, bar: "tqdm[Any]") -> tuple[Plan, float]:
    """The plan of a row and its CPU seconds; the bar goes on by one."""
    begin = bar.n

    def show(share: float) -> None:
        bar.n = begin + share
        bar.update(0)

    players, size, rounds = row
    started = time.process_time()
    plan = plan_seating(range(1, players + 1), size, rounds, seed=seed, budget=budget, progress=show)
    seconds = time.process_time() - started
    bar.n = begin + 1
    return plan, seconds


def line_of(row: Row, plan: Plan, seconds: float) -> str:
    """A row of the table."""
    players, size, rounds = row
    tables = "+".join(f"{number}x{its}" for its, number in sorted(Counter(plan.sizes).items(), reverse=True))
    low, high = plan.short
    known = {**KNOWN, **BEYOND}.get(row)
    worth = "proven best" if plan.is_proven else "not proven"
    missed = f"  MISSED: {known} is possible" if known is not None and plan.repeats > known else ""
    return (
        f"{players:7} {size:4} {rounds:6}  {tables:15} {plan.bound:6} {plan.repeats:4} {plan.largest:2}"
        f" {f'{low}-{high}':>6} {plan.spent:11,} {seconds:6.1f}  {METHODS[plan.method]}; {worth}{missed}"
    )


def write_rounds(row: Row, plan: Plan) -> None:
    """A plan round by round, with a count of its pairs that owes nothing to the program that made it."""
    met = Counter(pair for one in plan.rounds for table in one for pair in combinations(sorted(table), 2))
    players, size, rounds = row
    sys.stdout.write(f"\n{players} players at {size}s for {rounds} rounds:\n")
    for number, one in enumerate(plan.rounds, 1):
        sys.stdout.write(f"{number:3}: " + "  ".join(" ".join(f"{p:2}" for p in table) for table in one) + "\n")
    counts = Counter(met.values())
    never = players * (players - 1) // 2 - len(met)
    told = ", ".join(f"{counts[c]} pairs {c} times" for c in sorted(counts))
    sys.stdout.write(f"counted: {told}, {never} never\n")


def run(rows: Sequence[Row], seed: int, budget: int) -> bool:
    """Print the table; whether each row reaches what is known."""
    reached = True
    plans = {}
    with tqdm(total=len(rows), desc="Seatings", disable=None, bar_format="{l_bar}{bar}| {elapsed}") as bar:
        bar.write(HEAD, file=sys.stdout)
        for row in rows:
            plan, seconds = plan_row(row, seed, budget, bar)
            plans[row] = plan
            bar.write(line_of(row, plan, seconds), file=sys.stdout)
            reached = reached and (row in OPEN or plan.repeats <= {**KNOWN, **BEYOND}.get(row, plan.repeats))
    for row in rows:
        if row in BEYOND and row not in OPEN:
            write_rounds(row, plans[row])
    sys.stdout.write(f"\nseed {seed}, budget {budget:,} iterations; load {os.getloadavg()[0]:.1f}\n")
    return reached


def read_row(text: str) -> Row:
    players, size, rounds = map(int, text.split("x"))
    return players, size, rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", type=read_row, metavar="players x size x rounds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=int, default=BUDGET, help="iterations for each row")
    parser.add_argument("--no-swiss", action="store_true", help="the seatings alone")
    options = parser.parse_args()
    reached = run(options.rows or [*KNOWN, *BEYOND], options.seed, options.budget)
    if not options.no_swiss and not options.rows:
        sys.stdout.flush()
        # A process of its own: it needs NetworkX, which is in the group `bench` alone.
        reached = not subprocess.run([sys.executable, "-m", "benchmarks.swiss"], check=False).returncode and reached
    sys.exit(not reached)


if __name__ == "__main__":
    main()
