"""Logins: guessed passwords, forgotten ones, the own account."""

import io
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.test import Client, RequestFactory, override_settings

from league import settings as product_settings
from league.models import User
from league.services import mail as outgoing
from league.web.clients import address_of
from tests.people import NOW, PASSWORD, People
from tests.web.page import Page

pytestmark = pytest.mark.django_db

Clients = Callable[..., Client]
NEW = "jack-of-diamonds-11"


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """The clock stands still, so that waiting times are what they are."""
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


def _log_in(client: Client, password: str = PASSWORD, username: str = "member", path: str = "/login/") -> Any:
    return client.post(path, {"username": username, "password": password})


# --- Guessed passwords ------------------------------------------------------------------------------------------------


def test_guessing_has_to_wait_and_is_told_how_long(people: People, clock: time_machine.Traveller) -> None:
    client = Client()
    for _n in range(5):
        assert _log_in(client, "wrong").status_code == 200
    answer = _log_in(client)
    assert answer.status_code == 429
    assert answer["Retry-After"] == "30"
    error = Page(answer.content.decode()).one("div", role="alert")
    assert error.text == "Too many attempts failed. Wait 30 seconds, then try again."
    clock.shift(29)
    assert "Wait 1 second, " in _log_in(client).content.decode()
    clock.shift(1)
    assert _log_in(client).status_code == 302
    client.post("/logout/")
    # Forgotten by the success.
    assert _log_in(client, "wrong").status_code == 200
    assert _log_in(client).status_code == 302


def test_longer_waits_are_told_in_minutes(people: People, clock: time_machine.Traveller) -> None:
    client = Client()
    for wait in (0, 0, 0, 0, 0, 30, 60, 120):
        clock.shift(wait)
        _log_in(client, "wrong")
    assert "Wait 4 minutes, " in _log_in(client).content.decode()


def test_an_unknown_name_is_treated_like_a_known_one(people: People) -> None:
    answers: dict[str, list[tuple[int, str | None]]] = {}
    for name in ("member", "nobody"):
        client = Client(REMOTE_ADDR=f"203.0.113.{len(answers)}")
        told = [_log_in(client, "wrong", name) for _n in range(6)]
        answers[name] = [(one.status_code, one.headers.get("Retry-After")) for one in told]
    assert answers["member"] == answers["nobody"]
    assert answers["nobody"][-1] == (429, "30")


def test_the_administration_counts_too(people: People) -> None:
    User.objects.create_superuser("root", password=PASSWORD)
    client = Client()
    for _n in range(5):
        _log_in(client, "wrong", "root", "/admin/login/")
    page = _log_in(client, PASSWORD, "root", "/admin/login/").content.decode()
    assert "Too many attempts failed. Wait 30 seconds" in page
    # It is one count, wherever the attempts come in.
    assert _log_in(client, PASSWORD, "root").status_code == 429


def test_a_browser_that_logged_in_before_is_not_locked_out(people: People) -> None:
    at_home = Client()
    assert _log_in(at_home).status_code == 302
    cookie = at_home.cookies["known-device"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Strict")
    assert "member" not in cookie.value
    at_home.post("/logout/")
    elsewhere = Client(REMOTE_ADDR="198.51.100.9")
    for _n in range(5):
        _log_in(elsewhere, "wrong")
    assert _log_in(elsewhere).status_code == 429
    assert _log_in(at_home).status_code == 302
    # Made up, the cookie is worth nothing.
    forged = Client(REMOTE_ADDR="198.51.100.10")
    forged.cookies["known-device"] = cookie.value.replace(":", "x:", 1)
    assert _log_in(forged).status_code == 429


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "203.0.113.7", "192.0.2.1"),
        (1, "203.0.113.7", "203.0.113.7"),
        # What the visitor wrote stands before what the proxy added.
        (1, "10.0.0.1, 203.0.113.7", "203.0.113.7"),
        (2, "10.0.0.1, 203.0.113.7, 192.0.2.2", "203.0.113.7"),
        (2, "203.0.113.7", "192.0.2.1"),
        (1, None, "192.0.2.1"),
        (1, "unknown", "192.0.2.1"),
        (1, "2001:DB8:0::7", "2001:db8::7"),
        (1, "::ffff:203.0.113.7", "203.0.113.7"),
    ],
)
def test_whose_address_is_counted(proxies: int, forwarded: str | None, expected: str) -> None:
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    request = RequestFactory().get("/", headers=headers, REMOTE_ADDR="192.0.2.1")
    with override_settings(PROXIES=proxies):
        assert address_of(request) == expected


