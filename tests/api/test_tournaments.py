"""Tournaments over HTTP: from their making to the ranking, what members see of it, and two organisers at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Player, Session, TournamentRound, name_key
from league.services import tournament_jobs, tournament_rounds
from tests.api.client import Program, places
from tests.people import People

GAME = "xxl-6-plus"
SWISS = [{"format": "swiss", "options": {"rounds": 3}}]


@dataclass
class Organiser:
    """A program that runs one tournament; `path` is its address."""

    its: Program
    path: str
    # Ids of entries by the players' names.
    entries: dict[str, int]

    def get(self, path: str = "") -> Any:
        answer = self.its.get(self.path + path)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def post(self, path: str, body: Any = None, status: int = 200, **headers: str) -> Any:
        answer = self.its.post(self.path + path, {} if body is None else body, **headers)
        assert answer.status_code == status, answer.content
        return answer.json()

    def refused(self, path: str, body: Any = None, status: int = 409) -> list[str]:
        """The codes of what is wrong."""
        answer = self.its.post(self.path + path, {} if body is None else body)
        assert answer.status_code == status, answer.content
        return [code for _pointer, code in places(answer)]

    def pair(self) -> int:
        """Pair the next tournament round and publish it; its number."""
        number: int = self.post("rounds/", status=201)["rounds"][0]["number"]
        self.post(f"rounds/{number}/publish/")
        return number

    def seated(self, number: int) -> list[list[str]]:
        """Who sits where in a tournament round, by table, sorted by name."""
        tables = self.get(f"rounds/{number}/")["tables"]
        return [sorted(seat["entry"]["player"]["name"] for seat in table["seats"]) for table in tables]

    def play(self, number: int, better: Sequence[str] = ()) -> None:
        """Let every table be played: those of `better` win, else who is first by name."""
        for table in self.get(f"rounds/{number}/")["tables"]:
            if table["session"] is not None and table["session"]["status"] == "open":
                names = [seat["entry"]["player"]["name"] for seat in table["seats"]]
                ranked = sorted(names, key=lambda name: (name not in better, name))
                scores = [{"player": name, "place": place} for place, name in enumerate(ranked, 1)]
                body = {"game": GAME, "scores": scores}
                assert self.its.post(f"{table['session']['url']}rounds/", body).status_code == 201

    def ranks(self, path: str = "standings/") -> list[tuple[int, str]]:
        return [(one["rank"], one["entry"]["player"]["name"]) for one in self.get(path)["results"]]


def organise(its: Program, people: People, stages: Sequence[Any], players: int = 4, **fields: Any) -> Organiser:
    """A tournament of duels of P01, P02, …, seeded in this order; begun."""
    names = [f"P{number:02}" for number in range(1, players + 1)]
    Player.objects.bulk_create(Player(club=people.club, name=name, name_key=name_key(name)) for name in names)
    given = {
        "name": "Cup",
        "slug": "cup",
        "starts_on": "2026-12-05",
        "session_format": "series",
        "game": GAME,
        "seed": 7,
        **fields,
    }
    made = its.post("tournaments/", {**given, "stages": stages})
    assert made.status_code == 201, made.content
    found = Organiser(its, made["Location"], {})
    entered = found.post("entries/", {"entries": [{"player": name} for name in names]}, 201)["results"]
    found.entries = {one["player"]["name"]: one["id"] for one in entered}
    found.post("entries/seeds/", {"how": "hand", "order": list(found.entries.values())})
    found.post("start/")
    return found


def test_a_swiss_tournament_from_its_making_to_its_ranking(scorer: Program, reader: Program, people: People) -> None:
    """Round 1 is the fold, 1-3 and 2-4; the first by name always wins, so that round 2 is 1-2 and 3-4."""
    cup = organise(scorer, people, SWISS, round_minutes=50)
    told = cup.get()
    assert (told["status"], told["entries"], told["metric"]) == ("running", 4, "result")
    assert told["stages"] == [
        {
            "number": 1,
            "format": "swiss",
            "status": "running",
            "options": {"rounds": 3, "allow_rematches": False, **_more(told)},
            "groups": 1,
            "advance": None,
        }
    ]
    assert told["tie_breaks"][0]["code"] == "direct"
    assert told["tie_breaks"][0]["sentence"].startswith("More points against the others who are level")

    made = scorer.post(f"{cup.path}rounds/", {})
    assert (made.status_code, made["Location"]) == (201, f"{cup.path}rounds/1/")
    assert cup.get("rounds/1/")["status"] == "draft"
    assert {table["session"] for table in cup.get("rounds/1/")["tables"]} == {None}
    for path in ("rounds/1/", "rounds/2/"):
        assert reader.get(cup.path + path).status_code == 404
    assert reader.get(f"{cup.path}rounds/").json()["results"] == []
    assert len(cup.get("rounds/")["results"]) == 1
    crossed = [its.get(f"{cup.path}cross-table/").json()["results"] for its in (scorer, reader)]
    assert [{len(line["meetings"]) for line in lines} for lines in crossed] == [{1}, {0}]

    published = cup.post("rounds/1/publish/")
    assert cup.seated(1) == [["P01", "P03"], ["P02", "P04"]]
    assert cup.post("rounds/1/clock/", {"runs": True})["started_at"] is not None
    session = published["tables"][0]["session"]
    assert scorer.get(session["url"]).json()["tournament_table"] == {"tournament": told["id"], "round": 1, "table": 1}
    assert reader.get(f"{cup.path}rounds/1/").json()["tables"][0]["session"] == session
    listed = scorer.get("sessions/").json()["results"]
    assert {one["tournament_table"]["table"] for one in listed} == {1, 2}
    assert cup.refused("rounds/") == ["round_open"]
    assert cup.refused("finish/") == ["tables_open"]

    cup.play(1)
    lines = cup.get("standings/")["results"]
    assert [(one["rank"], one["entry"]["player"]["name"], one["score"]) for one in lines] == [
        (1, "P01", 1),
        (1, "P02", 1),
        (3, "P03", 0),
        (3, "P04", 0),
    ]
    assert cup.pair() == 2
    assert cup.seated(2) == [["P01", "P02"], ["P03", "P04"]]
    cup.play(2)
    assert cup.pair() == 3
    cup.play(3)
    assert cup.refused("rounds/") == ["rounds_planned"]
    # Everybody met everybody, and the first by name won: 3, 2, 1 and 0 points.
    assert cup.ranks() == [(1, "P01"), (2, "P02"), (3, "P03"), (4, "P04")]
    crossed = cup.get("cross-table/")["results"]
    assert [[(one["entry"]["player"]["name"], one["score"]) for one in line["meetings"]] for line in crossed[:2]] == [
        [("P03", 1), ("P02", 1), ("P04", 1)],
        [("P04", 1), ("P01", 0), ("P03", 1)],
    ]
    assert cup.post("finish/")["status"] == "finished"
    assert cup.ranks("ranking/") == [(1, "P01"), (2, "P02"), (3, "P03"), (4, "P04")]
    assert cup.get("bracket/") == {"stage": None, "format": None, "finished": False, "matches": []}

    cup.post("archive/")
    assert scorer.get("tournaments/").json()["results"] == []
    found = scorer.get("tournaments/?archived=true&status=finished&search=CUP").json()["results"]
    assert [one["id"] for one in found] == [told["id"]]
    assert cup.refused("reopen/") == ["tournament_archived"]
    cup.post("restore/")
    copy = scorer.post(
        f"{cup.path}clone/", {"name": "Cup 2", "slug": "cup-2", "starts_on": "2027-01-09", "entries": True}
    )
    assert (copy.status_code, copy.json()["status"], copy.json()["entries"]) == (201, "draft", 4)
    assert [one["name"] for one in scorer.get("tournaments/?search=cup").json()["results"]] == ["Cup 2", "Cup"]
    assert scorer.delete(copy["Location"]).status_code == 204
    assert scorer.delete(cup.path).status_code == 409


def _more(told: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a stage that other tests speak of."""
    known = {"rounds", "allow_rematches"}
    return {name: value for name, value in told["stages"][0]["options"].items() if name not in known}


