"""Double elimination: who loses twice is out.

Who loses in the winners' bracket ("W1-…") goes on in the losers' bracket ("L1-…"), and its winner meets the winner of
the winners' bracket in the grand final ("GF1"; "GF2" is the reset). A bracket of 2^k has k rounds for winners and
2k - 2 for losers: L1 among the losers of W1; then by turns an even round, where the losers of the next round of
winners come in, one against each who is left, and an odd round among who is left.

*Rematches.* The losers of W2, W3, … come in crossed, so that they are far from those whom they have beaten. Number the
n matches of round W_r from 0 and turn the digits of r - 1 (binary, the last first) into the first digits of a number
below n: the match whose loser comes in at place p is p with these digits flipped. So W2 swaps the halves, W3 the
quarters within them, W4 both, W5 the eighths, and any 2^m rounds one after another go to different 2^m-ths as long as
they have as many matches. The first round of losers in which two can meet again is then, for k rounds of winners: the
last (2) of k = 2, the third of 4 for k = 3, the fourth of 6 for k = 4, and 2k - 5 (of 2k - 2) for k = 5 and 6; no
other order of flips promises more (docs/brackets.md).

*Byes.* Where the loser's match was a bye, nobody comes: the opponent goes on unplayed, and where both are missing the
next opponent does.
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from league.pairing.brackets import (
    BYE,
    Bracket,
    Match,
    Side,
    Source,
    best_of_at,
    in_waves,
    loser_of,
    paired_up,
    winner_of,
    winners_rounds,
)
from league.pairing.checks import check_size


class GrandFinal(StrEnum):
    """How the winners of both brackets meet.

    RESET: once, and again if the one who had not lost before loses. SIMPLE: once. NONE: never, the winner of the
    winners' bracket is first and that of the losers' bracket second.
    """

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
    """The bracket of 2 entrants or more; of 2 the losers' bracket has no match, and the loser comes right to its end.

    `best_of_last` is for the last rounds, the final (with its reset) first, then the last round of each bracket, and so
    on backwards in both; `best_of` for all others.

    Errors: PairingError `too_few_entrants`, `best_of_even`.
    """
    check_size(entrants_count)
    winners = winners_rounds(entrants_count)
    losers = _losers_rounds(winners)
    finals = 0 if grand_final is GrandFinal.NONE else 1
    matches = [
        replace(match, best_of=best_of_at(finals + len(rounds) - match.round, best_of, best_of_last))
        for rounds in (winners, losers)
        for group in rounds
        for match in group
    ]
    unbeaten = winner_of(winners[-1][0].code)
    beaten = winner_of(losers[-1][0].code) if losers else loser_of(winners[-1][0].code)
    best = [(unbeaten,), (beaten,)]
    if grand_final is not GrandFinal.NONE:
        final_best_of = best_of_at(0, best_of, best_of_last)
        final = Match(code="GF1", side=Side.FINAL, round=1, wave=0, sources=(unbeaten, beaten), best_of=final_best_of)
        matches.append(final)
        if grand_final is GrandFinal.RESET:
            final = replace(
                final, code="GF2", round=2, sources=(winner_of(final.code), loser_of(final.code)), reset=True
            )
            matches.append(final)
        best = [(winner_of(final.code),), (loser_of(final.code),)]
    out = [tuple(loser_of(match.code) for match in group) for group in reversed(losers)]
    return Bracket(entrants_count=entrants_count, matches=in_waves(matches), places=(*best, *out))


def _losers_rounds(winners: Sequence[Sequence[Match]]) -> list[list[Match]]:
    rounds: list[list[Match]] = []
    sides = [_loser(match) for match in winners[0]]
    for number, dropping in enumerate(winners[1:], start=2):
        rounds.append(paired_up(sides, side=Side.LOSERS, letter="L", number=len(rounds) + 1))
        flip = _flip(number, len(dropping))
        met = [
            source
            for place, match in enumerate(rounds[-1])
            for source in (_winner(match), _loser(dropping[place ^ flip]))
        ]
        rounds.append(paired_up(met, side=Side.LOSERS, letter="L", number=len(rounds) + 1))
        sides = [_winner(match) for match in rounds[-1]]
    return rounds


def _flip(number: int, matches: int) -> int:
    """The digits to flip in the places of this round's matches (a power of two): `number` - 1 turned round."""
    digits = matches.bit_length() - 1
    return sum(1 << (digits - 1 - digit) for digit in range(digits) if (number - 1) >> digit & 1)


def _loser(match: Match) -> Source:
    return BYE if match.is_bye else loser_of(match.code)


def _winner(match: Match) -> Source:
    return BYE if match.sources == (BYE, BYE) else winner_of(match.code)
