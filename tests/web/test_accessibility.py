"""Every page in a real browser: judged by axe-core, read on the narrowest screen, in both schemes, by keyboard alone.

axe-core judges by WCAG 2.2 at the levels A and AA and by what it advises beyond. All that is folded is unfolded first.
Names are long and the language is German, whose words are, unless a test says otherwise.
"""

import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from playwright.sync_api import CDPSession, Page, ViewportSize, expect

from league.models import BotMatch, Player, Season, SeasonStatus, Session, User
from league.services import (
    corrections,
    divisions,
    figures,
    planned_evenings,
    seasons,
    table_links,
    tournament_file_jobs,
    tournament_files,
)
from league.services.setup import setup_code
from league.services.tournament_files import FileInput
from tests import test_roles
from tests.api.routes import fill
from tests.people import NOW, People, make_people
from tests.product import Product
from tests.services.given import carry_out, record, series
from tests.web.conftest import BOARD
from tests.web.stories import play_three_evenings

pytestmark = [pytest.mark.one_database, pytest.mark.timeout(600)]  # a browser reads some hundred pages

# Evaluated by the debugger's protocol, which the policy of the pages forbids nothing.
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What depends on the width, where all else has been judged already.
OF_WIDTH = ["target-size", "scrollable-region-focusable"]
DESK, PHONE = ViewportSize(width=1000, height=800), ViewportSize(width=320, height=640)
_JUDGE = """
async ([kind, values, contrast]) => {
  const rules = contrast ? {} : {"color-contrast": {enabled: false}};
  const options = {runOnly: {type: kind, values}, rules, resultTypes: ["violations"], iframes: false};
  // Sheets are read anew only for a rule on how a device is held, which is none of these.
  const judged = await axe.run({...options, preload: {assets: ["media"]}, selectors: false});
  return judged.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 300)}`));
}
"""
# How each text is painted: its colour, all that lies behind it, and what makes it large; that is what contrast is of.
# A box without a colour of its own is seen through.
_PAINTED = """
() => {
  const found = new Set(), clear = "rgba(0, 0, 0, 0)";
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const behind = new Map();
  const ground = (one) => {
    if (!one) return "";
    if (!behind.has(one)) {
      const {backgroundColor, backgroundImage, opacity, position} = getComputedStyle(one);
      const own = [backgroundColor === clear ? "" : backgroundColor, backgroundImage === "none" ? "" : backgroundImage];
      own.push(opacity === "1" ? "" : opacity, position === "static" || position === "relative" ? "" : position);
      const opaque = own[0].startsWith("rgb(") && !own[2];
      behind.set(one, (opaque ? "" : ground(one.parentElement)) + (own.join("") && own.join(",") + ";"));
    }
    return behind.get(one);
  };
  while (walk.nextNode()) {
    const one = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !one.checkVisibility()) continue;
    const {color, fontSize, fontWeight, textShadow} = getComputedStyle(one);
    found.add([color, fontSize, fontWeight, textShadow, ground(one)].join(" "));
  }
  for (const one of document.querySelectorAll("input, select, textarea")) {
    if (one.checkVisibility()) found.add([getComputedStyle(one).color, ground(one)].join(" "));
  }
  return [...found];
}
"""
# What a screen of this width has no room for: the page slides sideways, or a box cuts off what is in it (WCAG 1.4.10).
_TOO_WIDE = """
() => {
  const page = document.documentElement, found = [];
  if (page.scrollWidth > page.clientWidth) found.push(`${page.scrollWidth} pixels wide, of ${page.clientWidth}`);
  for (const one of document.querySelectorAll("body *:not(.unseen, input)")) {
    const {overflowX, textOverflow} = getComputedStyle(one);
    const cuts = (overflowX === "hidden" || overflowX === "clip") && textOverflow !== "ellipsis";
    // A table that slides where its letters are larger has room for them as they are.
    if ((cuts || one.matches(".table-card")) && one.scrollWidth > one.clientWidth + 1 && one.checkVisibility()) {
      found.push(`${one.scrollWidth - one.clientWidth} pixels cut off: ${one.outerHTML.slice(0, 200)}`);
    }
  }
  return found;
}
"""
_UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


