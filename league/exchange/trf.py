"""Tournament report files of FIDE (TRF16), the exchange format of pairing programs: text in, values out, and back.

Terms: a *report* is a file's tournament with its players; a player's *number* is the starting-rank number (1 to 9999),
by which others name this one as opponent; an *entry* is what a player's line says of one round. Columns are counted in
characters from 1. The first of a table has white.

Promises: `read(write(report)) == report` for what fits the columns (see `write`). `read` gives a report or raises
NotTrf with every problem found, each with its line, columns and field, and what is allowed there, whatever text it is
given. Lines that the format knows for teams, comments and what other programs add are kept as they are. Never: counts
points anew, or believes one player's line over another's.

Source: FIDE Handbook C.04 Annex 2, "Format of Tournament Report File (TRF)", TRF16, approved in August 2015; XXR (how
many rounds there will be) and XXC (`white1`, `black1`: the first colour of number 1) from the manual of JaVaFo.

| columns | of a line 001 | columns | of each round, 10 further on |
|---|---|---|---|
| 5-8 | number | 92-95 | number of the opponent, 0000 for none |
| 10 | sex: m, w | 97 | colour: w, b, - for none |
| 11-13 | title | 99 | result, see `RESULTS` |
| 15-47 | name | | |
| 49-52 | rating | | |
| 54-56 | federation | | |
| 58-68 | FIDE number | | |
| 70-79 | date of birth | | |
| 81-84 | points, as 11.5 | | |
| 86-89 | rank | | |
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from types import MappingProxyType
from typing import Literal

from league.exchange.plays import one_line

Colour = Literal["w", "b", ""]

MAX_CHARACTERS = 5_000_000
MAX_NUMBER = 9999
MAX_ROUNDS = 99
MAX_PROBLEMS = 50

# By result, the results that the opponent may have with it; none for those that need no opponent.
RESULTS: Mapping[str, str] = MappingProxyType(
    {
        # Played. Two zeros and half a point against none are decisions of an arbiter.
        "1": "0",
        "=": "=0",
        "0": "10=",
        # Played for less than one move; not rated.
        "W": "L",
        "D": "D",
        "L": "W",
        # Forfeits, of one or both.
        "+": "-",
        "-": "+-",
        # Byes: pairing-allocated, of a full, a half and no point.
        "U": "",
        "F": "",
        "H": "",
        "Z": "",
    }
)
_BYES = frozenset("UFHZ")

# The code of each problem and what it says.
CODES: Mapping[str, str] = MappingProxyType(
    {
        "too_large": "the text is longer than allowed",
        "missing": "what the format demands is missing",
        "not_read": "the field holds something else than allowed",
        "twice": "what there may be once stands there again",
        "unknown_opponent": "no player has the number of the opponent",
        "own_opponent": "a player is the own opponent",
        "other_opponent": "the opponent's line names somebody else for this round",
        "same_colour": "the opponent's line has the same colour, or none",
        "other_result": "the opponent's line has a result that does not go with this one",
    }
)


@dataclass(frozen=True, slots=True)
class TrfProblem:
    """What is wrong: at a line (from 1; 0: about the whole), at columns (from 1; 0: the line), in a field."""

    code: str
    line: int = 0
    columns: tuple[int, int] = (0, 0)
    field: str = ""
    text: str = ""
    allowed: str = ""

    def __str__(self) -> str:
        first, last = self.columns
        where = [f"line {self.line}"] if self.line else []
        where += [f"column {first}" if first == last else f"columns {first} to {last}"] if first else []
        where += [self.field] if self.field else []
        said = CODES[self.code] + (f": {self.text!r}" if self.text else "")
        return (
            ", ".join(where) + (": " if where else "") + said + (f"; allowed: {self.allowed}" if self.allowed else "")
        )


class NotTrf(Exception):
    """A text that is no report; every problem, at most `MAX_PROBLEMS`."""

    def __init__(self, problems: tuple[TrfProblem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfEntry:
    """One round of a player. `opponent` None: a bye, then without colour; `result` "": paired and not yet played."""

    opponent: int | None
    colour: Colour = ""
    result: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfPlayer:
    """One player. `rating` 0 and `rank` 0: none; an entry None: nothing is said of that round, as of an absent player.

    `points` are those of the standings, so byes count as the tournament has it; `born` is YYYY/MM/DD or a year.
    """

    number: int
    name: str
    sex: Literal["m", "w", ""] = ""
    title: str = ""
    rating: int = 0
    federation: str = ""
    fide_number: str = ""
    born: str = ""
    points: float = 0.0
    rank: int = 0
    entries: tuple[TrfEntry | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A tournament. `rounds` is how many there will be (0: not said); `days` the day of each; `other` lines as read.

    Every player has an entry, or None, for every round up to the last one that is paired.
    """

    name: str
    players: tuple[TrfPlayer, ...]
    city: str = ""
    federation: str = ""
    starts_on: date | None = None
    ends_on: date | None = None
    kind: str = ""
    arbiter: str = ""
    deputies: tuple[str, ...] = ()
    time: str = ""
    days: tuple[date | None, ...] = ()
    rounds: int = 0
    first_colour: Colour = ""
    other: tuple[str, ...] = ()


