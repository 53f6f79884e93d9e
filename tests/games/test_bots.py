"""What bots there are, what they may think and what they say."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from games.bots import BOTS, bots_for, plays
from games.bots.base import ExplainingBot, reason_of
from games.bots.budget import Budget
from games.bots.searching import search
from games.catalog import GAMES
from games.core import AnyGame, GameError, Move
from games.language import gettext, ngettext, speaking
from games.rules import xxl_6
from tests.games.engines import ENGINES, after


class Clock:
    """A bot that has never a reason."""

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        """The first move."""
        return legal[0]


def test_every_game_has_random_play_a_rule_of_thumb_and_a_search() -> None:
    for game in ENGINES:
        assert bots_for(game.key)[:3] == ["random", "greedy", "search"]


def test_a_bot_that_is_not_there_plays_nothing() -> None:
    assert not any(plays("oracle", game) for game in GAMES)


def test_a_budget_of_iterations_is_counted() -> None:
    """100 iterations at 30 a step are 3 whole steps; at least 5 when so many must be."""
    assert list(Budget(iterations=100).steps(7, 30)) == [0, 1, 2]
    assert list(Budget(iterations=100).steps(7, 30, least=5)) == [0, 1, 2, 3, 4]
    assert list(Budget().steps(7)) == [0, 1, 2, 3, 4, 5, 6]


def test_a_budget_of_milliseconds_ends() -> None:
    """Steps that take no time are many, and at least so many as must be."""
    assert len(list(Budget(milliseconds=2).steps(1))) > 1
    assert len(list(Budget(milliseconds=0.000001).steps(1, least=9))) == 9


@pytest.mark.parametrize("wrong", [{"iterations": 0}, {"milliseconds": 0}, {"iterations": 5, "milliseconds": 5}])
def test_a_budget_is_one_thing_above_nothing(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="budget"):
        Budget(**wrong)


@pytest.mark.parametrize("game", ENGINES, ids=lambda game: game.key)
def test_a_search_for_milliseconds_plays_by_the_rules(game: AnyGame) -> None:
    played = after(game, max(2, game.seats[0]), 3, 8)
    seat = played.to_move()[0]
    legal = game.legal(played.state, seat)
    assert search(Budget(milliseconds=1))(game).choose(played.view(seat), legal, Random(1)) in legal


@pytest.mark.parametrize("key", [key for key in GAMES if key.startswith("xxl-") and GAMES[key].engine])
def test_rules_of_thumb_give_a_reason_for_every_choice(key: str) -> None:
    """One sentence, the same when asked again, with no gap left open; and a German speaker hears no error."""
    game = GAMES[key].engine
    assert game is not None
    bot = BOTS["greedy"](game)
    assert isinstance(bot, ExplainingBot)
    reasons = set()
    for moves in range(0, 40, 3):
        played = after(game, 3, 5, moves)
        for seat in played.to_move()[:1]:
            view, legal = played.view(seat), game.legal(played.state, seat)
            move = bot.choose(view, legal, Random(2))
            reason = reason_of(bot, view, legal, move)
            assert (reason is None) == (len(legal) == 1)
            if reason is not None:
                assert reason == bot.reason(view, legal, move)
                assert reason.endswith(".")
                assert "%(" not in reason
                reasons.add(reason)
                with speaking("de"):
                    assert bot.reason(view, legal, move)
    assert len(reasons) > 1


def test_a_reason_names_chance_and_points() -> None:
    """docs/rules/xxl.md, "Game 6": blue 10 as the last card takes 19 + 13 points."""
    deck = xxl_6.GAME.deck
    hands = [deck.read_words(words.split()) for words in ("blue9/yellow10 red0/yellow1", "blue1/red3 green3/blue10")]
    state = xxl_6.GAME.position(hands, dealer=1, leader=0)
    game: AnyGame = xxl_6.GAME
    game.advance(state, 0, deck.read_word("blue9/yellow10"))
    legal, bot = game.legal(state, 1), BOTS["greedy"](game)
    assert reason_of(bot, game.view(state, 1), legal, deck.read_word("green3/blue10")) == "Takes the trick: 32 points."


def test_bots_without_words_give_no_reason() -> None:
    game: AnyGame = xxl_6.GAME
    played = after(game, 4, 1, 2)
    seat = played.to_move()[0]
    view, legal = played.view(seat), game.legal(played.state, seat)
    for bot in (Clock(), BOTS["random"](game), BOTS["search"](game)):
        assert reason_of(bot, view, legal, legal[0]) is None


def test_the_language_spoken_ends_with_its_block() -> None:
    """What has no translation, and every unknown language, is English; GameError stands for whatever goes wrong."""
    with pytest.raises(GameError), speaking("de"):
        assert gettext("bot") != ""
        raise GameError("over")
    assert gettext("no such text") == "no such text"
    with speaking("fr"):
        assert ngettext("one %d", "many %d", 2) == "many %d"
