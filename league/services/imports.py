"""Imports: a file of another program is looked at, decided on, stored by a job, and taken back by another.

Terms: a *batch* is one file with its preview, decisions and outcome; a *mark* says which session holds a play of the
file's program. See `league/services/import_preview.py` for matches and fates.

Promises: looking stores nothing but the batch; every play goes through `results.record_all` and is stored together with
its mark or not at all, so that a worker may die anywhere and a file may come again without anything stored twice;
taking back voids all sessions of a batch, and its plays can be imported again. Bytes and decisions, which hold names,
are dropped when a batch is over.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from celery import shared_task
from django.db import IntegrityError, transaction
from django.db.models import RestrictedError
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from games.catalog import GAMES, GameInfo
from league.exchange import formats
from league.exchange.plays import NotRead, Play, PlayFile, one_line
from league.models import (
    ClubGame,
    ImportBatch,
    ImportMark,
    ImportState,
    Job,
    JobKind,
    JobState,
    Player,
    Role,
    Round,
    Seat,
    name_key,
)
from league.scoring.problems import CODES
from league.services import audit, corrections, games, jobs, players, results
from league.services.access import Access, Actor
from league.services.errors import Conflict, InputError, NotFound, Problem, ServiceError, not_a_choice
from league.services.evenings import SessionInput
from league.services.import_preview import (
    FATES,
    NEW,
    SKIP,
    CanNotBe,
    Decisions,
    GameDecision,
    GameMatch,
    PlayerDecision,
    Preview,
    Told,
    look,
    session_input,
)
from league.services.import_words import told
from league.services.session_rows import find_season

# What looks odd was confirmed with the preview as a whole.
_CONFIRM = frozenset(
    {code for code, entry in CODES.items() if entry.kind == "warning"} | {"ends_early", "possible_duplicate"}
)
# Plays that are stored in one transaction: few enough that nobody waits long for the season's lock.
_CHUNK = 50
# Sessions that are voided in one: more, since the standings are counted anew each time.
_UNDO_CHUNK = 200
# Of a file that is wrong throughout nobody reads more.
MAX_PROBLEMS = 1000
# A file that nobody came back to is dropped when the club's next one comes.
_KEEP_PREVIEWS = timedelta(days=7)
_HOLD_STEP = jobs.LEASE / 6
REPEATED = ("once", SKIP)
DUPLICATES = (SKIP, "import")


# --- Looking ----------------------------------------------------------------------------------------------------------


def upload(*, access: Access, name: str, content: bytes, now: datetime) -> ImportBatch:
    """Store a file with its preview. Raises InputError when there is nothing to be had from it."""
    access.require(Role.ADMIN)
    file = _read(content)
    # Before the transaction: a large file takes seconds, and SQLite lets nobody else write meanwhile.
    preview = look(club=access.club, file=file, decisions=Decisions(), season=None, now=now)
    with transaction.atomic():
        old = ImportBatch.objects.filter(club=access.club, state=ImportState.PREVIEW)
        old.filter(created_at__lt=now - _KEEP_PREVIEWS).delete()
        return ImportBatch.objects.create(
            club=access.club,
            source=file.source,
            file_name=one_line(name, 200) or _("file"),
            file_sha256=hashlib.sha256(content).hexdigest(),
            content=content,
            decisions=Decisions().plain(),
            outcome={"preview": _summary(preview)},
            user_id=access.actor.user_id,
            token_id=access.actor.token_id,
        )


def _read(content: bytes) -> PlayFile:
    try:
        return formats.read(content)
    except NotRead as refused:
        raise InputError([Problem(("file",), refused.code, told(refused.code, refused.params))]) from refused


def decide(*, access: Access, batch_id: int, changes: Mapping[str, Any], now: datetime) -> ImportBatch:
    """Decide on names and more, and look again.

    `changes`: `players` (name of the file -> PlayerDecision), `games` (name -> GameDecision), `repeated` (one of
    `REPEATED`), `duplicates` (one of `DUPLICATES`), `season` (SeasonRef or None). What is not named stays. Raises
    InputError for a name that the file does not have or a player or game that the club does not have.
    """
    access.require(Role.ADMIN)
    with transaction.atomic():
        batch = _locked(access, batch_id)
        _require_state(batch, {ImportState.PREVIEW})
        if "season" in changes:
            batch.season = find_season(club=access.club, reference=changes["season"])
        if batch.content is None:
            raise Conflict("import_file_gone", _("The file of this import is not here any more: upload it again."))
        file = formats.read(bytes(batch.content))
        decisions = _decided(access, file, Decisions.of(batch.decisions), changes)
        preview = look(club=access.club, file=file, decisions=decisions, season=batch.season, now=now)
        batch.decisions = decisions.plain()
        batch.outcome = {"preview": _summary(preview)}
        batch.save(update_fields=["season", "decisions", "outcome"])
    return batch


def _decided(access: Access, file: PlayFile, before: Decisions, changes: Mapping[str, Any]) -> Decisions:
    problems: list[Problem] = []
    named = {name_key(name) for play in file.plays for name in play.players}
    played = {name_key(one.game) for play in file.plays for one in play.rounds}
    chosen: dict[str, PlayerDecision] = changes.get("players", {})
    ids = {one.player for one in chosen.values() if one.action == "player" and one.player is not None}
    known = set(Player.objects.filter(club=access.club, pk__in=ids, erased_at=None).values_list("pk", flat=True))
    for name, person in chosen.items():
        path = ("players", name)
        if name_key(name) not in named:
            problems.append(Problem(path, "unknown_name", _("The file does not name “%(name)s”.") % {"name": name}))
        elif person.action not in {"player", NEW, SKIP}:
            problems.append(not_a_choice(path, "unknown_action", ["player", NEW, SKIP]))
        elif person.action == "player" and person.player not in known:
            problems.append(Problem(path, "unknown_player", _("Give the id of a player of this club.")))
    chosen_games: dict[str, GameDecision] = changes.get("games", {})
    available = games.available(club=access.club)
    for name, game in chosen_games.items():
        path = ("games", name)
        if name_key(name) not in played:
            problems.append(Problem(path, "unknown_name", _("The file does not name “%(name)s”.") % {"name": name}))
        elif game.action not in {"game", NEW, SKIP}:
            problems.append(not_a_choice(path, "unknown_action", ["game", NEW, SKIP]))
        elif game.action == "game" and game.game not in available:
            problems.append(not_a_choice(path, "unknown_game", available))
    for field, allowed in (("repeated", REPEATED), ("duplicates", DUPLICATES)):
        if field in changes and changes[field] not in allowed:
            problems.append(not_a_choice((field,), "unknown_choice", allowed))
    if problems:
        raise InputError(problems)
    return Decisions(
        players={**before.players, **{name_key(name): one for name, one in chosen.items()}},
        games={**before.games, **{name_key(name): one for name, one in chosen_games.items()}},
        repeated=changes.get("repeated", before.repeated),
        duplicates=changes.get("duplicates", before.duplicates),
    )


def discard(*, access: Access, batch_id: int) -> None:
    """Drop a batch that was only looked at. Raises Conflict for one that was imported."""
    access.require(Role.ADMIN)
    with transaction.atomic():
        batch = _locked(access, batch_id)
        _require_state(batch, {ImportState.PREVIEW})
        batch.delete()


def _locked(access: Access, batch_id: int) -> ImportBatch:
    found = ImportBatch.objects.select_for_update(of=("self",)).filter(club=access.club, pk=batch_id)
    batch = found.select_related("job", "season").first()
    if batch is None:
        raise NotFound(batch_id)
    return batch


def _require_state(batch: ImportBatch, allowed: set[ImportState]) -> None:
    """Raise Conflict for a batch in another state; one whose job failed may be tried again."""
    if batch.state not in allowed:
        raise Conflict("import_state", _("This import is: %(state)s.") % {"state": batch.get_state_display()})
    if batch.state in {ImportState.APPLYING, ImportState.REVERTING} and (
        batch.job is not None and batch.job.state != JobState.FAILED
    ):
        raise Conflict("import_state", _("This import is: %(state)s.") % {"state": batch.get_state_display()})


# --- What a preview or an outcome says, as it is stored ---------------------------------------------------------------


def _summary(preview: Preview) -> dict[str, Any]:
    plays = preview.file.plays
    days = [play.day for play in plays]
    return {
        "counts": _counts(preview),
        "first_day": min(days).isoformat() if days else None,
        "last_day": max(days).isoformat() if days else None,
        "players": [
            {
                "name": one.name,
                "plays": one.plays,
                "action": one.action,
                "player": _person(one.player),
                "suggestions": [_person(player) for player in one.suggestions],
            }
            for one in preview.players.values()
        ],
        "games": [
            {
                "name": one.name,
                "plays": one.plays,
                "action": one.action,
                "game": one.game.key if one.game is not None and one.action == "game" else None,
                "suggestions": [game.key for game in one.suggestions],
                "high_wins": one.high_wins,
                "cooperative": one.cooperative,
                "decided": one not in preview.undecided_games(),
            }
            for one in preview.games.values()
        ],
        "repeated": preview.repeated,
        "undecided": _undecided(preview),
        **_stored_problems(preview.problems),
    }


def _undecided(preview: Preview) -> list[str]:
    """Which decisions are open."""
    repeated = preview.repeated and not preview.decisions.repeated
    return [
        *(["players"] if preview.undecided_players() else []),
        *(["games"] if preview.undecided_games() else []),
        *(["repeated"] if repeated else []),
    ]


def _person(player: Player | None) -> dict[str, Any] | None:
    return None if player is None else {"id": player.pk, "name": player.name}


def _counts(preview: Preview) -> dict[str, int]:
    """How many plays have each fate; those that could not be read are problems as well."""
    unread = {one.line for one in preview.file.problems if one.is_error and one.line is not None}
    counts = {fate: preview.fates.count(fate) for fate in FATES}
    return {**counts, "problem": counts["problem"] + len(unread)}


def _stored_problems(problems: Sequence[Told]) -> dict[str, Any]:
    # The worst first: what is left out, then what is merely odd, each in the file's order.
    ordered = sorted(problems, key=lambda one: not one.is_error)
    return {
        "problems": [
            [one.line, one.code, dict(one.params), one.is_error, one.message] for one in ordered[:MAX_PROBLEMS]
        ],
        "problems_total": len(problems),
    }


@dataclass(frozen=True, slots=True)
class ProblemLine:
    """A problem to be shown: `line` of the file (None: all of it); an error left the play out."""

    line: int | None
    code: str
    is_error: bool
    message: str


def problems_of(batch: ImportBatch) -> list[ProblemLine]:
    """The problems of a batch's preview or outcome, at most `MAX_PROBLEMS`, in the active language."""
    stored = batch.outcome.get("preview", batch.outcome).get("problems", [])
    return [
        ProblemLine(line, code, is_error, message or told(code, params))
        for line, code, params, is_error, message in stored
    ]


