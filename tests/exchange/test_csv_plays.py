"""CSV tables: columns, signs, encodings, and which rows are one session."""

from datetime import date
from time import process_time

import pytest

from league.exchange import formats
from league.exchange.csv_plays import COLUMNS, FORMATS, NOTES
from league.exchange.csv_tables import SESSION_HEADERS, USUAL_DELIMITER, Cell, table
from league.exchange.plays import FileRound, FileScore, NotRead, Play, PlayFile


def read(text: str, encoding: str = "utf-8") -> PlayFile:
    return formats.read(text.encode(encoding))


def only(file: PlayFile) -> Play:
    assert len(file.plays) == 1, file.problems
    return file.plays[0]


def told(file: PlayFile) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in file.problems]


ENGLISH = (
    "date,game,player,points,place,location,comment\n"
    "2026-10-05,Straßenbau,Ann,31,1,Café,late\n"
    "2026-10-05,Straßenbau,Ben,12,2,Café,\n"
)
GERMAN = (
    "Datum;Spiel;Spieler;Punkte;Platz;Ort;Kommentar\n"
    "05.10.2026;Straßenbau;Ann;31,0;1;Café;late\n"
    "5.10.2026;Straßenbau;Ben;12;2;Café;\n"
)


@pytest.mark.parametrize(
    "text", [ENGLISH, GERMAN, ENGLISH.replace(",", "\t"), ENGLISH.replace("\n", "\r\n"), "sep=;\r\n" + GERMAN]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_the_same_table_in_all_its_clothes(text: str, encoding: str) -> None:
    one = only(read(text, encoding))
    assert (one.day, one.location, one.comment) == (date(2026, 10, 5), "Café", "late")
    assert one.rounds[0].game == "Straßenbau"
    assert one.rounds[0].scores == (FileScore("Ann", 31, 1), FileScore("Ben", 12, 2))


def test_an_evening_with_a_row_for_each_player_and_round() -> None:
    rows = ["session;date;round;game;player;points;seat;note"]
    for number, game in enumerate(["xxl-1", "xxl-2"], start=1):
        rows += [f"A;2026-10-05;{number};{game};Ann;0;2;", f"A;2026-10-05;{number};{game};Ben;14;1;Draw pile ran out"]
    rows[3:] = reversed(rows[3:])  # the order of the rows says nothing where rounds have numbers
    one = only(read("\n".join(rows)))
    assert one.external_id == "a 2026-10-05"
    assert [(round_.game, round_.note) for round_ in one.rounds] == [
        ("xxl-1", "draw_pile_ran_out"),
        ("xxl-2", "draw_pile_ran_out"),
    ]
    assert (one.players, dict(one.seats)) == (("Ben", "Ann"), {"Ben": 0, "Ann": 1})


def test_pure_xxl_needs_no_names_of_its_games() -> None:
    rows = ["Datum;Format;Runde;Spieler;Platz"]
    rows += [
        f"5.10.2026;Pure XXL;{number};{name};{place}"
        for number in range(1, 7)
        for name, place in (("Ann", 1), ("Ben", 2))
    ]
    one = only(read("\n".join(rows)))
    assert one.format == "pure_xxl"
    assert [round_.game for round_ in one.rounds] == [f"xxl-{number}" for number in range(1, 7)]


def test_without_a_session_column_a_player_who_comes_again_begins_another_session() -> None:
    head = "date,game,player,points\n"
    same = "2026-10-05,The Game,Ann,4\n2026-10-05,The Game,Ben,4\n"
    file = read(head + same + same + "2026-10-05,Skyjo,Ann,9\n2026-10-05,Skyjo,Ben,3\n2026-10-06,Skyjo,Cem,9\n")
    assert [[round_.game for round_ in one.rounds] for one in file.plays] == [
        ["The Game"],
        ["The Game"],
        ["Skyjo"],
        ["Skyjo"],
    ]
    ids = [one.external_id for one in file.plays]
    assert len(set(ids)) == 4, "two sittings that are alike are two"
    assert [one.external_id for one in read(head + same + same).plays] == ids[:2], "and have the same ids next time"


def test_winners_alone_are_a_result() -> None:
    one = only(read("date,game,player,winner\n2026-10-05,Skyjo,Ann,x\n2026-10-05,Skyjo,Ben,nein\n"))
    assert one.rounds[0].scores == (FileScore("Ann", place=1), FileScore("Ben", place=2))


def test_a_row_that_can_not_be_read_leaves_out_its_session_alone() -> None:
    file = read(
        "session,date,game,player,points\n"
        "A,2026-10-05,Skyjo,Ann,9\n"
        "A,2026-10-05,Skyjo,Ben,many\n"
        "B,2026-10-06,Skyjo,Ann,9\n"
        "B,2026-10-06,Skyjo,Ben,3\n"
    )
    assert [one.external_id for one in file.plays] == ["b 2026-10-06"]
    assert told(file) == [("score_not_read", 3)]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("10/05/2026,Skyjo,Ann,1,", "day_not_read"),
        ("2026-13-05,Skyjo,Ann,1,", "day_not_read"),
        (",Skyjo,Ann,1,", "no_day"),
        ("2026-10-05,,Ann,1,", "no_game"),
        ("2026-10-05,Skyjo,,1,", "no_name"),
        ("2026-10-05,Skyjo,Ann,1.000,", "score_not_read"),
        ('2026-10-05,Skyjo,Ann,"1,5",', "score_not_whole"),
        ("2026-10-05,Skyjo,Ann,=1+1,", "score_not_read"),
        ("2026-10-05,Skyjo,Ann,,", "score_missing"),
        ("2026-10-05,Skyjo,Ann,,first", "score_not_read"),
    ],
)
def test_what_is_not_guessed(row: str, code: str) -> None:
    file = read(f"date,game,player,points,place\n{row}\n")
    found = [problem.code for problem in file.problems]
    assert found == ["number_not_read" if row.endswith("first") else code]
    assert (file.plays, file.problems[0].line) == ((), 2)


