"""The score sheet page. Expected figures: tests/data/evenings/five-players.worked.md."""

from datetime import date

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Session
from league.services import results, seasons
from league.services.results import RoundInput, ScoreInput, SeatInput, SessionInput
from tests.people import NOW, People, make_people
from tests.product import Product, get
from tests.web.conftest import BOARD
from tests.web.page import Page
from tests.web.stories import play_three_evenings

DASH = "\N{EN DASH}"


def sheet_of(client: Client, session: Session, language: str = "en") -> Page:
    answer = client.get(f"/herzclub/sessions/{session.pk}/", headers={"accept-language": language})
    assert answer.status_code == 200
    return Page(answer.content.decode())


def first_round(people: People, ann: dict[str, int], ben: dict[str, int], *, confirm: str = "") -> Session:
    """An evening of Pure XXL so far: Ann's and Ben's points or places in game 1."""
    pks = [player.pk for player in people.players[:2]]
    data = SessionInput(
        format="pure_xxl",
        played_on=date(2026, 11, 1),
        season=people.season.pk,
        players=tuple(SeatInput(pk) for pk in pks),
        rounds=(RoundInput("xxl-1", (ScoreInput(pks[0], **ann), ScoreInput(pks[1], **ben))),),
    )
    access = people.access(people.scorekeeper)
    return results.record(access=access, data=data, confirm={confirm} - {""}, now=NOW)


def test_shows_points_places_and_running_sums(evenings: list[Session], client: Client) -> None:
    page = sheet_of(client, evenings[1])

    rows = page.rows(next(page.all("table")))
    assert rows[0] == ["Ben", "Cem", "Dora", "Eva", "Ann"]
    assert [row[0] for row in rows[1:13:2]] == [
        "1. Up and Down (the draw pile ran out)",
        "2. Always Keep Under",
        "3. Allow to Refuse",
        "4. Making Straights",
        "5. Get in Line (the draw pile ran out)",
        "6. I Decide the Colour!",
    ]

    def cells(*worked: tuple[int, int, int]) -> list[str]:
        return [f"{points} points place {place}. Σsum {total}" for points, place, total in worked]

    assert rows[2] == cells((8, 1, 1), (8, 1, 1), (19, 3, 3), (27, 4, 4), (40, 5, 5))
    assert rows[8] == cells((27, 4, 11), (0, 5, 9), (64, 1, 11), (64, 1, 9), (39, 3, 15))
    assert rows[12] == cells((90, 3, 16), (77, 4, 17), (101, 2, 16), (77, 4, 18), (110, 1, 17))
    assert rows[13] == ["Final place and sum of places"]
    assert rows[14] == [
        "1= shared Σsum 16",
        "3= shared Σsum 17",
        "1= shared Σsum 16",
        "5 Σsum 18",
        "3= shared Σsum 17",
    ]


def test_a_round_of_places_alone_shows_the_place_large(people: People, client: Client) -> None:
    page = sheet_of(client, first_round(people, {"place": 1}, {"place": 2}))

    rows = page.rows(page.one("table"))
    assert rows[2] == ["place 1. Σsum 1", "place 2. Σsum 2"]
    assert [one.text for one in page.elements if one.attributes.get("class") == "points"] == ["place 1.", "place 2."]


def test_marks_a_round_that_was_unusual_and_confirmed(people: People, client: Client) -> None:
    # Nobody at 0 in game 1: docs/rules/xxl.md, "Logged results from physical games".
    page = sheet_of(client, first_round(people, {"points": 5}, {"points": 31}, confirm="nobody_at_zero"))
    usual = sheet_of(client, first_round(people, {"points": 0}, {"points": 31}))

    assert page.rows(page.one("table"))[1] == ["1. Up and Down unusual, but confirmed"]
    assert usual.rows(usual.one("table"))[1] == ["1. Up and Down"]


def test_the_heading_holds_the_day(evenings: list[Session], client: Client) -> None:
    assert sheet_of(client, evenings[1]).one("h1").text == "Score sheet of 19 October 2026"


