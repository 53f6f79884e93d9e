"""The one story whole: programs post a club's evenings over HTTP, and a visitor reads the leaderboard.

The evenings and what has to come of them were worked out by hand (`tests/data/evenings`, the `.worked.md` beside each).
"""

import json
from datetime import date
from pathlib import Path
from typing import Any

import requests
from playwright.sync_api import Page, expect

from league.models import Scope
from league.services import tokens
from tests.people import NOW, People
from tests.product import Product

EVENINGS = Path(__file__).parent / "data" / "evenings"


def load(name: str) -> Any:
    return json.loads((EVENINGS / name).read_text())


def post(server: Product, path: str, token: str, body: object) -> Any:
    headers = {"Authorization": f"Bearer {token}"}
    answer = requests.post(f"{server.url}/api/v1/clubs/herzclub/{path}", json=body, headers=headers, timeout=30)
    assert answer.status_code == 201, answer.text
    return answer.json()


def check_against_the_sheet(answer: Any, expected: Any) -> None:
    """The answer holds every place, running sum and final place of the hand-worked sheet."""
    for given, worked in zip(answer["rounds"], expected["rounds"], strict=True):
        scores = {score["player"]["name"]: score for score in given["scores"]}
        assert given["game"] == worked["game"]
        assert {name: score["place"] for name, score in scores.items()} == worked["places"]
        assert {name: score["place_sum"] for name, score in scores.items()} == worked["place_sums"]
    final = {one["player"]["name"]: {"place_sum": one["place_sum"], "place": one["place"]} for one in answer["players"]}
    assert final == expected["final"]


def test_three_evenings_become_a_leaderboard(server: Product, people: People, page: Page) -> None:
    """Two evenings posted whole, one round by round; then the table of the season as a visitor sees it."""
    access = people.access(people.owner)
    _token, raw = tokens.create(access=access, name="scoring app", scope=Scope.RESULTS_WRITE, expires_at=None, now=NOW)

    for name in ("four-players", "six-players-twice"):
        answer = post(server, "sessions/", raw, load(f"{name}.json"))
        assert answer["status"] == "complete"
        check_against_the_sheet(answer, load(f"{name}.expected.json"))

    evening = load("five-players.json")
    rounds = evening.pop("rounds")
    answer = post(server, "sessions/", raw, {**evening, "status": "open", "rounds": []})
    assert answer["status"] == "open"
    for one in rounds:
        answer = post(server, f"sessions/{answer['id']}/rounds/", raw, one)
    assert answer["status"] == "complete"
    check_against_the_sheet(answer, load("five-players.expected.json"))

    expected = load("season.expected.json")["standings"]
    page.goto("/herzclub/monday-league/2026/")
    rows = page.locator("table.board tbody tr")
    expect(rows).to_have_count(len(expected))
    for row, worked in zip(rows.all(), expected, strict=True):
        cells = row.locator("th, td")
        rank, player, sessions, average, wins, last = (cells.nth(index).inner_text() for index in range(6))
        total, _slash, count = worked["place_average"].partition("/")
        day = date.fromisoformat(worked["last_played_on"])
        assert rank.split()[0].strip("=") == str(worked["rank"])
        assert ("=" in rank or "shared" in rank) == worked["shared"]
        assert player.split()[0] == worked["player"]
        assert int(sessions) == worked["sessions"]
        assert average == f"{int(total) / int(count or 1):.2f}"
        assert int(wins) == worked["wins"]
        assert last.split() == [f"{day.day}", f"{day:%b}", f"{day.year}", "place", str(worked["last_place"])]

    # From Ann's row to the score sheet of her last evening: all twelve rounds, and her final place.
    rows.filter(has_text="Ann").locator("td a").last.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Score sheet")
    sheet = page.locator("table").first.inner_text()
    for name in ("Ann", "Ben", "Cem", "Dora", "Eva", "Finn"):
        assert name in sheet
    final = load("six-players-twice.expected.json")["final"]["Ann"]
    assert str(final["place_sum"]) in sheet