# --- Writing ----------------------------------------------------------------------------------------------------------

_TEXTS = {"012": "name", "022": "city", "032": "federation", "092": "kind", "102": "arbiter", "122": "time"}
_DATES = {"042": "starts_on", "052": "ends_on"}
_FIRST_ROUND = 92
_ROUND = 10
_MAX_TEXT = 200
# Other programs write days the other way round.
_DAY = re.compile(r"(?P<year>[0-9]{4})[/.-](?P<month>[0-9]{1,2})[/.-](?P<day>[0-9]{1,2})")
_DAY_FIRST = re.compile(r"(?P<day>[0-9]{1,2})[/.-](?P<month>[0-9]{1,2})[/.-](?P<year>[0-9]{4})")
_SHORT_DAY = re.compile(r"[0-9]{2}/[0-9]{2}/[0-9]{2}")
_POINTS = re.compile(r"([0-9]{1,2}([.,][0-9]?)?|[.,][0-9])?")
# What a forfeit against nobody is.
_AS_BYE = {"+": "F", "-": "Z"}


def write(report: Report) -> str:
    """The report as a file's text, lines ended by CR and LF.

    Texts go on one line; a name is cut after 33 characters, a title and a federation after 3. Raises ValueError for
    what no cut can fit: a number above 9999, points below 0, above 99.9 or no multiple of 0.1, and the like.
    """
    texts = {tag: one_line(getattr(report, name), _MAX_TEXT) for tag, name in _TEXTS.items()}
    dates = {tag: day.isoformat().replace("-", "/") for tag, name in _DATES.items() if (day := getattr(report, name))}
    counts = {"062": str(len(report.players)), "072": str(sum(one.rating > 0 for one in report.players))}
    tagged = sorted({**texts, **dates, **counts}.items())
    tagged += [("112", one_line(name, _MAX_TEXT)) for name in report.deputies]
    tagged.append(("132", _days(report.days)))
    tagged.append(("XXR", str(report.rounds or "")))
    tagged.append(("XXC", {"w": "white1", "b": "black1", "": ""}[report.first_colour]))
    lines = [f"{tag} {text}" for tag, text in tagged if text.strip()]
    lines += [one.replace("\r", " ").replace("\n", " ") for one in report.other]
    lines += map(_player_line, report.players)
    return "".join(f"{line.rstrip()}\r\n" for line in lines)


def _days(days: Sequence[date | None]) -> str:
    if not all(day is None or 2000 <= day.year <= 2099 for day in days):
        raise ValueError("the day of a round does not fit a report")
    return " " * (_FIRST_ROUND - 5) + "  ".join(f"{day:%y/%m/%d}" if day else " " * 8 for day in days)


