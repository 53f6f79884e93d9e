"""What a leaderboard page costs as results pile up: a season of 1,000 players with 1,000 and with 1,000,000 results.

    .venv-test/bin/python -m benchmarks.boards                 on SQLite and on PostgreSQL
    .venv-test/bin/python -m benchmarks.boards sqlite --results 100000

Both seasons stand in one database. The page is asked for by turns, in this process, through all of the product's
middleware, by a visitor who has not seen it: *written* where no other visitor was shown it just now, *kept* where one
was. Printed are the medians of wall time, their ratio, the statements and the bytes as sent. Results are stored by SQL,
with their sessions, rounds and standings.
"""

# ruff: noqa: S608 - what is put into SQL are numbers and names of our own
import argparse
import sys
import time
from collections.abc import Iterator
from datetime import date
from statistics import median
from typing import Any

from benchmarks.databases import on_each

PLAYERS = 1000


def seasons(large: int) -> dict[str, int]:
    """Results by the short name of their season."""
    return {"few": PLAYERS, "many": large}


def fill(large: int) -> None:
    """A club with both seasons."""
    from django.db import connection, transaction

    from league.models import Club, League, Player, Season

    with transaction.atomic():
        club = Club.objects.create(name="Bench", slug="bench")
        league = League.objects.create(club=club, name="League", slug="league")
        Player.objects.bulk_create(
            Player(club=club, name=f"Player {n}", name_key=f"player {n}") for n in range(PLAYERS)
        )
        first = Player.objects.order_by("pk").values_list("pk", flat=True)[0]
        with connection.cursor() as cursor:
            for slug, results in seasons(large).items():
                season = Season.objects.create(
                    club=club, league=league, name=slug, slug=slug, starts_on=date(2020, 1, 1)
                )
                for statement in _history(club.pk, season.pk, first, results // 4):
                    cursor.execute(statement)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _history(club: int, season: int, first: int, sessions: int) -> Iterator[str]:
    """A season's past as SQL: session k seats the players 4k to 4k+3, who change places from time to time."""
    seats = "(SELECT 0 AS j UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) AS seats"
    player = f"{first} + (s.number * 4 + j) % {PLAYERS}"
    place = "1 + (j + s.number / 7) % 4"
    numbered = f"(SELECT id, planned_rounds AS number FROM league_session WHERE season_id = {season}) AS s"
    counted = f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {sessions - 1})"
    # The number of planned rounds holds that of the session until its results are made.
    yield (
        "INSERT INTO league_session (club_id, season_id, format, planned_rounds, repeats, status, played_on, location,"
        " comment, confirmed, counts, revision, confirmation, digest, created_at)"
        f" {counted} SELECT {club}, {season}, 'single_game', 1 + i % 30000, 1, 'complete', DATE('2026-01-01'), '',"
        " '', '[]', 1 = 1, 1, '', '', CURRENT_TIMESTAMP FROM n"
    )
    yield (
        "INSERT INTO league_round (club_id, session_id, number, game, note, confirmed, created_at)"
        f" SELECT {club}, s.id, 1, 'xxl-1', '', '[]', CURRENT_TIMESTAMP FROM {numbered}"
    )
    yield (
        "INSERT INTO league_sessionresult"
        " (club_id, session_id, player_id, place_sum, rounds_played, rounds_missed, place, reason, players)"
        f" SELECT {club}, s.id, {player}, {place}, 1, 0, {place}, '', 4 FROM {numbered}, {seats}"
    )
    yield f"UPDATE league_session SET planned_rounds = 1 WHERE season_id = {season}"
    average = "SUM(r.place) * 1.0 / COUNT(*)"
    yield (
        "INSERT INTO league_standing (club_id, season_id, player_id, sessions, place_total, wins, last_session_id,"
        " last_place, counted, absences, value, place_counts, sort_key, tie_position)"
        f" SELECT {club}, {season}, r.player_id, COUNT(*), SUM(r.place), SUM(CASE WHEN r.place = 1 THEN 1 ELSE 0 END),"
        f" MAX(r.session_id), 1, COUNT(*), 0, {average}, '[]', {average}, 0"
        " FROM league_sessionresult r JOIN league_session s ON s.id = r.session_id"
        f" WHERE s.season_id = {season} GROUP BY r.player_id"
    )


def measure(kind: str, large: int, times: int) -> None:
    """Print the figures of one kind of database."""
    import django

    django.setup()
    from django.core.cache import cache
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext, setup_test_environment

    setup_test_environment()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    fill(large)
    client = Client()
    told: dict[str, Any] = {}
    for slug in seasons(large):
        with CaptureQueriesContext(connection) as queries:
            page = client.get(f"/bench/league/{slug}/", headers={"accept-encoding": "gzip"})
        if page.status_code != 200:
            raise SystemExit(f"{page.status_code} for {slug}")
        told[slug] = (len(queries), len(page.content))
    for how in ("written", "kept"):
        taken: dict[str, list[float]] = {slug: [] for slug in seasons(large)}
        for _turn in range(times):
            for slug, its in taken.items():
                if how == "written":
                    cache.clear()
                begin = time.perf_counter()
                client.get(f"/bench/league/{slug}/", headers={"accept-encoding": "gzip"})
                its.append(time.perf_counter() - begin)
        few, many = (median(its) * 1000 for its in taken.values())
        sys.stdout.write(
            f"{kind}, {how}: {few:.1f} ms with {PLAYERS} results, {many:.1f} ms with {large}, ratio {many / few:.2f}\n"
        )
    for slug, (statements, size) in told.items():
        sys.stdout.write(f"{kind}, {slug}: {statements} statements, {size / 1000:.1f} kB sent\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=100)
    on_each(
        "benchmarks.boards",
        parser,
        usual=["sqlite", "postgresql"],
        measure=lambda kind, options: measure(kind, options.results, options.times),
    )


if __name__ == "__main__":
    main()
