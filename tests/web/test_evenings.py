"""An evening entered in the pages, round by round, without JavaScript."""

from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client

from league.models import Round, Session, SessionResult, SessionStatus, Standing
from league.services import results
from league.services.results import SeatInput, SessionInput
from tests.people import NOW, People
from tests.web.page import Page

Clients = Callable[..., Client]


@pytest.fixture
def keeper(people: People, as_user: Clients) -> Client:
    return as_user(people.scorekeeper)


def opened(people: People, client: Client, players: int = 2, **changes: object) -> Session:
    """Open a session of Pure XXL through the form."""
    seats = {f"seat_{seat}": people.players[seat].pk for seat in range(players)}
    form = {"season": people.season.pk, "format": "pure_xxl", "repeats": 1, "played_on": "2026-11-20"}
    answer = client.post("/herzclub/sessions/new/", {**form, **seats, **changes})
    session = Session.objects.latest("pk")
    assert answer.status_code == 302
    assert answer["Location"] == f"/herzclub/sessions/{session.pk}/enter/"
    return session


def enter(people: People, client: Client, session: Session, game: str, *numbers: int, **extra: object) -> Page:
    """Send the next round's form for the first players in seat order; the page that follows."""
    scores = {f"score_{player.pk}": n for player, n in zip(people.players, numbers, strict=False)}
    path = f"/herzclub/sessions/{session.pk}/enter/"
    answer = client.post(path, {"game": game, "note": "", "kind": "points", **scores, **extra}, follow=True)
    assert answer.status_code == 200
    return Page(answer.content.decode())


def test_a_whole_evening_ends_on_the_leaderboard(people: People, keeper: Client) -> None:
    session = opened(people, keeper)

    enter(people, keeper, session, "xxl-1", 0, 31)
    enter(people, keeper, session, "xxl-2", 24, 0)
    enter(people, keeper, session, "xxl-3", 96, 64)
    enter(people, keeper, session, "xxl-4", 51, 29)
    enter(people, keeper, session, "xxl-5", 13, 22)
    page = enter(people, keeper, session, "xxl-6", 120, 101)

    session.refresh_from_db()
    assert session.status == SessionStatus.COMPLETE
    assert page.one("h1").text.startswith("Score sheet")
    # Ann: 1+2+1+1+1+1 = 7, Ben: 2+1+2+2+2+2 = 11.
    assert list(SessionResult.objects.order_by("place").values_list("player__name", "place_sum", "place")) == [
        ("Ann", 7, 1),
        ("Ben", 11, 2),
    ]
    assert Standing.objects.filter(season=people.season, player__name="Ann", wins=1).exists()


def test_the_form_offers_the_game_that_comes_next(people: People, keeper: Client) -> None:
    session = opened(people, keeper)

    page = enter(people, keeper, session, "xxl-1", 0, 31)

    assert page.one("h1").text == "Round 2 of 6"
    chosen = [option.text for option in page.all("option") if "selected" in option.attributes]
    assert "Always Keep Under" in chosen


def test_an_implausible_round_waits_for_a_tick(people: People, keeper: Client) -> None:
    session = opened(people, keeper)

    page = enter(people, keeper, session, "xxl-1", 5, 31)

    assert "Nobody has 0 points." in page.text
    assert not Round.objects.exists()
    tick = page.one("input", name="confirm")
    # What was typed is still there.
    assert page.one("input", name=f"score_{people.players[1].pk}").attributes["value"] == "31"
    enter(people, keeper, session, "xxl-1", 5, 31, confirm=tick.attributes["value"])
    assert Round.objects.get().confirmed == [tick.attributes["value"]]


def test_a_place_that_is_shared_so_far_says_so(people: People, keeper: Client) -> None:
    # Two second places, then fourth: docs/rules/xxl.md, "Scoring a session".
    session = opened(people, keeper, players=4)
    page = enter(people, keeper, session, "xxl-1", 0, 14, 14, 31)
    places = [place.split()[0] for place in page.rows(page.one("table"))[-1]]
    assert places == ["1", "2=", "2=", "4"]


