"""XXL variant 6+, "Ich bestimm die Farbe! Plus": every rule and ruling of its section."""

import json
from collections import Counter
from collections.abc import Hashable, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import BadSetup, IllegalMove, Json, Outcome, Playthrough, Turn, UnreadableMove, event_source, shuffled
from games.rules import xxl_6
from games.rules.xxl_6_plus import GAME, IchBestimmDieFarbePlus, TrumpState, View, declarer_of
from games.rules.xxl_deck import COLOURS, DECK, Deck, as_set, cards_in, deal_hands
from tests.games.cards import halves, splits, total
from tests.games.chance import assert_shares, assert_uniform, chances_of_play
from tests.games.engines import after


def table(*hands: str, trump: str = "", declarer: int = 0) -> TrumpState:
    """A position before the first lead, the trump declared if it is named; the last seat deals."""
    state = GAME.position([DECK.read_words(hand.split()) for hand in hands], len(hands) - 1, declarer)
    if trump:
        play(state, f"trump {trump}")
    return state


def play(state: TrumpState, *words: str) -> None:
    """Play the words in turn."""
    for word in words:
        (seat,) = GAME.to_move(state)
        GAME.apply(state, Turn(seat, GAME.parse(word)))


def may(state: TrumpState) -> set[str]:
    """The words of what the seat to move may do."""
    (seat,) = GAME.to_move(state)
    return {GAME.describe(move) for move in GAME.legal(state, seat)}


def last_trick(state: TrumpState) -> tuple[str, int]:
    """The trick colour of the last finished trick, and who took it."""
    trick = GAME.view(state, None)["tricks"][-1]
    return trick["colour"], trick["winner"]


# Dealing and declaring.


@pytest.mark.parametrize(("seats", "size"), [(2, 12), (3, 12), (4, 12), (5, 9), (6, 9)])
@pytest.mark.parametrize("dealer", [0, 1, None])
def test_the_deal_is_that_of_game_6(seats: int, size: int, dealer: int | None) -> None:
    """docs/rules/xxl.md, "Variant 6+": as game 6; 12 cards each with 2 to 4 players, 9 with 5 or 6."""
    options: dict[str, Json] = {} if dealer is None else {"dealer": dealer}
    state = GAME.deal(seats, 77, options)
    pile = shuffled(range(55), event_source(77, 0))
    left_of_dealer = 0 if dealer is None else dealer + 1
    for k in range(seats):
        hand = GAME.view(state, (left_of_dealer + k) % seats)["hand"]
        assert hand is not None
        assert set(map(DECK.read_word, hand)) == set(pile[k : seats * size : seats])
    view = GAME.view(state, None)
    assert (view["hand_sizes"], view["set_aside"]) == ([size] * seats, 55 - seats * size)


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_single_hand_is_declared_and_led_by_the_dealers_left(seats: int) -> None:
    """docs/rules/xxl.md, "Variant 6+", ruling: the first player, a single hand's the dealer's left, also leads.

    Who has the most points plays no part: in twenty deals it is somebody else more than once.
    """
    for seed, dealer in zip(range(20), list(range(seats)) * 20, strict=False):
        state = GAME.deal(seats, seed, {"dealer": dealer})
        declarer = (dealer + 1) % seats
        assert GAME.to_move(state) == (declarer,)
        assert GAME.view(state, None)["declarer"] == declarer
        play(state, "trump green")
        assert GAME.to_move(state) == (declarer,)


@pytest.mark.parametrize("declarer", range(4))
def test_the_declarer_can_be_agreed_on(declarer: int) -> None:
    """docs/rules/xxl.md, "Variant 6+", ruling: whoever deals."""
    for dealer in range(4):
        assert GAME.to_move(GAME.deal(4, 5, {"dealer": dealer, "declarer": declarer})) == (declarer,)


