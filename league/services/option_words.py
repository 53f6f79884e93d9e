"""Options of games in words: what each is called, what it may be, and what is said of a wrong one.

Terms: an *option* is agreed on before a deal (`games.core.Option`); its *choices* are the values that the game takes at
a table. Promises: choices are found by asking the game itself, so that a sentence never allows what the game refuses;
seats are numbered from 1 in words, from 0 in values. A deck of one's own is for programs alone and has no choices.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.catalog import GAMES, GameInfo
from games.core import AnyGame, BadSetup, Json
from games.series import Plan
from league.services.errors import Path, Problem, not_a_choice, out_of_range
from league.services.wording import game_title

DECK = "deck"
LABELS: Mapping[str, str | Promise] = {
    DECK: _l("deck"),
    "dealer": _l("dealer"),
    "declarer": _l("who declares trumps"),
    "hand_size": _l("cards in hand"),
    "minimum": _l("cards a turn at least"),
    "short_hand": _l("short hands"),
    "start": _l("who begins"),
}
# Options whose numbers are seats.
SEATS = frozenset({"dealer", "declarer", "start"})
_WORDS: Mapping[str, str | Promise] = {
    "choose": _l("the players choose"),
    "default": _l("the usual one"),
    "left_of_dealer": _l("the player left of the dealer"),
}
_USUAL: Mapping[str, str | Promise] = {
    "hand_size": _l("Empty: 3 more than there are players."),
}
# No number that an option may be is larger: there are at most so many cards.
_LARGEST = 110


def engine_of(game: str) -> AnyGame:
    """The rules of a game that bots play. Raises LookupError for any other."""
    info = GAMES.get(game)
    if info is None or info.engine is None:
        raise LookupError(game)
    return info.engine


def label(name: str) -> str:
    """What an option is called; the name itself where there is no word for it."""
    return str(LABELS.get(name, name))


def value_words(name: str, value: Json) -> str:
    """A value as a person would say it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int) and name in SEATS:
        return _("seat %(number)d") % {"number": value + 1}
    if isinstance(value, list):
        return _("a deck of its own")
    return str(_WORDS.get(value, value)) if isinstance(value, str) else str(value)


def usual_words(name: str) -> str:
    """What is usual where that is no single value; "" for an option whose usual value needs no word."""
    return str(_USUAL.get(name, ""))


def in_words(options: Mapping[str, Json]) -> list[tuple[str, str]]:
    """Options that were agreed on: what each is called, and its value in words."""
    return [(label(name), value_words(name, value)) for name, value in options.items()]


def choices(game: str, name: str, seats: int, others: Mapping[str, Json] | None = None) -> tuple[Json, ...]:
    """What an option of a game may be at a table of so many, in order; `others` are the other options agreed on.

    None at all for a deck, which is one of more than could be told.
    """
    if name == DECK:
        return ()
    found = _choices(game, name, seats)
    if not others:
        return found
    engine = engine_of(game)
    return tuple(value for value in found if _is_taken(engine, seats, {**others, name: value}))


@lru_cache(maxsize=200)
def _choices(game: str, name: str, seats: int) -> tuple[Json, ...]:
    engine = engine_of(game)
    tried: list[Json] = [False, True, *range(_LARGEST + 1), *_WORDS]
    return tuple(value for value in tried if _is_taken(engine, seats, {name: value}))


def _is_taken(engine: AnyGame, seats: int, options: Mapping[str, Json]) -> bool:
    try:
        engine.read_options(seats, options)
    except BadSetup:
        return False
    return True


def problems(
    games: Sequence[GameInfo], seats: int, options: Mapping[str, Json], *, for_people: bool = False
) -> list[Problem]:
    """What is wrong with options for a table of so many, one problem at most; none where all games can be dealt so.

    Programs are told the names of options and values as they give them, people the words for what they can choose.
    """
    for info in games:
        try:
            Plan((info.key,), ("",) * seats, 0, options).check()
        except BadSetup as error:
            return _problem(info, seats, options, error, for_people=for_people)
    return []


def _problem(
    info: GameInfo, seats: int, options: Mapping[str, Json], error: BadSetup, *, for_people: bool
) -> list[Problem]:
    path: Path = tuple(error.field.split("."))
    name, engine = str(path[-1]), engine_of(info.key)
    known = [option.key for option in engine.options]
    if name not in known:
        message = _("%(game)s has no such option. It has: %(choices)s.")
        has = [label(one) for one in known if one != DECK] if for_people else [f"{label(one)} ({one})" for one in known]
        params = {"game": game_title(info), "choices": ", ".join(has)}
        return [Problem(path, "option_not_allowed", message % params)]
    if name == DECK:
        message = _("Give “default”, or the cards of a deck that is large enough for the table as a list.")
        return [Problem(path, "option_not_allowed", message)]
    others = {one: value for one, value in options.items() if one in known and one != name}
    # Others that are wrong themselves allow nothing.
    allowed = choices(info.key, name, seats, others) or choices(info.key, name, seats)
    numbers = [value for value in allowed if type(value) is int]
    if len(numbers) == len(allowed) > 2 and name not in SEATS:
        (told,) = out_of_range(path, min(numbers) - 1, min(numbers), max(numbers))
        return [Problem(path, "option_not_allowed", told.message)]
    said: Callable[[Json], str] = partial(value_words, name) if for_people else _as_json
    return [not_a_choice(path, "option_not_allowed", map(said, allowed))]


def _as_json(value: Json) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
