"""Who may do what. To a stranger nothing of a club exists: 404 on every route, none left out."""

import json
import re
from collections.abc import Iterable
from typing import Any

import pytest
from django.apps import apps
from django.urls import URLPattern, URLResolver, get_resolver

from league.models import Member, Role, Scope
from league.models.tenancy import ClubOwned
from tests.api.client import CLUB, OTHER_CLUB, Program, places
from tests.api.conftest import program
from tests.api.routes import BODIES, club_routes, description, fill
from tests.people import People


def _contents() -> dict[str, list[Any]]:
    """Every row of every tenant table."""
    return {
        model.__name__: list(model._default_manager.order_by("pk").values())
        for model in apps.get_app_config("league").get_models()
        if issubclass(model, ClubOwned) and model.__name__ != "ApiToken"
    }


def _patterns(found: Iterable[Any], prefix: str = "") -> Iterable[str]:
    for one in found:
        route = prefix + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from _patterns(one.url_patterns, route)
        elif isinstance(one, URLPattern):
            yield route


def test_the_description_leaves_out_no_route_of_a_club() -> None:
    wired = {route for route in _patterns(get_resolver().url_patterns) if route.startswith("api/v1/clubs/<slug:club>/")}
    described = {route.path for route in club_routes()}
    plain = {"/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route) for route in wired}
    assert described == plain


def test_every_change_has_a_body_to_try_it_with() -> None:
    changing = {route.operation for route in club_routes() if route.method in {"POST", "PATCH"}}
    assert changing == set(BODIES)


def test_a_strangers_token_finds_nothing(stranger: Program, people: People) -> None:
    ids = fill(people)
    before = _contents()
    answers = {}
    for route in club_routes():
        for body in (route.body, {"surprise": 1}):
            answer = stranger.send(route.method, route.at("herzclub", ids) + "?surprise=1", body)
            answers[route.operation] = answer.status_code
            absent = stranger.send(route.method, route.at("nowhere", ids) + "?surprise=1", body)
            assert answer.content == absent.content, "a club that is there answers as one that is not"
    assert set(answers.values()) == {404}, answers
    assert _contents() == before


def test_a_logged_in_stranger_finds_nothing(people: People, browser_of: Any) -> None:
    ids = fill(people)
    client = browser_of(people.stranger)
    client.get("/api/v1/docs/")
    token = client.cookies["csrftoken"].value
    for route in club_routes():
        answer = client.generic(
            route.method,
            route.at("herzclub", ids),
            "{}",
            content_type="application/json",
            headers={"X-CSRFToken": token},
        )
        assert answer.status_code == 404, route


def test_ids_of_another_club_are_not_found_in_the_own_one(stranger: Program, people: People) -> None:
    ids = fill(people)
    before = _contents()
    tried = [route for route in club_routes() if "_id}" in route.path]
    assert len(tried) > 15
    for route in tried:
        answer = stranger.send(route.method, route.at("pikclub", ids), route.body)
        assert answer.status_code == 404, route
    assert _contents() == before


def test_a_body_can_not_name_what_belongs_to_another_club(stranger: Program, people: People) -> None:
    ids = fill(people)
    session = {"format": "pure_xxl", "played_on": "2026-11-09", "players": [{"player": people.other_players[0].pk}]}
    attempts = [
        ("sessions/", {**session, "players": [{"player": ids["player_id"]}]}, "unknown_player"),
        ("sessions/", {**session, "season": ids["season_id"]}, "unknown_season"),
        ("seasons/", {**BODIES["create_season"], "league": ids["league_id"]}, "unknown_league"),
        ("players/", {"name": "Gus", "member": ids["member_id"]}, "unknown_member"),
        ("bot-matches/", {"game": "xxl-6", "players": ["Bot 1", "Bot 2"]}, "unknown_player"),
    ]
    for path, body, code in attempts:
        answer = stranger.post(f"{OTHER_CLUB}/{path}", body)
        assert answer.status_code == 400
        assert {one for _place, one in places(answer)} == {code}


def test_a_later_change_can_not_name_what_belongs_to_another_club(stranger: Program, people: People) -> None:
    ids = fill(people)
    own, foreign = people.other_players[0].pk, ids["player_id"]
    session = stranger.post(f"{OTHER_CLUB}/sessions/", _opened(own)).json()["url"]
    before = _contents()
    attempts: list[tuple[str, str, Any, str]] = [
        ("POST", f"{session}players/", {"player": foreign}, "unknown_player"),
        (
            "POST",
            f"{session}players/",
            {"player": people.other_players[1].pk, "substitutes": foreign},
            "unknown_player",
        ),
        ("PATCH", session, {"players": [{"player": foreign}], "reason": "A test"}, "unknown_player"),
        ("PATCH", session, {"season": ids["season_id"], "reason": "A test"}, "unknown_season"),
        ("POST", f"{OTHER_CLUB}/players/{own}/merge/", {"into": foreign}, "unknown_player"),
        ("PATCH", f"{OTHER_CLUB}/players/{own}/", {"member": ids["member_id"]}, "unknown_member"),
        ("POST", f"{OTHER_CLUB}/invites/", {"role": "member", "player": foreign}, "unknown_player"),
        ("POST", f"{OTHER_CLUB}/results/bulk/", {"sessions": [_opened(foreign)]}, "unknown_player"),
    ]
    for method, path, body, code in attempts:
        answer = stranger.send(method, path, body, If_Match="*")
        assert answer.status_code == 400, (path, answer.content)
        assert {one for _place, one in places(answer)} == {code}
    assert _contents() == before


def _opened(player: int) -> dict[str, Any]:
    return {"format": "pure_xxl", "played_on": "2026-11-09", "players": [{"player": player}]}


def test_a_filter_that_names_what_belongs_to_another_club_finds_nothing(stranger: Program, people: People) -> None:
    ids = fill(people)
    round_ = {"game": "xxl-6-plus", "scores": [{"player": one.pk, "place": 1} for one in people.other_players[:2]]}
    played = {"format": "single_game", "played_on": "2026-11-09", "status": "complete", "rounds": [round_]}
    seats = [{"player": one.pk} for one in people.other_players[:2]]
    own = {**played, "players": seats, "season": people.other_season.pk}
    assert stranger.post(f"{OTHER_CLUB}/sessions/", own).status_code == 201
    cup = stranger.post(f"{OTHER_CLUB}/tournaments/", BODIES["create_tournament"]).json()["id"]
    named = {name: ids[f"{name}_id"] for name in ("player", "season", "session", "league", "member", "token")}
    named |= {"user": people.owner.pk, "game": ids["game"], "search": "Bot 1"}
    tried = 0
    for path, operations in description()["paths"].items():
        known = {one["name"] for one in operations.get("get", {}).get("parameters", ()) if one["in"] == "query"}
        for name in known & named.keys() if path.startswith("/api/v1/clubs/{club}/") else ():
            address = path.format(club="pikclub", season_id=people.other_season.pk, tournament_id=cup)
            answer = stranger.get(f"{address}?{name}={named[name]}")
            found = answer.getvalue().decode().strip()
            if answer.status_code == 400:
                assert ids["game"] == named[name], (address, name, found)
            elif "/csv/" in path:
                assert found.count("\n") == 0, (address, name, found)
            else:
                rows = json.loads(found)
                assert (rows["results"] if isinstance(rows, dict) else rows) == [], (address, name, found)
            tried += 1
    assert tried > 20


# What each role may not do; all else it may. Owners and admins differ in making owners alone.
_SCOREKEEPERS_NOT = {
    "extend_par",
    "export_archive",
    "list_imports",
    "upload_import",
    "get_import",
    "decide_import",
    "discard_import",
    "list_import_problems",
    "apply_import",
    "revert_import",
    "change_club",
    "list_members",
    "get_member",
    "add_member",
    "change_member",
    "remove_member",
    "merge_player",
    "unmerge_player",
    "erase_player",
    "create_club_game",
    "change_club_game",
    "list_audit_events",
    "create_league",
    "change_league",
    "create_season",
    "change_season",
    "create_division",
    "change_division",
    "delete_division",
    "change_division_players",
    "open_following_season",
    "list_invites",
    "get_invite",
    "create_invite",
    "revoke_invite",
    "list_tokens",
    "get_token",
    "create_token",
    "revoke_token",
    "list_webhooks",
    "get_webhook",
    "create_webhook",
    "change_webhook",
    "delete_webhook",
    "rotate_webhook_secret",
    "ping_webhook",
    "replay_failed_deliveries",
    "list_deliveries",
    "get_delivery",
    "replay_delivery",
}
_MEMBERS_NOT = _SCOREKEEPERS_NOT | {
    "plan_evening",
    "change_evening",
    "cancel_evening",
    "sign_up",
    "create_player",
    "change_player",
    "record_session",
    "record_round",
    "seat_player",
    "unseat_player",
    "end_session",
    "correct_session",
    "correct_round",
    "void_session",
    "restore_session",
    "confirm_session",
    "dispute_session",
    "record_sessions",
    "list_table_links",
    "create_table_link",
    "revoke_table_link",
    "request_bot_match",
    "cancel_bot_match",
    "retry_bot_match",
    "cancel_job",
    "create_tournament",
    "import_tournament",
    "get_import_tournament",
    "cancel_import_tournament",
    "change_tournament",
    "delete_tournament",
    "start_tournament",
    "pause_tournament",
    "resume_tournament",
    "finish_tournament",
    "reopen_tournament",
    "archive_tournament",
    "restore_tournament",
    "clone_tournament",
    "invite_to_tournament",
    "open_next_stage",
    "close_stage",
    "enter_tournament",
    "change_entry",
    "remove_entry",
    "withdraw_entry",
    "return_entry",
    "sit_out",
    "check_in",
    "give_seeds",
    "set_wish",
    "pair_round",
    "undo_round",
    "publish_round",
    "publish_rounds",
    "unpublish_round",
    "keep_round",
    "mend_round",
    "swap_seats",
    "set_clock",
    "forfeit_table",
    "take_forfeit_back",
    "open_table",
    "list_overtaken_rounds",
    "foresee_mending",
    "stop_pairing",
}


@pytest.mark.one_database  # on SQLite `tests/test_roles.py` asks as everybody
@pytest.mark.parametrize(
    ("role", "scope", "refused"),
    [
        (Role.ADMIN, Scope.CLUB_ADMIN, {"export_archive"}),
        (Role.SCOREKEEPER, Scope.CLUB_ADMIN, _SCOREKEEPERS_NOT),
        (Role.MEMBER, Scope.CLUB_ADMIN, _MEMBERS_NOT),
    ],
)
def test_roles_and_scopes(people: People, role: Role, scope: Scope, refused: set[str]) -> None:
    """A token may what its scope and its maker's role both allow; those of owners are asked in tests/test_roles.py."""
    ids = fill(people)
    user = {"owner": people.owner, "admin": people.admin, "scorekeeper": people.scorekeeper, "member": people.member}
    its = program(people, user[role], scope)
    found = {
        route.operation
        for route in club_routes()
        if its.send(route.method, route.at("herzclub", ids), route.body).status_code == 403
    }
    assert found == refused


@pytest.mark.one_database
@pytest.mark.parametrize(("scope", "refused"), [(Scope.READ, _MEMBERS_NOT), (Scope.RESULTS_WRITE, _SCOREKEEPERS_NOT)])
def test_who_may_not_is_told_so_before_what_is_wrong_with_the_request(
    people: People, scope: Scope, refused: set[str]
) -> None:
    ids = fill(people)
    its = program(people, people.owner, scope)
    before = _contents()
    found = {
        route.operation
        for route in club_routes()
        if its.send(route.method, route.at("herzclub", ids) + "?surprise=1", {"surprise": 1}).status_code == 403
    }
    assert found == refused
    assert _contents() == before


def test_a_table_link_is_told_so_first_too(people: People, scorer: Program) -> None:
    """It may play at its table; all else that changes the session is refused, however it is asked for."""
    ids = fill(people)
    made = scorer.post(f"{CLUB}/sessions/{ids['session_id']}/table-links/", {"hours": 12}).json()
    link = Program(made["token"])
    answers = {
        route.operation: link.send(route.method, route.at("herzclub", ids), {"surprise": 1}).status_code
        for route in club_routes()
        if "{session_id}" in route.path and route.method != "GET"
    }
    at_table = {"record_round", "seat_player", "unseat_player", "end_session"}
    assert {name for name, status in answers.items() if status == 403} == answers.keys() - at_table
    assert {answers[name] for name in at_table} == {400}


def test_an_admin_makes_no_owner(admin: Program, people: People) -> None:
    assert admin.post("members/", {"username": "stranger", "role": "owner"}).status_code == 403
    # A second one, so that it is not the last owner who is protected.
    owner = Member.objects.create(club=people.club, user=people.stranger, role=Role.OWNER).pk
    assert admin.patch(f"members/{owner}/", {"role": "member"}).status_code == 403
    assert admin.delete(f"members/{owner}/").status_code == 403


def test_a_token_ends_with_its_makers_membership(people: People) -> None:
    its = program(people, people.admin, Scope.READ)
    assert its.get("").status_code == 200
    assert [club["slug"] for club in its.get("/api/v1/clubs/").json()["results"]] == ["herzclub"]
    Member.objects.filter(user=people.admin).delete()
    assert its.get("").status_code == 404
    assert its.get("/api/v1/clubs/").json()["results"] == []


def test_a_login_needs_its_csrf_token_to_change_things(people: People, browser_of: Any) -> None:
    client = browser_of(people.scorekeeper)
    assert client.get(f"{CLUB}/players/").status_code == 200
    refused = client.post(f"{CLUB}/players/", {"name": "Gus"}, content_type="application/json")
    assert refused.status_code == 403
    assert places(refused) == []
    client.get("/api/v1/docs/")
    accepted = client.post(
        f"{CLUB}/players/",
        {"name": "Gus"},
        content_type="application/json",
        headers={"X-CSRFToken": client.cookies["csrftoken"].value},
    )
    assert accepted.status_code == 201


@pytest.mark.parametrize(
    "header",
    ["Bearer", "Bearer ", "Bearer x", "Bearer tl_abc_def", "Bearer " + "é" * 20, f"Bearer tl_{'a' * 12}_{'b' * 43}"],
)
def test_a_wrong_token_is_401(people: People, browser_of: Any, header: str) -> None:
    # Also beside a login that would do: who shows a token wants to be taken for it.
    client = browser_of(people.owner)
    answer = client.get(f"{CLUB}/", headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")
    assert places(answer) == []


def test_without_credentials_it_is_401(people: People, client: Any) -> None:
    for path in (f"{CLUB}/", "/api/v1/clubs/", "/api/v1/games/", "/api/v1/clubs/nowhere/"):
        answer = client.get(path)
        assert answer.status_code == 401
        assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_token_founds_no_club(admin: Program) -> None:
    answer = admin.post("/api/v1/clubs/", {"name": "Kreuzclub", "slug": "kreuzclub"})
    assert (answer.status_code, places(answer)) == (403, [])
