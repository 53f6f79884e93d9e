"""What an organiser changes in a round that is paired: seats exchanged, forfeits, and rounds whose ground has moved.

Terms: a round is *overtaken* where it was paired on results that were corrected since; to *keep* it is to say that it
stays as it is, to *mend* it is to pair anew what was not played yet. Promises: what was played stays played, and a
table whose result no longer fits its bracket is named, never changed.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count, islice, pairwise
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.models import (
    Job,
    Role,
    Stage,
    StageFormat,
    StageStatus,
    Tournament,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
    TournamentTableKind,
)
from league.pairing.brackets import State
from league.pairing.values import Reason, TableKind, meetings
from league.services import tournament_asked, tournament_plans, tournament_rounds, tournament_state
from league.services.access import Access
from league.services.errors import Conflict, InputError, NeedsConfirmation, NotFound, Problem, Stale
from league.services.tournament_asked import Foreseen
from league.services.tournament_drop_outs import without_gone
from league.services.tournament_formats import rules_of
from league.services.tournament_plans import GONE, PlannedRound, PlannedTable
from league.services.tournament_rounds import (
    Pairing,
    decide_by_forfeit,
    drop_sessions,
    open_sessions,
    order_of_play,
    reseat,
    takes_long,
    unplayed_sessions,
)
from league.services.tournament_standings import scoring_of
from league.services.tournament_state import RoundValue, StageValue, TableValue, TournamentState, past_rounds
from league.services.tournaments import changed, check_running, locked

# Of a tournament round's quality: the results, beside those that it was paired on, of which somebody said that it stays
# as it is with them.
KEPT_BASES = "kept_bases"
# Besides pairing, to mend is to store a round anew with its sessions.
LARGEST_MENDED_AT_ONCE = 100

# --- Forfeits ---------------------------------------------------------------------------------------------------------


def forfeit(
    *,
    access: Access,
    tournament_id: int,
    number: int,
    table: int,
    winner: int | None,
    expected: int | None = None,
    now: datetime,
) -> TournamentTable:
    """Decide a table without play: `winner` is an entry there, None where nobody wins.

    Raises Conflict where something was played at the table, InputError for a winner who does not sit there.
    """
    with transaction.atomic():
        tournament, _all, _its, found = _table(access, tournament_id, number, table, expected)
        if found.kind is TableKind.BYE:
            raise Conflict("table_is_bye", _("A bye has nobody to win against."))
        if winner is not None and winner not in found.entries:
            message = _("Give the id of an entry at this table: %(known)s.")
            known = ", ".join(str(one) for one in found.entries)
            raise InputError([Problem(("winner",), "unknown_entry", message % {"known": known})])
        drop_sessions([found.id])
        decide_by_forfeit(found, winner=winner)
        data = {"round": number, "table": table, "winner": winner}
        changed(tournament, access=access, action="forfeit", data=data, now=now)
    return TournamentTable.objects.get(pk=found.id)


def take_forfeit_back(
    *, access: Access, tournament_id: int, number: int, table: int, expected: int | None = None, now: datetime
) -> TournamentTable:
    """Let a table that was decided by forfeit be played, in the order of seats that it had."""
    with transaction.atomic():
        tournament, state, round_, found = _table(access, tournament_id, number, table, expected)
        if found.kind not in {TableKind.FORFEIT, TableKind.DOUBLE_FORFEIT}:
            raise Conflict("no_forfeit", _("This table is not decided by forfeit."))
        gone = [one for one in found.entries if not state.is_present(one, number)]
        if gone:
            message = _("“%(player)s” has dropped out or sits out: bring the player back first.")
            raise Conflict("entry_gone", message % {"player": state.entries[gone[0]].player.name})
        reseat(found.id, order_of_play(found), kind=TournamentTableKind.PLAYED)
        round_.row.reasons = without_gone(round_.row.reasons, found.entries)
        round_.row.save(update_fields=["reasons"])
        if round_.is_published:
            _reopen(access, tournament, number, [found.id], now)
        data = {"round": number, "table": table}
        changed(tournament, access=access, action="forfeit_undone", data=data, now=now)
    return TournamentTable.objects.get(pk=found.id)


def open_table(
    *, access: Access, tournament_id: int, number: int, table: int, expected: int | None = None, now: datetime
) -> TournamentTable:
    """Make the session of a published table that has none, since its last one was voided; one that has one keeps it."""
    with transaction.atomic():
        tournament, state, round_, found = _table(access, tournament_id, number, table, expected)
        if not round_.is_published:
            raise Conflict("round_not_published", _("This tournament round is not published yet."))
        if found.kind is not TableKind.PLAYED:
            raise Conflict("table_not_played", _("Nothing is played at this table."))
        if found.session is None:
            open_sessions(access, tournament, state, round_, now, only=[found.id])
            data = {"round": number, "table": table}
            changed(tournament, access=access, action="table_opened", data=data, now=now)
    return TournamentTable.objects.get(pk=found.id)


def _reopen(access: Access, tournament: Tournament, number: int, tables: Collection[int], now: datetime) -> None:
    """Make the sessions of these tables, as they stand now."""
    state = tournament_state.load(tournament, tables_of=[number])
    round_ = next(one for one in state.rounds if one.row.number == number)
    open_sessions(access, tournament, state, round_, now, only=tables)


def _table(
    access: Access, tournament_id: int, number: int, table: int, expected: int | None
) -> tuple[Tournament, TournamentState, RoundValue, TableValue]:
    tournament, state, round_ = _round(access, tournament_id, number, expected, tables_of=[number])
    found = next((one for one in round_.tables if one.number == table), None)
    if found is None:
        raise NotFound(table)
    return tournament, state, round_, found


def _round(
    access: Access, tournament_id: int, number: int, expected: int | None, *, tables_of: Collection[int] | None = None
) -> tuple[Tournament, TournamentState, RoundValue]:
    """A tournament round, for a change; `tables_of` as in `tournament_state.load`."""
    tournament = locked(access, tournament_id, expected=expected, with_sessions=True)
    check_running(tournament)
    state = tournament_state.load(tournament, tables_of=tables_of)
    round_ = next((one for one in state.rounds if one.row.number == number), None)
    if round_ is None:
        raise NotFound(number)
    return tournament, state, round_


# --- Exchanging seats -------------------------------------------------------------------------------------------------


def swap(
    *,
    access: Access,
    tournament_id: int,
    number: int,
    first: int,
    second: int,
    confirm: Collection[str] = (),
    expected: int | None = None,
    now: datetime,
) -> TournamentRound:
    """Let two entries of a tournament round exchange their seats.

    Raises NeedsConfirmation with what that breaks, InputError for who does not sit there, Conflict for a bracket and
    for a table at which something was played.
    """
    with transaction.atomic():
        tournament, state, round_ = _round(access, tournament_id, number, expected)
        stage = next(one for one in state.stages if one.row.pk == round_.row.stage_id)
        if rules_of(stage.row.format).bracket:
            raise Conflict("bracket_decides", _("In a bracket the seeds and results say who meets whom."))
        found = [_table_of(round_, entry, field) for entry, field in ((first, "first"), (second, "second"))]
        if first == second:
            raise InputError([Problem(("second",), "entry_twice", _("Name two different entries."))])
        exchange = {first: second, second: first}
        after = {table.id: tuple(exchange.get(one, one) for one in table.entries) for table in found}
        for table in found:
            if table.kind in {TableKind.FORFEIT, TableKind.DOUBLE_FORFEIT}:
                raise Conflict("table_forfeit", _("A table of these is decided by forfeit: take that back first."))
        # Before anybody confirms what then turns out to be impossible.
        drop_sessions(after)
        warnings = list(dict.fromkeys(_breaks(state, stage, round_, found, after)))
        missing = [warning for warning in warnings if warning.code not in confirm]
        if missing:
            raise NeedsConfirmation(missing)
        for table in {one.id: one for one in found}.values():
            reseat(table.id, after[table.id], kind=table.kind.value)
        if round_.is_published:
            _reopen(access, tournament, number, after, now)
        exchanged = {table.id: after.get(table.id, table.entries) for table in round_.tables}
        round_.row.reasons = [one for one in round_.row.reasons if _still_holds(one, first, second, exchanged.values())]
        round_.row.save(update_fields=["reasons"])
        data = {"round": number, "entries": [first, second], "confirmed": sorted(confirm)}
        changed(tournament, access=access, action="swapped", data=data, now=now)
    return round_.row


def _still_holds(reason: dict[str, Any], first: int, second: int, tables: Iterable[Sequence[int]]) -> bool:
    """Whether a reason of a tournament round is told still once these two have exchanged their seats: of two who met
    again where they do, and of one person alone where somebody else is concerned.
    """
    concerned = set(reason["entries"])
    if concerned.isdisjoint({first, second}):
        return True
    return len(concerned) > 1 and any(concerned <= set(table) for table in tables)


def _table_of(round_: RoundValue, entry: int, field: str) -> TableValue:
    found = next((table for table in round_.tables if entry in table.entries), None)
    if found is None:
        message = _("Give the id of an entry that has a table in this tournament round.")
        raise InputError([Problem((field,), "unknown_entry", message)])
    return found


def _breaks(
    state: TournamentState,
    stage: StageValue,
    round_: RoundValue,
    before: Sequence[TableValue],
    after: dict[int, tuple[int, ...]],
) -> Iterator[Problem]:
    """What an exchange of seats breaks that held before."""
    names = {pk: entry.player.name for pk, entry in state.entries.items()}
    scoring = scoring_of(state)
    earlier = [one for one in past_rounds(stage, scoring) if one.number < round_.row.number]
    met = meetings(earlier)
    wishes = state.pair_wishes(one for table in after.values() for one in table)
    had = {pair for table in before for pair in _pairs(table.entries)}
    has = {pair for table in after.values() for pair in _pairs(table)}
    for pair in sorted(has - had):
        two = {"first": names[pair[0]], "second": names[pair[1]]}
        if pair in met:
            message = _("%(first)s and %(second)s have met in tournament round %(number)d.")
            yield Problem(("second",), "repeat_meeting", message % {**two, "number": met[pair][-1]})
        if pair in wishes.apart:
            yield Problem(("second",), "kept_apart", _("%(first)s and %(second)s are to be kept apart.") % two)
    for pair in sorted(had - has):
        if pair in wishes.together:
            two = {"first": names[pair[0]], "second": names[pair[1]]}
            yield Problem(("second",), "kept_together", _("%(first)s and %(second)s are to sit together.") % two)
    groups = stage.group_of
    for table in before:
        for entry in after[table.id]:
            if entry in wishes.fixed and wishes.fixed[entry] != table.number:
                message = _("%(player)s is to sit at table %(table)d.")
                params = {"player": names[entry], "table": wishes.fixed[entry]}
                yield Problem(("second",), "fixed_table", message % params)
            if groups.get(entry, table.group) != table.group:
                message = _("%(player)s plays in another group.") % {"player": names[entry]}
                yield Problem(("second",), "other_group", message)
            rested = any(
                one.kind is TableKind.BYE and entry in one.entries
                for earlier_round in stage.rounds
                if earlier_round.row.number != round_.row.number
                for one in earlier_round.tables
            )
            if table.kind is TableKind.BYE and entry not in table.entries and rested:
                message = _("%(player)s has had a bye.") % {"player": names[entry]}
                yield Problem(("second",), "second_bye", message)


def _pairs(entries: Sequence[int]) -> set[tuple[int, int]]:
    return {(one, other) for one in entries for other in entries if one < other}


# --- Rounds whose ground has moved ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Overtaken:
    """A tournament round that was paired on results that are others now.

    `tables` are the numbers of those that can be mended, `played` of those that were played already; of a bracket only
    tables whose two would be others now.
    """

    number: int
    tables: tuple[int, ...]
    played: tuple[int, ...]


def overtaken_rounds(state: TournamentState) -> list[Overtaken]:
    """The tournament rounds that would be paired otherwise by the results of now, in order."""
    scoring = scoring_of(state)
    found: list[Overtaken] = []
    for stage in state.stages:
        rules = rules_of(stage.row.format)
        if rules.bracket:
            found += _overtaken_matches(stage)
        elif not rules.ahead and stage.row.format != StageFormat.CLUB_EVENING:
            bases = tournament_plans.bases(stage, scoring, [one.row.number for one in stage.rounds])
            for one in stage.rounds:
                known = {one.row.quality.get("basis"), *one.row.quality.get(KEPT_BASES, ())}
                if known != {None} and bases[one.row.number] not in known:
                    played = [table.number for table in one.tables if _is_played(table)]
                    open_ = [table.number for table in one.tables if not _is_played(table)]
                    found.append(Overtaken(one.row.number, tuple(open_), tuple(played)))
    return found


def overtaken_stages(state: TournamentState) -> list[int]:
    """The numbers of the stages into which others would come, or by other seeds, by the results that the stage before
    has now.

    Who dropped out after the stage was opened is taken as there, and who came into it late is left alone.
    """
    found: list[int] = []
    for before, stage in pairwise(state.stages):
        if stage.row.status == StageStatus.WAITING:
            continue
        places = [(one.entry_id, one.group) for one in stage.places]
        try:
            seeding, groups = tournament_rounds.seeding_of(
                state, before, stage, here=[entry for entry, _group in places]
            )
        except Conflict:
            found.append(stage.row.number)
            continue
        group_of = {entry: group for group, members in enumerate(groups or (), 1) for entry in members}
        known = places[: len(seeding)]
        if [entry for entry, _group in known] != seeding or any(group_of.get(*one) != one[1] for one in known):
            found.append(stage.row.number)
    return found


def _is_played(table: TableValue) -> bool:
    """Whether a result stands at the table; a bye or a forfeit can be given anew."""
    return table.decided and table.kind is TableKind.PLAYED


def _overtaken_matches(stage: StageValue) -> list[Overtaken]:
    if not stage.rounds:
        return []
    now = tournament_plans.resolved(stage)
    found: list[Overtaken] = []
    for one in stage.rounds:
        wrong = [
            table
            for table in one.tables
            if table.match and set(now.matches[table.match].entrants) != set(table.entries)
        ]
        if wrong:
            played = tuple(table.number for table in wrong if _is_played(table))
            open_ = tuple(table.number for table in wrong if not _is_played(table))
            found.append(Overtaken(one.row.number, open_, played))
    return found


def keep(
    *, access: Access, tournament_id: int, number: int, expected: int | None = None, now: datetime
) -> TournamentRound:
    """Say that an overtaken tournament round stays as it is. Raises Conflict for one of a bracket, which can't."""
    with transaction.atomic():
        tournament, state, round_ = _round(access, tournament_id, number, expected)
        stage = next(one for one in state.stages if one.row.pk == round_.row.stage_id)
        if rules_of(stage.row.format).bracket:
            message = _("In a bracket the winner goes on: mend the tournament round, or correct the result back.")
            raise Conflict("bracket_decides", message)
        _keep_basis(state, stage, round_.row)
        round_.row.save(update_fields=["quality"])
        changed(tournament, access=access, action="kept", data={"round": number}, now=now)
    return round_.row


