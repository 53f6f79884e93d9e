"""Imports over the API: a file as it is, decisions, progress, problems in pages, and back again."""

import json
from typing import Any

import pytest

from league.models import ImportBatch, Player, Session
from league.services import imports
from tests.api.client import CLUB, Program, places
from tests.exchange.files import bgg_play, bgg_player, bgg_plays, export, play, score
from tests.people import People

pytestmark = pytest.mark.both_databases

TABLE = "session,date,game,player,points\n"


def send(program: Program, content: bytes, media_type: str = "application/octet-stream", **headers: str) -> Any:
    """Upload a file."""
    return program.client.post(
        f"{CLUB}/imports/?name=plays.csv",
        content,
        content_type=media_type,
        headers={
            "Authorization": f"Bearer {program.token}",
            **{key.replace("_", "-"): headers[key] for key in headers},
        },
    )


def work(import_id: int) -> None:
    job = ImportBatch.objects.get(pk=import_id).job_id
    assert job is not None
    imports.carry_out(job)


def test_the_way_of_a_file(admin: Program, people: People) -> None:
    plays = [
        bgg_play(1, [bgg_player("Anne", score="3", win="1"), bgg_player("Ben", score="1")], game="Skyjo"),
        bgg_play(2, [bgg_player("Cem", score="31"), bgg_player("Ben", score="0")], quantity="2"),
        bgg_play(3, None),
    ]
    made = send(admin, bgg_plays(plays), "application/xml")
    assert made.status_code == 201
    path, document = made["Location"], made.json()
    assert document["url"] == path
    assert (document["source"], document["state"], document["file_name"]) == ("bgg", "preview", "plays.csv")
    assert document["preview"]["undecided"] == ["players", "games", "repeated"]
    assert document["preview"]["counts"]["undecided"] == 2
    anne = next(one for one in document["preview"]["players"] if one["name"] == "Anne")
    assert (anne["action"], anne["suggestions"]) == ("", [{"id": people.players[0].pk, "name": "Ann"}])

    refused = admin.post(path + "apply/")
    assert (refused.status_code, places(refused)) == (
        400,
        [("#/players", "undecided"), ("#/games", "undecided"), ("#/repeated", "undecided")],
    )
    decided = admin.patch(
        path,
        {
            "players": [{"name": "Anne", "action": "player", "player": people.players[0].pk}],
            "games": [{"name": "Skyjo", "action": "new", "high_wins": True}],
            "repeated": "once",
            "season": "monday-league/2026",
        },
    )
    assert decided.status_code == 200
    assert decided.json()["preview"]["counts"] == {
        **dict.fromkeys(("imported", "duplicate", "skipped", "undecided"), 0),
        "ready": 2,
        "problem": 1,
    }
    asked = admin.post(path + "apply/", Idempotency_Key="k")
    assert (asked.status_code, asked.json()["progress"]) == (202, {"done": 0, "total": 2})
    assert admin.post(path + "apply/", Idempotency_Key="k").json() == asked.json()
    assert admin.patch(path, {"repeated": "skip"}).status_code == 409

    work(document["id"])
    done = admin.get(path).json()
    assert (done["state"], done["preview"], done["progress"]) == ("applied", None, {"done": 2, "total": 2})
    assert done["outcome"]["counts"]["stored"] == 2
    assert done["season"]["name"] == "2026"
    found = admin.get(path + "problems/").json()["results"]
    assert [(one["line"], one["code"], one["is_error"]) for one in found] == [(3, "no_players", True)]

    assert admin.post(path + "revert/").status_code == 202
    work(document["id"])
    assert admin.get(path).json()["state"] == "reverted"
    assert not Session.objects.filter(voided_at=None).exists()
    assert [one["id"] for one in admin.get("imports/").json()["results"]] == [document["id"]]


def test_problems_come_in_pages(admin: Program) -> None:
    table = TABLE + "".join(f"{number},2026-10-05,Straßenbau,Ann,?\n" for number in range(5))
    path = send(admin, table.encode(), "text/csv").json()["url"]
    seen, following = [], path + "problems/?limit=2"
    while following:
        page = admin.get(following).json()
        seen += [one["line"] for one in page["results"]]
        following = page["next"]
    assert seen == [2, 3, 4, 5, 6]


