"""Brackets of all kinds: what outcomes lead to, what a correction changes, how it is drawn, and random stories.

The stories keep a model of their own: who has lost how often, from the outcomes that count and nothing else.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from league.pairing.bracket_layout import layout
from league.pairing.brackets import (
    Bracket,
    Decision,
    Resolved,
    Side,
    SourceKind,
    State,
    resolve,
    seed_order,
    standing,
    wins_needed,
)
from league.pairing.double_elimination import GrandFinal, double_elimination
from league.pairing.single_elimination import single_elimination
from league.pairing.stepladder import stepladder
from league.pairing.values import PairingError, TableKind
from tests.pairing.playing import by_chance, play, ranks

DOUBLE = TableKind.DOUBLE_FORFEIT
SEEDING = [101, 102, 103, 104, 105, 106, 107, 108]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A match whose two are others than before; `invalid` says that its outcome counts no more."""

    code: str
    before: tuple[int | None, int | None]
    after: tuple[int | None, int | None]
    invalid: bool


def depends_on(bracket: Bracket, code: str) -> tuple[str, ...]:
    """The codes of all matches that take their entrants from this one, directly or over others, in order of play."""
    reached = {bracket.match(code).code}
    for match in bracket.matches:
        if any(source.code in reached for source in match.sources):
            reached.add(match.code)
    return tuple(match.code for match in bracket.matches if match.code in reached and match.code != code)


def changed(
    bracket: Bracket, seeding: Sequence[int], before: Mapping[str, Decision], after: Mapping[str, Decision]
) -> tuple[Change, ...]:
    """Which matches get other entrants when the outcomes become `after`, in the order of the plan.

    `after` still holds the outcomes of later matches: those that no longer count are marked.
    """
    was = resolve(bracket, seeding, before)
    now = resolve(bracket, seeding, after)
    return tuple(
        Change(code=code, before=was.matches[code].entrants, after=match.entrants, invalid=code in now.invalid)
        for code, match in now.matches.items()
        if set(match.entrants) != set(was.matches[code].entrants)
    )


def won(winner: int, loser: int) -> Decision:
    return Decision(winner=winner, loser=loser)


# --- Plan -------------------------------------------------------------------------------------------------------------


