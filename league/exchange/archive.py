"""The archive of a club: one file that holds all of it, written and read as plain values.

Terms: an *archive* is a zip file with a *manifest* and one file of JSON Lines for each *topic* (players, rounds …);
a *row* is one line, an object whose fields are those of `TOPICS`; a *reference* is the id of a row of another topic, as
it stands in this very file. docs/archive.md describes the format for readers.

Promises: what `Writer` wrote, `Reader` reads as the same values. Nothing but what `TOPICS` and the manifest say gets
past the reader: no other file, field or type, no id twice, no reference to a row that is not there, no more bytes than
allowed, whatever the file claims of itself. A file that was cut or changed is refused at the latest at its last row.
Never: opens a file by a name that the archive gives, or knows what a row is for.
"""

import base64
import hashlib
import io
import json
import math
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime
from typing import Any, BinaryIO, Literal

FORMAT = "tischliga-club"
VERSION = 3
# The oldest that is read: what it lacks has no rows, and as a field is empty.
OLDEST_VERSION = 1
MANIFEST = "manifest.json"
# Unpacked; a club of 200,000 sessions is well below.
MAXIMUM_BYTES = 2 * 1024**3
# What a hundred long deals left fits many times.
MAXIMUM_LINE = 32 * 1024**2
# JSON Lines of results are packed 10 to 40 times; a file of nothing but the same letter 1000 times.
MAXIMUM_RATIO = 200
# Several times what any row has.
MAXIMUM_DEPTH = 50
_SMALL = 1024**2
_LARGEST = 2**63

Kind = Literal["id", "reference", "whole", "number", "text", "boolean", "day", "time", "json", "bytes"]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    """What a row holds under one name: `to` is the topic that a reference points into, `empty` allows null."""

    kind: Kind
    to: str = ""
    empty: bool = False


_ID = Field("id")
_WHOLE, _NUMBER, _TEXT, _BOOLEAN = Field("whole"), Field("number"), Field("text"), Field("boolean")
_DAY, _TIME, _JSON = Field("day"), Field("time"), Field("json")
_MAYBE_WHOLE, _MAYBE_DAY, _MAYBE_TIME, _MAYBE_BYTES = (
    Field("whole", empty=True),
    Field("day", empty=True),
    Field("time", empty=True),
    Field("bytes", empty=True),
)


def _to(topic: str) -> Field:
    return Field("reference", topic)


def _maybe(topic: str) -> Field:
    return Field("reference", topic, empty=True)


