"""Round robin: everybody plays everybody once, or twice with the first seat the other way round.

The circle method in the form of the Berger tables (FIDE Handbook, C.05 annex 1): of n places, n even, i and j below n
meet in round r where i + j = r + 1 modulo n - 1, and the place left over meets n. The lower has the first seat where
i + j is odd, the higher where it is even; n has it against the upper half of places. So everybody has the first seat
in half of the matches, within one. An odd number of entrants leaves place n empty: who meets it sits out.

Codes of reasons: `odd_number` (the entrant sits out this round because the number of entrants is odd). Of a
PairingError: `too_few_entrants` (figures `entrants`, `least`), `entrant_twice` (the entrant).
"""

from collections.abc import Sequence

from league.pairing.values import PairedRound


def schedule(entrants: Sequence[int], *, double: bool) -> tuple[PairedRound, ...]:
    """All rounds for these ids, the first the place 1 of the tables; `double`: all once more with seats swapped."""
    raise NotImplementedError
