"""Report files by program: a tournament as one, and one as a tournament."""

from typing import Any

import pytest

from league.exchange import trf
from league.models import Player, Session, Tournament, TournamentFile
from league.services import players, tournament_entries, tournament_file_jobs, tournament_rounds, tournaments
from league.services.tournament_entries import EntryInput
from league.services.tournament_formats import StageInput
from tests.api.client import Program, places
from tests.people import NOW, People

pytestmark = pytest.mark.django_db

FILE = (
    "012 Town Open\n"
    "042 2026/11/28\n"
    "XXR 2\n"
    "001    1      Ann                                                                1.0    1     2 w 1\n"
    "001    2      Zoe                                                                0.0    2     1 b 0\n"
)
GIVEN = {"text": FILE, "game": "xxl-6-plus"}


def made(people: People, format_: str = "swiss") -> Tournament:
    """A tournament of Ann and Ben whose first round is published."""
    access = people.access(people.scorekeeper)
    fields = {
        "name": "Cup",
        "slug": "cup",
        "starts_on": NOW.date(),
        "session_format": "single_game",
        "game": "xxl-6-plus",
    }
    options = {"rounds": 3} if format_ != "single_elimination" else {}
    found = tournaments.create(access=access, fields=fields, stages=[StageInput(format_, options)], now=NOW)
    entries = tournament_entries.enter(
        access=access, tournament_id=found.pk, entries=[EntryInput(player=one) for one in ("Ann", "Ben")], now=NOW
    )
    order = [one.pk for one in entries]
    tournament_entries.seed_by_hand(access=access, tournament_id=found.pk, order=order, now=NOW)
    tournament_rounds.start(access=access, tournament_id=found.pk, now=NOW)
    tournament_rounds.pair(access=access, tournament_id=found.pk, now=NOW)
    tournament_rounds.publish(access=access, tournament_id=found.pk, number=1, now=NOW)
    return found


def test_a_tournament_as_a_file(reader: Program, people: People) -> None:
    answer = reader.get(f"tournaments/{made(people).pk}/trf/")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="cup.trf"'
    report = trf.read(answer.content.decode())
    assert (report.name, report.rounds, [one.name for one in report.players]) == ("Cup", 3, ["Ann", "Ben"])
    # Paired, and not played yet.
    assert [(one.entries[0].opponent, one.entries[0].result) for one in report.players if one.entries[0]] == [
        (2, ""),
        (1, ""),
    ]


def test_what_no_file_can_tell(reader: Program, people: People) -> None:
    cup = made(people, "single_elimination")
    answer = reader.get(f"tournaments/{cup.pk}/trf/")
    assert (answer.status_code, places(answer)) == (409, [("", "no_report")])
    assert reader.get(f"tournaments/{cup.pk}/trf/?stage=first").status_code == 400


def test_a_file_as_a_tournament(scorer: Program, people: People) -> None:
    answer = scorer.post("tournaments/trf/", GIVEN)
    assert answer.status_code == 201, answer.content
    told = answer.json()
    cup = Tournament.objects.get()
    assert answer["Location"] == told["url"] == f"/api/v1/clubs/herzclub/tournaments/{cup.pk}/"
    assert (told["name"], told["slug"], told["format"], told["planned_rounds"], told["rounds"], told["tables"]) == (
        *("Town Open", "town-open", "swiss"),
        *(2, 1, 1),
    )
    assert told["matched"] == [{"name": "Ann", "player": {"id": people.players[0].pk, "name": "Ann"}}]
    assert (told["guests"], told["withdrawn"], told["warnings"]) == (["Zoe"], [], [])
    assert scorer.get(told["url"]).json()["status"] == "running"
    assert Session.objects.get().table.round.tournament == cup  # type: ignore[union-attr]


def test_a_preview_stores_nothing(scorer: Program, people: People) -> None:
    players = Player.objects.count()
    answer = scorer.post("tournaments/trf/", {**GIVEN, "preview": True})
    assert (answer.status_code, answer.json()["url"], answer.json()["guests"]) == (200, None, ["Zoe"])
    assert (Tournament.objects.count(), Player.objects.count()) == (0, players)


