"""Clubs, members, players, leagues, seasons, tokens, bot matches and games: made, read, changed, listed."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.catalog import GAMES
from league.models import ApiToken, BotMatch, IdempotencyRecord, Member
from tests.api.client import API, CLUB, Program, places
from tests.api.evenings import game, opened
from tests.people import People
from tests.services.given import carry_out


def _logged_in(browser_of: Any, user: Any) -> Any:
    client = browser_of(user)
    client.get(f"{API}/docs/")
    client.defaults["HTTP_X_CSRFTOKEN"] = client.cookies["csrftoken"].value
    return client


def test_whoever_is_logged_in_founds_a_club(people: People, browser_of: Any) -> None:
    client = _logged_in(browser_of, people.member)
    body = {"name": "Kreuzclub", "slug": "kreuzclub"}
    answer = client.post(f"{API}/clubs/", body, content_type="application/json")
    assert answer.status_code == 201
    assert answer["Location"] == f"{API}/clubs/kreuzclub/"
    assert client.get(answer["Location"]).json() == answer.json()
    members = client.get(f"{answer['Location']}members/").json()["results"]
    assert [(one["username"], one["role"]) for one in members] == [("member", "owner")]
    assert [one["slug"] for one in client.get(f"{API}/clubs/").json()["results"]] == ["herzclub", "kreuzclub"]
    again = client.post(f"{API}/clubs/", body, content_type="application/json")
    assert (again.status_code, places(again)) == (409, [("", "slug_taken")])
    reserved = client.post(f"{API}/clubs/", {**body, "slug": "api"}, content_type="application/json")
    assert (reserved.status_code, places(reserved)) == (400, [("#/slug", "invalid")])


def test_a_token_lists_its_own_club(reader: Program) -> None:
    assert [one["slug"] for one in reader.get(f"{API}/clubs/").json()["results"]] == ["herzclub"]


def test_a_club_is_renamed(admin: Program) -> None:
    assert admin.patch("", {"name": " Herz  Ass "}).json()["name"] == "Herz Ass"
    assert admin.get("").json()["name"] == "Herz Ass"
    assert places(admin.patch("", {})) == [("#", "empty")]


def test_a_clubs_time_zone(admin: Program, people: People, browser_of: Any) -> None:
    assert admin.get("").json()["time_zone"] == "Europe/Berlin"
    changed = admin.patch("", {"time_zone": "Pacific/Apia"}).json()
    assert (changed["time_zone"], changed["name"]) == ("Pacific/Apia", "Herzclub")
    for odd in ("Berlin", "europe/berlin", "+01:00", "../Europe/Berlin", "localtime"):
        answer = admin.patch("", {"time_zone": odd})
        assert (answer.status_code, places(answer)) == (400, [("#/time_zone", "unknown_time_zone")])
        assert "as Europe/Berlin" in answer.json()["detail"]
    assert places(admin.patch("", {"time_zone": None})) == [("#/time_zone", "null")]
    assert admin.get("").json()["time_zone"] == "Pacific/Apia"
    client = _logged_in(browser_of, people.member)
    body = {"name": "Kreuzclub", "slug": "kreuzclub", "time_zone": "Asia/Kathmandu"}
    founded = client.post(f"{API}/clubs/", body, content_type="application/json")
    assert (founded.status_code, founded.json()["time_zone"]) == (201, "Asia/Kathmandu")


def test_members(admin: Program, people: People) -> None:
    unknown = admin.post("members/", {"username": "nobody"})
    assert places(unknown) == [("#/username", "unknown")]
    added = admin.post("members/", {"username": "stranger", "role": "scorekeeper"})
    assert added.status_code == 201
    assert places(admin.post("members/", {"username": "stranger"})) == [("", "already_a_member")]
    url = added["Location"]
    assert admin.patch(url, {"role": "admin"}).json()["role"] == "admin"
    assert admin.get(url).json()["role"] == "admin"
    assert admin.delete(url).status_code == 204
    assert admin.get(url).status_code == 404


def test_the_last_owner_stays(people: People, browser_of: Any) -> None:
    client = _logged_in(browser_of, people.owner)
    url = f"{CLUB}/members/{Member.objects.get(user=people.owner).pk}/"
    answer = client.delete(url)
    assert (answer.status_code, places(answer)) == (409, [("", "last_owner")])


def test_players(scorer: Program, people: People) -> None:
    member = Member.objects.get(user=people.member).pk
    made = scorer.post("players/", {"name": "Gus", "is_guest": True, "member": member})
    assert made.status_code == 201
    url = made["Location"]
    assert scorer.get(url).json() == made.json()
    assert (made.json()["member"], made.json()["kind"], made.json()["archived_at"]) == (member, "person", None)
    assert places(scorer.post("players/", {"name": "gus"})) == [("", "name_taken")]
    changed = scorer.patch(url, {"member": None, "archived": True, "name": "Gustav"}).json()
    assert (changed["member"], changed["name"], changed["is_guest"]) == (None, "Gustav", True)
    assert changed["archived_at"] is not None
    assert [one["name"] for one in scorer.get("players/?archived=true").json()["results"]] == ["Gustav"]
    assert len(scorer.get("players/?archived=false").json()["results"]) == 6
    named = scorer.post("sessions/", opened("Gustav"))
    assert places(named) == [("#/players/0/player", "unknown_player")]
    assert places(scorer.patch(url, {})) == [("#", "empty")]
    assert places(scorer.patch(url, {"kind": "bot"})) == [("#/kind", "unknown_field")]
    assert places(scorer.post("players/", {"name": "B", "kind": "bot", "bot": "genius"})) == [("#/bot", "unknown_bot")]


def test_leagues_and_seasons(admin: Program, people: People) -> None:
    league = admin.post("leagues/", {"name": "Tuesdays", "slug": "tuesdays"})
    assert league.status_code == 201
    assert places(admin.post("leagues/", {"name": "T", "slug": "tuesdays"})) == [("", "slug_taken")]
    assert places(admin.post("leagues/", {"name": "T", "slug": "Big Ones"})) == [("#/slug", "invalid")]
    assert admin.patch(league["Location"], {"name": "Every Tuesday"}).json()["name"] == "Every Tuesday"
    season = admin.post(
        "seasons/",
        {
            "league": league.json()["id"],
            "name": "Autumn",
            "slug": "autumn",
            "starts_on": "2026-09-01",
            "status": "open",
        },
    )
    assert season.status_code == 201
    assert season.json()["reference"] == "tuesdays/autumn"
    assert admin.get(season["Location"]).json() == season.json()
    backwards = admin.patch(season["Location"], {"ends_on": "2026-08-31"})
    assert places(backwards) == [("#/ends_on", "before_start")]
    closed = admin.patch(season["Location"], {"status": "closed", "minimum_sessions": 3}).json()
    assert (closed["status"], closed["minimum_sessions"], closed["name"]) == ("closed", 3, "Autumn")
    listed = admin.get("seasons/").json()["results"]
    assert [one["id"] for one in listed] == [season.json()["id"], people.season.pk]
    assert [one["slug"] for one in admin.get("seasons/?status=closed").json()["results"]] == ["autumn"]
    assert [one["slug"] for one in admin.get(f"seasons/?league={people.season.league_id}").json()["results"]] == [
        "2026"
    ]


def test_another_rule_counts_the_season_anew(admin: Program, scorer: Program, people: People) -> None:
    """By wins instead of place average: who sat once and won is no longer ahead of who won twice."""

    def played(day: str, *ranking: str) -> None:
        scores = [{"player": name, "place": place} for place, name in enumerate(ranking, start=1)]
        body = {
            **opened(*ranking, season="monday-league/2026", played_on=day),
            "format": "single_game",
            "rounds": [{"game": "xxl-6", "scores": scores}],
            "status": "complete",
        }
        assert scorer.post("sessions/", body).status_code == 201

    played("2026-09-07", "Ann", "Ben")
    played("2026-09-14", "Ben", "Cem")
    played("2026-09-21", "Ben", "Cem")
    path = f"seasons/{people.season.pk}/"
    by_average = [(one["rank"], one["player"]["name"]) for one in scorer.get(f"{path}standings/").json()["results"]]
    # Ann 1; Ben (2 + 1 + 1) / 3 = 4/3; Cem 2.
    assert by_average == [(1, "Ann"), (2, "Ben"), (3, "Cem")]
    admin.patch(path, {"ranking_metric": "wins"})
    by_wins = [(one["rank"], one["player"]["name"]) for one in scorer.get(f"{path}standings/").json()["results"]]
    assert by_wins == [(1, "Ben"), (2, "Ann"), (3, "Cem")]
    admin.patch(path, {"minimum_sessions": 2})
    with_minimum = scorer.get(f"{path}standings/").json()["results"]
    assert [(one["rank"], one["player"]["name"]) for one in with_minimum] == [(1, "Ben"), (2, "Cem"), (None, "Ann")]


def test_a_tokens_secret_is_shown_once(admin: Program, people: People) -> None:
    made = admin.post("tokens/", {"name": "app", "scope": "results:write", "expires_at": "2026-12-24T18:00:00+01:00"})
    assert made.status_code == 201
    raw = made.json()["token"]
    assert raw.startswith(f"tl_{made.json()['prefix']}_")
    assert made.json()["expires_at"] == "2026-12-24T18:00:00+01:00"
    assert "no-store" in made["Cache-Control"]
    secret = raw.rpartition("_")[2]
    for path in (made["Location"], "tokens/"):
        assert secret.encode() not in admin.get(path).content
    stored = json.dumps([list(ApiToken.objects.values()), list(IdempotencyRecord.objects.values())], default=str)
    assert secret not in stored
    its = Program(raw)
    assert its.post("players/", {"name": "Gus"}).status_code == 201
    assert admin.delete(made["Location"]).status_code == 204
    assert its.get("players/").status_code == 401
    assert admin.get(made["Location"]).json()["revoked_at"] is not None
    assert admin.delete(made["Location"]).status_code == 204


def test_a_token_that_is_never_good(admin: Program) -> None:
    assert places(admin.post("tokens/", {"name": "x", "expires_at": "2026-01-01T00:00:00Z"})) == [
        ("#/expires_at", "in_the_past")
    ]
    for odd in (
        "tomorrow",
        "2027-01-01",
        "2027-01-01T00:00:00",
        "0001-01-01T00:00:00+23:59",
        5,
        "2027-02-30T00:00:00Z",
    ):
        assert places(admin.post("tokens/", {"name": "x", "expires_at": odd})) == [("#/expires_at", "invalid")]
    assert places(admin.post("tokens/", {"name": "x", "scope": "all"})) == [("#/scope", "invalid_choice")]


def test_a_bot_match_from_request_to_result(scorer: Program, people: People) -> None:
    for name in ("Bot 1", "Bot 2", "Bot 3"):
        assert scorer.post("players/", {"name": name, "kind": "bot", "bot": "random"}).status_code == 201
    body = {"game": "xxl-6", "players": ["Bot 1", "bot 2", "Bot 3"], "seed": 7, "season": "monday-league/2026"}
    answer = scorer.post("bot-matches/", body)
    assert answer.status_code == 202, answer.content
    status = scorer.get(answer["Location"]).json()
    assert status == answer.json()
    assert (status["state"], status["progress"], status["session"]) == ("queued", {"done": 0, "total": 1}, None)
    # What a worker does when it is rung for.
    carry_out(BotMatch.objects.get())
    done = scorer.get(answer["Location"]).json()
    assert (done["state"], done["progress"], done["error"]) == ("done", {"done": 1, "total": 1}, "")
    assert [one["name"] for one in done["players"]] == ["Bot 1", "Bot 2", "Bot 3"]
    sheet = scorer.get(done["session"]["url"]).json()
    assert (sheet["format"], sheet["status"], sheet["counts"]) == ("single_game", "complete", True)
    assert [one["id"] for one in scorer.get("bot-matches/").json()["results"]] == [done["id"]]


def test_a_bot_plays_a_series_of_the_game_alone(scorer: Program, people: People) -> None:
    scorer.post("players/", {"name": "Bot 1", "kind": "bot", "bot": "random"})
    body = {"game": "the-game", "players": ["Bot 1"], "seed": 7, "deals": 2, "season": "monday-league/2026"}
    answer = scorer.post("bot-matches/", body)
    assert answer.status_code == 202, answer.content
    carry_out(BotMatch.objects.get())
    done = scorer.get(answer["Location"]).json()
    assert (done["state"], done["error"]) == ("done", "")
    sheet = scorer.get(done["session"]["url"]).json()
    # One result for the table and no places: it enters no standings.
    assert (sheet["format"], sheet["planned_rounds"], sheet["counts"]) == ("series", 2, False)
    assert [score["place"] for one in sheet["rounds"] for score in one["scores"]] == [None, None]
    assert all(0 <= score["points"] <= 94 for one in sheet["rounds"] for score in one["scores"])


def test_what_bots_can_not_play(scorer: Program) -> None:
    scorer.post("players/", {"name": "Bot 1", "kind": "bot", "bot": "random"})
    attempts: list[tuple[dict[str, Any], tuple[str, str]]] = [
        ({"game": "und-tschuess"}, ("#/players", "players_out_of_range")),
        ({"game": "skat"}, ("#/game", "invalid_choice")),
        ({"players": ["Bot 1", "Ann"]}, ("#/players/1", "not_a_bot")),
        ({"players": ["Bot 1"]}, ("#/players", "players_out_of_range")),
        ({"seed": 2**53}, ("#/seed", "max_value")),
        ({"seed": 1.0}, ("#/seed", "invalid")),
        ({"deals": 100_001}, ("#/deals", "max_value")),
        ({"deals": 0}, ("#/deals", "min_value")),
    ]
    for change, place in attempts:
        answer = scorer.post("bot-matches/", {"game": "xxl-6", "players": ["Bot 1", "Bot 1"], **change})
        assert answer.status_code == 400
        assert place in places(answer)


def test_the_catalogue(reader: Program) -> None:
    found = {one["key"]: one for one in reader.get(f"{API}/games/").json()["results"]}
    assert list(found) == list(GAMES)
    six = found["xxl-6"]
    assert six["titles"] == {"en": "I Decide the Colour!", "de": "Ich bestimm die Farbe!"}
    assert (six["min_players"], six["max_players"], six["direction"]) == (2, 6, "high_wins")
    # docs/rules/xxl.md: the deck is worth 550; games 1 and 2 end with exactly one player at 0.
    assert {one["together_maximum"] for one in six["bounds"]} == {550}
    first = found["xxl-1"]
    assert first["direction"] == "low_wins"
    assert {(one["note"], one["zero"]) for one in first["bounds"]} == {
        ("", "exactly_one"),
        ("draw_pile_ran_out", "at_most_one"),
    }
    assert (found["the-game"]["cooperative"], found["the-game"]["bounds"][0]["maximum"]) == (True, 98)


def test_pages_neither_lose_nor_repeat_a_row(scorer: Program, people: People) -> None:
    body = {**opened("Ann", "Ben"), "confirm": ["possible_duplicate"]}
    ids = [scorer.post("sessions/", body).json()["id"] for _n in range(7)]
    seen: list[int] = []
    path = "sessions/?limit=3&status=open"
    while path:
        answer = scorer.get(path).json()
        seen += [one["id"] for one in answer["results"]]
        if len(seen) == 3:
            # One that comes in meanwhile is on a page already passed.
            assert scorer.post("sessions/", body).status_code == 201
        path = answer["next"]
    assert seen == list(reversed(ids))
    names: list[str] = []
    path = "players/?limit=2"
    while path:
        answer = scorer.get(path).json()
        names += [one["name"] for one in answer["results"]]
        path = answer["next"]
    assert names == ["Ann", "Ben", "Cem", "Dora", "Eva", "Finn"]


LISTS = (
    *("sessions/", "seasons/", "players/", "bot-matches/", "members/", "standings"),
    *("results/", "scores/", "audit-events/", "jobs/", "games/"),
)


@pytest.mark.parametrize("path", LISTS)
def test_a_list_takes_as_many_queries_for_many_rows_as_for_few(admin: Program, people: People, path: str) -> None:
    if path == "standings":
        path = f"seasons/{people.season.pk}/standings/"
    for name in ("Bot 1", "Bot 2"):
        admin.post("players/", {"name": name, "kind": "bot", "bot": "random"})

    def fill(number: int) -> None:
        season = {"league": people.season.league_id, "name": "S", "slug": f"s-{number}", "starts_on": "2026-09-01"}
        assert admin.post("seasons/", season).status_code == 201
        body = {
            **opened("Ann", "Ben", season=f"monday-league/s-{number}", format="single_game"),
            "rounds": [game("xxl-6", Ann=110, Ben=120)],
            "confirm": ["possible_duplicate"],
        }
        assert admin.post("sessions/", body).status_code == 201
        assert admin.post("games/", {"key": f"g-{number}", "name": "G"}).status_code == 201
        assert admin.post("bot-matches/", {"game": "xxl-6", "players": ["Bot 1", "Bot 2"]}).status_code == 202

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert admin.get(path).status_code == 200
        return len(captured)

    fill(1)
    # The first request of a minute also notes that the token was used.
    queries()
    few = queries()
    for number in range(2, 8):
        fill(number)
    assert queries() == few
    assert few <= 6