@pytest.mark.parametrize("value", [4, -1, True, "left", None])
def test_who_can_not_declare(value: Json) -> None:
    with pytest.raises(BadSetup, match='must be one of "left_of_dealer", 0, 1, 2, 3') as caught:
        GAME.deal(4, 0, {"declarer": value})
    assert caught.value.field == "options.declarer"


@pytest.mark.parametrize(
    ("players", "offset", "declarers"),
    [(3, 0, [0, 1, 2, 0, 1, 2]), (4, 0, [0, 1, 2, 3, 0, 1]), (4, 3, [3, 0, 1, 2, 3, 0]), (2, 1, [1, 0, 1, 0, 1, 0])],
)
def test_declarers_take_turns(players: int, offset: int, declarers: list[int]) -> None:
    """docs/rules/xxl.md, "Variant 6+", ruling: the k-th hand (from 0) by seat (k + offset) mod players."""
    assert [declarer_of(k, players, offset) for k in range(6)] == declarers


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_series_has_equally_many_declarations(seats: int) -> None:
    """docs/rules/xxl.md, "Variant 6+", ruling: equal when the number of hands is a multiple of the players."""
    options = [GAME.series_options(seats, number) for number in range(3 * seats)]
    assert [option["declarer"] for option in options] == list(range(seats)) * 3
    assert [option["dealer"] for option in options[:seats]] == [seats - 1, *range(seats - 1)]
    for option in options:
        assert GAME.to_move(GAME.deal(seats, 1, option)) == (option["declarer"],)


def test_any_of_the_four_colours_may_be_declared() -> None:
    """docs/rules/xxl.md, "Variant 6+": any of the four colours, after seeing the hand, in it or not."""
    state = table("green1/red2", "green2/blue5")
    assert GAME.view(state, 0)["hand"] == ["green1/red2"]
    assert GAME.view(state, 0)["trump"] is None
    assert may(state) == {"trump red", "trump yellow", "trump green", "trump blue"}
    assert GAME.legal(state, 1) == ()
    with pytest.raises(IllegalMove, match=r"Declare the trump before you play green1/red2, as in trump red\."):
        play(state, "green1/red2")
    play(state, "trump yellow")
    assert GAME.view(state, None)["trump"] == "yellow"
    assert may(state) == {"green1/red2"}


def test_the_trump_is_for_the_whole_hand() -> None:
    """docs/rules/xxl.md, "Variant 6+": for the whole hand."""
    state = table("green1/red2 red0/yellow1", "green2/blue5 blue9/yellow10", trump="red")
    for words in (("green1/red2", "green2/blue5"), ("red0/yellow1", "blue9/yellow10")):
        with pytest.raises(IllegalMove, match="The trump is red for the whole hand"):
            play(state, "trump blue")
        play(state, *words)
    assert GAME.view(state, None)["trump"] == "red"


# Following.


def test_a_trump_led_must_be_followed_with_trumps() -> None:
    """docs/rules/xxl.md, "Variant 6+": a trump led: trump must be followed, the trick colour is trump.

    Red is trump: green 1/red 2 is a trump, its green does not matter.
    """
    state = table("green1/red2", "green2/blue5 red0/yellow1", "green3/blue4", trump="red")
    play(state, "green1/red2")
    assert GAME.view(state, None)["trick"]["open_colours"] == ["red"]
    assert may(state) == {"red0/yellow1"}
    with pytest.raises(IllegalMove, match="green2/blue5 does not follow: you hold a card with red and must play"):
        play(state, "green2/blue5")
    play(state, "red0/yellow1")
    assert may(state) == {"green3/blue4"}
    play(state, "green3/blue4")
    assert last_trick(state) == ("red", 0)


