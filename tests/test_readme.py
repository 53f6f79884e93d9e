"""The README's commands do what the README says, typed into a shell word by word."""

import json
import re
import subprocess
from typing import Any

import requests

from tests.ops.make_run import Run
from tests.product import ROOT, TIMEOUT, Log, wait_for

README = (ROOT / "README.md").read_text()


def commands(run: Run) -> list[str]:
    """The README's blocks for the shell, with this run's port and data folder in place of the usual ones."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    token = next(line for line in blocks[0].splitlines() if line.startswith("TOKEN="))
    here = []
    for block in blocks:
        script = block if token in block else f"{token}\n{block}"
        assert "127.0.0.1:8000" in script
        here.append(
            script.replace("127.0.0.1:8000", f"127.0.0.1:{run.port}").replace(
                "data/demo-access.txt", str(run.folder / "demo-access.txt")
            )
        )
    return here


def shell(script: str) -> str:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def last_answer(printed: str) -> Any:
    """The last of the JSON documents that curl printed one after the other."""
    answer, decoder = None, json.JSONDecoder()
    while printed.strip():
        answer, end = decoder.raw_decode(printed.strip())
        printed = printed.strip()[end:]
    return answer


def test_an_evening_is_posted_once_and_moves_the_table(later: Run) -> None:
    post, tables, _bots = commands(later)
    before = last_answer(shell(tables))
    first = shell(post)
    assert shell(post) == first
    answer = json.loads(first)
    expected = json.loads((ROOT / "tests/data/evenings/four-players.expected.json").read_text())
    final = {one["player"]["name"]: {"place_sum": one["place_sum"], "place": one["place"]} for one in answer["players"]}
    assert final == expected["final"]

    after = last_answer(shell(tables))

    def sessions(table: Any) -> dict[str, int]:
        return {row["player"]["name"]: row["sessions"] for row in table["results"]}

    more = {player: count for player, count in sessions(after).items() if count != sessions(before).get(player)}
    assert set(more) == {"Ann", "Ben", "Cem", "Dora"}
    page = re.search(r"<(http://127\.0\.0\.1:8000/demo/.*?)>", README)
    assert page
    shown = requests.get(page[1].replace(":8000", f":{later.port}"), timeout=30)
    assert shown.status_code == 200
    assert f"/demo/sessions/{answer['id']}/" in shown.text


def test_bots_play_and_the_answer_says_where_to_look(later: Run) -> None:
    _post, _tables, bots = commands(later)
    headers, _blank, _body = shell(bots).replace("\r", "").partition("\n\n")
    assert headers.splitlines()[0].split()[1] == "202"
    location = re.search(r"^Location: (.*)$", headers, re.MULTILINE | re.IGNORECASE)
    assert location
    token = re.search(r"^API token +(\S+)$", (later.folder / "demo-access.txt").read_text(), re.MULTILINE)
    assert token
    url, bearer = requests.compat.urljoin(later.url, location[1]), {"Authorization": f"Bearer {token[1]}"}

    def is_done() -> bool:
        state = requests.get(url, headers=bearer, timeout=30).json()
        return state["state"] == "done" and bool(state["session"])

    wait_for(is_done, "the match to be played", Log(later.output))


def test_pictures_and_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = page.read_text()
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} leads to {target}"
