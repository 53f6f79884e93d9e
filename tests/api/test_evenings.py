"""Planned evenings, divisions and nicknames by program."""

from datetime import UTC, datetime
from typing import Any

import pytest

from league.models import Member, Player
from tests.api.client import CLUB, Program, places
from tests.people import People

pytestmark = pytest.mark.django_db


def test_an_evening_from_plan_to_waiting_list(scorer: Program, people: People) -> None:
    body = {"starts_at": "2026-12-07T18:30:00+01:00", "location": "Ann's", "capacity": 1, "season": people.season.pk}
    answer = scorer.post("evenings/", body)
    assert answer.status_code == 201
    told = answer.json()
    assert datetime.fromisoformat(told["starts_at"]) == datetime(2026, 12, 7, 17, 30, tzinfo=UTC)
    assert (told["capacity"], told["coming"], told["waiting"]) == (1, 0, 0)
    path = answer["Location"]
    states = []
    for player in people.players[:2]:
        said = scorer.post(f"{path}sign-ups/", {"player": player.pk, "state": "coming"})
        assert said.status_code == 200
        states.append(said.json()["state"])
    assert states == ["coming", "waiting"]
    assert scorer.get(path).json()["waiting"] == 1
    assert scorer.send("PATCH", path, {"capacity": None}).json()["coming"] == 2
    rows = scorer.get(f"{path}sign-ups/").json()["results"]
    assert [(row["player"]["name"], row["state"]) for row in rows] == [("Ann", "coming"), ("Ben", "coming")]
    assert scorer.send("DELETE", path).status_code == 204
    assert scorer.get(path).json()["cancelled_at"] is not None
    late = scorer.post(f"{path}sign-ups/", {"player": people.players[2].pk, "state": "coming"})
    assert (late.status_code, places(late)) == (409, [("", "evening_cancelled")])
    assert [row["id"] for row in scorer.get("evenings/?cancelled=false").json()["results"]] == []
    assert len(scorer.get(f"evenings/?over=false&season={people.season.pk}").json()["results"]) == 1


def test_what_an_evening_can_not_be(scorer: Program, people: People) -> None:
    for body, found in (
        ({}, [("starts_at", "required")]),
        ({"starts_at": "2026-12-07"}, [("starts_at", "invalid")]),
        ({"starts_at": "2026-11-01T18:00:00Z"}, [("starts_at", "out_of_range")]),
        ({"starts_at": "2026-12-07T18:00:00Z", "season": people.other_season.pk}, [("season", "unknown_season")]),
        ({"starts_at": "2026-12-07T18:00:00Z", "capacity": 0}, [("capacity", "min_value")]),
    ):
        answer = scorer.post("evenings/", body)
        assert (answer.status_code, places(answer)) == (400, [(f"#/{field}", code) for field, code in found]), body
    # A program is nobody's player.
    path = scorer.post("evenings/", {"starts_at": "2026-12-07T18:00:00Z"})["Location"]
    assert scorer.post(f"{path}sign-ups/", {"state": "coming"}).status_code == 404


def test_a_member_answers_for_the_own_player(scorer: Program, people: People, browser_of: Any) -> None:
    Player.objects.filter(pk=people.players[0].pk).update(member=Member.objects.get(user=people.member))
    path = scorer.post("evenings/", {"starts_at": "2026-12-07T18:00:00Z"})["Location"]
    client = browser_of(people.member)
    client.get("/api/v1/docs/")
    headers = {"X-CSRFToken": client.cookies["csrftoken"].value}

    def say(body: dict[str, Any]) -> Any:
        return client.post(f"{path}sign-ups/", body, content_type="application/json", headers=headers)

    assert say({"state": "coming"}).json()["player"]["name"] == "Ann"
    assert say({"state": "declined", "player": people.players[1].pk}).status_code == 403


