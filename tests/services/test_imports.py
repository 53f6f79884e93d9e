"""Imports: previewed, decided on, stored once and together with their marks, and taken back whole."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import timezone

from league.models import (
    AuditEvent,
    ClubGame,
    ImportBatch,
    ImportMark,
    ImportState,
    Job,
    JobState,
    Player,
    Session,
    SessionStatus,
    Standing,
)
from league.services import archives, import_preview, imports, jobs, players, results, seasons
from league.services.access import Access
from league.services.errors import Conflict, Forbidden, InputError, NotFound
from league.services.import_preview import GameDecision, PlayerDecision
from league.services.results import RoundInput, ScoreInput, SeatInput, SessionInput
from tests.exchange.files import bgg_play, bgg_player, bgg_plays, export, game, play, score
from tests.people import NOW, People
from tests.services.given import SEASON, places_of, rows, table

HEAD = "session,date,game,player,points\n"


def as_admin(people: People) -> Access:
    return people.access(people.admin)


def upload(people: People, content: bytes | str, **changes: Any) -> ImportBatch:
    data = content.encode() if isinstance(content, str) else content
    batch = imports.upload(access=as_admin(people), name="plays", content=data, now=NOW)
    return decide(people, batch, **changes) if changes else batch


def decide(people: People, batch: ImportBatch, **changes: Any) -> ImportBatch:
    return imports.decide(access=as_admin(people), batch_id=batch.pk, changes=changes, now=NOW)


def apply(people: People, batch: ImportBatch) -> ImportBatch:
    """Ask for it and carry it out as a worker does."""
    started = imports.apply(access=as_admin(people), batch_id=batch.pk, now=NOW)
    imports.run(job_of(started))
    return ImportBatch.objects.get(pk=batch.pk)


def revert(people: People, batch: ImportBatch) -> ImportBatch:
    started = imports.revert(access=as_admin(people), batch_id=batch.pk, now=NOW)
    imports.run_undo(job_of(started))
    return ImportBatch.objects.get(pk=batch.pk)


def job_of(batch: ImportBatch) -> int:
    assert batch.job_id is not None
    return batch.job_id


def counts(batch: ImportBatch) -> dict[str, int]:
    """The numbers of a preview or an outcome that are not 0."""
    found: dict[str, int] = batch.outcome.get("preview", batch.outcome)["counts"]
    return {fate: number for fate, number in found.items() if number}


def codes(batch: ImportBatch) -> list[tuple[int | None, str]]:
    return [(problem.line, problem.code) for problem in imports.problems_of(batch)]


def evening(name: str, day: str, *, first: str = "Ann", second: str = "Ben", low: int = 0) -> str:
    """A whole Pure XXL of two with one winner, by CSV without a header."""
    lines = []
    for number in range(1, 7):
        lines += [f"{name},{day},{number},xxl-{number},{first},,1", f"{name},{day},{number},xxl-{number},{second},,2"]
    return "\n".join(lines) + "\n"


EVENING_HEAD = "session,date,round,game,player,points,place\n"


def test_an_evening_from_csv_enters_the_season(people: People) -> None:
    file = EVENING_HEAD + evening("A", "2026-10-05") + evening("B", "2026-10-12", first="Ben", second="Ann")
    batch = upload(people, file, season=SEASON)
    assert counts(batch) == {"ready": 2}
    before = rows()
    batch = apply(people, batch)
    assert counts(batch) == {"stored": 2}
    assert (batch.state, batch.content, batch.decisions) == (ImportState.APPLIED, None, {})
    assert rows()["Player"] == before["Player"], "both were matched by their names"
    assert table(people.season) == [(1, "Ann", 2, 3, 1), (1, "Ben", 2, 3, 1)]
    first, _second = Session.objects.order_by("pk")
    assert (first.format, first.status, first.played_on) == ("pure_xxl", SessionStatus.COMPLETE, date(2026, 10, 5))
    assert places_of(first) == {"Ann": (6, 1, ""), "Ben": (12, 2, "")}
    assert first.created_by == people.admin


def test_looking_stores_nothing_but_the_batch(people: People) -> None:
    before = rows()
    upload(people, HEAD + "A,2026-10-05,Skyjo,Zoe,9\nA,2026-10-05,Skyjo,Ann,3\n")
    after = rows()
    assert {name for name in after if after[name] != before[name]} == {"ImportBatch"}


def test_names_are_matched_whatever_their_case_and_suggested_when_alike(people: People) -> None:
    Player.objects.create(club=people.club, name="Björn Öztürk")
    file = HEAD + "".join(f"A,2026-10-05,Straßenbau,{name},0\n" for name in ("ANN", "Bjorn Ozturk", "Zoe"))
    found = {one["name"]: one for one in upload(people, file).outcome["preview"]["players"]}
    assert (found["ANN"]["action"], found["ANN"]["player"]) == ("player", {"id": people.players[0].pk, "name": "Ann"})
    assert found["Zoe"]["action"] == "new"
    assert found["Bjorn Ozturk"]["action"] == "", "a person has to say who it is"
    assert [one["name"] for one in found["Bjorn Ozturk"]["suggestions"]] == ["Björn Öztürk"]


def test_a_first_name_suggests_who_bears_it(people: People) -> None:
    players.create(access=as_admin(people), name="Gus van Houten", now=NOW)
    batch = upload(people, HEAD + "A,2026-10-05,Straßenbau,Gus,0\nA,2026-10-05,Straßenbau,Ann,0\n")
    found = {one["name"]: one for one in batch.outcome["preview"]["players"]}
    assert [one["name"] for one in found["Gus"]["suggestions"]] == ["Gus van Houten"]


def test_what_is_undecided_has_to_be_decided_first(people: People) -> None:
    plays = [
        bgg_play(1, [bgg_player("Annn", score="3", win="1"), bgg_player("Ben", score="1")], game="Skyjo"),
        bgg_play(2, [bgg_player("Cem", score="3"), bgg_player("Ben", score="0")], quantity="3"),
    ]
    batch = upload(people, bgg_plays(plays))
    assert counts(batch) == {"undecided": 2}
    with pytest.raises(InputError) as refused:
        imports.apply(access=as_admin(people), batch_id=batch.pk, now=NOW)
    assert {(one.path, one.code) for one in refused.value.problems} == {
        (("players",), "undecided"),
        (("games",), "undecided"),
        (("repeated",), "undecided"),
    }
    batch = decide(
        people,
        batch,
        players={"Annn": PlayerDecision("player", people.players[0].pk)},
        games={"SKYJO": GameDecision("new", high_wins=False)},
        repeated="once",
    )
    assert counts(batch) == {"ready": 2}
    assert counts(apply(people, batch)) == {"stored": 2}
    own = ClubGame.objects.get()
    assert (own.name, own.high_wins, own.scored_by) == ("Skyjo", False, "points")
    assert Session.objects.count() == 2, "a row that stands for three plays is stored as one"
    assert places_of(Session.objects.get(rounds__game=own.key)) == {"Ann": (2, 2, ""), "Ben": (1, 1, "")}


def test_repeated_plays_may_be_left_out(people: People) -> None:
    plays = [bgg_play(2, [bgg_player("Cem", score="3"), bgg_player("Ben", score="0")], quantity="3")]
    batch = upload(people, bgg_plays(plays), repeated="skip")
    assert counts(apply(people, batch)) == {"skipped": 1}


@pytest.mark.parametrize("name", ["Straßenbau", "MAKING STRAIGHTS", "xxl-4", "XXL 4", "XXL 4 Straßenbau", "4"])
def test_games_are_known_by_their_titles_in_both_languages(people: People, name: str) -> None:
    batch = upload(people, HEAD + f"A,2026-10-05,{name},Ann,0\nA,2026-10-05,{name},Ben,31\n")
    assert [one["game"] for one in batch.outcome["preview"]["games"]] == ["xxl-4"]


def test_the_variant_of_a_game_is_known_as_the_game_it_is(people: People) -> None:
    batch = upload(people, export([play("U", [score(1, "31"), score(2, "0")], board="Ich bestimm die Farbe!")]))
    assert [one["game"] for one in batch.outcome["preview"]["games"]] == ["xxl-6"]


def test_a_clubs_own_game_is_known_by_its_name(people: People) -> None:
    ClubGame.objects.create(club=people.club, key="skyjo", name="Skyjo", high_wins=False)
    ClubGame.objects.create(club=people.other_club, key="uno", name="Uno")
    batch = upload(people, HEAD + "A,2026-10-05,SKYJO,Ann,9\nB,2026-10-05,Uno,Ann,9\n")
    assert {one["name"]: one["game"] for one in batch.outcome["preview"]["games"]} == {"SKYJO": "skyjo", "Uno": None}


def test_a_new_game_of_two_files_is_made_once(people: People) -> None:
    """The second one is looked at before the first one is imported."""
    content = HEAD + "A,2026-10-{day},{name},Ann,9\nA,2026-10-{day},{name},Ben,4\n"
    first = upload(people, content.format(day="05", name="Skyjo"), games={"Skyjo": GameDecision("new", "", False)})
    second = upload(people, content.format(day="06", name="SKYJO"), games={"SKYJO": GameDecision("new", "", False)})
    other = upload(people, content.format(day="07", name="Skyjo"), games={"Skyjo": GameDecision("new", "", True)})
    assert [apply(people, batch).created_games for batch in (first, second, other)] == [["skyjo"], [], ["skyjo-2"]]


def test_a_file_that_says_another_score_wins_is_told(people: People) -> None:
    lists: dict[str, Any] = {"games": [game(1, "Straßenbau", highestWins=False)]}
    batch = upload(people, export([play("U", [score(1, "31"), score(2, "0", winner=True)])], **lists))
    assert codes(batch) == [(None, "direction_differs"), (1, "winner_differs")]
    assert counts(batch) == {"ready": 1}


def test_decisions_name_what_the_file_and_the_club_have(people: People) -> None:
    batch = upload(people, HEAD + "A,2026-10-05,Skyjo,Zoe,9\nA,2026-10-05,Skyjo,Ann,3\n")
    before = ImportBatch.objects.values().get()
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"players": {"Nobody": PlayerDecision("new")}}, "unknown_name"),
        ({"players": {"Zoe": PlayerDecision("player", people.other_players[0].pk)}}, "unknown_player"),
        ({"players": {"Zoe": PlayerDecision("player")}}, "unknown_player"),
        ({"players": {"Zoe": PlayerDecision("eat")}}, "unknown_action"),
        ({"games": {"Uno": GameDecision("skip")}}, "unknown_name"),
        ({"games": {"Skyjo": GameDecision("game", "skyjo")}}, "unknown_game"),
        ({"games": {"Skyjo": GameDecision("eat")}}, "unknown_action"),
        ({"repeated": "always"}, "unknown_choice"),
        ({"duplicates": "maybe"}, "unknown_choice"),
        ({"season": people.other_season.pk}, "unknown_season"),
    ]
    for changes, code in wrong:
        with pytest.raises(InputError) as refused:
            decide(people, batch, **changes)
        assert [one.code for one in refused.value.problems] == [code]
    assert ImportBatch.objects.values().get() == before


def test_a_skipped_player_or_game_takes_its_plays_along(people: People) -> None:
    file = HEAD + "A,2026-10-05,Straßenbau,Zoe,0\nA,2026-10-05,Straßenbau,Ann,0\nB,2026-10-05,The Game,Ann,4\n"
    batch = upload(people, file, players={"Zoe": PlayerDecision("skip")}, games={"The Game": GameDecision("skip")})
    assert counts(apply(people, batch)) == {"skipped": 2}
    assert not Session.objects.exists()
    assert not Player.objects.filter(name="Zoe").exists(), "only who is needed is made"


def test_a_new_player_is_made_and_an_archived_one_comes_back(people: People) -> None:
    players.update(access=as_admin(people), player_id=people.players[0].pk, changes={"archived": True}, now=NOW)
    batch = upload(people, HEAD + "A,2026-10-05,Straßenbau,Zoe,0\nA,2026-10-05,Straßenbau,Ann,0\n")
    batch = apply(people, batch)
    zoe = Player.objects.get(name="Zoe")
    assert batch.created_players == [zoe.pk]
    assert Player.objects.get(pk=people.players[0].pk).archived_at is None


def test_the_same_file_again_stores_nothing_twice(people: People) -> None:
    plays = [play("AB-1", [score(1, "31"), score(2, "0")]), play("AB-2", [score(1, "31"), score(2, "0")])]
    apply(people, upload(people, export(plays)))
    assert Session.objects.count() == 2, "two plays that are alike are two, for their program tells them apart"
    before = rows()
    again = [*plays, play("ab-1", [score(1, "31"), score(2, "0")]), play("AB-3", [score(1, "40"), score(2, "0")])]
    batch = upload(people, export(again))
    assert counts(batch) == {"imported": 2, "ready": 1}
    assert counts(apply(people, batch)) == {"imported": 2, "stored": 1}
    assert rows()["Session"] == before["Session"] + 1


def test_what_was_entered_by_hand_is_a_duplicate(people: People) -> None:
    data = SessionInput(
        format="single_game",
        played_on=date(2026, 10, 6),
        players=(SeatInput("Ben"), SeatInput("Ann")),
        rounds=(RoundInput("xxl-4", (ScoreInput("Ann", 31), ScoreInput("Ben", 0))),),
        status=SessionStatus.COMPLETE,
    )
    results.record(access=as_admin(people), data=data, confirm=(), now=NOW)
    content = export([play("U", [score(1, "31"), score(2, "0")])])  # of the day before: around midnight
    batch = upload(people, content)
    assert (counts(batch), codes(batch)) == ({"duplicate": 1}, [(1, "stored_before")])
    assert counts(apply(people, batch)) == {"duplicate": 1}
    wanted = upload(people, content, duplicates="import")
    assert counts(apply(people, wanted)) == {"stored": 1}
    assert Session.objects.count() == 2


def test_problems_are_told_by_line_and_the_others_are_stored(people: People) -> None:
    file = (
        HEAD
        + "A,2026-10-05,Straßenbau,Ann,31\nA,2026-10-05,Straßenbau,Ben,0\n"
        + "B,2026-10-05,Straßenbau,Ann,31\n"  # alone
        + "C,2026-12-24,Straßenbau,Ann,31\nC,2026-12-24,Straßenbau,Ben,0\n"  # in the future
        + "D,2026-10-05,Straßenbau,Ann,many\n"
        + "E,2026-10-05,Straßenbau,Ann,31\nE,2026-10-05,The Game,Ann,0\n"  # two games that have no format
    )
    batch = upload(people, file)
    told = [(4, "players_out_of_range"), (5, "in_the_future"), (7, "score_not_read"), (8, "other_games")]
    assert (counts(batch), codes(batch)) == ({"ready": 1, "problem": 4}, told)
    done = apply(people, batch)
    assert (counts(done), codes(done)) == ({"stored": 1, "problem": 4}, told)
    assert all(problem.message for problem in imports.problems_of(done))


def test_a_season_says_which_days_it_takes(people: People) -> None:
    batch = upload(people, HEAD + "A,2026-08-05,Straßenbau,Ann,31\nA,2026-08-05,Straßenbau,Ben,0\n", season=SEASON)
    assert codes(batch) == [(2, "outside_season")]
    assert counts(decide(people, batch, season=None)) == {"ready": 1}


def test_a_closed_season_takes_nothing(people: People) -> None:
    batch = upload(people, HEAD + "A,2026-10-05,Straßenbau,Ann,31\nA,2026-10-05,Straßenbau,Ben,0\n", season=SEASON)
    seasons.update_season(access=as_admin(people), season_id=people.season.pk, changes={"status": "closed"}, now=NOW)
    with pytest.raises(Conflict):
        imports.apply(access=as_admin(people), batch_id=batch.pk, now=NOW)
    assert not Job.objects.exists()


def test_who_misses_a_round_misses_it(people: People) -> None:
    """Cem comes for rounds 2 and 4; the file has rows for them alone."""
    lines = []
    for number in range(1, 5):
        names = ["Ann", "Ben", *(["Cem"] if number in {2, 4} else [])]
        lines += [f"A,2026-10-05,{number},xxl-4,{name},{0 if at else 31}," for at, name in enumerate(names)]
    apply(people, upload(people, EVENING_HEAD + "\n".join(lines) + "\n"))
    session = Session.objects.get()
    spans = session.seats.filter(player__name="Cem").values_list("from_round", "until_round")
    assert (session.format, sorted(spans)) == ("individual_xxl", [(2, 2), (4, None)])


def test_sessions_of_one_day_are_stored_in_their_order(people: People) -> None:
    """BoardGameGeek lists the newest first."""
    plays = [
        bgg_play(number, [bgg_player("Ann", score=str(31 + number)), bgg_player("Ben", score="0")])
        for number in (3, 2, 1)
    ]
    apply(people, upload(people, bgg_plays(plays)))
    marks = ImportMark.objects.order_by("session_id").values_list("external_id", flat=True)
    assert list(marks) == ["1", "2", "3"]


def test_a_worker_that_dies_anywhere_leaves_nothing_twice_or_half(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It dies at the third chunk, as a killed process does: its transaction is gone, its job is not given back."""
    monkeypatch.setattr(imports, "_CHUNK", 2)
    file = HEAD + "".join(
        f"{number},2026-10-{number:02},Skyjo,{name},{number}\n" for number in range(1, 8) for name in ("Ann", "Zoe")
    )
    batch = upload(people, file, games={"Skyjo": GameDecision("new", high_wins=True)})
    batch = imports.apply(access=as_admin(people), batch_id=batch.pk, now=NOW)
    calls: list[int] = []
    record_all = results.record_all

    class Killed(BaseException):
        pass

    def dying(**given: Any) -> Any:
        calls.append(1)
        stored = record_all(**given)
        if len(calls) == 3:
            raise Killed
        return stored

    monkeypatch.setattr(results, "record_all", dying)
    with pytest.raises(Killed):
        imports.run(job_of(batch))
    job = Job.objects.get(pk=job_of(batch))
    assert (job.state, Session.objects.count(), ImportMark.objects.count()) == (JobState.RUNNING, 4, 4)
    imports.run(job_of(batch))
    assert Session.objects.count() == 4, "somebody else holds the job"
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    imports.run(job_of(batch))
    assert Session.objects.count() == ImportMark.objects.count() == 7
    batch.refresh_from_db()
    job.refresh_from_db()
    assert (batch.state, counts(batch), job.state, job.done, job.total) == (
        ImportState.APPLIED,
        {"stored": 7},
        JobState.DONE,
        7,
        7,
    )
    assert (ClubGame.objects.count(), Player.objects.filter(name="Zoe").count()) == (1, 1)


