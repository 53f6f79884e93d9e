"""Tournament report files: every column by the table of the format, back and forth, and what is wrong in a file."""

from datetime import date
from typing import Any

import pytest
from caissify_pairings.trf import parse_trf  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from league.exchange.trf import CODES, NotTrf, Report, TrfEntry, TrfPlayer, decoded, read, write

WHITE, BLACK = "w", "b"
REPORT = Report(
    name="Club evening",
    city="Köln",
    federation="GER",
    starts_on=date(2026, 11, 30),
    ends_on=date(2026, 12, 1),
    kind="Individual: Swiss-System",
    arbiter="Ann Arbiter",
    deputies=("Ben", "Cem"),
    time="10 min",
    days=(date(2026, 11, 30), None, date(2026, 12, 1)),
    rounds=5,
    first_colour="w",
    other=("### a comment", "013 Team                            1    2"),
    players=(
        TrfPlayer(
            number=1,
            name="Öz, Ada",
            sex="w",
            title="WFM",
            rating=2100,
            federation="GER",
            fide_number="24663832",
            born="1990/12/31",
            points=2.5,
            rank=1,
            entries=(
                TrfEntry(opponent=2, colour="w", result="1"),
                TrfEntry(opponent=None, result="H"),
                TrfEntry(opponent=3, colour="b"),
            ),
        ),
        TrfPlayer(number=2, name="Bo", points=1.0, entries=(TrfEntry(opponent=1, colour="b", result="0"), None, None)),
        TrfPlayer(
            number=3,
            name="Cy",
            entries=(TrfEntry(opponent=None, result="Z"), None, TrfEntry(opponent=1, colour="w")),
        ),
    ),
)
# The columns by hand: the digits of a ruler above, then the player's line.
RULER = "".join(str(column % 10) for column in range(1, 121))
LINE = (
    "001    1 wWFM Öz, Ada                           2100 GER    24663832 1990/12/31  2.5    1     2 w 1  0000 - H"
    "     3 b"
)


def columns(line: str, first: int, last: int) -> str:
    return line[first - 1 : last]


def test_each_field_is_in_its_columns() -> None:
    # FIDE Handbook C.04 Annex 2 (TRF16), player section.
    line = next(one for one in write(REPORT).split("\r\n") if one.startswith("001    1"))
    assert line == LINE
    assert columns(RULER, 91, 92) == "12"
    expected = {
        (1, 3): "001",
        (5, 8): "   1",
        (10, 10): "w",
        (11, 13): "WFM",
        (15, 47): "Öz, Ada".ljust(33),
        (49, 52): "2100",
        (54, 56): "GER",
        (58, 68): "   24663832",
        (70, 79): "1990/12/31",
        (81, 84): " 2.5",
        (86, 89): "   1",
        (92, 95): "   2",
        (97, 97): "w",
        (99, 99): "1",
        (102, 105): "0000",
        (107, 107): "-",
        (109, 109): "H",
        (112, 115): "   3",
        (117, 117): "b",
    }
    for (first, last), text in expected.items():
        assert columns(line, first, last) == text, (first, last)


def test_the_tournament_section() -> None:
    lines = write(REPORT).split("\r\n")
    assert [one for one in lines if not one.startswith("001")] == [
        "012 Club evening",
        "022 Köln",
        "032 GER",
        "042 2026/11/30",
        "052 2026/12/01",
        "062 3",
        "072 1",
        "092 Individual: Swiss-System",
        "102 Ann Arbiter",
        "122 10 min",
        "112 Ben",
        "112 Cem",
        # Positions 92 to 99 for round 1, 102 to 109 for round 2, 112 to 119 for round 3.
        "132" + 88 * " " + "26/11/30" + 12 * " " + "26/12/01",
        "XXR 5",
        "XXC white1",
        "### a comment",
        "013 Team                            1    2",
        "",
    ]


def test_back_and_forth() -> None:
    assert read(write(REPORT)) == REPORT


_TEXT = st.text(st.characters(categories=("L", "Nd")), max_size=20)
_RESULTS = [("1", "0"), ("0", "1"), ("=", "="), ("+", "-"), ("-", "+"), ("-", "-"), ("W", "L"), ("D", "D"), ("", "")]


