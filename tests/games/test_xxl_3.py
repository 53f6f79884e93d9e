"""XXL game 3, "Verweigern gestattet": every rule and ruling of its page."""

import json
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from copy import deepcopy
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import IllegalMove, Outcome, OutOfTurn, Playthrough, Turn, UnreadableMove, event_source, shuffled
from games.rules.xxl_3 import (
    EARLY_END,
    FIRST,
    GAME,
    OVER,
    PUTTING_ASIDE,
    SECOND,
    SECOND_DEAL,
    RefusalState,
    VerweigernGestattet,
    View,
)
from games.rules.xxl_deck import DECK, NO_CARD, Deck, as_set, cards_in, deal_hands
from tests.games.cards import halves, splits, total
from tests.games.chance import assert_shares, assert_uniform, chances_of_play
from tests.games.engines import after


def cards(words: str) -> int:
    """The set of cards of a string of words."""
    return DECK.read_words(words.split())


def table(*hands: str, leader: int = 0) -> RefusalState:
    """A position before the first lead of the first phase; one string of words a seat, the last seat deals."""
    return GAME.position([cards(hand) for hand in hands], dealer=len(hands) - 1, leader=leader)


def second(*hands: str, leader: int = 0) -> RefusalState:
    """A position before the first lead of the second phase, the last seat deals."""
    seats = len(hands)
    return RefusalState(
        dealer=seats - 1,
        hands=[cards(hand) for hand in hands],
        leader=leader,
        turn=leader,
        won=[0] * seats,
        put_aside=[NO_CARD] * seats,
        phase=SECOND,
    )


def play(state: RefusalState, *words: str) -> None:
    """Play the words in turn, by the first seat that is to move."""
    for word in words:
        GAME.apply(state, Turn(GAME.to_move(state)[0], GAME.parse(word)))


def may(state: RefusalState, seat: int | None = None) -> set[str]:
    """The words of what the seat (the first that is to move) may do."""
    seat = GAME.to_move(state)[0] if seat is None else seat
    return {GAME.describe(move) for move in GAME.legal(state, seat)}


# Dealing and leading.


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("dealer", [0, 1, None])
def test_the_deal(seats: int, dealer: int | None) -> None:
    """docs/rules/xxl.md, "Game 3" and "The deck" (ruling on dealing): 8 cards each, the rest set aside."""
    state = GAME.deal(seats, 77, {} if dealer is None else {"dealer": dealer})
    pile = shuffled(range(55), event_source(77, 0))
    left_of_dealer = 0 if dealer is None else dealer + 1
    for k in range(seats):
        assert set(cards_in(state.hands[(left_of_dealer + k) % seats])) == set(pile[k : seats * 8 : seats])
    view = GAME.view(state, 0)
    assert (view["hand_sizes"], view["set_aside"]) == ([8] * seats, 55 - 8 * seats)
    assert view["dealer"] == (seats - 1 if dealer is None else dealer)


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.data())
def test_the_player_with_the_most_points_leads(seed: int, seats: int, data: st.DataObject) -> None:
    """docs/rules/xxl.md, "Game 3", phase 1, and "The deck": equal, the first from the dealer's left."""
    dealer = data.draw(st.integers(0, seats - 1))
    state = GAME.deal(seats, seed, {"dealer": dealer})
    points = [sum(map(total, DECK.words_of(hand))) for hand in state.hands]
    best = [seat for seat in range(seats) if points[seat] == max(points)]
    assert GAME.to_move(state) == (min(best, key=lambda seat: (seat - dealer - 1) % seats),)


def test_the_lead_names_one_of_its_two_colours() -> None:
    """docs/rules/xxl.md, "Game 3", phase 1: the leader names which of the led card's two colours counts."""
    state = table("green1/red2 blue9/yellow10", "green2/blue5 red0/yellow1")
    assert may(state) == {
        "green1/red2 as green",
        "green1/red2 as red",
        "blue9/yellow10 as blue",
        "blue9/yellow10 as yellow",
    }
    play(state, "green1/red2 as green")
    assert GAME.view(state, None)["trick"]["colour"] == "green"
    assert may(state) == {"green2/blue5"}


# Phase 1.


def test_the_named_colour_must_be_followed() -> None:
    """docs/rules/xxl.md, "Game 3", phase 1: who has a card with a half in that colour must play one."""
    state = table("green1/red2", "red0/yellow1 green2/blue5 blue1/red3")
    play(state, "green1/red2 as red")
    assert may(state) == {"red0/yellow1", "blue1/red3"}
    with pytest.raises(
        IllegalMove, match=r"green2/blue5 does not follow: you hold a card with red and must play such a one\."
    ):
        play(state, "green2/blue5")


def test_who_has_none_of_the_colour_plays_any_card() -> None:
    """docs/rules/xxl.md, "Game 3", phase 1: others play any card."""
    state = table("green1/red2", "blue9/yellow10 blue4/yellow7")
    play(state, "green1/red2 as red")
    assert may(state) == {"blue9/yellow10", "blue4/yellow7"}


@pytest.mark.parametrize(
    ("lead", "follows", "winner"),
    [
        # Red: 2 of the lead, 3, none, 7. The second cards' higher numbers do not count.
        ("green1/red2 as red", ("blue1/red3", "blue9/yellow10", "red7/green9"), 3),
        # Green: 9, and nobody has green: 0 and the red 2 do not count.
        ("red7/green9 as green", ("blue9/yellow10", "red0/yellow1", "blue1/red3"), 0),
        # Green 9 twice: with yellow 6 it totals 15, with red 7 16.
        ("yellow6/green9 as green", ("red7/green9", "green1/red9", "green0/red6"), 1),
        ("red7/green9 as green", ("yellow6/green9", "green1/red9", "green0/red6"), 0),
        # A led 0 wins when nobody follows.
        ("red0/yellow1 as red", ("blue9/yellow10", "green2/blue5", "blue4/yellow7"), 0),
    ],
)
def test_the_highest_number_in_the_colour_wins(lead: str, follows: Sequence[str], winner: int) -> None:
    """docs/rules/xxl.md, "Game 3", phase 1: the highest number in the colour; equal: the higher total value."""
    filler = ["blue0/yellow2", "yellow0/blue8", "yellow2/blue3", "yellow3/blue7"]
    led, _, colour = lead.split()
    hands = [led, *follows]
    state = table(*(f"{card} {rest}" for card, rest in zip(hands, filler, strict=True)))
    play(state, lead, *follows)
    assert GAME.to_move(state) == (winner,)
    (trick,) = GAME.view(state, None)["first_tricks"]
    assert (trick["winner"], trick["colour"]) == (winner, colour)
    assert state.won[winner] == cards(" ".join(hands))


