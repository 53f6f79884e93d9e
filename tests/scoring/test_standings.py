"""The table of a season: adding up sessions by its rules, ranks with skipping."""

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from league.scoring.standings import (
    Absence,
    Metric,
    RankingRules,
    SessionPlace,
    StandingLine,
    TableWeight,
    add,
    items,
    place_value,
    rank,
    sort_key,
)
from league.scoring.standings import line as line_of

DAY = date(2026, 10, 5)
BY_AVERAGE, BY_WINS = RankingRules(), RankingRules(metric="wins", best="high")


def place(place: int, *, session: int = 1, day: date = DAY) -> SessionPlace:
    return SessionPlace(player=7, session=session, played_on=day, place=place, players=4)


def line(player: int, sessions: int, total: int, wins: int = 0, rules: RankingRules = BY_AVERAGE) -> StandingLine:
    value = Fraction(wins) if rules.metric == "wins" else Fraction(total, sessions)
    return StandingLine(player, sessions, total, wins, 1, DAY, 1, counted=sessions, value=value)


def fold(results: list[SessionPlace]) -> StandingLine:
    return line_of(7, results, {}, BY_AVERAGE)


def ranks(lines: list[StandingLine], rules: RankingRules) -> list[tuple[int | None, int]]:
    return [(number, entry.player) for number, entry in rank(lines, rules)]


def test_fold() -> None:
    """Places 3, 1, 4: three sessions, 8 in all, 8/3 on average, one win."""
    week = timedelta(days=7)
    folded = fold([place(1, session=2, day=DAY + week), place(4, session=3, day=DAY + 2 * week), place(3, session=1)])
    assert folded == StandingLine(
        *(7, 3, 8, 1, 3, date(2026, 10, 19), 4), counted=3, value=Fraction(8, 3), place_counts=(1, 0, 1, 1)
    )
    assert folded.place_average == Fraction(8, 3)


def test_last_session_is_the_one_played_last_not_entered_last() -> None:
    assert fold([place(2, session=5), place(4, session=3, day=DAY + timedelta(days=1))]).last_place == 4


def test_two_sessions_on_one_day() -> None:
    assert fold([place(2, session=5), place(4, session=3)]).last_session == 5


def test_fold_is_of_exactly_one_player() -> None:
    with pytest.raises(ValueError, match="exactly one player"):
        fold([])
    with pytest.raises(ValueError, match="exactly one player"):
        fold([place(1), SessionPlace(8, 1, DAY, 2, 4)])


@given(st.lists(st.integers(1, 6), min_size=1, max_size=20), st.data())
def test_fold_does_not_depend_on_the_order(places: list[int], data: st.DataObject) -> None:
    results = [place(one, session=number) for number, one in enumerate(places)]
    assert fold(results) == fold(data.draw(st.permutations(results)))
    assert fold(results).place_average == sum(Fraction(one, len(places)) for one in places)


def test_equal_averages_share_the_rank() -> None:
    """4/3, 7/3 and 14/6, 5/1 and 10/2, 6: 1, 2, 2, 4, 4, 6."""
    lines = [line(1, 6, 14), line(2, 1, 6), line(3, 2, 10), line(4, 3, 4), line(5, 1, 5), line(6, 3, 7)]
    assert ranks(lines, BY_AVERAGE) == [(1, 4), (2, 1), (2, 6), (4, 3), (4, 5), (6, 2)]


def test_most_wins_first() -> None:
    players = [(1, 9, 20, 2), (2, 3, 9, 0), (3, 4, 8, 2), (4, 5, 9, 3)]
    lines = [line(*one, rules=BY_WINS) for one in players]
    assert ranks(lines, BY_WINS) == [(1, 4), (2, 1), (2, 3), (4, 2)]


@pytest.mark.parametrize("rules", [RankingRules(minimum_sessions=2), RankingRules("wins", 2, "high")])
def test_below_the_minimum_there_is_no_rank(rules: RankingRules) -> None:
    players = [(1, 1, 1, 1), (2, 2, 4, 0), (3, 2, 3, 1), (4, 1, 2, 0)]
    lines = [line(*one, rules=rules) for one in players]
    assert ranks(lines, rules) == [(1, 3), (2, 2), (None, 1), (None, 4)]


