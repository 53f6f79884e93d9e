"""Two players who are one, and a person who is to be forgotten."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import (
    AuditEvent,
    IdempotencyRecord,
    ImportBatch,
    Invite,
    Job,
    JobKind,
    JobState,
    Member,
    Player,
    Score,
    Season,
    Seat,
    Session,
    SessionResult,
    SessionRevision,
    Stage,
    Standing,
    Tournament,
    TournamentEntry,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
)
from league.services import divisions, erasure, merges, planned_evenings, players, results
from league.services.errors import Conflict, Forbidden, InputError, NeedsConfirmation, NotFound
from tests.people import NOW, People
from tests.services.given import ANYTHING, places_of, record, series, table
from tests.services.threads import at_once

pytestmark = pytest.mark.django_db


def player(name: str) -> Player:
    return Player.objects.get(name=name, club__slug="herzclub")


def merge(people: People, source: str, target: str) -> None:
    access = people.access(people.admin)
    merges.merge(access=access, source_id=player(source).pk, target_id=player(target).pk, now=NOW)


def undo(people: People, source: str) -> None:
    merges.undo(access=people.access(people.admin), source_id=player(source).pk, now=NOW)


def refusal(people: People, source: str, target: str) -> str:
    with pytest.raises((Conflict, InputError)) as caught:
        merge(people, source, target)
    error: Any = caught.value
    return str(error.code) if isinstance(error, Conflict) else str(error.problems[0].code)


def everything(name: str) -> dict[str, list[Any]]:
    """All that a player has anywhere."""
    its = {"player__name": name}
    return {
        "seats": list(Seat.objects.filter(**its).order_by("session").values_list("session", "number")),
        "scores": list(Score.objects.filter(**its).order_by("round").values_list("round", "place")),
        "results": list(SessionResult.objects.filter(**its).order_by("session").values_list("session", "place")),
        "standings": list(Standing.objects.filter(**its).values_list("season", "sessions", "place_total", "wins")),
    }


NOTHING: dict[str, list[Any]] = {"seats": [], "scores": [], "results": [], "standings": []}


def three_evenings(people: People) -> tuple[Session, Session, Session]:
    """Ann plays once, and twice as Eva; who was it?"""
    return (
        record(people, series({"Ann": 1, "Ben": 2, "Cem": 3})),
        record(people, series({"Eva": 2, "Ben": 1, "Cem": 3})),
        record(people, series({"Eva": 1, "Dora": 2, "Cem": 3})),
    )


def test_all_results_go_to_the_one_who_remains_and_the_standings_follow(people: People) -> None:
    three_evenings(people)
    merge(people, "Eva", "Ann")
    assert table(people.season) == [
        (1, "Ann", 3, 4, 2),
        (2, "Ben", 2, 3, 1),
        (3, "Dora", 1, 2, 0),
        (4, "Cem", 3, 9, 0),
    ]
    assert everything("Eva") == NOTHING
    eva = player("Eva")
    assert (eva.archived_at, eva.merged_into) == (NOW, player("Ann"))


def test_many_sessions_take_as_many_statements_as_few(people: People) -> None:
    def taken(number: int) -> int:
        for _session in range(number):
            record(people, series({"Ann": 1, "Ben": 2, "Cem": 3, "Dora": 4}))
        with CaptureQueriesContext(connection) as captured:
            merge(people, "Ann", "Eva")
        undo(people, "Ann")
        return len(captured)

    assert taken(1) == taken(6)


def test_places_in_divisions_and_sign_ups_go_along(people: People) -> None:
    """Ann and Gus both come to an evening of two places where Ben waits: merged, they take one, and Ben comes up."""
    admin = people.access(people.admin)
    gus = players.create(access=admin, name="Gus", now=NOW)
    fields = {"level": 1, "name": "First"}
    division = divisions.create(access=admin, season_id=people.season.pk, fields=fields, now=NOW)
    divisions.assign(access=admin, season_id=people.season.pk, places={gus.pk: division.pk}, now=NOW)
    record(people, series({"Ann": 1, "Ben": 2}, status="complete"))
    evening = planned_evenings.plan(access=admin, fields={"starts_at": NOW + timedelta(days=7), "capacity": 2}, now=NOW)
    for one in (gus, player("Ann"), player("Ben")):
        planned_evenings.answer(access=admin, evening_id=evening.pk, state="coming", player_id=one.pk, now=NOW)
    merge(people, "Gus", "Ann")
    told = planned_evenings.attendance(evening)
    assert [one.player.name for one in told.coming] == ["Ann", "Ben"]
    assert told.waiting == ()
    by_name = dict(Standing.objects.values_list("player__name", "division__name"))
    assert by_name == {"Ann": "First", "Ben": None}


def test_divisions_of_a_closed_season_stay_as_they_are(people: People) -> None:
    """Gus was to play in it and never did, so that the merge changes no result of the season."""
    admin = people.access(people.admin)
    gus = players.create(access=admin, name="Gus", now=NOW)
    division = divisions.create(access=admin, season_id=people.season.pk, fields={"name": "First"}, now=NOW)
    divisions.assign(access=admin, season_id=people.season.pk, places={gus.pk: division.pk}, now=NOW)
    record(people, series({"Ann": 1, "Ben": 2}, status="complete"))
    Season.objects.filter(pk=people.season.pk).update(status="closed")
    merge(people, "Gus", "Ann")
    assert dict(Standing.objects.values_list("player__name", "division__name")) == {"Ann": None, "Ben": None}
    assert list(division.players.values_list("player_id", flat=True)) == [gus.pk]


def tournament(people: People, *names: str) -> Tournament:
    """The winter cup, which these have entered; nothing is paired."""
    cup = Tournament.objects.create(
        club=people.club,
        name="Winter Cup",
        slug="cup",
        starts_on=NOW.date(),
        session_format="individual_xxl",
        metric="places",
        seed=1,
    )
    Stage.objects.create(club=people.club, tournament=cup, number=1, format="club_evening")
    for name in names:
        TournamentEntry.objects.create(club=people.club, tournament=cup, player=player(name), home_club="Pikclub")
    return cup


def play_round(people: People, cup: Tournament, number: int, places: dict[str, int]) -> Session:
    """A tournament round of one table, where these players sat and came to these places."""
    stage = Stage.objects.get(tournament=cup)
    one = TournamentRound.objects.create(
        club=people.club, tournament=cup, stage=stage, number=number, status="published", seed=1, paired_at=NOW
    )
    table = TournamentTable.objects.create(club=people.club, round=one, number=1)
    for seat, name in enumerate(places):
        entry = TournamentEntry.objects.get(tournament=cup, player=player(name))
        TournamentSeat.objects.create(club=people.club, table=table, entry=entry, number=seat)
    session = record(people, series(places))
    Session.objects.filter(pk=session.pk).update(table=table)
    return session


def entered(cup: Tournament) -> list[tuple[str, list[int | None]]]:
    """(player, places at the tables of its tournament rounds) of each entry."""
    return [
        (entry.player.name, list(entry.seats.order_by("table__round__number").values_list("place", flat=True)))
        for entry in TournamentEntry.objects.filter(tournament=cup).select_related("player").order_by("pk")
    ]


def state_of(cup: Tournament) -> tuple[int, int]:
    """What says that a tournament was changed: for organisers, and for what was kept of its pages."""
    cup.refresh_from_db()
    return cup.version, cup.board_state


def test_entries_of_tournaments_go_along_and_come_back_with_their_sessions(people: People) -> None:
    cup = tournament(people, "Eva", "Ben")
    later = Tournament.objects.create(
        club=people.club,
        name="Later",
        slug="later",
        starts_on=NOW.date(),
        session_format="pure_xxl",
        metric="places",
        seed=1,
    )
    TournamentEntry.objects.create(club=people.club, tournament=later, player=player("Eva"))
    play_round(people, cup, 1, {"Eva": 2, "Ben": 1})
    before = state_of(cup)
    merge(people, "Eva", "Ann")
    # The revision of the session has its places taken over to the table: they are the entry's, whoever it is.
    assert entered(cup) == [("Ann", [2]), ("Ben", [1])]
    assert entered(later) == [("Ann", [])]
    assert all(one != other for one, other in zip(state_of(cup), before, strict=True))
    before = state_of(cup)
    undo(people, "Eva")
    assert entered(cup) == [("Eva", [2]), ("Ben", [1])]
    # Nothing was played there: nobody can tell any more whose it was, and it is said anew.
    assert entered(later) == [("Ann", [])]
    assert all(one != other for one, other in zip(state_of(cup), before, strict=True))


def test_who_entered_one_tournament_are_two(people: People) -> None:
    cup = tournament(people, "Eva", "Ann", "Ben")
    with pytest.raises(Conflict, match="Winter Cup") as caught:
        merge(people, "Eva", "Ann")
    assert caught.value.code == "both_in_one_tournament"
    TournamentEntry.objects.get(player=player("Ann")).delete()
    merge(people, "Eva", "Ann")
    assert entered(cup) == [("Ann", []), ("Ben", [])]


def test_a_tournament_that_went_on_with_the_other_keeps_the_entry(people: People) -> None:
    """Round 1 was Eva's and round 2 is Ann's: one entry can't be of both."""
    cup = tournament(people, "Eva", "Ben")
    play_round(people, cup, 1, {"Eva": 2, "Ben": 1})
    merge(people, "Eva", "Ann")
    since = play_round(people, cup, 2, {"Ann": 1, "Ben": 2})
    with pytest.raises(Conflict, match="Winter Cup") as caught:
        undo(people, "Eva")
    assert caught.value.code == "tournament_went_on"
    Session.objects.filter(pk=since.pk).update(voided_at=NOW, counts=False)
    undo(people, "Eva")
    assert [name for name, _places in entered(cup)] == ["Eva", "Ben"]


