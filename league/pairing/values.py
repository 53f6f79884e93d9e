"""What every format of pairing takes and gives: plain values, no row and no framework.

Terms: an *entrant* is who plays in a tournament, by the id of the entry; a *table* is one meeting of a tournament
round, of two for a duel, of three to six else; a *bye* is a round that an entrant sits out; a *reason* says in a code
and figures why something odd was decided (this bye, this repeat meeting), for others to put into words. Seats are told
in order, the first to play first. Promises: the same values and the same seed give the same answer on every machine.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations


class TableKind(StrEnum):
    """How a table came to its result; nobody met at any but a played one."""

    PLAYED = "played"
    BYE = "bye"
    FORFEIT = "forfeit"
    DOUBLE_FORFEIT = "double_forfeit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """Who may be paired. `seed` is 1 for the strongest, each once; `present` says whether for this tournament round."""

    id: int
    seed: int
    present: bool = True
    first_round: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of an earlier tournament round: who sat there in order of seats, and what came of it.

    `places` (1 is best, ties share a place and the following are skipped) and `scores` (tournament points) are empty
    while nothing came of it. A forfeit has the winner first.
    """

    entrants: tuple[int, ...]
    kind: TableKind = TableKind.PLAYED
    places: Mapping[int, int] = field(default_factory=dict)
    scores: Mapping[int, float] = field(default_factory=dict)

    def pairs(self) -> list[tuple[int, int]]:
        """Everybody who met here with everybody, the lower id first; none where nobody played."""
        return list(combinations(sorted(self.entrants), 2)) if self.kind is TableKind.PLAYED else []


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRound:
    """A tournament round that was paired before, played or not; rounds are given in order."""

    number: int
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why something was decided: a code, whom it concerns and figures for the sentence."""

    code: str
    entrants: tuple[int, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the organiser asks of the tables: pairs of ids, the lower first; table numbers, from 1, by entrant."""

    apart: frozenset[tuple[int, int]] = frozenset()
    together: frozenset[tuple[int, int]] = frozenset()
    fixed: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedRound:
    """What a format answers: the tables in their order, each with the entrants in order of seats, and who sits out."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()
    reasons: tuple[Reason, ...] = ()


class PairingError(Exception):
    """What was asked for is not possible: `reason` says why. The caller's error, to be told to the organiser."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(f"{reason.code} {dict(reason.figures)} {list(reason.entrants)}")
        self.reason = reason


def meetings(rounds: Sequence[PastRound]) -> dict[tuple[int, int], list[int]]:
    """The numbers of the rounds in which each pair met, by the pair with the lower id first."""
    found: dict[tuple[int, int], list[int]] = {}
    for one in rounds:
        for table in one.tables:
            for pair in table.pairs():
                found.setdefault(pair, []).append(one.number)
    return found
