"""The rounds of a tournament: begun, paired, published, taken back; and the stage that follows.

Terms: to *pair* is to store who sits where in the tournament round that comes next, as a draft that organisers alone
see (of a stage that is planned ahead, all of them); to *publish* lets its tables be played, each as a session; to
*undo* takes the last pairing back. Promises: a plan is made outside the lock and stored only if nothing changed since;
a round is published with all its sessions or not at all; what has a result is never deleted. The pairing of large
tournament rounds and of fixed schedules is a job (`tournament_jobs.py`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import combinations, count

from django.db import transaction
from django.utils.translation import gettext as _

from games.core import SEED_LIMIT
from league.models import (
    EntryStatus,
    Job,
    Role,
    Round,
    RoundStatus,
    Seat,
    Session,
    SessionFormat,
    SessionStatus,
    Stage,
    StageEntry,
    StageFormat,
    StageStatus,
    Tournament,
    TournamentEntry,
    TournamentRound,
    TournamentSeat,
    TournamentStatus,
    TournamentTable,
    TournamentTableKind,
)
from league.models.inserts import insert_like
from league.pairing import groups as pairing_groups
from league.pairing.values import PairingError, Reason, TableKind
from league.services import (
    results,
    tournament_asked,
    tournament_plans,
    tournament_seeds,
    tournament_state,
    webhooks,
)
from league.services.access import Access
from league.services.errors import Conflict, InputError, NotFound, Stale, out_of_range, overtaken
from league.services.evenings import SeatInput, SessionInput
from league.services.pairing_words import sentence_of
from league.services.tournament_formats import LARGEST_ROUNDS, plays_best_of, rules_of
from league.services.tournament_plans import GONE, PlannedRound, PlannedTable, Progress, Stop
from league.services.tournament_standings import ranked_across, scoring_of, stage_tables
from league.services.tournament_state import RoundValue, StageValue, TableValue, TournamentState
from league.services.tournaments import changed, check_not_archived, check_running, locked

# More players to pair, or tables to publish of all rounds, take too long for somebody to wait for in front of a page.
LARGEST_AT_ONCE = 200
LARGEST_PUBLISHED = 400
# The search for tables of three and more takes as many steps as it is given, and the Dutch system tries many pairings.
_LARGEST_OF = {StageFormat.DUTCH: 32, StageFormat.TABLE_SWISS: 64, StageFormat.CLUB_EVENING: 64}
LARGEST_DRAW = 1000
# How often a plan is made anew because somebody changed the tournament meanwhile.
TRIES = 3
# How far back meetings of a season say who should not meet again.
_HISTORY = timedelta(days=365)
# Who meets at a table is decided by the tournament; sessions alike stand in each of its rounds.
_CONFIRM = frozenset({"possible_duplicate", "too_few_rounds", "unequal_declarations"})


def refused(error: PairingError, state: TournamentState) -> Conflict:
    """What to tell the organiser where no pairing is possible."""
    names = {pk: entry.player.name for pk, entry in state.entries.items()}
    return Conflict(error.reason.code, sentence_of(error.reason, names))


# --- Begin and stages -------------------------------------------------------------------------------------------------


def start(
    *,
    access: Access,
    tournament_id: int,
    only_checked_in: bool = False,
    expected: int | None = None,
    now: datetime,
) -> Tournament:
    """Begin: seeds are completed and the first stage is open for pairing.

    `only_checked_in`: who is not checked in by now did not come. Raises Conflict with fewer than two entries.
    """
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        check_not_archived(tournament)
        if tournament.status != TournamentStatus.DRAFT:
            raise Conflict("tournament_begun", _("This tournament has begun already."))
        entries = TournamentEntry.objects.filter(tournament=tournament)
        if only_checked_in:
            entries.filter(status=EntryStatus.ENTERED).update(status=EntryStatus.NO_SHOW)
        tournament_seeds.complete(tournament)
        tournament.status = TournamentStatus.RUNNING
        tournament.save(update_fields=["status"])
        here = entries.exclude(status__in=[EntryStatus.NO_SHOW, EntryStatus.WITHDRAWN]).order_by("seed")
        stage = Stage.objects.get(tournament=tournament, number=1)
        _open_stage(stage, list(here.values_list("pk", flat=True)))
        changed(tournament, access=access, action="started", data={}, now=now)
    return tournament


def _check_all_meet(stage: Stage, count: int) -> None:
    """Raise Conflict for a round robin that would never end."""
    if stage.format != StageFormat.ROUND_ROBIN:
        return
    largest = -(-count // stage.groups)
    rounds = (largest - 1 + largest % 2) * (2 if stage.options["double"] else 1)
    if rounds > LARGEST_ROUNDS:
        message = _("Everybody against everybody takes %(rounds)d tournament rounds, %(maximum)d at most: make groups.")
        raise Conflict("too_many_rounds", message % {"rounds": rounds, "maximum": LARGEST_ROUNDS})


def _open_stage(stage: Stage, seeding: Sequence[int], *, groups: Sequence[Sequence[int]] | None = None) -> None:
    """Put entries into a stage, by seed; `groups` where they are settled. Raises Conflict for too few."""
    needed = 2 * stage.groups
    if len(seeding) < needed:
        message = _("This stage needs %(needed)d players at least; there are %(count)d.")
        raise Conflict("too_few_entries", message % {"needed": needed, "count": len(seeding)})
    if groups is None:
        groups = pairing_groups.divide(seeding, groups=stage.groups) if stage.groups > 1 else [seeding]
        smallest = min(map(len, groups))
        if stage.advance is not None and smallest < stage.advance:
            message = _("The smallest group has %(count)d players, but %(needed)d of each are to go on.")
            raise Conflict("group_too_small", message % {"count": smallest, "needed": stage.advance})
    _check_all_meet(stage, len(seeding))
    group_of = {entry: number for number, members in enumerate(groups, 1) for entry in members}
    insert_like(
        StageEntry(club_id=stage.club_id, stage=stage),
        {
            "entry_id": seeding,
            "seed": range(1, len(seeding) + 1),
            "group": [group_of[entry] for entry in seeding],
        },
    )
    stage.status = StageStatus.RUNNING
    stage.save(update_fields=["status"])


def open_next_stage(*, access: Access, tournament_id: int, expected: int | None = None, now: datetime) -> Stage:
    """End the present stage and open the following one with those who go on, seeded by their places.

    Raises Conflict while a table of the present stage has no result, and where none follows.
    """
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        check_running(tournament)
        state = tournament_state.load(tournament)
        current, following = state.current, state.following
        if current is None or following is None:
            raise Conflict("no_stage_follows", _("No stage follows this one."))
        check_stage_over(current)
        seeding, groups = seeding_of(state, current, following)
        current.row.status = StageStatus.FINISHED
        current.row.save(update_fields=["status"])
        _open_stage(following.row, seeding, groups=groups)
        data = {"stage": following.row.pk, "entries": seeding}
        changed(tournament, access=access, action="stage_opened", data=data, now=now)
    return following.row


def check_stage_over(stage: StageValue) -> None:
    """Raise Conflict with the reason while a stage is not played to its end."""
    # Forfeits of a draft are decided, and standings know nothing of them yet.
    unpublished = next((one for one in stage.rounds if not one.is_published), None)
    if unpublished is not None and unpublished.is_decided:
        message = _("Tournament round %(number)d is not published yet: publish or undo it.")
        raise Conflict("round_not_published", message % {"number": unpublished.row.number})
    open_tables = sum(not table.decided for _round, table in stage.tables())
    if open_tables:
        message = _("Tables without a result: %(count)d. Enter it, or decide them by forfeit or undo their round.")
        raise Conflict("tables_open", message % {"count": open_tables})
    if not stage.rounds:
        raise Conflict("stage_not_played", _("Nothing was played in this stage."))
    if rules_of(stage.row.format).bracket and not tournament_plans.resolved(stage).finished:
        raise Conflict("stage_not_played", _("The bracket is not played to its end."))


def seeding_of(
    state: TournamentState, stage: StageValue, following: StageValue, *, here: Collection[int] = ()
) -> tuple[list[int], list[list[int]] | None]:
    """By which seeds those who go on from a stage come into the one that follows it, and in which groups where these
    are settled. `here` and Conflict are as for `qualifiers`.
    """
    qualified = qualifiers(state, stage, here=here)
    seeding = [one.entrant for one in qualified]
    if following.row.format == StageFormat.FINAL_TABLES:
        # Final tables cross the groups themselves.
        count_ = max(one.group for one in qualified) + 1
        return seeding, [[one.entrant for one in qualified if one.group == group] for group in range(count_)]
    if rules_of(following.row.format).bracket and stage.row.groups > 1:
        seeding = list(pairing_groups.cross_over(qualified))
    return seeding, None


def qualifiers(
    state: TournamentState, stage: StageValue, *, here: Collection[int] = ()
) -> tuple[pairing_groups.Qualifier, ...]:
    """Who goes on from a stage, by place and then by group, those next behind last.

    Who has dropped out goes on only where too few others are left; those of `here` had not yet when it mattered.
    Raises Conflict for a group that has too few.
    """
    scoring = scoring_of(state)
    tables = stage_tables(state, stage, scoring)

    def is_gone(entry: int) -> bool:
        return entry not in here and state.entries[entry].status in {EntryStatus.WITHDRAWN, EntryStatus.NO_SHOW}

    rankings = [sorted((line.entry for line in table.lines), key=is_gone) for table in tables]
    per_group = stage.row.advance or max(map(len, rankings))
    short = next((table for table in tables if len(table.lines) < per_group), None)
    if short is not None:
        message = _("Group %(group)d has %(count)d players; %(needed)d are to go on.")
        params = {"group": short.group, "count": len(short.lines), "needed": per_group}
        raise Conflict("group_too_small", message % params)
    behind = [ranking[per_group] for ranking in rankings if len(ranking) > per_group]
    best_next = min(int(stage.row.options.get("best_next", 0)), len(behind))
    across = ranked_across(state, stage, behind, scoring) if best_next else []
    across.sort(key=is_gone)
    try:
        return pairing_groups.advance(rankings, per_group=per_group, best_next=best_next, across=across)
    except PairingError as error:
        raise refused(error, state) from error


def close_stage(*, access: Access, tournament_id: int, expected: int | None = None, now: datetime) -> Tournament:
    """Take back that a stage was opened, while nothing is paired in it; of the first: that the tournament began."""
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        check_running(tournament)
        state = tournament_state.load(tournament)
        current = state.current
        if current is None or current.rounds:
            raise Conflict("stage_paired", _("The stage has tournament rounds: undo them first."))
        current.row.places.all().delete()
        current.row.status = StageStatus.WAITING
        current.row.save(update_fields=["status"])
        before = next((stage for stage in state.stages if stage.row.number == current.row.number - 1), None)
        if before is not None:
            before.row.status = StageStatus.RUNNING
            before.row.save(update_fields=["status"])
        else:
            tournament.status = TournamentStatus.DRAFT
            tournament.save(update_fields=["status"])
            # Who had not checked in at the start may come now.
            TournamentEntry.objects.filter(tournament=tournament, status=EntryStatus.NO_SHOW).update(
                status=EntryStatus.ENTERED
            )
        changed(tournament, access=access, action="stage_closed", data={"stage": current.row.pk}, now=now)
    return tournament


# --- Pairing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pairing:
    """What pairing came to: the rounds that were stored, or the job that will store them."""

    rounds: tuple[TournamentRound, ...] = ()
    job: Job | None = None


def pair(*, access: Access, tournament_id: int, draw: int = 0, expected: int | None = None, now: datetime) -> Pairing:
    """Pair the tournament round that comes next, or all of a stage that is planned ahead; `draw` other than 0 draws
    others where chance has a say.

    Raises Conflict where nothing can be paired now, and with the reason where no pairing exists.
    """
    access.require(Role.SCOREKEEPER)
    problems = out_of_range(("draw",), draw, 0, LARGEST_DRAW)
    if problems:
        raise InputError(problems)
    for _try in range(TRIES):
        tournament = Tournament.objects.filter(club=access.club, pk=tournament_id).select_related("club").first()
        if tournament is None:
            raise NotFound(tournament_id)
        if expected is not None and tournament.version != expected:
            raise Stale(tournament.version)
        state = tournament_state.load(tournament)
        stage = check_pairable(state)
        if takes_long(stage.row.format, len(stage.places)):
            job = tournament_asked.ask(
                access=access, tournament_id=tournament_id, draw=draw, expected=expected, now=now
            )
            return Pairing(job=job)
        planned = plan(state, stage, now=now, draw=draw)
        with transaction.atomic():
            tournament = locked(access, tournament_id, expected=expected)
            if tournament.version == state.row.version:
                return Pairing(rounds=tuple(store(access, tournament, stage, state, planned, draw=draw, now=now)))
    raise overtaken()


def takes_long(format_: str, entries: int) -> bool:
    """Whether a pairing of a stage of that format with so many entries is a job."""
    largest = min(LARGEST_AT_ONCE, _LARGEST_OF.get(StageFormat(format_), LARGEST_AT_ONCE))
    return format_ == StageFormat.FIXED_SCHEDULE or entries > largest


def check_pairable(state: TournamentState) -> StageValue:
    """The stage whose next round can be paired now. Raises Conflict with the reason else."""
    check_running(state.row)
    stage = state.current
    if stage is None:
        raise Conflict("no_stage", _("All stages are played: finish the tournament."))
    tournament_asked.check_idle(state.row)
    rules = rules_of(stage.row.format)
    if rules.ahead and stage.rounds:
        raise Conflict("rounds_planned", _("All rounds of this stage are paired."))
    unpublished = next((one for one in stage.rounds if not one.is_published), None)
    if unpublished is not None:
        message = _("Tournament round %(number)d is not published yet: publish or undo it.")
        raise Conflict("round_not_published", message % {"number": unpublished.row.number})
    planned = stage.row.options.get("rounds")
    if planned is not None and not rules.ahead and len(stage.rounds) >= planned:
        message = _("The %(count)d tournament rounds of this stage are paired.") % {"count": planned}
        raise Conflict("rounds_planned", message)
    # In a bracket some matches can be ready while others go on; at a club evening nobody waits for another table.
    waits = not rules.bracket and stage.row.format != StageFormat.CLUB_EVENING
    undecided = next((one for one in stage.rounds if not one.is_decided), None)
    if waits and undecided is not None:
        message = _("Tournament round %(number)d still has tables without a result.")
        raise Conflict("round_open", message % {"number": undecided.row.number})
    if rules.bracket and stage.rounds and tournament_plans.resolved(stage).finished:
        raise Conflict("bracket_finished", _("The bracket is played to its end."))
    return stage


def plan(
    state: TournamentState,
    stage: StageValue,
    *,
    now: datetime,
    draw: int = 0,
    among: Iterable[int] | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> list[PlannedRound]:
    """As `tournament_plans.plan`, with the meetings of the season. Raises Conflict with the reason where none is."""
    today = state.row.club.local_date(now)
    try:
        return tournament_plans.plan(
            state,
            stage,
            scoring_of(state),
            draw=draw,
            among=among,
            earlier=earlier_meetings(state, stage, today),
            today=today,
            progress=progress,
            stop=stop,
        )
    except PairingError as error:
        raise refused(error, state) from error


def earlier_meetings(state: TournamentState, stage: StageValue, today: date) -> dict[tuple[int, int], list[date]]:
    """When entries met in the season's other sessions of the last year; none for formats that take no notice of it."""
    if stage.row.format not in {StageFormat.CLUB_EVENING, StageFormat.TABLE_SWISS} or state.row.season_id is None:
        return {}
    entry_of = {state.entries[one.entry_id].player_id: one.entry_id for one in stage.places}
    tables: dict[int, set[int]] = defaultdict(set)
    days: dict[int, date] = {}
    seats = (
        Seat.objects.filter(
            session__season=state.row.season_id,
            session__voided_at=None,
            session__played_on__gte=today - _HISTORY,
            player__in=entry_of,
        )
        .exclude(session__table__round__tournament=state.row)
        .values_list("session_id", "session__played_on", "player_id")
    )
    for session, day, player in seats:
        tables[session].add(entry_of[player])
        days[session] = day
    found: dict[tuple[int, int], list[date]] = defaultdict(list)
    for session, entries in sorted(tables.items()):
        for pair_ in combinations(sorted(entries), 2):
            found[pair_].append(days[session])
    return dict(found)


