"""Options of games in words: each has a name, choices that the game takes, and a refusal that says what is allowed."""

import json

import pytest
from django.utils import translation

from games.catalog import GAMES
from games.core import AnyGame, BadSetup, Json, Option
from league.services import option_words
from league.services.wording import game_title

pytestmark = pytest.mark.one_database

ENGINES = [info.engine for info in GAMES.values() if info.engine is not None]
OPTIONS = [(engine, option) for engine in ENGINES for option in engine.options]
each_option = pytest.mark.parametrize(
    ("engine", "option"), OPTIONS, ids=[f"{engine.key} {option.key}" for engine, option in OPTIONS]
)


@each_option
def test_every_option_has_words(engine: AnyGame, option: Option) -> None:
    assert option.key in option_words.LABELS
    for seats in engine.seats:
        words = option_words.value_words(option.key, option.default(seats))
        assert words
        # None that is a word of programs.
        assert "_" not in words


@each_option
def test_choices_are_what_the_game_says_itself(engine: AnyGame, option: Option) -> None:
    """Its own refusal, in English, lists them; the largest hand is where the deck ends."""
    for seats in engine.seats:
        found = option_words.choices(engine.key, option.key, seats)
        if option.key == option_words.DECK:
            assert found == ()
            continue
        assert option.default(seats) in found
        with pytest.raises(BadSetup) as caught:
            engine.read_options(seats, {option.key: [None]})
        if "one of " in str(caught.value):
            listed = str(caught.value).partition("one of ")[2].partition(", not ")[0].split(", ")
            assert {json.dumps(value) for value in found} == set(listed)
        else:
            most = {3: 34, 4: 25, 5: 20, 6: 16}  # 104 cards without seats - 1, by seats (docs/rules/und-tschuess.md)
            assert found == tuple(range(seats - 1, most[seats] + 1))


@pytest.mark.parametrize(
    ("game", "seats", "options", "path", "told"),
    [
        ("the-game", 3, {"minimum": 9}, ("options", "minimum"), "Wähle eins von: 2, 3."),
        ("the-game", 3, {"short_hand": 1}, ("options", "short_hand"), "Wähle eins von: false, true."),
        ("the-game", 2, {"start": 2}, ("options", "start"), "Wähle eins von: 0, 1, choose."),
        ("und-tschuess", 4, {"hand_size": 26}, ("options", "hand_size"), "3 bis 25"),
        # 20 cards for four: three in the middle, 17 / 4 = 4.
        ("und-tschuess", 4, {"hand_size": 5, "deck": [1] * 20}, ("options", "hand_size"), "3, 4"),
        ("und-tschuess", 4, {"deck": [1]}, ("options", "deck"), "default"),
        ("xxl-1", 2, {"dealer": 2}, ("options", "dealer"), "0, 1"),
        ("xxl-1", 2, {"deck": ["red 1"]}, ("options", "deck"), "default"),
        ("xxl-6", 4, {"minimum": 3}, ("options", "minimum"), "(dealer)"),
    ],
)
def test_what_is_wrong_is_told_in_the_language_spoken(
    game: str, seats: int, options: dict[str, Json], path: tuple[str, ...], told: str
) -> None:
    with translation.override("de"):
        (problem,) = option_words.problems([GAMES[game]], seats, options)
        choose = translation.gettext("Choose one of: %(choices)s.") % {"choices": "X"}
    assert (problem.path, problem.code) == (path, "option_not_allowed")
    assert told.replace("Wähle eins von: ", choose.partition("X")[0]).rstrip(".") in problem.message
    assert "must be" not in problem.message


@pytest.mark.parametrize(
    ("game", "options", "told"),
    [
        # Cards of a deck are for programs.
        ("xxl-6-plus", {"minimum": 3}, "XXL 6+ has no such option. It has: dealer, who declares trumps."),
        ("the-game", {"short_hand": 1}, "Choose one of: no, yes."),
        ("the-game", {"start": 3}, "Choose one of: seat 1, seat 2, seat 3, the players choose."),
        ("und-tschuess", {"hand_size": 10**20}, "Give a whole number from 2 to 34."),
    ],
)
def test_people_are_told_what_they_can_choose_in_words(game: str, options: dict[str, Json], told: str) -> None:
    title = str(game_title(GAMES[game]))
    (problem,) = option_words.problems([GAMES[game]], 3, options, for_people=True)
    assert problem.message == told.replace("XXL 6+", title)


def test_the_usual_hand_of_und_tschuess_is_as_the_form_says() -> None:
    engine = option_words.engine_of("und-tschuess")
    (hand,) = [option for option in engine.options if option.key == "hand_size"]
    assert [hand.default(seats) for seats in engine.seats] == [seats + 3 for seats in engine.seats]
