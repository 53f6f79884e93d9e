"""The pages of tournaments that everybody reads."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import ApiToken, Member, Player, PlayerKind, Season, Session, Tournament, User, name_key
from league.services import results, table_links, tournament_entries, tournament_rounds, tournaments
from league.services.tournament_entries import EntryInput
from league.services.tournament_formats import StageInput
from league.web.brackets import DASH
from tests.people import NOW, People
from tests.services.given import ANYTHING, by_places, by_points
from tests.services.test_tournaments import SWISS, Club
from tests.web.page import Element, Page

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

AsUser = Callable[[User], Client]
CUP = "/herzclub/tournaments/cup/"


@pytest.fixture(autouse=True)
def _then() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def club(people: People) -> Club:
    return Club(people)


def read(client: Client, path: str) -> Page:
    answer: Any = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return Page(answer.content.decode())


def classed(page: Page, tag: str, name: str) -> list[Element]:
    """The elements that have just this class."""
    return [one for one in page.all(tag) if one.attributes.get("class") == name]


def cells(page: Page) -> list[list[str]]:
    return page.rows(next(iter(page.all("table"))))[1:]


def show_to(cup: Tournament, visibility: str) -> Tournament:
    """The tournament, shown to other readers from now on."""
    Tournament.objects.filter(pk=cup.pk).update(visibility=visibility)
    cup.refresh_from_db()
    return cup


ALL = (
    *("", "standings/", "rounds/1/", "rounds/1/print/", "bracket/", "cross-table/", "screen/"),
    *("standings/?stage=all", "screen/?still=1"),
)


def test_every_page_for_who_may_see_the_tournament(club: Club, as_user: AsUser) -> None:
    cup = club.tournament(SWISS, players=5)
    club.pair(cup)
    club.play(cup, 1)
    pages = [*ALL, f"players/{club.entry(cup, 'P01')}/"]
    stranger, member = as_user(club.people.stranger), as_user(club.people.member)
    for part in pages:
        assert Client().get(CUP + part).status_code == 200, part
    show_to(cup, "link")
    for part in pages:
        mark = "&" if "?" in part else "?"
        opened = Client().get(f"{CUP}{part}{mark}key={cup.board_key}")
        assert opened.status_code == 200, part
        assert Client().get(CUP + part).status_code == stranger.get(CUP + part).status_code == 404, part
        # Whatever leads on within the tournament carries the key.
        for one in Page(opened.content.decode()).all("a"):
            if one.attributes["href"].startswith((CUP, "/herzclub/sessions/")):
                assert f"key={cup.board_key}" in one.attributes["href"], (part, one.attributes)
    show_to(cup, "members")
    for part in pages:
        assert Client().get(f"{CUP}{part}").status_code == 404, part
        assert Client().get(f"{CUP}{part}?key={cup.board_key}").status_code == 404, part
        assert member.get(CUP + part).status_code == 200, part


@pytest.mark.django_db(transaction=True)
def test_pages_and_answers_write_nothing(club: Club, as_user: AsUser) -> None:
    """Each reads the tournament within one transaction that can't write, as it is outside of tests."""
    cup = club.tournament(SWISS, players=5)
    club.pair(cup)
    Player.objects.filter(name="P01").update(member=Member.objects.get(user=club.people.member))
    api = f"/api/v1/clubs/{cup.club.slug}/tournaments/{cup.pk}/"
    answers = ("standings/", "ranking/", "cross-table/", "bracket/", "rounds/1/", "trf/")
    for reader in (Client(), as_user(club.people.member), as_user(club.people.scorekeeper)):
        for part in (*ALL, "me/", "standings/trf/", f"players/{club.entry(cup, 'P01')}/"):
            assert reader.get(CUP + part).status_code in {200, 302}, part
        known = reader.get(api).status_code
        assert [reader.get(api + part).status_code for part in answers] == [known] * len(answers)


def test_before_the_first_round(club: Club) -> None:
    club.tournament(SWISS, players=4, start=False)
    page = read(Client(), CUP)
    assert "The tournament has not begun." in page.text
    assert "4 players" in page.text
    assert "The tournament has not begun." in read(Client(), f"{CUP}standings/").text
    assert read(Client(), f"{CUP}screen/").one("main").attributes["data-following"] == "?page=1"


