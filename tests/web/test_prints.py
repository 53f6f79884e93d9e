"""What is printed. Expected figures: tests/data/evenings/*.worked.md; a page of A4 is one page of the browser's PDF."""

import re
from collections.abc import Callable
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import BrowserContext
from playwright.sync_api import Page as BrowserPage

from league.models import Player, Season, Session, Standing, User, Visibility
from league.services import corrections, results
from league.services.results import RoundInput, ScoreInput, SeatInput, SessionInput
from tests.people import NOW, People, make_people
from tests.product import Product
from tests.web.conftest import BOARD
from tests.web.page import Element, Page
from tests.web.stories import play_three_evenings

pytestmark = pytest.mark.one_database

TODAY = NOW.date()
NOTHING = "\N{EN DASH}"
BLANK = "/herzclub/print/score-sheet/"
TABLES = "/herzclub/print/tables/"
LONG = "Annegret-Wilhelmine Freifrau von Hohenlangenburgstein zu Xy"
TITLES = [
    "Up and Down",
    "Always Keep Under",
    "Allow to Refuse",
    "Making Straights",
    "Get in Line",
    "I Decide the Colour!",
]


def shown(client: Client, path: str) -> Page:
    answer = client.get(path, headers={"accept-language": "en"})
    assert answer.status_code == 200, path
    return Page(answer.content.decode())


def sheet_rows(page: Page) -> list[list[str]]:
    return page.rows(page.one("table"))


def open_session(people: People, *players: int, day: date = TODAY, **more: object) -> Session:
    seats = tuple(SeatInput(people.players[index].pk) for index in players)
    data = SessionInput(format="pure_xxl", played_on=day, players=seats, season=people.season.pk, **more)  # type: ignore[arg-type]
    return results.record(access=people.access(people.scorekeeper), data=data, confirm={"possible_duplicate"}, now=NOW)


# --- Blank sheets -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4, 6, 8])
@pytest.mark.parametrize("repeats", [1, 2])
def test_a_blank_sheet_has_a_cell_for_each_player_and_game(
    people: People, as_user: Callable[[User], Client], players: int, repeats: int
) -> None:
    page = shown(as_user(people.member), f"{BLANK}?players={players}&repeats={repeats}")
    head, what, *lines = sheet_rows(page)
    assert len(head) == 1 + players
    assert what == ["Points", "Place"] * players
    games, (places, final) = lines[:-2], lines[-2:]
    assert [line[0].split(" ", 1)[0] for line in games] == [f"{number}." for number in range(1, 6 * repeats + 1)]
    assert [re.sub(r"^\d+\. |(few|m)(est|ost) points win$", "", line[0]) for line in games] == TITLES * repeats
    assert all(line[1:] == [""] * 2 * players for line in games)
    assert places == ["Sum of places", *[""] * players]
    assert final == ["Final place", *[""] * players]


def test_a_blank_sheet_says_who_wins_a_game_and_how_ties_count(
    people: People, as_user: Callable[[User], Client]
) -> None:
    """Low wins in games 1, 2 and 5, high in 3, 4 and 6: docs/rules/xxl.md."""
    page = shown(as_user(people.member), BLANK)
    assert [re.search("fewest|most", line[0])[0] for line in sheet_rows(page)[2:8]] == [  # type: ignore[index]
        "fewest",
        "fewest",
        "most",
        "most",
        "fewest",
        "most",
    ]
    assert "skipped (1, 2, 2, 4)" in page.text
    assert "the lowest sum wins" in page.text
    assert len(sheet_rows(page)[0]) == 5  # four players unless the address says otherwise


def test_names_and_the_season_stand_on_the_sheet(people: People, as_user: Callable[[User], Client]) -> None:
    client = as_user(people.member)
    page = shown(client, f"{BLANK}?players=3&season={people.season.pk}&name_1=Ben&name_3=%3Cb%3EGuest&name_2=+")
    assert sheet_rows(page)[0] == ["Game", "Ben", "<b>Guest", "Player 3"]
    assert "Herzclub · Monday League 2026" in page.text


def test_the_players_of_the_season_are_proposed(people: People, as_user: Callable[[User], Client]) -> None:
    client = as_user(people.member)
    everybody = ["Ann", "Ben", "Cem", "Dora", "Eva", "Finn"]
    here = f"{BLANK}?season={people.season.pk}"
    assert [option.attributes["value"] for option in _proposed(shown(client, here))] == everybody
    open_session(people, 1, 3)
    assert [option.attributes["value"] for option in _proposed(shown(client, here))] == ["Ben", "Dora"]
    assert [option.attributes["value"] for option in _proposed(shown(client, BLANK))] == everybody


