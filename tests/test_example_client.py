"""The example client against the running product; where the product can't be made to fail, against a small server."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from examples.tischliga_client import ApiError, Tischliga
from league.models import Scope, Session
from league.services import tokens
from tests.api.evenings import evening
from tests.people import NOW, People
from tests.product import Product


@pytest.fixture
def liga(server: Product, people: People) -> Tischliga:
    access = people.access(people.owner)
    _token, raw = tokens.create(access=access, name="client", scope=Scope.CLUB_ADMIN, expires_at=None, now=NOW)
    return Tischliga(server.url, club="herzclub", token=raw)


def test_records_once_corrects_and_pages(liga: Tischliga) -> None:
    posted, worked = evening("four-players")
    first = liga.record(posted, key="evening-1")
    assert {one["player"]["name"]: one["place"] for one in first["players"]} == {
        name: result["place"] for name, result in worked["final"].items()
    }
    assert liga.record(posted, key="evening-1") == first
    assert Session.objects.count() == 1

    changed = liga.correct(first["id"], {"location": "Bistro Blau"}, reason="It was not at Ann's.")
    assert (changed["location"], changed["revision"]) == ("Bistro Blau", 2)
    assert liga.get(f"sessions/{first['id']}/")["location"] == "Bistro Blau"

    names = [player["name"] for player in liga.all("players/", limit=2)]
    assert names == ["Ann", "Ben", "Cem", "Dora", "Eva", "Finn"]

    with pytest.raises(ApiError) as refused:
        liga.post("players/", {"name": ""})
    assert refused.value.status == 400
    assert refused.value.problem["errors"][0]["pointer"] == "#/name"


@contextmanager
def answering(*answers: tuple[int, dict[str, str]]) -> Iterator[tuple[str, list[tuple[str, str | None]]]]:
    """A server that gives these answers in turn; its address, and what it was asked: method and key."""
    left, asked = list(answers), []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append((self.command, self.headers["Idempotency-Key"]))
            self.rfile.read(int(self.headers["Content-Length"]))
            status, headers = left.pop(0)
            body = json.dumps({"status": status}).encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_waits_as_long_as_it_is_told_and_sends_the_same_key_again() -> None:
    waits: list[float] = []
    with answering((429, {"Retry-After": "7"}), (503, {"Retry-After": "2"}), (201, {})) as (url, asked):
        liga = Tischliga(url, club="herzclub", token="tl_x", sleep=waits.append)
        assert liga.post("players/", {"name": "Gus"}) == {"status": 201}
    assert waits == [7, 2]
    assert len(asked) == 3
    assert len(set(asked)) == 1
    assert asked[0][1]


def test_gives_up_at_last_and_at_once_where_a_repeat_helps_nobody() -> None:
    waits: list[float] = []
    with answering(*[(503, {"Retry-After": "1"})] * 5, (409, {})) as (url, asked):
        liga = Tischliga(url, club="herzclub", token="tl_x", sleep=waits.append)
        for status in (503, 409):
            with pytest.raises(ApiError) as refused:
                liga.post("players/", {"name": "Gus"})
            assert refused.value.status == status
    assert len(waits) == 4
    assert len(asked) == 6
