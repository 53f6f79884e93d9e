"""Addresses that people pass on lead to the site's own name, whatever name the browser used."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.people import People

SITE = "https://liga.example.org"


def _invitation(browser: Client) -> Any:
    data = {"role": "member", "days": 7, "note": "", "player": ""}
    return browser.post("/herzclub/manage/members/invites/", data, follow=True, secure=True)


def _calendar(browser: Client) -> Any:
    return browser.get("/herzclub/calendar/", secure=True)


def _board(browser: Client) -> Any:
    return browser.get("/herzclub/monday-league/2026/", secure=True)


@pytest.mark.parametrize("page", [_invitation, _calendar, _board])
def test_an_address_to_pass_on_is_the_sites_own(people: People, page: Callable[[Client], Any], settings: Any) -> None:
    settings.SITE_URL = SITE
    browser = Client(headers={"Host": "localhost"})
    browser.force_login(people.owner)
    answer = page(browser)
    assert answer.status_code == 200
    text = answer.content.decode()
    assert f"{SITE}/" in text
    assert "://localhost" not in text
