"""What a service refuses, and why: the user's errors. Ours are ordinary exceptions.

Terms: a *problem* names the place in the given input by a path, as in `("rounds", 2, "scores", 0, "points")`, a
stable code, and a sentence in the reader's language that says what is allowed.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.models import Role

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with the input, at one place of it; `session` is the id of another session that it is about."""

    path: Path
    code: str
    message: str
    session: int | None = None


def out_of_range(path: Path, value: int, minimum: int, maximum: int) -> list[Problem]:
    """The problem of a number that is not from `minimum` to `maximum`, else none."""
    if minimum <= value <= maximum:
        return []
    message = _("Give a whole number from %(minimum)d to %(maximum)d.") % {"minimum": minimum, "maximum": maximum}
    return [Problem(path, "out_of_range", message)]


def not_a_choice(path: Path, code: str, choices: Iterable[str]) -> Problem:
    """The problem of a value that is none of `choices`."""
    return Problem(path, code, _("Choose one of: %(choices)s.") % {"choices": ", ".join(choices)})


class ServiceError(Exception):
    """A request that can't be carried out as given; nothing was written."""


class NotFound(ServiceError):
    """There is no such thing, or not for the one who asks."""


class Forbidden(ServiceError):
    """A member of the club whose role is too low."""

    def __init__(self, needed: Role) -> None:
        super().__init__(needed)
        self.needed = needed


class InputError(ServiceError):
    """Input that can't be true or breaks a rule."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)


class NeedsConfirmation(ServiceError):
    """Input that is possible but implausible: the same request with these codes in `confirm` is accepted."""

    def __init__(self, warnings: Iterable[Problem]) -> None:
        self.warnings = tuple(warnings)
        super().__init__(self.warnings)


class Conflict(ServiceError):
    """Input that does not fit what is stored."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message


def overtaken() -> Conflict:
    """What to say where somebody else changed something between its reading and its locking."""
    return Conflict("changed_meanwhile", _("Another request was faster. Read the present state and repeat."))


class Stale(ServiceError):
    """A change made for a revision that is not the present one."""

    def __init__(self, revision: int) -> None:
        super().__init__(revision)
        self.revision = revision