def test_a_plain_card_led_is_followed_with_plain_cards() -> None:
    """docs/rules/xxl.md, "Variant 6+", ruling: trumps don't serve to follow a plain colour.

    Blue is trump, green 1/red 2 is led: green 2/blue 5 has a green half but is a trump.
    """
    state = table("green1/red2", "green2/blue5 red0/yellow1 red7/green9 yellow4/blue9", trump="blue")
    play(state, "green1/red2")
    assert may(state) == {"red0/yellow1", "red7/green9"}
    with pytest.raises(
        IllegalMove, match="green2/blue5 is a trump and does not follow: you hold a plain card with red or green"
    ):
        play(state, "green2/blue5")


def test_a_card_that_is_not_in_the_hand() -> None:
    state = table("green1/red2", "red0/yellow1 yellow4/blue9", trump="green")
    play(state, "green1/red2")
    assert may(state) == {"red0/yellow1", "yellow4/blue9"}
    with pytest.raises(IllegalMove, match="yellow8/green10 is not in your hand"):
        play(state, "yellow8/green10")


def test_who_cannot_follow_a_plain_card_plays_any_card() -> None:
    """docs/rules/xxl.md, "Variant 6+": whoever cannot may play any card, trumps included."""
    state = table("green1/red2", "green2/blue5 yellow4/blue9 yellow8/green10", "red0/yellow1", trump="blue")
    play(state, "green1/red2")
    # Yellow 8/green 10 is plain and green.
    assert may(state) == {"yellow8/green10"}
    state = table("green1/red2", "green2/blue5 yellow4/blue9", "red0/yellow1", trump="blue")
    play(state, "green1/red2")
    assert may(state) == {"green2/blue5", "yellow4/blue9"}
    state = table("green1/red2", "green2/blue5", "red0/yellow1 red7/blue8 green1/yellow5", trump="yellow")
    play(state, "green1/red2", "green2/blue5")
    # Green is fixed, and the only card with green is a trump.
    assert may(state) == {"red0/yellow1", "red7/blue8", "green1/yellow5"}


def test_a_trump_never_fixes_the_trick_colour() -> None:
    """docs/rules/xxl.md, "Variant 6+", ruling: after green 2/blue 5, a trump, red and green are both open."""
    state = table("green1/red2", "green2/blue5", "red0/yellow1 yellow8/green10", "red7/green9", trump="blue")
    play(state, "green1/red2", "green2/blue5")
    assert GAME.view(state, None)["trick"]["open_colours"] == ["red", "green"]
    assert may(state) == {"red0/yellow1", "yellow8/green10"}
    play(state, "red0/yellow1")
    assert GAME.view(state, None)["trick"]["open_colours"] == ["red"]


def test_two_plain_colours_are_open_until_one_is_fixed() -> None:
    """docs/rules/xxl.md, "Variant 6+": as in game 6; the first example of "Game 6" with yellow as trump."""
    state = table("green1/red2", "green2/blue5", "green3/blue4 red0/yellow1 blue1/red3", trump="yellow")
    play(state, "green1/red2", "green2/blue5")
    assert GAME.view(state, None)["trick"]["open_colours"] == ["green"]
    assert may(state) == {"green3/blue4"}


# Taking tricks.


def test_the_highest_trump_wins() -> None:
    """docs/rules/xxl.md, "Variant 6+": the highest trump, by its number in the trump colour.

    Blue is trump: of green 2/blue 5, blue 4/yellow 7 and yellow 8/green 10 it is blue 5, not the higher 7 or 10.
    """
    state = table("red7/green9", "green2/blue5", "blue4/yellow7", "yellow8/green10", trump="blue")
    play(state, "red7/green9", "green2/blue5", "blue4/yellow7", "yellow8/green10")
    assert last_trick(state) == ("green", 1)
    assert GAME.view(state, None)["points"] == [0, 16 + 7 + 11 + 18, 0, 0]