def test_eight_tricks() -> None:
    """docs/rules/xxl.md, "Game 3", phase 1: 8 tricks."""
    playthrough = after(GAME, 5, 12, 8 * 5 - 1)
    assert playthrough.state.phase == FIRST
    (seat,) = playthrough.to_move()
    playthrough.play(Turn(seat, GAME.legal(playthrough.state, seat)[0]))
    assert playthrough.state.phase != FIRST
    assert len(playthrough.view(None)["first_tricks"]) == 8


def test_nobody_may_pass_in_the_first_phase() -> None:
    """docs/rules/xxl.md, "Game 3": passing belongs to phase 2; the second to play holds fewer cards than the third."""
    state = table("green1/red2 red0/yellow1", "blue1/red3 blue9/yellow10", "red7/green9 green2/blue5")
    with pytest.raises(IllegalMove, match="You lead and may not pass"):
        play(state, "pass")
    play(state, "green1/red2 as red")
    with pytest.raises(IllegalMove, match="Passing is allowed in the second phase only"):
        play(state, "pass")


# Putting aside, early end.


def four_tricks() -> RefusalState:
    """The first phase of four players with four cards each: seat 0 takes two tricks, 1 and 2 one each, 3 none."""
    state = table(
        "blue9/yellow10 yellow8/green10 green1/red2 red0/yellow1",
        "blue4/yellow7 green0/red6 blue1/red3 green2/blue5",
        "yellow0/green4 green3/blue4 red0/yellow3 blue8/yellow9",
        "yellow0/blue8 green1/red9 blue0/yellow2 yellow2/blue3",
    )
    play(state, "blue9/yellow10 as yellow", "blue4/yellow7", "yellow0/green4", "yellow0/blue8")
    play(state, "yellow8/green10 as green", "green0/red6", "green3/blue4", "green1/red9")
    play(state, "green1/red2 as red", "blue1/red3", "red0/yellow3", "blue0/yellow2")
    play(state, "green2/blue5 as blue", "blue8/yellow9", "yellow2/blue3", "red0/yellow1")
    return state


def test_each_player_who_won_cards_puts_one_of_them_aside() -> None:
    """docs/rules/xxl.md, "Game 3", putting aside: one of the cards won, by choice; all at the same time.

    Of four, seat 0 takes two tricks, seats 1 and 2 one each, seat 3 none: one player without a trick is no
    early end with four players.
    """
    state = four_tricks()
    assert [DECK.words_of(won) for won in state.won[1:]] == [
        ["blue0/yellow2", "red0/yellow3", "green1/red2", "blue1/red3"],
        ["red0/yellow1", "yellow2/blue3", "green2/blue5", "blue8/yellow9"],
        [],
    ]
    assert state.phase == PUTTING_ASIDE
    assert GAME.to_move(state) == (0, 1, 2)
    assert GAME.legal(state, 3) == ()
    assert may(state, 1) == {f"aside {word}" for word in ("blue0/yellow2", "red0/yellow3", "green1/red2", "blue1/red3")}
    with pytest.raises(IllegalMove, match="blue9/yellow10 is not among the cards you have won"):
        GAME.apply(state, Turn(1, GAME.parse("aside blue9/yellow10")))
    with pytest.raises(IllegalMove, match="green1/red2 is no choice now: put one of the cards you have won aside"):
        GAME.apply(state, Turn(1, GAME.parse("green1/red2")))
    GAME.apply(state, Turn(1, GAME.parse("aside blue1/red3")))
    assert GAME.to_move(state) == (0, 2)
    assert GAME.legal(state, 1) == ()
    GAME.apply(state, Turn(2, GAME.parse("aside blue8/yellow9")))
    assert not GAME.chance_due(state)
    GAME.apply(state, Turn(0, GAME.parse("aside blue9/yellow10")))
    assert GAME.to_move(state) == ()
    assert GAME.chance_due(state)
    with pytest.raises(OutOfTurn, match="Nobody is to move: first the cards are dealt or shuffled anew"):
        GAME.apply(state, Turn(0, GAME.parse("aside blue9/yellow10")))
    assert GAME.outcome(state) is None
    GAME.settle(state, Random(3))
    assert state.phase == SECOND
    assert [hand.bit_count() for hand in state.hands] == [8, 4, 4, 0]
    assert state.hands[0] & cards("blue9/yellow10")
    assert state.hands[1] & cards("blue1/red3")
    assert state.hands[2] & cards("blue8/yellow9")


def test_a_choice_is_hidden_until_and_after_the_last_is_made() -> None:
    """docs/rules/xxl.md, "Game 3", putting aside: face-down, all at the same time."""
    playthrough = after(GAME, 3, 5, 24)
    state = playthrough.state
    assert state.phase == PUTTING_ASIDE
    before = [playthrough.view(watcher) for watcher in (None, 1, 2)]
    move = GAME.legal(state, 0)[0]
    playthrough.play(Turn(0, move))
    views = [playthrough.view(watcher) for watcher in (None, 1, 2)]
    assert [view["to_move"] for view in views] == [[1, 2]] * 3
    assert [{**view, "to_move": [0, 1, 2]} for view in views] == before
    assert f"aside {playthrough.view(0)['put_aside']}" == GAME.describe(move)


