"""Webhooks: what a club tells other programs, written in the transaction of what happened.

Terms: see `league/models/webhooks.py`. Promises: a message stands exactly when its change does; a payload holds ids
and figures, never names, so that erasing a person leaves it whole. Never: calls anybody; that is
`league/services/deliveries.py`.
"""

import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.models import Club, WebhookDelivery, WebhookEndpoint
from league.services import deliveries

# What an endpoint can subscribe to.
EVENTS: Mapping[str, Promise] = {
    "result.recorded": _("A session was recorded, or a round was added to it."),
    "result.corrected": _("A result was changed, voided or restored."),
    "standings.changed": _("The standings of a season changed."),
    "session.finished": _("A session came to its end."),
    "tournament.round_paired": _("The tables of a tournament round are known."),
    "bot_match.finished": _("A bot match was played."),
}


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
        message_id = f"msg_{secrets.token_urlsafe(18)}"
        payload = {"type": event, "timestamp": now.astimezone(UTC).isoformat(), "data": dict(data)}
        rows += [
            WebhookDelivery(
                club=club,
                endpoint_id=endpoint,
                message_id=message_id,
                event=event,
                payload=payload,
                next_attempt_at=now,
                created_at=now,
            )
            for endpoint, wanted in endpoints
            if not wanted or event in wanted
        ]
    if not rows:
        return
    made = [row.pk for row in WebhookDelivery.objects.bulk_create(rows)]
    # Robust: by then the change is committed, so that a fault in ringing must not look like one of the request.
    transaction.on_commit(lambda: deliveries.ring(delivery_ids=made), robust=True)
