"""Deliveries of webhooks: the row in the database is the truth, Celery the doorbell (terms: see `jobs.py`).

A message is called out up to `MAXIMUM_ATTEMPTS` times, after the waits of `SCHEDULE`. An endpoint is *paused* for a
while when a call got no answer, or one that asked for a pause; it *fails* from the first failed call after the last
one that went well, and is disabled after `DISABLE_AFTER` of that, or at once by 410 Gone.
Promises: a delivery is sent at least once and tried on until the receiver took it (2xx) or the schedule is at its
end; of several workers one holds a delivery, and only the newest attempt can write what came of it; no call is made
inside a transaction; an endpoint that hangs holds a worker for one call a pause, however many messages wait for it.
Never: sends to a disabled endpoint. What waits when it is disabled has failed, and can be replayed.
"""

import json
import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from celery import current_app, shared_task
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l
from standardwebhooks import Webhook

from league.models import DeliveryState, Role, WebhookAttempt, WebhookDelivery, WebhookEndpoint
from league.services import audit, outbound
from league.services.access import Access, Actor
from league.services.outbound import Answer

logger = logging.getLogger(__name__)

TASK = "league.services.deliveries.deliver"
PING = "webhook.ping"

_SECOND = timedelta(seconds=1)
# How long to wait after the first, the second, … failed attempt: ten attempts within 75 hours.
SCHEDULE = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 300, 1800, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600)
)
# Up to a tenth longer, so that what failed together does not come back together.
_JITTER = 0.1
MAXIMUM_ATTEMPTS = len(SCHEDULE) + 1
# A receiver may ask for a longer wait, and not for ever.
LONGEST_WAIT = timedelta(hours=24)
PAUSE = timedelta(minutes=1)
DISABLE_AFTER = timedelta(days=5)
KEEP = timedelta(days=30)
# Above what a call takes, `outbound.SECONDS`.
LEASE = timedelta(seconds=60)
RING_AGAIN = timedelta(seconds=15)
# After an import there may be tens of thousands: the sweep rings for the rest.
_RING_AT_ONCE = 50
_SWEEP_LIMIT = 1000

# Why an endpoint is disabled.
REASONS: dict[str, Promise] = {
    "by_hand": _l("switched off by hand"),
    "moved": _l("came with the club from another installation"),
    "gone": _l("the receiver answered 410 Gone"),
    "failing": _l("no call went well for five days"),
}

# Ping is a test: whoever asked for it wants to know now, not in three days.
_SPENT = Q(attempts__gte=F("attempts_before_replay") + MAXIMUM_ATTEMPTS) | Q(
    event=PING, attempts__gt=F("attempts_before_replay")
)


def free(now: datetime) -> Q:
    """The condition for a delivery that no worker holds."""
    return Q(lease_until=None) | Q(lease_until__lt=now)


def _due(now: datetime) -> Q:
    # No join: an update with one would look at the row as it was before another worker's claim.
    paused = Exists(WebhookEndpoint.objects.filter(pk=OuterRef("endpoint_id"), paused_until__gt=now))
    return Q(state=DeliveryState.PENDING, next_attempt_at__lte=now) & free(now) & (Q(event=PING) | ~Q(paused))


def _called(delivery_ids: Sequence[int]) -> list[int]:
    """Call a worker for each of these deliveries, as far as the broker is there; return for which."""
    rung: list[int] = []
    for pk in delivery_ids:
        try:
            current_app.send_task(TASK, args=[pk], retry=False)
        except Exception as error:  # whatever the transport raises, the delivery stands in the database
            logger.warning("The broker can't be reached for delivery %d; the sweep will ring again: %r", pk, error)
            break
        rung.append(pk)
    return rung


def ring(*, delivery_ids: Sequence[int], now: datetime) -> int:
    """Call a worker for each of these deliveries, as far as the broker is there, and note it. Returns for how many."""
    rung = _called(delivery_ids)
    if rung:
        with transaction.atomic():
            # Waits for nobody while it holds many rows; a row that is locked is being worked on.
            idle = WebhookDelivery.objects.select_for_update(skip_locked=True, no_key=True).filter(pk__in=rung)
            WebhookDelivery.objects.filter(pk__in=list(idle.values_list("pk", flat=True))).update(rung_at=now)
    return len(rung)


def ring_after_commit(delivery_ids: Sequence[int]) -> None:
    """Ring for deliveries once the transaction around is committed: for the first ones, the sweep for the others.

    Nothing is noted of it: the sweep rings for whatever nobody answered to.
    """
    first = list(delivery_ids[:_RING_AT_ONCE])
    # Robust: by then the change is committed, so that a fault in ringing must not look like one of the request.
    transaction.on_commit(lambda: _called(first), robust=True)


