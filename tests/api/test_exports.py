"""Files of a club by program: tables, the archive, links into BG Stats."""

import csv
import io
import json
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from league.exchange.archive import TOPICS, Reader
from league.models import AuditEvent, ImportBatch, Scope
from tests.api.client import Program, places
from tests.api.conftest import program
from tests.api.evenings import evening, table
from tests.people import NOW, People

pytestmark = pytest.mark.django_db


def body(answer: Any) -> bytes:
    return b"".join(answer) if answer.streaming else answer.content


def rows(answer: Any, delimiter: str = ",") -> list[dict[str, str]]:
    assert answer["Content-Type"] == "text/csv; charset=utf-8", answer.content
    return list(csv.DictReader(io.StringIO(body(answer).decode("utf-8-sig"), newline=""), delimiter=delimiter))


@pytest.fixture
def played(scorer: Program) -> list[int]:
    """The ids of the worked evenings."""
    return [
        scorer.post("sessions/", evening(name)[0]).json()["id"]
        for name in ("four-players", "five-players", "six-players-twice")
    ]


def test_standings(reader: Program, people: People, played: list[int]) -> None:
    path = f"seasons/{people.season.pk}/standings/csv/"
    assert [(row["Rank"], row["Player"], row["Wins"]) for row in rows(reader.get(path))] == [
        (str(one["rank"]), one["player"], str(one["wins"])) for one in table()
    ]
    assert list(rows(reader.get(path, Accept_Language="de"), ";")[0])[:2] == ["Rang", "Spieler"]
    assert list(rows(reader.get(f"{path}?language=de&delimiter=comma"))[0])[:2] == ["Rang", "Spieler"]
    answer = reader.get(f"{path}?delimiter=tab")
    assert (answer.status_code, answer.json()["errors"][0]["parameter"]) == (400, "delimiter")


def test_sessions(reader: Program, played: list[int]) -> None:
    """The hand-worked evenings have 4*6 + 5*6 + 6*12 scores."""
    whole = json.loads(body(reader.get("sessions/json/")))
    assert [row["session"] for row in whole] == sorted(row["session"] for row in whole)
    counts = {pk: sum(row["session"] == pk for row in whole) for pk in played}
    assert counts == dict(zip(played, (24, 30, 72), strict=True))
    assert len(rows(reader.get("sessions/csv/"))) == len(whole)
    posted = evening("five-players")[0]
    day = posted["played_on"]
    one = json.loads(body(reader.get(f"sessions/json/?played_from={day}&played_until={day}&season=monday-league/2026")))
    assert {row["session"] for row in one} == {played[1]}
    assert {(row["player"], row["points"]) for row in one if row["round"] == 1} == {
        (score["player"], score["points"]) for score in posted["rounds"][0]["scores"]
    }
    assert json.loads(body(reader.get("sessions/json/?season=monday-league/1999"))) == []


def test_the_archive(people: People, played: list[int]) -> None:
    its = program(people, people.owner, Scope.CLUB_ADMIN)
    answer = its.get("archive/")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    reader = Reader(io.BytesIO(body(answer)))
    told = {topic: [row for _number, row in reader.rows(topic)] for topic in TOPICS}
    assert [row["id"] for row in told["sessions"]] == played
    assert AuditEvent.objects.get(action="club.exported").token is not None
    ImportBatch.objects.create(club=people.club, source="csv", file_name="x", file_sha256="0" * 64, state="applying")
    refused = its.get("archive/")
    assert (refused.status_code, [code for _place, code in places(refused)]) == (409, ["import_under_way"])


def test_bg_stats_links(reader: Program, scorer: Program, played: list[int]) -> None:
    final = evening("four-players")[1]["final"]
    told = reader.get(f"sessions/{played[0]}/bg-stats-links/").json()["results"]
    assert {one["player"]["name"] for one in told} == set(final)
    for one in told:
        play = json.loads(parse_qs(urlsplit(one["url"]).query)["data"][0])
        assert play["players"][0]["name"] == one["player"]["name"]
        assert {row["name"]: row["winner"] for row in play["players"]} == {
            name: result["place"] == 1 for name, result in final.items()
        }
    going_on = scorer.post("sessions/", {**evening("four-players")[0], "rounds": [], "status": "open"}).json()["id"]
    assert reader.get(f"sessions/{going_on}/bg-stats-links/").json() == {"results": [], "next": None}


def test_the_winner_of_a_game_by_points_and_of_one_played_together(reader: Program, scorer: Program) -> None:
    def push(**posted: Any) -> Any:
        day = (NOW - timedelta(days=1)).date().isoformat()
        answer = scorer.post("sessions/", {"played_on": day, "status": "complete", **posted})
        assert answer.status_code == 201, answer.content
        link = reader.get(f"sessions/{answer.json()['id']}/bg-stats-links/").json()["results"][0]["url"]
        return json.loads(parse_qs(urlsplit(link).query)["data"][0])

    seats = [{"player": "Ann"}, {"player": "Ben"}]

    def one(game: str, **scores: Any) -> list[dict[str, Any]]:
        return [{"game": game, "scores": [{"player": name, **score} for name, score in scores.items()]}]

    three = [*seats, {"player": "Cem"}]
    points = {"Ann": {"points": 9}, "Ben": {"points": 31}, "Cem": {"points": 31}}
    won = push(format="single_game", players=three, rounds=one("xxl-4", **points))
    assert (won["game"]["highestWins"], won["game"]["name"], won["board"]) == (True, "XXL", "Straßenbau")
    assert [(row["score"], row["rank"], row["winner"]) for row in won["players"]] == [
        ("9", 3, False),
        ("31", 1, True),
        ("31", 1, True),
    ]
    finished = {"Ann": {"place": 2}, "Ben": {"place": 1}, "Cem": {"place": 2}}
    ranked = push(format="single_game", players=three, rounds=one("und-tschuess", **finished))
    assert ranked["game"]["noPoints"] is True
    assert [(row["score"], row["rank"], row["winner"]) for row in ranked["players"]] == [
        ("", 2, False),
        ("", 1, True),
        ("", 2, False),
    ]
    for left, all_won in ((0, True), (9, False)):
        cards = {"points": left}
        together = push(format="single_game", players=seats, rounds=one("the-game", Ann=cards, Ben=cards))
        assert [(row["score"], row["winner"]) for row in together["players"]] == [(str(left), all_won)] * 2
