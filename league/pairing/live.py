"""The seating of one round while an event runs, by annealing: what Swiss for tables and the club evening share.

Terms: a *party* is everybody who wants to sit together, alone or several; a *cost* is a whole number, for each pair
that would share a table; a table is *short* if it has fewer seats than the largest of its round.

Promises: everybody sits at exactly one table, the tables have the sizes that were asked for, no pair of `apart` shares
one, every pair of `together` does, and those of one number in `fixed` share a table, to which `numbered` gives that
number. What is impossible is a PairingError, found by trying everything; nothing is dropped quietly. Where these wishes
leave the choice, first come short tables, for those who sat at one least often, and then the costs.

Everything is worked out in whole numbers and by `+ - * /` alone, and the budget counts steps: the same seed gives the
same tables on every machine. That is why the chance to accept a worse seating is (1 - x/4)^4 in place of exp(-x), which
mathematical libraries round differently; it also is 0 from x = 4 on, so that what weighs enough is never given up.

Codes of reasons (`PairingError`):

- `entrant_twice` of `checks`.
- `together_and_apart`: two are to sit together (by themselves, through others, or at one fixed table) and apart.
  Entrants: the two.
- `together_too_many`: more want to sit together than the largest table has seats. Entrants: they. Figures: seats.
- `together_fixed_elsewhere`: two who want to sit together have different fixed tables. Entrants: the two.
- `fixed_too_many`: more have the same fixed table than the largest table has seats. Entrants: they. Figures: table,
  seats.
- `no_such_table`: a fixed table whose number this round does not reach. Entrants: who. Figures: table, tables.
- `wishes_impossible`: no seating fulfils all wishes; everything was tried. Entrants: everybody with a wish.
- `wishes_not_found`: none was found within the steps that are allowed. Entrants as before. Figures: steps.

Wishes that name somebody who is not to be seated now count for nothing.

Codes of reasons (`oddities`), each with the number of the table (`table`) among its figures:

- `met_before`: two sit together again. Entrants: the two. Figures: weight, what their meetings weigh in `history`.
- `met_for_short`: as `met_before`, and without the rule of short tables less of it was found (`yields_to_short`).
- `together_again`: as before, but they want to sit together, by themselves, through others or at one fixed table.
- `short_again`: somebody sits at a short table who did so more often than somebody at a full one. Entrants: who.
  Figures: times, how often before; least, the fewest times of anybody at a full table now.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from math import fsum
from random import Random

from league.pairing.checks import check_distinct
from league.pairing.values import PairingError, Reason, Wishes

Pair = tuple[int, int]

MEETING = 1_000
"""The cost of sitting with somebody met once, by which other costs are measured."""

# Nothing that the others add up to comes near the next: apart before short tables before costs.
_FORBIDDEN = 10**15
_SHORT = 10**9
# The chance that a seating worse by this is accepted at first is about 1/e.
_HEAT = 600
_SEARCH_STEPS = 200_000
_CHANGE_OF_SIZES = 0.1
_FEW = 40


def faded(ages: Mapping[Pair, Iterable[float]], *, half: float) -> dict[Pair, float]:
    """Weights for `history`: what earlier meetings of each pair weigh now, by how long ago each of them was.

    `ages` has an age for every meeting, in any unit (evenings, days); a meeting just now weighs 1, one of age `half`
    1/2, of twice that age 1/3: half / (half + age). A pair that met often weighs the sum. Nothing is ever forgotten,
    so that of two who met long ago those who met less sit together first.
    """
    return {pair: fsum(half / (half + age) for age in met) for pair, met in ages.items()}


def weighed(history: Mapping[Pair, float], people: Sequence[int]) -> list[list[int]]:
    """The costs of meeting again by `history`, for `arrange`: row and column i are people[i]."""
    index = {one: number for number, one in enumerate(people)}
    costs = [[0] * len(people) for _ in people]
    for (one, other), weight in history.items():
        if one in index and other in index:
            i, j = index[one], index[other]
            costs[i][j] = costs[j][i] = round(MEETING * weight)
    return costs


def steps_for(people: int) -> int:
    """How many exchanges to try: 0.1 s for 24 people and 2 s for 1,000, measured in docs/live-tables.md."""
    return min(3_000 * people, 60_000 + 800 * people)


def arrange(
    people: Sequence[int],
    sizes: Sequence[int],
    costs: Sequence[Sequence[int]],
    *,
    short: Mapping[int, int],
    wishes: Wishes,
    seed: int,
    reach: int,
    steps: int,
) -> list[list[int]]:
    """Tables of these sizes, in an order that means nothing: `numbered` puts them in order.

    `people` stand in the order that the search begins with: neighbours share a table at first, and only those who
    stand at most `reach` from each other are exchanged. `costs[i][j]` is what it costs that people[i] and people[j] sit
    together: symmetric, 0 for i = j, at most 10^6. `short` tells how often somebody sat at a short table before (who is
    missing never did). `steps` is the number of exchanges tried. Raises PairingError as above.
    """
    room = _Room(people, sizes, costs, short, wishes)
    room.begin()
    room.anneal(Random(seed).random, reach, steps)
    return [[people[i] for i in sorted(table)] for table in room.tables]


def numbered(tables: Sequence[Sequence[int]], fixed: Mapping[int, int]) -> list[Sequence[int]]:
    """The tables with those for whom a number is fixed at that number, the others in the order given."""
    bound = {fixed[one] - 1: n for n, table in enumerate(tables) for one in table if one in fixed}
    others = iter([table for n, table in enumerate(tables) if n not in bound.values()])
    return [tables[bound[place]] if place in bound else next(others) for place in range(len(tables))]


def bound_pairs(people: Sequence[int], wishes: Wishes) -> set[Pair]:
    """The pairs of these people who have to share a table if all wishes are kept, the lower id first."""
    party = _joined(sorted(people), wishes)
    return {pair for group in _distinct(party) for pair in combinations([sorted(people)[i] for i in group], 2)}


def yields_to_short(
    tables: Sequence[Sequence[int]],
    search: Callable[..., Sequence[Sequence[int]]],
    *,
    met: Mapping[Pair, float],
    short: Mapping[int, int],
    wishes: Wishes,
) -> bool:
    """Whether those at the tables meet again because somebody would sit at a short table more often else.

    Asked of the search itself: `search` is `arrange` with all but its `short`, and is called with none where anybody
    meets again (`met`, by how much that weighs) and the rule leaves a choice. Of more than `_FEW` it is not asked,
    since it takes as long as the first search: they seldom have to meet again.
    """
    people = [one for table in tables for one in table]
    bound = bound_pairs(people, wishes)

    def weight(found: Sequence[Sequence[int]]) -> float:
        pairs = (pair for table in found for pair in combinations(sorted(table), 2))
        return fsum(met[pair] for pair in pairs if pair in met and pair not in bound)

    def times_short(found: Sequence[Sequence[int]]) -> int:
        longest = max(map(len, found))
        return sum(short.get(one, 0) for table in found if len(table) < longest for one in table)

    levels = {short.get(one, 0) for one in people}
    if len({len(table) for table in tables}) == 1 or len(levels) == 1 or len(people) > _FEW or not weight(tables):
        return False
    free = search(short={})
    return weight(free) < weight(tables) and times_short(free) > times_short(tables)


def oddities(
    tables: Sequence[Sequence[int]],
    *,
    history: Mapping[Pair, float],
    short: Mapping[int, int],
    wishes: Wishes,
    yields: bool = False,
) -> list[Reason]:
    """What is odd about a round, by the codes above, table after table; `yields` as `yields_to_short` says."""
    longest = max(len(table) for table in tables)
    least = min(short.get(one, 0) for table in tables if len(table) == longest for one in table)
    bound = bound_pairs([one for table in tables for one in table], wishes)
    found = []
    for number, table in enumerate(tables, start=1):
        for pair in combinations(sorted(table), 2):
            if weight := history.get(pair, 0):
                code = "together_again" if pair in bound else "met_for_short" if yields else "met_before"
                found.append(Reason(code=code, entrants=pair, figures={"table": number, "weight": weight}))
        if len(table) < longest:
            found += [
                Reason(
                    code="short_again",
                    entrants=(one,),
                    figures={"table": number, "times": short[one], "least": least},
                )
                for one in sorted(table)
                if short.get(one, 0) > least
            ]
    return found


class _Room:
    """The tables of one search, with everybody by the index in `people`."""

    def __init__(
        self,
        people: Sequence[int],
        sizes: Sequence[int],
        costs: Sequence[Sequence[int]],
        short: Mapping[int, int],
        wishes: Wishes,
    ) -> None:
        check_distinct(people)
        self.people = people
        self.sizes = sizes
        self.longest = max(sizes)
        self.short = [_SHORT * short.get(one, 0) for one in people]
        self.most_short = max(self.short)
        self.party, self.apart = _parties(people, sizes, wishes)
        self.costs = [list(row) for row in costs]
        for i, others in enumerate(self.apart):
            for j in others:
                self.costs[i][j] = _FORBIDDEN
        self.tables: list[list[int]] = []

    # The start: a seating that fulfils all wishes.

    def begin(self) -> None:
        """Seat the parties with wishes by trying everything, the nearest table first, and the others into the gaps.

        A party belongs near the table that its members would sit at in order of `people`; where tables are short,
        those who sat at one least often come first.
        """
        free = list(self.sizes)
        self.tables = [[] for _ in free]
        for party, table in self._place_wishes(free):
            self.tables[table] += party
            free[table] -= len(party)
        seated = {i for table in self.tables for i in table}
        rest = [i for i in range(len(self.people)) if i not in seated]
        wanted = sum(left for table, left in enumerate(free) if self.sizes[table] < self.longest)
        # Of equals the last: they are neighbours, as those at one table should be at first.
        due = set(sorted(rest, key=lambda i: (self.short[i], -i))[:wanted])
        queues = {True: [i for i in rest if i in due], False: [i for i in rest if i not in due]}
        for is_short, queue in queues.items():
            waiting = iter(queue)
            for table, left in enumerate(free):
                if (self.sizes[table] < self.longest) is is_short:
                    self.tables[table] += [next(waiting) for _ in range(left)]

    def _place_wishes(self, free: Sequence[int]) -> list[tuple[list[int], int]]:
        """A table for every party that is not simply one person without a wish, by search in depth."""
        parties = [party for party in _distinct(self.party) if len(party) > 1 or self.apart[party[0]]]
        # The hardest first: large parties, then those with many to stay away from.
        parties.sort(key=lambda party: (-len(party), -sum(len(self.apart[i]) for i in party), party))
        homes = [self._near(party) for party in parties]
        left = list(free)
        sitting: list[set[int]] = [set() for _ in free]
        choices: list[list[int]] = []
        chosen: list[int] = []
        steps = 0
        while len(chosen) < len(parties):
            party = parties[len(chosen)]
            if len(choices) == len(chosen):
                choices.append(self._possible(party, homes[len(chosen)], left, sitting))
            steps += 1
            if steps > _SEARCH_STEPS:
                raise self._failure("wishes_not_found", parties, {"steps": _SEARCH_STEPS})
            if choices[-1]:
                table = choices[-1].pop()
                chosen.append(table)
                left[table] -= len(party)
                sitting[table].update(party)
            elif chosen:
                choices.pop()
                table = chosen.pop()
                left[table] += len(parties[len(chosen)])
                sitting[table].difference_update(parties[len(chosen)])
            else:
                raise self._failure("wishes_impossible", parties, {})
        return list(zip(parties, chosen, strict=True))

    def _failure(self, code: str, parties: Sequence[Sequence[int]], figures: Mapping[str, float]) -> PairingError:
        named = tuple(sorted(self.people[i] for party in parties for i in party))
        return PairingError(Reason(code=code, entrants=named, figures=figures))

    def _near(self, party: Sequence[int]) -> list[int]:
        """All tables, the one where the party belongs first."""
        middle = sum(party) / len(party)
        ends = 0
        distance = []
        for table, size in enumerate(self.sizes):
            distance.append((abs(ends + (size - 1) / 2 - middle), table))
            ends += size
        return [table for _far, table in sorted(distance)]

    def _possible(
        self, party: Sequence[int], near: Sequence[int], left: Sequence[int], sitting: Sequence[set[int]]
    ) -> list[int]:
        """The tables that can take the party, the best last. Of empty tables of one size only the nearest is tried."""
        away = {j for i in party for j in self.apart[i]}
        tried: set[int] = set()
        found = []
        for table in near:
            if left[table] < len(party) or not away.isdisjoint(sitting[table]):
                continue
            if not sitting[table]:
                if self.sizes[table] in tried:
                    continue
                tried.add(self.sizes[table])
            found.append(table)
        # Short tables are for those who are due, the others for the rest; the sort is stable, so near ones stay first.
        due = all(self.short[i] < self.most_short for i in party)
        found.sort(key=lambda table: (self.sizes[table] < self.longest) is not due)
        return found[::-1]

    # The search.

    def anneal(self, random: Callable[[], float], reach: int, steps: int) -> None:
        """Exchange people between tables, at first also for the worse, at the end only for the better."""
        count = len(self.people)
        if len(self.tables) < 2 or not steps:
            return
        at = [0] * count
        for number, table in enumerate(self.tables):
            for i in table:
                at[i] = number
        tables, costs, short, longest = self.tables, self.costs, self.short, self.longest
        alone = [len(party) == 1 for party in self.party]
        reach = min(reach, count - 1)
        total = sum(self._cost(table) for table in tables)
        for step in range(steps):
            if not total:
                return
            left = 1 - step / steps
            heat = 4 * _HEAT * left * left
            i = int(random() * count)
            j = i + 1 + int(random() * reach)
            if j >= count:
                j -= count
            if at[i] == at[j] or i - j > reach:
                continue
            here, there = tables[at[i]], tables[at[j]]
            uneven = len(here) != len(there)
            if not (alone[i] and alone[j]) or (uneven and random() < _CHANGE_OF_SIZES):
                total += self._try_parties(i, j, at, heat, random)
                continue
            from_i, from_j = costs[i], costs[j]
            worse = -2 * from_i[j]
            for x in here:
                worse += from_j[x] - from_i[x]
            for x in there:
                worse += from_i[x] - from_j[x]
            if uneven:
                more = short[j] - short[i]
                worse += more if len(here) < longest else -more
            if worse > 0 and _refused(worse, heat, random):
                continue
            here[here.index(i)] = j
            there[there.index(j)] = i
            at[i], at[j] = at[j], at[i]
            total += worse

    def _try_parties(self, i: int, j: int, at: list[int], heat: float, random: Callable[[], float]) -> int:
        """Exchange the parties of i and j, or move one from a longer table to a shorter, which then change sizes.

        Returns by how much the seating got worse; 0 if nothing was changed.
        """
        source, target = at[i], at[j]
        leaving, coming = list(self.party[i]), list(self.party[j])
        gap = len(self.tables[source]) - len(self.tables[target])
        if gap == len(leaving) and random() < 0.5:
            coming = []
        elif -gap == len(coming) and random() < 0.5:
            leaving = []
        else:
            self._fill(leaving, source, len(coming), random)
            self._fill(coming, target, len(leaving), random)
            if len(leaving) != len(coming):
                return 0
        here = [x for x in self.tables[source] if x not in leaving] + coming
        there = [x for x in self.tables[target] if x not in coming] + leaving
        worse = self._cost(here) + self._cost(there) - self._cost(self.tables[source]) - self._cost(self.tables[target])
        if worse > 0 and _refused(worse, heat, random):
            return 0
        self.tables[source], self.tables[target] = here, there
        for x in leaving:
            at[x] = target
        for x in coming:
            at[x] = source
        return worse

    def _fill(self, group: list[int], table: int, size: int, random: Callable[[], float]) -> None:
        """Add parties of the table, from a random one on, as long as the group stays within the size."""
        sitting = self.tables[table]
        first = int(random() * len(sitting))
        for x in sitting[first:] + sitting[:first]:
            if x not in group and len(group) + len(self.party[x]) <= size:
                group += self.party[x]

    def _cost(self, table: Sequence[int]) -> int:
        total = sum(self.short[i] for i in table) if len(table) < self.longest else 0
        for k, i in enumerate(table):
            row = self.costs[i]
            for j in table[:k]:
                total += row[j]
        return total


def _refused(worse: int, heat: float, random: Callable[[], float]) -> bool:
    """Whether chance decides against what is worse by so much."""
    if worse >= heat:
        return True
    chance = 1 - worse / heat
    chance *= chance
    return random() >= chance * chance


def _distinct(party: Sequence[list[int]]) -> list[list[int]]:
    return [one for i, one in enumerate(party) if one[0] == i]


def _joined(people: Sequence[int], wishes: Wishes) -> list[list[int]]:
    """For everybody by index the own party, in order: those of `together` and those of one fixed table."""
    index = {one: number for number, one in enumerate(people)}
    first: dict[int, int] = {}
    pairs = [(first.setdefault(table, one), one) for one, table in sorted(wishes.fixed.items()) if one in index]
    party = [[i] for i in range(len(people))]
    for one, other in [*pairs, *sorted(wishes.together)]:
        if one in index and other in index and party[index[one]] is not party[index[other]]:
            joined = sorted(party[index[one]] + party[index[other]])
            for i in joined:
                party[i] = joined
    return party


def _parties(people: Sequence[int], sizes: Sequence[int], wishes: Wishes) -> tuple[list[list[int]], list[set[int]]]:
    """For everybody by index: the own party, in order, and who must not sit there.

    Fixed tables become wishes of these two kinds: those of one number sit together, those of different numbers apart.
    """
    index = {one: number for number, one in enumerate(people)}
    fixed = {index[one]: table for one, table in sorted(wishes.fixed.items()) if one in index}
    at_table = _fixed_groups(people, sizes, fixed)
    party = _joined(people, wishes)
    for group in _distinct(party):
        _check_party(group, people, sizes, fixed)
    apart: list[set[int]] = [set() for _ in people]
    other_table = combinations([group[0] for group in at_table], 2)
    wished = [(index[one], index[other]) for one, other in sorted(wishes.apart) if {one, other} <= index.keys()]
    for i, j in [*wished, *other_table]:
        if party[i] is party[j]:
            raise PairingError(Reason(code="together_and_apart", entrants=(people[i], people[j])))
        apart[i].add(j)
        apart[j].add(i)
    return party, apart


def _fixed_groups(people: Sequence[int], sizes: Sequence[int], fixed: Mapping[int, int]) -> list[list[int]]:
    """Those who have the same fixed table, for every such table."""
    numbers: dict[int, list[int]] = {}
    for i, table in fixed.items():
        if not 1 <= table <= len(sizes):
            figures = {"table": table, "tables": len(sizes)}
            raise PairingError(Reason(code="no_such_table", entrants=(people[i],), figures=figures))
        numbers.setdefault(table, []).append(i)
    for table, group in sorted(numbers.items()):
        if len(group) > max(sizes):
            named = tuple(people[i] for i in group)
            figures = {"table": table, "seats": max(sizes)}
            raise PairingError(Reason(code="fixed_too_many", entrants=named, figures=figures))
    return list(numbers.values())


def _check_party(group: Sequence[int], people: Sequence[int], sizes: Sequence[int], fixed: Mapping[int, int]) -> None:
    named = [i for i in group if i in fixed]
    for i in named:
        if fixed[i] != fixed[named[0]]:
            two = (people[named[0]], people[i])
            raise PairingError(Reason(code="together_fixed_elsewhere", entrants=two))
    if len(group) > max(sizes):
        together = tuple(people[i] for i in group)
        raise PairingError(Reason(code="together_too_many", entrants=together, figures={"seats": max(sizes)}))
