"""Reads that have to fit together although each is a query of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def one_moment() -> Iterator[None]:
    """Reads within show one moment of the database and hold up nobody's writing. Nothing can be written within."""
    if connection.in_atomic_block:
        # Whoever opened the transaction chose what it sees.
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        own: Any = connection
        # A thread's first read comes before there is a connection, and connecting is what sets the mode.
        connection.ensure_connection()
        mode, own.transaction_mode = own.transaction_mode, "DEFERRED"
        try:
            with transaction.atomic():
                yield
        finally:
            own.transaction_mode = mode