def _keep_basis(state: TournamentState, stage: StageValue, row: TournamentRound) -> None:
    """Take a tournament round as paired on the results of now, too: with those before it is as good as it was."""
    basis = tournament_plans.basis(stage, scoring_of(state), row.number)
    kept = [one for one in row.quality.get(KEPT_BASES, []) if one != basis]
    row.quality = {**row.quality, KEPT_BASES: [*kept, basis]}


@dataclass(frozen=True, slots=True)
class Mending:
    """An overtaken tournament round that can be mended, with the tables that are paired anew."""

    stage: StageValue
    round: RoundValue
    tables: tuple[TableValue, ...]

    @property
    def number(self) -> int:
        """The number of the tournament round."""
        return self.round.row.number

    @property
    def is_bracket(self) -> bool:
        """Whether the bracket says who comes to each table."""
        return rules_of(self.stage.row.format).bracket

    @property
    def kept_numbers(self) -> frozenset[int]:
        """The numbers of the tables that stay."""
        return frozenset(table.number for table in self.round.tables) - {table.number for table in self.tables}

    def free_numbers(self) -> Iterator[int]:
        """The numbers for its tables that those which stay leave."""
        kept = self.kept_numbers
        return (number for number in count(1) if number not in kept)

    def counted(self, number: int | None) -> int | None:
        """Which of the free tables one of that number is, from 1; None where it stays as it is."""
        if number is None or number in self.kept_numbers:
            return None
        return number - sum(kept < number for kept in self.kept_numbers)


