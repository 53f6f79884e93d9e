"""Corrections over HTTP: the state they were made for, what they move, what is kept of them."""

from typing import Any

import pytest

from league.models import Member, Player, Season, Session, SessionRevision, Standing
from tests.api.client import Program, places
from tests.api.conftest import program
from tests.api.evenings import SIX_GAMES, evening, opened
from tests.people import People

WHY = "The sheet says otherwise."


@pytest.fixture
def posted(scorer: Program) -> Any:
    """The evening of four players (tests/data/evenings/four-players.worked.md), as answered."""
    answer = scorer.post("sessions/", evening("four-players")[0])
    assert answer.status_code == 201
    return answer.json()


def sheet(program: Program, session: int) -> Any:
    return program.get(f"sessions/{session}/")


def final(session: Any) -> dict[str, tuple[int, int]]:
    return {one["player"]["name"]: (one["place_sum"], one["place"]) for one in session["players"]}


def swapped(session: Any) -> dict[str, Any]:
    """The first round with the points of its first two players exchanged."""
    first = session["rounds"][0]
    scores = [{"player": one["player"]["id"], "points": one["points"]} for one in first["scores"]]
    scores[0]["points"], scores[1]["points"] = scores[1]["points"], scores[0]["points"]
    return {"game": first["game"], "note": first["note"], "scores": scores, "reason": WHY}


def test_a_change_names_the_state_it_was_made_for(scorer: Program, posted: Any) -> None:
    path = f"sessions/{posted['id']}/"
    read = scorer.get(path)
    change = {"location": "At Ann's", "reason": WHY}
    missing = scorer.patch(path, change)
    assert (missing.status_code, missing.json()["title"]) == (428, "If-Match is missing")
    for wrong in ("3", '"x"', '"0"', '"1", "2"'):
        answer = scorer.patch(path, change, If_Match=wrong)
        assert (answer.status_code, answer.json()["errors"][0]["header"]) == (400, "If-Match")
    accepted = scorer.patch(path, change, If_Match=read["ETag"])
    assert (accepted.status_code, accepted.json()["location"]) == (200, "At Ann's")
    assert accepted["ETag"] != read["ETag"]
    stale = scorer.patch(path, change, If_Match=read["ETag"])
    assert (stale.status_code, stale.json()["revision"]) == (412, 2)
    for tag in ('"2"', 'W/"2"', "*"):
        answer = scorer.patch(path, {"comment": f"by {tag}", "reason": WHY}, If_Match=tag)
        assert answer.status_code in {200, 412}
    assert scorer.get(path).json()["comment"] == "by *"


def test_a_round_is_corrected_and_the_standings_follow(scorer: Program, posted: Any) -> None:
    """Whoever exchanges the points of two players in one round exchanges their places in it."""
    before = sheet(scorer, posted["id"])
    first = before.json()["rounds"][0]["scores"]
    moved = {one["player"]["name"]: one["place"] for one in first}
    (one, two) = (first[0]["player"]["name"], first[1]["player"]["name"])
    answer = scorer.patch(f"sessions/{posted['id']}/rounds/1/", swapped(before.json()), If_Match='"1"')
    assert answer.status_code == 200, answer.content
    sums = {name: total for name, (total, _place) in final(before.json()).items()}
    sums[one] += moved[two] - moved[one]
    sums[two] += moved[one] - moved[two]
    expected = {name: (total, 1 + sum(other < total for other in sums.values())) for name, total in sums.items()}
    assert final(answer.json()) == expected
    table = scorer.get(f"seasons/{posted['season']['id']}/standings/").json()["results"]
    assert {line["player"]["name"]: line["place_total"] for line in table} == {
        name: place for name, (_total, place) in expected.items()
    }


def test_a_preview_says_what_would_move_and_stores_nothing(scorer: Program, posted: Any) -> None:
    before = sheet(scorer, posted["id"])
    path = f"sessions/{posted['id']}/rounds/1/"
    preview = scorer.patch(f"{path}?dry_run=true", swapped(before.json()), If_Match=before["ETag"])
    assert (preview.status_code, preview.json()["dry_run"]) == (200, True)
    assert sheet(scorer, posted["id"]).content == before.content
    assert SessionRevision.objects.filter(session=posted["id"]).count() == 1
    done = scorer.patch(path, swapped(before.json()), If_Match=before["ETag"])
    said = {one["player"]["name"]: one for one in preview.json()["players"]}
    was, now = final(before.json()), final(done.json())
    for name, one in said.items():
        assert (one["before"]["place_sum"], one["before"]["place"]) == was[name]
        assert (one["after"]["place_sum"], one["after"]["place"]) == now[name]
    lines = {one["player"]["name"]: one["after"] for one in preview.json()["standings"]}
    table = scorer.get(f"seasons/{posted['season']['id']}/standings/").json()["results"]
    stored = {line["player"]["name"]: line["rank"] for line in table}
    assert lines
    assert {name: line["rank"] for name, line in lines.items()} == {name: stored[name] for name in lines}


