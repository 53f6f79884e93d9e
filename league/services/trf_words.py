"""The words for what is wrong with a tournament report file, line by line.

Promises: every code of `league/exchange/trf.py` and every word that it names as allowed has a sentence here, in the
language that is active when it is asked for.
"""

import re
from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.exchange.trf import TrfProblem
from league.services.errors import Path, Problem

SENTENCES: Mapping[str, Promise] = {
    "too_large": gettext_lazy("The text is longer than allowed."),
    "missing": gettext_lazy("What the format demands is missing."),
    "not_read": gettext_lazy("This is not what may stand here."),
    "twice": gettext_lazy("What there may be once stands here again."),
    "unknown_opponent": gettext_lazy("No player has the number of this opponent."),
    "own_opponent": gettext_lazy("A player can't be the own opponent."),
    "other_opponent": gettext_lazy("The opponent's line names somebody else for this round."),
    "same_colour": gettext_lazy("The opponent's line has the same colour, or none."),
    "other_result": gettext_lazy("The opponent's line has a result that does not go with this one."),
}
# What a field may hold, where it is said in words.
ALLOWED: Mapping[str, Promise] = {
    "digits": gettext_lazy("digits"),
    "nothing": gettext_lazy("nothing"),
    "a line 001 for each player": gettext_lazy("a line 001 for each player"),
    "012 and the name of the tournament": gettext_lazy("012 and the name of the tournament"),
    "the opponent's number, a space, the colour, a space, the result": gettext_lazy(
        "the opponent's number, a space, the colour, a space, the result"
    ),
}
_OR_NOTHING = " or nothing"
# The same with figures in it.
PATTERNS: tuple[tuple[re.Pattern[str], Promise], ...] = (
    (re.compile(r"(?P<least>[0-9.]+) to (?P<most>[0-9.]+)"), gettext_lazy("%(least)s to %(most)s")),
    (re.compile(r"at most (?P<count>[0-9]+) rounds"), gettext_lazy("at most %(count)s rounds")),
    (re.compile(r"spaces up to column (?P<column>[0-9]+)"), gettext_lazy("spaces up to column %(column)s")),
    (re.compile(r"(?P<count>[0-9]+) characters"), gettext_lazy("%(count)s characters")),
)


def problem_told(one: TrfProblem, *, field: str) -> Problem:
    """The problem of a file that was given as `field`, at its line and the field there."""
    path: Path = (field, *([one.line] if one.line else []), *([one.field] if one.field else []))
    return Problem(path, f"trf_{one.code}", f"{_place(one)}{SENTENCES[one.code]}{_found(one)}{_expected(one)}")


def _place(one: TrfProblem) -> str:
    first, last = one.columns
    if not one.line:
        return ""
    params = {"line": one.line, "first": first, "last": last}
    if not first:
        return _("Line %(line)d: ") % params
    if first == last:
        return _("Line %(line)d, column %(first)d: ") % params
    return _("Line %(line)d, columns %(first)d to %(last)d: ") % params


def _found(one: TrfProblem) -> str:
    return " " + _("It holds “%(text)s”.") % {"text": one.text} if one.text else ""


def _expected(one: TrfProblem) -> str:
    return " " + _("Allowed: %(allowed)s.") % {"allowed": _allowed(one.allowed)} if one.allowed else ""


def _allowed(text: str) -> str:
    if text in ALLOWED:
        return str(ALLOWED[text])
    if text.endswith(_OR_NOTHING):
        return _("%(allowed)s or nothing") % {"allowed": text.removesuffix(_OR_NOTHING)}
    for pattern, words in PATTERNS:
        if found := pattern.fullmatch(text):
            return str(words) % found.groupdict()
    # Signs of the format, which are the same in every language.
    return text
