"""No page asks anybody but its own server: what pages say, what browsers are allowed, what one does."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.test import Client
from playwright.sync_api import Page as BrowserPage
from playwright.sync_api import Request

from league.models import Player, Session, Standing, User
from league.services import table_links
from tests import test_roles
from tests.api.routes import fill
from tests.people import NOW, PASSWORD, People, make_people
from tests.product import ROOT, Product
from tests.web.conftest import BOARD
from tests.web.page import Page
from tests.web.stories import play_three_evenings

pytestmark = pytest.mark.one_database

# Whatever makes a browser ask for something on its own, or send something somewhere.
LOADS: Mapping[str, tuple[str, ...]] = {
    "script": ("src",),
    "link": ("href",),
    "img": ("src", "srcset"),
    "iframe": ("src",),
    "embed": ("src",),
    "object": ("data",),
    "source": ("src", "srcset"),
    "audio": ("src",),
    "video": ("src", "poster"),
    "track": ("src",),
    "image": ("href", "xlink:href"),
    "use": ("href", "xlink:href"),
    "form": ("action",),
    "button": ("formaction",),
    "input": ("src", "formaction"),
    "base": ("href",),
    "body": ("background",),
}
ADMIN = {"index", "login", "app_list", "league_user_changelist", "league_user_change", "league_session_add"}
OWN = "http://testserver/"
# A board has to load on a phone in a cellar: HTML, style and scripts as they are transferred.
BOARD_BUDGET = 60_000
# How far what is read jumps while the page loads: parts of the window, summed as browsers do. Good is below 0.1.
SHIFT_BUDGET = 0.01
_NOTE_SHIFTS = """
window.shifted = 0;
const add = (list) => list.getEntries().forEach((one) => { window.shifted += one.value; });
new PerformanceObserver(add).observe({type: "layout-shift", buffered: true});
"""


def is_foreign(address: str) -> bool:
    return bool(re.match(r"\s*([a-z][a-z0-9+.-]*:|//)", address, re.IGNORECASE)) and not address.startswith(
        (OWN, "data:image/")
    )


def foreign(page: Page) -> Iterator[str]:
    """Every address of another server that the page has the browser ask."""
    for element in page.elements:
        for name in LOADS.get(element.tag, ()):
            if is_foreign(element.attributes.get(name, "")):
                yield f"<{element.tag} {name}={element.attributes[name]}>"
        refresh = element.attributes.get("http-equiv", "").lower() == "refresh"
        if refresh and "//" in element.attributes.get("content", ""):
            yield f"<meta refresh {element.attributes['content']}>"


def inline(page: Page) -> Iterator[str]:
    """What the policy forbids and a browser would leave out: styles and scripts within the page."""
    for element in page.elements:
        data = element.attributes.get("type", "") in {"application/json", "application/ld+json"}
        if element.tag == "style" or (element.tag == "script" and "src" not in element.attributes and not data):
            yield f"<{element.tag}>"
        yield from (
            f"<{element.tag} {name}>" for name in element.attributes if name == "style" or name.startswith("on")
        )


def policy(answer: Any) -> dict[str, list[str]]:
    """The directives of the policy that the browser is to hold."""
    told = (part.split() for part in answer.headers["Content-Security-Policy"].split(";"))
    return {name: sources for name, *sources in told}


@time_machine.travel(NOW)
def test_no_page_loads_from_elsewhere_and_none_may(people: People) -> None:
    """Every page of the URL map, as the club's owner and as nobody; the administration as a superuser."""
    ids = fill(people)
    _link, raw = table_links.create(access=people.access(people.owner), session_id=ids["session_id"], now=NOW)
    values = test_roles._values(people, ids, raw)
    superuser = User.objects.create_superuser(username="root", password=PASSWORD)
    nobody, owner, root = Client(), Client(), Client()
    owner.force_login(people.owner)
    root.force_login(superuser)
    found: list[str] = []
    seen = set()
    for route in test_roles._routes():
        # Of the administration, which is Django's, one page of each kind.
        of_django = route.name.startswith("admin:") and route.name.removeprefix("admin:") not in ADMIN
        # An operation of the API, whose name has no colon, answers with no page.
        if "GET" not in route.methods or route.name == "web:logout" or of_django or ":" not in route.name:
            continue
        path = test_roles._path(route, values)
        for client in (root,) if route.name.startswith("admin:") else (owner, nobody):
            answer: Any = client.get(path)
            if answer.status_code != 200 or not answer["Content-Type"].startswith(("text/html", "image/svg")):
                continue
            seen.add(route.name)
            page = Page(answer.content.decode())
            found += [f"{route.name}: {one}" for one in foreign(page)]
            if not route.name.startswith("admin:"):
                found += [f"{route.name}: {one}" for one in inline(page)]
            for name, sources in policy(answer).items():
                allowed = {"'self'", "'none'", "data:"} if name == "img-src" else {"'self'", "'none'"}
                # Who may frame a page is no request of it.
                if name != "frame-ancestors" and not set(sources) <= allowed:
                    found.append(f"{route.name}: {name} {' '.join(sources)}")
            if policy(answer)["default-src"] not in (["'self'"], ["'none'"]):
                found.append(f"{route.name}: default-src")
    assert found == []
    assert {"web:home", "web:leaderboard", "web:session", "web:print-session", "web:manage", "admin:index"} <= seen
    assert len(seen) > 50


