"""Stepladder: the last two play, the winner meets the next above, up to the first."""

from collections.abc import Sequence

from league.pairing.brackets import Bracket


def stepladder(entrants_count: int, *, best_of: int = 1, best_of_last: Sequence[int] = ()) -> Bracket:
    """The ladder of 2 entrants or more; `best_of_last` is for the last matches, the final first, `best_of` for others."""
    raise NotImplementedError
