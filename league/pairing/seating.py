"""A seating of all rounds, planned beforehand: as few repeats as possible, known to be the fewest where that is proved.

Terms: `bounds` tells what a repeat and F are, `designs`, `cyclic` and `annealing` the methods, `keeping` what wishes
mean and how they are refused. Of two seatings the one with the smaller F is better, then the one that shares the short
tables out more evenly (the sum of squares of how often a player sits at one smaller than the largest).

Promise: the same players, sizes, rounds, wishes, seed and budget give the same plan on every machine, if nobody stopped
the search. Every wish is kept, or the plan is refused.

Codes of reasons (`PairingError`), besides those of `sizes` and `keeping`:

- `player_twice`: the same player is named twice. One entrant.
- `no_rounds`: there is to be one round at least. Figures: rounds.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random

from league.pairing.annealing import COOL, NARROW, WIDE, Cooling, anneal
from league.pairing.bounds import count_meetings, largest_count, lower_bound, repeats
from league.pairing.cyclic import Wheels, anneal_bases, has_room, possible_wheels, turned
from league.pairing.designs import Tables, drop_players, find_design
from league.pairing.effort import Effort
from league.pairing.keeping import Keeping, draw_round, number_tables, read_wishes, relabel, shuffle
from league.pairing.positions import Round, balance_seats
from league.pairing.sizes import LARGEST, SMALLEST, table_sizes
from league.pairing.values import PairingError, Reason, Wishes

# Iterations in all; about five seconds on one core that does nothing else.
BUDGET = 4_000_000
# The first coolings; each following one of a kind has twice as many iterations.
FIRST_BASES, FIRST_PLAIN = 50_000, 300_000
# Ways to turn that are tried by turns.
WHEELS = 6
# What keeps a pair apart costs more than any repeat.
NEVER = 10**6

METHODS = {
    "field": "transversal design over a finite field",
    "progression": "transversal design over the whole numbers modulo the number of tables",
    "starter": "a base round, found by a complete search, turned once around",
    "repeated": "a design in which every pair meets once, from the beginning again",
    "cyclic": "base rounds, annealed and turned",
    "annealing": "annealing of all rounds",
    "extended": "a design, with more rounds annealed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A seating of all rounds with what it is worth.

    `rounds` have their tables in order of table numbers, each with the players in order of seats. `repeats` is F,
    `largest` the largest c, `bound` what F can't be below. `short` tells how often the players sit at a table smaller
    than the largest: who does least and who does most. `spent` iterations of `budget` were used. A plan that is not
    reproducible was stopped by the caller.
    """

    rounds: tuple[Round, ...]
    sizes: tuple[int, ...]
    repeats: int
    largest: int
    bound: int
    short: tuple[int, int]
    method: str
    seed: int
    budget: int
    spent: int
    is_reproducible: bool

    @property
    def is_proven(self) -> bool:
        """Whether no seating has fewer repeats."""
        return self.repeats == self.bound