# --- Storing ----------------------------------------------------------------------------------------------------------


def apply(*, access: Access, batch_id: int, now: datetime) -> ImportBatch:
    """Let a job store what the preview says.

    Raises InputError while something is undecided, Conflict for a batch that was imported or a closed season.
    """
    access.require(Role.ADMIN)
    with transaction.atomic():
        batch = _locked(access, batch_id)
        _require_state(batch, {ImportState.PREVIEW, ImportState.APPLYING})
        if batch.content is None:
            raise Conflict("import_file_gone", _("The file of this import is not here any more: upload it again."))
        preview = batch.outcome["preview"]
        sentences = {
            "players": _("Say of each name that resembles a player who it is."),
            "games": _("Say of each unknown game what it is, and of a new one which score wins."),
            "repeated": _("Say what becomes of plays that stand for several: “once” or “skip”."),
        }
        if open_ones := preview["undecided"]:
            raise InputError(Problem((one,), "undecided", sentences[one]) for one in open_ones)
        find_season(club=access.club, reference=batch.season_id)
        batch.job = jobs.queue(access=access, kind=JobKind.IMPORT, total=max(1, preview["counts"]["ready"]))
        batch.state = ImportState.APPLYING
        batch.save(update_fields=["job", "state"])
        audit.write(access=access, action="import.started", object_id=batch.pk, data={"source": batch.source}, now=now)
    return batch


