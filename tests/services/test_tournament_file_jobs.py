"""Large report files are jobs: what a job makes of one is what is made of a small one, once or not at all."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.utils import timezone, translation

from league.models import (
    AuditEvent,
    Job,
    JobState,
    Player,
    Role,
    Scope,
    Session,
    Tournament,
    TournamentFile,
)
from league.services import access as accesses
from league.services import erasure, jobs, players, tokens, tournament_file_jobs, tournament_files
from league.services.access import Access
from league.services.errors import Conflict, Forbidden, InputError, NeedsConfirmation, NotFound
from league.services.tournament_files import Imported
from tests.people import NOW, People
from tests.services.test_tournament_files import FILE, exported, given, line, text_of, told, with_line
from tests.services.threads import at_once

pytestmark = pytest.mark.django_db

TEXT = text_of(FILE)
# Ann has 1.5 points by the results.
ODD = text_of(with_line(6, line(1, "Ann", "9.0", "   4 w 1", "   2 b =")))


@pytest.fixture(autouse=True)
def _large(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Five players and their four tables are many; jobs look at the clock themselves."""
    monkeypatch.setattr(tournament_file_jobs, "AT_ONCE", 8)
    with time_machine.travel(NOW):
        yield


@pytest.fixture
def access(people: People) -> Access:
    return people.access(people.scorekeeper)


def taken(access: Access, text: str = TEXT, *, looks: bool = False, **values: Any) -> TournamentFile:
    found = tournament_file_jobs.take(access=access, data=given(text, **values), looks=looks, now=NOW)
    assert isinstance(found, TournamentFile)
    return found


def worked(file: TournamentFile) -> TournamentFile:
    """The file after a worker was at it."""
    tournament_file_jobs.take_file(file.job_id)
    return TournamentFile.objects.select_related("job", "tournament", "club").get(pk=file.pk)


def over(access: Access, file: TournamentFile) -> dict[str, Any]:
    return {"access": access, "file_id": file.pk, "now": NOW}


class Killed(BaseException):
    """The worker is gone in the middle of its work."""


