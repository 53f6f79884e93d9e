"""Double elimination: drawings by hand, the order that keeps rematches away, and the counts for 2 to 64 entrants."""

from collections import Counter

import pytest

from league.pairing.brackets import Bracket, Decision, Resolved, Side, SourceKind, State, resolve
from league.pairing.double_elimination import GrandFinal, double_elimination
from league.pairing.values import PairingError, TableKind
from tests.pairing.playing import by_chance, drawing, favourite, play, ranks, sheet

SIZES = range(2, 65)
DOUBLE = TableKind.DOUBLE_FORFEIT


def rounds_of(entrants: int) -> int:
    return next(rounds for rounds in range(1, 7) if 2**rounds >= entrants)


def reasons(resolved: Resolved) -> dict[str, str]:
    return {code: match.reason.code for code, match in resolved.matches.items() if match.reason}


def test_eight_as_drawn_by_hand_losers_of_the_second_round_cross_over() -> None:
    assert drawing(double_elimination(8)) == sheet("""
        1 W1-1: 1, 8
        1 W1-2: 4, 5
        1 W1-3: 2, 7
        1 W1-4: 3, 6
        2 W2-1: W1-1, W1-2
        2 W2-2: W1-3, W1-4
        2 L1-1: -W1-1, -W1-2
        2 L1-2: -W1-3, -W1-4
        3 W3-1: W2-1, W2-2
        3 L2-1: L1-1, -W2-2
        3 L2-2: L1-2, -W2-1
        4 L3-1: L2-1, L2-2
        5 L4-1: L3-1, -W3-1
        6 GF1: W3-1, L4-1
        7 GF2: GF1, -GF1
    """)


def test_sixteen_as_drawn_by_hand() -> None:
    assert drawing(double_elimination(16, grand_final=GrandFinal.SIMPLE)) == sheet("""
        1 W1-1: 1, 16
        1 W1-2: 8, 9
        1 W1-3: 4, 13
        1 W1-4: 5, 12
        1 W1-5: 2, 15
        1 W1-6: 7, 10
        1 W1-7: 3, 14
        1 W1-8: 6, 11
        2 W2-1: W1-1, W1-2
        2 W2-2: W1-3, W1-4
        2 W2-3: W1-5, W1-6
        2 W2-4: W1-7, W1-8
        2 L1-1: -W1-1, -W1-2
        2 L1-2: -W1-3, -W1-4
        2 L1-3: -W1-5, -W1-6
        2 L1-4: -W1-7, -W1-8
        3 W3-1: W2-1, W2-2
        3 W3-2: W2-3, W2-4
        3 L2-1: L1-1, -W2-3
        3 L2-2: L1-2, -W2-4
        3 L2-3: L1-3, -W2-1
        3 L2-4: L1-4, -W2-2
        4 W4-1: W3-1, W3-2
        4 L3-1: L2-1, L2-2
        4 L3-2: L2-3, L2-4
        5 L4-1: L3-1, -W3-1
        5 L4-2: L3-2, -W3-2
        6 L5-1: L4-1, L4-2
        7 L6-1: L5-1, -W4-1
        8 GF1: W4-1, L6-1
    """)


def test_sixteen_played_by_hand_where_favourites_win() -> None:
    outcomes, resolved = play(double_elimination(16), favourite)
    played = {code: (outcome.winner, outcome.loser) for code, outcome in outcomes.items() if code[0] in "LG"}
    assert played == {
        "L1-1": (9, 16),
        "L1-2": (12, 13),
        "L1-3": (10, 15),
        "L1-4": (11, 14),
        "L2-1": (7, 9),
        "L2-2": (6, 12),
        "L2-3": (8, 10),
        "L2-4": (5, 11),
        "L3-1": (6, 7),
        "L3-2": (5, 8),
        "L4-1": (4, 6),
        "L4-2": (3, 5),
        "L5-1": (3, 4),
        "L6-1": (2, 3),
        "GF1": (1, 2),
    }
    assert reasons(resolved) == {"GF2": "no_reset"}
    top = {1: "1", 2: "2", 3: "3", 4: "4", 5: "5-6", 6: "5-6", 7: "7-8", 8: "7-8"}
    rest = dict.fromkeys(range(9, 13), "9-12") | dict.fromkeys(range(13, 17), "13-16")
    assert ranks(double_elimination(16), resolved) == top | rest