def mend(*, access: Access, tournament_id: int, number: int, expected: int | None = None, now: datetime) -> Pairing:
    """Pair anew what was not played yet in an overtaken tournament round, the last one of its stage.

    In a bracket the right two come to each table of theirs that was not played, who is gone by then loses by forfeit,
    and a match that has to wait again loses its table. Where a pairing takes long this is a job: it stores what was
    foreseen (`foresee`) if that still holds. Raises Conflict where a table is being played, where a later round stands,
    or nothing has moved.
    """
    if _takes_long(_stage_of(access, tournament_id, number)):
        tournament = _tournament(access, tournament_id, expected)
        foreseen = tournament_asked.foreseen_now(tournament, number)
        if foreseen is None:
            mending_of(tournament_state.load(tournament), number)
        job = tournament_asked.ask(
            access=access,
            tournament_id=tournament_id,
            mends=number,
            foreseen=foreseen.job if foreseen is not None else None,
            expected=expected,
            now=now,
        )
        return Pairing(job=job)
    with transaction.atomic():
        tournament, state, round_ = _round(access, tournament_id, number, expected)
        mending = mending_of(state, number)
        planned = None if mending.is_bracket else plan_mending(state, mending, now=now)
        store_mending(access, tournament, state, mending, planned, now=now)
    return Pairing(rounds=(round_.row,))


