"""Every POST and PATCH of the description against every kind of bad body: refused with its place, and nothing written.

The routes are those of `tests/api/routes.py`: a new one is tried by itself. One test for each route, since each walks
through all bodies; a body that is wrong in one field is made from the one that would be accepted.

All routes read alike, so in the usual run they share what is to be tried: of the bodies that no JSON reader takes each
gets a fifth, of the odd values each field gets a third, both by turns. `make soak` tries all on each.
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
import time_machine
from django.db import transaction

from league.models import Scope
from tests.api.client import Program
from tests.api.conftest import program
from tests.api.contract import ContractClient
from tests.api.evenings import opened
from tests.api.routes import Route, club_routes, fill
from tests.people import NOW, people_for_a_module
from tests.services.given import rows

ROUTES = [route for route in club_routes() if route.method in {"POST", "PATCH"}]
JSON = "application/json"
# Its body is a file, told from its content; what is no file of a known kind is refused by test_imports.
FILES = {"upload_import"}
EVERY = os.environ.get("TISCHLIGA_EVERY_LIMIT") == "1"
ODD_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 1.5, 2**63, 10**30, 1e308, "", "a\x07b", "x" * 10_000, "2026-02-30"),
    *([], [None], {}, [{"a": 1}] * 3),
)


def _by_turns(turn: int, share: int, values: Sequence[Any]) -> Sequence[Any]:
    """Every `share`-th of the values, beginning at the one whose turn it is."""
    return values if EVERY else values[turn % share :: share]


def _unreadable() -> Iterator[tuple[str, bytes, str, set[int]]]:
    """(name, body, content type, statuses one of which it must get) of bodies that are not read on any route."""
    yield "not JSON", b"name=Gus", JSON, {400}
    yield "two values", b"{} {}", JSON, {400}
    yield "NaN", b'{"name": NaN}', JSON, {400}
    yield "Infinity", b'{"name": [-Infinity]}', JSON, {400}
    yield "a number of 5,000 digits", b'{"name": ' + b"9" * 5000 + b"}", JSON, {400}
    yield "not UTF-8", b'{"name": "\xff"}', JSON, {400}
    yield "a NUL", b'{"name": "a\\u0000b"}', JSON, {400}
    yield "a raw NUL", b'{"name": "a\x00b"}', JSON, {400}
    yield "half a pair", b'{"name": "\\ud800"}', JSON, {400}
    yield "too deep", b'{"name": ' + b"[" * 5000 + b"]" * 5000 + b"}", JSON, {400}
    yield "a key twice", b'{"name": "a", "name": "b"}', JSON, {400}
    yield "10 MB", b'{"name": "' + b"x" * 10_000_000 + b'"}', JSON, {413}


def _whole_bodies(good: bytes) -> Iterator[tuple[str, bytes, str, set[int]]]:
    """The same of bodies that are no object of this route."""
    yield "cut off", (good or b"{}")[:-1], JSON, {400}
    yield "an unknown field", b'{"surprise": 1}', JSON, {400}
    yield "null", b"null", JSON, {400}
    yield "a list", b"[1]", JSON, {400}
    yield "a text", b'"text"', JSON, {400}
    yield "a form", b"name=Gus", "application/x-www-form-urlencoded", {415}
    yield "plain text", good or b"{}", "text/plain", {415}
    yield "another charset", good or b"{}", "application/json; charset=utf-16", {415}


def _fields(body: Any) -> Iterator[tuple[str | int, ...]]:
    """The path of every value in a body, from the outside in."""
    items = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, value in items:
        yield (key,)
        for path in _fields(value):
            yield (key, *path)


def _changed(body: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """A copy with the value at `path` replaced."""
    copy = json.loads(json.dumps(body))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copy


def _send(its: Program, route: Route, address: str, body: bytes, content_type: str) -> Any:
    return its.client.generic(
        route.method,
        address,
        body,
        content_type=content_type,
        headers={"Authorization": f"Bearer {its.token}", "If-Match": "*"},
    )


@dataclass(frozen=True)
class Filled:
    """The ids of one of everything in the Herzclub, and a program that may everything, as often as it likes."""

    ids: dict[str, Any]
    its: Program


@pytest.fixture(scope="module")
def filled(django_db_setup: None, django_db_blocker: Any) -> Iterator[Filled]:
    with time_machine.travel(NOW), people_for_a_module(django_db_blocker) as people:
        yield Filled(ids=fill(people), its=program(people, people.owner, Scope.CLUB_ADMIN))


@pytest.fixture
def its(filled: Filled, db: None) -> Program:
    assert isinstance(filled.its.client, ContractClient)
    return filled.its


@pytest.fixture
def ids(filled: Filled, db: None) -> dict[str, Any]:
    return filled.ids


# Refused as they are read: none of them comes as far as a database.
@pytest.mark.one_database
@pytest.mark.parametrize("route", ROUTES, ids=[route.operation for route in ROUTES])
def test_bodies_that_are_none(its: Program, ids: dict[str, Any], route: Route) -> None:
    address = route.at("herzclub", ids)
    before = rows()
    if route.operation not in FILES:
        unreadable = _by_turns(ROUTES.index(route), 5, list(_unreadable()))
        for name, body, content_type, statuses in (*_whole_bodies(json.dumps(route.body).encode()), *unreadable):
            answer = _send(its, route, address, body, content_type)
            assert answer.status_code in statuses, (name, answer.status_code, answer.content[:300])
            _has_its_place(answer, name)
    # Once for all of them: to count takes longer than to refuse.
    assert rows() == before


# PostgreSQL refuses more than SQLite: too long, too large, NUL. What passes it was refused before it.
@pytest.mark.one_database
@pytest.mark.parametrize("route", ROUTES, ids=[route.operation for route in ROUTES])
def test_every_field_with_every_odd_value(its: Program, ids: dict[str, Any], route: Route) -> None:
    """What is taken after all (a name that is a space too long, no comment) is stored whole; all else not at all."""
    address = route.at("herzclub", ids)
    # One seat is like another.
    body = {"sessions": [opened("Ann")]} if route.operation == "record_sessions" else route.body
    before = rows()
    for turn, path in enumerate(_fields(body), ROUTES.index(route)):
        for value in _by_turns(turn, 3, ODD_VALUES):
            with transaction.atomic():
                answer = _send(its, route, address, json.dumps(_changed(body, path, value)).encode(), JSON)
                what = (path, value if len(str(value)) < 50 else str(value)[:50])
                assert answer.status_code < 500, (what, answer.content[:300])
                if answer.status_code < 400:
                    transaction.set_rollback(True)
                else:
                    _has_its_place(answer, what)
    assert rows() == before


def _has_its_place(answer: Any, what: object) -> None:
    assert answer["Content-Type"] == "application/problem+json", what
    document = answer.json()
    assert document["status"] == answer.status_code, what
    assert document["detail"], what
    if answer.status_code == 400:
        assert document["errors"], what
        for item in document["errors"]:
            assert item["code"], what
            assert item["detail"], what
            assert {"pointer", "parameter", "header"} & set(item), what
