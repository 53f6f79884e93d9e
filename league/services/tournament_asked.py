"""What a tournament asks of its job: to pair the rounds that come next, or to mend one; and to end a search early.

Terms: see `league/services/tournament_rounds.py`; to *foresee* is to work out what mending a round would change, with
nothing stored of it. Promises: what a job is asked stands in the audit event of its asking, and what it foresaw in one
of its own, with ids and figures alone; a tournament has one job at a time. Never: pairs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import AuditEvent, Job, JobKind, JobState, Role, Stage, StageFormat, StageStatus, Tournament
from league.services import audit, jobs
from league.services.access import Access
from league.services.errors import Conflict, NotFound
from league.services.tournaments import changed, locked

# A job's progress is told in so many steps.
STEPS = 100
_ASKED = "pairing_asked"
_STOPPED = "tournament.pairing_stopped"
_FORESEEN = "tournament.mending_foreseen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a job is to do.

    `mends`: the number of the tournament round to mend, None to pair what comes next, by this `draw`. `foresees`: store
    nothing of it but what would change. `foreseen`: the job that foresaw the seating that is to be stored as it is.
    `event`: the audit event of the asking, 0 where it has none.
    """

    event: int = 0
    draw: int = 0
    mends: int | None = None
    foresees: bool = False
    foreseen: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreseen:
    """What a job foresaw for a round of that number, at a version of the tournament; `planned` as the job stored it."""

    job: int
    version: int
    number: int
    planned: Mapping[str, Any]


def ask(
    *,
    access: Access,
    tournament_id: int,
    draw: int = 0,
    mends: int | None = None,
    foresees: bool = False,
    foreseen: int | None = None,
    expected: int | None = None,
    now: datetime,
) -> Job:
    """Have a worker do what `Asked` describes. Raises Conflict while another job of the tournament goes on.

    Who foresees changes nothing, and so counts no version up: others' pages stay good.
    """
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        check_idle(tournament)
        job = jobs.queue(access=access, kind=JobKind.PAIRING, total=STEPS)
        tournament.pairing_job = job
        tournament.save(update_fields=["pairing_job"])
        given = {"draw": draw or None, "mends": mends, "foresees": foresees or None, "foreseen": foreseen}
        data = {"job": job.pk, **{name: value for name, value in given.items() if value is not None}}
        if foresees:
            audit.write(access=access, action=f"tournament.{_ASKED}", object_id=tournament.pk, data=data, now=now)
        else:
            changed(tournament, access=access, action=_ASKED, data=data, now=now)
    return job


def check_idle(tournament: Tournament) -> None:
    """Raise Conflict while the tournament's job goes on."""
    if is_at_work(tournament):
        raise Conflict("pairing_goes_on", _("This tournament round is being paired already."))


def is_at_work(tournament: Tournament) -> bool:
    """Whether the tournament's job goes on."""
    job = tournament.pairing_job
    return job is not None and job.state in {JobState.QUEUED, JobState.RUNNING}


def of_job(tournament: Tournament, job_id: int) -> Asked:
    """What a job of the tournament is asked."""
    event = _newest(tournament, f"tournament.{_ASKED}", job_id)
    # One that was asked before there was anything to say is to pair what comes next.
    data = event.data if event is not None else {}
    return Asked(
        event=event.pk if event is not None else 0,
        draw=data.get("draw", 0),
        mends=data.get("mends"),
        foresees=data.get("foresees", False),
        foreseen=data.get("foreseen"),
    )


def _newest(tournament: Tournament, action: str, job_id: int, *, since: int = 0) -> AuditEvent | None:
    """The newest event of a job; those before `since` are not looked through, of which a club has a great many."""
    events = AuditEvent.objects.filter(club=tournament.club_id, pk__gte=since, object_id=tournament.pk, action=action)
    return events.filter(data__job=job_id).order_by("-pk").first()


# --- Ending a search early --------------------------------------------------------------------------------------------


def stop(*, access: Access, tournament_id: int, now: datetime) -> Job:
    """Have the job that plans a fixed schedule end its search and store the best plan that it has by then.

    Raises Conflict where nothing is planned, and for other formats, which have nothing before their end. It counts no
    version up: the plan is made for the version of now.
    """
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        found = Tournament.objects.filter(club=access.club, pk=tournament_id).select_related("pairing_job").first()
        if found is None:
            raise NotFound(tournament_id)
        if found.pairing_job is None or not is_at_work(found):
            raise Conflict("nothing_paired", _("Nothing is being paired."))
        if not is_searching(found):
            message = _(
                "Only the search for a fixed schedule has something to take before its end: cancel the pairing."
            )
            raise Conflict("job_not_stoppable", message)
        job_id = found.pairing_job.pk
        if not is_stopped(found, job_id, of_job(found, job_id)):
            audit.write(access=access, action=_STOPPED, object_id=found.pk, data={"job": job_id}, now=now)
    return found.pairing_job


def is_searching(tournament: Tournament) -> bool:
    """Whether what the tournament's job works on is a plan that gets better as long as it is searched for."""
    searched = Stage.objects.filter(
        tournament=tournament, status=StageStatus.RUNNING, format=StageFormat.FIXED_SCHEDULE
    )
    return is_at_work(tournament) and searched.exists()


def is_stopped(tournament: Tournament, job_id: int, asked: Asked) -> bool:
    """Whether a job, which was asked that, was told to take what is there."""
    return _newest(tournament, _STOPPED, job_id, since=asked.event) is not None


# --- What mending would change ----------------------------------------------------------------------------------------


def store_foreseen(
    *, access: Access, tournament: Tournament, job_id: int, number: int, planned: Mapping[str, Any], now: datetime
) -> None:
    """Keep what a job foresaw for the version of now, which it does not count up."""
    data = {"job": job_id, "version": tournament.version, "round": number, "planned": dict(planned)}
    audit.write(access=access, action=_FORESEEN, object_id=tournament.pk, data=data, now=now)


def foreseen_by(tournament: Tournament, job_id: int) -> Foreseen | None:
    """What a job foresaw; None where it foresaw nothing."""
    asked = of_job(tournament, job_id)
    event = _newest(tournament, _FORESEEN, job_id, since=asked.event) if asked.foresees else None
    if event is None:
        return None
    data = event.data
    return Foreseen(job=job_id, version=data["version"], number=data["round"], planned=data["planned"])


def foreseen_now(tournament: Tournament, number: int) -> Foreseen | None:
    """What the tournament's last job foresaw of a round, while that still holds."""
    job = tournament.pairing_job
    if job is None or job.state != JobState.DONE:
        return None
    found = foreseen_by(tournament, job.pk)
    return found if found is not None and (found.number, found.version) == (number, tournament.version) else None
