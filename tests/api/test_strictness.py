"""What is refused on the way in, each with the place and a stable code."""

from typing import Any

import pytest

from api.parsers import MAX_BYTES
from tests.api.client import CLUB, Program, places
from tests.api.evenings import opened


def _raw(program: Program, body: bytes, content_type: str = "application/json", path: str = "sessions/") -> Any:
    return program.client.post(
        f"{CLUB}/{path}", body, content_type=content_type, headers={"Authorization": f"Bearer {program.token}"}
    )


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"surprise": 1}, ("#/surprise", "unknown_field")),
        ({"a/b~c d": 1}, ("#/a~1b~0c%20d", "unknown_field")),
        ({"players": [{"player": "Ann", "chair": 1}, {"player": "Ben"}]}, ("#/players/0/chair", "unknown_field")),
        (
            {"rounds": [{"game": "xxl-1", "scores": [{"player": "Ann", "points": 0, "x": 1}]}]},
            ("#/rounds/0/scores/0/x", "unknown_field"),
        ),
        (
            {"rounds": [{"game": "xxl-1", "scores": [{"player": "Ann", "points": 12.0}]}]},
            ("#/rounds/0/scores/0/points", "invalid"),
        ),
        (
            {"rounds": [{"game": "xxl-1", "scores": [{"player": "Ann", "points": "12"}]}]},
            ("#/rounds/0/scores/0/points", "invalid"),
        ),
        (
            {"rounds": [{"game": "xxl-1", "scores": [{"player": "Ann", "points": True}]}]},
            ("#/rounds/0/scores/0/points", "invalid"),
        ),
        (
            {"rounds": [{"game": "xxl-1", "scores": [{"player": "Ann", "points": 10**30}]}]},
            ("#/rounds/0/scores/0/points", "max_value"),
        ),
        ({"rounds": [{"game": "chess", "scores": [{"player": "Ann"}]}]}, ("#/rounds/0/game", "unknown_game")),
        ({"rounds": [{"game": 6, "scores": [{"player": "Ann"}]}]}, ("#/rounds/0/game", "invalid")),
        ({"rounds": [{"game": "", "scores": [{"player": "Ann"}]}]}, ("#/rounds/0/game", "blank")),
        ({"rounds": [{"game": "xxl-1"}]}, ("#/rounds/0/scores", "required")),
        ({"rounds": [{"game": "xxl-1", "scores": []}]}, ("#/rounds/0/scores", "empty")),
        ({"rounds": [[]]}, ("#/rounds/0", "invalid")),
        ({"rounds": {}}, ("#/rounds", "not_a_list")),
        ({"rounds": None}, ("#/rounds", "null")),
        ({"repeats": 3}, ("#/repeats", "max_value")),
        ({"repeats": 0}, ("#/repeats", "min_value")),
        ({"planned_rounds": -1}, ("#/planned_rounds", "min_value")),
        ({"format": "chess"}, ("#/format", "invalid_choice")),
        ({"format": ["pure_xxl"]}, ("#/format", "invalid_choice")),
        ({"played_on": "2026-02-30"}, ("#/played_on", "invalid")),
        ({"played_on": "20261109"}, ("#/played_on", "invalid")),
        ({"played_on": "2026-W45-1"}, ("#/played_on", "invalid")),
        ({"played_on": 20261109}, ("#/played_on", "invalid")),
        ({"played_on": "2026-12-24"}, ("#/played_on", "in_the_future")),
        ({"players": []}, ("#/players", "empty")),
        ({"players": [{"player": 0}]}, ("#/players/0/player", "invalid")),
        ({"players": [{"player": 1.0}]}, ("#/players/0/player", "invalid")),
        ({"players": [{"player": True}]}, ("#/players/0/player", "invalid")),
        ({"players": [{"player": 2**63}]}, ("#/players/0/player", "invalid")),
        ({"players": [{"player": "x" * 61}]}, ("#/players/0/player", "max_length")),
        ({"players": [{"player": "Nobody"}]}, ("#/players/0/player", "unknown_player")),
        ({"season": "nowhere/2026"}, ("#/season", "unknown_season")),
        ({"season": []}, ("#/season", "invalid")),
        ({"location": 5}, ("#/location", "invalid")),
        ({"location": "x" * 101}, ("#/location", "max_length")),
        ({"location": "a\u0007"}, ("#/location", "control_character")),
        ({"confirm": "ends_early"}, ("#/confirm", "not_a_list")),
        ({"confirm": ["no_such_warning"]}, ("#/confirm", "unknown_code")),
        ({"status": "complete"}, ("#/status", "rounds_missing")),
    ],
)
def test_refused_with_its_place(scorer: Program, change: dict[str, Any], expected: tuple[str, str]) -> None:
    answer = scorer.post("sessions/", {**opened("Ann", "Ben"), **change})
    assert answer.status_code == 400
    assert expected in places(answer), answer.content
    assert scorer.get("sessions/").json()["results"] == []


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b"", ("#", "body_missing")),
        (b" ", ("#", "invalid_json")),
        (b"null", ("#", "null")),
        (b"[]", ("#", "invalid")),
        (b'"text"', ("#", "invalid")),
        (b"12", ("#", "invalid")),
        (b"{", ("#", "invalid_json")),
        (b'{"a": 1,}', ("#", "invalid_json")),
        (b'{"format": NaN}', ("#", "invalid_json")),
        (b'{"format": -Infinity}', ("#", "invalid_json")),
        (b'{"location": "\xff"}', ("#", "invalid_json")),
        (b'{"repeats": ' + b"9" * 5000 + b"}", ("#", "invalid_json")),
        (b'{"repeats": 1, "repeats": 2}', ("#", "duplicate_key")),
        (b'{"players": [{"player": "Ann", "player": "Ben"}]}', ("#", "duplicate_key")),
        (b'{"location": "a\\u0000b"}', ("#/location", "invalid_text")),
        (b'{"players": [{"player": "\\ud800"}]}', ("#/players/0/player", "invalid_text")),
        (b'{"\\u0000": 1}', ("#", "invalid_text")),
        (b"[" * 100_000 + b"]" * 100_000, ("#", "invalid_json")),
        (b"[" * 31 + b"]" * 31 + b" ", ("#", "invalid")),
        (b"[" * 32 + b"]" * 32 + b" ", ("#", "invalid_json")),
        # Each of these took minutes once: every key sought in all keys, a long path for every text.
        (b"{" + b",".join(b'"%d":0' % key for key in range(90_000)) + b',"89999":0}', ("#", "duplicate_key")),
        (b"[" * 800 + b",".join([b'"\\u0000"'] * 90_000) + b"]" * 800, ("#", "invalid_json")),
    ],
)
def test_odd_bodies(scorer: Program, body: bytes, place: tuple[str, str]) -> None:
    answer = _raw(scorer, body)
    assert answer.status_code == 400
    assert places(answer) == [place]


