"""`manage.py export_club SLUG FILE`: the archive of a club, as of one moment, while everything runs."""

import os
import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from league.management.new_file import new_file
from league.models import Club, Role
from league.services import archives
from league.services.access import Access, Actor
from league.services.errors import Conflict


class Command(BaseCommand):
    help = "Writes the archive of a club to a new file: everything of it but secrets (docs/archive.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the short name of the club")
        parser.add_argument("file", type=Path, help="the file to make; it must not be there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        club = Club.objects.filter(slug=options["slug"]).first()
        if club is None:
            raise CommandError(f"There is no club with the short name {options['slug']!r}.")
        access = Access(club=club, role=Role.OWNER, actor=Actor())
        try:
            # Names and results of people: for the owner of the file alone.
            with new_file(options["file"]) as unfinished, unfinished.open("wb") as target:
                with archives.export_club(access=access, now=timezone.now()) as archive:
                    shutil.copyfileobj(archive, target)
                target.flush()
                os.fsync(target.fileno())
        except Conflict as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"The archive of {club.slug} is in {options['file']}.")
