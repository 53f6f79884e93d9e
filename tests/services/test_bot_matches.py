"""Bot matches: asked for, played by the task, stored through the one door of every result."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from django.utils import timezone

from games.bots.randomly import RandomBot
from games.catalog import GAMES, GameInfo
from games.core import Move, Playthrough
from games.record import Record
from league.models import (
    AuditEvent,
    BotMatch,
    BotMatchSeat,
    Job,
    JobState,
    Player,
    Round,
    SeasonStatus,
    Session,
    SessionResult,
)
from league.models.sheets import score_sheet
from league.services import bot_chunks, bot_matches, jobs
from league.services.bot_matches import BotMatchInput
from league.services.errors import Conflict, Forbidden, InputError
from tests.people import NOW, People
from tests.services.given import SEASON, carry_out, places_of, rows, table

pytestmark = pytest.mark.django_db

ROBOTS = ("Robo 1", "Robo 2", "Robo 3", "Robo 4", "Robo 5", "Robo 6")
TABLES = [(info, seats) for info in GAMES.values() for seats in (info.min_players, info.max_players)]
each_table = pytest.mark.parametrize(
    ("info", "seats"), TABLES, ids=[f"{info.key} with {seats}" for info, seats in TABLES]
)


def make_robots(people: People, count: int = 4) -> list[Player]:
    """Bots that play at random."""
    return [Player.objects.create(club=people.club, name=name, kind="bot", bot="random") for name in ROBOTS[:count]]


def ask(people: People, **fields: Any) -> BotMatch:
    """Ask for a match of the four robots as the scorekeeper."""
    data = replace(BotMatchInput(game="xxl-6", players=ROBOTS[:4], seed=55), **fields)
    return bot_matches.request(access=people.access(people.scorekeeper), data=data, now=NOW)


def _records(match: BotMatch) -> list[Record]:
    """The record of each deal of a match that was played."""
    found = [bot_matches.played_back(match, deal) for deal in range(match.deals)]
    return [Record.of(one) for one in found if isinstance(one, Playthrough)]


def _results() -> list[tuple[Any, ...]]:
    """All that matches left, without ids."""
    return [
        (
            match.game,
            match.seed,
            _records(match),
            list(match.session.rounds.order_by("number").values_list("number", "game")) if match.session else None,
            list(
                Round.objects.filter(session=match.session)
                .order_by("number", "scores__player__name")
                .values_list("number", "scores__player__name", "scores__points", "scores__place")
            ),
        )
        for match in BotMatch.objects.order_by("pk")
    ]


def test_what_is_asked_for_is_written_down(people: People) -> None:
    make_robots(people)
    match = ask(people, deals=3, season=SEASON)
    assert (match.job.state, match.job.total, match.job.done, match.job.attempt) == (JobState.QUEUED, 3, 0, 0)
    assert match.job.user == people.scorekeeper
    assert (match.season, match.deals, match.played_on, match.session) == (people.season, 3, NOW.date(), None)
    assert list(match.seats.values_list("number", "player__name")) == list(enumerate(ROBOTS[:4]))
    assert not Session.objects.exists()


def test_a_match_of_one_deal(people: People) -> None:
    make_robots(people)
    match = ask(people, season=SEASON)
    carry_out(match)
    match.refresh_from_db()
    job = match.job
    assert (job.state, job.done, job.error, job.lease_until) == (JobState.DONE, 1, "", None)
    session = Session.objects.get()
    assert match.session == session
    assert (session.format, session.status, session.counts, session.created_by) == (
        "single_game",
        "complete",
        True,
        people.scorekeeper,
    )
    assert [column.player.name for column in score_sheet(session).players] == list(ROBOTS[:4])
    assert AuditEvent.objects.filter(action="session.recorded").count() == 1
    assert {row[1] for row in table(people.season)} == set(ROBOTS[:4])
    assert sum(row[4] for row in table(people.season)) >= 1


def test_a_series_is_one_session(people: People) -> None:
    make_robots(people, 3)
    match = ask(people, players=ROBOTS[:3], deals=7)
    carry_out(match)
    session = Session.objects.get()
    assert (session.format, session.planned_rounds, session.rounds.count()) == ("individual_xxl", 7, 7)
    match.refresh_from_db()
    assert match.job.done == 7
    # The dealer moves one seat to the left each game, from the last seat on.
    assert [record.options["dealer"] for record in _records(match)] == [2, 0, 1, 2, 0, 1, 2]
    assert len({record.seed for record in _records(match)}) == 7
    assert _records(match)[0].seed == 55


@each_table
@pytest.mark.parametrize("deals", [1, 5])
def test_records_replay_to_what_is_stored(people: People, info: GameInfo, seats: int, deals: int) -> None:
    """Points, places and how each round ended, for every game at its smallest and its largest table."""
    make_robots(people, seats)
    names = ROBOTS[:seats]
    match = ask(people, game=info.key, players=names, deals=deals, season=SEASON)
    carry_out(match)
    match.refresh_from_db()
    assert (match.job.state, match.job.error) == (JobState.DONE, "")
    session = match.session
    assert session is not None
    several = "individual_xxl" if info.family == "xxl" else "series"
    assert (session.format, session.status) == ("single_game" if deals == 1 else several, "complete")
    records = _records(match)
    assert len(records) == session.rounds.count() == deals
    for number, record in enumerate(records, start=1):
        outcome = record.replay().outcome()
        assert outcome is not None
        played = session.rounds.get(number=number)
        assert played.note == (outcome.reason if outcome.reason in info.notes else "")
        assert played.confirmed == []
        stored = {name: (points, place) for name, points, place in _scores(played)}
        places = outcome.places or (None,) * seats
        assert [stored[name] for name in names] == list(zip(outcome.scores, places, strict=True))
    # A table that plays together has no places, and nothing that a season could count.
    assert session.counts is not info.cooperative
    assert {row[1] for row in table(people.season)} == (set() if info.cooperative else set(names))
    assert {place is None for _sum, place, _reason in places_of(session).values()} == {info.cooperative}


def _scores(played: Round) -> list[tuple[str, int | None, int | None]]:
    return list(played.scores.values_list("player__name", "points", "place"))


@pytest.mark.parametrize(("game", "note"), [("xxl-1", "draw_pile_ran_out"), ("xxl-3", "early_end")])
def test_how_a_round_ended_is_its_note(people: People, game: str, note: str) -> None:
    """Random bots let the pile run out, and leave somebody without a card to lead, in some of thirty games."""
    make_robots(people, 6)
    carry_out(ask(people, game=game, players=ROBOTS, deals=30))
    assert set(Session.objects.get().rounds.values_list("note", flat=True)) == {"", note}


def test_the_same_seed_gives_the_same_match(people: People) -> None:
    make_robots(people)
    for seed in (55, 55, 56):
        carry_out(ask(people, deals=3, seed=seed))
    one, same, other = _results()
    assert one == same
    assert one[2:] != other[2:]


def test_no_seed_draws_one(people: People) -> None:
    make_robots(people)
    seeds = {ask(people, seed=None).seed for _ in range(3)}
    assert len(seeds) == 3
    assert all(0 <= seed <= bot_matches.MAXIMUM_SEED for seed in seeds)


def test_the_largest_match(people: People) -> None:
    make_robots(people)
    match = ask(people, deals=100, seed=bot_matches.MAXIMUM_SEED)
    carry_out(match)
    match.refresh_from_db()
    assert match.job.state == JobState.DONE
    assert len(_records(match)) == 100
    assert {place for _sum, place, _reason in places_of(Session.objects.get()).values()} >= {1}


def test_bots_that_think_long_keep_their_job(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """One deal of four bots with twelve moves each at 5 seconds: four minutes, where a lease lasts one."""
    make_robots(people)
    match, seconds = ask(people), 0
    part = match.job.parts.get()

    class Thinker(RandomBot):
        def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
            nonlocal seconds
            seconds += 5
            assert jobs.claim(job_id=part.pk, now=timezone.now()) is None
            return super().choose(view, legal, rng)

    monkeypatch.setattr("games.series.BOTS", {"random": lambda game: Thinker()})
    monkeypatch.setattr(timezone, "now", lambda: NOW + timedelta(seconds=seconds))
    carry_out(match)
    match.refresh_from_db()
    assert seconds == 240
    assert (match.job.state, match.job.done) == (JobState.DONE, 1)


def test_a_job_that_is_over_is_not_played_again(people: People) -> None:
    make_robots(people)
    match = ask(people)
    part = match.job.parts.get()
    carry_out(match)
    before = rows()
    carry_out(match)
    bot_chunks.play(part.pk)
    bot_chunks.play(10**9)  # a job of another life
    assert rows() == before


@pytest.mark.parametrize(
    ("fields", "path", "code"),
    [
        ({"game": "skat"}, ("game",), "no_engine"),
        ({"deals": 0}, ("deals",), "out_of_range"),
        ({"deals": 100_001}, ("deals",), "out_of_range"),
        ({"seed": -1}, ("seed",), "out_of_range"),
        ({"seed": 2**53}, ("seed",), "out_of_range"),
        ({"players": ROBOTS[:1]}, ("players",), "players_out_of_range"),
        ({"game": "und-tschuess", "players": ROBOTS[:2]}, ("players",), "players_out_of_range"),
        ({"game": "the-game", "players": ROBOTS}, ("players",), "players_out_of_range"),
        ({"players": ()}, ("players",), "players_out_of_range"),
        ({"players": ("Robo 1", "Robo 9")}, ("players", 1), "unknown_player"),
        ({"players": ("Robo 1", "Ann")}, ("players", 1), "not_a_bot"),
        ({"players": ("Robo 1", "ROBO 1")}, ("players", 1), "player_twice"),
        ({"season": "monday-league/1999"}, ("season",), "unknown_season"),
        ({"played_on": NOW.date() + timedelta(days=2)}, ("played_on",), "in_the_future"),
        ({"season": SEASON, "played_on": date(2026, 8, 31)}, ("played_on",), "outside_season"),
    ],
)
def test_refused_matches(people: People, fields: dict[str, Any], path: tuple[str | int, ...], code: str) -> None:
    make_robots(people)
    before = rows()
    with pytest.raises(InputError) as caught:
        ask(people, **fields)
    assert [(problem.path, problem.code) for problem in caught.value.problems] == [(path, code)]
    assert rows() == before


def test_another_clubs_bot_is_unknown(people: People) -> None:
    make_robots(people)
    foreign = Player.objects.create(club=people.other_club, name="Robo X", kind="bot", bot="random")
    with pytest.raises(InputError) as caught:
        ask(people, players=("Robo 1", foreign.pk))
    assert [problem.code for problem in caught.value.problems] == ["unknown_player"]


def test_who_may_ask(people: People) -> None:
    make_robots(people)
    with pytest.raises(Forbidden):
        bot_matches.request(
            access=people.access(people.member), data=BotMatchInput(game="xxl-6", players=ROBOTS[:4]), now=NOW
        )
    people.season.status = SeasonStatus.CLOSED
    people.season.save()
    with pytest.raises(Conflict):
        ask(people, season=SEASON)
    assert not BotMatchSeat.objects.exists()


def test_a_season_closed_meanwhile_fails_the_job_with_a_sentence(people: People) -> None:
    make_robots(people)
    match = ask(people, season=SEASON)
    people.season.status = SeasonStatus.CLOSED
    people.season.save()
    carry_out(match)
    job = Job.objects.get()
    assert (job.state, job.error) == (JobState.FAILED, "The season “2026” is closed.")
    assert job.finished_at is not None
    assert not Session.objects.exists()
    assert not SessionResult.objects.exists()


def test_a_bot_archived_meanwhile_fails_the_job_with_a_sentence(people: People) -> None:
    robots = make_robots(people)
    match = ask(people)
    robots[2].archived_at = NOW
    robots[2].save()
    carry_out(match)
    job = Job.objects.get()
    assert job.state == JobState.FAILED
    assert "No active player of this club" in job.error
    assert "Traceback" not in job.error