def test_a_socket_has_no_address() -> None:
    assert address_of(RequestFactory().get("/", REMOTE_ADDR="")) == ""


# --- Forgotten passwords ----------------------------------------------------------------------------------------------


@pytest.fixture
def with_mail() -> Iterator[None]:
    with override_settings(MAIL_ENABLED=True):
        yield


def _sent() -> list[Any]:
    """The mails sent so far, once the thread that sends them has come to its end."""
    outgoing.send(mail.EmailMessage("last", "", "a@example.org", ["z@example.org"])).result(60)
    return [one for one in mail.outbox if one.subject != "last"]


@pytest.mark.usefixtures("with_mail")
def test_a_link_comes_by_mail_and_works_once(people: People) -> None:
    User.objects.filter(pk=people.member.pk).update(email="member@example.org")
    logged_in = Client()
    _log_in(logged_in)
    client = Client()
    for _n in range(5):
        _log_in(client, "forgotten")

    answer = client.post("/account/forgotten/", {"email": "Member@example.org"}, follow=True)

    assert "If an account has that e-mail address" in answer.content.decode()
    (sent,) = _sent()
    assert (sent.to, sent.subject) == (["member@example.org"], "Tischliga: a new password")
    assert "“member”" in sent.body
    link = re.search(r"http://testserver(/account/reset/\S+)", sent.body)
    assert link is not None
    page = client.get(link[1], follow=True)
    form = page.redirect_chain[-1][0]
    weak = client.post(form, {"new_password1": "short", "new_password2": "short"})
    assert Page(weak.content.decode()).one("ul", id="id_new_password2_error").text
    done = client.post(form, {"new_password1": NEW, "new_password2": NEW}, follow=True)
    assert "The password is changed." in done.content.decode()
    # Whoever was logged in with the old one is not any more.
    assert logged_in.get("/account/").status_code == 302
    # Nor does the new one have to wait for the guesses at the old.
    assert _log_in(client, NEW).status_code == 302
    again = Client().get(link[1], follow=True)
    assert "This link does not work any more" in again.content.decode()


@pytest.mark.usefixtures("with_mail")
def test_a_link_ends_after_a_day(people: People, clock: time_machine.Traveller) -> None:
    path = _command_link(people.member)
    clock.shift(timedelta(hours=24))
    assert "new_password1" in Client().get(path, follow=True).content.decode()
    clock.shift(1)
    assert "This link does not work any more" in Client().get(path, follow=True).content.decode()


@pytest.mark.usefixtures("with_mail")
def test_nobody_learns_which_addresses_are_known(people: People) -> None:
    User.objects.filter(pk=people.member.pk).update(email="member@example.org")
    User.objects.filter(pk=people.admin.pk).update(email="admin@example.org", is_active=False)

    answers = {
        (one.status_code, one["Location"])
        for one in (
            Client().post("/account/forgotten/", {"email": f"{name}@example.org"})
            for name in ("member", "admin", "nobody")
        )
    }

    assert answers == {(302, "/account/forgotten/sent/")}
    assert [one.to for one in _sent()] == [["member@example.org"]]


@pytest.mark.usefixtures("with_mail")
def test_nobody_is_showered_with_mail(people: People, clock: time_machine.Traveller) -> None:
    User.objects.filter(pk=people.member.pk).update(email="member@example.org")
    for _n in range(20):
        assert Client().post("/account/forgotten/", {"email": "member@example.org"}).status_code == 302
    assert len(_sent()) == 5
    clock.shift(30)
    Client().post("/account/forgotten/", {"email": "MEMBER@example.org"})
    assert len(_sent()) == 6
    # It holds up no login.
    assert _log_in(Client()).status_code == 302