def _proposed(page: Page) -> list[Element]:
    return list(page.all("option", inside=page.one("datalist")))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("players=1", "greater than or equal to 2"),
        ("players=9", "less than or equal to 8"),
        ("players=many", "Write a whole number in digits alone"),
        ("repeats=3", "Select a valid choice"),
        ("season=999999999", "Select a valid choice"),
        ("players=2&name_1=Ann&name_2=Ben&name_3=Cem", "There are 3 names"),
        (f"name_1={'x' * 61}", "at most 60 characters"),
    ],
)
def test_what_a_sheet_cant_be_is_said_at_the_field(
    people: People, as_user: Callable[[User], Client], query: str, said: str
) -> None:
    page = shown(as_user(people.member), f"{BLANK}?{query}")
    errors = [item.text for item in page.all("ul") if item.attributes.get("class") == "errorlist"]
    assert any(said in error for error in errors)
    assert not list(page.all("table"))


def test_a_season_of_another_club_is_no_choice(people: People, as_user: Callable[[User], Client]) -> None:
    page = shown(as_user(people.member), f"{BLANK}?season={people.other_season.pk}")
    assert not list(page.all("table"))


# --- Filled sheets ----------------------------------------------------------------------------------------------------


def test_a_filled_sheet_has_points_places_and_sums(evenings: list[Session], client: Client) -> None:
    """Four players, each game once: four-players.worked.md."""
    page = shown(client, f"/herzclub/sessions/{evenings[0].pk}/print/")
    head, _what, *lines = sheet_rows(page)
    assert head[1:] == ["Ann", "Ben", "Cem", "Dora"]
    assert lines[0][1:] == ["0", "1Σ 1", "14", "2Σ 2", "14", "2Σ 2", "31", "4Σ 4"]
    assert lines[5][1:] == ["120", "3Σ 14", "141", "1Σ 13", "126", "2Σ 13", "95", "4Σ 18"]
    assert lines[1][0] == "2. Always Keep Underthe draw pile ran out"
    assert lines[6] == ["Sum of places", "14", "13", "13", "18"]
    assert lines[7] == ["Final place", "3", "1shared", "1shared", "4"]
    assert "5 October 2026" in page.text
    assert "6 of 6 rounds" in page.text


def test_twelve_rounds_are_parted_where_the_games_begin_again(evenings: list[Session], client: Client) -> None:
    page = shown(client, f"/herzclub/sessions/{evenings[2].pk}/print/")
    again = page.one("tr", inside=None, **{"class": "paper-again"})
    assert again.text.startswith("7. Up and Down")
    assert sheet_rows(page)[-1] == ["Final place", "5shared", "1", "2", "3shared", "3shared", "5shared"]


def test_an_evening_that_goes_on_has_lines_for_the_games_to_come(people: People, client: Client) -> None:
    ann, ben = (player.pk for player in people.players[:2])
    played = (RoundInput("xxl-1", (ScoreInput(ann, points=0), ScoreInput(ben, points=12))),)
    session = open_session(people, 0, 1, rounds=played)
    page = shown(client, f"/herzclub/sessions/{session.pk}/print/")
    lines = sheet_rows(page)[2:]
    assert lines[0] == ["1. Up and Down", "0", "1Σ 1", "12", "2Σ 2"]
    assert [
        line[0].split("est points")[0].removesuffix("few").removesuffix("most points win") for line in lines[1:6]
    ] == [f"{number}. {title}" for number, title in enumerate(TITLES[1:], start=2)]
    assert all(line[1:] == [""] * 4 for line in lines[1:6])
    assert lines[6:] == [["Sum of places", "", ""], ["Final place", "", ""]]
    assert "goes on: 1 of 6 rounds" in page.text


def test_a_series_of_agreed_length_has_lines_up_to_its_end(people: People, client: Client) -> None:
    seats = tuple(SeatInput(player.pk) for player in people.players[:2])
    data = SessionInput(
        format="individual_xxl",
        played_on=NOW.date(),
        players=seats,
        season=people.season.pk,
        planned_rounds=4,
    )
    session = results.record(access=people.access(people.scorekeeper), data=data, confirm=frozenset(), now=NOW)
    lines = sheet_rows(shown(client, f"/herzclub/sessions/{session.pk}/print/"))[2:]
    assert [line[0] for line in lines] == ["1.", "2.", "3.", "4.", "Sum of places", "Final place"]