def test_who_lost_the_job_writes_nothing_more(people: People) -> None:
    batch = upload(people, HEAD + "A,2026-10-05,Straßenbau,Ann,31\nA,2026-10-05,Straßenbau,Ben,0\n")
    batch = imports.apply(access=as_admin(people), batch_id=batch.pk, now=NOW)
    late = jobs.claim(job_id=job_of(batch), now=NOW)
    assert late is not None
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    imports.run(job_of(batch))
    before = rows()
    loaded = ImportBatch.objects.select_related("club", "season", "job").get()
    loaded.content = b"date,game,player,points\n2026-10-05,xxl-4,Ann,1\n2026-10-05,xxl-4,Ben,1\n"
    with pytest.raises(jobs.LostClaim):
        imports._store(late, loaded, lambda done, total: None)
    assert rows() == before


def test_progress_is_reported(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "_CHUNK", 2)
    file = HEAD + "".join(
        f"{number},2026-10-{number:02},Straßenbau,{name},{number * 31}\n"
        for number in (1, 2, 3)
        for name in ("Ann", "Ben")
    )
    batch = imports.apply(access=as_admin(people), batch_id=upload(people, file).pk, now=NOW)
    said: list[tuple[int, int]] = []
    assert imports.carry_out(job_of(batch), lambda done, total: said.append((done, total)))
    assert said == [(2, 3), (3, 3)]


