"""What XXL 1, 2 and 5 have in common: the turns, the end, what a seat may know and what it must think possible."""

import json
from collections import Counter
from collections.abc import Hashable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import IllegalMove, Outcome, OutOfTurn, Turn, UnreadableMove, event_source, shuffled
from games.rules import xxl_1, xxl_2, xxl_5
from games.rules.xxl_deck import DECK, NO_CARD, as_set, cards_in
from games.rules.xxl_shedding import DRAW, GOES, SheddingGame, SheddingState, View
from tests.games.chance import assert_uniform
from tests.games.engines import after
from tests.games.shedding import Retold, Sitting, begins, deals

GAMES: list[SheddingGame] = [xxl_1.GAME, xxl_2.GAME, xxl_5.GAME]
KEYS = [game.key for game in GAMES]
BY_KEY = dict(zip(KEYS, GAMES, strict=True))

SEEDS = st.integers(0, 2**53 - 1)
SEATS = st.integers(2, 6)
MOVES = st.integers(0, 110)

NO_RED_OR_GREEN = "yellow2/blue3 blue8/yellow9 blue0/yellow2 blue9/yellow10 blue5/yellow10 yellow4/blue9"
"""Cards that do not go on green 0/red 6, where these games begin: it takes red 0 to 5."""


def drunter(*hands: str, rest: str = "green0/red6", first: int = 0) -> Sitting:
    """A position of game 2, whose moves have the shortest words."""
    return Sitting(xxl_2.GAME, *hands, rest=rest, first=first)


# The deal.


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize(("key", "start_cards"), [("xxl-1", 2), ("xxl-2", 1), ("xxl-5", 0)])
@pytest.mark.parametrize("dealer", [0, None])
def test_the_deal(key: str, start_cards: int, seats: int, dealer: int | None) -> None:
    """docs/rules/xxl.md, "The deck" (ruling on dealing), "Game 1", "Game 2" and "Game 5".

    6 cards each in games 1 and 2; in game 5 9 with 2 to 4 players, 7 with 5 or 6. One card at a time from
    the dealer's left, then the face-up cards from the top of the rest in order; what is left is the draw
    pile. Nobody can have won or be stuck then: with 6 players and 7 cards each, 13 are left to draw.
    """
    game = BY_KEY[key]
    size = 6 if key != "xxl-5" else 9 if seats <= 4 else 7
    state = game.deal(seats, 77, {} if dealer is None else {"dealer": dealer})
    pile = shuffled(range(55), event_source(77, 0))
    left_of_dealer = 0 if dealer is None else dealer + 1
    for k in range(seats):
        assert set(cards_in(state.hands[(left_of_dealer + k) % seats])) == set(pile[k : seats * size : seats])
    view = game.view(state, 0)
    assert view["start"] == [DECK.words[card] for card in pile[seats * size : seats * size + start_cards]]
    assert view["draw_pile"] == 55 - seats * size - start_cards > 0
    assert view["hand_sizes"] == [size] * seats
    assert view["dealer"] == (seats - 1 if dealer is None else dealer)
    assert len(game.to_move(state)) == 1


@pytest.mark.parametrize("key", ["xxl-2", "xxl-5"])
@given(SEEDS, SEATS, st.data())
def test_the_player_with_the_most_points_begins(key: str, seed: int, seats: int, data: st.DataObject) -> None:
    """docs/rules/xxl.md, "The deck": most hand points; equal, the first from the dealer's left."""
    game = BY_KEY[key]
    dealer = data.draw(st.integers(0, seats - 1))
    state = game.deal(seats, seed, {"dealer": dealer})
    points = [sum(DECK.totals[card] for card in cards_in(hand)) for hand in state.hands]
    assert game.to_move(state) == (begins(points, dealer),)
    assert game.view(state, None)["first"] == begins(points, dealer)


# Turns.


