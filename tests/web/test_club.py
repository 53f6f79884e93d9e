"""The club page: what goes on comes first, for those who may enter it."""

from collections.abc import Callable
from datetime import date

from django.test import Client

from league.models import Session
from league.services import results
from league.services.results import SeatInput, SessionInput
from tests.people import NOW, People
from tests.web.page import Page


def opened(people: People, day: date) -> Session:
    data = SessionInput(
        format="pure_xxl",
        played_on=day,
        season=people.season.pk,
        players=tuple(SeatInput(player.pk) for player in people.players[:2]),
    )
    return results.record(access=people.access(people.scorekeeper), data=data, confirm=(), now=NOW)


def headings(client: Client) -> dict[str, list[str]]:
    """The links of each section of the club page, by its heading."""
    page = Page(client.get("/herzclub/").content.decode())
    return {
        page.one("h2", inside=section).text: [link.attributes["href"] for link in page.all("a", inside=section)]
        for section in page.all("section")
    }


def test_sessions_that_go_on_stand_first(
    people: People, evenings: list[Session], as_user: Callable[..., Client]
) -> None:
    # Older than every session that was finished.
    going_on = opened(people, date(2026, 9, 7))

    found = headings(as_user(people.scorekeeper))

    assert list(found) == ["Sessions that go on", "Last sessions"]
    path = f"/herzclub/sessions/{going_on.pk}/"
    assert found["Sessions that go on"] == [path, f"{path}enter/"]
    assert path not in found["Last sessions"]


def test_who_only_reads_finds_them_among_the_others(
    people: People, evenings: list[Session], as_user: Callable[..., Client]
) -> None:
    going_on = opened(people, date(2026, 11, 20))

    for client in (Client(), as_user(people.member)):
        found = headings(client)
        assert list(found) == ["Last sessions"]
        assert found["Last sessions"][0] == f"/herzclub/sessions/{going_on.pk}/"
