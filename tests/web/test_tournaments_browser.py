"""A tournament in a browser: the clock of a round, and the projector's page that turns by itself."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.services import tournament_rounds
from tests.people import make_people
from tests.product import Product
from tests.services.test_tournaments import SWISS, Club
from tests.web.test_tournaments import CUP

pytestmark = pytest.mark.one_database


def test_the_clock_counts_down_and_the_screen_turns(page: Page, server: Product) -> None:
    """26 players are 13 tables: twelve on the first page, one on the second. A turn takes 15 seconds."""
    club = Club(make_people())
    cup = club.tournament(SWISS, players=26, round_minutes=30)
    club.pair(cup)
    now = timezone.now()
    started = now - timedelta(minutes=29)
    tournament_rounds.set_clock(access=club.access, tournament_id=cup.pk, number=1, runs=True, now=started)
    page.clock.install(time=now)
    page.goto(f"{CUP}screen/")
    clock, tables = page.locator("[data-ends]"), page.locator(".hall-tables li")
    # The page itself takes its time to come.
    expect(clock).to_have_text(re.compile(r"^(1:00|0:\d\d)$"))
    expect(tables).to_have_count(12)
    page.clock.run_for(16_000)
    expect(tables).to_have_count(1)
    expect(page.locator("footer")).to_contain_text("Page 2 of 3")
    page.clock.run_for(60_000)
    expect(clock).to_have_text("time is over")


def test_the_form_shows_at_once_what_applies(page: Page, server: Product) -> None:
    people = make_people()
    client = Client()
    client.force_login(people.scorekeeper)
    login = client.cookies["sessionid"]
    page.context.add_cookies([{"name": login.key, "value": login.value, "url": server.url}])
    page.goto("/herzclub/tournaments/new/?kind=table_swiss")
    shown = {name: page.locator(f"[name={name}]") for name in ("game", "minimum", "table_size", "stage_1_best_of")}
    expect(page.get_by_role("button", name="Show the options of this format")).to_be_hidden()
    expect(shown["game"]).to_be_hidden()
    page.select_option("[name=session_format]", "single_game")
    expect(shown["game"]).to_be_enabled()
    expect(shown["minimum"]).to_be_hidden()
    page.select_option("[name=game]", "the-game")
    expect(shown["minimum"]).to_be_visible()
    page.select_option("[name=stage_1_format]", "single_elimination")
    expect(shown["stage_1_best_of"]).to_be_visible()
    expect(shown["table_size"]).to_be_hidden()
    expect(page.locator("#id_stage_1_format_helptext")).to_have_text("Two at a table; who loses is out.")