class Judge:
    """axe-core on the pages of one browser, and how texts were painted where it judged their contrast in the dark."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._debugger: CDPSession = page.context.new_cdp_session(page)
        self._painted: set[str] = set()

    def by(self, kind: str, values: Iterable[str], *, contrast: bool = True) -> list[str]:
        """What axe-core says against the page as it stands: the rule and the element."""
        if not self.page.evaluate("'axe' in window"):
            self._debugger.send("Runtime.evaluate", {"expression": AXE})
        found: list[str] = self.page.evaluate(_JUDGE, [kind, list(values), contrast])
        return found

    def whole(self) -> list[str]:
        """What is wrong with the page: at a desk in the light scheme, and on the narrowest phone in the dark one."""
        self.page.set_viewport_size(DESK)
        self.page.emulate_media(color_scheme="light")
        self.page.evaluate(_UNFOLD)
        found = self.by("tag", RULES)
        self.page.emulate_media(color_scheme="dark")
        self.page.set_viewport_size(PHONE)
        return found + self.dark_phone()

    def dark_phone(self) -> list[str]:
        """What the dark scheme and the narrow screen do to the page, which has both.

        Contrast is left out where every text is painted as one whose contrast was judged before, the slowest rule.
        """
        painted = set(self.page.evaluate(_PAINTED))
        rules = OF_WIDTH if painted <= self._painted else [*OF_WIDTH, "color-contrast"]
        self._painted |= painted
        return self.by("rule", rules) + too_wide(self.page)


def too_wide(page: Page) -> list[str]:
    found: list[str] = page.evaluate(_TOO_WIDE)
    return found


# A decimal point, an English month: what a German page has no use for.
_ENGLISH = re.compile(
    r"(?<![\d.])\d+\.\d\d?(?![\d.:])(?! [A-Z])|\b(?:January|February|March|May|Oct|October|Dec|December)\b"
)


def not_german(page: Page) -> list[str]:
    """Figures and dates that are written as in English."""
    text = page.locator("body").inner_text()
    # Addresses with a secret in them hold any letters.
    text = re.sub(r"\S*/\S+", "", text)
    found = [text[max(0, one.start() - 20) : one.end() + 10] for one in _ENGLISH.finditer(text)]
    return found if page.locator("html").get_attribute("lang") == "de" else [*found, "lang"]


def come_in(page: Page, server: Product, user: User) -> Client:
    """Log the browser in, without the form; the same for requests without a browser."""
    client = Client()
    client.force_login(user)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": server.url}])
    return client


def in_german(page: Page) -> None:
    page.set_extra_http_headers({"Accept-Language": "de"})


@pytest.fixture(autouse=True)
def still(page: Page) -> None:
    """Pages that are not looked at stand still: none asks for itself anew while it is being judged."""
    page.add_init_script("Object.defineProperty(document, 'hidden', {value: true})")


def one_of_everything(people: People) -> dict[Any, Any]:
    """What the pages show, and the parts of their addresses as of `test_roles`; the names are long at the end."""
    access = people.access(people.owner)
    evenings = play_three_evenings(people)
    last = seasons.create_season(
        access=access,
        league_id=people.season.league_id,
        fields={"name": "2025", "slug": "2025", "starts_on": date(2025, 9, 1)},
        now=NOW,
    )
    record(people, series({"Ann": 1, "Ben": 2, "Cem": 3}, {"Ann": 2, "Ben": 2, "Cem": 1}, season=last.pk))
    Season.objects.filter(pk=last.pk).update(status=SeasonStatus.CLOSED)
    Season.objects.filter(pk=people.season.pk).update(planned_evenings=6)
    ids = fill(people)
    carry_out(BotMatch.objects.get(pk=ids["match_id"]))
    _link, raw = table_links.create(access=access, session_id=ids["session_id"], now=timezone.now())
    values = test_roles._values(people, ids, raw)
    record(people, series(*[{"Bot 1": 1, "Bot 2": 2, "Bot 3": 3}] * 3))
    places = {player.pk: ids["division_id"] for player in people.players[:3]}
    divisions.assign(access=access, season_id=people.season.pk, places=places, now=NOW)
    for player in people.players[:4]:
        planned_evenings.answer(
            access=access, evening_id=ids["evening_id"], state="coming", player_id=player.pk, now=NOW
        )
    corrections.void(access=access, session_id=evenings[0].pk, reason="Zweimal eingetragen.", now=NOW)
    long = {"Ann": "Annegret-Wilhelmine Freifrau von Hohenlangenburgstein zu Xy", "Ben": "B" * 60}
    for name, longer in long.items():
        Player.objects.filter(club=people.club, name=name).update(name=longer)
    assert figures.refresh_figures(club_id=people.club.pk)
    return values


def pages(values: dict[Any, Any], client: Client) -> list[tuple[str, str]]:
    """The name and address of every page that answers this client with a page."""
    found = []
    for route in test_roles._routes():
        if route.name.startswith(("web:", "api:")) and "GET" in route.methods and route.name != "web:logout":
            path = test_roles._path(route, values)
            answer: Any = client.get(path)
            if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
                found.append((route.name, path))
    return found


def visit(page: Page, path: str) -> None:
    """Go there and wait for what scripts build."""
    page.goto(path)
    if page.locator("#table-entry").count():
        expect(page.locator("#table-entry")).to_have_attribute("data-ready", re.compile("."))
    if path.endswith("/docs/"):
        # Two hundred operations are all alike: one part of them is unfolded.
        # Not by the pointer, which would rest on an operation and have it show more.
        page.locator(".opblock-tag").first.evaluate("one => one.click()")
        page.locator(".opblock").first.wait_for()


def test_axe_finds_nothing_on_any_page(page: Page, server: Product) -> None:
    """As the owner, then what a visitor reads: that in English, and what was judged before only on the dark phone."""
    judge = Judge(page)
    in_german(page)
    page.goto(f"/setup/{setup_code()}/")
    found = [f"web:setup: {one}" for one in judge.whole()]
    people = make_people()
    values = one_of_everything(people)
    walked = pages(values, come_in(page, server, people.owner))
    for name, path in walked:
        visit(page, path)
        found += [f"{name}: {one}" for one in judge.whole()]
        if name.startswith("web:"):
            found += [f"{name}: not German: {one}" for one in not_german(page)]
    page.context.clear_cookies()
    page.set_extra_http_headers({"Accept-Language": "en"})
    visited = [(name, path) for name, path in pages(values, Client()) if not name.startswith("api:")]
    seen = {name for name, _path in walked}
    for name, path in (*visited, ("missing", "/nothing/here/")):
        page.goto(path)
        page.evaluate(_UNFOLD)
        # A visitor's page has another head and other parts than that of the owner; most of its texts are painted alike.
        wrong = judge.by("tag", RULES, contrast=False) + judge.dark_phone() if name in seen else judge.whole()
        found += [f"{name}, visited: {one}" for one in wrong]
    assert not found, "\n".join(found)
    assert len(walked) > 70
    assert {"web:login", "web:club", "web:leaderboard", "web:session", "web:hall-of-fame"} <= {
        name for name, _ in visited
    }


_SEND = """
(selector) => {
  const form = document.querySelector(selector);
  form.noValidate = true;
  form.requestSubmit();
}
"""


def send(page: Page, form: str = "main form[method=post]", /, **values: str) -> None:
    """Send the page's form with these values, although a browser would ask for others."""
    sent = page.locator(form).first
    for name, value in values.items():
        field = sent.locator(f"[name={name}]")
        if field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    # Found and sent in one step: a script may put a newer form into the place of one that was found before.
    with page.expect_navigation():
        page.evaluate(_SEND, form)


