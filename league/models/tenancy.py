"""Every tenant row carries its club, and the database holds it to that club.

Terms: a *tenant row* belongs to exactly one club. Promises: a row never changes its club, and a row never points at
a row of another club, whoever writes (service, admin, shell, SQL). Never does: ask who is reading; that is
`league/models/clubs.py`.

Triggers do it, since both databases have them: a composite foreign key would need an extra unique index on every
target, and SQLite can't add one to a table that stands.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import apps
from django.db import connections, models
from django.utils.translation import gettext_lazy as _


class ClubOwned(models.Model):
    """Base of every tenant row."""

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, verbose_name=_("club"), related_name="+")

    class Meta:
        abstract = True

    @classmethod
    def same_club_columns(cls) -> Iterator[tuple[str, str]]:
        """Yield (column, target table) of every foreign key that has to stay within the club."""
        for field in cls._meta.concrete_fields:
            target = field.related_model
            if isinstance(target, type) and issubclass(target, ClubOwned) and field.column is not None:
                yield field.column, target._meta.db_table


def _is_of_another_club(column: str, target: str) -> str:
    # Names from the models, never from input.
    return f'EXISTS (SELECT 1 FROM "{target}" WHERE id = NEW.{column} AND club_id <> NEW.club_id)'  # noqa: S608  # nosec B608


def _sqlite_statements(model: type[ClubOwned]) -> Iterator[str]:
    table = model._meta.db_table
    yield (
        f'CREATE TRIGGER IF NOT EXISTS "{table}_club_stays" BEFORE UPDATE OF club_id ON "{table}" '
        f"WHEN NEW.club_id <> OLD.club_id "
        f"BEGIN SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: {table} never changes its club'); END"
    )
    for column, target in model.same_club_columns():
        for event in ("INSERT", f"UPDATE OF {column}"):
            name = f"{table}_{column}_same_club_{event[:6].lower()}"
            yield (
                f'CREATE TRIGGER IF NOT EXISTS "{name}" BEFORE {event} ON "{table}" '
                f"WHEN NEW.{column} IS NOT NULL AND {_is_of_another_club(column, target)} "
                f"BEGIN SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: {table}.{column} "
                f"is of another club'); END"
            )


def _postgresql_statements(model: type[ClubOwned]) -> Iterator[str]:
    table = model._meta.db_table
    checks = [
        "IF TG_OP = 'UPDATE' AND NEW.club_id <> OLD.club_id THEN "
        f"RAISE EXCEPTION '{table} never changes its club' USING ERRCODE = 'foreign_key_violation'; END IF;"
    ]
    columns = list(model.same_club_columns())
    for column, target in columns:
        # Looked up only where the pointer is new: an update of other columns costs nothing.
        checks.append(
            f"IF NEW.{column} IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.{column} IS DISTINCT FROM OLD.{column}) "
            f"AND {_is_of_another_club(column, target)} THEN "
            f"RAISE EXCEPTION '{table}.{column} is of another club' "
            f"USING ERRCODE = 'foreign_key_violation'; END IF;"
        )
    watched = ", ".join(["club_id", *(column for column, _target in columns)])
    yield (
        f'CREATE OR REPLACE FUNCTION "{table}_same_club"() RETURNS trigger LANGUAGE plpgsql AS '
        f"$$ BEGIN {' '.join(checks)} RETURN NEW; END $$"
    )
    yield (
        f'CREATE OR REPLACE TRIGGER "{table}_same_club" BEFORE INSERT OR UPDATE OF {watched} ON "{table}" '
        f'FOR EACH ROW EXECUTE FUNCTION "{table}_same_club"()'
    )


def remove_triggers(*, using: str, plan: Sequence[object], **kwargs: Any) -> None:
    """Drop SQLite's triggers before migrations change tables; `install_triggers` brings them back after.

    Django rebuilds a table of SQLite under another name; a trigger that names the table meanwhile missing, as those
    of all tables pointing at it do, makes SQLite refuse the renaming. Receiver of `pre_migrate`.
    """
    connection = connections[using]
    if connection.vendor != "sqlite" or not plan:
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'league@_%' ESCAPE '@'")
        for (name,) in cursor.fetchall():
            cursor.execute(f'DROP TRIGGER "{name}"')


def install_triggers(*, using: str, **kwargs: Any) -> None:
    """Create the same-club triggers of every tenant table; harmless to repeat. Receiver of `post_migrate`."""
    connection = connections[using]
    statements = _postgresql_statements if connection.vendor == "postgresql" else _sqlite_statements
    standing = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for model in apps.get_app_config("league").get_models():
            # A migration back to an early state leaves later tables away.
            if issubclass(model, ClubOwned) and model._meta.db_table in standing:
                for statement in statements(model):
                    cursor.execute(statement)
