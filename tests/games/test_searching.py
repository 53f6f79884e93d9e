"""The bot that looks ahead."""

from random import Random

import pytest

from games.arena import round_robin
from games.bots import BotFactory
from games.bots.budget import Budget
from games.bots.randomly import RandomBot
from games.bots.searching import SearchBot
from games.catalog import GAMES
from games.core import AnyGame, Turn
from games.rules.xxl_6 import GAME as FARBE
from games.rules.xxl_deck import DECK
from tests.games.engines import TABLE_IDS, TABLES, after


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=TABLE_IDS)
def test_it_plays_every_game_by_its_rules(game: AnyGame, seats: int) -> None:
    """A few moves from the middle of a game; the same view and source lead to the same move."""
    playthrough = after(game, seats, 4, 12)
    bot = SearchBot(game, Budget(iterations=20))
    for number in range(4):
        for seat in playthrough.to_move()[:1]:
            view, legal = playthrough.view(seat), game.legal(playthrough.state, seat)
            move = bot.choose(view, legal, Random(number))
            assert move in legal
            assert bot.choose(playthrough.view(seat), legal, Random(number)) == move
            playthrough.play(Turn(seat, move))


def test_it_takes_a_rich_trick() -> None:
    """docs/rules/xxl.md, "Game 6": blue 9/yellow 10 is led, blue 10 takes 19 + 13 points, blue 1 gives away 19 + 4.

    One trick is left after it, worth 23 at most: only the blue 10 surely wins the game.
    """
    hands = [DECK.read_words(words.split()) for words in ("blue9/yellow10 red0/yellow1", "blue1/red3 green3/blue10")]
    state = FARBE.position(hands, dealer=1, leader=0)
    FARBE.apply(state, Turn(0, FARBE.parse("blue9/yellow10")))
    legal = FARBE.legal(state, 1)
    assert len(legal) == 2
    assert FARBE.describe(SearchBot(FARBE).choose(FARBE.view(state, 1), legal, Random(3))) == "green3/blue10"


def test_it_is_far_ahead_of_random_play() -> None:
    """Against one other at each rotation of 3 deals, with few rollouts."""
    game = GAMES["xxl-6"].engine
    assert game is not None
    bots: dict[str, BotFactory] = {
        "search": lambda game: SearchBot(game, Budget(iterations=20)),
        "random": lambda game: RandomBot(),
    }
    result = round_robin(game, bots, deals=3, seed=1, seats=2)
    best, other = result.standings
    assert (best.bot, other.bot) == ("search", "random")
    assert best.place is not None
    assert other.place is not None
    assert best.place.mean + 0.5 < other.place.mean
