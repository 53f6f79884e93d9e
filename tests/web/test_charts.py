"""Charts: where values stand, what is said of them, and that any number of them can be drawn."""

import re
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from defusedxml import ElementTree
from django.template.loader import render_to_string
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from league.web.charts import (
    STYLES,
    WIDTH,
    Band,
    Bar,
    BarChart,
    Cell,
    LineChart,
    Number,
    Point,
    Series,
    bar_chart,
    line_chart,
    matrix,
    sparkline,
)
from tests.web.page import Page

NOTHING = "\N{EN DASH}"
LONG = "Annegret-Wilhelmine Freifrau von Hohenlangenburgstein zu Xy"


def places(*values: Number | None, name: str = "Ann") -> Series:
    return Series(name, [Point(f"{day} Nov", value) for day, value in enumerate(values, start=1)])


def drawn(name: str, chart: object) -> Page:
    return Page(f"<body>{render_to_string(f'web/parts/{name}.html', {'chart': chart})}</body>")


def numbers(path: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?[\d.]+", path)]


# --- Lines ------------------------------------------------------------------------------------------------------------


def test_the_first_place_is_at_the_top_and_the_last_at_the_bottom() -> None:
    chart = line_chart("Form", [places(1, 4)], lower_is_better=True)
    first, last = chart.lines[0].dots
    assert first.y == chart.top
    assert last.y == chart.bottom
    assert [tick.text for tick in chart.heights] == ["1", "2", "3", "4"]
    assert [tick.at for tick in chart.heights] == sorted(tick.at for tick in chart.heights)


def test_a_higher_rating_is_further_up() -> None:
    low, high = line_chart("Rating", [places(1400, 1600)]).lines[0].dots
    assert low.y > high.y


def test_values_stand_between_their_ticks_in_proportion() -> None:
    chart = line_chart("Form", [places(1, 2, 3, 2)], lower_is_better=True)
    heights = {tick.text: tick.at for tick in chart.heights}
    assert [dot.y for dot in chart.lines[0].dots] == [heights["1"], heights["2"], heights["3"], heights["2"]]


def test_points_stand_at_equal_distances_over_the_whole_width() -> None:
    chart = line_chart("Form", [places(1, 2, 3, 2, 1)], lower_is_better=True)
    across = [dot.x for dot in chart.lines[0].dots]
    gaps = [after - before for before, after in pairwise(across)]
    assert max(gaps) - min(gaps) <= 0.2
    assert chart.left <= across[0] < chart.left + 10
    assert across[-1] == chart.right <= WIDTH


def test_equal_values_of_two_players_stand_on_the_same_spot_with_signs_of_their_own() -> None:
    chart = line_chart("Form", [places(2, 2), places(2, 1, name="Ben")], lower_is_better=True)
    ann, ben = chart.lines
    assert (ann.dots[0].x, ann.dots[0].y) == (ben.dots[0].x, ben.dots[0].y)
    assert ann.style != ben.style


def test_a_gap_lifts_the_line_and_a_value_alone_keeps_its_dot() -> None:
    chart = line_chart("Form", [places(1, 2, None, 3, None, 2, 1)], lower_is_better=True)
    assert chart.lines[0].path.count("M") == 3
    assert len(chart.lines[0].dots) == 5
    many: list[Number | None] = [1] * 500
    many[250] = many[252] = None
    chart = line_chart("Form", [places(*many)], lower_is_better=True)
    assert [dot.text for dot in chart.lines[0].dots] == ["252 Nov: 1"]


@pytest.mark.parametrize("value", [0, 1, 1500, -3, 0.25])
def test_one_value_is_drawn_in_the_middle(value: float) -> None:
    chart = line_chart("Form", [places(value)])
    (dot,) = chart.lines[0].dots
    assert chart.left < dot.x < chart.right
    assert chart.top <= dot.y <= chart.bottom
    assert len(chart.heights) >= 2


@pytest.mark.parametrize("series", [[], [places()], [places(None, None)]])
def test_no_values_are_said_in_words(series: list[Series]) -> None:
    chart = line_chart("Form", series, lower_is_better=True)
    assert chart.is_empty
    page = drawn("chart_line", chart)
    assert "There are no values yet." in page.text
    assert not list(page.all("svg"))


def test_a_thousand_values_are_one_path_without_dots() -> None:
    chart = line_chart("Rating", [places(*range(1000))])
    assert len(numbers(chart.lines[0].path)) == 2000
    assert chart.lines[0].dots == ()
    assert len(chart.rows) == 1000
    assert len(chart.labels) <= 10
    assert len(render_to_string("web/parts/chart_line.html", {"chart": chart})) < 120_000


def test_labels_do_not_run_into_each_other() -> None:
    """At the size of a phone a letter is some ten units wide."""
    chart = line_chart("Form", [Series("Ann", [Point(f"{day:02} Nov 2026", 1) for day in range(1, 29)])])
    ends = []
    for tick in chart.labels:
        width = 10 * len(tick.text)
        left = {"start": tick.at, "middle": tick.at - width / 2, "end": tick.at - width}[tick.anchor]
        ends.append((left, left + width))
    assert all(before[1] <= after[0] for before, after in pairwise(ends))
    assert [tick.text for tick in (chart.labels[0], chart.labels[-1])] == ["01 Nov 2026", "28 Nov 2026"]
    assert [tick.is_between for tick in chart.labels] == [False, *[True] * (len(chart.labels) - 2), False]


def test_labels_that_are_too_long_end_in_an_ellipsis() -> None:
    chart = line_chart("Form", [Series("Ann", [Point(LONG, 1), Point(f"{LONG} 2", 2)])])
    assert all(tick.text.endswith("…") and len(tick.text) < 25 for tick in chart.labels)
    assert chart.rows[0].label == LONG


def test_the_band_closes_around_the_line() -> None:
    band = Band("± 2 deviations", [(1300, 1700), None, (1400, 1600), (1420, 1580)])
    chart = line_chart("Rating", [places(1500, None, 1500, 1500)], band=band)
    assert chart.band.count("M") == chart.band.count("Z") == 2
    heights = {tick.text: tick.at for tick in chart.heights}
    assert numbers(chart.band)[1::2][:2] == [heights["1300"], heights["1700"]]
    assert [row.texts for row in chart.rows] == [
        ("1500", f"1300 {NOTHING} 1700"),
        (NOTHING, NOTHING),
        ("1500", f"1400 {NOTHING} 1600"),
        ("1500", f"1420 {NOTHING} 1580"),
    ]
    assert chart.columns == ("Ann", "± 2 deviations")
    assert "± 2 deviations" in drawn("chart_line", chart).text


def test_styles_begin_anew_after_the_last() -> None:
    chart = line_chart("Form", [places(1, 2, name=f"P{number}") for number in range(STYLES + 1)])
    assert [line.style for line in chart.lines] == [*range(1, STYLES + 1), 1]


def test_series_of_different_labels_and_bands_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="same labels"):
        line_chart("Form", [places(1, 2), places(1, name="Ben")])
    with pytest.raises(ValueError, match="one range for each point"):
        line_chart("Form", [places(1, 2)], band=Band("range", [(1, 2)]))
    with pytest.raises(ValueError, match="finite"):
        line_chart("Form", [places(float("nan"))])