def test_who_came_later_has_a_struck_cell_and_is_named_below(people: People, client: Client) -> None:
    ann, ben, cem = (player.pk for player in people.players[:3])
    session = open_session(people, 0, 1)
    access = people.access(people.scorekeeper)
    first = RoundInput("xxl-1", (ScoreInput(ann, points=0), ScoreInput(ben, points=12)))
    results.record_round(access=access, session_id=session.pk, data=first, confirm=frozenset(), now=NOW, number=1)
    results.join(access=access, session_id=session.pk, player=cem, seat=None, now=NOW)
    page = shown(client, f"/herzclub/sessions/{session.pk}/print/")
    assert sheet_rows(page)[2] == ["1. Up and Down", "0", "1Σ 1", "12", "2Σ 2", NOTHING, NOTHING]
    assert "Cem joined in round 2." in page.text


def test_a_cooperative_session_has_no_places(people: People, client: Client) -> None:
    ann, ben = (player.pk for player in people.players[:2])
    data = SessionInput(
        format="single_game",
        played_on=NOW.date(),
        players=(SeatInput(ann), SeatInput(ben)),
        season=people.season.pk,
        rounds=(RoundInput("the-game", (ScoreInput(ann, points=7), ScoreInput(ben, points=7))),),
        status="complete",
    )
    session = results.record(access=people.access(people.scorekeeper), data=data, confirm=frozenset(), now=NOW)
    page = shown(client, f"/herzclub/sessions/{session.pk}/print/")
    assert [line[0] for line in sheet_rows(page)[2:]] == ["1. The Game"]
    assert "nobody has a place" in page.text


def test_a_void_sheet_says_so(evenings: list[Session], people: People, client: Client) -> None:
    access = people.access(people.scorekeeper)
    corrections.void(access=access, session_id=evenings[0].pk, reason="twice", now=NOW)
    assert "Status void" in shown(client, f"/herzclub/sessions/{evenings[0].pk}/print/").text.replace(
        "Statusvoid", "Status void"
    )


def test_a_sheet_is_read_by_whoever_reads_the_session(
    evenings: list[Session], people: People, client: Client, as_user: Callable[[User], Client]
) -> None:
    path = f"/herzclub/sessions/{evenings[0].pk}/print/"
    Player.objects.filter(pk=people.players[0].pk).update(nickname="The Ace")
    assert sheet_rows(shown(client, path))[0][1] == "The Ace"
    assert sheet_rows(shown(as_user(people.member), path))[0][1] == "Ann"
    Season.objects.update(visibility=Visibility.MEMBERS)
    assert client.get(path).status_code == 404
    assert as_user(people.stranger).get(path).status_code == 404
    assert as_user(people.member).get(path).status_code == 200
    assert as_user(people.member).get("/pikclub/sessions/1/print/").status_code == 404


# --- The tables of a day ----------------------------------------------------------------------------------------------


def test_the_tables_of_a_day_with_their_seats(people: People, as_user: Callable[[User], Client]) -> None:
    client = as_user(people.member)
    open_session(people, 3, 1, location="Window")
    open_session(people, 0, 2, 4, 5)
    open_session(people, 0, 1, day=date(2026, 11, 29))
    page = shown(client, f"{TABLES}?day={NOW:%Y-%m-%d}")
    assert page.one("h1").text == "Tables of 30 November 2026Herzclub"
    assert [head.text for head in page.all("h2")] == ["Table 1", "Table 2"]
    plan = [item for item in page.all("ol") if item.attributes.get("class") == "plan-seats"]
    assert [[seat.text for seat in page.all("li", inside=one)] for one in plan] == [
        ["Dora", "Ben"],
        ["Ann", "Cem", "Eva", "Finn"],
    ]
    assert "Pure XXL · Monday League 2026 · Window" in page.text
    assert [head.text for head in shown(client, f"{TABLES}?day=2026-11-29").all("h2")] == ["Table 1"]


