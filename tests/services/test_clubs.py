"""Clubs, members, players: who may change them, and what is refused."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from league.models import AuditEvent, Club, Member, Player, Role, Season, Tournament, User
from league.services import clubs, planned_evenings, players, seasons, tournaments
from league.services.access import Access
from league.services.errors import Conflict, Forbidden, InputError, NotFound
from league.services.tournament_formats import StageInput
from tests.people import NOW, People
from tests.services.given import rows

pytestmark = pytest.mark.django_db

Found = list[tuple[tuple[str | int, ...], str]]


def _problems(error: InputError) -> Found:
    return [(problem.path, problem.code) for problem in error.problems]


def _member(user: User) -> Member:
    return Member.objects.get(user=user)


# --- Short names and days ---------------------------------------------------------------------------------------------


def test_a_short_name_that_is_not_given_is_made_of_the_name(people: People) -> None:
    """Of everything with an address; a second one of the same name is numbered."""
    admin, keeper = people.access(people.admin), people.access(people.scorekeeper)
    made = [clubs.create(owner=people.member, name="Kreuz & Pik", slug="", now=NOW).slug for _time in range(2)]
    assert made == ["kreuz-pik", "kreuz-pik-2"]
    made = [seasons.create_league(access=admin, name="Players", slug="", now=NOW).slug for _time in range(2)]
    assert made == ["the-players", "the-players-2"]
    fields: dict[str, Any] = {"name": "2026/27", "starts_on": NOW.date()}
    league = people.season.league_id
    season = seasons.create_season(access=admin, league_id=league, fields={**fields, "slug": ""}, now=NOW)
    assert season.slug == "2026-27"
    changes = {"name": "Winter", "slug": ""}
    assert seasons.update_season(access=admin, season_id=season.pk, changes=changes, now=NOW).slug == "winter"
    assert seasons.create_season(access=admin, league_id=league, fields=fields, now=NOW).slug == "2026-27"
    cup = _tournament(keeper, name="Новый год")
    assert cup.slug == "tournament"
    copy: dict[str, Any] = {"name": "New", "slug": "", "starts_on": NOW.date(), "entries": False}
    again = tournaments.clone(access=keeper, tournament_id=cup.pk, **copy, now=NOW)
    assert again.slug == "the-new"
    changes = {"name": "New", "slug": ""}
    assert tournaments.update(access=keeper, tournament_id=again.pk, changes=changes, now=NOW).slug == "the-new"


def _tournament(access: Access, **fields: Any) -> Tournament:
    given = {"name": "Cup", "starts_on": NOW.date(), "session_format": "series", "game": "xxl-6-plus", **fields}
    return tournaments.create(access=access, fields=given, stages=[StageInput("round_robin")], now=NOW)


@pytest.mark.parametrize("day", [date(9999, 12, 31), date(2031, 12, 5), date(26, 11, 30)])
def test_a_day_that_is_far_off_was_not_meant(people: People, day: date) -> None:
    """Five years of 366 days from 30 November 2026 end on 4 December 2031, since one of them is a leap year."""
    admin, keeper = people.access(people.admin), people.access(people.scorekeeper)
    with pytest.raises(InputError, match="at most five years from today") as refused:
        _tournament(keeper, starts_on=day)
    assert _problems(refused.value) == [(("starts_on",), "out_of_range")]
    fields = {"name": "Far", "starts_on": day, "ends_on": date(9999, 12, 31)}
    with pytest.raises(InputError) as refused:
        seasons.create_season(access=admin, league_id=people.season.league_id, fields=fields, now=NOW)
    assert _problems(refused.value) == [(("starts_on",), "out_of_range"), (("ends_on",), "out_of_range")]
    moment = datetime(day.year, day.month, day.day, 20, tzinfo=UTC)
    with pytest.raises(InputError) as refused:
        planned_evenings.plan(access=keeper, fields={"starts_at": moment}, now=NOW)
    assert _problems(refused.value) == [(("starts_at",), "out_of_range")]


def test_a_far_day_that_is_there_already_may_stay(people: People) -> None:
    Season.objects.filter(pk=people.season.pk).update(ends_on=date(9999, 12, 31))
    changes = {"name": "For ever", "ends_on": date(9999, 12, 31)}
    admin = people.access(people.admin)
    assert seasons.update_season(access=admin, season_id=people.season.pk, changes=changes, now=NOW).name == "For ever"


# --- Clubs ------------------------------------------------------------------------------------------------------------


def test_who_founds_a_club_owns_it(people: People) -> None:
    club = clubs.create(owner=people.member, name="  New   Club ", slug="new-club-1", now=NOW)
    assert (club.name, Member.objects.get(club=club).role, Member.objects.get(club=club).user) == (
        "New Club",
        Role.OWNER,
        people.member,
    )
    assert set(Club.objects.visible_to(people.member)) == {club, people.club}
    assert set(Club.objects.visible_to(people.stranger)) == {people.other_club}


@pytest.mark.parametrize(
    "slug", ["A", "ä", "a b", "-a", "a-", "a--b", "a_b", "x" * 51, "admin", "api", "setup", "a\n", "a/b"]
)
def test_short_names(people: People, slug: str) -> None:
    before = rows()
    with pytest.raises(InputError) as caught:
        clubs.create(owner=people.owner, name="Club", slug=slug, now=NOW)
    assert _problems(caught.value) == [(("slug",), "invalid")]
    assert rows() == before


@pytest.mark.parametrize("name", ["", " \t\n", "x" * 101, "a\0b", "\ud800", "\u200b", "\u0301", "a\u202eb"])
def test_names(people: People, name: str) -> None:
    before = rows()
    with pytest.raises(InputError) as caught:
        clubs.create(owner=people.owner, name=name, slug="club", now=NOW)
    assert _problems(caught.value) == [(("name",), "invalid")]
    assert rows() == before


def test_a_short_name_is_taken_once(people: People) -> None:
    before = rows()
    with pytest.raises(Conflict) as caught:
        clubs.create(owner=people.stranger, name="Club", slug="herzclub", now=NOW)
    assert caught.value.code == "slug_taken"
    assert rows() == before


def test_renaming(people: People) -> None:
    with pytest.raises(Forbidden):
        clubs.update(access=people.access(people.scorekeeper), name="Karo", now=NOW)
    assert clubs.update(access=people.access(people.admin), name="Karo", now=NOW).name == "Karo"


# --- Members ----------------------------------------------------------------------------------------------------------


def test_adding_members(people: People) -> None:
    by = people.access(people.admin)
    member = clubs.add_member(access=by, username="stranger", role=Role.SCOREKEEPER, now=NOW)
    assert (member.club, member.user, member.role) == (people.club, people.stranger, Role.SCOREKEEPER)
    with pytest.raises(Conflict) as caught:
        clubs.add_member(access=by, username="stranger", role=Role.MEMBER, now=NOW)
    assert caught.value.code == "already_a_member"
    for username in ("nobody", "", "a\0b"):
        with pytest.raises(InputError) as refused:
            clubs.add_member(access=by, username=username, role=Role.MEMBER, now=NOW)
        assert _problems(refused.value) == [(("username",), "unknown")]


# Who tries what with whom: a role to give, or None to remove.
ALLOWED = [
    ("admin", "member", Role.ADMIN),
    ("admin", "scorekeeper", None),
    ("owner", "admin", Role.OWNER),
    ("owner", "admin", None),
    ("member", "member", None),
    ("admin", "admin", Role.MEMBER),
]
FORBIDDEN = [
    ("member", "scorekeeper", None),
    ("scorekeeper", "member", Role.ADMIN),
    ("scorekeeper", "scorekeeper", Role.ADMIN),
    ("admin", "admin", Role.OWNER),
    ("admin", "owner", Role.MEMBER),
    ("admin", "owner", None),
    ("member", "owner", None),
]


def _try(people: People, who: str, whom: str, role: Role | None) -> None:
    by, member_id = people.access(getattr(people, who)), _member(getattr(people, whom)).pk
    if role is None:
        clubs.remove_member(access=by, member_id=member_id, now=NOW)
    else:
        clubs.change_role(access=by, member_id=member_id, role=role, now=NOW)


@pytest.mark.parametrize(("who", "whom", "role"), ALLOWED)
def test_allowed(people: People, who: str, whom: str, role: Role | None) -> None:
    _try(people, who, whom, role)
    found = Member.objects.filter(club=people.club, user=getattr(people, whom)).values_list("role", flat=True)
    assert list(found) == ([role] if role else [])
    assert AuditEvent.objects.count() == 1


@pytest.mark.parametrize(("who", "whom", "role"), FORBIDDEN)
def test_forbidden(people: People, who: str, whom: str, role: Role | None) -> None:
    before = list(Member.objects.order_by("pk").values())
    with pytest.raises(Forbidden):
        _try(people, who, whom, role)
    assert list(Member.objects.order_by("pk").values()) == before


@pytest.mark.parametrize("role", [Role.ADMIN, None])
def test_the_last_owner_stays(people: People, role: Role | None) -> None:
    with pytest.raises(Conflict) as caught:
        _try(people, "owner", "owner", role)
    assert caught.value.code == "last_owner"
    assert _member(people.owner).role == Role.OWNER


def test_another_clubs_members_are_not_there(people: People) -> None:
    by, foreign = people.access(people.owner), _member(people.stranger).pk
    with pytest.raises(NotFound):
        clubs.remove_member(access=by, member_id=foreign, now=NOW)
    with pytest.raises(NotFound):
        clubs.change_role(access=by, member_id=foreign, role=Role.ADMIN, now=NOW)


def test_a_member_s_player_stays(people: People) -> None:
    by, member = people.access(people.owner), _member(people.member)
    ann = people.players[0]
    players.update(access=by, player_id=ann.pk, changes={"member_id": member.pk}, now=NOW)
    clubs.remove_member(access=by, member_id=member.pk, now=NOW)
    ann.refresh_from_db()
    assert ann.member is None


# --- Players ----------------------------------------------------------------------------------------------------------


def test_a_player(people: People) -> None:
    member = _member(people.member)
    player = players.create(
        access=people.access(people.scorekeeper), name=" Gül  Ö. ", is_guest=True, member_id=member.pk, now=NOW
    )
    player.refresh_from_db()
    assert (player.club, player.name, player.kind, player.bot, player.is_guest, player.member) == (
        people.club,
        "Gül Ö.",
        "person",
        "",
        True,
        member,
    )


def _taken(people: People) -> dict[str, Any]:
    member = _member(people.member)
    Player.objects.filter(pk=people.players[0].pk).update(member=member)
    return {"name": "Zoe", "member_id": member.pk}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"name": ""}, ("name", "invalid")),
        ({"name": "x" * 61}, ("name", "invalid")),
        ({"name": "a\0b"}, ("name", "invalid")),
        ({"name": "\ufdfa" * 60}, ("name", "invalid")),
        ({"name": "Zoe", "kind": "dog"}, ("kind", "unknown_kind")),
        ({"name": "Zoe", "kind": "bot"}, ("bot", "unknown_bot")),
        ({"name": "Zoe", "kind": "bot", "bot": "skynet"}, ("bot", "unknown_bot")),
        ({"name": "Zoe", "bot": "random"}, ("bot", "not_a_bot")),
        ({"name": "Zoe", "kind": "bot", "bot": "random", "is_guest": True}, ("is_guest", "bot")),
        ({"name": "Zoe", "kind": "bot", "bot": "random", "member_id": 1}, ("member", "bot")),
        ({"name": "Zoe", "member_id": 10**9}, ("member", "unknown_member")),
    ],
)
def test_refused_players(people: People, given: dict[str, Any], problem: tuple[str, str]) -> None:
    before = rows()
    with pytest.raises(InputError) as caught:
        players.create(access=people.access(people.scorekeeper), **given, now=NOW)
    assert _problems(caught.value) == [((problem[0],), problem[1])]
    assert rows() == before


def test_another_clubs_member_is_unknown(people: People) -> None:
    with pytest.raises(InputError) as caught:
        players.create(access=people.access(people.owner), name="Zoe", member_id=_member(people.stranger).pk, now=NOW)
    assert _problems(caught.value) == [(("member",), "unknown_member")]


def test_what_is_taken(people: People) -> None:
    by = people.access(people.scorekeeper)
    for name in ("Ann", "ANN", "a n n".replace(" ", ""), "\uff21nn"):
        with pytest.raises(Conflict) as caught:
            players.create(access=by, name=name, now=NOW)
        assert caught.value.code == "name_taken"
    with pytest.raises(Conflict) as caught:
        players.create(access=by, **_taken(people), now=NOW)
    assert caught.value.code == "member_taken"
    with pytest.raises(Conflict) as caught:
        players.update(access=by, player_id=people.players[1].pk, changes={"name": "ann"}, now=NOW)
    assert caught.value.code == "name_taken"
    # One's own name in another spelling is free.
    assert players.update(access=by, player_id=people.players[1].pk, changes={"name": "BEN"}, now=NOW).name == "BEN"


def test_archiving_and_back(people: People) -> None:
    by, ann = people.access(people.scorekeeper), people.players[0]
    assert players.update(access=by, player_id=ann.pk, changes={"archived": True}, now=NOW).archived_at == NOW
    with pytest.raises(InputError):
        players.find(club=people.club, references=[((), "Ann")])
    assert players.update(access=by, player_id=ann.pk, changes={"archived": False}, now=NOW).archived_at is None
    assert players.find(club=people.club, references=[((), " aNN "), ((), ann.pk)]) == {" aNN ": ann, ann.pk: ann}


def test_who_may_change_players(people: People) -> None:
    ann = people.players[0].pk
    before = list(Player.objects.order_by("pk").values())
    with pytest.raises(Forbidden):
        players.create(access=people.access(people.member), name="Zoe", now=NOW)
    with pytest.raises(Forbidden):
        players.update(access=people.access(people.member), player_id=ann, changes={"name": "Zoe"}, now=NOW)
    with pytest.raises(NotFound):
        players.update(access=people.access(people.stranger), player_id=ann, changes={"name": "Zoe"}, now=NOW)
    assert list(Player.objects.order_by("pk").values()) == before
