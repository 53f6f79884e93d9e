"""A tournament in a browser: the clock of a round, and the projector's page that turns by itself."""

import re
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.models import Player, name_key
from league.services import tournament_rounds
from league.services.tournament_formats import StageInput
from tests.people import make_people
from tests.product import Product
from tests.services.test_tournaments import SWISS, Club
from tests.web.conftest import BOARD
from tests.web.stories import play_three_evenings
from tests.web.test_shared_boards import fill
from tests.web.test_tournaments import CUP

pytestmark = pytest.mark.one_database


def stand_still(page: Page, now: datetime) -> None:
    """The page's clock moves by `run_for` alone: a turn that came by itself meanwhile would be missed."""
    page.clock.install(time=now)
    page.clock.pause_at(now + timedelta(seconds=1))


def test_the_clock_counts_down_and_the_screen_turns(page: Page, server: Product) -> None:
    """26 players are 13 tables: twelve on the first page, one on the second. A turn takes 15 seconds."""
    club = Club(make_people())
    cup = club.tournament(SWISS, players=26, round_minutes=30)
    club.pair(cup)
    now = timezone.now()
    started = now - timedelta(minutes=29)
    tournament_rounds.set_clock(access=club.access, tournament_id=cup.pk, number=1, runs=True, now=started)
    stand_still(page, now)
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


def turned(page: Page, selector: str, seconds: int) -> set[str]:
    """The visible texts of `selector` in all turns of a screen until it begins anew; nothing is cut off in any."""
    found: set[str] = set()
    told = page.locator("footer span").first
    start = told.inner_text()
    while True:
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        # Nor behind the edge of the box that it stands in.
        cut = "all => all.filter(one => one.scrollHeight > one.clientHeight + 1).map(one => one.className)"
        assert page.locator("main, .columns, [data-rows]:visible").evaluate_all(cut) == []
        found |= {" ".join(text.split()) for text in page.locator(selector).all_inner_texts()}
        before = told.inner_text()
        page.clock.run_for(seconds * 1000 + 100)
        expect(told).not_to_have_text(before)
        if told.inner_text() == start:
            return found


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (360, 800)])
def test_a_screen_turns_through_what_does_not_fit(page: Page, server: Product, width: int, height: int) -> None:
    """Names of 60 characters, four at a table, an announcement of 300: nothing below the edge, nobody left out."""
    club = Club(make_people())
    said = " ".join(["soup"] * 60)
    stage = StageInput("table_swiss", {"rounds": 2})
    cup = club.tournament(stage, players=28, table_size=4, round_minutes=30, announcement=said, name="Cup " * 25)
    club.pair(cup)
    now = timezone.now()
    tournament_rounds.set_clock(access=club.access, tournament_id=cup.pk, number=1, runs=True, now=now)
    names = [f"Name {number:02} Hohenzollern-Sigmaringen zu Konstantinopel am Rhein" for number in range(28)]
    for player, name in zip(Player.objects.filter(name__startswith="P").order_by("name"), names, strict=True):
        Player.objects.filter(pk=player.pk).update(name=name, name_key=name_key(name))
    stand_still(page, now)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{CUP}screen/")
    found = turned(page, ".hall-tables li:visible > b, tbody th:visible", seconds=15)
    assert found == {f"Table {number}" for number in range(1, 8)} | set(names)


def test_the_season_on_a_television_turns_through_what_does_not_fit(page: Page, server: Product) -> None:
    """Three evenings of six players, and 17 more with names of 59 characters."""
    people = make_people()
    (session, *_rest) = play_three_evenings(people)
    fill(people, session, 17)
    names = {f"Name {number:02} Hohenzollern-Sigmaringen zu Konstantinopel am Rhein" for number in range(17)}
    for player, name in zip(Player.objects.filter(name__startswith="Player "), sorted(names), strict=True):
        Player.objects.filter(pk=player.pk).update(name=name, name_key=name_key(name))
    stand_still(page, timezone.now())
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{BOARD}tv/")
    found = turned(page, "tbody th:visible, .beside li:visible b", seconds=20)
    assert found >= names | {player.name for player in people.players}


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
