"""Webhooks: a message stands exactly when its change does; endpoints are the admins' and their secrets shown once."""

import base64
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from celery.signals import after_task_publish
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from league.models import AuditEvent, DeliveryState, WebhookDelivery, WebhookEndpoint
from league.services import deliveries, webhooks
from league.services.access import Access
from league.services.errors import Conflict, Forbidden, InputError, NotFound
from tests.people import NAMES, NOW, People
from tests.receiver import Receiver, receiving
from tests.services.given import SEASON, carry_out, evening, record
from tests.services.test_bot_matches import ask, make_robots

pytestmark = pytest.mark.django_db

# A public address that nobody in these tests calls.
ELSEWHERE = "https://1.1.1.1/hook"
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    """The time stands still."""
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def admin(people: People) -> Access:
    return people.access(people.admin)


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """A receiver in an own network that may be called."""
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with receiving() as running:
        yield running


def endpoint_of(access: Access, url: str = ELSEWHERE, *events: str) -> WebhookEndpoint:
    """A new endpoint; without `events` it wants all."""
    return webhooks.create(access=access, url=url, description="", events=events, now=NOW)


def told(club: Any, event: str = "result.recorded") -> None:
    webhooks.emit(club=club, event=event, data={"session": 1}, now=NOW)


# --- Events -----------------------------------------------------------------------------------------------------------


def test_where_nobody_wants_it_an_event_costs_one_query(people: People) -> None:
    with CaptureQueriesContext(connection) as queries:
        webhooks.emit_all(club=people.club, events=[(event, {}) for event in webhooks.EVENTS], now=NOW)
    assert len(queries) == 1
    assert not WebhookDelivery.objects.exists()


def test_each_endpoint_gets_what_it_wants_as_one_message(people: People, admin: Access) -> None:
    wants_all = endpoint_of(admin)
    wants_two = endpoint_of(admin, ELSEWHERE, "session.finished", "result.recorded")
    wants_other = endpoint_of(admin, ELSEWHERE, "result.corrected")
    disabled = endpoint_of(admin)
    webhooks.update(access=admin, endpoint_id=disabled.pk, changes={"enabled": False}, now=NOW)
    endpoint_of(people.access(people.stranger))

    webhooks.emit_all(
        club=people.club,
        events=[("result.recorded", {"session": 7}), ("standings.changed", {"season": 2})],
        now=NOW,
    )
    rows = list(WebhookDelivery.objects.order_by("pk"))
    assert [(row.endpoint_id, row.event) for row in rows] == [
        (wants_all.pk, "result.recorded"),
        (wants_two.pk, "result.recorded"),
        (wants_all.pk, "standings.changed"),
    ]
    assert wants_other.pk not in {row.endpoint_id for row in rows}
    assert rows[0].message_id == rows[1].message_id != rows[2].message_id
    assert rows[0].message_id.startswith("msg_")
    expected = {"type": "result.recorded", "timestamp": "2026-11-30T20:15:00+00:00", "data": {"session": 7}}
    assert rows[0].payload == rows[1].payload == expected
    assert {(row.state, row.attempts, row.next_attempt_at, row.created_at) for row in rows} == {
        (DeliveryState.PENDING, 0, NOW, NOW)
    }


@pytest.mark.django_db(transaction=True)
def test_a_change_that_is_taken_back_tells_nobody(people: People, admin: Access) -> None:
    endpoint_of(admin)
    with pytest.raises(RuntimeError), transaction.atomic():
        told(people.club)
        assert WebhookDelivery.objects.count() == 1
        raise RuntimeError("something else went wrong")
    assert not WebhookDelivery.objects.exists()

    called: list[int] = []

    def note(body: Any, **_headers: Any) -> None:
        called.append(body[0][0])

    after_task_publish.connect(note)
    try:
        with transaction.atomic():
            told(people.club)
            assert called == []
        assert called == [WebhookDelivery.objects.get().pk], "a worker is called after the commit"
    finally:
        after_task_publish.disconnect(note)


