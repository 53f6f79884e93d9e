"""Pages of report files: one taken along, one that becomes a tournament."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from league.exchange import trf
from league.models import Job, JobState, Tournament, TournamentFile, Visibility
from league.services import jobs, players, tournament_file_jobs, tournament_files
from league.services.tournament_files import FileInput
from tests.people import NOW, People

pytestmark = pytest.mark.django_db

FILE = (
    "012 Town Open\n"
    "042 2026/11/28\n"
    "XXR 2\n"
    "001    1      Ann                                                                1.0    1     2 w 1\n"
    "001    2      Zoe                                                                0.0    2     1 b 0\n"
)
PAGE = "/herzclub/tournaments/new/trf/"
SENT = {"game": "xxl-6-plus", "name": "", "format": "", "text": ""}


def imported(people: People, visibility: str) -> Tournament:
    data = FileInput(text=FILE, game="xxl-6-plus")
    access = people.access(people.scorekeeper)
    sound = tournament_files.check(access=access, data=data, now=NOW)
    made = tournament_files.import_trf(access=access, sound=sound, now=NOW).tournament
    Tournament.objects.filter(pk=made.pk).update(visibility=visibility)
    player = people.players[0]
    player.nickname = "Ace"
    player.save(update_fields=["nickname"])
    return made


def test_a_file_is_looked_at_and_becomes_a_tournament(people: People, as_user: Any) -> None:
    browser = as_user(people.scorekeeper)
    assert PAGE in browser.get("/herzclub/tournaments/").content.decode()
    file = SimpleUploadedFile("open.trf", FILE.encode(), content_type="text/plain")
    looked = browser.post(PAGE, {**SENT, "file": file, "look": "1"})
    assert looked.status_code == 200
    page = looked.content.decode()
    assert "Town Open" in page
    assert "Zoe" in page
    assert not Tournament.objects.exists()
    # The text stands in the form, so that no file has to be chosen again.
    text = looked.context["form"]["text"].value()
    answer = browser.post(PAGE, {**SENT, "text": text, "import": "1"})
    made = Tournament.objects.get()
    assert answer["Location"] == f"/herzclub/tournaments/{made.slug}/manage/"


def test_what_is_wrong_stands_at_the_text(people: People, as_user: Any) -> None:
    wrong = FILE.replace(" w 1", " w 5")
    answer = as_user(people.scorekeeper).post(PAGE, {**SENT, "text": wrong, "look": "1"})
    (message,) = answer.context["form"].errors["text"]
    assert message.startswith("Line 4, column 99: ")
    nothing = as_user(people.scorekeeper).post(PAGE, {**SENT, "look": "1"})
    assert list(nothing.context["form"].errors) == ["file"]
    twice = FILE.replace("Zoe", "Ann")
    answer = as_user(people.scorekeeper).post(PAGE, {**SENT, "text": twice, "look": "1"})
    assert list(answer.context["form"].errors) == ["text"]


def test_odd_points_have_to_be_confirmed(people: People, as_user: Any) -> None:
    browser = as_user(people.scorekeeper)
    odd = {**SENT, "text": FILE.replace("1.0    1", "7.0    1"), "import": "1"}
    assert 'value="points_differ"' in browser.post(PAGE, odd).content.decode()
    assert not Tournament.objects.exists()
    assert browser.post(PAGE, {**odd, "confirm": "points_differ"}).status_code == 302


def test_everybody_takes_a_public_tournament_along(people: People, as_user: Any, client: Any) -> None:
    made = imported(people, Visibility.PUBLIC)
    address = f"/herzclub/tournaments/{made.slug}/standings/trf/"
    assert address in client.get(f"/herzclub/tournaments/{made.slug}/standings/").content.decode()
    answer = client.get(address)
    assert answer["Content-Disposition"] == f'attachment; filename="{made.slug}.trf"'
    assert [one.name for one in trf.read(answer.content.decode()).players] == ["Ace", "Zoe"]
    members = as_user(people.member).get(address).content.decode()
    assert [one.name for one in trf.read(members).players] == ["Ann", "Zoe"]


def test_nobody_else_takes_one_of_members_along(people: People, as_user: Any, client: Any) -> None:
    made = imported(people, Visibility.MEMBERS)
    address = f"/herzclub/tournaments/{made.slug}/standings/trf/"
    assert client.get(address).status_code == as_user(people.stranger).get(address).status_code == 404
    assert as_user(people.member).get(address).status_code == 200


# --- Large files are jobs ---------------------------------------------------------------------------------------------


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two players and their table are many."""
    monkeypatch.setattr(tournament_file_jobs, "AT_ONCE", 2)


def worked(address: str) -> None:
    """Let a worker do what the page waits for."""
    tournament_file_jobs.take_file(TournamentFile.objects.get(pk=int(address.split("/")[-2])).job_id)


