"""Calls to addresses that users gave: never into the server's own network, never longer or larger than promised."""

import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from league.services import outbound
from league.services.errors import InputError
from tests.receiver import Receiver, receiving, status

# By the registries of IANA for special-purpose addresses (RFC 6890 and those that it names).
_PRIVATE = """
    0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254
    172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.9 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1
    198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b::808:808
    64:ff9b:1::a00:1 100::1 2001::1 2001:0:7f00:1:: 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:808:808::1 3fff::1
    5f00::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1 ff0e::1
"""
_PUBLIC = """
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 172.15.255.255
    172.32.0.0 192.0.1.1 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
    2001:200::1 2001:4860:4860::8888 2003::1 2606:4700:4700::1111 2a00:1450::1
"""


@pytest.mark.parametrize("address", _PRIVATE.split())
def test_not_public(address: str) -> None:
    assert not outbound.is_public(ip_address(address))


@pytest.mark.parametrize("address", _PUBLIC.split())
def test_public(address: str) -> None:
    assert outbound.is_public(ip_address(address))


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running


@pytest.fixture
def own_network(settings: Any) -> None:
    """An installation that lets webhooks into its own network."""
    settings.WEBHOOK_ALLOW_PRIVATE = True


Names = dict[str, list[list[str]]]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """Names with the addresses that they lead to, look-up by look-up; numbers stay what they are."""
    known: Names = {}
    real = socket.getaddrinfo

    def look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        addresses = known[host].pop(0) if host in known else [host]
        return [found for address in addresses for found in real(address, *args, **kwargs)]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return known


def _refusal(url: str) -> tuple[str, str]:
    with pytest.raises(InputError) as error:
        outbound.check_url(url)
    (problem,) = error.value.problems
    assert problem.path == ("url",)
    return problem.code, problem.message


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("", "https://example.org"),
        ("example.org", "https://example.org"),
        ("https://", "https://example.org"),
        ("http:1.1.1.1", "https://example.org"),
        ("ftp://1.1.1.1/", "https://example.org"),
        ("file:///etc/passwd", "https://example.org"),
        ("gopher://1.1.1.1:25/_HELO", "https://example.org"),
        ("https://1.1.1.1/a b", "https://example.org"),
        ("https://1.1.1.1/\r\nX: y", "https://example.org"),
        ("https://1.1.1.1:x/", "https://example.org"),
        ("https://1.1.1.1:65536/", "1 to 65535"),
        ("https://[::1/", "https://example.org"),
        ("https://xn--/", "https://example.org"),
        ("https://xn--a.example.org/", "https://example.org"),
        ("https://1.1.1.1:0/", "1 to 65535"),
        ("https://ann:secret@1.1.1.1/", "name and password"),
        ("https://@1.1.1.1/", "name and password"),
        ("https://1.1.1.1/#part", "#"),
        ("https://1.1.1.1/" + "x" * 500, "500"),
    ],
)
def test_what_is_no_address_is_refused_with_what_is_allowed(url: str, told: str) -> None:
    code, message = _refusal(url)
    assert code == "invalid_url"
    assert told in message


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "017700000001", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0"],
)
def test_every_way_to_write_this_machine_is_refused(host: str) -> None:
    for url in (f"http://{host}/", f"https://{host}:8443/x"):
        code, message = _refusal(url)
        assert code == "not_public"
        assert host.strip("[]") in message


@pytest.mark.parametrize("url", ["https://1.1.1.1/hook?club=1", "http://1.1.1.1:8080", "https://[2606:4700::1111]/ö"])
def test_public_addresses_are_taken_as_they_are(url: str) -> None:
    assert outbound.check_url(f"  {url} ") == url