def test_an_evening_tells_of_itself_in_ids_and_figures(people: People, admin: Access) -> None:
    endpoint_of(admin)
    session = record(people, evening("four-players"))
    rows = {row.event: row.payload["data"] for row in WebhookDelivery.objects.all()}
    about = {
        "session": session.pk,
        "season": people.season.pk,
        "format": "pure_xxl",
        "played_on": session.played_on.isoformat(),
        "status": "complete",
        "voided": False,
        "revision": session.revision,
    }
    players = sorted(session.seats.values_list("player_id", flat=True))
    assert rows == {
        "result.recorded": about,
        "session.finished": about,
        "standings.changed": {"season": people.season.pk, "players": players, "session": session.pk},
    }
    written = json.dumps(rows)
    assert not any(name in written for name in NAMES)


def test_a_bot_match_tells_that_it_is_finished(people: People, admin: Access, receiver: Receiver) -> None:
    endpoint = endpoint_of(admin, receiver.url, "bot_match.finished")
    make_robots(people)
    match = ask(people, season=SEASON)
    carry_out(match)
    match.refresh_from_db()
    (delivery,) = WebhookDelivery.objects.all()
    deliveries.deliver(delivery.pk)
    message = receiver.requests[0].verified(endpoint.secret)
    assert message["type"] == "bot_match.finished"
    assert message["data"] == {
        "bot_match": match.pk,
        "session": match.session_id,
        "season": people.season.pk,
        "game": match.game,
    }


# --- Endpoints --------------------------------------------------------------------------------------------------------


def test_a_new_endpoint_has_a_secret_of_its_own(admin: Access) -> None:
    one, other = endpoint_of(admin), endpoint_of(admin)
    assert one.secret.startswith("whsec_")
    # The specification asks for 24 to 64 bytes.
    assert len(base64.b64decode(one.secret.removeprefix("whsec_"), validate=True)) == 32
    assert one.secret != other.secret
    assert one.created_by_id == admin.actor.user_id


def test_what_can_not_be_is_refused_all_at_once(admin: Access) -> None:
    with pytest.raises(InputError) as error:
        webhooks.create(
            access=admin, url="ftp://x", description="x" * 101, events=["result.recorded", "dinner.served"], now=NOW
        )
    assert {(problem.path, problem.code) for problem in error.value.problems} == {
        (("url",), "invalid_url"),
        (("description",), "invalid"),
        (("events", 1), "unknown_event"),
    }
    with pytest.raises(InputError) as refusal:
        endpoint_of(admin, "http://192.168.0.1/")
    assert refusal.value.problems[0].code == "not_public"
    assert not WebhookEndpoint.objects.exists()


def test_a_club_has_twenty_at_most(admin: Access) -> None:
    for _number in range(20):
        endpoint_of(admin)
    with pytest.raises(Conflict):
        endpoint_of(admin)


def test_changes_leave_alone_what_they_do_not_name(admin: Access) -> None:
    made = webhooks.create(
        access=admin, url=ELSEWHERE, description="our  bot", events=["session.finished", "result.recorded"], now=NOW
    )
    assert (made.description, made.events) == ("our bot", ["result.recorded", "session.finished"])
    changed = webhooks.update(access=admin, endpoint_id=made.pk, changes={"description": ""}, now=NOW)
    assert (changed.url, changed.description, changed.events) == (ELSEWHERE, "", made.events)
    webhooks.update(access=admin, endpoint_id=made.pk, changes={"url": ELSEWHERE + "2", "events": []}, now=NOW)
    stored = WebhookEndpoint.objects.get()
    assert (stored.url, stored.events, stored.secret) == (ELSEWHERE + "2", [], made.secret)
    with pytest.raises(InputError):
        webhooks.update(access=admin, endpoint_id=made.pk, changes={"url": "http://127.0.0.1/"}, now=NOW)


