"""How strong players are, from the places of the rounds they played: Weng-Lin ratings.

Terms. A *rating* is a belief about a player's strength: the mean ``mu`` and the standard deviation ``sigma`` of a
normal distribution, after so many ``results`` (rounds). It is *provisional* until there are enough of them. The
*value* is what people are shown of it: one number on the scale that chess made familiar.

Method: Ruby C. Weng and Chih-Jen Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011), Algorithm
1, Bradley-Terry with full pairing: every two players of a round are compared, the better place wins, equal places are
half a win for each. ``openskill`` computes it; its Plackett-Luce model puts a loser above tied winners.

Promises: of players who were equal before, the new ratings are in the order of their places. The same rounds in the
same order give the same numbers to the last bit.

Never: compares people with bots, or knows who plays; that is for the caller.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import BradleyTerryFull

# A strength of 25 with a deviation of a third of it, and half of that deviation as what chance adds to one round
# (beta), are the numbers of the paper's experiments. TAU is added to every deviation before a round, since people
# learn: without it a rating of many rounds would stand still.
MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
TAU = SIGMA / 100

# From ten rounds on: at tables of four the deviation has then fallen to about half of what everybody begins with, and
# one evening of Pure XXL, six rounds against the same people, is not enough.
ESTABLISHED = 10

AVERAGE = 1500.0
# Elo's scale: 400 points are odds of ten to one between players whose strengths are well known.
_POINTS_PER_MU = 400 / math.log(10) / (BETA * math.sqrt(2))

_MODEL = BradleyTerryFull(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU)


@dataclass(frozen=True, slots=True)
class Strength:
    """What is believed of a player after so many rounds."""

    mu: float = MU
    sigma: float = SIGMA
    results: int = 0


START = Strength()


def rate(before: Sequence[Strength], places: Sequence[int]) -> tuple[Strength, ...]:
    """The strengths after one round, in the order given; ``places`` from 1, equal ones shared, gaps as they come.

    Only the order of the places says anything, so that those of some of the players at a table will do. Raises
    ValueError for fewer than two players, or not one place for each.
    """
    if len(before) < 2 or len(before) != len(places):
        raise ValueError("A round compares at least two players with one place each.")
    teams = [[_MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return tuple(Strength(rated.mu, rated.sigma, one.results + 1) for one, [rated] in zip(before, after, strict=True))


def value(mu: float) -> float:
    """The number that is shown for a mean: 1500 for the one that everybody begins with, better is higher."""
    return AVERAGE + _POINTS_PER_MU * (mu - MU)


def is_provisional(results: int) -> bool:
    """Whether so many results say too little yet to stand in a ranking."""
    return results < ESTABLISHED
