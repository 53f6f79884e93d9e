"""`make run`, as somebody types it: a real process on a data folder of its own, stopped as a terminal stops it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.product import ROOT, TIMEOUT, Log, product_environ, wait_for
from tests.servers import hold_a_port


class Run:
    """One `make run` in a process group of its own, as in a terminal."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder = folder
        self._held = hold_a_port()
        self.port = int(variables.setdefault("PORT", str(self._held.getsockname()[1])))
        self.url = f"http://127.0.0.1:{self.port}"
        self.output = folder.parent / f"{folder.name}-{self.port}.log"
        # The environment of the tests has everything that the product needs.
        environment = {"VENV": sys.prefix, "LOCK": "requirements-test.lock", "PYTHON": sys.executable}
        arguments = {**environment, "WEB_WORKERS": "1", **variables}
        with self.output.open("wb") as output:
            self.make = subprocess.Popen(
                ["make", "run", *(f"{name}={value}" for name, value in arguments.items())],
                cwd=ROOT,
                env=product_environ(folder, {}),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def said(self) -> str:
        return self.output.read_text()

    def until(self, text: str) -> "Run":
        """Wait until it has said `text`."""
        wait_for(lambda: text in self.said() or self.make.poll() is not None, repr(text), Log(self.output), 2 * TIMEOUT)
        assert text in self.said()
        return self

    def interrupt(self) -> None:
        """What Ctrl-C does: SIGINT to everything in the terminal's foreground."""
        os.killpg(self.make.pid, signal.SIGINT)
        # make waits for its command and then ends by the same signal, whatever the command's status was.
        assert self.ended() in {0, -signal.SIGINT}

    def ended(self) -> int:
        """Wait for its end; its exit status."""
        return self.make.wait(TIMEOUT)

    def processes(self) -> dict[int, str]:
        """Every living process that works on this data folder, with its command line."""
        found = {}
        for path in Path("/proc").glob("[0-9]*"):
            try:
                if f"DATA_DIR={self.folder}".encode() in (path / "environ").read_bytes().split(b"\0"):
                    found[int(path.name)] = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
        return {pid: command for pid, command in found.items() if command}

    def process(self, part: str) -> int | None:
        """The id of the process whose command line has `part`; of several the first."""
        return next((pid for pid, command in sorted(self.processes().items()) if part in command), None)

    def finish(self) -> None:
        for pid in self.processes():
            _kill(pid)
        self.ended()
        self._held.close()


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
