"""Many rounds of und Tschüss at once, played to their end by the rule of thumb (``games.bots.greedy_rounds``).

Terms as in ``games.rules.und_tschuess``; a card is its value. A *lane* is one round; all lanes stand at the same step
with the same sums and point cards, and differ in hands and cards played. Arrays have a row a lane, then, where it
says so, a column a seat. Cards in hands are ascending. Since one point card goes with each seat that drops out, lanes
with equally many seats inside have the same point cards left; these are played on together.

Promises: every card, taker and equal sum is as in the engine, and every choice as the rule of thumb rates it, of
equally rated cards the lowest (a test plays both side by side). Numbers are whole, or added and multiplied one by
one in a fixed order, so that machines don't differ.
Never: deals, refills, or looks at a view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.bots.greedy_rounds import Outlook, Prices
from games.core import NOBODY, Seat

Whole = NDArray[np.int64]
Real = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Start:
    """Where all lanes stand: the sums of all seats, who is inside and the point cards left, both ascending.

    ``own`` is a seat that plays on by prices of its own.
    """

    sums: Sequence[int]
    inside: Sequence[Seat]
    point_cards: Sequence[int]
    dealer: Seat
    first_out: Seat
    own: Seat = NOBODY


@dataclass(slots=True)
class Ended:
    """Rounds that are over. By lane: who took the first point card; by lane and seat: points won, and cards held.

    ``worth`` sums a table over the cards held, ``spare`` another one.
    """

    first_out: Whole
    won: Whole
    held: Whole
    worth: Whole
    spare: Whole


@dataclass(slots=True)
class _Group:
    """Lanes with equally many seats inside; columns are these seats, and in ``hands`` then the cards."""

    lanes: Whole
    seats: Whole
    sums: Whole
    hands: Whole


class Rounds:
    """Plays rounds with the cards of one deck.

    ``worth`` and ``spare`` are two tables of whole numbers by card, in the order of the outlook's values, of which
    ``Ended`` has the sums; ``prices`` are those of the rule of thumb, and those that a round's ``own`` seat has.
    """

    def __init__(
        self, outlook: Outlook, prices: tuple[Prices, Prices], worth: Sequence[int], spare: Sequence[int]
    ) -> None:
        self._outlook = outlook
        self._least = outlook.values[0]
        self._prices = np.array([self._table([by_card[card] for card in outlook.values], 0.0) for by_card in prices])
        self._worth = self._table(worth, 0)
        self._spare = self._table(spare, 0)

    def _table(self, by_card: Sequence[float], gap: float) -> NDArray[Any]:
        """By value of the card less the least one."""
        entries = dict(zip(self._outlook.values, by_card, strict=True))
        return np.array([entries.get(value, gap) for value in range(self._least, self._outlook.values[-1] + 1)])

    def play_out(self, start: Start, hands: Sequence[Whole], cards: Whole) -> Ended:
        """Play to the end; ``hands`` by seat, ``cards`` of the step at hand with a column for each seat inside."""
        lanes, seats = len(cards), len(start.sums)
        ended = self._nothing(start, lanes)
        inside = np.array(start.inside)
        everyone = np.arange(lanes)
        for seat in range(seats):
            if seat not in start.inside:
                self._keep(ended, everyone, np.full(lanes, seat), hands[seat])
        groups = [
            _Group(
                everyone,
                np.tile(inside, (lanes, 1)),
                np.tile(np.array(start.sums)[inside], (lanes, 1)),
                np.stack([hands[seat] for seat in start.inside], axis=1),
            )
        ]
        places: Whole | None = np.argmax(groups[0].hands == cards[:, :, None], axis=2)
        while groups:
            following: dict[int, list[_Group]] = {}
            for group in groups:
                for rest in self._step(start, ended, group, places):
                    following.setdefault(rest.seats.shape[1], []).append(rest)
            groups = [_joined(some) for some in following.values()]
            places = None
        return ended

    def stopped(self, start: Start, hands: Sequence[Whole]) -> Ended:
        """As if the round was over now, and nobody took anything more."""
        ended = self._nothing(start, len(hands[0]))
        for seat, held in enumerate(hands):
            self._keep(ended, np.arange(len(held)), np.full(len(held), seat), held)
        return ended

    def _nothing(self, start: Start, lanes: int) -> Ended:
        shape = (lanes, len(start.sums))
        return Ended(np.full(lanes, start.first_out), *(np.zeros(shape, dtype=np.int64) for _ in range(4)))

    def _step(self, start: Start, ended: Ended, group: _Group, places: Whole | None) -> list[_Group]:
        """Everyone inside plays the card at a place of the hand, chosen by the rule if not given; what goes on."""
        if places is None:
            places = self._best(start, group)
        sums, hands = group.sums + _at(group.hands, places), _without(group.hands, places)
        inside = sums.shape[1]
        deciding = sums.min(axis=1) if inside > 2 else sums.max(axis=1)
        decides = sums == deciding[:, None]
        alone = decides.sum(axis=1) == 1
        rest = []
        if alone.any():
            out = np.argmax(decides[alone], axis=1)
            lanes, rows = group.lanes[alone], np.arange(len(out))
            seats, left = group.seats[alone], hands[alone]
            self._take(ended, lanes, seats[rows, out], start.point_cards[-(inside - 1)])
            self._keep(ended, lanes, seats[rows, out], left[rows, out])
            if inside == 2:
                self._keep(ended, lanes, seats[rows, 1 - out], left[rows, 1 - out])
            else:
                stay = _others(len(out), inside, out)
                rest.append(
                    _Group(
                        lanes,
                        np.take_along_axis(seats, stay, axis=1),
                        np.take_along_axis(sums[alone], stay, axis=1),
                        np.take_along_axis(left, stay[:, :, None], axis=1),
                    )
                )
        if not alone.all():
            equal = ~alone
            rest.append(_Group(group.lanes[equal], group.seats[equal], sums[equal], hands[equal]))
        if hands.shape[2]:
            return rest
        for one in rest:
            self._settle(start, ended, one)
        return []

    def _settle(self, start: Start, ended: Ended, group: _Group) -> None:
        """No cards left: from the lowest sum on each takes a point card, but for the second highest."""
        seats, inside = len(start.sums), group.seats.shape[1]
        order = np.argsort(group.sums * seats + (group.seats - start.dealer - 1) % seats, axis=1)
        ordered = np.take_along_axis(group.seats, order, axis=1)
        for number, point in enumerate(start.point_cards[-(inside - 1) :]):
            self._take(ended, group.lanes, ordered[:, number if number < inside - 2 else inside - 1], point)

    def _take(self, ended: Ended, lanes: Whole, seats: Whole, point: int) -> None:
        ended.won[lanes, seats] += point
        first = ended.first_out[lanes] == NOBODY
        ended.first_out[lanes[first]] = seats[first]

    def _keep(self, ended: Ended, lanes: Whole, seats: Whole, hands: Whole) -> None:
        ended.held[lanes, seats] = hands.shape[1]
        ended.worth[lanes, seats] = self._worth[hands - self._least].sum(axis=1)
        ended.spare[lanes, seats] = self._spare[hands - self._least].sum(axis=1)

    # The rule of thumb, with the arithmetic of ``Outlook`` in the same order.

    def best(self, start: Start, hands: Sequence[Whole]) -> Whole:
        """What each seat inside plays now by the rule: a card a lane and seat."""
        lanes = len(hands[start.inside[0]])
        sums = np.tile(np.array(start.sums)[np.array(start.inside)], (lanes, 1))
        held = np.stack([hands[seat] for seat in start.inside], axis=1)
        group = _Group(np.arange(lanes), np.tile(np.array(start.inside), (lanes, 1)), sums, held)
        return _at(held, self._best(start, group))

    def _best(self, start: Start, group: _Group) -> Whole:
        """The place in the hand of the card rated best, for each lane and seat inside."""
        hands, sums = group.hands, group.sums
        inside, size = sums.shape[1], hands.shape[2]
        if size == 1:
            return np.zeros(sums.shape, dtype=np.int64)
        others = np.stack([np.sort(np.delete(sums, i, axis=1), axis=1) for i in range(inside)], axis=1)
        plans = _Plans(self, others, group, start)
        places: Whole = np.argmax(plans.rate(0, (0, 0), hands, sums[:, :, None] + hands), axis=2)
        return places

    def above(self, steps: int, lead: Whole) -> Real:
        """``Outlook.chances``: that a sum stays above which is above the own one by so much now."""
        table, middle = self._outlook.table(steps)
        chances: Real = table[np.clip(lead + middle, 0, len(table) - 1)]
        return chances

    def price(self, cards: Whole, own: Whole) -> Real:
        """By card, for the ``own`` seat where that is 1."""
        prices: Real = self._prices[own, cards - self._least]
        return prices


class _Plans:
    """``Outlook.rate`` for all cards of all hands of a group.

    A plan has played the card at some place of the hand, and then so many of the lowest and of the highest left.
    """

    def __init__(self, rounds: Rounds, others: Whole, group: _Group, start: Start) -> None:
        hands, inside = group.hands, group.seats.shape[1]
        self._rounds, self._hands, self._points = rounds, hands, start.point_cards[-(inside - 1) :]
        self._own = (group.seats == start.own).astype(np.int64)[:, :, None]
        self._others = [others[:, :, i, None] for i in range(others.shape[2])]
        self._places = np.arange(hands.shape[2])

    def rate(self, steps: int, gone: tuple[int, int], cards: Whole, totals: Whole) -> Real:
        """What it is worth to play these cards so many steps from now, with these sums after them."""
        rounds, others = self._rounds, self._others[steps:]
        prices = rounds.price(cards, self._own)
        if len(others) == 1:
            return (1 - rounds.above(steps, others[0] - totals)) * self._points[-1] - prices
        lowest = rounds.above(steps, others[0] - totals)
        for other in others[1:]:
            lowest = lowest * rounds.above(steps, other - totals)
        leaving = lowest * self._points[steps] - prices
        lows, highs = gone
        size = len(self._places)
        left = size - 1 - lows - highs
        if not left:
            return leaving
        # The place of the next highest card of those without the one played first, then of the next lowest.
        top = size - 1 - highs
        high = self._hands[:, :, np.where(self._places < top, top, top - 1)]
        staying = self.rate(steps + 1, (lows, highs + 1), high, totals + high)
        if left > 1:
            low = self._hands[:, :, np.where(self._places > lows, lows, lows + 1)]
            staying = np.maximum(staying, self.rate(steps + 1, (lows + 1, highs), low, totals + low))
        return leaving + (1 - lowest) * staying


def _others(lanes: int, number: int, one: Whole) -> Whole:
    """By lane: the numbers from 0 to below ``number`` without one."""
    rest = np.tile(np.arange(number - 1), (lanes, 1))
    return rest + (rest >= one[:, None])


def _at(hands: Whole, places: Whole) -> Whole:
    """The card at a place of each hand."""
    cards: Whole = np.take_along_axis(hands, places[:, :, None], axis=2)[:, :, 0]
    return cards


def _without(hands: Whole, places: Whole) -> Whole:
    """The hands without the card at a place."""
    rest = np.arange(hands.shape[2] - 1)[None, None, :]
    return np.take_along_axis(hands, rest + (rest >= places[:, :, None]), axis=2)


def _joined(groups: Sequence[_Group]) -> _Group:
    if len(groups) == 1:
        return groups[0]
    return _Group(
        np.concatenate([one.lanes for one in groups]),
        np.concatenate([one.seats for one in groups]),
        np.concatenate([one.sums for one in groups]),
        np.concatenate([one.hands for one in groups]),
    )
