"""The job of a report file: one with so many players and tables that nobody should wait for it in front of a page.

Terms: see `league/services/tournament_files.py`; a file is *large* by its players and tables together.
Promises: what is wrong in the file itself is told at once, as of a small one; all that is stored comes with the job's
end in one transaction, so that a tournament is made once or not at all. What holds names goes: the text when the
tournament is there, all of it some days after the job's end. Never: two jobs for one file at a time.

One transaction tells nothing before its end. So a job's progress says that the file was read, and then that all is
stored; and whoever cancels while it stores waits for the end, and is told that it is over.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from celery import shared_task
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import (
    OVER,
    Club,
    Job,
    JobKind,
    JobState,
    Player,
    Role,
    Tournament,
    TournamentFile,
    name_key,
)
from league.services import audit, jobs, tournament_files
from league.services.access import Access, Actor
from league.services.errors import Conflict, InputError, NeedsConfirmation, NotFound, Problem, overtaken
from league.services.tournament_files import LONGEST_IN_FILE, FileInput, Imported, SoundFile

# More players and tables together take longer than a page or a program should wait for.
AT_ONCE = 80
# Of a job's progress: all of it, and what reading the file is of that.
STEPS = 10
_READ = 1
# How many files of a club may wait or be worked on at once: each is kept whole.
OPEN_FILES = 20
# Long enough to come back to what was looked at.
KEPT = timedelta(days=7)
# Two files find the same short name free at the same moment, or the same guest new to the club.
_TRIES = 3


# --- Asking -----------------------------------------------------------------------------------------------------------


def take(*, access: Access, data: FileInput, looks: bool, now: datetime) -> Imported | TournamentFile:
    """Make a tournament of a file, or look what would come of it: here and now, or of a large file by a job.

    Raises InputError, NeedsConfirmation and Conflict; of a large file, as far as can be told at once.
    """
    sound = tournament_files.check(access=access, data=data, now=now)
    if is_large(sound):
        return ask(access=access, sound=sound, looks=looks, now=now)
    act = tournament_files.look if looks else tournament_files.import_trf
    return act(access=access, sound=sound, now=now)


def is_large(sound: SoundFile) -> bool:
    """Whether a file is one for a job. Its tables are counted by their seats, since to make them takes a while."""
    players = sound.file.players
    seats = sum(entry is not None and entry.opponent is not None for one in players for entry in one.entries)
    return len(players) + seats // 2 > AT_ONCE


def ask(*, access: Access, sound: SoundFile, looks: bool, now: datetime) -> TournamentFile:
    """Have a job make a tournament of a file, or look what would come of it (`looks`).

    Raises InputError and Conflict for what would bar the tournament, Conflict while too many files are under way.
    """
    tournament_files.check_tournament(access=access, sound=sound, now=now)
    data = sound.data
    # By its name the file is found again.
    name = data.name or sound.file.report.name
    given = {"game": data.game, "name": name, "slug": data.slug, "format": data.format}
    with transaction.atomic():
        _check_room(access.club)
        file = TournamentFile(club=access.club, text=data.text, looks=looks)
        file.given = {**given, "confirm": sorted(set(data.confirm))}
        _queue(access, file, now)
    return file


def take_over(*, access: Access, file_id: int, confirm: Collection[str] = (), now: datetime) -> TournamentFile:
    """Have a job make a tournament of a file that was looked at, or whose last job did not come to its end.

    Raises InputError for an unknown code, NotFound, NeedsConfirmation for what was found odd and is not in `confirm`,
    Conflict while a job goes on and where there is no file any more.
    """
    return _again(access=access, file_id=file_id, looks=False, confirm=confirm, now=now)


def look_again(*, access: Access, file_id: int, now: datetime) -> TournamentFile:
    """Have a job look at a file whose last job did not come to its end. Raises NotFound and Conflict."""
    return _again(access=access, file_id=file_id, looks=True, confirm=None, now=now)


def _again(
    *, access: Access, file_id: int, looks: bool, confirm: Collection[str] | None, now: datetime
) -> TournamentFile:
    access.require(Role.SCOREKEEPER)
    tournament_files.check_confirmed(confirm or ())
    with transaction.atomic():
        _check_room(access.club)
        # Alone: joined with its job it would be looked for with the job of before, where another request gave it one.
        file = TournamentFile.objects.select_for_update().filter(club=access.club, pk=file_id).first()
        if file is None:
            raise NotFound(file_id)
        if is_at_work(file):
            raise Conflict("file_at_work", _("A job works on this file already."))
        if is_taken(file):
            raise Conflict("file_taken", _("A tournament was made of this file already."))
        if confirm is not None:
            tournament_files.check_warnings(warnings_of(file), confirm)
            file.given = {**file.given, "confirm": sorted(set(confirm))}
        file.looks = looks
        _queue(access, file, now)
    return file


def _check_room(club: Club) -> None:
    """Raise Conflict while too many files of the club are under way. No other file gets a job until the transaction's
    end.
    """
    list(Club.objects.select_for_update(no_key=True).filter(pk=club.pk))
    if files_under_way(club).count() >= OPEN_FILES:
        message = _("%(number)d report files of this club are under way: wait until one is done.")
        raise Conflict("too_many_files", message % {"number": OPEN_FILES})


def _queue(access: Access, file: TournamentFile, now: datetime) -> None:
    """Give the file a job, and store it."""
    file.job = jobs.queue(access=access, kind=JobKind.TOURNAMENT_FILE, total=STEPS)
    file.save()
    data = {"job": file.job.pk, "looks": file.looks}
    audit.write(access=access, action="tournament_file.asked", object_id=file.pk, data=data, now=now)


def cancel(*, access: Access, file_id: int, now: datetime) -> TournamentFile:
    """Stop the job of a file; the file stays. Raises NotFound, and Conflict for a job that is over."""
    access.require(Role.SCOREKEEPER)
    file = find(access=access, file_id=file_id)
    file.job = jobs.cancel(access=access, job_id=file.job_id, now=now)
    return file


# --- What there is ----------------------------------------------------------------------------------------------------


def find(*, access: Access, file_id: int) -> TournamentFile:
    """A file of the club with its job and tournament. Raises NotFound."""
    file = _rows(access.club).filter(pk=file_id).first()
    if file is None:
        raise NotFound(file_id)
    return file


def to_come_back_to(club: Club) -> QuerySet[TournamentFile]:
    """The club's files of which a tournament may still come, the newest first."""
    return _rows(club).exclude(looks=False, job__state=JobState.DONE).order_by("-pk")