def test_rows_that_contradict_each_other() -> None:
    head = "session,date,round,game,player,points\n"
    assert told(read(head + "A,2026-10-05,1,Skyjo,Ann,1\nA,2026-10-06,1,Skyjo,Ben,2\n")) == [("two_days", 2)]
    assert told(read(head + "A,2026-10-05,1,Skyjo,Ann,1\nA,2026-10-05,1,Uno,Ben,2\n")) == [("two_games", 2)]
    assert told(read(head + "A,2026-10-05,1,Skyjo,Ann,1\nA,2026-10-05,1,Skyjo,ann,2\n")) == [("player_twice", 3)]
    assert told(read("date,format,player,points\n2026-10-05,Tarock,Ann,1\n")) == [("format_not_read", 2)]
    assert told(read("date,game,note,player,points\n2026-10-05,Skyjo,loud,Ann,1\n")) == [("note_not_read", 2)]


def test_lines_are_counted_as_an_editor_does() -> None:
    file = read('date,game,player,points,comment\n\n2026-10-05,Skyjo,Ann,1,"two\nlines"\n2026-10-05,Skyjo,Ben,x,\n')
    assert told(file) == [("score_not_read", 5)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("hello world", "unknown_format"),
        ("date;player;game;points;" + ";".join(f"c{number}" for number in range(2000)), "unknown_format"),
        ("date,player\n", "column_missing"),
        ("date,player,game,points,Punkte\n", "column_twice"),
        ("date,player,game,points\n", "no_plays"),
        ('date,player,game,points\n"' + "x" * 200_000, "invalid_table"),
    ],
)
def test_tables_that_hold_nothing(text: str, code: str) -> None:
    with pytest.raises(NotRead) as refused:
        read(text)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "rows",
    [
        [f"2026-10-05,{number},Skyjo,Ann,1" for number in range(15_000)]
        + ["2026-10-05,,Skyjo,Ann,1", "2026-10-05,,Skyjo,Ben,2"] * 15_000,
        [f"2026-10-05,,Skyjo,Player {number},1" for number in range(30_000)],
    ],
)
def test_no_table_takes_longer_than_its_length(rows: list[str]) -> None:
    """Each of these took minutes once: every row compared with all rows before it."""
    began = process_time()
    read("\n".join(["date,session,game,player,points", *rows]))
    assert process_time() - began < 30


