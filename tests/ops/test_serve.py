"""`make run`: its first start, its later ones, and how it ends. One start serves all that look at the same."""

import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import requests

from tests.ops.make_run import Run
from tests.product import ROOT, product_environ, wait_for

Start = Callable[..., "Run"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    runs = []

    def started(folder: Path | None = None, **variables: str) -> Run:
        runs.append(Run(folder or tmp_path / "data", **variables))
        return runs[-1]

    yield started
    for run in runs:
        run.finish()


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


def test_a_later_start_keeps_all_data_and_the_access_works(first: Run, later: Run) -> None:
    assert (later.folder / "demo-access.txt").read_text() == (first.folder / "demo-access.txt").read_text()
    assert [path.name for path in later.folder.glob("demo-access*")] == ["demo-access.txt"]
    assert requests.get(f"{later.url}/demo/", timeout=30).status_code == 200
    known = passwords(first.folder)
    assert log_in(later.url, "owner", known["owner"]) == 302
    assert log_in(later.url, "owner", known["member"]) == 200
    bearer = {"Authorization": f"Bearer {token(first.folder)}"}
    assert requests.get(f"{later.url}/api/v1/clubs/demo/", headers=bearer, timeout=30).status_code == 200


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


def test_a_data_folder_is_served_once_at_a_time(later: Run) -> None:
    serve = later.process("manage.py serve")
    second = Run(later.folder)
    assert second.ended() != 0
    assert "already runs on the data folder" in second.said()
    assert str(serve) in second.said()
    assert "Traceback" not in second.said()
    assert requests.get(later.url, timeout=30).status_code == 200


def test_a_port_in_use_is_named(again: Path, start: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        run = start(again, PORT=str(taken.getsockname()[1]))
        assert run.ended() != 0
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
    assert run.ended() != 0
    assert message in run.said()
    assert "Traceback" not in run.said()


def test_nothing_is_left_when_it_is_killed_or_its_web_server_is_and_it_starts_again(again: Path, start: Start) -> None:
    run = start(again).until("Stop it with Ctrl-C.")
    serve = run.process("manage.py serve")
    assert serve
    # Itself, the web server with a worker process, the worker.
    wait_for(lambda: len(run.processes()) >= 4, "all its children")
    os.kill(serve, signal.SIGKILL)
    run.ended()
    wait_for(lambda: run.processes() == {}, "all its children to end", run.processes())

    run = start(again).until("Stop it with Ctrl-C.")
    web = run.process("gunicorn")
    assert web
    os.kill(web, signal.SIGKILL)
    assert run.ended() != 0
    assert "The web server ended (status -9); stopping." in run.said()
    wait_for(lambda: run.processes() == {}, "all its children to end", run.processes())


def test_a_start_mends_what_the_last_one_left_undone_and_ends_with_status_0_when_asked_to(
    first: Run, later: Run, again: Path, start: Start
) -> None:
    collected, kept, anew = (folder / "static" / "staticfiles.json" for folder in (first.folder, later.folder, again))
    (again / "run" / "static-files").write_text("what an older version had")
    # As if the process had died after the database's commit and before the file with the access got its name.
    access = again / "demo-access.txt"
    text = access.read_text()
    access.rename(again / "demo-access.new")

    run = start(again).until("Stop it with Ctrl-C.")

    # Static files are collected again only when one has changed.
    assert kept.stat().st_mtime_ns == collected.stat().st_mtime_ns
    assert anew.stat().st_mtime_ns > collected.stat().st_mtime_ns
    assert str(access) in run.said()
    assert access.read_text() == text
    serve = run.process("manage.py serve")
    assert serve
    os.kill(serve, signal.SIGTERM)
    assert run.ended() == 0
    assert run.processes() == {}


def test_a_worker_that_dies_is_started_again(later: Run) -> None:
    wait_for(lambda: later.process("manage.py worker") is not None, "the worker")
    worker = later.process("manage.py worker")
    assert worker
    os.kill(worker, signal.SIGKILL)
    later.until("The worker ended (status -9); starting it again.")
    wait_for(lambda: later.process("manage.py worker") not in {None, worker}, "the next worker")
    assert requests.get(later.url, timeout=30).status_code == 200


def test_the_access_of_an_older_database_is_not_overwritten(again: Path, start: Start) -> None:
    old = (again / "demo-access.txt").read_text()
    # Empty as a new one is: making a new one takes seconds.
    flush = [sys.executable, "manage.py", "flush", "--no-input"]
    subprocess.run(flush, cwd=ROOT, env=product_environ(again, {}), check=True, capture_output=True)
    run = start(again).until("Stop it with Ctrl-C.")
    assert (again / "demo-access.txt").read_text() == old
    assert str(again / "demo-access-2.txt") in run.said()
    assert stat.S_IMODE((again / "demo-access-2.txt").stat().st_mode) == 0o600


def test_a_backup_of_a_running_installation_can_be_restored(
    later: Run, again: Path, start: Start, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite3"
    command = [sys.executable, "manage.py", "backup", str(copy)]
    environ = product_environ(later.folder, {})
    subprocess.run(command, cwd=ROOT, env=environ, check=True, capture_output=True)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    refused = subprocess.run(command, cwd=ROOT, env=environ, check=False, capture_output=True, text=True)
    assert refused.returncode == 1
    assert f"{copy} can't be made: File exists. Name a new file." in refused.stderr

    for path in again.glob("tischliga.sqlite3*"):
        path.unlink()
    copy.rename(again / "tischliga.sqlite3")
    restored = start(again).until("Stop it with Ctrl-C.")
    assert log_in(restored.url, "owner", passwords(later.folder)["owner"]) == 302


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
    # Whatever it does, it says first.
    assert subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout == b""
    lock.write_text("surely-not-a-package==1.0 --hash=sha256:" + "0" * 64 + "\n")
    failed = subprocess.run(
        [*command], cwd=ROOT, check=False, capture_output=True, text=True, env={**os.environ, "PIP_NO_INDEX": "1"}
    )
    assert failed.returncode == 1
    assert "pip could not install" in failed.stderr
    assert not (tmp_path / "venv" / "made-from.lock").exists()
