"""The bot for The Game that plans whole turns.

Terms. A *world* is a hand for each other seat that gives the signals shown. A *position* is what a turn leaves, a
*turn* a row of lays; both are as in ``games.bots.planner_turns`` and ``games.bots.planner_value``.

How it plays. It lists the turns that could be sensible, draws worlds, and asks a small net, trained by games of the
planner with itself, what the position after each turn is worth in each world; the turn with the best mean begins. It
plans anew after each lay, since the signals have changed. Once the draw pile is empty nothing is hidden but who has
which card: in each world every step is tried and the rest searched with all hands open (with two seats, or alone, the
other hand follows from what was played: then the search is exact, as far as its steps reach).

Promises: the same view, moves and state of the random source give the same choice on every machine.
Never: keeps anything from one choice to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np

from games.bots import planner_alone
from games.bots.greedy_piles import PileRule
from games.bots.planner_alone import Ahead, plan_alone
from games.bots.planner_endgame import Endgame, ordered_steps, step_on
from games.bots.planner_sight import Sight, values
from games.bots.planner_turns import Considered, turns
from games.bots.planner_worlds import Worlds
from games.core import AnyGame, Move
from games.rules.the_game import END, GAME


@dataclass(frozen=True, slots=True)
class Effort:
    """How much the planner thinks over one choice.

    All turns are valued in ``first`` worlds, the ``kept`` best of them in ``worlds`` more. At the end every step
    is tried in ``endings`` worlds, each searched for ``steps`` steps, or ``certain`` steps where no hand is hidden.
    ``alone`` is for who plays alone.
    """

    first: int
    kept: int
    worlds: int
    endings: int
    steps: int
    certain: int
    alone: Ahead


USUAL: Final = Effort(first=3, kept=8, worlds=8, endings=8, steps=200, certain=4_000, alone=planner_alone.USUAL)
CHEAP: Final = Effort(first=3, kept=0, worlds=0, endings=4, steps=100, certain=1_000, alone=planner_alone.NONE)
"""For long series: about a third of the time."""

_STEPS_TRIED: Final = 6
"""At the end, where hands are hidden."""


class Planner:
    """For The Game: ``USUAL`` effort takes some 5 to 10 ms a turn, alone some 60."""

    def __init__(self, game: AnyGame, effort: Effort = USUAL) -> None:
        """The rules are the same whatever is agreed on; the view tells the minimum."""
        self._effort = effort
        self._rule = PileRule(GAME)

    def choose(self, view: Any, legal: Sequence[Move], rng: Random) -> Move:
        """The first move of the best turn found; of equal ones the first considered."""
        if len(legal) == 1:
            return legal[0]
        if view["choosing"]:
            # A signal is given for a card that can be laid at little cost.
            return max(legal, key=lambda move: sum(view["signals"][move - legal[0]]))
        sight = Sight.of(view)
        worlds = Worlds(sight.tops, sight.unplayed & ~sight.hand, sight.sizes, sight.signals)
        considered = turns(sight.hand, sight.tops, sight.needed, sight.unplayed)
        if not considered:
            return legal[0]
        if sight.draw_pile == 0:
            return self._end(sight, considered, worlds, rng)
        return _first_move(self._plan(sight, considered, worlds, rng))

    def reason(self, view: Any, legal: Sequence[Move], move: Move) -> str:
        """What the lay costs, as the rule of thumb says it: what the net thinks can't be put into words."""
        return self._rule.reason(view, legal, move)

    def _plan(self, sight: Sight, considered: Sequence[Considered], worlds: Worlds, rng: Random) -> Considered:
        """The turn after which the position is worth most."""
        if len(considered) == 1:
            return considered[0]
        effort = self._effort
        if not sight.others:
            return plan_alone(sight, considered, effort.alone, rng)
        totals = values(sight, considered, [worlds.draw(rng) for _ in range(effort.first)])
        if not effort.worlds:
            return considered[int(np.argmax(totals))]
        # Stable, so that of equal ones the first stay in front.
        best = np.argsort(-totals, kind="stable")[: effort.kept]
        kept: list[Considered] = [considered[i] for i in best]
        if len(kept) > 1:
            totals = totals[best] + values(sight, kept, [worlds.draw(rng) for _ in range(effort.worlds)])
        return kept[int(np.argmax(totals))]

    def _end(self, sight: Sight, considered: Sequence[Considered], worlds: Worlds, rng: Random) -> Move:
        """The step after which fewest cards are left over all worlds; perfect games count first."""
        effort = self._effort
        hidden = len(sight.others) > 1
        number, steps = (effort.endings, effort.steps) if hidden else (1, effort.certain)
        drawn = [worlds.draw(rng) for _ in range(number)]
        rating = values(sight, considered, drawn)
        # Those that the net likes come first; where nothing is hidden all others are tried too.
        moves: dict[Move, None] = dict.fromkeys(_first_move(considered[i]) for i in np.argsort(-rating, kind="stable"))
        if not hidden:
            cheapest = ordered_steps(sight.hand, sight.tops, sight.unplayed, sight.laid)
            moves |= dict.fromkeys(move for _cost, move in cheapest)
        if len(moves) == 1:
            return next(iter(moves))
        search = Endgame(steps)
        best, best_score = END, (-1, 0)
        fewest = None
        for move in list(moves)[: _STEPS_TRIED if hidden else len(moves)]:
            perfect = left = 0
            for world in drawn:
                hands, tops = step_on((sight.hand, *world), sight.tops, move)
                found = search.solve(hands, tops, move != END, fewest)
                perfect += not found
                left += found
            if (perfect, -left) > best_score:
                best, best_score = move, (perfect, -left)
            if perfect == number:
                break
            if not hidden:
                fewest = -best_score[1]
        return best


def _first_move(turn: Considered) -> Move:
    return turn[2][0] if turn[2] else END


def planner(effort: Effort) -> Callable[[AnyGame], Planner]:
    """What makes ``Planner`` with this effort, as ``BOTS`` has it."""
    return lambda game: Planner(game, effort)


cheap_planner: Final = planner(CHEAP)
"""What makes ``Planner`` with ``CHEAP`` effort."""
