"""What readers take along: tables, pictures, calendars, archives; each for whom the pages are for, and no one else."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from icalendar import Calendar
from PIL import Image

from league.exchange import csv_plays
from league.models import Club, Member, Player, Season, Session, User
from league.models.tables import session_rows
from league.services import archives, corrections, players, results
from league.web import pictures
from league.web.calendars import key_of
from tests.people import NOW, People
from tests.services.given import evening, expected, record
from tests.web.conftest import BOARD
from tests.web.page import Page

AsUser = Callable[[User], Client]
FILES = (
    "standings.csv",
    "standings.json",
    "standings.png",
    "standings.svg",
    "sessions.csv",
    "sessions.json",
    "calendar.ics",
)


def body(response: Any) -> bytes:
    return b"".join(response) if response.streaming else response.content


def table(response: Any, delimiter: str) -> list[dict[str, str]]:
    text = body(response).decode()
    assert text.startswith("\ufeff"), "Excel takes a table without this mark for Windows-1252"
    return list(csv.DictReader(io.StringIO(text[1:], newline=""), delimiter=delimiter))


def events(content: bytes) -> list[Any]:
    return list(Calendar.from_ical(content).walk("VEVENT"))


# --- For whom ---------------------------------------------------------------------------------------------------------


def test_a_public_seasons_files_are_for_everyone_and_a_members_season_for_members(
    people: People, evenings: list[Session], client: Client, as_user: AsUser
) -> None:
    for public in (True, False):
        Season.objects.filter(pk=people.season.pk).update(visibility="public" if public else "members")
        for file in FILES:
            assert client.get(BOARD + file).status_code == (200 if public else 404), file
            assert as_user(people.stranger).get(BOARD + file).status_code == (200 if public else 404), file
            mine = as_user(people.member).get(BOARD + file)
            assert mine.status_code == 200
            if not public:
                assert "private" in mine["Cache-Control"]
            body(mine)


def test_the_clubs_files_are_for_members(
    people: People, evenings: list[Session], client: Client, as_user: AsUser
) -> None:
    for path in ("/herzclub/sessions.csv", "/herzclub/sessions.json", "/herzclub/calendar/"):
        assert client.get(path)["Location"].startswith("/login/")
        assert as_user(people.stranger).get(path).status_code == 404
        assert as_user(people.member).get(path).status_code == 200


def test_the_archive_is_for_owners(people: People, evenings: list[Session], client: Client, as_user: AsUser) -> None:
    path = "/herzclub/manage/archive/"
    assert client.post(path)["Location"].startswith("/login/")
    assert as_user(people.stranger).post(path).status_code == 404
    for user in (people.admin, people.scorekeeper, people.member):
        assert as_user(user).post(path).status_code == 403
        assert b"/manage/archive/" not in as_user(user).get("/herzclub/manage/").content
    assert b"/manage/archive/" in as_user(people.owner).get("/herzclub/manage/").content
    answer = as_user(people.owner).post(path)
    assert answer["Content-Type"] == "application/zip"
    assert answer["Content-Disposition"].startswith('attachment; filename="herzclub-')
    assert body(answer).startswith(b"PK")


# --- Tables -----------------------------------------------------------------------------------------------------------


def test_the_standings_are_those_of_the_page(client: Client, evenings: list[Session]) -> None:
    worked = expected("season")["standings"]
    english = table(client.get(BOARD + "standings.csv"), ",")
    assert [(row["Rank"], row["Player"], row["Sessions"], row["Wins"]) for row in english] == [
        (str(one["rank"]), one["player"], str(one["sessions"]), str(one["wins"])) for one in worked
    ]
    german = table(client.get(BOARD + "standings.csv?language=de"), ";")
    assert [row["Spieler"] for row in german] == [one["player"] for one in worked]
    averages = [one["place_total"] / one["sessions"] for one in worked]
    assert [float(row["Platzschnitt"].replace(",", ".")) for row in german] == pytest.approx(averages, abs=1e-4)
    assert any("," in row["Platzschnitt"] for row in german)
    told = json.loads(body(client.get(BOARD + "standings.json")))
    assert [(row["rank"], row["player"]) for row in told] == [(one["rank"], one["player"]) for one in worked]


def test_a_table_of_sessions_is_read_back_as_it_was(people: People, evenings: list[Session], client: Client) -> None:
    """The importer of such tables finds the same evenings, whatever language and delimiter."""
    for query in ("", "?language=de", "?language=de&delimiter=comma", "?delimiter=semicolon"):
        file = csv_plays.read(body(client.get(f"{BOARD}sessions.csv{query}")))
        assert [one.code for one in file.problems] == []
        for play, name in zip(file.plays, ("four-players", "five-players", "six-players-twice"), strict=True):
            played = evening(name)
            assert (play.day, play.format, play.location) == (played.played_on, played.format, played.location)
            assert play.players == tuple(seat.player for seat in played.players)
            for told, one in zip(play.rounds, played.rounds, strict=True):
                assert (told.game, told.note) == (one.game, one.note)
                assert {score.player: score.points for score in told.scores} == {
                    score.player: score.points for score in one.scores
                }


def test_no_name_becomes_a_formula_and_all_numbers_stay_numbers(people: People, client: Client) -> None:
    names = ("=1+1", "+Ann", "-Ben", "@Cem", "'=Dora")
    for name in names:
        players.create(access=people.access(people.owner), name=name, now=NOW)
    data = evening("four-players")
    by_name = dict(zip([seat.player for seat in data.players], names, strict=False))
    record(
        people,
        replace(
            data,
            format="series",
            planned_rounds=1,
            repeats=1,
            location="=HYPERLINK(0)",
            players=tuple(replace(seat, player=by_name[seat.player]) for seat in data.players),
            rounds=(
                replace(
                    data.rounds[0],
                    game="und-tschuess",
                    scores=tuple(
                        replace(score, player=by_name[score.player], points=-7 + index, place=None)
                        for index, score in enumerate(data.rounds[0].scores)
                    ),
                ),
            ),
        ),
    )
    rows = table(client.get(BOARD + "sessions.csv"), ",")
    assert {row["Player"] for row in rows} == {"'=1+1", "'+Ann", "'-Ben", "'@Cem"}
    assert {row["Location"] for row in rows} == {"'=HYPERLINK(0)"}
    assert sorted(int(row["Points"]) for row in rows) == [-7, -6, -5, -4]
    told = json.loads(body(client.get(BOARD + "sessions.json")))
    assert {row["player"] for row in told} == set(names[:4])


def test_voided_sessions_are_not_told(people: People, evenings: list[Session], client: Client) -> None:
    Session.objects.filter(pk=evenings[0].pk).update(voided_at=NOW, counts=False)
    told = json.loads(body(client.get(BOARD + "sessions.json")))
    assert {row["session"] for row in told} == {evenings[1].pk, evenings[2].pk}


def test_long_seasons_take_three_queries_a_chunk(
    people: People, evenings: list[Session], django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = Session.objects.filter(season=people.season)
    with django_assert_num_queries(3):
        whole = list(session_rows(sessions))
    monkeypatch.setattr("league.models.tables._SESSIONS_AT_A_TIME", 2)
    with django_assert_num_queries(6):
        assert list(session_rows(sessions)) == whole


# --- Pictures ---------------------------------------------------------------------------------------------------------


def test_the_picture_is_one_that_chats_preview(client: Client, evenings: list[Session]) -> None:
    for query in ("", "?theme=dark&language=de&rows=3", "?theme=no&rows=9999&language=xx"):
        answer = client.get(f"{BOARD}standings.png{query}")
        assert answer["Content-Type"] == "image/png"
        assert set(answer["Cache-Control"].split(", ")) == {"public", "max-age=300"}
        with Image.open(io.BytesIO(answer.content)) as image:
            assert image.size == (1200, 630)
        assert len(answer.content) < 300_000
        again = client.get(f"{BOARD}standings.png{query}", headers={"If-None-Match": answer["ETag"]})
        assert again.status_code == 304


def test_the_page_names_the_picture(people: People, client: Client, evenings: list[Session], as_user: AsUser) -> None:
    page = Page(client.get(BOARD).content.decode())
    told = {
        one.attributes["property"]: one.attributes["content"]
        for one in page.all("meta")
        if "property" in one.attributes
    }
    assert told["og:image"].startswith("http://testserver/herzclub/monday-league/2026/standings.png")
    assert client.get(told["og:image"]).status_code == 200
    assert told["og:url"] == "http://testserver" + BOARD
    Season.objects.update(visibility="members")
    assert b"og:image" not in as_user(people.member).get(BOARD).content


def test_the_svg_tells_names_places_and_what_ranks(people: People, client: Client, evenings: list[Session]) -> None:
    Player.objects.filter(pk=people.players[0].pk).update(name="<Ann> & Söhne")
    picture = client.get(BOARD + "standings.svg?language=en&rows=2")
    assert picture["Content-Type"] == "image/svg+xml"
    text = picture.content.decode()
    worked = expected("season")["standings"]
    assert "&lt;Ann&gt; &amp; Söhne" in client.get(BOARD + "standings.svg?rows=25").content.decode()
    assert "Monday League 2026" in text
    board = Page(client.get(BOARD, headers={"Accept-Language": "en"}).content.decode())
    averages = [row[3] for row in board.rows(board.one("table"))[1:]]
    assert all(f">{average}</text>" in text for average in averages[:2])
    whole = client.get(BOARD + "standings.svg?rows=25&language=en").content.decode()
    assert all(f">{average}</text>" in whole for average in averages)
    assert f"and {len(worked) - 2} more players" in text
    assert text.index("Wins") < text.index("Place average")
    Season.objects.update(ranking_metric="wins")
    text = client.get(BOARD + "standings.svg?language=de").content.decode()
    assert text.index("Platzschnitt") < text.index(">Siege<")


def test_an_empty_table_has_a_picture(people: People, client: Client) -> None:
    assert client.get(BOARD + "standings.png").status_code == 200
    assert "Nobody stands in this table yet." in client.get(BOARD + "standings.svg").content.decode()


@pytest.mark.parametrize("system", [True, False])
def test_letters_that_the_font_lacks_are_drawn_nevertheless(system: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not system:
        monkeypatch.setattr(pictures, "_of_system", lambda size: None)
    drawn = {}
    for name in ("Günther", "Жанна", "Ζωή", "Łukasz", "日本", "Z" * 60):
        shown = pictures.Picture("T", "S", ("A",), (pictures.Line("1", True, name, ("1",)),), "", "light")
        drawn[name] = pictures.png(shown)
        pictures.png.cache_clear()
    assert len(set(drawn.values())) == len(drawn)
    if not system:
        letters = pictures._Letters(of_system=False)
        assert [letters.drawn(name) for name in drawn][:5] == ["Guenther", "Zhanna", "Zoi", "Lukasz", "??"]


# --- Calendars --------------------------------------------------------------------------------------------------------


def test_a_calendar_program_reads_the_sessions(people: People, client: Client, evenings: list[Session]) -> None:
    odd = "Café „Größe“; 1, Straße\\Нева " * 3
    Session.objects.filter(pk=evenings[0].pk).update(location=odd[:100], comment="Zeile, mit; Komma")
    answer = client.get(BOARD + "calendar.ics?language=en")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert all(len(line) <= 75 for line in answer.content.split(b"\r\n"))
    assert answer.content.endswith(b"END:VCALENDAR\r\n")
    found = events(answer.content)
    assert [one.decoded("dtstart") for one in found] == sorted((one.played_on for one in evenings), reverse=True)
    assert all(type(one.decoded("dtstart")) is date for one in found)
    first = found[-1]
    assert str(first["location"]) == odd[:100]
    assert str(first["description"]).splitlines()[-1] == "Zeile, mit; Komma"
    assert str(first["status"]) == "CONFIRMED"
    assert str(first["url"]) == f"http://testserver/herzclub/sessions/{evenings[0].pk}/"
    assert str(first["summary"]).startswith("Pure XXL: ")
    assert first.decoded("last-modified") == NOW.replace(microsecond=0)
    assert client.get(BOARD + "calendar.ics?language=en", headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_an_event_keeps_its_uid_and_a_voided_one_is_cancelled(
    people: People, client: Client, evenings: list[Session]
) -> None:
    before = {str(one["uid"]): one for one in events(client.get(BOARD + "calendar.ics").content)}
    later = datetime(2026, 12, 1, 9, tzinfo=UTC)
    corrections.void(
        access=people.access(people.owner),
        session_id=evenings[0].pk,
        reason="twice",
        expected=evenings[0].revision,
        now=later,
    )
    after = {str(one["uid"]): one for one in events(client.get(BOARD + "calendar.ics").content)}
    assert before.keys() == after.keys()
    (gone,) = [one for one in after.values() if str(one["status"]) == "CANCELLED"]
    assert gone.decoded("last-modified") == later
    assert gone["sequence"] > before[str(gone["uid"])]["sequence"]


def test_a_members_address_needs_no_login_and_ends_with_the_membership(
    people: People, client: Client, evenings: list[Session], as_user: AsUser
) -> None:
    Season.objects.update(visibility="members")
    page = Page(as_user(people.member).get("/herzclub/calendar/").content.decode())
    address = page.one("code", id="address").text
    path = address.removeprefix("http://testserver")
    assert len(events(client.get(path).content)) == 3
    for wrong in (
        path.replace("herzclub", "pikclub"),
        path.replace(".ics", "x.ics"),
        path.replace("/calendar/", "/calendar/1"),
    ):
        assert client.get(wrong).status_code == 404
    for odd in ("0", "x", "9" * 30, "1.", "\u0661.a", "%00.a"):
        assert client.get(f"/herzclub/calendar/{odd}.ics").status_code == 404
    people.member.set_password("another-one-55")
    people.member.save()
    assert client.get(path).status_code == 404
    member = Member.objects.get(user=people.member)
    fresh = f"/herzclub/calendar/{key_of(member)}.ics"
    assert client.get(fresh).status_code == 200
    User.objects.filter(pk=people.member.pk).update(is_active=False)
    assert client.get(fresh).status_code == 404
    User.objects.filter(pk=people.member.pk).update(is_active=True)
    member.delete()
    Member.objects.create(club=people.club, user=people.member)
    assert client.get(fresh).status_code == 404


# --- BG Stats ---------------------------------------------------------------------------------------------------------


def pushes(page: Page) -> dict[str, Any]:
    links = [one for one in page.all("a") if one.attributes.get("href", "").startswith("https://app.bgstatsapp.com/")]
    found = {}
    for one in links:
        address = urlsplit(one.attributes["href"])
        assert address.path == "/createPlay.html"
        found[one.text] = json.loads(parse_qs(address.query, strict_parsing=True)["data"][0])
    return found


def test_members_find_a_bg_stats_link_for_each_participant(
    people: People, client: Client, evenings: list[Session], as_user: AsUser
) -> None:
    path = f"/herzclub/sessions/{evenings[0].pk}/"
    assert pushes(Page(client.get(path).content.decode())) == {}
    found = pushes(Page(as_user(people.member).get(path).content.decode()))
    final = expected("four-players")["final"]
    assert set(found) == set(final)
    for name, play in found.items():
        assert play["players"][0]["name"] == name
        assert play["playDate"] == f"{evenings[0].played_on.isoformat()} 12:00:00"
        assert (play["sourceName"], play["board"]) == ("Tischliga", "Pure XXL")
        assert play["game"] == {**play["game"], "name": "XXL", "highestWins": False, "noPoints": False}
        told = {one["name"]: (one["score"], one["rank"], one["winner"]) for one in play["players"]}
        assert told == {who: (str(one["place_sum"]), one["place"], one["place"] == 1) for who, one in final.items()}
    assert len({play["sourcePlayId"] for play in found.values()}) == 1


def test_a_session_that_goes_on_has_no_such_link(people: People, as_user: AsUser) -> None:
    open_one = results.record(
        access=people.access(people.owner),
        data=replace(evening("four-players"), rounds=(), status="open"),
        confirm=frozenset(),
        now=NOW,
    )
    page = as_user(people.member).get(f"/herzclub/sessions/{open_one.pk}/").content.decode()
    assert pushes(Page(page)) == {}


# --- Archives ---------------------------------------------------------------------------------------------------------


def test_a_club_comes_back_from_its_archive(
    people: People, evenings: list[Session], as_user: AsUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = as_user(people.owner)
    archive = body(owner.post("/herzclub/manage/archive/"))

    def upload(client: Client, slug: str, content: bytes = archive) -> Any:
        file = SimpleUploadedFile("club.zip", content, "application/zip")
        return client.post("/clubs/import/", {"file": file, "slug": slug})

    page = upload(owner, "")
    assert page.status_code == 200
    assert "The short name “herzclub” is taken" in page.content.decode()
    page = upload(owner, "again", b"no zip")
    assert "This is not the archive of a club" in page.content.decode()
    assert not Club.objects.filter(slug="again").exists()
    stranger = as_user(people.stranger)
    assert "Other members are left out" in stranger.get("/clubs/import/").content.decode()
    assert upload(stranger, "again")["Location"] == "/again/manage/"
    assert list(Member.objects.filter(club__slug="again").values_list("user", "role")) == [
        (people.stranger.pk, "owner")
    ]
    monkeypatch.setattr(archives, "MEMBERS_MAXIMUM_BYTES", 10_000)
    assert "unpacks to more than it may (10000 bytes)" in upload(owner, "third").content.decode()
    User.objects.filter(pk=people.owner.pk).update(is_superuser=True)
    assert upload(owner, "third")["Location"] == "/third/manage/"
    assert Member.objects.filter(club__slug="third").count() == 4
    pages = [Page(stranger.get(path).content.decode()) for path in (BOARD, BOARD.replace("herzclub", "again"))]
    boards = [[row[:-1] for row in page.rows(page.one("table"))] for page in pages]
    assert boards[0] == boards[1]
