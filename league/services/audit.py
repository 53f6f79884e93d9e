"""Writing the audit trail."""

from collections.abc import Mapping
from datetime import datetime

from league.models import AuditEvent
from league.models.inserts import insert_like
from league.services.access import Access


def write(*, access: Access, action: str, object_id: int, data: Mapping[str, object], now: datetime) -> None:
    """Store that `access` did `action`. Called inside the change's transaction; `data` holds ids and figures only."""
    AuditEvent.objects.create(
        club=access.club,
        at=now,
        user_id=access.actor.user_id,
        token_id=access.actor.token_id,
        action=action,
        object_id=object_id,
        data=dict(data),
    )


def write_many(*, access: Access, action: str, data: Mapping[int, Mapping[str, object]], now: datetime) -> None:
    """Store that `access` did `action` to many objects; `data` by their ids."""
    event = AuditEvent(
        club=access.club, at=now, user_id=access.actor.user_id, token_id=access.actor.token_id, action=action
    )
    insert_like(event, {"object_id": list(data), "data": list(data.values())})
