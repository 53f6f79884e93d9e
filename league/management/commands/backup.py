"""`manage.py backup FILE`: a copy of the SQLite database as of one moment, while everything runs."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder


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
        try:
            # Empty and ours alone before anything is in it: the database holds password hashes.
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as error:
            raise CommandError(f"{file} can't be made: {error.strerror}. Name a new file.") from error
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(file)])
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes, copied from {database}")
