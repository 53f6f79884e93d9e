"""How much players help a table that plays together: ratings from the results of cooperative games.

Terms. A *setting* is what makes a game hard or easy: the game, the number of players, and the note of the round. A
*result* is the table's one score (The Game: the cards left). A *skill* is what a player adds, on average, to the
results of a table of such players alone, in standard deviations of the game's results; 0 is the average player.

Method. A result is the ease of its setting plus the mean of its players' skills plus chance: a linear model, fitted to
all results at once by ridge regression (A. E. Hoerl and R. W. Kennard, Technometrics 12, 1970). The ridge pulls skills
towards 0, the fewer results the more, so that one lucky game makes nobody a champion. To rate the deck as an opponent
who wins or loses would throw away how many cards were left; the tests have a simulation of what that costs.

Promises: the order of the results changes nothing but the last bits, and the same results in the same order give the
same numbers. Time grows with the different pairs that sat together, not with the number of results.

Never: compares people with bots, or knows who plays; that is for the caller.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import mul, truediv

from league.scoring.ratings import AVERAGE

# How much a skill and an ease are pulled towards 0: the variance of chance divided by that of what is pulled. Skills
# are taken to spread about half as much as single results do, settings as much as those.
_SKILL_RIDGE = 4.0
_EASE_RIDGE = 1.0
# What is shown: 1500 for the average, 200 more for whose tables do a standard deviation better.
_POINTS_PER_SKILL = 200.0
# Conjugate gradients stop when what is left of the equations is this small a part of them.
_EXACT = 1e-12


@dataclass(frozen=True, slots=True)
class Setting:
    """What a result is compared within: the game's key, how many played, the note of the round ("" for none)."""

    game: str
    players: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Skill:
    """A player's skill with its standard deviation, both in standard deviations of results, after so many results."""

    skill: float
    deviation: float
    results: int


class _Scale:
    """The mean and the spread of a game's results so far."""

    def __init__(self) -> None:
        self.count, self.total, self.squares = 0, 0, 0

    def add(self, points: int) -> None:
        self.count += 1
        self.total += points
        self.squares += points * points

    @property
    def mean(self) -> float:
        return self.total / self.count

    @property
    def spread(self) -> float:
        # Whole numbers until the end: a difference of large floats could come out below 0.
        return math.sqrt(self.count * self.squares - self.total * self.total) / self.count or 1.0


class CooperativeFit:
    """All results so far of one kind of players, added one by one, and the skills that fit them best."""

    def __init__(self) -> None:
        self._index: dict[int | Setting, int] = {}
        # The normal equations without the ridge, by row and column; the right-hand side apart for each game, whose mean
        # and spread change with every result: sums of points, and of what the mean is to be taken from.
        self._rows: list[dict[int, float]] = []
        self._points: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        self._shares: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        self._scales: dict[str, _Scale] = defaultdict(_Scale)
        self._high_wins: dict[str, bool] = {}
        self._results: dict[int, int] = defaultdict(int)

    def add(self, *, setting: Setting, players: Sequence[int], points: int, high_wins: bool) -> None:
        """Add a result of these players (ids, each once). Raises ValueError unless they are as many as the setting
        says, and at least one."""
        if not players or len(set(players)) != setting.players or len(players) != setting.players:
            raise ValueError("A result is of as many different players as its setting says.")
        share = 1 / len(players)
        parts = [(self._place(setting), 1.0), *((self._place(player), share) for player in players)]
        for row, weight in parts:
            for column, other in parts:
                self._rows[row][column] = self._rows[row].get(column, 0.0) + weight * other
            self._points[setting.game][row] += weight * points
            self._shares[setting.game][row] += weight
        for player in players:
            self._results[player] += 1
        self._scales[setting.game].add(points)
        self._high_wins[setting.game] = high_wins

    def skills(self, players: Iterable[int]) -> dict[int, Skill]:
        """The skills of these players, as the results so far give them; who has no result is left out."""
        known = [player for player in players if player in self._results]
        if not known:
            return {}
        equations = self._equations()
        fitted = equations.solve(self._right_side())
        found = {}
        for player in known:
            place = self._index[player]
            unit = [0.0] * len(self._rows)
            unit[place] = 1.0
            # What is chance has the variance 1 by the choice of the unit, so the inverse matrix has the variances.
            deviation = math.sqrt(equations.solve(unit)[place])
            found[player] = Skill(fitted[place], deviation, self._results[player])
        return found

    def means(self) -> dict[int, tuple[float, int]]:
        """(skill, number of results) of everybody: `skills` without the deviations, which take the most time."""
        if not self._results:
            return {}
        fitted = self._equations().solve(self._right_side())
        return {player: (fitted[self._index[player]], results) for player, results in self._results.items()}

    def _equations(self) -> _Equations:
        return _Equations(self._rows, [self._ridge(unknown) for unknown in self._index])

    def _place(self, unknown: int | Setting) -> int:
        if unknown not in self._index:
            self._index[unknown] = len(self._rows)
            self._rows.append({})
        return self._index[unknown]

    @staticmethod
    def _ridge(unknown: int | Setting) -> float:
        return _EASE_RIDGE if isinstance(unknown, Setting) else _SKILL_RIDGE

    def _right_side(self) -> list[float]:
        side = [0.0] * len(self._rows)
        for game, points in self._points.items():
            scale, sign = self._scales[game], 1.0 if self._high_wins[game] else -1.0
            mean, spread = scale.mean, scale.spread
            for row, total in points.items():
                side[row] += sign * (total - mean * self._shares[game][row]) / spread
        return side


class _Equations:
    """Symmetric, positive definite equations, few numbers of which are not 0."""

    def __init__(self, rows: Sequence[dict[int, float]], ridge: Sequence[float]) -> None:
        self._diagonal = [row[place] + more for place, (row, more) in enumerate(zip(rows, ridge, strict=True))]
        others = [[(column, one) for column, one in row.items() if column != place] for place, row in enumerate(rows)]
        self._columns = [[column for column, _one in row] for row in others]
        self._values = [[one for _column, one in row] for row in others]

    def _times(self, vector: Sequence[float]) -> list[float]:
        pick = vector.__getitem__
        return [
            main * own + sum(map(mul, values, map(pick, columns)))
            for main, own, values, columns in zip(self._diagonal, vector, self._values, self._columns, strict=True)
        ]

    def solve(self, side: Sequence[float]) -> list[float]:
        """Conjugate gradients (M. R. Hestenes and E. Stiefel, 1952), each unknown scaled by the diagonal.

        Without rounding they end after as many steps as there are unknowns; twice as many make up for it.
        """
        solution = [0.0] * len(side)
        left = list(side)
        scaled = list(map(truediv, left, self._diagonal))
        step, size = scaled, sum(map(mul, left, scaled))
        enough = size * _EXACT * _EXACT
        for _turn in range(2 * len(side)):
            if size <= enough:
                break
            image = self._times(step)
            length = size / sum(map(mul, step, image))
            solution = [one + length * way for one, way in zip(solution, step, strict=True)]
            left = [one - length * way for one, way in zip(left, image, strict=True)]
            scaled = list(map(truediv, left, self._diagonal))
            before, size = size, sum(map(mul, left, scaled))
            step = [one + size / before * way for one, way in zip(scaled, step, strict=True)]
        return solution


def value(skill: float) -> float:
    """The number that is shown for a skill: 1500 for the average, better is higher."""
    return AVERAGE + _POINTS_PER_SKILL * skill
