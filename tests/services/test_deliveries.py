"""Deliveries: signed, tried for three days, written once by one worker, to a real receiver on this machine."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.utils import timezone
from standardwebhooks import Webhook, WebhookVerificationError

from league.models import AuditEvent, DeliveryState, Job, WebhookAttempt, WebhookDelivery, WebhookEndpoint
from league.services import deliveries, outbound, webhooks
from league.services.access import Access
from league.services.errors import Conflict
from tests.people import NOW, People
from tests.product import Product, database_url, wait_for
from tests.receiver import Receiver, receiving, status
from tests.services.test_bot_matches import ask, make_robots
from tests.services.threads import at_once

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
# docs/webhooks.md, "When a call fails": the wait after each failed attempt.
SCHEDULE = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with receiving() as running:
        yield running


@pytest.fixture
def clock() -> Iterator[Any]:
    """The time, standing still until a test moves it."""
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def admin(people: People) -> Access:
    return people.access(people.admin)


@pytest.fixture
def endpoint(admin: Access, receiver: Receiver) -> WebhookEndpoint:
    return webhooks.create(access=admin, url=receiver.url, description="", events=[], now=timezone.now())


def _told(endpoint: WebhookEndpoint, session: int = 1) -> WebhookDelivery:
    webhooks.emit(club=endpoint.club, event="result.recorded", data={"session": session}, now=timezone.now())
    return WebhookDelivery.objects.latest("pk")


def _fresh(delivery: WebhookDelivery) -> WebhookDelivery:
    return WebhookDelivery.objects.get(pk=delivery.pk)


# --- One call ---------------------------------------------------------------------------------------------------------


def test_a_message_arrives_signed_after_the_specification(endpoint: WebhookEndpoint, receiver: Receiver) -> None:
    receiver.answers.append(status(200, b"thanks"))
    delivery = _told(endpoint, 7)
    deliveries.deliver(delivery.pk)
    (request,) = receiver.requests
    message = request.verified(endpoint.secret)
    assert (message["type"], message["data"]) == ("result.recorded", {"session": 7})
    assert datetime.fromisoformat(message["timestamp"]) == delivery.created_at
    assert request.headers["webhook-id"] == delivery.message_id
    assert request.headers["content-type"] == "application/json"
    with pytest.raises(WebhookVerificationError):
        Webhook(endpoint.secret).verify(request.body.replace(b"7", b"8"), request.headers)

    delivery = _fresh(delivery)
    assert (delivery.state, delivery.attempts, delivery.lease_until) == (DeliveryState.DELIVERED, 1, None)
    assert delivery.finished_at is not None
    (attempt,) = WebhookAttempt.objects.all()
    assert (attempt.number, attempt.status, attempt.error, attempt.answer) == (1, 200, "", "thanks")

    deliveries.deliver(delivery.pk)
    assert len(receiver.requests) == 1, "what was delivered is not sent again"


def test_after_a_rotation_both_secrets_sign_for_a_day(
    endpoint: WebhookEndpoint, receiver: Receiver, admin: Access, clock: Any
) -> None:
    old = endpoint.secret
    new = webhooks.rotate(access=admin, endpoint_id=endpoint.pk, now=NOW).secret
    assert new != old
    secrets = [old, new]

    def signed_by() -> set[str]:
        deliveries.deliver(_told(endpoint).pk)
        request = receiver.requests[-1]
        found = set()
        for secret in secrets:
            try:
                request.verified(secret)
            except WebhookVerificationError:
                continue
            found.add(secret)
        assert len(request.headers["webhook-signature"].split(" ")) == len(found)
        return found

    assert signed_by() == {old, new}
    clock.move_to(NOW + DAY - SECOND)
    assert signed_by() == {old, new}
    clock.move_to(NOW + DAY)
    assert signed_by() == {new}
    # A second rotation ends the first secret: two sign at most.
    secrets.append(webhooks.rotate(access=admin, endpoint_id=endpoint.pk, now=NOW + DAY).secret)
    assert signed_by() == set(secrets[1:])


# --- Trying again -----------------------------------------------------------------------------------------------------


def test_a_failing_receiver_is_called_ten_times_in_three_days(
    endpoint: WebhookEndpoint, receiver: Receiver, clock: Any
) -> None:
    receiver.answers += [status(code) for code in (500, 301, 404, 400, 503, 429, 401, 500, 500, 500)]
    delivery = _told(endpoint)
    now = NOW
    for number, wait in enumerate(SCHEDULE, start=1):
        deliveries.deliver(delivery.pk)
        row = _fresh(delivery)
        assert (row.state, row.attempts, row.lease_until) == (DeliveryState.PENDING, number, None)
        assert row.next_attempt_at is not None
        assert wait <= row.next_attempt_at - now <= wait * 1.1
        clock.move_to(row.next_attempt_at - SECOND / 10)
        deliveries.deliver(delivery.pk)  # too early
        assert len(receiver.requests) == number
        now = row.next_attempt_at
        clock.move_to(now)
    deliveries.deliver(delivery.pk)
    row = _fresh(delivery)
    assert (row.state, row.attempts, row.next_attempt_at) == (DeliveryState.FAILED, 10, None)
    assert 3 * DAY <= now - NOW <= 3.5 * DAY
    logged = list(WebhookAttempt.objects.values_list("number", "status"))
    assert logged == list(enumerate((500, 301, 404, 400, 503, 429, 401, 500, 500, 500), start=1))
    assert len({request.headers["webhook-id"] for request in receiver.requests}) == 1
    assert len({request.body for request in receiver.requests}) == 1
    # Each is signed anew: a receiver refuses times that are long ago.
    assert len({request.headers["webhook-timestamp"] for request in receiver.requests}) == 10


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("120", 120 * SECOND),
        ("Mon, 30 Nov 2026 21:15:00 GMT", HOUR),
        ("1", 5 * SECOND),  # the schedule's own wait is longer
        ("0", 5 * SECOND),
        ("Mon, 30 Nov 2026 19:15:00 GMT", 5 * SECOND),
        ("999999999999999999999", DAY),
        ("Thu, 30 Nov 2028 21:15:00 GMT", DAY),
        ("-5", 5 * SECOND),
        ("soon", 5 * SECOND),
        ("", 5 * SECOND),
    ],
)
def test_a_receiver_may_ask_for_a_longer_wait(
    endpoint: WebhookEndpoint, receiver: Receiver, clock: Any, header: str, wait: timedelta
) -> None:
    receiver.answers.append(status(429, Retry_After=header))
    delivery = _told(endpoint)
    deliveries.deliver(delivery.pk)
    row = _fresh(delivery)
    assert row.next_attempt_at is not None
    assert wait <= row.next_attempt_at - NOW <= wait * 1.1
    # Then nothing else is sent meanwhile either.
    other = _told(endpoint)
    deliveries.deliver(other.pk)
    assert (_fresh(other).attempts == 0) == (wait > 5 * SECOND or header == "1")


def test_one_that_hangs_holds_a_worker_for_one_call_a_minute(
    endpoint: WebhookEndpoint, receiver: Receiver, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.move_to(NOW, tick=True)
    first, second = _told(endpoint), _told(endpoint)
    receiver.answers.append(receiver.hang)
    # Only while it hangs: a busy machine may need longer than that for an answer that comes.
    with monkeypatch.context() as impatient:
        impatient.setattr(outbound, "SECONDS", 1.0)
        for delivery in (first, second):
            deliveries.deliver(delivery.pk)
    # The receiver may have been too busy to see that one in so short a time, but there is no other.
    assert len(receiver.requests) <= 1
    receiver.answers.clear()
    (attempt,) = WebhookAttempt.objects.all()
    assert (attempt.delivery_id, attempt.status, attempt.error) == (first.pk, None, "timeout")
    assert attempt.milliseconds >= 1000
    assert deliveries.sweep() == 0
    later = timezone.now() + MINUTE
    assert deliveries.sweep(now=later) == 2
    clock.move_to(later, tick=True)
    for delivery in (second, first):
        deliveries.deliver(delivery.pk)
    assert [_fresh(one).state for one in (first, second)] == [DeliveryState.DELIVERED] * 2
    row = WebhookEndpoint.objects.get()
    assert (row.failing_since, row.paused_until) == (None, None)


def test_an_endpoint_that_moved_inside_is_not_called(
    endpoint: WebhookEndpoint, receiver: Receiver, settings: Any
) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = False
    deliveries.deliver(_told(endpoint).pk)
    assert receiver.requests == []
    assert WebhookAttempt.objects.get().error == "not_public"


def test_gone_disables_the_endpoint(endpoint: WebhookEndpoint, receiver: Receiver) -> None:
    first, second = _told(endpoint), _told(endpoint)
    receiver.answers.append(status(410))
    deliveries.deliver(first.pk)
    row = WebhookEndpoint.objects.get()
    assert row.disabled_at is not None
    assert row.disabled_reason == "gone"
    event = AuditEvent.objects.get(action="webhook.disabled")
    assert (event.object_id, event.data) == (endpoint.pk, {"reason": "gone"})
    assert (event.user_id, event.token_id) == (None, None)
    assert {_fresh(one).state for one in (first, second)} == {DeliveryState.FAILED}
    assert deliveries.sweep() == 0
    deliveries.deliver(second.pk)
    assert len(receiver.requests) == 1


def test_one_that_fails_for_five_days_is_disabled(endpoint: WebhookEndpoint, receiver: Receiver, clock: Any) -> None:
    for passed, disabled in ((timedelta(0), False), (5 * DAY - SECOND, False), (5 * DAY, True)):
        clock.move_to(NOW + passed)
        receiver.answers.append(status(500))
        deliveries.deliver(_told(endpoint).pk)
        assert (WebhookEndpoint.objects.get().disabled_at is not None) == disabled
    assert WebhookEndpoint.objects.get().disabled_reason == "failing"
    assert AuditEvent.objects.get(action="webhook.disabled").data == {"reason": "failing"}
    assert not WebhookDelivery.objects.filter(state=DeliveryState.PENDING).exists()


def test_a_call_that_goes_well_begins_the_five_days_anew(
    endpoint: WebhookEndpoint, receiver: Receiver, clock: Any
) -> None:
    for passed, code in ((timedelta(0), 500), (DAY, 204), (2 * DAY, 500), (6 * DAY, 500)):
        clock.move_to(NOW + passed)
        receiver.answers.append(status(code))
        deliveries.deliver(_told(endpoint).pk)
    row = WebhookEndpoint.objects.get()
    assert (row.failing_since, row.disabled_at) == (NOW + 2 * DAY, None)


# --- Ping and replay --------------------------------------------------------------------------------------------------


def test_a_ping_is_sent_once_even_during_a_pause(
    endpoint: WebhookEndpoint, receiver: Receiver, admin: Access, clock: Any
) -> None:
    WebhookEndpoint.objects.update(paused_until=NOW + HOUR, failing_since=NOW)
    sent = webhooks.ping(access=admin, endpoint_id=endpoint.pk, now=NOW)
    receiver.answers.append(status(500))
    deliveries.deliver(sent.pk)
    assert receiver.requests[0].verified(endpoint.secret) == {
        "type": "webhook.ping",
        "timestamp": "2026-11-30T20:15:00+00:00",
        "data": {"webhook": endpoint.pk},
    }
    assert (_fresh(sent).state, _fresh(sent).attempts) == (DeliveryState.FAILED, 1)
    assert webhooks.replay_failed(access=admin, endpoint_id=endpoint.pk, since=NOW, now=NOW) == 0

    deliveries.deliver(webhooks.ping(access=admin, endpoint_id=endpoint.pk, now=NOW).pk)
    row = WebhookEndpoint.objects.get()
    assert (row.failing_since, row.paused_until) == (None, None), "it works again: what waits goes out"


def test_a_replay_is_the_same_message_with_a_new_schedule(
    endpoint: WebhookEndpoint, receiver: Receiver, admin: Access, clock: Any
) -> None:
    delivery = _told(endpoint)
    WebhookDelivery.objects.update(attempts=9)
    receiver.answers.append(status(500))
    deliveries.deliver(delivery.pk)
    assert (_fresh(delivery).state, _fresh(delivery).attempts) == (DeliveryState.FAILED, 10)
    again = partial(webhooks.replay, access=admin, endpoint_id=endpoint.pk, delivery_id=delivery.pk, now=NOW)

    again()
    receiver.answers.append(status(500))
    deliveries.deliver(delivery.pk)
    row = _fresh(delivery)
    assert (row.state, row.attempts) == (DeliveryState.PENDING, 11)
    assert row.next_attempt_at is not None
    assert 5 * SECOND <= row.next_attempt_at - NOW <= 5.5 * SECOND
    again()  # also of one that waits: now rather than later
    deliveries.deliver(delivery.pk)
    assert (_fresh(delivery).state, _fresh(delivery).attempts) == (DeliveryState.DELIVERED, 12)
    again()  # and of one that arrived
    deliveries.deliver(delivery.pk)
    assert len({request.headers["webhook-id"] for request in receiver.requests}) == 1
    assert list(WebhookAttempt.objects.values_list("number", flat=True)) == [10, 11, 12, 13]

    again()
    deliveries.claim(delivery_id=delivery.pk, now=NOW)
    with pytest.raises(Conflict):
        again()


# --- Workers ----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_eight_workers_at_once_deliver_once(endpoint: WebhookEndpoint, receiver: Receiver) -> None:
    delivery = _told(endpoint)
    assert at_once([partial(deliveries.deliver, delivery.pk) for _ in range(8)]) == [None] * 8
    assert len(receiver.requests) == 1
    assert _fresh(delivery).attempts == 1
    assert WebhookAttempt.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_eight_one_gets_a_dead_workers_delivery(endpoint: WebhookEndpoint) -> None:
    delivery = _told(endpoint)
    now = delivery.created_at
    claims = at_once([partial(deliveries.claim, delivery_id=delivery.pk, now=now) for _ in range(8)])
    assert [claim for claim in claims if claim is not None] == [deliveries.Claim(delivery.pk, 1)]
    later = now + deliveries.LEASE + SECOND
    claims = at_once([partial(deliveries.claim, delivery_id=delivery.pk, now=later) for _ in range(8)])
    assert [claim for claim in claims if claim is not None] == [deliveries.Claim(delivery.pk, 2)]


def test_a_worker_that_dies_after_its_claim_delays_the_message(
    endpoint: WebhookEndpoint, receiver: Receiver, clock: Any
) -> None:
    delivery = _told(endpoint)
    assert deliveries.claim(delivery_id=delivery.pk, now=NOW) is not None  # and nothing more
    clock.move_to(NOW + deliveries.LEASE)
    assert deliveries.sweep() == 0
    deliveries.deliver(delivery.pk)
    assert receiver.requests == []
    clock.move_to(NOW + deliveries.LEASE + SECOND)
    assert deliveries.sweep() == 1
    deliveries.deliver(delivery.pk)
    assert (_fresh(delivery).state, _fresh(delivery).attempts) == (DeliveryState.DELIVERED, 2)
    assert len(receiver.requests) == 1


def test_a_worker_that_wakes_up_late_writes_nothing(endpoint: WebhookEndpoint, receiver: Receiver, clock: Any) -> None:
    delivery = _told(endpoint)
    old = deliveries.claim(delivery_id=delivery.pk, now=NOW)
    assert old is not None
    clock.move_to(NOW + 2 * deliveries.LEASE)
    deliveries.deliver(delivery.pk)
    before = WebhookDelivery.objects.values().get()
    receiver.answers.append(status(410))
    deliveries.attempt(old)
    assert WebhookDelivery.objects.values().get() == before
    assert WebhookAttempt.objects.get().number == 2
    assert WebhookEndpoint.objects.get().disabled_at is None


def test_a_worker_that_always_dies_is_not_followed_for_ever(
    endpoint: WebhookEndpoint, admin: Access, receiver: Receiver
) -> None:
    delivery = _told(endpoint)
    ping = webhooks.ping(access=admin, endpoint_id=endpoint.pk, now=timezone.now())
    now = timezone.now()
    for number in range(1, 11):
        assert deliveries.claim(delivery_id=delivery.pk, now=now) == deliveries.Claim(delivery.pk, number)
        assert (deliveries.claim(delivery_id=ping.pk, now=now) is not None) == (number == 1)
        now += 2 * deliveries.LEASE
    assert deliveries.claim(delivery_id=delivery.pk, now=now) is None
    assert deliveries.sweep(now=now) == 0
    assert {_fresh(one).state for one in (delivery, ping)} == {DeliveryState.FAILED}


def test_an_endpoint_deleted_meanwhile_ends_its_calls(
    endpoint: WebhookEndpoint, receiver: Receiver, admin: Access
) -> None:
    before, during = _told(endpoint), _told(endpoint)
    held = deliveries.claim(delivery_id=before.pk, now=timezone.now())
    assert held is not None

    def delete(handler: Any) -> None:
        raise AssertionError("called after its end")

    webhooks.delete(access=admin, endpoint_id=endpoint.pk, now=NOW)
    receiver.answers.append(delete)
    deliveries.attempt(held)
    deliveries.deliver(during.pk)
    assert receiver.requests == []


def test_what_was_written_while_the_endpoint_was_being_disabled_fails(
    endpoint: WebhookEndpoint, receiver: Receiver, clock: Any
) -> None:
    delivery = _told(endpoint)
    WebhookEndpoint.objects.update(disabled_at=NOW, disabled_reason="by_hand")
    deliveries.deliver(delivery.pk)
    assert _fresh(delivery).state == DeliveryState.FAILED
    assert (receiver.requests, WebhookAttempt.objects.count()) == ([], 0)


# --- The sweep --------------------------------------------------------------------------------------------------------


def test_the_sweep_rings_for_what_is_due_and_drops_what_is_old(endpoint: WebhookEndpoint, clock: Any) -> None:
    long_ago, just_now = NOW - deliveries.RING_AGAIN - SECOND, NOW - deliveries.RING_AGAIN
    kinds: dict[str, tuple[bool, dict[str, Any]]] = {
        "never rung": (True, {}),
        "rung long ago": (True, {"rung_at": long_ago}),
        "rung just now": (False, {"rung_at": just_now}),
        "due later": (False, {"next_attempt_at": NOW + SECOND}),
        "being sent": (False, {"lease_until": NOW, "attempts": 1, "rung_at": long_ago}),
        "worker died": (True, {"lease_until": NOW - SECOND, "attempts": 1, "rung_at": long_ago}),
        "delivered": (False, {"state": DeliveryState.DELIVERED, "next_attempt_at": None}),
        "failed": (False, {"state": DeliveryState.FAILED, "next_attempt_at": None}),
        "kept": (False, {"state": DeliveryState.FAILED, "created_at": NOW - 30 * DAY}),
        "dropped": (False, {"state": DeliveryState.FAILED, "created_at": NOW - 30 * DAY - SECOND}),
    }
    made = {}
    for name, (_rung, fields) in kinds.items():
        made[name] = _told(endpoint)
        WebhookDelivery.objects.filter(pk=made[name].pk).update(**{"rung_at": None, **fields})
    WebhookAttempt.objects.create(club=endpoint.club, delivery=made["dropped"], number=1, at=NOW, milliseconds=1)
    expected = {name for name, (rung, _fields) in kinds.items() if rung}
    assert deliveries.sweep() == len(expected)
    left = {name for name, one in made.items() if WebhookDelivery.objects.filter(pk=one.pk).exists()}
    assert left == set(kinds) - {"dropped"}
    assert {name for name in left if _fresh(made[name]).rung_at == NOW} == expected
    assert deliveries.sweep() == 0


# --- The product ------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_real_worker_tells_a_real_receiver(people: People, tmp_path: Path) -> None:
    """A bot match, from its end to the message, through worker and sweeper as an operator starts them."""
    make_robots(people)
    with receiving() as receiver:
        endpoint = WebhookEndpoint.objects.create(club=people.club, url=receiver.url, secret="whsec_" + "A" * 32)
        ask(people)
        Job.objects.update(rung_at=None)  # or the first sweep would still give the worker of another broker time
        environ = {
            "DATABASE_URL": database_url(connection.settings_dict),
            "SECRET_KEY": settings.SECRET_KEY,
            "WEBHOOK_ALLOW_PRIVATE": "1",
        }
        with Product(tmp_path, environ) as product:
            product.start("worker", "sweeper")
            wait_for(
                lambda: any(request.headers["webhook-id"] for request in receiver.requests if b"bot_" in request.body),
                "the message",
                product.log("worker"),
            )
            wait_for(lambda: not WebhookDelivery.objects.exclude(state="delivered").exists(), "all to be noted")
        bodies = [request.body for request in receiver.requests]
        assert len(bodies) == len(set(bodies)) == WebhookAttempt.objects.count(), "each is sent once"
        assert b"bot_match.finished" in b"".join(bodies)
        assert all(request.headers["webhook-signature"].startswith("v1,") for request in receiver.requests)
        assert endpoint.deliveries.count() == len(bodies)
