"""A club leaves as one file and comes back as the same club under other ids; and what is no such file stays out."""

import ast
import base64
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import transaction

from games import series
from league.exchange.archive import MANIFEST, TOPICS, Reader, file_of
from league.management.new_file import new_file
from league.models import (
    ApiToken,
    AuditEvent,
    BotMatch,
    BotMatchChunk,
    BotMatchSeat,
    ChangedSession,
    Club,
    ClubGame,
    Division,
    DivisionPlayer,
    EntryAbsence,
    ImportBatch,
    ImportMark,
    Invite,
    Job,
    JobKind,
    JobState,
    Member,
    PairWish,
    PlannedEvening,
    Player,
    PlayerMerge,
    RevisionKind,
    Role,
    Scope,
    Season,
    Session,
    SessionRevision,
    SignUp,
    Stage,
    StageEntry,
    Standing,
    Tournament,
    TournamentEntry,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
    User,
    WebhookEndpoint,
)
from league.models.sheets import score_sheet
from league.models.tenancy import ClubOwned
from league.services import archives, erasure, merges, players, results, seasons, standings, tokens, tournament_changes
from league.services.access import Access, Actor, of_token
from league.services.errors import Conflict, Forbidden, InputError
from league.services.evenings import RoundInput, ScoreInput, SeatInput, SessionInput
from league.services.moments import one_moment
from league.services.session_rows import snapshot
from league.services.tournament_formats import StageInput
from league.web import reading
from tests.people import NOW, People, people_for_a_module
from tests.services import test_tournaments as organised
from tests.services.given import evening, record, rows
from tests.services.threads import at_once

pytestmark = pytest.mark.django_db

SERVICES = Path(archives.__file__).parent
ENDED = NOW - timedelta(days=3)


def _with_everything(people: People) -> Club:
    """The Herzclub with one of everything that a club can have, much of it odd."""
    owner = people.access(people.owner)
    ann, ben, cem, dora, eva, finn = people.players
    for name in ("four-players", "five-players", "six-players-twice"):
        record(people, evening(name))
    rules = {"tie_breaks": ["direct"], "points_by_place": [3, 1], "ranking_metric": "points"}
    seasons.update_season(access=owner, season_id=people.season.pk, changes=rules, now=NOW)
    Season.objects.filter(pk=people.season.pk).update(has_divisions=True, visibility="link", planned_evenings=9)
    people.season.refresh_from_db()
    for level, some in enumerate(([ann, ben], [cem]), 1):
        division = Division.objects.create(
            club=people.club, season=people.season, level=level, name=f"Liga {level}", promoted=1, relegated=2
        )
        for one in some:
            DivisionPlayer.objects.create(club=people.club, season=people.season, division=division, player=one)
    standings.refresh(season=people.season, players=[one.pk for one in people.players])
    Player.objects.filter(pk=ben.pk).update(nickname="Der Bär")
    planned = PlannedEvening.objects.create(
        club=people.club, season=people.season, starts_at=NOW, capacity=1, location="Café", revision=3, cancelled_at=NOW
    )
    for one, state in ((ann, "coming"), (ben, "waiting"), (cem, "declined")):
        SignUp.objects.create(club=people.club, evening=planned, player=one, state=state, since=NOW)
    token, _raw = tokens.create(access=owner, name="app", scope=Scope.CLUB_ADMIN, expires_at=None, now=NOW)
    child, _raw = tokens.create(access=owner, name="phone", scope=Scope.READ, expires_at=None, now=NOW)
    ApiToken.objects.filter(pk=child.pk).update(parent=token, expires_at=NOW)
    Player.objects.filter(pk=ann.pk).update(member=Member.objects.get(user=people.member))
    players.create(access=owner, name="Gäste-Günther 🂱", is_guest=True, now=NOW)
    Player.objects.filter(pk=finn.pk).update(archived_at=NOW)
    # The one who remains has the higher id: a reference that points forward.
    gone = Player.objects.create(club=people.club, name="Doppelt", archived_at=NOW)
    stays = Player.objects.create(club=people.club, name="Bleibt")
    merges.merge(access=owner, source_id=gone.pk, target_id=stays.pk, now=NOW)
    unwanted = Player.objects.create(club=people.club, name="Vergessen")
    erasure.erase(access=owner, player_id=unwanted.pk, confirmed=True, now=NOW)
    own = ClubGame.objects.create(club=people.club, key="tarock", name="Tarock", min_players=2, max_players=4)
    data = SessionInput(
        format="single_game",
        played_on=NOW.date(),
        players=(SeatInput(ben.pk), SeatInput(cem.pk)),
        location="=Café “Rot”",
        rounds=(RoundInput("tarock", (ScoreInput(ben.pk, points=-5), ScoreInput(cem.pk, points=7))),),
        status="complete",
    )
    ended = record(people, data)
    record(
        people,
        replace(data, rounds=(), status="open", format="pure_xxl", players=(SeatInput(dora.pk), SeatInput(eva.pk))),
    )
    voided = record(people, replace(data, comment="entered twice"))
    Session.objects.filter(pk=voided.pk).update(voided_at=NOW, revision=2, confirmation="disputed")
    SessionRevision.objects.create(
        club=people.club,
        session=voided,
        number=2,
        kind=RevisionKind.VOIDED,
        reason="twice",
        at=NOW,
        user=people.admin,
        token=token,
        data={**snapshot(voided), "season": people.season.pk},
    )
    table = ApiToken(club=people.club, name="table", prefix="tttttttttttt", secret_sha256="0" * 64, scope=Scope.TABLE)
    table.session, table.expires_at = ended, NOW
    table.save()
    bots = [players.create(access=owner, name=f"Bot {n}", kind="bot", bot="random", now=NOW) for n in (1, 2)]
    for state, session in ((JobState.DONE, voided), (JobState.RUNNING, None)):
        job = Job.objects.create(
            club=people.club,
            kind=JobKind.BOT_MATCH,
            state=state,
            done=1,
            total=2,
            user=people.scorekeeper,
            lease_until=NOW,
        )
        match = BotMatch.objects.create(
            club=people.club,
            job=job,
            season=people.season,
            session=session,
            game="xxl-6",
            seed=7,
            deals=2,
            format="individual_xxl",
            options={"dealer": 1},
            played_on=NOW.date(),
            engine=series.fingerprint(),
        )
        for number, bot in enumerate(bots):
            BotMatchSeat.objects.create(club=people.club, bot_match=match, number=number, player=bot)
        player = series.Player(series.Plan(("xxl-6",), ("random", "random"), match.seed, match.options))
        for deal in range(2):
            chunk = BotMatchChunk(club=people.club, bot_match=match, first_deal=deal, deals=1)
            if deal == 0 or state == JobState.DONE:
                played = [player.play(deal)]
                chunk.tally = series.Tally.of(played, 2).to_json()
                # Of the other one the moves have been dropped.
                chunk.records = series.pack(played) if deal == 0 else None
            else:
                chunk.job = Job.objects.create(club=people.club, kind=JobKind.BOT_CHUNK, parent=job)
            chunk.save()
    WebhookEndpoint.objects.create(
        club=people.club,
        url="https://example.org/hook",
        events=["session.finished"],
        secret="whsec_SECRET",
        created_by=people.admin,
        created_by_token=token,
    )
    PlayerMerge.objects.update(sessions=[ended.pk, voided.pk])
    batch = ImportBatch.objects.create(
        club=people.club,
        source="csv",
        file_name="old.csv",
        file_sha256="1" * 64,
        season=people.season,
        state="applied",
        created_players=[eva.pk],
        created_games=[own.key],
        outcome={"players": 4, "sessions": 2},
        user=people.admin,
        finished_at=NOW,
    )
    ImportBatch.objects.create(club=people.club, source="csv", file_name="new.csv", file_sha256="2" * 64)
    ImportMark.objects.create(club=people.club, batch=batch, source="csv", external_id="row 1", session=ended)
    AuditEvent.objects.create(
        club=people.club, at=NOW, user=people.owner, action="member.removed", object_id=10**9, data={"member": 10**9}
    )
    Invite.objects.create(club=people.club, code_sha256="SECRET-CODE", expires_at=NOW)
    _tournament(people, table_of={2: voided, 3: ended})
    return people.club