def test_an_undo_brings_everything_back_and_leaves_what_came_since(people: People) -> None:
    three_evenings(people)
    before = {name: everything(name) for name in ("Ann", "Eva")}
    standings = table(people.season)
    merge(people, "Eva", "Ann")
    undo(people, "Eva")
    assert {name: everything(name) for name in ("Ann", "Eva")} == before
    assert table(people.season) == standings
    eva = player("Eva")
    assert (eva.archived_at, eva.merged_into) == (None, None)
    merge(people, "Eva", "Ann")  # and once more
    latest = record(people, series({"eva": 3, "Ben": 1, "Cem": 2}))
    assert set(places_of(latest)) == {"Ann", "Ben", "Cem"}
    undo(people, "Eva")
    assert everything("Eva") == before["Eva"]
    assert latest.pk in [session for session, _seat in everything("Ann")["seats"]]


def test_the_merged_ones_name_and_id_mean_the_other_from_then_on(people: People) -> None:
    eva = player("Eva").pk
    merge(people, "Eva", "Ann")
    merge(people, "Ann", "Finn")
    club = people.club
    found = players.find(club=club, references=[(("a",), "EVA"), (("b",), eva), (("c",), "Ann")])
    assert {one.name for one in found.values()} == {"Finn"}
    with pytest.raises(InputError) as caught:
        record(people, series({"Eva": 1, "Finn": 2}))
    assert {problem.code for problem in caught.value.problems} == {"player_twice"}
    with pytest.raises(Conflict) as refused:
        undo(people, "Eva")
    assert refused.value.code == "merged_since"
    undo(people, "Ann")
    undo(people, "Eva")
    assert [one.name for one in players.find(club=club, references=[(("a",), eva)]).values()] == ["Eva"]


