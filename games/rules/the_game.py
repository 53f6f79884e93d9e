"""The Game (docs/rules/the-game.md).

Terms. Cards, piles, what fits and what is signalled are as in ``games.rules.the_game_piles``; the *draw
pile* is another thing than the four piles. A seat is *stuck* when it can't reach the minimum of its turn:
the game is over.

Promises: what hands could be hidden behind a view is counted, not guessed at, so that ``determinize``
finds each of them with the same chance.

Never: a signal is stored or kept up to date; it is worked out from the hand when a view is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from textwrap import wrap
from typing import Any, Final, TypedDict

from games.core import Game, Move, Option, Outcome, Seat, UnreadableMove, counted, one_seat, shuffled
from games.rules.the_game_hands import HiddenHand, ways_to_fill
from games.rules.the_game_piles import (
    ALL_CARDS,
    BIT,
    DECK,
    DIRECTIONS,
    FITTING,
    LEAVE_ALONE,
    PILES,
    RATHER_NOT,
    START_CARDS,
    UP,
    as_set,
    can_lay,
    cards_in,
    fitting,
    signals,
)

CHOOSE: Final = "choose"

_COLUMNS = 116
_TRIES = 100_000

# Moves: 0 ends the turn, 1 to 5 choose who starts, 8 to 399 are four times the card plus the pile.
END: Final[Move] = 0
_FIRST_CHOICE = 1
_MOST_SEATS = 5
_FIRST_CARD = 4 * DECK[0]

_ON_UP, _ON_DOWN = FITTING[0], FITTING[2]


@dataclass(slots=True)
class PileState:
    """A position. ``hands`` has one set of cards a seat; what is in no hand and not in ``draw_pile`` is played.

    ``hand_size`` is what is drawn up to, ``usual_minimum`` the minimum while the draw pile holds cards.
    ``draw_pile`` has its top first. ``turn`` is the seat whose turn it is, or was when the game ended;
    while ``choosing`` it is the one that chooses who starts. ``minimum`` is that of the turn, ``laid`` the
    set of the cards laid in it so far, ``tops_before`` the tops when it began.
    """

    hand_size: int
    usual_minimum: int
    hands: list[int]
    tops: list[int]
    draw_pile: bytes
    turn: Seat
    choosing: bool
    minimum: int
    laid: int
    tops_before: list[int]
    over: bool

    def clone(self) -> PileState:
        """An equal state that shares nothing changeable with this one."""
        return PileState(
            self.hand_size,
            self.usual_minimum,
            self.hands.copy(),
            self.tops.copy(),
            self.draw_pile,
            self.turn,
            self.choosing,
            self.minimum,
            self.laid,
            self.tops_before.copy(),
            self.over,
        )


class View(TypedDict):
    """What a seat may know; ``hand`` is ``None`` for a spectator. Cards are numbers, sets of them ascending.

    ``piles`` and ``piles_before`` (when the turn began) are the tops in the order of ``PILES``;
    ``draw_pile`` is a number of cards, ``signals`` have for each seat one number a pile: 0, 1 (rather not)
    or 2 (please leave it alone). The rest is as in the state.
    """

    game: str
    seats: int
    seat: int | None
    hand_size: int
    usual_minimum: int
    choosing: bool
    turn: int
    to_move: list[int]
    minimum: int
    laid: list[int]
    piles: list[int]
    piles_before: list[int]
    hand: list[int] | None
    hand_sizes: list[int]
    draw_pile: int
    played: list[int]
    signals: list[list[int]]


def hand_size(seats: int, *, short_hand: bool) -> int:
    """How many cards each seat is dealt and draws up to."""
    return {1: 8, 2: 7}.get(seats, 6) - short_hand


class TheGame(Game[PileState, View]):
    """The Game for 1 to 5 seats that play together; the fewer cards are left, the better."""

    key = "the-game"
    version = 1
    seats = range(1, _MOST_SEATS + 1)
    options = (
        Option.choice("minimum", default=lambda seats: 2, allowed=lambda seats: (2, 3)),
        Option.choice("short_hand", default=lambda seats: False, allowed=lambda seats: (False, True)),
        Option.choice("start", default=lambda seats: 0, allowed=lambda seats: (*range(seats), CHOOSE)),
    )
    high_wins = False
    cooperative = True
    rules = """\