@pytest.mark.parametrize(
    ("trump", "cards", "winner"),
    [
        # The lowest trump beats the highest plain card.
        ("red", ("yellow8/green10", "red0/yellow1", "green1/yellow5"), 1),
        # Green 9 as trump three times: with yellow 6 it totals 15, with red 7 16, with yellow 2 11.
        ("green", ("yellow6/green9", "red7/green9", "green2/yellow9"), 1),
        # Without a trump the highest number in the trick colour; equal numbers by the total (green 9 again).
        ("blue", ("yellow6/green9", "red7/green9", "green1/red9"), 1),
        # Green 0 against green 0: 6 and 9.
        ("blue", ("green0/red6", "green0/yellow9"), 1),
    ],
)
def test_who_takes_the_trick(trump: str, cards: Sequence[str], winner: int) -> None:
    """docs/rules/xxl.md, "Variant 6+": highest trump, else highest number in the trick colour, then the total."""
    state = table(*cards, trump=trump)
    play(state, *cards)
    assert last_trick(state)[1] == winner


def test_still_open_the_last_plain_card_with_both_colours_decides() -> None:
    """docs/rules/xxl.md, "Variant 6+", ruling: the last plain card that bears both.

    Blue is trump. Green 1/red 2, then red 7/green 9: green, and 9 is higher than 1. The other way round: red,
    and 7 is higher than 2. A trump after that counts for nothing but takes the trick.
    """
    state = table("green1/red2", "red7/green9", trump="blue")
    play(state, "green1/red2", "red7/green9")
    assert last_trick(state) == ("green", 1)
    state = table("red7/green9", "green1/red2", trump="blue")
    play(state, "red7/green9", "green1/red2")
    assert last_trick(state) == ("red", 0)
    state = table("red7/green9", "green1/red2", "blue5/green8", trump="blue")
    play(state, "red7/green9", "green1/red2", "blue5/green8")
    assert last_trick(state) == ("red", 2)


def test_a_hand_worked_game() -> None:
    """docs/rules/xxl.md, "Variant 6+": three tricks of two players, scored by hand; seat 1 declares green.

    1. Seat 1 leads blue 9/yellow 10, plain. Seat 0 holds one plain card with blue or yellow, red 0/yellow 1,
       and must play it: yellow is fixed. Seat 1 takes 19 + 1 = 20.
    2. Seat 1 leads red 1/blue 7. Seat 0 has two trumps left and plays green 0/red 6, which takes 8 + 6 = 14.
    3. Seat 0 leads red 7/green 9, a trump. Seat 1 must follow with green 1/red 2: seat 0 takes 16 + 3 = 19.
    """
    state = table(
        "red0/yellow1 red7/green9 green0/red6", "blue9/yellow10 red1/blue7 green1/red2", trump="green", declarer=1
    )
    play(state, "blue9/yellow10")
    assert may(state) == {"red0/yellow1"}
    play(state, "red0/yellow1")
    assert last_trick(state) == ("yellow", 1)
    play(state, "red1/blue7")
    assert may(state) == {"red7/green9", "green0/red6"}
    play(state, "green0/red6")
    assert GAME.view(state, None)["points"] == [14, 20]
    assert GAME.outcome(state) is None
    play(state, "red7/green9", "green1/red2")
    assert GAME.outcome(state) == Outcome((33, 20), (1, 2), "hands_played")


