"""What the planner sees of The Game, and what it thinks of what a turn leaves.

Terms. As in ``games.bots.planner``. The *worth* of a position is a whole number, the more the better, made of the
chance of a perfect game and of the cards left.

Never: draws anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.bots.planner_net import SURE, TWENTY, shipped
from games.bots.planner_turns import Considered, Tops
from games.bots.planner_value import Array, Batch
from games.rules.the_game import View
from games.rules.the_game_piles import ALL_CARDS, as_set

_WEIGHTS: Final = {2: (5, 2), 3: (1, 32)}
"""By minimum: of the chance of a perfect game and of the cards left. Under the expert rules hardly any is perfect."""


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
