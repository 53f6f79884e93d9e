"""What the log says of addresses that are secrets."""

import io
import logging
from collections.abc import Iterator

import pytest
from django.test import Client

from league.services import table_links
from league.services.evenings import SeatInput, SessionInput
from league.services.results import record
from tests.people import NOW, People


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the console of the product is told."""
    (console,) = (one for one in logging.getLogger().handlers if type(one) is logging.StreamHandler)
    told = io.StringIO()
    before = console.setStream(told)
    yield told
    if before is not None:
        console.setStream(before)


@pytest.mark.django_db
def test_a_round_that_is_refused_does_not_log_its_table_link(people: People, client: Client, log: io.StringIO) -> None:
    access = people.access(people.scorekeeper)
    seats = tuple(SeatInput(player.pk) for player in people.players[:3])
    session = record(
        access=access,
        data=SessionInput(format="pure_xxl", played_on=NOW.date(), players=seats),
        confirm=frozenset(),
        now=NOW,
    )
    _link, raw = table_links.create(access=access, session_id=session.pk, now=NOW)
    client.post(f"/table/{raw}/rounds/", "{}", content_type="application/json")
    assert "/table/…" in log.getvalue()
    assert raw not in log.getvalue()


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/invites/secret/", "/invites/…"),
        ("/setup/secret/", "/setup/…"),
        ("/account/reset/Mg/secret/", "/account/reset/…"),
        ("/herzclub/calendar/3.secret.ics", "/herzclub/calendar/…"),
        ("/herzclub/calendar/", "/herzclub/calendar/"),
        ("/herzclub/manage/members/invites/3/", "/herzclub/manage/members/invites/3/"),
    ],
)
def test_a_secret_in_an_address_is_left_out(path: str, told: str, log: io.StringIO) -> None:
    logging.getLogger("django.request").warning("%s: %s", "Not Found", path)
    assert log.getvalue().rstrip().endswith(f": {told}")


@pytest.mark.django_db
def test_a_page_that_is_refused_is_one_line_of_the_log(people: People, client: Client, log: io.StringIO) -> None:
    client.force_login(people.member)
    assert client.get(f"/{people.club.slug}/bot-matches/new/").status_code == 403
    (line,) = log.getvalue().splitlines()
    assert f"/{people.club.slug}/bot-matches/new/" in line