def test_visitors_read_public_names_and_members_names(club: Club, as_user: AsUser) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    Player.objects.filter(name="P01").update(nickname="Ace")
    for part in (*ALL, f"players/{club.entry(cup, 'P01')}/"):
        if part == "bracket/":
            continue
        seen, known = read(Client(), CUP + part).text, read(as_user(club.people.member), CUP + part).text
        assert "Ace" in seen and "P01" not in seen, part
        assert "P01" in known, part


def test_a_round_that_is_not_published_is_for_who_runs_it(club: Club, as_user: AsUser) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup, publish=False)
    for reader in (Client(), as_user(club.people.member)):
        assert reader.get(f"{CUP}rounds/1/").status_code == reader.get(f"{CUP}rounds/1/print/").status_code == 404
        entry = read(reader, f"{CUP}players/{club.entry(cup, 'P01')}/")
        assert "The table of the first round stands here as soon as it is published." in entry.text
    page = read(as_user(club.people.scorekeeper), f"{CUP}rounds/1/")
    assert "not published" in page.text
    assert Client().get(f"{CUP}rounds/2/").status_code == 404


def test_the_plan_of_tables_fills_with_results(club: Club) -> None:
    cup = club.tournament(SWISS, players=5)
    club.pair(cup)
    page = read(Client(), f"{CUP}rounds/1/")
    assert "0 of 2 tables decided" in page.text
    # The last of five sits out, and the page says why.
    assert "P05 has a bye." in page.text
    numbers = [one.text for one in page.all("h2") if one.attributes.get("class") == "table-number"]
    assert numbers == ["Table 1", "Table 2", "Bye"]
    club.play(cup, 1)
    page = read(Client(), f"{CUP}rounds/1/")
    assert "2 of 2 tables decided" in page.text
    winners = [one.text for one in classed(page, "li", "won")]
    assert sorted(re.findall(r"P\d\d", " ".join(winners))) == ["P01", "P02"]


@pytest.mark.parametrize(
    ("quality", "told"),
    [
        ({"repeats": 0, "bound": 0, "largest": 1, "is_proven": True}, "nobody sits with anybody twice: proven best."),
        ({"repeats": 84, "bound": 84, "largest": 3, "is_proven": True}, "84 repeated meetings over all rounds: proven"),
        ({"repeats": 2, "bound": 0, "largest": 2}, "2 repeated meetings over all rounds; whether none is possible"),
        ({"repeats": 9, "bound": 5, "largest": 2}, "fewer than 5 are provably impossible."),
        ({"repeats": 1, "bound": 1, "largest": 3, "is_proven": True}, "with the same person more than 3 times."),
        ({"groups": [{"repeats": 0}, {"repeats": 0}]}, "Group 2: Over all rounds nobody sits with anybody twice"),
        ({"repeats": 0, "is_reproducible": False}, "The search was ended early"),
    ],
)
def test_what_is_possible_stands_beside_a_plan(club: Club, quality: dict[str, object], told: str) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    cup.rounds.update(quality=quality)
    assert told in read(Client(), f"{CUP}rounds/1/").text


def test_the_standings_say_which_tie_break_decided(club: Club) -> None:
    """Four, two rounds of three: the winners of the first meet in the second, the losers as well.

    P01 beats P03 and P02; P02 beats P04 and loses; P03 loses and beats P04. P02 and P03 have one point each and did not
    meet: Buchholz without the lowest decides, P02's opponents have 2 and 0, P03's 2 and 0 too; Buchholz is level at 2;
    Sonneborn-Berger: both beat P04, who has none: 0 and 0; wins: 1 and 1. So the two share rank 2.
    """
    cup = club.tournament(SWISS, players=4)
    for number in (1, 2):
        club.pair(cup)
        club.play(cup, number)
    page = read(Client(), f"{CUP}standings/")
    rows = cells(page)
    assert [row[1].split()[0] for row in rows] == ["P01", "P02", "P03", "P04"]
    assert [row[0] for row in rows] == ["1", "2= shared", "2= shared", "4"]
    assert [row[-2] for row in rows] == ["", "Points", "level in everything", "Points"]
    # On a phone, which has no room for the columns, the same is folded below the name.
    folded = [one.text for one in page.all("details") if one.attributes["class"] == "sub"]
    assert folded[1].startswith("decided by: Points")
    assert folded[1].endswith("Buchholz, cut 1: 2 · Buchholz: 2 · Sonneborn-Berger: 0 · Number of wins: 1")
    headings = [one.text for one in page.all("th", scope="col")]
    assert headings[3:8] == ["Direct encounter", "Buchholz, cut 1", "Buchholz", "Sonneborn-Berger", "Number of wins"]
    sentences = [one.text for one in page.all("li")]
    assert any("The higher sum of the opponents' scores without the lowest." in one for one in sentences)