def test_a_mistake_is_told_at_its_field(people: People, keeper: Client) -> None:
    session = opened(people, keeper)

    page = enter(people, keeper, session, "xxl-1", -3, 31)

    ann, ben = people.players[:2]
    assert page.one("input", name=f"score_{ann.pk}").attributes["aria-invalid"] == "true"
    assert "aria-invalid" not in page.one("input", name=f"score_{ben.pk}").attributes
    error = page.one("ul", id=f"id_score_{ann.pk}_error")
    assert error.text == "Points are whole numbers from 0 on in this game."
    assert page.one("input", name=f"score_{ann.pk}").attributes["aria-describedby"] == error.attributes["id"]
    assert not Round.objects.exists()


@pytest.mark.parametrize("number", ["", "x", "1.5", "99999999999999999999"])
def test_what_is_no_whole_number_is_refused(people: People, keeper: Client, number: str) -> None:
    session = opened(people, keeper)

    page = enter(people, keeper, session, "xxl-1", 0, **{f"score_{people.players[1].pk}": number})

    assert page.one("ul", id=f"id_score_{people.players[1].pk}_error").text
    assert not Round.objects.exists()


def test_a_round_sent_twice_is_stored_once(people: People, keeper: Client) -> None:
    session = opened(people, keeper, format="individual_xxl", planned_rounds=4)
    path = f"/herzclub/sessions/{session.pk}/enter/"
    shown = Page(keeper.get(path).content.decode()).one("input", name="number").attributes["value"]

    enter(people, keeper, session, "xxl-4", 60, 40, number=shown)
    again = enter(people, keeper, session, "xxl-4", 60, 40, number=shown)

    assert Round.objects.get().number == 1
    assert "Round 1 is stored already." in again.text
    assert again.one("input", name="number").attributes["value"] == "2"


def test_a_form_of_a_round_that_is_stored_gives_a_fresh_one(people: People, keeper: Client) -> None:
    session = opened(people, keeper)
    enter(people, keeper, session, "xxl-1", 0, 31)

    # Wrong in another way as well: that is nothing to put right any more.
    page = enter(people, keeper, session, "xxl-1", -3, 31, number=1)

    assert page.one("h1").text == "Round 2 of 6"
    assert page.one("input", name="number").attributes["value"] == "2"
    assert not page.one("input", name=f"score_{people.players[1].pk}").attributes.get("value")


def test_a_form_of_a_round_that_is_not_next_is_told_so_on_top(people: People, keeper: Client) -> None:
    session = opened(people, keeper)

    page = enter(people, keeper, session, "xxl-1", 0, 31, number=2)

    assert not Round.objects.exists()
    assert [note.text for note in page.all("div", role="alert")] == ["The next round of this session is number 1."]
    assert page.one("input", name="number").attributes["value"] == "1"


def test_a_tick_that_is_missing_is_asked_for(people: People, keeper: Client) -> None:
    session = opened(people, keeper)
    first = enter(people, keeper, session, "xxl-1", 5, 31)
    asked = first.one("input", name="asked").attributes["value"]
    assert "Tick this box" not in first.text

    again = enter(people, keeper, session, "xxl-1", 5, 31, asked=asked)

    assert not Round.objects.exists()
    told = again.one("p", id=f"unticked-{asked}")
    assert told.text.startswith("Tick this box if it is right")
    assert again.one("input", name="confirm").attributes["aria-describedby"] == told.attributes["id"]
    enter(people, keeper, session, "xxl-1", 5, 31, asked=asked, confirm=asked)
    assert Round.objects.exists()


def test_a_question_stands_alone_with_its_box_and_button(people: People, keeper: Client) -> None:
    session = opened(people, keeper)

    page = enter(people, keeper, session, "xxl-1", 5, 31)

    question = page.one("div", role="alert")
    assert "autofocus" in question.attributes
    assert page.one("input", inside=question, name="confirm")
    assert page.one("button", inside=question).text == "Confirm and store the round"
    assert not list(page.all("table"))
    assert "End the session early" not in page.text
    # Nothing else asks for the focus.
    assert [one for one in page.elements if "autofocus" in one.attributes] == [question]


