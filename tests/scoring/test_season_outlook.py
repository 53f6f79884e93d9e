"""What is still possible in a season: against a program that tries everything, and against seasons worked by hand."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from fractions import Fraction
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.scoring.season_outlook import Contest, Left, Past, SeasonProspect, season_outlook
from league.scoring.standings import RankingRules, SessionPlace
from tests.scoring.test_outlook import every_game
from tests.services.recount import Played, recount

START = date(2026, 9, 1)
EXAMPLES = 15
# A night: the place of each player who came, at a table of so many.
Night = dict[int, tuple[int, int]]


def day(number: int) -> date:
    return START + timedelta(days=7 * number)


def season(played: list[dict[int, int]]) -> tuple[list[Past], dict[date, int]]:
    """Evenings of one table each, player -> place; everybody in them is in the table of the season."""
    results: dict[int, list[SessionPlace]] = {}
    for number, places in enumerate(played):
        for player, place in places.items():
            result = SessionPlace(player, number + 1, day(number), place, len(places))
            results.setdefault(player, []).append(result)
    pasts = [Past(player, tuple(own)) for player, own in sorted(results.items())]
    return pasts, {day(number): len(places) for number, places in enumerate(played)}


def outlook(
    played: list[dict[int, int]],
    rules: RankingRules,
    *,
    evenings: int,
    largest: int = 4,
    one_table: bool = True,
    top: int = 2,
    limit: int = 100_000,
) -> dict[int, SeasonProspect]:
    pasts, days = season(played)
    found = season_outlook(pasts, days, rules, Left(evenings, largest, one_table), top=top, limit=limit)
    assert found is not None
    return {one.player: one for one in found}


# --- Everything tried ---------------------------------------------------------------------------------------------

# What became of a player: value with its sign turned so that lower is better, None without a rank.
End = dict[int, Fraction | None]


class Tried:
    """All ends of a season, counted by the plain recount of tests/services/recount.py."""

    def __init__(self, played: list[dict[int, int]], rules: RankingRules) -> None:
        self.played, self.rules = played, rules
        self.players = sorted({player for places in played for player in places})
        self.plain: Any = SimpleNamespace(
            ranking_metric=rules.metric,
            ranking_best=rules.best,
            points_by_place=list(rules.points_by_place),
            table_weight=rules.table_weight,
            drop_worst=rules.drop_worst,
            count_best=rules.count_best,
            absence=rules.absence,
            tie_breaks=[],
            minimum_sessions=rules.minimum_sessions,
        )

    def end(self, tables: Iterable[list[dict[str, int]]]) -> End:
        """After evenings of such tables, name -> place; names that are no numbers are guests."""
        nights: list[list[dict[str, int]]] = [
            *([{str(player): place for player, place in places.items()}] for places in self.played),
            *tables,
        ]
        sessions = [
            Played(100 * number + table, day(number), places, dict.fromkeys(places))
            for number, night in enumerate(nights)
            for table, places in enumerate(night)
        ]
        lines = recount(self.plain, sessions)
        sign = 1 if self.rules.best == "low" else -1
        return {
            player: None if lines[str(player)].rank is None else sign * lines[str(player)].value
            for player in self.players
        }

    def at_one_table(self, evenings: int, largest: int) -> list[tuple[list[dict[int, int]], End]]:
        """(Nights by the places, what became of everybody)."""
        nights = [
            dict(zip(there, game, strict=True))
            for size in range(2, min(largest, len(self.players)) + 1)
            for there in combinations(self.players, size)
            for game in every_game(size)
        ]
        found = []
        for chosen in product(nights, repeat=evenings):
            end = self.end([{str(player): place for player, place in night.items()}] for night in chosen)
            found.append((list(chosen), end))
        return found

    def values_alone(self, player: int, evenings: int, largest: int, first: int | None) -> list[Fraction | None]:
        """All values of one player at tables of guests; on the first evening at this place of a full table."""
        free = [(0, 2), *((place, size) for size in range(2, largest + 1) for place in range(1, size + 1))]
        now = free if first is None else [(first, largest)]
        found = []
        for chosen in product(now if evenings else [], *[free] * (evenings - 1)) if evenings else [()]:
            end = self.end([_with_guests(player, *one)] for one in chosen)
            found.append(end[player])
        return found


def _with_guests(player: int, place: int, size: int) -> dict[str, int]:
    guests = [f"guest {number}" for number in range(1, size + 1)]
    if not place:
        return dict(zip(guests, range(1, size + 1), strict=True))
    return {str(player) if number == place else guests[number - 1]: number for number in range(1, size + 1)}


def _ahead(end: End, player: int, even: bool) -> int | None:
    """How many are ahead of a player, those level included where ``even``; None where the player has no rank."""
    own = end[player]
    if own is None:
        return None
    others = [value for other, value in end.items() if other != player and value is not None]
    return sum(value <= own if even else value < own for value in others)


def verdicts(ends: list[End], player: int, top: int, tie_breaks: bool) -> tuple[str, str]:
    """Possible and certain, from all ends."""
    possible = certain = "no"
    for word, even in [("tie_break", False), ("yes", True)] if tie_breaks else [("yes", False)]:
        ahead = [_ahead(end, player, even) for end in ends]
        if any(one is not None and one < top for one in ahead):
            possible = word
        if all(one is not None and one < top for one in ahead):
            certain = word
    return possible, certain


def contest(
    all_ends: Callable[[int | None], list[End]], player: int, top: int, rules: RankingRules, size: int
) -> Contest:
    possible, certain = verdicts(all_ends(None), player, top, bool(rules.tie_breaks))
    if possible == "no" or certain == "yes":
        return Contest(possible, certain)  # type: ignore[arg-type]
    by_place = {place: verdicts(all_ends(place), player, top, bool(rules.tie_breaks)) for place in range(1, size + 1)}
    keep = [place for place, (can, _sure) in by_place.items() if can != "no"]
    clinch = [place for place, (_can, sure) in by_place.items() if sure != "no"]
    return Contest(possible, certain, max(keep, default=None), max(clinch, default=None))  # type: ignore[arg-type]


@st.composite
def some_rules(draw: st.DrawFn, absences: tuple[str, ...] = ("none", "average", "last")) -> RankingRules:
    metric: Any = draw(st.sampled_from(["place_average", "place_sum", "points", "wins"]))
    by_place = metric in {"place_average", "place_sum"}
    drops, best_of = draw(st.sampled_from([(0, 0), (1, 0), (0, 2)]))
    return RankingRules(
        metric=metric,
        minimum_sessions=draw(st.sampled_from([1, 2, 3])),
        best="low" if by_place else "high",
        points_by_place=draw(st.sampled_from([(10, 7, 5, 3), (2, 2, 1), (3,)])),
        table_weight=draw(st.sampled_from(["none", "relative", "midpoint"] if by_place else ["none", "opponents"])),
        drop_worst=drops,
        count_best=best_of,
        absence=draw(st.sampled_from(absences)),
        tie_breaks=draw(st.sampled_from([(), ("countback",)])),
    )


@st.composite
def past_evenings(draw: st.DrawFn, players: int) -> list[dict[int, int]]:
    """Each of the players was there at least once."""
    found = []
    for number in range(draw(st.integers(1, 3))):
        least = players if not number else 2
        there = draw(st.lists(st.integers(1, players), min_size=least, max_size=players, unique=True))
        game = draw(st.sampled_from(every_game(len(there))))
        found.append(dict(zip(there, game, strict=True)))
    return found


@settings(max_examples=EXAMPLES)
@given(st.data())
def test_at_one_table_every_answer_is_what_trying_everything_finds(data: st.DataObject) -> None:
    players, evenings = data.draw(st.sampled_from([(2, 2), (3, 1), (3, 2), (4, 1)]))
    played, rules = data.draw(past_evenings(players)), data.draw(some_rules())
    largest = data.draw(st.integers(2, players))
    top = data.draw(st.integers(1, players))
    tried = Tried(played, rules).at_one_table(evenings, largest)
    found = outlook(played, rules, evenings=evenings, largest=largest, top=top)
    for player in range(1, players + 1):

        def ends(place: int | None, player: int = player) -> list[End]:
            return [
                end
                for nights, end in tried
                if place is None or (nights[0].get(player) == place and len(nights[0]) == largest)
            ]

        assert found[player].win == contest(ends, player, 1, rules, largest)
        assert found[player].top == contest(ends, player, top, rules, largest)


@settings(max_examples=EXAMPLES)
@given(st.data())
def test_at_any_tables_every_answer_is_what_trying_everything_finds(data: st.DataObject) -> None:
    players, evenings = data.draw(st.sampled_from([(2, 1), (2, 2), (3, 1)]))
    played, rules = data.draw(past_evenings(players)), data.draw(some_rules(("none", "average")))
    largest, top = data.draw(st.integers(2, 3)), data.draw(st.integers(1, players))
    tried = Tried(played, rules)
    found = outlook(played, rules, evenings=evenings, largest=largest, one_table=False, top=top)
    free = {one: set(tried.values_alone(one, evenings, largest, None)) for one in tried.players}
    for player in tried.players:
        assert {found[player].best, found[player].worst} <= {
            None if value is None else (value if rules.best == "low" else -value) for value in free[player]
        }

        def ends(place: int | None, player: int = player) -> list[End]:
            own = free[player] if place is None else set(tried.values_alone(player, evenings, largest, place))
            values = [own if one == player else free[one] for one in tried.players]
            return [dict(zip(tried.players, end, strict=True)) for end in product(*values)]

        assert found[player].win == contest(ends, player, 1, rules, largest)
        assert found[player].top == contest(ends, player, top, rules, largest)


@settings(max_examples=EXAMPLES)
@given(st.data())
def test_where_absences_tie_players_together_no_answer_is_wrong(data: st.DataObject) -> None:
    """An evening missed counts by its largest table, which is the same for all: two players, one evening."""
    played, rules = data.draw(past_evenings(2)), data.draw(some_rules(("last",)))
    tried = Tried(played, rules)
    ends = []
    for largest in (2, 3):
        choices = [(0, 0), *((place, size) for size in range(2, largest + 1) for place in range(1, size + 1))]
        for one, other in product(choices, repeat=2):
            tables = [_with_guests(player, *choice) for player, choice in ((1, one), (2, other)) if choice[0]]
            others = {f"other {number}": number for number in range(1, largest + 1)}
            ends.append(tried.end([[*tables, others]]))
    for player, found in outlook(played, rules, evenings=1, largest=3, one_table=False).items():
        told = (found.win.possible, found.win.certain)
        right = verdicts(ends, player, 1, bool(rules.tie_breaks))
        assert all(one in {expected, "undecided"} for one, expected in zip(told, right, strict=True))


# --- Worked by hand -----------------------------------------------------------------------------------------------

SUM = RankingRules("points", best="high", points_by_place=(3, 2, 1))


def test_a_lead_that_one_evening_can_or_can_not_make_good() -> None:
    """3, 2 and 1 points a table of three. After three evenings won by 1 before 2 before 3: 9, 6, 3. With one evening
    left 2 comes to 9 at best, level with 1 who may miss it: a shared first place; 3 comes to 6."""
    played = [{1: 1, 2: 2, 3: 3}] * 3
    found = outlook(played, SUM, evenings=1, largest=3)
    assert (found[1].best, found[1].worst) == (Fraction(12), Fraction(9))
    assert (found[2].best, found[2].worst) == (Fraction(9), Fraction(6))
    assert (found[1].win.possible, found[1].win.certain) == ("yes", "yes")
    # Only if 1 stays away: where all come, 1 has 10 at least.
    assert found[2].win == Contest("yes", "no", keep=None, clinch=None)
    assert found[3].win.possible == "no"
    # 3 comes to 6 and is level with 2 only if 2 stays away; where all come, the first place leads to 6 against 7.
    assert found[3].top == Contest("yes", "no", keep=None, clinch=None)
    # 2 is second at the least by place 1 (9 against 5 at most) and 2 (8 against 6), and by place 3 as well (7 and 6).
    assert found[2].top == Contest("yes", "yes")
    # With a tie-break between equal values it is that which decides.
    broken = outlook(
        played,
        RankingRules("points", best="high", points_by_place=(3, 2, 1), tie_breaks=("direct",)),
        evenings=1,
        largest=3,
    )
    assert (broken[1].win.certain, broken[2].win.possible) == ("tie_break", "tie_break")


def test_two_rivals_at_one_table_can_not_both_be_last() -> None:
    """By averages over at least three sessions. Before the last evening 1 and 2 have 5 in three, 3 has 6 in three and
    comes to 7/4. Who is at place 2 then has 7/4, too, at place 3 it is 8/4; who stays away has 5/3, which is ahead.
    So 3 shares the first rank with the one at place 2."""
    played = [{1: 1, 2: 2, 3: 3}, {1: 2, 2: 1, 3: 2}, {1: 2, 2: 2, 3: 1}]
    rules = RankingRules(minimum_sessions=3)
    found = outlook(played, rules, evenings=1, largest=3)
    assert found[3].win == Contest("yes", "no", keep=1, clinch=None)
    # One place more behind: 7 in three sessions, 8/4 at best. One of the others is at place 2 and ahead with 7/4.
    behind = [{1: 1, 2: 2, 3: 3}, {1: 2, 2: 1, 3: 3}, {1: 2, 2: 2, 3: 1}]
    assert outlook(behind, rules, evenings=1, largest=3)[3].win.possible == "no"
    # At tables of their own both can be last.
    assert outlook(behind, rules, evenings=1, largest=3, one_table=False)[3].win.possible == "yes"


def test_no_evening_left() -> None:
    found = outlook([{1: 1, 2: 2, 3: 2}], RankingRules(), evenings=0)
    assert found[1].win == Contest("yes", "yes")
    assert (found[2].win, found[2].top) == (Contest("no", "no"), Contest("yes", "yes"))
    broken = outlook([{1: 1, 2: 2, 3: 2}], RankingRules(tie_breaks=("direct",)), evenings=0)
    assert broken[2].top == Contest("tie_break", "tie_break")


def test_who_can_not_come_to_the_minimum_any_more() -> None:
    found = outlook([{1: 1, 2: 2}, {1: 1, 2: 2}, {1: 1, 3: 2}], RankingRules(minimum_sessions=3), evenings=1)
    assert (found[3].best, found[3].worst) == (None, None)
    assert (found[3].top.possible, found[3].top.certain) == ("no", "no")
    # 2 has a rank with one more evening, and none without it.
    assert (found[2].worst, found[2].top.certain) == (None, "no")


def test_points_in_the_games_have_no_bounds() -> None:
    pasts, days = season([{1: 1, 2: 2}])
    rules = RankingRules("game_points", best="high")
    assert season_outlook(pasts, days, rules, Left(1, 4, one_table=True), top=1) is None
    assert season_outlook(pasts, days, rules, Left(0, 4, one_table=True), top=1) is not None


def test_what_the_limit_leaves_open_is_undecided() -> None:
    """The season above in which one of two rivals stays ahead: only the search shows it."""
    behind = [{1: 1, 2: 2, 3: 3}, {1: 2, 2: 1, 3: 3}, {1: 2, 2: 2, 3: 1}]
    found = outlook(behind, RankingRules(minimum_sessions=3), evenings=1, largest=3, limit=2)
    assert found[3].win.possible == "undecided"
    assert found[3].win.next_undecided


def test_where_absences_tie_players_together_there_is_a_limit_too() -> None:
    """Level players with an evening left: either can win, and surely neither does; without a value nothing is shown."""
    rules = RankingRules("points", best="high", absence="last")
    level = [{1: 1, 2: 2}, {1: 2, 2: 1}]
    for limit, told in ((100, ("yes", "no")), (0, ("undecided", "undecided"))):
        found = outlook(level, rules, evenings=1, largest=2, one_table=False, limit=limit)
        assert {(one.win.possible, one.win.certain) for one in found.values()} == {told}


def test_a_long_season_of_many_takes_no_long_search() -> None:
    """Sixty players, thirty evenings left, the five worst dropped: no search that outlasts the test.

    The first has (10·1 + 25·12) / 35 at worst, always at place p one has (5·p + 30·1) / 35 at best: p = 56 is level.
    """
    played = [{player: place for place, player in enumerate(range(1, 61), start=1)}] * 10
    rules = RankingRules(drop_worst=5)
    found = outlook(played, rules, evenings=30, largest=12, one_table=False)
    assert {player for player, one in found.items() if one.win.possible == "yes"} == set(range(1, 57))
    assert {one.win.possible for player, one in found.items() if player > 56} == {"no"}


def test_likely_ends_are_tried_within_the_limit_too() -> None:
    # With an evening left Ben and Ann can both win, as the first likely end tells, had it been looked at.
    level = [{1: 1, 2: 2, 3: 3}, {2: 1, 1: 2, 3: 3}]
    rules = RankingRules(metric="place_sum")
    assert outlook(level, rules, evenings=1, largest=3)[2].win.possible == "yes"
    assert outlook(level, rules, evenings=1, largest=3, limit=0)[2].win.possible == "undecided"


@pytest.mark.parametrize("points", [(1, 5, 2), (-1,)])
def test_points_that_reward_worse_places_are_searched_by_nobody(points: tuple[int, ...]) -> None:
    rules = RankingRules("points", best="high", points_by_place=points)
    found = outlook([{1: 1, 2: 2, 3: 3}], rules, evenings=1, largest=3)
    assert {one.win.possible for one in found.values()} <= {"undecided", "no"}
