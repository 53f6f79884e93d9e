"""The rule of thumb for XXL 4: the dearest straight is laid; then the turn is ended so as to have the next one.

Terms as in ``games.rules.xxl_4``. Two halves with a third one are a straight where all have one colour and
consecutive numbers; the *outs* of a hand are the unseen cards that make a straight out of two cards of which
at least one is in it.

A position is rated by the dearest straight that it holds ready, which others may spoil as far as its cards lie
in the display, and by the number of its outs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from games.core import Move
from games.language import gettext as _
from games.language import ngettext
from games.rules import xxl_4
from games.rules.xxl_deck import COLOURS, NUMBERS, Deck, bit, cards_in

_STILL_THERE: Final = 0.6
"""The chance of a card of the display to lie there still in the next turn."""
_SECOND: Final = 0.2
"""What of the second dearest straight counts."""
_OUT: Final = 10.0
"""What it is worth, in points, if every unseen card is an out."""
_OUT_WITH_DISPLAY: Final = 0.5
"""What of an out counts that needs a card of the display."""
_FRESH_CARD: Final = 2.0
"""What it is worth to draw a card."""
_LAY_NOW: Final = 1000.0
_COLUMN: Final = 16
"""By so many bits the halves of the next colour lie higher; the gap keeps runs from going on there."""


class StraightRule:
    """For XXL 4."""

    def __init__(self, game: xxl_4.Strassenbau) -> None:
        self._game = game
        self._deck = game.deck
        self._halves, self._cards_with = halves_of(game.deck)

    def rate(self, view: xxl_4.View, legal: Sequence[Move]) -> list[float]:
        """In points: straights far above all else, then what hand and display are worth after the second step."""
        game = self._game
        hand, display, unseen = self._look(view)
        ratings = []
        for move in legal:
            if move < game.first_exchange:
                ratings.append(_LAY_NOW + game.straights.values[move])
            else:
                fresh = _FRESH_CARD if game.first_lay <= move < game.done else 0.0
                ratings.append(self._worth(*self._after(hand, display, move), unseen) + fresh)
        return ratings

    def reason(self, view: xxl_4.View, legal: Sequence[Move], move: Move) -> str:
        """The points of the straight laid, of one held ready, or how many cards would complete one."""
        straights = self._game.straights
        if move < self._game.first_exchange:
            return _("The dearest straight that can be laid: %(points)d points.") % {"points": straights.values[move]}
        hand, display, unseen = self._look(view)
        hand, display = self._after(hand, display, move)
        ready = max((straights.values[one] for one in straights.possible(hand, display)), default=0)
        if ready:
            return _("Has a straight of %(points)d points ready for the next turn.") % {"points": ready}
        sure, shared = self._completing(hand, display)
        number = self._number(sure, unseen) + self._number(shared, unseen)
        return ngettext(
            "Then %(number)d unseen card makes a straight.", "Then %(number)d unseen cards make a straight.", number
        ) % {"number": number}

    def _look(self, view: xxl_4.View) -> tuple[int, int, int]:
        """The own hand, the display and the unseen cards."""
        hand, display = self._deck.read_words(view["hand"] or ()), self._deck.read_words(view["display"])
        return hand, display, self._deck.all_cards & ~hand & ~display & ~self._elsewhere(view)

    def _after(self, hand: int, display: int, move: Move) -> tuple[int, int]:
        """Hand and display after a second step, without the card that is drawn."""
        game = self._game
        if move < game.first_lay:
            card, other = divmod(move - game.first_exchange, len(self._deck.cards))
            both = bit[card] | bit[other]
            return hand ^ both, display ^ both
        if move < game.done:
            card = bit[move - game.first_lay]
            return hand ^ card, display | card
        return hand, display

    def _elsewhere(self, view: xxl_4.View) -> int:
        """The cards that everybody knows of and that lie neither in the watcher's hand nor in the display."""
        gone = 0
        for known in view["known"]:
            gone |= self._deck.read_words(known)
        for event in view["events"]:
            if event["kind"] == "straight":
                gone |= self._deck.read_words(event["from_hand"]) | self._deck.read_words(event["from_display"])
        return gone

    def _worth(self, hand: int, display: int, unseen: int) -> float:
        """What it is worth to have this hand and this display at the end of a turn."""
        straights = self._game.straights
        ready = sorted(
            straights.values[move] * _STILL_THERE ** (straights.sets[move] & ~hand).bit_count()
            for move in straights.possible(hand, display)
        )
        worth = sum(weight * value for weight, value in zip((1.0, _SECOND), reversed(ready), strict=False))
        sure, shared = self._completing(hand, display)
        outs = self._number(sure, unseen) + _OUT_WITH_DISPLAY * self._number(shared, unseen)
        return worth + _OUT * outs / max(1, unseen.bit_count())

    def _completing(self, hand: int, display: int) -> tuple[int, int]:
        """The halves that make a straight with two cards of the hand, and those only with one of the display."""
        own, shown = self._halves_of(hand), self._halves_of(display)
        sure = completing(own, own) & ~own & ~shown
        return sure, completing(own, shown) & ~own & ~shown & ~sure

    def _halves_of(self, cards: int) -> int:
        halves = 0
        for card in cards_in(cards):
            halves |= self._halves[card]
        return halves

    def _number(self, halves: int, unseen: int) -> int:
        """How many unseen cards have one of these halves; a card with two of them counts twice."""
        number = 0
        while halves:
            lowest = halves & -halves
            number += (self._cards_with.get(lowest, 0) & unseen).bit_count()
            halves ^= lowest
        return number


def completing(some: int, others: int) -> int:
    """The halves that are a straight with a half of the one set and a half of the other."""
    next_to = some & others >> 1 | others & some >> 1
    around = some & others >> 2 | others & some >> 2
    return next_to << 2 | next_to >> 1 | around << 1


@lru_cache(maxsize=32)
def halves_of(deck: Deck) -> tuple[tuple[int, ...], Mapping[int, int]]:
    """By card the set of its two halves; by single half the set of the cards that have it."""
    with_half = {
        1 << colour * _COLUMN + number + 1: deck.having[colour][number]
        for colour in range(len(COLOURS))
        for number in NUMBERS
    }
    by_card = tuple(
        sum(half for half, cards in with_half.items() if cards >> card & 1) for card in range(len(deck.cards))
    )
    return by_card, with_half
