"""Bot matches by the API: options and formats, progress and results, cancelling, trying again, deals and records."""

from datetime import UTC, datetime, timedelta
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.record import Record
from league.models import BotMatch, BotMatchChunk, Job, JobState
from league.services import bot_chunks
from league.services.jobs import claim
from tests.api.client import Program, places
from tests.people import NOW, People
from tests.services.given import carry_out

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

ROBOTS = ["Robo 1", "Robo 2", "Robo 3"]


@pytest.fixture(autouse=True)
def robots(people: People, scorer: Program) -> None:
    for name in ROBOTS:
        assert scorer.post("players/", {"name": name, "kind": "bot", "bot": "random"}).status_code == 201


def ask(its: Program, **fields: Any) -> dict[str, Any]:
    answer = its.post("bot-matches/", {"game": "xxl-6", "players": ROBOTS, "seed": 7, **fields})
    assert answer.status_code == 202, answer.content
    told: dict[str, Any] = answer.json()
    assert answer["Location"] == told["url"]
    return told


def played(its: Program, **fields: Any) -> dict[str, Any]:
    told = ask(its, **fields)
    carry_out(BotMatch.objects.get(pk=told["id"]))
    done: dict[str, Any] = its.get(told["url"]).json()
    assert (done["state"], done["error"]) == ("done", "")
    return done


def test_what_is_left_out_is_the_usual(scorer: Program) -> None:
    pure = scorer.post("bot-matches/", {"players": ROBOTS}).json()
    assert (pure["format"], pure["game"], pure["deals"], pure["options"]) == ("pure_xxl", "", 6, {})
    one = ask(scorer)
    assert (one["format"], one["game"], one["deals"]) == ("single_game", "xxl-6", 1)
    several = ask(scorer, deals=100_000, options={"dealer": 1}, deadline="2026-12-24T20:00:00+02:00")
    assert (several["format"], several["deals"]) == ("individual_xxl", 100_000)
    assert several["options"] == {"dealer": 1}
    # One moment by another clock.
    assert datetime.fromisoformat(several["deadline"]) == datetime(2026, 12, 24, 18, tzinfo=UTC)
    assert ask(scorer, game="the-game", deals=2)["format"] == "series"
    assert timedelta(hours=23) < datetime.fromisoformat(one["deadline"]) - NOW < timedelta(hours=25)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"game": ""}, ("#/game", "invalid_choice")),
        ({"format": "pure_xxl"}, ("#/game", "game_not_allowed")),
        ({"format": "series", "deals": 3}, ("#/format", "format_not_fitting")),
        ({"format": "single_game", "deals": 3}, ("#/format", "format_not_fitting")),
        ({"options": {"luck": 1}}, ("#/options/luck", "option_not_allowed")),
        ({"options": {"dealer": 3}}, ("#/options/dealer", "option_not_allowed")),
        ({"options": {"dealer": True}}, ("#/options/dealer", "option_not_allowed")),
        ({"options": {"dealer": [1]}}, ("#/options/dealer", "option_not_allowed")),
        ({"options": {"dealer": [[1]]}}, ("#/options/dealer", "invalid")),
        # Each hand as large as one may be, and more cards together than the deck has.
        ({"game": "und-tschuess", "options": {"hand_size": 10**6}}, ("#/options/hand_size", "option_not_allowed")),
        ({"options": {"dealer": 10**20}}, ("#/options/dealer", "option_not_allowed")),
        ({"options": {"dealer": -(10**20)}}, ("#/options/dealer", "option_not_allowed")),
        ({"options": {"dealer": 1.0}}, ("#/options/dealer", "invalid")),
        ({"options": []}, ("#/options", "not_a_dict")),
        ({"options": {str(n): 1 for n in range(21)}}, ("#/options", "too_many")),
        ({"deadline": "2026-11-30T00:00:00Z"}, ("#/deadline", "out_of_range")),
        ({"deadline": "2027-01-30T00:00:00Z"}, ("#/deadline", "out_of_range")),
        ({"deadline": "tomorrow"}, ("#/deadline", "invalid")),
    ],
)
def test_refused_with_the_field_named(scorer: Program, change: dict[str, Any], place: tuple[str, str]) -> None:
    with time_machine.travel(NOW):
        answer = scorer.post("bot-matches/", {"game": "xxl-6", "players": ROBOTS, **change})
    assert answer.status_code == 400
    assert place in places(answer)
    assert not BotMatch.objects.exists()


def test_pure_xxl_has_six_deals_or_twelve(scorer: Program) -> None:
    answer = scorer.post("bot-matches/", {"players": ROBOTS, "deals": 7})
    assert places(answer) == [("#/deals", "out_of_range")]
    done = scorer.post("bot-matches/", {"players": ROBOTS, "deals": 12, "seed": 3}).json()
    carry_out(BotMatch.objects.get(pk=done["id"]))
    done = scorer.get(done["url"]).json()
    sheet = scorer.get(done["session"]["url"]).json()
    assert (sheet["format"], [one["game"] for one in sheet["rounds"]]) == (
        "pure_xxl",
        [f"xxl-{n}" for n in range(1, 7)] * 2,
    )
    # Scores of six games are no sum of anything; places are.
    assert [seat["score"] for seat in done["results"]["seats"]] == [None] * 3