def test_a_tie_break_that_decides_is_named(club: Club) -> None:
    """All play all, and P03 beats P01: P01 and P03 have two wins each, and P03 won their direct encounter."""
    cup = club.tournament(StageInput("round_robin"), players=4)
    club.pair(cup)
    for number in (1, 2, 3):
        for seated in club.seated(cup, number):
            if set(seated) == {"P01", "P03"}:
                session = Session.objects.get(table__round__number=number, seats__player__name="P01", voided_at=None)
                club.score(session, {"P03": 1, "P01": 2})
        club.play(cup, number)
    rows = cells(read(Client(), f"{CUP}standings/"))
    # P01 beats P02 and P04, P02 beats P03 and P04, P03 beats P01 and P04: three with two points each.
    assert [row[2] for row in rows] == ["2", "2", "2", "0"]
    assert {row[0] for row in rows[:3]} == {"1= shared"}


def test_groups_and_the_whole_tournament(club: Club) -> None:
    """Two groups of three, the first of each into a final: ranks of the whole are the final, then the places behind."""
    cup = club.tournament(StageInput("round_robin", groups=2, advance=1), StageInput("single_elimination"), players=6)
    for number in club.pair(cup):
        club.play(cup, number)
    tournament_rounds.open_next_stage(access=club.access, tournament_id=cup.pk, now=NOW)
    (number,) = club.pair(cup)
    club.play(cup, number)
    page = read(Client(), f"{CUP}standings/?stage=1")
    assert {"Group 1", "Group 2"} <= {one.text for one in page.all("span")}
    whole = cells(read(Client(), f"{CUP}standings/?stage=all"))
    # P01 and P02 lead their groups; behind the final the two second and the two third share their ranks.
    assert [row[0] for row in whole] == ["1", "2", "3= shared", "3= shared", "5= shared", "5= shared"]
    assert [row[1] for row in whole[:2]] == ["P01", "P02"]
    # While it goes on, the stage that is played comes first, and of a player the rank there.
    assert [row[1] for row in cells(read(Client(), f"{CUP}standings/"))] == ["P01", "P02"]
    tournaments.finish(access=club.access, tournament_id=cup.pk, now=NOW)
    # In the end the whole tournament does: everywhere.
    assert cells(read(Client(), f"{CUP}standings/")) == whole
    assert len(list(read(Client(), f"{CUP}screen/").all("th", scope="row"))) == 6
    last = read(Client(), f"{CUP}players/{club.entry(cup, 'P06')}/")
    assert last.one("dl").text.startswith("Rank5 shared")
    page = read(Client(), CUP)
    assert "Final ranking" in page.text
    assert [one.attributes["data-live"] for one in page.all("div") if "data-live" in one.attributes] == ["0"]


def test_the_cross_table_reads_from_the_row(club: Club) -> None:
    cup = club.tournament(StageInput("round_robin"), players=4)
    for number in club.pair(cup):
        club.play(cup, number)
    # The stronger always wins.
    assert cells(read(Client(), f"{CUP}cross-table/")) == [
        ["1 P01", "", "1", "1", "1", "3", "1"],
        ["2 P02", "0", "", "1", "1", "2", "2"],
        ["3 P03", "0", "0", "", "1", "1", "3"],
        ["4 P04", "0", "0", "0", "", "0", "4"],
    ]


def test_a_large_cross_table_is_a_window(club: Club) -> None:
    cup = club.tournament(SWISS, players=64)
    club.pair(cup)
    page = read(Client(), f"{CUP}cross-table/")
    rows = cells(page)
    assert len(rows) == 60 and {len(row) for row in rows} == {1 + 60 + 2}
    last = cells(read(Client(), f"{CUP}cross-table/?rows=2&columns=2"))
    assert len(last) == 4 and {len(row) for row in last} == {1 + 4 + 2}
    assert len(classed(page, "nav", "windows")) == 2