def test_nobody() -> None:
    assert rank([], BY_AVERAGE) == ()


TOTALS = st.tuples(st.integers(1, 400), st.integers(1, 6)).flatmap(
    lambda pair: st.tuples(st.just(pair[0]), st.integers(pair[0], pair[0] * pair[1]))
)


@given(TOTALS, st.integers(1, 50))
def test_equal_averages_have_the_very_same_key(pair: tuple[int, int], times: int) -> None:
    sessions, total = pair
    more = line(2, sessions * times, total * times)
    assert sort_key(line(1, sessions, total), BY_AVERAGE) == sort_key(more, BY_AVERAGE)


@given(TOTALS, TOTALS)
def test_keys_are_ordered_as_the_exact_averages(one: tuple[int, int], other: tuple[int, int]) -> None:
    first, second = line(1, *one), line(2, *other)
    assume(first.place_average != second.place_average)
    assert (sort_key(first, BY_AVERAGE) < sort_key(second, BY_AVERAGE)) == (first.place_average < second.place_average)


@given(st.lists(TOTALS, max_size=12), st.integers(1, 5))
def test_rank_is_one_more_than_the_number_of_better_ones(totals: list[tuple[int, int]], minimum: int) -> None:
    lines = [line(player, *total) for player, total in enumerate(totals)]
    ranked = [entry for entry in lines if entry.sessions >= minimum]
    for number, entry in rank(lines, RankingRules(minimum_sessions=minimum)):
        if entry in ranked:
            assert number == 1 + sum(other.place_average < entry.place_average for other in ranked)
        else:
            assert number is None


# --- Every rule, on one sheet -----------------------------------------------------------------------------------------
#
# A player's four sessions: second of six with 14 points, second of two with 30, first of four with -3, last of four by
# places alone. Evenings of the season with their largest tables: three of those days and two that the player missed.

WEEKS = [DAY + timedelta(weeks=number) for number in range(5)]
SHEET = [
    SessionPlace(7, 11, WEEKS[0], 2, 6, 14),
    SessionPlace(7, 12, WEEKS[1], 2, 2, 30),
    SessionPlace(7, 13, WEEKS[2], 1, 4, -3),
    SessionPlace(7, 14, WEEKS[2], 4, 4, None),
]
EVENINGS = {WEEKS[0]: 6, WEEKS[1]: 4, WEEKS[2]: 4, WEEKS[3]: 5, WEEKS[4]: 2}
HALF = Fraction(1, 2)


def by(metric: Metric, **rules: Any) -> RankingRules:
    best = "low" if metric in {"place_average", "place_sum"} else "high"
    return RankingRules(metric, **{"best": best, **rules})


@pytest.mark.parametrize(
    ("rules", "value", "counted"),
    [
        # 2 + 2 + 1 + 4
        (by("place_sum"), 9, 4),
        (by("place_average"), Fraction(9, 4), 4),
        # 7 + 7 + 10 + 3, and by 5, 1 for the first two places 1 + 1 + 5 + 0
        (by("points"), 27, 4),
        (by("points", points_by_place=(5, 1)), 7, 4),
        (by("points", points_by_place=(0, 0, 0, -2), best="low"), -2, 4),
        # 14 + 30 - 3; the fourth session has none
        (by("game_points"), 41, 3),
        (by("wins"), 1, 4),
        # 1/5 + 1/1 + 0/3 + 3/3
        (by("place_sum", table_weight="relative"), Fraction(11, 5), 4),
        (by("place_average", table_weight="relative"), Fraction(11, 20), 4),
        # 1.5/6 + 1.5/2 + 0.5/4 + 3.5/4
        (by("place_sum", table_weight="midpoint"), 2, 4),
        (by("place_average", table_weight="midpoint"), HALF, 4),
        # 7 * 5 + 7 * 1 + 10 * 3 + 3 * 3
        (by("points", table_weight="opponents"), 81, 4),
        (by("wins", table_weight="opponents"), 3, 4),
        # Without the 4; without the 4 and the first of the twos; without more than there are
        (by("place_sum", drop_worst=1), 5, 3),
        (by("place_sum", drop_worst=2), 3, 2),
        (by("place_sum", drop_worst=9), 1, 1),
        (by("place_average", drop_worst=1), Fraction(5, 3), 3),
        (by("place_sum", drop_worst=1, best="high"), 8, 3),
        (by("place_sum", count_best=2), 3, 2),
        (by("place_sum", count_best=4), 9, 4),
        (by("place_sum", count_best=9), 9, 4),
        (by("points", drop_worst=1), 24, 3),
        (by("points", count_best=1), 10, 1),
        (by("points", count_best=1, best="low"), 3, 1),
        (by("game_points", drop_worst=1), 44, 2),
        (by("game_points", drop_worst=1, best="low"), 11, 2),
        (by("game_points", count_best=1), 30, 1),
        (by("wins", count_best=2), 1, 2),
        # Of 1/5, 1, 0, 1 without the first of the ones
        (by("place_sum", table_weight="relative", drop_worst=1), Fraction(6, 5), 3),
    ],
)
def test_value(rules: RankingRules, value: Fraction, counted: int) -> None:
    found = line_of(7, SHEET, EVENINGS, rules)
    assert (found.value, found.counted, found.absences) == (value, counted, 0)
    # Whatever the season ranks by, the sheet itself stays.
    assert (found.sessions, found.place_total, found.wins, found.game_points) == (4, 9, 1, 41)


