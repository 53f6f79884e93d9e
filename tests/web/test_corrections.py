"""Corrections on the pages: seen before they are stored, kept with who and why, decided by a second player.

Expected figures: tests/data/evenings/four-players.worked.md. In round 6 Ann has 120 points (place 3) and Ben 141
(place 1); the sums are Ann 14, Ben 13, Cem 13, Dora 18. With their points exchanged Ann has 12 and Ben 15.
"""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Member, Player, Score, Season, Session, SessionResult, SessionRevision, Standing
from league.services import corrections, results, seasons, table_links
from league.services.access import of_token
from league.services.results import SeatInput, SessionInput
from tests.people import NOW, People
from tests.web.conftest import BOARD
from tests.web.page import Page
from tests.web.stories import evening

Clients = Callable[..., Client]
DASH = "\N{EN DASH}"
WHY = "The paper says otherwise."


@pytest.fixture
def keeper(people: People, as_user: Clients) -> Client:
    return as_user(people.scorekeeper)


@pytest.fixture
def session(people: People) -> Session:
    """The worked evening of four players."""
    access = people.access(people.scorekeeper)
    return results.record(access=access, data=evening("four-players"), confirm=(), now=NOW)


def address(session: Session, rest: str = "") -> str:
    return f"/herzclub/sessions/{session.pk}/{rest}"


def show(client: Client, path: str) -> Page:
    answer = client.get(path, headers={"accept-language": "en"})
    assert answer.status_code == 200, answer
    return Page(answer.content.decode())


def fields(page: Page) -> dict[str, str]:
    """What a browser would send of the correction's form as it stands."""
    form = page.one("form", id="correction") if list(page.all("form", id="correction")) else None
    inside = [one for one in page.elements if form is None or form in one.around]
    sent = {}
    for one in inside:
        name, kind = one.attributes.get("name"), one.attributes.get("type")
        if one.tag == "input" and name and name != "csrfmiddlewaretoken":
            if kind not in {"checkbox", "radio"} or "checked" in one.attributes:
                sent[name] = one.attributes.get("value", "")
        elif one.tag == "select":
            options = list(page.all("option", inside=one))
            chosen = [option for option in options if "selected" in option.attributes] or options
            sent[one.attributes["name"]] = chosen[0].attributes["value"]
    return sent


def send(client: Client, path: str, data: dict[str, Any]) -> Page:
    answer = client.post(path, data, follow=True, headers={"accept-language": "en"})
    assert answer.status_code == 200, answer
    return Page(answer.content.decode())


def swapped(people: People, page: Page) -> dict[str, str]:
    """Round 6 with the points of Ann and Ben exchanged."""
    ann, ben = (f"score_{player.pk}" for player in people.players[:2])
    sent = fields(page)
    assert (sent[ann], sent[ben]) == ("120", "141")
    return {**sent, ann: "141", ben: "120", "reason": WHY}


def sums(session: Session) -> dict[str, int]:
    return dict(SessionResult.objects.filter(session=session).values_list("player__name", "place_sum"))


def told(page: Page) -> list[str]:
    return [one.text for one in page.all("li")]


# --- A round ----------------------------------------------------------------------------------------------------------


def test_a_round_is_found_at_the_sheet_filled_in_and_corrected(
    people: People, keeper: Client, session: Session
) -> None:
    link = show(keeper, address(session)).one("a", id="correct-6")
    assert link.text == "Correct round 6"
    page = show(keeper, link.attributes["href"])
    assert fields(page)["game"] == "xxl-6"

    after = send(keeper, link.attributes["href"], swapped(people, page))

    assert "Round 6 is corrected." in after.text
    assert sums(session) == {"Ann": 12, "Ben": 15, "Cem": 13, "Dora": 18}
    assert list(Standing.objects.filter(last_place=1).values_list("player__name", flat=True)) == ["Ann"]


