"""The bot that plays by a rule of thumb: legal everywhere, the same for the same view, right where it is plain."""

import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.arena import round_robin
from games.bots import BOTS
from games.bots.greedy import RULES, GreedyBot
from games.catalog import GAMES
from games.core import NOBODY, AnyGame, Playthrough, Turn
from games.language import speaking
from games.rules import the_game, und_tschuess, xxl_1, xxl_2, xxl_3, xxl_4, xxl_5, xxl_6, xxl_6_plus
from games.rules.the_game_piles import as_set
from games.rules.und_tschuess_deck import DECK as NUMBERS
from games.rules.xxl_deck import DECK
from tests.games.engines import ENGINES, TABLES
from tests.games.random_play import FACTS


def test_every_game_that_can_be_played_has_a_rule_of_thumb() -> None:
    assert set(RULES) == {game.key for game in ENGINES}


@st.composite
def positions(draw: st.DrawFn) -> Playthrough:
    """Of any game, at any table, under any options, after some moves at random."""
    game, seats = draw(st.sampled_from(TABLES))
    setting = draw(st.sampled_from(sorted(FACTS[game.key].settings)))
    seed = draw(st.integers(0, 2**53 - 1))
    options = FACTS[game.key].settings[setting](seats, seed % 100)
    playthrough = Playthrough(game, seats, seed, options)
    rng = Random(seed)
    for _ in range(draw(st.integers(0, 80))):
        if not (to_move := playthrough.to_move()):
            break
        seat = rng.choice(to_move)
        playthrough.play(Turn(seat, rng.choice(playthrough.game.legal(playthrough.state, seat))))
    return playthrough


@settings(max_examples=150)
@given(positions(), st.integers(0, 999))
def test_a_choice_is_legal_and_follows_from_view_and_source_alone(playthrough: Playthrough, chance: int) -> None:
    game = playthrough.game
    bot = GreedyBot(game)
    for seat in playthrough.to_move():
        view, legal = playthrough.view(seat), game.legal(playthrough.state, seat)
        shown = json.dumps(view)
        move = bot.choose(view, legal, Random(chance))
        assert move in legal
        assert json.dumps(view) == shown
        assert GreedyBot(game).choose(json.loads(shown), list(legal), Random(chance)) == move


class OnlyRandom(Random):
    """A source of which nothing but ``random()`` may be used."""

    def getrandbits(self, k: int) -> int:
        raise AssertionError("only random() gives the same sequence in every Python")


@given(positions())
def test_of_the_source_only_random_is_used(playthrough: Playthrough) -> None:
    for seat in playthrough.to_move():
        legal = playthrough.game.legal(playthrough.state, seat)
        assert GreedyBot(playthrough.game).choose(playthrough.view(seat), legal, OnlyRandom(1)) in legal


# Plain decisions.


def chosen(game: AnyGame, state: Any) -> str:
    """The word of what the first seat to move chooses; whatever the source, it is the same."""
    seat = game.to_move(state)[0]
    view, legal = game.view(state, seat), game.legal(state, seat)
    assert len(legal) > 1
    (move,) = {GreedyBot(game).choose(view, legal, Random(chance)) for chance in range(8)}
    return game.describe(move)


def cards(*hands: str) -> list[int]:
    """Hands of XXL cards as sets."""
    return [DECK.read_words(hand.split()) for hand in hands]


def indices(words: str) -> list[int]:
    return [DECK.read_word(word) for word in words.split()]


def play(game: AnyGame, state: Any, word: str) -> None:
    game.apply(state, Turn(game.to_move(state)[0], game.parse(word)))


def test_up_and_down_the_dearest_card_goes_when_nothing_is_left_to_draw() -> None:
    """docs/rules/xxl.md, "Game 1": yellow 10 and green 1 both fit on green 2/yellow 9; the hand counts at the end."""
    hands = cards("blue9/yellow10 green1/red2 red7/blue8", "red3/yellow5 blue4/green6")
    state = xxl_1.GAME.position(hands, indices("green2/yellow9 red0/yellow1"), dealer=1, first=0)
    assert chosen(xxl_1.GAME, state) == "blue9/yellow10 on pile 1 by yellow"


