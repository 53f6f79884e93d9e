"""Divisions on pages: made, filled, shown as a table each, and followed by the next season."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from league.models import Division, DivisionPlayer, Season, User
from tests.people import People
from tests.services.given import record, series
from tests.web.conftest import BOARD
from tests.web.page import Page

AsUser = Callable[[User], Client]


@pytest.fixture
def admin(people: People, as_user: AsUser) -> Client:
    return as_user(people.admin)


def fill(people: People, admin: Client) -> str:
    """Ann and Ben in the first division, Cem and Dora in the second; the address of the divisions."""
    path = f"/herzclub/manage/seasons/{people.season.pk}/divisions/"
    for name, up, down in (("Liga 1", 0, 1), ("Liga 2", 1, 0)):
        admin.post(f"{path}new/", {"name": name, "level": "", "promoted": up, "relegated": down})
    first, second = Division.objects.order_by("level")
    form = {f"player_{one.pk}": first.pk for one in people.players[:2]}
    form |= {f"player_{one.pk}": second.pk for one in people.players[2:4]}
    assert admin.post(path, form).status_code == 302
    return path


def test_each_division_is_a_table_on_the_board(people: People, admin: Client) -> None:
    path = fill(people, admin)
    record(people, series({"Ann": 1, "Cem": 2, "Ben": 3, "Eva": 4, "Dora": 5}))
    page = Page(Client().get(BOARD).content.decode())
    found = {}
    for section in page.all("section"):
        for table in page.all("table", inside=section):
            rows = page.rows(table)[1:]
            found[page.one("h2", inside=section).text] = [(row[0], row[1].split()[0]) for row in rows]
    assert found == {
        "Liga 1": [("1", "Ann"), ("2", "Ben")],
        "Liga 2": [("1", "Cem"), ("2", "Dora")],
        "In no division": [("1", "Eva")],
    }
    file: Any = Client().get(f"{BOARD}standings.json")
    told = [(row["division"], row["rank"], row["player"]) for row in json.loads(b"".join(file))]
    assert told == [
        ("Liga 1", 1, "Ann"),
        ("Liga 1", 2, "Ben"),
        ("Liga 2", 1, "Cem"),
        ("Liga 2", 2, "Dora"),
        (None, 1, "Eva"),
    ]
    # Moved by the page, and the other fields left as they are.
    eva, second = people.players[4], Division.objects.get(name="Liga 2")
    assert admin.post(path, {f"player_{eva.pk}": second.pk}).status_code == 302
    assert DivisionPlayer.objects.filter(division=second).count() == 3
    assert admin.post(path, {f"player_{eva.pk}": ""}).status_code == 302
    assert DivisionPlayer.objects.count() == 4
    theirs = Division.objects.create(club=people.other_club, season=people.other_season, level=1, name="X")
    assert "Select a valid choice" in admin.post(path, {f"player_{eva.pk}": theirs.pk}).content.decode()
    assert DivisionPlayer.objects.count() == 4


def test_the_next_season_asks_who_moves(people: People, admin: Client) -> None:
    path = fill(people, admin)
    record(people, series({"Ann": 1, "Ben": 2}))
    record(people, series({"Cem": 1, "Dora": 1}))
    following = path.replace("divisions", "following")
    form = {"name": "2027", "slug": "2027", "starts_on": "2027-01-04"}
    assert "its ranks are not final" in admin.post(following, form).content.decode()
    Season.objects.filter(pk=people.season.pk).update(status="closed")
    page = Page(admin.get(following).content.decode())
    boxes = [box.attributes["value"] for box in page.all("input", type="checkbox")]
    cem, dora = (str(one.pk) for one in people.players[2:4])
    assert boxes == [cem, dora]
    assert "Liga 2: 1 of these move up" in page.text
    # Of the other line the ranks say it, and the page before it is done.
    (moves,) = (one for one in page.all("ul") if one.attributes.get("class") == "rows")
    assert [one.text for one in page.all("li", inside=moves)] == ["Ben Liga 1 → Liga 2"]
    answer = admin.post(following, form).content.decode()
    assert "Cem, Dora share the rank" in answer
    assert admin.post(following, {**form, "tie_0": dora}).status_code == 302
    made = Season.objects.get(slug="2027")
    told = DivisionPlayer.objects.filter(season=made).order_by("division__level", "player__name")
    assert list(told.values_list("division__name", "player__name")) == [
        ("Liga 1", "Ann"),
        ("Liga 1", "Dora"),
        ("Liga 2", "Ben"),
        ("Liga 2", "Cem"),
    ]


def test_a_division_is_changed_and_deleted(people: People, admin: Client) -> None:
    path = fill(people, admin)
    second = Division.objects.get(name="Liga 2")
    form = {"name": "Oben", "level": "1", "promoted": "0", "relegated": "2"}
    assert admin.post(f"{path}{second.pk}/", form).status_code == 302
    assert list(Division.objects.order_by("level").values_list("name", "relegated")) == [("Oben", 2), ("Liga 1", 1)]
    assert admin.post(f"{path}{second.pk}/delete/").status_code == 302
    assert list(Division.objects.values_list("level", "name")) == [(1, "Liga 1")]
    Season.objects.filter(pk=people.season.pk).update(status="closed")
    left = Division.objects.get()
    assert "is closed" in admin.post(f"{path}{left.pk}/delete/", follow=True).content.decode()
    assert Division.objects.exists()
