"""The search for XXL 1, 2 and 5: its own play beside the engine's."""

from random import Random
from typing import Any

import numpy as np
import pytest

from games.bots.budget import Budget
from games.bots.greedy import GreedyBot
from games.bots.greedy_shedding import RunsRule, TwoPilesRule, UnderRule
from games.bots.search_shedding import SheddingSearch, many_of
from games.bots.search_shedding_many import ManyGames
from games.bots.searching import SearchBot
from games.core import AnyGame, Move, Playthrough, Turn
from games.rules import xxl_1, xxl_2, xxl_5
from games.rules.xxl_deck import cards_in
from games.rules.xxl_shedding import DRAW, KEEP, PASS, SheddingState
from tests.games.engines import after

GAMES: list[Any] = [xxl_1.GAME, xxl_2.GAME, xxl_5.GAME]


def offered(game: Any, state: SheddingState, move: Move) -> int:
    """How many cards of the deck fit after a lay."""
    following = state.clone()
    game.advance(following, following.turn, move)
    return int(following.suitable.bit_count())


def as_in_a_rollout(game: Any, many: ManyGames, state: SheddingState) -> Any:
    """What a seat does in a rollout, told in the engine's terms.

    In XXL 1 and 2 it lays the card of the lowest rank, where others are offered least; in XXL 2 it keeps a drawn card
    that is worth less than 5.5 points, a quarter taken off for each card that fits on it, and put on for each that fits
    on the top card. In XXL 5 it lays what has most of 0.65 times its points and 200 times the share of the unseen cards
    that fitted there; it keeps a drawn card for which that is at most 12.
    """
    legal = game.legal(state, state.turn)
    lays = [move for move in legal if move not in (DRAW, KEEP, PASS)]
    if not lays:
        return legal[0]
    if game is xxl_5.GAME:
        return as_in_a_rollout_of_runs(state, legal, lays)
    if game is xxl_2.GAME and KEEP in legal:
        worth = game.deck.totals[lays[0]] - 0.25 * offered(game, state, lays[0])
        if worth < 5.5 - 0.25 * state.suitable.bit_count():
            return KEEP
    card = min((game.card_of(move) for move in lays), key=many.rank.__getitem__)
    return min((move for move in lays if game.card_of(move) == card), key=lambda move: offered(game, state, move))


def as_in_a_rollout_of_runs(state: SheddingState, legal: Any, lays: Any) -> Any:
    """Of equal ratings the first colour's."""
    game = xxl_5.GAME
    hidden = [hand for seat, hand in enumerate(state.hands) if seat != state.turn]
    unseen = sum(hidden) + sum(1 << card for card in state.rest[state.next :])

    def rating(move: Move) -> tuple[int, int, int]:
        colour, number = game.halves[move >> 1][move & 1]
        fitted = (game.deck.having[colour][number] & unseen).bit_count()
        total = game.deck.totals[move >> 1]
        return 13 * total * max(1, unseen.bit_count()) + 4000 * fitted, -colour, -many_of(game).rank[move >> 1]

    best = max(lays, key=rating)
    if KEEP in legal and rating(best)[0] <= 240 * max(1, unseen.bit_count()):
        return KEEP
    return best


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_rollouts_end_as_in_the_engine(game: Any) -> None:
    """From 80 positions, those with equally many cards to draw and the same seat to move at once: all seats' points."""
    many = many_of(game)
    lanes: dict[Any, list[Any]] = {}
    for seed in range(80):
        state = after(game, 2 + seed % 3, seed, seed % 40).state.clone()
        if state.turn >= 0 and state.drawn < 0:
            lanes.setdefault((len(state.hands), state.turn, len(state.rest) - state.next), []).append(state)
    compared = 0
    for (_, turn, _), states in lanes.items():
        piles = [[many.rank[card] for card in state.rest[state.next :]] for state in states]
        gone = [
            game.deck.all_cards - sum(state.hands) - sum(1 << card for card in state.rest[state.next :])
            for state in states
        ]
        ended = many.run(
            np.array([[many.ranked(hand) for hand in state.hands] for state in states], np.uint64),
            np.array(piles, np.int64),
            turn,
            np.array([many.table_of(state.table) for state in states], np.int64),
            np.array([many.ranked(cards) for cards in gone], np.uint64),
        )
        for state, points in zip(states, many.points(ended), strict=True):
            while state.turn >= 0:
                game.advance(state, state.turn, as_in_a_rollout(game, many, state))
            assert game.outcome(state).scores == tuple(points)
            compared += 1
    assert compared > 40


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_worlds_are_possible(game: Any) -> None:
    """Each world, with all that has happened before it: nobody drew or passed with a card that fitted."""
    for seed in range(12):
        played = after(game, 4, seed, 25)
        if not played.to_move():
            continue
        seat = played.to_move()[0]
        view = played.view(seat)
        known, worlds = SheddingSearch(game).worlds(view, 40, Random(seed))
        order = many_of(game).order
        differing = set()
        for hands, pile in zip(worlds.hands, worlds.piles, strict=True):
            cards = [{order[rank] for rank in range(55) if int(hand) >> rank & 1} for hand in hands]
            assert [len(hand) for hand in cards] == view["hand_sizes"]
            left = [order[rank] for rank in pile]
            everything = sorted(card for some in (*cards, left) for card in some)
            assert everything == sorted(
                card for some in (*map(cards_in, known.hands), known.rest[known.next :]) for card in some
            )
            differing.add(str(cards))
            assert possible(game, view, cards, left)
        assert len(differing) > 1


