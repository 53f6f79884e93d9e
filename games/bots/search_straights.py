"""Search for XXL 4: determinized Monte Carlo over the best moves of the rule of thumb.

Terms as in ``games.rules.xxl_4`` and ``games.bots.searching``. *Ready* is a straight that a hand can lay with the
display. The candidates are all straights that can be laid, else the second steps that the rule of thumb
(``games.bots.greedy_straights``) rates best. In every sampled world each of them is tried; then all seats lay the
dearest straight and take second steps by a fast form of the rule, for ``ROUNDS`` rounds that end with its own turn, or
to the end. What counts is by how many points the seat is then ahead of the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

from games.bots.budget import USUAL, Budget
from games.bots.greedy_straights import StraightRule, completing, halves_of
from games.core import NOBODY, Move
from games.rules import xxl_4
from games.rules.xxl_deck import bit, cards_in

ROLLOUTS: Final = 120
CANDIDATES: Final = 6
ROUNDS: Final = 2
_LEAST_WORLDS: Final = 12
_STILL_THERE: Final = (1.0, 0.6, 0.36, 0.0)
"""By number of its cards in the display: what a ready straight counts."""
_FRESH_CARD: Final = 2.0
_AN_OUT: Final = 0.8
"""What a half that would complete a straight is worth, in points, where the deck has some two or three of it unseen."""


class StraightRunner:
    """Plays the game on with one deck."""

    def __init__(self, game: xxl_4.Strassenbau) -> None:
        self.game = game
        self._halves, _cards_with = halves_of(game.deck)

    def play_on(self, state: xxl_4.StraightsState, turns: int) -> list[Move]:
        """Play so many turns, or to the end if that comes first; the state is changed. All moves."""
        game, straights = self.game, self.game.straights
        moves: list[Move] = []
        while turns and state.turn != NOBODY:
            seat = state.turn
            if not state.step_two and straights.runs(state.hands[seat], state.display):
                move = max(straights.possible(state.hands[seat], state.display), key=straights.values.__getitem__)
                moves.append(move)
                game.advance(state, seat, move)
            move = self.second_step(state.hands[seat], state.display, state.taken < len(state.order))
            moves.append(move)
            game.advance(state, seat, move)
            turns -= 1
        return moves

    def second_step(self, hand: int, display: int, may_draw: bool) -> Move:
        """The step that leaves the hand best, by straights that are ready and halves that would complete one."""
        game, halves = self.game, self._halves
        cards, shown = cards_in(hand), cards_in(display)
        # Hand and display together stay what they are, and so do the straights in them.
        ready = [
            (game.straights.sets[move], game.straights.values[move])
            for move in game.straights.possible(hand | display, 0)
        ]
        own_all = shown_all = 0
        for card in cards:
            own_all |= halves[card]
        for card in shown:
            shown_all |= halves[card]
        best, best_worth = game.done, self._worth(own_all, shown_all, hand, display, ready)
        for card in cards:
            rest = 0
            for other in cards:
                if other != card:
                    rest |= halves[other]
            if may_draw:
                worth = _FRESH_CARD + self._worth(
                    rest, shown_all | halves[card], hand ^ bit[card], display | bit[card], ready
                )
                if worth > best_worth:
                    best, best_worth = game.first_lay + card, worth
            for other in shown:
                both = bit[card] | bit[other]
                # What the display loses is left in: it matters little.
                worth = self._worth(rest | halves[other], shown_all | halves[card], hand ^ both, display ^ both, ready)
                if worth > best_worth:
                    best, best_worth = game.first_exchange + card * len(halves) + other, worth
        return best

    @staticmethod
    def _worth(own: int, shown: int, hand: int, display: int, ready: Sequence[tuple[int, int]]) -> float:
        """Of a hand and a display; ``own`` and ``shown`` are their halves."""
        worth = 0.0
        for straight, value in ready:
            if straight & hand:
                worth = max(worth, value * _STILL_THERE[(straight & display).bit_count()])
        sure = completing(own, own) & ~own & ~shown
        shared = completing(own, shown) & ~own & ~shown & ~sure
        return worth + _AN_OUT * (sure.bit_count() + 0.5 * shared.bit_count())


@lru_cache(maxsize=32)
def runner_of(game: xxl_4.Strassenbau) -> StraightRunner:
    """Kept, since a series of games makes its bots for each deal."""
    return StraightRunner(game)


class StraightSearch:
    """For XXL 4."""

    def __init__(self, game: xxl_4.Strassenbau, budget: Budget = USUAL) -> None:
        """An iteration is a rollout."""
        self.game = game
        self.budget = budget
        self._rule = StraightRule(game)
        self._runner = runner_of(game)

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        """The candidate with the best average; of equal ones the one that the rule of thumb rates higher."""
        candidates = self._candidates(view, legal)
        if len(candidates) == 1:
            return candidates[0]
        values = self.rate(view, candidates, rng)
        return candidates[max(range(len(candidates)), key=values.__getitem__)]

    def _candidates(self, view: Any, legal: Sequence[Move]) -> list[Move]:
        """The best rated first."""
        ratings = self._rule.rate(view, legal)
        order = sorted(range(len(legal)), key=ratings.__getitem__, reverse=True)
        if legal[order[0]] < self.game.first_exchange:
            order = [number for number in order if legal[number] < self.game.first_exchange]
        return [legal[number] for number in order[:CANDIDATES]]

    def rate(self, view: Any, candidates: Sequence[Move], rng: Random) -> list[float]:
        """By candidate the sum of what it led to, in points."""
        game, seat, seats = self.game, view["seat"], view["seats"]
        values = [0.0] * len(candidates)
        for _ in self.budget.steps(ROLLOUTS, len(candidates), least=_LEAST_WORLDS):
            world = game.determinize(view, rng)
            for number, move in enumerate(candidates):
                state = world.clone()
                game.advance(state, seat, move)
                self._runner.play_on(state, ROUNDS * seats + (state.turn == seat))
                values[number] += lead(state.points, seat)
        return values


def lead(points: Sequence[int], seat: int) -> float:
    """By how many points the seat is ahead of the mean of the others."""
    others = len(points) - 1
    return points[seat] - (sum(points) - points[seat]) / others
