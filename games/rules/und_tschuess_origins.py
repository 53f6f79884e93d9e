"""und Tschüss after the reshuffle: where the cards that a seat can't see may be (docs/rules/determinization.md).

Terms. A *kept* card was in a hand when the discard pile was shuffled, a *fresh* one was drawn from the new
draw pile. The *watcher* is the seat that wonders, or a spectator. A *returned* card had been laid off
face-down by another seat before and was shuffled in without the watcher having seen it. A *departed* card
has left another seat's hand since, played for all to see or laid off face-down. Cards are kinds (small
ints); of one kind there are several single cards.

What is known: every kept card, and no fresh one but the returned ones, is a card that the watcher had not
seen by the reshuffle. Whether a departed card was kept or fresh has to be guessed, and which cards were
returned. A *course* says where each single card lay at the reshuffle, in which order the new draw pile
lay, and which single card of the hand departed each time.

Promises: ``spread_origins`` draws a course that agrees with all that is known. What has to be guessed
comes from a chain of redraws of a few things at a time, each exact given the others (Gibbs sampling), in
which every course is equally likely in the long run; all other cards are then spread uniformly.

Never: knows the rules; only who had how many cards, and when.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, islice, product
from math import comb
from random import Random
from typing import Final, NamedTuple

from games.core import Seat, shuffled
from games.rules.und_tschuess_deck import minus

Origins = tuple[bool, ...]
"""For one or two departed cards, whether each was kept."""
_SINGLES: Final[Sequence[Origins]] = ((False,), (True,))
_PAIRS: Final[Sequence[Origins]] = tuple(product((False, True), repeat=2))

FACE_DOWN: Final = -1
_SWEEPS = 2
_MOST_SWEEPS = 2000
_IMPOSSIBLE = 0.02
"""The weight of using a card once too often, where one that is there has weight 1.