@dataclass(frozen=True, slots=True)
class Foresight:
    """Who would sit at each table, by its number, after a mending; or the job that works it out."""

    tables: Mapping[int, tuple[int, ...]]
    job: Job | None = None


def foresee(*, access: Access, tournament_id: int, number: int, now: datetime) -> Foresight:
    """What `mend` would bring; nothing stays changed. Raises Conflict where nothing can be mended, where no pairing
    exists, and where a job has to work it out and none did since the tournament was last changed (`ask_foresight`).
    """
    seats = TournamentSeat.objects.filter(table__round__tournament=tournament_id, table__round__number=number)
    stage = _stage_of(access, tournament_id, number)
    if rules_of(stage.format).bracket:
        with transaction.atomic():
            mend(access=access, tournament_id=tournament_id, number=number, now=now)
            found = _seated(seats)
            transaction.set_rollback(True)
        return Foresight(found)
    tournament = _tournament(access, tournament_id, None)
    if _takes_long(stage):
        foreseen = tournament_asked.foreseen_now(tournament, number)
        if foreseen is None:
            message = _("With so many players a job works out what would change: ask for it first.")
            raise Conflict("not_foreseen", message)
        planned = foreseen.planned
    else:
        state = tournament_state.load(tournament)
        mending = mending_of(state, number)
        planned = as_foreseen(mending, plan_mending(state, mending, now=now))
    kept = _seated(seats.exclude(table__number__in=planned["anew"]))
    fresh = {one["table"]: tuple(one["entries"]) for one in planned["tables"]}
    return Foresight({**kept, **fresh})


