"""An import in the pages, without JavaScript: uploaded, decided on, watched, taken back."""

from collections.abc import Callable
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from league.models import ClubGame, ImportBatch, ImportState, Job, JobState, Player, Session
from league.services import imports
from tests.exchange.files import bgg_play, bgg_player, bgg_plays
from tests.people import People
from tests.web.page import Page

Clients = Callable[..., Client]
PATH = "/herzclub/manage/imports/"


def upload(client: Client, content: bytes) -> Any:
    return client.post(PATH, {"file": SimpleUploadedFile("plays.xml", content)})


def answers(page: Page) -> dict[str, str]:
    """What a browser sends of the form as it is shown."""
    chosen = {}
    for select in page.all("select"):
        options = list(page.all("option", inside=select))
        marked = [one for one in options if "selected" in one.attributes] or options[:1]
        chosen[select.attributes["name"]] = marked[0].attributes["value"]
    return chosen


def work() -> None:
    job = ImportBatch.objects.get().job_id
    assert job is not None
    imports.carry_out(job)


def test_the_way_of_a_file(people: People, as_user: Clients) -> None:
    client = as_user(people.admin)
    assert PATH in client.get("/herzclub/manage/").content.decode()
    plays = [
        bgg_play(1, [bgg_player("Anne", score="3", win="1"), bgg_player("Zoe", score="1")], game="Skyjo"),
        bgg_play(2, [bgg_player("Cem", score="31"), bgg_player("Ben", score="0")], quantity="2"),
        bgg_play(3, None),
    ]
    path = upload(client, bgg_plays(plays))["Location"]
    page = Page(client.get(path).content.decode())
    chosen = answers(page)
    labels = {label.attributes["for"]: label.text for label in page.all("label")}
    by_name = {text.split(" ")[0]: key.removeprefix("id_") for key, text in labels.items()}
    assert chosen[by_name["Anne"]] == str(people.players[0].pk), "the name that is most alike is preselected"
    assert "to be decided" in labels[f"id_{by_name['Anne']}"]
    assert chosen[by_name["Zoe"]] == "new"
    assert chosen[by_name["Skyjo"]] == "new-high", "as the winner of the play shows"
    assert "Play 3 Nobody is named who played." in page.one("section", id="problems").text

    assert "Import with these choices" in page.text, "how many it will be is not known yet"
    open_still = Page(client.post(path, {**chosen, "apply": "1"}).content.decode())
    marked = open_still.one("select", name="repeated").attributes
    assert open_still.one("ul", id=marked["aria-describedby"]).text == "This field is required."
    assert ImportBatch.objects.get().state == ImportState.PREVIEW
    chosen = answers(open_still)
    looked = Page(client.post(path, {**chosen, "repeated": "once", "look": "1"}, follow=True).content.decode())
    assert "Import 2 plays" in looked.text
    chosen = answers(looked)
    assert client.post(path, {**chosen, "season": people.season.pk, "apply": "1"})["Location"] == path

    waiting = Page(client.get(path).content.decode())
    assert (waiting.one("progress").attributes["value"], waiting.one("progress").attributes["max"]) == ("0", "2")
    # Without JavaScript the page asks again by itself.
    assert next(waiting.all("meta", content="2")).around[-1].tag == "noscript"
    work()
    done = Page(client.get(path).content.decode())
    assert done.one("dd", id="state").text == "imported"
    assert not list(done.all("progress"))
    assert Session.objects.filter(season=people.season).count() == 2
    assert (ClubGame.objects.get().name, Player.objects.filter(name="Zoe").count()) == ("Skyjo", 1)

    client.post(path, {"revert": "1"})
    work()
    assert "taken back" in Page(client.get(path).content.decode()).text
    assert not Session.objects.filter(voided_at=None).exists()
    assert "plays.xml" in client.get(PATH).content.decode()


def test_mistakes_are_told(people: People, as_user: Clients) -> None:
    client = as_user(people.admin)
    page = Page(upload(client, b"hello").content.decode())
    assert "This file is none of BG Stats" in page.text
    assert Page(client.post(PATH, {"x": "y"}).content.decode()).one("div", role="alert").text
    path = upload(client, bgg_plays([bgg_play(1, [bgg_player("Ann", score="3"), bgg_player("Ben", score="1")])]))[
        "Location"
    ]
    wrong = Page(client.post(path, {"player_0": "999999", "look": "1"}).content.decode())
    assert "999999" in wrong.text
    assert client.post(path, {"discard": "1"})["Location"] == PATH
    assert not ImportBatch.objects.exists()


def test_a_job_that_failed_can_be_asked_for_again(people: People, as_user: Clients) -> None:
    client = as_user(people.admin)
    path = upload(client, bgg_plays([bgg_play(1, [bgg_player("Ann", score="31"), bgg_player("Ben", score="0")])]))[
        "Location"
    ]
    client.post(path, {**answers(Page(client.get(path).content.decode())), "apply": "1"})
    Job.objects.update(state=JobState.FAILED)
    page = Page(client.get(path).content.decode())
    assert page.one("button", name="again").text
    client.post(path, {"again": "1"})
    work()
    assert ImportBatch.objects.get().state == ImportState.APPLIED


def test_who_may(people: People, as_user: Clients) -> None:
    path = upload(as_user(people.admin), bgg_plays([bgg_play(1, [bgg_player("Ann", score="3")])]))["Location"]
    for address in (PATH, path):
        assert as_user(people.scorekeeper).get(address).status_code == 403
        assert as_user(people.stranger).get(address).status_code == 404
        assert as_user(people.stranger).get(address.replace("herz", "pik")).status_code == (
            200 if address == PATH else 404
        )
        assert Client().get(address).status_code == 302
