"""Rounds entered at the table, in a real browser: on a phone with touch, offline and back, by two phones, by keyboard.

Points are plausible by docs/rules/xxl.md, "Logged results from physical games"; places and sums by "Scoring a session".
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from playwright.sync_api import BrowserContext, Dialog, Page, Route, expect

from games.catalog import GAMES
from league.models import Round, Session, SessionResult, SessionRevision, SessionStatus
from league.scoring.problems import ScoringError
from league.scoring.rounds import Entry, score_round
from league.services import results, table_links
from league.services.evenings import SeatInput, SessionInput
from league.web import table_entry
from tests.people import NOW, People, make_people
from tests.product import Product, becomes
from tests.way import Way
from tests.web.test_browser import another

pytestmark = pytest.mark.one_database
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "locale": "en"}
STATIC = Path(__file__).parents[2] / "league" / "web" / "static"


def evening(people: People, players: int = 4) -> Session:
    """An open evening of Pure XXL of the first players, without a round yet."""
    seats = tuple(SeatInput(player.pk) for player in people.players[:players])
    data = SessionInput(format="pure_xxl", played_on=NOW.date(), players=seats, season=people.season.pk)
    return results.record(access=people.access(people.owner), data=data, confirm=frozenset(), now=NOW)


def sign_in(page: Page, server: Product | Way, people: People) -> None:
    """Give the browser the scorekeeper's session."""
    client = Client()
    client.force_login(people.scorekeeper)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": server.url}])


@pytest.fixture
def way(server: Product) -> Iterator[Way]:
    """A phone's way to the server."""
    with Way(server.url) as way:
        yield way


def lose_network(phone: Page, way: Way) -> None:
    """Cut the way and tell the browser, as a phone is told."""
    way.cut()
    phone.context.set_offline(True)


def find_network(phone: Page, way: Way) -> None:
    way.mend()
    phone.context.set_offline(False)


def ready(page: Page, kept: str = "offline") -> None:
    """Wait until the page has its queue; `kept` is "offline" where it will open without a network, else "open"."""
    expect(page.locator("#table-entry")).to_have_attribute("data-ready", kept)


def key(page: Page, name: str) -> None:
    page.locator(f".entry-pad [data-key='{name}']").tap()


def tap_in(page: Page, *points: int) -> int:
    """Type a round with the number keys and store it; return the number of taps."""
    taps = 0
    for index, one in enumerate(points):
        for digit in str(one):
            key(page, digit)
            taps += 1
        # Behind a 0 the keys go on by themselves.
        if one != 0 and index < len(points) - 1:
            page.locator(".key.go").tap()
            taps += 1
    expect(page.locator(".key.go")).to_have_text("Store")
    heading = page.locator("#round-title")
    before = re.compile(rf"^\s*{re.escape(heading.inner_text())}\s*$")
    page.locator(".key.go").tap()
    # What is typed before the next round has come, or a question, would belong to this one.
    asked = page.locator(".entry-pad[hidden]")
    expect(asked.or_(heading.filter(has_not_text=before)).first).to_be_attached()
    return taps + 1


def told(page: Page) -> list[list[str]]:
    """The words behind each player's number: place and sum. They follow a tap a moment later."""
    return [line.split() for line in page.locator(".entry-told").all_inner_texts()]


def sent(page: Page, rounds: int) -> None:
    """Wait until the page shows the server's score sheet with so many rounds."""
    expect(page.locator(".entry-net")).to_have_text("Everything is stored")
    expect(page.locator("#entry-sheet [data-row]")).to_have_count(rounds)


def stored() -> list[int]:
    return list(Round.objects.order_by("number").values_list("number", flat=True))


