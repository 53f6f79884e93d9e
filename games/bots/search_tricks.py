"""Search for the trick games XXL 6 and 6+: determinized Monte Carlo, the last tricks solved exactly.

Terms as in ``games.rules.xxl_6``, ``games.bots.greedy_tricks`` and ``games.bots.searching``. To *solve* a world is to
find what each seat wins in it if all know all hands and each plays for its own points (max^n: Luckhardt and Irani,
"An Algorithmic Solution of N-Person Games", AAAI 1986).

In every sampled world each legal card is tried. While the hands are long, all seats then play by a fast form of the
rule of thumb, since the policy of the rollouts matters more than their number; with ``SOLVED`` cards in hand or
fewer the world is solved. What counts is the place, and the points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp
from random import Random
from typing import Any, Final

from games.bots.budget import USUAL, Budget
from games.core import Move
from games.rules import xxl_6, xxl_6_plus
from games.rules.xxl_deck import ALL_COLOURS, COLOURS, Deck, bit, cards_in

ROLLOUTS: Final = 160
SOLVED: Final = 3
"""Of so many tricks the worlds are solved."""
_LEAST_WORLDS: Final = 16
_A_POINT: Final = 0.01
"""What a point counts against a place."""
_FEAR: Final = 1.1
_PATIENCE: Final = 1.5
_LUCK: Final = 0.3
_MOST_RIVALS: Final = 6 * 55
_MEAN_TOTAL: Final = 10
_MUCH: Final = 1e9


class Table:
    """The trick under way, as rollouts and solutions go on from it.

    ``cards`` clockwise from the leader's; ``both`` is the last card that has left both colours open, -1 for none.
    ``seat`` moves next, where the trick is complete it is the leader.
    """

    __slots__ = ("both", "cards", "open_colours", "seat")

    def __init__(self, seat: int, cards: list[int], open_colours: int, both: int) -> None:
        self.seat = seat
        self.cards = cards
        self.open_colours = open_colours
        self.both = both


Trick = tuple[tuple[int, ...], int, int]
"""``cards``, ``open_colours`` and ``both`` as in ``Table``."""
_NO_TRICK: Final[Trick] = ((), ALL_COLOURS, -1)
_Known = dict[tuple[tuple[int, ...], int], list[int]]


class TrickRunner:
    """Plays tricks on with one deck, as its cards count under a trump or none."""

    def __init__(self, deck: Deck, fading: float, reserve: float) -> None:
        """``fading`` and ``reserve`` as in ``games.bots.greedy_tricks.Weights``."""
        self.deck = deck
        self.fading = fading
        self.reserve = reserve
        self.stronger = [stronger_in(row) for row in deck.strength]
        """By single colour and card: the set of the cards that are stronger (else empty)."""
        self.colours_in = [
            tuple(1 << i for i in range(len(COLOURS)) if colours >> i & 1) for colours in range(ALL_COLOURS + 1)
        ]
        """By set of colours: its members."""

    def winner(self, cards: Sequence[int], colours: int, both: int) -> int:
        """Which card of a complete trick takes it, by its place in it."""
        if colours & colours - 1:
            colours = self.deck.high_colour[both]
        strength = self.deck.strength[colours]
        values = [strength[card] for card in cards]
        return values.index(max(values))

    def reserves(self, alive: int) -> list[float]:
        """By card: what it is worth to keep it, where ``alive`` are all cards not yet played."""
        reserves = []
        for card, colours in enumerate(self.deck.colours_of):
            rivals = min((self.stronger[one][card] & alive).bit_count() for one in self.colours_in[colours])
            reserves.append(self.reserve * self.fading**rivals)
        return reserves

    def play_on(
        self, hands: list[int], points: list[int], table: Table, alive: int, reserves: Sequence[float]
    ) -> list[int]:
        """Play by the rule of thumb to the end: the cards in their order.

        ``alive`` are all cards not yet played. ``hands`` and ``points`` are changed, ``table`` is used up.
        """
        deck, seats = self.deck, len(hands)
        totals, colours_of, showing = deck.totals, deck.colours_of, deck.showing
        seat = table.seat
        played: list[int] = []
        pot = sum([totals[card] for card in table.cards])
        while True:
            # Nobody has a card left where the last card of the last trick lies.
            length = hands[seat].bit_count() or 1
            fear = _fear(length, (alive & ~hands[seat]).bit_count())
            keep = 1 - length**-_PATIENCE
            for behind in range(seats - len(table.cards) - 1, -1, -1):
                hand, open_colours = hands[seat], table.open_colours
                legal = cards_in(hand & showing[open_colours] or hand)
                best = legal[0]
                if len(legal) > 1:
                    stake, unseen, best_rating = pot + behind * _MEAN_TOTAL, alive & ~hand, -_MUCH
                    for card in legal:
                        rating = self._chance(table, card, behind, unseen, fear) * (stake + totals[card])
                        rating -= keep * reserves[card]
                        if rating > best_rating:
                            best, best_rating = card, rating
                hands[seat] = hand ^ bit[best]
                alive ^= bit[best]
                pot += totals[best]
                shown = colours_of[best] & open_colours
                if shown:
                    table.open_colours = shown
                    if shown & shown - 1:
                        table.both = best
                table.cards.append(best)
                played.append(best)
                seat = seat + 1 if seat + 1 < seats else 0
            # After a whole trick the seat is the leader again.
            seat = (seat + self.winner(table.cards, table.open_colours, table.both)) % seats
            points[seat] += pot
            if not hands[seat]:
                return played
            table, pot = Table(seat, [], ALL_COLOURS, -1), 0

    def _chance(self, table: Table, card: int, behind: int, unseen: int, fear: Sequence[float]) -> float:
        """The card's chance to take the trick, as ``games.bots.greedy_tricks`` guesses it; voids are not looked at."""
        deck, cards = self.deck, table.cards
        left = deck.colours_of[card] & table.open_colours or table.open_colours
        if not behind and left & left - 1:
            left = deck.high_colour[card if deck.colours_of[card] == left else table.both]
        low, high = 1.0, 0.0
        for colour in self.colours_in[left]:
            strength = deck.strength[colour]
            chance, own = 0.0, strength[card]
            for other in cards:
                if strength[other] > own:
                    break
            else:
                chance = fear[(self.stronger[colour][card] & unseen).bit_count() * behind]
            low, high = min(low, chance), max(high, chance)
        return _LUCK * high + (1 - _LUCK) * low

    def solve(self, hands: Sequence[int], table: Table) -> list[int]:
        """By seat, the points of the tricks still to be taken, if each seat plays for its own points.

        Of equally good cards the first in the order of the deck is played.
        """
        return self._solve(tuple(hands), table.seat, (tuple(table.cards), table.open_colours, table.both), {})

    def _solve(self, hands: tuple[int, ...], seat: int, trick: Trick, known: _Known) -> list[int]:
        deck, seats = self.deck, len(hands)
        cards, colours, both = trick
        if len(cards) == seats:
            winner = (seat + self.winner(cards, colours, both)) % seats
            values = [0] * seats
            if hands[winner]:
                if (hands, winner) not in known:
                    known[hands, winner] = self._solve(hands, winner, _NO_TRICK, known)
                values = known[hands, winner].copy()
            values[winner] += sum([deck.totals[card] for card in cards])
            return values
        hand, following = hands[seat], (seat + 1) % seats
        best: list[int] = []
        for card in cards_in(hand & deck.showing[colours] or hand):
            shown = deck.colours_of[card] & colours
            values = self._solve(
                (*hands[:seat], hand ^ bit[card], *hands[seat + 1 :]),
                following,
                ((*cards, card), shown or colours, card if shown & shown - 1 else both),
                known,
            )
            if not best or values[seat] > best[seat]:
                best = values
        return best


