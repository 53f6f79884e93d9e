"""Bots playing a game among themselves.

Promises: the same game version, bots, seed and options give the same record; each bot has a random
source of its own, and is given what ``games.bots.base`` says and nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

from games.bots.base import Bot
from games.core import SEED_LIMIT, AnyGame, GameError, Json, Playthrough, Turn, bot_source
from games.record import Record

OnMove = Callable[[Playthrough], None]


class BotFault(RuntimeError):
    """A bot chose a move it was not offered: a fault of the bot, not of any player."""


def play_through(
    game: AnyGame,
    bots: Sequence[Bot],
    seed: int,
    options: Mapping[str, Json] | None = None,
    on_move: OnMove | None = None,
) -> Playthrough:
    """Let the bots, one a seat, play a game to its end; the playthrough has the outcome.

    ``on_move`` is called after every move; what it raises ends the match. Raises BadSetup, BotFault.
    """
    playthrough = Playthrough(game, len(bots), seed, options)
    sources = [bot_source(seed, seat) for seat in range(len(bots))]
    while to_move := playthrough.to_move():
        seat = to_move[0]
        legal = playthrough.game.legal(playthrough.state, seat)
        move = bots[seat].choose(playthrough.view(seat), legal, sources[seat])
        try:
            playthrough.play(Turn(seat, move))
        except GameError as error:
            raise BotFault(f"The bot at seat {seat} chose {move!r} of {legal}: {error}") from error
        if on_move is not None:
            on_move(playthrough)
    return playthrough


def play_out(
    game: AnyGame,
    bots: Sequence[Bot],
    seed: int,
    options: Mapping[str, Json] | None = None,
    on_move: OnMove | None = None,
) -> Record:
    """The record of ``play_through``; whoever wants the outcome as well calls that one."""
    return Record.of(play_through(game, bots, seed, options, on_move))


def deal_seed(seed: int, deal: int) -> int:
    """The seed of a series' deal, counted from 0: the series' own, then one that no neighbouring seed leads to."""
    if deal == 0:
        return seed
    return int.from_bytes(hashlib.sha256(f"{seed}/{deal}".encode()).digest()) & (SEED_LIMIT - 1)