def test_a_round_of_places_is_shown_as_places(people: People, keeper: Client) -> None:
    ann, ben = people.players[:2]
    scores = tuple(results.ScoreInput(one.pk, place=place) for place, one in enumerate((ann, ben), 1))
    data = SessionInput(
        format="pure_xxl",
        played_on=date(2026, 11, 1),
        players=(SeatInput(ann.pk), SeatInput(ben.pk)),
        rounds=(results.RoundInput("xxl-1", scores),),
    )
    session = results.record(access=people.access(people.owner), data=data, confirm=(), now=NOW)
    path = address(session, "rounds/1/correct/")
    sent = fields(show(keeper, path))
    assert (sent["kind"], sent[f"score_{ann.pk}"], sent[f"score_{ben.pk}"]) == ("place", "1", "2")

    changed = {f"score_{ann.pk}": "2", f"score_{ben.pk}": "1", "reason": WHY}
    send(keeper, path, {**sent, **changed})

    assert dict(Score.objects.values_list("player__name", "place")) == {"Ann": 2, "Ben": 1}


def test_what_would_move_is_shown_and_nothing_stored(people: People, keeper: Client, session: Session) -> None:
    path = address(session, "rounds/6/correct/")
    sent = swapped(people, show(keeper, path))

    # Without a reason yet, and without a number: who only looks need not say why.
    page = send(keeper, path, {**sent, "reason": "", "preview": "1"})

    tables = [page.rows(table) for table in page.all("table")]
    # Places before: Ben and Cem 1, Ann 3, Dora 4.
    assert tables[0][1:] == [
        ["Ann", "3 → becomes 1", "14 → becomes 12"],
        ["Cem", "1 → becomes 2", "13"],
        ["Ben", "1 → becomes 3", "13 → becomes 15"],
        ["Dora", "4", "18"],
    ]
    assert tables[1][1:] == [
        ["Ann", "3 → becomes 1", "3.00 → becomes 1.00", "1"],
        ["Cem", "1 → becomes 2", "1.00 → becomes 2.00", "1"],
        ["Ben", "1 → becomes 3", "1.00 → becomes 3.00", "1"],
    ]
    assert sums(session)["Ann"] == 14
    assert SessionRevision.objects.filter(session=session).count() == 1
    # The form under which it stands has what was typed, and stores it.
    assert fields(page)[f"score_{people.players[0].pk}"] == "141"
    send(keeper, path, {**fields(page), "reason": WHY})
    assert sums(session)["Ann"] == 12


def test_an_odd_round_waits_for_its_tick_beside_the_preview(people: People, keeper: Client, session: Session) -> None:
    path = address(session, "rounds/1/correct/")
    sent = {**fields(show(keeper, path)), f"score_{people.players[0].pk}": "5", "reason": WHY}

    seen = send(keeper, path, {**sent, "preview": "1"})

    assert "Nobody has 0 points." in seen.text
    assert "What would move" in seen.text
    code = seen.one("input", type="checkbox", name="confirm").attributes["value"]
    asked = send(keeper, path, sent)
    assert asked.one("input", type="checkbox", name="confirm").attributes["value"] == code
    assert Session.objects.get(pk=session.pk).revision == 1
    assert "Round 1 is corrected." in send(keeper, path, {**sent, "confirm": code}).text


def test_mistakes_are_told_at_their_fields(people: People, keeper: Client, session: Session) -> None:
    path = address(session, "rounds/1/correct/")
    ann = f"score_{people.players[0].pk}"
    sent = fields(show(keeper, path))

    page = send(keeper, path, {**sent, ann: "-3", "reason": WHY})
    assert page.one("ul", id=f"id_{ann}_error").text == "Points are whole numbers from 0 on in this game."
    page = send(keeper, path, {**sent, "reason": " "})
    assert page.one("ul", id="id_reason_error").text
    assert keeper.get(address(session, "rounds/7/correct/")).status_code == 404
    assert Session.objects.get(pk=session.pk).revision == 1


