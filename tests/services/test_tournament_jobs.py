"""Pairings that take long are jobs: stored once, told how far they are, never in the way of a tournament for good."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from league.models import (
    AuditEvent,
    Job,
    JobState,
    Player,
    RoundStatus,
    Session,
    Tournament,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
)
from league.services import (
    jobs,
    tournament_asked,
    tournament_changes,
    tournament_entries,
    tournament_jobs,
    tournament_plans,
    tournament_rounds,
    tournaments,
)
from league.services.errors import Conflict, InputError, NotFound, Stale
from league.services.tournament_entries import EntryInput
from league.services.tournament_formats import StageInput
from league.services.tournament_rounds import Publishing
from tests.people import NOW, People
from tests.services.test_tournaments import SWISS, Club
from tests.services.threads import at_once

pytestmark = pytest.mark.django_db

PLAN = StageInput("fixed_schedule", {"rounds": 4})


@pytest.fixture
def club(people: People) -> Club:
    return Club(people)


def by(club: Club, cup: Tournament) -> dict[str, Any]:
    return {"access": club.access, "tournament_id": cup.pk, "now": NOW}


def asked(club: Club, cup: Tournament) -> Job:
    job = tournament_rounds.pair(**by(club, cup)).job
    assert job is not None
    return job


def planned(club: Club) -> Tournament:
    """Nine at tables of three for four tournament rounds, in which everybody meets everybody."""
    return club.tournament(PLAN, players=9, table_size=3)


class Killed(BaseException):
    """The worker is gone in the middle of its work."""


def test_more_than_two_hundred_are_paired_by_a_worker(club: Club) -> None:
    cup = club.tournament(SWISS, players=201)
    job = asked(club, cup)
    assert not TournamentRound.objects.exists()
    with pytest.raises(Conflict, match="being paired already"):
        asked(club, cup)
    tournament_jobs.pair_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.error) == (JobState.DONE, job.total, "")
    assert TournamentTable.objects.count() == 101
    assert TournamentSeat.objects.count() == 201
    # A bell that rings twice changes nothing.
    tournament_jobs.pair_job(job.pk)
    assert TournamentRound.objects.count() == 1


@pytest.mark.parametrize("players", [32, 33])
def test_the_dutch_system_is_paired_by_a_worker_above_32(club: Club, players: int) -> None:
    """Its exact pairings take a second for sixty players."""
    cup = club.tournament(StageInput("dutch", {"rounds": 3}), players=players)
    assert (tournament_rounds.pair(**by(club, cup)).job is not None) == (players > 32)


def test_more_than_four_hundred_tables_are_published_by_a_worker(club: Club) -> None:
    """Thirty who all meet play at 435 tables in 29 rounds."""
    cup = club.tournament(StageInput("round_robin"), players=30)
    tournament_rounds.pair(**by(club, cup))
    job = tournament_rounds.publish_all(**by(club, cup)).job
    assert job is not None
    assert not Session.objects.exists()
    with pytest.raises(Conflict, match="being published"):
        tournament_rounds.publish_all(**by(club, cup))
    # Only the search for a plan has something before its end.
    with pytest.raises(Conflict, match="cancel"):
        tournament_asked.stop(**by(club, cup))
    tournament_jobs.pair_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.error) == (JobState.DONE, job.total, "")
    assert Session.objects.count() == 435
    assert set(cup.rounds.values_list("status", flat=True)) == {RoundStatus.PUBLISHED}
    told = AuditEvent.objects.filter(action="tournament.published").order_by("pk").values_list("data", flat=True)
    assert list(told) == [{"round": number} for number in range(1, 30)]
    # A bell that rings twice changes nothing, and there is nothing left to publish.
    tournament_jobs.pair_job(job.pk)
    assert Session.objects.count() == 435
    assert tournament_rounds.publish_all(**by(club, cup)) == Publishing()


def test_a_worker_publishes_all_rounds_or_none(club: Club) -> None:
    cup = club.tournament(StageInput("round_robin"), players=30)
    tournament_rounds.pair(**by(club, cup))
    job = tournament_rounds.publish_all(**by(club, cup)).job
    assert job is not None
    entry = cup.entries.select_related("player").order_by("pk").last()
    assert entry is not None
    Player.objects.filter(pk=entry.player_id).update(archived_at=NOW)
    tournament_jobs.pair_job(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert f"“{entry.player.name}” at table" in job.error
    assert not Session.objects.exists()
    # Back again, it is asked for once more; what is cancelled is not done.
    Player.objects.filter(pk=entry.player_id).update(archived_at=None)
    job = tournament_rounds.publish_all(**by(club, cup)).job
    assert job is not None
    jobs.cancel(access=club.access, job_id=job.pk, now=NOW)
    tournament_jobs.pair_job(job.pk)
    assert set(cup.rounds.values_list("status", flat=True)) == {RoundStatus.DRAFT}


def test_a_worker_that_dies_before_it_stores_is_followed_by_another(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = planned(club)
    job = asked(club, cup)
    real = tournament_plans.plan

    def dies(*args: Any, **given: Any) -> Any:
        real(*args, **given)
        raise Killed

    with monkeypatch.context() as here:
        here.setattr(tournament_plans, "plan", dies)
        with pytest.raises(Killed):
            tournament_jobs.pair_job(job.pk)
    assert not TournamentRound.objects.exists()
    # Its lease holds: nobody else works on it yet.
    tournament_jobs.pair_job(job.pk)
    assert not TournamentRound.objects.exists()
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    tournament_jobs.pair_job(job.pk)
    assert TournamentRound.objects.count() == 4


def test_a_worker_that_was_slow_stores_nothing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it plans its lease runs out and another one does the work: one plan stands, not two."""
    cup = planned(club)
    job = asked(club, cup)
    real = tournament_plans.plan

    def slowly(*args: Any, **given: Any) -> Any:
        monkeypatch.setattr(tournament_plans, "plan", real)
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        tournament_jobs.pair_job(job.pk)
        return real(*args, **given)

    monkeypatch.setattr(tournament_plans, "plan", slowly)
    tournament_jobs.pair_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempt) == (JobState.DONE, 2)
    assert sorted(TournamentRound.objects.values_list("number", flat=True)) == [1, 2, 3, 4]


