"""Par of cooperative games: stored once whoever plays, and what it says of a table's result."""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from itertools import islice
from typing import Any

import pytest

from games.core import Json
from games.par import BOT, STORED_FROM, Configuration, configurations, results, version
from league.models import Job, JobState, ParTally, Session
from league.models.sheets import score_sheet
from league.services import jobs, par
from league.services.errors import Forbidden, InputError
from league.services.evenings import SeatInput, SessionInput
from league.services.results import record_round
from league.services.tournament_formats import StageInput
from tests.people import NOW, People
from tests.services.given import ANYTHING, DAY, by_points, carry_out, play_par, record
from tests.services.test_bot_matches import ROBOTS, ask, make_robots
from tests.services.test_tournaments import Club
from tests.services.threads import at_once

pytestmark = pytest.mark.django_db

# The quickest to play.
ALONE = Configuration("the-game", 1, '{"minimum": 3, "short_hand": true}')


def wanted(people: People, more: int, **changes: Any) -> Job:
    """Asked by the admin: so many more games than there are."""
    fields: dict[str, Any] = {"game": ALONE.game, "seats": ALONE.seats, "options": ALONE.agreed}
    fields |= {"games": par.games_here(ALONE) + more, "now": NOW} | changes
    return par.request(access=people.access(people.admin), **fields)


def stored() -> tuple[int, dict[int, int]]:
    """How many games were stored, and their results."""
    row = ParTally.objects.get()
    assert (row.game, row.seats, row.options, row.bot) == (ALONE.game, 1, ALONE.options, BOT)
    assert row.version == version(ALONE)
    return row.games, {int(left): games for left, games in row.counts.items()}


def played(games: int) -> tuple[int, dict[int, int]]:
    """What the first stored deals come to."""
    return games, dict(Counter(islice(results(ALONE, STORED_FROM), games)))


def test_a_job_plays_until_there_are_as_many(people: People) -> None:
    job = wanted(people, 3)
    assert (job.kind, job.state, job.done) == ("par", JobState.QUEUED, 0)
    play_par(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.error) == (JobState.DONE, job.total, "")
    assert stored() == played(3)
    # A message that comes twice changes nothing.
    play_par(job.pk)
    assert stored() == played(3)


def test_a_job_goes_on_where_another_was_stopped(people: People) -> None:
    job = wanted(people, 4)
    play_par(wanted(people, 1).pk)
    assert stored() == played(1)
    play_par(job.pk)
    assert stored() == played(4)
    # Two that want the same share it.
    twice = [wanted(people, 1), wanted(people, 1)]
    for one in twice:
        play_par(one.pk)
    assert stored() == played(5)
    assert {one.state for one in Job.objects.all()} == {JobState.DONE}


def test_a_batch_counts_where_it_began_alone(people: People) -> None:
    first, second = [98, 98, 7], [5]
    play_par(wanted(people, 1).pk)
    games, counts = played(1)
    assert par.add(ALONE, first=games, played=first)
    assert not par.add(ALONE, first=games, played=first)
    assert not par.add(ALONE, first=0, played=second)
    assert par.add(ALONE, first=games + 3, played=second)
    assert stored() == (games + 4, dict(Counter(counts) + Counter([98, 98, 7, 5])))


def test_a_cancelled_job_stores_nothing_more(people: People) -> None:
    job = wanted(people, 3)
    claim = jobs.claim(job_id=job.pk, now=NOW)
    assert claim is not None
    jobs.cancel(access=people.access(people.admin), job_id=job.pk, now=NOW)
    with pytest.raises(jobs.LostClaim):
        par._batch(claim, ALONE, 0, 3)
    assert stored() == (0, {})
    play_par(job.pk)
    assert stored() == (0, {})


