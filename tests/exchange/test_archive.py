"""The archive's file format: what is written is read, and every other file is refused with the reason."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from league.exchange.archive import FORMAT, MANIFEST, TOPICS, VERSION, ArchiveError, Reader, Writer, file_of

AT = datetime(2026, 11, 30, 20, 15, 0, 123456, tzinfo=UTC)
LEAGUES = [{"id": 4, "name": "Montag „Größe“\u2028", "slug": "a", "created_at": AT}]
SEASON = {
    "id": 9,
    "league": 4,
    "name": "2026",
    "slug": "2026",
    "starts_on": date(2026, 9, 1),
    "ends_on": None,
    "status": "open",
    "visibility": "public",
    "planned_evenings": None,
    "has_divisions": False,
    "rules_version": 1,
    "ranking_metric": "wins",
    "ranking_best": "high",
    "points_by_place": [3, 2, 1],
    "table_weight": "none",
    "drop_worst": 0,
    "count_best": 0,
    "absence": "none",
    "tie_breaks": ["direct"],
    "minimum_sessions": 1,
    "incomplete_sessions": "count",
    "minimum_rounds": 1,
    "missing_round": "last",
    "substitution": "seat",
    "needs_confirmation": False,
    "created_at": AT.astimezone(timezone(timedelta(hours=2))),
}
ROWS: dict[str, list[dict[str, Any]]] = {"leagues": LEAGUES, "seasons": [SEASON]}


def written(rows: dict[str, list[dict[str, Any]]] = ROWS) -> bytes:
    target = io.BytesIO()
    writer = Writer(target)
    for topic in TOPICS:
        writer.write(topic, rows.get(topic, []))
    writer.close(made_at=AT, made_by="a test")
    return target.getvalue()


def read(archive: bytes, **limits: int) -> dict[str, list[dict[str, Any]]]:
    reader = Reader(io.BytesIO(archive), **limits)
    return {topic: [row for _number, row in reader.rows(topic)] for topic in TOPICS}


def code(archive: bytes, **limits: int) -> str:
    with pytest.raises(ArchiveError) as caught:
        read(archive, **limits)
    return caught.value.code


def files_of(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def packed(files: dict[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", kind) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return target.getvalue()


def with_lines(topic: str, *lines: bytes) -> bytes:
    """An archive with these lines in a topic and a manifest that agrees."""
    files = files_of(written())
    content = b"".join(lines)
    files[file_of(topic)] = content
    manifest = json.loads(files[MANIFEST])
    manifest["topics"][topic] |= {"rows": content.count(b"\n"), "sha256": hashlib.sha256(content).hexdigest()}
    return packed({**files, MANIFEST: json.dumps(manifest).encode()})


def test_what_is_written_is_read() -> None:
    told = read(written())
    assert told["leagues"] == LEAGUES
    assert told["seasons"] == [SEASON]
    assert [topic for topic, rows in told.items() if rows] == ["leagues", "seasons"]


def test_the_manifest_says_what_there_is() -> None:
    """As docs/archive.md describes it, so that any program can check a file."""
    files = files_of(written())
    manifest = json.loads(files[MANIFEST])
    assert (manifest["format"], manifest["version"], manifest["made_at"]) == (FORMAT, VERSION, AT.isoformat())
    assert set(files) == {MANIFEST, *(one["file"] for one in manifest["topics"].values())}
    for one in manifest["topics"].values():
        content = files[one["file"]]
        assert one["sha256"] == hashlib.sha256(content).hexdigest()
        assert (one["bytes"], one["rows"]) == (len(content), content.count(b"\n"))


def test_an_archive_cut_anywhere_is_refused() -> None:
    whole = written()
    for end in range(0, len(whole), 97):
        assert code(whole[:end]) == "not_an_archive"


def test_a_changed_byte_is_refused_or_changes_nothing() -> None:
    whole, before = written(), read(written())
    for at in range(0, len(whole), 41):
        changed = bytearray(whole)
        changed[at] ^= 0x55
        try:
            assert read(bytes(changed)) == before
        except ArchiveError:
            continue


LEAGUE = json.dumps({**LEAGUES[0], "created_at": AT.isoformat()}).encode()


def _manifest(**changes: Any) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    return lambda files: {**files, MANIFEST: json.dumps({**json.loads(files[MANIFEST]), **changes}).encode()}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (_manifest(version=VERSION + 1), "wrong_version"),
        (_manifest(version=0), "wrong_version"),
        (_manifest(version=True), "wrong_version"),
        # It has more topics than its version knows.
        (_manifest(version=1), "damaged"),
        (_manifest(version=None), "wrong_version"),
        (_manifest(format="other"), "not_an_archive"),
        (_manifest(topics={}), "damaged"),
        (_manifest(topics=dict.fromkeys(TOPICS)), "damaged"),
        (lambda files: {**files, MANIFEST: b"[" * 100_000}, "damaged"),
        (lambda files: {**files, MANIFEST: b"[]"}, "not_an_archive"),
        (lambda files: {**files, "../leagues.jsonl": b""}, "unknown_file"),
        (lambda files: {**files, "/etc/passwd": b""}, "unknown_file"),
        (lambda files: {**files, "folder/": b""}, "unknown_file"),
        (lambda files: {name: one for name, one in files.items() if name != "scores.jsonl"}, "missing_file"),
        (lambda files: {name: one for name, one in files.items() if name != MANIFEST}, "not_an_archive"),
        (lambda files: {**files, "leagues.jsonl": b""}, "changed"),
        (lambda files: {**files, "leagues.jsonl": files["leagues.jsonl"].replace(b"2026", b"2025")}, "changed"),
    ],
)
def test_other_files_are_refused(change: Callable[[dict[str, bytes]], dict[str, bytes]], expected: str) -> None:
    assert code(packed(change(files_of(written())))) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((b"{}\n",), "missing_field"),
        ((b"\n",), "line_unreadable"),
        ((b"[]\n",), "line_unreadable"),
        ((b"\xff\n",), "line_unreadable"),
        ((b"[" * 200_000 + b"\n",), "line_unreadable"),
        ((LEAGUE,), "line_unreadable"),
        ((LEAGUE.replace(b"}", b', "id": 5}') + b"\n",), "line_unreadable"),
        ((LEAGUE.replace(b": 4", b": NaN") + b"\n",), "line_unreadable"),
        ((LEAGUE.replace(b'"a"', b'"\\u0000"') + b"\n",), "line_unreadable"),
        ((LEAGUE.replace(b'"a"', b'"\\ud800"') + b"\n",), "line_unreadable"),
        ((LEAGUE.replace(b": 4", b": 0") + b"\n",), "wrong_type"),
        ((LEAGUE.replace(b": 4", b": 4.0") + b"\n",), "wrong_type"),
        ((LEAGUE.replace(b": 4", b": " + b"9" * 30) + b"\n",), "wrong_type"),
        ((LEAGUE.replace(b"+00:00", b"") + b"\n",), "wrong_type"),
        ((LEAGUE + b"\n", LEAGUE + b"\n"), "id_twice"),
        # Then the season points nowhere.
        ((LEAGUE.replace(b": 4", b": 5") + b"\n",), "dangling"),
    ],
)
def test_rows_that_can_not_be_are_refused(lines: tuple[bytes, ...], expected: str) -> None:
    assert code(with_lines("leagues", *lines)) == expected


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    files = files_of(written())
    bomb = packed({**files, "leagues.jsonl": b"0" * 30_000_000})
    assert len(bomb) < 100_000
    assert code(bomb) == "too_large"
    assert code(written(), maximum_bytes=100) == "too_large"


def test_a_false_size_gains_nothing() -> None:
    """The directory claims less than there is: reading ends where the claim does, and the checksum tells."""
    whole = bytearray(packed({**files_of(written()), "leagues.jsonl": LEAGUE + b"\n" + b" " * 5000}))
    with zipfile.ZipFile(io.BytesIO(bytes(whole))) as opened:
        size = opened.getinfo("leagues.jsonl").file_size
    for at in range(len(whole) - 4):
        if whole[at : at + 4] == size.to_bytes(4, "little"):
            whole[at : at + 4] = (200).to_bytes(4, "little")
    assert code(bytes(whole)) in {"damaged", "changed", "line_unreadable"}


def test_other_ways_of_packing_are_refused() -> None:
    assert code(packed(files_of(written()), zipfile.ZIP_BZIP2)) == "damaged"
    assert read(packed(files_of(written()), zipfile.ZIP_STORED))["leagues"] == LEAGUES