def odd_file(people: People) -> str:
    """Where a large report file is that a job has looked at, with points that are none of its results."""
    line = "001{:5}      {:<33}{:>37}    1{:6} {} {}"
    lines = ("012 Stadtmeisterschaft", line.format(1, "Gus", "9.0", 2, "w", 1), line.format(2, "Hal", "0.0", 1, "b", 0))
    access = people.access(people.owner)
    data = FileInput(text="\n".join(lines), game="xxl-6-plus")
    sound = tournament_files.check(access=access, data=data, now=timezone.now())
    file = tournament_file_jobs.ask(access=access, sound=sound, looks=True, now=timezone.now())
    tournament_file_jobs.take_file(file.job_id)
    return f"/herzclub/tournaments/new/trf/{file.pk}/"


def test_axe_finds_nothing_on_what_pages_answer(page: Page, server: Product) -> None:
    """Forms that come back with their mistakes, previews, and what is shown only once."""
    people = make_people()
    values = one_of_everything(people)
    session = values["session_id"]
    complete = Session.objects.filter(season=people.season, status="complete", voided_at=None, format="pure_xxl")
    corrected = complete.latest("pk").pk
    manage, sessions, table = "/herzclub/manage/", "/herzclub/sessions/", f"/herzclub/sessions/{session}/"
    in_german(page)
    judge = Judge(page)
    found: list[str] = []

    def look(name: str, shows: str) -> None:
        # Or it would be another page than the one that is meant.
        assert page.locator(shows).count(), (name, page.url, page.locator("main").inner_text())
        found.extend(f"{name}: {one}" for one in judge.whole())

    page.goto("/login/")
    send(page, username="nobody", password="wrong")
    look("wrong password", "[role=alert]")
    come_in(page, server, people.owner)
    for path in (
        f"{manage}players/",
        f"{manage}leagues/{values['league_id']}/seasons/new/",
        f"{manage}imports/",
        "/herzclub/sessions/new/",
        "/herzclub/evenings/new/",
        "/herzclub/tournaments/new/?kind=groups",
        "/account/password/",
    ):
        page.goto(path)
        send(page)
        look(f"{path} refused", ".errorlist")
    page.goto(f"{manage}seasons/{people.season.pk}/")
    send(page, ranking_metric="place_sum")
    look("other rules", "#rules-preview")
    page.goto(f"{sessions}{corrected}/rounds/1/correct/")
    first = page.locator("#correction input[name^=score_]").first
    first.fill("99")
    with page.expect_navigation():
        page.locator("#correction button[name=preview]").click()
    look("correction", "#preview")
    page.goto(f"{sessions}{corrected}/void/")
    send(page, reason="Nie gespielt.")
    look("void session", ".tag, .note")
    for path, field in ((f"{manage}members/invites/", {}), (f"{manage}tokens/", {"name": "Tafel"})):
        page.goto(path)
        send(page, **field)
        look(f"{path} made", "[data-copy]")
    page.goto(f"{table}table-links/")
    send(page)
    look("table link", ".qr")
    page.goto(f"{manage}webhooks/{values['webhook_id']}/")
    send(page, "form[action$='/rotate/']")
    look("secret of a webhook", "[data-copy]")
    page.goto(f"/herzclub/evenings/{values['evening_id']}/")
    send(page, "form[action$='/cancel/']")
    look("evening called off", ".note")
    visit(page, f"{table}enter/")
    for points in ("5", "31", "12", "40"):
        page.keyboard.type(points)
        page.keyboard.press("Enter")
    # Nobody has 0 points.
    expect(page.locator(".entry-said")).to_be_focused()
    look("question at the table", ".entry-said")
    page.goto(f"{table}enter/")
    send(page, "form[action$='/end/']")
    look("early end", "[role=alert]")
    address = odd_file(people)
    page.goto(address)
    look("report file looked at", "#seen")
    with page.expect_navigation():
        page.locator("button[value=take]").click()
    look("report file not ticked", ".errorlist")
    page.context.clear_cookies()
    come_in(page, server, people.member)
    page.goto(manage)
    look("no", "h1")
    assert not found, "\n".join(found)


