"""What a program is told of its limit, and that a request too many is refused and does nothing."""

import re
from functools import cache
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import ApiToken, Player, Scope
from league.services import rate_limits, tokens
from tests.api.client import CLUB, Program, places
from tests.api.conftest import program
from tests.people import NOW, People

pytestmark = pytest.mark.both_databases


@pytest.fixture(autouse=True)
def limit_of_three(servers: object, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The installation allows three requests a minute; nobody has asked yet."""
    settings.RATE_LIMIT = 3
    monkeypatch.setattr(rate_limits, "_own", rate_limits._Own())
    # Its usual patience is for an answer within a quarter of a second, which a busy machine may not give.
    monkeypatch.setattr(rate_limits, "_TIMEOUT", 60)
    monkeypatch.setattr(rate_limits, "_shared", cache(rate_limits._Shared))
    monkeypatch.setattr(rate_limits, "_PREFIX", f"test:{uuid4()}:")


def _limited(people: People, rate_limit: int | None, *, by: Program | None = None) -> Program:
    """A program whose token has this limit of its own."""
    access = people.access(people.owner)
    _token, raw = tokens.create(
        access=access, name="app", scope=Scope.CLUB_ADMIN, expires_at=None, rate_limit=rate_limit, now=NOW
    )
    return Program(raw)


def _left(answer: Any) -> int:
    """The requests left, out of headers that have to be well formed."""
    assert answer["RateLimit-Policy"] == '"requests";q=3;w=60'
    found = re.fullmatch(r'"requests";r=([0-9]+);t=([0-9]+)', answer["RateLimit"])
    assert found is not None
    assert 1 <= int(found[2]) <= 60
    return int(found[1])


def test_every_answer_says_how_much_is_left_and_the_one_too_many_is_refused(scorer: Program) -> None:
    answers = [scorer.get("players/"), scorer.get("nothing-there/"), scorer.post("players/", {"name": "Gus"})]
    assert [answer.status_code for answer in answers] == [200, 404, 201]
    # An address that there is not belongs to no view of the API, so that it is not counted.
    assert "RateLimit" not in answers.pop(1)
    assert [_left(answer) for answer in answers] == [2, 1]
    refused = scorer.post("players/", {"surprise": 1})
    assert (refused.status_code, _left(refused)) == (400, 0)
    for _time in range(2):
        refused = scorer.post("players/", {"name": "Hal"})
        assert refused.status_code == 429
        assert _left(refused) == 0
        assert places(refused) == []
        document = refused.json()
        assert document["type"].endswith("#too-many-requests")
        assert refused["Retry-After"] == re.search(r"t=([0-9]+)", refused["RateLimit"])[1]  # type: ignore[index]
    assert list(Player.objects.filter(name__in=["Gus", "Hal"]).values_list("name", flat=True)) == ["Gus"]


def test_an_unchanged_answer_says_it_too(reader: Program) -> None:
    etag = reader.get("players/")["ETag"]
    unchanged = reader.get("players/", If_None_Match=etag)
    assert (unchanged.status_code, _left(unchanged)) == (304, 1)


def test_a_refusal_reads_nothing_but_the_token(reader: Program) -> None:
    for _time in range(3):
        reader.get("players/")
    with CaptureQueriesContext(
        connection,
    ) as caught:
        assert reader.get("players/").status_code == 429
    assert [query["sql"].split()[0] for query in caught if "api" in query["sql"].lower()] == ["SELECT"]
    assert len(caught) == 1


def test_tokens_do_not_share_a_limit_and_each_may_have_its_own(people: People) -> None:
    one, other = _limited(people, None), _limited(people, 1)
    assert [other.get("").status_code for _time in range(2)] == [200, 429]
    assert other.get("")["RateLimit-Policy"] == '"requests";q=1;w=60'
    assert [one.get("").status_code for _time in range(4)] == [200, 200, 200, 429]


def test_all_windows_of_a_browser_share_the_limit_of_its_user(people: People, browser_of: Any) -> None:
    statuses = [browser_of(people.member).get(f"{CLUB}/players/").status_code for _time in range(4)]
    assert statuses == [200, 200, 200, 429]
    assert browser_of(people.admin).get(f"{CLUB}/players/").status_code == 200


def test_who_is_not_known_is_not_counted(people: People, client: Any) -> None:
    for _time in range(5):
        answer = client.get(f"{CLUB}/players/")
        assert answer.status_code == 401
        assert "RateLimit" not in answer


def test_a_limit_of_nought_counts_nobody(reader: Program, settings: Any) -> None:
    settings.RATE_LIMIT = 0
    for _time in range(5):
        answer = reader.get("players/")
        assert answer.status_code == 200
        assert "RateLimit" not in answer


# --- The limit of a token --------------------------------------------------------------------------------------------


def test_a_tokens_limit_is_given_and_shown(people: People, settings: Any) -> None:
    settings.RATE_LIMIT = 0
    admin = program(people, people.admin, Scope.CLUB_ADMIN)
    made = admin.post("tokens/", {"name": "board", "rate_limit": 30})
    assert made.status_code == 201
    assert made.json()["rate_limit"] == 30
    assert admin.get(made["Location"]).json()["rate_limit"] == 30
    assert admin.post("tokens/", {"name": "other"}).json()["rate_limit"] is None
    for wrong in (0, -1, 100_001, "30", 1.5, True):
        refused = admin.post("tokens/", {"name": "wrong", "rate_limit": wrong})
        assert (refused.status_code, places(refused)[0][0]) == (400, "#/rate_limit"), wrong
    assert not ApiToken.objects.filter(name="wrong").exists()


def test_a_token_makes_none_that_may_ask_more_often(people: People) -> None:
    admin = _limited(people, 20)
    asked = [admin.post("tokens/", {"name": "child", "rate_limit": limit}) for limit in (None, 10, 30)]
    assert [answer.json()["rate_limit"] for answer in asked] == [20, 10, 20]