def test_a_batch_is_taken_back_whole_and_can_come_again(people: People) -> None:
    file = HEAD + (
        "A,2026-10-05,Skyjo,Zoe,9\nA,2026-10-05,Skyjo,Ann,3\n"
        "B,2026-10-12,Straßenbau,Ann,31\nB,2026-10-12,Straßenbau,Ben,0\n"
    )
    decisions: dict[str, Any] = {"games": {"Skyjo": GameDecision("new", high_wins=False)}, "season": SEASON}
    batch = apply(people, upload(people, file, **decisions))
    assert len(table(people.season)) == 3
    batch = revert(people, batch)
    assert (batch.state, batch.outcome["kept"]) == (ImportState.REVERTED, 0)
    assert not ImportMark.objects.exists()
    assert not Session.objects.filter(voided_at=None).exists()
    assert not Standing.objects.exists()
    assert Player.objects.get(name="Zoe").archived_at is not None, "she sits in a void session that can be read"
    assert ClubGame.objects.get().archived_at is not None
    assert Player.objects.get(pk=people.players[0].pk).archived_at is None
    with pytest.raises(Conflict):
        imports.revert(access=as_admin(people), batch_id=batch.pk, now=NOW)

    again = upload(people, file, **decisions)
    assert counts(again) == {"ready": 2}
    assert counts(apply(people, again)) == {"stored": 2}
    assert len(table(people.season)) == 3