@pytest.mark.parametrize(
    ("rules", "value", "counted"),
    [
        # The sixth place of the evening of five, the third of the evening of two.
        (by("place_sum", absence="last"), 9 + 6 + 3, 6),
        (by("place_average", absence="last"), 3, 6),
        (by("place_sum", absence="last", table_weight="relative"), Fraction(11, 5) + 2, 6),
        (by("place_sum", absence="last", table_weight="midpoint"), 2 + Fraction(11, 12) + Fraction(5, 6), 6),
        # One point for the sixth place, five for the third; at weights for five and two opponents.
        (by("points", absence="last"), 27 + 1 + 5, 6),
        (by("points", absence="last", table_weight="opponents"), 81 + 5 + 10, 6),
        (by("wins", absence="last"), 1, 6),
        # The mean of the sheet, before anything is dropped.
        (by("place_sum", absence="average"), 9 + 2 * Fraction(9, 4), 6),
        (by("place_average", absence="average"), Fraction(9, 4), 6),
        (by("points", absence="average"), 27 + 2 * Fraction(27, 4), 6),
        (by("game_points", absence="average"), 41 + 2 * Fraction(41, 3), 5),
        # The 6 goes; the 4 goes and two means of 9/4 stay; the best two are the 1 and a 2.
        (by("place_sum", absence="last", drop_worst=1), 12, 5),
        (by("place_sum", absence="average", drop_worst=1), 5 + Fraction(9, 2), 5),
        (by("place_sum", absence="last", count_best=2), 3, 2),
    ],
)
def test_missed_evenings(rules: RankingRules, value: Fraction, counted: int) -> None:
    found = line_of(7, SHEET, EVENINGS, rules)
    assert (found.value, found.counted, found.absences) == (value, counted, 2)
    assert (found.sessions, found.place_total, found.last_played_on) == (4, 9, WEEKS[2])


def test_items() -> None:
    """With the worst two dropped: the evening of five that was missed, 6, and the session with 4; days in order."""
    found = items(SHEET, EVENINGS, by("place_sum", absence="last", drop_worst=2))
    told = [(item.played_on, item.session, item.place, int(item.value), item.counts, item.dropped) for item in found]
    assert told == [
        (WEEKS[0], 11, 2, 2, True, False),
        (WEEKS[1], 12, 2, 2, True, False),
        (WEEKS[2], 13, 1, 1, True, False),
        (WEEKS[2], 14, 4, 4, False, True),
        (WEEKS[3], None, None, 6, False, True),
        (WEEKS[4], None, None, 3, True, False),
    ]


def test_of_equal_items_the_earliest_is_dropped() -> None:
    """Racing Rules of Sailing 2025-2028, A2.1."""
    results = [place(3, session=4, day=WEEKS[1]), place(3, session=9, day=WEEKS[0]), place(1, session=1)]
    found = items(results, {}, by("place_sum", drop_worst=1))
    assert [item.session for item in found if item.dropped] == [9]


