"""Bots as players of a club, several at a time: a table of them takes one player a seat."""

from datetime import datetime

from django.db import transaction

from league.models import Player, PlayerKind, name_key
from league.services import players
from league.services.access import Access
from league.services.errors import InputError, out_of_range

MAXIMUM_AT_ONCE = 6


def add(*, access: Access, bot: str, count: int, now: datetime) -> list[Player]:
    """Add players that a bot plays, called by its key and the first numbers that are free: “Greedy 1”, “Greedy 2”.

    Raises InputError for a bot that is not known and a number from outside 1 to `MAXIMUM_AT_ONCE`, Conflict when
    somebody else takes one of the names meanwhile.
    """
    problems = out_of_range(("count",), count, 1, MAXIMUM_AT_ONCE)
    if problems:
        raise InputError(problems)
    first_word = bot.capitalize()
    beginning = name_key(first_word)
    keys = Player.objects.filter(club=access.club, name_key__startswith=beginning).values_list("name_key", flat=True)
    taken = set(keys)
    numbers = (number for number in range(1, len(taken) + count + 1) if f"{beginning} {number}" not in taken)
    with transaction.atomic():
        return [
            players.create(access=access, name=f"{first_word} {number}", kind=PlayerKind.BOT, bot=bot, now=now)
            for number, _one in zip(numbers, range(count), strict=False)
        ]
