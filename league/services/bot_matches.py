"""Bot matches: asked for, cancelled, tried again, read back card by card; `bot_chunks.py` plays them.

Terms: a match has *deals*, each one playing of a game; a *chunk* is a run of deals that one worker plays in one go; a
match is *long* when it has more than `DEALS_AS_ROUNDS` deals. Kinds of match: one game, six games (or twice six) of
Pure XXL, a series of one game of the XXL family (stored as Individual XXL) or of any other.
Promises: each is stored as one session through the one door of every result; what changes from deal to deal at a
table, such as the dealer, is the game's to say (`Game.series_options`); seeds of deals: `games.match.deal_seed`. The
same match, seed and `games.series.fingerprint` give the same deals, however many workers share them.
"""

import logging
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bots import bots_for, plays
from games.catalog import GAMES, GameInfo
from games.core import SEED_LIMIT, BadSetup, Json, Playthrough
from games.record import Departure, RecordError
from games.series import PURE_XXL, BadPackage, Plan, Tally, fingerprint, replay, unpack
from league.models import (
    BotMatch,
    BotMatchChunk,
    BotMatchSeat,
    Club,
    Job,
    JobKind,
    JobState,
    Player,
    PlayerKind,
    Role,
    SessionFormat,
)
from league.services import audit, evenings, jobs, option_words, session_rows
from league.services.access import Access
from league.services.errors import Conflict, InputError, NotFound, Path, Problem, not_a_choice, out_of_range
from league.services.players import PlayerRef, find
from league.services.results import SeasonRef

logger = logging.getLogger(__name__)

MAXIMUM_DEALS = BotMatch.MAXIMUM_DEALS
MAXIMUM_SEED = SEED_LIMIT - 1
# Of a match with up to so many deals each is a round of its session; a longer one is stored summed up.
DEALS_AS_ROUNDS = 100
# A match that says nothing else has failed when it is not done by then.
USUAL_TIME = timedelta(hours=24)
LONGEST_TIME = timedelta(days=30)
_CHUNK = 1000  # deals
_MAXIMUM_CHUNKS = 1000


