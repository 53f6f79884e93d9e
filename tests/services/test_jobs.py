"""Jobs: claimed by one, tried again after a death, written once; the broker is only a doorbell."""

import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from celery import Celery, current_app
from django.conf import settings
from django.db.models.signals import post_save
from django.utils import timezone

from games import series
from games.bots import BOTS
from games.core import AnyGame, Move
from league.models import AuditEvent, BotMatch, IdempotencyRecord, Job, JobKind, JobState, Session, Standing
from league.services import bot_chunks, bot_matches, jobs, par
from league.services.access import Actor
from league.services.bot_matches import BotMatchInput
from league.services.jobs import SERIES_QUEUE
from tests.people import NOW, People
from tests.services.given import SEASON, carry_out, rows
from tests.services.test_bot_matches import ROBOTS, ask, make_robots
from tests.services.threads import at_once

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
# The product's own, which a run without Redis does not have in its settings.
REDIS_OPTIONS = (
    settings.CELERY_BROKER_TRANSPORT_OPTIONS if settings.REDIS_URL else {"max_retries": 0, "socket_timeout": 2}
)


@pytest.fixture
def part(people: People) -> Job:
    """The job of the one chunk of a match of four bots and two deals that was asked for."""
    make_robots(people)
    return ask(people, deals=2, season=SEASON).job.parts.get()


def _whole() -> Job:
    """The job of the match."""
    return Job.objects.get(parent=None)


class _Disturbed:
    """A random bot that does something else at its first move."""

    def __init__(self, game: AnyGame, disturbance: Callable[[], None]) -> None:
        self.bot = BOTS["random"](game)
        self.disturbance = disturbance

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        self.disturbance()
        return self.bot.choose(view, legal, rng)


