"""Sessions as calendar feeds, and the secret addresses at which members read theirs.

Terms: a *key* is the end of a member's address: the membership's id, signed. Promises: nobody can make a key up; one
ends with the membership, with the login and with a change of the password, and opens the calendar alone. Never:
stores a key.
"""

from django.core.signing import BadSignature, Signer
from django.db.models import Max, Prefetch, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from league.exchange.calendar import Event, feed
from league.models import Club, Member, Session, SessionResult, SessionStatus
from league.models.pushes import shared_id
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
    request: HttpRequest, *, club: Club, name: str, sessions: "QuerySet[Session]", rights: reading.Rights
) -> bytes:
    """The newest of these sessions as a feed for a reader with these rights: three queries."""
    results = SessionResult.objects.select_related("player").order_by("place", "place_sum", "player__name_key")
    found = (
        sessions.annotate(corrected_at=Max("revisions__at"))
        .select_related("season__league")
        .prefetch_related(Prefetch("results", results))
        .order_by("-played_on", "-pk")[:_NEWEST]
    )
    return feed(name, [_event(request, club, session, rights) for session in found])


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
