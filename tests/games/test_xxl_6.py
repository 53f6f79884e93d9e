"""XXL game 6, "Ich bestimm die Farbe!": every rule, ruling and example of its page."""

import json
from collections import Counter
from collections.abc import Hashable
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import IllegalMove, Outcome, Turn, event_source, shuffled
from games.rules.xxl_6 import GAME, IchBestimmDieFarbe, TrickState
from games.rules.xxl_deck import DECK, Deck, as_set, cards_in, most_points
from tests.games.cards import halves
from tests.games.chance import assert_shares, assert_uniform, chances_of_play
from tests.games.engines import after


def table(*hands: str, leader: int = 0) -> TrickState:
    """A position before the first lead; one string of words a seat, the last seat deals."""
    sets = [as_set(map(GAME.parse, hand.split())) for hand in hands]
    return GAME.position(sets, dealer=len(hands) - 1, leader=leader)


def play(state: TrickState, *words: str) -> None:
    """Play the words in turn."""
    for word in words:
        (seat,) = GAME.to_move(state)
        GAME.apply(state, Turn(seat, GAME.parse(word)))


def may_play(state: TrickState) -> set[str]:
    """The words of what the seat to move may play."""
    (seat,) = GAME.to_move(state)
    return {GAME.describe(move) for move in GAME.legal(state, seat)}


def open_colours(state: TrickState) -> list[str]:
    return GAME.view(state, None)["trick"]["open_colours"]


# Dealing and leading.


@pytest.mark.parametrize(("seats", "cards"), [(2, 12), (3, 12), (4, 12), (5, 9), (6, 9)])
@pytest.mark.parametrize("dealer", [0, 1, None])
def test_the_deal(seats: int, cards: int, dealer: int | None) -> None:
    """docs/rules/xxl.md, "Game 6" and "The deck" (ruling on dealing): 12 cards with 2 to 4, else 9.

    The k-th card of the shuffled deck goes to the k-th seat from the dealer's left, round and round; the
    dealer is the last seat unless agreed otherwise.
    """
    options = {} if dealer is None else {"dealer": dealer}
    state = GAME.deal(seats, 77, options)
    pile = shuffled(range(55), event_source(77, 0))
    left_of_dealer = 0 if dealer is None else dealer + 1
    for k in range(seats):
        hand = state.hands[(left_of_dealer + k) % seats]
        assert set(cards_in(hand)) == set(pile[k : seats * cards : seats])
    view = GAME.view(state, 0)
    assert view["hand_sizes"] == [cards] * seats
    assert view["set_aside"] == 55 - seats * cards
    assert view["dealer"] == (seats - 1 if dealer is None else dealer)


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.data())
def test_the_player_with_the_most_points_leads(seed: int, seats: int, data: st.DataObject) -> None:
    """docs/rules/xxl.md, "The deck": most hand points; equal, the first from the dealer's left."""
    dealer = data.draw(st.integers(0, seats - 1))
    state = GAME.deal(seats, seed, {"dealer": dealer})
    points = [sum(DECK.totals[card] for card in cards_in(hand)) for hand in state.hands]
    best = [seat for seat in range(seats) if points[seat] == max(points)]
    assert GAME.to_move(state) == (min(best, key=lambda seat: (seat - dealer - 1) % seats),)


def test_any_card_may_be_led() -> None:
    state = table("green1/red2 blue9/yellow10", "green2/blue5 red0/yellow1")
    assert may_play(state) == {"green1/red2", "blue9/yellow10"}


# Following: the table of examples.


def test_a_card_with_one_of_the_two_colours_fixes_it() -> None:
    """docs/rules/xxl.md, "Game 6", example 1: green 1/red 2 led, then green 2/blue 5: green is fixed."""
    state = table("green1/red2", "green2/blue5", "green3/blue4 red0/yellow1 red1/blue7")
    play(state, "green1/red2")
    assert open_colours(state) == ["red", "green"]
    play(state, "green2/blue5")
    assert open_colours(state) == ["green"]
    assert may_play(state) == {"green3/blue4"}
    with pytest.raises(IllegalMove, match="red0/yellow1 does not follow: you hold a card with green"):
        play(state, "red0/yellow1")


