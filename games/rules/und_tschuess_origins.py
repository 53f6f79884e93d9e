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

from collections.abc import Iterable, Sequence
from itertools import islice, product
from math import comb
from random import Random
from typing import Final, NamedTuple

from games.core import Seat, shuffled

FACE_DOWN: Final = -1
_SWEEPS = 4
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
        cards = shuffled(known.unseen, rng)
        all_kept = sum(known.kept)
        self.stayed, self.returned = cards[:all_kept], cards[all_kept:]
        kinds = 1 + max(known.unseen + known.shuffled_in, default=0)
        self.kept_of = _count(self.stayed, kinds)
        self.pile_of = _count([*known.shuffled_in, *self.returned], kinds)
        self.kept_left = self.kept_of.copy()
        drawn = _count(known.drawn, kinds)
        self.fresh_left = [all_of - gone for all_of, gone in zip(self.pile_of, drawn, strict=True)]
        seen = sum(one.kind != FACE_DOWN for one in known.departed)
        hidden = len(cards) + len(known.shuffled_in) - len(known.drawn) - seen
        ways = [comb(hidden, all_kept - number) for number in range(min(seen, all_kept) + 1)]
        self.orders = [1 / number if number else 0.0 for number in ways]
        """By number of seen departed cards that were kept: in how many orders the others may lie, in proportion."""
        self.seen_kept = 0
        self.of_seat: list[list[int]] = [[] for _ in known.kept]
        self.was_kept: list[bool] = []
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
        self._count_in(i)

    def run(self) -> None:
        """Redraw everything a few times, and on until the course is possible. Raises ValueError."""
        for sweep in range(_MOST_SWEEPS):
            if (sweep >= _SWEEPS or not (self.open or self.returned)) and min(*self.kept_left, *self.fresh_left) >= 0:
                return
            for i, related in zip(self.open, self.related, strict=True):
                self._redraw((i, self._one_of(related)) if related else (i,))
            for i in range(len(self.returned)):
                self._redraw_returned(i)
        raise ValueError("No course of the cards leads to this view.")

    def _one_of(self, some: Sequence[int]) -> int:
        return some[int(self.random() * len(some))]

    def _redraw_returned(self, i: int) -> None:
        """Perhaps another unseen card was returned instead; with it origins of cards of both kinds may change."""
        if not self.stayed:
            return
        j = int(self.random() * len(self.stayed))
        kinds = self.returned[i], self.stayed[j]
        if kinds[0] != kinds[1]:
            self._redraw([self._one_of(some) for kind in kinds if (some := self.open_of_kind[kind])], (i, j))

    def _redraw(self, some: Sequence[int], swap: tuple[int, int] | None = None) -> None:
        """Draw anew the origins of some departed cards, and whether a returned card swaps with one that stayed.

        Each outcome has a chance in proportion to the number of courses with it.
        """
        seats = {self.departed[i].seat for i in some}
        for i in some:
            self._count_out(i)
        outcomes: list[tuple[float, bool, tuple[bool, ...]]] = []
        total = 0.0
        for swapped in (False, True) if swap else (False,):
            chances = self._swap(*swap) if swap and swapped else 1.0
            for origins in product((True, False), repeat=len(some)):
                for i, was_kept in zip(some, origins, strict=True):
                    self.was_kept[i] = was_kept
                weight = chances
                for seat in seats:
                    weight *= self._choices(seat)
                if weight:
                    for i in some:
                        weight *= self._count_in(i)
                    weight *= self.orders[self.seen_kept]
                    for i in some:
                        self._count_out(i)
                    total += weight
                    outcomes.append((total, swapped, origins))
        point = self.random() * total
        _, swapped, origins = next(outcome for outcome in outcomes if outcome[0] > point)
        if swap and not swapped:
            self._swap(*swap)
        for i, was_kept in zip(some, origins, strict=True):
            self.was_kept[i] = was_kept
            self._count_in(i)

    def _choices(self, seat: Seat) -> int:
        """Among how many cards of its origin each departed card was, multiplied."""
        kept, fresh, ways = self.kept[seat], 0, 1
        for i in self.of_seat[seat]:
            if self.was_kept[i]:
                ways *= kept
                kept -= 1
            else:
                ways *= self.departed[i].drawn - fresh
                fresh += 1
        return ways

    def _count_in(self, i: int) -> float:
        """Take a departed card from where it came; how many single cards it can be."""
        kind = self.departed[i].kind
        if kind == FACE_DOWN:
            return 1
        was_kept = self.was_kept[i]
        left = self.kept_left if was_kept else self.fresh_left
        self.seen_kept += was_kept
        number = left[kind]
        left[kind] = number - 1
        return number if number > 0 else _IMPOSSIBLE

    def _count_out(self, i: int) -> None:
        """Put a departed card back to where it came from."""
        kind = self.departed[i].kind
        if kind != FACE_DOWN:
            was_kept = self.was_kept[i]
            (self.kept_left if was_kept else self.fresh_left)[kind] += 1
            self.seen_kept -= was_kept

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


def _count(cards: Iterable[int], kinds: int) -> list[int]:
    """By kind: how many of the cards are of it."""
    counts = [0] * kinds
    for card in cards:
        counts[card] += 1
    return counts
