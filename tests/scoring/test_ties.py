"""Breaking ties, with sheets worked by hand.

Countback, the last evening and what of them is excluded follow the Racing Rules of Sailing 2025-2028, Appendix A:
A8.1 (scores listed from best to worst, at the first point of difference the best score wins; excluded scores are not
used), A8.2 (remaining ties by the scores of the last race, then the next-to-last; excluded scores are used), and A2.1
(of equal worst scores the earliest is excluded).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.scoring.standings import RankingRules, SessionPlace, StandingLine, TieBreak, line
from league.scoring.ties import Decision, Figure, Order, break_tie, opponents_strength

FIRST = date(2026, 10, 5)
A, B, C, D = 1, 2, 3, 4
SUM = RankingRules("place_sum")


def day(number: int) -> date:
    """The so-manyth Monday."""
    return FIRST + timedelta(weeks=number - 1)


class Season:
    """Tables of some evenings: `played(day, {player: place})`, each a session."""

    def __init__(self) -> None:
        self.histories: dict[int, list[SessionPlace]] = defaultdict(list)
        self.numbers = count(1)
        self.asked: list[tuple[str, tuple[int, ...]]] = []

    def played(self, number: int, places: Mapping[int, int]) -> "Season":
        session = next(self.numbers)
        for player, place in places.items():
            self.histories[player].append(SessionPlace(player, session, day(number), place, len(places)))
        return self

    def sessions(self, players: Sequence[int]) -> Mapping[int, Sequence[SessionPlace]]:
        self.asked.append(("sessions", tuple(players)))
        return {player: self.histories[player] for player in players}

    def opponents(self, players: Sequence[int]) -> Mapping[int, Fraction | None]:
        self.asked.append(("opponents", tuple(players)))
        tables: dict[int, list[int]] = defaultdict(list)
        for results in self.histories.values():
            for result in results:
                tables[result.session].append(result.player)
        averages = {player: line(player, own, {}, SUM).place_average for player, own in self.histories.items()}
        return {
            player: opponents_strength(tables, [one.session for one in self.histories[player]], player, averages)
            for player in players
        }

    def lines(self, *players: int, rules: RankingRules = SUM) -> list[StandingLine]:
        return [line(player, self.histories[player], {}, rules) for player in players]

    def order(self, *tie_breaks: TieBreak, players: Sequence[int] = (A, B, C, D), rules: RankingRules = SUM) -> Order:
        known = [player for player in players if player in self.histories]
        return break_tie(self.lines(*known, rules=rules), tie_breaks, self)


def own(places: Mapping[int, Sequence[int]]) -> Season:
    """Each player at tables apart from the others, one an evening."""
    season = Season()
    for player, results in places.items():
        for number, place in enumerate(results, start=1):
            season.played(number, {player: place})
    return season


def told(code: TieBreak, above: int, below: int, one: Any, other: Any) -> Decision:
    return Decision(code, above, below, Figure(one), Figure(other))


# --- Countback --------------------------------------------------------------------------------------------------------


def test_countback() -> None:
    """Twelve points each. Listed from the best: B 1,1,5,5; A 1,2,3,6; D 1,2,4,5; C 3,3,3,3."""
    order = own({A: (6, 3, 2, 1), B: (5, 1, 5, 1), C: (3, 3, 3, 3), D: (2, 5, 1, 4)}).order("countback")
    assert order.players == (B, A, D, C)
    assert order.positions == {B: 0, A: 1, D: 2, C: 3}
    assert order.decisions == (
        told("countback", B, A, (2, 0, 0, 0, 2, 0), (1, 1, 1, 0, 0, 1)),
        told("countback", A, D, (1, 1, 1, 0, 0, 1), (1, 1, 0, 1, 1, 0)),
        told("countback", D, C, (1, 1, 0, 1, 1, 0), (0, 0, 4, 0, 0, 0)),
    )


def test_countback_leaves_out_what_is_dropped() -> None:
    """With the worst dropped: A 1,3 (of 3,1,3 the first 3 goes: A2.1), B 2,2 (5 goes)."""
    rules = RankingRules("place_sum", drop_worst=1)
    season = own({A: (3, 1, 3), B: (2, 2, 5)})
    assert [one.value for one in season.lines(A, B, rules=rules)] == [4, 4]
    order = season.order("countback", rules=rules)
    assert order.decisions == (told("countback", A, B, (1, 0, 1), (0, 2, 0)),)


def test_a_dropped_win_is_none_in_the_countback() -> None:
    """The highest sum is best and the lowest item is dropped: A drops the 1 of 1,4,4; B the 2 of 2,3,5."""
    rules = RankingRules("place_sum", best="high", drop_worst=1)
    order = own({A: (1, 4, 4), B: (2, 3, 5)}).order("countback", rules=rules)
    assert order.decisions == (told("countback", B, A, (0, 0, 1, 0, 1), (0, 0, 0, 2, 0)),)


def test_equal_in_the_countback() -> None:
    order = own({A: (1, 2, 3), B: (3, 1, 2)}).order("countback")
    assert (order.positions, order.decisions) == ({A: 0, B: 0}, (None,))


# --- The last evening -------------------------------------------------------------------------------------------------


def test_last_evening() -> None:
    """A 1,2,3 and B 3,2,1 and C 2,2,2: on the last evening B 1, C 2, A 3."""
    order = own({A: (1, 2, 3), B: (3, 2, 1), C: (2, 2, 2)}).order("last_evening")
    assert order.players == (B, C, A)
    assert order.decisions == (
        told("last_evening", B, C, (day(3), 1), (day(3), 2)),
        told("last_evening", C, A, (day(3), 2), (day(3), 3)),
    )


def test_the_evening_before_where_the_last_is_equal() -> None:
    order = own({A: (1, 4, 2), B: (4, 1, 2)}).order("last_evening")
    assert order.decisions == (told("last_evening", B, A, (day(2), 1), (day(2), 4)),)


def test_the_last_evening_uses_what_is_dropped() -> None:
    """A8.2: excluded scores are used. A 1,2 and a dropped 4; B 2,1 and a dropped 3, on the last evening."""
    rules = RankingRules("place_sum", drop_worst=1)
    order = own({A: (1, 2, 4), B: (2, 1, 3)}).order("countback", "last_evening", rules=rules)
    assert order.decisions == (told("last_evening", B, A, (day(3), 3), (day(3), 4)),)


def test_the_best_place_of_an_evening_with_two_sessions() -> None:
    season = Season().played(1, {A: 3}).played(2, {A: 5}).played(2, {A: 1}).played(1, {B: 7}).played(2, {B: 2})
    assert season.order("last_evening").decisions == (told("last_evening", A, B, (day(2), 1), (day(2), 2)),)


def test_who_missed_the_last_evening_stands_behind() -> None:
    season = Season().played(1, {A: 1}).played(2, {B: 1})
    assert season.order("last_evening").decisions == (told("last_evening", B, A, (day(2), 1), (day(2), None)),)


def test_an_evening_that_none_of_them_played_says_nothing() -> None:
    season = Season().played(1, {A: 1, B: 2}).played(2, {C: 1, D: 2})
    assert season.order("last_evening", players=(A, B)).decisions == (
        told("last_evening", A, B, (day(1), 1), (day(1), 2)),
    )


# --- Direct comparison ------------------------------------------------------------------------------------------------


def test_direct_comparison_of_two() -> None:
    """A before B twice, B before A once, level once: 5/8 to 3/8. Tables without the other say nothing."""
    season = Season()
    for places in ({A: 1, B: 2}, {A: 2, B: 6}, {A: 4, B: 1}, {A: 3, B: 3, C: 1}, {A: 1, C: 2}, {B: 9, C: 1}):
        season.played(1, places)
    order = season.order("direct", players=(A, B))
    assert order.decisions == (told("direct", A, B, Fraction(5, 8), Fraction(3, 8)),)


def test_direct_comparison_of_three() -> None:
    """A-B 2:1, A-C 0:1, B-C level once. A 2/3 + 0, B 1/3 + 1/2, C 1 + 1/2."""
    season = Season().played(1, {A: 1, B: 2}).played(2, {A: 1, B: 2}).played(3, {A: 2, B: 1})
    season.played(4, {A: 2, C: 1}).played(5, {B: 1, C: 1})
    order = season.order("direct")
    assert order.players == (C, B, A)
    assert order.decisions == (
        told("direct", C, B, Fraction(3, 2), Fraction(5, 6)),
        told("direct", B, A, Fraction(5, 6), Fraction(2, 3)),
    )


def test_many_meetings_with_one_weigh_as_one_meeting_with_another() -> None:
    """A beat B four times and lost to C once: one result each. B beat C: all have 1."""
    season = Season()
    for number in range(1, 5):
        season.played(number, {A: 1, B: 2})
    season.played(5, {A: 2, C: 1}).played(6, {B: 1, C: 2})
    order = season.order("direct")
    assert (order.positions, order.decisions) == ({A: 0, B: 0, C: 0}, (None, None))


def test_not_everybody_met() -> None:
    """A beat B, and B beat C, but A never met C: there is no comparison, and the next tie-break is asked."""
    season = Season().played(1, {A: 1, B: 2}).played(2, {B: 1, C: 2}).played(3, {A: 2}).played(4, {C: 1})
    assert season.order("direct").positions == {A: 0, B: 0, C: 0}
    order = season.order("direct", "last_evening")
    assert order.players == (C, A, B)
    assert {decision.code for decision in order.decisions if decision} == {"last_evening"}


def test_asked_again_among_those_still_level() -> None:
    """A beat B and C, B beat C and D, C beat D, D beat A: A and B have 2, C and D 1; A beat B, C beat D."""
    season = Season()
    for number, (winner, loser) in enumerate(((A, B), (A, C), (B, C), (B, D), (C, D), (D, A)), start=1):
        season.played(number, {winner: 1, loser: 2})
    order = season.order("direct")
    assert order.players == (A, B, C, D)
    assert order.decisions == (
        told("direct", A, B, Fraction(1), Fraction(0)),
        told("direct", B, C, Fraction(2), Fraction(1)),
        told("direct", C, D, Fraction(1), Fraction(0)),
    )


def test_a_circle_of_three_stays_tied() -> None:
    season = Season().played(1, {A: 1, B: 2}).played(2, {B: 1, C: 2}).played(3, {C: 1, A: 2})
    assert season.order("direct").positions == {A: 0, B: 0, C: 0}
    assert season.order("direct", "last_evening").players == (C, A, B)


def test_one_table_of_all() -> None:
    """Places 1, 2, 2, 4: A is before three; B and C before one and level with one; D before nobody."""
    order = Season().played(1, {A: 1, B: 2, C: 2, D: 4}).order("direct")
    assert order.positions == {A: 0, B: 1, C: 1, D: 3}
    assert order.decisions == (
        told("direct", A, B, Fraction(3), Fraction(3, 2)),
        None,
        told("direct", C, D, Fraction(3, 2), Fraction(0)),
    )


# --- Fewer sessions, strength of opponents ----------------------------------------------------------------------------


def test_fewer_sessions() -> None:
    order = own({A: (2, 2, 2), B: (1, 5), C: (3, 1, 2), D: (6,)}).order("fewer_sessions")
    assert order.positions == {D: 0, B: 1, A: 2, C: 2}
    assert order.decisions == (
        told("fewer_sessions", D, B, 1, 2),
        told("fewer_sessions", B, A, 2, 3),
        None,
    )


def test_strength_of_opponents() -> None:
    """A met C (average 1) twice and D (3) once: 5/3. B met D alone: 3."""
    season = Season().played(1, {C: 1, A: 2}).played(2, {C: 1, A: 2}).played(3, {D: 3, A: 1}).played(4, {D: 3, B: 5})
    order = season.order("opponents", players=(A, B))
    assert order.decisions == (told("opponents", A, B, Fraction(5, 3), Fraction(3)),)


def test_strength_of_opponents_in_numbers() -> None:
    tables = {10: [A, B, C], 11: [A, B], 12: [A], 13: [B, C, D]}
    averages = {A: Fraction(1), B: Fraction(2), C: Fraction(3), D: Fraction(7, 2)}
    # B, C and B again: 7/3; the table alone says nothing.
    assert opponents_strength(tables, [10, 11, 12], A, averages) == Fraction(7, 3)
    # B, C: 5/2.
    assert opponents_strength(tables, [13], D, averages) == Fraction(5, 2)
    assert opponents_strength(tables, [12], A, averages) is None


def test_who_met_nobody_has_no_strength_of_opponents() -> None:
    season = Season().played(1, {A: 1}).played(1, {B: 1, C: 2})
    assert season.order("opponents", players=(A, B)).positions == {A: 0, B: 0}


# --- The chain --------------------------------------------------------------------------------------------------------


def test_the_first_that_parts_decides() -> None:
    """A 1,5 and B 3,3: the countback is A's, the last evening B's."""
    season = own({A: (1, 5), B: (3, 3)})
    assert season.order("countback", "last_evening").players == (A, B)
    assert season.order("last_evening", "countback").players == (B, A)
    # Two sessions each: the next one is asked.
    assert season.order("fewer_sessions", "last_evening", "countback").players == (B, A)


def test_the_next_is_asked_among_those_still_level_alone() -> None:
    """Of four equal sums C has fewer sessions; among A, B and D the last evening decides, where C was best."""
    season = own({A: (1, 4, 2), B: (4, 2, 1), D: (2, 2, 3)}).played(3, {C: 1}).played(1, {C: 6})
    season.asked.clear()
    order = season.order("fewer_sessions", "last_evening")
    assert order.players == (C, B, A, D)
    assert [decision.code for decision in order.decisions if decision] == [
        "fewer_sessions",
        "last_evening",
        "last_evening",
    ]
    assert season.asked == [("sessions", (A, B, D))]


def test_direct_comparison_of_those_whom_another_left_level() -> None:
    """The four did not all meet. After the countback A and B are level, who did: B beat A."""
    season = Season().played(1, {A: 1}).played(2, {B: 1}).played(3, {B: 2, A: 3}).played(4, {A: 2}).played(5, {B: 3})
    season.played(1, {C: 2}).played(2, {C: 2}).played(3, {C: 2})
    order = season.order("countback", "direct")
    assert order.players == (B, A, C)
    assert [decision.code for decision in order.decisions if decision] == ["direct", "countback"]


def test_nothing_is_read_before_it_is_needed() -> None:
    season = own({A: (1, 5), B: (3, 3)})
    season.order("countback", "direct", "last_evening", "opponents")
    assert season.asked == []


@pytest.mark.parametrize("tie_breaks", [(), ("direct",), ("opponents",)])
def test_shared(tie_breaks: tuple[TieBreak, ...]) -> None:
    order = own({A: (2,), B: (2,)}).order(*tie_breaks)
    assert (order.players, order.positions, order.decisions) == ((A, B), {A: 0, B: 0}, (None,))


def test_one_alone_and_nobody() -> None:
    order = own({A: (1, 2)}).order("direct", "countback", "last_evening", "fewer_sessions", "opponents")
    assert (order.players, order.positions, order.decisions) == ((A,), {A: 0}, ())
    assert Season().order("countback").players == ()


TABLES = st.lists(
    st.tuples(
        st.integers(1, 4), st.dictionaries(st.sampled_from([A, B, C, D]), st.integers(1, 4), min_size=1, max_size=4)
    ),
    min_size=1,
    max_size=8,
)
CODES: list[TieBreak] = ["direct", "countback", "last_evening", "fewer_sessions", "opponents"]
CHAINS = st.lists(st.sampled_from(CODES), unique=True, max_size=5)


@given(TABLES, CHAINS, st.data())
def test_positions_and_decisions_agree_in_any_order(
    tables: list[tuple[int, dict[int, int]]], chain: list[TieBreak], data: st.DataObject
) -> None:
    season = Season()
    for number, places in tables:
        season.played(number, places)
    lines = season.lines(*season.histories)
    order = break_tie(lines, chain, season)
    assert break_tie(data.draw(st.permutations(lines)), chain, season) == order
    assert sorted(order.players) == sorted(season.histories)
    for index, player in enumerate(order.players):
        position = order.positions[player]
        assert position == sum(other < position for other in order.positions.values())
        if index:
            decision = order.decisions[index - 1]
            shared = order.positions[order.players[index - 1]] == position
            assert shared == (decision is None)
            if decision:
                assert (decision.above, decision.below) == (order.players[index - 1], player)
                assert decision.above_figure != decision.below_figure
    # A further tie-break parts those who share a position, and moves nobody else.
    for code in CODES:
        more = break_tie(lines, [*chain, code], season)
        for one in order.players:
            for other in order.players:
                if order.positions[one] < order.positions[other]:
                    assert more.positions[one] < more.positions[other]
