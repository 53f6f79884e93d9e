"""Signs of life of the processes that answer no HTTP: the worker and the sweeper.

Terms: a *beat* is the file `DATA_DIR/run/<name>-<host>`; it holds the process id and its age is the time since the
process last did its work with all it depends on. A process that lost its broker or its database takes its beat away.

Imports no Django: the health check of a container runs every few seconds and must not cost one of its seconds.
"""

import os
import socket
import time
from pathlib import Path

INTERVAL = 5.0  # seconds between beats
MAX_AGE = 30.0  # seconds; above the longest wait for a lock


def beat(folder: Path, name: str) -> None:
    """Say that the process `name` of this host is well, now."""
    path = _path(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.write_text(str(os.getpid()))
    fresh.replace(path)


def stop(folder: Path, name: str) -> None:
    """Say that the process is gone or can't do its work."""
    _path(folder, name).unlink(missing_ok=True)


def problem(folder: Path, name: str) -> str | None:
    """What is wrong with the process `name` of this host; None when it is well."""
    path = _path(folder, name)
    try:
        age = time.time() - path.stat().st_mtime
        os.kill(int(path.read_text()), 0)
    except FileNotFoundError:
        return f"the {name} gives no sign of life"
    except (ProcessLookupError, ValueError):
        return f"the {name} has ended"
    except PermissionError:
        pass  # it runs, as another user
    return f"the {name} has done nothing for {age:.0f} s" if age > MAX_AGE else None


def _path(folder: Path, name: str) -> Path:
    return folder / "run" / f"{name}-{socket.gethostname()}"
