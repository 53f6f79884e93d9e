"""The first owner of an empty installation."""

from typing import Any

import pytest

from league.models import Club, League, Member, Role, Season, User
from league.services import setup
from league.services.errors import Conflict, InputError, NotFound
from tests.people import NOW, People
from tests.services.given import rows

pytestmark = pytest.mark.django_db

GIVEN = {
    "username": "anna",
    "password": "seven-of-hearts-55",
    "club_name": "Kartenclub",
    "club_slug": "kartenclub",
    "league_name": "Monday League",
    "season_name": "2026/27",
}


def _first_owner(**changes: str) -> User:
    return setup.first_owner(**(GIVEN | {"code": setup.setup_code()} | changes), now=NOW)


def test_the_first_owner_has_all_to_begin_with() -> None:
    assert setup.is_open(code=setup.setup_code())
    user = _first_owner()
    user.refresh_from_db()
    assert user.check_password(GIVEN["password"])
    assert (user.username, user.is_superuser, user.is_staff) == ("anna", True, True)
    member = Member.objects.get()
    assert (member.user, member.role, member.club.slug) == (user, Role.OWNER, "kartenclub")
    assert League.objects.get().slug == "monday-league"
    season = Season.objects.get()
    assert (season.name, season.slug, season.starts_on.isoformat()) == ("2026/27", "2026-27", "2026-01-01")
    assert not setup.is_open(code=setup.setup_code())


def test_the_code_is_a_secret_and_stays_the_same() -> None:
    assert setup.setup_code() == setup.setup_code()
    assert len(setup.setup_code()) >= 20
    for code in ("", "a" * 24, setup.setup_code().upper(), setup.setup_code()[:-1], "ä"):
        assert not setup.is_open(code=code)
        with pytest.raises(NotFound):
            _first_owner(code=code)
    assert not User.objects.exists()


def test_it_works_once(people: People) -> None:
    before = rows()
    assert not setup.is_open(code=setup.setup_code())
    with pytest.raises(Conflict) as caught:
        _first_owner()
    assert caught.value.code == "already_set_up"
    assert rows() == before


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("username", ""),
        ("username", "a b"),
        ("username", "x" * 151),
        ("password", "short"),
        ("password", "password1234"),
        ("password", "12345678901"),
        ("club_name", " "),
        ("club_name", "x" * 101),
        ("club_slug", "Karten Club"),
        ("club_slug", "admin"),
        ("league_name", ""),
        ("league_name", "x" * 101),
        ("season_name", ""),
        ("season_name", "\0"),
    ],
)
def test_the_field_at_fault_is_named(field: str, value: str) -> None:
    before = rows()
    with pytest.raises(InputError) as caught:
        _first_owner(**{field: value})
    assert [problem.path for problem in caught.value.problems] == [(field,)]
    assert rows() == before
    # Nothing stands in the way of the next try.
    _first_owner()


def test_all_faults_are_told_at_once() -> None:
    changes: dict[str, Any] = {"username": "a b", "password": "x", "club_slug": "A", "league_name": ""}
    with pytest.raises(InputError) as caught:
        _first_owner(**changes)
    assert {problem.path[0] for problem in caught.value.problems} == set(changes)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Players", "the-players"),
        ("New", "the-new"),
        ("Liga_1 -- Süd", "liga-1-sud"),
        ("Лига", "main"),
        ("♥ ♥", "main"),
        ("x" * 100, "x" * 46),
    ],
)
def test_any_name_gives_an_address(name: str, slug: str) -> None:
    _first_owner(league_name=name, season_name=name)
    assert League.objects.get().slug == slug
    assert Club.objects.count() == 1
