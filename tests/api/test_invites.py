"""Invitations by program: the link is in one answer only, and made no stronger than its maker."""

import json
from typing import Any

from django.test import Client

from league.models import IdempotencyRecord, Invite, Member, Role
from tests.api.client import CLUB, Program, places
from tests.people import People


def test_the_link_is_in_one_answer_only(admin: Program, people: People) -> None:
    ann = people.players[0].pk
    made = admin.post("invites/", {"role": "scorekeeper", "note": "Gül", "player": ann, "days": 2})
    assert made.status_code == 201
    body = made.json()
    assert (body["role"], body["note"], body["player"], body["state"]) == ("scorekeeper", "Gül", ann, "open")
    assert body["expires_at"] > body["created_at"]
    assert "no-store" in made["Cache-Control"]
    code = body["url"].rstrip("/").rpartition("/")[2]
    assert body["url"] == f"http://testserver/invites/{code}/"
    for path in (made["Location"], "invites/"):
        assert code not in admin.get(path).content.decode()
    stored = json.dumps([list(Invite.objects.values()), list(IdempotencyRecord.objects.values())], default=str)
    assert code not in stored

    browser = Client()
    browser.force_login(people.stranger)
    assert browser.post(f"/invites/{code}/").status_code == 302

    assert Member.objects.get(club=people.club, user=people.stranger).role == Role.SCOREKEEPER
    read = admin.get(made["Location"]).json()
    assert (read["state"], read["used_at"] is not None, "url" in read) == ("used", True, False)
    assert admin.get("invites/").json()["results"] == [read]


def test_a_secret_can_not_be_asked_for_twice(admin: Program) -> None:
    answer = admin.post("invites/", {}, Idempotency_Key="once")
    assert (answer.status_code, places(answer)) == (400, [("", "not_repeatable")])
    assert not Invite.objects.exists()


def test_what_can_not_be_invited(admin: Program, people: People) -> None:
    attempts: list[tuple[dict[str, Any], tuple[str, str]]] = [
        ({"days": 0}, ("#/days", "min_value")),
        ({"days": 31}, ("#/days", "max_value")),
        ({"days": "7"}, ("#/days", "invalid")),
        ({"role": "boss"}, ("#/role", "invalid_choice")),
        ({"note": "x" * 101}, ("#/note", "max_length")),
        ({"player": people.other_players[0].pk}, ("#/player", "unknown_player")),
        ({"email": "g@example.org"}, ("#/email", "unknown_field")),
    ]
    for body, place in attempts:
        answer = admin.post("invites/", body)
        assert (answer.status_code, places(answer)) == (400, [place])
    assert admin.post("invites/", {"role": "owner"}).status_code == 403
    assert not Invite.objects.exists()


def test_a_revoked_invitation_stays_listed(admin: Program) -> None:
    made = admin.post("invites/", {})
    assert made.json()["role"] == "member"
    assert admin.delete(made["Location"]).status_code == 204
    assert admin.delete(made["Location"]).status_code == 204
    assert admin.get(made["Location"]).json()["state"] == "revoked"
    assert Client().get(made.json()["url"]).status_code == 404


def test_an_invitation_is_void_once_its_maker_may_not_invite(admin: Program, people: People, browser_of: Any) -> None:
    made = admin.post("invites/", {})
    Member.objects.filter(user=people.admin).update(role=Role.MEMBER)
    owner = browser_of(people.owner)
    assert owner.get(made["Location"]).json()["state"] == "void"
    assert [one["state"] for one in owner.get(f"{CLUB}/invites/").json()["results"]] == ["void"]
    assert Client().get(made.json()["url"]).status_code == 404
