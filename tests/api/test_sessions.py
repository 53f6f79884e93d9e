"""Recording sessions over HTTP, against the hand-worked evenings (tests/data/evenings, docs/rules/xxl.md)."""

from typing import Any

import pytest

from tests.api.client import Program, places
from tests.api.evenings import NAMES, SIX_GAMES, evening, game, opened, table
from tests.people import People

pytestmark = pytest.mark.both_databases


def assert_as_worked(sheet: dict[str, Any], expected: dict[str, Any]) -> None:
    for shown, worked in zip(sheet["rounds"], expected["rounds"], strict=True):
        assert {one["player"]["name"]: one["place"] for one in shown["scores"]} == worked["places"]
        assert {one["player"]["name"]: one["place_sum"] for one in shown["scores"]} == worked["place_sums"]
    final = {one["player"]["name"]: {"place_sum": one["place_sum"], "place": one["place"]} for one in sheet["players"]}
    assert final == expected["final"]


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_evening_in_one_post(scorer: Program, name: str) -> None:
    posted, expected = evening(name)
    answer = scorer.post("sessions/", posted)
    assert answer.status_code == 201, answer.content
    sheet = answer.json()
    assert (sheet["status"], sheet["counts"]) == ("complete", True)
    assert_as_worked(sheet, expected)
    assert answer["Location"] == sheet["url"]
    assert scorer.get(sheet["url"]).json() == sheet


@pytest.mark.parametrize("name", NAMES)
def test_the_same_evening_round_by_round(scorer: Program, name: str) -> None:
    posted, expected = evening(name)
    rounds = posted.pop("rounds")
    posted["status"] = "open"
    sheet = scorer.post("sessions/", posted).json()
    assert (sheet["status"], sheet["counts"], sheet["rounds"]) == ("open", False, [])
    for number, one in enumerate(rounds, start=1):
        answer = scorer.post(f"{sheet['url']}rounds/", one)
        assert answer.status_code == 201, answer.content
        so_far = answer.json()
        assert len(so_far["rounds"]) == number
        sums = {player["player"]["name"]: player["place_sum"] for player in so_far["players"]}
        assert sums == expected["rounds"][number - 1]["place_sums"]
    assert so_far["status"] == "complete"
    assert_as_worked(so_far, expected)
    assert scorer.get(f"{sheet['url']}rounds/").json() == {"results": so_far["rounds"], "next": None}


def test_a_round_that_names_its_number_is_stored_once(scorer: Program) -> None:
    plan = opened("Ann", "Ben", format="individual_xxl", planned_rounds=3)
    url = scorer.post("sessions/", plan).json()["url"]
    one = {**game("xxl-5", Ann=0, Ben=40), "number": 1}
    assert scorer.post(f"{url}rounds/", one).status_code == 201
    again = scorer.post(f"{url}rounds/", one)
    assert again.status_code == 409
    assert [error["code"] for error in again.json()["errors"]] == ["not_the_next_round"]
    assert len(scorer.get(url).json()["rounds"]) == 1
    assert scorer.post(f"{url}rounds/", {**one, "number": 2}).status_code == 201


def test_the_standings_after_three_evenings(scorer: Program, reader: Program, people: People) -> None:
    for name in NAMES:
        assert scorer.post("sessions/", evening(name)[0]).status_code == 201
    answer = reader.get(f"seasons/{people.season.pk}/standings/")
    lines = answer.json()["results"]
    shown = [(one["rank"], one["player"]["name"], one["sessions"], one["place_total"], one["wins"]) for one in lines]
    assert shown == [(one["rank"], one["player"], one["sessions"], one["place_total"], one["wins"]) for one in table()]
    last = [(one["last_session"]["played_on"], one["last_session"]["place"]) for one in lines]
    assert last == [(one["last_played_on"], one["last_place"]) for one in table()]
    assert lines[0]["place_average"] == pytest.approx(4 / 3)
    assert answer.json()["season"]["reference"] == "monday-league/2026"
    assert reader.get(lines[0]["last_session"]["url"]).status_code == 200