def test_divisions_and_the_season_that_follows(admin: Program, people: People) -> None:
    season = f"seasons/{people.season.pk}/"
    first, second = (
        admin.post(f"{season}divisions/", {"name": name, "promoted": 1, "relegated": 1})["Location"]
        for name in ("Liga 1", "Liga 2")
    )
    ids = {player.name: player.pk for player in people.players}
    assert admin.send("PATCH", f"{first}players/", {"add": [ids["Ann"], ids["Ben"]]}).status_code == 200
    told = admin.send("PATCH", f"{second}players/", {"add": [ids["Cem"], ids["Dora"], ids["Ben"]]}).json()
    assert [row["player"]["name"] for row in told["results"]] == ["Ben", "Cem", "Dora"]
    # Who is not in it is not taken out of another.
    admin.send("PATCH", f"{first}players/", {"add": [ids["Ben"]], "remove": [ids["Cem"]]})
    assert [row["name"] for row in admin.get(f"{season}divisions/").json()["results"]] == ["Liga 1", "Liga 2"]
    for finished in ({"Ann": 1, "Ben": 2}, {"Cem": 1, "Dora": 1}):
        scores = [{"player": name, "place": place} for name, place in finished.items()]
        body = {
            "format": "single_game",
            "played_on": "2026-11-30",
            "season": people.season.pk,
            "players": [{"player": name} for name in finished],
            "rounds": [{"game": "xxl-6-plus", "scores": scores}],
            "status": "complete",
            "confirm": ["possible_duplicate"],
        }
        answer = admin.post("sessions/", body)
        assert answer.status_code == 201, answer.content
    rows = admin.get(f"{season}standings/").json()["results"]
    assert [(row["division"]["name"], row["rank"], row["player"]["name"]) for row in rows] == [
        ("Liga 1", 1, "Ann"),
        ("Liga 1", 2, "Ben"),
        ("Liga 2", 1, "Cem"),
        ("Liga 2", 1, "Dora"),
    ]
    stranger = people.other_players[0].pk
    refused = admin.send("PATCH", f"{first}players/", {"add": [ids["Ann"], stranger]})
    assert (refused.status_code, places(refused)) == (400, [("#/add", "unknown_player")])
    following = {"name": "2027", "slug": "2027", "starts_on": "2027-01-04"}
    assert places(admin.post(f"{season}following/", following)) == [("", "season_open")]
    assert admin.send("PATCH", season, {"status": "closed"}).status_code == 200
    refused = admin.post(f"{season}following/", following)
    assert (refused.status_code, places(refused)) == (409, [("", "rank_shared")])
    assert "Cem, Dora" in refused.content.decode()
    made = admin.post(f"{season}following/", {**following, "promoted": [ids["Dora"]]})
    assert made.status_code == 201
    found = {}
    for division in admin.get(f"{made['Location']}divisions/").json()["results"]:
        players = admin.get(f"{made['Location']}divisions/{division['id']}/players/").json()["results"]
        found[division["name"]] = {row["player"]["name"] for row in players}
    assert found == {"Liga 1": {"Ann", "Dora"}, "Liga 2": {"Ben", "Cem"}}
    assert admin.send("DELETE", first).status_code == 409


def test_a_nickname_takes_an_admin(scorer: Program, admin: Program, people: People) -> None:
    path = f"{CLUB}/players/{people.players[0].pk}/"
    assert scorer.send("PATCH", path, {"nickname": "Herzdame"}).status_code == 403
    assert admin.send("PATCH", path, {"nickname": "Herzdame"}).json()["nickname"] == "Herzdame"
    taken = admin.send("PATCH", f"{CLUB}/players/{people.players[1].pk}/", {"nickname": "herzdame"})
    assert (taken.status_code, places(taken)) == (409, [("", "nickname_taken")])
    # To programs of the club the player is called as ever.
    assert scorer.get(path).json()["name"] == "Ann"
    assert admin.send("PATCH", path, {"nickname": ""}).json()["nickname"] == ""