# --- One attempt ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Claim:
    """One worker's hold on a delivery, whose `number` is that of the attempt."""

    delivery_id: int
    number: int


def claim(*, delivery_id: int, now: datetime) -> Claim | None:
    """Take a delivery that is due. None when it is not, when another worker has it, or when it is over."""
    with transaction.atomic():
        taken = (
            WebhookDelivery.objects.filter(_due(now), pk=delivery_id)
            .exclude(_SPENT)
            .update(attempts=F("attempts") + 1, lease_until=now + LEASE)
        )
        if taken != 1:
            return None
        # Read under the row's lock, before another worker could count it up.
        return Claim(delivery_id, WebhookDelivery.objects.values_list("attempts", flat=True).get(pk=delivery_id))


@shared_task(name=TASK)
def deliver(delivery_id: int) -> None:
    """The task: make the next attempt of a delivery, if it is due."""
    held = claim(delivery_id=delivery_id, now=timezone.now())
    if held is not None:
        attempt(held)


def attempt(held: Claim) -> None:
    """Call the endpoint of a claimed delivery and store what came of it."""
    delivery = WebhookDelivery.objects.select_related("endpoint").filter(pk=held.delivery_id).first()
    if delivery is None:  # deleted with its endpoint
        return
    endpoint = delivery.endpoint
    now = timezone.now()
    answer = None
    if endpoint.disabled_at is None:
        body = json.dumps(delivery.payload, separators=(",", ":"), ensure_ascii=False)
        headers = {"Content-Type": "application/json", **signed(endpoint, delivery.message_id, body, now)}
        answer = outbound.post(url=endpoint.url, headers=headers, body=body.encode())
    _settle(held, endpoint.pk, answer, began=now, now=timezone.now())


def signed(endpoint: WebhookEndpoint, message_id: str, body: str, now: datetime) -> dict[str, str]:
    """The headers of Standard Webhooks: id, time, and a signature by each secret that is valid now."""
    secrets = [endpoint.secret]
    if endpoint.previous_secret_until is not None and now < endpoint.previous_secret_until:
        secrets.append(endpoint.previous_secret)
    at = now.astimezone(UTC)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(Webhook(secret).sign(message_id, at, body) for secret in secrets),
    }


def _settle(held: Claim, endpoint_id: int, answer: Answer | None, *, began: datetime, now: datetime) -> None:
    """Store an attempt and what follows from it; None: the endpoint is disabled and was not called."""
    with transaction.atomic():
        # The endpoint before its deliveries, as whoever disables it does; without keeping events from being written.
        endpoint = WebhookEndpoint.objects.select_for_update(no_key=True).filter(pk=endpoint_id).first()
        delivery = (
            WebhookDelivery.objects.select_for_update(no_key=True)
            .filter(pk=held.delivery_id, attempts=held.number, state=DeliveryState.PENDING)
            .first()
        )
        if endpoint is None or delivery is None:
            logger.warning("Delivery %d is another worker's, or over; this one stops.", held.delivery_id)
            return
        delivery.lease_until = None
        if answer is None:
            _finish(delivery, DeliveryState.FAILED, now)
            return
        WebhookAttempt.objects.create(
            club_id=delivery.club_id,
            delivery=delivery,
            number=held.number,
            at=began,
            milliseconds=answer.milliseconds,
            status=answer.status,
            error=answer.error,
            answer=answer.text,
        )
        if answer.status is not None and 200 <= answer.status < 300:
            _finish(delivery, DeliveryState.DELIVERED, now)
            if endpoint.failing_since is not None or endpoint.paused_until is not None:
                endpoint.failing_since = endpoint.paused_until = None
                endpoint.save(update_fields=["failing_since", "paused_until"])
            return
        wait = _wait(delivery, answer, now)
        if wait is None or endpoint.disabled_at is not None:
            _finish(delivery, DeliveryState.FAILED, now)
        else:
            delivery.next_attempt_at = now + wait
            delivery.save(update_fields=["next_attempt_at", "lease_until"])
        _note_failure(endpoint, answer, now)


def _finish(delivery: WebhookDelivery, state: DeliveryState, now: datetime) -> None:
    delivery.state = state
    delivery.finished_at = now
    delivery.next_attempt_at = None
    delivery.save(update_fields=["state", "finished_at", "next_attempt_at", "lease_until"])


