"""Hidden information, for every engine of the catalogue: what a view shows, and what it must not."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import AnyGame, Seat, Turn
from tests.games.engines import TABLE_IDS, TABLES, after


@st.composite
def watched(draw: st.DrawFn) -> tuple[AnyGame, int, int, int, Seat | None]:
    """A game, seats, seed, number of moves played, and who watches."""
    game, seats = draw(st.sampled_from(TABLES))
    watcher = draw(st.none() | st.integers(0, seats - 1))
    return game, seats, draw(st.integers(0, 2**53 - 1)), draw(st.integers(0, 60)), watcher


@given(watched(), st.integers(0, 999))
def test_a_determinized_state_looks_the_same(case: tuple[AnyGame, int, int, int, Seat | None], chance: int) -> None:
    game, seats, seed, moves, watcher = case
    view = after(game, seats, seed, moves).view(watcher)
    drawn = game.determinize(view, Random(chance))
    assert game.view(drawn, watcher) == view
    assert game.to_move(drawn) == tuple(view["to_move"])


@given(watched())
def test_a_determinized_state_comes_from_the_view_alone(
    case: tuple[AnyGame, int, int, int, Seat | None],
) -> None:
    game, seats, seed, moves, watcher = case
    view = after(game, seats, seed, moves).view(watcher)
    sent = json.loads(json.dumps(view))
    assert sent == view
    assert game.determinize(sent, Random(1)) == game.determinize(view, Random(1))


@given(watched(), st.integers(0, 999))
def test_a_determinized_state_can_be_played_to_the_end(
    case: tuple[AnyGame, int, int, int, Seat | None], chance: int
) -> None:
    game, seats, seed, moves, watcher = case
    rng = Random(chance)
    state = game.determinize(after(game, seats, seed, moves).view(watcher), rng)
    while game.outcome(state) is None:
        if game.chance_due(state):
            game.settle(state, rng)
        else:
            (seat, *_) = game.to_move(state)
            game.apply(state, Turn(seat, rng.choice(game.legal(state, seat))))


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=TABLE_IDS)
def test_neither_state_nor_view_holds_the_seed(game: AnyGame, seats: int) -> None:
    seed = 7310987654321
    playthrough = after(game, seats, seed, 5)
    for watcher in (None, *range(seats)):
        view = playthrough.view(watcher)
        assert str(seed) not in json.dumps(view)
        assert str(seed) not in game.draw(view)
    assert str(seed) not in repr(playthrough.state)
    assert "random" not in repr(playthrough.state).lower()


def outside_json(value: object) -> list[type]:
    """The types within a value, itself included, that JSON does not have: something could hide in them."""
    if type(value) is dict:
        return [kind for pair in value.items() for one in pair for kind in outside_json(one)]
    if type(value) is list:
        return [kind for one in value for kind in outside_json(one)]
    return [] if type(value) in {str, int, bool, type(None)} else [type(value)]


@given(watched())
def test_a_view_is_made_of_json_alone(case: tuple[AnyGame, int, int, int, Seat | None]) -> None:
    game, seats, seed, moves, watcher = case
    view = after(game, seats, seed, moves).view(watcher)
    assert type(view) is dict
    assert not outside_json(view)


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=TABLE_IDS)
def test_a_view_is_the_watchers_own_to_change(game: AnyGame, seats: int) -> None:
    playthrough = after(game, seats, 3, 7)
    view = playthrough.view(0)
    before = json.dumps(view)
    for value in view.values():
        if isinstance(value, list):
            value.clear()
    assert json.dumps(playthrough.view(0)) == before
