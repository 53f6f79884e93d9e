"""The scores of one round (docs/rules/xxl.md, "Logged results from physical games")."""

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catalog import GAMES
from league.scoring.problems import Problem, ScoringError
from league.scoring.rounds import Entry, RoundScore, score_round


def by_points(key: str, *points: int | None, note: str = "") -> RoundScore:
    return score_round(GAMES[key], [Entry(points=value) for value in points], note=note)


def by_places(key: str, *given: int | None, note: str = "") -> RoundScore:
    return score_round(GAMES[key], [Entry(place=place) for place in given], note=note)


def errors(key: str, *entries: Entry, note: str = "") -> tuple[Problem, ...]:
    with pytest.raises(ScoringError) as caught:
        score_round(GAMES[key], entries, note=note)
    return caught.value.problems


def point_errors(key: str, *points: int, note: str = "") -> tuple[Problem, ...]:
    return errors(key, *[Entry(points=value) for value in points], note=note)


# Points and places


def test_places_follow_from_points() -> None:
    assert by_points("xxl-6", 150, 110, 110, 90) == RoundScore((1, 2, 2, 4), ())
    assert by_points("xxl-1", 14, 0, 14, 31) == RoundScore((2, 1, 2, 4), ())


def test_places_alone() -> None:
    assert by_places("xxl-3", 2, 1, 2, 4) == RoundScore((2, 1, 2, 4), ())


def test_places_alone_must_be_a_ranking() -> None:
    """1 2 2 3: a fourth place was expected."""
    given = [Entry(place=place) for place in (1, 2, 2, 3)]
    assert errors("xxl-3", *given) == (Problem("place_expected", "place", 3, {"expected": 4, "given": 3}),)


def test_both_when_they_agree() -> None:
    entries = [Entry(10, 2), Entry(0, 1), Entry(25, 3)]
    assert score_round(GAMES["xxl-1"], entries) == RoundScore((2, 1, 3), ())


def test_both_when_they_disagree() -> None:
    """Low wins in game 1, so 25 is third."""
    assert errors("xxl-1", Entry(10, 2), Entry(0, 1), Entry(25, 2)) == (
        Problem("place_disagrees", "place", 2, {"expected": 3, "given": 2}),
    )


def test_points_for_all_and_a_place_for_some() -> None:
    assert score_round(GAMES["xxl-1"], [Entry(10), Entry(0, 1)]).places == (2, 1)
    assert [problem.index for problem in errors("xxl-1", Entry(10), Entry(0, 2))] == [1]


def test_points_missing_for_some() -> None:
    """With one player's points known, places cannot stand in for the others' points."""
    assert errors("xxl-1", Entry(points=0), Entry(place=2), Entry()) == (
        Problem("points_or_places", "points", 1, {}),
        Problem("points_or_places", "points", 2, {}),
    )


def test_place_missing_for_some() -> None:
    assert errors("xxl-1", Entry(place=1), Entry()) == (Problem("points_or_places", "place", 1, {}),)


def test_nothing_given() -> None:
    assert errors("xxl-1", Entry(), Entry()) == (
        Problem("points_or_places", "points", 0, {}),
        Problem("points_or_places", "points", 1, {}),
    )


# The table


@pytest.mark.parametrize(
    ("key", "count", "minimum", "maximum"), [("xxl-6", 1, 2, 6), ("xxl-6", 7, 2, 6), ("und-tschuess", 1, 3, 6)]
)
def test_number_of_players(key: str, count: int, minimum: int, maximum: int) -> None:
    given = [Entry(points=5)] * count
    assert errors(key, *given) == (
        Problem("players_out_of_range", "scores", None, {"minimum": minimum, "maximum": maximum, "count": count}),
    )


@pytest.mark.parametrize("key", list(GAMES))
def test_nobody_played(key: str) -> None:
    assert [problem.code for problem in errors(key)] == ["players_out_of_range"]


def test_note_of_another_game() -> None:
    assert point_errors("xxl-1", 0, 5, note="early_end") == (
        Problem("note_not_allowed", "note", None, {"allowed": "draw_pile_ran_out"}),
    )
    assert point_errors("xxl-4", 0, 7, note="early_end") == (
        Problem("note_not_allowed", "note", None, {"allowed": ""}),
    )


def test_all_errors_at_once() -> None:
    entries = [Entry(-1, 2), Entry(600, 2)]
    assert [(problem.code, problem.index) for problem in errors("xxl-1", *entries, note="early_end")] == [
        ("note_not_allowed", None),
        ("points_below", 0),
        ("points_together_above", None),
        ("place_disagrees", 0),
    ]


# Hard bounds


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if game.family == "xxl"])
def test_xxl_hard_bounds(key: str) -> None:
    assert point_errors(key, -1, 5) == (Problem("points_below", "points", 0, {"minimum": 0}),)
    assert point_errors(key, 300, 251) == (
        Problem("points_together_above", "scores", None, {"maximum": 550, "total": 551}),
    )
    by_points(key, 300, 250)


def test_the_game_hard_bounds() -> None:
    assert point_errors("the-game", 99) == (Problem("points_above", "points", 0, {"maximum": 98}),)
    assert point_errors("the-game", -1) == (Problem("points_below", "points", 0, {"minimum": 0}),)


# Plausible bounds


def warnings(key: str, *points: int, note: str = "") -> list[tuple[str, int | None, dict[str, int | str]]]:
    found = by_points(key, *points, note=note).warnings
    return [(problem.code, problem.index, dict(problem.params)) for problem in found]


