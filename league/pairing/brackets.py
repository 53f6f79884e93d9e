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
is empty after a double forfeit; the entrant goes on), `nobody` (both sides are empty), `no_reset` (the grand final was
won by who had not lost before, or had one side only). Of a PairingError: `too_few_entrants` (figures `entrants`,
`least`), `best_of_even` (`best_of`), `wrong_count` (`entrants`, `expected`: the seeding is not as long as the bracket
is large), `entrant_twice` (the entrants), `unknown_match` (no figures: the caller has the code).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from league.pairing.checks import check_distinct
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

    def rounds(self, side: Side) -> int:
        """How many rounds this part of the bracket has, 0 where it has none: the last of the winners is their final."""
        return max((match.round for match in self.matches if match.side is side), default=0)

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
    """Every match by code, in the order of the plan; `invalid` names the outcomes that do not count (any more)."""

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


def wins_needed(best_of: int) -> int:
    """How many games decide a match of up to `best_of` (odd, at least 1): PairingError `best_of_even` else."""
    if best_of < 1 or best_of % 2 == 0:
        raise PairingError(Reason(code="best_of_even", figures={"best_of": best_of}))
    return best_of // 2 + 1


def best_of_at(distance: int, best_of: int, last: Sequence[int]) -> int:
    """The best of for a match that is `distance` rounds before the last (0): from `last`, the final first, if there.

    Errors: PairingError `best_of_even`.
    """
    chosen = last[distance] if distance < len(last) else best_of
    wins_needed(chosen)
    return chosen


def seed_order(size: int) -> tuple[int, ...]:
    """The seeds from top to bottom of a bracket for `size` entrants, a power of two: 1 8, 4 5, 2 7, 3 6.

    Each match of a round is between seeds that add up to one more than there are entrants left, so that the best two
    can meet in the final only, the best four in the semi-finals, and so on.
    """
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for above in order for seed in (above, total - above)]
    return tuple(order)


def winners_rounds(entrants_count: int) -> list[list[Match]]:
    """The rounds of the winners' bracket, "W1-1" and on, still without waves; the first seeds have the byes."""
    size = 1 << (entrants_count - 1).bit_length()
    sides = [seeded(seed) if seed <= entrants_count else BYE for seed in seed_order(size)]
    rounds: list[list[Match]] = []
    while len(sides) > 1:
        rounds.append(paired_up(sides, side=Side.WINNERS, letter="W", number=len(rounds) + 1))
        sides = [winner_of(match.code) for match in rounds[-1]]
    return rounds


def paired_up(sides: Sequence[Source], *, side: Side, letter: str, number: int) -> list[Match]:
    """A round of matches of the first with the second, the third with the fourth, and so on."""
    return [
        Match(code=f"{letter}{number}-{place + 1}", side=side, round=number, wave=0, sources=(one, other))
        for place, (one, other) in enumerate(zip(sides[::2], sides[1::2], strict=True))
    ]


def in_waves(matches: Sequence[Match]) -> tuple[Match, ...]:
    """The matches, given after those they depend on, with their waves and in order of play.

    All of a round share a wave, the first after those of everybody who comes into the round by a match that is played:
    so no wave is without a match that is played.
    """
    rounds: dict[tuple[Side, int], list[Match]] = {}
    for match in matches:
        rounds.setdefault((match.side, match.round), []).append(match)
    waves: dict[str, int] = {}
    for group in rounds.values():
        before = {match.code: max(waves.get(source.code, 0) for source in match.sources) for match in group}
        played = [before[match.code] + 1 for match in group if not match.is_bye]
        waves |= dict.fromkeys(before, max(played, default=max(before.values())))
    waved = [replace(match, wave=waves[match.code]) for match in matches]
    return tuple(sorted(waved, key=lambda match: match.wave))


def resolve(bracket: Bracket, seeding: Sequence[int], outcomes: Mapping[str, Decision]) -> Resolved:
    """What follows from the outcomes so far. `seeding`: the ids of the entrants by seed, the strongest first.

    Errors: PairingError `wrong_count`, `entrant_twice`, `unknown_match`.
    """
    _check_seeding(bracket, seeding)
    if not outcomes.keys() <= {match.code for match in bracket.matches}:
        raise PairingError(Reason(code="unknown_match"))
    found: dict[str, ResolvedMatch] = {}
    for match in bracket.matches:
        found[match.code] = _resolve_match(match, seeding, found, outcomes.get(match.code))
    invalid = tuple(code for code, match in found.items() if code in outcomes and match.state is not State.DECIDED)
    return Resolved(matches=found, invalid=invalid)


def _check_seeding(bracket: Bracket, seeding: Sequence[int]) -> None:
    if len(seeding) != bracket.entrants_count:
        figures = {"entrants": len(seeding), "expected": bracket.entrants_count}
        raise PairingError(Reason(code="wrong_count", figures=figures))
    check_distinct(seeding)


