"""A season's standings as a picture for chats: SVG from a template, PNG drawn.

Terms: a *picture* is what either shows, as plain values; sizes are pixels of a picture 1200 wide, which is what chats
make previews of. Promises: the same picture gives the same bytes; what is too long for its place ends in an ellipsis;
a name in letters that the font lacks is drawn with a font of the system, and where that lacks them too in letters near
to them, never as empty boxes. Never: reads anything.
"""

import io
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate

from django.template.loader import render_to_string
from PIL import Image, ImageDraw, ImageFont

WIDTH = 1200
MAXIMUM_ROWS = 25
# As many as a preview of the usual shape (1200 by 630) has room for.
USUAL_ROWS = 8

_HEAD, _NAMES, _ROW, _FOOT, _EDGE = 138, 46, 48, 62, 56
# Drawn larger and made smaller again, since Pillow's shapes have hard edges.
_SCALE = 2


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours by what they are for: those of the pages."""

    page: str
    ink: str
    quiet: str
    line: str
    stripe: str
    felt: str
    on_felt: str
    soft_on_felt: str


THEMES: Mapping[str, Theme] = {
    "light": Theme("#fffefa", "#1d2521", "#5a655f", "#dcd8cb", "#f4f7f1", "#17573d", "#f3f8f4", "#b9d8c8"),
    "dark": Theme("#19211d", "#e8ede9", "#a3b0a8", "#313d36", "#1e2822", "#124631", "#eaf5ee", "#a9cdbb"),
}
_CARD, _CARD_EDGE, _CARD_INK = "#ffffff", "#c9c5b6", "#1d2521"
_GOLD, _GOLD_EDGE, _GOLD_INK = "#e0a526", "#b98310", "#2b1d00"


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line in words: `rank` "" for none; `values` stand under the picture's columns."""

    rank: str
    is_first: bool
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """What is shown; the last column is the one that ranks. `foot` says what is left out, or "" """

    title: str
    subtitle: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    foot: str
    theme: str

    @property
    def height(self) -> int:
        """In the shape of a preview, or longer where the lines need it."""
        return max(630, _HEAD + _NAMES + _ROW * len(self.lines) + _FOOT)


def _column_ends(picture: Picture) -> list[int]:
    """Where each column of numbers ends, from the left."""
    widths = [150] * (len(picture.columns) - 1) + [190]
    total = sum(widths)
    return [WIDTH - _EDGE - total + end for end in accumulate(widths)]


def svg(picture: Picture) -> bytes:
    """The picture as SVG, its texts in whatever font the reader has."""
    ends = _column_ends(picture)
    letters = _Letters.of(picture)
    top = _HEAD + _NAMES
    lines = [
        {
            "line": line,
            "top": top + index * _ROW,
            "middle": top + index * _ROW + _ROW // 2,
            "values": list(zip(line.values, ends, strict=True)),
            "name": letters.cut(line.name, 30, ends[0] - _EDGE - 210),
        }
        for index, line in enumerate(picture.lines)
    ]
    context = {
        "picture": picture,
        "theme": THEMES[picture.theme],
        "title": letters.cut(picture.title, 44, WIDTH - 2 * _EDGE - 120),
        "subtitle": letters.cut(picture.subtitle, 25, WIDTH - 2 * _EDGE - 120),
        "lines": lines,
        "columns": list(zip(picture.columns, ends, strict=True)),
        "names_at": _HEAD + 31,
        "foot_at": picture.height - 24,
    }
    return render_to_string("web/standings.svg", context).encode()


# --- Letters ----------------------------------------------------------------------------------------------------------

_SYSTEM_FONTS = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "LiberationSans-Regular.ttf", "Arial.ttf", "arial.ttf")
# Letters near to those that a font lacks, where taking off their marks does not help.
_NEAR: Mapping[str, str] = {
    **{"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ẞ": "SS"},
    **{"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D"},
    **{"ı": "i", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "–": "-", "—": "-", "−": "-"},  # noqa: RUF001
    **dict(zip("абвгдезийклмнопрстуфыэії", "abvgdezijklmnoprstufyeii", strict=True)),
    **{"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ь": "", "ю": "yu", "я": "ya"},  # noqa: RUF001
    **{"є": "ye", "ґ": "g", "ђ": "dj", "ћ": "c", "љ": "lj", "њ": "nj", "џ": "dz", "ј": "j"},  # noqa: RUF001
    **dict(zip("αβγδεζηικλμνξοπρστυφω", "avgdeziiklmnxoprstyfo", strict=True)),
    **{"θ": "th", "χ": "ch", "ψ": "ps", "ς": "s"},
}
# The size at which it is found out which letters a font has.
_SAMPLE = 24
# What has no letter near it.
_UNKNOWN = "?"

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@cache
def _bundled(size: int) -> Font:
    return ImageFont.load_default(size)