def _tournament(people: People, *, table_of: dict[int, Session]) -> None:
    """Four enter, one by an invitation; a group stage with a bye and a forfeit, a final to come; sessions by table."""
    club = people.club
    pairing = Job.objects.create(club=club, kind=JobKind.PAIRING, user=people.scorekeeper)
    tournament = Tournament.objects.create(
        club=club,
        season=people.season,
        name="Herbst-Cup „Rot“",
        slug="herbst",
        status="paused",
        starts_on=NOW.date(),
        location="Café",
        note="bring cards",
        announcement="Round 2 begins at nine",
        visibility="link",
        board_key="SECRET-BOARD",
        entry_key="SECRET-ENTRY",
        session_format="series",
        game="tarock",
        games_per_table=3,
        table_size=2,
        metric="result",
        scores={"win": 3, "draw": 1.5, "loss": 0, "bye": 3, "forfeit_win": 2.25, "place_points": [4, 2.5]},
        tie_breaks=["buchholz", "wins"],
        seed=2**52,
        round_minutes=45,
        pairing_job=pairing,
        version=17,
        archived_at=NOW,
        created_by=people.admin,
    )
    # A second one, in no season and with nothing in it.
    Tournament.objects.create(
        club=club, name="Draft", slug="draft", starts_on=NOW.date(), session_format="pure_xxl", metric="places", seed=0
    )
    entries = [
        TournamentEntry.objects.create(club=club, tournament=tournament, player=player, status=status, seed=seed)
        for seed, (player, status) in enumerate(
            zip(people.players, ("checked_in", "entered", "withdrawn", "no_show"), strict=False), 1
        )
    ]
    TournamentEntry.objects.filter(pk=entries[3].pk).update(
        seed=None, first_round=2, fixed_table=7, home_club="Karoclub", user=people.stranger
    )
    EntryAbsence.objects.create(club=club, entry=entries[2], from_round=2)
    EntryAbsence.objects.create(club=club, entry=entries[3], from_round=1, until_round=1)
    for kind, first, second in (("apart", 0, 1), ("together", 2, 3)):
        PairWish.objects.create(
            club=club, tournament=tournament, kind=kind, first=entries[first], second=entries[second]
        )
    swiss = Stage.objects.create(
        club=club,
        tournament=tournament,
        number=1,
        format="swiss",
        status="running",
        options={"rounds": 3, "allow_rematches": False, "best_next": 0},
        groups=2,
        advance=1,
    )
    Stage.objects.create(
        club=club,
        tournament=tournament,
        number=2,
        format="single_elimination",
        options={"best_of": 3, "best_of_last": [5], "third_place": True},
    )
    for seed, entry in enumerate(entries, 1):
        StageEntry.objects.create(club=club, stage=swiss, entry=entry, seed=seed, group=1 + seed % 2)
    for number in (1, 2):
        TournamentRound.objects.create(
            club=club,
            tournament=tournament,
            stage=swiss,
            number=number,
            status="published" if number == 1 else "draft",
            seed=number,
            # A figure may be called what it likes.
            reasons=[{"code": "floated", "entries": [entries[2].pk, 10**9], "figures": {"session": 1.5}}],
            quality={"repeats": 0, "largest": 1, "bound": 0, "method": "annealing"},
            paired_at=NOW,
            published_at=NOW if number == 1 else None,
            started_at=NOW if number == 1 else None,
        )
    for number, kind in enumerate(("bye", "played", "played", "forfeit", "double_forfeit"), 1):
        table = TournamentTable.objects.create(
            club=club,
            round=TournamentRound.objects.get(tournament=tournament, number=1),
            number=number,
            group=2 if number > 2 else 1,
            match=f"W{number}",
            kind=kind,
            decided=kind == "played",
        )
        for seat in range(1 if kind == "bye" else 2):
            TournamentSeat.objects.create(
                club=club,
                table=table,
                entry=entries[(number + seat) % 4],
                number=seat,
                place=seat + 1 if kind == "played" else None,
                place_sum=3 + seat if kind == "played" else None,
                game_points=-5 if kind == "played" else None,
            )
        if number in table_of:
            Session.objects.filter(pk=table_of[number].pk).update(table=table)


