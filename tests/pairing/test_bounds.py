"""Bounds: the figures are worked by hand or known from designs; no random seating is ever below."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pairing.bounds import counting_bound, largest_count, lower_bound, pigeonhole_bound, repeats
from league.pairing.sizes import table_sizes
from tests.pairing.test_positions import drawn


@pytest.mark.parametrize(
    ("players", "preferred", "rounds", "counting", "pigeonhole"),
    [
        # 7 rounds x 2 tables x 6 pairs = 84 = 3 x 28: each pair three times, 28 x 3. A table of four comes from two
        # tables, 2 + 2: two pairs, for two tables and 21 pairs of rounds.
        (8, 4, 7, 84, 84),
        # 108 = 66 + 42. A table of four comes from three tables, 2 + 1 + 1: one pair; 15 x 3.
        (12, 4, 6, 42, 45),
        # 198 = 3 x 66; 55 x 3.
        (12, 4, 11, 198, 165),
        # 144 = 120 + 24; a table of four comes from four tables.
        (16, 4, 6, 24, 0),
        # 270 = 153 + 117; six from three tables, 2 + 2 + 2; 15 x 3 x 3.
        (18, 6, 6, 117, 135),
        # 4+3+3+3: 15 pairs a round, 90 = 78 + 12.
        (13, 4, 6, 12, 0),
        (14, 4, 6, 17, 0),
        # 5+4+4+4: 28 a round, 168 = 136 + 32; the table of five brings one from four tables, 15 x 1.
        (17, 5, 6, 32, 15),
        # 6+6+6+5: 55 a round, 330 = 253 + 77; six from four tables 2 + 2 + 1 + 1, five 2 + 1 + 1 + 1; 15 x (3 x 2 + 1).
        (23, 6, 6, 77, 105),
        (40, 4, 13, 0, 0),
    ],
)
def test_bounds(players: int, preferred: int, rounds: int, counting: int, pigeonhole: int) -> None:
    sizes = [table_sizes(players, preferred)] * rounds
    assert counting_bound(players, sizes) == counting
    assert pigeonhole_bound(sizes) == pigeonhole
    assert lower_bound(players, sizes) == max(counting, pigeonhole)


def test_rounds_of_different_sizes_use_the_better_direction() -> None:
    # Six players: 3+3 beside 2+2+2. The threes come from three tables: nothing. The twos come from two tables: nothing.
    assert pigeonhole_bound([(3, 3), (2, 2, 2)]) == 0
    # 6 beside 3+3: from the table of six, 3 + 3: six pairs; the threes come from one table, three pairs each.
    assert pigeonhole_bound([(6,), (3, 3)]) == 6
    # 5+1 beside 3+3: five is 3 + 2, four pairs; the threes come from two tables, 2 + 1, one pair each.
    assert pigeonhole_bound([(5, 1), (3, 3)]) == 4


def test_pairs_that_sit_together_or_apart_are_counted_for_themselves() -> None:
    # Four rounds of eight, one pair always together: 6 for it. 48 - 4 = 44 places for the other 27: 17 of them twice.
    assert counting_bound(8, [(4, 4)] * 4, together=1) == 6 + 17
    # One pair never: 48 = 27 + 21.
    assert counting_bound(8, [(4, 4)] * 4, apart=1) == 21


def test_measures() -> None:
    rounds = [[[1, 2, 3], [4, 5, 6]], [[3, 2, 4], [1, 5, 6]], [[2, 3, 5], [1, 4, 6]]]
    # 2 and 3 meet three times; 5 and 6, 4 and 6, 1 and 6 twice; the nine others at most once.
    assert repeats(rounds) == 3 + 3 * 1
    assert largest_count(rounds) == 3
    assert largest_count([]) == 0


@given(st.integers(3, 30), st.integers(3, 6), st.integers(1, 8), st.integers(0, 1000))
def test_no_seating_is_below_the_bound(players: int, preferred: int, rounds: int, seed: int) -> None:
    rng = Random(seed)
    sizes = [table_sizes(players, rng.choice([3, 4, preferred])) for _round in range(rounds)]
    made = [drawn(players, max(one), 1, rng.randrange(1000))[0] for one in sizes]
    assert repeats(made) >= lower_bound(players, [[len(table) for table in one] for one in made])
