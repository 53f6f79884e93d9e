"""Invitations on pages: the link is shown once, and a button or a new login accepts it."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from league.models import Invite, Member, Role, User
from league.services import invites
from tests.people import NOW, PASSWORD, People
from tests.web.page import Page

pytestmark = pytest.mark.django_db

Clients = Callable[..., Client]
PATH = "/herzclub/manage/members/invites/"
ACCOUNT = {"username": "gül", "email": "", "password": "queen-of-spades-7"}


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def link(people: People) -> str:
    """An invitation to the Herzclub as scorekeeper."""
    _made, code = invites.create(access=people.access(people.admin), role=Role.SCOREKEEPER, now=NOW)
    return f"/invites/{code}/"


def _text(client: Client, path: str) -> str:
    return Page(client.get(path).content.decode()).text


def test_the_link_is_shown_once(people: People, as_user: Clients) -> None:
    client = as_user(people.admin)
    ann = people.players[0]

    answer = client.post(PATH, {"note": "Gül", "role": "scorekeeper", "player": str(ann.pk), "days": "3"})

    invite = Invite.objects.get()
    assert answer["Location"] == f"{PATH}{invite.pk}/"
    assert (invite.role, invite.player, invite.expires_at) == (Role.SCOREKEEPER, ann, NOW + timedelta(days=3))
    shown = client.get(answer["Location"])
    found = re.search(r"http://testserver(/invites/[\w-]{43}/)", shown.content.decode())
    assert found is not None
    assert "no-store" in shown["Cache-Control"]
    assert client.get(found[1]).status_code == 200
    again = client.get(answer["Location"], follow=True).content.decode()
    assert found[1] not in again
    assert "A link is shown once only." in again
    page = Page(again)
    assert "Gül" in page.text
    form = page.one("form", action=f"{PATH}{invite.pk}/revoke/")
    client.post(form.attributes["action"])
    assert "revoked" in _text(client, PATH)
    assert client.get(found[1]).status_code == 404


def test_another_pages_secret_is_not_taken_for_the_link(people: People, as_user: Clients) -> None:
    client = as_user(people.admin)
    client.post(PATH, {"role": "member", "days": "3"})
    client.post(PATH, {"role": "member", "days": "3"})
    first, second = Invite.objects.order_by("pk")
    # The cookie of the second, sent to the page of the first.
    client.cookies["made-invite"]["path"] = "/"
    assert client.get(f"{PATH}{first.pk}/").status_code == 302
    assert client.get(f"{PATH}{second.pk}/").status_code == 200


def test_the_form_offers_no_more_than_there_is_to_give(people: People, as_user: Clients) -> None:
    def offered(user: User, name: str) -> list[str]:
        page = Page(as_user(user).get(PATH).content.decode())
        select = page.one("select", name=name)
        return [option.text for option in page.all("option", inside=select)]

    assert offered(people.owner, "role") == ["owner", "admin", "scorekeeper", "member"]
    assert offered(people.admin, "role") == ["admin", "scorekeeper", "member"]
    assert offered(people.admin, "player") == ["\N{EN DASH}", "Ann", "Ben", "Cem", "Dora", "Eva", "Finn"]
    client = as_user(people.admin)
    for wrong in ({"role": "owner", "days": "3"}, {"role": "member", "days": "31"}):
        assert client.post(PATH, wrong).status_code == 200
    taken = {"role": "member", "days": "3", "player": str(people.other_players[0].pk)}
    assert client.post(PATH, taken).status_code == 200
    assert not Invite.objects.exists()


def test_the_page_says_which_club_and_role_and_a_button_accepts(people: People, as_user: Clients, link: str) -> None:
    client = as_user(people.stranger)
    text = _text(client, link)
    assert "Invitation to Herzclub" in text
    assert "in the role: scorekeeper" in text
    assert "You are logged in as stranger." in text
    assert not Member.objects.filter(club=people.club, user=people.stranger).exists()

    answer = client.post(link, follow=True)

    assert answer.redirect_chain == [("/herzclub/", 302)]
    assert "Welcome to Herzclub." in answer.content.decode()
    assert Member.objects.get(club=people.club, user=people.stranger).role == Role.SCOREKEEPER
    # The same link again leads them home, and others nowhere.
    assert client.get(link)["Location"] == "/herzclub/"
    for other in (as_user(people.member), Client()):
        assert other.get(link).status_code == 404
        assert other.post(link, ACCOUNT).status_code == 404


def test_a_member_is_told_and_uses_nothing_up(people: People, as_user: Clients, link: str) -> None:
    answer = as_user(people.member).post(link)
    assert answer.status_code == 409
    assert "You are a member of this club already" in answer.content.decode()
    assert as_user(people.stranger).post(link).status_code == 302


def test_somebody_new_makes_an_account_there(people: People, link: str) -> None:
    client = Client()
    page = Page(client.get(link).content.decode())
    log_in = next(one for one in page.all("a") if "log in" in one.text)
    assert log_in.attributes["href"] == f"/login/?next={link.replace('/', '%2F')}"
    for field, value in (("username", "member"), ("password", "short"), ("email", "nowhere"), ("username", "")):
        refused = client.post(link, {**ACCOUNT, field: value})
        assert Page(refused.content.decode()).one("ul", id=f"id_{field}_error").text

    answer = client.post(link, ACCOUNT, follow=True)

    assert answer.redirect_chain == [("/herzclub/", 302)]
    assert "Enter a session" in answer.content.decode()
    user = User.objects.get(username="gül")
    assert user.check_password(ACCOUNT["password"])
    assert Member.objects.get(user=user).role == Role.SCOREKEEPER


def test_somebody_with_a_login_comes_back_by_logging_in(people: People, link: str) -> None:
    client = Client()
    answer = client.post("/login/", {"username": "stranger", "password": PASSWORD, "next": link})
    assert answer["Location"] == link
    assert client.post(link).status_code == 302


@pytest.mark.parametrize("code", ["x", "%FF", "ü", "x" * 500])
def test_a_wrong_code_is_404(people: People, as_user: Clients, code: str) -> None:
    for client in (Client(), as_user(people.stranger)):
        answer = client.get(f"/invites/{code}/")
        assert answer.status_code == 404
        assert "This invitation does not work" in answer.content.decode()


def test_an_invitation_that_is_over_looks_like_none(people: People, clock: time_machine.Traveller, link: str) -> None:
    clock.shift(timedelta(days=7))
    assert Client().get(link).content == Client().get("/invites/x/").content
    assert Client().post(link, ACCOUNT).status_code == 404
    assert not User.objects.filter(username="gül").exists()


def test_another_clubs_invitations_can_not_be_reached(people: People, as_user: Clients) -> None:
    invite, _code = invites.create(access=people.access(people.stranger), role=Role.MEMBER, now=NOW)
    client = as_user(people.owner)
    assert client.get(f"{PATH}{invite.pk}/").status_code == 404
    assert client.post(f"{PATH}{invite.pk}/revoke/").status_code == 404
    assert "There is none yet." in _text(client, PATH)