def test_a_new_session_can_be_rehearsed(scorer: Program, people: People) -> None:
    answer = scorer.post("sessions/?dry_run=true", evening("four-players")[0])
    assert answer.status_code == 200
    assert final(answer.json()["session"]) == {"Ann": (14, 3), "Ben": (13, 1), "Cem": (13, 1), "Dora": (18, 4)}
    assert Session.objects.count() == Standing.objects.count() == 0


def test_void_and_restore(scorer: Program, posted: Any) -> None:
    season = f"seasons/{posted['season']['id']}/standings/"
    before = scorer.get(season).json()
    path = f"sessions/{posted['id']}/"
    assert scorer.post(f"{path}void/", {"reason": WHY}).status_code == 428
    gone = scorer.post(f"{path}void/", {"reason": WHY}, If_Match='"1"', Idempotency_Key="one")
    assert (gone.status_code, gone.json()["counts"]) == (200, False)
    again = scorer.post(f"{path}void/", {"reason": WHY}, If_Match='"1"', Idempotency_Key="one")
    assert (again.status_code, again["Idempotent-Replayed"]) == (200, "true")
    assert scorer.get(season).json()["results"] == []
    for method, where, body in (
        ("PATCH", path, {"comment": "x", "reason": WHY}),
        ("POST", f"{path}void/", {"reason": WHY}),
        ("POST", f"{path}end/", {"confirm": ["ends_early"]}),
    ):
        refused = scorer.send(method, where, body, If_Match='"2"')
        assert (refused.status_code, places(refused)) == (409, [("", "session_voided")])
    back = scorer.post(f"{path}restore/", {"reason": WHY}, If_Match='"2"')
    assert (back.status_code, back.json()["counts"]) == (200, True)
    assert scorer.get(season).json() == before


def test_the_history_tells_who_changed_what_and_why(scorer: Program, posted: Any, people: People) -> None:
    path = f"sessions/{posted['id']}/"
    scorer.patch(path, {"location": "At Ann's", "reason": WHY}, If_Match='"1"')
    unchanged = scorer.patch(path, {"location": "At Ann's", "reason": WHY}, If_Match='"2"')
    assert unchanged.json()["revision"] == 2
    first, second = scorer.get(f"{path}revisions/").json()["results"]
    assert (first["number"], first["kind"], first["changes"]) == (1, "recorded", [])
    assert (second["number"], second["kind"], second["reason"]) == (2, "corrected", WHY)
    assert second["changes"] == [{"path": "/location", "before": posted["location"], "after": "At Ann's"}]
    assert second["token"] is not None
    names = {player.name for player in people.players}
    assert not names & set(str(first["data"]).split("'"))


def test_wrong_corrections_name_the_place(scorer: Program, posted: Any) -> None:
    path = f"sessions/{posted['id']}/"
    ids = [one["player"]["id"] for one in posted["players"]]
    short = [{"player": ids[0], "points": 0}]
    tries: list[tuple[str, dict[str, Any], int, list[tuple[str, str]]]] = [
        (path, {"reason": WHY}, 400, [("#", "empty")]),
        (path, {"comment": "x"}, 400, [("#/reason", "required")]),
        (path, {"comment": "x", "reason": " "}, 400, [("#/reason", "blank")]),
        (path, {"played_on": "2999-01-01", "reason": WHY}, 400, [("#/played_on", "in_the_future")]),
        (path, {"season": "nowhere/2026", "reason": WHY}, 400, [("#/season", "unknown_season")]),
        (path, {"players": [{"player": "Nobody"}], "reason": WHY}, 400, [("#/players/0/player", "unknown_player")]),
        (f"{path}rounds/1/", {"game": "xxl-1", "scores": short, "reason": WHY}, 400, [("#/scores", "player_missing")]),
        (f"{path}rounds/7/", {**SIX_GAMES[0], "reason": WHY}, 404, []),
        (path, {"rounds": [], "reason": WHY}, 400, [("#/status", "no_rounds")]),
    ]
    for where, body, status, errors in tries:
        answer = scorer.patch(where, body, If_Match="*")
        assert (answer.status_code, places(answer)) == (status, errors), where
    assert Session.objects.get(pk=posted["id"]).revision == 1