def test_who_got_up_sits_there_no_more_and_what_ended_is_no_table(
    people: People, evenings: list[Session], as_user: Callable[[User], Client]
) -> None:
    client = as_user(people.member)
    session = open_session(people, 0, 1, 2)
    access = people.access(people.scorekeeper)
    cem, dora = people.players[2].pk, people.players[3].pk
    scores = tuple(ScoreInput(player.pk, points=10 * index) for index, player in enumerate(people.players[:3]))
    first = RoundInput("xxl-1", scores)
    results.record_round(access=access, session_id=session.pk, data=first, confirm=frozenset(), now=NOW, number=1)
    results.substitute(access=access, session_id=session.pk, player=dora, for_player=cem, now=NOW)
    page = shown(client, f"{TABLES}?day={NOW:%Y-%m-%d}")
    seats = [item for item in page.all("ol") if item.attributes.get("class") == "plan-seats"]
    assert [seat.text for seat in page.all("li", inside=seats[0])] == ["Ann", "Ben", "Dora"]
    over = shown(client, f"{TABLES}?day={evenings[0].played_on}")
    assert "No session is open on this day." in over.text


def test_a_day_that_is_none_is_said_at_the_field(people: People, as_user: Callable[[User], Client]) -> None:
    page = shown(as_user(people.member), f"{TABLES}?day=30.11.2026")
    assert "Enter a valid date." in page.text
    assert not list(page.all("h2"))


def test_tables_cost_the_same_few_queries(people: People, as_user: Callable[[User], Client]) -> None:
    client, counts = as_user(people.member), []
    for _more in range(2):
        open_session(people, 0, 1)
        open_session(people, 2, 3, 4)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            shown(client, f"{TABLES}?day={NOW:%Y-%m-%d}")
        counts.append(len(queries))
    assert counts[0] == counts[1]


# --- On paper ---------------------------------------------------------------------------------------------------------


def pages_of(page: BrowserPage, path: str) -> int:
    """How many pages of paper the browser needs."""
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 200, path
    pdf = page.pdf(prefer_css_page_size=True, format="A4")
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


def test_sheets_fit_one_page_and_long_tables_have_their_head_on_each(
    page: BrowserPage, server: Product, as_user: Callable[[User], Client]
) -> None:
    people = make_people()
    play_three_evenings(people)
    named = [(people.players[1], LONG), (people.players[2], "B" * 60)]
    for player, name in named:
        player.name = name
        player.save()
    browser = page.context.browser
    assert browser is not None
    context: BrowserContext = browser.new_context(base_url=server.url, locale="de", color_scheme="dark")
    session_cookie = as_user(people.member).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session_cookie, "url": server.url}])
    paper = context.new_page()

    names = "&".join(f"name_{number}={name}" for number, name in enumerate(["Ann", LONG, "B" * 60, *"CDEFG"], start=1))
    for query in ("players=2", "players=6&repeats=2", f"players=8&repeats=2&season={people.season.pk}&{names}"):
        assert pages_of(paper, f"{BLANK}?{query}") == 1, query
    # The cells are high and wide enough to write a number of three digits into.
    cell = paper.locator(".paper-usual tbody td").first.bounding_box()
    assert cell is not None
    millimetre = 96 / 25.4
    assert cell["height"] >= 13 * millimetre
    assert cell["width"] >= 8.5 * millimetre
    for session in Session.objects.all():
        assert pages_of(paper, f"/herzclub/sessions/{session.pk}/print/") == 1
    for seats in ((0, 1, 2), (1, 2, 3, 4), (0, 5)):
        open_session(people, *seats)
    assert pages_of(paper, f"{TABLES}?day={NOW:%Y-%m-%d}") <= 2

    one = Standing.objects.select_related(None).first()
    assert one is not None
    values = {field.attname: getattr(one, field.attname) for field in Standing._meta.concrete_fields}
    for key in ("id", "player_id"):
        del values[key]
    many = Player.objects.bulk_create(
        Player(club=people.club, name=f"Extra {number}", name_key=f"extra {number}") for number in range(80)
    )
    Standing.objects.bulk_create(Standing(player_id=player.pk, **values) for player in many)
    assert pages_of(paper, BOARD) >= 3
    paper.emulate_media(media="print", color_scheme="dark")
    assert paper.evaluate("getComputedStyle(document.querySelector('.board thead')).display") == "table-header-group"
    assert paper.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert paper.evaluate("getComputedStyle(document.querySelector('.board tbody th')).color") == "rgb(0, 0, 0)"
    for hidden in (".site-head", ".site-foot", ".crumbs", "#share", "nav.pages"):
        for found in paper.locator(hidden).all():
            assert not found.is_visible(), hidden
    context.close()