def test_a_file_may_come_as_json_and_again_with_its_key(admin: Program) -> None:
    content = export([play("U", [score(1, "31"), score(2, "0")])])
    first = send(admin, content, "application/json", Idempotency_Key="k")
    again = send(admin, content, "application/json", Idempotency_Key="k")
    assert (first.status_code, again.json()) == (201, first.json())
    other = send(admin, content + b" ", "application/json", Idempotency_Key="k")
    assert other.status_code == 422
    assert ImportBatch.objects.count() == 1


def test_files_that_are_refused(admin: Program) -> None:
    for content, media_type, status, code in [
        (b"hello", "text/plain", 400, "unknown_format"),
        (b"", "text/plain", 400, "empty"),
        (b"PK\x03\x04", "application/zip", 400, "spreadsheet"),
        (b"{" * 100_000, "application/json", 400, "invalid_json"),
        (b"x" * 20_000_001, "text/plain", 413, ""),
        (b"a=b", "application/x-www-form-urlencoded", 415, ""),
        (b"--x\r\n", "multipart/form-data; boundary=x", 415, ""),
    ]:
        answer = send(admin, content, media_type)
        assert (answer.status_code, [one for _place, one in places(answer)]) == (status, [code] if code else [])
    assert not ImportBatch.objects.exists()


def test_decisions_are_told_at_their_place(admin: Program, people: People) -> None:
    path = send(admin, export([play("U", [score(1, "31"), score(2, "0")])])).json()["url"]
    theirs = people.other_players[0].pk
    for body, expected in [
        ({}, [("#", "empty")]),
        (
            {"players": [{"name": "Ann", "action": "new"}, {"name": "Zoe", "action": "new"}]},
            [("#/players/1", "unknown_name")],
        ),
        ({"players": [{"name": "Ann", "action": "player", "player": theirs}]}, [("#/players/0", "unknown_player")]),
        ({"players": [{"name": "Ann", "action": "new"}] * 2}, [("#/players", "name_twice")]),
        ({"games": [{"name": "Straßenbau", "action": "game", "game": "chess"}]}, [("#/games/0", "unknown_game")]),
        ({"games": [{"name": "Straßenbau", "action": "burn"}]}, [("#/games/0/action", "invalid_choice")]),
        ({"season": people.other_season.pk}, [("#/season", "unknown_season")]),
    ]:
        answer = admin.patch(path, body)
        assert (answer.status_code, places(answer)) == (400, expected), body


def test_a_preview_can_be_dropped(admin: Program) -> None:
    path = send(admin, export([play("U", [score(1, "31"), score(2, "0")])])).json()["url"]
    assert admin.delete(path).status_code == 204
    assert admin.get(path).status_code == 404


def test_only_admins_see_the_names_in_a_file(admin: Program, scorer: Program, reader: Program) -> None:
    path = send(admin, export([play("U", [score(1, "31"), score(2, "0")])])).json()["url"]
    for program in (scorer, reader):
        for address in ("imports/", path, path + "problems/"):
            assert program.get(address).status_code == 403
        assert send(program, b"hello").status_code == 403


def test_a_large_file_is_none_too_many_for_the_description(admin: Program) -> None:
    """Names that no database could keep are none in an answer."""
    people: list[dict[str, Any]] = [
        {"id": 1, "uuid": "a", "name": "A\u0000\ud800nn"},
        {"id": 2, "uuid": "b", "name": "\u202eBen"},
    ]
    content = json.loads(export([play("U\u0000", [score(1, "31"), score(2, "0")], comments="a\u0000b")]))
    answer = send(admin, json.dumps({**content, "players": people}).encode())
    assert answer.status_code == 201
    assert [one["name"] for one in answer.json()["preview"]["players"]] == ["Ann", "Ben"]
    admin.post(answer.json()["url"] + "apply/")
    work(answer.json()["id"])
    assert Player.objects.filter(name="Ann").count() == 2, "one a club"
    assert Session.objects.get().comment == "ab"
