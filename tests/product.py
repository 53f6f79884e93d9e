"""The product as it runs for its users: processes of its own with `league.settings`, for tests from outside.

Terms: a *part* is one of `web`, `worker` and `sweeper`, started by the command that an operator would use. Promises:
whatever a test does, `close` ends all parts; they listen on loopback only. Never: touches the servers of the tests.
"""

import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TypeVar
from urllib.parse import quote, urlsplit

from league.management import heartbeat
from tests.servers import hold_a_port

ROOT = Path(__file__).parent.parent
TIMEOUT = 120.0  # seconds for a part to be well; two are usual, many where other runs of tests take the processor

T = TypeVar("T")
COMMANDS: Mapping[str, list[str]] = {
    "web": ["-m", "gunicorn", "-c", "python:league.management.gunicorn", "league.wsgi"],
    "worker": ["manage.py", "worker"],
    "sweeper": ["manage.py", "sweep"],
}


class Product:
    """Parts of the product on one database and one data folder.

    `environ` says how it is set up, as for an operator: DATABASE_URL, REDIS_URL, SECRET_KEY, STATIC_ROOT and so on.
    """

    def __init__(self, folder: Path, environ: Mapping[str, str]) -> None:
        self.folder = folder
        self._held = hold_a_port()
        self.port = self._held.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.environ = product_environ(folder, {"PORT": str(self.port), **environ})
        self.parts: dict[str, subprocess.Popen[bytes]] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def launch(self, name: str) -> None:
        """Start this part and return at once."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.parts[name] = subprocess.Popen(
                [sys.executable, *COMMANDS[name]],
                cwd=ROOT,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def start(self, *names: str) -> None:
        """Start these parts and return when all of them are well."""
        for name in names:
            self.launch(name)
        for name in names:
            wait_for(partial(self.is_well, name), f"the {name} to be well", Log(self.folder / f"{name}.log"))

    def is_well(self, name: str) -> bool:
        """Whether the part does its work."""
        if self.parts[name].poll() is not None:
            raise AssertionError(f"the {name} ended:\n{self.log(name)}")
        if name == "web":
            return get(self.url + "/health/ready").status == 200
        return heartbeat.problem(self.folder, name) is None

    def stop(self, name: str, number: signal.Signals = signal.SIGTERM) -> int:
        """Send the part a signal and wait for its end; its exit status. SIGKILL reaches its children too."""
        process = self.parts.pop(name)
        if number == signal.SIGKILL:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        return process.wait(TIMEOUT)

    def log(self, name: str) -> str:
        """What the part has said so far."""
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def close(self) -> None:
        """End all parts at once."""
        for name in list(self.parts):
            self.stop(name, signal.SIGKILL)
        self._held.close()

    def __enter__(self) -> "Product":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Log:
    """A file that is read when its text is asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __str__(self) -> str:
        return self.path.read_text(errors="replace") if self.path.exists() else ""


def product_environ(folder: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of a product process: this one's, less what is set for the tests, plus `environ`."""
    ours = {"DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL", "SITE_URL", "SECRET_KEY", "STATIC_ROOT", "HOST"}
    rest = {name: value for name, value in os.environ.items() if name not in ours and not name.startswith("PYTEST_")}
    return {**rest, "DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1", **environ}


class Answer:
    """What the web server answered; status 0 when it did not."""

    def __init__(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.status = status
        self.body = body
        self.headers = headers


def get(url: str, headers: Mapping[str, str] | None = None) -> Answer:
    """Fetch one address, following nothing."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    try:
        connection.request("GET", parts.path or "/", headers=dict(headers or {}))
        answer = connection.getresponse()
        return Answer(answer.status, answer.read(), dict(answer.getheaders()))
    except (OSError, http.client.HTTPException):
        return Answer(0, b"", {})
    finally:
        connection.close()


def wait_for(condition: Callable[[], bool], what: str, why: object = "", timeout: float = TIMEOUT) -> None:
    """Return when `condition` holds; fail after `timeout` seconds with `what` was waited for and `why` not."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {timeout:.0f} s for {what}\n{why}")
        time.sleep(0.05)


def becomes(read: Callable[[], T], expected: T) -> None:
    """Read again and again until it is what is expected: what a page shows follows a key or a tap a moment later."""
    deadline = time.monotonic() + TIMEOUT
    while (found := read()) != expected and time.monotonic() < deadline:
        time.sleep(0.05)
    assert found == expected


def database_url(settings: Mapping[str, object]) -> str:
    """The DATABASE_URL of a database in Django's settings."""
    name = str(settings["NAME"])
    if settings["ENGINE"] == "django.db.backends.sqlite3":
        return f"sqlite:///{name}"
    user, password, host = (quote(str(settings[key]), safe="") for key in ("USER", "PASSWORD", "HOST"))
    login = f"{user}:{password}" if password else user
    port = f":{settings['PORT']}" if settings["PORT"] else ""
    return f"postgres://{login}@{host}{port}/{quote(name, safe='')}"
