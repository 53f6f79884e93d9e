"""Webhooks: what a club tells other programs, written in the transaction of what happened; and the endpoints.

Terms: see `league/models/webhooks.py`. Promises: a message stands exactly when its change does; a payload holds ids
and figures, never names, so that erasing a person leaves it whole; a secret is given out when it is made and never
again. Never: calls anybody; that is `league/services/deliveries.py`.
"""

import base64
import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypedDict

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from league.models import Club, DeliveryState, Role, WebhookDelivery, WebhookEndpoint
from league.services import audit, deliveries
from league.services.access import Access
from league.services.clubs import check_name
from league.services.errors import Conflict, InputError, NotFound, Problem, not_a_choice
from league.services.outbound import check_url

# What an endpoint can subscribe to.
EVENTS: Mapping[str, Promise] = {
    "result.recorded": _l("A session was recorded, or a round was added to it."),
    "result.corrected": _l("A result was changed, voided or restored."),
    "standings.changed": _l("The standings of a season changed."),
    "session.finished": _l("A session came to its end."),
    "tournament.round_paired": _l("The tables of a tournament round are known."),
    "bot_match.finished": _l("A bot match was played."),
}
MAXIMUM_ENDPOINTS = 20
DESCRIPTION_LENGTH = 100
# After a rotation the receiver has so long to change over.
BOTH_SECRETS = timedelta(hours=24)
_SECRET_BYTES = 32


class Changes(TypedDict, total=False):
    """What can be changed of an endpoint."""

    url: str
    description: str
    events: Sequence[str]
    enabled: bool


# --- Events -----------------------------------------------------------------------------------------------------------


def emit(*, club: Club, event: str, data: Mapping[str, object], now: datetime) -> None:
    """Write one delivery for each endpoint that wants the event, and ring for them after the commit.

    Called inside the transaction of the change. `data` holds ids and figures, never names of people.
    """
    emit_all(club=club, events=[(event, data)], now=now)


def emit_all(*, club: Club, events: Sequence[tuple[str, Mapping[str, object]]], now: datetime) -> None:
    """`emit` for several events at once, in their order: one query when nobody wants any."""
    endpoints = list(
        WebhookEndpoint.objects.filter(club=club, disabled_at=None).order_by("pk").values_list("pk", "events")
    )
    if not endpoints:
        return
    rows: list[WebhookDelivery] = []
    for event, data in events:
        to = [endpoint for endpoint, wanted in endpoints if not wanted or event in wanted]
        rows += _messages(club, to, event, data, now)
    if rows:
        deliveries.ring_after_commit([row.pk for row in WebhookDelivery.objects.bulk_create(rows)])


def are_wanted(*, club: Club) -> bool:
    """Whether anybody wants messages of the club at all."""
    return WebhookEndpoint.objects.filter(club=club, disabled_at=None).exists()


def _messages(
    club: Club, endpoint_ids: Sequence[int], event: str, data: Mapping[str, object], now: datetime
) -> list[WebhookDelivery]:
    """One message, under one id, to several endpoints; not stored yet."""
    message_id = f"msg_{secrets.token_urlsafe(18)}"
    payload = {"type": event, "timestamp": now.astimezone(UTC).isoformat(), "data": dict(data)}
    return [
        WebhookDelivery(
            club=club,
            endpoint_id=endpoint_id,
            message_id=message_id,
            event=event,
            payload=payload,
            next_attempt_at=now,
            # As if it were done: a commit of its own after the ring would cost every result one more.
            rung_at=now,
            created_at=now,
        )
        for endpoint_id in endpoint_ids
    ]


# --- Endpoints --------------------------------------------------------------------------------------------------------


def create(*, access: Access, url: str, description: str, events: Sequence[str], now: datetime) -> WebhookEndpoint:
    """Make an endpoint with a new secret; `events` empty: all, later ones too.

    Raises InputError for an address that can't be called, a description that can't be and unknown events; Conflict
    when the club has as many as it may.
    """
    access.require(Role.ADMIN)
    fields = _checked({"url": url, "description": description, "events": events})
    with transaction.atomic():
        if WebhookEndpoint.objects.filter(club=access.club).count() >= MAXIMUM_ENDPOINTS:
            message = _("A club has at most %(maximum)d webhooks.") % {"maximum": MAXIMUM_ENDPOINTS}
            raise Conflict("too_many_webhooks", message)
        endpoint = WebhookEndpoint.objects.create(
            club=access.club,
            secret=_new_secret(),
            created_by_id=access.actor.user_id,
            created_by_token_id=access.actor.token_id,
            **fields,
        )
        _note(access, "created", endpoint, now)
    return endpoint


def update(*, access: Access, endpoint_id: int, changes: Changes, now: datetime) -> WebhookEndpoint:
    """Change an endpoint; what `changes` leaves out stays. Enabling it forgets that it failed. Raises as `create`."""
    access.require(Role.ADMIN)
    fields = _checked(changes)
    enabled = changes.get("enabled")
    with transaction.atomic():
        endpoint = _locked(access, endpoint_id)
        changed = [name for name, value in fields.items() if getattr(endpoint, name) != value]
        if changed:
            for name in changed:
                setattr(endpoint, name, fields[name])
            endpoint.save(update_fields=changed)
            _note(access, "updated", endpoint, now, fields=changed)
        if enabled is True and endpoint.disabled_at is not None:
            endpoint.disabled_at = endpoint.failing_since = endpoint.paused_until = None
            endpoint.disabled_reason = ""
            endpoint.save(update_fields=["disabled_at", "disabled_reason", "failing_since", "paused_until"])
            _note(access, "enabled", endpoint, now)
        elif enabled is False and endpoint.disabled_at is None:
            deliveries.disable(endpoint=endpoint, reason="by_hand", now=now)
            _note(access, "disabled", endpoint, now, reason="by_hand")
    return endpoint


