"""How much a search may try: a budget of iterations, with who watches it and who may end it.

Iterations are counted, never seconds, so that a seed gives the same answer on every machine. A caller who has a clock
ends a search through `stop`; the answer is then a good one, but not the one that the whole budget gives.
"""

from collections.abc import Callable


class Effort:
    """What is left of a budget. `stopped` tells that the caller ended it before it was used up."""

    def __init__(
        self, budget: int, *, progress: Callable[[float], None] | None = None, stop: Callable[[], bool] | None = None
    ) -> None:
        self.budget = budget
        self.spent = 0
        self.stopped = False
        self._progress = progress
        self._stop = stop

    @property
    def left(self) -> int:
        """Iterations that may still be spent."""
        return 0 if self.stopped else max(0, self.budget - self.spent)

    def spend(self, iterations: int) -> bool:
        """Count iterations that were done, a few thousand at most at a time; whether there are more to do."""
        self.spent += iterations
        if self._progress is not None:
            self._progress(min(1.0, self.spent / self.budget) if self.budget else 1.0)
        if self.spent < self.budget and self._stop is not None and self._stop():
            self.stopped = True
        return self.left > 0