def test_an_evening_on_a_phone_with_and_without_network(page: Page, server: Product, way: Way) -> None:
    people = make_people()
    session = evening(people)
    phone = another(page, server, base_url=way.url, **PHONE)
    mistakes: list[str] = []
    phone.on("pageerror", lambda error: mistakes.append(str(error)))
    sign_in(phone, way, people)
    phone.goto(f"/herzclub/sessions/{session.pk}/enter/")
    ready(phone)
    title, net = phone.get_by_role("heading", level=1), phone.locator(".entry-net")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    expect(phone.locator("#table-entry")).to_have_attribute("data-awake", "yes")
    # All of it is on the screen at once, the large key too.
    expect(phone.locator(".key.go")).to_be_in_viewport(ratio=1)
    expect(phone.get_by_label("Ann", exact=True)).to_have_attribute("inputmode", "none")

    # Places and sums stand there before anything is sent: two third places, shared.
    # Behind the 0 the row has changed by itself: who taps "Next" all the same skips nobody.
    key(phone, "0")
    phone.locator(".key.go").tap()
    for digit in "1", "4":
        key(phone, digit)
    phone.locator(".key.go").tap()
    for digit in "2", "3":
        key(phone, digit)
    phone.locator(".key.go").tap()
    key(phone, "2")
    key(phone, "3")
    becomes(
        lambda: told(phone),
        [
            ["place", "1", "sum", "Σ", "1", "1."],
            ["place", "2", "sum", "Σ", "2", "2."],
            ["place", "3", "=", "shared", "sum", "Σ", "3", "3."],
            ["place", "3", "=", "shared", "sum", "Σ", "3", "3."],
        ],
    )
    assert stored() == []
    phone.locator(".key.go").tap()
    expect(title).to_have_text("Round 2 of 6")
    sent(phone, 1)
    expect(phone.locator("#entry-sheet")).to_contain_text("1. Up and Down")

    # Nobody at 0: asked about before anything is sent; the same tap once more does not confirm it.
    tap_in(phone, 9, 5, 14, 30)
    expect(phone.get_by_text("Nobody has 0 points.")).to_be_in_viewport(ratio=1)
    expect(phone.locator(".key.go")).to_be_hidden()
    assert stored() == [1]
    phone.get_by_role("button", name="Change it").tap()
    phone.get_by_label("Ben", exact=True).tap()
    key(phone, "0")
    phone.locator(".key.go").tap()
    expect(title).to_have_text("Round 3 of 6")
    sent(phone, 2)

    # A mistake that was stored: taken back, and its numbers are there again.
    phone.get_by_role("button", name="Undo round 2").tap()
    expect(title).to_have_text("Round 2 of 6")
    expect(phone.get_by_label("Dora", exact=True)).to_have_value("30")
    assert stored() == [1]
    phone.get_by_label("Dora", exact=True).tap()
    key(phone, "8")
    # 0 of Ben is first, then 8, 9 and 14: Dora is second.
    becomes(lambda: told(phone)[3], ["place", "2", "sum", "Σ", "5", "3."])
    phone.locator(".key.go").tap()
    expect(title).to_have_text("Round 3 of 6")
    sent(phone, 2)

    assert phone.evaluate(_NOT_KEPT) == []

    # Without a network: rounds are kept, count on, and outlast a reload of the page.
    lose_network(phone, way)
    # At most 16 taps for four numbers of up to three digits: at a tap a second the round takes less than 20 seconds.
    assert tap_in(phone, 80, 60, 70, 50) == 12
    expect(net).to_have_text("1 round waits for the network")
    tap_in(phone, 40, 52, 0, 30)
    tap_in(phone, 20, 11, 31, 7)
    expect(net).to_have_text("3 rounds wait for the network")
    phone.reload()
    ready(phone)
    expect(title).to_have_text("Round 6 of 6")
    expect(net).to_have_text("3 rounds wait for the network")
    # Ann 1+3+1+2+3 = 10, Ben 2+1+3+1+2 = 9, Cem 3+4+2+4+4 = 17, Dora 3+2+4+3+1 = 13.
    sums = phone.locator(".entry-name small").all_inner_texts()
    assert sums == ["Σ 10 · 2.", "Σ 9 · 1.", "Σ 17 · 4.", "Σ 13 · 3."]
    # What was not sent yet can be taken back here and now.
    phone.get_by_role("button", name="Undo round 5").tap()
    expect(phone.get_by_label("Cem", exact=True)).to_have_value("31")
    phone.locator(".key.go").tap()
    expect(net).to_have_text("3 rounds wait for the network")
    assert stored() == [1, 2]
    find_network(phone, way)
    sent(phone, 5)
    assert stored() == [1, 2, 3, 4, 5]

    assert tap_in(phone, 130, 110, 120, 100) == 16
    expect(title).to_have_text("All 6 rounds are entered and stored.")
    # Ann 10+1, Ben 9+3, Cem 17+2, Dora 13+4.
    assert [line.split() for line in phone.locator(".entry-final li").all_inner_texts()] == [
        ["1", "Ann", "Σ", "11"],
        ["2", "Ben", "Σ", "12"],
        ["3", "Dora", "Σ", "17"],
        ["4", "Cem", "Σ", "19"],
    ]
    phone.get_by_role("link", name="Score sheet", exact=True).click()
    expect(title).to_contain_text("Score sheet of")
    session.refresh_from_db()
    assert session.status == SessionStatus.COMPLETE
    assert list(SessionResult.objects.order_by("place").values_list("player__name", "place_sum")) == [
        ("Ann", 11),
        ("Ben", 12),
        ("Dora", 17),
        ("Cem", 19),
    ]
    assert mistakes == []
    phone.context.close()


