"""Lists of players as organisers paste them: one a line, behind the name the club of home, apart by a semicolon or tab.

Promises: a list is taken as a whole or not at all, and every line that can't be taken is named by its number. A comma
belongs to the name; where what stands behind it is known as a club, that is asked about and not guessed. Never: stores.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.models import name_key
from league.services.clubs import check_name
from league.services.errors import InputError
from league.services.players import LONGEST_NAME
from league.services.tournament_entries import LONGEST_CLUB

_CELLS = re.compile("[;\t]")
# What a spreadsheet writes above its columns, in the languages of this program.
_NAME_WORDS = frozenset({"name", "names", "namen", "player", "players", "spieler", "spielerin", "spieler:in"})
_CLUB_WORDS = frozenset({"club", "home club", "verein", "heimatverein"})


@dataclass(frozen=True, slots=True)
class ListLine:
    """A line of a list: its number from 1, the name with single spaces and the club, "" for none."""

    number: int
    name: str
    club: str


def read_list(text: str, *, clubs: Collection[str] = ()) -> tuple[list[ListLine], list[str]]:
    """The lines of a list, and what is wrong with it in sentences, each of which names its line.

    Empty lines and a heading above the others are left out. `clubs` are those known as homes of guests.
    """
    cells = [
        (number, [cell.strip() for cell in _CELLS.split(line)])
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip(" ;\t")
    ]
    if cells and _is_heading(cells[0][1]):
        del cells[0]
    known = {name_key(one) for one in clubs} | {name_key(its[1]) for _number, its in cells if len(its) > 1 and its[1]}
    lines: list[ListLine] = []
    wrong: list[str] = []
    first: dict[str, int] = {}
    for number, its in cells:
        try:
            line = _line(number, its, known)
        except InputError as error:
            wrong += [line_told(number, problem.message) for problem in error.problems]
            continue
        except ValueError as error:
            wrong.append(line_told(number, str(error)))
            continue
        before = first.setdefault(name_key(line.name), number)
        if before != number:
            message = _("“%(name)s” stands in line %(line)d already.") % {"name": line.name, "line": before}
            wrong.append(line_told(number, message))
        lines.append(line)
    return lines, wrong


def line_told(number: int, message: str) -> str:
    """What is wrong with a line, with its number."""
    return _("Line %(number)d: %(problem)s") % {"number": number, "problem": message}


def check_lines(lines: Collection[ListLine], refusal: Callable[[ListLine], str]) -> list[str]:
    """What is wrong with lines by what `refusal` says of each, "" where nothing is."""
    return [line_told(line.number, told) for line in lines if (told := refusal(line))]


def _is_heading(cells: list[str]) -> bool:
    words = [cell.casefold() for cell in cells if cell]
    return words[:1] != [] and words[0] in _NAME_WORDS and all(word in _CLUB_WORDS for word in words[1:2])


def _line(number: int, cells: list[str], known: Collection[str]) -> ListLine:
    """Raises InputError for a name that can't be, ValueError with a sentence for a line that can't be read."""
    name, club = cells[0], cells[1] if len(cells) > 1 else ""
    if not name:
        raise ValueError(_("a name is missing."))
    if any(cells[2:]):
        raise ValueError(_("a name and a club are all that can stand here."))
    if len(club) > LONGEST_CLUB:
        raise ValueError(_("the club has at most %(maximum)d characters.") % {"maximum": LONGEST_CLUB})
    _before, comma, behind = name.rpartition(",")
    if comma and len(cells) == 1 and name_key(behind.strip()) in known:
        message = _("is “%(club)s” the club? Then put a semicolon before it, and else one at the end of the line.")
        raise ValueError(message % {"club": behind.strip()})
    return ListLine(number, check_name(name, maximum=LONGEST_NAME), club)
