"""`make test`: every check and every test, with the time that each step takes.

Databases are migrated once, for the steps of pytest to begin with a copy (tests/templates.py). Then the tests on
PostgreSQL and Valkey, those of the pages and those of the API begin, and the checks beside them at once, two at a time;
when these are through, the tests on SQLite (less what no database can change, tests/conftest.py) and the others that
touch no database. What takes longest gives way least, so that all end together: those of the rooms, which only compute,
fill what is left of the processors while the rest waits for processes of the product. Every step runs whatever became
of the others, and any failure gives exit status 1. Names of steps as arguments run only those:
`python -m tests.run ruff mypy`.

A test that fails beside the other steps may do so because they took the processor. The few that did run once more when
all else has ended: what fails again has failed, what passes alone is named, to be mended, and the run succeeds.
"""

import contextlib
import json
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
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from tests import browser, servers, templates

ROOT = Path(__file__).parent.parent
_BIN = Path(sys.executable).parent
_ROOMS = [name for name in ("games", "league", "api", "tests", "benchmarks", "examples") if (ROOT / name).is_dir()]
_NOT_BANDITS = "B105,B106,B107,B311,B404,B603"
_PYTHON = [*_ROOMS, "manage.py", ".ci/environment.py"]
# So many failed tests of a step may be a matter of a busy machine; more are not.
FEW = 5
# No test in these folders of tests/ touches a database (tests/conftest.py sees to it): they need not be read for one.
PURE = ("exchange", "games", "pairing", "scoring")
# Below tests/, what asks the running product or drives a browser, as most pages: one run starts both for all of them.
_WITH_PRODUCT = (
    "api/test_docs_page.py",
    "api/test_guide.py",
    "ops/test_health.py",
    "test_example_client.py",
    "test_result_to_leaderboard.py",
)
_PATIENCE = 400  # seconds for a test that takes a minute where nothing else runs
# The steps with the longest way to go. Their files are all different, and compiled for those that come later.
_FIRST = ("postgresql", "pages", "api")
_TESTS_FAILED = 1  # pytest's own status: not an error of collection, an interruption or a crash


@dataclass(frozen=True)
class Step:
    """One program to run; `environ` is added to the environment of all.

    `cache` is the folder in which a run of pytest notes what failed, None for other programs. `niceness` is as of
    `nice`: the higher, the more a step gives way to the others.
    """

    name: str
    command: Sequence[str]
    environ: Mapping[str, str] = field(default_factory=dict)
    cache: Path | None = None
    niceness: int = 0


@dataclass(frozen=True)
class Ended:
    """How a step ended; `output` is "" where it was shown as it came.

    `seconds` are those of the clock, `processor` those in which it and all processes that it waited for computed.
    """

    status: int
    output: str
    seconds: float
    processor: float


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
    return [
        # With the API, the pages and all that a browser does in one run, PostgreSQL's would end long after the others.
        _pytest(
            "postgresql", 0, "--only-database", *_without("api", "web", *_WITH_PRODUCT, *PURE), TISCHLIGA_TEST_DB=""
        ),
        # These two with their tests of no database: to read a folder once more for the few takes longer than they do.
        _pytest("pages", 0, *_only("web", *_WITH_PRODUCT), TISCHLIGA_TEST_DB=""),
        _pytest("api", 2, *_only("api"), *_without(*_WITH_PRODUCT), TISCHLIGA_TEST_DB=""),
        _pytest("sqlite", 2, "--only-database", *_without("web", *PURE), TISCHLIGA_TEST_DB="sqlite"),
        _pytest("no-database", 2, "--without-database", *_without("api", "web", *_WITH_PRODUCT, *PURE)),
        _pytest("rooms", 5, "--without-database", *_only(*PURE)),
    ]


def _only(*paths: str) -> list[str]:
    return [f"tests/{path}" for path in paths]


def _without(*paths: str) -> list[str]:
    return [f"--ignore=tests/{path}" for path in paths]


def _pytest(name: str, niceness: int, *arguments: str, **environ: str) -> Step:
    cache = ROOT / "build" / f"pytest-{name}"
    command = [sys.executable, "-m", "pytest", "--durations=10", "--durations-min=3"]
    command += [f"--timeout={_PATIENCE}", "-o", f"cache_dir={cache}", *arguments]
    return Step(name, command, environ, cache, niceness)


