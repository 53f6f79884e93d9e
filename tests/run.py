"""`make test`: every check and every test, with the time that each step takes.

First all the checks that need no server, side by side, and beside them the tests that touch no database; once the
checks are through, the tests on PostgreSQL and Valkey, and beside them those of the pages and those on SQLite (less
what no database can change, tests/conftest.py). Every step runs whatever became of the others, and any failure gives
exit status 1. Names of steps as arguments run only those: `python -m tests.run ruff mypy`.
"""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from tests import browser

ROOT = Path(__file__).parent.parent
_BIN = Path(sys.executable).parent
_ROOMS = [name for name in ("games", "league", "api", "tests", "benchmarks", "examples") if (ROOT / name).is_dir()]
_NOT_BANDITS = "B105,B106,B107,B311,B404,B603"
_PYTHON = [*_ROOMS, "manage.py", ".ci/environment.py"]


@dataclass(frozen=True)
class Step:
    """One program to run; `environ` is added to the environment of all."""

    name: str
    command: Sequence[str]
    environ: Mapping[str, str] = field(default_factory=dict)


def _tool(name: str, *arguments: str) -> list[str]:
    return [str(_BIN / name), *arguments]


def _manage(*arguments: str) -> list[str]:
    return [sys.executable, "manage.py", *arguments]


def checks(data: str) -> list[Step]:
    """The steps without a server; `data` is an empty folder."""
    production = {
        "DATA_DIR": data,
        "SITE_URL": "https://liga.example.org",
        "SECRET_KEY": secrets.token_urlsafe(64),
        "DATABASE_URL": "",
        "REDIS_URL": "",
    }
    return [
        Step("mypy", _tool("mypy", *_PYTHON)),
        Step("ruff", _tool("ruff", "check", ".")),
        Step("format", _tool("ruff", "format", "--check", ".")),
        Step("imports", _tool("lint-imports", "--no-cache")),
        # What has its own reasons here: B311, chance in games has to be reproducible; B404 and B603, the programs
        # started are our own. B105 to B107, strings that look like passwords, are ruff's S105 to S107.
        Step("bandit", _tool("bandit", "--quiet", "--skip", _NOT_BANDITS, "-r", "games", "league", "api")),
        Step("deploy", _manage("check", "--deploy", "--fail-level", "WARNING"), production),
        Step("migrations", _manage("makemigrations", "--check", "--dry-run"), production),
    ]


def tests() -> list[Step]:
    """The steps of pytest, which starts and stops the servers it needs itself (tests/conftest.py)."""
    command = [sys.executable, "-m", "pytest", "--durations=10", "--durations-min=3"]
    database = [*command, "--only-database"]
    return [
        # With the pages and all that a browser does in one run, PostgreSQL's would end long after the others.
        Step("postgresql", [*database, "--ignore=tests/web"], {"TISCHLIGA_TEST_DB": ""}),
        Step("pages", [*database, "tests/web"], {"TISCHLIGA_TEST_DB": ""}),
        Step("sqlite", [*database, "--ignore=tests/web"], {"TISCHLIGA_TEST_DB": "sqlite"}),
        Step("no-database", [*command, "--without-database"]),
    ]


def main(names: Sequence[str]) -> int:
    os.chdir(ROOT)
    # What is compiled is kept, whatever the machine's habit: three runs of pytest and the product's processes, which
    # they start by the dozen, would each compile all of it anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory(prefix="tischliga-checks-") as data, ThreadPoolExecutor() as pool:
        cheap, dear = checks(data), tests()
        unknown = set(names) - {step.name for step in cheap + dear}
        if unknown:
            _say(f"no such step: {', '.join(sorted(unknown))}")
            return 2
        cheap, dear = ([step for step in steps if not names or step.name in names] for steps in (cheap, dear))
        problem = _what_is_missing() if dear else ""
        # Much of a run is waiting for processes, so that four share two cores well.
        at_once = [step for step in dear if step.name == "no-database" and len(dear) > 1 and not problem]
        started = {step.name: pool.submit(_quietly, step) for step in at_once}
        failed = _side_by_side(cheap)
        if problem:
            _say(problem)
            return 1
        waiting = [step for step in dear if step.name not in started]
        started |= {step.name: pool.submit(_quietly, step) for step in waiting[1:]}
        for step in dear:
            succeeded = _told(step, started[step.name]) if step.name in started else _watched(step)
            if not succeeded:
                failed.append(step.name)
    if failed:
        _say(f"\nfailed: {', '.join(failed)}")
    return 1 if failed else 0


def _what_is_missing() -> str:
    """What the tests need and could not get; "" when all is there."""
    try:
        os.environ[browser.VARIABLE] = browser.fetch()
    except browser.NoBrowserError as error:
        return str(error)
    if not _has_curl():
        return "The tests run the README's commands, which need curl. Type:\n    apt-get install curl"
    return ""


def _has_curl() -> bool:
    """Whether curl is there, after getting it as root from apt if it was not."""
    if not shutil.which("curl") and os.geteuid() == 0 and shutil.which("apt-get"):
        install = "apt-get update && apt-get install -y --no-install-recommends curl"
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(
            ["sh", "-c", install], env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    return shutil.which("curl") is not None


def _side_by_side(steps: Sequence[Step]) -> list[str]:
    """Run the steps at once, tell each as it ends, with its output when it failed; give the names of the failed."""
    failed = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        started = {pool.submit(_quietly, step): step for step in steps}
        for done in as_completed(started):
            status, output, seconds = done.result()
            _say(f"{started[done].name:<12} {'FAILED' if status else 'ok':<6} {seconds:6.1f} s")
            if status:
                failed.append(started[done].name)
                _say(output)
    return failed


def _quietly(step: Step) -> tuple[int, str, float]:
    begin = time.monotonic()
    run = subprocess.run(
        step.command,
        env={**os.environ, **step.environ},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return run.returncode, run.stdout, time.monotonic() - begin


def _watched(step: Step) -> bool:
    """Run a step with its output shown as it comes; whether it succeeded."""
    _say(f"\n{step.name}: {' '.join(step.command)}")
    begin = time.monotonic()
    status = _in_front(step)
    _say(f"{step.name}: {time.monotonic() - begin:.1f} s")
    return status == 0


def _told(step: Step, running: "Future[tuple[int, str, float]]") -> bool:
    """Wait for a step and show its output; whether it succeeded."""
    status, output, seconds = running.result()
    _say(f"\n{step.name}: {' '.join(step.command)}\n{output}{step.name}: {seconds:.1f} s")
    return status == 0


def _in_front(step: Step) -> int:
    """Run a step with its output shown. Ctrl-C reaches it too; it stops its servers, so it is waited for."""
    with subprocess.Popen(step.command, env={**os.environ, **step.environ}, stdin=subprocess.DEVNULL) as process:
        while True:
            try:
                status = process.wait()
            except KeyboardInterrupt:
                continue
            if status in (2, -signal.SIGINT):  # pytest's own status for an interrupted run
                sys.exit(130)
            return status


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
