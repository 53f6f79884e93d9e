"""und Tschüss (docs/rules/und-tschuess.md).

Terms. A *card* is a whole number, its *value*; cards of equal value are as good as one another. The *point
cards* lie face-up in the *middle*. A *step* is one card of everyone who is *inside*, that is, has not yet
dropped out of the round; the *sum* is what a seat has played in the round. Who drops out *takes* a point
card. A round is *settled* when somebody inside has no card left to play. Between rounds hands are *refilled*,
and one seat may *exchange* cards: *lay off* some face-down, then draw as many.

Inside the engine a card is its *kind*, the index of its value among the different values of the deck,
ascending, and several cards are ``bytes`` of kinds. A set of seats is an int with bit i
set for seat i. A move is the kind to play; the number of kinds and above it: a kind to lay off; one more:
the end of an exchange.

Promises: a chosen card is in nobody's view but its owner's until the last one of the step is chosen, and
the order of the choices changes nothing.

Never: tells cards of equal value apart, except when it counts how likely something hidden is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from random import Random
from textwrap import wrap
from typing import Any, Final, NamedTuple, Self, TypedDict

from games.core import NOBODY, BadSetup, Game, Json, Move, Option, Outcome, Seat, competition_places, counted, shuffled
from games.rules.und_tschuess_deck import DECK, DEFAULT_DECK, MOST_CARDS, VALUES, Deck, deck_in_use, deck_of, minus
from games.rules.und_tschuess_origins import FACE_DOWN, Departed, Known, spread_origins

_WIDTH = 116
_SETTLED = 255

# What is going on. In the last three, chance is due: dealing stopped for want of a draw pile.
PHASES: Final = ("choose", "exchange", "over", "refill", "draw", "lay out")
CHOOSE, EXCHANGE, OVER, REFILL, DRAW, LAY_OUT = range(len(PHASES))

_seats_in = tuple(tuple(seat for seat in range(6) if seats >> seat & 1) for seats in range(1 << 6))
"""By set of seats: its members, ascending."""


@lru_cache(maxsize=2**12)
def _laps(missing: tuple[int, ...], first: Seat) -> tuple[Seat, ...]:
    """Who gets the next cards, clockwise from ``first`` on, when so many are missing from each hand."""
    clockwise = (*range(first, len(missing)), *range(first))
    return tuple(seat for lap in range(max(missing)) for seat in clockwise if missing[seat] > lap)


def hand_size_in_use(seats: int, options: Mapping[str, Json]) -> int:
    """The hand size agreed on; without an agreement players + 3 (ruling on hands)."""
    agreed = options.get("hand_size")
    return agreed if isinstance(agreed, int) else seats + 3


def reshuffles(seats: int) -> int:
    """How often the discard pile may become a new draw pile ("End")."""
    return 1 if seats >= 5 else 0


def most_rounds(cards: int, seats: int, hand_size: int) -> int:
    """How many rounds a table can play at most with a deck of so many cards ("A round", "End").

    At most one drops out in a step, and the last two play once more, so that a round takes at least
    2 + 3 + ... + seats cards from the hands; all that is drawn before the next round's first step are as
    many and the point cards. Longer rounds and exchanges only use up the draw pile sooner, and every round
    played before the reshuffle costs the new draw pile no more than its point cards.
    """
    if seats < 2:  # nobody to win a card from; the count below would never end
        return 0
    points = seats - 1
    played = sum(range(2, seats + 1))
    draw_pile, discard_pile, rounds, left = cards - seats * hand_size - points, played, 1, reshuffles(seats)
    while True:
        if draw_pile < played + points and left:
            draw_pile, discard_pile, left = draw_pile + discard_pile, 0, left - 1
        if draw_pile < played + points:
            return rounds
        draw_pile, discard_pile, rounds = draw_pile - played - points, discard_pile + played, rounds + 1


def _read_hand_size(seats: int, value: Json) -> Json:
    """The lower limit; the upper one depends on the deck and is checked when that is known too."""
    if type(value) is int and value >= seats - 1:
        return value
    raise ValueError(f"a whole number of {seats - 1} or more")


def _read_deck(seats: int, value: Json) -> Json:
    least = seats * (seats - 1) + seats - 1  # the smallest hands, and point cards
    if value == DEFAULT_DECK:
        return value
    if (
        isinstance(value, list)
        and least <= len(value) <= MOST_CARDS
        and all(type(card) is int and card in VALUES for card in value)
    ):
        return sorted(value)
    numbers = f"{least} to {MOST_CARDS} whole numbers from {VALUES[0]} to {VALUES[-1]}"
    raise ValueError(f'"{DEFAULT_DECK}" or a list of {numbers}')


class Reshuffle(NamedTuple):
    """The table when the discard pile was shuffled, in so far as it can't be told from what happened since.

    ``rounds`` had been played, ``phase`` says at what the cards ran out, ``laid_off`` how many of the
    state's ``laid_off`` were shuffled in. ``sizes`` has one number of cards a seat, ``hands`` the hands one
    after another. ``middle`` are the point cards of the coming round that lay out already.
    """

    rounds: int
    phase: int
    sizes: bytes
    hands: bytes
    laid_off: int
    middle: bytes

    def hand(self, seat: Seat) -> bytes:
        """A seat's hand."""
        first = sum(self.sizes[:seat])
        return self.hands[first : first + self.sizes[seat]]