@pytest.fixture
def disturb(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Let something happen once, in the middle of the next match, or every time."""

    def arrange(what: Callable[[], None]) -> None:
        monkeypatch.setattr(series, "BOTS", {"random": lambda game: _Disturbed(game, what)})

    return arrange


def _once(what: Callable[[], None]) -> Callable[[], None]:
    pending = [what]

    def run() -> None:
        if pending:
            pending.pop()()

    return run


def _expire() -> None:
    """A minute goes by in which the worker gives no sign of life."""
    Job.objects.filter(state=JobState.RUNNING).update(lease_until=timezone.now() - SECOND)


# --- Claiming ---------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_eight_one_gets_the_job(part: Job) -> None:
    claims = at_once([partial(jobs.claim, job_id=part.pk, now=NOW) for _ in range(8)])
    assert sorted(map(str, claims)) == sorted(["None"] * 7 + [str(jobs.Claim(part.pk, 1))])
    job = Job.objects.get(pk=part.pk)
    assert (job.state, job.attempt, job.lease_until) == (JobState.RUNNING, 1, NOW + jobs.LEASE)


@pytest.mark.django_db(transaction=True)
def test_of_eight_one_gets_a_dead_workers_job(part: Job) -> None:
    jobs.claim(job_id=part.pk, now=NOW)
    later = NOW + jobs.LEASE + SECOND
    claims = at_once([partial(jobs.claim, job_id=part.pk, now=later) for _ in range(8)])
    assert [claim for claim in claims if claim is not None] == [jobs.Claim(part.pk, 2)]


@pytest.mark.django_db(transaction=True)
def test_eight_play_the_job_at_once(part: Job) -> None:
    assert at_once([partial(bot_chunks.play, part.pk) for _ in range(8)]) == [None] * 8
    assert Session.objects.count() == 1
    assert _whole().state == JobState.DONE
    assert set(Standing.objects.values_list("sessions", flat=True)) == {1}


def test_a_lease_holds_until_its_end(part: Job) -> None:
    assert jobs.claim(job_id=part.pk, now=NOW) is not None
    assert jobs.claim(job_id=part.pk, now=NOW + jobs.LEASE) is None
    assert jobs.claim(job_id=part.pk, now=NOW + jobs.LEASE + SECOND) is not None


def test_progress_holds_the_job_longer(part: Job) -> None:
    claim = jobs.claim(job_id=part.pk, now=NOW)
    assert claim is not None
    claim.progress(done=1, now=NOW + 50 * SECOND)
    job = Job.objects.get(pk=part.pk)
    assert (job.done, job.lease_until) == (1, NOW + 50 * SECOND + jobs.LEASE)
    assert jobs.claim(job_id=part.pk, now=NOW + jobs.LEASE + SECOND) is None


def test_the_older_attempt_writes_nothing(part: Job) -> None:
    old = jobs.claim(job_id=part.pk, now=NOW)
    new = jobs.claim(job_id=part.pk, now=NOW + 2 * jobs.LEASE)
    assert old is not None
    assert new is not None
    before = list(Job.objects.order_by("pk").values())
    with pytest.raises(jobs.LostClaim):
        old.progress(done=1, now=NOW)
    with pytest.raises(jobs.LostClaim):
        old.finish(now=NOW)
    old.fail(error="too late", now=NOW)
    old.give_back(error="too late")
    assert list(Job.objects.order_by("pk").values()) == before
    new.finish(now=NOW)
    with pytest.raises(jobs.LostClaim):  # nor does anybody finish twice
        new.finish(now=NOW)
    assert Job.objects.get(pk=part.pk).state == JobState.DONE


def test_a_worker_that_wakes_up_late_stores_nothing(part: Job, disturb: Callable[[Callable[[], None]], None]) -> None:
    """The first worker stalls in the middle, a second one plays the whole match, then the first goes on."""

    def another_worker() -> None:
        _expire()
        bot_chunks.play(part.pk)
        assert Session.objects.count() == 1

    disturb(_once(another_worker))
    bot_chunks.play(part.pk)
    assert Session.objects.count() == 1
    assert AuditEvent.objects.filter(action="session.recorded").count() == 1
    assert set(Standing.objects.values_list("sessions", flat=True)) == {1}
    job = _whole()
    assert (job.state, job.error) == (JobState.DONE, "")


def test_a_worker_that_stalled_and_fails_late_changes_nothing(
    part: Job, disturb: Callable[[Callable[[], None]], None]
) -> None:
    def another_worker_and_then_an_error() -> None:
        _expire()
        bot_chunks.play(part.pk)
        raise RuntimeError("too late")

    disturb(_once(another_worker_and_then_an_error))
    bot_chunks.play(part.pk)
    job = _whole()
    assert (job.state, job.error) == (JobState.DONE, "")
    assert Session.objects.count() == 1


# --- Dying at every step ----------------------------------------------------------------------------------------------


@pytest.fixture
def die_at(
    disturb: Callable[[Callable[[], None]], None],
) -> Iterator[Callable[[str, BaseException], None]]:
    """Let the next run of the task die once: at a move, with the session's row, or with the very last row."""
    receivers: list[tuple[Any, Any]] = []

    def arrange(step: str, error: BaseException) -> None:
        def die(*args: object, **kwargs: object) -> None:
            raise error

        die_once = _once(die)
        if step == "move":
            disturb(die_once)
            return
        model = {"session": Session, "last row": AuditEvent}[step]

        def receiver(**kwargs: object) -> None:
            die_once()

        post_save.connect(receiver, sender=model, weak=False)
        receivers.append((receiver, model))

    yield arrange
    for receiver, model in receivers:
        post_save.disconnect(receiver, sender=model)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("step", ["move", "session", "last row"])
@pytest.mark.parametrize("error", [RuntimeError("a fault of ours"), SystemExit()], ids=["error", "death"])
def test_dying_at_any_step_leaves_nothing_and_the_next_attempt_all(
    part: Job,
    die_at: Callable[[str, BaseException], None],
    step: str,
    error: BaseException,
    caplog: pytest.LogCaptureFixture,
) -> None:
    before = rows()
    die_at(step, error)
    if isinstance(error, SystemExit):
        with pytest.raises(SystemExit):
            bot_chunks.play(part.pk)
        assert Job.objects.get(pk=part.pk).state == JobState.RUNNING
        _expire()
    else:
        bot_chunks.play(part.pk)
        job = Job.objects.get(pk=part.pk)
        assert (job.state, job.rung_at) == (JobState.QUEUED, None)
        assert job.error == "The server made a mistake. It is logged."
        assert "a fault of ours" in caplog.text
        assert "Traceback" in caplog.text
    assert rows() == before

    bot_chunks.play(part.pk)
    job = _whole()
    assert (job.state, job.done, job.error) == (JobState.DONE, 2, "")
    assert Session.objects.count() == 1
    assert set(Standing.objects.values_list("sessions", flat=True)) == {1}
    assert BotMatch.objects.get().session is not None


@pytest.mark.django_db(transaction=True)
def test_a_job_that_always_fails_ends_after_five_attempts(
    part: Job, disturb: Callable[[Callable[[], None]], None], caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise RuntimeError("poison")

    disturb(fail)
    states = []
    for _ in range(7):
        bot_chunks.play(part.pk)
        states.append(_whole().state)
    assert states == [JobState.RUNNING] * 4 + [JobState.FAILED] * 3
    job = _whole()
    assert job.error == "The server made a mistake. It is logged."
    assert caplog.text.count("RuntimeError: poison") == 5
    # Members read the error, operators the trace.
    assert "RuntimeError: poison" in job.trace
    assert job.finished_at is not None
    assert jobs.sweep(now=timezone.now() + timedelta(days=1)) == 0


@pytest.mark.django_db(transaction=True)
def test_a_job_whose_worker_always_dies_ends_after_five_attempts(part: Job) -> None:
    now = NOW
    for attempt in range(1, 6):
        assert jobs.claim(job_id=part.pk, now=now) == jobs.Claim(part.pk, attempt)
        now += 2 * jobs.LEASE
    assert jobs.claim(job_id=part.pk, now=now) is None
    assert jobs.sweep(now=now) == 0
    job = _whole()
    assert (job.state, job.finished_at) == (JobState.FAILED, now)
    assert job.error


# --- Ringing ----------------------------------------------------------------------------------------------------------


def _closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Callable[[str], None]]:
    """Choose the broker for the next rings: `redis down`, `redis hangs`, `folder gone` or `well`."""
    before = current_app._get_current_object()  # type: ignore[attr-defined]  # behind the proxy
    silent = socket.create_server(("127.0.0.1", 0))  # takes connections and never answers

    def choose(kind: str) -> None:
        app = Celery("test", set_as_current=False)
        if kind.startswith("redis"):
            port = _closed_port() if kind == "redis down" else silent.getsockname()[1]
            app.conf.update(broker_url=f"redis://127.0.0.1:{port}/0", broker_transport_options=REDIS_OPTIONS)
        else:
            folder = tmp_path / "broker"
            if kind == "well":
                folder.mkdir()
            folders = dict.fromkeys(("data_folder_in", "data_folder_out", "control_folder"), str(folder))
            app.conf.update(broker_url="folder://", broker_transport_options=folders)
        app.set_current()

    yield choose
    before.set_current()
    silent.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["redis down", "redis hangs", "folder gone"])
