"""`python -m league.management.database_password FOLDER`: make up the database's password, once.

Writes two files. `database-password` is for the database server, which runs as another user of another container:
all may read it, and the folder is given to nobody else. `pgpass` is for this product: PostgreSQL's client library
takes it only when its owner alone can read it. Both are left alone when they are there. Imports no Django.
"""

import os
import secrets
import sys
from pathlib import Path


def main(folder: Path) -> None:
    password, passfile = folder / "database-password", folder / "pgpass"
    if not password.exists():
        _write(password, secrets.token_urlsafe(32), 0o444)
    if not passfile.exists():
        _write(passfile, f"*:*:*:*:{password.read_text()}\n", 0o400)


def _write(path: Path, text: str, mode: int) -> None:
    """Write a file that is there whole or not at all."""
    unfinished = path.with_name(f".{path.name}")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.chmod(mode)
    unfinished.rename(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
