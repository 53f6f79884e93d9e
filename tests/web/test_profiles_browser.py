"""Pages of players, games and the hall of fame in a real browser: on a phone, without JavaScript, checked by axe."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from league.models import Player, Session
from league.services import figures, results
from tests.people import NOW, People, make_people
from tests.product import Product
from tests.services.given import by_points, record, series
from tests.web.stories import play_three_evenings
from tests.web.test_browser import another, widths

pytestmark = pytest.mark.one_database
# WCAG 2.2 at the levels A and AA, and what axe advises beyond.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


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


def pages(people: People) -> list[str]:
    bot = Player.objects.get(club=people.club, name="Rot")
    running = Session.objects.get(status="open")
    own = (f"players/{people.players[0].pk}/", f"players/{bot.pk}/", "games/xxl-3/", f"sessions/{running.pk}/")
    return [f"/herzclub/{path}" for path in ("", "players/", *own, "games/", "bots/", "hall-of-fame/")]


def come_in(page: Page, server: Product, people: People) -> None:
    """Log in as the member, without the form."""
    client = Client()
    client.force_login(people.member)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": server.url}])


@pytest.mark.parametrize(("scheme", "language"), [("light", "en"), ("dark", "de")])
def test_they_fit_a_phone_and_axe_finds_nothing(
    page: Page, server: Product, club: People, scheme: str, language: str
) -> None:
    phone = another(page, server, viewport={"width": 320, "height": 640}, color_scheme=scheme, locale=language)
    come_in(phone, server, club)
    axe = Axe()
    for path in pages(club):
        phone.goto(path)
        wide, room = widths(phone)
        assert wide <= room, path
        found = axe.run(phone, options={"runOnly": RULES})
        told = [(one["id"], [node["html"] for node in one["nodes"]]) for one in found.response["violations"]]
        assert told == [], path
    phone.context.close()


def test_they_are_whole_without_javascript(page: Page, server: Product, club: People) -> None:
    plain = another(page, server, java_script_enabled=False, locale="en")
    come_in(plain, server, club)
    plain.goto("/herzclub/")
    plain.get_by_role("link", name="Players", exact=True).click()
    plain.get_by_role("row").get_by_role("link", name="Cem").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("Cem")
    expect(plain.get_by_role("img", name="Form")).to_be_visible()
    plain.get_by_text("Numbers: Places of sessions").click()
    plain.get_by_role("link", name="Up and Down").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("Up and Down")
    plain.context.close()
