"""Who is logged in and linked to no player is told so where the own things would stand, and who can mend it."""

from typing import Any

import pytest
from django.test import Client

from league.models import Member, Player
from league.services import planned_evenings
from tests.people import NOW, People
from tests.web.organiser import AsUser, Organiser
from tests.web.page import Page

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("present")]

SENTENCE = "Your login belongs to no player yet. An admin of the club can link the two."


def read(client: Client, path: str) -> Page:
    answer: Any = client.get(path)
    assert answer.status_code == 200, path
    return Page(answer.content.decode())


def test_the_own_pages_say_what_is_missing(people: People, as_user: AsUser) -> None:
    organiser = Organiser(people, as_user(people.scorekeeper))
    organiser.make(start=False)
    fields = {"starts_at": NOW.replace(month=12, day=7)}
    evening = planned_evenings.plan(access=organiser.access, fields=fields, now=NOW)
    pages = ("tournaments/cup/me/", f"evenings/{evening.pk}/", "evenings/", "me/")
    for page in pages:
        shown = read(as_user(people.member), f"/herzclub/{page}")
        assert SENTENCE in shown.text, page
        assert "You have not entered" not in shown.text
        # Who can mend it finds the way there.
        assert not [one for one in shown.all("a") if one.text == "Choose the player to link"]
        links = [one for one in read(as_user(people.admin), f"/herzclub/{page}").all("a") if "to link" in one.text]
        assert [one.attributes["href"] for one in links] == ["/herzclub/manage/players/"], page
    # A stranger is no member, who could be linked.
    assert (
        "You have not entered this tournament." in read(as_user(people.stranger), "/herzclub/tournaments/cup/me/").text
    )
    Player.objects.filter(pk=people.players[5].pk).update(member=Member.objects.get(user=people.member))
    for page in pages:
        assert SENTENCE not in read(as_user(people.member), f"/herzclub/{page}").text, page
    assert "You have not entered" in read(as_user(people.member), "/herzclub/tournaments/cup/me/").text


def test_the_page_of_a_member_leads_to_the_player(people: People, as_user: AsUser) -> None:
    member, admin = Member.objects.get(user=people.member), as_user(people.admin)
    path = f"/herzclub/manage/members/{member.pk}/"
    page = read(admin, path)
    assert page.one("a", inside=page.one("dd", id="player")).attributes["href"] == "/herzclub/manage/players/"
    Player.objects.filter(pk=people.players[0].pk).update(member=member)
    page = read(admin, path)
    link = page.one("a", inside=page.one("dd", id="player"))
    assert (link.text, link.attributes["href"]) == ("Ann", f"/herzclub/manage/players/{people.players[0].pk}/")