@pytest.mark.parametrize(
    "body",
    [
        {f"field-{number}": 0 for number in range(50_000)},
        {"rounds": [{"game": "xxl-1", "scores": [{"player": 0}] * 10}] * 1000},
        {"rounds": [{"game": "xxl-1", "scores": [{}] * 11}] * 1000},
        {"players": [{"player": "Nobody"}] * 99, "rounds": [{"game": "xxl-1", "scores": [{"player": "No"}]}] * 99},
    ],
)
def test_a_body_that_is_wrong_throughout_gets_a_short_answer(scorer: Program, body: dict[str, Any]) -> None:
    answer = scorer.post("sessions/", {**opened("Ann", "Ben"), "format": "individual_xxl", **body})
    assert answer.status_code == 400
    assert len(places(answer)) == 100


@pytest.mark.parametrize(
    "content_type",
    [
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/ld+json",
    ],
)
def test_only_json_is_read(scorer: Program, content_type: str) -> None:
    answer = _raw(scorer, b'{"a": 1}', content_type)
    assert answer.status_code == 415
    assert places(answer) == []


def test_only_utf_8_is_read(scorer: Program) -> None:
    assert _raw(scorer, b"{}", "application/json; charset=latin-1").status_code == 415
    # Understood, so it is the fields that are missing.
    assert _raw(scorer, b"{}", "application/json; charset=UTF-8").status_code == 400


