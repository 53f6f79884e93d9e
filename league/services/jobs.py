"""Jobs: the row in the database is the truth, Celery the doorbell.

Terms: to *ring* is to send the job's id to a worker; to *claim* is the conditional update by which one worker gets
the job, for a *lease*, under a new attempt number; the *sweep* rings again for whatever nobody works on.
Promises: a lost message, a dead worker or a broker that is down delays a job and never loses it; of two workers with
the same job only the newest attempt can write (`Claim` is checked by every write), so no job runs twice to an effect.
Never: knows what a job does. A topic's own service plays it inside `work`.
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from celery import current_app
from django.db import close_old_connections, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import IdempotencyRecord, Job, JobKind, JobState
from league.services.access import Access
from league.services.errors import InputError, NeedsConfirmation, ServiceError

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
# A queued job that was rung for so long ago without an answer is rung for again.
RING_AGAIN = timedelta(seconds=15)
MAXIMUM_ATTEMPTS = 5
KEEP_IDEMPOTENCY_RECORDS = timedelta(hours=48)
# How many jobs one sweep rings for; the next one goes on.
_SWEEP_LIMIT = 1000

TASKS: Mapping[str, str] = {
    JobKind.BOT_MATCH: "league.services.bot_matches.play",
    JobKind.IMPORT: "league.services.imports.run",
    JobKind.IMPORT_UNDO: "league.services.imports.run_undo",
    JobKind.PAIRING: "league.services.tournament_rounds.pair_job",
}


class LostClaim(Exception):
    """Another worker has claimed the job since: stop, and write nothing more."""


def queue(*, access: Access, kind: JobKind, total: int) -> Job:
    """Write a job and ring for it once the transaction around is committed."""
    job = Job.objects.create(
        club=access.club, kind=kind, total=total, user_id=access.actor.user_id, token_id=access.actor.token_id
    )
    # Robust: by then the job is committed, so that a fault in ringing must not look like one of the request.
    transaction.on_commit(lambda: ring(job_id=job.pk, kind=kind, now=timezone.now()), robust=True)
    return job


def ring(*, job_id: int, kind: str, now: datetime) -> bool:
    """Call a worker. A broker that is down is no error: the sweep calls again. Returns whether it was called."""
    try:
        current_app.send_task(TASKS[kind], args=[job_id], retry=False)
    except Exception as error:  # whatever the transport raises, the job stands in the database
        logger.warning("The broker can't be reached for job %d; the sweep will ring again: %r", job_id, error)
        return False
    Job.objects.filter(pk=job_id).update(rung_at=now)
    return True


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
            state=JobState.DONE, done=F("total"), lease_until=None, finished_at=now, error=""
        )
        if not changed:
            raise LostClaim(self.job_id)

    def fail(self, *, error: str, now: datetime) -> None:
        """Mark the job failed for good; an attempt that is not the newest changes nothing."""
        Job.objects.filter(self._row()).update(state=JobState.FAILED, lease_until=None, finished_at=now, error=error)

    def give_back(self, *, error: str) -> None:
        """Queue the job again for another attempt; the sweep rings for it."""
        Job.objects.filter(self._row()).update(state=JobState.QUEUED, lease_until=None, rung_at=None, error=error)


def claim(*, job_id: int, now: datetime) -> Claim | None:
    """Take a job that is queued, or whose worker's lease ran out. None when another worker has it or it is over."""
    free = Q(state=JobState.QUEUED) | Q(state=JobState.RUNNING, lease_until__lt=now)
    with transaction.atomic():
        taken = Job.objects.filter(free, pk=job_id, attempt__lt=MAXIMUM_ATTEMPTS).update(
            state=JobState.RUNNING, attempt=F("attempt") + 1, lease_until=now + LEASE, started_at=now, done=0
        )
        if taken != 1:
            return None
        # Read under the row's lock, before another worker could count it up.
        return Claim(job_id=job_id, attempt=Job.objects.values_list("attempt", flat=True).get(pk=job_id))


@contextmanager
def work(*, job_id: int) -> Iterator[Claim | None]:
    """Claim a job for the block; None when there is nothing to do. An error in the block ends or repeats the job.

    What the user gave wrongly fails at once, with its reason kept for the user; anything else is logged and tried
    again, up to `MAXIMUM_ATTEMPTS`.
    """
    held = claim(job_id=job_id, now=timezone.now())
    try:
        yield held
    except LostClaim:
        logger.warning("Job %d was claimed by another worker; this one stops.", job_id)
    except ServiceError as error:
        if held is not None:
            held.fail(error=_told(error), now=timezone.now())
    except Exception:
        if held is None:
            raise
        logger.exception("Job %d failed at attempt %d.", job_id, held.attempt)
        # Members read the job's error: the inside of the server is for its log.
        told = _("The server made a mistake. It is logged.")
        if held.attempt >= MAXIMUM_ATTEMPTS:
            held.fail(error=told, now=timezone.now())
        else:
            held.give_back(error=told)


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
    expired = Q(state=JobState.RUNNING, lease_until__lt=now)
    Job.objects.filter(expired, attempt__gte=MAXIMUM_ATTEMPTS).update(
        state=JobState.FAILED,
        lease_until=None,
        finished_at=now,
        error=_("The worker died or fell silent at every attempt."),
    )
    silent = Q(rung_at=None) | Q(rung_at__lt=now - RING_AGAIN)
    waiting = Job.objects.filter((Q(state=JobState.QUEUED) & silent) | (expired & silent)).order_by("pk")
    rung = 0
    for pk, kind in waiting.values_list("pk", "kind")[:_SWEEP_LIMIT]:
        if not ring(job_id=pk, kind=kind, now=now):
            break
        rung += 1
    IdempotencyRecord.objects.filter(created_at__lt=now - KEEP_IDEMPOTENCY_RECORDS).delete()
    close_old_connections()
    return rung