def test_a_form_sent_twice_is_stored_once(people: People, keeper: Client, session: Session) -> None:
    path = address(session, "rounds/6/correct/")
    sent = swapped(people, show(keeper, path))

    first, again = send(keeper, path, sent), send(keeper, path, sent)

    assert "Round 6 is corrected." in first.text
    assert "Round 6 is corrected." in again.text
    assert Session.objects.get(pk=session.pk).revision == 2


def test_nothing_different_is_nothing_stored(people: People, keeper: Client, session: Session) -> None:
    path = address(session, "rounds/6/correct/")
    page = send(keeper, path, {**fields(show(keeper, path)), "reason": WHY})
    assert "nothing is stored" in page.text
    assert Session.objects.get(pk=session.pk).revision == 1


def test_a_stale_form_keeps_what_was_typed_and_says_what_stands(
    people: People, keeper: Client, session: Session
) -> None:
    path = address(session, "rounds/6/correct/")
    ann, ben, cem, _dora = (f"score_{player.pk}" for player in people.players[:4])
    mine, other = fields(show(keeper, path)), fields(show(keeper, path))
    send(keeper, path, {**other, cem: "127", "reason": "Cem counted again."})

    page = send(keeper, path, {**mine, ann: "121", "reason": WHY})

    note = page.one("div", role="alert")
    assert "Nothing is stored yet." in note.text
    assert [one.text for one in page.all("li", inside=note)] == ["Round 6, Cem: 126 → 127 points"]
    # Cem's score was not touched here: it becomes what is stored.
    again = fields(page)
    assert (again[ann], again[ben], again[cem], again["reason"]) == ("121", "141", "127", WHY)
    assert again["revision"] == "2"
    assert Session.objects.get(pk=session.pk).revision == 2
    assert "Round 6 is corrected." in send(keeper, path, again).text
    points = Score.objects.filter(round__session=session, round__number=6).order_by("pk")
    assert list(points.values_list("points", flat=True)) == [121, 141, 127, 95]
    # What names no state at all is stale too.
    assert "Nothing is stored yet." in send(keeper, path, {**again, "revision": "x", ann: "122"}).text
    assert "Nothing is stored yet." in send(keeper, path, {**again, "revision": "9" * 30, ann: "122"}).text


# --- A session --------------------------------------------------------------------------------------------------------


def test_head_season_and_people_are_corrected(people: People, keeper: Client, session: Session) -> None:
    path = address(session, "correct/")
    assert show(keeper, address(session)).one("a", id="correct").attributes["href"] == path
    dora = people.players[3]
    sent = fields(show(keeper, path))
    assert (sent["played_on"], sent["location"], sent[f"seat_{dora.pk}"]) == ("2026-10-05", "Café Rot", "Dora")
    change = {"played_on": "2026-10-06", "location": "At Ann's", f"seat_{dora.pk}": " eva", "reason": WHY}

    seen = send(keeper, path, {**sent, **change, "preview": "1"})
    assert ["Dora", f"4 → becomes {DASH}", f"18 → becomes {DASH}"] in [
        row for t in seen.all("table") for row in seen.rows(t)
    ]
    page = send(keeper, path, {**sent, **change})

    assert "The session is corrected." in page.text
    assert page.rows(next(page.all("table")))[0] == ["Ann", "Ben", "Cem", "Eva"]
    assert sums(session) == {"Ann": 14, "Ben": 13, "Cem": 13, "Eva": 18}
    newest = show(keeper, address(session, "history/")).one("li", id="revision-2")
    assert "“The paper says otherwise.”" in newest.text
    assert "Seat 4: Dora → Eva" in newest.text
    assert "Location: Café Rot → At Ann's" in newest.text
    assert "Played on: 5 October 2026 → 6 October 2026" in newest.text
    # Whose points they were is told by the seat alone.
    assert "Round" not in newest.text