def test_of_two_organisers_neither_loses_the_others_change(scorer: Program, admin: Program, people: People) -> None:
    cup = organise(scorer, people, SWISS)
    read = admin.get(cup.path)
    announcement = {"announcement": "Round 1 at eight"}
    missing = scorer.patch(cup.path, announcement)
    assert (missing.status_code, missing.json()["title"]) == (428, "If-Match is missing")
    changed = scorer.patch(cup.path, announcement, If_Match=read["ETag"])
    assert (changed.status_code, changed.json()["announcement"]) == (200, "Round 1 at eight")
    stale = admin.patch(cup.path, {"note": "Mine"}, If_Match=read["ETag"])
    version = changed.json()["version"]
    assert (stale.status_code, stale.json()["revision"]) == (412, version)

    # Both were about to pair: the second is told that something was changed.
    for its, status in ((scorer, 201), (admin, 412)):
        answer = its.post(f"{cup.path}rounds/", {}, If_Match=f'"{version}"')
        assert answer.status_code == status
    assert TournamentRound.objects.count() == 1
    # The same request once more, as after a lost answer, pairs nothing more.
    path = f"{cup.path}rounds/1/publish/"
    first, again = (scorer.post(path, {}, If_Match=f'"{version + 1}"', Idempotency_Key="k") for _time in range(2))
    assert (first.status_code, again["Idempotent-Replayed"]) == (200, "true")
    assert first.content == again.content
    assert Session.objects.count() == 2
    assert scorer.send("DELETE", f"{cup.path}stages/next/", None, If_Match='"1"').status_code == 412


