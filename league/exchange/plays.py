"""Plays as files of other programs tell of them, whatever the format.

Terms: a *play* is what a file holds of one sitting, with one round or more; its *line* is where it stands in the file:
the line of a table, or the number of the play from 1 on in other files. Names are as the file has them, on one line
and no longer than a player's or game's name may be; whom they mean is for others to find out. A *file problem* is a
code with parameters (`CODES`); one that has a line is about one play, one without is about the file.

Promises: a reader returns values of this module or raises `NotRead` with a file problem, whatever bytes it is given.
Never: evaluates a text, follows a reference out of the file.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Literal

from games.core import competition_places

Source = Literal["bg_stats", "bgg", "csv", "archive"]

# Some ten times the largest collections of plays that people show.
MAX_BYTES = 20_000_000
MAX_PLAYS = 50_000
MAX_NAME = 60
MAX_GAME_NAME = 100
MAX_LOCATION = 100
MAX_COMMENT = 500
MAX_ID = 100
# More people than sit at any table of a game that has scores.
MAX_PLAYERS = 50
MAX_SCORE = 10**9

# The parameters of each code. "error": the play (or, without a line, the file) is left out; "notice": it is not.
CODES: Mapping[str, tuple[Literal["error", "notice"], tuple[str, ...]]] = MappingProxyType(
    {
        # The file.
        "too_large": ("error", ("maximum",)),
        "empty": ("error", ()),
        "unknown_format": ("error", ()),
        "spreadsheet": ("error", ()),
        "invalid_json": ("error", ()),
        "invalid_xml": ("error", ()),
        "not_plays": ("error", ("text",)),
        "no_plays": ("error", ()),
        "column_missing": ("error", ("columns",)),
        "column_twice": ("error", ("column",)),
        "invalid_table": ("error", ()),
        "archive_not_read": ("error", ()),
        "too_many_plays": ("error", ("maximum",)),
        "unknown_column": ("notice", ("column",)),
        "more_plays_elsewhere": ("notice", ("total", "given")),
        # One play.
        "not_an_object": ("error", ()),
        "no_day": ("error", ()),
        "day_not_read": ("error", ("text",)),
        "no_game": ("error", ()),
        "no_players": ("error", ()),
        "too_many_players": ("error", ("maximum",)),
        "no_name": ("error", ()),
        "player_twice": ("error", ("player",)),
        "score_not_read": ("error", ("text",)),
        "score_not_whole": ("error", ("text",)),
        "number_not_read": ("error", ("text",)),
        "score_missing": ("error", ("player",)),
        "no_result": ("error", ()),
        "two_games": ("error", ("round",)),
        "two_days": ("error", ()),
        "unfinished": ("error", ()),
        "format_not_read": ("error", ("text",)),
        "note_not_read": ("error", ("text",)),
        "ignored_there": ("notice", ()),
        "given_twice": ("notice", ()),
        "points_left_out": ("notice", ()),
        "scores_left_out": ("notice", ()),
    }
)


@dataclass(frozen=True, slots=True)
class FileProblem:
    """What can't be read or is odd, at a line of the file (None: about all of it)."""

    code: str
    line: int | None = None
    params: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def is_error(self) -> bool:
        """Whether something is left out for it."""
        return CODES[self.code][0] == "error"


class NotRead(Exception):
    """What makes a play, or the whole file, be left out. `line` None: the line is for the catcher to know."""

    def __init__(self, code: str, line: int | None = None, **params: int | str) -> None:
        super().__init__(code)
        self.code, self.line, self.params = code, line, params

    def problem(self, line: int | None = None) -> FileProblem:
        """The problem, at `line` where none was known before."""
        return FileProblem(self.code, self.line if self.line is not None else line, self.params)