def test_two_exchange_their_seats(people: People, keeper: Client, session: Session) -> None:
    ann, dora = people.players[0], people.players[3]
    path = address(session, "correct/")
    sent = {**fields(show(keeper, path)), "reason": WHY}

    twice = send(keeper, path, {**sent, f"seat_{ann.pk}": dora.pk})
    assert "is named twice" in twice.one("ul", id=f"id_seat_{dora.pk}_error").text
    send(keeper, path, {**sent, f"seat_{ann.pk}": dora.pk, f"seat_{dora.pk}": ann.pk})

    assert sums(session) == {"Ann": 18, "Ben": 13, "Cem": 13, "Dora": 14}


def test_the_last_round_is_taken_away_and_the_session_goes_on(people: People, keeper: Client, session: Session) -> None:
    path = address(session, "correct/")
    page = show(keeper, path)
    assert "Take away the last round: 6. I Decide the Colour!" in page.text
    sent = {**fields(page), "reason": WHY}

    none_missing = send(keeper, path, {**sent, "go_on": "on"})
    assert none_missing.one("ul", id="id_go_on_error").text
    early = send(keeper, path, {**sent, "take_away": "on"})
    assert early.one("input", type="checkbox", name="confirm").attributes["value"] == "ends_early"
    page = send(keeper, path, {**sent, "take_away": "on", "go_on": "on"})

    assert page.one("a", id="enter").text == "Enter the next round"
    stored = Session.objects.get(pk=session.pk)
    assert (stored.status, stored.rounds.count(), stored.counts) == ("open", 5, False)
    assert not Standing.objects.exists()
    newest = show(keeper, address(session, "history/")).one("li", id="revision-2").text
    assert "Status: complete → open" in newest
    assert "Round 6 is taken away. It was I Decide the Colour!: Ann 120 points, Ben 141 points" in newest


def test_another_clubs_players_and_seasons_are_not_to_be_had(people: People, keeper: Client, session: Session) -> None:
    path = address(session, "correct/")
    sent = {**fields(show(keeper, path)), "reason": WHY}
    seat = f"seat_{people.players[0].pk}"
    for name, value in ((seat, people.other_players[0].pk), (seat, "Nobody"), ("season", people.other_season.pk)):
        assert send(keeper, path, {**sent, name: value}).one("ul", id=f"id_{name}_error").text
    assert Session.objects.get(pk=session.pk).revision == 1


# --- Void and restored ------------------------------------------------------------------------------------------------


def test_void_and_restored(people: People, keeper: Client, session: Session, client: Client) -> None:
    page = show(keeper, show(keeper, address(session)).one("a", id="void").attributes["href"])
    # Its places are kept; what moves are the standings.
    standings, *_ratings = page.all("table")
    assert [row[:2] for row in page.rows(standings)[1:]] == [
        [name, f"{rank} → becomes {DASH}"] for name, rank in [("Ann", 3), ("Ben", 1), ("Cem", 1), ("Dora", 4)]
    ]
    path = address(session, "void/")
    sent = {"reason": "Played on another night.", "revision": "1"}

    for _twice in range(2):
        page = send(keeper, path, sent)
        assert "The session is void." in page.text
    assert Session.objects.get(pk=session.pk).revision == 2
    assert "Voided by you: “Played on another night.”" in page.text
    assert not list(page.all("a", id="correct-1"))
    assert not Standing.objects.exists()

    # Listed nowhere but where members look for it; who has the address is told, without the reason.
    for where in (BOARD, "/herzclub/", "/herzclub/sessions/"):
        assert not list(show(keeper, where).all("a", id=f"session-{session.pk}"))
    assert show(keeper, "/herzclub/sessions/?void=1").one("a", id=f"session-{session.pk}")
    Season.objects.update(visibility="public")
    assert not list(show(client, "/herzclub/sessions/?void=1").all("a", id=f"session-{session.pk}"))
    public = show(client, address(session)).text
    assert "This session is void" in public
    assert "another night" not in public
    assert keeper.get(address(session, "correct/"))["Location"] == address(session)

    back = send(keeper, address(session, "restore/"), {"reason": "It was that night.", "revision": "2"})
    assert "The session is restored." in back.text
    assert Standing.objects.count() == 4


