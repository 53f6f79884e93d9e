"""The pages in a real browser: with and without JavaScript, on a phone, by keyboard."""

from datetime import date
from email.utils import parsedate_to_datetime

import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.test import Client
from playwright.sync_api import BrowserContext, Page, Response, expect

from league.models import Player, Session, User
from league.services import results
from league.services.results import RoundInput, ScoreInput, SeatInput, SessionInput
from league.services.setup import setup_code
from tests.browser import PATIENCE
from tests.people import NOW, PASSWORD, People, make_people
from tests.product import Product
from tests.web.conftest import BOARD
from tests.web.stories import play_three_evenings

pytestmark = pytest.mark.one_database
POLL = 15_000
START = 1_000_000_000_000


@pytest.fixture
def club(server: Product) -> People:
    """Club A with the three worked evenings, there for the running product."""
    people = make_people()
    play_three_evenings(people)
    return people


def another(page: Page, server: Product, **options: object) -> Page:
    """A page of a second profile. `base_url` among the options leads there by another way."""
    browser = page.context.browser
    assert browser is not None
    context: BrowserContext = browser.new_context(**{"base_url": server.url, **options})  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    return context.new_page()


def come_in(page: Page, user: User, then: str) -> None:
    """Go there with a session of this user, as after the form, whose password costs a second."""
    client = Client()
    client.force_login(user)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "domain": "127.0.0.1", "path": "/"}])
    page.goto(then)
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


