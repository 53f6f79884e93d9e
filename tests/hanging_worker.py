"""`manage.py worker` with bots that never answer, each in a way of its own, under the keys of real ones."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from random import Random
from threading import Event
from typing import Any, NoReturn

import django
from django.core.management import execute_from_command_line

import games.series
from games.bots import BOTS
from games.core import Move


class Loops:
    """Python without an end, which minds no exception but the one that comes from outside."""

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> NoReturn:
        while True:
            pass


class Waits:
    """Waits for what never comes, in C."""

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> NoReturn:
        Event().wait()
        raise AssertionError("nobody sets it")


class Computes:
    """Computes in C for ages, and lets no other thread run meanwhile."""

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> NoReturn:
        re.match(r"(a+)+$", "a" * 60 + "b")
        raise AssertionError("the sun is cold by now")


_HANGING = {
    "random": BOTS["random"],
    "greedy": lambda game: Loops(),
    "search": lambda game: Waits(),
    "planner": lambda game: Computes(),
}

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    django.setup()
    # Needs the settings.
    from league.services import bot_watch

    vars(games.series)["BOTS"] = _HANGING
    bot_watch._TIMER_LATER = 1.0
    execute_from_command_line(["manage.py", "worker", *sys.argv[1:]])