Through such impossible courses the chain gets from every possible one to every other; it never ends there.
"""


class Departed(NamedTuple):
    """A card that left a hand when its seat had drawn so many fresh cards; its kind, or ``FACE_DOWN``."""

    seat: Seat
    kind: int
    drawn: int


class Known(NamedTuple):
    """What the watcher knows; of its own cards there is nothing in ``kept``, ``held`` and ``departed``.

    ``unseen`` are the cards that others kept or that were returned, ``shuffled_in`` those it knew to be in
    the new draw pile, ``drawn`` those it has seen come from there since, for itself or as point cards. By
    seat: how many cards were ``kept``, and how many are ``held`` now. ``departed`` is in the order of time.
    """

    unseen: bytes
    shuffled_in: bytes
    drawn: bytes
    kept: Sequence[int]
    held: Sequence[int]
    departed: Sequence[Departed]


class Spread(NamedTuple):
    """A possible course: by seat the cards ``kept``, those ``held`` now, and those ``laid_off`` since.

    ``returned`` and ``pile``, what is left of the new draw pile, are in random order.
    """

    kept: list[list[int]]
    held: list[list[int]]
    laid_off: list[list[int]]
    returned: list[int]
    pile: list[int]


def spread_origins(known: Known, rng: Random) -> Spread:
    """A random course that agrees with what is known. Raises ValueError when there is none."""
    chain = _Chain(known, rng)
    chain.run()
    kept_cards, fresh_cards = chain.stayed.copy(), [*known.shuffled_in, *chain.returned]
    for card in known.drawn:
        fresh_cards.remove(card)
    departed = list(zip(known.departed, chain.was_kept, strict=True))
    for (_, kind, _), was_kept in departed:
        if kind != FACE_DOWN:
            (kept_cards if was_kept else fresh_cards).remove(kind)
    kept_left, fresh_left = iter(shuffled(kept_cards, rng)), iter(shuffled(fresh_cards, rng))
    kept: list[list[int]] = [[] for _ in known.kept]
    laid_off: list[list[int]] = [[] for _ in known.kept]
    for (seat, kind, _), was_kept in departed:
        card = kind
        if kind == FACE_DOWN:
            card = next(kept_left if was_kept else fresh_left)
            laid_off[seat].append(card)
        if was_kept:
            kept[seat].append(card)
    held: list[list[int]] = []
    for hand_then, size_then, size_now in zip(kept, known.kept, known.held, strict=True):
        still_held = list(islice(kept_left, size_then - len(hand_then)))
        hand_then.extend(still_held)
        held.append([*still_held, *islice(fresh_left, size_now - len(still_held))])
    return Spread(kept, held, laid_off, shuffled(chain.returned, rng), list(fresh_left))


class _Chain:
    """A course, as far as it has to be guessed: the origins of departed cards, and which cards were returned.

    ``was_kept`` has one origin a departed card; ``stayed`` and ``returned`` are the unseen cards. By kind:
    ``kept_of`` and ``pile_of`` count the kept cards and the new draw pile at first, ``kept_left`` and
    ``fresh_left`` what of them is neither seen departed nor drawn; below 0 in an impossible course.
    """

    def __init__(self, known: Known, rng: Random) -> None:
        self.departed, self.kept, self.random = known.departed, known.kept, rng.random
        # Where more of a kind was drawn than was known to be shuffled in, the others were returned.
        self.kinds = sorted(set(known.unseen))
        cards = bytes(shuffled(known.unseen, rng))
        cards = minus(cards, more := minus(known.drawn, known.shuffled_in)) + more
        all_kept = sum(known.kept)
        self.stayed, self.returned = list(cards[:all_kept]), list(cards[all_kept:])
        kinds = 1 + max(known.unseen + known.shuffled_in, default=0)
        self.kept_of = _counts(self.stayed, kinds)
        self.pile_of = _counts([*known.shuffled_in, *self.returned], kinds)
        self.kept_left = self.kept_of.copy()
        drawn = _counts(known.drawn, kinds)
        self.fresh_left = [all_of - gone for all_of, gone in zip(self.pile_of, drawn, strict=True)]
        seen = sum(one.kind != FACE_DOWN for one in known.departed)
        hidden = len(cards) + len(known.shuffled_in) - len(known.drawn) - seen
        ways = [comb(hidden, all_kept - number) for number in range(min(seen, all_kept) + 1)]
        self.orders = [1 / number if number else 0.0 for number in ways]
        """By number of seen departed cards that were kept: in how many orders the others may lie, in proportion."""
        self.seen_kept = 0
        self.of_seat: list[list[int]] = [[] for _ in known.kept]
        self.was_kept: list[bool] = []
        for i in range(len(self.returned)):
            self._redraw_returned(i)
        for i in range(len(known.departed)):
            self._guess(i)

        can_be_kept, can_be_fresh = set(known.unseen), {*known.shuffled_in, *(known.unseen if self.returned else b"")}
        self.open: list[int] = []
        """The departed cards that can be of another origin than was guessed first."""
        for i, (seat, kind, number) in enumerate(known.departed):
            otherwise = can_be_fresh if self.was_kept[i] else can_be_kept
            if number and known.kept[seat] and (kind == FACE_DOWN or kind in otherwise):
                self.open.append(i)
        self.open_of_kind: list[list[int]] = [[] for _ in range(kinds)]
        for i in self.open:
            if known.departed[i].kind != FACE_DOWN:
                self.open_of_kind[known.departed[i].kind].append(i)
        self.related = [self._related(i) for i in self.open]

    def _related(self, i: int) -> list[int]:
        """The other open departed cards of the same kind or seat: these must often change together."""
        one = self.departed[i]
        return [
            j
            for j in self.open
            if j != i
            and (self.departed[j].seat == one.seat or (self.departed[j].kind == one.kind and one.kind != FACE_DOWN))
        ]

    def _guess(self, i: int) -> None:
        """A first origin for the next departed card: what is likely by what departed before it."""
        seat, kind, drawn = self.departed[i]
        kept_before = sum(self.was_kept[j] for j in self.of_seat[seat])
        kept = float(self.kept[seat] - kept_before)
        fresh = float(drawn - len(self.of_seat[seat]) + kept_before)
        if kind != FACE_DOWN:
            kept *= max(self.kept_left[kind], _IMPOSSIBLE) * sum(self.pile_of)
            fresh *= max(self.fresh_left[kind], _IMPOSSIBLE) * len(self.stayed)
        self.was_kept.append(self.random() * (kept + fresh) < kept)
        self.of_seat[seat].append(i)
        self._count(i, self.was_kept[i], -1)

    def run(self) -> None:
        """Redraw everything a few times, and on until the course is possible. Raises ValueError."""
        for sweep in range(_MOST_SWEEPS):
            if (sweep >= _SWEEPS or not (self.open or self.returned)) and min(*self.kept_left, *self.fresh_left) >= 0:
                return
            for i in range(len(self.returned)):
                self._redraw_returned(i)
                self._redraw_with_returned(i)
            for i, related in zip(self.open, self.related, strict=True):
                self._redraw((i, self._one_of(related)) if related else (i,))
        raise ValueError("No course of the cards leads to this view.")

    def _one_of(self, some: Sequence[int]) -> int:
        return some[int(self.random() * len(some))]

    def _redraw_returned(self, i: int) -> None:
        """Draw anew which of the unseen cards was returned instead of this one, with all origins as they are.

        A kind counts for as many of its single cards as could be returned, that is, are not seen kept; and one
        card more in the pile makes more courses, as ``_swap`` says.
        """
        before = self.returned[i]
        self._return(before, -1)
        kept_left, pile_of, fresh_left = self.kept_left, self.pile_of, self.fresh_left
        shares = list(
            accumulate(
                max(kept_left[kind], _IMPOSSIBLE) * (pile_of[kind] + 1) / max(fresh_left[kind] + 1, _IMPOSSIBLE)
                if self.kept_of[kind]
                else 0.0
                for kind in self.kinds
            )
        )
        kind = self.kinds[bisect_right(shares, self.random() * shares[-1])]
        self._return(kind, 1)
        if kind != before:
            self.returned[i] = kind
            self.stayed[self.stayed.index(kind)] = before

    def _return(self, kind: int, number: int) -> None:
        """So many single cards more of a kind were returned."""
        self.kept_of[kind] -= number
        self.kept_left[kind] -= number
        self.pile_of[kind] += number
        self.fresh_left[kind] += number

    def _redraw_with_returned(self, i: int) -> None:
        """Perhaps another unseen card was returned instead, and departed cards of both kinds came from elsewhere."""
        if not self.stayed:
            return
        j = int(self.random() * len(self.stayed))
        kinds = self.returned[i], self.stayed[j]
        if kinds[0] != kinds[1] and (
            some := [self._one_of(some) for kind in kinds if (some := self.open_of_kind[kind])]
        ):
            self._redraw(some, (i, j))

    def _redraw(self, some: Sequence[int], swap: tuple[int, int] | None = None) -> None:
        """Draw anew the origins of one or two departed cards, perhaps also whether a returned and a kept card swap.

        Each outcome has a chance in proportion to the number of courses with it.
        """
        for i in some:
            self._count(i, self.was_kept[i], 1)
        ways = self._ways(some)
        kinds = [self.departed[i].kind for i in some]
        alike = len(some) == 2 and kinds[0] == kinds[1] != FACE_DOWN
        outcomes: list[tuple[float, bool, Origins]] = []
        total = 0.0
        for swapped in (False, True) if swap else (False,):
            chances = self._swap(*swap) if swap and swapped else 1.0
            left = [(1, 1) if kind == FACE_DOWN else (self.fresh_left[kind], self.kept_left[kind]) for kind in kinds]
            for origins, number in ways:
                if number:
                    weight, kept = chances * number, self.seen_kept
                    for cards, kind, was_kept in zip(left, kinds, origins, strict=True):
                        weight *= max(cards[was_kept], _IMPOSSIBLE)
                        kept += was_kept and kind != FACE_DOWN
                    if alike and origins[0] == origins[1]:
                        # The second is one of the cards that the first leaves.
                        cards = left[0]
                        weight *= max(cards[origins[0]] - 1, _IMPOSSIBLE) / max(cards[origins[0]], _IMPOSSIBLE)
                    total += weight * self.orders[kept]
                    outcomes.append((total, swapped, origins))
        point = self.random() * total
        _, swapped, origins = next(outcome for outcome in outcomes if outcome[0] > point)
        if swap and not swapped:
            self._swap(*swap)
        for i, was_kept in zip(some, origins, strict=True):
            self.was_kept[i] = was_kept
            self._count(i, was_kept, -1)

    def _ways(self, some: Sequence[int]) -> list[tuple[Origins, int]]:
        """For all origins of one or two departed cards: among how many cards of hands each can be, multiplied."""
        seats = [self.departed[i].seat for i in some]
        if len(some) == 2 and seats[0] == seats[1]:
            return [(origins, self._choices(seats[0], some, origins)) for origins in _PAIRS]
        first = [self._choices(seats[0], some[:1], origin) for origin in _SINGLES]
        if len(some) == 1:
            return list(zip(_SINGLES, first, strict=True))
        second = [self._choices(seats[1], some[1:], origin) for origin in _SINGLES]
        return [(origins, first[origins[0]] * second[origins[1]]) for origins in _PAIRS]

    def _choices(self, seat: Seat, some: Sequence[int], origins: Origins) -> int:
        """Among how many cards of its origin each departed card of a seat was, multiplied, given some origins."""
        for i, was_kept in zip(some, origins, strict=True):
            self.was_kept[i] = was_kept
        kept, fresh, ways = self.kept[seat], 0, 1
        for i in self.of_seat[seat]:
            if self.was_kept[i]:
                ways *= kept
                kept -= 1
            else:
                ways *= self.departed[i].drawn - fresh
                fresh += 1
        return ways

    def _count(self, i: int, was_kept: bool, number: int) -> None:
        """Put a departed card back to where it came from, or, with -1, take it from there."""
        kind = self.departed[i].kind
        if kind != FACE_DOWN:
            (self.kept_left if was_kept else self.fresh_left)[kind] += number
            self.seen_kept -= was_kept * number

    def _swap(self, i: int, j: int) -> float:
        """Let a returned card and one that stayed change roles; by what factor there are more courses then.

        If k of n single cards of a kind are seen, they can be so in n! / (n - k)! ways: a card more makes this
        (n + 1) / (n + 1 - k) times as many, a card less (n - k) / n times.
        """
        stays, returns = self.returned[i], self.stayed[j]
        self.returned[i], self.stayed[j] = returns, stays
        more = 1.0
        for of, left, coming, going in (
            (self.kept_of, self.kept_left, stays, returns),
            (self.pile_of, self.fresh_left, returns, stays),
        ):
            more *= max(left[going], _IMPOSSIBLE) / of[going]
            of[going] -= 1
            left[going] -= 1
            of[coming] += 1
            left[coming] += 1
            more *= of[coming] / max(left[coming], _IMPOSSIBLE)
        return more


def _counts(cards: Iterable[int], kinds: int) -> list[int]:
    """By kind: how many of the cards are of it."""
    counts = [0] * kinds
    for card in cards:
        counts[card] += 1
    return counts
