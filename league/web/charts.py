"""Charts for pages: plain values in, frozen shapes with every coordinate out; templates draw them as inline SVG.

    form = line_chart(_("Form"), [Series("Ann", [Point("3 Nov", 2), Point("10 Nov", None)])], lower_is_better=True)

and in a template, whatever its language: `{% include "web/parts/chart_line.html" with chart=form %}`, as well
`chart_bars.html` for `bar_chart`, `chart_matrix.html` for `matrix`, `sparkline.html` for `sparkline`.

Terms: a *series* is one line of values; a *band* is the range around the first series; a *tick* is a labelled line of
an axis; a *style* is a colour together with a dash and a sign, so that no colour speaks alone (`static/charts.css`).
Units: coordinates are those of the drawing's `viewBox`, from the top left corner; pages scale it. Promises: the same
values give the same chart; any number of values, none included; numbers are worded in the active language; every chart
has a description and the table of its values. Never: reads anything, bears a style of its own.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from math import ceil, floor, isclose, isfinite, log10

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

Number = int | float | Decimal | Fraction

WIDTH = 480
# The sign of each style as a path around a value: circle, square, triangles, diamond, ring (static/charts.css).
_CIRCLE = "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0"
_SIGNS = (_CIRCLE, "M-4-4H4V4H-4Z", "M0-5 5 4H-5Z", "M0-5.5 5.5 0 0 5.5-5.5 0Z", "M0 5 5-4H-5Z", _CIRCLE)
STYLES = len(_SIGNS)
# Charts are drawn for a phone as well, where texts are set in 18 units to stay readable (static/charts.css): what has
# to fit is reckoned with letters of that size, and with room for a wide one.
_LETTER = 10.5
_EDGE = 8
_BELOW = 30
# More dots than these run into each other.
_MOST_DOTS = 60
_MOST_LABELLED_BARS = 12
_TOLD_SERIES = 3
_NOTHING = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Point:
    """One value under its label; None is a gap. `text` is how the value reads, "" for the number itself."""

    label: str
    value: Number | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """One line; points stand at equal distances in their order."""

    name: str
    points: Sequence[Point]


@dataclass(frozen=True, slots=True)
class Band:
    """Lowest and highest around each point of the first series; None is a gap. `name` says what the range is."""

    name: str
    ranges: Sequence[tuple[Number, Number] | None]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar; `text` is what stands at it, "" for the number itself."""

    label: str
    value: Number
    text: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a matrix: what it reads, and how dark it is shaded from 0 to 1, None for not at all."""

    text: str
    shade: Number | None = None


# --- What comes out ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on an axis. `anchor` as SVG has it; `is_between` for those that a narrow page leaves out."""

    at: float
    text: str
    anchor: str = "middle"
    is_between: bool = False