# Told how many steps of how many are done.
Report = Callable[[int, int], None]


def _nobody(done: int, total: int) -> None:
    """Report to nobody: the job's row says how far it is."""


@shared_task(name=jobs.TASKS[JobKind.IMPORT])
def run(job_id: int) -> None:
    """The task: store the batch of a job, if it is still to be stored."""
    carry_out(job_id)


def carry_out(job_id: int, report: Report = _nobody) -> bool:
    """Store or take back the batch of a job here and now; False when another worker has it or it is over."""
    with jobs.work(job_id=job_id) as claim:
        if claim is not None:
            batch = ImportBatch.objects.select_related("club", "season", "job").get(job_id=job_id)
            act = _store if batch.state == ImportState.APPLYING else _take_back
            act(claim, batch, report)
        return claim is not None


def _access(batch: ImportBatch) -> Access:
    job = batch.job
    actor = Actor(user_id=job.user_id, token_id=job.token_id) if job is not None else Actor()
    return Access(batch.club, Role.ADMIN, actor)


def _store(claim: jobs.Claim, batch: ImportBatch, report: Report) -> None:
    if batch.content is None:
        raise RuntimeError(f"import {batch.pk} has lost its file")
    file = formats.read(bytes(batch.content))
    hold = _holder(claim)
    now = timezone.now()
    preview = look(
        club=batch.club,
        file=file,
        decisions=Decisions.of(batch.decisions),
        season=batch.season,
        now=now,
        batch_id=batch.pk,
        tick=hold,
    )
    todo = _in_order(file, preview.ready())
    # What an earlier attempt stored is done.
    before = ImportMark.objects.filter(batch=batch).count()
    total = before + len(todo)
    with transaction.atomic():
        claim.progress(done=0, now=now)
        Job.objects.filter(pk=claim.job_id).update(total=max(1, total))
        meant = _prepare(batch, preview, todo, now)
    refused: list[Told] = []
    done = before
    for chunk in _chunks(todo):
        now = timezone.now()
        with transaction.atomic():
            # First of all: whoever lost the job in the meantime writes nothing more.
            claim.progress(done=done, now=now)
            refused += _store_chunk(batch, chunk, meant, now)
        done += len(chunk)
        report(done, total)
    _finish_storing(claim, batch, preview, refused)