def test_unknown_columns_are_told_and_left_out() -> None:
    file = read("date,game,player,points,weather\n2026-10-05,Skyjo,Ann,1,rain\n")
    assert told(file) == [("unknown_column", 1)]
    assert len(file.plays) == 1


def test_every_name_of_a_column_is_one_columns_alone() -> None:
    for known in (COLUMNS, FORMATS, NOTES):
        plain = [{"".join(filter(str.isalnum, name.casefold())) for name in names} for names in known.values()]
        assert len(set.union(*plain)) == sum(map(len, plain))


def test_sessions_of_another_month_may_bear_the_same_numbers() -> None:
    ids = [
        only(read(f"session,date,game,player,points\n1,{day},Skyjo,Ann,9\n")).external_id
        for day in ("2026-10-05", "2026-11-02")
    ]
    assert len(set(ids)) == 2


def test_an_apostrophe_before_a_formula_is_taken_off_again() -> None:
    one = only(read("date,game,player,points\n2026-10-05,Skyjo,'=Ann,-9\n2026-10-05,Skyjo,'n Ben,3\n"))
    assert one.players == ("=Ann", "'n Ben")
    assert one.rounds[0].scores[0].points == -9


def test_a_table_of_sessions_is_read_back() -> None:
    """What this product writes in either language."""
    row: dict[str, Cell] = {
        **{"session": 7, "date": date(2026, 10, 5), "format": "individual_xxl", "planned": 2, "location": "=Café"},
        **{"comment": None, "round": 1, "game": "xxl-1", "note": "draw_pile_ran_out", "seat": 1, "player": "Ann"},
        **{"points": 3, "place": 1},
    }
    for language, headers in SESSION_HEADERS.items():
        text = b"".join(table(headers, [row], language=language, delimiter=USUAL_DELIMITER[language]))
        one = only(formats.read(text))
        assert (one.format, one.planned, one.location, one.players) == ("individual_xxl", 2, "=Café", ("Ann",))
        assert one.rounds == (FileRound("xxl-1", (FileScore("Ann", 3, 1),), "draw_pile_ran_out"),)
        assert dict(one.seats) == {"Ann": 0}
        assert not formats.read(text).problems


ROWS = ["2026-10-05;Skyjo;Ann;31", "2026-10-05;Skyjo;Ben;12", "2026-10-12;Boule;Ann;13", "2026-10-12;Boule;Ben;7"]


@pytest.mark.parametrize(
    ("number", "row"),
    [
        (0, "10/05/2026;Skyjo;Ann;31"),
        (1, "2026-10-05;Skyjo;Ben;1.234"),
        (1, "10/05/2026;Skyjo;Ben;12"),
        (1, "2026-10-05;;Ben;1.234"),
        (1, "2026-10-05;Skyjo;;12"),
    ],
)
def test_a_row_that_is_not_read_spoils_its_own_session_alone(number: int, row: str) -> None:
    rows = [*ROWS]
    rows[number] = row
    file = read("\n".join(["date;game;player;points", *rows]))
    assert [one.rounds[0].game for one in file.plays] == ["Boule"]
    assert [line for _code, line in told(file)] == [number + 2]


@pytest.mark.parametrize(
    ("number", "row"),
    [
        (2, "2026-10-12;Boule;Ann;1.234"),
        (2, "12/10/2026;Boule;Ann;13"),
        (2, "12/10/2026;;Ann;13"),
        (3, "2026-10-12;Boule;Ben;12,5"),
        (3, "2026-10-12;;Ben;12,5"),
    ],
)
def test_a_row_that_is_not_read_leaves_the_session_before_it_whole(number: int, row: str) -> None:
    rows = [*ROWS]
    rows[number] = row
    file = read("\n".join(["date;game;player;points", *rows]))
    assert [one.rounds[0].game for one in file.plays] == ["Skyjo"]
    assert [line for _code, line in told(file)] == [number + 2]


def test_rows_of_one_spoilt_session_are_one_problem() -> None:
    rows = ["10/05/2026;Skyjo;Ann;3", "10/05/2026;Skyjo;Ben;4", "2026-30-05;Skyjo;Cem;5"]
    file = read("\n".join(["date;game;player;points", ROWS[2], ROWS[3], *rows]))
    assert (len(file.plays), told(file)) == (1, [("day_not_read", 4)])
