"""The rule of thumb for The Game: the cards that cost least are laid.

Terms. The *cost* of a lay is the number of cards, not yet played, that can no longer go on its pile; a card
laid backwards has a negative one, since it makes them possible again. What other seats signal for the pile is
added: playing there costs them about as much. A *plan* is a number of lays one after another, as many as the
minimum asks for and at least two.

A move is rated by the cheapest plan that begins with it. Ending the turn costs nothing, so beyond the minimum only
cards go that cost less than a card in the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from games.core import Move
from games.language import gettext as _
from games.language import ngettext
from games.rules import the_game
from games.rules.the_game import END
from games.rules.the_game_piles import DECK

_SIGNALLED: Final = (0.0, 1.0, 4.0)
"""By signal of another seat, the costs added."""
_IN_THE_WAY: Final = 1.0
"""What it is worth that a card is laid at all."""
_STUCK: Final = -1000.0
_SENSELESS: Final = -10_000.0

Cards = tuple[int, ...]
Lay = tuple[int, int]
"""A card and the index of a pile."""


class PileRule:
    """For The Game."""

    def __init__(self, game: the_game.TheGame) -> None:
        """The rules are the same whatever is agreed on; the view tells the minimum."""

    def rate(self, view: the_game.View, legal: Sequence[Move]) -> list[float]:
        """What the best plan is worth that begins with the move; who starts is rated by what its hand signals."""
        if view["choosing"]:
            # The choices are in the order of the seats; a signal is given for a card that can be laid at little cost.
            return [float(sum(signals)) for signals in view["signals"]]
        plans = _Plans(view)
        hand, tops = tuple(view["hand"] or ()), tuple(view["piles"])
        after_this = view["minimum"] - len(view["laid"]) - 1
        sensible = set(plans.sensible(hand, tops))
        ratings = []
        for move in legal:
            lay = move >> 2, move & 3
            if move == END:
                ratings.append(0.0)
            elif lay in sensible:
                ratings.append(plans.worth(hand, tops, lay, after_this, 1))
            else:
                ratings.append(_SENSELESS)
        return ratings

    def reason(self, view: the_game.View, legal: Sequence[Move], move: Move) -> str:
        """What the lay costs, in cards passed over, or why it is none."""
        if view["choosing"]:
            return _("Its signals are strongest: it has most cards that can be laid at little cost.")
        if move == END:
            return _("Every further card would cost more than it is worth.")
        card, pile = move >> 2, move & 3
        top = view["piles"][pile]
        number = len(set(range(min(card, top) + 1, max(card, top))) & set(DECK) - set(view["played"]))
        if (card > top) == (pile < 2):
            passed = ngettext(
                "It passes over %(number)d card that is not yet played.",
                "It passes over %(number)d cards that are not yet played.",
                number,
            )
            return passed % {"number": number} if number else _("It passes over no card that is not yet played.")
        again = ngettext(
            "Ten back: %(number)d card between fits the pile again.",
            "Ten back: %(number)d cards between fit the pile again.",
            number,
        )
        return again % {"number": number}


class _Plans:
    """What plans are worth, for one view."""

    def __init__(self, view: the_game.View) -> None:
        played = set(view["played"])
        self._until = list(accumulate(card in DECK and card not in played for card in range(101)))
        """By card: how many cards up to it are not yet played."""
        others = [signals for seat, signals in enumerate(view["signals"]) if seat != view["seat"]]
        self._signalled = [max((_SIGNALLED[signals[pile]] for signals in others), default=0.0) for pile in range(4)]
        self._best: dict[tuple[Cards, Cards, int, int], float] = {}

    def sensible(self, hand: Cards, tops: Cards) -> Iterator[Lay]:
        """On each pile the nearest card, the one that goes backwards, and those that one could go back from."""
        for pile, top in enumerate(tops):
            back = -10 if pile < 2 else 10
            ahead = [card for card in hand if (card > top if pile < 2 else card < top)]
            nearest = ahead and (ahead[0] if pile < 2 else ahead[-1])
            if top + back in hand:
                yield top + back, pile
            for card in ahead:
                if card == nearest or card + back in hand:
                    yield card, pile

    def worth(self, hand: Cards, tops: Cards, lay: Lay, needed: int, further: int) -> float:
        """Of the best plan that begins with this lay: ``needed`` lays have to come after it, ``further`` may."""
        card, pile = lay
        low, high = sorted((card, tops[pile]))
        between = self._until[high - 1] - self._until[low]
        costs = between if (card > tops[pile]) == (pile < 2) else -between
        rest = tuple(other for other in hand if other != card)
        after = (*tops[:pile], card, *tops[pile + 1 :])
        return _IN_THE_WAY - costs - self._signalled[pile] + self._plan(rest, after, needed, further)

    def _plan(self, hand: Cards, tops: Cards, needed: int, further: int) -> float:
        """What the best plan is worth, that of laying nothing included if nothing is needed."""
        if not hand or (needed <= 0 and further <= 0):
            return 0.0
        key = hand, tops, needed, further
        known = self._best.get(key)
        if known is None:
            known = _STUCK if needed > 0 else 0.0
            for lay in self.sensible(hand, tops):
                known = max(known, self.worth(hand, tops, lay, needed - 1, further - 1))
            self._best[key] = known
        return known