@dataclass(frozen=True, slots=True)
class Dot:
    """The sign at a value, and what it says."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A series as it is drawn: one path with gaps; `style` from 1 to `STYLES`, `sign` the path of its sign."""

    name: str
    style: int
    sign: str
    path: str
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table of values."""

    label: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LineChart:
    """Lines over equal steps; `band` is a closed path or "". The plot lies between `left`, `top`, `right`, `bottom`."""

    title: str
    description: str
    width: int
    height: int
    left: float
    top: float
    right: float
    bottom: float
    heights: tuple[Tick, ...]
    labels: tuple[Tick, ...]
    lines: tuple[Line, ...]
    band: str
    band_name: str
    heading: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is no value to draw."""
        return not any(line.path for line in self.lines)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A bar as it is drawn: the box, and where its text and label stand; `label` "" where there is no room for it."""

    x: float
    y: float
    width: float
    height: float
    said: str
    text: str
    text_x: float
    text_y: float
    label: str
    label_x: float
    label_y: float


@dataclass(frozen=True, slots=True)
class BarChart:
    """Bars from a base line at `base`: upright on a height of it, or across from a distance of it."""

    title: str
    description: str
    width: int
    height: float
    across: bool
    base: float
    left: float
    right: float
    bottom: float
    heights: tuple[Tick, ...]
    bars: tuple[Drawn, ...]
    heading: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.bars


@dataclass(frozen=True, slots=True)
class Shaded:
    """A cell as it is shown; `step` from 0 (no shade) to 5 (the darkest)."""

    text: str
    step: int


@dataclass(frozen=True, slots=True)
class Matrix:
    """A table with shaded cells; None is a cell that there can't be, as a player against the same player."""

    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Shaded | None, ...]], ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is no row."""
        return not self.rows


@dataclass(frozen=True, slots=True)
class Sparkline:
    """A line as small as a word; `path` is "" where there is nothing to draw, `end` the last value."""

    description: str
    width: int
    height: int
    path: str
    end: Dot | None


# --- Charts -----------------------------------------------------------------------------------------------------------


def line_chart(
    title: str,
    series: Sequence[Series],
    *,
    lower_is_better: bool = False,
    band: Band | None = None,
    unit: str = "",
    heading: str = "",
    height: int = 240,
) -> LineChart:
    """Lines of values over the same labels, better always upwards: with `lower_is_better` the axis stands upside down.

    `heading` says what the labels are, for the table. Raises ValueError where the series do not have the same labels,
    where the band has not one range a point, or where a number is not finite.
    """
    labels = [point.label for point in series[0].points] if series else []
    if any([point.label for point in one.points] != labels for one in series):
        raise ValueError("every series has the same labels in the same order")
    ranges = list(band.ranges) if band is not None and series else []
    if ranges and len(ranges) != len(labels):
        raise ValueError("a band has one range for each point")
    values = [[_float(point.value) for point in one.points] for one in series]
    spans = [None if one is None else (_known(one[0]), _known(one[1])) for one in ranges]
    told = [one for line in values for one in line if one is not None]
    seen = [*told, *(end for span in spans if span is not None for end in span)]
    ticks, decimals = _ticks(seen, lower_is_better=lower_is_better), _decimals(seen)
    tick_texts = [_worded(tick, _decimals(ticks)) for tick in ticks]
    left = _EDGE + _LETTER * max((len(text) for text in tick_texts), default=0) + 4
    top, right, bottom = 14.0, float(WIDTH - _EDGE - 6), float(height - _BELOW)

    def x_of(index: int) -> float:
        return _rounded(left + 6 + (right - left - 6) * (index / (len(labels) - 1) if len(labels) > 1 else 0.5))

    def y_of(value: float) -> float:
        low, high = ticks[0], ticks[-1]
        share = (value - low) / (high - low)
        return _rounded(top + (bottom - top) * (share if lower_is_better else 1 - share))

    def word(point: Point) -> str:
        value = _float(point.value)
        return point.text or (_NOTHING if value is None else _worded(value, decimals))

    lines = []
    for number, (one, found) in enumerate(zip(series, values, strict=True)):
        places = [None if value is None else (x_of(index), y_of(value)) for index, value in enumerate(found)]
        alone = _alone(places)
        dots = tuple(
            Dot(*place, _said(one.name if len(series) > 1 else "", point.label, _with_unit(word(point), unit)))
            for index, (place, point) in enumerate(zip(places, one.points, strict=True))
            if place is not None and (len(labels) <= _MOST_DOTS or index in alone)
        )
        lines.append(Line(one.name, number % STYLES + 1, _SIGNS[number % STYLES], _path(places), dots))
    rows = []
    for index, label in enumerate(labels):
        texts = [word(one.points[index]) for one in series]
        if spans:
            span = spans[index]
            texts.append(_NOTHING if span is None else f" {_NOTHING} ".join(_worded(end, decimals) for end in span))
        rows.append(Row(label, tuple(texts)))
    columns = [f"{one.name} ({unit})" if unit else one.name for one in series]
    return LineChart(
        title=title,
        description=_line_description(series, word, lower_is_better=lower_is_better),
        width=WIDTH,
        height=height,
        left=_rounded(left),
        top=top,
        right=right,
        bottom=bottom,
        heights=tuple(Tick(y_of(tick), text, "end") for tick, text in zip(ticks, tick_texts, strict=True)),
        labels=_label_ticks(labels, x_of, right - left),
        lines=tuple(lines),
        band=_closed(
            [None if span is None else (x_of(i), y_of(span[0]), y_of(span[1])) for i, span in enumerate(spans)]
        ),
        band_name=band.name if band is not None and any(span is not None for span in spans) else "",
        heading=heading,
        columns=(*columns, *([band.name] if band is not None and spans else [])),
        rows=tuple(rows),
    )


def bar_chart(
    title: str, bars: Sequence[Bar], *, across: bool = False, heading: str = "", counted: str = ""
) -> BarChart:
    """Bars from zero: upright, or `across` with each label above its bar, which has room for long names.

    `heading` says what the labels are, `counted` what the values are, both for the table. Raises ValueError where a
    number is not finite.
    """
    values = [_known(bar.value) for bar in bars]
    decimals = _decimals(values)
    texts = [bar.text or _worded(value, decimals) for bar, value in zip(bars, values, strict=True)]
    rows = tuple(Row(bar.label, (text,)) for bar, text in zip(bars, texts, strict=True))
    low, high = min([0.0, *values]), max([0.0, *values])
    # Bars that are all nothing stand at the foot, not in the middle.
    high = high if high > low else low + 1
    heights: tuple[Tick, ...] = ()
    if across:
        drawn, base, left, bottom = _bars_across(bars, values, texts, low, high)
    else:
        drawn, base, left, bottom, heights = _bars_upright(bars, values, texts, low, high)
    return BarChart(
        title=title,
        description=_bar_description(bars, values, texts),
        width=WIDTH,
        height=bottom if across else bottom + _BELOW,
        across=across,
        base=base,
        left=left,
        right=float(WIDTH - _EDGE),
        bottom=bottom,
        heights=heights,
        bars=drawn,
        heading=heading,
        columns=(counted or _("Value"),),
        rows=rows,
    )


def matrix(
    title: str, rows: Sequence[str], columns: Sequence[str], cells: Sequence[Sequence[Cell | None]], *, corner: str = ""
) -> Matrix:
    """A table of `cells[row][column]`; `corner` says how it is read.

    Raises ValueError where there is not one cell for each row and column.
    """
    if len(cells) != len(rows) or any(len(line) != len(columns) for line in cells):
        raise ValueError("a matrix has one cell for each row and column")

    def shaded(cell: Cell | None) -> Shaded | None:
        if cell is None:
            return None
        return Shaded(cell.text, 0 if cell.shade is None else _step(_known(cell.shade)))

    lines = tuple((name, tuple(map(shaded, line))) for name, line in zip(rows, cells, strict=True))
    return Matrix(title, corner, tuple(columns), lines)


def sparkline(values: Sequence[Number | None], *, lower_is_better: bool = False, name: str = "") -> Sparkline:
    """A small line of values for a cell of a table, better upwards; `name` begins what it says to who can't see it."""
    width, height, edge = 96, 24, 4
    found = [_float(value) for value in values]
    told = [value for value in found if value is not None]
    low, high = (min(told), max(told)) if told else (0.0, 0.0)

    def y_of(value: float) -> float:
        share = (value - low) / (high - low) if high > low else 0.5
        return _rounded(edge + (height - 2 * edge) * (share if lower_is_better else 1 - share))

    step = (width - 2 * edge) / max(len(found) - 1, 1)
    places = [None if value is None else (_rounded(edge + i * step), y_of(value)) for i, value in enumerate(found)]
    if not told:
        return Sparkline(_said(name, "", _("no values")), width, height, "", None)
    decimals = _decimals(told)
    words = [_worded(value, decimals) for value in told]
    best, worst = (low, high) if lower_is_better else (high, low)
    said = _("first %(first)s, last %(last)s, best %(best)s, worst %(worst)s") % {
        "first": words[0],
        "last": words[-1],
        "best": _worded(best, decimals),
        "worst": _worded(worst, decimals),
    }
    last = next(place for place in reversed(places) if place is not None)
    return Sparkline(_said(name, "", said), width, height, _path(places), Dot(*last, words[-1]))


