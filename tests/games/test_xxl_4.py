"""XXL game 4, "Straßenbau": every rule, ruling and example of its page."""

import json
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from itertools import combinations
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.core import IllegalMove, Outcome, OutOfTurn, Turn, UnreadableMove, event_source, shuffled
from games.rules.xxl_4 import GAME, StraightsState, Strassenbau, View
from games.rules.xxl_deck import COLOURS, DECK, Deck, as_set, cards_in
from tests.games.cards import halves, total
from tests.games.chance import assert_shares, assert_uniform
from tests.games.engines import after
from tests.games.random_play import OTHER_DECK

WORDS = DECK.words


class Table:
    """A game with a deck of just these cards: four a seat, the display, the draw pile with its top first.

    The last seat deals. ``first`` begins, or, if it is not given, who has the most points.
    """

    def __init__(self, *hands: str, display: str, pile: str = "", first: int | None = None) -> None:
        rounds = zip(*(hand.split() for hand in hands), strict=True)
        self.order = [word for dealt in rounds for word in dealt] + display.split() + pile.split()
        self.game = Strassenbau(Deck([card for card in DECK.cards if card.word in self.order]))
        self.seats = len(hands)
        cards = [self.game.parse(f"lay {word}") - self.game.first_lay for word in self.order]
        assert len(set(cards)) == len(self.game.deck.cards)
        self.state = self.game.position(cards, self.seats, self.seats - 1, first)
        self.moves: list[str] = []

    def play(self, *words: str) -> None:
        """Play the words in turn."""
        for word in words:
            (seat,) = self.game.to_move(self.state)
            self.game.apply(self.state, Turn(seat, self.game.parse(word)))
            self.moves.append(word)

    def may(self, kind: str) -> set[str]:
        """The words, without their kind, of all moves of this kind that the seat to move may make."""
        (seat,) = self.game.to_move(self.state)
        words = map(self.game.describe, self.game.legal(self.state, seat))
        return {word.removeprefix(f"{kind} ") for word in words if word.startswith(kind)}

    def view(self, seat: int | None = None) -> View:
        return self.game.view(self.state, seat)

    def hand(self, seat: int) -> set[str]:
        return set(self.view(seat)["hand"] or ())

    def display(self) -> set[str]:
        return set(self.view()["display"])

    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)


# The rules once more, with words and lists, as they stand on the page.


def is_straight(cards: tuple[str, ...]) -> bool:
    for colour in COLOURS:
        numbers = sorted(halves(card).get(colour, -1) for card in cards)
        if numbers[0] >= 0 and numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]:
            return True
    return False


def straights(hand: list[str], display: list[str]) -> set[frozenset[str]]:
    """By colour and number, three cards that bear it and the next two, not all of the display."""
    found = set()
    by_half: dict[tuple[str, int], list[str]] = {}
    for card in hand + display:
        for half in halves(card).items():
            by_half.setdefault(half, []).append(card)
    for (colour, number), lowest in by_half.items():
        for low in lowest:
            for middle in by_half.get((colour, number + 1), []):
                for high in by_half.get((colour, number + 2), []):
                    if {low, middle, high} & set(hand):
                        found.add(frozenset((low, middle, high)))
    return found


NaiveMove = tuple[str, frozenset[str], str]


def read(word: str) -> NaiveMove:
    """Kind, cards (of a straight, or the one hand card), the display card."""
    kind, *cards = word.replace(" for ", " ").split()
    if kind == "exchange":
        return kind, frozenset(cards[:1]), cards[1]
    return kind, frozenset(cards), ""


class Naive:
    """docs/rules/xxl.md, "Game 4", sentence by sentence. ``went`` tells whom each card left the pile for."""

    def __init__(self, order: list[str], seats: int, dealer: int) -> None:
        self.pile = list(order)
        self.went: list[int | None] = []
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        clockwise = [(dealer + 1 + i) % seats for i in range(seats)]
        for _ in range(4):
            for seat in clockwise:
                self.draw(seat)
        self.display: list[str] = []
        self.draw(None)
        self.draw(None)
        most = max(total(*hand) for hand in self.hands)
        self.turn = next(seat for seat in clockwise if total(*self.hands[seat]) == most)
        self.points = [0] * seats
        self.straight_laid = False
        self.without = 0  # turns in a row without a straight and without the draw pile
        self.with_empty_pile = 0  # turns in a row that began with an empty pile and laid no straight
        self.began_empty = not self.pile
        self.over = False

    def draw(self, seat: int | None) -> None:
        if self.pile:
            (self.display if seat is None else self.hands[seat]).append(self.pile.pop(0))
            self.went.append(seat)

    def legal(self) -> set[NaiveMove]:
        hand = self.hands[self.turn]
        moves: set[NaiveMove] = {("done", frozenset(), "")}
        if not self.straight_laid:
            moves |= {("straight", cards, "") for cards in straights(hand, self.display)}
        moves |= {("exchange", frozenset([card]), other) for card in hand for other in self.display}
        if self.pile:
            moves |= {("lay", frozenset([card]), "") for card in hand}
        return moves

    def play(self, move: NaiveMove) -> None:
        kind, cards, other = move
        hand = self.hands[self.turn]
        if kind == "straight":
            self.points[self.turn] += total(*cards)
            taken = [card for card in self.display if card in cards]
            self.display = [card for card in self.display if card not in cards]
            self.hands[self.turn] = [card for card in hand if card not in cards]
            while self.pile and len(self.hands[self.turn]) < 4:
                self.draw(self.turn)
            for _ in taken:
                self.draw(None)
            self.straight_laid = True
            return
        for card in cards:
            hand.remove(card)
            self.display.append(card)
        if kind == "exchange":
            self.display.remove(other)
            hand.append(other)
        drew = kind == "lay"
        if drew:
            self.draw(self.turn)
        self.finish(drew)

    def finish(self, drew: bool) -> None:
        players = len(self.hands)
        self.without = 0 if self.straight_laid or drew else self.without + 1
        if self.straight_laid or not self.began_empty:
            self.with_empty_pile = 0
        else:
            self.with_empty_pile += 1
        if self.without == players and self.pile:
            self.draw(None)
            self.without = 0
        if self.with_empty_pile == players:
            self.over = True
        if not self.pile and not any(straights(hand, self.display) for hand in self.hands):
            self.over = True
        self.turn = (self.turn + 1) % players
        self.straight_laid = False
        self.began_empty = not self.pile


def likely_move(legal: tuple[int, ...], game: Strassenbau, rng: Random) -> int:
    """A random move; now and then the first one, a straight if there is one, so that all of a game happens."""
    return legal[0] if rng.random() < 0.3 else rng.choice(legal)


