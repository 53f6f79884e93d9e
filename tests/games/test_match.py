"""Bots playing matches: what they are given, and games that always come to a proper end."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from games.bots import BOTS
from games.core import BadSetup, Move, Playthrough
from games.match import BotFault, play_out, play_through
from games.rules.xxl_6 import GAME


class Notebook:
    """Plays the first legal move and notes all it was given."""

    def __init__(self) -> None:
        self.seen: list[tuple[Mapping[str, Any], Sequence[Move], float]] = []

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        self.seen.append((view, legal, rng.random()))
        return legal[0]


class Cheat:
    """Plays a card that it was not offered."""

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        return next(move for move in range(55) if move not in legal)


def test_a_match_is_decided_by_game_bots_seed_and_options() -> None:
    bots = [BOTS["random"](GAME) for _ in range(4)]
    record = play_out(GAME, bots, 5, {"dealer": 1})
    assert record == play_out(GAME, bots, 5, {"dealer": 1})
    assert record != play_out(GAME, bots, 6, {"dealer": 1})
    assert record.options == {"dealer": 1, "deck": "default"}
    assert record.verify() is None
    outcome = record.replay().outcome()
    assert outcome is not None
    assert outcome == play_through(GAME, bots, 5, {"dealer": 1}).outcome()


def test_a_bot_is_given_its_own_view() -> None:
    books = [Notebook() for _ in range(3)]
    play_out(GAME, books, 7)
    for seat, book in enumerate(books):
        assert len(book.seen) == 12
        for view, legal, _ in book.seen:
            assert view["seat"] == seat
            assert view["to_move"] == [seat]
            assert {GAME.describe(move) for move in legal} <= set(view["hand"])
    assert len({chance for book in books for _, _, chance in book.seen}) == 36


def test_on_move_sees_every_move_and_can_end_the_match() -> None:
    lengths: list[int] = []

    def watch(playthrough: Playthrough) -> None:
        lengths.append(len(playthrough.turns))
        if len(lengths) == 10:
            raise TimeoutError

    bots = [BOTS["random"](GAME)] * 2
    with pytest.raises(TimeoutError):
        play_out(GAME, bots, 5, on_move=watch)
    assert lengths == list(range(1, 11))


def test_a_bot_that_breaks_the_rules_is_at_fault() -> None:
    with pytest.raises(BotFault, match=r"The bot at seat \d chose"):
        play_out(GAME, [Cheat(), Cheat()], 1)


def test_a_match_needs_a_possible_table() -> None:
    with pytest.raises(BadSetup, match="2 to 6 seats, not 1"):
        play_out(GAME, [BOTS["random"](GAME)], 1)
