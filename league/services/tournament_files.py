"""Tournaments out of and into the report files of other pairing programs (TRF16, `league/exchange/trf.py`).

Terms: a *report* is a stage of two as a file tells it; a player's *number* is the seed there. Promises: out goes what
is published alone. What comes in is a new tournament, all of it or nothing, and a *look* at a file (`look`) is the
import itself, carried out and taken back. Results of a file come through the door of results, as sessions of their
tables. Never: believes points of a file; where they are none of its results, that is a warning.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from games.core import SEED_LIMIT
from league.exchange import trf
from league.exchange.trf import Report, TrfEntry, TrfPlayer
from league.models import (
    EntryAbsence,
    EntryStatus,
    Player,
    Role,
    RoundStatus,
    Session,
    SessionFormat,
    SessionStatus,
    StageFormat,
    StageStatus,
    Tournament,
    TournamentEntry,
    TournamentRound,
    Visibility,
    name_key,
)
from league.pairing.values import TableKind
from league.scoring.problems import CODES
from league.scoring.tournaments import worth
from league.services import (
    players,
    report_files,
    results,
    tournament_entries,
    tournament_plans,
    tournament_rounds,
    tournament_standings,
    tournament_state,
    tournaments,
)
from league.services.access import Access
from league.services.errors import Conflict, InputError, NeedsConfirmation, Problem, ServiceError
from league.services.evenings import RoundInput, ScoreInput, SeatInput, SessionInput
from league.services.report_files import FIELD, KINDS, FileTable, ReportFile
from league.services.tournament_entries import EntryInput
from league.services.tournament_formats import StageInput
from league.services.tournament_plans import PlannedRound, PlannedTable
from league.services.tournament_state import RoundValue, StageValue, TableValue, TournamentState

# How much of a name the format keeps.
LONGEST_IN_FILE = 33
WARNINGS = frozenset({"points_differ"})
# The file says what came of a table: nobody has to confirm it once more.
_CONFIRM = frozenset(code for code, entry in CODES.items() if entry.kind == "warning") | {"possible_duplicate"}


# --- Out --------------------------------------------------------------------------------------------------------------


def told_stage(state: TournamentState, number: int | None = None) -> StageValue:
    """The stage that a file tells of: that of this number, or the first that a file can tell.

    Raises Conflict for a tournament, or a stage, that no report can tell.
    """
    wanted = [stage for stage in state.stages if number in {None, stage.row.number} and stage.row.format in KINDS]
    if not wanted or not tournament_standings.scoring_of(state).high_is_best:
        message = _("A report file tells of round robins and Swiss systems for two in which the most points are best.")
        raise Conflict("no_report", message)
    if wanted[0].row.status == StageStatus.WAITING:
        raise Conflict("stage_waits", _("This stage has not begun."))
    return wanted[0]


def export_trf(*, state: TournamentState, names: Mapping[int, str], stage: int | None = None) -> str:
    """A stage of two as the text of a report file; `names` by entry. Raises Conflict as `told_stage` does, and for
    points or numbers that have no room in a report.
    """
    told = told_stage(state, stage)
    try:
        return trf.write(report_of(state, told, names=names))
    except ValueError as error:
        message = _("A report file has room for 9999 players, 99 rounds and points from 0.0 to 99.9 in tenths.")
        raise Conflict("no_report", message) from error


def report_of(state: TournamentState, stage: StageValue, *, names: Mapping[int, str]) -> Report:
    """A stage of two as a report: what is published of it, and the points and ranks of now."""
    numbers = {one.entry_id: one.seed for one in stage.places}
    rounds = [one for one in stage.rounds if one.is_published]
    told = [_entries_of(one, numbers) for one in rounds]
    tables = [table for table in tournament_standings.tables_of(state) if table.stage == stage.row.number]
    lines = {line.entry: line for table in tables for line in table.lines}
    asked = {(one.row.number, entry) for one, entry in tournament_state.requested_byes(state, stage)}
    planned = stage.row.options.get("rounds") or len(stage.rounds)
    days = _days_of(stage, rounds)
    return Report(
        name=state.row.name,
        city=state.row.location,
        starts_on=state.row.starts_on,
        ends_on=max((one for one in days if one is not None), default=None),
        kind=_kind_of(stage),
        rounds=int(planned),
        days=days if any(days) else (),
        players=tuple(
            TrfPlayer(
                number=one.seed,
                name=names[one.entry_id],
                points=float(lines[one.entry_id].score or 0),
                rank=lines[one.entry_id].rank,
                entries=tuple(
                    its.get(one.entry_id)
                    or _without_table(state, one.entry_id, round_, asked=(round_.row.number, one.entry_id) in asked)
                    for round_, its in zip(rounds, told, strict=True)
                ),
            )
            for one in stage.places
        ),
    )


def _kind_of(stage: StageValue) -> str:
    double = " (double)" if stage.row.options.get("double") else ""
    return KINDS[stage.row.format] + double


def _days_of(stage: StageValue, rounds: Sequence[RoundValue]) -> tuple[date | None, ...]:
    played = (
        Session.objects.filter(table__round__stage=stage.row, voided_at=None)
        .values_list("table__round__number")
        .annotate(day=Max("played_on"))
    )
    days: dict[int, date] = dict(played)
    return tuple(days.get(one.row.number) for one in rounds)


def _without_table(state: TournamentState, entry: int, round_: RoundValue, *, asked: bool) -> TrfEntry | None:
    """An absence that was known before the pairing is a bye of no points, or of as many as the tournament gives one
    that was asked for; any other is not told.
    """
    if state.entries[entry].first_round > round_.row.number:
        return TrfEntry(opponent=None, result="Z")
    given = state.row.scores.get(tournament_state.REQUESTED_BYE)
    if not asked or given is None:
        return None
    best, middle, _last = worth(tournament_standings.scoring_of(state))
    points = Fraction(str(given))
    return TrfEntry(opponent=None, result="F" if points == best else "H" if points == middle else "Z")


def _entries_of(round_: RoundValue, numbers: Mapping[int, int]) -> dict[int, TrfEntry]:
    return {entry: told for table in round_.tables for entry, told in _table_of(table, numbers)}


def _table_of(table: TableValue, numbers: Mapping[int, int]) -> Iterator[tuple[int, TrfEntry]]:
    if table.kind is TableKind.BYE:
        yield table.entries[0], TrfEntry(opponent=None, result="U")
        return
    first, second = table.entries
    results_ = _results_of(table)
    yield first, TrfEntry(opponent=numbers[second], colour="w", result=results_[0])
    yield second, TrfEntry(opponent=numbers[first], colour="b", result=results_[1])


def _results_of(table: TableValue) -> tuple[str, str]:
    if table.kind is TableKind.FORFEIT:
        return "+", "-"
    if table.kind is TableKind.DOUBLE_FORFEIT:
        return "-", "-"
    places = [table.places.get(entry) for entry in table.entries]
    if places[0] is None or places[1] is None:
        return "", ""
    if places[0] == places[1]:
        return "=", "="
    return ("1", "0") if places[0] < places[1] else ("0", "1")


# --- In ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class FileInput:
    """A file that is to become a tournament.

    `game`: what was played, a key of the catalogue or of the club's own games for two. `name`, `slug`, `format` ("":
    as the file has it). `confirm`: codes of warnings that are right nevertheless: `points_differ`.
    """

    text: str
    game: str
    name: str = ""
    slug: str = ""
    format: str = ""
    confirm: Collection[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What came of a file; after a look `tournament` is none that is stored.

    `matched`: who of the club is meant, by the name in the file; `guests`: who is new to the club; `withdrawn`: who is
    out, by the name in the file.
    """

    tournament: Tournament
    format: str
    matched: Mapping[str, Player]
    guests: tuple[str, ...]
    rounds: int
    planned: int
    tables: int
    byes: int
    forfeits: int
    withdrawn: tuple[str, ...]
    warnings: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundFile:
    """A file in which nothing is wrong as far as can be told before anything of it is stored; what `check` gives.

    `days` are those of its rounds, `matched` the club's players by number.
    """

    data: FileInput
    file: ReportFile
    days: Sequence[date]
    starts_on: date
    format: str
    scores: Mapping[str, object]
    matched: Mapping[int, Player]

    @property
    def planned(self) -> int:
        """How many rounds there are to be."""
        return max(self.file.rounds, self.file.report.rounds)


