"""The Game (docs/rules/the-game.md).

Terms. A *card* is its value, 2 to 99. A *pile* is one of the four that cards are laid on, two going up
and two going down; the *draw pile* is another thing. The *top* of a pile is its last card, at first the
start card, which is no card of the deck. A card *fits* a pile when it may be laid there. The *trick card*
of a pile is the one that may be laid backwards. A *signal* says how dearly a seat wants a pile left alone.
A seat is *stuck* when it can't reach the minimum of its turn: the game is over.

Inside, a set of cards is an int with bit i set for card i, piles are the indices of ``PILES``.

Promises: what hands could be hidden behind a view is counted, not guessed at, so that ``determinize``
finds each of them with the same chance.

Never: a signal is stored or kept up to date; it is worked out from the hand when a view is asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import comb, prod
from random import Random
from textwrap import wrap
from typing import Any, Final, NamedTuple, TypedDict

from games.core import Game, Move, Option, Outcome, Seat, UnreadableMove, one_seat, shuffled

PILES: Final = ("up1", "up2", "down1", "down2")
START_CARDS: Final = (1, 1, 100, 100)
DECK: Final = range(2, 100)
CHOOSE: Final = "choose"
LEAVE_ALONE: Final = 2
RATHER_NOT: Final = 1

_TOPS = range(101)
_UP, _DOWN = 1, -1
_DIRECTIONS = (_UP, _UP, _DOWN, _DOWN)
_COLUMNS = 116
_TRIES = 100_000

# Moves: 0 ends the turn, 1 to 5 choose who starts, 8 to 399 are four times the card plus the pile.
END: Final[Move] = 0
_FIRST_CHOICE = 1
_MOST_SEATS = 5
_FIRST_CARD = 4 * DECK[0]

_BIT = tuple(1 << card for card in range(101))


def as_set(cards: Sequence[int]) -> int:
    """The set of the given cards, all different."""
    return sum(map(_BIT.__getitem__, cards))


def cards_in(cards: int) -> Iterator[int]:
    """The members of a set of cards, ascending."""
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest


ALL_CARDS: Final = as_set(DECK)


def _tables(*steps: range) -> tuple[tuple[int, ...], ...]:
    """By pile and top: the set of the cards of the deck that are so many steps further than the top."""
    ahead = [step for some in steps for step in some]
    return tuple(
        tuple(as_set([top + way * step for step in ahead if top + way * step in DECK]) for top in _TOPS)
        for way in _DIRECTIONS
    )


# A trick card lies ten steps back. For the start cards, and wherever it would be no card of the deck, there is none.
_TRICK_STEP = range(-10, -9)
_FITTING = _tables(_TRICK_STEP, range(1, 99))
_ON_UP, _ON_DOWN = _FITTING[0], _FITTING[2]
_CLOSE = _tables(_TRICK_STEP, range(1, 2))
_NEAR = _tables(range(2, 4))


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


def fitting(tops: Sequence[int]) -> int:
    """The set of the cards that fit at least one of the piles."""
    up1, up2, down1, down2 = tops
    return _FITTING[0][up1] | _FITTING[1][up2] | _FITTING[2][down1] | _FITTING[3][down2]


def can_lay(hand: int, tops: Sequence[int], number: int) -> bool:
    """Whether so many cards of the hand, 1 or more, can be laid one after another in some order.

    Cards that fit now can all be laid: each on a pile it fits, the trick card first on every pile, then
    the nearest first. Only with too few of them the ways to lay have to be tried.
    """
    fit = hand & fitting(tops)
    if fit.bit_count() >= number:
        return True
    for pile, top in enumerate(tops):
        for card in cards_in(fit & _FITTING[pile][top]):
            after = list(tops)
            after[pile] = card
            if can_lay(hand ^ _BIT[card], after, number - 1):
                return True
    return False


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
            fit = hand & _FITTING[pile][top]
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
            hand = state.hands[seat] ^ _BIT[card]
            state.hands[seat] = hand
            state.tops[move & 3] = card
            state.laid |= _BIT[card]
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
                hand |= _BIT[card]
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
            laid, least = state.laid.bit_count() or "none", _number(state.minimum, "card")
            return f"You must lay at least {least} before you end your turn; so far you have laid {laid}."
        card, pile = move >> 2, move & 3
        if not state.hands[seat] >> card & 1:
            return f"{card} is not in your hand."
        top, way = state.tops[pile], _DIRECTIONS[pile]
        back = f" or exactly {top - 10 * way}" if top - 10 * way in DECK else ""
        way_on = f"up from {top} and takes a higher card" if way == _UP else f"down from {top} and takes a lower card"
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
            "signals": [list(_signals(hand, tops)) for hand in hands],
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
        known = tuple(_HiddenHand(view["hand_sizes"][seat], tuple(view["signals"][seat])) for seat in hidden)
        tested = own != turn and not view["choosing"] and len(view["laid"]) < view["minimum"] and known[0].size > 0
        if tested:
            least, most = _limits(over=over, laid=len(view["laid"]), minimum=view["minimum"])
            known = (known[0]._replace(least=least, most=most), *known[1:])
        fillings = _fillings(tops, ALL_CARDS & ~own_hand & ~as_set(view["played"]), known)
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
            f"{self.key}, {_number(view['seats'], 'seat')}, hands of {view['hand_size']}, "
            f"minimum {view['usual_minimum']}, seen by {watcher}"
        ]
        for pile, top, before, way in zip(PILES, view["piles"], view["piles_before"], _DIRECTIONS, strict=True):
            back = f" or {top - 10 * way}" if top - 10 * way in DECK else ""
            moved = f", {before} when the turn began" if before != top else ""
            lines.append(f"{pile}: {top} ({'higher' if way == _UP else 'lower'}{back}){moved}")
        for seat in range(view["seats"]):
            mark = " *" if seat in view["to_move"] else ""
            hand = _number(view["hand_sizes"][seat], "card")
            lines.append(f"seat {seat}: {hand}{_in_words(view['signals'][seat])}{mark}")
        lines.append(f"draw pile: {_number(view['draw_pile'], 'card')}")
        lines += wrap(f"played: {_listed(view['played'])}", _COLUMNS, subsequent_indent="  ")
        if view["choosing"]:
            lines.append(f"turn: seat {view['turn']} chooses who starts")
        else:
            lines.append(f"turn: seat {view['turn']}, at least {view['minimum']}; laid {_listed(view['laid'])}")
        if not view["to_move"]:
            left = sum(view["hand_sizes"]) + view["draw_pile"]
            lines.append(
                f"over: seat {view['turn']} is stuck, {_number(left, 'card')} left" if left else "over: all played"
            )
        if view["hand"] is not None:
            lines.append(f"hand: {_listed(view['hand'])}")
        return "\n".join(lines)


def _cards_left(state: PileState) -> int:
    return sum(map(int.bit_count, state.hands)) + len(state.draw_pile)


def _signals(hand: int, tops: Sequence[int]) -> Iterator[int]:
    """The hand's signal for each pile ("What players may tell each other")."""
    for pile, top in enumerate(tops):
        if hand & _CLOSE[pile][top]:
            yield LEAVE_ALONE
        else:
            yield RATHER_NOT if hand & _NEAR[pile][top] else 0


