"""Pairings that take long are jobs: stored once, told how far they are, never in the way of a tournament for good."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from league.models import Job, JobState, Tournament, TournamentRound, TournamentSeat, TournamentTable
from league.services import (
    jobs,
    tournament_changes,
    tournament_entries,
    tournament_plans,
    tournament_rounds,
    tournaments,
)
from league.services.errors import Conflict, InputError
from league.services.tournament_entries import EntryInput
from league.services.tournament_formats import StageInput
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
    tournament_rounds.pair_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.error) == (JobState.DONE, job.total, "")
    assert TournamentTable.objects.count() == 101
    assert TournamentSeat.objects.count() == 201
    # A bell that rings twice changes nothing.
    tournament_rounds.pair_job(job.pk)
    assert TournamentRound.objects.count() == 1


@pytest.mark.parametrize("players", [32, 33])
def test_the_dutch_system_is_paired_by_a_worker_above_32(club: Club, players: int) -> None:
    """Its exact pairings take a second for sixty players."""
    cup = club.tournament(StageInput("dutch", {"rounds": 3}), players=players)
    assert (tournament_rounds.pair(**by(club, cup)).job is not None) == (players > 32)


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
            tournament_rounds.pair_job(job.pk)
    assert not TournamentRound.objects.exists()
    # Its lease holds: nobody else works on it yet.
    tournament_rounds.pair_job(job.pk)
    assert not TournamentRound.objects.exists()
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    tournament_rounds.pair_job(job.pk)
    assert TournamentRound.objects.count() == 4


def test_a_worker_that_was_slow_stores_nothing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it plans its lease runs out and another one does the work: one plan stands, not two."""
    cup = planned(club)
    job = asked(club, cup)
    real = tournament_plans.plan

    def slowly(*args: Any, **given: Any) -> Any:
        monkeypatch.setattr(tournament_plans, "plan", real)
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        tournament_rounds.pair_job(job.pk)
        return real(*args, **given)

    monkeypatch.setattr(tournament_plans, "plan", slowly)
    tournament_rounds.pair_job(job.pk)
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
    tournament_rounds.pair_job(job.pk)
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
    tournament_rounds.pair_job(job.pk)
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
    tournament_rounds.pair_job(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "P01, P02 are to sit together, perhaps by way of others, and apart" in job.error
    for first, second in ((one, two), (one, three), (two, three)):
        tournament_entries.set_wish(**by(club, cup), first=first, second=second, kind=None)
    again = asked(club, cup)
    tournament_rounds.pair_job(again.pk)
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
    tournament_rounds.pair_job(again.pk)
    assert TournamentRound.objects.count() == 4


def test_progress_is_told(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The share of the search that is done, never the whole of it before the plan is stored."""
    monkeypatch.setattr(tournament_rounds, "_PROGRESS_STEP", timedelta(0))
    cup = club.tournament(StageInput("fixed_schedule", {"rounds": 2}, groups=2), players=12, table_size=3)
    job = asked(club, cup)
    told: list[int] = []
    real = jobs.Claim.progress

    def listens(self: jobs.Claim, **given: Any) -> None:
        told.append(given["done"])
        real(self, **given)

    monkeypatch.setattr(jobs.Claim, "progress", listens)
    tournament_rounds.pair_job(job.pk)
    assert told
    assert told == sorted(told)
    assert max(told) < tournament_rounds.STEPS
    job.refresh_from_db()
    assert job.done == tournament_rounds.STEPS


def test_a_plan_that_is_cancelled_is_searched_for_no_longer(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever cancels while it is worked on ends the search there and then; nothing is stored, and it can be asked for
    again.
    """
    monkeypatch.setattr(tournament_rounds, "_PROGRESS_STEP", timedelta(0))
    cup = club.tournament(StageInput("fixed_schedule", {"rounds": 6}), players=17, table_size=5)
    job = asked(club, cup)
    told: list[int] = []
    real = jobs.Claim.progress

    def cancels(self: jobs.Claim, **given: Any) -> None:
        if not told:
            jobs.cancel(access=club.access, job_id=job.pk, now=NOW)
        told.append(given["done"])
        real(self, **given)

    monkeypatch.setattr(jobs.Claim, "progress", cancels)
    tournament_rounds.pair_job(job.pk)
    assert len(told) == 1
    assert told[0] < tournament_rounds.STEPS // 2
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert not TournamentRound.objects.exists()
    monkeypatch.setattr(jobs.Claim, "progress", real)
    tournament_rounds.pair_job(asked(club, cup).pk)
    assert TournamentRound.objects.count() == 6


def test_so_large_a_pairing_is_drawn_once(club: Club) -> None:
    cup = planned(club)
    with pytest.raises(InputError) as error:
        tournament_rounds.pair(**by(club, cup), draw=1)
    assert [(one.path, one.code) for one in error.value.problems] == [(("draw",), "not_allowed")]


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_one_stores(club: Club) -> None:
    cup = planned(club)
    job = asked(club, cup)
    # A bell without a broker may have rung already; whoever comes first has it.
    assert at_once([partial(tournament_rounds.pair_job, job.pk)] * 3) == [None] * 3
    assert sorted(TournamentRound.objects.values_list("number", flat=True)) == [1, 2, 3, 4]
    assert tournament_changes.overtaken_rounds(club.state(cup)) == []
