"""The sessions of an archive of this product, as plays to be imported into a club that stands.

Terms: see `league/exchange/archive.py`. Promises: sessions that are over and not void become plays with all their
rounds, seats and notes; their ids are made of the club's and the session's, so that the same archive, or a later one
of that club, is known again. Seasons, members and all else of an archive play no part: `import_club` restores a club.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from io import BytesIO

from games.catalog import GAMES
from league.exchange.archive import TOPICS, ArchiveError, Reader, Row
from league.exchange.plays import (
    MAX_COMMENT,
    MAX_GAME_NAME,
    MAX_LOCATION,
    Collector,
    FileGame,
    FileRound,
    FileScore,
    NotRead,
    Play,
    PlayFile,
    digest,
    name_of,
    one_line,
)

# Unpacked; some ten times what the sessions of the largest file that is taken need.
MAX_UNPACKED = 300_000_000


def is_zip(head: bytes) -> bool:
    """Whether a file that begins so is a ZIP archive; of which programs of tables make some too."""
    return head.startswith(b"PK\x03\x04")


def read(data: bytes) -> PlayFile:
    """The sessions of an archive. Raises NotRead."""
    try:
        return _read(Reader(BytesIO(data), maximum_bytes=MAX_UNPACKED))
    except ArchiveError as error:
        raise NotRead("spreadsheet" if error.code == "not_an_archive" else "archive_not_read") from None


def _read(reader: Reader) -> PlayFile:
    found = Collector("archive")
    wanted = {"club", "players", "games", "sessions", "seats", "rounds", "scores"}
    topics: dict[str, list[Row]] = {}
    # Every topic is read, in order: only then is it known that nothing was cut off.
    for topic in TOPICS:
        rows: Iterator[tuple[int, Row]] = reader.rows(topic)
        if topic in wanted:
            topics[topic] = [row for _number, row in rows]
        else:
            for _row in rows:
                pass
    names = _names(topics["players"])
    games = _games(topics["games"])
    found.games = {game.name: game for game in games.values()}
    seats, rounds, scores = (_by(topics[topic], key) for topic, key in _POINTERS)
    club = topics["club"][0] if topics["club"] else {}
    for line, session in enumerate(topics["sessions"], start=1):
        if session["voided_at"] is not None:
            found.problem("ignored_there", line)
        elif session["status"] == "open" or not rounds[session["id"]]:
            found.problem("unfinished", line)
        else:
            own = sorted(seats[session["id"]], key=lambda seat: (seat["number"], seat["from_round"]))
            found.add(
                Play(
                    external_id=digest(club.get("slug"), str(club.get("created_at")), session["id"]),
                    line=line,
                    day=session["played_on"],
                    players=tuple(dict.fromkeys(names[seat["player"]] for seat in own)),
                    rounds=tuple(
                        _round(one, games, scores[one["id"]], names)
                        for one in sorted(rounds[session["id"]], key=lambda one: int(one["number"]))
                    ),
                    format=session["format"] if session["format"] in _FORMATS else "",
                    seats={names[seat["player"]]: seat["number"] for seat in own},
                    location=one_line(session["location"], MAX_LOCATION),
                    comment=one_line(session["comment"], MAX_COMMENT),
                    planned=session["planned_rounds"],
                )
            )
    if not topics["sessions"]:
        raise NotRead("no_plays")
    return found.file()


_POINTERS = (("seats", "session"), ("rounds", "session"), ("scores", "round"))
_FORMATS = frozenset({"pure_xxl", "individual_xxl", "single_game", "series"})


def _by(rows: list[Row], key: str) -> defaultdict[int, list[Row]]:
    found: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows:
        found[row[key]].append(row)
    return found


def _names(players: list[Row]) -> dict[int, str]:
    """Names by id; a merged player's results are the remaining one's already."""
    return {row["id"]: name_of(row["name"]) or f"#{row['id']}" for row in players}


def _games(own: list[Row]) -> dict[str, FileGame]:
    """The games by key: the club's own with all that is known of them."""
    games = {key: FileGame(key) for key in GAMES}
    for row in own:
        name = name_of(row["name"], MAX_GAME_NAME) or row["key"]
        games[row["key"]] = FileGame(name, row["high_wins"], row["cooperative"], row["scored_by"] == "places")
    return games


def _round(one: Row, games: dict[str, FileGame], scores: list[Row], names: dict[int, str]) -> FileRound:
    key = str(one["game"])
    game = games[key].name if key in games else key
    cooperative = key in GAMES and GAMES[key].cooperative
    return FileRound(
        game=game,
        scores=tuple(
            FileScore(names[row["player"]], row["points"], None if cooperative else row["place"]) for row in scores
        ),
        note=one["note"] if one["note"] in {"draw_pile_ran_out", "early_end"} else "",
    )