def test_results_are_those_of_the_deals(scorer: Program) -> None:
    """Averages and intervals, worked out from the list of deals by the textbook."""
    done = played(scorer, deals=10)
    deals = scorer.get(f"{done['url']}deals/").json()["results"]
    results = done["results"]
    assert results["deals"] == len(deals) == 10
    for seat, row in enumerate(results["seats"]):
        its_places = [deal["places"][seat] for deal in deals]
        assert row["player"]["name"] == ROBOTS[seat]
        assert row["score"] == pytest.approx(fmean(deal["scores"][seat] for deal in deals))
        assert row["place"] == pytest.approx(fmean(its_places))
        # Student's t for nine degrees of freedom, two-sided 95 %: 2.262 in every table.
        assert row["margin"] == pytest.approx(2.262 * stdev(its_places) / sqrt(10), abs=0.001)
        assert row["wins"] == its_places.count(1) / 10
    assert sum(one["deals"] for one in results["ends"]) == 10
    assert results["table_results"] == []


def test_results_of_a_cooperative_game_are_a_distribution(scorer: Program) -> None:
    done = played(scorer, game="the-game", deals=5)
    deals = scorer.get(f"{done['url']}deals/").json()["results"]
    left = [deal["scores"][0] for deal in deals]
    assert [deal["places"] for deal in deals] == [None] * 5
    assert done["results"]["table_results"] == [
        {"result": result, "deals": left.count(result)} for result in sorted(set(left))
    ]
    for row in done["results"]["seats"]:
        assert (row["place"], row["margin"], row["wins"]) == (None, None, None)
        assert row["score"] == pytest.approx(fmean(left))


def test_one_deal_has_no_interval(scorer: Program) -> None:
    assert [seat["margin"] for seat in played(scorer)["results"]["seats"]] == [None] * 3


def test_progress_counts_what_is_under_way(scorer: Program) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        told = ask(scorer, deals=200)
        assert (told["estimated_end"], told["results"]) == (None, None)
        part = BotMatch.objects.get().job.parts.order_by("pk")[0]
        held = claim(job_id=part.pk, now=NOW)
        assert held
        assert scorer.get(told["url"]).json()["estimated_end"] is None
        clock.shift(timedelta(seconds=10))
        held.progress(done=50, now=NOW + timedelta(seconds=10))
        now = scorer.get(told["url"]).json()
        assert (now["state"], now["progress"]) == ("running", {"done": 50, "total": 200})
        # 50 deals took 10 seconds, so that the other 150 take 30.
        assert datetime.fromisoformat(now["estimated_end"]) == NOW + timedelta(seconds=40)
        assert now["estimated_end"][-6:] == now["created_at"][-6:]
        for path in ("bot-matches/", "jobs/"):
            (line,) = scorer.get(path).json()["results"]
            assert line["progress"] == {"done": 50, "total": 200}, path


def test_cancelled_once_or_twice(scorer: Program, people: People) -> None:
    told = ask(scorer, deals=200)
    for _time in (1, 2):
        answer = scorer.delete(told["url"])
        assert (answer.status_code, answer.content) == (204, b"")
    now = scorer.get(told["url"]).json()
    assert (now["state"], now["session"], now["results"]) == ("cancelled", None, None)
    assert not Job.objects.exclude(pk=BotMatch.objects.get().job_id).exists()
    again = scorer.post(f"{told['url']}retry/", {})
    assert (again.status_code, again["Location"], again.json()["state"]) == (202, told["url"], "queued")
    carry_out(BotMatch.objects.get())
    done = scorer.get(told["url"]).json()
    assert (done["state"], done["progress"]) == ("done", {"done": 200, "total": 200})
    for answer in (scorer.delete(told["url"]), scorer.post(f"{told['url']}retry/", {})):
        assert answer.status_code == 409
        assert answer.json()["errors"][0]["code"] in {"job_over", "bot_match_not_failed"}


def test_a_failed_match_says_why_and_goes_on_from_where_it_stood(scorer: Program) -> None:
    told = ask(scorer, deals=200)
    first, second = BotMatch.objects.get().job.parts.order_by("pk").values_list("pk", flat=True)
    bot_chunks.play(first)
    held = claim(job_id=second, now=NOW)
    assert held
    held.fail(error="Out of cards.", trace="Traceback: /srv/secret", now=NOW)
    failed = scorer.get(told["url"])
    assert (failed.json()["state"], failed.json()["error"]) == ("failed", "Out of cards.")
    assert failed.json()["results"]["deals"] == 100
    assert b"secret" not in failed.content
    assert b"secret" not in scorer.get("jobs/").content
    again = scorer.post(f"{told['url']}retry/", {}).json()
    assert (again["state"], again["progress"], again["error"]) == ("queued", {"done": 100, "total": 200}, "")