def test_the_bracket_leads_to_the_sheets_and_hides_drafts(club: Club, as_user: AsUser) -> None:
    cup = club.tournament(StageInput("single_elimination"), players=4)
    club.pair(cup)
    club.play(cup, 1)
    club.pair(cup, publish=False)
    page = read(Client(), f"{CUP}bracket/")
    sheets = {f"/herzclub/sessions/{pk}/" for pk in Session.objects.values_list("pk", flat=True)}
    drawn = {one.attributes["href"] for one in page.all("a", page.one("svg", role="group"))}
    assert drawn == sheets and len(sheets) == 2
    in_words = [one.text for one in page.all("li") if one.text.startswith("Match ")]
    assert in_words[0].startswith(f"Match 1: P01{DASH}P04 P01 wins.")
    assert in_words[2] == f"Match 3: P01{DASH}P02 Can be played."
    running = read(as_user(club.people.scorekeeper), f"{CUP}bracket/")
    assert "Round 2, table 1: no result yet." in running.text


# --- A player ---------------------------------------------------------------------------------------------------------


def win(club: Club, session: Session, *winners: str) -> None:
    """Play the games of a match: of each the winner."""
    names = list(session.seats.values_list("player__name", flat=True))
    for winner in winners:
        places = {name: 1 if name == winner else 2 for name in names}
        data = by_places("xxl-6-plus", places)
        results.record_round(access=club.access, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW)


def test_a_match_of_several_games_tells_how_many_each_won(club: Club, as_user: AsUser) -> None:
    """The best of three, P01 against P02: the third game decides, 2:1."""
    cup = club.tournament(StageInput("single_elimination", {"best_of": 3}), players=2)
    club.pair(cup)
    session = Session.objects.get()
    win(club, session, "P02", "P01")
    # As long as it goes on, its sheet alone tells of the games.
    assert "games won" not in read(Client(), f"{CUP}rounds/1/").text
    win(club, session, "P01")
    (match,) = [one for one in read(Client(), f"{CUP}bracket/").all("li") if "Match 1" in one.text]
    assert "P01 wins 2:1." in match.text
    drawn = classed(read(Client(), f"{CUP}bracket/"), "text", "mark")
    assert [one.text for one in drawn] == ["2", "1"]
    assert [one.text for one in read(Client(), f"{CUP}rounds/1/").all("small") if "won" in one.text] == [
        "2 games won",
        "1 game won",
    ]
    assert "games 1:2" in read(Client(), f"{CUP}players/{club.entry(cup, 'P02')}/").text
    api = f"/api/v1/clubs/herzclub/tournaments/{cup.pk}/"
    reader = as_user(club.people.member)
    (found,) = reader.get(f"{api}bracket/").json()["matches"]
    assert found["games_won"] == [2, 1]
    (table,) = reader.get(f"{api}rounds/1/").json()["tables"]
    assert [seat["games_won"] for seat in table["seats"]] == [2, 1]


def test_a_single_game_has_no_games_to_count(club: Club) -> None:
    cup = club.tournament(StageInput("single_elimination"), players=2)
    club.pair(cup)
    club.play(cup, 1)
    page = read(Client(), f"{CUP}bracket/")
    assert [one.text for one in classed(page, "text", "mark")] == ["✓"]
    assert "P01 wins." in page.text
    assert "game won" not in read(Client(), f"{CUP}rounds/1/").text


def test_my_next_table(club: Club, as_user: AsUser) -> None:
    cup = club.tournament(SWISS, players=4, round_minutes=50)
    member = Member.objects.get(user=club.people.member)
    Player.objects.filter(name="P03").update(member=member)
    client = as_user(club.people.member)
    assert "stands here as soon as it is published" in read(client, f"{CUP}me/").text
    club.pair(cup)
    tournament_rounds.set_clock(access=club.access, tournament_id=cup.pk, number=1, runs=True, now=NOW)
    page = read(client, f"{CUP}me/")
    # The fold: 1-3 and 2-4, so P03 sits with P01; 20:15 UTC is 21:15 in Berlin, and the round has 50 minutes.
    assert page.one("h1").text == "P03"
    assert [one.text for one in classed(page, "p", "huge")] == ["Table 1"]
    assert "P01" in classed(page, "ul", "with")[0].text
    assert "The round ends at 22:05" in page.text
    (clock,) = page.all("b", role="timer")
    assert clock.attributes["data-ends"] == "2026-11-30T21:05:00Z"
    club.play(cup, 1)
    page = read(client, f"{CUP}me/")
    assert "The next table stands here" in page.text
    assert "Round 1, table 1" in page.text and "place 2" in page.text