def files_under_way(club: Club) -> QuerySet[TournamentFile]:
    """The club's files that wait for a worker, or that one works on."""
    return TournamentFile.objects.filter(club=club).exclude(job__state__in=OVER)


def _rows(club: Club) -> QuerySet[TournamentFile]:
    rows = TournamentFile.objects.filter(club=club).select_related("job", "tournament", "club")
    return rows.defer("text", "job__outcome")


def is_at_work(file: TournamentFile) -> bool:
    """Whether the file waits for a worker, or one works on it."""
    return file.job.state not in OVER


def is_taken(file: TournamentFile) -> bool:
    """Whether a tournament was made of the file; it may be gone since."""
    return not file.looks and file.job.state == JobState.DONE


def imported(file: TournamentFile) -> Imported | None:
    """What came of a file, or would; None where no job has worked that out. Players who are gone are left out."""
    told = file.outcome
    if "name" not in told:
        return None
    known = Player.objects.in_bulk([pk for _name, pk in told["matched"]])
    made = file.tournament or Tournament(name=told["name"], slug=told["slug"], scores=told["scores"])
    return Imported(
        tournament=made,
        format=told["format"],
        matched={name: known[pk] for name, pk in told["matched"] if pk in known},
        guests=tuple(told["guests"]),
        rounds=told["rounds"],
        planned=told["planned"],
        tables=told["tables"],
        byes=told["byes"],
        forfeits=told["forfeits"],
        withdrawn=tuple(told["withdrawn"]),
        warnings=warnings_of(file),
    )


def problems_of(file: TournamentFile) -> tuple[Problem, ...]:
    """What was found wrong in a file by its last job."""
    return _problems(file.outcome.get("problems", ()))


def warnings_of(file: TournamentFile) -> tuple[Problem, ...]:
    """What was found odd in a file, and has to be confirmed."""
    return _problems(file.outcome.get("warnings", ()))


def _problems(plain: Iterable[Mapping[str, Any]]) -> tuple[Problem, ...]:
    return tuple(Problem(tuple(one["path"]), one["code"], one["message"]) for one in plain)


