"""What a test has committed is deleted after it, from the tables that have rows.

Django's own way truncates every table, whose files PostgreSQL then makes anew, and writes the kinds of content and the
permissions again: ten times the work for tables of some rows. Promises: after a test the tables are as migrations left
them, and what others have begun to write is waited for, as TRUNCATE does. Never: resets the counters of ids.
"""

from django.db import connections, transaction
from django.test import TransactionTestCase

# Written by migrations, and by no test.
_STAY = {"django_migrations", "django_content_type", "auth_permission"}


def use() -> None:
    """Have tests that commit be followed by this instead of `manage.py flush`."""
    TransactionTestCase._fixture_teardown = _empty_all  # type: ignore[attr-defined]


def _empty_all(case: TransactionTestCase) -> None:
    for alias in case._databases_names(include_mirrors=False):  # type: ignore[attr-defined]
        empty(alias)


def empty(alias: str) -> None:
    """Delete every row but those of migrations, in one transaction: foreign keys are looked at when it ends."""
    connection = connections[alias]
    found = connection.introspection.django_table_names(only_existing=True, include_views=False)
    tables = [connection.ops.quote_name(table) for table in found if table not in _STAY]
    with transaction.atomic(using=alias), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")
        has_rows = "SELECT '{0}' FROM (SELECT 1) AS one WHERE EXISTS (SELECT 1 FROM {0})"
        cursor.execute(" UNION ALL ".join(has_rows.format(table) for table in tables))
        for (table,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {table}")  # noqa: S608 - a table of our models
