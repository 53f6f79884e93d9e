"""Tokens: who gets in, as what, and that the secret is stored nowhere."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from league.models import ApiToken, AuditEvent, Member, Role, Scope
from league.services import access, clubs, results, tokens
from league.services.access import Access, Actor
from league.services.errors import Forbidden, InputError, NotFound
from tests.people import NOW, People
from tests.services.given import evening, rows

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


def _make(people: People, scope: Scope = Scope.READ, **given: object) -> tuple[ApiToken, str]:
    expires_at = given.get("expires_at")
    return tokens.create(
        access=people.access(people.owner),
        name="app",
        scope=scope,
        expires_at=expires_at,  # type: ignore[arg-type]  # a datetime or nothing
        now=NOW,
    )


def test_the_raw_token_gets_in(people: People) -> None:
    token, raw = _make(people)
    assert tokens.authenticate(raw=raw, now=NOW) == token


def test_anything_else_does_not(people: People) -> None:
    token, raw = _make(people)
    _other, other_raw = _make(people)
    prefix, secret = raw.rsplit("_", 1)[0], raw[-43:]
    swapped = secret[:-2] + ("AA" if secret[-2:] != "AA" else "BB")
    for wrong in (
        "",
        "tl",
        "tl__",
        raw[:-1],
        raw + "A",
        raw.upper(),
        f" {raw}",
        f"{raw}\n",
        f"Bearer {raw}",
        f"{prefix}_{swapped}",
        raw[:16] + other_raw[16:],
        f"tl_{'a' * 12}_{secret}",
        f"tl_{token.prefix}_{token.secret_sha256[:43]}",
        "tl_\0",
        "tl_ä",
        "\ud800",
        "x" * 10**6,
    ):
        assert tokens.authenticate(raw=wrong, now=NOW) is None, wrong[:60]


def test_no_token_lasts_beyond_what_a_page_can_show(people: People) -> None:
    """The last hour of the year 9999 in Greenwich lies in the year 10000 of Berlin, which no clock knows."""
    before = rows()
    with pytest.raises(InputError) as caught:
        _make(people, expires_at=datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC))
    assert [(problem.path, problem.code) for problem in caught.value.problems] == [(("expires_at",), "too_late")]
    assert rows() == before
    token, _raw = _make(people, expires_at=datetime(9998, 12, 31, 23, 59, 59, tzinfo=UTC))
    token.refresh_from_db()
    assert token.expires_at is not None
    assert timezone.localtime(token.expires_at).year == 9999


def test_an_expired_token_does_not_get_in(people: People) -> None:
    token, raw = _make(people, expires_at=NOW + SECOND)
    assert tokens.authenticate(raw=raw, now=NOW) == token
    assert tokens.authenticate(raw=raw, now=NOW + SECOND) is None


def test_a_token_that_ends_before_it_begins(people: People) -> None:
    before = rows()
    with pytest.raises(InputError) as caught:
        _make(people, expires_at=NOW)
    assert [(problem.path, problem.code) for problem in caught.value.problems] == [(("expires_at",), "in_the_past")]
    assert rows() == before


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\0b"])
def test_names(people: People, name: str) -> None:
    with pytest.raises(InputError) as caught:
        tokens.create(access=people.access(people.owner), name=name, scope=Scope.READ, expires_at=None, now=NOW)
    assert [problem.path for problem in caught.value.problems] == [("name",)]


def test_a_revoked_token_does_not_get_in(people: People) -> None:
    token, raw = _make(people)
    tokens.revoke(access=people.access(people.admin), token_id=token.pk, now=NOW)
    assert tokens.authenticate(raw=raw, now=NOW) is None
    again = tokens.revoke(access=people.access(people.admin), token_id=token.pk, now=NOW + SECOND)
    assert again.revoked_at == NOW
    assert AuditEvent.objects.filter(action="token.revoked").count() == 1


def test_the_secret_is_nowhere_in_the_database(people: People) -> None:
    _token, raw = _make(people)
    tokens.authenticate(raw=raw, now=NOW)
    secret = raw[-43:]
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - a table's own name
            for row in cursor.fetchall():
                assert secret not in " ".join(map(str, row)), table


def test_two_tokens_share_nothing(people: People) -> None:
    (one, raw), (other, other_raw) = _make(people), _make(people)
    assert one.prefix != other.prefix
    assert raw[-43:] != other_raw[-43:]


def test_the_last_use_is_noted_once_a_minute_at_most(people: People) -> None:
    token, raw = _make(people)
    for seconds, noted in [(0, 0), (1, 0), (59, 0), (60, 60), (61, 60), (119, 60), (500, 500)]:
        tokens.authenticate(raw=raw, now=NOW + seconds * SECOND)
        token.refresh_from_db()
        assert token.last_used_at == NOW + noted * SECOND, seconds


def test_a_wrong_secret_is_no_use(people: People) -> None:
    token, raw = _make(people)
    tokens.authenticate(raw=raw[:-4] + "AAAA", now=NOW)
    token.refresh_from_db()
    assert token.last_used_at is None


# --- What a token may do ----------------------------------------------------------------------------------------------


def _role(token: ApiToken) -> Role:
    return access.of_token(token=token, club_slug="herzclub").role


@pytest.mark.parametrize(
    ("scope", "role"),
    [(Scope.READ, Role.MEMBER), (Scope.RESULTS_WRITE, Role.SCOREKEEPER), (Scope.CLUB_ADMIN, Role.ADMIN)],
)
def test_the_scope_is_the_ceiling(people: People, scope: Scope, role: Role) -> None:
    token, _raw = _make(people, scope)
    assert _role(token) == role


def test_no_token_acts_as_owner(people: People) -> None:
    token, _raw = _make(people, Scope.CLUB_ADMIN)
    by = access.of_token(token=token, club_slug="herzclub")
    member = Member.objects.get(user=people.member)
    with pytest.raises(Forbidden):
        clubs.change_role(access=by, member_id=member.pk, role=Role.OWNER, now=NOW)


@pytest.mark.parametrize("role", Role)
def test_the_makers_role_is_the_other_ceiling(people: People, role: Role) -> None:
    token, _raw = tokens.create(
        access=people.access(people.admin), name="app", scope=Scope.CLUB_ADMIN, expires_at=None, now=NOW
    )
    Member.objects.filter(user=people.admin).update(role=role)
    assert _role(token) == (Role.ADMIN if role == Role.OWNER else role)


def test_a_token_ends_with_its_makers_membership(people: People) -> None:
    token, _raw = tokens.create(
        access=people.access(people.admin), name="app", scope=Scope.READ, expires_at=None, now=NOW
    )
    clubs.remove_member(access=people.access(people.owner), member_id=Member.objects.get(user=people.admin).pk, now=NOW)
    with pytest.raises(NotFound):
        access.of_token(token=token, club_slug="herzclub")


def test_a_token_ends_with_its_makers_login(people: People) -> None:
    token, _raw = _make(people)
    people.owner.is_active = False
    people.owner.save()
    with pytest.raises(NotFound):
        access.of_token(token=token, club_slug="herzclub")


def test_a_token_made_by_a_token_ends_with_the_same_person(people: People) -> None:
    first, _raw = tokens.create(
        access=people.access(people.admin), name="app", scope=Scope.CLUB_ADMIN, expires_at=None, now=NOW
    )
    second, _raw = tokens.create(
        access=access.of_token(token=first, club_slug="herzclub"),
        name="app's own",
        scope=Scope.CLUB_ADMIN,
        expires_at=None,
        now=NOW,
    )
    assert _role(second) == Role.ADMIN
    Member.objects.filter(user=people.admin).delete()
    with pytest.raises(NotFound):
        access.of_token(token=second, club_slug="herzclub")


def test_a_token_belongs_to_one_club(people: People) -> None:
    token, _raw = _make(people)
    for slug in ("pikclub", "nowhere", ""):
        with pytest.raises(NotFound):
            access.of_token(token=token, club_slug=slug)


def test_who_may_make_and_revoke(people: People) -> None:
    token, _raw = _make(people)
    before = rows()
    for user in (people.member, people.scorekeeper):
        with pytest.raises(Forbidden):
            tokens.create(access=people.access(user), name="x", scope=Scope.READ, expires_at=None, now=NOW)
        with pytest.raises(Forbidden):
            tokens.revoke(access=people.access(user), token_id=token.pk, now=NOW)
    with pytest.raises(NotFound):
        tokens.revoke(access=people.access(people.stranger), token_id=token.pk, now=NOW)
    assert rows() == before
    token.refresh_from_db()
    assert token.revoked_at is None


def test_what_a_token_records_bears_its_name(people: People) -> None:
    token, _raw = _make(people, Scope.RESULTS_WRITE)
    by = access.of_token(token=token, club_slug="herzclub")
    assert by.actor == Actor(token_id=token.pk)
    assert by.actor.key == f"token:{token.pk}"
    results.record(access=by, data=evening("four-players"), confirm=frozenset(), now=NOW)
    event = AuditEvent.objects.get(action="session.recorded")
    assert (event.token, event.user) == (token, None)


# --- Users ------------------------------------------------------------------------------------------------------------


def test_a_stranger_finds_no_club(people: People) -> None:
    for slug in ("herzclub", "nowhere"):
        with pytest.raises(NotFound):
            access.of_user(user=people.stranger, club_slug=slug)


def test_roles_include_those_below(people: People) -> None:
    order = [Role.MEMBER, Role.SCOREKEEPER, Role.ADMIN, Role.OWNER]
    for rank, role in enumerate(order):
        by = Access(people.club, role, Actor(user_id=people.owner.pk))
        assert [by.may(needed) for needed in order] == [needed <= rank for needed in range(4)]


def _child(token: ApiToken, expires_at: datetime | None = None) -> tuple[ApiToken, str]:
    by = access.of_token(token=token, club_slug="herzclub")
    return tokens.create(access=by, name="child", scope=Scope.READ, expires_at=expires_at, now=NOW)


def test_a_revoked_token_takes_those_that_it_made_along(people: People) -> None:
    token, _raw = _make(people, Scope.CLUB_ADMIN)
    other, other_raw = _make(people, Scope.CLUB_ADMIN)
    child = tokens.create(
        access=access.of_token(token=token, club_slug="herzclub"),
        name="child",
        scope=Scope.CLUB_ADMIN,
        expires_at=None,
        now=NOW,
    )
    grandchild = _child(child[0])
    tokens.revoke(access=people.access(people.owner), token_id=token.pk, now=NOW)
    assert tokens.authenticate(raw=child[1], now=NOW) is None
    assert tokens.authenticate(raw=grandchild[1], now=NOW) is None
    assert tokens.authenticate(raw=other_raw, now=NOW) == other
    assert AuditEvent.objects.filter(action="token.revoked").count() == 3


def test_a_token_made_by_a_token_expires_no_later(people: People) -> None:
    soon, later = NOW + timedelta(days=1), NOW + timedelta(days=2)
    token, _raw = _make(people, Scope.CLUB_ADMIN, expires_at=soon)
    assert _child(token)[0].expires_at == soon
    assert _child(token, later)[0].expires_at == soon
    assert _child(token, NOW + SECOND)[0].expires_at == NOW + SECOND