@dataclass(slots=True)
class RoundState:
    """A position.

    ``size`` is the full hand. ``kinds`` has, for each seat, the different kinds in its hand, ascending, and
    ``spares`` the hand's further cards of these kinds: so the cards to choose from are at hand at any time.
    ``number`` rounds have begun. ``pile`` has its top first; ``middle`` is sorted.
    ``inside`` and ``due`` are sets of seats: who has not dropped out, and who is to move. ``chosen`` has one
    kind a seat, which matters while the seat is inside and not due. ``first_out`` took the first point card of
    the round that goes on or has just ended, ``room`` is how many more cards it may lay off in its exchange,
    ``next_seat`` gets the next card when a refill was interrupted. ``laid_off`` are all cards ever laid off,
    in their order.

    ``log`` tells the rounds: their point cards, then for each step its cards and who took a point card
    after it (the seat + 1, 0 for nobody); for a settled round ``_SETTLED`` and who took the rest; at last
    how many cards were exchanged. ``UndTschuess.rounds`` reads it.
    """

    size: int
    dealer: Seat
    kinds: list[bytes]
    spares: list[bytes]
    pile: bytes
    sums: list[int]
    chosen: list[int]
    phase: int = LAY_OUT
    middle: bytes = b""
    inside: int = 0
    due: int = 0
    first_out: Seat = NOBODY
    room: int = 0
    next_seat: Seat = NOBODY
    number: int = 0
    laid_off: bytes = b""
    log: bytes = b""
    reshuffle: Reshuffle | None = None

    def clone(self) -> RoundState:
        """An equal state that shares nothing changeable with this one."""
        return RoundState(
            self.size,
            self.dealer,
            self.kinds.copy(),
            self.spares.copy(),
            self.pile,
            self.sums.copy(),
            self.chosen.copy(),
            self.phase,
            self.middle,
            self.inside,
            self.due,
            self.first_out,
            self.room,
            self.next_seat,
            self.number,
            self.laid_off,
            self.log,
            self.reshuffle,
        )

    def hand(self, seat: Seat) -> bytes:
        """A seat's hand, ascending."""
        return bytes(sorted(self.kinds[seat] + self.spares[seat]))

    def hand_size(self, seat: Seat) -> int:
        """How many cards a seat holds."""
        return len(self.kinds[seat]) + len(self.spares[seat])

    def held(self) -> int:
        """How many cards all seats together hold."""
        return len(b"".join(self.kinds)) + len(b"".join(self.spares))

    def give(self, seat: Seat, cards: Iterable[int]) -> None:
        """Add cards to a hand."""
        kinds, spares = bytearray(self.kinds[seat]), bytearray(self.spares[seat])
        for card in cards:
            (spares if card in kinds else kinds).append(card)
        self.kinds[seat], self.spares[seat] = bytes(sorted(kinds)), bytes(spares)


class Step(NamedTuple):
    """One reveal: who was inside, their cards in the same order, who took a point card (or ``NOBODY``)."""

    seats: tuple[Seat, ...]
    cards: bytes
    taker: Seat


class Round(NamedTuple):
    """A round, finished or not.

    ``settled`` are those who took point cards when it was settled, in that order. ``exchanged`` is the
    number of cards exchanged after it, ``None`` when that is not over or there was no exchange.
    """

    point_cards: bytes
    steps: list[Step]
    settled: tuple[Seat, ...]
    exchanged: int | None

    @property
    def takers(self) -> list[Seat]:
        """Who took the point cards, from the lowest on."""
        return [step.taker for step in self.steps if step.taker != NOBODY] + list(self.settled)


class StepView(TypedDict):
    """One reveal: a value a seat, ``None`` for those who were out; who took a point card after it."""

    cards: list[int | None]
    taker: int | None


class RoundView(TypedDict):
    """A round: point cards ascending (they are taken in this order), who took the rest when it was settled.

    ``exchanged`` is how many cards the seat that dropped out first exchanged after it, ``None`` until then.
    """

    point_cards: list[int]
    steps: list[StepView]
    settled: list[int]
    exchanged: int | None


class ReshuffleView(TypedDict):
    """The table when the discard pile was shuffled, after ``rounds`` rounds, at what is told by ``phase``.

    ``discards`` and ``laid_off`` were shuffled in: what was played, and what this seat had laid off (``None``
    for a spectator), besides other cards that lay face-down (``face_down``, by seat). ``hand`` is what the
    seat held, ``point_cards`` lay out for the round to come.
    """

    rounds: int
    phase: str
    discards: list[int]
    laid_off: list[int] | None
    face_down: list[int]
    hand: list[int] | None
    hand_sizes: list[int]
    point_cards: list[int]


