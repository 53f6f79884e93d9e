"""The bot that plays at random: a yardstick for other bots, and a way to exercise a game's rules.

The file is not named after its key ``random``, lest it be taken for the standard library's module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.core import Move


class RandomBot:
    """Chooses every legal move equally often."""

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        """One of ``legal``, whatever the view shows."""
        # Not rng.choice: only random() gives the same sequence in every Python, as golden games need.
        return legal[int(rng.random() * len(legal))]
