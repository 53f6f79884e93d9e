"""The people and clubs that tests tell their stories with: few, with fixed roles, named once.

Club A is the "Herzclub" with its owner, admin, scorekeeper and member. The stranger owns club B, the "Pikclub", and
belongs nowhere else. Every login has the same password, `PASSWORD`. The players of both clubs carry the same names,
so that a test which meets the wrong club's player notices.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime

from league.models import Club, League, Member, Player, Role, Season, User
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

    Tests ask for the fixture `people`; this is for those that fill a database of their own.
    """
    club = Club.objects.create(name="Herzclub", slug="herzclub")
    other_club = Club.objects.create(name="Pikclub", slug="pikclub")
    owner, admin, scorekeeper, member = (_user(name) for name in ("owner", "admin", "scorekeeper", "member"))
    stranger = _user("stranger")
    for one, its_club, role in [
        (owner, club, Role.OWNER),
        (admin, club, Role.ADMIN),
        (scorekeeper, club, Role.SCOREKEEPER),
        (member, club, Role.MEMBER),
        (stranger, other_club, Role.OWNER),
    ]:
        Member.objects.create(club=its_club, user=one, role=role)
    return People(
        club=club,
        owner=owner,
        admin=admin,
        scorekeeper=scorekeeper,
        member=member,
        players=_players(club),
        season=_season(club),
        other_club=other_club,
        stranger=stranger,
        other_players=_players(other_club),
        other_season=_season(other_club),
    )


def _user(name: str) -> User:
    return User.objects.create_user(name, password=PASSWORD)


def _players(club: Club) -> tuple[Player, ...]:
    return tuple(Player.objects.create(club=club, name=name) for name in NAMES)


def _season(club: Club) -> Season:
    league = League.objects.create(club=club, name="Monday League", slug="monday-league")
    return Season.objects.create(club=club, league=league, name="2026", slug="2026", starts_on=date(2026, 9, 1))
