"""Sessions: place sums, final places, and evenings that did not go as planned
(docs/rules/xxl.md, "Scoring a session").

Players are numbers: 1 Ann, 2 Ben, 3 Cem, 4 Dora, 9 the substitute.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.scoring.problems import Problem, ScoringError
from league.scoring.sessions import (
    EveningRules,
    PlayedRound,
    PlayerResult,
    Seat,
    running,
    score_session,
)

ANN, BEN, CEM, DORA, ZOE = 1, 2, 3, 4, 9
RULES = EveningRules()
THREE = (Seat(ANN, 0), Seat(BEN, 1), Seat(CEM, 2))


def played(*rounds: dict[int, int]) -> list[PlayedRound]:
    return [PlayedRound(number, f"xxl-{(number - 1) % 6 + 1}", got) for number, got in enumerate(rounds, start=1)]


def sums_and_places(results: tuple[PlayerResult, ...]) -> dict[int, tuple[int, int | None, str]]:
    return {result.player: (result.place_sum, result.place, result.reason) for result in results}


def test_lowest_sum_wins_and_equal_sums_share() -> None:
    """1 + 2 = 3, 2 + 1 = 3, 3 + 3 = 6: first shared, second skipped."""
    rounds = played({ANN: 1, BEN: 2, CEM: 3}, {ANN: 2, BEN: 1, CEM: 3})
    assert running(THREE, rounds, RULES) == (
        PlayerResult(ANN, 3, 2, 0, 1, ""),
        PlayerResult(BEN, 3, 2, 0, 1, ""),
        PlayerResult(CEM, 6, 2, 0, 3, ""),
    )


def test_before_the_first_round_nobody_has_a_place() -> None:
    assert running(THREE, [], RULES) == tuple(PlayerResult(one, 0, 0, 0, None, "not_played") for one in (1, 2, 3))


def test_results_are_in_the_order_of_the_seats_given() -> None:
    seats = (Seat(CEM, 2), Seat(ANN, 0), Seat(BEN, 1))
    rounds = played({ANN: 1, BEN: 2, CEM: 3})
    assert [result.player for result in running(seats, rounds, RULES)] == [CEM, ANN, BEN]


@given(st.integers(2, 6), st.data())
def test_sums_and_final_places_against_a_naive_count(players: int, data: st.DataObject) -> None:
    table = data.draw(
        st.lists(st.lists(st.integers(1, 6), min_size=players, max_size=players), min_size=1, max_size=12)
    )
    seats = [Seat(player, player) for player in range(players)]
    results = running(seats, played(*[dict(enumerate(row)) for row in table]), RULES)
    totals = [0] * players
    for row in table:
        for player, place in enumerate(row):
            totals[player] += place
    assert [result.place_sum for result in results] == totals
    assert [result.place for result in results] == [1 + sum(t < own for t in totals) for own in totals]


# Leaving early and joining late

# Cem left after the first of three rounds: the two left play for places 1 and 2.
LEFT = (Seat(ANN, 0), Seat(BEN, 1), Seat(CEM, 2, until_round=1))
LEFT_ROUNDS = ({CEM: 1, ANN: 2, BEN: 3}, {ANN: 2, BEN: 1}, {ANN: 2, BEN: 1})


def test_missed_rounds_count_behind_all_who_played() -> None:
    """Two played rounds 2 and 3, so each counts 3 for Cem: 1 + 3 + 3 = 7. Ann 6, Ben 5."""
    assert running(LEFT, played(*LEFT_ROUNDS), RULES) == (
        PlayerResult(ANN, 6, 3, 0, 2, ""),
        PlayerResult(BEN, 5, 3, 0, 1, ""),
        PlayerResult(CEM, 7, 1, 2, 3, ""),
    )


def test_missed_rounds_can_cost_the_final_place() -> None:
    """Cem keeps the 1 got in round 1; Ann and Ben are placed without him."""
    rules = EveningRules(missing_round="exclude")
    assert running(LEFT, played(*LEFT_ROUNDS), rules) == (
        PlayerResult(ANN, 6, 3, 0, 2, ""),
        PlayerResult(BEN, 5, 3, 0, 1, ""),
        PlayerResult(CEM, 1, 1, 2, None, "missed_rounds"),
    )


def test_joining_late() -> None:
    """Dora missed round 1, played by two: 3 + 1 = 4; Ann 1 + 2 = 3, Ben 2 + 3 = 5."""
    seats = (Seat(ANN, 0), Seat(BEN, 1), Seat(DORA, 2, from_round=2))
    rounds = played({ANN: 1, BEN: 2}, {DORA: 1, ANN: 2, BEN: 3})
    assert sums_and_places(running(seats, rounds, RULES)) == {ANN: (3, 1, ""), BEN: (5, 3, ""), DORA: (4, 2, "")}


def test_leaving_and_coming_back() -> None:
    """Cem sat out round 2, played by two: 1 + 3 + 1 = 5."""
    seats = (Seat(ANN, 0), Seat(BEN, 1), Seat(CEM, 2, 1, 1), Seat(CEM, 2, 3))
    rounds = played({CEM: 1, ANN: 2, BEN: 3}, {ANN: 1, BEN: 2}, {CEM: 1, ANN: 2, BEN: 3})
    results = running(seats, rounds, RULES)
    assert results[2] == PlayerResult(CEM, 5, 2, 1, 1, "")
    assert len(results) == 3


def test_who_played_no_round_has_no_place() -> None:
    rounds = played({ANN: 1, BEN: 2})
    assert sums_and_places(running(THREE, rounds, RULES)) == {
        ANN: (1, 1, ""),
        BEN: (2, 2, ""),
        CEM: (0, None, "not_played"),
    }


# Substitutes

# Zoe takes over Ann's seat from round 3 of 4.
SUBSTITUTED = (Seat(ANN, 0, 1, 2), Seat(ZOE, 0, 3), Seat(BEN, 1))
SUBSTITUTED_ROUNDS = ({ANN: 1, BEN: 2}, {ANN: 1, BEN: 2}, {ZOE: 1, BEN: 2}, {ZOE: 2, BEN: 1})


def test_substitute_apart() -> None:
    """Ann 1 + 1 and twice 3, Zoe twice 3 and 1 + 2: 8 and 9. Ben 2 + 2 + 2 + 1 = 7."""
    assert running(SUBSTITUTED, played(*SUBSTITUTED_ROUNDS), RULES) == (
        PlayerResult(ANN, 8, 2, 2, 2, ""),
        PlayerResult(ZOE, 9, 2, 2, 3, ""),
        PlayerResult(BEN, 7, 4, 0, 1, ""),
    )


def test_substitute_apart_where_missed_rounds_exclude() -> None:
    rules = EveningRules(missing_round="exclude")
    assert sums_and_places(running(SUBSTITUTED, played(*SUBSTITUTED_ROUNDS), rules)) == {
        ANN: (2, None, "missed_rounds"),
        ZOE: (3, None, "missed_rounds"),
        BEN: (7, 1, ""),
    }


@pytest.mark.parametrize(
    "rules", [EveningRules(substitution="seat"), EveningRules(substitution="seat", missing_round="exclude")]
)
def test_seat_counts_for_who_first_sat_in_it(rules: EveningRules) -> None:
    """The seat has 1 + 1 + 1 + 2 = 5, all for Ann; Zoe's own 1 + 2 is shown without a place."""
    assert running(SUBSTITUTED, played(*SUBSTITUTED_ROUNDS), rules) == (
        PlayerResult(ANN, 5, 4, 0, 1, ""),
        PlayerResult(ZOE, 3, 2, 2, None, "substitute"),
        PlayerResult(BEN, 7, 4, 0, 2, ""),
    )


