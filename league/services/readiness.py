"""Whether this process can do its work: the database answers and has this version's migrations."""

from functools import cache

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor


class NotReadyError(Exception):
    """The text says what is missing, in words that a stranger may read."""


def require_ready() -> None:
    """Raise NotReadyError unless the database answers and is migrated."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        _require_migrations()
    except DatabaseError as error:
        raise NotReadyError("the database does not answer") from error


def missing_migrations() -> int:
    """How many of this version's migrations the database lacks; an empty database lacks all."""
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


@cache
def _require_migrations() -> None:
    # Kept once it holds: reading the migration files takes 100 times as long as asking the database, and no process
    # outlives its version's files. A failure raises, so it is not kept.
    if missing_migrations():
        raise NotReadyError("migrations are missing")