# Addresses of scripts and sheets of the page that would be missing without a network.
_NOT_KEPT = """
async () => {
  const wanted = [...document.querySelectorAll("script[src], link[rel~=icon], link[rel=stylesheet]")];
  const addresses = wanted.map((one) => one.src || one.href);
  const found = await Promise.all(addresses.map(async (one) => [one, await caches.match(one)]));
  return found.filter(([, kept]) => !kept).map(([address]) => address);
}
"""


class PlainHttp:
    """A club's network without TLS: `http://liga.test`, answered by the running product, and at times out of reach."""

    def __init__(self, context: BrowserContext, server: Product) -> None:
        self.server = server
        self.away = False
        context.route("http://liga.test/**", self._answer)

    def _answer(self, route: Route) -> None:
        if self.away:
            route.abort("internetdisconnected")
            return
        request = route.request
        headers = {name: value for name, value in request.headers.items() if name != "host"}
        url = request.url.replace("http://liga.test", self.server.url)
        route.fulfill(response=route.fetch(url=url, headers=headers, max_redirects=0))


def test_two_phones_enter_the_same_round_one_of_them_over_plain_http(page: Page, server: Product) -> None:
    people = make_people()
    session = evening(people)
    _link, raw = table_links.create(access=people.access(people.scorekeeper), session_id=session.pk, now=timezone.now())
    keeper = another(page, server, **PHONE)
    sign_in(keeper, server, people)
    keeper.goto(f"/herzclub/sessions/{session.pk}/enter/")
    ready(keeper)
    guest = another(page, server, **PHONE)
    club = PlainHttp(guest.context, server)
    guest.goto(f"http://liga.test/table/{raw}/")
    assert not guest.evaluate("isSecureContext")
    ready(guest, "open")
    net = guest.locator(".entry-net")

    # Out of reach of the server: kept, and said that the page has to stay open.
    club.away = True
    tap_in(guest, 14, 0, 23, 23)
    tap_in(guest, 9, 0, 14, 30)
    tap_in(guest, 80, 60, 70, 50)
    expect(net).to_contain_text("3 rounds wait for the network")
    expect(net).to_contain_text("Keep this page open until they are sent")
    tap_in(keeper, 0, 14, 23, 23)
    tap_in(keeper, 9, 0, 14, 30)
    tap_in(keeper, 80, 60, 50, 70)
    sent(keeper, 3)

    club.away = False
    guest.evaluate("dispatchEvent(new Event('online'))")
    panel = guest.get_by_role("alert")
    expect(panel.get_by_role("heading")).to_have_text("Round 1 was entered on two phones")
    # The sheet below the question has what the other phone entered.
    expect(guest.locator("#entry-sheet [data-row]")).to_have_count(3)
    # Both versions, and what differs is marked.
    cells = panel.get_by_role("row").filter(has_text="≠")
    assert [line.split() for line in cells.all_inner_texts()] == [
        ["Ann", "0", "·", "1.", "≠", "14", "·", "2."],
        ["Ben", "14", "·", "2.", "≠", "0", "·", "1."],
    ]
    panel.get_by_role("button", name="Correct to mine").tap()
    # Round 2 is the same on both and needs nobody; of round 3 the other version stays.
    expect(panel.get_by_role("heading")).to_have_text("Round 3 was entered on two phones")
    panel.get_by_role("button", name="Keep theirs").tap()
    expect(guest.get_by_role("heading", level=1)).to_have_text("Round 4 of 6")
    sent(guest, 3)

    points = [[score.points for score in one.scores.order_by("player")] for one in Round.objects.order_by("number")]
    assert points == [[14, 0, 23, 23], [9, 0, 14, 30], [80, 60, 50, 70]]
    corrected = SessionRevision.objects.get(session=session, kind="corrected")
    assert corrected.token is not None
    # The other phone hears of it when it is looked at next.
    keeper.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(keeper.locator("#entry-sheet tbody").first).to_contain_text("14")
    # Whatever is still on its way through our detour is nothing to wait for.
    guest.context.unroute_all(behavior="ignoreErrors")
    keeper.context.close()
    guest.context.close()