def test_an_archived_remaining_player_is_not_found_by_the_merged_name_either(people: People) -> None:
    merge(people, "Eva", "Ann")
    players.update(access=people.access(people.admin), player_id=player("Ann").pk, changes={"archived": True}, now=NOW)
    with pytest.raises(InputError):
        players.find(club=people.club, references=[(("a",), "Eva")])


def test_who_sat_at_one_table_are_two(people: People) -> None:
    session = three_evenings(people)[0]
    with pytest.raises(Conflict, match=f"session {session.pk} of 30 Nov 2026") as caught:
        merge(people, "Ann", "Ben")
    assert caught.value.code == "both_in_one_session"
    assert everything("Ann") != NOTHING


def test_a_closed_season_is_named(people: People) -> None:
    three_evenings(people)
    Season.objects.filter(pk=people.season.pk).update(status="closed")
    with pytest.raises(Conflict, match="Monday League 2026") as caught:
        merge(people, "Eva", "Ann")
    assert caught.value.code == "season_closed"
    Season.objects.filter(pk=people.season.pk).update(status="open")
    merge(people, "Eva", "Ann")
    Season.objects.filter(pk=people.season.pk).update(status="closed")
    with pytest.raises(Conflict, match="Monday League 2026"):
        undo(people, "Eva")


