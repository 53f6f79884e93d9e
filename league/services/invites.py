"""Invitations into a club: made, shown once, accepted once, revoked.

Terms: the *code* is 256 random bits, written in an address; only its SHA-256 is stored. The *inviter* is who made the
invitation, or the person behind the token that did. Promises: of two who accept at once one becomes a member; whoever
is a member already uses nothing up; an invitation is never stronger than its inviter: one made by an owner who is an
admin now makes admins, and with an inviter who may no longer invite at all it is worth nothing.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.models import ApiToken, Invite, InviteState, Member, Player, PlayerKind, Role, User
from league.services import accounts, audit
from league.services.access import Access, Actor, includes
from league.services.clubs import is_text
from league.services.errors import Conflict, Forbidden, InputError, NotFound, Problem, out_of_range

DEFAULT_DAYS = 7
MAXIMUM_DAYS = 30
_LONGEST_NOTE = 100


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


def create(
    *,
    access: Access,
    role: Role,
    note: str = "",
    player_id: int | None = None,
    days: int = DEFAULT_DAYS,
    now: datetime,
) -> tuple[Invite, str]:
    """Invite somebody; return the invitation with its code, which is stored nowhere.

    `note` says for whom; `player_id` is the player who the new member is. Raises InputError for values that can't be
    and Forbidden for a role above the inviter's.
    """
    access.require(Role.OWNER if role == Role.OWNER else Role.ADMIN)
    note = " ".join(note.split())
    problems = out_of_range(("days",), days, 1, MAXIMUM_DAYS)
    if len(note) > _LONGEST_NOTE or not is_text(note):
        message = _("Give one line of at most %(maximum)d characters.") % {"maximum": _LONGEST_NOTE}
        problems.append(Problem(("note",), "invalid", message))
    code = secrets.token_urlsafe(32)
    with transaction.atomic():
        if player_id is not None and not _free_players(access.club.pk).filter(pk=player_id).exists():
            message = _("Give the id of an active person of this club who is linked to no member.")
            problems.append(Problem(("player",), "unknown_player", message))
        if problems:
            raise InputError(problems)
        invite = Invite.objects.create(
            club=access.club,
            role=role,
            code_sha256=_digest(code),
            note=note,
            player_id=player_id,
            created_by_id=_person_behind(access.actor),
            expires_at=now + timedelta(days=days),
        )
        data = {"role": role, "player": player_id}
        audit.write(access=access, action="invite.created", object_id=invite.pk, data=data, now=now)
    return invite, code


def _person_behind(actor: Actor) -> int | None:
    if actor.token_id is None:
        return actor.user_id
    # Locked: a token that is revoked at the same time makes no invitation after its end.
    token = ApiToken.objects.select_for_update().filter(pk=actor.token_id, revoked_at=None).first()
    if token is None:
        raise Forbidden(Role.ADMIN)
    return token.created_by_id


def _free_players(club_id: int) -> QuerySet[Player]:
    """The players of a club who a new member can be."""
    return Player.objects.filter(
        club=club_id, kind=PlayerKind.PERSON, member=None, archived_at=None, merged_into=None, erased_at=None
    )


def revoke(*, access: Access, invite_id: int, now: datetime) -> Invite:
    """End an invitation; one that is used, expired or revoked stays as it is."""
    access.require(Role.ADMIN)
    with transaction.atomic():
        invite = Invite.objects.select_for_update().filter(club=access.club, pk=invite_id).first()
        if invite is None:
            raise NotFound(invite_id)
        if invite.revoked_at is None and invite.used_at is None:
            invite.revoked_at = now
            invite.save(update_fields=["revoked_at"])
            audit.write(access=access, action="invite.revoked", object_id=invite.pk, data={}, now=now)
    return invite


@dataclass(frozen=True, slots=True)
class Offer:
    """What an invitation gives at this moment."""

    invite: Invite
    role: Role


def find(*, code: str, now: datetime) -> Offer:
    """The open invitation with this code. Raises NotFound for any other, whatever it is about it."""
    # Any: the type checker does not know the annotations.
    invites = Invite.objects.filter(code_sha256=_digest(code)).select_related("club")
    found: Any = invites.with_state(now=now).first()
    if found is None or found.state != InviteState.OPEN:
        raise NotFound("invite")
    offered, inviter = Role(found.role), Role(found.inviter_role)
    return Offer(found, offered if includes(inviter, offered) else inviter)


def is_code_of(*, invite: Invite, code: str) -> bool:
    """Whether this is the invitation's own code."""
    return secrets.compare_digest(invite.code_sha256, _digest(code))


def used_by(*, code: str, user: User) -> Invite | None:
    """The invitation with this code that this very user accepted; None for any other."""
    return Invite.objects.select_related("club").filter(code_sha256=_digest(code), used_by=user).first()


def accept(*, code: str, user: User, now: datetime) -> Member:
    """Make the user a member, and the invitation's player theirs if that player is still free.

    Raises NotFound for an invitation that is not open, Conflict for a member, whom it costs nothing.
    """
    try:
        with transaction.atomic():
            return _accept(code, user, now)
    except IntegrityError as error:
        raise _already_a_member() from error


def accept_with_account(*, code: str, username: str, password: str, email: str = "", now: datetime) -> User:
    """Make a login and with it what `accept` makes, or neither.

    Raises NotFound for an invitation that is not open, InputError and Conflict for a login that can't be.
    """
    with transaction.atomic():
        # First, so that nobody finds out user names with an invitation that is over.
        find(code=code, now=now)
        user = accounts.create(username=username, password=password, email=email)
        _accept(code, user, now)
    return user


def _accept(code: str, user: User, now: datetime) -> Member:
    # Of two at once the second waits here, and then finds it used.
    locked = Invite.objects.select_for_update().filter(code_sha256=_digest(code)).first()
    if locked is not None:
        # Nor does the inviter's role sink while it is looked at.
        list(Member.objects.select_for_update().filter(club=locked.club_id, user=locked.created_by_id))
    offer = find(code=code, now=now)
    club = offer.invite.club
    if Member.objects.filter(club=club, user=user).exists():
        raise _already_a_member()
    Invite.objects.filter(pk=offer.invite.pk).update(used_at=now, used_by=user)
    member = Member.objects.create(club=club, user=user, role=offer.role)
    player_id = offer.invite.player_id
    linked = player_id is not None and _free_players(club.pk).filter(pk=player_id).update(member=member)
    access = Access(club=club, role=offer.role, actor=Actor(user_id=user.pk))
    data = {"role": offer.role, "member": member.pk, "player": player_id if linked else None}
    audit.write(access=access, action="invite.accepted", object_id=offer.invite.pk, data=data, now=now)
    return member


def _already_a_member() -> Conflict:
    return Conflict("already_a_member", _("You are a member of this club already; the invitation is still unused."))