# --- Bars -------------------------------------------------------------------------------------------------------------


def _bars_upright(
    bars: Sequence[Bar], values: Sequence[float], texts: Sequence[str], low: float, high: float
) -> tuple[tuple[Drawn, ...], float, float, float, tuple[Tick, ...]]:
    """The bars, their base line, where the plot begins and ends, and the ticks where bars are too many for texts."""
    height, top, right = 220, 26.0, float(WIDTH - _EDGE)
    bottom = float(height - _BELOW)
    few = len(bars) <= _MOST_LABELLED_BARS
    ticks = [] if few else _ticks([low, high], lower_is_better=False)
    tick_texts = [_worded(tick, _decimals(ticks)) for tick in ticks]
    left = _EDGE + (_LETTER * max(map(len, tick_texts)) + 4 if ticks else 0)
    low, high = (ticks[0], ticks[-1]) if ticks else (low, high)
    # Texts of bars below zero stand below them.
    foot = bottom - (20 if few and low < 0 else 0)

    def y_of(value: float) -> float:
        return _rounded(top + (foot - top) * (1 - (value - low) / (high - low)))

    slot = (right - left) / max(len(bars), 1)
    width = min(slot * 0.72, 64.0)
    room = int(slot / _LETTER)
    longest = max((len(bar.label) for bar in bars), default=0)
    every = 1 if few else max(1, ceil((longest + 1) * _LETTER / slot))
    drawn = []
    for index, (bar, value, text) in enumerate(zip(bars, values, texts, strict=True)):
        middle = left + slot * (index + 0.5)
        ends = sorted((y_of(0), y_of(value)))
        label = (_cut(bar.label, room) if few else bar.label) if index % every == 0 else ""
        drawn.append(
            Drawn(
                x=_rounded(middle - width / 2),
                y=ends[0],
                width=_rounded(width),
                height=_rounded(ends[1] - ends[0]),
                said=_said("", bar.label, text),
                text=_cut(text, max(room, 3)) if few else "",
                text_x=_rounded(middle),
                text_y=_rounded(ends[1] + 18 if value < 0 else ends[0] - 6),
                label=label,
                label_x=_rounded(middle),
                label_y=bottom + 22,
            )
        )
    heights = tuple(Tick(y_of(tick), text, "end") for tick, text in zip(ticks, tick_texts, strict=True))
    return tuple(drawn), y_of(0), _rounded(left), bottom, heights


