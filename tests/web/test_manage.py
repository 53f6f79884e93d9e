"""The pages in which a club is managed."""

import json
import re
import shlex
from collections.abc import Callable
from datetime import date
from itertools import pairwise

import pytest
from django.test import Client

from league.models import ApiToken, Club, League, Member, Player, Role, Scope, Season, User
from league.services import tokens
from tests.people import NOW, PASSWORD, People
from tests.web.page import Page

Clients = Callable[..., Client]

ADMIN_PAGES = ("leagues/", "members/", "settings/", "tokens/")
KEEPER_PAGES = ("", "players/")


def page_of(client: Client, path: str) -> Page:
    answer = client.get(path)
    assert answer.status_code == 200
    return Page(answer.content.decode())


@pytest.mark.parametrize("path", [*ADMIN_PAGES, *KEEPER_PAGES])
def test_who_may_manage(people: People, as_user: Clients, path: str) -> None:
    address = f"/herzclub/manage/{path}"
    status = {
        name: as_user(getattr(people, name)).get(address).status_code
        for name in ("owner", "admin", "scorekeeper", "member", "stranger")
    }

    assert status == {
        "owner": 200,
        "admin": 200,
        "scorekeeper": 200 if path in KEEPER_PAGES else 403,
        "member": 403,
        "stranger": 404,
    }
    assert Client().get(address)["Location"] == f"/login/?next={address}"
    # A club that is not there looks the same to who is not logged in.
    assert Client().get(f"/no-club/manage/{path}").status_code == 302


@pytest.mark.parametrize(
    ("page", "back"),
    [
        ("http://testserver/herzclub/sessions/1/enter/?x=1", "/herzclub/sessions/1/enter/%3Fx%3D1"),
        ("https://elsewhere.example/herzclub/", "/herzclub/"),
        ("http://testserver.elsewhere.example/", "/herzclub/"),
        ("//elsewhere.example/", "/herzclub/"),
        ("http://testserver//elsewhere.example/", "/herzclub/"),
        ("", "/herzclub/"),
    ],
)
def test_who_was_logged_out_before_sending_a_form_comes_back_to_its_page(people: People, page: str, back: str) -> None:
    answer = Client().post("/herzclub/sessions/1/table/", {}, headers={"referer": page} if page else {})
    assert answer["Location"] == f"/login/?next={back}"


def test_players_are_added_renamed_archived(people: People, as_user: Clients) -> None:
    client = as_user(people.scorekeeper)
    path = "/herzclub/manage/players/"

    client.post(path, {"name": "Gül", "kind": "person", "bot": "", "is_guest": "on"})
    gul = Player.objects.get(club=people.club, name="Gül")
    assert gul.is_guest
    client.post(path, {"name": "Robo", "kind": "bot", "bot": "random"})
    assert Player.objects.get(club=people.club, name="Robo").bot == "random"

    client.post(f"{path}{gul.pk}/", {"name": "Gülay"})
    gul.refresh_from_db()
    assert (gul.name, gul.is_guest) == ("Gülay", False)
    client.post(f"{path}{gul.pk}/", {"archived": "yes"})
    gul.refresh_from_db()
    assert gul.archived_at is not None
    assert "Gülay" not in client.get("/herzclub/sessions/new/").content.decode()
    client.post(f"{path}{gul.pk}/", {"archived": "no"})
    gul.refresh_from_db()
    assert gul.archived_at is None


def test_logins_are_linked_and_seen_by_admins_alone(people: People, as_user: Clients) -> None:
    ann = people.players[0]
    member = Member.objects.get(club=people.club, user=people.member)
    path = f"/herzclub/manage/players/{ann.pk}/"
    as_user(people.admin).post(path, {"name": "Ann", "member": str(member.pk)})
    ann.refresh_from_db()
    assert ann.member == member

    scorekeeper = as_user(people.scorekeeper)
    assert "<small>member</small>" in as_user(people.admin).get("/herzclub/manage/players/").content.decode()
    assert "<small>member</small>" not in scorekeeper.get("/herzclub/manage/players/").content.decode()
    assert 'name="member"' not in scorekeeper.get(path).content.decode()
    scorekeeper.post(path, {"name": "Anne", "member": ""})
    ann.refresh_from_db()
    assert (ann.name, ann.member) == ("Anne", member)


