"""Places within a game or a session: equal scores share the place, the following places are skipped
(docs/rules/xxl.md, "Scoring a session").

Terms. A *competition ranking* is 1 2 2 4: everybody's place is one more than the number of those who
did better.

Never: breaks a tie.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.core import competition_places
from league.scoring.problems import Problem


def places(scores: Sequence[int], *, high_wins: bool) -> tuple[int, ...]:
    """One place a score, in the order of the scores; the best score (highest or lowest) has place 1."""
    return competition_places(scores, high_wins=high_wins)


def check_ranking(given: Sequence[int]) -> tuple[Problem, ...]:
    """What is wrong with places given by hand: one ``place_expected`` for each that can't be.

    The expected place counts how many were given a better one: in 1 2 2 3 a fourth place was expected
    instead of the 3, in 2 3 4 each is one too many. Empty when it is a competition ranking.
    """
    # A list of places is a competition ranking exactly when ranking it anew changes nothing.
    return tuple(
        Problem("place_expected", "place", index, {"expected": expected, "given": place})
        for index, (expected, place) in enumerate(zip(places(given, high_wins=False), given, strict=True))
        if expected != place
    )
