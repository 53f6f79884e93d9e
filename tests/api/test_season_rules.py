"""A season's rules by the API: set, rehearsed, their versions, and what the standings say of them."""

from typing import Any

import pytest

from league.models import Season
from league.services import seasons
from tests.api.client import Program, places
from tests.people import NOW, People
from tests.services.given import ANYTHING, record, rows, series

pytestmark = pytest.mark.one_database


@pytest.fixture
def path(people: People) -> str:
    """Ann wins three times before Ben; Cem has one win alone, before Dora."""
    for day in (2, 9, 16):
        record(people, series({"Ann": 1, "Ben": 2}, played_on=NOW.date().replace(day=day)))
    record(people, series({"Cem": 1, "Dora": 2}, played_on=NOW.date().replace(day=23)))
    return f"seasons/{people.season.pk}/"


def test_every_rule_is_set_and_read(admin: Program, people: People, path: str) -> None:
    given = {
        "planned_evenings": 20,
        "ranking_metric": "points",
        "ranking_best": "high",
        "points_by_place": [5, 3, 1],
        "table_weight": "opponents",
        "drop_worst": 0,
        "count_best": 12,
        "absence": "last",
        "tie_breaks": ["direct", "opponents"],
    }
    answer = admin.patch(path, given)
    assert answer.status_code == 200
    told = answer.json()
    assert {field: told[field] for field in given} == given
    assert told["rules_version"] == 2
    assert admin.get(path).json() == told


def test_a_rehearsal_tells_the_table_and_stores_nothing(admin: Program, people: People, path: str) -> None:
    before = rows()

    answer = admin.patch(f"{path}?dry_run=true", {"ranking_metric": "points", "minimum_sessions": 2})

    assert answer.status_code == 200
    assert rows() == before
    told = answer.json()
    assert (told["dry_run"], told["moved"]) == (True, 3)
    assert (told["season"]["ranking_metric"], told["season"]["ranking_best"]) == ("points", "high")
    assert Season.objects.get(pk=people.season.pk).ranking_metric == "place_average"

    def line(rank: int | None, sessions: int, value: float) -> dict[str, Any]:
        return {"rank": rank, "sessions": sessions, "counted": sessions, "value": value}

    # Points 10 and 7; averages 1 for Ann and Cem, 2 for Ben and Dora.
    assert [(one["player"]["name"], one["before"], one["after"]) for one in told["moves"]] == [
        ("Ann", line(1, 3, 1), line(1, 3, 30)),
        ("Ben", line(3, 3, 2), line(2, 3, 21)),
        ("Cem", line(1, 1, 1), line(None, 1, 10)),
        ("Dora", line(3, 1, 2), line(None, 1, 7)),
    ]


def test_a_rehearsal_refuses_what_the_change_refuses(admin: Program, scorer: Program, path: str) -> None:
    refused = admin.patch(f"{path}?dry_run=true", {"ranking_metric": "points", "table_weight": "midpoint"})
    assert places(refused) == [("#/table_weight", "unknown_choice")]
    assert scorer.patch(f"{path}?dry_run=true", {"drop_worst": 1}).status_code == 403


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"points_by_place": []}, "#/points_by_place"),
        ({"points_by_place": [1, "x"]}, "#/points_by_place/1"),
        ({"points_by_place": [20000]}, "#/points_by_place/0"),
        ({"tie_breaks": ["dice"]}, "#/tie_breaks/0"),
        ({"tie_breaks": ["direct", "direct"]}, "#/tie_breaks"),
        ({"drop_worst": 1, "count_best": 1}, "#/count_best"),
        ({"drop_worst": None}, "#/drop_worst"),
        ({"absence": "never"}, "#/absence"),
        ({"ranking_metric": "wins", "ranking_best": "low"}, "#/ranking_best"),
    ],
    ids=str,
)
def test_what_can_not_be_names_its_field(admin: Program, path: str, wrong: dict[str, Any], field: str) -> None:
    answer = admin.patch(path, wrong)
    assert answer.status_code in {400, 422}
    assert [pointer for pointer, _code in places(answer)] == [field]


def test_versions_of_the_rules(admin: Program, scorer: Program, people: People) -> None:
    access = people.access(people.admin)
    fields = {"name": "Cup", "slug": "cup", "starts_on": NOW.date(), "drop_worst": 1}
    season = seasons.create_season(access=access, league_id=people.season.league_id, fields=fields, now=NOW)
    for number in (2, 3):
        admin.patch(f"seasons/{season.pk}/", {"drop_worst": number})
    admin.patch(f"seasons/{season.pk}/", {"name": "Spring cup"})

    first = scorer.get(f"seasons/{season.pk}/rules/?limit=2").json()
    rest = scorer.get(first["next"]).json()

    told = [*first["results"], *rest["results"]]
    assert [(one["number"], one["rules"]["drop_worst"]) for one in told] == [(3, 3), (2, 2), (1, 1)]
    assert told[2]["user"] == people.admin.pk
    assert set(told[0]["rules"]) == seasons.RULES
    assert scorer.get("seasons/999999/rules/").status_code == 404
    assert scorer.get(f"seasons/{people.other_season.pk}/rules/").status_code == 404


def test_standings_tell_the_value(admin: Program, scorer: Program, path: str) -> None:
    admin.patch(path, {"ranking_metric": "place_sum", "absence": "last"})
    told = {one["player"]["name"]: one for one in scorer.get(f"{path}standings/").json()["results"]}
    # Ann 3 and a third place missed; Cem one and three missed.
    assert [(told[name]["value"], told[name]["counted"], told[name]["absences"]) for name in ("Ann", "Cem")] == [
        (6, 4, 1),
        (10, 4, 3),
    ]
    assert (told["Ann"]["game_points"], told["Ann"]["division"]) == (None, None)
    admin.patch(path, {"ranking_metric": "game_points", "absence": "none"})
    told = {one["player"]["name"]: one for one in scorer.get(f"{path}standings/").json()["results"]}
    assert [(told["Ann"][field]) for field in ("rank", "value", "counted")] == [None, None, 0]


def test_a_correction_previews_the_seasons_own_value(admin: Program, people: People, path: str) -> None:
    admin.patch(path, {"ranking_metric": "points"})
    session = record(people, series({"Ann": 1, "Ben": 2}))
    rounds = [{"game": "xxl-6-plus", "scores": [{"player": "Ann", "place": 2}, {"player": "Ben", "place": 1}]}]
    body = {"rounds": rounds, "reason": "Wrong way round", "confirm": sorted(ANYTHING)}
    answer = admin.patch(f"sessions/{session.pk}/?dry_run=true", body, If_Match='"1"')
    assert answer.status_code == 200, answer.json()
    told = {
        one["player"]["name"]: (one["before"]["value"], one["after"]["value"]) for one in answer.json()["standings"]
    }
    assert told == {"Ann": (40, 37), "Ben": (28, 31)}
