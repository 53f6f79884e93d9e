"""The table of a season: adding up sessions, ranks with skipping."""

from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from league.scoring.standings import RankingRules, SessionPlace, StandingLine, rank, sort_key
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
