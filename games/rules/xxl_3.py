"""XXL game 3, "Verweigern gestattet" (docs/rules/xxl.md, "Game 3").

Terms. To *lead* is to play the first card of a trick and to name the *trick colour*, one of the card's
two. To *follow* is to play a card with a half in the trick colour; to *pass* is to play none in a trick.
Between the two *phases* of tricks each seat that won cards *puts aside* one of them, and the *second deal*
fills the hands again.

A move is a small int: a card of the deck on its own (played to a trick that somebody else led), that card
plus ``LOW_LEAD`` or ``HIGH_LEAD`` (led, the colour of its low or high half named), plus ``ASIDE`` (put
aside), or ``PASS``. Cards and colours are sets and indices as in ``games.rules.xxl_deck``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from random import Random
from typing import Any, Final, NamedTuple, TypedDict

from games.core import (
    NOBODY,
    Move,
    Outcome,
    Seat,
    Turn,
    UnreadableMove,
    competition_places,
    counted,
    one_seat,
    shuffled,
)
from games.rules.unseen import spreads
from games.rules.xxl_deck import DECK, NO_CARD, Deck, as_set, bit, cards_in, clockwise, colour_names, deal_hands
from games.rules.xxl_game import XxlGame, drawing

HAND_SIZE: Final = 8
LOW_LEAD: Final = 55
HIGH_LEAD: Final = 110
ASIDE: Final = 165
PASS: Final = 220

FIRST, PUTTING_ASIDE, SECOND_DEAL, SECOND, OVER, EARLY_END = range(6)
PHASES: Final = ("first", "putting_aside", "second_deal", "second", "over", "early_end")
"""The parts of a game as views name them, in the order of the numbers above."""

_TRIES_FOR_BEGINNER = 1000


class Trick(NamedTuple):
    """A trick: its colour and its turns, the lead first."""

    colour: int
    turns: tuple[Turn, ...]


@dataclass(slots=True)
class RefusalState:
    """A position. ``hands`` has one set of cards a seat; what is in no hand and was not played is set aside.

    ``turn`` is the seat to move, ``NOBODY`` when there is not just one. ``won`` has one set of cards a seat:
    what it has won in this phase; ``put_aside`` one card a seat, ``NO_CARD`` for none (so far). ``cards``, ``colour``
    (0 before the lead), ``strongest`` (the strength of the card that takes it so far) and ``winner`` (whose
    that is) are of the trick under way. ``players`` and ``moves`` are all turns taken in tricks, of which
    ``first_turns`` make up the first phase, once it is over.
    """

    dealer: Seat
    hands: list[int]
    leader: Seat
    turn: Seat
    won: list[int]
    put_aside: list[int]
    phase: int = FIRST
    cards: int = 0
    colour: int = 0
    strongest: int = 0
    winner: Seat = NOBODY
    players: bytearray = field(default_factory=bytearray)
    moves: bytearray = field(default_factory=bytearray)
    first_turns: int = 0

    def clone(self) -> RefusalState:
        """An equal state that shares nothing changeable with this one."""
        return RefusalState(
            self.dealer,
            self.hands.copy(),
            self.leader,
            self.turn,
            self.won.copy(),
            self.put_aside.copy(),
            self.phase,
            self.cards,
            self.colour,
            self.strongest,
            self.winner,
            self.players.copy(),
            self.moves.copy(),
            self.first_turns,
        )


class PlayView(TypedDict):
    """One turn in a trick; ``move`` is its word, the lead's with the colour."""

    seat: int
    move: str


class TableView(TypedDict):
    """The trick under way; ``colour`` is ``None`` before the lead."""

    leader: int
    colour: str | None
    plays: list[PlayView]


class TrickView(TypedDict):
    """A finished trick, which everybody has seen."""

    leader: int
    colour: str
    plays: list[PlayView]
    winner: int


