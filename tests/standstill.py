"""Workers of the running product stand still while a test's tables are emptied.

They compute figures by themselves after every result; one that meets the emptying half-way could end in a deadlock.
SQLite, where one writes at a time, needs none of it.
"""

from django.db import connection

from league.models import Club
from league.services import figures
from tests.product import wait_for

_OTHERS_AT_WORK = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
    AND state <> 'idle'
"""


def hold_figures() -> None:
    """Wait until nobody computes figures or answers a page, and keep workers from it until `release_figures`."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # A computation that a busy machine draws out is no reason to give up.
            cursor.execute("SET lock_timeout = '120s'")
            for club_id in Club.objects.order_by("pk").values_list("pk", flat=True):
                cursor.execute("SELECT pg_advisory_lock(%s)", [figures.lock_of(club_id)])
            cursor.execute("RESET lock_timeout")
        wait_for(_nobody_asks, "requests under way to end")


def _nobody_asks() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_OTHERS_AT_WORK)
        return bool(cursor.fetchone() == (0,))


def release_figures() -> None:
    """Let workers compute figures."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock_all()")
