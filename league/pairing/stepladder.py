"""Stepladder: the last two play, the winner meets the next above, up to the first.

"S1" is between the last two seeds, the last match against seed 1. Who loses is out, in the order of the matches.
"""

from collections.abc import Sequence

from league.pairing.brackets import (
    Bracket,
    Match,
    Side,
    best_of_at,
    in_waves,
    loser_of,
    seeded,
    winner_of,
)
from league.pairing.checks import check_size


def stepladder(entrants_count: int, *, best_of: int = 1, best_of_last: Sequence[int] = ()) -> Bracket:
    """The ladder of 2 entrants or more; the higher seed has the first side.

    `best_of_last` is for the last matches, the final first; `best_of` for all others.

    Errors: PairingError `too_few_entrants`, `best_of_even`.
    """
    check_size(entrants_count)
    climber = seeded(entrants_count)
    matches = []
    for step in range(1, entrants_count):
        match = Match(
            code=f"S{step}",
            side=Side.LADDER,
            round=step,
            wave=0,
            sources=(seeded(entrants_count - step), climber),
            best_of=best_of_at(entrants_count - 1 - step, best_of, best_of_last),
        )
        matches.append(match)
        climber = winner_of(match.code)
    places = ((climber,), *((loser_of(match.code),) for match in reversed(matches)))
    return Bracket(entrants_count=entrants_count, matches=in_waves(matches), places=places)
