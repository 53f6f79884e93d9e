"""Migrations where several hosts start at once."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import OutputWrapper
from django.db import DatabaseError, connection

from league.services.readiness import NotReadyError, require_ready

LOCK = 0x7469736368  # any number that is ours: PostgreSQL's advisory locks have no names
_PAUSE = 0.5  # seconds


@contextmanager
def migration_lock(stdout: OutputWrapper) -> Iterator[None]:
    """Let one process at a time migrate the database; the others wait, then find nothing left to do.

    Asks again and again instead of waiting inside PostgreSQL, where the time limit for row locks would end the wait.
    The lock goes with the connection, so a process that dies gives it free. SQLite belongs to one host, and
    `serve` has that one to itself.
    """
    if connection.vendor != "postgresql":
        yield
        return
    said = False
    while not _ask("SELECT pg_try_advisory_lock(%s)"):
        if not said:
            stdout.write("Another process migrates the database; waiting for it.")
            said = True
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        _ask("SELECT pg_advisory_unlock(%s)")


def wait_for_migrations(stdout: OutputWrapper) -> None:
    """Return when the database answers and is migrated, however long that takes."""
    said = ""
    while True:
        try:
            require_ready()
        except (NotReadyError, DatabaseError) as error:
            if str(error) != said:
                stdout.write(f"Waiting: {error}.")
                said = str(error)
            connection.close()
            time.sleep(_PAUSE)
        else:
            return


def _ask(question: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(question, [LOCK])
        row = cursor.fetchone()
    return bool(row and row[0])
