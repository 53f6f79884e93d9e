"""Bot matches: asked for, played by a worker, stored as a session through the one door of every result.

A match of one deal is a session of a single game; a match of several is a session with as many rounds, of Individual
XXL where the game belongs to that family, a series of one game elsewhere. What changes from deal to deal at a table,
such as the dealer, is the game's to say (`Game.series_options`). Seeds of deals: `games.match.deal_seed`.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from celery import shared_task
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.bots import BOTS, bots_for, plays
from games.catalog import GAMES, GameInfo
from games.core import SEED_LIMIT, Json, Playthrough
from games.match import deal_seed, play_through
from games.record import Record
from league.models import BotMatch, BotMatchSeat, JobKind, PlayerKind, Role, Session, SessionFormat, SessionStatus
from league.services import audit, evenings, jobs, results, session_rows, webhooks
from league.services.access import Access, Actor
from league.services.errors import InputError, Path, Problem, out_of_range
from league.services.players import PlayerRef, find
from league.services.results import RoundInput, ScoreInput, SeasonRef, SeatInput, SessionInput

MAXIMUM_DEALS = 100
MAXIMUM_SEED = SEED_LIMIT - 1
# Warnings that speak of the plan of an evening of people; a bot match has just the deals it was asked for.
_CONFIRM = frozenset({"too_few_rounds", "unequal_declarations", "possible_duplicate"})
_PROGRESS_STEP = timedelta(milliseconds=200)
# Bots that think can take longer over one deal than a lease lasts.
_HOLD_STEP = jobs.LEASE / 6


@dataclass(frozen=True, slots=True)
class BotMatchInput:
    """What to play: `players` are bots of the club in seat order; `seed` None: drawn; `played_on` None: today."""

    game: str
    players: tuple[PlayerRef, ...]
    seed: int | None = None
    deals: int = 1
    season: SeasonRef | None = None
    played_on: date | None = None


def request(*, access: Access, data: BotMatchInput, now: datetime) -> BotMatch:
    """Store a bot match to be played by a worker.

    Raises InputError for a game without an engine, a table of the wrong size, a player who is no bot.
    """
    access.require(Role.SCOREKEEPER)
    game = _game(data)
    with transaction.atomic():
        season = session_rows.find_season(club=access.club, reference=data.season)
        played_on = data.played_on or access.club.local_date(now)
        evenings.check_date(played_on, season, now, club=access.club)
        references: list[tuple[Path, PlayerRef]] = [(("players", i), one) for i, one in enumerate(data.players)]
        found = find(club=access.club, references=references)
        players = [found[one] for one in data.players]
        problems = []
        for index, player in enumerate(players):
            if player.kind != PlayerKind.BOT:
                message = _("“%(player)s” is a person: only bots play a bot match.") % {"player": player.name}
                problems.append(Problem(("players", index), "not_a_bot", message))
            elif player in players[:index]:
                message = _("“%(player)s” is named twice: a player sits at a table once.") % {"player": player.name}
                problems.append(Problem(("players", index), "player_twice", message))
            elif not plays(player.bot, game.key):
                message = _("“%(player)s” is played by %(bot)s, which can't play this game; these can: %(choices)s.")
                message %= {"player": player.name, "bot": player.bot, "choices": ", ".join(bots_for(game.key))}
                problems.append(Problem(("players", index), "bot_cant_play", message))
        if problems:
            raise InputError(problems)
        job = jobs.queue(access=access, kind=JobKind.BOT_MATCH, total=data.deals)
        match = BotMatch.objects.create(
            club=access.club,
            job=job,
            season=season,
            game=game.key,
            seed=secrets.randbelow(MAXIMUM_SEED + 1) if data.seed is None else data.seed,
            deals=data.deals,
            played_on=played_on,
        )
        BotMatchSeat.objects.bulk_create(
            BotMatchSeat(club=access.club, bot_match=match, number=number, player=player)
            for number, player in enumerate(players)
        )
        audit.write(
            access=access,
            action="bot_match.requested",
            object_id=match.pk,
            data={"game": game.key, "deals": data.deals, "players": [player.pk for player in players]},
            now=now,
        )
    return match


def _game(data: BotMatchInput) -> GameInfo:
    playable = [key for key, info in GAMES.items() if info.engine is not None]
    if data.game not in playable:
        message = _("Bots can't play this game. Choose one of: %(choices)s.") % {"choices": ", ".join(playable)}
        raise InputError([Problem(("game",), "no_engine", message)])
    game = GAMES[data.game]
    problems = out_of_range(("deals",), data.deals, 1, MAXIMUM_DEALS)
    if data.seed is not None:
        problems += out_of_range(("seed",), data.seed, 0, MAXIMUM_SEED)
    if not game.min_players <= len(data.players) <= game.max_players:
        message = _("Name %(minimum)d to %(maximum)d players.")
        params = {"minimum": game.min_players, "maximum": game.max_players}
        problems.append(Problem(("players",), "players_out_of_range", message % params))
    if problems:
        raise InputError(problems)
    return game


@shared_task(name=jobs.TASKS[JobKind.BOT_MATCH])
def play(job_id: int) -> None:
    """The task: play the match of a job, if it is still to be played."""
    with jobs.work(job_id=job_id) as claim:
        if claim is not None:
            _play(claim)


def _play(claim: jobs.Claim) -> None:
    match = BotMatch.objects.select_related("club", "job").get(job_id=claim.job_id)
    seats = list(match.seats.select_related("player"))
    info = GAMES[match.game]
    engine = info.engine
    if engine is None:
        raise RuntimeError(f"{match.game} has no engine any more")
    rounds: list[RoundInput] = []
    records: list[dict[str, Json]] = []
    reported = timezone.now()

    def report(step: timedelta) -> None:
        """Store how many deals are done, and so hold the job, unless that was done a moment ago."""
        nonlocal reported
        now = timezone.now()
        if now - reported >= step:
            claim.progress(done=len(rounds), now=now)
            reported = now

    for deal in range(match.deals):
        options = engine.read_options(len(seats), engine.series_options(len(seats), deal))
        rules = engine.with_options(options)
        bots = [BOTS[seat.player.bot](rules) for seat in seats]
        seed = deal_seed(match.seed, deal)
        played = play_through(engine, bots, seed, options, lambda _played: report(_HOLD_STEP))
        rounds.append(_round(info, seats, played))
        records.append(Record.of(played).to_json())
        report(_PROGRESS_STEP)
    _store(claim, match, seats, rounds, records)


def _round(info: GameInfo, seats: Sequence[BotMatchSeat], played: Playthrough) -> RoundInput:
    """A finished game as a round of the session; how it ended is its note where the catalogue knows it as one."""
    outcome = played.outcome()
    if outcome is None:
        raise RuntimeError(f"{info.key} did not end")
    scores = zip(seats, outcome.scores, strict=True)
    return RoundInput(
        game=info.key,
        scores=tuple(ScoreInput(seat.player_id, points) for seat, points in scores),
        note=outcome.reason if outcome.reason in info.notes else "",
    )


def _format(match: BotMatch) -> SessionFormat:
    if match.deals == 1:
        return SessionFormat.SINGLE_GAME
    return SessionFormat.INDIVIDUAL_XXL if GAMES[match.game].family == "xxl" else SessionFormat.SERIES


def _store(
    claim: jobs.Claim,
    match: BotMatch,
    seats: list[BotMatchSeat],
    rounds: list[RoundInput],
    records: list[dict[str, Json]],
) -> None:
    """Finish the job and record the session: one transaction, so that neither stands without the other."""
    now = timezone.now()
    access = Access(match.club, Role.SCOREKEEPER, Actor(user_id=match.job.user_id, token_id=match.job.token_id))
    data = SessionInput(
        format=_format(match),
        played_on=match.played_on,
        players=tuple(SeatInput(seat.player_id) for seat in seats),
        season=match.season_id,
        planned_rounds=match.deals,
        rounds=tuple(rounds),
        status=SessionStatus.COMPLETE,
    )
    with transaction.atomic():
        claim.finish(now=now)
        session: Session = results.record(access=access, data=data, confirm=_CONFIRM, now=now)
        BotMatch.objects.filter(pk=match.pk).update(session=session, records=records)
        told = {"bot_match": match.pk, "session": session.pk, "season": match.season_id, "game": match.game}
        webhooks.emit(club=match.club, event="bot_match.finished", data=told, now=now)
