"""Which games a session's format allows (docs/rules/xxl.md, "Scoring a session")."""

from collections.abc import Sequence

import pytest

from games.catalog import GAMES
from league.scoring.problems import Problem
from league.scoring.sessions import plan_problems

ONCE = ["xxl-1", "xxl-2", "xxl-3", "xxl-4", "xxl-5", "xxl-6"]
IN_SUCCESSION = [game for game in ONCE for _ in range(2)]
UNUSUAL = Problem("unusual_order", "rounds", None, {})


def pure(games: Sequence[str], repeats: int = 1) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    return plan_problems("pure_xxl", games, repeats=repeats, planned=None, players=4)


def individual(
    games: Sequence[str], *, planned: int | None, players: int = 3
) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    return plan_problems("individual_xxl", games, repeats=1, planned=planned, players=players)


@pytest.mark.parametrize("length", range(7))
def test_pure_once(length: int) -> None:
    assert pure(ONCE[:length]) == ((), ())


@pytest.mark.parametrize("length", range(13))
def test_pure_twice_in_either_reading(length: int) -> None:
    assert pure((ONCE + ONCE)[:length], 2) == ((), ())
    assert pure(IN_SUCCESSION[:length], 2) == ((), ())


@pytest.mark.parametrize(
    ("games", "repeats"),
    [(["xxl-2"], 1), (["xxl-1", "xxl-3"], 1), (["xxl-1", "xxl-1", "xxl-3"], 2), ([*ONCE, "xxl-2"], 2)],
)
def test_pure_in_another_order(games: list[str], repeats: int) -> None:
    assert pure(games, repeats) == ((), (UNUSUAL,))


def test_pure_too_often() -> None:
    assert pure(["xxl-1", "xxl-1"]) == (
        (Problem("game_played_too_often", "game", 1, {"game": "xxl-1", "maximum": 1}),),
        (),
    )
    assert pure(["xxl-1", "xxl-1", "xxl-2", "xxl-1"], 2)[0] == (
        Problem("game_played_too_often", "game", 3, {"game": "xxl-1", "maximum": 2}),
    )


@pytest.mark.parametrize("game", ["xxl-6-plus", "the-game", "und-tschuess", "whist"])
def test_pure_is_games_1_to_6(game: str) -> None:
    """6+ stands only in Individual XXL ("Variant 6+")."""
    assert pure(["xxl-1", game])[0] == (Problem("game_not_in_format", "game", 1, {"game": game, "format": "pure_xxl"}),)


@pytest.mark.parametrize("repeats", [0, 3])
def test_pure_once_or_twice(repeats: int) -> None:
    assert pure(ONCE, repeats) == (
        (Problem("repeats_out_of_range", "repeats", None, {"minimum": 1, "maximum": 2}),),
        (),
    )


def test_individual_any_games_of_the_family_in_any_order() -> None:
    assert individual(["xxl-6", "xxl-1", "xxl-6", "xxl-1"], planned=4) == ((), ())


@pytest.mark.parametrize("game", ["the-game", "und-tschuess"])
def test_individual_is_the_family_alone(game: str) -> None:
    assert individual([game], planned=4)[0] == (
        Problem("game_not_in_format", "game", 0, {"game": game, "format": "individual_xxl"}),
    )


def test_individual_needs_an_agreed_number() -> None:
    assert individual(["xxl-1"], planned=None) == ((Problem("planned_required", "planned", None, {}),), ())


def test_individual_more_rounds_than_agreed() -> None:
    assert individual(["xxl-1"] * 4, planned=3) == ((Problem("too_many_rounds", "rounds", None, {"maximum": 3}),), ())


def test_individual_should_have_as_many_rounds_as_players() -> None:
    assert individual([], planned=3, players=3) == ((), ())
    assert individual([], planned=3, players=4) == ((), (Problem("too_few_rounds", "planned", None, {"minimum": 4}),))


@pytest.mark.parametrize(("declared", "equal"), [(0, True), (1, False), (2, False), (3, True), (4, False), (6, True)])
def test_individual_equal_declarations(declared: int, equal: bool) -> None:
    """Three players, six rounds: the hands of 6+ should be a multiple of three."""
    games = ["xxl-6-plus"] * declared + ["xxl-1"] * (6 - declared)
    expected = () if equal else (Problem("unequal_declarations", "rounds", None, {"players": 3}),)
    assert individual(games, planned=6) == ((), expected)


def test_individual_declarations_are_judged_at_the_end() -> None:
    assert individual(["xxl-6-plus"] * 4, planned=6) == ((), ())


@pytest.mark.parametrize("game", list(GAMES))
def test_single_game(game: str) -> None:
    assert plan_problems("single_game", [game], repeats=1, planned=None, players=4) == ((), ())


def test_single_game_is_one_round_of_a_known_game() -> None:
    assert plan_problems("single_game", ["xxl-1", "whist"], repeats=1, planned=None, players=4) == (
        (
            Problem("game_not_in_format", "game", 1, {"game": "whist", "format": "single_game"}),
            Problem("too_many_rounds", "rounds", None, {"maximum": 1}),
        ),
        (),
    )


@pytest.mark.parametrize("game", list(GAMES))
def test_series(game: str) -> None:
    for played in range(4):
        assert plan_problems("series", [game] * played, repeats=1, planned=3, players=4) == ((), ())


def test_series_is_of_its_first_game_and_agreed_beforehand() -> None:
    assert plan_problems("series", ["the-game", "xxl-1", "whist", "the-game"], repeats=1, planned=3, players=4) == (
        (
            Problem("game_not_in_format", "game", 2, {"game": "whist", "format": "series"}),
            Problem("another_game", "game", 1, {"game": "the-game"}),
            Problem("too_many_rounds", "rounds", None, {"maximum": 3}),
        ),
        (),
    )
    assert plan_problems("series", [], repeats=1, planned=None, players=4) == (
        (Problem("planned_required", "planned", None, {}),),
        (),
    )
