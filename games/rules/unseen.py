"""Guessing at what is hidden: spreading unseen cards over those who may hold them.

Terms. An *owner* is a place where unseen cards lie: a hand, a draw pile, cards set aside. A *spread* says
which owner has which cards. Sets of cards are ints with bit i set for card i. Sets are *nested* here when
any two of them have no card in common, or one holds all of the other. A *redeal* takes what some owners
have and deals it to them anew, every possible way with the same chance.

Promises: every possible spread has the same chance, exactly where the sets of cards that the owners may
have are nested, or where the possibilities can be counted with moderate effort. Otherwise the spread comes
from a chain of redeals among a few owners at a time, each of them exact, which comes close
(docs/rules/determinization.md has the measured difference).

Never: knows a game, or why a card is barred.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import prod
from random import Random

from games.core import shuffled

_COUNTABLE = 5000
_ROUNDS = 6
_ROUNDS_BETWEEN = 3
_ROOM_BITS = 8
_ROOM = 1 << _ROOM_BITS
_NO_SPREAD = "The unseen cards can't be spread: too many are barred."


def spread(cards: int, sizes: Sequence[int], barred: Sequence[int], rng: Random) -> list[int]:
    """A random spread of a set of cards, as one set an owner.

    ``sizes`` says how many cards each owner gets (together all of them), ``barred`` the set of cards each
    can't have. Raises ValueError when there is no such spread.
    """
    return next(spreads(cards, sizes, barred, rng))


def spreads(cards: int, sizes: Sequence[int], barred: Sequence[int], rng: Random) -> Iterator[list[int]]:
    """Random spreads without end, as ``spread`` gives one, for whoever needs one that fits something else too.

    They do not depend on each other, but for those from a chain, which goes on from one to the next; it
    goes through fewer redeals then than before the first.
    """
    if sum(sizes) != cards.bit_count():
        raise ValueError(f"{cards.bit_count()} cards can't be spread over {sum(sizes)} places.")
    return _spreads(sizes, [cards & ~bars for bars in barred], rng)


def _spreads(sizes: Sequence[int], may: Sequence[int], rng: Random) -> Iterator[list[int]]:
    """``spreads``, given the sets of cards that the owners may have: ``may`` holds one an owner."""
    # Owners who may have the same cards are one to the rest, and share out what they get. That and what
    # is decided already make a simpler problem, which may have the same again.
    groups: dict[int, list[int]] = {}
    for owner, size in enumerate(sizes):
        if size:
            groups.setdefault(may[owner], []).append(owner)
    needs = [sum(sizes[owner] for owner in owners) for owners in groups.values()]
    if _union(groups).bit_count() != sum(needs):
        raise ValueError(_NO_SPREAD)
    decided, group_may = _decide(list(groups), needs)
    if len(groups) == len(sizes) and not any(decided):
        yield from _spread_undecided(sizes, may, rng)
    open_needs = [need - cards.bit_count() for need, cards in zip(needs, decided, strict=True)]
    for others in _spreads(open_needs, group_may, rng):
        spreads = [0] * len(sizes)
        for owners, some, more in zip(groups.values(), decided, others, strict=True):
            got = some | more
            for owner in owners[:-1]:
                spreads[owner] = _choose(got, sizes[owner], rng)
                got ^= spreads[owner]
            spreads[owners[-1]] = got
        yield spreads


def _decide(may: Sequence[int], needs: Sequence[int]) -> tuple[list[int], list[int]]:
    """The cards that can be nowhere else, by owner, and what the owners may have of the others.

    A card that only one owner may have goes there; an owner who needs all cards it may have gets them.
    Raises ValueError when there is no spread.
    """
    decided, left, room = [0] * len(may), list(may), list(needs)
    going_on = True
    while going_on:
        going_on = False
        once = twice = 0
        for cards in left:
            twice |= once & cards
            once |= cards
        for owner, need in enumerate(room):
            mine = left[owner]
            if not mine and not need:
                continue
            sure = mine if need == mine.bit_count() else mine & ~twice
            if sure.bit_count() > need or mine.bit_count() < need:
                raise ValueError(_NO_SPREAD)
            if sure or not need:
                decided[owner] |= sure
                room[owner] -= sure.bit_count()
                left = [cards & ~sure for cards in left]
                if not room[owner]:
                    left[owner] = 0
                going_on = True
    return decided, left


def _spread_undecided(needs: Sequence[int], may: Sequence[int], rng: Random) -> Iterator[list[int]]:
    """``spreads`` for owners who all may have different cards."""
    # The largest set of possible cards comes last: in a deal of nested sets that is who takes the rest.
    order = sorted(range(len(may)), key=lambda owner: (may[owner].bit_count(), needs[owner]))
    if all(_are_nested(may[one], may[other]) for one, other in combinations(order, 2)):
        cards = _union(may)
        while True:
            yield _deal(cards, needs, may, order, rng)
    elif _effort(tuple(needs), tuple(may)) <= _COUNTABLE:
        while True:
            yield _spread_counted(needs, may, rng)
    else:
        yield from _chain(needs, may, order, rng)


# Nested sets.


def _are_nested(one: int, other: int) -> bool:
    both = one & other
    return both in (0, one, other)


def _deal(cards: int, needs: Sequence[int], may: Sequence[int], order: Sequence[int], rng: Random) -> list[int]:
    """A spread where all sets of possible cards are nested; ``order`` has the smaller ones first.

    However the smaller sets are dealt, as many cards of a larger one are gone by then. So each choice
    leaves equally many possibilities, and none is to be preferred.
    """
    hands = [0] * len(may)
    for owner in order:
        hands[owner] = _choose(cards & may[owner], needs[owner], rng)
        cards ^= hands[owner]
    return hands


def _choose(cards: int, number: int, rng: Random) -> int:
    """So many cards of a set, all choices equally likely. Raises ValueError when there are too few."""
    random = rng.random
    chosen = 0
    left = _singles(cards)
    size = len(left)
    if not 0 <= number <= size:
        raise ValueError(_NO_SPREAD)
    # What is not chosen is drawn where that is less.
    for i in range(size, max(number, size - number), -1):
        j = int(random() * i)
        chosen |= left[j]
        left[j] = left[i - 1]
    return chosen if 2 * number <= size else cards ^ chosen


# Counting.


def _counting_order(may: Sequence[int]) -> list[int]:
    """The cards, those of the owner who may have fewest first: that owner is done with soon."""
    cards: list[int] = []
    left = _union(may)
    for some in sorted(may, key=int.bit_count):
        cards += _singles(some & left)
        left &= ~some
    return cards


@lru_cache(maxsize=64)
def _effort(needs: tuple[int, ...], may: tuple[int, ...]) -> int:
    """An upper limit on how many numbers ``_count`` finds."""
    effort = left = 0
    last = max(range(len(may)), key=needs.__getitem__)
    for card in reversed(_counting_order(may)):
        left |= card
        effort += prod(
            min(need, (cards & left).bit_count()) + 1
            for owner, (need, cards) in enumerate(zip(needs, may, strict=True))
            if owner != last
        )
    return effort


def _spread_counted(needs: Sequence[int], may: Sequence[int], rng: Random) -> list[int]:
    """A spread drawn card by card, each owner in proportion to how many spreads go on from there."""
    hands = [0] * len(may)
    room, counts = _count(tuple(needs), tuple(may))
    random = rng.random
    for card, owners, ways in counts:
        point = random() * sum(ways.get(room - place, 0) for _, place in owners)
        for owner, place in owners:
            number = ways.get(room - place, 0)
            if number:
                taken, room_left = owner, room - place
                point -= number
                if point < 0:
                    break
        hands[taken] |= card
        room = room_left
    return hands


_Count = tuple[int, list[tuple[int, int]], dict[int, int]]


@lru_cache(maxsize=16)
def _count(needs: tuple[int, ...], may: tuple[int, ...]) -> tuple[int, list[_Count]]:
    """In how many ways each card, and all after it, can be dealt.

    The room at all owners is one number, the sum of their open places; a place at an owner is a number too.
    By card: the card, the owners who may have it, each with its place, and by room that is left after it the
    number of ways to go on. Before that: the room at the start. Raises ValueError when there is no spread.
    """
    # The owner who needs the most takes what is left, so that its room need not be counted.
    last = max(range(len(may)), key=needs.__getitem__)
    places = [0 if owner == last else 1 << _ROOM_BITS * owner for owner in range(len(may))]
    counts: list[_Count] = []
    ways = {0: 1}
    for card in reversed(_counting_order(may)):
        owners = [(owner, places[owner]) for owner, cards in enumerate(may) if cards & card]
        counts.append((card, owners, ways))
        before: dict[int, int] = defaultdict(int)
        for room, number in ways.items():
            for owner, place in owners:
                if not place or room // place % _ROOM < needs[owner]:
                    before[room + place] += number
        ways = dict(before)
    start = sum(need * place for need, place in zip(needs, places, strict=True))
    if start not in ways:
        raise ValueError(_NO_SPREAD)
    return start, counts[::-1]


# The chain.


def _chain(needs: Sequence[int], may: Sequence[int], order: Sequence[int], rng: Random) -> Iterator[list[int]]:
    """Spreads from a chain of redeals; each redeal leaves all spreads equally likely if they were before.

    A round redeals each family with the *hub*, the owner who may have the most cards, and as many pairs of
    owners as there are. Families alone move most cards; pairs reach what the hub may not have.
    """
    *others, hub = order
    families = _families(others, [cards & may[hub] for cards in may])
    pairs = [(one, other) for one, other in combinations(order, 2) if may[one] & may[other]]
    hands = _some_spread(needs, may, rng)
    random = rng.random
    rounds = _ROUNDS
    while True:
        for _ in range(rounds):
            for family in families:
                _redeal_family(hands, may, family, hub, rng)
            for _ in pairs:
                one, other = pairs[int(random() * len(pairs))]
                _redeal_pair(hands, may, one, other, rng)
        yield hands.copy()
        rounds = _ROUNDS_BETWEEN


def _families(owners: Sequence[int], may: Sequence[int]) -> list[list[int]]:
    """The owners in groups, within each of which all sets of possible cards are nested."""
    families: list[list[int]] = []
    for owner in sorted(owners, key=lambda owner: may[owner].bit_count()):
        for family in families:
            if all(_are_nested(may[owner], may[other]) for other in family):
                family.append(owner)
                break
        else:
            families.append([owner])
    return families


def _redeal_family(hands: list[int], may: Sequence[int], family: Sequence[int], hub: int, rng: Random) -> None:
    """Redeal among a family and the hub what the hub may have; all else stays where it is."""
    cards = hands[hub]
    sizes = []
    for owner in family:
        some = hands[owner] & may[hub]
        hands[owner] ^= some
        cards |= some
        sizes.append(some.bit_count())
    for owner, size in zip(family, sizes, strict=True):
        if size:
            some = _choose(cards & may[owner], size, rng)
            hands[owner] |= some
            cards ^= some
    hands[hub] = cards


def _redeal_pair(hands: list[int], may: Sequence[int], one: int, other: int, rng: Random) -> None:
    """Redeal among two owners what both may have."""
    first, second = hands[one], hands[other]
    cards = (first | second) & may[one] & may[other]
    if not cards & first or not cards & second:
        return
    some = _choose(cards, (cards & first).bit_count(), rng)
    hands[one] = first & ~cards | some
    hands[other] = second & ~cards | cards ^ some


def _some_spread(needs: Sequence[int], may: Sequence[int], rng: Random) -> list[int]:
    """A possible spread, every one of them with some chance. Raises ValueError when there is none."""
    hands = [0] * len(may)
    room = list(needs)
    # The cards that fewest may have come first; dealt last, they would often find no room.
    owners_of = {
        card: [owner for owner, cards in enumerate(may) if cards & card]
        for card in shuffled(_singles(_union(may)), rng)
    }
    for card, owners in sorted(owners_of.items(), key=lambda item: len(item[1])):
        places = [owner for owner in owners for _ in range(room[owner])]
        owner = places[int(rng.random() * len(places))] if places else _make_room(hands, may, room, owners, rng)
        hands[owner] |= card
        room[owner] -= 1
    return hands


def _make_room(hands: list[int], may: Sequence[int], room: list[int], owners: Sequence[int], rng: Random) -> int:
    """Free a place at one of these owners, all full, by a shortest row of cards passed on; that owner."""
    # Breadth first: from whom each owner could be given a card, and which.
    given: dict[int, tuple[int, int]] = dict.fromkeys(owners, (-1, 0))
    waiting = shuffled(owners, rng)
    for owner in waiting:
        if room[owner]:
            break
        for other in shuffled(range(len(may)), rng):
            spare = hands[owner] & may[other]
            if spare and other not in given:
                given[other] = owner, _choose(spare, 1, rng)
                waiting.append(other)
    else:
        raise ValueError(_NO_SPREAD)
    giver, card = given[owner]
    while card:
        hands[owner] |= card
        hands[giver] ^= card
        room[owner] -= 1
        room[giver] += 1
        owner = giver
        giver, card = given[owner]
    return owner


def _union(sets: Iterable[int]) -> int:
    union = 0
    for cards in sets:
        union |= cards
    return union


def _singles(cards: int) -> list[int]:
    """The members of a set of cards, each as a set of its own."""
    singles = []
    while cards:
        rest = cards & cards - 1
        singles.append(cards ^ rest)
        cards = rest
    return singles