@pytest.mark.parametrize("key", ["xxl-1", "xxl-2"])
def test_games_1_and_2_at_zero(key: str) -> None:
    assert warnings(key, 0, 8, 8) == []
    assert warnings(key, 3, 8, 8) == [("nobody_at_zero", None, {})]
    assert warnings(key, 3, 8, 8, note="draw_pile_ran_out") == []
    assert warnings(key, 0, 8, 8, note="draw_pile_ran_out") == []
    assert warnings(key, 0, 0, 8) == [("several_at_zero", None, {"count": 2})]
    assert warnings(key, 0, 0, 8, note="draw_pile_ran_out") == [("several_at_zero", None, {"count": 2})]


@pytest.mark.parametrize("key", ["xxl-1", "xxl-2"])
def test_games_1_and_2_shared_first_by_places(key: str) -> None:
    assert by_places(key, 1, 1, 3).warnings == (Problem("shared_first", "place", None, {}),)
    assert by_places(key, 1, 1, 3, note="draw_pile_ran_out").warnings == ()
    assert by_places(key, 1, 2, 2).warnings == ()


@pytest.mark.parametrize("key", ["xxl-3", "xxl-4", "xxl-5", "xxl-6", "xxl-6-plus", "und-tschuess"])
def test_shared_first_by_places_elsewhere(key: str) -> None:
    assert by_places(key, 1, 1, 3).warnings == ()


def test_game_5_at_zero() -> None:
    assert warnings("xxl-5", 0, 8, 8) == []
    assert warnings("xxl-5", 4, 8, 8) == []
    assert warnings("xxl-5", 0, 0, 0) == [("several_at_zero", None, {"count": 3})]


def test_game_3_together() -> None:
    """Four players: 32 cards at most, 227 to 413 together; all of them after an early end."""
    assert warnings("xxl-3", 0, 1, 0, 0) == []
    assert warnings("xxl-3", 213, 100, 100, 0) == []
    assert warnings("xxl-3", 0, 0, 0, 0) == [("together_implausible", None, {"minimum": 1, "maximum": 413, "total": 0})]
    assert warnings("xxl-3", 214, 100, 100, 0) == [
        ("together_implausible", None, {"minimum": 1, "maximum": 413, "total": 414})
    ]
    assert warnings("xxl-3", 227, 0, 0, 0, note="early_end") == []
    assert warnings("xxl-3", 226, 0, 0, 0, note="early_end") == [
        ("together_implausible", None, {"minimum": 227, "maximum": 413, "total": 226})
    ]


def test_game_4_cheapest_straight() -> None:
    assert warnings("xxl-4", 0, 6, 51) == []
    assert warnings("xxl-4", 0, 5, 1) == [("below_cheapest", 1, {"minimum": 6}), ("below_cheapest", 2, {"minimum": 6})]


@pytest.mark.parametrize("key", ["xxl-6", "xxl-6-plus"])
def test_game_6_together(key: str) -> None:
    """Five players: 45 cards, 388 to 512 together."""
    assert warnings(key, 388, 0, 0, 0, 0) == []
    assert warnings(key, 512, 0, 0, 0, 0) == []
    assert warnings(key, 387, 0, 0, 0, 0) == [
        ("together_implausible", None, {"minimum": 388, "maximum": 512, "total": 387})
    ]
    assert warnings(key, 513, 0, 0, 0, 0) == [
        ("together_implausible", None, {"minimum": 388, "maximum": 512, "total": 513})
    ]


def test_und_tschuess() -> None:
    """docs/rules/und-tschuess.md, "Logged results": with 4 players up to 104 each and 288 together."""
    assert warnings("und-tschuess", 104, -105, 104, 104) == []
    assert warnings("und-tschuess", 105, 0, 0, 0) == [("points_high", 0, {"maximum": 104})]
    assert warnings("und-tschuess", 0, -106, 50, 0) == [("points_low", 1, {"minimum": -105})]
    assert warnings("und-tschuess", 100, 100, 88, 0) == []
    assert warnings("und-tschuess", 100, 100, 89, 0) == [
        ("together_implausible", None, {"minimum": -105, "maximum": 288, "total": 289})
    ]


def test_und_tschuess_places() -> None:
    assert by_points("und-tschuess", -5, 30, 30).places == (3, 1, 1)


# The Game


def test_the_game_has_one_result_and_no_places() -> None:
    """docs/rules/the-game.md, "Result"."""
    assert by_points("the-game", 7, 7, 7) == RoundScore((None, None, None), ())
    assert by_points("the-game", 94) == RoundScore((None,), ())
    assert point_errors("the-game", 7, 8) == (Problem("cooperative_points_differ", "scores", None, {}),)


def test_the_game_too_many_cards_left() -> None:
    """Four cards are always played, so 95 left is one warning for the table."""
    assert by_points("the-game", 95, 95).warnings == (Problem("too_many_left", "points", None, {"maximum": 94}),)


def test_the_game_asks_for_points() -> None:
    assert errors("the-game", Entry(place=1), Entry(7)) == (
        Problem("place_not_allowed", "place", 0, {}),
        Problem("points_or_places", "points", 0, {}),
    )


# Any round


@given(st.sampled_from([key for key, game in GAMES.items() if not game.cooperative]), st.data())
def test_places_count_the_better_ones(key: str, data: st.DataObject) -> None:
    points = data.draw(st.lists(st.integers(0, 90), min_size=3, max_size=6))
    better = operator.gt if GAMES[key].high_wins else operator.lt
    naive = tuple(1 + sum(better(other, own) for other in points) for own in points)
    score = by_points(key, *points)
    assert score.places == naive
    # What the points give is accepted again as places beside them, and alone.
    both = [Entry(own, place) for own, place in zip(points, naive, strict=True)]
    assert score_round(GAMES[key], both) == score
    assert by_places(key, *naive).places == naive
