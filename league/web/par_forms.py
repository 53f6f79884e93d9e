"""The form that has a bot play on for par."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _l

from games.par import Configuration, configurations
from league.services.par import MAXIMUM_GAMES
from league.web.fields import WholeNumberField
from league.web.forms import ServiceForm
from league.web.pars import table_words


class ParForm(ServiceForm):
    """Which table of a game, and how many games there shall be."""

    table = forms.ChoiceField(label=_l("Table"))
    games = WholeNumberField(
        label=_l("Games in all"),
        min_value=1,
        max_value=MAXIMUM_GAMES,
        help_text=_l("More than there are by now. They are played in the background."),
    )

    def __init__(self, *args: Any, game: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._tables = {str(number): one for number, one in enumerate(configurations()) if one.game == game}
        self.fields["table"].choices = [  # type: ignore[attr-defined]
            (number, table_words(one)) for number, one in self._tables.items()
        ]

    @property
    def configuration(self) -> Configuration:
        """The table that a valid form names."""
        return self._tables[self.cleaned_data["table"]]