@cache
def _of_system(size: int) -> Font | None:
    for name in _SYSTEM_FONTS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return None


@cache
def _has(font: Font, letter: str) -> bool:
    """Whether a font has a letter; what it lacks looks like what no font has."""
    if letter.isspace():
        return True
    return bytes(font.getmask(letter)) != bytes(font.getmask("\U0010fffd"))


@dataclass(frozen=True, slots=True)
class _Letters:
    """One font for all of a picture, so that no line looks unlike the next: the bundled one or the system's."""

    of_system: bool

    @staticmethod
    def of(picture: Picture) -> "_Letters":
        """The bundled font where it has every letter, else that of the system if there is one."""
        values = [value for line in picture.lines for value in line.values]
        texts = (picture.title, picture.subtitle, picture.foot, *picture.columns, *values)
        letters = set(unicodedata.normalize("NFC", "".join([*texts, *(line.name for line in picture.lines)])))
        bundled = _bundled(_SAMPLE)
        return _Letters(_of_system(_SAMPLE) is not None and not all(_has(bundled, letter) for letter in letters))

    def font(self, size: int) -> Font:
        return (_of_system(size) if self.of_system else None) or _bundled(size)

    def drawn(self, text: str) -> str:
        """The text as it can be drawn."""
        text, font = unicodedata.normalize("NFC", text), self.font(_SAMPLE)
        return "".join(letter if _has(font, letter) else _near(letter, font) for letter in text)

    def cut(self, text: str, size: int, room: int) -> str:
        """The text, or as much of its beginning as fits into so many pixels, with an ellipsis."""
        font = self.font(size)
        if font.getlength(self.drawn(text)) <= room:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if font.getlength(self.drawn(f"{text[:middle].rstrip()}…")) <= room:
                low = middle
            else:
                high = middle - 1
        return f"{text[:low].rstrip()}…"


def _near(letter: str, font: Font) -> str:
    for one in (letter, unicodedata.normalize("NFKD", letter)[0]):
        if one in _NEAR:
            return _NEAR[one]
        if one.lower() in _NEAR:
            return _NEAR[one.lower()].capitalize()
        if _has(font, one):
            return one
    return "" if unicodedata.category(letter) in {"Mn", "Cf", "Sk"} else _UNKNOWN


# --- PNG --------------------------------------------------------------------------------------------------------------