class Retold:
    """The rules of docs/rules/xxl.md, "Variant 6+" and "Game 6", once more, with words instead of bits."""

    def __init__(self, hands: list[list[str]], declarer: int) -> None:
        self.hands = hands
        self.trump = ""
        self.leader = declarer
        self.trick: list[str] = []
        self.points = [0] * len(hands)

    def seat(self) -> int:
        return (self.leader + len(self.trick)) % len(self.hands)

    def plain(self, word: str) -> bool:
        return self.trump not in halves(word)

    def open_colours(self) -> set[str]:
        if not self.plain(self.trick[0]):
            return {self.trump}
        colours = set(halves(self.trick[0]))
        for word in self.trick:
            shown = colours & set(halves(word))
            if self.plain(word) and len(shown) == 1:
                colours = shown
        return colours

    def follows(self, word: str) -> bool:
        if not self.plain(self.trick[0]):
            return not self.plain(word)
        return self.plain(word) and bool(self.open_colours() & set(halves(word)))

    def moves(self) -> set[str]:
        if not self.trump:
            return {f"trump {colour}" for colour in COLOURS}
        hand = self.hands[self.seat()]
        return {word for word in hand if self.trick and self.follows(word)} or set(hand)

    def play(self, word: str) -> None:
        if not self.trump:
            self.trump = word.removeprefix("trump ")
            return
        self.hands[self.seat()].remove(word)
        self.trick.append(word)
        if len(self.trick) == len(self.hands):
            self.finish_trick()

    def finish_trick(self) -> None:
        colours = self.open_colours()
        if len(colours) == 2:
            last = [word for word in self.trick if self.plain(word) and set(halves(word)) == colours][-1]
            colours = {max(colours, key=lambda colour: halves(last)[colour])}
        (colour,) = colours
        trumps = [word for word in self.trick if not self.plain(word)]
        counting = self.trump if trumps else colour
        best = max(trumps or self.trick, key=lambda word: (halves(word).get(counting, -1), total(word)))
        self.leader = (self.leader + self.trick.index(best)) % len(self.hands)
        self.points[self.leader] += total(*self.trick)
        self.trick = []


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.data())
def test_games_against_a_naive_reading_of_the_rules(seed: int, seats: int, data: st.DataObject) -> None:
    """docs/rules/xxl.md, "Variant 6+": the same moves are allowed at every turn, and the same scores come out."""
    declarer = data.draw(st.integers(0, seats - 1))
    playthrough = Playthrough(GAME, seats, seed, {"declarer": declarer})
    hands = [GAME.view(playthrough.state, seat)["hand"] or [] for seat in range(seats)]
    retold = Retold(hands, declarer)
    rng = Random(seed)
    while to_move := playthrough.to_move():
        assert to_move == (retold.seat(),)
        assert may(playthrough.state) == retold.moves()
        move = rng.choice(GAME.legal(playthrough.state, to_move[0]))
        playthrough.play(Turn(to_move[0], move))
        retold.play(GAME.describe(move))
        assert GAME.view(playthrough.state, None)["points"] == retold.points
    assert not any(retold.hands)
    outcome = playthrough.outcome()
    assert outcome is not None
    assert outcome.scores == tuple(retold.points)


@pytest.mark.parametrize("words", [(), ("trump red",), ("trump blue", "green1/red2")])
def test_a_rollout_plays_each_legal_move_with_the_same_chance(words: Sequence[str]) -> None:
    """Against the chances of all ways to play on."""
    state = table("green1/red2 blue9/yellow10", "green3/blue4 red0/yellow1", "red7/green9 green2/blue5")
    play(state, *words)
    chances = chances_of_play(
        GAME, state, lambda state: (state.trump, tuple(state.tricks.played)) if GAME.outcome(state) else None
    )
    rng = Random(8)
    counts: Counter[Hashable] = Counter()
    for _ in range(int(6 / min(chances.values()))):
        rolled = state.clone()
        GAME.rollout(rolled, rng)
        counts[rolled.trump, tuple(rolled.tricks.played)] += 1
    assert_shares(counts, chances)


