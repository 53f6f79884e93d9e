"""`manage.py worker`: the Celery worker, with the options that fit both brokers."""

import os
import sys
import warnings
from pathlib import Path
from typing import Any

from celery import bootsteps
from celery.exceptions import SecurityWarning
from celery.signals import worker_shutting_down
from celery.worker import state as worker_state
from celery.worker.consumer import Consumer
from django.conf import settings
from django.core.management.base import BaseCommand

from league.celery import app
from league.management import heartbeat
from league.management.migrations import wait_for_migrations
from league.management.parent import die_with_parent
from league.management.variables import number
from league.services import bot_watch
from league.services.jobs import SERIES_QUEUE


class Heartbeat(bootsteps.StartStopStep):
    """Beats while the worker has its broker: Celery stops this step when it loses the connection."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, parent: Consumer, **kwargs: Any) -> None:
        self.timer: Any = None
        super().__init__(parent, **kwargs)

    def start(self, parent: Consumer) -> None:
        self._beat()
        self.timer = parent.timer.call_repeatedly(heartbeat.INTERVAL, self._beat)

    def stop(self, parent: Consumer) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        heartbeat.stop(settings.DATA_DIR, "worker")

    @staticmethod
    def _beat() -> None:
        heartbeat.beat(Path(settings.DATA_DIR), "worker")


@worker_shutting_down.connect
def _leave_at_once_when_idle(**kwargs: Any) -> None:
    """Spare an idle worker the four seconds that Celery takes to notice that it should stop.

    Whatever message it may just have taken from the broker is only a ring; the sweep rings again.
    """
    if not worker_state.reserved_requests and not worker_state.active_requests:
        heartbeat.stop(settings.DATA_DIR, "worker")
        os._exit(0)


class Command(BaseCommand):
    help = "Runs the worker: carries out the jobs that the web server and the sweeper ring for."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        # As it was started, before `die_with_parent` takes its own variable out of it.
        environ = dict(os.environ)

        def begin_anew() -> None:
            command = [sys.executable, *sys.orig_argv[1:]]
            os.execve(sys.executable, command, environ)  # noqa: S606 - our own command  # nosec B606

        bot_watch.have_last_resort(begin_anew)
        die_with_parent()
        wait_for_migrations(self.stdout)
        # Celery warns of root because of pickled messages; ours are JSON, and a container may have no other user.
        warnings.filterwarnings("ignore", category=SecurityWarning)
        app.steps["consumer"].add(Heartbeat)
        # Threads: the jobs share one process and its memory. Gossip, mingle and Celery's own heartbeats tell workers
        # about each other; ours need nothing but the jobs table.
        app.worker_main(
            [
                *("--quiet", "--skip-checks", "worker", "--pool", "threads"),
                *("--concurrency", str(number("WORKER_THREADS", 2, 99))),
                # In turn, so that a series keeps nobody else's job waiting for longer than one of its parts.
                *("--queues", f"{app.conf.task_default_queue},{SERIES_QUEUE}"),
                *("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING"),
            ]
        )