def test_the_first_score_is_where_typing_begins(people: People, keeper: Client) -> None:
    session = opened(people, keeper)
    page = Page(keeper.get(f"/herzclub/sessions/{session.pk}/enter/").content.decode())

    ann, ben = (page.one("input", name=f"score_{player.pk}") for player in people.players[:2])
    assert [one for one in page.elements if "autofocus" in one.attributes] == [ann]
    assert ann.attributes["inputmode"] == ben.attributes["inputmode"] == "numeric"
    # From the scores on, the next stop of the Tab key is the button.
    stops = [one for one in page.elements if one.tag in {"input", "select", "button", "a"}]
    after = stops[stops.index(ann) + 1 :]
    assert after[0] is ben
    assert after[1].text == "Store the round"


def test_keys_with_a_minus_where_points_may_be_negative(people: People, keeper: Client) -> None:
    """A player's points in und Tschüss can be below 0; some phones' numeric keys have no minus."""
    session = opened(people, keeper, players=4, format="single_game")
    page = Page(keeper.get(f"/herzclub/sessions/{session.pk}/enter/").content.decode())

    assert "inputmode" not in page.one("input", name=f"score_{people.players[0].pk}").attributes


def test_the_choice_of_places_stays(people: People, keeper: Client) -> None:
    session = opened(people, keeper)

    def chosen(page: Page) -> list[str]:
        return [one.attributes["value"] for one in page.all("input", name="kind") if "checked" in one.attributes]

    assert chosen(enter(people, keeper, session, "xxl-1", 1, 2, kind="place")) == ["place"]
    assert chosen(enter(people, keeper, session, "xxl-2", 24, 0, kind="points")) == ["points"]


def _notes(page: Page) -> list[str]:
    selects = list(page.all("select", name="note"))
    return [option.text for select in selects for option in page.all("option", inside=select)]


def test_notes_are_those_of_the_game_that_comes_next(people: People, keeper: Client) -> None:
    session = opened(people, keeper)

    first = Page(keeper.get(f"/herzclub/sessions/{session.pk}/enter/").content.decode())
    assert _notes(first) == ["no note", "the draw pile ran out"]
    enter(people, keeper, session, "xxl-1", 0, 31)
    assert _notes(enter(people, keeper, session, "xxl-2", 24, 0)) == ["no note", "early end"]
    # Game 4 has none.
    assert _notes(enter(people, keeper, session, "xxl-3", 96, 64)) == []


def test_all_notes_are_offered_where_the_next_game_is_open(people: People, keeper: Client) -> None:
    session = opened(people, keeper, format="individual_xxl", planned_rounds=4)

    page = Page(keeper.get(f"/herzclub/sessions/{session.pk}/enter/").content.decode())

    assert _notes(page) == ["no note", "the draw pile ran out", "early end"]


def test_a_note_of_another_game_is_told_with_those_that_may_be(people: People, keeper: Client) -> None:
    session = opened(people, keeper)

    page = enter(people, keeper, session, "xxl-3", 96, 64, note="draw_pile_ran_out")

    assert "This note does not belong to this game." in page.one("ul", id="id_note_error").text
    assert _notes(page) == ["no note", "early end"]


def test_a_series_goes_on_with_its_first_game(people: People, keeper: Client) -> None:
    session = opened(people, keeper, players=3, format="series", planned_rounds=2)
    path = f"/herzclub/sessions/{session.pk}/enter/"

    def offered() -> list[str | None]:
        page = Page(keeper.get(path).content.decode())
        return [tag.attributes["value"] for tag in page.all("option", inside=page.one("select", id="id_game"))]

    assert "xxl-1" in offered()
    enter(people, keeper, session, "und-tschuess", 31, 12, 5)
    assert offered() == ["und-tschuess"]
    page = enter(people, keeper, session, "und-tschuess", 3, 12, 20)

    assert page.one("h1").text.startswith("Score sheet")
    assert "series of one game" in page.text
    # 1 + 3, 2 + 2 and 3 + 1.
    assert list(SessionResult.objects.values_list("place_sum", "place")) == [(4, 1)] * 3


