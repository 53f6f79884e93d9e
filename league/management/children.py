"""The processes that `manage.py serve` runs and ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.conf import settings

from league.management import parent

GRACE = 15.0  # seconds from asking a child to end to ending it
_LONGEST_PAUSE = 30.0  # seconds between two starts of a child that dies again and again
_PROVEN = 60.0  # seconds after which a child counts as one that runs


@dataclass
class Child:
    """One process in a session of its own, so that a Ctrl-C at the terminal reaches `serve` alone."""

    name: str
    arguments: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    pause: float = field(default=1.0)

    def start(self) -> None:
        self.started = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603 - our own program and arguments
            [sys.executable, *self.arguments],
            cwd=settings.BASE_DIR,
            env={**os.environ, parent.VARIABLE: str(os.getpid())},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # what matters goes to the log, on standard error
            start_new_session=True,
        )

    def status(self) -> int | None:
        """The exit status; None while it runs."""
        return self.process.poll() if self.process else None

    def start_again_when_due(self) -> bool:
        """Start a child that died, after a pause that doubles with each early death. Whether it was started."""
        lived = time.monotonic() - self.started
        if lived > _PROVEN:
            self.pause = 1.0
        if lived < self.pause:
            return False
        self.pause = min(self.pause * 2, _LONGEST_PAUSE)
        self.start()
        return True

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process; SIGKILL also to those it started."""
        if self.process is None or self.process.poll() is not None:
            return
        if number == signal.SIGKILL:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)


def end(children: Iterable[Child], *, hurry: "Hurry") -> None:
    """End all of them and wait for it: kindly, then after `GRACE` or when `hurry` says so by force."""
    children = list(children)
    for child in children:
        child.send(signal.SIGTERM)
    deadline = time.monotonic() + GRACE
    while any(child.process and child.status() is None for child in children):
        if hurry.asked or time.monotonic() > deadline:
            for child in children:
                child.send(signal.SIGKILL)
        time.sleep(0.02)


@dataclass
class Hurry:
    """Whether somebody asked a second time to stop."""

    asked: bool = False
