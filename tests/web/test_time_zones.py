"""Pages show the time of the club that they are about, and propose its own day."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.utils import timezone

from league.models import ApiToken, Club, Session
from league.services import clubs
from tests.people import NOW, People
from tests.web.conftest import BOARD
from tests.web.page import Page

Clients = Callable[..., Client]


def _move(club: Club, zone: str) -> None:
    Club.objects.filter(pk=club.pk).update(time_zone=zone)


def _page(client: Client, path: str) -> Page:
    answer = client.get(path)
    assert answer.status_code == 200
    return Page(answer.content.decode())


@pytest.mark.parametrize(
    ("zone", "moment", "today"),
    [
        ("Europe/Berlin", datetime(2026, 3, 29, 21, 59, tzinfo=UTC), "2026-03-29"),
        ("Europe/Berlin", datetime(2026, 3, 29, 22, 0, tzinfo=UTC), "2026-03-30"),
        ("Pacific/Kiritimati", datetime(2026, 11, 30, 10, 0, tzinfo=UTC), "2026-12-01"),
        ("Pacific/Pago_Pago", datetime(2026, 12, 1, 10, 59, tzinfo=UTC), "2026-11-30"),
        ("Australia/Lord_Howe", datetime(2026, 7, 1, 13, 30, tzinfo=UTC), "2026-07-02"),
    ],
)
def test_forms_propose_the_clubs_day(people: People, as_user: Clients, zone: str, moment: datetime, today: str) -> None:
    _move(people.club, zone)
    with time_machine.travel(moment, tick=False):
        client = as_user(people.admin)
        played_on = _page(client, "/herzclub/sessions/new/").one("input", name="played_on")
        league = people.season.league_id
        starts_on = _page(client, f"/herzclub/manage/leagues/{league}/seasons/new/").one("input", name="starts_on")
        example = _page(client, "/herzclub/manage/").one("code").text
    assert (played_on.attributes["value"], starts_on.attributes["value"]) == (today, today)
    assert f'"played_on": "{today}"' in example


def test_the_time_of_day_is_the_clubs(people: People, evenings: list[Session], client: Client) -> None:
    """20:15 UTC is 21:15 in Berlin in winter, 02:00 in Kathmandu, 09:15 in Pago Pago."""
    for zone, clock in (
        ("Europe/Berlin", "21:15:00"),
        ("Asia/Kathmandu", "02:00:00"),
        ("Pacific/Pago_Pago", "09:15:00"),
    ):
        _move(people.club, zone)
        with time_machine.travel(NOW, tick=False):
            for path in (BOARD, f"/herzclub/sessions/{evenings[0].pk}/"):
                page = _page(client, path)
                time = next(page.all("time"))
                assert (time.text, time.attributes["datetime"]) == (clock, "2026-11-30T20:15:00Z")
                assert (
                    next(one for one in page.elements if "data-timezone" in one.attributes).attributes["data-timezone"]
                    == zone
                )


def test_another_zone_is_another_page(people: People, evenings: list[Session], client: Client) -> None:
    etag = client.get(BOARD)["ETag"]
    assert client.get(BOARD, headers={"if-none-match": etag}).status_code == 304
    clubs.update(access=people.access(people.admin), time_zone="Asia/Kathmandu", now=NOW)
    assert client.get(BOARD, headers={"if-none-match": etag}).status_code == 200


def test_a_token_ends_with_the_clubs_day(people: People, as_user: Clients) -> None:
    """The end of 2 December in Kiritimati is ten in the morning of that day in Greenwich."""
    _move(people.club, "Pacific/Kiritimati")
    client = as_user(people.admin)
    with time_machine.travel(NOW, tick=False):
        client.post("/herzclub/manage/tokens/", {"name": "app", "scope": "read", "expires_on": "2026-12-02"})
        listed = _page(client, "/herzclub/manage/tokens/").text
    token = ApiToken.objects.get()
    assert token.expires_at == datetime(2026, 12, 2, 9, 59, 59, 999999, tzinfo=UTC)
    assert "until 2 Dec 2026" in listed


@pytest.mark.django_db(transaction=True)
def test_clubs_served_at_once_keep_their_clocks_apart(people: People) -> None:
    _move(people.club, "Pacific/Kiritimati")
    _move(people.other_club, "Pacific/Pago_Pago")
    before = timezone.get_current_timezone_name()

    def zone(slug: str) -> str:
        user = people.owner if slug == "herzclub" else people.stranger
        client = Client()
        client.force_login(user)
        try:
            page = Page(client.get(f"/{slug}/monday-league/2026/").content.decode())
            return next(one for one in page.elements if "data-timezone" in one.attributes).attributes["data-timezone"]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(zone, ["herzclub", "pikclub"] * 4))
    assert found == ["Pacific/Kiritimati", "Pacific/Pago_Pago"] * 4
    assert timezone.get_current_timezone_name() == before
