"""`manage.py setup_link`: where the first owner of an empty installation begins."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from league.management.variables import port
from league.services import setup


class Command(BaseCommand):
    help = "Prints the address at which the first owner sets up an empty installation."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        if not setup.is_needed():
            self.stdout.write("This installation has been set up.")
            return
        address = settings.SITE_URL or f"http://127.0.0.1:{port()}"
        self.stdout.write(f"{address}/setup/{setup.setup_code()}/")
