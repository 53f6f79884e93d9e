"""The bot that looks ahead: flat Monte Carlo on determinized states, for every game alike.

Terms. A *world* is a full state that the bot must think possible (``Game.determinize``). In each world every
legal move is tried and the game played on at random to its end; the move with the best average is played.
This is flat Monte Carlo with perfect information sampling (Ginsberg, "GIB: Imperfect Information in a
Computationally Challenging Game", JAIR 14, 2001).

Never: knows a single game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.core import AnyGame, Move, Outcome, Seat

ROLLOUTS = 200
_FEWEST_WORLDS = 8


class SearchBot:
    """Tries each legal move in the same sampled worlds, ``rollouts`` games in all (at least 8 a move).

    Costs some 10 to 50 ms a move.
    """

    def __init__(self, game: AnyGame, rollouts: int = ROLLOUTS) -> None:
        self.game = game
        self.rollouts = rollouts

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        """The move with the best average; of equal ones the first."""
        if len(legal) == 1:
            return legal[0]
        game, seat = self.game, view["seat"]
        values = dict.fromkeys(legal, 0.0)
        for _ in range(max(_FEWEST_WORLDS, self.rollouts // len(legal))):
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
