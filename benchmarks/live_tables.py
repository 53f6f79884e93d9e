"""How well live Swiss seats tables of 3 to 6: simulated events, for docs/live-tables.md.

    .venv-test/bin/python -m benchmarks.live_tables                                200 events of every case, as in docs
    .venv-test/bin/python -m benchmarks.live_tables --events 20 24x5 128x5         players x rounds
    .venv-test/bin/python -m benchmarks.live_tables --preferred 5 --luck 2 40x6

An event: each entrant has a strength from a normal distribution (deviation 1) and plays each round with that strength
plus luck, normal as well (deviation `--luck`, 1 by default); the better at a table has the better place. A place brings
3 points for the first, 0 for the last and what lies evenly between for the others, whatever the size of the table.
Seeds follow the strength. Nobody drops out.

What is printed, means over events:

- F, the sum over all pairs of c (c - 1) / 2, where c is how often the pair sat together in the event; the highest F
  of any event; the largest c of all.
- spread: of a table, the highest average of points per round before this round minus the lowest; the mean over the
  tables of a round, then over the rounds from the second on (in the first it is 0); the same as a standard deviation of
  the averages at a table. Beside it the spread if tables were cut from the standings in order and people met again and
  again, and if they were drawn blindly.
- short: the most that anybody sat at a short table more often than somebody else did.
- CPU: seconds for a round, by `time.process_time`.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from statistics import fmean, pstdev

from tqdm import tqdm

from league.pairing import table_swiss
from league.pairing.values import Entrant, PastRound, Table

CASES = ("24x5", "32x5", "128x5", "22x5", "23x5", "13x4", "40x6", "1000x7")
# A single event of this many players says as much as many small ones, and costs as much.
_LARGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What came of one: the rounds, and spreads and seconds by round from the second on."""

    rounds: tuple[PastRound, ...]
    spreads: tuple[float, ...]
    deviations: tuple[float, ...]
    cut: tuple[float, ...]
    blind: tuple[float, ...]
    seconds: tuple[float, ...]

    def meetings(self) -> Counter[tuple[int, int]]:
        """How often each pair met."""
        return Counter(two for one in self.rounds for table in one.tables for two in table.pairs())

    def repeats(self) -> int:
        """F."""
        return sum(times * (times - 1) // 2 for times in self.meetings().values())

    def short_gap(self) -> int:
        """How much more often than the least anybody sat at a short table."""
        times = Counter[int]()
        for one in self.rounds:
            longest = max(len(table.entrants) for table in one.tables)
            for table in one.tables:
                times.update(dict.fromkeys(table.entrants, len(table.entrants) < longest))
        return max(times.values()) - min(times.values())


def play(players: int, rounds: int, *, preferred: int = 4, luck: float = 1.0, seed: int) -> Event:
    """One event, as the module says."""
    rng = Random(seed)
    strength = dict(enumerate(sorted((rng.gauss(0, 1) for _ in range(players)), reverse=True), start=1))
    entrants = [Entrant(id=one, seed=one) for one in strength]
    totals = dict.fromkeys(strength, 0.0)
    past: list[PastRound] = []
    measured: list[tuple[float, ...]] = []
    for number in range(1, rounds + 1):
        began = time.process_time()
        answer = table_swiss.pair(entrants, past, totals, preferred=preferred, seed=1_000 * seed + number)
        seconds = time.process_time() - began
        if past:
            averages = {one: total / len(past) for one, total in totals.items()}
            in_order = sorted(averages, key=lambda one: -averages[one])
            drawn = rng.sample(in_order, players)
            sizes = [len(table) for table in answer.tables]
            measured.append(
                (
                    _spread(answer.tables, averages),
                    fmean(pstdev(averages[one] for one in table) for table in answer.tables),
                    _spread(_cut(in_order, sizes), averages),
                    _spread(_cut(drawn, sizes), averages),
                    seconds,
                )
            )
        past.append(_play_round(number, answer.tables, strength, luck, rng))
        for table in past[-1].tables:
            for one, points in table.scores.items():
                totals[one] += points
    columns = tuple(zip(*measured, strict=True)) or ((),) * 5
    return Event(
        rounds=tuple(past),
        spreads=columns[0],
        deviations=columns[1],
        cut=columns[2],
        blind=columns[3],
        seconds=columns[4],
    )


def _play_round(
    number: int, tables: Sequence[Sequence[int]], strength: Mapping[int, float], luck: float, rng: Random
) -> PastRound:
    played = []
    for table in tables:
        form = {one: strength[one] + rng.gauss(0, luck) for one in table}
        places = {one: place for place, one in enumerate(sorted(table, key=lambda one: -form[one]), start=1)}
        scores = {one: 3 * (len(table) - place) / (len(table) - 1) for one, place in places.items()}
        played.append(Table(entrants=tuple(table), places=places, scores=scores))
    return PastRound(number=number, tables=tuple(played))


def _cut(people: Sequence[int], sizes: Sequence[int]) -> list[Sequence[int]]:
    ends = [sum(sizes[:count]) for count in range(len(sizes) + 1)]
    return [people[start:end] for start, end in pairwise(ends)]


def _spread(tables: Sequence[Sequence[int]], averages: Mapping[int, float]) -> float:
    return fmean(max(averages[one] for one in table) - min(averages[one] for one in table) for table in tables)


def report(case: str, events: Sequence[Event]) -> str:
    """One line of the table."""
    repeats = [event.repeats() for event in events]
    largest = max(max(event.meetings().values()) for event in events)
    measures = ("spreads", "deviations", "cut", "blind", "seconds")
    spread, deviation, cut, blind, seconds = (
        fmean(value for event in events for value in getattr(event, name)) for name in measures
    )
    return (
        f"| {case.replace('x', ' | ')} | {len(events)} | {fmean(repeats):.2f} | {max(repeats)} | {largest} "
        f"| {spread:.2f} | {deviation:.2f} | {cut:.2f} | {blind:.2f} "
        f"| {max(event.short_gap() for event in events)} | {seconds:.2f} s |\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", default=list(CASES), help="players x rounds, as 24x5")
    parser.add_argument("--events", type=int, default=200)
    parser.add_argument("--preferred", type=int, default=4, help="seats of a table")
    parser.add_argument("--luck", type=float, default=1.0, help="deviation of luck; that of strength is 1")
    args = parser.parse_args()
    plan = [(case, *map(int, case.split("x"))) for case in args.cases]
    counts = {case: args.events if players < _LARGE else 1 for case, players, _rounds in plan}
    lines = []
    with tqdm(total=sum(counts.values()), unit="event") as bar:
        for case, players, rounds in plan:
            events = []
            for seed in range(1, counts[case] + 1):
                events.append(play(players, rounds, preferred=args.preferred, luck=args.luck, seed=seed))
                bar.update()
            lines.append(report(case, events))
    sys.stdout.write(
        "| players | rounds | events | F | highest | largest c | spread | deviation | cut | blind | short | CPU |\n"
        f"|{'---:|' * 12}\n{''.join(lines)}"
    )


if __name__ == "__main__":
    main()
