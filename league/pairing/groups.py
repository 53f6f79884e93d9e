"""Groups and the finals after them: who plays in which group, who goes on, and how the finals are seeded.

Terms: a *group* is played by itself, everybody with everybody; a *qualifier* is who goes on, by place in the group.
Groups are numbered from 0 in the order in which they were made.

Promises: sizes of groups differ by one at most, and so do the sums of seeds when all are equally large and their
number of places is even. In the finals a better place in the group is a better seed, and those of one group meet as
late as the bracket allows: first those of better places are put as far apart as can be, then the next; of all ways
that keep the members of groups equally far apart the one is taken that is nearest to the order of the groups.

Codes of reasons of a PairingError: `too_few_entrants` (figures `entrants`, `least`: fewer than 2 in a group, or who go
on), `too_few_groups` (`groups`, `least`), `entrant_twice` (the entrants), `group_too_small` (`group`, `entrants`,
`places`: more are to go on than the group has), `not_next` (the entrants in `across` that are not next behind in their
group, or are missing there), `too_few_next` (`entrants`, `places`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from league.pairing import round_robin
from league.pairing.assignment import cheapest
from league.pairing.brackets import seed_order
from league.pairing.checks import check_distinct, check_size
from league.pairing.values import PairedRound, PairingError, Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualifier:
    """Who goes on into the finals, from which group and as which of it (1 is its winner)."""

    entrant: int
    group: int
    place: int


def divide(seeding: Sequence[int], *, groups: int) -> tuple[tuple[int, ...], ...]:
    """Entrants (ids by seed) into groups by the snake: seeds 1 2 3, then 6 5 4, then 7 8 9 for three groups.

    Errors: PairingError `too_few_groups` (at least 1), `too_few_entrants` (at least 2 a group), `entrant_twice`.
    """
    if groups < 1:
        raise PairingError(Reason(code="too_few_groups", figures={"groups": groups, "least": 1}))
    check_size(len(seeding), 2 * groups)
    check_distinct(seeding)
    divided: list[list[int]] = [[] for _ in range(groups)]
    for place, entrant in enumerate(seeding):
        row, column = divmod(place, groups)
        divided[column if row % 2 == 0 else groups - 1 - column].append(entrant)
    return tuple(tuple(group) for group in divided)


def schedule(groups: Sequence[Sequence[int]], *, double: bool) -> tuple[PairedRound, ...]:
    """The round robins of all groups side by side: tables in the order of groups; smaller groups are done earlier.

    Errors: those of `round_robin.schedule`; `entrant_twice` also for one in two groups.
    """
    check_distinct(entrant for group in groups for entrant in group)
    schedules = [round_robin.schedule(group, double=double) for group in groups]
    return tuple(
        PairedRound(
            tables=tuple(table for one in beside if one is not None for table in one.tables),
            byes=tuple(entrant for one in beside if one is not None for entrant in one.byes),
            reasons=tuple(reason for one in beside if one is not None for reason in one.reasons),
        )
        for beside in zip_longest(*schedules)
    )


def advance(
    rankings: Sequence[Sequence[int]], *, per_group: int, best_next: int = 0, across: Sequence[int] = ()
) -> tuple[Qualifier, ...]:
    """Who goes on: the first `per_group` of each group's ranking (ids, best first), and the `best_next` next behind.

    `across` ranks those next behind (place `per_group` + 1 of every group that has one) over all groups, best first;
    it is needed with `best_next` alone. The answer is by place, then by group; those next behind in order of `across`.

    Errors: PairingError `entrant_twice`, `group_too_small`, `too_few_entrants`, `not_next`, `too_few_next`.
    """
    check_distinct(entrant for ranking in rankings for entrant in ranking)
    for group, ranking in enumerate(rankings):
        if len(ranking) < per_group:
            figures = {"group": group, "entrants": len(ranking), "places": per_group}
            raise PairingError(Reason(code="group_too_small", figures=figures))
    check_size(len(rankings) * per_group + best_next)
    going = [
        Qualifier(entrant=ranking[place - 1], group=group, place=place)
        for place in range(1, per_group + 1)
        for group, ranking in enumerate(rankings)
    ]
    return (*going, *_next_behind(rankings, per_group + 1, best_next, across))


def _next_behind(rankings: Sequence[Sequence[int]], place: int, count: int, across: Sequence[int]) -> list[Qualifier]:
    if not count:
        return []
    behind = {
        ranking[place - 1]: Qualifier(entrant=ranking[place - 1], group=group, place=place)
        for group, ranking in enumerate(rankings)
        if len(ranking) >= place
    }
    check_distinct(across)
    strangers = behind.keys() ^ set(across)
    if strangers:
        raise PairingError(Reason(code="not_next", entrants=tuple(sorted(strangers))))
    if len(across) < count:
        raise PairingError(Reason(code="too_few_next", figures={"entrants": len(across), "places": count}))
    return [behind[entrant] for entrant in across[:count]]


def cross_over(qualifiers: Sequence[Qualifier]) -> tuple[int, ...]:
    """The seeding (ids by seed) of a bracket for the qualifiers, those of one group as far apart as can be.

    Winners of groups take the first seeds in the order given, so that with two of each group every winner meets the
    second of another one, as far as byes allow, and the two of a group are in different halves. The order given among
    equal places is kept where it can be.

    Errors: PairingError `too_few_entrants`, `entrant_twice`.
    """
    check_size(len(qualifiers))
    check_distinct(one.entrant for one in qualifiers)
    seat = {seed: index for index, seed in enumerate(seed_order(1 << (len(qualifiers) - 1).bit_length()))}
    seeded: list[Qualifier] = []
    for place in sorted({one.place for one in qualifiers}):
        tier = [one for one in qualifiers if one.place == place]
        seats = [seat[seed] for seed in range(len(seeded) + 1, len(seeded) + len(tier) + 1)]
        taken = [(one.group, seat[seed]) for seed, one in enumerate(seeded, start=1)]
        seeded += _put_apart(tier, seats, taken)
    return tuple(one.entrant for one in seeded)


def _put_apart(tier: Sequence[Qualifier], seats: Sequence[int], taken: Sequence[tuple[int, int]]) -> list[Qualifier]:
    """The tier in the order of its seats in the bracket, far from those of the own group on seats `taken`.

    One meeting a round earlier costs more than all meetings of the tier a round later together, and the distance
    from the given order less than any: so the cheapest way keeps apart first.
    """
    unit = len(tier) ** 3 + 1  # more than all squares of distances together
    base = len(tier) * (len(taken) + 1) + 1
    rounds = max(len(seats) + len(taken), 2).bit_length()
    costs = [
        [
            sum(unit * base ** (rounds - (seat ^ other).bit_length()) for group, other in taken if group == one.group)
            + (row - column) ** 2
            for column, seat in enumerate(seats)
        ]
        for row, one in enumerate(tier)
    ]
    ordered = sorted(zip(cheapest(costs), range(len(tier)), strict=True))
    return [tier[row] for _, row in ordered]
