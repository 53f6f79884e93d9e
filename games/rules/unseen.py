"""Guessing at what is hidden: spreading unseen cards over those who may hold them.

Terms. An *owner* is a place where unseen cards lie: a hand, a draw pile, cards set aside. A *spread* says
which owner has which cards. Sets of cards are ints with bit i set for card i. Cards that the same owners
may have are of one *class*.

Promises: ``spread`` gives every possible spread with the same chance, exactly where the possibilities can
be counted with moderate effort (whenever at most a few owners are barred from something), and otherwise by
a chain of exact redeals among three owners at a time, which comes close (docs/rules/determinization.md
has the measured difference).

Never: knows a game, or why a card is barred.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb, prod
from random import Random

from games.core import shuffled

_COUNTABLE = 4000
_REDEALS_PER_OWNER = 6


def spread(cards: int, sizes: Sequence[int], barred: Sequence[int], rng: Random) -> list[int]:
    """A random spread of a set of cards, as one set an owner.

    ``sizes`` says how many cards each owner gets (together all of them), ``barred`` the set of cards each
    can't have. Raises ValueError when there is no such spread.
    """
    if sum(sizes) != cards.bit_count():
        raise ValueError(f"{cards.bit_count()} cards can't be spread over {sum(sizes)} places.")
    # Owners who may have the same cards are one to the counting, and share out what they get.
    groups: dict[int, list[int]] = {}
    for owner, bars in enumerate(barred):
        if sizes[owner]:
            groups.setdefault(bars & cards, []).append(owner)
    together = [sum(sizes[owner] for owner in owners) for owners in groups.values()]
    got = _spread_groups(cards, together, list(groups), rng)
    spreads = [0] * len(sizes)
    for owners, group_cards in zip(groups.values(), got, strict=True):
        order = shuffled(_members(group_cards), rng) if len(owners) > 1 else _members(group_cards)
        taken = 0
        for owner in owners:
            for card in order[taken : taken + sizes[owner]]:
                spreads[owner] |= 1 << card
            taken += sizes[owner]
    return spreads


def _spread_groups(cards: int, sizes: Sequence[int], barred: Sequence[int], rng: Random) -> list[int]:
    if _effort(cards, sizes, barred) <= _COUNTABLE:
        return _spread_exactly(cards, sizes, barred, rng)
    hands = _some_spread(cards, sizes, barred, rng)
    owners = range(len(sizes))
    for _ in range(_REDEALS_PER_OWNER * len(sizes)):
        some = shuffled(owners, rng)[:3]
        theirs = 0
        for owner in some:
            theirs |= hands[owner]
        again = _spread_exactly(theirs, [sizes[i] for i in some], [barred[i] for i in some], rng)
        for owner, hand in zip(some, again, strict=True):
            hands[owner] = hand
    return hands


def _classes(cards: int, barred: Sequence[int]) -> dict[int, list[int]]:
    """The cards by class; the key has bit i set where owner i is barred."""
    classes: dict[int, list[int]] = {}
    for card in _members(cards):
        key = 0
        for owner, bars in enumerate(barred):
            key |= (bars >> card & 1) << owner
        classes.setdefault(key, []).append(card)
    return classes


def _effort(cards: int, sizes: Sequence[int], barred: Sequence[int]) -> int:
    """An upper limit on how many combinations ``_spread_exactly`` has to look at."""
    classes = _classes(cards, barred)
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    open_to = [sum(not key >> owner & 1 for key in classes) for owner in order[:-1]]
    return prod(comb(sizes[owner] + max(n, 1) - 1, max(n, 1) - 1) for owner, n in zip(order, open_to, strict=False))


def _spread_exactly(cards: int, sizes: Sequence[int], barred: Sequence[int], rng: Random) -> list[int]:
    """A spread drawn by counting, for every number of cards of each class, how many spreads go on from it."""
    classes = _classes(cards, barred)
    # The largest owner comes last: it takes what is left, without choices to look at.
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    may_have = tuple(tuple(not key >> owner & 1 for key in classes) for owner in order)
    needs = tuple(sizes[owner] for owner in order)
    piles = [shuffled(pile, rng) for pile in classes.values()]
    hands = [0] * len(sizes)
    for position, owner in enumerate(order):
        left = tuple(map(len, piles))
        total = _ways(needs[position:], may_have[position:], left)
        if not total:
            raise ValueError("The unseen cards can't be spread: too many are barred.")
        point = int(rng.random() * total)
        for taken in _shares(needs[position], may_have[position], left):
            point -= _weight(taken, left) * _ways(
                needs[position + 1 :], may_have[position + 1 :], tuple(n - k for n, k in zip(left, taken, strict=True))
            )
            if point < 0:
                break
        for pile, k in zip(piles, taken, strict=True):
            for _ in range(k):
                hands[owner] |= 1 << pile.pop()
    return hands


@lru_cache(maxsize=2**16)
def _ways(needs: tuple[int, ...], may_have: tuple[tuple[bool, ...], ...], left: tuple[int, ...]) -> int:
    """In how many ways owners can take what they need from classes with so many cards left."""
    if not needs:
        return 1
    if len(needs) == 1:
        return int(all(may or not n for may, n in zip(may_have[0], left, strict=True)))
    return sum(
        _weight(taken, left) * _ways(needs[1:], may_have[1:], tuple(n - k for n, k in zip(left, taken, strict=True)))
        for taken in _shares(needs[0], may_have[0], left)
    )


def _weight(taken: Sequence[int], left: Sequence[int]) -> int:
    """In how many ways so many cards of each class can be chosen."""
    return prod(map(comb, left, taken))


def _shares(need: int, may: Sequence[bool], left: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to make up a number of cards from the classes, as one number a class."""
    if not left:
        if not need:
            yield ()
        return
    most = min(need, left[0]) if may[0] else 0
    for first in range(most + 1):
        for rest in _shares(need - first, may[1:], left[1:]):
            yield (first, *rest)


def _some_spread(cards: int, sizes: Sequence[int], barred: Sequence[int], rng: Random) -> list[int]:
    """A possible spread, every one of them with some chance. Raises ValueError when there is none."""
    hands = [0] * len(sizes)
    room = list(sizes)
    owners = range(len(sizes))

    def make_room(owner: int, asked: set[int]) -> bool:
        # An augmenting path: a full owner passes a card on to another one that can make room.
        if room[owner]:
            return True
        asked.add(owner)
        for other in shuffled(owners, rng):
            if other not in asked and hands[owner] & ~barred[other] and make_room(other, asked):
                card = shuffled(_members(hands[owner] & ~barred[other]), rng)[0]
                hands[owner] ^= 1 << card
                hands[other] |= 1 << card
                room[owner] += 1
                room[other] -= 1
                return True
        return False

    # The cards that fewest may have come first; dealt last, they would often find no room.
    order = shuffled(_members(cards), rng)
    order.sort(key=lambda card: -sum(bars >> card & 1 for bars in barred))
    for card in order:
        asked: set[int] = set()
        may_have = [owner for owner in shuffled(owners, rng) if not barred[owner] >> card & 1]
        owner = next((owner for owner in may_have if make_room(owner, asked)), None)
        if owner is None:
            raise ValueError("The unseen cards can't be spread: too many are barred.")
        hands[owner] |= 1 << card
        room[owner] -= 1
    return hands


def _members(cards: int) -> list[int]:
    return [i for i in range(cards.bit_length()) if cards >> i & 1]