def test_a_session_without_points_is_neither_counted_nor_dropped_nor_missed() -> None:
    found = items(SHEET[3:] + SHEET[:1], EVENINGS, by("game_points", absence="average", drop_worst=1))
    # 14 points on the first evening; WEEKS[2] was played; three evenings were missed, at 14 each; the first 14 goes.
    assert [(item.played_on, item.session, int(item.value), item.counts, item.dropped) for item in found] == [
        (WEEKS[0], 11, 14, False, True),
        (WEEKS[1], None, 14, True, False),
        (WEEKS[2], 14, 0, False, False),
        (WEEKS[3], None, 14, True, False),
        (WEEKS[4], None, 14, True, False),
    ]


@pytest.mark.parametrize("absence", ["none", "average"])
def test_without_any_points_there_is_no_value_and_no_rank(absence: Absence) -> None:
    rules = by("game_points", absence=absence)
    nothing = line_of(7, SHEET[3:], EVENINGS, rules)
    assert nothing.game_points is None
    assert (nothing.counted, nothing.place_counts, int(nothing.value)) == (0, (), 0)
    lowest = line_of(8, [SessionPlace(8, 1, DAY, 4, 4, -500)], {DAY: 4}, rules)
    assert [(number, one.player) for number, one in rank([nothing, lowest], rules)] == [(1, 8), (None, 7)]


def test_low_and_high() -> None:
    results = [[SessionPlace(player, 1, DAY, 1, 4, points)] for player, points in ((1, 5), (2, -5), (3, 5), (4, 0))]
    low, high = by("game_points", best="low"), by("game_points")
    assert ranks([line_of(own[0].player, own, {}, low) for own in results], low) == [(1, 2), (2, 4), (3, 1), (3, 3)]
    assert ranks([line_of(own[0].player, own, {}, high) for own in results], high) == [(1, 1), (1, 3), (3, 4), (4, 2)]


def test_place_counts_are_of_what_counts() -> None:
    assert line_of(7, SHEET, {}, by("place_sum")).place_counts == (1, 2, 0, 1)
    assert line_of(7, SHEET, {}, by("place_sum", drop_worst=1)).place_counts == (1, 2)
    assert line_of(7, SHEET, {}, by("game_points")).place_counts == (1, 2)
    assert line_of(7, SHEET, EVENINGS, by("place_sum", absence="last")).place_counts == (1, 2, 0, 1)


@pytest.mark.parametrize(
    ("weight", "values"),
    [
        # Of two, of six: first, second, last.
        ("none", [1, 2, 2, 1, 2, 6]),
        ("relative", [0, 1, 1, 0, Fraction(1, 5), 1]),
        ("midpoint", [Fraction(1, 4), Fraction(3, 4), Fraction(3, 4), Fraction(1, 12), HALF**2, Fraction(11, 12)]),
    ],
)
def test_what_a_place_is_worth(weight: TableWeight, values: list[Fraction]) -> None:
    rules = by("place_sum", table_weight=weight)
    assert [place_value(one, players, rules) for players in (2, 6) for one in (1, 2, players)] == values


@given(st.integers(1, 12))
def test_weights_make_tables_alike(players: int) -> None:
    """The mean of the places of any table without ties is 1/2, by either formula (a table of one: 0 and 1/2)."""
    for weight, expected in (("relative", HALF if players > 1 else 0), ("midpoint", HALF)):
        rules = by("place_sum", table_weight=weight)
        values = [place_value(one, players, rules) for one in range(1, players + 1)]
        assert sum(values) / players == expected
        assert values == sorted(values)


def test_a_table_of_one() -> None:
    alone = [place_value(1, 1, by(*one)) for one in (("place_sum",), ("points",), ("wins",))]
    assert alone == [1, 10, 1]
    assert place_value(1, 1, by("points", table_weight="opponents")) == 0


# --- Any rules --------------------------------------------------------------------------------------------------------


