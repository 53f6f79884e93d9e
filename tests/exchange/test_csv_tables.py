"""CSV tables: no text becomes a formula, no number becomes a text, and both come back as they were."""

import csv
import io
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.exchange import csv_plays
from league.exchange.csv_tables import (
    DELIMITERS,
    SESSION_HEADERS,
    STANDING_HEADERS,
    Cell,
    defused,
    plain,
    table,
)


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff20"])
def test_a_text_that_could_be_a_formula_is_defused(first: str) -> None:
    assert defused(f"{first}cmd") == f"'{first}cmd"


@pytest.mark.parametrize("text", ["Ann", "", "O'Neill", "'Hans'", "1-2", "a=b", "Ä"])
def test_other_texts_stay(text: str) -> None:
    assert defused(text) == text


@given(st.text(alphabet="'=+-@\t\r\nAb1", max_size=8))
def test_every_text_comes_back(text: str) -> None:
    cell = defused(text)
    assert plain(cell) == text
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize("delimiter", sorted(DELIMITERS))
@pytest.mark.parametrize("language", sorted(SESSION_HEADERS))
def test_cells(language: str, delimiter: str) -> None:
    row: dict[str, Cell] = {
        "rank": None,
        "player": 'Quote " ; , Größe',
        "sessions": -3,
        "place_total": 7,
        "place_average": 2.5,
        "wins": 0,
        "last_played_on": date(2026, 11, 30),
        "last_place": 1,
        "value": 22.0,
        "counted": 3,
        "game_points": None,
        "division": "=Liga 1",
    }
    written = b"".join(table(STANDING_HEADERS[language], [row] * 250, language=language, delimiter=delimiter))
    assert written.startswith(b"\xef\xbb\xbf")
    assert written.count(b"\r\n") == written.count(b"\n") == 251
    cells = list(csv.reader(io.StringIO(written.decode("utf-8-sig"), newline=""), delimiter=DELIMITERS[delimiter]))
    average = {"en": "2.5", "de": "2,5"}[language]
    assert cells[0] == list(STANDING_HEADERS[language].values())
    assert (
        cells[1:]
        == [["", 'Quote " ; , Größe', "-3", "7", average, "0", "2026-11-30", "1", "22", "3", "", "'=Liga 1"]] * 250
    )


def test_the_importer_knows_every_header_and_takes_off_what_defuses() -> None:
    row: dict[str, Cell] = {
        "session": 7,
        "date": date(2026, 11, 30),
        "format": "series",
        "planned": 1,
        "location": "=Café",
        "comment": "'-quoted",
        "round": 1,
        "game": "und-tschuess",
        "note": "",
        "points": -5,
    }
    rows = [{**row, "seat": seat, "player": name, "place": seat} for seat, name in ((1, "@Ann"), (2, "+Ben"))]
    for language, headers in SESSION_HEADERS.items():
        assert list(headers) == list(SESSION_HEADERS["en"])
        file = csv_plays.read(b"".join(table(headers, rows, language=language, delimiter="comma")))
        assert file.problems == ()
        (play,) = file.plays
        assert (play.players, play.location, play.comment) == (("@Ann", "+Ben"), "=Café", "'-quoted")
        assert [score.points for score in play.rounds[0].scores] == [-5, -5]
