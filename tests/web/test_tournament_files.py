"""Pages of report files: one taken along, one that becomes a tournament."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from league.exchange import trf
from league.models import Tournament, Visibility
from league.services import tournament_files
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