_STOPS = """
() => {
  const all = [...document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']",
  )];
  const stops = all.filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility());
  stops.forEach((one, index) => { one.dataset.stop = index; });
  return stops.length;
}
"""
# What is wrong with where the focus is: no ring around it, out of sight, or under something else.
_FOCUS = """
() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const style = getComputedStyle(one), box = one.getBoundingClientRect(), wrong = [];
  if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) wrong.push("no ring");
  const [x, y] = [box.left + Math.min(box.width, innerWidth) / 2, box.top + Math.min(box.height, 40) / 2];
  const seen = document.elementFromPoint(x, y);
  if (!seen) wrong.push("out of sight");
  else if (!one.contains(seen) && !seen.contains(one)) wrong.push(`under ${seen.outerHTML.slice(0, 80)}`);
  return [one.dataset.stop ?? one.tagName, wrong.map((what) => `${what}: ${one.outerHTML.slice(0, 120)}`)];
}
"""


def tab_through(page: Page) -> tuple[list[str], list[str]]:
    """The stops of the Tab key in their order until it leaves the page, and what is wrong with them."""
    stops: list[str] = []
    wrong: list[str] = []
    while len(stops) < 400:
        page.keyboard.press("Tab")
        told = page.evaluate(_FOCUS)
        if told is None:
            break
        # A date has a stop for each of its parts, which the browser marks.
        if told[0] not in stops[-1:]:
            stops.append(told[0])
            wrong += told[1]
    return stops, wrong


def test_everything_is_reached_by_keyboard(page: Page, server: Product) -> None:
    """Every link, button and field, in sight and with a ring around it (WCAG 2.2: 2.1.1, 2.4.7, 2.4.11)."""
    people = make_people()
    values = one_of_everything(people)
    come_in(page, server, people.owner)
    settings_of = f"/herzclub/manage/seasons/{values['season_id']}/"
    sheet = f"/herzclub/sessions/{values['session_id']}/"
    for size, path in ((DESK, BOARD), (PHONE, sheet), (DESK, settings_of), (PHONE, "/herzclub/players/")):
        page.set_viewport_size(size)
        page.goto(path)
        count = page.evaluate(_STOPS)
        stops, wrong = tab_through(page)
        assert wrong == [], path
        assert stops == [str(number) for number in range(count)], path
    page.goto(BOARD)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")
