"""The people and clubs that tests tell their stories with: few, with fixed roles, named once.

Club A is the "Herzclub" with its owner, admin, scorekeeper and member. The stranger owns club B, the "Pikclub", and
belongs nowhere else. Every login has the same password, `PASSWORD`. The players of both clubs carry the same names,
so that a test which meets the wrong club's player notices.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import transaction

from league.models import Club, League, Member, Player, Role, Season, User, name_key
from league.services import access
from league.services.access import Access

PASSWORD = "seven-of-hearts-55"
# When everything happens that does not say otherwise; after the evenings in `tests/data`.
NOW = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)
NAMES = ("Ann", "Ben", "Cem", "Dora", "Eva", "Finn")


@dataclass(frozen=True)
class People:
    """Club A with its members, club B with the stranger; `players` of each in the order of `NAMES`."""

    club: Club
    owner: User
    admin: User
    scorekeeper: User
    member: User
    players: tuple[Player, ...]
    season: Season
    other_club: Club
    stranger: User
    other_players: tuple[Player, ...]
    other_season: Season

    def access(self, user: User) -> Access:
        """The user's access to the one club that each of these people belongs to."""
        club = self.other_club if user == self.stranger else self.club
        return access.of_user(user=user, club_slug=club.slug)


def make_people() -> People:
    """Write both clubs with six players each and one season, `monday-league/2026`; no results yet.

    Tests ask for the fixture `people`; this is for those that fill a database of their own. One statement a table:
    most tests of a run begin with it.
    """
    club, other_club = Club.objects.bulk_create(
        [Club(name="Herzclub", slug="herzclub"), Club(name="Pikclub", slug="pikclub")]
    )
    owner, admin, scorekeeper, member, stranger = users = User.objects.bulk_create(
        User(username=name, password=make_password(PASSWORD))
        for name in ("owner", "admin", "scorekeeper", "member", "stranger")
    )
    roles = (Role.OWNER, Role.ADMIN, Role.SCOREKEEPER, Role.MEMBER, Role.OWNER)
    Member.objects.bulk_create(
        Member(club=other_club if user is stranger else club, user=user, role=role)
        for user, role in zip(users, roles, strict=True)
    )
    players = Player.objects.bulk_create(
        Player(club=one, name=name, name_key=name_key(name)) for one in (club, other_club) for name in NAMES
    )
    leagues = League.objects.bulk_create(
        League(club=one, name="Monday League", slug="monday-league") for one in (club, other_club)
    )
    season, other_season = Season.objects.bulk_create(
        Season(club=league.club, league=league, name="2026", slug="2026", starts_on=date(2026, 9, 1))
        for league in leagues
    )
    return People(
        club=club,
        owner=owner,
        admin=admin,
        scorekeeper=scorekeeper,
        member=member,
        players=tuple(players[: len(NAMES)]),
        season=season,
        other_club=other_club,
        stranger=stranger,
        other_players=tuple(players[len(NAMES) :]),
        other_season=other_season,
    )


@contextmanager
def people_for_a_module(django_db_blocker: Any) -> Iterator[People]:
    """Both clubs for all tests of a module, written once with whatever is added, for a fixture `people` of its own.

    Each test takes back what it changes, as ever, and the module all of it. None of them may be transactional, and
    none may change a value of these objects.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_people()
        transaction.set_rollback(True)