def _wait(delivery: WebhookDelivery, answer: Answer, now: datetime) -> timedelta | None:
    """How long to wait for the next attempt; None when there is none."""
    failed = delivery.attempts - delivery.attempts_before_replay
    if delivery.event == PING or failed >= MAXIMUM_ATTEMPTS:
        return None
    planned = SCHEDULE[failed - 1] * (1 + random.random() * _JITTER)  # nosec B311 - guards nothing
    return max(planned, _asked_for(answer, now))


def _asked_for(answer: Answer, now: datetime) -> timedelta:
    """The wait that the receiver asks for by Retry-After (RFC 9110, section 10.2.3), in sane bounds; 0 for none."""
    text = (answer.retry_after or "").strip()
    if text.isascii() and text.isdigit():
        # Digits beyond a day's are too many anyway, and too long a number would not fit.
        return min(int(text[:9]) * _SECOND, LONGEST_WAIT) if len(text) <= 9 else LONGEST_WAIT
    try:
        until = parsedate_to_datetime(text)
    except ValueError:
        return timedelta(0)
    until = until if until.tzinfo is not None else until.replace(tzinfo=UTC)
    return max(timedelta(0), min(until - now, LONGEST_WAIT))


def _note_failure(endpoint: WebhookEndpoint, answer: Answer, now: datetime) -> None:
    if endpoint.disabled_at is not None:
        return
    endpoint.failing_since = endpoint.failing_since or now
    pause = PAUSE if answer.status is None else _asked_for(answer, now)
    if pause:
        endpoint.paused_until = now + pause
    endpoint.save(update_fields=["failing_since", "paused_until"])
    if answer.status == 410:
        _disable_by_itself(endpoint, "gone", now)
    elif now - endpoint.failing_since >= DISABLE_AFTER:
        _disable_by_itself(endpoint, "failing", now)


def _disable_by_itself(endpoint: WebhookEndpoint, reason: str, now: datetime) -> None:
    disable(endpoint=endpoint, reason=reason, now=now)
    # By nobody: the product does it.
    access = Access(endpoint.club, Role.ADMIN, Actor())
    audit.write(access=access, action="webhook.disabled", object_id=endpoint.pk, data={"reason": reason}, now=now)


def disable(*, endpoint: WebhookEndpoint, reason: str, now: datetime) -> None:
    """Send nothing more to an endpoint, whose row the caller has locked: what waits for it has failed."""
    endpoint.disabled_at = now
    endpoint.disabled_reason = reason
    endpoint.save(update_fields=["disabled_at", "disabled_reason"])
    WebhookDelivery.objects.filter(free(now), endpoint=endpoint, state=DeliveryState.PENDING).update(
        state=DeliveryState.FAILED, finished_at=now, next_attempt_at=None, lease_until=None
    )


def begin_anew(rows: QuerySet[WebhookDelivery], *, now: datetime) -> int:
    """Make deliveries due with a new schedule, save those that a worker holds; the sweep rings. Returns how many."""
    return rows.filter(free(now)).update(
        state=DeliveryState.PENDING,
        attempts_before_replay=F("attempts"),
        next_attempt_at=now,
        lease_until=None,
        rung_at=None,
        finished_at=None,
    )


# --- The sweep --------------------------------------------------------------------------------------------------------


def sweep(*, now: datetime | None = None) -> int:
    """Ring for what is due, end what was tried too often, drop what is old. Returns for how many it rang.

    Safe to run anywhere, at any time, several times at once.
    """
    now = now or timezone.now()
    pending = WebhookDelivery.objects.filter(state=DeliveryState.PENDING, next_attempt_at__lte=now)
    spent = pending.filter(_SPENT, lease_until__lt=now)
    # One by one, so that no two rows are held at once.
    for pk in list(spent.order_by("next_attempt_at").values_list("pk", flat=True)[:_SWEEP_LIMIT]):
        spent.filter(pk=pk).update(state=DeliveryState.FAILED, finished_at=now, next_attempt_at=None, lease_until=None)
    silent = Q(rung_at=None) | Q(rung_at__lt=now - RING_AGAIN)
    due = WebhookDelivery.objects.filter(_due(now) & silent).order_by("next_attempt_at")
    rung = ring(delivery_ids=list(due.values_list("pk", flat=True)[:_SWEEP_LIMIT]), now=now)
    old = WebhookDelivery.objects.filter(created_at__lt=now - KEEP).order_by("created_at")
    WebhookDelivery.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:_SWEEP_LIMIT])).delete()
    return rung
