"""The embedded broker: messages and the table of queues as files in two folders, for processes of one machine.

It is kombu's filesystem transport but for how files come to be. Terms: a *message* is the file
`<time>_<random>.<queue>.msg` in the folder of the queue; the *table* of an exchange is the file that says which queues
its messages go to. Promises: a file under its final name is whole, whoever is killed while writing it; a message goes
to one worker; one that can't be read, or that says nothing a worker could take, is put aside under another name with a
line in the log, and neither it nor a broken table ever ends a worker. Never: keeps a promise about delivery; whatever
is lost here is rung for again by the sweep (`league/services/jobs.py`).
"""

import fcntl
import logging
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.transport.virtual import BrokerState, Message
from kombu.utils.json import dumps, loads

logger = logging.getLogger(__name__)

# Behind the name of a file, so that no worker takes it for a message.
UNFINISHED = ".unfinished"
BROKEN = ".broken"
# Seconds after which such a file is of no use to anybody.
_KEPT = {UNFINISHED: 3600, BROKEN: 7 * 24 * 3600}


class Channel(filesystem.Channel):
    """Messages and tables that are written beside and renamed, and read with doubt."""

    def get_table(self, exchange: str) -> list[filesystem.exchange_queue_t]:  # type: ignore[override]
        """The queues of an exchange; none where its table is not there or broken, which the next worker mends."""
        path = self._table(exchange)
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise ChannelError(f"{path} can't be read.") from error
        try:
            return [filesystem.exchange_queue_t(*map(str, row)) for row in loads(text)]
        except (TypeError, ValueError):
            logger.warning("The table of queues %s is broken: %r", path, text[:100])
            return []

    def _queue_bind(self, exchange: str, routing_key: str | None, pattern: str | None, queue: str | None) -> None:
        self.control_folder.mkdir(exist_ok=True)
        row = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with self._locked(exchange):
            rows = self.get_table(exchange)
            if row not in rows:
                _write(self._table(exchange), [row, *rows])

    def _delete(self, queue: str, exchange: str, routing_key: str, pattern: str, *args: Any, **kwargs: Any) -> None:
        self._purge(queue)
        row = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with self._locked(exchange):
            rows = self.get_table(exchange)
            if row in rows:
                _write(self._table(exchange), [other for other in rows if other != row])

    def _table(self, exchange: str) -> Path:
        return Path(self._exchange_file(exchange))  # type: ignore[attr-defined]  # newer than the stubs

    @contextmanager
    def _locked(self, exchange: str) -> Iterator[None]:
        """Alone at the table of an exchange. The lock is a file of its own, since the table's is replaced."""
        with self._table(exchange).with_suffix(".lock").open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        # Workers take the first by name: the time stands in front, as wide at all times.
        path = Path(self.data_folder_out, f"{time.time_ns():020}_{secrets.token_hex(8)}.{queue}.msg")
        try:
            _write(path, payload)
        except OSError as error:
            raise ChannelError(f"The message {path} can't be written.") from error

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        """Take the first message of a queue. Raises Empty."""
        # Names, not paths: sorting thousands of those takes many times as long.
        with os.scandir(self.data_folder_in) as found:
            names = sorted(one.name for one in found if one.name.partition(".")[2] == f"{queue}.msg")
        for path in (Path(self.data_folder_in, name) for name in names):
            try:
                payload = self._read(path)
            except FileNotFoundError:
                continue  # another worker took it
            except Exception as error:  # nothing that stands in a file may end a worker
                _put_aside(path, error)
                continue
            # Of several workers that read it, the one that removes it has it.
            with suppress(OSError):
                path.unlink()
                return payload
        raise Empty

    def _read(self, path: Path) -> Any:
        """The message in a file. Raises an error of any kind where it is none."""
        payload = loads(path.read_bytes())
        # What virtual transports ask of a message, at the time when the file is known.
        message = Message(payload, channel=self)
        if not isinstance(message.delivery_tag, str):
            raise TypeError("the delivery tag is no text")
        return payload


class Transport(filesystem.Transport):
    """The transport `folder://`, with the options of kombu's `filesystem://`."""

    Channel = Channel

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        # A state of its own, not kombu's one of the process: each new connection looks at the tables anew.
        self.state = BrokerState()

    def establish_connection(self) -> Any:
        connection = super().establish_connection()
        client: Any = self.client
        for name in ("data_folder_in", "control_folder"):
            _tidy(Path(client.transport_options[name]))
        return connection


def _write(path: Path, content: Any) -> None:
    """Have the JSON under this name, whole: a reader finds the file that was there before, or this one."""
    unfinished = path.with_name(f"{path.name}.{secrets.token_hex(8)}{UNFINISHED}")
    try:
        unfinished.write_text(dumps(content), encoding="utf-8")
        unfinished.replace(path)
    except OSError:
        with suppress(OSError):
            unfinished.unlink()
        raise


def _put_aside(path: Path, error: Exception) -> None:
    try:
        path.replace(path.with_name(path.name + BROKEN))
    except FileNotFoundError:
        return  # another worker did
    except OSError as reason:
        logger.warning("The broken message %s can't be put aside: %s", path, reason)
        return
    logger.warning("The message %s is broken and put aside as *%s: %r", path, BROKEN, error)


def _tidy(folder: Path) -> None:
    """Remove what killed writers left and what was put aside long ago."""
    now = time.time()
    for suffix, kept in _KEPT.items():
        for path in folder.glob(f"*{suffix}"):
            with suppress(OSError):
                if path.stat().st_mtime < now - kept:
                    path.unlink()
