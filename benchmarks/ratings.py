"""How long it takes to rate everything a club has anew: single games of XXL at tables of four, one a session.

    .venv-test/bin/python -m benchmarks.ratings                        100,000 games on SQLite
    .venv-test/bin/python -m benchmarks.ratings --games 10000 sqlite postgresql

A game is one posted result: a session of one round with four places. Prints the seconds of a replay from the first
day, of one from the last day, and of rating one result more, each beside the seconds of CPU time of this process, and
the most memory that it had. Statistics are left out. The databases are made for it and dropped.
"""

import argparse
import os
import random
import resource
import sys
from collections.abc import Callable
from datetime import date, timedelta

from benchmarks.databases import on_each, timed

PEOPLE = 100
FIRST_DAY = date(2000, 1, 1)
_AT_A_TIME = 5000


def fill(games: int) -> int:
    """Store a club with so many games, straight into the tables; its id."""
    from league.models import Club, Player, Round, Score, Session, name_key

    club = Club.objects.create(name="Bench", slug="bench")
    names = [f"Player {number}" for number in range(PEOPLE)]
    people = Player.objects.bulk_create(Player(club=club, name=name, name_key=name_key(name)) for name in names)
    rng = random.Random(1)
    for start in range(0, games, _AT_A_TIME):
        sessions = Session.objects.bulk_create(
            Session(
                club=club,
                format="single_game",
                planned_rounds=1,
                status="complete",
                # Twenty games a day.
                played_on=FIRST_DAY + timedelta(days=number // 20),
            )
            for number in range(start, min(games, start + _AT_A_TIME))
        )
        rounds = Round.objects.bulk_create(
            Round(club=club, session=session, number=1, game="xxl-1") for session in sessions
        )
        Score.objects.bulk_create(
            Score(club=club, round=one, player=player, place=place)
            for one in rounds
            for place, player in enumerate(rng.sample(people, 4), start=1)
        )
    return club.pk


def measure(games: int) -> None:
    """Rate a club of so many games in this process."""
    import django

    django.setup()
    from django.core.management import call_command

    from league.models import RatingChange, Session
    from league.services import ratings

    call_command("migrate", verbosity=0)
    club_id = timed("filling", lambda: fill(games))
    last = Session.objects.order_by("-played_on").values_list("played_on", flat=True)[0]

    def replay(from_day: date) -> Callable[[], None]:
        return lambda: ratings.settle(ratings.replay(club_id=club_id, from_day=from_day), players=())

    timed("from scratch", replay(FIRST_DAY))
    timed("once more", replay(FIRST_DAY))
    timed("the last day", replay(last))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    changes = RatingChange.objects.count()
    sys.stdout.write(
        f"  {games} games, {changes} lines of history, at most {memory:.0f} MiB; load {os.getloadavg()[0]:.1f}\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100_000)
    on_each("benchmarks.ratings", parser, usual=["sqlite"], measure=lambda _kind, options: measure(options.games))


if __name__ == "__main__":
    main()
