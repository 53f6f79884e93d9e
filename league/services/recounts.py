"""The nightly recount: every open season's stored standings held against its results, counted from scratch.

Terms: a season *differs* when a stored line is not what its results add up to, which no change of the store leaves.
Promises: each open season is counted once a night, one at a time and under its lock, so that nothing is recorded
meanwhile that the count would not know; a difference is an alarm in the log and in the audit trail of the club, and
put right in the same transaction. Several sweepers may ask: who comes second finds the season counted.
"""

import logging
import time
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce

from league.models import AuditEvent, Club, Role, Season, SeasonStatus
from league.services import audit, board_states, standings, webhooks
from league.services.access import Access, Actor

log = logging.getLogger(__name__)

# By UTC: the depth of the night in Europe, where it disturbs nobody.
_HOUR = 3
# A season whose count failed is not tried again at each sweep, or no other would have its turn.
_PATIENCE = 3600.0  # seconds
_failed: dict[int, float] = {}

DIFFERED = "standings.differed"


def _night(now: datetime) -> datetime:
    """When the last night's recount was due."""
    due = now.replace(hour=_HOUR, minute=0, second=0, microsecond=0)
    return due if due <= now else due - timedelta(days=1)


def sweep(*, now: datetime) -> int | None:
    """Count the season anew that has waited longest for it, if any is due. Returns its id."""
    waiting = {pk for pk, at in _failed.items() if time.monotonic() - at < _PATIENCE}
    # A season that was made today was empty last night.
    seasons = Season.objects.annotate(last=Coalesce("checked_at", "created_at")).filter(
        status=SeasonStatus.OPEN, last__lt=_night(now)
    )
    due = seasons.exclude(pk__in=waiting).order_by("last", "pk").values_list("pk", flat=True).first()
    if due is None:
        return None
    try:
        check(season_id=due, now=now)
    except Exception:
        # Whatever it was, the other seasons are to have their turn.
        _failed[due] = time.monotonic()
        log.exception("the standings of season %d could not be counted anew", due)
    return due


def check(*, season_id: int, now: datetime, repair: bool = True) -> list[int]:
    """Count a season anew and, with `repair`, put right what differs. Returns the ids of the players concerned."""
    with transaction.atomic():
        found = Season.objects.select_for_update(of=("self",), no_key=True).select_related("club", "league")
        season = found.filter(pk=season_id).first()
        if season is None:
            return []
        differing = standings.differences(season=season)
        if differing:
            log.error("ALARM: the standings of season %d differ from its results for players %s", season_id, differing)
            if repair:
                _repair(season, differing, now)
        if repair or not differing:
            Season.objects.filter(pk=season_id).update(checked_at=now)
    return differing


def _repair(season: Season, players: Iterable[int], now: datetime) -> None:
    standings.refresh(season=season, players=players)
    board_states.renew_season(season.pk)
    by_itself = Access(club=season.club, role=Role.OWNER, actor=Actor())
    ids = sorted(players)
    audit.write(access=by_itself, action=DIFFERED, object_id=season.pk, data={"players": ids}, now=now)
    data = {"season": season.pk, "players": ids}
    webhooks.emit(club=season.club, event="standings.changed", data=data, now=now)


def last_checked(club: Club) -> datetime | None:
    """Since when every open season of the club has been counted; None where one never was, or there is none."""
    times = Season.objects.filter(club=club, status=SeasonStatus.OPEN).order_by(F("checked_at").asc(nulls_first=True))
    return times.values_list("checked_at", flat=True).first()


def last_alarm(club: Club) -> AuditEvent | None:
    """The last difference that was found in the club, if ever one was."""
    return AuditEvent.objects.filter(club=club, action=DIFFERED).order_by("-pk").first()
