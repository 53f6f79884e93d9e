"""How much a bot may think over one choice.

Promises: a budget of iterations is counted, so that the same choice comes out on every machine. A budget of
milliseconds reads a clock: what it leads to can't be repeated, and records of such games replay all the same,
since a record has the moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from time import perf_counter
from typing import Final


@dataclass(frozen=True, slots=True)
class Budget:
    """``iterations`` or ``milliseconds`` of real time, not both; neither: the bot's usual iterations."""

    iterations: int | None = None
    milliseconds: float | None = None

    def __post_init__(self) -> None:
        if self.iterations is not None and self.milliseconds is not None:
            raise ValueError("A budget is of iterations or of milliseconds, not of both.")
        if any(one is not None and one <= 0 for one in (self.iterations, self.milliseconds)):
            raise ValueError("A budget must be above 0.")

    def steps(self, usual: int, cost: int = 1, *, least: int = 1) -> Iterator[int]:
        """The numbers from 0 of the steps to make, each of ``cost`` iterations; at least ``least`` of them.

        ``usual`` are the iterations of a budget that names none.
        """
        if self.milliseconds is None:
            yield from range(max(least, (self.iterations or usual) // cost))
            return
        end = perf_counter() + self.milliseconds / 1000
        for number in count():
            if number >= least and perf_counter() >= end:
                return
            yield number


USUAL: Final = Budget()
