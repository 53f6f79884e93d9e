"""The search for XXL 4: its own play beside the engine's."""

from random import Random

from games.bots.budget import Budget
from games.bots.search_straights import lead, runner_of
from games.bots.searching import SearchBot
from games.core import NOBODY, AnyGame, Turn
from games.rules.xxl_4 import GAME, StraightsState
from tests.games.engines import after

ANY: AnyGame = GAME


def test_rollouts_keep_to_the_rules() -> None:
    """From 20 positions each move of a rollout is made in the engine, which refuses what is not allowed."""
    for seed in range(20):
        played = after(GAME, 2 + seed % 5, seed, 2 * seed)
        state: StraightsState = played.state.clone()
        for move in runner_of(GAME).play_on(state, 200):
            GAME.apply(played.state, Turn(played.state.turn, move))
        assert state.turn == NOBODY
        assert state == played.state


def test_a_rollout_ends_after_so_many_turns() -> None:
    """A turn is over with its second step: after 3 turns seat 3 of 4 seats is to move if seat 0 was."""
    state: StraightsState = GAME.deal(4, 5)
    first = state.turn
    runner_of(GAME).play_on(state, 3)
    assert state.turn == (first + 3) % 4


def test_what_counts_is_the_lead() -> None:
    """40 points against 10, 20 and 30, which are 20 on average."""
    assert lead([10, 40, 20, 30], 1) == 20


def test_it_lays_a_straight_and_knows_no_hidden_card() -> None:
    """A straight that can be laid is laid; in another world that it must think possible the choice is the same."""
    for seed in range(30):
        played = after(GAME, 4, seed, 6)
        seat = played.to_move()[0]
        legal = ANY.legal(played.state, seat)
        if legal[0] < GAME.first_exchange:
            break
    other = ANY.determinize(played.view(seat), Random(3))
    assert other != played.state
    bot = SearchBot(ANY, Budget(iterations=24))
    chosen = {bot.choose(ANY.view(state, seat), legal, Random(1)) for state in (played.state, other)}
    assert len(chosen) == 1
    assert max(chosen) < GAME.first_exchange
