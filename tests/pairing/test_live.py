"""The search that live rounds share. Expected values follow from the rules of the module, worked by hand."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing.live import arrange, faded, numbered, oddities, weighed
from league.pairing.values import PairingError, Reason, Wishes

Pair = tuple[int, int]


def tables_of(
    people: list[int],
    sizes: list[int],
    *,
    history: dict[Pair, float] | None = None,
    short: dict[int, int] | None = None,
    wishes: Wishes | None = None,
    seed: int = 1,
    steps: int = 4_000,
) -> list[set[int]]:
    """`arrange` with a search of a size that tests can pay for."""
    answer = arrange(
        people,
        sizes,
        weighed(history or {}, people),
        short=short or {},
        wishes=wishes or Wishes(),
        seed=seed,
        reach=len(people),
        steps=steps,
    )
    return [set(table) for table in answer]


def refused(people: list[int], sizes: list[int], wishes: Wishes) -> Reason:
    with pytest.raises(PairingError) as caught:
        tables_of(people, sizes, wishes=wishes)
    return caught.value.reason


def wish(*, apart: str = "", together: str = "", fixed: dict[int, int] | None = None) -> Wishes:
    """Pairs in words: "1-2 3-4"."""
    pairs = [
        frozenset((int(a), int(b)) for a, b in (one.split("-") for one in text.split())) for text in (apart, together)
    ]
    return Wishes(apart=pairs[0], together=pairs[1], fixed=fixed or {})


# What meetings weigh.


def test_a_meeting_weighs_less_the_longer_ago_it_was() -> None:
    assert faded({(1, 2): [0], (1, 3): [4], (2, 3): [8], (3, 4): [4, 12], (4, 5): []}, half=4) == {
        (1, 2): 1,
        (1, 3): 1 / 2,
        (2, 3): 1 / 3,
        (3, 4): 1 / 2 + 1 / 4,
        (4, 5): 0,
    }


def test_costs_stand_at_the_places_of_the_people_and_leave_out_who_is_not_here() -> None:
    assert weighed({(1, 2): 0.5, (2, 9): 3.0}, [2, 5, 1]) == [[0, 0, 500], [0, 0, 0], [500, 0, 0]]


# What is odd.


def test_oddities_name_meetings_again_and_who_sits_at_a_short_table_too_often() -> None:
    assert oddities(
        [[1, 2, 3, 4], [7, 6, 5]],
        history={(1, 2): 0.5, (6, 7): 2.0, (4, 5): 1.0, (1, 3): 0.0},
        short={5: 1, 6: 2, 1: 1, 2: 3, 3: 1, 4: 1},
        wishes=wish(together="6-7"),
    ) == [
        Reason(code="met_before", entrants=(1, 2), figures={"table": 1, "weight": 0.5}),
        Reason(code="together_again", entrants=(6, 7), figures={"table": 2, "weight": 2.0}),
        Reason(code="short_again", entrants=(6,), figures={"table": 2, "times": 2, "least": 1}),
    ]


def test_who_goes_together_through_others_or_by_a_fixed_table_meets_again_by_wish() -> None:
    wishes = wish(together="1-3 2-3", fixed={4: 2, 6: 2})
    found = oddities([[1, 2, 3], [4, 5, 6]], history={(1, 2): 1.0, (4, 6): 1.0, (5, 6): 1.0}, short={}, wishes=wishes)
    assert [(reason.code, reason.entrants) for reason in found] == [
        ("together_again", (1, 2)),
        ("together_again", (4, 6)),
        ("met_before", (5, 6)),
    ]


def test_tables_of_one_size_are_never_short() -> None:
    assert oddities([[1, 2, 3], [4, 5, 6]], history={}, short={1: 5}, wishes=Wishes()) == []


# Meetings again and short tables.


def test_two_tables_of_three_that_never_met() -> None:
    # All but two triples have met: 1-2 at one table with anybody else is a meeting again.
    triples = ({1, 3, 5}, {2, 4, 6})
    history = {pair: 1.0 for pair in combinations(range(1, 7), 2) if not any(set(pair) <= one for one in triples)}
    assert sorted(tables_of(list(range(1, 7)), [3, 3], history=history), key=min) == list(triples)


def test_of_two_meetings_again_the_one_of_long_ago() -> None:
    # 1 has met all others but 2; with a table of three, one of them it has to be: 5 was met the longest ago.
    history = {(1, 3): 1.0, (1, 4): 0.9, (1, 5): 0.2, (1, 6): 0.8}
    assert {1, 2, 5} in tables_of(list(range(1, 7)), [3, 3], history=history)


def test_eight_people_play_as_planned_by_hand_when_only_one_round_is_left() -> None:
    # 16 people at 4s can meet once in five rounds (the affine plane of order 4): rows, columns and three diagonals of
    # a square over the field of four. After four of them the fifth is the only one without a meeting again.
    add = [[a ^ b for b in range(4)] for a in range(4)]
    times = [[0, 0, 0, 0], [0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2]]
    rounds = [[[4 * row + column for column in range(4)] for row in range(4)]]
    rounds += [[[4 * y + add[times[slope][y]][c] for y in range(4)] for c in range(4)] for slope in range(4)]
    history = {pair: 1.0 for one in rounds[:4] for table in one for pair in combinations(sorted(table), 2)}
    found = tables_of(list(range(16)), [4] * 4, history=history, steps=60_000)
    assert sorted(map(sorted, found)) == sorted(map(sorted, rounds[4]))


def test_who_sat_at_a_short_table_sits_at_a_full_one() -> None:
    short = {1: 1, 2: 1, 3: 1, 4: 1}
    for seed in range(3):
        assert {1, 2, 3, 4} in tables_of(list(range(1, 8)), [4, 3], short=short, seed=seed)


@given(
    st.dictionaries(st.integers(1, 14), st.integers(0, 3)),
    st.dictionaries(st.sampled_from(list(combinations(range(1, 15), 2))), st.floats(0, 5), max_size=60),
    st.integers(0, 1000),
)
@settings(max_examples=40)
def test_nobody_sits_short_again_before_the_others(
    short: dict[int, int], history: dict[Pair, float], seed: int
) -> None:
    people = list(range(1, 15))
    found = tables_of(people, [4, 4, 3, 3], history=history, short=short, seed=seed, steps=2_000)
    at_short = [short.get(one, 0) for table in found if len(table) == 3 for one in table]
    assert sum(at_short) == sum(sorted(short.get(one, 0) for one in people)[:6])


# Wishes.


@st.composite
def crowds(draw: st.DrawFn) -> tuple[int, list[int], Wishes]:
    """People 1 to n, the sizes of their tables, and some wishes."""
    sizes = draw(st.lists(st.integers(3, 4), min_size=2, max_size=5)) if draw(st.booleans()) else [3, 2, 2]
    count = sum(sizes)
    pairs = st.sets(st.sampled_from(list(combinations(range(1, count + 1), 2))), max_size=6)
    fixed = draw(st.dictionaries(st.integers(1, count), st.integers(1, len(sizes)), max_size=2))
    return count, sizes, Wishes(apart=frozenset(draw(pairs)), together=frozenset(draw(pairs)), fixed=fixed)


def fulfilled(tables: list[set[int]], wishes: Wishes) -> bool:
    return (
        not any(set(pair) <= table for pair in wishes.apart for table in tables)
        and all(any(set(pair) <= table for table in tables) for pair in wishes.together)
        and all(one in tables[number - 1] for one, number in wishes.fixed.items())
    )


def possible(left: list[int], sizes: list[int], wishes: Wishes, done: list[set[int]]) -> bool:
    """By trying everything: whether tables of these sizes, put at some numbers, can fulfil the wishes."""
    if not sizes:
        return any(
            fulfilled(order, wishes) for order in ([done[n] for n in numbers] for numbers in permuted(len(done)))
        )
    for size in sorted(set(sizes)):
        rest = list(sizes)
        rest.remove(size)
        for others in combinations(left[1:], size - 1):
            table = {left[0], *others}
            if any(set(pair) <= table for pair in wishes.apart):
                continue
            if any(len(set(pair) & table) == 1 for pair in wishes.together):
                continue
            if possible([one for one in left if one not in table], rest, wishes, [*done, table]):
                return True
    return False


def permuted(count: int) -> list[list[int]]:
    if count == 0:
        return [[]]
    return [[*order[:at], count - 1, *order[at:]] for order in permuted(count - 1) for at in range(count)]


@given(crowds(), st.integers(0, 100))
@settings(max_examples=100)
def test_wishes_are_kept_or_refused_where_nothing_fulfils_them(crowd: tuple[int, list[int], Wishes], seed: int) -> None:
    count, sizes, wishes = crowd
    people = list(range(1, count + 1))
    try:
        found = tables_of(people, sizes, wishes=wishes, seed=seed, steps=500)
    except PairingError as error:
        assert error.reason.code != "wishes_not_found"
        if count <= 10:
            assert not possible(people, sizes, wishes, [])
        return
    assert sorted(one for table in found for one in table) == people
    assert sorted(map(len, found)) == sorted(sizes)
    assert fulfilled([set(table) for table in numbered([sorted(table) for table in found], wishes.fixed)], wishes)


def test_parties_are_moved_where_that_saves_a_meeting_again() -> None:
    # 1 and 2 go together, and have met everybody but 5 and 6.
    history = {(a, b): 1.0 for a in (1, 2) for b in (3, 4, 7, 8)}
    found = tables_of(list(range(1, 9)), [4, 4], history=history, wishes=wish(together="1-2"))
    assert {1, 2, 5, 6} in found


def test_a_party_moves_to_a_table_of_another_size() -> None:
    # 1, 2 and 3 want to be by themselves; they begin at the table of four, where nobody keeps them company for free.
    history = {(a, b): 1.0 for a in (1, 2, 3) for b in range(4, 8)}
    found = tables_of(list(range(1, 8)), [4, 3], history=history, wishes=wish(together="1-2 2-3"))
    assert {1, 2, 3} in found


@pytest.mark.parametrize(
    ("wishes", "reason"),
    [
        (wish(apart="1-2", together="1-2"), Reason(code="together_and_apart", entrants=(1, 2))),
        (wish(apart="1-3", together="1-2 2-3"), Reason(code="together_and_apart", entrants=(1, 3))),
        (wish(apart="1-3", fixed={1: 2, 3: 2}), Reason(code="together_and_apart", entrants=(1, 3))),
        (
            wish(together="1-2 2-3 3-4 4-5"),
            Reason(code="together_too_many", entrants=(1, 2, 3, 4, 5), figures={"seats": 4}),
        ),
        (wish(together="1-2", fixed={1: 1, 2: 2}), Reason(code="together_fixed_elsewhere", entrants=(1, 2))),
        (
            wish(fixed={1: 1, 2: 1, 3: 1, 4: 1, 7: 1}),
            Reason(code="fixed_too_many", entrants=(1, 2, 3, 4, 7), figures={"table": 1, "seats": 4}),
        ),
        (wish(fixed={5: 3}), Reason(code="no_such_table", entrants=(5,), figures={"table": 3, "tables": 2})),
        (wish(fixed={5: 0}), Reason(code="no_such_table", entrants=(5,), figures={"table": 0, "tables": 2})),
        # Three who all keep apart at two tables.
        (wish(apart="1-2 1-3 2-3"), Reason(code="wishes_impossible", entrants=(1, 2, 3))),
        # Two threes and a fourth pair do not fit into 4 + 3.
        (
            wish(together="1-2 2-3 4-5 6-7", apart="1-4 1-6 4-6"),
            Reason(code="wishes_impossible", entrants=(1, 2, 3, 4, 5, 6, 7)),
        ),
    ],
)
def test_what_is_impossible_is_refused(wishes: Wishes, reason: Reason) -> None:
    assert refused(list(range(1, 8)), [4, 3], wishes) == reason


def test_nobody_is_seated_twice() -> None:
    assert refused([1, 2, 3, 2], [4], Wishes()) == Reason(code="entrant_twice", entrants=(2,))


def test_one_more_who_keep_apart_than_tables_is_refused_and_says_whether_all_was_tried() -> None:
    # Alike tables are tried once, so that 15 at 7 + 7 tables can be tried out; 20 at 10 + 9 go beyond the steps.
    for count, sizes, code in (
        (15, [4] * 7 + [3] * 7, "wishes_impossible"),
        (20, [4] * 10 + [3] * 9, "wishes_not_found"),
    ):
        clique = frozenset(combinations(range(1, count + 1), 2))
        reason = refused(list(range(1, sum(sizes) + 1)), sizes, Wishes(apart=clique))
        assert (reason.code, reason.entrants) == (code, tuple(range(1, count + 1)))


def test_wishes_of_those_who_are_not_here_count_for_nothing() -> None:
    wishes = wish(apart="1-9", together="2-8", fixed={7: 99})
    assert sorted(map(len, tables_of([1, 2, 3, 4, 5, 6], [3, 3], wishes=wishes))) == [3, 3]


def test_fixed_tables_get_their_numbers_and_the_others_keep_their_order() -> None:
    assert numbered([[1, 2], [3, 4], [5, 6], [7, 8]], {1: 3, 7: 1}) == [[7, 8], [3, 4], [1, 2], [5, 6]]


# The same everywhere.


def test_a_seed_gives_the_same_tables_whatever_the_order_of_wishes_and_history() -> None:
    history = {pair: (pair[0] * pair[1]) % 7 / 3 for pair in combinations(range(1, 20), 2)}
    turned = dict(reversed(history.items()))
    wishes = wish(apart="1-2 3-4 5-6", together="1-9 7-8", fixed={3: 2, 4: 5})
    once = tables_of(list(range(1, 20)), [4, 4, 4, 4, 3], history=history, wishes=wishes, seed=7)
    again = tables_of(
        list(range(1, 20)),
        [4, 4, 4, 4, 3],
        history=turned,
        wishes=wish(apart="5-6 3-4 1-2", together="7-8 1-9", fixed={4: 5, 3: 2}),
        seed=7,
    )
    assert once == again
