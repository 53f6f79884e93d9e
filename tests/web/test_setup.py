"""The set-up of the first owner, and the start page around it."""

import pytest
from django.test import Client

from league.models import Club, Member, Role, Season, User
from league.services.setup import setup_code
from tests.people import People
from tests.web.page import Page

pytestmark = pytest.mark.django_db

FORM = {
    "username": "dora",
    "password": "queen-of-spades-7",
    "club_name": "Herz & Zehn",
    "club_slug": "herz-zehn",
    "league_name": "Monday League",
    "season_name": "2026/27",
}


def test_one_form_makes_owner_club_league_and_season(client: Client) -> None:
    path = f"/setup/{setup_code()}/"
    assert client.get(path).status_code == 200

    answer = client.post(path, FORM)

    assert answer["Location"] == "/herz-zehn/manage/"
    assert Member.objects.get(club__slug="herz-zehn").role == Role.OWNER
    season = Season.objects.select_related("league").get()
    assert (season.league.name, season.name) == ("Monday League", "2026/27")
    # Logged in already, and told what comes next.
    page = Page(client.get("/herz-zehn/manage/").content.decode())
    assert "Add the players" in page.text
    assert client.get(f"/herz-zehn/{season.league.slug}/{season.slug}/").status_code == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [("password", "short"), ("username", "a b"), ("club_name", ""), ("club_slug", "Admin"), ("club_slug", "admin")],
)
def test_a_mistake_is_told_at_its_field(client: Client, field: str, value: str) -> None:
    answer = client.post(f"/setup/{setup_code()}/", {**FORM, field: value})

    page = Page(answer.content.decode())
    assert page.one("ul", id=f"id_{field}_error").text
    assert "value" not in page.one("input", name="password").attributes
    assert not User.objects.exists()
    assert not Club.objects.exists()


def test_a_wrong_code_is_404(client: Client) -> None:
    assert client.get("/setup/guessed/").status_code == 404
    assert client.post("/setup/guessed/", FORM).status_code == 404
    assert client.get("/setup/ümlaut/").status_code == 404


def test_is_closed_once_there_is_a_user(people: People, client: Client) -> None:
    assert client.get(f"/setup/{setup_code()}/").status_code == 404
    assert client.post(f"/setup/{setup_code()}/", FORM).status_code == 404


def test_an_empty_installation_says_how_to_begin(client: Client) -> None:
    page = Page(client.get("/").content.decode())

    assert "Open the set-up link that the server printed" in page.text
    assert setup_code() not in client.get("/").content.decode()


def test_the_start_page_lists_public_seasons_and_my_clubs(people: People, client: Client) -> None:
    text = Page(client.get("/").content.decode()).text
    assert "Herzclub" in text
    assert "Pikclub" in text

    Season.objects.update(visibility="members")
    assert "Herzclub" not in Page(client.get("/").content.decode()).text
    client.force_login(people.stranger)
    text = Page(client.get("/").content.decode()).text
    assert "Pikclub" in text
    assert "Herzclub" not in text
