"""How often an actor may ask: so many requests in a window of a minute that begins with the first of them.

Terms: a *window* is counted by a key (`token:7`, `user:3`) and ends `WINDOW` seconds after its first request, whatever
comes in between. Promises: with Redis the count is exact across threads, processes and hosts, since one script both
counts and sets the end; without, each process counts for itself. A Redis that is down or hangs never fails a request:
it is let pass uncounted, and the log says so once. Never: asks the database.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import ceil

from django.conf import settings
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry

logger = logging.getLogger(__name__)

WINDOW = 60  # seconds
_PREFIX = "tischliga:rate:"
# For one count, and how long a Redis that failed is left alone: a request must not wait for it again and again.
_TIMEOUT = 0.25
_PAUSE = 5.0
# As many keys as a busy installation has in a minute; beyond it those whose window is over are dropped.
_MANY_KEYS = 10_000

# One step for everybody: nobody can come between the count and the end of the window.
_SCRIPT = """
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}
"""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an actor stands: `remaining` of `limit` requests, until a new window begins in `reset` seconds."""

    limit: int
    remaining: int
    reset: int
    exceeded: bool


def count(*, key: str, limit: int | None) -> Standing | None:
    """Count one request by `key`; None when it is not limited, or can't be counted now.

    `limit` is in requests a window; None means the installation's `RATE_LIMIT`, of which 0 is none.
    """
    allowed = settings.RATE_LIMIT if limit is None else limit
    if allowed == 0:
        return None
    counted = _shared(settings.REDIS_URL)(key) if settings.REDIS_URL else _own(key)
    if counted is None:
        return None
    number, left = counted
    remaining = max(0, allowed - number)
    return Standing(limit=allowed, remaining=remaining, reset=max(1, ceil(left)), exceeded=number > allowed)


class _Own:
    """The windows of this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._windows: dict[str, tuple[int, float]] = {}

    def __call__(self, key: str) -> tuple[int, float]:
        """(requests in this window, seconds until it ends)."""
        now = self._clock()
        with self._lock:
            number, end = self._windows.get(key, (0, 0.0))
            if end <= now:
                if len(self._windows) >= _MANY_KEYS:
                    self._windows = {one: window for one, window in self._windows.items() if window[1] > now}
                number, end = 0, now + WINDOW
            self._windows[key] = (number + 1, end)
        return number + 1, end - now


class _Shared:
    """The windows in a Redis that all processes share."""

    def __init__(self, url: str) -> None:
        client = Redis.from_url(
            url,
            socket_timeout=_TIMEOUT,
            socket_connect_timeout=_TIMEOUT,
            # Once more, on a new connection: the old one may have been closed while nobody asked.
            retry=Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
        )
        self._script = client.register_script(_SCRIPT)
        self._failed_at: float | None = None

    def __call__(self, key: str) -> tuple[int, float] | None:
        """(requests in this window, seconds until it ends); None while Redis does not answer."""
        failed_at = self._failed_at
        if failed_at is not None and time.monotonic() - failed_at < _PAUSE:
            return None
        try:
            number, milliseconds = self._script(keys=[_PREFIX + key], args=[WINDOW * 1000])
        except RedisError as error:
            self._failed_at = time.monotonic()
            if failed_at is None:
                logger.warning("Redis does not answer; requests are not counted until it does: %s", error)
            return None
        if failed_at is not None:
            self._failed_at = None
            logger.info("Redis answers again; requests are counted.")
        return number, milliseconds / 1000


_own = _Own()
_shared = cache(_Shared)
