"""Explanations and outlooks by program: the shape of the answers and their numbers, worked by hand."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from league.models import Season
from tests.api.client import CLUB, Program
from tests.people import People
from tests.services.given import by_places, evening, record, series

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(people: People) -> str:
    """Ann 1, 3 and Ben 2, 2 at tables with Cem, who has 3, 1: all of them 2 on average, by countback Ann and Cem."""
    record(people, replace(series({"Ann": 1, "Ben": 2, "Cem": 3}), played_on=date(2026, 10, 5)))
    record(people, replace(series({"Cem": 1, "Ben": 2, "Ann": 3}), played_on=date(2026, 10, 12)))
    Season.objects.filter(pk=people.season.pk).update(planned_evenings=3)
    return f"{CLUB}/seasons/{people.season.pk}/"


def test_a_line_is_explained(people: People, reader: Program, season: str) -> None:
    answer = reader.get(f"{season}standings/{people.players[1].pk}/").json()
    assert (answer["player"]["name"], answer["rank"], answer["ranked"], answer["value"]) == ("Ben", 1, 3, 2.0)
    assert answer["arithmetic"] == "(2 + 2) / 2 = 2"
    assert answer["text"] == "Ben shares rank 1 of 3 with Ann, Cem, whose value is the same."
    assert [one["name"] for one in answer["sharing"]] == ["Ann", "Cem"]
    assert (answer["above"], answer["below"], answer["left_out"]) == (None, None, [])
    first = answer["items"][0]
    assert reader.get(first.pop("url")).status_code == 200
    assert first.pop("session") > 0
    assert first == {
        "played_on": "2026-10-05",
        "place": 2,
        "players": 3,
        "points": None,
        "formula": "",
        "value": 2.0,
        "value_exact": "2",
        "counts": True,
        "dropped": False,
        "text": "counts",
    }


def test_a_tie_break_is_explained(people: People, reader: Program, admin: Program, season: str) -> None:
    assert admin.patch(season, {"tie_breaks": ["countback"]}).status_code == 200
    above = reader.get(f"{season}standings/{people.players[1].pk}/").json()["above"]
    assert above["tie_break"] == {
        "code": "countback",
        "name": "most first places, then most second places, and so on",
        "above": "1 time place 1",
        "below": "0 times place 1",
    }
    assert (above["player"]["name"], above["rank"], above["value"]) == ("Cem", 1, 2.0)


def test_who_did_not_play_has_no_line(people: People, reader: Program, season: str) -> None:
    for player in (people.players[5].pk, people.other_players[0].pk, 10**9):
        assert reader.get(f"{season}standings/{player}/").status_code == 404


def test_what_is_possible_in_a_season(people: People, reader: Program, season: str) -> None:
    """One of three evenings is left: who is first alone comes to 5/3, who stays away keeps 2, and a last of three has
    7/3. With two more behind a player it is rank 3."""
    answer = reader.get(f"{season}outlook/").json()
    assert answer["left"] == {"evenings": 1, "largest": 3, "one_table": True}
    assert (answer["reason"], answer["top"], len(answer["divisions"])) == ("", 3, 1)
    ann = answer["divisions"][0]["players"][0]
    assert (ann["player"]["name"], ann["best"], ann["worst"]) == ("Ann", pytest.approx(5 / 3), pytest.approx(7 / 3))
    # With place 1 of three it is won, perhaps shared; with place 2 somebody else has 5/3.
    assert ann["win"] == {"possible": "yes", "certain": "no", "keep": 1, "clinch": 1, "next_undecided": False}
    assert (ann["top"]["possible"], ann["top"]["certain"]) == ("yes", "yes")


def test_what_the_reader_takes_to_be_given(reader: Program, admin: Program, season: str) -> None:
    answer = reader.get(f"{season}outlook/?evenings=2&players=5&tables=several&top=1").json()
    assert answer["left"] == {"evenings": 2, "largest": 5, "one_table": False}
    assert answer["divisions"][0]["players"][0]["worst"] == 3.5  # 4 and two times place 5: 14 in four
    Season.objects.update(planned_evenings=None)
    answer = reader.get(f"{season}outlook/").json()
    assert (answer["reason"], answer["left"], answer["divisions"]) == ("unknown_evenings", None, [])
    assert admin.patch(season, {"ranking_metric": "game_points"}).status_code == 200
    answer = reader.get(f"{season}outlook/?evenings=1").json()
    assert answer["divisions"] == [{"division": None, "reason": "unbounded", "players": []}]


@pytest.mark.parametrize(
    ("query", "field"),
    [("evenings=31", "evenings"), ("top=0", "top"), ("players=1", "players"), ("tables=two", "tables"), ("x=1", "x")],
)
def test_what_can_not_be_taken(reader: Program, season: str, query: str, field: str) -> None:
    answer = reader.get(f"{season}outlook/?{query}")
    assert (answer.status_code, [one["parameter"] for one in answer.json()["errors"]]) == (400, [field])


def test_what_is_possible_in_a_session(people: People, reader: Program) -> None:
    """Five of the six games of Pure XXL: Ann 5, Ben 10, Cem 15. Ann ends at 8 at worst, Ben at 11 at best."""
    rounds = tuple(by_places(f"xxl-{number}", {"Ann": 1, "Ben": 2, "Cem": 3}) for number in range(1, 6))
    data = evening("four-players")
    data = replace(data, players=data.players[:3], rounds=rounds, status="open")
    session = record(people, data)
    answer = reader.get(f"{CLUB}/sessions/{session.pk}/outlook/?top=2").json()
    assert (answer["reason"], answer["games_left"], answer["sitting"]) == ("", 1, 3)
    told: dict[str, Any] = {one["player"]["name"]: one for one in answer["players"]}
    assert told["Ann"]["reach"] == {"best": 1, "worst": 1, "win_alone": "yes", "surely_alone": True}
    assert told["Ben"]["win"]["possible"] == "no"
    assert told["Ben"]["top"]["certain"] is True
    assert told["Cem"]["reach"]["best"] == told["Cem"]["reach"]["worst"] == 3
    assert [one["place"] for one in told["Cem"]["by_next_place"]] == [1, 2, 3]


def test_a_session_that_is_over(people: People, reader: Program) -> None:
    session = record(people, series({"Ann": 1, "Ben": 2}))
    answer = reader.get(f"{CLUB}/sessions/{session.pk}/outlook/").json()
    assert (answer["reason"], answer["players"]) == ("over", [])
    single = record(people, replace(series({"Ann": 1, "Ben": 2}, planned=2), format="series"))
    assert reader.get(f"{CLUB}/sessions/{single.pk}/outlook/").json()["reason"] == "other_format"
