"""`manage.py backup FILE`: a copy of the SQLite database as of one moment, while everything runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from league.management.new_file import new_file


class Command(BaseCommand):
    help = "Writes a copy of the SQLite database to a new file; nothing has to be stopped."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file to make; it must not be there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        if connection.vendor != "sqlite":
            raise CommandError("The database is PostgreSQL: use its own pg_dump (docs/operations.md).")
        database = Path(connection.settings_dict["NAME"])
        if MigrationRecorder.Migration._meta.db_table not in connection.introspection.table_names():
            raise CommandError(f"There is no database of Tischliga in {database}. Name its folder: DATA_DIR=…")
        # Beside, until it is whole: whoever carries backups away must not find half of one.
        with new_file(file) as unfinished, connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(unfinished)])
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes, copied from {database}")