def test_first_sitter_is_known_by_rounds_not_by_order() -> None:
    seats = (Seat(ZOE, 0, 3), Seat(ANN, 0, 1, 2), Seat(BEN, 1))
    results = running(seats, played(*SUBSTITUTED_ROUNDS), EveningRules(substitution="seat"))
    assert sums_and_places(results)[ANN] == (5, 1, "")


def test_rounds_nobody_of_the_seat_played_are_missed() -> None:
    """Between Ann and Zoe the seat stood empty in round 2, played by two: 1 + 3 + 2 = 6."""
    seats = (Seat(ANN, 0, 1, 1), Seat(ZOE, 0, 3), Seat(BEN, 1), Seat(CEM, 2))
    rounds = played({ANN: 1, BEN: 2, CEM: 3}, {BEN: 1, CEM: 2}, {BEN: 1, ZOE: 2, CEM: 3})
    results = running(seats, rounds, EveningRules(substitution="seat"))
    assert results[0] == PlayerResult(ANN, 6, 2, 1, 2, "")


# Cooperative rounds


def test_who_played_only_cooperative_rounds_has_no_place_for_that_reason() -> None:
    """docs/architecture.md: a cooperative outcome has no places; whoever sat there did play."""
    rounds = [PlayedRound(number, "the-game", {}) for number in (1, 2)]
    assert running(THREE, rounds, RULES) == tuple(PlayerResult(one, 0, 2, 0, None, "no_places") for one in (1, 2, 3))