# In this order in the file: a reference points to a row that came before, or to another row of the same topic.
TOPICS: Mapping[str, Mapping[str, Field]] = {
    "club": {"name": _TEXT, "slug": _TEXT, "time_zone": _TEXT, "created_at": _TIME},
    "users": {"id": _ID, "username": _TEXT},
    "members": {"id": _ID, "user": _to("users"), "role": _TEXT, "created_at": _TIME},
    "players": {
        "id": _ID,
        "name": _TEXT,
        "nickname": _TEXT,
        "kind": _TEXT,
        "bot": _TEXT,
        "member": _maybe("members"),
        "is_guest": _BOOLEAN,
        "archived_at": _MAYBE_TIME,
        "merged_into": _maybe("players"),
        "erased_at": _MAYBE_TIME,
        "created_at": _TIME,
    },
    "games": {
        "id": _ID,
        "key": _TEXT,
        "name": _TEXT,
        "min_players": _WHOLE,
        "max_players": _WHOLE,
        "scored_by": _TEXT,
        "high_wins": _BOOLEAN,
        "cooperative": _BOOLEAN,
        "minimum": _MAYBE_WHOLE,
        "maximum": _MAYBE_WHOLE,
        "archived_at": _MAYBE_TIME,
        "created_at": _TIME,
    },
    "leagues": {"id": _ID, "name": _TEXT, "slug": _TEXT, "created_at": _TIME},
    "seasons": {
        "id": _ID,
        "league": _to("leagues"),
        "name": _TEXT,
        "slug": _TEXT,
        "starts_on": _DAY,
        "ends_on": _MAYBE_DAY,
        "status": _TEXT,
        "visibility": _TEXT,
        "planned_evenings": _MAYBE_WHOLE,
        "has_divisions": _BOOLEAN,
        "rules_version": _WHOLE,
        "ranking_metric": _TEXT,
        "ranking_best": _TEXT,
        "points_by_place": _JSON,
        "table_weight": _TEXT,
        "drop_worst": _WHOLE,
        "count_best": _WHOLE,
        "absence": _TEXT,
        "tie_breaks": _JSON,
        "minimum_sessions": _WHOLE,
        "incomplete_sessions": _TEXT,
        "minimum_rounds": _WHOLE,
        "missing_round": _TEXT,
        "substitution": _TEXT,
        "needs_confirmation": _BOOLEAN,
        "created_at": _TIME,
    },
    "rules_versions": {
        "season": _to("seasons"),
        "number": _WHOLE,
        "at": _TIME,
        "user": _maybe("users"),
        "rules": _JSON,
    },
    "divisions": {
        "id": _ID,
        "season": _to("seasons"),
        "level": _WHOLE,
        "name": _TEXT,
        "promoted": _WHOLE,
        "relegated": _WHOLE,
    },
    "division_players": {"season": _to("seasons"), "division": _to("divisions"), "player": _to("players")},
    "evenings": {
        "id": _ID,
        "season": _maybe("seasons"),
        "starts_at": _TIME,
        "location": _TEXT,
        "note": _TEXT,
        "capacity": _MAYBE_WHOLE,
        "cancelled_at": _MAYBE_TIME,
        "revision": _WHOLE,
        "created_by": _maybe("users"),
        "created_at": _TIME,
    },
    "sign_ups": {"evening": _to("evenings"), "player": _to("players"), "state": _TEXT, "since": _TIME},
    "tournaments": {
        "id": _ID,
        "name": _TEXT,
        "slug": _TEXT,
        "season": _maybe("seasons"),
        "status": _TEXT,
        "starts_on": _DAY,
        "location": _TEXT,
        "note": _TEXT,
        "announcement": _TEXT,
        "visibility": _TEXT,
        "session_format": _TEXT,
        "game": _TEXT,
        "games_per_table": _WHOLE,
        "minimum": _MAYBE_WHOLE,
        "table_size": _WHOLE,
        "metric": _TEXT,
        "scores": _JSON,
        "tie_breaks": _JSON,
        "seed": _WHOLE,
        "round_minutes": _MAYBE_WHOLE,
        "version": _WHOLE,
        "archived_at": _MAYBE_TIME,
        "created_by": _maybe("users"),
        "created_at": _TIME,
    },
    "tournament_entries": {
        "id": _ID,
        "tournament": _to("tournaments"),
        "player": _to("players"),
        "status": _TEXT,
        "seed": _MAYBE_WHOLE,
        "first_round": _WHOLE,
        "fixed_table": _MAYBE_WHOLE,
        "home_club": _TEXT,
        "user": _maybe("users"),
        "created_at": _TIME,
    },
    "entry_absences": {"entry": _to("tournament_entries"), "from_round": _WHOLE, "until_round": _MAYBE_WHOLE},
    "pair_wishes": {
        "tournament": _to("tournaments"),
        "kind": _TEXT,
        "first": _to("tournament_entries"),
        "second": _to("tournament_entries"),
    },
    "stages": {
        "id": _ID,
        "tournament": _to("tournaments"),
        "number": _WHOLE,
        "format": _TEXT,
        "status": _TEXT,
        "options": _JSON,
        "groups": _WHOLE,
        "advance": _MAYBE_WHOLE,
    },
    "stage_entries": {
        "stage": _to("stages"),
        "entry": _to("tournament_entries"),
        "seed": _WHOLE,
        "group": _WHOLE,
    },
    "tournament_rounds": {
        "id": _ID,
        "stage": _to("stages"),
        "tournament": _to("tournaments"),
        "number": _WHOLE,
        "status": _TEXT,
        "seed": _WHOLE,
        "reasons": _JSON,
        "quality": _JSON,
        "paired_at": _TIME,
        "published_at": _MAYBE_TIME,
        "started_at": _MAYBE_TIME,
    },
    "tournament_tables": {
        "id": _ID,
        "round": _to("tournament_rounds"),
        "number": _WHOLE,
        "group": _WHOLE,
        "match": _TEXT,
        "kind": _TEXT,
        "decided": _BOOLEAN,
    },
    "tournament_seats": {
        "table": _to("tournament_tables"),
        "entry": _to("tournament_entries"),
        "number": _WHOLE,
        "place": _MAYBE_WHOLE,
        "place_sum": _MAYBE_WHOLE,
        "game_points": _MAYBE_WHOLE,
    },
    "sessions": {
        "id": _ID,
        "season": _maybe("seasons"),
        "table": _maybe("tournament_tables"),
        "format": _TEXT,
        "planned_rounds": _WHOLE,
        "repeats": _WHOLE,
        "status": _TEXT,
        "played_on": _DAY,
        "location": _TEXT,
        "comment": _TEXT,
        "confirmed": _JSON,
        "counts": _BOOLEAN,
        "revision": _WHOLE,
        "voided_at": _MAYBE_TIME,
        "confirmation": _TEXT,
        "created_by": _maybe("users"),
        "created_at": _TIME,
    },
    "tokens": {
        "id": _ID,
        "name": _TEXT,
        "scope": _TEXT,
        "created_by": _maybe("users"),
        "parent": _maybe("tokens"),
        "session": _maybe("sessions"),
        "rate_limit": _MAYBE_WHOLE,
        "created_at": _TIME,
        "expires_at": _MAYBE_TIME,
        "last_used_at": _MAYBE_TIME,
    },
    "seats": {
        "session": _to("sessions"),
        "player": _to("players"),
        "number": _WHOLE,
        "from_round": _WHOLE,
        "until_round": _MAYBE_WHOLE,
    },
    "rounds": {
        "id": _ID,
        "session": _to("sessions"),
        "number": _WHOLE,
        "game": _TEXT,
        "note": _TEXT,
        "confirmed": _JSON,
        "created_at": _TIME,
    },
    "scores": {"round": _to("rounds"), "player": _to("players"), "points": _MAYBE_WHOLE, "place": _MAYBE_WHOLE},
    "results": {
        "session": _to("sessions"),
        "player": _to("players"),
        "place_sum": _WHOLE,
        "rounds_played": _WHOLE,
        "rounds_missed": _WHOLE,
        "place": _MAYBE_WHOLE,
        "reason": _TEXT,
        "points": _MAYBE_WHOLE,
        "players": _WHOLE,
    },
    "standings": {
        "season": _to("seasons"),
        "player": _to("players"),
        "sessions": _WHOLE,
        "place_total": _WHOLE,
        "wins": _WHOLE,
        "last_session": _to("sessions"),
        "last_place": _WHOLE,
        "division": _maybe("divisions"),
        "counted": _WHOLE,
        "absences": _WHOLE,
        "value": _NUMBER,
        "game_points": _MAYBE_WHOLE,
        "place_counts": _JSON,
        "sort_key": _NUMBER,
        "tie_position": _WHOLE,
    },
    "revisions": {
        "session": _to("sessions"),
        "number": _WHOLE,
        "kind": _TEXT,
        "reason": _TEXT,
        "at": _TIME,
        "user": _maybe("users"),
        "token": _maybe("tokens"),
        "data": _JSON,
    },
    "bot_matches": {
        "id": _ID,
        "season": _maybe("seasons"),
        "session": _maybe("sessions"),
        "format": _TEXT,
        "game": _TEXT,
        "options": _JSON,
        "seed": _WHOLE,
        "deals": _WHOLE,
        "played_on": _DAY,
        "engine": _TEXT,
        "state": _TEXT,
        "done": _WHOLE,
        "error": _TEXT,
        "user": _maybe("users"),
        "token": _maybe("tokens"),
        "created_at": _TIME,
        "started_at": _MAYBE_TIME,
        "finished_at": _MAYBE_TIME,
    },
    "bot_match_seats": {"bot_match": _to("bot_matches"), "number": _WHOLE, "player": _to("players")},
    "bot_match_chunks": {
        "bot_match": _to("bot_matches"),
        "first_deal": _WHOLE,
        "deals": _WHOLE,
        "tally": _JSON,
        "records": _MAYBE_BYTES,
    },
    "webhooks": {
        "id": _ID,
        "url": _TEXT,
        "description": _TEXT,
        "events": _JSON,
        "created_by": _maybe("users"),
        "created_by_token": _maybe("tokens"),
        "created_at": _TIME,
    },
    "merges": {
        "id": _ID,
        "source": _to("players"),
        "target": _to("players"),
        "sessions": _JSON,
        "member": _maybe("members"),
        "was_archived_at": _MAYBE_TIME,
        "merged_at": _TIME,
        "undone_at": _MAYBE_TIME,
    },
    "imports": {
        "id": _ID,
        "source": _TEXT,
        "file_name": _TEXT,
        "file_sha256": _TEXT,
        "season": _maybe("seasons"),
        "state": _TEXT,
        "decisions": _JSON,
        "outcome": _JSON,
        "created_players": _JSON,
        "created_games": _JSON,
        "user": _maybe("users"),
        "token": _maybe("tokens"),
        "created_at": _TIME,
        "finished_at": _MAYBE_TIME,
    },
    "import_marks": {"batch": _to("imports"), "source": _TEXT, "external_id": _TEXT, "session": _to("sessions")},
    "audit_events": {
        "at": _TIME,
        "user": _maybe("users"),
        "token": _maybe("tokens"),
        "action": _TEXT,
        "object_id": _WHOLE,
        "data": _JSON,
    },
}
# The topics, and the fields as `topic.field`, that came after version 1: with which version.
_SINCE: Mapping[str, int] = {
    **dict.fromkeys(("tournaments", "tournament_entries", "entry_absences", "pair_wishes"), 2),
    **dict.fromkeys(("stages", "stage_entries"), 2),
    **dict.fromkeys(("tournament_rounds", "tournament_tables", "tournament_seats"), 2),
    "sessions.table": 2,
    **dict.fromkeys(("bot_match_chunks", "bot_matches.format", "bot_matches.options", "bot_matches.engine"), 3),
}
# The fields that are no more: what they were, and the last version with them.
_UNTIL: Mapping[str, Mapping[str, tuple[Field, int]]] = {"bot_matches": {"records": (_JSON, 2)}}