@pytest.mark.parametrize(
    ("hands", "score"),
    [
        # One trick of two players: seat 0 takes 16 + 3.
        (["red7/green9", "green1/red2"], (19, 0)),
        # Two of three: green 9 takes 16 + 3 + 9, blue 10 takes 19 + 16 + 2.
        (["red7/green9 blue9/yellow10", "green1/red2 red6/blue10", "red1/green8 blue0/yellow2"], (28, 37, 0)),
        # Two of four: the fourth adds 1 and 4.
        (
            [
                "red7/green9 blue9/yellow10",
                "green1/red2 red6/blue10",
                "red1/green8 blue0/yellow2",
                "red0/yellow1 blue1/red3",
            ],
            (29, 41, 0, 0),
        ),
    ],
)
def test_early_end(hands: Sequence[str], score: tuple[int, ...]) -> None:
    """docs/rules/xxl.md, "Game 3", early end: 2 or 3 players, one without a trick; 4 to 6, two or more.

    Ruling: putting aside is skipped. The game is scored at once on the cards won.
    """
    state = table(*hands)
    for colour, trick in zip(("green", "blue"), zip(*map(str.split, hands), strict=True), strict=False):
        lead, *follows = trick
        play(state, f"{lead} as {colour}", *follows)
    assert state.phase == EARLY_END
    assert GAME.to_move(state) == ()
    assert not GAME.chance_due(state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.reason) == (score, "early_end")


@pytest.mark.parametrize(
    ("seats", "without", "early"),
    [
        *((seats, without, without >= 1) for seats in (2, 3) for without in (0, 1)),
        *((seats, without, without >= 2) for seats in (4, 5, 6) for without in (0, 1, 2)),
    ],
)
def test_how_many_without_a_trick_end_the_game(seats: int, without: int, early: bool) -> None:
    """docs/rules/xxl.md, "Game 3", early end, in random games of each number of players."""
    ends = (after(GAME, seats, seed, 8 * seats).state for seed in range(1000))
    state = next(state for state in ends if sum(not won for won in state.won) == without)
    assert state.phase == (EARLY_END if early else PUTTING_ASIDE)


# Phase 2.


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.data())
def test_the_second_deal(seed: int, seats: int, data: st.DataObject) -> None:
    """docs/rules/xxl.md, "Game 3", phase 2: all cards but those put aside, in the deck's order, then shuffled.

    Dealt one at a time from the dealer's left, a full hand passed over; the card put aside counts as dealt.
    """
    dealer = data.draw(st.integers(0, seats - 1))
    playthrough = Playthrough(GAME, seats, seed, {"dealer": dealer})
    rng = Random(seed)
    while playthrough.state.phase in (FIRST, PUTTING_ASIDE):
        seat = playthrough.to_move()[0]
        playthrough.play(Turn(seat, rng.choice(GAME.legal(playthrough.state, seat))))
    if playthrough.state.phase == EARLY_END:
        return
    hands: list[list[str]] = [[] for _ in range(seats)]
    for seat, move in playthrough.turns[8 * seats :]:
        hands[seat].append(GAME.describe(move).removeprefix("aside "))
    kept = {word for hand in hands for word in hand}
    pile = shuffled([word for word in DECK.words if word not in kept], event_source(seed, 1))
    tricks = playthrough.view(None)["first_tricks"]
    full = [sum(len(trick["plays"]) for trick in tricks if trick["winner"] == seat) for seat in range(seats)]
    seat = dealer
    while any(len(hand) < size for hand, size in zip(hands, full, strict=True)):
        seat = (seat + 1) % seats
        if len(hands[seat]) < full[seat]:
            hands[seat].append(pile.pop(0))
    assert [set(DECK.words_of(hand)) for hand in playthrough.state.hands] == [set(hand) for hand in hands]
    # The player with the most cards begins; equal: the most hand points; equal again: from the dealer's left.
    best = max(
        range(seats),
        key=lambda seat: (len(hands[seat]), sum(map(total, hands[seat])), -((seat - dealer - 1) % seats)),
    )
    assert playthrough.to_move() == (best,)


@pytest.mark.parametrize("dealer", [0, 1])
def test_equal_again_the_first_from_the_dealers_left_begins(dealer: int) -> None:
    """docs/rules/xxl.md, "Game 3", phase 2: red 0/yellow 3 and green 1/red 2 have 3 points each."""
    game = VerweigernGestattet(Deck([DECK.cards[DECK.read_word(word)] for word in ("red0/yellow3", "green1/red2")]))
    state = RefusalState(dealer, [0, 0], 0, -1, [1, 2], [0, 1], phase=SECOND_DEAL)
    game.settle(state, Random(1))
    assert [game.deck.words_of(hand) for hand in state.hands] == [["red0/yellow3"], ["green1/red2"]]
    assert game.to_move(state) == ((dealer + 1) % 2,)


def test_the_second_deal_is_settled_once() -> None:
    state = second("green1/red2", "red0/yellow1")
    with pytest.raises(RuntimeError, match="no chance event"):
        GAME.settle(state, Random(1))


@pytest.mark.parametrize(
    ("sizes", "may_pass"),
    [
        # Led from 4: 3 are left, more than 2.
        ((4, 2, 2), True),
        # Led from 3: 2 are left, and the third holds 2 as well: nobody holds more.
        ((3, 2, 2), False),
        # The third holds 3 of its own.
        ((3, 2, 3), True),
        ((2, 2, 2), False),
        ((2, 3, 2), False),
        # Two players: 2 or 1 left against 1.
        ((3, 1), True),
        ((2, 1), False),
    ],
)
def test_who_may_pass(sizes: Sequence[int], may_pass: bool) -> None:
    """docs/rules/xxl.md, "Game 3", phase 2: who holds fewer cards at that moment than at least one other player."""
    deck = iter(DECK.words)
    state = second(*(" ".join(next(deck) for _ in range(size)) for size in sizes))
    lead = GAME.legal(state, 0)[0]
    GAME.apply(state, Turn(0, lead))
    assert ("pass" in may(state)) == may_pass
    if not may_pass:
        with pytest.raises(IllegalMove, match="only while you hold fewer cards than another player"):
            play(state, "pass")


def test_cards_played_to_the_trick_under_way_are_held_no_more() -> None:
    """docs/rules/xxl.md, "Game 3", phase 2: fewer cards *at that moment*.

    Each has two. After two have played one each, the third still has two, more than they.
    """
    state = second("green1/red2 red0/yellow1", "green2/blue5 blue1/red3", "red7/green9 blue9/yellow10")
    play(state, "green1/red2 as green")
    assert may(state) == {"green2/blue5"}
    play(state, "green2/blue5")
    assert may(state) == {"red7/green9"}


