"""What the formats of a stage ask of the organiser, and what they can be.

Terms: an *option* is a choice of one format, as the number of tournament rounds of a Swiss system. Promises: options
that passed `check_stage` are complete: every option of the format is there, and nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from league.models import StageFormat
from league.services.errors import InputError, Path, Problem, not_a_choice, out_of_range

LARGEST_ROUNDS = 100
LARGEST_BEST_OF = 99
LARGEST_GROUPS = 200
LARGEST_STAGES = 10


@dataclass(frozen=True, slots=True)
class Option:
    """One option: a number from `minimum` to `maximum` (odd where so said), one of `choices`, or yes and no."""

    default: int | str | bool | None
    minimum: int = 0
    maximum: int = 0
    odd: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FormatRules:
    """What a format is: tables of two or larger ones, a bracket, in groups, with all rounds planned ahead."""

    duels: bool
    bracket: bool = False
    groups: bool = False
    ahead: bool = False
    options: Mapping[str, Option] = field(default_factory=dict)


_ROUNDS = Option(None, 1, LARGEST_ROUNDS)
_BEST_OF = Option(1, 1, LARGEST_BEST_OF, odd=True)

FORMATS: Mapping[str, FormatRules] = {
    StageFormat.ROUND_ROBIN: FormatRules(True, groups=True, ahead=True, options={"double": Option(False)}),
    StageFormat.SWISS: FormatRules(True, groups=True, options={"rounds": _ROUNDS, "allow_rematches": Option(False)}),
    StageFormat.DUTCH: FormatRules(True, options={"rounds": _ROUNDS}),
    StageFormat.TABLE_SWISS: FormatRules(False, groups=True, options={"rounds": _ROUNDS}),
    StageFormat.FIXED_SCHEDULE: FormatRules(False, groups=True, ahead=True, options={"rounds": _ROUNDS}),
    StageFormat.SINGLE_ELIMINATION: FormatRules(
        True, bracket=True, options={"best_of": _BEST_OF, "third_place": Option(False)}
    ),
    StageFormat.DOUBLE_ELIMINATION: FormatRules(
        True,
        bracket=True,
        options={"best_of": _BEST_OF, "grand_final": Option("reset", choices=("reset", "simple", "none"))},
    ),
    StageFormat.STEPLADDER: FormatRules(True, bracket=True, options={"best_of": _BEST_OF}),
    StageFormat.FINAL_TABLES: FormatRules(False, ahead=True, options={"crossing": Option(True)}),
    StageFormat.CLUB_EVENING: FormatRules(False),
}


def rules_of(format_: str) -> FormatRules:
    """The rules of a stage's format, by its code as stored."""
    return FORMATS[StageFormat(format_)]


@dataclass(frozen=True, slots=True)
class StageInput:
    """A stage as given; options that are left out are as usual."""

    format: str
    options: Mapping[str, object] = field(default_factory=dict)
    groups: int = 1
    advance: int | None = None


def check_stage(data: StageInput, *, path: Path, is_last: bool) -> dict[str, object]:
    """The complete options of a stage. Raises InputError naming every field that is wrong."""
    if data.format not in StageFormat.values:
        raise InputError([not_a_choice((*path, "format"), "unknown_format", StageFormat.values)])
    rules = rules_of(data.format)
    problems: list[Problem] = []
    for name in sorted(set(data.options) - set(rules.options)):
        known = ", ".join(rules.options) or "-"
        message = _("This format has no such option. It has: %(known)s.") % {"known": known}
        problems.append(Problem((*path, "options", name), "unknown_option", message))
    options: dict[str, object] = {}
    for name, option in rules.options.items():
        value = data.options.get(name, option.default)
        where: Path = (*path, "options", name)
        options[name] = value
        problems += _wrong(option, value, where)
    problems += out_of_range((*path, "groups"), data.groups, 1, LARGEST_GROUPS if rules.groups else 1)
    if data.advance is not None:
        problems += out_of_range((*path, "advance"), data.advance, 1, 1000)
    elif not is_last:
        message = _("Say how many of each group go on into the next stage.")
        problems.append(Problem((*path, "advance"), "required", message))
    if problems:
        raise InputError(problems)
    return options


def _wrong(option: Option, value: object, where: Path) -> list[Problem]:
    if option.choices:
        return [] if value in option.choices else [not_a_choice(where, "unknown_choice", option.choices)]
    if isinstance(option.default, bool):
        return [] if isinstance(value, bool) else [Problem(where, "invalid", _("Say yes or no (true or false)."))]
    if value is None:
        return [Problem(where, "required", _("Give a number."))]
    if isinstance(value, bool) or not isinstance(value, int):
        return out_of_range(where, option.minimum - 1, option.minimum, option.maximum)
    if option.odd and value % 2 == 0:
        return [Problem(where, "not_odd", _("Give an odd number, so that somebody wins."))]
    return out_of_range(where, value, option.minimum, option.maximum)