def topics_of(version: int) -> Mapping[str, Mapping[str, Field]]:
    """The topics and fields that archives of a version have."""
    return {
        topic: {name: field for name, field in fields.items() if _SINCE.get(f"{topic}.{name}", 1) <= version}
        | {name: field for name, (field, last) in _UNTIL.get(topic, {}).items() if version <= last}
        for topic, fields in TOPICS.items()
        if _SINCE.get(topic, 1) <= version
    }


def file_of(topic: str) -> str:
    """The name of a topic's file in the archive."""
    return f"{topic}.jsonl"


class ArchiveError(Exception):
    """What is wrong with a file: a code of `CODES`, and the parameters of its sentence."""

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


CODES = frozenset(
    {
        "not_an_archive",
        "wrong_version",
        "damaged",
        "too_large",
        "unknown_file",
        "missing_file",
        "changed",
        "line_unreadable",
        "unknown_field",
        "missing_field",
        "wrong_type",
        "id_twice",
        "dangling",
    }
)


class Writer:
    """Writes an archive, topic by topic in the order of `TOPICS`; only a row at a time is in memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self._topics: dict[str, dict[str, str | int]] = {}

    def write(self, topic: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add a topic with its rows; days and times are `date` and aware `datetime`, bytes stand in base64."""
        fields = TOPICS[topic]
        digest, count, size = hashlib.sha256(), 0, 0
        with self._zip.open(file_of(topic), "w", force_zip64=True) as entry:
            for row in rows:
                told = {name: _told(row[name]) for name in fields}
                line = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
                entry.write(line)
                digest.update(line)
                count += 1
                size += len(line)
        self._topics[topic] = {"file": file_of(topic), "rows": count, "bytes": size, "sha256": digest.hexdigest()}

    def close(self, *, made_at: datetime, made_by: str) -> None:
        """Write the manifest and end the file. Raises ValueError when a topic is missing."""
        if list(self._topics) != list(TOPICS):
            raise ValueError("every topic is written once, in order")
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "made_at": _told(made_at),
            "made_by": made_by,
            "topics": self._topics,
        }
        self._zip.writestr(MANIFEST, json.dumps(manifest, indent=2) + "\n")
        self._zip.close()


