"""What tests of the pages share."""

from collections.abc import Callable, Iterator

import pytest
import time_machine
from django.test import Client

from league.models import Session, User
from tests.people import NOW, People
from tests.web.organiser import AsUser, Organiser
from tests.web.stories import play_three_evenings

BOARD = "/herzclub/monday-league/2026/"


@pytest.fixture
def as_user() -> Callable[[User], Client]:
    """A browser in which this user is logged in."""

    def log_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return log_in


@pytest.fixture
def present() -> Iterator[None]:
    """It is the moment at which the tests' stories play."""
    with time_machine.travel(NOW):
        yield


@pytest.fixture
def organiser(people: People, as_user: AsUser) -> Organiser:
    """The scorekeeper, who runs a tournament."""
    return Organiser(people, as_user(people.scorekeeper))


@pytest.fixture
def evenings(people: People) -> list[Session]:
    """The three worked evenings, played in club A's season."""
    return play_three_evenings(people)
