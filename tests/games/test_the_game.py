"""The Game: every rule, ruling and example of its page.

``Retold`` reads the rules anew, with lists and words instead of bits, and knows nothing of the engine.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations, product
from random import Random
from typing import NamedTuple, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import (
    BadSetup,
    Game,
    IllegalMove,
    Json,
    Outcome,
    OutOfTurn,
    Playthrough,
    Turn,
    UnreadableMove,
    event_source,
    shuffled,
)
from games.rules.the_game import GAME, PileState, View
from games.rules.the_game_piles import as_set, can_lay, cards_in
from tests.games.chance import assert_uniform

PILES = ("up1", "up2", "down1", "down2")
FRESH = (1, 1, 100, 100)
OPTIONS: list[dict[str, Json]] = [
    {},
    {"minimum": 3},
    {"short_hand": True},
    {"minimum": 3, "short_hand": True},
    {"start": "choose"},
]


def table(
    *hands: Iterable[int],
    piles: Sequence[int] = FRESH,
    draw_pile: Sequence[int] = (),
    turn: int | None = 0,
    hand_size: int = 6,
    minimum: int = 2,
) -> PileState:
    """A position at the beginning of a seat's turn; cards that are nowhere are played."""
    return GAME.position(
        [as_set(list(hand)) for hand in hands], piles, draw_pile, turn, hand_size=hand_size, usual_minimum=minimum
    )


def play(state: PileState, *words: str) -> None:
    """Play the words in turn."""
    for word in words:
        (seat,) = GAME.to_move(state)
        GAME.apply(state, Turn(seat, GAME.parse(word)))


def may_play(state: PileState) -> list[str]:
    """The words of what the seat to move may play, in their order."""
    (seat,) = GAME.to_move(state)
    return [GAME.describe(move) for move in GAME.legal(state, seat)]


def refusal(state: PileState, word: str) -> str:
    """What a player is told who tries the word."""
    with pytest.raises(IllegalMove) as caught:
        play(state, word)
    return str(caught.value)


def some_game(seats: int, seed: int, options: dict[str, Json], moves: int) -> PileState:
    """A position after so many moves, or at the end if that comes first."""
    playthrough = Playthrough(GAME, seats, seed, options)
    state: PileState = playthrough.state
    rng = Random(seed)
    while len(playthrough.turns) < moves and playthrough.to_move():
        word = careful(may_play(state), dict(zip(PILES, state.tops, strict=True)), rng)
        playthrough.play(Turn(state.turn, GAME.parse(word)))
    return state


def careful(words: list[str], piles: dict[str, int], rng: Random) -> str:
    """A move that wastes little, most of the time, so that some games reach the end of the draw pile."""
    wasted = {}
    for word in words:
        card, _, pile = word.partition(" ")
        if pile in piles:
            wasted[word] = (int(card) - piles[pile]) * (1 if pile.startswith("up") else -1)
    if not wasted or rng.random() < 0.03:
        return rng.choice(words)
    return "end" if "end" in words and min(wasted.values()) > 2 else min(wasted, key=wasted.__getitem__)


@st.composite
def positions(draw: st.DrawFn) -> PileState:
    """Any position of any game."""
    options = draw(st.sampled_from(OPTIONS))
    return some_game(draw(st.integers(1, 5)), draw(st.integers(0, 2**53 - 1)), options, draw(st.integers(0, 140)))


class Retold:
    """The rules of docs/rules/the-game.md told once more: piles by name, hands as lists of numbers."""

    def __init__(self, hands: list[list[int]], draw_pile: list[int], size: int, *, expert: bool = False) -> None:
        self.hands = hands
        self.draw_pile = draw_pile
        self.size = size
        self.expert = expert
        self.piles = {"up1": 1, "up2": 1, "down1": 100, "down2": 100}
        self.player: int | None = 0
        self.choosing = True

    @classmethod
    def dealt(cls, seats: int, seed: int, options: dict[str, Json]) -> Self:
        cards = shuffled(range(2, 100), event_source(seed, 0))
        size = {1: 8, 2: 7, 3: 6, 4: 6, 5: 6}[seats]
        if options.get("short_hand"):
            size -= 1
        hands: list[list[int]] = [[] for _ in range(seats)]
        for _ in range(size):
            for hand in hands:
                hand.append(cards.pop(0))
        retold = cls(hands, cards, size, expert=options.get("minimum") == 3)
        if options.get("start") != "choose":
            retold.do("start 0")
        return retold

    @staticmethod
    def fits(pile: str, top: int, card: int) -> bool:
        if pile.startswith("up"):
            return card > top or card + 10 == top
        return card < top or card - 10 == top

    def can_reach(self, hand: list[int], piles: dict[str, int], minimum: int) -> bool:
        if minimum == 0:
            return True
        for card, pile in product(hand, piles):
            if self.fits(pile, piles[pile], card):
                left = [other for other in hand if other != card]
                if self.can_reach(left, {**piles, pile: card}, minimum - 1):
                    return True
        return False

    def begin(self, player: int) -> None:
        for _ in self.hands:
            if self.hands[player]:
                break
            player = (player + 1) % len(self.hands)
        else:
            self.player = None
            return
        self.player = player
        self.laid = 0
        self.minimum = (3 if self.expert else 2) if self.draw_pile else 1
        if not self.can_reach(self.hands[player], self.piles, self.minimum):
            self.player = None

    def possible(self) -> set[str]:
        if self.player is None:
            return set()
        if self.choosing:
            return {f"start {seat}" for seat in range(len(self.hands))}
        words = {
            f"{card} {pile}"
            for card in self.hands[self.player]
            for pile, top in self.piles.items()
            if self.fits(pile, top, card)
        }
        return words | {"end"} if self.laid >= self.minimum else words

    def do(self, word: str) -> None:
        assert self.player is not None
        what, _, where = word.partition(" ")
        if what == "start":
            self.choosing = False
            self.begin(int(where))
        elif what == "end":
            self.end_turn()
        else:
            self.hands[self.player].remove(int(what))
            self.piles[where] = int(what)
            self.laid += 1
            if not self.hands[self.player]:
                self.end_turn()
            elif not self.possible():
                self.player = None

    def end_turn(self) -> None:
        assert self.player is not None
        while self.draw_pile and len(self.hands[self.player]) < self.size:
            self.hands[self.player].append(self.draw_pile.pop(0))
        self.begin((self.player + 1) % len(self.hands))

    def left(self) -> int:
        return sum(map(len, self.hands)) + len(self.draw_pile)