@override_settings(MAIL_ENABLED=True, SITE_URL="https://liga.example.org")
def test_the_link_leads_to_the_sites_own_address_whatever_the_browser_named(people: People) -> None:
    User.objects.filter(pk=people.member.pk).update(email="member@example.org")
    Client().post("/account/forgotten/", {"email": "member@example.org"}, headers={"host": "localhost"})
    assert "https://liga.example.org/account/reset/" in _sent()[0].body


def test_without_mail_the_page_says_whom_to_ask(people: People) -> None:
    User.objects.filter(pk=people.member.pk).update(email="member@example.org")
    page = Page(Client().get("/account/forgotten/").content.decode())
    assert "This installation sends no mail. Ask whoever runs it" in page.text
    assert not list(page.all("input", name="email"))
    assert Client().post("/account/forgotten/", {"email": "member@example.org"}).status_code == 200
    assert _sent() == []
    link = next(one for one in Page(Client().get("/login/").content.decode()).all("a") if "Forgotten" in one.text)
    assert link.attributes["href"] == "/account/forgotten/"


def _command_link(user: User) -> str:
    out = io.StringIO()
    call_command("reset_link", user.username, stdout=out)
    return out.getvalue().strip().removeprefix("http://127.0.0.1:8000")


def test_the_command_prints_a_link(people: People) -> None:
    client = Client()
    path = client.get(_command_link(people.member), follow=True).redirect_chain[-1][0]
    client.post(path, {"new_password1": NEW, "new_password2": NEW})
    people.member.refresh_from_db()
    assert people.member.check_password(NEW)
    User.objects.filter(pk=people.admin.pk).update(is_active=False)
    for name in ("nobody", "admin"):
        with pytest.raises(CommandError, match="no active user"):
            call_command("reset_link", name)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://mail.example.org", ("mail.example.org", 25, "", "", False, False)),
        ("smtp+tls://me%40x.org:p%2Fw@mail.example.org", ("mail.example.org", 587, "me@x.org", "p/w", True, False)),
        ("smtps://me:pw@mail.example.org:1465/", ("mail.example.org", 1465, "me", "pw", False, True)),
    ],
)
def test_email_url(url: str, expected: tuple[object, ...]) -> None:
    found = product_settings._mail(url)
    names = ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS", "USE_SSL")
    assert tuple(found[f"EMAIL_{name}"] for name in names) == expected


@pytest.mark.parametrize(
    "url", ["mail.example.org", "http://x", "smtp://", "smtp://x/y", "smtp://x:99999", "smtp://x:a"]
)
def test_an_email_url_that_says_nothing_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="EMAIL_URL"):
        product_settings._mail(url)


# --- The own account --------------------------------------------------------------------------------------------------


def test_a_member_changes_name_and_address(people: People, as_user: Clients) -> None:
    client = as_user(people.member)
    form = {"display_name": " Gül  Özgür ", "email": "g@example.org", "password": ""}

    refused = Page(client.post("/account/", form).content.decode())
    assert refused.one("ul", id="id_password_error").text == "Give your password to change the e-mail address."
    people.member.refresh_from_db()
    assert people.member.email == ""
    assert client.post("/account/", {**form, "password": PASSWORD}).status_code == 302

    people.member.refresh_from_db()
    assert (people.member.get_full_name(), people.member.email) == ("Gül Özgür", "g@example.org")
    assert "Gül Özgür" in as_user(people.admin).get("/herzclub/manage/members/").content.decode()
    # The name alone needs no password.
    assert client.post("/account/", {**form, "display_name": "Gül"}).status_code == 302
    wrong = client.post("/account/", {**form, "email": "nowhere", "password": PASSWORD})
    assert Page(wrong.content.decode()).one("ul", id="id_email_error").text
    assert Client().get("/account/")["Location"] == "/login/?next=/account/"