def store(
    access: Access,
    tournament: Tournament,
    stage: StageValue,
    state: TournamentState,
    planned: Sequence[PlannedRound],
    *,
    draw: int = 0,
    now: datetime,
) -> list[TournamentRound]:
    """Store the rounds that come next as drafts, in a transaction that has locked the tournament."""
    first = state.next_number
    found = TournamentRound.objects.bulk_create(
        TournamentRound(
            club=access.club,
            tournament=tournament,
            stage=stage.row,
            number=first + index,
            seed=tournament_plans.round_seed(state, first + index, draw=draw) % SEED_LIMIT,
            reasons=[as_json(reason) for reason in one.reasons],
            quality={**one.quality, "basis": tournament_plans.basis(stage, scoring_of(state), first + index)},
            paired_at=now,
        )
        for index, one in enumerate(planned)
    )
    store_tables(list(zip(found, planned, strict=True)))
    data = {"rounds": [one.number for one in found], "stage": stage.row.pk}
    changed(tournament, access=access, action="paired", data=data, now=now)
    return found


def as_json(reason: Reason) -> dict[str, object]:
    """A reason as a tournament round keeps it."""
    return {"code": reason.code, "entries": list(reason.entrants), "figures": dict(reason.figures)}


def store_tables(
    rounds: Sequence[tuple[TournamentRound, PlannedRound]], *, numbers: Iterator[int] | None = None
) -> None:
    """Store the tables of tournament rounds; byes and forfeits are decided at once.

    `numbers` are the tables that are free, where others of the round stand already.
    """
    placed = [
        (row, number, table)
        for row, one in rounds
        for number, table in zip(numbers or count(1), one.tables, strict=False)
    ]
    if not placed:
        return
    ids = insert_like(
        TournamentTable(club_id=placed[0][0].club_id),
        {
            "round_id": [row.pk for row, _number, _table in placed],
            "number": [number for _row, number, _table in placed],
            "group": [table.group for _row, _number, table in placed],
            "match": [table.match for _row, _number, table in placed],
            "kind": [table.kind.value for _row, _number, table in placed],
            "decided": [table.kind is not TableKind.PLAYED for _row, _number, table in placed],
        },
    )
    seats = [
        (pk, entry, number)
        for pk, (_row, _number, table) in zip(ids, placed, strict=True)
        for number, entry in enumerate(table.entries)
    ]
    tables, entries, positions = zip(*seats, strict=True)
    insert_like(
        TournamentSeat(club_id=placed[0][0].club_id),
        {"table_id": tables, "entry_id": entries, "number": positions},
    )