def test_an_import_that_failed_half_way_is_taken_back_too(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "_CHUNK", 1)
    file = HEAD + "".join(
        f"{number},2026-10-{number:02},Straßenbau,{name},{number * 31}\n"
        for number in (1, 2, 3)
        for name in ("Ann", "Ben")
    )
    batch = upload(people, file)
    batch = imports.apply(access=as_admin(people), batch_id=batch.pk, now=NOW)
    with pytest.raises(Conflict):
        imports.revert(access=as_admin(people), batch_id=batch.pk, now=NOW)
    record_all = results.record_all
    calls: list[int] = []

    def failing(**given: Any) -> Any:
        calls.append(1)
        if len(calls) > 1:
            raise RuntimeError("a fault of ours")
        return record_all(**given)

    monkeypatch.setattr(results, "record_all", failing)
    for _attempt in range(jobs.MAXIMUM_ATTEMPTS):
        imports.run(job_of(batch))
    assert Job.objects.get(pk=job_of(batch)).state == JobState.FAILED
    assert Session.objects.filter(voided_at=None).count() == 1
    batch = revert(people, batch)
    assert (batch.state, batch.content) == (ImportState.REVERTED, None)
    assert not Session.objects.filter(voided_at=None).exists()


def test_taking_back_keeps_what_a_closed_season_holds(people: People) -> None:
    file = HEAD + "A,2026-10-05,Straßenbau,Zoe,31\nA,2026-10-05,Straßenbau,Ben,0\n"
    batch = apply(people, upload(people, file, season=SEASON))
    change: dict[str, Any] = {"access": as_admin(people), "season_id": people.season.pk, "now": NOW}
    seasons.update_season(changes={"status": "closed"}, **change)
    batch = revert(people, batch)
    assert (batch.state, batch.outcome["kept"]) == (ImportState.APPLIED, 1)
    assert "closed" in batch.outcome["kept_because"][0]
    seasons.update_season(changes={"status": "open"}, **change)
    assert revert(people, batch).state == ImportState.REVERTED