def test_passing_is_refusing_to_follow() -> None:
    """docs/rules/xxl.md, "Game 3", phase 2: a card that follows may be kept back by a pass, not by another card."""
    state = second("green1/red2 red0/yellow1 yellow0/green4", "blue1/red3")
    play(state, "green1/red2 as red")
    assert may(state) == {"blue1/red3", "pass"}
    state = second("green1/red2 red0/yellow1 yellow0/green4 blue0/yellow2", "blue1/red3 blue9/yellow10")
    play(state, "green1/red2 as red")
    assert may(state) == {"blue1/red3", "pass"}
    with pytest.raises(IllegalMove, match="hold a card with red and must play such a one, or pass"):
        play(state, "blue9/yellow10")


def test_the_leader_may_not_pass() -> None:
    """docs/rules/xxl.md, "Game 3", ruling: the leader may not pass, with the fewest cards either."""
    state = second("green1/red2", "red0/yellow1 blue1/red3 green2/blue5")
    assert may(state) == {"green1/red2 as red", "green1/red2 as green"}
    with pytest.raises(IllegalMove, match="You lead and may not pass"):
        play(state, "pass")


def test_a_pass_is_for_that_trick_only_and_the_leader_may_win_a_lone_card() -> None:
    """docs/rules/xxl.md, "Game 3", ruling: if all others pass the leader wins the lone card; then all play again."""
    state = second(
        "green1/red2 red0/yellow1 yellow0/green4 blue0/yellow2", "blue1/red3 blue1/red6", "red7/green9 red3/yellow5"
    )
    play(state, "green1/red2 as red", "pass", "pass")
    assert state.won == [cards("green1/red2"), 0, 0]
    assert GAME.to_move(state) == (0,)
    play(state, "red0/yellow1 as red")
    assert may(state) == {"blue1/red3", "blue1/red6"}
    play(state, "blue1/red3")
    # Seat 0 holds two, seat 1 one: seat 2 with two can't pass.
    assert may(state) == {"red7/green9", "red3/yellow5"}
    play(state, "red3/yellow5")
    assert GAME.to_move(state) == (2,)
    assert state.won[2] == cards("red0/yellow1 blue1/red3 red3/yellow5")


def test_a_winner_without_cards_passes_the_lead_on_and_is_left_out() -> None:
    """docs/rules/xxl.md, "Game 3", ruling: the lead goes to the next player clockwise with cards.

    Seat 2 takes the trick with its last card: seat 3 leads, and the next trick is played by 3, 0 and 1.
    """
    state = second(
        "green1/red2 red0/yellow1 yellow0/green4",
        "blue1/red3 blue0/yellow2 green2/blue5",
        "red7/green9",
        "red3/yellow5 blue1/red6 blue9/yellow10",
    )
    play(state, "green1/red2 as red", "blue1/red3", "red7/green9", "blue1/red6")
    assert state.won[2] == cards("green1/red2 blue1/red3 red7/green9 blue1/red6")
    assert GAME.to_move(state) == (3,)
    assert GAME.outcome(state) is None
    play(state, "red3/yellow5 as yellow", "red0/yellow1", "blue0/yellow2")
    assert state.won[3] == cards("red3/yellow5 red0/yellow1 blue0/yellow2")
    assert GAME.to_move(state) == (3,)


def test_players_without_cards_are_left_out_from_the_start() -> None:
    """docs/rules/xxl.md, "Game 3", ruling: of five, seat 1 took no trick in the first phase and plays no card."""
    state = second(
        "green1/red2 red0/yellow1",
        "",
        "green2/blue5 blue1/red3",
        "red7/green9 red3/yellow5",
        "green0/red6 yellow0/red5",
    )
    play(state, "green1/red2 as green")
    assert GAME.to_move(state) == (2,)
    play(state, "green2/blue5", "red7/green9", "green0/red6")
    assert GAME.to_move(state) == (3,)
    play(state, "red3/yellow5 as red", "yellow0/red5", "red0/yellow1", "blue1/red3")
    # All are without cards: this is the end as well.
    assert GAME.outcome(state) == Outcome((0, 0, 0, 3 + 7 + 16 + 6, 8 + 5 + 1 + 4), (3, 3, 3, 1, 2), "out_of_cards")


@pytest.mark.parametrize("seats", [2, 3])
def test_the_second_phase_of_two_or_three_ends_when_one_has_no_cards(seats: int) -> None:
    """docs/rules/xxl.md, "Game 3", end of phase 2; ruling: the trick under way is finished first.

    Seat 1 leads its last card; the others still play (there are cards left with all of them), and seat 0
    takes it.
    """
    hands = ["red7/green9 blue9/yellow10", "green1/red2", "red3/yellow5 blue1/red6"][:seats]
    state = second(*hands, leader=1)
    play(state, "green1/red2 as red")
    assert GAME.outcome(state) is None
    play(state, *["blue1/red6", "red7/green9"][3 - seats :])
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "out_of_cards"
    # What is not played counts for nobody.
    assert outcome.scores == ((3 + 16, 0) if seats == 2 else (3 + 16 + 7, 0, 0))
    assert [hand.bit_count() for hand in state.hands] == [1, 0, 1][:seats]


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_the_second_phase_of_four_to_six_ends_when_two_have_no_cards(seats: int) -> None:
    """docs/rules/xxl.md, "Game 3", end of phase 2: when two have none; the trick under way is finished first."""
    hands = ["green1/red2", "green2/blue5", *("green1/red9 blue1/red3", "green0/red6 yellow0/red5")]
    hands += ["green3/blue4 yellow2/blue3", "green4/red10 red3/yellow5"][: seats - 4]
    state = second(*hands)
    play(state, "green1/red2 as green")
    for hand in hands[1:]:
        assert GAME.outcome(state) is None
        play(state, hand.split()[0])
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "out_of_cards"


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_one_who_took_no_trick_in_the_first_phase_counts(seats: int) -> None:
    """docs/rules/xxl.md, "Game 3", end of phase 2: seat 1 had no cards from the start, seat 0 plays its last."""
    hands = ["green1/red2", "", "green1/red9 blue1/red3", "green0/red6 yellow0/red5"]
    hands += ["green3/blue4 yellow2/blue3", "green4/red10 red3/yellow5"][: seats - 4]
    state = second(*hands)
    play(state, "green1/red2 as green", *(hand.split()[0] for hand in hands[2:]))
    assert state.phase == OVER


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_one_player_without_cards_does_not_end_it_for_four_to_six(seats: int) -> None:
    """docs/rules/xxl.md, "Game 3", end of phase 2: two of four to six are needed."""
    hands = ["green1/red2", "green2/blue5 red0/yellow1", "green1/red9 blue1/red3", "green0/red6 yellow0/red5"]
    hands += ["green3/blue4 yellow2/blue3", "green4/red10 red3/yellow5"][: seats - 4]
    state = second(*hands)
    play(state, "green1/red2 as green", *(hand.split()[0] for hand in hands[1:]))
    assert GAME.outcome(state) is None
    assert GAME.to_move(state) == (1 if seats == 4 else 4 if seats == 5 else 5,)


