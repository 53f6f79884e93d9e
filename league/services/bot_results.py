"""What came of a bot match: read from the tallies of its chunks and, deal by deal, from their packed records.

Terms: see `bot_matches.py`; deals are counted from 1 here, as they are shown. Never: changes anything.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import sqrt

from django.db.models import F, IntegerField, OuterRef, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l

from games.arena import student_quantile
from games.core import BadSetup, Json
from games.match import deal_seed
from games.series import BadPackage, Deal, Plan, Tally, unpack
from league.models import BotMatch, BotMatchChunk, Job, JobState, Player
from league.services.bot_matches import plan_of, tally_of
from league.services.wording import NOTES

logger = logging.getLogger(__name__)

# How deals end, by the codes of the games; another code is shown as it is.
ENDS: dict[str, str | Promise] = {
    **NOTES,
    "": _l("not noted"),
    "all_played": _l("all cards played"),
    "cards_ran_out": _l("the cards ran out"),
    "hand_empty": _l("somebody laid the last card"),
    "hands_played": _l("all hands played"),
    "no_straight_left": _l("no straight was left"),
    "out_of_cards": _l("no cards were left"),
    "round_without_straight": _l("a round without a straight"),
    "stuck": _l("no card could be played"),
}


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a player did: averages over the deals played.

    `margin` is half of the 95 % interval of the place average. None where there is no such figure: scores of Pure XXL
    are of six games, a cooperative game has no places, and one deal has no spread.
    """

    player: Player
    deals: int
    score: float | None
    place: float | None
    margin: float | None
    wins: float | None


@dataclass(frozen=True, slots=True)
class Results:
    """What the deals played so far came to; `ends` and `table_results` count deals, the most frequent end first."""

    deals: int
    seats: tuple[SeatResult, ...]
    ends: tuple[tuple[str, int], ...]
    table_results: tuple[tuple[int, int], ...]


def results_of(match: BotMatch) -> Results | None:
    """The results of a match whose seats are loaded; None while no deal has been played."""
    tally = tally_of(match)
    if not tally.deals:
        return None
    players = [seat.player for seat in match.seats.all()]
    return Results(
        deals=tally.deals,
        seats=tuple(_seat(match, tally, number, player) for number, player in enumerate(players)),
        ends=tuple(sorted(tally.ends.items(), key=lambda one: (-one[1], one[0]))),
        table_results=tuple(sorted((int(result), count) for result, count in tally.results.items())),
    )


def _seat(match: BotMatch, tally: Tally, number: int, player: Player) -> SeatResult:
    deals, together = tally.deals, bool(tally.results)
    total, squares = tally.places[number], tally.squares[number]
    margin = None
    if deals > 1 and not together:
        # In whole numbers, so that equal places have no spread at all.
        variance = max(0, deals * squares - total * total) / (deals * (deals - 1))
        margin = student_quantile(deals - 1) * sqrt(variance / deals)
    return SeatResult(
        player=player,
        deals=deals,
        score=tally.scores[number] / deals if match.game else None,
        place=None if together else total / deals,
        margin=margin,
        wins=None if together else tally.firsts[number] / deals,
    )


def under_way(job: str = "pk") -> Coalesce:
    """For a query: how many steps of a job's parts are done that are still at work. `job` is the path to the job."""
    parts = Job.objects.filter(parent=OuterRef(job), state=JobState.RUNNING).order_by().values("parent")
    done = Subquery(parts.values(at_work=Sum("done")), output_field=IntegerField())
    return Coalesce(done, Value(0))


def estimated_end(*, job: Job, done: int, now: datetime) -> datetime | None:
    """When a job ends if it goes on as it went so far; None unless it is running and something is done."""
    if job.state != JobState.RUNNING or job.started_at is None or not done:
        return None
    return now + (now - job.started_at) / done * (job.total - done)


@dataclass(frozen=True, slots=True)
class DealResult:
    """A deal of a match: `played` None where it was not played, or its record was dropped."""

    number: int
    game: str
    seed: int
    options: dict[str, Json]
    played: Deal | None
    # As `NoReplay.code`: not_played, dropped or damaged; "" where there is a record.
    missing: str


def deals_of(match: BotMatch, *, first: int, count: int) -> list[DealResult]:
    """Deals of a match from number `first` on, at most `count`; the chunks that they are in are unpacked."""
    numbers = range(first, min(first + count, match.deals + 1))
    plan = plan_of(match)
    played = dict(_played(match, numbers))
    found = []
    for number in numbers:
        deal, missing = played.get(number, (None, "not_played"))
        game = plan.games[(number - 1) % len(plan.games)]
        seed = deal_seed(plan.seed, number - 1)
        found.append(DealResult(number, game, seed, _options(plan, number - 1), deal, missing))
    return found


def _played(match: BotMatch, numbers: range) -> Iterator[tuple[int, tuple[Deal | None, str]]]:
    chunks = match.chunks.alias(last=F("first_deal") + F("deals")).order_by("first_deal")
    for chunk in chunks.filter(first_deal__lt=numbers.stop - 1, last__gte=numbers.start, tally__isnull=False):
        records, missing = _records(chunk)
        for number, deal in enumerate(records, chunk.first_deal + 1):
            if number in numbers:
                yield number, (deal, missing)


def _records(chunk: BotMatchChunk) -> tuple[Sequence[Deal | None], str]:
    """The deals of a played chunk, and why there are none."""
    nothing = [None] * chunk.deals
    if chunk.records is None:
        return nothing, "dropped"
    try:
        _versions, deals = unpack(bytes(chunk.records))
    except BadPackage:
        deals = []
    if len(deals) != chunk.deals:
        logger.error("The moves of chunk %d of bot match %d are damaged.", chunk.pk, chunk.bot_match_id)
        return nothing, "damaged"
    return deals, ""


def _options(plan: Plan, deal: int) -> dict[str, Json]:
    """The options of a deal; those agreed on alone where the rules are others by now."""
    try:
        return plan.options_of(deal)
    except (BadSetup, LookupError):
        return dict(plan.options)