def test_by_keyboard_alone_and_in_german(page: Page, server: Product) -> None:
    people = make_people()
    session = evening(people, players=2)
    desk = another(page, server, locale="de")
    sign_in(desk, server, people)
    desk.goto(f"/herzclub/sessions/{session.pk}/enter/")
    ready(desk)
    expect(desk.get_by_role("heading", level=1)).to_have_text("Runde 1 von 6")
    expect(desk.get_by_label("Ann", exact=True)).to_be_focused()

    desk.keyboard.type("5")
    desk.keyboard.press("Enter")
    expect(desk.get_by_label("Ben", exact=True)).to_be_focused()
    desk.keyboard.type("31")
    desk.keyboard.press("Enter")
    # The question is focused, not its answer: a second Enter confirms nothing.
    expect(desk.locator(".entry-said")).to_be_focused()
    expect(desk.locator(".entry-said")).to_contain_text("Niemand hat 0 Punkte.")
    desk.keyboard.press("Enter")
    assert stored() == []
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Runde 2 von 6")
    expect(desk.get_by_label("Ann", exact=True)).to_be_focused()
    desk.keyboard.press("ArrowDown")
    expect(desk.get_by_label("Ben", exact=True)).to_be_focused()
    # Letters are no number: said, and nothing goes on.
    desk.keyboard.type("x")
    desk.keyboard.press("Enter")
    expect(desk.get_by_label("Ben", exact=True)).to_be_focused()
    expect(desk.get_by_label("Ben", exact=True)).to_have_attribute("aria-invalid", "true")
    expect(desk.locator("#entry-sheet [data-row]")).to_have_count(1)
    expect(desk.locator("#entry-sheet")).to_contain_text("1. Rauf & Runter")
    assert Round.objects.get().confirmed == ["nobody_at_zero"]
    desk.context.close()


def test_one_row_for_the_whole_table_and_one_tap_for_a_place(page: Page, server: Product) -> None:
    people = make_people()
    seats = tuple(SeatInput(player.pk) for player in people.players[:3])
    access = people.access(people.owner)
    together, places = (
        results.record(
            access=access,
            data=SessionInput(kind, NOW.date(), seats, planned_rounds=planned),
            confirm={"possible_duplicate"},
            now=NOW,
        )
        for kind, planned in (("single_game", None), ("individual_xxl", 3))
    )
    phone = another(page, server, **PHONE)
    sign_in(phone, server, people)
    phone.goto(f"/herzclub/sessions/{together.pk}/enter/")
    ready(phone)
    phone.get_by_label("Game", exact=True).select_option("The Game")
    expect(phone.locator(".entry-seats li")).to_have_count(1)
    expect(phone.get_by_label("Cards left", exact=True)).to_be_focused()
    assert tap_in(phone, 12) == 3
    expect(phone.get_by_role("heading", level=1)).to_have_text("Round 1 of 1 is entered and stored.")
    assert list(Round.objects.get().scores.values_list("points", "place")) == [(12, None)] * 3

    phone.goto(f"/herzclub/sessions/{places.pk}/enter/")
    ready(phone)
    phone.get_by_role("button", name="places").tap()
    for place in "1", "2", "3":
        key(phone, place)
    # No competition ranking: 1, 2, 2 would be.
    phone.get_by_label("Cem", exact=True).tap()
    key(phone, "4")
    expect(phone.get_by_text("Place 4 can't be")).to_be_visible()
    phone.locator(".key.go").tap()
    key(phone, "2")
    phone.locator(".key.go").tap()
    sent(phone, 1)
    # Whoever notes places does so all evening.
    expect(phone.get_by_role("button", name="places")).to_have_attribute("aria-pressed", "true")
    assert list(Round.objects.get(session=places).scores.order_by("pk").values_list("points", "place")) == [
        (None, 1),
        (None, 2),
        (None, 2),
    ]
    phone.context.close()


