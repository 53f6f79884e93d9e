"""A long series of bots through API, Celery and database, beside the bare loop that plays the same deals.

    .venv-test/bin/python -m benchmarks.bot_matches [postgresql] [--deals=10000] [--game=xxl-6] [--bot=greedy]

Measured in one run: the CPU time of `games.match.play_out` over the deals of the series, one after another in this
process; that of web server and worker together from the request to the end of the same series, without what both took
to start (the database's own is told beside it); and how long one worker and two workers take by the clock. PostgreSQL
and Valkey run as in the tests, without fsync.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from benchmarks.databases import on_each
from tests.product import Product

_SEED = 2026
_TICKS = os.sysconf("SC_CLK_TCK")


def _cpu(processes: Iterable[subprocess.Popen[bytes]]) -> float:
    """CPU seconds so far of these processes and of all below them."""
    wanted = {process.pid for process in processes}
    parents, times = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(") ")[2].split()
        except OSError:  # it ended meanwhile
            continue
        pid = int(stat.parent.name)
        parents[pid] = int(fields[1])
        # Its own, and of the children that it has waited for.
        times[pid] = sum(map(int, fields[11:15])) / _TICKS
    total = 0.0
    for pid, spent in times.items():
        above = pid
        while above in parents and above not in wanted:
            above = parents[above]
        total += spent if above in wanted else 0.0
    return total


def _bare(options: argparse.Namespace) -> float:
    """CPU seconds of playing the deals in a loop."""
    from games.bots import BOTS
    from games.catalog import GAMES
    from games.match import deal_seed, play_out

    engine = GAMES[options.game].engine
    if engine is None:
        raise SystemExit(f"{options.game} can't be played by bots")
    began = time.process_time()
    bots = [BOTS[options.bot](engine) for _seat in range(4)]
    for deal in range(options.deals):
        play_out(engine, bots, deal_seed(_SEED, deal), engine.series_options(4, deal))
    return time.process_time() - began


class _Club:
    """A club with four bots in the database of this process, and a token that may ask for matches."""

    def __init__(self, bot: str) -> None:
        from django.utils import timezone

        from league.models import Club, Member, Player, Role, Scope, User
        from league.services import tokens
        from league.services.access import Access, Actor

        club = Club.objects.create(name="Bench", slug="bench")
        user = User.objects.create(username="bench")
        Member.objects.create(club=club, user=user, role=Role.OWNER)
        self.players = [Player.objects.create(club=club, name=f"Bot {i}", kind="bot", bot=bot).pk for i in range(4)]
        access = Access(club, Role.OWNER, Actor(user_id=user.pk))
        scope, now = Scope.RESULTS_WRITE, timezone.now()
        _token, self.secret = tokens.create(access=access, name="bench", scope=scope, expires_at=None, now=now)

    def ask(self, product: Product, method: str, path: str, body: object = None) -> Any:
        headers = {"Authorization": f"Bearer {self.secret}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        address = path if path.startswith("/") else f"/api/v1/clubs/bench/{path}"
        with urlopen(Request(product.url + address, data, headers, method=method), timeout=60) as answer:  # noqa: S310
            return json.load(answer)


def _series(product: Product, club: _Club, options: argparse.Namespace, worker_names: list[str]) -> tuple[float, float]:
    """CPU seconds and seconds from the request to the end of a series."""
    processes = [product.parts[name] for name in ("web", *worker_names)]
    cpu, clock = _cpu(processes), time.perf_counter()
    body = {"game": options.game, "players": club.players, "deals": options.deals, "seed": _SEED}
    url = club.ask(product, "POST", "bot-matches/", body)["url"]
    state: dict[str, Any] = {}

    def is_over() -> bool:
        state.update(club.ask(product, "GET", url))
        return state["state"] not in {"queued", "running"}

    while not is_over():
        time.sleep(0.5)
    if state["state"] != "done":
        raise SystemExit(f"the series ended so: {state}")
    return _cpu(processes) - cpu, time.perf_counter() - clock


def _measure(kind: str, options: argparse.Namespace) -> None:
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    from tests.product import database_url

    call_command("migrate", verbosity=0)
    club = _Club(options.bot)
    bare = _bare(options)
    environ = {
        "DATABASE_URL": database_url(connection.settings_dict),
        "SECRET_KEY": settings.SECRET_KEY,
        "REDIS_URL": settings.REDIS_URL,
        "RATE_LIMIT": "0",
    }
    folder = Path(settings.DATA_DIR)
    _tell(f"{options.deals} deals of {options.game}, four {options.bot}")
    _tell(f"  bare loop           {bare:8.1f} s CPU")
    with Product(folder / "one", environ) as product:
        product.start("web", "worker")
        cpu, alone = _series(product, club, options, ["worker"])
        _tell(
            f"  API, worker         {cpu:8.1f} s CPU, {cpu / bare:.2f} times the bare loop; {alone:.1f} s by the clock"
        )
        # A second worker on a folder of its own: its sign of life stands there.
        with Product(folder / "two", environ) as second:
            second.start("worker")
            product.parts["second"] = second.parts["worker"]
            cpu, both = _series(product, club, options, ["worker", "second"])
            del product.parts["second"]
    _tell(f"  two workers         {cpu:8.1f} s CPU; {both:.1f} s on the clock, {alone / both:.2f} times as fast as one")


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Measure on PostgreSQL and Valkey, or on the databases named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--game", default="xxl-6")
    parser.add_argument("--bot", default="greedy")
    on_each("benchmarks.bot_matches", parser, usual=["postgresql"], measure=_measure)


if __name__ == "__main__":
    main()