@dataclass(frozen=True, slots=True)
class BotMatchInput:
    """What to play: `players` are bots of the club in seat order.

    `game` "": the six of Pure XXL. `format` None: a single game, or for more deals the game's kind of series. `deals`
    None: 1, of Pure XXL 6. `seed` None: drawn. `played_on` None: today. `deadline` None: in `USUAL_TIME`.
    """

    game: str
    players: tuple[PlayerRef, ...]
    seed: int | None = None
    deals: int | None = None
    season: SeasonRef | None = None
    played_on: date | None = None
    format: str | None = None
    options: Mapping[str, Json] = field(default_factory=dict)
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What is played, after the checks that need no player."""

    format: SessionFormat
    game: str
    games: tuple[GameInfo, ...]
    deals: int


def request(*, access: Access, data: BotMatchInput, now: datetime) -> BotMatch:
    """Store a bot match to be played by workers.

    Raises InputError for a game without an engine, a table of the wrong size, options that a game does not have, a
    player who is no bot or whose bot can't play the game, a deadline that has passed; Conflict where too many go on.
    """
    access.require(Role.SCOREKEEPER)
    chosen = _chosen(data, now)
    with transaction.atomic():
        _require_room(access)
        season = session_rows.find_season(club=access.club, reference=data.season)
        played_on = data.played_on or access.club.local_date(now)
        evenings.check_date(played_on, season, now, club=access.club)
        players = _bots(access, data, chosen)
        total = chosen.deals
        deadline = data.deadline or now + USUAL_TIME
        job = jobs.queue(access=access, kind=JobKind.BOT_MATCH, total=total, deadline_at=deadline)
        match = BotMatch.objects.create(
            club=access.club,
            job=job,
            season=season,
            format=chosen.format,
            game=chosen.game,
            options=dict(data.options),
            seed=secrets.randbelow(MAXIMUM_SEED + 1) if data.seed is None else data.seed,
            deals=chosen.deals,
            played_on=played_on,
            engine=fingerprint(),
        )
        BotMatchSeat.objects.bulk_create(
            BotMatchSeat(club=access.club, bot_match=match, number=number, player=player)
            for number, player in enumerate(players)
        )
        _cut(match, [range(match.deals)])
        audit.write(
            access=access,
            action="bot_match.requested",
            object_id=match.pk,
            data={"game": chosen.game, "deals": chosen.deals, "players": [player.pk for player in players]},
            now=now,
        )
    return match


def _require_room(access: Access) -> None:
    """Raise Conflict where as many matches of the club go on as may. Called in the transaction that adds one.

    Each is jobs in the queues of all clubs. What nobody asked for, as a night's matches, is not counted.
    """
    most = settings.BOT_MATCHES_OPEN
    if not most or (access.actor.user_id is None and access.actor.token_id is None):
        return
    # Of several requests at once each has to see the others' matches.
    Club.objects.select_for_update(no_key=True).get(pk=access.club.pk)
    going_on = BotMatch.objects.filter(club=access.club, job__state__in=[JobState.QUEUED, JobState.RUNNING])
    if going_on.exclude(job__user=None, job__token=None).count() >= most:
        message = ngettext(
            "%(count)d bot match of this club is not over yet, and more can't be asked for: wait for its end or cancel "
            "it.",
            "%(count)d bot matches of this club are not over yet, and more can't be asked for: wait for one to end or "
            "cancel one.",
            most,
        )
        raise Conflict("too_many_bot_matches", message % {"count": most})


def _chosen(data: BotMatchInput, now: datetime) -> _Chosen:
    pure = data.format == SessionFormat.PURE_XXL or (data.format is None and not data.game)
    games = _pure_games(data) if pure else (_one_game(data.game),)
    deals = data.deals if data.deals is not None else len(games)
    format_ = _format(data, games, deals, pure=pure)
    problems = _deal_problems(deals, format_)
    if data.seed is not None:
        problems += out_of_range(("seed",), data.seed, 0, MAXIMUM_SEED)
    minimum, maximum = max(game.min_players for game in games), min(game.max_players for game in games)
    if not minimum <= len(data.players) <= maximum:
        message = _("Name %(minimum)d to %(maximum)d players.")
        params = {"minimum": minimum, "maximum": maximum}
        problems.append(Problem(("players",), "players_out_of_range", message % params))
    else:
        problems += option_words.problems(games, len(data.players), data.options)
    if data.deadline is not None and not now < data.deadline <= now + LONGEST_TIME:
        message = _("Give a time to come, within %(days)d days.") % {"days": LONGEST_TIME.days}
        problems.append(Problem(("deadline",), "out_of_range", message))
    if problems:
        raise InputError(problems)
    return _Chosen(format=format_, game="" if pure else data.game, games=games, deals=deals)


def _one_game(key: str) -> GameInfo:
    playable = [key for key, info in GAMES.items() if info.engine is not None]
    if key not in playable:
        message = _("Bots can't play this game. Choose one of: %(choices)s.") % {"choices": ", ".join(playable)}
        raise InputError([Problem(("game",), "no_engine", message)])
    return GAMES[key]


def _pure_games(data: BotMatchInput) -> tuple[GameInfo, ...]:
    if data.game:
        message = _("Pure XXL is all six games: leave the game out.")
        raise InputError([Problem(("game",), "game_not_allowed", message)])
    return tuple(GAMES[key] for key in PURE_XXL)


def _format(data: BotMatchInput, games: tuple[GameInfo, ...], deals: int, *, pure: bool) -> SessionFormat:
    """The format that was named, where it fits what is played, or the one that does."""
    series = SessionFormat.INDIVIDUAL_XXL if games[0].family == "xxl" else SessionFormat.SERIES
    if pure:
        fitting = [SessionFormat.PURE_XXL]
    elif deals == 1:
        fitting = [SessionFormat.SINGLE_GAME, series]
    else:
        fitting = [series]
    if data.format is None:
        return fitting[0]
    if data.format not in fitting:
        raise InputError([not_a_choice(("format",), "format_not_fitting", fitting)])
    return SessionFormat(data.format)


def _deal_problems(deals: int, format_: SessionFormat) -> list[Problem]:
    if format_ == SessionFormat.PURE_XXL and deals not in {6, 12}:
        message = _("Pure XXL has 6 deals, or 12 when each game is played twice.")
        return [Problem(("deals",), "out_of_range", message)]
    return out_of_range(("deals",), deals, 1, MAXIMUM_DEALS)


def _bots(access: Access, data: BotMatchInput, chosen: _Chosen) -> list[Player]:
    references: list[tuple[Path, PlayerRef]] = [(("players", i), one) for i, one in enumerate(data.players)]
    found = find(club=access.club, references=references)
    players = [found[one] for one in data.players]
    problems = []
    for index, player in enumerate(players):
        unable = [game.key for game in chosen.games if not plays(player.bot, game.key)]
        if player.kind != PlayerKind.BOT:
            message = _("“%(player)s” is a person: only bots play a bot match.") % {"player": player.name}
            problems.append(Problem(("players", index), "not_a_bot", message))
        elif player in players[:index]:
            message = _("“%(player)s” is named twice: a player sits at a table once.") % {"player": player.name}
            problems.append(Problem(("players", index), "player_twice", message))
        elif unable:
            message = _("“%(player)s” is played by %(bot)s, which can't play this game; these can: %(choices)s.")
            message %= {"player": player.name, "bot": player.bot, "choices": ", ".join(bots_for(unable[0]))}
            problems.append(Problem(("players", index), "bot_cant_play", message))
    if problems:
        raise InputError(problems)
    return players


def lay_out(*, match: BotMatch, now: datetime, deadline: datetime | None = None) -> None:
    """Queue a match anew, from where it stands: a part of its job for each run of deals that is still to be played.

    What was played by another state of games and bots, or can't become the rounds of its session, is played anew.
    Called in the transaction of what made it due; `match.job` is locked, or nobody else's yet. `deadline` None: in
    `USUAL_TIME`.
    """
    if match.engine != fingerprint():
        match.chunks.all().delete()
        match.engine = fingerprint()
        match.save(update_fields=["engine"])
    match.chunks.filter(tally__isnull=True).delete()
    if match.deals <= DEALS_AS_ROUNDS:
        # Each deal is to become a round, which takes its moves: they may be dropped by age or damaged.
        match.chunks.filter(pk__in=[one.pk for one in match.chunks.all() if not _is_readable(one)]).delete()
    played = list(match.chunks.order_by("first_deal").values_list("first_deal", "deals"))
    if played and sum(deals for _first, deals in played) == match.deals:
        # Whoever plays the last deal ends the match: somebody has to.
        match.chunks.filter(first_deal=played.pop()[0]).delete()
    job = match.job
    job.state, job.error, job.trace, job.finished_at, job.started_at = JobState.QUEUED, "", "", None, None
    job.deadline_at, job.done = deadline or now + USUAL_TIME, sum(deals for _first, deals in played)
    job.attempt = 0
    job.save(update_fields=["state", "error", "trace", "finished_at", "started_at", "deadline_at", "done", "attempt"])
    ends = [0, *(first + deals for first, deals in played)]
    begins = [*(first for first, _deals in played), match.deals]
    _cut(match, [range(end, begin) for end, begin in zip(ends, begins, strict=True) if end < begin])


def _is_readable(chunk: BotMatchChunk) -> bool:
    """Whether the moves of a chunk are there, all of them."""
    try:
        return len(unpack(bytes(chunk.records or b""))[1]) == chunk.deals
    except BadPackage:
        return False


def _cut(match: BotMatch, runs: Sequence[range]) -> None:
    """Cut runs of deals into chunks and call workers for them."""
    # Large, so that few transactions are needed, but enough of them for as many workers as are called at once.
    size = max(DEALS_AS_ROUNDS, min(_CHUNK, match.deals // (2 * jobs.AT_ONCE)), -(-match.deals // _MAXIMUM_CHUNKS))
    pieces = [run[start : start + size] for run in runs for start in range(0, len(run), size)]
    parts = jobs.add_parts(whole=match.job, kind=JobKind.BOT_CHUNK, totals=[len(piece) for piece in pieces])
    BotMatchChunk.objects.bulk_create(
        BotMatchChunk(club_id=match.club_id, bot_match=match, job=part, first_deal=piece.start, deals=len(piece))
        for part, piece in zip(parts, pieces, strict=True)
    )


def cancel(*, access: Access, match_id: int, now: datetime) -> BotMatch:
    """Stop a match that is not over: nothing of it is stored. Raises NotFound, Conflict for one that is over."""
    access.require(Role.SCOREKEEPER)
    match = _found(access, match_id)
    match.job = jobs.cancel(access=access, job_id=match.job_id, now=now)
    return match


def retry(*, access: Access, match_id: int, now: datetime) -> BotMatch:
    """Play a match that has failed or was cancelled after all, from where it stood.

    What was played by another state of games and bots is played anew. Raises NotFound, and Conflict for a match that
    goes on or is done, or where too many others go on.
    """
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        match = _found(access, match_id)
        job = Job.objects.select_for_update(no_key=True).get(pk=match.job_id)
        if job.state not in {JobState.FAILED, JobState.CANCELLED}:
            raise Conflict("bot_match_not_failed", _("Only a match that failed or was cancelled can be tried again."))
        _require_room(access)
        match.job = job
        lay_out(match=match, now=now)
        audit.write(access=access, action="bot_match.retried", object_id=match.pk, data={}, now=now)
    return match


def _found(access: Access, match_id: int) -> BotMatch:
    match = BotMatch.objects.select_related("job").filter(club=access.club, pk=match_id).first()
    if match is None:
        raise NotFound(match_id)
    return match


def plan_of(match: BotMatch) -> Plan:
    """What the deals of a match follow from."""
    bots = tuple(match.seats.order_by("number").values_list("player__bot", flat=True))
    games = (match.game,) if match.game else PURE_XXL
    return Plan(games, bots, match.seed, match.options)


@dataclass(frozen=True, slots=True)
class NoReplay:
    """Why a deal can't be played back: `code` is not_played, dropped, damaged or other_rules."""

    code: str
    message: str


