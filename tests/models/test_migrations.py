"""Migrations that change rows: what stood before, and what stands afterwards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from django.apps.registry import Apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games.bots.randomly import RandomBot
from games.catalog import GAMES
from games.core import Playthrough
from games.match import deal_seed, play_out
from games.record import Record
from games.series import Tally
from league.models import BotMatch, Job, JobState
from league.models.tenancy import remove_triggers
from league.services import bot_matches
from tests.people import NOW


@pytest.fixture
def before(transactional_db: None, request: pytest.FixtureRequest) -> Iterator[Apps]:
    """The models as they were at the migration of the test's parameter, with the tables so; afterwards the tables are
    as they are.
    """
    # Without the command's signals: triggers of today know columns that there were not.
    remove_triggers(using="default", plan=[request.param])
    executor = MigrationExecutor(connection)
    executor.migrate([("league", request.param)])
    try:
        yield executor.loader.project_state([("league", request.param)]).apps
    finally:
        call_command("migrate", "league", verbosity=0)


def _played(game: str, seats: int, deals: int, seed: int = 55) -> list[Record]:
    """Deals of a table as they were played and kept then."""
    engine = GAMES[game].engine
    assert engine
    return [
        play_out(engine, [RandomBot()] * seats, deal_seed(seed, deal), engine.series_options(seats, deal))
        for deal in range(deals)
    ]


@dataclass(frozen=True)
class Old:
    """A club of before with its bots."""

    apps: Apps
    club: Any
    players: list[Any]

    def create(self, model: str, **fields: Any) -> Any:
        return self.apps.get_model("league", model).objects.create(club=self.club, **fields)

    def match(self, game: str, deals: int, state: str, records: Sequence[Record] = ()) -> int:
        """A match with its job, its seats, and if it was done its session."""
        running = {"lease_until": NOW} if state == "running" else {}
        job = self.create("Job", kind="bot_match", state=state, done=len(records), total=deals, **running)
        match = self.create(
            "BotMatch",
            job=job,
            session=self.session(game, records) if records else None,
            game=game,
            seed=55,
            deals=deals,
            played_on=NOW.date(),
            records=[record.to_json() for record in records],
        )
        for number, player in enumerate(self.players):
            self.create("BotMatchSeat", bot_match=match, number=number, player=player)
        return int(match.pk)

    def session(self, game: str, records: Sequence[Record]) -> Any:
        day, rounds = NOW.date(), len(records)
        session = self.create("Session", format="series", planned_rounds=rounds, played_on=day, status="complete")
        for number, record in enumerate(records, 1):
            outcome = record.replay().outcome()
            assert outcome
            played = self.create("Round", session=session, number=number, game=game)
            # The rows come in another order than the seats.
            for seat, player in reversed(list(enumerate(self.players))):
                place = outcome.places[seat] if outcome.places else None
                self.create("Score", round=played, player=player, points=outcome.scores[seat], place=place)
        return session


@pytest.mark.parametrize("before", ["0008_tournaments"], indirect=True)
def test_records_of_bot_matches_become_chunks(before: Apps) -> None:
    club = before.get_model("league", "Club").objects.create(name="Herzclub", slug="herzclub")
    players = [
        before.get_model("league", "Player").objects.create(
            club=club, name=name, name_key=name.lower(), kind="bot", bot="random"
        )
        for name in ("Rot", "Blau")
    ]
    six, together = _played("xxl-6", 2, 3), _played("the-game", 2, 1)
    old = Old(before, club, players)
    done, cooperative = old.match("xxl-6", 3, "done", six), old.match("the-game", 1, "done", together)
    waiting, running = old.match("the-game", 4, "queued"), old.match("xxl-1", 1, "running")
    failed = old.match("xxl-1", 2, "failed")

    call_command("migrate", "league", verbosity=0)

    found = {match.pk: match for match in BotMatch.objects.select_related("job")}
    formats = {pk: match.format for pk, match in found.items()}
    assert formats == {
        done: "individual_xxl",
        cooperative: "single_game",
        waiting: "series",
        running: "single_game",
        failed: "individual_xxl",
    }
    for pk, records in ((done, six), (cooperative, together)):
        match = found[pk]
        assert (match.job.state, match.options, match.engine) == (JobState.DONE, {}, "")
        chunk = match.chunks.get()
        assert (chunk.first_deal, chunk.deals, chunk.job) == (0, len(records), None)
        again = [bot_matches.played_back(match, deal) for deal in range(match.deals)]
        assert [Record.of(one) for one in again if isinstance(one, Playthrough)] == records
    outcomes = [outcome for record in six if (outcome := record.replay().outcome()) is not None]
    tally = bot_matches.tally_of(found[done])
    for seat in range(2):
        places = [outcome.places[seat] for outcome in outcomes if outcome.places]
        assert tally.scores[seat] == sum(outcome.scores[seat] for outcome in outcomes)
        assert (tally.places[seat], tally.squares[seat]) == (sum(places), sum(place**2 for place in places))
        assert tally.firsts[seat] == places.count(1)
    assert (tally.deals, tally.ends, tally.results) == (3, {"": 3}, {})
    (outcome,) = [record.replay().outcome() for record in together]
    assert outcome
    assert bot_matches.tally_of(found[cooperative]).results == {str(outcome.scores[0]): 1}
    for pk in (waiting, running):
        match = found[pk]
        assert (match.job.state, match.job.done) == (JobState.QUEUED, 0)
        (part,) = match.job.parts.all()
        assert (part.kind, part.state, part.total, part.chunk.deals) == (
            "bot_chunk",
            "queued",
            match.deals,
            match.deals,
        )
        assert bot_matches.tally_of(match) == Tally.empty(2)
    assert (found[failed].job.state, found[failed].chunks.count()) == (JobState.FAILED, 0)


@pytest.mark.parametrize("before", ["0010_records_in_chunks"], indirect=True)
def test_jobs_take_what_they_were_asked_from_the_audit_trail(before: Apps) -> None:
    club = before.get_model("league", "Club").objects.create(name="Herzclub", slug="herzclub")
    old = Old(before, club, [])
    of_par = {"game": "the-game", "seats": 2, "options": {"minimum": 2, "short_hand": False}, "games": 500}
    plan = {"anew": [1], "tables": [{"table": 1, "kind": "played", "group": 1, "entries": [4, 9]}], "reasons": []}

    def told(action: str, object_id: int, **data: Any) -> None:
        old.create("AuditEvent", at=NOW, action=action, object_id=object_id, data=data)

    def job(kind: str, state: str) -> int:
        return int(old.create("Job", kind=kind, state=state, total=100).pk)

    def cup(job_id: int) -> int:
        fields = {"name": "Cup", "slug": f"cup-{job_id}", "metric": "place_points", "starts_on": NOW.date(), "seed": 1}
        return int(old.create("Tournament", pairing_job_id=job_id, **fields).pk)

    def foreseen(tournament: int, job_id: int) -> None:
        told("tournament.pairing_asked", tournament, job=job_id, mends=2, foresees=True)
        told("tournament.mending_foreseen", tournament, job=job_id, version=7, round=2, planned=plan)

    par, par_before = job("par", "queued"), job("par", "done")
    # What an archive of another installation brought, where a job had that id.
    told("par.requested", par, **of_par | {"games": 100})
    for one in (par, par_before):
        told("par.requested", one, **of_par)
    searching, drawn, shown, shown_before, mending = (
        job("pairing", state) for state in ("queued", "queued", "done", "done", "queued")
    )
    search = cup(searching)
    told("tournament.pairing_asked", search, job=searching)
    told("tournament.pairing_stopped", search, job=searching)
    told("tournament.pairing_asked", cup(drawn), job=drawn, draw=3)
    foreseen(cup(shown), shown)
    mended = cup(mending)
    foreseen(mended, shown_before)
    told("tournament.pairing_asked", mended, job=mending, mends=2, foreseen=shown_before)

    # The version before this one stores jobs when the columns are there, in its own words, which know none of them.
    MigrationExecutor(connection).migrate([("league", "0011_arguments_of_jobs")])
    late = job("par", "queued")
    told("par.requested", late, **of_par)
    call_command("migrate", "league", verbosity=0)

    found = Job.objects.in_bulk()
    assert {pk: one.arguments for pk, one in found.items()} == {
        par: of_par,
        late: of_par,
        par_before: {},
        searching: {"stopped": True},
        drawn: {"draw": 3},
        shown: {"mends": 2, "foresees": True},
        shown_before: {},
        mending: {"mends": 2, "foreseen": shown_before},
    }
    outcome = {"version": 7, "round": 2, "planned": plan}
    assert {pk: one.outcome for pk, one in found.items() if one.outcome} == {shown: outcome, shown_before: outcome}
