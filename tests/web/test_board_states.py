"""A board that is kept is never shown once something else is stored: whatever changed it, whoever reads it."""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Member, Player, PlayerKind, Season, Session, Standing, User
from league.services import (
    archives,
    bot_matches,
    clubs,
    confirmations,
    corrections,
    divisions,
    erasure,
    games,
    imports,
    merges,
    players,
    recounts,
    results,
    seasons,
    table_rounds,
)
from league.services.bot_matches import BotMatchInput
from league.services.results import RoundInput, ScoreInput, SessionInput
from tests.people import NOW, People, people_for_a_module
from tests.services.given import ANYTHING, by_points, carry_out, record, series
from tests.web.conftest import BOARD

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
# What differs from one writing to the next: the moment and the mask of a form's token; and the tag, told beside it.
_PASSING = re.compile(r"<time data-as-of .*?</time>|name=\"csrfmiddlewaretoken\" value=\"\w+\"|data-etag=\".*?\"")


class Story:
    """A season with a session of each state; Dora and Eva never sat at one table, and a session is in no season."""

    def __init__(self, people: People) -> None:
        self.people, self.season = people, people.season
        self.by, self.admin = people.access(people.scorekeeper), people.access(people.admin)
        self.ids = {player.name: player.pk for player in people.players}
        for number in (1, 2, 3):
            players.create(access=self.admin, name=f"Robot {number}", kind=PlayerKind.BOT, bot="random", now=NOW)
        fields = {"min_players": 2, "max_players": 4, "scored_by": "points", "high_wins": True}
        games.create(access=self.admin, key="tarock", name="Tarock", fields=fields, now=NOW)
        self.first = self.record(series({"Ann": 1, "Ben": 2, "Cem": 3}))
        self.second = self.record(series({"Ann": 2, "Ben": 1, "Cem": 3}))
        self.voided = self.record(series({"Dora": 1, "Ben": 2, "Cem": 3}))
        self.void(self.voided)
        self.open = self.record(series({"Ann": 1, "Ben": 2}, planned=2, status="open"))
        own = replace(series({"Ann": 1, "Ben": 2}), format="single_game", planned_rounds=None)
        self.record(replace(own, rounds=(by_points("tarock", {"Ann": 3, "Ben": 5}),)))
        self.apart = self.record(replace(series({"Eva": 1, "Ben": 2}), season=None))
        self.set(needs_confirmation=True)
        self.waiting = self.record(series({"Cem": 1, "Dora": 2}))
        self.division = self.divide("First")

    def record(self, data: SessionInput) -> Session:
        return record(self.people, data)

    def record_otherwise(self, *, together: bool) -> None:
        more: dict[str, Any] = {"access": self.by, "now": NOW}
        data = series({"Dora": 1, "Eva": 2})
        if together:
            results.record_many(**more, entries=[results.Entry(data, ANYTHING)], together=True)
        else:
            results.record_all(**more, entries=[data], season=self.season.pk, confirm=ANYTHING)

    def bots_play(self) -> None:
        data = BotMatchInput(game="xxl-6", players=("Robot 1", "Robot 2", "Robot 3"), seed=1, season=self.season.pk)
        carry_out(bot_matches.request(access=self.by, data=data, now=NOW))

    def import_file(self) -> None:
        rows = "".join(f"A,2026-10-05,{n},xxl-{n},Ann,,1\nA,2026-10-05,{n},xxl-{n},Eva,,2\n" for n in range(1, 7))
        content = f"session,date,round,game,player,points,place\n{rows}".encode()
        self.batch = imports.upload(access=self.admin, name="plays", content=content, now=NOW)
        changes = {"season": "monday-league/2026"}
        imports.decide(access=self.admin, batch_id=self.batch.pk, changes=changes, now=NOW)
        imports.run(imports.apply(access=self.admin, batch_id=self.batch.pk, now=NOW).job_id or 0)

    def take_import_back(self) -> None:
        imports.run_undo(imports.revert(access=self.admin, batch_id=self.batch.pk, now=NOW).job_id or 0)

    def play(self) -> None:
        scores = (ScoreInput("Ben", place=1), ScoreInput("Ann", place=2))
        data, more = RoundInput("xxl-6-plus", scores), {"confirm": ANYTHING, "now": NOW}
        results.record_round(access=self.by, session_id=self.open.pk, data=data, **more)  # type: ignore[arg-type]

    def take_round_back(self) -> None:
        table_rounds.take_back_round(access=self.by, session_id=self.open.pk, number=2, expected=None, now=NOW)

    def end(self) -> None:
        results.end(access=self.by, session_id=self.open.pk, confirm=ANYTHING, now=NOW)

    def correct(self, session: Session, **changes: object) -> None:
        given: dict[str, Any] = {"reason": "a slip", "expected": None, "confirm": ANYTHING, "now": NOW}
        corrections.correct(access=self.by, session_id=session.pk, changes=changes, **given)

    def void(self, *sessions: Session) -> None:
        if len(sessions) > 1:
            ids = [session.pk for session in sessions]
            corrections.void_all(access=self.by, session_ids=ids, reason="twice", now=NOW)
        else:
            corrections.void(access=self.by, session_id=sessions[0].pk, reason="twice", now=NOW)

    def restore(self) -> None:
        corrections.restore(access=self.by, session_id=self.voided.pk, reason="not twice", now=NOW)

    def confirm(self) -> None:
        confirmations.confirm(access=self.admin, session_id=self.waiting.pk, now=NOW)

    def dispute(self) -> None:
        confirmations.dispute(access=self.admin, session_id=self.waiting.pk, reason="no", now=NOW)

    def set(self, **changes: object) -> None:
        seasons.update_season(access=self.admin, season_id=self.season.pk, changes=changes, now=NOW)

    def rename_league(self) -> None:
        changes, league = {"name": "Friday League"}, self.season.league_id
        seasons.update_league(access=self.admin, league_id=league, changes=changes, now=NOW)

    def rename_club(self) -> None:
        clubs.update(access=self.admin, name="Karoclub", now=NOW)

    def rename_club_as_superuser(self) -> None:
        superuser, client = User.objects.create_superuser("root"), Client()
        client.force_login(superuser)
        fields = {"name": "Treffclub", "slug": "herzclub", "time_zone": "Europe/Berlin"}
        path = f"/admin/league/club/{self.people.club.pk}/change/"
        assert client.post(path, fields).status_code == 302

    def call_ann(self, **changes: object) -> None:
        players.update(access=self.admin, player_id=self.ids["Ann"], changes=changes, now=NOW)

    def choose_nickname(self) -> None:
        member = Member.objects.get(user=self.people.member)
        Player.objects.filter(pk=self.ids["Ben"]).update(member=member)
        players.choose_nickname(access=self.people.access(self.people.member), nickname="Lucky", now=NOW)

    def merge(self) -> None:
        merges.merge(access=self.admin, source_id=self.ids["Dora"], target_id=self.ids["Eva"], now=NOW)

    def unmerge(self) -> None:
        merges.undo(access=self.admin, source_id=self.ids["Dora"], now=NOW)

    def erase(self) -> None:
        erasure.erase(access=self.admin, player_id=self.ids["Ann"], confirmed=True, now=NOW)

    def rename_game(self) -> None:
        games.update(access=self.admin, key="tarock", changes={"name": "Slovenian Tarock"}, now=NOW)

    def divide(self, name: str) -> int:
        return divisions.create(access=self.admin, season_id=self.season.pk, fields={"name": name}, now=NOW).pk

    def rename_division(self) -> None:
        more: dict[str, Any] = {"access": self.admin, "season_id": self.season.pk, "now": NOW}
        divisions.update(**more, division_id=self.division, changes={"name": "Top"})

    def assign(self) -> None:
        places = {self.ids["Cem"]: self.division}
        divisions.assign(access=self.admin, season_id=self.season.pk, places=places, now=NOW)

    def undivide(self) -> None:
        divisions.remove(access=self.admin, season_id=self.season.pk, division_id=self.division, now=NOW)


