"""Guessing of passwords, slowed down: failed logins are counted in the database, whichever server answers.

Terms: a *counter* counts the failures of one user name, of one address (an IPv4 address, or the /64 network of an
IPv6 one) or of one user name on one *known device*, which is a browser that has logged in as this user before and
bears a signed cookie to say so. A few failures are free; each further one blocks its counter for 30 s, then twice as
long each time, for 15 min at most. A counter without a failure for a day is forgotten.

Promises: an attempt is counted before its password is looked at, so that of many at once no more than the free ones
reach it; a success forgets the failures of the name, and takes back its own count at the address, whose other failures
stay: somebody with an account can't wipe them. A known device has a counter of its own and is held up by no other
one: who guesses at somebody's password from elsewhere locks out strangers alone. An unknown user name is counted like
a known one. Never: stores a user name or an address, which are keyed hashes.
"""

import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_network

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import F
from django.utils.crypto import salted_hmac

from league.models import LoginThrottle

logger = logging.getLogger(__name__)

FREE_BY_NAME = 5
# A whole club may share one address.
FREE_BY_ADDRESS = 20
FIRST_BLOCK = timedelta(seconds=30)
LONGEST_BLOCK = timedelta(minutes=15)
FORGOTTEN_AFTER = timedelta(days=1)
_MAXIMUM_DEVICES = 5


class Blocked(Exception):
    """No attempt is taken for so long; the password was not looked at."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(wait)
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt that was counted: (key, until when it blocks or None) of its counters, that of the name first."""

    counted: tuple[tuple[str, datetime | None], ...]


def _key(*parts: str) -> str:
    return salted_hmac(__name__, "\n".join(parts), algorithm="sha256").hexdigest()


def _name(username: str) -> str:
    return AbstractUser.normalize_username(username).casefold()


def _network(address: str) -> str:
    """What of an address is counted: who has one IPv6 address has as many as the network holds."""
    return str(ip_network((address, 64), strict=False)) if ":" in address else address


def block_after(failures: int, *, free: int) -> timedelta | None:
    """How long the counter is blocked after so many failures in a row; None after one that is free."""
    if failures < free:
        return None
    # Bounded before it is a time: a counter may grow for as long as somebody tries.
    return min(FIRST_BLOCK * (1 << min(failures - free, 10)), LONGEST_BLOCK)


def begin(*, username: str, address: str, devices: Sequence[str] = (), now: datetime) -> Attempt:
    """Count an attempt as failed, until `succeed` says otherwise. Raises Blocked.

    `address` is the client's, "" where it is not known; `devices` are the marks of a cookie that is really ours.
    """
    name = _name(username)
    mark = next((one for one in devices if one.partition(".")[0] == _owner(name)), None)
    if mark is not None:
        limits = {_key("device", name, mark): FREE_BY_NAME}
    else:
        limits = {_key("name", name): FREE_BY_NAME}
        if address:
            limits[_key("address", _network(address))] = FREE_BY_ADDRESS
    with transaction.atomic():
        LoginThrottle.objects.bulk_create(
            [LoginThrottle(key=key, last_at=now) for key in sorted(limits)], ignore_conflicts=True
        )
        # In one order: two attempts that share both counters can't wait for each other.
        rows = list(LoginThrottle.objects.select_for_update().filter(key__in=limits).order_by("key"))
        waits = [row.blocked_until - now for row in rows if row.blocked_until is not None and row.blocked_until > now]
        if waits:
            logger.warning("a login from %s is refused for %d s more", address or "?", max(waits).total_seconds())
            raise Blocked(max(waits))
        for row in rows:
            if row.last_at <= now - FORGOTTEN_AFTER:
                row.failures = 0
            row.failures += 1
            row.last_at = now
            block = block_after(row.failures, free=limits[row.key])
            row.blocked_until = now + block if block is not None else None
            row.save(update_fields=["failures", "last_at", "blocked_until"])
    blocked_until = {row.key: row.blocked_until for row in rows}
    return Attempt(tuple((key, blocked_until[key]) for key in limits))


def succeed(attempt: Attempt) -> None:
    """The password was right: forget the failures of the name, and this attempt at the address."""
    (own, _until), *shared = attempt.counted
    with transaction.atomic():
        LoginThrottle.objects.filter(key=own).delete()
        for key, until in shared:
            row = LoginThrottle.objects.filter(key=key, failures__gt=0)
            row.filter(blocked_until=until).update(blocked_until=None)
            row.update(failures=F("failures") - 1)


def forget(*, username: str) -> None:
    """Forget the failures of a name: whoever may give a new password need not wait to use it."""
    LoginThrottle.objects.filter(key=_key("name", _name(username))).delete()


def _owner(name: str) -> str:
    return _key("owner of a device", name)[:16]


def remember(*, username: str, devices: Sequence[str] = ()) -> list[str]:
    """The marks for the cookie of a device on which this user has just logged in, the newest first."""
    owner = _owner(_name(username))
    known = next((one for one in devices if one.partition(".")[0] == owner), f"{owner}.{secrets.token_hex(8)}")
    return [known, *(one for one in devices if one.partition(".")[0] != owner)][:_MAXIMUM_DEVICES]


def sweep(*, now: datetime) -> None:
    """Drop the counters that are forgotten."""
    LoginThrottle.objects.filter(last_at__lte=now - FORGOTTEN_AFTER).delete()
