"""Gunicorn's settings: `gunicorn -c python:league.management.gunicorn league.wsgi`.

Threads, since requests wait for the database most of the time; no preloading, so that no connection is ever shared
by a fork. docs/operations.md has the table of the variables.
"""

import gc
import os
from pathlib import Path

from league.management.parent import die_with_parent
from league.management.variables import number, port

die_with_parent()
# As in manage.py; workers have it from here.
gc.set_threshold(50_000, 10, 10)

_host = os.environ.get("HOST") or "127.0.0.1"
bind = f"{f'[{_host}]' if ':' in _host else _host}:{port()}"
worker_class = "gthread"
workers = number("WEB_WORKERS", 2, 99)
threads = number("WEB_THREADS", 8, 999)
# Workers prove that they live by touching a file here; on a busy disk that would block them.
if Path("/dev/shm").is_dir():  # noqa: S108 - gunicorn makes its own private file there  # nosec B108
    worker_tmp_dir = "/dev/shm"  # noqa: S108  # nosec B108
timeout = 60
graceful_timeout = 10
accesslog = None
loglevel = "warning"
control_socket_disable = True


def post_worker_init(worker: object) -> None:
    """Let the collector leave alone what was loaded at the start: half a million objects that stay for good, which
    each of its full runs would go through while a reader of a large tournament waits.
    """
    gc.collect()
    gc.freeze()
