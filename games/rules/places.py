"""Spreading unseen cards where every owner is barred from much: exactly, as long as it can be counted.

Terms are those of ``games.rules.unseen``. The owners are *served* one after another; cards that the same
owners of those still to be served may have are of one *class*. So classes become one in the course of
serving, which keeps the counting short where a bar matters to a single small owner (a card that a player
has put aside is one that the player had won).

Promises: every possible spread has the same chance where at most ``COUNTABLE`` shares have to be looked
at; else the spread is that of ``unseen.spread``.

Never: knows a game, or why a card is barred.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb
from random import Random
from typing import Final

from games.core import shuffled
from games.rules import unseen
from games.rules.xxl_deck import as_set, cards_in

COUNTABLE: Final = 6000

Classes = tuple[tuple[int, int], ...]
"""By class: the set of the owners who may have its cards, bit 0 the next to be served; how many there are."""


def spread(cards: int, sizes: Sequence[int], barred: Sequence[int], rng: Random) -> list[int]:
    """A random spread of a set of cards, as one set an owner; arguments and errors as of ``unseen.spread``."""
    # Whoever may have least is served first: what bars that owner is then forgotten soonest.
    order = sorted(range(len(sizes)), key=lambda owner: (cards & ~barred[owner]).bit_count())
    piles: dict[int, list[int]] = {}
    for card in cards_in(cards):
        may_have = sum(1 << i for i, owner in enumerate(order) if not barred[owner] >> card & 1)
        piles.setdefault(may_have, []).append(card)
    needs = tuple(sizes[owner] for owner in order)
    ways = _count(needs, _classes(piles))
    if ways is None or not ways[needs, _classes(piles)]:
        return unseen.spread(cards, sizes, barred, rng)
    spreads = [0] * len(sizes)
    for position, owner in enumerate(order):
        classes, left = _classes(piles), needs[position:]
        point = int(rng.random() * ways[left, classes])
        for serving, weight, rest in _servings(left[0], classes):
            taken = serving
            point -= weight * ways[left[1:], rest]
            if point < 0:
                break
        served: dict[int, list[int]] = {}
        for (may_have, number), take in zip(classes, taken, strict=True):
            pile = shuffled(piles[may_have], rng) if 0 < take < number else piles[may_have]
            spreads[owner] |= as_set(pile[:take])
            if take < number:
                served.setdefault(may_have >> 1, []).extend(pile[take:])
        piles = served
    return spreads


def _classes(piles: dict[int, list[int]]) -> Classes:
    return tuple(sorted((may_have, len(pile)) for may_have, pile in piles.items()))


@lru_cache(maxsize=16)
def _count(needs: tuple[int, ...], classes: Classes) -> dict[tuple[tuple[int, ...], Classes], int] | None:
    """In how many ways owners can be served, by what they need and what is there; ``None`` if that is too much work."""
    ways: dict[tuple[tuple[int, ...], Classes], int] = {((), ()): 1}
    looked_at = 0

    def count(needs: tuple[int, ...], classes: Classes) -> int:
        nonlocal looked_at
        known = ways.get((needs, classes))
        if known is None:
            known = 0
            for _, weight, rest in _servings(needs[0], classes):
                looked_at += 1
                if looked_at > COUNTABLE:
                    raise OverflowError
                known += weight * count(needs[1:], rest)
            ways[needs, classes] = known
        return known

    try:
        count(needs, classes)
    except OverflowError:
        return None
    return ways


def _servings(need: int, classes: Classes) -> Iterator[tuple[tuple[int, ...], int, Classes]]:
    """What the next owner may take of each class, in how many ways, and the classes that are left to the others."""
    last = [number if may_have == 1 else 0 for may_have, number in classes]
    most = [number if may_have & 1 else 0 for may_have, number in classes]
    for taken in _shares(need, last, most):
        weight = 1
        rest: dict[int, int] = {}
        for (may_have, number), take in zip(classes, taken, strict=True):
            weight *= comb(number, take)
            if take < number:
                rest[may_have >> 1] = rest.get(may_have >> 1, 0) + number - take
        yield taken, weight, tuple(sorted(rest.items()))


def _shares(need: int, least: Sequence[int], most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to make up a number as one number a class within its limits."""
    if not least:
        if not need:
            yield ()
        return
    for first in range(max(least[0], need - sum(most[1:])), min(most[0], need - sum(least[1:])) + 1):
        for rest in _shares(need - first, least[1:], most[1:]):
            yield (first, *rest)
