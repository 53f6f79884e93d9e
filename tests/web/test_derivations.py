"""Pages of what explains a table and of what is still possible: found from the board and the score sheet, in words."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Player, Season, Session
from league.services import seasons
from tests.people import NOW, People
from tests.services.given import by_places, evening, record, series
from tests.web.conftest import BOARD
from tests.web.page import Page


def page_of(client: Client, path: str, **headers: str) -> Page:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    return Page(answer.content.decode())


@pytest.fixture
def season(people: People) -> Season:
    """Ann 1, 3 and Ben 2, 2 at tables with Cem, who has 3, 1; the places break ties. One more evening is planned."""
    record(people, replace(series({"Ann": 1, "Ben": 2, "Cem": 3}), played_on=date(2026, 10, 5)))
    record(people, replace(series({"Cem": 1, "Ben": 2, "Ann": 3}), played_on=date(2026, 10, 12)))
    changes = {"planned_evenings": 3, "tie_breaks": ["countback"]}
    return seasons.update_season(
        access=people.access(people.admin), season_id=people.season.pk, changes=changes, now=NOW
    )


@pytest.fixture
def session(people: People) -> Session:
    """Five of the six games of Pure XXL: Ann 5, Ben 10, Cem 15."""
    rounds = tuple(by_places(f"xxl-{number}", {"Ann": 1, "Ben": 2, "Cem": 3}) for number in range(1, 6))
    data = evening("four-players")
    return record(people, replace(data, players=data.players[:3], rounds=rounds, status="open"))


# --- Why ------------------------------------------------------------------------------------------------------------


def test_rank_and_value_lead_to_what_explains_them(season: Season, people: People, client: Client) -> None:
    board = page_of(client, BOARD)
    ben = people.players[1].pk
    rank, value = board.one("a", id=f"why-{ben}"), board.one("a", id=f"value-{ben}")
    assert rank.attributes["href"] == value.attributes["href"] == f"{BOARD}players/{ben}/"
    page = page_of(client, f"{BOARD}players/{ben}/")
    assert page.one("h1").text == "Why Ben has rank 3"
    assert page.one("section", id="standing").text.startswith(
        "Ben has rank 3 of 3. Place average: (2 + 2) / 2 = 2 · shown as 2.00"
    )
    assert page.rows(page.one("table", id="items")) == [
        ["Day", "Place", "Value", "Counts"],
        ["5 Oct 2026", "2 of 3", "2", "counts"],
        ["12 Oct 2026", "2 of 3", "2", "counts"],
    ]
    assert next(page.all("li", page.one("section", id="neighbours"))).text.startswith(
        "Cem and Ben have the same value, 2.00. The tie-break “most first places, then most second places, and so on” "
        "puts Cem before Ben: 1 time place 1 against 0 times place 1."
    )
    above = page.one("a", id="above").attributes["href"]
    assert page_of(client, str(above)).one("h1").text == "Why Cem has rank 1"
    shared = page_of(client, str(above)).one("section", id="standing").text
    assert shared.startswith("Cem shares rank 1 of 3 with Ann: equal in every tie-break, too.")


def test_formulas_and_what_is_dropped(season: Season, people: People, client: Client) -> None:
    """By (place - 1) / (players - 1) Ann has 0 and 1; the worst does not count."""
    changes = {"table_weight": "relative", "drop_worst": 1}
    seasons.update_season(access=people.access(people.admin), season_id=season.pk, changes=changes, now=NOW)
    page = page_of(client, f"{BOARD}players/{people.players[0].pk}/")
    assert page.rows(page.one("table", id="items"))[1:] == [
        ["5 Oct 2026", "1 of 3", "(1 - 1) / (3 - 1) = 0", "counts"],
        ["12 Oct 2026", "3 of 3", "(3 - 1) / (3 - 1) = 1", "dropped: the worst result does not count"],
    ]


def test_a_sum_is_told_once(season: Season, people: People, client: Client) -> None:
    """Ben's places are 2 and 2."""
    changes = {"ranking_metric": "place_sum"}
    seasons.update_season(access=people.access(people.admin), season_id=season.pk, changes=changes, now=NOW)
    page = page_of(client, f"{BOARD}players/{people.players[1].pk}/")
    assert [one.text for one in page.all("p", page.one("section", id="standing"))][1] == "Sum of places: 2 + 2 = 4"


