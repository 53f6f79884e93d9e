"""Forms: they turn what a browser sends into typed values and show what a service says about them.

Promises: no rule of the product lives here; a form knows shapes only. What a service refuses is shown at the field
it names; implausible input comes back with a box to tick for each warning, and once more, with a word about the box,
when it is sent without the tick.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, TypeVar

from django import forms
from django.contrib.auth.forms import UsernameField
from django.contrib.auth.password_validation import password_validators_help_text_html
from django.utils.functional import Promise, lazy
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from games.bots import BOTS
from games.catalog import GAMES, GameInfo
from games.core import Json
from games.series import PURE_XXL
from league.models import (
    Club,
    Member,
    Player,
    PlayerKind,
    Role,
    Scope,
    Season,
    SeasonStatus,
    SessionFormat,
    name_key,
)
from league.models.clubs import default_time_zone
from league.services import option_words
from league.services.access import Access
from league.services.bot_matches import LONGEST_TIME, MAXIMUM_DEALS, USUAL_TIME, BotMatchInput
from league.services.bot_players import MAXIMUM_AT_ONCE
from league.services.clubs import time_zones
from league.services.errors import Conflict, InputError, NeedsConfirmation, Path
from league.services.evenings import MAXIMUM_POINTS, MAXIMUM_ROUNDS
from league.services.outbound import URL_LENGTH
from league.services.players import PlayerRef
from league.services.results import RoundInput, ScoreInput, SeatInput, SessionInput
from league.services.table_links import LONGEST_HOURS, USUAL_HOURS
from league.services.tokens import MAXIMUM_RATE_LIMIT, SCOPES
from league.services.webhooks import DESCRIPTION_LENGTH, EVENTS
from league.services.wording import NOTES, game_title, points_name
from league.web.fields import WholeNumberField
from league.web.words import grouped

T = TypeVar("T")
SEATS = 6
# Before the name of an option, in that of its field.
_OPTION = "option_"
_NOBODY = "\N{EN DASH}"
# Id of the element of a page that offers the names of players.
PLAYER_LIST = "players-of-the-club"

# Where a refusal for what is stored belongs.
_FIELD_OF_CONFLICT = {
    "slug_taken": "slug",
    "name_taken": "name",
    "nickname_taken": "nickname",
    "key_taken": "key",
    "both_in_one_session": "into",
    "both_in_one_tournament": "into",
    "bot_match_pending": "into",
    "already_a_member": "username",
    "username_taken": "username",
    "member_taken": "member",
    "season_closed": "season",
}


class ServiceForm(forms.Form):
    """A form whose valid values go to a service."""

    # Of warnings that wait for a tick: code -> sentences.
    warnings: Mapping[str, list[str]] = {}
    # Ids of other sessions that the warnings are about, as those of the same evening.
    others: Collection[int] = ()
    # By the code of a problem: what is said in place of the service's words, where these would not fit the field.
    wordings: Mapping[str, str | Promise] = {}
    # Why what is stored does not let this form in; "" where it does.
    conflict = ""

    def field_of(self, path: Path) -> str | None:
        """The form's field for a place in the service's input; None where there is none."""
        for step in reversed(path):
            if step in self.fields:
                return str(step)
        return None

    @property
    def confirm(self) -> frozenset[str]:
        """Codes of the warnings that were ticked."""
        return self._listed("confirm")

    @property
    def unticked(self) -> frozenset[str]:
        """Codes of the warnings that were asked about when this form was shown, and came back without a tick."""
        return (self._listed("asked") - self.confirm) & frozenset(self.warnings)

    def _listed(self, name: str) -> frozenset[str]:
        # A form of this page is always sent as a QueryDict, whose plain lookup would give the last value alone.
        return frozenset(self.data.getlist(name)) if hasattr(self.data, "getlist") else frozenset()

    def attempt(self, call: Callable[[], T]) -> T | None:
        """The service's answer; None when it refused, with the reasons shown in the form."""
        try:
            return call()
        except InputError as error:
            for problem in error.problems:
                self.add_error(self.field_of(problem.path), str(self.wordings.get(problem.code, problem.message)))
        except Conflict as error:
            self.conflict = error.message
            field = _FIELD_OF_CONFLICT.get(error.code)
            self.add_error(field if field in self.fields else None, error.message)
        except NeedsConfirmation as error:
            found: dict[str, list[str]] = {}
            for warning in error.warnings:
                sentences = found.setdefault(warning.code, [])
                if warning.message not in sentences:
                    sentences.append(warning.message)
            # Those ticked before stay ticked: all of them are needed at once.
            self.warnings = found
            self.others = {warning.session: None for warning in error.warnings if warning.session is not None}
        return None


