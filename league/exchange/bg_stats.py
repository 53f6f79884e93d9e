"""BG Stats: the full export (`.json`) and the share file (`.bgsplay`), which have one shape.

Terms: ids of players, games and locations are numbers that hold within one file; what lasts is the `uuid`. A game's
*board* is the variant played; it counts as part of the game's name here, so that an evening of Pure XXL is not taken
for another game of the same box.

Promises: scores are read as sums and never evaluated; whether points or winners make the places is said by the game
(`noPoints`) and the play (`manualWinner`); plays that are marked as ignored, or listed as deleted, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from games.core import competition_places
from league.exchange.plays import (
    MAX_COMMENT,
    MAX_GAME_NAME,
    MAX_LOCATION,
    MAX_PLAYERS,
    Collector,
    Entry,
    FileGame,
    FileRound,
    FileScore,
    NotRead,
    Play,
    PlayFile,
    external_id,
    name_of,
    one_line,
    points_of,
    quoted,
    scores_of,
)

Object = Mapping[str, Any]


def is_export(value: object) -> bool:
    """Whether a JSON value has the shape of such a file."""
    return isinstance(value, Mapping) and isinstance(value.get("plays"), list) and isinstance(value.get("games"), list)


def read(value: Object) -> PlayFile:
    """The plays of a file; `value` is its JSON, for which `is_export` holds. Raises NotRead."""
    found = Collector("bg_stats")
    lists = _Lists(_players(value), _by_id(value, "games"), _by_id(value, "locations"))
    deleted = {_text(one.get("uuid")).lower() for one in _objects(value, "deletedObjects")} - {""}
    if not value["plays"]:
        raise NotRead("no_plays")
    for line, play in enumerate(value["plays"], start=1):
        if not isinstance(play, Mapping):
            found.problem("not_an_object", line)
        elif _flag(play.get("ignored")) or _text(play.get("uuid")).lower() in deleted:
            found.problem("ignored_there", line)
        else:
            try:
                found.add(_play(play, line, lists, found))
            except NotRead as left:
                found.problems.append(left.problem(line))
    return found.file()


# --- The lists that plays point at ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Lists:
    """What plays name by its number in the file; of a player the name, and whether it is the anonymous one."""

    players: Mapping[int, tuple[str, bool]]
    games: Mapping[int, Object]
    locations: Mapping[int, Object]


def _objects(value: Object, key: str) -> Iterator[Object]:
    rows = value.get(key)
    return (row for row in (rows if isinstance(rows, list) else ()) if isinstance(row, Mapping))


def _by_id(value: Object, key: str) -> dict[int, Object]:
    return {number: row for row in _objects(value, key) if (number := _number(row.get("id"))) is not None}


def _players(value: Object) -> dict[int, tuple[str, bool]]:
    """(name, whether anonymous) by the file's id. Two people of one name get a number behind it."""
    names: dict[int, tuple[str, bool]] = {}
    holders: dict[str, list[str]] = {}
    for row in _objects(value, "players"):
        number = _number(row.get("id"))
        name = name_of(row.get("name")) or name_of(row.get("bggUsername"))
        if number is None or not name:
            continue
        # The list may hold a player twice: who it is says the uuid, not the row.
        who = _text(row.get("uuid")).lower() or f"#{number}"
        same = holders.setdefault(name.casefold(), [])
        if who not in same:
            same.append(who)
        names[number] = (_numbered(name, same.index(who) + 1), _flag(row.get("isAnonymous")))
    return names


def _numbered(name: str, count: int) -> str:
    return name if count == 1 else f"{name[:54].strip()} ({count})"


# --- One play ---------------------------------------------------------------------------------------------------------


def _play(play: Object, line: int, lists: _Lists, found: Collector) -> Play:
    game = lists.games.get(_number(play.get("gameRefId"), -1))
    if game is None:
        raise NotRead("no_game")
    known = _game(game, play)
    entries = _entries(play, lists.players)
    scores = _scores(play, known, entries, found, line)
    found.games.setdefault(known.name, known)
    day = _day(play)
    location = lists.locations.get(_number(play.get("locationRefId"), -1), {})
    return Play(
        external_id=external_id(
            _text(play.get("uuid")), day, known.name, [(one.player, one.points, one.rank) for one in entries]
        ),
        line=line,
        day=day,
        players=tuple(entry.player for entry in entries),
        rounds=(FileRound(known.name, scores),),
        winners=frozenset() if known.cooperative else frozenset(one.player for one in entries if one.winner),
        location=one_line(location.get("name"), MAX_LOCATION),
        comment=one_line(play.get("comments"), MAX_COMMENT),
    )


