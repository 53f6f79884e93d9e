"""The commands of the API guide and of docs/corrections.md, run in order in one shell, answer what stands there."""

import json
import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from league.models import Job, JobState, Scope
from league.services import tokens
from tests.people import People
from tests.product import ROOT, TIMEOUT, wait_for

if TYPE_CHECKING:
    from tests.product import Product

GUIDE = (ROOT / "docs" / "api.md").read_text()
CORRECTIONS = (ROOT / "docs" / "corrections.md").read_text()
_SETTINGS = re.compile(r"TISCHLIGA=.*?demo-access\.txt\)\n", re.DOTALL)


@pytest.fixture(autouse=True)
def present() -> None:
    """The product is a process of its own and lives by the real clock."""


def _steps(page: str) -> list[tuple[str, Any]]:
    """(commands, the answer shown next to them or None), in order."""
    steps: list[tuple[str, Any]] = []
    for language, text in re.findall(r"^```(sh|json)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        if language == "sh":
            steps.append((text, None))
        else:
            steps[-1] = (steps[-1][0], json.loads(text))
    return steps


def _assert_shown(shown: Any, answered: Any, where: str) -> None:
    """The guide shows a part of the answer: fields and rows may be left out at the end, none may differ."""
    if isinstance(shown, dict):
        for key, value in shown.items():
            _assert_shown(value, answered[key], f"{where}/{key}")
    elif isinstance(shown, list):
        assert len(shown) <= len(answered), where
        for index, value in enumerate(shown):
            _assert_shown(value, answered[index], f"{where}/{index}")
    else:
        assert shown == answered, where


def _wait_for_the_worker() -> None:
    """Until the guide's bot match is played: the tables can't be emptied under a worker that writes to them."""
    wait_for(lambda: not Job.objects.exclude(state=JobState.DONE).exists(), "the worker")


@pytest.mark.parametrize("page", [GUIDE, CORRECTIONS], ids=["api", "corrections"])
def test_the_guide_tells_the_truth(server: "Product", people: People, page: str) -> None:
    def token(scope: Scope) -> str:
        access = people.access(people.owner)
        return tokens.create(access=access, name="guide", scope=scope, expires_at=None, now=timezone.now())[1]

    given = (
        f"TISCHLIGA={server.url}\nCLUB=$TISCHLIGA/api/v1/clubs/herzclub\n"
        f"TOKEN={token(Scope.RESULTS_WRITE)}\nADMIN_TOKEN={token(Scope.CLUB_ADMIN)}\n"
    )
    steps = _steps(page)
    assert _SETTINGS.fullmatch(steps[0][0])
    script = given + "".join(f"{commands}\nprintf '\\n\\036\\n'\n" for commands, _shown in steps[1:])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, check=False, timeout=TIMEOUT
    )
    assert done.returncode == 0, done.stderr
    _wait_for_the_worker()
    for (commands, shown), printed in zip(steps[1:], done.stdout.split("\n\x1e\n"), strict=False):
        *_before, last = re.split(r"(?<=\})(?=\{)", printed.strip())
        answered = json.loads(last)
        if shown is not None:
            _assert_shown(shown, answered, commands)
        else:
            assert "errors" not in answered, printed


def test_every_kind_of_status_is_in_the_table(people: People) -> None:
    from api.problems import KINDS

    table = re.findall(r"^\| ([0-9, ]+) \|", GUIDE, re.MULTILINE)
    assert {int(status) for row in table for status in row.split(", ")} == {kind.status for kind in KINDS}
