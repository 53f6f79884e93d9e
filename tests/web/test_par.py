"""Par of cooperative games on pages: the score sheet's sentence, the game's page, the form to have the bot play on."""

import pytest
from django.test import Client

from games.par import BOT, Configuration
from league.models import Job, ParTally
from league.services import par
from league.services.evenings import SeatInput, SessionInput
from tests.people import People
from tests.services.given import DAY, by_points, play_par, record
from tests.web.page import Element, Page

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

# 200,000 games, more than of any other version: a fifth perfect, a tenth with 4 left, 139,999 with 10, one with 50.
COUNTS = {"0": 40_000, "4": 20_000, "10": 139_999, "50": 1}


@pytest.fixture(autouse=True)
def three() -> None:
    """A par by hand for three at a table."""
    options = '{"minimum": 2, "short_hand": false}'
    fields = {"game": "the-game", "options": options, "bot": BOT, "version": "by hand"}
    ParTally.objects.create(seats=3, games=200_000, counts=COUNTS, **fields)


def page_of(client: Client, path: str) -> Page:
    answer = client.get(path)
    assert answer.status_code == 200
    return Page(answer.content.decode())


def part(page: Page) -> Element:
    """The section on par."""
    return page.one("section", id="par")


@pytest.mark.parametrize(
    ("left", "sentence"),
    [
        # 140,000 of 200,000 games ended worse.
        (4, "4 left: better than 70 % of 200,000 bot games with 3 players"),
        (0, "0 left: better than 80 % of 200,000 bot games with 3 players"),
        (10, "10 left: better than fewer than 1 % of 200,000 bot games (3 players)"),
        (50, "50 left: better than none of 200,000 bot games (3 players)"),
    ],
)
def test_a_score_sheet_says_it(people: People, client: Client, left: int, sentence: str) -> None:
    client.force_login(people.member)
    names = ("Ann", "Ben", "Cem")
    session = record(people, _evening(*names, left=left))
    page = page_of(client, f"/herzclub/sessions/{session.pk}/")
    assert sentence in part(page).text
    assert page.one("a", href="/herzclub/games/the-game/#par").text == "How it was counted"


def test_of_several_rounds_it_is_one_sentence_and_a_table(people: People, client: Client) -> None:
    """(4 + 0 + 50 + 10) / 4 is 16; the bot's (20,000 * 4 + 139,999 * 10 + 50) / 200,000 is 7.4."""
    client.force_login(people.member)
    names = ("Ann", "Ben", "Cem")
    rounds = tuple(by_points("the-game", dict.fromkeys(names, left)) for left in (4, 0, 50, 10))
    players = tuple(SeatInput(name) for name in names)
    data = SessionInput(format="series", played_on=DAY, players=players, rounds=rounds, planned_rounds=4)
    page = page_of(client, f"/herzclub/sessions/{record(people, data).pk}/")
    section = part(page)
    assert "16.0 left on average; the bot 7.4, in 200,000 games (3 players)." in section.text
    (folded,) = page.all("details", section)
    assert page.rows(next(page.all("table", folded))) == [
        ["Round", "Cards left", "Better than of bot games"],
        ["1", "4", "70 %"],
        ["2", "0", "80 %"],
        ["3", "50", "none"],
        ["4", "10", "fewer than 1 %"],
    ]


def _evening(*names: str, left: int) -> SessionInput:
    return SessionInput(
        format="single_game",
        played_on=DAY,
        players=tuple(SeatInput(name) for name in names),
        rounds=(by_points("the-game", dict.fromkeys(names, left)),),
    )


def test_the_etag_tells_a_par_that_has_changed(people: People, client: Client) -> None:
    client.force_login(people.member)
    path = f"/herzclub/sessions/{record(people, _evening('Ann', 'Ben', 'Cem', left=4)).pk}/"
    etag = client.get(path)["ETag"]
    assert client.get(path, headers={"if-none-match": etag}).status_code == 304
    ParTally.objects.update(counts={"4": 200_000})
    assert client.get(path, headers={"if-none-match": etag}).status_code == 200


def test_the_games_page_shows_every_table(people: People, client: Client) -> None:
    client.force_login(people.member)
    page = page_of(client, "/herzclub/games/the-game/")
    section = part(page)
    rows = {row[0]: row[1:] for row in page.rows(next(page.all("table", section)))}
    # (20,000 * 4 + 139,999 * 10 + 50) / 200,000 is 7.4002.
    assert rows["3 players"] == ["200,000", "7.4", "20 %"]
    assert "Cards left: 3 players" in section.text
    (numbers,) = (page.rows(one) for one in page.all("table", section) if ["0", "40,000"] in page.rows(one))
    assert numbers[1:] == [
        ["0", "40,000"],
        ["1\N{EN DASH}9", "20,000"],
        ["10\N{EN DASH}19", "139,999"],
        ["20\N{EN DASH}29", "0"],
        ["30\N{EN DASH}39", "0"],
        [">39", "1"],
    ]
    assert not list(page.all("a", id="extend-par"))
    assert not list(page_of(client, "/herzclub/games/xxl-3/").all("section", id="par"))


def test_an_admin_has_the_bot_play_on(people: People, client: Client) -> None:
    client.force_login(people.admin)
    address = page_of(client, "/herzclub/games/the-game/").one("a", id="extend-par").attributes["href"]
    form = page_of(client, address)
    tables = [one for one in form.all("option") if one.text == "1 player, experts, one card less in hand"]
    alone = Configuration("the-game", 1, '{"minimum": 3, "short_hand": true}')
    games = par.games_here(alone) + 1
    given = {"table": tables[0].attributes["value"], "games": games}
    refused = client.post(address, {**given, "games": 0 if games == 1 else games - 1})
    assert refused.status_code == 200
    assert not Job.objects.exists()
    answer = client.post(address, given)
    assert (answer.status_code, answer["Location"]) == (302, "/herzclub/games/the-game/")
    job = Job.objects.get()
    play_par(job.pk)
    job.refresh_from_db()
    assert job.state == "done"
    assert par.games_here(alone) == games
    assert client.get("/herzclub/games/xxl-3/par/").status_code == 404