def _holder(claim: jobs.Claim) -> Callable[[], None]:
    """A call that keeps the job for another lease, unless it did so a moment ago."""
    held = timezone.now()

    def hold() -> None:
        nonlocal held
        now = timezone.now()
        if now - held >= _HOLD_STEP:
            claim.progress(done=0, now=now)
            held = now

    return hold


def _in_order(file: PlayFile, plays: Iterable[Play]) -> list[Play]:
    """Plays as they were played: sessions of one day are in the order in which they are recorded."""
    # BoardGameGeek lists the newest first.
    sign = -1 if file.source == "bgg" else 1
    return sorted(plays, key=lambda play: (play.day, sign * play.line))


def _chunks(plays: Iterable[Play]) -> Iterator[list[Play]]:
    rest = iter(plays)
    while chunk := list(islice(rest, _CHUNK)):
        yield chunk


@dataclass(frozen=True, slots=True)
class _Meant:
    """Ids of players and keys of games by the compared names of the file, and the club's games by key."""

    people: Mapping[str, int]
    keys: Mapping[str, str]
    known: Mapping[str, GameInfo]


def _prepare(batch: ImportBatch, preview: Preview, todo: Sequence[Play], now: datetime) -> _Meant:
    """Make the players and games that the plays need."""
    access = _access(batch)
    needed = {name_key(name) for play in todo for name in play.players}
    people = {}
    for key in sorted(needed):
        match = preview.players[key]
        player = match.player or Player.objects.filter(club=batch.club, name_key=key).first()
        if player is None:
            player = players.create(access=access, name=match.name, now=now)
            batch.created_players = [*batch.created_players, player.pk]
        elif player.archived_at is not None:
            players.update(access=access, player_id=player.pk, changes={"archived": False}, now=now)
        people[key] = player.pk
    played = {name_key(one.game) for play in todo for one in play.rounds}
    keys = {key: _game_key(batch, access, preview.games[key], now) for key in sorted(played)}
    batch.save(update_fields=["created_players", "created_games"])
    return _Meant(people, keys, games.available(club=batch.club))


