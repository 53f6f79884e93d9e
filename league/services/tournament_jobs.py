"""The job of a tournament: what takes too long for somebody to wait for in front of a page.

Terms: see `league/services/tournament_asked.py`. Promises: a plan is made outside the lock and stored only if nothing
changed since, else made anew; what was foreseen is stored as it was shown, or not at all.
"""

from datetime import timedelta

from celery import shared_task
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Job, JobKind, Role, Tournament
from league.services import jobs, tournament_asked, tournament_changes, tournament_rounds, tournament_state
from league.services.access import Access, Actor
from league.services.errors import Conflict, overtaken
from league.services.tournament_asked import STEPS, Asked
from league.services.tournaments import locked

_PROGRESS_STEP = timedelta(milliseconds=300)


@shared_task(name=jobs.TASKS[JobKind.PAIRING])
def pair_job(job_id: int) -> None:
    """The task: pair what a job is for, if that is still to be done."""
    with jobs.work(job_id=job_id) as claim:
        if claim is not None:
            _carry_out(claim)


def _carry_out(claim: jobs.Claim) -> None:
    tournament = Tournament.objects.select_related("club").filter(pairing_job=claim.job_id).first()
    if tournament is None:
        raise Conflict("no_tournament", _("The tournament is not there any more."))
    job = Job.objects.get(pk=claim.job_id)
    access = Access(tournament.club, Role.SCOREKEEPER, Actor(user_id=job.user_id, token_id=job.token_id))
    asked = tournament_asked.of_job(job)
    attempt = _publish if asked.publishes else _pair if asked.mends is None else _mend
    watch = _Watch(claim)
    for _try in range(tournament_rounds.TRIES):
        tournament.refresh_from_db()
        # Its own job would bar it.
        tournament.pairing_job = None
        if attempt(claim, access, tournament, asked, watch):
            return
    raise overtaken()


class _Watch:
    """Tells how far the work of a claim is, and whether it is to take what is there."""

    def __init__(self, claim: jobs.Claim) -> None:
        self._claim = claim
        self._reported = timezone.now()
        self._stopped = tournament_asked.is_stopped(claim.job_id)

    def progress(self, part: float) -> None:
        """Store how far it is, now and then, and see whether it shall go on."""
        now = timezone.now()
        if now - self._reported >= _PROGRESS_STEP:
            self._claim.progress(done=min(STEPS - 1, int(part * STEPS)), now=now)
            self._stopped = self._stopped or tournament_asked.is_stopped(self._claim.job_id)
            self._reported = now

    def stop(self) -> bool:
        """Whether to take what is there."""
        return self._stopped


def _pair(claim: jobs.Claim, access: Access, tournament: Tournament, asked: Asked, watch: _Watch) -> bool:
    """Pair what comes next; whether it was stored, as nothing had changed meanwhile."""
    state = tournament_state.load(tournament)
    stage = tournament_rounds.check_pairable(state)
    planned = tournament_rounds.plan(
        state, stage, now=timezone.now(), draw=asked.draw, progress=watch.progress, stop=watch.stop
    )
    now = timezone.now()
    with transaction.atomic():
        claim.finish(now=now)
        held = locked(access, tournament.pk)
        if held.version == state.row.version:
            tournament_rounds.store(access, held, stage, state, planned, draw=asked.draw, now=now)
            return True
        transaction.set_rollback(True)
    return False


def _publish(claim: jobs.Claim, access: Access, tournament: Tournament, _asked: Asked, _watch: _Watch) -> bool:
    """Publish every draft, as they are now."""
    now = timezone.now()
    with transaction.atomic():
        claim.finish(now=now)
        tournament_rounds.publish_drafts(access, locked(access, tournament.pk), now)
    return True


def _mend(claim: jobs.Claim, access: Access, tournament: Tournament, asked: Asked, _watch: _Watch) -> bool:
    """Mend a tournament round, or foresee that; whether it was stored, as nothing had changed meanwhile."""
    state = tournament_state.load(tournament)
    mending = tournament_changes.mending_of(state, asked.mends or 0)
    if asked.foreseen is None:
        planned = tournament_changes.plan_mending(state, mending, now=timezone.now())
    else:
        foreseen = tournament_asked.foreseen_by(Job.objects.get(pk=asked.foreseen))
        # Since then the asking alone may have counted the version up.
        if foreseen is None or tournament.version != foreseen.version + 1:
            message = _("The tournament was changed since this was shown: look anew at what would change.")
            raise Conflict("changed_meanwhile", message)
        planned = tournament_changes.planned_of(foreseen)
    now = timezone.now()
    with transaction.atomic():
        claim.finish(now=now)
        held = locked(access, tournament.pk, with_sessions=not asked.foresees)
        if held.version == state.row.version:
            if asked.foresees:
                told = tournament_changes.as_foreseen(mending, planned)
                tournament_asked.store_foreseen(
                    tournament=held, job_id=claim.job_id, number=mending.number, planned=told
                )
            else:
                tournament_changes.store_mending(access, held, state, mending, planned, now=now)
            return True
        transaction.set_rollback(True)
    return False
