"""Calls to addresses that users gave, kept away from the network that the server itself stands in.

Terms: an address is *public* when every computer on the Internet could be the one behind it; to *pin* is to connect
to the very address that was checked, so that a name which answers differently the second time gains nothing.
Promises: http and https alone; every address of the name has to be public, at each call anew; TLS is verified
against the host's name; no redirect is followed and no proxy of the environment is asked; a call ends after
`SECONDS` however slowly it is answered, and of the answer no more than `ANSWER_BYTES` is read.
Never: raises for what the other side does; that is an `Answer` too.
"""

import ipaddress
import logging
import socket
import ssl
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from queue import Empty, SimpleQueue
from typing import Any

import httpcore
import httpx
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from league.services.clubs import is_text
from league.services.errors import InputError, Problem

logger = logging.getLogger(__name__)

SECONDS = 15.0
ANSWER_BYTES = 65_536
EXCERPT = 500
URL_LENGTH = 500
# A name is looked up while a person waits for the page, or within the seconds of a call.
_LOOKUP_SECONDS = 5.0
# One dead address of several must not use up the time for the others.
_CONNECT_SECONDS = 5.0

# Why there is no answer.
ERRORS: Mapping[str, Promise] = {
    "address": _l("The address can't be called."),
    "unknown_host": _l("The host's name is not known."),
    "not_public": _l("The host's address is not a public one."),
    "no_connection": _l("No connection."),
    "insecure": _l("No secure connection: the host's certificate is not in order."),
    "timeout": _l("No answer in time."),
    "bad_answer": _l("The answer is not HTTP."),
}

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

# Of what the registries of IANA set aside, the part that `ipaddress` takes for global, in this or another Python.
_SET_ASIDE = [
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8",  # this network (RFC 1122)
        "100.64.0.0/10",  # behind a provider's NAT (RFC 6598)
        "192.0.0.0/24",  # protocols of the IETF (RFC 6890)
        "192.88.99.0/24",  # relays of 6to4 (RFC 7526)
        "2001::/23",  # protocols of the IETF, Teredo among them (RFC 2928, RFC 4380)
        "2001:db8::/32",  # for documents (RFC 3849)
        "2002::/16",  # 6to4: an IPv4 address in disguise (RFC 3056)
        "3fff::/20",  # for documents (RFC 9637)
    )
]
# All that is handed out for the Internet (RFC 4291). Outside of it are, among others, IPv4 addresses in disguise:
# mapped ones (::ffff:0:0/96), those of NAT64 (64:ff9b::/96, 64:ff9b:1::/48) and compatible ones (::/96).
_UNICAST_V6 = ipaddress.ip_network("2000::/3")


class _Refused(Exception):
    """The request was not sent; the argument is a code of `ERRORS`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a call: the answer's status, or a code of `ERRORS` and no status."""

    status: int | None
    error: str
    milliseconds: int
    text: str = ""  # the beginning, at most `EXCERPT` characters
    retry_after: str | None = None  # the header of that name, as it came


def is_public(address: IPAddress) -> bool:
    """Whether the address is one of the Internet's, and not of a network behind it."""
    if isinstance(address, ipaddress.IPv6Address) and address not in _UNICAST_V6:
        return False
    if any(address.version == network.version and address in network for network in _SET_ASIDE):
        return False
    return address.is_global and not address.is_multicast


def _may_be_called(address: IPAddress) -> bool:
    if not settings.WEBHOOK_ALLOW_PRIVATE:
        return is_public(address)
    plain = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    address = plain or address
    # Link-local stays closed: there the machines of cloud providers find their own credentials.
    return not (address.is_link_local or address.is_multicast or address.is_unspecified)


def check_url(url: str) -> str:
    """The address as it is to be stored. Raises InputError at `url` for one that could not be called."""
    url = url.strip()
    malformed = _problem_of(url)
    if malformed is not None:
        raise InputError([Problem(("url",), "invalid_url", malformed)])
    parts = httpx.URL(url)
    try:
        _addresses(parts.raw_host.decode("ascii"), _port(parts), time.monotonic() + _LOOKUP_SECONDS)
    except _Refused as refusal:
        if str(refusal) == "unknown_host":
            message = _("The name “%(host)s” leads to no address.") % {"host": parts.host}
        else:
            message = _(
                "“%(host)s” is not on the Internet. Whoever runs this server can allow addresses of its own network "
                "(WEBHOOK_ALLOW_PRIVATE)."
            ) % {"host": parts.host}
        raise InputError([Problem(("url",), str(refusal), message)]) from refusal
    return url


def _problem_of(url: str) -> str | None:
    if len(url) > URL_LENGTH:
        return _("An address has at most %(maximum)d characters.") % {"maximum": URL_LENGTH}
    example = _("Give a whole address, as https://example.org/hooks/tischliga.")
    if not url or not is_text(url) or any(letter.isspace() for letter in url):
        return example
    try:
        parts = httpx.URL(url)
        # The host as people read it: a name in Punycode may be none.
        host, port = parts.host, _port(parts)
    except (httpx.InvalidURL, UnicodeError, ValueError):
        return example
    if parts.scheme not in {"http", "https"} or not host:
        return example
    mistakes = {
        _("Leave name and password out of the address: messages are signed instead."): "@" in url.split("/")[2],
        _("Leave out what follows the “#”: it is never sent."): "#" in url,
        _("Give a port from 1 to 65535, or none."): not 1 <= port <= 65535,
    }
    return next((message for message, made in mistakes.items() if made), None)