def test_who_enters_and_how(scorer: Program, reader: Program, people: People) -> None:
    cup = organise(scorer, people, SWISS)
    assert cup.refused("entries/seeds/", {"how": "lot"}) == ["tournament_begun"]
    late = cup.post(
        "entries/",
        {"entries": [{"guest": "Late", "home_club": "Pikclub", "checked_in": True}, {"player": "ann"}]},
        201,
    )
    assert [(one["player"]["name"], one["status"], one["first_round"]) for one in late["results"]] == [
        ("Late", "checked_in", 1),
        ("Ann", "entered", 1),
    ]
    assert late["version"] == cup.get()["version"]
    assert late["results"] == [cup.get(f"entries/{one['id']}/") for one in late["results"]]
    both = scorer.post(f"{cup.path}entries/", {"entries": [{"player": "Ben", "guest": "Ben"}, {"player": "Ann"}]})
    assert places(both) == [("#/entries/0/player", "required")]
    twice = scorer.post(f"{cup.path}entries/", {"entries": [{"player": "Ben"}, {"player": "Ann"}]})
    assert places(twice) == [("#/entries/1/player", "entered_twice")]
    assert [one["player"]["name"] for one in cup.get("entries/?search=LAT")["results"]] == ["Late"]
    assert len(reader.get(f"{cup.path}entries/?status=entered").json()["results"]) == 5

    ann = late["results"][1]["id"]
    assert cup.post("entries/check-in/", {"entries": [ann]})["results"][0]["status"] == "checked_in"
    changed = scorer.patch(f"{cup.path}entries/{ann}/", {"fixed_table": 2})
    assert (changed.status_code, changed.json()["fixed_table"]) == (200, 2)
    assert scorer.get(f"{cup.path}entries/{ann}/").json() == changed.json()
    missed = cup.post(f"entries/{ann}/sit-out/", {"from_round": 2, "until_round": 2})
    assert missed["absences"] == [{"from_round": 2, "until_round": 2}]
    assert cup.refused(f"entries/{ann}/sit-out/", {"from_round": 1001}, 400) == ["max_value"]
    cup.post(f"entries/{ann}/sit-out/", {"from_round": 4, "until_round": None})
    here = cup.post("entries/check-in/", {"entries": [ann, cup.entries["P01"]], "is_here": False})
    assert here["results"] == [cup.get(f"entries/{one}/") for one in (ann, cup.entries["P01"])]
    assert here["results"][0]["absences"] == [
        {"from_round": 2, "until_round": 2},
        {"from_round": 4, "until_round": None},
    ]
    assert cup.post(f"entries/{ann}/withdraw/", {"no_show": True})["status"] == "no_show"
    assert cup.post(f"entries/{ann}/return/")["status"] == "checked_in"
    assert scorer.delete(f"{cup.path}entries/{ann}/").status_code == 204
    assert scorer.get(f"{cup.path}entries/{ann}/").status_code == 404

    one, two = cup.entries["P01"], cup.entries["P02"]
    assert cup.post("wishes/", {"first": two, "second": one, "kind": "apart"})["first"]["id"] == one
    assert [wish["kind"] for wish in cup.get("wishes/")["results"]] == ["apart"]
    cup.post("wishes/", {"first": one, "second": two, "kind": "none"})
    assert cup.get("wishes/")["results"] == []

    # Members read no key by which others enter.
    key = cup.post("invitation/", {"is_open": True})["invitation_key"]
    assert key
    assert cup.get()["invitation_key"] == key
    assert reader.get(cup.path).json()["invitation_key"] is None
    assert cup.post("invitation/", {"is_open": False})["invitation_key"] is None


