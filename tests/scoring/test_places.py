"""Places with skipping (docs/rules/xxl.md, "Scoring a session")."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.scoring.places import check_ranking, places

SCORES = st.lists(st.integers(-20, 20), max_size=8)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([120, 95, 95, 80], (1, 2, 2, 4)),
        ([100, 100, 100, 40], (1, 1, 1, 4)),
        ([70, 60, 60, 60, 10], (1, 2, 2, 2, 5)),
        ([50, 50, 50], (1, 1, 1)),
    ],
)
def test_table_of_the_rules(scores: list[int], expected: tuple[int, ...]) -> None:
    assert places(scores, high_wins=True) == expected


def test_low_wins_keeps_the_order_of_the_scores() -> None:
    """14 shared behind 0, third skipped."""
    assert places([14, 31, 0, 14], high_wins=False) == (2, 4, 1, 2)


def test_nobody() -> None:
    assert places([], high_wins=True) == ()


@given(SCORES)
def test_place_is_one_more_than_the_number_of_better_ones(scores: list[int]) -> None:
    assert list(places(scores, high_wins=True)) == [1 + sum(x > score for x in scores) for score in scores]
    assert list(places(scores, high_wins=False)) == [1 + sum(x < score for x in scores) for score in scores]


@given(SCORES)
def test_places_of_scores_are_a_valid_ranking(scores: list[int]) -> None:
    assert check_ranking(places(scores, high_wins=True)) == ()


def expectations(given: list[int]) -> list[tuple[int | None, int | str, int | str]]:
    problems = check_ranking(given)
    assert {(problem.code, problem.field) for problem in problems} <= {("place_expected", "place")}
    return [(problem.index, problem.params["expected"], problem.params["given"]) for problem in problems]


def test_valid_ranking() -> None:
    assert expectations([1, 2, 2, 4]) == []
    assert expectations([4, 2, 1, 2]) == []


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [
        ([1, 2, 2, 3], [(3, 4, 3)]),
        ([2, 3, 4], [(0, 1, 2), (1, 2, 3), (2, 3, 4)]),
        ([1, 1, 2], [(2, 3, 2)]),
        ([0, 1], [(0, 1, 0), (1, 2, 1)]),
        ([1, 3], [(1, 2, 3)]),
        ([2], [(0, 1, 2)]),
    ],
)
def test_no_ranking_says_which_place_was_expected(
    ranking: list[int], expected: list[tuple[int | None, int | str, int | str]]
) -> None:
    """1 2 2 3 and 2 3 4 stand in docs/rules/xxl.md, "Logged results from physical games"."""
    assert expectations(ranking) == expected


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6))
def test_valid_exactly_when_each_run_starts_behind_all_before_it(given: list[int]) -> None:
    """The naive check: walk the sorted places; each is its position or equal to the one before."""
    valid, before = True, 0
    for position, place in enumerate(sorted(given), start=1):
        valid = valid and place in (position, before)
        before = place
    assert (check_ranking(given) == ()) == valid