# --- Publishing and taking back ---------------------------------------------------------------------------------------


def _round(state: TournamentState, number: int) -> RoundValue:
    found = next((one for one in state.rounds if one.row.number == number), None)
    if found is None:
        raise NotFound(number)
    return found


def publish(
    *, access: Access, tournament_id: int, number: int, expected: int | None = None, now: datetime
) -> TournamentRound:
    """Let everybody see a tournament round and its tables be played: each gets its session.

    Raises Conflict where an earlier one is not published.
    """
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        check_running(tournament)
        # What was played before is nothing to this round's sessions.
        state = tournament_state.load(tournament, tables_of=[number])
        round_ = _round(state, number)
        if round_.is_published:
            return round_.row
        before = next((one for one in state.rounds if one.row.number < number and not one.is_published), None)
        if before is not None:
            message = _("Tournament round %(number)d comes first: publish it before.") % {"number": before.row.number}
            raise Conflict("round_not_published", message)
        _publish(access, tournament, state, [round_], now)
    return round_.row


@dataclass(frozen=True, slots=True)
class Publishing:
    """What publishing all drafts came to: those that were one, or the job that will publish them."""

    rounds: tuple[TournamentRound, ...] = ()
    job: Job | None = None


def publish_all(*, access: Access, tournament_id: int, expected: int | None = None, now: datetime) -> Publishing:
    """Publish every draft, in order and all or none, as of a stage that is planned ahead; by a job where they have more
    than `LARGEST_PUBLISHED` tables.

    Raises Conflict where a table can't be played, and where it takes a job while another of the tournament goes on.
    """
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        check_running(tournament)
        tables = TournamentTable.objects.filter(round__tournament=tournament, round__status=RoundStatus.DRAFT)
        if tables.count() > LARGEST_PUBLISHED:
            job = tournament_asked.ask(access=access, tournament_id=tournament_id, publishes=True, now=now)
            return Publishing(job=job)
        return Publishing(rounds=tuple(publish_drafts(access, tournament, now)))


