"""`manage.py import_club FILE`: found the club that an archive holds."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from league.models import User
from league.services import archives
from league.services.errors import Conflict, InputError


class Command(BaseCommand):
    help = "Founds the club that an archive holds (docs/archive.md): all of it, or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the archive")
        parser.add_argument("--slug", help="another short name for the club than its own")
        parser.add_argument("--owner", metavar="USERNAME", help="a user here who becomes an owner of the club")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = None
        if options["owner"] is not None:
            owner = User.objects.filter(username=options["owner"]).first()
            if owner is None:
                raise CommandError(f"There is no user {options['owner']!r} here.")
        try:
            with options["file"].open("rb") as file:
                club = archives.import_club(
                    file=file, slug=options["slug"], owner=owner, with_users=True, now=timezone.now()
                )
        except OSError as error:
            raise CommandError(f"{options['file']} can't be read: {error.strerror}.") from error
        except InputError as error:
            raise CommandError("\n".join(problem.message for problem in error.problems)) from error
        except Conflict as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"The club is here as {club.slug}.")