def test_a_job_makes_what_is_made_at_once_of_a_small_file(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two clubs of the same players; ties are broken by the same lots."""
    monkeypatch.setattr("league.services.tournaments.secrets.randbelow", lambda _below: 7)
    there = people.access(people.stranger)
    file = taken(there)
    assert not Tournament.objects.exists()
    made = worked(file).tournament
    assert made is not None
    by_job = [*AuditEvent.objects.filter(club=there.club).order_by("pk").values_list("action", flat=True)]
    monkeypatch.setattr(tournament_file_jobs, "AT_ONCE", 9)
    here = people.access(people.scorekeeper)
    small = tournament_file_jobs.take(access=here, data=given(TEXT), looks=False, now=NOW)
    assert isinstance(small, Imported)
    at_hand = [*AuditEvent.objects.filter(club=here.club).order_by("pk").values_list("action", flat=True)]
    assert by_job == ["tournament_file.asked", *at_hand]
    assert (exported(made), told(made)) == (exported(small.tournament), told(small.tournament))
    rows = ("name", "slug", "status", "starts_on", "location", "visibility", "scores", "game", "version")
    assert Tournament.objects.filter(pk=made.pk).values(*rows).get() == (
        Tournament.objects.filter(pk=small.tournament.pk).values(*rows).get()
    )
    for one in (made, small.tournament):
        assert Session.objects.filter(table__round__tournament=one).count() == 4


@pytest.mark.one_database
def test_it_tells_the_same_and_drops_the_text(access: Access, people: People) -> None:
    file = worked(taken(access))
    assert (file.job.state, file.job.done, file.job.error, file.text) == (JobState.DONE, file.job.total, "", "")
    found = tournament_file_jobs.imported(file)
    assert found is not None
    assert found.tournament == Tournament.objects.get()
    assert {name: player.name for name, player in found.matched.items()} == {
        name: name.title() for name in ("Ann", "Cem", "ben", "Finn")
    }
    assert (found.guests, found.withdrawn) == (("Zoe Zorn",), ("Finn",))
    assert (found.format, found.rounds, found.planned, found.tables, found.byes, found.forfeits) == (
        *("swiss", 2, 3),
        *(4, 1, 0),
    )
    # Whoever asked made it.
    events = AuditEvent.objects.filter(club=people.club, action__startswith="tournament")
    assert set(events.values_list("user", flat=True)) == {people.scorekeeper.pk}
    with pytest.raises(Conflict) as refused:
        tournament_file_jobs.take_over(**over(access, file))
    assert refused.value.code == "file_taken"
    # A bell that rings twice changes nothing.
    worked(file)
    assert Tournament.objects.count() == 1


@pytest.mark.one_database
def test_a_look_stores_nothing_but_what_would_come_of_it(access: Access) -> None:
    before = Player.objects.count()
    file = worked(taken(access, looks=True))
    found = tournament_file_jobs.imported(file)
    assert found is not None
    assert (found.tournament.name, found.tournament.slug) == ("City Open", "city-open")
    assert (found.guests, found.rounds, found.tables) == (("Zoe Zorn",), 2, 4)
    assert (Tournament.objects.count(), Session.objects.count(), Player.objects.count()) == (0, 0, before)
    assert [one.pk for one in tournament_file_jobs.to_come_back_to(access.club)] == [file.pk]
    # The file is still there: it is not given once more.
    again = worked(tournament_file_jobs.take_over(**over(access, file)))
    assert (again.pk, again.job.state) == (file.pk, JobState.DONE)
    assert again.job_id != file.job_id
    assert again.tournament == Tournament.objects.get()
    assert not tournament_file_jobs.to_come_back_to(access.club).exists()


@pytest.mark.one_database
def test_what_can_be_told_at_once_is_no_job(access: Access, people: People) -> None:
    wrong = text_of(with_line(6, line(1, "Ann", "1.5", "   4 w 1", "   2 b 7")))
    with pytest.raises(InputError) as refused:
        taken(access, wrong)
    assert [one.path for one in refused.value.problems] == [("text", 6, "result")]
    with pytest.raises(InputError) as refused:
        taken(access, game="canasta")
    assert [(one.path, one.code) for one in refused.value.problems] == [(("game",), "unknown_game")]
    with pytest.raises(InputError):
        taken(access, confirm=["anything"])
    worked(taken(access, slug="taken"))
    with pytest.raises(Conflict) as conflict:
        taken(access, slug="taken")
    assert conflict.value.code == "slug_taken"
    with pytest.raises(Forbidden):
        taken(people.access(people.member))
    assert Job.objects.count() == 1


def test_a_worker_that_dies_at_the_end_is_followed_by_another(access: Access, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Player.objects.count()
    file = taken(access)
    real = tournament_files.import_trf

    def dies(**values: Any) -> Any:
        real(**values)
        raise Killed

    with monkeypatch.context() as here:
        here.setattr(tournament_files, "import_trf", dies)
        with pytest.raises(Killed):
            worked(file)
    assert (Tournament.objects.count(), Player.objects.count()) == (0, before)
    # Its lease holds: nobody else works on it yet.
    worked(file)
    assert not Tournament.objects.exists()
    Job.objects.filter(pk=file.job_id).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert worked(file).tournament == Tournament.objects.get()
    assert Player.objects.count() == before + 1


@pytest.mark.one_database
def test_a_worker_that_was_slow_stores_nothing(access: Access, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it reads its lease runs out, and another one does the work."""
    file = taken(access)
    real = tournament_files.check

    def slowly(**values: Any) -> Any:
        monkeypatch.setattr(tournament_files, "check", real)
        Job.objects.filter(pk=file.job_id).update(lease_until=timezone.now() - timedelta(seconds=1))
        worked(file)
        return real(**values)

    monkeypatch.setattr(tournament_files, "check", slowly)
    found = worked(file)
    assert (found.job.state, found.job.attempt) == (JobState.DONE, 2)
    assert found.tournament == Tournament.objects.get()


@pytest.mark.one_database
def test_progress_says_that_the_file_was_read(access: Access, monkeypatch: pytest.MonkeyPatch) -> None:
    file = taken(access)
    seen: list[tuple[int, int]] = []
    real = jobs.Claim.progress

    def listens(self: jobs.Claim, **values: Any) -> None:
        real(self, **values)
        job = Job.objects.get(pk=file.job_id)
        seen.append((job.done, job.total))

    monkeypatch.setattr(jobs.Claim, "progress", listens)
    assert worked(file).job.done == tournament_file_jobs.STEPS
    assert seen == [(1, tournament_file_jobs.STEPS)]


def test_who_cancels_has_nothing_stored(access: Access, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it waits and while the file is read; the file is still there to be taken over after all."""
    before = Player.objects.count()
    file = taken(access)
    assert tournament_file_jobs.cancel(**over(access, file)).job.state == JobState.CANCELLED
    assert worked(file).job.state == JobState.CANCELLED
    again = tournament_file_jobs.take_over(**over(access, file))
    real = tournament_files.check

    def cancels(**values: Any) -> Any:
        tournament_file_jobs.cancel(**over(access, file))
        return real(**values)

    with monkeypatch.context() as here:
        here.setattr(tournament_files, "check", cancels)
        assert worked(again).job.state == JobState.CANCELLED
    assert (Tournament.objects.count(), Player.objects.count()) == (0, before)
    third = worked(tournament_file_jobs.take_over(**over(access, file)))
    assert third.tournament == Tournament.objects.get()
    with pytest.raises(Conflict) as refused:
        tournament_file_jobs.cancel(**over(access, file))
    assert refused.value.code == "job_over"


@pytest.mark.one_database
def test_what_is_wrong_by_then_is_told_by_line(access: Access) -> None:
    """Ann and Cem are archived while the file waits; by somebody whose pages are German."""
    with translation.override("de"):
        file = taken(access)
    for name in ("Ann", "Cem"):
        pk = Player.objects.get(club=access.club, name=name).pk
        players.update(access=access, player_id=pk, changes={"archived": True}, now=NOW)
    failed = worked(file)
    assert failed.job.state == JobState.FAILED
    found = tournament_file_jobs.problems_of(failed)
    assert [(one.path, one.code) for one in found] == [
        (("text", 6, "name"), "player_archived"),
        (("text", 8, "name"), "player_archived"),
    ]
    assert "Ann" in found[0].message
    assert "archiviert" in found[0].message
    # The error of a job is kept for good, and so names nobody.
    assert failed.job.error
    assert not any(name in failed.job.error for name in ("Ann", "Cem"))
    assert tournament_file_jobs.imported(failed) is None
    assert not Tournament.objects.exists()
    for name in ("Ann", "Cem"):
        pk = Player.objects.get(club=access.club, name=name).pk
        players.update(access=access, player_id=pk, changes={"archived": False}, now=NOW)
    seen = worked(tournament_file_jobs.look_again(**over(access, file)))
    assert tournament_file_jobs.imported(seen) is not None
    assert not Tournament.objects.exists()


@pytest.mark.one_database
def test_odd_points_have_to_be_confirmed(access: Access) -> None:
    file = worked(taken(access, ODD))
    assert file.job.state == JobState.FAILED
    assert [(one.path, one.code) for one in tournament_file_jobs.warnings_of(file)] == [
        (("text", 6, "points"), "points_differ")
    ]
    assert not Tournament.objects.exists()
    seen = worked(tournament_file_jobs.look_again(**over(access, file)))
    for one in (file, seen):
        with pytest.raises(NeedsConfirmation):
            tournament_file_jobs.take_over(**over(access, one))
    with pytest.raises(InputError):
        tournament_file_jobs.take_over(**over(access, file), confirm=["anything"])
    made = worked(tournament_file_jobs.take_over(**over(access, file), confirm=["points_differ"]))
    assert made.tournament == Tournament.objects.get()
    assert [one.code for one in tournament_file_jobs.warnings_of(made)] == ["points_differ"]
    assert worked(taken(access, ODD, confirm=["points_differ"])).tournament is not None


@pytest.mark.one_database
def test_of_two_organisers_one_takes_a_file_over(people: People, access: Access) -> None:
    """What one has looked at the other finds, and may take over or cancel; nobody of another club does."""
    file = worked(taken(access, looks=True))
    other = people.access(people.admin)
    assert tournament_file_jobs.find(access=other, file_id=file.pk) == file
    again = tournament_file_jobs.take_over(**over(other, file))
    for act in (tournament_file_jobs.take_over, tournament_file_jobs.look_again):
        with pytest.raises(Conflict) as refused:
            act(**over(access, file))
        assert refused.value.code == "file_at_work"
    for act in (tournament_file_jobs.take_over, tournament_file_jobs.look_again, tournament_file_jobs.cancel):
        with pytest.raises(NotFound):
            act(**over(people.access(people.stranger), file))
        with pytest.raises(Forbidden):
            act(**over(people.access(people.member), file))
    assert worked(again).tournament == Tournament.objects.get(created_by=people.admin)
    with pytest.raises(Conflict) as refused:
        tournament_file_jobs.take_over(**over(access, file))
    assert refused.value.code == "file_taken"


@pytest.mark.two_writers
@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_takes_a_file_over(access: Access) -> None:
    file = worked(taken(access, looks=True))
    done = at_once([partial(tournament_file_jobs.take_over, **over(access, file)) for _number in range(2)])
    (refused,) = (one for one in done if isinstance(one, BaseException))
    assert isinstance(refused, Conflict)
    assert refused.code == "file_at_work"
    assert Job.objects.filter(kind="tournament_file").count() == 2


@pytest.mark.one_database
def test_so_many_files_of_a_club_may_be_under_way(
    people: People, access: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_file_jobs, "OPEN_FILES", 2)
    first, second = taken(access), taken(access, looks=True)
    with pytest.raises(Conflict) as refused:
        taken(access)
    assert refused.value.code == "too_many_files"
    taken(people.access(people.stranger))
    looked = worked(second)
    taken(access)
    for act in (tournament_file_jobs.take_over, tournament_file_jobs.look_again):
        with pytest.raises(Conflict) as refused:
            act(**over(access, looked))
        assert refused.value.code == "too_many_files"
    worked(first)
    tournament_file_jobs.take_over(**over(access, looked))


@pytest.mark.one_database
def test_files_go_some_days_after_their_job(access: Access) -> None:
    made, looked, waits = worked(taken(access)), worked(taken(access, looks=True)), taken(access)
    assert tournament_file_jobs.sweep(now=NOW + timedelta(days=6)) == 0
    assert tournament_file_jobs.sweep(now=NOW + timedelta(days=8)) == 2
    assert [*TournamentFile.objects.values_list("pk", flat=True)] == [waits.pk]
    for one in (made, looked):
        with pytest.raises(NotFound):
            tournament_file_jobs.find(access=access, file_id=one.pk)
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize(
    ("called", "stands"),
    [
        ("Zoe Zorn", "Zoe Zorn"),
        ("Zoe Zorn", "Zorn, Zoe"),
        ("Zoe Zorn", "ZOE  ZORN"),
        ("Zoe Maximiliane Wilhelmine von und zu Zorn", "Zoe Maximiliane Wilhelmine von un"),
        ("Z", "Z"),
        # What is not seen tells no names apart, and a name may be of signs alone.
        ("Zo\u00ade Zorn", "Zoe Zorn"),
        ("♥ ♦", "♥ ♦"),
    ],
)
@pytest.mark.one_database  # the database has no part in how names are told
def test_who_is_erased_stands_in_no_file(people: People, access: Access, called: str, stands: str) -> None:
    """In the text of one that waits, in what was told of one that was looked at or became a tournament; a file
    that names others stays.
    """
    player = players.create(access=access, name=called, now=NOW)
    text = TEXT.replace(f"{'Zoe Zorn':<33}", f"{stands:<33}")
    others = text.replace(f"{stands:<33}", f"{'Gus Groß':<33}")
    waits, looked, made = taken(access, text), worked(taken(access, text, looks=True)), worked(taken(access, text))
    stays = taken(access, others)
    assert made.tournament is not None
    erasure.erase(access=people.access(people.admin), player_id=player.pk, confirmed=True, now=NOW)
    assert [*TournamentFile.objects.values_list("pk", flat=True)] == [stays.pk]
    assert Job.objects.get(pk=waits.job_id).state == JobState.CANCELLED
    for one in (waits, looked):
        tournament_file_jobs.take_file(one.job_id)
    assert Tournament.objects.get() == made.tournament
    assert not Player.objects.filter(name__in=[called, stands]).exists()
    assert worked(stays).tournament is not None


@pytest.mark.one_database
def test_who_is_meant_by_another_name_is_erased_too(people: People, access: Access) -> None:
    looked = worked(taken(access, looks=True))
    ann = Player.objects.get(club=access.club, name="Ann")
    players.update(access=access, player_id=ann.pk, changes={"name": "Ute"}, now=NOW)
    erasure.erase(access=people.access(people.admin), player_id=ann.pk, confirmed=True, now=NOW)
    assert not TournamentFile.objects.filter(pk=looked.pk).exists()


@pytest.mark.one_database
def test_what_a_token_asked_is_its_tournament(people: People) -> None:
    owner = people.access(people.owner)
    token, _raw = tokens.create(access=owner, name="app", scope=Scope.RESULTS_WRITE, expires_at=None, now=NOW)
    access = accesses.of_token(token=token, club_slug="herzclub")
    assert access.may(Role.SCOREKEEPER)
    worked(taken(access))
    event = AuditEvent.objects.get(action="tournament.imported")
    assert (event.token_id, event.user_id) == (token.pk, access.actor.user_id)


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_one_stores(access: Access) -> None:
    file = taken(access)
    # A bell without a broker may have rung already; whoever comes first has it.
    assert at_once([partial(tournament_file_jobs.take_file, file.job_id)] * 3) == [None] * 3
    assert TournamentFile.objects.get().tournament == Tournament.objects.get()


@pytest.mark.django_db(transaction=True)
def test_two_files_of_one_name_become_two_tournaments_at_once(access: Access) -> None:
    """Each finds the short name free and the guest new to the club; who is second looks once more."""
    files = [taken(access) for _time in range(2)]
    assert at_once([partial(tournament_file_jobs.take_file, one.job_id) for one in files]) == [None] * 2
    assert sorted(Tournament.objects.values_list("slug", flat=True)) == ["city-open", "city-open-2"]
    assert {one.job.state for one in TournamentFile.objects.select_related("job")} == {JobState.DONE}
    assert Player.objects.filter(club=access.club, name="Zoe Zorn").count() == 1
