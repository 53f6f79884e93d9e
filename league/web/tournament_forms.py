"""The forms of a tournament: its fields and stages, who enters, who exchanges seats.

Terms: a *preset* is a choice of stages to begin with; a field *applies* where what is chosen elsewhere in the form has
a use for it. Promises: every form carries the version of the tournament that its page showed: where others were
quicker, it comes back with what was typed and says so. Fields that don't apply are neither shown nor taken, without a
script too: the form comes back with the others once something is chosen; `static/tournament-form.js` shows them at
once.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar

from django import forms
from django.db.models import Q
from django.forms import BoundField
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy

from games.catalog import GameInfo
from games.core import SEED_LIMIT
from league.models import (
    Club,
    PairWishKind,
    Player,
    Season,
    SeasonStatus,
    SessionFormat,
    StageFormat,
    Tournament,
    TournamentEntry,
    TournamentMetric,
    Visibility,
    name_key,
)
from league.models.ratings import FAMILIES
from league.services import games
from league.services.errors import InputError, Path, Problem, Stale
from league.services.tie_break_words import NAMES
from league.services.tournament_entries import LARGEST_ROUND, LARGEST_TABLE_NUMBER, EntryInput
from league.services.tournament_formats import (
    FORMATS,
    LARGEST_GROUPS,
    LARGEST_STAGES,
    Option,
    StageInput,
    rules_of,
)
from league.services.tournament_state import REQUESTED_BYE
from league.services.tournaments import LARGEST_GAMES, LARGEST_MINUTES, LARGEST_SCORE, LARGEST_TABLE, LONGEST
from league.services.wording import game_title
from league.web.fields import WholeNumberField
from league.web.figures import family_name
from league.web.forms import ServiceForm, date_field, slug_field
from league.web.tournament_lists import ListLine, check_lines, line_told, read_list

T = TypeVar("T")
_NOTHING = "\N{EN DASH}"
# More tell nobody apart whom these don't.
_POSITIONS = range(1, 9)
# Of a tournament that has begun: what may be changed still.
_ANY_TIME = frozenset(
    {"version", "name", "slug", "starts_on", "location", "note", "visibility", "round_minutes"}
    | {f"tie_break_{position}" for position in _POSITIONS}
)
_PLAIN = (
    *("name", "slug", "starts_on", "location", "note", "visibility", "season", "session_format", "game"),
    *("games_per_table", "minimum", "table_size", "round_minutes", "metric", "seed"),
)
# Id of the element of a page that offers the names of those who entered.
ENTRY_LIST = "entries-of-the-tournament"

FORMAT_WORDS: Mapping[str, Any] = {
    StageFormat.ROUND_ROBIN: _l("Everybody meets everybody, two at a table. The fairest way for up to some ten."),
    StageFormat.SWISS: _l(
        "Two at a table: who has as many points meets who has as many, nobody twice. For many players in few rounds."
    ),
    StageFormat.DUTCH: _l("The Swiss system as the chess federation FIDE rules it, colours and all."),
    StageFormat.TABLE_SWISS: _l(
        "Tables of three to six: who has as many points sits together, meeting the same again as rarely as possible."
    ),
    StageFormat.FIXED_SCHEDULE: _l(
        "Tables of three to six with all rounds planned ahead, so that everybody meets as many others as possible."
    ),
    StageFormat.SINGLE_ELIMINATION: _l("Two at a table; who loses is out."),
    StageFormat.DOUBLE_ELIMINATION: _l("Two at a table; who loses twice is out."),
    StageFormat.STEPLADDER: _l("The lowest two meet, and the winner meets the next higher, up to the first."),
    StageFormat.FINAL_TABLES: _l("After groups: the best sit at the first table, the next at the second, and so on."),
    StageFormat.CLUB_EVENING: _l(
        "Tables are drawn of who is here now, round by round, with few repeats in the season."
    ),
}
# The label and the help of each option.
OPTION_WORDS: Mapping[str, tuple[Any, Any]] = {
    "rounds": (
        _l("Tournament rounds"),
        _l("Two at a table: one more than doublings reach the number of players, as 5 for 16. Larger tables: 3 to 6."),
    ),
    "double": (_l("Everybody meets twice"), ""),
    "allow_rematches": (
        _l("Allow repeats"),
        _l("Where no pairing without a repeat is left. Otherwise the round is refused with the reason."),
    ),
    "best_of": (_l("Best of"), _l("Games of a match, for a series of one game: an odd number.")),
    "third_place": (_l("A match for the third place"), ""),
    "grand_final": (_l("Grand final"), _l("Whether who comes unbeaten has to be beaten twice.")),
    "best_of_last": (
        _l("Best of, in the last rounds"),
        _l("From the final backwards, as in 5 3: the final is the best of five, the round before the best of three."),
    ),
    "best_next": (
        _l("Best of the next place"),
        _l("How many go on besides, of those next behind in all groups together: where the bracket has room."),
    ),
    "crossing": (_l("Cross the groups"), _l("So that those of one group don't sit together again.")),
}
CHOICE_WORDS: Mapping[str, str | Promise] = {
    "reset": _l("a second match if the unbeaten one loses"),
    "simple": _l("one match"),
    "none": _l("no grand final: unbeaten wins"),
}


SCORE_WORDS: Mapping[str, Any] = {
    "win": _l("Points of a win"),
    "draw": _l("Points of a draw"),
    "loss": _l("Points of a defeat"),
    "bye": _l("Points of a bye"),
    "forfeit_win": _l("Points of a win by forfeit"),
    "forfeit_loss": _l("Points of a defeat by forfeit"),
    "missed": _l("Points of a tournament round that was missed"),
    REQUESTED_BYE: _l("Points of a tournament round that somebody asked to sit out"),
}


@dataclass(frozen=True, slots=True)
class Preset:
    """What to begin a new tournament with."""

    key: str
    title: str | Promise
    words: str | Promise
    stages: tuple[StageInput, ...]


def presets() -> list[Preset]:
    """Every format as a tournament of its own, and groups with finals."""
    alone = [
        Preset(one.value, one.label, FORMAT_WORDS[one], (StageInput(one.value, {}, 1, None),))
        for one in StageFormat
        if one is not StageFormat.FINAL_TABLES
    ]
    groups = StageInput(StageFormat.ROUND_ROBIN, {}, 2, 2)
    tables = StageInput(StageFormat.TABLE_SWISS, {"rounds": 3}, 2, 4)
    return [
        *alone,
        Preset(
            "groups",
            _l("Groups, then a bracket"),
            _l("Everybody meets everybody in groups; the best of each group play on, crossed, until one is left."),
            (groups, StageInput(StageFormat.SINGLE_ELIMINATION)),
        ),
        Preset(
            "final-tables",
            _l("Groups at tables, then final tables"),
            _l("Some rounds at tables in groups; then the best sit at the first table."),
            (tables, StageInput(StageFormat.FINAL_TABLES)),
        ),
    ]


class VersionedForm(ServiceForm):
    """A form of a tournament, made for the version that its page showed."""

    version = WholeNumberField(widget=forms.HiddenInput, required=False)
    # Whether somebody else changed the tournament since the page was shown.
    stale = False

    @property
    def expected(self) -> int | None:
        """The version that the sender has seen; None where the form says none."""
        return self.cleaned_data.get("version")

    def attempt(self, call: Callable[[], T]) -> T | None:
        try:
            return super().attempt(call)
        except Stale as error:
            self.stale = True
            message = _("Somebody else changed this tournament meanwhile. Nothing was stored; what you typed is here.")
            self.add_error(None, message)
            # Sent once more, it is sent by somebody who has seen the present state.
            sent = QueryDict(mutable=True)
            sent.update(self.data)
            sent["version"] = str(error.revision)
            self.data = sent
        return None


class _PointsField(forms.CharField):
    """Numbers for places, parted by semicolons or spaces, as a list."""

    def prepare_value(self, value: Any) -> Any:
        return " ".join(f"{one:g}" for one in value) if isinstance(value, list | tuple) else value

    def clean(self, value: Any) -> Any:
        parts = super().clean(value).replace(";", " ").split()
        try:
            return [_number(Decimal(part.replace(",", ".")[:20])) for part in parts]
        except ArithmeticError as error:
            raise forms.ValidationError(_("Give numbers, parted by spaces: 10 7 5.")) from error


def _number(value: Decimal) -> int | float:
    if not value.is_finite():
        raise forms.ValidationError(_("Give numbers, parted by spaces: 10 7 5."))
    return int(value) if value == value.to_integral_value() else float(value)


def _points(label: Any) -> forms.DecimalField:
    return forms.DecimalField(label=label, min_value=0, max_value=LARGEST_SCORE, decimal_places=2, required=False)


@dataclass(frozen=True, slots=True)
class Part:
    """A field of the form; `when` it applies, as the script reads it ("" always), and whether it does now."""

    field: BoundField
    when: str
    applies: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Fields under a heading; `asks` says that others apply by what is chosen here."""

    heading: str | Promise
    help_text: str | Promise
    parts: list[Part]
    asks: bool = False

    @property
    def has_errors(self) -> bool:
        """Whether something of it is wrong."""
        return any(part.field.errors for part in self.parts)