def check(*, access: Access, data: FileInput, now: datetime) -> SoundFile:
    """Read a file and check all that can be checked without storing anything. Raises InputError with every problem."""
    access.require(Role.SCOREKEEPER)
    check_confirmed(data.confirm)
    file = report_files.read(data.text)
    today = access.club.local_date(now)
    days = report_files.played_on(file, today)
    format_ = report_files.format_of(file, data.format)
    scores = report_files.scores_of(file)
    report_files.check_tables(file)
    matched = _matched(access, file)
    if file.problems:
        raise InputError(file.problems)
    starts_on = file.report.starts_on or min(days, default=today)
    return SoundFile(
        data=data, file=file, days=days, starts_on=starts_on, format=format_, scores=scores, matched=matched
    )


def check_tournament(*, access: Access, sound: SoundFile, now: datetime) -> None:
    """Raise what making the tournament alone, with nobody in it, would raise; nothing is stored."""
    with transaction.atomic():
        _create(access, sound, now)
        transaction.set_rollback(True)


def look(*, access: Access, sound: SoundFile, now: datetime) -> Imported:
    """What an import of the file would come to; nothing is stored. Raises InputError and Conflict as it would."""
    with transaction.atomic():
        found = _import(access, sound, now)
        transaction.set_rollback(True)
    return found