def played(seed: int, seats: int, moves: int) -> StraightsState:
    """A position after so many likely moves, or at the end if that comes first."""
    state, rng = GAME.deal(seats, seed), Random(seed)
    while len(state.moves) < moves and GAME.to_move(state):
        GAME.advance(state, state.turn, likely_move(GAME.legal(state, state.turn), GAME, rng))
    return state


@settings(max_examples=30)
@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.booleans(), st.data())
def test_games_against_a_naive_reading_of_the_rules(seed: int, seats: int, other: bool, data: st.DataObject) -> None:
    """docs/rules/xxl.md, "Game 4": whole games against the rules retold with words instead of bits."""
    dealer = data.draw(st.integers(0, seats - 1))
    options = {"dealer": dealer, "deck": OTHER_DECK if other else "default"}
    game = GAME.with_options(options)
    state = game.deal(seats, seed, options)
    words = game.deck.words
    naive = Naive([words[card] for card in shuffled(range(55), event_source(seed, 0))], seats, dealer)
    rng = Random(seed)
    while to_move := game.to_move(state):
        assert not naive.over
        assert to_move == (naive.turn,)
        legal = game.legal(state, naive.turn)
        assert list(legal) == sorted(legal)
        assert Counter(read(game.describe(move)) for move in legal) == Counter(naive.legal())
        move = likely_move(legal, game, rng)
        game.advance(state, naive.turn, move)
        naive.play(read(game.describe(move)))
        assert [set(game.deck.words_of(hand)) for hand in state.hands] == list(map(set, naive.hands))
        assert set(game.deck.words_of(state.display)) == set(naive.display)
    assert naive.over
    outcome = game.outcome(state)
    assert outcome is not None
    assert list(outcome.scores) == naive.points


# Dealing and beginning.


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("dealer", [0, 1, None])
def test_the_deal(seats: int, dealer: int | None) -> None:
    """docs/rules/xxl.md, "Game 4" and "The deck" (ruling on dealing): 4 cards each, two in the display.

    The k-th card of the shuffled deck goes to the k-th seat from the dealer's left, round and round; the next
    two are turned up; the dealer is the last seat unless agreed otherwise.
    """
    state = GAME.deal(seats, 77, {} if dealer is None else {"dealer": dealer})
    pile = shuffled(range(55), event_source(77, 0))
    left_of_dealer = 0 if dealer is None else dealer + 1
    for k in range(seats):
        assert set(cards_in(state.hands[(left_of_dealer + k) % seats])) == set(pile[k : 4 * seats : seats])
    view = GAME.view(state, 0)
    assert view["hand_sizes"] == [4] * seats
    assert set(view["display"]) == {WORDS[card] for card in pile[4 * seats : 4 * seats + 2]}
    assert view["draw_pile"] == 55 - 4 * seats - 2
    assert view["dealer"] == (seats - 1 if dealer is None else dealer)


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.data())
def test_the_player_with_the_most_points_begins(seed: int, seats: int, data: st.DataObject) -> None:
    """docs/rules/xxl.md, "The deck": most hand points; equal, the first from the dealer's left."""
    dealer = data.draw(st.integers(0, seats - 1))
    state = GAME.deal(seats, seed, {"dealer": dealer})
    points = [total(*DECK.words_of(hand)) for hand in state.hands]
    best = [seat for seat in range(seats) if points[seat] == max(points)]
    first = min(best, key=lambda seat: (seat - dealer - 1) % seats)
    assert GAME.to_move(state) == (first,)
    assert GAME.view(state, None)["first"] == first


# Straights.


def test_the_values_of_straights() -> None:
    """docs/rules/xxl.md, "Game 4", example: red 2-3-4 with 7, 5, 1 is 22; yellow 2-3-4 with 3, 8, 9 is 29; 51."""
    table = Table(
        "red2/green7 red3/yellow5 yellow1/red4 green7/blue10",
        "blue1/green10 green3/blue10 blue4/green6 blue5/green8",
        display="yellow2/blue3 yellow3/red8",
        pile="yellow4/blue9 red0/yellow7 green0/red6 blue0/red10 red7/green9",
        first=0,
    )
    table.play("straight red2/green7 red3/yellow5 yellow1/red4")
    assert table.view()["points"] == [22, 0]
    table.play("done", "done")
    table.play("straight yellow2/blue3 yellow3/red8 yellow4/blue9")
    assert table.view()["points"] == [51, 0]


HAND = "red1/blue7 green1/red2 red3/yellow5 yellow8/green10"
OTHER_HAND = "blue8/yellow9 yellow6/green9 blue0/yellow2 blue5/yellow10"
PILE = "yellow3/blue7 green6/red8 red0/yellow7 blue1/green10 yellow4/blue9 green7/blue10"


def test_a_straight_takes_at_least_one_hand_card() -> None:
    """docs/rules/xxl.md, "Game 4": from at least one hand card and at most two display cards.

    Seat 0 holds red 1, 2 and 3, the display shows red 4, 5 and 6 after two more cards were added by passing.
    Red 1-2-3 is all of the hand, red 2-3-4 and 3-4-5 need the display; red 4-5-6 lies in the display alone.
    """
    table = Table(HAND, OTHER_HAND, display="red4/green8 red5/blue9", pile="red6/blue10 yellow0/green4", first=0)
    table.play("done", "done")
    assert table.display() == {"red4/green8", "red5/blue9", "red6/blue10"}
    assert table.may("straight") == {
        "green1/red2 red1/blue7 red3/yellow5",
        "green1/red2 red3/yellow5 red4/green8",
        "red3/yellow5 red4/green8 red5/blue9",
    }
    with pytest.raises(IllegalMove, match="A straight needs a card of your hand: these three lie in the display"):
        table.play("straight red4/green8 red5/blue9 red6/blue10")


def test_a_straight_uses_no_card_of_others() -> None:
    table = Table(HAND, OTHER_HAND, display="blue9/yellow10 red5/blue9", pile=PILE, first=0)
    with pytest.raises(IllegalMove, match="blue8/yellow9 is neither in your hand nor in the display"):
        table.play("straight yellow8/green10 blue8/yellow9 blue9/yellow10")


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ("green1/red2 red3/yellow5 yellow4/red5", "numbers that are not consecutive"),
        ("green1/red2 red3/yellow5 yellow4/blue9", "two of red, one of yellow"),
        ("blue3/red9 blue0/red10 red0/yellow1", "nothing comes after 10"),
        ("blue3/red9 blue0/red10 yellow0/green4", "nor does the next colour"),
        ("green1/red2 green1/red2 red3/yellow5", "the same card twice"),
        ("green1/red2 red2/green7 red3/yellow5", "the same number twice"),
    ],
)
def test_three_cards_that_are_no_straight(cards: str, why: str) -> None:
    """docs/rules/xxl.md, "Game 4": three cards with consecutive numbers of one colour."""
    with pytest.raises(UnreadableMove, match="are no straight: three cards with consecutive numbers of one colour"):
        GAME.parse(f"straight {cards}")
    assert not is_straight(tuple(cards.split())), why