def test_whoever_has_a_suitable_card_must_lay_one() -> None:
    """docs/rules/xxl.md, "The deck": ruling, whoever has a suitable card must lay one."""
    sitting = drunter("green1/red2 red4/green8 green0/yellow9", "red0/yellow1", rest="green0/red6 blue3/red9")
    assert sitting.may() == {"green1/red2", "red4/green8"}
    for word in ("draw", "pass"):
        with pytest.raises(IllegalMove, match=r"^You must lay a card: green1/red2 or red4/green8 goes\.$"):
            sitting.play(word)
    sitting.play("red4/green8")
    assert sitting.turn() == 1
    assert sitting.hand(0) == {"green1/red2", "green0/yellow9"}


def test_whoever_has_none_takes_one_and_keeps_it_if_it_does_not_go() -> None:
    """docs/rules/xxl.md, "The deck": a player with no suitable card takes one; ruling, it is kept by itself."""
    sitting = drunter("green0/yellow9", "green1/red2", rest="green0/red6 blue0/yellow2 red0/yellow1")
    assert sitting.may() == {"draw"}
    sitting.play("draw")
    assert sitting.hand(0) == {"green0/yellow9", "blue0/yellow2"}
    assert sitting.turn() == 1
    assert sitting.game.view(sitting.state, 1)["turns"] == [{"seat": 0, "moves": ["draw"]}]


def test_a_drawn_card_that_goes_may_be_laid_at_once() -> None:
    """docs/rules/xxl.md, "The deck": a taken card may be laid at once if it goes."""
    sitting = drunter("green0/yellow9", "green1/red2", rest="green0/red6 red1/blue7 red0/yellow1")
    sitting.play("draw")
    assert sitting.turn() == 0
    assert sitting.may() == {"red1/blue7", "keep"}
    sitting.play("red1/blue7")
    assert sitting.hand(0) == {"green0/yellow9"}
    assert sitting.takes() == [{"red0", "blue0-6"}]
    assert sitting.turn() == 1
    assert sitting.game.view(sitting.state, 1)["turns"] == [{"seat": 0, "moves": ["draw", "red1/blue7"]}]


def test_a_drawn_card_that_goes_need_not_be_laid_at_once() -> None:
    """docs/rules/xxl.md, "The deck": may, not must; but in the next turn it is a suitable card like any other."""
    sitting = drunter("green0/yellow9", "blue0/yellow2", rest="green0/red6 red1/blue7 blue8/yellow9 red0/yellow1")
    sitting.play("draw")
    for word in ("draw", "pass", "green0/yellow9"):
        with pytest.raises(IllegalMove, match=r"^You have just drawn red1/blue7, which goes: lay it or keep it\.$"):
            sitting.play(word)
    sitting.play("keep")
    assert sitting.hand(0) == {"green0/yellow9", "red1/blue7"}
    assert sitting.takes() == [{"red0-5"}]
    assert sitting.turn() == 1
    sitting.play("draw")
    assert sitting.turn() == 0
    assert sitting.may() == {"red1/blue7"}


def test_with_an_empty_draw_pile_whoever_has_none_passes() -> None:
    """docs/rules/xxl.md, "The deck": ruling, with an empty draw pile a player with no suitable card passes."""
    sitting = drunter("green0/yellow9", "green1/red2 blue8/yellow9")
    assert sitting.may() == {"pass"}
    with pytest.raises(IllegalMove, match=r"^The draw pile is empty: you can only pass\.$"):
        sitting.play("draw")
    sitting.play("pass")
    assert sitting.turn() == 1
    assert sitting.may() == {"green1/red2"}


def test_other_moves_are_refused_with_their_reason() -> None:
    sitting = drunter("green0/yellow9", "green1/red2 blue8/yellow9", rest="green0/red6 red1/blue7")
    for word, reason in [
        ("pass", "You can't pass while there are cards to draw: draw one."),
        ("keep", "You can only keep a card that you have just drawn and that goes."),
        ("green1/red2", "green1/red2 is not in your hand."),
        ("green0/yellow9", "green0/yellow9 does not go: the discard pile takes red0-5."),
    ]:
        with pytest.raises(IllegalMove) as caught:
            sitting.play(word)
        assert str(caught.value) == reason
    with pytest.raises(OutOfTurn):
        sitting.game.apply(sitting.state, Turn(1, sitting.game.parse("green1/red2")))


