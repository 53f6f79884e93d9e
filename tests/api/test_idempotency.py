"""`Idempotency-Key`: one effect, and the first answer again; also for requests at the same time, on both databases."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
import requests
from django.db import connection
from django.test import Client

from api import idempotency
from league.models import AuditEvent, IdempotencyRecord, Player, Session, Standing
from league.services import results
from tests.api.client import CLUB, Program, places
from tests.api.evenings import SIX_GAMES, evening, opened
from tests.people import NOW, People

pytestmark = pytest.mark.both_databases

KEY = "5f2b6d9e-1a7c-4f5e-9d41-0c8f3b2a7e66"


def test_a_repeat_gets_the_first_answer_byte_for_byte(scorer: Program) -> None:
    posted, _worked = evening("four-players")
    first = scorer.post("sessions/", posted, Idempotency_Key=KEY)
    assert first.status_code == 201
    assert "Idempotent-Replayed" not in first
    # The order of the keys and spaces are no part of what is asked for.
    again = scorer.post("sessions/", dict(reversed(posted.items())), Idempotency_Key=KEY)
    assert (again.status_code, again.content, again["Location"]) == (201, first.content, first["Location"])
    assert again["Idempotent-Replayed"] == "true"
    assert again["Content-Type"] == first["Content-Type"]
    assert Session.objects.count() == 1


def test_the_first_answer_stays_when_things_have_moved_on(scorer: Program) -> None:
    first = scorer.post("sessions/", opened("Ann", "Ben"), Idempotency_Key=KEY)
    scorer.post(f"{first.json()['url']}rounds/", SIX_GAMES[0])
    assert scorer.post("sessions/", opened("Ann", "Ben"), Idempotency_Key=KEY).content == first.content


@pytest.mark.parametrize("path", ["sessions/", "players/"])
def test_another_request_with_the_key_is_refused(scorer: Program, path: str) -> None:
    scorer.post("sessions/", opened("Ann", "Ben"), Idempotency_Key=KEY)
    other = opened("Ann", "Cem") if path == "sessions/" else {"name": "Gus"}
    answer = scorer.post(path, other, Idempotency_Key=KEY)
    assert answer.status_code == 422
    assert places(answer) == [("", "idempotency_key_reused")]
    assert answer.json()["errors"][0]["header"] == "Idempotency-Key"
    assert (Session.objects.count(), Player.objects.count()) == (1, 12)


def test_keys_of_different_programs_never_meet(scorer: Program, admin: Program) -> None:
    first = scorer.post("sessions/", opened("Ann", "Ben"), Idempotency_Key=KEY)
    again = opened("Ann", "Ben", confirm=["possible_duplicate"])
    second = admin.post("sessions/", again, Idempotency_Key=KEY)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json()["id"] != second.json()["id"]


def test_an_error_is_not_kept(scorer: Program) -> None:
    """What was refused can be sent again under its key: confirmed, or once what it needs is there."""
    body = opened("Ann", "Gus")
    assert scorer.post("sessions/", body, Idempotency_Key=KEY).status_code == 400
    scorer.post("players/", {"name": "Gus"})
    accepted = scorer.post("sessions/", body, Idempotency_Key=KEY)
    assert accepted.status_code == 201
    assert "Idempotent-Replayed" not in accepted


def test_an_effect_that_fails_half_way_leaves_no_record(scorer: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("after everything was written")

    with monkeypatch.context() as patch:
        patch.setattr("api.views.sessions.session_url", broken)
        scorer.client = Client()  # the description promises that this does not happen
        assert scorer.post("sessions/", evening("four-players")[0], Idempotency_Key=KEY).status_code == 500
    counts = [model.objects.count() for model in (Session, IdempotencyRecord, Standing, AuditEvent)]
    assert counts[:3] == [0, 0, 0]
    assert scorer.post("sessions/", evening("four-players")[0], Idempotency_Key=KEY).status_code == 201


@pytest.mark.parametrize("key", ["", " ", "a b", "ä", "x" * 256])
def test_an_odd_key(scorer: Program, key: str) -> None:
    answer = scorer.post("players/", {"name": "Gus"}, Idempotency_Key=key)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["header"] == "Idempotency-Key"
    assert Player.objects.count() == 12


def test_the_longest_key(scorer: Program) -> None:
    for _time in range(2):
        assert scorer.post("players/", {"name": "Gus"}, Idempotency_Key="~" * 255).status_code == 201


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("players/", {"name": "Gus"}),
        ("leagues/", {"name": "Tuesdays", "slug": "tuesdays"}),
        ("members/", {"username": "stranger"}),
    ],
)
def test_what_would_conflict_without_a_key_is_repeated_with_one(
    admin: Program, people: People, path: str, body: Any
) -> None:
    first = admin.post(path, body, Idempotency_Key=KEY)
    assert first.status_code == 201
    assert admin.post(path, body, Idempotency_Key=KEY).content == first.content
    assert admin.post(path, body).status_code == 409


def test_rounds_and_the_rest_of_an_evening(scorer: Program, people: People) -> None:
    url = scorer.post("sessions/", opened("Ann", "Ben")).json()["url"]
    steps: list[tuple[str, Any, int]] = [
        ("rounds/", SIX_GAMES[0], 201),
        ("players/", {"player": "Cem"}, 201),
        (f"players/{people.players[2].pk}/leave/", None, 200),
        ("end/", {"confirm": ["ends_early"]}, 200),
    ]
    for number, (path, body, status) in enumerate(steps):
        first = scorer.post(url + path, body, Idempotency_Key=f"step-{number}")
        assert first.status_code == status, first.content
        again = scorer.post(url + path, body, Idempotency_Key=f"step-{number}")
        assert (again.status_code, again.content) == (status, first.content)
    assert len(scorer.get(url).json()["rounds"]) == 1


def test_a_token_is_made_without_a_key(admin: Program) -> None:
    """Its answer holds a secret, and no secret is stored."""
    answer = admin.post("tokens/", {"name": "app"}, Idempotency_Key=KEY)
    assert answer.status_code == 400
    assert places(answer) == [("", "not_repeatable")]
    assert IdempotencyRecord.objects.count() == 0


# --- At the same time -------------------------------------------------------------------------------------------------


def _at_once(url: str, program: Program, body: Any, *, times: int, key: str | None) -> list[requests.Response]:
    start = Barrier(times)
    headers = {"Authorization": f"Bearer {program.token}", **({"Idempotency-Key": key} if key else {})}

    def post(_number: int) -> requests.Response:
        start.wait()
        return requests.post(url, json=body, headers=headers, timeout=120)

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(post, range(times)))


@pytest.mark.django_db(transaction=True)
def test_eight_equal_requests_at_once_have_one_effect(live_server: Any, people: People, scorer: Program) -> None:
    posted, _worked = evening("six-players-twice")
    answers = _at_once(f"{live_server.url}{CLUB}/sessions/", scorer, posted, times=8, key=KEY)
    assert Session.objects.count() == 1
    assert AuditEvent.objects.filter(action="session.recorded").count() == 1
    assert {one.sessions for one in Standing.objects.all()} == {1}
    good = [one for one in answers if one.status_code == 201]
    assert len({one.content for one in good}) == 1
    assert sum("Idempotent-Replayed" not in one.headers for one in good) == 1
    # None has to give up here: each waits for one short transaction.
    assert len(good) == len(answers), [one.text for one in answers]


@pytest.mark.django_db(transaction=True)
def test_rounds_at_once_are_played_once(live_server: Any, people: People, scorer: Program) -> None:
    url = scorer.post("sessions/", opened("Ann", "Ben")).json()["url"]
    answers = _at_once(f"{live_server.url}{url}rounds/", scorer, SIX_GAMES[0], times=4, key=KEY)
    assert {one.status_code for one in answers} == {201}
    assert len(scorer.get(url).json()["rounds"]) == 1


@pytest.mark.django_db(transaction=True)
def test_different_keys_do_not_hinder_each_other(live_server: Any, people: People, scorer: Program) -> None:
    posted = {**evening("four-players")[0], "confirm": ["possible_duplicate"]}
    url = f"{live_server.url}{CLUB}/sessions/"
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda n: _at_once(url, scorer, posted, times=1, key=f"key-{n}")[0], range(8)))
    assert {one.status_code for one in answers} == {201}
    assert Session.objects.count() == 8
    assert {one.sessions for one in Standing.objects.all()} == {8}


@contextmanager
def _first_request_still_going_on(actor: str) -> Iterator[None]:
    """Hold the record of another request, uncommitted, as one that takes long does."""
    other = connection.copy()
    other.connect()
    other.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    try:
        with other.cursor() as cursor:
            cursor.execute(
                "INSERT INTO league_idempotencyrecord (actor, key, fingerprint, body, location, created_at)"
                " VALUES (%s, %s, '', '', '', %s)",
                [actor, KEY, NOW - timedelta(seconds=9)],
            )
        yield
        other.rollback()
    finally:
        other.close()


@pytest.mark.django_db(transaction=True)
def test_a_first_request_that_takes_too_long(people: People, scorer: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL waits for that one key and answers 409; SQLite has one lock for everything and answers 503."""
    monkeypatch.setattr(idempotency, "WAIT_SECONDS", 0.2)
    prefix = scorer.token.split("_")[1]
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM league_apitoken WHERE prefix = %s", [prefix])
        (token_id,) = cursor.fetchone()
    # Noted once a minute; without this the token itself would wait for SQLite's lock.
    scorer.get("")
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 200")
    try:
        with _first_request_still_going_on(f"token:{token_id}"):
            answer = scorer.post("players/", {"name": "Gus"}, Idempotency_Key=KEY)
    finally:
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA busy_timeout = 20000")
    assert answer.status_code == (503 if connection.vendor == "sqlite" else 409)
    assert int(answer["Retry-After"]) >= 1
    assert places(answer) == []
    assert Player.objects.count() == 12
    assert scorer.post("players/", {"name": "Gus"}, Idempotency_Key=KEY).status_code == 201


def test_the_lock_that_was_waited_with_is_the_usual_one_again(scorer: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short patience is for the key alone; the effect waits for its rows as any other."""
    if connection.vendor == "postgresql":
        seen = []
        record = results.record_sheet

        def noted(**kwargs: Any) -> Any:
            with connection.cursor() as cursor:
                cursor.execute("SHOW lock_timeout")
                seen.append(cursor.fetchone()[0])
            return record(**kwargs)

        monkeypatch.setattr(results, "record_sheet", noted)
        scorer.post("sessions/", opened("Ann", "Ben"))
        scorer.post("sessions/", opened("Cem", "Dora"), Idempotency_Key=KEY)
        assert seen == ["10s", "10s"]
