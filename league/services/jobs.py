"""Jobs: the row in the database is the truth, Celery the doorbell.

Terms: to *ring* is to send the job's id to a worker; to *claim* is the conditional update by which one worker gets
the job, for a *lease*, under a new attempt number; the *sweep* rings again for whatever nobody works on. A *whole* is
a job that its *parts* carry out: it is never claimed, begins with the first of them and ends with the last; the rows
of its parts go when it ends.
Promises: a lost message, a dead worker or a broker that is down delays a job and never loses it; of two workers with
the same job only the newest attempt can write (`Claim` is checked by every write), so no job runs twice to an effect.
Never: knows what a job does. A topic's own service plays it inside `work`.
"""

import logging
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from celery import current_app
from django.db import close_old_connections, transaction
from django.db.models import F, Q
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core import Json
from league.models import IdempotencyRecord, Job, JobKind, JobState, Role
from league.services import audit
from league.services.access import Access
from league.services.errors import Conflict, InputError, NeedsConfirmation, NotFound, ServiceError

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
# A queued job that was rung for so long ago without an answer is rung for again.
RING_AGAIN = timedelta(seconds=15)
# Its like in the queue of series, while workers take from there: what waits its turn is not lost.
RING_PATIENTLY = timedelta(minutes=5)
MAXIMUM_ATTEMPTS = 5
KEEP_IDEMPOTENCY_RECORDS = timedelta(hours=48)
# How many parts workers are called for at the same time, all wholes together, but one of each at least; each that ends
# calls for the next.
AT_ONCE = 16
# The queue of wholes with several parts, or that nobody asked for: a worker takes from it and the usual one in turn.
SERIES_QUEUE = "series"
# How many jobs one sweep rings for; the next one goes on.
_SWEEP_LIMIT = 1000
_GOING_ON = (JobState.QUEUED, JobState.RUNNING)
# What a person can stop: its effect comes at its end, all or nothing, or stays as far as it came.
CANCELLABLE = frozenset({JobKind.BOT_MATCH, JobKind.PAIRING, JobKind.PAR, JobKind.TOURNAMENT_FILE})

TASKS: Mapping[str, str] = {
    JobKind.BOT_CHUNK: "league.services.bot_chunks.play",
    JobKind.IMPORT: "league.services.imports.run",
    JobKind.IMPORT_UNDO: "league.services.imports.run_undo",
    JobKind.PAR: "league.services.par.play",
    JobKind.PAIRING: "league.services.tournament_jobs.pair_job",
    JobKind.TOURNAMENT_FILE: "league.services.tournament_file_jobs.take_file",
}

# Kinds that nobody waits for as for a single match: they take turns with the parts of series (`Claim.give_way`).
_IN_TURN: Mapping[str, str] = {JobKind.PAR: SERIES_QUEUE}


class LostClaim(Exception):
    """Another worker has claimed the job since: stop, and write nothing more."""


class Hung(Exception):
    """Work that hung and was ended (`bot_watch.py`): `told` is for members, `trace` for operators."""

    def __init__(self, *, told: str, trace: str) -> None:
        super().__init__(told)
        self.told = told
        self.trace = trace


def queue(
    *,
    access: Access,
    kind: JobKind,
    total: int,
    deadline_at: datetime | None = None,
    arguments: Mapping[str, Json] | None = None,
) -> Job:
    """Write a job and ring for it once the transaction around is committed.

    `arguments` say what it is to do, where no row of a topic does: ids and figures, no names. A job that is to have
    parts is not rung for: `add_parts` rings for them.
    """
    job = Job.objects.create(
        club=access.club,
        kind=kind,
        total=total,
        deadline_at=deadline_at,
        arguments=dict(arguments or {}),
        language=translation.get_language() or "",
        user_id=access.actor.user_id,
        token_id=access.actor.token_id,
    )
    if kind in TASKS:
        # Robust: by then the job is committed, so that a fault in ringing must not look like one of the request.
        transaction.on_commit(lambda: ring(job_id=job.pk, kind=kind, now=timezone.now()), robust=True)
    return job


def add_parts(*, whole: Job, kind: JobKind, totals: Sequence[int]) -> list[Job]:
    """Write parts of a whole and ring for the first of them once the transaction around is committed."""
    parts = Job.objects.bulk_create(
        Job(
            club_id=whole.club_id,
            kind=kind,
            parent=whole,
            total=total,
            deadline_at=whole.deadline_at,
            language=whole.language,
        )
        for total in totals
    )
    transaction.on_commit(lambda: ring_parts(whole_id=whole.pk, now=timezone.now()), robust=True)
    return parts


