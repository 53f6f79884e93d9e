"""What the tests of the services give and count."""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from django.db import connection

from league.models import BotMatch, Job, JobState, Season, Session, Standing
from league.scoring.problems import CODES
from league.services import bot_chunks, par, results
from league.services.results import RoundInput, ScoreInput, SeatInput, SessionInput
from tests.models.rows import all_models
from tests.people import NOW, People

EVENINGS = Path(__file__).parents[1] / "data" / "evenings"
SEASON = "monday-league/2026"
DAY = date(2026, 11, 30)
GAMES = ("xxl-1", "xxl-2", "xxl-3", "xxl-4", "xxl-5", "xxl-6")
# Confirms whatever looks odd, where a test is about something else.
ANYTHING = frozenset(code for code, entry in CODES.items() if entry.kind == "warning") | {
    "ends_early",
    "possible_duplicate",
}


def expected(name: str) -> Any:
    """The hand-worked `NAME.expected.json`."""
    return json.loads((EVENINGS / f"{name}.expected.json").read_text())


def evening(name: str) -> SessionInput:
    """The evening `NAME.json` as a client's border makes it."""
    data = json.loads((EVENINGS / f"{name}.json").read_text())
    return SessionInput(
        format=data["format"],
        played_on=date.fromisoformat(data["played_on"]),
        players=tuple(SeatInput(**seat) for seat in data["players"]),
        season=data["season"],
        repeats=data["repeats"],
        location=data["location"],
        rounds=tuple(
            RoundInput(game=one["game"], note=one["note"], scores=tuple(ScoreInput(**score) for score in one["scores"]))
            for one in data["rounds"]
        ),
        status=data["status"],
    )


def by_points(game: str, points: Mapping[str, int], note: str = "") -> RoundInput:
    """A round in which each named player got so many points."""
    return RoundInput(game, tuple(ScoreInput(name, points=value) for name, value in points.items()), note)


def by_places(game: str, places: Mapping[str, int]) -> RoundInput:
    """A round of which only the places are known."""
    return RoundInput(game, tuple(ScoreInput(name, place=value) for name, value in places.items()))


def series(*rounds: Mapping[str, int], planned: int | None = None, **fields: Any) -> SessionInput:
    """A series of 6+ by places: the shortest way to say who finished where. All players sit from the start."""
    given = [by_places("xxl-6-plus", places) for places in rounds]
    seats = tuple(SeatInput(name) for name in dict.fromkeys(name for places in rounds for name in places))
    given_fields: dict[str, Any] = {"players": seats, "played_on": DAY, "season": SEASON, **fields}
    return SessionInput(
        format="individual_xxl",
        planned_rounds=len(rounds) if planned is None else planned,
        rounds=tuple(given),
        **given_fields,
    )


def record(people: People, data: SessionInput, confirm: Iterable[str] = ANYTHING) -> Session:
    """Record as the scorekeeper of club A."""
    by = people.access(people.scorekeeper)
    return results.record(access=by, data=data, confirm=frozenset(confirm), now=NOW)


def places_of(session: Session) -> dict[str, tuple[int, int | None, str]]:
    """The stored results: name -> (place sum, place, reason)."""
    return {one.player.name: (one.place_sum, one.place, one.reason) for one in session.results.select_related("player")}


def rank_of(row: Standing) -> int | None:
    """The rank that `table` annotates."""
    return vars(row)["rank"]  # type: ignore[no-any-return]


def table(season: Season) -> list[tuple[int | None, str, int, int, int]]:
    """The season's table as stored: (rank, name, sessions, sum of places, wins) from the top."""
    season.refresh_from_db()
    return [
        (rank_of(row), row.player.name, row.sessions, row.place_total, row.wins)
        for row in Standing.objects.table(season)
    ]


def rows() -> dict[str, int]:
    """How many rows every table has, in one statement: some tests ask after each of a thousand requests."""
    counts = (
        f"SELECT '{model.__name__}', COUNT(*) FROM {connection.ops.quote_name(model._meta.db_table)}"  # noqa: S608
        for model in all_models()
    )
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(counts))
        return dict(cursor.fetchall())


def carry_out(match: BotMatch) -> None:
    """Play a bot match as one worker would that is called for each of its parts, once."""
    called: set[int] = set()
    while (part := Job.objects.filter(parent=match.job_id).exclude(pk__in=called).order_by("pk").first()) is not None:
        called.add(part.pk)
        bot_chunks.play(part.pk)


def play_par(job_id: int) -> None:
    """Play a job of par to its end, as workers would that are called again each time it has given way."""
    par.play(job_id)
    while Job.objects.get(pk=job_id).state == JobState.QUEUED:
        par.play(job_id)