def _player_line(one: TrfPlayer) -> str:
    points = f"{one.points:4.1f}"
    fits = (
        1 <= one.number <= MAX_NUMBER,
        0 <= one.rating <= 9999,
        0 <= one.rank <= 9999,
        len(points) == 4 and abs(float(points) - one.points) < 1e-6 and one.points >= 0,
        len(one.fide_number) <= 11,
        len(one.born) <= 10,
        len(one.entries) <= MAX_ROUNDS,
    )
    if not all(fits):
        raise ValueError(f"player {one.number} does not fit a line of a report")
    name = one_line(one.name, 33)
    title, federation = one_line(one.title, 3), one_line(one.federation, 3)
    return (
        f"001 {one.number:>4} {one.sex or ' '}{title:>3} {name:<33} {one.rating or '':>4} {federation:<3}"
        f" {one.fide_number:>11} {one.born:<10} {points} {one.rank or '':>4}  "
        + "  ".join(_entry(entry) for entry in one.entries)
    )


def _entry(one: TrfEntry | None) -> str:
    if one is None:
        return " " * 8
    if one.result not in {*RESULTS, ""} or (one.opponent is None) != (one.result in _BYES):
        raise ValueError(f"no entry of a report: {one}")
    opponent = "0000" if one.opponent is None else f"{one.opponent:>4}"
    return f"{opponent} {one.colour or '-'} {one.result or ' '}"


# --- Reading ----------------------------------------------------------------------------------------------------------


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8, else Windows-1252, as older programs write."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def read(text: str) -> Report:
    """The report in a text. Raises NotTrf."""
    if len(text) > MAX_CHARACTERS:
        raise NotTrf((TrfProblem("too_large", text=str(len(text)), allowed=f"{MAX_CHARACTERS} characters"),))
    reader = _Reader()
    # Not splitlines: a name may hold what Unicode calls the end of a line.
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        reader.take(number, line.replace("\t", " ").rstrip())
    return reader.report()


@dataclass(frozen=True, slots=True)
class _Cell:
    """A field of a line as it stands there."""

    line: int
    columns: tuple[int, int]
    field: str
    text: str


@dataclass(slots=True)
class _Found:
    """A player's line as read."""

    line: int
    player: TrfPlayer
    entries: list[TrfEntry | None]


