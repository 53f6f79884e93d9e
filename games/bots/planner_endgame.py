"""The end of The Game with all hands open: once the draw pile is empty, how few cards can be left.

Terms. Cards, piles and sets of cards are as in ``games.rules.the_game_piles``. ``hands`` are those of the seats in
turn order, the seat whose turn it is first. A *step* is a lay or the end of a turn; the *rest* are all cards in hands.

Promises: what is found can be played; with steps enough it is the least that any play leaves. Two piles of one
direction are told apart by their tops alone.
Never: draws a card, or hides one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.rules.the_game import END
from games.rules.the_game_piles import BIT, FITTING

_ABOVE: Final = tuple(((1 << 101) - 1) ^ ((1 << top + 1) - 1) for top in range(101))
_BELOW: Final = tuple((1 << top) - 1 for top in range(101))

Hands = tuple[int, ...]
Tops = tuple[int, int, int, int]


def stranded(rest: int, tops: Tops) -> int:
    """A set of cards that can't be laid any more, whoever holds them; there may be others."""
    up1, up2, down1, down2 = tops
    above, below = rest | BIT[up1] | BIT[up2], rest | BIT[down1] | BIT[down2]
    # A pile gets back at most to the lowest card that could ever be laid backwards.
    back_up = rest & (above >> 10)
    back_down = rest & (below << 10)
    lowest, highest = min(up1, up2), max(down1, down2)
    if back_up:
        lowest = min(lowest, (back_up & -back_up).bit_length() - 1)
    if back_down:
        highest = max(highest, back_down.bit_length() - 1)
    return rest & ~(_ABOVE[lowest] | _BELOW[highest] | back_up | back_down)


class Endgame:
    """A depth-first search for the least number of cards left, best steps first, within a number of steps."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self.left = 0
        """How many steps of the budget were not needed; below 0 the search was cut short."""
        self.best = 0
        self._seen: set[tuple[Hands, Tops, bool]] = set()

    def solve(self, hands: Hands, tops: Tops, laid: bool, most: int | None = None) -> int:
        """The fewest cards left that were found; exact unless ``left`` is below 0.

        ``laid``: whether the seat has laid a card in its turn, so that it may end it. Only what is below ``most`` is
        looked for, and ``most`` the answer if there is nothing.
        """
        self.left = self._steps
        self.best = sum(map(int.bit_count, hands)) if most is None else most
        self._seen = set()
        self._search(hands, tops, laid)
        return self.best

    def _search(self, hands: Hands, tops: Tops, laid: bool) -> None:
        """Lower ``best`` as far as the position allows."""
        while not hands[0]:
            # A turn ends by itself with the hand; a seat without cards is skipped.
            hands = hands[1:]
            laid = False
            if not hands:
                self.best = 0
                return
        key = (hands, tops, laid)
        if key in self._seen:
            return
        self._seen.add(key)
        self.left -= 1
        rest = 0
        for hand in hands:
            rest |= hand
        if stranded(rest, tops).bit_count() >= self.best:
            return
        steps = ordered_steps(hands[0], tops, rest, laid)
        if not steps:
            self.best = min(self.best, rest.bit_count())
            return
        for _cost, step in steps:
            after, new_tops = step_on(hands, tops, step)
            self._search(after, new_tops, step != END)
            if not self.best or self.left < 0:
                return


def step_on(hands: Hands, tops: Tops, step: int) -> tuple[Hands, Tops]:
    """Hands and tops after a step; after the end of a turn the next seat comes first."""
    if step == END:
        return (*hands[1:], hands[0]), tops
    card = step >> 2
    up1, up2, down1, down2 = tops
    rest = (hands[0] ^ BIT[card], *hands[1:])
    match step & 3:
        case 0:
            return rest, (card, up2, down1, down2)
        case 1:
            return rest, (up1, card, down1, down2)
        case 2:
            return rest, (up1, up2, card, down2)
        case _:
            return rest, (up1, up2, down1, card)


def ordered_steps(hand: int, tops: Sequence[int], rest: int, laid: bool) -> list[tuple[int, int]]:
    """All steps, each with its cost: how many cards of the rest it makes impossible on its pile, doubled.

    The cheapest first. Ending the turn comes after what costs nothing.
    """
    steps = [(1, END)] if laid else []
    for pile, top in enumerate(tops):
        if pile & 1 and top == tops[pile - 1]:
            continue
        fit = hand & FITTING[pile][top]
        while fit:
            lowest = fit & -fit
            fit ^= lowest
            card = lowest.bit_length() - 1
            if card > top:
                jump = (rest & _ABOVE[top] & _BELOW[card]).bit_count()
            else:
                jump = (rest & _ABOVE[card] & _BELOW[top]).bit_count()
            back = (card < top) == (pile < 2)
            steps.append((-2 - 2 * jump if back else 2 * jump, 4 * card + pile))
    steps.sort()
    return steps
