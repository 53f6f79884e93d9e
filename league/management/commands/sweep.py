"""`manage.py sweep`: the sweeper of a set-up with servers; `manage.py serve` has its own."""

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand

from league.management.migrations import wait_for_migrations
from league.management.parent import die_with_parent
from league.management.sweeping import sweep_until


class Command(BaseCommand):
    help = "Rings again for jobs whose worker died or was never called, every few seconds, until stopped."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        stop = threading.Event()
        die_with_parent()
        wait_for_migrations(self.stdout)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        sweep_until(stop)
