"""The club evening: who is here now sits down at once. Expected values follow from the rules or are worked by hand."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from league.pairing.club_evening import draw
from league.pairing.live import faded
from league.pairing.sizes import table_sizes
from league.pairing.values import PairedRound, PairingError, Reason, Wishes

Pair = tuple[int, int]


def test_a_season_of_nine_meets_everybody_once_in_four_rounds() -> None:
    # The affine plane of order 3: 9 people at 3s can meet all others once, and each round leaves just such a rest.
    ages: dict[Pair, list[float]] = {}
    for evening in range(4):
        answer = draw(range(1, 10), preferred=3, seed=evening, history=faded(ages, half=10))
        assert answer.reasons == ()
        for table in answer.tables:
            for pair in combinations(sorted(table), 2):
                ages.setdefault(pair, []).append(0)
    assert len(ages) == 36
    # From now on everybody has met everybody, and each pair at each table is told: 3 tables of 3 pairs.
    fifth = draw(range(1, 10), preferred=3, seed=5, history=faded(ages, half=10))
    assert [reason.code for reason in fifth.reasons] == ["met_before"] * 9


def test_newcomers_meet_those_whom_they_have_not_met() -> None:
    # 1 to 6 have all met, 7 and 8 are new: of 8 at 4s, each table takes one of them only if they keep apart, else the
    # two together make for fewer meetings again: 6 + 1 pairs that met instead of 3 + 3.
    history = dict.fromkeys(combinations(range(1, 7), 2), 1.0)
    answer = draw(range(1, 9), preferred=4, seed=3, history=history)
    assert all(len({7, 8} & set(table)) == 1 for table in answer.tables)
    assert len(answer.reasons) == 6


def test_the_order_of_ticking_in_does_not_matter() -> None:
    assert draw([5, 3, 1, 2, 6, 4, 7], preferred=4, seed=9) == draw(range(1, 8), preferred=4, seed=9)
    assert draw(range(1, 15), preferred=4, seed=1).tables != draw(range(1, 15), preferred=4, seed=2).tables


def test_first_seats_go_to_those_who_had_fewest() -> None:
    earlier = {one: [0, 1] if one in (3, 6) else [1, 0] for one in range(1, 9)}
    wishes = Wishes(apart=frozenset({(3, 6)}))
    answer = draw(range(1, 9), preferred=4, seed=4, earlier=earlier, wishes=wishes)
    assert {table[0] for table in answer.tables} == {3, 6}


def test_somebody_with_a_fixed_table_always_sits_there() -> None:
    for seed in range(4):
        answer = draw(range(1, 12), preferred=4, seed=seed, wishes=Wishes(fixed={7: 2, 3: 3}))
        assert 7 in answer.tables[1]
        assert 3 in answer.tables[2]


def test_somebody_who_ticked_in_twice_is_refused() -> None:
    with pytest.raises(PairingError) as caught:
        draw([1, 2, 3, 3], preferred=4, seed=1)
    assert caught.value.reason == Reason(code="entrant_twice", entrants=(3,))


def test_two_are_too_few() -> None:
    with pytest.raises(PairingError) as caught:
        draw([1, 2], preferred=4, seed=1)
    assert caught.value.reason.code == "too_few_players"


MEMBERS = range(1, 20)


class Season(RuleBasedStateMachine):
    """Evenings of a club: people come and go, want to sit together or apart, and tables are drawn again and again."""

    def __init__(self) -> None:
        super().__init__()
        self.here: set[int] = set()
        self.met: dict[Pair, list[int]] = {}
        self.short = Counter[int]()
        self.seats: dict[int, list[int]] = {}
        self.apart: set[Pair] = set()
        self.together: set[Pair] = set()
        self.fixed: dict[int, int] = {}
        self.drawn = 0

    @initialize(here=st.sets(st.sampled_from(MEMBERS), min_size=6))
    def open_the_door(self, here: set[int]) -> None:
        self.here = here

    @rule(one=st.sampled_from(MEMBERS))
    def come_or_go(self, one: int) -> None:
        self.here ^= {one}

    @rule(pair=st.sampled_from(list(combinations(MEMBERS, 2))), kind=st.sampled_from(["apart", "together"]))
    def wish(self, pair: Pair, kind: str) -> None:
        wished = self.apart if kind == "apart" else self.together
        wished ^= {pair}

    @rule(one=st.sampled_from(MEMBERS), table=st.integers(0, 3))
    def fix(self, one: int, table: int) -> None:
        self.fixed.pop(one, None)
        if table:
            self.fixed[one] = table

    @rule(preferred=st.integers(3, 5))
    def sit_down(self, preferred: int) -> None:
        wishes = Wishes(apart=frozenset(self.apart), together=frozenset(self.together), fixed=dict(self.fixed))
        history = faded({pair: [self.drawn - at for at in met] for pair, met in self.met.items()}, half=5)
        try:
            answer = draw(
                sorted(self.here),
                preferred=preferred,
                seed=self.drawn,
                wishes=wishes,
                history=history,
                earlier=self.seats,
                short=self.short,
            )
        except PairingError as error:
            # Without wishes there always is a way, from three people on.
            assert len(self.here) < 3 or self.apart or self.together or self.fixed, error
            return
        self.check(answer, preferred, wishes)
        self.drawn += 1
        for table in answer.tables:
            for pair in combinations(sorted(table), 2):
                self.met.setdefault(pair, []).append(self.drawn)
            for seat, one in enumerate(table):
                self.seats.setdefault(one, [0] * 6)[seat] += 1
                self.short[one] += len(table) < max(map(len, answer.tables))

    def check(self, answer: PairedRound, preferred: int, wishes: Wishes) -> None:
        tables = [set(table) for table in answer.tables]
        assert sorted(one for table in answer.tables for one in table) == sorted(self.here)
        assert sorted(map(len, tables)) == sorted(table_sizes(len(self.here), preferred))
        assert answer.byes == ()
        for pair in wishes.apart:
            assert not any(set(pair) <= table for table in tables)
        for pair in wishes.together:
            assert len(set(pair) & self.here) < 2 or any(set(pair) <= table for table in tables)
        for one, number in wishes.fixed.items():
            assert one not in self.here or one in tables[number - 1]
        again = {pair for pair in self.met if any(set(pair) <= table for table in tables)}
        codes = {"met_before", "met_for_short", "together_again"}
        told = [reason.entrants for reason in answer.reasons if reason.code in codes]
        assert sorted(told) == sorted(again)
        longest = max(map(len, tables))
        full = min(self.short[one] for table in tables if len(table) == longest for one in table)
        more = {one for table in tables if len(table) < longest for one in table if self.short[one] > full}
        assert {reason.entrants[0] for reason in answer.reasons if reason.code == "short_again"} == more
        if not (wishes.apart or wishes.together or wishes.fixed):
            assert not more, "somebody sits at a short table again before others"

    @invariant()
    def nobody_is_counted_twice(self) -> None:
        assert sum(map(sum, self.seats.values())) <= self.drawn * len(MEMBERS)


TestSeason = Season.TestCase
TestSeason.settings = settings(max_examples=10, stateful_step_count=12, deadline=None)


def test_meetings_again_that_the_rule_of_short_tables_forces_say_so() -> None:
    """Fourteen at 3 + 3 + 4 + 4 a second time, as in `test_table_swiss`; six at 3 + 3 have no other seating anyway."""
    first = [[1, 2, 3], [4, 5, 6], [7, 8, 9, 10], [11, 12, 13, 14]]
    met = {pair: 1.0 for table in first for pair in combinations(table, 2)}
    short = {one: int(one <= 6) for one in range(1, 15)}
    answer = draw(range(1, 15), preferred=4, seed=1, history=met, short=short)
    assert [reason.code for reason in answer.reasons] == ["met_for_short"] * 4
    even = draw(range(1, 7), preferred=3, seed=1, history=met, short=short)
    assert [reason.code for reason in even.reasons] == ["met_before"] * 2
