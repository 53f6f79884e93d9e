"""Who met whom in a stage: a square of results, a window of it where it is large; of a cooperative game, where nobody
is before anybody, what each had left round by round.

Terms: a *window* is so many rows and columns of the square as a page shows. A cell reads from the row: 1 is before,
½ level, 0 behind; a dot is a meeting without a result yet, a star one that was not played. Promises: lines stand by
rank; what the square says is written here, not by a template, since it has thousands of cells.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from league.pairing.values import TableKind
from league.services import tournament_company
from league.services.tournament_standings import GroupTable, Line
from league.services.tournament_state import Scorer, StageValue, TableValue, meeting_of
from league.web import tournament_lines
from league.web.reading import Pages
from league.web.words import rank_card

# So many rows and columns can be read, and are quick to send.
WINDOW = 60


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A window: `head` are the columns, `body` the rows; the pages are None where all is shown."""

    head: SafeString
    body: SafeString
    players: int
    rows: Pages | None
    columns: Pages | None


def cross_table(
    stage: StageValue,
    table: GroupTable,
    *,
    names: Mapping[int, str],
    hidden: Sequence[int] = (),
    rows: int = 1,
    columns: int = 1,
) -> CrossTable:
    """The square of a group by its ranks; `hidden` are the rounds that the reader may not see. One query."""
    order = [line.entry for line in table.lines]
    down, top, bottom = tournament_lines.pages_of(rows, len(order), WINDOW)
    across, left, right = tournament_lines.pages_of(columns, len(order), WINDOW)
    shown = {*order[top:bottom], *order[left:right]}
    absent = tournament_company.absent(entries=shown, round__stage=stage.row)
    met = _met(stage, set(order[top:bottom]), set(order[left:right]), set(hidden), absent)
    numbers = {entry: number for number, entry in enumerate(order, start=1)}
    head = "".join(
        f'<th scope="col"><span aria-hidden="true">{numbers[one]}</span>'
        f'<span class="unseen">{escape(names[one])}</span></th>'
        for one in order[left:right]
    )
    body = [
        _row(
            line,
            numbers[line.entry],
            names[line.entry],
            "".join(
                '<td class="self"></td>' if one == line.entry else _cell(met.get((line.entry, one), ()))
                for one in order[left:right]
            ),
        )
        for line in table.lines[top:bottom]
    ]
    windowed = len(order) > WINDOW
    # Safe: numbers, and names that are escaped.
    return CrossTable(
        head=mark_safe(head),  # noqa: S308  # nosec B308 B703
        body=mark_safe("".join(body)),  # noqa: S308  # nosec B308 B703
        players=len(order),
        rows=down if windowed else None,
        columns=across if windowed else None,
    )


def by_round(
    stage: StageValue,
    table: GroupTable,
    *,
    names: Mapping[int, str],
    scorer: Scorer,
    hidden: Sequence[int] = (),
    rows: int = 1,
) -> CrossTable:
    """What each of a group got in each round, by rank, with the rounds as columns; `hidden` are those left out."""
    down, top, bottom = tournament_lines.pages_of(rows, len(table.lines), WINDOW)
    shown = [one for one in stage.rounds if one.row.number not in hidden]
    got: dict[tuple[int, int], str] = {}
    for round_, one in stage.tables():
        scores = meeting_of(round_, one, scorer).scores
        star = "" if one.kind is TableKind.PLAYED else "*"
        for entry in one.entries:
            told = tournament_lines.number_told(scores[entry]) + star if entry in scores else "·"
            got[entry, round_.row.number] = told
    round_word = escape(_("Round"))
    head = "".join(f'<th scope="col"><span class="unseen">{round_word} </span>{one.row.number}</th>' for one in shown)
    body = [
        _row(
            line,
            number,
            names[line.entry],
            "".join(f"<td>{escape(got.get((line.entry, one.row.number), ''))}</td>" for one in shown),
        )
        for number, line in enumerate(table.lines[top:bottom], start=top + 1)
    ]
    # Safe: numbers, and names that are escaped.
    return CrossTable(
        head=mark_safe(head),  # noqa: S308  # nosec B308 B703
        body=mark_safe("".join(body)),  # noqa: S308  # nosec B308 B703
        players=len(table.lines),
        rows=down if len(table.lines) > WINDOW else None,
        columns=None,
    )


def _row(line: Line, number: int, name: str, cells: str) -> str:
    score = tournament_lines.number_told(line.score) if line.score is not None else ""
    return (
        f'<tr><th scope="row"><span class="count">{number}</span> {escape(name)}</th>'
        f'{cells}<td class="number">{escape(score)}</td><td>{rank_card(line.rank, line.is_shared)}</td></tr>'
    )


def _met(
    stage: StageValue, rows: set[int], columns: set[int], hidden: set[int], absent: Collection[tuple[int, int]]
) -> dict[tuple[int, int], list[tuple[str, int]]]:
    """What came of each meeting of a row with a column, and in which round."""
    found: dict[tuple[int, int], list[tuple[str, int]]] = defaultdict(list)
    gone = set(absent)
    for round_, table in stage.tables():
        if round_.row.number in hidden:
            continue
        for one in table.entries:
            if one in rows:
                for other in table.entries:
                    if other != one and other in columns:
                        sign = _sign(table, one, other)
                        # What nobody played against each other is no result of theirs.
                        star = "*" if {(table.id, one), (table.id, other)} & gone else ""
                        found[one, other].append((sign + star, round_.row.number))
    return found


def _sign(table: TableValue, one: int, other: int) -> str:
    if table.kind is TableKind.FORFEIT:
        return "1*" if table.entries[0] == one else "0*" if table.entries[0] == other else "*"
    if table.kind is not TableKind.PLAYED:
        return "0*"
    places = table.places
    if one not in places or other not in places:
        return "·"
    return "1" if places[one] < places[other] else "0" if places[one] > places[other] else "½"


def _cell(meetings: Sequence[tuple[str, int]]) -> str:
    if not meetings:
        return "<td></td>"
    title = ", ".join(
        _("round %(number)d: %(result)s") % {"number": round_, "result": sign} for sign, round_ in meetings
    )
    return f'<td title="{escape(title)}">{" ".join(sign for sign, _round in meetings)}</td>'