def signals_retold(cards: Iterable[int], piles: Sequence[int]) -> list[int]:
    """ "What players may tell each other": the signals of a hand for up1, up2, down1 and down2."""
    hand, signals = list(cards), []
    for pile, top in enumerate(piles):
        further = [card - top if pile < 2 else top - card for card in hand]
        signals.append(2 if -10 in further or 1 in further else 1 if 2 in further or 3 in further else 0)
    return signals


# Material and deal.


@pytest.mark.parametrize(("seats", "cards"), [(1, 8), (2, 7), (3, 6), (4, 6), (5, 6)])
@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("minimum", [2, 3])
def test_the_deal(seats: int, cards: int, short: bool, minimum: int) -> None:
    """docs/rules/the-game.md, "Material and deal": sizes of hands, one card at a time from seat 0.

    The short hand is one card smaller; it and the expert's minimum of 3 are independent.
    """
    state = GAME.deal(seats, 77, {"short_hand": short, "minimum": minimum})
    size = cards - 1 if short else cards
    pile = shuffled(range(2, 100), event_source(77, 0))
    for seat in range(seats):
        assert set(cards_in(state.hands[seat])) == set(pile[seat : seats * size : seats])
    assert list(state.draw_pile) == pile[seats * size :]
    view = GAME.view(state, 0)
    assert view["hand_sizes"] == [size] * seats
    assert view["draw_pile"] == 98 - seats * size
    assert view["piles"] == [1, 1, 100, 100]
    assert view["minimum"] == minimum
    assert view["played"] == []


def test_the_cards_are_those_from_2_to_99() -> None:
    """docs/rules/the-game.md, "Material and deal": 98 cards, values 2 to 99, one of each."""
    state = GAME.deal(1, 5)
    assert sorted([*cards_in(state.hands[0]), *state.draw_pile]) == list(range(2, 100))


@pytest.mark.parametrize(
    ("options", "field", "allowed"),
    [
        ({"minimum": 4}, "options.minimum", "one of 2, 3, not 4"),
        ({"minimum": "3"}, "options.minimum", 'one of 2, 3, not "3"'),
        ({"short_hand": 1}, "options.short_hand", "one of false, true, not 1"),
        ({"start": 3}, "options.start", 'one of 0, 1, 2, "choose", not 3'),
        ({"start": True}, "options.start", "not true"),
        ({"expert": True}, "options.expert", "its options: minimum, short_hand, start"),
    ],
)
def test_options_that_are_not_there(options: dict[str, Json], field: str, allowed: str) -> None:
    with pytest.raises(BadSetup) as caught:
        GAME.deal(3, 0, options)
    assert caught.value.field == field
    assert allowed in str(caught.value)


# Who starts.


def test_seat_0_starts_unless_agreed_otherwise() -> None:
    """docs/rules/the-game.md, "Turn", ruling: option `start` is a seat, by default 0; then clockwise."""
    assert GAME.to_move(GAME.deal(4, 8)) == (0,)
    state = GAME.deal(4, 8, {"start": 3})
    assert GAME.to_move(state) == (3,)
    low, high = min(cards_in(state.hands[3])), max(cards_in(state.hands[3]))
    play(state, f"{low} up1", f"{high} down1", "end")
    assert GAME.to_move(state) == (0,)


@pytest.mark.parametrize("chosen", [0, 1, 2])
def test_the_table_chooses_who_starts(chosen: int) -> None:
    """docs/rules/the-game.md, "Turn", ruling: with `choose` the first move is the choice, made by seat 0.

    "What players may tell each other": any seat may be chosen. Signals are in view before the choice.
    """
    state = GAME.deal(3, 8, {"start": "choose"})
    view = GAME.view(state, 0)
    assert view["choosing"]
    assert view["to_move"] == [0]
    assert view["signals"] == [signals_retold(cards_in(hand), FRESH) for hand in state.hands]
    assert may_play(state) == ["start 0", "start 1", "start 2"]
    play(state, f"start {chosen}")
    assert GAME.to_move(state) == (chosen,)
    view = GAME.view(state, 0)
    assert not view["choosing"]
    assert (view["turn"], view["minimum"], view["laid"]) == (chosen, 2, [])


def test_the_chosen_players_turn_is_looked_at_when_it_begins() -> None:
    """docs/rules/the-game.md, "End", ruling on foresight, and "Turn", ruling on the choice.

    Seat 0 could lay 2 cards, seat 1 none. Nobody is stuck before it is chosen who starts.
    """
    piles = (90, 90, 10, 10)
    state = table([91, 92], [40, 50], piles=piles, draw_pile=[60], turn=None, hand_size=2)
    assert GAME.outcome(state) is None
    other = state.clone()
    play(state, "start 0")
    assert may_play(state) == ["91 up1", "92 up1", "91 up2", "92 up2"]
    play(other, "start 1")
    assert GAME.outcome(other) == Outcome((5, 5), None, "stuck")


# Laying cards: the table of examples.


@pytest.mark.parametrize(
    ("pile", "top", "legal", "illegal"),
    [
        ("up1", 35, [51, 99], []),
        ("up2", 47, [37], [36, 38]),
        ("down1", 65, [75], []),
        ("down2", 65, [64, 63], []),
        ("down1", 65, [75], [74, 76, 66]),
        ("up1", 47, [48], [36, 38, 46]),
    ],
)
def test_examples_of_single_cards(pile: str, top: int, legal: list[int], illegal: list[int]) -> None:
    """docs/rules/the-game.md, "Worked examples", rows 1 to 6: what fits a pile, the trick included."""
    piles = {"up1": 1, "up2": 1, "down1": 100, "down2": 100, pile: top}
    state = table([*legal, *illegal, 2], piles=list(piles.values()), draw_pile=[3])
    words = may_play(state)
    assert all(f"{card} {pile}" in words for card in legal)
    assert not any(f"{card} {pile}" in words for card in illegal)