def played_back(match: BotMatch, deal: int) -> Playthrough | NoReplay:
    """A finished deal of the match (from 0), replayed by the rules from its record.

    The answer instead says why where it was not played, its record was dropped by age, or the rules are others now.
    Raises NotFound for a deal that the match does not have.
    """
    if not 0 <= deal < match.deals:
        raise NotFound(deal)
    chunk = match.chunks.filter(first_deal__lte=deal).order_by("-first_deal").first()
    # An archive has the chunks alone that were played: behind one there may be a gap.
    if chunk is None or chunk.tally is None or deal >= chunk.first_deal + chunk.deals:
        return NoReplay("not_played", _("This deal has not been played yet."))
    if chunk.records is None:
        return NoReplay("dropped", _("Moves are kept for a time only, and those of this match are gone."))
    try:
        versions, deals = unpack(bytes(chunk.records))
        played = deals[deal - chunk.first_deal]
        version = versions[played.game]
    except (BadPackage, LookupError):
        logger.error("The moves of chunk %d of bot match %d are damaged.", chunk.pk, match.pk)
        return NoReplay("damaged", _("The stored moves of this deal are damaged and can't be read."))
    try:
        return replay(plan_of(match), deal, played, version)
    except (RecordError, Departure, LookupError, BadSetup):
        return NoReplay("other_rules", _("The rules of this game in this version of the program are others by now."))


def tally_of(match: BotMatch) -> Tally:
    """What the deals played so far add up to."""
    total = Tally.empty(match.seats.count())
    for tally in match.chunks.filter(tally__isnull=False).values_list("tally", flat=True):
        total.join(Tally.from_json(tally or {}))
    return total
