"""Bots by key. A bot family has a file of its own; this is the only list of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from games.bots.base import Bot
from games.bots.greedy import GreedyBot
from games.bots.planner import Planner
from games.bots.randomly import RandomBot
from games.bots.searching import SearchBot
from games.core import AnyGame

BotFactory = Callable[[AnyGame], Bot]

BOTS: Mapping[str, BotFactory] = MappingProxyType(
    {"random": lambda game: RandomBot(), "greedy": GreedyBot, "search": SearchBot, "planner": Planner}
)
"""By key: what makes the bot for a game; from the weakest to the strongest, whose hints a player gets."""

_SPECIALISTS: Mapping[str, frozenset[str]] = MappingProxyType({"planner": frozenset({"the-game"})})
"""By key of a bot that is not for every game: the keys of the games that it plays."""


def plays(bot: str, game: str) -> bool:
    """Whether there is such a bot and it plays the game; both by key."""
    return bot in BOTS and (bot not in _SPECIALISTS or game in _SPECIALISTS[bot])


def bots_for(game: str) -> list[str]:
    """The keys of the bots that play the game, from the weakest to the strongest."""
    return [bot for bot in BOTS if plays(bot, game)]
