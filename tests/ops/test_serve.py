"""`make run`, as somebody types it: a real process on a data folder of its own, stopped as a terminal stops it."""

import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import requests

from tests.product import ROOT, free_port, product_environ, wait_for

Start = Callable[..., "Run"]


class Run:
    """One `make run` in a process group of its own, as in a terminal."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder = folder
        self.port = int(variables.setdefault("PORT", str(free_port())))
        self.url = f"http://127.0.0.1:{self.port}"
        self.output = folder.parent / f"{folder.name}-{self.port}.log"
        # The environment of the tests has everything that the product needs.
        environment = {"VENV": sys.prefix, "LOCK": "requirements-test.lock", "PYTHON": sys.executable}
        arguments = {**environment, "WEB_WORKERS": "1", **variables}
        with self.output.open("wb") as output:
            self.make = subprocess.Popen(
                ["make", "run", *(f"{name}={value}" for name, value in arguments.items())],
                cwd=ROOT,
                env=product_environ(folder, {}),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def said(self) -> str:
        return self.output.read_text()

    def until(self, text: str) -> "Run":
        """Wait until it has said `text`."""
        wait_for(lambda: text in self.said() or self.make.poll() is not None, repr(text), self.said())
        assert text in self.said()
        return self

    def interrupt(self) -> None:
        """What Ctrl-C does: SIGINT to everything in the terminal's foreground."""
        os.killpg(self.make.pid, signal.SIGINT)
        # make waits for its command and then ends by the same signal, whatever the command's status was.
        assert self.make.wait(30) in {0, -signal.SIGINT}

    def processes(self) -> dict[int, str]:
        """Every living process that works on this data folder, with its command line."""
        found = {}
        for path in Path("/proc").glob("[0-9]*"):
            try:
                if f"DATA_DIR={self.folder}".encode() in (path / "environ").read_bytes().split(b"\0"):
                    found[int(path.name)] = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
        return {pid: command for pid, command in found.items() if command}

    def process(self, part: str) -> int | None:
        """The id of the process whose command line has `part`; of several the first."""
        return next((pid for pid, command in sorted(self.processes().items()) if part in command), None)

    def finish(self) -> None:
        for pid in self.processes():
            with_suppressed_kill(pid)
        self.make.wait(30)