def test_a_body_in_pieces_is_refused(scorer: Program) -> None:
    """A body whose length is not told could be read as none: an end without its confirmation, for example."""
    answer = scorer.client.post(
        f"{CLUB}/sessions/",
        b"{}",
        content_type="application/json",
        headers={"Authorization": f"Bearer {scorer.token}", "Transfer-Encoding": "chunked"},
    )
    assert answer.status_code == 400
    assert [(error["header"], error["code"]) for error in answer.json()["errors"]] == [
        ("Transfer-Encoding", "length_required")
    ]


def test_a_huge_body_is_refused(scorer: Program) -> None:
    body = b'{"comment": "' + b"x" * MAX_BYTES + b'"}'
    answer = _raw(scorer, body)
    assert answer.status_code == 413
    assert places(answer) == []


@pytest.mark.parametrize(
    ("query", "parameter", "code"),
    [
        ("limit=0", "limit", "min_value"),
        ("limit=101", "limit", "max_value"),
        ("limit=ten", "limit", "invalid"),
        ("limit=10.0", "limit", "invalid"),
        ("limit=+10", "limit", "invalid"),
        ("limit=%D9%A1", "limit", "invalid"),
        ("limit=", "limit", "invalid"),
        ("limit=1&limit=2", "limit", "given_twice"),
        ("cursor=12", "cursor", "invalid_cursor"),
        ("cursor=eyJhIjoxfQ:forged", "cursor", "invalid_cursor"),
        ("cursor=" + "x" * 601, "cursor", "max_length"),
        ("ordering=winner", "ordering", "invalid_choice"),
        ("ordering=--id", "ordering", "invalid_choice"),
        ("fields=id,winner", "fields", "unknown_field"),
        ("fields=", "fields", "blank"),
        ("voided=yes", "voided", "invalid"),
        ("confirmation=perhaps", "confirmation", "invalid_choice"),
        ("search=%00", "search", "control_character"),
        ("player=Ann", "player", "invalid"),
        ("season=", "season", "invalid"),
        ("season=%00", "season", "invalid"),
        ("game=chess", "game", "unknown_game"),
        ("status=", "status", "invalid_choice"),
        ("format=api", "format", "invalid_choice"),
        ("played_from=yesterday", "played_from", "invalid"),
        ("colour=red", "colour", "unknown_field"),
    ],
)
def test_odd_parameters(scorer: Program, query: str, parameter: str, code: str) -> None:
    answer = scorer.get(f"sessions/?{query}")
    assert answer.status_code == 400
    assert places(answer) == [("", code)]
    assert answer.json()["errors"][0]["parameter"] == parameter


@pytest.mark.parametrize("path", ["games/", "clubs/herzclub/", "clubs/herzclub/players/?kind=bot&x=1"])
def test_unknown_parameters_are_refused_everywhere(scorer: Program, path: str) -> None:
    separator = "&" if "?" in path else "?"
    answer = scorer.get(f"/api/v1/{path}{separator}format=json")
    assert answer.status_code == 400
    assert {one["code"] for one in answer.json()["errors"]} == {"unknown_field"}


def test_a_post_takes_no_parameters(scorer: Program) -> None:
    assert places(scorer.post("players/?dry_run=true", {"name": "Gus"})) == [("", "unknown_field")]


def test_an_address_with_an_id_beyond_the_database_is_not_found(scorer: Program) -> None:
    for odd in ("0", "01", "-1", "1.0", "9" * 19, "9" * 40, "%D9%A1"):
        assert scorer.get(f"sessions/{odd}/").status_code == 404


def test_a_name_that_grows_when_it_is_folded(scorer: Program) -> None:
    """U+FDFA is 18 characters in NFKC, so sixty of it are more than the stored form takes."""
    answer = scorer.post("players/", {"name": "\ufdfa" * 60})
    assert answer.status_code == 400
    assert places(answer)[0][0] == "#/name"


def test_messages_come_in_the_language_that_is_asked_for(scorer: Program) -> None:
    english = scorer.post("players/", {"name": "  "}, Accept_Language="en").json()
    german = scorer.post("players/", {"name": "  "}, Accept_Language="de").json()
    assert english["errors"][0]["code"] == german["errors"][0]["code"] == "blank"
    assert english["errors"][0]["detail"] != german["errors"][0]["detail"]
