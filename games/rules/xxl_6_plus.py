"""XXL variant 6+, "Ich bestimm die Farbe! Plus" (docs/rules/xxl.md, "Variant 6+").

Terms. The *declarer* names the trump colour after seeing the hand, and leads. A *trump* is a card with a
half in that colour, and counts as bearing this colour only; all other cards are *plain*. Once the trump is
declared, the hand is played by the rules of game 6 with the cards as they count then. A move is a card, or
``DECLARE`` plus the index of a colour in ``COLOURS``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Final

from games.core import Json, Move, Option, Outcome, Seat, UnreadableMove, shuffled
from games.rules import xxl_6
from games.rules.xxl_6 import IchBestimmDieFarbe, TrickState, hand_size
from games.rules.xxl_deck import ALL_COLOURS, COLOURS, DECK, Deck, as_set, colour_names, deal_hands
from games.rules.xxl_game import XxlGame, drawing

LEFT_OF_DEALER: Final = "left_of_dealer"
DECLARE: Final = 55
_DECLARATIONS: Final = tuple(range(DECLARE, DECLARE + len(COLOURS)))
_TRUMP: Final = "trump"
_ABOVE_PLAIN_CARDS: Final = 1000

DECLARER: Final = Option.choice(
    "declarer", default=lambda seats: LEFT_OF_DEALER, allowed=lambda seats: (LEFT_OF_DEALER, *range(seats))
)


def declarer_of(number: int, seats: int, offset: int = 0) -> Seat:
    """Who declares and leads the hand with this number, from 0, of the 6+ hands that a table plays in a row."""
    return (number + offset) % seats


@dataclass(slots=True)
class TrumpState:
    """A position: the trump, 0 until it is declared, and the rest as in game 6."""

    declarer: Seat
    tricks: TrickState
    trump: int = 0

    def clone(self) -> TrumpState:
        """An equal state that shares nothing changeable with this one."""
        return TrumpState(self.declarer, self.tricks.clone(), self.trump)


class View(xxl_6.View):
    """What a seat may know; ``trump`` is ``None`` until it is declared."""

    declarer: int
    trump: str | None


def under_trump(deck: Deck, trump: int) -> Deck:
    """A deck as its cards count under a trump: trumps bear no other colour, and are above all plain cards."""
    counted = copy(deck)
    counted.colours_of = tuple(trump if colours & trump else colours for colours in deck.colours_of)
    counted.showing = tuple(
        as_set(card for card, shown in enumerate(counted.colours_of) if shown & colours)
        for colours in range(ALL_COLOURS + 1)
    )
    trump_strength = deck.strength[trump]
    counted.strength = tuple(
        tuple(
            _ABOVE_PLAIN_CARDS + trump_strength[card] if counted.colours_of[card] == trump else plain
            for card, plain in enumerate(strength)
        )
        for strength in deck.strength
    )
    return counted


class _Hand(IchBestimmDieFarbe):
    """Game 6 with the cards as they count under a trump."""

    key = "xxl-6-plus"

    def _would_lead(self, seat: Seat, hands: Sequence[int], dealer: Seat) -> bool:
        """The declarer leads whatever the hands are."""
        return True

    def objection(self, state: TrickState, seat: Seat, move: Move) -> str:
        """As in game 6; a trump with a half in an open colour does not follow either."""
        in_hand = move >= 0 and state.hands[seat] >> move & 1
        if in_hand and not self.deck.colours_of[move] & (self.deck.colours_of[move] - 1):
            colours = " or ".join(colour_names(state.open_colours))
            return (
                f"{self.deck.words[move]} is a trump and does not follow: "
                f"you hold a plain card with {colours} and must play such a one."
            )
        return super().objection(state, seat, move)


@lru_cache(maxsize=32)
def _hands(deck: Deck) -> Mapping[int, _Hand]:
    """By trump, the game that is played under it; by 0, the one in which it is still to be declared."""
    trumps = (1 << i for i in range(len(COLOURS)))
    return {0: _Hand(deck)} | {trump: _Hand(under_trump(deck, trump)) for trump in trumps}


class IchBestimmDieFarbePlus(XxlGame[TrumpState, View]):
    """Variant 6+ for 2 to 6 seats; the highest total of won cards wins."""

    key = "xxl-6-plus"
    version = 1
    options: ClassVar[tuple[Option, ...]] = (*XxlGame.options, DECLARER)
    high_wins = True
    rules = """\
