"""What the speed of the rules is measured by; how fast they are is no matter of tests."""

from itertools import pairwise
from sys import getsizeof

import pytest

from games.bench import count_actions, games_within, measure, play, positions, state_size
from games.catalog import GAMES
from games.core import AnyGame, BadSetup
from tests.games.engines import TABLE_IDS, TABLES


@pytest.mark.parametrize(("engine", "seats"), TABLES, ids=TABLE_IDS)
def test_games_are_played_to_their_end(engine: AnyGame, seats: int) -> None:
    """One outcome for each of the games, after the last of its turns."""
    ended = [engine.outcome(state) is not None for state in positions(engine, seats, 7, 2)]
    assert ended.count(True) == 2
    assert ended[-1]
    assert count_actions(engine, seats, 7, 2) <= 2 * engine.turn_limit(seats, engine.read_options(seats))


def test_turns_of_a_game_of_fixed_length() -> None:
    """Every card of every hand is played: 4 times 12, 6 times 9."""
    engine = GAMES["xxl-6"].engine
    assert engine is not None
    assert count_actions(engine, 4, 0, 3) == 3 * 48
    assert count_actions(engine, 6, 0, 2) == 2 * 54


def test_measured() -> None:
    engine = GAMES["xxl-6"].engine
    assert engine is not None
    ticks: list[int] = []
    speed = measure(engine, 4, runs=3, seconds=0.01, on_run=lambda: ticks.append(1))
    assert (speed.game, speed.seats, speed.actions_per_game) == ("xxl-6", 4, 48)
    assert len(ticks) == 3
    assert speed.games_per_run >= 1
    assert speed.actions_per_second == pytest.approx(48 * speed.games_per_second)
    with pytest.raises(BadSetup, match="2 to 6 seats"):
        measure(engine, 7)


def test_a_run_has_games_of_its_own() -> None:
    """Otherwise what the first run made the rules remember would serve the others."""
    engine = GAMES["xxl-6"].engine
    assert engine is not None
    firsts: list[tuple[int, int]] = []

    def playing(first: int, count: int) -> None:
        firsts.append((first, count))
        play(engine, 2, first, count)

    number = games_within(playing, 0.02)
    assert number >= 1
    assert all(first + count == following for (first, count), (following, _more) in pairwise(firsts))
    assert firsts[0][0] > 5 * number


@pytest.mark.parametrize(("engine", "seats"), TABLES, ids=TABLE_IDS)
def test_a_state_is_small(engine: AnyGame, seats: int) -> None:
    sizes = list(map(state_size, positions(engine, seats, 0, 5)))
    assert max(sizes) < 2048
    assert min(sizes) > 100


class Slotted:
    """As a state is made."""

    __slots__ = ("cards", "hands")

    def __init__(self, hands: object, cards: object) -> None:
        self.hands = hands
        self.cards = cards


class Table:
    """As a deck is: what all states of a program share."""

    def __init__(self) -> None:
        self.rows = [10**9] * 100


def test_size_is_the_sum_of_what_a_state_owns() -> None:
    large = 2**54
    hands, nested = [large, 5], (1000, -3)
    state = Slotted(hands, {"piles": nested})
    own = [state, hands, large, state.cards, nested, 1000]
    assert state_size(state) == sum(map(getsizeof, own))


def test_size_counts_an_object_once_and_shared_ones_not_at_all() -> None:
    cards = [10**6]
    twice, once = Slotted(cards, cards), Slotted(cards, None)
    assert state_size(twice) == state_size(once)
    assert state_size(Slotted(cards, Table())) == state_size(once)
    assert state_size(Slotted(cards, "a word")) == state_size(once)
    assert state_size(Slotted(cards, True)) == state_size(once)
    assert state_size(Slotted(cards, 256)) == state_size(once)
    assert state_size(Slotted(cards, 257)) == state_size(once) + getsizeof(257)


def test_a_state_that_holds_itself_is_counted_once() -> None:
    ring: list[object] = []
    ring.append(ring)
    assert state_size(ring) == getsizeof(ring)
