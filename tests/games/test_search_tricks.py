"""The search for the trick games 6 and 6+: its own play and its solutions beside the engines'."""

from random import Random
from typing import Any

import pytest

from games.bots.budget import Budget
from games.bots.search_tricks import SOLVED, TrickRunner, alive_in, results, runner_of, runners_by_trump, table_of
from games.bots.searching import SearchBot
from games.core import AnyGame, Playthrough, Turn
from games.rules import xxl_6, xxl_6_plus
from games.rules.xxl_deck import COLOURS
from tests.games.engines import after

GAMES: list[AnyGame] = [xxl_6.GAME, xxl_6_plus.GAME]


def tricks_of(game: Any, state: Any) -> tuple[TrickRunner, xxl_6.TrickState]:
    """The runner for a state after any declaration, and the tricks in it."""
    if isinstance(state, xxl_6_plus.TrumpState):
        return runners_by_trump(game.deck)[COLOURS[state.trump.bit_length() - 1]], state.tricks
    return runner_of(game.deck), state


def near_the_end(game: AnyGame, seats: int, seed: int, left: int) -> Playthrough:
    """A playthrough where the seat to move holds so many cards."""
    moves = 1
    played = after(game, seats, seed, moves)
    while len(played.view(played.to_move()[0])["hand"]) > left:
        moves += 1
        played = after(game, seats, seed, moves)
    return played


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_rollouts_keep_to_the_rules(game: AnyGame) -> None:
    """From 40 positions each card of a rollout is played in the engine, which refuses what is not allowed."""
    for seed in range(40):
        played = after(game, 2 + seed % 5, seed, 1 + seed % 17)
        runner, state = tricks_of(game, played.state)
        hands, points, alive = state.hands.copy(), state.points.copy(), alive_in(runner.deck, state)
        cards = runner.play_on(hands, points, table_of(runner.deck, state), alive, runner.reserves(alive))
        for card in cards:
            played.play(Turn(played.to_move()[0], card))
        outcome = played.outcome()
        assert outcome is not None
        assert tuple(points) == outcome.scores


def best_points(game: AnyGame, state: Any) -> tuple[int, ...]:
    """By trying everything in the engine: the scores if each seat plays for its own, the first of equal cards."""
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome.scores
    (seat,) = game.to_move(state)
    best: tuple[int, ...] = ()
    for move in game.legal(state, seat):
        following = game.clone(state)
        game.advance(following, seat, move)
        scores = best_points(game, following)
        if not best or scores[seat] > best[seat]:
            best = scores
    return best


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_last_tricks_are_solved_exactly(game: AnyGame) -> None:
    """From 20 positions with the last tricks to play: what each card leads to, as trying everything finds it."""
    for seed in range(20):
        played = near_the_end(game, 2 + seed % 3, seed, SOLVED if seed % 3 else 2)
        seat = played.to_move()[0]
        legal = game.legal(played.state, seat)
        expected = []
        for move in legal:
            following = game.clone(played.state)
            game.advance(following, seat, move)
            expected.append(best_points(game, following))
        runner, state = tricks_of(game, played.state)
        assert list(map(tuple, results(runner, state, legal))) == expected


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_it_knows_no_hidden_card(game: AnyGame) -> None:
    """In another world that it must think possible it chooses the same."""
    played = after(game, 4, 8, 21)
    seat = played.to_move()[0]
    view, legal = played.view(seat), game.legal(played.state, seat)
    other = game.determinize(view, Random(5))
    assert other != played.state
    assert game.legal(other, seat) == legal
    choices = {
        SearchBot(game, Budget(iterations=60)).choose(game.view(state, seat), legal, Random(1))
        for state in (played.state, other)
    }
    assert len(choices) == 1


def test_the_trump_is_the_colour_of_a_hand_of_high_blue_cards() -> None:
    """docs/rules/xxl.md, "Variant 6+": with all blue cards from 6 on, blue is declared."""
    deck = xxl_6_plus.GAME.deck
    blue = sorted((card for card in range(55) if deck.number[3][card] > 0), key=lambda card: -deck.number[3][card])[:12]
    rest = [card for card in range(55) if card not in blue]
    hands = [sum(1 << card for card in cards) for cards in (blue, rest[:12], rest[12:24], rest[24:36])]
    state = xxl_6_plus.GAME.position(hands, dealer=3, declarer=0)
    legal = xxl_6_plus.GAME.legal(state, 0)
    move = SearchBot(xxl_6_plus.GAME, Budget(iterations=40)).choose(xxl_6_plus.GAME.view(state, 0), legal, Random(2))
    assert xxl_6_plus.GAME.describe(move) == "trump blue"
