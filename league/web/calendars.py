"""Sessions and planned evenings as calendar feeds, and the secret addresses at which members read theirs.

Terms: a *key* is the end of a member's address: the membership's id, signed. Promises: nobody can make a key up; one
ends with the membership, with the login and with a change of the password, and opens the calendar alone. Never:
stores a key.
"""

from collections.abc import Iterable
from datetime import datetime

from django.core.signing import BadSignature, Signer
from django.db.models import Max, Prefetch, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from league.exchange.calendar import Event, feed
from league.models import (
    AuditEvent,
    Club,
    Member,
    PlannedEvening,
    Player,
    Session,
    SessionResult,
    SessionStatus,
    SignUpState,
)
from league.models.pushes import shared_id
from league.services.planned_evenings import OVER_AFTER, attendance
from league.web import addresses, reading

# Years of weekly evenings; a calendar program reads all of them each time.
_NEWEST = 500


def _signer(member: Member) -> Signer:
    # The password's mark in it lets a member end an address that has got about.
    return Signer(salt=f"league.calendar {member.user.get_session_auth_hash()}", sep=".")


def key_of(member: Member) -> str:
    """The end of the member's own address."""
    return _signer(member).sign(str(member.pk))


def member_of(*, club: str, key: str) -> Member | None:
    """The member whose key this is, None for any other text."""
    pk = key.partition(".")[0]
    if not (pk.isascii() and pk.isdigit() and len(pk) < 19):
        return None
    member = Member.objects.select_related("user", "club").filter(club__slug=club, pk=int(pk)).first()
    if member is None or not member.user.is_active:
        return None
    try:
        _signer(member).unsign(key)
    except BadSignature:
        return None
    return member


def calendar(
    request: HttpRequest,
    *,
    club: Club,
    name: str,
    sessions: "QuerySet[Session]",
    evenings: "QuerySet[PlannedEvening]",
    rights: reading.Rights,
    member: Member | None = None,
    now: datetime,
) -> bytes:
    """The newest of these sessions and those of the evenings that are to come, for a reader with these rights.

    `member` (None: whoever) is told what the own player has said. Six queries.
    """
    results = SessionResult.objects.select_related("player").order_by("place", "place_sum", "player__name_key")
    found = (
        sessions.annotate(corrected_at=Max("revisions__at"))
        .select_related("season__league")
        .prefetch_related(Prefetch("results", results))
        .order_by("-played_on", "-pk")[:_NEWEST]
    )
    events = [*_evenings(request, club, evenings, member, now), *(_event(request, club, one, rights) for one in found)]
    return feed(name, events)


def _evenings(
    request: HttpRequest, club: Club, evenings: "QuerySet[PlannedEvening]", member: Member | None, now: datetime
) -> list[Event]:
    found = list(
        evenings.filter(starts_at__gte=now - OVER_AFTER)
        .select_related("season__league")
        .prefetch_related("sign_ups")
        .order_by("starts_at", "pk")[:_NEWEST]
    )
    changed = _changed(club, [one.pk for one in found])
    own = Player.objects.filter(member=member).first() if member is not None and found else None
    return [_evening(request, club, one, changed_at=changed.get(one.pk), member=member, own=own) for one in found]


def _changed(club: Club, evenings: Iterable[int]) -> dict[int, datetime]:
    """When each of these evenings was changed last, or something was said about it."""
    events = AuditEvent.objects.filter(club=club, object_id__in=evenings, action__startswith="evening.")
    return dict(events.order_by().values_list("object_id").annotate(Max("at")))


def _evening(
    request: HttpRequest,
    club: Club,
    evening: PlannedEvening,
    *,
    changed_at: datetime | None,
    member: Member | None,
    own: Player | None,
) -> Event:
    summary = _("Evening of %(club)s") % {"club": club.name}
    said, position = None, None
    lines = [str(evening.season)] if evening.season is not None else []
    if own is not None:
        told = attendance(evening)
        said, position = told.of(own.pk), told.position(own.pk)
        lines.append(own_word(said.state if said is not None else None, position))
    if evening.note:
        lines.append(evening.note)
    address = ""
    if member is not None:
        path = reverse("web:evening", kwargs={"club": club.slug, "evening_id": evening.pk})
        address = addresses.public(request, path)
    declined = said is not None and said.state == SignUpState.DECLINED
    comes = said is not None and said.state == SignUpState.COMING
    return Event(
        uid=f"{shared_id('evening', evening.pk)}@tischliga",
        day=club.local_date(evening.starts_at),
        summary=summary,
        description="\n".join(lines),
        location=evening.location,
        url=address,
        created_at=evening.created_at,
        changed_at=changed_at or evening.created_at,
        changes=evening.revision,
        cancelled=evening.cancelled_at is not None,
        starts_at=evening.starts_at,
        reminder="" if declined else summary,
        tentative=own is not None and not comes,
        busy=comes,
    )


def own_word(state: str | None, position: int | None) -> str:
    """What a player has said about an evening (None: nothing), in words to that player."""
    if state is None:
        return _("You have not said yet whether you come.")
    if state == SignUpState.WAITING:
        return _("You are number %(number)d on the waiting list.") % {"number": position or 0}
    return _("You come.") if state == SignUpState.COMING else _("You don't come.")


def _event(request: HttpRequest, club: Club, session: Session, rights: reading.Rights) -> Event:
    results = list(session.results.all())
    names = {one.pk: one.player.name if rights.member else one.player.public_name for one in results}
    winners = [names[one.pk] for one in results if one.place == 1]
    summary = str(session.get_format_display())
    if session.status == SessionStatus.OPEN:
        summary = _("%(format)s (goes on)") % {"format": summary}
    elif winners:
        summary = _("%(format)s: %(winners)s won") % {"format": summary, "winners": ", ".join(winners)}
    lines = [f"{one.place}. {names[one.pk]}" if one.place else f"\N{EN DASH} {names[one.pk]}" for one in results]
    if session.season is not None:
        lines.insert(0, str(session.season))
    if session.comment:
        lines.append(session.comment)
    address = reverse("web:session", kwargs={"club": club.slug, "session_id": session.pk})
    return Event(
        uid=f"{shared_id('session', session.pk)}@tischliga",
        day=session.played_on,
        summary=summary,
        description="\n".join(lines),
        location=session.location,
        url=addresses.public(request, address + rights.query),
        created_at=session.created_at,
        changed_at=vars(session)["corrected_at"] or session.created_at,
        changes=session.revision - 1,
        cancelled=session.voided_at is not None,
    )
