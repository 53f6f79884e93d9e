"""Pages of a club's own games, of merging and erasing players, of the audit trail and the jobs."""

from typing import Any

import pytest
from django.test import Client

from league.models import AuditEvent, ClubGame, Job, Player, Session, User
from league.services import games, merges
from league.services.results import SeatInput, SessionInput
from tests.people import NOW, People
from tests.services.given import by_points, record, series
from tests.web.page import Page

pytestmark = pytest.mark.django_db
MANAGE = "/herzclub/manage"


@pytest.fixture
def keeper(client: Client, people: People) -> Client:
    return _logged_in(people.scorekeeper)


@pytest.fixture
def admin(client: Client, people: People) -> Client:
    return _logged_in(people.admin)


def _logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def shown(client: Client, path: str) -> Page:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return Page(answer.content.decode())


def sent(client: Client, path: str, **data: Any) -> Page:
    answer = client.post(path, data, follow=True)
    assert answer.status_code == 200
    return Page(answer.content.decode())


GOLF = {"name": "Golf", "key": "golf", "min_players": 1, "max_players": 4, "scored_by": "points"}


def test_an_own_game_is_added_changed_and_archived(admin: Client, people: People) -> None:
    assert "Golf was added." in sent(admin, f"{MANAGE}/games/", **GOLF).text
    assert ClubGame.objects.get().high_wins is False  # the box came without a tick
    sent(admin, f"{MANAGE}/games/golf/", **{**GOLF, "name": "Crazy Golf"})
    sent(admin, f"{MANAGE}/games/golf/", archived="yes")
    page = shown(admin, f"{MANAGE}/games/")
    assert "Crazy Golf" in page.text
    assert ClubGame.objects.get().archived_at is not None
    sent(admin, f"{MANAGE}/games/golf/", archived="no")
    assert ClubGame.objects.get().archived_at is None


def test_a_short_name_that_is_taken_is_told_at_its_field(admin: Client, people: People) -> None:
    page = sent(admin, f"{MANAGE}/games/", **{**GOLF, "key": "xxl-1"})
    assert "game of the catalogue" in page.one("ul", id="id_key_error").text


def test_a_round_of_an_own_game_is_entered_by_its_page(admin: Client, keeper: Client, people: People) -> None:
    sent(admin, f"{MANAGE}/games/", **{**GOLF, "scored_by": "places"})
    seats = tuple(SeatInput(name) for name in ("Ann", "Ben"))
    session = record(people, SessionInput("single_game", NOW.date(), seats))
    path = f"/herzclub/sessions/{session.pk}/enter/"
    assert "Golf: scored by places alone." in shown(keeper, path).text
    ann, ben = (player.pk for player in people.players[:2])
    page = sent(keeper, path, game="golf", kind="place", **{f"score_{ann}": 2, f"score_{ben}": 1})
    assert "Golf" in page.text
    assert shown(keeper, f"/herzclub/sessions/{session.pk}/").text.count("Golf") == 1


def test_players_are_merged_by_name_and_taken_apart_again(admin: Client, people: People) -> None:
    record(people, series({"Eva": 1, "Ben": 2}))
    eva = Player.objects.get(name="Eva", club=people.club)
    path = f"{MANAGE}/players/{eva.pk}/"
    refused = sent(admin, f"{path}merge/", into="ben")
    assert "Both sat in one session" in refused.one("ul", id="id_into_error").text
    unknown = sent(admin, f"{path}merge/", into="Nobody")
    assert "Nobody" in unknown.one("ul", id="id_into_error").text
    page = sent(admin, f"{path}merge/", into="ANN")
    assert "All results of Eva are Ann's now." in page.text
    assert "whoever enters this name means Ann" in page.text
    session = Session.objects.get()
    history = shown(admin, f"/herzclub/sessions/{session.pk}/history/").text
    assert "“Merged”" in history
    assert f"player {eva.pk}" not in history, "what a program wrote there is for programs"
    page = sent(admin, f"{path}unmerge/")
    assert "The merge is taken back." in page.text
    history = shown(admin, f"/herzclub/sessions/{session.pk}/history/").text
    assert (history.count("“Merged”"), history.count("“The merge is taken back.”")) == (1, 1)
    sent(admin, f"{path}merge/", into="ANN")
    history = shown(admin, f"/herzclub/sessions/{session.pk}/history/").text
    assert (history.count("“Merged”"), history.count("“The merge is taken back.”")) == (2, 1)
    sent(admin, f"{path}unmerge/")
    eva.refresh_from_db()
    assert (eva.merged_into, eva.archived_at) == (None, None)


def test_a_merge_that_can_not_be_taken_back_says_why(admin: Client, people: People) -> None:
    access = people.access(people.admin)
    ann, ben, cem = people.players[:3]
    merges.merge(access=access, source_id=ann.pk, target_id=ben.pk, now=NOW)
    merges.merge(access=access, source_id=ben.pk, target_id=cem.pk, now=NOW)
    assert "was merged in turn" in sent(admin, f"{MANAGE}/players/{ann.pk}/unmerge/").text


