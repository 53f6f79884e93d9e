"""Guessing is slowed down: by name, by address, exactly, and without locking anyone out at home."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import pytest

from league.models import LoginThrottle
from league.services import logins
from tests.people import NOW
from tests.services.threads import at_once

pytestmark = pytest.mark.django_db

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
HOME, ELSEWHERE = "203.0.113.7", "198.51.100.9"


def _fails(
    name: str = "dora", address: str = HOME, *, at: datetime = NOW, devices: Sequence[str] = ()
) -> timedelta | None:
    """Try a wrong password; for how long the attempt was refused, None where it was taken."""
    try:
        logins.begin(username=name, address=address, devices=devices, now=at)
    except logins.Blocked as error:
        return error.wait
    return None


def _succeeds(name: str = "dora", address: str = HOME, *, at: datetime = NOW, devices: Sequence[str] = ()) -> None:
    logins.succeed(logins.begin(username=name, address=address, devices=devices, now=at))


def test_five_failures_are_free_then_the_block_doubles_up_to_a_quarter_of_an_hour() -> None:
    assert [_fails() for _n in range(5)] == [None] * 5
    now = NOW
    # 30 s, doubled five times: 960 s would be more than 15 minutes.
    for seconds in (30, 60, 120, 240, 480, 900, 900):
        block = seconds * SECOND
        assert _fails(at=now) == block
        assert _fails(at=now + block - SECOND) == SECOND
        now += block
        assert _fails(at=now) is None


def test_an_attempt_that_is_refused_is_not_counted() -> None:
    for _n in range(5):
        _fails()
    for _n in range(50):
        assert _fails(at=NOW + 10 * SECOND) == 20 * SECOND
    assert _fails(at=NOW + 30 * SECOND) is None


def test_a_success_forgets_the_failures_of_the_name() -> None:
    for _n in range(4):
        _fails()
    _succeeds()
    assert [_fails() for _n in range(5)] == [None] * 5
    assert _fails() == 30 * SECOND


def test_one_name_does_not_hold_up_another() -> None:
    for _n in range(5):
        _fails("dora")
    assert _fails("dora") is not None
    assert _fails("emil") is None


@pytest.mark.parametrize("other", ["DORA", "Dora", "\uff44ora"])
def test_names_that_look_alike_are_counted_together(other: str) -> None:
    for _n in range(5):
        _fails("dora")
    assert _fails(other) is not None


def test_many_names_from_one_address() -> None:
    for number in range(20):
        assert _fails(f"user-{number}") is None
    assert _fails("dora") == 30 * SECOND
    assert _fails("dora", ELSEWHERE) is None
    assert _fails("dora", HOME, at=NOW + 30 * SECOND) is None
    assert _fails("emil", HOME, at=NOW + 30 * SECOND) == MINUTE


def test_an_account_of_ones_own_does_not_wipe_an_address() -> None:
    for number in range(19):
        _fails(f"user-{number}")
        _succeeds("mallory")
    _fails("user-19")
    assert _fails("dora") == 30 * SECOND


def test_a_success_costs_an_address_nothing() -> None:
    for _n in range(100):
        _succeeds()
    assert _fails() is None


def test_an_ipv6_network_is_one_address() -> None:
    for number in range(20):
        assert _fails(f"user-{number}", f"2001:db8:1:2::{number:x}") is None
    assert _fails("dora", "2001:db8:1:2:ffff::1") == 30 * SECOND
    assert _fails("dora", "2001:db8:1:3::1") is None


def test_without_an_address_names_alone_are_counted() -> None:
    for number in range(40):
        assert _fails(f"user-{number}", "") is None
    for _n in range(5):
        _fails("dora", "")
    assert _fails("dora", "") == 30 * SECOND


def test_at_home_nobody_is_locked_out_by_somebody_elsewhere() -> None:
    devices = logins.remember(username="dora")
    for _n in range(5):
        _fails("dora", ELSEWHERE)
    for number in range(20):
        _fails(f"user-{number}", HOME)
    assert _fails("dora", HOME) is not None
    assert _fails("dora", HOME, devices=devices) is None
    # The device has a count of its own: a stolen one opens no way around it.
    assert [_fails("dora", HOME, devices=devices) for _n in range(4)] == [None] * 4
    assert _fails("dora", HOME, devices=devices) == 30 * SECOND


def test_a_device_is_known_for_its_users_alone() -> None:
    devices = logins.remember(username="mallory")
    for _n in range(5):
        _fails("dora", ELSEWHERE)
    assert _fails("dora", ELSEWHERE, devices=devices) == 30 * SECOND
    both = logins.remember(username="Dora", devices=devices)
    assert len(both) == 2
    assert logins.remember(username="dora", devices=both) == both
    assert _fails("dora", ELSEWHERE, devices=both) is None
    for number in range(10):
        both = logins.remember(username=f"user-{number}", devices=both)
    assert len(both) == 5


def test_whoever_gets_a_new_password_need_not_wait() -> None:
    for _n in range(5):
        _fails()
    logins.forget(username="Dora")
    assert _fails() is None


def test_counts_are_forgotten_after_a_day() -> None:
    for _n in range(5):
        _fails()
    later = NOW + 24 * HOUR
    assert [_fails(at=later) for _n in range(5)] == [None] * 5
    assert _fails(at=later) == 30 * SECOND
    logins.sweep(now=later + 24 * HOUR - SECOND)
    assert LoginThrottle.objects.count() == 2
    logins.sweep(now=later + 24 * HOUR)
    assert not LoginThrottle.objects.exists()


def test_neither_names_nor_addresses_are_stored() -> None:
    _fails("correct-horse-battery")
    stored = str(list(LoginThrottle.objects.values()))
    assert "correct-horse-battery" not in stored
    assert HOME not in stored


@pytest.mark.django_db(transaction=True)
def test_of_twenty_at_once_five_reach_the_password() -> None:
    def attempt(number: int) -> Callable[[], timedelta | None]:
        return lambda: _fails("dora", f"203.0.113.{number}")

    outcomes = at_once([attempt(number) for number in range(20)])
    assert outcomes.count(None) == 5
    assert outcomes.count(30 * SECOND) == 15


@pytest.mark.django_db(transaction=True)
def test_different_names_at_once_from_one_address() -> None:
    outcomes = at_once([lambda number=number: _fails(f"user-{number}") for number in range(25)])  # type: ignore[misc]
    assert outcomes.count(None) == 20
    assert outcomes.count(30 * SECOND) == 5
