"""Seatings without any repeat that are computed, not searched for: tables of one size, players 0 to n - 1.

Terms. There are g tables of s, n = g s. A *column* is g players of whom no two meet in the rounds of a transversal
design; player i of column j has the number j g + i. *Wheels* are as in `cyclic`.

- *Field.* Over the ring of g elements, a product of finite fields, take an element a_j for each column, such that the
  differences of any two are invertible. Table t of round r has the players t + r a_j of each column j. If two meet at
  t, r and at t', r', then (r - r')(a_j - a_k) = 0, so r = r': g rounds, as long as s is no more than the size of the
  smallest field (MacNeish; for s = g a prime power these are the affine planes).
- *Progression.* The same over the whole numbers modulo g with a_j = j and r = 0, 1, 2, …: so many rounds until a
  product of differences is divisible by g. Whenever (s - 1)(R - 1) < g.
- *Columns.* After either, where s divides g, rounds in which each column plays for itself, by a design of its own.
- *Starter.* One base round turned once around, found by a complete search among those that a further symmetry leaves as
  they are. With the *straight* rounds, which have one player of each wheel at each table, these are resolvable designs:
  (28, 4, 1) and (40, 4, 1) (a round for each, no pair left out), Kirkman's triple system of 21, and group divisible
  ones in which groups of two or three never meet (24, 36 and 48 at 4s, 24 at 3s).

Each is checked when it is made: `repeats` of it is 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from league.pairing.bounds import repeats
from league.pairing.cyclic import Wheels, turned
from league.pairing.fields import Ring

Tables = list[list[int]]


@dataclass(frozen=True, slots=True)
class Design:
    """Rounds without a repeat, and how they were made: field, progression or starter."""

    rounds: list[Tables]
    method: str


@dataclass(frozen=True, slots=True)
class Starter:
    """A base round by some of its tables; without a symmetry all tables, of several base rounds one after another.

    The others follow by the symmetry (player x of wheel i goes to place `times` x of wheel i + 1, fixed player i to
    fixed player i + 1, both in a circle). `straight` rounds: by wheel, the place of the player at table 0, who is
    followed by the next one at table 1 and so on.
    """

    turns: int
    tables: tuple[tuple[int, ...], ...]
    times: int = 1
    has_symmetry: bool = True
    straight: tuple[tuple[int, ...], ...] = ()


# By players and size of tables. Found by a program that goes through all base rounds with the symmetry, the tables in
# random order, and stops at the first in which each class of pairs occurs once at most; those of 18, 21 and 30 have no
# symmetry, those of 18 and 30 were annealed.
STARTERS = {
    (18, 3): Starter(
        4,
        (
            *((6, 8, 9), (10, 13, 17), (0, 1, 5), (3, 14, 16), (4, 7, 12), (2, 11, 15)),
            *((6, 12, 13), (4, 9, 16), (2, 5, 17), (3, 10, 15), (0, 8, 14), (1, 7, 11)),
        ),
        has_symmetry=False,
    ),
    (21, 3): Starter(
        7,
        ((3, 10, 15), (2, 12, 19), (7, 11, 13), (4, 9, 20), (1, 5, 6), (0, 8, 18), (14, 16, 17)),
        has_symmetry=False,
        straight=((0, 2, 1), (0, 6, 0), (0, 4, 6)),
    ),
    (24, 3): Starter(11, ((1, 16, 23), (7, 15, 17), (3, 9, 10), (2, 11, 19))),
    (27, 3): Starter(13, ((12, 25, 26), (0, 7, 15), (3, 5, 6), (4, 8, 24), (1, 9, 23))),
    (24, 4): Starter(7, ((1, 12, 14, 23), (3, 4, 6, 9))),
    (28, 4): Starter(9, ((0, 9, 18, 27), (3, 6, 20, 25), (2, 7, 22, 23)), times=2),
    (36, 4): Starter(11, ((9, 21, 24, 35), (5, 7, 25, 30), (6, 11, 12, 15))),
    (40, 4): Starter(13, ((1, 14, 27, 39), (0, 2, 32, 35), (4, 11, 16, 25), (7, 8, 31, 36))),
    (48, 4): Starter(15, ((13, 27, 36, 46), (3, 7, 20, 40), (15, 23, 24, 34), (16, 26, 29, 32))),
    (30, 5): Starter(
        6,
        (
            (6, 11, 13, 20, 22),
            (2, 7, 9, 25, 26),
            (0, 5, 8, 12, 14),
            (16, 17, 21, 27, 29),
            (4, 10, 15, 23, 24),
            (1, 3, 18, 19, 28),
        ),
        has_symmetry=False,
    ),
    (52, 4): Starter(17, ((0, 17, 34, 51), (10, 22, 40, 41), (19, 35, 43, 46), (25, 30, 32, 38), (11, 20, 33, 48))),
}


def find_design(players: int, size: int, rounds: int) -> Design | None:
    """The design with the most rounds for tables of one size, up to `rounds` of them; None if there is none."""
    found = [
        design
        for design in (
            _from_starter(players, size, rounds),
            _transversal(players, size, rounds, over_fields=True),
            _transversal(players, size, rounds, over_fields=False),
        )
        if design is not None
    ]
    best = max(found, key=lambda design: len(design.rounds), default=None)
    if best is not None and repeats(best.rounds):
        raise AssertionError(f"{best.method} for {players} at {size}")
    return best


def _from_starter(players: int, size: int, rounds: int) -> Design | None:
    starter = STARTERS.get((players, size))
    if starter is None:
        return None
    bases = base_rounds(players, size, starter)
    wheels = Wheels(players, starter.turns, len(bases))
    made = turned(wheels, bases, rounds)
    for straight in starter.straight[: rounds - len(made)]:
        made.append(
            [
                [wheels.turn(wheel * starter.turns + place, turn) for wheel, place in enumerate(straight)]
                for turn in range(starter.turns)
            ]
        )
    return Design(made, "starter")


def base_rounds(players: int, size: int, starter: Starter) -> list[Tables]:
    """All tables of each base round."""
    if not starter.has_symmetry:
        tables_each = players // size
        return [
            [list(table) for table in starter.tables[first : first + tables_each]]
            for first in range(0, len(starter.tables), tables_each)
        ]
    wheels, fixed = divmod(players, starter.turns)
    last = players - fixed

    def mirrored(player: int) -> int:
        if player >= last:
            return last + (player - last + 1) % fixed
        wheel, place = divmod(player, starter.turns)
        return (wheel + 1) % wheels * starter.turns + place * starter.times % starter.turns

    tables: dict[frozenset[int], list[int]] = {}
    for first in starter.tables:
        table = list(first)
        while frozenset(table) not in tables:
            tables[frozenset(table)] = table
            table = [mirrored(player) for player in table]
    return [list(tables.values())]


def _transversal(players: int, size: int, rounds: int, *, over_fields: bool) -> Design | None:
    """Field or progression, and then the columns."""
    tables = players // size
    made: list[Tables] = []
    if tables >= 2:
        ring = Ring(tables) if over_fields else None
        if ring is not None:
            elements = ring.units[:size]
            # Who has too few elements for the columns has no such design.
            count = tables if len(elements) == size else 0
        else:
            elements = list(range(size))
            count = _progression_rounds(tables, size)
        for r in range(min(rounds, count)):
            ahead = [ring.multiply(r, a) if ring is not None else r * a % tables for a in elements]
            made.append(
                [
                    [
                        column * tables + (ring.add(table, by) if ring is not None else (table + by) % tables)
                        for column, by in enumerate(ahead)
                    ]
                    for table in range(tables)
                ]
            )
    if not made:
        return None
    if len(made) < rounds and tables % size == 0:
        inner = [[list(range(size))]] if tables == size else _columns(tables, size, rounds - len(made))
        made += [[[column * tables + i for i in table] for column in range(size) for table in one] for one in inner][
            : rounds - len(made)
        ]
    return Design(made, "field" if over_fields else "progression")


def _columns(players: int, size: int, rounds: int) -> list[Tables]:
    """The rounds of one column for itself; at least one."""
    design = find_design(players, size, rounds)
    if design is not None:
        return design.rounds
    return [[list(range(first, first + size)) for first in range(0, players, size)]]


def _progression_rounds(tables: int, size: int) -> int:
    """How many rounds 0, 1, 2, … have no product of differences that the number of tables divides."""
    rounds = 1
    while rounds < tables and all(rounds * column % tables for column in range(1, size)):
        rounds += 1
    return rounds


def drop_players(design: Sequence[Tables], players: Sequence[int]) -> list[Tables]:
    """The rounds without some players, the others numbered anew in order, the longest tables first."""
    everybody = sorted({player for table in design[0] for player in table} - set(players))
    number = {player: index for index, player in enumerate(everybody)}
    return [
        sorted(([number[player] for player in table if player in number] for table in one), key=len, reverse=True)
        for one in design
    ]
