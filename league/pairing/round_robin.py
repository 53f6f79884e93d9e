"""Round robin: everybody plays everybody once, or twice with the first seat the other way round.

The circle method in the form of the Berger tables (FIDE Handbook, C.05 annex 1): of n places, n even, i and j below n
meet in round r where i + j = r + 1 modulo n - 1, and the place left over meets n. The lower has the first seat where
i + j is odd, the higher where it is even; n has it against the upper half of places. So everybody has the first seat
in half of the matches, within one. An odd number of entrants leaves place n empty: who meets it sits out.

Codes of reasons: `odd_number` (the entrant sits out this round because the number of entrants is odd). Of a
PairingError: `too_few_entrants` (figures `entrants`, `least`), `entrant_twice` (the entrant).
"""

from collections.abc import Sequence

from league.pairing.checks import check_distinct, check_size
from league.pairing.values import PairedRound, Reason


def schedule(entrants: Sequence[int], *, double: bool) -> tuple[PairedRound, ...]:
    """All rounds for these ids, the first the place 1 of the tables; `double`: all once more with seats swapped.

    n - 1 rounds for an even number, n for an odd one, twice as many if double. Errors: PairingError
    `too_few_entrants` (fewer than 2), `entrant_twice`.
    """
    check_size(len(entrants))
    check_distinct(entrants)
    places = len(entrants) + len(entrants) % 2
    rounds = [_paired(entrants, _berger(places, number)) for number in range(1, places)]
    if double:
        rounds += [_swapped(one) for one in rounds]
    return tuple(rounds)


def _berger(places: int, number: int) -> list[tuple[int, int]]:
    """Round `number` of the table for an even number of places, each pair with the first seat first."""
    turn = places - 1
    centre = (number + 1 if number % 2 else number + 1 + turn) // 2  # meets itself: who plays the last place
    pairs = [(centre, places) if centre <= places // 2 else (places, centre)]
    for away in range(1, places // 2):
        low, high = sorted(((centre + away - 1) % turn + 1, (centre - away - 1) % turn + 1))
        pairs.append((low, high) if (low + high) % 2 else (high, low))
    return pairs


def _paired(entrants: Sequence[int], pairs: Sequence[tuple[int, int]]) -> PairedRound:
    tables = tuple((entrants[one - 1], entrants[other - 1]) for one, other in pairs if max(one, other) <= len(entrants))
    byes = tuple(entrants[min(pair) - 1] for pair in pairs if max(pair) > len(entrants))
    reasons = tuple(Reason(code="odd_number", entrants=(entrant,)) for entrant in byes)
    return PairedRound(tables=tables, byes=byes, reasons=reasons)


def _swapped(one: PairedRound) -> PairedRound:
    return PairedRound(tables=tuple(table[::-1] for table in one.tables), byes=one.byes, reasons=one.reasons)
