"""A board is asked for while changes are under way: what is kept is never older than its state.

Two transactions at once: on PostgreSQL alone, since SQLite has one writer.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from league.models import AuditEvent
from league.services import divisions, players
from tests.people import NOW, People
from tests.services.given import record, series
from tests.web.conftest import BOARD

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.two_writers]
PATIENCE = 30  # seconds


def _run(call: Callable[[], Any]) -> Thread:
    """Begin a call in a thread with a connection of its own."""

    def run() -> None:
        try:
            call()
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    return thread


@contextmanager
def held_back(change: Callable[[], Any]) -> Iterator[None]:
    """A change whose transaction is committed at the end of the block."""
    changed, go_on = Event(), Event()

    def run() -> None:
        with transaction.atomic():
            change()
            changed.set()
            assert go_on.wait(PATIENCE)

    thread = _run(run)
    try:
        assert changed.wait(PATIENCE)
        yield
    finally:
        go_on.set()
        thread.join(PATIENCE)
    assert not thread.is_alive()


def test_a_change_that_is_committed_after_a_later_one_is_shown(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2}))
    client = Client()

    def rename() -> None:
        access, changes = people.access(people.admin), {"name": "Anna"}
        players.update(access=access, player_id=people.players[0].pk, changes=changes, now=NOW)

    with held_back(rename):
        # Neither waits for the other; the event of the renaming has the lower id and is committed later.
        record(people, series({"Dora": 1, "Ben": 2}))
        page = client.get(BOARD)
        assert "Dora" in page.content.decode()
        assert "Anna" not in page.content.decode()
        assert client.get(BOARD, headers={"if-none-match": page["ETag"]}).status_code == 304
    events = AuditEvent.objects.order_by("pk").values_list("action", flat=True)
    assert list(events) == ["session.recorded", "player.updated", "session.recorded"]
    later = client.get(BOARD, headers={"if-none-match": page["ETag"]})
    assert later.status_code == 200
    assert "Anna" in later.content.decode()
    assert "Dora" in later.content.decode()


@pytest.mark.parametrize("who", [None, "member"])
def test_a_change_while_the_page_is_read_leaves_nothing_old_behind(people: People, who: str | None) -> None:
    record(people, series({"Ann": 1, "Ben": 2}))
    client = Client()
    if who is not None:
        client.force_login(getattr(people, who))
    told: list[str] = []

    def record_in_between(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        """Before the rows of the table are read, after the state was."""
        if 'FROM "league_standing"' in sql and not told:
            told.append(sql)
            _run(lambda: record(people, series({"Dora": 1, "Ben": 2}))).join(PATIENCE)
        return execute(sql, *rest)

    with connection.execute_wrapper(record_in_between):
        first = client.get(BOARD)
    assert told
    assert "Dora" in first.content.decode()
    # What was kept of it is kept under the state before, which nobody reads any more.
    second = client.get(BOARD, headers={"if-none-match": first["ETag"]})
    assert second.status_code == 200
    assert "Dora" in second.content.decode()
    assert client.get(BOARD, headers={"if-none-match": second["ETag"]}).status_code == 304


def test_two_at_one_season_leave_one_state_after_the_other(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2}))
    client = Client()
    tags = [client.get(BOARD)["ETag"]]
    given: dict[str, Any] = {"access": people.access(people.admin), "season_id": people.season.pk, "now": NOW}
    with held_back(lambda: divisions.create(**given, fields={"name": "First"})):
        waiting = _run(lambda: record(people, series({"Dora": 1, "Ben": 2})))
        tags.append(client.get(BOARD)["ETag"])
    waiting.join(PATIENCE)
    assert tags[0] == tags[1]
    last = client.get(BOARD)
    assert last["ETag"] not in tags
    assert "Dora" in last.content.decode()
    assert "In no division" in last.content.decode()