def test_a_card_with_both_colours_leaves_the_trick_open() -> None:
    """docs/rules/xxl.md, "Game 6", example 2: then green 9/red 7 (still open), then green 3/blue 4."""
    state = table("green1/red2", "red7/green9", "green3/blue4", "red0/yellow1 green2/blue5 blue9/yellow10")
    play(state, "green1/red2", "red7/green9")
    assert open_colours(state) == ["red", "green"]
    play(state, "green3/blue4")
    assert open_colours(state) == ["green"]
    assert may_play(state) == {"green2/blue5"}
    play(state, "green2/blue5")
    assert GAME.view(state, None)["tricks"][0]["colour"] == "green"
    assert GAME.view(state, None)["tricks"][0]["winner"] == 1


def test_open_to_the_end_the_higher_number_of_the_last_card_decides() -> None:
    """docs/rules/xxl.md, "Game 6", example 3: green 1/red 2, green 9/red 7 and no one else: green."""
    state = table("green1/red2", "red7/green9")
    play(state, "green1/red2", "red7/green9")
    (trick,) = GAME.view(state, None)["tricks"]
    assert trick == {"leader": 0, "cards": ["green1/red2", "red7/green9"], "colour": "green", "winner": 1}
    assert state.points == [0, 3 + 16]


def test_open_to_the_end_the_last_card_decides_not_the_first() -> None:
    """docs/rules/xxl.md, "Game 6": led the other way round, the last card's higher number is red 2."""
    state = table("red7/green9", "green1/red2")
    play(state, "red7/green9", "green1/red2")
    (trick,) = GAME.view(state, None)["tricks"]
    assert (trick["colour"], trick["winner"]) == ("red", 0)


def test_open_to_the_end_cards_that_do_not_follow_do_not_count() -> None:
    """docs/rules/xxl.md, "Game 6", ruling: the last card that bears both colours decides.

    Seat 2 can't follow; its blue 9/yellow 10 is the last card, but the last with both colours is
    green 1/red 2: red, and red 7 is the highest.
    """
    state = table("red7/green9", "green1/red2", "blue9/yellow10")
    play(state, "red7/green9", "green1/red2", "blue9/yellow10")
    (trick,) = GAME.view(state, None)["tricks"]
    assert (trick["colour"], trick["winner"]) == ("red", 0)


def test_when_nobody_can_follow_the_led_card_decides() -> None:
    """docs/rules/xxl.md, "Game 6", ruling: the led card is then the last with both colours."""
    state = table("green1/red2", "blue9/yellow10", "blue8/yellow9")
    play(state, "green1/red2", "blue9/yellow10", "blue8/yellow9")
    (trick,) = GAME.view(state, None)["tricks"]
    assert (trick["colour"], trick["winner"]) == ("red", 0)
    assert state.points == [3 + 19 + 17, 0, 0]


def test_while_open_either_colour_follows() -> None:
    """docs/rules/xxl.md, "Game 6": one of the led card's two colours must be followed."""
    state = table("green1/red2", "green3/blue4 red0/yellow1 blue9/yellow10")
    play(state, "green1/red2")
    assert may_play(state) == {"green3/blue4", "red0/yellow1"}
    with pytest.raises(IllegalMove, match="you hold a card with red or green"):
        play(state, "blue9/yellow10")


def test_who_cannot_follow_plays_any_card_which_fixes_nothing() -> None:
    """docs/rules/xxl.md, "Game 6": whoever cannot follow plays any card, which fixes nothing."""
    state = table("green1/red2", "blue9/yellow10 blue8/yellow9", "red0/yellow1 green2/blue5 blue0/yellow2")
    play(state, "green1/red2")
    assert may_play(state) == {"blue9/yellow10", "blue8/yellow9"}
    play(state, "blue9/yellow10")
    assert open_colours(state) == ["red", "green"]
    assert may_play(state) == {"red0/yellow1", "green2/blue5"}


def test_once_fixed_the_other_led_colour_does_not_follow() -> None:
    """docs/rules/xxl.md, "Game 6": the trick colour must be followed once it is fixed.

    Seat 2 has no green and may play red 0/yellow 1, which does not bring red back.
    """
    state = table("green1/red2", "green2/blue5", "red0/yellow1 blue9/yellow10", "red7/green9 red6/blue10")
    play(state, "green1/red2", "green2/blue5")
    assert may_play(state) == {"red0/yellow1", "blue9/yellow10"}
    play(state, "red0/yellow1")
    assert open_colours(state) == ["green"]
    assert may_play(state) == {"red7/green9"}


