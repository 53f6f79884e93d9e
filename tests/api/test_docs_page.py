"""The browsable description in a real browser: drawn by our own files alone, under the strict content policy."""

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client

from tests.people import People

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.product import Product

pytestmark = pytest.mark.one_database


@pytest.fixture(autouse=True)
def present() -> None:
    """The product is a process of its own and lives by the real clock."""


def test_the_page_shows_the_api_and_tries_it_out(page: "Page", server: "Product", people: People) -> None:
    """With a login session, so that the page's CSRF token is put to the test as well."""
    client = Client()
    client.force_login(people.scorekeeper)
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server.url}])
    complaints: list[str] = []
    addresses: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: addresses.append(request.url))
    page.goto("/api/v1/docs/")
    # The last of all: every part of the API has its place, also where there are many.
    page.locator("#operations-tag-webhooks").wait_for()
    page.locator("#operations-tag-players").click()
    operation = page.locator("#operations-players-create_player")
    operation.click()
    operation.get_by_role("button", name="Try it out").click()
    operation.locator("input[placeholder=club]").fill("herzclub")
    operation.locator("textarea").fill('{"name": "Gus"}')
    operation.get_by_role("button", name="Execute").click()
    operation.locator(".live-responses-table .response-col_status", has_text="201").wait_for()
    assert complaints == []
    assert all(address.startswith((server.url, "data:")) for address in addresses), addresses
