"""A season's rules in sentences for players, its values as they are shown, and what one version changed of another.

Promises: every rule that holds is told, each in a sentence of its own, with the formula where there is one
(docs/season-rules.md has them with examples). Never: decides anything; `league/scoring` does.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.template.defaultfilters import floatformat
from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from league.models import (
    AbsenceRule,
    Best,
    IncompleteRule,
    MissingRoundRule,
    RankingMetric,
    Season,
    SeasonRulesVersion,
    SubstitutionRule,
    TableWeight,
    TieBreakCode,
)

# In the order in which they are told.
FIELDS = (
    *("ranking_metric", "ranking_best", "points_by_place", "table_weight", "minimum_sessions"),
    *("drop_worst", "count_best", "absence", "tie_breaks"),
    *("incomplete_sessions", "minimum_rounds", "missing_round", "substitution", "needs_confirmation"),
)


@dataclass(frozen=True, slots=True)
class RulesInWords:
    """The rules of a season: sentences on how it ranks, on ties in the order they are asked, on odd sessions."""

    ranking: tuple[str, ...]
    ties: str
    tie_breaks: tuple[str, ...]
    shared: str
    sessions: tuple[str, ...]


def in_words(season: Season) -> RulesInWords:
    """All rules of a season."""
    tie_breaks = tuple(str(TIE_BREAKS[TieBreakCode(code)]) for code in season.tie_breaks)
    if tie_breaks:
        ties = _("Of players who are equal, the first of these that tells them apart decides who stands before:")
        shared = _("Who is equal in all of them shares the rank, and the ranks behind are skipped.")
    else:
        ties, shared = "", _("Players who are equal share the rank, and the ranks behind are skipped.")
    return RulesInWords(tuple(_ranking(season)), ties, tie_breaks, shared, tuple(_sessions(season)))


# --- How it ranks -----------------------------------------------------------------------------------------------------


_RANKED_BY = {
    RankingMetric.PLACE_AVERAGE: _l("Ranked by place average, the mean of the final places: the lowest is best."),
    RankingMetric.PLACE_SUM: _l("Ranked by the sum of the final places: the lowest is best."),
    RankingMetric.POINTS: _l("Ranked by points for the final places, added up: the most are best."),
    RankingMetric.GAME_POINTS: _l("Ranked by the points of all rounds, added up: the most are best."),
    RankingMetric.WINS: _l("Ranked by wins (first places): the most is best."),
}
# Where a season may have it the other way round.
_RANKED_BY_FEWEST = {
    RankingMetric.POINTS: _l("Ranked by points for the final places, added up: the fewest are best."),
    RankingMetric.GAME_POINTS: _l("Ranked by the points of all rounds, added up: the fewest are best."),
}


def ranked_by(season: Season) -> str:
    """The sentence that says what a season ranks by."""
    metric = RankingMetric(season.ranking_metric)
    fewest = _RANKED_BY_FEWEST.get(metric) if season.ranking_best == Best.LOW else None
    return str(fewest or _RANKED_BY[metric])


def needed_for_a_rank(season: Season) -> str:
    """The sentence on the minimum of sessions; "" where one is enough."""
    if season.minimum_sessions == 1:
        return ""
    text = ngettext("A rank needs %(count)d session.", "A rank needs %(count)d sessions.", season.minimum_sessions)
    return text % {"count": season.minimum_sessions}


def _ranking(season: Season) -> Iterator[str]:
    yield ranked_by(season)
    if season.ranking_metric == RankingMetric.POINTS:
        yield _points(season)
    if season.ranking_metric == RankingMetric.GAME_POINTS:
        yield _("A session without any points, noted down by places alone, does not count for this.")
    if weight := _weight(season):
        yield weight
    if season.drop_worst:
        text = ngettext(
            "Of each player the worst result does not count, if there is another one.",
            "Of each player the %(count)d worst results do not count, but one result always does.",
            season.drop_worst,
        )
        yield text % {"count": season.drop_worst}
    if season.count_best:
        text = ngettext(
            "Of each player the best result alone counts.",
            "Of each player the %(count)d best results count.",
            season.count_best,
        )
        yield text % {"count": season.count_best}
    yield _absence(season)
    if minimum := needed_for_a_rank(season):
        yield minimum


def _points(season: Season) -> str:
    points = [number_format(one) for one in season.points_by_place]
    if len(points) == 1:
        return _("The first place gives %(points)s, any other 0.") % {"points": points[0]}
    text = _("The places from 1 to %(last)d give %(points)s; any other gives 0.")
    return text % {"last": len(points), "points": ", ".join(points)}


def _weight(season: Season) -> str:
    """The formula of the weight with the example of second places; "" without one."""
    if season.table_weight == TableWeight.NONE:
        return ""
    if season.table_weight == TableWeight.RELATIVE:
        text = _(
            "A place counts as (place - 1) / (players - 1), from 0 for the first to 1 for the last: a second place of "
            "six is %(six)s, a second place of two %(two)s."
        )
        return text % {"six": number_format(0.2, 1), "two": number_format(1)}
    if season.table_weight == TableWeight.MIDPOINT:
        text = _(
            "A place counts as (place - ½) / players, between 0 and 1: a second place of six is %(six)s, a second "
            "place of two %(two)s."
        )
        return text % {"six": number_format(0.25, 2), "two": number_format(0.75, 2)}
    if season.ranking_metric == RankingMetric.WINS:
        return _("A win counts once for each opponent at the table: five times at a table of six, once at one of two.")
    return _(
        "The points are multiplied by the number of opponents at the table: by five at a table of six, by one at one "
        "of two."
    )


def _absence(season: Season) -> str:
    if season.absence == AbsenceRule.AVERAGE:
        return _("An evening that a player missed counts as the mean of the player's own results.")
    if season.absence == AbsenceRule.LAST:
        return _(
            "An evening that a player missed counts as the place behind the last at that evening's largest table, as "
            "if the player had sat there, too."
        )
    return _("An evening that a player missed counts as nothing.")


# --- Ties -------------------------------------------------------------------------------------------------------------

TIE_BREAKS = {
    TieBreakCode.DIRECT: _l(
        "Direct comparison: how they finished against each other, if all of them met; asked again among those who are "
        "still level."
    ),
    TieBreakCode.COUNTBACK: _l("Most first places; then most second places, and so on, of the results that count."),
    TieBreakCode.LAST_EVENING: _l(
        "The better place on the last evening that any of them played; then on the one before, and so on. Who missed "
        "it stands behind."
    ),
    TieBreakCode.FEWER_SESSIONS: _l("Fewer sessions."),
    TieBreakCode.OPPONENTS: _l("Stronger opponents: the lower mean of their place averages, over all meetings."),
}

# --- Odd sessions -----------------------------------------------------------------------------------------------------


def _sessions(season: Season) -> Iterator[str]:
    if season.incomplete_sessions == IncompleteRule.SKIP:
        yield _("A session that was ended early does not count.")
    elif season.minimum_rounds == 1:
        yield _("A session that was ended early counts as it stands.")
    else:
        text = ngettext(
            "A session that was ended early counts as it stands if at least %(count)d round was played.",
            "A session that was ended early counts as it stands if at least %(count)d rounds were played.",
            season.minimum_rounds,
        )
        yield text % {"count": season.minimum_rounds}
    if season.missing_round == MissingRoundRule.EXCLUDE:
        yield _("Who missed a round has no place in the session.")
    else:
        yield _("A round that a player missed counts as the place behind all who played it.")
    if season.substitution == SubstitutionRule.SEAT:
        yield _("With a substitute, all rounds of the seat belong to the one who first sat in it.")
    else:
        yield _("With a substitute, each has the rounds played in person.")
    if season.needs_confirmation:
        yield _("A session counts once another participant or a scorekeeper has agreed with what was entered.")


# --- Values -----------------------------------------------------------------------------------------------------------


def value_name(season: Season) -> str:
    """The heading of the column with what a season ranks by."""
    match season.ranking_metric:
        case RankingMetric.PLACE_SUM:
            return _("Sum of places")
        case RankingMetric.POINTS | RankingMetric.GAME_POINTS:
            return _("Points")
        case RankingMetric.WINS:
            return _("Weighted wins") if season.table_weight == TableWeight.OPPONENTS else _("Wins")
    return _("Place average")


def value_told(season: Season, value: float, counted: int = 1) -> str:
    """A value with two decimals where it has any, or is an average; a dash where nothing counts."""
    if not counted:
        return "\N{EN DASH}"
    decimals = 2 if season.ranking_metric == RankingMetric.PLACE_AVERAGE or value != round(value) else 0
    return _number_told(value, decimals, get_language())


# A table has a hundred of them, and most are again what they were before the last result.
@lru_cache(maxsize=4096)
def _number_told(value: float, decimals: int, _language: str | None) -> str:
    return floatformat(value, decimals)


# --- Versions ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """One rule before and after, in words."""

    field: str
    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class VersionInWords:
    """A version with what it changed of the one before; the first one changed nothing."""

    version: SeasonRulesVersion
    changes: tuple[Change, ...]


def history(versions: Iterable[SeasonRulesVersion]) -> tuple[VersionInWords, ...]:
    """All versions of a season, given in whatever order; the newest first."""
    found = sorted(versions, key=lambda one: one.number)
    before = [None, *found][: len(found)]
    told = [
        VersionInWords(one, changes(previous.rules, one.rules) if previous else ())
        for one, previous in zip(found, before, strict=True)
    ]
    return tuple(reversed(told))


def changes(before: Mapping[str, object], after: Mapping[str, object]) -> tuple[Change, ...]:
    """What differs of two sets of rules, each as a version keeps them."""
    return tuple(
        Change(field, name_of(field), told(field, before[field]), told(field, after[field]))
        for field in FIELDS
        if field in before and field in after and before[field] != after[field]
    )


def name_of(field: str) -> str:
    """The name of a rule."""
    return str(capfirst(Season._meta.get_field(field).verbose_name))  # type: ignore[union-attr]


def told(field: str, value: object) -> str:
    """A rule's value in words."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if field == "tie_breaks" and isinstance(value, list):
        return "; ".join(str(TieBreakCode(code).label) for code in value) or _("none")
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    choices = Season._meta.get_field(field).choices  # type: ignore[union-attr]
    return str(dict(choices)[value]) if choices else str(value)