def test_what_can_not_be_merged(people: People) -> None:
    access = people.access(people.owner)
    for name, bot in (("Robo", "random"), ("Otto", "random"), ("Nora", "greedy")):
        players.create(access=access, name=name, kind="bot", bot=bot, now=NOW)
    assert refusal(people, "Ann", "Robo") == "kind"
    assert refusal(people, "Robo", "Ann") == "kind"
    assert refusal(people, "Robo", "Nora") == "kind"
    merge(people, "Robo", "Otto")
    assert refusal(people, "Ann", "Ann") == "same_player"
    players.update(access=access, player_id=player("Finn").pk, changes={"archived": True}, now=NOW)
    assert refusal(people, "Ann", "Finn") == "archived"
    merge(people, "Eva", "Ann")
    assert refusal(people, "Eva", "Ben") == "already_merged"
    stranger = people.other_players[0].pk
    with pytest.raises(NotFound):
        merges.merge(access=access, source_id=stranger, target_id=player("Ann").pk, now=NOW)
    with pytest.raises(InputError):
        merges.merge(access=access, source_id=player("Ann").pk, target_id=stranger, now=NOW)
    with pytest.raises(NotFound):
        undo(people, "Ben")


def test_a_merged_player_is_changed_by_its_undo_alone(people: People) -> None:
    merge(people, "Eva", "Ann")
    with pytest.raises(Conflict, match="Ann") as caught:
        players.update(
            access=people.access(people.admin), player_id=player("Eva").pk, changes={"archived": False}, now=NOW
        )
    assert caught.value.code == "player_merged"


def test_the_link_to_a_member_goes_along_and_comes_back(people: People) -> None:
    member = Member.objects.get(user=people.member)
    access = people.access(people.admin)
    players.update(access=access, player_id=player("Eva").pk, changes={"member_id": member.pk}, now=NOW)
    merge(people, "Eva", "Ann")
    assert (player("Ann").member, player("Eva").member) == (member, None)
    undo(people, "Eva")
    assert (player("Ann").member, player("Eva").member) == (None, member)


def test_an_open_evening_goes_on_with_the_one_who_remains(people: People) -> None:
    session = record(people, series({"Eva": 1, "Ben": 2}, planned=2))
    merge(people, "Eva", "Ann")
    by = people.access(people.scorekeeper)
    data = series({"Eva": 2, "Ben": 1}).rounds[0]
    results.record_round(access=by, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW)
    assert places_of(session) == {"Ann": (3, 1, ""), "Ben": (3, 1, "")}


def test_each_session_has_a_revision_of_it(people: People) -> None:
    session = three_evenings(people)[1]
    before = Session.objects.get(pk=session.pk).revision
    merge(people, "Eva", "Ann")
    latest = SessionRevision.objects.filter(session=session).latest("number")
    assert latest.number == Session.objects.get(pk=session.pk).revision == before + 1
    assert player("Ann").pk in [seat["player"] for seat in latest.data["players"]]
    assert "Ann" not in json.dumps(latest.data) + latest.reason


def test_admins_merge_and_erase(people: People) -> None:
    access = people.access(people.scorekeeper)
    ann, eva = player("Ann").pk, player("Eva").pk
    with pytest.raises(Forbidden):
        merges.merge(access=access, source_id=eva, target_id=ann, now=NOW)
    with pytest.raises(Forbidden):
        merges.undo(access=access, source_id=eva, now=NOW)
    with pytest.raises(Forbidden):
        erasure.erase(access=access, player_id=ann, confirmed=True, now=NOW)


# --- Erasing ----------------------------------------------------------------------------------------------------------


def erase(people: People, name: str) -> Player:
    return erasure.erase(access=people.access(people.admin), player_id=player(name).pk, confirmed=True, now=NOW)


def test_results_stay_and_the_name_is_gone(people: People) -> None:
    first = three_evenings(people)[0]
    standings = table(people.season)
    gone = erase(people, "Ann")
    assert gone.name == f"Player {gone.pk}"
    assert places_of(first)[gone.name] == (1, 1, "")
    renamed = [(rank, gone.name if name == "Ann" else name, *others) for rank, name, *others in standings]
    assert sorted(table(people.season)) == sorted(renamed)
    gone.refresh_from_db()
    assert (gone.erased_at, gone.archived_at, gone.name_key) == (NOW, NOW, gone.name.casefold())