def _resolve_match(
    match: Match, seeding: Sequence[int], found: Mapping[str, ResolvedMatch], outcome: Decision | None
) -> ResolvedMatch:
    if match.reset:
        first = found[match.sources[0].code]
        unopposed = first.state is State.VOID and not all(first.vacant)
        if unopposed or (first.state is State.DECIDED and first.winner == first.entrants[0]):
            return ResolvedMatch(
                code=match.code,
                state=State.VOID,
                entrants=(None, None),
                winner=first.winner,
                loser=first.loser,
                reason=Reason(code="no_reset"),
            )
    one, one_vacant = _arrival(match.sources[0], seeding, found)
    other, other_vacant = _arrival(match.sources[1], seeding, found)
    entrants = (one, other)
    if one_vacant or other_vacant:
        return _void(match, entrants, (one_vacant, other_vacant))
    if one is None or other is None:
        return ResolvedMatch(code=match.code, state=State.WAITING, entrants=entrants)
    if outcome is None or not _fits(outcome, one, other):
        return ResolvedMatch(code=match.code, state=State.READY, entrants=entrants)
    decided = outcome.kind is not TableKind.DOUBLE_FORFEIT
    return ResolvedMatch(
        code=match.code,
        state=State.DECIDED,
        entrants=entrants,
        winner=outcome.winner if decided else None,
        loser=outcome.loser if decided else None,
        kind=outcome.kind,
    )


def _arrival(source: Source, seeding: Sequence[int], found: Mapping[str, ResolvedMatch]) -> tuple[int | None, bool]:
    """Who comes from there, if known, and whether it is known that nobody will."""
    if source.kind is SourceKind.SEED:
        return seeding[source.seed - 1], False
    if source.kind is SourceKind.BYE:
        return None, True
    match = found[source.code]
    entrant = match.winner if source.kind is SourceKind.WINNER else match.loser
    if entrant is not None or match.state is State.WAITING or match.state is State.READY:
        return entrant, False
    if match.state is State.DECIDED or source.kind is SourceKind.LOSER:
        return None, True
    return None, all(match.vacant)


def _void(match: Match, entrants: tuple[int | None, int | None], vacant: tuple[bool, bool]) -> ResolvedMatch:
    entrant = entrants[1] if vacant[0] else entrants[0]
    code = "nobody" if all(vacant) else "bye" if match.is_bye else "walkover"
    return ResolvedMatch(
        code=match.code,
        state=State.VOID,
        entrants=entrants,
        vacant=vacant,
        winner=entrant,
        reason=Reason(code=code, entrants=() if entrant is None else (entrant,)),
    )


def _fits(outcome: Decision, one: int, other: int) -> bool:
    return (outcome.winner, outcome.loser) in {(one, other), (other, one)} and outcome.kind is not TableKind.BYE


def standing(bracket: Bracket, resolved: Resolved) -> list[Placed]:
    """Every entrant with the ranks that are (still) possible, the best first.

    Who is out shares the ranks of all who leave by the same group of `Bracket.places`. After a double forfeit both
    are placed as who loses that match, and, where losers play on, as who loses the next as well.
    """
    ways = _Ways(bracket)
    spans: dict[int, tuple[int, int]] = {}
    sizes = [0] * len(bracket.places)
    reachable = ways.reachable(resolved)

    for code, match in resolved.matches.items():
        entrants = [entrant for entrant in match.entrants if entrant is not None]
        if match.kind is TableKind.DOUBLE_FORFEIT:
            group = ways.lowest(loser_of(code))
            sizes[group] += 2
            spans |= dict.fromkeys(entrants, (group, group))
            continue
        for source, entrant, count in (
            (winner_of(code), match.winner, 0 if all(match.vacant) else 1),
            (loser_of(code), match.loser, 1 if match.loser is not None or match.state is not State.VOID else 0),
        ):
            if source in ways.groups:
                sizes[ways.groups[source]] += count
                if entrant is not None:
                    spans[entrant] = (ways.groups[source], ways.groups[source])
        if match.state in {State.WAITING, State.READY}:
            spans |= dict.fromkeys(entrants, _union(reachable[winner_of(code)], reachable[loser_of(code)]))
    before = [sum(sizes[:group]) for group in range(len(sizes) + 1)]
    placed = [
        Placed(entrant=entrant, rank_from=before[best] + 1, rank_to=before[worst + 1])
        for entrant, (best, worst) in spans.items()
    ]
    return sorted(placed, key=lambda one: (one.rank_from, one.rank_to))


class _Ways:
    """Where winners and losers of the matches of a bracket go: into which match, or out by which group of places."""

    def __init__(self, bracket: Bracket) -> None:
        self._bracket = bracket
        self._next = {source: match for match in bracket.matches for source in match.sources if source.code}
        self.groups = {source: group for group, sources in enumerate(bracket.places) for source in sources}

    def lowest(self, source: Source) -> int:
        """The group for who loses everything from here on; planned byes are passed."""
        while source not in self.groups:
            match = self._next[source]
            source = winner_of(match.code) if match.is_bye else loser_of(match.code)
        return self.groups[source]

    def reachable(self, resolved: Resolved) -> dict[Source, tuple[int, int]]:
        """The best and the worst group for who comes out here; void matches are passed.

        To lose later can be worse: who loses now may have no opponent for a while.
        """
        found: dict[Source, tuple[int, int]] = {}
        for match in reversed(self._bracket.matches):
            for source in (winner_of(match.code), loser_of(match.code)):
                if source in self.groups:
                    found[source] = (self.groups[source], self.groups[source])
                elif source in self._next:
                    code = self._next[source].code
                    wins = found[winner_of(code)]
                    passed = resolved.matches[code].state is State.VOID
                    found[source] = wins if passed else _union(wins, found[loser_of(code)])
        return found


def _union(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return min(one[0], other[0]), max(one[1], other[1])