def test_it_is_made_once_a_key(scorer: Program, people: People) -> None:
    first = scorer.post("tournaments/trf/", GIVEN, Idempotency_Key="file-1")
    again = scorer.post("tournaments/trf/", GIVEN, Idempotency_Key="file-1")
    assert (first.status_code, again.json()) == (201, first.json())
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({"text": "nothing"}, [("#/text/012", "trf_missing"), ("#/text/001", "trf_missing")]),
        ({"text": FILE.replace(" w 1", " w 5")}, [("#/text/4/result", "trf_not_read")]),
        ({"text": FILE.replace("11/28", "12/28")}, [("#/text/042", "in_the_future")]),
        ({"text": ""}, [("#/text", "blank")]),
        ({"text": ["012"]}, [("#/text", "invalid")]),
        ({"game": "canasta"}, [("#/game", "unknown_game")]),
        ({"format": "stepladder"}, [("#/format", "invalid_choice")]),
        ({"confirm": ["anything"]}, [("#/confirm", "unknown_code")]),
        ({"preview": "yes"}, [("#/preview", "invalid")]),
        ({"rounds": 3}, [("#/rounds", "unknown_field")]),
    ],
)
def test_what_is_wrong(scorer: Program, changes: dict[str, Any], errors: list[tuple[str, str]]) -> None:
    answer = scorer.post("tournaments/trf/", {**GIVEN, **changes})
    assert answer.status_code == 400
    assert places(answer) == errors
    assert not Tournament.objects.exists()


def test_points_that_are_none_of_the_results(scorer: Program) -> None:
    odd = {**GIVEN, "text": FILE.replace("1.0    1", "7.0    1")}
    answer = scorer.post("tournaments/trf/", odd)
    assert (answer.status_code, answer.json()["confirm"]) == (422, ["points_differ"])
    assert [one["pointer"] for one in answer.json()["warnings"]] == ["#/text/4/points"]
    told = scorer.post("tournaments/trf/", {**odd, "preview": True}).json()
    assert [one["code"] for one in told["warnings"]] == ["points_differ"]
    assert scorer.post("tournaments/trf/", {**odd, "confirm": ["points_differ"]}).status_code == 201


def test_readers_bring_nothing_in(reader: Program) -> None:
    assert reader.post("tournaments/trf/", GIVEN).status_code == 403


