"""Par of cooperative games: read, extended by workers, and what it says of a table's result.

Terms: as in `games/par.py`. A *yardstick* is the par that results are measured by: what is shipped and what was
stored here, added up. What was *asked for* is how many games a configuration is to have in all; it stands in the
job's arguments.
Promises: each deal is counted once, however many jobs are at the same configuration and however often a worker is
killed: a batch is added in one transaction, and only if the row stands where the batch began. So a job that was
stopped loses one batch at most, and another goes on from there. A job gives way after each batch, so that it keeps no
other waiting. What another version of bot or rules has played is
never added to, so that workers of several versions do no harm.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from time import monotonic
from typing import Any

from celery import shared_task
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from games.core import Json
from games.par import BOT, STORED_FROM, Configuration, Par, configurations, results, shipped, version
from league.models import BotMatch, Job, JobKind, ParTally, Role
from league.models.sheets import ScoreSheet, SheetRound
from league.services import audit, bot_watch, jobs
from league.services.access import Access
from league.services.bot_matches import DEALS_AS_ROUNDS
from league.services.errors import InputError, Path, Problem, not_a_choice, out_of_range

# Of fewer games a percentage would say little.
FEWEST = 100
MAXIMUM_GAMES = 100_000
TIME = timedelta(hours=24)
_BATCH_SECONDS = 5.0
_PROGRESS_STEP = 0.5  # seconds


# --- Reading ----------------------------------------------------------------------------------------------------------


def yardsticks(wanted: Sequence[Configuration] | None = None) -> list[Par]:
    """The pars of these configurations (None: of all) that have any game, in order; one query.

    Where several versions have played, the one with the most games; of equally many the one that plays here.
    """
    wanted = configurations() if wanted is None else wanted
    if not wanted:
        return []
    asked = Q()
    for one in wanted:
        asked |= Q(game=one.game, seats=one.seats, options=one.options)
    stored: dict[Configuration, list[Par]] = {one: [] for one in wanted}
    for row in ParTally.objects.filter(asked, bot=BOT):
        par = _par(row)
        stored[par.configuration].append(par)
    found = (_yardstick(one, stored[one]) for one in wanted)
    return [par for par in found if par is not None]


def _par(row: ParTally) -> Par:
    counts = {int(result): games for result, games in row.counts.items()}
    return Par(Configuration(row.game, row.seats, row.options), row.version, counts)


def _yardstick(configuration: Configuration, stored: Sequence[Par]) -> Par | None:
    by_version = {par.version: par for par in stored}
    given = shipped().get(configuration)
    if given is not None:
        more = by_version.get(given.version)
        by_version[given.version] = given if more is None else given.joined(more)
    played = [par for par in by_version.values() if par.games]
    return max(played, key=lambda par: (par.games, par.version == version(configuration)), default=None)


def games_here(configuration: Configuration) -> int:
    """How many games the version that plays here has of a configuration, shipped and stored."""
    given = shipped().get(configuration)
    known = given.games if given is not None and given.version == version(configuration) else 0
    row = _rows(configuration).first()
    return known + (row.games if row is not None else 0)


def _rows(configuration: Configuration) -> Any:
    return ParTally.objects.filter(
        game=configuration.game,
        seats=configuration.seats,
        options=configuration.options,
        bot=BOT,
        version=version(configuration),
    )


# --- What it says of a result -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measured:
    """A round's result beside par."""

    round: int
    result: int
    par: Par


def measured(sheet: ScoreSheet) -> list[Measured]:
    """The rounds of a sheet that par says something about, in order.

    What was agreed on is what the bot match or the tournament of the session says; of a session that tells nothing
    the usual rules are taken. None of a long bot match, whose one round is an average.
    """
    known = {one.game for one in configurations()}
    rounds = [one for one in sheet.rounds if one.game.key in known]
    if not rounds:
        return []
    options = _agreed(sheet)
    if options is None:
        return []
    tables = {one.number: _configuration(one, options) for one in rounds}
    wanted = list(dict.fromkeys(one for one in tables.values() if one is not None))
    pars = {par.configuration: par for par in yardsticks(wanted) if par.games >= FEWEST}
    found = []
    for one in rounds:
        configuration, result = tables[one.number], _result(one)
        par = pars.get(configuration) if configuration is not None else None
        if par is not None and result is not None:
            found.append(Measured(one.number, result, par))
    return found


def _agreed(sheet: ScoreSheet) -> Mapping[str, Json] | None:
    """The options that the session was played with, as far as they are known; None where no round is one game."""
    session = sheet.session
    if session.pk is not None and any(one.player.bot for one in sheet.players):
        match = BotMatch.objects.filter(session=session.pk).only("options", "deals").first()
        if match is not None:
            return match.options if match.deals <= DEALS_AS_ROUNDS else None
    if session.table is not None and session.table.round.tournament.minimum is not None:
        return {"minimum": session.table.round.tournament.minimum}
    return {}


def _configuration(one: SheetRound, options: Mapping[str, Json]) -> Configuration | None:
    return Configuration.of(one.game.key, sum(cell is not None for cell in one.cells), options)


