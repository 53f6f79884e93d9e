"""How far the search of und Tschüss can be read: a bot that knows how others choose and answers as well as it can.

Terms as in ``games.bots.search_rounds``. A *reader* plays a best response: in each world it gives every other
seat the very mix that the other's program finds with its hand, and plays the card that is best on average against
these; the rest of the round is played on by the rule of thumb, as the search itself does. ``of_greedy`` reads the rule
of thumb, ``of_search`` the search with few worlds, since the reader has to run it for each hand that it thinks
possible; ``little_search`` is that search.

The less a reader wins at a table of those it reads, the less they can be exploited; the share of equal players is the
yardstick. What it wins is a lower bound of what can be won: a better reader may win more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from games.bots.budget import Budget
from games.bots.search_rounds import Position, RoundSearch, Scene, drawn
from games.bots.search_rounds_many import Rounds
from games.core import Seat
from games.rules.und_tschuess import RoundState, UndTschuess

_WORLDS: Final = Budget(iterations=80)
_LITTLE: Final = Budget(iterations=40)
_HANDS: Final = 1
"""For 16 worlds, how many hands of each other seat the program is run for."""


class Reader(RoundSearch):
    """Answers a known program."""

    def __init__(self, game: UndTschuess, other: RoundSearch) -> None:
        super().__init__(game, _WORLDS, trust=1.0)
        self._rules, self._other = game, other

    def _duel(self, position: Position, rounds: Rounds, rng: Random) -> None:
        """Nothing has to be learned where the other's mix is known."""

    def _scenes(
        self, position: Position, rounds: Rounds, number: int, regrets: Mapping[Seat, Mapping[int, float]], rng: Random
    ) -> Iterator[Scene]:
        """Each other seat has one of a few hands and plays as its program does with it."""
        game, me, inside = self._rules, position.seat, position.start.inside
        states = [self._before_choices(position, rng) for _ in range(_HANDS)]
        hands = [[game.deck.values_of(state.hand(seat)) for seat in range(len(state.kinds))] for state in states]
        mixes = [{seat: self._mix_in(state, seat, rng) for seat in inside if seat != me} for state in states]
        for _ in range(number):
            world = [hands[int(rng.random() * _HANDS)][seat] for seat in range(len(hands[0]))]
            played = []
            for seat in inside:
                if seat == me:
                    played.append(world[seat][0])
                    continue
                # Lists of hands are the same objects in the world, so that its mix is found by identity.
                which = next(i for i, some in enumerate(hands) if some[seat] is world[seat])
                played.append(drawn(sorted(set(world[seat])), mixes[which][seat], rng.random()))
            yield world, played

    def _before_choices(self, position: Position, rng: Random) -> RoundState:
        """A possible state in which nobody has chosen yet."""
        state = self._rules.determinize(position.view, rng)
        for seat in position.start.inside:
            if not state.due >> seat & 1:
                state.give(seat, [state.chosen[seat]])
                state.due |= 1 << seat
        return state

    def _mix_in(self, state: RoundState, seat: Seat, rng: Random) -> list[float]:
        legal = self._rules.legal(state, seat)
        return [1.0] if len(legal) == 1 else self._other.mix(self._rules.view(state, seat), legal, rng)


def little_search(game: UndTschuess) -> RoundSearch:
    """The search that is read."""
    return RoundSearch(game, _LITTLE)


def of_search(game: UndTschuess) -> Reader:
    """Reads ``little_search``."""
    return Reader(game, little_search(game))


def of_greedy(game: UndTschuess) -> RoundSearch:
    """Reads the rule of thumb, whose choice needs no running for a few hands alone."""
    return RoundSearch(game, _WORLDS, trust=1.0)