@pytest.mark.parametrize("cards", ["red0/yellow1 red1/blue7 green1/red2", "yellow3/red8 blue3/red9 blue0/red10"])
def test_straights_reach_from_0_to_10(cards: str) -> None:
    assert GAME.describe(GAME.parse(f"straight {cards}")).startswith("straight")
    assert is_straight(tuple(cards.split()))


def test_all_straights_of_the_deck() -> None:
    """docs/rules/xxl.md, "Game 4": every three cards of the deck, looked at one by one."""
    expected = {frozenset(cards) for cards in combinations(WORDS, 3) if is_straight(cards)}
    numbered = [set(GAME.describe(move).split()[1:]) for move in range(GAME.first_exchange)]
    assert len(numbered) == len(expected)
    assert set(map(frozenset, numbered)) == expected


@given(st.sets(st.sampled_from(WORDS), max_size=30), st.sets(st.sampled_from(WORDS), max_size=4))
def test_possible_straights_against_a_plain_search(display: set[str], hand: set[str]) -> None:
    """docs/rules/xxl.md, "Game 4": a straight; the ways in which the engine looks for them agree."""
    own, shown = DECK.read_words(hand), DECK.read_words(display - hand)
    possible = GAME.straights.possible(own, shown)
    expected = straights(sorted(hand), sorted(display - hand))
    assert {frozenset(GAME.describe(move).split()[1:]) for move in possible} == expected
    assert len(possible) == len(expected)
    assert bool(GAME.straights.runs(own, shown)) == bool(expected)


def test_a_set_that_is_two_straights_counts_once() -> None:
    """docs/rules/xxl.md, "Game 4", ruling: a move is the set of the three cards; it counts once.

    Red 5-6-7 is blue 9-10-8 as well: 14 + 16 + 15.
    """
    table = Table(
        "red5/blue9 red6/blue10 yellow0/green4 green0/yellow9",
        OTHER_HAND,
        display="red7/blue8 yellow2/green10",
        first=0,
    )
    assert table.may("straight") == {"red5/blue9 red6/blue10 red7/blue8"}
    table.play("straight red5/blue9 red6/blue10 red7/blue8")
    assert table.view()["points"] == [45, 0]


# Refilling.


def test_the_hand_is_refilled_first_then_the_display() -> None:
    """docs/rules/xxl.md, "Game 4": refill the hand to 4, then the display with as many cards as were taken.

    Red 2 and 3 come from the hand, red 4 from the display: the next two cards go into the hand, the third
    into the display.
    """
    table = Table(HAND, OTHER_HAND, display="red4/green8 blue2/green4", pile=PILE, first=0)
    table.play("straight green1/red2 red3/yellow5 red4/green8")
    assert table.hand(0) == {"red1/blue7", "yellow8/green10", "yellow3/blue7", "green6/red8"}
    assert table.display() == {"blue2/green4", "red0/yellow7"}
    assert table.view()["draw_pile"] == 3
    assert table.view()["events"] == [
        {
            "seat": 0,
            "kind": "straight",
            "from_hand": ["green1/red2", "red3/yellow5"],
            "from_display": ["red4/green8"],
            "drew": 2,
            "shown": ["red0/yellow7"],
        }
    ]


def test_two_cards_of_the_display_are_replaced_by_two() -> None:
    table = Table(HAND, OTHER_HAND, display="red4/green8 red5/blue9", pile=PILE, first=0)
    table.play("straight red3/yellow5 red4/green8 red5/blue9")
    assert table.hand(0) == {"red1/blue7", "green1/red2", "yellow8/green10", "yellow3/blue7"}
    assert table.display() == {"green6/red8", "red0/yellow7"}


@pytest.mark.parametrize(
    ("pile", "drawn", "shown"),
    [
        ("", set(), set()),
        ("yellow3/blue7", {"yellow3/blue7"}, set()),
        ("yellow3/blue7 green6/red8", {"yellow3/blue7", "green6/red8"}, set()),
        ("yellow3/blue7 green6/red8 red0/yellow7", {"yellow3/blue7", "green6/red8"}, {"red0/yellow7"}),
    ],
)
def test_refilling_goes_as_far_as_the_draw_pile_lasts(pile: str, drawn: set[str], shown: set[str]) -> None:
    """docs/rules/xxl.md, "Game 4": each as far as the draw pile lasts; the hand comes first."""
    table = Table(HAND, OTHER_HAND, display="red4/green8 blue2/green4", pile=pile, first=0)
    table.play("straight green1/red2 red3/yellow5 red4/green8")
    assert table.hand(0) == {"red1/blue7", "yellow8/green10"} | drawn
    assert table.display() == {"blue2/green4"} | shown
    assert table.view()["draw_pile"] == 0


def test_a_hand_below_4_stays_so() -> None:
    """docs/rules/xxl.md, "Game 4", rulings: a hand below 4 stays so; one without cards passes.

    Seat 0 lays red 2-3-4 and red 6-7-8, each of two hand cards and one of the display; then its hand is empty.
    The game goes on, since seat 1 holds yellow 8-9-10.
    """
    table = Table(
        "green1/red2 red3/yellow5 red6/blue10 yellow6/red7",
        "blue8/yellow9 yellow8/green10 blue0/yellow2 blue5/yellow10",
        display="red4/green8 green6/red8",
        first=0,
    )
    table.play("straight green1/red2 red3/yellow5 red4/green8", "done")
    assert table.view()["hand_sizes"] == [2, 4]
    table.play("done")
    assert table.view()["hand_sizes"] == [2, 4]
    table.play("straight red6/blue10 yellow6/red7 green6/red8", "done")
    assert table.view()["hand_sizes"] == [0, 4]
    table.play("done")
    assert table.game.legal(table.state, 0) == (table.game.done,)


# Step 2.

SECOND_STRAIGHT = "green0/red6 red0/yellow7 yellow4/blue9 blue1/green10"


def test_a_turn_has_one_straight() -> None:
    """docs/rules/xxl.md, "Game 4": a turn has up to two steps; lay one straight.

    Seat 0 lays red 1-2-3 and draws red 6, with which it could lay red 4-5-6.
    """
    table = Table(HAND, OTHER_HAND, display="red4/green8 red5/blue9", pile=SECOND_STRAIGHT, first=0)
    table.play("straight red1/blue7 green1/red2 red3/yellow5")
    assert table.view()["step_two"]
    assert table.may("straight") == set()
    with pytest.raises(IllegalMove, match="You have laid a straight in this turn; a turn has only one"):
        table.play("straight red4/green8 red5/blue9 green0/red6")
    table.play("done", "done")
    assert table.may("straight") == {"green0/red6 red4/green8 red5/blue9"}


