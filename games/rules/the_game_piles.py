"""The cards and piles of The Game: what fits, and what is signalled (docs/rules/the-game.md).

Terms. A *card* is its value, 2 to 99. A *pile* is one of the four that cards are laid on, two going up
and two going down. The *top* of a pile is its last card, at first the start card, which is no card of the
deck. A card *fits* a pile when it may be laid there. The *trick card* of a pile is the one that may be laid
backwards. A *signal* says how dearly a seat wants a pile left alone.

A set of cards is an int with bit i set for card i, piles are the indices of ``PILES``.

Never: knows whose turn it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

PILES: Final = ("up1", "up2", "down1", "down2")
START_CARDS: Final = (1, 1, 100, 100)
DECK: Final = range(2, 100)
LEAVE_ALONE: Final = 2
RATHER_NOT: Final = 1
UP: Final = 1
DOWN: Final = -1
DIRECTIONS: Final = (UP, UP, DOWN, DOWN)
"""By pile."""

_TOPS = range(101)

BIT: Final = tuple(1 << card for card in _TOPS)
"""By card: the set of that card alone."""


def as_set(cards: Sequence[int]) -> int:
    """The set of the given cards, all different."""
    return sum(map(BIT.__getitem__, cards))


def cards_in(cards: int) -> Iterator[int]:
    """The members of a set of cards, ascending."""
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest


ALL_CARDS: Final = as_set(DECK)


def _tables(*steps: range) -> tuple[tuple[int, ...], ...]:
    """By pile and top: the set of the cards of the deck that are so many steps further than the top."""
    ahead = [step for some in steps for step in some]
    return tuple(
        tuple(as_set([top + way * step for step in ahead if top + way * step in DECK]) for top in _TOPS)
        for way in DIRECTIONS
    )


# A trick card lies ten steps back. For the start cards, and wherever it would be no card of the deck, there is none.
_TRICK_STEP = range(-10, -9)
FITTING: Final = _tables(_TRICK_STEP, range(1, 99))
"""By pile and top: the set of the cards that fit."""
CLOSE: Final = _tables(_TRICK_STEP, range(1, 2))
"""By pile and top: the set of the cards for which a seat wants the pile left alone."""
NEAR: Final = _tables(range(2, 4))
"""By pile and top: the set of the cards for which a seat would rather have it left alone."""


def fitting(tops: Sequence[int]) -> int:
    """The set of the cards that fit at least one of the piles."""
    up1, up2, down1, down2 = tops
    return FITTING[0][up1] | FITTING[1][up2] | FITTING[2][down1] | FITTING[3][down2]


def can_lay(hand: int, tops: Sequence[int], number: int) -> bool:
    """Whether so many cards of the hand, 1 or more, can be laid one after another in some order.

    Cards that fit now can all be laid: each on a pile it fits, the trick card first on every pile, then
    the nearest first. Only with too few of them the ways to lay have to be tried.
    """
    fit = hand & fitting(tops)
    if fit.bit_count() >= number:
        return True
    for pile, top in enumerate(tops):
        for card in cards_in(fit & FITTING[pile][top]):
            after = list(tops)
            after[pile] = card
            if can_lay(hand ^ BIT[card], after, number - 1):
                return True
    return False


def signals(hand: int, tops: Sequence[int]) -> Iterator[int]:
    """The hand's signal for each pile ("What players may tell each other")."""
    for pile, top in enumerate(tops):
        if hand & CLOSE[pile][top]:
            yield LEAVE_ALONE
        else:
            yield RATHER_NOT if hand & NEAR[pile][top] else 0