def test_an_old_page_of_a_player_who_was_merged_since_says_why(admin: Client, people: People) -> None:
    ann, ben = people.players[:2]
    merges.merge(access=people.access(people.admin), source_id=ann.pk, target_id=ben.pk, now=NOW)
    page = sent(admin, f"{MANAGE}/players/{ann.pk}/", archived="no")
    assert "This player is merged into “Ben”: take that back first." in page.text
    ann.refresh_from_db()
    assert ann.archived_at is not None


def test_a_person_is_forgotten_once_that_is_confirmed(admin: Client, people: People) -> None:
    ann = people.players[0]
    path = f"{MANAGE}/players/{ann.pk}/erase/"
    assert "There is no way back." in shown(admin, path).text
    asked = sent(admin, path, go="1")
    assert "can't be undone" in asked.text
    assert Player.objects.get(pk=ann.pk).name == "Ann"
    page = sent(admin, path, confirm="erase", asked="erase")
    assert f"Player {ann.pk}" in page.text
    assert "Ann" not in page.text
    assert "forgotten" in shown(admin, f"{MANAGE}/players/{ann.pk}/").text


def test_the_audit_trail_and_its_topics(admin: Client, people: People) -> None:
    games.create(access=people.access(people.admin), key="golf", name="Golf", fields={}, now=NOW)
    record(people, series({"Ann": 1, "Ben": 2}))
    page = shown(admin, f"{MANAGE}/audit/")
    assert "game.created" in page.text
    assert "session.recorded" in page.text
    AuditEvent.objects.create(
        club=people.club, at=NOW, action="x.y", object_id=1, data={"fields": ["a", "b"], "to": None}
    )
    assert "fields: a, b · to: \N{EN DASH}" in shown(admin, f"{MANAGE}/audit/?topic=x").text
    narrowed = shown(admin, f"{MANAGE}/audit/?topic=session")
    assert "game.created" not in narrowed.text
    assert "session.recorded" in narrowed.text
    assert "There is none yet." in shown(admin, f"{MANAGE}/audit/?topic=%00").text
    AuditEvent.objects.bulk_create(
        AuditEvent(club=people.club, at=NOW, action="test.made", object_id=n) for n in range(60)
    )
    assert "game.created" in shown(admin, f"{MANAGE}/audit/?page=2").text


def test_the_jobs(keeper: Client, people: People) -> None:
    Job.objects.create(club=people.club, kind="bot_match", total=7, state="failed", error="Out of cards.")
    page = shown(keeper, f"{MANAGE}/jobs/")
    assert "0 of 7" in page.text
    assert "Out of cards." in page.text


def test_who_may_see_them(keeper: Client, people: People) -> None:
    ann = people.players[0].pk
    for path in ("games/", "audit/", f"players/{ann}/merge/", f"players/{ann}/erase/"):
        assert keeper.get(f"{MANAGE}/{path}").status_code == 403, path
    stranger = _logged_in(people.stranger)
    for path in ("games/", "audit/", "jobs/", f"players/{ann}/merge/", f"players/{ann}/erase/"):
        assert stranger.get(f"{MANAGE}/{path}").status_code == 404, path
    other = people.other_players[0].pk
    assert _logged_in(people.admin).get(f"{MANAGE}/players/{other}/merge/").status_code == 404


def test_a_new_session_names_the_players_once_however_many_they_are(keeper: Client, people: People) -> None:
    Player.objects.bulk_create(
        Player(club=people.club, name=f"Guest {number}", name_key=f"guest {number}") for number in range(300)
    )
    answer = keeper.get("/herzclub/sessions/new/")
    assert answer.content.decode().count("Guest 299") == 1
    form = {"format": "individual_xxl", "repeats": 1, "planned_rounds": 2, "played_on": "2026-11-09"}
    page = sent(keeper, "/herzclub/sessions/new/", **form, seat_0="guest 7", seat_1="Whoever")
    assert "Whoever" in page.one("ul", id="id_seat_1_error").text
    page = sent(keeper, "/herzclub/sessions/new/", **form, seat_0="guest 7", seat_1="ANN")
    assert "Guest 7" in page.text


def test_a_game_played_alone_is_named_by_its_rounds(keeper: Client, people: People) -> None:
    seats = tuple(SeatInput(name) for name in ("Ann", "Ben"))
    rounds = (by_points("xxl-6", {"Ann": 120, "Ben": 110}),)
    data = SessionInput("single_game", NOW.date(), seats, rounds=rounds, status="complete")
    record(people, data)
    assert "I Decide the Colour!" in shown(keeper, "/herzclub/sessions/").text