def rotate(*, access: Access, endpoint_id: int, now: datetime) -> WebhookEndpoint:
    """Give an endpoint a new secret. For `BOTH_SECRETS` messages are signed with the one before it too."""
    access.require(Role.ADMIN)
    with transaction.atomic():
        endpoint = _locked(access, endpoint_id)
        endpoint.previous_secret, endpoint.secret = endpoint.secret, _new_secret()
        endpoint.previous_secret_until = now + BOTH_SECRETS
        endpoint.save(update_fields=["previous_secret", "secret", "previous_secret_until"])
        _note(access, "rotated", endpoint, now)
    return endpoint


def delete(*, access: Access, endpoint_id: int, now: datetime) -> None:
    """Delete an endpoint with all of its deliveries."""
    access.require(Role.ADMIN)
    with transaction.atomic():
        endpoint = _locked(access, endpoint_id)
        _note(access, "deleted", endpoint, now)
        endpoint.delete()


def ping(*, access: Access, endpoint_id: int, now: datetime) -> WebhookDelivery:
    """Send a test message, once, even to an endpoint that is paused. Raises Conflict if it is disabled."""
    access.require(Role.ADMIN)
    with transaction.atomic():
        endpoint = _enabled(access, endpoint_id)
        (message,) = _messages(access.club, [endpoint.pk], deliveries.PING, {"webhook": endpoint.pk}, now)
        message.save()
        deliveries.ring_after_commit([message.pk])
        _note(access, "pinged", endpoint, now)
    return message


def replay(*, access: Access, endpoint_id: int, delivery_id: int, now: datetime) -> WebhookDelivery:
    """Send a message again from now on, with the same id and a new schedule, whatever became of it before.

    Raises Conflict while a worker sends it and while the endpoint is disabled.
    """
    access.require(Role.ADMIN)
    with transaction.atomic():
        endpoint = _enabled(access, endpoint_id)
        found = endpoint.deliveries.filter(pk=delivery_id)
        if not deliveries.begin_anew(found, now=now):
            if not found.exists():
                raise NotFound(delivery_id)
            raise Conflict("being_sent", _("This message is being sent right now."))
        deliveries.ring_after_commit([delivery_id])
        _note(access, "replayed", endpoint, now, deliveries=1)
        return found.get()


def replay_failed(*, access: Access, endpoint_id: int, since: datetime, now: datetime) -> int:
    """Send again what failed and was written at `since` or later; pings are left out. Returns how many those are.

    Raises Conflict while the endpoint is disabled.
    """
    access.require(Role.ADMIN)
    with transaction.atomic():
        endpoint = _enabled(access, endpoint_id)
        failed = endpoint.deliveries.filter(state=DeliveryState.FAILED, created_at__gte=since)
        count = deliveries.begin_anew(failed.exclude(event=deliveries.PING), now=now)
        _note(access, "replayed", endpoint, now, deliveries=count)
    return count


def _checked(changes: Changes) -> dict[str, object]:
    """The fields to store. Raises InputError with every problem."""
    problems: list[Problem] = []
    fields: dict[str, object] = {}
    if "events" in changes:
        unknown = [(index, event) for index, event in enumerate(changes["events"]) if event not in EVENTS]
        problems += [not_a_choice(("events", index), "unknown_event", EVENTS) for index, _event in unknown]
        # In one order, each once: two lists of the same events are the same.
        fields["events"] = [event for event in EVENTS if event in changes["events"]]
    if "description" in changes:
        fields["description"] = ""
        if changes["description"].strip():
            try:
                fields["description"] = check_name(
                    changes["description"], field="description", maximum=DESCRIPTION_LENGTH
                )
            except InputError as error:
                problems += error.problems
    if "url" in changes:
        try:
            fields["url"] = check_url(changes["url"])
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return fields


def _new_secret() -> str:
    return f"whsec_{base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()}"


def _locked(access: Access, endpoint_id: int) -> WebhookEndpoint:
    # Without keeping events from being written, which hold its key.
    rows = WebhookEndpoint.objects.select_for_update(no_key=True)
    endpoint = rows.filter(club=access.club, pk=endpoint_id).first()
    if endpoint is None:
        raise NotFound(endpoint_id)
    return endpoint


def _enabled(access: Access, endpoint_id: int) -> WebhookEndpoint:
    endpoint = _locked(access, endpoint_id)
    if endpoint.disabled_at is not None:
        raise Conflict("webhook_disabled", _("This webhook is disabled. Enable it first."))
    return endpoint


def _note(access: Access, verb: str, endpoint: WebhookEndpoint, now: datetime, **data: object) -> None:
    audit.write(access=access, action=f"webhook.{verb}", object_id=endpoint.pk, data=data, now=now)
