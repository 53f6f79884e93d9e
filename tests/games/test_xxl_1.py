"""XXL game 1, "Rauf & Runter": every rule and example of its page (turns and end: test_xxl_shedding.py)."""

import pytest

from games.core import IllegalMove, Outcome, UnreadableMove
from games.rules.xxl_1 import GAME
from games.rules.xxl_deck import DECK
from tests.games.cards import halves
from tests.games.shedding import Sitting

OTHER_START = "blue9/yellow10"
"""A start card for the pile that does not matter."""


def start(card: str, hand: str = "green0/red6", other: str = "green0/red6", beside: str = OTHER_START) -> Sitting:
    """A position of two with this start card on pile 1."""
    return Sitting(GAME, hand, other, rest=f"{card} {beside} red4/green8")


def having(*some: str) -> set[str]:
    """All cards with one of these halves, each with its colour, as they are laid on pile 1."""
    return {
        f"{card} on pile 1 by {colour}"
        for card in DECK.words
        for colour, number in halves(card).items()
        if f"{colour}{number}" in some
    }


def on_pile_1(sitting: Sitting) -> set[str]:
    """All lays of all other cards on pile 1, whoever has them."""
    sitting.state.hands[sitting.turn()] = DECK.all_cards
    return {word for word in sitting.may() if "pile 1" in word}


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("dealer", [0, 1])
def test_the_player_left_of_the_dealer_begins(seats: int, dealer: int) -> None:
    """docs/rules/xxl.md, "Game 1": the player left of the dealer, whatever the hands are worth."""
    for seed in range(20):
        assert GAME.to_move(GAME.deal(seats, seed, {"dealer": dealer})) == ((dealer + 1) % seats,)


# The table of examples.


def test_a_start_card_has_two_free_halves() -> None:
    """docs/rules/xxl.md, "Game 1", example 1: yellow 7/red 0 takes yellow 6, yellow 8, red 1; not red 0, yellow 7."""
    sitting = start("red0/yellow7")
    assert sitting.takes()[0] == {"yellow6", "yellow8", "red1"}
    assert on_pile_1(sitting) == having("yellow6", "yellow8", "red1")


def test_a_start_card_gives_four_possibilities() -> None:
    """docs/rules/xxl.md, "Game 1", example 2: blue 4/yellow 7 takes blue 3, blue 5, yellow 6, yellow 8; not blue 6."""
    sitting = start("blue4/yellow7", "red2/blue6")
    assert sitting.takes()[0] == {"blue3", "blue5", "yellow6", "yellow8"}
    with pytest.raises(IllegalMove, match=r"^blue6 does not fit on pile 1, which takes blue3 or blue5 or yellow6 or y"):
        sitting.play("red2/blue6 on pile 1 by blue")
    assert on_pile_1(sitting) == having("blue3", "blue5", "yellow6", "yellow8")


def test_the_half_that_matched_goes_on_in_its_direction() -> None:
    """docs/rules/xxl.md, "Game 1", example 3: yellow 6/red 7 by yellow 6 on yellow 7: yellow 5, red 6, red 8.

    Not yellow 7; and the red 1 that the covered red 0/yellow 7 offered is gone.
    """
    sitting = start("red0/yellow7", "yellow6/red7 blue4/yellow7", "yellow0/red5")
    sitting.play("yellow6/red7 on pile 1 by yellow")
    assert sitting.takes()[0] == {"yellow5", "red6", "red8"}
    assert on_pile_1(sitting) == having("yellow5", "red6", "red8")
    with pytest.raises(IllegalMove, match=r"^yellow7 does not fit on pile 1, which takes yellow5 or red6 or red8\.$"):
        sitting.play("blue4/yellow7 on pile 1 by yellow")


def test_a_sequence_that_has_come_down_to_0_is_not_continued() -> None:
    """docs/rules/xxl.md, "Game 1", example 4: laid by its red 0 on red 1, only by its other half; not red 1."""
    sitting = start("red1/blue7", "red0/yellow3 red1/green8")
    sitting.play("red0/yellow3 on pile 1 by red")
    assert sitting.takes()[0] == {"yellow2", "yellow4"}
    assert on_pile_1(sitting) == having("yellow2", "yellow4")


def test_a_sequence_that_has_come_up_to_10_is_not_continued() -> None:
    """docs/rules/xxl.md, "Game 1": reached 10 upwards, only the other half goes on."""
    sitting = start("green1/red9", "green4/red10 green0/red6")
    sitting.play("green4/red10 on pile 1 by red")
    assert sitting.takes()[0] == {"green3", "green5"}


# Rules besides the examples.


def test_a_sequence_goes_up_as_well() -> None:
    """docs/rules/xxl.md, "Game 1": fixed up, only the next higher number fits."""
    sitting = start("red1/blue7", "green1/red2 green0/red6", "red3/yellow5 green0/red6")
    sitting.play("green1/red2 on pile 1 by red")
    assert sitting.takes()[0] == {"red3", "green0", "green2"}
    sitting.play("red3/yellow5 on pile 1 by red")
    assert sitting.takes()[0] == {"red4", "yellow4", "yellow6"}


