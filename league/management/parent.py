"""How a child of `manage.py serve` ends with it, even when `serve` is killed without a chance to stop it."""

import os
import signal
import threading
import time

VARIABLE = "TISCHLIGA_SERVE_PID"
GRACE = 10.0  # seconds from asking this process to end to ending it


def die_with_parent() -> None:
    """Watch for the end of the `serve` that started this process; without one do nothing.

    A thread rather than Linux's parent-death signal: works everywhere, and that signal is sent already when the
    thread ends that started the child.
    """
    parent = os.environ.pop(VARIABLE, None)
    if parent is not None:
        threading.Thread(target=_watch, args=(int(parent),), name="parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os.kill(os.getpid(), signal.SIGKILL)