def possible(game: Any, view: Any, hands: Any, pile: Any) -> bool:
    """Whether some world drawn from the engine has these hands: what can't be there is told by each seat's draws."""
    turns = list(SheddingSearch(game)._turns(view))
    for seat, hand in enumerate(hands):
        if seat == view["seat"]:
            continue
        drawn = sum(turn.seat == seat and turn.drew and turn.last in (DRAW, KEEP) for turn in turns)
        for card in hand:
            passed = [turn for turn in turns if turn.seat == seat and (turn.drew or turn.last == PASS)]
            could = [turn for turn in passed if turn.fitting >> card & 1]
            if could and not drawn:
                return False
            if could and passed[-1].fitting >> card & 1 and passed[-1].last != KEEP:
                return False
    return True


def test_worlds_are_as_play_tells() -> None:
    """XXL 2, 16 turns among rules of thumb: fewer cards are guessed that a seat would have laid before.

    Such a card fitted when its seat laid another one from its hand, and has more points, a quarter taken off for each
    card that fits on it. Worlds that are all equally likely have more than twice as many.
    """
    game = xxl_2.GAME
    weighed = uniform = 0.0
    for seed in range(6):
        played = Playthrough(game, 4, seed)
        bots = [GreedyBot(game)] * 4
        for _ in range(16):
            (seat,) = played.to_move()
            chosen = bots[seat].choose(played.view(seat), game.legal(played.state, seat), Random(seed))
            played.play(Turn(seat, chosen))
        (seat,) = played.to_move()
        view: Any = played.view(seat)
        order = many_of(game).order
        _, worlds = SheddingSearch(game).worlds(view, 200, Random(seed))
        for hands in worlds.hands:
            cards = [sum(1 << order[rank] for rank in range(55) if int(hand) >> rank & 1) for hand in hands]
            weighed += would_have_been_laid(view, cards) / 200
        for number in range(20):
            uniform += would_have_been_laid(view, game.determinize(view, Random(number)).hands) / 20
    assert 0 < 2 * weighed < uniform


def would_have_been_laid(view: Any, hands: Any) -> int:
    """How many cards of the other seats."""
    game = xxl_2.GAME
    under = [state.suitable for state in (game.position([0, 0], [card], 1, 0) for card in range(55))]
    worth = [total - 0.25 * cards.bit_count() for total, cards in zip(game.deck.totals, under, strict=True)]
    top = game.deck.read_word(view["start"][0])
    found = [0] * len(hands)
    for turn in view["turns"]:
        last = game.parse(turn["moves"][-1])
        if last in (DRAW, KEEP, PASS):
            continue
        if len(turn["moves"]) == 1 and turn["seat"] != view["seat"]:
            better = sum(1 << card for card in range(55) if worth[card] > worth[last])
            found[turn["seat"]] |= hands[turn["seat"]] & under[top] & better
        top = last
    return sum(cards.bit_count() for cards in found)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_it_knows_no_hidden_card(game: AnyGame) -> None:
    """In another world that it must think possible it chooses the same."""
    seed = 0
    while True:
        played = after(game, 4, seed, 12)
        seat = played.to_move()[0]
        legal = game.legal(played.state, seat)
        if len(legal) > 1:
            break
        seed += 1
    other = game.determinize(played.view(seat), Random(5))
    assert other != played.state
    bot = SearchBot(game, Budget(iterations=64))
    assert len({bot.choose(game.view(state, seat), legal, Random(1)) for state in (played.state, other)}) == 1


@pytest.mark.parametrize(
    ("game", "rule"), [(xxl_1.GAME, TwoPilesRule), (xxl_2.GAME, UnderRule), (xxl_5.GAME, RunsRule)]
)
def test_the_rule_of_thumb_knows_what_fits(game: Any, rule: Any) -> None:
    """At every turn of a few games: the same cards as in the engine, those that fit by both halves included."""
    for seed in range(6):
        played = after(game, 3, seed, 300)
        knowing = rule(game)
        state = game.deal(3, seed)
        table = knowing.start([game.deck.read_word(word) for word in played.view(0)["start"]])
        for seat, move in played.turns:
            assert knowing.fitting(table) == state.suitable
            game.advance(state, seat, move)
            if move not in (DRAW, KEEP, PASS):
                table = knowing.after(table, move)