def test_in_tournaments_the_results_stay_and_nothing_says_whose_they_are(people: People) -> None:
    cup = tournament(people, "Ann", "Ben")
    play_round(people, cup, 1, {"Ann": 1, "Ben": 2})
    TournamentEntry.objects.filter(player=player("Ann")).update(user=people.stranger)
    before, told = state_of(cup), entered(cup)
    gone = erase(people, "Ann")
    entry = TournamentEntry.objects.get(player=gone)
    assert (entry.home_club, entry.user) == ("", None)
    assert entered(cup) == [(gone.name, told[0][1]), *told[1:]]
    assert all(one != other for one, other in zip(state_of(cup), before, strict=True))
    ben = TournamentEntry.objects.get(player=player("Ben"))
    assert ben.home_club == "Pikclub"


def test_a_neutral_name_that_is_taken_gets_a_number(people: People) -> None:
    ann = player("Ann")
    players.create(access=people.access(people.admin), name=f"PLAYER {ann.pk}", now=NOW)
    assert erase(people, "Ann").name == f"Player {ann.pk} (2)"


def test_wherever_the_name_stood(people: People) -> None:
    ann = player("Ann")
    ann.member = Member.objects.get(user=people.member)
    ann.save(update_fields=["member"])
    body = {"id": ann.pk, "name": "Ann", "others": [{"name": "Anna"}], "of": {"ANN": "ann"}}
    record_ = IdempotencyRecord.objects.create(
        actor=f"user:{people.scorekeeper.pk}",
        key="k",
        fingerprint="0",
        status=201,
        body=json.dumps(body),
        created_at=NOW,
    )
    batch = ImportBatch.objects.create(
        club=people.club,
        source="csv",
        file_name="plays.csv",
        file_sha256="0" * 64,
        state="applied",
        decisions={"players": {"Ann": ann.pk}},
        outcome={"new": ["Ann", "Zoe"]},
    )
    waiting = ImportBatch.objects.create(
        club=people.club, source="csv", file_name="p.csv", file_sha256="1" * 64, content=b"date,player\n2026-11-30,ann"
    )
    invite = Invite.objects.create(club=people.club, code_sha256="0" * 64, note="for Ann", player=ann, expires_at=NOW)
    entry = LogEntry.objects.create(
        user=people.owner,
        content_type=ContentType.objects.get_for_model(Player),
        object_id=str(ann.pk),
        object_repr="Ann",
        action_flag=CHANGE,
    )
    gone = erase(people, "Ann")
    for one in (record_, batch, invite, entry, gone):
        one.refresh_from_db()
    assert gone.member is None
    neutral = gone.name
    assert json.loads(record_.body) == {
        "id": gone.pk,
        "name": neutral,
        "others": [{"name": "Anna"}],
        "of": {neutral: neutral},
    }
    assert batch.decisions == {"players": {neutral: gone.pk}}
    assert batch.outcome == {"new": [neutral, "Zoe"]}
    assert not ImportBatch.objects.filter(pk=waiting.pk).exists()
    assert (invite.note, invite.player) == ("", None)
    assert entry.object_repr == neutral
    latest = AuditEvent.objects.latest("pk")
    assert (latest.action, latest.object_id, latest.data) == ("player.erased", gone.pk, {})


@pytest.mark.parametrize(
    "content",
    [
        "date;player\n2026-11-30;Jörg".encode("utf-16"),
        "date;player\n2026-11-30;Jörg".encode("cp1252"),
        b"date;player\n2026-11-30;Jo\xcc\x88rg",
        b'date;player\n2026-11-30;  JO\xcc\x88RG  ""Der  Rote""',
        b'{"players": [{"name": "J\\u00f6rg"}], "plays": []}',
        b'<plays><play><players><player name="J&#246;rg"/></players></play></plays>',
        b"PK\x03\x04 packed",
    ],
)
@pytest.mark.parametrize("state", ["preview", "applying"])
def test_however_a_file_writes_the_name(people: People, content: bytes, state: str) -> None:
    access = people.access(people.admin)
    jorg = players.create(access=access, name="Jörg", now=NOW)
    job = Job.objects.create(club=people.club, kind=JobKind.IMPORT, state=JobState.FAILED)
    batch = ImportBatch.objects.create(
        club=people.club,
        source="csv",
        file_name="plays",
        file_sha256="1" * 64,
        content=content,
        state=state,
        job=job if state == "applying" else None,
    )
    other = ImportBatch.objects.create(
        club=people.club, source="csv", file_name="p", file_sha256="2" * 64, content=b"date;player\n2026-11-30;Georg"
    )
    erasure.erase(access=access, player_id=jorg.pk, confirmed=True, now=NOW)
    assert [one.content for one in ImportBatch.objects.filter(pk=batch.pk)] == ([None] if state == "applying" else [])
    assert ImportBatch.objects.filter(pk=other.pk).exists()


