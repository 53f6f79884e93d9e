"""Search for XXL 3: determinized Monte Carlo through both phases, the end of the second solved exactly.

Terms as in ``games.rules.xxl_3``, ``games.bots.search_tricks`` and ``games.bots.searching``. In every sampled world
each legal move is tried; then all seats play by a fast form of the rule of thumb, put the card of the highest
numbers aside, are dealt the second hands at random, and play those. Once at most ``SOLVED`` cards are left in all
hands of the second phase together, which are some three tricks, the world is solved instead. What counts is the
place, and the points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp
from random import Random
from typing import Any, Final, NamedTuple

from games.bots.budget import USUAL, Budget
from games.bots.search_tricks import stronger_in, worth
from games.core import Move, shuffled
from games.rules import xxl_3
from games.rules.xxl_3 import ASIDE, HIGH_LEAD, LOW_LEAD, PASS, PUTTING_ASIDE, SECOND, ending
from games.rules.xxl_deck import NO_CARD, Deck, bit, cards_in, clockwise

ROLLOUTS: Final = 200
SOLVED: Final = 9
"""Of so many cards in the hands of the second phase."""
_LEAST_WORLDS: Final = 16
_ANY_TRICK: Final = 40.0
_FADING: Final = 0.75
_MEAN_TOTAL: Final = 10
_PLAYS: Final = 0.6
_MUCH: Final = 1e9


class Phase(NamedTuple):
    """What the rule of thumb goes by in a phase, as in ``games.bots.greedy_refusal``; ``reserves`` by card."""

    second: bool
    fear: float
    reserves: Sequence[float]


class Table:
    """The trick under way; ``seat`` moves next, ``colour`` is 0 before the lead."""

    __slots__ = ("cards", "colour", "leader", "seat", "strongest", "winner")

    def __init__(self, seat: int) -> None:
        """Before a lead."""
        self.seat = self.leader = self.winner = seat
        self.cards = self.colour = 0
        self.strongest = -1

    def copy(self) -> Table:
        """An equal one."""
        same = Table(self.seat)
        same.leader, same.winner = self.leader, self.winner
        same.cards, same.colour, same.strongest = self.cards, self.colour, self.strongest
        return same


class RefusalRunner:
    """Plays the game on with one deck."""

    def __init__(self, game: xxl_3.VerweigernGestattet) -> None:
        self.deck = deck = game.deck
        self.stronger = [stronger_in(row) for row in deck.strength]
        self.leads = [
            ((card + LOW_LEAD, deck.colours_of[card] ^ deck.high_colour[card]), (card + HIGH_LEAD, high))
            for card, high in enumerate(deck.high_colour)
        ]
        """By card: its two leads, each with the colour."""
        self.asides = [card.total + card.high for card in deck.cards]
        """By card: how gladly it is put aside."""

    def phase(self, second: bool, alive: int) -> Phase:
        """``alive`` are the cards of the phase that are not yet played."""
        reserve = 40.0 if second else 25.0
        reserves = [
            reserve * _FADING ** min((self.stronger[colour][card] & alive).bit_count() for _lead, colour in leads)
            for card, leads in enumerate(self.leads)
        ]
        return Phase(second, 0.8 if second else 1.0, reserves)

    # Tricks.

    def play(self, hands: list[int], won: list[int], table: Table, move: Move, second: bool) -> bool:
        """Change the position by a move of the seat to move; whether the phase goes on."""
        seat, seats = table.seat, len(hands)
        if move != PASS:
            card = move % LOW_LEAD
            if move >= LOW_LEAD:
                table.colour = self.leads[card][move >= HIGH_LEAD][1]
            hands[seat] ^= bit[card]
            table.cards |= bit[card]
            strength = self.deck.strength[table.colour][card]
            if strength > table.strongest:
                table.strongest, table.winner = strength, seat
        following = seat + 1 if seat + 1 < seats else 0
        while not hands[following] and following != table.leader:
            following = following + 1 if following + 1 < seats else 0
        if following != table.leader:
            table.seat = following
            return True
        seat = table.winner
        won[seat] |= table.cards
        if (hands.count(0) >= ending(seats)) if second else not hands[seat]:
            return False
        while not hands[seat]:
            seat = seat + 1 if seat + 1 < seats else 0
        table.seat = table.leader = table.winner = seat
        table.cards = table.colour = 0
        table.strongest = -1
        return True

    def choose(self, hands: Sequence[int], table: Table, alive: int, phase: Phase) -> Move:
        """What the rule of thumb plays; ``alive`` are the cards of the phase that nobody has played yet."""
        deck, seat = self.deck, table.seat
        hand = hands[seat]
        length = hand.bit_count()
        unseen = alive & ~hand
        keep = 1 - 1 / length
        behind, may_pass = self._behind(hands, table, phase.second)
        fear = phase.fear * behind / max(1, unseen.bit_count())
        best, best_rating = PASS, 0.0 if may_pass else -_MUCH
        if not table.colour:
            pot = self._pot(hands, table) if phase.second else _ANY_TRICK
            for card in cards_in(hand):
                stake = (pot + deck.totals[card]) if phase.second else pot
                for lead, colour in self.leads[card]:
                    rating = exp(-fear * (self.stronger[colour][card] & unseen).bit_count()) * stake
                    rating -= keep * phase.reserves[card]
                    if rating > best_rating:
                        best, best_rating = lead, rating
            return best
        legal = cards_in(hand & deck.showing[table.colour] or hand)
        if len(legal) == 1 and not may_pass:
            return legal[0]
        strength, stronger = deck.strength[table.colour], self.stronger[table.colour]
        pot = self._pot(hands, table) if phase.second else _ANY_TRICK
        for card in legal:
            rating = -keep * phase.reserves[card]
            if strength[card] > table.strongest:
                stake = (pot + deck.totals[card]) if phase.second else pot
                rating += exp(-fear * (stronger[card] & unseen).bit_count()) * stake
            if rating > best_rating:
                best, best_rating = card, rating
        return best

    def _behind(self, hands: Sequence[int], table: Table, second: bool) -> tuple[int, bool]:
        """How many cards the seats hold that play after the one to move, and whether that one may pass."""
        seat, seats = table.seat, len(hands)
        sizes = [hand.bit_count() for hand in hands]
        after = range(seat + 1, seat + seats - (seat - table.leader) % seats)
        may_pass = second and table.colour > 0 and sizes[seat] < max(sizes)
        return sum([sizes[other % seats] for other in after]), may_pass

    def _pot(self, hands: Sequence[int], table: Table) -> float:
        """What lies there and is to be expected of the seats behind."""
        seat, seats = table.seat, len(hands)
        longest = max(map(int.bit_count, hands))
        pot = float(self.points(table.cards))
        for other in range(seat + 1, seat + seats - (seat - table.leader) % seats):
            if hands[other % seats]:
                passing = hands[other % seats].bit_count() < longest
                pot += _PLAYS * _MEAN_TOTAL if passing else _MEAN_TOTAL
        return pot

    def points(self, cards: int) -> int:
        """Of a set of cards."""
        return self.deck.hand_points(cards)

    def play_on(self, hands: list[int], won: list[int], table: Table, alive: int, phase: Phase) -> list[Move]:
        """Play by the rule of thumb to the end of the phase; all moves. All arguments but the phase are used up."""
        moves: list[Move] = []
        going_on = True
        while going_on:
            move = self.choose(hands, table, alive, phase)
            if move != PASS:
                alive ^= bit[move % LOW_LEAD]
            moves.append(move)
            going_on = self.play(hands, won, table, move, phase.second)
        return moves

    def second_phase(self, won: Sequence[int], asides: Sequence[int], dealer: int, order: Sequence[int]) -> list[int]:
        """The points of all seats if the second hands are dealt and played; ``asides`` are ``NO_CARD`` for none.

        ``order`` is the shuffled deck, those put aside included.
        """
        hands = [0 if card == NO_CARD else bit[card] for card in asides]
        alive = self.deck.all_cards
        pile = [card for card in order if card not in asides]
        for seat, cards in enumerate(won):
            for _ in range(cards.bit_count() - 1):
                hands[seat] |= bit[pile.pop()]
        most = max(map(int.bit_count, hands))
        order = clockwise(len(hands), dealer)
        leader = max(order, key=lambda seat: self.points(hands[seat]) if hands[seat].bit_count() == most else -1)
        again = [0] * len(hands)
        self.play_on(hands, again, Table(leader), alive, self.fresh)
        return list(map(self.points, again))

    @property
    def fresh(self) -> Phase:
        """The second phase before its first trick."""
        return _fresh(self)

    def after_first(self, won: Sequence[int], dealer: int, order: Sequence[int]) -> list[int]:
        """The points of all seats at the end of the game, when the first phase is over."""
        if won.count(0) >= ending(len(won)):
            return list(map(self.points, won))
        return self.second_phase(won, [self.aside(cards) for cards in won], dealer, order)

    def aside(self, won: int) -> int:
        """The card that the rule of thumb puts aside, ``NO_CARD`` if it has won none."""
        return max(cards_in(won), key=self.asides.__getitem__, default=NO_CARD)

    # Solving.

    def solve(self, hands: Sequence[int], table: Table) -> list[int]:
        """By seat, the points still to be won in the second phase, if each seat plays for its own points.

        Of equally good moves the first is made, in the order of the engine.
        """
        return self._solve(list(hands), table, {})

    def _solve(self, hands: list[int], table: Table, known: dict[tuple[tuple[int, ...], int], list[int]]) -> list[int]:
        seat = table.seat
        best: list[int] = []
        for move in self._legal(hands, table):
            after, following, won = hands.copy(), table.copy(), [0] * len(hands)
            going_on = self.play(after, won, following, move, True)
            if not going_on:
                values = list(map(self.points, won))
            elif following.colour:
                values = self._solve(after, following, known)
            else:
                key = tuple(after), following.seat
                if key not in known:
                    known[key] = self._solve(after, following, known)
                values = [more + self.points(cards) for more, cards in zip(known[key], won, strict=True)]
            if not best or values[seat] > best[seat]:
                best = values
        return best

    def _legal(self, hands: Sequence[int], table: Table) -> list[Move]:
        """The moves of the second phase, in the order of the engine."""
        hand = hands[table.seat]
        if not table.colour:
            return [lead for card in cards_in(hand) for lead, _colour in self.leads[card]]
        cards = [*cards_in(hand & self.deck.showing[table.colour] or hand)]
        return [*cards, PASS] if self._behind(hands, table, True)[1] else cards


@lru_cache(maxsize=32)
def _fresh(runner: RefusalRunner) -> Phase:
    return runner.phase(True, runner.deck.all_cards)


@lru_cache(maxsize=32)
def runner_of(game: xxl_3.VerweigernGestattet) -> RefusalRunner:
    """Kept, since a series of games makes its bots for each deal."""
    return RefusalRunner(game)


def alive_in(deck: Deck, state: xxl_3.RefusalState) -> int:
    """The cards of the phase under way that nobody has played yet."""
    first = state.first_turns if state.phase == SECOND else 0
    return deck.all_cards & ~sum([bit[move % LOW_LEAD] for move in state.moves[first:] if move != PASS])


def table_of(state: xxl_3.RefusalState) -> Table:
    """The trick under way in a state."""
    table = Table(state.turn)
    table.leader = state.leader
    if state.colour:
        table.winner, table.cards, table.colour, table.strongest = (
            state.winner,
            state.cards,
            state.colour,
            state.strongest,
        )
    return table


class RefusalSearch:
    """For XXL 3."""

    def __init__(self, game: xxl_3.VerweigernGestattet, budget: Budget = USUAL) -> None:
        """An iteration is a rollout or a solution."""
        self.game = game
        self.budget = budget
        self._runner = runner_of(game)

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        """The move with the best average; of equal ones the first."""
        values = self.rate(view, legal, rng)
        return legal[max(range(len(legal)), key=values.__getitem__)]

    def rate(self, view: Any, legal: Sequence[Move], rng: Random) -> list[float]:
        """By legal move the sum of what it led to, in places, the higher the better."""
        seat = view["seat"]
        values = [0.0] * len(legal)
        for _ in self.budget.steps(ROLLOUTS, len(legal), least=_LEAST_WORLDS):
            state = self.game.determinize(view, rng)
            for number, points in enumerate(results(self._runner, state, seat, legal, rng)):
                values[number] += worth(points, seat)
        return values


def results(
    runner: RefusalRunner, state: xxl_3.RefusalState, seat: int, legal: Sequence[Move], rng: Random
) -> list[list[int]]:
    """The points of all seats at the end, by each move that the seat may make."""
    # One second deal for all moves: what they lead to differs less by luck then.
    order = shuffled(range(len(runner.deck.cards)), rng)
    if state.phase == PUTTING_ASIDE:
        return [_results_of_aside(runner, state, seat, move - ASIDE, order) for move in legal]
    second = state.phase == SECOND
    solving = second and sum(map(int.bit_count, state.hands)) <= SOLVED
    alive, table = alive_in(runner.deck, state), table_of(state)
    phase = runner.phase(second, alive)
    found = []
    for move in legal:
        hands, won, trick = state.hands.copy(), state.won.copy(), table.copy()
        going_on = runner.play(hands, won, trick, move, second)
        left = alive if move == PASS else alive ^ bit[move % LOW_LEAD]
        if second and going_on and solving:
            more = runner.solve(hands, trick)
            found.append([runner.points(cards) + others for cards, others in zip(won, more, strict=True)])
            continue
        if going_on:
            runner.play_on(hands, won, trick, left, phase)
        found.append(list(map(runner.points, won)) if second else runner.after_first(won, state.dealer, order))
    return found


def _results_of_aside(
    runner: RefusalRunner, state: xxl_3.RefusalState, seat: int, card: int, order: Sequence[int]
) -> list[int]:
    asides = [runner.aside(won) for won in state.won]
    asides[seat] = card
    return runner.second_phase(state.won, asides, state.dealer, order)