All play together: lay as many of the 98 cards from 2 to 99 as you can. Two piles go up from 1 (up1, up2),
two go down from 100 (down1, down2). Hands are 8 cards alone, 7 for two, 6 for three to five.
In your turn lay cards one at a time, at least 2 (expert: 3) while the draw pile holds cards when the turn
begins, at least 1 once it is empty; then end the turn and draw up to the hand size. With an empty hand the
turn ends by itself, and a player without cards is skipped.
On an up pile lay a higher card, on a down pile a lower one. Or go back by exactly 10: 37 on 47 going up,
75 on 65 going down. Start cards take no card backwards.
The game ends when all cards are played, or at once when a player with cards can't reach the minimum.
Ruling: it ends before a card is laid when no order of the hand's cards reaches the minimum, and within a
turn when no card fits before it is reached; what is laid counts as played.
The result is the number of cards left in hands and draw pile, for all alike; 0 is perfect, below 10 great.
Nobody names cards. Signals for each pile come from the hand: 2, leave it alone (the trick card or the next
card is there); 1, rather not (a card 2 or 3 further); else 0.
Options: minimum 2 or 3 (expert); short_hand (one card less each); start, a seat, or choose: then seat 0
first says who starts.
Moves are a card and a pile, like 35 up1; end, to end the turn; start 2, to choose who starts."""

    def __init__(self) -> None:
        self._words = {END: "end"}
        self._words |= {_FIRST_CHOICE + seat: f"start {seat}" for seat in range(_MOST_SEATS)}
        self._words |= {4 * card + i: f"{card} {pile}" for card in DECK for i, pile in enumerate(PILES)}
        self._move_by_word = {"".join(word.split()): move for move, word in self._words.items()}

    def start(self, seats: int, options: Mapping[str, Any], rng: Random) -> PileState:
        """Deal one card at a time from seat 0."""
        pile = bytes(shuffled(DECK, rng))
        size = hand_size(seats, short_hand=options["short_hand"])
        return self.position(
            [as_set(pile[seat : seats * size : seats]) for seat in range(seats)],
            START_CARDS,
            pile[seats * size :],
            None if options["start"] == CHOOSE else options["start"],
            hand_size=size,
            usual_minimum=options["minimum"],
        )

    def position(
        self,
        hands: Sequence[int],
        tops: Sequence[int],
        draw_pile: Sequence[int],
        turn: Seat | None,
        *,
        hand_size: int,
        usual_minimum: int = 2,
    ) -> PileState:
        """The state when a seat's turn begins; for ``None``, before it is chosen who starts.

        ``draw_pile`` has its top first; all other cards are played; no hand is above ``hand_size``. A seat
        without cards is skipped, and a seat that is stuck ends the game, as always.
        """
        state = PileState(
            hand_size=hand_size,
            usual_minimum=usual_minimum,
            hands=list(hands),
            tops=list(tops),
            draw_pile=bytes(draw_pile),
            turn=0,
            choosing=turn is None,
            minimum=usual_minimum,
            laid=0,
            tops_before=list(tops),
            over=False,
        )
        if turn is not None:
            self._begin_turn(state, turn)
        return state

    def to_move(self, state: PileState) -> tuple[Seat, ...]:
        """The one seat whose turn it is, or seat 0 to choose who starts; none when the game is over."""
        return () if state.over else one_seat[state.turn]

    def legal(self, state: PileState, seat: Seat) -> tuple[Move, ...]:
        """Pile by pile the cards that fit, ascending; last the end of the turn. Or who may start."""
        if state.over or seat != state.turn:
            return ()
        if state.choosing:
            return tuple(range(_FIRST_CHOICE, _FIRST_CHOICE + len(state.hands)))
        hand = state.hands[seat]
        moves = []
        for pile, top in enumerate(state.tops):
            fit = hand & FITTING[pile][top]
            # As cards_in, but several times faster in place; this is where searching bots spend their time.
            while fit:
                lowest = fit & -fit
                moves.append(4 * lowest.bit_length() - 4 + pile)
                fit ^= lowest
        if state.laid.bit_count() >= state.minimum:
            moves.append(END)
        return tuple(moves)

    def advance(self, state: PileState, seat: Seat, move: Move) -> None:
        """Lay a card, end the turn or choose who starts."""
        if move >= _FIRST_CARD:
            card = move >> 2
            hand = state.hands[seat] ^ BIT[card]
            state.hands[seat] = hand
            state.tops[move & 3] = card
            state.laid |= BIT[card]
            if not hand:
                self._end_turn(state, seat)
            elif state.laid.bit_count() < state.minimum and not hand & fitting(state.tops):
                state.over = True
        elif move == END:
            self._end_turn(state, seat)
        else:
            state.choosing = False
            self._begin_turn(state, move - _FIRST_CHOICE)

    def _end_turn(self, state: PileState, seat: Seat) -> None:
        pile = state.draw_pile
        if pile:
            hand = state.hands[seat]
            missing = state.hand_size - hand.bit_count()
            for card in pile[:missing]:
                hand |= BIT[card]
            state.hands[seat] = hand
            state.draw_pile = pile[missing:]
        self._begin_turn(state, seat + 1)

    def _begin_turn(self, state: PileState, first: Seat) -> None:
        """The first seat with cards begins, from ``first`` on clockwise; the end if it is stuck, or there is none."""
        hands, tops = state.hands, state.tops
        seats = len(hands)
        for i in range(first, first + seats):
            hand = hands[i % seats]
            if hand:
                minimum = state.usual_minimum if state.draw_pile else 1
                state.turn = i % seats
                state.minimum = minimum
                state.laid = 0
                state.tops_before = tops.copy()
                state.over = not can_lay(hand, tops, minimum)
                return
        state.over = True

    def rollout(self, state: PileState, rng: Random) -> None:
        """As for every game, and with the same draws; searching bots spend most of their time here.

        The move drawn is found by counting the cards that fit each pile, without listing the legal moves.
        """
        random = rng.random
        if state.choosing:
            self._begin_turn(state, int(random() * len(state.hands)))
            state.choosing = False
        while not state.over:
            self._play_turn(state, random)

    def _play_turn(self, state: PileState, random: Callable[[], float]) -> None:
        """Play the rest of a turn at random."""
        seat, minimum, laid, tops = state.turn, state.minimum, state.laid, state.tops
        hand = state.hands[seat]
        number = laid.bit_count()
        while hand:
            up1, up2, down1, down2 = tops
            on_up1, on_up2 = hand & _ON_UP[up1], hand & _ON_UP[up2]
            on_down1, on_down2 = hand & _ON_DOWN[down1], hand & _ON_DOWN[down2]
            # The moves come pile by pile: these are the numbers of the first on each pile but up1, and of the end.
            to_up2 = on_up1.bit_count()
            to_down1 = to_up2 + on_up2.bit_count()
            to_down2 = to_down1 + on_down1.bit_count()
            to_end = to_down2 + on_down2.bit_count()
            if number >= minimum:
                move = int(random() * (to_end + 1))
                if move == to_end:
                    break
            elif to_end:
                move = int(random() * to_end)
            else:
                state.over = True
                break
            if move < to_up2:
                pile, fit = 0, on_up1
            elif move < to_down1:
                pile, fit, move = 1, on_up2, move - to_up2
            elif move < to_down2:
                pile, fit, move = 2, on_down1, move - to_down1
            else:
                pile, fit, move = 3, on_down2, move - to_down2
            for _ in range(move):
                fit &= fit - 1
            chosen = fit & -fit
            tops[pile] = chosen.bit_length() - 1
            hand ^= chosen
            laid |= chosen
            number += 1
        state.hands[seat] = hand
        state.laid = laid
        if not state.over:
            self._end_turn(state, seat)

    def outcome(self, state: PileState) -> Outcome | None:
        """The number of cards left, the same for each seat."""
        if not state.over:
            return None
        left = _cards_left(state)
        return Outcome((left,) * len(state.hands), None, "stuck" if left else "all_played")

    def turn_limit(self, seats: int, options: Mapping[str, Any]) -> int:
        """Each of the 98 cards is laid once, a turn with a card laid is ended once, one choice of who starts."""
        return 2 * len(DECK) + 1

    def objection(self, state: PileState, seat: Seat, move: Move) -> str:
        """A sentence for each way to err: who starts, ending too early, a card not held, one that does not fit."""
        if move not in self._words:
            return f"{move} is no move of this game."
        if state.choosing or _FIRST_CHOICE <= move < _FIRST_CARD:
            return self._objection_to_start(state, move)
        if move == END:
            laid, least = state.laid.bit_count() or "none", counted(state.minimum, "card")
            return f"You must lay at least {least} before you end your turn; so far you have laid {laid}."
        card, pile = move >> 2, move & 3
        if not state.hands[seat] >> card & 1:
            return f"{card} is not in your hand."
        top, way = state.tops[pile], DIRECTIONS[pile]
        back = f" or exactly {top - 10 * way}" if top - 10 * way in DECK else ""
        way_on = f"up from {top} and takes a higher card" if way == UP else f"down from {top} and takes a lower card"
        return f"{card} does not fit {PILES[pile]}: that pile goes {way_on}{back}."

    def _objection_to_start(self, state: PileState, move: Move) -> str:
        if not state.choosing:
            return "Who starts is settled already."
        among = f"one of the seats 0 to {len(state.hands) - 1}"
        if _FIRST_CHOICE <= move < _FIRST_CARD:
            return f"There is no seat {move - _FIRST_CHOICE} at this table: {among} starts."
        return f"First choose who starts, {among}: write start and the seat, like start 0."

    def parse(self, word: str) -> Move:
        """A card and a pile such as ``35 up1``, ``end`` or ``start 2``."""
        move = self._move_by_word.get("".join(word.split()).lower())
        if move is None:
            raise UnreadableMove(
                f"{word[:40]!r} is no move. Write a card from 2 to 99 and a pile ({', '.join(PILES)}), like 35 up1; "
                "end to end your turn; start 2 to choose who starts."
            )
        return move

    def describe(self, move: Move) -> str:
        """The move's word."""
        return self._words[move]

    def view(self, state: PileState, seat: Seat | None) -> View:
        """The piles, the cards played, the own hand, and of the other hands their sizes and signals."""
        hands, tops = state.hands, state.tops
        hidden = as_set(state.draw_pile)
        for hand in hands:
            hidden |= hand
        return {
            "game": self.key,
            "seats": len(hands),
            "seat": seat,
            "hand_size": state.hand_size,
            "usual_minimum": state.usual_minimum,
            "choosing": state.choosing,
            "turn": state.turn,
            "to_move": list(self.to_move(state)),
            "minimum": state.minimum,
            "laid": list(cards_in(state.laid)),
            "piles": list(tops),
            "piles_before": list(state.tops_before),
            "hand": None if seat is None else list(cards_in(hands[seat])),
            "hand_sizes": [hand.bit_count() for hand in hands],
            "draw_pile": len(state.draw_pile),
            "played": list(cards_in(ALL_CARDS ^ hidden)),
            "signals": [list(signals(hand, tops)) for hand in hands],
        }

    def determinize(self, view: View, rng: Random) -> PileState:
        """Hands that give the shown signals and with which the turn came this far, all equally likely.

        Raises ValueError when there are no such hands, which no view of a real game has.
        """
        own, tops, turn = view["seat"], tuple(view["piles"]), view["turn"]
        over = not view["to_move"]
        own_hand = as_set(view["hand"] or ())
        state = PileState(
            hand_size=view["hand_size"],
            usual_minimum=view["usual_minimum"],
            hands=[0] * view["seats"],
            tops=list(tops),
            draw_pile=b"",
            turn=turn,
            choosing=view["choosing"],
            minimum=view["minimum"],
            laid=as_set(view["laid"]),
            tops_before=list(view["piles_before"]),
            over=over,
        )
        # The seat to move comes first: its hand is the one that more is known of than signals.
        hidden = sorted((seat for seat in range(view["seats"]) if seat != own), key=lambda seat: seat != turn)
        known = tuple(HiddenHand(view["hand_sizes"][seat], tuple(view["signals"][seat])) for seat in hidden)
        tested = own != turn and not view["choosing"] and len(view["laid"]) < view["minimum"] and known[0].size > 0
        if tested:
            least, most = _limits(over=over, laid=len(view["laid"]), minimum=view["minimum"])
            known = (known[0]._replace(least=least, most=most), *known[1:])
        fillings = ways_to_fill(tops, ALL_CARDS & ~own_hand & ~as_set(view["played"]), known)
        for _ in range(_TRIES):
            hands, rest = fillings.draw(rng)
            for seat, hand in zip(hidden, hands, strict=True):
                state.hands[seat] = hand
            if not tested or _came_this_far(state):
                break
        else:
            raise ValueError("This view shows a turn that no hand could have come to.")
        if own is not None:
            state.hands[own] = own_hand
        state.draw_pile = bytes(shuffled(rest, rng))
        return state

    def draw(self, view: View) -> str:
        """Piles, seats with their signals in words, draw pile, cards played, the turn, the own hand."""
        watcher = "a spectator" if view["seat"] is None else f"seat {view['seat']}"
        lines = [
            f"{self.key}, {counted(view['seats'], 'seat')}, hands of {view['hand_size']}, "
            f"minimum {view['usual_minimum']}, seen by {watcher}"
        ]
        for pile, top, before, way in zip(PILES, view["piles"], view["piles_before"], DIRECTIONS, strict=True):
            back = f" or {top - 10 * way}" if top - 10 * way in DECK else ""
            moved = f", {before} when the turn began" if before != top else ""
            lines.append(f"{pile}: {top} ({'higher' if way == UP else 'lower'}{back}){moved}")
        for seat in range(view["seats"]):
            mark = " *" if seat in view["to_move"] else ""
            hand = counted(view["hand_sizes"][seat], "card")
            lines.append(f"seat {seat}: {hand}{_in_words(view['signals'][seat])}{mark}")
        lines.append(f"draw pile: {counted(view['draw_pile'], 'card')}")
        lines += wrap(f"played: {_listed(view['played'])}", _COLUMNS, subsequent_indent="  ")
        if view["choosing"]:
            lines.append(f"turn: seat {view['turn']} chooses who starts")
        else:
            lines.append(f"turn: seat {view['turn']}, at least {view['minimum']}; laid {_listed(view['laid'])}")
        if not view["to_move"]:
            left = sum(view["hand_sizes"]) + view["draw_pile"]
            lines.append(
                f"over: seat {view['turn']} is stuck, {counted(left, 'card')} left" if left else "over: all played"
            )
        if view["hand"] is not None:
            lines.append(f"hand: {_listed(view['hand'])}")
        return "\n".join(lines)