def _told(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    # SQLite gives bytes, PostgreSQL a view of them.
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    return value.isoformat() if isinstance(value, date) else value


class Reader:
    """Reads an archive. Every method raises ArchiveError for what is not as it should be."""

    def __init__(self, file: BinaryIO, *, maximum_bytes: int = MAXIMUM_BYTES) -> None:
        try:
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise ArchiveError("not_an_archive") from error
        entries = self._zip.infolist()
        self._check_entries(entries, maximum_bytes)
        # By topic what a row has, as of the archive's version.
        self._fields: Mapping[str, Mapping[str, Field]] = {}
        self._topics = self._manifest()
        self._ids: dict[str, set[int]] = {}

    def _check_entries(self, entries: list[zipfile.ZipInfo], maximum_bytes: int) -> None:
        known = {MANIFEST, *map(file_of, TOPICS)}
        names = [entry.filename for entry in entries]
        if MANIFEST not in names:
            raise ArchiveError("not_an_archive")
        for entry in entries:
            if entry.filename not in known or names.count(entry.filename) > 1:
                raise ArchiveError("unknown_file", file=entry.filename[:100])
            if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED} or entry.flag_bits & 1:
                raise ArchiveError("damaged", file=entry.filename)
        # Reading stops at the size that is claimed here, so that a false claim gains nothing.
        size, packed = sum(entry.file_size for entry in entries), sum(entry.compress_size for entry in entries)
        if size > maximum_bytes or size > _SMALL + MAXIMUM_RATIO * packed:
            raise ArchiveError("too_large", maximum=maximum_bytes)

    def _manifest(self) -> Mapping[str, Any]:
        try:
            info = self._zip.getinfo(MANIFEST)
            if info.file_size > _SMALL:
                raise ArchiveError("not_an_archive")
            manifest = json.loads(self._zip.read(MANIFEST))
        except (zipfile.BadZipFile, OSError, EOFError, ValueError, RecursionError, RuntimeError, zlib.error) as error:
            raise ArchiveError("damaged", file=MANIFEST) from error
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise ArchiveError("not_an_archive")
        version = manifest.get("version")
        # Not isinstance: true is no number.
        if type(version) is not int or not OLDEST_VERSION <= version <= VERSION:
            known = ", ".join(map(str, range(OLDEST_VERSION, VERSION + 1)))
            raise ArchiveError("wrong_version", given=str(version)[:20], known=known)
        self._fields = topics_of(version)
        topics = manifest.get("topics")
        if not isinstance(topics, dict) or set(topics) != set(self._fields):
            raise ArchiveError("damaged", file=MANIFEST)
        for topic in self._fields:
            if file_of(topic) not in self._zip.namelist():
                raise ArchiveError("missing_file", file=file_of(topic))
            if not isinstance(topics[topic], dict):
                raise ArchiveError("damaged", file=MANIFEST)
        for topic in TOPICS:
            if topic not in self._fields and file_of(topic) in self._zip.namelist():
                raise ArchiveError("unknown_file", file=file_of(topic))
        return topics

    def rows(self, topic: str) -> Iterator[tuple[int, Row]]:
        """Yield (line number from 1, row) of a topic. Topics are read whole and in the order of `TOPICS`.

        A topic that came after the archive's version has no rows, and such a field is None; a field that is no more
        is there where the version had it.
        """
        ids: set[int] = set()
        self._ids[topic] = ids
        if topic not in self._fields:
            return
        fields = self._fields[topic]
        # References within the topic may point forward: they are looked up at its end.
        later: list[tuple[int, str, int]] = []
        digest, number = hashlib.sha256(), 0
        for number, line in self._lines(topic):
            digest.update(line)
            row = _row(line, topic, number, fields)
            for name, field in fields.items():
                if field.kind == "id":
                    if row[name] in ids:
                        raise ArchiveError("id_twice", file=file_of(topic), line=number, id=row[name])
                    ids.add(row[name])
                elif field.kind == "reference" and row[name] is not None:
                    if field.to == topic:
                        later.append((number, name, row[name]))
                    elif row[name] not in self._ids[field.to]:
                        raise _dangling(topic, number, name, row[name])
            yield number, dict.fromkeys(TOPICS[topic]) | row
        for line_number, name, given in later:
            if given not in ids:
                raise _dangling(topic, line_number, name, given)
        if self._topics[topic].get("rows") != number or self._topics[topic].get("sha256") != digest.hexdigest():
            raise ArchiveError("changed", file=file_of(topic))

    def _lines(self, topic: str) -> Iterator[tuple[int, bytes]]:
        try:
            with self._zip.open(file_of(topic)) as entry, io.BufferedReader(entry) as lines:  # type: ignore[type-var]
                number = 0
                while line := lines.readline(MAXIMUM_LINE + 1):
                    number += 1
                    if len(line) > MAXIMUM_LINE or not line.endswith(b"\n"):
                        raise ArchiveError("line_unreadable", file=file_of(topic), line=number)
                    yield number, line
        # What zlib and zipfile raise of bytes that are none of theirs.
        except (zipfile.BadZipFile, OSError, EOFError, RuntimeError, ValueError, zlib.error) as error:
            raise ArchiveError("damaged", file=file_of(topic)) from error


