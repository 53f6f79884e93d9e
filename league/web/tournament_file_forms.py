"""The form of a report file: the file or its text, and what it does not say.

Promises: the text comes back with what is wrong in it, so that it can be put right in place and sent again.
"""

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.core.files import File
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy

from league.exchange.trf import decoded
from league.models import Club, StageFormat
from league.services import games
from league.services.errors import Path
from league.services.report_files import KINDS
from league.services.tournament_files import FileInput
from league.services.wording import game_title
from league.web.forms import ServiceForm

MAX_BYTES = 900_000


class ReportFileForm(ServiceForm):
    """A report file that is to become a tournament."""

    game = forms.ChoiceField(label=_l("Game"), help_text=_l("What was played at the tables: the file does not say it."))
    file = forms.FileField(label=_l("File"), required=False, help_text=_l("A tournament report (TRF16)."))
    text = forms.CharField(
        label=_l("Or its text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "wrap": "off"}),
    )
    name = forms.CharField(label=_l("Name"), required=False, max_length=100, help_text=_l("Empty: as in the file."))
    format = forms.ChoiceField(label=pgettext_lazy("of a stage", "Format"), required=False)

    def __init__(self, data: Mapping[str, Any] | None, files: "MultiValueDict[str, Any] | None", *, club: Club) -> None:
        super().__init__(data, files)
        known = [(key, game_title(game)) for key, game in games.available(club=club).items() if _is_for_two(game)]
        self.fields["game"].choices = known  # type: ignore[attr-defined]
        formats = [(value, label) for value, label in StageFormat.choices if value in KINDS]
        self.fields["format"].choices = [("", _("as in the file")), *formats]  # type: ignore[attr-defined]

    def field_of(self, path: Path) -> str | None:
        # A place in the file ends in a word of the format, which may be that of another field here.
        return "text" if path[:1] == ("text",) else super().field_of(path)

    def clean_file(self) -> "File[bytes] | None":
        file: File[bytes] | None = self.cleaned_data["file"]
        if file is not None and file.size > MAX_BYTES:
            raise forms.ValidationError(_("The file is too large."))
        return file

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        file: File[bytes] | None = values.get("file")
        if file is not None:
            values["text"] = decoded(file.read())
            # What the page shows again; a file can't be.
            shown = cast("QueryDict", self.data).copy()
            shown["text"] = values["text"]
            self.data = shown
        if not values.get("text") and not self.errors:
            self.add_error("file", _("Choose a file, or give its text."))
        return values

    def given(self) -> FileInput:
        """The file as the service takes it."""
        values = self.cleaned_data
        return FileInput(
            text=values["text"],
            game=values["game"],
            name=values["name"],
            format=values["format"],
            confirm=self.confirm,
        )


def _is_for_two(game: Any) -> bool:
    return bool(game.min_players <= 2 <= game.max_players and not game.cooperative)
