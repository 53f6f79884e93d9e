"""Invitations: used once, for a time, by one; never stronger than who made them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from league.models import AuditEvent, Invite, Member, Player, Role, Scope, User
from league.services import access, clubs, invites, tokens
from league.services.errors import Conflict, Forbidden, InputError, NotFound
from tests.people import NOW, People
from tests.services.given import rows
from tests.services.threads import at_once

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
PASSWORD = "queen-of-spades-7"


def _invite(people: People, by: User | None = None, role: Role = Role.MEMBER, **given: Any) -> tuple[Invite, str]:
    return invites.create(access=people.access(by or people.admin), role=role, now=NOW, **given)


def _role(people: People, user: User) -> Role | None:
    member = Member.objects.filter(club=people.club, user=user).first()
    return Role(member.role) if member else None


def _state(invite: Invite, now: Any = NOW) -> str:
    found: Any = Invite.objects.with_state(now=now).get(pk=invite.pk)
    return str(found.state)


def test_whoever_has_the_code_becomes_a_member(people: People) -> None:
    invite, code = _invite(people, role=Role.SCOREKEEPER, note=" for  Gül ")
    offer = invites.find(code=code, now=NOW)
    assert (offer.invite.club, offer.role, offer.invite.note) == (people.club, Role.SCOREKEEPER, "for Gül")
    member = invites.accept(code=code, user=people.stranger, now=NOW)
    assert (member.user, member.club, member.role) == (people.stranger, people.club, Role.SCOREKEEPER)
    invite.refresh_from_db()
    assert (invite.used_at, invite.used_by) == (NOW, people.stranger)
    assert [(one.action, one.user_id, one.object_id) for one in AuditEvent.objects.order_by("pk")] == [
        ("invite.created", people.admin.pk, invite.pk),
        ("invite.accepted", people.stranger.pk, invite.pk),
    ]


def test_a_code_works_once(people: People) -> None:
    invite, code = _invite(people)
    invites.accept(code=code, user=people.stranger, now=NOW)
    other = User.objects.create_user("other")
    with pytest.raises(NotFound):
        invites.accept(code=code, user=other, now=NOW)
    assert _role(people, other) is None
    assert _state(invite) == "used"


def test_a_code_works_for_its_days(people: People) -> None:
    invite, code = _invite(people, days=2)
    last = NOW + 2 * DAY - timedelta(seconds=1)
    assert _state(invite, last) == "open"
    assert invites.find(code=code, now=last).invite == invite
    assert _state(invite, NOW + 2 * DAY) == "expired"
    with pytest.raises(NotFound):
        invites.accept(code=code, user=people.stranger, now=NOW + 2 * DAY)
    assert _role(people, people.stranger) is None


def test_a_revoked_code_works_no_more(people: People) -> None:
    invite, code = _invite(people)
    invites.revoke(access=people.access(people.owner), invite_id=invite.pk, now=NOW)
    assert _state(invite) == "revoked"
    with pytest.raises(NotFound):
        invites.accept(code=code, user=people.stranger, now=NOW)
    # What was used stays used.
    used, code = _invite(people)
    invites.accept(code=code, user=people.stranger, now=NOW)
    invites.revoke(access=people.access(people.owner), invite_id=used.pk, now=NOW)
    used.refresh_from_db()
    assert used.revoked_at is None


@pytest.mark.parametrize("wrong", ["", "x", "ü" * 43, "\0", "x" * 10**5])
def test_any_other_code_is_none(people: People, wrong: str) -> None:
    invite, code = _invite(people)
    for one in (wrong, code[:-1], code + "x", invite.code_sha256):
        with pytest.raises(NotFound):
            invites.find(code=one, now=NOW)


def test_the_code_is_nowhere_in_the_database(people: People) -> None:
    _made, code = _invite(people)
    # 256 random bits in base 64.
    assert len(code) == 43
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - a table's own name
            assert not [row for row in cursor.fetchall() if code in " ".join(map(str, row))], table


def test_a_member_does_not_use_it_up(people: People) -> None:
    invite, code = _invite(people, role=Role.ADMIN)
    before = rows()
    with pytest.raises(Conflict) as caught:
        invites.accept(code=code, user=people.member, now=NOW)
    assert caught.value.code == "already_a_member"
    assert (rows(), _state(invite), _role(people, people.member)) == (before, "open", Role.MEMBER)
    invites.accept(code=code, user=people.stranger, now=NOW)
    assert _role(people, people.stranger) == Role.ADMIN


# --- Who may invite whom ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inviter", "may"),
    [
        ("owner", ["owner", "admin", "scorekeeper", "member"]),
        ("admin", ["admin", "scorekeeper", "member"]),
        ("scorekeeper", []),
        ("member", []),
    ],
)
def test_nobody_invites_above_the_own_role(people: People, inviter: str, may: list[str]) -> None:
    done = []
    for role in (Role.OWNER, Role.ADMIN, Role.SCOREKEEPER, Role.MEMBER):
        try:
            _invite(people, getattr(people, inviter), role)
            done.append(role.value)
        except Forbidden:
            pass
    assert done == may


@pytest.mark.parametrize(
    ("invited_as", "sunk_to", "becomes"),
    [
        (Role.OWNER, Role.ADMIN, Role.ADMIN),
        (Role.SCOREKEEPER, Role.ADMIN, Role.SCOREKEEPER),
        (Role.MEMBER, Role.SCOREKEEPER, None),
        (Role.MEMBER, Role.MEMBER, None),
    ],
)
def test_an_invitation_sinks_with_its_inviter(
    people: People, invited_as: Role, sunk_to: Role, becomes: Role | None
) -> None:
    second = Member.objects.create(club=people.club, user=User.objects.create_user("second"), role=Role.OWNER)
    invite, code = _invite(people, second.user, invited_as)
    clubs.change_role(access=people.access(people.owner), member_id=second.pk, role=sunk_to, now=NOW)
    if becomes is None:
        assert _state(invite) == "void"
        with pytest.raises(NotFound):
            invites.accept(code=code, user=people.stranger, now=NOW)
        # Back in office, back in force.
        clubs.change_role(access=people.access(people.owner), member_id=second.pk, role=Role.ADMIN, now=NOW)
        assert _state(invite) == "open"
    else:
        assert invites.find(code=code, now=NOW).role == becomes
        invites.accept(code=code, user=people.stranger, now=NOW)
    assert _role(people, people.stranger) == becomes


def test_an_invitation_ends_with_its_inviters_membership_or_login(people: People) -> None:
    invite, code = _invite(people)
    User.objects.filter(pk=people.admin.pk).update(is_active=False)
    assert _state(invite) == "void"
    User.objects.filter(pk=people.admin.pk).update(is_active=True)
    Member.objects.filter(user=people.admin).delete()
    with pytest.raises(NotFound):
        invites.find(code=code, now=NOW)


def test_the_person_behind_a_token_is_the_inviter(people: People) -> None:
    token, _raw = tokens.create(
        access=people.access(people.admin), name="app", scope=Scope.CLUB_ADMIN, expires_at=None, now=NOW
    )
    its = access.of_token(token=token, club_slug="herzclub")
    invite, code = invites.create(access=its, role=Role.ADMIN, now=NOW)
    assert invite.created_by == people.admin
    with pytest.raises(Forbidden):
        invites.create(access=its, role=Role.OWNER, now=NOW)
    member = Member.objects.get(user=people.admin)
    clubs.change_role(access=people.access(people.owner), member_id=member.pk, role=Role.MEMBER, now=NOW)
    with pytest.raises(NotFound):
        invites.find(code=code, now=NOW)


# --- Players, notes, days ---------------------------------------------------------------------------------------------


def test_the_new_member_is_the_player_that_was_meant(people: People) -> None:
    ann = people.players[0]
    _invite_ann, code = _invite(people, player_id=ann.pk)
    member = invites.accept(code=code, user=people.stranger, now=NOW)
    ann.refresh_from_db()
    assert ann.member == member


def test_a_player_who_is_somebody_else_by_then_stays_it(people: People) -> None:
    ann = people.players[0]
    _invite_ann, code = _invite(people, player_id=ann.pk)
    theirs = Member.objects.get(user=people.member)
    Player.objects.filter(pk=ann.pk).update(member=theirs)
    invites.accept(code=code, user=people.stranger, now=NOW)
    ann.refresh_from_db()
    assert ann.member == theirs
    assert _role(people, people.stranger) == Role.MEMBER


def test_what_can_not_be_invited(people: People) -> None:
    taken = people.players[1]
    Player.objects.filter(pk=taken.pk).update(member=Member.objects.get(user=people.member))
    gone = people.players[2]
    Player.objects.filter(pk=gone.pk).update(archived_at=NOW)
    bot = Player.objects.create(club=people.club, name="Robo", kind="bot", bot="random")
    before = rows()
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"player_id": people.other_players[0].pk}, "player"),
        ({"player_id": taken.pk}, "player"),
        ({"player_id": gone.pk}, "player"),
        ({"player_id": bot.pk}, "player"),
        ({"player_id": 10**9}, "player"),
        ({"days": 0}, "days"),
        ({"days": 31}, "days"),
        ({"note": "x" * 101}, "note"),
        ({"note": "a\0b"}, "note"),
    ]
    for given, field in wrong:
        with pytest.raises(InputError) as caught:
            _invite(people, **given)
        assert [problem.path for problem in caught.value.problems] == [(field,)]
    assert rows() == before


# --- With a new login -------------------------------------------------------------------------------------------------


def test_somebody_new_gets_a_login_and_is_a_member_at_once(people: People) -> None:
    _made, code = _invite(people)
    user = invites.accept_with_account(code=code, username="gül", password=PASSWORD, email="g@example.org", now=NOW)
    user.refresh_from_db()
    assert (user.username, user.email, user.is_staff, user.is_superuser) == ("gül", "g@example.org", False, False)
    assert user.check_password(PASSWORD)
    assert _role(people, user) == Role.MEMBER


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"username": "a b"}, "username"),
        ({"username": "x" * 151}, "username"),
        ({"password": "short"}, "password"),
        ({"password": "1234567890123"}, "password"),
        ({"email": "nowhere"}, "email"),
    ],
)
def test_a_login_that_can_not_be_uses_nothing_up(people: People, given: dict[str, str], field: str) -> None:
    invite, code = _invite(people)
    before = rows()
    with pytest.raises(InputError) as caught:
        invites.accept_with_account(code=code, now=NOW, **{"username": "gül", "password": PASSWORD, **given})
    assert [problem.path for problem in caught.value.problems] == [(field,)]
    assert (rows(), _state(invite)) == (before, "open")


@pytest.mark.parametrize("name", ["member", "Member", "MEMBER", "\uff4dember"])
def test_a_user_name_is_nobody_elses(people: People, name: str) -> None:
    invite, code = _invite(people)
    before = rows()
    with pytest.raises(Conflict) as caught:
        invites.accept_with_account(code=code, username=name, password=PASSWORD, now=NOW)
    assert caught.value.code == "username_taken"
    assert (rows(), _state(invite)) == (before, "open")


def test_without_an_open_invitation_there_is_no_login(people: People) -> None:
    invite, code = _invite(people)
    invites.revoke(access=people.access(people.owner), invite_id=invite.pk, now=NOW)
    before = rows()
    # Nor does it tell whose names are taken.
    for name in ("gül", "member"):
        with pytest.raises(NotFound):
            invites.accept_with_account(code=code, username=name, password=PASSWORD, now=NOW)
    assert rows() == before


# --- At once ----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_gets_in(people: People) -> None:
    invite, code = _invite(people)
    others = [User.objects.create_user(f"user-{number}") for number in range(3)]

    def accept(user: User) -> Callable[[], object]:
        return lambda: invites.accept(code=code, user=user, now=NOW)

    def anew(name: str) -> Callable[[], object]:
        return lambda: invites.accept_with_account(code=code, username=name, password=PASSWORD, now=NOW)

    outcomes = at_once([*(accept(user) for user in others), anew("new-1"), anew("new-2")])
    assert sorted(type(one).__name__ for one in outcomes if isinstance(one, Exception)) == ["NotFound"] * 4
    assert Member.objects.filter(club=people.club).count() == 5
    invite.refresh_from_db()
    assert Member.objects.filter(club=people.club, user=invite.used_by).exists()
    # Whoever was too late has no login either.
    assert User.objects.filter(username__startswith="new-").count() <= 1


@pytest.mark.django_db(transaction=True)
def test_the_same_one_twice_at_once(people: People) -> None:
    _first, code = _invite(people)
    _second, other_code = _invite(people)
    outcomes = at_once(
        [lambda one=one: invites.accept(code=one, user=people.stranger, now=NOW) for one in (code, other_code)]  # type: ignore[misc]
    )
    assert sorted(type(one).__name__ for one in outcomes) == ["Conflict", "Member"]
    assert Invite.objects.filter(used_at=None).count() == 1
