"""Hidden hands of The Game that could be behind what a seat sees, drawn fast.

Terms. A *world* is one hand a hidden seat. Signals, cards and sets of cards are as in ``games.rules.the_game_piles``.

Promises: every world drawn gives the signals that are shown. Their chances are not quite equal, as those from
``TheGame.determinize`` are, which takes some fifty times as long: the cards that a signal calls for are drawn first.
Never: asks what else follows from the course of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from games.rules.the_game_piles import CLOSE, LEAVE_ALONE, NEAR, RATHER_NOT, cards_in

_TRIES: Final = 200


class Worlds:
    """Draws worlds for hidden hands of known sizes and signals (by hand, by pile) from the unseen cards."""

    def __init__(
        self, tops: Sequence[int], unseen: int, sizes: Sequence[int], signals: Sequence[Sequence[int]]
    ) -> None:
        self._unseen = unseen
        self._sizes = sizes
        self._may: list[int] = []
        self._calls: list[list[int]] = []
        for shown in signals:
            may, calls = unseen, []
            for pile, signal in enumerate(shown):
                close, near = CLOSE[pile][tops[pile]], NEAR[pile][tops[pile]]
                if signal == LEAVE_ALONE:
                    calls.append(close)
                    continue
                may &= ~close
                if signal == RATHER_NOT:
                    calls.append(near)
                else:
                    may &= ~near
            self._may.append(may)
            self._calls.append([call & may for call in calls])
        # Hands that more is known of come first, so that others do not take what they need.
        self._order = sorted(range(len(sizes)), key=lambda hand: (self._may[hand].bit_count(), hand))
        called = [hand for hand in self._order if self._calls[hand]]
        self._called = sorted(called, key=lambda hand: min(call.bit_count() for call in self._calls[hand]))

    def draw(self, rng: Random) -> list[int]:
        """One world. Raises ValueError where 200 tries found none, which no view of a real game has led to."""
        for _ in range(_TRIES):
            world = self._try(rng)
            if world is not None:
                return world
        raise ValueError("This view shows signals that no hands could give.")

    def _try(self, rng: Random) -> list[int] | None:
        random = rng.random
        hands = [0] * len(self._sizes)
        left = self._unseen
        for hand in self._called:
            got = 0
            for call in self._calls[hand]:
                if call & got:
                    continue
                able = call & left
                if not able:
                    return None
                chosen = able & -able
                if chosen != able:
                    several = list(cards_in(able))
                    chosen = 1 << several[int(random() * len(several))]
                got |= chosen
                left ^= chosen
            hands[hand] = got
        for hand in self._order:
            missing = self._sizes[hand] - hands[hand].bit_count()
            if missing < 0:
                return None
            if not missing:
                continue
            free = list(cards_in(left & self._may[hand]))
            size = len(free)
            if size < missing:
                return None
            got = 0
            for _ in range(missing):
                at = int(random() * size)
                got |= 1 << free[at]
                size -= 1
                free[at] = free[size]
            hands[hand] |= got
            left ^= got
        return hands
