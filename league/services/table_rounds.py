"""Rounds as phones at a table send them: kept while there is no network, sent in order, sent again until answered.

Terms: a *key* is a round's own, made by the phone that it was typed on, and stays the same however often it is sent. A
round is *taken* when another one was stored under its number meanwhile, as by a second phone. To *settle* it is to
correct what is stored to this version; to *take back* a round is to remove the last one, so that it can be entered
anew.
Promises: a round is stored once however often it is sent, and whoever sends it; what two phones entered alike is no
conflict; settling and taking back are corrections, which leave a revision with who, when and why. A table link may do
all this in its own session while that goes on; once the session is complete, only with the last round, if that is the
last thing that was done and the link itself entered it. Never: overwrites a round unasked.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.models import (
    IdempotencyRecord,
    RevisionKind,
    Role,
    Round,
    Session,
    SessionRevision,
    SessionStatus,
)
from league.scoring.problems import CODES
from league.services import corrections, results
from league.services import session_rows as rows
from league.services.access import Access
from league.services.errors import Conflict, NotFound, ServiceError
from league.services.evenings import RoundInput

# Fewer rounds than before bring no warning that anybody has to answer.
_EVERY_WARNING = frozenset(code for code, entry in CODES.items() if entry.kind == "warning") | {"possible_duplicate"}


class Taken(ServiceError):
    """Another round is stored under the number; `round_` has its scores, `revision` is the session's."""

    def __init__(self, round_: Round, revision: int) -> None:
        super().__init__(round_.number, revision)
        self.round_ = round_
        self.revision = revision


def store_round(
    *,
    access: Access,
    session_id: int,
    number: int,
    data: RoundInput,
    key: str,
    confirm: Collection[str],
    now: datetime,
) -> Session:
    """Store the round of that number (from 1), unless it is stored already; players are given by id.

    Raises as `results.record_round` does, and Taken where a different round has the number.
    """
    access.require_results(session_id)
    try:
        with transaction.atomic():
            if not _claim(access, session_id, key, now):
                return _session(access, session_id)
            return results.record_round(
                access=access, session_id=session_id, data=data, confirm=confirm, now=now, number=number
            )
    except Conflict as error:
        if error.code not in {"not_the_next_round", "session_ended"}:
            raise
        session = _session(access, session_id)
        stored = Round.objects.filter(session=session, number=number).prefetch_related("scores").first()
        if stored is None or session.voided_at is not None:
            raise
        if _same(stored, data):
            return session
        raise Taken(stored, session.revision) from error


def settle_round(
    *,
    access: Access,
    session_id: int,
    number: int,
    data: RoundInput,
    key: str,
    expected: int,
    confirm: Collection[str],
    now: datetime,
) -> Session:
    """Correct the stored round of that number to this version, made for revision `expected`.

    Raises as `corrections.correct_round` does.
    """
    access.require_results(session_id)
    with transaction.atomic():
        if not _claim(access, session_id, key, now):
            return _session(access, session_id)
        return corrections.correct_round(
            access=_allowed(access, session_id, number),
            session_id=session_id,
            number=number,
            data=data,
            reason=_("Two phones entered round %(number)d; this version is right.") % {"number": number},
            expected=expected,
            confirm=confirm,
            now=now,
        )


def take_back_round(*, access: Access, session_id: int, number: int, expected: int | None, now: datetime) -> Session:
    """Remove the last round, whose number is given; a session that it completed goes on again.

    `expected` as in `corrections.correct`. Raises Conflict where it is not the last round (any more), or the session
    was ended early or is void, and as `corrections.correct` does.
    """
    access.require_results(session_id)
    with transaction.atomic():
        allowed = _allowed(access, session_id, number)
        session, _season = rows.locked(access, session_id, expected=expected)
        rows.check_not_void(session)
        rounds = corrections.as_input(session).rounds
        if session.status == SessionStatus.INCOMPLETE:
            raise Conflict("session_ended", _("This session is ended; it takes no more rounds or players."))
        if number != len(rounds):
            message = _("Round %(number)d is not the last one: correct it instead.") % {"number": number}
            raise Conflict("not_the_last_round", message)
        return corrections.correct(
            access=allowed,
            session_id=session_id,
            changes={"rounds": rounds[:-1], "status": SessionStatus.OPEN},
            reason=_("Round %(number)d was taken back at the table.") % {"number": number},
            expected=expected,
            confirm=_EVERY_WARNING,
            now=now,
        )


def may_settle(access: Access, session: Session, number: int) -> bool:
    """Whether `settle_round` and `take_back_round` are open to who acts here, for the round of that number."""
    if access.only_session is None:
        return access.may(Role.SCOREKEEPER)
    if session.pk != access.only_session or session.voided_at is not None:
        return False
    if session.status == SessionStatus.OPEN:
        return True
    last = SessionRevision.objects.filter(session=session).order_by("-number").first()
    return (
        session.status == SessionStatus.COMPLETE
        and number == session.planned_rounds
        and last is not None
        and last.kind == RevisionKind.ROUND_RECORDED
        and last.token_id == access.actor.token_id
    )


def _allowed(access: Access, session_id: int, number: int) -> Access:
    """The access that corrections ask for, for whoever `may_settle`. Raises Conflict for all others."""
    session, _season = rows.locked(access, session_id)
    if not may_settle(access, session, number):
        raise Conflict("session_ended", _("This session is over: a scorekeeper can correct it."))
    # A table link has a member's role: here it acts in its own session alone, and stays the actor of what it does.
    return replace(access, role=Role.SCOREKEEPER) if access.only_session is not None else access


def _claim(access: Access, session_id: int, key: str, now: datetime) -> bool:
    """Take the key in this transaction, waiting for another that holds it; False when that one went through.

    Keys are the session's, not the sender's: a round kept under a table link may be sent after logging in.
    """
    try:
        with transaction.atomic():
            IdempotencyRecord.objects.create(actor=f"session:{session_id}", key=key, fingerprint="", created_at=now)
    except IntegrityError:
        return False
    return True


def _session(access: Access, session_id: int) -> Session:
    session = Session.objects.filter(club=access.club, pk=session_id).first()
    if session is None:
        raise NotFound(session_id)
    return session


def _same(stored: Round, data: RoundInput) -> bool:
    """Whether the round says what is stored: by points where both have them, else by places."""
    have = {score.player_id: (score.points, score.place) for score in stored.scores.all()}
    if (stored.game, stored.note, set(have)) != (data.game, data.note, {score.player for score in data.scores}):
        return False
    return all(
        have[int(score.player)][0] == score.points
        if score.points is not None
        else have[int(score.player)] == (None, score.place)
        for score in data.scores
    )