# Each a change after the other; after each of them the public page is another one.
CHANGES: dict[str, Sequence[Callable[[Story], object]]] = {
    "a session": [lambda story: story.record(series({"Dora": 1, "Eva": 2}))],
    "sessions together": [lambda story: story.record_otherwise(together=True)],
    "sessions of a file": [lambda story: story.record_otherwise(together=False)],
    "a bot match": [Story.bots_play],
    "an import and back": [Story.import_file, Story.take_import_back],
    "the last round and back": [Story.play, Story.take_round_back],
    "an early end": [Story.end],
    "a place where it was": [lambda story: story.correct(story.first, location="Krone")],
    "another day": [lambda story: story.correct(story.first, played_on=NOW.date().replace(day=2))],
    "out of the season": [lambda story: story.correct(story.first, season=None)],
    "into the season": [lambda story: story.correct(story.apart, season=story.season.pk)],
    "void": [lambda story: story.void(story.first)],
    "void together": [lambda story: story.void(story.first, story.second)],
    "restored": [Story.restore],
    "disputed and confirmed": [Story.dispute, Story.confirm],
    "no confirmation any more": [lambda story: story.set(needs_confirmation=False)],
    "rules of the ranking": [lambda story: story.set(ranking_metric="wins"), lambda story: story.set(drop_worst=1)],
    "rules of sessions": [lambda story: story.set(substitution="seat")],
    "closed": [lambda story: story.void(story.open), lambda story: story.set(status="closed")],
    "names and days of the season": [
        lambda story: story.set(name="Autumn"),
        lambda story: story.set(starts_on=NOW.date().replace(month=1)),
    ],
    "names of league and club": [Story.rename_league, Story.rename_club, Story.rename_club_as_superuser],
    "names of a player": [
        lambda story: story.call_ann(name="Anna"),
        lambda story: story.call_ann(nickname="The Ace"),
        Story.choose_nickname,
    ],
    "merged and back": [Story.confirm, Story.merge, Story.unmerge],
    "erased": [Story.erase],
    "name of a game": [Story.rename_game],
    "divisions": [Story.assign, Story.rename_division, Story.undivide],
}


