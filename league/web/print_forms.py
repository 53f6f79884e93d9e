"""Forms of what is printed: they change nothing, and their fields stand in the address."""

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from league.models import Club, Player, PlayerKind, Season, SeasonStatus, Seat
from league.web.fields import WholeNumberField
from league.web.forms import PLAYER_LIST, date_field
from league.web.papers import FEWEST, MOST


class BlankSheetForm(forms.Form):
    """A blank score sheet: for how many, how often each game, and whose names stand on it."""

    players = WholeNumberField(
        label=_l("Players"),
        min_value=FEWEST,
        max_value=MOST,
        help_text=_l("Six can play; further columns are for those who come later or play for somebody."),
    )
    repeats = forms.TypedChoiceField(
        label=_l("Each game of Pure XXL"), coerce=int, choices=[(1, _l("once")), (2, _l("twice"))]
    )
    season = forms.TypedChoiceField(
        label=_l("Season"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_l("Stands on the sheet; its players are proposed below."),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._seasons = {
            one.pk: one
            for one in Season.objects.filter(club=club, status=SeasonStatus.OPEN).select_related("league", "club")
        }
        choices = [("", _("none")), *((pk, str(one)) for pk, one in self._seasons.items())]
        self.fields["season"].choices = choices  # type: ignore[attr-defined]
        for number in range(1, MOST + 1):
            self.fields[f"name_{number}"] = forms.CharField(
                label=_("Name %(number)d") % {"number": number},
                max_length=60,
                required=False,
                widget=forms.TextInput(attrs={"list": PLAYER_LIST, "autocomplete": "off"}),
            )
        self._club = club

    @property
    def names(self) -> list[forms.BoundField]:
        """The fields of the names, in seat order."""
        return [self[f"name_{number}"] for number in range(1, MOST + 1)]

    @property
    def chosen_season(self) -> Season | None:
        """The season whose name stands on the sheet."""
        pk = getattr(self, "cleaned_data", {}).get("season")
        return None if pk is None else self._seasons[pk]

    @property
    def proposed(self) -> list[str]:
        """The names that are proposed: those who played in the season, or the people of the club."""
        people = Player.objects.filter(club=self._club, archived_at=None, kind=PlayerKind.PERSON)
        season = self.chosen_season
        if season is not None:
            seats = Seat.objects.filter(session__season=season, session__voided_at=None)
            of_season = list(people.filter(pk__in=seats.values("player")).values_list("name", flat=True))
            if of_season:
                return of_season
        return list(people.values_list("name", flat=True))

    def sheet_names(self) -> tuple[str, ...]:
        """The names that were typed, without the gaps between them."""
        typed = (" ".join(self.cleaned_data[f"name_{number}"].split()) for number in range(1, MOST + 1))
        return tuple(name for name in typed if name)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        players = data.get("players")
        if players is not None and not self.errors:
            count = len(self.sheet_names())
            if count > players:
                message = _("There are %(count)d names: choose at least as many players, or leave names out.")
                self.add_error("players", message % {"count": count})
        return data


class DayForm(forms.Form):
    """Whose tables are shown: those of a day."""

    day = date_field(label=_l("Day"))

    def __init__(self, *args: Any, today: date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["day"].initial = today
