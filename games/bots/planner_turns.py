"""The turns that a planner considers in The Game.

Terms. Cards, piles and sets of cards are as in ``games.rules.the_game_piles``. A *jump* is the number of cards
not yet played that a lay makes impossible on its pile. A *turn* is a row of lays; turns that lead to the same
hand and tops are one, whatever their order.

Promises: what is considered follows from its arguments alone, in a fixed order; where the minimum can be reached
by a nearest card, a trick card or a card to go back from, there is a turn that does.
Never: rates a turn.
"""

from __future__ import annotations

from typing import Final

from games.rules.the_game_piles import BIT, FITTING

_MOST_TURNS: Final = 100
"""More are cut off beyond the minimum, those with the longest jumps first."""
_EXTRA_JUMP: Final = 3
"""The longest jump of a card laid beyond the minimum."""
_DEAR: Final = 10
"""Turns with jumps longer by more than this than the shortest get no card beyond the minimum."""

_ABOVE: Final = tuple(((1 << 101) - 1) ^ ((1 << top + 1) - 1) for top in range(101))
_BELOW: Final = tuple((1 << top) - 1 for top in range(101))
_BETWEEN: Final = tuple(
    tuple(
        ((1 << max(one, other)) - 1) & ~((1 << min(one, other) + 1) - 1) if one != other else 0 for other in range(101)
    )
    for one in range(101)
)
"""By two cards: the set of the cards between them."""
_BACK: Final = tuple(
    tuple(FITTING[pile][top] & (_BELOW[top] if pile < 2 else _ABOVE[top]) for top in range(101)) for pile in range(4)
)
"""By pile and top: the set of the trick card alone, empty where there is none."""

Tops = tuple[int, int, int, int]
Considered = tuple[int, Tops, tuple[int, ...], int]
"""A turn: the hand and tops that it leads to, its moves in order, the sum of its jumps."""


def turns(hand: int, tops: Tops, needed: int, unplayed: int, most: int = _MOST_TURNS) -> list[Considered]:
    """The turns from here on that lay ``needed`` cards at least (0 or less: laying nothing is one).

    ``unplayed`` is the set of all cards in hands and draw pile. None when the minimum can't be reached. Those
    with the fewest lays come first.
    """
    found: list[Considered] = []
    layer: dict[tuple[int, Tops], Considered] = {(hand, tops): (hand, tops, (), 0)}
    lays = 0
    while layer:
        if lays >= needed:
            found += layer.values()
        else:
            found += [turn for turn in layer.values() if not turn[0]]
        if len(found) >= most:
            break
        longest = 101 if lays < needed else _EXTRA_JUMP
        dear = 1000 if lays < needed else min(map(_jumps, layer.values())) + _DEAR
        after: dict[tuple[int, Tops], Considered] = {}
        for turn in layer.values():
            if turn[3] <= dear:
                _extend(turn, unplayed, longest, after)
        if len(after) > most:
            best = sorted(after.values(), key=_jumps)[:most]
            after = {(turn[0], turn[1]): turn for turn in best}
        layer = after
        lays += 1
    return found


def _jumps(turn: Considered) -> int:
    return turn[3]


def _extend(turn: Considered, unplayed: int, longest: int, after: dict[tuple[int, Tops], Considered]) -> None:
    """Put every turn with one sensible lay more into ``after``.

    Sensible is on each pile the nearest card, the trick card, and a card that another could go back from.
    """
    hand, tops, moves, jumps = turn
    up1, up2, down1, down2 = tops
    for pile, top in enumerate(tops):
        if pile & 1 and top == tops[pile - 1]:
            # The same as on the pile before.
            continue
        lays, ahead, back_from, back = _sensible(hand, pile, top)
        between = _BETWEEN[top]
        while lays:
            card = lays & -lays
            lays ^= card
            number = card.bit_length() - 1
            jump = (unplayed & between[number]).bit_count()
            if not card & ahead:
                jump = -jump
            elif jump > longest and not (
                card & back_from and (unplayed & between[number + back]).bit_count() <= longest
            ):
                continue
            new = (
                number if pile == 0 else up1,
                number if pile == 1 else up2,
                number if pile == 2 else down1,
                number if pile == 3 else down2,
            )
            key = (hand ^ card, new)
            known = after.get(key)
            if known is None or known[3] > jumps + jump:
                after[key] = (hand ^ card, new, (*moves, 4 * number + pile), jumps + jump)


def _sensible(hand: int, pile: int, top: int) -> tuple[int, int, int, int]:
    """The sensible cards, those ahead of the top, those with a card to go back to in the hand, the way to that."""
    if pile < 2:
        ahead, back_from, back = hand & _ABOVE[top], hand << 10, -10
        nearest = ahead & -ahead
    else:
        ahead, back_from, back = hand & _BELOW[top], hand >> 10, 10
        nearest = BIT[ahead.bit_length() - 1] if ahead else 0
    return hand & _BACK[pile][top] | nearest | ahead & back_from, ahead, back_from, back