def ring(*, job_id: int, kind: str, now: datetime, queue: str | None = None) -> bool:
    """Call a worker. A broker that is down is no error: the sweep calls again. Returns whether it was called."""
    try:
        current_app.send_task(TASKS[kind], args=[job_id], retry=False, queue=queue or _IN_TURN.get(kind))
    except Exception as error:  # whatever the transport raises, the job stands in the database
        logger.warning("The broker can't be reached for job %d; the sweep will ring again: %r", job_id, error)
        return False
    Job.objects.filter(pk=job_id).update(rung_at=now)
    return True


def ring_parts(*, whole_id: int, now: datetime) -> int:
    """Call workers for parts that nobody works on, up to the whole's share of `AT_ONCE`. Returns for how many."""
    parts = Job.objects.filter(parent=whole_id, parent__state__in=_GOING_ON)
    by_itself = Job.objects.filter(pk=whole_id, user=None, token=None).exists()
    queue = SERIES_QUEUE if by_itself or parts.count() > 1 else None
    patience = RING_PATIENTLY if queue is not None and _moves(now) else RING_AGAIN
    given_up = Q(state=JobState.RUNNING, lease_until__lt=now) & _silent(now)
    waiting = parts.filter(Q(state=JobState.QUEUED) & _silent(now, patience) | given_up).order_by("pk")
    cared_for = parts.filter(state__in=_GOING_ON).count() - waiting.count()
    wholes = Job.objects.filter(state__in=_GOING_ON, parent=None).exclude(kind__in=TASKS).count()
    share = max(1, AT_ONCE // max(1, wholes))
    called = 0
    for pk, kind in waiting.values_list("pk", "kind")[: max(0, share - cared_for)]:
        # Two that call at the same time call for different parts.
        if not Job.objects.filter(_silent(now), pk=pk).update(rung_at=now):
            continue
        if not ring(job_id=pk, kind=kind, now=now, queue=queue):
            Job.objects.filter(pk=pk).update(rung_at=None)
            break
        called += 1
    return called


def _moves(now: datetime) -> bool:
    """Whether a worker has begun a part within the time that the longest take: then messages wait their turn."""
    just = Q(lease_until__gte=now, started_at__gte=now - 2 * RING_AGAIN)
    return Job.objects.filter(just, state=JobState.RUNNING, parent__isnull=False).exists()


def _unclaimed(now: datetime) -> Q:
    """Queued, or its worker has let the lease run out."""
    return Q(state=JobState.QUEUED) | Q(state=JobState.RUNNING, lease_until__lt=now)


def _silent(now: datetime, patience: timedelta = RING_AGAIN) -> Q:
    """Not rung for, or so long ago that the message may be lost."""
    return Q(rung_at=None) | Q(rung_at__lt=now - patience)


@dataclass(frozen=True, slots=True)
class Claim:
    """One worker's hold on a job."""

    job_id: int
    attempt: int

    def _row(self) -> "Q":
        return Q(pk=self.job_id, attempt=self.attempt, state=JobState.RUNNING)

    def progress(self, *, done: int, now: datetime) -> None:
        """Store how far the work is and hold the job for another lease. Raises LostClaim."""
        if not Job.objects.filter(self._row()).update(done=done, lease_until=now + LEASE):
            raise LostClaim(self.job_id)

    def finish(self, *, now: datetime) -> None:
        """Mark the job done. Called first in the transaction that stores its effect. Raises LostClaim."""
        changed = Job.objects.filter(self._row()).update(
            state=JobState.DONE, done=F("total"), lease_until=None, finished_at=now, error="", trace=""
        )
        if not changed:
            raise LostClaim(self.job_id)

    def fail(self, *, error: str, now: datetime, trace: str = "") -> None:
        """Mark the job, and the whole that it is part of, failed for good; an old attempt changes nothing."""
        with transaction.atomic():
            whole_id = _lock_whole_of(self.job_id)
            failed = Job.objects.filter(self._row()).update(
                state=JobState.FAILED, lease_until=None, finished_at=now, error=error, trace=trace
            )
            if failed and whole_id is not None:
                end_whole(whole_id=whole_id, state=JobState.FAILED, now=now, error=error, trace=trace)

    def give_back(self, *, error: str, trace: str = "") -> None:
        """Queue the job again for another attempt; the sweep rings for it."""
        Job.objects.filter(self._row()).update(
            state=JobState.QUEUED, lease_until=None, rung_at=None, error=error, trace=trace
        )

    def give_way(self) -> None:
        """Queue the job again for what is left of it, with all its attempts; the sweep rings for it.

        For work that is stored step by step and counts no step twice by itself, since attempts begin anew. Raises
        LostClaim.
        """
        going_on = Job.objects.filter(self._row())
        if not going_on.update(state=JobState.QUEUED, attempt=0, lease_until=None, rung_at=None):
            raise LostClaim(self.job_id)

    def is_held(self) -> bool:
        """Whether the job is still this worker's: neither cancelled nor another's."""
        return Job.objects.filter(self._row()).exists()


def claim(*, job_id: int, now: datetime) -> Claim | None:
    """Take a job that is queued, or whose worker's lease ran out. None when another worker has it or it is over."""
    in_time = Q(deadline_at=None) | Q(deadline_at__gte=now)
    with transaction.atomic():
        whole_id = _lock_whole_of(job_id)
        taken = Job.objects.filter(
            _unclaimed(now), in_time, pk=job_id, attempt__lt=MAXIMUM_ATTEMPTS, kind__in=TASKS
        ).update(state=JobState.RUNNING, attempt=F("attempt") + 1, lease_until=now + LEASE, started_at=now, done=0)
        if taken != 1:
            return None
        if whole_id is not None:
            Job.objects.filter(pk=whole_id, state=JobState.QUEUED).update(state=JobState.RUNNING, started_at=now)
        # Read under the row's lock, before another worker could count it up.
        return Claim(job_id=job_id, attempt=Job.objects.values_list("attempt", flat=True).get(pk=job_id))


def _lock_whole_of(job_id: int) -> int | None:
    """Lock the whole that a job is part of; None for a job of its own, or one that is gone."""
    whole_id = Job.objects.values_list("parent", flat=True).filter(pk=job_id).first()
    if whole_id is not None:
        list(Job.objects.select_for_update(no_key=True).filter(pk=whole_id))
    return whole_id


def lock_whole(*, whole_id: int) -> Job:
    """The whole, locked to the end of the transaction. Raises LostClaim when it is over."""
    whole = Job.objects.select_for_update(no_key=True).filter(pk=whole_id, state__in=_GOING_ON).first()
    if whole is None:
        raise LostClaim(whole_id)
    return whole


def end_whole(*, whole_id: int, state: JobState, now: datetime, error: str = "", trace: str = "") -> bool:
    """End a whole that goes on, and its parts with it, whoever works on them. Returns whether it went on."""
    with transaction.atomic():
        ended = Job.objects.filter(pk=whole_id, state__in=_GOING_ON).update(
            state=state, finished_at=now, error=error, trace=trace
        )
        if ended:
            Job.objects.filter(parent=whole_id).delete()
    return bool(ended)


def cancel(*, access: Access, job_id: int, now: datetime) -> Job:
    """Stop a job that is queued or running; whoever works on it notices within a second of work and stores no more.

    A job that was cancelled already stays so. Raises NotFound, and Conflict for one that is over or whose kind takes
    effect while it runs.
    """
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        job = Job.objects.select_for_update(no_key=True).filter(club=access.club, parent=None, pk=job_id).first()
        if job is None:
            raise NotFound(job_id)
        if job.state == JobState.CANCELLED:
            return job
        if job.kind not in CANCELLABLE:
            raise Conflict("job_not_cancellable", _("A job of this kind can't be cancelled."))
        if job.state not in _GOING_ON:
            raise Conflict("job_over", _("This job is over: there is nothing to cancel."))
        job.state, job.finished_at, job.lease_until, job.error = JobState.CANCELLED, now, None, ""
        job.save(update_fields=["state", "finished_at", "lease_until", "error"])
        Job.objects.filter(parent=job).delete()
        audit.write(access=access, action="job.cancelled", object_id=job.pk, data={"kind": job.kind}, now=now)
    return job


@contextmanager
def work(*, job_id: int) -> Iterator[Claim | None]:
    """Claim a job for the block; None when there is nothing to do. An error in the block ends or repeats the job.

    What the user gave wrongly fails at once, with its reason kept for the user; anything else is logged and tried
    again, up to `MAXIMUM_ATTEMPTS`.
    """
    held = claim(job_id=job_id, now=timezone.now())
    with in_its_language(job_id):
        yield from _carried_out(job_id, held)


@contextmanager
def in_its_language(job_id: int) -> Iterator[None]:
    """Words of the block are in the language of whoever asked for the job."""
    language = Job.objects.values_list("language", flat=True).filter(pk=job_id).first()
    with translation.override(language or translation.get_language()):
        yield


def _carried_out(job_id: int, held: Claim | None) -> Iterator[Claim | None]:
    try:
        yield held
    except LostClaim:
        logger.warning("Job %d was cancelled or claimed by another worker; this one stops.", job_id)
    except ServiceError as error:
        if held is not None:
            held.fail(error=_told(error), now=timezone.now())
    except Hung as error:
        if held is not None:
            end_hung(claim=held, hung=error)
    except Exception:
        if held is None:
            raise
        logger.exception("Job %d failed at attempt %d.", job_id, held.attempt)
        # Members read the job's error: the inside of the server is for its log.
        told, trace = _("The server made a mistake. It is logged."), traceback.format_exc()
        if held.attempt >= MAXIMUM_ATTEMPTS:
            held.fail(error=told, trace=trace, now=timezone.now())
        else:
            held.give_back(error=told, trace=trace)


def end_hung(*, claim: Claim, hung: Hung) -> None:
    """End an attempt that hung; so many of them as there are attempts, those of all parts together, end the whole.

    Each takes as long as a step may take, and what makes one part hang makes others hang: a part of many for itself
    would take hours to fail.
    """
    logger.error("Job %d hung at attempt %d.\n%s", claim.job_id, claim.attempt, hung.trace)
    with transaction.atomic():
        whole_id = _lock_whole_of(claim.job_id)
        if not claim.is_held():
            return
        attempts = claim.attempt
        if whole_id is not None:
            Job.objects.filter(pk=whole_id).update(attempt=F("attempt") + 1)
            attempts = max(attempts, Job.objects.values_list("attempt", flat=True).get(pk=whole_id))
        if attempts >= MAXIMUM_ATTEMPTS:
            claim.fail(error=hung.told, trace=hung.trace, now=timezone.now())
        else:
            claim.give_back(error=hung.told, trace=hung.trace)


def _told(error: ServiceError) -> str:
    if isinstance(error, InputError | NeedsConfirmation):
        found = error.problems if isinstance(error, InputError) else error.warnings
        return " ".join(problem.message for problem in found)
    return str(getattr(error, "message", error))


def sweep(*, now: datetime | None = None) -> int:
    """Ring for jobs that nobody works on, end those that were tried too often, drop old idempotency records.

    Safe to run anywhere, at any time, several times at once. Returns how many jobs were rung for.
    """
    close_old_connections()
    now = now or timezone.now()
    _end_hopeless(now)
    rung = 0
    waiting = Job.objects.filter(_unclaimed(now) & _silent(now), parent=None, kind__in=TASKS).order_by("pk")
    if _moves(now):
        patient = now - RING_PATIENTLY
        waiting = waiting.exclude(kind__in=_IN_TURN, state=JobState.QUEUED, rung_at__gte=patient)
    for pk, kind in waiting.values_list("pk", "kind")[:_SWEEP_LIMIT]:
        if not ring(job_id=pk, kind=kind, now=now):
            break
        rung += 1
    wholes = Job.objects.filter(state__in=_GOING_ON, parent=None).exclude(kind__in=TASKS).order_by("pk")
    for pk in wholes.values_list("pk", flat=True)[:_SWEEP_LIMIT]:
        rung += ring_parts(whole_id=pk, now=now)
    IdempotencyRecord.objects.filter(created_at__lt=now - KEEP_IDEMPOTENCY_RECORDS).delete()
    close_old_connections()
    return rung


def _end_hopeless(now: datetime) -> None:
    """End what was tried too often, or is not done by its deadline; a whole with any of its parts."""
    ends = (
        (
            Q(state=JobState.RUNNING, lease_until__lt=now, attempt__gte=MAXIMUM_ATTEMPTS),
            gettext_lazy("The worker died or fell silent at every attempt."),
        ),
        (Q(state__in=_GOING_ON, deadline_at__lt=now), gettext_lazy("It was not done by its deadline.")),
    )
    for hopeless, error in ends:
        found = Job.objects.filter(hopeless)
        # Of a whole with several, the last is one with a trace, if any has one.
        parts = found.filter(parent__isnull=False).order_by("trace").values_list("parent__pk", "trace")
        for whole_id, trace in dict(parts).items():
            with in_its_language(whole_id):
                end_whole(whole_id=whole_id, state=JobState.FAILED, now=now, error=str(error), trace=trace)
        for whole_id in found.filter(parent=None).exclude(kind__in=TASKS).values_list("pk", flat=True):
            with in_its_language(whole_id):
                end_whole(whole_id=whole_id, state=JobState.FAILED, now=now, error=str(error))
        for job_id in found.filter(parent=None, kind__in=TASKS).values_list("pk", flat=True):
            with in_its_language(job_id):
                found.filter(pk=job_id).update(
                    state=JobState.FAILED, lease_until=None, finished_at=now, error=str(error)
                )
