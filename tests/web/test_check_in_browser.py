"""The check-in of a tournament on a phone at the door, with taps and by keyboard alone."""

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize, expect

from league.models import EntryStatus, Player, TournamentEntry, name_key
from league.services import tournament_entries, tournaments
from league.services.tournament_entries import EntryInput
from league.services.tournament_formats import StageInput
from tests.people import make_people
from tests.product import Product
from tests.web.test_accessibility import come_in

pytestmark = pytest.mark.one_database
FINGER = 48  # pixels of the screen: what a thumb hits without looking closely (Material Design, touch targets)


def test_who_comes_in_is_tapped(page: Page, server: Product) -> None:
    people, now = make_people(), timezone.now()
    access = people.access(people.scorekeeper)
    names = [f"Player {number:02}" for number in range(40)]
    Player.objects.bulk_create(Player(club=people.club, name=name, name_key=name_key(name)) for name in names)
    fields: dict[str, Any] = {"name": "Cup", "slug": "cup", "starts_on": now.date(), "session_format": "pure_xxl"}
    stage = StageInput("table_swiss", {"rounds": 3})
    cup = tournaments.create(access=access, fields=fields, stages=[stage], now=now)
    entries = [EntryInput(player=name) for name in names]
    tournament_entries.enter(access=access, tournament_id=cup.pk, entries=entries, now=now)
    page.set_viewport_size(ViewportSize(width=390, height=760))
    come_in(page, server, people.scorekeeper)
    page.goto("/herzclub/tournaments/cup/manage/entries/check-in/")

    def button(number: int) -> Any:
        return page.get_by_role("button", name=f"Player {number:02}")

    box = button(30).bounding_box()
    assert box["height"] >= FINGER and box["width"] > 300
    button(30).click()
    expect(button(30)).to_have_attribute("aria-pressed", "true")
    # The list stands where it was, ready for the next in the queue.
    expect(button(30)).to_be_in_viewport()
    expect(button(31)).to_be_in_viewport()

    # By keyboard: on from there to the next one.
    button(31).focus()
    page.keyboard.press("Enter")
    expect(button(31)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#counted")).to_contain_text("2")
    button(30).click()
    expect(button(30)).to_have_attribute("aria-pressed", "false")
    here = TournamentEntry.objects.filter(tournament=cup, status=EntryStatus.CHECKED_IN)
    assert list(here.values_list("player__name", flat=True)) == ["Player 31"]
