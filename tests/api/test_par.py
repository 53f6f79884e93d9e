"""Par of cooperative games by the API: listed, extended, beside the rounds of a session."""

from typing import Any

import pytest

from games.par import BOT, Configuration
from league.models import AuditEvent, Job, ParTally
from league.services import par
from tests.api.client import Program, places
from tests.people import People
from tests.services.given import play_par

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

# 200,000 games, more than of any other version: a fifth perfect, a tenth with 4 left, the rest with 10.
COUNTS = {"0": 40_000, "4": 20_000, "10": 140_000}


@pytest.fixture
def three() -> ParTally:
    """A par by hand for three at a table."""
    options = '{"minimum": 2, "short_hand": false}'
    return ParTally.objects.create(
        game="the-game", seats=3, options=options, bot=BOT, version="by hand", games=200_000, counts=COUNTS
    )


def test_the_list(reader: Program, three: ParTally) -> None:
    found = {(one["seats"], str(one["options"])): one for one in reader.get("par/").json()["results"]}
    own = found[3, str({"minimum": 2, "short_hand": False})]
    assert own == {
        "game": "the-game",
        "seats": 3,
        "options": {"minimum": 2, "short_hand": False},
        "bot": "planner",
        "budget": "cheap",
        "version": "by hand",
        "games": 200_000,
        "mean": 7.4,  # (20,000 * 4 + 140,000 * 10) / 200,000
        "perfect": 0.2,
        "counts": [
            {"result": 0, "games": 40_000},
            {"result": 4, "games": 20_000},
            {"result": 10, "games": 140_000},
        ],
    }


def _session(scorer: Program, game: str, points: dict[str, int]) -> Any:
    scores = [{"player": name, "points": value} for name, value in points.items()]
    body = {
        "format": "single_game",
        "played_on": "2026-11-30",
        "players": [{"player": name} for name in points],
        "rounds": [{"game": game, "scores": scores}],
        "status": "complete",
    }
    answer = scorer.post("sessions/", body)
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_beside_a_round(scorer: Program, three: ParTally) -> None:
    told = _session(scorer, "the-game", {"Ann": 4, "Ben": 4, "Cem": 4})
    par_of_round = {
        "share_beaten": 0.7,
        "games": 200_000,
        "options": {"minimum": 2, "short_hand": False},
        "bot": "planner",
        "budget": "cheap",
        "version": "by hand",
    }
    assert told["rounds"][0]["par"] == par_of_round
    assert scorer.get(told["url"]).json()["rounds"][0]["par"] == par_of_round
    assert scorer.get(f"{told['url']}rounds/").json()["results"][0]["par"] == par_of_round
    other = _session(scorer, "xxl-3", {"Ann": 10, "Ben": 20, "Cem": 30})
    assert other["rounds"][0]["par"] is None


def test_having_the_bot_play_on(people: People, admin: Program, scorer: Program) -> None:
    options = {"minimum": 3, "short_hand": True}
    configuration = Configuration.of("the-game", 1, options)
    assert configuration is not None
    games = par.games_here(configuration) + 2
    wanted = {"game": "the-game", "seats": 1, "options": options, "games": games}
    assert scorer.post("par/", wanted).status_code == 403
    answer = admin.post("par/", wanted)
    assert (answer.status_code, answer["Location"]) == (202, answer.json()["url"])
    told = answer.json()
    assert (told["kind"], told["state"], told["progress"]) == ("par", "queued", {"done": 0, "total": games})
    asked = AuditEvent.objects.get(action="par.requested")
    assert (asked.object_id, asked.data) == (told["id"], wanted)
    play_par(told["id"])
    assert admin.get(told["url"]).json()["state"] == "done"
    assert ParTally.objects.get().games == 2
    assert places(admin.post("par/", wanted)) == [("#/games", "games_already_there")]
    assert places(admin.post("par/", {**wanted, "seats": 6})) == [("#/seats", "max_value")]
    assert places(admin.post("par/", {**wanted, "options": {"start": 0}})) == [
        ("#/options/start", "option_not_allowed")
    ]
    assert Job.objects.count() == 1
