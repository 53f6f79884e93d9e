"""Swiss for two: tables worked by hand from the rules, and random tournaments beside a search of all pairings."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from league.pairing import swiss
from league.pairing.values import (
    Entrant,
    PairedRound,
    PairingError,
    PastRound,
    Reason,
    Table,
    TableKind,
    Wishes,
)
from tests.pairing.duels import absent, bye, field, played, scores_of, won

# The lots that let the entrant with seed 1 go first and second in the first round.
ONE_FIRST, ONE_SECOND = 1, 2


def past(*rounds: tuple[Table, ...]) -> list[PastRound]:
    return [PastRound(number=number, tables=tables) for number, tables in enumerate(rounds, start=1)]


def pair(entrants: Sequence[Entrant], rounds: Sequence[PastRound], **kwargs: object) -> PairedRound:
    return swiss.pair(entrants, rounds, scores_of(rounds), **{"seed": ONE_FIRST, **kwargs})  # type: ignore[arg-type]


def seeds(paired: PairedRound) -> list[tuple[int, ...]]:
    return [tuple(one // 10 for one in table) for table in paired.tables]


def codes(paired: PairedRound) -> list[str]:
    return [one.code for one in paired.reasons]


# --- The order of pairs -----------------------------------------------------------------------------------------------


def test_the_first_round_is_the_fold_and_seats_alternate() -> None:
    # FIDE Handbook C.04.3: the top half meets the bottom half in order; the colour of number 1 is drawn by lot.
    assert seeds(pair(field(8), [], seed=ONE_FIRST)) == [(1, 5), (6, 2), (3, 7), (8, 4)]
    assert seeds(pair(field(8), [], seed=ONE_SECOND)) == [(5, 1), (2, 6), (7, 3), (4, 8)]


def test_in_an_odd_field_the_last_one_sits_out() -> None:
    paired = pair(field(9), [])
    assert seeds(paired) == [(1, 5), (6, 2), (3, 7), (8, 4)]
    assert paired.byes == (90,)
    assert paired.reasons == (Reason(code="bye", entrants=(90,), figures={"score": 0, "byes": 0, "passed": 0}),)


def test_the_second_round_of_eight() -> None:
    # Winners 1, 2, 3, 4: the fold 1-3, 2-4 would let two go first twice, the exchange of 3 and 4 nobody. Losers alike.
    # Who went second goes first now.
    rounds = past(won((10, 50), (60, 20), (30, 70), (80, 40)))
    paired = pair(field(8), rounds)
    assert seeds(paired) == [(4, 1), (2, 3), (5, 8), (7, 6)]
    assert paired.reasons == ()


def test_the_lowest_of_an_odd_score_group_floats_to_the_highest_it_may_meet() -> None:
    # 1, 2, 3 won; 3 floats, and 4 is the highest loser whom 3 has not met.
    paired = pair(field(6), past(won((10, 40), (50, 20), (30, 60))))
    assert seeds(paired) == [(2, 1), (4, 3), (6, 5)]
    assert paired.reasons == ()


def test_gaps_count_squared() -> None:
    # Scores 3, 2, 1, 0, nobody has met: 3-2 and 1-0 cost 2, 3-1 and 2-0 cost 8, 3-0 and 2-1 cost 10.
    scores = {10: 3.0, 20: 2.0, 30: 1.0, 40: 0.0}
    assert {frozenset(two) for two in swiss.pair(field(4), [], scores, seed=1).tables} == {
        frozenset({10, 20}),
        frozenset({30, 40}),
    }


def test_more_than_one_score_group_apart_has_a_reason() -> None:
    # 1 and 2 met, 3 and 4 met: 1 has 2 points, 2 and 3 one, 4 none. 1-3 and 2-4 is the only way without a rematch
    # beside 1-4 and 2-3, which costs 4 instead of 2.
    rounds = past((*won((10, 20)), *won((40, 30))))
    scores = {10: 2.0, 20: 1.0, 30: 1.0, 40: 0.0}
    assert swiss.pair(field(4), rounds, scores, seed=1).reasons == ()
    apart = Wishes(apart=frozenset({(10, 30)}))
    paired = swiss.pair(field(4), rounds, scores, seed=1, wishes=apart)
    assert paired.reasons == (Reason(code="floated", entrants=(10, 40), figures={"groups": 2, "gap": 2.0}),)


def test_points_of_any_step_are_compared() -> None:
    # A win is 3, a draw 1: 7 and 6 are next to each other, as are 4 and 3.
    scores = {10: 7.0, 20: 4.0, 30: 6.0, 40: 3.0}
    assert set(map(frozenset, swiss.pair(field(4), [], scores, seed=1).tables)) == {
        frozenset({10, 30}),
        frozenset({20, 40}),
    }
    # And nine thousand of them, a thousandth apart, go into one matching.
    wide = {one.id: one.seed * 777.001 for one in field(12)}
    assert len(swiss.pair(field(12), [], wide, seed=1).tables) == 6


# --- Who goes first ---------------------------------------------------------------------------------------------------


def test_who_went_first_less_often_goes_first() -> None:
    rounds = past(won((10, 30), (20, 40)), won((10, 40), (30, 20)))
    # 10 went first twice, 20 once in two, 30 once in two, 40 never.
    assert pair(field(4), rounds).tables == ((20, 10), (40, 30))


def test_a_forfeit_is_no_going_first() -> None:
    walkover = Table(entrants=(10, 20), kind=TableKind.FORFEIT, scores={10: 1.0, 20: 0.0})
    rounds = past((walkover,), (walkover,))
    # Seed 1 is odd and the lot lets odd ones go first.
    assert pair(field(2), rounds).tables == ((10, 20),)


def test_equals_change_from_when_they_last_differed() -> None:
    # 10: second, first; 20: first, second. Last time 10 went first and 20 did not.
    rounds = past(won((30, 10), (20, 40)), won((10, 40), (30, 20)))
    wishes = Wishes(together=frozenset({(10, 20)}))
    assert pair(field(4), rounds, wishes=wishes).tables[0] == (20, 10)


# --- Byes -------------------------------------------------------------------------------------------------------------


def test_the_bye_goes_to_the_lowest_without_one() -> None:
    rounds = past((*won((10, 30), (20, 40)), bye(50)), (*won((10, 20), (30, 50)), bye(40)))
    paired = pair(field(5), rounds)
    # 30, 40 and 50 have a point, 20 has one; 50 and 40 had a bye, so 30 is the lowest of those who had none.
    assert paired.byes == (30,)
    assert paired.reasons[0] == Reason(code="bye", entrants=(30,), figures={"score": 1.0, "byes": 0, "passed": 2})


def test_a_walkover_comes_before_a_bye_only_when_all_had_one() -> None:
    walkover = Table(entrants=(30, 20), kind=TableKind.FORFEIT, scores={30: 0.0, 20: 0.0})
    # All have no point; 30 won by forfeit, so 20 sits out though 30 has the lower seed.
    assert pair(field(3), past((walkover,))).byes == (20,)
    # 10 and 20 had byes: 30 has none and sits out, walkover or not.
    assert pair(field(3), past((walkover,), (bye(20),), (bye(10),))).byes == (30,)


def test_a_second_bye_when_everybody_had_one() -> None:
    rounds = past((bye(10),), (bye(20),), (bye(30),))
    paired = swiss.pair(field(3), rounds, {}, seed=1)
    assert paired.byes == (30,)
    assert paired.reasons[0].figures["byes"] == 1


def test_no_second_bye_to_avoid_a_rematch() -> None:
    # 30 alone had no bye; without 30 only 10 and 20 are left, who met.
    rounds = past((*won((10, 20)), bye(30)), (bye(20),), (bye(10),))
    only = past((*won((10, 20)), bye(10)), (bye(20),))
    assert pair(field(3), rounds[:1]).byes == (20,)
    with pytest.raises(PairingError) as refused:
        pair(field(3), only)
    assert refused.value.reason.code == "no_pairing"


def test_one_alone_sits_out_and_nobody_is_told() -> None:
    assert pair(field(1), []) == PairedRound(
        tables=(),
        byes=(10,),
        reasons=(Reason(code="bye", entrants=(10,), figures={"score": 0, "byes": 0, "passed": 0}),),
    )
    with pytest.raises(PairingError) as refused:
        pair(absent(field(2), 10, 20), [])
    assert refused.value.reason == Reason(code="nobody")


# --- Who is there -----------------------------------------------------------------------------------------------------


def test_absent_and_late_entrants_are_left_alone_and_come_back() -> None:
    entrants = [replace(one, first_round=2) if one.seed == 4 else one for one in field(4)]
    first = pair(absent(entrants, 10), [])
    assert {one for two in first.tables for one in two} == {20, 30}
    second = pair(entrants, past(won((20, 30))))
    assert sorted(one for two in second.tables for one in two) == [10, 20, 30, 40]


def test_entrants_that_share_a_seed_or_a_score_without_a_number_are_refused() -> None:
    with pytest.raises(ValueError, match="share"):
        pair([Entrant(id=1, seed=1), Entrant(id=2, seed=1)], [])
    with pytest.raises(ValueError, match="no number"):
        swiss.pair(field(2), [], {10: float("nan")}, seed=1)


# --- Rematches --------------------------------------------------------------------------------------------------------


def test_a_forfeit_is_no_meeting() -> None:
    for kind in (TableKind.FORFEIT, TableKind.DOUBLE_FORFEIT):
        rounds = past((Table(entrants=(10, 20), kind=kind),))
        paired = swiss.pair(field(2), rounds, {}, seed=1)
        assert set(paired.tables[0]) == {10, 20}
        assert paired.reasons == ()


def test_where_all_have_met_the_organiser_decides() -> None:
    rounds = past(won((10, 30), (20, 40)), won((10, 20), (30, 40)), won((10, 40), (20, 30)))
    with pytest.raises(PairingError) as refused:
        pair(field(4), rounds)
    assert refused.value.reason.code == "no_pairing"
    assert refused.value.reason.figures == {"rematches": 2, "apart": 0}
    assert sorted(refused.value.reason.entrants) == [10, 20, 30, 40]
    # Scores 3, 2, 1, 0: neighbours meet again.
    paired = pair(field(4), rounds, allow_rematches=True)
    assert {frozenset(two) for two in paired.tables} == {frozenset({10, 20}), frozenset({30, 40})}
    assert [(one.code, dict(one.figures)) for one in paired.reasons] == [("rematch", {"times": 1, "round": 2})] * 2


def test_as_few_rematches_as_there_may_be() -> None:
    # 10, 20 and 30 all met, and all three met 50 and 60 each: only 40 is new to them. Of six, two of the three meet
    # somebody again, whatever is done; 50 and 60 are new to each other, so no more than one table has to.
    known = [(10, 20), (10, 30), (20, 30), *((one, other) for one in (10, 20, 30) for other in (50, 60))]
    rounds = past(*(won(two) for two in known))
    paired = swiss.pair(field(6), rounds, {}, seed=1, allow_rematches=True)
    assert codes(paired).count("rematch") == 1
    with pytest.raises(PairingError) as refused:
        swiss.pair(field(6), rounds, {}, seed=1)
    assert refused.value.reason.figures == {"rematches": 1, "apart": 0}


def test_of_rematches_those_who_met_less_often() -> None:
    rounds = past(won((10, 20), (30, 40)), won((10, 20), (30, 40)), won((10, 30), (20, 40)), won((10, 40), (20, 30)))
    paired = swiss.pair(field(4), rounds, {10: 1, 20: 1}, seed=1, allow_rematches=True)
    # 10-20 and 30-40 would have no gap, but those met twice.
    assert all(one.figures["times"] == 1 for one in paired.reasons if one.code == "rematch")


# --- Wishes -----------------------------------------------------------------------------------------------------------


def test_wishes_to_be_apart_hold_in_any_order() -> None:
    paired = pair(field(4), [], wishes=Wishes(apart=frozenset({(30, 10), (20, 30)})))
    assert {frozenset(two) for two in paired.tables} == {frozenset({30, 40}), frozenset({10, 20})}


def test_wishes_that_leave_no_pairing_are_told() -> None:
    with pytest.raises(PairingError) as refused:
        pair(field(2), [], wishes=Wishes(apart=frozenset({(10, 20)})), allow_rematches=True)
    assert refused.value.reason == Reason(code="kept_apart", entrants=(10, 20))
    # 10 and 20 met, 30 and 40 met, 10 and 40 as well; 10-30 would do but for the wish.
    rounds = past(won((10, 20), (30, 40)), won((10, 40)))
    with pytest.raises(PairingError) as told:
        pair(field(4), rounds, wishes=Wishes(apart=frozenset({(10, 30)})))
    assert told.value.reason.code == "no_pairing"
    assert told.value.reason.figures["apart"] == 1


def test_wished_pairs_sit_together() -> None:
    wishes = Wishes(together=frozenset({(10, 20), (30, 990)}))
    paired = pair(field(5), [], wishes=wishes)
    assert {10, 20} in [set(two) for two in paired.tables]
    assert paired.byes == (50,)
    assert codes(paired) == ["bye", "together"]
    with pytest.raises(PairingError) as met:
        pair(field(2), past(won((10, 20))), wishes=wishes)
    assert met.value.reason == Reason(code="together_met", entrants=(10, 20), figures={"times": 1})
    assert codes(pair(field(2), past(won((10, 20))), wishes=wishes, allow_rematches=True)) == ["rematch", "together"]


def test_a_wish_does_not_bring_a_second_bye() -> None:
    rounds = past((bye(30),), (bye(40),), (bye(50),))
    with pytest.raises(PairingError) as refused:
        swiss.pair(field(5), rounds, {}, seed=1, wishes=Wishes(together=frozenset({(10, 20)})))
    assert refused.value.reason == Reason(code="together_bye", entrants=(10, 20))


@pytest.mark.parametrize(
    "wishes",
    [
        Wishes(together=frozenset({(10, 20), (20, 30)})),
        Wishes(together=frozenset({(10, 10)})),
        Wishes(together=frozenset({(10, 20)}), apart=frozenset({(10, 20)})),
    ],
)
def test_wishes_against_each_other_are_told(wishes: Wishes) -> None:
    with pytest.raises(PairingError) as refused:
        pair(field(4), [], wishes=wishes)
    assert refused.value.reason.code == "wish_conflict"


def test_wished_tables() -> None:
    # Without wishes 1-5 sits at table 1, 4-8 at table 4.
    paired = pair(field(8), [], wishes=Wishes(fixed={80: 1, 990: 2}))
    assert seeds(paired) == [(8, 4), (1, 5), (6, 2), (3, 7)]
    assert paired.reasons == ()
    # 4 and 8 sit together and cannot have both; table 9 is not there.
    missed = pair(field(8), [], wishes=Wishes(fixed={40: 2, 80: 1, 10: 9}))
    assert seeds(missed)[1] == (8, 4)
    assert missed.reasons == (
        Reason(code="table_missed", entrants=(10,), figures={"table": 9}),
        Reason(code="table_missed", entrants=(80,), figures={"table": 1}),
    )


# --- Large fields -----------------------------------------------------------------------------------------------------


def test_a_window_of_ranks_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(5)
    rounds: list[PastRound] = []
    every: list[PairedRound] = []
    for number in range(1, 6):
        every.append(pair(field(121), rounds))
        rounds.append(played(every[-1], number, rng))
    monkeypatch.setattr(swiss, "_COMPLETE", 40)
    for number, complete in enumerate(every):
        scores = scores_of(rounds[:number])
        windowed = pair(field(121), rounds[:number])
        everybody = [*windowed.byes, *(one for two in windowed.tables for one in two)]
        assert sorted(everybody) == [10 * seed for seed in range(1, 122)]
        assert windowed.byes == complete.byes
        gaps = [
            sum((scores.get(one, 0) - scores.get(other, 0)) ** 2 for one, other in paired.tables)
            for paired in (windowed, complete)
        ]
        assert gaps[0] == gaps[1]


def test_a_pairing_outside_of_the_window_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    # Seed 1 may meet the last one alone.
    monkeypatch.setattr(swiss, "_COMPLETE", 40)
    wishes = Wishes(apart=frozenset((10, 10 * seed) for seed in range(2, 100)))
    paired = pair(field(100), [], wishes=wishes)
    assert {10, 1000} in [set(two) for two in paired.tables]
    assert len(paired.tables) == 50


def test_a_field_that_is_not_solved_with_every_pair_at_first() -> None:
    paired = pair(field(401), [])
    # The first round is the fold, and seats alternate.
    assert seeds(paired) == [(n, n + 200) if n % 2 == 1 else (n + 200, n) for n in range(1, 201)]
    assert paired.byes == (4010,)


# --- Random tournaments -----------------------------------------------------------------------------------------------


def pairings(ids: Sequence[int], sits_out: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to pair these, one of `sits_out` with a bye where they are odd."""
    if not ids:
        yield []
        return
    first, rest = ids[0], ids[1:]
    if len(ids) % 2 == 1 and first in sits_out:
        yield from ([(first,), *others] for others in pairings(rest, ()))
    for other in rest:
        left = [one for one in rest if one != other]
        yield from ([(first, other), *others] for others in pairings(left, sits_out))