def test_a_name_is_looked_up(names: Names) -> None:
    names["club.example"] = [["1.1.1.1", "2606:4700::1111"], ["1.1.1.1", "10.0.0.1"], []]
    assert outbound.check_url("https://club.example/") == "https://club.example/"
    # One address inside is one too many: the system may choose it.
    assert _refusal("https://club.example/")[0] == "not_public"
    code, message = _refusal("https://club.example/")
    assert (code, "club.example" in message) == ("unknown_host", True)


def test_a_name_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*args: object, **kwargs: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert _refusal("https://nowhere.example/")[0] == "unknown_host"
    assert outbound.post(url="https://nowhere.example/", headers={}, body=b"").error == "unknown_host"


def test_a_resolver_that_hangs_holds_nobody(monkeypatch: pytest.MonkeyPatch, receiver: Receiver) -> None:
    monkeypatch.setattr(outbound, "_LOOKUP_SECONDS", 0.05)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: receiver.over.wait(30) and [])
    assert outbound.post(url="https://slow.example/", headers={}, body=b"").error == "unknown_host"


def test_an_own_network_is_called_where_the_installation_allows_it(receiver: Receiver, own_network: None) -> None:
    assert outbound.check_url(receiver.url) == receiver.url
    for always_closed in ("http://169.254.169.254/", "http://0.0.0.0/", "http://[::ffff:169.254.169.254]/"):
        assert _refusal(always_closed)[0] == "not_public"


def test_what_is_sent_and_what_is_kept(receiver: Receiver, own_network: None) -> None:
    receiver.answers.append(status(202, b"\x00\x1btaken \xff\xe2\x99\xa5", Retry_After="7"))
    answer = outbound.post(url=f"{receiver.url}?a=%20b", headers={"webhook-id": "msg_1"}, body=b"{}")
    assert (answer.status, answer.error, answer.retry_after) == (202, "", "7")
    assert answer.text == "taken \N{REPLACEMENT CHARACTER}\N{BLACK HEART SUIT}"
    assert 0 <= answer.milliseconds < 1000 * outbound.SECONDS
    (request,) = receiver.requests
    assert (request.path, request.body) == ("/hook?a=%20b", b"{}")
    assert request.headers["host"] == receiver.url.split("/")[2]
    assert request.headers["webhook-id"] == "msg_1"
    assert request.headers["user-agent"].startswith("Tischliga/")


def test_the_address_is_checked_at_each_call(receiver: Receiver) -> None:
    answer = outbound.post(url=receiver.url, headers={}, body=b"{}")
    assert (answer.status, answer.error) == (None, "not_public")
    assert receiver.requests == []


