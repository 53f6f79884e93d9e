"""The cookie of a login, from hostile hands."""

import pytest
from django.test import Client

from tests.people import People


@pytest.mark.parametrize(
    "cookie",
    [r'"\000aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"', "short", "ä" * 32, "a" * 4000, "A" * 32, "a" * 31 + "'"],
)
@pytest.mark.parametrize(("path", "status"), [("/login/", 200), ("/herzclub/", 200), ("/api/v1/clubs/", 401)])
def test_a_cookie_that_is_no_key_is_no_login(people: People, cookie: str, path: str, status: int) -> None:
    answer = Client(headers={"cookie": f"sessionid={cookie}"}).get(path)

    assert answer.status_code == status


def test_a_login_lasts(people: People, client: Client) -> None:
    client.force_login(people.owner)

    assert client.get("/herzclub/manage/").status_code == 200