# What a seat may know.


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.integers(0, 55), st.data())
def test_hidden_cards_can_change_places_without_a_trace(seed: int, seats: int, moves: int, data: st.DataObject) -> None:
    state = after(GAME, seats, seed, moves).state
    watcher = data.draw(st.none() | st.integers(0, seats - 1))
    hands = state.tricks.hands
    shown = as_set([*state.tricks.played, *state.tricks.cards]) | (0 if watcher is None else hands[watcher])
    pile = data.draw(st.permutations(cards_in(DECK.all_cards & ~shown)))
    swapped = state.clone()
    for seat in range(seats):
        if seat != watcher:
            size = hands[seat].bit_count()
            swapped.tricks.hands[seat] = as_set(pile[:size])
            pile = pile[size:]
    assert GAME.view(swapped, watcher) == GAME.view(state, watcher)
    assert GAME.draw(GAME.view(swapped, watcher)) == GAME.draw(GAME.view(state, watcher))


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.integers(0, 55), st.data())
def test_a_view_names_no_unseen_card(seed: int, seats: int, moves: int, data: st.DataObject) -> None:
    playthrough = after(GAME, seats, seed, moves)
    watcher = data.draw(st.none() | st.integers(0, seats - 1))
    view = GAME.view(playthrough.state, watcher)
    seen = {GAME.describe(move) for _, move in playthrough.turns[1:]}
    if watcher is not None:
        seen |= set(view["hand"] or ())
        assert view["hand"] == DECK.words_of(playthrough.state.tricks.hands[watcher])
    for sent in (json.dumps(view), GAME.draw(view)):
        assert {word for word in DECK.words if word in sent} == seen


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_drawing_fits_a_terminal_and_tells_the_trump(seats: int) -> None:
    for seed in range(10):
        for moves in (0, 1, 20, 1000):
            state = after(GAME, seats, seed, moves).state
            for watcher in (None, *range(seats)):
                view = GAME.view(state, watcher)
                lines = GAME.draw(view).split("\n")
                assert max(map(len, lines)) <= 120
                assert lines[0].startswith("xxl-6-plus, ")
                assert lines[1] == f"trump: {view['trump'] or '-'}, declared by seat 0"


# What a seat must think possible.


def history(view: View) -> list[str]:
    """All moves so far."""
    declared = [f"trump {view['trump']}"] if view["trump"] else []
    return [*declared, *(word for trick in (*view["tricks"], view["trick"]) for word in trick["cards"])]


def explains(retold: Retold, words: Sequence[str]) -> bool:
    """Whether all these moves were allowed, one after another."""
    for word in words:
        if word not in retold.moves():
            return False
        retold.play(word)
    return True


def played_by(view: View) -> list[list[str]]:
    """The cards that each seat has played."""
    seats = view["seats"]
    played: list[list[str]] = [[] for _ in range(seats)]
    for trick in (*view["tricks"], view["trick"]):
        for i, word in enumerate(trick["cards"]):
            played[(trick["leader"] + i) % seats].append(word)
    return played


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.integers(0, 55), st.integers(0, 99), st.data())
def test_determinized_hands_explain_every_card_played(
    seed: int, seats: int, moves: int, chance: int, data: st.DataObject
) -> None:
    """In a state that is thought possible, nobody has failed to follow with a card to follow with."""
    watcher = data.draw(st.none() | st.integers(0, seats - 1))
    view = GAME.view(after(GAME, seats, seed, moves).state, watcher)
    drawn = GAME.determinize(view, Random(chance))
    hands = [[*played, *DECK.words_of(hand)] for played, hand in zip(played_by(view), drawn.tricks.hands, strict=True)]
    retold = Retold(hands, view["declarer"])
    assert explains(retold, history(view))
    assert retold.points == view["points"]


def possible(deck: Deck, view: View) -> set[Hashable]:
    """All hands that the view allows, by trying out every one."""
    own, played = view["hand"] or [], played_by(view)
    seen = {word for words in (own, *played) for word in words}
    unseen = [word for word in deck.words if word not in seen]
    others = [seat for seat in range(view["seats"]) if seat != view["seat"]]
    found: set[Hashable] = set()
    for some in splits(unseen, [view["hand_sizes"][seat] for seat in others]):
        hands = [own.copy() for _ in range(view["seats"])]
        for seat, words in zip(others, some, strict=True):
            hands[seat] = words
        if explains(Retold([p + h for p, h in zip(played, hands, strict=True)], view["declarer"]), history(view)):
            found.add(tuple(map(frozenset, hands)))
    return found


