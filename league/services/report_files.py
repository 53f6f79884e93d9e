"""What a tournament report file says, as a tournament here can be: checked whole before anything is stored of it.

Terms: see `league/exchange/trf.py`; a *number* is a player's in the file. Promises: every problem names its line, and
the field there. Never: reads or writes a row.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import cached_property

from django.utils.translation import gettext as _

from league.exchange import trf
from league.exchange.trf import NotTrf, Report, TrfEntry, TrfPlayer
from league.models import StageFormat
from league.pairing import dutch
from league.pairing.values import TableKind
from league.scoring.tournaments import Scoring, bye_score, forfeit_scores, worth
from league.services.errors import InputError, Problem, not_a_choice
from league.services.tournament_state import REQUESTED_BYE
from league.services.trf_words import problem_told

# By the format of a stage, what a file calls it.
KINDS: Mapping[str, str] = {
    StageFormat.SWISS: "Individual: Swiss-System",
    StageFormat.DUTCH: "Individual: Swiss-System (FIDE Dutch)",
    StageFormat.ROUND_ROBIN: "Individual: Round-Robin",
}
# The field of a request that holds the text.
FIELD = "text"
LARGEST_TABLES = 5000
# Byes by the organiser's word: a full point and half a point.
_ASKED: Mapping[str, Fraction] = {"F": Fraction(1), "H": Fraction(1, 2)}
_WON, _DRAWN, _LOST = frozenset("1W"), frozenset("=D"), frozenset("0L")
# Points for a win and a draw that a file may have counted by, the usual ones first.
_COUNTED = ((Fraction(1), Fraction(1, 2)), (Fraction(2), Fraction(1)), (Fraction(3), Fraction(1)))


@dataclass(frozen=True, slots=True)
class FileTable:
    """A table of a round: the numbers of those who sit there, white or a forfeit's winner first.

    `places` are theirs if they played; none of a table without a result.
    """

    numbers: tuple[int, ...]
    kind: TableKind = TableKind.PLAYED
    places: tuple[int, ...] = ()


@dataclass
class ReportFile:
    """A report with where its players stand in the file, and what was found wrong with it so far."""

    report: Report
    lines: Mapping[int, int]
    problems: list[Problem] = field(default_factory=list)

    @cached_property
    def players(self) -> list[TrfPlayer]:
        """By number, the strongest first."""
        return sorted(self.report.players, key=lambda one: one.number)

    @cached_property
    def by_number(self) -> dict[int, TrfPlayer]:
        """The players by their numbers."""
        return {one.number: one for one in self.players}

    @cached_property
    def has_points(self) -> bool:
        """Whether the file says anybody's points."""
        return any(one.points for one in self.players)

    @cached_property
    def rounds(self) -> int:
        """How many rounds are paired: up to the last in which anybody has an opponent or a bye of the pairing."""
        return max(
            (number for one in self.players for number, entry in _rounds_of(one) if _is_paired(entry)), default=0
        )

    @cached_property
    def tables(self) -> list[list[FileTable]]:
        """The tables of each round."""
        return [_tables(self, number) for number in range(1, self.rounds + 1)]

    def wrong(self, number: int, name: str, code: str, message: str) -> None:
        """Note a problem of a player's line, in a field of it."""
        line = self.lines[number]
        told = _("Line %(line)d: ") % {"line": line} + message
        self.problems.append(Problem((FIELD, line, name), code, told))


def read(text: str) -> ReportFile:
    """The file in a text. Raises InputError with every problem of what can't be read."""
    try:
        report = trf.read(text)
    except NotTrf as error:
        raise InputError(problem_told(one, field=FIELD) for one in error.problems) from error
    lines: dict[int, int] = {}
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if line.startswith("001"):
            lines[int(line[4:8])] = number
    return ReportFile(report, lines)


def takes_part(entry: TrfEntry | None) -> bool:
    """Whether an entry is more than an absence: a table, or a bye that is worth something."""
    return entry is not None and entry.result != "Z"


def _is_paired(entry: TrfEntry | None) -> bool:
    """Whether an entry comes from a pairing; a bye by the organiser's word may stand for a round still to come."""
    return entry is not None and (entry.opponent is not None or entry.result == "U")