def test_rounds_are_changed_and_taken_back(scorer: Program, people: People) -> None:
    cup = organise(scorer, people, SWISS, players=5)
    cup.post("rounds/", status=201)
    # The bye of a draft is worth nothing yet.
    assert {one["score"] for one in cup.get("standings/")["results"]} == {0}
    cup.post("rounds/1/publish/")
    assert cup.get("standings/")["results"][0]["entry"]["player"]["name"] == "P05"
    round_ = cup.get("rounds/1/")
    # The last of the seeds sits out.
    (reason,) = [one for one in round_["reasons"] if cup.entries["P05"] in one["entries"]]
    assert "P05" in reason["sentence"]
    assert round_["tables"][-1]["kind"] == "bye"
    swapped = {"first": cup.entries["P01"], "second": cup.entries["P02"]}
    cup.post("rounds/1/swap/", swapped)
    assert cup.seated(1) == [["P02", "P03"], ["P01", "P04"], ["P05"]]
    cup.play(1, better=["P03"])
    cup.pair()
    one, other = cup.get("rounds/2/")["tables"][:2]
    # Whoever of the first table met somebody of the second in round 1: the exchange brings them together again.
    met = {frozenset(table) for table in cup.seated(1)}
    again = next(
        (mine, partner, theirs)
        for mine, partner in (_two(one), _two(one)[::-1])
        for theirs in _two(other)
        if frozenset({partner["player"]["name"], theirs["player"]["name"]}) in met
    )
    exchange = {"first": again[0]["id"], "second": again[2]["id"]}
    doubted = scorer.post(f"{cup.path}rounds/2/swap/", exchange)
    assert (doubted.status_code, doubted.json()["confirm"]) == (422, ["repeat_meeting"])
    cup.post("rounds/2/swap/", {**exchange, "confirm": ["repeat_meeting"]})

    winner = cup.get("rounds/2/")["tables"][0]["seats"][1]["entry"]["id"]
    decided = cup.post("rounds/2/tables/1/forfeit/", {"winner": winner})
    assert (decided["kind"], decided["seats"][0]["entry"]["id"], decided["session"]) == ("forfeit", winner, None)
    assert [one["winner"] for one in cup.get("rounds/2/")["tables"] if one["kind"] != "bye"].count(winner) == 1
    assert decided["winner"] == winner
    assert cup.refused("rounds/2/tables/1/forfeit/", {"winner": 1}, 400) == ["unknown_entry"]
    assert scorer.delete(f"{cup.path}rounds/2/tables/1/forfeit/").status_code == 204
    table = cup.get("rounds/2/")["tables"][0]
    assert (table["kind"], table["decided"], table["session"]["status"]) == ("played", False, "open")
    # A session that was voided leaves the table without one, until it is opened anew.
    scorer.post(f"{table['session']['url']}void/", {"reason": "The wrong table."}, If_Match="*")
    assert cup.get("rounds/2/")["tables"][0]["session"] is None
    assert cup.post("rounds/2/tables/1/open/")["session"]["id"] != table["session"]["id"]

    assert cup.post("rounds/2/unpublish/")["status"] == "draft"
    assert cup.post("rounds/undo/")["rounds"] == [2]
    assert cup.refused("rounds/undo/") == ["table_played"]
    cup.post("pause/")
    assert cup.refused("rounds/") == ["tournament_not_running"]
    cup.post("resume/")


def _two(table: Any) -> list[Any]:
    return [seat["entry"] for seat in table["seats"]]


