"""Pages of players, games, bots and the hall of fame: what they say, to whom, and by whose name."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Player, Season, Session
from league.services import erasure, figures, results, seasons
from league.services.evenings import SeatInput, SessionInput
from league.web.figures import percent
from tests.people import NOW, People
from tests.services.given import DAY, by_points, record, series
from tests.web.page import Element, Page

AsUser = Callable[..., Client]


@pytest.fixture
def member(people: People, as_user: AsUser) -> Client:
    return as_user(people.member)


def refresh(people: People) -> None:
    assert figures.refresh_figures(club_id=people.club.pk)


def page_of(client: Client, path: str, language: str = "en") -> Page:
    answer = client.get(path, headers={"accept-language": language})
    assert answer.status_code == 200, path
    return Page(answer.content.decode())


def table_of(page: Page, heading: str) -> list[list[str]]:
    """The rows of the table whose caption begins with this."""
    (caption,) = [one for one in page.all("caption") if one.text.startswith(heading)]
    return page.rows(next(one for one in reversed(caption.around) if one.tag == "table"))


def section(page: Page, heading: str) -> str:
    """The text of the section with this heading."""
    (title,) = [one for tag in ("h2", "h3") for one in page.all(tag) if one.text == heading]
    return next(one for one in reversed(title.around) if one.tag in {"section", "li"}).text


def classed(page: Page, tag: str, name: str) -> list[Element]:
    return [one for one in page.all(tag) if name in one.attributes.get("class", "").split()]


def single(key: str, **points: int) -> SessionInput:
    return SessionInput(
        format="single_game",
        played_on=DAY,
        players=tuple(SeatInput(name) for name in points),
        rounds=(by_points(key, points),),
        status="complete",
    )


def evenings_of_three(people: People) -> None:
    """Two evenings: Ann before Ben before Cem, then Ben before Ann, Cem absent."""
    record(people, series({"Ann": 1, "Ben": 2, "Cem": 3}, played_on=DAY - timedelta(days=7)))
    record(people, series({"Ben": 1, "Ann": 2}))
    refresh(people)


# --- What they say ----------------------------------------------------------------------------------------------------


def test_a_players_page(people: People, member: Client) -> None:
    evenings_of_three(people)
    ann, ben, cem, *_rest = people.players
    page = page_of(member, f"/herzclub/players/{ann.pk}/")

    facts = dict(zip([one.text for one in page.all("dt")], [one.text for one in page.all("dd")], strict=False))
    # Of two opponents both, then of one none: (1 + 0) / 2.
    assert (facts["Sessions"], facts["Wins"], facts["Opponents beaten"], facts["Games played"]) == (
        "2",
        "1",
        "50 %",
        "2",
    )
    assert table_of(page, "Against each opponent") == [
        ["Opponent", "Met", "Before", "Level", "Behind"],
        ["Ben", "2 2", "1 1", "0 0", "1 1"],
        ["Cem", "1 1", "1 1", "0 0", "0 0"],
    ]
    assert table_of(page, "Game by game")[1][1:4] == ["2", "1", "50 %"]
    assert "First win Won a session. 23 Nov 2026" in section(page, "Achievements")
    assert "11 still to be reached" in section(page, "Achievements")
    assert "1 at most (23 Nov 2026)" in section(page, "Streaks")
    assert "2 at most (23 Nov 2026 \N{EN DASH} 30 Nov 2026)" in section(page, "Streaks")
    links = {one.attributes["href"] for one in page.all("a")}
    assert {f"/herzclub/players/{one.pk}/" for one in (ben, cem)} <= links
    assert "/herzclub/monday-league/2026/" in links
    # Each chart has its numbers beside it.
    titles = [one.text for one in page.all("figcaption")]
    assert titles[:3] == ["Form", "Places of sessions", "Places of single games"]
    assert len(list(page.all("figure"))) == len(classed(page, "details", "chart-data"))


def test_shares_are_rounded() -> None:
    """Two of three opponents beaten, and 1 - 0.71, which is a little less than 0.29 in binary."""
    assert [percent(relative) for relative in (1 / 3, 0.71, 0.0, None)] == ["67 %", "29 %", "100 %", "\N{EN DASH}"]


def test_a_streak_of_weeks_ends_when_a_week_has_passed(people: People, member: Client) -> None:
    import time_machine

    evenings_of_three(people)
    path = f"/herzclub/players/{people.players[0].pk}/"
    for days, goes_on in ((0, True), (7, True), (14, False)):
        with time_machine.travel(NOW + timedelta(days=days)):
            member.force_login(people.member)
            assert ("now 2" in section(page_of(member, path), "Streaks")) == goes_on, days


def test_who_has_not_played_has_a_page(people: People, member: Client) -> None:
    page = page_of(member, f"/herzclub/players/{people.players[5].pk}/")
    assert "There is nothing to tell yet." in page.text


def test_the_list_of_players(people: People, member: Client) -> None:
    evenings_of_three(people)
    page = page_of(member, "/herzclub/players/")
    rows = page.rows(next(page.all("table")))
    assert [row[:4] for row in rows[1:4]] == [
        ["Ann", "2", "1", "50 %"],
        ["Ben", "2", "1", "75 %"],
        ["Cem", "1", "0", "0 %"],
    ]
    assert rows[4][:4] == ["Dora", "0", "0", "\N{EN DASH}"]
    matrix = page.rows(classed(page, "table", "chart-matrix")[0])
    assert [row[0] for row in matrix[1:]] == ["Ann", "Ben", "Cem"]
    assert matrix[1][2:] == ["1:1", "1:0"]
    assert matrix[3][1:3] == ["0:1", "0:1"]

    found = page_of(member, "/herzclub/players/?search=do")
    assert [row[0] for row in found.rows(next(found.all("table")))[1:]] == ["Dora"]
    assert "No player of this name." in page_of(member, "/herzclub/players/?search=nobody").text


def test_a_games_page(people: People, member: Client) -> None:
    record(people, single("xxl-3", Ann=30, Ben=20, Cem=25))
    refresh(people)
    page = page_of(member, "/herzclub/games/xxl-3/")
    assert page.one("h1").text == "Allow to Refuse"
    records = section(page, "Records")
    assert "Best points Ann · 30 Nov 2026 30" in records
    assert "Worst points Ben · 30 Nov 2026 20" in records
    assert "Closest round: points from first to last Ann, Cem, Ben · 30 Nov 2026 10" in records
    seats = page.rows(classed(page, "table", "plain-table")[0])
    assert seats[1:] == [
        ["1", "1", "100 %", "\N{EN DASH}"],
        ["2", "1", "0 %", "\N{EN DASH}"],
        ["3", "1", "50 %", "\N{EN DASH}"],
    ]
    assert "No seat is farther from 50 % than chance explains." in section(page, "Does the seat matter?")
    assert "Nobody has played it yet." in page_of(member, "/herzclub/games/the-game/").text
    assert member.get("/herzclub/games/whist/").status_code == 404
    listed = page_of(member, "/herzclub/games/")
    assert next(one.text for one in listed.all("h2")) == "Allow to Refuse"


def test_what_is_reached_time_and_again_is_no_record(people: People, member: Client) -> None:
    for points in range(5):
        record(people, single("xxl-1", Ann=0, Ben=20 + points))
    refresh(people)
    records = section(page_of(member, "/herzclub/games/xxl-1/"), "Records")
    assert "Best points" not in records, "somebody always lays the last card"
    assert "Worst points Ben · 30 Nov 2026 24" in records


def test_the_bots_leaderboard(people: People, member: Client) -> None:
    for name in ("Rot", "Blau"):
        Player.objects.create(club=people.club, name=name, kind="bot", bot="random")
    record(people, single("xxl-3", Rot=20, Blau=90))
    refresh(people)
    page = page_of(member, "/herzclub/bots/")
    rows = page.rows(next(page.all("table")))
    assert [row[0].split()[0] for row in rows[1:]] == ["Blau", "Rot"]
    assert rows[1][1:4] == ["1", "1", "100 %"]
    assert all("provisional" in row[0] for row in rows[1:])
    rot = Player.objects.get(name="Rot")
    assert page_of(member, f"/herzclub/players/{rot.pk}/").one("h1").text == "Rot bot"
    assert "Ann" not in page.text


def test_a_bot_with_few_games_stands_behind_the_others(people: People, member: Client) -> None:
    """Blau has lost nine of ten games, Rot has won its only one: by the share alone Rot would lead."""
    for name in ("Blau", "Rot", "Grün"):
        Player.objects.create(club=people.club, name=name, kind="bot", bot="random")
    for game in range(10):
        record(people, single("xxl-3", Blau=20 if game else 90, Ann=50))
    record(people, single("xxl-3", Rot=90, Ben=20))
    refresh(people)
    rows = page_of(member, "/herzclub/bots/")
    lines = rows.rows(next(rows.all("table")))[1:]
    assert [(line[0].split()[0], line[3], "provisional" in line[0]) for line in lines] == [
        ("Blau", "10 %", False),
        ("Rot", "100 %", True),
        ("Grün", "\N{EN DASH}", True),
    ]


def test_the_hall_of_fame(people: People, member: Client) -> None:
    evenings_of_three(people)
    assert "No season is closed yet." in page_of(member, "/herzclub/hall-of-fame/").text
    by = people.access(people.admin)
    seasons.update_season(access=by, season_id=people.season.pk, changes={"status": "closed"}, now=NOW)
    page = page_of(member, "/herzclub/hall-of-fame/")
    # Place averages: Ann and Ben 1.5 each, Cem 3.
    assert section(page, "Monday League 2026").startswith(
        "Monday League 2026 1 Ann Place average 1.50 1 Ben Place average 1.50 3 Cem Place average 3.00"
    )
    assert section(page, "Most wins") == "Most wins 1 Ann 1 1 Ben 1"
    assert section(page, "Most weeks in a row").replace("\N{EN DASH}", "-") == (
        "Most weeks in a row 1 Ann 23 Nov 2026 - 30 Nov 2026 2 1 Ben 23 Nov 2026 - 30 Nov 2026 2"
    )


def test_german(people: People, member: Client) -> None:
    evenings_of_three(people)
    page = page_of(member, f"/herzclub/players/{people.players[0].pk}/", language="de")
    assert "23.11.2026" in page.text
    assert "23 Nov 2026" not in page.text


# --- To whom, and by whose name ---------------------------------------------------------------------------------------

MEMBERS_ONLY = ("players/", "players/{ann}/", "games/", "games/xxl-3/", "bots/")


@pytest.mark.parametrize("path", MEMBERS_ONLY)
def test_statistics_are_for_members(people: People, as_user: AsUser, path: str) -> None:
    evenings_of_three(people)
    address = "/herzclub/" + path.format(ann=people.players[0].pk)
    assert as_user(people.member).get(address).status_code == 200
    assert as_user(people.stranger).get(address).status_code == 404
    assert Client().get(address).headers["Location"].startswith("/login/")
    own = "/pikclub/" + path.format(ann=people.players[0].pk)
    assert as_user(people.stranger).get(own).status_code == (404 if "{ann}" in path else 200)


def test_visitors_find_the_winners_of_public_seasons_by_their_public_names(people: People, as_user: AsUser) -> None:
    evenings_of_three(people)
    by = people.access(people.admin)
    hidden = seasons.create_season(
        access=by,
        league_id=people.season.league_id,
        fields={"name": "Secret", "slug": "secret", "starts_on": DAY, "visibility": "members"},
        now=NOW,
    )
    record(people, series({"Eva": 1, "Finn": 2}, season=hidden.pk))
    Player.objects.filter(pk=people.players[0].pk).update(nickname="The Ace")
    Season.objects.filter(club=people.club).update(status="closed")
    refresh(people)
    for client in (Client(), as_user(people.stranger)):
        page = page_of(client, "/herzclub/hall-of-fame/")
        assert "The Ace" in section(page, "Monday League 2026")
        assert not [name for name in ("Ann", "Eva", "Finn", "Secret", "Most wins") if name in page.text]
        links = {one.attributes["href"] for one in page.all("a")}
        assert not [link for link in links if "/players/" in link or "/games/" in link or "/bots/" in link]
    assert "Eva" in page_of(as_user(people.member), "/herzclub/hall-of-fame/").text
    Season.objects.filter(club=people.club).update(visibility="members")
    assert Client().get("/herzclub/hall-of-fame/").status_code == 404


def test_who_is_erased_bears_the_neutral_name_everywhere(people: People, member: Client) -> None:
    record(people, single("xxl-3", Ann=30, Ben=20, Cem=25))
    evenings_of_three(people)
    erasure.erase(access=people.access(people.admin), player_id=people.players[0].pk, confirmed=True, now=NOW)
    neutral = Player.objects.get(pk=people.players[0].pk).name
    Season.objects.filter(club=people.club).update(status="closed")
    for path in (f"players/{people.players[1].pk}/", "players/", "games/xxl-3/", "hall-of-fame/"):
        text = page_of(member, f"/herzclub/{path}").text
        assert neutral in text, path
        assert "Ann" not in text, path


def test_pages_ask_as_much_of_many_sessions_as_of_one(people: People, member: Client) -> None:
    paths = [f"players/{people.players[0].pk}/", "players/", "games/", "games/xxl-3/", "bots/", "hall-of-fame/"]

    def asked() -> dict[str, int]:
        found = {}
        for path in paths:
            with CaptureQueriesContext(connection) as queries:
                assert member.get(f"/herzclub/{path}").status_code == 200
            found[path] = len(queries)
        return found

    record(people, single("xxl-3", Ann=30, Ben=20))
    evenings_of_three(people)
    before = asked()
    for number in range(6):
        record(people, series({"Ann": 2, "Dora": 1, "Eva": 3}, played_on=DAY - timedelta(days=8 + number)))
        record(people, single("xxl-3", Ann=30, Eva=20 + number))
    refresh(people)
    assert asked() == before


# --- A session that goes on -------------------------------------------------------------------------------------------


def opened(people: People, *rounds: dict[str, int]) -> Session:
    session = record(people, series(*rounds[:1], planned=6, status="open"))
    for one in rounds[1:]:
        results.record_round(
            access=people.access(people.scorekeeper),
            session_id=session.pk,
            data=by_points("xxl-3", one),
            confirm=frozenset(),
            now=NOW,
        )
    return session


def test_the_sheet_of_a_session_that_goes_on_says_who_leads(people: People, member: Client) -> None:
    session = opened(people, {"Ann": 2, "Ben": 1, "Cem": 3}, {"Ann": 40, "Ben": 10, "Cem": 30})
    path = f"/herzclub/sessions/{session.pk}/"
    page = page_of(member, path)
    # Ann 2 + 1, Ben 1 + 3, Cem 3 + 2.
    assert section(page, "So far") == "So far 1 Ann Σsum 3 2 Ben Σsum 4 3 Cem Σsum 5"
    chart = page.one("section", id="course")
    assert page.rows(page.one("table", inside=chart)) == [
        ["Round", "Ann", "Ben", "Cem"],
        ["1", "2", "1", "3"],
        ["2", "3", "4", "5"],
    ]
    home = page_of(member, "/herzclub/")
    assert "1. Ann Σsum 3" in section(home, "Sessions that go on").replace("place ", "")
    before = member.get(path).headers["ETag"]
    results.record_round(
        access=people.access(people.scorekeeper),
        session_id=session.pk,
        data=by_points("xxl-3", {"Ann": 1, "Ben": 2, "Cem": 3}),
        confirm=frozenset(),
        now=NOW,
    )
    answer = member.get(path, headers={"if-none-match": before})
    assert answer.status_code == 200
    # 3 + 3, 4 + 2, 5 + 1: all level.
    assert section(Page(answer.content.decode()), "So far") == "So far 1 Ann Σsum 6 1 Ben Σsum 6 1 Cem Σsum 6"


def test_the_sheet_of_an_ended_session_names_the_winners(people: People, member: Client) -> None:
    session = record(people, series({"Ann": 1, "Ben": 2, "Cem": 3}, {"Ann": 2, "Ben": 1, "Cem": 3}))
    page = page_of(member, f"/herzclub/sessions/{session.pk}/")
    assert "WinnersAnn, Ben" in classed(page, "dl", "facts")[0].text
    assert "So far" not in [one.text for one in page.all("h2")]