def test_a_hand_worked_game() -> None:
    """docs/rules/xxl.md, "Game 3": two players with two cards each, and a deck of five.

    First phase: seat 0 leads red 7/green 9 as green, seat 1 follows with green 1/red 2: seat 0 takes it and
    leads red 0/yellow 1 as yellow, which blue 9/yellow 10 takes. Seat 0 puts aside red 7/green 9, seat 1 blue
    9/yellow 10. Of the three other cards (1, 3 and the 4 set aside) each gets one. Seat 1 with 19 and more
    begins, unless seat 0 gets the 4 and seat 1 the 1: 20 each, and seat 0 sits on the dealer's left.
    """
    words = ("red0/yellow1", "green1/red2", "blue1/red3", "red7/green9", "blue9/yellow10")
    game = VerweigernGestattet(Deck([DECK.cards[DECK.read_word(word)] for word in words]))
    read = game.deck.read_words
    for chance in range(20):
        state = game.position([read(["red7/green9", "red0/yellow1"]), read(["green1/red2", "blue9/yellow10"])], 1, 0)

        def turn(*turns: tuple[int, str], state: RefusalState = state) -> None:
            for seat, word in turns:
                game.apply(state, Turn(seat, game.parse(word)))

        turn((0, "red7/green9 as green"), (1, "green1/red2"), (0, "red0/yellow1 as yellow"), (1, "blue9/yellow10"))
        turn((1, "aside blue9/yellow10"), (0, "aside red7/green9"))
        game.settle(state, Random(chance))
        dealt = [game.deck.words_of(hand) for hand in state.hands]
        (begins,) = game.to_move(state)
        if dealt == [["red0/yellow1", "red7/green9"], ["green1/red2", "blue9/yellow10"]]:
            # 17 against 22. Seat 1 leads blue 9/yellow 10 as yellow: seat 0 holds two, more than one, and follows.
            assert begins == 1
            turn((1, "blue9/yellow10 as yellow"), (0, "red0/yellow1"))
            # 20 for seat 1, which leads its last card: seat 0 must follow and takes 3 + 16.
            turn((1, "green1/red2 as red"), (0, "red7/green9"))
            assert game.outcome(state) == Outcome((19, 20), (2, 1), "out_of_cards")
            return
        assert begins == (0 if dealt[0][0] == "blue1/red3" and dealt[1][0] == "red0/yellow1" else 1)
    pytest.fail("That deal did not come up.")


# Whole games against the rules retold.


class Retold:
    """The rules of docs/rules/xxl.md, "Game 3", once more, with words instead of bits."""

    def __init__(self, hands: list[list[str]], dealer: int) -> None:
        self.hands = hands
        self.seats = len(hands)
        self.clockwise = [(dealer + 1 + i) % self.seats for i in range(self.seats)]
        self.enough = 1 if self.seats in (2, 3) else 2
        self.phase = 1
        self.kept: dict[int, str] = {}
        self.won: list[list[str]] = [[] for _ in hands]
        self.lead(max(self.clockwise, key=lambda seat: sum(map(total, hands[seat]))))

    def lead(self, seat: int) -> None:
        self.trick: list[tuple[int, str]] = []
        self.colour = ""
        around = self.clockwise * 2
        start = around.index(seat)
        self.waiting = [other for other in around[start : start + self.seats] if self.hands[other]]

    def moves(self) -> dict[int, set[str]]:
        if self.phase == 0:
            return {}
        if not self.waiting:
            return {
                seat: {f"aside {word}" for word in won}
                for seat, won in enumerate(self.won)
                if won and seat not in self.kept
            }
        seat = self.waiting[0]
        hand = self.hands[seat]
        if not self.colour:
            return {seat: {f"{word} as {colour}" for word in hand for colour in halves(word)}}
        moves = {word for word in hand if self.colour in halves(word)} or set(hand)
        if self.phase == 2 and any(len(other) > len(hand) for other in self.hands):
            moves.add("pass")
        return {seat: moves}

    def play(self, seat: int, word: str) -> None:
        if word.startswith("aside "):
            self.kept[seat] = word.removeprefix("aside ")
            return
        self.waiting.remove(seat)
        if " as " in word:
            word, self.colour = word.split(" as ")
        if word != "pass":
            self.hands[seat].remove(word)
            self.trick.append((seat, word))
        if not self.waiting:
            self.finish_trick()

    def finish_trick(self) -> None:
        winner, _ = max(self.trick, key=lambda card: (halves(card[1]).get(self.colour, -1), total(card[1])))
        self.won[winner] += [word for _, word in self.trick]
        empty = sum(not hand for hand in self.hands)
        if self.phase == 1 and empty:
            if sum(not won for won in self.won) >= self.enough:
                self.phase = 0
        elif self.phase == 2 and empty >= self.enough:
            self.phase = 0
        else:
            after_winner = self.clockwise * 2
            start = after_winner.index(winner)
            self.lead(next(seat for seat in after_winner[start:] if self.hands[seat]))

    def deal_again(self, hands: list[list[str]]) -> None:
        assert [len(hand) for hand in hands] == [len(won) for won in self.won]
        assert all(word in hands[seat] for seat, word in self.kept.items())
        self.hands, self.phase = hands, 2
        self.won = [[] for _ in hands]
        self.lead(max(self.clockwise, key=lambda seat: (len(hands[seat]), sum(map(total, hands[seat])))))

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(map(total, won)) for won in self.won)


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.data())
def test_games_against_a_naive_reading_of_the_rules(seed: int, seats: int, data: st.DataObject) -> None:
    """docs/rules/xxl.md, "Game 3": the same moves are allowed at every turn, and the same scores come out."""
    dealer = data.draw(st.integers(0, seats - 1))
    playthrough = Playthrough(GAME, seats, seed, {"dealer": dealer})
    state = playthrough.state
    retold = Retold([DECK.words_of(hand) for hand in state.hands], dealer)
    rng = Random(seed)
    while to_move := playthrough.to_move():
        assert {seat: may(state, seat) for seat in to_move} == retold.moves()
        seat = rng.choice(to_move)
        move = rng.choice(GAME.legal(state, seat))
        playthrough.play(Turn(seat, move))
        retold.play(seat, GAME.describe(move))
        if retold.phase == 1 and not retold.moves():
            retold.deal_again([DECK.words_of(hand) for hand in state.hands])
    assert retold.moves() == {}
    outcome = playthrough.outcome()
    assert outcome is not None
    assert outcome.scores == retold.scores()