def test_a_bracket_and_a_correction_that_moves_it(scorer: Program, reader: Program, people: People) -> None:
    """Seeds 1-4 and 2-3; 1 and 2 win, then it turns out that 4 had beaten 1."""
    cup = organise(scorer, people, [{"format": "single_elimination", "options": {"third_place": True}}])
    cup.pair()
    cup.play(1)
    cup.pair()
    bracket = reader.get(f"{cup.path}bracket/").json()
    final = next(one for one in bracket["matches"] if one["side"] == "winners" and one["round"] == 2)
    assert [one["player"]["name"] for one in final["entrants"]] == ["P01", "P02"]
    assert (final["state"], final["table"]["round"], bracket["finished"]) == ("ready", 2, False)
    assert [(one["kind"], one["match"]) for one in final["sources"]] == [("winner", "W1-1"), ("winner", "W1-2")]

    table = next(one for one in cup.get("rounds/1/")["tables"] if one["match"] == "W1-1")
    result = {
        "game": GAME,
        "scores": [{"player": "P01", "place": 2}, {"player": "P04", "place": 1}],
        "reason": "The other way round.",
    }
    path = f"{table['session']['url']}rounds/1/"
    preview = scorer.patch(f"{path}?dry_run=true", result, If_Match="*").json()
    assert [one["number"] for one in preview["tournament_rounds"]] == [2]
    assert preview["tournament_stages"] == []
    moves = preview["tournament"]
    assert (moves["slug"], moves["finished"], moves["round"], moves["table"], moves["decided"], moves["more"]) == (
        *("cup", False, 1, table["number"], True, 0),
    )
    first, last = {"rank": 1, "rank_to": 2}, {"rank": 3, "rank_to": 4}
    assert [(one["player"]["name"], one["stage"], one["before"], one["after"]) for one in moves["ranks"]] == [
        ("P04", 1, last, first),
        ("P01", 1, first, last),
    ]
    assert cup.get("overtaken/")["results"] == []
    assert scorer.patch(path, result, If_Match="*").status_code == 200
    (over,) = cup.get("overtaken/")["results"]
    assert (over["number"], sorted(over["tables"]), over["played"]) == (2, [1, 2], [])
    assert cup.refused("rounds/2/keep/") == ["bracket_decides"]
    assert cup.post("rounds/2/mend/")["round"]["number"] == 2
    assert sorted(cup.seated(2)) == [["P01", "P03"], ["P02", "P04"]]
    cup.play(2)
    assert cup.ranks() == [(1, "P02"), (2, "P04"), (3, "P01"), (4, "P03")]
    assert cup.get("bracket/")["finished"]


def test_a_plan_is_published_as_a_whole(scorer: Program, people: People) -> None:
    cup = organise(scorer, people, [{"format": "round_robin"}], players=4)
    cup.post("rounds/", status=201)
    cup.post("rounds/1/publish/")
    cup.post("pause/")
    assert cup.refused("rounds/publish/") == ["tournament_not_running"]
    cup.post("resume/")
    assert [one["number"] for one in cup.post("rounds/publish/")["rounds"]] == [2, 3]
    assert {one["status"] for one in cup.get("rounds/")["results"]} == {"published"}
    assert cup.post("rounds/publish/")["rounds"] == []


def test_who_beats_the_same_player_twice_a_day_is_not_asked_about_it(scorer: Program, people: People) -> None:
    """The same places of the same two, at two tables; entered once more as an evening of its own, it is asked about."""
    cup = organise(scorer, people, [{"format": "round_robin", "options": {"double": True}}], players=2)
    cup.post("rounds/", status=201)
    tables = []
    for number in (1, 2):
        cup.post(f"rounds/{number}/publish/")
        tables += [table["session"]["url"] for table in cup.get(f"rounds/{number}/")["tables"]]
    names = [seat["player"]["name"] for seat in scorer.get(tables[0]).json()["players"]]
    result = {"game": GAME, "scores": [{"player": name, "place": place} for place, name in enumerate(names, 1)]}
    first, second = (scorer.post(f"{table}rounds/", result) for table in tables)
    assert (first.status_code, second.status_code) == (201, 201)

    day = second.json()["played_on"]
    alone = {
        "format": "single_game",
        "played_on": day,
        "players": [{"player": name} for name in names],
        "rounds": [result],
    }
    assert scorer.post("sessions/", alone).json()["confirm"] == ["possible_duplicate"]