def test_a_cooperative_round_is_played_by_those_who_sat_there() -> None:
    seats = (Seat(ANN, 0), Seat(BEN, 1, 1, 1), Seat(CEM, 2, 3))
    rounds = [PlayedRound(number, "the-game", {}) for number in (1, 2)]
    assert [(one.rounds_played, one.reason) for one in running(seats, rounds, RULES)] == [
        (2, "no_places"),
        (1, "no_places"),
        (0, "not_played"),
    ]


def test_cooperative_round_has_no_places_and_is_missed_by_nobody() -> None:
    rounds = [*played({ANN: 1, BEN: 2, CEM: 3}), PlayedRound(2, "the-game", {})]
    assert sums_and_places(running(THREE, rounds, EveningRules(missing_round="exclude"))) == {
        ANN: (1, 1, ""),
        BEN: (2, 2, ""),
        CEM: (3, 3, ""),
    }


def test_cooperative_session_does_not_count() -> None:
    score = score_session(THREE, [PlayedRound(1, "the-game", {})], planned=1, rules=RULES)
    assert (score.counts, score.reason) == (False, "no_places")
    assert all(result.place is None for result in score.results)


# Whether a session counts

ONE_ROUND = {ANN: 1, BEN: 2, CEM: 3}


@pytest.mark.parametrize(
    ("rules", "rounds", "planned", "expected"),
    [
        (EveningRules(), 6, 6, (True, "")),
        (EveningRules(), 4, 6, (True, "")),
        (EveningRules(incomplete="skip"), 5, 6, (False, "incomplete")),
        (EveningRules(incomplete="skip"), 6, 6, (True, "")),
        (EveningRules(minimum_rounds=4), 3, 6, (False, "below_minimum_rounds")),
        (EveningRules(minimum_rounds=4), 4, 6, (True, "")),
        (EveningRules(minimum_rounds=4), 1, 1, (True, "")),
        (EveningRules(), 0, 6, (False, "no_places")),
    ],
)
def test_incomplete_sessions(rules: EveningRules, rounds: int, planned: int, expected: tuple[bool, str]) -> None:
    score = score_session(THREE, played(*[ONE_ROUND] * rounds), planned=planned, rules=rules)
    assert (score.counts, score.reason) == expected


def test_results_stand_even_if_the_session_does_not_count() -> None:
    score = score_session(THREE, played(ONE_ROUND), planned=6, rules=EveningRules(incomplete="skip"))
    assert [result.place for result in score.results] == [1, 2, 3]


# Seats that can't be


def seat_errors(seats: tuple[Seat, ...], *rounds: dict[int, int]) -> tuple[Problem, ...]:
    with pytest.raises(ScoringError) as caught:
        running(seats, played(*rounds), RULES)
    return caught.value.problems


def test_two_players_on_one_seat() -> None:
    assert seat_errors((Seat(ANN, 0, 1, 3), Seat(BEN, 1), Seat(ZOE, 0, 3))) == (
        Problem("seat_taken", "seats", 2, {"seat": 0, "round": 3}),
    )


def test_player_on_two_seats() -> None:
    assert seat_errors((Seat(ANN, 0, 1, 3), Seat(ANN, 1, 4))) == (Problem("seat_changed", "seats", 1, {"seat": 0}),)


def test_rounds_the_wrong_way_round() -> None:
    assert seat_errors((Seat(ANN, 0, 4, 3), Seat(BEN, 1))) == (
        Problem("seat_rounds_reversed", "seats", 0, {"from_round": 4, "until_round": 3}),
    )


def test_place_for_somebody_not_at_the_table() -> None:
    seats = (Seat(ANN, 0), Seat(BEN, 1, until_round=1))
    assert seat_errors(seats, {ANN: 1, BEN: 2}, {ANN: 1, BEN: 2, ZOE: 3}) == (
        Problem("not_seated", "rounds", 1, {"player": BEN, "round": 2}),
        Problem("not_seated", "rounds", 1, {"player": ZOE, "round": 2}),
    )