# Taking tricks and scoring.


def test_the_highest_number_in_the_trick_colour_takes_and_leads() -> None:
    """docs/rules/xxl.md, "Game 6": the highest number in the trick colour takes the trick and leads.

    Green 2/blue 5 is led, green 3/blue 4 leaves it open, green 1/red 2 fixes green: green 3 takes it.
    """
    state = table("green1/red2 red0/yellow1", "green2/blue5 blue9/yellow10", "green3/blue4 yellow0/green4", leader=1)
    play(state, "green2/blue5", "green3/blue4", "green1/red2")
    assert state.points == [0, 0, 7 + 7 + 3]
    assert GAME.to_move(state) == (2,)
    assert GAME.outcome(state) is None


@pytest.mark.parametrize(
    ("cards", "winner", "points"),
    [
        # Green 9 twice: with yellow 6 it totals 15, with red 7 16; green 0/red 6 has fixed green.
        (("yellow6/green9", "green0/red6", "red7/green9", "green1/red9"), 2, 15 + 6 + 16 + 10),
        (("red7/green9", "green1/red9", "yellow6/green9", "green2/blue5"), 0, 16 + 10 + 15 + 7),
        # Nothing but green 0: with red 6 it totals 6, with yellow 9 9, which fixes green.
        (("green0/red6", "green0/yellow9"), 1, 6 + 9),
    ],
)
def test_equal_numbers_go_by_the_total(cards: tuple[str, ...], winner: int, points: int) -> None:
    """docs/rules/xxl.md, "Game 6": equal numbers: the higher total value."""
    state = table(*cards)
    play(state, *cards)
    (trick,) = GAME.view(state, None)["tricks"]
    assert (trick["colour"], trick["winner"]) == ("green", winner)
    assert state.points[winner] == points


def test_a_hand_worked_game() -> None:
    """docs/rules/xxl.md, "Game 6": three tricks of two players, scored by hand.

    1. Seat 0 leads green 1/red 2. All cards of seat 1 follow; it plays red 0/yellow 1: red is fixed, 2
       beats 0, seat 0 takes 3 + 1 = 4.
    2. Seat 0 leads blue 9/yellow 10. Seat 1 has neither and plays red 7/green 9: open to the end, the
       led card decides: yellow. Seat 0 takes 19 + 16 = 35, together 39.
    3. Seat 0 leads red 1/blue 7. Seat 1 has green 0/red 6 left: red is fixed, 6 beats 1, seat 1 takes
       8 + 6 = 14.
    """
    state = table("green1/red2 blue9/yellow10 red1/blue7", "red0/yellow1 red7/green9 green0/red6")
    play(state, "green1/red2")
    assert may_play(state) == {"red0/yellow1", "red7/green9", "green0/red6"}
    play(state, "red0/yellow1")
    assert state.points == [4, 0]
    play(state, "blue9/yellow10", "red7/green9")
    assert state.points == [39, 0]
    play(state, "red1/blue7", "green0/red6")
    assert GAME.outcome(state) == Outcome((39, 14), (1, 2), "hands_played")


def test_equal_scores_share_the_place() -> None:
    """docs/rules/xxl.md, "Scoring a session": equal scores share the place.

    Green 2/blue 5 against green 3/blue 4 stays open, blue is higher on the last card, blue 5 takes
    7 + 7 = 14; then red 1/blue 7 against green 0/red 6: red 6 takes 8 + 6 = 14.
    """
    state = table("green2/blue5 red1/blue7", "green3/blue4 green0/red6")
    play(state, "green2/blue5", "green3/blue4", "red1/blue7", "green0/red6")
    assert GAME.outcome(state) == Outcome((14, 14), (1, 1), "hands_played")


