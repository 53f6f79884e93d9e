"""What the shedding games of XXL have in common (docs/rules/xxl.md, "The deck" and Games 1, 2 and 5).

Terms. To *lay* is to put a hand card on the table; a card is *suitable* when it can be laid now. The
*piles* are what lies on the table to lay on: the piles of game 1, the discard pile of game 2, the runs of
game 5. The *draw pile* is face-down. To *keep* is not to lay a card that was just drawn and goes. A
*turn at the table* is all that a seat does before the next one: a lay, a draw with what comes of it, or a
pass.

A turn goes so: whoever has a suitable card lays one; whoever has none draws, and then lays the drawn card
or keeps it if it goes (one that does not go is kept without a move); with an empty draw pile, whoever has
none passes.

Never: knows what fits on what; that is each game's own, in the methods without a body here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any, ClassVar, Final, NamedTuple, TypedDict

from games.core import NOBODY, Move, Outcome, Seat, UnreadableMove, competition_places, counted, one_seat, shuffled
from games.rules.unseen import spreads
from games.rules.xxl_deck import COLOURS, DECK, NO_CARD, Deck, as_set, bit, cards_in, deal_hands
from games.rules.xxl_game import XxlGame, drawing

DRAW: Final[Move] = 253
KEEP: Final[Move] = 254
PASS: Final[Move] = 255
GOES: Final = 252
"""In a history: a draw of a card that goes, so that the same seat moves again. Lays are below."""

_DRAW_ALONE: Final = (DRAW,)
_PASS_ALONE: Final = (PASS,)
_OTHER_WORDS: Final = {DRAW: "draw", KEEP: "keep", PASS: "pass"}
_TRIES_FOR_BEGINNER = 400


@dataclass(slots=True)
class SheddingState:
    """A position. ``hands`` has one set of cards a seat, ``first`` is the seat that began.

    ``rest`` is what the deal left of the deck: the start cards, then the draw pile from its top; the next
    card to draw is ``rest[next]``. ``turn`` is the seat to move, ``NOBODY`` at the end. ``table`` is what
    lies there, in small ints of the game's own, ``suitable`` the set of cards that go there. ``drawn`` is
    the card that the seat to move has just drawn and may lay, else ``NO_CARD``. ``history`` has every
    move so far, with ``GOES`` for the draws of a card that went.
    """

    dealer: Seat
    first: Seat
    hands: list[int]
    rest: bytes
    next: int
    turn: Seat
    table: list[int]
    suitable: int
    drawn: int = NO_CARD
    history: bytearray = field(default_factory=bytearray)

    def clone(self) -> SheddingState:
        """An equal state that shares nothing changeable with this one."""
        return SheddingState(
            self.dealer,
            self.first,
            self.hands.copy(),
            self.rest,
            self.next,
            self.turn,
            self.table.copy(),
            self.suitable,
            self.drawn,
            self.history.copy(),
        )


class PileView(TypedDict):
    """A pile; ``top`` is its top card (of a run: the half laid last), ``None`` for a run that is not open.

    ``takes`` names the halves that fit: ``red6``, or ``red0-5`` for all numbers from 0 to 5.
    """

    name: str
    top: str | None
    takes: list[str]


class TurnView(TypedDict):
    """A turn at the table, which everybody has seen; its last move may still be due."""

    seat: int
    moves: list[str]


class View(TypedDict):
    """What a seat may know; ``hand`` is ``None`` for a spectator, ``draw_pile`` a number of cards.

    ``start`` are the start cards, ``drew`` the cards that the seat itself has drawn, in order (of a
    spectator: none).
    """

    game: str
    seats: int
    seat: int | None
    dealer: int
    to_move: list[int]
    hand: list[str] | None
    hand_sizes: list[int]
    draw_pile: int
    piles: list[PileView]
    start: list[str]
    drew: list[str]
    first: int
    turns: list[TurnView]


class _Seen(NamedTuple):
    """A turn at the table as everybody has seen it.

    ``suitable`` is the set of cards that could be laid in it. ``kept`` says that a card was drawn that
    goes, and is in the hand still at the end of the turn, or for the time being.
    """

    seat: Seat
    moves: list[Move]
    suitable: int
    kept: bool


class SheddingGame(XxlGame[SheddingState, View]):
    """A game of laying all one's cards; the lowest hand points win."""

    version = 1
    high_wins = False
    start_cards: ClassVar[int]
    """How many cards of the rest are turned up at the start."""
    example: ClassVar[str]
    """How a lay is written, for whoever wrote something else."""

    def __init__(self, deck: Deck = DECK) -> None:
        super().__init__(deck)
        self.halves = tuple(
            ((COLOURS.index(card.low_colour), card.low), (COLOURS.index(card.high_colour), card.high))
            for card in deck.cards
        )
        """By card: its low and its high half, each as index in ``COLOURS`` and number."""
        self._word_of = self._lay_words() | _OTHER_WORDS
        self._move_of = {spelling: move for move, word in self._word_of.items() for spelling in _spellings(word)}

    # What each game writes.

    @abstractmethod
    def hand_size(self, seats: int) -> int:
        """How many cards each seat is dealt."""

    @abstractmethod
    def _lay_words(self) -> dict[Move, str]:
        """The words of all lays: a card, and more after a space where a card can be laid in several ways."""

    @abstractmethod
    def _set_up(self, start: Sequence[int]) -> list[int]:
        """The table with the start cards."""

    @abstractmethod
    def _suitable(self, table: Sequence[int]) -> int:
        """The set of the cards that can be laid."""

    @abstractmethod
    def _lays(self, table: Sequence[int], cards: int) -> tuple[Move, ...]:
        """All ways to lay one of these cards, all of them suitable, in a fixed order."""

    @abstractmethod
    def _lay(self, table: list[int], move: Move) -> int:
        """Change the table by a lay; the card that was laid."""

    @abstractmethod
    def card_of(self, move: Move) -> int:
        """The card of a lay."""

    @abstractmethod
    def _piles(self, table: Sequence[int]) -> list[PileView]:
        """The piles, always the same in the same order."""

    @abstractmethod
    def _misfit(self, table: Sequence[int], move: Move) -> str:
        """Why a lay does not fit, as a sentence."""

    def first_seat(self, hands: Sequence[int], dealer: Seat) -> Seat:
        """The seat that begins: the one with the most hand points."""
        return self.beginner(hands, dealer)

    # What they share.

    def start(self, seats: int, options: Mapping[str, Any], rng: Random) -> SheddingState:
        """Deal the hands, turn up the start cards; the rest is the draw pile."""
        pile = shuffled(range(len(self.deck.cards)), rng)
        size, dealer = self.hand_size(seats), options["dealer"]
        hands = deal_hands(pile, seats, size, dealer)
        return self.position(hands, pile[seats * size :], dealer, self.first_seat(hands, dealer))

    def position(self, hands: Sequence[int], rest: Sequence[int], dealer: Seat, first: Seat) -> SheddingState:
        """The state with these full hands before the first turn; ``rest`` as in the state."""
        table = self._set_up(rest[: self.start_cards])
        return SheddingState(
            dealer, first, list(hands), bytes(rest), self.start_cards, first, table, self._suitable(table)
        )

    def to_move(self, state: SheddingState) -> tuple[Seat, ...]:
        """The one seat whose turn it is; none at the end."""
        return one_seat[state.turn]

    def legal(self, state: SheddingState, seat: Seat) -> tuple[Move, ...]:
        """All ways to lay a suitable card; or to draw, if none is; or to pass, if none can be drawn.

        After drawing a card that goes: all ways to lay it, and to keep it.
        """
        if seat != state.turn:
            return ()
        if state.drawn != NO_CARD:
            return (*self._lays(state.table, bit[state.drawn]), KEEP)
        suitable = state.hands[seat] & state.suitable
        if suitable:
            return self._lays(state.table, suitable)
        return _DRAW_ALONE if state.next < len(state.rest) else _PASS_ALONE

    def advance(self, state: SheddingState, seat: Seat, move: Move) -> None:
        """Lay, draw, keep or pass; a finished turn may end the game."""
        hands = state.hands
        if move < GOES:
            state.history.append(move)
            hands[seat] ^= bit[self._lay(state.table, move)]
            state.suitable = self._suitable(state.table)
            state.drawn = NO_CARD
            if not hands[seat]:
                state.turn = NOBODY
                return
        elif move == DRAW:
            card = state.rest[state.next]
            state.next += 1
            hands[seat] |= bit[card]
            if state.suitable >> card & 1:
                state.history.append(GOES)
                state.drawn = card
                return
            state.history.append(DRAW)
        else:
            state.history.append(move)
            state.drawn = NO_CARD
        if state.next == len(state.rest) and not any(map(state.suitable.__and__, hands)):
            state.turn = NOBODY
        else:
            state.turn = (seat + 1) % len(hands)

    def outcome(self, state: SheddingState) -> Outcome | None:
        """The hand points, once somebody has laid the last card or nobody can lay one any more."""
        if state.turn != NOBODY:
            return None
        scores = tuple(map(self.deck.hand_points, state.hands))
        reason = "draw_pile_ran_out" if all(state.hands) else "hand_empty"
        return Outcome(scores, competition_places(scores, high_wins=self.high_wins), reason)

    def turn_limit(self, seats: int, options: Mapping[str, Any]) -> int:
        """Each card of the draw pile is drawn once and kept once at most, each other card laid once at most.

        A pass is made only while somebody can lay a card and the draw pile is empty, so that nothing but
        a lay changes anything: before each lay all other seats pass at most.
        """
        rest = len(self.deck.cards) - seats * self.hand_size(seats)
        return 2 * (rest - self.start_cards) + seats * (len(self.deck.cards) - self.start_cards)

    def objection(self, state: SheddingState, seat: Seat, move: Move) -> str:
        """What the seat has to do instead, or why the card does not go."""
        if move not in self._word_of:
            return f"{move} is no move of this game."
        if move in _OTHER_WORDS:
            return self._objection_to_no_lay(state, seat, move)
        card = self.card_of(move)
        if state.drawn not in (NO_CARD, card):
            return f"You have just drawn {self.deck.words[state.drawn]}, which goes: lay it or keep it."
        if not state.hands[seat] >> card & 1:
            return f"{self.deck.words[card]} is not in your hand."
        return self._misfit(state.table, move)

    def _objection_to_no_lay(self, state: SheddingState, seat: Seat, move: Move) -> str:
        if state.drawn != NO_CARD:
            return f"You have just drawn {self.deck.words[state.drawn]}, which goes: lay it or keep it."
        if move == KEEP:
            return "You can only keep a card that you have just drawn and that goes."
        suitable = state.hands[seat] & state.suitable
        if suitable:
            return f"You must lay a card: {' or '.join(self.deck.words_of(suitable))} goes."
        if move == DRAW:
            return "The draw pile is empty: you can only pass."
        return "You can't pass while there are cards to draw: draw one."

    def parse(self, word: str) -> Move:
        """A lay as the game writes it, ``draw``, ``keep`` or ``pass``."""
        move = self._move_of.get(word)
        if move is None:
            move = self._move_of.get(_compact(word))
        if move is None:
            raise UnreadableMove(
                f"{word[:40]!r} is no move of this game. A move is draw, keep, pass or a lay like {self.example}."
            )
        return move

    def describe(self, move: Move) -> str:
        """The move's word, the half with the lower number first."""
        return self._word_of[move]

    def turns(self, state: SheddingState) -> Iterator[tuple[Seat, list[Move]]]:
        """The turns at the table, each with its seat and moves; the last may be under way."""
        seat, moves = state.first, list[Move]()
        for code in state.history:
            if code == GOES:
                moves.append(DRAW)
            else:
                yield seat, [*moves, code]
                seat, moves = (seat + 1) % len(state.hands), []
        if moves:
            yield seat, moves

    def view(self, state: SheddingState, seat: Seat | None) -> View:
        """Everything but the other hands, what others have drawn, and the draw pile."""
        words, word_of = self.deck.words, self._word_of
        turns = list(self.turns(state))
        drawers = [player for player, moves in turns if moves[0] == DRAW]
        drawn = state.rest[self.start_cards : state.next]
        return {
            "game": self.key,
            "seats": len(state.hands),
            "seat": seat,
            "dealer": state.dealer,
            "to_move": list(self.to_move(state)),
            "hand": None if seat is None else self.deck.words_of(state.hands[seat]),
            "hand_sizes": [hand.bit_count() for hand in state.hands],
            "draw_pile": len(state.rest) - state.next,
            "piles": self._piles(state.table),
            "start": [words[card] for card in state.rest[: self.start_cards]],
            "drew": [words[card] for player, card in zip(drawers, drawn, strict=True) if player == seat],
            "first": state.first,
            "turns": [{"seat": player, "moves": [word_of[move] for move in moves]} for player, moves in turns],
        }

    def determinize(self, view: View, rng: Random) -> SheddingState:
        """Hands and draw pile with which every turn so far was as the rules want it.

        All such states are equally likely, exactly where ``games.rules.unseen`` can count them. The seat
        that began had the most hand points where that is the rule: deals are drawn until that fits too, or
        given up after many tries (docs/rules/determinization.md).
        """
        seats = view["seats"]
        turns = list(self._turns_seen(view))
        start = self.deck.read_words(view["start"])
        sizes, may = self._owners(view, turns)
        barred = [~cards for cards in may]
        for spread in islice(spreads(self.deck.all_cards & ~start, sizes, barred, rng), _TRIES_FOR_BEGINNER):
            if self.first_seat(spread[:seats], view["dealer"]) == view["first"]:
                break
        drawn = [card.bit_length() - 1 for card in spread[seats:-1]]
        draw_pile = shuffled(cards_in(spread[-1]), rng)
        rest = [*map(self.deck.read_word, view["start"]), *drawn, *draw_pile]
        state = self.position(spread[:seats], rest, view["dealer"], view["first"])
        for turn in turns:
            for move in turn.moves:
                self.advance(state, turn.seat, move)
        return state

    def _turns_seen(self, view: View) -> Iterator[_Seen]:
        table = self._set_up([self.deck.read_word(word) for word in view["start"]])
        suitable = self._suitable(table)
        for turn in view["turns"]:
            moves = [self.parse(word) for word in turn["moves"]]
            due = turn is view["turns"][-1] and turn["seat"] in view["to_move"]
            yield _Seen(turn["seat"], moves, suitable, due or moves[-1] == KEEP)
            if moves[-1] < GOES:
                self._lay(table, moves[-1])
                suitable = self._suitable(table)

    def _owners(self, view: View, turns: Sequence[_Seen]) -> tuple[list[int], list[int]]:
        """Where all cards but the start cards may have been: sizes, and sets of cards that are possible.

        The places are the dealt hands by seat, the cards drawn in their order, one each, and the draw pile.
        """
        me = view["seat"]
        own = self.deck.read_words(view["hand"] or ())
        drew = [self.deck.read_word(word) for word in view["drew"]]
        laid = as_set(self.card_of(turn.moves[-1]) for turn in turns if turn.moves[-1] < GOES)
        hidden = self.deck.all_cards & ~own & ~laid & ~self.deck.read_words(view["start"])
        # The walk goes back from now to the deal; ``held`` is, by seat, what may have been in its hand
        # then. A card laid from a hand was there before; of all that was suitable when a seat drew or
        # passed, its hand had nothing.
        held = [own if seat == me else hidden for seat in range(view["seats"])]
        sizes = list(view["hand_sizes"])
        drawn: list[int] = []
        for seat, moves, suitable, kept in reversed(turns):
            sizes[seat] += moves[-1] < GOES
            if moves[0] < GOES:
                held[seat] |= bit[self.card_of(moves[0])]
                continue
            if moves[0] == DRAW:
                sizes[seat] -= 1
                if seat == me:
                    drawn.append(bit[drew.pop()])
                    held[seat] &= ~drawn[-1]
                elif moves[-1] < GOES:
                    drawn.append(bit[self.card_of(moves[-1])])
                else:
                    drawn.append(held[seat] & (suitable if kept else ~suitable))
            held[seat] &= ~suitable
        return [*sizes, *[1] * len(drawn), view["draw_pile"]], [*held, *reversed(drawn), hidden]

    def draw(self, view: View) -> str:
        """Piles with what they take, seats with their cards, the last round of turns, the own hand."""
        seats, turns = view["seats"], view["turns"]
        lines = [self.heading(view)]
        for number, turn in list(enumerate(turns, start=1))[-seats:]:
            lines.append(f"turn {number}: seat {turn['seat']} {', '.join(turn['moves'])}")
        for pile in view["piles"]:
            takes = " ".join(pile["takes"]) or "nothing"
            lines.append(f"{pile['name']}: {pile['top'] or '-'} takes {takes}")
        lines.append(f"draw pile: {counted(view['draw_pile'], 'card')}")
        for seat, size in enumerate(view["hand_sizes"]):
            lines.append(f"seat {seat}: {counted(size, 'card')}{' *' if seat in view['to_move'] else ''}")
        if view["hand"] is not None:
            lines.append(f"hand: {' '.join(view['hand']) or '-'}")
        return drawing(lines)


def _compact(word: str) -> str:
    return "".join(word.split()).lower()


def _spellings(word: str) -> tuple[str, str, str]:
    """A word as it is, and without spaces, the halves of its card in either order."""
    card, _, by = word.partition(" ")
    return word, _compact(word), _compact("/".join(reversed(card.split("/"))) + by)