def test_example_of_two_cards_on_an_ascending_pile() -> None:
    """docs/rules/the-game.md, "Worked examples", row 1: ascending pile at 35: 51, then 99."""
    state = table([51, 99, 2], piles=(35, 1, 100, 100), draw_pile=[3])
    play(state, "51 up1", "99 up1")
    assert GAME.view(state, 0)["piles"] == [99, 1, 100, 100]


def test_example_of_the_same_card_again() -> None:
    """docs/rules/the-game.md, "Worked examples", row 3: ascending pile at 47: 36, 38, 47 do not go.

    47 lies on the pile, so that nobody can hold it.
    """
    state = table([36, 38, 48, 49], piles=(47, 99, 2, 2), draw_pile=[3])
    assert may_play(state) == ["48 up1", "49 up1"]
    assert refusal(state, "47 up1") == "47 is not in your hand."


def test_example_of_two_cards_on_a_descending_pile() -> None:
    """docs/rules/the-game.md, "Worked examples", row 5: descending pile at 65: 64, then 63."""
    state = table([64, 63, 2], piles=(1, 1, 65, 100), draw_pile=[3])
    play(state, "64 down1", "63 down1")
    assert GAME.view(state, 0)["piles"] == [1, 1, 63, 100]


def test_example_of_a_trick_on_ones_own_card() -> None:
    """docs/rules/the-game.md, "Worked examples", row 7: at 1 with 2 and 12: 12, then 2, then 12 is gone."""
    state = table([2, 12, 50], piles=(1, 99, 2, 2), draw_pile=[3])
    play(state, "12 up1", "2 up1")
    assert GAME.view(state, 0)["piles"][0] == 2
    assert refusal(state, "12 up1") == "12 is not in your hand."
    assert may_play(state) == ["50 up1", "end"]


def test_example_of_the_start_cards() -> None:
    """docs/rules/the-game.md, "Worked examples", row 8: no trick on a start card: -9 and 110 are no cards.

    Every card of the deck fits every fresh pile for being higher or lower, and it is all that fits.
    """
    for first in range(2, 100, 8):
        hand = [card for card in range(first, first + 8) if card < 100]
        state = table(hand, draw_pile=[], hand_size=8)
        assert may_play(state) == [f"{card} {pile}" for pile in PILES for card in hand]
    for word in ("-9 up1", "110 down1", "1 up1", "100 down1"):
        with pytest.raises(UnreadableMove):
            GAME.parse(word)


def test_example_of_the_empty_draw_pile() -> None:
    """docs/rules/the-game.md, "Worked examples", row 9: minimum 1, two cards: play one and end the turn."""
    state = table([20, 30], [40, 50])
    assert "end" not in may_play(state)
    play(state, "20 up1")
    assert may_play(state)[-1] == "end"
    play(state, "end")
    assert GAME.to_move(state) == (1,)
    assert GAME.view(state, None)["hand_sizes"] == [1, 2]


def test_example_of_the_last_card_in_the_draw_pile() -> None:
    """docs/rules/the-game.md, "Worked examples", row 10: 1 card in the draw pile: the minimum is still 2."""
    state = table([20, 30, 31, 32, 33, 34], [40, 50], draw_pile=[60])
    assert GAME.view(state, 0)["minimum"] == 2
    play(state, "20 up1")
    assert "end" not in may_play(state)
    play(state, "30 up1")
    assert "end" in may_play(state)


def test_example_of_the_perfect_game() -> None:
    """docs/rules/the-game.md, "Worked examples", row 11: all hands and the draw pile empty: 0."""
    assert GAME.outcome(table([], [], [])) == Outcome((0, 0, 0), None, "all_played")


# Turns.


def test_any_card_may_go_to_any_pile_it_fits() -> None:
    """docs/rules/the-game.md, "Turn": each on a pile of choice; pile by pile, cards ascending, the end last."""
    state = table([30, 40, 50, 60], piles=(40, 1, 50, 39), draw_pile=[2])
    assert may_play(state) == [
        *("30 up1", "50 up1", "60 up1"),
        *("30 up2", "40 up2", "50 up2", "60 up2"),
        *("30 down1", "40 down1", "60 down1"),
        *("30 down2",),
    ]


def test_the_trick_may_be_used_again_and_again() -> None:
    """docs/rules/the-game.md, "Turn": any number of times in a turn, on any piles.

    Twice down from 50 on up1, twice up from 60 on down1, and on again from 30 on up1.
    """
    state = table([40, 30, 70, 80, 31, 2], piles=(50, 99, 60, 3), draw_pile=[9])
    play(state, "40 up1", "30 up1", "70 down1", "80 down1", "31 up1")
    assert GAME.view(state, 0)["piles"] == [31, 99, 80, 3]


@pytest.mark.parametrize(("minimum", "number"), [(2, 2), (3, 3)])
def test_the_minimum_and_the_whole_hand(minimum: int, number: int) -> None:
    """docs/rules/the-game.md, "Turn": at least the minimum, at most the whole hand; expert 3 instead of 2.

    "End": the turn ends by choice once the minimum is reached, and by itself when the hand is empty.
    """
    state = table([10, 20, 30, 40], [50, 51, 52, 53], draw_pile=[60, 61, 62], hand_size=4, minimum=minimum)
    for laid, card in enumerate((10, 20, 30), start=1):
        play(state, f"{card} up1")
        assert ("end" in may_play(state)) == (laid >= number)
    play(state, "40 up1")
    assert GAME.to_move(state) == (1,)
    assert set(cards_in(state.hands[0])) == {60, 61, 62}


def test_cards_are_drawn_when_the_turn_ends_and_not_before() -> None:
    """docs/rules/the-game.md, "Turn": up to the hand size, from the top, as far as the draw pile lasts."""
    state = table([10, 20, 30, 40], [50, 51, 52, 53], draw_pile=[60, 61, 62], hand_size=4)
    play(state, "10 up1", "20 up1")
    assert GAME.view(state, 0)["hand"] == [30, 40]
    assert GAME.view(state, 0)["draw_pile"] == 3
    play(state, "end")
    assert GAME.view(state, 0)["hand"] == [30, 40, 60, 61]
    assert GAME.view(state, 0)["draw_pile"] == 1
    play(state, "50 up1", "51 up1", "end")
    assert GAME.view(state, 1)["hand"] == [52, 53, 62]
    assert GAME.view(state, 1)["draw_pile"] == 0


