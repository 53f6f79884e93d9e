"""`make test` repeats the few tests that failed beside others, and hides nothing: real runs on small files."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests import run

# Fails in its first run and passes in every later one.
RACY = """
    here = pathlib.Path(__file__).with_suffix(f".{number}")
    if not here.exists():
        here.touch()
        raise AssertionError("the machine was busy")
"""
WRONG = "    raise AssertionError(1)"
CHANCE = "    assert random.random() > 2, random.random()"


def ended(folder: Path, *bodies: str, head: str = "") -> tuple[run.Step, int]:
    """A step of one file, with a test of each body, after its first run; its exit status."""
    tests = [f"def test_{number}():\n    number = {number}\n{body}" for number, body in enumerate(bodies)]
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_some.py").write_text("\n".join(["import os, pathlib, random", head, *tests]))
    cache = folder / "cache"
    command = [sys.executable, "-m", "pytest", "-p", "pytest_randomly", "-o", f"cache_dir={cache}", str(folder)]
    environ = {"DJANGO_SETTINGS_MODULE": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    step = run.Step("some", command, environ, cache)
    return step, run._quietly(step).status


def test_what_passes_alone_is_named_and_fails_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    step, status = ended(tmp_path, RACY, "    pass", RACY)
    assert status == 1
    assert run.passes_alone(step, status)
    said = capfd.readouterr().out
    for number in (0, 2):
        assert f"failed under load, passed alone: test_some.py::test_{number}\n" in said
    assert "2 passed" in said, "and no other test is run again"


def test_what_fails_twice_has_failed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    step, status = ended(tmp_path, RACY, WRONG)
    assert not run.passes_alone(step, status)
    said = capfd.readouterr().out
    assert "failed under load, passed alone: test_some.py::test_0\n" in said
    assert "failed twice: test_some.py::test_1\n" in said


def test_chance_is_the_same_both_times(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    step, status = ended(tmp_path, CHANCE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "200")
        first = run._quietly(replace(step, command=[*step.command, "--randomly-seed=last"])).output
        assert not run.passes_alone(step, status)
    drawn = [line for line in first.splitlines() if line.startswith("E   ") and "AssertionError: 0." in line]
    assert drawn
    assert drawn[0] in capfd.readouterr().out


@pytest.mark.parametrize(
    ("bodies", "head", "status"),
    [
        ((RACY,) * (run.FEW + 1), "", 1),
        ((RACY,), "import nothing_there", 2),
        ((RACY, "    os._exit(1)"), "", 1),
        ((RACY, "    os.abort()"), "", -6),
    ],
    ids=["many failures", "not collected", "ended in the middle", "crashed"],
)
def test_what_is_no_matter_of_load_is_not_repeated(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], bodies: tuple[str, ...], head: str, status: int
) -> None:
    step, found = ended(tmp_path, *bodies, head=head)
    assert found == status
    assert not run.passes_alone(step, found)
    assert capfd.readouterr().out == ""


def test_an_earlier_run_is_forgotten(tmp_path: Path) -> None:
    step, _status = ended(tmp_path, WRONG)
    assert run.failures(step) == ["test_some.py::test_0"]
    run.forget_failures(step)
    assert run.failures(step) == []


def test_every_step_of_pytest_notes_what_fails_in_a_folder_of_its_own() -> None:
    caches = [step.cache for step in run.tests()]
    assert None not in caches
    assert len(set(caches)) == len(caches)
    for step in run.tests():
        assert f"cache_dir={step.cache}" in step.command
