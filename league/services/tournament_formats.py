"""What the formats of a stage ask of the organiser, and what they can be.

Terms: an *option* is a choice of one format, as the number of tournament rounds of a Swiss system. Promises: options
that passed `check_stage` are complete: every option of the format is there, and nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from league.models import StageFormat
from league.services.errors import InputError, Path, Problem, not_a_choice, out_of_range

LARGEST_ROUNDS = 100
LARGEST_BEST_OF = 99
LARGEST_LAST = 10
LARGEST_GROUPS = 200
LARGEST_STAGES = 10


@dataclass(frozen=True, slots=True)
class Option:
    """One option: a number from `minimum` to `maximum` (odd where so said), one of `choices`, or yes and no; with
    `many` a list of at most so many numbers.
    """

    default: int | str | bool | tuple[int, ...] | None
    minimum: int = 0
    maximum: int = 0
    odd: bool = False
    choices: tuple[str, ...] = ()
    many: int = 0


@dataclass(frozen=True, slots=True)
class FormatRules:
    """What a format is: tables of two or larger ones, a bracket, in groups, with all rounds planned ahead."""

    duels: bool
    bracket: bool = False
    groups: bool = False
    ahead: bool = False
    options: Mapping[str, Option] = field(default_factory=dict)


_ROUNDS = Option(None, 1, LARGEST_ROUNDS)
_BEST_OF: Mapping[str, Option] = {
    "best_of": Option(1, 1, LARGEST_BEST_OF, odd=True),
    # Of the last rounds, the final first; "best_of" holds for the others.
    "best_of_last": Option((), 1, LARGEST_BEST_OF, odd=True, many=LARGEST_LAST),
}
# How many go on beside those of each group: the best of all groups who are next behind.
_BEST_NEXT: Mapping[str, Option] = {"best_next": Option(0, 0, LARGEST_GROUPS - 1)}

FORMATS: Mapping[str, FormatRules] = {
    StageFormat.ROUND_ROBIN: FormatRules(
        True, groups=True, ahead=True, options={"double": Option(False), **_BEST_NEXT}
    ),
    StageFormat.SWISS: FormatRules(
        True, groups=True, options={"rounds": _ROUNDS, "allow_rematches": Option(False), **_BEST_NEXT}
    ),
    StageFormat.DUTCH: FormatRules(True, options={"rounds": _ROUNDS}),
    StageFormat.TABLE_SWISS: FormatRules(False, groups=True, options={"rounds": _ROUNDS, **_BEST_NEXT}),
    StageFormat.FIXED_SCHEDULE: FormatRules(False, groups=True, ahead=True, options={"rounds": _ROUNDS, **_BEST_NEXT}),
    StageFormat.SINGLE_ELIMINATION: FormatRules(True, bracket=True, options={**_BEST_OF, "third_place": Option(False)}),
    StageFormat.DOUBLE_ELIMINATION: FormatRules(
        True,
        bracket=True,
        options={**_BEST_OF, "grand_final": Option("reset", choices=("reset", "simple", "none"))},
    ),
    StageFormat.STEPLADDER: FormatRules(True, bracket=True, options=_BEST_OF),
    StageFormat.FINAL_TABLES: FormatRules(False, ahead=True, options={"crossing": Option(True)}),
    StageFormat.CLUB_EVENING: FormatRules(False),
}


def rules_of(format_: str) -> FormatRules:
    """The rules of a stage's format, by its code as stored."""
    return FORMATS[StageFormat(format_)]


def plays_best_of(format_: str, options: Mapping[str, Any]) -> bool:
    """Whether some match of a stage is the best of several games; else each table plays the tournament's number."""
    return rules_of(format_).bracket and (options["best_of"] > 1 or bool(options.get("best_of_last")))


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
        if option.many and isinstance(value, tuple):
            value = list(value)
        where: Path = (*path, "options", name)
        options[name] = value
        problems += _wrong(option, value, where)
    problems += out_of_range((*path, "groups"), data.groups, 1, LARGEST_GROUPS if rules.groups else 1)
    next_behind = options.get("best_next", 0)
    if isinstance(next_behind, int) and next_behind > 0 and next_behind >= data.groups:
        message = _("Of %(groups)d groups fewer than that can go on beside the others: raise “advance” instead.")
        problems.append(Problem((*path, "options", "best_next"), "out_of_range", message % {"groups": data.groups}))
    if data.advance is not None:
        problems += out_of_range((*path, "advance"), data.advance, 1, 1000)
    elif not is_last:
        message = _("Say how many of each group go on into the next stage.")
        problems.append(Problem((*path, "advance"), "required", message))
    if problems:
        raise InputError(problems)
    return options


def _wrong(option: Option, value: object, where: Path) -> list[Problem]:
    if option.many:
        return _wrong_list(option, value, where)
    if option.choices:
        return [] if value in option.choices else [not_a_choice(where, "unknown_choice", option.choices)]
    if isinstance(option.default, bool):
        return [] if isinstance(value, bool) else [Problem(where, "invalid", _("Say yes or no (true or false)."))]
    return _wrong_number(option, value, where)


def _wrong_number(option: Option, value: object, where: Path) -> list[Problem]:
    if value is None:
        return [Problem(where, "required", _("Give a number."))]
    number = value if isinstance(value, int) and not isinstance(value, bool) else option.minimum - 1
    problems = out_of_range(where, number, option.minimum, option.maximum)
    if option.odd and number >= option.minimum and number % 2 == 0:
        problems = [Problem(where, "not_odd", _("Give an odd number, so that somebody wins."))]
    return problems


def _wrong_list(option: Option, value: object, where: Path) -> list[Problem]:
    if not isinstance(value, list) or len(value) > option.many:
        message = _("Give a list of at most %(maximum)d numbers.") % {"maximum": option.many}
        return [Problem(where, "invalid", message)]
    single = replace(option, many=0)
    return [problem for index, one in enumerate(value) for problem in _wrong(single, one, (*where, index))]
