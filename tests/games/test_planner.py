"""The planner for The Game: what it considers, what it draws, what it searches, and that it may be trusted."""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bots import bots_for, plays, train_planner
from games.bots.base import Bot
from games.bots.greedy import GreedyBot
from games.bots.planner import CHEAP, Planner, cheap_planner
from games.bots.planner_endgame import Endgame, stranded
from games.bots.planner_net import HIDDEN, Net, file_of, name_of, pack, quantised, unpack
from games.bots.planner_turns import Tops, turns
from games.bots.planner_value import FEATURES, Position, features_of, mirrored, scales
from games.bots.planner_worlds import Worlds
from games.bots.train_planner import SCHEDULE, Lesson, Progress, teach
from games.core import Playthrough, Turn
from games.match import play_through
from games.rules.the_game import END, GAME
from games.rules.the_game_piles import ALL_CARDS, BIT, DECK, START_CARDS, as_set, can_lay, cards_in, signals

DOCS = Path(__file__).parents[2] / "docs" / "bots.md"


def test_it_plays_the_game_alone() -> None:
    assert plays("planner", "the-game")
    assert not plays("planner", "xxl-1")
    assert bots_for("the-game")[-1] == "planner"


# Choices.


@st.composite
def positions(draw: st.DrawFn) -> Playthrough:
    """Of any table, under any options, after some moves of the rule of thumb."""
    seats = draw(st.sampled_from(GAME.seats))
    options: dict[str, Any] = {
        "minimum": draw(st.sampled_from((2, 3))),
        "short_hand": draw(st.booleans()),
        "start": draw(st.sampled_from((0, "choose"))),
    }
    playthrough = Playthrough(GAME, seats, draw(st.integers(0, 2**53 - 1)), options)
    greedy, rng = GreedyBot(GAME), Random(1)
    for _ in range(draw(st.integers(0, 150))):
        if not (to_move := playthrough.to_move()):
            break
        legal = GAME.legal(playthrough.state, to_move[0])
        playthrough.play(Turn(to_move[0], greedy.choose(playthrough.view(to_move[0]), legal, rng)))
    return playthrough


class OnlyRandom(Random):
    """A source of which nothing but ``random()`` may be used."""

    def getrandbits(self, k: int) -> int:
        raise AssertionError("only random() gives the same sequence in every Python")


@settings(max_examples=25, deadline=None)
@given(positions(), st.integers(0, 999))
def test_a_choice_is_legal_and_follows_from_view_and_source_alone(playthrough: Playthrough, chance: int) -> None:
    """The same hidden cards in another order, as far as the view allows it, change nothing."""
    for seat in playthrough.to_move():
        view, legal = playthrough.view(seat), GAME.legal(playthrough.state, seat)
        shown = json.dumps(view)
        bot = cheap_planner(GAME)
        move = bot.choose(view, legal, OnlyRandom(chance))
        assert move in legal
        assert json.dumps(view) == shown
        other = GAME.determinize(json.loads(shown), Random(chance))
        assert cheap_planner(GAME).choose(GAME.view(other, seat), list(legal), OnlyRandom(chance)) == move


def test_it_says_what_a_lay_costs() -> None:
    """From 40, of the cards up to 50 the 45 and the 48 are not yet played; 38 is ten back from 48."""
    hands = [as_set([45, 50, 38]), as_set([46, 99])]
    state = GAME.position(hands, (40, 48, 2, 2), [], 0, hand_size=7)
    view, legal, bot = GAME.view(state, 0), GAME.legal(state, 0), Planner(GAME)
    assert bot.reason(view, legal, GAME.parse("45 up1")) == "It passes over no card that is not yet played."
    assert bot.reason(view, legal, GAME.parse("50 up1")) == "It passes over 2 cards that are not yet played."
    assert bot.reason(view, legal, GAME.parse("38 up2")) == "Ten back: 2 cards between fit the pile again."
    assert bot.reason(view, legal, END) == "Every further card would cost more than it is worth."


# What is considered.