def test_the_minimum_is_that_of_the_beginning_of_the_turn() -> None:
    """docs/rules/the-game.md, "Turn": 2 while the draw pile holds cards at the start, 1 once it is empty.

    Seat 0 draws the last card: its own minimum was 2, that of seat 1 is 1. Under the expert rules too.
    """
    for minimum in (2, 3):
        state = table(
            [10, 20, 30, 31], [50, 51, 52, 53], draw_pile=[60], hand_size=4, minimum=minimum, piles=(1, 99, 2, 2)
        )
        assert GAME.view(state, 0)["minimum"] == minimum
        play(state, "10 up1", "20 up1", "30 up1", "end")
        assert GAME.view(state, 1)["minimum"] == 1
        play(state, "50 up1", "end")
        assert GAME.to_move(state) == (0,)


def test_a_player_without_cards_is_skipped() -> None:
    """docs/rules/the-game.md, "Turn": a player with no cards left is skipped, and can't be stuck."""
    state = table([10, 20], [], [30, 40], [])
    play(state, "10 up1", "end")
    assert GAME.to_move(state) == (2,)
    play(state, "30 up1", "40 up1")
    assert GAME.to_move(state) == (0,)


def test_a_player_who_alone_has_cards_goes_on_playing() -> None:
    """docs/rules/the-game.md, "Turn": when all others are skipped, the same player is next."""
    state = table([10, 20, 30], [])
    play(state, "10 up1", "end")
    assert GAME.to_move(state) == (0,)
    assert GAME.view(state, 0)["laid"] == []


# The end.


def test_the_game_ends_before_a_card_is_laid_when_no_order_reaches_the_minimum() -> None:
    """docs/rules/the-game.md, "End", ruling: foresight at the beginning of the turn.

    93 fits up1, and after it nothing does: 40 and 50 fit nowhere.
    """
    piles = (90, 99, 2, 2)
    assert GAME.outcome(table([93, 40, 50], piles=piles, draw_pile=[60])) == Outcome((4,), None, "stuck")
    assert GAME.outcome(table([93, 40, 50], piles=piles)) is None


def test_foresight_finds_a_trick_that_is_only_there_after_the_first_card() -> None:
    """docs/rules/the-game.md, "End", ruling: *no order* of the hand's cards: 93, then 83, is one."""
    state = table([93, 83, 50], piles=(90, 99, 2, 2), draw_pile=[60])
    assert may_play(state) == ["93 up1"]
    play(state, "93 up1")
    assert may_play(state) == ["83 up1"]


def test_foresight_of_experts_looks_three_cards_ahead() -> None:
    """docs/rules/the-game.md, "End", ruling: 93, 83, and then 85; without 85 (and with 50) there is no third."""
    piles = (90, 99, 2, 2)
    assert GAME.outcome(table([93, 83, 85], piles=piles, draw_pile=[60], minimum=3)) is None
    assert GAME.outcome(table([93, 83, 50], piles=piles, draw_pile=[60], minimum=3)) == Outcome((4,), None, "stuck")


def test_who_has_chosen_badly_is_stuck_within_the_turn() -> None:
    """docs/rules/the-game.md, "End", ruling: no card fits before the minimum is reached: the game ends there.

    91 and 93 could both be laid; after 93 first, 91 does not fit. 93 counts as played: 91, 40 and the two
    cards of the draw pile and the two of seat 1 are left.
    """
    state = table([91, 93, 40], [50, 51], piles=(90, 99, 2, 2), draw_pile=[60, 61])
    play(state, "93 up1")
    assert GAME.to_move(state) == ()
    assert GAME.outcome(state) == Outcome((6, 6), None, "stuck")


def test_who_finds_no_card_after_the_minimum_just_ends_the_turn() -> None:
    """docs/rules/the-game.md, "End": once the minimum is reached the turn ends by the player's choice."""
    state = table([91, 93, 40], [94, 95, 51], piles=(90, 99, 2, 2), draw_pile=[60, 61])
    play(state, "91 up1", "93 up1")
    assert may_play(state) == ["end"]
    play(state, "end")
    assert GAME.outcome(state) is None


def test_the_next_player_can_be_stuck_when_a_turn_ends() -> None:
    """docs/rules/the-game.md, "End": immediately, when a player with cards cannot reach the minimum.

    Seat 1 has no cards and is skipped; seat 2 has 40 and 50, which fit nowhere.
    """
    state = table([91, 93], [], [40, 50], piles=(90, 99, 2, 2))
    play(state, "91 up1", "end")
    assert GAME.outcome(state) == Outcome((3, 3, 3), None, "stuck")


def test_a_hand_worked_game_that_ends_perfectly() -> None:
    """docs/rules/the-game.md, "Turn" and "End": two players play the last 9 cards of the deck.

    Hands of 3, draw pile 88, 15, 90 from the top; piles 80 and 98 going up, 20 and 5 going down.
    1. Seat 0 (81, 70, 13) lays 70 on up1 (the trick of 80), 81 on up1, draws 88 and 15: 13, 15, 88.
    2. Seat 1 (19, 3, 85) lays 85 on up1, 19 on down1, draws 90: 3, 90. The draw pile is empty.
    3. Seat 0 needs only 1 and lays all three: 88 on up1, 15 and 13 on down1; it is without cards.
    4. Seat 1 lays 90 on up1, ends, is next again since seat 0 is skipped, and lays 3 on down2.
    """
    state = table([81, 70, 13], [19, 3, 85], piles=(80, 98, 20, 5), draw_pile=[88, 15, 90], hand_size=3)
    play(state, "70 up1", "81 up1", "end")
    assert GAME.view(state, 0)["hand"] == [13, 15, 88]
    play(state, "85 up1", "19 down1", "end")
    assert GAME.view(state, 1)["hand"] == [3, 90]
    assert GAME.view(state, 0)["minimum"] == 1
    play(state, "88 up1", "15 down1", "13 down1")
    assert GAME.to_move(state) == (1,)
    play(state, "90 up1", "end")
    assert GAME.to_move(state) == (1,)
    play(state, "3 down2")
    assert GAME.to_move(state) == ()
    assert GAME.outcome(state) == Outcome((0, 0), None, "all_played")