@pytest.mark.parametrize("word", ["exchange green0/red6 for red5/blue9", "lay yellow8/green10", "done"])
def test_the_second_step_ends_the_turn(word: str) -> None:
    """docs/rules/xxl.md, "Game 4": the straight, then an exchange or a lay; both steps are optional."""
    table = Table(HAND, OTHER_HAND, display="red4/green8 red5/blue9", pile=SECOND_STRAIGHT, first=0)
    table.play("straight red1/blue7 green1/red2 red3/yellow5")
    assert table.game.to_move(table.state) == (0,)
    table.play(word)
    assert table.game.to_move(table.state) == (1,)
    assert not table.view()["step_two"]


@pytest.mark.parametrize("word", ["exchange yellow8/green10 for red5/blue9", "lay yellow8/green10", "done"])
def test_the_straight_comes_first(word: str) -> None:
    """docs/rules/xxl.md, "Game 4": in this order; after an exchange or a lay the turn is over."""
    table = Table(HAND, OTHER_HAND, display="red4/green8 red5/blue9", pile=SECOND_STRAIGHT, first=0)
    table.play(word)
    with pytest.raises(OutOfTurn, match="It is the turn of seat 1"):
        table.game.apply(table.state, Turn(0, table.game.parse("straight red1/blue7 green1/red2 red3/yellow5")))


def test_an_exchange() -> None:
    """docs/rules/xxl.md, "Game 4": exchange one hand card for one display card; any for any."""
    table = Table(HAND, OTHER_HAND, display="red4/green8 blue2/green4", pile=PILE, first=0)
    assert table.may("exchange") == {f"{own} for {other}" for own in table.hand(0) for other in table.display()}
    table.play("exchange red1/blue7 for blue2/green4")
    assert table.hand(0) == {"blue2/green4", "green1/red2", "red3/yellow5", "yellow8/green10"}
    assert table.display() == {"red4/green8", "red1/blue7"}
    assert table.view()["draw_pile"] == 6
    assert table.view()["known"] == [["blue2/green4"], []]


def test_a_lay_into_the_display() -> None:
    """docs/rules/xxl.md, "Game 4": lay a hand card face-up into the display and draw one."""
    table = Table(HAND, OTHER_HAND, display="red4/green8 blue2/green4", pile=PILE, first=0)
    assert table.may("lay") == table.hand(0)
    table.play("lay red1/blue7")
    assert table.hand(0) == {"yellow3/blue7", "green1/red2", "red3/yellow5", "yellow8/green10"}
    assert table.display() == {"red4/green8", "blue2/green4", "red1/blue7"}
    assert table.view()["draw_pile"] == 5
    assert table.view(1)["known"] == [[], []]


def test_a_lay_needs_a_card_in_the_draw_pile() -> None:
    """docs/rules/xxl.md, "Game 4", ruling: the second way needs a card in the draw pile."""
    table = Table(HAND, OTHER_HAND, display="red4/green8 blue2/green4", pile="yellow3/blue7", first=0)
    table.play("lay red1/blue7")
    assert table.may("lay") == set()
    assert table.may("exchange")
    with pytest.raises(IllegalMove, match="The draw pile is empty: blue8/yellow9 could be laid only if you could draw"):
        table.play("lay blue8/yellow9")


def test_the_second_step_may_use_a_card_just_drawn() -> None:
    table = Table(HAND, OTHER_HAND, display="red4/green8 red5/blue9", pile=SECOND_STRAIGHT, first=0)
    table.play("straight red1/blue7 green1/red2 red3/yellow5", "lay yellow4/blue9")
    assert table.display() == {"red4/green8", "red5/blue9", "yellow4/blue9"}


# Passing.

DULL = (
    "red0/yellow1 yellow0/green4 yellow0/red5 yellow0/blue8",
    "green0/yellow9 yellow1/red4 green1/yellow5 red1/green8",
    "green1/red9 yellow4/red5 red4/green8 yellow4/blue9",
)
"""Three hands with nothing but 0, 1, 4, 5, 8 and 9, of which no straight can be made."""


def test_all_pass_and_a_card_is_added() -> None:
    """docs/rules/xxl.md, "Game 4": when all have passed, the top card is added to the display; and again."""
    table = Table(*DULL, display="blue5/green8 red5/blue9", pile="blue8/yellow9 red6/blue10 blue3/red9", first=1)
    table.play("done", "done")
    assert table.display() == {"blue5/green8", "red5/blue9"}
    table.play("done")
    assert table.display() == {"blue5/green8", "red5/blue9", "blue8/yellow9"}
    assert table.view()["events"][-1]["shown"] == ["blue8/yellow9"]
    assert table.view()["hand_sizes"] == [4, 4, 4]
    assert table.game.to_move(table.state) == (1,)
    table.play("done", "done")
    assert table.view()["draw_pile"] == 2
    table.play("done")
    assert table.display() == {"blue5/green8", "red5/blue9", "blue8/yellow9", "red6/blue10"}


def test_exchanges_count_like_passes() -> None:
    """docs/rules/xxl.md, "Game 4", ruling: turns that neither laid a straight nor touched the draw pile."""
    table = Table(*DULL, display="blue5/green8 red5/blue9", pile="blue8/yellow9 red6/blue10", first=0)
    table.play("exchange red0/yellow1 for red5/blue9", "done", "exchange green1/red9 for red0/yellow1")
    assert table.display() == {"blue5/green8", "green1/red9", "blue8/yellow9"}
    table.play("exchange yellow0/green4 for blue8/yellow9", "exchange red1/green8 for yellow0/green4")
    assert table.view()["quiet"] == 2
    assert table.view()["draw_pile"] == 1


def test_a_draw_starts_the_count_anew() -> None:
    """docs/rules/xxl.md, "Game 4", ruling: one count, reset by a draw."""
    table = Table(*DULL, display="blue5/green8 red5/blue9", pile="blue8/yellow9 red6/blue10 blue3/red9", first=0)
    table.play("done", "done", "lay green1/red9", "done", "done")
    assert table.display() == {"blue5/green8", "red5/blue9", "green1/red9"}
    table.play("done")
    assert table.display() == {"blue5/green8", "red5/blue9", "green1/red9", "red6/blue10"}


