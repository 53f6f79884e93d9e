"""Single elimination: who loses is out.

A bracket for the next power of two; the first seeds have byes where entrants are missing. The rounds are "W1-…" and
on, the last of them the final; the losers of the semi-finals may play for third place ("3P") beside the final. Who
loses in the same round shares the ranks: the fifth to eighth of eight in the quarter-finals.
"""

from collections.abc import Sequence
from dataclasses import replace

from league.pairing.brackets import (
    Bracket,
    Match,
    Side,
    Source,
    best_of_at,
    in_waves,
    loser_of,
    winner_of,
    winners_rounds,
)
from league.pairing.checks import check_size


def single_elimination(
    entrants_count: int, *, third_place: bool = False, best_of: int = 1, best_of_last: Sequence[int] = ()
) -> Bracket:
    """The bracket of 2 entrants or more. With fewer than 4 there is no match for third place to play.

    `best_of_last` is for the last rounds, the final first: (5, 3) is best of 5 in the final, of 3 in the semi-finals;
    `best_of` for all others. Third place is played as the semi-finals are.

    Errors: PairingError `too_few_entrants`, `best_of_even`.
    """
    check_size(entrants_count)
    rounds = winners_rounds(entrants_count)
    matches = [
        replace(match, best_of=best_of_at(len(rounds) - match.round, best_of, best_of_last))
        for group in rounds
        for match in group
    ]
    final = rounds[-1][0].code
    places: list[tuple[Source, ...]] = [(winner_of(final),), (loser_of(final),)]
    left = rounds[:-1]
    if third_place and entrants_count >= 4:
        semi_finals = left.pop()
        third = Match(
            code="3P",
            side=Side.THIRD_PLACE,
            round=1,
            wave=0,
            sources=(loser_of(semi_finals[0].code), loser_of(semi_finals[1].code)),
            best_of=best_of_at(1, best_of, best_of_last),
        )
        matches.append(third)
        places += [(winner_of(third.code),), (loser_of(third.code),)]
    places += [tuple(loser_of(match.code) for match in group) for group in reversed(left)]
    return Bracket(entrants_count=entrants_count, matches=in_waves(matches), places=tuple(places))