Game 6 with a trump. 12 cards each with 2 to 4 players, 9 with 5 or 6; the rest is set aside. The declarer
(the option of that name; the player on the dealer's left by default, in turn when several hands are played)
sees the hand, declares any of the four colours the trump, and leads.
A card with a half in the trump colour is a trump; its second colour does not matter. All others are plain.
A trump led: trump must be followed.
A plain card led: one of its two colours must be followed with plain cards. The trick colour is open until
someone follows with a plain card that shows exactly one of the two: then it is that one, and must be
followed from there on. Still open at the end, it is the colour of the higher number on the last plain card
that bears both. Ruling: trumps don't serve to follow a plain colour and never fix the trick colour.
Whoever can't follow plays any card, trumps included.
The highest trump takes the trick, else the highest number in the trick colour; equal numbers: the higher
total. Who takes it leads. The highest total value of won cards wins.
A move is a card, like green1/red2; the first one of all is the declaration, like trump red."""

    def __init__(self, deck: Deck = DECK) -> None:
        """The game with this deck; one of fewer cards serves for looking closely at small positions."""
        super().__init__(deck)
        self._hands = _hands(deck)

    def series_options(self, seats: int, number: int) -> dict[str, Json]:
        """The dealer moves on as in all games; the declarers take turns whoever deals."""
        return {**super().series_options(seats, number), "declarer": declarer_of(number, seats)}

    def start(self, seats: int, options: Mapping[str, Any], rng: Random) -> TrumpState:
        """Deal; the declarer is to move."""
        dealer: Seat = options["dealer"]
        declarer = (dealer + 1) % seats if options["declarer"] == LEFT_OF_DEALER else options["declarer"]
        hands = deal_hands(shuffled(range(len(self.deck.cards)), rng), seats, hand_size(seats), dealer)
        return self.position(hands, dealer, declarer)

    def position(self, hands: Sequence[int], dealer: Seat, declarer: Seat) -> TrumpState:
        """The state with these full hands before the declaration."""
        return TrumpState(declarer, self._hands[0].position(hands, dealer, declarer))

    def to_move(self, state: TrumpState) -> tuple[Seat, ...]:
        """The one seat whose turn it is; none when all hands are played."""
        return self._hands[state.trump].to_move(state.tricks)

    def legal(self, state: TrumpState, seat: Seat) -> tuple[Move, ...]:
        """The four colours to declare; then the cards that follow, or the whole hand, in the order of the deck."""
        if not state.trump:
            return _DECLARATIONS if seat == state.declarer else ()
        return self._hands[state.trump].legal(state.tricks, seat)

    def advance(self, state: TrumpState, seat: Seat, move: Move) -> None:
        """Declare the trump, or play a card; the last of a trick settles it."""
        if state.trump:
            self._hands[state.trump].advance(state.tricks, seat, move)
        else:
            state.trump = 1 << move - DECLARE

    def rollout(self, state: TrumpState, rng: Random) -> None:
        """As for every game; searching bots spend most of their time here."""
        if not state.trump:
            self.advance(state, state.declarer, _DECLARATIONS[int(rng.random() * len(_DECLARATIONS))])
        self._hands[state.trump].rollout(state.tricks, rng)

    def outcome(self, state: TrumpState) -> Outcome | None:
        """The totals of the cards won, once all hands are played."""
        return self._hands[state.trump].outcome(state.tricks)

    def turn_limit(self, seats: int, options: Mapping[str, Any]) -> int:
        """One declaration, and every card of every hand, one a turn."""
        return 1 + seats * hand_size(seats)

    def objection(self, state: TrumpState, seat: Seat, move: Move) -> str:
        """The trump is declared first and once; else as in game 6."""
        if move not in _DECLARATIONS and not 0 <= move < len(self.deck.cards):
            return f"{move} is no move of this game."
        if not state.trump:
            return f"Declare the trump before you play {self.describe(move)}, as in {self.describe(DECLARE)}."
        if move in _DECLARATIONS:
            return f"The trump is {colour_names(state.trump)[0]} for the whole hand."
        return self._hands[state.trump].objection(state.tricks, seat, move)

    def parse(self, word: str) -> Move:
        """A card such as ``green1/red2``, its halves in either order, or ``trump red``."""
        spelling = "".join(word.split()).lower()
        if spelling.startswith(_TRUMP) and spelling.removeprefix(_TRUMP) in COLOURS:
            return DECLARE + COLOURS.index(spelling.removeprefix(_TRUMP))
        try:
            return self.deck.read_word(spelling)
        except UnreadableMove:
            raise UnreadableMove(
                f"{word[:40]!r} is no move of this game. "
                f"A move is a card, as in {self.deck.words[-1]}, or a declaration, as in {self.describe(DECLARE)}."
            ) from None

    def describe(self, move: Move) -> str:
        """The card's word, or ``trump`` with the colour."""
        return f"{_TRUMP} {COLOURS[move - DECLARE]}" if move >= DECLARE else self.deck.words[move]

    def view(self, state: TrumpState, seat: Seat | None) -> View:
        """Everything but the other hands and the cards set aside."""
        tricks = self._hands[state.trump].view(state.tricks, seat)
        trump = colour_names(state.trump)[0] if state.trump else None
        return {**tricks, "declarer": state.declarer, "trump": trump}

    def determinize(self, view: View, rng: Random) -> TrumpState:
        """Hands in which every card played so far was a legal one, all such hands equally likely.

        A declaration is a choice: it tells nothing of the hand.
        """
        trump = 1 << COLOURS.index(view["trump"]) if view["trump"] else 0
        return TrumpState(view["declarer"], self._hands[trump].determinize(view, rng), trump)

    def draw(self, view: View) -> str:
        """The trump and who declares it, then as in game 6."""
        trump = f"trump: {view['trump'] or '-'}, declared by seat {view['declarer']}"
        return drawing([self.heading(view), trump, *self._hands[0].position_lines(view)])


GAME: Final = IchBestimmDieFarbePlus()
