"""Stepladder: who climbs, and who is placed where."""

import pytest

from league.pairing.brackets import Decision, resolve
from league.pairing.stepladder import stepladder
from league.pairing.values import PairingError, TableKind
from tests.pairing.playing import drawing, favourite, outsider, play, ranks, sheet


def test_five_as_drawn_by_hand() -> None:
    assert drawing(stepladder(5)) == sheet("""
        1 S1: 4, 5
        2 S2: 3, S1
        3 S3: 2, S2
        4 S4: 1, S3
    """)


@pytest.mark.parametrize("entrants", [*range(2, 10), 33, 64])
def test_one_match_after_another_and_the_loser_is_placed(entrants: int) -> None:
    bracket = stepladder(entrants)
    assert len(bracket.matches) == entrants - 1
    assert [match.wave for match in bracket.matches] == list(range(1, entrants))
    _, resolved = play(bracket, favourite)
    assert ranks(bracket, resolved) == {seed: str(seed) for seed in range(1, entrants + 1)}
    _, resolved = play(bracket, outsider)
    climbed = {entrants: "1"} | {seed: str(seed + 1) for seed in range(1, entrants)}
    assert ranks(bracket, resolved) == climbed


def test_while_it_lasts_everybody_can_still_reach_the_top() -> None:
    bracket = stepladder(4)
    assert ranks(bracket, resolve(bracket, [10, 20, 30, 40], {})) == {10: "1-2", 20: "1-3", 30: "1-4", 40: "1-4"}
    outcomes = {"S1": Decision(winner=40, loser=30)}
    assert ranks(bracket, resolve(bracket, [10, 20, 30, 40], outcomes)) == {
        10: "1-2",
        20: "1-3",
        40: "1-3",
        30: "4",
    }


def test_after_a_double_forfeit_the_next_above_goes_on_unplayed() -> None:
    bracket = stepladder(4)
    outcomes = {"S1": Decision(winner=3, loser=4, kind=TableKind.DOUBLE_FORFEIT)}
    resolved = resolve(bracket, [1, 2, 3, 4], outcomes)
    reason = resolved.matches["S2"].reason
    assert reason is not None
    assert (reason.code, reason.entrants) == ("walkover", (2,))
    assert resolved.ready == ("S3",)
    done = resolve(bracket, [1, 2, 3, 4], outcomes | {"S3": Decision(winner=2, loser=1)})
    assert ranks(bracket, done) == {2: "1", 1: "2", 3: "3-4", 4: "3-4"}


def test_the_last_matches_may_be_best_of_more() -> None:
    assert [match.best_of for match in stepladder(5, best_of_last=(5, 3)).matches] == [1, 1, 3, 5]


def test_a_ladder_of_one_is_refused() -> None:
    with pytest.raises(PairingError) as refused:
        stepladder(1)
    assert refused.value.reason.figures == {"entrants": 1, "least": 2}