@pytest.mark.parametrize("second", ["done", "exchange yellow8/green10 for red4/green8"])
def test_a_straight_starts_the_count_anew(second: str) -> None:
    """docs/rules/xxl.md, "Game 4", ruling: one count, reset by a straight, whatever its second step is."""
    table = Table(OTHER_HAND, HAND, display="red4/green8 red5/blue9", pile=PILE, first=0)
    table.play("done", "straight red1/blue7 green1/red2 red3/yellow5")
    assert table.view()["quiet"] == 0
    table.play(second)
    assert table.view()["quiet"] == 0
    table.play("done")
    assert table.view()["draw_pile"] == 3
    table.play("done")
    assert table.view()["draw_pile"] == 2


def test_with_an_empty_draw_pile_no_card_is_added() -> None:
    """docs/rules/xxl.md, "Game 4", ruling: with an empty draw pile no card is added; the game ends then."""
    table = Table(HAND, OTHER_HAND, display="red4/green8 red5/blue9", first=0)
    table.play("done")
    assert table.outcome() is None
    table.play("done")
    assert table.display() == {"red4/green8", "red5/blue9"}
    assert table.outcome() == Outcome((0, 0), (1, 1), "round_without_straight")


# The end.


def test_the_end_when_nobody_can_lay_a_straight() -> None:
    """docs/rules/xxl.md, "Game 4": the draw pile is empty and no player can lay; in the middle of a round.

    With a card in the pile the game goes on, although nobody can lay one then either.
    """
    table = Table(*DULL, display="blue5/green8 red5/blue9", pile="blue8/yellow9", first=1)
    table.play("done")
    assert table.outcome() is None
    table.play("lay green1/red9")
    assert table.outcome() == Outcome((0, 0, 0), (1, 1, 1), "no_straight_left")
    assert table.game.to_move(table.state) == ()
    assert table.view()["to_move"] == []


def test_the_end_is_looked_up_over_all_hands_but_not_within_a_turn() -> None:
    """docs/rules/xxl.md, "Game 4" and its rulings: no player can lay, looked up after each finished turn.

    After seat 0 takes the last card only seat 2 can lay a straight, red 1-2-3. It may still exchange then.
    """
    table = Table(
        *DULL[1:],
        "red1/blue7 green1/red2 red3/yellow5 yellow0/green4",
        display="blue5/green8 red5/blue9",
        pile="blue8/yellow9",
        first=0,
    )
    table.play("lay green0/yellow9")
    assert table.outcome() is None
    assert table.may("straight") == set()
    table.play("done")
    assert table.may("straight") == {"green1/red2 red1/blue7 red3/yellow5"}
    table.play("straight red1/blue7 green1/red2 red3/yellow5")
    assert table.outcome() is None
    table.play("exchange yellow0/green4 for red5/blue9")
    assert table.outcome() == Outcome((0, 0, 8 + 3 + 8), (2, 2, 1), "no_straight_left")


@pytest.mark.parametrize(("last", "goes_on"), [("green1/red2", True), ("blue8/yellow9", False)])
def test_a_card_is_added_before_the_end_is_looked_up(last: str, goes_on: bool) -> None:
    """docs/rules/xxl.md, "Game 4", ruling: after a card has been added to the display, not before.

    Seat 1 holds red 1, red 3 is in the display. The last card of the pile is red 2, or nothing of use.
    """
    table = Table(DULL[0], DULL[1], display="red3/yellow5 blue5/green8", pile=last, first=0)
    table.play("done", "done")
    assert last in table.display()
    assert (table.outcome() is None) == goes_on


def test_a_round_without_a_straight_ends_the_game() -> None:
    """docs/rules/xxl.md, "Game 4", ruling: every player in turn, with an empty draw pile; a straight between.

    Seat 0 could always lay yellow 8-9-10 and never does; seat 1 lays red 1-2-3 in its first turn.
    """
    table = Table(
        OTHER_HAND.replace("yellow6/green9", "yellow8/green10"),
        HAND.replace("yellow8/green10", "yellow0/green4"),
        display="red4/green8 blue2/green4",
        first=0,
    )
    table.play("done", "straight red1/blue7 green1/red2 red3/yellow5", "done", "exchange blue0/yellow2 for red4/green8")
    assert table.outcome() is None
    table.play("done")
    assert table.outcome() == Outcome((0, 8 + 3 + 8), (2, 1), "round_without_straight")


@pytest.mark.parametrize(
    "emptying", [("lay blue0/yellow2", "lay yellow0/green4"), ("done", "done", "lay blue0/yellow2")]
)
def test_a_turn_that_empties_the_pile_does_not_count(emptying: tuple[str, ...]) -> None:
    """docs/rules/xxl.md, "Game 4", ruling: a turn that began with an empty draw pile."""
    table = Table(
        OTHER_HAND.replace("yellow6/green9", "yellow8/green10"),
        HAND.replace("yellow8/green10", "yellow0/green4"),
        display="red4/green8 blue2/green4",
        pile="yellow3/blue7 green6/red8",
        first=0,
    )
    table.play(*emptying)
    assert table.view()["draw_pile"] == 0
    table.play("done")
    assert table.outcome() is None
    table.play("done")
    assert table.outcome() == Outcome((0, 0), (1, 1), "round_without_straight")


def test_passes_that_bring_the_last_card_do_not_count() -> None:
    """docs/rules/xxl.md, "Game 4", ruling: those turns began with a card in the draw pile."""
    table = Table(HAND, OTHER_HAND, display="red4/green8 red5/blue9", pile="yellow3/blue7", first=0)
    table.play("done", "done")
    assert table.view()["draw_pile"] == 0
    table.play("done")
    assert table.outcome() is None
    table.play("done")
    assert table.outcome() == Outcome((0, 0), (1, 1), "round_without_straight")


