"""A long series of bots while its workers, the broker and the database are killed: nothing lost, nothing twice.

Servers of its own, since they are killed. `TISCHLIGA_KILLS` says how often (`make soak` asks for many).
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import sleep
from typing import Any

import psycopg
import pytest
import requests

from games.series import Plan, Player, Tally
from tests import templates
from tests.product import ROOT, Log, Product, product_environ, wait_for
from tests.servers import ServerError, hold_a_port, make_folder, postgres, postgres_url, remove_folder, valkey

# Needs no database of the run's own, but is one of the tests that have servers.
pytestmark = [pytest.mark.usefixtures("servers"), pytest.mark.one_database, pytest.mark.timeout(1800)]

KILLS = int(os.environ.get("TISCHLIGA_KILLS", "4"))
DEALS = 1000 * KILLS
SEED = 77
BOTS = ("random", "random", "random", "random")
_CLUB = """
import json
from django.utils import timezone
from league.models import Club, Member, Player, Role, Scope, User
from league.services import tokens
from league.services.access import Access, Actor
club = Club.objects.create(name="Herzclub", slug="herzclub")
user = User.objects.create(username="owner")
Member.objects.create(club=club, user=user, role=Role.OWNER)
for number in range(4):
    Player.objects.create(club=club, name=f"Robo {number}", kind="bot", bot="random")
access = Access(club, Role.OWNER, Actor(user_id=user.pk))
print(tokens.create(access=access, name="x", scope=Scope.RESULTS_WRITE, expires_at=None, now=timezone.now())[1])
"""


class Servers:
    """PostgreSQL and Valkey that can be killed and come again with what they kept."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self._database = ExitStack()
        self._broker = ExitStack()
        self._broker_pid = 0

    def start_database(self) -> None:
        for _attempt in range(50):
            try:
                own = postgres(self.folder / "postgres", keeps=True, template=templates.postgres_data())
                self._database.enter_context(own)
            except ServerError:
                # Processes of the killed one hold its memory for a moment more.
                sleep(0.2)
            else:
                return
        raise AssertionError("PostgreSQL does not come again")

    def start_broker(self) -> None:
        self._broker_pid = self._broker.enter_context(valkey(self.folder / "valkey", self.port, "secret"))

    def kill_database(self) -> None:
        pid = int((self.folder / "postgres" / "data" / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)
        self._database.close()

    def kill_broker(self) -> None:
        os.kill(self._broker_pid, signal.SIGKILL)
        self._broker.close()

    @property
    def environ(self) -> dict[str, str]:
        """How the product reaches both."""
        database = postgres_url(self.folder / "postgres" / "socket", "tischliga")
        broker = f"redis://:secret@127.0.0.1:{self.port}/0"
        return {"DATABASE_URL": database, "REDIS_URL": broker, "SECRET_KEY": "k" * 50, "RATE_LIMIT": "0"}

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """What the database answers."""
        where = f"host={self.folder / 'postgres' / 'socket'} user=postgres dbname=tischliga"
        with psycopg.connect(where) as connection:
            return connection.execute(statement).fetchall()

    def minute_goes_by(self) -> None:
        """All leases run out, of dead workers and of living ones, and all that was rung for is rung for again."""
        self.rows("UPDATE league_job SET lease_until = now() WHERE lease_until IS NOT NULL RETURNING id")
        self.rows("UPDATE league_job SET rung_at = NULL RETURNING id")

    def close(self) -> None:
        self._database.close()
        self._broker.close()


@pytest.fixture
def own_servers() -> Iterator[Servers]:
    """Running, with an empty database."""
    folder = make_folder()
    with hold_a_port() as holder:
        servers = Servers(folder, holder.getsockname()[1])
        try:
            servers.start_database()
            servers.start_broker()
            yield servers
        finally:
            servers.close()
            remove_folder(folder)


@contextmanager
def _product(servers: Servers, folder: Path) -> Iterator[tuple[Product, Product]]:
    """Web server, sweeper and worker, and a second worker as on another machine."""
    with Product(folder / "one", servers.environ) as one, Product(folder / "two", servers.environ) as two:
        one.start("web", "worker", "sweeper")
        two.start("worker")
        yield one, two


def _manage(environ: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environ, check=True, capture_output=True, text=True).stdout


def test_a_series_counts_every_deal_once_though_everything_is_killed(own_servers: Servers, tmp_path: Path) -> None:
    """Workers, broker and database are killed in turn while two workers play; the ledger is a bare loop's tally."""
    environ = product_environ(tmp_path / "one", own_servers.environ)
    _manage(environ, "migrate", "--verbosity=0")
    token = _manage(environ, "shell", "--verbosity=0", "-c", _CLUB).strip()
    headers = {"Authorization": f"Bearer {token}"}
    with _product(own_servers, tmp_path) as (one, two):
        url = f"{one.url}/api/v1/clubs/herzclub/bot-matches/"
        body = {"game": "xxl-6", "players": [f"Robo {n}" for n in range(4)], "deals": DEALS, "seed": SEED}
        answer = requests.post(url, json=body, headers=headers, timeout=60)
        assert answer.status_code == 202, answer.text
        url = one.url + answer.headers["Location"]

        def status() -> dict[str, Any]:
            """As the API says it; nothing while it can't."""
            try:
                answer = requests.get(url, headers=headers, timeout=60)
            except requests.ConnectionError:
                return {}
            return dict(answer.json()) if answer.status_code == 200 else {}

        def done(answer: dict[str, Any]) -> int:
            progress: dict[str, int] = answer.get("progress", {})
            return progress.get("done", 0)

        def is_over() -> bool:
            return status().get("state") in {"done", "failed"}

        kills: list[Callable[[], None]] = [
            lambda: _again(one),
            own_servers.kill_broker,
            lambda: _again(two),
            own_servers.kill_database,
        ]
        restarts = {1: own_servers.start_broker, 3: own_servers.start_database}
        reached = [0]

        def goes_on() -> bool:
            return done(status()) > reached[0] or is_over()

        for number in range(KILLS):
            wait_for(goes_on, "progress", Log(one.folder / "worker.log"), timeout=300)
            assert not is_over(), "the series has to be longer than the killing"
            turn = number % len(kills)
            kills[turn]()
            if turn in restarts:
                restarts[turn]()
            own_servers.minute_goes_by()
            reached[0] = max(reached[0], done(status()))
        own_servers.minute_goes_by()
        wait_for(is_over, "the series to end", timeout=600)
        assert (status()["state"], status()["error"]) == ("done", "")
    chunks = own_servers.rows("SELECT first_deal, deals, tally FROM league_botmatchchunk ORDER BY first_deal")
    following = 0
    told = Tally.empty(4)
    for first, deals, tally in chunks:
        assert (first, tally["deals"]) == (following, deals)
        following += deals
        told.join(Tally.from_json(tally))
    player = Player(Plan(("xxl-6",), BOTS, SEED))
    assert told == Tally.of((player.play(deal) for deal in range(DEALS)), 4)
    assert own_servers.rows("SELECT count(*) FROM league_session") == [(1,)]
    recorded = "SELECT count(*) FROM league_auditevent WHERE action = 'session.recorded'"
    assert own_servers.rows(recorded) == [(1,)]
    assert own_servers.rows("SELECT count(*) FROM league_job") == [(1,)]


def _again(product: Product) -> None:
    """Kill its worker and start another."""
    product.stop("worker", signal.SIGKILL)
    product.start("worker")
