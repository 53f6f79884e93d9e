"""What a large tournament costs to read: 1,000 players after nine rounds of the Swiss system for two.

    .venv-test/bin/python -m benchmarks.tournaments                 on SQLite and on PostgreSQL
    .venv-test/bin/python -m benchmarks.tournaments sqlite --players 200

The rounds are stored as the services store them, with chance results. Printed are the medians of CPU time of reading
the tournament whole, of ranking it with five tie-breaks, and of each page and API answer asked for by a member through
all of the product's middleware, the first time after a change and then again.
"""

import argparse
import sys
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from random import Random
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.databases import on_each, timed

if TYPE_CHECKING:
    from django.test import Client

ROUNDS = 9
NOW = datetime(2026, 11, 30, 18, 0, tzinfo=UTC)
TIMES = 7


def fill(players: int) -> int:
    """A club with the tournament, all of it played but the last round; its id."""
    from league.models import Club, Member, Player, Role, Tournament, User, name_key
    from league.services import access as accesses
    from league.services import tournament_entries, tournament_rounds, tournaments
    from league.services.tournament_entries import EntryInput
    from league.services.tournament_formats import StageInput

    user = User.objects.create_user("bench", password="bench-password-1")  # noqa: S106  # nosec B106
    club = Club.objects.create(name="Bench", slug="bench")
    Member.objects.create(club=club, user=user, role=Role.OWNER)
    names = [f"Player {number:04}" for number in range(players)]
    Player.objects.bulk_create(Player(club=club, name=name, name_key=name_key(name)) for name in names)
    access = accesses.of_user(user=user, club_slug="bench")
    fields = {
        "name": "Bench Open",
        "slug": "open",
        "starts_on": date(2026, 11, 1),
        "session_format": "series",
        "game": "xxl-6-plus",
        "seed": 1,
    }
    made = tournaments.create(access=access, fields=fields, stages=[StageInput("swiss", {"rounds": ROUNDS})], now=NOW)
    entries = [EntryInput(player=pk) for pk in Player.objects.order_by("pk").values_list("pk", flat=True)]
    tournament_entries.enter(access=access, tournament_id=made.pk, entries=entries, now=NOW)
    tournament_rounds.start(access=access, tournament_id=made.pk, now=NOW)
    chance = Random(1)
    for number in range(1, ROUNDS + 1):
        _pair(access, made.pk)
        tournament_rounds.publish(access=access, tournament_id=made.pk, number=number, now=NOW)
        _play(made.pk, number, chance)
    return Tournament.objects.get().pk


def _pair(access: object, tournament: int) -> None:
    """Pair the next round, in this process whatever its size."""
    from league.models import Job, Tournament
    from league.services import tournament_rounds

    found = tournament_rounds.pair(access=access, tournament_id=tournament, now=NOW)  # type: ignore[arg-type]
    if found.job is not None:
        tournament_rounds.pair_job(found.job.pk)
        job = Job.objects.get(pk=found.job.pk)
        if job.state != "done":
            raise RuntimeError(job.error)
        Tournament.objects.filter(pk=tournament).update(pairing_job=None)


def _play(tournament: int, number: int, chance: Random) -> None:
    """Decide all tables of a round, as their sessions would."""
    from league.models import Session, TournamentSeat, TournamentTable

    tables = TournamentTable.objects.filter(round__tournament=tournament, round__number=number, kind="played")
    seats = list(TournamentSeat.objects.filter(table__in=tables).order_by("table", "number"))
    for first, second in zip(seats[::2], seats[1::2], strict=True):
        draw = chance.random() < 0.1
        one = 1 if draw or chance.random() < 0.5 else 2
        first.place, second.place = one, 1 if draw else 3 - one
        first.place_sum, second.place_sum = first.place, second.place
    TournamentSeat.objects.bulk_update(seats, ["place", "place_sum"], batch_size=500)
    tables.update(decided=True)
    Session.objects.filter(table__round__number=number).update(status="complete")


def measure(kind: str, options: argparse.Namespace) -> None:
    """Print what reading costs on this kind of database."""
    import django

    django.setup()
    from django.core.cache import cache
    from django.core.management import call_command
    from django.test import Client
    from django.test.utils import setup_test_environment

    from league.models import Tournament, User
    from league.services import tournament_standings, tournament_state

    setup_test_environment()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    sys.stdout.write(f"{kind}: {options.players} players, {ROUNDS} rounds\n")
    timed("filled", lambda: fill(options.players))
    tournament = Tournament.objects.select_related("club", "season").get()

    def read() -> object:
        return tournament_state.load(tournament)

    def ranked() -> object:
        cache.clear()
        return tournament_standings.tables_of(state)

    _show("read whole", read)
    state = tournament_state.load(tournament)
    _show("ranked", ranked)
    client = Client()
    client.force_login(User.objects.get(username="bench"))

    def again(path: str) -> Callable[[], object]:
        return lambda: _get(client, path)

    def anew(path: str) -> Callable[[], object]:
        def call() -> object:
            cache.clear()
            return _get(client, path)

        return call

    for path in PATHS:
        _show(f"{path} anew", anew(path))
        _show(f"{path} again", again(path))


def _get(client: "Client", path: str) -> int:
    answer = client.get(path)
    if answer.status_code != 200:
        raise RuntimeError(f"{path}: {answer.status_code}")
    return len(answer.content)


def _show(what: str, call: Callable[[], object]) -> None:
    spent = []
    for _time in range(TIMES):
        start = time.process_time()
        call()
        spent.append(time.process_time() - start)
    sys.stdout.write(f"  {what:<70} {1000 * median(spent):7.1f} ms of CPU time\n")
    sys.stdout.flush()


# The last round's tables wait for nothing: all are decided. Entry 500 is in the middle of the field.
PATHS: list[str] = [
    f"/bench/tournaments/open/{part}"
    for part in (
        *("", "standings/", "standings/?page=10", f"rounds/{ROUNDS}/", f"rounds/{ROUNDS}/print/"),
        *("cross-table/", "cross-table/?rows=9&columns=9", "players/500/", "screen/"),
    )
]


def main() -> None:
    parser = argparse.ArgumentParser(description="What a large tournament costs to read.")
    parser.add_argument("--players", type=int, default=1000)
    on_each("benchmarks.tournaments", parser, usual=("sqlite", "postgresql"), measure=measure)


if __name__ == "__main__":
    main()