def test_taking_back_goes_on_after_a_worker_died(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "_UNDO_CHUNK", 1)
    file = HEAD + "".join(
        f"{number},2026-10-{number:02},Straßenbau,{name},{number * 31}\n"
        for number in (1, 2, 3)
        for name in ("Ann", "Ben")
    )
    batch = apply(people, upload(people, file))
    batch = imports.revert(access=as_admin(people), batch_id=batch.pk, now=NOW)
    done: list[int] = []

    def dying(so_far: int, total: int) -> None:
        done.append(so_far)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        imports.carry_out(job_of(batch), dying)
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    imports.run_undo(job_of(batch))
    assert not Session.objects.filter(voided_at=None).exists()
    assert not ImportMark.objects.exists()
    assert AuditEvent.objects.filter(action="session.voided").count() == 3


def test_a_preview_can_be_dropped_and_an_old_one_goes_by_itself(people: People) -> None:
    file = HEAD + "A,2026-10-05,Straßenbau,Ann,31\nA,2026-10-05,Straßenbau,Ben,0\n"
    batch = upload(people, file)
    imports.discard(access=as_admin(people), batch_id=batch.pk)
    assert not ImportBatch.objects.exists()
    old = upload(people, file)
    ImportBatch.objects.update(created_at=NOW - timedelta(days=8))
    new = upload(people, file)
    assert list(ImportBatch.objects.all()) == [new] != [old]
    done = apply(people, new)
    for refused in (imports.discard, lambda **given: imports.decide(changes={}, now=NOW, **given)):
        with pytest.raises(Conflict):
            refused(access=as_admin(people), batch_id=done.pk)