def test_a_name_that_is_taken_is_told_at_the_field(people: People, as_user: Clients) -> None:
    client = as_user(people.scorekeeper)

    answer = client.post("/herzclub/manage/players/", {"name": " ann ", "kind": "person", "bot": ""})

    error = Page(answer.content.decode()).one("ul", id="id_name_error")
    assert error.text == "The club has a player “ann” already."


def test_players_of_another_club_can_not_be_reached(people: People, as_user: Clients) -> None:
    path = f"/herzclub/manage/players/{people.other_players[0].pk}/"

    assert as_user(people.owner).get(path).status_code == 404
    assert as_user(people.owner).post(path, {"archived": "yes"}).status_code == 404


def test_leagues_and_seasons_are_made_and_changed(people: People, as_user: Clients) -> None:
    client = as_user(people.admin)

    answer = client.post("/herzclub/manage/leagues/", {"name": "Pub League", "slug": "pub"})
    league = League.objects.get(slug="pub")
    assert answer["Location"] == f"/herzclub/manage/leagues/{league.pk}/seasons/new/"
    form = {
        field.attributes["name"]: field.attributes.get("value", "")
        for field in page_of(client, answer["Location"]).all("input")
        if field.attributes.get("type") not in {"checkbox", "hidden"}
    }
    chosen = {
        "status": "open",
        "visibility": "members",
        "ranking_metric": "wins",
        "table_weight": "opponents",
        "absence": "none",
        "incomplete_sessions": "skip",
        "missing_round": "exclude",
        "substitution": "seat",
    }
    client.post(answer["Location"], {**form, **chosen, "name": "Winter", "slug": "winter", "minimum_sessions": 2})
    season = Season.objects.get(slug="winter")
    assert (season.ranking_metric, season.minimum_sessions, season.visibility) == ("wins", 2, "members")
    assert (season.ranking_best, season.table_weight) == ("high", "opponents")

    client.post(f"/herzclub/manage/leagues/{league.pk}/", {"name": "Bar League", "slug": "bar"})
    league.refresh_from_db()
    assert (league.name, league.slug) == ("Bar League", "bar")


def test_the_overview_counts_every_season(people: People, as_user: Clients) -> None:
    for year in range(2000, 2025):
        Season.objects.create(
            club=people.club, league=people.season.league, name=str(year), slug=str(year), starts_on=date(year, 1, 1)
        )

    page = as_user(people.admin).get("/herzclub/manage/").content.decode()

    assert "26 seasons" in page


def test_members_and_roles(people: People, as_user: Clients) -> None:
    client = as_user(people.owner)
    path = "/herzclub/manage/members/"

    client.post(path, {"username": "stranger", "role": "member"})
    member = Member.objects.get(club=people.club, user=people.stranger)
    client.post(f"{path}{member.pk}/", {"role": "scorekeeper"})
    member.refresh_from_db()
    assert member.role == Role.SCOREKEEPER
    client.post(f"{path}{member.pk}/", {"remove": "yes"})
    assert not Member.objects.filter(pk=member.pk).exists()

    unknown = client.post(path, {"username": "nobody", "role": "member"})
    assert Page(unknown.content.decode()).one("ul", id="id_username_error").text


def test_the_last_owner_stays(people: People, as_user: Clients) -> None:
    client = as_user(people.owner)
    owner = Member.objects.get(club=people.club, user=people.owner)

    for change in ({"role": "member"}, {"remove": "yes"}):
        answer = client.post(f"/herzclub/manage/members/{owner.pk}/", change)
        assert "A club keeps at least one owner" in answer.content.decode()
    owner.refresh_from_db()
    assert owner.role == Role.OWNER


def test_an_admin_can_not_make_owners(people: People, as_user: Clients) -> None:
    client = as_user(people.admin)

    assert client.post("/herzclub/manage/members/", {"username": "stranger", "role": "owner"}).status_code == 403