def import_trf(*, access: Access, sound: SoundFile, now: datetime) -> Imported:
    """Make a tournament of a file, with its players, rounds, byes and results.

    Players are found by name, or become guests. Who has no table in the last round is out, and a tournament whose
    rounds are all played is finished. Raises InputError naming every problem, by line and field where it is one of
    the file; NeedsConfirmation (`points_differ`) where its points are none of its results; Conflict.
    """
    with transaction.atomic():
        found = _import(access, sound, now)
        check_warnings(found.warnings, sound.data.confirm)
    return found


def check_warnings(warnings: Iterable[Problem], confirm: Collection[str]) -> None:
    """Raise NeedsConfirmation with the warnings whose code is not in `confirm`."""
    missing = [one for one in warnings if one.code not in confirm]
    if missing:
        raise NeedsConfirmation(missing)


@dataclass(slots=True, kw_only=True)
class _Import:
    """An import under way; `entries` are the ids of entries by number."""

    access: Access
    made: Tournament
    file: ReportFile
    game: str
    entries: Mapping[int, int]
    days: Sequence[date]
    now: datetime

    def state(self) -> TournamentState:
        """The tournament as it is stored now."""
        return tournament_state.load(tournaments.find(access=self.access, slug=self.made.slug))


def _create(access: Access, sound: SoundFile, now: datetime) -> Tournament:
    """The tournament with nobody in it."""
    file, data = sound.file, sound.data
    options: dict[str, object] = {"rounds": sound.planned}
    if sound.format == StageFormat.ROUND_ROBIN:
        options = {"double": report_files.meets_twice(file)}
    name = data.name or file.report.name
    fields: dict[str, object] = {
        "name": name,
        "slug": data.slug,
        "starts_on": sound.starts_on,
        "location": file.report.city[: tournaments.LONGEST["location"]],
        "session_format": SessionFormat.SINGLE_GAME,
        "game": data.game,
        "scores": sound.scores,
        # Who is in a file was not asked whether anyone may read it.
        "visibility": Visibility.MEMBERS,
    }
    stage = StageInput(sound.format, options)
    try:
        return tournaments.create(access=access, fields=fields, stages=[stage], now=now)
    except InputError as error:
        raise InputError(map(_of_the_file, error.problems)) from error


def _import(access: Access, sound: SoundFile, now: datetime) -> Imported:
    file, matched = sound.file, sound.matched
    made = _create(access, sound, now)
    entries = _enter(access, made, file, matched, now)
    run = _Import(access=access, made=made, file=file, game=sound.data.game, entries=entries, days=sound.days, now=now)
    warnings: tuple[Problem, ...] = ()
    withdrawn: tuple[str, ...] = ()
    if file.rounds:
        tournament_rounds.start(access=access, tournament_id=made.pk, now=now)
        _store_absences(run)
        _store_rounds(run)
        warnings = tuple(_points_differ(run))
        goes_on = sound.format != StageFormat.ROUND_ROBIN and file.rounds < sound.planned
        withdrawn = _let_go(run) if goes_on else ()
        if not goes_on and all(one.is_decided for one in run.state().rounds):
            tournaments.finish(access=access, tournament_id=made.pk, now=now)
    made = tournaments.find(access=access, slug=made.slug)
    tournaments.changed(made, access=access, action="imported", data={"rounds": file.rounds}, now=now)
    kinds = [table.kind for its in file.tables for table in its]
    return Imported(
        tournament=made,
        format=sound.format,
        matched={one.name: matched[one.number] for one in file.players if one.number in matched},
        guests=tuple(one.name for one in file.players if one.number not in matched),
        rounds=file.rounds,
        planned=sound.planned,
        tables=kinds.count(TableKind.PLAYED),
        byes=kinds.count(TableKind.BYE),
        forfeits=kinds.count(TableKind.FORFEIT) + kinds.count(TableKind.DOUBLE_FORFEIT),
        withdrawn=withdrawn,
        warnings=warnings,
    )


