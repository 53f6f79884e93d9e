"""A small client for Tischliga's API, to copy into a program and change. Python 3.11 or newer and nothing else.

    liga = Tischliga("http://127.0.0.1:8000", club="demo", token="tl_…")
    session = liga.record({"format": "single_game", "played_on": "2026-11-02", "players": […], "rounds": […], …})
    liga.correct(session["id"], {"location": "Café Rot"}, reason="It was not at Ann's.")
    for player in liga.all("players/"):
        print(player["name"])

Promises: a POST is carried out once, however often it has to be sent (it has an Idempotency-Key); what the server asks
to be repeated (429, 503) and what got no answer at all is repeated after the time that it names; a correction changes
the state that was read and no other. Every other refusal is an `ApiError` with the server's problem document.
"""

import json
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode, urljoin

Json = dict[str, Any]

AGAIN = {429, 503}
ATTEMPTS = 5
LONGEST_WAIT = 60.0  # seconds


class ApiError(Exception):
    """The server refused; `problem` is its document (RFC 9457): `errors` names each place, `warnings` what is odd."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(f"{status} {problem.get('title', '')}: {problem.get('detail', '')}")
        self.status = status
        self.problem = problem


class Tischliga:
    """One club on one server, spoken to with one token. `sleep` waits so many seconds."""

    def __init__(self, server: str, *, club: str, token: str, sleep: Callable[[float], None] = time.sleep) -> None:
        if not server.startswith(("http://", "https://")):
            raise ValueError(f"{server!r} is no address of a server: it begins with http:// or https://")
        self.base = f"{server.rstrip('/')}/api/v1/clubs/{club}/"
        self.token = token
        self.sleep = sleep

    def record(self, session: Json, *, key: str | None = None) -> Json:
        """Record a session and return its score sheet. The same `key` later gives the same answer and no second one."""
        return self.post("sessions/", session, key=key)

    def correct(self, session_id: int, changes: Json, *, reason: str) -> Json:
        """Change a recorded session as it is now. Raises ApiError 412 when somebody changes it in between."""
        path = f"sessions/{session_id}/"
        _body, headers = self.call("GET", path)
        body, _headers = self.call("PATCH", path, {**changes, "reason": reason}, {"If-Match": headers["ETag"]})
        return body

    def get(self, path: str, **query: object) -> Json:
        """What is at an address of the club."""
        return self.call("GET", f"{path}?{urlencode(query)}" if query else path)[0]

    def post(self, path: str, body: Json, *, key: str | None = None) -> Json:
        """Send something new, once; `key` (None: a new one) stands for this request and no other."""
        return self.call("POST", path, body, {"Idempotency-Key": key or str(uuid.uuid4())})[0]

    def all(self, path: str, **query: object) -> Iterator[Json]:
        """Every row of a list, page after page."""
        address: str | None = f"{path}?{urlencode(query)}" if query else path
        while address is not None:
            page = self.call("GET", address)[0]
            yield from page["results"]
            address = page["next"]

    def call(
        self, method: str, path: str, body: Json | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[Json, Mapping[str, str]]:
        """The answer's JSON and headers. Raises ApiError, and OSError when there is no answer after all attempts."""
        request = urllib.request.Request(  # noqa: S310 - checked above, next addresses are relative
            urljoin(self.base, path),
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **(headers or {})},
        )
        for attempt in range(1, ATTEMPTS + 1):
            wait = float(attempt)
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - as above
                    text = answer.read()
                    return (json.loads(text) if text else {}), answer.headers
            except urllib.error.HTTPError as error:
                with error:
                    problem = json.loads(error.read() or b"{}")
                if error.code not in AGAIN or attempt == ATTEMPTS:
                    raise ApiError(error.code, problem) from None
                wait = float(error.headers.get("Retry-After", wait))
            except OSError:
                # Whether it was carried out is open: only what has no second effect may be sent again.
                if attempt == ATTEMPTS or (method != "GET" and "Idempotency-Key" not in (headers or {})):
                    raise
            self.sleep(min(wait, LONGEST_WAIT))
        raise AssertionError("unreachable")