@given(st.integers(0, 2**53 - 1), st.integers(2, 6))
def test_tricks_against_a_naive_reading_of_the_rules(seed: int, seats: int) -> None:
    """docs/rules/xxl.md, "Game 6": whole games against the rules retold with words instead of bits."""
    state = after(GAME, seats, seed, 1000).state
    hands: list[set[str]] = [set() for _ in range(seats)]
    tricks = list(GAME.tricks(state))
    for trick in tricks:
        for i, played in enumerate(trick.cards):
            hands[(trick.leader + i) % seats].add(DECK.words[played])
    points = [0] * seats
    leader = state.leaders[0]
    for trick in tricks:
        assert trick.leader == leader
        cards = [halves(DECK.words[played]) for played in trick.cards]
        allowed = set(cards[0])
        for i, card in enumerate(cards):
            player = (leader + i) % seats
            can_follow = any(allowed & set(halves(word)) for word in hands[player])
            assert bool(allowed & set(card)) or not can_follow
            hands[player].remove(DECK.words[trick.cards[i]])
            if len(allowed & set(card)) == 1:
                allowed &= set(card)
        if len(allowed) == 2:
            last = [card for card in cards if set(card) == allowed][-1]
            allowed = {max(last, key=lambda colour: last[colour])}
        (colour,) = allowed
        ranking = [(card.get(colour, -1), sum(card.values())) for card in cards]
        leader = (leader + ranking.index(max(ranking))) % seats
        assert trick.winner == leader
        points[leader] += sum(total for _, total in ranking)
    assert state.points == points


# What a seat may know.


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.integers(0, 54), st.data())
def test_hidden_cards_can_change_places_without_a_trace(seed: int, seats: int, moves: int, data: st.DataObject) -> None:
    state = after(GAME, seats, seed, moves).state
    watcher = data.draw(st.none() | st.integers(0, seats - 1))
    others = [seat for seat in range(seats) if seat != watcher]
    own = 0 if watcher is None else state.hands[watcher]
    played = {card for trick in GAME.tricks(state) for card in trick.cards} | set(state.cards)
    hidden = [card for card in range(55) if card not in played and not own >> card & 1]
    pile = data.draw(st.permutations(hidden))
    swapped = state.clone()
    for seat in others:
        size = state.hands[seat].bit_count()
        swapped.hands[seat] = as_set(pile[:size])
        pile = pile[size:]
    assert GAME.view(swapped, watcher) == GAME.view(state, watcher)
    assert GAME.draw(GAME.view(swapped, watcher)) == GAME.draw(GAME.view(state, watcher))


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.integers(0, 54), st.data())
def test_a_view_names_no_unseen_card(seed: int, seats: int, moves: int, data: st.DataObject) -> None:
    state = after(GAME, seats, seed, moves).state
    watcher = data.draw(st.none() | st.integers(0, seats - 1))
    view = GAME.view(state, watcher)
    sent = json.dumps(view)
    seen = {card for trick in GAME.tricks(state) for card in trick.cards} | set(state.cards)
    if watcher is not None:
        seen |= set(cards_in(state.hands[watcher]))
        assert view["hand"] == DECK.words_of(state.hands[watcher])
    assert {word for word in DECK.words if word in sent} == {DECK.words[card] for card in seen}


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_drawing_fits_a_terminal(seats: int) -> None:
    for seed in range(10):
        for moves in (0, 20, 1000):
            state = after(GAME, seats, seed, moves).state
            for watcher in (None, *range(seats)):
                assert max(map(len, GAME.draw(GAME.view(state, watcher)).split("\n"))) <= 120


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.integers(0, 54), st.integers(0, 99), st.data())
def test_determinized_hands_explain_every_card_played(
    seed: int, seats: int, moves: int, chance: int, data: st.DataObject
) -> None:
    """In a state that is thought possible, nobody has failed to follow with a card to follow with."""
    watcher = data.draw(st.none() | st.integers(0, seats - 1))
    view = GAME.view(after(GAME, seats, seed, moves).state, watcher)
    drawn = GAME.determinize(view, Random(chance))
    history = [(trick.leader, trick.cards) for trick in GAME.tricks(drawn)]
    history.append((drawn.leader, tuple(drawn.cards)))
    plays = [((leader + i) % seats, card) for leader, cards in history for i, card in enumerate(cards)]
    dealt = list(drawn.hands)
    for seat, card in plays:
        dealt[seat] |= 1 << card
    again = GAME.position(dealt, view["dealer"], history[0][0])
    for seat, card in plays:
        GAME.apply(again, Turn(seat, card))
    assert again == drawn


