"""The leaderboard page. Expected figures: tests/data/evenings/season.worked.md."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Member, Player, Role, Season, Session, SessionFormat, SessionResult, SessionStatus, Standing
from league.services import players, results, seasons
from league.services.results import RoundInput, ScoreInput, SeatInput, SessionInput
from tests.people import NOW, People
from tests.web.conftest import BOARD
from tests.web.page import Page

pytestmark = pytest.mark.one_database
DASH = "\N{EN DASH}"


def page_of(client: Client, path: str = BOARD, **headers: Any) -> Page:
    answer = client.get(path, headers=headers or None)
    assert answer.status_code == 200
    return Page(answer.content.decode())


def test_shows_the_worked_table_to_anyone(evenings: list[Session], client: Client) -> None:
    page = page_of(client)

    head, *rows = page.rows(page.one("table"))
    assert head == ["Rank", "Player", "Sessions", "Place average", "Wins", "Last evening"]
    assert [row[1].split()[0] for row in rows] == ["Ben", "Ann", "Cem", "Dora", "Eva", "Finn"]
    assert [row[0] for row in rows] == ["1", "2= shared", "2= shared", "4", "5= shared", "5= shared"]
    assert [row[2] for row in rows] == ["3", "3", "3", "3", "2", "1"]
    assert [row[3] for row in rows] == ["1.33", "2.33", "2.33", "2.67", "5.00", "5.00"]
    assert [row[4] for row in rows] == ["2", "1", "1", "1", "0", "0"]
    assert [row[5] for row in rows] == [f"2 Nov 2026 place {place}" for place in (2, 1, 3, 3, 5, 5)]


def test_links_every_last_evening_and_session_to_its_score_sheet(evenings: list[Session], client: Client) -> None:
    page = page_of(client)

    links = {link.attributes["href"] for link in page.all("a")}
    sheets = {link for link in links if re.search(r"/sessions/\d", link)}
    assert sheets == {f"/herzclub/sessions/{session.pk}/" for session in evenings}
    assert [item.text.split(" Pure")[0] for item in page.all("li") if "Pure XXL" in item.text] == [
        "2 November 2026",
        "19 October 2026",
        "5 October 2026",
    ]
    assert "Winners: Ben, Dora" in page.text


def test_tells_the_ranking_in_a_sentence(evenings: list[Session], people: People, client: Client) -> None:
    assert "mean of the final places: the lowest is best." in page_of(client).one("caption").text
    access = people.access(people.admin)
    changes = {"ranking_metric": "wins", "minimum_sessions": 3}
    seasons.update_season(access=access, season_id=people.season.pk, changes=changes, now=NOW)

    page = page_of(client)

    assert page.one("caption").text == "Ranked by wins (first places): the most is best. A rank needs 3 sessions."
    rows = page.rows(page.one("table"))[1:]
    assert [row[0] for row in rows] == [
        "1",
        "2= shared",
        "2= shared",
        "2= shared",
        f"{DASH} without a rank",
        f"{DASH} without a rank",
    ]


def test_tells_every_rule(people: People, client: Client) -> None:
    changes = {"minimum_rounds": 4, "missing_round": "exclude", "substitution": "seat", "drop_worst": 2}
    seen = client.get(BOARD)["ETag"]
    seasons.update_season(access=people.access(people.admin), season_id=people.season.pk, changes=changes, now=NOW)

    answer = client.get(BOARD, headers={"if-none-match": seen})
    rules = Page(answer.content.decode()).one("details", id="season-rules")

    assert rules.text == (
        "Rules of this season "
        "Ranked by place average, the mean of the final places: the lowest is best. "
        "Of each player the 2 worst results do not count, but one result always does. "
        "An evening that a player missed counts as nothing. "
        "Players who are equal share the rank, and the ranks behind are skipped. "
        "A session that was ended early counts as it stands if at least 4 rounds were played. "
        "Who missed a round has no place in the session. "
        "With a substitute, all rounds of the seat belong to the one who first sat in it."
    )


def test_table_can_be_read_aloud(evenings: list[Session], client: Client) -> None:
    page = page_of(client)

    table = page.one("table")
    assert page.one("caption", inside=table).text
    assert {cell.attributes.get("scope") for cell in page.all("th", inside=table)} == {"col", "row"}
    assert len(list(page.all("h1"))) == 1
    assert page.one("html").attributes["lang"] == "en"


def test_german_reader_gets_german_words_dates_and_decimals(evenings: list[Session], client: Client) -> None:
    page = page_of(client, accept_language="de-DE,de;q=0.9")

    assert page.one("html").attributes["lang"] == "de"
    head, first, *_rest = page.rows(page.one("table"))
    assert head == ["Rang", "Spieler", "Partien", "Platzschnitt", "Siege", "Letzte Partie"]
    assert first[3] == "1,33"
    assert first[5] == "02.11.2026 Platz 2"


def test_the_language_switch_stays(people: People, client: Client) -> None:
    answer = client.post("/account/language/", {"language": "de"}, headers={"referer": f"http://testserver{BOARD}"})

    assert answer.status_code == 302
    assert answer["Location"].endswith(BOARD)
    assert page_of(client, accept_language="en").one("html").attributes["lang"] == "de"


def test_names_are_shown_as_text(people: People, client: Client) -> None:
    ann, ben = people.players[:2]
    Player.objects.filter(pk=ann.pk).update(name='<b>Ann</b> & "Co"')
    access = people.access(people.scorekeeper)
    results.record(
        access=access, data=_hand(people, [ann, ben], location="<script>alert(1)</script>"), confirm=(), now=NOW
    )

    html = client.get(BOARD).content.decode()

    assert "&lt;b&gt;Ann&lt;/b&gt; &amp; &quot;Co&quot;" in html
    assert "<b>Ann" not in html
    assert "<script>" not in html


def _hand(people: People, players: list[Player], *, day: date = date(2026, 10, 1), location: str = "") -> SessionInput:
    """A session of a single game 6, the points falling in seat order."""
    points = {2: (130, 100), 3: (130, 120, 110)}[len(players)]
    return SessionInput(
        format=SessionFormat.SINGLE_GAME,
        played_on=day,
        location=location,
        players=tuple(SeatInput(player.pk) for player in players),
        season=people.season.pk,
        rounds=(RoundInput("xxl-6", tuple(ScoreInput(p.pk, n) for p, n in zip(players, points, strict=True))),),
        status=SessionStatus.COMPLETE,
    )


# --- Who may read ---------------------------------------------------------------------------------------------------


def test_a_season_for_members_is_nothing_to_others(
    evenings: list[Session], people: People, client: Client, as_user: Callable[..., Client]
) -> None:
    Season.objects.filter(pk=people.season.pk).update(visibility="members")
    sheet = f"/herzclub/sessions/{evenings[0].pk}/"

    for path in (BOARD, sheet, "/herzclub/", "/herzclub/sessions/"):
        assert client.get(path).status_code == 404
        assert as_user(people.stranger).get(path).status_code == 404
        assert as_user(people.member).get(path).status_code == 200
    assert "Herzclub" not in client.get("/").content.decode()


@pytest.mark.parametrize(
    "path",
    ["/herzclub/monday-league/2027/", "/herzclub/no-league/2026/", "/no-club/monday-league/2026/", "/no-club/"],
)
def test_what_does_not_exist_is_404(people: People, client: Client, path: str) -> None:
    answer = client.get(path)

    assert answer.status_code == 404
    assert "There is nothing here" in answer.content.decode()


def test_a_session_is_found_under_its_own_club_alone(evenings: list[Session], client: Client) -> None:
    assert client.get(f"/pikclub/sessions/{evenings[0].pk}/").status_code == 404


def test_only_reading_is_allowed(people: People, client: Client) -> None:
    assert client.post(BOARD).status_code == 405


# --- Size -----------------------------------------------------------------------------------------------------------


def _fill(people: People, players: int, sessions: int) -> None:
    """A large season, written as the services would store it."""
    club, season = people.club, people.season
    crowd = Player.objects.bulk_create(
        Player(club=club, name=f"Player {n:04}", name_key=f"player {n:04}") for n in range(players)
    )
    played = Session.objects.bulk_create(
        Session(
            club=club,
            season=season,
            format=SessionFormat.SINGLE_GAME,
            planned_rounds=1,
            status=SessionStatus.COMPLETE,
            counts=True,
            played_on=date(2026, 9, 1) + timedelta(days=n % 60),
        )
        for n in range(sessions)
    )
    SessionResult.objects.bulk_create(
        SessionResult(club=club, session=one, player=crowd[(n + seat) % players], place_sum=1, rounds_played=1, place=1)
        for n, one in enumerate(played)
        for seat in range(2)
    )
    Standing.objects.bulk_create(
        Standing(
            club=club,
            season=season,
            player=player,
            sessions=2,
            # Two players share each average.
            place_total=2 + n // 2,
            sort_key=(2 + n // 2) / 2,
            value=(2 + n // 2) / 2,
            counted=2,
            wins=0,
            last_session=played[n % sessions],
            last_place=1,
        )
        for n, player in enumerate(crowd)
    )


@pytest.mark.parametrize(("players", "sessions"), [(3, 3), (1000, 600)])
@pytest.mark.parametrize("reader", ["anonymous", "stranger", "member", "owner"])
def test_takes_at_most_five_queries(
    people: People, as_user: Callable[..., Client], players: int, sessions: int, reader: str
) -> None:
    _fill(people, players, sessions)
    client = Client() if reader == "anonymous" else as_user(getattr(people, reader))

    with CaptureQueriesContext(connection) as queries:
        answer = client.get(BOARD)
    assert answer.status_code == 200
    assert len(queries) == (3 if reader == "anonymous" else 5), [query["sql"] for query in queries]
    with CaptureQueriesContext(connection) as queries:
        assert client.get(BOARD, headers={"if-none-match": answer["ETag"]}).status_code == 304
    assert len(queries) <= 5


def test_shows_a_hundred_players_a_page(people: People, client: Client) -> None:
    _fill(people, 250, 45)

    first, last = page_of(client), page_of(client, f"{BOARD}?page=3")

    rows = first.rows(first.one("table"))[1:]
    assert len(rows) == 100
    assert [row[0] for row in rows[-2:]] == ["99= shared", "99= shared"]
    assert first.one("a", id="players-next").attributes["href"] == "?page=2"
    assert len(last.rows(last.one("table"))[1:]) == 50
    assert last.one("a", id="players-previous").attributes["href"] == "?page=2"
    assert not list(last.all("a", id="players-next"))
    assert "250 players" in first.text


def test_a_rank_is_shared_across_pages(people: People, client: Client) -> None:
    _fill(people, 101, 3)
    Standing.objects.filter(player__name="Player 0100").update(place_total=51, sort_key=51 / 2)

    page = page_of(client)

    assert page.rows(page.one("table"))[100][0] == "99= shared"


def test_lists_sessions_in_pages_newest_first(people: People, client: Client) -> None:
    _fill(people, 3, 45)

    def shown(path: str) -> list[str]:
        return [
            str(link.attributes["href"])
            for link in page_of(client, path).all("a")
            if link.attributes.get("id", "").startswith("session-")
        ]

    pages = [shown(f"{BOARD}?sessions={number}") for number in (1, 2, 3)]
    assert [len(page) for page in pages] == [20, 20, 5]
    newest = Session.objects.order_by("-played_on", "-pk").values_list("pk", flat=True)
    assert [path for page in pages for path in page] == [f"/herzclub/sessions/{pk}/" for pk in newest]


@pytest.mark.parametrize("query", ["?page=0", "?page=-1", "?page=x", "?page=99999999999999999999", "?sessions=²"])
def test_an_odd_page_number_is_no_error(people: People, client: Client, query: str) -> None:
    _fill(people, 3, 3)

    assert client.get(BOARD + query).status_code == 200


def test_an_empty_season_says_so(people: People, client: Client) -> None:
    page = page_of(client)

    assert not list(page.all("table"))
    assert "It begins with the first finished session that gives places." in page.text


# --- ETag ------------------------------------------------------------------------------------------------------------


def test_who_has_seen_it_gets_304_until_a_result_comes(evenings: list[Session], people: People, client: Client) -> None:
    seen = client.get(BOARD)["ETag"]

    answer = client.get(BOARD, headers={"if-none-match": seen})
    assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", seen)

    ann, ben = people.players[:2]
    data = _hand(people, [ben, ann], day=date(2026, 11, 20))
    results.record(access=people.access(people.scorekeeper), data=data, confirm=(), now=NOW)
    answer = client.get(BOARD, headers={"if-none-match": seen})
    assert answer.status_code == 200
    assert answer["ETag"] != seen


def test_an_open_session_changes_the_page(people: People, client: Client) -> None:
    seen = client.get(BOARD)["ETag"]
    ann, ben = people.players[:2]
    data = SessionInput(
        format=SessionFormat.PURE_XXL,
        played_on=date(2026, 11, 20),
        players=(SeatInput(ann.pk), SeatInput(ben.pk)),
        season=people.season.pk,
    )
    results.record(access=people.access(people.scorekeeper), data=data, confirm=(), now=NOW)

    assert client.get(BOARD, headers={"if-none-match": seen}).status_code == 200


def test_etag_tells_languages_and_readers_apart(
    evenings: list[Session], people: People, client: Client, as_user: Callable[..., Client]
) -> None:
    etags = [
        client.get(BOARD)["ETag"],
        client.get(BOARD, headers={"accept-language": "de"})["ETag"],
        as_user(people.member).get(BOARD)["ETag"],
        as_user(people.owner).get(BOARD)["ETag"],
        client.get(f"{BOARD}?sessions=2")["ETag"],
    ]
    assert len(set(etags)) == len(etags)


def test_a_changed_role_or_name_changes_the_page(
    evenings: list[Session], people: People, as_user: Callable[..., Client]
) -> None:
    client = as_user(people.member)
    seen = client.get(BOARD)["ETag"]

    Member.objects.filter(user=people.member).update(role=Role.SCOREKEEPER)
    promoted = client.get(BOARD, headers={"if-none-match": seen})
    assert promoted.status_code == 200
    access = people.access(people.admin)
    players.update(access=access, player_id=people.players[0].pk, changes={"name": "Anna"}, now=NOW)
    assert client.get(BOARD, headers={"if-none-match": promoted["ETag"]}).status_code == 200


def test_a_public_page_sets_no_cookie(evenings: list[Session], client: Client) -> None:
    answer = client.get(BOARD)

    assert not answer.cookies
    assert "no-cache" in answer["Cache-Control"]
    assert "private" not in answer["Cache-Control"]


def test_a_logged_in_page_is_for_one_reader(people: People, as_user: Callable[..., Client]) -> None:
    assert "private" in as_user(people.member).get(BOARD)["Cache-Control"]


def test_the_page_holds_nothing_inline(evenings: list[Session], client: Client) -> None:
    html = client.get(BOARD).content.decode()

    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)", html)
    assert "unsafe" not in client.get(BOARD)["Content-Security-Policy"]
