"""Bots that look ahead, one for each game that has a search of its own, and one for all others.

Terms. A *world* is a full state that the bot must think possible (``Game.determinize``). A *rollout* plays a
world on to its end. An *iteration* is one rollout, or what a game's own search says.

Promises: with a budget of iterations the same view, moves and state of the random source give the same
choice on every machine; with one of milliseconds they don't.
Never: sees more than the view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from games.bots.base import Bot, reason_of
from games.bots.budget import USUAL, Budget
from games.bots.search_refusal import RefusalSearch
from games.bots.search_rounds import RoundSearch
from games.bots.search_shedding import SheddingSearch
from games.bots.search_straights import StraightSearch
from games.bots.search_tricks import TrumpSearch, colour_search
from games.core import AnyGame, Move, Outcome, Seat

ROLLOUTS = 200
_FEWEST_WORLDS = 8


class FlatSearch:
    """Flat Monte Carlo on determinized states, for any game: rollouts are random.

    In each world every legal move is tried and the game played on; the move with the best average is played.
    This is flat Monte Carlo with perfect information sampling (Ginsberg, "GIB: Imperfect Information in a
    Computationally Challenging Game", JAIR 14, 2001). Costs some 10 to 50 ms a move; knows no single game.
    """

    def __init__(self, game: AnyGame, budget: Budget = USUAL) -> None:
        """An iteration is a rollout; at least 8 worlds are tried."""
        self.game = game
        self.budget = budget

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        """The move with the best average; of equal ones the first."""
        if len(legal) == 1:
            return legal[0]
        game, seat = self.game, view["seat"]
        values = dict.fromkeys(legal, 0.0)
        for _ in self.budget.steps(ROLLOUTS, len(legal), least=_FEWEST_WORLDS):
            world = game.determinize(view, rng)
            for move in legal:
                state = game.clone(world)
                game.advance(state, seat, move)
                game.rollout(state, rng)
                outcome = game.outcome(state)
                if outcome is not None:
                    values[move] += self._value(outcome, seat)
        return max(legal, key=values.__getitem__)

    def _value(self, outcome: Outcome, seat: Seat) -> float:
        """The more, the better for the seat: its place, and its score where places are equal or there are none."""
        score = outcome.scores[seat] if self.game.high_wins else -outcome.scores[seat]
        if outcome.places is None:
            return score
        return score / 1000 - outcome.places[seat]


Search = Callable[[Any, Budget], Bot]

SEARCHES: Mapping[str, Search] = MappingProxyType(
    {
        "xxl-1": SheddingSearch,
        "xxl-2": SheddingSearch,
        "xxl-3": RefusalSearch,
        "xxl-4": StraightSearch,
        "xxl-5": SheddingSearch,
        "xxl-6": colour_search,
        "xxl-6-plus": TrumpSearch,
        "und-tschuess": RoundSearch,
    }
)
"""By key of the game: what makes its own search for the game, with the deck that the game is bound to."""


class SearchBot:
    """Plays as the game's own search does, or as ``FlatSearch``."""

    def __init__(self, game: AnyGame, budget: Budget = USUAL) -> None:
        self._search = SEARCHES.get(game.key, FlatSearch)(game, budget)

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        """What the search finds; a single legal move costs nothing."""
        if len(legal) == 1:
            return legal[0]
        return self._search.choose(view, legal, rng)

    def reason(self, view: Mapping[str, Any], legal: Sequence[Move], move: Move) -> str | None:
        """What the search says; ``None`` from most."""
        return reason_of(self._search, view, legal, move)


def search(budget: Budget) -> Callable[[AnyGame], SearchBot]:
    """What makes ``SearchBot`` with this budget, as ``BOTS`` has it."""
    return lambda game: SearchBot(game, budget)
