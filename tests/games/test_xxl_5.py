"""XXL game 5, "Auf die Reihe bekommen": every rule and example of its page (turns: test_xxl_shedding.py)."""

import pytest

from games.core import IllegalMove, Outcome, UnreadableMove
from games.rules.xxl_5 import GAME
from games.rules.xxl_deck import DECK
from tests.games.cards import halves
from tests.games.shedding import Sitting

RED_DOWN_TO_7 = (
    "blue0/red10 by red",
    "green1/red9 by red",
    "yellow3/red8 by red",
    "yellow6/red7 by red",
)
"""Moves of four seats after which red 10, 9, 8, 7 lie."""

FOUR_HANDS = [f"{word.split()[0]} blue1/red3" for word in RED_DOWN_TO_7]


def having(*some: str) -> set[str]:
    """All ways to lay a card with one of these halves by it."""
    return {
        f"{card} by {colour}"
        for card in DECK.words
        for colour, number in halves(card).items()
        if f"{colour}{number}" in some
    }


def everything(sitting: Sitting) -> set[str]:
    """What could be laid by whoever had the whole deck."""
    sitting.state.hands[sitting.turn()] = DECK.all_cards
    return sitting.may()


def test_a_10_opens_the_run_of_its_colour() -> None:
    """docs/rules/xxl.md, "Game 5": a 10 opens a run that is not open; nothing else fits at the start."""
    sitting = Sitting(GAME, "blue0/red10 green1/red9", "green0/red6")
    assert sitting.takes() == [{"red10"}, {"yellow10"}, {"green10"}, {"blue10"}]
    with pytest.raises(IllegalMove, match=r"^red9 does not go: the red run is not open: it begins with red10\.$"):
        sitting.play("green1/red9 by red")
    assert sitting.may() == {"blue0/red10 by red"}
    assert everything(sitting) == having("red10", "yellow10", "green10", "blue10")


def test_the_next_lower_number_goes_on_an_open_run() -> None:
    """docs/rules/xxl.md, "Game 5", example: red 10, 9, 8, 7 lie: red 6 fits, and a 10 of the other colours.

    Red 10 does not, nor red 5.
    """
    sitting = Sitting(GAME, *FOUR_HANDS[:3], f"{FOUR_HANDS[3]} green4/red10", rest="green0/red6")
    sitting.play(*RED_DOWN_TO_7)
    assert sitting.takes() == [{"red6"}, {"yellow10"}, {"green10"}, {"blue10"}]
    sitting.state.hands[0] = DECK.read_words(["green0/red6", "blue1/green10", "green4/red10", "yellow0/red5"])
    assert sitting.may() == {"green0/red6 by red", "blue1/green10 by green"}
    for word, reason in [
        ("green4/red10 by red", "red10 does not go: the red run goes on with red6."),
        ("yellow0/red5 by red", "red5 does not go: the red run goes on with red6."),
        ("green4/red10 by green", "green4 does not go: the green run is not open: it begins with green10."),
    ]:
        with pytest.raises(IllegalMove) as caught:
            sitting.play(word)
        assert str(caught.value) == reason
    assert everything(sitting) == having("red6", "yellow10", "green10", "blue10")


def test_a_0_closes_the_run_and_a_10_may_open_it_anew() -> None:
    """docs/rules/xxl.md, "Game 5": a 0 closes the run; then a 10 of that colour may open it anew, and so on."""
    down = [
        "blue0/red10", "green1/red9", "yellow3/red8", "yellow6/red7", "green0/red6", "yellow0/red5", "yellow1/red4",
        "blue1/red3", "green1/red2", "red1/blue7", "red0/yellow1",
    ]  # fmt: skip
    hands = [" ".join([*down[seat::2], "green4/red10 yellow2/blue3" if seat else "blue3/red9"]) for seat in (0, 1)]
    sitting = Sitting(GAME, *hands, rest="green0/yellow9")
    for number, card in zip(range(10, -1, -1), down, strict=True):
        assert sitting.takes()[0] == {f"red{number}"}
        sitting.play(f"{card} by red")
    assert sitting.takes()[0] == {"red10"}
    assert GAME.view(sitting.state, None)["piles"][0] == {"name": "red run", "top": None, "takes": ["red10"]}
    sitting.play("green4/red10 by red")
    assert GAME.view(sitting.state, None)["piles"][0] == {"name": "red run", "top": "red10", "takes": ["red9"]}
    sitting.play("blue3/red9 by red")
    assert sitting.takes()[0] == {"red8"}


