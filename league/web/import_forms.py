"""Forms of imports: the file, and what its names mean.

Promises: fields are made of the stored preview, so that a page shows what was looked at and nothing else.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.files import File
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from league.exchange.plays import MAX_BYTES
from league.models import Club, ImportBatch, Player, PlayerKind, Season, SeasonStatus
from league.services import games
from league.services.errors import Path
from league.services.import_preview import NEW, SKIP, GameDecision, PlayerDecision
from league.services.wording import game_title
from league.web.forms import ServiceForm

_NEW_HIGH, _NEW_LOW, _NEW_COOPERATIVE = "new-high", "new-low", "new-cooperative"
# All players for all names would make a page of many megabytes in a large club.
_MAXIMUM_OPTIONS = 20_000


class UploadForm(ServiceForm):
    """A file to be looked at."""

    file = forms.FileField(
        label=_l("File"),
        help_text=_l("BG Stats (.json, .bgsplay), BoardGameGeek (XML), CSV or an archive of Tischliga; up to 20 MB."),
    )

    def clean_file(self) -> "File[bytes]":
        file: File[bytes] = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            raise forms.ValidationError(_("The file is too large: at most 20 MB are taken."))
        return file


class DecisionsForm(ServiceForm):
    """A choice for every name, and for what goes for all plays."""

    season = forms.ChoiceField(label=_l("Season"), required=False)
    repeated = forms.ChoiceField(label=_l("Rows that stand for several plays"), required=False)
    duplicates = forms.BooleanField(
        label=_l("Store results once more that are here already"),
        required=False,
        help_text=_l("Of plays whose players, scores and day are here from elsewhere."),
    )

    def __init__(self, data: Mapping[str, Any] | None, *, club: Club, batch: ImportBatch) -> None:
        super().__init__(data)
        self.preview: dict[str, Any] = batch.outcome["preview"]
        seasons = Season.objects.filter(club=club, status=SeasonStatus.OPEN).select_related("league")
        self._choose("season", [("", _("none: they enter no table")), *((one.pk, str(one)) for one in seasons)])
        self.initial["season"] = batch.season_id
        self.initial["duplicates"] = batch.decisions.get("duplicates") == "import"
        if self.preview["repeated"]:
            choices = [("", "…"), ("once", _("store one play each")), (SKIP, _("leave them out"))]
            self._choose("repeated", choices)
            self.initial["repeated"] = batch.decisions.get("repeated")
        else:
            del self.fields["repeated"]
        if not self.preview["counts"]["duplicate"] and not self.initial["duplicates"]:
            del self.fields["duplicates"]
        self._add_players(club)
        self._add_games(club)

    def _choose(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices

    def _add_players(self, club: Club) -> None:
        active = Player.objects.filter(club=club, archived_at=None, kind=PlayerKind.PERSON).order_by("name_key")
        everybody = [(str(pk), name) for pk, name in active.values_list("pk", "name")]
        if len(everybody) * len(self.preview["players"]) > _MAXIMUM_OPTIONS:
            everybody = []
        for index, one in enumerate(self.preview["players"]):
            near = [one["player"]] if one["player"] else one["suggestions"]
            choices: list[Any] = [(NEW, _("a new player")), (SKIP, _("leave the plays out"))]
            if near:
                alike = [(str(person["id"]), person["name"]) for person in near]
                choices = [(_("Alike"), alike), *choices]
            if everybody:
                choices.append((_("All players"), everybody))
            name = f"player_{index}"
            self.fields[name] = forms.ChoiceField(label=one["name"], choices=choices)
            if one["action"] in {NEW, SKIP}:
                self.initial[name] = one["action"]
            else:
                # Whoever is most alike is preselected: to be confirmed by sending the form.
                self.initial[name] = str(near[0]["id"]) if near else NEW

    def _add_games(self, club: Club) -> None:
        known = {key: game_title(game) for key, game in games.available(club=club).items()}
        made = [
            (_NEW_HIGH, _("a new game: most points win")),
            (_NEW_LOW, _("a new game: fewest points win")),
            (_NEW_COOPERATIVE, _("a new cooperative game")),
        ]
        for index, one in enumerate(self.preview["games"]):
            near = [(key, known[key]) for key in one["suggestions"] if key in known]
            choices: list[Any] = [("", "…"), *made, (SKIP, _("leave the plays out"))]
            if near:
                choices.insert(1, (_("Alike"), near))
            choices.append((_("All games"), list(known.items())))
            name = f"game_{index}"
            self.fields[name] = forms.ChoiceField(label=one["name"], choices=choices, required=False)
            self.initial[name] = _chosen_game(one)

    def field_of(self, path: Path) -> str | None:
        """Fields of names are numbered, since a name may be anything."""
        match path:
            case ("players" | "games") as topic, str(name):
                names = [one["name"] for one in self.preview[topic]]
                return f"{topic[:-1]}_{names.index(name)}" if name in names else None
        return super().field_of(path)

    def player_fields(self) -> Iterator[tuple[Any, int, bool]]:
        """(field, number of plays, whether a person has to say) of names that are no player's."""
        for index, one in enumerate(self.preview["players"]):
            if one["action"] != "player":
                yield self[f"player_{index}"], one["plays"], not one["action"]

    def matched_fields(self) -> Iterator[tuple[Any, int]]:
        """The others."""
        for index, one in enumerate(self.preview["players"]):
            if one["action"] == "player":
                yield self[f"player_{index}"], one["plays"]

    def game_fields(self) -> Iterator[tuple[Any, int, bool]]:
        """(field, number of plays, whether a person has to say) of every game."""
        for index, one in enumerate(self.preview["games"]):
            yield self[f"game_{index}"], one["plays"], not one["decided"]

    def require_all(self) -> bool:
        """Whether everything is chosen that the plays need; what is not is marked."""
        for name, field in self.fields.items():
            if (name == "repeated" or name.startswith("game_")) and not self.cleaned_data.get(name):
                self.add_error(name, field.error_messages["required"])
        return self.is_valid()

    def changes(self) -> dict[str, Any]:
        """What was chosen, as `imports.decide` takes it."""
        chosen = self.cleaned_data
        changes: dict[str, Any] = {
            "season": int(chosen["season"]) if chosen["season"] else None,
            "players": {
                one["name"]: _player_decision(chosen[f"player_{index}"])
                for index, one in enumerate(self.preview["players"])
            },
            "games": {
                one["name"]: _game_decision(chosen[f"game_{index}"])
                for index, one in enumerate(self.preview["games"])
                if chosen[f"game_{index}"]
            },
        }
        if chosen.get("repeated"):
            changes["repeated"] = chosen["repeated"]
        if "duplicates" in chosen:
            changes["duplicates"] = "import" if chosen["duplicates"] else SKIP
        return changes


def _chosen_game(one: Mapping[str, Any]) -> str:
    """What is chosen for a game: what was decided, else a new one where the file says which score wins."""
    if one["action"] == "game":
        return str(one["game"])
    if one["action"] == SKIP:
        return SKIP
    if one["cooperative"]:
        return _NEW_COOPERATIVE
    if one["suggestions"] and not one["action"]:
        return ""
    return {True: _NEW_HIGH, False: _NEW_LOW}.get(one["high_wins"], "")


def _player_decision(chosen: str) -> PlayerDecision:
    return PlayerDecision(chosen) if chosen in {NEW, SKIP} else PlayerDecision("player", int(chosen))


def _game_decision(chosen: str) -> GameDecision:
    if chosen == SKIP:
        return GameDecision(SKIP)
    if chosen in {_NEW_HIGH, _NEW_LOW, _NEW_COOPERATIVE}:
        return GameDecision(NEW, "", chosen != _NEW_LOW, chosen == _NEW_COOPERATIVE)
    return GameDecision("game", chosen)
