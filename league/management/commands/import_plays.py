"""`manage.py import_plays CLUB FILE`: plays of another program, shown first and stored on a yes."""

import time
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from league.exchange.plays import MAX_BYTES
from league.models import Club, ImportBatch, Job, JobState, Role, User
from league.services import imports
from league.services.access import Access, Actor, of_user
from league.services.errors import Conflict, Forbidden, InputError, NotFound, ServiceError
from league.services.import_preview import NEW, SKIP, GameDecision, PlayerDecision
from league.services.import_words import FATES, line_of

_POLL_SECONDS = 0.5
_SHOWN_PROBLEMS = 20


class Command(BaseCommand):
    help = "Imports a file of BG Stats, BoardGameGeek (XML), CSV or an archive into a club (docs/imports.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the short name of the club")
        parser.add_argument("file", type=Path, help="the file to import")
        parser.add_argument("--season", help="as league/season by their short names; without, no table counts it")
        parser.add_argument("--user", help="the admin of the club in whose name it is done")
        parser.add_argument("--yes", action="store_true", help="store it without asking")
        parser.add_argument(
            "--alike", choices=["same", NEW, SKIP], help="names that resemble a player: the same, new, or left out"
        )
        parser.add_argument(
            "--games", choices=[NEW, SKIP], help="unknown games: new where the file shows which score wins, or left out"
        )
        parser.add_argument("--repeated", choices=imports.REPEATED, help="rows that stand for several plays")
        parser.add_argument("--duplicates", choices=imports.DUPLICATES, help="results that are here from elsewhere")

    def handle(self, *args: Any, **options: Any) -> None:
        access = _access(options["slug"], options["user"])
        content = _content(options["file"])
        try:
            batch = imports.upload(access=access, name=options["file"].name, content=content, now=timezone.now())
            try:
                changes = _changes(batch, options)
                if changes:
                    batch = imports.decide(access=access, batch_id=batch.pk, changes=changes, now=timezone.now())
                self._show(batch)
                wanted = options["yes"] or input("Store these plays? [y/N] ").strip().lower() in {"y", "yes", "j", "ja"}
                if not wanted:
                    self.stdout.write("Nothing was stored.")
                    return
                batch = imports.apply(access=access, batch_id=batch.pk, now=timezone.now())
            finally:
                with suppress(Conflict):  # it is under way
                    imports.discard(access=access, batch_id=batch.pk)
        except ServiceError as error:
            raise CommandError(_told(error)) from error
        job = _carry_out(batch)
        if job.state == JobState.FAILED:
            raise CommandError(job.error)
        self._show(ImportBatch.objects.get(pk=batch.pk))

    def _show(self, batch: ImportBatch) -> None:
        """Print what would be, or was, stored."""
        found = batch.outcome.get("preview", batch.outcome)
        self.stdout.write(f"{batch.file_name} ({batch.get_source_display()}): {batch.get_state_display()}")
        for fate, number in found["counts"].items():
            if number:
                self.stdout.write(f"  {number:>6} {FATES[fate]}")
        for one in found.get("players", []):
            if one["action"] != "player":
                near = ", ".join(person["name"] for person in one["suggestions"])
                meaning = one["action"] or f"undecided, resembles {near} (--alike)"
                self.stdout.write(f"  player {one['name']}: {meaning}")
        for one in found.get("games", []):
            meaning = one["game"] or (one["action"] if one["decided"] else "undecided (--games)")
            self.stdout.write(f"  game {one['name']}: {meaning}")
        problems = imports.problems_of(batch)
        for problem in problems[:_SHOWN_PROBLEMS]:
            where = line_of(batch.source, problem.line)
            self.stdout.write(f"  {where + ': ' if where else ''}{problem.message}")
        if found["problems_total"] > _SHOWN_PROBLEMS:
            self.stdout.write(f"  … {found['problems_total'] - _SHOWN_PROBLEMS} more")


def _access(slug: str, username: str | None) -> Access:
    if username is not None:
        user = User.objects.filter(username=username, is_active=True).first()
        if user is None:
            raise CommandError(f"There is no user {username!r}.")
        try:
            return of_user(user=user, club_slug=slug)
        except NotFound as error:
            raise CommandError(f"{username!r} is no member of a club {slug!r}.") from error
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise CommandError(f"There is no club with the short name {slug!r}.")
    return Access(club=club, role=Role.ADMIN, actor=Actor())


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CommandError(f"{path} is too large: at most {MAX_BYTES} bytes are taken.")
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path} can't be read: {error.strerror}.") from error


def _changes(batch: ImportBatch, options: dict[str, Any]) -> dict[str, Any]:
    """What the options decide."""
    preview = batch.outcome["preview"]
    changes: dict[str, Any] = {
        key: options[key] for key in ("season", "repeated", "duplicates") if options[key] is not None
    }
    if options["alike"] is not None:
        changes["players"] = {
            one["name"]: PlayerDecision("player", one["suggestions"][0]["id"])
            if options["alike"] == "same"
            else PlayerDecision(options["alike"])
            for one in preview["players"]
            if not one["action"]
        }
    if options["games"] is not None:
        changes["games"] = {
            one["name"]: GameDecision(options["games"] if one["high_wins"] is not None else SKIP)
            for one in preview["games"]
            if not one["action"]
        }
    return changes


def _told(error: ServiceError) -> str:
    if isinstance(error, InputError):
        return " ".join(problem.message for problem in error.problems)
    if isinstance(error, Forbidden):
        return f"This needs the role {error.needed.label} or a higher one."
    return error.message if isinstance(error, Conflict) else str(error)


def _carry_out(batch: ImportBatch) -> Job:
    """Store the batch here, or watch the worker that was quicker."""
    job = batch.job
    if job is None:
        raise RuntimeError("an import that was asked for has a job")
    with tqdm(total=job.total, desc="Import", unit="play", disable=None) as bar:

        def report(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        imports.carry_out(job.pk, report)
        job.refresh_from_db()
        while job.state in {JobState.QUEUED, JobState.RUNNING}:
            report(job.done, job.total)
            time.sleep(_POLL_SECONDS)
            job.refresh_from_db()
    return job