def publish_drafts(access: Access, tournament: Tournament, now: datetime) -> list[TournamentRound]:
    """Publish every draft of a tournament that is locked."""
    check_running(tournament)
    state = tournament_state.load(tournament)
    drafts = [one for one in state.rounds if not one.is_published]
    _publish(access, tournament, state, drafts, now)
    return [one.row for one in drafts]


def _publish(
    access: Access, tournament: Tournament, state: TournamentState, drafts: Sequence[RoundValue], now: datetime
) -> None:
    for round_ in drafts:
        _settle_absences(state, round_)
    _open_sessions(access, tournament, state, [(one, one.tables) for one in drafts], now)
    TournamentRound.objects.filter(pk__in=[one.row.pk for one in drafts]).update(
        status=RoundStatus.PUBLISHED, published_at=now
    )
    for round_ in drafts:
        round_.row.status = RoundStatus.PUBLISHED
        round_.row.published_at = now
        data = {"round": round_.row.number}
        changed(tournament, access=access, action="published", data=data, now=now)
    told = [{"tournament": tournament.pk, "round": one.row.number, "tables": len(one.tables)} for one in drafts]
    events = [("tournament.round_paired", data) for data in told]
    webhooks.emit_all(club=tournament.club, events=events, now=now)


def _settle_absences(state: TournamentState, round_: RoundValue) -> None:
    """Who is gone since the pairing loses a duel by forfeit and leaves a larger table; who is left there without enough
    others for the game has a bye.
    """
    fewest = max(2, state.game.min_players if state.game is not None else 2)
    free = max((table.number for table in round_.tables), default=0) + 1
    reasons: list[dict[str, object]] = []
    for table in list(round_.tables):
        gone = [one for one in table.entries if not state.is_present(one, round_.row.number)]
        if not gone or table.kind not in {TableKind.PLAYED, TableKind.BYE}:
            continue
        there = [one for one in table.entries if one not in gone]
        if len(table.entries) == 2:
            decide_by_forfeit(table, winner=there[0] if there else None)
        elif len(there) >= fewest:
            reseat(table.id, there, kind=TournamentTableKind.PLAYED)
        else:
            reseat(table.id, there[:1], kind=TournamentTableKind.BYE)
            byes = [PlannedTable((one,), table.group, TableKind.BYE) for one in there[1:]]
            store_tables([(round_.row, PlannedRound(tuple(byes)))], numbers=count(free))
            free += len(byes)
        reasons.append(as_json(Reason(code=GONE, entrants=tuple(gone))))
    if reasons:
        round_.row.reasons = [*round_.row.reasons, *reasons]
        round_.row.save(update_fields=["reasons"])
        round_.tables.clear()
        tournament_state.load_tables({round_.row.pk: round_}, {"round": round_.row})


