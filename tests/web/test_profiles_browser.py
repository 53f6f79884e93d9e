"""Pages of players, games and the hall of fame in a real browser, without JavaScript; axe judges them elsewhere."""

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from league.models import Player
from league.services import figures, results
from tests.people import NOW, People, make_people
from tests.product import Product
from tests.services.given import by_points, record, series
from tests.web.stories import play_three_evenings
from tests.web.test_browser import another

pytestmark = pytest.mark.one_database


@pytest.fixture
def club(server: Product) -> People:
    """Club A with the three worked evenings, a table of bots and one that plays just now; figures have followed."""
    people = make_people()
    play_three_evenings(people)
    for name in ("Rot", "Blau"):
        Player.objects.create(club=people.club, name=name, kind="bot", bot="random")
    record(people, series({"Rot": 1, "Blau": 2}, season=None))
    running = record(people, series({"Ann": 2, "Ben": 1, "Cem": 3}, planned=6, status="open"))
    round_ = by_points("xxl-3", {"Ann": 40, "Ben": 10, "Cem": 30})
    by = people.access(people.scorekeeper)
    results.record_round(access=by, session_id=running.pk, data=round_, confirm=frozenset(), now=NOW)
    Player.objects.filter(club=people.club, name="Ann").update(
        name="Annegret-Wilhelmine Freifrau von Hohenlangenburgstein zu Xy"
    )
    Player.objects.filter(club=people.club, name="Ben").update(name="B" * 60)
    assert figures.refresh_figures(club_id=people.club.pk)
    return people


def come_in(page: Page, server: Product, people: People) -> None:
    """Log in as the member, without the form."""
    client = Client()
    client.force_login(people.member)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": server.url}])


def test_they_are_whole_without_javascript(page: Page, server: Product, club: People) -> None:
    plain = another(page, server, java_script_enabled=False, locale="en")
    come_in(plain, server, club)
    plain.goto("/herzclub/")
    plain.get_by_role("link", name="Players", exact=True).click()
    plain.wait_for_url("**/herzclub/players/")
    plain.get_by_role("row").get_by_role("link", name="Cem").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("Cem")
    expect(plain.get_by_role("img", name="Form")).to_be_visible()
    plain.get_by_text("Numbers: Places of sessions").click()
    plain.get_by_role("link", name="Up and Down").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("Up and Down")
    plain.context.close()
