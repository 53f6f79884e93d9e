"""A bot match asked for and watched in the pages."""

from collections.abc import Callable

import pytest
from django.test import Client

from league.models import BotMatch, Player, Session
from tests.people import People
from tests.services.given import carry_out
from tests.web.page import Page

Clients = Callable[..., Client]


@pytest.fixture
def bots(people: People) -> list[Player]:
    return [
        Player.objects.create(club=people.club, name=f"Robo {n}", kind="bot", bot="random") for n in ("Rot", "Blau")
    ]


def form(people: People, bots: list[Player], **changes: object) -> dict[str, object]:
    seats = {f"seat_{seat}": bot.pk for seat, bot in enumerate(bots)}
    return {"game": "xxl-6", "season": people.season.pk, "deals": 2, "seed": 7, **seats, **changes}


def test_is_asked_for_played_and_shown(people: People, bots: list[Player], as_user: Clients) -> None:
    client = as_user(people.scorekeeper)

    answer = client.post("/herzclub/bot-matches/", form(people, bots))

    match = BotMatch.objects.get()
    path = f"/herzclub/bot-matches/{match.pk}/"
    assert answer["Location"] == path
    waiting = Page(client.get(path).content.decode())
    assert (waiting.one("progress").attributes["value"], waiting.one("progress").attributes["max"]) == ("0", "2")
    # Without JavaScript the page asks again by itself.
    assert next(waiting.all("meta", content="2")).around[-1].tag == "noscript"

    carry_out(match)

    done = Page(client.get(path).content.decode())
    session = Session.objects.get()
    assert done.one("a", id="result").attributes["href"] == f"/herzclub/sessions/{session.pk}/"
    assert done.one("progress").attributes["value"] == "2"
    assert not list(done.all("meta", content="2"))
    assert session.season == people.season
    for listing in ("/herzclub/", "/herzclub/sessions/", "/herzclub/monday-league/2026/"):
        page = Page(client.get(listing).content.decode())
        row = page.one("a", id=f"session-{session.pk}").around[-1]
        assert "bot" in [tag.text for tag in page.all("span", inside=row)], listing


def test_a_series_of_a_cooperative_game(people: People, bots: list[Player], as_user: Clients) -> None:
    client = as_user(people.scorekeeper)
    client.post("/herzclub/bot-matches/", form(people, bots, game="the-game", deals=3))
    match = BotMatch.objects.get()
    carry_out(match)

    page = Page(client.get(f"/herzclub/bot-matches/{match.pk}/").content.decode())
    assert page.one("h1").text == "The Game"
    sheet = Page(client.get(page.one("a", id="result").attributes["href"] or "").content.decode())
    assert "series of one game" in sheet.text
    assert "3 of 3 rounds" in sheet.text
    assert "One result for the table" in sheet.text
    listing = Page(client.get("/herzclub/sessions/").content.decode())
    assert "series of one game" in listing.text


def test_mistakes_are_told(people: People, bots: list[Player], as_user: Clients) -> None:
    client = as_user(people.scorekeeper)

    twice = client.post("/herzclub/bot-matches/", form(people, bots[:1], seat_3=bots[0].pk))
    assert Page(twice.content.decode()).one("ul", id="id_seat_3_error").text
    person = client.post("/herzclub/bot-matches/", form(people, bots, seat_1=people.players[0].pk))
    assert Page(person.content.decode()).one("ul", id="id_seat_1_error").text
    lonely = client.post("/herzclub/bot-matches/", form(people, bots[:1]))
    assert "Name 2 to 6 players." in lonely.content.decode()
    assert not BotMatch.objects.exists()


def test_who_may(people: People, bots: list[Player], as_user: Clients) -> None:
    as_user(people.scorekeeper).post("/herzclub/bot-matches/", form(people, bots))
    path = f"/herzclub/bot-matches/{BotMatch.objects.get().pk}/"

    assert as_user(people.member).get(path).status_code == 200
    assert as_user(people.member).get("/herzclub/bot-matches/").status_code == 403
    assert as_user(people.stranger).get(path).status_code == 404
    assert as_user(people.stranger).get(path.replace("herz", "pik")).status_code == 404
    assert Client().get(path).status_code == 302