class View(TypedDict):
    """What a seat may know; cards are their values, a list "by seat" has one entry a seat.

    ``hand``, ``chosen`` (the own choice that is still hidden from others) and ``laid_off`` (own cards
    face-down in the discard pile) are ``None`` for a spectator. ``point_cards`` lie in the middle, ``inside``
    are the seats that may still win one. By seat: ``hand_sizes``, ``sums`` of the round, ``won`` cards in
    the order they were taken, and how many cards laid off ``face_down`` are in the discard pile; ``discards``
    are its open cards. ``draw_pile`` and ``reshuffles`` (still permitted) are numbers. ``first_out`` dropped
    out first and may lay off ``room`` more cards. ``next_seat`` gets the next card when a refill waits for
    the reshuffle.
    """

    game: str
    seats: int
    seat: int | None
    hand_size: int
    phase: str
    dealer: int
    to_move: list[int]
    inside: list[int]
    point_cards: list[int]
    sums: list[int]
    hand: list[int] | None
    chosen: int | None
    hand_sizes: list[int]
    first_out: int | None
    room: int
    next_seat: int | None
    draw_pile: int
    reshuffles: int
    discards: list[int]
    face_down: list[int]
    laid_off: list[int] | None
    won: list[list[int]]
    rounds: list[RoundView]
    reshuffle: ReshuffleView | None


