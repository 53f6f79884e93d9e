"""An import in a real browser, carried out by a real worker."""

import pytest
from playwright.sync_api import Page, expect

from league.models import Session
from tests.exchange.files import bgg_play, bgg_player, bgg_plays
from tests.people import make_people
from tests.product import Product
from tests.web.test_browser import come_in

pytestmark = pytest.mark.one_database


def test_a_file_is_imported_and_the_page_follows(server: Product, page: Page) -> None:
    people = make_people()
    plays = [
        bgg_play(number, [bgg_player("Anne", score=str(31 + number), win="1"), bgg_player("Zoe", score="0")])
        for number in range(1, 40)
    ]
    plays += [
        bgg_play(90, None),
        bgg_play(91, [bgg_player("Ben", score="3", win="1"), bgg_player("Zoe")], game="Skyjo"),
    ]
    come_in(page, people.admin, "/herzclub/manage/")
    page.get_by_role("link", name="Imports").click()
    page.get_by_label("File").set_input_files(
        {"name": "plays.xml", "mimeType": "application/xml", "buffer": bgg_plays(plays)}
    )
    page.get_by_role("button", name="Upload and look").click()
    page.get_by_label("Skyjo").select_option("new-high")
    page.get_by_role("button", name="Look again").click()
    page.get_by_role("button", name="Import 40 plays").click()
    expect(page.locator("#state")).to_have_text("imported")
    assert Session.objects.count() == 40
