"""Why the bar of a job stands still, in words: nobody works on it yet, or its worker has fallen silent.

Promises: says nothing of a job that is over, or whose worker has just reported. A worker that is killed can't say so:
what is known of it is when it last renewed its lease (`league/services/jobs.py`).
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils.translation import gettext as _

from league.models import OVER, Job
from league.services.jobs import LEASE, TASKS

# Long enough for the longest step between two reports that is usual.
_SILENT = timedelta(seconds=10)


def waiting(job: Job | None, *, now: datetime) -> str:
    """Why a job (None: no job) stands still, in a sentence; "" where it does not."""
    return waiting_of([job], now=now).get(job.pk, "") if job is not None else ""


def waiting_of(jobs: Iterable[Job], *, now: datetime) -> dict[int, str]:
    """By the ids of those jobs that stand still why that is, in a sentence; one query at most."""
    open_ = [job for job in jobs if job.state not in OVER]
    held = {job.pk: job.lease_until for job in open_ if job.kind in TASKS}
    # Of others the parts are held.
    wholes = [job.pk for job in open_ if job.pk not in held]
    if wholes:
        parts = Job.objects.filter(parent__in=wholes).values_list("parent").annotate(Max("lease_until"))
        held |= dict(parts.order_by())
    told = {job.pk: _why(job, held.get(job.pk), now) for job in open_}
    return {pk: why for pk, why in told.items() if why}


def _why(job: Job, until: datetime | None, now: datetime) -> str:
    """`until`: when the lease of its worker runs out, None where it has none."""
    if until is None and not job.attempt:
        return _("It waits for a worker.")
    if until is None or until < now:
        return _("It waits for another worker.")
    if now - (until - LEASE) > _SILENT:
        return _(
            "Its worker has not reported for more than %(seconds)d seconds: if it is gone, another one takes over "
            "within a minute."
        ) % {"seconds": _SILENT.seconds}
    return ""