def test_a_token_is_shown_once_and_works(people: People, as_user: Clients) -> None:
    client = as_user(people.admin)
    path = "/herzclub/manage/tokens/"

    answer = client.post(path, {"name": "scoring app", "scope": "results:write", "expires_on": ""})
    assert answer.status_code == 302
    token = ApiToken.objects.get()
    assert answer["Location"] == f"{path}{token.pk}/"
    answer = client.get(answer["Location"])

    raw = re.search(r"tl_[a-z0-9]{12}_[\w-]{43}", answer.content.decode())
    assert raw is not None
    assert tokens.authenticate(raw=raw[0], now=NOW) is not None
    assert f"Bearer {raw[0]}" in Page(answer.content.decode()).text
    assert "no-store" in answer["Cache-Control"]
    assert raw[0] not in str(dict(client.session))
    assert not client.cookies["made-token"].value
    # Asked for again, as by reloading.
    listed = client.get(f"{path}{token.pk}/", follow=True).content.decode()
    assert raw[0] not in listed
    assert raw[0][:15] in listed
    assert "A token is shown once only." in listed
    assert ApiToken.objects.count() == 1
    client.post(f"{path}{token.pk}/revoke/")
    assert tokens.authenticate(raw=raw[0], now=NOW) is None


def test_a_token_that_reads_gets_an_example_that_reads(people: People, as_user: Clients) -> None:
    client = as_user(people.admin)

    answer = client.post("/herzclub/manage/tokens/", {"name": "board", "scope": "read", "expires_on": ""}, follow=True)

    page = Page(answer.content.decode())
    raw = page.one("code", id="token").text
    command = next(code for code in page.all("code") if "curl" in code.text)
    words = shlex.split("".join(command.parts).replace("\\\n", " "))
    address = f"/api/v1/clubs/herzclub/seasons/{people.season.pk}/standings/"
    assert words == ["curl", f"http://testserver{address}", "-H", f"Authorization: Bearer {raw}"]
    assert Client().get(address, headers={"authorization": f"Bearer {raw}"}).status_code == 200


def test_a_day_that_is_over_is_told_at_its_field(people: People, as_user: Clients) -> None:
    form = {"name": "x", "scope": "read", "expires_on": "2020-01-01"}

    answer = as_user(people.admin).post("/herzclub/manage/tokens/", form)

    error = Page(answer.content.decode()).one("ul", id="id_expires_on_error")
    assert error.text == "Give a day from today on, or none."
    assert not ApiToken.objects.exists()


def test_revoking_a_token_asks_once(people: People, as_user: Clients) -> None:
    access = people.access(people.admin)
    token, _raw = tokens.create(access=access, name="app", scope=Scope.READ, expires_at=None, now=NOW)

    page = page_of(as_user(people.admin), "/herzclub/manage/tokens/")

    form = page.one("form", action=f"/herzclub/manage/tokens/{token.pk}/revoke/")
    asks = next(one for one in form.around if one.tag == "details")
    assert "open" not in asks.attributes
    assert "This can't be undone." in asks.text


def test_who_makes_logins(people: People, as_user: Clients) -> None:
    client = as_user(people.admin)
    path = "/herzclub/manage/members/"
    assert "Logins are made by whoever runs this installation." in page_of(client, path).text
    User.objects.filter(pk=people.owner.pk).update(is_superuser=True, is_staff=True)
    assert "Logins are made by: owner." in page_of(client, path).text
    assert not [link for link in page_of(client, path).all("a") if link.text == "Make a login"]

    link = next(link for link in page_of(as_user(people.owner), path).all("a") if link.text == "Make a login")

    assert as_user(people.owner).get(link.attributes["href"]).status_code == 200


def test_a_token_of_another_club_can_not_be_revoked(people: People, as_user: Clients) -> None:
    access = people.access(people.stranger)
    token, _raw = tokens.create(access=access, name="x", scope="read", expires_at=None, now=NOW)  # type: ignore[arg-type]

    assert as_user(people.owner).post(f"/herzclub/manage/tokens/{token.pk}/revoke/").status_code == 404


