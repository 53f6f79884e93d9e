"""The rule of thumb for XXL 3, where a trick can be passed. Terms as in ``games.bots.greedy_tricks``.

In the first phase all tricks are worth the same, since it is the number of cards won that makes the hand of
the second phase; there the cards' points count. What a hand can't win it passes, and keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from games.bots.greedy_tricks import Judge, Trick, Weights, chance_in_words, mean_total
from games.core import Move
from games.language import gettext as _
from games.rules import xxl_3
from games.rules.xxl_3 import ASIDE, HIGH_LEAD, LOW_LEAD, PASS
from games.rules.xxl_deck import COLOURS, bit

_FIRST_PHASE: Final = Weights(fear=1.0, fading=0.75, reserve=25, patience=1.0)
_SECOND_PHASE: Final = Weights(fear=0.8, fading=0.75, reserve=40, patience=1.0)
_ANY_TRICK: Final = 40.0
"""What a trick of the first phase is worth, in points of the second."""
_PLAYS: Final = 0.6
"""How often a seat that may pass plays a card."""


class RefusalRule:
    """For XXL 3."""

    def __init__(self, game: xxl_3.VerweigernGestattet) -> None:
        self._game = game
        self._deck = game.deck
        self._judges = {"first": Judge(game.deck, _FIRST_PHASE), "second": Judge(game.deck, _SECOND_PHASE)}

    def rate(self, view: xxl_3.View, legal: Sequence[Move]) -> list[float]:
        """What playing the card wins, less what it would be worth later; a pass wins and costs nothing.

        Put aside is the card of the highest numbers, which wins its trick and is worth most itself.
        """
        if view["phase"] == "putting_aside":
            cards = [self._deck.cards[move - ASIDE] for move in legal]
            return [card.total + card.high for card in cards]
        trick, following = self._trick(view)
        pot = _ANY_TRICK
        if view["phase"] == "second":
            pot = self._pot(trick, following)
        return [0.0 if move == PASS else self._rate_card(view, trick, pot, move) for move in legal]

    def reason(self, view: xxl_3.View, legal: Sequence[Move], move: Move) -> str:
        """The chance and what it is for; of a pass that no card is worth it."""
        if view["phase"] == "putting_aside":
            return _("Of the cards won this one has the highest numbers for the second phase.")
        if move == PASS:
            return _("No card of the hand is worth playing to this trick.")
        trick, following = self._trick(view)
        card = move % LOW_LEAD
        return chance_in_words(
            self._judges[view["phase"]].chance(card, self._colour(view, move), trick),
            self._pot(trick, following) + self._deck.totals[card],
            final=not trick.behind,
        )

    def _pot(self, trick: Trick, following: float) -> float:
        """What lies there and is to be expected, in points."""
        points = sum(self._deck.totals[card] for card in trick.cards)
        return points + following * mean_total(self._deck, trick.unseen)

    def _rate_card(self, view: xxl_3.View, trick: Trick, pot: float, move: Move) -> float:
        """``pot`` is without the card itself."""
        judge, card = self._judges[view["phase"]], move % LOW_LEAD
        if view["phase"] == "second":
            pot += self._deck.totals[card]
        return judge.chance(card, self._colour(view, move), trick) * pot - judge.reserve(card, trick)

    def _colour(self, view: xxl_3.View, move: Move) -> int:
        """The colour of the trick, which a lead names."""
        named = view["trick"]["colour"]
        if named is not None:
            return 1 << COLOURS.index(named)
        high = self._deck.high_colour[move % LOW_LEAD]
        return high if move >= HIGH_LEAD else self._deck.colours_of[move % LOW_LEAD] ^ high

    def _trick(self, view: xxl_3.View) -> tuple[Trick, float]:
        """The trick under way, and how many cards are still to be expected in it."""
        deck, seats, me, sizes = self._deck, view["seats"], view["seat"] or 0, view["hand_sizes"]
        hand = deck.read_words(view["hand"] or ())
        unseen = deck.all_cards & ~hand
        missing = [0] * seats
        cards: list[int] = []
        tricks = view["second_tricks"] if view["phase"] == "second" else view["first_tricks"]
        for past in chain(tricks, [view["trick"]]):
            cards = []
            shows = 0 if past["colour"] is None else deck.showing[1 << COLOURS.index(past["colour"])]
            for play in past["plays"]:
                move = self._game.parse(play["move"])
                if move != PASS:
                    card = move % LOW_LEAD
                    cards.append(card)
                    unseen &= ~bit[card]
                    if not shows >> card & 1:
                        missing[play["seat"]] |= shows
        leader = view["trick"]["leader"]
        behind = [seat for seat in range(seats) if sizes[seat] and (seat - leader) % seats > (me - leader) % seats]
        may_pass = [view["phase"] == "second" and sizes[seat] < max(sizes) for seat in behind]
        return (
            Trick(cards, unseen, [(sizes[seat], unseen & ~missing[seat]) for seat in behind], hand.bit_count()),
            sum(_PLAYS if passing else 1 for passing in may_pass),
        )
