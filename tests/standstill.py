"""Workers of the running product stand still while a test's tables are emptied.

They compute figures by themselves after every result; one that meets the emptying half-way could end in a deadlock.
SQLite, where one writes at a time, needs none of it.
"""

from django.db import connection

from league.models import Club
from league.services import figures


def hold_figures() -> None:
    """Wait until no worker computes figures, and keep all from it until `release_figures`."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for club_id in Club.objects.order_by("pk").values_list("pk", flat=True):
                cursor.execute("SELECT pg_advisory_lock(%s)", [figures.lock_of(club_id)])


def release_figures() -> None:
    """Let workers compute figures."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock_all()")
