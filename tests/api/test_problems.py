"""Every error is a problem document (RFC 9457) that tells nothing of the inside."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection
from django.test import Client

from api.problems import KINDS
from league.services import players
from tests.api.client import API, Program, places
from tests.people import People


@pytest.mark.parametrize("path", ["/", "/nothing/", "/clubs", "/clubs/herzclub/nothing/", "/clubs/a b/", "/%00/"])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_an_unknown_address(scorer: Program, path: str, method: str) -> None:
    answer = scorer.send(method, API + path, {})
    assert answer.status_code == 404
    assert places(answer) == []
    assert set(answer.json()) == {"type", "title", "status", "detail"}


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE"])
def test_a_method_that_the_address_does_not_know(scorer: Program, method: str) -> None:
    answer = scorer.send(method, "players/")
    assert answer.status_code == 405
    assert set(answer["Allow"].split(", ")) == {"GET", "HEAD", "POST"}
    assert places(answer) == []


def test_types_lead_to_their_explanation(scorer: Program, client: Any) -> None:
    kinds = [
        scorer.get("nothing/").json(),
        scorer.send("PUT", "players/").json(),
        scorer.post("players/", {}).json(),
    ]
    for document in kinds:
        page, _hash, anchor = document["type"].partition("#")
        answer = client.get(page)
        assert answer.status_code == 200
        assert f'id="{anchor}"' in answer.content.decode()
    text = client.get(page, headers={"Accept-Language": "de"}).content.decode()
    assert all(f'id="{kind.slug}"' in text for kind in KINDS)


def _break(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def broken(**kwargs: Any) -> None:
        raise error

    monkeypatch.setattr(players, "create", broken)


def test_an_error_of_ours_says_nothing_of_the_inside(
    scorer: Program, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _break(monkeypatch, RuntimeError("secret path /srv/x"))
    scorer.client = Client()  # the description promises that this does not happen
    answer = scorer.post("players/", {"name": "Gus"})
    assert answer.status_code == 500
    assert places(answer) == []
    assert b"secret" not in answer.content
    assert b"RuntimeError" not in answer.content
    logged = [record for record in caplog.records if record.name == "league.api" and record.levelno == logging.ERROR]
    assert len(logged) == 1
    assert "secret path" in (logged[0].exc_text or "")


def test_a_constraint_that_was_hit_after_all_is_a_conflict(scorer: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    _break(monkeypatch, IntegrityError("duplicate key value violates"))
    answer = scorer.post("players/", {"name": "Gus"})
    assert answer.status_code == 409
    assert b"duplicate key" not in answer.content


def test_a_busy_database_asks_for_a_repeat(scorer: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    _break(monkeypatch, OperationalError("database is locked"))
    answer = scorer.post("players/", {"name": "Gus"})
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) >= 1
    assert b"locked" not in answer.content


@contextmanager
def _impatient() -> Iterator[None]:
    """Let this connection wait for a lock for 0.2 seconds only."""
    short, usual = ("SET lock_timeout = '200ms'", "SET lock_timeout = '10s'")
    if connection.vendor == "sqlite":
        short, usual = ("PRAGMA busy_timeout = 200", "PRAGMA busy_timeout = 20000")
    with connection.cursor() as cursor:
        cursor.execute(short)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(usual)


@pytest.mark.django_db(transaction=True)
def test_a_database_locked_by_another_connection(people: People, admin: Program) -> None:
    """The real thing: someone else holds the club's row (PostgreSQL) or the whole database (SQLite) for too long."""
    # The use of a token is noted once a minute, which would bring the usual patience back.
    admin.get("")
    other = connection.copy()
    try:
        with transaction_of(other), _impatient():
            answer = admin.patch("", {"name": "Karoclub"})
    finally:
        other.close()
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) >= 1
    assert admin.get("").json()["name"] == "Herzclub"


@contextmanager
def transaction_of(other: Any) -> Iterator[None]:
    """Hold the Herzclub's row on another connection, and give it back unchanged."""
    other.connect()
    other.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    with other.cursor() as cursor:
        cursor.execute("UPDATE league_club SET name = name WHERE slug = 'herzclub'")
    yield
    other.rollback()
