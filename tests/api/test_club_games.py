"""A club's own games by the API."""

from games.catalog import GAMES
from tests.api.client import OTHER_CLUB, Program, places
from tests.api.evenings import game, opened
from tests.people import People


def test_a_game_is_added_logged_and_archived(admin: Program, people: People) -> None:
    made = admin.post("games/", {"key": "golf", "name": "Golf", "high_wins": False, "minimum": 1})
    assert made.status_code == 201
    golf = made.json()
    assert made["Location"] == golf["url"]
    assert (golf["own"], golf["direction"], golf["playable_by_bots"], golf["archived_at"]) == (
        True,
        "low_wins",
        False,
        None,
    )
    assert [(one["players"], one["minimum"], one["maximum"]) for one in golf["bounds"]] == [(None, 1, None)]
    assert admin.get(golf["url"]).json() == golf
    body = opened("Ann", "Ben", format="single_game", rounds=[game("golf", Ann=70, Ben=90)])
    sheet = admin.post("sessions/", body).json()
    assert [(one["player"]["name"], one["place"]) for one in sheet["players"]] == [("Ann", 1), ("Ben", 2)]
    assert sheet["games"] == ["golf"]
    assert [one["id"] for one in admin.get("sessions/?game=golf").json()["results"]] == [sheet["id"]]
    refused = admin.patch("games/golf/", {"high_wins": True})
    assert (refused.status_code, places(refused)) == (409, [("", "game_has_rounds")])
    changed = admin.patch("games/golf/", {"archived": True, "name": "Crazy Golf"}).json()
    assert (changed["name"], changed["archived_at"] is not None) == ("Crazy Golf", True)
    again = admin.post("sessions/", {**body, "confirm": ["possible_duplicate"]})
    assert (again.status_code, places(again)) == (400, [("#/rounds/0/game", "game_archived")])


def test_the_list_has_both_kinds(admin: Program, people: People) -> None:
    admin.post("games/", {"key": "golf", "name": "Golf"})
    everything = [one["key"] for one in admin.get("games/").json()["results"]]
    assert everything == [*GAMES, "golf"]
    assert [one["key"] for one in admin.get("games/?own=true").json()["results"]] == ["golf"]
    assert [one["key"] for one in admin.get("games/?own=false").json()["results"]] == list(GAMES)
    assert admin.get("games/?own=true&archived=true").json()["results"] == []
    assert admin.get("games/xxl-1/").json()["own"] is False
    assert admin.get("games/chess/").status_code == 404


def test_what_is_refused(admin: Program, people: People) -> None:
    for body, place in (
        ({"key": "Golf", "name": "Golf"}, ("#/key", "invalid")),
        ({"key": "golf", "name": "Golf", "max_players": 100}, ("#/max_players", "max_value")),
        ({"key": "golf", "name": "Golf", "scored_by": "luck"}, ("#/scored_by", "invalid_choice")),
        ({"key": "golf", "name": "Golf", "scored_by": "places", "maximum": 3}, ("#/maximum", "places_only")),
        ({"key": "golf"}, ("#/name", "required")),
    ):
        answer = admin.post("games/", body)
        assert (answer.status_code, places(answer)) == (400, [place]), body
    for method, path, body, code in (
        ("POST", "games/", {"key": "xxl-1", "name": "Mine"}, "key_taken"),
        ("PATCH", "games/xxl-1/", {"name": "Mine"}, "catalogue_game"),
    ):
        answer = admin.send(method, path, body)
        assert (answer.status_code, places(answer)) == (409, [("", code)])


def test_another_clubs_game_is_not_there(admin: Program, stranger: Program, people: People) -> None:
    admin.post("games/", {"key": "golf", "name": "Golf"})
    assert stranger.get(f"{OTHER_CLUB}/games/golf/").status_code == 404
    assert stranger.patch(f"{OTHER_CLUB}/games/golf/", {"name": "Ours"}).status_code == 404
    assert stranger.get(f"{OTHER_CLUB}/games/?own=true").json()["results"] == []
    answer = stranger.get(f"{OTHER_CLUB}/sessions/?game=golf")
    assert (answer.status_code, places(answer)) == (400, [("", "unknown_game")])
