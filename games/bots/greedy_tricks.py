"""Rules of thumb for the trick games XXL 6 and 6+, and what XXL 3 has in common with them.

Terms. The *rivals* of a card in a colour are the unseen cards that would take a trick of that colour from it.
The seats *behind* have still to play to the trick. The *pot* is what the trick will be worth, the *reserve* of
a card what it will be worth if it is kept. Ratings are in points.

A card is rated by its chance to take the trick times the pot, less its reserve: a sure winner is worth a
poor trick only at the end, and what wins nothing goes first. A chance is guessed from how many rivals the
seats behind must be expected to hold, after all that they have shown not to have.

Cards, sets of cards and colours are as in ``games.rules.xxl_deck``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from typing import Final, NamedTuple

from games.core import Move
from games.language import gettext as _
from games.language import ngettext
from games.rules import xxl_6, xxl_6_plus
from games.rules.xxl_deck import ALL_COLOURS, COLOURS, Deck, as_set, bit, cards_in

SINGLE_COLOURS: Final = tuple(1 << i for i in range(len(COLOURS)))


@dataclass(frozen=True, slots=True)
class Weights:
    """What a judge goes by; found by letting bots with other weights play each other."""

    fear: float
    """How much of a rival expected behind counts; so many expected halve the chance: 0.7 / ``fear``."""
    fading: float
    """What is left of a reserve with each rival there is."""
    reserve: float
    """The reserve of a card without rivals, in points."""
    patience: float
    """The greater, the longer reserves last: with ``n`` cards in hand, 1 - n ** -``patience`` of them."""


class Trick(NamedTuple):
    """A trick as the seat to move sees it.

    ``cards`` lie on the table. ``behind`` has for each seat behind the size of its hand and the unseen cards
    that it may hold. ``left`` is the size of the own hand.
    """

    cards: Sequence[int]
    unseen: int
    behind: Sequence[tuple[int, int]]
    left: int


class Judge:
    """Says of a card what chance it has now and what it is worth for later."""

    def __init__(self, deck: Deck, weights: Weights, trump: int = 0) -> None:
        """``deck`` as its cards count under ``trump``, a single colour or 0 for none."""
        self.deck = deck
        self.weights = weights
        self._trump = trump
        self._trumps = deck.showing[trump]
        self._stronger = {colour: _stronger(deck.strength[colour]) for colour in SINGLE_COLOURS}

    def chance(self, card: int, colour: int, trick: Trick) -> float:
        """Of the card to take the trick if its colour is this one."""
        strength = self.deck.strength[colour]
        if any(strength[other] > strength[card] for other in trick.cards):
            return 0.0
        rivals = self._stronger[colour][card]
        expected = 0.0
        for size, may_hold in trick.behind:
            expected += size * (rivals & may_hold & ~self._trumps).bit_count()
            trumps = (rivals & may_hold & self._trumps).bit_count()
            # A seat that may have to follow a plain colour can rarely play a trump.
            tied = colour != self._trump and may_hold & self.deck.showing[colour]
            expected += size * trumps * (_TRUMP_IN_TIME if tied else 1)
        return exp(-self.weights.fear * expected / max(1, trick.unseen.bit_count()))

    def reserve(self, card: int, trick: Trick) -> float:
        """What the card is worth for later tricks, in points."""
        if trick.left == 1:
            return 0.0
        shown = self.deck.colours_of[card]
        rivals = min(
            (self._stronger[colour][card] & trick.unseen).bit_count() for colour in SINGLE_COLOURS if colour & shown
        )
        lasting: float = self.weights.fading**rivals
        if shown == self._trump:
            lasting = max(lasting, _ANY_TRUMP)
        used_up: float = trick.left**-self.weights.patience
        return self.weights.reserve * lasting * (1 - used_up)


_TRUMP_IN_TIME: Final = 0.18
_ANY_TRUMP: Final = 0.35
"""What is left at least of the reserve of a trump."""


def _stronger(strength: Sequence[int]) -> tuple[int, ...]:
    """By card: the set of the cards that are stronger."""
    stronger, above = [0] * len(strength), 0
    for card in sorted(range(len(strength)), key=strength.__getitem__, reverse=True):
        stronger[card] = above
        above |= bit[card]
    return tuple(stronger)


def mean_total(deck: Deck, cards: int) -> float:
    """The average total of a set of cards; 0 of the empty set."""
    return deck.hand_points(cards) / max(1, cards.bit_count())


def chance_in_words(chance: float, points: float, *, final: bool) -> str:
    """What playing a card is for; ``final`` says that nobody plays after it, so that the chance is no guess."""
    params = {"chance": round(100 * chance), "points": round(points)}
    if not params["chance"]:
        return _("Can't take the trick: the card least worth keeping goes.")
    if final:
        return _("Takes the trick: %(points)d points.") % params
    return _("Takes the trick with a chance of about %(chance)d %%: some %(points)d points.") % params


class ColourRule:
    """For XXL 6, and for 6+ once the trump is declared."""

    def __init__(self, deck: Deck, weights: Weights, trump: int = 0) -> None:
        self.deck = deck
        self._judge = Judge(deck, weights, trump)

    def rate(self, view: xxl_6.View, legal: Sequence[Move]) -> list[float]:
        """In points: what playing the card wins, less what it would be worth later."""
        deck = self.deck
        trick, open_colours = self._trick(view)
        points = sum(deck.totals[card] for card in trick.cards) + len(trick.behind) * mean_total(deck, trick.unseen)
        ratings = []
        for card in legal:
            chance = self._chance(card, open_colours, trick)
            ratings.append(chance * (points + deck.totals[card]) - self._judge.reserve(card, trick))
        return ratings

    def reason(self, view: xxl_6.View, legal: Sequence[Move], move: Move) -> str:
        """The chance and what it is for."""
        trick, open_colours = self._trick(view)
        points = sum(self.deck.totals[card] for card in (*trick.cards, move))
        return chance_in_words(
            self._chance(move, open_colours, trick),
            points + len(trick.behind) * mean_total(self.deck, trick.unseen),
            final=not trick.behind,
        )

    def _trick(self, view: xxl_6.View) -> tuple[Trick, int]:
        """The trick under way and its open colours."""
        deck, seats, me = self.deck, view["seats"], view["seat"] or 0
        hand = deck.read_words(view["hand"] or ())
        unseen = deck.all_cards & ~hand
        missing = [0] * seats
        cards: list[int] = []
        open_colours = ALL_COLOURS
        for past in (*view["tricks"], view["trick"]):
            cards = list(map(deck.read_word, past["cards"]))
            open_colours = ALL_COLOURS
            for seat, card in enumerate(cards, past["leader"]):
                shown = deck.colours_of[card] & open_colours
                if shown:
                    open_colours = shown
                else:
                    missing[seat % seats] |= deck.showing[open_colours]
            unseen &= ~as_set(cards)
        behind = [(me + i) % seats for i in range(1, seats - len(cards))]
        sizes = view["hand_sizes"]
        return (
            Trick(cards, unseen, [(sizes[seat], unseen & ~missing[seat]) for seat in behind], hand.bit_count()),
            open_colours,
        )

    def _chance(self, card: int, open_colours: int, trick: Trick) -> float:
        """The card's chance to take the trick, whichever colour that will have."""
        deck = self.deck
        still_open = deck.colours_of[card] & open_colours or open_colours
        if not trick.behind and still_open & (still_open - 1):
            both = (one for one in (card, *reversed(trick.cards)) if deck.colours_of[one] == still_open)
            still_open = deck.high_colour[next(both)]
        chances = [self._judge.chance(card, colour, trick) for colour in SINGLE_COLOURS if colour & still_open]
        # The colour is settled by those behind, and seldom in favour of the card.
        return _LUCK * max(chances) + (1 - _LUCK) * min(chances)