def plan_seating(
    players: Sequence[int],
    preferred: int,
    rounds: int,
    *,
    seed: int,
    wishes: Wishes = Wishes(),  # noqa: B008 - it is frozen
    smallest: int = SMALLEST,
    largest: int = LARGEST,
    budget: int = BUDGET,
    progress: Callable[[float], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Plan:
    """The best seating found for these players, at tables of the preferred size or as `table_sizes` has it.

    `progress` is told the share of the budget that is used, 1.0 at the end; `stop` is asked now and then whether to end
    with what there is. Raises PairingError where no plan is possible.
    """
    twice = [player for player, count in Counter(players).items() if count > 1]
    if twice:
        raise PairingError(Reason(code="player_twice", entrants=(twice[0],)))
    if rounds < 1:
        raise PairingError(Reason(code="no_rounds", figures={"rounds": rounds}))
    sizes = table_sizes(len(players), preferred, smallest=smallest, largest=largest)
    keeping = read_wishes(players, sizes, wishes)
    effort = Effort(budget, progress=progress, stop=stop)
    search = _Search(sizes, rounds, keeping, effort, Random(seed))
    try:
        search.run()
    except NotMet:
        who = {p for group in (*keeping.groups, *keeping.apart) for p in group} | set(keeping.fixed)
        entrants = tuple(sorted(players[p] for p in who))
        raise PairingError(Reason(code="wishes_not_met", entrants=entrants)) from None
    labels = list(players)
    if not keeping.groups and not keeping.apart and not keeping.fixed:
        # A design has an order of its own; who is who in it is left to chance.
        shuffle(labels, Random(seed))
    numbered = [number_tables([list(table) for table in one], keeping) for one in search.best]
    seated = balance_seats([[[labels[p] for p in table] for table in one] for one in numbered])
    if progress is not None:
        progress(1.0)
    often = _often_short(search.best)
    return Plan(
        rounds=seated,
        sizes=sizes,
        repeats=repeats(seated),
        largest=largest_count(seated),
        bound=search.bound,
        short=(min(often), max(often)),
        method=search.method,
        seed=seed,
        budget=budget,
        spent=min(effort.spent, budget),
        is_reproducible=not effort.stopped,
    )


def _often_short(rounds: Sequence[Tables]) -> list[int]:
    """How often each player sits at a table smaller than the largest."""
    longest = max(len(table) for table in rounds[0])
    often = [0] * sum(len(table) for table in rounds[0])
    for one in rounds:
        for table in one:
            if len(table) < longest:
                for p in table:
                    often[p] += 1
    return often


class NotMet(Exception):
    """No tables were found that meet all wishes at once."""


class _Search:
    """All methods by turns, with the best seating so far."""

    def __init__(self, sizes: Sequence[int], rounds: int, keeping: Keeping, effort: Effort, rng: Random) -> None:
        self.sizes = tuple(sizes)
        self.players = sum(sizes)
        self.rounds = rounds
        self.keeping = keeping
        self.effort = effort
        self.rng = rng
        self.bound = lower_bound(
            self.players, [sizes] * rounds, together=keeping.together_pairs, apart=len(keeping.apart)
        )
        places = rounds * sum(size for size in sizes if size < max(sizes))
        each, more = divmod(places, self.players)
        self.goal = (self.bound, self.players * each * each + more * (2 * each + 1))
        self.value: tuple[int, int] | None = None
        self.best: list[Tables] = []
        self.method = ""

    @property
    def done(self) -> bool:
        """Whether nothing can be better, or nothing more may be tried."""
        return self.value is not None and (self.value <= self.goal or self.effort.left == 0)

    def run(self) -> None:
        """Find the best seating."""
        size = max(self.sizes)
        full = len(self.sizes) * size
        designed: list[Tables] = []
        if not self.keeping.groups:
            design = find_design(full, size, self.rounds)
            if design is not None:
                designed = design.rounds
                self._offer_design(designed, design.method)
        wheels = self._wheels(full, size)
        if self.value is None:
            # A plan there is, or the wishes are refused, however little may be tried.
            self._plain(self._drawn(), range(self.rounds), 1, "annealing")
        turn = 0
        cooled: tuple[int, int] | None = None
        while not self.done:
            if self.value is not None and self.value[0] == self.bound and self.value != cooled:
                flat = [[p for table in one for p in table] for one in self.best]
                self._plain(flat, range(self.rounds), FIRST_PLAIN // 3, self.method, COOL)
                cooled = self.value
            for one in wheels:
                if not self.done:
                    self._cyclic(one, full, size, FIRST_BASES << (0 if self._is_even_alone(wheels) else turn))
            if self._is_even_alone(wheels):
                # Many different designs rather than one long search: some leave out players more evenly.
                continue
            if not self.done and 0 < len(designed) < self.rounds and full == self.players and not self.keeping.apart:
                start = [[p for table in one for p in table] for one in designed]
                start += self._drawn()[len(designed) :]
                self._plain(start, range(len(designed), self.rounds), FIRST_PLAIN << turn, "extended")
            for cooling in (NARROW, WIDE) if self.bound else (WIDE,):
                if not self.done:
                    self._plain(self._drawn(), range(self.rounds), FIRST_PLAIN << turn, "annealing", cooling)
            turn += 1

    def _wheels(self, full: int, size: int) -> list[Wheels]:
        """The ways to turn that are worth a try; for mixed sizes those alone that may leave no repeat."""
        if self.keeping.groups:
            return []
        found = possible_wheels(full, size, self.rounds)
        if self.bound == 0:
            return [one for one in found if has_room(one, size)][:WHEELS]
        if full != self.players:
            return []
        # With repeats, rounds that are left over cost more than they are worth.
        return [one for one in found if one.turns * one.bases == self.rounds][:WHEELS]

    def _is_even_alone(self, wheels: Sequence[Wheels]) -> bool:
        """Whether evenness is all that is missing, and there are wheels to make other designs."""
        return bool(wheels) and self.value is not None and self.value[0] == self.bound and not self.done

    def _offer(self, rounds: list[Tables], method: str) -> None:
        """Keep a seating if it is better."""
        value = (repeats(rounds), sum(often * often for often in _often_short(rounds)))
        if self.value is None or value < self.value:
            self.value, self.best, self.method = value, rounds, method

    def _offer_design(self, rounds: list[Tables], method: str) -> None:
        """A seating at tables of one size, less the players who are too many; a complete design may be repeated."""
        full = sum(len(table) for table in rounds[0])
        if len(rounds) < self.rounds:
            if full != self.players or len(count_meetings(rounds)) < comb(full, 2):
                return
            rounds = [rounds[number % len(rounds)] for number in range(self.rounds)]
            method = "repeated"
        dropped = self._best_to_drop(rounds, full - self.players)
        if dropped is None:
            return
        if dropped:
            rounds = drop_players(rounds, dropped)
        if self.keeping.apart:
            changed = relabel(rounds, self.keeping, self.rng)
            if changed is None:
                return
            rounds = changed
        self._offer(rounds, method)

    def _best_to_drop(self, rounds: list[Tables], number: int) -> tuple[int, ...] | None:
        """Players who never meet, such that those left sit at short tables as equally often as possible."""
        if number == 0:
            return ()
        full = sum(len(table) for table in rounds[0])
        met = [[0] * full for _player in range(full)]
        for (a, b), count in count_meetings(rounds).items():
            met[a][b] = met[b][a] = count
        best: tuple[int, tuple[int, ...]] | None = None
        for chosen in self._choices(full, number):
            if any(met[a][b] for a, b in combinations(chosen, 2)):
                continue
            often = [sum(met[d][p] for d in chosen) for p in range(full) if p not in chosen]
            uneven = sum(count * count for count in often)
            if best is None or uneven < best[0]:
                best = (uneven, chosen)
        return None if best is None else best[1]

    def _choices(self, full: int, number: int) -> list[tuple[int, ...]]:
        """All choices of so many players, or some by chance if there are too many."""
        if comb(full, number) <= 4000:
            return list(combinations(range(full), number))
        everybody = list(range(full))
        choices = []
        for _choice in range(max(200, 200_000 // full)):
            # The first few of a shuffle.
            for index in range(number):
                other = index + int(self.rng.random() * (full - index))
                everybody[index], everybody[other] = everybody[other], everybody[index]
            choices.append(tuple(sorted(everybody[:number])))
        return choices

    def _drawn(self) -> list[list[int]]:
        """Rounds by chance that meet the wishes."""
        drawn = []
        for _round in range(self.rounds):
            one = draw_round(self.players, self.sizes, self.keeping, self.rng)
            if one is None:
                raise NotMet
            drawn.append(one)
        return drawn

    def _plain(
        self,
        start: list[list[int]],
        movable: Sequence[int],
        iterations: int,
        method: str,
        cooling: Cooling = WIDE,
    ) -> None:
        prior = [[0] * self.players for _player in range(self.players)]
        for a, b in self.keeping.apart:
            prior[a][b] = prior[b][a] = NEVER
        found = anneal(
            start,
            self.sizes,
            prior=prior,
            movable=movable,
            groups=self.keeping.groups,
            goal=self.goal,
            iterations=min(iterations, self.effort.left),
            effort=self.effort,
            rng=self.rng,
            cooling=cooling,
        )
        self._offer([self._as_tables(one) for one in found.rounds], method)

    def _as_tables(self, flat: Sequence[int]) -> Tables:
        seats = iter(flat)
        return [[next(seats) for _seat in range(size)] for size in self.sizes]

    def _cyclic(self, wheels: Wheels, full: int, size: int, iterations: int) -> None:
        goal = lower_bound(full, [(size,) * len(self.sizes)] * (wheels.turns * wheels.bases))
        bases, _repeats = anneal_bases(
            wheels, size, goal=goal, iterations=min(iterations, self.effort.left), effort=self.effort, rng=self.rng
        )
        self._offer_design(turned(wheels, bases, self.rounds), "cyclic")