def test_leads_back_and_tells_the_facts(evenings: list[Session], client: Client) -> None:
    page = sheet_of(client, evenings[1], "de")

    assert page.one("a", id="back").attributes["href"] == BOARD
    assert "19. Oktober 2026" in page.text
    assert "Bei Dora in der Küche" in page.text
    assert "1. Rauf & Runter (der Nachziehstapel war leer)" in page.text


def test_an_evening_played_twice_has_twelve_rounds(evenings: list[Session], client: Client) -> None:
    page = sheet_of(client, evenings[2])

    assert "12 of 12 rounds" in page.text
    assert "12. I Decide the Colour!" in page.text


def test_tells_who_came_left_and_substituted(people: People, client: Client) -> None:
    ann, ben, cem, dora, eva, _finn = people.players
    access = people.access(people.scorekeeper)
    data = SessionInput(
        format="individual_xxl",
        played_on=date(2026, 11, 1),
        season=people.season.pk,
        planned_rounds=5,
        players=tuple(SeatInput(one.pk) for one in (ann, ben, cem)),
        rounds=(RoundInput("xxl-6", tuple(ScoreInput(p.pk, place=n) for n, p in enumerate((ann, ben, cem), 1))),),
    )
    session = results.record(access=access, data=data, confirm=(), now=NOW)
    results.substitute(access=access, session_id=session.pk, player=dora.pk, for_player=ben.pk, now=NOW)
    results.join(access=access, session_id=session.pk, player=eva.pk, seat=None, now=NOW)
    results.leave(access=access, session_id=session.pk, player=cem.pk, now=NOW)

    page = sheet_of(client, session)

    assert [item.text for item in page.all("li") if item.text.endswith(".")] == [
        "Dora plays for Ben from round 2 on.",
        "Cem left after round 1.",
        "Eva joined in round 2.",
    ]
    rows = page.rows(page.one("table"))
    assert rows[0] == ["Ann", "Ben", "Dora", "Cem", "Eva"]
    assert rows[2][2] == f"{DASH}did not play"


def test_takes_the_same_queries_for_any_length(evenings: list[Session], people: People, client: Client) -> None:
    counts = []
    for session in (evenings[0], evenings[2]):
        with CaptureQueriesContext(connection) as queries:
            sheet_of(client, session)
        counts.append(len(queries))
    assert counts == [5, 5]


def test_answers_304_until_the_next_round(people: People, client: Client) -> None:
    ann, ben = people.players[:2]
    access = people.access(people.scorekeeper)
    data = SessionInput(
        format="pure_xxl",
        played_on=date(2026, 11, 1),
        season=people.season.pk,
        players=(SeatInput(ann.pk), SeatInput(ben.pk)),
    )
    session = results.record(access=access, data=data, confirm=(), now=NOW)
    path = f"/herzclub/sessions/{session.pk}/"
    seen = client.get(path)["ETag"]
    assert client.get(path, headers={"if-none-match": seen}).status_code == 304

    one = RoundInput("xxl-1", (ScoreInput(ann.pk, points=0), ScoreInput(ben.pk, points=7)))
    results.record_round(access=access, session_id=session.pk, data=one, confirm=(), now=NOW)

    assert client.get(path, headers={"if-none-match": seen}).status_code == 200


def test_answers_anew_once_its_link_to_the_leaderboard_has_moved(
    evenings: list[Session], people: People, client: Client
) -> None:
    path = f"/herzclub/sessions/{evenings[0].pk}/"
    seen = client.get(path)["ETag"]

    seasons.update_season(
        access=people.access(people.admin), season_id=people.season.pk, changes={"slug": "autumn"}, now=NOW
    )

    assert client.get(path, headers={"if-none-match": seen}).status_code == 200


def test_every_process_gives_the_same_etags(server: Product, client: Client) -> None:
    """Or a browser that meets another process than before would be told of changes that there are none."""
    session = play_three_evenings(make_people())[1]
    for path in (BOARD, f"/herzclub/sessions/{session.pk}/"):
        seen = client.get(path, headers={"accept-language": "en"})["ETag"]
        answer = get(server.url + path, {"Accept-Language": "en", "If-None-Match": seen})
        assert (answer.status, answer.headers["ETag"]) == (304, seen)
