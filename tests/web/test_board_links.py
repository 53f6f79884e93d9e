"""Boards for whoever has the link, and names for members alone: nothing else gets out."""

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client

from league.models import AuditEvent, Member, Player, Season, Session, User
from league.services import erasure, players, seasons
from league.services.errors import Conflict, Forbidden, InputError
from tests.people import NOW, People
from tests.web.conftest import BOARD

AsUser = Callable[[User], Client]
FILES = ("standings.csv", "standings.json", "standings.png", "standings.svg", "sessions.csv", "sessions.json")
PARTS = ("", *FILES, "calendar.ics")


@pytest.fixture
def board(people: People, evenings: list[Session]) -> Season:
    """The season of the Herzclub, its board for whoever has the link."""
    Season.objects.filter(pk=people.season.pk).update(visibility="link")
    people.season.refresh_from_db()
    return people.season


def addresses(evenings: list[Session]) -> list[str]:
    sheets = [f"/herzclub/sessions/{one.pk}/" for one in evenings]
    return [*(BOARD + part for part in PARTS), *sheets, *(f"{sheet}print/" for sheet in sheets)]


def body(response: Any) -> bytes:
    return b"".join(response) if response.streaming else response.content


def crawl(client: Client, *starts: str) -> Iterator[tuple[str, Any]]:
    """Every page and file that the client comes to by links from these, with its answer."""
    seen, waiting = set(starts), list(starts)
    while waiting:
        address = waiting.pop()
        answer = client.get(address)
        yield address, answer
        if not answer.headers.get("Content-Type", "").startswith("text/html"):
            continue
        for link in re.findall(r'(?:href|src|content(?=="http))="([^"]*)"', answer.content.decode()):
            parts = urlsplit(urljoin(f"http://testserver{address}", link.replace("&amp;", "&")))
            where = parts.path + (f"?{parts.query}" if parts.query else "")
            ours = parts.netloc == "testserver" and not parts.path.startswith(("/static/", "/login/", "/api/"))
            if ours and link and where not in seen:
                seen.add(where)
                waiting.append(where)


# --- Links ------------------------------------------------------------------------------------------------------------


def test_the_key_opens_the_board_and_all_its_parts(
    board: Season, evenings: list[Session], people: People, as_user: AsUser
) -> None:
    for client in (Client(), as_user(people.stranger)):
        for address in addresses(evenings):
            answer = client.get(f"{address}?key={board.board_key}")
            assert answer.status_code == 200, address
            assert answer["X-Robots-Tag"] == "noindex"
            assert answer["Referrer-Policy"] == "same-origin"
            assert "private" in answer["Cache-Control"] and "public" not in answer["Cache-Control"]


def test_without_the_right_key_there_is_nothing(
    board: Season, evenings: list[Session], people: People, as_user: AsUser
) -> None:
    keys = ("", board.board_key[:-1], people.other_season.board_key)
    for client in (Client(), as_user(people.stranger)):
        for address in addresses(evenings[:1]):
            for query in ("", *(f"?key={key}" for key in keys)):
                answer = client.get(address + query)
                assert answer.status_code == 404, (address, query)
    # As an address that never was, but for the address itself.
    never = Client().get("/herzclub/monday-league/1999/?key=x").content
    assert Client().get(f"{BOARD}?key=x").content.decode() == never.decode().replace("1999", "2026")


def test_a_key_opens_its_own_board_alone(board: Season, evenings: list[Session], people: People) -> None:
    """The other season of the same league is for its own link, another for members; the key fits neither."""
    for slug, visibility in (("other", "link"), ("closed", "members")):
        fields = {"name": slug, "slug": slug, "starts_on": board.starts_on, "visibility": visibility}
        access = people.access(people.admin)
        made = seasons.create_season(access=access, league_id=board.league_id, fields=fields, now=NOW)
        for key in (board.board_key, *([made.board_key] if visibility == "members" else [])):
            assert Client().get(f"/herzclub/monday-league/{slug}/?key={key}").status_code == 404
    for address in ("/herzclub/", "/herzclub/sessions/", "/herzclub/manage/", "/herzclub/calendar/"):
        assert Client().get(f"{address}?key={board.board_key}").status_code in {302, 404}