def test_a_cooperative_game_has_one_result_for_the_table(people: People, keeper: Client) -> None:
    session = opened(people, keeper, format="single_game")
    asked = Page(keeper.get(f"/herzclub/sessions/{session.pk}/enter/").content.decode())
    assert "The Game: one result for the table" in asked.text

    page = enter(people, keeper, session, "the-game", 7, 7)

    assert "One result for the table" in page.text
    assert "The lowest sum wins" not in page.text
    assert "Final place" not in page.text


def test_the_entry_of_the_game_names_what_is_counted(people: People, keeper: Client) -> None:
    session = opened(people, keeper, format="series", planned_rounds=2)
    path = f"/herzclub/sessions/{session.pk}/enter/"
    asked = Page(keeper.get(path).content.decode())
    assert "The Game: one result for the table, so give all the same number of cards left." in asked.text
    enter(people, keeper, session, "the-game", 7, 7)
    asked = Page(keeper.get(path).content.decode())
    kinds = [one.text for one in asked.all("label") if one.attributes.get("for", "").startswith("id_kind_")]
    assert kinds == ["cards left", "places"]


def test_places_instead_of_points(people: People, keeper: Client) -> None:
    session = opened(people, keeper)

    wrong = enter(people, keeper, session, "xxl-1", 1, 3, kind="place")
    assert "2 was expected" in wrong.text
    enter(people, keeper, session, "xxl-1", 1, 2, kind="place")

    assert sorted(Round.objects.get().scores.values_list("points", "place")) == [(None, 1), (None, 2)]


def test_a_substitute_takes_the_seat(people: People, keeper: Client) -> None:
    session = opened(people, keeper)
    enter(people, keeper, session, "xxl-1", 0, 31)
    _ann, ben, cem = people.players[:3]
    path = f"/herzclub/sessions/{session.pk}/table/"

    answer = keeper.post(path, {"player": cem.pk, "substitutes": ben.pk}, follow=True)

    page = Page(answer.content.decode())
    assert "Cem plays for Ben from round 2 on." in page.text
    assert list(page.all("input", name=f"score_{cem.pk}"))
    assert not list(page.all("input", name=f"score_{ben.pk}"))


def test_joining_and_leaving(people: People, keeper: Client) -> None:
    session = opened(people, keeper)
    enter(people, keeper, session, "xxl-1", 0, 31)
    ann, ben, cem = people.players[:3]
    path = f"/herzclub/sessions/{session.pk}/table/"

    keeper.post(path, {"player": cem.pk, "substitutes": ""})
    page = Page(keeper.post(path, {"player": "", "substitutes": ben.pk}, follow=True).content.decode())

    fields = [field.attributes["name"] for field in page.all("input") if field.attributes["name"].startswith("score_")]
    assert fields == [f"score_{ann.pk}", f"score_{cem.pk}"]
    nobody = Page(keeper.post(path, {"player": "", "substitutes": ""}).content.decode())
    told = nobody.one("div", role="alert")
    assert told.text == "Choose who comes, who gets up, or both."
    assert "autofocus" in told.attributes
    assert not list(nobody.all("table"))


def test_seats_agreed_for_later_rounds(people: People, keeper: Client) -> None:
    ann, ben, cem, dora = people.players[:4]
    # As a program may open it: Ben plays rounds 1 and 2 only, Cem comes in round 2, Dora sits throughout.
    data = SessionInput(
        format="pure_xxl",
        played_on=date(2026, 11, 20),
        season=people.season.pk,
        players=(
            SeatInput(ann.pk),
            SeatInput(ben.pk, until_round=2),
            SeatInput(cem.pk, from_round=2),
            SeatInput(dora.pk),
        ),
    )
    session = results.record(access=people.access(people.scorekeeper), data=data, confirm=(), now=NOW)
    path = f"/herzclub/sessions/{session.pk}/enter/"

    def asked() -> list[str]:
        page = Page(keeper.get(path).content.decode())
        return [one.text for one in page.all("label") if one.text in {"Ann", "Ben", "Cem", "Dora"}]

    def post(game: str, **points: int) -> None:
        scores = {f"score_{player.pk}": points[player.name] for player in people.players if player.name in points}
        assert keeper.post(path, {"game": game, "note": "", "kind": "points", **scores}).status_code == 302

    assert asked() == ["Ann", "Ben", "Dora"]
    post("xxl-1", Ann=0, Ben=9, Dora=12)
    assert asked() == ["Ann", "Ben", "Cem", "Dora"]
    post("xxl-2", Ann=0, Ben=9, Cem=10, Dora=12)
    assert asked() == ["Ann", "Cem", "Dora"]


