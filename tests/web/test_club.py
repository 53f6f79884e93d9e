"""The club page: what goes on comes first, for those who may enter it."""

from collections.abc import Callable
from datetime import date, timedelta

import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import PlannedEvening, Player, Season, Session, SignUp, Standing
from league.services import results
from league.services.results import SeatInput, SessionInput
from tests.people import NOW, People
from tests.services.given import by_points, rank_of
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


def test_who_only_reads_finds_them_without_a_way_to_enter(
    people: People, evenings: list[Session], as_user: Callable[..., Client]
) -> None:
    going_on = opened(people, date(2026, 11, 20))

    for client in (Client(), as_user(people.member)):
        found = headings(client)
        assert list(found) == ["Sessions that go on", "Last sessions"]
        assert found["Sessions that go on"] == [f"/herzclub/sessions/{going_on.pk}/"]


def text_of(client: Client) -> str:
    return Page(client.get("/herzclub/", headers={"accept-language": "en"}).content.decode()).text


def test_a_visitor_finds_public_sessions_and_public_names_alone(
    people: People, evenings: list[Session], as_user: Callable[..., Client]
) -> None:
    opened(people, date(2026, 11, 20))
    Player.objects.filter(pk=people.players[0].pk).update(nickname="The Ace")
    hidden = Season.objects.create(
        club=people.club, league=people.season.league, name="Secret", slug="secret", starts_on=date(2026, 1, 1)
    )
    Season.objects.filter(pk=hidden.pk).update(visibility="members")
    data = SessionInput(
        format="pure_xxl",
        played_on=date(2026, 11, 21),
        season=hidden.pk,
        location="Cellar",
        players=tuple(SeatInput(player.pk) for player in people.players[2:4]),
    )
    results.record(access=people.access(people.scorekeeper), data=data, confirm=(), now=NOW)

    seen = text_of(Client())
    assert "The Ace" in seen
    assert not [word for word in ("Ann", "Cellar", "Secret") if word in seen]
    told = text_of(as_user(people.member))
    assert not [word for word in ("Ann", "Cellar", "Secret") if word not in told]
    assert "The Ace" not in told


def test_a_running_table_says_who_leads(people: People, as_user: Callable[..., Client]) -> None:
    session = opened(people, date(2026, 11, 20))
    by = people.access(people.scorekeeper)
    round_ = by_points("xxl-1", {"Ann": 30, "Ben": 0})
    results.record_round(access=by, session_id=session.pk, data=round_, confirm=frozenset(), now=NOW)
    page = Page(as_user(people.member).get("/herzclub/").content.decode())
    lines = page.one("ol", inside=next(page.all("section")))
    assert [one.text for one in page.all("li", inside=lines)] == ["place 1. Ben Σsum 1", "place 2. Ann Σsum 2"]
    assert "1 of 6 rounds" in page.text


def test_leaders_of_open_seasons_stand_with_what_they_rank_by(people: People, evenings: list[Session]) -> None:
    """tests/data/evenings/season.worked.md has the table."""
    page = Page(Client().get("/herzclub/", headers={"accept-language": "en"}).content.decode())
    (card,) = [one for one in page.all("li") if one.attributes.get("class") == "card"]
    season = Season.objects.get(pk=people.season.pk)
    table = [row for row in Standing.objects.table(season) if (rank_of(row) or 9) <= 3]
    worked = [f"{rank_of(row)} {row.player.name} Place average {row.place_average:.2f}" for row in table]
    lines = page.one("ol", inside=card)
    assert [one.text for one in page.all("li", inside=lines)] == worked


def test_the_next_evening_is_by_the_clubs_clock(
    people: People, evenings: list[Session], as_user: Callable[..., Client]
) -> None:
    people.club.time_zone = "Europe/Berlin"
    people.club.save()
    for starts_at, location, cancelled in (
        (NOW - timedelta(days=1), "Yesterday's", None),
        (NOW + timedelta(days=1), "Cancelled", NOW),
        (NOW + timedelta(days=2), "Café Rot", None),
        (NOW + timedelta(days=9), "Later's", None),
    ):
        PlannedEvening.objects.create(
            club=people.club,
            season=people.season,
            starts_at=starts_at,
            location=location,
            capacity=6,
            cancelled_at=cancelled,
        )
    evening = PlannedEvening.objects.get(location="Café Rot")
    for number, player in enumerate(people.players[:3]):
        state = "coming" if number < 2 else "waiting"
        SignUp.objects.create(club=people.club, evening=evening, player=player, state=state, since=NOW)
    with time_machine.travel(NOW):
        seen = text_of(Client())
        assert "Wednesday, 2 December 2026, 21:15" in seen  # 20:15 in UTC
        assert "2 of 6 come · 1 on the waiting list" in seen
        assert not [word for word in ("Yesterday's", "Cancelled", "Later's") if word in seen]
        Season.objects.filter(pk=people.season.pk).update(visibility="members")
        Season.objects.create(
            club=people.club, league=people.season.league, name="Open", slug="open", starts_on=date(2026, 1, 1)
        )
        assert "Next evening" not in text_of(Client())
        assert "Next evening" in text_of(as_user(people.member))


def test_it_asks_as_much_of_many_tables_as_of_one(people: People, as_user: Callable[..., Client]) -> None:
    client = as_user(people.member)

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get("/herzclub/").status_code == 200
        return len(queries)

    opened(people, date(2026, 11, 1))
    before = asked()
    for day in range(2, 8):
        opened(people, date(2026, 11, day))
    assert asked() == before