def test_who_may(people: People) -> None:
    file = (HEAD + "A,2026-10-05,Straßenbau,Ann,31\nA,2026-10-05,Straßenbau,Ben,0\n").encode()
    batch = upload(people, file)
    for user in (people.scorekeeper, people.member):
        access = people.access(user)
        for call in (
            lambda given: imports.upload(access=given, name="x", content=file, now=NOW),
            lambda given: imports.decide(access=given, batch_id=batch.pk, changes={}, now=NOW),
            lambda given: imports.apply(access=given, batch_id=batch.pk, now=NOW),
            lambda given: imports.revert(access=given, batch_id=batch.pk, now=NOW),
            lambda given: imports.discard(access=given, batch_id=batch.pk),
        ):
            with pytest.raises(Forbidden):
                call(access)
    stranger = people.access(people.stranger)
    for call in (
        lambda given: imports.apply(access=given, batch_id=batch.pk, now=NOW),
        lambda given: imports.discard(access=given, batch_id=batch.pk),
    ):
        with pytest.raises(NotFound):
            call(stranger)


def test_marks_are_a_clubs_own(people: People) -> None:
    content = export([play("AB-1", [score(1, "31"), score(2, "0")])])
    apply(people, upload(people, content))
    other = imports.upload(access=people.access(people.stranger), name="x", content=content, now=NOW)
    assert counts(other) == {"ready": 1}