def _port(parts: httpx.URL) -> int:
    if parts.port is None:
        return 443 if parts.scheme == "https" else 80
    return parts.port


def _look_up(host: str, port: int) -> list[str]:
    """The addresses of a name, in the order in which the system would try them. Raises OSError, UnicodeError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def _addresses(host: str, port: int, deadline: float) -> list[str]:
    """The addresses of a host, every one of which may be called. Raises _Refused."""
    answers: SimpleQueue[list[str] | None] = SimpleQueue()

    def ask() -> None:
        try:
            answers.put(_look_up(host, port))
        except (OSError, UnicodeError):
            answers.put(None)

    # The system's resolver knows no time limit; a thread can be left behind.
    threading.Thread(target=ask, name="look-up", daemon=True).start()
    try:
        found = answers.get(timeout=max(0.0, min(_LOOKUP_SECONDS, deadline - time.monotonic())))
    except Empty:
        found = None
    if not found:
        raise _Refused("unknown_host")
    if not all(_may_be_called(ipaddress.ip_address(address)) for address in found):
        raise _Refused("not_public")
    return found


class _BoundedStream(httpcore.NetworkStream):
    """A stream whose every step ends by the deadline, so that a drop a second is no way to hold a worker."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self._stream = stream
        self._deadline = deadline

    def _left(self, error: type[Exception]) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise error
        return left

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._left(httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._left(httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        left = self._left(httpcore.ConnectTimeout)
        try:
            stream = self._stream.start_tls(ssl_context, server_hostname, left)
        except httpcore.ConnectError as error:
            # Told apart here: further out the reason is lost.
            if isinstance(error.__cause__, ssl.SSLError):
                raise _Refused("insecure") from error
            raise
        return _BoundedStream(stream, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


@dataclass
class _PinningBackend(httpcore.NetworkBackend):
    """Looks a name up once, checks all of its addresses and connects to one of these."""

    deadline: float
    _sockets: httpcore.NetworkBackend = field(default_factory=httpcore.SyncBackend)

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        failure: Exception = httpcore.ConnectTimeout()
        for address in _addresses(host, port, self.deadline):
            left = min(self.deadline - time.monotonic(), _CONNECT_SECONDS)
            if left <= 0:
                break
            try:
                stream = self._sockets.connect_tcp(address, port, left, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                return _BoundedStream(stream, self.deadline)
        raise failure


@cache
def _trust() -> ssl.SSLContext:
    """The authorities that certificates may come from; `SSL_CERT_FILE` names others, as for an own network."""
    return httpx.create_ssl_context()


def post(*, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
    """Send `body` to the address and tell what came of it."""
    began = time.monotonic()
    deadline = began + SECONDS

    def answer(status: int | None, error: str, text: str = "", retry_after: str | None = None) -> Answer:
        return Answer(status, error, round((time.monotonic() - began) * 1000), text, retry_after)

    if _problem_of(url) is not None:
        return answer(None, "address")
    parts = httpx.URL(url)
    lines = [
        (b"Host", parts.netloc),
        (b"Content-Length", str(len(body)).encode()),
        (b"Accept-Encoding", b"identity"),
        (b"Connection", b"close"),
        (b"User-Agent", f"Tischliga/{settings.VERSION}".encode()),
        *((name.encode("ascii"), value.encode("ascii")) for name, value in headers.items()),
    ]
    target = httpcore.URL(scheme=parts.raw_scheme, host=parts.raw_host, port=_port(parts), target=parts.raw_path)
    backend = _PinningBackend(deadline)
    try:
        with (
            httpcore.ConnectionPool(ssl_context=_trust(), network_backend=backend, max_connections=1) as pool,
            pool.stream("POST", target, headers=lines, content=body) as response,
        ):
            status = response.status
            named = {name.lower(): value for name, value in response.headers}
            retry_after = named.get(b"retry-after", b"").decode("ascii", "replace")[:40] or None
            return answer(status, "", _excerpt(_read(response)), retry_after)
    except _Refused as refusal:
        return answer(None, str(refusal))
    except httpcore.TimeoutException:
        return answer(None, "timeout")
    except httpcore.ProtocolError:
        return answer(None, "bad_answer")
    except httpcore.NetworkError:
        return answer(None, "no_connection")


def _read(response: httpcore.Response) -> bytes:
    """The beginning of the answer's body; what breaks off within it still was an answer."""
    read = b""
    try:
        for chunk in response.iter_stream():
            read += chunk
            if len(read) >= ANSWER_BYTES:
                break
    except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError):
        logger.info("An answer's body broke off after %d bytes.", len(read))
    return read


def _excerpt(body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    # PostgreSQL stores no NUL, and a page should show no control characters.
    return "".join(letter for letter in text if letter.isprintable() or letter in "\n\t")[:EXCERPT]