def _game(game: Object, play: Object) -> FileGame:
    name = name_of(game.get("name"), MAX_GAME_NAME) or name_of(game.get("bggName"), MAX_GAME_NAME)
    if not name:
        raise NotRead("no_game")
    board = name_of(play.get("board"), MAX_GAME_NAME)
    original = name_of(game.get("bggName"), MAX_GAME_NAME)
    also = tuple(one for one in (board, name if board else "", original) if one)
    return FileGame(
        name=f"{name}: {board}"[:MAX_GAME_NAME].strip() if board else name,
        high_wins=_flag(game.get("highestWins")) if "highestWins" in game else None,
        cooperative=_flag(game.get("cooperative")),
        by_places=_flag(game.get("noPoints")),
        also=also,
    )


def _day(play: Object) -> date:
    # The number is the day at the table; whether `playDate` is in UTC is not known.
    number = _number(play.get("playDateYmd")) or 0
    text = _text(play.get("playDate"))[:10]
    if not number and not text:
        raise NotRead("no_day")
    try:
        if number:
            return date(number // 10_000, number // 100 % 100, number % 100)
        return date.fromisoformat(text)
    except (ValueError, OverflowError):
        raise NotRead("day_not_read", text=quoted(play.get("playDateYmd") or text)) from None


def _entries(play: Object, players: Mapping[int, tuple[str, bool]]) -> list[Entry]:
    rows = list(_objects(play, "playerScores"))
    if not rows:
        raise NotRead("no_players")
    if len(rows) > MAX_PLAYERS:
        raise NotRead("too_many_players", maximum=MAX_PLAYERS)
    seats = [_number(row.get("seatOrder"), 0) for row in rows]
    if len(set(seats)) == len(seats):
        rows = [row for _seat, row in sorted(zip(seats, rows, strict=True), key=lambda pair: pair[0])]
    entries: list[Entry] = []
    taken: list[int] = []
    for row in rows:
        number = _number(row.get("playerRefId"), -1)
        if number not in players:
            raise NotRead("no_name")
        name, anonymous = players[number]
        if number in taken and not anonymous:
            raise NotRead("player_twice", player=name)
        # Several of a play may be the one anonymous player, and are several people.
        taken.append(number)
        name = _numbered(name, taken.count(number))
        rank = max(0, _number(row.get("rank"), 0))
        entries.append(Entry(name, _points(row.get("score")), rank, _flag(row.get("winner"))))
    return entries


def _points(score: object) -> int | None:
    text = str(score) if isinstance(score, int | float) and not isinstance(score, bool) else _text(score)
    if not text.strip():
        return None
    points = points_of(text)
    if isinstance(points, str):
        raise NotRead(points, text=quoted(text))
    return points


def _scores(play: Object, game: FileGame, entries: list[Entry], found: Collector, line: int) -> tuple[FileScore, ...]:
    if game.cooperative:
        # One result for the table: whoever of them it was written down for.
        given = {entry.points for entry in entries if entry.points is not None}
        if len(given) != 1:
            raise NotRead("no_result")
        return tuple(FileScore(entry.player, points=min(given)) for entry in entries)
    by_points = not game.by_places
    if by_points and _flag(play.get("manualWinner")) and not _agrees(game, entries):
        by_points = False
    scores = scores_of(entries, by_points=by_points)
    if scores is None:
        missing = next((entry.player for entry in entries if entry.points is None), None)
        if missing is not None and any(entry.points is not None for entry in entries):
            raise NotRead("score_missing", player=missing)
        raise NotRead("no_result")
    if scores[0].points is None and any(entry.points is not None for entry in entries):
        found.problem("points_left_out", line)
    return scores


def _agrees(game: FileGame, entries: list[Entry]) -> bool:
    """Whether the winners named by hand are those that the points name as well."""
    points = [entry.points for entry in entries if entry.points is not None]
    if len(points) < len(entries) or game.high_wins is None:
        return False
    first = [place == 1 for place in competition_places(points, high_wins=game.high_wins)]
    return first == [entry.winner for entry in entries]


# --- Values, as the many writers of this format have them -------------------------------------------------------------


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object, default: int | None = None) -> Any:
    """A whole number, also from a text or a whole float; `default` for anything else."""
    if isinstance(value, str):
        value = int(value) if len(value) <= 12 and value.removeprefix("-").isascii() and _digits(value) else None
    if isinstance(value, float):
        value = int(value) if value.is_integer() and abs(value) < 2**53 else None
    return int(value) if isinstance(value, int) and abs(value) < 2**63 else default


def _digits(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def _flag(value: object) -> bool:
    """True for true, 1, "1" and "true"."""
    return value is True or (isinstance(value, int | str) and str(value).lower() in {"1", "true"})