def decide_by_forfeit(table: TableValue, *, winner: int | None) -> None:
    """Decide a table without play; None: nobody wins.

    The winner has seat 0. Where that was not so before, the others have two more than their own seats, so that the
    seats tell how they sat (`order_of_play`), should the forfeit be taken back.
    """
    order = order_of_play(table)
    if winner is None:
        reseat(table.id, order, kind=TournamentTableKind.DOUBLE_FORFEIT)
        return
    shift = 0 if order[0] == winner else 2
    numbers = {entry: 0 if entry == winner else number + shift for number, entry in enumerate(order)}
    reseat(table.id, order, kind=TournamentTableKind.FORFEIT, numbers=numbers)


def order_of_play(table: TableValue) -> tuple[int, ...]:
    """Who sits at a table in the order in which they would play, also while it is decided by forfeit."""
    numbers = [seat.number for seat in table.seats]
    if numbers == list(range(len(numbers))):
        return table.entries
    order: list[int | None] = [None] * len(numbers)
    for seat in table.seats[1:]:
        order[seat.number - 2] = seat.entry
    return tuple(table.entries[0] if entry is None else entry for entry in order)


def reseat(table_id: int, entries: Sequence[int], *, kind: str, numbers: Mapping[int, int] | None = None) -> None:
    """Put these entries at a table, in order of seats unless `numbers` says otherwise; without any it is gone."""
    table = TournamentTable.objects.get(pk=table_id)
    TournamentSeat.objects.filter(table=table).delete()
    if not entries:
        table.delete()
        return
    seats = numbers or {entry: number for number, entry in enumerate(entries)}
    TournamentSeat.objects.bulk_create(
        TournamentSeat(club_id=table.club_id, table=table, entry_id=entry, number=seats[entry]) for entry in entries
    )
    table.kind = kind
    table.decided = kind != TournamentTableKind.PLAYED
    table.save(update_fields=["kind", "decided"])