@st.composite
def reports(draw: st.DrawFn) -> Report:
    count = draw(st.integers(1, 6))
    numbers = draw(st.lists(st.integers(1, 9999), min_size=count, max_size=count, unique=True))
    rounds = draw(st.integers(0, 4))
    entries: dict[int, list[TrfEntry | None]] = {number: [] for number in numbers}
    for _round in range(rounds):
        order = draw(st.permutations(numbers))
        pairs = draw(st.integers(0, count // 2))
        for index in range(pairs):
            first, second = order[2 * index : 2 * index + 2]
            mine, its = draw(st.sampled_from(_RESULTS))
            entries[first].append(TrfEntry(opponent=second, colour="w", result=mine))
            entries[second].append(TrfEntry(opponent=first, colour="b", result=its))
        for number in order[2 * pairs :]:
            result = draw(st.sampled_from(["U", "F", "H", "Z", None]))
            entries[number].append(None if result is None else TrfEntry(opponent=None, result=result))
    while entries[numbers[0]] and all(told[-1] is None for told in entries.values()):
        for told in entries.values():
            told.pop()
    return Report(
        name=draw(_TEXT.filter(bool)),
        city=draw(_TEXT),
        starts_on=draw(st.none() | st.dates(date(1900, 1, 1))),
        rounds=draw(st.integers(0, 20)),
        first_colour=draw(st.sampled_from(["w", "b", ""])),
        players=tuple(
            TrfPlayer(
                number=number,
                name=draw(_TEXT),
                sex=draw(st.sampled_from(["m", "w", ""])),
                title=draw(st.sampled_from(["GM", "WCM", ""])),
                rating=draw(st.integers(0, 9999)),
                points=draw(st.integers(0, 999)) / 10,
                rank=draw(st.integers(0, 9999)),
                entries=tuple(entries[number]),
            )
            for number in numbers
        ),
    )


@given(reports())
@settings(max_examples=80, deadline=None)
def test_any_report_comes_back(report: Report) -> None:
    assert read(write(report)) == report


@given(
    st.lists(st.tuples(st.integers(0, 900), st.integers(0, 12), st.text(max_size=8)), max_size=4), st.text(max_size=300)
)
@settings(max_examples=200, deadline=None)
def test_whatever_a_text_holds(mutations: list[tuple[int, int, str]], other: str) -> None:
    damaged = write(REPORT)
    for place, length, put in mutations:
        at = place % (len(damaged) + 1)
        damaged = damaged[:at] + put + damaged[at + length :]
    for text in (damaged, other):
        try:
            report = read(text)
        except NotTrf as refused:
            assert refused.problems
            assert all(one.code in CODES and str(one) for one in refused.problems)
        else:
            assert read(write(report)) == report


def test_another_program_reads_it() -> None:
    parsed = parse_trf(write(REPORT))
    assert parsed["tournament"]["total_rounds"] == 5
    ada = parsed["players"][0]
    assert (ada["name"], ada["rating"], ada["fide_id"], ada["score"]) == ("Öz, Ada", 2100, 24663832, 2.5)
    assert ada["results"] == {
        1: {"opponent": 2, "color": "w", "result": "1"},
        2: {"opponent": None, "color": None, "result": "H"},
        3: {"opponent": 3, "color": "b", "result": ""},
    }


def test_what_the_format_leaves_open_is_read() -> None:
    """Small letters, blanks for 0000 and -, lines ended by CR, tabs, other counts of players, a forfeit alone."""
    ann, ben = (f"001 {number:>4}".ljust(91) for number in (1, 2))
    text = "\r".join(
        [
            "012\tOpen",
            "062 999 (7)",
            "042 1.12.2026",
            f"{ann}   2 W =         u  0000 - +",
            f"{ben}0001 B =  0000      0000   -",
        ]
    )
    report = read(text)
    assert report.name == "Open"
    assert report.starts_on == date(2026, 12, 1)
    assert [player.entries for player in report.players] == [
        (
            TrfEntry(opponent=2, colour="w", result="="),
            TrfEntry(opponent=None, result="U"),
            TrfEntry(opponent=None, result="F"),
        ),
        (TrfEntry(opponent=1, colour="b", result="="), None, TrfEntry(opponent=None, result="Z")),
    ]


def test_bytes_of_older_programs() -> None:
    assert decoded("012 Köln".encode("cp1252")) == "012 Köln"
    assert decoded("012 Köln".encode("utf-8-sig")) == "012 Köln"


# Two players who drew; what is changed, and the problem: code, line, columns, field.
_SOUND = [
    "012 Open",
    "001    1      Ann                                                                0.5    1     2 w =",
    "001    2      Ben                                                                0.5    2     1 b =",
]


def at(line: int, first: int, text: str) -> list[str]:
    lines = list(_SOUND)
    old = lines[line - 1].ljust(first - 1)
    lines[line - 1] = old[: first - 1] + text + old[first - 1 + len(text) :]
    return lines


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (_SOUND[1:], ("missing", 0, (0, 0), "012")),
        (_SOUND[:1], ("missing", 0, (0, 0), "001")),
        (at(2, 5, "   x"), ("not_read", 2, (5, 8), "number")),
        (at(2, 5, "   0"), ("not_read", 2, (5, 8), "number")),
        (at(3, 5, "   1"), ("twice", 3, (5, 8), "number")),
        (at(2, 10, "q"), ("not_read", 2, (10, 10), "sex")),
        (at(2, 49, "21-0"), ("not_read", 2, (49, 52), "rating")),
        (at(2, 58, "FIDE"), ("not_read", 2, (58, 68), "FIDE number")),
        (at(2, 81, "half"), ("not_read", 2, (81, 84), "points")),
        (at(2, 81, "-1.0"), ("not_read", 2, (81, 84), "points")),
        (at(2, 86, "1st "), ("not_read", 2, (86, 89), "rank")),
        (at(2, 92, "  x2"), ("not_read", 2, (92, 95), "opponent")),
        (at(2, 92, "    2 w ="), ("not_read", 2, (92, 101), "round")),
        (at(2, 97, " "), ("not_read", 2, (97, 97), "colour")),
        (at(2, 97, "r"), ("not_read", 2, (97, 97), "colour")),
        (at(2, 99, "5"), ("not_read", 2, (99, 99), "result")),
        (at(2, 92, "0000 - 1"), ("not_read", 2, (99, 99), "result")),
        (at(2, 92, "   9"), ("unknown_opponent", 2, (92, 95), "opponent")),
        (at(2, 92, "   1"), ("own_opponent", 2, (92, 95), "opponent")),
        (at(3, 92, "0000 - U"), ("other_opponent", 2, (92, 95), "opponent")),
        (at(3, 97, "w"), ("same_colour", 2, (97, 97), "colour")),
        (at(3, 99, "1"), ("other_result", 2, (99, 99), "result")),
        (at(3, 99, " "), ("other_result", 2, (99, 99), "result")),
        ([*_SOUND, "012 Again"], ("twice", 4, (1, 3), "012")),
        ([*_SOUND, "XXR many"], ("not_read", 4, (5, 8), "XXR")),
        ([*_SOUND, "132".ljust(91) + "30/11/2026"], ("not_read", 4, (92, 99), "132")),
        ([*_SOUND, "132 26/12/01"], ("not_read", 4, (4, 91), "132")),
        ([*_SOUND, "042 26/12/01"], ("not_read", 4, (5, 12), "042")),
        ([*_SOUND, "042 2026/13/01"], ("not_read", 4, (5, 14), "042")),
        ([*_SOUND, "132".ljust(91) + "26/02/30"], ("not_read", 4, (92, 99), "132")),
    ],
)
def test_what_is_wrong_is_told_with_its_place(lines: list[str], problem: tuple[Any, ...]) -> None:
    assert read("\n".join(_SOUND)).players[0].entries == (TrfEntry(opponent=2, colour="w", result="="),)
    with pytest.raises(NotTrf) as refused:
        read("\n".join(lines))
    first = refused.value.problems[0]
    assert (first.code, first.line, first.columns, first.field) == problem


