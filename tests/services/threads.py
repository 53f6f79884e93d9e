"""Real threads with real connections."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

T = TypeVar("T")


def at_once(calls: Sequence[Callable[[], T]]) -> list[T | BaseException]:
    """Run every call in a thread of its own, all from the same moment on; the results, or what was raised."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], T]) -> T | BaseException:
        try:
            connection.ensure_connection()
            start.wait(timeout=60)
            return call()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
