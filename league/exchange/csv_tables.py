"""CSV tables as spreadsheets open them: sessions with a row for each player and round, and the standings of a season.

Terms: a *cell* is a number, a day, a text or None for nothing. Promises: no text becomes a formula; numbers stay
numbers, those below zero too; `plain` gives back the text that `defused` was given, whatever it was; what is written of
sessions, `league/exchange/csv_plays.py` reads. UTF-8 with its mark at the start, since Excel takes a table for
Windows-1252 without it; lines end as RFC 4180 says. Never: holds more than a few rows.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from io import StringIO

Cell = str | int | float | date | None
Rows = Iterable[Mapping[str, Cell]]
# Header names by language and column.
Headers = Mapping[str, Mapping[str, str]]

# What makes a spreadsheet calculate, in either width; tab and line ends may hide it from the one who looks.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")  # noqa: RUF001  # these are the wide forms, meant
_ROWS_AT_A_TIME = 100

# Header names by language, in the order of the columns; all of them are known to the reader of such tables.
SESSION_HEADERS: Headers = {
    "en": {
        "session": "Session",
        "date": "Date",
        "format": "Format",
        "planned": "Planned rounds",
        "location": "Location",
        "comment": "Comment",
        "round": "Round",
        "game": "Game",
        "note": "Note",
        "seat": "Seat",
        "player": "Player",
        "points": "Points",
        "place": "Place",
    },
    "de": {
        "session": "Partie",
        "date": "Datum",
        "format": "Format",
        "planned": "Geplante Runden",
        "location": "Ort",
        "comment": "Kommentar",
        "round": "Runde",
        "game": "Spiel",
        "note": "Vermerk",
        "seat": "Sitz",
        "player": "Spieler",
        "points": "Punkte",
        "place": "Platz",
    },
}
STANDING_HEADERS: Headers = {
    "en": {
        "rank": "Rank",
        "player": "Player",
        "sessions": "Sessions",
        "place_total": "Sum of places",
        "place_average": "Place average",
        "wins": "Wins",
        "last_played_on": "Last session",
        "last_place": "Last place",
        "value": "Value",
        "counted": "Counted",
        "game_points": "Game points",
        "division": "Division",
    },
    "de": {
        "rank": "Rang",
        "player": "Spieler",
        "sessions": "Partien",
        "place_total": "Platzsumme",
        "place_average": "Platzschnitt",
        "wins": "Siege",
        "last_played_on": "Letzte Partie",
        "last_place": "Letzter Platz",
        "value": "Wert",
        "counted": "Gewertet",
        "game_points": "Spielpunkte",
        "division": "Staffel",
    },
}
# Spreadsheets set to German part cells by semicolons, since the comma is their decimal sign.
DELIMITERS: Mapping[str, str] = {"comma": ",", "semicolon": ";"}
USUAL_DELIMITER: Mapping[str, str] = {"en": "comma", "de": "semicolon"}
_DECIMAL_SIGN: Mapping[str, str] = {"en": ".", "de": ","}


def defused(text: str) -> str:
    """A text that no spreadsheet takes for a formula: with an apostrophe before it where one might."""
    return f"'{text}" if _FORMULA.match(text) else text


def plain(cell: str) -> str:
    """The text that `defused` made this cell of; any other cell as it is."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def table(headers: Mapping[str, str], rows: Rows, *, language: str, delimiter: str) -> Iterator[bytes]:
    """Yield a table in pieces: the names of `headers`, then its columns of each row.

    `language` (en or de) gives the decimal sign, `delimiter` is a key of `DELIMITERS`.
    """
    buffer = StringIO()
    writer = csv.writer(buffer, delimiter=DELIMITERS[delimiter], lineterminator="\r\n")
    buffer.write("\ufeff")
    writer.writerow(headers.values())
    for number, row in enumerate(rows, start=1):
        writer.writerow([_told(row[column], language) for column in headers])
        if number % _ROWS_AT_A_TIME == 0:
            yield buffer.getvalue().encode()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode()


def _told(cell: Cell, language: str) -> str | int:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return defused(cell)
    if isinstance(cell, float):
        return f"{cell:.4f}".rstrip("0").rstrip(".").replace(".", _DECIMAL_SIGN[language])
    return cell.isoformat() if isinstance(cell, date) else cell