def first_round(one: TrfPlayer) -> int:
    """The first round that a player takes part in, 1 for who does in none."""
    return next((number for number, entry in _rounds_of(one) if takes_part(entry)), 1)


def _rounds_of(one: TrfPlayer) -> Iterator[tuple[int, TrfEntry | None]]:
    return iter(enumerate(one.entries, 1))


# --- Days, format, byes -----------------------------------------------------------------------------------------------


def played_on(file: ReportFile, today: date) -> list[date]:
    """The day of each round: its own, else that of the tournament, else today. Notes days that are yet to come."""
    report = file.report
    days: list[date] = []
    for index in range(file.rounds):
        own = report.days[index] if index < len(report.days) else None
        day = own or report.starts_on or today
        if day > today:
            message = _("Round %(number)d is in the future: give a day up to today.") % {"number": index + 1}
            file.problems.append(Problem((FIELD, "132" if own else "042"), "in_the_future", message))
        days.append(day)
    return days


def format_of(file: ReportFile, wanted: str) -> str:
    """The format of the stage: `wanted`, or "" for what the file says. Notes a round robin that is none."""
    if wanted and wanted not in KINDS:
        file.problems.append(not_a_choice(("format",), "unknown_format", KINDS))
        return StageFormat.SWISS
    kind = file.report.kind.lower().replace("-", " ")
    found = wanted or (StageFormat.ROUND_ROBIN if "round robin" in kind else "")
    if not found:
        found = StageFormat.DUTCH if "dutch" in kind and dutch.available() else StageFormat.SWISS
    if found == StageFormat.ROUND_ROBIN and not _is_whole(file):
        message = _(
            "In a round robin all have to meet equally often, once or twice, without byes of a full or half a point, "
            "and the file has to hold every meeting: say “swiss” as the format to take it as a Swiss system."
        )
        file.problems.append(Problem(("format",), "not_a_round_robin", message))
    return found


def meets_twice(file: ReportFile) -> bool:
    """Whether any two meet more often than once."""
    return max(_meetings(file).values(), default=0) > 1


def _meetings(file: ReportFile) -> Counter[tuple[int, int]]:
    """How often each two meet, the lower number first."""
    return Counter(
        (one.number, entry.opponent)
        for one in file.players
        for entry in one.entries
        if entry is not None and entry.opponent is not None and one.number < entry.opponent
    )


def _is_whole(file: ReportFile) -> bool:
    """Whether all meet equally often, once or twice, and nobody has a bye by the organiser's word."""
    if any(entry is not None and entry.result in _ASKED for one in file.players for entry in one.entries):
        return False
    met, count = _meetings(file), len(file.players)
    return len(met) == count * (count - 1) // 2 and set(met.values()) in ({1}, {2})


def asked_byes(file: ReportFile) -> Iterator[tuple[int, int]]:
    """(number, round) of who has a bye by the organiser's word, or is said to miss a round that is not paired yet."""
    for one in file.players:
        for number, entry in _rounds_of(one):
            if entry is not None and (entry.result in _ASKED or (entry.result == "Z" and number > file.rounds)):
                yield one.number, number


def _worth_of_asked(file: ReportFile) -> Fraction | None:
    """How much of a win a bye by the organiser's word is worth, None without any. Notes different ones."""
    first = ""
    for one in file.players:
        for number, entry in _rounds_of(one):
            its = entry.result if entry is not None and entry.result in _ASKED else ""
            if its and first and its != first:
                message = _(
                    "A tournament gives all who asked for a bye the same; here are byes of a full and of half a point."
                )
                file.wrong(one.number, f"round {number}", "different_byes", message)
                return _ASKED[first]
            first = first or its
    return _ASKED.get(first)