def log_in(page: Page, user: User, then: str) -> None:
    # Anew with the product's own hasher: it does not know the quick one of the tests' settings.
    User.objects.filter(pk=user.pk).update(password=PBKDF2PasswordHasher().encode(PASSWORD, "salt-of-the-earth"))
    page.goto(f"/login/?next={then}")
    page.get_by_label("User name").fill(user.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


def win_for_ann(people: People) -> None:
    ann, ben = people.players[:2]
    data = SessionInput(
        format="single_game",
        played_on=date(2026, 11, 20),
        season=people.season.pk,
        players=(SeatInput(ann.pk), SeatInput(ben.pk)),
        rounds=(RoundInput("xxl-6", (ScoreInput(ann.pk, points=130), ScoreInput(ben.pk, points=100))),),
        status="complete",
    )
    results.record(access=people.access(people.scorekeeper), data=data, confirm=(), now=NOW)


def widths(page: Page) -> tuple[int, int]:
    return (
        page.evaluate("document.documentElement.scrollWidth"),
        page.evaluate("document.documentElement.clientWidth"),
    )


def test_leaderboard_is_whole_without_javascript(page: Page, server: Product, club: People) -> None:
    plain = another(page, server, java_script_enabled=False)
    plain.goto(BOARD)

    expect(plain.get_by_role("heading", level=1)).to_have_text("Monday League 2026")
    expect(plain.get_by_role("row")).to_have_count(7)
    expect(plain.get_by_role("row").nth(1)).to_contain_text("Ben")
    # The last link of a line leads to the last session, the others to why it stands there.
    plain.get_by_role("row").nth(1).get_by_role("link").last.click()
    expect(plain.get_by_role("heading", level=1)).to_contain_text("Score sheet")
    expect(plain.get_by_text("12. I Decide the Colour!")).to_be_visible()
    plain.get_by_role("link", name="← Leaderboard Monday League 2026").click()
    expect(plain.get_by_role("row")).to_have_count(7)
    plain.context.close()


def stand_still(page: Page) -> None:
    """Stop the page's clock: it moves by `run_for` alone, however long the machine takes for the rest."""
    page.clock.install(time=START)
    page.clock.pause_at(START + 1000)


def test_leaderboard_refreshes_by_itself(page: Page, club: People) -> None:
    answers: list[Response] = []
    mistakes: list[str] = []
    page.on("response", lambda answer: answers.append(answer) if answer.url.endswith(BOARD) else None)
    page.on("console", lambda message: mistakes.append(message.text) if message.type == "error" else None)
    stand_still(page)
    page.goto(BOARD)
    link = page.locator("table a:visible").nth(1)
    link.focus()
    focused = link.get_attribute("id")
    assert focused
    expect(page.get_by_role("row").nth(2)).to_contain_text("Ann")

    with page.expect_response(f"**{BOARD}") as unchanged:
        page.clock.run_for(POLL)
    assert unchanged.value.status == 304
    # The next question is planned once the answer has been taken in, which is seen by its time.
    told = parsedate_to_datetime(unchanged.value.headers["date"])
    expect(page.locator("[data-as-of]")).to_have_attribute("datetime", f"{told:%Y-%m-%dT%H:%M:%S}.000Z")
    win_for_ann(club)
    with page.expect_response(f"**{BOARD}") as changed:
        page.clock.run_for(POLL)
    assert changed.value.status == 200

    # Ann now has 8 over 4 evenings, Ben 6 over 4.
    row = page.get_by_role("row", name="Ann")
    expect(row).to_contain_text("2.00")
    expect(row).to_contain_text("20 Nov 2026")
    page.clock.run_for(1_000)
    expect(page.locator("#live-said")).to_have_text("The leaderboard has changed.")
    assert page.evaluate("document.activeElement.id") == focused
    with page.expect_response(f"**{BOARD}") as again:
        page.clock.run_for(POLL)
    assert again.value.status == 304
    assert [answer.status for answer in answers] == [200, 304, 200, 304]
    assert mistakes == []


def test_a_hidden_page_does_not_ask(page: Page, club: People) -> None:
    asked: list[str] = []
    stand_still(page)
    page.goto(BOARD, wait_until="networkidle")
    page.on("request", lambda request: asked.append(request.url))
    hide = "Object.defineProperty(document, 'hidden', {value: %s, configurable: true});"
    tell = "document.dispatchEvent(new Event('visibilitychange'))"

    page.evaluate(hide % "true" + tell)
    page.clock.run_for(10 * POLL)
    assert asked == []
    with page.expect_response(f"**{BOARD}"):
        page.evaluate(hide % "false" + tell)


def test_nothing_is_wider_than_a_phone(page: Page, server: Product, club: People) -> None:
    Player.objects.filter(club=club.club, name="Ann").update(
        name="Annegret-Wilhelmine Freifrau von Hohenlangenburgstein zu Xy"
    )
    Player.objects.filter(club=club.club, name="Ben").update(name="B" * 60)
    sheets = [f"/herzclub/sessions/{pk}/" for pk in Session.objects.values_list("pk", flat=True)]

    # Colours take no room, so each language has one scheme; every page is tried by tests/web/test_accessibility.py.
    for language, scheme in (("en", "light"), ("de", "dark")):
        phone = another(page, server, viewport={"width": 320, "height": 640}, color_scheme=scheme, locale=language)
        for path in ("/", "/herzclub/", BOARD, *sheets, "/herzclub/sessions/", "/login/", "/nothing/here/"):
            phone.goto(path)
            wide, room = widths(phone)
            assert wide <= room, (path, language, scheme)
        phone.context.close()


def test_pages_to_write_in_fit_a_phone(page: Page, club: People) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    come_in(page, club.owner, "/herzclub/manage/")
    manage = [f"/herzclub/manage/{path}/" for path in ("players", "leagues", "members", "tokens")]

    for path in (
        "/herzclub/manage/",
        *manage,
        "/herzclub/sessions/new/",
        "/herzclub/bot-matches/",
        "/herzclub/bot-matches/new/",
    ):
        page.goto(path)
        wide, room = widths(page)
        assert wide <= room, path


def test_set_up_by_keyboard(page: Page, server: Product) -> None:
    page.goto(f"/setup/{setup_code()}/")
    page.get_by_label("User name").focus()

    for text in ("dora", "queen-of-spades-7", "Herz und Zehn", "herz-und-zehn", "Monday League", "2026"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    page.wait_for_url("**/herz-und-zehn/manage/")
    expect(page.get_by_role("heading", name="Next steps")).to_be_visible()
    page.get_by_role("link", name="Add the players").press("Enter")
    page.wait_for_url("**/herz-und-zehn/manage/players/")
    page.get_by_label("Name", exact=True).fill("Ann")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Ann was added.")).to_be_visible()


def test_an_evening_entered_round_by_round(page: Page, server: Product, club: People) -> None:
    plain = another(page, server, java_script_enabled=False, viewport={"width": 390, "height": 800})
    log_in(plain, club.scorekeeper, BOARD)
    plain.get_by_role("link", name="Enter a session").click()
    for seat, name in enumerate(("Dora", "Eva", "Finn"), 1):
        plain.get_by_label(f"Seat {seat}").fill(name)
    plain.get_by_label("Played on").fill("2026-11-20")
    plain.get_by_role("button", name="Open the session").click()

    # Plausible at a table of three: docs/rules/xxl.md, "Logged results from physical games".
    rounds = [(0, 12, 30), (9, 0, 14), (80, 60, 70), (40, 52, 0), (20, 11, 31), (130, 110, 120)]
    for number, points in enumerate(rounds, 1):
        expect(plain.get_by_role("heading", level=1)).to_have_text(f"Round {number} of 6")
        for name, one in zip(("Dora", "Eva", "Finn"), points, strict=True):
            plain.get_by_label(name, exact=True).fill(str(one))
        plain.get_by_role("button", name="Store the round").click()

    # Dora 1+2+1+2+2+1 = 9, Eva 2+1+3+1+1+3 = 11, Finn 3+3+2+3+3+2 = 16.
    expect(plain.get_by_role("heading", level=1)).to_contain_text("Score sheet")
    foot = plain.locator("tfoot tr").last.locator("td")
    expect(foot).to_have_text([r"1 Σsum 9", r"2 Σsum 11", r"3 Σsum 16"], use_inner_text=False)
    plain.context.close()


def test_the_question_before_an_early_end_is_seen_at_once(page: Page, club: People) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    players = tuple(SeatInput(player.pk) for player in club.players)
    points = tuple(ScoreInput(player.pk, points=13 * n) for n, player in enumerate(club.players))
    data = SessionInput("pure_xxl", date(2026, 11, 20), players, rounds=(RoundInput("xxl-1", points),))
    session = results.record(access=club.access(club.scorekeeper), data=data, confirm=(), now=NOW)
    come_in(page, club.scorekeeper, f"/herzclub/sessions/{session.pk}/enter/")
    expect(page.get_by_label("Ann", exact=True)).to_be_focused()

    page.get_by_text("End the session early").click()
    page.get_by_role("button", name="End the session").click()

    question = page.get_by_role("alert")
    expect(question).to_be_focused()
    expect(question).to_be_in_viewport(ratio=1)
    question.get_by_role("checkbox").check()
    question.get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Score sheet")


def test_a_token_is_copied_with_a_button(page: Page, server: Product, club: People) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    come_in(page, club.owner, "/herzclub/manage/tokens/")
    page.get_by_label("Name").fill("board")
    page.get_by_role("button", name="Make the token").click()

    page.get_by_role("button", name="Copy the token").click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#token").text_content()
    plain = another(page, server, java_script_enabled=False)
    come_in(plain, club.owner, "/herzclub/manage/tokens/")
    plain.get_by_label("Name").fill("board")
    plain.get_by_role("button", name="Make the token").click()
    expect(plain.locator("#token")).to_be_visible()
    expect(plain.get_by_text("Copy the token", exact=True)).to_be_hidden()
    plain.context.close()


def test_names_keep_their_words_whole(page: Page, club: People) -> None:
    """At the smallest width (WCAG 2.2, 1.4.10) the table slides in its card instead."""
    names = ("Annegret Hohenlangenburg", "Christopher", "Maximilian", "Bernadette", "Konstantin", "Friederike")
    for player, name in zip(club.players, names, strict=True):
        Player.objects.filter(pk=player.pk).update(name=name)
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"/herzclub/sessions/{Session.objects.latest('pk').pk}/")

    lines = page.evaluate(
        """() => [...document.querySelectorAll(".sheet thead .name")].map((name) => {
          const range = document.createRange();
          range.selectNodeContents(name);
          return [name.textContent, range.getClientRects().length];
        })"""
    )
    assert dict(lines) == {name: len(name.split()) for name in names}


def test_a_bot_match_fills_its_bar(page: Page, club: People) -> None:
    for name in ("Robo Rot", "Robo Blau"):
        Player.objects.create(club=club.club, name=name, kind="bot", bot="random")
    come_in(page, club.scorekeeper, "/herzclub/bot-matches/new/")
    page.get_by_label("Seat 1").select_option("Robo Rot")
    page.get_by_label("Seat 2").select_option("Robo Blau")
    page.get_by_label("Deals").fill("3")
    page.get_by_role("button", name="Let them play").click()

    expect(page.get_by_text("3 of 3 deals")).to_be_visible()
    page.get_by_role("link", name="Score sheet").click()
    expect(page.get_by_text("3 of 3 rounds")).to_be_visible()


_CONTRAST = """
() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a = 1] = rgb(getComputedStyle(at).backgroundColor);
      if (a > 0.99) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest(".unseen")) continue;
    const [a, b] = [light(rgb(getComputedStyle(element).color)), light(ground(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) poor.push([element.textContent.trim().slice(0, 30), ratio.toFixed(2)]);
  }
  return poor;
}
"""


def test_every_text_stands_out_from_its_ground(page: Page, club: People) -> None:
    """WCAG 2.2, 1.4.3: a contrast of at least 4.5 to 1, reckoned by its formula of relative luminance."""
    come_in(page, club.owner, BOARD)
    sheet = f"/herzclub/sessions/{Session.objects.latest('pk').pk}/"

    for path in (
        BOARD,
        sheet,
        "/herzclub/",
        "/herzclub/manage/",
        "/herzclub/sessions/new/",
        "/herzclub/manage/tokens/",
    ):
        page.goto(path)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate(_CONTRAST) == [], (path, scheme)