_LUCK: Final = 0.3


def colour_rule(game: xxl_6.IchBestimmDieFarbe) -> ColourRule:
    """The rule of thumb for XXL 6."""
    return ColourRule(game.deck, Weights(fear=1.1, fading=0.75, reserve=35, patience=1.5))


class TrumpRule:
    """For XXL 6+: declares the colour of which the hand holds most and highest cards."""

    def __init__(self, game: xxl_6_plus.IchBestimmDieFarbePlus) -> None:
        self._deck = game.deck
        self._rules = _under_trumps(game.deck)

    def rate(self, view: xxl_6_plus.View, legal: Sequence[Move]) -> list[float]:
        """As in XXL 6; a declaration by the numbers the hand has in the colour."""
        if view["trump"] is not None:
            return self._rules[view["trump"]].rate(view, legal)
        hand = cards_in(self._deck.read_words(view["hand"] or ()))
        numbers = [self._deck.number[move - xxl_6_plus.DECLARE] for move in legal]
        return [sum(_A_TRUMP + row[card] for card in hand if row[card] >= 0) for row in numbers]

    def reason(self, view: xxl_6_plus.View, legal: Sequence[Move], move: Move) -> str:
        """Of a declaration the trumps in the hand."""
        if view["trump"] is not None:
            return self._rules[view["trump"]].reason(view, legal, move)
        hand = cards_in(self._deck.read_words(view["hand"] or ()))
        number = sum(self._deck.number[move - xxl_6_plus.DECLARE][card] >= 0 for card in hand)
        return ngettext(
            "The hand has %(number)d trump with it, no other colour has more and higher ones.",
            "The hand has %(number)d trumps with it, no other colour has more and higher ones.",
            number,
        ) % {"number": number}


_A_TRUMP: Final = 6.0
"""What any trump adds to a declaration, besides its number."""


@lru_cache(maxsize=32)
def _under_trumps(deck: Deck) -> Mapping[str, ColourRule]:
    """By name of the trump; kept, since a series of games makes its bots for each deal."""
    weights = Weights(fear=1.1, fading=0.9, reserve=45, patience=1.5)
    trumps = dict(zip(COLOURS, SINGLE_COLOURS, strict=True))
    return {name: ColourRule(xxl_6_plus.under_trump(deck, trump), weights, trump) for name, trump in trumps.items()}