def check_confirmed(confirm: Collection[str]) -> None:
    """Raise InputError for what is no code of a warning."""
    unknown = sorted(set(confirm) - WARNINGS)
    if unknown:
        message = _("“%(code)s” is no code of a warning. Known: %(known)s.")
        params = {"code": unknown[0], "known": ", ".join(sorted(WARNINGS))}
        raise InputError([Problem(("confirm",), "unknown_code", message % params)])


def _of_the_file(problem: Problem) -> Problem:
    """A problem of the tournament to be, at what the file or its sender said of it."""
    match problem.path:
        case ("stages", _number, "options", "rounds"):
            return Problem((FIELD, "XXR"), problem.code, problem.message)
        case ("stages" | "metric", *_rest):
            # Its format is for two, so it is the game that is not.
            return Problem(("game",), problem.code, problem.message)
    return problem


# --- Who plays --------------------------------------------------------------------------------------------------------


def _matched(access: Access, file: ReportFile) -> dict[int, Player]:
    """The club's players by number; who is not among them becomes a guest. Notes names that can't be entered."""
    keys = {name_key(name) for one in file.players for name in _names(one.name)}
    rows = Player.objects.filter(club=access.club, name_key__in=keys)
    # A player who was merged is found, and means the other one.
    active = {
        key: archived is None or merged is not None
        for key, archived, merged in rows.values_list("name_key", "archived_at", "merged_into")
    }
    called = {
        one.number: name
        for one in file.players
        if (name := next((name for name in _names(one.name) if active.get(name_key(name))), None)) is not None
    }
    found: dict[int, Player] = {}
    try:
        references = [((FIELD, file.lines[number], "name"), name) for number, name in called.items()]
        known = players.find(club=access.club, references=references)
        found = {number: known[name] for number, name in called.items()}
    except InputError as error:
        file.problems += error.problems
    for one in file.players:
        if one.number not in called and (player := _by_cut_name(access, file, one, active)) is not None:
            found[one.number] = player
    _check_once(file, found)
    return found


def _names(name: str) -> Iterator[str]:
    """As it stands, and with the first name first where the file has it behind a comma."""
    yield name
    last, comma, first = name.partition(",")
    if comma and "," not in first:
        yield f"{first.strip()} {last.strip()}"


def _by_cut_name(access: Access, file: ReportFile, one: TrfPlayer, active: Mapping[str, bool]) -> Player | None:
    """The one player of a longer name that the file cut, if there is one. Notes names that no guest can have."""
    if not name_key(one.name):
        file.wrong(one.number, "name", "required", _("A player needs a name."))
    elif name_key(one.name) in active:
        message = _("“%(player)s” is archived in this club: restore the player first.") % {"player": one.name}
        file.wrong(one.number, "name", "player_archived", message)
    elif len(one.name) == LONGEST_IN_FILE:
        longer = list(Player.objects.filter(club=access.club, archived_at=None, name__startswith=one.name)[:2])
        return longer[0] if len(longer) == 1 else None
    return None


def _check_once(file: ReportFile, found: Mapping[int, Player]) -> None:
    first: dict[object, int] = {}
    for one in file.players:
        player = found.get(one.number)
        who: object = player.pk if player is not None else name_key(one.name)
        if who and who in first:
            message = _("“%(player)s” stands in line %(other)d already: a player enters once.")
            params = {"player": one.name, "other": file.lines[first[who]]}
            file.wrong(one.number, "name", "entered_twice", message % params)
        first.setdefault(who, one.number)


def _enter(
    access: Access, made: Tournament, file: ReportFile, matched: Mapping[int, Player], now: datetime
) -> dict[int, int]:
    """Enter all players, seeded by their numbers."""
    given = [
        EntryInput(
            player=matched[one.number].pk if one.number in matched else None,
            guest="" if one.number in matched else one.name,
            first_round=report_files.first_round(one),
            checked_in=True,
        )
        for one in file.players
    ]
    try:
        rows = tournament_entries.enter(access=access, tournament_id=made.pk, entries=given, now=now)
    except InputError as error:
        raise InputError(_at_line(file, one) for one in error.problems) from error
    order = [row.pk for row in rows]
    tournament_entries.seed_by_hand(access=access, tournament_id=made.pk, order=order, now=now)
    return {one.number: row.pk for one, row in zip(file.players, rows, strict=True)}


def _at_line(file: ReportFile, problem: Problem) -> Problem:
    match problem.path:
        case ("entries", int(index), *_rest):
            line = file.lines[file.players[index].number]
            return Problem((FIELD, line, "name"), problem.code, problem.message)
    return problem


