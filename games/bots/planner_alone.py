"""Planning ahead in The Game alone, where nothing is hidden but the order of the draw pile.

Terms. As in ``games.bots.planner``. A *draw* is an order in which the unseen cards could come.

Never: draws for one turn what it does not draw for the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from games.bots.planner_endgame import Endgame
from games.bots.planner_sight import Sight, values, worth_of, worths
from games.bots.planner_turns import Considered, turns
from games.bots.planner_value import Batch
from games.core import shuffled
from games.rules.the_game_piles import DECK, as_set

_MOST_FOLLOWING: Final = 30
_STEPS: Final = 200


@dataclass(frozen=True, slots=True)
class Ahead:
    """The ``kept`` best turns are followed by ``draws`` draws and the best turn after each."""

    kept: int
    draws: int


USUAL: Final = Ahead(kept=6, draws=8)
NONE: Final = Ahead(kept=1, draws=0)


def plan_alone(sight: Sight, considered: Sequence[Considered], ahead: Ahead, rng: Random) -> Considered:
    """Of the turns that the net likes best, the one after which the next goes best, on average over draws."""
    totals = values(sight, considered, [[]])
    best = np.argsort(-totals, kind="stable")[: ahead.kept]
    kept: list[Considered] = [considered[i] for i in best]
    if len(kept) == 1 or not ahead.draws:
        return kept[0]
    unseen = [card for card in DECK if (sight.unplayed & ~sight.hand) >> card & 1]
    piles = [shuffled(unseen, rng) for _ in range(ahead.draws)]
    batch, parts = Batch(), []
    scores = [0.0] * len(kept)
    search = Endgame(_STEPS)
    for number, (hand, tops, _moves, _jumps) in enumerate(kept):
        drawn = min(sight.draw_pile, sight.hand_size - hand.bit_count())
        left = sight.draw_pile - drawn
        for pile in piles:
            full = hand | as_set(pile[:drawn])
            elsewhere = as_set(pile[drawn:])
            if not left:
                scores[number] += worth_of(sight.minimum, search.solve((full,), tops, False))
                continue
            following = turns(full, tops, sight.minimum, full | elsewhere, _MOST_FOLLOWING)
            if following:
                batch.add(following, [[]], elsewhere=elsewhere, draw_pile=left, hand_size=sight.hand_size)
                parts.append((number, len(following)))
            else:
                scores[number] += worth_of(sight.minimum, full.bit_count() + left)
    if parts:
        worth = worths(sight, batch)
        at = 0
        for number, many in parts:
            scores[number] += float(worth[at : at + many].max())
            at += many
    return kept[max(range(len(kept)), key=scores.__getitem__)]