def test_styles_and_scripts_name_no_other_server() -> None:
    folders = (ROOT / "league" / "web" / "static", ROOT / "api" / "static")
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in {".css", ".js"}]
    assert len(files) >= 6
    for file in files:
        text = file.read_text().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|url\(\s*['\"]?//|@import", text), file


def _as(page: BrowserPage, user: User) -> None:
    # Anew with the product's own hasher: it does not know the quick one of the tests' settings.
    User.objects.filter(pk=user.pk).update(password=PBKDF2PasswordHasher().encode(PASSWORD, "salt-of-the-earth"))
    page.goto("/login/")
    page.get_by_label("User name").fill(user.username)
    page.get_by_label("Password").fill(PASSWORD)
    # A click does not wait for what it leads to; an address asked for before would be overtaken by it.
    with page.expect_navigation(url=lambda address: not address.endswith("/login/")):
        page.get_by_role("button", name="Log in").click()


def _least_shift(page: BrowserPage) -> float:
    """The shift of this load, or the least of two more: a busy machine may draw half a page, whose foot then moves."""
    shift: float = page.evaluate("window.shifted")
    for _again in range(2):
        if shift >= SHIFT_BUDGET:
            page.reload(wait_until="networkidle")
            shift = min(shift, page.evaluate("window.shifted"))
    return shift


def test_the_browser_asks_its_own_server_alone_and_little_for_a_board(page: BrowserPage, server: Product) -> None:
    people = make_people()
    play_three_evenings(people)
    one = Standing.objects.first()
    assert one is not None
    values = {field.attname: getattr(one, field.attname) for field in Standing._meta.concrete_fields}
    for key in ("id", "player_id"):
        del values[key]
    many = Player.objects.bulk_create(
        Player(club=people.club, name=f"Annegret Mustermann {number}", name_key=f"annegret mustermann {number}")
        for number in range(1000)
    )
    Standing.objects.bulk_create(Standing(player_id=player.pk, **values) for player in many)

    asked: list[Request] = []
    complaints: list[str] = []

    def note(request: Request) -> None:
        asked.append(request)

    page.on("requestfinished", note)
    page.on("requestfailed", note)
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)

    page.add_init_script(_NOTE_SHIFTS)
    page.goto(BOARD, wait_until="networkidle")
    assert page.locator(".board tbody tr").count() == 100
    sizes = [(request.url, request.sizes()) for request in asked if request.resource_type != "image"]
    transferred = {url: size["responseBodySize"] + size["responseHeadersSize"] for url, size in sizes}
    assert len(transferred) >= 3
    assert sum(transferred.values()) < BOARD_BUDGET, transferred

    assert _least_shift(page) < SHIFT_BUDGET
    page.set_viewport_size({"width": 360, "height": 740})
    page.reload(wait_until="networkidle")
    assert _least_shift(page) < SHIFT_BUDGET

    _as(page, people.owner)
    session = Session.objects.first()
    assert session is not None
    paths = ["/", "/herzclub/", BOARD, f"/herzclub/sessions/{session.pk}/", f"/herzclub/sessions/{session.pk}/print/"]
    paths += ["/herzclub/print/score-sheet/", "/herzclub/print/tables/", "/herzclub/sessions/new/", "/herzclub/manage/"]
    for path in (*paths, "/api/v1/docs/", "/account/"):
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == 200, path
    foreigners = {request.url for request in asked if not request.url.startswith((f"{server.url}/", "data:image/"))}
    assert foreigners == set()
    assert complaints == []