def _bars_across(
    bars: Sequence[Bar], values: Sequence[float], texts: Sequence[str], low: float, high: float
) -> tuple[tuple[Drawn, ...], float, float, float]:
    """The bars, their base line, where the plot begins and where it ends below."""
    line, thick, left = 50, 18, float(_EDGE)
    # The text stands behind its bar, within the drawing.
    room = min(max((len(text) for text in texts), default=0), 16)
    right = WIDTH - _EDGE - _LETTER * room - 6

    def x_of(value: float) -> float:
        return _rounded(left + (right - left) * (value - low) / (high - low))

    drawn = []
    for index, (bar, value, text) in enumerate(zip(bars, values, texts, strict=True)):
        ends = sorted((x_of(0), x_of(value)))
        drawn.append(
            Drawn(
                x=ends[0],
                y=float(index * line + 24),
                width=_rounded(ends[1] - ends[0]),
                height=float(thick),
                said=_said("", bar.label, text),
                text=_cut(text, 16),
                text_x=_rounded(ends[1] + 6),
                text_y=float(index * line + 38),
                label=_cut(bar.label, int((WIDTH - 2 * _EDGE) / _LETTER)),
                label_x=left,
                label_y=float(index * line + 17),
            )
        )
    return tuple(drawn), x_of(0), left, float(len(bars) * line)


def _bar_description(bars: Sequence[Bar], values: Sequence[float], texts: Sequence[str]) -> str:
    if not bars:
        return _("no values")
    if len(bars) <= _MOST_LABELLED_BARS:
        return "; ".join(_said("", bar.label, text) for bar, text in zip(bars, texts, strict=True))
    most, least = values.index(max(values)), values.index(min(values))
    return ngettext(
        "%(count)s bar; most: %(most)s; least: %(least)s", "%(count)s bars; most: %(most)s; least: %(least)s", len(bars)
    ) % {
        "count": number_format(len(bars)),
        "most": _said("", bars[most].label, texts[most]),
        "least": _said("", bars[least].label, texts[least]),
    }


# --- Lines ------------------------------------------------------------------------------------------------------------

Place = tuple[float, float] | None


def _path(places: Sequence[Place]) -> str:
    """One path through the places, lifted at each gap; "" without places."""
    runs = [list(run) for is_gap, run in groupby(places, lambda place: place is None) if not is_gap]
    return "".join("M" + "L".join(f"{place[0]:g} {place[1]:g}" for place in run if place) for run in runs)


def _closed(sides: Sequence[tuple[float, float, float] | None]) -> str:
    """The area between two heights at each x, in one piece for each run without a gap; "" without any."""
    pieces = []
    for is_gap, run in groupby(sides, lambda side: side is None):
        if is_gap:
            continue
        found = [side for side in run if side is not None]
        outline = [*((x, low) for x, low, _high in found), *((x, high) for x, _low, high in reversed(found))]
        pieces.append("M" + "L".join(f"{x:g} {y:g}" for x, y in outline) + "Z")
    return "".join(pieces)


