"""Plain annealing of a seating: two players change their tables in one round, again and again.

A change that makes the seating worse by d is taken with the chance b^d, and b gets smaller. Chances are products, and
chance comes from `random()` alone, so that every machine decides alike. What a change costs is known without a look at
the other tables: a pair that meets once more than c times brings c repeats more, so the matrix of c is all there is to
keep. It is filled beforehand with what a pair costs anyway (pairs to keep apart or together, meetings of before).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from league.pairing.effort import Effort

STEPS = 60
CHUNK = 2000


@dataclass(frozen=True, slots=True)
class Cooling:
    """How a seating is cooled, in STEPS steps.

    A repeat weighs as much as `repeat` units of unevenness (the square of how often a player is at a short table);
    `warm` and `cold` are the chances to become worse by one unit, at the beginning and at the end.
    """

    repeat: int
    warm: float
    cold: float


# From where all is in motion to where next to nothing is: where no repeat is needed.
WIDE = Cooling(4, 0.74, 0.27)
# For a seating that is as good as can be but for its evenness.
COOL = Cooling(2, 0.30, 0.03)
# About where it freezes, evenness being all but ignored: where some repeats are needed.
NARROW = Cooling(8, 0.70, 0.66)


@dataclass(slots=True)
class Seating:
    """Rounds as flat lists of players, table after table; the best that was found, by (cost, unevenness).

    While it is not kept, nothing but the goal replaces it.
    """

    rounds: list[list[int]]
    cost: int
    uneven: int
    is_kept: bool = True


def anneal(
    start: Sequence[Sequence[int]],
    sizes: Sequence[int],
    *,
    prior: Sequence[Sequence[int]],
    movable: Sequence[int],
    groups: Sequence[Sequence[int]],
    goal: tuple[int, int],
    iterations: int,
    effort: Effort,
    rng: Random,
    cooling: Cooling = WIDE,
) -> Seating:
    """The best seating met in one cooling over so many iterations.

    `start` has the players 0 to n - 1 of each round, table after table; the sizes of the tables are those of all
    rounds. `prior` is the matrix of what a first meeting of two costs. Only the rounds with the numbers `movable`
    change. Each of `groups` sits at one table in every round and is moved as a whole. Ends early at the goal (cost,
    unevenness).
    """
    work = _Work(start, sizes, prior, groups, goal)
    work.repeat = cooling.repeat
    best = Seating([list(one) for one in work.rounds], work.cost, work.uneven)
    if (best.cost, best.uneven) <= goal or not movable or len(sizes) < 2:
        return best
    chunks = max(STEPS, iterations // CHUNK)
    chunk = max(1, iterations // chunks)
    falling = (cooling.cold / cooling.warm) ** (1 / STEPS)
    warm = cooling.warm
    for number in range(chunks):
        if number and number * STEPS // chunks != (number - 1) * STEPS // chunks:
            warm *= falling
        # To copy every small gain of the hot beginning would take longer than to find it.
        best.is_kept = number * 3 >= chunks
        work.run(chunk, _chances(warm), movable, rng, best)
        if not effort.spend(chunk) or (best.cost, best.uneven) <= goal:
            break
    best.is_kept = True
    work.keep(best)
    return best


def _chances(warm: float) -> list[float]:
    """The chance to take a change for the worse, by how much worse; beyond the end of the list there is none."""
    chances = [1.0]
    while chances[-1] > 1e-6:
        chances.append(chances[-1] * warm)
    return chances


class _Work:
    """The seating as it is now, with all that a change needs."""

    def __init__(
        self,
        start: Sequence[Sequence[int]],
        sizes: Sequence[int],
        prior: Sequence[Sequence[int]],
        groups: Sequence[Sequence[int]],
        goal: tuple[int, int],
    ) -> None:
        self.goal = goal
        self.repeat = WIDE.repeat
        self.rounds = [list(one) for one in start]
        self.meetings = [list(row) for row in prior]
        self.table = [number for number, size in enumerate(sizes) for _seat in range(size)]
        seats = [[seat for seat, at in enumerate(self.table) if at == number] for number in range(len(sizes))]
        self.mates = [[other for other in seats[number] if other != seat] for seat, number in enumerate(self.table)]
        self.short = [sizes[number] < max(sizes) for number in self.table]
        self.group = {player: list(one) for one in groups for player in one}
        self.often_short = [0] * len(self.table)
        self.cost = 0
        for one in self.rounds:
            for table in seats:
                for p, q in combinations([one[seat] for seat in table], 2):
                    self.cost += self.meetings[p][q]
                    self.meetings[p][q] += 1
                    self.meetings[q][p] += 1
            for player, short in zip(one, self.short, strict=True):
                self.often_short[player] += short
        self.uneven = sum(often * often for often in self.often_short)

    def run(
        self,
        iterations: int,
        chances: Sequence[float],
        movable: Sequence[int],
        rng: Random,
        best: Seating,
    ) -> None:
        """So many tries, the best one kept; ends early at the goal."""
        random = rng.random
        table, mates, short, meetings, often_short = self.table, self.mates, self.short, self.meetings, self.often_short
        group = self.group
        seats, count, limit = len(table), len(movable), len(chances)
        for _try in range(iterations):
            flat = self.rounds[movable[int(random() * count)]]
            i = int(random() * seats)
            j = int(random() * seats)
            if table[i] == table[j]:
                continue
            p, q = flat[i], flat[j]
            if group and (p in group or q in group):
                worse, uneven = self._move_group(flat, i, j, chances, rng)
            else:
                of_p, of_q = meetings[p], meetings[q]
                worse = len(mates[i]) + len(mates[j])
                for k in mates[i]:
                    x = flat[k]
                    worse += of_q[x] - of_p[x]
                for k in mates[j]:
                    x = flat[k]
                    worse += of_p[x] - of_q[x]
                uneven = 0
                if short[i] != short[j]:
                    down, up = (p, q) if short[j] else (q, p)
                    uneven = 2 * (often_short[down] - often_short[up]) + 2
                units = self.repeat * worse + uneven
                if units > 0 and (units >= limit or random() >= chances[units]):
                    continue
                self._swap(flat, i, j)
            self.cost += worse
            self.uneven += uneven
            if (worse < 0 or uneven < 0) and self.keep(best):
                return

    def keep(self, best: Seating) -> bool:
        """Let this be the best if it is better and the best is kept now; whether it is the goal."""
        value = (self.cost, self.uneven)
        done = value <= self.goal
        if value < (best.cost, best.uneven) and (best.is_kept or done):
            best.rounds = [list(one) for one in self.rounds]
            best.cost, best.uneven = value
        return done

    def _swap(self, flat: list[int], i: int, j: int) -> None:
        """Let the players of two seats of different tables change."""
        p, q = flat[i], flat[j]
        meetings = self.meetings
        for seat, leaves, comes in ((i, p, q), (j, q, p)):
            of_leaves, of_comes = meetings[leaves], meetings[comes]
            for k in self.mates[seat]:
                x = flat[k]
                of_leaves[x] -= 1
                meetings[x][leaves] -= 1
                of_comes[x] += 1
                meetings[x][comes] += 1
        if self.short[i] != self.short[j]:
            down, up = (p, q) if self.short[j] else (q, p)
            self.often_short[down] += 1
            self.often_short[up] -= 1
        flat[i], flat[j] = q, p

    def _cost_of(self, flat: Sequence[int], i: int, j: int) -> tuple[int, int]:
        """What a swap brings: repeats, unevenness."""
        p, q = flat[i], flat[j]
        of_p, of_q = self.meetings[p], self.meetings[q]
        worse = len(self.mates[i]) + len(self.mates[j])
        worse += sum(of_q[flat[k]] - of_p[flat[k]] for k in self.mates[i])
        worse += sum(of_p[flat[k]] - of_q[flat[k]] for k in self.mates[j])
        if self.short[i] == self.short[j]:
            return worse, 0
        down, up = (p, q) if self.short[j] else (q, p)
        return worse, 2 * (self.often_short[down] - self.often_short[up]) + 2

    def _move_group(self, flat: list[int], i: int, j: int, chances: Sequence[float], rng: Random) -> tuple[int, int]:
        """Let the group at one of two seats change with as many players of the other's table; what that brought."""
        if flat[i] not in self.group or len(self.group.get(flat[j], ())) > len(self.group[flat[i]]):
            i, j = j, i
        mine = [k for k in (i, *self.mates[i]) if flat[k] in self.group[flat[i]]]
        theirs: list[int] = []
        for k in (j, *self.mates[j]):
            whole = self.group.get(flat[k], [flat[k]])
            if k not in theirs and len(theirs) + len(whole) <= len(mine):
                theirs += [seat for seat in (j, *self.mates[j]) if flat[seat] in whole]
        if len(theirs) < len(mine):
            return 0, 0
        worse = uneven = 0
        for a, b in zip(mine, theirs, strict=True):
            more = self._cost_of(flat, a, b)
            worse += more[0]
            uneven += more[1]
            self._swap(flat, a, b)
        units = self.repeat * worse + uneven
        if units > 0 and (units >= len(chances) or rng.random() >= chances[units]):
            for a, b in zip(mine, theirs, strict=True):
                self._swap(flat, a, b)
            return 0, 0
        return worse, uneven
