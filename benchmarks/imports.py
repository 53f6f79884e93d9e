"""How long an import of many evenings takes: Pure XXL of four from one CSV file, into one season.

    .venv-test/bin/python -m benchmarks.imports                       10,000 evenings on SQLite and on PostgreSQL
    .venv-test/bin/python -m benchmarks.imports --evenings 500 sqlite

Prints the seconds of the preview, of the import with its progress, and of taking it back, each beside the seconds of
CPU time of this process. The databases are made for it and dropped; the servers are those of the tests.
"""

import argparse
import random
import sys
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from benchmarks.databases import on_each, timed

PEOPLE = 40
FIRST_DAY = date(2000, 1, 1)


def table(evenings: int) -> bytes:
    """A CSV file of so many evenings; the places of every round are drawn."""
    rng = random.Random(1)
    lines = ["session;date;format;round;game;player;place"]
    for number in range(evenings):
        day = FIRST_DAY + timedelta(days=number % 9000)
        players = rng.sample(range(PEOPLE), 4)
        for round_ in range(1, 7):
            places = rng.sample(range(1, 5), 4)
            lines += [
                f"E{number};{day};Pure XXL;{round_};xxl-{round_};Player {player};{place}"
                for player, place in zip(players, places, strict=True)
            ]
    return "\n".join(lines).encode()


def measure(evenings: int) -> None:
    """Import the file in this process, which is the worker as well."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.utils import timezone

    from league.models import Club, League, Role, Season, Session
    from league.services import imports
    from league.services.access import Access, Actor

    call_command("migrate", verbosity=0)
    club = Club.objects.create(name="Bench", slug="bench")
    league = League.objects.create(club=club, name="League", slug="league")
    season = Season.objects.create(club=club, league=league, name="All", slug="all", starts_on=FIRST_DAY)
    access = Access(club, Role.ADMIN, Actor())
    content = table(evenings)
    sys.stdout.write(f"  {evenings} evenings, {len(content) / 1e6:.1f} MB\n")
    now = timezone.now()
    batch = timed("preview", lambda: imports.upload(access=access, name="bench.csv", content=content, now=now))
    imports.decide(access=access, batch_id=batch.pk, changes={"season": season.pk}, now=now)
    steps: list[int] = []

    def job(ask: Callable[..., Any]) -> Callable[[], bool]:
        asked = ask(access=access, batch_id=batch.pk, now=timezone.now())
        return lambda: imports.carry_out(asked.job_id, lambda done, total: steps.append(done))

    timed("import", job(imports.apply))
    stored = Session.objects.filter(voided_at=None).count()
    timed("take back", job(imports.revert))
    sys.stdout.write(f"  {stored} stored, {len(steps)} steps of progress\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evenings", type=int, default=10_000)
    on_each(
        "benchmarks.imports",
        parser,
        usual=["sqlite", "postgresql"],
        measure=lambda _kind, options: measure(options.evenings),
    )


if __name__ == "__main__":
    main()