class View(TypedDict):
    """What a seat may know; ``hand`` is ``None`` for a spectator, ``set_aside`` a number of cards.

    ``points`` are those of the cards won in this phase. ``put_aside`` is the watcher's own card, ``None``
    where there is none (so far).
    """

    game: str
    seats: int
    seat: int | None
    dealer: int
    phase: str
    to_move: list[int]
    hand: list[str] | None
    put_aside: str | None
    hand_sizes: list[int]
    set_aside: int
    points: list[int]
    trick: TableView
    first_tricks: list[TrickView]
    second_tricks: list[TrickView]


def ending(seats: int) -> int:
    """So many seats without a trick end the game early, so many without cards end the second phase."""
    return 1 if seats <= 3 else 2


class VerweigernGestattet(XxlGame[RefusalState, View]):
    """Game 3 for 2 to 6 seats; the highest total of cards won in the second phase wins."""

    key = "xxl-3"
    version = 1
    high_wins = True
    rules = """\
Two phases of tricks. First phase: 8 cards each, the rest is set aside; whoever has the most hand points
leads (equal: the first clockwise from the dealer's left). The leader names one of the led card's two
colours. Whoever has a card with a half in it must play one; others play any card. The highest number in
the colour takes the trick and leads; equal numbers: the higher total.
Then each player who won cards puts one of them aside, all at the same time and face down.
Early end: if a player (4 to 6 players: two or more) took no trick, nothing is put aside (ruling), and the
cards won in the first phase are the score.
Second phase: all cards but those put aside are shuffled and dealt. Each player gets as many cards as that
player won in the first phase, the card put aside among them. Whoever has the most cards leads (equal: the
most hand points, then the first clockwise from the dealer's left). Same rules, but whoever, when about to
play, holds fewer cards than another player may pass, even with a card that would follow.
Rulings: the leader may not pass; a pass is for that trick only; if all others pass, the leader wins the
lone card; if the winner has no cards left, the next player clockwise with cards leads; players without
cards are left out.
End: a player (4 to 6 players: two, counting one who took no trick in the first phase) has no cards left;
ruling: the trick under way is finished first.
The highest total value of the cards won in the second phase wins.
A move is a lead, like red2/green1 as red, a card, like green1/red2, pass, or aside green1/red2."""

    def __init__(self, deck: Deck = DECK) -> None:
        """The game with this deck; one of fewer cards serves for looking closely at small positions."""
        super().__init__(deck)
        self._words = dict(enumerate(deck.words)) | {PASS: "pass"}
        self._named: dict[Move, int] = {}
        for card, word in enumerate(deck.words):
            high = deck.high_colour[card]
            for lead, colour in ((card + LOW_LEAD, deck.colours_of[card] ^ high), (card + HIGH_LEAD, high)):
                self._words[lead] = f"{word} as {colour_names(colour)[0]}"
                self._named[lead] = colour
            self._words[card + ASIDE] = f"aside {word}"
        self._leads = tuple((card + LOW_LEAD, card + HIGH_LEAD) for card in range(len(deck.cards)))

    def start(self, seats: int, options: Mapping[str, Any], rng: Random) -> RefusalState:
        """Deal; the seat with the most hand points leads."""
        dealer: Seat = options["dealer"]
        hands = deal_hands(shuffled(range(len(self.deck.cards)), rng), seats, HAND_SIZE, dealer)
        return self.position(hands, dealer, self.beginner(hands, dealer))

    def position(self, hands: Sequence[int], dealer: Seat, leader: Seat) -> RefusalState:
        """The state with these full hands before the first lead of the first phase."""
        return RefusalState(dealer, list(hands), leader, leader, [0] * len(hands), [NO_CARD] * len(hands))

    # Whose turn it is, and what may be done.

    def to_move(self, state: RefusalState) -> tuple[Seat, ...]:
        """The one seat whose turn it is, or all that have still to put a card aside."""
        if state.turn != NOBODY:
            return one_seat[state.turn]
        if state.phase != PUTTING_ASIDE:
            return ()
        return tuple(seat for seat, card in enumerate(state.put_aside) if card == NO_CARD and state.won[seat])

    def legal(self, state: RefusalState, seat: Seat) -> tuple[Move, ...]:
        """In the order of the deck: cards with each colour to lead, cards to play (then a pass), cards to put aside."""
        if seat != state.turn:
            choosing = seat in self.to_move(state)
            return tuple(card + ASIDE for card in cards_in(state.won[seat])) if choosing else ()
        hand = state.hands[seat]
        if not state.colour:
            return tuple(chain.from_iterable(map(self._leads.__getitem__, cards_in(hand))))
        cards = cards_in(hand & self.deck.showing[state.colour] or hand)
        return (*cards, PASS) if self._may_pass(state, seat) else cards

    def _may_pass(self, state: RefusalState, seat: Seat) -> bool:
        if state.phase != SECOND or not state.colour:
            return False
        return state.hands[seat].bit_count() < max(map(int.bit_count, state.hands))

    # Tricks.

    def advance(self, state: RefusalState, seat: Seat, move: Move) -> None:
        """Play a card or pass, the last of a trick settles it; or put a card aside, the last of all ends that."""
        hands = state.hands
        if move < LOW_LEAD:
            hands[seat] ^= bit[move]
            state.cards |= bit[move]
            strength = self.deck.strength[state.colour][move]
            if strength > state.strongest:
                state.strongest, state.winner = strength, seat
        elif move < ASIDE:
            card = move % LOW_LEAD
            hands[seat] ^= bit[card]
            state.cards = bit[card]
            state.colour = self._named[move]
            state.strongest, state.winner = self.deck.strength[state.colour][card], seat
        elif move < PASS:
            self._put_aside(state, seat, move - ASIDE)
            return
        state.players.append(seat)
        state.moves.append(move)
        # Players without cards are left out; the leader may have led the last one.
        following = (seat + 1) % len(hands)
        while not hands[following] and following != state.leader:
            following = (following + 1) % len(hands)
        if following == state.leader:
            self._take_trick(state, hands)
        else:
            state.turn = following

    def _take_trick(self, state: RefusalState, hands: Sequence[object]) -> None:
        """Settle a complete trick; ``hands`` in any form that is false without cards."""
        seat = state.winner
        state.won[seat] |= state.cards
        state.cards = state.colour = 0
        if state.phase == FIRST:
            if not hands[seat]:
                self._end_first_phase(state)
                return
        elif len(hands) - sum(map(bool, hands)) >= ending(len(hands)):
            state.phase, state.turn = OVER, NOBODY
            return
        while not hands[seat]:
            seat = (seat + 1) % len(hands)
        state.leader = state.turn = seat

    def _end_first_phase(self, state: RefusalState) -> None:
        early = state.won.count(0) >= ending(len(state.won))
        state.phase = EARLY_END if early else PUTTING_ASIDE
        state.turn = NOBODY
        state.first_turns = len(state.moves)

    # Between the phases.

    def _put_aside(self, state: RefusalState, seat: Seat, card: int) -> None:
        state.put_aside[seat] = card
        if not self.to_move(state):
            state.phase = SECOND_DEAL

    def chance_due(self, state: RefusalState) -> bool:
        """The second deal, when the last card has been put aside."""
        return state.phase == SECOND_DEAL

    def settle(self, state: RefusalState, rng: Random) -> None:
        """Deal again: all cards but those put aside, which count as the first ones dealt to their players."""
        if state.phase != SECOND_DEAL:
            super().settle(state, rng)
        hands = [0 if card == NO_CARD else bit[card] for card in state.put_aside]
        sizes = [won.bit_count() for won in state.won]
        pile = shuffled(cards_in(self.deck.all_cards & ~sum(hands)), rng)
        order = clockwise(len(hands), state.dealer)
        to_deal = [seat for dealt in range(1, max(sizes)) for seat in order if sizes[seat] > dealt]
        for seat, card in zip(to_deal, pile, strict=False):
            hands[seat] |= bit[card]
        self._begin_second_phase(state, hands, self._second_beginner(hands, state.dealer))

    def _second_beginner(self, hands: Sequence[int], dealer: Seat) -> Seat:
        """The seat with the most cards; equal: the most hand points, then the first from the dealer's left."""
        most = max(map(int.bit_count, hands))
        return self.beginner([hand if hand.bit_count() == most else 0 for hand in hands], dealer)

    def _begin_second_phase(self, state: RefusalState, hands: list[int], leader: Seat) -> None:
        state.phase = SECOND
        state.hands = hands
        state.won = [0] * len(hands)
        state.leader = state.turn = leader

    # The end.

    def outcome(self, state: RefusalState) -> Outcome | None:
        """The totals of the cards won in the last phase that was played."""
        if state.phase < OVER:
            return None
        scores = tuple(map(self.deck.hand_points, state.won))
        reason = "early_end" if state.phase == EARLY_END else "out_of_cards"
        return Outcome(scores, competition_places(scores, high_wins=self.high_wins), reason)

    def turn_limit(self, seats: int, options: Mapping[str, Any]) -> int:
        """The cards of all hands are played in the first phase, and at most one a seat is put aside.

        In the second phase there are as many cards to play again. Each trick takes one at least (the leader
        may not pass) and one turn of each seat at most.
        """
        cards = seats * HAND_SIZE
        return cards + seats + cards * seats

    def rollout(self, state: RefusalState, rng: Random) -> None:
        """As for every game; searching bots spend most of their time here."""
        random = rng.random
        while state.phase < OVER:
            if state.colour:
                seat = state.turn
                legal = self.legal(state, seat)
                self.advance(state, seat, legal[int(random() * len(legal))])
            elif state.turn != NOBODY:
                self._play_tricks_at_random(state, random)
            elif state.phase == SECOND_DEAL:
                self.settle(state, rng)
            else:
                for seat in self.to_move(state):
                    cards = cards_in(state.won[seat])
                    state.put_aside[seat] = cards[int(random() * len(cards))]
                state.phase = SECOND_DEAL

    def _play_tricks_at_random(self, state: RefusalState, random: Callable[[], float]) -> None:
        """From a lead to the end of the phase, with the hands as lists."""
        phase, players, moves = state.phase, state.players, state.moves
        hands = [list(cards_in(hand)) for hand in state.hands]
        while state.phase == phase:
            leader = state.leader
            hand = hands[leader]
            choice = int(random() * 2 * len(hand))
            card = hand.pop(choice >> 1)
            lead = self._leads[card][choice & 1]
            strength = self.deck.strength[self._named[lead]]
            strongest, winner, cards = strength[card], leader, bit[card]
            players.append(leader)
            moves.append(lead)
            # In the first phase nobody passes.
            longest = max(map(len, hands)) if phase == SECOND else 0
            for seat in clockwise(len(hands), leader)[:-1]:
                hand = hands[seat]
                if not hand:
                    continue
                players.append(seat)
                size = len(hand)
                passing = size < longest and size < max(map(len, hands))
                # What is drawn from the hand and a pass is mostly allowed, and no list of the legal moves is needed.
                choice = int(random() * (size + passing))
                if choice == size:
                    moves.append(PASS)
                    continue
                card = hand[choice]
                if strength[card] < 0:
                    may = [other for other in hand if strength[other] >= 0]
                    if may:
                        choice = int(random() * (len(may) + passing))
                        if choice == len(may):
                            moves.append(PASS)
                            continue
                        card = may[choice]
                hand.remove(card)
                moves.append(card)
                cards |= bit[card]
                if strength[card] > strongest:
                    strongest, winner = strength[card], seat
            state.cards, state.winner = cards, winner
            self._take_trick(state, hands)
        state.hands = list(map(as_set, hands))

    # Words.

    def parse(self, word: str) -> Move:
        """``red2/green1 as red``, ``red2/green1``, ``pass`` or ``aside red2/green1``; halves in either order."""
        spelling = "".join(word.split()).lower()
        if spelling == "pass":
            return PASS
        if spelling.startswith("aside"):
            return self._read_card(spelling.removeprefix("aside"), word) + ASIDE
        card_spelling, named, colour = spelling.partition("as")
        card = self._read_card(card_spelling, word)
        if not named:
            return card
        for lead in self._leads[card]:
            if colour_names(self._named[lead]) == [colour]:
                return lead
        colours = " or ".join(colour_names(self.deck.colours_of[card]))
        raise UnreadableMove(f"{self.deck.words[card]} is led as {colours}, not as {colour[:40]!r}.")

    def _read_card(self, spelling: str, word: str) -> int:
        try:
            return self.deck.read_word(spelling)
        except UnreadableMove:
            card = self.deck.words[-1]
            colour = colour_names(self.deck.high_colour[-1])[0]
            raise UnreadableMove(
                f"{word[:40]!r} is no move of this game. "
                f"A move is a lead, as in {card} as {colour}, a card, as in {card}, pass, or aside {card}."
            ) from None

    def describe(self, move: Move) -> str:
        """The card with what is done with it, or ``pass``."""
        return self._words[move]

    def objection(self, state: RefusalState, seat: Seat, move: Move) -> str:
        """What the rules have against it, by where the game stands."""
        if move not in self._words:
            return f"{move} is no move of this game."
        if state.phase == PUTTING_ASIDE:
            if not ASIDE <= move < PASS:
                return f"{self.describe(move)} is no choice now: put one of the cards you have won aside."
            return f"{self.deck.words[move - ASIDE]} is not among the cards you have won."
        if ASIDE <= move < PASS:
            return "Cards are put aside between the two phases only."
        if move == PASS:
            return self._objection_to_passing(state)
        return self._objection_to_card(state, seat, move)

    def _objection_to_passing(self, state: RefusalState) -> str:
        if not state.colour:
            return "You lead and may not pass."
        if state.phase == FIRST:
            return "Passing is allowed in the second phase only."
        return "You may pass only while you hold fewer cards than another player."

    def _objection_to_card(self, state: RefusalState, seat: Seat, move: Move) -> str:
        card = move % LOW_LEAD
        word = self.deck.words[card]
        if not state.hands[seat] >> card & 1:
            return f"{word} is not in your hand."
        if not state.colour:
            low, high = map(self.describe, self._leads[card])
            return f"You lead and must name the colour that counts: {low}, or {high}."
        if move >= LOW_LEAD:
            return f"Only the leader names a colour: play {word} alone, if it follows."
        (colour,) = colour_names(state.colour)
        way_out = ", or pass" if self._may_pass(state, seat) else ""
        return f"{word} does not follow: you hold a card with {colour} and must play such a one{way_out}."

    # What a seat may know.

    def _tricks(self, turns: Sequence[Turn]) -> list[Trick]:
        starts = [i for i, turn in enumerate(turns) if LOW_LEAD <= turn.move < ASIDE]
        return [
            Trick(self._named[turns[start].move], tuple(turns[start:end]))
            for start, end in pairwise((*starts, len(turns)))
        ]

    def tricks(self, state: RefusalState) -> tuple[list[Trick], list[Trick]]:
        """Those of the first phase and those of the second; the last may be under way."""
        turns = list(map(Turn, state.players, state.moves))
        first_turns = len(turns) if state.phase == FIRST else state.first_turns
        return self._tricks(turns[:first_turns]), self._tricks(turns[first_turns:])

    def view(self, state: RefusalState, seat: Seat | None) -> View:
        """Everything but the other hands, the cards set aside and what others put aside."""
        first, second = self.tricks(state)
        own_aside = NO_CARD if seat is None else state.put_aside[seat]
        tricks = second if state.phase in (SECOND, OVER) else first
        played = sum(turn.move != PASS for trick in tricks for turn in trick.turns)
        in_hands = sum(map(int.bit_count, state.hands))
        under_way = tricks.pop() if state.colour else None
        return {
            "game": self.key,
            "seats": len(state.hands),
            "seat": seat,
            "dealer": state.dealer,
            "phase": PHASES[state.phase],
            "to_move": list(self.to_move(state)),
            "hand": None if seat is None else self.deck.words_of(state.hands[seat]),
            "put_aside": None if own_aside == NO_CARD else self.deck.words[own_aside],
            "hand_sizes": [hand.bit_count() for hand in state.hands],
            "set_aside": len(self.deck.cards) - played - in_hands,
            "points": list(map(self.deck.hand_points, state.won)),
            "trick": {
                "leader": state.leader,
                "colour": colour_names(under_way.colour)[0] if under_way else None,
                "plays": self._plays_view(under_way.turns if under_way else ()),
            },
            "first_tricks": list(map(self._trick_view, first)),
            "second_tricks": list(map(self._trick_view, second)),
        }

    def _plays_view(self, turns: Iterable[Turn]) -> list[PlayView]:
        return [{"seat": seat, "move": self.describe(move)} for seat, move in turns]

    def _trick_view(self, trick: Trick) -> TrickView:
        strength = self.deck.strength[trick.colour]
        cards = [turn for turn in trick.turns if turn.move != PASS]
        return {
            "leader": trick.turns[0].seat,
            "colour": colour_names(trick.colour)[0],
            "plays": self._plays_view(trick.turns),
            "winner": max(cards, key=lambda turn: strength[turn.move % LOW_LEAD]).seat,
        }

    def draw(self, view: View) -> str:
        """The tricks, the table, seats with cards and points, the own cards."""
        lines = [f"{self.heading(view)}: {view['phase'].replace('_', ' ')}"]
        for phase_number, tricks in enumerate((view["first_tricks"], view["second_tricks"]), start=1):
            for number, trick in enumerate(tricks, start=1):
                lines.append(f"{phase_number}.{number}: {_lay_out(trick['plays'])} -> {trick['winner']}")
        if view["trick"]["plays"]:
            lines.append(f"table: {_lay_out(view['trick']['plays'])}")
        for seat, (cards_left, points) in enumerate(zip(view["hand_sizes"], view["points"], strict=True)):
            mark = " *" if seat in view["to_move"] else ""
            lines.append(f"seat {seat}: {counted(cards_left, 'card')}, {counted(points, 'point')}{mark}")
        lines.append(f"set aside: {counted(view['set_aside'], 'card')}")
        if view["phase"] == "putting_aside" and view["seat"] is not None:
            plays = [
                play for trick in view["first_tricks"] if trick["winner"] == view["seat"] for play in trick["plays"]
            ]
            won = self.deck.words_of(as_set(self.parse(play["move"]) % LOW_LEAD for play in plays))
            lines.append(f"won: {' '.join(won) or '-'}")
        if view["put_aside"]:
            lines.append(f"put aside: {view['put_aside']}")
        if view["hand"] is not None:
            lines.append(f"hand: {' '.join(view['hand']) or '-'}")
        return drawing(lines)

    # What a seat must think possible.

    def determinize(self, view: View, rng: Random) -> RefusalState:
        """Hands and cards put aside by which every turn so far was a legal one, all of them equally likely.

        Whoever led a phase first tells a little about the hands: they are drawn until that fits too, or given
        up after many tries (docs/rules/determinization.md).
        """
        first, second = self._turns(view, "first"), self._turns(view, "second")
        leader = first[0].seat if first else view["trick"]["leader"]
        state = self.position(self._first_hands(view, first, leader, rng), view["dealer"], leader)
        for turn in first:
            self.advance(state, *turn)
        if view["phase"] in ("putting_aside", "second_deal"):
            for seat, won in enumerate(state.won):
                if won and seat not in view["to_move"]:
                    cards = cards_in(self._own_aside(view) if seat == view["seat"] else won)
                    self._put_aside(state, seat, cards[int(rng.random() * len(cards))])
        elif view["phase"] in ("second", "over"):
            leader = second[0].seat if second else view["trick"]["leader"]
            state.put_aside, hands = self._second_hands(view, state.won, second, leader, rng)
            self._begin_second_phase(state, hands, leader)
            for turn in second:
                self.advance(state, *turn)
        return state

    def _turns(self, view: View, phase: str) -> list[Turn]:
        """The turns of a phase's tricks, the one under way included."""
        tricks = view["first_tricks"] if phase == "first" else view["second_tricks"]
        plays = [play for trick in tricks for play in trick["plays"]]
        if view["phase"] == phase:
            plays += view["trick"]["plays"]
        return [Turn(play["seat"], self.parse(play["move"])) for play in plays]

    def _own_aside(self, view: View) -> int:
        """The set of the card that the watcher has put aside, if any."""
        return 0 if view["put_aside"] is None else bit[self.deck.read_word(view["put_aside"])]

    def _played(self, turns: Iterable[Turn], seats: int) -> list[int]:
        """By seat, the set of cards it has played in these turns."""
        played = [0] * seats
        for seat, move in turns:
            if move != PASS:
                played[seat] |= bit[move % LOW_LEAD]
        return played

    def _missing(self, turns: Iterable[Turn], seats: int) -> list[int]:
        """By seat, the cards it can't hold any more: whoever did not follow had none of that colour left.

        A pass tells nothing of the hand. Cards of the colour that the seat played before are among them.
        """
        missing = [0] * seats
        shows = 0
        for seat, move in turns:
            if LOW_LEAD <= move < ASIDE:
                shows = self.deck.showing[self._named[move]]
            elif move != PASS and not shows >> move & 1:
                missing[seat] |= shows
        return missing

    def _first_hands(self, view: View, turns: Sequence[Turn], leader: Seat, rng: Random) -> list[int]:
        """Hands as dealt for the first phase."""
        seats, me = view["seats"], view["seat"]
        played = self._played(turns, seats)
        if view["phase"] != "first":
            return played
        own = self.deck.read_words(view["hand"] or ())
        unseen = self.deck.all_cards & ~own & ~sum(played)
        sizes = [*view["hand_sizes"], view["set_aside"]]
        if me is not None:
            sizes[me] = 0
        for hidden in islice(spreads(unseen, sizes, [*self._missing(turns, seats), 0], rng), _TRIES_FOR_BEGINNER):
            if me is not None:
                hidden[me] = own
            hands = [hidden[seat] | played[seat] for seat in range(seats)]
            if self.beginner(hands, view["dealer"]) == leader:
                break
        return hands

    def _second_hands(
        self, view: View, won: Sequence[int], turns: Sequence[Turn], leader: Seat, rng: Random
    ) -> tuple[list[int], list[int]]:
        """The card each seat put aside, and hands as dealt for the second phase, those cards among them.

        Each seat has one place for the card put aside, which it has won, and a place for every other card.
        """
        seats, me = view["seats"], view["seat"]
        played = self._played(turns, seats)
        others = [seat for seat in range(seats) if won[seat] and seat != me]
        # What a seat has played and had not won before was dealt to it; the rest may be the card put aside.
        dealt = [played[seat] & ~won[seat] for seat in range(seats)]
        either = sum(played[seat] & won[seat] for seat in others)
        own = self.deck.read_words(view["hand"] or ()) | (0 if me is None else played[me])
        unseen = self.deck.all_cards & ~own & ~sum(dealt[seat] for seat in others)
        missing = self._missing(turns, seats)
        sizes, barred = [view["set_aside"]], [either]
        for seat in others:
            not_held = missing[seat] & ~played[seat]
            sizes += [1, won[seat].bit_count() - 1 - dealt[seat].bit_count()]
            barred += [~won[seat] | not_held, not_held | either & ~played[seat]]
        for _, *places in islice(spreads(unseen, sizes, barred, rng), _TRIES_FOR_BEGINNER):
            hands, put_aside = [0] * seats, [NO_CARD] * seats
            for seat, aside, rest in zip(others, places[::2], places[1::2], strict=True):
                hands[seat] = aside | rest | dealt[seat]
                put_aside[seat] = aside.bit_length() - 1
            if me is not None and won[me]:
                hands[me] = own
                put_aside[me] = self._own_aside(view).bit_length() - 1
            if self._second_beginner(hands, view["dealer"]) == leader:
                break
        return put_aside, hands


def _lay_out(plays: Sequence[PlayView]) -> str:
    return " ".join(f"{play['seat']}:{play['move']}" for play in plays)


GAME: Final = VerweigernGestattet()