def test_a_file_of_nothing_is_refused(people: People) -> None:
    with pytest.raises(InputError) as refused:
        upload(people, b"hello")
    assert [(one.path, one.code) for one in refused.value.problems] == [(("file",), "unknown_format")]
    assert not ImportBatch.objects.exists()


def test_sessions_of_an_archive_come_into_a_club_that_stands(people: People) -> None:
    """The Herzclub's archive into the Pikclub, whose players bear the same names."""
    ClubGame.objects.create(club=people.club, key="skyjo", name="Skyjo", high_wins=False)
    file = EVENING_HEAD + evening("A", "2026-10-05") + "B,2026-10-12,,Skyjo,Zoe,9,\nB,2026-10-12,,Skyjo,Ann,3,\n"
    apply(people, upload(people, file, season=SEASON))
    with archives.export_club(access=people.access(people.owner), now=NOW) as archive:
        content = archive.read()
    access = people.access(people.stranger)
    batch = imports.upload(access=access, name="a.zip", content=content, now=NOW)
    assert batch.source == "archive"
    decisions = {"Skyjo": GameDecision("new")}
    batch = imports.decide(access=access, batch_id=batch.pk, changes={"games": decisions, "season": SEASON}, now=NOW)
    assert counts(batch) == {"ready": 2}
    batch = imports.apply(access=access, batch_id=batch.pk, now=NOW)
    imports.run(job_of(batch))
    assert table(people.other_season) == table(people.season)
    assert [one.name for one in ClubGame.objects.filter(club=people.other_club)] == ["Skyjo"]
    again = imports.upload(access=access, name="a.zip", content=content, now=NOW)
    assert counts(again) == {"imported": 2}
    with pytest.raises(InputError) as refused:
        imports.upload(access=access, name="a.zip", content=content[: len(content) // 2], now=NOW)
    assert refused.value.problems[0].code == "spreadsheet"


def test_every_fate_is_told_of_once(people: People) -> None:
    batch = upload(people, HEAD + "A,2026-10-05,Straßenbau,Ann,31\nA,2026-10-05,Straßenbau,Ben,0\n")
    assert set(batch.outcome["preview"]["counts"]) == set(import_preview.FATES)


def test_the_database_holds_a_mark_once(people: People) -> None:
    batch = apply(people, upload(people, export([play("AB-1", [score(1, "31"), score(2, "0")])])))
    mark = ImportMark.objects.get()
    with pytest.raises(IntegrityError):
        ImportMark.objects.create(
            club=people.club, batch=batch, source="bg_stats", external_id="ab-1", session_id=mark.session_id
        )
