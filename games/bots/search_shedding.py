"""Search for the shedding games of XXL, 1, 2 and 5: determinized Monte Carlo with rollouts by fast rules of thumb.

Terms as in ``games.rules.xxl_shedding`` and ``games.bots.searching``. Thousands of rollouts are played at once
(``games.bots.search_shedding_many``). What counts is the place, and a little the points.

*Worlds.* Drawing one from the engine costs as much as hundreds of rollouts. So a few are drawn, and each is changed
into many: the draw pile is shuffled, and hidden cards change places, two at a time, wherever both may be where they
come to. All moves are tried in the same worlds.

*What play tells.* A seat that has laid one card has hardly got another one that the rule of thumb would have laid
sooner; one that kept a drawn card will not have drawn one worth laying. So changes that come to such cards are made
with a smaller chance (the Metropolis algorithm): worlds are the less likely, the more such cards are in their hands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from games.bots.budget import USUAL, Budget
from games.bots.greedy_shedding import RunsRule, SheddingRule, TwoPilesRule, UnderRule
from games.bots.search_shedding_many import KEPT, Flags, ManyGames, Sets, Whole, many_games, single
from games.core import Move, Seat
from games.rules.xxl_deck import NO_CARD, bit, cards_in
from games.rules.xxl_shedding import DRAW, KEEP, PASS, SheddingGame, SheddingState

ROLLOUTS: Final = 3000
_BATCH: Final = 1000
"""Worlds that are played on at once."""
_DRAWN: Final = 64
"""Worlds that come from one drawn from the engine."""
_CHANGES: Final = 3
"""How often each hidden card of a hand changes its place, if it may."""
_CARDS: Final = 55
_CERTAIN: Final = np.uint64(1 << 32)
_A_PLACE: Final = 250
"""In points."""


class Worlds(NamedTuple):
    """By world, in ranked cards: hands with a column a seat, and the draw pile from its top."""

    hands: Sets
    piles: Whole


class Turn(NamedTuple):
    """A turn at the table, with the set of cards that fitted in it; ``last`` is its last move."""

    seat: Seat
    drew: bool
    last: Move
    fitting: int
    likelier: int
    """Ranked: what the seat would have laid rather than do that, if it had had it."""


class Mixer:
    """Random numbers for many worlds from one: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) of a counter."""

    def __init__(self, rng: Random) -> None:
        self._next = np.uint64(int(rng.random() * 2**53))

    def draw(self, *shape: int) -> Sets:
        """An array of 64 random bits each."""
        size = int(np.prod(shape))
        mixed = (np.arange(size, dtype=np.uint64) + self._next) * np.uint64(0x9E3779B97F4A7C15)
        self._next += np.uint64(size)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            mixed = (mixed ^ mixed >> np.uint64(shift)) * np.uint64(factor)
        return (mixed ^ mixed >> np.uint64(31)).reshape(shape)

    def below(self, limit: int, *shape: int) -> Whole:
        """An array of numbers from 0 to below a limit."""
        return ((self.draw(*shape) >> np.uint64(32)) * np.uint64(limit) >> np.uint64(32)).astype(np.int64)


class SheddingSearch:
    """Searches for the place; ``ROLLOUTS`` in all are shared out among the legal moves."""

    def __init__(self, game: SheddingGame, budget: Budget = USUAL) -> None:
        self.game = game
        self.budget = budget
        self._many = many_of(game)
        self._rule = _RULES[game.key](game)

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        """The move with the best average; of equal ones the first."""
        values = self.rate(view, legal, rng)
        return legal[max(range(len(legal)), key=values.__getitem__)]

    def rate(self, view: Any, legal: Sequence[Move], rng: Random) -> list[int]:
        """By legal move the sum of what it led to, in points, the higher the better."""
        seat, seats = view["seat"], view["seats"]
        values = np.zeros(len(legal), np.int64)
        size = min(_BATCH, max(8, (self.budget.iterations or ROLLOUTS) // len(legal)))
        for _ in self.budget.steps(ROLLOUTS, size * len(legal)):
            known, worlds = self.worlds(view, size, rng)
            own, tables, laid = [], [], []
            for move in legal:
                state = known.clone()
                self.game.advance(state, seat, move)
                own.append(self._many.ranked(state.hands[seat]))
                tables.append(self._many.table_of(state.table))
                laid.append(self._laid(state))
            hands = np.tile(worlds.hands, (len(legal), 1))
            hands[:, seat] = np.repeat(np.array(own, np.uint64), size)
            ended = self._many.run(
                hands,
                np.tile(worlds.piles, (len(legal), 1)),
                (seat + 1) % seats,
                np.repeat(np.array(tables, np.int64), size, axis=0),
                np.repeat(np.array(laid, np.uint64), size),
            )
            points = self._many.points(ended)
            mine = points[:, seat]
            better = (points < mine[:, None]).sum(axis=1)
            values -= (better * _A_PLACE + mine).reshape(len(legal), size).sum(axis=1)
        return [int(value) for value in values]

    def _laid(self, state: SheddingState) -> int:
        """The set of ranked cards that are neither in a hand nor in the draw pile."""
        cards = self.game.deck.all_cards
        for hand in state.hands:
            cards &= ~hand
        for card in state.rest[state.next :]:
            cards &= ~(1 << card)
        return self._many.ranked(cards)

    def worlds(self, view: Any, size: int, rng: Random) -> tuple[SheddingState, Worlds]:
        """So many worlds, and the last one of those drawn from the engine."""
        turns = self._turns(view)
        drawn = [self.game.determinize(view, rng) for _ in range(-(-size // _DRAWN))]
        places = [self._places(view, turns, state) for state in drawn]
        spread, mixer = Spread(places, size, self._many), Mixer(rng)
        spread.shuffle_piles(mixer)
        spread.change(_CHANGES, None if self.game.key == "xxl-1" else (view["first"], view["dealer"]), mixer)
        hands = spread.hands(view["seats"])
        hands[:, view["seat"]] = self._many.ranked(drawn[-1].hands[view["seat"]])
        return drawn[-1], Worlds(hands, spread.piles())

    def _turns(self, view: Any) -> list[Turn]:
        game, many = self.game, self._many
        table = self._rule.start([game.deck.read_word(word) for word in view["start"]])
        gone = game.deck.read_words(view["start"])
        held = [game.hand_size(view["seats"])] * view["seats"]
        turns = []
        for turn in view["turns"]:
            seat, moves = turn["seat"], [game.parse(word) for word in turn["moves"]]
            last, fitting = moves[-1], self._rule.fitting(table)
            held[seat] += moves[0] == DRAW
            likelier = 0
            if last == KEEP or moves[0] < DRAW:
                laid = KEPT if last == KEEP else many.rank[game.card_of(last)]
                likelier = many.likelier(table, many.ranked(fitting), many.ranked(gone), held[seat], laid)
            turns.append(Turn(seat, moves[0] == DRAW, last, fitting, likelier))
            if last < DRAW:
                table = self._rule.after(table, last)
                held[seat] -= 1
                gone |= bit[game.card_of(last)]
        return turns

    def _places(self, view: Any, turns: Sequence[Turn], state: SheddingState) -> Places:
        """Of a world drawn from the engine."""
        rank, ranked, game = self._many.rank, self._many.ranked, self.game
        drew = iter(state.rest[game.start_cards :])
        drawn = [next(drew) if turn.drew else NO_CARD for turn in turns]
        barred = [0] * len(state.hands)
        sums = [game.deck.hand_points(hand) for hand in state.hands]
        of_drawn: dict[int, int] = {}
        doubts = [[0] * _CARDS for _ in state.hands]
        doubts_of: dict[int, list[int]] = {}
        for turn, card in zip(reversed(turns), reversed(drawn), strict=True):
            if turn.last < DRAW:
                sums[turn.seat] += game.deck.totals[game.card_of(turn.last)]
            if card != NO_CARD:
                sums[turn.seat] -= game.deck.totals[card]
                of_drawn[card] = barred[turn.seat] | (~turn.fitting if turn.last == KEEP else turn.fitting)
                doubts_of[card] = _doubted(doubts[turn.seat], turn.likelier if turn.last == KEEP else 0)
            if turn.drew or turn.last == PASS:
                barred[turn.seat] |= turn.fitting
            else:
                doubts[turn.seat] = _doubted(doubts[turn.seat], turn.likelier)
        places = Places(sums)
        for seat, hand in enumerate(state.hands):
            for card in cards_in(hand) if seat != view["seat"] else ():
                places.seats.append(seat)
                places.cards.append(rank[card])
                places.dealt.append(card not in of_drawn)
                places.doubts.append(doubts_of.get(card, doubts[seat]))
                places.barred.append(ranked(of_drawn.get(card, barred[seat]) & game.deck.all_cards))
        places.pile.extend(rank[card] for card in state.rest[state.next :])
        return places


@dataclass(slots=True)
class Places:
    """Where the hidden cards of a world are, in ranks.

    Those in hands have a seat, whether they were dealt to it, the set of cards that can't be there, and by card how
    often it would have been laid before; then the draw pile, from its top. ``sums`` are the points of the dealt hands.
    """

    sums: list[int]
    seats: list[Seat] = field(default_factory=list)
    cards: list[int] = field(default_factory=list)
    dealt: list[bool] = field(default_factory=list)
    barred: list[int] = field(default_factory=list)
    doubts: list[list[int]] = field(default_factory=list)
    pile: list[int] = field(default_factory=list)


class Spread:
    """The hidden cards of many worlds, changed place by place. Arrays have a row a world and a column a place."""

    def __init__(self, drawn: Sequence[Places], size: int, many: ManyGames) -> None:
        """``drawn`` agree in how many cards each seat has."""
        each = -(-size // len(drawn))
        self._seats = drawn[0].seats
        self._in_hands = len(self._seats)
        pile = len(drawn[0].pile)
        self._seat_of = np.array([*self._seats, *[0] * pile], np.int64)

        def rows(of: Callable[[Places], Sequence[int]], kind: Any) -> Any:
            return np.repeat(np.array([of(places) for places in drawn], kind), each, axis=0)[:size]

        self._cards = rows(lambda places: [*places.cards, *places.pile], np.int64)
        self._barred = rows(lambda places: [*places.barred, *[0] * pile], np.uint64)
        self._dealt = rows(lambda places: [*places.dealt, *[0] * pile], np.int64)
        self._sums = rows(lambda places: places.sums, np.int64)
        self._doubts = np.array([[*places.doubts, *[[0] * _CARDS] * pile] for places in drawn], np.int64)
        """By world drawn from the engine, place and card."""
        self._origin = np.repeat(np.arange(len(drawn)), each)[:size]
        self._totals = many.totals
        self._doubt = many.doubt

    def shuffle_piles(self, mixer: Mixer) -> None:
        """Each draw pile by itself."""
        piles = self.piles()
        order = mixer.draw(*piles.shape).argsort(axis=1, kind="stable")
        self._cards[:, self._in_hands :] = np.take_along_axis(piles, order, axis=1)

    def change(self, times: int, beginner: tuple[Seat, Seat] | None, mixer: Mixer) -> None:
        """So many times let each card in a hand change its place with another one, if either may be there.

        ``beginner``: the seat that had the most points, and the dealer.
        """
        size, places = self._cards.shape
        worlds = np.arange(size)
        for place in [*range(self._in_hands)] * times:
            other = mixer.below(places, size)
            here, there = self._cards[:, place], self._cards[worlds, other]
            barred = self._barred[:, place] >> there.astype(np.uint64)
            barred |= self._barred[worlds, other] >> here.astype(np.uint64)
            may = np.flatnonzero(barred & np.uint64(1) == 0)
            other, here, there = other[may], here[may], there[may]
            doubts, origin = self._doubts, self._origin[may]
            more = doubts[origin, place, there] + doubts[origin, other, here]
            more -= doubts[origin, place, here] + doubts[origin, other, there]
            chance = _CERTAIN >> (self._doubt * more.clip(0, 8)).astype(np.uint64)
            likely = mixer.draw(len(may)) >> np.uint64(32) < chance
            may, other, here, there = may[likely], other[likely], here[likely], there[likely]
            if beginner is not None:
                gains = self._totals[there] - self._totals[here]
                sums = self._sums[may]
                sums[:, self._seats[place]] += gains * self._dealt[may, place]
                sums[np.arange(len(may)), self._seat_of[other]] -= gains * self._dealt[may, other]
                fits = _has_most(sums, *beginner)
                may, other, here, there = may[fits], other[fits], here[fits], there[fits]
                self._sums[may] = sums[fits]
            self._cards[may, place] = there
            self._cards[may, other] = here

    def hands(self, seats: int) -> Sets:
        """With a column a seat; of the own seat empty."""
        hands = np.zeros((len(self._cards), seats), np.uint64)
        for place, seat in enumerate(self._seats):
            hands[:, seat] |= single(self._cards[:, place])
        return hands

    def piles(self) -> Whole:
        """The draw piles, from their tops."""
        piles: Whole = self._cards[:, self._in_hands :]
        return piles


def _has_most(sums: Whole, first: Seat, dealer: Seat) -> Flags:
    """Whether a seat has the most points; of equal ones it must be the first clockwise from the dealer's left."""
    seats = sums.shape[1]
    behind = (np.arange(seats) - dealer - 1) % seats
    most: Flags = (sums * seats - behind).argmax(axis=1) == first
    return most


def _doubted(doubts: Sequence[int], cards: int) -> list[int]:
    """With one doubt more about some ranked cards."""
    more = list(doubts)
    for card in cards_in(cards):
        more[card] += 1
    return more


_RULES: Mapping[str, Callable[[Any], SheddingRule[Any]]] = {
    "xxl-1": TwoPilesRule,
    "xxl-2": UnderRule,
    "xxl-5": RunsRule,
}


@lru_cache(maxsize=32)
def many_of(game: SheddingGame) -> ManyGames:
    """Kept, since a series of games makes its bots for each deal."""
    return many_games(game)