def _alone(places: Sequence[Place]) -> set[int]:
    """Places between gaps, which no line would show."""
    padded: list[Place] = [None, *places, None]
    return {i for i, place in enumerate(places) if place is not None and padded[i] is None and padded[i + 2] is None}


def _label_ticks(labels: Sequence[str], x_of: Callable[[int], float], room: float) -> tuple[Tick, ...]:
    """As many labels as fit beside each other, the first and the last always, at even distances."""
    if len(labels) <= 1:
        return tuple(Tick(x_of(0), _cut(label, int(room / _LETTER))) for label in labels)
    longest = max(map(len, labels))
    fitting = max(2, min(len(labels), int(room / ((longest + 2) * _LETTER))))
    shown = sorted({round(index * (len(labels) - 1) / (fitting - 1)) for index in range(fitting)})
    last = len(labels) - 1
    half = int(room / 2 / _LETTER) - 1
    anchors = {0: "start", last: "end"}
    return tuple(
        Tick(x_of(index), _cut(labels[index], half), anchors.get(index, "middle"), index not in anchors)
        for index in shown
    )


def _line_description(series: Sequence[Series], word: Callable[[Point], str], *, lower_is_better: bool) -> str:
    sentences = []
    for one in series[:_TOLD_SERIES]:
        known = [point for point in one.points if point.value is not None]
        if not known:
            sentences.append(_said(one.name, "", _("no values")))
            continue
        ordered = sorted(known, key=lambda point: _known(point.value or 0), reverse=not lower_is_better)
        words = {
            "count": number_format(len(known)),
            "first": _said("", known[0].label, word(known[0])),
            "last": _said("", known[-1].label, word(known[-1])),
            "best": word(ordered[0]),
            "worst": word(ordered[-1]),
        }
        said = ngettext(
            "%(count)s value; first %(first)s; last %(last)s; best %(best)s, worst %(worst)s",
            "%(count)s values; first %(first)s; last %(last)s; best %(best)s, worst %(worst)s",
            len(known),
        )
        sentences.append(_said(one.name, "", said % words))
    more = len(series) - _TOLD_SERIES
    if more > 0:
        sentences.append(ngettext("and %(count)s more", "and %(count)s more", more) % {"count": number_format(more)})
    return ". ".join(sentences) or _("no values")


# --- Numbers ----------------------------------------------------------------------------------------------------------


def _known(value: Number) -> float:
    found = float(value)
    if not isfinite(found):
        raise ValueError("a chart shows finite numbers")
    return found


def _float(value: Number | None) -> float | None:
    return None if value is None else _known(value)


def _rounded(value: float) -> float:
    return round(value, 1)


def _decimals(values: Iterable[float]) -> int:
    """How many decimal places, two at most, tell these values."""
    found = list(values)
    return next((count for count in (0, 1) if all(isclose(v, round(v, count), abs_tol=1e-9) for v in found)), 2)


def _worded(value: float, decimals: int) -> str:
    # As decimal, since of a float Django cuts places off instead of rounding. Adding zero makes -0 a 0.
    return str(number_format(Decimal(f"{value:.{decimals}f}") + 0, decimals))


def _ticks(values: Sequence[float], *, lower_is_better: bool) -> list[float]:
    """Two to seven round numbers at even distances, around all values."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if high - low <= 1e-6 * max(1.0, abs(low), abs(high)):
        # One value: over a whole place there is none better; others lie in the middle, not below zero without need.
        if lower_is_better:
            low, high = floor(low), floor(high) + 1
        else:
            low, high = (max(0.0, low - 1) if low >= 0 else low - 1), high + 1
    rough = (high - low) / 5
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    if all(float(value).is_integer() for value in values):
        step = max(1.0, step)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def _step(shade: float) -> int:
    return min(5, max(0, ceil(shade * 5 - 1e-9)))


# --- Words ------------------------------------------------------------------------------------------------------------


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[: max(letters - 1, 1)].rstrip()}…"


def _with_unit(text: str, unit: str) -> str:
    return f"{text}\N{NO-BREAK SPACE}{unit}" if unit else text


def _said(name: str, label: str, text: str) -> str:
    return ": ".join(part for part in (name, label, text) if part)
