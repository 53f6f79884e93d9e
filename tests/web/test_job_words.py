"""Pages say why the bar of a job stands still: nobody has taken it yet, or its worker has fallen silent."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from league.models import Job, JobKind, JobState
from league.services import bot_matches, jobs, tournament_rounds
from league.services.bot_matches import BotMatchInput
from league.services.tournament_formats import StageInput
from tests.people import NOW, People
from tests.services.test_bot_matches import make_robots
from tests.services.test_tournaments import Club
from tests.web.page import Page

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

AWAITED = "It waits for a worker."
AWAITED_AGAIN = "It waits for another worker."
# A lease is for 60 seconds: of 10 that are gone 50 are left, and the sweep looks every 5.
SILENT = "Its worker has not reported for more than 10 seconds: if it is gone, another one takes over within a minute."


@pytest.fixture
def told(people: People, as_user: Callable[..., Client]) -> Callable[..., str]:
    """What a page of the club says of its job so many seconds from now; "" for nothing."""
    client = as_user(people.admin)

    def read(path: str, seconds: int) -> str:
        with time_machine.travel(NOW + timedelta(seconds=seconds), tick=False):
            page = Page(client.get(f"/herzclub/{path}").content.decode())
        assert len(list(page.all("progress"))) == 1
        return "".join(said.text for said in page.all("p", id="waiting"))

    return read


def test_a_pairing_whose_worker_is_killed(people: People, told: Callable[..., str]) -> None:
    club = Club(people)
    cup = club.tournament(StageInput("fixed_schedule", {"rounds": 1}), players=8)
    job = tournament_rounds.pair(access=club.access, tournament_id=cup.pk, now=NOW).job
    assert job is not None
    path = f"tournaments/{cup.slug}/manage/"
    assert told(path, 3) == AWAITED
    held = jobs.claim(job_id=job.pk, now=NOW)
    assert held is not None
    assert (told(path, 10), told(path, 11), told(path, 60)) == ("", SILENT, SILENT)
    # Its lease is over, and nobody has taken it.
    assert told(path, 61) == AWAITED_AGAIN
    held.progress(done=20, now=NOW + timedelta(seconds=30))
    assert (told(path, 40), told(path, 41)) == ("", SILENT)
    # The next worker takes it, and has a fault of its own.
    again = jobs.claim(job_id=job.pk, now=NOW + timedelta(seconds=91))
    assert again is not None
    assert told(path, 92) == ""
    again.give_back(error="The server made a mistake. It is logged.")
    assert told(path, 93) == AWAITED_AGAIN


def test_a_bot_match_stands_still_if_all_its_workers_do(people: People, told: Callable[..., str]) -> None:
    data = BotMatchInput("the-game", tuple(robot.name for robot in make_robots(people, 2)), deals=300)
    match = bot_matches.request(access=people.access(people.admin), data=data, now=NOW)
    path = f"bot-matches/{match.pk}/"
    assert told(path, 0) == AWAITED
    parts = list(match.job.parts.order_by("pk"))
    first, second = (jobs.claim(job_id=part.pk, now=NOW) for part in parts[:2])
    assert first is not None
    assert second is not None
    second.progress(done=3, now=NOW + timedelta(seconds=20))
    assert (told(path, 30), told(path, 31), told(path, 81)) == ("", SILENT, AWAITED_AGAIN)
    for held in (first, second):
        held.give_back(error="")
    assert told(path, 32) == AWAITED
    jobs.cancel(access=people.access(people.admin), job_id=match.job_id, now=NOW)
    assert told(path, 33) == ""


def test_the_list_of_jobs_says_it_of_each(people: People, as_user: Callable[..., Client]) -> None:
    def job(kind: JobKind, state: JobState, **fields: object) -> None:
        Job.objects.create(club=people.club, kind=kind, state=state, **fields)

    for state in (JobState.QUEUED, JobState.DONE, JobState.FAILED, JobState.CANCELLED):
        job(JobKind.PAR, state)
    job(JobKind.BOT_MATCH, JobState.RUNNING)
    job(JobKind.IMPORT, JobState.RUNNING, lease_until=NOW + timedelta(seconds=40))
    job(JobKind.IMPORT, JobState.RUNNING, lease_until=NOW + timedelta(seconds=55))
    with time_machine.travel(NOW, tick=False):
        text = Page(as_user(people.admin).get("/herzclub/manage/jobs/").content.decode()).text
    assert (text.count(AWAITED), text.count(SILENT)) == (2, 1)
