"""Series: deals that can be played apart and added up in any order, packages that nobody has to trust."""

import json
import tracemalloc
import zlib
from dataclasses import replace
from itertools import permutations

import pytest

from games.match import deal_seed
from games.record import Departure, RecordError
from games.series import (
    MAXIMUM_UNPACKED,
    PURE_XXL,
    BadPackage,
    Deal,
    Plan,
    Player,
    Tally,
    pack,
    record_of,
    replay,
    unpack,
)

PLANS = {
    "xxl": Plan(("xxl-6",), ("random",) * 3, 55),
    "pure": Plan(PURE_XXL, ("random",) * 4, 7),
    "together": Plan(("the-game",), ("random",) * 2, 7, {"minimum": 3}),
}
each_plan = pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)


@each_plan
def test_a_deal_follows_from_the_plan_alone(plan: Plan) -> None:
    """Whoever plays it, and whatever was played before."""
    one, other = Player(plan), Player(plan)
    in_order = [one.play(deal) for deal in range(7)]
    assert [other.play(deal) for deal in reversed(range(7))] == in_order[::-1]
    assert in_order[0].game == plan.games[0]
    assert len({deal.moves for deal in in_order}) == 7


@each_plan
def test_a_package_gives_back_what_was_packed_and_each_deal_is_replayed(plan: Plan) -> None:
    player = Player(plan)
    deals = [player.play(deal) for deal in range(7)]
    versions, again = unpack(pack(deals))
    assert again == deals
    assert set(versions) == {deal.game for deal in deals}
    for number, deal in enumerate(again):
        outcome = replay(plan, number, deal, versions[deal.game]).outcome()
        assert outcome is not None
        assert (outcome.scores, outcome.places, outcome.reason) == (deal.scores, deal.places, deal.reason)
        record = record_of(plan, number, deal, versions[deal.game])
        assert (record.game, record.seed, len(record.moves)) == (
            deal.game,
            deal_seed(plan.seed, number),
            len(deal.moves),
        )


def test_a_deal_by_other_rules_is_not_played_back() -> None:
    plan = PLANS["xxl"]
    deal = Player(plan).play(0)
    versions, _deals = unpack(pack([deal], {"xxl-6": 99}))
    assert versions == {"xxl-6": 99}
    with pytest.raises(RecordError):
        replay(plan, 0, deal, versions["xxl-6"])
    sound = unpack(pack([deal]))[0]["xxl-6"]
    with pytest.raises(Departure):
        replay(plan, 1, deal, sound)
    with pytest.raises(Departure):
        replay(plan, 0, replace(deal, moves=("nonsense", *deal.moves)), sound)
    with pytest.raises(RecordError, match="has not ended"):
        replay(plan, 0, replace(deal, moves=deal.moves[:-1]), sound)


def test_tallies_add_up_in_any_order() -> None:
    """Three deals of two seats by hand: places 1 2, 2 1, 1 1."""
    parts = [
        Deal("xxl-6", (30, 10), (1, 2), "hands_played", ("a",)),
        Deal("xxl-6", (5, 50), (2, 1), "hands_played", ("a",)),
        Deal("xxl-6", (20, 20), (1, 1), "", ("a",)),
    ]
    whole = {
        "deals": 3,
        "scores": [55, 80],
        "places": [4, 4],
        "squares": [6, 6],
        "firsts": [2, 2],
        "ends": {"hands_played": 2, "": 1},
        "results": {},
    }
    for order in permutations(parts):
        total = Tally.empty(2)
        for part in order:
            total.join(Tally.of([part], 2))
        assert total.to_json() == whole
    assert Tally.from_json(json.loads(json.dumps(whole))).to_json() == whole


def test_a_cooperative_tally_counts_the_results_of_the_table() -> None:
    left = [Deal("the-game", (cards, cards), None, "stuck", ("a",)) for cards in (12, 0, 12)]
    told = Tally.of(left, 2).to_json()
    assert (told["scores"], told["results"]) == ([24, 24], {"12": 2, "0": 1})
    assert (told["places"], told["squares"], told["firsts"]) == ([0, 0], [0, 0], [0, 0])


_LINE = '["xxl-6",[1,2],[1,2],"","a|b"]'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "1",
        "null",
        "[[],[]]",
        '[{"xxl-6":"1"},[]]',
        '[{"xxl-6":true},[]]',
        "[{},1]",
        "[{},[[]]]",
        "[{},[1]]",
        f"[{{}},[{_LINE.replace('[1,2],[1,2]', '[1,2]')}]]",
        f"[{{}},[{_LINE.replace('1,2', '1,true')}]]",
        f"[{{}},[{_LINE.replace('1,2', '1,2.5')}]]",
        f"[{{}},[{_LINE.replace('[1,2]', '3')}]]",
        f"[{{}},[{_LINE.replace('a|b', '')[:-2]}1]]]",
        "[" * 100_000,
        f"[{{}},[[{'9' * 5000}]]]",
    ],
)
def test_what_pack_can_not_have_made_is_refused(text: str) -> None:
    with pytest.raises(BadPackage):
        unpack(zlib.compress(text.encode()))


def test_damaged_bytes_are_refused() -> None:
    sound = pack([Player(PLANS["xxl"]).play(0)])
    for end in range(len(sound)):
        with pytest.raises(BadPackage):
            unpack(sound[:end])
    with pytest.raises(BadPackage):
        unpack(sound + b"\0")


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = zlib.compress(b" " * (6 * MAXIMUM_UNPACKED), 1)
    assert len(bomb) < 2**20
    tracemalloc.start()
    try:
        with pytest.raises(BadPackage):
            unpack(bomb)
        assert tracemalloc.get_traced_memory()[1] < 3 * MAXIMUM_UNPACKED
    finally:
        tracemalloc.stop()