def _seated(seats: QuerySet[TournamentSeat]) -> dict[int, tuple[int, ...]]:
    """Who sits at each table, by its number, in order of seats."""
    found: dict[int, list[int]] = {}
    for table, entry in seats.order_by("table__number", "number").values_list("table__number", "entry_id"):
        found.setdefault(table, []).append(entry)
    return {table: tuple(entries) for table, entries in found.items()}


def ask_foresight(
    *, access: Access, tournament_id: int, number: int, expected: int | None = None, now: datetime
) -> Foresight:
    """As `foresee`, by a job where that takes long."""
    if not _takes_long(_stage_of(access, tournament_id, number)):
        return foresee(access=access, tournament_id=tournament_id, number=number, now=now)
    mending_of(tournament_state.load(_tournament(access, tournament_id, expected)), number)
    job = tournament_asked.ask(
        access=access, tournament_id=tournament_id, mends=number, foresees=True, expected=expected, now=now
    )
    return Foresight({}, job)


def mending_takes_long(format_: str, players: int) -> bool:
    """Whether a tournament round of a stage of so many is mended by a job; in a bracket no search is needed."""
    return not rules_of(format_).bracket and (players > LARGEST_MENDED_AT_ONCE or takes_long(format_, players))


def _takes_long(stage: Stage) -> bool:
    """Whether a tournament round of a stage is mended by a job."""
    return mending_takes_long(stage.format, stage.places.count())


