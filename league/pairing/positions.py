"""Who sits where at a table: seats shared out evenly over all rounds, the first to play among them.

Promise: for every entrant any two seats that all tables have are taken equally often, or once more the one than the
other, whatever the sizes, if nothing was played before. Tables of one size have all seats in common; so then every seat
is within 1 of even, and so is the first. What was played before is evened out as far as these rounds allow.

How: the objective is the sum, over entrants and seats, of the square of how often. Take two seats a and b: the tables
that have both are arrows between entrants, from whom sits at a to whom sits at b. Turning a path of arrows changes the
balance of its ends alone. A path from somebody with too many a to somebody with too few makes the sum smaller, and
without such a path no other choice for these two seats is better (it is a flow with convex costs). If nothing was
played before, Euler tours show that a balance within 1 is possible, and nothing else has so small a sum. All pairs of
seats take turns until none gains; the sum gets smaller each time, so this ends. For tables of one size it is the
edge colouring of a bipartite graph, each entrant split into as many nodes as full sets of seats.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

# A round: its tables, each with the entrants in order of seats.
Round = tuple[tuple[int, ...], ...]


def balance_seats(
    rounds: Sequence[Sequence[Sequence[int]]], *, earlier: Mapping[int, Sequence[int]] = {}
) -> tuple[Round, ...]:
    """The same tables with the entrants in order of seats.

    `earlier` tells how often an entrant had each seat before, from the first seat on; who is missing there, and seats
    that are missing, count as never.
    """
    tables = [list(table) for one in rounds for table in one]
    seats = max((len(table) for table in tables), default=0)
    counts = {
        entrant: [*list(earlier.get(entrant, ()))[:seats], *[0] * (seats - len(earlier.get(entrant, ())))]
        for table in tables
        for entrant in table
    }
    for table in tables:
        for seat, entrant in enumerate(_first_guess(table, counts)):
            table[seat] = entrant
            counts[entrant][seat] += 1
    changed = True
    while changed:
        changed = False
        for a, b in combinations(range(seats), 2):
            changed |= _even_out([table for table in tables if len(table) > b], a, b, counts)
    remaining = iter(tables)
    return tuple(tuple(tuple(next(remaining)) for _table in one) for one in rounds)


def _first_guess(table: list[int], counts: Mapping[int, list[int]]) -> list[int]:
    """Seat after seat goes to whom it is most due, in the order given where equal."""
    left = list(table)
    order = []
    for seat in range(len(table)):
        due = min(left, key=lambda entrant: counts[entrant][seat] - min(counts[entrant]))
        left.remove(due)
        order.append(due)
    return order


def _even_out(tables: list[list[int]], a: int, b: int, counts: Mapping[int, list[int]]) -> bool:
    """Make the balance of two seats as even as these tables allow; whether anything changed."""
    leaving: dict[int, list[list[int]]] = {}
    for table in tables:
        leaving.setdefault(table[a], []).append(table)
    changed = False
    for start in list(leaving):
        while path := _path(start, a, b, leaving, counts):
            changed = True
            for table in path:
                before, after = table[a], table[b]
                table[a], table[b] = after, before
                leaving[before].remove(table)
                leaving.setdefault(after, []).append(table)
                for entrant, way in ((before, -1), (after, 1)):
                    counts[entrant][a] += way
                    counts[entrant][b] -= way
    return changed


def _path(
    start: int, a: int, b: int, leaving: Mapping[int, list[list[int]]], counts: Mapping[int, list[int]]
) -> list[list[int]]:
    """The tables on a shortest path from `start` to somebody whose balance is smaller by more than 2; empty if none."""
    limit = counts[start][a] - counts[start][b] - 2
    came: dict[int, list[int] | None] = {start: None}
    queue = [start]
    for entrant in queue:
        if counts[entrant][a] - counts[entrant][b] < limit:
            path = []
            while (table := came[entrant]) is not None:
                path.append(table)
                entrant = table[a]  # noqa: PLW2901 - back along the path; the loop ends here
            return path
        for table in leaving.get(entrant, ()):
            if table[b] not in came:
                came[table[b]] = table
                queue.append(table[b])
    return []