def test_what_a_void_session_moves_in_the_standings(keeper: Client, evenings: list[Session]) -> None:
    # tests/data/evenings/season.worked.md without its column of 19 October: all ranks stay.
    page = show(keeper, address(evenings[1], "void/"))

    standings, *_ratings = page.all("table")
    assert page.rows(standings)[1:] == [
        ["Ben", "1", "1.33 → becomes 1.50", "3 → becomes 2"],
        ["Ann", "2", "2.33 → becomes 2.00", "3 → becomes 2"],
        ["Cem", "2", "2.33 → becomes 2.00", "3 → becomes 2"],
        ["Dora", "4", "2.67 → becomes 3.50", "3 → becomes 2"],
        ["Eva", "5", "5.00", "2 → becomes 1"],
    ]


def test_void_sees_what_others_did(people: People, keeper: Client, session: Session) -> None:
    change = {"location": "At Ann's"}
    access = people.access(people.admin)
    corrections.correct(
        access=access, session_id=session.pk, changes=change, reason=WHY, expected=1, confirm=(), now=NOW
    )
    page = send(keeper, address(session, "void/"), {"reason": "Twice.", "revision": "1"})
    assert "Location: Café Rot → At Ann's" in page.one("div", role="alert").text
    assert page.one("input", name="revision").attributes["value"] == "2"
    assert Session.objects.get(pk=session.pk).voided_at is None


def test_a_void_session_that_was_open_takes_no_rounds(people: People, keeper: Client) -> None:
    data = SessionInput(format="pure_xxl", played_on=NOW.date(), players=tuple(SeatInput(p.pk) for p in people.players))
    session = results.record(access=people.access(people.owner), data=data, confirm=(), now=NOW)
    send(keeper, address(session, "void/"), {"reason": WHY, "revision": "1"})
    assert keeper.get(address(session, "enter/"))["Location"] == address(session)
    assert not list(show(keeper, address(session)).all("a", id="enter"))


def test_a_closed_season_is_locked(people: People, keeper: Client, session: Session) -> None:
    path = address(session, "rounds/6/correct/")
    sent = swapped(people, show(keeper, path))
    change = {"status": "closed"}
    seasons.update_season(access=people.access(people.admin), season_id=people.season.pk, changes=change, now=NOW)
    for rest in ("rounds/6/correct/", "correct/", "void/"):
        assert "The season “2026” is closed." in send(keeper, address(session, rest), sent).text
    page = show(keeper, address(session))
    assert "The season is closed: its results can't be changed any more." in page.text
    assert not [one for one in page.all("a") if one.attributes.get("id", "").startswith(("correct", "void"))]
    assert Session.objects.get(pk=session.pk).revision == 1


# --- History ----------------------------------------------------------------------------------------------------------


def test_the_history_is_told_in_words(people: People, keeper: Client, session: Session, as_user: Clients) -> None:
    path = address(session, "rounds/6/correct/")
    send(keeper, path, swapped(people, show(keeper, path)))
    Player.objects.filter(pk=people.players[0].pk).update(name="Anna", archived_at=NOW)

    page = show(as_user(people.member), address(session, "history/"))

    assert [one.text for one in page.all("h2")] == ["2. Corrected", "1. Recorded"]
    newest = page.one("li", id="revision-2")
    assert [one.text for one in page.all("li", inside=newest)] == [
        "Round 6, Anna: 120 → 141 points",
        "Round 6, Ben: 141 → 120 points",
        "Anna in the end: place 3 → 1, sum 14 → 12",
        "Ben in the end: place 1 → 3, sum 13 → 15",
        "Cem in the end: place 1 → 2",
    ]
    # A login's name is for admins alone.
    assert "by somebody of the role “scorekeeper”" in newest.text
    assert "(scorekeeper)" in show(as_user(people.admin), address(session, "history/")).one("li", id="revision-2").text
    assert "by you" in show(keeper, address(session, "history/")).one("li", id="revision-2").text
    Player.objects.filter(pk=people.players[5].pk).update(member=Member.objects.get(user=people.scorekeeper))
    named = show(as_user(people.member), address(session, "history/")).one("li", id="revision-2")
    assert "by Finn ·" in named.text
    # 20:15 in UTC is 21:15 at the club's tables in Berlin.
    people.club.time_zone = "Europe/Berlin"
    people.club.save()
    first = show(keeper, address(session, "history/")).one("li", id="revision-1")
    assert "30 November 2026, 21:15" in first.text


