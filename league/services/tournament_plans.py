"""What comes next in a stage: a tournament's state put before the format's pure function, and its answer taken back.

Terms: see `league/services/tournament_state.py`. Promises: the same state and seed give the same plan, so that a plan
can be made outside the transaction that stores it. Never: reads or writes a row.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import accumulate, combinations

from games.match import deal_seed
from league.models import EntryStatus, SessionStatus, StageFormat
from league.pairing import club_evening, dutch, final_tables, groups, seating, swiss, table_swiss
from league.pairing.brackets import Bracket, Decision, Resolved, resolve
from league.pairing.double_elimination import GrandFinal, double_elimination
from league.pairing.single_elimination import single_elimination
from league.pairing.stepladder import stepladder
from league.pairing.values import PairedRound, PairingError, Reason, TableKind
from league.scoring.tournaments import Scoring
from league.services.tournament_state import (
    Scorer,
    StageValue,
    TableValue,
    TournamentState,
    meeting_of,
    past_rounds,
    points_of,
    requested_meetings,
)

# The figures of reasons that are numbers of tables.
TABLE_FIGURES = frozenset({"table", "otherwise"})
# The code of the reason for a forfeit of who is gone: by it a table is found that is to be played after all.
GONE = "gone"
# A meeting counts half as much for each so many days that it is ago.
HALF_LIFE_DAYS = 28.0

Progress = Callable[[float], None]
Stop = Callable[[], bool]
# Pairs of entries (the lower id first) with the days of their meetings elsewhere in the season.
Meetings = Mapping[tuple[int, int], Sequence[date]]


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table to be: entries in order of seats, a bye with one; of a forfeit the winner first."""

    entries: tuple[int, ...]
    group: int = 1
    kind: TableKind = TableKind.PLAYED
    match: str = ""


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A tournament round to be, with the reasons of what is odd in it and figures of its quality."""

    tables: tuple[PlannedTable, ...]
    reasons: tuple[Reason, ...] = ()
    quality: Mapping[str, object] = field(default_factory=dict)


def round_seed(state: TournamentState, number: int, *, draw: int = 0) -> int:
    """The seed of a tournament round; another `draw` gives another plan where chance has a say."""
    return deal_seed(state.row.seed, number + 1000 * draw)


def plan(
    state: TournamentState,
    stage: StageValue,
    scoring: Scoring,
    *,
    draw: int = 0,
    among: Iterable[int] | None = None,
    earlier: Meetings = {},  # noqa: B006  # never changed
    today: date | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> list[PlannedRound]:
    """The tournament round that comes next, or all rounds of a stage that is planned ahead.

    `among` (None: all): whom alone to pair, where the others of the round are at tables already. Raises PairingError.
    """
    number = state.next_number
    smallest, largest = state.table_limits
    seed = round_seed(state, number, draw=draw)
    match StageFormat(stage.row.format):
        case StageFormat.ROUND_ROBIN:
            made = groups.schedule(list(stage.groups().values()), double=bool(stage.row.options["double"]))
            return [_taken(one, stage.group_of) for one in made]
        case StageFormat.FIXED_SCHEDULE:
            return _fixed(state, stage, seed, progress, stop)
        case StageFormat.FINAL_TABLES:
            crossing = bool(stage.row.options["crossing"])
            made_round = final_tables.seat(
                list(stage.groups().values()),
                preferred=state.row.table_size,
                crossing=crossing,
                smallest=smallest,
                largest=largest,
            )
            return [_taken(made_round, {})]
        case StageFormat.SINGLE_ELIMINATION | StageFormat.DOUBLE_ELIMINATION | StageFormat.STEPLADDER:
            return [_bracket_round(state, stage, number)]
        case StageFormat.CLUB_EVENING:
            # Who is here now ticked in; who only meant to come sits at no table, and who still plays at one not at two.
            busy = {
                entry
                for _round, table in stage.tables()
                if table.session_status == SessionStatus.OPEN
                for entry in table.entries
            }
            present = [
                one.id
                for one in state.entrants(stage, number)
                if one.present and one.id not in busy and state.entries[one.id].status == EntryStatus.CHECKED_IN
            ]
            if among is not None:
                present = [one for one in present if one in set(among)]
            if not present:
                raise PairingError(Reason(code="nobody"))
            drawn = club_evening.draw(
                present,
                preferred=state.row.table_size,
                seed=seed,
                wishes=state.pair_wishes(present),
                history=weights(earlier, stage, today),
                earlier=earlier_seats(stage),
                short=short_tables(stage),
                smallest=smallest,
                largest=largest,
            )
            return [_taken(drawn, {})]
    history = weights(earlier, stage, today)
    return [_live(state, stage, scoring, seed=seed, among=among, history=history)]


def _live(
    state: TournamentState,
    stage: StageValue,
    scoring: Scoring,
    *,
    seed: int,
    among: Iterable[int] | None,
    history: Mapping[tuple[int, int], float],
) -> PlannedRound:
    """A round of a Swiss system, group by group."""
    points = pairing_scores(state, stage, scoring)
    made: list[PlannedRound] = []
    wanted = None if among is None else set(among)
    for group in stage.groups():
        entrants = state.entrants(stage, state.next_number, group=group)
        if wanted is not None:
            entrants = [replace(one, present=one.present and one.id in wanted) for one in entrants]
        rounds = past_rounds(stage, scoring, group=group)
        wishes = state.pair_wishes(one.id for one in entrants if one.present)
        scores = {one.id: points.get(one.id, 0.0) for one in entrants}
        if not any(one.present for one in entrants):
            continue
        if stage.row.format == StageFormat.SWISS:
            allowed = bool(stage.row.options["allow_rematches"])
            found = swiss.pair(entrants, rounds, scores, seed=seed, wishes=wishes, allow_rematches=allowed)
        elif stage.row.format == StageFormat.DUTCH:
            total = int(stage.row.options["rounds"])
            # Which round is the last one is counted from the first of the stage.
            of_stage = [replace(one, number=index) for index, one in enumerate(rounds, 1)]
            found = dutch.pair(entrants, of_stage, scores, seed=seed, wishes=wishes, total_rounds=total)
        else:
            found = table_swiss.pair(
                entrants,
                rounds,
                scores,
                preferred=state.row.table_size,
                seed=seed,
                wishes=wishes,
                history=history,
                smallest=state.table_limits[0],
                largest=state.table_limits[1],
            )
        made.append(_taken(found, dict.fromkeys((one.id for one in entrants), group)))
    if not made:
        raise PairingError(Reason(code="nobody"))
    return _merged(made)


def _fixed(
    state: TournamentState, stage: StageValue, seed: int, progress: Progress | None, stop: Stop | None
) -> list[PlannedRound]:
    """All rounds of a schedule that is planned ahead, the groups side by side."""
    count = int(stage.row.options["rounds"])
    by_round: list[list[PlannedRound]] = [[] for _ in range(count)]
    parts = list(stage.groups().items())
    for index, (group, members) in enumerate(parts):

        def tell(part: float, index: int = index) -> None:
            if progress is not None:
                progress((index + part) / len(parts))

        found = seating.plan_seating(
            members,
            state.row.table_size,
            count,
            seed=seed,
            wishes=state.pair_wishes(members),
            smallest=state.table_limits[0],
            largest=state.table_limits[1],
            progress=tell,
            stop=stop,
        )
        quality = {
            "repeats": found.repeats,
            "largest": found.largest,
            "bound": found.bound,
            "is_proven": found.is_proven,
            "method": found.method,
            "is_reproducible": found.is_reproducible,
        }
        for one, tables in zip(by_round, found.rounds, strict=True):
            one.append(PlannedRound(tuple(PlannedTable(tuple(table), group) for table in tables), (), quality))
    return [_merged(one) for one in by_round]


def _merged(parts: Sequence[PlannedRound]) -> PlannedRound:
    """Groups side by side as one tournament round."""
    tables = [table for one in parts for table in one.tables]
    # Each part counts its tables from 1.
    played = [sum(table.kind is TableKind.PLAYED for table in one.tables) for one in parts]
    firsts = accumulate(played, initial=0)
    return PlannedRound(
        tables=tuple(sorted(tables, key=lambda table: table.kind is not TableKind.PLAYED)),
        reasons=tuple(
            _further(reason, first) for one, first in zip(parts, firsts, strict=False) for reason in one.reasons
        ),
        quality=parts[0].quality
        if len(parts) == 1
        else {"groups": [dict(one.quality) for one in parts]}
        if parts
        else {},
    )


def _further(reason: Reason, first: int) -> Reason:
    """A reason whose tables stand behind so many others; a table that was missed is the one that was wished for."""
    if reason.code == "table_missed":
        return reason
    figures = {name: value + first if name in TABLE_FIGURES else value for name, value in reason.figures.items()}
    return replace(reason, figures=figures)


def _taken(found: PairedRound, group_of: Mapping[int, int]) -> PlannedRound:
    """What a pairing answered; byes come last."""
    tables = [PlannedTable(table, group_of.get(table[0], 1)) for table in found.tables]
    tables += [PlannedTable((one,), group_of.get(one, 1), TableKind.BYE) for one in found.byes]
    return PlannedRound(tuple(tables), found.reasons)


# --- Scores and what was before ---------------------------------------------------------------------------------------


def pairing_scores(state: TournamentState, stage: StageValue, scoring: Scoring) -> dict[int, float]:
    """The tournament points in a stage by which it is paired, highest best.

    Where the lowest is best, a tournament round that an entry missed counts as the worst that the others had in it.
    """
    found = {one.entry_id: 0.0 for one in stage.places}
    scorer = Scorer(scoring)
    worst_of: dict[int, float] = {}
    for one in stage.rounds:
        got: dict[int, float] = {}
        for table in one.tables:
            for entry, score in meeting_of(one, table, scorer).scores.items():
                got[entry] = float(score)
        worst = worst_of[one.row.number] = max(got.values(), default=0.0)
        for entry in found:
            if scoring.high_is_best:
                found[entry] += got.get(entry, 0.0)
            else:
                found[entry] -= got.get(entry, worst)
    for one_asked in requested_meetings(state, stage):
        missed = 0.0 if scoring.high_is_best else worst_of[one_asked.round]
        for entry, score in one_asked.scores.items():
            found[entry] += float(score) if scoring.high_is_best else missed - float(score)
    return found


def basis(stage: StageValue, scoring: Scoring, number: int) -> str:
    """What a tournament round of that number is paired on: a digest of the points scored in the stage before it.

    Entries are told apart by their seed in the stage, which stays as it is where a club moves to another installation.
    """
    return bases(stage, scoring, [number])[number]


def bases(stage: StageValue, scoring: Scoring, numbers: Iterable[int]) -> dict[int, str]:
    """`basis` of several tournament rounds; every table is read once."""
    scorer = Scorer(scoring)
    seed_of = {one.entry_id: one.seed for one in stage.places}
    # A large tournament has thousands of tables with few different scores, of which a scorer gives the same object.
    words: dict[int, tuple[str, ...]] = {}
    parts: list[tuple[int, str]] = []
    for one, table in stage.tables():
        points = points_of(table, scorer)
        told = words.get(id(points)) or words.setdefault(id(points), tuple(map(str, points)))
        scores = sorted((seed_of[entry], score) for entry, score in zip(table.entries, told, strict=False))
        parts.append((one.row.number, json.dumps([one.row.number, scores])))

    def digest(number: int) -> str:
        before = ", ".join(part for earlier, part in parts if earlier < number)
        return hashlib.sha256(f"[{before}]".encode()).hexdigest()[:16]

    return {number: digest(number) for number in numbers}


def weights(earlier: Meetings, stage: StageValue, today: date | None) -> dict[tuple[int, int], float]:
    """How much each pair should not meet again: meetings of the season, less the longer ago."""
    found: dict[tuple[int, int], float] = {}
    for pair, days in earlier.items():
        ago = [max(0, (today - day).days) if today is not None else 0 for day in days]
        found[pair] = sum(0.5 ** (one / HALF_LIFE_DAYS) for one in ago)
    if StageFormat(stage.row.format) == StageFormat.CLUB_EVENING:
        for _round, table in stage.tables():
            for pair in combinations(sorted(table.entries), 2) if table.kind is TableKind.PLAYED else ():
                found[pair] = found.get(pair, 0.0) + 1.0
    return found


def earlier_seats(stage: StageValue) -> dict[int, list[int]]:
    """How often each entry of a stage had each seat so far."""
    found: dict[int, list[int]] = {one.entry_id: [0] * 6 for one in stage.places}
    for _round, table in stage.tables():
        if table.kind is TableKind.PLAYED:
            for seat in table.seats:
                found[seat.entry][seat.number] += 1
    return found


def short_tables(stage: StageValue) -> dict[int, int]:
    """How often each entry of a stage sat at a table smaller than the largest of its round."""
    found = {one.entry_id: 0 for one in stage.places}
    for one in stage.rounds:
        largest = max((len(table.entries) for table in one.tables), default=0)
        for table in one.tables:
            if table.kind is TableKind.PLAYED and len(table.entries) < largest:
                for entry in table.entries:
                    found[entry] += 1
    return found


# --- Brackets ---------------------------------------------------------------------------------------------------------


def bracket_of(stage: StageValue) -> Bracket:
    """The plan of a stage that is a bracket."""
    count, options = len(stage.places), stage.row.options
    best_of, last = int(options["best_of"]), tuple(options.get("best_of_last", ()))
    match StageFormat(stage.row.format):
        case StageFormat.SINGLE_ELIMINATION:
            return single_elimination(
                count, third_place=bool(options["third_place"]), best_of=best_of, best_of_last=last
            )
        case StageFormat.DOUBLE_ELIMINATION:
            grand_final = GrandFinal(options["grand_final"])
            return double_elimination(count, grand_final=grand_final, best_of=best_of, best_of_last=last)
        case _:
            return stepladder(count, best_of=best_of, best_of_last=last)


def seeding_of(stage: StageValue) -> list[int]:
    """The entries of a stage by seed."""
    return [one.entry_id for one in sorted(stage.places, key=lambda one: one.seed)]


def outcomes_of(stage: StageValue) -> dict[str, Decision]:
    """What is decided in a bracket, by match; a table without a single winner decides nothing."""
    return {table.match: decision for _round, table in stage.tables() if (decision := decision_of(table)) is not None}


def decision_of(table: TableValue) -> Decision | None:
    """What came of a match; None while nothing did, and after a draw, which no bracket knows."""
    if not table.match or not table.decided or len(table.entries) != 2:
        return None
    first, second = table.entries
    if table.kind is not TableKind.PLAYED:
        return Decision(winner=first, loser=second, kind=table.kind)
    places = table.places
    if places.get(first) == places.get(second):
        return None
    winner, loser = (first, second) if places[first] < places[second] else (second, first)
    return Decision(winner=winner, loser=loser)


def resolved(stage: StageValue) -> Resolved:
    """Where a bracket stands."""
    return resolve(bracket_of(stage), seeding_of(stage), outcomes_of(stage))


def table_of_match(state: TournamentState, now: Resolved, code: str, number: int) -> PlannedTable:
    """The table of a match whose two are known, in the tournament round of that number; who is gone has lost."""
    two = tuple(one for one in now.matches[code].entrants if one is not None)
    gone = tuple(one for one in two if not state.is_present(one, number))
    if not gone:
        return PlannedTable(two, match=code)
    kind = TableKind.FORFEIT if len(gone) == 1 else TableKind.DOUBLE_FORFEIT
    return PlannedTable((*(one for one in two if one not in gone), *gone), kind=kind, match=code)


def _bracket_round(state: TournamentState, stage: StageValue, number: int) -> PlannedRound:
    """All matches that can be played now and have no table yet. Who is gone loses by forfeit."""
    there = {table.match for _round, table in stage.tables()}
    now = resolved(stage)
    tables: list[PlannedTable] = []
    reasons: list[Reason] = []
    for code in now.ready:
        if code in there:
            continue
        table = table_of_match(state, now, code, number)
        tables.append(table)
        gone = tuple(one for one in table.entries if not state.is_present(one, number))
        if gone:
            reasons.append(Reason(code=GONE, entrants=gone))
    if not tables:
        if now.finished:
            raise PairingError(Reason(code="bracket_finished"))
        waiting = [table for _round, table in stage.tables() if table.match in now.ready]
        stuck = tuple(entry for table in waiting for entry in table.entries)
        raise PairingError(Reason(code="no_match_ready", entrants=stuck, figures={"tables": len(waiting)}))
    return PlannedRound(tuple(tables), tuple(reasons))