def test_a_hand_worked_game() -> None:
    """docs/rules/xxl.md, "Game 4": a whole game of three players with a pile of four cards, by hand.

    1. Seat 0 has 8 + 3 + 8 + 18 = 37 points, seat 1 17 + 15 + 2 + 15 = 49, seat 2 4 + 9 + 13 + 12 = 38: seat 1
       begins. It lays yellow 8 (blue 2 / yellow 8 of the display), 9, 10 with two hand cards: 10 + 17 + 15 = 42,
       draws red 4 / green 10 and blue 1 / red 3, and blue 2 / green 4 replaces the card of the display. Then it
       lays yellow 6 / green 9 into the display and draws the last card, red 0 / yellow 7.
    2. Seat 2 exchanges green 0 / yellow 9 for yellow 6 / green 9.
    3. Seat 0 lays red 1-2-3, 8 + 3 + 8 = 19; the pile is empty, it has one card left. It passes on.
    4. Seat 1 holds blue 0 / yellow 2, green 4 / red 10, blue 1 / red 3 and red 0 / yellow 7, the display shows
       red 5 / blue 9, blue 2 / green 4 and green 0 / yellow 9: blue 0-1-2 is 2 + 4 + 6 = 12, together 54. After
       that seat 0 has yellow 8 / green 10, seat 1 green 4 / red 10 and red 0 / yellow 7, seat 2 yellow 0 / green 4,
       yellow 6 / green 9, yellow 4 / blue 9 and red 4 / green 8, the display red 5 / blue 9 and
       green 0 / yellow 9. Seat 2's green 8 and 9 lack green 7 or 10 in its reach, red 4 and 5 red 3 or 6, yellow 6
       and 7 are in two hands: nobody can lay, the game is over.
    """
    table = Table(
        "red1/blue7 green1/red2 red3/yellow5 yellow8/green10",
        "blue8/yellow9 yellow6/green9 blue0/yellow2 blue5/yellow10",
        "yellow0/green4 green0/yellow9 yellow4/blue9 red4/green8",
        display="red5/blue9 blue2/yellow8",
        pile="green4/red10 blue1/red3 blue2/green4 red0/yellow7",
    )
    table.play("straight blue2/yellow8 blue8/yellow9 blue5/yellow10", "lay yellow6/green9")
    assert table.view()["points"] == [0, 42, 0]
    assert table.view()["draw_pile"] == 0
    table.play("exchange green0/yellow9 for yellow6/green9", "straight red1/blue7 green1/red2 red3/yellow5", "done")
    assert table.view()["hand_sizes"] == [1, 4, 4]
    assert table.hand(1) == {"blue0/yellow2", "green4/red10", "blue1/red3", "red0/yellow7"}
    assert table.may("straight") == {"blue0/yellow2 blue1/red3 blue2/green4"}
    table.play("straight blue0/yellow2 blue1/red3 blue2/green4")
    assert table.outcome() is None
    table.play("done")
    assert table.outcome() == Outcome((19, 54, 0), (2, 1, 3), "no_straight_left")


# Words and errors.


def test_every_move_has_a_word_of_its_own() -> None:
    for move in range(GAME.done + 1):
        assert GAME.parse(GAME.describe(move)) == move


def test_the_rules_show_moves_as_they_are_written() -> None:
    shown = re.findall(r"'(.*?)'", GAME.rules.replace("\n", " ").partition("A move is ")[2])
    kinds = [GAME.describe(GAME.parse(word)).split()[0] for word in shown]
    assert kinds == ["straight", "exchange", "lay", "done"]


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ("Straight RED1/blue7 red3/yellow5 red2/green1", "straight green1/red2 red1/blue7 red3/yellow5"),
        ("  straight  blue 7 / red 1 green1/red2   red3/yellow5\n", "straight green1/red2 red1/blue7 red3/yellow5"),
        ("exchange red2/green1 FOR blue7/red1", "exchange green1/red2 for red1/blue7"),
        ("LAY red 2/green 1", "lay green1/red2"),
        (" d o n e", "done"),
    ],
)
def test_words_are_read_with_tolerance(written: str, word: str) -> None:
    assert GAME.describe(GAME.parse(written)) == word


@pytest.mark.parametrize(
    "rubbish",
    [
        "",
        "   ",
        "pass",
        "straight",
        "straight green1/red2 red1/blue7",
        "straight green1/red2 red1/blue7 red3/yellow5 yellow0/green4",
        "straight green1/red2 red1/blue7 purple3/yellow5",
        "straight green1/red2 red1/blue7 red3/yellow9",
        "exchange green1/red2 red1/blue7",
        "exchange green1/red2 for red1/blue77",
        "lay",
        "lay red1/red2",
        "done done",
        "green1/red2",
        "lay green\u0661/red\u0662",
        "послать всё",
        "街道建設",
        "\x00\ud800",
        "lay " * 1250,
        "9" * 5000,
        "straight " + "red1/blue7 " * 450,
    ],
)
def test_rubbish_is_told_how_a_move_is_written(rubbish: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        GAME.parse(rubbish)
    text = str(caught.value)
    assert "A move is written as 'straight CARD CARD CARD', 'exchange HAND CARD for DISPLAY CARD'" in text
    assert len(text) < 400


@pytest.mark.parametrize(
    ("word", "why"),
    [
        (
            "straight green1/red2 red3/yellow5 yellow4/red5".replace("yellow4/red5", "yellow1/red4"),
            "yellow1/red4 is nei",
        ),
        ("exchange red4/green8 for red5/blue9", "red4/green8 is not in your hand"),
        ("exchange red1/blue7 for green1/red2", "green1/red2 is not in the display"),
        ("exchange red1/blue7 for red1/blue7", "red1/blue7 is not in the display"),
        ("lay red4/green8", "red4/green8 is not in your hand"),
    ],
)
def test_an_illegal_move_is_explained(word: str, why: str) -> None:
    order = [*HAND.split(), *OTHER_HAND.split(), "red4/green8", "red5/blue9"]
    dealt = [card for pair in zip(order[:4], order[4:8], strict=True) for card in pair] + order[8:]
    dealt += [card for card in WORDS if card not in dealt]
    state = GAME.position([WORDS.index(card) for card in dealt], 2, 1, 0)
    before = state.clone()
    with pytest.raises(IllegalMove, match=why):
        GAME.apply(state, Turn(0, GAME.parse(word)))
    assert state == before


@pytest.mark.parametrize("number", [-1, GAME.done + 1, 10**9])
def test_a_number_that_is_no_move(number: int) -> None:
    with pytest.raises(IllegalMove, match=f"{number} is no move of this game"):
        state = GAME.deal(2, 1)
        GAME.apply(state, Turn(state.turn, number))


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.integers(0, 80))
def test_every_illegal_move_is_objected_to(seed: int, seats: int, moves: int) -> None:
    state = after(GAME, seats, seed, moves).state
    if not GAME.to_move(state):
        return
    legal = GAME.legal(state, state.turn)
    for move in Random(seed).sample(range(GAME.done), 50):
        if move not in legal:
            assert GAME.objection(state, state.turn, move) != f"{GAME.describe(move)} is not allowed now."


@pytest.mark.parametrize("seats", range(2, 7))
def test_random_play_to_the_end_is_by_legal_moves(seats: int) -> None:
    for seed in range(20):
        state = played(seed, seats, seed)
        again = state.clone()
        GAME.rollout(state, Random(seed))
        for move in state.moves[len(again.moves) :]:
            GAME.apply(again, Turn(again.turn, move))
        assert again == state
        assert GAME.outcome(state) is not None