def test_random_games_reach_every_end() -> None:
    """The games of the test above are of all kinds: early ends, passes, cards left over, players left out."""
    games = [after(GAME, seats, seed, 1000) for seats in (2, 4) for seed in range(150)]
    assert {played.state.phase for played in games} == {OVER, EARLY_END}
    assert any(GAME.describe(move) == "pass" for played in games for _, move in played.turns)
    assert any(sum(map(bool, played.state.hands)) for played in games)


def ways_to_play_on(state: RefusalState) -> dict[Hashable, float]:
    """The chance of each way to play on at random to the end of the phase, by its moves."""
    return chances_of_play(GAME, state, lambda state: bytes(state.moves) if state.turn < 0 else None)


@pytest.mark.parametrize("moves", [(), ("green1/red2 as green",), ("green1/red2 as red", "red0/yellow1")])
def test_a_rollout_of_the_second_phase_plays_each_legal_move_with_the_same_chance(moves: Sequence[str]) -> None:
    """Three seats, from the beginning and from the middle of a trick: against the chances of all ways to play on."""
    state = second("green1/red2 blue9/yellow10 red1/blue7", "red0/yellow1 blue3/red9", "red7/green9")
    play(state, *moves)
    ways = ways_to_play_on(state)
    rng = Random(8)
    counts: Counter[Hashable] = Counter()
    for _ in range(int(6 / min(ways.values()))):
        rolled = state.clone()
        GAME.rollout(rolled, rng)
        counts[bytes(rolled.moves)] += 1
    assert_shares(counts, ways)


def test_a_rollout_of_the_first_phase_plays_each_legal_move_with_the_same_chance() -> None:
    state = table("green1/red2 blue9/yellow10", "red0/yellow1 blue3/red9", "red7/green9 blue4/yellow7")
    ways = ways_to_play_on(state)
    rng = Random(9)
    counts: Counter[Hashable] = Counter()
    for _ in range(int(6 / min(ways.values()))):
        rolled = state.clone()
        GAME.rollout(rolled, rng)
        counts[bytes(rolled.moves[: rolled.first_turns])] += 1
    assert_shares(counts, ways)


def test_a_rollout_puts_aside_each_card_with_the_same_chance() -> None:
    state = four_tricks()
    rng = Random(10)
    counts: Counter[Hashable] = Counter()
    for _ in range(3000):
        rolled = state.clone()
        GAME.rollout(rolled, rng)
        counts[tuple(rolled.put_aside[1:])] += 1
    assert_uniform(counts, {(*chosen, NO_CARD) for chosen in product(*map(cards_in, state.won[1:3]))})


# What a seat may know.


def shown(state: RefusalState, watcher: int | None) -> int:
    """The cards that the watcher sees in this phase: the own ones and those played."""
    played = as_set(move % 55 for move in state.moves[state.first_turns :] if GAME.describe(move) != "pass")
    return played | (0 if watcher is None else state.hands[watcher])


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.integers(0, 90), st.data())
def test_hidden_cards_can_change_places_without_a_trace(seed: int, seats: int, moves: int, data: st.DataObject) -> None:
    state = after(GAME, seats, seed, moves).state
    watcher = data.draw(st.none() | st.integers(0, seats - 1))
    hidden = DECK.all_cards & ~shown(state, watcher)
    pile = data.draw(st.permutations(cards_in(hidden)))
    swapped = state.clone()
    for seat in range(seats):
        if seat != watcher:
            size = state.hands[seat].bit_count()
            swapped.hands[seat] = as_set(pile[:size])
            pile = pile[size:]
            if state.put_aside[seat] != NO_CARD:
                swapped.put_aside[seat] = data.draw(st.integers(0, 54))
    assert GAME.view(swapped, watcher) == GAME.view(state, watcher)
    assert GAME.draw(GAME.view(swapped, watcher)) == GAME.draw(GAME.view(state, watcher))


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.integers(0, 90), st.data())
def test_a_view_names_no_unseen_card(seed: int, seats: int, moves: int, data: st.DataObject) -> None:
    playthrough = after(GAME, seats, seed, moves)
    state = playthrough.state
    watcher = data.draw(st.none() | st.integers(0, seats - 1))
    view = GAME.view(state, watcher)
    seen = {GAME.describe(move).split()[0] for _, move in playthrough.turns if move < 165}
    if watcher is not None:
        seen |= set(DECK.words_of(state.hands[watcher]))
        assert view["hand"] == DECK.words_of(state.hands[watcher])
        if state.put_aside[watcher] != NO_CARD:
            assert view["put_aside"] == DECK.words[state.put_aside[watcher]]
    for sent in (json.dumps(view), GAME.draw(view)):
        assert {word for word in DECK.words if word in sent} <= seen
    assert {word for word in DECK.words if word in json.dumps(view)} == seen


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.integers(0, 90), st.data())
def test_a_view_counts_cards_and_points(seed: int, seats: int, moves: int, data: st.DataObject) -> None:
    """Points are those of the tricks of this phase, cards are in hands, played in this phase or set aside."""
    state = after(GAME, seats, seed, moves).state
    view = GAME.view(state, data.draw(st.none() | st.integers(0, seats - 1)))
    second_phase = state.phase in (SECOND, OVER)
    tricks = view["second_tricks"] if second_phase else view["first_tricks"]
    points = [0] * seats
    played = [play["move"] for play in view["trick"]["plays"] if play["move"] != "pass"]
    for trick in tricks:
        words = [play["move"].split()[0] for play in trick["plays"] if play["move"] != "pass"]
        points[trick["winner"]] += sum(map(total, words))
        played += words
    assert view["points"] == points
    assert view["set_aside"] + len(played) + sum(view["hand_sizes"]) == 55
    if not second_phase:
        assert view["set_aside"] == 55 - 8 * seats


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_drawing_fits_a_terminal(seats: int) -> None:
    for seed in range(10):
        for moves in (0, 8 * seats, 8 * seats + 9, 1000):
            playthrough = after(GAME, seats, seed, moves)
            for watcher in (None, *range(seats)):
                assert max(map(len, GAME.draw(GAME.view(playthrough.state, watcher)).split("\n"))) <= 120


