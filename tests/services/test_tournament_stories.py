"""Random lives of tournaments of every format: whatever organisers and players do, nothing that was promised breaks.

What is checked is worked out here from the stored rows by the words of the promises, with nothing of the product's own
pairing or ranking. `TISCHLIGA_EDIT_STORIES` says how many lives of each format are lived.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from league.models import (
    AuditEvent,
    EntryAbsence,
    PairWish,
    Session,
    SessionResult,
    SessionStatus,
    Stage,
    StageEntry,
    Tournament,
    TournamentEntry,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
)
from league.services import (
    corrections,
    results,
    tournament_changes,
    tournament_entries,
    tournament_jobs,
    tournament_rounds,
    tournament_standings,
    tournament_state,
    tournaments,
)
from league.services.errors import Conflict, InputError, NeedsConfirmation, ServiceError
from league.services.tournament_entries import EntryInput
from league.services.tournament_formats import StageInput
from tests.people import NOW, People
from tests.services.given import ANYTHING, DAY, by_places
from tests.services.test_tournaments import Club

pytestmark = pytest.mark.django_db

DUELS = {"round_robin", "swiss", "dutch", "single_elimination", "double_elimination", "stepladder"}
BRACKETS = {"single_elimination", "double_elimination", "stepladder"}
AHEAD = {"round_robin", "fixed_schedule", "final_tables"}
# By name: the stages, how many play, and the preferred size of a table.
LIVES: dict[str, tuple[tuple[StageInput, ...], int, int]] = {
    "round_robin": ((StageInput("round_robin"),), 5, 2),
    "swiss": ((StageInput("swiss", {"rounds": 5}),), 7, 2),
    "dutch": ((StageInput("dutch", {"rounds": 4}),), 7, 2),
    "table_swiss": ((StageInput("table_swiss", {"rounds": 4}),), 10, 4),
    "fixed_schedule": ((StageInput("fixed_schedule", {"rounds": 3}),), 9, 3),
    "single_elimination": ((StageInput("single_elimination", {"third_place": True, "best_of_last": [3]}),), 6, 2),
    "double_elimination": ((StageInput("double_elimination"),), 5, 2),
    "stepladder": ((StageInput("stepladder"),), 4, 2),
    "club_evening": ((StageInput("club_evening"),), 9, 4),
    "groups_and_bracket": (
        (StageInput("round_robin", {"best_next": 1}, groups=2, advance=1), StageInput("single_elimination")),
        7,
        2,
    ),
    "groups_and_tables": (
        (StageInput("swiss", {"rounds": 2}, groups=2, advance=3), StageInput("final_tables", {"crossing": False})),
        8,
        3,
    ),
}
CHANGES = (
    *("play", "play", "correct", "correct", "void", "restore", "withdraw", "no_show", "bring_back", "sit_out", "enter"),
    *(
        "wish",
        "forfeit",
        "take_forfeit_back",
        "open_table",
        "swap",
        "swap",
        "keep",
        "mend",
        "mend",
        "unpublish",
        "undo",
    ),
    *(
        "pause",
        "resume",
        "archive",
        "restore_it",
        "close_stage",
        "finish",
        "reopen",
        "clone",
        "pair_and_undo",
        "remove",
    ),
    *("check_in", "publish", "pair"),
)
ROWS = (
    Stage,
    StageEntry,
    TournamentEntry,
    EntryAbsence,
    PairWish,
    TournamentRound,
    TournamentTable,
    TournamentSeat,
)


class Life(RuleBasedStateMachine):
    """One tournament."""

    people: People
    kind: str

    def __init__(self) -> None:
        super().__init__()
        self.around = transaction.atomic()
        self.around.__enter__()
        self.club = Club(self.people)
        stages, count, size = LIVES[self.kind]
        self.cup = self.club.tournament(*stages, players=count, table_size=size, start=False)
        self.by: dict[str, Any] = {"access": self.club.access, "tournament_id": self.cup.pk, "now": NOW}
        self.copies = 0

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.around.__exit__(None, None, None)

    # --- What is done -------------------------------------------------------------------------------------------------

    @initialize()
    def begin(self) -> None:
        if self.kind == "club_evening":
            here = list(self.cup.entries.values_list("pk", flat=True))
            tournament_entries.check_in(**self.by, entry_ids=here)
        tournament_rounds.start(**self.by)

    @rule(lots=st.lists(st.integers(1, 3), min_size=6, max_size=6))
    def go_on(self, lots: list[int]) -> None:
        """What an organiser does next: let them play, publish, pair, open the next stage."""
        open_sessions = self.sessions(status=SessionStatus.OPEN)
        if open_sessions:
            for session in open_sessions:
                self.play(session, lots)
            return
        draft = TournamentRound.objects.filter(tournament=self.cup, status="draft").first()
        if draft is not None:
            self.publish(draft.number)
        elif not self.pair() and not self.attempt(lambda: tournament_rounds.open_next_stage(**self.by)):
            self.attempt(lambda: tournaments.resume(**self.by))
            self.attempt(lambda: tournaments.restore(**self.by))

    @rule(what=st.sampled_from(CHANGES), n=st.integers(0, 30), m=st.integers(0, 30))
    def change(self, what: str, n: int, m: int) -> None:
        getattr(self, f"do_{what}")(n, m)

    def do_play(self, n: int, m: int) -> None:
        found = self.sessions(status=SessionStatus.OPEN)
        if found:
            self.play(found[n % len(found)], [1 + m % 3, 1 + m // 3 % 3, 1, 2, 3, 3])

    def do_correct(self, n: int, m: int) -> None:
        found = [one for one in self.sessions() if one.status != SessionStatus.OPEN]
        if found:
            session = found[n % len(found)]
            data = by_places("xxl-6-plus", self.placed(session, [1 + m % 2, 1 + m // 2 % 2, 1, 2, 3, 3]))
            self.attempt(
                lambda: corrections.correct_round(
                    access=self.club.access,
                    session_id=session.pk,
                    number=1,
                    data=data,
                    reason="Wrong.",
                    expected=None,
                    confirm=ANYTHING,
                    now=NOW,
                )
            )

    def do_void(self, n: int, _m: int) -> None:
        found = self.sessions()
        if found:
            pk = found[n % len(found)].pk
            self.attempt(lambda: corrections.void(access=self.club.access, session_id=pk, reason="No.", now=NOW))

    def do_restore(self, n: int, _m: int) -> None:
        found = list(Session.objects.exclude(voided_at=None).order_by("pk"))
        if found:
            pk = found[n % len(found)].pk
            self.attempt(lambda: corrections.restore(access=self.club.access, session_id=pk, reason="Yes.", now=NOW))

    def do_withdraw(self, n: int, m: int) -> None:
        entry = self.entry(n)
        self.attempt(lambda: tournament_entries.withdraw(**self.by, entry_id=entry, no_show=m % 3 == 0))

    do_no_show = do_withdraw

    def do_bring_back(self, n: int, _m: int) -> None:
        gone = list(self.cup.entries.filter(status__in=["withdrawn", "no_show"]).order_by("pk"))
        entry = gone[n % len(gone)].pk if gone else self.entry(n)
        self.attempt(lambda: tournament_entries.bring_back(**self.by, entry_id=entry))

    def do_sit_out(self, n: int, m: int) -> None:
        first = self.following + m % 3 - 1
        until = None if m > 20 else first + m % 4 - 1
        entry = self.entry(n)
        self.attempt(lambda: tournament_entries.sit_out(**self.by, entry_id=entry, from_round=first, until_round=until))

    def do_enter(self, n: int, m: int) -> None:
        given = [EntryInput(guest=f"Guest {n}", first_round=None if m % 2 else m, checked_in=m % 3 > 0)]
        self.attempt(lambda: tournament_entries.enter(**self.by, entries=given))

    def do_remove(self, n: int, _m: int) -> None:
        entry = self.entry(n)
        self.attempt(lambda: tournament_entries.remove(**self.by, entry_id=entry))

    def do_check_in(self, n: int, m: int) -> None:
        entry = self.entry(n)
        self.attempt(lambda: tournament_entries.check_in(**self.by, entry_ids=[entry], is_here=m % 2 == 0))

    def do_wish(self, n: int, m: int) -> None:
        kind = ("apart", "together", None)[m % 3]
        two: dict[str, Any] = {"first": self.entry(n), "second": self.entry(n + 1 + m // 3)}
        self.attempt(lambda: tournament_entries.set_wish(**self.by, **two, kind=kind))

    def do_forfeit(self, n: int, m: int) -> None:
        table = self.table(n)
        if table is not None:
            its = list(table.seats.values_list("entry_id", flat=True))
            winner = [*its, None][m % (len(its) + 1)]
            self.attempt(lambda: tournament_changes.forfeit(**self.by, **self.at(table), winner=winner))

    def do_take_forfeit_back(self, n: int, _m: int) -> None:
        table = self.table(n, kind__in=["forfeit", "double_forfeit"]) or self.table(n)
        if table is not None:
            self.attempt(lambda: tournament_changes.take_forfeit_back(**self.by, **self.at(table)))

    def do_open_table(self, n: int, _m: int) -> None:
        table = self.table(n, kind="played", decided=False)
        if table is not None:
            self.attempt(lambda: tournament_changes.open_table(**self.by, **self.at(table)))

    def do_swap(self, n: int, m: int) -> None:
        last = self.rounds().last()
        if last is None:
            return
        found = list(TournamentSeat.objects.filter(table__round=last).order_by("pk").values_list("entry_id", flat=True))
        if not found:
            return
        given = {"number": last.number, "first": found[n % len(found)], "second": found[m % len(found)]}
        try:
            with transaction.atomic():
                tournament_changes.swap(**self.by, **given)
        except NeedsConfirmation as error:
            codes = [one.code for one in error.warnings]
            assert self.attempt(lambda: tournament_changes.swap(**self.by, **given, confirm=codes))
        except ServiceError:
            pass

    def do_keep(self, n: int, _m: int) -> None:
        self.attempt(lambda: tournament_changes.keep(**self.by, number=self.number(n)))

    def do_mend(self, n: int, _m: int) -> None:
        over = tournament_changes.overtaken_rounds(self.state())
        number = over[n % len(over)].number if over else self.number(n)
        stage = Stage.objects.filter(rounds__tournament=self.cup, rounds__number=number).first()
        if self.attempt(lambda: tournament_changes.mend(**self.by, number=number)):
            assert stage is not None
            mended = self.rounds().filter(number=number).first()
            if mended is not None and stage.format == "swiss":
                before = self.met(stage, number)
                old = {table for one in over if one.number == number for table in one.played}
                fresh = mended.tables.exclude(number__in=old)
                assert not [pair for table in fresh for pair in self.pairs(table) if pair in before]

    def do_unpublish(self, n: int, _m: int) -> None:
        self.attempt(lambda: tournament_rounds.unpublish(**self.by, number=self.number(n)))

    def do_undo(self, _n: int, _m: int) -> None:
        self.attempt(lambda: tournament_rounds.undo(**self.by))

    def do_pair(self, n: int, _m: int) -> None:
        self.pair(draw=n % 3)

    def do_publish(self, n: int, _m: int) -> None:
        self.publish(self.number(n))

    def do_pair_and_undo(self, n: int, _m: int) -> None:
        before = self.rows()
        if self.pair(draw=n % 2):
            tournament_rounds.undo(**self.by)
            assert self.rows() == before

    def do_pause(self, _n: int, _m: int) -> None:
        self.attempt(lambda: tournaments.pause(**self.by))

    def do_resume(self, _n: int, _m: int) -> None:
        self.attempt(lambda: tournaments.resume(**self.by))

    def do_archive(self, _n: int, _m: int) -> None:
        self.attempt(lambda: tournaments.archive(**self.by))

    def do_restore_it(self, _n: int, _m: int) -> None:
        self.attempt(lambda: tournaments.restore(**self.by))

    def do_finish(self, _n: int, _m: int) -> None:
        self.attempt(lambda: tournaments.finish(**self.by))

    def do_reopen(self, _n: int, _m: int) -> None:
        self.attempt(lambda: tournaments.reopen(**self.by))

    def do_close_stage(self, _n: int, _m: int) -> None:
        closed = self.attempt(lambda: tournament_rounds.close_stage(**self.by))
        if closed and not Stage.objects.filter(tournament=self.cup, status="running").exists():
            self.attempt(lambda: tournament_rounds.start(**self.by))

    def do_clone(self, n: int, _m: int) -> None:
        self.copies += 1
        copy = tournaments.clone(**self.by, name="Copy", slug=f"copy-{self.copies}", starts_on=DAY, entries=n % 2 == 0)
        stages = [
            sorted(one.stages.values_list("number", "format", "options__rounds", "groups", "advance"))
            for one in (self.cup, copy)
        ]
        assert stages[0] == stages[1]
        assert copy.entries.count() == (self.cup.entries.count() if n % 2 == 0 else 0)

    # --- How it is done -----------------------------------------------------------------------------------------------

    def attempt(self, call: Callable[[], object]) -> bool:
        """Whether it was done. A refusal has a sentence and writes nothing; every change counts and is told."""
        before, audited = self.rows(), AuditEvent.objects.count()
        version = self.version
        try:
            with transaction.atomic():
                call()
        except ServiceError as error:
            told = getattr(error, "message", None)
            if isinstance(error, InputError):
                told = " ".join(problem.message for problem in error.problems)
            elif isinstance(error, NeedsConfirmation):
                told = " ".join(problem.message for problem in error.warnings)
            if isinstance(error, Conflict | InputError | NeedsConfirmation):
                assert told
                assert "%(" not in told
            assert self.rows() == before
            assert self.version == version
            return False
        after = self.rows()
        if after != before:
            # A game that does not end its table's session changes that session alone.
            assert self.version > version or {**after, "Session": before["Session"]} == before
            assert AuditEvent.objects.count() > audited
        return True

    def pair(self, *, draw: int = 0) -> bool:
        stage = Stage.objects.filter(tournament=self.cup, status="running").first()
        number = self.following
        if not self.attempt(lambda: self.paired(draw)):
            return False
        assert stage is not None
        made = list(self.rounds().filter(number__gte=number))
        if not made:
            # A job that failed says why.
            job = Tournament.objects.get(pk=self.cup.pk).pairing_job
            assert job is not None
            assert job.error
            return False
        for one in made:
            self.check_paired(stage, one)
        return True

    def paired(self, draw: int) -> None:
        job = tournament_rounds.pair(**self.by, draw=draw).job
        if job is not None:
            tournament_jobs.pair_job(job.pk)

    def check_paired(self, stage: Stage, made: TournamentRound) -> None:
        """What holds of a round that was paired just now."""
        seated = [seat.entry_id for table in made.tables.all() for seat in table.seats.all()]
        due = self.due(stage, made.number)
        if stage.format in {"swiss", "dutch", "table_swiss", "club_evening"}:
            assert sorted(seated) == sorted(due)
        elif stage.format not in BRACKETS:
            assert sorted(seated) == sorted(stage.places.values_list("entry_id", flat=True))
        apart = {(one.first_id, one.second_id) for one in PairWish.objects.filter(tournament=self.cup, kind="apart")}
        wished = stage.format in {"swiss", "dutch", "table_swiss", "club_evening", "fixed_schedule"}
        before = self.met(stage, made.number)
        for table in made.tables.filter(kind="played"):
            size = table.seats.count()
            assert size == 2 if stage.format in DUELS else 3 <= size <= 6
            of_groups = stage.places.filter(entry__in=table.seats.values("entry")).values_list("group", flat=True)
            assert stage.format == "final_tables" or len(set(of_groups)) == 1
            for pair in self.pairs(table):
                assert not (wished and pair in apart)
                assert not (stage.format in {"swiss", "dutch"} and pair in before)
        if stage.format in {"swiss", "dutch"}:
            byes = Counter(self.rested(stage, made.number))
            for table in made.tables.filter(kind="bye"):
                (one,) = table.seats.values_list("entry_id", flat=True)
                assert byes[one] == min(byes[other] for other in due if self.group(stage, other) == table.group)

    def due(self, stage: Stage, number: int) -> list[int]:
        """Who takes part in a round: there, not sitting it out; at a club evening ticked in and at no table."""
        found = []
        busy = set(
            TournamentSeat.objects.filter(
                table__sessions__in=Session.objects.filter(status="open", voided_at=None)
            ).values_list("entry_id", flat=True)
        )
        for entry in TournamentEntry.objects.filter(stages__stage=stage).prefetch_related("absences"):
            out = any(
                one.from_round <= number and (one.until_round is None or one.until_round >= number)
                for one in entry.absences.all()
            )
            evening = stage.format == "club_evening"
            here = entry.status == "checked_in" or (entry.status == "entered" and not evening)
            if here and entry.first_round <= number and not out and not (evening and entry.pk in busy):
                found.append(entry.pk)
        return found

    def publish(self, number: int) -> None:
        if not self.attempt(lambda: tournament_rounds.publish(**self.by, number=number)):
            return
        for table in TournamentTable.objects.filter(round__tournament=self.cup, round__number=number, kind="played"):
            live = Session.objects.filter(table=table, voided_at=None)
            if table.decided or live.count() != 1:
                continue
            seats = set(table.seats.values_list("entry__player_id", flat=True))
            assert seats == set(live.get().seats.values_list("player_id", flat=True))

    def play(self, session: Session, lots: list[int]) -> None:
        for _game in range(5):
            session.refresh_from_db()
            if session.status != SessionStatus.OPEN:
                return
            data = by_places("xxl-6-plus", self.placed(session, lots))
            done = self.attempt(
                lambda data=data: results.record_round(  # type: ignore[misc]
                    access=self.club.access, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW
                )
            )
            assert done

    def placed(self, session: Session, lots: list[int]) -> dict[str, int]:
        """Places by lot: the lowest first, equal lots share a place."""
        names = list(session.seats.order_by("number").values_list("player__name", flat=True))
        drawn = dict(zip(names, lots, strict=False))
        return {name: 1 + sum(other < lot for other in drawn.values()) for name, lot in drawn.items()}

    # --- What is there ------------------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        return int(Tournament.objects.values_list("version", flat=True).get(pk=self.cup.pk))

    @property
    def following(self) -> int:
        return max(self.rounds().values_list("number", flat=True), default=0) + 1

    def rows(self) -> dict[str, list[Any]]:
        """All rows of the tournament but their ids and times, which an undo does not bring back."""
        found: dict[str, list[Any]] = {model.__name__: list(model.objects.order_by("pk").values()) for model in ROWS}
        found["Session"] = list(Session.objects.order_by("pk").values("pk", "table", "status", "voided_at", "revision"))
        found["Tournament"] = list(Tournament.objects.order_by("pk").values("pk", "status", "archived_at"))
        return found

    def rounds(self) -> Any:
        return TournamentRound.objects.filter(tournament=self.cup).order_by("number")

    def sessions(self, **filters: Any) -> list[Session]:
        return list(Session.objects.filter(voided_at=None, table__isnull=False, **filters).order_by("pk"))

    def state(self) -> tournament_state.TournamentState:
        return self.club.state(self.cup)

    def number(self, n: int) -> int:
        return 1 + n % max(1, self.following - 1)

    def entry(self, n: int) -> int:
        found = list(self.cup.entries.order_by("pk").values_list("pk", flat=True))
        return int(found[n % len(found)])

    def table(self, n: int, **filters: Any) -> TournamentTable | None:
        found = list(TournamentTable.objects.filter(round__tournament=self.cup, **filters).order_by("-round", "number"))
        return found[n % len(found)] if found else None

    def at(self, table: TournamentTable) -> dict[str, Any]:
        return {"number": table.round.number, "table": table.number}

    def group(self, stage: Stage, entry: int) -> int:
        return int(stage.places.get(entry_id=entry).group)

    def pairs(self, table: TournamentTable) -> Iterator[tuple[int, int]]:
        if table.kind == "played":
            yield from combinations(sorted(table.seats.values_list("entry_id", flat=True)), 2)

    def met(self, stage: Stage, number: int) -> set[tuple[int, int]]:
        tables = TournamentTable.objects.filter(round__stage=stage, round__number__lt=number)
        return {pair for table in tables for pair in self.pairs(table)}

    def rested(self, stage: Stage, number: int) -> list[int]:
        seats = TournamentSeat.objects.filter(
            table__round__stage=stage, table__round__number__lt=number, table__kind="bye"
        )
        return list(seats.values_list("entry_id", flat=True))

    # --- What always holds --------------------------------------------------------------------------------------------

    @invariant()
    def nobody_sits_twice(self) -> None:
        seats = list(TournamentSeat.objects.values_list("table__round_id", "entry_id"))
        assert len(set(seats)) == len(seats)

    @invariant()
    def tables_follow_their_sessions(self) -> None:
        live = {one.table_id: one for one in self.sessions()}
        placed: dict[int, dict[int, int | None]] = defaultdict(dict)
        for result in SessionResult.objects.filter(session__in=live.values()):
            placed[result.session_id][result.player_id] = result.place
        for table in TournamentTable.objects.prefetch_related("seats__entry", "round"):
            session = live.get(table.pk)
            if table.kind != "played":
                assert table.decided
                assert session is None
                assert table.kind != "bye" or table.seats.count() == 1
                continue
            ended = session is not None and session.status != SessionStatus.OPEN
            assert table.decided == ended, (table.kind, session)
            assert table.round.status == "published" or session is None
            if session is not None:
                its = placed[session.pk] if ended else {}
                assert {seat.entry.player_id: seat.place for seat in table.seats.all()} == (
                    its if ended else dict.fromkeys((seat.entry.player_id for seat in table.seats.all()), None)
                )

    @invariant()
    def standings_are_what_the_tables_add_up_to(self) -> None:
        state = self.state()
        for table in tournament_standings.tables_of(state):
            stage = Stage.objects.get(tournament=self.cup, number=table.stage)
            members = set(stage.places.values_list("entry_id", flat=True))
            assert {line.entry for line in table.lines} <= members
            ranks = [line.rank for line in table.lines]
            assert ranks == sorted(ranks)
            assert not ranks or ranks[0] == 1
            if stage.format in BRACKETS:
                assert all(line.rank <= line.rank_to <= len(members) for line in table.lines)
                continue
            scores = self.recounted(stage)
            assert {line.entry: line.score for line in table.lines} == {
                line.entry: scores.get(line.entry, 0) for line in table.lines
            }
        ranked = tournament_standings.final_ranks(state)
        assert [rank for rank, _entry in ranked] == sorted(rank for rank, _entry in ranked)
        inside = set(StageEntry.objects.filter(stage__tournament=self.cup).values_list("entry_id", flat=True))
        assert sorted(entry for _rank, entry in ranked) == sorted(inside)

    def recounted(self, stage: Stage) -> dict[int, Fraction]:
        """A win or a bye is 1, a draw a half; at larger tables the share of the others who were beaten."""
        found: dict[int, Fraction] = defaultdict(Fraction)
        tables = TournamentTable.objects.filter(round__stage=stage, round__status="published", decided=True)
        for table in tables.prefetch_related("seats"):
            seats = list(table.seats.all())
            if table.kind in {"bye", "forfeit"}:
                found[seats[0].entry_id] += 1
            elif table.kind == "played":
                for seat in seats:
                    beaten = sum((seat.place or 0) < (other.place or 0) for other in seats)
                    level = sum(seat.place == other.place for other in seats) - 1
                    found[seat.entry_id] += Fraction(2 * beaten + level, 2 * (len(seats) - 1))
        return found

    @invariant()
    def losers_go_on_nowhere(self) -> None:
        """In a single elimination who lost plays on for the third place alone; what was overtaken since is named."""
        stages = [one for one in self.state().stages if one.row.format == "single_elimination"]
        for stage in stages:
            named = {
                (one.number, table)
                for one in tournament_changes.overtaken_rounds(self.state())
                for table in (*one.tables, *one.played)
            }
            out: set[int] = set()
            for one in stage.rounds:
                # Who sits at the table for the third place has lost before; what was overtaken puts nobody out.
                tables = [
                    table for table in one.tables if table.match != "3P" and (one.row.number, table.number) not in named
                ]
                for table in tables:
                    assert not out & set(table.entries)
                for table in tables:
                    places = table.places
                    if table.kind.value == "forfeit":
                        out.add(table.entries[1])
                    elif table.kind.value == "double_forfeit":
                        out |= set(table.entries)
                    else:
                        out |= {entry for entry, place in places.items() if place > 1}


@pytest.mark.sqlite_alone  # what the single services store is tested on both
@pytest.mark.parametrize("kind", LIVES)
def test_random_lives(people: People, kind: str) -> None:
    Life.people, Life.kind = people, kind
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=int(os.environ.get("TISCHLIGA_EDIT_STORIES", "2")),
            stateful_step_count=int(os.environ.get("TISCHLIGA_STORY_STEPS", "20")),
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
