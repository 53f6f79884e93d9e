"""The pages in which a club's webhooks are set up, tried out and looked after."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from league.models import DeliveryState, WebhookDelivery, WebhookEndpoint
from league.services import deliveries, webhooks
from tests.people import NOW, People
from tests.receiver import Receiver, receiving, status
from tests.web.page import Page

pytestmark = pytest.mark.django_db

Clients = Callable[..., Client]
PAGES = "/herzclub/manage/webhooks/"
ELSEWHERE = "https://1.1.1.1/hook"


@pytest.fixture
def browser(people: People, as_user: Clients) -> Client:
    return as_user(people.admin)


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with receiving() as running:
        yield running


def text_of(answer: Any) -> str:
    assert answer.status_code == 200
    return Page(answer.content.decode()).text


def made(people: People, url: str = ELSEWHERE) -> WebhookEndpoint:
    by = people.access(people.admin)
    return webhooks.create(access=by, url=url, description="", events=[], now=NOW)


def test_a_webhook_is_made_and_its_secret_shown_once(people: People, browser: Client) -> None:
    chosen = {"url": ELSEWHERE, "description": "Our bot", "events": ["session.finished"]}
    answer = browser.post(PAGES, chosen)
    endpoint = WebhookEndpoint.objects.get()
    assert (endpoint.url, endpoint.description, endpoint.events) == (ELSEWHERE, "Our bot", ["session.finished"])
    shown = browser.get(answer["Location"])
    assert endpoint.secret in text_of(shown)
    assert "no-store" in shown["Cache-Control"]
    again = browser.get(answer["Location"], follow=True)
    assert endpoint.secret not in again.content.decode()
    assert "shown once only" in text_of(again)
    assert "Our bot" in text_of(browser.get(PAGES))

    rotated = browser.post(f"{PAGES}{endpoint.pk}/rotate/", follow=True)
    new = WebhookEndpoint.objects.get().secret
    assert new != endpoint.secret
    assert new in text_of(rotated)
    assert "Two secrets sign until" in text_of(browser.get(f"{PAGES}{endpoint.pk}/"))


def test_an_address_inside_is_refused_at_its_field(people: People, browser: Client) -> None:
    page = Page(browser.post(PAGES, {"url": "http://192.168.1.1/", "events": []}).content.decode())
    assert page.one("input", name="url").attributes["aria-invalid"] == "true"
    assert "“192.168.1.1” is not on the Internet" in page.text
    assert not WebhookEndpoint.objects.exists()


def test_settings_are_changed_and_a_webhook_disabled_enabled_deleted(people: People, browser: Client) -> None:
    endpoint = made(people)
    page = f"{PAGES}{endpoint.pk}/"
    browser.post(page, {"url": f"{ELSEWHERE}2", "events": ["result.recorded", "result.corrected"]})
    endpoint.refresh_from_db()
    assert (endpoint.url, endpoint.events) == (f"{ELSEWHERE}2", ["result.recorded", "result.corrected"])

    told = browser.post(f"{page}switch/", {"enabled": "no"}, follow=True)
    assert "switched off by hand" in text_of(told)
    refused = browser.post(f"{page}ping/", follow=True)
    assert "Enable it first" in text_of(refused)
    browser.post(f"{page}switch/", {"enabled": "yes"})
    endpoint.refresh_from_db()
    assert endpoint.disabled_at is None
    assert "There is none yet" in text_of(browser.post(f"{page}delete/", follow=True))
    assert not WebhookEndpoint.objects.exists()


def test_a_test_message_and_the_answer_to_it(people: People, browser: Client, receiver: Receiver) -> None:
    endpoint = made(people, receiver.url)
    receiver.answers.append(status(500, b"<b>kaputt</b>"))
    answer = browser.post(f"{PAGES}{endpoint.pk}/ping/")
    sent = WebhookDelivery.objects.get()
    page = answer["Location"]
    assert f"/deliveries/{sent.pk}/" in page
    assert "There is none yet" in text_of(browser.get(page))
    deliveries.deliver(sent.pk)
    told = text_of(browser.get(page))
    assert "HTTP 500" in told
    assert "<b>kaputt</b>" in told, "shown as text"
    assert "webhook.ping" in told
    assert sent.message_id in told

    browser.post(f"{page}replay/")
    deliveries.deliver(sent.pk)
    assert [request.headers["webhook-id"] for request in receiver.requests] == [sent.message_id] * 2
    assert re.search(r"2\.\s+HTTP 204", text_of(browser.get(page)))


def test_the_list_of_messages_and_the_repeat_of_what_failed(people: People, browser: Client) -> None:
    endpoint = made(people)
    page = f"{PAGES}{endpoint.pk}/"
    for day in range(3):
        at = NOW - timedelta(days=day)
        webhooks.emit_all(club=people.club, events=[("result.recorded", {"session": 1})] * 20, now=at)
    WebhookDelivery.objects.update(state=DeliveryState.FAILED, next_attempt_at=None)
    WebhookDelivery.objects.filter(created_at=NOW - timedelta(days=2)).update(state=DeliveryState.DELIVERED)

    def listed(query: str = "") -> list[str]:
        found = Page(browser.get(page + query).content.decode()).all("a")
        return [one.attributes["href"] for one in found if "/deliveries/" in one.attributes["href"]]

    first = listed()
    assert len(first) == 50
    older = next(one for one in Page(browser.get(page).content.decode()).all("a") if "Older" in one.text)
    second = listed(older.attributes["href"])
    assert len(second) == 10
    assert not set(first) & set(second)
    assert len(listed("?state=delivered")) == 20
    assert listed("?state=rubbish&before=x") == first

    yesterday = (NOW - timedelta(days=1)).date().isoformat()
    assert "40 messages are sent again" in text_of(browser.post(f"{page}replay/", {"since": yesterday}, follow=True))
    assert WebhookDelivery.objects.filter(state=DeliveryState.PENDING).count() == 40
    assert "Give the day" in text_of(browser.post(f"{page}replay/", {"since": "soon"}, follow=True))


def test_a_webhook_in_trouble_says_so(people: People, browser: Client) -> None:
    endpoint = made(people)
    WebhookEndpoint.objects.update(failing_since=NOW)
    assert "Every call has failed since" in text_of(browser.get(f"{PAGES}{endpoint.pk}/"))
    WebhookEndpoint.objects.update(disabled_at=NOW, disabled_reason="gone")
    assert "the receiver answered 410 Gone" in text_of(browser.get(f"{PAGES}{endpoint.pk}/"))
    assert "disabled" in text_of(browser.get(PAGES))


def test_nobody_else_gets_near(people: People, as_user: Clients) -> None:
    endpoint = made(people)
    sent = webhooks.ping(access=people.access(people.admin), endpoint_id=endpoint.pk, now=NOW).pk
    before = [list(model.objects.values()) for model in (WebhookEndpoint, WebhookDelivery)]
    one = f"{PAGES}{endpoint.pk}/"
    pages = [PAGES, one, f"{one}secret/", f"{one}deliveries/{sent}/"]
    posts = [f"{one}{verb}/" for verb in ("rotate", "ping", "switch", "delete", "replay")]
    posts += [PAGES, one, f"{one}deliveries/{sent}/replay/"]
    for user, code in ((people.scorekeeper, 403), (people.member, 403), (people.stranger, 404)):
        client = as_user(user)
        assert {client.get(path).status_code for path in pages} == {code}
        assert {client.post(path, {"url": ELSEWHERE, "since": "2026-01-01"}).status_code for path in posts} == {code}
    # By the own club's address another club's rows are not there either.
    client = as_user(people.stranger)
    for path in pages[1:]:
        assert client.get(path.replace("herzclub", "pikclub")).status_code == 404
    for path in posts[:5]:
        own = path.replace("herzclub", "pikclub")
        assert client.post(own, {"since": "2026-01-01"}).status_code == 404
    assert [list(model.objects.values()) for model in (WebhookEndpoint, WebhookDelivery)] == before
