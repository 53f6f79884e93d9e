"""XXL game 6, "Ich bestimm die Farbe!" (docs/rules/xxl.md, "Game 6").

Terms. To *lead* is to play the first card of a trick. The *open colours* are those that may still
become the *trick colour*: the two of the led card, later the one that somebody's card has fixed. To
*follow* is to play a card that shows an open colour. A move is a card.

Cards and colours are sets and indices as in ``games.rules.xxl_deck``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, NamedTuple, TypedDict

from games.core import NOBODY, Move, Outcome, Seat, competition_places, counted, one_seat, shuffled
from games.rules.unseen import spread
from games.rules.xxl_deck import ALL_COLOURS, as_set, bit, cards_in, clockwise, colour_names, deal_hands
from games.rules.xxl_game import XxlGame, drawing

_TRIES_FOR_BEGINNER = 200


class Trick(NamedTuple):
    """A finished trick: ``cards`` clockwise from the leader's, the trick colour, who took it."""

    leader: Seat
    cards: tuple[int, ...]
    colour: int
    winner: Seat


@dataclass(slots=True)
class TrickState:
    """A position. ``hands`` has one set of cards a seat; whatever is in no hand, on no trick is set aside.

    ``turn`` is the seat to move, ``NOBODY`` at the end. ``cards`` lie on the table, clockwise from the
    leader's; ``open_colours`` is ``ALL_COLOURS`` while there are none. ``played`` has the cards of the
    finished tricks one after another, ``leaders`` who led each trick so far, the one under way included.
    """

    dealer: Seat
    hands: list[int]
    leader: Seat
    turn: Seat
    points: list[int]
    leaders: list[Seat]
    cards: list[int] = field(default_factory=list)
    open_colours: int = ALL_COLOURS
    played: list[int] = field(default_factory=list)

    def clone(self) -> TrickState:
        """An equal state that shares nothing changeable with this one."""
        return TrickState(
            self.dealer,
            self.hands.copy(),
            self.leader,
            self.turn,
            self.points.copy(),
            self.leaders.copy(),
            self.cards.copy(),
            self.open_colours,
            self.played.copy(),
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


class IchBestimmDieFarbe(XxlGame[TrickState, View]):
    """Game 6 for 2 to 6 seats; the highest total of won cards wins."""

    key = "xxl-6"
    version = 1
    high_wins = True
    rules = """\
12 cards each with 2 to 4 players, 9 with 5 or 6; the rest is set aside. Whoever has the most hand points
leads (equal: the first clockwise from the dealer's left).
One of the led card's two colours must be followed. The trick colour is open until someone follows with a
card that shows exactly one of the two: then it is that one, and must be followed from there on. A card
with both colours leaves it open. Whoever can't follow plays any card, which fixes nothing.
Still open at the end of the trick, the colour is that of the higher number on the last card.
Ruling: the last card that bears both colours; cards that did not follow don't count.
The highest number in the trick colour takes the trick and leads; equal numbers: the higher total.
The highest total value of won cards wins. A move is a card, like green1/red2."""

    def start(self, seats: int, options: Mapping[str, Any], rng: Random) -> TrickState:
        """Deal; the seat with the most hand points leads."""
        dealer: Seat = options["dealer"]
        hands = deal_hands(shuffled(range(len(self.deck.cards)), rng), seats, hand_size(seats), dealer)
        return self.position(hands, dealer, self.beginner(hands, dealer))

    def position(self, hands: Sequence[int], dealer: Seat, leader: Seat) -> TrickState:
        """The state with these full hands before the first lead."""
        return TrickState(dealer, list(hands), leader, leader, [0] * len(hands), [leader])

    def to_move(self, state: TrickState) -> tuple[Seat, ...]:
        """The one seat whose turn it is; none when all hands are played."""
        return one_seat[state.turn]

    def legal(self, state: TrickState, seat: Seat) -> tuple[Move, ...]:
        """The cards that follow, or, when there are none, the whole hand; in the order of the deck."""
        if seat != state.turn:
            return ()
        hand = state.hands[seat]
        return cards_in(hand & self.deck.showing[state.open_colours] or hand)

    def advance(self, state: TrickState, seat: Seat, move: Move) -> None:
        """Play a card; the last of a trick settles it."""
        hands, cards = state.hands, state.cards
        hands[seat] ^= bit[move]
        cards.append(move)
        # A card with one open colour fixes it, one with both leaves them open, one with none changes
        # nothing. Before the lead all are open, so the led card opens its two.
        shown = self.deck.colours_of[move] & state.open_colours
        if shown:
            state.open_colours = shown
        if len(cards) == len(hands):
            self._take_trick(state)
        else:
            state.turn = (seat + 1) % len(hands)

    def _take_trick(self, state: TrickState) -> None:
        deck, cards, colour = self.deck, state.cards, state.open_colours
        if colour & (colour - 1):
            colour = self.colour_left_open(cards, colour)
        totals, strength = deck.totals, deck.strength[colour]
        strongest, winner, total = -1, NOBODY, 0
        for seat, card in enumerate(cards, state.leader):
            total += totals[card]
            if strength[card] > strongest:
                strongest, winner = strength[card], seat
        winner %= len(cards)
        state.points[winner] += total
        state.played += cards
        cards.clear()
        state.open_colours = ALL_COLOURS
        if state.hands[winner]:
            state.leader = state.turn = winner
            state.leaders.append(winner)
        else:
            state.turn = NOBODY

    def colour_left_open(self, cards: Sequence[int], open_colours: int) -> int:
        """The colour of a complete trick that nobody's card has fixed.

        It is the colour of the higher number on the last card that bears both colours; the led card does, so
        there is one.
        """
        deck = self.deck
        return next(deck.high_colour[card] for card in reversed(cards) if deck.colours_of[card] == open_colours)

    def rollout(self, state: TrickState, rng: Random) -> None:
        """As for every game; searching bots spend most of their time here.

        With the hands as lists, a card drawn at random mostly follows and no list of the legal ones is needed.
        """
        if state.turn == NOBODY:
            return
        random, colours_of, cards = rng.random, self.deck.colours_of, state.cards
        hands = [list(cards_in(hand)) for hand in state.hands]
        # By the seat to move: the hands from there clockwise.
        orders = [hands[seat:] + hands[:seat] for seat in range(len(hands))]
        waiting = orders[state.turn][: len(hands) - len(cards)]
        open_colours = state.open_colours
        while True:
            for hand in waiting:
                place = int(random() * len(hand))
                shown = colours_of[hand[place]] & open_colours
                if not shown:
                    following = [i for i, card in enumerate(hand) if colours_of[card] & open_colours]
                    if following:
                        place = following[int(random() * len(following))]
                        shown = colours_of[hand[place]] & open_colours
                cards.append(hand.pop(place))
                if shown:
                    open_colours = shown
            if not hands[0]:
                state.hands = [0] * len(hands)
            state.open_colours = open_colours
            self._take_trick(state)
            if state.turn == NOBODY:
                return
            waiting = orders[state.turn]
            open_colours = ALL_COLOURS

    def outcome(self, state: TrickState) -> Outcome | None:
        """The totals of the cards won, once all hands are played."""
        if state.turn != NOBODY:
            return None
        scores = tuple(state.points)
        return Outcome(scores, competition_places(scores, high_wins=self.high_wins), "hands_played")

    def turn_limit(self, seats: int, options: Mapping[str, Any]) -> int:
        """Every card of every hand is played, one a turn."""
        return seats * hand_size(seats)

    def objection(self, state: TrickState, seat: Seat, move: Move) -> str:
        """Either the card is not in the hand, or it does not follow."""
        if not 0 <= move < len(self.deck.cards):
            return f"{move} is no card of the deck."
        word = self.deck.words[move]
        if not state.hands[seat] >> move & 1:
            return f"{word} is not in your hand."
        colours = " or ".join(colour_names(state.open_colours))
        return f"{word} does not follow: you hold a card with {colours} and must play such a one."

    def parse(self, word: str) -> Move:
        """A card such as ``green1/red2``, its halves in either order."""
        return self.deck.read_word(word)

    def describe(self, move: Move) -> str:
        """The card's word, the half with the lower number first."""
        return self.deck.words[move]

    def tricks(self, state: TrickState) -> Iterator[Trick]:
        """The finished tricks."""
        seats = len(state.hands)
        for number in range(len(state.played) // seats):
            cards = tuple(state.played[number * seats : (number + 1) * seats])
            open_colours = ALL_COLOURS
            for card in cards:
                open_colours = self.deck.colours_of[card] & open_colours or open_colours
            still_open = open_colours & (open_colours - 1)
            colour = self.colour_left_open(cards, open_colours) if still_open else open_colours
            leader = state.leaders[number]
            strongest = max(cards, key=self.deck.strength[colour].__getitem__)
            yield Trick(leader, cards, colour, (leader + cards.index(strongest)) % seats)

    def view(self, state: TrickState, seat: Seat | None) -> View:
        """Everything but the other hands and the cards set aside."""
        seats, words = len(state.hands), self.deck.words
        return {
            "game": self.key,
            "seats": seats,
            "seat": seat,
            "dealer": state.dealer,
            "to_move": list(self.to_move(state)),
            "hand": None if seat is None else self.deck.words_of(state.hands[seat]),
            "hand_sizes": [hand.bit_count() for hand in state.hands],
            "set_aside": len(words) - len(state.played) - len(state.cards) - sum(map(int.bit_count, state.hands)),
            "points": list(state.points),
            "trick": {
                "leader": state.leader,
                "cards": [words[card] for card in state.cards],
                "open_colours": colour_names(state.open_colours) if state.cards else [],
            },
            "tricks": [
                {
                    "leader": trick.leader,
                    "cards": [words[card] for card in trick.cards],
                    "colour": colour_names(trick.colour)[0],
                    "winner": trick.winner,
                }
                for trick in self.tricks(state)
            ],
        }

    def determinize(self, view: View, rng: Random) -> TrickState:
        """Hands in which every card played so far was a legal one, all such hands equally likely.

        The seat that led first had the most hand points, which says a little about its hand: hands are
        drawn until that fits too, or given up after many tries (docs/rules/determinization.md).
        """
        seats = view["seats"]
        plays = self._plays(view)
        first = plays[0][0] if plays else view["trick"]["leader"]
        played = [as_set(card for player, card in plays if player == seat) for seat in range(seats)]
        own = self.deck.read_words(view["hand"] or ())
        unseen = self.deck.all_cards & ~own & ~as_set(card for _, card in plays)
        barred = self._barred(plays, seats)
        sizes = [*view["hand_sizes"], view["set_aside"]]
        if view["seat"] is not None:
            sizes[view["seat"]] = 0
        for _ in range(_TRIES_FOR_BEGINNER):
            hidden = spread(unseen, sizes, [*barred, 0], rng)
            if view["seat"] is not None:
                hidden[view["seat"]] = own
            dealt = [hidden[seat] | played[seat] for seat in range(seats)]
            if self._would_lead(first, dealt, view["dealer"]):
                break
        state = self.position(dealt, view["dealer"], first)
        for seat, card in plays:
            self.advance(state, seat, card)
        return state

    def _would_lead(self, seat: Seat, hands: Sequence[int], dealer: Seat) -> bool:
        """Whether this seat leads first with these full hands."""
        return self.beginner(hands, dealer) == seat

    def _plays(self, view: View) -> list[tuple[Seat, int]]:
        """All cards played so far in their order, each with its player."""
        seats, read = view["seats"], self.deck.read_word
        tricks = [(trick["leader"], trick["cards"]) for trick in view["tricks"]]
        tricks.append((view["trick"]["leader"], view["trick"]["cards"]))
        return [((leader + i) % seats, read(word)) for leader, words in tricks for i, word in enumerate(words)]

    def _barred(self, plays: Sequence[tuple[Seat, int]], seats: int) -> list[int]:
        """By seat, the cards it can't hold: whoever did not follow had no card with an open colour."""
        barred = [0] * seats
        open_colours = ALL_COLOURS
        for i, (seat, card) in enumerate(plays):
            if i % seats == 0:
                open_colours = ALL_COLOURS
            shown = self.deck.colours_of[card] & open_colours
            if shown:
                open_colours = shown
            else:
                barred[seat] |= self.deck.showing[open_colours]
        return barred

    def draw(self, view: View) -> str:
        """Seats with cards and points, the finished tricks, the table, the own hand."""
        return drawing([self.heading(view), *self.position_lines(view)])

    def position_lines(self, view: View) -> list[str]:
        """What is drawn below the heading."""
        seats, lines = view["seats"], list[str]()
        for number, trick in enumerate(view["tricks"], start=1):
            cards = _lay_out(trick["leader"], trick["cards"], seats)
            lines.append(f"trick {number}: {cards} -> {trick['colour']}, seat {trick['winner']}")
        if view["trick"]["cards"]:
            cards = _lay_out(view["trick"]["leader"], view["trick"]["cards"], seats)
            lines.append(f"table: {cards} -> open: {', '.join(view['trick']['open_colours'])}")
        for seat in range(seats):
            mark = " *" if seat in view["to_move"] else ""
            cards_left, points = view["hand_sizes"][seat], view["points"][seat]
            lines.append(f"seat {seat}: {counted(cards_left, 'card')}, {counted(points, 'point')}{mark}")
        lines.append(f"set aside: {counted(view['set_aside'], 'card')}")
        if view["hand"] is not None:
            lines.append(f"hand: {' '.join(view['hand']) or '-'}")
        return lines


def _lay_out(leader: Seat, words: Sequence[str], seats: int) -> str:
    order = clockwise(seats, leader - 1)
    return " ".join(f"{seat}:{word}" for seat, word in zip(order, words, strict=False))


GAME: Final = IchBestimmDieFarbe()