def with_suppressed_kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    runs = []

    def started(folder: Path | None = None, **variables: str) -> Run:
        runs.append(Run(folder or tmp_path / "data", **variables))
        return runs[-1]

    yield started
    for run in runs:
        run.finish()


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The first start on a new data folder, ended by Ctrl-C."""
    run = Run(tmp_path_factory.mktemp("first") / "data")
    try:
        run.until("Stop it with Ctrl-C.")
        assert requests.get(run.url, timeout=30).status_code == 200
        run.interrupt()
        assert run.processes() == {}
    finally:
        run.finish()
    return run


@pytest.fixture
def again(first: Run, tmp_path: Path) -> Path:
    """A copy of the data folder that the first start left, for one test to do with as it likes."""
    return Path(shutil.copytree(first.folder, tmp_path / "data"))


def passwords(folder: Path) -> dict[str, str]:
    """The users of the demo club with their passwords, from the file that tells them."""
    text = (folder / "demo-access.txt").read_text()
    return dict(re.findall(r"^(\w+) +password +(\S+)$", text, re.MULTILINE))


def token(folder: Path) -> str:
    """The API token of the demo club."""
    found = re.search(r"^API token +(\S+)$", (folder / "demo-access.txt").read_text(), re.MULTILINE)
    assert found
    return found[1]


def log_in(url: str, user: str, password: str) -> int:
    """Log in as a person does; 302 for success, 200 for the form again."""
    with requests.Session() as session:
        form = session.get(f"{url}/login/", timeout=30)
        csrf = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form.text)
        assert csrf
        data = {"username": user, "password": password, "csrfmiddlewaretoken": csrf[1]}
        return session.post(f"{url}/login/", data=data, timeout=30, allow_redirects=False).status_code


def test_the_first_start_says_where_everything_is_and_keeps_secrets(first: Run) -> None:
    assert f"Tischliga runs at {first.url}/" in first.said()
    access = first.folder / "demo-access.txt"
    assert f"Passwords and token of the demo club: {access}" in first.said()
    assert set(passwords(first.folder)) == {"owner", "scorekeeper", "member"}
    assert not any(secret in first.said() for secret in [*passwords(first.folder).values(), token(first.folder)])
    assert stat.S_IMODE(access.stat().st_mode) == 0o600
    assert stat.S_IMODE((first.folder / "secret-key").stat().st_mode) == 0o600
    assert stat.S_IMODE(first.folder.stat().st_mode) == 0o700
    assert not re.search(r"Traceback|Error|\*\*\*|exited|Shutting", first.said())


def test_a_later_start_keeps_all_data_and_the_access_works(again: Path, start: Start) -> None:
    before = (again / "demo-access.txt").read_text()
    run = start(again).until("Stop it with Ctrl-C.")
    assert (again / "demo-access.txt").read_text() == before
    assert [path.name for path in again.glob("demo-access*")] == ["demo-access.txt"]
    assert requests.get(f"{run.url}/demo/", timeout=30).status_code == 200
    known = passwords(again)
    assert log_in(run.url, "owner", known["owner"]) == 302
    assert log_in(run.url, "owner", known["member"]) == 200
    bearer = {"Authorization": f"Bearer {token(again)}"}
    assert requests.get(f"{run.url}/api/v1/clubs/demo/", headers=bearer, timeout=30).status_code == 200


def test_it_ends_with_status_0_when_asked_to(again: Path, start: Start) -> None:
    run = start(again).until("Stop it with Ctrl-C.")
    serve = run.process("manage.py serve")
    assert serve
    os.kill(serve, signal.SIGTERM)
    assert run.make.wait(30) == 0
    assert run.processes() == {}


def test_without_the_demo_the_first_owner_is_led_to_the_set_up(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "made-by-somebody"
    folder.mkdir()
    folder.chmod(0o755)
    run = start(folder, DEMO="0").until("Stop it with Ctrl-C.")
    link = re.search(rf"{run.url}/setup/\w+/", run.said())
    assert link
    assert requests.get(link[0], timeout=30).status_code == 200
    assert requests.get(link[0].replace("setup/", "setup/x"), timeout=30).status_code == 404
    assert list(run.folder.glob("demo-access*")) == []
    # The folder is open to all, what is in it is not.
    assert stat.S_IMODE((folder / "tischliga.sqlite3").stat().st_mode) == 0o600


def test_a_data_folder_is_served_once_at_a_time(again: Path, start: Start) -> None:
    first = start(again).until("Stop it with Ctrl-C.")
    second = start(again)
    assert second.make.wait(30) != 0
    assert "already runs on the data folder" in second.said()
    assert str(first.process("manage.py serve")) in second.said()
    assert "Traceback" not in second.said()
    assert requests.get(first.url, timeout=30).status_code == 200


def test_a_port_in_use_is_named(again: Path, start: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        run = start(again, PORT=str(taken.getsockname()[1]))
        assert run.make.wait(30) != 0
    assert f"Port {run.port} is in use. Choose another one: make run PORT=" in run.said()
    assert "Traceback" not in run.said()


@pytest.mark.parametrize(
    ("variable", "message"),
    [
        ({"PORT": "70000"}, "PORT is '70000': give a number from 1 to 65535."),
        ({"DEMO": "maybe"}, "DEMO is 'maybe': give 1 or 0."),
        ({"HOST": "203.0.113.5"}, "HOST is '203.0.113.5', which is no address of this machine"),
    ],
)
def test_a_wrong_variable_is_named(again: Path, start: Start, variable: dict[str, str], message: str) -> None:
    run = start(again, **variable)
    assert run.make.wait(30) != 0
    assert message in run.said()
    assert "Traceback" not in run.said()


def test_nothing_is_left_when_it_is_killed_and_it_starts_again(again: Path, start: Start) -> None:
    run = start(again).until("Stop it with Ctrl-C.")
    serve = run.process("manage.py serve")
    assert serve
    assert len(run.processes()) >= 4  # itself, the web server with a worker process, the worker
    os.kill(serve, signal.SIGKILL)
    run.make.wait(30)
    wait_for(lambda: run.processes() == {}, "all its children to end", run.processes(), timeout=20)
    start(again).until("Stop it with Ctrl-C.")


def test_a_worker_that_dies_is_started_again(again: Path, start: Start) -> None:
    run = start(again).until("Stop it with Ctrl-C.")
    wait_for(lambda: run.process("manage.py worker") is not None, "the worker")
    worker = run.process("manage.py worker")
    assert worker
    os.kill(worker, signal.SIGKILL)
    run.until("The worker ended (status -9); starting it again.")
    wait_for(lambda: run.process("manage.py worker") not in {None, worker}, "the next worker")
    assert requests.get(run.url, timeout=30).status_code == 200


def test_all_of_it_ends_when_the_web_server_dies(again: Path, start: Start) -> None:
    run = start(again).until("Stop it with Ctrl-C.")
    web = run.process("gunicorn")
    assert web
    os.kill(web, signal.SIGKILL)
    assert run.make.wait(30) != 0
    assert "The web server ended (status -9); stopping." in run.said()
    wait_for(lambda: run.processes() == {}, "all its children to end", run.processes())


def test_a_static_file_is_collected_again_only_when_one_has_changed(again: Path, start: Start) -> None:
    manifest = again / "static" / "staticfiles.json"
    collected = manifest.stat().st_mtime_ns
    start(again).until("Stop it with Ctrl-C.").interrupt()
    assert manifest.stat().st_mtime_ns == collected
    (again / "run" / "static-files").write_text("what an older version had")
    start(again).until("Stop it with Ctrl-C.")
    assert manifest.stat().st_mtime_ns > collected


def test_the_access_of_a_demo_club_survives_an_end_at_any_time(again: Path, start: Start) -> None:
    # As if the process had died after the database's commit and before the file got its name.
    access = again / "demo-access.txt"
    text = access.read_text()
    access.rename(again / "demo-access.new")
    run = start(again).until("Stop it with Ctrl-C.")
    assert str(access) in run.said()
    assert access.read_text() == text


def test_the_access_of_an_older_database_is_not_overwritten(again: Path, start: Start) -> None:
    old = (again / "demo-access.txt").read_text()
    for path in again.glob("tischliga.sqlite3*"):
        path.unlink()
    run = start(again).until("Stop it with Ctrl-C.")
    assert (again / "demo-access.txt").read_text() == old
    assert str(again / "demo-access-2.txt") in run.said()
    assert stat.S_IMODE((again / "demo-access-2.txt").stat().st_mode) == 0o600


def test_a_backup_of_a_running_installation_can_be_restored(again: Path, start: Start, tmp_path: Path) -> None:
    run = start(again).until("Stop it with Ctrl-C.")
    copy = tmp_path / "copy.sqlite3"
    command = [sys.executable, "manage.py", "backup", str(copy)]
    environ = product_environ(again, {})
    subprocess.run(command, cwd=ROOT, env=environ, check=True, capture_output=True)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    refused = subprocess.run(command, cwd=ROOT, env=environ, check=False, capture_output=True, text=True)
    assert refused.returncode == 1
    assert f"{copy} can't be made: File exists. Name a new file." in refused.stderr
    run.interrupt()

    known = passwords(again)["owner"]
    for path in again.glob("tischliga.sqlite3*"):
        path.unlink()
    copy.rename(again / "tischliga.sqlite3")
    restored = start(again).until("Stop it with Ctrl-C.")
    assert log_in(restored.url, "owner", known) == 302


def test_a_backup_of_no_installation_is_refused(tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    command = [sys.executable, "manage.py", "backup", str(copy)]
    environ = product_environ(tmp_path / "elsewhere", {})
    refused = subprocess.run(command, cwd=ROOT, env=environ, check=False, capture_output=True, text=True)
    assert refused.returncode == 1
    assert f"There is no database of Tischliga in {tmp_path / 'elsewhere'}" in refused.stderr
    assert not copy.exists()


def test_a_machine_without_python_is_told_what_is_missing(tmp_path: Path) -> None:
    make = shutil.which("make")
    assert make
    (tmp_path / "python3").write_text("#!/bin/sh\nexit 1\n")  # as of a version manager: there, but it does not run
    (tmp_path / "python3").chmod(0o755)
    told = subprocess.run(
        [make, "run"], cwd=ROOT, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert told.returncode != 0
    assert "Python 3.11 or newer is needed" in told.stderr


def test_an_environment_made_from_the_same_lock_is_left_alone(tmp_path: Path) -> None:
    lock = tmp_path / "some.lock"
    lock.write_text("")
    command = [sys.executable, ".ci/environment.py", str(tmp_path / "venv"), str(lock)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    begun = time.monotonic()
    assert subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout == b""
    assert time.monotonic() - begun < 5  # pip alone would take some of it; making it anew, all
    lock.write_text("surely-not-a-package==1.0 --hash=sha256:" + "0" * 64 + "\n")
    failed = subprocess.run(
        [*command], cwd=ROOT, check=False, capture_output=True, text=True, env={**os.environ, "PIP_NO_INDEX": "1"}
    )
    assert failed.returncode == 1
    assert "pip could not install" in failed.stderr
    assert not (tmp_path / "venv" / "made-from.lock").exists()