def test_who_has_no_rank_is_told_why(season: Season, people: People, client: Client) -> None:
    changes = {"minimum_sessions": 3}
    seasons.update_season(access=people.access(people.admin), season_id=season.pk, changes=changes, now=NOW)
    page = page_of(client, f"{BOARD}players/{people.players[0].pk}/")
    assert page.one("h1").text == "Why Ann has no rank"
    assert "A rank needs 3 sessions that count; Ann has 2." in page.text


def test_a_guest_reads_nicknames(
    season: Season, people: People, client: Client, as_user: Callable[..., Client]
) -> None:
    Player.objects.filter(pk=people.players[2].pk).update(nickname="Trump")
    for path in (f"{BOARD}players/{people.players[1].pk}/", f"{BOARD}players/{people.players[2].pk}/"):
        guest = page_of(client, path).text
        assert "Trump" in guest
        assert "Cem" not in guest
        assert "Cem" in page_of(as_user(people.member), path).text
    outlook = page_of(client, f"{BOARD}outlook/").text
    assert "Trump" in outlook
    assert "Cem" not in outlook


def test_who_did_not_play_there_has_no_page(season: Season, people: People, client: Client) -> None:
    for player in (people.players[5].pk, people.other_players[0].pk, 10**18):
        assert client.get(f"{BOARD}players/{player}/").status_code == 404


@pytest.mark.parametrize("page", ["players/{ann}/", "outlook/"])
def test_who_may_not_read_the_board_reads_none_of_it(
    season: Season, people: People, client: Client, as_user: Callable[..., Client], page: str
) -> None:
    path = BOARD + page.format(ann=people.players[0].pk)
    Season.objects.update(visibility="members")
    assert [one.get(path).status_code for one in (client, as_user(people.stranger), as_user(people.member))] == [
        *(404, 404, 200)
    ]
    Season.objects.update(visibility="link")
    season.refresh_from_db()
    assert client.get(path).status_code == 404
    opened = page_of(client, f"{path}?key={season.board_key}")
    inside = [str(link.attributes["href"]) for link in opened.all("a") if BOARD in str(link.attributes.get("href"))]
    assert inside
    assert all(link.endswith(f"?key={season.board_key}") for link in inside)