def test_taking_a_round_away_has_to_be_confirmed(scorer: Program, posted: Any) -> None:
    rounds = [
        {
            "game": one["game"],
            "note": one["note"],
            "scores": [{"player": s["player"]["id"], "points": s["points"]} for s in one["scores"]],
        }
        for one in posted["rounds"][:-1]
    ]
    path = f"sessions/{posted['id']}/"
    asked = scorer.patch(path, {"rounds": rounds, "reason": WHY}, If_Match='"1"')
    assert (asked.status_code, asked.json()["confirm"]) == (422, ["ends_early"])
    done = scorer.patch(path, {"rounds": rounds, "reason": WHY, "confirm": ["ends_early"]}, If_Match='"1"')
    assert (done.status_code, done.json()["status"]) == (200, "incomplete")
    going_on = scorer.patch(path, {"status": "open", "reason": WHY}, If_Match='"2"')
    assert (going_on.status_code, going_on.json()["status"], going_on.json()["counts"]) == (200, "open", False)


def test_a_closed_season_is_locked(admin: Program, posted: Any) -> None:
    season = posted["season"]["id"]
    assert admin.patch(f"seasons/{season}/", {"status": "closed"}).status_code == 200
    path = f"sessions/{posted['id']}/"
    for method, where, body in (
        ("PATCH", path, {"comment": "x", "reason": WHY}),
        ("PATCH", f"{path}rounds/1/", swapped(posted)),
        ("POST", f"{path}void/", {"reason": WHY}),
        ("PATCH", path, {"season": None, "reason": WHY}),
    ):
        refused = admin.send(method, where, body, If_Match="*")
        assert (refused.status_code, places(refused)) == (409, [("", "season_closed")])
    assert Session.objects.get(pk=posted["id"]).revision == 1


def test_the_same_evening_twice_is_asked_about(scorer: Program, posted: Any) -> None:
    again = evening("four-players")[0]
    asked = scorer.post("sessions/", again)
    assert (asked.status_code, asked.json()["confirm"]) == (422, ["possible_duplicate"])
    assert str(posted["id"]) in asked.json()["warnings"][0]["detail"]
    turned = {**again, "players": again["players"][::-1]}
    assert scorer.post("sessions/", turned).status_code == 422
    assert scorer.post("sessions/", {**again, "confirm": ["possible_duplicate"]}).status_code == 201
    scorer.post("sessions/", opened("Ann", "Ben"))
    twice = scorer.post("sessions/", opened("Ben", "Ann"))
    assert (twice.status_code, twice.json()["confirm"]) == (422, ["possible_duplicate"])
    assert scorer.post("sessions/", opened("Ben", "Cem")).status_code == 201


def test_on_the_first_day_of_the_calendar_too(scorer: Program) -> None:
    """The day before it, on which the same evening would be one as well, there is not."""
    first = {**opened("Ann", "Ben", played_on="0001-01-01"), "rounds": SIX_GAMES, "status": "complete"}
    assert scorer.post("sessions/", first).status_code == 201
    asked = scorer.post("sessions/", {**first, "played_on": "0001-01-02"})
    assert (asked.status_code, asked.json()["confirm"]) == (422, ["possible_duplicate"])


def test_round_by_round_the_same_evening_is_noticed_at_its_end(scorer: Program) -> None:
    whole = {**opened("Ann", "Ben"), "rounds": SIX_GAMES, "status": "complete"}
    assert scorer.post("sessions/", whole).status_code == 201
    other = scorer.post("sessions/", opened("Ann", "Ben")).json()["id"]
    for one in SIX_GAMES[:-1]:
        assert scorer.post(f"sessions/{other}/rounds/", one).status_code == 201
    asked = scorer.post(f"sessions/{other}/rounds/", SIX_GAMES[-1])
    assert (asked.status_code, asked.json()["confirm"]) == (422, ["possible_duplicate"])
    assert Session.objects.get(pk=other).rounds.count() == 5
    last = {**SIX_GAMES[-1], "confirm": ["possible_duplicate"]}
    assert scorer.post(f"sessions/{other}/rounds/", last).status_code == 201


@pytest.fixture
def asking(people: People) -> Season:
    """The season asks for a second participant; Ann is the member's player."""
    Season.objects.filter(pk=people.season.pk).update(needs_confirmation=True)
    member = Member.objects.get(user=people.member)
    Player.objects.filter(pk=people.players[0].pk).update(member=member)
    return people.season


def confirm(browser: Any, session: int, verb: str = "confirm", body: Any = None, headers: Any = None) -> Any:
    browser.get("/api/v1/docs/")
    return browser.post(
        f"/api/v1/clubs/herzclub/sessions/{session}/{verb}/",
        {} if body is None else body,
        content_type="application/json",
        headers={"X-CSRFToken": browser.cookies["csrftoken"].value, **(headers or {})},
    )


def test_a_second_participant_confirms(asking: Season, posted: Any, people: People, browser_of: Any) -> None:
    assert (posted["confirmation"], posted["counts"]) == ("awaited", False)
    assert not Standing.objects.exists()
    own = confirm(browser_of(people.scorekeeper), posted["id"])
    assert (own.status_code, own.json()["errors"][0]["code"]) == (409, "own_entry")
    agreed = confirm(browser_of(people.member), posted["id"])
    assert (agreed.status_code, agreed.json()["confirmation"], agreed.json()["counts"]) == (200, "confirmed", True)
    assert Standing.objects.filter(season=asking).count() == 4