@st.composite
def hands_and_tops(draw: st.DrawFn) -> tuple[int, Tops]:
    cards = draw(st.sets(st.sampled_from(DECK), min_size=1, max_size=8))
    up1, up2, down1, down2 = (draw(st.sampled_from([start, *DECK])) for start in START_CARDS)
    return as_set(sorted(cards - {up1, up2, down1, down2})), (up1, up2, down1, down2)


@settings(max_examples=100, deadline=None)
@given(hands_and_tops(), st.sampled_from((1, 2, 3)))
def test_turns_can_be_played_and_lead_where_they_say(position: tuple[int, Tops], minimum: int) -> None:
    hand, tops = position
    if not hand:
        return
    rest = [card for card in DECK if not hand >> card & 1 and card not in tops]
    considered = turns(hand, tops, minimum, hand | as_set(rest))
    assert bool(considered) == (can_lay(hand, tops, minimum) or (hand.bit_count() < minimum and _all_fit(hand, tops)))
    for after, new_tops, moves, _jumps in considered:
        assert len(moves) >= min(minimum, hand.bit_count())
        state = GAME.position([hand, 0], tops, rest, None, hand_size=8, usual_minimum=1)
        GAME.apply(state, Turn(0, GAME.parse("start 0")))
        for move in moves[:-1]:
            GAME.apply(state, Turn(0, move))
        assert moves[-1] in GAME.legal(state, 0)
        assert state.hands[0] ^ BIT[moves[-1] >> 2] == after
        state.tops[moves[-1] & 3] = moves[-1] >> 2
        assert tuple(state.tops) == new_tops


def _all_fit(hand: int, tops: Tops) -> bool:
    return can_lay(hand, tops, hand.bit_count())


def test_a_card_to_go_back_from_is_considered() -> None:
    """On 20 going up: 35 and then ten back to 25, though 25 is nearer."""
    after = {(new, hand) for hand, new, _moves, _jumps in turns(as_set([25, 35]), (20, 99, 2, 2), 2, ALL_CARDS)}
    assert ((25, 99, 2, 2), 0) in after


# What is drawn.


@settings(max_examples=30, deadline=None)
@given(positions(), st.integers(0, 999))
def test_worlds_give_the_signals_shown(playthrough: Playthrough, chance: int) -> None:
    state = playthrough.state
    hidden = state.hands[1:]
    unseen = as_set(state.draw_pile)
    for hand in hidden:
        unseen |= hand
    shown = [tuple(signals(hand, state.tops)) for hand in hidden]
    world = Worlds(state.tops, unseen, [hand.bit_count() for hand in hidden], shown).draw(Random(chance))
    assert [tuple(signals(hand, state.tops)) for hand in world] == shown
    assert [hand.bit_count() for hand in world] == [hand.bit_count() for hand in hidden]
    together = 0
    for hand in world:
        assert not together & hand
        together |= hand
    assert not together & ~unseen


def test_signals_that_no_hand_could_give_are_refused() -> None:
    """Of pile 10 going up a hand of one card that is none of 11 and 0 is said to be close."""
    with pytest.raises(ValueError, match="no hands"):
        Worlds((10, 1, 100, 100), as_set([50, 60]), [1], [(2, 0, 0, 0)]).draw(Random(1))


# The end.


@st.composite
def endings(draw: st.DrawFn) -> tuple[list[int], Tops]:
    """Up to six cards close to each other, so that much depends on the order, in two or three hands."""
    lowest = draw(st.sampled_from((2, 40, 80)))
    around = st.integers(lowest, lowest + 19)
    cards = draw(st.lists(around, min_size=2, max_size=6, unique=True))
    hands = [0] * draw(st.sampled_from((1, 2, 3)))
    for card in cards:
        hands[draw(st.integers(0, len(hands) - 1))] |= BIT[card]
    hands.sort(key=bool, reverse=True)
    free = [card for card in range(max(lowest - 12, 1), min(lowest + 32, 101)) if card not in cards]
    up1, down1 = draw(st.sampled_from(free)), draw(st.sampled_from(free))
    return hands, (up1, draw(st.sampled_from((99, up1))), down1, draw(st.sampled_from((2, down1))))