def _cards_left(state: PileState) -> int:
    return sum(map(int.bit_count, state.hands)) + len(state.draw_pile)


def _in_words(signals: Sequence[int]) -> str:
    """The signals of a seat as it would say them, with what parts them from the words before."""
    said = ""
    for strength, words in ((LEAVE_ALONE, "please leave alone"), (RATHER_NOT, "rather not")):
        piles = [pile for pile, signal in zip(PILES, signals, strict=True) if signal == strength]
        if piles:
            said += f"; {words} {', '.join(piles)}"
    return said


def _listed(cards: Sequence[int]) -> str:
    return " ".join(map(str, cards)) or "-"


def _limits(*, over: bool, laid: int, minimum: int) -> tuple[int, int]:
    """The least and the most fitting cards of a seat in its turn that has not laid the minimum yet."""
    if not over:
        return 1, len(DECK)
    # Stuck: within a turn nothing fits; before the first card, as many as the minimum could all be laid.
    return 0, 0 if laid else minimum - 1


def _came_this_far(state: PileState) -> bool:
    """Whether the turn can have begun as it did with this hand, as far as ``_limits`` have not seen to it."""
    hand = state.hands[state.turn]
    could_begin = can_lay(hand | state.laid, state.tops_before, state.minimum)
    return could_begin != (state.over and not state.laid)


GAME: Final = TheGame()
