"""What is still possible at a table: against a program that tries everything, and against tables worked by hand."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.scoring.outlook import Entry, Need, PlayerOutlook, Table, outlook, table_of
from league.scoring.sessions import EveningRules, PlayedRound, Seat


def table(*sums: int, games: int) -> Table:
    """A table at which everybody plays on; players 1, 2, …"""
    return Table(tuple(Entry(player, one) for player, one in enumerate(sums, start=1)), len(sums), games)


# --- Everything tried ---------------------------------------------------------------------------------------------


def every_game(players: int) -> list[tuple[int, ...]]:
    """All ways in which a game can end: any order with ties, the places after them skipped."""
    levels = product(range(players), repeat=players)
    return sorted({tuple(1 + sum(other < one for other in game) for one in game) for game in levels})


def test_there_are_as_many_ends_of_a_game_as_weak_orders() -> None:
    """1, 3, 13, 75, 541 (Fubini numbers, OEIS A000670)."""
    assert [len(every_game(players)) for players in range(1, 6)] == [1, 3, 13, 75, 541]


def every_end(given: Table) -> Iterator[tuple[tuple[int, ...], dict[int, int], dict[int, bool]]]:
    """The places of the next game by seat (empty without one), the final place of each, and whether it is alone."""
    playing = [one.player for one in given.entries if one.plays]
    for games in product(every_game(given.sitting), repeat=given.games):
        totals = {}
        for one in given.entries:
            if one.plays:
                totals[one.player] = one.place_sum + sum(game[playing.index(one.player)] for game in games)
            else:
                totals[one.player] = one.place_sum + given.games * (given.sitting + 1)
        final = {player: 1 + sum(other < own for other in totals.values()) for player, own in totals.items()}
        alone = {player: list(totals.values()).count(own) == 1 for player, own in totals.items()}
        yield (games[0] if games else ()), final, alone


def tried(given: Table) -> dict[tuple[int, int | None], tuple[int, int, bool, bool]]:
    """By player and own place in the next game (None: whatever): best and worst place, can and must win alone."""
    playing = [one.player for one in given.entries if one.plays]
    found: dict[tuple[int, int | None], list[tuple[int, bool]]] = {}
    for first, final, alone in every_end(given):
        for one in given.entries:
            own = (final[one.player], alone[one.player] and final[one.player] == 1)
            found.setdefault((one.player, None), []).append(own)
            if one.plays and first:
                found.setdefault((one.player, first[playing.index(one.player)]), []).append(own)
    return {
        key: (
            min(place for place, _alone in ends),
            max(place for place, _alone in ends),
            any(alone for _place, alone in ends),
            all(alone for _place, alone in ends),
        )
        for key, ends in found.items()
    }


def told(given: Table) -> dict[tuple[int, int | None], tuple[int, int, bool, bool]]:
    """The same, from the answers."""
    found = {}
    for one in outlook(given):
        for own, reach in [(None, one.reach), *enumerate(one.by_next_place, start=1)]:
            assert {*reach.possible, reach.alone} <= {"yes", "no"}
            first = reach.possible.index("yes")
            assert set(reach.possible[:first]) <= {"no"}
            assert set(reach.possible[first:]) == {"yes"}
            found[one.player, own] = (first + 1, reach.worst, reach.alone == "yes", reach.surely_alone)
    return found


@st.composite
def tables(draw: st.DrawFn) -> Table:
    sitting, games = draw(st.sampled_from([(1, 2), (2, 0), (2, 1), (2, 3), (3, 1), (3, 2), (4, 1)]))
    ranked = draw(st.integers(max(1, sitting - 1), sitting))
    sums = st.integers(0, 6)
    entries = [Entry(player, draw(sums)) for player in range(ranked)]
    entries += [Entry(10 + player, draw(sums), plays=False) for player in range(draw(st.integers(0, 1)))]
    return Table(tuple(entries), sitting, games)


@given(tables())
@settings(max_examples=150)
def test_every_answer_is_what_trying_everything_finds(given_table: Table) -> None:
    assert told(given_table) == tried(given_table)


@pytest.mark.parametrize("sums", [(5, 5, 6, 8), (4, 7, 7, 7), (3, 5, 7, 9), (6, 6, 6, 6)])
def test_four_players_and_two_games(sums: tuple[int, ...]) -> None:
    assert told(table(*sums, games=2)) == tried(table(*sums, games=2))


def test_three_players_and_three_games() -> None:
    assert told(table(2, 4, 8, games=3)) == tried(table(2, 4, 8, games=3))


# --- Worked by hand -----------------------------------------------------------------------------------------------


def of(given: Table, player: int) -> PlayerOutlook:
    return next(one for one in outlook(given) if one.player == player)


def test_only_one_of_two_leaders_can_be_last() -> None:
    """Sums 5, 5, 8 before the last game. The third ends at 9 at best; the leaders then have the places 2 and 3, so
    7 and 8: third. By themselves each leader could have 8 at most, too."""
    third = of(table(5, 5, 8, games=1), 3)
    assert third.reach.possible == ("no", "no", "yes")
    assert third.reach.clinched(3)


def test_a_lead_that_lasts() -> None:
    """Sums 6, 11, 13 with two games left: the first ends at 6 + 3 + 3 = 12 at worst, the second at 11 + 2 = 13 at
    best."""
    first = of(table(6, 11, 13, games=2), 1)
    assert (first.reach.worst, first.reach.surely_alone) == (1, True)
    assert of(table(6, 11, 13, games=2), 2).reach.possible[0] == "no"
    # With 10 in place of 11 the two can be level, which is a shared first place for both.
    level = of(table(6, 10, 13, games=2), 1)
    assert (level.reach.worst, level.reach.surely_alone) == (1, False)
    assert (of(table(6, 10, 13, games=2), 2).reach.can(1), of(table(6, 10, 13, games=2), 2).reach.alone) == (
        "yes",
        "no",
    )


def test_the_last_game_decides() -> None:
    """Sums 7, 8 of two, one game left. First: 8 and 10, or 9 and 9, or 8 and 9 (both first). The one behind shares
    the win by a first place against a second; the leader is sure of it by a first place, and of a share by any."""
    given_table = table(7, 8, games=1)
    leader, behind = of(given_table, 1), of(given_table, 2)
    assert leader.need(1) == Need(keep=2, clinch=2, decides=False)
    assert behind.need(1) == Need(keep=1, clinch=None, decides=False)
    assert leader.by_next_place[0].surely_alone
    assert not leader.by_next_place[1].surely_alone
    # Three players: 5, 6, 6. The leader at place 1 has 6 and the others at least 7: won. At place 2 it is 7, which
    # another at place 1 shares: won as well. At place 3 it is 8, and one of the others has 7.
    assert of(table(5, 6, 6, games=1), 1).need(1) == Need(keep=2, clinch=2, decides=True)


def test_who_left_has_one_place_more_than_sit_there() -> None:
    """Two sit there for two games, the third left with a sum of 3: 3 + 3 + 3 = 9. The others have 4 and 8 so far: 6
    and 10 at best."""
    given_table = Table((Entry(1, 4), Entry(2, 8), Entry(3, 3, plays=False)), 2, 2)
    gone = of(given_table, 3)
    assert gone.by_next_place == ()
    # 4 + 2 + 2 = 8 is the most that the first can have: always before 9.
    assert gone.reach.possible == ("no", "yes", "yes")
    assert gone.reach.worst == 2
    assert gone.need(1) == Need(None, None, decides=False)


def test_six_players_with_all_twelve_games_left_take_no_long_search() -> None:
    answers = outlook(table(0, 0, 0, 0, 0, 0, games=12), limit=50)
    assert all(one.reach.possible[0] == one.reach.alone == "yes" for one in answers)
    assert all(one.reach.worst == 6 for one in answers)


def test_what_the_limit_leaves_open_is_undecided() -> None:
    """With three games left the last of four has to keep three others behind, which bounds alone do not show."""
    given_table = table(5, 5, 5, 7, games=3)
    assert of(given_table, 4).reach.possible[0] == "yes"
    last = outlook(given_table, limit=0)[3]
    assert last.reach.possible == ("undecided", "undecided", "undecided", "yes")
    assert last.reach.alone == "undecided"
    # The worst place needs no search.
    assert last.reach.worst == 4
    assert last.need(1).undecided


# --- From a session ------------------------------------------------------------------------------------------------

ANN, BEN, CEM, DORA = 1, 2, 3, 4


def test_everybody_is_still_there() -> None:
    seats = [Seat(ANN, 0), Seat(BEN, 1)]
    rounds = [PlayedRound(1, "xxl-1", {ANN: 1, BEN: 2}), PlayedRound(2, "xxl-2", {ANN: 1, BEN: 1})]
    assert table_of(seats, rounds, planned=6, rules=EveningRules()) == Table((Entry(ANN, 2), Entry(BEN, 3)), 2, 4)


def test_a_table_before_its_first_game() -> None:
    seats = [Seat(ANN, 0), Seat(BEN, 1)]
    assert table_of(seats, [], planned=6, rules=EveningRules()) == Table((Entry(ANN, 0), Entry(BEN, 0)), 2, 6)


def test_who_left_and_who_joined() -> None:
    """Cem left after round 1 at place 1; Dora joins for round 2, having missed a round of three for place 4."""
    seats = [Seat(ANN, 0), Seat(BEN, 1), Seat(CEM, 2, until_round=1), Seat(DORA, 3, from_round=2)]
    rounds = [PlayedRound(1, "xxl-1", {ANN: 2, BEN: 3, CEM: 1})]
    found = table_of(seats, rounds, planned=3, rules=EveningRules())
    assert found == Table((Entry(ANN, 2), Entry(BEN, 3), Entry(CEM, 1, plays=False), Entry(DORA, 4)), 3, 2)
    excluded = table_of(seats, rounds, planned=3, rules=EveningRules(missing_round="exclude"))
    assert excluded == Table((Entry(ANN, 2), Entry(BEN, 3)), 3, 2)


def test_a_substitute_plays_for_the_seat() -> None:
    seats = [Seat(ANN, 0), Seat(BEN, 1, until_round=1), Seat(DORA, 1, from_round=2)]
    rounds = [PlayedRound(1, "xxl-1", {ANN: 2, BEN: 1})]
    found = table_of(seats, rounds, planned=3, rules=EveningRules(substitution="seat"))
    assert found == Table((Entry(ANN, 2), Entry(BEN, 1)), 2, 2)


def test_nothing_left_or_a_table_known_to_change() -> None:
    seats = [Seat(ANN, 0), Seat(BEN, 1, until_round=2)]
    round_ = PlayedRound(1, "xxl-1", {ANN: 1, BEN: 2})
    assert table_of(seats, [round_], planned=1, rules=EveningRules()) is None
    assert table_of(seats, [round_], planned=3, rules=EveningRules()) is None
