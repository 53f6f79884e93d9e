"""The embedded broker: whatever stands in its folders, and whoever is killed while writing there, workers go on."""

import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection, Exchange, Queue
from kombu.exceptions import OperationalError

from league import celery as _folders_transport  # noqa: F401 - makes folder:// known
from league.broker import BROKEN, UNFINISHED

BELLS = Queue("bells", Exchange("bells"), routing_key="bells")


def connect(folder: Path) -> Connection:
    folders = dict.fromkeys(("data_folder_in", "data_folder_out", "control_folder"), str(folder))
    return Connection("folder://localhost", transport_options={**folders, "polling_interval": 0.001})


def ring(folder: Path, *numbers: int) -> None:
    with connect(folder) as connection:
        producer = connection.Producer()
        for number in numbers:
            producer.publish({"job": number}, exchange=BELLS.exchange, routing_key="bells", declare=[BELLS])


def heard(folder: Path) -> list[Any]:
    """What one worker finds until the queue is empty."""
    found: list[Any] = []
    with connect(folder) as connection, connection.SimpleQueue(BELLS) as bells:  # type: ignore[arg-type]
        while True:
            try:
                message = bells.get(block=False)
            except Empty:
                return found
            found.append(message.payload)
            message.ack()


def names(folder: Path, suffix: str) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.endswith(suffix))


@pytest.fixture
def whole(tmp_path: Path) -> Iterator[bytes]:
    """A message as it stands in its file, taken out of the folder."""
    ring(tmp_path, 0)
    (path,) = tmp_path.glob("*.msg")
    yield path.read_bytes()


def broken(whole: bytes) -> dict[str, bytes]:
    message = json.loads(whole)
    properties = message["properties"]
    return {
        "empty": b"",
        "half": whole[: len(whole) // 2],
        "no JSON": b"\xff\x00 what is this?",
        "a list": b"[1, 2]",
        "a number": b"7",
        "too deep": b"[" * 100_000,
        "no properties": json.dumps({**message, "properties": None}).encode(),
        "no delivery tag": json.dumps({**message, "properties": {**properties, "delivery_tag": None}}).encode(),
        "a body that is no text": json.dumps({**message, "body": 7}).encode(),
    }


def test_what_is_no_message_is_put_aside_and_told(
    tmp_path: Path, whole: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    told = broken(whole)
    for number, content in enumerate(told.values()):
        (tmp_path / f"{number}.bells.msg").write_bytes(content)
    (tmp_path / "99.bells.msg").mkdir()
    ring(tmp_path, 1)
    # In the order of their names, the newest last: all that is broken stands before it.
    assert heard(tmp_path) == [{"job": 0}, {"job": 1}]
    assert len(names(tmp_path, BROKEN)) == len(told) + 1
    assert caplog.text.count("is broken and put aside") == len(told) + 1
    assert names(tmp_path, ".msg") == []


def test_a_message_under_its_name_is_whole(tmp_path: Path) -> None:
    """A reader that looks all the time sees no half of a message: it is long, and written a hundred times."""
    long, seen, ended = "x" * 300_000, [], threading.Event()

    def look() -> None:
        while not ended.is_set():
            for path in tmp_path.glob("*.msg"):
                seen.append(json.loads(path.read_bytes())["headers"] is not None)
                path.unlink()

    reader = threading.Thread(target=look)
    reader.start()
    with connect(tmp_path) as connection:
        producer = connection.Producer()
        for _ in range(100):
            producer.publish({"job": long}, exchange=BELLS.exchange, routing_key="bells", declare=[BELLS])
    time.sleep(0.01)
    ended.set()
    reader.join()
    left = len(names(tmp_path, ".msg"))
    assert len(seen) + left == 100
    assert all(seen)
    assert names(tmp_path, UNFINISHED) == []


def test_who_is_killed_while_writing_leaves_nothing_that_is_read(tmp_path: Path) -> None:
    unfinished = [f"1_a.bells.msg.b{UNFINISHED}", f"bells.exchange.b{UNFINISHED}"]
    for name in unfinished:
        (tmp_path / name).write_bytes(b'{"bo')
    ring(tmp_path, 1)
    assert heard(tmp_path) == [{"job": 1}]
    assert names(tmp_path, UNFINISHED) == sorted(unfinished)
    # An hour later nobody is writing it any more.
    for name in unfinished:
        os.utime(tmp_path / name, (time.time() - 3601,) * 2)
    assert heard(tmp_path) == []
    assert names(tmp_path, UNFINISHED) == []


def test_of_several_workers_at_one_folder_each_message_reaches_one(tmp_path: Path) -> None:
    numbers = list(range(200))
    ring(tmp_path, *numbers)
    found: list[list[Any]] = [[] for _ in range(4)]
    ready = threading.Barrier(4)

    def work(mine: list[Any]) -> None:
        ready.wait()
        mine.extend(heard(tmp_path))

    workers = [threading.Thread(target=work, args=(mine,)) for mine in found]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(one["job"] for mine in found for one in mine) == numbers
    assert names(tmp_path, BROKEN) == []


def test_a_message_that_is_gone_meanwhile_is_somebody_elses(tmp_path: Path) -> None:
    """A link to nothing is such a one: its name is listed, and to read it finds no file."""
    (tmp_path / "0.bells.msg").symlink_to(tmp_path / "gone")
    ring(tmp_path, 1)
    assert heard(tmp_path) == [{"job": 1}]
    assert names(tmp_path, BROKEN) == []


@pytest.mark.parametrize("content", [b"", b'[["bel', b"7", b"[7]", b"\xff"])
def test_a_broken_table_is_mended_by_who_declares_the_queue_next(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bells.exchange").write_bytes(content)
    ring(tmp_path, 1)
    assert json.loads((tmp_path / "bells.exchange").read_text()) == [["bells", "", "bells"]]
    assert heard(tmp_path) == [{"job": 1}]


def test_queues_that_are_declared_at_once_all_stand_in_the_table(tmp_path: Path) -> None:
    ready = threading.Barrier(8)

    def declare(number: int) -> None:
        with connect(tmp_path) as connection:
            channel: Any = connection.channel()
            ready.wait()
            channel._queue_bind("bells", f"key-{number}", "", f"queue-{number}")

    threads = [threading.Thread(target=declare, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = json.loads((tmp_path / "bells.exchange").read_text())
    assert sorted(rows) == [[f"key-{number}", "", f"queue-{number}"] for number in range(8)]


def test_a_queue_that_is_deleted_leaves_the_table(tmp_path: Path) -> None:
    ring(tmp_path, 1)
    with connect(tmp_path) as connection:
        bells = BELLS(connection.default_channel)
        bells.declare()
        bells.delete()
    assert json.loads((tmp_path / "bells.exchange").read_text()) == []
    assert names(tmp_path, ".msg") == []


def test_a_folder_that_is_gone_is_a_broker_that_is_down(tmp_path: Path) -> None:
    with pytest.raises((OperationalError, OSError)):
        ring(tmp_path / "gone", 1)
