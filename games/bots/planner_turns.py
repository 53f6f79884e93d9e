"""The turns that a planner considers in The Game.

Terms. Cards, piles and sets of cards are as in ``games.rules.the_game_piles``. A *jump* is the number of cards
not yet played that a lay makes impossible on its pile. A *turn* is a row of lays; turns that lead to the same
hand and tops are one, whatever their order.

Promises: what is considered follows from its arguments alone, in a fixed order; where the minimum can be reached
by a nearest card, a trick card or a card to go back from, there is a turn that does.
Never: rates a turn.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.rules.the_game_piles import BIT, FITTING

_MOST_TURNS: Final = 120
"""More are cut off beyond the minimum, those with the longest jumps first."""
_EXTRA_JUMP: Final = 3
"""The longest jump of a card laid beyond the minimum."""

_ABOVE: Final = tuple(((1 << 101) - 1) ^ ((1 << top + 1) - 1) for top in range(101))
_BELOW: Final = tuple((1 << top) - 1 for top in range(101))
_NO_CARD: Final = 0
_BACK: Final = tuple(
    tuple(FITTING[pile][top] & (_BELOW[top] if pile < 2 else _ABOVE[top]) for top in range(101)) for pile in range(4)
)
"""By pile and top: the set of the trick card alone, empty where there is none."""

Tops = tuple[int, int, int, int]


class Considered(NamedTuple):
    """A turn: the hand and tops that it leads to, its moves in order, the sum of its jumps."""

    hand: int
    tops: Tops
    moves: tuple[int, ...]
    jumps: int


def turns(hand: int, tops: Tops, needed: int, unplayed: int, most: int = _MOST_TURNS) -> list[Considered]:
    """The turns from here on that lay ``needed`` cards at least (0 or less: laying nothing is one).

    ``unplayed`` is the set of all cards in hands and draw pile. None when the minimum can't be reached. Those
    with the fewest lays come first.
    """
    found: list[Considered] = []
    layer = {(hand, tops): Considered(hand, tops, (), 0)}
    lays = 0
    while layer:
        if lays >= needed:
            found += layer.values()
        else:
            found += [turn for turn in layer.values() if not turn.hand]
        if len(found) >= most:
            break
        longest = 101 if lays < needed else _EXTRA_JUMP
        after: dict[tuple[int, Tops], Considered] = {}
        for turn in layer.values():
            _extend(turn, unplayed, longest, after)
        if len(after) > most:
            best = sorted(after.values(), key=_jumps)[:most]
            after = {(turn.hand, turn.tops): turn for turn in best}
        layer = after
        lays += 1
    return found


def _jumps(turn: Considered) -> int:
    return turn.jumps


def _extend(turn: Considered, unplayed: int, longest: int, after: dict[tuple[int, Tops], Considered]) -> None:
    """Put every turn with one sensible lay more into ``after``.

    Sensible is on each pile the nearest card, the trick card, and a card that another could go back from.
    """
    hand, tops, moves, jumps = turn
    up1, up2, down1, down2 = tops
    for pile in range(4):
        if (pile == 1 and up2 == up1) or (pile == 3 and down2 == down1):
            continue
        top = tops[pile]
        back = hand & _BACK[pile][top]
        if pile < 2:
            ahead = hand & _ABOVE[top]
            lays = back | (ahead & -ahead) | (ahead & (hand << 10))
        else:
            ahead = hand & _BELOW[top]
            lays = back | (ahead & (hand >> 10))
            if ahead:
                lays |= BIT[ahead.bit_length() - 1]
        while lays:
            card = lays & -lays
            lays ^= card
            number = card.bit_length() - 1
            if pile < 2:
                if number > top:
                    jump = (unplayed & _ABOVE[top] & _BELOW[number]).bit_count()
                    net = jump
                    if jump > longest and hand & card >> 10:
                        net = (unplayed & _ABOVE[top] & _BELOW[max(number - 10, 0)]).bit_count()
                else:
                    net = jump = -(unplayed & _ABOVE[number] & _BELOW[top]).bit_count()
            elif number < top:
                jump = (unplayed & _BELOW[top] & _ABOVE[number]).bit_count()
                net = jump
                if jump > longest and hand & card << 10:
                    net = (unplayed & _BELOW[top] & _ABOVE[min(number + 10, 100)]).bit_count()
            else:
                net = jump = -(unplayed & _BELOW[number] & _ABOVE[top]).bit_count()
            if net > longest:
                continue
            if pile == 0:
                new = (number, up2, down1, down2)
            elif pile == 1:
                new = (up1, number, down1, down2)
            elif pile == 2:
                new = (up1, up2, number, down2)
            else:
                new = (up1, up2, down1, number)
            key = (hand ^ card, new)
            known = after.get(key)
            if known is None or known.jumps > jumps + jump:
                after[key] = Considered(hand ^ card, new, (*moves, 4 * number + pile), jumps + jump)
