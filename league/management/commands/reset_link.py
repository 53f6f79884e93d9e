"""`manage.py reset_link USERNAME`: a link at which a user chooses a new password, for an installation without mail."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.management.variables import port
from league.models import User
from league.services import accounts


class Command(BaseCommand):
    help = "Prints an address at which a user chooses a new password. It works once, for a day."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"], is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active user “{options['username']}” here.")
        address = settings.SITE_URL or f"http://127.0.0.1:{port()}"
        self.stdout.write(f"{address}{accounts.reset_path(user=user, by=None)}")
