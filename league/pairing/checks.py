"""What every format refuses in the same words: too few entrants, an entrant twice.

Codes of a PairingError: `too_few_entrants` (figures `entrants`, `least`), `entrant_twice` (the entrants).
"""

from collections import Counter
from collections.abc import Iterable

from league.pairing.values import PairingError, Reason


def check_size(entrants: int, least: int = 2) -> None:
    """There are `least` entrants at least: PairingError `too_few_entrants` else."""
    if entrants < least:
        raise PairingError(Reason(code="too_few_entrants", figures={"entrants": entrants, "least": least}))


def check_distinct(entrants: Iterable[int]) -> None:
    """Everybody is there once: PairingError `entrant_twice` with those who are not."""
    twice = tuple(sorted(entrant for entrant, times in Counter(entrants).items() if times > 1))
    if twice:
        raise PairingError(Reason(code="entrant_twice", entrants=twice))
