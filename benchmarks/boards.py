"""What a leaderboard page costs as results pile up: a season of 1,000 players with 1,000 and with 1,000,000 results.

    .venv-test/bin/python -m benchmarks.boards                 on SQLite and on PostgreSQL
    .venv-test/bin/python -m benchmarks.boards sqlite --results 100000

Both seasons stand in one database. The page is asked for by turns, in this process, through all of the product's
middleware: *written* by a visitor where nobody was shown it since its last change, *kept* where another visitor was,
*unchanged* by one who has seen just this, and *member* by a member who is logged in, where another member was shown it.
Printed are the medians of wall time and of this process's CPU time, their ratios, the statements and the bytes as sent.
Results are stored by SQL, with their sessions, rounds and standings. The collector of garbage is set as in a worker of
the web server (`league/management/gunicorn.py`).
"""

# ruff: noqa: S608 - what is put into SQL are numbers and names of our own
import argparse
import gc
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

    from league.models import Club, Member, User

    setup_test_environment()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    fill(large)
    visitor, member = Client(), Client()
    user = User.objects.create(username="member")
    Member.objects.create(club=Club.objects.get(), user=user)
    member.force_login(user)
    told: list[str] = []
    _ask(visitor, "few")
    # As a worker of the web server does once it has loaded all.
    gc.collect()
    gc.freeze()
    for how, client in (("written", visitor), ("kept", visitor), ("unchanged", visitor), ("member", member)):
        wall: dict[str, list[float]] = {slug: [] for slug in seasons(large)}
        busy: dict[str, list[float]] = {slug: [] for slug in seasons(large)}
        # Before the first turn: whatever loads once in a process, and what is to be kept.
        tags = {slug: _ask(client, slug)["ETag"] for slug in seasons(large)}
        for _turn in range(times):
            for slug in seasons(large):
                if how == "written":
                    cache.clear()
                begin, begin_busy = time.perf_counter(), time.process_time()
                _ask(client, slug, tags[slug] if how == "unchanged" else "")
                wall[slug].append(time.perf_counter() - begin)
                busy[slug].append(time.process_time() - begin_busy)
        few, many = (median(its) * 1000 for its in wall.values())
        few_busy, many_busy = (median(its) * 1000 for its in busy.values())
        sys.stdout.write(
            f"{kind}, {how}: {few:.1f} ms with {PLAYERS} results, {many:.1f} ms with {large}, ratio {many / few:.2f};"
            f" CPU time {few_busy:.1f} and {many_busy:.1f} ms\n"
        )
        for slug in seasons(large):
            if how == "written":
                cache.clear()
            with CaptureQueriesContext(connection) as queries:
                page = _ask(client, slug, tags[slug] if how == "unchanged" else "")
            size = f"{len(page.content) / 1000:.1f} kB sent"
            told.append(f"{kind}, {how}, {slug}: {len(queries)} statements, {size}\n")
    sys.stdout.writelines(told)


def _ask(client: Any, slug: str, tag: str = "") -> Any:
    """The page, or that it is as the tag says."""
    headers = {"accept-encoding": "gzip", **({"if-none-match": tag} if tag else {})}
    page = client.get(f"/bench/league/{slug}/", headers=headers)
    if page.status_code != (304 if tag else 200):
        raise SystemExit(f"{page.status_code} for {slug}")
    return page


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
