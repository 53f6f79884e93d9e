"""What the end of a round of und Tschüss is worth: fits the constants of ``games.bots.search_rounds.Prospects``.

    python -m benchmarks.rounds_prospects [--games N] [--seed S]

lets four rules of thumb play N games, takes down at the first step of each round what everybody has won and holds and
how many cards are left, and looks for the constants under which the winners of the games were most likely: first
those of the search, then whatever a change of one of them at a time improves. Printed are both with their mean
log loss (of a guess at random: log 4 = 1.386), on the games they were fitted to and on as many others. The constants in
the source were found so on 5,000 games, at the ends of rounds, and rounded.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from games.bots import search_rounds
from games.bots.greedy import GreedyBot
from games.core import Playthrough
from games.match import deal_seed, play_through
from games.rules.und_tschuess import CHOOSE, GAME

SEATS = 4
Real = NDArray[np.float64]
NAMES = ("_HIGH_FROM", "_HIGH_WORTH", "_LOW_FROM", "_LOW_WORTH", "_NEXT_SHARE", "_VARIANCE", "_VARIANCE_A_ROUND")
STEPS = (0.08, 0.1, 0.1, 0.05, 0.1, 0.05, 0.03)
"""First changes; they are halved until they change nothing."""


class Seen:
    """Round beginnings: by row the points won, counts of the different cards held, cards left, who won in the end."""

    def __init__(self, games: int, seed: int) -> None:
        self._rows: list[tuple[list[int], list[list[int]], int]] = []
        self._number = 0
        winners: list[list[float]] = []
        for game in range(games):
            self._number, before = 0, len(self._rows)
            outcome = play_through(GAME, [GreedyBot(GAME)] * SEATS, deal_seed(seed, game), on_move=self._look).outcome()
            if outcome is None or outcome.places is None:
                raise RuntimeError("The game did not end.")
            first = [place == 1 for place in outcome.places]
            winners += [[one / sum(first) for one in first]] * (len(self._rows) - before)
        self.won = np.array([row[0] for row in self._rows], dtype=float)
        self.cards = np.array([row[1] for row in self._rows], dtype=float)
        self.left = np.array([row[2] for row in self._rows], dtype=float)
        self.first = np.array(winners)

    def _look(self, playthrough: Playthrough) -> None:
        """Take down a round that has just begun; the first one says nothing that is worth knowing."""
        state = playthrough.state
        if state.phase != CHOOSE or state.number == self._number:
            return
        if state.number > 1:
            won = [sum(cards) for cards in GAME.view(state, None)["won"]]
            hands = [GAME.deck.count(state.hand(seat)) for seat in range(SEATS)]
            self._rows.append((won, hands, len(state.pile)))
        self._number = state.number


def loss(seen: Seen, constants: Sequence[float]) -> float:
    """Mean log loss of the winners under these constants, in the order of ``NAMES``."""
    high_from, high, low_from, low, share_next, variance, a_round = constants
    values = np.array(GAME.deck.values, dtype=float)
    deck = np.array(GAME.deck.values_of(GAME.deck.cards), dtype=float)
    mean, spread = deck.mean(), deck.std()
    above, below = values - (mean + high_from * spread), (mean - low_from * spread) - values
    worth = high * np.maximum(0, above) + low * np.maximum(0, below)
    rounds = seen.left / (sum(range(2, SEATS + 1)) + SEATS - 1)
    share = np.minimum(1, share_next + (1 - share_next) * rounds)
    strengths = seen.won + share[:, None] * (seen.cards @ worth)
    odds: Real = strengths / (spread * np.sqrt(variance + a_round * rounds))[:, None]
    odds = odds - odds.max(axis=1, keepdims=True)
    chances = odds - np.log(np.exp(odds).sum(axis=1, keepdims=True))
    return -float((chances * seen.first).sum(axis=1).mean())


def fit(seen: Seen, constants: Sequence[float]) -> list[float]:
    """Change one constant at a time while that helps; all stay above 0."""
    best, steps = list(constants), list(STEPS)
    least = loss(seen, best)
    while steps[0] > STEPS[0] / 16:
        before = least
        for i in range(len(best)):
            for sign in (1, -1):
                tried = [*best]
                tried[i] += sign * steps[i]
                if tried[i] > 0 and (found := loss(seen, tried)) < least:
                    best, least = tried, found
        if least > before - 1e-6:
            steps = [step / 2 for step in steps]
    return best


def main(argv: Sequence[str]) -> int:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rounds_prospects", description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=2026)
    given = parser.parse_args(argv)
    seen, others = Seen(given.games, given.seed), Seen(given.games, given.seed + 1)
    shipped = [float(getattr(search_rounds, name)) for name in NAMES]
    for name, constants in (("in the source", shipped), ("fitted", fit(seen, shipped))):
        shown = ", ".join(f"{key[1:].lower()} {value:.2f}" for key, value in zip(NAMES, constants, strict=True))
        sys.stdout.write(
            f"{name}: {shown}\n  log loss {loss(seen, constants):.4f}, others {loss(others, constants):.4f}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
