"""Sessions recorded together leave what they leave when they are recorded one by one."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import transaction

from league.models import (
    AuditEvent,
    Player,
    PlayerKind,
    Round,
    Score,
    Season,
    Seat,
    Session,
    SessionResult,
    SessionRevision,
    Standing,
    WebhookDelivery,
    WebhookEndpoint,
)
from league.services import corrections, results, webhooks
from league.services.errors import Conflict, InputError, NeedsConfirmation
from league.services.results import SeatInput, SessionInput
from tests.people import NOW, People
from tests.services.given import ANYTHING, DAY, SEASON, evening, rows, series

_TABLES = (Session, Seat, Round, Score, SessionResult, SessionRevision, Standing, AuditEvent, WebhookDelivery)
# What is drawn, or counted by the database.
_OF_CHANCE = {"id", "message_id"}
_SESSIONS = {"session", "session_id", "last_session_id", "object_id"}


def _left() -> dict[str, list[Any]]:
    """Every row, with sessions and rounds numbered from 0 in place of their ids."""
    sessions = {pk: index for index, pk in enumerate(Session.objects.order_by("pk").values_list("pk", flat=True))}
    rounds = {pk: index for index, pk in enumerate(Round.objects.order_by("pk").values_list("pk", flat=True))}

    def plain(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: plain(one, name) for name, one in value.items() if name not in _OF_CHANCE}
        if isinstance(value, list):
            return [plain(one) for one in value]
        if key == "round_id":
            return rounds[value]
        return sessions.get(value, value) if key in _SESSIONS else value

    found = {}
    # What was done to anything else has ids that may be those of sessions.
    AuditEvent.objects.exclude(action__startswith="session.").delete()
    for model in _TABLES:
        made = {"created_at"} if model is Round else set()
        found[model.__name__] = [
            {key: one for key, one in plain(row).items() if key not in made}
            for row in model._default_manager.order_by("pk").values()
        ]
    return found


def _after(store: Callable[[], object]) -> dict[str, list[Any]]:
    with transaction.atomic():
        store()
        found = _left()
        transaction.set_rollback(True)
    return found


def _evenings() -> Sequence[SessionInput]:
    """The worked ones, one that awaits its rounds, and a series in which somebody comes and goes."""
    seats = (SeatInput("Ann", 0), SeatInput("Ben", 1), SeatInput("Cem", 2, 1, 1), SeatInput("Dora", 2, 2, None))
    return [
        evening("five-players"),
        evening("four-players"),
        evening("six-players-twice"),
        SessionInput(format="pure_xxl", played_on=DAY, players=(SeatInput("Eva"), SeatInput("Finn")), season=SEASON),
        series(
            {"Ann": 1, "Ben": 2, "Cem": 3},
            {"Ann": 3, "Ben": 2, "Dora": 1},
            players=seats,
            planned=3,
            status="incomplete",
        ),
    ]


@pytest.mark.parametrize("season", [SEASON, None])
def test_together_as_one_by_one(people: People, season: str | None) -> None:
    access = people.access(people.scorekeeper)
    webhooks.create(access=people.access(people.owner), url="https://1.1.1.1/hook", description="", events=[], now=NOW)
    assert WebhookEndpoint.objects.exists()
    entries = [SessionInput(**{**_fields(one), "season": season}) for one in _evenings()]

    def singly() -> None:
        for one in entries:
            results.record(access=access, data=one, confirm=ANYTHING, now=NOW)

    def together() -> None:
        results.record_all(access=access, entries=entries, season=season, confirm=ANYTHING, now=NOW)

    expected = _after(singly)
    found = _after(together)
    assert len(expected["Session"]) == 5
    assert expected["WebhookDelivery"]
    assert bool(expected["Standing"]) == (season is not None)
    for table, its in expected.items():
        assert _sorted(found[table]) == _sorted(its), table


@pytest.mark.parametrize("season", [SEASON, None])
def test_voided_together_as_one_by_one(people: People, season: str | None) -> None:
    access = people.access(people.scorekeeper)
    webhooks.create(access=people.access(people.owner), url="https://1.1.1.1/hook", description="", events=[], now=NOW)
    entries = [SessionInput(**{**_fields(one), "season": season}) for one in _evenings()]
    results.record_all(access=access, entries=entries, season=season, confirm=ANYTHING, now=NOW)
    ids = list(Session.objects.order_by("pk").values_list("pk", flat=True))
    kept = series({"Ann": 1, "Ben": 2}, {"Ann": 1, "Ben": 2})
    results.record(access=access, data=SessionInput(**{**_fields(kept), "season": season}), confirm=ANYTHING, now=NOW)

    def singly() -> None:
        for pk in ids:
            corrections.void(access=access, session_id=pk, reason="Never played.", now=NOW)

    def together() -> None:
        corrections.void_all(access=access, session_ids=ids, reason="Never played.", now=NOW)
        corrections.void_all(access=access, session_ids=ids, reason="Never played.", now=NOW)

    expected, found = _after(singly), _after(together)
    assert [bool(one["voided_at"]) for one in found["Session"]] == [True] * 5 + [False]
    # The messages name all whose standings moved: those of this session one by one, of all of them together.
    for table in _TABLES:
        if table is not WebhookDelivery:
            assert _sorted(found[table.__name__]) == _sorted(expected[table.__name__]), table
    events = [
        [(one["event"], one["payload"]["data"]["session"]) for one in its["WebhookDelivery"]]
        for its in (expected, found)
    ]
    assert sorted(events[1]) == sorted(events[0])


def _fields(one: SessionInput) -> dict[str, Any]:
    return {name: getattr(one, name) for name in SessionInput.__dataclass_fields__}


def _sorted(found: list[Any]) -> list[str]:
    return sorted(map(repr, found))


def test_each_is_refused_for_itself(people: People) -> None:
    access = people.access(people.scorekeeper)
    good, odd = series({"Ann": 1, "Ben": 2}, {"Ann": 1, "Ben": 2}), evening("four-players")
    bad = series({"Ann": 1, "Ben": 3}, {"Ann": 1, "Ben": 2})
    unusual = SessionInput(**{**_fields(odd), "rounds": tuple(reversed(odd.rounds))})
    found = results.record_all(access=access, entries=[bad, good, unusual], season=SEASON, confirm=(), now=NOW)
    assert [type(one) for one in found] == [InputError, Session, NeedsConfirmation]
    assert Session.objects.get() == found[1]


@pytest.mark.parametrize("asks", [False, True])
@pytest.mark.parametrize("season", [SEASON, None])
def test_opened_together_as_one_by_one(people: People, season: str | None, asks: bool) -> None:
    """Tables of two and of three, of one game and of three, among people and among bots."""
    access = people.access(people.scorekeeper)
    webhooks.create(access=people.access(people.owner), url="https://1.1.1.1/hook", description="", events=[], now=NOW)
    Season.objects.filter(pk=people.season.pk).update(needs_confirmation=asks)
    Player.objects.filter(club=people.club, name__in=("Eva", "Finn")).update(kind=PlayerKind.BOT, bot="greedy")
    ids = dict(Player.objects.filter(club=people.club).values_list("name", "pk"))
    entries = [
        SessionInput(
            format="series",
            played_on=DAY,
            players=tuple(SeatInput(ids[name]) for name in names.split()),
            season=season,
            planned_rounds=planned,
            location="Hall",
        )
        for names, planned in (("Ann Ben", 3), ("Cem Dora", 3), ("Ben Cem Dora", 3), ("Dora Ann", 1), ("Eva Finn", 3))
    ]

    def singly() -> None:
        for one in entries:
            results.record(access=access, data=one, confirm=ANYTHING, now=NOW)

    def together() -> None:
        refusal = results.open_all(access=access, entries=entries, season=season, confirm=ANYTHING, now=NOW)
        assert refusal is None

    # Those alike are stored together, in another order than they were given.
    def told(one: Any) -> str:
        return repr({key: value for key, value in one.items() if key not in _SESSIONS})

    expected, found = _after(singly), _after(together)
    assert [one["confirmation"] for one in expected["Session"]].count("awaited") == (4 if season and asks else 0)
    assert {name: len(its) for name, its in found.items() if its} == {
        "Session": 5,
        "Seat": 11,
        "SessionRevision": 5,
        "AuditEvent": 5,
    }
    for table, its in expected.items():
        assert sorted(map(told, found[table])) == sorted(map(told, its)), table


def test_none_is_opened_where_one_can_not_be(people: People) -> None:
    access = people.access(people.scorekeeper)
    ids = dict(Player.objects.filter(club=people.club).values_list("name", "pk"))
    two, one = (
        SessionInput(format="series", played_on=DAY, players=tuple(map(SeatInput, its)), planned_rounds=planned)
        for its, planned in (((ids["Ann"], ids["Ben"]), 3), ((ids["Cem"], ids["Dora"]), 1001))
    )
    before = rows()
    refusal = results.open_all(access=access, entries=[two, one], season=SEASON, confirm=(), now=NOW)
    assert refusal is not None
    assert refusal[0] is one
    assert [problem.path for problem in refusal[1].problems] == [("planned_rounds",)]  # type: ignore[union-attr]
    assert rows() == before
    assert results.open_all(access=access, entries=[], season=None, confirm=(), now=NOW) is None


def test_what_is_wrong_for_all_stores_nothing(people: People) -> None:
    access = people.access(people.scorekeeper)
    good = series({"Ann": 1, "Ben": 2}, {"Ann": 1, "Ben": 2})
    before = rows()
    with pytest.raises(InputError):
        unknown = series({"Ann": 1, "Nobody": 2})
        results.record_all(access=access, entries=[good, unknown], season=SEASON, confirm=ANYTHING, now=NOW)
    people.season.status = "closed"
    people.season.save()
    with pytest.raises(Conflict):
        results.record_all(access=access, entries=[good], season=SEASON, confirm=ANYTHING, now=NOW)
    assert rows() == before
    assert results.record_all(access=access, entries=[], season=None, confirm=(), now=NOW) == []
