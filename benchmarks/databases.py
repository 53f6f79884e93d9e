"""What benchmarks of the product's own code share: an empty database of each kind, a process each, and a stop watch."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def timed(what: str, call: Callable[[], T]) -> T:
    """Call, and print how long it took."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = call()
    seconds, busy = time.perf_counter() - wall, time.process_time() - cpu
    sys.stdout.write(f"  {what:<12} {seconds:7.1f} s, {busy:7.1f} s of CPU time here\n")
    sys.stdout.flush()
    return result


@contextmanager
def database(kind: str) -> Iterator[None]:
    """An empty database of that kind as the product's."""
    from tests.servers import Servers

    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATA_DIR"] = folder
        servers = Servers(os.environ, sqlite=kind == "sqlite")
        servers.start()
        try:
            yield
        finally:
            servers.stop()


def on_each(
    module: str,
    parser: argparse.ArgumentParser,
    *,
    usual: Sequence[str],
    measure: Callable[[str, argparse.Namespace], None],
) -> None:
    """Call `measure` with the kind of database and the options of `parser`, on each kind that the arguments name.

    `module` is the benchmark's own; it runs again in a process for each kind, since settings are read once.
    """
    parser.add_argument("databases", nargs="*", metavar="sqlite|postgresql", default=list(usual))
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
        with database(options.databases[0]):
            measure(options.databases[0], options)
        return
    given = [f"--{name}={value}" for name, value in vars(options).items() if name not in {"databases", "here"}]
    for kind in options.databases:
        sys.stdout.write(f"{kind}\n")
        sys.stdout.flush()
        command = [sys.executable, "-m", module, "--here", *given, kind]
        subprocess.run(command, cwd=Path(__file__).parents[1], check=True)  # noqa: S603  # our own module