def test_players_by_id_and_the_season_by_id(scorer: Program, people: People) -> None:
    ids = {player.name: player.pk for player in people.players}
    posted, expected = evening("four-players")
    posted["season"] = people.season.pk
    for seat in posted["players"]:
        seat["player"] = ids[seat["player"]]
    for one in posted["rounds"]:
        for score in one["scores"]:
            score["player"] = ids[score["player"]]
    assert_as_worked(scorer.post("sessions/", posted).json(), expected)


def test_places_instead_of_points(scorer: Program) -> None:
    """docs/rules/xxl.md: 1, 2, 2, 4 is a ranking; 1, 2, 2, 3 is not, and the error says what was expected."""
    sheet = scorer.post("sessions/", opened("Ann", "Ben", "Cem", "Dora")).json()

    def ranking(*given: int) -> dict[str, Any]:
        pairs = zip(("Ann", "Ben", "Cem", "Dora"), given, strict=True)
        return {"game": "xxl-1", "scores": [{"player": name, "place": place} for name, place in pairs]}

    wrong = scorer.post(f"{sheet['url']}rounds/", ranking(1, 2, 2, 3))
    assert wrong.status_code == 400
    assert places(wrong) == [("#/scores/3/place", "place_expected")]
    assert "4" in wrong.json()["errors"][0]["detail"]
    right = scorer.post(f"{sheet['url']}rounds/", ranking(1, 2, 2, 4)).json()
    assert [(one["place"], one["points"]) for one in right["rounds"][0]["scores"]] == [
        (1, None),
        (2, None),
        (2, None),
        (4, None),
    ]


def test_an_implausible_result_needs_its_codes_confirmed(scorer: Program) -> None:
    """docs/rules/xxl.md, "Logged results": in game 1 exactly one player is at 0."""
    posted = opened("Ann", "Ben", rounds=[game("xxl-1", Ann=3, Ben=14)])
    refused = scorer.post("sessions/", posted)
    assert refused.status_code == 422
    problem = refused.json()
    assert refused["Content-Type"] == "application/problem+json"
    assert problem["confirm"] == ["nobody_at_zero"]
    assert [(one["pointer"], one["code"]) for one in problem["warnings"]] == [("#/rounds/0/scores", "nobody_at_zero")]
    assert "errors" not in problem
    assert scorer.get("sessions/").json()["results"] == []
    accepted = scorer.post("sessions/", {**posted, "confirm": problem["confirm"]})
    assert accepted.status_code == 201
    assert accepted.json()["rounds"][0]["confirmed"] == ["nobody_at_zero"]


def test_an_impossible_result_names_every_place(scorer: Program) -> None:
    rounds = [game("xxl-1", Ann=0, Ben=-1), game("xxl-2", Ann=0, Ben=551)]
    answer = scorer.post("sessions/", opened("Ann", "Ben", rounds=rounds))
    assert answer.status_code == 400
    assert places(answer) == [
        ("#/rounds/0/scores/1/points", "points_below"),
        ("#/rounds/1/scores", "points_together_above"),
    ]


def test_a_session_ended_early(scorer: Program) -> None:
    sheet = scorer.post("sessions/", opened("Ann", "Ben", rounds=SIX_GAMES[:2])).json()
    refused = scorer.post(f"{sheet['url']}end/", {})
    assert (refused.status_code, refused.json()["confirm"]) == (422, ["ends_early"])
    ended = scorer.post(f"{sheet['url']}end/", {"confirm": ["ends_early"]})
    assert ended.status_code == 200
    assert ended.json()["status"] == "incomplete"
    assert [(one["player"]["name"], one["place"]) for one in ended.json()["players"]] == [("Ann", 1), ("Ben", 2)]
    again = scorer.post(f"{sheet['url']}end/", {"confirm": ["ends_early"]})
    assert (again.status_code, places(again)) == (409, [("", "session_ended")])