def test_every_link_on_the_board_leads_on(board: Season, evenings: list[Session]) -> None:
    found = dict(crawl(Client(), f"{BOARD}?key={board.board_key}"))
    missing = {address for address, answer in found.items() if answer.status_code != 200}
    # The start page and what it leads to are open to everybody.
    assert not missing
    assert {f"{address}?key={board.board_key}" for address in addresses(evenings) if "standings." not in address} <= {
        re.sub(r"\?language=\w+&key", "?key", address) for address in found
    }


def test_a_board_with_a_link_is_listed_nowhere(board: Season, evenings: list[Session]) -> None:
    for address in ("/", "/herzclub/", "/herzclub/sessions/"):
        assert "/herzclub/" not in Client().get(address).content.decode().replace(f'"{address}"', "")


def test_members_need_no_key(board: Season, evenings: list[Session], people: People, as_user: AsUser) -> None:
    client = as_user(people.member)
    for address in addresses(evenings):
        assert client.get(address).status_code == 200
    page = client.get(f"{BOARD}?key={board.board_key}").content.decode()
    assert f"key={board.board_key}" not in page.replace("live", "")


def test_a_new_key_ends_the_old_link(board: Season, people: People, as_user: AsUser) -> None:
    old = board.board_key
    settings = f"/herzclub/manage/seasons/{board.pk}/"
    assert f"{BOARD}?key={old}" in as_user(people.admin).get(settings).content.decode()
    assert as_user(people.scorekeeper).post(f"{settings}renew-key/").status_code == 403
    assert as_user(people.stranger).post(f"{settings}renew-key/").status_code == 404
    assert as_user(people.admin).post(f"{settings}renew-key/").status_code == 302

    board.refresh_from_db()
    assert len(board.board_key) >= 22 and board.board_key != old
    assert Client().get(f"{BOARD}?key={old}").status_code == 404
    assert Client().get(f"{BOARD}?key={board.board_key}").status_code == 200
    event = AuditEvent.objects.filter(action="season.key_renewed").get()
    assert (event.object_id, event.data) == (board.pk, {})


def test_the_public_reads_on_without_keys(people: People, evenings: list[Session]) -> None:
    answer = Client().get(BOARD)
    assert "key=" not in answer.content.decode()
    assert "X-Robots-Tag" not in answer


# --- Nicknames --------------------------------------------------------------------------------------------------------

NAME, NICKNAME = "Xaveria Quittenbaum", "Herzdame"


@pytest.fixture
def shy(people: People, evenings: list[Session]) -> Player:
    """Ann under another name that stands nowhere else, with a nickname, linked to the member's login."""
    access = people.access(people.admin)
    member = Member.objects.get(user=people.member)
    changes = {"name": NAME, "nickname": NICKNAME, "member_id": member.pk}
    return players.update(access=access, player_id=people.players[0].pk, changes=changes, now=NOW)


@pytest.mark.parametrize(("visibility", "logged_in"), [("public", False), ("link", True)])
def test_nothing_public_has_the_name(
    shy: Player, people: People, as_user: AsUser, visibility: str, logged_in: bool
) -> None:
    """To somebody who is logged in and a stranger no more than to nobody."""
    Season.objects.filter(pk=people.season.pk).update(visibility=visibility)
    people.season.refresh_from_db()
    key = f"?key={people.season.board_key}" if visibility == "link" else ""
    client = as_user(people.stranger) if logged_in else Client()
    named, met = set(), set()
    for address, answer in crawl(client, BOARD + key, f"{BOARD}embed/{key}", *([] if logged_in else ["/"])):
        text = body(answer).decode(errors="replace").replace("\r\n ", "")
        assert NAME not in text and "Quittenbaum" not in text, address
        met.add(re.sub(r"\d+|\?.*", "", address))
        if NICKNAME in text:
            named.add(re.sub(r"\d+|\?.*", "", address))
    assert {f"/herzclub/monday-league//{part}" for part in PARTS if part != "standings.png"} <= named
    assert {"/herzclub/sessions//", "/herzclub/sessions//print/"} <= named
    assert {f"/herzclub/monday-league//{part}/" for part in ("embed", "tv")} <= named
    assert "/herzclub/monday-league//standings.png" in met


