"""`manage.py serve`: the whole product as one foreground command, for one machine.

Terms: the *children* are the web server and the worker; this process prepares what they need, watches them and
sweeps. Promises: starting it is all there is to do, whether the data folder is new or old; Ctrl-C and SIGTERM end
all of it with status 0; no child outlives it, whatever happens to it (`parent.py`). Two of it never share a data
folder. A worker that dies is started again; when the web server dies, all ends with status 1.
"""

import errno
import fcntl
import http.client
import io
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from league.management import variables
from league.management.children import Child, Hurry, end
from league.management.sweeping import sweep_until
from league.services import demo, setup
from league.services.readiness import missing_migrations

READY_TIMEOUT = 60.0  # seconds
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared with, not bound to  # nosec B104


class Command(BaseCommand):
    help = "Runs Tischliga: prepares the data folder, then web server, worker and sweep until Ctrl-C."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stopping = threading.Event()
        self.hurry = Hurry()
        self.prepared = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        # The folder may have been made by somebody else, open to all; the database holds password hashes.
        os.umask(0o077)
        host, port = os.environ.get("HOST") or "127.0.0.1", variables.port()
        with_demo = _switch("DEMO", default=True)
        with _only_one(settings.DATA_DIR):
            _require_free(host, port)
            self._migrate()
            self._collect_static()
            if with_demo:
                self._fill_demo()
            self.prepared = True
            if not self._run(host, port):
                sys.exit(1)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if not self.prepared:
            sys.exit(0)  # an open transaction is rolled back, and the next start prepares the rest
        self.hurry.asked = self.stopping.is_set()
        self.stopping.set()

    def _migrate(self) -> None:
        missing = missing_migrations()
        if missing:
            with tqdm(total=missing, desc="Database", unit="migration", leave=False, disable=None) as bar:
                call_command("migrate", interactive=False, stdout=_Counter(bar, counted=" OK"))

    def _collect_static(self) -> None:
        """Collect the static files when any of them has changed since the last time."""
        if os.environ.get("STATIC_ROOT"):
            return  # whoever names the folder fills it, as the image does; it need not be ours to write
        stamp = Path(settings.DATA_DIR) / "run" / "static-files"
        sources = list(_static_sources())
        fingerprint = sha256("\n".join(sources).encode()).hexdigest()
        manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
        if manifest.exists() and stamp.exists() and stamp.read_text() == fingerprint:
            return
        # A count without an end: how many lines a file gets depends on what compresses well.
        with tqdm(desc="Static files", unit="file", leave=False, disable=None) as bar:
            call_command(
                "collectstatic", interactive=False, clear=True, verbosity=2, stdout=_Counter(bar, counted="\n")
            )
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(fingerprint)

    def _fill_demo(self) -> None:
        folder = Path(settings.DATA_DIR)
        waiting = folder / "demo-access.new"
        filled = not setup.is_needed()
        if not filled:
            self.stdout.write("Filling the empty database with a demo club.")
            demo.fill(
                save=lambda lines: _write_private(waiting, lines), now=timezone.now(), progress=sys.stderr.isatty()
            )
        # Written before the commit, named after it: whenever this process dies, the access of the club that is in
        # the database is here, and that of a club that never came to be is under the final name nowhere.
        if waiting.exists():
            waiting.rename(_unused(folder))

    def _run(self, host: str, port: int) -> bool:
        """Run the children until asked to stop; whether that is why they ended."""
        web = Child("web server", ["-m", "gunicorn", "-c", "python:league.management.gunicorn", "league.wsgi"])
        worker = Child("worker", ["manage.py", "worker"])
        sweeper = threading.Thread(target=sweep_until, args=[self.stopping], name="sweep", daemon=True)
        try:
            web.start()
            worker.start()
            if not self._wait_until_ready(web, host, port):
                return self.stopping.is_set()
            sweeper.start()
            self._greet(host, port)
            return self._watch(web, worker)
        finally:
            self.stopping.set()
            end([web, worker], hurry=self.hurry)

    def _wait_until_ready(self, web: Child, host: str, port: int) -> bool:
        deadline = time.monotonic() + READY_TIMEOUT
        while not _is_ready(_EVERYWHERE.get(host, host), port):
            if web.status() is not None:
                self.stderr.write(f"The web server ended at its start (status {web.status()}).")
                return False
            if time.monotonic() > deadline:
                self.stderr.write(f"The web server is not ready after {READY_TIMEOUT:.0f} s.")
                return False
            if self.stopping.wait(0.05):
                return False
        return True

    def _watch(self, web: Child, worker: Child) -> bool:
        told = False
        while not self.stopping.wait(0.25):
            if web.status() is not None:
                self.stderr.write(f"The web server ended (status {web.status()}); stopping.")
                return False
            if worker.status() is None:
                told = False
            elif not told:
                self.stderr.write(f"The worker ended (status {worker.status()}); starting it again.")
                told = True
            elif worker.start_again_when_due():
                told = False
        return True

    def _greet(self, host: str, port: int) -> None:
        address = settings.SITE_URL or f"http://{_in_address(_EVERYWHERE.get(host, host))}:{port}"
        self.stdout.write(f"Tischliga runs at {address}/")
        access = sorted(Path(settings.DATA_DIR).glob("demo-access*.txt"), key=lambda path: path.stat().st_mtime)
        if setup.is_needed():
            self.stdout.write(f"Set it up in the browser: {address}/setup/{setup.setup_code()}/")
        elif access:
            self.stdout.write(f"Passwords and token of the demo club: {_short(access[-1])}")
        if host not in _LOOPBACK and not settings.SITE_URL:
            self.stdout.write("Other devices get in when SITE_URL says how they name this one (docs/operations.md).")
        self.stdout.write("Stop it with Ctrl-C.")
        self.stdout.flush()