def test_what_waits_when_an_endpoint_is_disabled_has_failed_and_can_be_replayed(
    people: People, admin: Access, receiver: Receiver
) -> None:
    endpoint = endpoint_of(admin, receiver.url)
    told(people.club)
    webhooks.update(access=admin, endpoint_id=endpoint.pk, changes={"enabled": False}, now=NOW + HOUR)
    stored = WebhookEndpoint.objects.get()
    assert (stored.disabled_at, stored.disabled_reason) == (NOW + HOUR, "by_hand")
    told(people.club)  # nobody hears of this one
    delivery = WebhookDelivery.objects.get()
    assert (delivery.state, delivery.finished_at) == (DeliveryState.FAILED, NOW + HOUR)
    for refused in (
        lambda: webhooks.ping(access=admin, endpoint_id=endpoint.pk, now=NOW),
        lambda: webhooks.replay(access=admin, endpoint_id=endpoint.pk, delivery_id=delivery.pk, now=NOW),
        lambda: webhooks.replay_failed(access=admin, endpoint_id=endpoint.pk, since=NOW, now=NOW),
    ):
        with pytest.raises(Conflict):
            refused()

    webhooks.update(access=admin, endpoint_id=endpoint.pk, changes={"enabled": True}, now=NOW + 2 * HOUR)
    assert WebhookEndpoint.objects.get().disabled_at is None
    assert webhooks.replay_failed(access=admin, endpoint_id=endpoint.pk, since=NOW + HOUR, now=NOW) == 0
    assert webhooks.replay_failed(access=admin, endpoint_id=endpoint.pk, since=NOW, now=NOW) == 1
    deliveries.deliver(delivery.pk)
    assert receiver.requests[0].verified(endpoint.secret)["type"] == "result.recorded"
    assert receiver.requests[0].headers["webhook-id"] == delivery.message_id
    # What was delivered has not failed: a second time there is nothing to replay.
    assert webhooks.replay_failed(access=admin, endpoint_id=endpoint.pk, since=NOW, now=NOW) == 0


def test_every_change_is_in_the_audit_trail_without_names_and_addresses(people: People, admin: Access) -> None:
    pk = endpoint_of(admin).pk
    told(people.club)
    delivery = WebhookDelivery.objects.get().pk
    given: Any = {"access": admin, "endpoint_id": pk, "now": NOW}
    webhooks.update(changes={"description": "Ann's bot"}, **given)
    webhooks.update(changes={"description": "Ann's bot"}, **given)  # changes nothing
    webhooks.rotate(**given)
    webhooks.ping(**given)
    webhooks.replay(delivery_id=delivery, **given)
    webhooks.update(changes={"enabled": False}, **given)
    webhooks.update(changes={"enabled": True}, **given)
    webhooks.replay_failed(since=NOW, **given)
    webhooks.delete(**given)
    events = list(AuditEvent.objects.filter(object_id=pk, action__startswith="webhook.").order_by("pk"))
    assert [(event.action, event.data) for event in events] == [
        ("webhook.created", {}),
        ("webhook.updated", {"fields": ["description"]}),
        ("webhook.rotated", {}),
        ("webhook.pinged", {}),
        ("webhook.replayed", {"deliveries": 1}),
        ("webhook.disabled", {"reason": "by_hand"}),
        ("webhook.enabled", {}),
        ("webhook.replayed", {"deliveries": 1}),
        ("webhook.deleted", {}),
    ]
    written = json.dumps([event.data for event in events])
    assert not any(word in written for word in (*NAMES, "1.1.1.1", "whsec"))
    assert not WebhookDelivery.objects.exists()


def test_only_admins_of_the_club_touch_its_endpoints(people: People, admin: Access) -> None:
    pk = endpoint_of(admin).pk
    told(people.club)
    delivery = WebhookDelivery.objects.get().pk
    calls: list[Any] = [
        lambda by: webhooks.update(access=by, endpoint_id=pk, changes={"enabled": False}, now=NOW),
        lambda by: webhooks.rotate(access=by, endpoint_id=pk, now=NOW),
        lambda by: webhooks.ping(access=by, endpoint_id=pk, now=NOW),
        lambda by: webhooks.replay(access=by, endpoint_id=pk, delivery_id=delivery, now=NOW),
        lambda by: webhooks.replay_failed(access=by, endpoint_id=pk, since=NOW, now=NOW),
        lambda by: webhooks.delete(access=by, endpoint_id=pk, now=NOW),
    ]
    for call in calls:
        with pytest.raises(NotFound):
            call(people.access(people.stranger))
        with pytest.raises(Forbidden):
            call(people.access(people.scorekeeper))
    with pytest.raises(Forbidden):
        endpoint_of(people.access(people.scorekeeper))
    # Nor a delivery of another endpoint of the same club.
    with pytest.raises(NotFound):
        webhooks.replay(access=admin, endpoint_id=endpoint_of(admin).pk, delivery_id=delivery, now=NOW)