def test_a_description_says_first_last_best_and_worst() -> None:
    chart = line_chart("Form", [places(3, 1, 4, 2)], lower_is_better=True)
    assert chart.description == "Ann: 4 values; first 1 Nov: 3; last 4 Nov: 2; best 1, worst 4"
    chart = line_chart("Rating", [places(3, 1, 4, 2)])
    assert chart.description == "Ann: 4 values; first 1 Nov: 3; last 4 Nov: 2; best 4, worst 1"


def test_numbers_are_german_on_german_pages_and_coordinates_are_not() -> None:
    with translation.override("de"):
        page = drawn("chart_line", line_chart("Form", [places(1, Fraction(5, 2), Decimal("1.75"))], unit="Pkt"))
    table = page.rows(page.one("table"))
    assert [row[1] for row in table[1:]] == ["1,00", "2,50", "1,75"]
    ticks = [text.text for text in page.all("text", inside=None, **{"class": "chart-height"})]
    assert {"1,0", "2,0"} <= set(ticks)
    (svg,) = (svg for svg in page.all("svg", role="img"))
    for element in page.elements:
        if svg in element.around:
            for name in ("d", "x", "y", "transform", "viewBox"):
                assert "," not in element.attributes.get(name, "")
    assert "2 Nov: 2,50\N{NO-BREAK SPACE}Pkt".replace("\N{NO-BREAK SPACE}", " ") in [
        title.text for title in page.all("title")
    ]