def test_seeds_stand_where_the_best_meet_last() -> None:
    assert seed_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    for rounds in range(1, 8):
        order = seed_order(2**rounds)
        assert sorted(order) == list(range(1, 2**rounds + 1))
        for top in range(rounds + 1):  # the best 2^top stand one in each 2^top-th
            share = len(order) >> top
            assert len({order.index(seed) // share for seed in range(1, 2**top + 1)}) == 2**top


@pytest.mark.parametrize(("best_of", "wins"), [(1, 1), (3, 2), (5, 3), (7, 4)])
def test_more_than_half_of_the_games_decide(best_of: int, wins: int) -> None:
    assert wins_needed(best_of) == wins


@pytest.mark.parametrize("best_of", [0, 2, 4, -3])
def test_a_match_is_of_an_odd_number_of_games(best_of: int) -> None:
    with pytest.raises(PairingError) as refused:
        wins_needed(best_of)
    assert (refused.value.reason.code, refused.value.reason.figures) == ("best_of_even", {"best_of": best_of})


def test_what_hangs_on_a_match_is_told_in_order_of_play() -> None:
    bracket = double_elimination(8)
    assert depends_on(bracket, "W1-1") == ("W2-1", "L1-1", "W3-1", "L2-1", "L2-2", "L3-1", "L4-1", "GF1", "GF2")
    assert depends_on(bracket, "L1-2") == ("L2-2", "L3-1", "L4-1", "GF1", "GF2")
    assert depends_on(bracket, "GF2") == ()
    assert depends_on(single_elimination(8, third_place=True), "W1-3") == ("W2-2", "W3-1", "3P")
    assert depends_on(stepladder(4), "S2") == ("S3",)
    with pytest.raises(PairingError) as refused:
        depends_on(bracket, "W9-9")
    assert refused.value.reason.code == "unknown_match"


# --- Outcomes ---------------------------------------------------------------------------------------------------------


def test_a_match_waits_for_its_two_is_played_and_sends_both_on() -> None:
    bracket = single_elimination(4, third_place=True)
    resolved = resolve(bracket, SEEDING[:4], {"W1-1": won(104, 101)})
    first, second, final, third = (resolved.matches[code] for code in ("W1-1", "W1-2", "W2-1", "3P"))
    assert (first.state, first.winner, first.loser, first.kind) == (State.DECIDED, 104, 101, TableKind.PLAYED)
    assert (second.state, second.entrants) == (State.READY, (102, 103))
    assert (final.state, final.entrants, final.vacant) == (State.WAITING, (104, None), (False, False))
    assert (third.state, third.entrants) == (State.WAITING, (101, None))
    assert resolved.ready == ("W1-2",)
    assert not resolved.finished
    assert ranks(bracket, resolved) == {104: "1-2", 102: "1-4", 103: "1-4", 101: "3-4"}


def test_outcomes_that_do_not_fit_do_not_count_and_are_named() -> None:
    bracket = single_elimination(6)
    outcomes = {
        "W1-1": won(101, 108),  # a bye
        "W1-2": won(104, 106),  # 106 plays 103
        "W1-4": Decision(winner=103, loser=106, kind=TableKind.BYE),
        "W2-2": won(102, 103),  # nobody knows yet who it will be
    }
    resolved = resolve(bracket, SEEDING[:6], outcomes)
    assert resolved.invalid == ("W1-1", "W1-2", "W1-4", "W2-2")
    assert resolved.matches == resolve(bracket, SEEDING[:6], {}).matches


def test_seedings_that_do_not_fit_are_refused_with_the_reason() -> None:
    bracket = single_elimination(4)
    with pytest.raises(PairingError) as refused:
        resolve(bracket, SEEDING[:3], {})
    assert refused.value.reason.code == "wrong_count"
    assert refused.value.reason.figures == {"entrants": 3, "expected": 4}
    with pytest.raises(PairingError) as refused:
        resolve(bracket, [7, 8, 7, 9], {})
    assert (refused.value.reason.code, refused.value.reason.entrants) == ("entrant_twice", (7,))
    with pytest.raises(PairingError) as refused:
        resolve(bracket, SEEDING[:4], {"L1-1": won(101, 102)})
    assert refused.value.reason.code == "unknown_match"


# --- Corrections ------------------------------------------------------------------------------------------------------


def test_a_wrong_winner_corrected_goes_up_and_what_was_played_wrongly_is_named() -> None:
    """105 had lost to 104: so 104 meets 101 now, whose win over 105 does not count, nor what followed from it."""
    bracket = double_elimination(8)
    before = {
        "W1-1": won(101, 108),
        "W1-2": won(105, 104),
        "W1-3": won(102, 107),
        "W1-4": won(103, 106),
        "W2-1": won(101, 105),
        "W2-2": won(102, 103),
        "L1-1": won(108, 104),
        "L1-2": won(106, 107),
        "L2-2": won(106, 105),
        "W3-1": won(101, 102),
    }
    after = before | {"W1-2": won(104, 105)}
    assert changed(bracket, SEEDING, before, after) == (
        Change(code="W2-1", before=(101, 105), after=(101, 104), invalid=True),
        Change(code="L1-1", before=(108, 104), after=(108, 105), invalid=True),
        Change(code="W3-1", before=(101, 102), after=(None, 102), invalid=True),
        Change(code="L2-1", before=(108, 103), after=(None, 103), invalid=False),
        Change(code="L2-2", before=(106, 105), after=(106, None), invalid=True),
        Change(code="L3-1", before=(None, 106), after=(None, None), invalid=False),
        Change(code="L4-1", before=(None, 102), after=(None, None), invalid=False),
        Change(code="GF1", before=(101, None), after=(None, None), invalid=False),
    )
    resolved = resolve(bracket, SEEDING, after)
    assert resolved.ready == ("W2-1", "L1-1")
    # L2-2 counts again if it turns out to be between the same two.
    again = after | {"W2-1": won(101, 104), "L1-1": won(108, 105)}
    assert resolve(bracket, SEEDING, again).invalid == ("L2-2",)
    assert resolve(bracket, SEEDING, again).matches["W3-1"].state is State.DECIDED


def test_a_correction_that_changes_nobody_changes_nothing_later() -> None:
    bracket = single_elimination(4)
    before = {"W1-1": won(101, 104), "W1-2": won(102, 103), "W2-1": won(101, 102)}
    after = before | {"W1-1": Decision(winner=101, loser=104, kind=TableKind.FORFEIT)}
    assert changed(bracket, SEEDING[:4], before, after) == ()


def test_two_who_meet_again_with_sides_changed_are_the_same_two() -> None:
    """Of two only: who lost comes right into the grand final. So its outcome stands, but now the unbeaten have lost."""
    bracket = double_elimination(2)
    before = {"W1-1": won(101, 102), "GF1": won(101, 102)}
    after = {"W1-1": won(102, 101), "GF1": won(101, 102)}
    assert changed(bracket, SEEDING[:2], before, after) == (
        Change(code="GF2", before=(None, None), after=(101, 102), invalid=False),
    )
    assert resolve(bracket, SEEDING[:2], after).ready == ("GF2",)


def test_an_outcome_taken_back_leaves_its_followers_waiting() -> None:
    bracket = stepladder(4)
    before = {"S1": won(104, 103), "S2": won(104, 102), "S3": won(101, 104)}
    after = {code: outcome for code, outcome in before.items() if code != "S1"}
    assert changed(bracket, SEEDING[:4], before, after) == (
        Change(code="S2", before=(102, 104), after=(102, None), invalid=True),
        Change(code="S3", before=(101, 104), after=(101, None), invalid=True),
    )


def test_a_double_forfeit_corrected_brings_both_back() -> None:
    bracket = double_elimination(4)
    before = {"W1-1": Decision(winner=101, loser=104, kind=DOUBLE), "W1-2": won(102, 103), "GF1": won(102, 103)}
    after = before | {"W1-1": won(101, 104)}
    found = changed(bracket, SEEDING[:4], before, after)
    assert [(one.code, one.after, one.invalid) for one in found] == [
        ("W2-1", (101, 102), False),
        ("L1-1", (104, 103), False),
        ("L2-1", (None, None), False),
        ("GF1", (None, None), True),
    ]


# --- Drawing ----------------------------------------------------------------------------------------------------------


def test_four_with_third_place_as_drawn_by_hand() -> None:
    drawn = layout(single_elimination(4, third_place=True))
    assert {box.code: (box.column, box.row) for box in drawn.boxes} == {
        "W1-1": (0, 0.5),
        "W1-2": (0, 1.5),
        "W2-1": (1, 1.0),
        "3P": (1, 2.0),
    }
    assert {(line.start, line.end, line.slot) for line in drawn.lines} == {("W1-1", "W2-1", 0), ("W1-2", "W2-1", 1)}
    assert (drawn.columns, drawn.rows) == (2, 2.5)


def test_double_elimination_of_four_as_drawn_by_hand() -> None:
    drawn = layout(double_elimination(4))
    assert {box.code: (box.column, box.row) for box in drawn.boxes} == {
        "W1-1": (0, 0.5),
        "W1-2": (0, 1.5),
        "W2-1": (1, 1.0),
        "L1-1": (1, 2.5),
        "L2-1": (2, 2.5),
        "GF1": (3, 1.75),
        "GF2": (4, 1.75),
    }
    assert ("L2-1", "GF1", 1) in {(line.start, line.end, line.slot) for line in drawn.lines}
    assert (drawn.columns, drawn.rows) == (5, 3.0)


def test_a_ladder_climbs_to_the_upper_right() -> None:
    drawn = layout(stepladder(4))
    assert [(box.code, box.column, box.row) for box in drawn.boxes] == [("S1", 0, 2.5), ("S2", 1, 1.5), ("S3", 2, 0.5)]
    assert [(line.start, line.end, line.slot) for line in drawn.lines] == [("S1", "S2", 1), ("S2", "S3", 1)]


@pytest.mark.parametrize("entrants", range(2, 65))
def test_in_no_drawing_do_matches_cover_each_other(entrants: int) -> None:
    for bracket in (
        single_elimination(entrants, third_place=True),
        double_elimination(entrants),
        double_elimination(entrants, grand_final=GrandFinal.NONE),
        stepladder(entrants),
    ):
        drawn = layout(bracket)
        places = {box.code: box for box in drawn.boxes}
        assert places.keys() == {match.code for match in bracket.played()}
        for column in range(drawn.columns):
            rows = sorted(box.row for box in drawn.boxes if box.column == column)
            assert rows, "a column without a match"
            assert all(below - above >= 1 for above, below in pairwise(rows))
        assert all(0.5 <= box.row <= drawn.rows - 0.5 for box in drawn.boxes)
        upper = [box.row for box in drawn.boxes if box.side is Side.WINNERS]
        lower = [box.row for box in drawn.boxes if box.side is Side.LOSERS]
        assert not lower or max(upper) < min(lower)
        for line in drawn.lines:
            assert places[line.start].column < places[line.end].column
            source = bracket.match(line.end).sources[line.slot]
            assert source.kind is SourceKind.WINNER


# --- Random stories ---------------------------------------------------------------------------------------------------

WITH_A_FINAL = st.one_of(
    st.builds(single_elimination, st.integers(2, 20), third_place=st.booleans()),
    st.builds(
        double_elimination, st.integers(2, 20), grand_final=st.sampled_from([GrandFinal.RESET, GrandFinal.SIMPLE])
    ),
    st.builds(stepladder, st.integers(2, 8)),
)
BRACKETS = st.one_of(
    WITH_A_FINAL, st.builds(double_elimination, st.integers(2, 20), grand_final=st.just(GrandFinal.NONE))
)
KINDS = st.sampled_from([TableKind.PLAYED, TableKind.PLAYED, TableKind.PLAYED, TableKind.FORFEIT, DOUBLE])


def lives(bracket: Bracket) -> int:
    return 2 if any(match.side is Side.LOSERS or match.code == "GF1" for match in bracket.matches) else 1


class Stories(RuleBasedStateMachine):
    """An organiser who notes, corrects and takes back outcomes in any order, and tidies up or not."""

    bracket: Bracket
    seeding: list[int]

    @initialize(bracket=BRACKETS, data=st.data())
    def draw(self, bracket: Bracket, data: st.DataObject) -> None:
        self.bracket = bracket
        self.seeding = data.draw(st.permutations([1000 + number for number in range(bracket.entrants_count)]))
        self.outcomes: dict[str, Decision] = {}

    @property
    def resolved(self) -> Resolved:
        return resolve(self.bracket, self.seeding, self.outcomes)

    def note(self, code: str, kind: TableKind, first_wins: bool) -> None:
        one, other = self.resolved.matches[code].entrants
        assert one is not None and other is not None
        winner, loser = (one, other) if first_wins else (other, one)
        self.become(self.outcomes | {code: Decision(winner=winner, loser=loser, kind=kind)}, code)

    def become(self, after: dict[str, Decision], code: str) -> None:
        """The outcomes change in this match: only what hangs on it may, and `changed` names what no longer counts."""
        before = self.resolved
        now = resolve(self.bracket, self.seeding, after)
        told = changed(self.bracket, self.seeding, self.outcomes, after)
        later = set(depends_on(self.bracket, code))
        assert {one.code for one in told} <= later
        for match in self.bracket.matches:
            if match.code not in later and match.code != code:
                assert now.matches[match.code] == before.matches[match.code]
        assert set(now.invalid) - set(before.invalid) <= {one.code for one in told if one.invalid}
        self.outcomes = after

    @precondition(lambda self: self.resolved.ready)
    @rule(data=st.data(), kind=KINDS, first_wins=st.booleans())
    def play_one(self, data: st.DataObject, kind: TableKind, first_wins: bool) -> None:
        was = {one.entrant: one for one in standing(self.bracket, self.resolved)}
        waits = self.resolved.invalid
        self.note(data.draw(st.sampled_from(self.resolved.ready)), kind, first_wins)
        if kind is DOUBLE or waits:
            return  # two leave at once, so that others move up; what did not count may count again
        for one in standing(self.bracket, self.resolved):
            assert was[one.entrant].rank_from <= one.rank_from <= one.rank_to <= was[one.entrant].rank_to

    @precondition(lambda self: self.resolved.ready)
    @rule(kind=KINDS, first_wins=st.booleans())
    def play_all_that_is_ready(self, kind: TableKind, first_wins: bool) -> None:
        for code in self.resolved.ready:
            self.note(code, kind, first_wins)

    @precondition(lambda self: self.counting)
    @rule(data=st.data(), kind=KINDS, first_wins=st.booleans())
    def correct(self, data: st.DataObject, kind: TableKind, first_wins: bool) -> None:
        self.note(data.draw(st.sampled_from(sorted(self.counting))), kind, first_wins)

    @precondition(lambda self: self.outcomes)
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        code = data.draw(st.sampled_from(sorted(self.outcomes)))
        self.become({other: outcome for other, outcome in self.outcomes.items() if other != code}, code)

    @precondition(lambda self: self.resolved.invalid)
    @rule()
    def tidy_up(self) -> None:
        before = self.resolved
        self.outcomes = {code: outcome for code, outcome in self.outcomes.items() if code not in before.invalid}
        assert self.resolved.matches == before.matches
        assert self.resolved.invalid == ()

    @property
    def counting(self) -> Mapping[str, Decision]:
        resolved = self.resolved
        return {code: one for code, one in self.outcomes.items() if resolved.matches[code].state is State.DECIDED}

    @invariant()
    def every_match_is_what_it_says(self) -> None:
        resolved = self.resolved
        assert set(resolved.invalid) | self.counting.keys() == self.outcomes.keys()
        for match in resolved.matches.values():
            one, other = match.entrants
            assert one is None or one != other, "nobody plays himself"
            known = one is not None and other is not None
            assert known == (match.state in {State.READY, State.DECIDED})
            assert (match.kind is None) == (match.state is not State.DECIDED), "a void match has no result"
            assert (match.reason is None) == (match.state is not State.VOID)
            if match.state is State.DECIDED:
                outcome = self.outcomes[match.code]
                expected = (None, None) if outcome.kind is DOUBLE else (outcome.winner, outcome.loser)
                assert (match.winner, match.loser) == expected

    @invariant()
    def who_has_lost_too_often_is_out_and_all_others_are_in_one_place(self) -> None:
        resolved = self.resolved
        third = {"3P"}
        losses: Counter[int] = Counter()
        for code, outcome in self.counting.items():
            if outcome.kind is DOUBLE:
                losses.update({outcome.winner: 2, outcome.loser: 2})
            elif code not in third:
                losses[outcome.loser] += 1
        playing = Counter(
            entrant
            for match in resolved.matches.values()
            if match.state in {State.READY, State.WAITING} and match.code not in third
            for entrant in match.entrants
            if entrant is not None
        )
        limit = lives(self.bracket)
        simple = limit == 2 and all(match.code != "GF2" for match in self.bracket.matches)
        placed = {one.entrant: one for one in standing(self.bracket, resolved)}
        for entrant in self.seeding:
            if losses[entrant] >= limit:
                assert entrant not in playing
            elif entrant in playing:
                assert playing[entrant] == 1
            else:  # has won, or was beaten once in a final without a reset
                assert placed[entrant].rank_to <= (2 if simple else 1)

    @invariant()
    def ranks_are_consistent(self) -> None:
        resolved = self.resolved
        placed = standing(self.bracket, resolved)
        assert sorted(one.entrant for one in placed) == sorted(self.seeding)
        assert all(1 <= one.rank_from <= one.rank_to <= len(self.seeding) for one in placed)
        if not resolved.finished:
            return
        shared = Counter((one.rank_from, one.rank_to) for one in placed)
        taken = 0
        for (rank_from, rank_to), count in sorted(shared.items()):
            assert (rank_from, rank_to) == (taken + 1, taken + count)
            taken = rank_to
        place = {one.entrant: one.rank_from for one in placed}
        for match in self.bracket.matches:
            met = resolved.matches[match.code]
            comes_back = match.code == "GF1" or (match.side is Side.WINNERS and lives(self.bracket) == 2)
            if met.winner is not None and met.loser is not None and not comes_back:
                assert place[met.winner] < place[met.loser]


Stories.TestCase.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)
TestStories = Stories.TestCase


@given(WITH_A_FINAL, st.integers(0, 10**6))
@settings(max_examples=50, deadline=None)
def test_whoever_stays_longer_is_placed_better(bracket: Bracket, seed: int) -> None:
    """Without double forfeits: by the wave of the last match, in the final before the one for third place."""
    outcomes, resolved = play(bracket, by_chance(seed))
    place = {one.entrant: one for one in standing(bracket, resolved)}
    last = {
        entrant: max(
            (match.wave, match.code != "3P", match.code in outcomes and outcomes[match.code].winner == entrant)
            for match in bracket.matches
            if match.code in outcomes and entrant in {outcomes[match.code].winner, outcomes[match.code].loser}
        )
        for entrant in place
    }
    order = sorted(place, key=lambda entrant: last[entrant], reverse=True)
    for better, worse in pairwise(order):
        assert place[better].rank_from <= place[worse].rank_from