def fewest_left(state: Any) -> int:
    """By trying everything, with the rules of the game itself."""
    outcome = GAME.outcome(state)
    if outcome is not None:
        return outcome.scores[0]
    fewest = 99
    for move in GAME.legal(state, state.turn):
        after = state.clone()
        GAME.advance(after, state.turn, move)
        fewest = min(fewest, fewest_left(after))
        if not fewest:
            break
    return fewest


@settings(max_examples=60, deadline=None)
@given(endings())
def test_the_end_is_solved_exactly(ending: tuple[list[int], Tops]) -> None:
    hands, tops = ending
    expected = fewest_left(GAME.position(hands, tops, [], 0, hand_size=6))
    search = Endgame(100_000)
    assert search.solve(tuple(hands), tops, False) == expected
    assert search.left >= 0
    assert search.solve(tuple(hands), tops, False, expected) == expected
    assert stranded(sum(hands), tops).bit_count() <= expected
    if len(hands) < 3:
        bot = Planner(GAME)
        state = GAME.position(hands, tops, [], 0, hand_size=6)
        while GAME.outcome(state) is None:
            legal = GAME.legal(state, state.turn)
            GAME.apply(state, Turn(state.turn, bot.choose(GAME.view(state, state.turn), legal, Random(1))))
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert outcome.scores[0] == expected


# Values.


def test_features_of_a_position_worked_by_hand() -> None:
    """Tops 50, 80 up and 40, 20 down. Read as if going up, the last two are at 61 and 81.

    Not yet played are 52, 55 (own), 42, 90 (following), 30 and 45 (draw pile): above 50 are three cards, above 80 one;
    below 40 is one, below 20 none. The own gaps on 50: the 52 is next, the 55 one further; on 80 there is none.
    The 42 and the 45 fit nowhere (above 40, below 50); the 30 is ten back of 20, and in the draw pile.
    """
    own, following, draw = as_set([52, 55]), as_set([42, 90]), as_set([30, 45])
    (row,) = features_of([Position((50, 80, 40, 20), own, following, 0, own | following | draw, 2, 2)])
    assert row.shape == (FEATURES,) == scales().shape
    assert list(row[:4]) == [3, 1, 1, 0]
    assert list(row[4:20]) == [0] * 15 + [1]
    assert list(row[20:24]) == [0, 3, 3, 3]
    assert list(row[32:36]) == [1, 12, 12, 12]
    stuck, only_one_pile = row[72], row[73]
    assert (stuck, only_one_pile) == (0, 2)
    assert (row[74], row[78]) == (1, 2)
    assert list(row[-7:-2]) == [2, 2, 2, 2, 6]


def _position(tops: Tops, sets: list[int]) -> Position:
    own, following, others, unplayed = sets
    return Position(tops, own, following, others, unplayed, draw_pile=9, drawn=2)


@settings(max_examples=20, deadline=None)
@given(positions())
def test_the_mirror_of_a_position_has_the_mirrored_features(playthrough: Playthrough) -> None:
    """Every card c counted as 101 - c, and the piles going up taken for those going down."""
    state = playthrough.state
    sets = [state.hands[0], state.hands[-1], sum(state.hands[1:-1]), as_set(state.draw_pile) | sum(state.hands)]
    if len(state.hands) == 1:
        sets[1] = 0
    up1, up2, down1, down2 = state.tops
    tops = (101 - down1, 101 - down2, 101 - up1, 101 - up2)
    other = [as_set([101 - card for card in cards_in(cards)]) for cards in sets]
    one, mirror = features_of([_position((up1, up2, down1, down2), sets), _position(tops, other)])
    assert list(one[mirrored()]) == list(mirror)


def test_a_value_does_not_depend_on_the_order_of_sums() -> None:
    """With the hidden units in another order, every value is the same to the last bit."""
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 25, (200, FEATURES)).astype(float)
    for seats, minimum in product(GAME.seats, (2, 3)):
        first, bias, second, bias2 = unpack(file_of(name_of(seats, minimum)).read_bytes())[1]
        order = rng.permutation(HIDDEN)
        one = Net((first, bias, second, bias2)).heads(rows)
        other = Net((first[:, order], bias[order], second[order], bias2)).heads(rows[:, :])
        assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
        assert all(np.array_equal(a, np.floor(a)) for a in one)


