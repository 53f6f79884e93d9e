"""A correction by keyboard, on a phone, without JavaScript."""

import pytest
from playwright.sync_api import Page, expect

from league.models import Session, SessionResult
from tests.people import People, make_people
from tests.product import Product
from tests.web.stories import play_three_evenings
from tests.web.test_browser import another, come_in, widths


@pytest.fixture
def club(server: Product) -> People:
    """Club A with the three worked evenings, there for the running product."""
    people = make_people()
    play_three_evenings(people)
    return people


def test_a_round_is_corrected_by_keyboard_on_a_phone(page: Page, server: Product, club: People) -> None:
    session = Session.objects.earliest("pk")
    plain = another(page, server, java_script_enabled=False, viewport={"width": 390, "height": 740})
    come_in(plain, club.scorekeeper, f"/herzclub/sessions/{session.pk}/")
    plain.get_by_role("link", name="Correct round 6").press("Enter")
    expect(plain.get_by_role("spinbutton", name="Ann")).to_be_focused()
    plain.get_by_role("spinbutton", name="Ann").fill("141")
    plain.get_by_role("spinbutton", name="Ben").fill("120")

    # Enter asks what would move, and stores nothing.
    plain.get_by_role("spinbutton", name="Ben").press("Enter")

    expect(plain.get_by_role("heading", name="What would move")).to_be_focused()
    expect(plain.get_by_role("row", name="Ann").first).to_contain_text("14 → becomes 12")
    plain.wait_for_load_state()
    assert widths(plain) == (390, 390)
    assert Session.objects.get(pk=session.pk).revision == 1
    plain.get_by_label("Reason").fill("The columns were exchanged.")
    plain.get_by_role("button", name="Store the correction").last.press("Enter")
    expect(plain.get_by_text("Round 6 is corrected.")).to_be_visible()
    # 14 - 3 + 1, as tests/data/evenings/four-players.worked.md has Ann's places.
    assert SessionResult.objects.get(session=session, player__name="Ann").place_sum == 12
    plain.context.close()
