"""A file that a command makes: there whole or not at all, whoever looks at its folder and whenever the command ends."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import CommandError


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """An empty file beside `path`, for its owner alone, which takes its name at the end and is removed on an error.

    Raises CommandError where it can't be made and for a file that is there already.
    """
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    if path.exists():
        raise CommandError(f"{path} can't be made: File exists. Name a new file.")
    try:
        os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise CommandError(f"{path} can't be made: {error.strerror}. Name a new file.") from error
    try:
        yield unfinished
        unfinished.rename(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
