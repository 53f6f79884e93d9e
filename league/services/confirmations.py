"""Two people, one game: a second participant agrees with what was entered, or disputes it; a scorekeeper decides.

Terms: a *participant* is a member whose player sat in the session. Promises: a session that awaits its confirmation,
or is disputed, is shown but enters no standings; nobody but an admin confirms what they entered themselves.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import (
    ApiToken,
    Confirmation,
    Player,
    RevisionKind,
    Role,
    Scope,
    Season,
    Session,
    SessionRevision,
    SessionStatus,
)
from league.services import audit, corrections, standings
from league.services import session_rows as rows
from league.services.access import Access
from league.services.errors import Conflict, Forbidden

_ENTERED = [
    RevisionKind.RECORDED,
    RevisionKind.ROUND_RECORDED,
    RevisionKind.SEATS_CHANGED,
    RevisionKind.ENDED,
    RevisionKind.CORRECTED,
]


def confirm(*, access: Access, session_id: int, expected: int | None = None, now: datetime) -> Session:
    """Agree with a session: it counts from now on. A disputed one takes a scorekeeper.

    `expected` is the revision that was seen (None: whichever is there). Raises Stale for another one, Forbidden for
    whoever neither took part nor keeps scores, Conflict for one's own entry and for a session that is open, void or
    not waiting.
    """
    with transaction.atomic():
        session, season = _waiting(access, session_id, expected)
        if session.confirmation == Confirmation.DISPUTED:
            access.require(Role.SCOREKEEPER)
        if _own_entry(access, session):
            message = _("You entered this session yourself: another participant or an admin confirms it.")
            raise Conflict("own_entry", message)
        return _decide(session, season, access, decision=Confirmation.CONFIRMED, now=now)


def dispute(*, access: Access, session_id: int, reason: str, expected: int | None = None, now: datetime) -> Session:
    """Object to a session, saying why: it counts no more until a scorekeeper has decided. Raises as `confirm` does."""
    reason = corrections.checked_reason(reason)
    with transaction.atomic():
        session, season = _waiting(access, session_id, expected)
        return _decide(session, season, access, decision=Confirmation.DISPUTED, now=now, reason=reason)


def may_decide(*, access: Access, session: Session) -> bool:
    """Whether the actor may confirm or dispute the session at all."""
    return access.may(Role.SCOREKEEPER) or _took_part(access, session)


def may_confirm(*, access: Access, session: Session) -> bool:
    """Whether the actor may agree with the session as it stands: not with an own entry, nor with what is disputed
    unless they keep scores."""
    if session.confirmation == Confirmation.DISPUTED and not access.may(Role.SCOREKEEPER):
        return False
    return may_decide(access=access, session=session) and not _own_entry(access, session)


def _waiting(access: Access, session_id: int, expected: int | None) -> tuple[Session, Season | None]:
    session, season = rows.locked(access, session_id, expected=expected)
    rows.check_not_void(session)
    if not may_decide(access=access, session=session):
        raise Forbidden(Role.SCOREKEEPER)
    if session.status == SessionStatus.OPEN:
        raise Conflict("session_open", _("This session still goes on; it is confirmed when it is ended."))
    if not session.confirmation:
        raise Conflict("no_confirmation", _("Results of this session are not confirmed by a second player."))
    return session, season


def _decide(
    session: Session,
    season: Season | None,
    access: Access,
    *,
    decision: Confirmation,
    now: datetime,
    reason: str = "",
) -> Session:
    if session.confirmation == decision:
        return Session.objects.get(pk=session.pk)
    counted = session.counts
    session.confirmation = decision
    session.counts = rows.counts(session, season, rows.stored_score(session, season))
    rows.save(session)
    kind = RevisionKind(decision.value)
    rows.write_revision(session, access=access, kind=kind, now=now, reason=reason)
    moved = rows.placed_in(session, season, counted=counted or session.counts)
    if season is not None:
        standings.refresh(season=season, players=moved.get(season.pk, ()))
    data = {"revision": session.revision}
    audit.write(access=access, action=f"session.{decision}", object_id=session.pk, data=data, now=now)
    rows.tell(session, access=access, events=["result.corrected"], now=now, seasons=moved)
    return Session.objects.get(pk=session.pk)


def _person(access: Access) -> int | None:
    """The user who acts, be it through a token."""
    if access.actor.token_id is None:
        return access.actor.user_id
    return ApiToken.objects.filter(pk=access.actor.token_id).values_list("created_by", flat=True).first()


def _own_entry(access: Access, session: Session) -> bool:
    return not access.may(Role.ADMIN) and _person(access) in _entered_by(session)


def _took_part(access: Access, session: Session) -> bool:
    # A read-only token and a table link speak for no participant.
    if access.actor.token_id is not None or access.actor.user_id is None:
        return False
    return Player.objects.filter(member__user=access.actor.user_id, seats__session=session).exists()


def _entered_by(session: Session) -> set[int]:
    entered = SessionRevision.objects.filter(session=session, kind__in=_ENTERED).values_list(
        "user", "token__created_by", "token__scope"
    )
    # Whoever used a table link is not known.
    found = (maker if user is None else user for user, maker, scope in entered if scope != Scope.TABLE)
    return {who for who in found if who is not None}
