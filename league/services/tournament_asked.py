"""What a tournament asks of its job: to pair the rounds that come next, to publish them all, or to mend one; and to end
a search early.

Terms: see `league/services/tournament_rounds.py`; to *foresee* is to work out what mending a round would change, with
nothing stored of it. Promises: what a job is asked stands in its `arguments` and what it foresaw in its `outcome`; a
tournament has one job at a time. Never: pairs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Job, JobKind, JobState, Role, Stage, StageFormat, StageStatus, Tournament
from league.services import audit, jobs
from league.services.access import Access
from league.services.errors import Conflict, NotFound
from league.services.tournaments import changed, locked

# A job's progress is told in so many steps.
STEPS = 100
_ASKED = "pairing_asked"
# The argument of a job that is to take what is there.
_STOPPED = "stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a job is to do.

    `mends`: the number of the tournament round to mend, None to pair what comes next, by this `draw`. `foresees`: store
    nothing of it but what would change. `foreseen`: the job that foresaw the seating that is to be stored as it is.
    `publishes`: to pair nothing and publish what is paired.
    """

    draw: int = 0
    publishes: bool = False
    mends: int | None = None
    foresees: bool = False
    foreseen: int | None = None


@dataclass(frozen=True, slots=True)
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
    publishes: bool = False,
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
        given = {
            "draw": draw or None,
            "publishes": publishes or None,
            "mends": mends,
            "foresees": foresees or None,
            "foreseen": foreseen,
        }
        arguments = {name: value for name, value in given.items() if value is not None}
        job = jobs.queue(access=access, kind=JobKind.PAIRING, total=STEPS, arguments=arguments)
        tournament.pairing_job = job
        tournament.save(update_fields=["pairing_job"])
        data = {"job": job.pk, **arguments}
        if foresees:
            audit.write(access=access, action=f"tournament.{_ASKED}", object_id=tournament.pk, data=data, now=now)
        else:
            changed(tournament, access=access, action=_ASKED, data=data, now=now)
    return job


def check_idle(tournament: Tournament) -> None:
    """Raise Conflict while the tournament's job goes on."""
    if is_at_work(tournament):
        message = _("This tournament round is being paired already.")
        if is_publishing(tournament):
            message = _("The tournament rounds are being published.")
        raise Conflict("pairing_goes_on", message)


def is_at_work(tournament: Tournament) -> bool:
    """Whether the tournament's job goes on."""
    job = tournament.pairing_job
    return job is not None and job.state in {JobState.QUEUED, JobState.RUNNING}


def is_publishing(tournament: Tournament) -> bool:
    """Whether the tournament's job, which may be over, is or was to publish."""
    job = tournament.pairing_job
    return job is not None and of_job(job).publishes


def of_job(job: Job) -> Asked:
    """What a job is asked."""
    asked = job.arguments
    return Asked(
        draw=asked.get("draw", 0),
        publishes=asked.get("publishes", False),
        mends=asked.get("mends"),
        foresees=asked.get("foresees", False),
        foreseen=asked.get("foreseen"),
    )


# --- Ending a search early --------------------------------------------------------------------------------------------


def stop(*, access: Access, tournament_id: int, now: datetime) -> Job:
    """Have the job that plans a fixed schedule end its search and store the best plan that it has by then.

    Raises Conflict where nothing is planned, and for other formats, which have nothing before their end. It counts no
    version up: the plan is made for the version of now.
    """
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        found = Tournament.objects.filter(club=access.club, pk=tournament_id).first()
        if found is None:
            raise NotFound(tournament_id)
        job = Job.objects.select_for_update(no_key=True, of=("self",)).filter(tournament=found).first()
        found.pairing_job = job
        if job is None or not is_at_work(found):
            raise Conflict("nothing_paired", _("Nothing is being paired."))
        if not is_searching(found):
            message = _(
                "Only the search for a fixed schedule has something to take before its end: cancel the pairing."
            )
            raise Conflict("job_not_stoppable", message)
        if _STOPPED not in job.arguments:
            job.arguments[_STOPPED] = True
            job.save(update_fields=["arguments"])
            data = {"job": job.pk}
            audit.write(access=access, action="tournament.pairing_stopped", object_id=found.pk, data=data, now=now)
    return job


def is_searching(tournament: Tournament) -> bool:
    """Whether what the tournament's job works on is a plan that gets better as long as it is searched for."""
    if is_publishing(tournament):
        return False
    searched = Stage.objects.filter(
        tournament=tournament, status=StageStatus.RUNNING, format=StageFormat.FIXED_SCHEDULE
    )
    return is_at_work(tournament) and searched.exists()


def is_stopped(job_id: int) -> bool:
    """Whether a job was told to take what is there."""
    return Job.objects.filter(pk=job_id, **{f"arguments__{_STOPPED}": True}).exists()


# --- What mending would change ----------------------------------------------------------------------------------------


def store_foreseen(*, tournament: Tournament, job_id: int, number: int, planned: Mapping[str, Any]) -> None:
    """Keep what a job foresaw for the tournament's version of now, which it does not count up."""
    outcome = {"version": tournament.version, "round": number, "planned": dict(planned)}
    Job.objects.filter(pk=job_id).update(outcome=outcome)


def foreseen_by(job: Job) -> Foreseen | None:
    """What a job foresaw; None where it foresaw nothing."""
    told = job.outcome
    return Foreseen(job.pk, told["version"], told["round"], told["planned"]) if "planned" in told else None


def foreseen_now(tournament: Tournament, number: int) -> Foreseen | None:
    """What the tournament's last job foresaw of a round, while that still holds."""
    job = tournament.pairing_job
    found = foreseen_by(job) if job is not None and job.state == JobState.DONE else None
    return found if found is not None and (found.number, found.version) == (number, tournament.version) else None