# What a seat must think possible.


def history(view: View) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """The turns of the first phase and those of the second."""
    turns = []
    for phase, tricks in (("first", view["first_tricks"]), ("second", view["second_tricks"])):
        plays = [play for trick in tricks for play in trick["plays"]]
        plays += view["trick"]["plays"] if view["phase"] == phase else []
        turns.append([(play["seat"], play["move"]) for play in plays])
    return turns[0], turns[1]


def explains(retold: Retold, turns: Sequence[tuple[int, str]]) -> bool:
    """Whether all these turns were allowed, one after another."""
    for seat, word in turns:
        if word not in retold.moves().get(seat, ()):
            return False
        retold.play(seat, word)
    return True


def played_by(turns: Sequence[tuple[int, str]], seats: int) -> list[list[str]]:
    return [[word.split()[0] for seat, word in turns if seat == player and word != "pass"] for player in range(seats)]


@given(st.integers(0, 2**53 - 1), st.integers(2, 6), st.integers(0, 90), st.integers(0, 99), st.data())
def test_determinized_cards_explain_every_turn(
    seed: int, seats: int, moves: int, chance: int, data: st.DataObject
) -> None:
    """In a state that is thought possible nobody has failed to follow with a card to follow with, and so on."""
    watcher = data.draw(st.none() | st.integers(0, seats - 1))
    view = GAME.view(after(GAME, seats, seed, moves).state, watcher)
    drawn = GAME.determinize(view, Random(chance))
    first, again = history(view)
    hands = played_by(first, seats)
    if view["phase"] == "first":
        hands = [[*played, *DECK.words_of(hand)] for played, hand in zip(hands, drawn.hands, strict=True)]
    retold = Retold(hands, view["dealer"])
    # Who led first had the most points; a state in which that is not so is drawn after very many tries only.
    assert explains(retold, first)
    for seat, card in enumerate(drawn.put_aside):
        if card != NO_CARD:
            assert f"aside {DECK.words[card]}" in retold.moves()[seat]
            retold.play(seat, f"aside {DECK.words[card]}")
    if view["phase"] in ("second", "over"):
        played = played_by(again, seats)
        retold.deal_again([[*words, *DECK.words_of(hand)] for words, hand in zip(played, drawn.hands, strict=True)])
        assert explains(retold, again)
    assert set(retold.moves()) == set(view["to_move"])


def possible(game: VerweigernGestattet, view: View) -> set[Hashable]:
    """All hidden arrangements that the view allows, by trying out every one: cards put aside, and hands now."""
    seats, me = view["seats"], view["seat"]
    first, again = history(view)
    own = view["hand"] or []
    others = [seat for seat in range(seats) if seat != me]
    found: set[Hashable] = set()

    def put(some: Sequence[list[str]]) -> list[list[str]]:
        hands: list[list[str]] = [own.copy() for _ in range(seats)]
        for seat, words in zip(others, some, strict=True):
            hands[seat] = words
        return hands

    def key(kept: dict[int, str], hands: Sequence[Sequence[str]]) -> Hashable:
        return tuple(kept.get(seat) for seat in range(seats)), tuple(map(frozenset, hands))

    played = played_by(first, seats)
    if view["phase"] == "first":
        seen = {word for words in (own, *played) for word in words}
        unseen = [word for word in game.deck.words if word not in seen]
        for some in splits(unseen, [view["hand_sizes"][seat] for seat in others]):
            retold = Retold([played[seat] + hand for seat, hand in enumerate(put(some))], view["dealer"])
            if explains(retold, first) and set(retold.moves()) == set(view["to_move"]):
                found.add(key({}, put(some)))
        return found

    base = Retold(played, view["dealer"])
    assert explains(base, first)
    undecided = view["to_move"] if view["phase"] == "putting_aside" else []
    choosing = [seat for seat in range(seats) if base.won[seat] and seat not in undecided]
    choices = [[view["put_aside"]] if seat == me else base.won[seat] for seat in choosing]
    for chosen in product(*choices):
        kept = {seat: word for seat, word in zip(choosing, chosen, strict=True) if word}
        if view["phase"] == "putting_aside":
            found.add(key(kept, [[]] * seats))
            continue
        played = played_by(again, seats)
        mine = [] if me is None else own + played[me]
        if set(mine) & {word for seat, word in kept.items() if seat != me}:
            continue
        unseen = [word for word in game.deck.words if word not in mine and word not in kept.values()]
        for some in splits(unseen, [max(len(base.won[seat]) - 1, 0) for seat in others]):
            hands = [
                [*words, *([kept[seat]] if seat in kept else [])] for seat, words in zip(others, some, strict=True)
            ]
            full = put(hands)
            if me is not None:
                full[me] = mine.copy()
            if not all(set(played[seat]) <= set(full[seat]) for seat in range(seats)):
                continue
            retold = deepcopy(base)
            retold.kept = kept
            retold.deal_again(full)
            if explains(retold, again) and set(retold.moves()) == set(view["to_move"]):
                found.add(key(kept, retold.hands))
    return found


def refused_to_follow(view: View, tricks: Sequence[str]) -> bool:
    """Whether somebody else did not follow in a trick of this phase."""
    for trick in (*view[tricks], view["trick"]):  # type: ignore[literal-required]
        for play in trick["plays"][1:]:
            if play["move"] != "pass" and play["seat"] != view["seat"] and trick["colour"] not in play["move"]:
                return True
    return False


def plays_a_card_won(view: View) -> bool:
    """Whether somebody else played a card in the second phase that may be the one put aside."""
    won = {play["move"].split()[0]: t["winner"] for t in view["first_tricks"] for play in t["plays"]}
    _, again = history(view)
    return any(won.get(word.split()[0]) == seat != view["seat"] for seat, word in again)