def _game_key(batch: ImportBatch, access: Access, match: GameMatch, now: datetime) -> str:
    """The key of the game that is meant, made first where it is new."""
    if match.action == "game" and match.game is not None:
        return match.game.key
    made = ClubGame.objects.filter(club=batch.club, key__in=batch.created_games, name=match.name).first()
    if made is not None:
        return made.key
    # Another import may have made the very game since this one was looked at.
    fields = match.fields()
    kind = {name: fields[name] for name in ("scored_by", "high_wins", "cooperative")}
    alike = ClubGame.objects.filter(club=batch.club, archived_at=None, max_players__gte=match.most_players, **kind)
    same = next((one for one in alike.order_by("pk") if name_key(one.name) == name_key(match.name)), None)
    if same is not None:
        return same.key
    stem = slugify(match.name)[:24].strip("-") or "game"
    taken = {*GAMES, *ClubGame.objects.filter(club=batch.club).values_list("key", flat=True)}
    free = (
        key for number in range(1, len(taken) + 2) if (key := f"{stem}-{number}" if number > 1 else stem) not in taken
    )
    game = games.create(access=access, key=next(free), name=match.name, fields=fields, now=now)
    batch.created_games = [*batch.created_games, game.key]
    return game.key


def _store_chunk(batch: ImportBatch, chunk: Sequence[Play], meant: _Meant, now: datetime) -> list[Told]:
    """Store plays together, each with its mark; what was refused. What is wrong with all is told of each."""
    try:
        with transaction.atomic():
            return _store_plays(batch, chunk, meant, now)
    except (IntegrityError, ServiceError) as error:
        if len(chunk) > 1:
            # One of them spoils it for all: each for itself then.
            return [one for play in chunk for one in _store_chunk(batch, [play], meant, now)]
        if isinstance(error, ServiceError):
            return list(Told.of_service(chunk[0].line, error))
        marks = ImportMark.objects.filter(club=batch.club, source=batch.source, external_id=chunk[0].external_id)
        if not marks.exists():
            raise
        return []  # another import of the same file was quicker


def _store_plays(batch: ImportBatch, plays: Sequence[Play], meant: _Meant, now: datetime) -> list[Told]:
    refused: list[Told] = []
    fitting: list[tuple[Play, SessionInput]] = []
    for play in plays:
        try:
            data = session_input(play, players=meant.people, keys=meant.keys, known=meant.known, season=batch.season_id)
        except CanNotBe as error:
            refused.append(Told(play.line, error.code, {}, True))
        else:
            fitting.append((play, data))
    outcomes = results.record_all(
        access=_access(batch),
        entries=[data for _play, data in fitting],
        season=batch.season_id,
        confirm=_CONFIRM,
        now=now,
    )
    marks = []
    for (play, _data), outcome in zip(fitting, outcomes, strict=True):
        if isinstance(outcome, ServiceError):
            refused += Told.of_service(play.line, outcome)
        else:
            marks.append(
                ImportMark(
                    club=batch.club, batch=batch, source=batch.source, external_id=play.external_id, session=outcome
                )
            )
    ImportMark.objects.bulk_create(marks)
    return refused


def _finish_storing(claim: jobs.Claim, batch: ImportBatch, preview: Preview, refused: Sequence[Told]) -> None:
    now = timezone.now()
    counts = _counts(preview)
    with transaction.atomic():
        claim.finish(now=now)
        stored = ImportMark.objects.filter(batch=batch).count()
        # What an earlier attempt stored was found as imported by this one.
        outcome = {
            "counts": {
                "stored": stored,
                "imported": counts["imported"] + counts["ready"] - stored - len(_lines(refused)),
                "duplicate": counts["duplicate"],
                "skipped": counts["skipped"] + counts["undecided"],
                "problem": counts["problem"] + len(_lines(refused)),
            },
            **_stored_problems([*preview.problems, *refused]),
        }
        ImportBatch.objects.filter(pk=batch.pk).update(
            state=ImportState.APPLIED, content=None, decisions={}, outcome=outcome, finished_at=now
        )
        audit.write(
            access=_access(batch), action="import.applied", object_id=batch.pk, data={"stored": stored}, now=now
        )


def _lines(problems: Iterable[Told]) -> set[int | None]:
    return {one.line for one in problems}


# --- Taking back ------------------------------------------------------------------------------------------------------