def test_of_a_plan_that_is_out_the_round_that_is_played_is_shown(club: Club) -> None:
    """Four meet in three rounds, all published at once."""
    cup = club.tournament(StageInput("round_robin"), players=4)
    assert club.pair(cup) == [1, 2, 3]

    def current() -> str:
        return read(Client(), CUP).one("h2", id="now").text

    own = f"{CUP}players/{club.entry(cup, 'P01')}/"
    assert current() == "Round 1"
    page = read(Client(), own)
    assert page.one("h2", id="next").text == "Round 1"
    to_come = page.one("section", None, **{"aria-labelledby": "later"})
    assert [one.text.partition(",")[0] for one in page.all("li", inside=to_come)] == ["Round 2", "Round 3"]
    first, put_off = Session.objects.filter(table__round__number=1)
    names = sorted(first.seats.values_list("player__name", flat=True))
    club.score(first, {name: place for place, name in enumerate(names, 1)})
    assert current() == "Round 1"
    # A table that is put off holds nobody up.
    club.play(cup, 2)
    assert current() == "Round 3"
    late = put_off.seats.values_list("player__name", flat=True)[0]
    assert read(Client(), f"{CUP}players/{club.entry(cup, late)}/").one("h2", id="next").text == "Round 1"
    club.play(cup, 3)
    assert current() == "Round 3"


