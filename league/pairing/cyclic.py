"""Annealing of base rounds under a cyclic permutation.

Terms. The permutation turns w wheels of m players each by one place and leaves f players where they are, so
n = w m + f; player x of wheel i has the number i m + x, the fixed ones come last. A *base round* turned m times gives m
rounds. Pairs that turn into one another form a *class*. If a base round has k pairs of a class of m pairs at its
tables, every pair of the class meets k times in its m rounds; so one base round stands for m rounds, and the search is
smaller by that factor. In a class of m/2 pairs (opposite on a wheel of even m) a pair meets 2 k times, two fixed
players meet m k times.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from league.pairing.effort import Effort

# As in annealing.py; a unit is half the m repeats that a class of m pairs brings.
WARM, COLD, STEPS = 0.6, 0.12, 30
CHUNK = 2000


@dataclass(frozen=True, slots=True)
class Wheels:
    """How n players turn: `turns` places a wheel (m), `bases` base rounds."""

    players: int
    turns: int
    bases: int

    @property
    def fixed(self) -> int:
        """Players who do not turn."""
        return self.players % self.turns

    def turn(self, player: int, places: int) -> int:
        """Who is at this player's place after so many turns."""
        if player >= self.players - self.fixed:
            return player
        wheel, place = divmod(player, self.turns)
        return wheel * self.turns + (place + places) % self.turns


def possible_wheels(players: int, size: int, rounds: int) -> list[Wheels]:
    """The ways to turn that give so many rounds or few more, with fewer players fixed than there are tables."""
    tables = players // size
    found = []
    for bases in (1, 2, 3):
        least = -(-rounds // bases)
        for turns in range(max(2, least), min(players, least + 4) + 1):
            wheels = Wheels(players, turns, bases)
            if wheels.fixed <= tables and bases * turns - rounds <= max(3, rounds // 3):
                found.append(wheels)
    return found


def has_room(wheels: Wheels, size: int) -> bool:
    """Whether there are classes enough for nobody to meet twice, if all the rounds are used."""
    turns, around = wheels.turns, wheels.players // wheels.turns
    classes = around * ((turns - 1) // 2) + around * (around - 1) // 2 * turns + around * wheels.fixed
    return wheels.bases * (wheels.players // size) * (size * (size - 1) // 2) <= classes


def turned(wheels: Wheels, bases: Sequence[Sequence[Sequence[int]]], rounds: int) -> list[list[list[int]]]:
    """The first so many rounds that the base rounds give, the base rounds taking turns."""
    return [
        [[wheels.turn(player, places) for player in table] for table in base]
        for places in range(wheels.turns)
        for base in bases
    ][:rounds]


def anneal_bases(
    wheels: Wheels, size: int, *, goal: int, iterations: int, effort: Effort, rng: Random
) -> tuple[list[list[list[int]]], int]:
    """The best base rounds met in one cooling at tables of one size, and F of all their rounds.

    Ends early at the goal.
    """
    work = _Work(wheels, size, rng)
    chunks = max(STEPS, iterations // CHUNK)
    chunk = max(1, iterations // chunks)
    falling = (COLD / WARM) ** (1 / STEPS)
    warm = WARM
    for number in range(chunks):
        if number and number * STEPS // chunks != (number - 1) * STEPS // chunks:
            warm *= falling
        work.run(chunk, warm, rng, goal)
        if not effort.spend(chunk) or work.best_repeats <= goal:
            break
    return work.best_bases(), work.best_repeats


class _Work:
    """The base rounds as they are, with how often each class is seated together."""

    def __init__(self, wheels: Wheels, size: int, rng: Random) -> None:
        self.turns = wheels.turns
        self.size = size
        players = wheels.players
        self.classes, orbits = _classes(wheels)
        self.per_meeting = [2 * wheels.turns // orbit for orbit in orbits]
        self.first = [wheels.turns // orbit - 1 for orbit in orbits]
        self.seated = [0] * len(orbits)
        self.table = [seat // size for seat in range(players)]
        self.mates = [
            [other for other in range(self.table[seat] * size, (self.table[seat] + 1) * size) if other != seat]
            for seat in range(players)
        ]
        self.bases = []
        for _base in range(wheels.bases):
            order = list(range(players))
            for last in range(players - 1, 0, -1):
                other = int(rng.random() * (last + 1))
                order[last], order[other] = order[other], order[last]
            self.bases.append(order)
        self.cost = 0
        for base in self.bases:
            for seat, mates in enumerate(self.mates):
                for mate in mates:
                    if mate < seat:
                        one = self.classes[base[seat]][base[mate]]
                        self.cost += self.per_meeting[one] * self.seated[one] + self.first[one]
                        self.seated[one] += 1
        self._keep()

    def _keep(self) -> None:
        self.best = [list(base) for base in self.bases]
        self.best_cost = self.cost

    @property
    def best_repeats(self) -> int:
        """F of all rounds of the best base rounds."""
        return self.best_cost * self.turns // 2

    def best_bases(self) -> list[list[list[int]]]:
        """The best base rounds as tables."""
        return [[base[seat : seat + self.size] for seat in range(0, len(base), self.size)] for base in self.best]

    def run(self, iterations: int, warm: float, rng: Random, goal: int) -> None:
        """So many tries, the best one kept."""
        random = rng.random
        table, mates, classes, seated = self.table, self.mates, self.classes, self.seated
        per_meeting, first = self.per_meeting, self.first
        seats, count = len(table), len(self.bases)
        chances = [1.0]
        while chances[-1] > 1e-6:
            chances.append(chances[-1] * warm)
        limit = len(chances)
        for _try in range(iterations):
            flat = self.bases[int(random() * count)]
            i = int(random() * seats)
            j = int(random() * seats)
            if table[i] == table[j]:
                continue
            of_p, of_q = classes[flat[i]], classes[flat[j]]
            worse = 0
            for seat, leaves, comes in ((i, of_p, of_q), (j, of_q, of_p)):
                for k in mates[seat]:
                    x = flat[k]
                    one = leaves[x]
                    seated[one] -= 1
                    worse -= per_meeting[one] * seated[one] + first[one]
                    one = comes[x]
                    worse += per_meeting[one] * seated[one] + first[one]
                    seated[one] += 1
            if worse > 0 and (worse >= limit or random() >= chances[worse]):
                for seat, leaves, comes in ((i, of_p, of_q), (j, of_q, of_p)):
                    for k in mates[seat]:
                        seated[leaves[flat[k]]] += 1
                        seated[comes[flat[k]]] -= 1
                continue
            flat[i], flat[j] = flat[j], flat[i]
            self.cost += worse
            if self.cost < self.best_cost:
                self._keep()
                if self.best_repeats <= goal:
                    return


def _classes(wheels: Wheels) -> tuple[list[list[int]], list[int]]:
    """The class of each pair, by both players, and how many pairs are in each class."""
    found = [[-1] * wheels.players for _player in range(wheels.players)]
    orbits: list[int] = []
    for p in range(wheels.players):
        for q in range(p):
            if found[p][q] >= 0:
                continue
            pairs = {frozenset((wheels.turn(p, by), wheels.turn(q, by))) for by in range(wheels.turns)}
            for one, other in map(tuple, pairs):
                found[one][other] = found[other][one] = len(orbits)
            orbits.append(len(pairs))
    return found, orbits
