"""Figures after the answer: the doorbell, imports that are waited for, one worker at a time."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from celery import Celery, current_app
from django.db import transaction
from django.utils import timezone

from league.models import ChangedSession, Job, JobKind, JobState, Rating
from league.services import figures, ratings
from tests.people import People
from tests.services.given import record, series
from tests.services.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a broker of its own, which has called nobody yet; the broker is down until the folder is made."""
    monkeypatch.setattr(figures, "_rung", {})
    before = current_app._get_current_object()  # type: ignore[attr-defined]  # behind the proxy
    folder = tmp_path / "broker"
    app = Celery("test", set_as_current=False)
    folders = dict.fromkeys(("data_folder_in", "data_folder_out", "control_folder"), str(folder))
    app.conf.update(broker_url="folder://", broker_transport_options=folders)
    app.set_current()
    yield folder
    before.set_current()


def messages(queue: Path) -> int:
    return sum(figures.TASK in one.read_text() for one in queue.iterdir() if one.suffix == ".msg")


def test_many_changes_ring_once_and_the_sweep_until_they_are_followed(people: People, queue: Path) -> None:
    queue.mkdir()
    with transaction.atomic():
        for winner, other in (("Ann", "Ben"), ("Ben", "Cem"), ("Cem", "Ann")):
            record(people, series({winner: 1, other: 2}))
        assert messages(queue) == 0, "before the commit there is nothing to compute"
    assert messages(queue) == 1
    assert ChangedSession.objects.count() == 3
    assert figures.sweep() == 1
    assert messages(queue) == 2
    figures.refresh(people.club.pk)
    assert (figures.sweep(), ChangedSession.objects.count(), Rating.objects.count()) == (0, 0, 3)


def test_a_broker_that_is_down_delays_figures_alone(people: People, queue: Path) -> None:
    record(people, series({"Ann": 1, "Ben": 2}))
    assert figures.sweep() == 0
    queue.mkdir()
    assert figures.sweep() == 1
    assert messages(queue) == 1


def test_an_import_is_waited_for(people: People, queue: Path) -> None:
    queue.mkdir()
    job = Job.objects.create(club=people.club, kind=JobKind.IMPORT)
    record(people, series({"Ann": 1, "Ben": 2}))
    assert not figures.refresh_figures(club_id=people.club.pk)
    assert figures.sweep() == 0
    Job.objects.filter(pk=job.pk).update(state=JobState.FAILED, finished_at=timezone.now())
    assert figures.sweep() == 1
    assert figures.refresh_figures(club_id=people.club.pk)
    assert Rating.objects.count() == 2


def test_a_second_worker_goes_away(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the first one computes; another club is free meanwhile."""
    record(people, series({"Ann": 1, "Ben": 2}))
    begun, tried = Event(), Event()
    replay = ratings.replay

    def slow(**given: Any) -> ratings.Replayed:
        begun.set()
        assert tried.wait(120)
        return replay(**given)

    monkeypatch.setattr(ratings, "replay", slow)

    def first() -> list[bool]:
        return [figures.refresh_figures(club_id=people.club.pk)]

    def second() -> list[bool]:
        assert begun.wait(120)
        try:
            return [figures.refresh_figures(club_id=club.pk) for club in (people.club, people.other_club)]
        finally:
            tried.set()

    assert at_once([first, second]) == [[True], [False, True]]
    assert not ChangedSession.objects.exists()