def revert(*, access: Access, batch_id: int, now: datetime) -> ImportBatch:
    """Let a job void all sessions of a batch, of one too whose import failed half-way. Raises Conflict otherwise."""
    access.require(Role.ADMIN)
    with transaction.atomic():
        batch = _locked(access, batch_id)
        _require_state(batch, {ImportState.APPLYING, ImportState.APPLIED, ImportState.REVERTING})
        total = ImportMark.objects.filter(batch=batch).count()
        batch.job = jobs.queue(access=access, kind=JobKind.IMPORT_UNDO, total=max(1, total))
        batch.state = ImportState.REVERTING
        batch.save(update_fields=["job", "state"])
        audit.write(access=access, action="import.undo_started", object_id=batch.pk, data={}, now=now)
    return batch


@shared_task(name=jobs.TASKS[JobKind.IMPORT_UNDO])
def run_undo(job_id: int) -> None:
    """The task: take back the batch of a job, if it is still to be taken back."""
    carry_out(job_id)


def _take_back(claim: jobs.Claim, batch: ImportBatch, report: Report) -> None:
    access = _access(batch)
    reason = _("Import “%(name)s” was taken back.") % {"name": batch.file_name[:200]}
    total = batch.job.total if batch.job is not None else 1
    kept: list[Told] = []
    last = 0
    done = total - ImportMark.objects.filter(batch=batch).count()
    while True:
        now = timezone.now()
        with transaction.atomic():
            claim.progress(done=max(0, done), now=now)
            rest = ImportMark.objects.filter(batch=batch, pk__gt=last).order_by("pk")
            marks = list(rest[:_UNDO_CHUNK])
            if not marks:
                break
            last = marks[-1].pk
            kept += _void(access, marks, reason, now)
        done += len(marks)
        report(done, total)
    _finish_taking_back(claim, batch, access, kept)


def _void(access: Access, marks: Sequence[ImportMark], reason: str, now: datetime) -> list[Told]:
    """Void the sessions and drop their marks; what was refused, whose marks stay."""
    try:
        ids = [mark.session_id for mark in marks]
        corrections.void_all(access=access, session_ids=ids, reason=reason, now=now)
    except ServiceError as error:
        if len(marks) > 1:
            # One of them spoils it for all, as a session that was moved to a closed season: each for itself then.
            return [one for mark in marks for one in _void(access, [mark], reason, now)]
        return list(Told.of_service(0, error))
    ImportMark.objects.filter(pk__in=[mark.pk for mark in marks]).delete()
    return []


def _finish_taking_back(claim: jobs.Claim, batch: ImportBatch, access: Access, kept: Sequence[Told]) -> None:
    now = timezone.now()
    with transaction.atomic():
        claim.finish(now=now)
        if not kept:
            _drop_players(batch, access, now)
            _drop_games(batch, access, now)
        left = ImportMark.objects.filter(batch=batch).count()
        outcome = {**batch.outcome, "kept": left, "kept_because": sorted({one.message for one in kept})[:5]}
        ImportBatch.objects.filter(pk=batch.pk).update(
            state=ImportState.APPLIED if kept else ImportState.REVERTED,
            content=None,
            decisions={},
            outcome=outcome,
            finished_at=now,
        )
        audit.write(access=access, action="import.undone", object_id=batch.pk, data={"kept": left}, now=now)


def _drop_players(batch: ImportBatch, access: Access, now: datetime) -> None:
    """Delete the players that the import made and nobody else uses; who sits in void sessions is archived."""
    for player in Player.objects.filter(club=batch.club, pk__in=batch.created_players, member=None, archived_at=None):
        if Seat.objects.filter(player=player, session__voided_at=None).exists():
            continue
        with suppress(RestrictedError), transaction.atomic():
            player.delete()
            continue
        players.update(access=access, player_id=player.pk, changes={"archived": True}, now=now)


def _drop_games(batch: ImportBatch, access: Access, now: datetime) -> None:
    """The same for games."""
    for game in ClubGame.objects.filter(club=batch.club, key__in=batch.created_games, archived_at=None):
        played = Round.objects.filter(club=batch.club, game=game.key)
        if not played.exists():
            game.delete()
        elif not played.filter(session__voided_at=None).exists():
            games.update(access=access, key=game.key, changes={"archived": True}, now=now)
