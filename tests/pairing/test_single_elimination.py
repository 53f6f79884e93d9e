"""Single elimination: drawings by hand, a published tournament, and the counts for 2 to 64 entrants."""

from collections import Counter

import pytest

from league.pairing.brackets import Decision, SourceKind, resolve
from league.pairing.single_elimination import single_elimination
from league.pairing.values import PairingError, TableKind
from tests.pairing.playing import drawing, favourite, outsider, play, ranks, sheet, words

SIZES = range(2, 65)


def test_eight_as_drawn_by_hand() -> None:
    assert drawing(single_elimination(8, third_place=True)) == sheet("""
        1 W1-1: 1, 8
        1 W1-2: 4, 5
        1 W1-3: 2, 7
        1 W1-4: 3, 6
        2 W2-1: W1-1, W1-2
        2 W2-2: W1-3, W1-4
        3 W3-1: W2-1, W2-2
        3 3P: -W2-1, -W2-2
    """)


def test_eleven_as_drawn_by_hand_the_first_five_have_byes() -> None:
    assert drawing(single_elimination(11)) == sheet("""
        1 W1-1: 1, .
        1 W1-2: 8, 9
        1 W1-3: 4, .
        1 W1-4: 5, .
        1 W1-5: 2, .
        1 W1-6: 7, 10
        1 W1-7: 3, .
        1 W1-8: 6, 11
        2 W2-1: W1-1, W1-2
        2 W2-2: W1-3, W1-4
        2 W2-3: W1-5, W1-6
        2 W2-4: W1-7, W1-8
        3 W3-1: W2-1, W2-2
        3 W3-2: W2-3, W2-4
        4 W4-1: W3-1, W3-2
    """)


def test_sixteen_has_the_quarters_of_a_region_of_the_ncaa_tournament() -> None:
    """As printed for each region: 1-16 above 8-9, 5-12 above 4-13, then 6-11 above 3-14, 7-10 above 2-15."""
    first = [match.sources for match in single_elimination(16).matches if match.wave == 1]
    pairs = [frozenset(int(words(source)) for source in sources) for sources in first]
    quarters = [frozenset(pairs[place : place + 2]) for place in range(0, 8, 2)]
    halves = {frozenset(quarters[:2]), frozenset(quarters[2:])}

    def quarter(*matches: tuple[int, int]) -> frozenset[frozenset[int]]:
        return frozenset(frozenset(match) for match in matches)

    assert halves == {
        frozenset({quarter((1, 16), (8, 9)), quarter((5, 12), (4, 13))}),
        frozenset({quarter((6, 11), (3, 14)), quarter((7, 10), (2, 15))}),
    }


def test_the_world_cup_of_2018_is_played_as_it_was() -> None:
    """FIFA World Cup Russia 2018, knockout stage: matches, results and final places as FIFA has published them."""
    teams = [
        *("France", "Argentina", "Uruguay", "Portugal", "Brazil", "Mexico", "Belgium", "Japan"),
        *("Spain", "Russia", "Croatia", "Denmark", "Sweden", "Switzerland", "Colombia", "England"),
    ]
    winners = {
        "W1": {"France", "Uruguay", "Brazil", "Belgium", "Russia", "Croatia", "Sweden", "England"},
        "W2": {"France", "Belgium", "Croatia", "England"},
        "W3": {"France", "Croatia"},
        "W4": {"France"},
        "3P": {"Belgium"},
    }
    bracket = single_elimination(16, third_place=True)
    seeding = [0] * 16
    first = [match for match in bracket.matches if match.wave == 1]
    for place, source in enumerate(source for match in first for source in match.sources):
        seeding[source.seed - 1] = place
    met = []

    def decide(code: str, one: int, other: int) -> Decision:
        met.append({teams[one], teams[other]})
        won = winners[code[:2]]
        return Decision(winner=one, loser=other) if teams[one] in won else Decision(winner=other, loser=one)

    _, resolved = play(bracket, decide, seeding)
    assert met[8:12] == [{"France", "Uruguay"}, {"Brazil", "Belgium"}, {"Russia", "Croatia"}, {"Sweden", "England"}]
    assert met[12:] == [
        {"France", "Belgium"},
        {"Croatia", "England"},
        {"France", "Croatia"},
        {"Belgium", "England"},
    ]
    placed = {teams[entrant]: rank for entrant, rank in ranks(bracket, resolved).items()}
    assert [placed[team] for team in ("France", "Croatia", "Belgium", "England")] == ["1", "2", "3", "4"]
    assert {placed[team] for team in ("Uruguay", "Brazil", "Russia", "Sweden")} == {"5-8"}
    assert {placed[team] for team in ("Argentina", "Japan", "Spain", "Colombia")} == {"9-16"}


