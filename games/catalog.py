"""The catalogue: the only list of the games this project knows, with the facts others need of them.

Terms. A game's *key* names it everywhere (``xxl-1``). *Bounds* say which scores of a round there can be:
a *hard* limit can never be passed, a *plausible* limit only if something was noted down wrongly or the
club plays with another deck. A *note* is a remark on how a round ended that changes what is plausible.

Promises: every limit on cards is computed from a deck, so that none contradicts the deck it speaks of.
Whoever checks scores needs ``GAMES[key]`` and no branch for a certain game. The order of ``GAMES`` is
the order in which games are listed.

Never: scores a round, plays a game, words a message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from games.core import Game, Json
from games.rules import the_game, und_tschuess, und_tschuess_deck, xxl_1, xxl_2, xxl_3, xxl_4, xxl_5, xxl_6, xxl_6_plus
from games.rules.xxl_deck import COLOURS, DECK, Card, read_list
from games.rules.xxl_game import DEFAULT_DECK

# `own`: a game that one club alone logs; it stands beside the catalogue, never in it.
Family = Literal["xxl", "the-game", "und-tschuess", "own"]
ScoredBy = Literal["points", "places"]
ZeroRule = Literal["exactly_one", "at_most_one", "any"]

DRAW_PILE_RAN_OUT = "draw_pile_ran_out"
EARLY_END = "early_end"


@dataclass(frozen=True, slots=True)
class TableBounds:
    """The limits on the scores of one round; ``None`` means there is no such limit.

    Hard: each score from ``minimum`` to ``maximum``, all added up to at most ``together_maximum``.
    Plausible: each score from ``low`` to ``high``, all added up from ``together_low`` to
    ``together_high``; ``zero`` says how many players may have 0; a score that is not 0 is at least
    ``cheapest``.
    """

    minimum: int | None = None
    maximum: int | None = None
    together_maximum: int | None = None
    low: int | None = None
    high: int | None = None
    together_low: int | None = None
    together_high: int | None = None
    zero: ZeroRule = "any"
    cheapest: int | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """What scores a game can end with, whatever the table."""

    rule: Callable[[int, str, Mapping[str, Json]], TableBounds]

    def for_table(self, players: int, note: str = "", options: Mapping[str, Json] | None = None) -> TableBounds:
        """The limits for a round of ``players`` (1 or more) that ended with ``note`` ("" for none).

        ``options`` are what was agreed on, as the engine reads them; what is missing is as by default.

        Answers for any number of players, in the game's range or not: whether so many may play is
        another question, and the hard limits do not depend on it.
        """
        return self.rule(players, note, options or {})


@dataclass(frozen=True, slots=True)
class GameInfo:
    """One game of the catalogue.

    ``name`` is the original title, ``titles`` the title by language (``en``, ``de``). The players'
    range includes both ends. ``high_wins`` is False where the lowest score is best. A ``cooperative``
    game has one score for the whole table and no places. ``notes`` are the notes a round may bear
    besides none. ``engine`` plays the game; ``None`` where it can only be logged. A game ``scored_by``
    ``places`` has no points to note down.
    """

    key: str
    name: str
    titles: Mapping[str, str]
    family: Family
    min_players: int
    max_players: int
    high_wins: bool
    cooperative: bool
    notes: tuple[str, ...]
    bounds: Bounds
    engine: Game[Any, Any] | None = None
    scored_by: ScoredBy = "points"


# XXL: docs/rules/xxl.md, "Logged results from physical games".


def _deck_in_use(options: Mapping[str, Json]) -> tuple[Card, ...]:
    agreed = options.get("deck", DEFAULT_DECK)
    return read_list(agreed) if isinstance(agreed, list) else DECK.cards


def _cheapest_straight(deck: Sequence[Card]) -> int:
    """The lowest total value of three cards with consecutive numbers of one colour ("Game 4")."""
    cheapest: dict[tuple[str, int], int] = {}
    for card in deck:
        for half in ((card.low_colour, card.low), (card.high_colour, card.high)):
            cheapest[half] = min(card.total, cheapest.get(half, card.total))
    # The three are different cards without a check: no card bears one colour twice.
    return min(
        sum(cheapest[colour, number + step] for step in range(3))
        for colour in COLOURS
        for number in range(9)
        if all((colour, number + step) in cheapest for step in range(3))
    )


def _few_and_many(deck: Sequence[Card], cards: int) -> tuple[int, int]:
    """The lowest and the highest total value that so many cards of the deck can have together."""
    totals = sorted(card.total for card in deck)
    return sum(totals[:cards]), sum(totals[-cards:])


def _deck_total(deck: Sequence[Card]) -> int:
    return sum(card.total for card in deck)


def _last_card_bounds(players: int, note: str, options: Mapping[str, Json]) -> TableBounds:
    """Games 1 and 2: somebody laid the last card, unless the draw pile ran out."""
    # With the note one player may still be at 0: the last card can go when the pile is empty.
    zero: ZeroRule = "at_most_one" if note == DRAW_PILE_RAN_OUT else "exactly_one"
    return TableBounds(minimum=0, together_maximum=_deck_total(_deck_in_use(options)), zero=zero)


def _in_line_bounds(players: int, note: str, options: Mapping[str, Json]) -> TableBounds:
    """Game 5: it mostly ends by the draw pile, so that nobody at 0 needs no note."""
    return TableBounds(minimum=0, together_maximum=_deck_total(_deck_in_use(options)), zero="at_most_one")


def _refusal_bounds(players: int, note: str, options: Mapping[str, Json]) -> TableBounds:
    """Game 3: at most 8 cards a player are won; after an early end all of them are."""
    deck = _deck_in_use(options)
    few, many = _few_and_many(deck, 8 * players)
    return TableBounds(
        minimum=0,
        together_maximum=_deck_total(deck),
        together_low=few if note == EARLY_END else 1,
        together_high=many,
    )


def _straights_bounds(players: int, note: str, options: Mapping[str, Json]) -> TableBounds:
    """Game 4: whoever has points has laid a straight."""
    deck = _deck_in_use(options)
    return TableBounds(minimum=0, together_maximum=_deck_total(deck), cheapest=_cheapest_straight(deck))


def _colour_bounds(players: int, note: str, options: Mapping[str, Json]) -> TableBounds:
    """Games 6 and 6+: every dealt card is won by somebody."""
    deck = _deck_in_use(options)
    few, many = _few_and_many(deck, xxl_6.hand_size(players) * players)
    return TableBounds(minimum=0, together_maximum=_deck_total(deck), together_low=few, together_high=many)


# The Game: docs/rules/the-game.md, "Result".


def _cards_left_bounds(players: int, note: str, options: Mapping[str, Json]) -> TableBounds:
    """98 cards; each of the four start cards takes any card, so four are always played."""
    return TableBounds(minimum=0, maximum=98, high=98 - 4)


# und Tschüss: docs/rules/und-tschuess.md, "Logged results"; the deck and the hands after its rulings at the top.


def _point_card_bounds(players: int, note: str, options: Mapping[str, Json]) -> TableBounds:
    """A player wins at most one point card a round, the table one fewer than players.

    Whoever wins nothing has 0, so that point cards of the other sign are left out on either side.
    """
    values = und_tschuess_deck.deck_in_use(options)
    rounds = und_tschuess.most_rounds(len(values), players, und_tschuess.hand_size_in_use(players, options))
    best = sorted((value for value in values if value > 0), reverse=True)
    worst = sum(value for value in values if value < 0)
    return TableBounds(
        low=worst,
        high=sum(best[:rounds]),
        together_low=worst,
        together_high=sum(best[: rounds * (players - 1)]),
    )


def _xxl(
    number: str,
    name: str,
    english: str,
    *,
    bounds: Bounds,
    high_wins: bool,
    notes: tuple[str, ...] = (),
    engine: Game[Any, Any] | None = None,
) -> GameInfo:
    return GameInfo(
        key=f"xxl-{number}",
        name=name,
        titles={"en": english, "de": name},
        family="xxl",
        min_players=2,
        max_players=6,
        high_wins=high_wins,
        cooperative=False,
        notes=notes,
        bounds=bounds,
        engine=engine,
    )


_LIST = (
    _xxl(
        "1",
        "Rauf & Runter",
        "Up and Down",
        bounds=Bounds(_last_card_bounds),
        high_wins=False,
        notes=(DRAW_PILE_RAN_OUT,),
        engine=xxl_1.GAME,
    ),
    _xxl(
        "2",
        "Immer schön drunter bleiben",
        "Always Keep Under",
        bounds=Bounds(_last_card_bounds),
        high_wins=False,
        notes=(DRAW_PILE_RAN_OUT,),
        engine=xxl_2.GAME,
    ),
    _xxl(
        "3",
        "Verweigern gestattet",
        "Allow to Refuse",
        bounds=Bounds(_refusal_bounds),
        high_wins=True,
        notes=(EARLY_END,),
        engine=xxl_3.GAME,
    ),
    _xxl(
        "4",
        "Straßenbau",
        "Making Straights",
        bounds=Bounds(_straights_bounds),
        high_wins=True,
        engine=xxl_4.GAME,
    ),
    _xxl(
        "5",
        "Auf die Reihe bekommen",
        "Get in Line",
        bounds=Bounds(_in_line_bounds),
        high_wins=False,
        notes=(DRAW_PILE_RAN_OUT,),
        engine=xxl_5.GAME,
    ),
    _xxl(
        "6",
        "Ich bestimm die Farbe!",
        "I Decide the Colour!",
        bounds=Bounds(_colour_bounds),
        high_wins=True,
        engine=xxl_6.GAME,
    ),
    _xxl(
        "6-plus",
        "Ich bestimm die Farbe! Plus",
        "I Decide the Colour! Plus",
        bounds=Bounds(_colour_bounds),
        high_wins=True,
        engine=xxl_6_plus.GAME,
    ),
    GameInfo(
        key="the-game",
        name="The Game",
        titles={"en": "The Game", "de": "The Game"},
        family="the-game",
        min_players=1,
        max_players=5,
        high_wins=False,
        cooperative=True,
        notes=(),
        bounds=Bounds(_cards_left_bounds),
        engine=the_game.GAME,
    ),
    GameInfo(
        key="und-tschuess",
        name="und Tschüss",
        titles={"en": "und Tschüss", "de": "und Tschüss"},
        family="und-tschuess",
        min_players=3,  # the publisher says 4; three play with 6 cards each by our own ruling
        max_players=6,
        high_wins=True,
        cooperative=False,
        notes=(),
        bounds=Bounds(_point_card_bounds),
        engine=und_tschuess.GAME,
    ),
)

GAMES: Mapping[str, GameInfo] = MappingProxyType({game.key: game for game in _LIST})