@pytest.fixture
def club(people: People) -> Club:
    """The Herzclub with one of everything."""
    return _with_everything(people)


@pytest.fixture(scope="module")
def archive(django_db_setup: None, django_db_blocker: Any) -> bytes:
    """The archive of the Herzclub with one of everything, which was here and is no more."""
    with people_for_a_module(django_db_blocker) as people:
        return exported(_with_everything(people))


def exported(club: Club) -> bytes:
    """The archive as bytes, made by an owner."""
    owner = Member.objects.filter(club=club, role=Role.OWNER).select_related("user").first()
    assert owner
    access = Access(club=club, role=Role.OWNER, actor=Actor(user_id=owner.user_id))
    with archives.export_club(access=access, now=NOW) as file:
        return file.read()


def imported(archive: bytes, **fields: Any) -> Club:
    given: dict[str, Any] = {
        "slug": "again",
        "owner": None,
        "with_users": True,
        "now": NOW + timedelta(days=1),
        **fields,
    }
    return archives.import_club(file=io.BytesIO(archive), **given)


def read(archive: bytes) -> dict[str, list[dict[str, Any]]]:
    reader = Reader(io.BytesIO(archive))
    return {topic: [row for _number, row in reader.rows(topic)] for topic in TOPICS}


def without_ids(told: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Each id, in columns and in JSON, put as `topic/position`; an id of nothing as `topic/gone`."""
    position = {
        topic: {row["id"]: f"{topic}/{index}" for index, row in enumerate(lines) if "id" in row}
        for topic, lines in told.items()
    }

    def named(topic: str, pk: int) -> str:
        return position.get(topic, {}).get(pk, f"{topic}/gone {abs(pk)}")

    def in_json(value: Any, topic: str | None) -> Any:
        if isinstance(value, dict):
            return {
                key: one if key in archives.LISTS and type(one) is int else in_json(one, archives.TOPIC_OF_KEY.get(key))
                for key, one in value.items()
            }
        if isinstance(value, list):
            return [in_json(one, topic) for one in value]
        return named(topic, value) if topic and type(value) is int else value

    plain: dict[str, list[dict[str, Any]]] = {}
    for topic, lines in told.items():
        plain[topic] = []
        for row in lines:
            line = {}
            for name, field in TOPICS[topic].items():
                value = row[name]
                if field.kind == "id":
                    value = named(topic, value)
                elif field.kind == "reference" and value is not None:
                    value = named(field.to, value)
                elif field.kind == "json" and name in {"data", "sessions", "created_players", "reasons"}:
                    value = in_json(value, archives.TOPIC_OF_KEY.get(name))
                line[name] = value
            if topic == "audit_events":
                first = line["action"].partition(".")[0]
                about = archives.TOPIC_OF_ACTION.get(first)
                line["object_id"] = named(about, line["object_id"]) if about else first
            plain[topic].append(line)
    return plain


def sheets(club: Club) -> list[Any]:
    """All score sheets of a club, in names."""
    found = []
    for session in Session.objects.filter(club=club).select_related("season__league").order_by("pk"):
        sheet = score_sheet(session)
        found.append(
            (
                [replace(one, player=one.player.name) for one in sheet.players],  # type: ignore[arg-type]
                [(one.number, one.game.key, one.note, one.confirmed, one.cells) for one in sheet.rounds],
            )
        )
    return found


def boards(club: Club) -> list[Any]:
    return [
        [replace(row, player_id=0, last_session_id=0) for row in reading.board_rows(season, page=1)[0]]
        for season in Season.objects.filter(club=club).order_by("pk")
    ]


def test_nothing_is_lost_on_the_way(club: Club) -> None:
    first = exported(club)
    told = read(first)
    assert [topic for topic, lines in told.items() if not lines] == [], "a topic that this test does not try"
    again = imported(first)
    second = read(exported(again))
    assert [row["action"] for row in second["audit_events"][-1:]] == ["club.imported"]
    second["audit_events"].pop()
    assert second["club"][0].pop("slug") == "again"
    assert told["club"][0].pop("slug") == "herzclub"
    told["club"][0]["slug"] = second["club"][0]["slug"] = ""
    before, after = without_ids(told), without_ids(second)
    for topic in TOPICS:
        assert after[topic] == before[topic], topic
    assert sheets(again) == sheets(club)
    assert boards(again) == boards(club)
    assert any(boards(club))


def test_ids_are_changed_wherever_they_stand(club: Club, people: People) -> None:
    again = imported(exported(club))
    of = {one.name: one.pk for one in Player.objects.filter(club=again)}
    season = Season.objects.get(club=again)
    revision = SessionRevision.objects.get(club=again, kind=RevisionKind.VOIDED)
    assert revision.data["season"] == season.pk
    assert [seat["player"] for seat in revision.data["players"]] == [of["Ben"], of["Cem"]]
    (round_,) = revision.data["rounds"]
    assert {score["player"] for score in round_["scores"]} == {of["Ben"], of["Cem"]}
    assert {result["player"] for result in revision.data["results"]} == {of["Ben"], of["Cem"]}
    assert (revision.user, revision.token and revision.token.name) == (people.admin, "app")
    merged = AuditEvent.objects.get(club=again, action="player.merged")
    merge = PlayerMerge.objects.get(club=again)
    # The number of sessions is no id of one.
    assert (merged.object_id, merged.data) == (
        of["Doppelt"],
        {"target": of["Bleibt"], "sessions": 0, "merge": merge.pk},
    )
    removed = AuditEvent.objects.get(club=again, action="member.removed")
    assert (removed.object_id, removed.data) == (-(10**9), {"member": -(10**9)})
    assert AuditEvent.objects.get(club=again, action="club.imported").object_id == again.pk
    assert len(merge.sessions) == 2
    assert set(merge.sessions) <= set(Session.objects.filter(club=again).values_list("pk", flat=True))
    batch = ImportBatch.objects.get(club=again)
    assert (batch.created_players, batch.content) == ([of["Eva"]], None)
    assert (batch.created_games, batch.outcome) == (["tarock"], {"players": 4, "sessions": 2})
    assert Player.objects.get(club=again, name="Doppelt").merged_into_id == of["Bleibt"]
    first, _second = TournamentRound.objects.filter(club=again).order_by("number")
    cem = TournamentEntry.objects.get(club=again, player=of["Cem"])
    # A figure is none, whatever its name; an entry that is gone means no other.
    assert first.reasons == [{"code": "floated", "entries": [cem.pk, -(10**9)], "figures": {"session": 1.5}}]
    tables = Session.objects.filter(club=again, table__isnull=False).order_by("pk")
    assert list(tables.values_list("table__number", "comment")) == [(3, ""), (2, "entered twice")]
    # What finds an evening entered twice is about the new ids.
    same = replace(evening("four-players"), season=None)
    access = Access(club=again, role=Role.OWNER, actor=Actor())
    with pytest.raises(Exception, match="possible_duplicate"):
        results.record(access=access, data=same, confirm=frozenset(), now=NOW)


def test_no_secret_leaves_and_none_is_made_valid(club: Club) -> None:
    archive = exported(club)
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        everything = b"".join(map(files.read, files.namelist()))
    for secret in [b"SECRET", b"pbkdf2", *(one.secret_sha256.encode() for one in ApiToken.objects.all())]:
        assert secret not in everything
    again = imported(archive)
    assert not ApiToken.objects.filter(club=again, revoked_at=None).exists()
    assert not WebhookEndpoint.objects.filter(club=again, disabled_at=None).exists()
    assert not Invite.objects.filter(club=again).exists()


def test_users_are_found_or_made_by_whoever_runs_the_installation(club: Club, people: People) -> None:
    archive = exported(club)
    people.scorekeeper.delete()
    again = imported(archive)
    made = User.objects.get(username="scorekeeper")
    assert not made.has_usable_password()
    roles = dict(Member.objects.filter(club=again).values_list("user__username", "role"))
    assert roles == {"owner": "owner", "admin": "admin", "scorekeeper": "scorekeeper", "member": "member"}


def test_what_follows_from_the_sessions_is_due_anew(club: Club) -> None:
    again = imported(exported(club))
    first = Session.objects.filter(club=again).order_by("played_on", "pk")[0]
    changed = ChangedSession.objects.get(club=again)
    assert changed.from_day == first.played_on
    assert set(changed.players) == set(Player.objects.filter(club=again).values_list("pk", flat=True))


def test_links_to_boards_end_with_the_move(club: Club, people: People) -> None:
    again = imported(exported(club))
    key = Season.objects.get(club=again, slug="2026").board_key
    assert key and key != Season.objects.get(pk=people.season.pk).board_key


def test_links_and_invitations_to_tournaments_end_and_what_was_to_be_paired_is_asked_for_anew(club: Club) -> None:
    again = imported(exported(club))
    there, here = (Tournament.objects.get(club=one, slug="herbst") for one in (club, again))
    assert here.board_key and here.board_key != there.board_key
    assert (here.entry_key, here.pairing_job) == ("", None)
    assert (here.version, here.season and here.season.club) == (17, again)


def test_archives_from_before_there_were_tournaments_are_read(club: Club) -> None:
    before = exported(club)
    again = imported(as_of_version_1(before))
    assert sheets(again) == sheets(club)
    assert boards(again) == boards(club)
    assert not Tournament.objects.filter(club=again).exists()
    assert not Session.objects.filter(club=again).exclude(table=None).exists()
    with pytest.raises(InputError, match="unknown_file"):
        imported(as_of_version_1(before, keep="tournaments"), slug="third")


def test_a_tournament_goes_on_elsewhere_as_it_would_have_here(people: People) -> None:
    """Seven in a Swiss system, the lower number wins: after two rounds the table, and the third round, are the same."""
    here = organised.Club(people)
    cup = here.tournament(StageInput("swiss", {"rounds": 3}), players=7)
    for number in (1, 2):
        here.pair(cup)
        here.play(cup, number)
    again = imported(exported(people.club))
    there = organised.Club(people)
    there.access = Access(club=again, role=Role.SCOREKEEPER, actor=Actor(user_id=people.scorekeeper.pk))
    moved = Tournament.objects.get(club=again)
    assert there.table(moved) == here.table(cup)
    assert tournament_changes.overtaken_rounds(there.state(moved)) == []
    assert there.pair(moved) == here.pair(cup) == [3]
    for number in (1, 2, 3):
        assert there.seated(moved, number) == here.seated(cup, number)
    there.play(moved, 3)
    here.play(cup, 3)
    assert there.table(moved) == here.table(cup)


def test_whoever_else_imports_gets_the_club_alone(club: Club, people: People) -> None:
    users = User.objects.count()
    again = imported(exported(club), owner=people.stranger, with_users=False)
    assert list(Member.objects.filter(club=again).values_list("user", "role")) == [(people.stranger.pk, "owner")]
    assert User.objects.count() == users
    assert sheets(again) == sheets(club)
    assert set(SessionRevision.objects.filter(club=again).values_list("user", flat=True)) == {None}


def test_a_member_who_imports_owns_what_comes_of_it(club: Club, people: People) -> None:
    again = imported(exported(club), owner=people.member, with_users=True)
    assert Member.objects.get(club=again, user=people.member).role == Role.OWNER


def test_owners_alone_may_have_the_whole_club(club: Club, people: People) -> None:
    for user in (people.admin, people.scorekeeper, people.member):
        with pytest.raises(Forbidden):
            archives.export_club(access=people.access(user), now=NOW)
    access = people.access(people.admin)
    _token, raw = tokens.create(access=access, name="x", scope=Scope.CLUB_ADMIN, expires_at=None, now=NOW)
    assert not archives.may_export(_by_token(raw))
    _token, raw = tokens.create(
        access=people.access(people.owner), name="y", scope=Scope.READ, expires_at=None, now=NOW
    )
    assert not archives.may_export(_by_token(raw))
    _token, raw = tokens.create(
        access=people.access(people.owner), name="z", scope=Scope.CLUB_ADMIN, expires_at=None, now=NOW
    )
    assert archives.may_export(_by_token(raw))


def _by_token(raw: str) -> Any:
    token = tokens.authenticate(raw=raw, now=NOW)
    assert token
    return of_token(token=token, club_slug="herzclub")


def test_an_import_under_way_is_waited_for(club: Club, people: People) -> None:
    ImportBatch.objects.filter(state="preview").update(state="applying")
    with pytest.raises(Conflict, match="import_under_way"):
        exported(club)


def test_a_taken_short_name_is_said(club: Club) -> None:
    archive = exported(club)
    for slug, error in ((None, Conflict), ("pikclub", Conflict), ("admin", InputError), ("Not A Slug", InputError)):
        before = rows()
        with pytest.raises(error):
            imported(archive, slug=slug)
        assert rows() == before


# --- What is refused --------------------------------------------------------------------------------------------------

Change = Callable[[list[dict[str, Any]]], None]


def changed(archive: bytes, topic: str, change: Change) -> bytes:
    """The archive with other rows in a topic, and a manifest that agrees with them."""
    import hashlib

    files = _files(archive)
    lines = [json.loads(line) for line in files[file_of(topic)].splitlines()]
    change(lines)
    files[file_of(topic)] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    manifest = json.loads(files[MANIFEST])
    manifest["topics"][topic] |= {
        "rows": len(lines),
        "sha256": hashlib.sha256(files[file_of(topic)]).hexdigest(),
    }
    files[MANIFEST] = json.dumps(manifest).encode()
    return packed(files)


def _files(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def packed(files: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return target.getvalue()


def as_of_version_2(archive: bytes, records: Mapping[int, list[dict[str, Any]]] | None = None) -> bytes:
    """The archive as it was written when a bot match held the records of its deals: those given by the match's id."""

    def with_records(lines: list[dict[str, Any]]) -> None:
        for line in lines:
            for later in ("format", "options", "engine"):
                del line[later]
            line["records"] = (records or {}).get(line["id"], [])

    return without_topics(changed(archive, "bot_matches", with_records), {"bot_match_chunks"}, version=2)


def as_of_version_1(archive: bytes, *, keep: str = "") -> bytes:
    """The archive as it was written before there were tournaments; a file that is kept is none of it."""

    def without_table(lines: list[dict[str, Any]]) -> None:
        for line in lines:
            del line["table"]

    later = {
        *("tournaments", "tournament_entries", "entry_absences", "pair_wishes", "stages", "stage_entries"),
        *("tournament_rounds", "tournament_tables", "tournament_seats"),
    }
    return without_topics(changed(as_of_version_2(archive), "sessions", without_table), later, version=1, keep=keep)


def without_topics(archive: bytes, topics: Collection[str], *, version: int, keep: str = "") -> bytes:
    """The archive of another version, which does not have these topics; the file of one that is kept is there."""
    files = _files(archive)
    manifest = json.loads(files[MANIFEST])
    manifest["version"] = version
    for topic in topics:
        manifest["topics"].pop(topic)
        if topic != keep:
            files.pop(file_of(topic))
    return packed({**files, MANIFEST: json.dumps(manifest).encode()})


def nested(depth: int) -> Any:
    value: Any = {}
    for _level in range(depth):
        value = {"a": value}
    return value


def _set(**values: Any) -> Change:
    return lambda lines: lines[0].update(values)


def _records(packed_text: bytes) -> Change:
    return lambda lines: lines[0].update(records=base64.b64encode(zlib.compress(packed_text)).decode())


@pytest.mark.one_database  # what a row may hold is looked at before it is written
@pytest.mark.parametrize(
    ("topic", "change", "code"),
    [
        ("players", _set(member=10**9), "dangling"),
        ("players", _set(merged_into=10**9), "dangling"),
        ("players", _set(name="x" * 61), "refused"),
        ("players", _set(name="A\u202eB"), "refused"),
        ("players", _set(kind="dog"), "refused"),
        ("players", _set(is_guest=1), "wrong_type"),
        ("players", _set(id=True), "wrong_type"),
        ("players", _set(created_at="2026-11-30T20:00:00"), "wrong_type"),
        ("players", _set(surprise=1), "unknown_field"),
        ("players", lambda lines: lines[0].pop("name"), "missing_field"),
        ("players", lambda lines: lines.append(lines[0]), "id_twice"),
        ("players", lambda lines: lines.append({**lines[0], "id": 10**9}), "contradicts"),
        ("users", _set(username="a b"), "refused"),
        ("members", lambda lines: [line.update(role="admin") for line in lines], "no_owner"),
        ("club", lambda lines: lines.append(lines[0]), "one_club"),
        ("club", _set(time_zone="Mars/Base"), "refused"),
        ("leagues", _set(slug="manage"), "refused"),
        ("leagues", _set(slug="tournaments"), "refused"),
        ("seasons", _set(tie_breaks=["luck"]), "refused"),
        ("seasons", _set(points_by_place=["1"]), "refused"),
        ("seasons", _set(points_by_place=[10**9]), "refused"),
        ("seasons", _set(visibility="friends"), "refused"),
        ("rules_versions", lambda lines: lines[0]["rules"].pop("absence"), "refused"),
        ("rules_versions", lambda lines: lines[0]["rules"].update(ranking_metric="luck"), "refused"),
        ("sign_ups", _set(state="perhaps"), "refused"),
        ("tournaments", _set(session_format="skat"), "refused"),
        ("tournaments", _set(game="poker"), "refused"),
        ("tournaments", _set(slug="new"), "refused"),
        ("tournaments", _set(metric="luck"), "refused"),
        ("tournaments", _set(scores={"win": "3"}), "refused"),
        ("tournaments", _set(tie_breaks=["luck"]), "refused"),
        # Each known, and yet no chain: what decides nothing more, or asks what places that are added up don't say.
        ("tournaments", _set(tie_breaks=["wins", "wins"]), "refused"),
        ("tournaments", _set(tie_breaks=["lots", "wins"]), "refused"),
        ("tournaments", _set(metric="place_sum", tie_breaks=["buchholz"]), "refused"),
        ("tournaments", _set(metric="place_points", scores={"place_points": [1, 2]}), "refused"),
        ("seasons", _set(tie_breaks=["direct", "direct"]), "refused"),
        ("tournaments", _set(table_size=7), "contradicts"),
        ("tournament_entries", _set(seed=0), "contradicts"),
        ("tournament_entries", lambda lines: lines[0].update(tournament=lines[0]["tournament"] + 1), "contradicts"),
        ("pair_wishes", lambda lines: lines[0].update(tournament=lines[0]["tournament"] + 1), "contradicts"),
        ("pair_wishes", lambda lines: lines[0].update(first=lines[0]["second"]), "contradicts"),
        ("stages", lambda lines: lines[0].update(tournament=lines[0]["tournament"] + 1), "contradicts"),
        ("stages", _set(options=[]), "refused"),
        ("stages", lambda lines: lines[0]["options"].pop("rounds"), "refused"),
        ("stages", lambda lines: lines[0]["options"].update(luck=True), "refused"),
        ("stages", _set(format="ladder"), "refused"),
        ("tournament_rounds", _set(reasons=[{"code": "floated"}]), "refused"),
        ("tournament_rounds", _set(reasons=[{"code": "fate", "entries": [], "figures": {}}]), "refused"),
        ("tournament_rounds", _set(reasons=[{"code": "table_missed", "entries": [], "figures": {}}]), "refused"),
        ("tournament_rounds", _set(reasons=[{"code": "gone", "entries": [], "figures": {"a": "b"}}]), "refused"),
        ("tournament_rounds", _set(quality=[]), "refused"),
        ("tournament_rounds", _set(quality={"basis": []}), "refused"),
        ("tournament_rounds", _set(quality={"kept_bases": 5}), "refused"),
        ("tournament_tables", _set(kind="lost"), "refused"),
        ("tournament_seats", _set(place=0), "contradicts"),
        ("sessions", _set(table=10**9), "dangling"),
        ("standings", _set(place_counts={}), "refused"),
        ("standings", _set(division=10**9), "dangling"),
        ("standings", _set(division=None), "standings_differ"),
        ("leagues", _set(slug="a/b"), "refused"),
        ("rounds", _set(game="poker"), "refused"),
        ("rounds", _set(note="odd"), "refused"),
        ("rounds", _set(number=10**12), "refused"),
        ("rounds", _set(confirmed=[[]]), "refused"),
        ("results", _set(reason="odd", place=None), "refused"),
        ("revisions", _set(data=[1]), "refused"),
        ("audit_events", _set(data=nested(700)), "wrong_type"),
        ("audit_events", _set(data=nested(51)), "wrong_type"),
        ("revisions", lambda lines: lines[0]["data"].pop("results"), "refused"),
        ("revisions", lambda lines: lines[0]["data"].update(played_on="yesterday"), "refused"),
        ("revisions", lambda lines: lines[0]["data"].update(season=10**40), "refused"),
        ("revisions", lambda lines: lines[0]["data"]["players"].append({"player": "1"}), "refused"),
        ("revisions", _set(at="9999-12-31T23:59:59+00:00"), "wrong_type"),
        ("tokens", _set(expires_at="0001-01-01T00:00:00+14:00"), "wrong_type"),
        ("bot_matches", _set(records=[]), "unknown_field"),
        ("bot_matches", _set(options=[]), "refused"),
        ("bot_matches", _set(options={"dealer": [[1]]}), "refused"),
        ("bot_matches", _set(format="skat"), "refused"),
        ("bot_matches", _set(format="pure_xxl"), "contradicts"),
        ("bot_matches", _set(deals=100_001), "contradicts"),
        # One that is still to be played by what its game does not have.
        ("bot_matches", lambda lines: lines[1].update(options={"luck": 1}), "contradicts"),
        ("bot_match_chunks", _set(tally=None), "refused"),
        ("bot_match_chunks", lambda lines: lines[0]["tally"].pop("squares"), "refused"),
        ("bot_match_chunks", lambda lines: lines[0]["tally"].update(scores=["1", "2"]), "refused"),
        ("bot_match_chunks", lambda lines: lines[0]["tally"].update(results={"four": 1}), "refused"),
        ("bot_match_chunks", lambda lines: lines[0]["tally"].update(ends={"": -1}), "refused"),
        # Sums of another table, or of other deals than the chunk has.
        ("bot_match_chunks", lambda lines: lines[0]["tally"].update(firsts=[1]), "contradicts"),
        ("bot_match_chunks", lambda lines: lines[0]["tally"].update(deals=2), "contradicts"),
        ("bot_match_chunks", _set(first_deal=1), "contradicts"),
        ("bot_match_chunks", _set(deals=3), "contradicts"),
        ("bot_match_chunks", lambda lines: lines[2].update(first_deal=2), "contradicts"),
        ("bot_match_chunks", _set(records="?"), "wrong_type"),
        ("bot_match_chunks", _set(records=""), "contradicts"),
        # Packed: nothing, no deal for one, a deal of another game, and 40 million blanks.
        ("bot_match_chunks", _records(b""), "contradicts"),
        ("bot_match_chunks", _records(b"[{},[]]"), "contradicts"),
        ("bot_match_chunks", _records(b'[{"xxl-6":1},[["xxl-6",[1],[1],"",""]]]'), "contradicts"),
        ("bot_match_chunks", _records(b'[{"xxl-6":1},[["xxl-6",["1",2],[1,2],"",""]]]'), "contradicts"),
        ("bot_match_chunks", _records(b'[{"xxl-1":1},[["xxl-1",[1,2],[1,2],"",""]]]'), "contradicts"),
        ("bot_match_chunks", _records(b"[" * 5000), "contradicts"),
        ("bot_match_chunks", _records(b" " * 40_000_000), "contradicts"),
        ("webhooks", _set(events=["everything"]), "refused"),
        ("merges", _set(sessions=["1"]), "refused"),
        ("merges", _set(sessions=[True]), "refused"),
        ("imports", _set(state="applying"), "refused"),
        ("imports", _set(created_players=[None]), "refused"),
        ("imports", _set(outcome={"preview": {}}), "refused"),
        ("imports", _set(outcome={"counts": {"stored": "many"}}), "refused"),
        ("imports", _set(outcome={"problems": [[1]]}), "refused"),
        ("imports", _set(outcome={"problems": [[1, "no_such_code", {}, True, ""]]}), "refused"),
        ("imports", _set(outcome={"problems": [[1, "player_twice", {}, True, ""]]}), "refused"),
        ("standings", _set(wins=0, place_total=99), "standings_differ"),
        ("standings", lambda lines: lines.pop(), "standings_differ"),
        ("scores", _set(points=None, place=None), "contradicts"),
    ],
)
def test_rows_that_can_not_be_are_refused_and_nothing_is_left(
    people: People, archive: bytes, topic: str, change: Change, code: str
) -> None:
    damaged = changed(archive, topic, change)
    before = rows()
    with pytest.raises(InputError) as caught, transaction.atomic():
        imported(damaged)
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == (("file",), code), problem.message
    assert rows() == before


def test_the_field_of_an_unfit_chain_is_named(people: People, archive: bytes) -> None:
    damaged = changed(archive, "tournaments", _set(tie_breaks=["lots", "wins"]))
    with pytest.raises(InputError) as caught, transaction.atomic():
        imported(damaged)
    message = caught.value.problems[0].message
    assert "tournaments" in message
    assert "tie_breaks" in message


def test_by_command(club: Club, people: People, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "club.zip"
    call_command("export_club", "herzclub", str(file))
    assert file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(CommandError, match="can't be made"):
        call_command("export_club", "herzclub", str(file))
    with pytest.raises(CommandError, match="taken"):
        call_command("import_club", str(file))
    with pytest.raises(CommandError, match="no user 'nobody'"):
        call_command("import_club", str(file), "--owner", "nobody")
    call_command("import_club", str(file), "--slug", "third", "--owner", "stranger")
    assert boards(Club.objects.get(slug="third")) == boards(club)
    assert Member.objects.get(club__slug="third", user=people.stranger).role == Role.OWNER
    (tmp_path / "no.zip").write_bytes(b"no")
    with pytest.raises(CommandError, match="not the archive of a club"):
        call_command("import_club", str(tmp_path / "no.zip"))


def test_a_file_of_a_command_is_there_whole_or_not_at_all(club: Club, tmp_path: Path) -> None:
    """Whoever looks while it is written finds nothing, and so does who looks after the writing failed."""
    file = tmp_path / "club.zip"
    with new_file(file) as unfinished:
        unfinished.write_bytes(b"half of ")
        assert not file.exists()
        unfinished.write_bytes(b"half of it, and the rest")
    assert file.read_bytes() == b"half of it, and the rest"
    other = tmp_path / "other.zip"
    with pytest.raises(OSError, match="disk is full"), new_file(other) as unfinished:
        unfinished.write_bytes(b"half of ")
        raise OSError("the disk is full")
    assert [path.name for path in tmp_path.iterdir()] == ["club.zip"]
    with pytest.raises(CommandError, match="can't be made"):
        call_command("export_club", "herzclub", str(tmp_path / "nowhere" / "club.zip"))


def test_large_clubs_take_no_more_queries_a_row(club: Club, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(3 * len(TOPICS) + 10):
        exported(club)
    assert Standing.objects.filter(club=club).exists()


# --- What must not be forgotten ---------------------------------------------------------------------------------------


def test_every_column_of_a_club_is_in_its_archive_or_left_out_for_a_reason() -> None:
    told = {model.__name__: topic for topic, model in archives.MODELS.items()}
    missing, known = [], set()
    for model in apps.get_app_config("league").get_models():
        if not issubclass(model, ClubOwned):
            continue
        name = model.__name__
        if name in archives.LEFT_OUT:
            known.add(name)
            continue
        if name not in told:
            missing.append(name)
            continue
        for field in model._meta.concrete_fields:
            if f"{name}.{field.name}" in archives.LEFT_OUT:
                known.add(f"{name}.{field.name}")
            elif field.name not in TOPICS[told[name]] and field.name not in {"id", "club"}:
                missing.append(f"{name}.{field.name}")
    of_club = {field.name for field in Club._meta.concrete_fields} - {"id"}
    left_out = {name for name in of_club if f"Club.{name}" in archives.LEFT_OUT}
    assert missing == []
    assert known | {f"Club.{name}" for name in left_out} == set(archives.LEFT_OUT)
    assert of_club - left_out == set(TOPICS["club"])


# Keys of audit data that hold no id.
_NO_IDS = {
    "after_round",
    "confirmed",
    "data",
    "deals",
    "fields",
    "from",
    "from_round",
    "game",
    "games",
    "here",
    "hours",
    "how",
    "looks",
    "key",
    "kept",
    "kind",
    "open",
    "planned",
    "reason",
    "revision",
    "role",
    "round",
    "rounds",
    "rate_limit",
    "rules",
    "runs",
    "scope",
    "seat",
    "state",
    "status",
    "stored",
    "table",
    "until",
    "version",
}


def _audited() -> Iterator[tuple[str, set[str], set[str]]]:
    """(function, first words of actions, keys of data) of each function that writes audit events."""
    for path in sorted(SERVICES.glob("*.py")):
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef):
                continue
            calls = [one for one in ast.walk(function) if isinstance(one, ast.Call)]
            written = [one for one in calls if ast.unparse(one.func).startswith("audit.write")]
            # Of a tournament: it puts the first word before the action.
            changes = [one for one in calls if ast.unparse(one.func) in {"changed", "tournaments.changed"}]
            told: list[ast.expr] = []
            words: set[str] = set()
            for call in written:
                given = {one.arg: one.value for one in call.keywords}
                told.append(given["data"])
                texts = [one.value for one in ast.walk(given["action"]) if isinstance(one, ast.Constant)]
                words |= {str(text).partition(".")[0] for text in texts[:1]}
            for call in changes:
                told += [one.value for one in call.keywords if one.arg == "data"]
                words.add("tournament")
            if written or changes:
                assigned = [one for one in ast.walk(function) if isinstance(one, ast.Assign)]
                told += [one.value for one in assigned if ast.unparse(one.targets[0]) == "data"]
            inside = [one for data in told for one in ast.walk(data) if isinstance(one, ast.Dict)]
            keys = {str(key.value) for one in inside for key in one.keys if isinstance(key, ast.Constant)}
            yield f"{path.name}: {function.name}", words, keys


def test_the_ids_in_every_audit_event_are_known() -> None:
    found = list(_audited())
    assert len([words for _function, words, _keys in found if words]) > 10
    for function, words, keys in found:
        assert words <= {"club", *archives.TOPIC_OF_ACTION}, function
        unknown = keys - _NO_IDS - set(archives.TOPIC_OF_KEY)
        assert not unknown, f"{function}: say in TOPIC_OF_KEY or here what {unknown} is"


@pytest.mark.django_db(transaction=True)
def test_an_archive_shows_one_moment_and_holds_up_nobody(people: People) -> None:
    """What is written meanwhile is written, and not seen."""

    def rename() -> int:
        return Player.objects.filter(club=people.club).update(is_guest=True)

    with one_moment():
        before = Player.objects.filter(is_guest=True).count()
        assert at_once([rename]) == [len(people.players)]
        assert Player.objects.filter(is_guest=True).count() == before == 0
    assert Player.objects.filter(is_guest=True).count() == len(people.players)
    # The way transactions begin otherwise is back.
    with transaction.atomic():
        Player.objects.update(is_guest=False)
