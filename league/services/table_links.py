"""Table links: a phone at the table enters the rounds of one session, without a login.

Terms: a *table link* is an API token of the scope `table`, bound to one session; its address carries the raw token.
Promises: it reaches this session and nothing else, ends by itself within `LONGEST_HOURS`, and what is entered with it
is in the audit trail under its own id. Never: makes another token, or outlives its maker's right to record results.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.models import ApiToken, Role, Scope, Session, SessionStatus
from league.services import audit, tokens
from league.services.access import Access, of_token
from league.services.errors import Conflict, InputError, NotFound, out_of_range

# Until the longest evening is over; and at most as long as a weekend of games.
USUAL_HOURS = 12
LONGEST_HOURS = 48


def create(*, access: Access, session_id: int, now: datetime, hours: int = USUAL_HOURS) -> tuple[ApiToken, str]:
    """Make a link that lasts for `hours`; return its token and the raw token, which is stored nowhere.

    Raises InputError for a duration out of range, NotFound, and Conflict for a session that takes no more rounds.
    """
    access.require(Role.SCOREKEEPER)
    if problems := out_of_range(("hours",), hours, 1, LONGEST_HOURS):
        raise InputError(problems)
    with transaction.atomic():
        session = Session.objects.filter(club=access.club, pk=session_id).first()
        if session is None:
            raise NotFound(session_id)
        if session.status != SessionStatus.OPEN or session.voided_at is not None:
            raise Conflict("session_ended", _("This session is ended; it takes no more rounds or players."))
        token, raw = tokens.issue(
            access=access,
            name=_("Session of %(day)s") % {"day": date_format(session.played_on, "SHORT_DATE_FORMAT")},
            scope=Scope.TABLE,
            expires_at=now + timedelta(hours=hours),
            session=session,
        )
        data = {"session": session.pk, "hours": hours}
        audit.write(access=access, action="table_link.created", object_id=token.pk, data=data, now=now)
    return token, raw


def revoke(*, access: Access, session_id: int, link_id: int, now: datetime) -> ApiToken:
    """End a link of the session at once; what is revoked already stays as it is. Raises NotFound."""
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        links = ApiToken.objects.select_for_update().filter(club=access.club, scope=Scope.TABLE, session=session_id)
        link = links.filter(pk=link_id).first()
        if link is None:
            raise NotFound(link_id)
        if link.revoked_at is None:
            link.revoked_at = now
            link.save(update_fields=["revoked_at"])
            data = {"session": session_id}
            audit.write(access=access, action="table_link.revoked", object_id=link.pk, data=data, now=now)
    return link


def opened(*, raw: str, now: datetime) -> Access:
    """The access that a link's raw token gives, bound to its session by `only_session`.

    Raises NotFound for whatever is no table link, or one that has ended.
    """
    token = tokens.authenticate(raw=raw, now=now)
    if token is None or token.scope != Scope.TABLE:
        raise NotFound(raw)
    return of_token(token=token, club_slug=token.club.slug)
