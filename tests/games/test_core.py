"""The protocol: setting up, taking turns, shuffling, places."""

from hashlib import sha256
from random import Random

import pytest

from games.core import (
    SEED_LIMIT,
    BadSetup,
    IllegalMove,
    Json,
    OutOfTurn,
    Playthrough,
    Turn,
    UnreadableMove,
    bot_source,
    competition_places,
    event_source,
    shuffled,
)
from games.rules.xxl_6 import GAME


class Told(Random):
    """A random source that says what it is told to."""

    def __init__(self, *values: float) -> None:
        super().__init__(0)
        self.values = list(values)

    def random(self) -> float:
        return self.values.pop(0)


def test_shuffled_swaps_from_the_last_position_down() -> None:
    # a b c d: i = 3 with 0.0 swaps d and a (d b c a); i = 2 with 0.99 keeps c (int(2.97) = 2);
    # i = 1 with 0.49 takes int(0.98) = 0 and swaps b and d.
    assert shuffled("abcd", Told(0.0, 0.99, 0.49)) == ["b", "d", "c", "a"]


def test_shuffled_leaves_what_it_is_given() -> None:
    cards = [1, 2, 3, 4]
    assert sorted(shuffled(cards, Random(1))) == cards == [1, 2, 3, 4]
    assert shuffled([], Random(1)) == []


def test_every_order_of_three_comes_equally_often() -> None:
    rng = Random(5)
    counts: dict[tuple[str, ...], int] = {}
    for _ in range(6000):
        order = tuple(shuffled("abc", rng))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values())


def test_chance_events_and_bots_draw_from_different_sources() -> None:
    sources = [event_source(seed, event) for seed in range(3) for event in range(4)]
    sources += [bot_source(seed, seat) for seed in range(3) for seat in range(6)]
    assert len({source.random() for source in sources}) == len(sources)


def test_a_bots_source_does_not_lead_to_the_seed() -> None:
    """It is seeded with a digest, so that not even its whole state tells the deal of other cards than one's own."""
    digest = sha256(b"bot 2 2026").digest()
    assert bot_source(2026, 2).getstate() == Random(int.from_bytes(digest, "big")).getstate()


@pytest.mark.parametrize(
    ("scores", "places"),
    [
        ((120, 95, 95, 80), (1, 2, 2, 4)),
        ((100, 100, 100, 40), (1, 1, 1, 4)),
        ((70, 60, 60, 60, 10), (1, 2, 2, 2, 5)),
        ((50, 50, 50), (1, 1, 1)),
    ],
)
def test_competition_places(scores: tuple[int, ...], places: tuple[int, ...]) -> None:
    """docs/rules/xxl.md, "Scoring a session": the table of places; turned round, the low score wins."""
    assert competition_places(scores, high_wins=True) == places
    assert competition_places([-score for score in scores], high_wins=False) == places


@pytest.mark.parametrize(
    ("seats", "seed", "options", "field", "words"),
    [
        (1, 0, None, "seats", "2 to 6 seats, not 1"),
        (7, 0, None, "seats", "2 to 6 seats, not 7"),
        (True, 0, None, "seats", "not True"),
        (4, -1, None, "seed", "whole number from 0"),
        (4, SEED_LIMIT, None, "seed", str(SEED_LIMIT - 1)),
        (4, True, None, "seed", "not True"),
        (4, 0, {"dealer": 4}, "options.dealer", "one of 0, 1, 2, 3, not 4"),
        (4, 0, {"dealer": True}, "options.dealer", "not true"),
        (4, 0, {"dealer": "3"}, "options.dealer", 'not "3"'),
        (4, 0, {"trump": "red"}, "options.trump", "its options: dealer, deck"),
    ],
)
def test_a_bad_setup_names_the_field_and_what_is_allowed(
    seats: int, seed: int, options: dict[str, Json] | None, field: str, words: str
) -> None:
    with pytest.raises(BadSetup) as caught:
        GAME.deal(seats, seed, options)
    assert caught.value.field == field
    assert words in str(caught.value)


def test_options_are_completed_with_defaults() -> None:
    """docs/rules/xxl.md, "The deck": by default the dealer is the last seat."""
    assert GAME.read_options(4) == {"dealer": 3, "deck": "default"}
    assert GAME.read_options(4, {"dealer": 0}) == {"dealer": 0, "deck": "default"}


def test_the_three_errors_of_a_move_are_told_apart() -> None:
    playthrough = Playthrough(GAME, 3, 11)
    (seat,) = playthrough.to_move()
    other = (seat + 1) % 3
    before = playthrough.view(None)
    theirs = playthrough.view(other)["hand"]
    with pytest.raises(UnreadableMove, match=r"'purple 3' is no card of the deck.*written as its two halves"):
        GAME.parse("purple 3")
    with pytest.raises(OutOfTurn, match=f"It is the turn of seat {seat}, not of seat {other}"):
        playthrough.play(Turn(other, GAME.parse(theirs[0])))
    with pytest.raises(IllegalMove, match=f"{theirs[0]} is not in your hand"):
        playthrough.play(Turn(seat, GAME.parse(theirs[0])))
    with pytest.raises(IllegalMove, match="55 is no card of the deck"):
        playthrough.play(Turn(seat, 55))
    assert playthrough.view(None) == before
    assert playthrough.turns == []


def test_nobody_moves_after_the_end() -> None:
    playthrough = Playthrough(GAME, 2, 3)
    while to_move := playthrough.to_move():
        assert playthrough.outcome() is None
        playthrough.play(Turn(to_move[0], GAME.legal(playthrough.state, to_move[0])[0]))
    assert playthrough.outcome() is not None
    assert GAME.legal(playthrough.state, 0) == ()
    with pytest.raises(OutOfTurn, match="the game is over"):
        playthrough.play(Turn(0, 0))


def test_a_clone_goes_its_own_way() -> None:
    state = GAME.deal(4, 8)
    views = [GAME.view(state, seat) for seat in range(4)]
    clone = GAME.clone(state)
    assert clone == state
    while to_move := GAME.to_move(clone):
        GAME.apply(clone, Turn(to_move[0], GAME.legal(clone, to_move[0])[-1]))
    assert [GAME.view(state, seat) for seat in range(4)] == views