def test_in_the_sentences_of_an_import_too(people: People) -> None:
    told = [1, "seat_taken", {}, True, "“Ann” is named twice, and so is “Anna”."]
    batch = ImportBatch.objects.create(
        club=people.club,
        source="csv",
        file_name="plays.csv",
        file_sha256="0" * 64,
        state="applied",
        outcome={"problems": [told], "problems_total": 1},
    )
    gone = erase(people, "Ann")
    batch.refresh_from_db()
    assert batch.outcome["problems"][0][-1] == f"“{gone.name}” is named twice, and so is “Anna”."


def test_the_other_names_of_one_person_go_too_and_no_merge_comes_back(people: People) -> None:
    merge(people, "Eva", "Ann")
    eva = player("Eva").pk
    erase(people, "Ann")
    assert Player.objects.get(pk=eva).name == f"Player {eva}"
    with pytest.raises(Conflict) as caught:
        merges.undo(access=people.access(people.admin), source_id=eva, now=NOW)
    assert caught.value.code == "player_erased"


def test_why_a_job_failed_names_nobody_any_more(people: People) -> None:
    job = Job.objects.create(
        club=people.club, kind="pairing", state="failed", error="“Ann” is archived, Annette not.", trace="Ann"
    )
    ann = player("Ann").pk
    erase(people, "Ann")
    job.refresh_from_db()
    assert (job.error, job.trace) == (f"“Player {ann}” is archived, Annette not.", f"Player {ann}")


def test_it_is_asked_first_and_done_once(people: People) -> None:
    ann = player("Ann").pk
    access = people.access(people.admin)
    with pytest.raises(NeedsConfirmation) as asked:
        erasure.erase(access=access, player_id=ann, confirmed=False, now=NOW)
    assert [warning.code for warning in asked.value.warnings] == ["erase"]
    assert Player.objects.get(pk=ann).name == "Ann"
    gone = erase(people, "Ann")
    for change in ({"archived": False}, {"name": "Ann"}):
        with pytest.raises(Conflict) as caught:
            players.update(access=access, player_id=ann, changes=change, now=NOW)
        assert caught.value.code == "player_erased"
    with pytest.raises(Conflict):
        erase(people, gone.name)
    assert refusal(people, gone.name, "Ben") == "player_erased"
    with pytest.raises(InputError):
        record(people, series({gone.name: 1, "Ben": 2}))
    players.create(access=access, name="Ann", now=NOW)  # the name is free for somebody else


def test_a_bot_is_no_person(people: People) -> None:
    players.create(access=people.access(people.admin), name="Robo", kind="bot", bot="random", now=NOW)
    with pytest.raises(Conflict) as caught:
        erase(people, "Robo")
    assert caught.value.code == "not_a_person"


@pytest.mark.django_db(transaction=True)
def test_a_session_recorded_at_the_same_moment_is_lost_to_nobody(people: People) -> None:
    """Whichever is first: no seat stays with the one who is merged, unless the merge was refused."""
    access = people.access(people.admin)
    source, target = player("Eva").pk, player("Ann").pk

    def give() -> object:
        return merges.merge(access=access, source_id=source, target_id=target, now=NOW)

    def play() -> object:
        return record(people, series({"Eva": 1, "Ben": 2}))

    merged, recorded = at_once([give, play])
    assert isinstance(recorded, Session), recorded
    if isinstance(merged, BaseException):
        assert isinstance(merged, Conflict)
        assert merged.code == "changed_meanwhile"
    holder = target if player("Eva").merged_into_id == target else source
    assert set(Seat.objects.exclude(player__name="Ben").values_list("player", flat=True)) == {holder}
    assert set(Standing.objects.exclude(player__name="Ben").values_list("player", flat=True)) == {holder}
