"""Bot matches: asked for, played by the task, stored through the one door of every result."""

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from django.utils import timezone, translation
from django.utils.translation import gettext

from games.bots.randomly import RandomBot
from games.catalog import GAMES, GameInfo
from games.core import Move, Playthrough
from games.record import Record
from games.series import fingerprint, pack, unpack
from league.models import (
    AuditEvent,
    BotMatch,
    BotMatchSeat,
    Job,
    JobState,
    Player,
    Role,
    Round,
    SeasonStatus,
    Session,
    SessionResult,
)
from league.models.sheets import score_sheet
from league.services import bot_chunks, bot_matches, bot_results, jobs
from league.services.access import Access, Actor
from league.services.bot_matches import BotMatchInput
from league.services.errors import Conflict, Forbidden, InputError, NotFound
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


@pytest.mark.one_database  # all games are stored alike, and other tests store on both
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
    monkeypatch.setattr(bot_chunks, "monotonic", lambda: float(seconds))
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
    assert job.error == "Robo 3: Archived players can't be named in new results."
    assert "Traceback" not in job.error


# --- Long matches, cancelled ones, second tries -----------------------------------------------------------------------


def test_a_match_of_pure_xxl_is_six_games_in_order(people: People) -> None:
    """docs/rules/xxl.md: a Pure XXL session is each of the six games once; twice, when it is agreed on."""
    make_robots(people)
    match = ask(people, game="", deals=None)
    carry_out(match)
    session = Session.objects.get()
    assert (session.format, session.repeats, session.status) == ("pure_xxl", 1, "complete")
    six = [f"xxl-{number}" for number in range(1, 7)]
    assert list(session.rounds.order_by("number").values_list("game", flat=True)) == six
    carry_out(ask(people, game="", deals=12))
    twice = Session.objects.latest("pk")
    assert (twice.repeats, twice.rounds.count(), twice.status) == (2, 12, "complete")


@pytest.mark.parametrize(
    ("fields", "path", "code"),
    [
        ({"format": "pure_xxl"}, ("game",), "game_not_allowed"),
        ({"game": "", "deals": 7}, ("deals",), "out_of_range"),
        ({"format": "series", "deals": 2}, ("format",), "format_not_fitting"),
        ({"format": "single_game", "deals": 2}, ("format",), "format_not_fitting"),
        ({"options": {"moon": 1}}, ("options", "moon"), "option_not_allowed"),
        ({"game": "the-game", "options": {"minimum": 9}}, ("options", "minimum"), "option_not_allowed"),
        ({"deadline": NOW}, ("deadline",), "out_of_range"),
        ({"deadline": NOW + timedelta(days=31)}, ("deadline",), "out_of_range"),
    ],
)
def test_what_can_not_be_asked_for(people: People, fields: dict[str, Any], path: tuple[str, ...], code: str) -> None:
    make_robots(people)
    before = rows()
    with pytest.raises(InputError) as caught:
        ask(people, **fields)
    assert [(problem.path, problem.code) for problem in caught.value.problems] == [(path, code)]
    assert rows() == before


def test_options_hold_for_every_deal(people: People) -> None:
    make_robots(people, 3)
    match = ask(people, game="the-game", players=ROBOTS[:3], deals=2, options={"minimum": 3})
    carry_out(match)
    assert [record.options["minimum"] for record in _records(match)] == [3, 3]


def test_a_long_match_is_one_round_by_the_places_of_its_sums(people: People) -> None:
    """250 deals in chunks of 100, played backwards; its sums are those of every single deal."""
    robots = make_robots(people)
    match = ask(people, deals=250)
    for part in match.job.parts.order_by("-pk"):
        bot_chunks.play(part.pk)
    match.refresh_from_db()
    assert (match.job.state, match.job.done, match.chunks.count()) == (JobState.DONE, 250, 3)
    outcomes = [record.replay().outcome() for record in _records(match)]
    sums = [sum(one.scores[seat] for one in outcomes if one) for seat in range(4)]
    tally = bot_matches.tally_of(match)
    assert (tally.deals, tally.scores) == (250, sums)
    assert tally.firsts == [
        sum(one.places is not None and one.places[seat] == 1 for one in outcomes if one) for seat in range(4)
    ]
    played = Session.objects.get().rounds.get()
    # In XXL 6 the highest sum is the best (docs/rules/xxl.md).
    expected = {
        robot.name: (None, 1 + sum(other > own for other in sums)) for robot, own in zip(robots, sums, strict=True)
    }
    assert {name: (points, place) for name, points, place in _scores(played)} == expected


