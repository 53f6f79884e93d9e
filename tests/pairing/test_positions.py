"""Seats: the promise of the module, held against tables drawn at random."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pairing.positions import Round, balance_seats
from league.pairing.sizes import table_sizes


def drawn(players: int, preferred: int, rounds: int, seed: int) -> list[list[list[int]]]:
    rng = Random(seed)
    made = []
    for _round in range(rounds):
        order = list(range(players))
        rng.shuffle(order)
        made.append([[order.pop() for _seat in range(size)] for size in table_sizes(players, preferred)])
    return made


def seats_of(rounds: Sequence[Round]) -> Counter[tuple[int, int]]:
    return Counter((player, seat) for one in rounds for table in one for seat, player in enumerate(table))


@given(st.integers(4, 40), st.integers(3, 6), st.integers(1, 12), st.integers(0, 1000))
def test_any_two_seats_of_all_tables_are_within_one(players: int, preferred: int, rounds: int, seed: int) -> None:
    before = drawn(players, preferred, rounds, seed)
    after = balance_seats(before)
    assert [[sorted(table) for table in one] for one in before] == [[sorted(table) for table in one] for one in after]
    counts = seats_of(after)
    common = min(table_sizes(players, preferred))
    for player in range(players):
        its = [counts[player, seat] for seat in range(common)]
        assert max(its) - min(its) <= 1


@pytest.mark.parametrize(("players", "preferred", "rounds"), [(12, 4, 6), (16, 4, 5), (18, 6, 6), (20, 4, 8)])
def test_one_size_every_seat_is_within_one_of_even(players: int, preferred: int, rounds: int) -> None:
    counts = seats_of(balance_seats(drawn(players, preferred, rounds, 1)))
    for player in range(players):
        for seat in range(preferred):
            assert abs(counts[player, seat] - rounds / preferred) < 1


def test_what_was_played_before_is_evened_out() -> None:
    # Each began twice before at the table of its own; in two rounds all can have had each seat equally often.
    earlier = {1: (2, 0), 2: (0, 2), 3: (2, 0), 4: (0, 2)}
    after = balance_seats([[[1, 2], [3, 4]], [[1, 4], [3, 2]]], earlier=earlier)
    assert after == (((2, 1), (4, 3)), ((4, 1), (2, 3)))


def test_who_comes_later_counts_as_new() -> None:
    # 3 has begun once too often against 2, who never did; 1 is new.
    assert balance_seats([[[3, 1, 2]]], earlier={3: (1, 0, 0), 2: (0, 0, 1)})[0][0][0] in (1, 2)
    assert balance_seats([]) == ()
