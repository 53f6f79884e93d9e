"""What wishes mean for tables: who moves as one, who never meets, who has a table of their own.

Players are numbers from 0 here. A wish about somebody who does not play is met by itself and left out. Who has the same
fixed table sits together, who has different ones sits apart; so tables get their numbers when all is seated.

Codes of reasons (`PairingError`):

- `wishes_contradict`: these entrants are to sit together, perhaps by way of others, and apart. Two entrants.
- `together_too_many`: these entrants are to sit together, and no table takes so many. Figures: players, largest.
- `fixed_table_missing`: a fixed table that there is not. One entrant; figures: table, tables.
- `wishes_not_met`: no tables were found that meet all wishes at once. Entrants: all who have one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import TypeVar

from league.pairing.values import PairingError, Reason, Wishes

T = TypeVar("T")

# Places tried for one round before it is given up.
TRIES = 20_000


@dataclass(frozen=True, slots=True)
class Keeping:
    """`groups` of two and more, in each of which all sit together; `apart` pairs; `fixed`: table number by player."""

    groups: tuple[tuple[int, ...], ...]
    apart: frozenset[tuple[int, int]]
    fixed: dict[int, int]

    @property
    def together_pairs(self) -> int:
        """How many pairs always sit together."""
        return sum(len(one) * (len(one) - 1) // 2 for one in self.groups)


def read_wishes(players: Sequence[int], sizes: Sequence[int], wishes: Wishes) -> Keeping:
    """The wishes about these players, as numbers; PairingError if they can't be met by these tables."""
    number = {player: index for index, player in enumerate(players)}
    fixed = {number[player]: table for player, table in sorted(wishes.fixed.items()) if player in number}
    for index, table in fixed.items():
        if not 1 <= table <= len(sizes):
            figures = {"table": table, "tables": len(sizes)}
            raise PairingError(Reason(code="fixed_table_missing", entrants=(players[index],), figures=figures))
    leader = list(range(len(players)))
    same_table = [pair for pair in combinations(fixed, 2) if fixed[pair[0]] == fixed[pair[1]]]
    for a, b in _known(wishes.together, number) + same_table:
        leader = [leader[a] if one == leader[b] else one for one in leader]
    groups = {lead: tuple(p for p, its in enumerate(leader) if its == lead) for lead in sorted(set(leader))}
    other_table = [pair for pair in combinations(fixed, 2) if fixed[pair[0]] != fixed[pair[1]]]
    apart = set()
    for a, b in _known(wishes.apart, number) + other_table:
        if leader[a] == leader[b]:
            raise PairingError(Reason(code="wishes_contradict", entrants=tuple(sorted((players[a], players[b])))))
        # Whoever sits with one of them is kept apart too.
        apart |= {(min(p, q), max(p, q)) for p in groups[leader[a]] for q in groups[leader[b]]}
    for group in groups.values():
        if len(group) > max(sizes):
            entrants = tuple(sorted(players[p] for p in group))
            figures = {"players": len(group), "largest": max(sizes)}
            raise PairingError(Reason(code="together_too_many", entrants=entrants, figures=figures))
    return Keeping(tuple(group for group in groups.values() if len(group) > 1), frozenset(apart), fixed)


def _known(pairs: frozenset[tuple[int, int]], number: dict[int, int]) -> list[tuple[int, int]]:
    return [(number[a], number[b]) for a, b in sorted(pairs) if a in number and b in number and a != b]


def draw_round(players: int, sizes: Sequence[int], keeping: Keeping, rng: Random) -> list[int] | None:
    """A round by chance that meets the wishes, table after table; None if none was found."""
    grouped = {p for group in keeping.groups for p in group}
    units = [*keeping.groups, *((p,) for p in range(players) if p not in grouped)]
    foes: dict[int, set[int]] = {}
    for a, b in keeping.apart:
        foes.setdefault(a, set()).add(b)
        foes.setdefault(b, set()).add(a)
    shuffle(units, rng)
    # The most difficult first: the free ones fill what is left, which always fits.
    units.sort(key=lambda unit: (-len(unit), -sum(len(foes.get(p, ())) for p in unit)))
    difficult = sum(1 for unit in units if len(unit) > 1 or unit[0] in foes)
    free = units[difficult:]
    tables: list[list[int]] = [[] for _size in sizes]
    # For each unit placed so far, the tables that it may still try.
    left: list[list[int]] = []
    tries = 0
    while len(left) < difficult:
        unit = units[len(left)]
        barred = set().union(*(foes.get(p, set()) for p in unit))
        room = [
            number
            for number, (table, size) in enumerate(zip(tables, sizes, strict=True))
            if len(table) + len(unit) <= size and barred.isdisjoint(table)
        ]
        shuffle(room, rng)
        left.append(room)
        while left and not left[-1]:
            left.pop()
            if left:
                back = units[len(left) - 1]
                table = next(table for table in tables if back[0] in table)
                del table[-len(back) :]
        tries += 1
        if not left or tries > TRIES:
            return None
        tables[left[-1].pop()].extend(units[len(left) - 1])
    for table, size in zip(tables, sizes, strict=True):
        while len(table) < size:
            table.extend(free.pop())
    return [p for table in tables for p in table]


def shuffle(things: list[T], rng: Random) -> None:
    """Bring into random order, by `random()` alone, so that every version of Python does the same."""
    for last in range(len(things) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        things[last], things[other] = things[other], things[last]


def number_tables(tables: list[list[int]], keeping: Keeping) -> list[list[int]]:
    """The tables of a round in the order in which everybody with a fixed table has it; the others keep theirs."""
    placed: dict[int, list[int]] = {}
    for table in tables:
        for p in table:
            if p in keeping.fixed:
                placed[keeping.fixed[p]] = table
    others = iter([table for table in tables if not any(p in keeping.fixed for p in table)])
    return [placed[number] if number in placed else next(others) for number in range(1, len(tables) + 1)]


def relabel(tables: Sequence[Sequence[Sequence[int]]], keeping: Keeping, rng: Random) -> list[list[list[int]]] | None:
    """The same rounds with players exchanged so that pairs to be kept apart never meet; None if it was not found."""
    players = sum(len(table) for table in tables[0])
    met = [bytearray(players) for _player in range(players)]
    for one in tables:
        for table in one:
            for a, b in combinations(table, 2):
                met[a][b] = met[b][a] = 1
    at = list(range(players))
    pairs = sorted(keeping.apart)

    def broken() -> list[tuple[int, int]]:
        return [(a, b) for a, b in pairs if met[at[a]][at[b]]]

    now = broken()
    for _try in range(4000):
        if not now:
            number = {point: player for player, point in enumerate(at)}
            return [[[number[p] for p in table] for table in one] for one in tables]
        a = now[int(rng.random() * len(now))][int(rng.random() * 2)]
        b = int(rng.random() * players)
        at[a], at[b] = at[b], at[a]
        after = broken()
        if len(after) > len(now):
            at[a], at[b] = at[b], at[a]
        else:
            now = after
    return None