class UndTschuess(Game[RoundState, View]):
    """und Tschüss for 3 to 6 seats; the highest total of won cards wins."""

    key = "und-tschuess"
    version = 1
    seats = range(3, 7)
    options = (
        Option("hand_size", default=lambda seats: seats + 3, read=_read_hand_size),
        Option("deck", default=lambda seats: DEFAULT_DECK, read=_read_deck),
    )
    high_wins = True
    cooperative = False
    rules = """\
Values 1 to 15 six times each, -5 and -10 seven times each (ruling). Hands of players + 3 cards (ruling).
One card fewer than players lies face-up in the middle: the point cards of the round.
Everyone inside chooses a card, all are revealed together and added to what each has played in the round.
The lowest sum drops out and takes the lowest point card, be it negative; equal lowest sums: nobody does.
When two are left with one point card, the higher sum takes it and the other gets nothing; equal: once more.
Ruling: when somebody inside has no card left, the round is settled: from the lowest sum up each takes the
lowest point card, the second highest gets nothing, the highest the last; equal sums count clockwise from
the dealer's left, the earlier as the lower.
Then hands are refilled, one card at a time from the left of the dealer, who moves one seat to the left each
round. Who dropped out first may lay off cards face-down and then draws as many.
With 5 or 6 players the discard pile is shuffled once into a new draw pile when that has run out.
A round begins only if there are cards for all hands and the point cards. The highest total of won cards wins.
A move is a card's value, like 12 or -5; in the exchange lay off 12, one card at a time, and then done."""

    def __init__(self, deck: Deck = DECK) -> None:
        """The game with this deck; one of a few cards serves for looking closely at small positions."""
        self.deck = deck

    def read_options(self, seats: int, given: Mapping[str, Json] | None = None) -> dict[str, Json]:
        """All options with defaults filled in; the hand size has to fit the deck.

        Raises BadSetup naming the option and what is allowed.
        """
        read = super().read_options(seats, given)
        cards, hand_size = len(deck_in_use(read)), hand_size_in_use(seats, read)
        most = (cards - seats + 1) // seats
        if hand_size > most:
            raise BadSetup(
                "options.hand_size",
                f"The option hand_size of {self.key} with {seats} seats and a deck of {cards} cards must be "
                f"a whole number from {seats - 1} to {most}, not {hand_size}.",
            )
        return read

    def with_options(self, options: Mapping[str, Any]) -> Self:
        """The game with the deck agreed on."""
        cards = options["deck"]
        if cards == DEFAULT_DECK:
            return self if self.deck is DECK else type(self)()
        return type(self)(deck_of(tuple(cards)))

    # Dealing.

    def start(self, seats: int, options: Mapping[str, Any], rng: Random) -> RoundState:
        """Deal hands one card at a time from the dealer's left, then the point cards; the last seat deals."""
        size: int = options["hand_size"]
        pile = bytes(shuffled(self.deck.cards, rng))
        # The last seat is the dealer, so that the first card goes to seat 0.
        hands = [pile[seat : seats * size : seats] for seat in range(seats)]
        return self.position(hands, pile[seats * size :], dealer=seats - 1)

    def position(self, hands: Sequence[bytes], pile: bytes, dealer: Seat) -> RoundState:
        """The state before the first step with these full hands and the point cards on top of the pile."""
        nothing = [b""] * len(hands)
        state = RoundState(
            size=len(hands[0]),
            dealer=dealer,
            kinds=nothing.copy(),
            spares=nothing,
            pile=pile,
            sums=[0] * len(hands),
            chosen=[0] * len(hands),
        )
        for seat, hand in enumerate(hands):
            state.give(seat, hand)
        self._deal_on(state)
        return state

    def _deal_on(self, state: RoundState) -> None:
        """Go on dealing until somebody has to choose, or the draw pile has run out and chance is due."""
        if state.phase == REFILL:
            if not self._refill(state):
                return
            state.phase = EXCHANGE
            state.due = 1 << state.first_out
            to_come = len(state.kinds) - 1
            state.room = min(state.size, len(state.pile) + self._permitted(state) - to_come)
            return
        if state.phase == DRAW:
            missing = state.size - state.hand_size(state.first_out)
            cards = self._top(state, missing)
            state.give(state.first_out, cards)
            if len(cards) < missing:
                return
            state.phase = LAY_OUT
        seats = len(state.kinds)
        state.middle += self._top(state, seats - 1 - len(state.middle))
        if len(state.middle) < seats - 1:
            return
        state.middle = bytes(sorted(state.middle))
        state.log += state.middle
        state.number += 1
        state.sums = [0] * seats
        state.first_out = NOBODY
        state.phase = CHOOSE
        state.inside = state.due = (1 << seats) - 1

    def _top(self, state: RoundState, number: int) -> bytes:
        """Take so many cards off the draw pile, or all there are."""
        cards = state.pile[:number]
        state.pile = state.pile[number:]
        return cards

    def _refill(self, state: RoundState) -> bool:
        """Deal to all that have fewer cards than a full hand; whether all are full now."""
        kinds, spares, size, alone = state.kinds, state.spares, state.size, self.deck.alone
        missing = tuple([size - len(held) - len(more) for held, more in zip(kinds, spares, strict=True)])
        order = _laps(missing, state.next_seat)
        cards = self._top(state, len(order))
        for seat, card in zip(order, cards, strict=False):
            (spares if card in kinds[seat] else kinds)[seat] += alone[card]
        kinds[:] = [bytes(sorted(held)) for held in kinds]
        if len(cards) < len(order):
            state.next_seat = order[len(cards)]
            return False
        state.next_seat = NOBODY
        return True

    def _permitted(self, state: RoundState) -> int:
        """Between rounds: how many cards a reshuffle that is still permitted would bring."""
        seats = len(state.kinds)
        if state.reshuffle is not None or not reshuffles(seats):
            return 0
        # The discard pile has what is in no hand, not in the draw pile, and has not been won.
        elsewhere = state.held() + len(state.pile) + state.number * (seats - 1)
        return len(self.deck.cards) - elsewhere

    def chance_due(self, state: RoundState) -> bool:
        """Whether a card is needed and the draw pile has run out."""
        return state.phase >= REFILL

    def settle(self, state: RoundState, rng: Random) -> None:
        """Shuffle the discard pile, the cards laid off included, into a new draw pile, and deal on.

        What is shuffled is first all played cards, step by step and in each by seat, then all cards laid off in
        their order.
        """
        if not self.chance_due(state):
            raise RuntimeError(f"No reshuffle of {self.key} is due.")
        state.reshuffle = Reshuffle(
            rounds=state.number,
            phase=state.phase,
            sizes=bytes(map(state.hand_size, range(len(state.kinds)))),
            hands=b"".join(map(state.hand, range(len(state.kinds)))),
            laid_off=len(state.laid_off),
            middle=state.middle,
        )
        state.pile = bytes(shuffled(_played_in(self.rounds(state)) + state.laid_off, rng))
        self._deal_on(state)

    # Playing.

    def to_move(self, state: RoundState) -> tuple[Seat, ...]:
        """All inside who have not chosen yet, or the one who exchanges; none at the end or for chance."""
        return _seats_in[state.due]

    def legal(self, state: RoundState, seat: Seat) -> tuple[Move, ...]:
        """The different cards of the hand, ascending: to play, or, if there is room, to lay off before done."""
        if not state.due >> seat & 1:
            return ()
        kinds = state.kinds[seat]
        if state.phase == CHOOSE:
            return tuple(kinds)
        deck = self.deck
        return (*[deck.kinds + kind for kind in kinds], deck.done) if state.room else (deck.done,)

    def advance(self, state: RoundState, seat: Seat, move: Move) -> None:
        """Choose a card, the last choice reveals all; or lay off a card, or draw and go on."""
        deck = self.deck
        if move == deck.done:
            state.log += bytes((state.size - state.hand_size(seat),))
            state.due = state.room = 0
            state.phase = DRAW
            self._deal_on(state)
            return
        kind = move % deck.kinds
        card = deck.alone[kind]
        held = state.spares if kind in state.spares[seat] else state.kinds
        held[seat] = held[seat].replace(card, b"", 1)
        if move != kind:
            state.laid_off += card
            state.room -= 1
            return
        state.chosen[seat] = kind
        state.due ^= 1 << seat
        if not state.due:
            self._reveal(state)

    def rollout(self, state: RoundState, rng: Random) -> None:
        """As for every game and with the same draws, but all who choose in a step, or lay off, do so at once."""
        random, deck, kinds, spares, chosen = rng.random, self.deck, state.kinds, state.spares, state.chosen
        alone = deck.alone
        while True:
            if state.phase == CHOOSE:
                for seat in _seats_in[state.due]:
                    hand = kinds[seat]
                    kind = chosen[seat] = hand[int(random() * len(hand))]
                    held = spares if kind in spares[seat] else kinds
                    held[seat] = held[seat].replace(alone[kind], b"", 1)
                state.due = 0
                self._reveal(state)
            elif state.phase == EXCHANGE:
                seat = state.first_out
                while True:
                    hand = kinds[seat] if state.room else b""
                    choice = int(random() * (len(hand) + 1))
                    if choice == len(hand):
                        break
                    kind = hand[choice]
                    held = spares if kind in spares[seat] else kinds
                    held[seat] = held[seat].replace(alone[kind], b"", 1)
                    state.laid_off += alone[kind]
                    state.room -= 1
                self.advance(state, seat, deck.done)
            elif state.phase == OVER:
                return
            else:
                self.settle(state, rng)

    def _reveal(self, state: RoundState) -> None:
        """Add the chosen cards to the sums; somebody may drop out, and the round may be over."""
        inside, sums, values, chosen = _seats_in[state.inside], state.sums, self.deck.values, state.chosen
        cards: list[int] = []
        totals: list[int] = []
        for seat in inside:
            card = chosen[seat]
            sums[seat] = total = sums[seat] + values[card]
            cards.append(card)
            totals.append(total)
        # The lowest sum drops out, and of the last two the higher takes the last card; equal ones play on.
        deciding = min(totals) if len(totals) > 2 else max(totals)
        if totals.count(deciding) == 1:
            taker = inside[totals.index(deciding)]
            cards.append(taker + 1)
            state.middle = state.middle[1:]
            state.inside ^= 1 << taker
            if state.first_out == NOBODY:
                state.first_out = taker
        else:
            cards.append(0)
        state.log += bytes(cards)
        if not state.middle:
            self._end_round(state)
        elif state.kinds[inside[0]]:
            state.due = state.inside
        else:
            # All who played in this step have played equally many, so that nobody has a card left.
            self._settle_round(state)
            self._end_round(state)

    def _settle_round(self, state: RoundState) -> None:
        """No cards left: from the lowest sum on each takes a point card, but for the second highest."""
        sums, seats = state.sums, len(state.sums)
        order = sorted(_seats_in[state.inside], key=lambda seat: (sums[seat], (seat - state.dealer - 1) % seats))
        takers = [*order[:-2], order[-1]]
        state.log += bytes((_SETTLED, *takers))
        state.middle = b""
        if state.first_out == NOBODY:
            state.first_out = takers[0]

    def _end_round(self, state: RoundState) -> None:
        """Go on to the next round if there are cards enough for it."""
        seats = len(state.kinds)
        state.inside = 0
        needed = seats * state.size - state.held() + seats - 1
        if len(state.pile) + self._permitted(state) < needed:
            state.phase = OVER
            return
        state.dealer = (state.dealer + 1) % seats
        state.next_seat = (state.dealer + 1) % seats
        state.phase = REFILL
        self._deal_on(state)

    def outcome(self, state: RoundState) -> Outcome | None:
        """The totals of the cards won, once no further round can begin."""
        if state.phase != OVER:
            return None
        scores = tuple(map(sum, self._won(self.rounds(state), len(state.kinds))))
        return Outcome(scores, competition_places(scores, high_wins=self.high_wins), "cards_ran_out")

    def turn_limit(self, seats: int, options: Mapping[str, Any]) -> int:
        """In each of the rounds that there can be, everyone plays a hand, and one lays it off and says done."""
        size = hand_size_in_use(seats, options)
        return most_rounds(len(deck_in_use(options)), seats, size) * ((seats + 1) * size + 1)

    def objection(self, state: RoundState, seat: Seat, move: Move) -> str:
        """The card is not in the hand, the move belongs to the other part of the game, or there is no room."""
        deck = self.deck
        if not 0 <= move <= deck.done:
            return f"{move} is no move of this game."
        word = deck.words[move]
        if state.phase == CHOOSE and move >= deck.kinds:
            return f"{word} is for the exchange between rounds; now everyone inside plays a card."
        if state.phase == EXCHANGE and move < deck.kinds:
            return f"The round has not begun: you may exchange cards (lay off {word}), or say done."
        if move % deck.kinds not in state.kinds[seat]:
            return f"{deck.words[move % deck.kinds]} is not in your hand."
        return f"{word} is too many: no further card could be drawn for it. Say done."

    def parse(self, word: str) -> Move:
        """A value such as ``12``, ``lay off 12`` or ``done``."""
        return self.deck.read_move(word)

    def describe(self, move: Move) -> str:
        """The word of a move."""
        return self.deck.words[move]

    # What has happened.

    def rounds(self, state: RoundState) -> Iterator[Round]:
        """The rounds so far, the last one perhaps unfinished."""
        log, seats = state.log, len(state.kinds)
        at = 0

        def read(number: int) -> bytes:
            nonlocal at
            at += number
            return log[at - number : at]

        while at < len(log):
            point_cards = read(seats - 1)
            inside, left = (1 << seats) - 1, seats - 1
            steps: list[Step] = []
            settled: tuple[Seat, ...] = ()
            while left and at < len(log):
                if log[at] == _SETTLED:
                    settled = tuple(read(1 + left)[1:])
                    left = 0
                    continue
                members = _seats_in[inside]
                cards, taker = read(len(members)), read(1)[0] - 1
                steps.append(Step(members, cards, taker))
                if taker != NOBODY:
                    inside ^= 1 << taker
                    left -= 1
            yield Round(point_cards, steps, settled, read(1)[0] if at < len(log) else None)

    def _won(self, rounds: Iterable[Round], seats: int) -> list[list[int]]:
        """By seat: the values of the cards won."""
        won: list[list[int]] = [[] for _ in range(seats)]
        for finished in rounds:
            for seat, card in zip(finished.takers, finished.point_cards, strict=False):
                won[seat].append(self.deck.values[card])
        return won

    def _exchanges(self, state: RoundState) -> list[tuple[Seat, int]]:
        """Who laid off how many cards, in their order; an exchange under way is the last."""
        sizes = [(past.takers[0], past.exchanged) for past in self.rounds(state) if past.exchanged is not None]
        if state.phase == EXCHANGE:
            sizes.append((state.first_out, state.size - state.hand_size(state.first_out)))
        return sizes

    def _face_down(self, state: RoundState) -> tuple[list[bytes], list[bytes]]:
        """By seat: the cards laid off that were shuffled into the new draw pile, and those laid off since."""
        before = [b""] * len(state.kinds)
        after = before.copy()
        shuffled_in = 0 if state.reshuffle is None else state.reshuffle.laid_off
        at = 0
        for seat, size in self._exchanges(state):
            (before if at + size <= shuffled_in else after)[seat] += state.laid_off[at : at + size]
            at += size
        return before, after

    def view(self, state: RoundState, seat: Seat | None) -> View:
        """Everything but the other hands, the draw pile, others' pending choices and cards laid off."""
        values_of, seats = self.deck.values_of, len(state.kinds)
        rounds = list(self.rounds(state))
        before, after = self._face_down(state)
        shuffled_in = 0 if state.reshuffle is None else state.reshuffle.rounds
        pending = 0 if seat is None or state.phase != CHOOSE else (state.inside & ~state.due) >> seat & 1
        return {
            "game": self.key,
            "seats": seats,
            "seat": seat,
            "hand_size": state.size,
            "phase": PHASES[state.phase],
            "dealer": state.dealer,
            "to_move": list(_seats_in[state.due]),
            "inside": list(_seats_in[state.inside]),
            "point_cards": values_of(state.middle),
            "sums": state.sums.copy(),
            "hand": None if seat is None else values_of(state.hand(seat)),
            "chosen": self.deck.values[state.chosen[seat]] if seat is not None and pending else None,
            "hand_sizes": list(map(state.hand_size, range(seats))),
            "first_out": None if state.first_out == NOBODY else state.first_out,
            "room": state.room,
            "next_seat": None if state.next_seat == NOBODY else state.next_seat,
            "draw_pile": len(state.pile),
            "reshuffles": reshuffles(seats) - (state.reshuffle is not None),
            "discards": values_of(_played_in(rounds[shuffled_in : state.number - (state.phase == CHOOSE)])),
            "face_down": list(map(len, after)),
            "laid_off": None if seat is None else values_of(after[seat]),
            "won": self._won(rounds, seats),
            "rounds": [self._show_round(past, seats) for past in rounds],
            "reshuffle": None
            if state.reshuffle is None
            else {
                "rounds": state.reshuffle.rounds,
                "phase": PHASES[state.reshuffle.phase],
                "discards": values_of(_played_in(rounds[: state.reshuffle.rounds])),
                "laid_off": None if seat is None else values_of(before[seat]),
                "face_down": list(map(len, before)),
                "hand": None if seat is None else values_of(state.reshuffle.hand(seat)),
                "hand_sizes": list(state.reshuffle.sizes),
                "point_cards": values_of(state.reshuffle.middle),
            },
        }

    def _show_round(self, past: Round, seats: int) -> RoundView:
        steps: list[StepView] = []
        for step in past.steps:
            cards: list[int | None] = [None] * seats
            for seat, card in zip(step.seats, step.cards, strict=True):
                cards[seat] = self.deck.values[card]
            steps.append({"cards": cards, "taker": None if step.taker == NOBODY else step.taker})
        return {
            "point_cards": self.deck.values_of(past.point_cards),
            "steps": steps,
            "settled": list(past.settled),
            "exchanged": past.exchanged,
        }

    # What may be hidden behind a view.

    def determinize(self, view: View, rng: Random) -> RoundState:
        """A state in which the cards that the seat can't see are spread at random, single card by single card.

        Until the reshuffle all spreads are equally likely. After it some cards can only be in hands that were
        kept over it, others only where the new draw pile went: see ``games.rules.und_tschuess_origins`` for
        how evenly they are spread then. A pending choice is any card of the hand it was made from.
        """
        state = self._shown(view)
        pending = [0] * view["seats"]
        if state.phase == CHOOSE:
            for seat in _seats_in[state.inside & ~state.due]:
                pending[seat] = 1
        if view["reshuffle"] is None:
            self._deal_unseen(state, view, pending, rng)
        else:
            self._deal_origins(state, view, view["reshuffle"], pending, rng)
        return state

    def _shown(self, view: View) -> RoundState:
        """The state without what is hidden: other hands are of the right size but without meaning."""
        kinds_of, seats = self.deck.kinds_of, view["seats"]
        log = b""
        for past in view["rounds"]:
            log += kinds_of(past["point_cards"])
            for step in past["steps"]:
                log += kinds_of(card for card in step["cards"] if card is not None)
                log += bytes((0 if step["taker"] is None else step["taker"] + 1,))
            if past["settled"]:
                log += bytes((_SETTLED, *past["settled"]))
            if past["exchanged"] is not None:
                log += bytes((past["exchanged"],))
        return RoundState(
            size=view["hand_size"],
            dealer=view["dealer"],
            kinds=[bytes(size) for size in view["hand_sizes"]],
            spares=[b""] * seats,
            pile=b"",
            sums=list(view["sums"]),
            chosen=[0] * seats,
            phase=PHASES.index(view["phase"]),
            middle=kinds_of(view["point_cards"]),
            inside=sum(1 << seat for seat in view["inside"]),
            due=sum(1 << seat for seat in view["to_move"]),
            first_out=NOBODY if view["first_out"] is None else view["first_out"],
            room=view["room"],
            next_seat=NOBODY if view["next_seat"] is None else view["next_seat"],
            number=len(view["rounds"]),
            log=log,
        )

    def _own_cards(self, view: View) -> bytes:
        """What the watching seat holds or has chosen, sorted; a spectator has nothing."""
        chosen = () if view["chosen"] is None else (view["chosen"],)
        return bytes(sorted(self.deck.kinds_of((*(view["hand"] or ()), *chosen))))

    def _hand_out(
        self, state: RoundState, view: View, held: Sequence[Sequence[int]], pending: Sequence[int], rng: Random
    ) -> None:
        """Set hands and pending choices; ``held`` has the cards of the other seats, choices included."""
        for seat, cards in enumerate(held):
            hand = list(cards)
            if seat == view["seat"]:
                hand = list(self.deck.kinds_of(view["hand"] or ()))
                if view["chosen"] is not None:
                    state.chosen[seat] = self.deck.kind_of[view["chosen"]]
            elif pending[seat]:
                state.chosen[seat] = hand.pop(int(rng.random() * len(hand)))
            state.kinds[seat] = b""
            state.give(seat, hand)

    def _deal_unseen(self, state: RoundState, view: View, pending: Sequence[int], rng: Random) -> None:
        """Spread the unseen cards where nothing is known of them: before the reshuffle."""
        deck, rounds = self.deck, list(self.rounds(state))
        lying = b"" if state.phase == CHOOSE else state.middle
        own_laid_off = deck.kinds_of(view["laid_off"] or ())
        seen = (_points_in(rounds), lying, _played_in(rounds), self._own_cards(view), own_laid_off)
        unseen = iter(shuffled(deck.without(*seen), rng))
        held = [
            [] if seat == view["seat"] else list(islice(unseen, size + pending[seat]))
            for seat, size in enumerate(view["hand_sizes"])
        ]
        own = iter(own_laid_off)
        state.laid_off = b"".join(
            bytes(islice(own if seat == view["seat"] else unseen, size)) for seat, size in self._exchanges(state)
        )
        self._hand_out(state, view, held, pending, rng)
        state.pile = bytes(unseen)

    def _deal_origins(
        self, state: RoundState, view: View, then: ReshuffleView, pending: Sequence[int], rng: Random
    ) -> None:
        """Spread the unseen cards after the reshuffle: over hands kept over it, and the new draw pile."""
        deck, watcher, kinds_of = self.deck, view["seat"], self.deck.kinds_of
        rounds = list(self.rounds(state))
        past, since = rounds[: then["rounds"]], rounds[then["rounds"] :]
        own_then, middle_then = kinds_of(then["hand"] or ()), kinds_of(then["point_cards"])
        own_before, own_since = kinds_of(then["laid_off"] or ()), kinds_of(view["laid_off"] or ())
        played = kinds_of(then["discards"])
        departed = self._departed(state, then, rounds)
        own_played = bytes(one.kind for one in departed if one.seat == watcher and one.kind != FACE_DOWN)
        sizes = [size + more for size, more in zip(view["hand_sizes"], pending, strict=True)]
        spread = spread_origins(
            Known(
                unseen=deck.without(_points_in(past), middle_then, played, own_then, own_before),
                shuffled_in=played + own_before,
                drawn=minus(self._own_cards(view) + own_played + own_since, own_then)
                + minus(_points_in(since), middle_then),
                kept=[0 if seat == watcher else size for seat, size in enumerate(then["hand_sizes"])],
                held=[0 if seat == watcher else size for seat, size in enumerate(sizes)],
                departed=[one for one in departed if one.seat != watcher],
            ),
            rng,
        )
        returned, own_returned = iter(spread.returned), iter(own_before)
        laid_off = [iter(own_since if seat == watcher else cards) for seat, cards in enumerate(spread.laid_off)]
        number_before = sum(then["face_down"])
        for seat, size in self._exchanges(state):
            before = len(state.laid_off) + size <= number_before
            source = (own_returned if seat == watcher else returned) if before else laid_off[seat]
            state.laid_off += bytes(islice(source, size))
        hands_then = [own_then if seat == watcher else bytes(sorted(cards)) for seat, cards in enumerate(spread.kept)]
        state.reshuffle = Reshuffle(
            rounds=then["rounds"],
            phase=PHASES.index(then["phase"]),
            sizes=bytes(then["hand_sizes"]),
            hands=b"".join(hands_then),
            laid_off=number_before,
            middle=middle_then,
        )
        self._hand_out(state, view, spread.held, pending, rng)
        state.pile = bytes(spread.pile)

    def _departed(self, state: RoundState, then: ReshuffleView, rounds: Sequence[Round]) -> list[Departed]:
        """All cards that have left a hand since the reshuffle, and how many fresh ones their seat had drawn."""
        drawn = [state.size - size for size in then["hand_sizes"]]
        exchanges = self._exchanges(state)
        departed: list[Departed] = []
        for number, past in enumerate(rounds, start=1):
            if number > then["rounds"]:
                cards = [(seat, card) for step in past.steps for seat, card in zip(step.seats, step.cards, strict=True)]
                departed += [Departed(seat, card, drawn[seat]) for seat, card in cards]
                # Refilling hands is next; when it is not, because the round goes on or all is over, nothing follows.
                for seat, _ in cards:
                    drawn[seat] += 1
            elif number < then["rounds"] or PHASES.index(then["phase"]) != REFILL:
                continue
            if number <= len(exchanges):
                seat, size = exchanges[number - 1]
                departed += [Departed(seat, FACE_DOWN, drawn[seat])] * size
                drawn[seat] += size
        return departed

    def draw(self, view: View) -> str:
        """The middle and the seats, then the own cards, the piles and the rounds so far."""
        seats, watcher = view["seats"], view["seat"]
        seen_by = "a spectator" if watcher is None else f"seat {watcher}"
        lines = [f"{self.key}, {seats} seats, dealer {view['dealer']}, seen by {seen_by}"]
        lines.append(f"round {len(view['rounds'])}, {_DOING[view['phase']]}; point cards: {_line(view['point_cards'])}")
        steps = view["rounds"][-1]["steps"] if view["rounds"] and view["phase"] == PHASES[CHOOSE] else []
        for seat in range(seats):
            lines.append(self._draw_seat(view, seat, [step["cards"][seat] for step in steps]))
        if view["hand"] is not None:
            lines.append(f"hand: {_line(view['hand'])}")
        if view["chosen"] is not None:
            lines.append(f"chosen: {view['chosen']}")
        if view["phase"] == PHASES[EXCHANGE]:
            lines.append(f"seat {view['first_out']} may lay off {view['room']} more")
        reshuffle = ", to be reshuffled once" if view["reshuffles"] else ""
        lines.append(f"draw pile: {counted(view['draw_pile'], 'card')}{reshuffle}")
        lines.append(f"discard pile: {_line(sorted(view['discards']))}, face-down {sum(view['face_down'])}")
        if view["laid_off"]:
            lines.append(f"laid off by you: {_line(view['laid_off'])}")
        if view["reshuffle"] is not None:
            then = view["reshuffle"]
            lines.append(
                f"reshuffled after round {then['rounds']}: {_line(sorted(then['discards']))}, "
                f"face-down {sum(then['face_down'])}"
            )
        lines += [_draw_round(number, past) for number, past in enumerate(view["rounds"], start=1)]
        return "\n".join(part for line in lines for part in wrap(line, _WIDTH, subsequent_indent="    "))

    def _draw_seat(self, view: View, seat: Seat, cards: Sequence[int | None]) -> str:
        playing = view["phase"] == PHASES[CHOOSE]
        played = [card for card in cards if card is not None]
        parts = [f"seat {seat}:"]
        if playing:
            parts.append(f"sum {view['sums'][seat]} ({_line(played)}){'' if seat in view['inside'] else ' out'},")
        won = view["won"][seat]
        parts.append(f"{counted(view['hand_sizes'][seat], 'card')}, won {sum(won)} ({_line(won)})")
        if seat in view["to_move"]:
            parts.append("*")
        return " ".join(parts)


