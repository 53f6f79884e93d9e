"""`manage.py migrate`: Django's own, one process at a time however many hosts start together."""

from typing import Any

from django.core.management.commands import migrate

from league.management.migrations import migration_lock


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        with migration_lock(self.stdout):
            super().handle(*args, **options)
