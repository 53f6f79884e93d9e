"""Many games of XXL 1, 2 or 5 at once, played to their end by fast rules of thumb.

Terms as in ``games.rules.xxl_shedding``. A *lane* is one game; the same seat is to move in all lanes, which differ in
hands, draw piles and tables. Arrays have a row a lane. Cards are *ranked*: renumbered by what is laid first, so that of
a set of cards, an int with 55 bits, the lowest bit is the card to lay.

Promises: whole numbers alone, so that all machines agree; each lane ends as the engine would end it (a test plays both
side by side).
Never: deals, looks at a view, or draws from a random source.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.core import Seat
from games.rules import xxl_1, xxl_2, xxl_5
from games.rules.xxl_deck import NUMBERS, Deck, cards_in

Sets = NDArray[np.uint64]
Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]

KEPT = -1
_PART = 11
_NONE = np.uint64(0)
_ONE = np.uint64(1)


def single(cards: Whole) -> Sets:
    """By card: the set of it alone."""
    return _ONE << cards.astype(np.uint64)


def count(cards: Sets) -> Whole:
    """By set: how many cards it has."""
    return np.bitwise_count(cards).astype(np.int64)


def lowest(cards: Sets) -> Sets:
    """By set: the set of its lowest card alone; of the empty set the empty one."""
    return cards & (~cards + _ONE)


def member(one: Sets) -> Whole:
    """By set of a single card: the card; of the empty set some number beyond the deck."""
    return count(one - _ONE)


class ManyGames:
    """What the three games share. A *table* is a row of small ints of each game's own, in ranked cards."""

    def __init__(self, deck: Deck, weights: Sequence[float]) -> None:
        """``weights`` by card: what is laid first has the highest."""
        self.order = sorted(range(len(deck.cards)), key=lambda card: (-weights[card], card))
        """By rank: the card."""
        self.rank = [0] * len(self.order)
        for rank, card in enumerate(self.order):
            self.rank[card] = rank
        self.having = [[self.ranked(cards) for cards in row] for row in deck.having]
        """By index in ``COLOURS`` and number: the set of ranked cards with that half."""
        self.totals = np.array([deck.totals[card] for card in self.order])
        """By rank."""
        self._points = np.array(
            [
                [sum(int(total) for i, total in enumerate(part) if some >> i & 1) for some in range(1 << _PART)]
                for part in (self.totals[first : first + _PART] for first in range(0, 55, _PART))
            ]
        )

    def ranked(self, cards: int) -> int:
        """A set of cards in ranks."""
        return sum(1 << self.rank[card] for card in cards_in(cards))

    def points(self, hands: Sets) -> Whole:
        """By set of ranked cards, an array of any shape."""
        parts = [
            table[(hands >> np.uint64(_PART * number) & np.uint64((1 << _PART) - 1)).astype(np.int64)]
            for number, table in enumerate(self._points)
        ]
        points: Whole = np.sum(parts, axis=0)
        return points

    doubt: int
    """A card that would have been laid before is this power of 2 less likely to be in a hand."""

    @abstractmethod
    def table_of(self, table: Sequence[int]) -> list[int]:
        """The table of an engine's state."""

    @abstractmethod
    def fitting(self, tables: Whole) -> Sets:
        """By lane: the set of cards that fit."""

    @abstractmethod
    def step(self, tables: Whole, offered: Sets, drawn: Flags, held: Sets, laid: Sets) -> Sets:
        """Lay one of the cards offered, none where there are none, or where it was drawn and is kept.

        ``held`` is the hand with what was drawn, ``laid`` what has been laid by all. Changes ``tables``; by lane the
        set of the card laid.
        """

    @abstractmethod
    def likelier(self, table: Any, fitting: int, gone: int, held: int, laid: int) -> int:
        """The set of cards that a seat would have laid rather than do what it did.

        ``table`` as the rule of thumb has it (``games.bots.greedy_shedding``), ``fitting`` the cards that fitted,
        ``gone`` those laid before, ``held`` how many the seat held; ``laid`` is the card that it laid from its hand, or
        ``KEPT``: it kept a card that it had drawn. Cards are ranked.
        """

    def run(self, hands: Sets, piles: Whole, seat: Seat, tables: Whole, laid: Sets) -> Sets:
        """Play on to the end; the hands then.

        ``hands`` has a column a seat, ``piles`` the draw pile from its top. Nothing that is given is changed.
        """
        ended, seats = hands.copy(), hands.shape[1]
        lanes, columns = np.arange(len(hands)), list(hands.T.copy())
        tables, goes, next_card, size = (
            tables.copy(),
            self.fitting(tables),
            np.zeros(len(hands), np.int64),
            piles.shape[1],
        )
        over = (hands == _NONE).any(axis=1)
        while True:
            if size == 0 or int(next_card.max(initial=0)) == size:
                over |= (next_card == size) & (_union(columns) & goes == _NONE)
            if over.any():
                for column, hand in zip(ended.T, columns, strict=True):
                    column[lanes[over]] = hand[over]
                going = np.flatnonzero(~over)
                if not len(going):
                    return ended
                columns = [hand[going] for hand in columns]
                lanes, next_card, goes, laid = lanes[going], next_card[going], goes[going], laid[going]
                tables = tables[going]
            held = columns[seat]
            offered = held & goes
            drawn = (offered == _NONE) & (next_card < size)
            drawers = np.flatnonzero(drawn)
            tops = single(piles[lanes[drawers], next_card[drawers]])
            next_card[drawers] += 1
            held[drawers] |= tops
            offered[drawers] = tops & goes[drawers]
            chosen = self.step(tables, offered, drawn, held, laid)
            held ^= chosen
            laid = laid | chosen
            goes = self.fitting(tables)
            over = held == _NONE
            seat = (seat + 1) % seats