@pytest.mark.parametrize("game", GAMES, ids=KEYS)
@pytest.mark.parametrize("move", [-1, 240, GOES, 256, 10**30])
def test_an_int_that_is_no_move_is_refused(game: SheddingGame, move: int) -> None:
    state = game.deal(3, 5)
    (seat,) = game.to_move(state)
    with pytest.raises(IllegalMove, match=f"^{move} is no move of this game\\.$"):
        game.apply(state, Turn(seat, move))


@pytest.mark.parametrize("game", GAMES, ids=KEYS)
def test_every_move_is_read_back_from_its_word(game: SheddingGame) -> None:
    state = game.deal(2, 1)
    state.hands[0] = DECK.all_cards
    moves = {game.parse(word) for word in ("draw", "keep", "pass")}
    for card in range(55):
        for table in ([card * 5, card * 5 + 1], [card], [10, 9, 8, 7]):
            if len(table) == len(state.table):
                state.table = table
                state.suitable = game._suitable(table)
                state.turn = 0
                moves |= set(game.legal(state, 0))
    for move in moves:
        word = game.describe(move)
        flipped = "/".join(reversed(word.split(" ")[0].split("/"))) + word[len(word.split(" ")[0]) :]
        for spelling in (word, word.upper(), f"  {word} ", word.replace(" ", ""), flipped, flipped.replace("/", " / ")):
            assert game.parse(spelling) == move