def _store_absences(run: _Import) -> None:
    """Note who sat a round out by the organiser's word, and who will."""
    EntryAbsence.objects.bulk_create(
        EntryAbsence(
            club=run.access.club, entry_id=run.entries[number], from_round=round_number, until_round=round_number
        )
        for number, round_number in report_files.asked_byes(run.file)
    )


def _let_go(run: _Import) -> tuple[str, ...]:
    """Let those drop out who had no table in the last round; their names in the file."""
    gone = [one for one in run.file.players if not report_files.takes_part(one.entries[run.file.rounds - 1])]
    # No table is decided by that, as by a drop-out: those without a result in the file are open, and played here.
    ids = [run.entries[one.number] for one in gone]
    TournamentEntry.objects.filter(pk__in=ids).update(status=EntryStatus.WITHDRAWN)
    return tuple(one.name for one in gone)


# --- Rounds and results -----------------------------------------------------------------------------------------------


def _store_rounds(run: _Import) -> None:
    """Store the tournament rounds of the file with their tables, and the results as sessions."""
    state = run.state()
    rows = TournamentRound.objects.bulk_create(
        TournamentRound(
            club=run.access.club,
            tournament=run.made,
            stage=state.stages[0].row,
            number=number,
            status=RoundStatus.PUBLISHED,
            seed=tournament_plans.round_seed(state, number) % SEED_LIMIT,
            paired_at=run.now,
            published_at=run.now,
        )
        for number in range(1, run.file.rounds + 1)
    )
    planned = [PlannedRound(tuple(_planned(run, table) for table in its)) for its in run.file.tables]
    tournament_rounds.store_tables(list(zip(rows, planned, strict=True)))
    _record(run)
    # What each of them was paired on, so that none looks overtaken.
    state = run.state()
    scoring = tournament_standings.scoring_of(state)
    for row in rows:
        row.quality = {"basis": tournament_plans.basis(state.stages[0], scoring, row.number)}
    TournamentRound.objects.bulk_update(rows, ["quality"])


def _planned(run: _Import, table: FileTable) -> PlannedTable:
    return PlannedTable(tuple(run.entries[one] for one in table.numbers), kind=table.kind)


def _record(run: _Import) -> None:
    """Make the session of each table that is played, with its result where the file has one."""
    state = run.state()
    told: list[tuple[int, int]] = []
    sessions: list[SessionInput] = []
    for round_, its, day in zip(state.rounds, run.file.tables, run.days, strict=True):
        for table, row in zip(its, round_.tables, strict=True):
            if table.kind is TableKind.PLAYED:
                told.append((table.numbers[0], round_.row.number))
                sessions.append(
                    _session(run, table, [state.entries[one].player_id for one in row.entries], row.id, day)
                )
    outcomes = results.record_all(access=run.access, entries=sessions, season=None, confirm=_CONFIRM, now=run.now)
    for (number, round_number), outcome in zip(told, outcomes, strict=True):
        if isinstance(outcome, ServiceError):
            found = outcome.problems if isinstance(outcome, InputError) else outcome.warnings
            for one in found:
                run.file.wrong(number, f"round {round_number}", one.code, one.message)
    if run.file.problems:
        raise InputError(run.file.problems)


def _session(run: _Import, table: FileTable, seated: Sequence[int], row: int, day: date) -> SessionInput:
    scores = tuple(ScoreInput(player, place=place) for player, place in zip(seated, table.places, strict=False))
    return SessionInput(
        format=SessionFormat.SINGLE_GAME,
        played_on=day,
        players=tuple(map(SeatInput, seated)),
        location=run.made.location,
        rounds=(RoundInput(run.game, scores),) if scores else (),
        status=SessionStatus.COMPLETE if scores else SessionStatus.OPEN,
        table=row,
    )


def _points_differ(run: _Import) -> Iterator[Problem]:
    """A warning for each player whose points in the file are others than the results come to."""
    if not run.file.has_points:
        return
    lines = {line.entry: line for table in tournament_standings.tables_of(run.state()) for line in table.lines}
    for one in run.file.players:
        score = lines[run.entries[one.number]].score or Fraction(0)
        if score != report_files.exact(one.points):
            line = run.file.lines[one.number]
            message = _("Line %(line)d: %(player)s has %(points)s points there, and %(counted)s by the results.")
            params = {"line": line, "player": one.name, "points": one.points, "counted": float(score)}
            yield Problem((FIELD, line, "points"), "points_differ", message % params)
