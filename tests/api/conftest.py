"""Programs with tokens, at the time that the shared people live in."""

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client

from league.models import Scope, User
from league.services import tokens
from tests.api.client import Program
from tests.api.contract import ContractClient
from tests.people import NOW, People


@pytest.fixture(autouse=True)
def present() -> Iterator[None]:
    """The clock stands after the evenings of `tests/data` and goes on from there."""
    with time_machine.travel(NOW):
        yield


def program(people: People, user: User, scope: Scope) -> Program:
    """A program with a token that the user made."""
    # A token is made by an admin; this one is written for whoever should be behind it.
    maker = people.access(people.stranger if user == people.stranger else people.owner)
    token, raw = tokens.create(access=maker, name=f"{user}'s", scope=scope, expires_at=None, now=NOW)
    token.created_by = user
    token.save(update_fields=["created_by"])
    return Program(raw)


@pytest.fixture
def admin(people: People) -> Program:
    """A token with the scope club:admin."""
    return program(people, people.admin, Scope.CLUB_ADMIN)


@pytest.fixture
def scorer(people: People) -> Program:
    """A token with the scope results:write."""
    return program(people, people.scorekeeper, Scope.RESULTS_WRITE)


@pytest.fixture
def reader(people: People) -> Program:
    """A token with the scope read."""
    return program(people, people.member, Scope.READ)


@pytest.fixture
def stranger(people: People) -> Program:
    """A token of the other club, with its widest scope."""
    return program(people, people.stranger, Scope.CLUB_ADMIN)


@pytest.fixture
def client() -> Client:
    """Nobody's; in place of pytest-django's, so that its answers too are held to the description."""
    return ContractClient()


@pytest.fixture
def browser_of(people: People) -> Any:
    """A client that is logged in as a user, and checks CSRF as for a browser."""

    def logged_in(user: User) -> Client:
        client = ContractClient(enforce_csrf_checks=True)
        client.force_login(user)
        return client

    return logged_in
