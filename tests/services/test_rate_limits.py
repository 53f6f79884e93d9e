"""So many requests in a window and not one more: across threads and processes with Redis, for each process without."""

import json
import logging
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from league.services import rate_limits
from league.services.rate_limits import WINDOW, Standing
from tests.servers import hold_a_port, valkey

# What a process of its own does: 4 threads ask 60 times each, with the one limit that all share.
_PROCESS = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from django.conf import settings
settings.configure(RATE_LIMIT=100, REDIS_URL=sys.argv[1])
from league.services import rate_limits
rate_limits._TIMEOUT = 60

def ask(_number):
    standing = rate_limits.count(key="token:1", limit=None)
    return [standing.exceeded, standing.remaining]

print("ready", flush=True)
sys.stdin.readline()
with ThreadPoolExecutor(4) as pool:
    print(json.dumps(list(pool.map(ask, range(240)))))
"""


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Redis that answers does so within a quarter of a second only where nobody else takes the processor."""
    monkeypatch.setattr(rate_limits, "_TIMEOUT", 60)


@pytest.fixture
def redis_url(tmp_path: Path, patient: None) -> Iterator[str]:
    """A Valkey for one test, which may stop it."""
    with hold_a_port() as holder:
        port = holder.getsockname()[1]
        with valkey(tmp_path / "valkey", port, "seven"):
            yield f"redis://:seven@127.0.0.1:{port}/0"


@pytest.fixture
def shared(settings: Any, redis_url: str) -> "Iterator[Redis]":
    """The limit of the installation is 3, counted in a Redis; a client to look into it."""
    settings.RATE_LIMIT, settings.REDIS_URL = 3, redis_url
    with Redis.from_url(redis_url) as client:
        yield client


@pytest.fixture
def own(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The limit of the installation is 3, counted in the process by a clock whose hand is in the list."""
    settings.RATE_LIMIT, settings.REDIS_URL = 3, ""
    hand = [1000.0]
    monkeypatch.setattr(rate_limits, "_own", rate_limits._Own(lambda: hand[0]))
    return hand


def _ask(key: str = "token:1", limit: int | None = None) -> Standing:
    standing = rate_limits.count(key=key, limit=limit)
    assert standing is not None
    return standing


def test_two_processes_with_four_threads_each_share_one_count(redis_url: str) -> None:
    command = [sys.executable, "-c", _PROCESS, redis_url]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    both: list[Any] = [subprocess.Popen(command, **pipes) for _one in range(2)]  # type: ignore[call-overload]
    answers: list[tuple[bool, int]] = []
    for one in both:
        assert one.stdout.readline() == "ready\n"
    for one in both:
        one.stdin.write("\n")
        one.stdin.flush()
    for one in both:
        with one:
            answers += [(exceeded, remaining) for exceeded, remaining in json.loads(one.stdout.read())]
    let_pass = [remaining for exceeded, remaining in answers if not exceeded]
    # 480 asked, 100 passed, and each of these was told another number.
    assert len(answers) == 480
    assert sorted(let_pass) == list(range(100))
    assert Counter(remaining for exceeded, remaining in answers if exceeded) == {0: 380}


def test_a_window_begins_with_its_first_request_and_none_after_it_makes_it_longer(shared: Redis) -> None:
    assert _ask() == Standing(limit=3, remaining=2, reset=WINDOW, exceeded=False)
    (key,) = shared.keys("*")
    shared.pexpire(key, 30_000)
    asked = [_ask() for _time in range(4)]
    assert [(one.remaining, one.exceeded) for one in asked] == [(1, False), (0, False), (0, True), (0, True)]
    # By the real clock, and a test may be kept waiting.
    assert 0 < asked[-1].reset <= asked[0].reset <= 30
    shared.pexpire(key, 0)
    assert _ask() == Standing(limit=3, remaining=2, reset=WINDOW, exceeded=False)


def test_the_same_in_one_process_without_redis(own: list[float]) -> None:
    assert _ask() == Standing(limit=3, remaining=2, reset=60, exceeded=False)
    own[0] += 30
    assert [_ask() for _time in range(3)] == [
        Standing(limit=3, remaining=1, reset=30, exceeded=False),
        Standing(limit=3, remaining=0, reset=30, exceeded=False),
        Standing(limit=3, remaining=0, reset=30, exceeded=True),
    ]
    own[0] += 29.5
    assert _ask() == Standing(limit=3, remaining=0, reset=1, exceeded=True)
    own[0] += 0.5
    assert _ask() == Standing(limit=3, remaining=2, reset=60, exceeded=False)


def test_threads_of_one_process_share_its_count(own: list[float]) -> None:
    with ThreadPoolExecutor(8) as pool:
        standings = list(pool.map(lambda _number: _ask(limit=500), range(2000)))
    assert sorted(one.remaining for one in standings if not one.exceeded) == list(range(500))


def test_windows_that_are_over_are_forgotten(own: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "_MANY_KEYS", 10)
    for number in range(10):
        _ask(f"user:{number}")
    own[0] += WINDOW
    _ask("user:10")
    assert list(rate_limits._own._windows) == ["user:10"]


@pytest.mark.parametrize("where", ["own", "shared"])
def test_everybody_is_counted_alone_and_by_the_own_limit(where: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue(where)
    assert [_ask("token:1", limit=1).exceeded for _time in range(2)] == [False, True]
    assert [_ask("token:2").exceeded for _time in range(4)] == [False, False, False, True]
    assert [_ask("user:1").exceeded for _time in range(4)] == [False, False, False, True]


def test_a_limit_of_nought_is_none_but_a_token_may_have_its_own(own: list[float], settings: Any) -> None:
    settings.RATE_LIMIT = 0
    assert rate_limits.count(key="token:1", limit=None) is None
    assert _ask("token:1", limit=1).remaining == 0
    assert _ask("token:1", limit=1).exceeded


def test_a_redis_that_is_down_lets_everything_pass_and_is_told_of_once(
    settings: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, patient: None
) -> None:
    caplog.set_level(logging.INFO, logger="league.services.rate_limits")
    with hold_a_port() as holder:
        port = holder.getsockname()[1]
        settings.RATE_LIMIT, settings.REDIS_URL = 1, f"redis://:seven@127.0.0.1:{port}/0"
        with valkey(tmp_path / "first", port, "seven"):
            assert not _ask().exceeded
            assert _ask().exceeded
        assert [rate_limits.count(key="token:1", limit=None) for _time in range(20)] == [None] * 20
        assert [record.levelname for record in caplog.records] == ["WARNING"]
        # Not at once: for a while nobody waits for it.
        monkeypatch.setattr(rate_limits, "_PAUSE", 0.0)
        assert rate_limits.count(key="token:1", limit=None) is None
        with valkey(tmp_path / "second", port, "seven"):
            assert not _ask().exceeded
            assert _ask().exceeded
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_only_the_first_request_waits_for_a_redis_that_hangs(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "_PAUSE", 600.0)
    with hold_a_port() as silent:
        silent.listen()  # takes connections and never answers
        settings.RATE_LIMIT, settings.REDIS_URL = 1, f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        asked = [rate_limits.count(key="token:1", limit=None) for _time in range(100)]
        silent.setblocking(False)
        with silent.accept()[0], pytest.raises(BlockingIOError):
            silent.accept()
    assert asked == [None] * 100