def test_keep_under_small_steps_with_high_cards() -> None:
    """docs/rules/xxl.md, "Game 2": green 8, red 5 and yellow 0 fit; red 1/green 8 is dearest and leaves green open."""
    hands = cards("red1/green8 yellow0/red5 green1/red2", "red3/yellow5 blue4/green6")
    state = xxl_2.GAME.position(hands, indices("yellow6/green9 red7/blue8"), dealer=1, first=0)
    assert chosen(xxl_2.GAME, state) == "red1/green8"


def test_keep_under_a_drawn_card_of_one_point_is_worth_keeping() -> None:
    """docs/rules/xxl.md, "Game 2": red 0/yellow 1 costs one point and fits wherever red or yellow lies."""
    hands = cards("red7/blue8 yellow6/green9", "red3/yellow5 blue4/green6")
    state = xxl_2.GAME.position(hands, indices("green1/red2 red0/yellow1 blue2/green4"), dealer=1, first=0)
    play(xxl_2.GAME, state, "draw")
    assert chosen(xxl_2.GAME, state) == "keep"


def test_get_in_line_the_dearest_ten_goes() -> None:
    """docs/rules/xxl.md, "Game 5": both tens open a run."""
    hands = cards("blue0/red10 blue9/yellow10 green1/red2", "red3/yellow5 blue4/green6")
    state = xxl_5.GAME.position(hands, indices("red7/blue8 yellow6/green9"), dealer=1, first=0)
    assert chosen(xxl_5.GAME, state) == "blue9/yellow10 by yellow"


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        # The last to play: blue 10 takes 19 + 13 points.
        ("blue1/red3 green3/blue10", "green3/blue10"),
        # Nothing takes it: yellow 8/green 10 is kept for a green trick.
        ("red0/yellow1 yellow8/green10", "red0/yellow1"),
    ],
)
def test_i_decide_the_colour_wins_what_it_can_and_keeps_what_it_can_use(hand: str, expected: str) -> None:
    """docs/rules/xxl.md, "Game 6": blue 9/yellow 10 is led."""
    state = xxl_6.GAME.position(cards("blue9/yellow10 green1/red2", hand), dealer=1, leader=0)
    play(xxl_6.GAME, state, "blue9/yellow10")
    assert chosen(xxl_6.GAME, state) == expected


def test_plus_the_colour_of_most_and_highest_cards_is_trump() -> None:
    """docs/rules/xxl.md, "Variant 6+": four of five cards are blue, with 10, 10, 9 and 9."""
    hands = cards("red6/blue10 green7/blue10 blue9/yellow10 red5/blue9 red1/green8", "red0/yellow1")
    assert chosen(xxl_6_plus.GAME, xxl_6_plus.GAME.position(hands, dealer=1, declarer=0)) == "trump blue"


def test_refusing_the_highest_card_is_put_aside() -> None:
    """docs/rules/xxl.md, "Game 3": no card is stronger or worth more than blue 9/yellow 10."""
    state = xxl_3.GAME.position([0, 0], dealer=1, leader=0)
    state.phase, state.turn = xxl_3.PUTTING_ASIDE, NOBODY
    state.won = cards("red0/yellow1 blue9/yellow10 green3/blue4", "green1/red2")
    assert chosen(xxl_3.GAME, state) == "aside blue9/yellow10"


@pytest.mark.parametrize(
    ("lead", "expected"),
    [
        # Yellow 8 can't take yellow 10.
        ("blue9/yellow10 as yellow", "pass"),
        # Blue 10 takes 8 + 13 points.
        ("yellow0/blue8 as blue", "green3/blue10"),
    ],
)
def test_refusing_passes_what_it_cannot_win(lead: str, expected: str) -> None:
    """docs/rules/xxl.md, "Game 3", phase 2: two cards against three, so that passing is allowed."""
    hands = cards("blue9/yellow10 yellow0/blue8 red3/yellow5 red2/green7", "yellow8/green10 green3/blue10")
    state = xxl_3.GAME.position(hands, dealer=1, leader=0)
    state.phase = xxl_3.SECOND
    play(xxl_3.GAME, state, lead)
    assert chosen(xxl_3.GAME, state) == expected


