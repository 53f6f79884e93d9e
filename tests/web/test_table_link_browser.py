"""A table link in a real browser: made by a scorekeeper, opened by a phone that has never been here."""

from playwright.sync_api import Page, expect

from league.models import AuditEvent, Session
from league.services import results
from league.services.evenings import SeatInput, SessionInput
from tests.people import NOW, make_people
from tests.product import Product
from tests.web.test_browser import another, come_in, widths


def test_a_phone_takes_over_without_login_cookie_or_javascript(page: Page, server: Product) -> None:
    people = make_people()
    seats = tuple(SeatInput(player.pk) for player in people.players[:4])
    data = SessionInput(format="pure_xxl", played_on=NOW.date(), players=seats, season=people.season.pk)
    session: Session = results.record(access=people.access(people.owner), data=data, confirm=frozenset(), now=NOW)

    come_in(page, people.scorekeeper, f"/herzclub/sessions/{session.pk}/")
    page.get_by_role("button", name="Hand entry to another phone").click()
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    address = page.locator("#link").inner_text()
    page.emulate_media(color_scheme="dark")
    for place in ("svg path >> nth=0", ".qr-card"):
        colours = page.locator(place).evaluate(
            "it => [getComputedStyle(it).fill, getComputedStyle(it).backgroundColor]"
        )
        assert "rgb(255, 255, 255)" in colours

    phone = another(page, server, viewport={"width": 360, "height": 740}, java_script_enabled=False)
    answer = phone.goto(address)
    assert answer is not None
    assert answer.status == 200
    wide, screen = widths(phone)
    assert wide <= screen
    expect(phone.get_by_role("heading", level=1)).to_have_text("Round 1 of 6")
    for player, points in zip(people.players, (0, 14, 23, 23), strict=False):
        phone.get_by_label(player.name).fill(str(points))
    # A browser that keeps the address from everybody: the form goes out without an origin.
    phone.get_by_role("button", name="Store the round").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Round 2 of 6")
    expect(phone.get_by_role("status")).to_have_text("Round 1 is stored.")
    assert {cookie["name"] for cookie in phone.context.cookies()} <= {"csrftoken", "messages"}
    # Another language, and still at the table.
    phone.get_by_role("button", name="Deutsch").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Runde 2 von 6")
    expect(phone).to_have_url(address)
    assert AuditEvent.objects.filter(action="round.recorded", user=None, token__session=session).count() == 1
    phone.context.close()