def test_a_problem_says_what_is_allowed() -> None:
    with pytest.raises(NotTrf) as refused:
        read("\n".join(at(2, 99, "5")))
    assert str(refused.value) == (
        "line 2, column 99, result: the field holds something else than allowed: '5'; "
        "allowed: 1, =, 0, W, D, L, +, - or nothing"
    )


def test_too_long_a_text_is_not_read() -> None:
    with pytest.raises(NotTrf) as refused:
        read("x" * 5_000_001)
    assert [one.code for one in refused.value.problems] == ["too_large"]


@pytest.mark.parametrize(
    "player",
    [
        TrfPlayer(number=0, name="Ann"),
        TrfPlayer(number=10000, name="Ann"),
        TrfPlayer(number=1, name="Ann", points=-0.5),
        TrfPlayer(number=1, name="Ann", points=100.0),
        TrfPlayer(number=1, name="Ann", points=0.25),
        TrfPlayer(number=1, name="Ann", rating=10000),
        TrfPlayer(number=1, name="Ann", entries=(TrfEntry(opponent=2, colour="w", result="?"),)),
        TrfPlayer(number=1, name="Ann", entries=(TrfEntry(opponent=None, result="1"),)),
    ],
)
def test_what_does_not_fit_is_not_written(player: TrfPlayer) -> None:
    with pytest.raises(ValueError, match=r"report"):
        write(Report(name="Open", players=(player,)))


def test_long_names_are_cut() -> None:
    written = write(Report(name="Open", players=(TrfPlayer(number=1, name="A" * 40, title="Doctor"),)))
    (player,) = read(written).players
    assert (player.name, player.title) == ("A" * 33, "Doc")