def test_a_participant_may_name_the_state_that_was_seen(
    asking: Season, posted: Any, people: People, browser_of: Any, scorer: Program
) -> None:
    theirs, session = browser_of(people.member), posted["id"]
    scorer.patch(f"sessions/{session}/rounds/1/", swapped(posted), If_Match="*")
    for verb, body, said in (("confirm", {}, "confirmed"), ("dispute", {"reason": "I had 14."}, "disputed")):
        seen = Session.objects.get(pk=session).revision
        stale = confirm(theirs, session, verb, body, {"If-Match": f'"{seen - 1}"'})
        assert (stale.status_code, stale.json()["revision"]) == (412, seen)
        odd = confirm(theirs, session, verb, body, {"If-Match": "yesterday"})
        assert (odd.status_code, odd.json()["errors"][0]["header"]) == (400, "If-Match")
        assert confirm(theirs, 10**9, verb, body, {"If-Match": "yesterday"}).status_code == 404
        done = confirm(theirs, session, verb, body, {"If-Match": f'"{seen}"'})
        assert (done.status_code, done.json()["confirmation"]) == (200, said)


def test_a_dispute_is_decided_by_a_scorekeeper(
    asking: Season, posted: Any, people: People, browser_of: Any, scorer: Program
) -> None:
    confirm(browser_of(people.member), posted["id"])
    disputed = confirm(browser_of(people.member), posted["id"], "dispute", {"reason": "I had 14."})
    assert (disputed.json()["confirmation"], disputed.json()["counts"]) == ("disputed", False)
    assert not Standing.objects.exists()
    assert confirm(browser_of(people.member), posted["id"]).status_code == 403
    corrected = scorer.patch(f"sessions/{posted['id']}/rounds/1/", swapped(posted), If_Match="*")
    assert (corrected.json()["confirmation"], corrected.json()["counts"]) == ("confirmed", True)
    kinds = [one["kind"] for one in scorer.get(f"sessions/{posted['id']}/revisions/").json()["results"]]
    assert kinds == ["recorded", "confirmed", "disputed", "corrected"]


def test_who_did_not_play_has_no_say(asking: Season, posted: Any, people: People, reader: Program) -> None:
    Player.objects.filter(member__user=people.member).update(member=None)
    assert reader.post(f"sessions/{posted['id']}/confirm/", {}).status_code == 403
    its = program(people, people.stranger, "club:admin")  # type: ignore[arg-type]
    assert its.post(f"/api/v1/clubs/herzclub/sessions/{posted['id']}/confirm/", {}).status_code == 404


def test_many_at_once_are_all_or_none(scorer: Program, people: People) -> None:
    good, other = opened("Ann", "Ben"), opened("Cem", "Dora")
    bad = opened("Ann", "Nobody", played_on="2999-01-01")
    refused = scorer.post("results/bulk/", {"sessions": [good, bad, {**other, "season": "x/y"}]})
    assert refused.status_code == 400
    assert ("#/sessions/2/season", "unknown_season") in places(refused)
    assert not Session.objects.exists()
    twice = scorer.post("results/bulk/", {"sessions": [good, good]})
    assert (twice.status_code, twice.json()["warnings"][0]["pointer"]) == (422, "#/sessions/1")
    done = scorer.post("results/bulk/", {"sessions": [good, other]}, Idempotency_Key="bulk")
    assert (done.status_code, done.json()["recorded"]) == (200, 2)
    assert scorer.post("results/bulk/", {"sessions": [good, other]}, Idempotency_Key="bulk").json() == done.json()
    assert Session.objects.count() == 2


def test_many_at_once_each_for_itself(scorer: Program, people: People) -> None:
    sessions = [opened("Ann", "Ben"), opened("Ann", "Nobody"), opened("Ann", "Ben"), opened("Cem", "Dora")]
    answer = scorer.post("results/bulk/", {"mode": "each", "sessions": sessions}).json()
    assert (answer["recorded"], answer["refused"]) == (2, 2)
    assert [one["status"] for one in answer["results"]] == [201, 400, 422, 201]
    assert answer["results"][1]["problem"]["errors"][0]["pointer"] == "#/players/1/player"
    assert Session.objects.count() == 2


def test_a_thousand_evenings_fit_and_one_more_does_not(scorer: Program, people: People) -> None:
    sessions = [opened("Ann", "Ben")] * 1001
    answer = scorer.post("results/bulk/", {"sessions": sessions})
    assert (answer.status_code, places(answer)) == (400, [("#/sessions", "max_length")])