def test_an_evening_round_by_round_with_comers_and_goers(people: People, keeper: Client) -> None:
    ann, ben, cem = people.players[:3]
    access = people.access(people.scorekeeper)
    data = SessionInput(format="pure_xxl", played_on=NOW.date(), players=(SeatInput(ann.pk), SeatInput(ben.pk)))
    session = results.record(access=access, data=data, confirm=(), now=NOW)
    link, _raw = table_links.create(access=access, session_id=session.pk, now=NOW)
    by_phone = of_token(token=link, club_slug="herzclub")
    one = results.RoundInput("xxl-1", (results.ScoreInput(ann.pk, points=0), results.ScoreInput(ben.pk, points=1)))
    results.record_round(access=by_phone, session_id=session.pk, data=one, confirm=(), now=NOW)
    results.substitute(access=access, session_id=session.pk, player=cem.pk, for_player=ben.pk, now=NOW)

    page = show(keeper, address(session, "history/"))

    second, third = (page.one("li", id=f"revision-{number}") for number in (2, 3))
    assert "by a phone at the table" in second.text
    assert [text.text for text in page.all("li", inside=second)] == ["Round 1, Up and Down: Ann 0 points, Ben 1 point"]
    assert [text.text for text in page.all("li", inside=third)] == [
        "Ben left after round 1.",
        "Seat 2: Cem from round 2 on",
    ]