def test_a_chart_has_a_name_a_description_and_its_numbers_and_bears_no_style() -> None:
    chart = line_chart("Form of <Ann> & Ben", [places(1, 3), places(2, None, name="Ben")], lower_is_better=True)
    page = drawn("chart_line", chart)
    svg = page.one("svg", role="img")
    titles = [title.text for title in page.all("title", inside=svg)]
    assert titles[0] == "Form of <Ann> & Ben"
    assert page.one("desc").text == chart.description
    table = page.one("table")
    assert page.one("details") in table.around
    assert page.rows(table) == [["", "Ann", "Ben"], ["1 Nov", "1", "2"], ["2 Nov", "3", NOTHING]]
    assert all("style" not in element.attributes for element in page.elements)
    assert [item.text for item in page.all("li")] == ["Ann", "Ben"]


# --- Bars -------------------------------------------------------------------------------------------------------------

HISTOGRAM = [Bar("1.", 8), Bar("2.", 4), Bar("3.", 4), Bar("4.", 0)]


def test_bars_are_as_high_as_their_values_and_stand_on_one_line() -> None:
    chart = bar_chart("Places", HISTOGRAM)
    heights = [bar.height for bar in chart.bars]
    assert heights[1] == heights[2] == pytest.approx(heights[0] / 2, abs=0.1)
    assert heights[3] == 0
    assert {round(bar.y + bar.height, 1) for bar in chart.bars} == {chart.base}
    assert all(before.x + before.width < after.x for before, after in pairwise(chart.bars))


def test_bars_across_are_as_wide_as_their_values_and_leave_room_for_names_and_texts() -> None:
    chart = bar_chart("Games", [Bar(LONG, 50, "50 %"), Bar("Up and Down", 100, "100 %")], across=True)
    one, other = chart.bars
    assert one.width == pytest.approx(other.width / 2, abs=0.1)
    assert one.x == other.x == chart.base
    assert other.text_x + 10 * len("100 %") <= WIDTH
    assert one.label.endswith("…")
    assert 10 * len(one.label) <= WIDTH
    assert chart.rows[0].label == LONG
    assert one.y + one.height < other.label_y - 10


def test_bars_below_zero_hang_from_the_line() -> None:
    up, down = bar_chart("Points", [Bar("a", 3), Bar("b", -3)]).bars
    assert up.y + up.height == down.y
    assert up.height == pytest.approx(down.height, abs=0.1)
    assert down.text_y > down.y + down.height


def test_many_bars_have_an_axis_instead_of_texts() -> None:
    chart = bar_chart("Places", [Bar(str(number), number) for number in range(1000)])
    assert [tick.text for tick in chart.heights] == ["0", "200", "400", "600", "800", "1000"]
    assert {bar.text for bar in chart.bars} == {""}
    labelled = [bar.label_x for bar in chart.bars if bar.label]
    assert 4 <= len(labelled) <= 15
    assert chart.description == "1000 bars; most: 999: 999; least: 0: 0"


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("bars", [[], [Bar("a", 0)], [Bar("a", 0), Bar("b", 0)]])
def test_bars_of_nothing(bars: list[Bar], across: bool) -> None:
    page = drawn("chart_bars", bar_chart("Places", bars, across=across))
    assert ("There are no values yet." in page.text) == (not bars)


def test_a_bar_chart_says_its_values() -> None:
    chart = bar_chart("Places", HISTOGRAM, heading="Place", counted="Sessions")
    assert chart.description == "1.: 8; 2.: 4; 3.: 4; 4.: 0"
    page = drawn("chart_bars", chart)
    assert page.rows(page.one("table")) == [["Place", "Sessions"], ["1.", "8"], ["2.", "4"], ["3.", "4"], ["4.", "0"]]
    assert page.one("desc").text == chart.description
    assert all("style" not in element.attributes for element in page.elements)


