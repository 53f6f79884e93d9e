"""What a position of The Game is worth when a turn ends: features for a small net, and the net.

Terms. A *position* is what a turn leaves, before cards are drawn: the tops, the hand of the seat that has played,
that of the *next* seat, those of all *other* seats as one set, and the cards not yet played. It shows all hands: a
planner asks for its value in worlds it has drawn. Each pile is read as if it went up: on a pile going down card c
counts as 101 - c. A *gap* is the number of cards not yet played between the top of a pile and a card.

Promises: features are whole numbers, and so are the weights of a shipped net; every sum that leads to a value is
a whole number below 2**53, which floating-point numbers hold exactly. So the same position has the same value on
every machine, whatever the order its linear algebra adds in.
Never: knows the draw pile's order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from games.bots.planner_turns import Considered

Array = Any
"""A NumPy array; its shape stands where it is made."""

WIDTH: Final = 104
"""Columns of a table by card: 101, rounded up to whole bytes."""
_NONE: Final = 103
_FAR: Final = 40
_DIRECTION: Final = np.array([0, 0, 1, 1])
_PILES: Final = np.arange(4)
_BYTES: Final = WIDTH // 8

FEATURES: Final = 4 * 18 + 20
_OWN_PAIRS: Final = 4 * 18 + 11


class Tables:
    """By set, direction and card: whether it is in the set, how many are up to it, which is the next above it."""

    def __init__(self, sets: Sequence[int]) -> None:
        raw = np.frombuffer(b"".join([cards.to_bytes(_BYTES, "little") for cards in sets]), np.uint8)
        bits = np.unpackbits(raw.reshape(len(sets), _BYTES), axis=1, bitorder="little").T
        # By card first, and in one byte each: so running totals of many sets take a third of the time.
        has = np.zeros((WIDTH, len(sets), 2), np.int8)
        has[:, :, 0] = bits
        has[1:102, :, 1] = bits[100::-1]
        near = np.where(has, np.arange(WIDTH, dtype=np.int8)[:, None, None], np.int8(_NONE))
        above = np.full_like(near, _NONE)
        above[:-1] = np.minimum.accumulate(near[::-1], axis=0)[::-1][1:]
        pairs = np.zeros_like(has)
        pairs[10:] = has[10:] & has[:-10]
        self.has = has.transpose(1, 2, 0)
        self.above = above.transpose(1, 2, 0)
        self.upto = np.add.accumulate(has, axis=0, dtype=np.int8).transpose(1, 2, 0)
        self.pairs_upto = np.add.accumulate(pairs, axis=0, dtype=np.int8).transpose(1, 2, 0)


def features(  # noqa: PLR0915
    tables: Tables,
    *,
    tops: Array,
    own: Array,
    following: Array,
    others: Array,
    unplayed: Array,
    draw_pile: Array,
    drawn: Array,
) -> Array:
    """One row of ``FEATURES`` whole numbers a position (n, FEATURES), as 64-bit floating-point numbers.

    ``tops`` (n, 4) as on the table; ``own``, ``following``, ``others`` and ``unplayed`` (n,) are indices of sets in
    ``tables``, ``draw_pile`` (n,) its cards before drawing, ``drawn`` (n,) how many of them the seat will draw.
    """
    x = np.asarray(tops).copy()
    x[:, 2:] = 101 - x[:, 2:]
    x = np.concatenate([np.sort(x[:, :2], axis=1), np.sort(x[:, 2:], axis=1)], axis=1)
    n = len(x)
    out = np.empty((n, FEATURES))
    d = _DIRECTION
    left = unplayed[:, None]
    upto, above, has = tables.upto, tables.above, tables.has
    base = upto[left, d, x]
    count = upto[unplayed, 0, WIDTH - 1]
    back = np.maximum(x - 10, 0)
    column = 0

    def put(values: Array) -> None:
        nonlocal column
        out[:, column : column + 4] = values
        column += 4

    put(count[:, None] - base)
    known = 0
    for group in (own, following, others):
        trick = has[group[:, None], d, back]
        put(trick)
        known = known + trick
    put(has[left, d, back] - known)
    for group in (own, following, others):
        nearest = above[group[:, None], d, x]
        gap = np.where(nearest == _NONE, _FAR, upto[left, d, nearest - 1] - base)
        put(np.minimum(gap, 3))
        put(np.minimum(gap, 8))
        put(np.minimum(gap, 24))
        if group is not others:
            second = above[group[:, None], d, nearest]
            gap = np.where(second == _NONE, _FAR, upto[left, d, second - 1] - base)
            put(np.minimum(gap, 12))
    put(upto[left, d, np.minimum(x + 10, 100)] - base)
    put(tables.pairs_upto[left, d, WIDTH - 1] - tables.pairs_upto[left, d, x])
    # The piles as they stand: one going up takes what is above a or b, one going down what is below top or bottom.
    a, b, top, bottom = x[:, 0], x[:, 1], 101 - x[:, 2], 101 - x[:, 3]
    for group in (own, following, others, unplayed):
        row = upto[group, 0]
        index = np.arange(n)
        under_top, under_bottom = row[index, top - 1], row[index, bottom - 1]
        at_a, at_b = row[index, a], row[index, b]
        out[:, column] = np.maximum(at_a - under_top, 0)
        out[:, column + 1] = np.maximum(at_b - np.maximum(at_a, under_top), 0) + np.maximum(
            np.minimum(at_a, under_top) - under_bottom, 0
        )
        column += 2
    for group in (own, following, others):
        out[:, column] = upto[group, 0, WIDTH - 1]
        column += 1
    for way in (0, 1):
        pairs = tables.pairs_upto[own, way]
        out[:, column] = pairs[:, WIDTH - 1] - pairs[np.arange(n), x[:, 2 * way]]
        column += 1
    out[:, column] = draw_pile
    out[:, column + 1] = np.minimum(draw_pile, 8)
    out[:, column + 2] = np.minimum(draw_pile, 24)
    out[:, column + 3] = drawn
    out[:, column + 4] = count
    # Where the two lower piles stand to each other.
    out[:, column + 5] = np.maximum(top - a, 0)
    out[:, column + 6] = np.maximum(a - top, 0)
    column += 7
    if column != FEATURES:
        raise AssertionError(column)
    return out


class Position(NamedTuple):
    """What a turn leaves, before cards are drawn; ``drawn`` is how many the seat will draw. Hands are sets."""

    tops: tuple[int, int, int, int]
    own: int
    following: int
    others: int
    unplayed: int
    draw_pile: int
    drawn: int


def features_of(positions: Sequence[Position]) -> Array:
    """``features`` of single positions (n, FEATURES)."""
    sets = [cards for one in positions for cards in one[1:5]]
    first = np.arange(0, 4 * len(positions), 4)
    return features(
        Tables(sets),
        tops=np.array([one.tops for one in positions]),
        own=first,
        following=first + 1,
        others=first + 2,
        unplayed=first + 3,
        draw_pile=np.array([one.draw_pile for one in positions]),
        drawn=np.array([one.drawn for one in positions]),
    )


class Batch:
    """Positions after the considered turns of one or several seats, each in several worlds, valued at one go."""

    def __init__(self) -> None:
        self._sets: list[int] = []
        self._parts: list[tuple[Array, ...]] = []

    def add(
        self,
        considered: Sequence[Considered],
        worlds: Sequence[Sequence[int]],
        *,
        elsewhere: int,
        draw_pile: int,
        hand_size: int,
    ) -> None:
        """Every turn in every world, turn by turn; ``elsewhere`` are the cards not yet played that others may have.

        A world has the hands of the other seats that hold cards, in turn order.
        """
        sets, number, many, start = self._sets, len(considered), len(worlds), len(self._sets)
        for turn in considered:
            sets.append(turn[0])
            sets.append(elsewhere | turn[0])
        for world in worlds:
            sets.append(world[0] if world else 0)
            others = 0
            for hand in world[1:]:
                others |= hand
            sets.append(others)
        drawn = [min(draw_pile, hand_size - turn[0].bit_count()) for turn in considered]
        self._parts.append(
            (
                np.repeat(np.array([turn[1] for turn in considered]), many, axis=0),
                np.repeat(start + np.arange(0, 2 * number, 2), many),
                np.tile(start + np.arange(2 * number, 2 * (number + many), 2), number),
                np.full(number * many, draw_pile),
                np.repeat(np.array(drawn), many),
            )
        )

    def features(self) -> Array:
        """One row a turn and world, in the order they were added."""
        tops, own, following, draw_pile, drawn = map(np.concatenate, zip(*self._parts, strict=True))
        return features(
            Tables(self._sets),
            tops=tops,
            own=own,
            following=following,
            others=following + 1,
            unplayed=own + 1,
            draw_pile=draw_pile,
            drawn=drawn,
        )


def scales() -> Array:
    """By feature: what its values are divided by before they meet the weights (FEATURES,)."""
    per_pile = [32, 1, 1, 1, 1, *(3, 8, 24, 12) * 2, 3, 8, 24, 8, 16]
    rest = [4, 4, 4, 4, 4, 4, 16, 16, 8, 8, 8, 4, 4, 64, 8, 24, 4, 64, 64, 32]
    return np.array([scale for scale in per_pile for _ in range(4)] + rest, float)


def mirrored() -> Array:
    """By feature: the number of the feature that takes its place when every card c is counted as 101 - c.

    Piles going up and down change places then, and a position is worth the same.
    """
    order = [4 * block + pile for block in range(18) for pile in (2, 3, 0, 1)] + list(range(72, FEATURES))
    order[_OWN_PAIRS], order[_OWN_PAIRS + 1] = _OWN_PAIRS + 1, _OWN_PAIRS
    return np.array(order)
