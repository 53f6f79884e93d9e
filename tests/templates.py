"""Databases that all migrations have been applied to, made once for all steps of `make test`: each begins with a copy.

`python -m tests.templates FOLDER` makes them in an empty folder, PostgreSQL's data and SQLite's file, by the product's
own `manage.py migrate`, and static files by its `collectstatic`. A run of pytest takes them from the folder that
`TISCHLIGA_TEST_TEMPLATES` names. Without it, as in a run of one file, or where they are not ready, it makes its own.
"""

import os
import secrets
import subprocess
import sys
from pathlib import Path

import psycopg

from tests import servers

ROOT = Path(__file__).parent.parent
VARIABLE = "TISCHLIGA_TEST_TEMPLATES"
# Two of each kind in PostgreSQL: the second is the one that pytest-django makes and opens.
PRODUCT, TESTS = "tischliga", "test_tischliga"
_READY = "ready"


def main(folder: Path) -> int:
    """Make both at once, or SQLite's alone where PostgreSQL is given from outside; exit status 0 when all is ready."""
    file = f"sqlite:///{folder / 'tests.sqlite3'}"
    if os.environ.get("DATABASE_URL"):
        made = _migrate(folder, file)
    else:
        with servers.postgres(folder / "postgres") as sockets:
            made = _migrate(folder, file, servers.postgres_url(sockets, PRODUCT))
            with psycopg.connect(host=str(sockets), user="postgres", dbname="postgres", autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {TESTS} TEMPLATE {PRODUCT}")
    if made:
        (folder / _READY).touch()
    return 0 if made else 1


def _migrate(folder: Path, *urls: str) -> bool:
    """Whether all of these empty databases were migrated, and static files collected beside it."""
    data = folder / "data"
    data.mkdir()
    environ = {**os.environ, "REDIS_URL": "", "DATA_DIR": str(data), "SECRET_KEY": secrets.token_urlsafe(64)}

    def start(url: str, *arguments: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "manage.py", *arguments, "--verbosity=0"]
        return subprocess.Popen(command, cwd=ROOT, env={**environ, "DATABASE_URL": url})

    running = [*(start(url, "migrate") for url in urls), start("", "collectstatic", "--no-input")]
    statuses = [one.wait() for one in running]
    return not any(statuses)


def _folder() -> Path | None:
    given = os.environ.get(VARIABLE)
    return Path(given) if given and (Path(given) / _READY).exists() else None


def static_files() -> Path | None:
    """The static files as the product serves them, to be copied; None without templates."""
    folder = _folder()
    return folder / "data" / "static" if folder else None


def postgres_data() -> Path | None:
    """PostgreSQL's data with both databases migrated, to be copied by the user who runs it; None without templates."""
    folder = _folder()
    return folder / "postgres" / "data" if folder and (folder / "postgres").exists() else None


def sqlite_file() -> Path | None:
    """A database file, migrated, to be copied; None without templates."""
    folder = _folder()
    return folder / "tests.sqlite3" if folder else None


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