@pytest.mark.usefixtures("large")
def test_a_large_file_has_a_page_of_its_own(people: People, as_user: Any) -> None:
    browser = as_user(people.scorekeeper)
    address = browser.post(PAGE, {**SENT, "text": FILE, "look": "1"})["Location"]
    file = TournamentFile.objects.get()
    assert address == f"{PAGE}{file.pk}/"
    page = browser.get(address).content.decode()
    assert 'data-live="1"' in page
    # Without JavaScript it is asked for again.
    assert '<noscript><meta http-equiv="refresh"' in page
    assert '<progress id="progress" value="0" max="10">' in page
    # Whoever comes back finds it.
    assert f'href="{address}"' in browser.get(PAGE).content.decode()
    claim = jobs.claim(job_id=file.job_id, now=timezone.now())
    assert claim is not None
    claim.progress(done=1, now=timezone.now())
    assert "what would come of it is being worked out" in browser.get(address).content.decode()
    claim.give_back(error="")
    worked(address)
    page = browser.get(address).content.decode()
    assert 'data-live="0"' in page
    assert "http-equiv" not in page
    assert "Zoe" in page
    assert not Tournament.objects.exists()
    assert browser.post(address, {"action": "take"})["Location"] == address
    assert "the tournament is being made" not in browser.get(address).content.decode()
    worked(address)
    made = Tournament.objects.get()
    page = browser.get(address).content.decode()
    assert f'href="/herzclub/tournaments/{made.slug}/manage/"' in page
    assert 'value="take"' not in page
    assert f'href="{address}"' not in browser.get(PAGE).content.decode()
    made.delete()
    assert "is not there any more" in browser.get(address).content.decode()


@pytest.mark.usefixtures("large")
def test_the_job_of_a_large_file_is_cancelled_and_asked_for_again(people: People, as_user: Any) -> None:
    browser = as_user(people.scorekeeper)
    address = browser.post(PAGE, {**SENT, "text": FILE, "look": "1"})["Location"]
    assert browser.post(address, {"action": "cancel"})["Location"] == address
    worked(address)
    assert "was cancelled" in browser.get(address).content.decode()
    # Too late, by another page that still stands.
    browser.post(address, {"action": "cancel"})
    assert Job.objects.get().state == JobState.CANCELLED
    browser.post(address, {"action": "look"})
    worked(address)
    assert "Zoe" in browser.get(address).content.decode()


@pytest.mark.usefixtures("large")
def test_what_is_wrong_in_a_large_file_is_told_by_line(people: People, as_user: Any) -> None:
    browser = as_user(people.scorekeeper)
    wrong = browser.post(PAGE, {**SENT, "text": FILE.replace(" w 1", " w 5"), "look": "1"})
    assert list(wrong.context["form"].errors) == ["text"]
    address = browser.post(PAGE, {**SENT, "text": FILE, "look": "1"})["Location"]
    access, ann = people.access(people.owner), people.players[0].pk
    players.update(access=access, player_id=ann, changes={"archived": True}, now=NOW)
    worked(address)
    page = browser.get(address).content.decode()
    assert "Line 4: “Ann” is archived" in page
    assert 'value="take"' not in page
    assert 'value="look"' in page


@pytest.mark.usefixtures("large")
def test_odd_points_of_a_large_file_are_ticked(people: People, as_user: Any) -> None:
    browser = as_user(people.scorekeeper)
    odd = {**SENT, "text": FILE.replace("1.0    1", "7.0    1")}
    looked = browser.post(PAGE, {**odd, "look": "1"})["Location"]
    # Somebody who does not look first.
    refused = browser.post(PAGE, {**odd, "import": "1"})["Location"]
    for address in (looked, refused):
        worked(address)
        page = browser.get(address).content.decode()
        assert "Line 4: Ann has 7.0 points there" in page
        assert 'value="points_differ"' in page
        unticked = browser.post(address, {"action": "take"})
        assert unticked.status_code == 200
        assert "Tick this box" in unticked.content.decode()
    assert browser.post(looked, {"action": "take", "confirm": "points_differ"})["Location"] == looked
    worked(looked)
    assert Tournament.objects.count() == 1


@pytest.mark.usefixtures("large")
def test_nobody_else_sees_a_large_file(people: People, as_user: Any, client: Any) -> None:
    address = as_user(people.scorekeeper).post(PAGE, {**SENT, "text": FILE, "look": "1"})["Location"]
    assert as_user(people.admin).get(address).status_code == 200
    assert as_user(people.member).get(address).status_code == 403
    assert as_user(people.stranger).get(address).status_code == 404
    elsewhere = address.replace("herzclub", "pikclub")
    for act in ("get", "post"):
        assert getattr(as_user(people.stranger), act)(elsewhere, {"action": "take"}).status_code == 404