SMALL = IchBestimmDieFarbePlus(Deck(Random(6).sample(DECK.cards, 12)))


def does_not_follow(view: View) -> bool:
    """Whether in some trick a card was played with none of the led card's colours, or a trump to a plain card."""
    for trick in (*view["tricks"], view["trick"]):
        for word in trick["cards"][1:]:
            led = halves(trick["cards"][0])
            if not set(led) & set(halves(word)) or (view["trump"] in halves(word)) != (view["trump"] in led):
                return True
    return False


@pytest.mark.parametrize(
    ("seats", "watcher", "declared"), [(2, 0, False), (3, 0, True), (3, 2, True), (2, 1, True), (3, None, True)]
)
def test_every_possible_hand_is_drawn_equally_often(seats: int, watcher: int | None, declared: bool) -> None:
    """docs/rules/determinization.md, "XXL 6+": the first random position with a card that did not follow."""
    rng = Random(f"{seats} {watcher}")
    while True:
        state = SMALL.position(deal_hands(shuffled(range(12), rng), seats, 3, seats - 1), seats - 1, 0)
        for _ in range(rng.randrange(2, 3 * seats) if declared else 0):
            (seat,) = SMALL.to_move(state)
            SMALL.advance(state, seat, rng.choice(SMALL.legal(state, seat)))
        view = SMALL.view(state, watcher)
        if not declared or does_not_follow(view):
            hands = possible(SMALL.deck, view)
            if 6 <= len(hands) <= 250:
                break
    counts: Counter[Hashable] = Counter()
    for _ in range(20 * len(hands)):
        drawn = SMALL.determinize(view, rng)
        counts[tuple(frozenset(SMALL.deck.words_of(hand)) for hand in drawn.tricks.hands)] += 1
    assert_uniform(counts, hands)


# Words and refusals.


@pytest.mark.parametrize(
    ("word", "read"),
    [
        ("green1/red2", "green1/red2"),
        (" RED2 / green1 ", "green1/red2"),
        ("trump red", "trump red"),
        ("Trump  BLUE", "trump blue"),
        ("trumpgreen", "trump green"),
    ],
)
def test_words_are_read_whatever_their_spelling(word: str, read: str) -> None:
    assert GAME.describe(GAME.parse(word)) == read


def test_every_move_has_a_word_that_is_read_back() -> None:
    moves = range(55 + 4)
    assert [GAME.parse(GAME.describe(move)) for move in moves] == list(moves)
    assert len({GAME.describe(move) for move in moves}) == len(moves)


@pytest.mark.parametrize("word", ["", " ", "trump", "trump pink", "red", "as", "\U0001f0a1", "绿1/红2", "x" * 5000])
def test_rubbish_is_answered_with_how_a_move_is_written(word: str) -> None:
    with pytest.raises(
        UnreadableMove, match=r"A move is a card, as in blue9/yellow10, or a declaration, as in trump red"
    ):
        GAME.parse(word)
    with pytest.raises(UnreadableMove) as caught:
        GAME.parse(word)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("move", [-1, 59, 10**9])
@pytest.mark.parametrize("trump", ["", "red"])
def test_numbers_that_are_no_move(trump: str, move: int) -> None:
    with pytest.raises(IllegalMove, match=f"{move} is no move of this game"):
        GAME.apply(table("green1/red2", "red0/yellow1", trump=trump), Turn(0, move))


def test_game_6_itself_knows_no_trump() -> None:
    """The cards of the deck count under a trump in 6+ alone."""
    GAME.deal(4, 1)
    state = xxl_6.GAME.position([DECK.read_words(["green1/red2"]), DECK.read_words(["green2/blue5"])], 1, 0)
    xxl_6.GAME.apply(state, Turn(0, DECK.read_word("green1/red2")))
    assert state.open_colours.bit_count() == 2
