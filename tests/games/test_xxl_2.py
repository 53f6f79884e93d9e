"""XXL game 2, "Immer schön drunter bleiben": every rule and example of its page (turns: test_xxl_shedding.py)."""

import pytest

from games.core import Outcome
from games.rules.xxl_2 import GAME
from games.rules.xxl_deck import DECK
from tests.games.cards import halves
from tests.games.shedding import Sitting


def all_that_go(top: str) -> set[str]:
    """The cards of the whole deck that may be laid on a top card."""
    sitting = Sitting(GAME, " ".join(DECK.words), "green0/red6", rest=top)
    return sitting.may()


def having(*some: tuple[str, int]) -> set[str]:
    """All cards with one of these halves."""
    return {card for card in DECK.words if set(some) & set(halves(card).items())}


def test_a_half_that_shows_0_offers_nothing() -> None:
    """docs/rules/xxl.md, "Game 2", example 1: on red 6/green 0 any card with a red 0 to 5; no green."""
    assert Sitting(GAME, "green1/red2", "red4/green8", rest="green0/red6").takes() == [{"red0-5"}]
    assert all_that_go("green0/red6") == having(*(("red", number) for number in range(6)))
    assert "yellow0/green4" not in all_that_go("green0/red6")


def test_any_lower_number_of_either_colour_goes() -> None:
    """docs/rules/xxl.md, "Game 2", example 2: on green 1/red 2 green 0, red 1, red 0."""
    assert Sitting(GAME, "red0/yellow1", "red4/green8", rest="green1/red2").takes() == [{"green0", "red0-1"}]
    assert all_that_go("green1/red2") == having(("green", 0), ("red", 1), ("red", 0))


def test_only_the_top_card_counts() -> None:
    """docs/rules/xxl.md, "Game 2": on green 0/red 6 comes green 1/red 2; red 4, which went before, does not now."""
    sitting = Sitting(GAME, "green1/red2 yellow1/red4", "yellow1/red4 red0/yellow3", rest="green0/red6")
    assert sitting.may() == {"green1/red2", "yellow1/red4"}
    sitting.play("green1/red2")
    assert sitting.may() == {"red0/yellow3"}


def test_the_move_is_the_card_alone() -> None:
    """docs/rules/xxl.md, "Game 2": green 2/blue 5 goes on green 3/blue 6 by both halves, and is one move."""
    sitting = Sitting(GAME, "green2/blue5 blue8/yellow9", "red4/green8", rest="green3/blue6 red1/blue7")
    assert [GAME.describe(move) for move in GAME.legal(sitting.state, 0)] == ["green2/blue5"]


@pytest.mark.parametrize("top", DECK.words)
def test_what_goes_on_every_card(top: str) -> None:
    """docs/rules/xxl.md, "Game 2": the colour of a half of the top card and a lower number."""
    lower = {(colour, number) for colour, top_number in halves(top).items() for number in range(top_number)}
    if having(*lower):
        assert all_that_go(top) == having(*lower)


def test_nothing_at_all_may_fit() -> None:
    """docs/rules/xxl.md, "Game 2": ruling, when nothing fits at all players draw and pass as usual.

    On red 0/yellow 1 goes a yellow 0 only; the three of the deck are gone.
    """
    sitting = Sitting(GAME, "red0/yellow3", "blue0/yellow2", rest="red0/yellow1 green1/red2 yellow1/red4")
    assert sitting.may() == {"draw"}
    sitting.play("draw")
    assert sitting.may() == {"draw"}


def test_a_hand_worked_game() -> None:
    """docs/rules/xxl.md, "Game 2": a game of three, worked by hand; seat 2 has the most points and begins.

    Top blue 3/red 9: takes blue 0 to 2, red 0 to 8.
    1. Seat 2 (6 + 8, 9 + 10) lays green 6/red 8: takes green 0 to 5, red 0 to 7.
    2. Seat 0 (1 + 2, 2 + 8) lays green 1/red 2: takes green 0, red 0, red 1.
    3. Seat 1 (4 + 8, 0 + 2) has none of these, draws yellow 1/red 4, which does not go either.
    4. Seat 2 draws red 1/blue 7 and lays it: takes red 0, blue 0 to 6.
    5. Seat 0 lays blue 2/yellow 8, its last card. Seat 1 has 12 + 2 + 5 = 19, seat 2 19: the second place is shared.
    """
    sitting = Sitting(
        GAME,
        "green1/red2 blue2/yellow8",
        "red4/green8 blue0/yellow2",
        "green6/red8 blue9/yellow10",
        rest="blue3/red9 yellow1/red4 red1/blue7 red5/blue9",
        first=2,
    )
    assert GAME.first_seat(sitting.state.hands, 2) == 2
    assert sitting.takes() == [{"blue0-2", "red0-8"}]
    assert sitting.may() == {"green6/red8"}
    sitting.play("green6/red8")
    assert sitting.takes() == [{"green0-5", "red0-7"}]
    assert sitting.may() == {"green1/red2"}
    sitting.play("green1/red2")
    assert sitting.may() == {"draw"}
    sitting.play("draw", "draw")
    assert sitting.may() == {"red1/blue7", "keep"}
    sitting.play("red1/blue7")
    assert sitting.may() == {"blue2/yellow8"}
    sitting.play("blue2/yellow8")
    assert sitting.outcome() == Outcome((0, 19, 19), (1, 2, 2), "hand_empty")
