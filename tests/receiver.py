"""A real HTTP receiver of webhooks on this machine, as another program would be one."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook

Respond = Callable[[BaseHTTPRequestHandler], object]


@dataclass(frozen=True)
class Request:
    """What came in."""

    path: str
    headers: dict[str, str]  # names in small letters
    body: bytes

    def verified(self, secret: str) -> Any:
        """The message, after the check that the specification asks receivers for. Raises when it is not the club's."""
        return Webhook(secret).verify(self.body, self.headers)


def status(code: int, body: bytes = b"", **headers: str) -> Respond:
    """Answer with a status, a body and headers (names with underscores)."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return respond


@dataclass
class Receiver:
    """Takes every POST; `answers` are used up one a request, then it is 204."""

    url: str = ""
    requests: list[Request] = field(default_factory=list)
    answers: list[Respond] = field(default_factory=list)
    # Set when the test is over: what a hanging answer waits for.
    over: threading.Event = field(default_factory=threading.Event)

    def hang(self, handler: BaseHTTPRequestHandler) -> None:
        """Give no answer."""
        self.over.wait(30)

    def drip(self, handler: BaseHTTPRequestHandler) -> None:
        """Give an answer that never ends, a header every moment."""
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while not self.over.wait(0.02):
            try:
                handler.wfile.write(b"X: y\r\n")
            except OSError:
                return


@contextmanager
def receiving(host: str = "127.0.0.1", port: int = 0, wrap: Callable[[Any], Any] | None = None) -> Iterator[Receiver]:
    """A receiver while the block runs; `wrap` puts its socket into TLS."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.requests.append(Request(self.path, headers, body))
            answer = receiver.answers.pop(0) if receiver.answers else status(204)
            answer(self)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *args: object) -> None:
            """Callers that go away, as at a time-out, are part of the tests."""

    with Server((host, port), Handler) as server:
        if wrap is not None:
            server.socket = wrap(server.socket)
        scheme = "http" if wrap is None else "https"
        receiver.url = f"{scheme}://{host}:{server.server_port}/hook"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            receiver.over.set()
            server.shutdown()
            thread.join()