def test_a_broker_that_is_down_fails_no_request(
    people: People, broker: Callable[[str], None], tmp_path: Path, kind: str
) -> None:
    make_robots(people)
    broker(kind)
    times = [time.monotonic()]
    match = ask(people)
    times.append(time.monotonic())
    assert Job.objects.get(parent=match.job).rung_at is None
    assert jobs.sweep() == 0
    times.append(time.monotonic())
    # Nor does it keep anybody waiting: Celery's own patience would be six seconds each time, on an idle machine too.
    assert min(after - before for before, after in pairwise(times)) < 5.5
    broker("well")
    assert jobs.sweep() == 1
    assert Job.objects.get(parent=match.job).rung_at is not None
    (message,) = [path for path in (tmp_path / "broker").iterdir() if path.suffix == ".msg"]
    assert "league.services.bot_chunks.play" in message.read_text()
    carry_out(match)
    assert Session.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_bell_rings_after_the_commit(people: People, broker: Callable[[str], None], tmp_path: Path) -> None:
    make_robots(people)
    broker("well")
    match = ask(people)
    assert Job.objects.get(parent=match.job).rung_at is not None
    assert len([path for path in (tmp_path / "broker").iterdir() if path.suffix == ".msg"]) == 1


@pytest.mark.django_db(transaction=True)
def test_the_sweep_rings_for_those_that_nobody_works_on(
    people: People, broker: Callable[[str], None], tmp_path: Path
) -> None:
    broker("well")
    long_ago, just_now = NOW - jobs.RING_AGAIN - SECOND, NOW - jobs.RING_AGAIN
    kept: dict[str, tuple[bool, dict[str, Any]]] = {
        "never rung": (True, {"state": JobState.QUEUED}),
        "rung long ago": (True, {"state": JobState.QUEUED, "rung_at": long_ago}),
        "rung just now": (False, {"state": JobState.QUEUED, "rung_at": just_now}),
        "being played": (False, {"state": JobState.RUNNING, "lease_until": NOW, "rung_at": long_ago}),
        "worker died": (True, {"state": JobState.RUNNING, "lease_until": NOW - SECOND, "rung_at": long_ago}),
        "worker died, rung again": (
            False,
            {"state": JobState.RUNNING, "lease_until": NOW - SECOND, "rung_at": just_now},
        ),
        "done": (False, {"state": JobState.DONE, "rung_at": long_ago}),
        "failed": (False, {"state": JobState.FAILED, "rung_at": long_ago}),
        "died five times": (
            False,
            {"state": JobState.RUNNING, "lease_until": NOW - SECOND, "rung_at": long_ago, "attempt": 5},
        ),
    }
    made = {
        name: Job.objects.create(club=people.club, kind=JobKind.PAIRING, **fields)
        for name, (_rung, fields) in kept.items()
    }
    expected = {name for name, (rung, _fields) in kept.items() if rung}
    assert jobs.sweep(now=NOW) == len(expected)
    assert {name for name, job in made.items() if Job.objects.get(pk=job.pk).rung_at == NOW} == expected
    assert Job.objects.get(pk=made["died five times"].pk).state == JobState.FAILED
    assert jobs.sweep(now=NOW) == 0