def test_a_player_leaves_another_joins_a_third_substitutes(scorer: Program, people: People) -> None:
    ann, ben, cem, dora, eva, _finn = (player.pk for player in people.players)
    sheet = scorer.post("sessions/", opened("Ann", "Ben", "Cem", rounds=[game("xxl-1", Ann=0, Ben=14, Cem=15)])).json()
    url = sheet["url"]
    left = scorer.post(f"{url}players/{ben}/leave/")
    assert left.status_code == 200
    assert {one["player"]["id"]: one["until_round"] for one in left.json()["players"]} == {ann: None, ben: 1, cem: None}
    joined = scorer.post(f"{url}players/", {"player": "dora", "seat": 5})
    assert joined.status_code == 201
    assert [(one["player"]["id"], one["seat"], one["from_round"]) for one in joined.json()["players"]] == [
        (ann, 0, 1),
        (ben, 1, 1),
        (cem, 2, 1),
        (dora, 5, 2),
    ]
    substituted = scorer.post(f"{url}players/", {"player": eva, "substitutes": "Cem"}).json()
    assert (eva, 2, 2) in [(one["player"]["id"], one["seat"], one["from_round"]) for one in substituted["players"]]
    played = scorer.post(f"{url}rounds/", game("xxl-2", Ann=0, Dora=4, Eva=5))
    assert played.status_code == 201, played.content
    assert [one["player"]["name"] for one in played.json()["rounds"][1]["scores"]] == ["Ann", "Eva", "Dora"]
    absent = scorer.post(f"{url}rounds/", game("xxl-3", Ann=50, Dora=60, Eva=70, Ben=10))
    assert places(absent) == [("#/scores/3/player", "not_seated")]


def test_a_seat_and_a_substitute_together_make_no_sense(scorer: Program) -> None:
    url = scorer.post("sessions/", opened("Ann", "Ben")).json()["url"]
    answer = scorer.post(f"{url}players/", {"player": "Cem", "seat": 3, "substitutes": "Ben"})
    assert (answer.status_code, places(answer)) == (400, [("#/seat", "seat_or_substitute")])


def test_a_closed_season_takes_no_result(scorer: Program, admin: Program, people: People) -> None:
    assert admin.patch(f"seasons/{people.season.pk}/", {"status": "closed"}).json()["status"] == "closed"
    answer = scorer.post("sessions/", evening("four-players")[0])
    assert (answer.status_code, places(answer)) == (409, [("", "season_closed")])


def test_filters(scorer: Program, people: People) -> None:
    ids = {}
    for name in ("four-players", "five-players"):
        ids[name] = scorer.post("sessions/", evening(name)[0]).json()["id"]
    ids["open"] = scorer.post("sessions/", opened("Ann", "Ben", rounds=SIX_GAMES[:1])).json()["id"]
    ids["single"] = scorer.post(
        "sessions/",
        {**opened("Ann", "Ben"), "format": "single_game", "rounds": [SIX_GAMES[5]], "status": "complete"},
    ).json()["id"]
    eva = people.players[4].pk

    def found(query: str) -> set[str]:
        answer = scorer.get(f"sessions/?{query}")
        assert answer.status_code == 200, answer.content
        by_id = {number: name for name, number in ids.items()}
        return {by_id[one["id"]] for one in answer.json()["results"]}

    season = {"four-players", "five-players"}
    assert found("") == {"four-players", "five-players", "open", "single"}
    assert found(f"season={people.season.pk}") == season
    assert found("season=monday-league/2026") == season
    assert found("season=monday-league/1999") == set()
    assert found(f"player={eva}") == {"five-players"}
    assert found("game=xxl-6") == {"four-players", "five-players", "single"}
    assert found("status=open") == {"open"}
    assert found("format=single_game") == {"single"}
    assert found("played_from=2026-10-19&played_until=2026-10-19") == {"five-players"}
    assert found("played_until=2026-10-18&status=complete") == {"four-players"}


def test_an_unchanged_answer_is_304(scorer: Program, people: People) -> None:
    sheet = scorer.post("sessions/", opened("Ann", "Ben")).json()
    for path in (sheet["url"], "sessions/", f"seasons/{people.season.pk}/standings/"):
        first = scorer.get(path)
        again = scorer.get(path, If_None_Match=first["ETag"])
        assert (again.status_code, again.content) == (304, b"")
        assert "private" in first["Cache-Control"]
    before = scorer.get(sheet["url"])["ETag"]
    scorer.post(f"{sheet['url']}rounds/", SIX_GAMES[0])
    assert scorer.get(sheet["url"], If_None_Match=before).status_code == 200


def test_head_answers_as_get_without_a_body(scorer: Program) -> None:
    answer = scorer.send("HEAD", "sessions/")
    assert (answer.status_code, answer.content) == (200, b"")