@dataclass(frozen=True, slots=True)
class FileScore:
    """A player's points (whole number) and place (from 1) in a round; at least one of them."""

    player: str
    points: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class FileRound:
    """One game as it was played; `note` is a note of the catalogue or ""."""

    game: str
    scores: tuple[FileScore, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Play:
    """One sitting. `external_id` is the source's own id or a digest; `format` "" where the file does not say.

    `players` are in seat order, `seats` their seats (from 0) where the file gives them. `winners` are those whom the
    file calls so, empty where it calls nobody. `quantity` above 1: one row that stands for several plays.
    """

    external_id: str
    line: int
    day: date
    players: tuple[str, ...]
    rounds: tuple[FileRound, ...]
    format: str = ""
    seats: Mapping[str, int] = field(default_factory=dict)
    winners: frozenset[str] = frozenset()
    location: str = ""
    comment: str = ""
    quantity: int = 1
    planned: int | None = None


@dataclass(frozen=True, slots=True)
class FileGame:
    """What the file says of a game: `high_wins` None where it does not. `also` are other names it may be known by."""

    name: str
    high_wins: bool | None = None
    cooperative: bool = False
    by_places: bool = False
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayFile:
    """All that a file gave: plays in its order, problems by line, and its games by name."""

    source: Source
    plays: tuple[Play, ...]
    problems: tuple[FileProblem, ...]
    games: Mapping[str, FileGame]


# Turns a file's bytes into values. Raises NotRead when there is nothing to be had from them.
Reader = Callable[[bytes], PlayFile]

# --- Texts ------------------------------------------------------------------------------------------------------------

_TURNING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def one_line(text: object, maximum: int) -> str:
    """A text on one line, without characters that no name needs, cut to `maximum`; "" for what is no text."""
    if not isinstance(text, str):
        return ""
    if len(text) <= maximum and text.isascii() and text.isprintable():
        # Nearly every cell of a large table: the way round costs a tenth.
        return " ".join(text.split())
    # Cut first: what follows takes time for each letter.
    spaced = " ".join(text[: 4 * maximum].split())
    kept = "".join(
        letter
        for letter in spaced
        if unicodedata.category(letter) not in {"Cc", "Cs"} and unicodedata.bidirectional(letter) not in _TURNING
    )
    return " ".join(kept.split())[:maximum].strip()


def name_of(text: object, maximum: int = MAX_NAME) -> str:
    """A name on one line; "" when it shows nothing."""
    name = one_line(text, maximum)
    return name if any(letter.isalnum() or unicodedata.category(letter)[0] in "PS" for letter in name) else ""


def quoted(text: object) -> str:
    """A few characters of what could not be read, for a message."""
    return one_line(text if isinstance(text, str) else str(text)[:200], 40)


def digest(*parts: object) -> str:
    """An id for what its source gives none: the same parts, the same id."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True, default=str).encode()).hexdigest()


def external_id(text: str, *parts: object) -> str:
    """The source's own id in small letters, or a digest of `parts` where there is none that fits."""
    own = one_line(text, MAX_ID + 1).lower()
    if not own:
        return digest(*parts)
    return own if len(own) <= MAX_ID else digest(own, text)


# --- Numbers ----------------------------------------------------------------------------------------------------------

# A whole number, also as 12.0 or 12,0.
_TERM = r"[0-9]{1,9}(?:[.,]0{1,6})?"
_SUM = re.compile(rf"[+-]?\s*{_TERM}(?:\s*[+-]\s*{_TERM})*")
_PARTS = re.compile(rf"([+-]?)\s*({_TERM})")
_DECIMAL = re.compile(r"[+-]?\s*[0-9]+[.,][0-9]+")


def points_of(text: str) -> int | str:
    """The value of a score: a whole number or a sum as `-10+7+22`; the code of the problem for anything else."""
    text = text.strip().replace("\N{MINUS SIGN}", "-")
    if len(text) <= 200 and _SUM.fullmatch(text):
        value = sum(
            int(digits.replace(",", ".").partition(".")[0]) * (-1 if sign == "-" else 1)
            for sign, digits in _PARTS.findall(text)
        )
        return value if abs(value) <= MAX_SCORE else "score_not_read"
    return "score_not_whole" if len(text) <= 200 and _DECIMAL.fullmatch(text) else "score_not_read"


# --- Results ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """What a file has of one player in a round; `rank` 0 is unset."""

    player: str
    points: int | None
    rank: int
    winner: bool


def scores_of(entries: Sequence[Entry], *, by_points: bool) -> tuple[FileScore, ...] | None:
    """The scores of a round, None when the file holds no result.

    By points where all have some and the game goes by them; else by the ranks, if all have one; else the winners
    share the first place and all others the next. What ranks leave out between them is put right (1 1 2 becomes
    1 1 3), as teams that count as one player are given.
    """
    if by_points and all(entry.points is not None for entry in entries):
        return tuple(FileScore(entry.player, points=entry.points) for entry in entries)
    if all(entry.rank >= 1 for entry in entries):
        given = [entry.rank for entry in entries]
    elif any(entry.winner for entry in entries):
        given = [1 if entry.winner else 2 for entry in entries]
    else:
        return None
    places = competition_places(given, high_wins=False)
    return tuple(FileScore(entry.player, place=place) for entry, place in zip(entries, places, strict=True))


def with_directions(games: Mapping[str, FileGame], plays: Sequence[Play]) -> dict[str, FileGame]:
    """The games with `high_wins` as the winners of most plays show it, where the file does not say it."""
    high: dict[str, int] = dict.fromkeys(games, 0)
    for play in plays:
        for one in play.rounds:
            points = {score.player: score.points for score in one.scores if score.points is not None}
            first = {score.player for score in one.scores if score.place == 1} or play.winners
            if not first or len(points) < len(one.scores) or one.game not in high:
                continue
            best = {points[player] for player in first if player in points}
            if best == {max(points.values())} != {min(points.values())}:
                high[one.game] += 1
            elif best == {min(points.values())} != {max(points.values())}:
                high[one.game] -= 1
    return {
        name: FileGame(name, high[name] > 0, game.cooperative, game.by_places, game.also)
        if game.high_wins is None and high[name]
        else game
        for name, game in games.items()
    }


class Collector:
    """Plays and problems as a reader finds them; of two plays with one id the first is kept."""

    def __init__(self, source: Source) -> None:
        self.source: Source = source
        self.plays: dict[str, Play] = {}
        self.problems: list[FileProblem] = []
        self.games: dict[str, FileGame] = {}

    def problem(self, code: str, line: int | None = None, **params: int | str) -> None:
        """Note a problem."""
        self.problems.append(FileProblem(code, line, params))

    def add(self, play: Play) -> None:
        """Note a play, unless it was there before."""
        if play.external_id in self.plays:
            self.problem("given_twice", play.line)
        else:
            self.plays[play.external_id] = play

    def file(self) -> PlayFile:
        """What was found. Raises NotRead for more than anybody has."""
        plays = tuple(self.plays.values())
        if len(plays) > MAX_PLAYS:
            raise NotRead("too_many_plays", maximum=MAX_PLAYS)
        played = {one.game for play in plays for one in play.rounds}
        games = {name: game for name, game in self.games.items() if name in played}
        return PlayFile(self.source, plays, tuple(self.problems), with_directions(games, plays))