@pytest.fixture(scope="module")
def story(django_db_setup: None, django_db_blocker: Any) -> Iterator[Story]:
    """The story as it is before each test; each takes back what it changes."""
    with people_for_a_module(django_db_blocker) as people:
        yield Story(people)


def shown(client: Client, path: str = BOARD, **headers: str) -> tuple[str, str]:
    """What the page says, and its tag."""
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    return _PASSING.sub("", answer.content.decode()), answer["ETag"]


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_kept_is_never_stale(story: Story, as_user: Callable[[User], Client], name: str) -> None:
    readers: list[tuple[Client, dict[str, str]]] = [
        (Client(), {}),
        (Client(), {"accept-language": "de"}),
        (as_user(story.people.member), {}),
        (as_user(story.people.admin), {}),
    ]
    before = [shown(client, **headers) for client, headers in readers]
    for change in CHANGES[name]:
        change(story)
        after = []
        for (client, headers), (_text, tag) in zip(readers, before, strict=True):
            after.append(shown(client, **headers, **{"if-none-match": tag}))
        cache.clear()
        assert after == [shown(client, **headers) for client, headers in readers]
        assert after[0][0] != before[0][0]
        before = after


def test_a_recount_that_puts_something_right_changes_the_page(story: Story, client: Client) -> None:
    right, _tag = shown(client)
    cache.clear()
    Standing.objects.filter(season=story.season, player=story.ids["Ann"]).update(place_total=1000, value=999)
    wrong, tag = shown(client)
    assert "999" in wrong
    assert recounts.check(season_id=story.season.pk, now=NOW) == [story.ids["Ann"]]
    assert shown(client, **{"if-none-match": tag})[0] == right