def check_tables(file: ReportFile) -> None:
    """Note what no table and no round here can be."""
    if len(file.players) < 2:
        message = _("A tournament needs two players at least.")
        file.problems.append(Problem((FIELD, "001"), "too_few_entries", message))
    if sum(entry is not None for one in file.players for entry in one.entries) > 2 * LARGEST_TABLES:
        message = _("A file of at most %(maximum)d tables is taken.") % {"maximum": LARGEST_TABLES}
        file.problems.append(Problem((FIELD,), "too_many", message))
    for number in range(1, file.rounds + 1):
        entries = {one.number: one.entries[number - 1] for one in file.players}
        if not any(map(_is_paired, entries.values())):
            message = _("Nobody is paired in round %(number)d, but in a later one.") % {"number": number}
            file.problems.append(Problem((FIELD, "001"), "empty_round", message))
        for own, entry in entries.items():
            other = entries.get(entry.opponent) if entry is not None and entry.opponent is not None else None
            if entry is None or other is None or own > (entry.opponent or 0):
                continue
            if {entry.result, other.result} <= {"0", "="} and "0" in {entry.result, other.result}:
                message = _("Half a point or none for both can't be stored: give a result, or a forfeit of both.")
                file.wrong(own, f"round {number}", "unknown_result", message)


# --- Tables -----------------------------------------------------------------------------------------------------------


def _tables(file: ReportFile, number: int) -> list[FileTable]:
    """The tables of a round, those with the most points before it first; byes come last."""
    before = {one.number: _counted(one.entries[: number - 1], Scoring()) for one in file.players}
    played: list[FileTable] = []
    byes: list[FileTable] = []
    for one in file.players:
        entry = one.entries[number - 1]
        if entry is not None and entry.result == "U":
            byes.append(FileTable((one.number,), TableKind.BYE))
        elif entry is not None and entry.opponent is not None and entry.colour == "w":
            other = file.by_number[entry.opponent].entries[number - 1]
            played.append(_table(one.number, entry.opponent, entry.result, other.result if other is not None else ""))

    def standing(table: FileTable) -> tuple[Fraction, Fraction, int]:
        scores = [before[one] for one in table.numbers]
        return -max(scores), -sum(scores, Fraction(0)), min(table.numbers)

    return [*sorted(played, key=standing), *byes]


def _table(white: int, black: int, its: str, other: str) -> FileTable:
    two = (white, black)
    if its == "-" and other == "-":
        return FileTable(two, TableKind.DOUBLE_FORFEIT)
    if its in {"+", "-"}:
        return FileTable(two if its == "+" else two[::-1], TableKind.FORFEIT)
    if not its:
        return FileTable(two)
    return FileTable(two, places=(1, 1) if its in _DRAWN else (1, 2) if its in _WON else (2, 1))


# --- Points -----------------------------------------------------------------------------------------------------------


def scores_of(file: ReportFile) -> dict[str, object]:
    """By which points the file was counted, as a tournament stores them: a win 1, 2 or 3, a bye as a win, a draw or a
    loss; those that are usual where none of them comes to the points of the file. Notes byes that differ.
    """
    asked = _worth_of_asked(file)
    tried = [Scoring(win=win, draw=draw, bye=bye) for win, draw in _COUNTED for bye in (win, draw, Fraction(0))]
    fitting = (
        scoring
        for scoring in tried
        if all(_counted(one.entries[: file.rounds], scoring) == exact(one.points) for one in file.players)
    )
    found = next(fitting, tried[0]) if file.has_points else tried[0]
    usual = Scoring()
    stored = {name: getattr(found, name) for name in ("win", "draw") if getattr(found, name) != getattr(usual, name)}
    if found.bye != found.win:
        stored["bye"] = found.bye
    if asked is not None:
        stored[REQUESTED_BYE] = found.win if asked == 1 else found.draw
    return {name: float(value) for name, value in stored.items()}


def exact(points: float) -> Fraction:
    """Points of a file, which have one decimal."""
    return Fraction(str(round(points, 1)))


def _counted(entries: Sequence[TrfEntry | None], scoring: Scoring) -> Fraction:
    best, middle, last = worth(scoring)
    by_forfeit, by_absence = forfeit_scores(scoring)
    values = {
        **dict.fromkeys(_WON, best),
        **dict.fromkeys(_DRAWN, middle),
        **dict.fromkeys(_LOST, last),
        **{"U": bye_score(scoring), "F": best, "H": middle},
        "+": by_forfeit,
        "-": by_absence,
    }
    return sum((values.get(entry.result, Fraction(0)) for entry in entries if entry is not None), Fraction(0))
