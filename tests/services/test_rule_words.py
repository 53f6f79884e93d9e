"""A season's rules in sentences, values as they are shown, versions in words."""

from typing import Any

import pytest
from django.utils.translation import override

from league.models import League, Season, SeasonRulesVersion, TieBreakCode
from league.services import rule_words, seasons

pytestmark = pytest.mark.one_database

USUAL = (
    "Ranked by place average, the mean of the final places: the lowest is best.",
    "An evening that a player missed counts as nothing.",
)


def season(**rules: Any) -> Season:
    return Season(league=League(name="Monday League"), name="2026", **rules)


def ranking(**rules: Any) -> list[str]:
    return list(rule_words.in_words(season(**rules)).ranking)


def test_the_usual_rules() -> None:
    words = rule_words.in_words(season())
    assert words.ranking == USUAL
    assert (words.ties, words.tie_breaks) == ("", ())
    assert words.shared == "Players who are equal share the rank, and the ranks behind are skipped."
    assert words.sessions == (
        "A session that was ended early counts as it stands.",
        "A round that a player missed counts as the place behind all who played it.",
        "With a substitute, each has the rounds played in person.",
    )


@pytest.mark.parametrize(
    ("metric", "best", "expected"),
    [
        ("place_sum", "low", ["Ranked by the sum of the final places: the lowest is best."]),
        ("wins", "high", ["Ranked by wins (first places): the most is best."]),
        (
            "points",
            "high",
            [
                "Ranked by points for the final places, added up: the most are best.",
                "The places from 1 to 6 give 10, 7, 5, 3, 2, 1; any other gives 0.",
            ],
        ),
        (
            "points",
            "low",
            [
                "Ranked by points for the final places, added up: the fewest are best.",
                "The places from 1 to 6 give 10, 7, 5, 3, 2, 1; any other gives 0.",
            ],
        ),
        (
            "game_points",
            "high",
            [
                "Ranked by the points of all rounds, added up: the most are best.",
                "A session without any points, noted down by places alone, does not count for this.",
            ],
        ),
        (
            "game_points",
            "low",
            [
                "Ranked by the points of all rounds, added up: the fewest are best.",
                "A session without any points, noted down by places alone, does not count for this.",
            ],
        ),
    ],
)
def test_metrics(metric: str, best: str, expected: list[str]) -> None:
    assert ranking(ranking_metric=metric, ranking_best=best) == [*expected, USUAL[1]]


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"ranking_metric": "points", "points_by_place": [3]}, "The first place gives 3, any other 0."),
        # 1/5 and 1/1.
        (
            {"table_weight": "relative"},
            "A place counts as (place - 1) / (players - 1), from 0 for the first to 1 for the last: a second place of "
            "six is 0.2, a second place of two 1.",
        ),
        # 1.5/6 and 1.5/2.
        (
            {"table_weight": "midpoint"},
            "A place counts as (place - ½) / players, between 0 and 1: a second place of six is 0.25, a second place "
            "of two 0.75.",
        ),
        (
            {"ranking_metric": "points", "table_weight": "opponents"},
            "The points are multiplied by the number of opponents at the table: by five at a table of six, by one at "
            "one of two.",
        ),
        (
            {"ranking_metric": "wins", "table_weight": "opponents"},
            "A win counts once for each opponent at the table: five times at a table of six, once at one of two.",
        ),
        ({"drop_worst": 1}, "Of each player the worst result does not count, if there is another one."),
        ({"drop_worst": 3}, "Of each player the 3 worst results do not count, but one result always does."),
        ({"count_best": 1}, "Of each player the best result alone counts."),
        ({"count_best": 8}, "Of each player the 8 best results count."),
        (
            {"absence": "average"},
            "An evening that a player missed counts as the mean of the player's own results.",
        ),
        (
            {"absence": "last"},
            "An evening that a player missed counts as the place behind the last at that evening's largest table, as "
            "if the player had sat there, too.",
        ),
        ({"minimum_sessions": 4}, "A rank needs 4 sessions."),
    ],
    ids=str,
)
def test_further_sentences(rules: dict[str, Any], sentence: str) -> None:
    assert sentence in ranking(**rules)


def test_ties_in_their_order() -> None:
    words = rule_words.in_words(season(tie_breaks=["fewer_sessions", "direct"]))
    assert words.ties == (
        "Of players who are equal, the first of these that tells them apart decides who stands before:"
    )
    assert words.tie_breaks == (
        "Fewer sessions.",
        "Direct comparison: how they finished against each other, if all of them met; asked again among those who are "
        "still level.",
    )
    assert words.shared == "Who is equal in all of them shares the rank, and the ranks behind are skipped."
    assert set(rule_words.TIE_BREAKS) == set(TieBreakCode)


def test_odd_sessions() -> None:
    def told(**rules: Any) -> str:
        return " ".join(rule_words.in_words(season(**rules)).sessions)

    assert "A session that was ended early does not count." in told(incomplete_sessions="skip", minimum_rounds=3)
    assert "counts as it stands if at least 3 rounds were played." in told(minimum_rounds=3)
    assert "Who missed a round has no place in the session." in told(missing_round="exclude")
    assert "all rounds of the seat belong to the one who first sat in it." in told(substitution="seat")
    assert "once another participant or a scorekeeper has agreed" in told(needs_confirmation=True)


@pytest.mark.parametrize(
    ("rules", "value", "english", "german"),
    [
        ({}, 8 / 3, "2.67", "2,67"),
        ({}, 2, "2.00", "2,00"),
        ({"ranking_metric": "place_sum"}, 9, "9", "9"),
        ({"ranking_metric": "place_sum", "absence": "average"}, 13.5, "13.50", "13,50"),
        ({"ranking_metric": "points"}, -3, "-3", "-3"),
    ],
    ids=str,
)
def test_values(rules: dict[str, Any], value: float, english: str, german: str) -> None:
    with override("en"):
        assert rule_words.value_told(season(**rules), value) == english
    with override("de"):
        assert rule_words.value_told(season(**rules), value) == german
    assert rule_words.value_told(season(**rules), value, counted=0) == "\N{EN DASH}"


def test_versions_in_words() -> None:
    usual = {field: getattr(season(), field) for field in seasons.RULES}
    later = {
        **usual,
        "drop_worst": 2,
        "tie_breaks": ["countback"],
        "needs_confirmation": True,
        "points_by_place": [3, 1],
    }
    versions = [SeasonRulesVersion(number=1, rules=usual), SeasonRulesVersion(number=2, rules=later)]
    second, first = rule_words.history(versions)
    assert (first.version.number, first.changes) == (1, ())
    assert [(one.name, one.before, one.after) for one in second.changes] == [
        ("Points for place 1, 2, …", "10, 7, 5, 3, 2, 1", "3, 1"),
        ("Worst results that don't count", "0", "2"),
        ("Tie-breaks", "none", "most first places, then most second places, and so on"),
        ("Results are confirmed by a second player", "no", "yes"),
    ]
    assert set(rule_words.FIELDS) == seasons.RULES
    assert rule_words.history([]) == ()