def _messages(folder: Path) -> Counter[str]:
    """How many messages wait in each queue."""
    return Counter(path.name.split(".")[1] for path in (folder / "broker").iterdir() if path.suffix == ".msg")


@pytest.mark.django_db(transaction=True)
def test_many_series_do_not_fill_the_broker(people: People, broker: Callable[[str], None], tmp_path: Path) -> None:
    """Twenty series wait for a busy worker: of each one part is called for, and again only when it may be lost."""
    make_robots(people)
    broker("well")
    wholes = [ask(people, deals=3200).job for _number in range(20)]
    # The first came alone and got the whole sixteen, the second eight, the third five and so on: 16/n of the n-th.
    asked = sum(max(1, 16 // number) for number in range(1, 21))
    Job.objects.update(deadline_at=None)
    now = timezone.now()
    begun = jobs.claim(job_id=wholes[0].parts.order_by("pk")[0].pk, now=now)
    assert begun is not None
    assert _messages(tmp_path) == {SERIES_QUEUE: asked}

    for seconds in range(0, 120, 15):
        later = now + seconds * SECOND
        # As the worker's parts end and begin.
        Job.objects.filter(pk=begun.job_id).update(started_at=later, lease_until=later + jobs.LEASE)
        jobs.sweep(now=later)
    assert _messages(tmp_path) == {SERIES_QUEUE: asked}

    # All workers are gone: what they were called for may be lost, and one part of each series is called for anew.
    silence = now + jobs.LEASE * 4
    assert jobs.sweep(now=silence) == 20
    assert jobs.sweep(now=silence) == 0


@pytest.mark.django_db(transaction=True)
def test_what_nobody_asked_for_keeps_no_person_waiting(
    people: People, broker: Callable[[str], None], tmp_path: Path
) -> None:
    make_robots(people)
    broker("well")
    ask(people)
    assert _messages(tmp_path) == {"celery": 1}
    access = replace(people.access(people.scorekeeper), actor=Actor())
    bot_matches.request(access=access, data=BotMatchInput(game="xxl-6", players=ROBOTS[:4]), now=NOW)
    assert _messages(tmp_path) == {"celery": 1, SERIES_QUEUE: 1}


@pytest.mark.django_db(transaction=True)
def test_par_waits_its_turn_among_the_series(people: People, broker: Callable[[str], None], tmp_path: Path) -> None:
    make_robots(people)
    broker("well")
    series = ask(people, deals=3200).job
    par.request(access=people.access(people.admin), game="the-game", seats=1, options={}, games=100_000, now=NOW)
    assert _messages(tmp_path) == {SERIES_QUEUE: 17}
    now = timezone.now()
    # While a worker takes from there its message is not lost; without one it may be.
    assert jobs.claim(job_id=series.parts.order_by("pk")[0].pk, now=now + 20 * SECOND) is not None
    # A part may take twenty seconds.
    for seconds in (21, 41):
        assert jobs.sweep(now=now + seconds * SECOND) == 0
    assert jobs.sweep(now=now + 10 * jobs.RING_AGAIN) > 0


@pytest.mark.django_db(transaction=True)
def test_the_sweep_drops_old_idempotency_records(people: People) -> None:
    def record(key: str, age: timedelta) -> None:
        IdempotencyRecord.objects.create(actor="user:1", key=key, fingerprint="", created_at=NOW - age)

    record("old", timedelta(hours=48, seconds=1))
    record("kept", timedelta(hours=48))
    jobs.sweep(now=NOW)
    assert list(IdempotencyRecord.objects.values_list("key", flat=True)) == ["kept"]
