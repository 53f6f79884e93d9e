"""Bots by key. A bot family has a file of its own; this is the only list of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from games.bots.base import Bot
from games.bots.greedy import GreedyBot
from games.bots.randomly import RandomBot
from games.bots.searching import SearchBot
from games.core import AnyGame

BotFactory = Callable[[AnyGame], Bot]

BOTS: Mapping[str, BotFactory] = MappingProxyType(
    {"random": lambda game: RandomBot(), "search": SearchBot, "greedy": GreedyBot}
)
"""By key: what makes the bot for a game; from the weakest to the strongest, whose hints a player gets."""
