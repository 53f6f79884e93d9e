"""Final tables: cut by rank, and groups that cross. Expected tables are worked by hand from the rules of the module."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pairing.final_tables import seat
from league.pairing.sizes import table_sizes
from league.pairing.values import PairingError, Reason


def groups_of(*sizes: int) -> list[list[int]]:
    """Groups with ids of three digits: 203 is the third of the second group."""
    return [[100 * group + rank for rank in range(1, size + 1)] for group, size in enumerate(sizes, start=1)]


def test_one_ranking_is_cut_from_the_top() -> None:
    answer = seat([[5, 3, 9, 1, 7, 2, 8, 6]], preferred=4, crossing=False)
    assert answer.tables == ((5, 3, 9, 1), (7, 2, 8, 6))
    assert answer.reasons == ()


def test_the_short_tables_are_the_last() -> None:
    answer = seat(groups_of(13), preferred=4, crossing=False)
    assert [len(table) for table in answer.tables] == [4, 3, 3, 3]
    assert answer.tables[0] == (101, 102, 103, 104)


def test_several_groups_are_cut_rank_after_rank_and_a_cut_through_a_rank_is_told() -> None:
    answer = seat(groups_of(3, 3, 2), preferred=4, crossing=False)
    assert answer.tables == ((101, 201, 301, 102), (202, 302, 103, 203))
    assert answer.reasons == (Reason(code="rank_cut", entrants=(102, 202, 302), figures={"rank": 2, "table": 1}),)


def test_a_cut_between_ranks_needs_no_reason() -> None:
    answer = seat(groups_of(2, 2, 2, 2), preferred=4, crossing=False)
    assert answer.tables == ((101, 201, 301, 401), (102, 202, 302, 402))
    assert answer.reasons == ()


def test_two_groups_cross_as_in_duels() -> None:
    answer = seat(groups_of(4, 4), preferred=4, crossing=True)
    assert answer.tables == ((101, 202, 103, 204), (201, 102, 203, 104))
    # Four of each group at two tables: two of each have to meet at each.
    assert [(reason.code, reason.entrants, dict(reason.figures)) for reason in answer.reasons] == [
        ("same_group", (101, 103), {"table": 1, "group": 1}),
        ("same_group", (202, 204), {"table": 1, "group": 2}),
        ("same_group", (201, 203), {"table": 2, "group": 2}),
        ("same_group", (102, 104), {"table": 2, "group": 1}),
    ]


def test_four_groups_cross_in_a_latin_square() -> None:
    answer = seat(groups_of(4, 4, 4, 4), preferred=4, crossing=True)
    assert answer.tables == (
        (101, 202, 303, 404),
        (201, 302, 403, 104),
        (301, 402, 103, 204),
        (401, 102, 203, 304),
    )
    assert answer.reasons == ()


def test_the_first_two_of_four_groups_do_not_meet_the_own_group() -> None:
    answer = seat(groups_of(2, 2, 2, 2), preferred=4, crossing=True)
    assert answer.reasons == ()
    assert all(sum(one % 100 == 1 for one in table) == 2 for table in answer.tables)


def clashes(tables: Sequence[Sequence[int]]) -> int:
    return sum(a // 100 == b // 100 for table in tables for a, b in combinations(table, 2))


@pytest.mark.parametrize(
    ("sizes", "preferred"),
    [
        ((4, 4), 4),
        ((2,) * 4, 4),
        ((3,) * 4, 4),
        ((4,) * 3, 4),
        ((2,) * 6, 4),
        ((2,) * 8, 4),
        ((3,) * 5, 4),
        ((8, 8), 4),
        ((3,) * 3, 3),
        ((3, 3), 3),
        ((4,) * 3, 3),
        ((5,) * 5, 5),
        ((3, 2, 4), 3),
        ((6,) * 6, 6),
    ],
)
def test_no_fewer_of_one_group_can_meet(sizes: tuple[int, ...], preferred: int) -> None:
    answer = seat(groups_of(*sizes), preferred=preferred, crossing=True)
    tables = len(answer.tables)
    # Spread evenly over the tables, a group of n has so many pairs that meet.
    fewest = sum((n % tables) * (n // tables) + tables * (n // tables) * (n // tables - 1) // 2 for n in sizes)
    assert clashes(answer.tables) == len(answer.reasons) == fewest


@given(st.lists(st.integers(1, 7), min_size=1, max_size=8), st.integers(3, 6), st.booleans())
def test_everybody_sits_once_at_tables_of_the_usual_sizes(sizes: list[int], preferred: int, crossing: bool) -> None:
    groups = groups_of(*sizes)
    count = sum(sizes)
    try:
        expected = table_sizes(count, preferred)
    except PairingError as error:
        with pytest.raises(PairingError) as caught:
            seat(groups, preferred=preferred, crossing=crossing)
        assert caught.value.reason == error.reason
        return
    answer = seat(groups, preferred=preferred, crossing=crossing)
    assert Counter(one for table in answer.tables for one in table) == Counter(one for group in groups for one in group)
    assert sorted(map(len, answer.tables), reverse=True) == list(expected)
    # At a table the better rank sits before the worse.
    assert all(a % 100 <= b % 100 for table in answer.tables for a, b in combinations(table, 2))
    if not crossing:
        ranks = [[one % 100 for one in table] for table in answer.tables]
        assert all(max(before) <= min(after) for before, after in pairwise(ranks))
    else:
        assert clashes(answer.tables) == len(answer.reasons)


def test_crossing_gives_each_table_one_of_each_pot() -> None:
    for order in permutations((2, 3, 4)):
        answer = seat(groups_of(*order), preferred=3, crossing=True)
        everybody = sorted((one for table in answer.tables for one in table), key=lambda one: (one % 100, one // 100))
        for start in range(0, 9, 3):
            pot = set(everybody[start : start + 3])
            assert all(len(pot & set(table)) == 1 for table in answer.tables)


def test_nobody_is_in_two_groups() -> None:
    with pytest.raises(PairingError) as caught:
        seat([[1, 2, 3], [4, 2, 5]], preferred=3, crossing=True)
    assert caught.value.reason == Reason(code="entrant_twice", entrants=(2,))


def test_too_few_for_a_table() -> None:
    with pytest.raises(PairingError) as caught:
        seat([[1], [2]], preferred=4, crossing=False)
    assert caught.value.reason.code == "too_few_players"