class _Canvas:
    """Draws in pixels of the picture, on an image `_SCALE` times as large."""

    def __init__(self, height: int, colour: str, letters: _Letters) -> None:
        self._letters = letters
        self.image = Image.new("RGB", (WIDTH * _SCALE, height * _SCALE), colour)
        self._draw = ImageDraw.Draw(self.image)

    def box(
        self, left: float, top: float, right: float, bottom: float, *, fill: str, edge: str = "", radius: int = 0
    ) -> None:
        corners = [left * _SCALE, top * _SCALE, right * _SCALE - 1, bottom * _SCALE - 1]
        self._draw.rounded_rectangle(
            corners, radius * _SCALE, fill=fill, outline=edge or None, width=_SCALE if edge else 0
        )

    def circle(self, x: float, y: float, radius: float, *, fill: str, edge: str = "", width: float = 0) -> None:
        corners = [(x - radius) * _SCALE, (y - radius) * _SCALE, (x + radius) * _SCALE, (y + radius) * _SCALE]
        self._draw.ellipse(corners, fill=fill or None, outline=edge or None, width=round(width * _SCALE))

    def polygon(self, points: list[tuple[float, float]], fill: str) -> None:
        self._draw.polygon([(x * _SCALE, y * _SCALE) for x, y in points], fill=fill)

    def text(self, x: float, y: float, text: str, *, size: int, fill: str, anchor: str, heavy: bool = False) -> None:
        """`anchor` as Pillow has it: l, m or r for the side, m for the middle, s for the base line."""
        font, drawn = self._letters.font(size * _SCALE), self._letters.drawn(text)
        # There is one weight of the font; a thin line around the letters makes them heavier.
        stroke = {"stroke_width": max(1, size * _SCALE // 48), "stroke_fill": fill} if heavy else {}
        self._draw.text((x * _SCALE, y * _SCALE), drawn, font=font, fill=fill, anchor=anchor, **stroke)  # type: ignore[arg-type]

    def png(self) -> bytes:
        size = (self.image.width // _SCALE, self.image.height // _SCALE)
        target = io.BytesIO()
        self.image.resize(size, Image.Resampling.LANCZOS).save(target, "PNG")
        return target.getvalue()


# A chat asks for the same picture for everyone who sees the link; drawing takes a tenth of a second and more.
@lru_cache(maxsize=64)
def png(picture: Picture) -> bytes:
    """The picture as PNG."""
    theme = THEMES[picture.theme]
    letters = _Letters.of(picture)
    canvas = _Canvas(picture.height, theme.page, letters)
    canvas.box(0, 0, WIDTH, _HEAD, fill=theme.felt)
    _logo(canvas, _EDGE + 42, _HEAD / 2)
    room = WIDTH - 2 * _EDGE - 120
    canvas.text(
        _EDGE + 112, 70, letters.cut(picture.title, 44, room), size=44, fill=theme.on_felt, anchor="ls", heavy=True
    )
    canvas.text(
        _EDGE + 113, 108, letters.cut(picture.subtitle, 25, room), size=25, fill=theme.soft_on_felt, anchor="ls"
    )
    ends = _column_ends(picture)
    for name, end in zip(picture.columns, ends, strict=True):
        canvas.text(end, _HEAD + 31, name, size=20, fill=theme.quiet, anchor="rs")
    canvas.box(0, _HEAD + _NAMES - 2, WIDTH, _HEAD + _NAMES, fill=theme.line)
    for index, line in enumerate(picture.lines):
        top = _HEAD + _NAMES + index * _ROW
        middle = top + _ROW / 2
        if index % 2:
            canvas.box(0, top, WIDTH, top + _ROW, fill=theme.stripe)
        _rank(canvas, line, middle, theme)
        name = letters.cut(line.name, 30, ends[0] - _EDGE - 210)
        canvas.text(_EDGE + 96, middle + 10, name, size=30, fill=theme.ink, anchor="ls", heavy=line.is_first)
        for place, (value, end) in enumerate(zip(line.values, ends, strict=True), start=1):
            size, fill = (30, theme.ink) if place == len(ends) else (26, theme.quiet)
            canvas.text(end, middle + 10, value, size=size, fill=fill, anchor="rs", heavy=place == len(ends))
    foot = picture.height - 24
    canvas.text(_EDGE, foot, picture.foot, size=20, fill=theme.quiet, anchor="ls")
    canvas.text(WIDTH - _EDGE, foot, "Tischliga", size=20, fill=theme.quiet, anchor="rs", heavy=True)
    return canvas.png()


def _rank(canvas: _Canvas, line: Line, middle: float, theme: Theme) -> None:
    """A rank as a small playing card, as on the pages."""
    left, right = _EDGE, _EDGE + 62
    if not line.rank:
        canvas.text((left + right) / 2, middle + 9, "-", size=28, fill=theme.quiet, anchor="ms")
        return
    fill, edge, ink = (_GOLD, _GOLD_EDGE, _GOLD_INK) if line.is_first else (_CARD, _CARD_EDGE, _CARD_INK)
    canvas.box(left, middle - 19, right, middle + 19, fill=fill, edge=edge, radius=8)
    canvas.text((left + right) / 2, middle + 9, line.rank, size=25, fill=ink, anchor="ms", heavy=True)


def _logo(canvas: _Canvas, x: float, y: float) -> None:
    """The sign of the pages: a round table with two cards on it."""
    canvas.circle(x, y, 42, fill="#17573d", edge="#7fc4a0", width=3)

    def card(left: float, slant: float, turn: float) -> None:
        top = y - 21
        canvas.polygon(
            [
                (left + slant, top),
                (left + 25 + slant, top + turn),
                (left + 25 - slant, top + 40 + turn),
                (left - slant, top + 40),
            ],
            _CARD,
        )

    card(x - 24, -4, -4)
    canvas.polygon([(x - 12, y - 11), (x - 5, y - 1), (x - 9, y + 10), (x - 17, y)], "#c8372d")
    card(x - 1, 4, 5)
    canvas.circle(x + 11, y + 2, 6.5, fill=_GOLD)