def test_a_login_that_ends_keeps_the_rounds_and_logging_out_drops_the_page(
    page: Page, server: Product, way: Way
) -> None:
    people = make_people()
    session = evening(people, players=2)
    address = f"/herzclub/sessions/{session.pk}/enter/"
    phone = another(page, server, base_url=way.url, **PHONE)
    sign_in(phone, way, people)
    phone.goto(address)
    ready(phone)
    login = next(one for one in phone.context.cookies() if one["name"] == "sessionid")
    phone.context.clear_cookies(name="sessionid")
    tap_in(phone, 0, 31)
    net = phone.locator(".entry-net")
    expect(net).to_contain_text("You are logged out.")
    assert stored() == []
    phone.context.add_cookies([{"name": "sessionid", "value": login["value"], "url": way.url}])
    phone.goto(address)
    ready(phone)
    sent(phone, 1)
    assert stored() == [1]

    lose_network(phone, way)
    tap_in(phone, 9, 0)
    questions: list[str] = []

    def stay(dialog: Dialog) -> None:
        questions.append(dialog.message)
        dialog.dismiss()

    phone.once("dialog", stay)
    with phone.expect_event("dialog"):
        phone.get_by_role("button", name="Log out").tap()
    assert "1 round has not been sent yet." in questions[0]
    find_network(phone, way)
    sent(phone, 2)
    assert phone.evaluate("caches.keys().then((names) => names.length)") == 1
    phone.get_by_role("button", name="Log out").tap()
    expect(phone.get_by_role("link", name="Log in")).to_be_visible()
    assert phone.evaluate("caches.keys()") == []
    assert phone.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0

    # Nor does somebody else read it who tries to log in after a login that ended by itself.
    sign_in(phone, way, people)
    phone.goto(address)
    ready(phone)
    assert phone.evaluate("caches.keys().then((names) => names.length)") == 1
    phone.context.clear_cookies(name="sessionid")
    phone.goto("/login/")
    phone.get_by_label("User name").fill("stranger")
    phone.get_by_label("Password").fill("not the stranger's")
    phone.get_by_role("button", name="Log in").tap()
    expect(phone.get_by_role("alert")).to_be_visible()
    assert phone.evaluate("caches.keys()") == []
    phone.context.close()


def _cases() -> list[tuple[str, str, str, list[int]]]:
    """Rounds of every game at every table: game, note, kind, numbers; some plausible, some odd, some impossible."""
    chance = random.Random(20)
    cases = []
    for name, game in GAMES.items():
        for note in ("", *game.notes):
            for players in range(max(1, game.min_players - 1), game.max_players + 2):
                for highest in (4, 40, 130, 700):
                    numbers = [chance.randint(-1 if highest == 4 else 0, highest) for _player in range(players)]
                    if game.cooperative:
                        # The Game has 98 cards, of which four can always be played: docs/rules/the-game.md, "Result".
                        numbers = [chance.choice([0, 12, 94, 95, 98, 99])] * players
                    cases.append((name, note, "points", numbers))
                if not game.cooperative:
                    cases += [
                        (name, note, "place", [chance.randint(1, players) for _player in range(players)])
                        for _time in range(3)
                    ]
    return cases


def test_the_script_judges_as_the_server_does(page: Page) -> None:
    page.add_script_tag(path=STATIC / "entry-rules.js")
    cases = _cases()
    tables = range(1, 8)
    games = {name: table_entry.game_facts(game, tables) for name, game in GAMES.items()}
    answers: list[Any] = page.evaluate(
        "([games, cases]) => cases.map(([name, ...given]) => tischliga.judge(games[name], ...given))",
        [games, cases],
    )

    assert len(cases) > 300
    odd = set()
    for (name, note, kind, numbers), answer in zip(cases, answers, strict=True):
        entries = [Entry(points=one) if kind == "points" else Entry(place=one) for one in numbers]
        try:
            result = score_round(GAMES[name], entries, note=note)
        except ScoringError as error:
            expected = sorted((one.code, one.index, dict(one.params)) for one in error.problems)
            found = sorted((one["code"], one["index"], one["params"]) for one in answer["errors"])
            assert [one[:2] for one in found] == [one[:2] for one in expected], (name, note, kind, numbers)
            assert found == expected
        else:
            assert answer["errors"] == []
            assert answer["places"] == list(result.places)
            expected = [(one.code, one.index, dict(one.params)) for one in result.warnings]
            assert [(one["code"], one["index"], one["params"]) for one in answer["warnings"]] == expected
            odd |= {one.code for one in result.warnings}
    # The cases reach every warning that a round's numbers can give.
    assert odd >= {"nobody_at_zero", "several_at_zero", "together_implausible", "below_cheapest", "too_many_left"}
