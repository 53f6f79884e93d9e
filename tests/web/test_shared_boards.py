"""The table in a frame of another site, and on a club's television."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from league.models import Player, Season, Session, Standing, User
from league.services import planned_evenings
from tests.people import NOW, People
from tests.web.conftest import BOARD
from tests.web.page import Element, Page

AsUser = Callable[[User], Client]


def names(page: Page) -> list[str]:
    return [row[1] for table in page.all("table") for row in page.rows(table)[1:]]


def refreshes(page: Page) -> list[Element]:
    return [one for one in page.all("meta") if one.attributes.get("http-equiv") == "refresh"]


def fill(people: People, session: Session, number: int) -> None:
    """So many more players, each behind the one before."""
    made = Player.objects.bulk_create(
        Player(club=people.club, name=f"Player {index:02}", name_key=f"player {index:02}") for index in range(number)
    )
    Standing.objects.bulk_create(
        Standing(
            club=people.club,
            season=people.season,
            player=one,
            sessions=1,
            counted=1,
            place_total=9,
            wins=0,
            value=9,
            sort_key=9 + index,
            last_session=session,
            last_place=9,
        )
        for index, one in enumerate(made)
    )


# --- Embed ------------------------------------------------------------------------------------------------------------


def test_any_site_may_frame_the_public_table(evenings: list[Session]) -> None:
    answer = Client().get(f"{BOARD}embed/?language=de")
    policy = answer["Content-Security-Policy"]
    assert "frame-ancestors * file:" in policy and "default-src 'none'" in policy
    assert not answer.has_header("X-Frame-Options")
    assert not answer.cookies and "Cookie" not in answer.get("Vary", "")
    page = Page(answer.content.decode())
    assert page.one("html").attributes["lang"] == "de"
    assert set(names(page)) == {"Ann", "Ben", "Cem", "Dora", "Eva", "Finn"}
    assert not list(page.all("script")) and not list(page.all("form"))
    (link,) = page.all("a")
    assert (link.attributes["href"], link.attributes["target"]) == (f"http://testserver{BOARD}", "_blank")
    assert len(answer.content) < 8000
    assert Client().get(f"{BOARD}embed/?language=de", headers={"If-None-Match": answer["ETag"]}).status_code == 304
    # Every other page stays out of frames.
    other = Client().get(BOARD)
    assert "frame-ancestors 'none'" in other["Content-Security-Policy"] and other["X-Frame-Options"] == "DENY"


def test_an_embed_shows_what_strangers_may_read_whoever_looks(
    people: People, evenings: list[Session], as_user: AsUser
) -> None:
    Player.objects.filter(name="Ann").update(nickname="Herzdame")
    member = as_user(people.member)
    assert "Herzdame" in names(Page(member.get(f"{BOARD}embed/").content.decode()))
    Season.objects.filter(pk=people.season.pk).update(visibility="link")
    people.season.refresh_from_db()
    key = f"?key={people.season.board_key}"
    for client in (member, Client()):
        assert client.get(f"{BOARD}embed/").status_code == 404
        page = Page(client.get(f"{BOARD}embed/{key}").content.decode())
        assert page.one("a").attributes["href"].endswith(f"{BOARD}{key}")
    Season.objects.filter(pk=people.season.pk).update(visibility="members")
    assert member.get(f"{BOARD}embed/{key}").status_code == 404


def test_an_embed_has_as_many_rows_as_asked(people: People, evenings: list[Session]) -> None:
    fill(people, evenings[0], 30)
    players = people.season.standings.count()
    for asked, shown in (("", 20), ("?rows=3", 3), ("?rows=0", 1), ("?rows=x", 20), ("?rows=99999", 20)):
        page = Page(Client().get(f"{BOARD}embed/{asked}").content.decode())
        assert len(names(page)) == shown
        assert f"and {players - shown} more players" in page.text


def test_the_code_of_the_frame_is_for_who_may_pass_it_on(
    people: People, evenings: list[Session], as_user: AsUser
) -> None:
    def code(client: Client, query: str = "") -> str:
        page = Page(client.get(BOARD + query).content.decode())
        return next((one.text for one in page.all("code")), "")

    frame = f'<iframe src="http://testserver{BOARD}embed/" title="Monday League 2026"'
    assert code(Client()).startswith(frame)
    Season.objects.filter(pk=people.season.pk).update(visibility="link")
    people.season.refresh_from_db()
    key = f"?key={people.season.board_key}"
    assert f"embed/{key}" in code(Client(), key) and f"embed/{key}" in code(as_user(people.admin))
    assert code(as_user(people.member)) == ""
    Season.objects.filter(pk=people.season.pk).update(visibility="members")
    assert code(as_user(people.owner)) == ""


# --- Television -------------------------------------------------------------------------------------------------------


@time_machine.travel(NOW)
def test_the_screen_pages_through_the_table(people: People, evenings: list[Session]) -> None:
    fill(people, evenings[0], 17)
    fields = {"starts_at": NOW + timedelta(days=7), "location": "Ann's", "season": people.season.pk}
    planned_evenings.plan(access=people.access(people.scorekeeper), fields=fields, now=NOW)
    path, seen, address = f"{BOARD}tv/", [], ""
    for _turn in range(3):
        page = Page(Client().get(path + address).content.decode())
        main = page.one("main")
        assert "Ann's" in page.text and "Pure XXL" in page.text
        seen += names(page)
        address = main.attributes["data-following"]
        assert main.attributes["data-turn"] == "20"
        # The browser's own way, where no script runs.
        (refresh,) = refreshes(page)
        assert refresh.attributes["content"] == f"20;url={address}"
        assert any(one.tag == "noscript" for one in refresh.around)
    assert address == "?page=1"
    assert len(seen) == len(set(seen)) == people.season.standings.count()
    still = Page(Client().get(f"{path}?page=2&still=1").content.decode())
    assert still.one("main").attributes["data-turn"] == "0"
    assert not list(still.all("script")) and not refreshes(still)
    assert still.one("a").text == "Go on"


def test_the_screen_is_for_who_may_read_the_board(people: People, evenings: list[Session], as_user: AsUser) -> None:
    Season.objects.filter(pk=people.season.pk).update(visibility="link")
    people.season.refresh_from_db()
    key = people.season.board_key
    page = Client().get(f"{BOARD}tv/?language=de&key={key}").content.decode()
    assert re.search(rf'data-following="\?page=1&amp;language=de&amp;key={key}"', page)
    for client, status in ((Client(), 404), (as_user(people.stranger), 404), (as_user(people.member), 200)):
        assert client.get(f"{BOARD}tv/").status_code == status
    Season.objects.filter(pk=people.season.pk).update(visibility="members")
    assert Client().get(f"{BOARD}tv/?key={key}").status_code == 404


@pytest.mark.parametrize("part", ["embed/", "tv/"])
def test_an_empty_season_is_no_error(people: People, part: str) -> None:
    assert "Nobody stands in this table yet." in Client().get(BOARD + part).content.decode()