def test_a_hand_worked_game_that_gets_stuck() -> None:
    """docs/rules/the-game.md, "Result": cards left are those of all hands and of the draw pile.

    Hands of 3, draw pile 44, 45, 46, 47; piles 80 and 97 going up, 20 and 4 going down.
    1. Seat 0 (81, 90, 50) lays 81 and 90 on up1 and draws 44, 45: 50, 44, 45.
    2. Seat 1 (91, 19, 60) lays 91 on up1, 19 on down1 and draws 46, 47: 60, 46, 47.
    3. Seat 0: 91, 97, 19, 4 lie on the piles; 50, 44, 45 fit none. 6 cards are left in the hands.
    """
    state = table([81, 90, 50], [91, 19, 60], piles=(80, 97, 20, 4), draw_pile=[44, 45, 46, 47], hand_size=3)
    play(state, "81 up1", "90 up1", "end", "91 up1", "19 down1", "end")
    assert GAME.outcome(state) == Outcome((6, 6), None, "stuck")


def check_against(retold: Retold, state: PileState, rng: Random) -> None:
    """Play a game to its end: the same moves at every turn, the same result, one for all and without places."""
    while to_move := GAME.to_move(state):
        assert to_move == (retold.player,)
        words = {GAME.describe(move) for move in GAME.legal(state, to_move[0])}
        assert words == retold.possible()
        word = careful(sorted(words), retold.piles, rng)
        play(state, word)
        retold.do(word)
    assert retold.player is None
    left = retold.left()
    assert GAME.outcome(state) == Outcome((left,) * len(state.hands), None, "stuck" if left else "all_played")


@given(st.integers(1, 5), st.integers(0, 2**53 - 1), st.sampled_from(OPTIONS))
def test_games_against_the_rules_retold(seats: int, seed: int, options: dict[str, Json]) -> None:
    """docs/rules/the-game.md, "Turn", "End", "Result", and at least four cards are always played."""
    state = GAME.deal(seats, seed, options)
    retold = Retold.dealt(seats, seed, options)
    check_against(retold, state, Random(seed))
    assert retold.left() <= 94


@given(st.data())
def test_the_end_of_games_against_the_rules_retold(data: st.DataObject) -> None:
    """docs/rules/the-game.md, "Turn", "End", "Result": few cards left, some hands empty, any piles."""
    cards = data.draw(st.lists(st.integers(2, 99), unique=True, min_size=4, max_size=14))
    tops, cards = cards[:4], cards[4:]
    hands: list[list[int]] = [[] for _ in range(data.draw(st.integers(1, 5)))]
    for _ in range(data.draw(st.integers(0, len(cards)))):
        hands[data.draw(st.integers(0, len(hands) - 1))].append(cards.pop())
    turn = data.draw(st.integers(0, len(hands) - 1))
    minimum = data.draw(st.integers(2, 3))
    size = max(map(len, hands)) + data.draw(st.integers(0, 2))
    state = table(*hands, piles=tops, draw_pile=cards, turn=turn, hand_size=size, minimum=minimum)
    retold = Retold(hands, cards, size, expert=minimum == 3)
    retold.piles = dict(zip(retold.piles, tops, strict=True))
    retold.do(f"start {turn}")
    check_against(retold, state, Random(1))


@given(
    st.sets(st.integers(2, 99), min_size=1, max_size=8),
    st.tuples(*[st.integers(2, 99)] * 4),
    st.integers(1, 3),
)
def test_foresight_tries_every_order(hand: set[int], piles: tuple[int, ...], number: int) -> None:
    """docs/rules/the-game.md, "End", ruling: *no order* of the hand's cards plays the minimum."""
    names = dict(zip(PILES, piles, strict=True))
    retold = Retold([], [], 8)
    assert can_lay(as_set(list(hand)), piles, number) == retold.can_reach(list(hand), names, number)


# Signals and views.


@pytest.mark.parametrize(
    ("card", "signals"),
    [
        (36, [2, 0, 0, 0]),  # 1 further on up1 at 35
        (25, [2, 0, 0, 0]),  # the trick card of up1
        (37, [1, 0, 0, 0]),
        (38, [1, 0, 0, 0]),
        (39, [0, 0, 0, 0]),
        (34, [0, 0, 0, 0]),
        (26, [0, 0, 0, 0]),
        (64, [0, 0, 2, 0]),  # 1 further on down1 at 65
        (75, [0, 0, 2, 0]),  # the trick card of down1
        (63, [0, 0, 1, 0]),
        (62, [0, 0, 1, 0]),
        (61, [0, 0, 0, 0]),
        (66, [0, 0, 0, 0]),
        (74, [0, 0, 0, 0]),
        (2, [0, 2, 0, 0]),  # 1 further on the start card of up2
        (3, [0, 1, 0, 0]),
        (4, [0, 1, 0, 0]),
        (5, [0, 0, 0, 0]),
        (11, [0, 0, 0, 0]),
        (99, [0, 0, 0, 2]),  # 1 further on the start card of down2
        (98, [0, 0, 0, 1]),
        (97, [0, 0, 0, 1]),
        (96, [0, 0, 0, 0]),
        (90, [0, 0, 0, 0]),
        (9, [0, 0, 0, 0]),
    ],
)
def test_signals(card: int, signals: list[int]) -> None:
    """docs/rules/the-game.md, "What players may tell each other", ruling: 2, 1 or 0 for each pile.

    The piles are 35 and the start card going up, 65 and the start card going down. The start cards have
    no trick card. A second card that says nothing changes nothing.
    """
    state = table([card], [card, 50], piles=(35, 1, 65, 100))
    assert GAME.view(state, 0)["signals"] == [signals, signals]


def test_the_stronger_signal_counts() -> None:
    """docs/rules/the-game.md, "What players may tell each other", ruling: 2 comes before 1."""
    state = table([36, 37], [63, 75], piles=(35, 1, 65, 100))
    assert GAME.view(state, 1)["signals"] == [[2, 0, 0, 0], [0, 0, 2, 0]]