def open_sessions(
    access: Access,
    tournament: Tournament,
    state: TournamentState,
    round_: RoundValue,
    now: datetime,
    *,
    only: Iterable[int] | None = None,
) -> None:
    """Make the session of each table that is played and has none (of those tables `only`).

    Raises Conflict where one can't be, for the table and with the reason.
    """
    wanted = None if only is None else set(only)
    tables = [table for table in round_.tables if wanted is None or table.id in wanted]
    _open_sessions(access, tournament, state, [(round_, tables)], now)


def _open_sessions(
    access: Access,
    tournament: Tournament,
    state: TournamentState,
    rounds: Sequence[tuple[RoundValue, Sequence[TableValue]]],
    now: datetime,
) -> None:
    """As `open_sessions`, for tables of several rounds at once."""
    today = tournament.club.local_date(now)
    tables: list[TableValue] = []
    games: list[int | None] = []
    for round_, its in rounds:
        games_of = planned_games(tournament, state, round_)
        for table in its:
            if table.kind is TableKind.PLAYED and table.session is None:
                tables.append(table)
                games.append(games_of.get(table.match, games_of[""]))
    for table in tables:
        for entry in table.entries:
            player = state.entries[entry].player
            if player.archived_at is not None:
                message = _(
                    "“%(player)s” at table %(table)d is archived: restore the player, or let the entry drop out."
                )
                raise Conflict("player_archived", message % {"player": player.name, "table": table.number})
    entries = [
        SessionInput(
            format=tournament.session_format,
            played_on=today,
            players=tuple(SeatInput(state.entries[one].player_id) for one in table.entries),
            planned_rounds=planned,
            location=tournament.location,
            table=table.id,
        )
        for table, planned in zip(tables, games, strict=True)
    ]
    refusal = results.open_all(access=access, entries=entries, season=tournament.season_id, confirm=_CONFIRM, now=now)
    if refusal is not None:
        data, error = refusal
        found = error.problems if isinstance(error, InputError) else error.warnings
        number = next(table.number for table in tables if table.id == data.table)
        params = {"table": number, "reason": found[0].message}
        raise Conflict(found[0].code, _("Table %(table)d can't be played: %(reason)s") % params)


