"""A bot that hangs in a choice: the attempt ends, the operator is told where, and the worker serves others."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest
from django.utils import translation

from games.bots.randomly import RandomBot
from games.core import Move
from league.models import BotMatch, Job, JobState, Player, Session
from league.services import bot_chunks, bot_matches, bot_watch, jobs, par
from tests import product
from tests.people import NOW, People
from tests.product import Log, wait_for
from tests.services.given import carry_out
from tests.services.test_bot_matches import ask, make_robots
from tests.services.test_worker import BROKERS, _product

pytestmark = pytest.mark.django_db


class _HangsAtLast(RandomBot):
    """Decides a few times, and then no more; counted over all seats."""

    def __init__(self, before: int) -> None:
        self.before = before

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        if self.before == 0:
            began = monotonic()
            while monotonic() - began < 30:
                pass
            raise AssertionError("nobody has ended this")
        self.before -= 1
        return super().choose(view, legal, rng)


@pytest.fixture
def hangs(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Callable[[int], None]:
    """Have the bot `random` hang after so many choices, from then on at once; choices may take a fifth of a second."""

    def make(before: int) -> None:
        settings.BOT_CHOICE_SECONDS = 0.2
        bot = _HangsAtLast(before)
        monkeypatch.setattr("games.series.BOTS", {"random": lambda game: bot})

    return make


def test_the_operator_is_told_which_bot_hung_where(people: People, hangs: Callable[[int], None]) -> None:
    """In the third choice of the first deal; whose it is, the same match says that is played to its end."""
    make_robots(people)
    whole = ask(people)
    carry_out(whole)
    record = bot_matches.played_back(whole, 0)
    assert not isinstance(record, bot_matches.NoReplay)
    with translation.override("de"):
        match = ask(people)
    hangs(2)
    part = match.job.parts.get()
    bot_chunks.play(part.pk)
    part.refresh_from_db()
    assert (part.state, part.attempt, part.lease_until) == (JobState.QUEUED, 1, None)
    assert part.trace.endswith(f"The bot random hung in choice 3 of deal 1, at seat {record.turns[2].seat + 1}.")
    # The line where it hung.
    assert "while monotonic() - began < 30:" in part.trace
    with translation.override("de"):
        assert part.error == translation.gettext("A bot took more than %(seconds)d seconds for one choice.") % {
            "seconds": 0
        }


def test_the_bot_that_hangs_in_a_later_deal_is_named(people: People, hangs: Callable[[int], None]) -> None:
    """The same match is played through first, to know how many choices its first deal has."""
    make_robots(people)
    match = ask(people, game="xxl-1", deals=3)
    carry_out(match)
    record = bot_matches.played_back(match, 0)
    assert not isinstance(record, bot_matches.NoReplay)
    again = ask(people, game="xxl-1", deals=3)
    hangs(len(record.turns))
    part = again.job.parts.get()
    bot_chunks.play(part.pk)
    part.refresh_from_db()
    # The player left of the dealer begins (docs/rules/xxl.md): seat 1 in the first deal.
    assert record.turns[0].seat == 0
    assert part.trace.endswith("The bot random hung in choice 1 of deal 2, at seat 2.")


def test_what_hangs_at_every_attempt_has_failed(people: People, hangs: Callable[[int], None]) -> None:
    make_robots(people)
    match = ask(people)
    hangs(0)
    part = match.job.parts.get()
    states = []
    for _attempt in range(6):
        bot_chunks.play(part.pk)
        states.append(Job.objects.get(pk=match.job_id).state)
    assert states == [JobState.RUNNING] * 4 + [JobState.FAILED] * 2
    job = Job.objects.get()
    assert job.error == "A bot took more than 0 seconds for one choice."
    assert "The bot random hung in choice 1 of deal 1" in job.trace
    assert not Session.objects.exists()
    # Tried again it has all its attempts.
    again = bot_matches.retry(access=people.access(people.scorekeeper), match_id=match.pk, now=NOW)
    bot_chunks.play(again.job.parts.get().pk)
    assert Job.objects.get(pk=match.job_id).state == JobState.RUNNING


def test_the_parts_of_a_match_have_their_hanging_attempts_together(
    people: People, hangs: Callable[[int], None]
) -> None:
    """Three parts that hang in turn end the match with the fifth attempt, not with the thirteenth."""
    make_robots(people)
    match = ask(people, deals=250)
    hangs(0)
    parts = list(match.job.parts.order_by("pk"))
    for part in [*parts, *parts][:4]:
        bot_chunks.play(part.pk)
    assert Job.objects.get(pk=match.job_id).state == JobState.RUNNING
    bot_chunks.play(parts[1].pk)
    assert Job.objects.get().state == JobState.FAILED


def test_without_a_limit_nobody_watches(people: People, settings: Any) -> None:
    settings.BOT_CHOICE_SECONDS = 0
    make_robots(people)
    match = ask(people)
    carry_out(match)
    assert Job.objects.get(pk=match.job_id).state == JobState.DONE


def test_a_planner_that_hangs_ends_its_attempt_at_par(
    people: People, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BOT_CHOICE_SECONDS = 0.2

    def never(*_arguments: object) -> Iterator[int]:
        while monotonic() > 0:
            pass
        yield 0

    monkeypatch.setattr(par, "results", never)
    job = par.request(
        access=people.access(people.admin), game="the-game", seats=5, options={"minimum": 3}, games=9000, now=NOW
    )
    par.play(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempt) == (JobState.QUEUED, 1)
    assert "The bot planner hung in deal 1000000 of " in job.trace


@pytest.mark.django_db(transaction=True)
def test_a_match_that_is_cancelled_in_a_long_choice_ends_that_choice(
    people: People, hangs: Callable[[int], None], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_robots(people)
    match = ask(people)
    hangs(0)
    settings.BOT_CHOICE_SECONDS = 20
    monkeypatch.setattr(bot_watch, "_LOOKS", 0.05)
    monkeypatch.setattr(bot_watch, "_HOLD_EVERY", 0.05)
    choose = _HangsAtLast.choose

    def cancelled_meanwhile(self: _HangsAtLast, *arguments: Any) -> Move:
        bot_matches.cancel(access=people.access(people.scorekeeper), match_id=match.pk, now=NOW)
        return choose(self, *arguments)

    monkeypatch.setattr(_HangsAtLast, "choose", cancelled_meanwhile)
    began = monotonic()
    bot_chunks.play(match.job.parts.get().pk)
    assert monotonic() - began < 10
    job = Job.objects.get()
    assert (job.state, job.error, job.attempt) == (JobState.CANCELLED, "", 0)


# --- A worker's own process -------------------------------------------------------------------------------------------


# Four starts of a worker, each of some seconds, and many where other runs of tests take the processor.
@pytest.mark.timeout(600)
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("broker", BROKERS)
def test_a_worker_goes_on_serving_others_whatever_hangs_in_it(
    people: People, tmp_path: Path, broker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One bot loops, one waits in C, one computes in C; the last takes the process along, and is started again."""
    monkeypatch.setitem(product.COMMANDS, "worker", ["-m", "tests.hanging_worker"])
    make_robots(people)
    looping, waiting = (_of(people, bot) for bot in ("greedy", "search"))
    # Of five attempts the last is seen.
    Job.objects.filter(parent=None).update(attempt=jobs.MAXIMUM_ATTEMPTS - 1)
    with _product(tmp_path, broker) as running:
        running.environ["BOT_CHOICE_SECONDS"] = "1"
        log = Log(running.folder / "worker.log")
        _let_ring()
        running.start("worker", "sweeper")
        pid = running.parts["worker"].pid
        wait_for(lambda: _states(looping, waiting) == {JobState.FAILED}, "both to fail", log)
        assert "this worker begins anew" in running.log("worker")
        sound = ask(people, seed=1)
        _let_ring()
        wait_for(lambda: _states(sound) == {JobState.DONE}, "a sound match to be played", log)
        assert running.parts["worker"].poll() is None
        assert running.parts["worker"].pid == pid
        computing = _of(people, "planner", game="the-game")
        _let_ring()
        wait_for(lambda: running.parts["worker"].poll() is not None, "the worker to end", log)
        # The timer says where, without Python.
        assert "hanging_worker.py" in running.log("worker").rpartition("Timeout")[2]
        del running.parts["worker"]
        running.start("worker")
        another = ask(people, seed=2)
        _let_ring()
        wait_for(lambda: _states(another) == {JobState.DONE}, "another to be played", log)
    for match, bot in ((looping, "greedy"), (waiting, "search")):
        match.job.refresh_from_db()
        assert match.job.error == "A bot took more than 1 seconds for one choice."
        assert f"The bot {bot} hung in choice 1 of deal 1, at seat 1." in match.job.trace
        assert "hanging_worker.py" in match.job.trace
    # Its lease runs out as that of any dead worker.
    assert _states(computing) == {JobState.RUNNING}


def _of(people: People, bot: str, game: str = "xxl-1") -> BotMatch:
    players = [Player.objects.create(club=people.club, name=f"{bot} {n}", kind="bot", bot=bot) for n in range(4)]
    return ask(people, game=game, players=tuple(player.pk for player in players))


def _let_ring() -> None:
    """What was rung for by this process, whose broker is another, is rung for again by the sweeper."""
    Job.objects.filter(state=JobState.QUEUED).update(rung_at=None)


def _states(*matches: BotMatch) -> set[str]:
    return set(Job.objects.filter(pk__in=[match.job_id for match in matches]).values_list("state", flat=True))
