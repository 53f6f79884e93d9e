"""What all tests share: the servers, and which tests need them.

Plain `pytest` on any file or test works: the servers are started when a collected test touches the database or asks
for them, and stopped at the end. `TISCHLIGA_TEST_DB=sqlite` runs the same tests on SQLite and the embedded broker.
`--only-database` leaves out those that would do the very same on every database, `--without-database` all others.

`--only-database` on SQLite also leaves out what is marked `one_database`, the pages (tests/web) and the API
(tests/api): tests of what is made of rows that other tests have read on both databases (layout, columns of a table, the
OpenAPI description), and of what is refused before a statement is sent. What writes, locks, sorts, counts or is refused
by the database is tested on both, of the API what asks the database by itself (`both_databases`: filters, order and
cursors of lists, keys of repeated requests, imports, limits), and so is one whole story through browser, API, worker
and database. On SQLite every page is opened and every operation of the API is called by everybody (`sqlite_alone`),
which PostgreSQL leaves out.
"""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.run import PURE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.ops.make_run import Run
    from tests.people import People
    from tests.product import Product
    from tests.servers import Servers

# No limit of time for an example or for making one: on a busy machine it fails tests with nothing wrong in them.
settings.register_profile("no deadline", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no deadline")
# Most of what tests make is gone without the collector, whose every round costs more than it finds.
gc.set_threshold(50_000, 10, 10)

# The fixtures that open a database or hold the address of a server. Every other one reaches these through its own.
_DOORS = {Path(__file__).parent / "api", Path(__file__).parent / "web"}
_DATABASE_FIXTURES = {"db", "transactional_db", "servers"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--only-database",
        action="store_true",
        help="run only the tests that touch a database or a server",
    )
    parser.addoption(
        "--without-database",
        action="store_true",
        help="run only the tests that touch neither a database nor a server",
    )


def pytest_configure(config: pytest.Config) -> None:
    # A shell ignores Ctrl-C for what it starts in the background, and so would all that the tests start and interrupt.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "sqlite_alone: `make test` runs it on SQLite alone, see tests/conftest.py")
    config.addinivalue_line("markers", "one_database: `make test` runs it on PostgreSQL alone, see tests/conftest.py")
    config.addinivalue_line("markers", "both_databases: of the API, `make test` runs it on both, see tests/conftest.py")
    config.addinivalue_line("markers", "two_writers: never on SQLite, where one transaction writes at a time")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files of which all would be left out on SQLite: to read those of the API is seconds of describing it."""
    if not config.getoption("--only-database") or os.environ.get("TISCHLIGA_TEST_DB") != "sqlite":
        return None
    if collection_path.parent not in _DOORS or not collection_path.match("test_*.py"):
        return None
    text = collection_path.read_text()
    return None if "both_databases" in text else True


def pytest_collection_finish() -> None:
    # All that was loaded stays to the end; left to the collector, each of its rounds would walk through it again.
    gc.collect()
    gc.freeze()


def touches_database(item: pytest.Item) -> bool:
    """Whether the test can reach a database: by marker, by a fixture of its closure or by its base class.

    pytest-django refuses the database to all others, so what this leaves out of a second run cannot depend on
    which database it is.
    """
    if item.get_closest_marker("django_db"):
        return True
    if _DATABASE_FIXTURES & set(getattr(item, "fixturenames", ())):
        return True
    from django.test import TransactionTestCase

    cls = getattr(item, "cls", None)
    return cls is not None and issubclass(cls, TransactionTestCase)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    pure = {Path(__file__).parent / folder for folder in PURE}
    for item in items:
        if item.path.parent in pure and touches_database(item):
            raise pytest.UsageError(f"{item.nodeid} touches a database, for which `make test` does not look there")
    for option, wanted in (("--only-database", True), ("--without-database", False)):
        if config.getoption(option):
            left_out = [item for item in items if touches_database(item) != wanted]
            items[:] = [item for item in items if touches_database(item) == wanted]
            config.hook.pytest_deselected(items=left_out)
    sqlite = os.environ.get("TISCHLIGA_TEST_DB") == "sqlite"
    if sqlite:
        left_out = [item for item in items if item.get_closest_marker("two_writers") is not None]
        items[:] = [item for item in items if item.get_closest_marker("two_writers") is None]
        config.hook.pytest_deselected(items=left_out)
    if config.getoption("--only-database"):
        left_out = [item for item in items if _is_for_the_other(item, sqlite=sqlite)]
        items[:] = [item for item in items if not _is_for_the_other(item, sqlite=sqlite)]
        config.hook.pytest_deselected(items=left_out)


def _is_for_the_other(item: pytest.Item, *, sqlite: bool) -> bool:
    """Whether a test runs on the other database alone."""
    if not sqlite:
        return item.get_closest_marker("sqlite_alone") is not None
    if item.get_closest_marker("one_database") is not None:
        return True
    return item.path.parent in _DOORS and item.get_closest_marker("both_databases") is None


def pytest_fixture_setup(fixturedef: "pytest.FixtureDef[object]", request: pytest.FixtureRequest) -> None:
    """Refuse a database that a test gets at run time, by `getfixturevalue`: no one could tell beforehand."""
    item = request.node
    if fixturedef.argname in _DATABASE_FIXTURES and isinstance(item, pytest.Item) and not touches_database(item):
        pytest.fail(f"name the fixture {fixturedef.argname!r} in the test's arguments or mark it django_db")


@pytest.fixture(autouse=True)
def _usual_language() -> "Iterator[None]":
    """A request leaves its language to the thread: the next test begins with the usual one."""
    from django.utils import translation

    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def _nothing_kept() -> "Iterator[None]":
    """A test takes back what it stored, and with it the states under which boards are kept."""
    from django.core.cache import cache

    yield
    cache.clear()


@pytest.fixture(scope="session")
def servers() -> "Iterator[Servers]":
    """The running servers of this run; their addresses are in the settings and in the environment."""
    from tests import templates
    from tests.settings import SERVERS

    SERVERS.start(template=templates.postgres_data())
    yield SERVERS
    SERVERS.stop()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> None:
    """pytest-django's, with another way to empty tables."""
    from tests import emptying

    emptying.use()


@pytest.fixture(scope="session")
def django_db_keepdb(servers: "Servers") -> bool:
    """Whether the test database is there already, a copy of one that was migrated; by now its server has to run."""
    import shutil

    from django.db import connection

    from tests import templates

    file = templates.sqlite_file()
    if file and connection.vendor == "sqlite":
        shutil.copyfile(file, servers.folder / "tests.sqlite3")
    return bool(file) and (connection.vendor == "sqlite" or bool(servers.plan.template))


@pytest.fixture(scope="session")
def _product(servers: "Servers", django_db_setup: None) -> "Iterator[Product]":
    """Web server and worker on the test database, for the whole run: their start takes seconds."""
    import shutil
    import subprocess
    import sys
    from urllib.parse import urlsplit

    from django.conf import settings
    from django.db import connection

    from tests import templates
    from tests.product import ROOT, Product, database_url

    environ = {
        "DATABASE_URL": database_url(connection.settings_dict),
        "SECRET_KEY": settings.SECRET_KEY,  # one for both, so that a session made here is valid there
    }
    if settings.REDIS_URL:
        # A database of its own: its worker must not answer the rings of tests that expect nobody to.
        environ["REDIS_URL"] = urlsplit(settings.REDIS_URL)._replace(path="/1").geturl()
    with Product(servers.folder / "product", environ) as product:
        if collected := templates.static_files():
            shutil.copytree(collected, product.folder / "static")
        else:
            command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity=0"]
            subprocess.run(command, cwd=ROOT, env=product.environ, check=True)
        product.start("web", "worker")
        yield product


@pytest.fixture
def server(transactional_db: None, _product: "Product") -> "Iterator[Product]":
    """The running product, web server and worker, on the test database; what a test writes is there for it."""
    from tests.standstill import hold_figures, release_figures

    release_figures()
    yield _product
    # A worker that computes figures is let finish, and none begins: it would meet the tables as they are emptied.
    hold_figures()


@pytest.fixture(scope="session")
def first(tmp_path_factory: pytest.TempPathFactory) -> "Run":
    """The first start of `make run` on a new data folder, ended by Ctrl-C: to look at and to copy, not to change."""
    import requests

    from tests.ops.make_run import Run

    run = Run(tmp_path_factory.mktemp("first") / "data")
    try:
        run.until("Stop it with Ctrl-C.")
        assert requests.get(run.url, timeout=30).status_code == 200
        run.interrupt()
        assert run.processes() == {}
    finally:
        run.finish()
    return run


@pytest.fixture(scope="session")
def later(first: "Run", tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Run]":
    """A later start, on a copy of what the first one left; for tests that leave it running."""
    import shutil

    from tests.ops.make_run import Run

    run = Run(Path(shutil.copytree(first.folder, tmp_path_factory.mktemp("later") / "data")))
    try:
        yield run.until("Stop it with Ctrl-C.")
    finally:
        run.finish()


@pytest.fixture(scope="session")
def _browser() -> "Iterator[Browser]":
    import os

    from playwright.sync_api import expect, sync_playwright

    from tests import browser

    expect.set_options(timeout=browser.PATIENCE)

    # Playwright keeps an event loop in this thread, where Django then suspects asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=browser.find(), args=list(browser.FLAGS), timeout=browser.PATIENCE
        )
        yield running
        running.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page(_browser: "Browser", server: "Product") -> "Iterator[Page]":
    """An empty page of a real browser in a fresh profile; its addresses begin at the running product."""
    from tests import browser

    context = _browser.new_context(base_url=server.url)
    context.set_default_timeout(browser.PATIENCE)
    yield context.new_page()
    # Those of a test that failed too: a page that is left open goes on asking the product.
    for one in _browser.contexts:
        one.close()


@pytest.fixture
def people(db: None) -> "People":
    """Club A with owner, admin, scorekeeper and member, club B with the stranger: see `tests/people.py`."""
    from tests.people import make_people

    return make_people()