class _Counter(io.TextIOBase):
    """An output that moves a progress bar by one whenever `counted` is written to it."""

    def __init__(self, bar: "tqdm[Any]", *, counted: str) -> None:
        self.bar = bar
        self.counted = counted

    def write(self, text: str) -> int:
        self.bar.update(text.count(self.counted))
        return len(text)


def _switch(name: str, *, default: bool) -> bool:
    text = os.environ.get(name) or str(int(default))
    if text not in {"0", "1"}:
        raise CommandError(f"{name} is {text!r}: give 1 or 0.")
    return text == "1"


@contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    """Hold the data folder. The lock goes with the process, so a killed one leaves nothing behind."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "serve.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.seek(0)
            raise CommandError(
                f"Tischliga already runs on the data folder {_short(folder)} (process {file.read().strip()}). "
                "Stop that one first, or give this one another folder: make run DATA_DIR=/path/to/folder"
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def _require_free(host: str, port: int) -> None:
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise CommandError(f"HOST is {host!r}, which is no address of this machine: {error}") from error
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            match error.errno:
                case errno.EADDRINUSE:
                    advice = (
                        f"port {port} is in use. Choose another one: make run PORT={port + 1 if port < 65535 else 8000}"
                    )
                case errno.EACCES:
                    advice = f"port {port} is for root alone. Choose another one: make run PORT=8000"
                case _:
                    advice = f"HOST is {host!r}, which is no address of this machine: {error}"
            raise CommandError(advice[0].upper() + advice[1:]) from error


def _is_ready(host: str, port: int) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/health/ready", headers={"Host": "localhost"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _static_sources() -> Iterator[str]:
    """One line for each static file of the installed apps, which changes when the file does."""
    for finder in get_finders():
        for name, storage in finder.list([]):
            state = Path(storage.path(name)).stat()
            yield f"{name} {state.st_size} {state.st_mtime_ns}"


def _write_private(path: Path, lines: Sequence[str]) -> None:
    """Write a file that its owner alone can read, and have it on the disk before returning."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write("".join(f"{line}\n" for line in lines))
        file.flush()
        os.fsync(file.fileno())


def _unused(folder: Path) -> Path:
    """The first free name for the demo access: an older file may be the only key to an older database."""
    names = (folder / f"demo-access{f'-{count}' if count > 1 else ''}.txt" for count in range(1, 1000))
    return next(path for path in names if not path.exists())


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _short(path: Path) -> str:
    """The path as one would type it here."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