def test_groups_then_a_final_and_lines_in_parts(scorer: Program, people: People) -> None:
    """Two groups of four, of each two go on and cross over: the seeds 1, 4, 5, 8 and 2, 3, 6, 7."""
    stages = [
        {"format": "round_robin", "groups": 2, "advance": 2},
        {"format": "single_elimination", "options": {"best_of": 1}},
    ]
    cup = organise(scorer, people, stages, players=8)
    numbers = [one["number"] for one in cup.post("rounds/", status=201)["rounds"]]
    assert numbers == [1, 2, 3]
    assert cup.refused("stages/next/") == ["tables_open"]
    for number in numbers:
        cup.post(f"rounds/{number}/publish/")
        cup.play(number)
    assert cup.ranks("standings/?group=2") == [(1, "P02"), (2, "P03"), (3, "P06"), (4, "P07")]
    first = cup.get("standings/?limit=3")
    rest = cup.its.get(first["next"]).json()
    assert [len(first["results"]), len(rest["results"])] == [3, 3]
    assert [one["group"] for one in first["results"] + rest["results"]] == [1, 1, 1, 1, 2, 2]
    part = cup.get("cross-table/?start=5&limit=2")
    assert [one["entry"]["player"]["name"] for one in part["results"]] == ["P02", "P03"]
    assert part["next"].endswith("?start=7&limit=2")
    unknown = scorer.get(f"{cup.path}standings/?stage=2")
    assert [item["code"] for item in unknown.json()["errors"]] == ["unknown_stage"]

    stage = cup.post("stages/next/")
    assert (stage["number"], stage["status"]) == (2, "running")
    assert scorer.delete(f"{cup.path}stages/next/").status_code == 204
    cup.post("stages/next/")
    assert cup.pair() == 4
    # The winner of a group meets the second of the other.
    assert sorted(cup.seated(4)) == [["P01", "P03"], ["P02", "P04"]]
    cup.play(4)
    cup.pair()
    cup.play(5)
    assert cup.ranks("ranking/")[:4] == [(1, "P01"), (2, "P02"), (3, "P03"), (3, "P04")]
    assert cup.ranks("standings/?stage=1&group=1")[0] == (1, "P01")


def test_a_plan_is_a_job_and_says_how_good_it_is(scorer: Program, people: People) -> None:
    """Sixteen at tables of four for three rounds: a plan without repeats exists (three of the five parallel classes of
    the affine plane of order 4)."""
    stages = [{"format": "fixed_schedule", "options": {"rounds": 3}}]
    cup = organise(scorer, people, stages, players=16, metric="places")
    answer = scorer.post(f"{cup.path}rounds/", {})
    assert answer.status_code == 202
    job = answer.json()
    assert (answer["Location"], job["kind"], job["state"]) == (job["url"], "pairing", "queued")
    assert cup.refused("rounds/") == ["pairing_goes_on"]
    assert cup.get()["pairing_job"]["id"] == job["id"]
    tournament_jobs.pair_job(job["id"])
    assert scorer.get(job["url"]).json()["state"] == "done"
    quality = cup.get("rounds/1/")["quality"]
    assert (quality["repeats"], quality["bound"], quality["is_proven"]) == (0, 0, True)
    assert "basis" not in quality


def test_many_rounds_are_published_by_a_job(scorer: Program, people: People) -> None:
    """Thirty who all meet play at 435 tables."""
    cup = organise(scorer, people, [{"format": "round_robin"}], players=30)
    cup.post("rounds/", status=201)
    answer = scorer.post(f"{cup.path}rounds/publish/", {})
    assert answer.status_code == 202
    job = answer.json()
    assert (answer["Location"], job["kind"], job["state"]) == (job["url"], "pairing", "queued")
    assert cup.refused("rounds/publish/") == ["pairing_goes_on"]
    tournament_jobs.pair_job(job["id"])
    assert scorer.get(job["url"]).json()["state"] == "done"
    assert cup.get("rounds/29/")["status"] == "published"


def test_a_plan_that_is_being_made_is_told_to_take_what_is_there(scorer: Program, people: People) -> None:
    """Seventeen at tables of five and four for six rounds: stopped before it began, it searches no further."""
    stages = [{"format": "fixed_schedule", "options": {"rounds": 6}}]
    cup = organise(scorer, people, stages, players=17, metric="places", table_size=5)
    assert cup.refused("rounds/stop/") == ["nothing_paired"]
    job = scorer.post(f"{cup.path}rounds/", {"draw": 3}).json()
    assert cup.post("rounds/stop/")["id"] == job["id"]
    tournament_jobs.pair_job(job["id"])
    assert scorer.get(job["url"]).json()["state"] == "done"
    assert cup.get("rounds/6/")["quality"]["is_reproducible"] is False


