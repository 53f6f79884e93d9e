"""Comparing what chance gave with what it should give."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping
from math import sqrt
from typing import Any

from games.core import AnyGame


def assert_uniform(counts: Counter[Hashable], possible: Collection[Hashable]) -> None:
    """Every possible thing came up equally often, and nothing else did."""
    assert_shares(counts, dict.fromkeys(possible, 1))


def assert_shares(counts: Counter[Hashable], weights: Mapping[Hashable, float]) -> None:
    """The possible things came up in proportion to their weights, and nothing else did.

    Pearson's chi-square test at a level of about one in 30,000, by the normal approximation of Wilson and
    Hilferty (1931); five expected of each are asked for, as usual.
    """
    assert set(counts) <= set(weights)
    number, total = sum(counts.values()), sum(weights.values())
    expected = {thing: number * weight / total for thing, weight in weights.items()}
    assert min(expected.values()) >= 5
    freedom = len(weights) - 1
    if not freedom:
        return
    chi_square = sum((counts[thing] - often) ** 2 / often for thing, often in expected.items())
    deviation = ((chi_square / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / sqrt(2 / (9 * freedom))
    assert deviation < 4, f"chi-square {chi_square:.1f} with {freedom} degrees of freedom"


def chances_of_play(game: AnyGame, state: Any, end: Callable[[Any], Hashable | None]) -> dict[Hashable, float]:
    """By what a game comes to in the end: its chance when each legal move is equally likely, all ways tried.

    ``end`` tells different ends apart, and is ``None`` while play goes on. No chance may fall due on the way.
    """
    chances: dict[Hashable, float] = {}

    def play_on(state: Any, chance: float) -> None:
        ended = end(state)
        if ended is not None:
            chances[ended] = chance
            return
        (seat,) = game.to_move(state)
        legal = game.legal(state, seat)
        for move in legal:
            after_move = state.clone()
            game.advance(after_move, seat, move)
            play_on(after_move, chance / len(legal))

    play_on(state, 1.0)
    return chances