def test_five_as_drawn_by_hand_byes_go_on_into_the_losers_bracket() -> None:
    """Three byes, so only 4 and 5 play in the first round: its loser waits for the loser of 2 and 3."""
    bracket = double_elimination(5, grand_final=GrandFinal.NONE)
    assert drawing(bracket) == sheet("""
        1 W1-1: 1, .
        1 W1-2: 4, 5
        1 W1-3: 2, .
        1 W1-4: 3, .
        1 L1-1: ., -W1-2
        1 L1-2: ., .
        2 W2-1: W1-1, W1-2
        2 W2-2: W1-3, W1-4
        3 W3-1: W2-1, W2-2
        3 L2-1: L1-1, -W2-2
        3 L2-2: ., -W2-1
        4 L3-1: L2-1, L2-2
        5 L4-1: L3-1, -W3-1
    """)
    resolved = resolve(bracket, [1, 2, 3, 4, 5], {})
    assert resolved.ready == ("W1-2", "W2-2")
    assert reasons(resolved) == {
        "W1-1": "bye",
        "W1-3": "bye",
        "W1-4": "bye",
        "L1-1": "bye",
        "L1-2": "nobody",
        "L2-2": "bye",
    }
    resolved = resolve(bracket, [1, 2, 3, 4, 5], {"W1-2": Decision(winner=5, loser=4)})
    assert resolved.matches["L1-1"].winner == 4
    assert resolved.matches["L2-1"].entrants == (4, None)
    _, resolved = play(bracket)
    assert ranks(bracket, resolved) == {1: "1", 2: "2", 3: "3", 4: "4", 5: "5"}