def test_making_straights_the_dearest_is_laid() -> None:
    """docs/rules/xxl.md, "Game 4": red 1-2-3 with red 2/green 7 is worth 9 + 9 + 8, with red 2/blue 6 one less."""
    hand = "red1/green8 red2/green7 red3/yellow5 red2/blue6"
    other = "green0/yellow9 yellow6/green9 blue4/green6 yellow8/green10"
    dealt = [card for pair in zip(hand.split(), other.split(), strict=True) for card in pair]
    dealt += ["blue0/red10", "green5/yellow7"]
    order = indices(" ".join([*dealt, *(word for word in DECK.words if word not in dealt)]))
    state = xxl_4.GAME.position(order, 2, dealer=1, first=0)
    assert chosen(xxl_4.GAME, state) == "straight red1/green8 red2/green7 red3/yellow5"


def piles(hand: Sequence[int], other: Sequence[int], tops: Sequence[int]) -> the_game.PileState:
    """Seat 0 is to move with an empty draw pile, so that one card has to be laid."""
    return the_game.GAME.position([as_set(hand), as_set(other)], tops, b"", 0, hand_size=7)


def test_the_game_ten_back_is_laid() -> None:
    """docs/rules/the-game.md, "Turn": 37 goes back on 47; four cards of the other seat fit again then."""
    state = piles([37, 90], [38, 40, 42, 44, 65, 70, 75], [47, 60, 30, 20])
    assert chosen(the_game.GAME, state) == "37 up1"


def test_the_game_the_smallest_jump_is_laid_and_no_more() -> None:
    """12 costs nothing on 11; 50 would make 5 cards of the other seat impossible on any pile."""
    state = piles([12, 50], [20, 25, 30, 35, 40, 60, 65, 70, 75, 80], [11, 14, 97, 95])
    assert chosen(the_game.GAME, state) == "12 up1"
    play(the_game.GAME, state, "12 up1")
    assert chosen(the_game.GAME, state) == "end"


def test_the_game_a_pile_that_is_asked_for_is_left_alone() -> None:
    """docs/rules/the-game.md, "What players may tell each other": 11 is the trick card of up2; 24 fits up1 too."""
    state = piles([24, 95], [11, 60, 65], [20, 21, 10, 15])
    assert the_game.GAME.view(state, 0)["signals"][1] == [0, 2, 0, 0]
    assert chosen(the_game.GAME, state) == "24 up1"


def test_the_game_who_can_begin_cheaply_starts() -> None:
    """2 on the up piles and 99 on the down piles cost nothing: seat 1 signals 2 for all four."""
    hands = [as_set([40, 41, 42, 43]), as_set([2, 50, 60, 99])]
    state = the_game.GAME.position(hands, [1, 1, 100, 100], bytes([70, 71]), None, hand_size=4)
    assert chosen(the_game.GAME, state) == "start 1"


@pytest.mark.parametrize(
    ("middle", "hand", "expected"),
    [
        # Whoever drops out takes 14 at once; staying inside could bring 15 or nothing.
        ([14, 15], [-10, 5, 6, 7], {"-10"}),
        # Whoever drops out takes -10: the highest cards stay inside.
        ([-10, 15], [1, 2, 14, 15], {"14", "15"}),
    ],
)
def test_und_tschuess_plays_for_the_point_cards(middle: list[int], hand: list[int], expected: set[str]) -> None:
    """docs/rules/und-tschuess.md, "A round"."""
    hands = [NUMBERS.kinds_of(hand), NUMBERS.kinds_of([3, 4, 8, 9]), NUMBERS.kinds_of([2, 6, 10, 11])]
    pile = NUMBERS.kinds_of([*middle, *[5] * 40])
    assert chosen(und_tschuess.GAME, und_tschuess.GAME.position(hands, pile, dealer=2)) in expected


