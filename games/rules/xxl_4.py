"""XXL game 4, "Straßenbau" (docs/rules/xxl.md, "Game 4").

Terms. A *straight* is three cards with consecutive numbers of one colour (``games.rules.xxl_4_straights``).
The *display* are the face-up cards that all may use. A turn has two *steps*: the straight, then an exchange
with the display or a lay into it. A turn is *quiet* when it neither laid a straight nor took a card from
the draw pile. A hand card is *known* when everybody saw it go from the display into that hand.

Moves are numbered: first the straights, one for each set of three cards, by run; then the exchanges, one
for each pair of cards; then the lays, one for each card; last ``done``, which ends a turn.

Never: keeps in a state what was seen; that follows from the order of the deck and the moves.

Cards, sets of cards and colours are as in ``games.rules.xxl_deck``.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, NamedTuple, TypedDict

from games.core import NOBODY, Move, Outcome, Seat, UnreadableMove, competition_places, counted, one_seat, shuffled
from games.rules.xxl_4_straights import straights_of
from games.rules.xxl_deck import COLOURS, DECK, Deck, as_set, bit, cards_in, deal_hands
from games.rules.xxl_game import XxlGame, drawing

HAND: Final = 4
DISPLAY: Final = 2
_CARDS_OF_A_STRAIGHT = 3
_UNKNOWN = -1
_TRIES_FOR_BEGINNER = 1000
_MOST_TRIES = 20_000
_LINES_OF_HISTORY = 6
_CARD = rf"((?:{'|'.join(COLOURS)})[0-9]+/(?:{'|'.join(COLOURS)})[0-9]+)"
_MOVE = re.compile(rf"(straight){_CARD * 3}|(exchange){_CARD}for{_CARD}|(lay){_CARD}|(done)")
_HOW_TO_WRITE = (
    "A move is written as 'straight CARD CARD CARD', 'exchange HAND CARD for DISPLAY CARD', 'lay HAND CARD' or 'done'."
)


@dataclass(slots=True)
class StraightsState:
    """A position. ``order`` is the shuffled deck, hands and display first; ``taken`` counts what has left the pile.

    ``hands`` has one set of cards a seat, ``display`` is a set of cards. ``turn`` is the seat to move,
    ``NOBODY`` at the end; ``step_two`` says that it has laid its straight in this turn. ``quiet`` counts the
    quiet turns in a row. ``moves`` are all moves so far: what everybody has seen follows from them.
    """

    dealer: Seat
    order: bytes
    first: Seat
    hands: list[int]
    display: int
    taken: int
    turn: Seat
    points: list[int]
    step_two: bool = False
    quiet: int = 0
    # Two bytes a move: as a list, a long game would take several KB.
    moves: array[int] = field(default_factory=lambda: array("H"))

    def clone(self) -> StraightsState:
        """An equal state that shares nothing changeable with this one."""
        return StraightsState(
            self.dealer,
            self.order,
            self.first,
            self.hands.copy(),
            self.display,
            self.taken,
            self.turn,
            self.points.copy(),
            self.step_two,
            self.quiet,
            self.moves[:],
        )


class Event(NamedTuple):
    """A move and what it changed, in sets of cards: all but ``drawn`` is seen by everybody.

    ``shown`` are the cards that went from the draw pile to the display.
    """

    seat: Seat
    move: Move
    from_hand: int
    from_display: int
    drawn: int
    shown: int


class EventView(TypedDict):
    """A move as everybody has seen it; ``kind`` is straight, exchange, lay or done.

    ``drew`` counts the cards that the seat drew, ``shown`` are those that then went from the draw pile to the
    display, in their order.
    """

    seat: int
    kind: str
    from_hand: list[str]
    from_display: list[str]
    drew: int
    shown: list[str]


class View(TypedDict):
    """What a seat may know.

    ``hand``, the cards ``dealt`` to it and those it has ``drawn`` since (in their order) are ``None`` for a
    spectator. ``known`` are the cards of each hand that everybody knows. ``step_two`` says whether the seat
    to move has laid its straight, ``quiet`` counts the quiet turns in a row, ``draw_pile`` its cards.
    ``first`` is the seat that began, ``first_display`` what lay in the display then.
    """

    game: str
    seats: int
    seat: int | None
    dealer: int
    first: int
    to_move: list[int]
    step_two: bool
    quiet: int
    points: list[int]
    hand: list[str] | None
    hand_sizes: list[int]
    known: list[list[str]]
    display: list[str]
    draw_pile: int
    dealt: list[str] | None
    drawn: list[str] | None
    first_display: list[str]
    events: list[EventView]


class _Seen(NamedTuple):
    """What a view says about the order of the deck.

    ``order`` has the cards whose place is certain. ``dealt`` are the places that each hand has from the deal,
    none for the watcher's own. Each of ``steps`` is a seat, the cards that came out of its hand without being
    known before, and the places it then drew. ``unseen`` are the cards that nobody has shown.
    """

    order: list[int]
    dealt: list[list[int]]
    steps: list[tuple[Seat, list[int], range]]
    unseen: tuple[int, ...]
    moves: list[Move]

    def guess(self, rng: Random) -> list[int]:
        """A whole order: each shown card at one of the places it can have come from, the unseen cards anywhere.

        However many of its places a hand has given up, the next card shown has as many to choose from: all
        choices lead to equally many orders, so that each order is equally likely.
        """
        random = rng.random
        order = self.order.copy()
        hands = [places.copy() for places in self.dealt]
        for seat, cards, drawn in self.steps:
            places = hands[seat]
            for card in cards:
                order[places.pop(int(random() * len(places)))] = card
            places += drawn
        unseen = iter(shuffled(self.unseen, rng))
        return [next(unseen) if card == _UNKNOWN else card for card in order]


class Strassenbau(XxlGame[StraightsState, View]):
    """Game 4 for 2 to 6 seats; the highest total of laid straights wins."""

    key = "xxl-4"
    version = 1
    high_wins = True
    rules = """\
