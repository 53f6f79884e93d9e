"""The search for XXL 3: its own play and its solutions beside the engine's."""

from collections.abc import Iterator
from random import Random

from games.bots.budget import Budget
from games.bots.search_refusal import SOLVED, alive_in, results, runner_of, table_of
from games.bots.searching import SearchBot
from games.core import NOBODY, AnyGame, Playthrough, Turn
from games.rules.xxl_3 import FIRST, GAME, SECOND, RefusalState
from games.rules.xxl_deck import as_set
from tests.games.engines import after

RUNNER = runner_of(GAME)
ANY: AnyGame = GAME


def positions(number: int) -> Iterator[Playthrough]:
    """Playthroughs of 2 to 6 seats with one seat to move, in both phases."""
    for seed in range(number):
        played = after(GAME, 2 + seed % 5, seed, 3 * seed % 70)
        if played.state.turn != NOBODY:
            yield played


def test_rollouts_keep_to_the_rules() -> None:
    """Each move of a rollout is made in the engine, which refuses what is not allowed, up to the end of the phase."""
    phases = set()
    for played in positions(60):
        state: RefusalState = played.state
        phases.add(state.phase)
        second = state.phase == SECOND
        alive = alive_in(GAME.deck, state)
        hands, won = state.hands.copy(), state.won.copy()
        moves = RUNNER.play_on(hands, won, table_of(state), alive, RUNNER.phase(second, alive))
        phase = state.phase
        for move in moves:
            assert state.phase == phase
            GAME.apply(state, Turn(state.turn, move))
        assert state.phase != phase
        assert won == state.won
    assert phases == {FIRST, SECOND}


def best_points(state: RefusalState) -> tuple[int, ...]:
    """By trying everything in the engine: the scores if each seat plays for its own, the first of equal moves."""
    outcome = GAME.outcome(state)
    if outcome is not None:
        return outcome.scores
    best: tuple[int, ...] = ()
    for move in GAME.legal(state, state.turn):
        following = state.clone()
        GAME.advance(following, state.turn, move)
        scores = best_points(following)
        if not best or scores[state.turn] > best[state.turn]:
            best = scores
    return best


def small_end(seed: int) -> RefusalState:
    """The second phase with 2 to 4 seats and six cards in all: unequal hands, so that some may pass."""
    rng = Random(seed)
    seats = 2 + seed % 3
    cards = sorted(range(55), key=lambda card: rng.random())
    hands = [as_set(cards[seat : 6 if seat == seats - 1 else seat + 1]) for seat in range(seats)]
    state = GAME.position(hands, dealer=0, leader=0)
    state.phase = SECOND
    state.won = [as_set([card]) for card in cards[10 : 10 + seats]]
    state.turn = state.leader = seed % seats
    return state


def test_the_end_is_solved_exactly() -> None:
    """What each move leads to, as trying everything finds it."""
    for seed in range(24):
        state = small_end(seed)
        assert sum(map(int.bit_count, state.hands)) <= SOLVED
        legal = GAME.legal(state, state.turn)
        expected = []
        for move in legal:
            following = state.clone()
            GAME.advance(following, state.turn, move)
            expected.append(best_points(following))
        assert list(map(tuple, results(RUNNER, state, state.turn, legal, Random(0)))) == expected


def test_the_second_hands_are_dealt_and_played_by_the_rules() -> None:
    """As in the engine with the same second hands: of 8 cards each, the one put aside among them."""
    won = [as_set(range(first, first + 8)) for first in (0, 8, 16, 24)]
    asides = [RUNNER.aside(cards) for cards in won]
    order = list(range(54, -1, -1))
    pile = [card for card in range(55) if card not in asides]
    hands = [1 << card for card in asides]
    for seat in range(4):
        for card in pile[7 * seat : 7 * seat + 7]:
            hands[seat] |= 1 << card
    state = GAME.position([0] * 4, dealer=0, leader=0)
    state.phase, state.hands = SECOND, hands.copy()
    state.turn = state.leader = GAME.beginner(hands, 0)
    for move in RUNNER.play_on(hands, [0] * 4, table_of(state), GAME.deck.all_cards, RUNNER.fresh):
        GAME.apply(state, Turn(state.turn, move))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert tuple(RUNNER.second_phase(won, asides, 0, order)) == outcome.scores


def test_it_knows_no_hidden_card() -> None:
    """In another world that it must think possible it chooses the same."""
    played = after(GAME, 4, 8, 10)
    seat = played.to_move()[0]
    other = ANY.determinize(played.view(seat), Random(5))
    assert other != played.state
    legal = GAME.legal(played.state, seat)
    assert GAME.legal(other, seat) == legal
    bot = SearchBot(GAME, Budget(iterations=40))
    assert len({bot.choose(ANY.view(state, seat), legal, Random(1)) for state in (played.state, other)}) == 1