def test_the_number_of_queries_is_fixed(people: People, keeper: Client, evenings: list[Session]) -> None:
    def count(path: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert keeper.get(path).status_code == 200
        return len(queries)

    short, long = evenings[0], evenings[2]
    for text in ("A", "B", "C"):
        corrections.correct(
            access=people.access(people.admin),
            session_id=long.pk,
            changes={"comment": text},
            reason=WHY,
            expected=None,
            confirm=(),
            now=NOW,
        )
    for rest in ("", "history/", "correct/", "rounds/6/correct/"):
        assert count(address(long, rest)) == count(address(short, rest)), rest


# --- Who may ----------------------------------------------------------------------------------------------------------


def test_who_may_correct(people: People, session: Session, as_user: Clients, keeper: Client) -> None:
    Season.objects.update(visibility="public")
    for rest in ("correct/", "rounds/1/correct/", "void/"):
        path = address(session, rest)
        assert Client().get(path)["Location"].startswith("/login/?next=")
        assert as_user(people.stranger).get(path).status_code == 404
        assert as_user(people.stranger).post(path, {}).status_code == 404
        assert as_user(people.member).post(path, {}).status_code == 403
        assert as_user(people.owner).get(path).status_code == 200
        assert as_user(people.stranger).get(path.replace("herzclub", "pikclub")).status_code == 404
    for rest in ("history/", "dispute/"):
        assert Client().get(address(session, rest))["Location"].startswith("/login/?next=")
        assert as_user(people.stranger).get(address(session, rest)).status_code == 404
    assert as_user(people.member).get(address(session, "history/")).status_code == 200
    assert keeper.get(address(session, "confirm/")).status_code == 405
    public, member = (show(client, address(session)) for client in (Client(), as_user(people.member)))
    assert not list(public.all("a", id="history"))
    assert list(member.all("a", id="history"))
    assert not list(member.all("a", id="correct"))


# --- A second player --------------------------------------------------------------------------------------------------


@pytest.fixture
def asking(people: People) -> Season:
    """The season asks for a second player; Ann is the member's player."""
    people.season.needs_confirmation = True
    people.season.visibility = "public"
    people.season.save()
    Player.objects.filter(pk=people.players[0].pk).update(member=Member.objects.get(user=people.member))
    return people.season


@pytest.fixture
def waiting(asking: Season, session: Session) -> Session:
    assert session.confirmation == "awaited"
    return session


def test_a_participant_confirms(people: People, waiting: Session, as_user: Clients, keeper: Client) -> None:
    ann = as_user(people.member)
    assert show(ann, "/herzclub/").text.count("awaits confirmation") == 2  # to confirm, and among the last
    assert "awaits confirmation" in show(Client(), BOARD).text
    own = show(keeper, address(waiting))
    assert not list(own.all("form", action=address(waiting, "confirm/")))
    assert "somebody else confirms it" in own.text
    assert "another participant or an admin" in send(keeper, address(waiting, "confirm/"), {"revision": 1}).text
    public = show(Client(), address(waiting))
    assert "This result awaits confirmation." in public.text
    assert not list(public.all("form", action=address(waiting, "confirm/")))
    seen = ann.get(address(waiting))["ETag"]

    form = show(ann, address(waiting)).one("form", action=address(waiting, "confirm/"))
    revision = show(ann, address(waiting)).one("input", name="revision").attributes["value"]
    page = send(ann, form.attributes["action"], {"revision": revision})

    assert "The result is confirmed." in page.text
    assert Session.objects.get(pk=waiting.pk).counts
    assert ann.get(address(waiting), headers={"if-none-match": seen}).status_code == 200
    # Sent again it says so; and who changed their mind finds the way.
    assert send(ann, address(waiting, "confirm/"), {"revision": revision}).text.count("look at it once more") == 1
    assert show(ann, address(waiting)).one("a", id="dispute")


def test_what_was_changed_meanwhile_is_not_confirmed(people: People, waiting: Session, as_user: Clients) -> None:
    change = {"location": "At Ann's"}
    access = people.access(people.admin)
    corrections.correct(
        access=access, session_id=waiting.pk, changes=change, reason=WHY, expected=1, confirm=(), now=NOW
    )
    page = send(as_user(people.member), address(waiting, "confirm/"), {"revision": 1})
    assert "was changed meanwhile" in page.text
    assert Session.objects.get(pk=waiting.pk).confirmation == "awaited"


def test_a_dispute_is_told_and_decided(people: People, waiting: Session, as_user: Clients, keeper: Client) -> None:
    ann = as_user(people.member)
    path = show(ann, address(waiting)).one("a", id="dispute").attributes["href"]
    sent = {"reason": "I had 14.", "revision": fields(show(ann, path))["revision"]}

    assert send(ann, path, {**sent, "reason": ""}).one("ul", id="id_reason_error").text
    assert "a scorekeeper decides" in send(ann, path, sent).text
    assert "Objection by Ann: “I had 14.”" in show(keeper, address(waiting)).text
    assert "I had 14" not in show(Client(), address(waiting)).text
    assert "This result is disputed." in show(Client(), address(waiting)).text
    # The participant may not settle it; who keeps scores corrects it.
    assert ann.post(address(waiting, "confirm/"), {"revision": 2}).status_code == 403
    assert "disputed" in show(keeper, "/herzclub/").text
    round_ = address(waiting, "rounds/6/correct/")
    send(keeper, round_, swapped(people, show(keeper, round_)))
    stored = Session.objects.get(pk=waiting.pk)
    assert (stored.confirmation, stored.counts) == ("confirmed", True)
    kinds = [one.text for one in show(keeper, address(waiting, "history/")).all("h2")]
    assert kinds == ["3. Corrected", "2. Disputed", "1. Recorded"]


def test_who_did_not_play_has_no_say(people: People, waiting: Session, as_user: Clients) -> None:
    Player.objects.filter(member__user=people.member).update(member=None)
    member = as_user(people.member)
    assert not list(show(member, address(waiting)).all("a", id="dispute"))
    assert "Results to confirm" not in show(member, "/herzclub/").text
    assert member.get(address(waiting, "dispute/")).status_code == 403
    assert member.post(address(waiting, "confirm/"), {"revision": 1}).status_code == 403
    assert as_user(people.stranger).post(address(waiting, "confirm/"), {"revision": 1}).status_code == 404


def test_an_admin_turns_confirmation_on(people: People, as_user: Clients) -> None:
    admin = as_user(people.admin)
    path = f"/herzclub/manage/seasons/{people.season.pk}/"
    assert "needs_confirmation" not in fields(show(admin, path))
    send(admin, path, {**fields(show(admin, path)), "needs_confirmation": "on"})
    assert Season.objects.get(pk=people.season.pk).needs_confirmation
    assert "A session counts once another participant or a scorekeeper has agreed" in show(admin, BOARD).text


# --- The same evening twice -------------------------------------------------------------------------------------------


def test_the_same_table_opened_twice_is_asked_about(people: People, keeper: Client) -> None:
    seats = {f"seat_{seat}": people.players[seat].pk for seat in range(2)}
    form = {"season": people.season.pk, "format": "pure_xxl", "repeats": 1, "played_on": "2026-11-20", **seats}
    path = "/herzclub/sessions/new/"
    send(keeper, path, form)
    first = Session.objects.get()

    page = send(keeper, path, form)

    note = page.one("div", role="alert")
    assert "goes on with the same players" in note.text
    assert page.one("a", inside=note).attributes["href"] == address(first)
    assert Session.objects.count() == 1
    code = page.one("input", type="checkbox", name="confirm").attributes["value"]
    send(keeper, path, {**form, "confirm": code})
    assert Session.objects.count() == 2


SIX = [("xxl-1", 0, 14), ("xxl-2", 0, 9), ("xxl-3", 90, 60), ("xxl-4", 64, 51), ("xxl-5", 0, 40), ("xxl-6", 110, 120)]


@pytest.mark.parametrize("by_phone", [False, True])
def test_the_same_evening_is_noticed_at_its_last_round(people: People, keeper: Client, by_phone: bool) -> None:
    ann, ben = people.players[:2]
    access = people.access(people.scorekeeper)
    rounds = tuple(
        results.RoundInput(game, (results.ScoreInput(ann.pk, points=a), results.ScoreInput(ben.pk, points=b)))
        for game, a, b in SIX
    )
    data = SessionInput(
        format="pure_xxl", played_on=NOW.date(), players=(SeatInput(ann.pk), SeatInput(ben.pk)), rounds=rounds[:5]
    )
    first = results.record(access=access, data=data, confirm=(), now=NOW)
    results.record_round(access=access, session_id=first.pk, data=rounds[5], confirm=(), now=NOW)
    again = results.record(access=access, data=data, confirm=(), now=NOW)
    client, path = keeper, address(again, "enter/")
    if by_phone:
        # The link is found valid by the clock of the server.
        _link, raw = table_links.create(access=access, session_id=again.pk, now=NOW)
        client, path = Client(), f"/table/{raw}/"
    game, a, b = SIX[5]
    last = {"game": game, "note": "", "kind": "points", f"score_{ann.pk}": a, f"score_{ben.pk}": b}

    page = send(client, path, last)

    note = page.one("div", role="alert")
    assert "has the same players and scores" in note.text
    # A phone's link opens nothing else of the club.
    links = [one.attributes["href"] for one in page.all("a", inside=note)]
    assert links == ([] if by_phone else [address(first)])
    assert again.rounds.count() == 5
    send(client, path, {**last, "confirm": "possible_duplicate"})
    assert again.rounds.count() == 6