def planned_games(tournament: Tournament, state: TournamentState, round_: RoundValue) -> dict[str, int | None]:
    """How many games a table plays, by its match: the best of so many in a bracket, else ("") what the tournament says;
    None where that follows from what is played.
    """
    found: dict[str, int | None] = {"": tournament.games_per_table}
    if tournament.session_format == SessionFormat.PURE_XXL:
        found[""] = None
    stage = next(one for one in state.stages if one.row.pk == round_.row.stage_id)
    best_of = plays_best_of(stage.row.format, stage.row.options)
    if best_of and tournament.session_format == SessionFormat.SERIES:
        found |= {match.code: match.best_of for match in tournament_plans.bracket_of(stage).matches}
    return found


def unpublish(
    *, access: Access, tournament_id: int, number: int, expected: int | None = None, now: datetime
) -> TournamentRound:
    """Make a published tournament round a draft again. Raises Conflict once anything was played at its tables, and
    where a later one is published.
    """
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected, with_sessions=True)
        check_running(tournament)
        state = tournament_state.load(tournament, tables_of=[number])
        round_ = _round(state, number)
        if not round_.is_published:
            return round_.row
        _take_sessions_back(state, round_)
        round_.row.status = RoundStatus.DRAFT
        round_.row.published_at = round_.row.started_at = None
        round_.row.save(update_fields=["status", "published_at", "started_at"])
        changed(tournament, access=access, action="unpublished", data={"round": number}, now=now)
    return round_.row