def test_a_new_sequence_is_free_of_the_direction_of_the_old_one() -> None:
    """docs/rules/xxl.md, "Game 1": after a lay by the free half, that half is fixed and the other one is free.

    Down by yellow, then up by red: the red half is fixed, the new card's blue half free.
    """
    sitting = start("red0/yellow7", "yellow6/red7 green0/red6", "yellow3/red8 green0/red6")
    sitting.play("yellow6/red7 on pile 1 by yellow", "yellow3/red8 on pile 1 by red")
    assert sitting.takes()[0] == {"red9", "yellow2", "yellow4"}


def test_a_free_10_and_a_free_0_have_one_neighbour() -> None:
    """docs/rules/xxl.md, "Game 1": from a free 10 only 9 fits, from a free 0 only 1."""
    assert start("blue0/red10").takes()[0] == {"blue1", "red9"}
    # Laid by its yellow 9, the card has a free green 0.
    sitting = start("blue9/yellow10", "green0/yellow9 green0/red6")
    sitting.play("green0/yellow9 on pile 1 by yellow")
    assert sitting.takes()[0] == {"yellow8", "green1"}


def test_a_card_whose_two_halves_fit_is_laid_by_one_of_them() -> None:
    """docs/rules/xxl.md, "Game 1": a move is (card, pile, half), chosen by the player.

    Green 2/blue 5 on green 3/blue 4: down by green 2 or up by blue 5.
    """
    ways = {"green2/blue5 on pile 1 by green", "green2/blue5 on pile 1 by blue"}
    sitting = start("green3/blue4", "green2/blue5 green0/red6")
    assert sitting.may() == ways
    sitting.play("green2/blue5 on pile 1 by green")
    assert sitting.takes()[0] == {"green1", "blue4", "blue6"}
    sitting = start("green3/blue4", "green2/blue5 green0/red6")
    sitting.play("green2/blue5 on pile 1 by blue")
    assert sitting.takes()[0] == {"blue6", "green1", "green3"}


def test_a_card_that_fits_on_both_piles_is_laid_on_one_of_them() -> None:
    """docs/rules/xxl.md, "Game 1": a move is (card, pile, half); the other pile stays as it is."""
    sitting = start("yellow3/blue7", "red2/blue6 green0/red6", beside="blue8/yellow9")
    assert sitting.may() == {"red2/blue6 on pile 1 by blue"}
    sitting = start("yellow3/blue7", "red2/blue6 green0/red6", beside="red1/blue7")
    assert sitting.may() == {
        "red2/blue6 on pile 1 by blue",
        "red2/blue6 on pile 2 by blue",
        "red2/blue6 on pile 2 by red",
    }
    sitting.play("red2/blue6 on pile 2 by red")
    assert sitting.takes() == [{"yellow2", "yellow4", "blue6", "blue8"}, {"red3", "blue5", "blue7"}]


def test_a_drawn_card_is_laid_by_any_way_that_fits() -> None:
    """docs/rules/xxl.md, "The deck": the drawn card may be laid at once, and nothing else."""
    sitting = Sitting(GAME, "green0/red6", "green0/red6", rest="green3/blue4 blue9/yellow10 green2/blue5")
    sitting.play("draw")
    assert sitting.may() == {"green2/blue5 on pile 1 by green", "green2/blue5 on pile 1 by blue", "keep"}


@pytest.mark.parametrize("word", ["red1/blue7", "red1/blue7 on pile 3 by red", "red1/blue7 on pile 2 by green"])
def test_a_lay_is_written_in_full(word: str) -> None:
    with pytest.raises(UnreadableMove, match=r"a lay like red1/blue7 on pile 2 by red\.$"):
        GAME.parse(word)


def test_a_hand_worked_game() -> None:
    """docs/rules/xxl.md, "Game 1": a game of two, worked by hand.

    Start cards blue 4/yellow 7 and green 1/red 9.
    1. Seat 0 has yellow 6/red 7 and blue 0/yellow 2, lays yellow 6 on yellow 7: pile 1 takes yellow 5, red 6, red 8.
    2. Seat 1 has red 4/green 8, blue 1/red 6 and blue 8/yellow 9, lays red 6 on red 7, downwards: red 5, blue 0,
       blue 2.
    3. Seat 0 must lay its last card by blue 0 on blue 1, and has won; seat 1 has 12 + 17 = 29.
    """
    sitting = Sitting(
        GAME,
        "yellow6/red7 blue0/yellow2",
        "red4/green8 blue1/red6 blue8/yellow9",
        rest="blue4/yellow7 green1/red9 red1/blue7",
    )
    assert sitting.takes() == [{"blue3", "blue5", "yellow6", "yellow8"}, {"green0", "green2", "red8", "red10"}]
    assert sitting.may() == {"yellow6/red7 on pile 1 by yellow"}
    sitting.play("yellow6/red7 on pile 1 by yellow")
    assert sitting.takes()[0] == {"yellow5", "red6", "red8"}
    assert sitting.may() == {"blue1/red6 on pile 1 by red"}
    sitting.play("blue1/red6 on pile 1 by red")
    assert sitting.takes()[0] == {"red5", "blue0", "blue2"}
    assert sitting.may() == {"blue0/yellow2 on pile 1 by blue"}
    sitting.play("blue0/yellow2 on pile 1 by blue")
    assert sitting.outcome() == Outcome((0, 29), (1, 2), "hand_empty")
