"""The search for XXL 1, 2 and 5: its own play beside the engine's."""

from random import Random
from typing import Any

import pytest

from games.bots.budget import Budget
from games.bots.greedy_shedding import RunsRule, TwoPilesRule, UnderRule
from games.bots.search_shedding import Runner, runner_of
from games.bots.searching import SearchBot
from games.core import AnyGame, Move
from games.rules import xxl_1, xxl_2, xxl_5
from games.rules.xxl_shedding import DRAW, KEEP, PASS, SheddingState
from tests.games.engines import after

GAMES: list[Any] = [xxl_1.GAME, xxl_2.GAME, xxl_5.GAME]


def offered(game: Any, state: SheddingState, move: Move) -> int:
    """How many cards of the deck fit after a lay."""
    following = state.clone()
    game.advance(following, following.turn, move)
    return int(following.suitable.bit_count())


def as_in_a_rollout(game: Any, runner: Runner, state: SheddingState) -> Any:
    """What a seat does in a rollout, told in the engine's terms.

    It lays the card of the highest rank where others are offered least (of a card with both halves that fit a
    run of XXL 5: by the high half); in XXL 2 it keeps a drawn card that is worth less than 5.5 points, a quarter
    taken off for each card that fits on it, and put on for each that fits on the top card.
    """
    legal = game.legal(state, state.turn)
    lays = [move for move in legal if move not in (DRAW, KEEP, PASS)]
    if not lays:
        return legal[0]
    if game is xxl_2.GAME and KEEP in legal:
        worth = game.deck.totals[lays[0]] - 0.25 * offered(game, state, lays[0])
        if worth < 5.5 - 0.25 * state.suitable.bit_count():
            return KEEP
    card = max((game.card_of(move) for move in lays), key=runner.rank.__getitem__)
    lays = [move for move in lays if game.card_of(move) == card]
    if game is xxl_5.GAME:
        return lays[-1]
    return min(lays, key=lambda move: offered(game, state, move))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_rollout_ends_as_in_the_engine(game: Any) -> None:
    """From 60 positions: the points of all seats."""
    compared = 0
    runner = runner_of(game)
    for seed in range(60):
        played = after(game, 2 + seed % 5, seed, seed)
        state = played.state.clone()
        if state.turn < 0 or state.drawn >= 0:
            continue
        hands = [runner.ranked(hand) for hand in state.hands]
        pile = [runner.rank[card] for card in reversed(state.rest[state.next :])]
        runner.run(hands, pile, state.turn, runner.table_of(state))
        while state.turn >= 0:
            game.advance(state, state.turn, as_in_a_rollout(game, runner, state))
        outcome = game.outcome(state)
        assert outcome.scores == tuple(runner.points(hand) for hand in hands)
        compared += 1
    assert compared > 20


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
