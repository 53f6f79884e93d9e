"""XXL game 6, "Ich bestimm die Farbe!" (docs/rules/xxl.md, "Game 6").

Terms. To *lead* is to play the first card of a trick. The *open colours* are those that may still
become the *trick colour*: the two of the led card, later the one that somebody's card has fixed. To
*follow* is to play a card that shows an open colour. A move is a card.

Cards and colours are sets and indices as in ``games.rules.xxl_deck``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypedDict

from games.core import Game, Move, Option, Outcome, Seat, competition_places, shuffled
from games.rules.xxl_deck import (
    ALL_COLOURS,
    COLOURS_OF,
    DECK,
    HIGH_COLOUR,
    SHOWING,
    STRENGTH,
    TOTALS,
    WORDS,
    as_set,
    cards_in,
    clockwise,
    colour_names,
    deal_hands,
    deal_unseen,
    hand_points,
    most_points,
    read_word,
    words_of,
)

_TRIES_FOR_FIRST_LEADER = 30


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick: ``cards`` clockwise from the leader's, the trick colour, who took it."""

    leader: Seat
    cards: tuple[int, ...]
    colour: int
    winner: Seat


@dataclass(slots=True)
class TrickState:
    """A position. ``hands`` has one set of cards a seat; whatever is in no hand, on no trick is set aside.

    ``cards`` lie on the table, clockwise from the leader's; ``open_colours`` is ``ALL_COLOURS`` while
    there are none.
    """

    dealer: Seat
    hands: list[int]
    leader: Seat
    cards: list[int]
    open_colours: int
    tricks: list[Trick]
    points: list[int]

    def clone(self) -> TrickState:
        """An equal state that shares nothing changeable with this one."""
        return TrickState(
            self.dealer,
            self.hands.copy(),
            self.leader,
            self.cards.copy(),
            self.open_colours,
            self.tricks.copy(),
            self.points.copy(),
        )


class TableView(TypedDict):
    """The trick under way: cards clockwise from the leader's, the open colours (none before the lead)."""

    leader: int
    cards: list[str]
    open_colours: list[str]


class TrickView(TypedDict):
    """A finished trick, which everybody has seen."""

    leader: int
    cards: list[str]
    colour: str
    winner: int


class View(TypedDict):
    """What a seat may know; ``hand`` is ``None`` for a spectator, ``set_aside`` a number of cards."""

    game: str
    seats: int
    seat: int | None
    dealer: int
    to_move: list[int]
    hand: list[str] | None
    hand_sizes: list[int]
    set_aside: int
    points: list[int]
    trick: TableView
    tricks: list[TrickView]


def hand_size(seats: int) -> int:
    """How many cards each seat is dealt."""
    return 12 if seats <= 4 else 9


def trick_colour(cards: Sequence[int], open_colours: int) -> int:
    """The colour that decides a complete trick: the fixed one, or, still open, by the last card.

    Still open, it is the colour of the higher number on the last card that bears both colours; the led
    card does, so there is one.
    """
    still_open = open_colours & (open_colours - 1)
    if not still_open:
        return open_colours
    return next(HIGH_COLOUR[card] for card in reversed(cards) if COLOURS_OF[card] == open_colours)