@dataclass(slots=True)
class _Reader:
    """What was found so far."""

    texts: dict[str, str] = field(default_factory=dict)
    dates: dict[str, date | None] = field(default_factory=dict)
    deputies: list[str] = field(default_factory=list)
    days: tuple[date | None, ...] = ()
    rounds: int = 0
    first_colour: Colour = ""
    other: list[str] = field(default_factory=list)
    players: dict[int, _Found] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    problems: list[TrfProblem] = field(default_factory=list)

    def take(self, number: int, line: str) -> None:
        """Read one line, without spaces at its end."""
        if not line:
            return
        tag = line[:3]
        whole = _Cell(number, (5, max(5, len(line))), tag, line[4:].strip())
        if tag in {*_TEXTS, *_DATES, "132", "XXR"} and tag in self.seen:
            self._wrong("twice", _Cell(number, (1, 3), tag, ""))
            return
        self.seen.add(tag)
        if tag == "001":
            self._take_player(number, line)
        elif tag in _TEXTS:
            self.texts[tag] = one_line(whole.text, _MAX_TEXT)
        elif tag in _DATES:
            self.dates[tag] = self._day(whole, "YYYY/MM/DD")
        elif tag == "112":
            self.deputies += [one_line(whole.text, _MAX_TEXT)] if whole.text else []
        elif tag == "132":
            self.days = tuple(self._round_days(number, line))
        elif tag == "XXR":
            self.rounds = self._whole(whole, 1, MAX_ROUNDS) or 0
        elif tag == "XXC" and whole.text in {"white1", "black1"}:
            self.first_colour = "w" if whole.text == "white1" else "b"
        elif tag not in {"062", "072"}:
            # The numbers of players are counted.
            self.other.append(line)

    def report(self) -> Report:
        """The report of all lines. Raises NotTrf."""
        if not self.texts.get("012"):
            self.problems.append(TrfProblem("missing", field="012", allowed="012 and the name of the tournament"))
        if not self.players:
            self.problems.append(TrfProblem("missing", field="001", allowed="a line 001 for each player"))
        if not self.problems:
            # Before, a line that says something else may be the one that could not be read.
            for one in self.players.values():
                self._check(one)
        if self.problems:
            raise NotTrf(tuple(self.problems[:MAX_PROBLEMS]))
        rounds = max(len(one.entries) for one in self.players.values())
        return Report(
            name=self.texts["012"],
            players=tuple(
                replace(one.player, entries=(*one.entries, *[None] * (rounds - len(one.entries))))
                for one in self.players.values()
            ),
            city=self.texts.get("022", ""),
            federation=self.texts.get("032", ""),
            starts_on=self.dates.get("042"),
            ends_on=self.dates.get("052"),
            kind=self.texts.get("092", ""),
            arbiter=self.texts.get("102", ""),
            deputies=tuple(self.deputies),
            time=self.texts.get("122", ""),
            days=self.days,
            rounds=self.rounds,
            first_colour=self.first_colour,
            other=tuple(self.other),
        )

    # --- A player's line ---

    def _take_player(self, line: int, text: str) -> None:
        def cell(name: str, first: int, last: int) -> _Cell:
            return _Cell(line, (first, last), name, text[first - 1 : last].strip())

        number = self._whole(cell("number", 5, 8), 1, MAX_NUMBER)
        if number is None:
            return
        if number in self.players:
            self._wrong("twice", cell("number", 5, 8))
            return
        sex = self._one_of(cell("sex", 10, 10), "mwf")
        fide_number = cell("FIDE number", 58, 68)
        if fide_number.text and not _is_digits(fide_number.text):
            self._wrong("not_read", fide_number, "digits")
        player = TrfPlayer(
            number=number,
            name=one_line(cell("name", 15, 47).text, 33),
            sex="m" if sex == "m" else "w" if sex else "",
            title=one_line(cell("title", 11, 13).text, 3),
            rating=self._whole(cell("rating", 49, 52), 0, 9999) or 0,
            federation=one_line(cell("federation", 54, 56).text, 3),
            fide_number=fide_number.text.lstrip("0"),
            born=one_line(cell("date of birth", 70, 79).text, 10),
            points=self._points(cell("points", 81, 84)),
            rank=self._whole(cell("rank", 86, 89), 0, 9999) or 0,
        )
        entries = list(self._entries(line, text))
        while entries and entries[-1] is None:
            entries.pop()
        self.players[number] = _Found(line, player, entries)

    def _entries(self, line: int, text: str) -> Iterator[TrfEntry | None]:
        for index, start in enumerate(range(_FIRST_ROUND, len(text) + 1, _ROUND)):
            if index == MAX_ROUNDS:
                self._wrong("not_read", _Cell(line, (start, len(text)), "round", ""), f"at most {MAX_ROUNDS} rounds")
                return
            block = text[start - 1 : start - 1 + _ROUND].ljust(_ROUND)
            if (block[4] + block[6] + block[8:]).strip():
                whole = _Cell(line, (start, start + _ROUND - 1), "round", block)
                self._wrong("not_read", whole, "the opponent's number, a space, the colour, a space, the result")
                yield None
                continue
            opponent = _Cell(line, (start, start + 3), "opponent", block[:4].strip())
            colour = _Cell(line, (start + 5, start + 5), "colour", block[5].strip())
            result = _Cell(line, (start + 7, start + 7), "result", block[7].strip())
            number = self._whole(opponent, 0, MAX_NUMBER)
            if number:
                its = self._one_of(colour, "wb", needed=True)
                yield TrfEntry(
                    opponent=number,
                    colour="w" if its == "w" else "b",
                    result=self._one_of(result, "".join(one for one in RESULTS if one not in _BYES)),
                )
            else:
                self._one_of(colour, "-")
                # A forfeit against nobody is a bye of as many points.
                its = self._one_of(replace(result, text=_AS_BYE.get(result.text, result.text)), "UFHZ")
                yield TrfEntry(opponent=None, result=its) if its else None

    def _check(self, one: _Found) -> None:
        """Whether the lines of opponents tell the same."""
        own = one.player.number
        for index, entry in enumerate(one.entries):
            if entry is None or entry.opponent is None:
                continue
            start = _FIRST_ROUND + index * _ROUND
            opponent = _Cell(one.line, (start, start + 3), "opponent", str(entry.opponent))
            other = self.players.get(entry.opponent)
            its = other.entries[index] if other and index < len(other.entries) else None
            if entry.opponent == own:
                self._wrong("own_opponent", opponent)
            elif other is None:
                self._wrong("unknown_opponent", opponent)
            elif its is None or its.opponent != own:
                self._wrong("other_opponent", opponent)
            elif own < entry.opponent:
                # Once for both lines.
                if its.colour == entry.colour:
                    self._wrong("same_colour", _Cell(one.line, (start + 5, start + 5), "colour", entry.colour))
                if (its.result or entry.result) and its.result not in tuple(RESULTS.get(entry.result, "")):
                    cell = _Cell(one.line, (start + 7, start + 7), "result", entry.result)
                    self._wrong("other_result", cell, ", ".join(RESULTS.get(its.result, "")) or "nothing")

    # --- Values ---

    def _wrong(self, code: str, cell: _Cell, allowed: str = "") -> None:
        self.problems.append(TrfProblem(code, cell.line, cell.columns, cell.field, one_line(cell.text, 40), allowed))

    def _whole(self, cell: _Cell, least: int, most: int) -> int | None:
        """A whole number; nothing stands for 0."""
        text = cell.text or "0"
        if _is_digits(text) and least <= int(text) <= most:
            return int(text)
        self._wrong("not_read", cell, f"{least} to {most}")
        return None

    def _points(self, cell: _Cell) -> float:
        if not _POINTS.fullmatch(cell.text):
            self._wrong("not_read", cell, "0.0 to 99.9")
            return 0.0
        return float(cell.text.replace(",", ".") or 0)

    def _one_of(self, cell: _Cell, known: str, *, needed: bool = False) -> str:
        """One of the characters, whatever its case; "" for nothing, unless it is needed, and for any other."""
        text = cell.text.lower() if known.islower() else cell.text.upper()
        if text in known and (text or not needed):
            return text
        self._wrong("not_read", cell, ", ".join(known) + ("" if needed else " or nothing"))
        return ""

    def _round_days(self, line: int, text: str) -> Iterator[date | None]:
        before = _Cell(line, (4, _FIRST_ROUND - 1), "132", text[3 : _FIRST_ROUND - 1].strip())
        if before.text:
            self._wrong("not_read", before, f"spaces up to column {_FIRST_ROUND}")
        for start in range(_FIRST_ROUND, len(text) + 1, _ROUND):
            cell = _Cell(line, (start, start + 7), "132", text[start - 1 : start - 1 + _ROUND].strip())
            if cell.text and not _SHORT_DAY.fullmatch(cell.text):
                self._wrong("not_read", cell, "YY/MM/DD")
                yield None
            else:
                yield self._day(replace(cell, text=cell.text and f"20{cell.text}"), "YY/MM/DD")

    def _day(self, cell: _Cell, allowed: str) -> date | None:
        if not cell.text:
            return None
        if found := _DAY.fullmatch(cell.text) or _DAY_FIRST.fullmatch(cell.text):
            try:
                return date(**{name: int(digits) for name, digits in found.groupdict().items()})
            except ValueError:
                pass
        self._wrong("not_read", cell, allowed)
        return None


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 11