class Tournament(RuleBasedStateMachine):
    """Rounds, drop-outs, returns, late entries and corrections in any order; every pairing beside all there are."""

    def __init__(self) -> None:
        super().__init__()
        self.entrants: list[Entrant] = []
        self.rounds: list[PastRound] = []
        self.apart: frozenset[tuple[int, int]] = frozenset()

    @initialize(
        size=st.integers(2, 7), apart=st.frozensets(st.tuples(st.integers(1, 7), st.integers(1, 7)), max_size=1)
    )
    def begin(self, size: int, apart: frozenset[tuple[int, int]]) -> None:
        self.entrants = field(size)
        self.apart = frozenset((10 * a, 10 * b) for a, b in apart if a < b)

    @rule(which=st.integers(0, 7))
    def drop_out_or_return(self, which: int) -> None:
        index = which % len(self.entrants)
        one = self.entrants[index]
        self.entrants[index] = replace(one, present=not one.present)

    @rule(later=st.integers(1, 2))
    def enter_late(self, later: int) -> None:
        if len(self.entrants) < 8:
            seed = len(self.entrants) + 1
            first = len(self.rounds) + later
            self.entrants.append(Entrant(id=10 * seed, seed=seed, first_round=first))

    @rule(data=st.data(), kind=st.sampled_from([TableKind.PLAYED, TableKind.FORFEIT, TableKind.DOUBLE_FORFEIT]))
    def correct_a_result(self, data: st.DataObject, kind: TableKind) -> None:
        at = [
            (number, index)
            for number, one in enumerate(self.rounds)
            for index, table in enumerate(one.tables)
            if len(table.entrants) == 2
        ]
        if not at:
            return
        number, index = data.draw(st.sampled_from(at))
        tables = list(self.rounds[number].tables)
        winner, loser = tables[index].entrants
        points = {winner: float(kind is not TableKind.DOUBLE_FORFEIT), loser: 0.0}
        tables[index] = replace(tables[index], kind=kind, scores=points, places={winner: 1, loser: 2})
        self.rounds[number] = replace(self.rounds[number], tables=tuple(tables))

    @rule(seed=st.integers(0, 2**32), rematches=st.booleans())
    def pair_and_play(self, seed: int, rematches: bool) -> None:
        number = len(self.rounds) + 1
        here = [one.id for one in self.entrants if one.present and one.first_round <= number]
        scores = scores_of(self.rounds)
        try:
            paired = pair(
                self.entrants, self.rounds, seed=seed, wishes=Wishes(apart=self.apart), allow_rematches=rematches
            )
        except PairingError as refused:
            self.check_refusal(here, refused.reason, rematches=rematches)
            return
        # Everybody who is there once, nobody else, at most one bye.
        assert sorted([*paired.byes, *(one for two in paired.tables for one in two)]) == sorted(here)
        assert len(paired.byes) == len(here) % 2
        every = self.every_pairing(here)
        mine = [*((one,) for one in paired.byes), *paired.tables]
        met = self.met()
        assert not any(tuple(sorted(two)) in self.apart for two in paired.tables)

        def cost(tables: Sequence[tuple[int, ...]]) -> tuple[float, ...]:
            again = [two for table in tables for two in [tuple(sorted(table))] if two in met]
            sits_out = next((one[0] for one in tables if len(one) == 1), 0)
            return (
                len(again),
                sum(met[two] - 1 for two in again),
                self.walkovers(sits_out),
                scores.get(sits_out, 0),
                -sits_out,
                sum((scores.get(two[0], 0) - scores.get(two[1], 0)) ** 2 for two in tables if len(two) == 2),
            )

        assert cost(mine) == min(map(cost, every))
        assert rematches or cost(mine)[0] == 0
        assert codes(paired).count("rematch") == cost(mine)[0]
        assert codes(paired).count("bye") == len(paired.byes)
        self.rounds.append(played(paired, number, Random(seed), forfeits=0.2))

    # --- The same, counted in another way ---

    def met(self) -> dict[tuple[int, ...], int]:
        found: dict[tuple[int, ...], int] = {}
        for one in self.rounds:
            for table in one.tables:
                if table.kind is TableKind.PLAYED:
                    two = tuple(sorted(table.entrants))
                    found[two] = found.get(two, 0) + 1
        return found

    def walkovers(self, entrant: int) -> int:
        return sum(
            table.kind is TableKind.FORFEIT and table.entrants[0] == entrant
            for one in self.rounds
            for table in one.tables
        )

    def every_pairing(self, here: Sequence[int]) -> list[list[tuple[int, ...]]]:
        byes = {
            entrant: sum(table.kind is TableKind.BYE and entrant in table.entrants for table in self.tables())
            for entrant in here
        }
        fewest = [one for one in here if byes[one] == min(byes.values())]
        return [one for one in pairings(sorted(here), fewest) if not any(two in self.apart for two in one)]

    def tables(self) -> list[Table]:
        return [table for one in self.rounds for table in one.tables]

    def check_refusal(self, here: Sequence[int], reason: Reason, *, rematches: bool) -> None:
        every = self.every_pairing(here) if here else []
        least = min((sum(two in self.met() for two in one) for one in every), default=None)
        if not here:
            assert reason.code == "nobody"
        elif least is None:
            assert reason.code == "kept_apart"
        else:
            assert not rematches
            assert (reason.code, reason.figures["rematches"]) == ("no_pairing", least)
            assert least > 0


Tournament.TestCase.settings = settings(max_examples=60, stateful_step_count=14, deadline=None)
TestTournament = Tournament.TestCase