def _dangling(topic: str, line: int, name: str, given: int) -> ArchiveError:
    return ArchiveError("dangling", file=file_of(topic), line=line, field=name, id=given)


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key twice")
    return found


def _row(line: bytes, topic: str, number: int, fields: Mapping[str, Field]) -> Row:
    where: dict[str, str | int] = {"file": file_of(topic), "line": number}
    try:
        told = json.loads(line, parse_constant=_no_constant, object_pairs_hook=_no_key_twice)
        # Such characters get past the parser as escapes alone.
        readable = isinstance(told, dict) and (b"\\u" not in line or _is_clean(told))
    except (ValueError, RecursionError) as error:
        raise ArchiveError("line_unreadable", **where) from error
    if not readable:
        raise ArchiveError("line_unreadable", **where)
    for name in told:
        if name not in fields:
            raise ArchiveError("unknown_field", **where, field=name[:60])
    row: Row = {}
    for name, field in fields.items():
        if name not in told:
            raise ArchiveError("missing_field", **where, field=name)
        try:
            row[name] = _value(told[name], field)
        except (ValueError, OverflowError) as error:
            raise ArchiveError("wrong_type", **where, field=name, kind=field.kind) from error
    return row


def _is_clean(value: Any) -> bool:
    """Whether no text in a value has characters that databases refuse: NUL and half of a pair of surrogates."""
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, dict):
        return all(_is_clean(key) and _is_clean(one) for key, one in value.items())
    return all(map(_is_clean, value)) if isinstance(value, list) else True


