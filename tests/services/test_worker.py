"""Real worker processes that are killed in the middle of their work, on both brokers."""

import json
import signal
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from league.broker import BROKEN
from league.models import AuditEvent, BotMatch, Job, JobState, Session, Standing
from tests.people import People
from tests.product import Log, Product, database_url, wait_for
from tests.servers import hold_a_port, valkey
from tests.services.given import SEASON
from tests.services.test_bot_matches import ask, make_robots

# The folder's beside SQLite, as it is by itself; the two know nothing of each other.
BROKERS = ["redis" if settings.REDIS_URL else "folder"]
MATCHES = 4


def _product(folder: Path, broker: str) -> Product:
    environ = {"DATABASE_URL": database_url(connection.settings_dict), "SECRET_KEY": settings.SECRET_KEY}
    if broker == "redis":
        # A database of its own, in which no other test rings.
        environ["REDIS_URL"] = urlsplit(settings.REDIS_URL)._replace(path="/3").geturl()
    return Product(folder, environ)


def _silence() -> None:
    """A minute goes by: the leases of dead workers run out, and what was rung for is rung for again."""
    Job.objects.filter(state=JobState.RUNNING).update(lease_until=timezone.now() - timedelta(seconds=1))
    Job.objects.filter(state__in=[JobState.RUNNING, JobState.QUEUED]).update(rung_at=None)


def _kill_in_the_middle(product: Product) -> None:
    """Kill the worker while it plays a part of a match, and start another."""
    played = Job.objects.filter(state=JobState.RUNNING, parent__isnull=False)
    killed = False
    while not killed:
        done = Job.objects.filter(state=JobState.DONE).count()
        wait_for(
            lambda done=done: (  # type: ignore[misc]
                Job.objects.filter(state=JobState.DONE).count() > done and played.exists()
            ),
            "a match to be played",
            Log(product.folder / "worker.log"),
        )
        product.stop("worker", signal.SIGKILL)
        # What it was seen to play may have come to its end before the signal came.
        killed = played.exists()
        _silence()
        product.start("worker")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("broker", BROKERS)
def test_every_match_is_stored_once_though_the_worker_is_killed(people: People, tmp_path: Path, broker: str) -> None:
    make_robots(people)
    matches = [ask(people, deals=100, seed=seed, season=SEASON) for seed in range(MATCHES)]
    _silence()
    with _product(tmp_path, broker) as product:
        product.start("worker", "sweeper")
        _kill_in_the_middle(product)
        wait_for(
            lambda: not Job.objects.exclude(state__in=[JobState.DONE, JobState.FAILED]).exists(),
            "all matches to be played",
            Log(product.folder / "worker.log"),
        )
    assert set(Job.objects.values_list("state", "done", "error")) == {(JobState.DONE, 100, "")}
    assert Session.objects.count() == MATCHES
    assert AuditEvent.objects.filter(action="session.recorded").count() == MATCHES
    assert {match.session_id for match in BotMatch.objects.all()} == set(Session.objects.values_list("pk", flat=True))
    assert set(Standing.objects.values_list("sessions", flat=True)) == {MATCHES}
    assert len(matches) == MATCHES


@pytest.mark.django_db(transaction=True)
def test_a_worker_outlives_its_broker(people: People, tmp_path: Path) -> None:
    make_robots(people)
    match = ask(people)
    with hold_a_port() as holder:
        _outlives(match, tmp_path, holder.getsockname()[1])
    assert Session.objects.count() == 1


def _outlives(match: BotMatch, tmp_path: Path, port: int) -> None:
    environ = {
        "DATABASE_URL": database_url(connection.settings_dict),
        "SECRET_KEY": settings.SECRET_KEY,
        "REDIS_URL": f"redis://:secret@127.0.0.1:{port}/0",
    }
    with Product(tmp_path / "product", environ) as product:
        with valkey(tmp_path / "first", port, "secret"):
            product.start("worker")
        # The broker is gone; the request succeeded all the same, and nobody hears of it yet.
        with valkey(tmp_path / "second", port, "secret"):
            Job.objects.update(rung_at=None)
            product.start("sweeper")
            wait_for(
                lambda: Job.objects.get(pk=match.job_id).state == JobState.DONE,
                "the match to be played",
                Log(product.folder / "worker.log"),
            )


@pytest.mark.django_db(transaction=True)
def test_a_worker_outlives_whatever_stands_in_the_folder_of_its_broker(people: People, tmp_path: Path) -> None:
    """Half a message, an empty one, one for nobody and a broken table of queues, before it starts and while it runs."""
    make_robots(people)
    queue, control = tmp_path / "broker" / "queue", tmp_path / "broker" / "control"
    nobody = {"body": "e30=", "properties": {"delivery_tag": "1", "body_encoding": "base64"}}
    rubbish = {"half": '{"body": "W1s', "empty": "", "words": "what?", "nobody": json.dumps(nobody)}

    def spoil(number: int) -> None:
        for name, text in rubbish.items():
            (queue / f"{number}_{name}.celery.msg").write_text(text)

    for folder in (queue, control):
        folder.mkdir(parents=True)
    (control / "celery.exchange").write_text("")
    spoil(0)
    with _product(tmp_path, "folder") as product:
        product.start("worker")
        spoil(1)
        match = ask(people)
        _silence()
        product.start("sweeper")
        wait_for(
            lambda: Job.objects.get(pk=match.job_id).state == JobState.DONE,
            "the match to be played",
            Log(product.folder / "worker.log"),
        )
        assert product.is_well("worker")
    assert len(list(queue.glob(f"*{BROKEN}"))) == 6