def test_a_job_is_cancelled(scorer: Program) -> None:
    told = ask(scorer)
    (job,) = scorer.get("jobs/").json()["results"]
    for _time in (1, 2):
        answer = scorer.post(f"{job['url']}cancel/", {})
        assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
    assert scorer.get(told["url"]).json()["state"] == "cancelled"
    Job.objects.update(kind="import", state=JobState.QUEUED)
    refused = scorer.post(f"{job['url']}cancel/", {})
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (409, "job_not_cancellable")


def test_deals_come_page_by_page_with_their_records(scorer: Program) -> None:
    done = played(scorer, deals=5, options={"dealer": 2})
    seen, path = [], f"{done['url']}deals/?limit=2"
    while path:
        page = scorer.get(path).json()
        assert len(page["results"]) <= 2
        seen += page["results"]
        path = page["next"]
    assert [deal["number"] for deal in seen] == [1, 2, 3, 4, 5]
    assert seen[0]["seed"] == 7
    assert len({deal["seed"] for deal in seen}) == 5
    for deal in seen:
        assert (deal["game"], deal["record"], deal["options"]["dealer"]) == ("xxl-6", "kept", 2)
        told = scorer.get(f"{done['url']}deals/{deal['number']}/").json()
        assert told["number"] == deal["number"]
        outcome = Record.from_json(told["record"]).replay().outcome()
        assert outcome is not None
        assert [list(outcome.scores), list(outcome.places or ()), outcome.reason] == [
            deal["scores"],
            deal["places"],
            deal["end"],
        ]
    for number in (6, 10**6):
        assert scorer.get(f"{done['url']}deals/{number}/").status_code == 404
    assert scorer.get(f"{done['url']}deals/?first=6").json() == {"results": [], "next": None}


def test_deals_without_a_record(scorer: Program) -> None:
    told = ask(scorer, deals=150)
    first = BotMatch.objects.get().job.parts.order_by("pk").first()
    assert first
    bot_chunks.play(first.pk)
    page = scorer.get(f"{told['url']}deals/?first=100&limit=2").json()["results"]
    assert [(deal["number"], deal["record"]) for deal in page] == [(100, "kept"), (101, "not_played")]
    assert (page[1]["scores"], page[1]["places"], page[1]["end"]) == (None, None, None)
    BotMatchChunk.objects.update(records=None)
    (dropped,) = scorer.get(f"{told['url']}deals/?limit=1").json()["results"]
    assert (dropped["record"], dropped["scores"]) == ("dropped", None)
    for number, code in ((1, "deal_dropped"), (101, "deal_not_played")):
        answer = scorer.get(f"{told['url']}deals/{number}/")
        assert (answer.status_code, answer.json()["errors"][0]["code"]) == (409, code)


def test_lists_and_pages_of_deals_take_as_many_statements_for_many_as_for_few(scorer: Program) -> None:
    def statements(path: str) -> list[str]:
        scorer.get(path)
        with CaptureQueriesContext(connection) as captured:
            assert scorer.get(path).status_code == 200
        return [one["sql"] for one in captured]

    few = played(scorer, deals=1)
    of_list, of_deals, of_one = (statements(path) for path in ("bot-matches/", f"{few['url']}deals/", few["url"]))
    many = played(scorer, deals=250)
    for _time in range(3):
        ask(scorer, deals=500)
    assert len(statements("bot-matches/")) == len(of_list)
    assert len(statements(f"{many['url']}deals/?first=90&limit=100")) == len(of_deals)
    assert len(statements(many["url"])) == len(of_one)
    for path in ("bot-matches/", "jobs/", many["url"]):
        assert not [sql for sql in statements(path) if '"records"' in sql], path


def test_more_matches_than_the_server_allows(scorer: Program, settings: Any) -> None:
    settings.BOT_MATCHES_OPEN = 1
    first = ask(scorer)
    refused = scorer.post("bot-matches/", {"game": "xxl-6", "players": ROBOTS})
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (409, "too_many_bot_matches")
    assert scorer.delete(first["url"]).status_code == 204
    assert ask(scorer)["state"] == "queued"


def test_damaged_moves_are_told(scorer: Program) -> None:
    match = played(scorer, deals=2)
    BotMatchChunk.objects.update(records=b"what?")
    deals = scorer.get(f"{match['url']}deals/").json()["results"]
    assert [(deal["record"], deal["scores"]) for deal in deals] == [("damaged", None)] * 2
    answer = scorer.get(f"{match['url']}deals/1/")
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (409, "deal_damaged")