def _take_sessions_back(state: TournamentState, round_: RoundValue) -> None:
    later = next((one for one in state.rounds if one.row.number > round_.row.number and one.is_published), None)
    if later is not None:
        message = _("Tournament round %(number)d is published: undo the later ones first.")
        raise Conflict("later_round", message % {"number": later.row.number})
    drop_sessions(one.id for one in round_.tables)


def drop_sessions(tables: Iterable[int]) -> None:
    """Delete the sessions of tables at which nothing was played yet. Raises Conflict where something was.

    They are locked already (`locked`): to lock them after the tournament would let this wait for the door of results,
    which waits for the tournament.
    """
    # An evening that never began, of which nothing has to be kept.
    Session.objects.filter(pk__in=unplayed_sessions(tables)).only("pk").delete()


def unplayed_sessions(tables: Iterable[int]) -> list[int]:
    """The sessions of tables. Raises Conflict where something was played at one."""
    sessions = Session.objects.filter(table__in=list(tables), voided_at=None).order_by("pk")
    found = dict(sessions.values_list("pk", "status"))
    begun = set(Round.objects.filter(session__in=list(found)).values_list("session_id", flat=True))
    played = next((pk for pk, status in found.items() if status != SessionStatus.OPEN or pk in begun), None)
    if played is not None:
        message = _("Session %(session)d of this tournament round has results: void it first.")
        raise Conflict("table_played", message % {"session": played})
    return list(found)


def undo(*, access: Access, tournament_id: int, expected: int | None = None, now: datetime) -> list[int]:
    """Take the last tournament round back, or of a stage that was planned ahead all its rounds, which were made as one;
    gives their numbers. Raises Conflict once anything was played in them.
    """
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected, with_sessions=True)
        check_running(tournament)
        stage = tournament_state.load(tournament, tables_of=()).current
        if stage is None or not stage.rounds:
            raise Conflict("nothing_paired", _("No tournament round of this stage is paired."))
        rounds = last_paired(stage)
        ids, numbers = [one.row.pk for one in rounds], [one.row.number for one in rounds]
        drop_sessions(TournamentTable.objects.filter(round__in=ids).values_list("pk", flat=True))
        TournamentRound.objects.filter(pk__in=ids).delete()
        changed(tournament, access=access, action="undone", data={"rounds": numbers}, now=now)
    return numbers


def last_paired(stage: StageValue) -> list[RoundValue]:
    """What `undo` takes back: the last tournament round of a stage, or all that were planned as one."""
    return stage.rounds if rules_of(stage.row.format).ahead else stage.rounds[-1:]


def can_undo(stage: StageValue) -> bool:
    """Whether `undo` has something to take back, and nothing was played in it yet."""
    rounds = last_paired(stage)
    if any(table.session_status not in {"", SessionStatus.OPEN} for one in rounds for table in one.tables):
        return False
    begun = Round.objects.filter(session__table__round__in=[one.row.pk for one in rounds], session__voided_at=None)
    return bool(rounds) and not begun.exists()


def set_clock(
    *, access: Access, tournament_id: int, number: int, runs: bool, expected: int | None = None, now: datetime
) -> TournamentRound:
    """Start the clock of a published tournament round anew, or stop it."""
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        check_running(tournament)
        found = TournamentRound.objects.filter(tournament=tournament, number=number).first()
        if found is None:
            raise NotFound(number)
        if found.status != RoundStatus.PUBLISHED:
            raise Conflict("round_not_published", _("This tournament round is not published yet."))
        found.started_at = now if runs else None
        found.save(update_fields=["started_at"])
        changed(tournament, access=access, action="clock", data={"round": number, "runs": runs}, now=now)
    return found
