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

from games.bots.planner_endgame import Endgame, step_on
from games.bots.planner_net import Net, shipped
from games.bots.planner_turns import Considered, Tops, turns
from games.bots.planner_value import Array, Batch
from games.bots.planner_worlds import Worlds
from games.core import AnyGame, Move
from games.rules.the_game import END, View
from games.rules.the_game_piles import ALL_CARDS, as_set


@dataclass(frozen=True, slots=True)
class Effort:
    """How much the planner thinks over one choice.

    All turns are valued in ``first`` worlds, the ``kept`` best of them in ``worlds`` more. At the end every step
    is tried in ``endings`` worlds, each searched for ``steps`` steps, or ``certain`` steps where no hand is hidden.
    """

    first: int
    kept: int
    worlds: int
    endings: int
    steps: int
    certain: int


USUAL: Final = Effort(first=3, kept=12, worlds=12, endings=12, steps=250, certain=20_000)
CHEAP: Final = Effort(first=3, kept=0, worlds=0, endings=4, steps=100, certain=1_000)
"""For long series: about a third of the time."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A view as the planner reads it; ``others`` are the seats with cards that follow, in turn order."""

    hand: int
    tops: Tops
    unplayed: int
    others: tuple[int, ...]
    sizes: tuple[int, ...]
    signals: tuple[tuple[int, ...], ...]
    draw_pile: int
    hand_size: int
    needed: int
    laid: bool
    seats: int
    minimum: int

    @classmethod
    def of(cls, view: View) -> Sight:
        """What counts for a choice."""
        me, seats = view["seat"] or 0, view["seats"]
        others = tuple(seat % seats for seat in range(me + 1, me + seats) if view["hand_sizes"][seat % seats])
        up1, up2, down1, down2 = view["piles"]
        return cls(
            hand=as_set(view["hand"] or ()),
            tops=(up1, up2, down1, down2),
            unplayed=ALL_CARDS & ~as_set(view["played"]),
            others=others,
            sizes=tuple(view["hand_sizes"][seat] for seat in others),
            signals=tuple(tuple(view["signals"][seat]) for seat in others),
            draw_pile=view["draw_pile"],
            hand_size=view["hand_size"],
            needed=view["minimum"] - len(view["laid"]),
            laid=bool(view["laid"]),
            seats=seats,
            minimum=view["usual_minimum"],
        )


class Planner:
    """For The Game: ``USUAL`` effort takes some 10 to 40 ms a turn."""

    def __init__(self, game: AnyGame, effort: Effort = USUAL) -> None:
        """The rules are the same whatever is agreed on; the view tells the minimum."""
        self._effort = effort

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
            return self._end(sight, considered, worlds, legal, rng)
        return _first_move(self._plan(sight, considered, worlds, rng))

    def _plan(self, sight: Sight, considered: Sequence[Considered], worlds: Worlds, rng: Random) -> Considered:
        """The turn after which the position is worth most."""
        if len(considered) == 1:
            return considered[0]
        effort = self._effort
        if not sight.others:
            return considered[int(np.argmax(values(sight, considered, [[]])))]
        totals = values(sight, considered, [worlds.draw(rng) for _ in range(effort.first)])
        if not effort.worlds:
            return considered[int(np.argmax(totals))]
        # Stable, so that of equal ones the first stay in front.
        best = np.argsort(-totals, kind="stable")[: effort.kept]
        kept: list[Considered] = [considered[i] for i in best]
        if len(kept) > 1:
            totals = totals[best] + values(sight, kept, [worlds.draw(rng) for _ in range(effort.worlds)])
        return kept[int(np.argmax(totals))]

    def _end(
        self, sight: Sight, considered: Sequence[Considered], worlds: Worlds, legal: Sequence[Move], rng: Random
    ) -> Move:
        """The step after which fewest cards are left over all worlds; perfect games count first."""
        effort = self._effort
        hidden = len(sight.others) > 1
        number, steps = (effort.endings, effort.steps) if hidden else (1, effort.certain)
        drawn = [worlds.draw(rng) for _ in range(number)]
        rating = values(sight, considered, drawn)
        moves: list[Move] = []
        for i in np.argsort(-rating, kind="stable"):
            move = _first_move(considered[i])
            if move not in moves:
                moves.append(move)
        if len(moves) == 1:
            return moves[0]
        search = Endgame(steps)
        best, best_score = moves[0], None
        for move in moves[:6]:
            perfect = left = 0
            for world in drawn:
                hands, tops = step_on((sight.hand, *world), sight.tops, move)
                found = search.solve(hands, tops, move != END)
                perfect += not found
                left += found
            score = (perfect, -left)
            if best_score is None or score > best_score:
                best, best_score = move, score
            if perfect == number:
                break
        return best


def _first_move(turn: Considered) -> Move:
    return turn[2][0] if turn[2] else END


def values(sight: Sight, considered: Sequence[Considered], worlds: Sequence[Sequence[int]]) -> Array:
    """By turn: what the position after it is worth, summed up over the worlds, in whole numbers (turns,)."""
    batch = Batch()
    batch.add(
        considered,
        worlds,
        elsewhere=sight.unplayed ^ sight.hand,
        draw_pile=sight.draw_pile,
        hand_size=sight.hand_size,
    )
    chance, left = net_for(sight.seats, sight.minimum).heads(batch.features())
    worth = 5 * chance - 2 * left if sight.minimum == 2 else chance - 32 * left
    total: Array = worth.reshape(len(considered), len(worlds)).sum(axis=1)
    return total


def net_for(seats: int, minimum: int) -> Net:
    """The shipped net for the table."""
    return shipped()[seats, minimum]


def planner(effort: Effort) -> Callable[[AnyGame], Planner]:
    """What makes ``Planner`` with this effort, as ``BOTS`` has it."""
    return lambda game: Planner(game, effort)