def _union(columns: Sequence[Sets]) -> Sets:
    union = columns[0]
    for column in columns[1:]:
        union = union | column
    return union


class ManyTwoPiles(ManyGames):
    """For XXL 1. The table is the two tops as in ``games.rules.xxl_1``, with ranked cards.

    What is laid first: the total less 1.8 for each card next to it. A card that fits in several ways is laid so that
    fewest cards fit then.
    """

    doubt = 2

    def __init__(self, game: xxl_1.RaufUndRunter) -> None:
        deck = game.deck
        near = [
            sum(
                deck.having[colour][number + step].bit_count()
                for colour, number in halves
                for step in (-1, 1)
                if number + step in NUMBERS
            )
            for halves in game.halves
        ]
        super().__init__(deck, [total - 1.8 * number for total, number in zip(deck.totals, near, strict=True)])
        self._halves = [game.halves[card] for card in self.order]
        tops = len(self.order) * 5
        self._ways = np.full((tops, 64, 2), -1, np.int64)
        """By top, card and half of the card, the low one first: the top that it becomes, -1 where it doesn't fit."""
        for top in range(tops):
            self._fill(top)
        fits = [sum(1 << card for card in range(64) if (self._ways[top, card] >= 0).any()) for top in range(tops)]
        self._fitting = np.array(fits, np.uint64)

    def _fill(self, top: int) -> None:
        card, fixed = divmod(top, 5)
        for half, up, down in ((0, xxl_1.LOW_UP, xxl_1.LOW_DOWN), (1, xxl_1.HIGH_UP, xxl_1.HIGH_DOWN)):
            colour, number = self._halves[card][half]
            for step, barred in ((1, down), (-1, up)):
                if fixed == barred or number + step not in NUMBERS:
                    continue
                for other in cards_in(self.having[colour][number + step]):
                    by = self._halves[other].index((colour, number + step))
                    direction = (xxl_1.HIGH_UP if by else xxl_1.LOW_UP) + (step < 0)
                    self._ways[top, other, by] = other * 5 + direction

    def table_of(self, table: Sequence[int]) -> list[int]:
        """The two tops."""
        return [self.rank[top // 5] * 5 + top % 5 for top in table]

    def fitting(self, tables: Whole) -> Sets:
        """On either top."""
        return self._fitting[tables[:, 0]] | self._fitting[tables[:, 1]]

    def step(self, tables: Whole, offered: Sets, drawn: Flags, held: Sets, laid: Sets) -> Sets:
        """A drawn card that fits is laid."""
        chosen = lowest(offered)
        some = np.flatnonzero(chosen)
        cards, tops = member(chosen[some]), tables[some]
        ways = self._ways[tops, cards[:, None]].reshape(-1, 4)
        others = self._fitting[tops[:, ::-1]].repeat(2, axis=1)
        offers = np.where(ways < 0, 64, count(self._fitting[ways] | others))
        best = offers.argmin(axis=1)
        tables[some, best // 2] = ways[np.arange(len(some)), best]
        return chosen

    def likelier(self, table: Any, fitting: int, gone: int, held: int, laid: int) -> int:
        """Those of a lower rank. What a seat keeps tells nothing."""
        return 0 if laid == KEPT else fitting & ((1 << laid) - 1)


class ManyUnder(ManyGames):
    """For XXL 2. The table is the top card. What is laid first: the total less a quarter for each card that fits."""

    doubt = 4

    def __init__(self, game: xxl_2.ImmerSchoenDrunterBleiben) -> None:
        deck = game.deck
        below = [[sum(row[:number]) for number in NUMBERS] for row in deck.having]
        under = [below[low_colour][low] | below[colour][high] for (low_colour, low), (colour, high) in game.halves]
        offers = [0.25 * cards.bit_count() for cards in under]
        worth = [total - offer for total, offer in zip(deck.totals, offers, strict=True)]
        super().__init__(deck, worth)
        self._under = np.array([self.ranked(under[card]) for card in self.order], np.uint64)
        """By card: the set of cards that fit on it."""
        self._laid = np.array(
            [
                sum(1 << self.rank[card] for card, rated in enumerate(worth) if rated >= 5.5 - offers[top])
                for top in self.order
            ],
            np.uint64,
        )
        """By top card: the set of cards that are laid, not kept, when they are drawn."""

    def table_of(self, table: Sequence[int]) -> list[int]:
        """The top card."""
        return [self.rank[table[0]]]

    def fitting(self, tables: Whole) -> Sets:
        """On the top card."""
        return self._under[tables[:, 0]]

    def step(self, tables: Whole, offered: Sets, drawn: Flags, held: Sets, laid: Sets) -> Sets:
        """Low cards are kept when they are drawn."""
        chosen = lowest(offered)
        chosen[drawn & (chosen & self._laid[tables[:, 0]] == _NONE)] = _NONE
        some = np.flatnonzero(chosen)
        tables[some, 0] = member(chosen[some])
        return chosen

    def likelier(self, table: Any, fitting: int, gone: int, held: int, laid: int) -> int:
        """Those of a lower rank; of those drawn the ones that are not kept."""
        return fitting & (int(self._laid[self.rank[table]]) if laid == KEPT else (1 << laid) - 1)


class ManyRuns(ManyGames):
    """For XXL 5. The table is the number that each run wants, 10 where it is not open.

    By its total, and more, the more unseen cards could have gone there: they wait for the next run. A drawn card is
    kept that few others could lay there, and that is of few points: it holds the run up for them.
    """

    doubt = 3
    TOTAL, BLOCKED, KEEPING = 13, 4000, 240
    """In twentieths of a point: what a point, the share of the unseen cards, and keeping are worth."""

    def __init__(self, game: xxl_5.AufDieReiheBekommen) -> None:
        super().__init__(game.deck, game.deck.totals)
        self._wanting = np.array(self.having, np.uint64)
        self._all = np.uint64((1 << len(self.order)) - 1)

    def table_of(self, table: Sequence[int]) -> list[int]:
        """What the runs want."""
        return list(table)

    def fitting(self, tables: Whole) -> Sets:
        """On any run."""
        return _union([wanting[wanted] for wanting, wanted in zip(self._wanting, tables.T, strict=True)])

    def step(self, tables: Whole, offered: Sets, drawn: Flags, held: Sets, laid: Sets) -> Sets:
        """On each run the card of the highest total is weighed."""
        unseen = self._all & ~laid & ~held
        many = np.maximum(count(unseen), 1)
        best, kept = np.full(len(tables), -1), self.KEEPING * many
        best[drawn] = kept[drawn]
        chosen, run = np.zeros(len(tables), np.uint64), np.zeros(len(tables), np.int64)
        points = self.TOTAL * many
        for colour, (wanting, wanted) in enumerate(zip(self._wanting, tables.T, strict=True)):
            having = wanting[wanted]
            some = np.flatnonzero(having & offered)
            having = having[some]
            cards = lowest(having & offered[some])
            ratings = points[some] * self.totals[member(cards)] + self.BLOCKED * count(having & unseen[some])
            better = ratings > best[some]
            some = some[better]
            best[some], chosen[some], run[some] = ratings[better], cards[better], colour
        some = np.flatnonzero(chosen)
        tables[some, run[some]] = (tables[some, run[some]] - 1) % len(NUMBERS)
        return chosen

    def likelier(self, table: Any, fitting: int, gone: int, held: int, laid: int) -> int:
        """Those that rate higher; the seat's own hand, which it had seen and nobody else, is left out of account."""
        there = int(self._all) & ~gone
        many = max(1, there.bit_count() - held)
        ratings: dict[int, int] = {}
        for having, wanted in zip(self.having, table, strict=True):
            others = max(0, (having[wanted] & there).bit_count() - 1)
            for card in cards_in(having[wanted] & fitting):
                rating = self.TOTAL * many * int(self.totals[card]) + self.BLOCKED * others
                ratings[card] = max(rating, ratings.get(card, 0))
        least = self.KEEPING * many if laid == KEPT else ratings[laid]
        return sum(1 << card for card, rating in ratings.items() if rating > least)


def many_games(game: Any) -> ManyGames:
    """For the game with its deck."""
    kinds: dict[str, type[Any]] = {"xxl-1": ManyTwoPiles, "xxl-2": ManyUnder, "xxl-5": ManyRuns}
    made: ManyGames = kinds[game.key](game)
    return made
