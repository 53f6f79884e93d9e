"""What a bot is.

A bot is given a view, the legal moves and a random source, and answers with one of the moves. It is
never given a state, a seed, another seat's view or the object that runs the game, so that it can't
cheat, not even by mistake. What it knows of the rules it gets from the game when it is made.

A bot keeps nothing from one choice to the next: the same one may sit on several seats at once, and a
match can be continued from its record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol, runtime_checkable

from games.core import Move


class Bot(Protocol):
    """Anything that chooses moves."""

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        """One of ``legal`` (never empty), decided from the view and ``rng`` alone."""


@runtime_checkable
class ExplainingBot(Bot, Protocol):
    """A bot that can say why."""

    def reason(self, view: Mapping[str, Any], legal: Sequence[Move], move: Move) -> str | None:
        """Why this move of these: one short sentence in the language spoken (``games.language``), or ``None``.

        Worked out from the view and the moves alone, without a random source and within some milliseconds, so
        that a stored game can be explained long after it was played.
        """


def reason_of(bot: Bot, view: Mapping[str, Any], legal: Sequence[Move], move: Move) -> str | None:
    """The bot's reason; ``None`` where it gives none or there was nothing to choose."""
    if len(legal) < 2 or not isinstance(bot, ExplainingBot):
        return None
    return bot.reason(view, legal, move)