def test_signals_are_set_anew_after_any_event() -> None:
    """docs/rules/the-game.md, "What players may tell each other": they follow every card and every draw."""
    state = table([36, 50, 52], [37, 60, 61], piles=(35, 99, 2, 2), draw_pile=[53, 49], hand_size=3)
    assert GAME.view(state, None)["signals"] == [[2, 0, 0, 0], [1, 0, 0, 0]]
    play(state, "36 up1")
    assert GAME.view(state, None)["signals"] == [[0, 0, 0, 0], [2, 0, 0, 0]]
    play(state, "50 up1")
    assert GAME.view(state, None)["signals"] == [[1, 0, 0, 0], [0, 0, 0, 0]]
    play(state, "end")
    assert GAME.view(state, None)["signals"] == [[1, 0, 0, 0], [0, 0, 0, 0]]
    assert GAME.view(state, 0)["hand"] == [49, 52, 53]


def test_everything_a_seat_sees() -> None:
    """docs/rules/the-game.md, "What players may tell each other": own hand, piles, counts, played, signals."""
    state = table([36, 50, 52], [37, 60, 61], piles=(35, 99, 2, 2), draw_pile=[53, 49], hand_size=3)
    play(state, "36 up1")
    hidden = {37, 60, 61, 50, 52, 53, 49}
    assert GAME.view(state, 1) == {
        "game": "the-game",
        "seats": 2,
        "seat": 1,
        "hand_size": 3,
        "usual_minimum": 2,
        "choosing": False,
        "turn": 0,
        "to_move": [0],
        "minimum": 2,
        "laid": [36],
        "piles": [36, 99, 2, 2],
        "piles_before": [35, 99, 2, 2],
        "hand": [37, 60, 61],
        "hand_sizes": [2, 3],
        "draw_pile": 2,
        "played": [card for card in range(2, 100) if card not in hidden],
        "signals": [[0, 0, 0, 0], [2, 0, 0, 0]],
    }


def test_the_drawing() -> None:
    state = table([36, 50, 52], [37, 60, 61], piles=(35, 99, 12, 2), draw_pile=[53, 49], hand_size=3)
    play(state, "36 up1")
    lines = GAME.draw(GAME.view(state, 1)).splitlines()
    assert lines[:5] == [
        "the-game, 2 seats, hands of 3, minimum 2, seen by seat 1",
        "up1: 36 (higher or 26), 35 when the turn began",
        "up2: 99 (higher or 89)",
        "down1: 12 (lower or 22)",
        "down2: 2 (lower or 12)",
    ]
    assert lines[5:8] == [
        "seat 0: 2 cards *",
        "seat 1: 3 cards; please leave alone up1",
        "draw pile: 2 cards",
    ]
    assert lines[-2:] == ["turn: seat 0, at least 2; laid 36", "hand: 37 60 61"]


def test_the_drawing_of_the_choice_and_of_the_end() -> None:
    assert GAME.draw(GAME.view(GAME.deal(3, 8, {"start": "choose"}), 1)).splitlines()[-2] == (
        "turn: seat 0 chooses who starts"
    )
    stuck = table([], [40, 50], piles=(90, 99, 2, 2))
    assert GAME.draw(GAME.view(stuck, None)).splitlines()[-1] == "over: seat 1 is stuck, 2 cards left"
    assert GAME.draw(GAME.view(table([]), 0)).splitlines()[-2] == "over: all played"


@given(positions(), st.data())
def test_a_drawing_fits_a_terminal(state: PileState, data: st.DataObject) -> None:
    watcher = data.draw(st.none() | st.integers(0, len(state.hands) - 1))
    assert max(map(len, GAME.draw(GAME.view(state, watcher)).splitlines())) <= 120


def test_the_longest_drawing_fits_a_terminal() -> None:
    """Every card played but a hand that signals on every pile."""
    state = table([12, 23, 62, 73], [11, 61], [], [], piles=(22, 21, 63, 64))
    lines = GAME.draw(GAME.view(state, 0)).splitlines()
    assert "seat 0: 4 cards; please leave alone up1, down1; rather not up2, down2 *" in lines
    assert max(map(len, lines)) <= 120


@given(positions(), st.integers(0, 999), st.data())
def test_hidden_cards_can_change_places_without_a_trace(state: PileState, chance: int, data: st.DataObject) -> None:
    """Cards that no signal is about change places between hands and draw pile, whose order changes too."""
    seats = len(state.hands)
    watcher = data.draw(st.none() | st.integers(0, seats - 1))
    rng = Random(chance)
    places = [list(cards_in(hand)) for hand in state.hands] + [list(state.draw_pile)]
    others = [place for seat, place in enumerate(places) if seat != watcher]
    silent = [card for place in others for card in place if not any(signals_retold([card], state.tops))]
    moved = dict(zip(silent, shuffled(silent, rng), strict=True))
    for place in others:
        place[:] = [moved.get(card, card) for card in place]
    rng.shuffle(places[-1])
    swapped = state.clone()
    swapped.hands = [as_set(hand) for hand in places[:-1]]
    swapped.draw_pile = bytes(places[-1])
    assert GAME.view(swapped, watcher) == GAME.view(state, watcher)
    assert GAME.draw(GAME.view(swapped, watcher)) == GAME.draw(GAME.view(state, watcher))


@given(positions(), st.data())
def test_a_view_names_no_unseen_card(state: PileState, data: st.DataObject) -> None:
    """All fields that name cards are looked at; the others are counts, seats and signals."""
    watcher = data.draw(st.none() | st.integers(0, len(state.hands) - 1))
    view = GAME.view(state, watcher)
    hands = [set(cards_in(hand)) for hand in state.hands]
    hidden = set(state.draw_pile).union(*(hand for seat, hand in enumerate(hands) if seat != watcher))
    named = {*view["played"], *view["laid"], *view["piles"], *view["piles_before"], *(view["hand"] or ())}
    assert not named & hidden
    assert named | hidden | set(FRESH) == {*range(2, 100), *FRESH}
    assert view["hand"] == (None if watcher is None else sorted(hands[watcher]))
    assert view["hand_sizes"] == list(map(len, hands))
    assert view["draw_pile"] == len(state.draw_pile)
    assert view["signals"] == [signals_retold(hand, state.tops) for hand in hands]


# What a seat may think possible.