@st.composite
def any_rules(draw: st.DrawFn) -> RankingRules:
    """Rules that a season can have."""
    metric = draw(st.sampled_from(get_args(Metric)))
    by_place = metric in {"place_average", "place_sum"}
    weights = {"place_average": ["none", "relative", "midpoint"], "place_sum": ["none", "relative", "midpoint"]}
    drops, best_of = draw(st.sampled_from([(0, 0), (1, 0), (2, 0), (0, 1), (0, 3)]))
    return RankingRules(
        metric=metric,
        best="low" if by_place else draw(st.sampled_from(["low", "high"])),
        points_by_place=tuple(draw(st.lists(st.integers(-5, 20), min_size=1, max_size=6))),
        table_weight=draw(
            st.sampled_from(weights.get(metric, ["none"] if metric == "game_points" else ["none", "opponents"]))
        ),
        drop_worst=drops,
        count_best=best_of,
        absence=draw(st.sampled_from(["none", "average"] if metric == "game_points" else get_args(Absence))),
    )


@st.composite
def any_results(draw: st.DrawFn) -> list[SessionPlace]:
    found = []
    for number in range(draw(st.integers(1, 7))):
        players = draw(st.integers(1, 6))
        one = SessionPlace(
            *(7, number + 1, draw(st.sampled_from(WEEKS)), draw(st.integers(1, players)), players),
            points=draw(st.none() | st.integers(-30, 30)),
        )
        found.append(one)
    return found


@given(any_rules(), any_results())
def test_one_more_session_is_as_all_from_the_start(rules: RankingRules, results: list[SessionPlace]) -> None:
    if not rules.is_additive:
        with pytest.raises(ValueError, match="all of its sessions"):
            add(None, results[0], rules)
        return
    found = None
    for result in results:
        found = add(found, result, rules)
    assert found == line_of(7, results, {}, rules)


def test_one_more_session_is_of_the_same_player() -> None:
    before = add(None, SHEET[0], BY_AVERAGE)
    with pytest.raises(ValueError, match="exactly one player"):
        add(before, replace(SHEET[1], player=8), BY_AVERAGE)


@given(any_rules(), any_results(), st.data())
def test_no_rule_depends_on_the_order(rules: RankingRules, results: list[SessionPlace], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(results))
    assert items(results, EVENINGS, rules) == items(shuffled, EVENINGS, rules)
    assert line_of(7, results, EVENINGS, rules) == line_of(7, shuffled, EVENINGS, rules)


@given(any_rules(), any_results())
def test_dropping_is_never_for_the_worse(rules: RankingRules, results: list[SessionPlace]) -> None:
    """For a mean; and what counts is no worse than what is dropped, whatever the metric."""
    found = items(results, EVENINGS, rules)
    sign = 1 if rules.best == "low" else -1
    counted = [sign * item.value for item in found if item.counts]
    dropped = [sign * item.value for item in found if item.dropped]
    if dropped:
        assert max(counted) <= min(dropped)
    if rules.metric == "place_average":
        everything = line_of(7, results, EVENINGS, replace(rules, drop_worst=0, count_best=0))
        assert line_of(7, results, EVENINGS, rules).value <= everything.value


@given(any_rules(), any_results(), any_results())
def test_keys_are_equal_where_values_are(
    rules: RankingRules, one: list[SessionPlace], other: list[SessionPlace]
) -> None:
    first, second = line_of(7, one, EVENINGS, rules), line_of(7, other, EVENINGS, rules)
    assume(first.counted and second.counted)
    better = first.value < second.value if rules.best == "low" else first.value > second.value
    assert (sort_key(first, rules) == sort_key(second, rules)) == (first.value == second.value)
    assert (sort_key(first, rules) < sort_key(second, rules)) == better


def test_how_far_a_result_reaches() -> None:
    """Strength of opponents follows the results of others, and a missed evening is one that others played."""
    assert not RankingRules(tie_breaks=("direct", "countback", "last_evening", "fewer_sessions")).reaches_everybody
    assert RankingRules(tie_breaks=("direct", "opponents")).reaches_everybody
    assert by("place_sum", absence="last").reaches_everybody
    assert by("game_points", absence="average").reaches_everybody


def test_when_a_line_follows_from_the_line_before() -> None:
    """Where nothing is dropped and values are whole numbers: what is stored of a line is exact then."""
    additive = [by("place_average"), by("wins", table_weight="opponents"), by("game_points", tie_breaks=("opponents",))]
    assert all(rules.is_additive for rules in additive)
    for changes in ({"drop_worst": 1}, {"count_best": 1}, {"absence": "last"}, {"table_weight": "relative"}):
        assert not by("place_sum", **changes).is_additive
    assert not by("place_average", table_weight="midpoint").is_additive
