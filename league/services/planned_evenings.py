"""Planned evenings: planned, changed, called off; and who comes.

Terms: see `league/models/planned.py`. The *queue* of an evening are those who want to come, in the order in which they
said so; the first of them, as many as there are places, come, the others wait. Promises: every change locks the
evening, so that of two who sign up at once for the last place one comes and the other waits; a place that becomes free
goes to whoever waits longest, in the same transaction. Who is moved to the waiting list by fewer places keeps the
place in the queue. Never: deletes an evening, which would silently stay in the calendars of those who subscribed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import PlannedEvening, Player, PlayerKind, Role, Season, SeasonStatus, SignUp, SignUpState
from league.services import audit
from league.services.access import Access
from league.services.clubs import FURTHEST, is_text
from league.services.errors import Conflict, Forbidden, InputError, NotFound, Problem, not_a_choice, out_of_range
from league.services.players import own_player

FIELDS = frozenset({"starts_at", "location", "note", "capacity", "season"})
# Far above the tables of any club.
LARGEST_CAPACITY = 1000
LONGEST = {"location": 100, "note": 500}
# So long after its start an evening is over, and nobody comes to it any more.
OVER_AFTER = timedelta(hours=12)
ANSWERS = (SignUpState.COMING, SignUpState.DECLINED)


def plan(*, access: Access, fields: Mapping[str, object], now: datetime) -> PlannedEvening:
    """Plan an evening with `fields` (`FIELDS`; starts_at, an aware time, at least).

    Raises InputError for values that can't be.
    """
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        evening = PlannedEvening(club=access.club, created_by_id=access.actor.user_id)
        if not isinstance(fields.get("starts_at"), datetime):
            raise InputError([Problem(("starts_at",), "required", _("Give the day and time of the evening."))])
        _set(evening, fields, now)
        evening.save()
        audit.write(access=access, action="evening.planned", object_id=evening.pk, data={}, now=now)
    return evening


def change(*, access: Access, evening_id: int, changes: Mapping[str, object], now: datetime) -> PlannedEvening:
    """Change an evening; with more or fewer places those who wait come, or the last who came wait.

    Raises Conflict for one that is called off.
    """
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        evening = _locked(access, evening_id)
        _check_on(evening)
        before = {field: getattr(evening, field) for field in _COLUMNS}
        _set(evening, changes, now)
        changed = sorted(field for field in _COLUMNS if getattr(evening, field) != before[field])
        if not changed:
            return evening
        evening.revision += 1
        evening.save(update_fields=[*changed, "revision"])
        moved = settle(evening) if "capacity" in changed else []
        data = {"fields": changed, "players": moved}
        audit.write(access=access, action="evening.changed", object_id=evening.pk, data=data, now=now)
    return evening


def cancel(*, access: Access, evening_id: int, now: datetime) -> PlannedEvening:
    """Call an evening off; what was said about it stays. One that is called off already stays as it is."""
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        evening = _locked(access, evening_id)
        if evening.cancelled_at is None:
            evening.cancelled_at = now
            evening.revision += 1
            evening.save(update_fields=["cancelled_at", "revision"])
            audit.write(access=access, action="evening.cancelled", object_id=evening.pk, data={}, now=now)
    return evening


def answer(*, access: Access, evening_id: int, state: str, player_id: int | None = None, now: datetime) -> SignUp:
    """Say that a player comes or does not (`ANSWERS`): members of their own player, scorekeepers of anyone.

    `player_id` None: the member's own player. Who wants to come where no place is free waits. Raises Conflict for an
    evening that is called off or over, InputError for a player who can't come, Forbidden for another's player.
    """
    with transaction.atomic():
        evening = _locked(access, evening_id)
        if state not in ANSWERS:
            raise InputError([not_a_choice(("state",), "unknown_choice", [one.value for one in ANSWERS])])
        player = _player(access, player_id, comes=state == SignUpState.COMING)
        _check_on(evening)
        if now > evening.starts_at + OVER_AFTER:
            raise Conflict("evening_over", _("This evening is over."))
        said = SignUp.objects.filter(evening=evening, player=player).first()
        wants = state == SignUpState.COMING
        if said is not None and (said.state != SignUpState.DECLINED) == wants:
            return said
        if said is None:
            said = SignUp(club=access.club, evening=evening, player=player)
        # At the end of the queue, whatever the clock of this process says: the lock tells who was first.
        last = SignUp.objects.filter(evening=evening).order_by("-since").first()
        said.since = now if last is None else max(now, last.since + timedelta(microseconds=1))
        said.state = SignUpState.WAITING if wants else SignUpState.DECLINED
        said.save()
        moved = [one for one in settle(evening) if one != player.pk]
        said.refresh_from_db()
        data = {"player": player.pk, "state": said.state, "players": moved}
        audit.write(access=access, action="evening.answered", object_id=evening.pk, data=data, now=now)
    return said


@dataclass(frozen=True, slots=True)
class Attendance:
    """What was said about an evening, in the order of the queue."""

    coming: tuple[SignUp, ...]
    waiting: tuple[SignUp, ...]
    declined: tuple[SignUp, ...]

    def of(self, player_id: int | None) -> SignUp | None:
        """The player's word, None for none."""
        return next((one for one in (*self.coming, *self.waiting, *self.declined) if one.player_id == player_id), None)

    def position(self, player_id: int | None) -> int | None:
        """Where a player stands on the waiting list, from 1; None for who does not wait."""
        return next((place for place, one in enumerate(self.waiting, 1) if one.player_id == player_id), None)