def equal_most(view: View) -> bool:
    _, again = history(view)
    sizes = [len(p) + n for p, n in zip(played_by(again, view["seats"]), view["hand_sizes"], strict=True)]
    return sizes.count(max(sizes)) > 1


KINDS: dict[str, Callable[[View], bool]] = {
    "first phase": lambda view: view["phase"] == "first" and refused_to_follow(view, "first_tricks"),
    "putting aside": lambda view: view["phase"] == "putting_aside" and len(view["to_move"]) == 1,
    "second phase": lambda view: (
        view["phase"] == "second" and refused_to_follow(view, "second_tricks") and plays_a_card_won(view)
    ),
    "after a pass": lambda view: (
        view["phase"] == "second" and plays_a_card_won(view) and "pass" in [word for _, word in history(view)[1]]
    ),
    "equal most cards": lambda view: view["phase"] == "second" and equal_most(view) and plays_a_card_won(view),
    "second phase begins": lambda view: view["phase"] == "second" and not history(view)[1],
}


SMALL_GAMES = {number: VerweigernGestattet(Deck(Random(number).sample(DECK.cards, number))) for number in (7, 11)}


@pytest.mark.parametrize(
    ("kind", "seats", "hand_size", "deck", "watcher"),
    [
        ("first phase", 3, 3, 11, 0),
        ("first phase", 3, 3, 11, 2),
        ("first phase", 2, 3, 7, None),
        ("putting aside", 3, 3, 11, 1),
        ("putting aside", 3, 3, 11, None),
        ("second phase begins", 2, 4, 11, 0),
        ("second phase begins", 2, 3, 7, None),
        ("second phase", 3, 3, 11, 0),
        ("second phase", 3, 3, 11, 1),
        ("second phase", 2, 3, 7, None),
        ("after a pass", 2, 4, 11, 1),
        ("after a pass", 2, 3, 7, None),
        ("equal most cards", 3, 3, 11, 2),
        ("equal most cards", 2, 2, 7, None),
    ],
)
def test_every_possible_state_is_drawn_equally_often(
    kind: str, seats: int, hand_size: int, deck: int, watcher: int | None
) -> None:
    """docs/rules/determinization.md, "XXL 3": the first random position of a kind, with a small deck."""
    game, rng = SMALL_GAMES[deck], Random(f"{kind} {seats} {watcher}")
    while True:
        hands = deal_hands(shuffled(range(deck), rng), seats, hand_size, seats - 1)
        state = game.position(hands, seats - 1, game.beginner(hands, seats - 1))
        for _ in range(rng.randrange(1, 3 * seats * hand_size)):
            if to_move := game.to_move(state):
                seat = rng.choice(to_move)
                game.advance(state, seat, rng.choice(game.legal(state, seat)))
            if game.chance_due(state):
                game.settle(state, rng)
        view = game.view(state, watcher)
        if not game.outcome(state) and KINDS[kind](view):
            states = possible(game, view)
            if 6 <= len(states) <= 250:
                break
    counts: Counter[Hashable] = Counter()
    for _ in range(20 * len(states)):
        drawn = game.determinize(view, rng)
        kept = tuple(None if card == NO_CARD else game.deck.words[card] for card in drawn.put_aside)
        counts[kept, tuple(frozenset(game.deck.words_of(hand)) for hand in drawn.hands)] += 1
    assert_uniform(counts, states)


# Words and refusals.


@pytest.mark.parametrize(
    ("word", "read"),
    [
        ("green1/red2", "green1/red2"),
        (" RED2 / green1 ", "green1/red2"),
        ("green1/red2 as red", "green1/red2 as red"),
        ("Red2/Green1 AS  green", "green1/red2 as green"),
        ("red2/green1asred", "green1/red2 as red"),
        ("Pass", "pass"),
        ("ASIDE red2/green1", "aside green1/red2"),
    ],
)
def test_words_are_read_whatever_their_spelling(word: str, read: str) -> None:
    assert GAME.describe(GAME.parse(word)) == read


def test_every_move_has_a_word_that_is_read_back() -> None:
    moves = range(4 * 55 + 1)
    assert [GAME.parse(GAME.describe(move)) for move in moves] == list(moves)
    assert len({GAME.describe(move) for move in moves}) == len(moves)


@pytest.mark.parametrize(
    "word",
    ["", " ", "as", "aside", "aside pass", "green1/red2 as", "red", "Karte", "\U0001f0a1", "绿1/红2", "x" * 5000],
)
def test_rubbish_is_answered_with_how_a_move_is_written(word: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        GAME.parse(word)
    assert len(str(caught.value)) < 250
    if word != "green1/red2 as":
        assert "is no move of this game. A move is a lead, as in blue9/yellow10 as yellow, a card" in str(caught.value)


def test_a_colour_that_the_card_does_not_bear() -> None:
    with pytest.raises(UnreadableMove, match="green1/red2 is led as red or green, not as 'blue'"):
        GAME.parse("green1/red2 as blue")


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("red0/yellow1", "red0/yellow1 is not in your hand"),
        ("red0/yellow1 as red", "red0/yellow1 is not in your hand"),
        ("aside green1/red2", "Cards are put aside between the two phases only"),
        ("green1/red2", "must name the colour that counts: green1/red2 as green, or green1/red2 as red"),
    ],
)
def test_what_may_not_be_led(word: str, words: str) -> None:
    with pytest.raises(IllegalMove, match=words):
        play(table("green1/red2", "red0/yellow1"), word)


def test_only_the_leader_names_a_colour() -> None:
    state = table("green1/red2", "red0/yellow1")
    play(state, "green1/red2 as red")
    with pytest.raises(IllegalMove, match="Only the leader names a colour: play red0/yellow1 alone"):
        play(state, "red0/yellow1 as red")


@pytest.mark.parametrize("move", [-1, 221, 10**9])
@pytest.mark.parametrize("state", [table("green1/red2", "red0/yellow1"), four_tricks()], ids=["lead", "aside"])
def test_numbers_that_are_no_move(state: RefusalState, move: int) -> None:
    with pytest.raises(IllegalMove, match=f"{move} is no move of this game"):
        GAME.apply(state, Turn(0, move))