4 cards each; two face-up cards form the display. Whoever has the most hand points begins (equal: the first
clockwise from the dealer's left).
A straight is three cards with consecutive numbers of one colour. A turn has up to two steps, in this order:
1. Lay one straight from at least one hand card and at most two display cards. The hand is refilled to 4,
   then the display with as many cards as were taken from it, each as far as the draw pile lasts.
2. Exchange a hand card for a display card, or lay a hand card into the display and draw one (for which the
   draw pile needs a card). After this step the turn is over.
Both steps are optional; doing neither is a pass. When all players one after another have finished a turn
without a straight and without a card from the draw pile (passes and exchanges), its top card is added to
the display.
The end: the draw pile is empty and nobody can lay a straight, looked up after each finished turn; or all
players one after another have finished a turn with an empty draw pile and laid no straight.
Rulings: an added card comes before the end is looked up; three cards that make two straights count once; a
hand below 4 stays so when the draw pile is empty.
The highest total value of laid straights wins. A move is 'straight red1/blue7 green1/red2 red3/yellow5',
'exchange red1/blue7 for red4/green8' (the hand card first), 'lay red1/blue7', or 'done', which ends the turn."""

    def __init__(self, deck: Deck = DECK) -> None:
        """The game with this deck; with fewer cards at least as many as are dealt and shown."""
        super().__init__(deck)
        cards = len(deck.cards)
        self.straights = straights_of(deck)
        self.first_exchange = len(self.straights.sets)
        self.first_lay = self.first_exchange + cards * cards
        self.done = self.first_lay + cards

    def start(self, seats: int, options: Mapping[str, Any], rng: Random) -> StraightsState:
        """Deal; the seat with the most hand points begins."""
        return self.position(shuffled(range(len(self.deck.cards)), rng), seats, options["dealer"])

    def position(self, order: Sequence[int], seats: int, dealer: Seat, first: Seat | None = None) -> StraightsState:
        """The state before the first move with the deck in this order; ``first`` begins, by default as ruled."""
        hands = deal_hands(order, seats, HAND, dealer)
        shown = seats * HAND + DISPLAY
        if first is None:
            first = self.beginner(hands, dealer)
        return StraightsState(
            dealer, bytes(order), first, hands, as_set(order[seats * HAND : shown]), shown, first, [0] * seats
        )

    def to_move(self, state: StraightsState) -> tuple[Seat, ...]:
        """The one seat whose turn it is; none at the end."""
        return one_seat[state.turn]

    def legal(self, state: StraightsState, seat: Seat) -> tuple[Move, ...]:
        """Straights (in step 1), exchanges, lays (with a card in the draw pile), ``done``; ascending."""
        if seat != state.turn:
            return ()
        hand, display = state.hands[seat], state.display
        moves = [] if state.step_two else self.straights.possible(hand, display)
        cards, shown = cards_in(hand), cards_in(display)
        for card in cards:
            row = self.first_exchange + card * len(self.deck.cards)
            moves += [row + other for other in shown]
        if state.taken < len(state.order):
            moves += [self.first_lay + card for card in cards]
        moves.append(self.done)
        return tuple(moves)

    def advance(self, state: StraightsState, seat: Seat, move: Move) -> None:
        """Do a step or end the turn; step 2 ends it too."""
        state.moves.append(move)
        if move < self.first_exchange:
            self._lay_straight(state, seat, move)
        elif move < self.first_lay:
            card, other = divmod(move - self.first_exchange, len(self.deck.cards))
            both = bit[card] | bit[other]
            state.hands[seat] ^= both
            state.display ^= both
            self._end_turn(state, state.quiet + 1)
        elif move < self.done:
            card = move - self.first_lay
            state.hands[seat] ^= bit[card] | bit[state.order[state.taken]]
            state.taken += 1
            state.display |= bit[card]
            self._end_turn(state, 0)
        else:
            self._end_turn(state, state.quiet + 1)

    def _lay_straight(self, state: StraightsState, seat: Seat, move: Move) -> None:
        straight = self.straights.sets[move]
        hand = state.hands[seat] & ~straight
        from_display = state.display & straight
        state.points[seat] += self.straights.values[move]
        state.hands[seat] = hand | _draw(state, HAND - hand.bit_count())
        state.display = state.display ^ from_display | _draw(state, from_display.bit_count())
        state.step_two = True
        state.quiet = 0

    def _end_turn(self, state: StraightsState, quiet: int) -> None:
        """``quiet`` is the count of quiet turns if this one laid no straight."""
        seats = len(state.hands)
        if state.step_two:
            state.step_two, quiet = False, 0
        state.turn = (state.turn + 1) % seats
        if quiet == seats and state.taken < len(state.order):
            state.display |= _draw(state, 1)
            quiet = 0
        state.quiet = quiet
        # The turn that takes the last card of the pile sets the count to 0, so that with an empty pile it
        # counts just the turns that began with it.
        if state.taken == len(state.order) and (quiet == seats or not self._straight_left(state.hands, state.display)):
            state.turn = NOBODY

    def _straight_left(self, hands: Sequence[int], display: int) -> bool:
        return any(self.straights.runs(hand, display) for hand in hands)

    def rollout(self, state: StraightsState, rng: Random) -> None:
        """As for every game; only the move that is drawn is made, out of about 60 legal ones.

        Straights stand in the draw as often as any card has some: a hand card is drawn and one of the straights
        it is in. That is void when the other cards are not there, or a lower card of the hand is in it (by which
        it is drawn too), so that each legal move stays equally likely. Lists of the cards are kept beside the sets.
        """
        random, order, hands = rng.random, state.order, state.hands
        using, most_using = self.straights.using, self.straights.most_using
        held, shown = [list(cards_in(hand)) for hand in hands], list(cards_in(state.display))
        while (seat := state.turn) != NOBODY:
            cards, hand, taken = held[seat], hands[seat], state.taken
            together = hand | state.display
            exchanges = len(cards) * len(shown)
            others = exchanges + 1 if taken == len(order) else exchanges + len(cards) + 1
            total = others if state.step_two else others + len(cards) * most_using
            while (choice := int(random() * total)) >= others:
                card = cards[(choice - others) // most_using]
                move, straight = using[card][(choice - others) % most_using]
                if straight | together == together and not straight & hand & (bit[card] - 1):
                    break
            if choice < exchanges:
                own, other = choice % len(cards), choice // len(cards)
                both = bit[cards[own]] | bit[shown[other]]
                state.moves.append(self.first_exchange + cards[own] * len(order) + shown[other])
                cards[own], shown[other] = shown[other], cards[own]
                hands[seat] ^= both
                state.display ^= both
                self._end_turn(state, state.quiet + 1)
                shown += order[taken : state.taken]
                continue
            if choice < others:
                move = self.done if choice == others - 1 else self.first_lay + cards[choice - exchanges]
            self.advance(state, seat, move)
            held[seat], shown = list(cards_in(hands[seat])), list(cards_in(state.display))

    def outcome(self, state: StraightsState) -> Outcome | None:
        """The totals of the straights laid.

        The reason is ``round_without_straight`` when the players have laid none all round with an empty
        draw pile, otherwise ``no_straight_left``.
        """
        if state.turn != NOBODY:
            return None
        scores = tuple(state.points)
        reason = "round_without_straight" if state.quiet == len(scores) else "no_straight_left"
        return Outcome(scores, competition_places(scores, high_wins=self.high_wins), reason)

    def turn_limit(self, seats: int, options: Mapping[str, Any]) -> int:
        """Every ``seats`` quiet turns in a row take a card from the pile or end the game.

        So the game is made of rounds that end with a straight, with a card taken from the pile in another
        way, or with the game: at most one for every three cards of the deck, one for every card of the
        pile, and one. None has more turns than seats, a turn is one move, and one more with a straight.
        """
        straights = len(self.deck.cards) // _CARDS_OF_A_STRAIGHT
        pile = len(self.deck.cards) - seats * HAND - DISPLAY
        return seats * (straights + pile + 1) + straights

    def objection(self, state: StraightsState, seat: Seat, move: Move) -> str:
        """What is wrong: the step, the place of a card, or the draw pile."""
        if not 0 <= move <= self.done:
            return f"{move} is no move of this game."
        hand = state.hands[seat]
        if move < self.first_exchange:
            return self._objection_to_straight(state, hand, self.straights.sets[move])
        card, other = self._cards(move)
        words = self.deck.words
        if not hand >> card & 1:
            return f"{words[card]} is not in your hand."
        if other != _UNKNOWN:
            return f"{words[other]} is not in the display."
        return f"The draw pile is empty: {words[card]} could be laid only if you could draw a card for it."

    def _objection_to_straight(self, state: StraightsState, hand: int, straight: int) -> str:
        if state.step_two:
            return "You have laid a straight in this turn; a turn has only one."
        if missing := self.deck.words_of(straight & ~hand & ~state.display):
            return f"{missing[0]} is neither in your hand nor in the display."
        return "A straight needs a card of your hand: these three lie in the display."

    def _cards(self, move: Move) -> tuple[int, int]:
        """The hand card of an exchange or a lay, and the display card, ``_UNKNOWN`` for a lay."""
        if move >= self.first_lay:
            return move - self.first_lay, _UNKNOWN
        return divmod(move - self.first_exchange, len(self.deck.cards))

    def parse(self, word: str) -> Move:
        """One of the four kinds of move; the cards of a straight in any order, their halves in either."""
        found = _MOVE.fullmatch("".join(word.split()).lower())
        if found is None:
            raise UnreadableMove(f"{word[:40]!r} is no move of this game. {_HOW_TO_WRITE}")
        verb, *written = filter(None, found.groups())
        try:
            cards = [self.deck.read_word(card) for card in written]
        except UnreadableMove as error:
            raise UnreadableMove(f"{error} {_HOW_TO_WRITE}") from error
        match verb:
            case "straight":
                straight = self.straights.move_of.get(as_set(cards))
                if straight is None:
                    three = ", ".join(self.deck.words[card] for card in cards)
                    raise UnreadableMove(
                        f"{three} are no straight: three cards with consecutive numbers of one colour. {_HOW_TO_WRITE}"
                    )
                return straight
            case "exchange":
                card, other = cards
                return self.first_exchange + card * len(self.deck.cards) + other
            case "lay":
                return self.first_lay + cards[0]
            case _:
                return self.done

    def describe(self, move: Move) -> str:
        """The words of a straight's cards are in the order of the deck."""
        if move < self.first_exchange:
            return f"straight {' '.join(self.deck.words_of(self.straights.sets[move]))}"
        if move == self.done:
            return "done"
        card, other = self._cards(move)
        if other == _UNKNOWN:
            return f"lay {self.deck.words[card]}"
        return f"exchange {self.deck.words[card]} for {self.deck.words[other]}"

    def events(self, state: StraightsState) -> Iterator[Event]:
        """All moves so far with what they changed."""
        again = self.position(state.order, len(state.hands), state.dealer, state.first)
        for move in state.moves:
            seat, display, taken = again.turn, again.display, again.taken
            hand = again.hands[seat]
            self.advance(again, seat, move)
            after, fresh = again.hands[seat], as_set(state.order[taken : again.taken])
            yield Event(seat, move, hand & ~after, display & ~again.display, fresh & after, fresh & again.display)

    def _kind(self, move: Move) -> str:
        if move < self.first_exchange:
            return "straight"
        return "exchange" if move < self.first_lay else "lay" if move < self.done else "done"

    def view(self, state: StraightsState, seat: Seat | None) -> View:
        """Everything but the draw pile and what is not known of the other hands."""
        deck, seats = self.deck, len(state.hands)
        words, words_of = deck.words, deck.words_of
        known = [0] * seats
        drawn: list[str] = []
        events: list[EventView] = []
        taken = seats * HAND + DISPLAY
        first_display = [words[card] for card in state.order[taken - DISPLAY : taken]]
        for event in self.events(state):
            drew, shown = event.drawn.bit_count(), event.shown.bit_count()
            if event.seat == seat:
                drawn += [words[card] for card in state.order[taken : taken + drew]]
            taken += drew + shown
            known[event.seat] &= ~event.from_hand
            kind = self._kind(event.move)
            if kind == "exchange":
                known[event.seat] |= event.from_display
            events.append(
                {
                    "seat": event.seat,
                    "kind": kind,
                    "from_hand": words_of(event.from_hand),
                    "from_display": words_of(event.from_display),
                    "drew": drew,
                    "shown": [words[card] for card in state.order[taken - shown : taken]],
                }
            )
        return {
            "game": self.key,
            "seats": seats,
            "seat": seat,
            "dealer": state.dealer,
            "first": state.first,
            "to_move": list(self.to_move(state)),
            "step_two": state.step_two,
            "quiet": state.quiet,
            "points": list(state.points),
            "hand": None if seat is None else words_of(state.hands[seat]),
            "hand_sizes": [hand.bit_count() for hand in state.hands],
            "known": [words_of(cards) for cards in known],
            "display": words_of(state.display),
            "draw_pile": len(state.order) - state.taken,
            "dealt": None if seat is None else words_of(deal_hands(state.order, seats, HAND, state.dealer)[seat]),
            "drawn": None if seat is None else drawn,
            "first_display": first_display,
            "events": events,
        }

    def determinize(self, view: View, rng: Random) -> StraightsState:
        """An order of the deck that explains all that was seen, every such order equally likely.

        That the seat that began had the most hand points says a little about its hand: orders are drawn
        until that fits too, or given up after many tries (docs/rules/determinization.md). Raises ValueError
        when no order explains the view.
        """
        seats = view["seats"]
        seen = self._seen(view, rng)
        tries = _TRIES_FOR_BEGINNER
        for _ in range(_MOST_TRIES):
            order = seen.guess(rng)
            if tries and self.beginner(deal_hands(order, seats, HAND, view["dealer"]), view["dealer"]) != view["first"]:
                tries -= 1
                continue
            state = self._replay(self.position(order, seats, view["dealer"], view["first"]), seen.moves)
            if state is not None and list(self.to_move(state)) == view["to_move"]:
                return state
        raise ValueError("No order of the deck explains this view.")

    def _replay(self, state: StraightsState, moves: Sequence[Move]) -> StraightsState | None:
        """The position after these moves; ``None`` when the game is over before the last."""
        for move in moves:
            if state.turn == NOBODY:
                return None
            self.advance(state, state.turn, move)
        return state

    def _seen(self, view: View, rng: Random) -> _Seen:
        """What follows from the view; ``rng`` puts the watcher's dealt cards in one of their equal orders."""
        deck, seats, own = self.deck, view["seats"], view["seat"]
        order = [_UNKNOWN] * len(deck.cards)
        taken = seats * HAND
        left_of_dealer = (view["dealer"] + 1) % seats
        dealt = [list(range((seat - left_of_dealer) % seats, taken, seats)) for seat in range(seats)]
        order[taken : taken + DISPLAY] = map(deck.read_word, view["first_display"])
        taken += DISPLAY
        drawn = map(deck.read_word, view["drawn"] or ())
        if own is not None:
            own_cards = shuffled(map(deck.read_word, view["dealt"] or ()), rng)
            for place, card in zip(dealt[own], own_cards, strict=True):
                order[place] = card
            dealt[own] = []
        known = [0] * seats
        unseen = deck.all_cards
        steps: list[tuple[Seat, list[int], range]] = []
        moves: list[Move] = []
        for event in view["events"]:
            seat = event["seat"]
            from_hand = [deck.read_word(word) for word in event["from_hand"]]
            from_display = [deck.read_word(word) for word in event["from_display"]]
            moves.append(self._move(event["kind"], from_hand, from_display))
            places = range(taken, taken + event["drew"])
            if seat == own:
                for place in places:
                    order[place] = next(drawn)
            else:
                hidden = [card for card in from_hand if not known[seat] >> card & 1]
                steps.append((seat, hidden, places))
                unseen &= ~as_set(hidden)
            known[seat] &= ~as_set(from_hand)
            if event["kind"] == "exchange":
                known[seat] |= as_set(from_display)
            taken += event["drew"]
            for word in event["shown"]:
                order[taken] = deck.read_word(word)
                taken += 1
        unseen &= ~as_set(card for card in order if card != _UNKNOWN)
        return _Seen(order, dealt, steps, cards_in(unseen), moves)

    def _move(self, kind: str, from_hand: Sequence[int], from_display: Sequence[int]) -> Move:
        if kind == "straight":
            return self.straights.move_of[as_set((*from_hand, *from_display))]
        if kind == "exchange":
            return self.first_exchange + from_hand[0] * len(self.deck.cards) + from_display[0]
        return self.first_lay + from_hand[0] if kind == "lay" else self.done

    def draw(self, view: View) -> str:
        """The straights laid, the last moves, the seats with cards and points, the display, the own hand."""
        lines = [self.heading(view)]
        for event in view["events"]:
            if event["kind"] == "straight":
                cards = event["from_hand"] + event["from_display"]
                points = self.deck.hand_points(self.deck.read_words(cards))
                lines.append(f"seat {event['seat']} laid {' '.join(cards)}: {points} points")
        lines += [_tell(event) for event in view["events"][-_LINES_OF_HISTORY:]]
        for seat in range(view["seats"]):
            mark = ""
            if seat in view["to_move"]:
                mark = " * (straight laid)" if view["step_two"] else " *"
            known = f", known: {' '.join(view['known'][seat])}" if view["known"][seat] else ""
            hand, score = counted(view["hand_sizes"][seat], "card"), counted(view["points"][seat], "point")
            lines.append(f"seat {seat}: {hand}, {score}{known}{mark}")
        lines.append(
            f"draw pile: {counted(view['draw_pile'], 'card')}; turns without a straight or a draw: {view['quiet']}"
        )
        lines.append(f"display: {' '.join(view['display']) or '-'}")
        if view["hand"] is not None:
            lines.append(f"hand: {' '.join(view['hand']) or '-'}")
        return drawing(lines)


def _tell(event: EventView) -> str:
    """An event as a line of text."""
    words = [f"- seat {event['seat']}:", event["kind"], *event["from_hand"]]
    if event["from_display"]:
        words += ["for" if event["kind"] == "exchange" else "with", *event["from_display"]]
    if event["shown"]:
        words += ["-> display:", *event["shown"]]
    return " ".join(words)


def _draw(state: StraightsState, most: int) -> int:
    """The next cards of the draw pile, fewer when it runs out; they are taken."""
    cards = state.order[state.taken : state.taken + most]
    state.taken += len(cards)
    return sum(map(bit.__getitem__, cards))


GAME: Final = Strassenbau()