@given(positions(), st.integers(0, 999), st.data())
def test_a_determinized_turn_can_have_come_this_far(state: PileState, chance: int, data: st.DataObject) -> None:
    """The drawn state comes from a turn that began by the rules: the cards laid lead from there to here."""
    watcher = data.draw(st.none() | st.integers(0, len(state.hands) - 1))
    view = GAME.view(state, watcher)
    drawn = GAME.determinize(view, Random(chance))
    assert GAME.view(drawn, watcher) == view
    if view["choosing"] or len(view["laid"]) >= view["minimum"] or not view["hand_sizes"][view["turn"]]:
        return
    hands = list(drawn.hands)
    hands[drawn.turn] |= drawn.laid
    begun = GAME.position(
        hands,
        drawn.tops_before,
        drawn.draw_pile,
        drawn.turn,
        hand_size=drawn.hand_size,
        usual_minimum=drawn.usual_minimum,
    )
    assert any(end == drawn for end in laid_out(begun, view["laid"]))


def laid_out(state: PileState, cards: Sequence[int]) -> Iterator[PileState]:
    """All ways to lay just these cards."""
    if not cards:
        yield state
    for move in GAME.legal(state, state.turn):
        if any(GAME.describe(move).startswith(f"{card} ") for card in cards):
            further = state.clone()
            GAME.apply(further, Turn(state.turn, move))
            yield from laid_out(further, [card for card in cards if further.hands[state.turn] >> card & 1])


def possible(
    view: View, *, as_if_choosing: bool = False
) -> Iterator[tuple[tuple[frozenset[int], ...], tuple[int, ...]]]:
    """All hands and draw piles behind a view by the rules retold: signals, and how the turn came this far.

    Before it is chosen who starts, there is no turn to tell of.
    """
    seats, own, turn = view["seats"], view["seat"], view["turn"]
    retold = Retold([], [], 8)
    before, now = (dict(zip(PILES, piles, strict=True)) for piles in (view["piles_before"], view["piles"]))
    unseen = [card for card in range(2, 100) if card not in {*view["played"], *(view["hand"] or ())}]

    def deals(cards: list[int], seat: int) -> Iterator[tuple[frozenset[int], ...]]:
        if seat == seats:
            yield ()
            return
        choices = [tuple(view["hand"] or ())] if seat == own else combinations(cards, view["hand_sizes"][seat])
        for hand in choices:
            if signals_retold(hand, view["piles"]) == view["signals"][seat]:
                for rest in deals([card for card in cards if card not in hand], seat + 1):
                    yield (frozenset(hand), *rest)

    for hands in deals(unseen, 0):
        if not (view["choosing"] or as_if_choosing):
            hand, laid, over = list(hands[turn]), view["laid"], not view["to_move"]
            began = retold.can_reach(hand + laid, before, view["minimum"])
            goes_on = len(laid) >= view["minimum"] or retold.can_reach(hand, now, 1)
            stuck_at_once = over and not laid
            if began == stuck_at_once or (began and goes_on == over):
                continue
        pile = set(unseen).difference(*hands)
        for order in permutations(pile):
            yield hands, order


class Small(NamedTuple):
    """A position with few unseen cards, the words played in its turn, who watches.

    ``turn_tells`` says whether more is known of the hand of the seat to move than its signals.
    """

    state: PileState
    watcher: int | None
    words: tuple[str, ...] = ()
    turn_tells: bool = True


SMALL = {
    "a turn begins": Small(
        table([60, 61], [85, 90, 40], [81, 41], piles=(80, 99, 3, 4), draw_pile=[42, 75], turn=1, hand_size=3), 0
    ),
    "a turn begins, seen by a spectator": Small(
        table([82, 72], [81, 41], piles=(80, 99, 3, 4), draw_pile=[90, 42, 73], hand_size=2), None
    ),
    "an expert's turn begins": Small(
        table([60], [85, 75, 90, 40], [41], piles=(80, 99, 3, 4), draw_pile=[42, 86], turn=1, minimum=3), 0
    ),
    "one card is laid": Small(
        table([60, 61], [93, 98, 40], [41, 42], piles=(90, 99, 3, 4), draw_pile=[97, 92], turn=1), 2, ("93 up1",)
    ),
    "an expert has laid one card": Small(
        table([40, 41], [83, 95, 93, 94], [60], piles=(90, 97, 3, 4), draw_pile=[70, 85], turn=1, minimum=3),
        0,
        ("93 up1",),
    ),
    "the minimum is reached": Small(
        table([60], [91, 93, 40, 41], [42, 94], piles=(90, 97, 3, 4), draw_pile=[95, 70], turn=1, hand_size=4),
        0,
        ("91 up1", "93 up1"),
        turn_tells=False,
    ),
    "it is the watcher's turn": Small(
        table([91, 93, 40, 41], [60, 95], [42, 94], piles=(90, 97, 3, 4), draw_pile=[96, 70], hand_size=4),
        0,
        turn_tells=False,
    ),
    "somebody is to choose": Small(
        table([2, 40], [3, 99], [50, 41], draw_pile=[42, 43, 44], turn=None, hand_size=2), 1, turn_tells=False
    ),
    "piles tell of the same cards": Small(
        table([60], [37, 39], [38, 40], piles=(35, 36, 49, 48), draw_pile=[26, 70, 25], turn=1, hand_size=2),
        0,
        turn_tells=False,
    ),
    "the draw pile is empty": Small(table([60, 61], [90, 40, 41], [91, 42, 43], [50], piles=(80, 99, 3, 2), turn=1), 0),
    "a seat was stuck before the first card": Small(
        table([60, 61], [95, 40, 41], [70], piles=(90, 97, 3, 4), draw_pile=[94, 81], turn=1, hand_size=3), 0
    ),
    "a seat was stuck within its turn": Small(
        table([60, 61], [92, 93, 40], [94], piles=(90, 99, 3, 4), draw_pile=[83, 70, 98], turn=1, hand_size=3),
        0,
        ("93 up1",),
    ),
    "an expert was stuck after two cards": Small(
        table([60], [92, 93, 94, 40], [96], piles=(90, 99, 3, 4), draw_pile=[84, 70], turn=1, hand_size=4, minimum=3),
        None,
        ("92 up1", "94 up1"),
    ),
}


@pytest.mark.parametrize("case", SMALL)
def test_every_possible_state_is_equally_likely(case: str) -> None:
    """Hands and orders of the draw pile, compared with all that the rules retold leave possible."""
    small = SMALL[case]
    state = small.state.clone()
    play(state, *small.words)
    view = GAME.view(state, small.watcher)
    states = set(possible(view))
    assert 12 <= len(states) <= 800
    assert (len(states) < len(list(possible(view, as_if_choosing=True)))) == small.turn_tells
    rng = Random(4)
    counts = Counter[object]()
    for _ in range(20 * len(states)):
        drawn = GAME.determinize(view, rng)
        counts[tuple(frozenset(cards_in(hand)) for hand in drawn.hands), tuple(drawn.draw_pile)] += 1
    assert_uniform(counts, states)


