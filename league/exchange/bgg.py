"""BoardGameGeek: the plays of a user, an answer of its XML API (`xmlapi2/plays`) saved as a file.

Promises: an answer that is no list of plays (a page with an error, a request to wait) is told as such; a play that
stands for several (`quantity`) says so and is never multiplied here; entities and external references are refused
(defusedxml). Never: asks BoardGameGeek.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import Element, ParseError  # nosec B405 - types; defusedxml parses

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from league.exchange.plays import (
    MAX_COMMENT,
    MAX_GAME_NAME,
    MAX_LOCATION,
    MAX_PLAYERS,
    Collector,
    Entry,
    FileGame,
    FileRound,
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

# plays > play > item > subtypes > subtype is as deep as an answer goes.
MAX_DEPTH = 20


def is_answer(head: bytes) -> bool:
    """Whether a file that begins so is XML or HTML."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def read(data: bytes) -> PlayFile:
    """The plays of an answer. Raises NotRead."""
    found = Collector("bgg")
    given = 0
    root: Element | None = None
    try:
        for depth, root, element in _ended(data):
            if root.tag == "plays" and depth == 1 and element.tag == "play":
                given += 1
                try:
                    found.add(_play(element, given, found))
                except NotRead as left:
                    found.problems.append(left.problem(given))
                # What was read is let go, or a large file would stand in memory twice.
                element.clear()
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        if root is None or root.tag != "plays":
            raise _refusal(data) from None
        raise NotRead("invalid_xml") from None
    if root is None or root.tag != "plays":
        raise NotRead("not_plays", text=quoted(" ".join(root.itertext())) if root is not None else "")
    if not given:
        raise NotRead("no_plays")
    total = _whole(root.get("total"))
    if total > given:
        found.problem("more_plays_elsewhere", None, total=total, given=given)
    return found.file()


def _ended(data: bytes) -> Iterator[tuple[int, Element, Element]]:
    """(depth, root, element) as each element ends; the root's depth is 0. Raises NotRead for a nest of elements."""
    depth = 0
    root: Element | None = None
    for event, element in iterparse(BytesIO(data), events=("start", "end"), forbid_dtd=True):
        root = element if root is None else root
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH:
            raise NotRead("invalid_xml")
        if event == "end":
            yield depth, root, element


def _refusal(data: bytes) -> NotRead:
    """Why a file that is no XML after all is refused: an unknown user is answered by a page of HTML."""
    head = data[:4000].lower()
    if b"<html" not in head and b"<div" not in head and b"<!doctype html" not in head:
        return NotRead("invalid_xml")
    letters, inside = [], False
    for letter in data[:4000].decode("utf-8", "replace"):
        inside = letter == "<" or (inside and letter != ">")
        letters.append(" " if inside or letter == ">" else letter)
    return NotRead("not_plays", text=quoted(" ".join("".join(letters).split())))


def _play(element: Element, line: int, found: Collector) -> Play:
    item = element.find("item")
    game = name_of(item.get("name"), MAX_GAME_NAME) if item is not None else ""
    if not game:
        raise NotRead("no_game")
    if element.get("incomplete") == "1":
        raise NotRead("unfinished")
    day = _day(element.get("date") or "")
    entries = _entries(element)
    scores = scores_of([entry for entry, _text in entries], by_points=True)
    if scores is None:
        raise _resultless(entries)
    if scores[0].points is None and any(text for _entry, text in entries):
        found.problem("scores_left_out", line)
    found.games.setdefault(game, FileGame(game))
    return Play(
        external_id=external_id(
            element.get("id") or "", day, game, [(one.player, one.points, one.winner) for one, _text in entries]
        ),
        line=line,
        day=day,
        players=tuple(entry.player for entry, _text in entries),
        rounds=(FileRound(game, scores),),
        winners=frozenset(entry.player for entry, _text in entries if entry.winner),
        location=one_line(element.get("location"), MAX_LOCATION),
        comment=one_line(element.findtext("comments"), MAX_COMMENT),
        quantity=max(1, _whole(element.get("quantity"), 1)),
    )


def _day(text: str) -> date:
    if not text or text.startswith("0000"):
        raise NotRead("no_day")
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NotRead("day_not_read", text=quoted(text)) from None


def _resultless(entries: list[tuple[Entry, str]]) -> NotRead:
    """Why there are neither points nor winners."""
    missing = [(entry.player, text) for entry, text in entries if entry.points is None]
    texts = [text for _player, text in missing if text]
    if texts:
        return NotRead("score_not_read", text=quoted(texts[0]))
    if len(missing) < len(entries):
        return NotRead("score_missing", player=missing[0][0])
    return NotRead("no_result")


def _entries(element: Element) -> list[tuple[Entry, str]]:
    """The players in seat order, each with the text of the score."""
    rows: list[Mapping[str, Any]] = [dict(one.attrib) for one in element.findall("players/player")]
    if not rows:
        raise NotRead("no_players")
    if len(rows) > MAX_PLAYERS:
        raise NotRead("too_many_players", maximum=MAX_PLAYERS)
    seats = [_whole(row.get("startposition")) for row in rows]
    # Any text may stand there: it is an order only where all give another number.
    if 0 not in seats and len(set(seats)) == len(seats):
        rows = [row for _seat, row in sorted(zip(seats, rows, strict=True), key=lambda pair: pair[0])]
    entries: list[tuple[Entry, str]] = []
    for row in rows:
        name = name_of(row.get("name")) or name_of(row.get("username"))
        if not name:
            raise NotRead("no_name")
        if any(entry.player.casefold() == name.casefold() for entry, _text in entries):
            raise NotRead("player_twice", player=name)
        text = (row.get("score") or "").strip()
        points = points_of(text) if text else None
        entries.append((Entry(name, points if isinstance(points, int) else None, 0, row.get("win") == "1"), text))
    return entries


def _whole(text: str | None, default: int = 0) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) <= 9 else default
