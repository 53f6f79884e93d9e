"""Deliveries of webhooks: the row in the database is the truth, Celery the doorbell (see `jobs.py` for the terms)."""

import logging
from collections.abc import Sequence

from celery import current_app
from django.utils import timezone

from league.models import WebhookDelivery

logger = logging.getLogger(__name__)

TASK = "league.services.deliveries.deliver"
# After an import there may be tens of thousands: the sweep rings for the rest.
_RING_AT_ONCE = 50


def ring(*, delivery_ids: Sequence[int]) -> int:
    """Call a worker for the first of these deliveries; the sweep does for the others. Returns how many were called."""
    rung: list[int] = []
    for pk in delivery_ids[:_RING_AT_ONCE]:
        try:
            current_app.send_task(TASK, args=[pk], retry=False)
        except Exception as error:  # whatever the transport raises, the delivery stands in the database
            logger.warning("The broker can't be reached for delivery %d; the sweep will ring again: %r", pk, error)
            break
        rung.append(pk)
    if rung:
        WebhookDelivery.objects.filter(pk__in=rung).update(rung_at=timezone.now())
    return len(rung)
