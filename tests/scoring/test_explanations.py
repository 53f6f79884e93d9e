"""Derivations in writing: each formula and line of arithmetic worked by hand."""

from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest

from league.scoring.explanations import Derivation, derive
from league.scoring.standings import RankingRules, SessionPlace

FIRST = date(2026, 10, 5)


def day(number: int) -> date:
    return FIRST + timedelta(days=7 * number)


def of(rules: RankingRules, *places: tuple[int, int], points: tuple[int | None, ...] = (), **more: Any) -> Derivation:
    """Of the places of so many, an evening each; ``missed`` are the largest tables of further evenings."""
    results = [
        SessionPlace(7, number, day(number), place, players, points[number] if points else None)
        for number, (place, players) in enumerate(places)
    ]
    days = {day(number): players for number, (_place, players) in enumerate(places)}
    days |= {day(len(places) + number): players for number, players in enumerate(more.get("missed", ()))}
    return derive(7, results, days, rules)


def test_a_mean() -> None:
    """Places 1, 2 and 4: 7 in three sessions."""
    found = of(RankingRules(), (1, 4), (2, 4), (4, 4))
    assert found.arithmetic == "(1 + 2 + 4) / 3 = 7/3"
    assert (found.total, found.divisor, found.line.value) == (Fraction(7), 3, Fraction(7, 3))
    assert [one.formula for one in found.items] == ["", "", ""]


def test_a_mean_that_comes_out_even_and_one_of_one_session() -> None:
    assert of(RankingRules(), (1, 4), (3, 4)).arithmetic == "(1 + 3) / 2 = 2"
    assert of(RankingRules(), (3, 4)).arithmetic == "3 / 1 = 3"


def test_a_sum() -> None:
    """The standard points, 10 for a first and 7 for a second place."""
    found = of(RankingRules("points", best="high"), (1, 4), (2, 4))
    assert (found.arithmetic, found.divisor) == ("10 + 7 = 17", None)
    assert of(RankingRules("wins", best="high"), (1, 4)).arithmetic == "1"


@pytest.mark.parametrize(
    ("rules", "formula", "value"),
    [
        (RankingRules(table_weight="relative"), "(2 - 1) / (6 - 1)", Fraction(1, 5)),
        (RankingRules(table_weight="midpoint"), "(2 - 1/2) / 6", Fraction(1, 4)),
        (RankingRules("points", best="high", table_weight="opponents"), "7 x (6 - 1)", Fraction(35)),
        (RankingRules("wins", best="high", table_weight="opponents"), "0 x (6 - 1)", Fraction(0)),
        (
            RankingRules("points", best="high", points_by_place=(3,), table_weight="opponents"),
            "0 x (6 - 1)",
            Fraction(0),
        ),
    ],
)
def test_weights_of_a_second_place_of_six(rules: RankingRules, formula: str, value: Fraction) -> None:
    (item,) = of(rules, (2, 6)).items
    assert (item.formula, item.item.value) == (formula, value)


def test_alone_at_a_table() -> None:
    (item,) = of(RankingRules(table_weight="relative"), (1, 1)).items
    assert (item.formula, item.item.value) == ("", Fraction(0))


def test_dropped_items_are_in_no_sum() -> None:
    """The fourth place is the worst: 1 + 2 are left."""
    found = of(RankingRules(drop_worst=1), (1, 4), (4, 4), (2, 4))
    assert found.arithmetic == "(1 + 2) / 2 = 3/2"
    assert [(one.item.counts, one.item.dropped) for one in found.items] == [(True, False), (False, True), (True, False)]


def test_an_evening_missed_counts_as_one_behind_a_largest_table() -> None:
    """Six at the largest table of the evening missed: place 7."""
    found = of(RankingRules(absence="last"), (2, 6), missed=(6,))
    assert found.arithmetic == "(2 + 7) / 2 = 9/2"
    assert (found.items[1].place, found.items[1].players, found.items[1].formula) == (7, 7, "")
    weighted = of(RankingRules(absence="last", table_weight="midpoint"), (2, 6), missed=(6,))
    assert weighted.items[1].formula == "(7 - 1/2) / 7"


def test_an_evening_missed_counts_as_the_own_average() -> None:
    """2 and 5: 7/2 for the evening missed. The mean is the same, the sum is 21/2."""
    found = of(RankingRules(absence="average", metric="place_sum"), (2, 6), (5, 6), missed=(6,))
    assert found.items[2].formula == "(2 + 5) / 2"
    assert found.arithmetic == "2 + 5 + 7/2 = 21/2"


def test_points_in_the_games_and_a_session_without_any() -> None:
    rules = RankingRules("game_points", best="high")
    found = of(rules, (1, 2), (2, 2), (2, 2), points=(40, -5, None))
    assert found.arithmetic == "40 + (-5) = 35"
    assert not found.items[2].item.counts
    assert of(rules, (1, 2), points=(None,)).arithmetic == ""


def test_a_long_sum_tells_how_often() -> None:
    """Eight first and five second places."""
    found = of(RankingRules("place_sum"), *[(1, 4)] * 8, *[(2, 4)] * 5)
    assert found.arithmetic == "8 x 1 + 5 x 2 = 18"
