"""What the script of a round's page talks to, and the page without it: shapes, answers, who may, what is kept."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from league.models import Round, Session, SessionStatus
from league.services import results, table_links
from league.services.evenings import SeatInput, SessionInput
from tests.people import NOW, People
from tests.web.page import Page

pytestmark = pytest.mark.usefixtures("present")

Clients = Callable[..., Client]


@pytest.fixture
def session(people: People) -> Session:
    """An evening of Pure XXL of Ann and Ben that goes on."""
    seats = tuple(SeatInput(player.pk) for player in people.players[:2])
    data = SessionInput(format="pure_xxl", played_on=NOW.date(), players=seats, season=people.season.pk)
    return results.record(access=people.access(people.owner), data=data, confirm=frozenset(), now=NOW)


@pytest.fixture
def link(people: People, session: Session) -> str:
    _link, raw = table_links.create(access=people.access(people.scorekeeper), session_id=session.pk, now=NOW)
    return f"/table/{raw}/"


def round_of(people: People, *points: int, number: int = 1, **changes: Any) -> dict[str, Any]:
    scores = [{"player": player.pk, "points": one} for player, one in zip(people.players, points, strict=False)]
    game = f"xxl-{number}"
    return {"key": f"k{number}", "number": number, "game": game, "note": "", "scores": scores, "confirm": [], **changes}


def post(client: Client, path: str, body: object, status: int) -> Any:
    answer = client.post(path, json.dumps(body), content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json()


def test_a_round_is_stored_once_and_each_refusal_has_its_word(people: People, session: Session, link: str) -> None:
    phone = Client(enforce_csrf_checks=True)
    path = f"{link}rounds/"
    body = round_of(people, 0, 31)
    for _time in range(2):
        answer = post(phone, path, body, 200)
        assert (answer["state"], answer["status"]) == ("stored", "open")
    taken = post(phone, path, round_of(people, 31, 0, key="other"), 409)
    assert (taken["state"], taken["maySettle"], taken["following"]) == ("taken", True, 2)
    assert [(one["points"], one["place"]) for one in taken["theirs"]["scores"]] == [(0, 1), (31, 2)]
    odd = post(phone, path, round_of(people, 5, 31, number=2), 422)
    assert (odd["state"], [one["code"] for one in odd["warnings"]]) == ("odd", ["nobody_at_zero"])
    assert odd["warnings"][0]["message"].startswith("Nobody has 0 points.")
    wrong = post(phone, path, round_of(people, -3, 31, number=2), 422)
    assert (wrong["state"], wrong["message"]) == ("wrong", "Points are whole numbers from 0 on in this game.")
    ahead = post(phone, path, round_of(people, 40, 52, number=4), 409)
    assert (ahead["state"], ahead["following"]) == ("ahead", 2)
    settled = post(phone, path, {**round_of(people, 31, 0, key="other"), "replaces": taken["revision"]}, 200)
    assert settled["revision"] == taken["revision"] + 1
    stale = post(phone, path, {**round_of(people, 30, 0, key="third"), "replaces": taken["revision"]}, 409)
    assert (stale["state"], stale["revision"]) == ("taken", settled["revision"])
    assert [score.points for score in Round.objects.get().scores.order_by("player")] == [31, 0]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("no object", "JSON object"),
        ({"key": ""}, "key: "),
        ({"key": "k" * 65}, "key: "),
        ({"number": 0}, "number: "),
        ({"number": True}, "number: "),
        ({"number": 10**30}, "number: "),
        ({"game": None}, "Give a text"),
        ({"note": "\x00"}, "Give a text"),
        ({"scores": {}}, "“player”"),
        ({"scores": [{"player": "Ann", "points": 3}]}, "“player”"),
        ({"scores": [{"player": 1, "points": 1.5}]}, "“player”"),
        ({"confirm": "nobody_at_zero"}, "confirm: "),
        ({"replaces": "1"}, "replaces: "),
    ],
)
def test_another_shape_is_named(people: People, session: Session, link: str, body: Any, named: str) -> None:
    sent = body if isinstance(body, str) else {**round_of(people, 0, 31), **body}
    answer = post(Client(), f"{link}rounds/", sent, 422)
    assert answer["state"] == "wrong"
    assert named in answer["message"]
    assert not Round.objects.exists()


def test_what_is_no_json_is_named(session: Session, link: str) -> None:
    answer = Client().post(f"{link}rounds/", b"\xff{", content_type="application/json")
    assert (answer.status_code, answer.json()["message"]) == (422, "Send a JSON object.")


def test_a_link_that_ended_and_a_session_that_is_over_say_so(people: People, session: Session, link: str) -> None:
    phone = Client()
    assert post(phone, "/table/nothing/rounds/", round_of(people, 0, 31), 404) == {"state": "gone"}
    post(phone, f"{link}rounds/", round_of(people, 0, 31), 200)
    results.end(access=people.access(people.owner), session_id=session.pk, confirm={"ends_early"}, now=NOW)
    over = post(phone, f"{link}rounds/", round_of(people, 24, 0, number=2), 409)
    assert (over["state"], over["following"]) == ("refused", None)
    assert "ended" in over["message"]
    # A round that is stored already needs nobody, whatever became of the session.
    assert post(phone, f"{link}rounds/", round_of(people, 0, 31), 200)["state"] == "stored"
    for name, value in (("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")):
        answer = phone.post(f"{link}rounds/", "{}", content_type="application/json")
        assert answer[name] == value


def test_a_login_needs_a_form_token(people: People, session: Session) -> None:
    phone = Client(enforce_csrf_checks=True)
    phone.force_login(people.scorekeeper)
    path = f"/herzclub/sessions/{session.pk}/store-round/"
    body = json.dumps(round_of(people, 0, 31))
    assert phone.post(path, body, content_type="application/json").status_code == 403
    phone.get(f"/herzclub/sessions/{session.pk}/enter/")
    token = {"X-CSRFToken": phone.cookies["csrftoken"].value}
    assert phone.post(path, body, content_type="application/json", headers=token).status_code == 200


# --- The page ---------------------------------------------------------------------------------------------------------


def test_the_page_brings_all_that_a_phone_needs(people: People, session: Session, as_user: Clients) -> None:
    keeper = as_user(people.scorekeeper)
    path = f"/herzclub/sessions/{session.pk}/"
    post(keeper, f"{path}store-round/", round_of(people, 0, 31), 200)
    page = Page(keeper.get(f"{path}enter/").content.decode())
    entry = json.loads(page.one("script", id="entry-data").text)
    ann, ben = (player.pk for player in people.players[:2])
    assert [(one["player"], one["name"], one["until"]) for one in entry["seats"]] == [
        (ann, "Ann", None),
        (ben, "Ben", None),
    ]
    assert entry["rounds"][0]["scores"][1] == {"player": ben, "points": 31, "place": 2}
    assert entry["totals"][str(ben)]["sum"] == 2
    assert entry["choices"] == [f"xxl-{number}" for number in range(1, 7)]
    # Low wins in games 1, 2 and 5, high in 3, 4 and 6: docs/rules/xxl.md.
    assert [entry["games"][key]["high"] for key in entry["choices"]] == [False, False, True, True, False, True]
    assert entry["games"]["xxl-1"]["bounds"]["draw_pile_ran_out"]["2"]["zero"] == "at_most_one"
    assert entry["addresses"]["store"] == f"{path}store-round/"
    # Nothing that the policy of the pages forbids.
    assert not [
        one
        for one in page.all("script")
        if not one.attributes.get("src") and one.attributes["type"] == "text/javascript"
    ]


def test_a_round_is_taken_back_without_a_script(people: People, session: Session, link: str, as_user: Clients) -> None:
    keeper = as_user(people.scorekeeper)
    path = f"/herzclub/sessions/{session.pk}/"
    for client, here in ((keeper, f"{path}enter/"), (Client(), link)):
        back = f"{link if here == link else path}take-back/"
        assert not list(Page(client.get(here).content.decode()).all("form", action=back))
        session.refresh_from_db()
        post(keeper, f"{path}store-round/", round_of(people, 0, 31, key=here[-40:]), 200)
        page = Page(client.get(here).content.decode())
        form = page.one("form", action=back)
        fields = {
            one.attributes["name"]: one.attributes["value"]
            for one in page.all("input", inside=form)
            if one.attributes["name"] != "csrfmiddlewaretoken"
        }
        wrong = client.post(back, {**fields, "revision": "0"}, follow=True)
        assert "Somebody else changed this session meanwhile." in Page(wrong.content.decode()).text
        assert Round.objects.count() == 1
        done = client.post(back, fields, follow=True)
        assert "The last round is taken back: enter it anew." in Page(done.content.decode()).text
        assert not Round.objects.exists()
    session.refresh_from_db()
    assert session.status == SessionStatus.OPEN


def test_the_worker_is_asked_for_each_time(client: Client, db: None) -> None:
    answer = client.get("/entry-worker.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"
    assert 'const STATIC = "/static/";' in answer.content.decode()