def _stage_of(access: Access, tournament_id: int, number: int) -> Stage:
    """The stage of a tournament round. Raises NotFound."""
    access.require(Role.SCOREKEEPER)
    rows = TournamentRound.objects.filter(tournament__club=access.club, tournament=tournament_id, number=number)
    row = rows.select_related("stage").first()
    if row is None:
        raise NotFound(number)
    return row.stage


def _tournament(access: Access, tournament_id: int, expected: int | None) -> Tournament:
    """A tournament as it is stored. Raises NotFound, Stale for another version than `expected`."""
    rows = Tournament.objects.filter(club=access.club, pk=tournament_id).select_related("club", "pairing_job")
    tournament = rows.first()
    if tournament is None:
        raise NotFound(tournament_id)
    if expected is not None and tournament.version != expected:
        raise Stale(tournament.version)
    return tournament


def mending_of(state: TournamentState, number: int) -> Mending:
    """What is to be mended in a tournament round. Raises Conflict where nothing is or can be, NotFound."""
    check_running(state.row)
    round_ = next((one for one in state.rounds if one.row.number == number), None)
    if round_ is None:
        raise NotFound(number)
    stage = next(one for one in state.stages if one.row.pk == round_.row.stage_id)
    over = next((one for one in overtaken_rounds(state) if one.number == number), None)
    if over is None:
        raise Conflict("round_not_overtaken", _("This tournament round is paired on the results of now."))
    mending = Mending(stage, round_, tuple(table for table in round_.tables if table.number in over.tables))
    if not mending.tables and mending.is_bracket:
        message = _("What would be others now was played: void those sessions first, or correct the result back.")
        raise Conflict("table_played", message)
    if not mending.tables:
        message = _("Every table of this tournament round was played: keep it, or void a session first.")
        raise Conflict("table_played", message)
    if stage.row.status != StageStatus.RUNNING:
        message = _("The stage of this tournament round is over: take the next stage back first, or keep the round.")
        raise Conflict("stage_over", message)
    unplayed_sessions(table.id for table in mending.tables)
    later = [one for one in stage.rounds if one.row.number > number]
    if later and not mending.is_bracket:
        message = _("Tournament round %(number)d is paired: undo the later ones first.")
        raise Conflict("later_round", message % {"number": later[0].row.number})
    return mending


