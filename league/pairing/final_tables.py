"""Tables of a final, or of a stage before it, from groups in order of rank.

Terms: a *rank* is the place in the own group, so that with several groups several entrants have the same; the *order of
all* takes all firsts, then all seconds, and so on, those of one rank in the order of the groups. With one group it is
the order given.

Two ways:

- Not crossing, for places: the order of all is cut into tables. Table 1 plays for the first places, table 2 for the
  following, the last table for the last.
- Crossing, for semi-finals: the order of all is cut into as many *pots* as the tables have seats, and every table gets
  one of each pot. As few of one group as possible meet, pot after pot; where that leaves the choice, it goes as known
  from duels: A1 and B2 at table 1, B1 and A2 at table 2; for four groups A1, B2, C3, D4, then B1, C2, D3, A4. The last
  pot may have fewer entrants than there are tables.

Seats are in order of rank: the best begins. There is no chance in it.

Codes of reasons:

- `rank_cut`: not crossing; of entrants with the same rank some sit at a better table than others, by the order of the
  groups alone. Entrants: all of that rank. Figures: rank; table, the better one.
- `same_group`: crossing; two of one group meet. Entrants: the two, the better first. Figures: table; group, from 1.

Codes of errors: those of `sizes`, and `entrant_twice` of `checks`.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise

from league.pairing.assignment import cheapest
from league.pairing.checks import check_distinct
from league.pairing.sizes import LARGEST, SMALLEST, table_sizes
from league.pairing.values import PairedRound, Reason


def seat(
    groups: Sequence[Sequence[int]],
    *,
    preferred: int,
    crossing: bool,
    smallest: int = SMALLEST,
    largest: int = LARGEST,
) -> PairedRound:
    """Tables for all entrants of the groups, each group in order of rank. Raises PairingError.

    `smallest` and `largest` are sizes of tables. Groups may be of different size.
    """
    everybody = [one for group in groups for one in group]
    check_distinct(everybody)
    deepest = max(map(len, groups), default=0)
    tiers = [[group[rank] for group in groups if rank < len(group)] for rank in range(deepest)]
    sizes = table_sizes(len(everybody), preferred, smallest=smallest, largest=largest)
    if crossing:
        return _cross(groups, tiers, len(sizes))
    return _cut(tiers, sizes)


def _cut(tiers: Sequence[Sequence[int]], sizes: Sequence[int]) -> PairedRound:
    everybody = [one for tier in tiers for one in tier]
    ends = [sum(sizes[:count]) for count in range(len(sizes) + 1)]
    tables = tuple(tuple(everybody[start:end]) for start, end in pairwise(ends))
    number = {one: place for place, table in enumerate(tables, start=1) for one in table}
    reasons = [
        Reason(code="rank_cut", entrants=tuple(tier), figures={"rank": rank, "table": number[tier[0]]})
        for rank, tier in enumerate(tiers, start=1)
        if number[tier[0]] != number[tier[-1]]
    ]
    return PairedRound(tables=tables, reasons=tuple(reasons))


def _cross(groups: Sequence[Sequence[int]], tiers: Sequence[Sequence[int]], count: int) -> PairedRound:
    group_of = {one: number for number, group in enumerate(groups, start=1) for one in group}
    everybody = [one for tier in tiers for one in tier]
    tables: list[list[int]] = [[] for _ in range(count)]
    for level, start in enumerate(range(0, len(everybody), count)):
        pot = everybody[start : start + count]
        costs = []
        for place, one in enumerate(pot):
            met = [sum(group_of[other] == group_of[one] for other in table) for table in tables]
            # A meeting weighs more than all the ways that a whole pot can be from its usual tables.
            costs.append([count * count * met[table] + (table - (place - level)) % count for table in range(count)])
        for one, table in zip(pot, cheapest(costs), strict=True):
            tables[table].append(one)
    reasons = [
        Reason(code="same_group", entrants=two, figures={"table": number, "group": group_of[two[0]]})
        for number, table in enumerate(tables, start=1)
        for two in combinations(table, 2)
        if group_of[two[0]] == group_of[two[1]]
    ]
    return PairedRound(tables=tuple(map(tuple, tables)), reasons=tuple(reasons))