@pytest.mark.parametrize("entrants", SIZES)
def test_counts_for_any_number_of_entrants(entrants: int) -> None:
    bracket = single_elimination(entrants)
    rounds = next(rounds for rounds in range(1, 7) if 2**rounds >= entrants)
    byes = [match for match in bracket.matches if match.is_bye]
    assert len(bracket.played()) == entrants - 1
    assert len(byes) == 2**rounds - entrants
    assert {match.round for match in byes} <= {1}
    assert max(match.wave for match in bracket.matches) == rounds
    assert all(match.wave == match.round for match in bracket.matches)
    for match in byes:
        (seed,) = (source.seed for source in match.sources if source.kind is SourceKind.SEED)
        assert seed <= len(byes), "the first seeds have the byes"
    seeds = sorted(source.seed for match in bracket.matches for source in match.sources if source.seed)
    assert seeds == list(range(1, entrants + 1))
    in_round = Counter(match.round for match in bracket.matches)
    assert in_round == {number: 2 ** (rounds - number) for number in range(1, rounds + 1)}
    third = single_elimination(entrants, third_place=True)
    assert len(third.played()) == (entrants if entrants >= 4 else entrants - 1)
    assert max(match.wave for match in third.matches) == rounds


@pytest.mark.parametrize("entrants", SIZES)
def test_where_favourites_win_seeds_meet_by_their_sum_and_are_placed_by_it(entrants: int) -> None:
    """While the best 2^m are left their seeds in a match add up to 2^m + 1, and seed 2^m / 2 + 1 and on share ranks."""
    bracket = single_elimination(entrants)
    rounds = max(match.round for match in bracket.matches)
    outcomes, resolved = play(bracket, favourite)
    for code, outcome in outcomes.items():
        left = 2 ** (rounds - bracket.match(code).round + 1)
        assert outcome.winner + outcome.loser == left + 1
    placed = ranks(bracket, resolved)
    assert (placed[1], placed[2]) == ("1", "2")
    for top in (2**power for power in range(1, rounds)):
        last = min(2 * top, entrants)
        expected = str(last) if last == top + 1 else f"{top + 1}-{last}"
        assert {placed[seed] for seed in range(top + 1, last + 1)} == {expected}


@pytest.mark.parametrize("entrants", SIZES)
@pytest.mark.parametrize("third_place", [True, False])
def test_who_loses_is_out_whoever_wins(entrants: int, third_place: bool) -> None:
    bracket = single_elimination(entrants, third_place=third_place)
    outcomes, resolved = play(bracket, outsider)
    losses = Counter(outcome.loser for code, outcome in outcomes.items() if code != "3P")
    assert set(losses.values()) == {1}
    assert len(losses) == entrants - 1
    placed = ranks(bracket, resolved)
    (champion,) = set(range(1, entrants + 1)) - losses.keys()
    assert placed[champion] == "1"
    if third_place and entrants >= 4:
        assert placed[outcomes["3P"].winner] == "3"
        assert placed[outcomes["3P"].loser] == "4"


def test_third_place_of_three_is_not_played() -> None:
    bracket = single_elimination(3, third_place=True)
    assert [match.code for match in bracket.played()] == ["W1-2", "W2-1"]
    _, resolved = play(bracket)
    assert ranks(bracket, resolved) == {1: "1", 2: "2", 3: "3"}


def test_a_double_forfeit_in_a_semi_final_gives_third_place_to_the_other_loser() -> None:
    """1 and 4 stay away: 2 beats 3 and has won. 3 is third without a match; nobody has won the places of 1 and 4."""
    bracket = single_elimination(4, third_place=True)
    outcomes = {
        "W1-1": Decision(winner=1, loser=4, kind=TableKind.DOUBLE_FORFEIT),
        "W1-2": Decision(winner=2, loser=3),
    }
    resolved = resolve(bracket, [1, 2, 3, 4], outcomes)
    assert resolved.finished
    reasons = {code: match.reason and match.reason.code for code, match in resolved.matches.items()}
    assert reasons == {"W1-1": None, "W1-2": None, "W2-1": "walkover", "3P": "walkover"}
    assert ranks(bracket, resolved) == {2: "1", 3: "2", 1: "3-4", 4: "3-4"}


def test_the_last_rounds_may_be_best_of_more() -> None:
    bracket = single_elimination(16, third_place=True, best_of=1, best_of_last=(5, 3))
    assert {match.code: match.best_of for match in bracket.matches if match.best_of > 1} == {
        "W4-1": 5,
        "W3-1": 3,
        "W3-2": 3,
        "3P": 3,
    }
    assert {match.best_of for match in single_elimination(4, best_of=3).matches} == {3}


def test_what_cannot_be_drawn_is_refused_with_the_reason() -> None:
    with pytest.raises(PairingError) as refused:
        single_elimination(1)
    assert refused.value.reason.code == "too_few_entrants"
    for best_of in (0, 2, -1):
        with pytest.raises(PairingError) as refused:
            single_elimination(8, best_of=best_of)
        assert refused.value.reason.code == "best_of_even"
