"""Search for the shedding games of XXL, 1, 2 and 5: determinized Monte Carlo with rollouts by a fast rule of thumb.

Terms as in ``games.rules.xxl_shedding`` and ``games.bots.searching``. Here cards are *ranked*: renumbered so that
of a set of cards the highest bit is the one that the rollouts lay first. A *runner* plays one game on in this form.

In every sampled world each legal move is tried; from there all seats play by rank until the end. What counts is
the place, and a little the points. Worlds cost more than rollouts: each serves several, with the draw pile shuffled
anew.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

from games.bots.budget import USUAL, Budget
from games.core import Move, shuffled
from games.rules import xxl_1, xxl_2, xxl_5
from games.rules.xxl_deck import NUMBERS, Deck, cards_in
from games.rules.xxl_shedding import SheddingGame, SheddingState

ROLLOUTS: Final = 1000
_PER_WORLD: Final = 8
_A_POINT: Final = 0.004
"""What a point counts against a place."""

Table = tuple[int, ...]


class Runner:
    """What the three games share. A *table* is a tuple of small ints of each game's own, in ranked cards."""

    def __init__(self, deck: Deck, weights: Sequence[float]) -> None:
        """``weights`` by card: what is laid first has the highest."""
        self.order = sorted(range(len(deck.cards)), key=lambda card: (weights[card], card))
        """By rank: the card."""
        self.rank = [0] * len(self.order)
        for rank, card in enumerate(self.order):
            self.rank[card] = rank
        self.totals = [deck.totals[card] for card in self.order]
        self.having = [[self.ranked(cards) for cards in row] for row in deck.having]
        """By index in ``COLOURS`` and number: the set of ranked cards with that half."""

    def ranked(self, cards: int) -> int:
        """A set of cards in ranks."""
        return sum(1 << self.rank[card] for card in cards_in(cards))

    def points(self, hand: int) -> int:
        """Of a set of ranked cards."""
        points = 0
        while hand:
            lowest = hand & -hand
            points += self.totals[lowest.bit_length() - 1]
            hand ^= lowest
        return points

    @abstractmethod
    def table_of(self, state: SheddingState) -> Table:
        """The table of an engine's state."""

    @abstractmethod
    def after(self, table: Table, move: Move) -> Table:
        """The table after a lay of the engine's."""

    @abstractmethod
    def run(self, hands: list[int], pile: list[int], seat: int, table: Table) -> None:
        """Play on to the end: change ``hands``, ranked; ``pile`` are the ranks of the draw pile, its top last."""


