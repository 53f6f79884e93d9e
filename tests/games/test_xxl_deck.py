"""The deck of the XXL games, dealing it, and guessing at hidden hands."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import UnreadableMove
from games.rules.xxl_deck import (
    COLOURS,
    COLOURS_OF,
    DECK,
    HIGH_COLOUR,
    SHOWING,
    STRENGTH,
    TOTALS,
    WORDS,
    Card,
    DeckError,
    as_set,
    cards_in,
    clockwise,
    colour_names,
    deal_hands,
    deal_unseen,
    hand_points,
    most_points,
    read_deck,
    read_word,
)

HEADER = "low,low_colour,high,high_colour"


def test_facts_of_the_deck() -> None:
    """docs/rules/xxl.md, "The deck": 55 cards, each pair once, total 550, balanced colours."""
    assert len(DECK) == 55
    assert sorted((card.low, card.high) for card in DECK) == list(combinations(range(11), 2))
    assert sum(card.total for card in DECK) == 550
    halves = [half for card in DECK for half in ((card.low_colour, card.low), (card.high_colour, card.high))]
    assert set(Counter(halves).values()) <= {2, 3}
    assert len(Counter(halves)) == 44
    assert set(Counter(colour for colour, _ in halves).values()) <= {27, 28}
    pairs = Counter(frozenset((card.low_colour, card.high_colour)) for card in DECK)
    assert len(pairs) == 6
    assert set(pairs.values()) <= {9, 10}


@pytest.mark.parametrize(
    "word",
    [
        "red0/yellow7",
        "blue4/yellow7",
        "yellow6/red7",
        "green0/red6",
        "green1/red2",
        "green2/blue5",
        "red7/green9",
        "green3/blue4",
    ],
)
def test_the_deck_has_the_cards_of_the_examples(word: str) -> None:
    """docs/rules/xxl.md, "The deck": every card named in the examples of games 1, 2 and 6."""
    assert word in WORDS


@pytest.mark.parametrize(
    ("colour", "others", "worth"), [("red", {2: 7, 3: 5, 4: 1}, 22), ("yellow", {2: 3, 3: 8, 4: 9}, 29)]
)
def test_the_deck_has_the_straights_of_the_example(colour: str, others: dict[int, int], worth: int) -> None:
    """docs/rules/xxl.md, "Game 4": red 2-3-4 with 7, 5, 1 is 22; yellow 2-3-4 with 3, 8, 9 is 29."""
    straight = [
        card
        for card in DECK
        for number, other in others.items()
        if {card.low, card.high} == {number, other}
        and colour == (card.low_colour if card.low == number else card.high_colour)
    ]
    assert len(straight) == 3
    assert sum(card.total for card in straight) == worth


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["a,b,c,d"], "The first row of a deck names the columns low, low_colour, high, high_colour"),
        ([HEADER, "0,red,1"], "Row 2: a card has exactly 4 values"),
        ([HEADER, "0,red,1,blue,2"], "Row 2: a card has exactly 4 values"),
        ([HEADER, "0,red,11,blue"], "Row 2: high is a whole number from 0 to 10, not '11'"),
        ([HEADER, "0,red,1,blue", "x,red,2,blue"], "Row 3: low is a whole number from 0 to 10, not 'x'"),
        ([HEADER, "0,pink,1,blue"], "Row 2: low_colour is one of red, yellow, green, blue, not 'pink'"),
        ([HEADER, "2,red,1,blue"], "Row 2: low is below high, not 2 and 1"),
        ([HEADER, "0,red,1,red"], "Row 2: low_colour and high_colour differ, not both red"),
        ([HEADER, "0,red,1,blue"], "each of the 55 pairs of numbers from 0 to 10 exactly once"),
    ],
)
def test_what_is_no_deck_is_refused_with_its_row(rows: list[str], words: str) -> None:
    with pytest.raises(DeckError, match=words):
        read_deck("\n".join(rows))


def test_a_club_can_bring_another_assignment_of_colours() -> None:
    rows = [f"{low},red,{high},blue" for low, high in combinations(range(11), 2)]
    deck = read_deck("\n".join([HEADER, *rows]))
    assert deck[0] == Card(0, "red", 1, "blue")
    assert len(deck) == 55


def test_a_card_is_read_with_its_halves_in_either_order() -> None:
    card = read_word("green1/red2")
    assert DECK[card] == Card(1, "green", 2, "red")
    assert read_word("red2/green1") == card
    assert read_word(" Red 2 / Green 1 ") == card
    assert [read_word(word) for word in WORDS] == list(range(55))


@pytest.mark.parametrize("word", ["", "green1", "green1/red3", "green1/red2/blue3", "1/2", "x" * 5000])
def test_other_words_are_no_cards(word: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        read_word(word)
    assert "written as its two halves, as in green1/red2" in str(caught.value)
    assert len(str(caught.value)) < 200


def test_colours_of_cards() -> None:
    card = read_word("green9/red7")
    assert colour_names(COLOURS_OF[card]) == ["red", "green"]
    assert colour_names(HIGH_COLOUR[card]) == ["green"]
    assert SHOWING[0] == 0
    assert cards_in(SHOWING[15]) == tuple(range(55))
    red = SHOWING[1 << COLOURS.index("red")]
    assert cards_in(red) == tuple(i for i, word in enumerate(WORDS) if "red" in word)


def test_strength_goes_by_number_then_total() -> None:
    """docs/rules/xxl.md, "Game 6": the highest number in the colour, equal numbers the higher total."""
    green = STRENGTH[1 << COLOURS.index("green")]
    rising = ["green0/red6", "green0/yellow9", "green1/red2", "green1/red9", "yellow6/green9", "red7/green9"]
    strengths = [green[read_word(word)] for word in ["blue9/yellow10", *rising]]
    assert strengths == sorted(set(strengths))
    for row in STRENGTH.values():
        showing = [strength for strength in row if strength >= 0]
        assert len(set(showing)) == len(showing)


def test_clockwise_starts_at_the_dealers_left() -> None:
    assert clockwise(4, 3) == (0, 1, 2, 3)
    assert clockwise(4, 1) == (2, 3, 0, 1)


def test_dealing_goes_one_card_at_a_time_from_the_dealers_left() -> None:
    """docs/rules/xxl.md, "The deck", ruling on dealing: seat 2 is first when seat 1 deals."""
    pile = [40, 3, 17, 22, 9, 50, 1, 2]
    hands = deal_hands(pile, seats=3, size=2, dealer=1)
    assert [set(cards_in(hand)) for hand in hands] == [{3, 9}, {17, 50}, {40, 22}]


@pytest.mark.parametrize(
    ("points", "dealer", "begins"),
    [
        ((50, 60, 40), 2, 1),
        ((60, 60, 40), 2, 0),
        ((60, 60, 40), 0, 1),
        ((60, 60, 60), 1, 2),
        ((40, 60, 60), 1, 2),
    ],
)
def test_the_player_with_the_most_points_begins(points: tuple[int, ...], dealer: int, begins: int) -> None:
    """docs/rules/xxl.md, "The deck": most hand points; equal, the first from the dealer's left."""
    assert most_points(points, dealer) == begins