def test_my_page_is_another_once_i_am_another_player(club: Club, as_user: AsUser) -> None:
    """The address stays the same, and nothing of the tournament changed: still the old page is not the present one."""
    club.tournament(SWISS, players=4)
    member = Member.objects.get(user=club.people.member)
    client = as_user(club.people.member)
    Player.objects.filter(name="P03").update(member=member)
    first = client.get(f"{CUP}me/")
    assert client.get(f"{CUP}me/", HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 304
    Player.objects.filter(name="P03").update(member=None)
    Player.objects.filter(name="P02").update(member=member)
    second = client.get(f"{CUP}me/", HTTP_IF_NONE_MATCH=first["ETag"])
    assert second.status_code == 200
    assert Page(second.content.decode()).one("h1").text == "P02"


def test_the_club_of_a_guest_stands_behind_the_name(club: Club) -> None:
    cup = club.tournament(SWISS, players=2)
    cup.entries.filter(player__name="P02").update(home_club="Pik & Partner")
    club.pair(cup)
    club.play(cup, 1)
    for part in ("", "rounds/1/", "standings/", "standings/?stage=all"):
        page = read(Client(), CUP + part)
        assert "P02 Pik & Partner" in page.text, part
        assert "P01 Pik" not in page.text, part


def test_who_entered_by_an_invitation_finds_the_own_table(club: Club, as_user: AsUser) -> None:
    cup = club.tournament(SWISS, players=3, start=False)
    invited = tournaments.invite(access=club.access, tournament_id=cup.pk, is_open=True, now=NOW)
    guest = club.people.stranger
    tournament_entries.accept_invitation(key=invited.entry_key, user=guest, name="Zoe", home_club="Pik", now=NOW)
    page = read(as_user(guest), f"{CUP}me/")
    assert page.one("h1").text == "Zoe"
    # Who is a player of the club and not in this tournament.
    Player.objects.filter(pk=club.people.players[0].pk).update(member=Member.objects.get(user=club.people.member))
    other = read(as_user(club.people.member), f"{CUP}me/")
    assert "You have not entered this tournament." in other.text
    answer = Client().get(f"{CUP}me/")
    assert answer.status_code == 302 and "/login/" in answer["Location"]


def test_a_player_of_another_tournament_is_not_found(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    other = tournaments.create(
        access=club.access,
        fields={
            "name": "Other",
            "slug": "other",
            "starts_on": NOW.date(),
            "session_format": "series",
            "game": "xxl-6-plus",
        },
        stages=[SWISS],
        now=NOW,
    )
    (entry,) = tournament_entries.enter(
        access=club.access, tournament_id=other.pk, entries=[EntryInput(player=club.people.players[0].pk)], now=NOW
    )
    assert Client().get(f"{CUP}players/{entry.pk}/").status_code == 404
    assert Client().get(f"/herzclub/tournaments/other/players/{entry.pk}/").status_code == 200
    assert cup.entries.count() == 4


# --- For paper and for a projector ------------------------------------------------------------------------------------


def test_the_plan_to_print_has_no_codes_until_they_are_made(club: Club, as_user: AsUser) -> None:
    cup = club.tournament(SWISS, players=5)
    club.pair(cup)
    path = f"{CUP}rounds/1/print/"
    scorekeeper = as_user(club.people.scorekeeper)
    page = read(scorekeeper, path)
    assert not classed(page, "svg", "qr")
    assert "Make codes for 2 tables" in page.text
    assert not list(classed(read(as_user(club.people.member), path), "form", "card"))
    for client, status in ((Client(), 302), (as_user(club.people.member), 403), (as_user(club.people.stranger), 404)):
        assert client.post(f"{path}codes/").status_code == status
    assert not ApiToken.objects.exists()
    assert scorekeeper.get(f"{path}codes/").status_code == 405
    answer: Any = scorekeeper.post(f"{path}codes/")
    assert "no-store" in answer["Cache-Control"]
    page = Page(answer.content.decode())
    # One for each table that is played, none for the bye.
    assert len(classed(page, "svg", "qr")) == 2
    # Who can't scan types the address, which stands below, in pieces for the eye; the page there says where one is.
    said = classed(page, "p", "table-code-said")
    assert all(one.text.startswith("Scan to enter the results of this table, or type:") for one in said)
    address = "".join(one.text for one in page.all("span", said[0]))
    opened = read(Client(), address.removeprefix("http://testserver"))
    assert opened.one("h1").text == "Cup Tournament round 1, table 1"
    assert opened.one("h2", id="round-title").text == "At this table: round 1 of 1"
    made = ApiToken.objects.filter(scope="table")
    assert {one.session_id for one in made} == set(Session.objects.values_list("pk", flat=True))
    assert {one.expires_at for one in made} == {NOW + timedelta(hours=table_links.USUAL_HOURS)}


def test_the_screen_turns_through_tables_and_ranks(club: Club) -> None:
    """26 players: 13 tables are two pages of twelve, 26 ranks three pages of ten."""
    cup = club.tournament(SWISS, players=26, round_minutes=30, announcement="Soup is ready")
    club.pair(cup)
    tournament_rounds.set_clock(access=club.access, tournament_id=cup.pk, number=1, runs=True, now=NOW)
    address, ranked, tables = "?page=1", [], []
    for _turn in range(3):
        page = read(Client(), f"{CUP}screen/{address}")
        main = page.one("main")
        assert "Soup is ready" in page.text and "until 21:45" in page.text
        address = main.attributes["data-following"]
        ranked += [one.text for one in page.all("th", scope="row")]
        tables.append(len(list(page.all("li"))))
        (refresh,) = [one for one in page.all("meta") if one.attributes.get("http-equiv") == "refresh"]
        assert any(one.tag == "noscript" for one in refresh.around)
    assert address == "?page=1"
    assert len(ranked) == len(set(ranked)) == 26
    assert tables == [12, 1, 12]
    still = read(Client(), f"{CUP}screen/?page=2&still=1")
    assert still.one("main").attributes["data-turn"] == "0"
    german = Client().get(f"{CUP}screen/?language=de").content.decode()
    assert '<html lang="de">' in german and "&amp;language=de" in german


# --- What has not changed, and what a page costs ----------------------------------------------------------------------


@pytest.mark.parametrize("part", ["", "standings/", "rounds/1/", "cross-table/", "screen/"])
def test_who_has_seen_just_this_is_told_so(club: Club, part: str) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    client = Client()
    etag = client.get(CUP + part)["ETag"]
    with CaptureQueriesContext(
        connection,
    ) as asked:
        again = client.get(CUP + part, headers={"If-None-Match": etag})
    assert again.status_code == 304
    assert len(asked) == 1
    club.play(cup, 1)
    assert client.get(CUP + part, headers={"If-None-Match": etag}).status_code == 200


def test_a_page_is_as_many_queries_for_many_players_as_for_few(club: Club) -> None:
    counts: dict[int, dict[str, int]] = {}
    for players, slug in ((4, "cup"), (32, "large")):
        for one in Player.objects.filter(name__startswith="P"):
            Player.objects.filter(pk=one.pk).update(name=f"x{one.pk}", name_key=f"x{one.pk}")
        cup = club.tournament(SWISS, players=players, slug=slug)
        club.pair(cup)
        entry = cup.entries.order_by("seed")[0].pk
        counts[players] = {}
        for part in (*ALL, f"players/{entry}/"):
            with CaptureQueriesContext(connection) as asked:
                assert Client().get(f"/herzclub/tournaments/{slug}/{part}").status_code == 200
            counts[players][re.sub(r"\d+", "n", part)] = len(asked)
    assert counts[4] == counts[32]
    assert max(counts[4].values()) < 28


def test_long_lists_come_in_pages(club: Club) -> None:
    cup = club.tournament(SWISS, players=202)
    tournament_rounds.pair(access=club.access, tournament_id=cup.pk, now=NOW)
    assert len(cells(read(Client(), f"{CUP}standings/"))) == 100
    assert len(cells(read(Client(), f"{CUP}standings/?page=3"))) == 2
    page = read(Client(), f"{CUP}?page=3")
    assert len(list(page.all("li", classed(page, "ul", "entries")[0]))) == 2
    assert [one.attributes["href"] for one in page.all("a", rel="prev")] == ["?page=2"]


# --- Where else tournaments stand -------------------------------------------------------------------------------------


def test_a_club_with_nothing_public_but_a_tournament(club: Club) -> None:
    Season.objects.all().update(visibility="members")
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    home = read(Client(), "/herzclub/")
    assert any(one.attributes.get("href") == CUP for one in home.all("a"))
    assert any(one.attributes.get("href") == CUP for one in read(Client(), "/").all("a"))
    assert "Cup" in read(Client(), "/herzclub/tournaments/").text
    show_to(cup, "members")
    assert not any(one.attributes.get("href") == CUP for one in read(Client(), "/").all("a"))
    assert Client().get("/herzclub/").status_code == Client().get("/herzclub/tournaments/").status_code == 404


def test_the_list_shows_what_the_reader_may_see(club: Club, as_user: AsUser) -> None:
    cup = show_to(club.tournament(SWISS, players=4), "members")
    assert "Cup" not in read(Client(), "/herzclub/tournaments/").text
    page = read(as_user(club.people.member), "/herzclub/tournaments/")
    assert "Cup" in page.text and "4 players" in page.text
    tournaments.archive(access=club.access, tournament_id=cup.pk, now=NOW)
    assert "Cup" not in read(as_user(club.people.member), "/herzclub/tournaments/").text
    assert "Cup" in read(as_user(club.people.member), "/herzclub/tournaments/?archived=1").text


def test_the_sheet_of_a_table_is_for_whoever_sees_the_tournament(club: Club, as_user: AsUser) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    session = Session.objects.order_by("pk")[0]
    path = f"/herzclub/sessions/{session.pk}/"
    page = read(Client(), path)
    (back,) = [one for one in page.all("a") if one.attributes.get("id") == "tournament"]
    assert back.attributes["href"] == f"{CUP}rounds/1/"
    assert back.text == "Cup, tournament round 1, table 1"
    assert str(session.pk) in "".join(one.attributes["href"] for one in read(Client(), "/herzclub/sessions/").all("a"))
    show_to(cup, "link")
    assert Client().get(path).status_code == 404
    keyed = read(Client(), f"{path}?key={cup.board_key}")
    assert f"{CUP}rounds/1/?key={cup.board_key}" in {one.attributes.get("href") for one in keyed.all("a")}
    show_to(cup, "members")
    assert Client().get(f"{path}?key={cup.board_key}").status_code == 404
    assert as_user(club.people.member).get(path).status_code == 200


def test_a_table_of_a_season_is_shown_as_the_season_says(club: Club) -> None:
    cup = club.tournament(SWISS, players=4, season=club.people.season.pk)
    club.pair(cup)
    path = f"/herzclub/sessions/{Session.objects.order_by('pk')[0].pk}/"
    assert Client().get(path).status_code == 200
    Season.objects.all().update(visibility="members")
    assert Client().get(path).status_code == 404
    # The tournament itself stays public; what leads to no page is no link.
    page = read(Client(), f"{CUP}rounds/1/")
    assert path not in {one.attributes["href"] for one in page.all("a")}


def test_a_profile_lists_the_tournaments_of_the_player(club: Club, as_user: AsUser) -> None:
    cup = club.tournament(SWISS, players=4)
    player = cup.entries.select_related("player").get(player__name="P02").player
    page = read(as_user(club.people.member), f"/herzclub/players/{player.pk}/")
    (link,) = [one for one in page.all("a") if one.text == "Cup"]
    assert link.attributes["href"] == f"{CUP}players/{club.entry(cup, 'P02')}/"


def test_names_are_escaped(club: Club) -> None:
    cup = club.tournament(StageInput("round_robin"), players=3)
    club.pair(cup)
    evil = "<script>alert(1)</script>"
    Player.objects.filter(name="P01").update(name=evil, name_key=name_key(evil), kind=PlayerKind.PERSON)
    for part in ALL:
        text = Client().get(CUP + part).content.decode()
        assert evil not in text, part
    assert timezone.now() == NOW


def test_the_minimum_of_the_game_is_told_at_every_table(people: People) -> None:
    """The Game is only comparable where all tables play with the same minimum (docs/rules/the-game.md)."""
    club = Club(people)
    cup = club.tournament(
        StageInput("table_swiss", {"rounds": 2}), players=6, game="the-game", session_format="single_game", minimum=3
    )
    club.pair(cup)
    client = Client()
    for path in ("", "rounds/1/", "rounds/1/print/", "screen/"):
        page = client.get(f"/herzclub/tournaments/cup/{path}").content.decode()
        assert "at least 3 cards in a turn" in page, path
    session = Session.objects.order_by("pk")[0]
    names = session.seats.values_list("player__name", flat=True)
    results.record_round(
        access=club.access,
        session_id=session.pk,
        data=by_points("the-game", dict.fromkeys(names, 7)),
        confirm=ANYTHING,
        now=NOW,
    )
    assert "7 cards left" in client.get("/herzclub/tournaments/cup/rounds/1/").content.decode()
    assert "Cards left" in client.get("/herzclub/tournaments/cup/standings/").content.decode()


def test_of_a_cooperative_game_the_cards_left_stand_round_by_round(people: People) -> None:
    """Nobody at a table of The Game is before anybody: a square of who met whom would say "level" alone."""
    club = Club(people)
    rounds = StageInput("table_swiss", {"rounds": 2})
    cup = club.tournament(rounds, players=6, game="the-game", session_format="single_game")
    left = {1: (4, 10), 2: (3, 7)}
    told: dict[str, list[str]] = {}
    for number in (1, 2):
        club.pair(cup)
        for session, cards in zip(Session.objects.filter(table__round__number=number), left[number], strict=True):
            names = list(session.seats.values_list("player__name", flat=True))
            for name in names:
                told.setdefault(name, []).append(str(cards))
            if (number, cards) != (2, 7):
                data = by_points("the-game", dict.fromkeys(names, cards))
                results.record_round(access=club.access, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW)
            else:
                for name in names:
                    told[name][-1] = "·"
    # Who has not played yet has the cards of round 1 alone, and would seem to lead.
    assert "Round 2 is still being played" in read(Client(), f"{CUP}standings/").text
    page = read(Client(), f"{CUP}cross-table/")
    assert page.one("h1").text == "Cards left by round"
    assert page.one("a", href=f"{CUP}cross-table/").text == "Cards left by round"
    assert page.rows(page.one("table"))[0] == ["Player", "Round 1", "Round 2", "Cards left", "Rank"]
    for name, *row, total, _rank in cells(page):
        given = told[name.partition(" ")[2]]
        assert row == given
        assert int(total) == sum(int(one) for one in given if one != "·")
