"""Bot matches that come with an archive: finished ones are shown and replayed, others go on, older formats are read."""

from typing import Any

import pytest

from games.core import Playthrough
from games.record import Record
from games.series import Tally
from league.models import BotMatch, BotMatchChunk, Job, JobState, Player, Round, Session
from league.services import bot_chunks, bot_matches
from league.services.bot_matches import BotMatchInput, NoReplay
from league.services.errors import InputError
from tests.people import NOW, People
from tests.services.given import carry_out
from tests.services.test_archives import as_of_version_2, exported, imported

pytestmark = pytest.mark.django_db

NAMES = ("Robo 1", "Robo 2", "Robo 3")


@pytest.fixture(autouse=True)
def robots(people: People) -> None:
    for name in NAMES:
        Player.objects.create(club=people.club, name=name, kind="bot", bot="random")


def ask(people: People, game: str = "xxl-6", **fields: Any) -> BotMatch:
    data = BotMatchInput(game=game, players=NAMES, seed=55, **fields)
    return bot_matches.request(access=people.access(people.scorekeeper), data=data, now=NOW)


def turns(match: BotMatch) -> list[Record]:
    """The record of each deal, by itself."""
    found = [bot_matches.played_back(match, deal) for deal in range(match.deals)]
    assert all(isinstance(one, Playthrough) for one in found)
    return [Record.of(one) for one in found if isinstance(one, Playthrough)]


def sums(match: BotMatch) -> tuple[Any, ...]:
    tally = bot_matches.tally_of(match)
    return tally.deals, tally.scores, tally.places, tally.squares, tally.firsts, tally.results


def scores(match: BotMatch) -> list[tuple[Any, ...]]:
    rounds = Round.objects.filter(session=match.session).order_by("number", "scores__player__name")
    return list(rounds.values_list("number", "game", "scores__player__name", "scores__points", "scores__place"))


def test_a_match_under_way_goes_on_where_it_stood(people: People) -> None:
    """250 deals are three chunks; one is played before the move, and only the other two after it."""
    match = ask(people, deals=250)
    first = match.job.parts.order_by("pk").first()
    assert first
    bot_chunks.play(first.pk)
    assert Job.objects.get(pk=match.job_id).done == 100

    moved = BotMatch.objects.get(club=imported(exported(people.club)))

    assert (moved.job.state, moved.job.done, moved.job.total) == (JobState.QUEUED, 100, 250)
    assert moved.job.deadline_at is not None
    assert sorted(moved.job.parts.values_list("total", flat=True)) == [50, 100]
    for one in (match, moved):
        carry_out(one)
        one.refresh_from_db()
        assert (one.job.state, one.job.done) == (JobState.DONE, 250)
    assert sums(moved) == sums(match)
    assert scores(moved) == scores(match)


def test_a_cancelled_match_says_what_of_it_is_not_played(people: People) -> None:
    """Of 250 deals the middle hundred are played; the archive has no chunk for those before and behind."""
    match, by = ask(people, deals=250), people.access(people.scorekeeper)
    bot_chunks.play(match.job.parts.order_by("pk")[1].pk)
    bot_matches.cancel(access=by, match_id=match.pk, now=NOW)

    moved = BotMatch.objects.get(club=imported(exported(people.club)))

    found = {deal: bot_matches.played_back(moved, deal) for deal in (0, 99, 100, 199, 200, 249)}
    unplayed = [deal for deal, one in found.items() if not isinstance(one, Playthrough)]
    assert unplayed == [0, 99, 200, 249]
    assert all(one.code == "not_played" for one in found.values() if isinstance(one, NoReplay))
    BotMatchChunk.objects.filter(bot_match=moved).update(records=None)
    told = [bot_matches.played_back(moved, deal) for deal in (150, 200)]
    assert [isinstance(one, NoReplay) and one.code for one in told] == ["dropped", "not_played"]


def test_a_match_asked_of_other_games_and_bots_is_played_from_its_start(people: People) -> None:
    match = ask(people, deals=150)
    first = match.job.parts.order_by("pk").first()
    assert first
    bot_chunks.play(first.pk)
    BotMatch.objects.update(engine="0" * 16)

    moved = BotMatch.objects.get(club=imported(exported(people.club)))

    assert (moved.job.done, sorted(moved.job.parts.values_list("total", flat=True))) == (0, [50, 100])


def test_what_lacks_nothing_but_its_end_is_brought_to_it(people: People) -> None:
    match = ask(people, deals=2)
    carry_out(match)
    BotMatch.objects.update(session=None)
    Job.objects.update(state=JobState.FAILED)
    bot_matches.retry(access=people.access(people.scorekeeper), match_id=match.pk, now=NOW)
    carry_out(match)
    match.refresh_from_db()
    assert match.job.state == JobState.DONE
    assert match.session is not None


@pytest.mark.parametrize("game", ["xxl-6", "the-game"])
def test_a_match_of_an_older_format_is_one_chunk(people: People, game: str) -> None:
    match = ask(people, game, deals=3)
    carry_out(match)
    match.refresh_from_db()
    waiting = ask(people, game, deals=2)
    records = {match.pk: [record.to_json() for record in turns(match)]}

    club = imported(as_of_version_2(exported(people.club), records))

    moved, queued = BotMatch.objects.filter(club=club).order_by("pk")
    assert moved.format == match.format
    chunk = BotMatchChunk.objects.get(bot_match=moved)
    assert (chunk.first_deal, chunk.deals, chunk.tally and Tally.from_json(chunk.tally).ends) == (0, 3, {"": 3})
    assert sums(moved) == sums(match)
    assert turns(moved) == turns(match)
    for one in (waiting, queued):
        carry_out(one)
        one.refresh_from_db()
    assert queued.job.state == JobState.DONE
    assert turns(queued) == turns(waiting)
    assert Session.objects.filter(club=club).count() == 2


def test_records_of_an_older_format_that_can_not_be_are_refused(people: People) -> None:
    match = ask(people, deals=3)
    carry_out(match)
    match.refresh_from_db()
    records = [record.to_json() for record in turns(match)]
    odd: list[Any] = [
        records[:2],  # the session has three rounds
        [[]],
        [{"moves": []}],
        [{**records[0], "moves": [["0", "red 1"]]}],
        [{**records[0], "moves": [[0, "red 1", "blue 2"]]}],
    ]
    whole = exported(people.club)
    for wrong in odd:
        with pytest.raises(InputError) as caught:
            imported(as_of_version_2(whole, {match.pk: wrong}))
        assert caught.value.problems[0].code in {"refused", "contradicts"}