def _result(one: SheetRound) -> int | None:
    """The table's one result; None where only places were noted."""
    return next((cell.points for cell in one.cells if cell is not None), None)


# --- Extending --------------------------------------------------------------------------------------------------------


def request(*, access: Access, game: str, seats: int, options: Mapping[str, Json], games: int, now: datetime) -> Job:
    """Have workers play on until a configuration has so many games in all, shipped and stored.

    Raises InputError for what has no par, and for no more games than there are.
    """
    access.require(Role.ADMIN)
    configuration = _asked_for(game, seats, options)
    problems = out_of_range(("games",), games, 1, MAXIMUM_GAMES)
    have = games_here(configuration)
    if not problems and games <= have:
        message = _("There are %(games)d games already: ask for more, %(maximum)d at most.")
        params = {"games": have, "maximum": MAXIMUM_GAMES}
        problems.append(Problem(("games",), "games_already_there", message % params))
    if problems:
        raise InputError(problems)
    with transaction.atomic():
        asked: dict[str, Json] = {"game": game, "seats": seats, "options": dict(configuration.agreed), "games": games}
        job = jobs.queue(access=access, kind=JobKind.PAR, total=games, deadline_at=now + TIME, arguments=asked)
        audit.write(access=access, action="par.requested", object_id=job.pk, data=asked, now=now)
    return job


def _asked_for(game: str, seats: int, options: Mapping[str, Json]) -> Configuration:
    """The configuration of a request. Raises InputError."""
    games = list(dict.fromkeys(one.game for one in configurations()))
    if game not in games:
        raise InputError([not_a_choice(("game",), "no_par", games)])
    known = [one for one in configurations() if one.game == game]
    numbers = [one.seats for one in known]
    problems = out_of_range(("seats",), seats, min(numbers), max(numbers))
    allowed = {name: list(dict.fromkeys(one.agreed[name] for one in known)) for name in known[0].agreed}
    for name, value in options.items():
        path: Path = ("options", name)
        if name not in allowed:
            message = _("Par follows from these options alone: %(choices)s.") % {"choices": ", ".join(allowed)}
            problems.append(Problem(path, "option_not_allowed", message))
        # Not equal alone: true equals 1.
        elif not any(type(value) is type(one) and value == one for one in allowed[name]):
            problems.append(not_a_choice(path, "option_not_allowed", map(json.dumps, allowed[name])))
    configuration = Configuration.of(game, seats, options) if not problems else None
    if configuration is None:
        raise InputError(problems)
    return configuration


@shared_task(name=jobs.TASKS[JobKind.PAR])
def play(job_id: int) -> None:
    """The task: play a batch of the deals that a job asks for, if they are still to be played."""
    with jobs.work(job_id=job_id) as claim:
        if claim is not None:
            _play(claim)


def _play(claim: jobs.Claim) -> None:
    asked = Job.objects.values_list("arguments", flat=True).get(pk=claim.job_id)
    configuration = _asked_for(asked["game"], asked["seats"], asked["options"])
    have = games_here(configuration)
    if have < asked["games"]:
        claim.progress(done=have, now=timezone.now())
        _batch(claim, configuration, have, asked["games"] - have)
    if games_here(configuration) < asked["games"]:
        claim.give_way()
    else:
        claim.finish(now=timezone.now())


def _batch(claim: jobs.Claim, configuration: Configuration, have: int, most: int) -> None:
    """Play the next deals, for a few seconds, and add them."""
    row, _made = _rows(configuration).get_or_create(
        defaults={"games": 0},
        game=configuration.game,
        seats=configuration.seats,
        options=configuration.options,
        bot=BOT,
        version=version(configuration),
    )
    first, began = row.games, monotonic()
    reported = began
    played: list[int] = []

    def hold() -> None:
        claim.progress(done=have + len(played), now=timezone.now())

    def where() -> str:
        return f"The bot {BOT} hung in deal {STORED_FROM + first + len(played)} of {configuration}."

    # A step of the watch is a whole game here, of some tenths of a second.
    with bot_watch.watched(claim=claim, hold=hold, where=where) as watch:
        for result in islice(results(configuration, STORED_FROM + first), most):
            played.append(result)
            watch.went_on()
            now = monotonic()
            if now - reported >= _PROGRESS_STEP:
                hold()
                reported = now
            if now - began >= _BATCH_SECONDS:
                break
    with transaction.atomic():
        # Whose claim it is no more has lost its right to add, too: the batch is played again.
        claim.progress(done=have + len(played), now=timezone.now())
        add(configuration, first=first, played=played)


def add(configuration: Configuration, *, first: int, played: Sequence[int]) -> bool:
    """Count results of the stored deals from `first` (from 0) on; nothing where others have counted them meanwhile.

    Returns whether they were counted. Called in a transaction.
    """
    row = _rows(configuration).select_for_update().get()
    if row.games != first:
        return False
    counts = Counter({int(result): games for result, games in row.counts.items()})
    counts.update(played)
    row.counts = {str(result): counts[result] for result in sorted(counts)}
    row.games = first + len(played)
    row.save(update_fields=["counts", "games"])
    return True
