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
from typing import Any, Protocol

from games.core import Move


class Bot(Protocol):
    """Anything that chooses moves."""

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        """One of ``legal`` (never empty), decided from the view and ``rng`` alone."""