def stronger_in(strength: Sequence[int]) -> list[int]:
    """By card: the set of the cards that are stronger."""
    return [sum(1 << other for other, theirs in enumerate(strength) if theirs > own) for own in strength]


@lru_cache(maxsize=2048)
def _fear(length: int, unseen: int) -> list[float]:
    """By number of rivals times seats behind: the chance that none of them is there."""
    chance = exp(-_FEAR * length / max(1, unseen))
    return [chance**number for number in range(_MOST_RIVALS)]


class TrickSearch:
    """For XXL 6, and for 6+ once the trump is declared."""

    def __init__(self, game: Any, runner: TrickRunner, budget: Budget = USUAL) -> None:
        """``game`` is the one whose worlds are sampled; an iteration is a rollout or a solution."""
        self.game = game
        self.budget = budget
        self._runner = runner

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        """The move with the best average; of equal ones the first."""
        values = self.rate(view, legal, rng)
        return legal[max(range(len(legal)), key=values.__getitem__)]

    def rate(self, view: Any, legal: Sequence[Move], rng: Random) -> list[float]:
        """By legal card the sum of what it led to, in places, the higher the better."""
        seat = view["seat"]
        values = [0.0] * len(legal)
        for _ in self.budget.steps(ROLLOUTS, len(legal), least=_LEAST_WORLDS):
            world = self.game.determinize(view, rng)
            state = world.tricks if isinstance(world, xxl_6_plus.TrumpState) else world
            for number, points in enumerate(results(self._runner, state, legal)):
                values[number] += worth(points, seat)
        return values