def test_und_tschuess_exchanges_what_is_below_the_average() -> None:
    """docs/rules/und-tschuess.md, "Between rounds": the default deck's average is 5.9."""
    hands = [NUMBERS.kinds_of(hand) for hand in ([-10, 3, 14, 15], [3, 4, 8, 9], [2, 6, 10, 11])]
    state = und_tschuess.GAME.position(hands, NUMBERS.kinds_of([5] * 40), dealer=2)
    state.phase, state.due, state.inside, state.room, state.first_out = und_tschuess.EXCHANGE, 1, 0, 4, 0
    words = [chosen(und_tschuess.GAME, state)]
    for _ in range(2):
        play(und_tschuess.GAME, state, words[-1])
        words.append(chosen(und_tschuess.GAME, state))
    assert words == ["lay off -10", "lay off 3", "done"]


def said(state: und_tschuess.RoundState, word: str) -> str | None:
    """The reason for a move of the first seat to move in und Tschüss."""
    game = und_tschuess.GAME
    seat = game.to_move(state)[0]
    return GreedyBot(game).reason(game.view(state, seat), game.legal(state, seat), game.parse(word))


def test_und_tschuess_says_what_a_card_is_for() -> None:
    """The sums of the others are 0 before the first step: a 14 hardly ever is the lowest, a -10 nearly always."""
    hands = [NUMBERS.kinds_of(hand) for hand in ([-10, 14], [3, 4], [2, 6])]
    state = und_tschuess.GAME.position(hands, NUMBERS.kinds_of([-5, 12]), dealer=2)
    texts = [said(state, word) for word in ("-10", "14")]
    shares = []
    for text in texts:
        assert text is not None
        found = re.fullmatch(r"Drops out now with chance (\d+) % and takes the -5; the last card is the 12\.", text)
        assert found is not None
        shares.append(int(found[1]))
    assert shares[0] > 95
    assert shares[1] < 5
    for word in ("14", "3", "2"):
        play(und_tschuess.GAME, state, word)
    # The 2 dropped out: 14 - 10 is above 3 and what is added to it, 5.9 + 1.5 on average, spread by 6.7, with 17 %.
    assert said(state, "-10") == "Has the higher sum and takes the 12 with chance 17 %."


def test_und_tschuess_says_why_it_exchanges() -> None:
    """The default deck's average is 5.9."""
    hands = [NUMBERS.kinds_of(hand) for hand in ([-10, 14], [3, 4], [2, 6])]
    state = und_tschuess.GAME.position(hands, NUMBERS.kinds_of([5] * 9), dealer=2)
    state.phase, state.due, state.inside, state.room, state.first_out = und_tschuess.EXCHANGE, 1, 0, 2, 0
    assert said(state, "lay off -10") == "Below the deck's average of 5.9."
    assert said(state, "done") == "No card left is below the deck's average of 5.9."
    with speaking("de"):
        assert "5,9" in (said(state, "lay off -10") or "")


# Strength: docs/bots.md has the measured figures.


@pytest.mark.parametrize(
    ("key", "deals", "places"),
    [
        ("xxl-1", 20, 0.1),
        ("xxl-2", 20, 0.2),
        ("xxl-3", 6, 1.0),
        ("xxl-4", 2, 1.0),
        ("xxl-5", 20, 0.1),
        ("xxl-6", 6, 1.0),
        ("xxl-6-plus", 8, 0.7),
        ("und-tschuess", 6, 1.0),
    ],
)
def test_it_is_ahead_of_random_play(key: str, deals: int, places: float) -> None:
    """Two against two at every rotation of the deals: by so many places at least."""
    game = GAMES[key].engine
    assert game is not None
    entrants = {name: BOTS[name] for name in ("random", "greedy")}
    best, other = round_robin(game, entrants, deals=deals, seed=1, seats=4).standings
    assert best.bot == "greedy"
    assert best.place is not None
    assert other.place is not None
    assert best.place.mean + places < other.place.mean


def test_it_leaves_far_fewer_cards_than_random_play() -> None:
    """The smallest jump alone would leave about 20 of 98 cards."""
    entrants = {name: BOTS[name] for name in ("random", "greedy")}
    best, other = round_robin(the_game.GAME, entrants, deals=10, seed=1, seats=4).standings
    assert best.bot == "greedy"
    assert best.score.mean < 12
    assert other.score.mean > 60
