"""Hands in The Game that could be behind what they signal: counting and drawing (docs/rules/determinization.md).

Terms. A *hidden hand* is one of which size and signals are known, perhaps also how many of its cards fit a
pile. Further terms are as in ``games.rules.the_game_piles``.

Promises: all ways to fill hidden hands from the unseen cards are counted, and each has the same chance.

Never: knows the turn; what follows from it comes as limits on a hand.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import comb, prod
from random import Random
from typing import NamedTuple

from games.core import shuffled
from games.rules.the_game_piles import BIT, CLOSE, DECK, LEAVE_ALONE, NEAR, PILES, RATHER_NOT, cards_in, fitting


class HiddenHand(NamedTuple):
    """What is known of a hidden hand: size, signals by pile, the least and the most cards that fit any pile."""

    size: int
    signals: tuple[int, ...]
    least: int = 0
    most: int = len(DECK)


class Fillings:
    """All ways to fill hidden hands from the unseen cards, the rest being the draw pile.

    Cards are sorted into *kinds* that no signal tells apart. For the first hand the cards that no signal
    is about are two kinds, those that fit a pile and the others; for the later hands they are one. A
    *taking* says how many cards of each kind a hand gets.
    """

    def __init__(self, tops: Sequence[int], unseen: int, hands: Sequence[HiddenHand]) -> None:
        self.hands = hands
        close = [CLOSE[pile][top] for pile, top in enumerate(tops)]
        near = [NEAR[pile][top] for pile, top in enumerate(tops)]
        kinds: dict[tuple[bool, ...], list[int]] = {}
        far: tuple[list[int], list[int]] = [], []
        fit = fitting(tops)
        for card in cards_in(unseen):
            shown = tuple(cards >> card & 1 == 1 for cards in (*close, *near))
            if any(shown):
                kinds.setdefault(shown, []).append(card)
            else:
                far[0 if fit >> card & 1 else 1].append(card)
        self.kinds = [*kinds.values(), *far]
        self._open_to = [self._read_signals(hand.signals, list(kinds)) for hand in hands]
        self._takings: dict[tuple[int, tuple[int, ...]], tuple[list[int], list[tuple[int, ...]]]] = {}

    def _read_signals(
        self, signals: Sequence[int], kinds: Sequence[tuple[bool, ...]]
    ) -> tuple[list[bool], list[list[bool]]]:
        """Which kinds a hand with these signals may have, and sets of kinds of each of which it has a card."""
        may_have = [True] * len(kinds)
        needed = []
        for pile, signal in enumerate(signals):
            close = [shown[pile] for shown in kinds]
            near = [shown[len(PILES) + pile] for shown in kinds]
            if signal == LEAVE_ALONE:
                needed.append(close)
                continue
            if signal == RATHER_NOT:
                needed.append(near)
            may_have = [
                may and not is_close and (signal == RATHER_NOT or not is_near)
                for may, is_close, is_near in zip(may_have, close, near, strict=True)
            ]
        return may_have, needed

    def draw(self, rng: Random) -> tuple[list[int], list[int]]:
        """One way, each with the same chance: the hands, and the cards left. Raises ValueError if there is none."""
        heaps = [shuffled(kind, rng) for kind in self.kinds]
        hands = []
        for number in range(len(self.hands)):
            ways, takings = self._choices(number, tuple(map(len, heaps)))
            if not ways:
                raise ValueError("This view shows signals that no hands could give.")
            taking = takings[bisect_right(ways, int(rng.random() * ways[-1]))]
            hand = 0
            for heap, count in zip(heaps, taking, strict=True):
                for _ in range(count):
                    hand |= BIT[heap.pop()]
            hands.append(hand)
            if heaps[-2]:
                heaps[-1] = shuffled(heaps[-2] + heaps[-1], rng)
                heaps[-2] = []
        return hands, [card for heap in heaps for card in heap]

    def _choices(self, number: int, left: tuple[int, ...]) -> tuple[list[int], list[tuple[int, ...]]]:
        """The takings possible for a hand, with running totals of the ways to fill this and all later hands."""
        known = self._takings.get((number, left))
        if known is None:
            running, takings, total = [], [], 0
            for taking in self._possible(number, left):
                *shown, fit, other = (n - k for n, k in zip(left, taking, strict=True))
                ways = prod(map(comb, left, taking)) * self._ways(number + 1, (*shown, 0, fit + other))
                if ways:
                    total += ways
                    running.append(total)
                    takings.append(taking)
            known = self._takings[number, left] = running, takings
        return known

    def _ways(self, number: int, left: tuple[int, ...]) -> int:
        if number == len(self.hands):
            return 1
        running, _ = self._choices(number, left)
        return running[-1] if running else 0

    def _possible(self, number: int, left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """The takings of a hand that its size, its signals and its limits allow."""
        hand = self.hands[number]
        may_have, needed = self._open_to[number]
        *shown_left, fit_left, other_left = left
        most = [min(n, hand.size) if may else 0 for may, n in zip(may_have, shown_left, strict=True)]
        for shown in product(*(range(n + 1) for n in most)):
            taken = sum(shown)
            open_places = hand.size - taken
            if open_places < 0 or not all(any(map(int.__mul__, shown, kinds)) for kinds in needed):
                continue
            # A card that a signal is about always fits the pile of that signal.
            fewest = max(hand.least - taken, open_places - other_left, 0)
            for fit in range(fewest, min(hand.most - taken, fit_left, open_places) + 1):
                yield (*shown, fit, open_places - fit)


@lru_cache(maxsize=64)
def ways_to_fill(tops: tuple[int, ...], unseen: int, hands: tuple[HiddenHand, ...]) -> Fillings:
    """The fillings, kept for a while: a searching bot draws hundreds of times from one view."""
    return Fillings(tops, unseen, hands)