def attendance(evening: PlannedEvening) -> Attendance:
    """Who comes, who waits and who does not come: one query, none where the sign-ups are prefetched."""
    found = sorted(evening.sign_ups.all(), key=lambda one: (one.since, one.pk))
    by_state = {state: tuple(one for one in found if one.state == state) for state in SignUpState}
    return Attendance(by_state[SignUpState.COMING], by_state[SignUpState.WAITING], by_state[SignUpState.DECLINED])


_COLUMNS = ("starts_at", "location", "note", "capacity", "season_id")


def _locked(access: Access, evening_id: int) -> PlannedEvening:
    found = PlannedEvening.objects.select_for_update(of=("self",)).filter(club=access.club, pk=evening_id).first()
    if found is None:
        raise NotFound(evening_id)
    return found


def _check_on(evening: PlannedEvening) -> None:
    if evening.cancelled_at is not None:
        raise Conflict("evening_cancelled", _("This evening was called off: plan another one."))


def _player(access: Access, player_id: int | None, *, comes: bool) -> Player:
    """Whom the answer is about; that somebody does not come may be said of who is archived by now, too."""
    if player_id is None:
        return own_player(access=access)
    player = Player.objects.filter(club=access.club, pk=player_id).select_related("member").first()
    own = player is not None and player.member is not None and player.member.user_id == access.actor.user_id
    if not own and not access.may(Role.SCOREKEEPER):
        raise Forbidden(Role.SCOREKEEPER)
    if player is None or player.kind == PlayerKind.BOT or (comes and player.archived_at is not None):
        message = _("Give the id of an active person of this club.")
        raise InputError([Problem(("player",), "unknown_player", message)])
    return player


def settle(evening: PlannedEvening) -> list[int]:
    """Let the first of the queue come and the others wait. Returns the ids of the players whose state changed."""
    wanting = SignUp.objects.filter(evening=evening).exclude(state=SignUpState.DECLINED).order_by("since", "pk")
    moved = []
    for place, one in enumerate(wanting):
        comes = evening.capacity is None or place < evening.capacity
        state = SignUpState.COMING if comes else SignUpState.WAITING
        if one.state != state:
            one.state = state
            one.save(update_fields=["state"])
            moved.append(one.player_id)
    return moved


def _set(evening: PlannedEvening, values: Mapping[str, object], now: datetime) -> None:
    """Put checked values on the evening. Raises InputError naming every field that is wrong."""
    problems: list[Problem] = []
    for field, value in values.items():
        if field not in FIELDS:
            raise ValueError(f"{field} is no field of an evening")
        column = "season_id" if field == "season" else field
        # What is as it was may stay so: the time of an evening that has begun, a season closed meanwhile.
        if value != getattr(evening, column):
            checked, found = _CHECKS[field](evening, field, value, now)
            setattr(evening, column, checked)
            problems += found
    if problems:
        raise InputError(problems)


_Checked = tuple[object, list[Problem]]


def _time(_evening: PlannedEvening, field: str, value: object, now: datetime) -> _Checked:
    if isinstance(value, datetime) and now <= value <= now + FURTHEST:
        return value, []
    return value, [Problem((field,), "out_of_range", _("Give a day and time from now on, within five years."))]


def _places(_evening: PlannedEvening, field: str, value: object, _now: datetime) -> _Checked:
    if value is None:
        return None, []
    return value, out_of_range((field,), value if isinstance(value, int) else 0, 1, LARGEST_CAPACITY)


def _season(evening: PlannedEvening, field: str, value: object, _now: datetime) -> _Checked:
    known = Season.objects.filter(club=evening.club_id, status=SeasonStatus.OPEN)
    if value is None or (isinstance(value, int) and known.filter(pk=value).exists()):
        return value, []
    return None, [Problem((field,), "unknown_season", _("Give the id of an open season of this club, or none."))]


def _text(_evening: PlannedEvening, field: str, value: object, _now: datetime) -> _Checked:
    text = " ".join(str(value).split())
    if len(text) <= LONGEST[field] and is_text(text):
        return text, []
    message = _("Give a text of at most %(maximum)d characters.") % {"maximum": LONGEST[field]}
    return text, [Problem((field,), "invalid", message)]


_CHECKS: Mapping[str, Callable[[PlannedEvening, str, object, datetime], _Checked]] = {
    "starts_at": _time,
    "capacity": _places,
    "season": _season,
    "location": _text,
    "note": _text,
}
