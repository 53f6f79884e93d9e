"""Brackets: who meets whom when winners and losers go on into other matches, as a plan and with its outcomes.

Terms: a *match* is one meeting of two in a bracket, one sitting of up to `best_of` games; its *code* names it for good
("W1-3" the third match of the first round of the winners' bracket, "L2-1" of the losers' bracket, "GF1" and "GF2" the
grand final and its reset, "3P" the match for third place, "S2" the second of a stepladder). A *source* says who takes
a side of a match: a seed, the winner or the loser of another match, or nobody (a bye). A *round* counts within a side
of the bracket; a *wave* counts over the whole bracket in order of play: matches of one wave can be played at once. An
*outcome* is what is known of a match; all else follows from the plan, the seeding and the outcomes, so that a wrong
outcome is put right by putting it right, and nothing else has to be changed by hand.

Promises: a match is void where there is nobody to play against; who is there goes on without play. After a double
forfeit nobody goes on, neither up nor into the losers' bracket. An outcome of a match whose two have become others
counts no more and is named. Never: a winner who did not play in the match, an outcome of a void match that counts.

Codes of reasons. Of a void match: `bye` (no opponent was planned; the entrant goes on), `walkover` (the opponent's side
is empty after a double forfeit; the entrant goes on), `nobody` (both sides are empty), `no_reset` (the winner of the
winners' bracket has won the grand final). Of a PairingError: `too_few_entrants` (figures `entrants`, `least`),
`best_of_even` (`best_of`), `wrong_count` (`entrants`, `expected`: the seeding is not as long as the bracket is large),
`entrant_twice` (the entrant), `unknown_match` (no figures; the code stands in the error's text).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from league.pairing.values import PairingError, Reason, TableKind


class Side(StrEnum):
    """Which part of a bracket a match stands in."""

    WINNERS = "winners"
    LOSERS = "losers"
    FINAL = "final"
    THIRD_PLACE = "third_place"
    LADDER = "ladder"


class SourceKind(StrEnum):
    """Where the entrant on a side of a match comes from."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"
    BYE = "bye"


class State(StrEnum):
    """What can be done with a match: wait for others, play it, nothing more, or nothing at all."""

    WAITING = "waiting"
    READY = "ready"
    DECIDED = "decided"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Source:
    """Who takes a side of a match; `seed` is 0 and `code` empty where the kind has no use for them."""

    kind: SourceKind
    seed: int = 0
    code: str = ""


BYE = Source(SourceKind.BYE)


def seeded(seed: int) -> Source:
    """The entrant of this seed, 1 for the strongest."""
    return Source(SourceKind.SEED, seed=seed)


def winner_of(code: str) -> Source:
    """Who wins the match of this code."""
    return Source(SourceKind.WINNER, code=code)


def loser_of(code: str) -> Source:
    """Who loses the match of this code."""
    return Source(SourceKind.LOSER, code=code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match of the plan. `reset` marks one that is played only if the second side has won the match before it."""

    code: str
    side: Side
    round: int
    wave: int
    sources: tuple[Source, Source]
    best_of: int = 1
    reset: bool = False

    @property
    def is_bye(self) -> bool:
        """Whether the plan has nobody on a side, so that it is never played."""
        return BYE in self.sources


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """The plan: matches, each after those it takes entrants from; `places` are the ways out, from the best on.

    Who leaves by the same group of ways shares the ranks of the group.
    """

    entrants_count: int
    matches: tuple[Match, ...]
    places: tuple[tuple[Source, ...], ...]

    def match(self, code: str) -> Match:
        """The match of this code; PairingError `unknown_match` if there is none."""
        for match in self.matches:
            if match.code == code:
                return match
        raise PairingError(Reason(code="unknown_match"))

    def played(self) -> tuple[Match, ...]:
        """The matches with an opponent on each side by plan; a reset is among them."""
        return tuple(match for match in self.matches if not match.is_bye)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The outcome of a match. After a double forfeit `winner` and `loser` are the two in any order: nobody won."""

    winner: int
    loser: int
    kind: TableKind = TableKind.PLAYED


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedMatch:
    """What is known of a match.

    `entrants` are by side, None while unknown; `vacant` says on which sides nobody will ever be. `winner` goes on, or
    has won the bracket; `loser` goes where the plan sends losers, or is out: None while unknown and where there is
    none. `kind` is that of the outcome; `reason` says why it is void.
    """

    code: str
    state: State
    entrants: tuple[int | None, int | None]
    vacant: tuple[bool, bool] = (False, False)
    winner: int | None = None
    loser: int | None = None
    kind: TableKind | None = None
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """Every match by code, in the order of the plan; `invalid` are the codes of outcomes that do not count (any more)."""

    matches: Mapping[str, ResolvedMatch]
    invalid: tuple[str, ...] = ()

    @property
    def ready(self) -> tuple[str, ...]:
        """The codes of the matches that can be played now."""
        return tuple(code for code, match in self.matches.items() if match.state is State.READY)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to play."""
        return all(match.state in {State.DECIDED, State.VOID} for match in self.matches.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """The ranks that are still possible for an entrant; for one who is out, those shared with equals."""

    entrant: int
    rank_from: int
    rank_to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A match whose two are others than before; `invalid` says that its outcome counts no more."""

    code: str
    before: tuple[int | None, int | None]
    after: tuple[int | None, int | None]
    invalid: bool


def wins_needed(best_of: int) -> int:
    """How many games decide a match of up to `best_of` (odd, at least 1): PairingError `best_of_even` else."""
    if best_of < 1 or best_of % 2 == 0:
        raise PairingError(Reason(code="best_of_even", figures={"best_of": best_of}))
    return best_of // 2 + 1


def resolve(bracket: Bracket, seeding: Sequence[int], outcomes: Mapping[str, Decision]) -> Resolved:
    """What follows from the outcomes so far. `seeding`: the ids of the entrants by seed, the strongest first.

    Errors: PairingError `wrong_count`, `entrant_twice`, `unknown_match`.
    """
    raise NotImplementedError


def standing(bracket: Bracket, resolved: Resolved) -> list[Placed]:
    """Every entrant with the ranks that are (still) possible, the best first."""
    raise NotImplementedError


def depends_on(bracket: Bracket, code: str) -> tuple[str, ...]:
    """The codes of all matches that take their entrants from this one, directly or over others, in order of play."""
    raise NotImplementedError


def changed(
    bracket: Bracket, seeding: Sequence[int], before: Mapping[str, Decision], after: Mapping[str, Decision]
) -> tuple[Change, ...]:
    """Which matches get other entrants when the outcomes become `after`, in the order of the plan.

    `after` still holds the outcomes of later matches: those that no longer count are marked. Errors as of `resolve`.
    """
    raise NotImplementedError