def test_a_long_cooperative_match_is_one_round_of_the_average(people: People) -> None:
    make_robots(people, 2)
    match = ask(people, game="the-game", players=ROBOTS[:2], deals=101)
    carry_out(match)
    left = [one.scores[0] for one in (record.replay().outcome() for record in _records(match)) if one]
    assert len(left) == 101
    played = Session.objects.get().rounds.get()
    assert {points for _name, points, _place in _scores(played)} == {round(sum(left) / 101)}
    assert bot_matches.tally_of(match).results == Counter(map(str, left))


def test_what_takes_long_is_split(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker puts a chunk down after some seconds; another one may go on with the rest."""
    make_robots(people)
    match = ask(people, deals=5)
    monkeypatch.setattr(bot_chunks, "_LONGEST", 0.0)
    carry_out(match)
    match.refresh_from_db()
    assert list(match.chunks.values_list("first_deal", "deals")) == [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)]
    assert (match.job.state, match.job.done) == (JobState.DONE, 5)
    at_once = ask(people, deals=5)
    monkeypatch.setattr(bot_chunks, "_LONGEST", 100.0)
    carry_out(at_once)
    assert [_records(one) for one in (match, at_once)] == [_records(at_once)] * 2


@pytest.mark.django_db(transaction=True)
def test_of_a_long_match_few_parts_are_called_for_at_once(people: People) -> None:
    """Others stand in the queue of the workers in between; each part that ends calls for the next."""
    make_robots(people)
    match, now = ask(people, deals=100_000), timezone.now()
    parts = match.job.parts
    assert parts.filter(rung_at__isnull=False).count() == 16
    assert jobs.ring_parts(whole_id=match.job_id, now=now) == 0
    assert jobs.sweep(now=now) == 0
    assert sum(part.total for part in parts.all()) == 100_000
    first = parts.order_by("pk").first()
    assert first is not None
    claim = jobs.claim(job_id=first.pk, now=now)
    assert claim is not None
    claim.finish(now=now)
    assert jobs.ring_parts(whole_id=match.job_id, now=now) == 1


def _cancel(people: People, match: BotMatch) -> BotMatch:
    return bot_matches.cancel(access=people.access(people.scorekeeper), match_id=match.pk, now=NOW)


def _retry(people: People, match: BotMatch) -> BotMatch:
    return bot_matches.retry(access=people.access(people.scorekeeper), match_id=match.pk, now=NOW)


@pytest.mark.django_db(transaction=True)
def test_a_match_that_is_cancelled_while_it_is_played_stores_nothing(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_robots(people)
    match = ask(people, deals=3)
    choices = []

    class Canceller(RandomBot):
        def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
            choices.append(legal)
            if len(choices) == 5:
                _cancel(people, match)
            return super().choose(view, legal, rng)

    monkeypatch.setattr("games.series.BOTS", {"random": lambda game: Canceller()})
    monkeypatch.setattr(bot_chunks, "monotonic", lambda: float(len(choices)))
    carry_out(match)
    # A clock that goes on a second with every choice: it is noticed with the next one.
    assert len(choices) == 5
    match.refresh_from_db()
    assert (match.job.state, match.job.error) == (JobState.CANCELLED, "")
    assert not Session.objects.exists()
    assert not Job.objects.filter(parent=match.job).exists()
    assert _cancel(people, match).job.state == JobState.CANCELLED
    assert jobs.sweep(now=NOW + timedelta(days=2)) == 0


def test_a_match_that_is_over_is_not_cancelled_nor_tried_again(people: People) -> None:
    make_robots(people)
    match = ask(people)
    with pytest.raises(Conflict):
        _retry(people, match)
    carry_out(match)
    for act in (_cancel, _retry):
        with pytest.raises(Conflict):
            act(people, match)
    stranger = people.access(people.stranger)
    with pytest.raises(NotFound):
        bot_matches.cancel(access=stranger, match_id=match.pk, now=NOW)
    with pytest.raises(Forbidden):
        bot_matches.cancel(access=people.access(people.member), match_id=match.pk, now=NOW)


def test_a_cancelled_match_goes_on_from_where_it_stood(people: People) -> None:
    make_robots(people)
    match, whole = ask(people, deals=250), ask(people, deals=250)
    bot_chunks.play(match.job.parts.order_by("pk")[1].pk)
    _cancel(people, match)
    assert match.chunks.filter(tally__isnull=False).count() == 1
    again = _retry(people, match)
    assert (again.job.state, again.job.done, again.job.parts.count()) == (JobState.QUEUED, 100, 2)
    carry_out(match)
    carry_out(whole)
    match.refresh_from_db()
    assert (match.job.state, match.job.done) == (JobState.DONE, 250)
    assert bot_matches.tally_of(match) == bot_matches.tally_of(whole)


@pytest.mark.django_db(transaction=True)
def test_what_is_not_done_by_its_deadline_has_failed(people: People) -> None:
    make_robots(people)
    match = ask(people, deadline=NOW + timedelta(hours=1))
    part = match.job.parts.get()
    assert jobs.claim(job_id=part.pk, now=NOW + timedelta(hours=2)) is None
    jobs.sweep(now=NOW + timedelta(hours=2))
    match.refresh_from_db()
    assert (match.job.state, match.job.error) == (JobState.FAILED, "It was not done by its deadline.")
    assert not Job.objects.filter(parent=match.job).exists()


def test_a_worker_with_other_games_and_bots_leaves_a_match_alone(people: People) -> None:
    """It would play other deals than those that the match says it has."""
    make_robots(people)
    match = ask(people)
    BotMatch.objects.update(engine="0123456789abcdef")
    carry_out(match)
    match.refresh_from_db()
    part = match.job.parts.get()
    assert (part.state, part.attempt, match.job.state) == (JobState.QUEUED, 0, JobState.QUEUED)
    assert "another version of games and bots" in match.job.error
    _cancel(people, match)
    # Tried again, it is asked of this version.
    carry_out(_retry(people, match))
    match.refresh_from_db()
    assert (match.job.state, match.job.error) == (JobState.DONE, "")
    assert match.engine == fingerprint()


def test_what_was_asked_before_an_update_is_asked_anew(people: People) -> None:
    """Half played by the version before: the deals that it has are played again with the others."""
    make_robots(people)
    match = ask(people, deals=150, deadline=NOW + timedelta(days=20))
    bot_chunks.play(match.job.parts.order_by("pk")[0].pk)
    BotMatch.objects.update(engine="0123456789abcdef")
    created = Job.objects.get(pk=match.job_id).created_at
    assert bot_chunks.renew(now=created + timedelta(minutes=4, seconds=59)) == 0
    later = created + timedelta(minutes=5, seconds=1)
    assert bot_chunks.renew(now=later) == 1
    assert bot_chunks.renew(now=later) == 0
    match.refresh_from_db()
    assert (match.engine, match.job.done, match.job.state) == (fingerprint(), 0, JobState.QUEUED)
    # It was asked to be done by then.
    assert match.job.deadline_at == NOW + timedelta(days=20)
    carry_out(match)
    match.refresh_from_db()
    assert (match.job.state, bot_matches.tally_of(match).deals) == (JobState.DONE, 150)


def test_moves_are_kept_for_a_time(people: People, settings: Any) -> None:
    make_robots(people)
    match = ask(people)
    carry_out(match)
    settings.BOT_RECORD_DAYS = 0
    ended = Job.objects.get(parent=None).finished_at
    assert ended is not None
    assert bot_chunks.drop_records(now=ended + timedelta(days=9999)) == 0
    settings.BOT_RECORD_DAYS = 30
    assert bot_chunks.drop_records(now=ended + timedelta(days=30)) == 0
    tally = bot_matches.tally_of(match)
    assert bot_chunks.drop_records(now=ended + timedelta(days=30, seconds=1)) == 1
    gone = bot_matches.played_back(match, 0)
    assert isinstance(gone, bot_matches.NoReplay)
    assert gone.code == "dropped"
    assert bot_matches.tally_of(match) == tally


def test_a_deal_that_was_not_played_has_no_replay(people: People) -> None:
    make_robots(people)
    match = ask(people, deals=2)
    one = bot_matches.played_back(match, 1)
    assert isinstance(one, bot_matches.NoReplay)
    assert one.code == "not_played"
    with pytest.raises(NotFound):
        bot_matches.played_back(match, 2)


def test_damaged_moves_are_no_fault_of_whoever_looks(people: People) -> None:
    """Bytes that are no package, one with too few deals, one cut off, one of a game without its version."""
    make_robots(people)
    match = ask(people, deals=2)
    carry_out(match)
    chunk = match.chunks.get()
    whole = bytes(chunk.records or b"")
    versions, deals = unpack(whole)
    other = zlib.compress(b'[{},[["xxl-6",[1,2,3,4],[4,3,2,1],"",""],["xxl-6",[1,2,3,4],[4,3,2,1],"",""]]]')
    assert versions
    for damaged in (b"", b"what?", whole[:-1], pack(deals[:1]), other):
        match.chunks.update(records=damaged)
        gone = bot_matches.played_back(match, 1)
        assert isinstance(gone, bot_matches.NoReplay)
        assert gone.code == "damaged"
        if damaged != other:
            assert [deal.missing for deal in bot_results.deals_of(match, first=1, count=10)] == ["damaged"] * 2
    match.chunks.update(records=whole)
    assert isinstance(bot_matches.played_back(match, 1), Playthrough)


@pytest.mark.parametrize("records", [None, b"what?"])
def test_deals_without_their_moves_are_played_again(
    people: People, monkeypatch: pytest.MonkeyPatch, records: bytes | None
) -> None:
    """A match that was cancelled half-way, whose moves were dropped by age or damaged, ends as one that was not."""
    make_robots(people)
    monkeypatch.setattr(bot_chunks, "_LONGEST", 0.0)
    match, whole = ask(people, deals=3), ask(people, deals=3)
    bot_chunks.play(match.job.parts.get().pk)
    _cancel(people, match)
    assert match.chunks.filter(tally__isnull=False).update(records=records) == 1
    assert _retry(people, match).job.done == 0
    carry_out(match)
    carry_out(whole)
    match.refresh_from_db()
    assert match.job.state == JobState.DONE
    assert _records(match) == _records(whole) != []


def test_a_club_has_so_many_matches_at_once(people: People, settings: Any) -> None:
    """The queues are those of all clubs: the third of three allowed is the last, until one is over."""
    settings.BOT_MATCHES_OPEN = 3
    make_robots(people)
    matches = [ask(people, seed=seed) for seed in range(3)]
    before = rows()
    with pytest.raises(Conflict) as caught:
        ask(people)
    assert caught.value.code == "too_many_bot_matches"
    assert "3 bot matches of this club are not over yet" in caught.value.message
    assert rows() == before
    carry_out(matches[0])
    another = ask(people)
    _cancel(people, another)
    assert ask(people).job.state == JobState.QUEUED
    # A cancelled one that goes on after all counts again.
    with pytest.raises(Conflict):
        _retry(people, another)
    settings.BOT_MATCHES_OPEN = 0
    assert _retry(people, another).job.state == JobState.QUEUED


def test_what_nobody_asked_for_is_not_counted(people: People, settings: Any) -> None:
    """A night of the bot league is as many matches as it is."""
    settings.BOT_MATCHES_OPEN = 1
    make_robots(people)
    by_itself = Access(club=people.club, role=Role.OWNER, actor=Actor())
    for seed in range(2):
        bot_matches.request(access=by_itself, data=BotMatchInput(game="xxl-6", players=ROBOTS[:4], seed=seed), now=NOW)
    assert ask(people).job.state == JobState.QUEUED
    with pytest.raises(Conflict):
        ask(people)


def test_why_a_job_failed_is_told_in_the_language_of_whoever_asked(people: People) -> None:
    """The worker itself speaks English."""
    make_robots(people)
    with translation.override("de"):
        match = ask(people, season=SEASON)
    people.season.status = SeasonStatus.CLOSED
    people.season.save()
    carry_out(match)
    with translation.override("de"):
        expected = gettext("The season “%(season)s” is closed.") % {"season": "2026"}
    assert Job.objects.get().error == expected != "The season “2026” is closed."


@pytest.mark.django_db(transaction=True)
def test_what_the_sweep_ends_is_told_in_the_language_of_whoever_asked(people: People) -> None:
    make_robots(people)
    with translation.override("de"):
        match = ask(people, deadline=NOW + timedelta(hours=1))
        expected = gettext("It was not done by its deadline.")
        pairing = Job.objects.create(club=people.club, kind="pairing", language="de", deadline_at=NOW)
    ask(people, deadline=NOW + timedelta(hours=1), seed=2)
    jobs.sweep(now=NOW + timedelta(hours=2))
    told = dict(Job.objects.values_list("pk", "error"))
    assert told.pop(match.job_id) == told.pop(pairing.pk) == expected
    assert list(told.values()) == ["It was not done by its deadline."] != [expected]
