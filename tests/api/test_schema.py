"""The OpenAPI description is true: generated requests, good and bad, get answers as it says, and never a 500."""

import gc
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
import time_machine
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from league.models import Player, Scope, Session
from tests.api.conftest import program
from tests.api.evenings import evening
from tests.api.routes import description, fill
from tests.people import NOW, People, people_for_a_module

# That bad requests are refused is shown by tests/api/test_bad_input.py: generated ones may be bad only in what this
# test puts right, the token and the ids.
_CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
    allow_header_conformance,
]

pytestmark = pytest.mark.one_database


@dataclass(frozen=True)
class Filled:
    """Both clubs, one of everything in the Herzclub, and a token for each that may everything."""

    people: People
    ids: dict[str, Any]
    token: str
    strangers_token: str


@pytest.fixture(scope="module")
def filled(django_db_setup: None, django_db_blocker: Any) -> Iterator[Filled]:
    """Written once for the module; each test takes back what it changes, and the module all of it."""
    with time_machine.travel(NOW), people_for_a_module(django_db_blocker) as people:
        its = program(people, people.owner, Scope.CLUB_ADMIN)
        assert its.post("sessions/", evening("four-players")[0]).status_code == 201
        yield Filled(
            people=people,
            ids={"club": "herzclub", **fill(people)},
            token=its.token,
            strangers_token=program(people, people.stranger, Scope.CLUB_ADMIN).token,
        )


@pytest.fixture
def people(filled: Filled, db: None) -> People:
    """The clubs of the module."""
    return filled.people


@pytest.fixture
def ids(filled: Filled, db: None) -> dict[str, Any]:
    """What the addresses name, with an evening that is over."""
    return filled.ids


@pytest.fixture
def token(filled: Filled) -> str:
    """A token that may everything."""
    return filled.token


@pytest.fixture
def strangers_token(filled: Filled) -> str:
    """A token that may everything in another club."""
    return filled.strangers_token


@pytest.fixture
def kept_connection(ids: dict[str, Any]) -> Iterator[None]:
    """As Django's own test client does: the connection of the test's transaction outlives a request."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture(autouse=True)
def collector_at_rest() -> Iterator[None]:
    """Python 3.11 gives up reading source, as the generators do, when the collector comes in between (gh-106905)."""
    gc.disable()
    yield
    gc.enable()


# Read as a client reads it, when the tests are collected: each operation is a test of its own.
_api = schemathesis.openapi.from_wsgi("/api/v1/schema/", get_wsgi_application())
# Some thousand requests, two minutes: every field of every shape at and beyond its limits. For `make soak`.
EVERY = os.environ.get("TISCHLIGA_EVERY_LIMIT") == "1"
_api.config.phases.coverage.enabled = EVERY
# Once for each operation: whether a stranger finds a club is no matter of the values.
_ASKED_BY_A_STRANGER: set[tuple[str, str]] = set()


@_api.parametrize()
@settings(
    max_examples=20 if EVERY else 3,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_answers_are_as_described(
    case: Any, ids: dict[str, Any], token: str, strangers_token: str, kept_connection: None
) -> None:
    case.path_parameters = {name: ids[name] for name in case.path_parameters or {}}
    operation = (case.method, case.path)
    if "club" in case.path_parameters and (EVERY or operation not in _ASKED_BY_A_STRANGER):
        _ASKED_BY_A_STRANGER.add(operation)
        # First, while what it names is there: to another club's token the very same request finds nothing.
        answer = case.call(headers={"Authorization": f"Bearer {strangers_token}"})
        assert answer.status_code in {400, 404}, f"{case.method} {case.path} answers a stranger: {answer.content!r}"
    response = case.call(headers={"Authorization": f"Bearer {token}"})
    case.validate_response(response, checks=_CHECKS)


def test_the_description_has_no_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn")
    assert capsys.readouterr().out.startswith("openapi: 3.1.0")


def test_the_description_speaks_the_language_that_is_asked_for(client: Any, db: None) -> None:
    texts = {
        language: client.get("/api/v1/schema/", headers={"Accept-Language": language}).json()["paths"]
        for language in ("en", "de")
    }
    assert texts["en"].keys() == texts["de"].keys()
    english, german = (texts[language]["/api/v1/games/"]["get"]["summary"] for language in ("en", "de"))
    assert english != german
    etag = client.get("/api/v1/schema/")["ETag"]
    assert client.get("/api/v1/schema/", headers={"If-None-Match": etag}).status_code == 304


def test_every_operation_says_how_to_show_who_you_are() -> None:
    for operations in description()["paths"].values():
        for operation in operations.values():
            assert {"token": []} in operation["security"]
            assert operation["summary"]


def test_everything_is_refused_without_credentials(people: People, ids: dict[str, Any], client: Any) -> None:
    before = (Session.objects.count(), Player.objects.count())
    for path, operations in description()["paths"].items():
        for method in operations:
            for headers in ({}, {"Authorization": "Bearer tl_aaaaaaaaaaaa_" + "b" * 43}):
                answer = client.generic(
                    method.upper(), path.format(**ids), "{}", content_type="application/json", headers=headers
                )
                assert answer.status_code == 401, (method, path)
    assert (Session.objects.count(), Player.objects.count()) == before


def test_shapes_that_come_in_allow_nothing_else() -> None:
    schemas = description()["components"]["schemas"]
    closed = {name for name, schema in schemas.items() if schema.get("additionalProperties") is False}
    assert {"NewSession", "NewSeat", "RoundOfSession", "NewScore", "NewRound", "PlayerChange"} <= closed
    assert not {"Session", "Player", "SheetRound"} & closed


def test_the_key_header_stands_where_it_works() -> None:
    found = {
        operation["operationId"]
        for operations in description()["paths"].values()
        for operation in operations.values()
        if any(one["name"] == "Idempotency-Key" for one in operation.get("parameters", []))
    }
    posts = {
        operations["post"]["operationId"] for operations in description()["paths"].values() if "post" in operations
    }
    secret = {"create_invite", "create_table_link", "create_token", "create_webhook", "rotate_webhook_secret"}
    assert found == posts - secret


def test_the_page_names_no_other_host(client: Any, db: None) -> None:
    for path in ("docs/", "docs/problems/"):
        page = client.get(f"/api/v1/{path}")
        assert page.status_code == 200
        assert not re.findall(r"(?:https?:)?//[a-z]", page.content.decode())
        assert "unsafe" not in page["Content-Security-Policy"]


def test_the_examples_of_the_description_work(people: People, ids: dict[str, Any]) -> None:
    its = program(people, people.owner, Scope.CLUB_ADMIN)
    tried = []
    for path, operations in description()["paths"].items():
        for operation in operations.values():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            for name, example in content.get("examples", {}).items():
                answer = its.post(path.format(**ids), example["value"])
                assert answer.status_code in {201, 202}, (name, answer.content)
                tried.append(operation["operationId"])
    assert sorted(tried) == [
        "create_tournament",
        "extend_par",
        "record_round",
        "record_session",
        "request_bot_match",
    ]
