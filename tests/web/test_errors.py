"""The pages for what went wrong; to who is not logged in they come without the database."""

from typing import Any

import pytest
from django.conf import settings as project
from django.core.exceptions import PermissionDenied
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import path

from league.urls import handler400, handler403, handler404, handler500
from league.urls import urlpatterns as product
from league.web.urls import urlpatterns as pages
from tests.people import People
from tests.web.page import Page


def _broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a secret of the inside")


def _busy(request: HttpRequest) -> HttpResponse:
    raise OperationalError("database is locked")


def _denied(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied("a secret of the inside")


urlpatterns = [path("test-broken/", _broken), path("test-busy/", _busy), path("test-denied/", _denied), *product]

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

pytestmark = pytest.mark.urls(__name__)


def test_an_unknown_host_gets_the_line_to_set(client: Client) -> None:
    answer = client.get("/", headers={"host": "liga.example.org:8443"})

    assert answer.status_code == 400
    page = Page(answer.content.decode())
    assert page.one("code").text == "SITE_URL=http://liga.example.org:8443"
    assert page.one("h1").text == "Unknown address"


def test_a_strange_host_is_shown_as_text(client: Client) -> None:
    answer = client.get("/", headers={"host": "<script>"})

    assert answer.status_code == 400
    assert "<script>" not in answer.content.decode()


def test_an_unknown_host_is_answered_in_the_readers_language(client: Client) -> None:
    answer = client.get("/", headers={"host": "liga.example.org", "accept-language": "de"})

    page = Page(answer.content.decode())
    assert page.one("html").attributes["lang"] == "de"
    assert page.one("h1").text == "Unbekannte Adresse"


def test_a_form_from_elsewhere_gets_the_line_to_set() -> None:
    client = Client(enforce_csrf_checks=True)

    answer = client.post("/login/", {"username": "x"}, headers={"origin": "https://liga.example.org"})

    assert answer.status_code == 403
    page = Page(answer.content.decode())
    assert page.one("code").text == "SITE_URL=https://liga.example.org"


def test_a_form_without_its_token_is_refused() -> None:
    assert Client(enforce_csrf_checks=True).post("/login/", {"username": "x"}).status_code == 403


def test_where_the_address_is_set_the_page_names_it(client: Client, settings: object) -> None:
    settings.SITE_URL = "https://liga.example.org"  # type: ignore[attr-defined]

    answer = client.get("/", headers={"host": "other.example.org"})

    assert "answer at https://liga.example.org only" in Page(answer.content.decode()).text


@pytest.mark.parametrize(
    ("address", "status"),
    [("/test-broken/", 500), ("/test-busy/", 503), ("/test-denied/", 403), ("/a/b/c/d/", 404)],
)
def test_what_breaks_keeps_its_secrets_and_the_look(address: str, status: int) -> None:
    client = Client(raise_request_exception=False)

    answer = client.get(address)

    assert answer.status_code == status
    html = answer.content.decode()
    assert "secret" not in html
    assert "site.css" in html
    assert Page(html).one("main")


@pytest.mark.parametrize(
    ("address", "status"), [("/herzclub/manage/tokens/", 403), ("/no-club/", 404), ("/no/such/page/at/all/", 404)]
)
def test_a_reader_who_is_logged_in_keeps_name_and_way_out(people: People, address: str, status: int) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(people.scorekeeper)

    answer = client.get(address)

    assert answer.status_code == status
    page = Page(answer.content.decode())
    assert page.one("header").text.endswith("scorekeeper Log out")
    assert "log in" not in page.text.lower()
    token = page.one("input", name="csrfmiddlewaretoken").attributes["value"]
    assert client.post("/logout/", {"csrfmiddlewaretoken": token}).status_code == 302
    assert "_auth_user_id" not in client.session


def test_a_refused_form_keeps_the_readers_name(people: People) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(people.scorekeeper)

    answer = client.post("/clubs/new/", {"name": "x"})

    assert answer.status_code == 403
    assert Page(answer.content.decode()).one("header").text.endswith("scorekeeper Log out")


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/herzclub/manage/archive/", "it takes the role “owner”."),
        ("/herzclub/tournaments/new/", "it takes the role “scorekeeper” or a higher one."),
    ],
)
def test_whose_role_is_too_low_is_told_which_it_takes(people: People, path: str, told: str) -> None:
    client = Client()
    client.force_login(people.member)
    answer = client.get(path)
    assert answer.status_code == 403
    assert told in answer.content.decode()


def test_a_page_for_what_broke_asks_the_database_nothing(people: People) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(people.scorekeeper)

    with CaptureQueriesContext(connection) as queries:
        answer = client.get("/test-broken/")

    assert answer.status_code == 500
    assert "Log in" not in answer.content.decode()
    assert not queries.captured_queries


def test_a_busy_database_asks_to_come_back() -> None:
    client = Client(raise_request_exception=False)

    assert client.get("/test-busy/")["Retry-After"] == "1"
    assert "Retry-After" not in client.get("/test-broken/")


def test_no_address_of_the_product_can_be_a_clubs_own_word() -> None:
    from league.services.clubs import RESERVED_SLUGS
    from league.services.seasons import RESERVED_SLUGS as RESERVED_LEAGUES

    entries: list[Any] = [*product, *pages]
    routes = [str(entry.pattern).split("/") for entry in entries]
    # A short name has no full stop.
    first = {parts[0] for parts in routes if parts[0] and not parts[0].startswith("<") and "." not in parts[0]}
    assert first <= RESERVED_SLUGS
    second = {parts[1] for parts in routes if parts[0] == "<slug:club>" and parts[1] and not parts[1].startswith("<")}
    assert second <= RESERVED_LEAGUES
    assert project.STATIC_URL.strip("/") in RESERVED_SLUGS