def _plain(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    return [{"path": list(one.path), "code": one.code, "message": one.message} for one in problems]


def _outcome(found: Imported) -> dict[str, Any]:
    return {
        "name": found.tournament.name,
        "slug": found.tournament.slug,
        "format": str(found.format),
        "scores": dict(found.tournament.scores),
        "matched": [[name, player.pk] for name, player in found.matched.items()],
        "guests": list(found.guests),
        "rounds": found.rounds,
        "planned": found.planned,
        "tables": found.tables,
        "byes": found.byes,
        "forfeits": found.forfeits,
        "withdrawn": list(found.withdrawn),
        "warnings": _plain(found.warnings),
    }


# --- The job ----------------------------------------------------------------------------------------------------------


@shared_task(name=jobs.TASKS[JobKind.TOURNAMENT_FILE])
def take_file(job_id: int) -> None:
    """The task: look at the file of a job or make a tournament of it, if that is still to be done."""
    with jobs.work(job_id=job_id) as claim:
        if claim is not None:
            _carry_out(claim)


def _carry_out(claim: jobs.Claim) -> None:
    file = TournamentFile.objects.select_related("club", "job").filter(job=claim.job_id).first()
    if file is None:
        raise Conflict("file_gone", _("The file is not there any more: give it once more."))
    access = Access(file.club, Role.SCOREKEEPER, Actor(user_id=file.job.user_id, token_id=file.job.token_id))
    try:
        for tries_left in reversed(range(_TRIES)):
            try:
                _take(claim, file, access)
                return
            except (Conflict, InputError) as error:
                if not tries_left or not _is_overtaken(error, file):
                    raise
    except InputError as error:
        _fail(claim, file, problems=error.problems)
    except NeedsConfirmation as error:
        _fail(claim, file, warnings=error.warnings)


def _is_overtaken(error: Conflict | InputError, file: TournamentFile) -> bool:
    """Whether another file, or somebody at a page, took a name that was free when this file was read."""
    if isinstance(error, Conflict):
        return error.code == "slug_taken" and not file.given["slug"]
    return any(one.code == "name_taken" for one in error.problems)


def _take(claim: jobs.Claim, file: TournamentFile, access: Access) -> None:
    data = FileInput(text=file.text, **file.given)
    sound = tournament_files.check(access=access, data=data, now=timezone.now())
    now = timezone.now()
    claim.progress(done=_READ, now=now)
    act = tournament_files.look if file.looks else tournament_files.import_trf
    with transaction.atomic():
        # First of all: whoever lost the job in the meantime writes nothing more.
        claim.finish(now=now)
        found = act(access=access, sound=sound, now=now)
        outcome = _outcome(found)
        if file.looks:
            TournamentFile.objects.filter(pk=file.pk).update(outcome=outcome)
        else:
            TournamentFile.objects.filter(pk=file.pk).update(outcome=outcome, text="", tournament=found.tournament)


def _fail(
    claim: jobs.Claim, file: TournamentFile, *, problems: Iterable[Problem] = (), warnings: Iterable[Problem] = ()
) -> None:
    """End the job with what was found. Its own error names nobody: that of jobs is kept for good."""
    wrong, odd = _plain(problems), _plain(warnings)
    if wrong:
        error = ngettext(
            "%(count)d thing is wrong in the file; nothing was stored.",
            "%(count)d things are wrong in the file; nothing was stored.",
            len(wrong),
        ) % {"count": len(wrong)}
    else:
        error = _("What is odd in the file has to be confirmed; nothing was stored.")
    with transaction.atomic():
        claim.fail(error=error, now=timezone.now())
        TournamentFile.objects.filter(pk=file.pk, job=claim.job_id, job__state=JobState.FAILED).update(
            outcome={"problems": wrong} if wrong else {"warnings": odd}
        )


# --- What goes --------------------------------------------------------------------------------------------------------


def sweep(*, now: datetime) -> int:
    """Drop files whose job is over for some days; how many. Safe to run anywhere, at any time."""
    return TournamentFile.objects.filter(job__finished_at__lt=now - KEPT).delete()[0]


def lock_files(*, club: Club) -> None:
    """Wait for the workers that store a tournament of a file of the club, and bar others to the transaction's end.

    For whoever is about to lock players or tournaments: a worker locks its job first. Raises Conflict where a file got
    a job since.
    """
    files = TournamentFile.objects.filter(club=club).values_list("job", flat=True)
    held = set(
        Job.objects.select_for_update(no_key=True).filter(pk__in=files).order_by("pk").values_list("pk", flat=True)
    )
    # After the jobs, as a worker does that stores what moves the club's pages; who asks for a job has none yet.
    list(Club.objects.select_for_update(no_key=True).filter(pk=club.pk))
    if not held.issuperset(files):
        raise overtaken()


def drop_files(*, access: Access, players: Collection[Player], now: datetime) -> None:
    """Drop the club's files that may name one of these players; a job that goes on is cancelled.

    Any word of a name will do: files turn names round and cut them. `lock_files` comes before.
    """
    ids = {one.pk for one in players}
    names = [name for one in players for name in (one.name, one.nickname) if name]
    wanted = {word[:LONGEST_IN_FILE] for name in names for word in _words(name)}
    wanted = {word for word in wanted if len(word) > 1} or wanted
    # A name of signs alone has no word.
    signs = [name_key(name) for name in names if not _words(name)]
    for file in TournamentFile.objects.filter(club=access.club).select_related("job"):
        told = _folded(file.text + json.dumps([file.given, file.outcome], ensure_ascii=False))
        means = ids & {pk for _name, pk in file.outcome.get("matched", ())}
        if not means and wanted.isdisjoint(_words(told)) and not any(sign in told for sign in signs):
            continue
        if is_at_work(file):
            jobs.cancel(access=access, job_id=file.job_id, now=now)
        file.delete()


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", _folded(text)))


def _folded(text: str) -> str:
    """As `name_key` folds, which takes too long for a whole file."""
    for letter in {one for one in set(text) if unicodedata.category(one) == "Cf"}:
        text = text.replace(letter, "")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