def test_a_name_that_answers_differently_the_second_time_gains_nothing(
    names: Names, own_network: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: the connection goes to the very address that was checked."""
    with receiving("127.0.0.1") as checked:
        port = checked.url.split(":")[2].split("/")[0]
        with receiving("127.0.0.2", int(port)) as other:
            names["rebind.example"] = [["127.0.0.1"], ["127.0.0.2"], ["127.0.0.2"]]
            url = f"http://rebind.example:{port}/hook"
            assert outbound.post(url=url, headers={}, body=b"{}").status == 204
            assert (len(checked.requests), other.requests) == (1, [])
            assert checked.requests[0].headers["host"] == f"rebind.example:{port}"
            assert len(names["rebind.example"]) == 2, "one call, one look-up"


def test_a_name_that_moves_inside_is_refused_at_the_next_call(names: Names, receiver: Receiver) -> None:
    port = receiver.url.split(":")[2].split("/")[0]
    names["rebind.example"] = [["1.1.1.1"], ["127.0.0.1"]]
    url = outbound.check_url(f"http://rebind.example:{port}/hook")
    assert outbound.post(url=url, headers={}, body=b"{}").error == "not_public"
    assert receiver.requests == []


def test_a_dead_address_is_passed_over_for_the_next(names: Names, receiver: Receiver, own_network: None) -> None:
    port = receiver.url.split(":")[2].split("/")[0]
    names["club.example"] = [["::1", "127.0.0.1"]]  # the receiver listens on the second alone
    assert outbound.post(url=f"http://club.example:{port}/", headers={}, body=b"{}").status == 204


def test_no_redirect_is_followed(receiver: Receiver, own_network: None) -> None:
    for code in (301, 302, 303, 307, 308):
        receiver.answers.append(status(code, Location=receiver.url))
        assert outbound.post(url=receiver.url, headers={}, body=b"{}").status == code
    assert len(receiver.requests) == 5


def test_no_proxy_of_the_environment_is_asked(
    receiver: Receiver, own_network: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert outbound.post(url=receiver.url, headers={}, body=b"{}").status == 204


@pytest.mark.parametrize("how", ["hang", "drip"])
def test_a_call_ends_in_time_however_slowly_it_is_answered(
    receiver: Receiver, own_network: None, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(outbound, "SECONDS", 1.0)
    receiver.answers.append(getattr(receiver, how))
    began = time.monotonic()
    answer = outbound.post(url=receiver.url, headers={}, body=b"{}")
    assert (answer.status, answer.error) == (None, "timeout")
    # Well before the hanging receiver would have answered, after 30 seconds.
    assert 1.0 <= time.monotonic() - began < 20
    assert answer.milliseconds >= 1000


def test_of_an_endless_answer_the_beginning_is_read(receiver: Receiver, own_network: None) -> None:
    written = []

    def endless(handler: Any) -> None:
        handler.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n")
        while True:
            handler.wfile.write(b"x" * 65_536)
            written.append(65_536)

    receiver.answers.append(endless)
    answer = outbound.post(url=receiver.url, headers={}, body=b"{}")
    assert (answer.status, answer.text) == (200, "x" * 500)
    # The rest lies in buffers of the system at most.
    assert sum(written) < 50_000_000


@pytest.mark.parametrize("rubbish", [b"hello\r\n\r\n", b"", b"HTTP/1.1 200 OK\r\nX" + b"y" * 200_000])
def test_an_answer_that_is_not_http(receiver: Receiver, own_network: None, rubbish: bytes) -> None:
    receiver.answers.append(lambda handler: handler.wfile.write(rubbish))
    answer = outbound.post(url=receiver.url, headers={}, body=b"{}")
    assert (answer.status, answer.error) == (None, "bad_answer")


def test_nobody_listens(own_network: None) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        answer = outbound.post(url=f"http://127.0.0.1:{probe.getsockname()[1]}/", headers={}, body=b"")
    assert (answer.status, answer.error) == (None, "no_connection")


# --- TLS --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def certificate(tmp_path: Path) -> Callable[[ssl.SSLSocket], ssl.SSLSocket]:
    """What puts a server's socket into TLS, with a certificate for club.example that `cert.pem` vouches for."""
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout key.pem"
    command += " -out cert.pem -subj /CN=club.example -addext subjectAltName=DNS:club.example"
    subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    return lambda plain: context.wrap_socket(plain, server_side=True)


def test_tls_is_verified_against_the_name_and_not_the_address(
    names: Names, own_network: None, certificate: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names |= {name: [["127.0.0.1"]] * 2 for name in ("club.example", "other.example")}
    with receiving(wrap=certificate) as receiver:
        port = receiver.url.split(":")[2].split("/")[0]
        ours, another = f"https://club.example:{port}/hook", f"https://other.example:{port}/hook"
        outbound._trust.cache_clear()
        assert outbound.post(url=ours, headers={}, body=b"{}").error == "insecure"  # nobody vouches for it
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        outbound._trust.cache_clear()
        try:
            assert outbound.post(url=ours, headers={}, body=b"{}").status == 204
            assert outbound.post(url=another, headers={}, body=b"{}").error == "insecure"
        finally:
            outbound._trust.cache_clear()
        assert [request.headers["host"] for request in receiver.requests] == [f"club.example:{port}"]