def test_the_other_half_of_a_laid_card_plays_no_part() -> None:
    """docs/rules/xxl.md, "Game 5": blue 9/yellow 10 opens the yellow run, and blue 9 stays open to come."""
    sitting = Sitting(GAME, "green7/blue10 blue1/red3", "blue9/yellow10 blue1/red3", rest="green0/yellow9")
    sitting.play("green7/blue10 by blue", "blue9/yellow10 by yellow")
    assert sitting.takes() == [{"red10"}, {"yellow9"}, {"green10"}, {"blue9"}]


def test_a_card_whose_two_halves_go_is_laid_by_one_of_them() -> None:
    """docs/rules/xxl.md, "Game 5": a card is laid by one half; with the blue run at 10, both of blue 9/yellow 10 go."""
    sitting = Sitting(GAME, "green7/blue10 blue1/red3", "blue9/yellow10 blue1/red3", rest="green0/yellow9")
    sitting.play("green7/blue10 by blue")
    assert sitting.may() == {"blue9/yellow10 by blue", "blue9/yellow10 by yellow"}
    sitting.play("blue9/yellow10 by blue")
    assert sitting.takes() == [{"red10"}, {"yellow10"}, {"green10"}, {"blue8"}]


@pytest.mark.parametrize("word", ["red5/blue9", "red5/blue9 by green", "red5/blue9 on pile 1 by red", "red5"])
def test_a_lay_is_written_with_its_half(word: str) -> None:
    with pytest.raises(UnreadableMove, match=r"a lay like red5/blue9 by red\.$"):
        GAME.parse(word)


def test_a_hand_worked_game() -> None:
    """docs/rules/xxl.md, "Game 5": a game of two, worked by hand; it ends by the draw pile, as most do.

    1. Seat 0 (6 + 10, 0 + 9) opens the blue run with red 6/blue 10.
    2. Seat 1 (5 + 9, 2 + 8) lays red 5/blue 9 by blue: blue 8 is next.
    3. Seat 0 draws green 4/red 10 and opens the red run with it: red 9 is next.
    4. Seat 1 draws blue 3/red 9, the last card, and keeps it: the game goes on.
    5. Seat 0 passes. Seat 1 must lay blue 3/red 9 by red: red 8 is next.
    6. Nobody has red 8, blue 8, a yellow or a green 10: seat 0 has 9, seat 1 has 10.
    """
    sitting = Sitting(GAME, "red6/blue10 green0/yellow9", "red5/blue9 blue2/yellow8", rest="green4/red10 blue3/red9")
    assert GAME.first_seat(sitting.state.hands, 1) == 0
    assert sitting.may() == {"red6/blue10 by blue"}
    sitting.play("red6/blue10 by blue")
    assert sitting.may() == {"red5/blue9 by blue"}
    sitting.play("red5/blue9 by blue")
    assert sitting.may() == {"draw"}
    sitting.play("draw")
    assert sitting.may() == {"green4/red10 by red", "keep"}
    sitting.play("green4/red10 by red", "draw")
    assert sitting.may() == {"blue3/red9 by red", "keep"}
    sitting.play("keep")
    assert sitting.may() == {"pass"}
    sitting.play("pass")
    assert sitting.may() == {"blue3/red9 by red"}
    sitting.play("blue3/red9 by red")
    assert sitting.outcome() == Outcome((9, 10), (1, 2), "draw_pile_ran_out")
