"""What the guard of members' pages adds to each of them."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.people import People


@pytest.mark.parametrize(
    "path", ["", "sessions/", "manage/", "manage/players/", "manage/members/", "manage/tokens/", "sessions/new/"]
)
def test_a_page_for_members_is_kept_by_no_shared_cache(
    people: People, as_user: Callable[..., Client], path: str
) -> None:
    answer = as_user(people.owner).get(f"/herzclub/{path}")

    assert answer.status_code == 200
    assert {"private", "no-cache"} <= set(answer["Cache-Control"].split(", "))
