"""What lists are narrowed by: parameters of an address become conditions on rows.

Terms: `at` is the way from a row to its session, as `round__session__`; "" where the row is one. Promises: what is
asked for and is not of the club finds nothing, as what is nowhere.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail

from api.errors import InvalidRequest
from league.models import Club, name_key
from league.models.games import games_by_key

Row = TypeVar("Row", bound=Model)


def by_values(rows: QuerySet[Row], query: Mapping[str, Any], columns: Mapping[str, str]) -> QuerySet[Row]:
    """Rows whose columns (by the parameters' names) have the values asked for."""
    return rows.filter(**{column: query[name] for name, column in columns.items() if name in query})


def by_season(rows: QuerySet[Row], query: Mapping[str, Any], at: str = "") -> QuerySet[Row]:
    """Rows of the season asked for, by its id or by `league/season`."""
    season = query.get("season")
    if season is None:
        return rows
    if isinstance(season, int):
        return rows.filter(**{f"{at}season": season})
    league, _slash, slug = season.partition("/")
    return rows.filter(**{f"{at}season__league__slug": league, f"{at}season__slug": slug})


def by_days(rows: QuerySet[Row], query: Mapping[str, Any], at: str = "") -> QuerySet[Row]:
    """Rows of the days from `played_from` to `played_until`, both included."""
    spans = {"played_from": f"{at}played_on__gte", "played_until": f"{at}played_on__lte"}
    return by_values(rows, query, spans)


def by_name(rows: QuerySet[Row], query: Mapping[str, Any], column: str) -> QuerySet[Row]:
    """Rows with the text of `search` in a column; for lists of few rows, since names are compared one by one here.

    Neither database folds the case of all letters by itself.
    """
    part = name_key(query.get("search", ""))
    if not part:
        return rows
    return rows.filter(pk__in=[pk for pk, name in rows.values_list("pk", column) if part in name_key(name)])


def known_game(club: Club, key: str) -> str:
    """The key of a game that the club can log. Raises InvalidRequest (400) for any other."""
    if key not in games_by_key(club.pk, [key]):
        message = _("No game of the catalogue or of the club is “%(game)s”.") % {"game": key}
        raise InvalidRequest(place="parameter", details={"game": [ErrorDetail(message, code="unknown_game")]})
    return key
