"""Single elimination: who loses is out."""

from collections.abc import Sequence

from league.pairing.brackets import Bracket


def single_elimination(
    entrants_count: int, *, third_place: bool = False, best_of: int = 1, best_of_last: Sequence[int] = ()
) -> Bracket:
    """The bracket of 2 entrants or more; `best_of_last` is for the last rounds, the final first, `best_of` for others."""
    raise NotImplementedError