def test_a_job_gives_way_after_each_batch(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each deal is a batch of its own here; more of them than a job may have attempts."""
    monkeypatch.setattr(par, "_BATCH_SECONDS", 0.0)
    job = wanted(people, 7)
    for games in range(1, 7):
        par.play(job.pk)
        job.refresh_from_db()
        assert (job.state, job.attempt, job.lease_until, stored()[0]) == (JobState.QUEUED, 0, None, games)
    par.play(job.pk)
    job.refresh_from_db()
    assert (job.state, stored()) == (JobState.DONE, played(7))


def test_what_gives_way_and_is_cancelled_goes_on_no_more(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(par, "_BATCH_SECONDS", 0.0)
    job = wanted(people, 3)
    par.play(job.pk)
    jobs.cancel(access=people.access(people.admin), job_id=job.pk, now=NOW)
    par.play(job.pk)
    job.refresh_from_db()
    assert (job.state, stored()) == (JobState.CANCELLED, played(1))


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_count_nothing_twice(people: People) -> None:
    several = [wanted(people, 6), wanted(people, 6)]
    assert at_once([partial(play_par, one.pk) for one in several]) == [None, None]
    assert stored() == played(6)


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        ({"game": "xxl-1"}, "no_par", ("game",)),
        ({"seats": 6}, "out_of_range", ("seats",)),
        ({"options": {"minimum": 4}}, "option_not_allowed", ("options", "minimum")),
        ({"options": {"short_hand": 1}}, "option_not_allowed", ("options", "short_hand")),
        ({"options": {"start": 0}}, "option_not_allowed", ("options", "start")),
        ({"games": 0}, "out_of_range", ("games",)),
        ({"games": 100_001}, "out_of_range", ("games",)),
    ],
)
def test_what_can_not_be_asked_for(people: People, change: Any, code: str, place: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as refused:
        wanted(people, 1, **change)
    assert [(one.code, one.path) for one in refused.value.problems] == [(code, place)]
    assert not Job.objects.exists()


@pytest.mark.one_database
def test_only_more_games_and_by_an_admin_alone(people: People) -> None:
    play_par(wanted(people, 2).pk)
    with pytest.raises(InputError) as refused:
        wanted(people, 0)
    assert [one.code for one in refused.value.problems] == ["games_already_there"]
    with pytest.raises(Forbidden):
        par.request(access=people.access(people.scorekeeper), game="the-game", seats=1, options={}, games=9, now=NOW)


# --- What it says of results ------------------------------------------------------------------------------------------


def given(seats: int, counts: Mapping[int, int], **options: Json) -> None:
    """A par by hand: of so many games that no other version has more."""
    configuration = Configuration.of("the-game", seats, options)
    assert configuration is not None
    ParTally.objects.create(
        game="the-game",
        seats=seats,
        options=configuration.options,
        bot=BOT,
        version="by hand",
        games=sum(counts.values()),
        counts={str(left): games for left, games in counts.items()},
    )


def beaten(session: Any) -> list[tuple[int, int]]:
    """By round: how many per cent its result beats."""
    return [(one.round, one.par.percent_beaten(one.result)) for one in par.measured(score_sheet(session))]


HALF = {0: 100_000, 20: 100_000}
QUARTER = {0: 150_000, 20: 50_000}


def test_results_of_people_are_measured_by_the_usual_rules(people: People) -> None:
    given(2, HALF)
    given(2, QUARTER, minimum=3)
    names = ("Ann", "Ben")
    data = SessionInput(
        format="series",
        played_on=DAY,
        players=tuple(SeatInput(name) for name in names),
        rounds=tuple(by_points("the-game", dict.fromkeys(names, left)) for left in (4, 20, 0)),
        planned_rounds=3,
    )
    assert beaten(record(people, data)) == [(1, 50), (2, 0), (3, 50)]


def test_a_bot_match_is_measured_by_what_it_was_played_with(people: People) -> None:
    given(2, {99: 200_000}, minimum=3)
    make_robots(people)
    match = ask(people, game="the-game", players=ROBOTS[:2], deals=2, options={"minimum": 3})
    carry_out(match)
    match.refresh_from_db()
    assert beaten(match.session) == [(1, 100), (2, 100)]
    # One round that is an average is no result of a game.
    long = ask(people, game="the-game", players=ROBOTS[:2], deals=101, options={"minimum": 3})
    carry_out(long)
    long.refresh_from_db()
    assert beaten(long.session) == []


def test_a_tournament_says_what_its_tables_play_by(people: People) -> None:
    given(3, HALF)
    given(3, QUARTER, minimum=3)
    club = Club(people)
    rounds = StageInput("table_swiss", {"rounds": 1})
    cup = club.tournament(rounds, players=3, game="the-game", session_format="single_game", minimum=3)
    club.pair(cup)
    session = Session.objects.get()
    names = session.seats.values_list("player__name", flat=True)
    data = by_points("the-game", dict.fromkeys(names, 4))
    record_round(access=club.access, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW)
    assert beaten(Session.objects.get()) == [(1, 25)]


def test_no_other_game_is_measured(people: People) -> None:
    players = tuple(SeatInput(name) for name in ("Ann", "Ben", "Cem"))
    data = SessionInput(
        format="single_game",
        played_on=DAY,
        players=players,
        rounds=(by_points("xxl-3", {"Ann": 1, "Ben": 2, "Cem": 3}),),
    )
    assert beaten(record(people, data)) == []


def test_the_version_with_the_most_games_is_the_measure(people: People) -> None:
    play_par(wanted(people, 2).pk)
    given(1, {5: 1}, **ALONE.agreed)
    assert par.yardsticks([ALONE])[0].version != "by hand"
    ParTally.objects.filter(version="by hand").update(games=200_000, counts={"5": 200_000})
    assert (par.yardsticks([ALONE])[0].version, par.yardsticks([ALONE])[0].games) == ("by hand", 200_000)
    assert {one.configuration for one in par.yardsticks()} <= set(configurations())