def test_determinized_hands_are_as_the_rules_leave_them() -> None:
    """Seat 1 did not follow red 7/green 9, so it holds neither colour; its one card is yellow and blue.

    Seat 0 began with 16 + 18 points, which seat 1 can't have had; all the other blue and yellow cards come up.
    """
    state = GAME.deal(2, 1)
    view = GAME.view(state, 0)
    played = "red7/green9", "blue0/yellow2"
    view["hand"] = ["yellow8/green10"]
    view["hand_sizes"] = [1, 1]
    view["set_aside"] = 51
    view["to_move"] = [0]
    view["points"] = [18, 0]
    view["tricks"] = [{"leader": 0, "cards": list(played), "colour": "green", "winner": 0}]
    view["trick"] = {"leader": 0, "cards": [], "open_colours": []}
    drawn = {DECK.words_of(GAME.determinize(view, Random(chance)).hands[1])[0] for chance in range(300)}
    assert drawn == {
        word for word in DECK.words if "green" not in word and "red" not in word and word != "blue0/yellow2"
    }


def test_the_first_lead_tells_who_had_the_most_points() -> None:
    """docs/rules/xxl.md, "The deck": a determinized deal lets the same player begin, nearly always."""
    state = GAME.deal(4, 12)
    (leader,) = GAME.to_move(state)
    view = GAME.view(state, (leader + 1) % 4)
    rng = Random(2)
    begins = [
        most_points([DECK.hand_points(hand) for hand in GAME.determinize(view, rng).hands], 3) for _ in range(100)
    ]
    assert begins.count(leader) >= 90


def test_every_deal_that_a_seat_must_think_possible_is_equally_likely() -> None:
    """docs/rules/determinization.md, "Ich bestimm die Farbe!": nine cards, three hands of two, three set aside.

    Seat 0 led and so had the most points; seat 1 did not follow. All ways to spread the five unseen cards are
    tried against the rules.
    """
    words = [
        *("red7/green9", "yellow8/green10", "blue8/yellow9", "blue4/yellow7", "green1/red2", "yellow3/red8"),
        *("blue9/yellow10", "yellow0/blue8", "red3/yellow5"),
    ]
    game = IchBestimmDieFarbe(Deck([DECK.cards[DECK.read_word(word)] for word in words]))
    seat_0, seat_1, seat_2 = (game.deck.read_words(words[i : i + 2]) for i in (0, 2, 4))
    state = game.position([seat_0, seat_1, seat_2], dealer=2, leader=0)
    game.apply(state, Turn(0, game.parse("red7/green9")))
    game.apply(state, Turn(1, game.parse("blue8/yellow9")))

    possible: list[Hashable] = []
    unseen = [words[1], words[3], *words[6:]]
    for first, second in permutations(unseen, 2):
        totals = [16 + sum(halves(first).values()), 17 + sum(halves(second).values()), 3 + 11]
        follows = {"red", "green"} & set(halves(second))
        if totals[0] == max(totals) and not follows:
            possible.append((first, second))
    assert 3 < len(possible) < 12

    view, rng = game.view(state, 2), Random(6)
    counts: Counter[Hashable] = Counter()
    for _ in range(2000):
        drawn = game.determinize(view, rng)
        counts[tuple(game.deck.words_of(hand)[0] for hand in drawn.hands[:2])] += 1
    assert_uniform(counts, possible)


# Playing on at random.


def test_a_rollout_chooses_every_legal_card_equally_often() -> None:
    """Three seats, from the middle of a trick: against the chances of all ways to play on."""
    state = table(
        "green1/red2 blue9/yellow10 red1/blue7",
        "green3/blue4 red0/yellow1 green0/red6",
        "red7/green9 green2/blue5 red3/yellow5",
    )
    play(state, "green1/red2")
    chances = chances_of_play(GAME, state, lambda state: tuple(state.played) if GAME.outcome(state) else None)
    assert len(chances) > 20
    rng = Random(8)
    counts: Counter[Hashable] = Counter()
    for _ in range(4000):
        rolled = state.clone()
        GAME.rollout(rolled, rng)
        counts[tuple(rolled.played)] += 1
    assert_shares(counts, chances)


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.integers(0, 60), st.integers(0, 99))
def test_a_rollout_keeps_to_the_rules(seed: int, seats: int, moves: int, chance: int) -> None:
    dealt = GAME.deal(seats, seed)
    rolled = after(GAME, seats, seed, moves).state.clone()
    GAME.rollout(rolled, Random(chance))
    for trick in GAME.tricks(rolled):
        for card in trick.cards:
            (seat,) = GAME.to_move(dealt)
            GAME.apply(dealt, Turn(seat, card))
    assert dealt == rolled
    assert GAME.outcome(rolled) is not None