@pytest.mark.parametrize("moves", [(), ("straight red1/blue7 green1/red2 red3/yellow5",)])
def test_in_random_play_each_legal_move_is_equally_likely(moves: tuple[str, ...]) -> None:
    """The first two moves, against all ways to make two moves."""
    table = Table(HAND, OTHER_HAND, display="red4/green8 red5/blue9", pile="green0/red6 red0/yellow7", first=0)
    table.play(*moves)
    chances: dict[Hashable, float] = {}
    legal = table.game.legal(table.state, 0)
    for first in legal:
        state = table.state.clone()
        table.game.advance(state, 0, first)
        following = table.game.legal(state, state.turn)
        chances |= {(first, second): 1 / len(legal) / len(following) for second in following}
    rng, counts = Random(3), Counter[Hashable]()
    for _ in range(int(6 / min(chances.values()))):
        state = table.state.clone()
        table.game.rollout(state, rng)
        counts[tuple(state.moves[len(moves) : len(moves) + 2])] += 1
    assert_shares(counts, chances)


# What a seat may know.


def seen_cards(state: StraightsState, watcher: int | None) -> set[int]:
    """All cards that have been in the display, in a straight, or in the watcher's hand."""
    seats = len(state.hands)
    naive = Naive([WORDS[card] for card in state.order], seats, state.dealer)
    seen = set(naive.display)
    for move in state.moves:
        kind, cards, other = read(GAME.describe(move))
        naive.play((kind, cards, other))
        seen |= cards | set(naive.display)
    assert [set(hand) for hand in naive.hands] == [set(DECK.words_of(hand)) for hand in state.hands]
    seen |= {WORDS[card] for card, seat in zip(state.order, naive.went, strict=False) if seat == watcher}
    return {WORDS.index(word) for word in seen}


def positions(test: Callable[[int, int, int, st.DataObject], None]) -> Callable[[], None]:
    """Seed, seats, number of moves, and more to draw; a game retold in words takes its time."""
    some = given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.integers(0, 90), st.data())
    return settings(max_examples=40)(some(test))


@positions
def test_hidden_cards_can_change_places_without_a_trace(seed: int, seats: int, moves: int, data: st.DataObject) -> None:
    """With an empty pile, that the game went on (or ended) shows something of the hands, which must stay so."""
    state = played(seed, seats, moves)
    watcher = data.draw(st.none() | st.integers(0, seats - 1))
    hidden = sorted(set(range(55)) - seen_cards(state, watcher))
    other = dict(zip(hidden, data.draw(st.permutations(hidden)), strict=True))
    swapped = GAME.position([other.get(card, card) for card in state.order], seats, state.dealer, state.first)
    for move in state.moves:
        assume(GAME.to_move(swapped))
        GAME.apply(swapped, Turn(swapped.turn, move))
    assume(GAME.to_move(swapped) == GAME.to_move(state))
    assert swapped.hands == [as_set(other.get(card, card) for card in cards_in(hand)) for hand in state.hands]
    assert GAME.view(swapped, watcher) == GAME.view(state, watcher)
    assert GAME.draw(GAME.view(swapped, watcher)) == GAME.draw(GAME.view(state, watcher))


@positions
def test_a_view_names_no_unseen_card(seed: int, seats: int, moves: int, data: st.DataObject) -> None:
    state = played(seed, seats, moves)
    watcher = data.draw(st.none() | st.integers(0, seats - 1))
    view = GAME.view(state, watcher)
    sent = json.dumps(view)
    assert {WORDS.index(word) for word in WORDS if word in sent} <= seen_cards(state, watcher)
    drawn = GAME.draw(view)
    assert {WORDS.index(word) for word in WORDS if word in drawn} <= seen_cards(state, watcher)
    assert max(map(len, drawn.split("\n"))) <= 120


def test_the_view_remembers_what_everybody_saw() -> None:
    """Who took what from the display, who drew how many, what was added, until a known card leaves the hand."""
    table = Table(*DULL, display="blue5/green8 red5/blue9", pile="blue8/yellow9 red6/blue10 blue3/red9", first=0)
    table.play("exchange red0/yellow1 for red5/blue9", "lay green0/yellow9", "done")
    assert table.view(2)["known"] == [["red5/blue9"], [], []]
    assert (table.view(1)["dealt"], table.view(1)["drawn"]) == (
        ["green0/yellow9", "yellow1/red4", "green1/yellow5", "red1/green8"],
        ["blue8/yellow9"],
    )
    spectator = table.view()
    assert (spectator["hand"], spectator["dealt"], spectator["drawn"]) == (None, None, None)
    assert [(event["seat"], event["kind"], event["drew"]) for event in spectator["events"]] == [
        (0, "exchange", 0),
        (1, "lay", 1),
        (2, "done", 0),
    ]
    table.play("exchange red5/blue9 for green0/yellow9")
    assert table.view(2)["known"] == [["green0/yellow9"], [], []]


def test_the_drawing() -> None:
    """The position stands below what has happened; the last moves tell what everybody saw."""
    table = Table(*DULL, display="blue5/green8 red5/blue9", pile="blue8/yellow9 red6/blue10", first=0)
    table.play("exchange red0/yellow1 for red5/blue9", "lay green0/yellow9")
    assert table.game.draw(table.view(1)).split("\n") == [
        "xxl-4, 3 seats, dealer 2, seen by seat 1",
        "- seat 0: exchange red0/yellow1 for red5/blue9",
        "- seat 1: lay green0/yellow9",
        "seat 0: 4 cards, 0 points, known: red5/blue9",
        "seat 1: 4 cards, 0 points",
        "seat 2: 4 cards, 0 points *",
        "draw pile: 1 card; turns without a straight or a draw: 0",
        "display: red0/yellow1 green0/yellow9 blue5/green8",
        "hand: yellow1/red4 green1/yellow5 red1/green8 blue8/yellow9",
    ]


def test_whose_turn_it_is_stands_at_the_end_of_a_line() -> None:
    """A terminal that shows what a move has changed takes that mark away, and with it no known card."""
    table = Table(*DULL, display="blue5/green8 red5/blue9", pile="blue8/yellow9 red6/blue10", first=0)
    table.play("exchange red0/yellow1 for red5/blue9", "done", "done")
    assert "seat 0: 4 cards, 0 points, known: red5/blue9 *" in table.game.draw(table.view(1)).split("\n")


# What a seat may think possible.


@positions
def test_determinized_orders_explain_all_that_was_seen(seed: int, seats: int, moves: int, data: st.DataObject) -> None:
    """Dealt from the order that is thought possible, the game is played to this very position by legal moves."""
    state = played(seed, seats, moves)
    watcher = data.draw(st.none() | st.integers(0, seats - 1))
    view = GAME.view(state, watcher)
    drawn = GAME.determinize(view, Random(seed))
    assert GAME.view(drawn, watcher) == view
    assert sorted(drawn.order) == list(range(55))
    again = GAME.position(list(drawn.order), seats, view["dealer"], view["first"])
    for move in drawn.moves:
        GAME.apply(again, Turn(again.turn, move))
    assert again == drawn
    for seat in range(seats):
        assert set(view["known"][seat]) <= set(DECK.words_of(drawn.hands[seat]))