def test_queries_do_not_grow_with_the_sessions(season: Season, people: People, client: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            page_of(client, f"{BOARD}players/{people.players[1].pk}/")
        return len(found)

    few = queries()
    for number in range(13, 20):
        record(people, replace(series({"Cem": 1, "Ben": 2, "Ann": 3}), played_on=date(2026, 10, number)))
    assert queries() <= few


# --- What is still possible in a season -----------------------------------------------------------------------------


def test_the_outlook_of_a_season(season: Season, people: People, client: Client) -> None:
    """All have 2 on average, and one evening is left at a table of three: 5/3 at best, 7/3 at worst."""
    page = page_of(client, str(page_of(client, BOARD).one("a", id="outlook").attributes["href"]))
    assert page.one("ul", id="assumptions").text == (
        "1 evening is left. Each player plays one session an evening or misses it, and nobody new comes into the "
        "table. All who come sit at one table of 2 to 3, the players of this table alone."
    )
    head, ann, *_others = page.rows(page.one("table"))
    assert head == ["Player", "At best", "At worst", "Rank 1", "Rank 3 or better"]
    # Narrow screens show the two values below the name.
    assert ann[0].startswith("Ann")
    assert ann[1:3] == ["1.67", "2.33"]
    # Alone at place 1 it is won by the values; level with another there, a tie-break decides.
    assert ann[3] == "possible With place 1 it is certain."
    assert ann[4] == "certain"


def test_what_the_reader_takes_to_be_given(season: Season, client: Client) -> None:
    page = page_of(client, f"{BOARD}outlook/?evenings=2&players=4&tables=several&top=1")
    assert "2 evenings are left." in page.text
    assert "There are any number of tables of 2 to 4, guests among them." in page.text
    assert page.rows(page.one("table"))[0] == ["Player", "At best", "At worst", "Rank 1"]
    wrong = page_of(client, f"{BOARD}outlook/?evenings=99&tables=round")
    assert "Ensure this value is less than or equal to 30." in wrong.text
    # What can't be is left out.
    assert "1 evening is left." in wrong.text


def test_a_season_without_a_plan_says_so(season: Season, client: Client) -> None:
    Season.objects.update(planned_evenings=None)
    page = page_of(client, f"{BOARD}outlook/")
    assert page.one("p", id="reason").text == ("It is not known how many evenings are left: the season plans none.")
    assert not list(page.all("table"))
    assert list(page_of(client, f"{BOARD}outlook/?evenings=1").all("table"))


# --- What is still possible at a table ------------------------------------------------------------------------------


def test_the_outlook_of_a_session(session: Session, client: Client) -> None:
    """Ann ends at 8 at worst, Ben at 11 at best and at 13 at worst, Cem at 16 at best."""
    sheet = page_of(client, f"/herzclub/sessions/{session.pk}/")
    section = sheet.one("section", id="still-possible")
    assert section.text.startswith("What is still possible Certain of the first place, alone or shared: Ann.")
    page = page_of(client, str(sheet.one("a", id="outlook").attributes["href"]))
    assert "1 game is left." in page.text
    assert page.rows(page.one("table")) == [
        ["Player", "Sum", "Winning", "Place 2 or better"],
        ["Ann", "5", "has won", "is sure of it"],
        ["Ben", "10", "can't win any more", "is sure of it"],
        ["Cem", "15", "can't win any more", "can't get there any more"],
    ]


def test_what_the_next_game_has_to_bring(people: People, client: Client) -> None:
    """One game is left: Ann 1 3 2 1 2 = 9, Ben 2 1 3 2 2 = 10, Cem 3 2 1 3 1 = 10.

    At place 2 Ann has 11, as the first of the others then has: a shared first place. Ben has 11 at place 1, as Ann may
    have; at place 2 it is 12, and another who is first has 10 or 11.
    """
    places = ({"Ann": 1, "Ben": 2, "Cem": 3}, {"Ben": 1, "Cem": 2, "Ann": 3}, {"Cem": 1, "Ann": 2, "Ben": 3})
    last = ({"Ann": 1, "Ben": 2, "Cem": 3}, {"Ann": 2, "Ben": 2, "Cem": 1})
    rounds = tuple(by_places(f"xxl-{number}", one) for number, one in enumerate((*places, *last), start=1))
    data = evening("four-players")
    session = record(people, replace(data, players=data.players[:3], rounds=rounds, status="open"))
    page = page_of(client, f"/herzclub/sessions/{session.pk}/outlook/")
    ann, ben, _cem = page.rows(page.one("table"))[1:]
    assert ann[2] == "can win Next game: With place 2 or better it is certain. The next game decides."
    assert ben[2] == "can win Next game: It takes place 1."
    short = page_of(client, f"/herzclub/sessions/{session.pk}/").one("section", id="still-possible").text
    assert "Can still win or share the first place: Ann, Ben, Cem." in short


def test_a_session_that_is_over_has_none(people: People, client: Client) -> None:
    session = record(people, series({"Ann": 1, "Ben": 2}))
    assert "The session is over." in page_of(client, f"/herzclub/sessions/{session.pk}/outlook/").text
    assert not list(page_of(client, f"/herzclub/sessions/{session.pk}/").all("section", id="still-possible"))