# --- Large files are jobs ---------------------------------------------------------------------------------------------


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two players and their table are many."""
    monkeypatch.setattr(tournament_file_jobs, "AT_ONCE", 2)


def worked(told: Any) -> None:
    tournament_file_jobs.take_file(told["job"]["id"])


@pytest.mark.usefixtures("large")
def test_a_large_file_is_a_job(scorer: Program, people: People) -> None:
    answer = scorer.post("tournaments/trf/", GIVEN)
    assert answer.status_code == 202, answer.content
    asked = answer.json()
    assert answer["Location"] == asked["url"]
    assert (asked["preview"], asked["problems"], asked["confirm"], asked["outcome"]) == (False, [], [], None)
    assert (asked["job"]["kind"], asked["job"]["state"]) == ("tournament_file", "queued")
    assert scorer.get(asked["url"]).json() == asked
    assert not Tournament.objects.exists()
    worked(asked)
    done = scorer.get(asked["url"]).json()
    assert done["job"]["state"] == "done"
    assert done["job"]["progress"]["done"] == done["job"]["progress"]["total"]
    told, cup = done["outcome"], Tournament.objects.get()
    assert told["url"] == f"/api/v1/clubs/herzclub/tournaments/{cup.pk}/"
    assert told["matched"] == [{"name": "Ann", "player": {"id": people.players[0].pk, "name": "Ann"}}]
    assert (told["name"], told["slug"], told["format"], told["planned_rounds"], told["rounds"], told["tables"]) == (
        *("Town Open", "town-open", "swiss"),
        *(2, 1, 1),
    )
    assert (told["guests"], told["withdrawn"], told["warnings"]) == (["Zoe"], [], [])
    # Just as a small one is told of.
    assert scorer.get(told["url"]).json()["status"] == "running"


@pytest.mark.usefixtures("large")
def test_a_large_file_is_previewed_by_a_job(scorer: Program) -> None:
    count = Player.objects.count()
    answer = scorer.post("tournaments/trf/", {**GIVEN, "preview": True})
    assert (answer.status_code, answer.json()["preview"]) == (202, True)
    worked(answer.json())
    told = scorer.get(answer["Location"]).json()["outcome"]
    assert (told["url"], told["guests"], told["tables"]) == (None, ["Zoe"], 1)
    assert (Tournament.objects.count(), Player.objects.count()) == (0, count)


@pytest.mark.usefixtures("large")
def test_a_large_file_is_asked_for_once_a_key(scorer: Program) -> None:
    first = scorer.post("tournaments/trf/", GIVEN, Idempotency_Key="file-1")
    again = scorer.post("tournaments/trf/", GIVEN, Idempotency_Key="file-1")
    assert (first.status_code, again.status_code, again.json()) == (202, 202, first.json())
    assert again["Location"] == first["Location"]
    assert TournamentFile.objects.count() == 1


@pytest.mark.usefixtures("large")
def test_the_job_of_a_large_file_is_cancelled(scorer: Program, reader: Program, stranger: Program) -> None:
    asked = scorer.post("tournaments/trf/", GIVEN).json()
    assert (reader.get(asked["url"]).status_code, reader.delete(asked["url"]).status_code) == (403, 403)
    assert (stranger.get(asked["url"]).status_code, stranger.delete(asked["url"]).status_code) == (404, 404)
    assert scorer.delete(asked["url"]).status_code == 204
    worked(asked)
    assert scorer.get(asked["url"]).json()["job"]["state"] == "cancelled"
    assert not Tournament.objects.exists()
    over = scorer.post("tournaments/trf/", GIVEN).json()
    worked(over)
    answer = scorer.delete(over["url"])
    assert (answer.status_code, places(answer)) == (409, [("", "job_over")])
    assert scorer.get("tournaments/trf/999999/").status_code == 404


@pytest.mark.usefixtures("large")
def test_what_is_wrong_in_a_large_file_is_told_at_once_or_by_its_job(scorer: Program, people: People) -> None:
    at_once = scorer.post("tournaments/trf/", {**GIVEN, "text": FILE.replace(" w 1", " w 5")})
    assert (at_once.status_code, places(at_once)) == (400, [("#/text/4/result", "trf_not_read")])
    asked = scorer.post("tournaments/trf/", GIVEN).json()
    access, ann = people.access(people.owner), people.players[0].pk
    players.update(access=access, player_id=ann, changes={"archived": True}, now=NOW)
    worked(asked)
    told = scorer.get(asked["url"]).json()
    assert (told["job"]["state"], told["outcome"], told["confirm"]) == ("failed", None, [])
    assert [(one["pointer"], one["code"]) for one in told["problems"]] == [("#/text/4/name", "player_archived")]


@pytest.mark.usefixtures("large")
def test_odd_points_of_a_large_file_have_to_be_confirmed(scorer: Program) -> None:
    odd = {**GIVEN, "text": FILE.replace("1.0    1", "7.0    1")}
    asked = scorer.post("tournaments/trf/", odd).json()
    worked(asked)
    told = scorer.get(asked["url"]).json()
    assert (told["job"]["state"], told["confirm"]) == ("failed", ["points_differ"])
    assert [(one["pointer"], one["code"]) for one in told["problems"]] == [("#/text/4/points", "points_differ")]
    again = scorer.post("tournaments/trf/", {**odd, "confirm": ["points_differ"]}).json()
    worked(again)
    told = scorer.get(again["url"]).json()
    assert (told["job"]["state"], told["problems"], told["confirm"]) == ("done", [], [])
    assert [one["code"] for one in told["outcome"]["warnings"]] == ["points_differ"]