def test_who_began_tells_who_had_the_most_points() -> None:
    """docs/rules/xxl.md, "The deck": in a determinized game the same player begins, after some turns too."""
    rng = Random(2)
    for seed in range(60):
        state = played(seed, 4, seed % 12)
        for watcher in (None, 0, 1, 2, 3):
            view = GAME.view(state, watcher)
            order = [WORDS[card] for card in GAME.determinize(view, rng).order]
            assert Naive(order, 4, 3).turn == view["first"]


def course(order: list[str], table: Table) -> Iterator[Hashable]:
    """What everybody sees of a game with the deck in this order: who begins, each position; as far as it can go."""
    naive = Naive(order, table.seats, table.seats - 1)
    yield naive.turn
    for word in table.moves:
        if naive.over or read(word) not in naive.legal():
            return
        naive.play(read(word))
        sizes = tuple(map(len, naive.hands))
        yield naive.over or naive.turn, naive.straight_laid, frozenset(naive.display), sizes, len(naive.pile)


def possible_orders(table: Table, watcher: int | None) -> list[list[str]]:
    """Every order of the deck that explains what the watcher saw; hands as dealt differ in more than their order."""
    seats, truth = table.seats, table.order
    naive = Naive(truth, seats, seats - 1)
    for word in table.moves:
        naive.play(read(word))
    went = naive.went + [-1] * len(naive.pile)
    hidden = [i for i, seat in enumerate(went) if seat is not None and seat != watcher]
    groups = [[i for i in hidden if i < 4 * seats and went[i] == seat] for seat in range(seats) if seat != watcher]
    groups += [[i] for i in hidden if i >= 4 * seats]
    seen = list(course(truth, table))
    assert len(seen) == len(table.moves) + 1

    def deals(left: list[str], groups: list[list[int]]) -> Iterator[dict[int, str]]:
        if not groups:
            yield {}
            return
        for some in combinations(left, len(groups[0])):
            for rest in deals([card for card in left if card not in some], groups[1:]):
                yield dict(zip(groups[0], some, strict=True)) | rest

    found = []
    for deal in deals([truth[i] for i in hidden], groups):
        order = [deal.get(i, card) for i, card in enumerate(truth)]
        if list(course(order, table)) == seen:
            found.append(order)
    return found


def key(order: list[str], seats: int) -> Hashable:
    """The order without the order within each dealt hand, which changes nothing in any game."""
    return tuple(frozenset(order[seat : 4 * seats : seats]) for seat in range(seats)), tuple(order[4 * seats :])


# The one who watches holds cards of middling value, so that who began says something.
TWO_SEATS = (
    "green1/red9 yellow0/blue8 yellow4/red5 yellow0/red5",
    "green0/yellow9 red1/green8 green1/yellow5 yellow4/blue9",
)
RICH = "red1/blue7 green1/red2 red3/yellow5 red5/blue9", "yellow0/blue8 red0/yellow1 yellow0/red5 yellow4/red5"
POOR = "red1/blue7 green1/red2 red5/blue9 yellow4/red5", "red3/yellow5 yellow0/blue8 red0/yellow1 yellow0/red5"
WATCHER = "yellow0/green4 green0/yellow9 green1/yellow5 blue5/green8"


DISPLAY = "green1/red9 yellow4/blue9"


class Case(NamedTuple):
    """A small game, what is played, who watches, and how many orders of the deck explain it at least."""

    hands: tuple[str, ...]
    display: str
    pile: str
    moves: tuple[str, ...]
    watcher: int | None
    orders: int


CASES = {
    "two cards laid and two drawn": Case(
        TWO_SEATS,
        "red0/yellow1 yellow0/green4",
        "red4/green8 yellow1/red4 blue5/green8 red5/blue9",
        ("lay green1/yellow5", "lay yellow0/red5", "lay red1/green8", "done"),
        0,
        60,
    ),
    "a known card goes and comes": Case(
        TWO_SEATS,
        "red0/yellow1 yellow0/green4",
        "red4/green8 yellow1/red4 blue5/green8 red5/blue9",
        ("exchange green1/yellow5 for yellow0/green4", "lay yellow0/red5", "lay yellow0/green4"),
        0,
        60,
    ),
    # Just 408: the card laid after the straight came from one of four places. If it was dealt, the other five
    # lie in any order, 120; otherwise it is one of three draws, and the dealt one is not the red 0, with which
    # seat 1 would not have begun: 3 * 4 * 24.
    "a straight, and a card that was dealt or drawn": Case(
        ("yellow0/green4 yellow0/red5 yellow0/blue8 green1/yellow5", RICH[0]),
        DISPLAY,
        "red0/yellow1 blue5/green8 yellow4/red5 blue0/red10 green6/red8",
        ("straight red1/blue7 green1/red2 red3/yellow5", "lay blue5/green8"),
        0,
        408,
    ),
    "empty pile, somebody can lay": Case((WATCHER, *RICH), DISPLAY, "", ("done", "done"), 0, 10),
    "empty pile, looked up twice": Case(
        (WATCHER, *RICH),
        DISPLAY,
        "",
        ("exchange red5/blue9 for green1/red9", "exchange red0/yellow1 for red5/blue9"),
        0,
        5,
    ),
    "over, nobody can lay": Case((WATCHER, *POOR), DISPLAY, "", ("done",), 0, 5),
    "a spectator": Case(
        (RICH[0], WATCHER), DISPLAY, "yellow0/blue8", ("exchange red5/blue9 for green1/red9",), None, 100
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_possible_order_is_equally_likely(case: Case) -> None:
    """docs/rules/determinization.md, "XXL 4": against all orders of a small deck, tried one by one."""
    table = Table(*case.hands, display=case.display, pile=case.pile)
    table.play(*case.moves)
    possible = {key(order, table.seats) for order in possible_orders(table, case.watcher)}
    assert len(possible) >= case.orders
    view, rng, words = table.view(case.watcher), Random(4), table.game.deck.words
    counts: Counter[Hashable] = Counter()
    for _ in range(12 * len(possible)):
        drawn = table.game.determinize(view, rng)
        counts[key([words[card] for card in drawn.order], table.seats)] += 1
    assert_uniform(counts, possible)


def test_a_view_that_nothing_explains_is_refused() -> None:
    """All cards lie open to the watcher, who could lay a straight; yet the game is said to be over."""
    table = Table(*RICH, display="green1/red9 yellow4/blue9", first=0)
    table.play("done")
    view = table.view(0)
    view["to_move"] = []
    with pytest.raises(ValueError, match="No order of the deck explains this view"):
        table.game.determinize(view, Random(1))