class TwoPilesRunner(Runner):
    """For XXL 1. The table is the two tops as in ``games.rules.xxl_1``, with ranked cards."""

    def __init__(self, game: xxl_1.RaufUndRunter) -> None:
        deck = game.deck
        near = [
            sum(self._number(deck, colour, number + step) for colour, number in halves for step in (-1, 1))
            for halves in game.halves
        ]
        super().__init__(deck, [total - 1.8 * count for total, count in zip(deck.totals, near, strict=True)])
        halves = [game.halves[card] for card in self.order]
        tops = [self._becomes(halves, rank, fixed) for rank in range(len(halves)) for fixed in range(5)]
        self._fitting = [sum(1 << rank for rank in top) for top in tops]
        """By top: the set of cards that fit on it."""
        self._after = [{rank: tuple(sorted(new)) for rank, new in top.items()} for top in tops]
        """By top and card that fits: the tops that it can become, that by its low half first."""

    @staticmethod
    def _number(deck: Deck, colour: int, number: int) -> int:
        return deck.having[colour][number].bit_count() if number in NUMBERS else 0

    def _becomes(self, halves: Sequence[Any], rank: int, fixed: int) -> dict[int, list[int]]:
        """By rank of the cards that fit on a top: the tops that they can become."""
        becomes: dict[int, list[int]] = {}
        for half, up, down in ((0, xxl_1.LOW_UP, xxl_1.LOW_DOWN), (1, xxl_1.HIGH_UP, xxl_1.HIGH_DOWN)):
            colour, number = halves[rank][half]
            for step, barred in ((1, down), (-1, up)):
                if fixed == barred or number + step not in NUMBERS:
                    continue
                for card in cards_in(self.having[colour][number + step]):
                    by = halves[card].index((colour, number + step))
                    direction = (xxl_1.HIGH_UP if by else xxl_1.LOW_UP) + (step < 0)
                    becomes.setdefault(card, []).append(card * 5 + direction)
        return becomes

    def table_of(self, state: SheddingState) -> Table:
        """The two tops."""
        first, second = (self.rank[top // 5] * 5 + top % 5 for top in state.table)
        return first, second

    def run(self, hands: list[int], pile: list[int], seat: int, table: Table) -> None:
        """A card that fits in several ways is laid so that fewest cards fit then."""
        fitting, after, seats = self._fitting, self._after, len(hands)
        first, second = table
        goes = fitting[first] | fitting[second]
        while True:
            own = hands[seat] & goes
            if own:
                rank = own.bit_length() - 1
                hands[seat] ^= 1 << rank
                if not hands[seat]:
                    return
            elif pile:
                rank = pile.pop()
                if not goes >> rank & 1:
                    hands[seat] |= 1 << rank
                    rank = -1
            else:
                rank = -1
            if rank >= 0:
                ways = [(top, second) for top in after[first].get(rank, ())]
                ways += [(first, top) for top in after[second].get(rank, ())]
                if len(ways) > 1:
                    offers = [(fitting[one] | fitting[other]).bit_count() for one, other in ways]
                    first, second = ways[offers.index(min(offers))]
                else:
                    first, second = ways[0]
                goes = fitting[first] | fitting[second]
            if not pile and not any(hand & goes for hand in hands):
                return
            seat = seat + 1 if seat + 1 < seats else 0


class UnderRunner(Runner):
    """For XXL 2. The table is the top card."""

    def __init__(self, game: xxl_2.ImmerSchoenDrunterBleiben) -> None:
        deck = game.deck
        below = [[sum(row[:number]) for number in NUMBERS] for row in deck.having]
        under = [below[low_colour][low] | below[colour][high] for (low_colour, low), (colour, high) in game.halves]
        offers = [0.25 * cards.bit_count() for cards in under]
        worth = [total - offer for total, offer in zip(deck.totals, offers, strict=True)]
        super().__init__(deck, worth)
        self._under = [self.ranked(under[card]) for card in self.order]
        """By card: the set of cards that fit on it."""
        self._laid = [
            sum(1 << self.rank[card] for card, laid in enumerate(worth) if laid >= 5.5 - offers[top])
            for top in self.order
        ]
        """By top card: the set of cards that are laid, not kept, when they are drawn."""

    def table_of(self, state: SheddingState) -> Table:
        """The top card."""
        return (self.rank[state.table[0]],)

    def run(self, hands: list[int], pile: list[int], seat: int, table: Table) -> None:
        """Low cards are kept when they are drawn."""
        under, laid, seats = self._under, self._laid, len(hands)
        top = table[0]
        goes = under[top]
        while True:
            own = hands[seat] & goes
            if own:
                top = own.bit_length() - 1
                goes = under[top]
                hands[seat] ^= 1 << top
                if not hands[seat]:
                    return
            elif pile:
                rank = pile.pop()
                if (goes & laid[top]) >> rank & 1:
                    top = rank
                    goes = under[top]
                else:
                    hands[seat] |= 1 << rank
            if not pile and not any(hand & goes for hand in hands):
                return
            seat = seat + 1 if seat + 1 < seats else 0


class RunsRunner(Runner):
    """For XXL 5. The table is the number that each run wants, 10 where it is not open."""

    def __init__(self, game: xxl_5.AufDieReiheBekommen) -> None:
        super().__init__(game.deck, game.deck.totals)
        self._halves = [game.halves[card] for card in self.order]

    def table_of(self, state: SheddingState) -> Table:
        """What the runs want."""
        return tuple(state.table)

    def run(self, hands: list[int], pile: list[int], seat: int, table: Table) -> None:
        """A card that fits two runs goes where more cards are held up."""
        red, yellow, green, blue = self.having
        wanted, halves, seats = list(table), self._halves, len(hands)
        goes = red[wanted[0]] | yellow[wanted[1]] | green[wanted[2]] | blue[wanted[3]]
        while True:
            own = hands[seat] & goes
            if own:
                rank = own.bit_length() - 1
                hands[seat] ^= 1 << rank
                if not hands[seat]:
                    return
            elif pile:
                rank = pile.pop()
                if not goes >> rank & 1:
                    hands[seat] |= 1 << rank
                    rank = -1
            else:
                rank = -1
            if rank >= 0:
                (low_colour, low), (high_colour, high) = halves[rank]
                if wanted[high_colour] == high:
                    wanted[high_colour] = high - 1
                else:
                    wanted[low_colour] = low - 1 if low else NUMBERS[-1]
                goes = red[wanted[0]] | yellow[wanted[1]] | green[wanted[2]] | blue[wanted[3]]
            if not pile and not any(hand & goes for hand in hands):
                return
            seat = seat + 1 if seat + 1 < seats else 0


class SheddingSearch:
    """Searches for the place; ``rollouts`` in all are shared out among the legal moves."""

    def __init__(self, game: SheddingGame, budget: Budget = USUAL) -> None:
        self.game = game
        self.budget = budget
        self._runner = runner_of(game)

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        """The move with the best average; of equal ones the first."""
        values = self.rate(view, legal, rng)
        return legal[max(range(len(legal)), key=values.__getitem__)]

    def rate(self, view: Any, legal: Sequence[Move], rng: Random) -> list[float]:
        """By legal move the sum of what it led to, in places, the higher the better."""
        game, runner, seat = self.game, self._runner, view["seat"]
        values = [0.0] * len(legal)
        for _ in self.budget.steps(ROLLOUTS, _PER_WORLD * len(legal), least=8):
            world = game.determinize(view, rng)
            pile = [runner.rank[card] for card in reversed(world.rest[world.next :])]
            after = []
            for move in legal:
                state = world.clone()
                game.advance(state, seat, move)
                after.append((state.turn, [runner.ranked(hand) for hand in state.hands], runner.table_of(state)))
            for _ in range(_PER_WORLD):
                for number, (turn, hands, table) in enumerate(after):
                    left = hands.copy()
                    if turn >= 0:
                        runner.run(left, pile.copy(), turn, table)
                    points = [runner.points(hand) for hand in left]
                    own = points[seat]
                    values[number] -= sum([other < own for other in points]) + _A_POINT * own
                pile = shuffled(pile, rng)
        return values


_RUNNERS: Mapping[str, Callable[[Any], Runner]] = {
    "xxl-1": TwoPilesRunner,
    "xxl-2": UnderRunner,
    "xxl-5": RunsRunner,
}


@lru_cache(maxsize=32)
def runner_of(game: SheddingGame) -> Runner:
    """Kept, since a series of games makes its bots for each deal."""
    return _RUNNERS[game.key](game)