def test_a_file_is_read_back_and_a_damaged_one_refused() -> None:
    weights = quantised(train_planner.new_weights(np.random.default_rng(3)))
    data = pack(weights, {"net": "1-2"})
    about, read = unpack(data)
    assert about["net"] == "1-2"
    assert all(np.array_equal(a, b) for a, b in zip(weights, read, strict=True))
    for damaged in (data[:-5], data.replace(b'"sha256": "', b'"sha256": "0'), b"{}", b""):
        with pytest.raises(ValueError, match="damaged"):
            unpack(damaged)


SHIPPED = [lesson for lesson in SCHEDULE if not lesson.part]


@pytest.mark.parametrize("lesson", SHIPPED, ids=lambda lesson: lesson.name)
def test_every_table_has_its_net_and_the_docs_state_its_digest(lesson: Lesson) -> None:
    about, _weights = unpack(file_of(lesson.name).read_bytes())
    assert about["net"] == lesson.name
    assert about["seed"] == train_planner.SEED
    assert about["start"] == lesson.start
    assert about["rounds"] == list(lesson.rounds[: len(about["rounds"])])
    assert about["sha256"][:12] in DOCS.read_text(encoding="utf-8")


def test_there_is_a_lesson_for_every_table() -> None:
    assert {(lesson.seats, lesson.minimum) for lesson in SHIPPED} == set(product(GAME.seats, (2, 3)))
    assert len({lesson.name for lesson in SCHEDULE}) == len(SCHEDULE)


# Training.


@pytest.fixture
def short_steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(train_planner, "_STEPS", 5)
    yield


@pytest.mark.usefixtures("short_steps")
def test_a_lesson_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    """Stopped after each round or not: the same weights. Another lesson goes on from them."""
    lesson, told = Lesson(2, 2, None, (4, 2, 2)), list[str]()
    teach(lesson, tmp_path / "whole", told.append)
    assert [json.loads(line)["round"] for line in told] == [0, 1, 2]

    def stop(line: str) -> None:
        raise KeyboardInterrupt

    for _ in lesson.rounds:
        with pytest.raises(KeyboardInterrupt):
            teach(lesson, tmp_path / "stopped", stop)
    teach(lesson, tmp_path / "stopped", stop)
    whole, stopped = (Progress.read(tmp_path / name / "2-2.npz") for name in ("whole", "stopped"))
    assert whole.done == stopped.done == 3
    assert all(np.array_equal(a, b) for a, b in zip(whole.adam.weights, stopped.adam.weights, strict=True))
    begun = train_planner.begin(Lesson(1, 2, "2-2", (1,)), tmp_path / "whole")
    assert all(np.array_equal(a, b) for a, b in zip(begun.adam.weights, whole.adam.weights, strict=True))


def test_what_came_of_a_position_is_mixed_with_what_is_thought_of_the_next() -> None:
    """Two games, of two positions and of one; a net of nothing but its last biases: chance 1/2, 3 twenties left.

    Of the first, with 10 cards left: the last position has (0, 1/2), the one before 0.9 of that and 0.1 of the net's.
    """
    weights = [np.zeros_like(some) for some in train_planner.new_weights(np.random.default_rng(1))]
    weights[3][:] = 0, 3
    found = train_planner.targets(weights, np.zeros((3, FEATURES), np.float32), [(2, 10), (1, 0)], 0.9)
    assert found == pytest.approx(np.array([[0.05, 0.75], [0, 0.5], [1, 0]]))


# Strength.


def test_it_is_far_ahead_of_the_rule_of_thumb() -> None:
    """Six deals at a table of three, with little effort: fewer cards left by far."""
    left = {}
    bots: dict[str, Bot] = {"planner": Planner(GAME, CHEAP), "greedy": GreedyBot(GAME)}
    for name, bot in bots.items():
        outcomes = [play_through(GAME, [bot] * 3, seed).outcome() for seed in range(6)]
        left[name] = sum(outcome.scores[0] for outcome in outcomes if outcome)
    assert left["planner"] + 6 < left["greedy"]
