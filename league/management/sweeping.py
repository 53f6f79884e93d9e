"""The sweep's loop, alike in `manage.py sweep` and in `manage.py serve`.

Terms: a *sweep* rings again for the jobs whose worker died or that nobody was called for, for the deliveries of
webhooks that are due and for the clubs whose figures are; it drops counts of failed logins that are a day old, moves of
bot matches that are older than they are kept and report files whose job has been over for days, asks for the bot
league's matches of the night, and counts the standings of a season anew that was not counted last night. Several
sweepers may run, one a host: each asks for the lock before every sweep, so that one of them sweeps and any of them can
be lost.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from league.management import heartbeat
from league.services import bot_chunks, bot_league, deliveries, figures, jobs, logins, recounts, tournament_file_jobs

log = logging.getLogger(__name__)

_LOCK = 0x7377656570  # see migrations.py


def sweep_until(stop: threading.Event) -> None:
    """Sweep every few seconds until `stop` is set. A sweep that fails is logged; the next one tries again."""
    try:
        while not stop.is_set():
            _sweep_once()
            stop.wait(heartbeat.INTERVAL)
    finally:
        heartbeat.stop(settings.DATA_DIR, "sweeper")
        connection.close()


def _sweep_once() -> None:
    try:
        with _turn() as ours:
            if ours:
                jobs.sweep()
                logins.sweep(now=timezone.now())
                deliveries.sweep()
                figures.sweep()
                recounts.sweep(now=timezone.now())
                bot_league.sweep(now=timezone.now())
                bot_chunks.renew(now=timezone.now())
                bot_chunks.drop_records(now=timezone.now())
                tournament_file_jobs.sweep(now=timezone.now())
    except Exception:
        # Whatever it was, a sweeper that ends would leave every later job of a dead worker lying.
        log.exception("the sweep failed; the next one follows in %.0f s", heartbeat.INTERVAL)
        heartbeat.stop(settings.DATA_DIR, "sweeper")
        connection.close()
    else:
        heartbeat.beat(settings.DATA_DIR, "sweeper")


@contextmanager
def _turn() -> Iterator[bool]:
    """Whether this sweep is ours; on SQLite, which one host has to itself, always.

    Held for one sweep only: whoever sweeps needs no connection that lasts, and losing the lock half-way costs
    nothing, since every step of a sweep is a conditional update.
    """
    if connection.vendor != "postgresql":
        yield True
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [_LOCK])
        row = cursor.fetchone()
    ours = bool(row and row[0])
    try:
        yield ours
    finally:
        if ours:
            try:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])
            except DatabaseError:
                connection.close()  # and the lock with it