_DOING: Final = dict(
    zip(PHASES, ("choosing", "exchange", "over", "to be refilled", "drawing", "to be laid out"), strict=True)
)


def _line(cards: Iterable[int]) -> str:
    return " ".join(map(str, cards)) or "-"


def _draw_round(number: int, past: RoundView) -> str:
    """For example ``round 1 for -5 3 12: 7 2 9 9 (2: seat 1) ...``."""
    parts = [f"round {number} for {_line(past['point_cards'])}:"]
    for step in past["steps"]:
        parts.append(" ".join("." if card is None else str(card) for card in step["cards"]))
        if step["taker"] is not None:
            parts.append(f"-> seat {step['taker']}")
        parts.append("|")
    if past["settled"]:
        parts.append(f"settled: {', '.join(f'seat {seat}' for seat in past['settled'])} |")
    if past["exchanged"] is not None:
        parts.append(f"exchanged {past['exchanged']} |")
    return " ".join(parts).removesuffix(" |")


def _played_in(rounds: Iterable[Round]) -> bytes:
    """All cards played in rounds, in the order of the steps and in each by seat."""
    return b"".join(step.cards for past in rounds for step in past.steps)


def _points_in(rounds: Iterable[Round]) -> bytes:
    """All point cards of rounds."""
    return b"".join(past.point_cards for past in rounds)


GAME: Final = UndTschuess()
