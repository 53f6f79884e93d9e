"""The form of a season with its rules.

Terms: a *group* is a part of the form with a heading of its own. Tie-breaks are an ordered choice: one select for each
position, empty from where no more is asked.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from league.models import (
    AbsenceRule,
    Best,
    IncompleteRule,
    MissingRoundRule,
    RankingMetric,
    Season,
    SeasonStatus,
    SubstitutionRule,
    TableWeight,
    TieBreakCode,
    Visibility,
)
from league.services.errors import Path
from league.services.seasons import LARGEST_MINIMUM, LARGEST_NUMBER, NATURAL_BEST, RULES, SEASON_FIELDS
from league.web.fields import WholeNumberField
from league.web.forms import LeagueForm, date_field

_NOTHING = "\N{EN DASH}"
_POSITIONS = range(1, len(TieBreakCode.values) + 1)


def _tie_break(position: int) -> str:
    return f"tie_break_{position}"


class _PointsField(forms.CharField):
    """Whole numbers, parted by commas, semicolons or spaces."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(str(one) for one in value) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        parts = [part for part in re.split(r"[,;\s]+", super().clean(value)) if part]
        try:
            # Longer than any number that a season takes, and than those that can't be read at all.
            return [int(part[:20]) for part in parts]
        except ValueError as error:
            raise forms.ValidationError(_("Give whole numbers, parted by commas: 10, 7, 5.")) from error


def _number(label: Any, help_text: Any, **kwargs: Any) -> WholeNumberField:
    return WholeNumberField(label=label, help_text=help_text, min_value=0, max_value=LARGEST_NUMBER, **kwargs)


class SeasonForm(LeagueForm):
    """A season with its rules."""

    starts_on = date_field(label=_l("Starts on"))
    ends_on = date_field(label=_l("Ends on"), required=False, help_text=_l("Empty: without an end."))
    planned_evenings = _number(
        _l("Planned evenings"), _l("How many the season has in all; empty where that is not known."), required=False
    )
    status = forms.ChoiceField(
        label=_l("Status"), choices=SeasonStatus.choices, help_text=_l("A closed season takes no more results.")
    )
    visibility = forms.ChoiceField(label=_l("Who may read the leaderboard"), choices=Visibility.choices)

    ranking_metric = forms.ChoiceField(label=_l("Ranked by"), choices=RankingMetric.choices)
    ranking_best = forms.ChoiceField(
        label=_l("Best is"),
        choices=[("", _l("as usual: low for places, high for points and wins")), *Best.choices],
        required=False,
    )
    points_by_place = _PointsField(
        label=_l("Points for place 1, 2, …"),
        help_text=_l("For a season that is ranked by points for places. Places beyond get none."),
        max_length=1000,
    )
    table_weight = forms.ChoiceField(
        label=_l("A place"),
        choices=TableWeight.choices,
        help_text=_l(
            "A second place of six is not a second place of two. The formulas are for places, the number of opponents "
            "is for points and wins."
        ),
    )
    minimum_sessions = WholeNumberField(
        label=_l("Sessions needed for a rank"),
        min_value=1,
        max_value=LARGEST_MINIMUM,
        help_text=_l("Players with fewer sessions are listed without a rank."),
    )

    drop_worst = _number(_l("Worst results that don't count"), _l("0: none of them."), required=False)
    count_best = _number(
        _l("Best results that count"), _l("0: all of them. One of the two numbers is 0."), required=False
    )
    absence = forms.ChoiceField(
        label=_l("A missed evening"),
        choices=AbsenceRule.choices,
        help_text=_l("For whoever has played at all: the days of sessions that count, from the first to the last."),
    )

    incomplete_sessions = forms.ChoiceField(label=_l("A session that was ended early"), choices=IncompleteRule.choices)
    minimum_rounds = WholeNumberField(
        label=_l("Rounds needed to count"),
        min_value=1,
        max_value=LARGEST_MINIMUM,
        help_text=_l("A session that was ended before this round does not count."),
    )
    missing_round = forms.ChoiceField(label=_l("A round that a player missed"), choices=MissingRoundRule.choices)
    substitution = forms.ChoiceField(label=_l("With a substitute"), choices=SubstitutionRule.choices)
    needs_confirmation = forms.BooleanField(
        label=_l("A second player confirms each result"),
        required=False,
        help_text=_l("A session counts once another participant or a scorekeeper has agreed with what was entered."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for position in _POSITIONS:
            self.fields[_tie_break(position)] = forms.ChoiceField(
                label=format_lazy(_l("Tie-break {number}"), number=position),
                choices=[("", _NOTHING), *TieBreakCode.choices],
                required=False,
            )

    def field_of(self, path: Path) -> str | None:
        # The service knows of one list.
        return _tie_break(1) if "tie_breaks" in path else super().field_of(path)

    @property
    def groups(self) -> Iterator["Group"]:
        """The fields by groups, in order."""
        for heading, help_text, names in _GROUPS:
            yield Group(heading, help_text, [self[name] for name in names])

    @property
    def values(self) -> dict[str, object]:
        """What was given, by the names of the service."""
        found = {name: value for name, value in self.cleaned_data.items() if name in SEASON_FIELDS}
        found["tie_breaks"] = [
            code for position in _POSITIONS if (code := self.cleaned_data.get(_tie_break(position), ""))
        ]
        for name in ("drop_worst", "count_best"):
            found[name] = found[name] or 0
        if not found["ranking_best"]:
            del found["ranking_best"]
        return found

    @property
    def digest(self) -> str:
        """Of the rules that were given: those whose preview was seen are the ones that are stored."""
        told = json.dumps({name: value for name, value in self.values.items() if name in RULES}, sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:32]


def initial_of(season: Season) -> dict[str, object]:
    """What the form of a season shows at first."""
    values = {name: getattr(season, name) for name in SEASON_FIELDS}
    if season.ranking_best == NATURAL_BEST[RankingMetric(season.ranking_metric)]:
        values["ranking_best"] = ""
    for position, code in enumerate(values.pop("tie_breaks"), start=1):
        values[_tie_break(position)] = code
    return values


@dataclass(frozen=True, slots=True)
class Group:
    """A part of the form."""

    heading: str | Promise
    help_text: str | Promise
    fields: list[BoundField]


_GROUPS: tuple[tuple[str | Promise, str | Promise, tuple[str, ...]], ...] = (
    (
        _l("The season"),
        "",
        ("name", "slug", "starts_on", "ends_on", "planned_evenings", "status", "visibility"),
    ),
    (
        _l("How it ranks"),
        _l(
            "Changed rules apply to all sessions of the season at once: results and the leaderboard are worked out "
            "anew."
        ),
        ("ranking_metric", "ranking_best", "points_by_place", "table_weight", "minimum_sessions"),
    ),
    (
        _l("What counts"),
        _l("Results are the sessions of a player, and missed evenings where these count."),
        ("drop_worst", "count_best", "absence"),
    ),
    (
        _l("Ties"),
        _l("Asked one after the other; who is equal in all of them shares the rank."),
        tuple(_tie_break(position) for position in _POSITIONS),
    ),
    (
        _l("Odd sessions"),
        "",
        ("incomplete_sessions", "minimum_rounds", "missing_round", "substitution", "needs_confirmation"),
    ),
)


def is_change(season: Season, values: Mapping[str, object]) -> bool:
    """Whether the values have other rules than the season."""
    natural = NATURAL_BEST[RankingMetric(str(values["ranking_metric"]))]
    wanted = {"ranking_best": natural, **values}
    return any(getattr(season, field) != wanted[field] for field in RULES)
