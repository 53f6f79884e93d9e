"""Planned evenings on pages and in calendars."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from icalendar import Calendar

from league.models import Member, PlannedEvening, Player, SignUp, User
from league.services import planned_evenings as service
from league.web.calendars import key_of
from tests.people import NOW, People
from tests.web.conftest import BOARD
from tests.web.page import Page

AsUser = Callable[[User], Client]
# 18:30 by the club's clock in Berlin, where it is winter.
STARTS = datetime(2026, 12, 7, 17, 30, tzinfo=UTC)


@pytest.fixture
def evening(people: People) -> PlannedEvening:
    """A planned evening of the season for two, and Ann is the member."""
    Player.objects.filter(pk=people.players[0].pk).update(member=Member.objects.get(user=people.member))
    fields = {"starts_at": STARTS, "location": "Ann's", "capacity": 2, "season": people.season.pk, "note": "Bring cake"}
    return service.plan(access=people.access(people.scorekeeper), fields=fields, now=NOW)


def says(people: People, evening: PlannedEvening, name: str, state: str = "coming") -> None:
    player = Player.objects.get(club=people.club, name=name)
    access = people.access(people.scorekeeper)
    service.answer(access=access, evening_id=evening.pk, state=state, player_id=player.pk, now=NOW)


def lists(page: Page) -> dict[str, list[str]]:
    found = [*page.all("ol"), *page.all("ul")]
    return {
        one.attributes["id"]: [line.text for line in page.all("li", inside=one)]
        for one in found
        if one.attributes.get("id") in {"coming", "waiting", "declined"}
    }


@time_machine.travel(NOW)
def test_a_scorekeeper_plans_and_a_member_signs_up(people: People, as_user: AsUser) -> None:
    Player.objects.filter(pk=people.players[0].pk).update(member=Member.objects.get(user=people.member))
    scorekeeper, member = as_user(people.scorekeeper), as_user(people.member)
    form = {"starts_at": "2026-12-07T18:30", "location": "Ann's", "capacity": "1", "season": "", "note": ""}
    answer = scorekeeper.post("/herzclub/evenings/new/", form)
    evening = PlannedEvening.objects.get()
    path = f"/herzclub/evenings/{evening.pk}/"
    assert (answer["Location"], evening.starts_at) == (path, STARTS)

    page = Page(member.get(path).content.decode())
    assert [one.text for one in page.all("a") if "aria-current" in one.attributes] == ["Evenings"]
    assert "18:30" in page.text or "6:30" in page.text
    assert page.one("button", value="coming").text == "I come"
    assert member.post(f"{path}answer/", {"state": "coming"}, follow=True).redirect_chain == [(path, 302)]
    assert member.post(f"{path}answer/", {"state": "coming", "player": people.players[1].pk}).status_code == 403
    scorekeeper.post(f"{path}answer/", {"state": "coming", "player": people.players[1].pk})
    page = Page(member.get(path).content.decode())
    assert lists(page) == {"coming": ["Ann"], "waiting": ["Ben"]}
    assert [button.attributes["value"] for button in page.all("button", name="state")] == ["declined"]
    member.post(f"{path}answer/", {"state": "declined"})
    page = Page(member.get(path).content.decode())
    assert lists(page) == {"coming": ["Ben"], "declined": ["Ann"]}
    assert page.one("button", value="coming").text == "I want to come: on the waiting list"
    assert "2 of 1" not in Page(member.get("/herzclub/evenings/").content.decode()).text

    assert scorekeeper.post(f"{path}cancel/").status_code == 302
    page = Page(member.get(path).content.decode())
    assert "called off" in page.text
    assert not list(page.all("button", name="state"))
    assert "called off" in member.post(f"{path}answer/", {"state": "coming"}, follow=True).content.decode()
    assert SignUp.objects.get(player=people.players[0]).state == "declined"


@time_machine.travel(NOW)
def test_what_a_form_can_not_say_is_said_back(people: People, evening: PlannedEvening, as_user: AsUser) -> None:
    client = as_user(people.scorekeeper)
    path = f"/herzclub/evenings/{evening.pk}/edit/"
    sent = {"starts_at": "2026-12-07T18:30", "location": "", "capacity": "0", "season": "", "note": ""}
    assert "greater than or equal to 1" in client.post(path, sent).content.decode()
    yesterday = {**sent, "capacity": "", "starts_at": "2026-11-29T18:30"}
    assert "from now on" in client.post(path, yesterday).content.decode()
    for season in (people.other_season.pk, "x"):
        assert client.post(path, {**sent, "capacity": "", "season": season}).status_code == 200
    evening.refresh_from_db()
    assert (evening.starts_at, evening.revision) == (STARTS, 0)
    assert client.post(path, {**sent, "capacity": "", "season": people.season.pk}).status_code == 302
    evening.refresh_from_db()
    assert (evening.location, evening.capacity, evening.revision) == ("", None, 1)


@time_machine.travel(NOW)
def test_who_comes_is_put_into_a_new_session(people: People, evening: PlannedEvening, as_user: AsUser) -> None:
    for name in ("Eva", "Ben", "Cem"):
        says(people, evening, name)
    page = Page(as_user(people.scorekeeper).get(f"/herzclub/sessions/new/?evening={evening.pk}").content.decode())
    seats = [page.one("input", name=f"seat_{seat}").attributes.get("value", "") for seat in range(3)]
    assert seats == ["Eva", "Ben", ""]
    assert page.one("input", name="location").attributes["value"] == "Ann's"
    other = as_user(people.stranger).get(f"/pikclub/sessions/new/?evening={evening.pk}")
    assert "Eva" not in Page(other.content.decode()).one("input", name="seat_0").attributes.get("value", "")


def events(client: Client, path: str) -> list[Any]:
    return list(Calendar.from_ical(client.get(path).content).walk("VEVENT"))


@time_machine.travel(NOW)
def test_the_own_calendar_knows_the_own_word(people: People, evening: PlannedEvening) -> None:
    path = f"/herzclub/calendar/{key_of(Member.objects.get(user=people.member))}.ics?language=en"
    (event,) = events(Client(), path)
    assert (event["DTSTART"].dt, event["SEQUENCE"], event["STATUS"]) == (STARTS, 0, "TENTATIVE")
    assert event["LOCATION"] == "Ann's"
    assert event["DESCRIPTION"].split("\n") == [
        "Monday League 2026",
        "You have not said yet whether you come.",
        "Bring cake",
    ]
    (alarm,) = event.walk("VALARM")
    assert (alarm["ACTION"], alarm["TRIGGER"].dt) == ("DISPLAY", timedelta(days=-1))
    told = []
    says(people, evening, "Ben")
    says(people, evening, "Cem")
    for state in ("coming", "declined", "coming"):
        says(people, evening, "Ann", state)
        (event,) = events(Client(), path)
        word = event["DESCRIPTION"].split("\n")[1]
        told.append((word, event["STATUS"], event["TRANSP"], len(event.walk("VALARM"))))
    says(people, evening, "Ben", "declined")
    (event,) = events(Client(), path)
    told.append((event["DESCRIPTION"].split("\n")[1], event["STATUS"], event["TRANSP"], len(event.walk("VALARM"))))
    assert told == [
        ("You are number 1 on the waiting list.", "TENTATIVE", "TRANSPARENT", 1),
        ("You don't come.", "TENTATIVE", "TRANSPARENT", 0),
        ("You are number 1 on the waiting list.", "TENTATIVE", "TRANSPARENT", 1),
        ("You come.", "CONFIRMED", "OPAQUE", 1),
    ]


@time_machine.travel(NOW)
def test_a_change_and_a_cancellation_reach_calendars(people: People, evening: PlannedEvening) -> None:
    """The same event with a higher number each time (RFC 5545, 3.8.7.4), at last called off and without an alarm."""
    access = people.access(people.scorekeeper)
    (first,) = events(Client(), f"{BOARD}calendar.ics")
    assert (first["STATUS"], first["TRANSP"]) == ("CONFIRMED", "TRANSPARENT")
    later = STARTS + timedelta(hours=1)
    service.change(access=access, evening_id=evening.pk, changes={"starts_at": later}, now=NOW + timedelta(hours=1))
    (second,) = events(Client(), f"{BOARD}calendar.ics")
    service.cancel(access=access, evening_id=evening.pk, now=NOW + timedelta(hours=2))
    (third,) = events(Client(), f"{BOARD}calendar.ics")
    assert first["UID"] == second["UID"] == third["UID"]
    assert [one["SEQUENCE"] for one in (first, second, third)] == [0, 1, 2]
    assert [one["LAST-MODIFIED"].dt for one in (first, second, third)] == [NOW + timedelta(hours=n) for n in range(3)]
    assert (second["DTSTART"].dt, third["STATUS"], third.walk("VALARM")) == (later, "CANCELLED", [])
    # A page for members is no link for everybody.
    assert "URL" not in third


@time_machine.travel(NOW)
def test_a_calendar_of_a_season_has_its_own_evenings_alone(people: People, evening: PlannedEvening) -> None:
    service.plan(access=people.access(people.scorekeeper), fields={"starts_at": STARTS}, now=NOW)
    assert len(events(Client(), f"{BOARD}calendar.ics")) == 1
    assert len(events(Client(), f"/herzclub/calendar/{key_of(Member.objects.get(user=people.owner))}.ics")) == 2
    with time_machine.travel(STARTS + timedelta(hours=13)):
        assert events(Client(), f"{BOARD}calendar.ics") == []