def test_a_view_that_no_hands_could_give() -> None:
    """Only 25 and 36 make the signal 2 on up1, and both are played."""
    view = GAME.view(table([60], [40, 50], piles=(35, 1, 100, 100), draw_pile=[70], hand_size=2), 0)
    view["signals"][1] = [2, 0, 0, 0]
    with pytest.raises(ValueError, match="signals that no hands could give"):
        GAME.determinize(view, Random(1))


# Moves and their words.


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("35 up1", "35 up1"),
        ("  35   UP1 ", "35 up1"),
        ("35up1", "35 up1"),
        ("2 Down 2", "2 down2"),
        ("99\tdown1\n", "99 down1"),
        ("END", "end"),
        ("Start 4", "start 4"),
        ("start0", "start 0"),
    ],
)
def test_words_are_read_whatever_case_and_spaces(word: str, plain: str) -> None:
    assert GAME.describe(GAME.parse(word)) == plain


@given(positions())
def test_words_of_legal_moves_are_read_back(state: PileState) -> None:
    for seat in GAME.to_move(state):
        for move in GAME.legal(state, seat):
            assert GAME.parse(GAME.describe(move)) == move


@pytest.mark.parametrize(
    "word",
    [
        *("", " ", "up1", "35", "35 up", "35 up3", "35 left1", "100 up1", "1 up1", "035 up1", "-9 up1", "3.5 up1"),
        *("start", "start 5", "start -1", "ende", "end end", "35 up1 36 up1", "٣٥ up1", "三十五", "\0", "x" * 5000),
    ],
)
def test_rubbish_is_answered_with_how_a_move_is_written(word: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        GAME.parse(word)
    text = str(caught.value)
    assert text.endswith(
        "is no move. Write a card from 2 to 99 and a pile (up1, up2, down1, down2), like 35 up1; "
        "end to end your turn; start 2 to choose who starts."
    )
    assert len(text) < 250


@given(st.text())
def test_any_text_is_read_or_refused(word: str) -> None:
    try:
        move = GAME.parse(word)
    except UnreadableMove:
        return
    assert GAME.describe(move).split()[0] in word.lower()


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("36 up1", "36 is not in your hand."),
        ("20 up1", "20 does not fit up1: that pile goes up from 47 and takes a higher card or exactly 37."),
        ("20 up2", "20 does not fit up2: that pile goes up from 99 and takes a higher card or exactly 89."),
        ("66 down1", "66 does not fit down1: that pile goes down from 65 and takes a lower card or exactly 75."),
        ("66 down2", "66 does not fit down2: that pile goes down from 2 and takes a lower card or exactly 12."),
        ("start 0", "Who starts is settled already."),
        ("end", "You must lay at least 2 cards before you end your turn; so far you have laid none."),
    ],
)
def test_illegal_moves_are_explained(word: str, text: str) -> None:
    state = table([20, 66, 50, 60], [30], piles=(47, 99, 65, 2), draw_pile=[40])
    before = state.clone()
    assert refusal(state, word) == text
    assert state == before


def test_ending_too_early_is_explained_with_what_is_laid() -> None:
    state = table([20, 66, 50, 60], piles=(1, 1, 100, 100), draw_pile=[40], minimum=3)
    play(state, "20 up1")
    assert refusal(state, "end") == ("You must lay at least 3 cards before you end your turn; so far you have laid 1.")
    assert refusal(table([20, 66]), "end") == (
        "You must lay at least 1 card before you end your turn; so far you have laid none."
    )


def test_a_pile_without_a_trick_card_is_explained_without_one() -> None:
    """docs/rules/the-game.md, "Turn": at 11 going up, 1 would be the trick card, and is none."""
    state = table([7, 12, 13], piles=(11, 1, 100, 100), draw_pile=[40])
    assert refusal(state, "7 up1") == "7 does not fit up1: that pile goes up from 11 and takes a higher card."


def test_moves_before_who_starts_is_chosen_are_explained() -> None:
    state = table([20, 66], [30, 40], draw_pile=[50], turn=None)
    first = "First choose who starts, one of the seats 0 to 1: write start and the seat, like start 0."
    assert refusal(state, "20 up1") == first
    assert refusal(state, "end") == first
    assert refusal(state, "start 2") == "There is no seat 2 at this table: one of the seats 0 to 1 starts."


@pytest.mark.parametrize("move", [-1, 6, 7, 400, 100_000])
@pytest.mark.parametrize("turn", [0, None])
def test_numbers_that_are_no_moves(move: int, turn: int | None) -> None:
    state = table([20, 66], [30, 40], draw_pile=[50], turn=turn)
    with pytest.raises(IllegalMove, match=f"^{move} is no move of this game.$"):
        GAME.apply(state, Turn(0, move))


def test_a_move_out_of_turn() -> None:
    state = table([20, 66], [30, 40], draw_pile=[50])
    with pytest.raises(OutOfTurn, match="It is the turn of seat 0, not of seat 1"):
        GAME.apply(state, Turn(1, GAME.parse("30 up1")))
    assert GAME.legal(state, 1) == ()


def test_the_rules_in_short_fit_a_terminal() -> None:
    lines = GAME.rules.splitlines()
    assert 10 <= len(lines) <= 25
    assert max(map(len, lines)) <= 110
    assert lines[-1].startswith("Moves are")


# Searching.


@given(positions(), st.integers(0, 999))
def test_a_rollout_plays_what_the_rules_offer(state: PileState, chance: int) -> None:
    """The quick way through a game takes the same moves as the plain one, from any position."""
    plain, quick = state.clone(), state.clone()
    one, other = Random(chance), Random(chance)
    Game.rollout(GAME, plain, one)
    GAME.rollout(quick, other)
    assert quick == plain
    assert GAME.outcome(quick) is not None
    assert one.random() == other.random()


def test_a_view_is_json() -> None:
    view = GAME.view(GAME.deal(5, 3), 2)
    assert json.loads(json.dumps(view)) == view
