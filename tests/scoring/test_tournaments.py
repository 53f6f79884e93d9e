"""Tournament points of a table, with sheets worked by hand.

Equal places share the points of the places they cover, as in the Racing Rules of Sailing 2025-2028, A7; its example is
that of Sail Scoring (reckonings.sailscoring.ie, "Equal finish positions").
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.scoring.tournaments import (
    Meeting,
    Scoring,
    Worth,
    bye_score,
    check_scoring,
    forfeit_scores,
    scored,
    table_scores,
    worth,
)

HALF = Fraction(1, 2)
RESULT = Scoring()
FOOTBALL = Scoring(win=Fraction(3), draw=Fraction(1))
PLACES = Scoring(basis="places")
POINTS = Scoring(basis="place_points", place_points=(5, 3, 1, 0))
PLACE_SUM = Scoring(basis="place_sum", bye=Fraction(2), forfeit_win=Fraction(1), forfeit_loss=Fraction(2))


def points(scoring: Scoring, *places: int) -> tuple[Any, ...]:
    """The tournament points of players with these places, in their order."""
    return tuple(table_scores(scoring, dict(enumerate(places))).values())


@pytest.mark.parametrize(
    ("scoring", "places", "sheet"),
    [
        # Win, draw and loss.
        (RESULT, (2, 1), (0, 1)),
        (RESULT, (1, 1), (HALF, HALF)),
        (FOOTBALL, (1, 2), (3, 0)),
        (FOOTBALL, (1, 1), (1, 1)),
        # At a table of more, from the win down to the loss in equal steps: 3, 2, 1, 0.
        (FOOTBALL, (1, 2, 3, 4), (3, 2, 1, 0)),
        (Scoring(loss=Fraction(-1), draw=Fraction(0)), (1, 2, 3), (1, 0, -1)),
        # (players - place) / (players - 1).
        (PLACES, (1, 2), (1, 0)),
        (PLACES, (3, 1, 2), (0, 1, HALF)),
        (PLACES, (1, 2, 3, 4), (1, Fraction(2, 3), Fraction(1, 3), 0)),
        (PLACES, (1, 2, 3, 4, 5, 6), (1, Fraction(4, 5), Fraction(3, 5), Fraction(2, 5), Fraction(1, 5), 0)),
        # Equals share: (2/3 + 1/3) / 2, all of them (1 + 1/2 + 0) / 3.
        (PLACES, (1, 2, 2, 4), (1, HALF, HALF, 0)),
        (PLACES, (1, 1, 1), (HALF, HALF, HALF)),
        # A list for four: of three, the second is halfway along, between 3 and 1; of two, the ends.
        (POINTS, (1, 2, 3, 4), (5, 3, 1, 0)),
        (POINTS, (1, 2, 3), (5, 2, 0)),
        (POINTS, (2, 1), (0, 5)),
        # Of five at 5 3 1 0: 3/4 along each time: 5, 5 - 2 x 3/4 = 3.5, 2, 1 - 1/4 = 0.75, 0.
        (POINTS, (1, 2, 3, 4, 5), (5, Fraction(7, 2), 2, Fraction(3, 4), 0)),
        (POINTS, (1, 1, 3, 4), (4, 4, 1, 0)),
        # The published example in points for places: the second and third share, (3 + 2) / 2; the fourth has its own.
        (
            Scoring(basis="place_points", place_points=(4, 3, 2, 1)),
            (1, 2, 2, 4),
            (4, Fraction(5, 2), Fraction(5, 2), 1),
        ),
        # The place itself is not shared out.
        (PLACE_SUM, (1, 2, 2, 4), (1, 2, 2, 4)),
    ],
)
def test_points_of_a_table(scoring: Scoring, places: tuple[int, ...], sheet: tuple[Any, ...]) -> None:
    assert points(scoring, *places) == sheet


def test_points_of_the_games_and_cards_left() -> None:
    for basis in ("game_points", "cards_left"):
        scoring = Scoring(basis=basis)
        assert table_scores(scoring, {1: 1, 2: 2}, {1: -3, 2: 12}) == {1: -3, 2: 12}


@pytest.mark.parametrize(
    ("scoring", "high"),
    [
        (RESULT, True),
        (PLACES, True),
        (POINTS, True),
        (PLACE_SUM, False),
        (Scoring(basis="game_points"), True),
        (Scoring(basis="game_points", low_game_points=True), False),
        (Scoring(basis="cards_left"), False),
        # The points of the games are a tie-break only: by result, the highest score leads.
        (Scoring(low_game_points=True), True),
    ],
)
def test_who_leads(scoring: Scoring, high: bool) -> None:
    assert scoring.high_is_best is high


@pytest.mark.parametrize(
    ("scoring", "sheet"),
    [
        (FOOTBALL, Worth(Fraction(3), Fraction(1), Fraction(0))),
        (PLACES, Worth(Fraction(1), HALF, Fraction(0))),
        (POINTS, Worth(Fraction(5), Fraction(5, 2), Fraction(0))),
        (PLACE_SUM, Worth(Fraction(1), Fraction(2), Fraction(2))),
    ],
)
def test_what_a_win_a_draw_and_a_loss_are_worth(scoring: Scoring, sheet: Worth) -> None:
    assert worth(scoring) == sheet


def test_byes_and_forfeits_are_wins_and_losses_unless_the_tournament_says_otherwise() -> None:
    assert (bye_score(FOOTBALL), *forfeit_scores(FOOTBALL)) == (Fraction(3), Fraction(3), Fraction(0))
    own = Scoring(bye=HALF, forfeit_win=Fraction(3, 4), forfeit_loss=Fraction(-1))
    assert (bye_score(own), *forfeit_scores(own)) == (HALF, Fraction(3, 4), Fraction(-1))
    # Nothing is something that can be said, too.
    assert bye_score(Scoring(bye=Fraction(0))) == 0


def test_meetings() -> None:
    assert scored(RESULT, 2, (4, 7), places={4: 2, 7: 1}) == Meeting(2, (4, 7), "played", {4: 2, 7: 1}, {4: 0, 7: 1})
    assert scored(RESULT, 2, (4,), "bye", requested=True) == Meeting(2, (4,), "bye", {}, {4: 1}, {}, True)
    assert scored(POINTS, 1, (4, 7, 5), "forfeit").scores == {4: 5, 7: 0, 5: 0}
    assert scored(POINTS, 1, (4, 7), "double_forfeit").scores == {4: 0, 7: 0}


def test_nothing_came_of_it_yet() -> None:
    assert scored(RESULT, 1, (1, 2)).scores == {}
    assert scored(RESULT, 1, (1, 2, 3), places={1: 1, 2: 2}).scores == {}
    # Places do not stand for the points of the games.
    assert scored(Scoring(basis="cards_left"), 1, (1, 2), places={1: 1, 2: 1}).scores == {}
    assert scored(Scoring(basis="cards_left"), 1, (1, 2), game_points={1: 4, 2: 4}).scores == {1: 4, 2: 4}


@pytest.mark.parametrize(
    ("scoring", "noted", "sheet"),
    [
        # No more than a forfeit that is lost, and than the last of the table.
        (Scoring(basis="game_points"), {1: 30, 2: 10}, {1: 30, 2: 10, 3: 0}),
        (Scoring(basis="game_points"), {1: 30, 2: -5}, {1: 30, 2: -5, 3: -5}),
        (
            Scoring(basis="game_points", low_game_points=True, forfeit_loss=Fraction(100)),
            {1: 3},
            {1: 3, 2: 100, 3: 100},
        ),
        (Scoring(basis="game_points", low_game_points=True, forfeit_loss=Fraction(2)), {1: 3}, {1: 3, 2: 3, 3: 3}),
        # What is left of the cards is the table's.
        (Scoring(basis="cards_left", forfeit_loss=Fraction(98)), {1: 4, 2: 4}, {1: 4, 2: 4, 3: 4}),
    ],
)
def test_who_has_no_points_of_a_table_takes_nothing_from_the_others(
    scoring: Scoring, noted: dict[int, int], sheet: dict[int, int]
) -> None:
    assert scored(scoring, 1, (1, 2, 3), game_points=noted).scores == sheet


@pytest.mark.parametrize(
    ("scoring", "flaws"),
    [
        (RESULT, []),
        (Scoring(draw=Fraction(0)), []),
        (Scoring(draw=Fraction(1)), [("order_of_points", "win")]),
        (Scoring(loss=Fraction(2, 3)), [("order_of_points", "win")]),
        (PLACES, []),
        (POINTS, []),
        (Scoring(basis="place_points", place_points=(3, 3, 1)), []),
        (Scoring(basis="place_points"), [("no_place_points", "place_points")]),
        (Scoring(basis="place_points", place_points=(4,)), [("no_place_points", "place_points")]),
        (Scoring(basis="place_points", place_points=(1, 2, 0)), [("rising_place_points", "place_points")]),
        (Scoring(basis="place_points", place_points=(1, 1)), [("equal_place_points", "place_points")]),
        (PLACE_SUM, []),
        (
            Scoring(basis="game_points", forfeit_win=Fraction(30)),
            [("worth_needed", "bye"), ("worth_needed", "forfeit_loss")],
        ),
    ],
)
def test_what_is_wrong_with_a_scoring(scoring: Scoring, flaws: list[tuple[str, str]]) -> None:
    assert [(flaw.code, flaw.field) for flaw in check_scoring(scoring)] == flaws


def test_equal_scorings_are_one_key() -> None:
    """They stand for the same points; others do not, though what they are found by is the same."""
    assert hash(Scoring()) == hash(Scoring(win=Fraction(1)))
    assert points(FOOTBALL, 1, 2) != points(RESULT, 1, 2)
    assert {Scoring(): 1, FOOTBALL: 2}[Scoring()] == 1


# --- Anything ---------------------------------------------------------------------------------------------------------

SCORES = st.lists(st.integers(0, 3), min_size=2, max_size=6)


def ranked(scores: list[int]) -> Mapping[int, int]:
    return {player: 1 + sum(other > own for other in scores) for player, own in enumerate(scores)}


@given(SCORES, st.sampled_from([RESULT, PLACES, POINTS, Scoring(win=Fraction(4), draw=Fraction(2))]))
def test_tables_of_one_size_give_the_same_total(scores: list[int], scoring: Scoring) -> None:
    given_out = table_scores(scoring, ranked(scores))
    untied = table_scores(scoring, {player: player + 1 for player in range(len(scores))})
    assert sum(given_out.values()) == sum(untied.values())
    if scoring is not POINTS:
        # The same mean at tables of all sizes.
        assert sum(given_out.values()) == len(scores) * worth(scoring).draw


@given(SCORES, st.sampled_from([RESULT, FOOTBALL, PLACES, POINTS]))
def test_a_better_place_is_never_worth_less(scores: list[int], scoring: Scoring) -> None:
    places = ranked(scores)
    given_out = table_scores(scoring, places)
    best, _middle, last = worth(scoring)
    for one, place in places.items():
        assert last <= given_out[one] <= best
        for other, its in places.items():
            assert (place == its) <= (given_out[one] == given_out[other])
            assert (place < its) <= (given_out[one] >= given_out[other])


@given(st.integers(2, 6), st.sampled_from([RESULT, FOOTBALL, PLACES, POINTS]))
def test_ends_are_the_same_at_all_sizes(size: int, scoring: Scoring) -> None:
    given_out = points(scoring, *range(1, size + 1))
    assert (given_out[0], given_out[-1]) == (worth(scoring).win, worth(scoring).loss)