@pytest.mark.parametrize("entrants", SIZES)
def test_counts_for_any_number_of_entrants(entrants: int) -> None:
    rounds = rounds_of(entrants)
    for grand_final, played, waves in (
        (GrandFinal.RESET, 2 * entrants - 1, 2 * rounds + 1),
        (GrandFinal.SIMPLE, 2 * entrants - 2, 2 * rounds),
        (GrandFinal.NONE, 2 * entrants - 3, 2 * rounds - 1),
    ):
        bracket = double_elimination(entrants, grand_final=grand_final)
        assert bracket.rounds(Side.WINNERS) == rounds
        assert bracket.rounds(Side.LOSERS) == 2 * rounds - 2
        assert bracket.rounds(Side.THIRD_PLACE) == 0
        sides = Counter(match.side for match in bracket.played())
        assert sides.total() == played
        assert sides[Side.WINNERS] == entrants - 1
        assert sides[Side.LOSERS] == entrants - 2
        assert {match.wave for match in bracket.played()} == set(range(1, waves + 1))
    losers = [match for match in bracket.matches if match.side is Side.LOSERS]
    assert Counter(match.round for match in losers) == {
        number: 2 ** (rounds - 1 - (number + 1) // 2) for number in range(1, 2 * rounds - 1)
    }
    for side in (Side.WINNERS, Side.LOSERS) if losers else (Side.WINNERS,):
        byes = [match for match in bracket.matches if match.side is side and match.is_bye]
        assert len(byes) == 2**rounds - entrants


@pytest.mark.parametrize("entrants", SIZES)
@pytest.mark.parametrize("grand_final", GrandFinal)
def test_everybody_goes_somewhere_once(entrants: int, grand_final: GrandFinal) -> None:
    """Each seed comes in once, each winner and loser of a match that is played goes into one match or one place."""
    bracket = double_elimination(entrants, grand_final=grand_final)
    into = [source for match in bracket.matches for source in match.sources if source.kind is not SourceKind.BYE]
    out = [source for group in bracket.places for source in group]
    assert len(set(into + out)) == len(into + out)
    assert sorted(source.seed for source in into if source.seed) == list(range(1, entrants + 1))
    named = Counter(source.code for source in into + out if source.code)
    assert all(named[match.code] == 2 for match in bracket.played())
    codes = [match.code for match in bracket.matches]
    for place, match in enumerate(bracket.matches):
        assert {source.code for source in match.sources if source.code} <= set(codes[:place])


def first_rematch(bracket: Bracket) -> int:
    """The first round of losers in which two who met among the winners can meet again, by following all ways."""
    into = {(source.kind, source.code): match for match in bracket.matches for source in match.sources}
    matches = {match.code: match for match in bracket.matches}

    def way(code: str, kind: SourceKind) -> list[str]:
        """The matches on the way of who leaves this match as its winner or loser, winning from there on."""
        found = []
        while match := into.get((kind, code)):
            found.append(match.code)
            code, kind = match.code, SourceKind.WINNER
        return found

    earliest = []
    for match in bracket.played():
        if match.side is not Side.WINNERS:
            continue
        loses = [code for code in way(match.code, SourceKind.LOSER) if code[0] == "L"]
        later = [code for code in way(match.code, SourceKind.WINNER) if code[0] == "W"]
        for drop in later:
            meets = [code for code in way(drop, SourceKind.LOSER) if code in loses]
            earliest += [matches[code].round for code in meets if not matches[code].is_bye]
    return min(earliest)


@pytest.mark.parametrize(("entrants", "promised"), [(4, 2), (8, 3), (16, 4), (32, 5), (64, 7)])
def test_no_rematch_is_possible_before_the_promised_round(entrants: int, promised: int) -> None:
    """docs/brackets.md has the table; by brute force over all flips of halves no order promises more."""
    assert first_rematch(double_elimination(entrants)) == promised
    for fewer in range(entrants // 2 + 1, entrants):
        assert first_rematch(double_elimination(fewer)) >= promised


@pytest.mark.parametrize("entrants", [7, 13, 16, 27, 32, 50, 64])
def test_no_rematch_happens_before_the_promised_round(entrants: int) -> None:
    promised = {3: 3, 4: 4, 5: 5, 6: 7}[rounds_of(entrants)]
    bracket = double_elimination(entrants)
    for seed in range(5):
        outcomes, _ = play(bracket, by_chance(seed))
        met: set[frozenset[int]] = set()
        for match in bracket.matches:
            if match.code in outcomes:
                pair = frozenset({outcomes[match.code].winner, outcomes[match.code].loser})
                assert pair not in met or match.side is Side.FINAL or match.round >= promised
                met.add(pair)


@pytest.mark.parametrize("entrants", [4, 8, 16, 32, 64])
def test_where_favourites_win_everybody_is_placed_by_seed(entrants: int) -> None:
    _, resolved = play(double_elimination(entrants), favourite)
    for seed, rank in ranks(double_elimination(entrants), resolved).items():
        best, _, worst = rank.partition("-")
        assert int(best) <= seed <= int(worst or best)


@pytest.mark.parametrize("entrants", SIZES)
@pytest.mark.parametrize("grand_final", GrandFinal)
def test_who_loses_twice_is_out_whoever_wins(entrants: int, grand_final: GrandFinal) -> None:
    bracket = double_elimination(entrants, grand_final=grand_final)
    outcomes, resolved = play(bracket, by_chance(entrants))
    losses = Counter(outcome.loser for outcome in outcomes.values())
    placed = ranks(bracket, resolved)
    third_and_on = [entrant for entrant, rank in placed.items() if rank not in {"1", "2"}]
    assert len(third_and_on) == entrants - 2
    assert all(losses[entrant] == 2 for entrant in third_and_on)
    (first,) = (entrant for entrant, rank in placed.items() if rank == "1")
    (second,) = (entrant for entrant, rank in placed.items() if rank == "2")
    if grand_final is GrandFinal.RESET:
        assert losses[first] < losses[second] == 2
    elif grand_final is GrandFinal.SIMPLE:
        assert outcomes["GF1"] == Decision(winner=first, loser=second)
    else:
        assert (losses[first], losses[second]) == (0, 1)


def test_the_reset_is_played_only_if_the_unbeaten_lose() -> None:
    bracket = double_elimination(4)
    outcomes = {
        "W1-1": Decision(winner=1, loser=4),
        "W1-2": Decision(winner=2, loser=3),
        "W2-1": Decision(winner=1, loser=2),
        "L1-1": Decision(winner=3, loser=4),
        "L2-1": Decision(winner=3, loser=2),
    }
    seeding = [1, 2, 3, 4]
    before = resolve(bracket, seeding, outcomes)
    assert (before.ready, before.matches["GF2"].state) == (("GF1",), State.WAITING)
    unbeaten = resolve(bracket, seeding, outcomes | {"GF1": Decision(winner=1, loser=3)})
    assert unbeaten.finished
    assert reasons(unbeaten) == {"GF2": "no_reset"}
    assert ranks(bracket, unbeaten) == {1: "1", 3: "2", 2: "3", 4: "4"}
    beaten = resolve(bracket, seeding, outcomes | {"GF1": Decision(winner=3, loser=1)})
    assert beaten.ready == ("GF2",)
    assert beaten.matches["GF2"].entrants == (3, 1)
    assert ranks(bracket, beaten) == {3: "1-2", 1: "1-2", 2: "3", 4: "4"}
    again = outcomes | {"GF1": Decision(winner=3, loser=1), "GF2": Decision(winner=1, loser=3)}
    assert ranks(bracket, resolve(bracket, seeding, again)) == {1: "1", 3: "2", 2: "3", 4: "4"}
    late = resolve(bracket, seeding, again | {"GF1": Decision(winner=1, loser=3)})
    assert late.invalid == ("GF2",)
    assert late.matches["GF2"].kind is None


def test_after_a_double_forfeit_nobody_goes_up_or_down() -> None:
    """1 and 4 stay away, 2 beats 3: neither 2 nor 3 has anybody to play before they meet in the grand final."""
    bracket = double_elimination(4)
    outcomes = {
        "W1-1": Decision(winner=4, loser=1, kind=DOUBLE),
        "W1-2": Decision(winner=2, loser=3),
    }
    resolved = resolve(bracket, [1, 2, 3, 4], outcomes)
    assert reasons(resolved) == {"W2-1": "walkover", "L1-1": "walkover", "L2-1": "walkover"}
    assert resolved.ready == ("GF1",)
    assert resolved.matches["GF1"].entrants == (2, 3)
    done = resolve(bracket, [1, 2, 3, 4], outcomes | {"GF1": Decision(winner=2, loser=3)})
    assert ranks(bracket, done) == {2: "1", 3: "2", 1: "3-4", 4: "3-4"}


def test_gaps_after_double_forfeits_are_gone_through_unplayed() -> None:
    """1 and 8 stay away, 4 and 5 too, so nobody comes from there. 2 beats 7, 3 beats 6."""
    bracket = double_elimination(8, grand_final=GrandFinal.SIMPLE)
    outcomes = {
        "W1-1": Decision(winner=1, loser=8, kind=DOUBLE),
        "W1-2": Decision(winner=4, loser=5, kind=DOUBLE),
        "W1-3": Decision(winner=2, loser=7),
        "W1-4": Decision(winner=3, loser=6),
    }
    resolved = resolve(bracket, range(1, 9), outcomes)
    assert reasons(resolved) == {
        "W2-1": "nobody",
        "L1-1": "nobody",
        "W3-1": "walkover",
        "L2-1": "walkover",
        "L2-2": "walkover",
        "L4-1": "walkover",
    }
    assert resolved.ready == ("W2-2", "L1-2")
    # 2 or 3 wins W2-2 and is in the grand final at once; the other meets the winner of L1-2 in L3-1 for the other side.
    # Who loses L1-2 shares the last ranks with those who stayed away.
    assert ranks(bracket, resolved) == {
        **{2: "1-3", 3: "1-3", 6: "1-8", 7: "1-8"},
        **dict.fromkeys((1, 4, 5, 8), "4-8"),
    }


def test_who_wins_now_can_fall_deeper_than_who_loses_into_a_gap() -> None:
    """Of 17 stay away 16 and 17, then 3 and 14. Who loses W2-2 finds nobody in L2-6, L3-3 and L4-3 and loses in L5-2
    at the earliest, as the eighth at worst; who wins it and loses W3-1 can lose L4-2 at once, as one of three.
    """
    bracket = double_elimination(17, grand_final=GrandFinal.NONE)
    outcomes = {"W1-2": Decision(winner=16, loser=17, kind=DOUBLE), "W2-7": Decision(winner=3, loser=14, kind=DOUBLE)}
    placed = ranks(bracket, resolve(bracket, range(1, 18), outcomes))
    assert (placed[8], placed[9]) == ("1-11", "1-11")
    placed = ranks(bracket, resolve(bracket, range(1, 18), outcomes | {"W2-2": Decision(winner=9, loser=8)}))
    assert (placed[8], placed[9]) == ("2-8", "1-11")


def test_a_double_forfeit_of_the_last_two_winners_hands_the_bracket_to_the_losers() -> None:
    bracket = double_elimination(4)
    outcomes = {
        "W1-1": Decision(winner=1, loser=4),
        "W1-2": Decision(winner=2, loser=3),
        "W2-1": Decision(winner=1, loser=2, kind=DOUBLE),
        "L1-1": Decision(winner=3, loser=4),
    }
    resolved = resolve(bracket, [1, 2, 3, 4], outcomes)
    assert resolved.finished
    assert reasons(resolved) == {"L2-1": "walkover", "GF1": "walkover", "GF2": "no_reset"}
    assert ranks(bracket, resolved) == {3: "1", 1: "2-3", 2: "2-3", 4: "4"}


def test_a_double_forfeit_of_the_grand_final_has_no_winner() -> None:
    for grand_final in (GrandFinal.RESET, GrandFinal.SIMPLE):
        bracket = double_elimination(2, grand_final=grand_final)
        outcomes = {"W1-1": Decision(winner=1, loser=2), "GF1": Decision(winner=1, loser=2, kind=DOUBLE)}
        resolved = resolve(bracket, [1, 2], outcomes)
        assert resolved.finished
        assert ranks(bracket, resolved) == {1: "1-2", 2: "1-2"}


def test_of_two_who_both_stay_away_nobody_has_won() -> None:
    bracket = double_elimination(2)
    resolved = resolve(bracket, [1, 2], {"W1-1": Decision(winner=1, loser=2, kind=DOUBLE)})
    assert reasons(resolved) == {"GF1": "nobody", "GF2": "nobody"}
    assert ranks(bracket, resolved) == {1: "1-2", 2: "1-2"}


def test_who_stays_away_passes_a_bye_on_the_way_down() -> None:
    """Of 7 stay away 4 and 5: with a bye in L1-1 they count as losers of L2-1, before 7, who lost L1-2 to 6."""
    bracket = double_elimination(7)

    def decide(code: str, one: int, other: int) -> Decision:
        kind = DOUBLE if code == "W1-2" else TableKind.PLAYED
        return Decision(winner=min(one, other), loser=max(one, other), kind=kind)

    _, resolved = play(bracket, decide)
    assert ranks(bracket, resolved) == {1: "1", 2: "2", 3: "3", 6: "4", 4: "5-6", 5: "5-6", 7: "7"}


def test_a_forfeit_sends_the_one_who_stayed_away_down_like_a_loss() -> None:
    bracket = double_elimination(4)
    outcomes = {"W1-1": Decision(winner=1, loser=4, kind=TableKind.FORFEIT)}
    resolved = resolve(bracket, [1, 2, 3, 4], outcomes)
    assert resolved.matches["W1-1"].kind is TableKind.FORFEIT
    assert resolved.matches["L1-1"].entrants == (4, None)


def test_the_last_rounds_may_be_best_of_more() -> None:
    bracket = double_elimination(8, best_of_last=(7, 5, 3))
    assert {match.code: match.best_of for match in bracket.matches if match.best_of > 1} == {
        "GF1": 7,
        "GF2": 7,
        "W3-1": 5,
        "L4-1": 5,
        "W2-1": 3,
        "W2-2": 3,
        "L3-1": 3,
    }
    without = double_elimination(8, grand_final=GrandFinal.NONE, best_of_last=(7,))
    assert {match.code for match in without.matches if match.best_of == 7} == {"W3-1", "L4-1"}


def test_what_cannot_be_drawn_is_refused_with_the_reason() -> None:
    with pytest.raises(PairingError) as refused:
        double_elimination(0)
    assert refused.value.reason.code == "too_few_entrants"
    with pytest.raises(PairingError) as refused:
        double_elimination(4, best_of_last=(4,))
    assert refused.value.reason.code == "best_of_even"
