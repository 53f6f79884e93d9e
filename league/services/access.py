"""Who acts in which club, and as what.

Promises: `Access` can only be had for a club that the actor belongs to; to a stranger the club does not exist
(`NotFound`), so nothing of it leaks, not even that it is there.
"""

from dataclasses import dataclass

from django.db.models import QuerySet

from league.models import ApiToken, Club, Member, Role, Scope, User
from league.services.errors import Forbidden, NotFound

_RANK = {Role.MEMBER: 0, Role.SCOREKEEPER: 1, Role.ADMIN: 2, Role.OWNER: 3}
_ROLE_OF_SCOPE = {
    Scope.READ: Role.MEMBER,
    Scope.RESULTS_WRITE: Role.SCOREKEEPER,
    Scope.CLUB_ADMIN: Role.ADMIN,
    # No role by itself lets anyone write: what a table link may beyond reading, `require_results` says.
    Scope.TABLE: Role.MEMBER,
}


def includes(role: Role, needed: Role) -> bool:
    """Whether a role is `needed` or above."""
    return _RANK[role] >= _RANK[needed]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a user, a token, or neither (the product itself, as with the demo club)."""

    user_id: int | None = None
    token_id: int | None = None

    @property
    def key(self) -> str:
        """`user:3` or `token:7`."""
        return f"token:{self.token_id}" if self.token_id is not None else f"user:{self.user_id}"


@dataclass(frozen=True, slots=True)
class Access:
    """An actor inside a club, with the role that counts there.

    `only_session` (None: no such bound) is the one session that a table link opens; whoever lets an actor read or
    write anything else of the club has to refuse it there.
    """

    club: Club
    role: Role
    actor: Actor
    only_session: int | None = None

    def may(self, role: Role) -> bool:
        """Whether the actor's role is `role` or above."""
        return includes(self.role, role)

    def require(self, role: Role) -> None:
        """Raise `Forbidden` unless `may(role)`."""
        if not self.may(role):
            raise Forbidden(role)

    def require_results(self, session_id: int) -> None:
        """Let pass whoever may go on with this session: scorekeepers and above, and its own table link.

        Raises NotFound for the table link of another session, Forbidden for all others.
        """
        if self.only_session is None:
            self.require(Role.SCOREKEEPER)
        elif self.only_session != session_id:
            raise NotFound(session_id)


def of_user(*, user: User, club_slug: str) -> Access:
    """The access of a member. Raises NotFound for strangers and for clubs that don't exist."""
    member = Member.objects.select_related("club").filter(club__slug=club_slug, user=user).first()
    if member is None:
        raise NotFound(club_slug)
    return Access(club=member.club, role=Role(member.role), actor=Actor(user_id=user.pk))


def club_of(*, token: ApiToken) -> QuerySet[Club]:
    """The one club that a token opens; none once its maker's membership or login has ended, nor to a table link."""
    if token.scope == Scope.TABLE:
        return Club.objects.none()
    clubs = Club.objects.filter(pk=token.club_id)
    if token.created_by_id is None:
        return clubs
    makers = Member.objects.filter(user=token.created_by_id, user__is_active=True)
    return clubs.filter(pk__in=makers.values("club"))


def of_token(*, token: ApiToken, club_slug: str) -> Access:
    """The access of a token, which is bound to one club. Raises NotFound for any other.

    A token is no stronger than its maker: it ends with the maker's membership or login and sinks with the maker's
    role. A table link ends once its maker may record no results.
    """
    club = token.club
    if club.slug != club_slug:
        raise NotFound(club_slug)
    role = _ROLE_OF_SCOPE[Scope(token.scope)]
    if token.created_by_id is not None:
        makers = Member.objects.filter(club=club, user=token.created_by_id, user__is_active=True)
        held = next(iter(makers.values_list("role", flat=True)), None)
        if held is None or (token.scope == Scope.TABLE and not includes(Role(held), Role.SCOREKEEPER)):
            raise NotFound(club_slug)
        role = min(role, Role(held), key=_RANK.__getitem__)
    return Access(club=club, role=role, actor=Actor(token_id=token.pk), only_session=token.session_id)