def alive_in(deck: Deck, state: xxl_6.TrickState) -> int:
    """The cards that nobody has played yet, those set aside included."""
    return deck.all_cards & ~sum([bit[card] for card in (*state.played, *state.cards)])


def table_of(deck: Deck, state: xxl_6.TrickState) -> Table:
    """The trick under way in a state."""
    open_colours, both = ALL_COLOURS, -1
    for card in state.cards:
        open_colours = deck.colours_of[card] & open_colours or open_colours
        if deck.colours_of[card] == open_colours and open_colours & open_colours - 1:
            both = card
    return Table(state.turn, state.cards.copy(), open_colours, both)


def results(runner: TrickRunner, state: xxl_6.TrickState, legal: Sequence[int]) -> list[list[int]]:
    """The points of all seats at the end, by each card that the seat to move may play."""
    deck, seat, seats = runner.deck, state.turn, len(state.hands)
    solving = state.hands[seat].bit_count() <= SOLVED
    alive = alive_in(deck, state)
    reserves = () if solving else runner.reserves(alive)
    before = table_of(deck, state)
    found = []
    for card in legal:
        hands, points = state.hands.copy(), state.points.copy()
        hands[seat] ^= bit[card]
        shown = deck.colours_of[card] & before.open_colours
        both = card if shown & shown - 1 else before.both
        table = Table((seat + 1) % seats, [*before.cards, card], shown or before.open_colours, both)
        if solving:
            found.append([old + new for old, new in zip(points, runner.solve(hands, table), strict=True)])
        else:
            runner.play_on(hands, points, table, alive ^ bit[card], reserves)
            found.append(points)
    return found


def worth(points: Sequence[int], seat: int) -> float:
    """Of a result for the seat, in places, the higher the better."""
    own = points[seat]
    return _A_POINT * own - sum([other > own for other in points])


@lru_cache(maxsize=32)
def runner_of(deck: Deck) -> TrickRunner:
    return TrickRunner(deck, fading=0.75, reserve=35.0)


def colour_search(game: xxl_6.IchBestimmDieFarbe, budget: Budget) -> TrickSearch:
    """The search for XXL 6."""
    return TrickSearch(game, runner_of(game.deck), budget)


class TrumpSearch:
    """For XXL 6+: tries each trump as it tries cards."""

    def __init__(self, game: xxl_6_plus.IchBestimmDieFarbePlus, budget: Budget = USUAL) -> None:
        self.game = game
        self.budget = budget
        self._runners = runners_by_trump(game.deck)
        self._searches = {name: TrickSearch(game, runner, budget) for name, runner in self._runners.items()}

    def choose(self, view: Any, legal: Sequence[Move], rng: Random) -> Move:
        """The move with the best average; of equal ones the first."""
        if view["trump"] is not None:
            return self._searches[view["trump"]].choose(view, legal, rng)
        seat = view["seat"]
        values = dict.fromkeys(legal, 0.0)
        for _ in self.budget.steps(ROLLOUTS, len(legal), least=_LEAST_WORLDS):
            state = self.game.determinize(view, rng).tricks
            for move in legal:
                runner = self._runners[COLOURS[move - xxl_6_plus.DECLARE]]
                hands, points = state.hands.copy(), state.points.copy()
                table = Table(seat, [], ALL_COLOURS, -1)
                alive = runner.deck.all_cards
                runner.play_on(hands, points, table, alive, runner.reserves(alive))
                values[move] += worth(points, seat)
        return max(legal, key=values.__getitem__)


@lru_cache(maxsize=32)
def runners_by_trump(deck: Deck) -> Mapping[str, TrickRunner]:
    """By name of the trump; kept, since a series of games makes its bots for each deal."""
    return {
        name: TrickRunner(xxl_6_plus.under_trump(deck, 1 << i), fading=0.9, reserve=45.0)
        for i, name in enumerate(COLOURS)
    }
