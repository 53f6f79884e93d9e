"""Designs: every pair of players is counted."""

from collections import Counter
from itertools import combinations, product

import pytest

from league.pairing.cyclic import Wheels, has_room, possible_wheels, turned
from league.pairing.designs import STARTERS, base_rounds, drop_players, find_design
from league.pairing.fields import Field, Ring, prime_powers


@pytest.mark.parametrize(
    ("players", "size", "rounds"),
    [
        # Affine planes, and more columns than one: (64, 4, 1) has 21 rounds.
        (9, 3, 4),
        (16, 4, 5),
        (25, 5, 6),
        (64, 4, 21),
        (81, 9, 10),
        # Transversal designs over 5, 7, 8 with the columns, 9, 16, 25, 27 elements, and products of fields.
        (20, 4, 5),
        (35, 5, 7),
        (32, 4, 9),
        (36, 4, 9),
        (64, 4, 16),
        (100, 4, 10),
        (108, 4, 27),
        (45, 3, 15),
        (60, 3, 20),
        # Where no field is large enough.
        (200, 4, 10),
        (36, 6, 3),
        # Starters: Kirkman's triple systems of 21 and 27; 24, 36 and 48 as far as groups of two and three allow.
        (18, 3, 8),
        (21, 3, 10),
        (27, 3, 13),
        (24, 3, 11),
        (24, 4, 7),
        (28, 4, 9),
        (30, 5, 6),
        (36, 4, 11),
        (40, 4, 13),
        (48, 4, 15),
        (52, 4, 17),
    ],
)
def test_nobody_meets_twice(players: int, size: int, rounds: int) -> None:
    design = find_design(players, size, rounds)
    assert design is not None
    assert len(design.rounds) == rounds
    met: Counter[tuple[int, int]] = Counter()
    for one in design.rounds:
        assert sorted(player for table in one for player in table) == list(range(players))
        for table in one:
            assert len(table) == size
            met.update(combinations(sorted(table), 2))
    assert set(met.values()) == {1}
    assert len(met) == rounds * players * (size - 1) // 2


def test_a_complete_design_leaves_no_pair_out() -> None:
    for players, size in [(28, 4), (40, 4), (52, 4), (21, 3), (27, 3)]:
        design = find_design(players, size, 100)
        assert design is not None
        pairs = {pair for one in design.rounds for table in one for pair in combinations(sorted(table), 2)}
        assert len(pairs) == players * (players - 1) // 2


@pytest.mark.parametrize(("players", "size"), STARTERS)
def test_starters_seat_everybody_once(players: int, size: int) -> None:
    for tables in base_rounds(players, size, STARTERS[players, size]):
        assert sorted(player for table in tables for player in table) == list(range(players))
        assert {len(table) for table in tables} == {size}


def test_fewer_rounds_are_the_first_of_more() -> None:
    few, many = find_design(40, 4, 3), find_design(40, 4, 13)
    assert few is not None
    assert many is not None
    assert few.rounds == many.rounds[:3]


def test_dropping_players_renumbers_the_others() -> None:
    assert drop_players([[[0, 3], [1, 4, 2]]], [3]) == [[[1, 3, 2], [0]]]


@pytest.mark.parametrize(("prime", "exponent"), [(2, 1), (7, 1), (2, 2), (2, 3), (3, 2), (2, 4), (5, 2), (3, 3)])
def test_fields(prime: int, exponent: int) -> None:
    field = Field(prime, exponent)
    elements = range(field.size)
    for a, b in product(elements, repeat=2):
        assert field.add(a, b) == field.add(b, a)
        assert field.multiply(a, b) == field.multiply(b, a)
        assert (field.multiply(a, b) == 0) == (a == 0 or b == 0)
    for a in elements:
        assert field.add(a, 0) == field.multiply(a, 1) == a
        assert sorted(field.add(a, b) for b in elements) == list(elements)
    few = range(0, field.size, max(1, field.size // 5))
    for a, b, c in product(few, repeat=3):
        assert field.multiply(a, field.add(b, c)) == field.add(field.multiply(a, b), field.multiply(a, c))
        assert field.multiply(a, field.multiply(b, c)) == field.multiply(field.multiply(a, b), c)


def test_rings_are_products_of_fields() -> None:
    assert prime_powers(360) == [(2, 3), (3, 2), (5, 1)]
    assert prime_powers(97) == [(97, 1)]
    ring = Ring(12)
    # Three and four elements: three whose differences can be divided by.
    assert len(ring.units) == 3
    for a, b in combinations(ring.units, 2):
        difference = next(d for d in range(12) if ring.add(b, d) == a)
        assert sorted(ring.multiply(difference, x) for x in range(12)) == list(range(12))


def test_turning() -> None:
    # Two wheels of three and one who stays.
    wheels = Wheels(7, 3, 1)
    assert [wheels.turn(player, 1) for player in range(7)] == [1, 2, 0, 4, 5, 3, 6]
    assert turned(wheels, [[[0, 3, 6], [1, 5]]], 2) == [[[0, 3, 6], [1, 5]], [[1, 4, 6], [2, 3]]]


def test_ways_to_turn() -> None:
    # Fifteen at 3s for seven rounds: two wheels of seven around one who stays give exactly the rounds.
    assert Wheels(15, 7, 1) in possible_wheels(15, 3, 7)
    assert has_room(Wheels(15, 7, 1), 3)
    # Nine rounds of 16 at 4s would need more pairs than there are.
    assert not has_room(Wheels(16, 9, 1), 4)
