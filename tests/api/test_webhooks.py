"""Webhooks in the API: secrets shown once, messages looked at and sent again."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from league.models import DeliveryState, WebhookDelivery, WebhookEndpoint
from league.services import deliveries
from tests.api.client import CLUB, Program, places
from tests.people import NOW
from tests.receiver import Receiver, receiving, status

ELSEWHERE = "https://1.1.1.1/hook"


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with receiving() as running:
        yield running


def test_the_secret_is_shown_at_its_making_alone(admin: Program) -> None:
    answer = admin.post("webhooks/", {"url": ELSEWHERE, "events": ["session.finished"]})
    assert answer.status_code == 201
    assert "no-store" in answer["Cache-Control"]
    made = answer.json()
    secret = made.pop("secret")
    assert secret == WebhookEndpoint.objects.get().secret
    assert answer["Location"] == f"{CLUB}/webhooks/{made['id']}/"
    assert admin.get(answer["Location"]).json() == made
    assert (made["enabled"], made["events"], made["description"]) == (True, ["session.finished"], "")

    rotated = admin.post(f"webhooks/{made['id']}/rotate/")
    assert rotated.status_code == 200
    assert "no-store" in rotated["Cache-Control"]
    assert rotated.json()["secret"] not in {secret, ""}
    until = datetime.fromisoformat(rotated.json()["previous_secret_until"])
    assert (until - NOW).total_seconds() == pytest.approx(86_400, abs=60)
    assert until.astimezone(UTC) > NOW
    listed = admin.get("webhooks/").content.decode()
    assert "whsec_" not in listed
    for path in ("webhooks/", f"webhooks/{made['id']}/rotate/"):
        refused = admin.post(path, {"url": ELSEWHERE}, Idempotency_Key="k")
        assert (refused.status_code, places(refused)) == (400, [("", "not_repeatable")])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, [("#/url", "required")]),
        ({"url": "ftp://x"}, [("#/url", "invalid_url")]),
        ({"url": "http://10.0.0.1/"}, [("#/url", "not_public")]),
        ({"url": ELSEWHERE, "events": ["session.finished", "dinner"]}, [("#/events/1", "invalid_choice")]),
        ({"url": ELSEWHERE, "events": "all"}, [("#/events", "not_a_list")]),
        ({"url": ELSEWHERE, "secret": "mine"}, [("#/secret", "unknown_field")]),
    ],
)
def test_what_can_not_be_is_refused_at_its_field(
    admin: Program, body: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    answer = admin.post("webhooks/", body)
    assert (answer.status_code, places(answer)) == (400, expected)


def test_a_webhook_is_changed_disabled_and_deleted(admin: Program) -> None:
    path = f"webhooks/{admin.post('webhooks/', {'url': ELSEWHERE}).json()['id']}/"
    changed = admin.patch(path, {"description": "our bot", "enabled": False}).json()
    assert (changed["description"], changed["enabled"], changed["disabled_reason"]) == ("our bot", False, "by_hand")
    for refused in (admin.post(f"{path}ping/"), admin.post(f"{path}replay/", {"since": "2026-11-01T00:00:00Z"})):
        assert (refused.status_code, places(refused)) == (409, [("", "webhook_disabled")])
    assert admin.patch(path, {"enabled": True}).json()["disabled_at"] is None
    assert admin.patch(path, {}).status_code == 400
    assert admin.delete(path).status_code == 204
    assert admin.get(path).status_code == 404


def test_messages_are_looked_at_and_sent_again(admin: Program, receiver: Receiver) -> None:
    made = admin.post("webhooks/", {"url": receiver.url}).json()
    path = f"webhooks/{made['id']}/"
    receiver.answers.append(status(500, b"kaputt"))
    answer = admin.post(f"{path}ping/", Idempotency_Key="k")
    assert answer.status_code == 202
    assert admin.post(f"{path}ping/", Idempotency_Key="k").json() == answer.json(), "one ping"
    ping = answer.json()
    assert answer["Location"] == ping["url"] == f"{CLUB}/{path}deliveries/{ping['id']}/"
    assert (ping["event"], ping["state"], ping["attempts"]) == ("webhook.ping", "pending", 0)
    deliveries.deliver(ping["id"])
    seen = admin.get(ping["url"]).json()
    assert (seen["state"], seen["attempts"], seen["payload"]["type"]) == ("failed", 1, "webhook.ping")
    (attempt,) = seen["log"]
    assert (attempt["number"], attempt["status"], attempt["error"], attempt["answer"]) == (1, 500, "", "kaputt")
    again = admin.post(f"{path}deliveries/{ping['id']}/replay/")
    assert (again.status_code, again.json()["state"], again.json()["message"]) == (202, "pending", ping["message"])
    deliveries.deliver(ping["id"])
    assert admin.get(ping["url"]).json()["state"] == "delivered"

    WebhookDelivery.objects.update(event="result.recorded", state=DeliveryState.FAILED)
    other = admin.post(f"{path}ping/").json()

    def listed(query: str) -> list[int]:
        return [row["id"] for row in admin.get(f"{path}deliveries/{query}").json()["results"]]

    assert listed("") == [other["id"], ping["id"]]
    assert listed("?state=failed") == listed("?event=result.recorded") == [ping["id"]]
    assert listed("?state=delivered") == []
    page = admin.get(f"{path}deliveries/?limit=1").json()
    assert [row["id"] for row in admin.get(page["next"]).json()["results"]] == [ping["id"]]
    assert admin.get(f"{path}deliveries/?state=lost").status_code == 400
    assert admin.post(f"{path}replay/", {"since": "2026-11-30T00:00:00Z"}).json() == {"replayed": 1}