def test_members_read_the_name(shy: Player, people: People, evenings: list[Session], as_user: AsUser) -> None:
    client = as_user(people.member)
    for address in addresses(evenings):
        text = body(client.get(address)).decode(errors="replace").replace("\r\n ", "")
        if "standings.png" not in address and "standings.svg" not in address:
            assert NAME in text and NICKNAME not in text, address
    # Pictures are made to be passed on.
    assert NAME not in body(client.get(f"{BOARD}standings.svg")).decode()


def test_a_member_chooses_the_own_nickname(shy: Player, people: People, as_user: AsUser) -> None:
    client = as_user(people.member)
    assert NICKNAME in client.get("/herzclub/me/").content.decode()
    assert client.post("/herzclub/me/", {"nickname": "  Pik   Sieben "}).status_code == 302
    shy.refresh_from_db()
    assert (shy.name, shy.nickname) == (NAME, "Pik Sieben")
    assert client.post("/herzclub/me/", {"nickname": ""}).status_code == 302
    shy.refresh_from_db()
    assert (shy.nickname, shy.public_name) == ("", NAME)
    # Who is no player has nothing to choose.
    page = as_user(people.scorekeeper).post("/herzclub/me/", {"nickname": "X"})
    assert page.status_code == 200 and "belongs to no player yet" in page.content.decode()
    assert as_user(people.stranger).get("/herzclub/me/").status_code == 404


@pytest.mark.parametrize(
    ("nickname", "refusal"),
    [("x" * 61, InputError), ("A\u202eB", InputError), ("bEN", Conflict), ("CEMBALO", Conflict)],
)
def test_a_nickname_is_text_and_nobody_elses(
    shy: Player, people: People, nickname: str, refusal: type[Exception]
) -> None:
    Player.objects.filter(pk=people.players[2].pk).update(nickname="Cembalo")
    with pytest.raises(refusal):
        players.choose_nickname(access=people.access(people.member), nickname=nickname, now=NOW)
    shy.refresh_from_db()
    assert shy.nickname == NICKNAME


def test_nicknames_of_others_take_an_admin(shy: Player, people: People, as_user: AsUser) -> None:
    other = people.players[1].pk
    with pytest.raises(Forbidden):
        players.update(access=people.access(people.scorekeeper), player_id=other, changes={"nickname": "B"}, now=NOW)
    client = as_user(people.admin)
    form = {"name": "Ben", "nickname": "Bube", "member": ""}
    assert client.post(f"/herzclub/manage/players/{other}/", form).status_code == 302
    assert Player.objects.get(pk=other).nickname == "Bube"
    # A scorekeeper's form lacks the field, and leaves the nickname alone.
    assert as_user(people.scorekeeper).post(f"/herzclub/manage/players/{other}/", {"name": "Ben"}).status_code == 302
    assert Player.objects.get(pk=other).nickname == "Bube"


def test_erasing_takes_the_nickname_along(shy: Player, people: People) -> None:
    erasure.erase(access=people.access(people.admin), player_id=shy.pk, confirmed=True, now=NOW)
    shy.refresh_from_db()
    assert (shy.nickname, shy.public_name) == ("", f"Player {shy.pk}")
    assert NICKNAME not in Client().get(BOARD).content.decode()