def _is_shallow(value: Any) -> bool:
    """Whether lists and objects stand in each other at most `MAXIMUM_DEPTH` deep: whoever walks through them may."""
    level = [value]
    for _depth in range(MAXIMUM_DEPTH + 1):
        level = [
            one
            for outer in level
            if isinstance(outer, dict | list)
            for one in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return True
    return False


def _value(value: Any, field: Field) -> Any:  # noqa: PLR0911  # one line a kind
    """The value of a field as JSON has it, as a value of Python. Raises ValueError for another type."""
    if value is None and field.empty:
        return None
    match field.kind, value:
        case "json", _ if _is_shallow(value):
            return value
        case (("id" | "reference"), int()) if type(value) is int and 0 < value < _LARGEST:
            return value
        case "whole", int() if type(value) is int and -_LARGEST <= value < _LARGEST:
            return value
        case "number", int() | float() if type(value) is not bool and math.isfinite(value):
            return float(value)
        case "boolean", bool():
            return value
        case "text", str():
            return value
        case "bytes", str():
            return base64.b64decode(value, validate=True)
        case "day", str():
            return date.fromisoformat(value)
        case "time", str():
            moment = datetime.fromisoformat(value)
            # In the calendar's first and last year it is another, which there is not, by clocks elsewhere.
            if moment.tzinfo is None or not MINYEAR < moment.year < MAXYEAR:
                raise ValueError(value)
            return moment.astimezone(UTC)
    raise ValueError(value)
