"""docs/webhooks.md is true: its receiver takes real messages, its lists are those of the product."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from league.services import deliveries, outbound, webhooks
from tests.people import NOW, People
from tests.product import ROOT, wait_for
from tests.servers import hold_a_port

PAGE = (ROOT / "docs" / "webhooks.md").read_text()


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def test_every_event_stands_in_the_table() -> None:
    told = re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \|", PAGE, re.MULTILINE)
    assert sorted(told) == sorted([*webhooks.EVENTS, deliveries.PING])


def test_the_schedule_is_the_one_that_is_kept() -> None:
    seconds = {"s": 1, "min": 60, "h": 3600}
    line = next(line for line in PAGE.splitlines() if line.startswith("5 s, "))
    waits = [int(number) * seconds[unit] for number, unit in re.findall(r"(\d+) (s|min|h)", line)]
    assert waits == [wait.total_seconds() for wait in deliveries.SCHEDULE]
    assert outbound.SECONDS == 15


def test_the_example_of_a_message_has_the_shape_of_messages() -> None:
    assert sorted(json.loads(block("json"))) == ["data", "timestamp", "type"]


@pytest.mark.django_db
def test_the_receiver_of_the_page_takes_our_messages_and_no_others(
    people: People, tmp_path: Path, settings: Any
) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    holder = hold_a_port()
    port = holder.getsockname()[1]
    by = people.access(people.admin)
    endpoint = webhooks.create(access=by, url=f"http://127.0.0.1:{port}/", description="", events=[], now=NOW)
    script = re.sub(r'^SECRET = ".*?"', f'SECRET = "{endpoint.secret}"', block("python"), flags=re.MULTILINE)
    script = script.replace("PORT = 8700", f"PORT = {port}")
    (tmp_path / "receiver.py").write_text(script)
    with (
        (tmp_path / "out").open("w") as out,
        (tmp_path / "errors").open("w") as errors,
        subprocess.Popen([sys.executable, "receiver.py"], cwd=tmp_path, stdout=out, stderr=errors) as process,
    ):
        try:
            forged = {"webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": "v1,Zm9yZ2Vk"}

            def status() -> int | None:
                return outbound.post(url=endpoint.url, headers=forged, body=b"{}").status

            wait_for(lambda: status() is not None, "the receiver to listen")
            assert status() == 401
            sent = webhooks.ping(access=by, endpoint_id=endpoint.pk, now=NOW)
            for _repeat in range(2):
                deliveries.begin_anew(endpoint.deliveries.filter(pk=sent.pk), now=sent.created_at)
                deliveries.attempt(_claimed(sent.pk))
        finally:
            process.kill()
            holder.close()
    assert list(endpoint.deliveries.values_list("state", "attempts")) == [("delivered", 2)]
    assert (tmp_path / "out").read_text() == f"webhook.ping {{'webhook': {endpoint.pk}}}\n", "the repeat is passed over"


def _claimed(delivery_id: int) -> deliveries.Claim:
    held = deliveries.claim(delivery_id=delivery_id, now=NOW)
    assert held is not None
    return held
