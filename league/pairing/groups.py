"""Groups and the finals after them: who plays in which group, who goes on, and how the finals are seeded.

Terms: a *group* is played by itself, everybody with everybody; a *qualifier* is who goes on, by place in the group.
Groups are numbered from 0 in the order in which they were made.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from league.pairing.values import PairedRound


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualifier:
    """Who goes on into the finals, from which group and as which of it (1 is its winner)."""

    entrant: int
    group: int
    place: int


def divide(seeding: Sequence[int], *, groups: int) -> tuple[tuple[int, ...], ...]:
    """Entrants (ids by seed) into groups by the snake: 1 2 3, 3 2 1, 1 2 3; sizes differ by one at most."""
    raise NotImplementedError


def schedule(groups: Sequence[Sequence[int]], *, double: bool) -> tuple[PairedRound, ...]:
    """The round robins of all groups side by side: tables in the order of groups; smaller groups are done earlier."""
    raise NotImplementedError


def advance(
    rankings: Sequence[Sequence[int]], *, per_group: int, best_next: int = 0, across: Sequence[int] = ()
) -> tuple[Qualifier, ...]:
    """Who goes on: the first `per_group` of each group (ids, best first), and the `best_next` best of those next behind.

    `across` ranks those next behind over all groups, best first. The answer is by place, then by group.
    """
    raise NotImplementedError


def cross_over(qualifiers: Sequence[Qualifier]) -> tuple[int, ...]:
    """The seeding (ids by seed) of a bracket for the qualifiers, those of one group as far apart as can be."""
    raise NotImplementedError