class _DateInput(forms.DateInput):
    input_type = "date"

    def __init__(self) -> None:
        # The value of a date field is ISO 8601 in every language.
        super().__init__(format="%Y-%m-%d")


def date_field(**kwargs: Any) -> forms.DateField:
    return forms.DateField(widget=_DateInput(), input_formats=["%Y-%m-%d"], **kwargs)


def slug_field(**kwargs: Any) -> forms.CharField:
    """A short name for addresses, which the service makes of the name where it is left empty."""
    help_text = _l("Stands in addresses: small letters, digits and hyphens. Empty: made of the name.")
    return forms.CharField(**{"label": _l("Short name"), **kwargs}, max_length=50, required=False, help_text=help_text)


class SetupForm(ServiceForm):
    """The first owner, club, league and season."""

    username = UsernameField(label=_l("User name"), max_length=150)
    password = forms.CharField(
        label=_l("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=password_validators_help_text_html(),
    )
    club_name = forms.CharField(label=_l("Name of the club"), max_length=100)
    club_slug = slug_field(label=_l("Short name of the club"))
    league_name = forms.CharField(label=_l("Name of the league"), max_length=100)
    season_name = forms.CharField(label=_l("Name of the season"), max_length=100)

    def field_of(self, path: Path) -> str | None:
        # Club, league and season are made by their own services, which know of one name and short name only.
        return super().field_of(path) or {"name": "club_name", "slug": "club_slug"}.get(str(path[-1]))


def _time_zone_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """The zones of places by continent or ocean, and UTC; the many further names of the same zones are left out."""
    areas: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(time_zones()):
        area, _slash, place = name.partition("/")
        if place and area in _AREAS:
            areas.setdefault(area, []).append((name, name.replace("_", " ")))
    return [*areas.items(), ("UTC", [("UTC", "UTC")])]


_AREAS = frozenset(
    ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
)


class ClubForm(ServiceForm):
    """A club's name and clock."""

    name = forms.CharField(label=_l("Name"), max_length=100)
    time_zone = forms.ChoiceField(
        label=_l("Time zone"), help_text=_l("Says which day “today” is, and in which time pages show the hour.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices: list[Any] = list(_time_zone_choices())
        chosen = self.get_initial_for_field(self.fields["time_zone"], "time_zone")
        if not any(chosen == name for _area, zones in choices for name, _place in zones):
            # One that a program chose, as Etc/GMT-1, stays what it is.
            choices.insert(0, (chosen, chosen))
        self.fields["time_zone"].choices = choices  # type: ignore[attr-defined]


class ArchiveForm(ServiceForm):
    """The archive of a club, and another short name for what comes of it."""

    # Packed; far above any club's.
    MAXIMUM_BYTES = 500 * 1024**2

    file = forms.FileField(
        label=pgettext_lazy("file", "Archive"), widget=forms.ClearableFileInput(attrs={"accept": ".zip"})
    )
    slug = forms.CharField(
        label=_l("Short name"),
        max_length=50,
        required=False,
        help_text=_l("Stands in addresses: small letters, digits and hyphens. Empty: the one in the archive."),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > self.MAXIMUM_BYTES:
            raise forms.ValidationError(_("This file is too large; found the club by command on the server."))
        return file


class NewClubForm(ClubForm):
    """A club to be founded."""

    slug = slug_field()

    field_order = ["name", "slug", "time_zone"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, initial={"time_zone": default_time_zone()}, **kwargs)


class LeagueForm(ServiceForm):
    """A league's name and short name."""

    name = forms.CharField(label=_l("Name"), max_length=100)
    slug = slug_field()


class PlayerForm(ServiceForm):
    """A person who plays."""

    name = forms.CharField(label=_l("Name"), max_length=60)
    nickname = forms.CharField(
        label=_l("Nickname"),
        max_length=60,
        required=False,
        help_text=_l("Shown instead of the name to all but members of the club. Empty: the name is shown."),
    )
    is_guest = forms.BooleanField(
        label=_l("Guest"), required=False, help_text=_l("Plays without belonging to the club.")
    )
    member = forms.TypedChoiceField(
        label=_l("Member"), required=False, coerce=int, empty_value=None, help_text=_l("The login of this player.")
    )

    def __init__(self, *args: Any, access: Access, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not access.may(Role.ADMIN):
            # User names are half of a login: they are for those who give the logins out.
            del self.fields["member"], self.fields["nickname"]
            return
        members = Member.objects.filter(club=access.club).select_related("user").order_by("user__username")
        self.fields["member"].choices = [("", _NOBODY), *((one.pk, str(one.user)) for one in members)]  # type: ignore[attr-defined]


class NewPlayerForm(PlayerForm):
    """A new player: a person or a bot."""

    kind = forms.ChoiceField(label=_l("Kind"), choices=PlayerKind.choices, initial=PlayerKind.PERSON)
    bot = forms.ChoiceField(label=_l("Bot"), required=False, help_text=_l("Which program plays; for bots only."))

    field_order = ["name", "kind", "bot", "is_guest", "member"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["bot"].choices = [("", _NOBODY), *((key, key) for key in BOTS)]  # type: ignore[attr-defined]
        # Who is new has no page yet that shows a name.
        self.fields.pop("nickname", None)


class MemberForm(ServiceForm):
    username = UsernameField(label=_l("User name"), max_length=150)
    role = forms.ChoiceField(label=_l("Role"), choices=Role.choices, initial=Role.MEMBER)


class RoleForm(ServiceForm):
    role = forms.ChoiceField(label=_l("Role"), choices=Role.choices)


class TableLinkForm(ServiceForm):
    hours = WholeNumberField(label=_l("Hours that it lasts"), min_value=1, max_value=LONGEST_HOURS, initial=USUAL_HOURS)


class TokenForm(ServiceForm):
    name = forms.CharField(label=_l("Name"), max_length=60, help_text=_l("What it is for, as in “scoring app”."))
    scope = forms.ChoiceField(label=_l("Scope"), choices=SCOPES, initial=Scope.RESULTS_WRITE)
    expires_on = date_field(label=_l("Expires on"), required=False, help_text=_l("Empty: never."))
    rate_limit = WholeNumberField(
        label=_l("Requests a minute"),
        min_value=1,
        max_value=MAXIMUM_RATE_LIMIT,
        required=False,
        help_text=_l("Empty: as many as the installation allows."),
    )

    wordings = {"in_the_past": _l("Give a day from today on, or none.")}

    def field_of(self, path: Path) -> str | None:
        # The service knows the moment, the form its day.
        return "expires_on" if path[-1] == "expires_at" else super().field_of(path)


class WebhookForm(ServiceForm):
    """An endpoint's fields; no event ticked means all."""

    url = forms.CharField(
        label=_l("Address"),
        max_length=URL_LENGTH,
        help_text=_l("Where messages are posted to, as https://example.org/hooks/tischliga."),
    )
    description = forms.CharField(label=_l("Description"), max_length=DESCRIPTION_LENGTH, required=False)
    events = forms.MultipleChoiceField(
        label=_l("Events"),
        choices=[(event, format_lazy("{} ({})", words, event)) for event, words in EVENTS.items()],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_l("None ticked: all, also those of later versions."),
    )


class ReplayForm(forms.Form):
    """Since when failed messages are sent again."""

    since = date_field(label=_l("Failed messages written since"))


def _season_choices(club: Club) -> list[tuple[int | str, str]]:
    seasons = Season.objects.filter(club=club, status=SeasonStatus.OPEN).select_related("league")
    return [*((one.pk, str(one)) for one in seasons), ("", _("none"))]


def _game_choices() -> list[tuple[str, str]]:
    return [(key, game_title(game)) for key, game in GAMES.items()]


def _seat_fields(choices: list[tuple[int | str, str]]) -> dict[str, forms.Field]:
    return {
        f"seat_{seat}": forms.TypedChoiceField(
            label=_("Seat %(number)d") % {"number": seat + 1},
            choices=choices,
            required=False,
            coerce=int,
            empty_value=None,
        )
        for seat in range(SEATS)
    }


class PlayerNameField(forms.CharField):
    """A player by name, offered from the list `PLAYER_LIST` of the page, which all such fields share; None for nobody.

    A select would repeat all players of the club for each seat. Whom no active player's name means is for the service
    to refuse; digits that are no name are an id.
    """

    def __init__(self, *, ids: Mapping[str, int], **kwargs: Any) -> None:
        self.ids = ids
        widget = forms.TextInput(attrs={"list": PLAYER_LIST, "autocomplete": "off"})
        super().__init__(max_length=60, required=False, widget=widget, **kwargs)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        known = self.ids.get(name_key(text))
        # More digits than these are no id of any row.
        if known is None and text.isascii() and text.isdigit() and len(text) < 19:
            return int(text)
        return text if known is None else known


class _SeatsForm(ServiceForm):
    """A form that asks who sits where. Empty seats close up: who sits next to whom counts, not the number on it."""

    @property
    def seats(self) -> list[forms.BoundField]:
        return [self[f"seat_{seat}"] for seat in range(SEATS)]

    def _taken(self) -> list[str]:
        """The fields of the seats that somebody was put on."""
        names = (f"seat_{seat}" for seat in range(SEATS))
        return [name for name in names if self.cleaned_data.get(name) is not None]

    @property
    def players(self) -> tuple[PlayerRef, ...]:
        """The players chosen (ids, or names that mean nobody), in seat order."""
        return tuple(self.cleaned_data[name] for name in self._taken())

    def field_of(self, path: Path) -> str | None:
        match path:
            case ("players", int(index), *_rest):
                return self._taken()[index]
        return super().field_of(path)


class SessionForm(_SeatsForm):
    """A new session: what is played, and who sits where."""

    season = forms.TypedChoiceField(label=_l("Season"), required=False, coerce=int, empty_value=None)
    format = forms.ChoiceField(label=_l("Format"), choices=SessionFormat.choices)
    repeats = forms.TypedChoiceField(
        label=_l("Each game of Pure XXL"), coerce=int, choices=[(1, _l("once")), (2, _l("twice"))], initial=1
    )
    planned_rounds = WholeNumberField(
        label=_l("Rounds agreed"),
        min_value=1,
        max_value=MAXIMUM_ROUNDS,
        required=False,
        help_text=_l("For Individual XXL and for a series."),
    )
    played_on = date_field(label=_l("Played on"))
    location = forms.CharField(label=_l("Location"), max_length=100, required=False)
    comment = forms.CharField(label=_l("Comment"), max_length=500, required=False)

    def __init__(self, *args: Any, club: Club, today: date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seasons = _season_choices(club)
        self.fields["season"].choices = seasons  # type: ignore[attr-defined]
        self.fields["season"].initial = seasons[0][0]
        self.fields["played_on"].initial = today
        players = list(Player.objects.filter(club=club, archived_at=None).values_list("pk", "name", "name_key"))
        self.names = [name for _pk, name, _key in players]
        ids = {key: pk for pk, _name, key in players}
        for seat in range(SEATS):
            self.fields[f"seat_{seat}"] = PlayerNameField(label=_("Seat %(number)d") % {"number": seat + 1}, ids=ids)

    def session_input(self) -> SessionInput:
        data = self.cleaned_data
        return SessionInput(
            format=data["format"],
            played_on=data["played_on"],
            players=tuple(SeatInput(player) for player in self.players),
            season=data["season"],
            repeats=data["repeats"] if data["format"] == SessionFormat.PURE_XXL else 1,
            planned_rounds=data["planned_rounds"],
            location=data["location"],
            comment=data["comment"],
        )


def _note_choices(games: Iterable[GameInfo]) -> list[tuple[str, str | Promise]]:
    notes = {note for game in games for note in game.notes}
    return [(note, words) for note, words in NOTES.items() if not note or note in notes]


def _may_be_negative(game: GameInfo, players: int) -> bool:
    minimum = game.bounds.for_table(players).minimum
    return minimum is None or minimum < 0


def _kind_help(games: Collection[GameInfo]) -> str:
    """What is to be said of games that take other numbers than most."""
    together = [one for one in games if one.cooperative]
    counts_cards = [one for one in together if one.family == "the-game"]
    told = {
        _("%(games)s: one result for the table, so give all the same points."): [
            one for one in together if one not in counts_cards
        ],
        _("%(games)s: one result for the table, so give all the same number of cards left."): counts_cards,
        _("%(games)s: scored by places alone."): [g for g in games if g.scored_by == "places"],
    }
    return " ".join(
        message % {"games": ", ".join(game_title(game) for game in fitting)}
        for message, fitting in told.items()
        if fitting
    )


class RoundForm(ServiceForm):
    """The next round of a session: one number a player at the table, points or places.

    `games` are those to choose from, by key; `following` is the key of the one that comes next where that is known:
    then only its notes are offered, as those of the game that was chosen are once the form was sent.
    """

    # Which round the form was shown for: sent twice, as by a double click, it must not become two rounds.
    number = WholeNumberField(widget=forms.HiddenInput, required=False)
    game = forms.ChoiceField(label=_l("Game"))
    note = forms.ChoiceField(label=_l("Note"), required=False)
    kind = forms.ChoiceField(
        label=_l("The numbers below are"),
        choices=[("points", _l("points")), ("place", pgettext_lazy("finishing places", "places"))],
        widget=forms.RadioSelect,
        initial="points",
    )

    def __init__(
        self, *args: Any, players: list[Player], games: Mapping[str, GameInfo], following: str | None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.players = players
        self.fields["game"].choices = [(key, game_title(game)) for key, game in games.items()]  # type: ignore[attr-defined]
        chosen = self.data.get("game") if self.is_bound else following
        # Every note stays valid: that one does not belong to a game is for the service to say, which can say why.
        self.fields["note"].choices = _note_choices(games.values())  # type: ignore[attr-defined]
        offered = [games[chosen]] if chosen is not None and chosen in games else games.values()
        self.fields["note"].widget.choices = _note_choices(offered)
        units = {points_name(game) for game in games.values()}
        if len(units) == 1:
            self.fields["kind"].choices = [("points", *units), ("place", pgettext("finishing places", "places"))]  # type: ignore[attr-defined]
        self.fields["kind"].help_text = _kind_help(games.values())
        attrs = {"autocomplete": "off"}
        if not any(_may_be_negative(game, len(players)) for game in games.values()):
            # Only then: the numeric keys of some phones have no minus.
            attrs["inputmode"] = "numeric"
        for player in players:
            self.fields[f"score_{player.pk}"] = WholeNumberField(
                label=player.name,
                min_value=-MAXIMUM_POINTS,
                max_value=MAXIMUM_POINTS,
                widget=forms.NumberInput(attrs=dict(attrs)),
            )
        if players and not self.is_bound:
            # A form that comes back leads to what is wrong with it instead.
            self.fields[f"score_{players[0].pk}"].widget.attrs["autofocus"] = True

    @property
    def has_notes(self) -> bool:
        """Whether there is a note to choose."""
        return len(self.fields["note"].widget.choices) > 1

    @property
    def scores(self) -> list[forms.BoundField]:
        return [self[f"score_{player.pk}"] for player in self.players]

    def field_of(self, path: Path) -> str | None:
        match path:
            case ("scores", int(index), *_rest):
                return f"score_{self.players[index].pk}"
        return super().field_of(path)

    def round_input(self) -> RoundInput:
        data = self.cleaned_data
        kind = data["kind"]
        return RoundInput(
            game=data["game"],
            note=data["note"],
            scores=tuple(
                ScoreInput(
                    player=player.pk,
                    points=data[f"score_{player.pk}"] if kind == "points" else None,
                    place=data[f"score_{player.pk}"] if kind == "place" else None,
                )
                for player in self.players
            ),
        )


class TableForm(ServiceForm):
    """Who comes to the table, in whose place; or who gets up."""

    player = forms.TypedChoiceField(label=_l("Comes"), required=False, coerce=int, empty_value=None)
    substitutes = forms.TypedChoiceField(
        label=_l("Gets up"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_l("Both chosen: the one who comes takes the seat of the one who gets up."),
    )

    def __init__(self, *args: Any, club: Club, sitting: list[Player], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        here = {player.pk for player in sitting}
        others = Player.objects.filter(club=club, archived_at=None).exclude(pk__in=here).values_list("pk", "name")
        self.fields["player"].choices = [("", _("nobody")), *others]  # type: ignore[attr-defined]
        self.fields["substitutes"].choices = [  # type: ignore[attr-defined]
            ("", _("nobody")),
            *((player.pk, player.name) for player in sitting),
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and data.get("player") is None and data.get("substitutes") is None:
            raise forms.ValidationError(_("Choose who comes, who gets up, or both."))
        return data


class EndForm(ServiceForm):
    """Ends a session early; everything is in the confirmation."""


class BotsForm(ServiceForm):
    """Players that a bot plays."""

    bot = forms.ChoiceField(label=_l("Bot"), choices=[(key, key) for key in BOTS])
    count = WholeNumberField(label=_l("How many"), min_value=1, max_value=MAXIMUM_AT_ONCE, initial=1)


class BotMatchForm(_SeatsForm):
    """A match of bots: one game, several in a row, or Pure XXL."""

    PURE_XXL = "pure_xxl"

    game = forms.ChoiceField(label=_l("What is played"))
    deals = WholeNumberField(
        label=_l("Deals"),
        min_value=1,
        max_value=MAXIMUM_DEALS,
        required=False,
        help_text=format_lazy(
            _l(
                "1 is a single game, more are a series, up to {maximum}; Pure XXL has 6 or 12. Empty: 1, of Pure XXL 6."
            ),
            maximum=lazy(grouped, str)(MAXIMUM_DEALS),
        ),
    )
    season = forms.TypedChoiceField(label=_l("Season"), required=False, coerce=int, empty_value=None)
    seed = WholeNumberField(
        label=_l("Seed"),
        min_value=0,
        required=False,
        help_text=_l("The same seed deals the same cards. Empty: by chance."),
    )
    hours = WholeNumberField(
        label=_l("Give up after hours"),
        min_value=1,
        max_value=LONGEST_TIME // timedelta(hours=1),
        required=False,
        help_text=format_lazy(
            _l("What is not done by then has failed. Empty: {hours}."), hours=USUAL_TIME // timedelta(hours=1)
        ),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        playable = [(key, title) for key, title in _game_choices() if GAMES[key].engine is not None]
        self.fields["game"].choices = [  # type: ignore[attr-defined]
            *playable,
            (self.PURE_XXL, _("Pure XXL, all six games")),
        ]
        self._games_of = _games_with_options()
        self.fields |= {f"{_OPTION}{name}": _option_field(name, games) for name, games in self._games_of.items()}
        seasons = _season_choices(club)
        self.fields["season"].choices = seasons  # type: ignore[attr-defined]
        self.fields["season"].initial = ""
        bots = Player.objects.filter(club=club, archived_at=None, kind=PlayerKind.BOT).values_list("pk", "name")
        self.fields |= _seat_fields([("", _NOBODY), *bots])

    @property
    def options(self) -> list[tuple[forms.BoundField, str]]:
        """The fields of options, each with the games that have it, as the script of the page reads it."""
        pure = set(PURE_XXL)
        return [
            (
                self[f"{_OPTION}{name}"],
                f"game={' '.join([*games, *([self.PURE_XXL] if pure <= set(games) else [])])}",
            )
            for name, games in self._games_of.items()
        ]

    @property
    def plain_fields(self) -> list[forms.BoundField]:
        """The fields that are neither seats nor options."""
        return [field for field in self if not field.name.startswith(("seat_", _OPTION))]

    def field_of(self, path: Path) -> str | None:
        match path:
            case ("options", str(name), *_rest) if name in self._games_of:
                return f"{_OPTION}{name}"
        return super().field_of(path)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        seats = len(self._taken())
        for name in option_words.SEATS & set(self._games_of):
            chosen = data.get(f"{_OPTION}{name}")
            # Seats without anybody close up, so that the last ones are none.
            if type(chosen) is int and chosen >= seats > 0:
                message = ngettext(
                    "%(option)s: %(count)d bot is seated. Choose seat 1, or seat more bots.",
                    "%(option)s: %(count)d bots are seated. Choose one of the seats 1 to %(count)d, or seat more bots.",
                    seats,
                )
                params = {"option": capfirst(option_words.label(name)), "count": seats}
                self.add_error(f"{_OPTION}{name}", message % params)
        if not self.errors:
            games = [GAMES[key] for key in (PURE_XXL if data["game"] == self.PURE_XXL else (data["game"],))]
            # The service would tell it to programs; how many may sit there it tells everybody.
            if all(game.min_players <= seats <= game.max_players for game in games):
                for problem in option_words.problems(games, seats, self._agreed(), for_people=True):
                    self.add_error(self.field_of(problem.path), problem.message)
        return data

    def _agreed(self) -> dict[str, Json]:
        """The options that are not to be as usual."""
        given = {name: self.cleaned_data[f"{_OPTION}{name}"] for name in self._games_of}
        return {name: value for name, value in given.items() if value is not None}

    def match_input(self, *, now: datetime) -> BotMatchInput:
        """What a valid form asks for."""
        data = self.cleaned_data
        pure = data["game"] == self.PURE_XXL
        return BotMatchInput(
            game="" if pure else data["game"],
            players=self.players,
            seed=data["seed"],
            deals=data["deals"],
            season=data["season"],
            format=SessionFormat.PURE_XXL if pure else None,
            options=self._agreed(),
            deadline=now + timedelta(hours=data["hours"]) if data["hours"] else None,
        )


def _games_with_options() -> dict[str, list[str]]:
    """By each option that people choose, the keys of the games that bots play and that have it."""
    found: dict[str, list[str]] = {}
    for key, game in GAMES.items():
        for option in game.engine.options if game.engine is not None else ():
            if option.key != option_words.DECK:
                found.setdefault(option.key, []).append(key)
    return found


def _option_field(name: str, games: Sequence[str]) -> forms.Field:
    """A field for an option: whatever it may be at any table of any of the games."""
    allowed: list[Json] = []
    for game in games:
        for seats in option_words.engine_of(game).seats:
            allowed += [one for one in option_words.choices(game, name, seats) if one not in allowed]
    label, whose = capfirst(option_words.label(name)), _whose(games)
    numbers = [one for one in allowed if type(one) is int]
    if len(numbers) == len(allowed) > SEATS and name not in option_words.SEATS:
        usual = option_words.usual_words(name)
        return WholeNumberField(
            label=label,
            required=False,
            min_value=min(numbers),
            max_value=max(numbers),
            help_text=f"{whose}. {usual}" if usual else whose,
        )
    words = [(json.dumps(one), capfirst(option_words.value_words(name, one))) for one in allowed]
    return forms.TypedChoiceField(
        label=label,
        required=False,
        coerce=json.loads,
        empty_value=None,
        choices=[("", _("as usual")), *words],
        help_text=whose,
    )


def _whose(games: Sequence[str]) -> str:
    """Which games these are, in words; the family as one."""
    family = {key for key, game in GAMES.items() if game.family == "xxl" and game.engine is not None}
    if family == set(games):
        return _("All games of XXL")
    return ", ".join(str(game_title(GAMES[key])) for key in games)