# --- Matrix and sparkline ---------------------------------------------------------------------------------------------


def test_a_matrix_is_a_table_with_shades() -> None:
    cells = [[None, Cell("3:1", 0.75)], [Cell("1:3", Fraction(1, 4)), None]]
    page = drawn("chart_matrix", matrix("Head to head", ["Ann", "Ben"], ["Ann", "Ben"], cells, corner="Wins"))
    assert page.rows(page.one("table")) == [
        ["", "Ann", "Ben"],
        ["Ann", f"{NOTHING}not against oneself", "3:1"],
        ["Ben", "1:3", f"{NOTHING}not against oneself"],
    ]
    assert page.one("td", inside=None, **{"class": "chart-shade-4"}).text == "3:1"
    assert page.one("td", inside=None, **{"class": "chart-shade-2"}).text == "1:3"
    assert [cell.attributes["scope"] for cell in page.all("th")] == ["col", "col", "row", "row"]


@pytest.mark.parametrize(
    ("shade", "step"), [(None, 0), (0, 0), (0.01, 1), (0.2, 1), (0.21, 2), (1, 5), (7, 5), (-1, 0)]
)
def test_shades_are_steps(shade: float | None, step: int) -> None:
    (row,) = matrix("", ["a"], ["b"], [[Cell("x", shade)]]).rows
    assert row[1][0] is not None
    assert row[1][0].step == step


def test_a_matrix_without_rows_and_one_with_a_cell_too_few() -> None:
    assert "There are no values yet." in drawn("chart_matrix", matrix("Head to head", [], [], [])).text
    with pytest.raises(ValueError, match="one cell"):
        matrix("Head to head", ["Ann"], ["Ann", "Ben"], [[None]])


def test_a_sparkline_ends_in_a_dot_at_the_last_value() -> None:
    line = sparkline([3, 1, None, 4], lower_is_better=True, name="Ann")
    assert line.description == "Ann: first 3, last 4, best 1, worst 4"
    points = numbers(line.path)
    assert line.end is not None
    assert points[-2:] == [line.end.x, line.end.y]
    assert points[1] < line.end.y
    page = drawn("sparkline", line)
    assert page.one("title").text == line.description


@pytest.mark.parametrize("values", [[], [None], [2], [2, 2, 2]])
def test_sparklines_of_little(values: list[Number | None]) -> None:
    line = sparkline(values)
    assert (line.end is None) == (not any(values))
    if line.end is not None:
        assert line.end.y == line.height / 2
    drawn("sparkline", line)


# --- Any values -------------------------------------------------------------------------------------------------------

_numbers = st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6) | st.decimals(-1000, 1000, places=2)


@given(st.lists(st.none() | _numbers, max_size=70), st.booleans())
def test_every_coordinate_lies_in_the_drawing(values: list[Number | None], lower_is_better: bool) -> None:
    chart: LineChart | BarChart
    chart = line_chart("Form", [places(*values)], lower_is_better=lower_is_better)
    for x, y in zip(*[iter(numbers(chart.lines[0].path))] * 2, strict=True):
        assert chart.left <= x <= chart.right
        assert chart.top <= y <= chart.bottom
    assert 0 < chart.left < WIDTH / 2
    assert 2 <= len(chart.heights) <= 8
    ElementTree.fromstring(f"<body>{render_to_string('web/parts/chart_line.html', {'chart': chart})}</body>")
    known = [value for value in values if value is not None]
    for across in (False, True):
        chart = bar_chart("Places", [Bar("a", value) for value in known], across=across)
        for bar in chart.bars:
            assert 0 <= bar.x <= bar.x + bar.width <= WIDTH + 0.1
            assert 0 <= bar.y <= bar.y + bar.height <= chart.height + 0.1
    line = sparkline(values, lower_is_better=lower_is_better)
    assert all(0 <= number <= line.width for number in numbers(line.path))
