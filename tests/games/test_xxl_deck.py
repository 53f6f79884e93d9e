"""The deck of the XXL games and dealing it."""

from collections import Counter
from itertools import combinations

import pytest

from games.core import UnreadableMove
from games.rules.xxl_deck import (
    COLOURS,
    DECK,
    Card,
    DeckError,
    as_set,
    cards_in,
    clockwise,
    colour_names,
    deal_hands,
    most_points,
    read_deck,
    read_list,
)

HEADER = "low,low_colour,high,high_colour"


def test_facts_of_the_deck() -> None:
    """docs/rules/xxl.md, "The deck": 55 cards, each pair once, total 550, balanced colours."""
    assert len(DECK.cards) == 55
    assert sorted((card.low, card.high) for card in DECK.cards) == list(combinations(range(11), 2))
    assert sum(card.total for card in DECK.cards) == 550
    halves = [half for card in DECK.cards for half in ((card.low_colour, card.low), (card.high_colour, card.high))]
    assert set(Counter(halves).values()) <= {2, 3}
    assert len(Counter(halves)) == 44
    assert set(Counter(colour for colour, _ in halves).values()) <= {27, 28}
    pairs = Counter(frozenset((card.low_colour, card.high_colour)) for card in DECK.cards)
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
    assert word in DECK.words


@pytest.mark.parametrize(
    ("colour", "others", "worth"), [("red", {2: 7, 3: 5, 4: 1}, 22), ("yellow", {2: 3, 3: 8, 4: 9}, 29)]
)
def test_the_deck_has_the_straights_of_the_example(colour: str, others: dict[int, int], worth: int) -> None:
    """docs/rules/xxl.md, "Game 4": red 2-3-4 with 7, 5, 1 is 22; yellow 2-3-4 with 3, 8, 9 is 29."""
    straight = [
        card
        for card in DECK.cards
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


def test_a_deck_can_be_a_list_of_words() -> None:
    assert read_list(DECK.words) == DECK.cards
    with pytest.raises(DeckError, match="Card 1: a card is written like green1/red2, not 'green1'"):
        read_list(["green1"])
    with pytest.raises(DeckError, match="Card 2: low is below high, not 2 and 1"):
        read_list(["red0/blue1", "red2/blue1"])
    with pytest.raises(DeckError, match="Card 1: a card is written like green1/red2, not 7"):
        read_list([7])
    with pytest.raises(DeckError, match="exactly once; these 54 cards do not"):
        read_list(DECK.words[1:])


def test_a_card_is_read_with_its_halves_in_either_order() -> None:
    card = DECK.read_word("green1/red2")
    assert DECK.cards[card] == Card(1, "green", 2, "red")
    assert DECK.read_word("red2/green1") == card
    assert DECK.read_word(" Red 2 / Green 1 ") == card
    assert [DECK.read_word(word) for word in DECK.words] == list(range(55))


@pytest.mark.parametrize("word", ["", "green1", "green1/red3", "green1/red2/blue3", "1/2", "x" * 5000])
def test_other_words_are_no_cards(word: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        DECK.read_word(word)
    assert "written as its two halves, as in blue9/yellow10" in str(caught.value)
    assert len(str(caught.value)) < 200


def test_colours_of_cards() -> None:
    card = DECK.read_word("green9/red7")
    assert colour_names(DECK.colours_of[card]) == ["red", "green"]
    assert colour_names(DECK.high_colour[card]) == ["green"]
    assert DECK.showing[0] == 0
    assert cards_in(DECK.showing[15]) == tuple(range(55))
    red = DECK.showing[1 << COLOURS.index("red")]
    assert cards_in(red) == tuple(i for i, word in enumerate(DECK.words) if "red" in word)


def test_strength_goes_by_number_then_total() -> None:
    """docs/rules/xxl.md, "Game 6": the highest number in the colour, equal numbers the higher total."""
    green = DECK.strength[1 << COLOURS.index("green")]
    rising = ["green0/red6", "green0/yellow9", "green1/red2", "green1/red9", "yellow6/green9", "red7/green9"]
    strengths = [green[DECK.read_word(word)] for word in ["blue9/yellow10", *rising]]
    assert strengths == sorted(set(strengths))
    for row in DECK.strength:
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
    assert DECK.hand_points(as_set(map(DECK.read_word, ["green1/red2", "green2/blue5"]))) == 3 + 7
    assert DECK.hand_points(as_set(range(55))) == sum(DECK.totals) == 550
