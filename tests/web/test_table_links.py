"""A phone at the table: handed the entry of one session by QR code, without a login or a cookie."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from league.models import ApiToken, AuditEvent, Round, Scope, Session, SessionStatus
from league.services import results, table_links
from league.services.evenings import SeatInput, SessionInput
from tests.people import NOW, People
from tests.web.page import Page

pytestmark = pytest.mark.usefixtures("present")

Clients = Callable[..., Client]


@pytest.fixture
def session(people: People) -> Session:
    """An evening of Pure XXL of Ben and Ann, in this order, that goes on."""
    ann, ben = people.players[:2]
    seats = (SeatInput(ben.pk), SeatInput(ann.pk))
    data = SessionInput(format="pure_xxl", played_on=NOW.date(), players=seats, season=people.season.pk)
    return results.record(access=people.access(people.owner), data=data, confirm=frozenset(), now=NOW)


@pytest.fixture
def phone() -> Client:
    """A browser that has never been here, and checks form tokens as for one."""
    return Client(enforce_csrf_checks=True)


def _link(people: People, session: Session) -> tuple[ApiToken, str]:
    link, raw = table_links.create(access=people.access(people.scorekeeper), session_id=session.pk, now=NOW)
    return link, f"/table/{raw}/"


def _enter(people: People, client: Client, address: str, game: str, *numbers: int, **extra: object) -> Any:
    """Send the next round: Ben's number and Ann's."""
    ann, ben = people.players[:2]
    scores = {f"score_{player.pk}": number for player, number in zip((ben, ann), numbers, strict=True)}
    # What a browser sends from a page that keeps its address from everybody.
    return client.post(
        address, {"game": game, "note": "", "kind": "points", **scores, **extra}, headers={"Origin": "null"}
    )


def _page(answer: Any, status: int = 200) -> Page:
    assert answer.status_code == status, answer.content
    assert answer["Cache-Control"] == "no-store"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"] == "noindex"
    return Page(answer.content.decode())


def test_an_evening_by_phone(people: People, session: Session, phone: Client) -> None:
    link, address = _link(people, session)
    page = _page(phone.get(address))
    assert page.one("h1").text == "Round 1 of 6"
    assert "Seats: Ben, Ann" in page.text
    assert page.one("form", action=address)
    # It leads to nothing of the club.
    assert not [one for one in page.all("a") if "herzclub" in one.attributes["href"]]

    games = [("xxl-1", 0, 31), ("xxl-2", 24, 0), ("xxl-3", 96, 64), ("xxl-4", 51, 29), ("xxl-5", 13, 22)]
    for game, ben, ann in games:
        answer = _enter(people, phone, address, game, ben, ann)
        assert (answer.status_code, answer["Location"]) == (302, address)
        assert answer["Cache-Control"] == "no-store"
    page = _page(phone.get(address))
    assert page.one("h1").text == "Round 6 of 6"
    # Ben: 1+2+1+1+1 = 6, Ann: 2+1+2+2+2 = 9.
    assert [text.split()[-1] for text in page.rows(page.one("table"))[-1]] == ["6", "9"]
    _enter(people, phone, address, "xxl-6", 120, 101)
    page = _page(phone.get(address))
    assert "This session is over" in page.text
    assert not list(page.all("form", action=address))

    session.refresh_from_db()
    assert session.status == SessionStatus.COMPLETE
    events = AuditEvent.objects.filter(action="round.recorded")
    assert [(event.token, event.user) for event in events] == [(link, None)] * 6


def test_what_is_odd_is_asked_about_and_what_is_wrong_is_said(people: People, session: Session, phone: Client) -> None:
    _link_made, address = _link(people, session)
    page = _page(_enter(people, phone, address, "xxl-1", 5, 14))
    code = page.one("input", type="checkbox", name="confirm").attributes["value"]
    assert not Round.objects.exists()
    page = _page(_enter(people, phone, address, "xxl-1", -3, 14))
    assert page.one("div", role="alert")
    _enter(people, phone, address, "xxl-1", 5, 14, confirm=code)
    assert Round.objects.get().confirmed == [code]


def test_two_phones_store_a_round_once(people: People, session: Session, phone: Client) -> None:
    _link_made, address = _link(people, session)
    other = Client(enforce_csrf_checks=True)
    _enter(people, phone, address, "xxl-1", 0, 31, number=1)
    answer = _enter(people, other, address, "xxl-1", 31, 0, number=1)
    assert answer.status_code == 302
    assert "Round 1 is stored already." in _page(other.get(address)).text
    assert Round.objects.count() == 1


def test_a_link_that_ended_says_what_to_do(people: People, session: Session, phone: Client) -> None:
    link, address = _link(people, session)
    other, other_address = _link(people, session)
    table_links.revoke(access=people.access(people.scorekeeper), session_id=session.pk, link_id=link.pk, now=NOW)
    for gone in (address, "/table/nothing/", f"{address[:-2]}/", f"/table/tl_{other.prefix}_{'a' * 43}/"):
        page = _page(phone.get(gone), 404)
        assert "Ask whoever gave it to you for a new one." in page.text
        _page(_enter(people, phone, gone, "xxl-1", 0, 31), 404)
    _page(phone.get(other_address))
    with time_machine.travel(NOW + timedelta(hours=12, seconds=1)):
        _page(phone.get(other_address), 404)
        _page(_enter(people, phone, other_address, "xxl-1", 0, 31), 404)
    assert not Round.objects.exists()


def test_a_void_session_takes_nothing(people: People, session: Session, phone: Client) -> None:
    _link_made, address = _link(people, session)
    Session.objects.filter(pk=session.pk).update(voided_at=NOW)
    assert "is void" in _page(phone.get(address)).text
    _page(_enter(people, phone, address, "xxl-1", 0, 31))
    assert not Round.objects.exists()


# --- Where scorekeepers make them ------------------------------------------------------------------------------------


def test_a_scorekeeper_hands_the_entry_over(people: People, session: Session, as_user: Clients, phone: Client) -> None:
    keeper = as_user(people.scorekeeper)
    links = f"/herzclub/sessions/{session.pk}/table-links/"
    for path in ("", "enter/"):
        page = Page(keeper.get(f"/herzclub/sessions/{session.pk}/{path}").content.decode())
        form = page.one("form", action=links)
        assert page.one("button", inside=form).text == "Hand entry to another phone"
    # One tap, for the usual hours.
    made = keeper.post(links)
    usual = ApiToken.objects.get(scope=Scope.TABLE)
    assert made["Location"] == f"{links}{usual.pk}/"
    assert usual.expires_at is not None
    assert abs(usual.expires_at - NOW - timedelta(hours=12)) < timedelta(minutes=1)
    usual.delete()
    made = keeper.post(links, {"hours": 3})
    link = ApiToken.objects.get(scope=Scope.TABLE)
    assert link.expires_at is not None
    assert abs(link.expires_at - NOW - timedelta(hours=3)) < timedelta(minutes=1)
    assert made["Location"] == f"{links}{link.pk}/"
    for _time in range(2):  # also when it is shown once more
        shown = keeper.get(made["Location"])
        assert "no-store" in shown["Cache-Control"]
        page = Page(shown.content.decode())
        address = page.one("code", id="link").text
        assert re.fullmatch(r"http://testserver/table/tl_[a-z0-9]{12}_[A-Za-z0-9_-]{43}/", address)
        code = page.one("svg")
        assert [one.attributes.get("fill", one.attributes.get("stroke")) for one in page.all("path", inside=code)] == [
            "#fff",
            "#000",
        ]
    assert _page(phone.get(address)).one("h1").text == "Round 1 of 6"
    # Another browser of the club can't show it, but end it.
    admin = as_user(people.admin)
    assert admin.get(made["Location"])["Location"] == links
    page = Page(admin.get(links).content.decode())
    assert page.one("form", action=f"{links}{link.pk}/revoke/")
    assert address.rstrip("/")[-43:] not in admin.get(links).content.decode()
    assert admin.post(f"{links}{link.pk}/revoke/").status_code == 302
    _page(phone.get(address), 404)
    assert keeper.get(made["Location"])["Location"] == links
    assert "revoked" in Page(keeper.get(links).content.decode()).text


def test_an_hour_too_many_and_a_session_that_is_over(people: People, session: Session, as_user: Clients) -> None:
    keeper = as_user(people.scorekeeper)
    links = f"/herzclub/sessions/{session.pk}/table-links/"
    for hours in ("0", "49", "", "x"):
        assert "errorlist" in keeper.post(links, {"hours": hours}).content.decode()
    Session.objects.filter(pk=session.pk).update(status=SessionStatus.COMPLETE)
    page = Page(keeper.post(links, {"hours": "3"}).content.decode())
    assert "This session is over" in page.text
    assert not ApiToken.objects.exists()


def test_members_and_strangers_make_none(people: People, session: Session, as_user: Clients) -> None:
    link, _address = _link(people, session)
    links = f"/herzclub/sessions/{session.pk}/table-links/"
    for path in (links, f"{links}{link.pk}/", f"{links}{link.pk}/revoke/"):
        method = "post" if "revoke" in path else "get"
        assert getattr(as_user(people.member), method)(path).status_code == 403
        assert getattr(as_user(people.stranger), method)(path).status_code == 404
        assert getattr(Client(), method)(path)["Location"].startswith("/login/")
    elsewhere = f"/pikclub/sessions/{session.pk}/table-links/{link.pk}/revoke/"
    assert as_user(people.stranger).post(elsewhere).status_code == 404
    link.refresh_from_db()
    assert link.revoked_at is None


def test_the_list_of_tokens_shows_links_and_limits(people: People, session: Session, as_user: Clients) -> None:
    link, _address = _link(people, session)
    admin = as_user(people.admin)
    admin.post("/herzclub/manage/tokens/", {"name": "board", "scope": "read", "expires_on": "", "rate_limit": "30"})
    assert ApiToken.objects.get(name="board").rate_limit == 30
    page = Page(admin.get("/herzclub/manage/tokens/").content.decode())
    assert "30 requests a minute" in page.text
    assert page.one("form", action=f"/herzclub/manage/tokens/{link.pk}/revoke/")
    assert "table" not in [one.attributes["value"] for one in page.all("option")]
    refused = admin.post("/herzclub/manage/tokens/", {"name": "x", "scope": "table", "expires_on": ""})
    assert "errorlist" in refused.content.decode()
    assert not ApiToken.objects.filter(name="x").exists()


def test_no_club_takes_the_links_address(people: People, as_user: Clients) -> None:
    answer = as_user(people.owner).post("/clubs/new/", {"name": "Table", "slug": "table"})
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
