"""Forms of a club's own games."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _l

from league.models import ScoredBy
from league.services.games import MAXIMUM_BOUND, MAXIMUM_KEY, MAXIMUM_PLAYERS
from league.web.fields import WholeNumberField
from league.web.forms import ServiceForm


class GameForm(ServiceForm):
    """What an own game is like."""

    name = forms.CharField(label=_l("Name"), max_length=100)
    min_players = WholeNumberField(label=_l("Players at least"), min_value=1, max_value=MAXIMUM_PLAYERS, initial=1)
    max_players = WholeNumberField(label=_l("Players at most"), min_value=1, max_value=MAXIMUM_PLAYERS, initial=6)
    scored_by = forms.ChoiceField(
        label=_l("Scored by"),
        choices=ScoredBy.choices,
        initial=ScoredBy.POINTS,
        help_text=_l("By places: points are not asked for."),
    )
    high_wins = forms.BooleanField(label=_l("Most points win"), required=False, initial=True)
    cooperative = forms.BooleanField(
        label=_l("Cooperative"), required=False, help_text=_l("One result for the whole table and no places.")
    )
    minimum = WholeNumberField(
        label=_l("Points at least"),
        min_value=-MAXIMUM_BOUND,
        max_value=MAXIMUM_BOUND,
        required=False,
        help_text=_l("Empty: no limit."),
    )
    maximum = WholeNumberField(
        label=_l("Points at most"),
        min_value=-MAXIMUM_BOUND,
        max_value=MAXIMUM_BOUND,
        required=False,
        help_text=_l("Empty: no limit."),
    )

    def fields_given(self) -> dict[str, Any]:
        """The values by the names that the service has for them, without name and short name."""
        return {name: value for name, value in self.cleaned_data.items() if name not in {"key", "name"}}


class NewGameForm(GameForm):
    """An own game with the short name that it keeps for good."""

    key = forms.CharField(
        label=_l("Short name"),
        max_length=MAXIMUM_KEY,
        help_text=_l("How programs name it, for good: small letters, digits and hyphens."),
    )

    field_order = ["name", "key"]