def _in_words(signals: Sequence[int]) -> str:
    """The signals of a seat as it would say them, with what parts them from the words before."""
    said = ""
    for strength, words in ((LEAVE_ALONE, "please leave alone"), (RATHER_NOT, "rather not")):
        piles = [pile for pile, signal in zip(PILES, signals, strict=True) if signal == strength]
        if piles:
            said += f"; {words} {', '.join(piles)}"
    return said


def _number(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _listed(cards: Sequence[int]) -> str:
    return " ".join(map(str, cards)) or "-"


# Hidden hands: counting and drawing (docs/rules/determinization.md, "The Game").


class _HiddenHand(NamedTuple):
    """What is known of a hidden hand: size, signals by pile, the least and the most cards that fit any pile."""

    size: int
    signals: tuple[int, ...]
    least: int = 0
    most: int = len(DECK)


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


class _Fillings:
    """All ways to fill hidden hands from the unseen cards, the rest being the draw pile.

    Cards are sorted into *kinds* that no signal tells apart. For the first hand the cards that no signal
    is about are two kinds, those that fit a pile and the others; for the later hands they are one. A
    *taking* says how many cards of each kind a hand gets.
    """

    def __init__(self, tops: Sequence[int], unseen: int, hands: Sequence[_HiddenHand]) -> None:
        self.hands = hands
        close = [_CLOSE[pile][top] for pile, top in enumerate(tops)]
        near = [_NEAR[pile][top] for pile, top in enumerate(tops)]
        kinds: dict[tuple[bool, ...], list[int]] = {}
        far: tuple[list[int], list[int]] = [], []
        fit = fitting(tops)
        for card in cards_in(unseen):
            shown = tuple(cards >> card & 1 == 1 for cards in (*close, *near))
            if any(shown):
                kinds.setdefault(shown, []).append(card)
            else:
                far[0 if fit >> card & 1 else 1].append(card)
        self.kinds = [*kinds.values(), *far]
        self._open_to = [self._read_signals(hand.signals, list(kinds)) for hand in hands]
        self._takings: dict[tuple[int, tuple[int, ...]], tuple[list[int], list[tuple[int, ...]]]] = {}

    def _read_signals(
        self, signals: Sequence[int], kinds: Sequence[tuple[bool, ...]]
    ) -> tuple[list[bool], list[list[bool]]]:
        """Which kinds a hand with these signals may have, and sets of kinds of each of which it has a card."""
        may_have = [True] * len(kinds)
        needed = []
        for pile, signal in enumerate(signals):
            close = [shown[pile] for shown in kinds]
            near = [shown[len(PILES) + pile] for shown in kinds]
            if signal == LEAVE_ALONE:
                needed.append(close)
                continue
            if signal == RATHER_NOT:
                needed.append(near)
            may_have = [
                may and not is_close and (signal == RATHER_NOT or not is_near)
                for may, is_close, is_near in zip(may_have, close, near, strict=True)
            ]
        return may_have, needed

    def draw(self, rng: Random) -> tuple[list[int], list[int]]:
        """One way, each with the same chance: the hands, and the cards left. Raises ValueError if there is none."""
        heaps = [shuffled(kind, rng) for kind in self.kinds]
        hands = []
        for number in range(len(self.hands)):
            ways, takings = self._choices(number, tuple(map(len, heaps)))
            if not ways:
                raise ValueError("This view shows signals that no hands could give.")
            taking = takings[bisect_right(ways, int(rng.random() * ways[-1]))]
            hand = 0
            for heap, count in zip(heaps, taking, strict=True):
                for _ in range(count):
                    hand |= _BIT[heap.pop()]
            hands.append(hand)
            if heaps[-2]:
                heaps[-1] = shuffled(heaps[-2] + heaps[-1], rng)
                heaps[-2] = []
        return hands, [card for heap in heaps for card in heap]

    def _choices(self, number: int, left: tuple[int, ...]) -> tuple[list[int], list[tuple[int, ...]]]:
        """The takings possible for a hand, with running totals of the ways to fill this and all later hands."""
        known = self._takings.get((number, left))
        if known is None:
            running, takings, total = [], [], 0
            for taking in self._possible(number, left):
                *shown, fit, other = (n - k for n, k in zip(left, taking, strict=True))
                ways = prod(map(comb, left, taking)) * self._ways(number + 1, (*shown, 0, fit + other))
                if ways:
                    total += ways
                    running.append(total)
                    takings.append(taking)
            known = self._takings[number, left] = running, takings
        return known

    def _ways(self, number: int, left: tuple[int, ...]) -> int:
        if number == len(self.hands):
            return 1
        running, _ = self._choices(number, left)
        return running[-1] if running else 0

    def _possible(self, number: int, left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """The takings of a hand that its size, its signals and its limits allow."""
        hand = self.hands[number]
        may_have, needed = self._open_to[number]
        *shown_left, fit_left, other_left = left
        most = [min(n, hand.size) if may else 0 for may, n in zip(may_have, shown_left, strict=True)]
        for shown in product(*(range(n + 1) for n in most)):
            taken = sum(shown)
            open_places = hand.size - taken
            if open_places < 0 or not all(any(map(int.__mul__, shown, kinds)) for kinds in needed):
                continue
            # A card that a signal is about always fits the pile of that signal.
            fewest = max(hand.least - taken, open_places - other_left, 0)
            for fit in range(fewest, min(hand.most - taken, fit_left, open_places) + 1):
                yield (*shown, fit, open_places - fit)


@lru_cache(maxsize=64)
def _fillings(tops: tuple[int, ...], unseen: int, hands: tuple[_HiddenHand, ...]) -> _Fillings:
    """Kept for a while: a searching bot draws hundreds of times from one view."""
    return _Fillings(tops, unseen, hands)


GAME: Final = TheGame()