def test_a_large_round_is_mended_by_a_job_that_tells_what_would_change(
    scorer: Program, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four, as if that were many. P01 beat P03 and P02 beat P04, so that round 2 is P01-P02 and P03-P04; then P03 won,
    so that P02 and P03 are to meet.
    """
    cup = organise(scorer, people, [{"format": "swiss", "options": {"rounds": 3}}], players=4)
    cup.pair()
    cup.play(1)
    cup.pair()
    table = next(one for one in cup.get("rounds/1/")["tables"] if "P01" in str(one["seats"]))
    scores = [{"player": "P01", "place": 2}, {"player": "P03", "place": 1}]
    result = {"game": GAME, "scores": scores, "reason": "The other way round."}
    assert scorer.patch(f"{table['session']['url']}rounds/1/", result, If_Match="*").status_code == 200
    monkeypatch.setattr(tournament_rounds, "LARGEST_AT_ONCE", 3)
    path = f"{cup.path}rounds/2/mend/"
    unread = scorer.get(path)
    assert (unread.status_code, unread.json()["errors"][0]["code"]) == (409, "not_foreseen")
    answer = scorer.post(path, {"foresee": True})
    assert answer.status_code == 202
    assert answer["Location"] == answer.json()["url"]
    tournament_jobs.pair_job(answer.json()["id"])
    told = cup.get("rounds/2/mend/")
    assert told["version"] == cup.get()["version"]
    then = {frozenset(one["player"]["name"] for one in table["then"]) for table in told["tables"]}
    assert then == {frozenset({"P02", "P03"}), frozenset({"P01", "P04"})}
    assert sorted(cup.seated(2)) == [["P01", "P02"], ["P03", "P04"]]
    answer = scorer.post(path, {}, If_Match=f'"{told["version"]}"')
    assert answer.status_code == 202
    tournament_jobs.pair_job(answer.json()["id"])
    assert sorted(cup.seated(2)) == [["P01", "P04"], ["P02", "P03"]]
    assert cup.get("overtaken/")["results"] == []


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"stages": [{"format": "swiss"}]}, ("#/stages/0/options/rounds", "required")),
        ({"stages": [{"format": "swiss", "options": {"third_place": True}}]}, None),
        ({"stages": [{"format": "chess"}]}, ("#/stages/0/format", "invalid_choice")),
        ({"stages": []}, ("#/stages", "empty")),
        (
            {"stages": [{"format": "swiss", "options": {"surprise": 1}}]},
            ("#/stages/0/options/surprise", "unknown_field"),
        ),
        ({"scores": {"win": "1"}}, ("#/scores/win", "invalid")),
        ({"scores": {"win": 1, "draw": 2}}, ("#/scores/win", "order_of_points")),
        ({"game": "", "session_format": "series"}, ("#/game", "required")),
        ({"tie_breaks": ["wins", "wins"]}, ("#/tie_breaks", "invalid")),
        ({"season": "nowhere/2026"}, ("#/season", "unknown_season")),
    ],
)
@pytest.mark.one_database
def test_what_is_wrong_is_named(scorer: Program, change: Mapping[str, Any], place: tuple[str, str] | None) -> None:
    good = {
        "name": "Cup",
        "slug": "cup",
        "starts_on": "2026-12-05",
        "session_format": "series",
        "game": GAME,
        "stages": SWISS,
    }
    answer = scorer.post("tournaments/", {**good, **change})
    assert answer.status_code == 400
    if place is None:
        expected = {("#/stages/0/options/third_place", "unknown_option"), ("#/stages/0/options/rounds", "required")}
        assert set(places(answer)) == expected
    else:
        assert places(answer) == [place]


READ = ("", "entries/", "rounds/", "rounds/1/", "standings/", "ranking/", "cross-table/", "overtaken/", "bracket/")


@pytest.mark.one_database
def test_reading_takes_as_many_queries_for_many_players_as_for_few(scorer: Program, people: People) -> None:
    cup = organise(scorer, people, SWISS)
    many = [f"Q{number:02}" for number in range(1, 21)]
    Player.objects.bulk_create(Player(club=people.club, name=name, name_key=name_key(name)) for name in many)
    counts: list[dict[str, int]] = []
    for number in (1, 2):
        assert cup.pair() == number
        cup.play(number)
        counts.append({})
        for path in READ:
            with CaptureQueriesContext(connection) as queries:
                cup.get(path)
            counts[-1][path] = len(queries)
        cup.post("entries/", {"entries": [{"player": name} for name in many]}, 201) if number == 1 else None
    assert counts[0] == counts[1]