@pytest.mark.parametrize("game", GAMES, ids=KEYS)
@pytest.mark.parametrize(
    "word", ["", "red1", "green1/red3", "lay green1/red2", "keep keep", "ziehen", "抽", "x" * 5000]
)
def test_other_words_are_no_moves(game: SheddingGame, word: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        game.parse(word)
    assert f"A move is draw, keep, pass or a lay like {game.example}." in str(caught.value)
    assert len(str(caught.value)) < 200
    game.parse(game.example)


# The end.


def test_the_game_ends_when_a_player_lays_the_last_card() -> None:
    """docs/rules/xxl.md, "The deck": the end; Game 2: hand points, 9 + 10 for blue 9/yellow 10."""
    sitting = drunter("green1/red2", "blue9/yellow10", rest="green0/red6 red1/blue7")
    sitting.play("green1/red2")
    assert sitting.outcome() == Outcome((0, 19), (1, 2), "hand_empty")
    assert sitting.game.to_move(sitting.state) == ()
    with pytest.raises(OutOfTurn):
        sitting.game.apply(sitting.state, Turn(1, DRAW))


def test_the_last_card_may_be_laid_with_an_empty_draw_pile() -> None:
    """docs/rules/xxl.md, "The deck": nobody could go on, but it is the last card that ends it."""
    sitting = drunter("green1/red2", "blue9/yellow10")
    sitting.play("green1/red2")
    assert sitting.outcome() == Outcome((0, 19), (1, 2), "hand_empty")


def test_the_game_ends_when_the_last_card_drawn_does_not_go_and_nobody_has_one() -> None:
    """docs/rules/xxl.md, "The deck": the draw pile is empty and every player has no suitable card.

    Seat 0 has 0 + 9 and draws 0 + 2, seat 1 has 9 + 10.
    """
    sitting = drunter("green0/yellow9", "blue9/yellow10", rest="green0/red6 blue0/yellow2")
    sitting.play("draw")
    assert sitting.outcome() == Outcome((11, 19), (1, 2), "draw_pile_ran_out")


def test_the_game_goes_on_after_the_last_card_is_drawn_while_somebody_can_lay() -> None:
    """docs/rules/xxl.md, "The deck": all hands are looked at, not only that of the next player.

    Seats 1 and 2 can't, seat 3 can.
    """
    hands = "green0/yellow9", "blue9/yellow10", "yellow4/blue9", "green1/red2 blue8/yellow9"
    sitting = drunter(*hands, rest="green0/red6 blue0/yellow2")
    sitting.play("draw", "pass", "pass")
    assert sitting.outcome() is None
    assert sitting.may() == {"green1/red2"}


def test_the_game_is_not_over_before_it_is_decided_what_comes_of_the_last_card() -> None:
    """docs/rules/xxl.md, "The deck": looked up after finished turns; a kept card that goes is suitable.

    Only the drawn red 1/blue 7 goes. Kept, it must be laid a round later, and then it is over, since
    neither red 0 nor blue 0 to 6 is there.
    """
    sitting = drunter("green0/yellow9", "blue9/yellow10", rest="green0/red6 red1/blue7")
    sitting.play("draw")
    assert sitting.outcome() is None
    sitting.play("keep")
    assert sitting.outcome() is None
    sitting.play("pass")
    assert sitting.may() == {"red1/blue7"}
    sitting.play("red1/blue7")
    assert sitting.outcome() == Outcome((9, 19), (1, 2), "draw_pile_ran_out")


def test_the_game_can_end_with_the_lay_of_the_last_card_drawn() -> None:
    """docs/rules/xxl.md, "The deck": the end is looked up when the turn is finished."""
    sitting = drunter("green0/yellow9", "green0/yellow9", rest="green0/red6 red1/blue7")
    sitting.play("draw", "red1/blue7")
    assert sitting.outcome() == Outcome((9, 9), (1, 1), "draw_pile_ran_out")


def test_the_game_can_end_in_the_middle_of_a_round() -> None:
    """docs/rules/xxl.md, "The deck": ruling, looked up over all hands after every finished turn.

    Seat 0 lays red 0/yellow 1, which takes a yellow 0 only; seats 1 and 2 have had no turn since.
    """
    sitting = drunter("red0/yellow1 green1/red2", "red4/green8", "blue9/yellow10")
    sitting.play("red0/yellow1")
    assert sitting.outcome() == Outcome((3, 12, 19), (1, 2, 3), "draw_pile_ran_out")


def test_where_nothing_fits_any_more_the_draw_pile_is_drawn_to_its_end() -> None:
    """docs/rules/xxl.md, "The deck": a position in which nothing can ever fit again is played on as written.

    Only a yellow 0 goes on red 0/yellow 1, and there is none.
    """
    sitting = drunter("green1/red2", "red4/green8", rest="red0/yellow1 blue9/yellow10 blue8/yellow9 red1/blue7")
    sitting.play("draw", "draw")
    assert sitting.outcome() is None
    sitting.play("draw")
    # 3 + 19 + 8 and 12 + 17.
    assert sitting.outcome() == Outcome((30, 29), (2, 1), "draw_pile_ran_out")


# The rules told once more.


@given(st.sampled_from(GAMES), SEEDS, SEATS)
def test_whole_games_against_the_rules_retold(game: SheddingGame, seed: int, seats: int) -> None:
    """docs/rules/xxl.md, Games 1, 2 and 5: at every turn the same moves, and the same end."""
    state = game.deal(seats, seed)
    rest = [DECK.words[card] for card in state.rest]
    retold = Retold(game.key, [DECK.words_of(hand) for hand in state.hands], rest, *game.to_move(state))
    rng = Random(seed)
    while not retold.over:
        assert game.to_move(state) == (retold.turn,)
        legal = game.legal(state, retold.turn)
        assert {game.describe(move) for move in legal} == retold.legal()
        move = rng.choice(legal)
        retold.play(game.describe(move))
        game.apply(state, Turn(game.to_move(state)[0], move))
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.scores == retold.scores()
    assert outcome.reason == ("draw_pile_ran_out" if all(retold.hands) else "hand_empty")


# What a seat may know.


@st.composite
def watched(draw: st.DrawFn) -> tuple[SheddingGame, SheddingState, int | None]:
    """A game somewhere on its way, and who watches."""
    game, seats = draw(st.sampled_from(GAMES)), draw(SEATS)
    state = after(game, seats, draw(SEEDS), draw(MOVES)).state
    return game, state, draw(st.none() | st.integers(0, seats - 1))


def laid_and_seen(game: SheddingGame, state: SheddingState, watcher: int | None) -> set[int]:
    """The cards that somebody has laid, the start cards, and those in the watcher's hand."""
    laid = {game.card_of(moves[-1]) for _, moves in game.turns(state) if moves[-1] < GOES}
    return laid | set(state.rest[: game.start_cards]) | set(() if watcher is None else cards_in(state.hands[watcher]))


def dealt(game: SheddingGame, state: SheddingState) -> list[int]:
    """The hands as they were dealt."""
    hands = list(state.hands)
    turns = list(game.turns(state))
    for seat, moves in turns:
        if moves[-1] < GOES:
            hands[seat] |= 1 << game.card_of(moves[-1])
    drawers = [seat for seat, moves in turns if moves[0] == DRAW]
    for seat, card in zip(drawers, state.rest[game.start_cards : state.next], strict=True):
        hands[seat] &= ~(1 << card)
    return hands


@given(watched(), st.data())
def test_hidden_cards_can_change_places_without_a_trace(
    case: tuple[SheddingGame, SheddingState, int | None], data: st.DataObject
) -> None:
    game, state, watcher = case
    hidden = [card for card in range(55) if card not in laid_and_seen(game, state, watcher)]
    if state.drawn in hidden:
        hidden.remove(state.drawn)
    change = dict(zip(hidden, data.draw(st.permutations(hidden)), strict=True))
    swapped = state.clone()
    swapped.hands = [as_set(change.get(card, card) for card in cards_in(hand)) for hand in state.hands]
    swapped.rest = bytes(change.get(card, card) for card in state.rest)
    assert game.view(swapped, watcher) == game.view(state, watcher)
    assert game.draw(game.view(swapped, watcher)) == game.draw(game.view(state, watcher))


@given(watched())
def test_a_view_names_no_unseen_card(case: tuple[SheddingGame, SheddingState, int | None]) -> None:
    game, state, watcher = case
    sent = json.dumps(game.view(state, watcher))
    seen = laid_and_seen(game, state, watcher)
    assert {word for word in DECK.words if word in sent} == {DECK.words[card] for card in seen}


@given(watched())
def test_a_view_tells_all_that_was_seen(case: tuple[SheddingGame, SheddingState, int | None]) -> None:
    """Every move of everybody, and the cards that the watcher has drawn itself."""
    game, state, watcher = case
    view = game.view(state, watcher)
    rest = [DECK.words[card] for card in state.rest]
    retold = Retold(game.key, [DECK.words_of(hand) for hand in dealt(game, state)], rest, view["first"])
    drew = []
    for turn in view["turns"]:
        assert turn["seat"] == retold.turn
        if turn["moves"][0] == "draw" and turn["seat"] == watcher:
            drew.append(retold.draw_pile[0])
        for word in turn["moves"]:
            retold.play(word)
    assert view["drew"] == drew
    assert view["hand_sizes"] == [len(hand) for hand in retold.hands]
    assert view["draw_pile"] == len(retold.draw_pile)
    assert max(map(len, game.draw(view).split("\n"))) <= 120


def test_a_view_of_game_2() -> None:
    """Seat 1 watches: its own drawn card is named, that of seat 0 is not, nor what seat 0 could lay."""
    sitting = drunter("green0/yellow9", "blue9/yellow10", rest="green0/red6 blue0/yellow2 red1/blue7 red5/blue9")
    sitting.play("draw", "draw")
    view = sitting.game.view(sitting.state, 1)
    assert view == {
        "game": "xxl-2",
        "seats": 2,
        "seat": 1,
        "dealer": 1,
        "to_move": [1],
        "hand": ["red1/blue7", "blue9/yellow10"],
        "hand_sizes": [2, 2],
        "draw_pile": 1,
        "piles": [{"name": "discard pile", "top": "green0/red6", "takes": ["red0-5"]}],
        "start": ["green0/red6"],
        "drew": ["red1/blue7"],
        "first": 0,
        "turns": [{"seat": 0, "moves": ["draw"]}, {"seat": 1, "moves": ["draw"]}],
    }
    assert sitting.game.draw(view).split("\n") == [
        "xxl-2, 2 seats, dealer 1, seen by seat 1",
        "turn 1: seat 0 draw",
        "turn 2: seat 1 draw",
        "discard pile: green0/red6 takes red0-5",
        "draw pile: 1 card",
        "seat 0: 2 cards",
        "seat 1: 2 cards *",
        "hand: red1/blue7 blue9/yellow10",
    ]
    assert sitting.game.view(sitting.state, 0)["drew"] == ["blue0/yellow2"]
    assert sitting.game.view(sitting.state, None)["drew"] == []
    assert sitting.game.view(sitting.state, None)["hand"] is None


# What a seat must think possible.


@given(watched(), st.integers(0, 999))
def test_a_determinized_state_explains_every_turn(
    case: tuple[SheddingGame, SheddingState, int | None], chance: int
) -> None:
    """Dealt again, it can be played so by the rules: who drew had nothing, who kept could have laid."""
    game, state, watcher = case
    drawn = game.determinize(game.view(state, watcher), Random(chance))
    again = game.position(dealt(game, drawn), drawn.rest, state.dealer, state.first)
    for seat, moves in game.turns(state):
        for move in moves:
            game.apply(again, Turn(seat, move))
    assert again == drawn
    assert (again.drawn == NO_CARD) == (state.drawn == NO_CARD)
    if watcher is not None:
        assert drawn.hands[watcher] == state.hands[watcher]
        assert dealt(game, drawn)[watcher] == dealt(game, state)[watcher]


@pytest.mark.parametrize("game", GAMES, ids=KEYS)
def test_the_first_turn_tells_who_had_the_most_points(game: SheddingGame) -> None:
    """docs/rules/xxl.md, "The deck": in games 2 and 5 a determinized deal lets the same player begin."""
    rng = Random(2)
    for seed in range(20):
        playthrough = after(game, 4, seed, 30)
        state = playthrough.state
        drawn = game.determinize(game.view(state, seed % 4), rng)
        assert game.first_seat(dealt(game, drawn), 3) == state.first


CASES = {
    "1: two seats": (
        xxl_1.GAME,
        ("blue4/green6 red3/yellow5", "green5/yellow6 yellow6/red7"),
        "green3/blue4 yellow3/blue7 green5/yellow7 yellow4/red5 blue4/yellow7 green3/blue6",
        0,
        "draw, draw, keep, draw, yellow4/red5 on pile 2 by yellow, red3/yellow5 on pile 2 by yellow, "
        "yellow6/red7 on pile 2 by yellow, green5/yellow7 on pile 2 by yellow, draw, blue4/green6 on pile 2 by green",
    ),
    "1: three seats": (
        xxl_1.GAME,
        ("blue4/green6 yellow6/red7", "green5/yellow7 yellow3/blue7", "green3/blue6 green5/yellow6"),
        "blue4/yellow7 green3/blue4 red3/yellow5 yellow4/red5",
        0,
        "yellow6/red7 on pile 1 by yellow, draw, keep, draw, pass, red3/yellow5 on pile 1 by yellow, "
        "yellow4/red5 on pile 1 by yellow, pass, yellow3/blue7 on pile 1 by yellow, green3/blue6 on pile 1 by blue",
    ),
    "2: three seats": (
        xxl_2.GAME,
        ("yellow1/red4 yellow2/blue3", "blue2/green4 green3/blue4", "blue1/red3 green1/red2"),
        "green1/yellow5 green2/blue5 yellow4/red5 red3/yellow5",
        1,
        "draw, draw, keep, yellow2/blue3, blue2/green4, blue1/red3, draw, pass, green1/red2",
    ),
    "2: two seats": (
        xxl_2.GAME,
        ("green1/yellow5 red3/yellow5 yellow4/red5", "blue2/green4 green2/blue5 green3/blue4"),
        "yellow2/blue3 green1/red2 blue1/red3 yellow1/red4",
        0,
        "draw, blue2/green4, green1/yellow5, draw, yellow4/red5, blue1/red3, green1/red2, draw",
    ),
    "5: two seats": (
        xxl_5.GAME,
        ("blue8/yellow9 green7/blue10 yellow6/red7", "green6/red8 red7/blue8 red7/green9"),
        "yellow8/green10 blue9/yellow10 yellow6/green9 red6/blue10",
        0,
        "green7/blue10 by blue, draw, keep, draw, keep, yellow8/green10 by green, blue9/yellow10 by yellow, "
        "red7/green9 by green, blue8/yellow9 by yellow",
    ),
    "5: three seats": (
        xxl_5.GAME,
        ("yellow6/red7 yellow8/green10", "green7/blue10 red7/blue8", "green6/red8 red6/blue10"),
        "red7/green9 yellow6/green9 blue9/yellow10 blue8/yellow9",
        1,
        "green7/blue10 by blue, draw, yellow8/green10 by green, draw, keep, red7/green9 by green, draw, keep, "
        "draw, pass, blue9/yellow10 by yellow, blue8/yellow9 by yellow",
    ),
}
"""Games with ten cards: the engine, hands, rest, who begins, moves."""


def seen(name: str, watcher: int | None, moves: int) -> tuple[SheddingGame, View]:
    """The view after so many moves of a case."""
    game, hands, rest, first, words = CASES[name]
    sitting = Sitting(game, *hands, rest=rest, first=first, small=True)
    sitting.play(*words.split(", ")[:moves])
    return sitting.game, sitting.game.view(sitting.state, watcher)


@pytest.mark.parametrize(
    ("name", "watcher", "moves"),
    [
        ("1: two seats", 0, 2),  # seat 1 has drawn a card that goes, and is still to move
        ("1: two seats", 1, 3),
        ("1: two seats", 1, 10),
        ("1: two seats", None, 10),
        ("1: three seats", 0, 3),
        ("1: three seats", 0, 8),
        ("1: three seats", 1, 9),
        ("1: three seats", None, 10),
        ("2: three seats", 0, 5),
        ("2: three seats", 0, 6),
        ("2: three seats", 2, 9),
        ("2: two seats", None, 8),
        ("5: two seats", 0, 4),
        ("5: two seats", 1, 8),
        ("5: three seats", 2, 4),  # seat 0 has drawn a card that goes, and is still to move
        ("5: three seats", 2, 3),
        ("5: three seats", 0, 12),
    ],
)
def test_every_possible_deal_is_equally_likely(name: str, watcher: int | None, moves: int) -> None:
    """docs/rules/determinization.md, "XXL 1, 2 and 5": against all deals, each played again by the rules."""
    game, view = seen(name, watcher, moves)
    words = game.deck.words
    possible: set[Hashable] = {
        (tuple(frozenset(hand) for hand in hands), tuple(rest)) for hands, rest in deals(view, words)
    }
    assert len(possible) > 5
    rng = Random(6)
    counts: Counter[Hashable] = Counter()
    for _ in range(20 * len(possible)):
        state = game.determinize(view, rng)
        hands = tuple(frozenset(game.deck.words_of(hand)) for hand in dealt(game, state))
        counts[hands, tuple(words[card] for card in state.rest)] += 1
    assert_uniform(counts, possible)