def test_a_user_founds_another_club(people: People, as_user: Clients) -> None:
    client = as_user(people.member)

    answer = client.post("/clubs/new/", {"name": "Karoclub", "slug": "karoclub", "time_zone": "Asia/Tokyo"})

    assert answer["Location"] == "/karoclub/manage/"
    founded = Member.objects.select_related("club").get(club__slug="karoclub")
    assert (founded.role, founded.club.time_zone) == (Role.OWNER, "Asia/Tokyo")
    taken = client.post("/clubs/new/", {"name": "X", "slug": "herzclub", "time_zone": "Asia/Tokyo"})
    assert Page(taken.content.decode()).one("ul", id="id_slug_error").text
    reserved = client.post("/clubs/new/", {"name": "X", "slug": "invites", "time_zone": "Asia/Tokyo"})
    assert Page(reserved.content.decode()).one("ul", id="id_slug_error").text


def test_the_club_is_renamed(people: People, as_user: Clients) -> None:
    form = {"name": "Herzclub 1990", "time_zone": "Europe/Vienna"}
    as_user(people.admin).post("/herzclub/manage/settings/", form)
    club = Club.objects.get(slug="herzclub")
    assert (club.name, club.time_zone) == ("Herzclub 1990", "Europe/Vienna")
    assert as_user(people.scorekeeper).post("/herzclub/manage/settings/", form).status_code == 403


def test_the_example_command_is_one_a_shell_reads_as_meant(people: People, as_user: Clients) -> None:
    Player.objects.filter(pk=people.players[0].pk).update(name="O'Ann $(x)")
    page = page_of(as_user(people.owner), "/herzclub/manage/")
    words = shlex.split("".join(page.one("code").parts).replace("\\\n", " "))

    assert words[:2] == ["curl", "http://testserver/api/v1/clubs/herzclub/sessions/"]
    body = json.loads(words[words.index("-d") + 1])
    assert body["season"] == "monday-league/2026"
    assert [seat["player"] for seat in body["players"]] == ["O'Ann $(x)", "Ben"]


def test_log_in_and_out(people: People) -> None:
    client = Client()
    answer = client.post("/login/", {"username": "member", "password": PASSWORD, "next": "/herzclub/"})
    assert answer["Location"] == "/herzclub/"
    assert "Log out" in client.get("/").content.decode()
    assert client.get("/logout/").status_code == 405
    client.post("/logout/")
    assert "Log in" in client.get("/").content.decode()
    wrong = client.post("/login/", {"username": "member", "password": "x"})
    assert "note error" in wrong.content.decode()
    elsewhere = client.post("/login/", {"username": "member", "password": PASSWORD, "next": "https://example.org/"})
    assert elsewhere["Location"] == "/"


def test_a_member_changes_the_own_password(people: People, as_user: Clients) -> None:
    client = as_user(people.member)
    new = "jack-of-diamonds-11"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}

    assert client.post("/account/password/", {**form, "old_password": "x"}).status_code == 200
    assert "The password is changed." in client.post("/account/password/", form, follow=True).content.decode()

    people.member.refresh_from_db()
    assert people.member.check_password(new)
    assert Client().get("/account/password/").status_code == 302


def test_every_field_has_a_label(people: People, as_user: Clients) -> None:
    client = as_user(people.owner)
    paths = ["/herzclub/sessions/new/", "/herzclub/bot-matches/new/", f"/herzclub/manage/seasons/{people.season.pk}/"]
    paths += [f"/herzclub/manage/{path}" for path in (*ADMIN_PAGES, *KEEPER_PAGES)]
    for path in paths:
        page = page_of(client, path)
        labelled = {label.attributes["for"] for label in page.all("label") if "for" in label.attributes}
        for field in page.elements:
            if field.tag in {"input", "select", "textarea"} and field.attributes.get("type") != "hidden":
                assert field.attributes["id"] in labelled, (path, field.attributes)
        ids = [element.attributes["id"] for element in page.elements if "id" in element.attributes]
        assert len(ids) == len(set(ids)), path
        levels = [int(element.tag[1]) for element in page.elements if re.fullmatch("h[1-6]", element.tag)]
        assert levels[0] == 1, path
        assert all(below - above <= 1 for above, below in pairwise(levels)), path