@pytest.mark.parametrize(("who", "statements"), [(None, 1), ("member", 3)])
def test_a_page_that_is_kept_takes_one_statement_beyond_the_login(
    story: Story, client: Client, who: str | None, statements: int
) -> None:
    if who is not None:
        client.force_login(getattr(story.people, who))
    written, tag = shown(client)
    with CaptureQueriesContext(connection) as queries:
        assert shown(client) == (written, tag)
    assert len(queries) == statements
    with CaptureQueriesContext(connection) as queries:
        assert client.get(BOARD, headers={"if-none-match": tag}).status_code == 304
    assert len(queries) == statements


def test_members_of_one_role_share_what_is_kept_and_nothing_of_each_other(
    story: Story, as_user: Callable[[User], Client]
) -> None:
    other = User.objects.create(username="second member")
    Member.objects.create(club=story.people.club, user=other, role="member")
    one, two = as_user(story.people.member), as_user(other)
    text, tag = shown(one)
    with CaptureQueriesContext(connection) as queries:
        second_text, second_tag = shown(two)
    assert len(queries) == 3
    assert tag != second_tag
    assert "second member" in second_text
    assert second_text.replace("second member", "member") == text


def test_rights_are_asked_for_before_anything_kept_is_shown(story: Story, as_user: Callable[[User], Client]) -> None:
    visitor, member = Client(), as_user(story.people.member)
    public, _tag = shown(visitor)
    shown(member)
    story.set(visibility="members")
    assert visitor.get(BOARD).status_code == as_user(story.people.stranger).get(BOARD).status_code == 404
    shown(member)
    story.set(visibility="link")
    key = Season.objects.get(pk=story.season.pk).board_key
    by_key, tag = shown(visitor, f"{BOARD}?key={key}")
    assert by_key != public
    assert visitor.get(BOARD).status_code == 404
    seasons.renew_board_key(access=story.admin, season_id=story.season.pk, now=NOW)
    assert visitor.get(f"{BOARD}?key={key}", headers={"if-none-match": tag}).status_code == 404
    newer = Season.objects.get(pk=story.season.pk).board_key
    text, _tag = shown(visitor, f"{BOARD}?key={newer}")
    assert newer in text
    assert key not in text
    story.set(visibility="public")
    assert shown(visitor)[0] == public


def test_a_member_who_left_reads_what_a_visitor_reads(story: Story, as_user: Callable[[User], Client]) -> None:
    story.call_ann(nickname="The Ace")
    member = as_user(story.people.member)
    assert "Ann" in shown(member)[0]
    membership = Member.objects.get(user=story.people.member)
    clubs.remove_member(access=story.people.access(story.people.member), member_id=membership.pk, now=NOW)
    text, _tag = shown(member)
    assert "The Ace" in text
    assert ">Ann" not in text


def test_pages_of_one_board_are_told_apart(story: Story, client: Client) -> None:
    texts = [shown(client, BOARD + query) for query in ("", "?page=2", "?sessions=2", "?page=2&sessions=2")]
    assert len({tag for _text, tag in texts}) == 4
    assert [shown(client, BOARD + query) for query in ("", "?page=2", "?sessions=2", "?page=2&sessions=2")] == texts
    assert shown(client, f"{BOARD}?page=1&x=1")[1] == texts[0][1]


def test_another_host_is_another_frame_to_copy(story: Story, client: Client) -> None:
    here = shown(client, host="localhost")[0]
    there = shown(client, host="127.0.0.1")[0]
    assert "http://localhost/herzclub/monday-league/2026/embed/" in here
    assert "http://127.0.0.1/herzclub/monday-league/2026/embed/" in there
    assert "localhost" not in there


def test_a_club_out_of_an_archive_has_boards_of_its_own(story: Story, client: Client) -> None:
    here, _tag = shown(client)
    access = story.people.access(story.people.owner)
    with archives.export_club(access=access, now=NOW) as file:
        content = file.read()
    archives.import_club(file=io.BytesIO(content), slug="again", owner=None, with_users=True, now=NOW)
    Player.objects.filter(club__slug="again", name="Ann").update(name="Antonia")
    there, _tag = shown(client, "/again/monday-league/2026/")
    assert "Antonia" in there
    assert shown(client)[0] == here
