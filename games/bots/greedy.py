"""The bot that plays by a rule of thumb, one for each game of the catalogue.

Terms. To *rate* a move is to say how good it looks; only ratings of the same choice can be compared, the
higher is the better. A *rule of thumb* rates all legal moves from a view.

Promises: the best rated move is played, of equally rated ones each equally often; the same view, moves and
state of the random source give the same choice, which takes well below a millisecond.
Never: draws hidden hands or plays a position on (that is what ``games.bots.searching`` does), or keeps
anything from one choice to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, Protocol, runtime_checkable

from games.bots.greedy_piles import PileRule
from games.bots.greedy_refusal import RefusalRule
from games.bots.greedy_rounds import RoundRule
from games.bots.greedy_shedding import RunsRule, TwoPilesRule, UnderRule
from games.bots.greedy_straights import StraightRule
from games.bots.greedy_tricks import TrumpRule, colour_rule
from games.core import AnyGame, Move


class RuleOfThumb(Protocol):
    """What is known of one game."""

    def rate(self, view: Any, legal: Sequence[Move]) -> Sequence[float]:
        """One rating a legal move, in their order; ``legal`` are two moves or more, ``view`` a player's."""


@runtime_checkable
class ExplainingRule(RuleOfThumb, Protocol):
    """A rule that can put its weighty terms into words."""

    def reason(self, view: Any, legal: Sequence[Move], move: Move) -> str | None:
        """As ``games.bots.base.ExplainingBot`` says."""


RULES: Mapping[str, Callable[[Any], RuleOfThumb]] = MappingProxyType(
    {
        "xxl-1": TwoPilesRule,
        "xxl-2": UnderRule,
        "xxl-3": RefusalRule,
        "xxl-4": StraightRule,
        "xxl-5": RunsRule,
        "xxl-6": colour_rule,
        "xxl-6-plus": TrumpRule,
        "the-game": PileRule,
        "und-tschuess": RoundRule,
    }
)
"""By key of the game: what makes its rule of thumb for the game, with the deck that the game is bound to."""


class GreedyBot:
    """Plays the move that its rule of thumb rates best."""

    def __init__(self, game: AnyGame) -> None:
        self._rule = RULES[game.key](game)

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        """The best rated move, of equal ones one at random."""
        if len(legal) == 1:
            return legal[0]
        ratings = self._rule.rate(view, legal)
        best = max(ratings)
        equal = [move for move, rating in zip(legal, ratings, strict=True) if rating == best]
        # Not rng.choice: only random() gives the same sequence in every Python.
        return equal[int(rng.random() * len(equal))]

    def reason(self, view: Mapping[str, Any], legal: Sequence[Move], move: Move) -> str | None:
        """What the rule of thumb says; ``None`` where it has no words for it."""
        return self._rule.reason(view, legal, move) if isinstance(self._rule, ExplainingRule) else None
