"""Swiss for tables: hand-worked rounds, random events, and a small simulation with what it must reach."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from benchmarks.live_tables import play
from league.pairing import table_swiss
from league.pairing.sizes import table_sizes
from league.pairing.values import Entrant, PairedRound, PairingError, PastRound, Reason, Table, TableKind, Wishes

Pair = tuple[int, int]


def entrants_of(count: int) -> list[Entrant]:
    return [Entrant(id=one, seed=one) for one in range(1, count + 1)]


def past(*rounds: Sequence[Sequence[int]]) -> list[PastRound]:
    return [
        PastRound(number=number, tables=tuple(Table(entrants=tuple(table)) for table in tables))
        for number, tables in enumerate(rounds, start=1)
    ]


def together(answer: PairedRound) -> set[frozenset[int]]:
    return {frozenset(table) for table in answer.tables}


# Who meets whom.


def test_the_first_round_has_one_of_each_pot_at_every_table() -> None:
    answer = table_swiss.pair(entrants_of(16), [], {}, preferred=4, seed=1)
    for pot in ({1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}):
        assert all(len(pot & set(table)) == 1 for table in answer.tables)
    assert answer.reasons == ()


def test_those_who_stand_level_meet() -> None:
    # Four tables; whoever has the same place has the same points, and has not met the others who do.
    first = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]]
    scores = {one: 3.0 - place for table in first for place, one in enumerate(table)}
    answer = table_swiss.pair(entrants_of(16), past(first), scores, preferred=4, seed=1)
    expected = [{1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}, {4, 8, 12, 16}]
    # Table 1 has the leaders, the last the last.
    assert [set(table) for table in answer.tables] == expected
    assert answer.reasons == ()


def test_a_meeting_again_weighs_more_than_points() -> None:
    # The best of each table have met by history: they are parted, though they stand level.
    first = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    scores = {one: 2.0 - place for table in first for place, one in enumerate(table)}
    history = {(1, 4): 2.0, (1, 7): 2.0, (4, 7): 2.0}
    answer = table_swiss.pair(entrants_of(9), past(first), scores, preferred=3, seed=1, history=history)
    assert not any(len({1, 4, 7} & set(table)) > 1 for table in answer.tables)
    assert answer.reasons == ()


def test_a_meeting_again_is_told_with_how_often_and_when() -> None:
    # Six at 3s: two of each table of the first round have to meet again.
    answer = table_swiss.pair(entrants_of(6), past([[1, 2, 3], [4, 5, 6]]), {}, preferred=3, seed=1)
    repeats = [reason for reason in answer.reasons if reason.code == "repeat"]
    assert len(repeats) == len(answer.reasons) == 2
    for reason in repeats:
        assert {"times": 1, "round": 1}.items() <= reason.figures.items()
        assert set(reason.entrants) <= set(answer.tables[int(reason.figures["table"]) - 1])


def test_repeats_that_the_rule_of_short_tables_forces_say_so() -> None:
    """Fourteen at 3 + 3 + 4 + 4: the six short seats go to the eight of the full tables, so that two of one table share
    each short one, and two of each short one a full one. Without the rule nobody has to meet again.
    """
    first = [[1, 2, 3], [4, 5, 6], [7, 8, 9, 10], [11, 12, 13, 14]]
    answer = table_swiss.pair(entrants_of(14), past(first), {}, preferred=4, seed=1)
    assert {one for table in answer.tables if len(table) == 3 for one in table} <= set(range(7, 15))
    assert [reason.code for reason in answer.reasons] == ["repeat_for_short"] * 4


def test_of_several_meetings_again_the_one_longest_ago() -> None:
    # 1 met 2, 3, 4 and 5, in this order, each at a table with somebody who is gone. At a table of three, 6 and one of
    # them it has to be, and the other three never met. Seeds put nobody of them into one pot.
    entrants = [Entrant(id=one, seed=seed) for seed, one in enumerate((1, 3, 2, 4, 6, 5), start=1)]
    rounds = past([[1, 2, 7]], [[1, 3, 8]], [[1, 4, 9]], [[1, 5, 10]])
    for seed in range(3):
        answer = table_swiss.pair(entrants, rounds, {}, preferred=3, seed=seed)
        assert together(answer) == {frozenset({1, 2, 6}), frozenset({3, 4, 5})}
        table = 1 if 1 in answer.tables[0] else 2
        assert answer.reasons == (
            Reason(code="repeat", entrants=(1, 2), figures={"table": table, "times": 1, "round": 1}),
        )


def test_who_is_not_here_or_not_yet_is_left_out() -> None:
    entrants = [*entrants_of(7), Entrant(id=8, seed=8, present=False), Entrant(id=9, seed=9, first_round=2)]
    first = table_swiss.pair(entrants, [], {}, preferred=4, seed=1)
    assert sorted(one for table in first.tables for one in table) == [1, 2, 3, 4, 5, 6, 7]
    second = table_swiss.pair(entrants, past(first.tables), {}, preferred=4, seed=1)
    assert sorted(one for table in second.tables for one in table) == [1, 2, 3, 4, 5, 6, 7, 9]


def test_byes_and_forfeits_are_no_meetings_and_no_short_tables() -> None:
    rounds = [
        PastRound(
            number=1,
            tables=(
                Table(entrants=(1, 2, 3), kind=TableKind.DOUBLE_FORFEIT),
                Table(entrants=(4, 5, 6), kind=TableKind.FORFEIT),
                Table(entrants=(7,), kind=TableKind.BYE),
            ),
        )
    ]
    answer = table_swiss.pair(entrants_of(6), rounds, {1: 9, 2: 9, 3: 9}, preferred=3, seed=1)
    assert together(answer) == {frozenset({1, 2, 3}), frozenset({4, 5, 6})}
    assert answer.reasons == ()


def test_short_tables_go_round() -> None:
    # Seven at 4 + 3: in two rounds six short seats for seven, in seven rounds each three times.
    rounds: list[PastRound] = []
    times = Counter[int]()
    for number in range(1, 8):
        answer = table_swiss.pair(entrants_of(7), rounds, {}, preferred=4, seed=number)
        times.update(one for table in answer.tables if len(table) == 3 for one in table)
        rounds.append(PastRound(number=number, tables=tuple(Table(entrants=table) for table in answer.tables)))
        assert max(times.values()) - min(times[one] for one in range(1, 8)) <= 1
        assert not any(reason.code == "short_again" for reason in answer.reasons)
    assert set(times.values()) == {3}


# Wishes, the limit, the numbers of tables.


def test_a_fixed_table_has_its_number_whoever_leads() -> None:
    first = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    scores = {one: 2.0 - place for table in first for place, one in enumerate(table)}
    answer = table_swiss.pair(entrants_of(9), past(first), scores, preferred=3, seed=1, wishes=Wishes(fixed={1: 3}))
    assert [set(table) for table in answer.tables] == [{2, 5, 8}, {3, 6, 9}, {1, 4, 7}]
    assert Reason(code="fixed_table", entrants=(1,), figures={"table": 3, "otherwise": 1}) in answer.reasons


def test_a_table_wider_than_the_limit_is_told() -> None:
    # 1 leads by far, and nothing but all five at one table is possible.
    rounds = past([[1, 2, 3, 4, 5]])
    scores = {1: 4.0, 2: 1.0, 3: 1.0, 4: 1.0, 5: 0.5}
    answer = table_swiss.pair(entrants_of(5), rounds, scores, preferred=4, seed=1, spread_limit=3.0)
    figures = {"table": 1, "spread": 3.5, "limit": 3.0}
    assert answer.reasons[-1] == Reason(code="wide_table", entrants=(1, 2, 3, 4, 5), figures=figures)
    within = table_swiss.pair(entrants_of(5), rounds, scores, preferred=4, seed=1, spread_limit=3.5)
    assert [reason.code for reason in within.reasons] == ["repeat"] * 10


def test_the_limit_makes_people_meet_again_rather_than_sit_far_apart() -> None:
    # Two tables of three played, one far ahead of the other: without a limit they mix, with one they meet again.
    rounds = past([[1, 2, 3], [4, 5, 6]])
    scores = {1: 9.0, 2: 9.0, 3: 9.0, 4: 0.0, 5: 0.0, 6: 0.0}
    mixed = table_swiss.pair(entrants_of(6), rounds, scores, preferred=3, seed=1)
    assert len(mixed.reasons) == 2
    kept = table_swiss.pair(entrants_of(6), rounds, scores, preferred=3, seed=1, spread_limit=2.0)
    assert together(kept) == {frozenset({1, 2, 3}), frozenset({4, 5, 6})}


def test_people_who_go_together_meet_again_by_wish() -> None:
    # Five tables leave the choice; at four, 1 and 2 together would leave a table without anybody of their first one.
    wishes = Wishes(together=frozenset({(1, 2)}))
    first = table_swiss.pair(entrants_of(20), [], {}, preferred=4, seed=1, wishes=wishes)
    second = table_swiss.pair(entrants_of(20), past(first.tables), {}, preferred=4, seed=2, wishes=wishes)
    assert [(reason.code, reason.entrants) for reason in second.reasons] == [("repeat_by_wish", (1, 2))]


def test_what_cannot_be_kept_is_refused() -> None:
    wishes = Wishes(apart=frozenset({(1, 2)}), together=frozenset({(1, 2)}))
    with pytest.raises(PairingError) as caught:
        table_swiss.pair(entrants_of(8), [], {}, preferred=4, seed=1, wishes=wishes)
    assert caught.value.reason == Reason(code="together_and_apart", entrants=(1, 2))


def test_an_entrant_is_there_once() -> None:
    with pytest.raises(PairingError) as caught:
        table_swiss.pair([*entrants_of(4), Entrant(id=2, seed=5)], [], {}, preferred=4, seed=1)
    assert caught.value.reason == Reason(code="entrant_twice", entrants=(2,))


def test_nobody_here_is_too_few() -> None:
    with pytest.raises(PairingError) as caught:
        table_swiss.pair([Entrant(id=1, seed=1, present=False)], [], {}, preferred=4, seed=1)
    assert caught.value.reason.code == "too_few_players"


# Whole events.


@pytest.mark.parametrize(("players", "rounds", "most", "spread"), [(24, 5, 4, 1.2), (32, 5, 0, 0.75)])
def test_small_simulation(players: int, rounds: int, most: int, spread: float) -> None:
    """Four events each; the 200 of docs/live-tables.md have at most 1.0 on average for 24 and 0 for 32."""
    events = [play(players, rounds, seed=seed) for seed in range(1, 5)]
    assert sum(event.repeats() for event in events) <= most
    assert fmean(value for event in events for value in event.spreads) <= spread
    for event in events:
        seats = Counter(
            (one, seat) for each in event.rounds for table in each.tables for seat, one in enumerate(table.entrants)
        )
        # Five rounds on four seats, paired one by one: nobody has a seat three times and another never.
        assert max(seats.values()) <= 3
        assert event.spreads <= event.blind


def test_a_hundred_players_sit_nearly_as_level_as_if_meeting_again_did_not_matter() -> None:
    event = play(100, 3, seed=1)
    assert event.repeats() == 0
    assert fmean(event.spreads) <= fmean(event.cut) + 0.1


class Event(RuleBasedStateMachine):
    """A tournament with whatever happens to one."""

    def __init__(self) -> None:
        super().__init__()
        self.entrants: dict[int, Entrant] = {}
        self.rounds: list[PastRound] = []
        self.scores: dict[int, float] = {}
        self.apart: set[Pair] = set()
        self.together: set[Pair] = set()
        self.fixed: dict[int, int] = {}

    @initialize(count=st.integers(3, 22))
    def open_it(self, count: int) -> None:
        self.entrants = {one.id: one for one in entrants_of(count)}

    @rule(late=st.integers(0, 2))
    def enter_late(self, late: int) -> None:
        one = len(self.entrants) + 1
        if one <= 24:
            self.entrants[one] = Entrant(id=one, seed=one, first_round=self.coming() + late)

    @rule(data=st.data())
    def drop_out_or_return(self, data: st.DataObject) -> None:
        one = self.entrants[data.draw(st.sampled_from(sorted(self.entrants)))]
        self.entrants[one.id] = Entrant(id=one.id, seed=one.seed, present=not one.present, first_round=one.first_round)

    @rule(data=st.data(), kind=st.sampled_from(["apart", "together"]))
    def wish(self, data: st.DataObject, kind: str) -> None:
        pair = data.draw(st.sampled_from(list(combinations(sorted(self.entrants), 2))))
        wished = self.apart if kind == "apart" else self.together
        wished ^= {pair}

    @rule(data=st.data(), table=st.integers(0, 3))
    def fix(self, data: st.DataObject, table: int) -> None:
        one = data.draw(st.sampled_from(sorted(self.entrants)))
        self.fixed.pop(one, None)
        if table:
            self.fixed[one] = table

    @rule()
    def forget_wishes(self) -> None:
        self.apart, self.together, self.fixed = set(), set(), {}

    @rule(preferred=st.integers(3, 6), seed=st.integers(0, 99), data=st.data())
    def pair(self, preferred: int, seed: int, data: st.DataObject) -> None:
        wishes = Wishes(apart=frozenset(self.apart), together=frozenset(self.together), fixed=dict(self.fixed))
        here = {one.id for one in self.entrants.values() if one.present and one.first_round <= self.coming()}
        everybody = list(self.entrants.values())
        try:
            answer = table_swiss.pair(
                everybody, self.rounds, self.scores, preferred=preferred, seed=seed, wishes=wishes
            )
        except PairingError as error:
            if error.reason.code == "too_few_players":
                assert len(here) < 3
            else:
                assert self.apart or self.together or self.fixed
                assert set(error.reason.entrants) <= here
            return
        assert sorted(one for table in answer.tables for one in table) == sorted(here)
        assert sorted(map(len, answer.tables)) == sorted(table_sizes(len(here), preferred))
        self.check_wishes(answer, here)
        self.check_reasons(answer)
        kind = data.draw(st.sampled_from([TableKind.PLAYED, TableKind.PLAYED, TableKind.DOUBLE_FORFEIT]))
        played = []
        for table in answer.tables:
            places = {one: place for place, one in enumerate(data.draw(st.permutations(table)), start=1)}
            scores = {one: float(len(table) - place) for one, place in places.items()}
            played.append(Table(entrants=table, kind=kind, places=places, scores=scores))
            if kind is TableKind.PLAYED:
                self.scores.update({one: self.scores.get(one, 0) + points for one, points in scores.items()})
        self.rounds.append(PastRound(number=self.coming(), tables=tuple(played)))

    def coming(self) -> int:
        return len(self.rounds) + 1

    def check_wishes(self, answer: PairedRound, here: set[int]) -> None:
        tables = [set(table) for table in answer.tables]
        assert not any(set(pair) <= table for pair in self.apart for table in tables)
        for pair in self.together:
            assert not set(pair) <= here or any(set(pair) <= table for table in tables)
        for one, number in self.fixed.items():
            assert one not in here or one in tables[number - 1]

    def check_reasons(self, answer: PairedRound) -> None:
        met = Counter[Pair]()
        short = Counter[int]()
        for one in self.rounds:
            tables = [table.entrants for table in one.tables if table.kind is TableKind.PLAYED]
            met.update(pair for table in tables for pair in combinations(sorted(table), 2))
            short.update(who for table in tables if len(table) < max(map(len, tables)) for who in table)
        self.check_repeats(answer, met)
        longest = max(map(len, answer.tables))
        least = min(short[one] for table in answer.tables if len(table) == longest for one in table)
        again = {one for table in answer.tables if len(table) < longest for one in table if short[one] > least}
        assert {reason.entrants[0] for reason in answer.reasons if reason.code == "short_again"} == again
        if not (self.apart or self.together or self.fixed):
            assert not again

    @staticmethod
    def check_repeats(answer: PairedRound, met: Mapping[Pair, int]) -> None:
        now = {pair: met[pair] for table in answer.tables for pair in combinations(sorted(table), 2) if met[pair]}
        told = {
            reason.entrants: reason.figures["times"]
            for reason in answer.reasons
            if reason.code in ("repeat", "repeat_for_short", "repeat_by_wish")
        }
        assert told == now


TestEvent = Event.TestCase
TestEvent.settings = settings(max_examples=10, stateful_step_count=12, deadline=None)


def test_the_same_values_and_seed_give_the_same_round_in_any_order() -> None:
    entrants = entrants_of(14)
    rounds = past([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11], [12, 13, 14]])
    scores = {one: float(one % 4) for one in range(1, 15)}
    once = table_swiss.pair(entrants, rounds, scores, preferred=4, seed=5)
    turned = dict(reversed(scores.items()))
    assert table_swiss.pair(entrants[::-1], rounds, turned, preferred=4, seed=5) == once