# Which names of fields (any of them) have which values, and all such pairs: then a field applies.
_When = Sequence[tuple[Sequence[str], Sequence[str]]]
_ONE_GAME: _When = ((("session_format",), (SessionFormat.SINGLE_GAME.value, SessionFormat.SERIES.value)),)
_BY_RESULT: _When = ((("metric",), ("", TournamentMetric.RESULT.value)),)
# What is stored of fields that don't apply; the others stay as they are.
_NEUTRAL: Mapping[str, object] = {"game": "", "games_per_table": 1, "minimum": None}
_OPTIONS: Mapping[str, Option] = {name: one for rules in FORMATS.values() for name, one in rules.options.items()}


class TournamentForm(VersionedForm):
    """A tournament with its stages; of one that has begun only what may be changed still."""

    stage_count = WholeNumberField(widget=forms.HiddenInput, required=False)
    name = forms.CharField(label=_l("Name"), max_length=100)
    slug = slug_field()
    starts_on = date_field(label=_l("Starts on"))
    location = forms.CharField(label=_l("Location"), max_length=LONGEST["location"], required=False)
    note = forms.CharField(label=pgettext_lazy("of a tournament", "Note"), max_length=LONGEST["note"], required=False)
    visibility = forms.ChoiceField(label=_l("Who may look at it"), choices=Visibility.choices)
    season = forms.TypedChoiceField(
        label=_l("Season"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_l("Where its tables count, too."),
    )

    session_format = forms.ChoiceField(label=_l("What a table plays"), choices=SessionFormat.choices)
    game = forms.ChoiceField(
        label=_l("Game"), required=False, help_text=_l("For a single game and for a series of one game.")
    )
    games_per_table = WholeNumberField(label=_l("Games at a table"), min_value=1, max_value=LARGEST_GAMES, initial=1)
    minimum = WholeNumberField(
        label=_l("Minimum of The Game"),
        min_value=1,
        max_value=9,
        required=False,
        help_text=_l("Cards to be played in a turn, alike at all tables. Empty: as the rules say."),
    )
    table_size = WholeNumberField(
        label=_l("Players at a table"),
        min_value=2,
        max_value=LARGEST_TABLE,
        initial=4,
        help_text=_l(
            "For formats with larger tables: the preferred number; where it doesn't come out, tables differ by one."
        ),
    )
    round_minutes = WholeNumberField(
        label=_l("Minutes of a tournament round"),
        min_value=1,
        max_value=LARGEST_MINUTES,
        required=False,
        help_text=_l("For the clock on the screen. Empty: none."),
    )

    metric = forms.ChoiceField(label=_l("Ranked by"), required=False)
    place_points = _PointsField(
        label=_l("Points for place 1, 2, …"), max_length=100, required=False, help_text=_l("As in 10 7 5 3.")
    )
    seed = WholeNumberField(
        label=_l("Seed of the draws"),
        min_value=0,
        max_value=SEED_LIMIT - 1,
        required=False,
        help_text=_l("The same seed draws the same again. Empty: by chance."),
    )

    wordings = {"unknown_choice": _l("This does not fit what a table plays and the formats: choose another.")}

    def __init__(
        self,
        *args: Any,
        club: Club,
        tournament: Tournament | None = None,
        begun: bool = False,
        stages: Sequence[StageInput] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.begun = begun
        self.tournament = tournament
        present = tournament.season_id if tournament is not None else None
        seasons = Season.objects.filter(Q(status=SeasonStatus.OPEN) | Q(pk=present), club=club).select_related("league")
        self._choose("season", [("", _("none")), *((one.pk, str(one)) for one in seasons)])
        known = games.available(club=club)
        self._choose("game", [("", _NOTHING), *((key, game_title(game)) for key, game in known.items())])
        usual = [("", _("as usual"))] if tournament is None else []
        self._choose("metric", [*usual, *TournamentMetric.choices])
        for name in SCORE_WORDS:
            self.fields[name] = _points(SCORE_WORDS[name])
        for position in _POSITIONS:
            self.fields[f"tie_break_{position}"] = forms.ChoiceField(
                label=format_lazy(_l("Tie-break {number}"), number=position),
                choices=[("", _NOTHING), *NAMES.items()],
                required=False,
            )
        self.stages = [] if begun else list(self._sent_stages() if self.is_bound else stages)
        for number, stage in enumerate(self.stages, 1):
            self._add_stage(number, stage)
        self.initial["stage_count"] = len(self.stages)
        self._conditions = self._when(known)
        if begun:
            self.fields = {name: field for name, field in self.fields.items() if name in _ANY_TIME}
        for name in self.fields:
            if not self.applies(name):
                self.fields[name].disabled, self.fields[name].required = True, False

    def _when(self, known: Mapping[str, GameInfo]) -> dict[str, _When]:
        """When each field applies that does not always."""
        formats = [f"stage_{number}_format" for number in range(1, len(self.stages) + 1)]
        with_minimum = [key for key, game in known.items() if game.family == "the-game"]
        tables = [one.value for one in StageFormat if not rules_of(one).duels]
        found: dict[str, _When] = {
            "game": _ONE_GAME,
            "games_per_table": (
                (("session_format",), (SessionFormat.SERIES.value, SessionFormat.INDIVIDUAL_XXL.value)),
            ),
            "minimum": (*_ONE_GAME, (("game",), with_minimum)),
            "table_size": ((formats, tables),),
            "place_points": ((("metric",), (TournamentMetric.PLACE_POINTS.value,)),),
            **dict.fromkeys(("win", "draw", "loss"), _BY_RESULT),
        }
        for format_ in formats:
            prefix = format_.removesuffix("format")
            for name in _OPTIONS:
                having = [one.value for one in StageFormat if name in rules_of(one).options]
                found[prefix + name] = (((format_,), having),)
            found[f"{prefix}groups"] = (((format_,), [one.value for one in StageFormat if rules_of(one).groups]),)
        return found

    def applies(self, name: str) -> bool:
        """Whether a field applies to what is chosen."""
        return all(
            any(self._chosen(one) in values for one in names if one in self.fields)
            for names, values in self._conditions.get(name, ())
        )

    def _chosen(self, name: str) -> str:
        if self.is_bound:
            return str(self.data.get(name, ""))
        value = self.initial.get(name, self.fields[name].initial)
        return "" if value is None else str(value)

    def _part(self, name: str) -> Part:
        when = ";".join(f"{' '.join(names)}={' '.join(values)}" for names, values in self._conditions.get(name, ()))
        return Part(self[name], when, self.applies(name))

    def _choose(self, name: str, choices: list[tuple[Any, Any]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def _sent_stages(self) -> list[StageInput]:
        return [StageInput(one, {}) for one in sent_formats(self.data)]

    def _add_stage(self, number: int, stage: StageInput) -> None:
        """The fields of a stage, of all formats."""
        prefix, is_last = f"stage_{number}_", number == len(self.stages)
        self.fields[f"{prefix}format"] = forms.ChoiceField(
            label=pgettext_lazy("of a stage", "Format"),
            choices=StageFormat.choices,
            help_text=FORMAT_WORDS[stage.format],
        )
        self.initial.setdefault(f"{prefix}format", stage.format)
        # Of which format the options were shown: a box that nobody saw was not left empty.
        self.fields[f"{prefix}shown"] = forms.CharField(widget=forms.HiddenInput, required=False)
        self.initial[f"{prefix}shown"] = stage.format
        for name, option in _OPTIONS.items():
            if name not in _FOLLOWED or not is_last:
                self.fields[prefix + name] = _option_field(name, option)
                self.initial.setdefault(prefix + name, stage.options.get(name, _SUGGESTED.get(name, option.default)))
        self.fields[f"{prefix}groups"] = WholeNumberField(
            label=_l("Groups"), min_value=1, max_value=LARGEST_GROUPS, required=False
        )
        self.initial.setdefault(f"{prefix}groups", stage.groups)
        if is_last:
            return
        self.fields[f"{prefix}advance"] = WholeNumberField(
            label=_l("How many of each group go on"),
            min_value=1,
            max_value=1000,
            required=False,
            help_text=_l("Into the next stage."),
        )
        self.initial.setdefault(f"{prefix}advance", stage.advance)

    def field_of(self, path: Path) -> str | None:
        match path:
            case ("stages", int(index), *rest):
                names = (f"stage_{index + 1}_{step}" for step in rest)
                return next((name for name in names if name in self.fields), None)
            case ("tie_breaks", int(index)):
                return f"tie_break_{index + 1}"
            case ("tie_breaks",):
                return "tie_break_1"
        return super().field_of(path)

    @property
    def groups(self) -> Iterator[Group]:
        """The fields by groups, in order."""
        for heading, help_text, names in _GROUPS:
            parts = [self._part(name) for name in names if name in self.fields]
            if parts:
                yield Group(heading, help_text, parts, asks=any(part.field.name in _ASKING for part in parts))

    @property
    def stage_groups(self) -> list[Group]:
        """The fields of each stage."""
        return [
            Group(
                _("Stage %(number)d") % {"number": number},
                "",
                [
                    self._part(name)
                    for name in self.fields
                    if name.startswith(f"stage_{number}_") and not self[name].is_hidden
                ],
            )
            for number in range(1, len(self.stages) + 1)
        ]

    @property
    def format_words(self) -> list[tuple[str, Any]]:
        """Every format with its sentence, for the script."""
        return [(one.value, FORMAT_WORDS[one]) for one in StageFormat] if self.stages else []

    @property
    def values(self) -> dict[str, object]:
        """What was given, by the names of the service."""
        data = self.cleaned_data
        found: dict[str, object] = {}
        for name in _PLAIN:
            if name in self.fields and self.applies(name):
                found[name] = data[name]
            elif name in self.fields and name in _NEUTRAL:
                found[name] = _NEUTRAL[name]
        for name in ("metric", "seed"):
            if name in found and found[name] in ("", None):
                del found[name]
        if "win" in self.fields:
            scores: dict[str, object] = {
                name: _number(data[name]) for name in SCORE_WORDS if self.applies(name) and data[name] is not None
            }
            if data["place_points"] and self.applies("place_points"):
                scores["place_points"] = data["place_points"]
            found["scores"] = scores
        chain = [code for position in _POSITIONS if (code := data[f"tie_break_{position}"])]
        if chain or self.tournament is not None:
            found["tie_breaks"] = chain
        return found

    def stage_inputs(self) -> list[StageInput]:
        """The stages as the service takes them."""
        return [
            StageInput(
                self.cleaned_data[f"stage_{number}_format"],
                self._options(number, stage.format),
                (self.applies(f"stage_{number}_groups") and self.cleaned_data.get(f"stage_{number}_groups")) or 1,
                self.cleaned_data.get(f"stage_{number}_advance"),
            )
            for number, stage in enumerate(self.stages, 1)
        ]

    def _options(self, number: int, format_: str) -> dict[str, object]:
        """The options of a stage; a number that is left out is as usual."""
        was_shown = self.cleaned_data.get(f"stage_{number}_shown") in ("", format_)
        found: dict[str, object] = {}
        for name, option in rules_of(format_).options.items():
            value = self.cleaned_data.get(f"stage_{number}_{name}")
            is_unseen = isinstance(option.default, bool) and not was_shown
            found[name] = option.default if value is None or is_unseen else value
        return found

    @property
    def meanwhile(self) -> list[tuple[Any, Any]]:
        """(label, value) of the fields that are stored otherwise than typed, after somebody else's change."""
        if self.tournament is None or not self.stale:
            return []
        stored = initial_of(Tournament.objects.get(pk=self.tournament.pk))
        given = self.values
        return [
            (self.fields[name].label, stored[name] or _NOTHING)
            for name in ("name", "slug", "starts_on", "location", "note", "round_minutes")
            if name in given and given[name] != stored[name]
        ]


def _option_field(name: str, option: Option) -> forms.Field:
    label, help_text = OPTION_WORDS[name]
    if option.choices:
        return forms.ChoiceField(
            label=label, help_text=help_text, choices=[(one, CHOICE_WORDS[one]) for one in option.choices]
        )
    if isinstance(option.default, bool):
        return forms.BooleanField(label=label, help_text=help_text, required=False)
    if option.many:
        return _PointsField(label=label, help_text=help_text, max_length=100, required=False)
    return WholeNumberField(
        label=label,
        help_text=help_text,
        min_value=option.minimum,
        max_value=option.maximum,
        required=option.default is None,
    )


# What a form begins with where nothing is usual: nobody has entered yet, and this suits an evening of 9 to 16, two at a
# table, and larger tables, whoever comes.
_SUGGESTED: Mapping[str, int] = {"rounds": 5}
# Options of a stage that another one follows.
_FOLLOWED = frozenset({"best_next"})
# By what is chosen here, others apply.
_ASKING = frozenset({"session_format", "metric"})
_GROUPS: tuple[tuple[str | Promise, str | Promise, tuple[str, ...]], ...] = (
    (_l("The tournament"), "", ("name", "slug", "starts_on", "location", "note", "visibility", "season")),
    (
        _l("At a table"),
        "",
        ("session_format", "game", "games_per_table", "minimum", "table_size", "round_minutes"),
    ),
    (
        _l("Points"),
        _l("Empty numbers are as usual: 1 for a win, ½ for a draw, a bye as a win."),
        ("metric", *SCORE_WORDS, "place_points"),
    ),
    (
        _l("Tie-breaks"),
        _l("Asked one after the other. A new tournament without any has the usual ones of its format."),
        tuple(f"tie_break_{position}" for position in _POSITIONS),
    ),
    (_l("Draws"), "", ("seed",)),
)


def sent_formats(data: Mapping[str, Any]) -> list[str]:
    """The formats of the stages that a form was sent with; one that is none is taken as Swiss."""
    count = str(data.get("stage_count", ""))
    number = int(count) if count.isascii() and count.isdigit() and len(count) < 4 else 1
    found = [str(data.get(f"stage_{one}_format", "")) for one in range(1, min(max(number, 1), LARGEST_STAGES) + 1)]
    return [one if one in FORMATS else StageFormat.SWISS.value for one in found]


def shown_again(data: QueryDict, change: str) -> tuple[dict[str, Any], list[StageInput]]:
    """What a form shows that comes back for its options, or with one stage more or fewer: its values and stages."""
    formats = sent_formats(data)
    if change == "more" and len(formats) < LARGEST_STAGES:
        formats.append(StageFormat.SINGLE_ELIMINATION.value)
    if change == "fewer" and len(formats) > 1:
        formats.pop()
    initial: dict[str, Any] = {name: value for name, value in data.dict().items() if name != "stage_count"}
    for number, format_ in enumerate(formats, 1):
        was_shown = data.get(f"stage_{number}_shown", format_) == format_
        for name, option in rules_of(format_).options.items():
            if isinstance(option.default, bool) and was_shown and f"stage_{number}_format" in data:
                initial[f"stage_{number}_{name}"] = f"stage_{number}_{name}" in data
    return initial, [StageInput(one) for one in formats]


def initial_of(tournament: Tournament) -> dict[str, Any]:
    """What the form of a tournament shows at first."""
    values: dict[str, Any] = {name: getattr(tournament, name) for name in _PLAIN if name != "season"}
    values |= {"season": tournament.season_id, "version": tournament.version}
    values |= {name: tournament.scores.get(name) for name in (*SCORE_WORDS, "place_points")}
    values |= {f"tie_break_{position}": code for position, code in enumerate(tournament.tie_breaks, 1)}
    return values


class CloneForm(ServiceForm):
    """The name, short name and day of a copy."""

    name = forms.CharField(label=_l("Name"), max_length=100)
    slug = slug_field()
    starts_on = date_field(label=_l("Starts on"))
    entries = forms.BooleanField(label=_l("With the same players"), required=False)


class AnnouncementForm(VersionedForm):
    """What everybody reads above the pages of the tournament and on the screen."""

    announcement = forms.CharField(
        label=_l("Announcement"),
        max_length=LONGEST["announcement"],
        required=False,
        help_text=_l("Stands on all pages of the tournament and on the screen. Empty: none."),
    )


class AddEntriesForm(VersionedForm):
    """Players of the club, ticked, and a list of players and guests, one a line.

    Who of the list is called as an active player of the club is that player; all others are guests.
    """

    guests = forms.CharField(
        label=_l("Guests and players by their names"),
        max_length=20_000,
        required=False,
        # A tab at the end of a line is a cell that is empty.
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_l(
            "One a line; after a semicolon or a tab the club: Vera Gast; Pikclub. Whoever is called as a player of the "
            "club is that player."
        ),
    )
    checked_in = forms.BooleanField(label=_l("They are here already"), required=False)
    first_round = WholeNumberField(
        label=_l("From tournament round"),
        min_value=1,
        max_value=LARGEST_ROUND,
        required=False,
        help_text=_l("Empty: from the next one on."),
    )

    def __init__(self, *args: Any, tournament: Tournament, ticked: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament
        self._ticked = ticked
        self.lines: list[ListLine] = []
        # The players of the club who are named in the list, by the form in which names are compared.
        self.named: dict[str, Player] = {}

    @property
    def players(self) -> list[int]:
        """The ids that were ticked."""
        sent = self.data.getlist("player") if self.is_bound and hasattr(self.data, "getlist") else self._ticked
        return [int(one) for one in sent if one.isascii() and one.isdigit() and len(one) < 19]

    def clean_guests(self) -> str:
        text = str(self.cleaned_data["guests"])
        club = self.tournament.club_id
        homes = TournamentEntry.objects.filter(club=club).exclude(home_club="")
        self.lines, wrong = read_list(text, clubs=set(homes.values_list("home_club", flat=True)))
        keys = {name_key(line.name) for line in self.lines}
        rows = Player.objects.filter(club=club, archived_at=None, name_key__in=keys) if keys else Player.objects.none()
        self.named = {player.name_key: player for player in rows}
        inside = set(
            TournamentEntry.objects.filter(tournament=self.tournament, player__in=self.named.values()).values_list(
                "player", flat=True
            )
        )

        def refusal(line: ListLine) -> str:
            player = self.named.get(name_key(line.name))
            if player is not None and player.pk in inside:
                return _("“%(player)s” has entered already.") % {"player": player.name}
            if player is not None and player.pk in self.players:
                return _("“%(player)s” is ticked as well.") % {"player": player.name}
            return ""

        wrong += check_lines(self.lines, refusal)
        if wrong:
            raise forms.ValidationError(wrong)
        return text

    def entries(self) -> list[EntryInput]:
        """Who enters; those of the list come last, in the order of their lines."""
        common = {
            "first_round": self.cleaned_data["first_round"],
            "checked_in": self.cleaned_data["checked_in"],
        }
        found = [EntryInput(player=one, **common) for one in self.players]
        for line in self.lines:
            player = self.named.get(name_key(line.name))
            who = {"guest": line.name} if player is None else {"player": player.pk}
            found.append(EntryInput(home_club=line.club, **who, **common))
        return found

    def attempt(self, call: Callable[[], T]) -> T | None:
        def named() -> T:
            try:
                return call()
            except InputError as error:
                raise InputError([self._with_line(problem) for problem in error.problems]) from error

        return super().attempt(named)

    def _with_line(self, problem: Problem) -> Problem:
        """The problem of a line of the list with the line's number."""
        match problem.path:
            case ("entries", int(index), str(field), *_rest) if index >= len(self.players):
                number = self.lines[index - len(self.players)].number
                place = field if field == "first_round" else "guests"
                return Problem((place,), problem.code, line_told(number, problem.message))
        return problem

    def field_of(self, path: Path) -> str | None:
        match path:
            case ("entries", int(_index), str(field), *_rest):
                return field if field in self.fields else None
        return super().field_of(path)


class EntryForm(VersionedForm):
    """What the organiser says of one who entered."""

    home_club = forms.CharField(label=_l("Club"), max_length=100, required=False, help_text=_l("Of a guest."))
    fixed_table = WholeNumberField(
        label=_l("Fixed table"),
        min_value=1,
        max_value=LARGEST_TABLE_NUMBER,
        required=False,
        help_text=_l("For somebody who needs this very table. Empty: any."),
    )
    first_round = WholeNumberField(label=_l("From tournament round"), min_value=1, max_value=LARGEST_ROUND)


class SitOutForm(VersionedForm):
    """Which tournament rounds an entry misses."""

    from_round = WholeNumberField(label=_l("From tournament round"), min_value=1, max_value=LARGEST_ROUND)
    until_round = WholeNumberField(
        label=_l("Until tournament round"),
        min_value=0,
        max_value=LARGEST_ROUND,
        required=False,
        help_text=_l("Empty: to the end. One before the first: sits out no more."),
    )


class SeedingForm(VersionedForm):
    """Seeds by hand: a number for each entry of the page, empty for none."""

    def __init__(self, *args: Any, entries: Sequence[TournamentEntry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for entry in entries:
            self.fields[f"seed_{entry.pk}"] = WholeNumberField(
                label=entry.player.name, min_value=1, max_value=9999, required=False, initial=entry.seed
            )

    @property
    def seats(self) -> list[BoundField]:
        return [self[name] for name in self.fields if name.startswith("seed_")]

    def order(self, before: Sequence[int]) -> list[int]:
        """The ids in their new order; `before` is the order until now.

        Who was given another number comes to that place, and the others close up.
        """
        given = {
            int(name.partition("_")[2]): value for name, value in self.cleaned_data.items() if name.startswith("seed_")
        }
        place = {pk: number for number, pk in enumerate(before, 1)}
        moved = {pk for pk, number in given.items() if number != place.get(pk)}
        found = [pk for pk in before if pk not in moved]
        for pk in sorted((pk for pk in moved if given[pk] is not None), key=lambda one: (given[one], one)):
            found.insert(given[pk] - 1, pk)
        return found


class RatingSeedsForm(VersionedForm):
    """In which family of games the ratings are asked for."""

    family = forms.ChoiceField(label=_l("Ratings of"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", _("the game of the tournament")), *((one, family_name(one)) for one in FAMILIES)]
        self.fields["family"].choices = choices  # type: ignore[attr-defined]


class EntryNameField(forms.CharField):
    """Who entered, by name, offered from the list `ENTRY_LIST` of the page; its value is the id of the entry."""

    def __init__(self, *, ids: Mapping[str, int], **kwargs: Any) -> None:
        self.ids = ids
        super().__init__(
            max_length=60, widget=forms.TextInput(attrs={"list": ENTRY_LIST, "autocomplete": "off"}), **kwargs
        )

    def clean(self, value: Any) -> Any:
        found = self.ids.get(name_key(super().clean(value)))
        if found is None:
            raise forms.ValidationError(_("Nobody of this name is here: choose one from the list."))
        return found


class PairForm(VersionedForm):
    """Two who entered."""

    def __init__(self, *args: Any, names: Mapping[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = sorted(names.values(), key=name_key)
        ids = {name_key(name): pk for pk, name in names.items()}
        self.fields["first"] = EntryNameField(label=pgettext_lazy("of two who entered", "First"), ids=ids)
        self.fields["second"] = EntryNameField(label=pgettext_lazy("of two who entered", "Second"), ids=ids)


class WishForm(PairForm):
    """Two who are kept apart or together."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kind"] = forms.ChoiceField(label=_l("At the tables"), choices=PairWishKind.choices)


class InvitedForm(ServiceForm):
    """Who enters by an invitation."""

    name = forms.CharField(label=_l("Your name"), max_length=60, help_text=_l("As it is to stand in the tables."))
    home_club = forms.CharField(label=_l("Your club"), max_length=100, required=False)

    def field_of(self, path: Path) -> str | None:
        return "name" if path[-1] in ("guest", "player") else super().field_of(path)