def test_who_comes_while_it_plans_is_in_the_plan(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = club.tournament(SWISS, players=201)
    job = asked(club, cup)
    real = tournament_plans.plan

    def overtaken(*args: Any, **given: Any) -> Any:
        monkeypatch.setattr(tournament_plans, "plan", real)
        found = real(*args, **given)
        tournament_entries.enter(**by(club, cup), entries=[EntryInput(guest="Late")])
        return found

    monkeypatch.setattr(tournament_plans, "plan", overtaken)
    tournament_jobs.pair_job(job.pk)
    assert TournamentSeat.objects.filter(entry__player__name="Late").count() == 1
    assert TournamentRound.objects.count() == 1


def _paused(club: Club, cup: Tournament) -> None:
    tournaments.pause(**by(club, cup))


def _closed(club: Club, cup: Tournament) -> None:
    tournament_rounds.close_stage(**by(club, cup))


def _deleted(club: Club, cup: Tournament) -> None:
    _closed(club, cup)
    tournaments.delete(**by(club, cup))


@pytest.mark.parametrize(
    ("change", "told"), [(_paused, "is paused"), (_closed, "has not begun"), (_deleted, "not there any more")]
)
def test_what_can_not_be_paired_any_more_says_why(
    club: Club, change: Callable[[Club, Tournament], None], told: str
) -> None:
    cup = planned(club)
    job = asked(club, cup)
    change(club, cup)
    tournament_jobs.pair_job(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert told in job.error
    assert not TournamentRound.objects.exists()


def test_a_pairing_that_is_not_possible_says_why_and_can_be_asked_for_again(club: Club) -> None:
    """P01 and P02 together and apart by way of P03."""
    cup = planned(club)
    one, two, three = (club.entry(cup, name) for name in ("P01", "P02", "P03"))
    tournament_entries.set_wish(**by(club, cup), first=one, second=two, kind="apart")
    tournament_entries.set_wish(**by(club, cup), first=one, second=three, kind="together")
    tournament_entries.set_wish(**by(club, cup), first=two, second=three, kind="together")
    job = asked(club, cup)
    tournament_jobs.pair_job(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "P01, P02 are to sit together, perhaps by way of others, and apart" in job.error
    for first, second in ((one, two), (one, three), (two, three)):
        tournament_entries.set_wish(**by(club, cup), first=first, second=second, kind=None)
    again = asked(club, cup)
    tournament_jobs.pair_job(again.pk)
    assert TournamentRound.objects.count() == 4


@pytest.mark.django_db(transaction=True)  # the sweep begins and ends with the connections that are open
def test_a_job_that_was_tried_too_often_is_in_nobodys_way(club: Club) -> None:
    cup = planned(club)
    job = asked(club, cup)
    past = timezone.now() - timedelta(minutes=2)
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING, attempt=jobs.MAXIMUM_ATTEMPTS, lease_until=past, rung_at=timezone.now()
    )
    with pytest.raises(Conflict, match="being paired already"):
        asked(club, cup)
    jobs.sweep()
    again = asked(club, cup)
    tournament_jobs.pair_job(again.pk)
    assert TournamentRound.objects.count() == 4


def test_progress_is_told(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The share of the search that is done, never the whole of it before the plan is stored."""
    monkeypatch.setattr(tournament_jobs, "_PROGRESS_STEP", timedelta(0))
    cup = club.tournament(StageInput("fixed_schedule", {"rounds": 2}, groups=2), players=12, table_size=3)
    job = asked(club, cup)
    told: list[int] = []
    real = jobs.Claim.progress

    def listens(self: jobs.Claim, **given: Any) -> None:
        told.append(given["done"])
        real(self, **given)

    monkeypatch.setattr(jobs.Claim, "progress", listens)
    tournament_jobs.pair_job(job.pk)
    assert told
    assert told == sorted(told)
    assert max(told) < tournament_asked.STEPS
    job.refresh_from_db()
    assert job.done == tournament_asked.STEPS


def test_a_plan_that_is_cancelled_is_searched_for_no_longer(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever cancels while it is worked on ends the search there and then; nothing is stored, and it can be asked for
    again.
    """
    usual, real = tournament_jobs._PROGRESS_STEP, jobs.Claim.progress
    monkeypatch.setattr(tournament_jobs, "_PROGRESS_STEP", timedelta(0))
    cup = club.tournament(StageInput("fixed_schedule", {"rounds": 6}), players=17, table_size=5)
    job = asked(club, cup)
    told: list[int] = []

    def cancels(self: jobs.Claim, **given: Any) -> None:
        if not told:
            jobs.cancel(access=club.access, job_id=job.pk, now=NOW)
        told.append(given["done"])
        real(self, **given)

    monkeypatch.setattr(jobs.Claim, "progress", cancels)
    tournament_jobs.pair_job(job.pk)
    assert len(told) == 1
    assert told[0] < tournament_asked.STEPS // 2
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert not TournamentRound.objects.exists()
    monkeypatch.setattr(jobs.Claim, "progress", real)
    monkeypatch.setattr(tournament_jobs, "_PROGRESS_STEP", usual)
    tournament_jobs.pair_job(asked(club, cup).pk)
    assert TournamentRound.objects.count() == 6


def test_a_plan_is_drawn_anew_by_another_number(club: Club) -> None:
    """The same number draws the same again; who is who in the plan is left to chance."""
    cup = planned(club)
    drawn = []
    for draw in (0, 1, 0, 1):
        job = tournament_rounds.pair(**by(club, cup), draw=draw).job
        assert job is not None
        tournament_jobs.pair_job(job.pk)
        drawn.append([club.seated(cup, number) for number in (1, 2, 3, 4)])
        tournament_rounds.undo(**by(club, cup))
    assert drawn[:2] == drawn[2:]
    assert drawn[0] != drawn[1]
    with pytest.raises(InputError) as error:
        tournament_rounds.pair(**by(club, cup), draw=tournament_rounds.LARGEST_DRAW + 1)
    assert [one.path for one in error.value.problems] == [("draw",)]


# --- Taking what is there ---------------------------------------------------------------------------------------------


def test_a_search_that_is_stopped_stores_what_it_has(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seventeen at tables of five and four for six rounds: it searches long for a plan with few repeats."""
    monkeypatch.setattr(tournament_jobs, "_PROGRESS_STEP", timedelta(0))
    cup = club.tournament(StageInput("fixed_schedule", {"rounds": 6}), players=17, table_size=5)
    job = asked(club, cup)
    version = Tournament.objects.get(pk=cup.pk).version
    told: list[int] = []
    real = jobs.Claim.progress

    def stops(self: jobs.Claim, **given: Any) -> None:
        if not told:
            for _time in range(2):
                assert tournament_asked.stop(access=club.access, tournament_id=cup.pk, now=NOW).pk == job.pk
        told.append(given["done"])
        real(self, **given)

    monkeypatch.setattr(jobs.Claim, "progress", stops)
    tournament_jobs.pair_job(job.pk)
    # The last is told at its end.
    assert max(told[:-1]) < tournament_asked.STEPS // 2
    job.refresh_from_db()
    assert (job.state, job.error) == (JobState.DONE, "")
    rounds = list(TournamentRound.objects.order_by("number"))
    assert [one.number for one in rounds] == [1, 2, 3, 4, 5, 6]
    assert {one.quality["is_reproducible"] for one in rounds} == {False}
    for one in rounds:
        assert sorted(name for table in club.seated(cup, one.number) for name in table) == [
            f"P{number:02}" for number in range(1, 18)
        ]
    # It is told once, and counts no version up: what is planned is planned for the version of now.
    assert AuditEvent.objects.filter(action="tournament.pairing_stopped", data__job=job.pk).count() == 1
    assert Tournament.objects.get(pk=cup.pk).version == version + 1
    with pytest.raises(Conflict, match="Nothing is being paired"):
        tournament_asked.stop(access=club.access, tournament_id=cup.pk, now=NOW)


def test_what_was_stopped_before_it_began_takes_the_first_that_it_finds(club: Club) -> None:
    cup = club.tournament(StageInput("fixed_schedule", {"rounds": 6}), players=17, table_size=5)
    job = asked(club, cup)
    tournament_asked.stop(access=club.access, tournament_id=cup.pk, now=NOW)
    AuditEvent.objects.all().delete()
    tournament_jobs.pair_job(job.pk)
    assert set(TournamentRound.objects.values_list("quality__is_reproducible", flat=True)) == {False}
    assert TournamentRound.objects.count() == 6
    # Nobody stops the one that is asked for next.
    tournament_rounds.undo(**by(club, cup))
    again = asked(club, cup)
    assert not tournament_asked.is_stopped(again.pk)


def test_what_has_nothing_before_its_end_is_not_stopped(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_rounds, "LARGEST_AT_ONCE", 3)
    cup = club.tournament(SWISS, players=4)
    asked(club, cup)
    with pytest.raises(Conflict) as error:
        tournament_asked.stop(access=club.access, tournament_id=cup.pk, now=NOW)
    assert error.value.code == "job_not_stoppable"


# --- Mending ----------------------------------------------------------------------------------------------------------

AFTER = {frozenset({"P02", "P03"}), frozenset({"P01", "P04"})}
BEFORE = {frozenset({"P01", "P02"}), frozenset({"P03", "P04"})}


def overtaken_cup(club: Club, monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """Four, as if that were many. P01 beat P03, and P02 beat P04, so that round 2 is P01-P02 and P03-P04; then P03 won:
    winners P02 and P03, losers P01 and P04.
    """
    monkeypatch.setattr(tournament_rounds, "LARGEST_AT_ONCE", 4)
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    club.play(cup, 1)
    club.pair(cup)
    monkeypatch.setattr(tournament_rounds, "LARGEST_AT_ONCE", 3)
    wrong = next(one for one in club.tables(cup, 1) if club.entry(cup, "P01") in one.entries)
    club.correct(Session.objects.get(table=wrong.id), {"P01": 2, "P03": 1})
    assert pairs(club, cup) == BEFORE
    return cup


def pairs(club: Club, cup: Tournament) -> set[frozenset[str]]:
    return set(map(frozenset, club.seated(cup, 2)))


def named(club: Club, cup: Tournament, tables: Iterable[tuple[int, ...]]) -> list[list[str]]:
    return [[club.name(cup, one) for one in table] for table in tables]


def carried_out(job: Job | None) -> Job:
    assert job is not None
    tournament_jobs.pair_job(job.pk)
    job.refresh_from_db()
    return job


def test_a_large_round_is_mended_by_a_worker(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = overtaken_cup(club, monkeypatch)
    job = tournament_changes.mend(**by(club, cup), number=2).job
    assert pairs(club, cup) == BEFORE
    with pytest.raises(Conflict, match="being paired already"):
        tournament_changes.mend(**by(club, cup), number=2)
    job = carried_out(job)
    assert (job.state, job.error) == (JobState.DONE, "")
    assert pairs(club, cup) == AFTER
    # Each table has its session again.
    seated = {
        frozenset(one.seats.values_list("player__name", flat=True))
        for one in Session.objects.filter(table__round__number=2)
    }
    assert seated == AFTER
    assert tournament_changes.overtaken_rounds(club.state(cup)) == []


def test_who_changes_the_tournament_while_it_is_mended_is_heeded(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is asked P01 and P04 have won, who would meet; while it is planned P03 wins in P01's stead."""
    cup = overtaken_cup(club, monkeypatch)
    club.correct(Session.objects.get(table__round__number=1, seats__player__name="P01"), {"P01": 1, "P03": 2})
    club.correct(Session.objects.get(table__round__number=1, seats__player__name="P02"), {"P02": 2, "P04": 1})
    job = tournament_changes.mend(**by(club, cup), number=2).job
    real = tournament_plans.plan

    def slowly(*args: Any, **given: Any) -> Any:
        monkeypatch.setattr(tournament_plans, "plan", real)
        found = real(*args, **given)
        club.correct(Session.objects.get(table__round__number=1, seats__player__name="P01"), {"P01": 2, "P03": 1})
        return found

    monkeypatch.setattr(tournament_plans, "plan", slowly)
    assert carried_out(job).state == JobState.DONE
    # Winners P03 and P04 now.
    assert pairs(club, cup) == BEFORE
    assert tournament_changes.overtaken_rounds(club.state(cup)) == []


def test_a_worker_foresees_what_mending_would_change(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = overtaken_cup(club, monkeypatch)
    with pytest.raises(Conflict) as error:
        tournament_changes.foresee(**by(club, cup), number=2)
    assert error.value.code == "not_foreseen"
    assert carried_out(tournament_changes.ask_foresight(**by(club, cup), number=2).job).state == JobState.DONE
    assert pairs(club, cup) == BEFORE
    foreseen = named(club, cup, tournament_changes.foresee(**by(club, cup), number=2).tables.values())
    assert set(map(frozenset, foreseen)) == AFTER
    # What was shown is stored as it is, whatever another pairing would come to.
    mending = tournament_changes.mend(**by(club, cup), number=2).job
    # The audit trail tells what people did, and steers nothing.
    actions = AuditEvent.objects.filter(data__has_key="job").order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["tournament.pairing_asked"] * 2
    AuditEvent.objects.all().delete()
    with monkeypatch.context() as here:
        here.delattr(tournament_plans, "plan")
        assert carried_out(mending).state == JobState.DONE
    assert club.seated(cup, 2) == foreseen


def test_what_was_foreseen_holds_until_something_changes(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = overtaken_cup(club, monkeypatch)
    carried_out(tournament_changes.ask_foresight(**by(club, cup), number=2).job)
    tournaments.update(**by(club, cup), changes={"announcement": "Soon"})
    with pytest.raises(Conflict) as error:
        tournament_changes.foresee(**by(club, cup), number=2)
    assert error.value.code == "not_foreseen"
    carried_out(tournament_changes.ask_foresight(**by(club, cup), number=2).job)
    mending = tournament_changes.mend(**by(club, cup), number=2).job
    tournaments.update(**by(club, cup), changes={"announcement": "Now"})
    failed = carried_out(mending)
    assert (failed.state, pairs(club, cup)) == (JobState.FAILED, BEFORE)
    assert "changed since this was shown" in failed.error


def test_what_can_not_be_mended_is_no_job(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = overtaken_cup(club, monkeypatch)
    for ask in (tournament_changes.mend, tournament_changes.ask_foresight):
        with pytest.raises(Conflict, match="results of now"):
            ask(**by(club, cup), number=1)
        with pytest.raises(Stale):
            ask(**by(club, cup), number=2, expected=1)
        with pytest.raises(NotFound):
            ask(**by(club, cup), number=3)
    club.play(cup, 2)
    with pytest.raises(Conflict, match="Every table of this tournament round was played"):
        tournament_changes.mend(**by(club, cup), number=2)
    assert not Job.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_one_stores(club: Club) -> None:
    cup = planned(club)
    job = asked(club, cup)
    # A bell without a broker may have rung already; whoever comes first has it.
    assert at_once([partial(tournament_jobs.pair_job, job.pk)] * 3) == [None] * 3
    assert sorted(TournamentRound.objects.values_list("number", flat=True)) == [1, 2, 3, 4]
    assert tournament_changes.overtaken_rounds(club.state(cup)) == []