def plan_mending(state: TournamentState, mending: Mending, *, now: datetime) -> PlannedRound:
    """Who is to sit with whom at the tables that are paired anew. Raises Conflict where no pairing exists."""
    among = {entry for table in mending.tables for entry in table.entries}
    # As if this tournament round had not been paired.
    before = replace(mending.stage, rounds=[one for one in mending.stage.rounds if one is not mending.round])
    # A plan counts its tables from 1, and knows nothing of those that stay.
    entries = {
        pk: entry._replace(fixed_table=mending.counted(entry.fixed_table)) if pk in among else entry
        for pk, entry in state.entries.items()
    }
    past = replace(state, entries=entries, stages=[before if one is mending.stage else one for one in state.stages])
    (planned,) = tournament_rounds.plan(past, before, among=among, now=now)
    reasons = [_with_tables(reason, mending) for reason in planned.reasons]
    taken = sorted(entry for entry in among if state.entries[entry].fixed_table in mending.kept_numbers)
    reasons += [
        Reason(code="table_missed", entrants=(entry,), figures={"table": state.entries[entry].fixed_table or 0})
        for entry in taken
    ]
    now_at = {table.number: table for table in mending.tables}
    return replace(
        planned,
        tables=tuple(
            _in_their_seats(table, now_at.get(number))
            for number, table in zip(mending.free_numbers(), planned.tables, strict=False)
        ),
        reasons=tuple(reasons),
    )


def _with_tables(reason: Reason, mending: Mending) -> Reason:
    """A reason of a plan, which counts its tables from 1, with the numbers that they have in the tournament round."""
    figures = dict(reason.figures)
    for name in tournament_plans.TABLE_FIGURES & set(figures):
        figures[name] = next(islice(mending.free_numbers(), int(figures[name]) - 1, None))
    return replace(reason, figures=figures)


def _in_their_seats(planned: PlannedTable, table: TableValue | None) -> PlannedTable:
    """A planned table in the order of seats that it has, where the same meet there already."""
    if table is None or not _is_same(planned, table):
        return planned
    return replace(planned, entries=table.entries)


def _is_same(planned: PlannedTable, table: TableValue) -> bool:
    """Whether the same meet there, in whatever seats; what is decided by forfeit stays so."""
    return (planned.group, set(planned.entries)) == (table.group, set(table.entries))


def store_mending(
    access: Access,
    tournament: Tournament,
    state: TournamentState,
    mending: Mending,
    planned: PlannedRound | None,
    *,
    now: datetime,
) -> None:
    """Mend a tournament round by this plan (None: by its bracket), in a transaction that has locked the tournament with
    its sessions. Raises Conflict where a table is being played.
    """
    anew = _mend_matches(state, mending) if planned is None else _mend_tables(state, mending, planned)
    if mending.round.is_published and anew:
        fresh = tournament_state.load(tournament, tables_of=[mending.number])
        again = next((one for one in fresh.rounds if one.row.number == mending.number), None)
        if again is not None:
            only = [table.id for table in again.tables if table.number in anew]
            open_sessions(access, tournament, fresh, again, now, only=only)
    changed(tournament, access=access, action="mended", data={"round": mending.number}, now=now)


# --- What a job foresaw, as it is kept --------------------------------------------------------------------------------