def test_ending_early_is_confirmed_first(people: People, keeper: Client) -> None:
    session = opened(people, keeper)
    enter(people, keeper, session, "xxl-1", 0, 31)
    path = f"/herzclub/sessions/{session.pk}/end/"

    asked = Page(keeper.post(path).content.decode())
    question = asked.one("div", role="alert")
    assert "1 of 6 rounds were played" in question.text
    assert "Correct it" not in question.text
    assert "autofocus" in question.attributes
    assert asked.one("button", inside=question).text == "End the session"
    assert not list(asked.all("table"))
    assert not list(asked.all("input", name=f"score_{people.players[0].pk}"))
    assert "Tick this box" in keeper.post(path, {"asked": "ends_early"}).content.decode()
    session.refresh_from_db()
    assert session.status == SessionStatus.OPEN
    answer = keeper.post(path, {"confirm": "ends_early"})

    assert answer["Location"] == f"/herzclub/sessions/{session.pk}/"
    session.refresh_from_db()
    assert session.status == SessionStatus.INCOMPLETE


def test_a_session_needs_players(people: People, keeper: Client) -> None:
    form = {"season": people.season.pk, "format": "pure_xxl", "repeats": 1, "played_on": "2026-11-20"}

    answer = keeper.post("/herzclub/sessions/new/", form)

    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert not Session.objects.exists()


def test_the_same_player_on_two_seats_is_told_at_the_seat(people: People, keeper: Client) -> None:
    form = {"season": people.season.pk, "format": "pure_xxl", "repeats": 1, "played_on": "2026-11-20"}
    ann = people.players[0].pk

    answer = keeper.post("/herzclub/sessions/new/", {**form, "seat_0": ann, "seat_3": ann})

    page = Page(answer.content.decode())
    assert page.one("ul", id="id_seat_3_error").text
    assert not Session.objects.exists()


def test_players_of_another_club_are_not_offered(people: People, keeper: Client) -> None:
    form = {"season": people.season.pk, "format": "pure_xxl", "repeats": 1, "played_on": "2026-11-20"}
    seats = {"seat_0": people.players[0].pk, "seat_1": people.other_players[1].pk}

    answer = keeper.post("/herzclub/sessions/new/", {**form, **seats})

    assert Page(answer.content.decode()).one("ul", id="id_seat_1_error").text
    assert not Session.objects.exists()


def test_who_may_enter(people: People, as_user: Clients, keeper: Client) -> None:
    session = opened(people, keeper)
    base = f"/herzclub/sessions/{session.pk}"

    for path in (f"{base}/enter/", "/herzclub/sessions/new/"):
        assert Client().get(path)["Location"].startswith("/login/?next=")
        assert as_user(people.stranger).get(path).status_code == 404
        refused = as_user(people.member).get(path)
        assert refused.status_code == 403
        assert "it takes the role “scorekeeper” or a higher one" in refused.content.decode()
        assert as_user(people.owner).get(path).status_code == 200
    for path in (f"{base}/table/", f"{base}/end/"):
        assert as_user(people.stranger).post(path).status_code == 404
        assert as_user(people.member).post(path).status_code == 403
        assert keeper.get(path).status_code == 405
    assert as_user(people.stranger).get(f"/pikclub/sessions/{session.pk}/enter/").status_code == 404


def test_an_ended_session_shows_its_sheet(people: People, keeper: Client, evenings: list[Session]) -> None:
    answer = keeper.get(f"/herzclub/sessions/{evenings[0].pk}/enter/")

    assert answer["Location"] == f"/herzclub/sessions/{evenings[0].pk}/"
