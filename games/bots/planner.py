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

from games.bots.greedy_piles import PileRule
from games.bots.planner_endgame import Endgame, ordered_steps, step_on
from games.bots.planner_net import SURE, TWENTY, shipped
from games.bots.planner_turns import Considered, Tops, turns
from games.bots.planner_value import Array, Batch
from games.bots.planner_worlds import Worlds
from games.core import AnyGame, Move, shuffled
from games.rules.the_game import END, GAME, View
from games.rules.the_game_piles import ALL_CARDS, DECK, as_set


@dataclass(frozen=True, slots=True)
class Effort:
    """How much the planner thinks over one choice.

    All turns are valued in ``first`` worlds, the ``kept`` best of them in ``worlds`` more. At the end every step
    is tried in ``endings`` worlds, each searched for ``steps`` steps, or ``certain`` steps where no hand is hidden.
    Alone, the ``kept_alone`` best turns are followed by ``draws`` draws and the best turn after each.
    """

    first: int
    kept: int
    worlds: int
    endings: int
    steps: int
    certain: int
    kept_alone: int
    draws: int


USUAL: Final = Effort(first=3, kept=12, worlds=12, endings=12, steps=250, certain=4_000, kept_alone=6, draws=8)
CHEAP: Final = Effort(first=3, kept=0, worlds=0, endings=4, steps=100, certain=1_000, kept_alone=1, draws=0)
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
            return self._plan_alone(sight, considered, rng)
        totals = values(sight, considered, [worlds.draw(rng) for _ in range(effort.first)])
        if not effort.worlds:
            return considered[int(np.argmax(totals))]
        # Stable, so that of equal ones the first stay in front.
        best = np.argsort(-totals, kind="stable")[: effort.kept]
        kept: list[Considered] = [considered[i] for i in best]
        if len(kept) > 1:
            totals = totals[best] + values(sight, kept, [worlds.draw(rng) for _ in range(effort.worlds)])
        return kept[int(np.argmax(totals))]

    def _plan_alone(self, sight: Sight, considered: Sequence[Considered], rng: Random) -> Considered:
        """Of the turns that the net likes best, the one after which the next goes best, on average over draws."""
        effort = self._effort
        totals = values(sight, considered, [[]])
        best = np.argsort(-totals, kind="stable")[: effort.kept_alone]
        kept: list[Considered] = [considered[i] for i in best]
        if len(kept) == 1 or not effort.draws:
            return kept[0]
        unseen = [card for card in DECK if (sight.unplayed & ~sight.hand) >> card & 1]
        piles = [shuffled(unseen, rng) for _ in range(effort.draws)]
        batch, parts = Batch(), []
        scores = [0.0] * len(kept)
        search = Endgame(effort.steps)
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


_STEPS_TRIED: Final = 6
_MOST_FOLLOWING: Final = 30
_WEIGHTS: Final = {2: (5, 2), 3: (1, 32)}
"""By minimum: of the chance of a perfect game and of the cards left. Under the expert rules hardly any is perfect."""


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
    total: Array = worths(sight, batch).reshape(len(considered), len(worlds)).sum(axis=1)
    return total


def worths(sight: Sight, batch: Batch) -> Array:
    """By row of the batch: chance of a perfect game and cards left as one whole number, the more the better."""
    chance, left = shipped(sight.seats, sight.minimum).heads(batch.features())
    chances, lefts = _WEIGHTS[sight.minimum]
    worth: Array = chances * chance - lefts * left
    return worth


def worth_of(minimum: int, left: int) -> int:
    """What a finished game is worth."""
    chances, lefts = _WEIGHTS[minimum]
    return chances * SURE * (left == 0) - lefts * (TWENTY * left // 20)


def planner(effort: Effort) -> Callable[[AnyGame], Planner]:
    """What makes ``Planner`` with this effort, as ``BOTS`` has it."""
    return lambda game: Planner(game, effort)


cheap_planner: Final = planner(CHEAP)
