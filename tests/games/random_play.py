"""What random play of each game is checked against (``tests.games.test_random_play``).

A game's *census* is all its cards wherever they lie in a state: hands, piles, tables, hidden or not. A
*setting* is a way to choose the options of the i-th game at a table; every option has one at least.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from games.core import AnyGame, Json
from games.rules import the_game_piles, und_tschuess
from games.rules.xxl_deck import COLOURS, cards_in
from games.rules.xxl_game import XxlGame
from games.rules.xxl_shedding import GOES

Setting = Callable[[int, int], Mapping[str, Json]]


@dataclass(frozen=True)
class Facts:
    """``deck`` is what the census of every state has to be."""

    census: Callable[[Any, Any], Counter[Hashable]]
    deck: Callable[[Any], Counter[Hashable]]
    settings: Mapping[str, Setting]


def _other_deck() -> list[Json]:
    """A deck with other colours than the default one, the cards in another order."""
    return [
        f"{COLOURS[(low + high) % 4]}{low}/{COLOURS[(low + high + 1 + low % 3) % 4]}{high}"
        for high, low in ((high, low) for low, high in reversed(list(combinations(range(11), 2))))
    ]


OTHER_DECK = _other_deck()

_XXL_SETTINGS: Mapping[str, Setting] = {
    "default": lambda seats, i: {},
    "dealer": lambda seats, i: {"dealer": i % seats},
    "deck": lambda seats, i: {"deck": OTHER_DECK},
}


def _xxl_deck(game: XxlGame[Any, Any]) -> Counter[Hashable]:
    return Counter(range(len(game.deck.cards)))


def _tricks(game: AnyGame, state: Any) -> Counter[Hashable]:
    """What is on no hand and no trick is set aside by definition, so this can only find doubles and strangers."""
    cards = Counter(card for hand in state.hands for card in cards_in(hand)) + Counter(state.played + state.cards)
    return cards + Counter(set(range(55)) - set(cards))


def _refusals(game: AnyGame, state: Any) -> Counter[Hashable]:
    """What is in no hand and was not played in this phase is set aside by definition, as with ``_tricks``."""
    cards = Counter(card for some in (*state.hands, *state.won, state.cards) for card in cards_in(some))
    return cards + Counter(set(range(55)) - set(cards))


def _tricks_under_trump(game: AnyGame, state: Any) -> Counter[Hashable]:
    return _tricks(game, state.tricks)


_XXL_6_PLUS_SETTINGS: Mapping[str, Setting] = {
    **_XXL_SETTINGS,
    "declarer": lambda seats, i: {"declarer": i % seats},
}


_THE_GAME_SETTINGS: Mapping[str, Setting] = {
    "default": lambda seats, i: {},
    "expert": lambda seats, i: {"minimum": 3},
    "short hand": lambda seats, i: {"short_hand": True},
    "expert with short hand": lambda seats, i: {"minimum": 3, "short_hand": True},
    "start": lambda seats, i: {"start": i % seats},
    "choose": lambda seats, i: {"start": "choose"},
}


def _the_game_deck(game: AnyGame) -> Counter[Hashable]:
    return Counter(the_game_piles.DECK)


def _piles(game: AnyGame, state: Any) -> Counter[Hashable]:
    """What is on no hand and not in the draw pile is played by definition, so this too can only find doubles."""
    cards = Counter(card for hand in state.hands for card in the_game_piles.cards_in(hand)) + Counter(state.draw_pile)
    cards += Counter(
        {*the_game_piles.cards_in(state.laid), *state.tops, *state.tops_before} - set(the_game_piles.START_CARDS)
    )
    return cards + Counter(set(the_game_piles.DECK) - set(cards))


def _straights(game: Any, state: Any) -> Counter[Hashable]:
    """The cards of laid straights are out of the game for good, and only in the moves."""
    cards = Counter(card for hand in (*state.hands, state.display) for card in cards_in(hand))
    cards += Counter(state.order[state.taken :])
    laid = [game.straights.sets[move] for move in state.moves if move < game.first_exchange]
    return cards + Counter(card for straight in laid for card in cards_in(straight))


def _shed(game: Any, state: Any) -> Counter[Hashable]:
    """Hands, draw pile, start cards and what the moves have laid."""
    cards = Counter(card for hand in state.hands for card in cards_in(hand)) + Counter(state.rest[state.next :])
    cards += Counter(state.rest[: game.start_cards])
    return cards + Counter(game.card_of(move) for _, moves in game.turns(state) for move in moves if move < GOES)


_NUMBERS: list[Json] = [*[-99] * 4, *[0] * 3, *range(1, 61)]


def _few_numbers(seats: int, i: int) -> list[Json]:
    """From just enough cards for the smallest hands and one round's point cards to three times as many."""
    least = (seats - 1) * (seats + 1)
    return [number % 9 - 3 for number in range(least + i % (2 * least))]


_TSCHUESS_SETTINGS: Mapping[str, Setting] = {
    "default": lambda seats, i: {},
    "hand size": lambda seats, i: {"hand_size": seats - 1 + i % ((104 - seats + 1) // seats - seats + 2)},
    "deck": lambda seats, i: {"deck": _NUMBERS},
    "few cards": lambda seats, i: {"deck": _few_numbers(seats, i), "hand_size": seats - 1},
}


def _numbers_deck(game: und_tschuess.UndTschuess) -> Counter[Hashable]:
    return Counter(game.deck.cards)


def _numbers(game: und_tschuess.UndTschuess, state: und_tschuess.RoundState) -> Counter[Hashable]:
    """Hands, pending choices, the draw pile, all point cards; what was played or laid off since the reshuffle."""
    rounds = list(game.rounds(state))
    past, laid_off = (0, 0) if state.reshuffle is None else (state.reshuffle.rounds, state.reshuffle.laid_off)
    pending = [kind for seat, kind in enumerate(state.chosen) if (state.inside & ~state.due) >> seat & 1]
    played = [step.cards for one in rounds[past:] for step in one.steps]
    points = [one.point_cards for one in rounds]
    places = [*state.kinds, *state.spares, bytes(pending), state.pile, *points, *played, state.laid_off[laid_off:]]
    return Counter(list(b"".join(places)))


FACTS: Mapping[str, Facts] = {
    "xxl-1": Facts(_shed, _xxl_deck, _XXL_SETTINGS),
    "xxl-2": Facts(_shed, _xxl_deck, _XXL_SETTINGS),
    "xxl-3": Facts(_refusals, _xxl_deck, _XXL_SETTINGS),
    "xxl-4": Facts(_straights, _xxl_deck, _XXL_SETTINGS),
    "xxl-5": Facts(_shed, _xxl_deck, _XXL_SETTINGS),
    "xxl-6": Facts(_tricks, _xxl_deck, _XXL_SETTINGS),
    "xxl-6-plus": Facts(_tricks_under_trump, _xxl_deck, _XXL_6_PLUS_SETTINGS),
    "the-game": Facts(_piles, _the_game_deck, _THE_GAME_SETTINGS),
    "und-tschuess": Facts(_numbers, _numbers_deck, _TSCHUESS_SETTINGS),
}
