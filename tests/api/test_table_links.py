"""A table link's token by the API: its own session's addresses answer, every other of the club is not there."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.apps import apps

from league.models import ApiToken, AuditEvent, Scope, Session
from league.models.tenancy import ClubOwned
from tests.api.client import Program, places
from tests.api.evenings import SIX_GAMES, opened
from tests.api.routes import club_routes, fill
from tests.people import NOW, People


@pytest.fixture
def session(scorer: Program) -> str:
    """The address of an open evening of Ann and Ben."""
    answer = scorer.post("sessions/", opened("Ann", "Ben"))
    assert answer.status_code == 201
    return str(answer["Location"])


def _link(scorer: Program, session: str, **body: Any) -> Any:
    answer = scorer.post(f"{session}table-links/", body)
    assert answer.status_code == 201
    return answer


def _contents() -> dict[str, list[Any]]:
    """Every row of every tenant table; tokens but for when they were used."""
    return {
        model.__name__: [
            {name: value for name, value in row.items() if name != "last_used_at"}
            for row in model._default_manager.order_by("pk").values()
        ]
        for model in apps.get_app_config("league").get_models()
        if issubclass(model, ClubOwned)
    }


def test_a_program_with_the_token_records_rounds(scorer: Program, session: str, client: Any) -> None:
    made = _link(scorer, session)
    assert made["Cache-Control"].count("no-store") == 1
    document = made.json()
    assert made["Location"] == f"{session}table-links/{document['id']}/"
    assert document["link"] == f"http://testserver/table/{document['token']}/"
    lasts = datetime.fromisoformat(document["expires_at"]) - NOW
    assert lasts.total_seconds() == pytest.approx(12 * 3600, abs=60)
    phone = Program(document["token"])
    assert phone.get(session).json()["status"] == "open"
    answer = phone.post(f"{session}rounds/", {**SIX_GAMES[0], "number": 1}, Idempotency_Key="one")
    assert answer.status_code == 201
    assert phone.post(f"{session}rounds/", {**SIX_GAMES[0], "number": 1}, Idempotency_Key="one").status_code == 201
    assert len(phone.get(session).json()["rounds"]) == 1
    event = AuditEvent.objects.get(action="round.recorded")
    assert event.token_id == document["id"]
    listed = scorer.get(f"{session}table-links/").json()["results"]
    assert [(one["id"], one["last_used_at"] is not None) for one in listed] == [(document["id"], True)]
    assert "token" not in listed[0]
    assert document["token"] not in str(listed)


def test_every_other_route_of_the_club_is_not_there(people: People, scorer: Program, session: str) -> None:
    ids = fill(people)
    own = Session.objects.order_by("pk").first()
    assert own is not None
    assert own.pk != ids["session_id"]
    phone = Program(_link(scorer, session).json()["token"])
    phone.get(session)
    before = _contents()
    found = {}
    for route in club_routes():
        answer = phone.send(route.method, route.at("herzclub", ids), route.body)
        found[route.operation] = answer.status_code
        other_club = phone.send(route.method, route.at("pikclub", ids), route.body)
        assert other_club.status_code == 404, route
    assert set(found.values()) == {404}, found
    assert _contents() == before
    assert phone.get("/api/v1/clubs/").json()["results"] == []


def test_of_its_own_session_it_may_continue_and_read(people: People, scorer: Program, session: str) -> None:
    """What is the scorekeepers' alone (links, corrections and the like) is refused there too."""
    ids = fill(people) | {"session_id": int(session.rstrip("/").rsplit("/", 1)[1])}
    link = _link(scorer, session).json()
    ids["table_link_id"] = link["id"]
    phone = Program(link["token"])
    # The round first, since it is of the two who sit there now.
    routes = sorted(
        (route for route in club_routes() if "{session_id}" in route.path),
        key=lambda route: route.operation != "record_round",
    )
    statuses = {
        route.operation: phone.send(route.method, route.at("herzclub", ids), route.body).status_code
        for route in routes
        if route.operation != "end_session"
    }
    may = {"get_session", "list_rounds", "record_round", "seat_player", "unseat_player"}
    assert {name: statuses[name] for name in may} == {
        "get_session": 200,
        "list_rounds": 200,
        "record_round": 201,
        "seat_player": 201,
        "unseat_player": 200,
    }
    writes = {route.operation for route in routes if route.method != "GET"} - may - {"end_session"}
    assert {statuses[name] for name in writes} <= {403, 404, 428}, statuses
    ended = phone.post(f"{session}end/", {"confirm": ["ends_early"]})
    assert ended.status_code == 200
    after = phone.post(f"{session}rounds/", SIX_GAMES[1])
    assert (after.status_code, places(after)) == (409, [("", "session_ended")])
    assert phone.get(session).status_code == 200


def test_it_ends_by_itself_and_by_revocation(scorer: Program, session: str) -> None:
    made = _link(scorer, session, hours=2)
    phone = Program(made.json()["token"])
    other = Program(_link(scorer, session, hours=48).json()["token"])
    assert scorer.delete(made["Location"]).status_code == 204
    assert scorer.delete(made["Location"]).status_code == 204
    assert phone.get(session).status_code == 401
    assert scorer.get(f"{session}table-links/").json()["results"][1]["revoked_at"] is not None
    assert other.get(session).status_code == 200
    with time_machine.travel(NOW + timedelta(hours=49)):
        answer = other.post(f"{session}rounds/", SIX_GAMES[0])
    assert answer.status_code == 401


def test_what_can_not_be_asked_for(people: People, admin: Program, scorer: Program, session: str) -> None:
    for body, place in (({"hours": 49}, "#/hours"), ({"hours": 0}, "#/hours"), ({"scope": "read"}, "#/scope")):
        answer = scorer.post(f"{session}table-links/", body)
        assert (answer.status_code, places(answer)[0][0]) == (400, place)
    refused = scorer.post(f"{session}table-links/", {}, Idempotency_Key="one")
    assert places(refused) == [("", "not_repeatable")]
    assert scorer.post(f"{session}table-links/").status_code == 201
    by_hand = admin.post("tokens/", {"name": "table", "scope": "table", "expires_at": "2026-12-01T00:00:00Z"})
    assert (by_hand.status_code, places(by_hand)[0][0]) == (400, "#/scope")
    assert scorer.post("sessions/999999999/table-links/", {}).status_code == 404
    # An admin finds the link among the tokens, and may revoke it there.
    link = ApiToken.objects.get(scope=Scope.TABLE)
    listed = next(one for one in admin.get("tokens/").json()["results"] if one["id"] == link.pk)
    assert (listed["scope"], listed["session"]) == ("table", link.session_id)
    assert admin.delete(f"tokens/{link.pk}/").status_code == 204