def test_hand_points_are_the_totals() -> None:
    assert hand_points(as_set(map(read_word, ["green1/red2", "green2/blue5"]))) == 3 + 7
    assert hand_points(as_set(range(55))) == sum(TOTALS) == 550


@st.composite
def spreads(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """A true spread over owners, and cards barred that the owner does not have."""
    cards = draw(st.lists(st.integers(0, 54), unique=True, max_size=40))
    owners = draw(st.integers(1, 6))
    hands = [0] * owners
    for card in cards:
        hands[draw(st.integers(0, owners - 1))] |= 1 << card
    barred = [draw(st.integers(0, 2**55 - 1)) & ~hand for hand in hands]
    return hands, barred


@given(spreads(), st.integers(0, 999))
def test_unseen_cards_are_always_spread_when_a_spread_exists(spread: tuple[list[int], list[int]], seed: int) -> None:
    hands, barred = spread
    unseen = sum(hands)
    drawn = deal_unseen(unseen, [hand.bit_count() for hand in hands], barred, Random(seed))
    assert [hand.bit_count() for hand in drawn] == [hand.bit_count() for hand in hands]
    assert sum(drawn) == unseen
    assert all(not hand & bar for hand, bar in zip(drawn, barred, strict=True))


def test_unseen_cards_that_nobody_may_have() -> None:
    with pytest.raises(ValueError, match="too many are barred"):
        deal_unseen(0b11, [1, 1], [0b01, 0b01], Random(0))


def test_every_possible_spread_comes_up() -> None:
    rng = Random(4)
    free = Counter(tuple(deal_unseen(0b111, [1, 1, 1], [0, 0, 0], rng)) for _ in range(6000))
    assert len(free) == 6
    assert all(850 < count < 1150 for count in free.values())
    # The first owner can't have card 0: it is with the second or the third, the others in any order.
    barred = Counter(tuple(deal_unseen(0b111, [1, 1, 1], [0b001, 0, 0], rng)) for _ in range(1000))
    assert len(barred) == 4