def main(names: Sequence[str]) -> int:
    os.chdir(ROOT)
    # What is compiled is kept, whatever the machine's habit: the runs of pytest and the product's processes, which
    # they start by the dozen, would each compile all of it anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    begin = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="tischliga-checks-") as data,
        contextlib.ExitStack() as stack,
        ThreadPoolExecutor() as pool,
    ):
        cheap, dear = checks(data), tests()
        unknown = set(names) - {step.name for step in cheap + dear}
        if unknown:
            _say(f"no such step: {', '.join(sorted(unknown))}")
            return 2
        cheap, dear = ([step for step in steps if not names or step.name in names] for steps in (cheap, dear))
        problem = _what_is_missing() if dear else ""
        if problem:
            _side_by_side(cheap)
            _say(problem)
            return 1
        for step in dear:
            forget_failures(step)
        alone = len(dear) == 1
        made: Future[Ended] | None = None
        if sum("TISCHLIGA_TEST_DB" in step.environ for step in dear) > 1:
            folder = servers.make_folder()
            stack.callback(servers.remove_folder, folder)
            os.environ[templates.VARIABLE] = str(folder)
            made = pool.submit(_quietly, Step("databases", [sys.executable, "-m", "tests.templates", str(folder)]))

        def when_made(step: Step) -> Ended:
            if made and "TISCHLIGA_TEST_DB" in step.environ:
                made.result()
            return _quietly(step)

        started = {step.name: pool.submit(when_made, step) for step in dear if step.name in _FIRST and not alone}
        ended = _side_by_side(cheap)
        for step in dear:
            if step.name not in started and not alone:
                started[step.name] = pool.submit(when_made, step)
        for step in dear:
            _say(f"\n{step.name}: {' '.join(step.command)}")
            ended[step.name] = started[step.name].result() if started else _in_front(step)
            _say(ended[step.name].output)
        if made:
            ended["databases"] = made.result()
            _say(ended["databases"].output)
        _tell(ended, time.monotonic() - begin)
        failed = [name for name, one in ended.items() if one.status and name not in {step.name for step in dear}]
        failed += [step.name for step in dear if (status := ended[step.name].status) and not passes_alone(step, status)]
    if failed:
        _say(f"\nfailed: {', '.join(failed)}")
    return 1 if failed else 0


def _tell(ended: Mapping[str, Ended], seconds: float) -> None:
    """How long each step took by the clock and of the processors, the dearest first, and all of them together."""
    _say(f"\n{'step':<12} {'':<6} {'clock':>7}  {'processor':>9}")
    for name, one in sorted(ended.items(), key=lambda item: -item[1].processor):
        _say(f"{name:<12} {_word(one)} {one.seconds:6.1f} s {one.processor:8.1f} s")
    _say(f"{'all':<12} {'':<6} {seconds:6.1f} s {sum(one.processor for one in ended.values()):8.1f} s")


def _word(ended: Ended) -> str:
    return f"{'FAILED' if ended.status else 'ok':<6}"


def forget_failures(step: Step) -> None:
    """Or those of an earlier run would be repeated."""
    if step.cache:
        shutil.rmtree(step.cache, ignore_errors=True)


def failures(step: Step) -> list[str]:
    """The tests of the step that have failed and not passed since, as pytest noted at the end of its run."""
    noted = step.cache / "v" / "cache" / "lastfailed" if step.cache else None
    return sorted(json.loads(noted.read_text())) if noted and noted.exists() else []


def passes_alone(step: Step, status: int) -> bool:
    """Whether the few failed tests of a step that ended with `status` pass when nothing else runs; tells of each.

    A run that ended otherwise than with failed tests, or with many, is not repeated. Chance is the same both times.
    """
    failed = failures(step)
    if status != _TESTS_FAILED or not 0 < len(failed) <= FEW:
        return False
    again = ("--last-failed", "--last-failed-no-failures=none", "--randomly-seed=last")
    _say(f"\n{step.name}: what failed beside the other steps, once more and alone:")
    succeeded = _in_front(replace(step, command=[*step.command, *again])).status == 0
    left = failures(step)
    for test in failed:
        _say(f"{'failed twice' if test in left else 'failed under load, passed alone'}: {test}")
    return succeeded and not left


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


def _side_by_side(steps: Sequence[Step]) -> dict[str, Ended]:
    """Run the steps at once, tell each as it ends, with its output when it failed; how they ended, by name."""
    ended = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        started = {pool.submit(_quietly, step): step for step in steps}
        for done in as_completed(started):
            step, one = started[done], done.result()
            ended[step.name] = one
            _say(f"{step.name:<12} {_word(one)} {one.seconds:6.1f} s {one.processor:6.1f} s of the processor")
            if one.status:
                _say(one.output)
    return ended


def _quietly(step: Step) -> Ended:
    """Run a step; its output is kept."""
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        ended = _run(step, output)
        output.seek(0)
        return replace(ended, output=output.read())


def _in_front(step: Step) -> Ended:
    """Run a step with its output shown as it comes."""
    return _run(step, None)


def _run(step: Step, output: IO[str] | None) -> Ended:
    """Run a step. Ctrl-C reaches it too; it stops its servers, so it is waited for."""
    begin = time.monotonic()
    interrupted = False
    process = subprocess.Popen(
        step.command,
        env={**os.environ, **step.environ},
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output and subprocess.STDOUT,
    )
    os.setpriority(os.PRIO_PROCESS, process.pid, step.niceness)
    while process.returncode is None:
        try:
            _pid, status, used = os.wait4(process.pid, 0)
        except KeyboardInterrupt:
            interrupted = True
            continue
        process.returncode = os.waitstatus_to_exitcode(status)
    # The first is pytest's own status for an interrupted run, which an error of collection has too.
    if interrupted and process.returncode in (2, -signal.SIGINT):
        sys.exit(130)
    return Ended(process.returncode, "", time.monotonic() - begin, used.ru_utime + used.ru_stime)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
