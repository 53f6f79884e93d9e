"""Workers at bot matches: each plays chunks of deals; whoever brings the last one stores the session.

Promises: a chunk's deals are stored once, in one transaction with the end of its part of the job, whichever worker
plays them and however often one is killed; chunks may end in any order. No chunk keeps a worker for long: what is not
played in `_LONGEST` becomes a chunk of its own. A worker whose games and bots are not those that the match was asked
of leaves it alone and says so. A bot that hangs in a choice ends the attempt (`bot_watch.py`).
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from threading import RLock
from time import monotonic, sleep

from celery import shared_task
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from games.catalog import GAMES
from games.core import Playthrough
from games.match import deal_seed
from games.series import Deal, Plan, Player, Tally, fingerprint, pack, unpack
from league.models import (
    BotMatch,
    BotMatchChunk,
    BotMatchSeat,
    Job,
    JobKind,
    JobState,
    Role,
    SessionFormat,
    SessionStatus,
)
from league.scoring.places import places
from league.services import bot_watch, jobs, results, webhooks
from league.services.access import Access, Actor
from league.services.bot_matches import DEALS_AS_ROUNDS, lay_out, plan_of, tally_of
from league.services.errors import Conflict
from league.services.evenings import RoundInput, ScoreInput, SeatInput, SessionInput

logger = logging.getLogger(__name__)

# Warnings that speak of the plan of an evening of people; a bot match has just the deals it was asked for.
_CONFIRM = frozenset({"too_few_rounds", "unequal_declarations", "possible_duplicate"})
# How often a worker says how far it is, and so notices that the match was cancelled.
_PROGRESS_STEP = 0.5  # seconds
_PROCESSOR = RLock()
# Seconds that a chunk takes at most, but for its first deal: few where somebody may wait behind it, more for a match
# that takes hours, or its chunks would be too many to add up.
_LONGEST = 5.0
_LONGEST_OF_ALL = 20.0
_SHARE = 1 / 200
# So long after it was asked for, a match that nobody plays is not merely in front of a program that is being updated.
_UPDATED = timedelta(minutes=5)


@shared_task(name=jobs.TASKS[JobKind.BOT_CHUNK])
def play(job_id: int) -> None:
    """The task: play the chunk of a job, if it is still to be played."""
    if _is_foreign(job_id):
        return
    with jobs.work(job_id=job_id) as claim:
        if claim is not None:
            _play(claim)


def _is_foreign(job_id: int) -> bool:
    """Whether the chunk belongs to a match that was asked of other games and bots than this worker has; noted."""
    match = BotMatch.objects.filter(chunks__job=job_id).first()
    if match is None or match.engine in {"", fingerprint()}:
        return False
    with jobs.in_its_language(match.job_id):
        told = _("A worker with another version of games and bots has left this match alone: bring all to one version.")
    logger.error("Bot match %d is of games %s, this worker has %s", match.pk, match.engine, fingerprint())
    Job.objects.filter(pk=match.job_id, state__in=[JobState.QUEUED, JobState.RUNNING]).update(error=told)
    return True


def _play(claim: jobs.Claim) -> None:
    chunk = BotMatchChunk.objects.select_related("bot_match__club", "bot_match__job").get(job_id=claim.job_id)
    plan = plan_of(chunk.bot_match)
    player = Player(plan)
    began = reported = monotonic()
    played: list[Deal] = []
    going: Playthrough | None = None

    def hold() -> None:
        claim.progress(done=len(played), now=timezone.now())

    def where() -> str:
        return _where(plan, chunk.first_deal + len(played), going)

    def report(playthrough: Playthrough | None = None) -> None:
        nonlocal reported, going
        going = playthrough
        watch.went_on()
        now = monotonic()
        if now - reported >= _PROGRESS_STEP:
            hold()
            reported = now

    longest = _longest(chunk.bot_match.job, timezone.now())
    with bot_watch.watched(claim=claim, hold=hold, where=where) as watch:
        while len(played) < chunk.deals and (not played or monotonic() - began < longest):
            with _processor(report):
                played.append(player.play(chunk.first_deal + len(played), report))
            report()
            sleep(0)  # whoever waits is let in
    packed = pack(played)
    with transaction.atomic():
        _store(claim, chunk, played, packed)
    jobs.ring_parts(whole_id=chunk.bot_match.job_id, now=timezone.now())


def _where(plan: Plan, deal: int, going: Playthrough | None) -> str:
    """For the operator: which bot chooses what in this deal (from 0), `going` being None before the first choice."""
    if going is None:
        options = plan.options_of(deal)
        going = Playthrough(plan.game_of(deal), len(plan.bots), deal_seed(plan.seed, deal), options)
    seat = next(iter(going.to_move()), 0)
    return f"The bot {plan.bots[seat]} hung in choice {len(going.turns) + 1} of deal {deal + 1}, at seat {seat + 1}."


@contextmanager
def _processor(waiting: Callable[[], None]) -> Iterator[None]:
    """Have the process to oneself for a deal; `waiting` is called now and then before.

    Threads that play at the same time take a quarter more of the processor for the same deals: Python lets one run at
    a time, and they would be exchanged in the middle of everything.
    """
    while not _PROCESSOR.acquire(timeout=_PROGRESS_STEP):
        waiting()
    try:
        yield
    finally:
        _PROCESSOR.release()


def _longest(whole: Job, now: datetime) -> float:
    """For how many seconds a chunk of the match is played now."""
    going = (now - whole.started_at).total_seconds() if whole.started_at else 0.0
    return max(_LONGEST, min(_LONGEST_OF_ALL, going * _SHARE))


def _store(claim: jobs.Claim, chunk: BotMatchChunk, played: Sequence[Deal], packed: bytes) -> None:
    """Store what was played; the rest becomes a chunk of its own, and with the last deal the match is done."""
    match, now = chunk.bot_match, timezone.now()
    whole = jobs.lock_whole(whole_id=match.job_id)
    claim.finish(now=now)
    rest = chunk.deals - len(played)
    chunk.deals = len(played)
    chunk.tally = Tally.of(played, len(played[0].scores)).to_json()
    chunk.records = packed
    chunk.save(update_fields=["deals", "tally", "records"])
    if rest:
        (part,) = jobs.add_parts(whole=whole, kind=JobKind.BOT_CHUNK, totals=[rest])
        first = chunk.first_deal + len(played)
        BotMatchChunk.objects.create(club_id=chunk.club_id, bot_match=match, job=part, first_deal=first, deals=rest)
    whole.done += len(played)
    Job.objects.filter(pk=whole.pk).update(done=F("done") + len(played), error="")
    if whole.done == match.deals:
        _record(match, whole, now)


def _record(match: BotMatch, whole: Job, now: datetime) -> None:
    """All deals are played: record the session, and end the match."""
    seats = list(match.seats.select_related("player").order_by("number"))
    gone = [seat.player.name for seat in seats if seat.player.archived_at and seat.player.merged_into_id is None]
    if gone:
        # The usual refusal says the ids alone, once for each round.
        message = _("Archived players can't be named in new results.")
        raise Conflict("player_archived", f"{', '.join(gone)}: {message}")
    rounds = _rounds(match, seats) if match.deals <= DEALS_AS_ROUNDS else [_summed(match, seats)]
    access = Access(match.club, Role.SCOREKEEPER, Actor(user_id=whole.user_id, token_id=whole.token_id))
    data = SessionInput(
        format=match.format,
        played_on=match.played_on,
        players=tuple(SeatInput(seat.player_id) for seat in seats),
        season=match.season_id,
        repeats=match.deals // 6 if match.format == SessionFormat.PURE_XXL else 1,
        planned_rounds=None if match.format == SessionFormat.PURE_XXL else len(rounds),
        rounds=tuple(rounds),
        status=SessionStatus.COMPLETE,
    )
    jobs.end_whole(whole_id=whole.pk, state=JobState.DONE, now=now)
    session = results.record(access=access, data=data, confirm=_CONFIRM, now=now)
    BotMatch.objects.filter(pk=match.pk).update(session=session)
    told = {"bot_match": match.pk, "session": session.pk, "season": match.season_id, "game": match.game}
    webhooks.emit(club=match.club, event="bot_match.finished", data=told, now=now)


def _rounds(match: BotMatch, seats: Sequence[BotMatchSeat]) -> list[RoundInput]:
    """Each deal as a round; how it ended is its note where the catalogue knows it as one."""
    found = []
    for chunk in match.chunks.order_by("first_deal"):
        _versions, deals = unpack(bytes(chunk.records or b""))
        for deal in deals:
            scores = tuple(ScoreInput(seat.player_id, points) for seat, points in zip(seats, deal.scores, strict=True))
            note = deal.reason if deal.reason in GAMES[deal.game].notes else ""
            found.append(RoundInput(game=deal.game, scores=scores, note=note))
    return found


def _summed(match: BotMatch, seats: Sequence[BotMatchSeat]) -> RoundInput:
    """A long match as one round: the places by the sums of all deals; in a cooperative game the average, rounded.

    The sums themselves would be no scores that a round of the game can have.
    """
    total = tally_of(match)
    info = GAMES[match.game]
    if info.cooperative:
        average = round(total.scores[0] / total.deals)
        return RoundInput(game=match.game, scores=tuple(ScoreInput(seat.player_id, average) for seat in seats))
    ranked = places(total.scores, high_wins=info.high_wins)
    scores = (ScoreInput(seat.player_id, place=place) for seat, place in zip(seats, ranked, strict=True))
    return RoundInput(game=match.game, scores=tuple(scores))


def renew(*, now: datetime) -> int:
    """Ask anew for what was asked of another version of games and bots and is played by nobody; returns how many.

    The sweeper is of the version that the installation has been brought to; what is left from before would wait for
    a worker of its own until its deadline, which stays.
    """
    going_on = [JobState.QUEUED, JobState.RUNNING]
    foreign = BotMatch.objects.filter(job__state__in=going_on, job__created_at__lt=now - _UPDATED)
    foreign = foreign.exclude(engine__in=["", fingerprint()])
    renewed = 0
    for match in foreign.exclude(job__parts__state=JobState.RUNNING, job__parts__lease_until__gte=now).order_by("pk"):
        with suppress(jobs.LostClaim), transaction.atomic():
            match.job = jobs.lock_whole(whole_id=match.job_id)
            match.job.parts.all().delete()
            lay_out(match=match, now=now, deadline=match.job.deadline_at)
            renewed += 1
    return renewed


def drop_records(*, now: datetime) -> int:
    """Drop the moves of matches that ended longer ago than they are kept; results and tallies stay.

    Returns of how many chunks. Nothing is dropped where `BOT_RECORD_DAYS` is 0.
    """
    if not settings.BOT_RECORD_DAYS:
        return 0
    old = now - timedelta(days=settings.BOT_RECORD_DAYS)
    due = BotMatchChunk.objects.filter(records__isnull=False, bot_match__job__finished_at__lt=old)
    return due.update(records=None)