class IchBestimmDieFarbe(Game[TrickState, View]):
    """Game 6 for 2 to 6 seats; the highest total of won cards wins."""

    key = "xxl-6"
    version = 1
    seats = range(2, 7)
    options = (Option("dealer", default=lambda seats: seats - 1, allowed=range),)
    high_wins = True
    cooperative = False

    def start(self, seats: int, options: Mapping[str, Any], rng: Random) -> TrickState:
        """Deal; the seat with the most hand points leads."""
        dealer: Seat = options["dealer"]
        hands = deal_hands(shuffled(range(len(DECK)), rng), seats, hand_size(seats), dealer)
        return self.position(hands, dealer, most_points([hand_points(hand) for hand in hands], dealer))

    def position(self, hands: Sequence[int], dealer: Seat, leader: Seat) -> TrickState:
        """The state with these full hands before the first lead."""
        return TrickState(dealer, list(hands), leader, [], ALL_COLOURS, [], [0] * len(hands))

    def to_move(self, state: TrickState) -> tuple[Seat, ...]:
        """The one seat whose turn it is; none when all hands are played."""
        seat = (state.leader + len(state.cards)) % len(state.hands)
        return (seat,) if state.hands[seat] else ()

    def legal(self, state: TrickState, seat: Seat) -> tuple[Move, ...]:
        """The cards that follow, or, when there are none, the whole hand; in the order of the deck."""
        if seat not in self.to_move(state):
            return ()
        hand = state.hands[seat]
        return cards_in(hand & SHOWING[state.open_colours] or hand)

    def advance(self, state: TrickState, seat: Seat, move: Move) -> None:
        """Play a card; the last of a trick settles it."""
        state.hands[seat] ^= 1 << move
        state.cards.append(move)
        # A card with one open colour fixes it, one with both leaves them open, one with none changes
        # nothing. Before the lead all are open, so the led card opens its two.
        state.open_colours = COLOURS_OF[move] & state.open_colours or state.open_colours
        if len(state.cards) == len(state.hands):
            self._take_trick(state)

    def _take_trick(self, state: TrickState) -> None:
        cards = tuple(state.cards)
        colour = trick_colour(cards, state.open_colours)
        strongest = max(cards, key=STRENGTH[colour].__getitem__)
        winner = (state.leader + cards.index(strongest)) % len(cards)
        state.tricks.append(Trick(state.leader, cards, colour, winner))
        state.points[winner] += sum(TOTALS[card] for card in cards)
        state.leader = winner
        state.cards = []
        state.open_colours = ALL_COLOURS

    def outcome(self, state: TrickState) -> Outcome | None:
        """The totals of the cards won, once all hands are played."""
        if self.to_move(state):
            return None
        scores = tuple(state.points)
        return Outcome(scores, competition_places(scores, high_wins=self.high_wins), "hands_played")

    def objection(self, state: TrickState, seat: Seat, move: Move) -> str:
        """Either the card is not in the hand, or it does not follow."""
        if not 0 <= move < len(DECK):
            return f"{move} is no card of the deck."
        if not state.hands[seat] >> move & 1:
            return f"{WORDS[move]} is not in your hand."
        colours = " or ".join(colour_names(state.open_colours))
        return f"{WORDS[move]} does not follow: you hold a card with {colours} and must play such a one."

    def parse(self, word: str) -> Move:
        """A card such as ``green1/red2``, its halves in either order."""
        return read_word(word)

    def describe(self, move: Move) -> str:
        """The card's word, the half with the lower number first."""
        return WORDS[move]

    def view(self, state: TrickState, seat: Seat | None) -> View:
        """Everything but the other hands and the cards set aside."""
        seats = len(state.hands)
        return {
            "game": self.key,
            "seats": seats,
            "seat": seat,
            "dealer": state.dealer,
            "to_move": list(self.to_move(state)),
            "hand": None if seat is None else words_of(state.hands[seat]),
            "hand_sizes": [hand.bit_count() for hand in state.hands],
            "set_aside": len(DECK) - seats * hand_size(seats),
            "points": list(state.points),
            "trick": {
                "leader": state.leader,
                "cards": [WORDS[card] for card in state.cards],
                "open_colours": colour_names(state.open_colours) if state.cards else [],
            },
            "tricks": [
                {
                    "leader": trick.leader,
                    "cards": [WORDS[card] for card in trick.cards],
                    "colour": colour_names(trick.colour)[0],
                    "winner": trick.winner,
                }
                for trick in state.tricks
            ],
        }

    def determinize(self, view: View, rng: Random) -> TrickState:
        """Hands in which every card played so far was a legal one.

        The seat that led first had the most hand points, which says a little about its hand; that is
        kept too when one of a few tries happens to fit, and let go otherwise.
        """
        seats = view["seats"]
        plays = _plays(view)
        first = plays[0][0] if plays else view["trick"]["leader"]
        played = [as_set(card for player, card in plays if player == seat) for seat in range(seats)]
        own = as_set(map(read_word, view["hand"] or ()))
        unseen = as_set(range(len(DECK))) & ~own & ~as_set(card for _, card in plays)
        barred = _barred(plays, seats)
        sizes = [*view["hand_sizes"], view["set_aside"]]
        if view["seat"] is not None:
            sizes[view["seat"]] = 0
        for _ in range(_TRIES_FOR_FIRST_LEADER):
            hidden = deal_unseen(unseen, sizes, [*barred, 0], rng)
            if view["seat"] is not None:
                hidden[view["seat"]] = own
            dealt = [hidden[seat] | played[seat] for seat in range(seats)]
            if most_points([hand_points(hand) for hand in dealt], view["dealer"]) == first:
                break
        state = self.position(dealt, view["dealer"], first)
        for seat, card in plays:
            self.advance(state, seat, card)
        return state

    def draw(self, view: View) -> str:
        """Seats with cards and points, the finished tricks, the table, the own hand."""
        seats = view["seats"]
        watcher = "a spectator" if view["seat"] is None else f"seat {view['seat']}"
        lines = [f"{self.key}, {seats} seats, dealer {view['dealer']}, seen by {watcher}"]
        for number, trick in enumerate(view["tricks"], start=1):
            cards = _lay_out(trick["leader"], trick["cards"], seats)
            lines.append(f"trick {number}: {cards} -> {trick['colour']}, seat {trick['winner']}")
        if view["trick"]["cards"]:
            cards = _lay_out(view["trick"]["leader"], view["trick"]["cards"], seats)
            lines.append(f"table: {cards} -> open: {', '.join(view['trick']['open_colours'])}")
        for seat in range(seats):
            mark = " *" if seat in view["to_move"] else ""
            cards_left, points = view["hand_sizes"][seat], view["points"][seat]
            lines.append(f"seat {seat}: {cards_left} cards, {points} points{mark}")
        lines.append(f"set aside: {view['set_aside']} cards")
        if view["hand"] is not None:
            lines.append(f"hand: {' '.join(view['hand']) or '-'}")
        return "\n".join(lines)


def _plays(view: View) -> list[tuple[Seat, int]]:
    """All cards played so far in their order, each with its player."""
    tricks = [(trick["leader"], trick["cards"]) for trick in view["tricks"]]
    tricks.append((view["trick"]["leader"], view["trick"]["cards"]))
    return [((leader + i) % view["seats"], read_word(word)) for leader, words in tricks for i, word in enumerate(words)]


def _barred(plays: Sequence[tuple[Seat, int]], seats: int) -> list[int]:
    """By seat, the cards it can't hold: whoever did not follow had no card with an open colour."""
    barred = [0] * seats
    open_colours = ALL_COLOURS
    for i, (seat, card) in enumerate(plays):
        if i % seats == 0:
            open_colours = ALL_COLOURS
        shown = COLOURS_OF[card] & open_colours
        if shown:
            open_colours = shown
        else:
            barred[seat] |= SHOWING[open_colours]
    return barred


def _lay_out(leader: Seat, words: Sequence[str], seats: int) -> str:
    order = clockwise(seats, leader - 1)
    return " ".join(f"{seat}:{word}" for seat, word in zip(order, words, strict=False))


GAME: Final = IchBestimmDieFarbe()
