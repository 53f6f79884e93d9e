"""CSV: a table with a row for each player and game, or for each player and round of an evening (docs/imports.md).

Terms: a *row* is one player's result in one round; rows of one *session* belong together by the column `session`, or
where there is none by following each other with the same day and place. Promises: header names in English and German,
whatever their case; comma, semicolon or tab; a decimal comma; UTF-8 with or without a mark at the start, UTF-16,
Windows-1252. Never: guesses between two readings of a day or a number.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from io import StringIO

from league.exchange.csv_tables import plain
from league.exchange.plays import (
    MAX_COMMENT,
    MAX_GAME_NAME,
    MAX_LOCATION,
    MAX_PLAYERS,
    MAX_PLAYS,
    Collector,
    Entry,
    FileGame,
    FileRound,
    FileScore,
    NotRead,
    Play,
    PlayFile,
    digest,
    external_id,
    name_of,
    one_line,
    points_of,
    quoted,
    scores_of,
)

# Column -> names that a header may have for it; compared without case, spaces and signs.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "date": ("date", "day", "played on", "Datum", "Tag", "Spieltag"),
    "session": ("session", "session id", "evening", "play", "id", "Abend", "Sitzung", "Partie", "Spielabend"),
    "format": ("format", "Format", "Art"),
    "round": ("round", "round number", "Runde", "Rundennummer"),
    "game": ("game", "Spiel"),
    "player": ("player", "name", "Spieler", "Spielerin", "Spielername"),
    "points": ("points", "score", "Punkte", "Punktzahl", "Ergebnis"),
    "place": ("place", "rank", "position", "Platz", "Rang", "Platzierung"),
    "winner": ("winner", "won", "win", "Sieger", "Siegerin", "gewonnen"),
    "seat": ("seat", "Sitz", "Sitzplatz"),
    "planned": ("planned rounds", "planned", "geplante Runden", "geplant"),
    "note": ("note", "Vermerk", "Rundenende"),
    "location": ("location", "where", "Ort", "Spielort"),
    "comment": ("comment", "Kommentar", "Bemerkung", "Anmerkung"),
}
# A session's format -> what may stand for it.
FORMATS: Mapping[str, tuple[str, ...]] = {
    "pure_xxl": ("pure_xxl", "Pure XXL"),
    "individual_xxl": ("individual_xxl", "Individual XXL", "Individuell XXL"),
    "series": ("series", "series of one game", "Serie", "Serie eines Spiels"),
    "single_game": ("single_game", "single game", "Einzelspiel", "einzelnes Spiel"),
}
# A round's note -> what may stand for it.
NOTES: Mapping[str, tuple[str, ...]] = {
    "draw_pile_ran_out": ("draw_pile_ran_out", "the draw pile ran out", "Nachziehstapel aufgebraucht"),
    "early_end": ("early_end", "early end", "vorzeitiges Ende"),
}
_YES = frozenset({"1", "x", "yes", "y", "true", "ja", "j", "wahr"})
_NO = frozenset({"", "0", "no", "n", "false", "nein", "falsch"})
_ISO = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[T ][0-9:.]+)?")
_GERMAN = re.compile(r"([0-9]{1,2})\.\s*([0-9]{1,2})\.\s*([0-9]{4})(?: [0-9:.]+)?")
# 1.234 is a thousand and more to one reader, a little more than one to another.
_AMBIGUOUS = re.compile(r"[+-]?[0-9]{1,3}(?:[.,][0-9]{3})+")


# Hundreds of columns; a file of one line alone took a quarter of a minute to be told from a table.
_LONGEST_HEADER = 10_000


@lru_cache(maxsize=1000)
def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


_COLUMN_OF = {_plain(name): column for column, names in COLUMNS.items() for name in names}
_FORMAT_OF = {_plain(name): key for key, names in FORMATS.items() for name in names}
_NOTE_OF = {_plain(name): key for key, names in NOTES.items() for name in names}

# --- From bytes to rows -----------------------------------------------------------------------------------------------


def decode(data: bytes) -> str:
    """The text: by its mark, else UTF-16 where every other byte is 0, else UTF-8, else Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    head = data[:400]
    if len(head) >= 4 and head[1::2].count(0) > len(head) // 3:
        return data.decode("utf-16-le", "replace")
    if len(head) >= 4 and head[0::2].count(0) > len(head) // 3:
        return data.decode("utf-16-be", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _delimiter(header: str) -> str:
    """What parts the header's names: of the three signs the one that leaves most of them known."""

    def known(sign: str) -> int:
        return sum(_plain(name) in _COLUMN_OF for name in header.split(sign))

    return max(";,\t", key=lambda sign: (known(sign), header.count(sign)))


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    day: date
    session: str
    format: str
    round: str
    game: str
    entry: Entry
    place: int | None
    seat: int | None
    planned: int | None
    note: str
    location: str
    comment: str


@dataclass(frozen=True, slots=True)
class _Known:
    """What shows whether a row goes on with the session before it; None: unknown."""

    day: date | None = None
    location: str | None = None
    game: str | None = None
    round: str = ""
    player: str = ""


@dataclass(slots=True)
class _Session:
    line: int
    is_named: bool = False  # by the column of sessions
    rows: list[_Row] = field(default_factory=list)
    known: _Known = _Known()
    left_out: NotRead | None = None


def read(data: bytes) -> PlayFile:
    """The plays of a table. Raises NotRead."""
    text = decode(data)
    lines = StringIO(text, newline="")
    header = lines.readline()
    line = 1
    while header and (not header.strip() or header.strip().lower().startswith("sep=")):
        # Excel's own first line says which sign parts the cells.
        header = lines.readline()
        line += 1
    if len(header) > _LONGEST_HEADER:
        raise NotRead("unknown_format")
    sign = _delimiter(header)
    found = Collector("csv")
    try:
        columns = _columns(next(csv.reader([header], delimiter=sign), []), line, found)
        sessions = _Grouping(by_column="session" in columns)
        for number, cells in _records(lines, sign, line):
            # Without the apostrophe that keeps a spreadsheet from taking a text for a formula.
            sessions.add(number, dict(zip(columns, map(plain, cells), strict=False)))
            if len(sessions.found) > MAX_PLAYS:
                raise NotRead("too_many_plays", maximum=MAX_PLAYS)
    except csv.Error:
        raise NotRead("invalid_table") from None
    if not sessions.found:
        raise NotRead("no_plays")
    counts: dict[str, int] = {}
    for session in sessions.found:
        try:
            found.add(_play(session, counts, found))
        except NotRead as left:
            found.problems.append(left.problem(session.line))
    return found.file()


def _columns(names: Sequence[str], line: int, found: Collector) -> list[str]:
    """The column that each name of the header stands for, "" for none. Raises NotRead where one is lacking."""
    columns = [_COLUMN_OF.get(_plain(name), "") for name in names]
    if not {"date", "player"} & set(columns):
        raise NotRead("unknown_format")
    for column in COLUMNS:
        if columns.count(column) > 1:
            raise NotRead("column_twice", line, column=column)
    needed: Sequence[Sequence[str]] = (["date"], ["player"], ["game", "format"], ["points", "place", "winner"])
    missing = [any_of[0] for any_of in needed if not set(any_of) & set(columns)]
    if missing:
        raise NotRead("column_missing", line, columns=", ".join(missing))
    for name, column in zip(names, columns, strict=True):
        if not column and name.strip():
            found.problem("unknown_column", line, column=quoted(name))
    return columns


def _records(lines: StringIO, sign: str, before: int) -> Iterator[tuple[int, Sequence[str]]]:
    """(line, cells) of each row that is not empty."""
    reader = csv.reader(lines, delimiter=sign)
    start = 1
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield before + start, cells
        start = reader.line_num + 1


# --- From rows to sessions --------------------------------------------------------------------------------------------


class _Grouping:
    """Puts rows that belong together into one session."""

    def __init__(self, *, by_column: bool) -> None:
        self.by_column = by_column
        self.found: list[_Session] = []
        self._named: dict[str, _Session] = {}
        self._seen: set[tuple[str, str, str]] = set()

    def add(self, line: int, cells: Mapping[str, str]) -> None:
        """Add a row; one that can't be read spoils its session, which would lack a player without it."""
        name = one_line(cells.get("session"), 200)
        try:
            row = _row(line, cells)
        except NotRead as left:
            left.line = line
            session = self._session(name, line, _what_is_known(cells))
            session.left_out = session.left_out or left
        else:
            known = _Known(
                row.day, row.location.casefold(), row.game.casefold(), row.round, row.entry.player.casefold()
            )
            self._session(name, line, known).rows.append(row)

    def _session(self, name: str, line: int, row: _Known) -> _Session:
        if self.by_column and name:
            if name not in self._named:
                self._named[name] = _Session(line, is_named=True)
                self.found.append(self._named[name])
            return self._named[name]
        last = self.found[-1] if self.found else None
        if last is not None and not last.is_named and self._goes_on(last, row):
            return last
        self.found.append(_Session(line))
        self._seen = set()
        self._goes_on(self.found[-1], row)
        return self.found[-1]

    def _goes_on(self, session: _Session, row: _Known) -> bool:
        first = session.known
        if _differ(first.day, row.day) or _differ(first.location, row.location):
            return False
        if not row.round and _differ(first.game, row.game):
            return False
        # Who has a score in this round already begins another session.
        mark = (row.round, "" if row.round else row.game or first.game or "", row.player)
        if row.player and mark in self._seen:
            return False
        self._seen.add(mark)
        session.known = _Known(
            first.day or row.day,
            first.location if row.location is None else row.location,
            row.game if first.game is None else first.game,
        )
        return True


def _differ(one: object, other: object) -> bool:
    return one is not None and other is not None and one != other


def _what_is_known(cells: Mapping[str, str]) -> _Known:
    """What a row that can't be read still says about where it belongs."""
    try:
        day = _day(cells.get("date", ""))
    except NotRead:
        day = None
    game = name_of(cells.get("game"), MAX_GAME_NAME).casefold() or None
    player = name_of(cells.get("player")).casefold()
    return _Known(day, None, game, one_line(cells.get("round"), 40), player)


def _row(line: int, cells: Mapping[str, str]) -> _Row:
    player = name_of(cells.get("player"))
    if not player:
        raise NotRead("no_name")
    kind = cells.get("format", "").strip()
    if kind and _plain(kind) not in _FORMAT_OF:
        raise NotRead("format_not_read", text=quoted(kind))
    note = cells.get("note", "").strip()
    if note and _plain(note) not in _NOTE_OF:
        raise NotRead("note_not_read", text=quoted(note))
    place = _number(cells.get("place", ""))
    return _Row(
        line=line,
        day=_day(cells.get("date", "")),
        session=one_line(cells.get("session"), 200),
        format=_FORMAT_OF.get(_plain(kind), ""),
        round=one_line(cells.get("round"), 40),
        game=name_of(cells.get("game"), MAX_GAME_NAME),
        entry=Entry(player, _points(cells.get("points", "")), place or 0, _yes(cells.get("winner", ""))),
        place=place,
        seat=_number(cells.get("seat", "")),
        planned=_number(cells.get("planned", "")),
        note=_NOTE_OF.get(_plain(note), ""),
        location=one_line(cells.get("location"), MAX_LOCATION),
        comment=one_line(cells.get("comment"), MAX_COMMENT),
    )


def _day(text: str) -> date:
    text = text.strip()
    if not text:
        raise NotRead("no_day")
    try:
        if found := _ISO.fullmatch(text):
            return date(int(found[1]), int(found[2]), int(found[3]))
        if found := _GERMAN.fullmatch(text):
            return date(int(found[3]), int(found[2]), int(found[1]))
    except ValueError:
        pass
    raise NotRead("day_not_read", text=quoted(text))


def _points(text: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    points = "score_not_read" if _AMBIGUOUS.fullmatch(text) and not _is_zero_fraction(text) else points_of(text)
    if isinstance(points, str):
        raise NotRead(points, text=quoted(text))
    return points


def _is_zero_fraction(text: str) -> bool:
    """Whether it is a whole number with three places of nothing, which only a decimal sign leaves."""
    return bool(re.fullmatch(r"[+-]?0[.,]000", text))


def _number(text: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    number = points_of(text.removesuffix("."))
    if isinstance(number, str) or number < 0 or number > 10_000:
        raise NotRead("number_not_read", text=quoted(text))
    return number


def _yes(text: str) -> bool:
    said = text.strip().casefold()
    if said not in _YES | _NO:
        raise NotRead("number_not_read", text=quoted(text))
    return said in _YES


# --- From sessions to plays -------------------------------------------------------------------------------------------


def _play(session: _Session, counts: dict[str, int], found: Collector) -> Play:
    if session.left_out is not None:
        raise session.left_out
    rows = session.rows
    first = rows[0]
    if any(row.day != first.day for row in rows):
        raise NotRead("two_days")
    players = tuple(dict.fromkeys(row.entry.player for row in rows))
    if len(players) > MAX_PLAYERS:
        # Before all that would take long with many.
        raise NotRead("too_many_players", maximum=MAX_PLAYERS)
    kind = next((row.format for row in rows if row.format), "")
    rounds = [_round(number, own, kind) for number, own in enumerate(_rounds(rows), start=1)]
    seats = {row.entry.player: row.seat for row in rows if row.seat is not None}
    if len(seats) == len(players):
        # Seats count from 0 here, and from 1 where people write them down.
        lowest = 1 if min(seats.values()) >= 1 else 0
        seats = {player: seat - lowest for player, seat in seats.items()}
        players = tuple(sorted(players, key=lambda player: (seats[player], players.index(player))))
    else:
        seats = {}
    for one in rounds:
        found.games.setdefault(one.game, FileGame(one.game))
    content = digest(first.day, first.location.casefold(), kind, [_content(one) for one in rounds])
    # Two evenings may be the same to the last score: the second one has an id of its own.
    counts[content] = counts.get(content, 0) + 1
    return Play(
        # With the day: another month's table may number its sessions from 1 again.
        external_id=external_id(f"{first.session} {first.day}" if first.session else "", content, counts[content]),
        line=session.line,
        day=first.day,
        players=players,
        rounds=tuple(rounds),
        format=kind,
        seats=seats,
        winners=frozenset(row.entry.player for row in rows if row.entry.winner) if len(rounds) == 1 else frozenset(),
        location=first.location,
        comment=next((row.comment for row in rows if row.comment), ""),
        planned=next((row.planned for row in rows if row.planned), None),
    )


def _content(one: FileRound) -> list[object]:
    scores = sorted((score.player.casefold(), str(score.points), str(score.place)) for score in one.scores)
    return [one.game.casefold(), scores]


def _rounds(rows: Sequence[_Row]) -> list[list[_Row]]:
    """The rows of each round, in the order of their numbers, else as they stand."""
    if any(row.round for row in rows):
        named: dict[str, list[_Row]] = {}
        for row in rows:
            named.setdefault(row.round, []).append(row)
        if all(key.isascii() and key.isdigit() for key in named):
            return [named[key] for key in sorted(named, key=int)]
        return list(named.values())
    found: list[list[_Row]] = []
    for row in rows:
        last = found[-1] if found else None
        same_game = last is not None and last[0].game.casefold() == row.game.casefold()
        if last is None or not same_game or any(other.entry.player == row.entry.player for other in last):
            found.append([row])
        else:
            last.append(row)
    return found


def _round(number: int, rows: Sequence[_Row], kind: str) -> FileRound:
    game = _game(number, rows, kind)
    seen: set[str] = set()
    for row in rows:
        if row.entry.player.casefold() in seen:
            raise NotRead("player_twice", row.line, player=row.entry.player)
        seen.add(row.entry.player.casefold())
    scores: tuple[FileScore, ...] | None
    if all(row.entry.points is not None for row in rows):
        # Both are told where both are given: whether they agree is for the rules of the game to say.
        scores = tuple(FileScore(row.entry.player, row.entry.points, row.place or None) for row in rows)
    elif all(row.place for row in rows):
        scores = tuple(FileScore(row.entry.player, place=row.place) for row in rows)
    else:
        scores = scores_of([row.entry for row in rows], by_points=False)
    if scores is None:
        missing = next(row for row in rows if row.entry.points is None and not row.place)
        raise NotRead("score_missing", missing.line, player=missing.entry.player)
    return FileRound(game, scores, next((row.note for row in rows if row.note), ""))


def _game(number: int, rows: Sequence[_Row], kind: str) -> str:
    games = {row.game.casefold(): row.game for row in rows if row.game}
    if len(games) > 1:
        raise NotRead("two_games", rows[0].line, round=number)
    if games:
        return next(iter(games.values()))
    if kind != "pure_xxl":
        raise NotRead("no_game", rows[0].line)
    # Its games are played in their order.
    label = rows[0].round
    counted = int(label) if label.isascii() and label.isdigit() and len(label) < 4 else number
    return f"xxl-{(counted - 1) % 6 + 1}"