def as_foreseen(mending: Mending, planned: PlannedRound) -> dict[str, Any]:
    """A plan as JSON, for `planned_of`: its tables with their numbers, and which tables go for them."""
    numbered = zip(mending.free_numbers(), planned.tables, strict=False)
    return {
        "anew": [table.number for table in mending.tables],
        "tables": [
            {"table": number, "kind": table.kind.value, "group": table.group, "entries": list(table.entries)}
            for number, table in numbered
        ],
        "reasons": [tournament_rounds.as_json(reason) for reason in planned.reasons],
    }


def planned_of(foreseen: Foreseen) -> PlannedRound:
    """The plan that a job foresaw."""
    return PlannedRound(
        tables=tuple(
            PlannedTable(tuple(one["entries"]), one["group"], TableKind(one["kind"]))
            for one in foreseen.planned["tables"]
        ),
        reasons=tuple(
            Reason(code=one["code"], entrants=tuple(one["entries"]), figures=one["figures"])
            for one in foreseen.planned["reasons"]
        ),
    )


def _mend_matches(state: TournamentState, mending: Mending) -> set[int]:
    """Let the right two come to each table; the numbers of these."""
    drop_sessions(table.id for table in mending.tables)
    now = tournament_plans.resolved(mending.stage)
    row = mending.round.row
    reasons: list[dict[str, Any]] = []
    for table in mending.tables:
        match = now.matches[table.match]
        if match.state in {State.READY, State.DECIDED} and None not in match.entrants:
            right = tournament_plans.table_of_match(state, now, table.match, mending.number)
            reseat(table.id, right.entries, kind=right.kind.value)
            gone = tuple(one for one in right.entries if not state.is_present(one, mending.number))
            reasons += [tournament_rounds.as_json(Reason(code=GONE, entrants=gone))] if gone else []
        else:
            # Without its two the match waits: its table comes with the pairing that finds them.
            reseat(table.id, [], kind=TournamentTableKind.PLAYED)
    were_there = {entry for table in mending.tables for entry in table.entries}
    row.reasons = [one for one in row.reasons if were_there.isdisjoint(one["entries"])] + reasons
    row.save(update_fields=["reasons"])
    for round_ in mending.stage.rounds:
        if not TournamentTable.objects.filter(round=round_.row).exists():
            round_.row.delete()
    return {table.number for table in mending.tables}


def _mend_tables(state: TournamentState, mending: Mending, planned: PlannedRound) -> set[int]:
    """Store the tables at which others meet; the numbers of these. Where the same meet, seats and sessions stay."""
    row = mending.round.row
    numbered = dict(zip(mending.free_numbers(), planned.tables, strict=False))
    gone = [table for table in mending.tables if not _stays(numbered, table)]
    if not gone:
        # With the results before and with these the same meet.
        _keep_basis(state, mending.stage, row)
        row.save(update_fields=["quality"])
        return set()
    stay = {table.number for table in mending.tables} - {table.number for table in gone}
    fresh = {number: table for number, table in numbered.items() if number not in stay}
    drop_sessions(table.id for table in gone)
    TournamentTable.objects.filter(pk__in=[table.id for table in gone]).delete()
    tournament_rounds.store_tables([(row, replace(planned, tables=tuple(fresh.values())))], numbers=iter(list(fresh)))
    anew = {entry for table in mending.tables for entry in table.entries}
    # What is odd at the tables that stay has its reasons still.
    reasons = [one for one in row.reasons if anew.isdisjoint(one["entries"])]
    reasons += [tournament_rounds.as_json(reason) for reason in planned.reasons]
    row.reasons = sorted(reasons, key=lambda one: one["figures"].get("table", 0))
    basis = tournament_plans.basis(mending.stage, scoring_of(state), row.number)
    row.quality = {**{name: value for name, value in row.quality.items() if name != KEPT_BASES}, "basis": basis}
    row.save(update_fields=["reasons", "quality"])
    return set(fresh)


def _stays(numbered: Mapping[int, PlannedTable], table: TableValue) -> bool:
    return table.number in numbered and _is_same(numbered[table.number], table)
