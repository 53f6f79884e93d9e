"""Double elimination: who loses twice is out."""

from collections.abc import Sequence
from enum import StrEnum

from league.pairing.brackets import Bracket


class GrandFinal(StrEnum):
    """How the winners of both brackets meet: with a second match if the first is lost by who had not lost, once, never."""

    RESET = "reset"
    SIMPLE = "simple"
    NONE = "none"


def double_elimination(
    entrants_count: int,
    *,
    grand_final: GrandFinal = GrandFinal.RESET,
    best_of: int = 1,
    best_of_last: Sequence[int] = (),
) -> Bracket:
    """The bracket of 2 entrants or more; `best_of_last` is for the last rounds of both brackets, the final first."""
    raise NotImplementedError
