"""Files of other programs, made for tests: the shapes that these programs write, with nobody's plays in them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

NAMES = ("Ann", "Ben", "Cem", "Dora")


def player(number: int, name: str, **changes: Any) -> dict[str, Any]:
    """A player of a BG Stats export."""
    return {
        "id": number,
        "uuid": f"P-{number}-{name}",
        "name": name,
        "isAnonymous": False,
        "bggUsername": "",
        "metaData": "{}",
        **changes,
    }


def game(number: int, name: str, **changes: Any) -> dict[str, Any]:
    """A game of a BG Stats export."""
    return {
        "id": number,
        "uuid": f"G-{number}",
        "name": name,
        "bggId": 0,
        "bggName": "",
        "highestWins": True,
        "noPoints": False,
        "cooperative": False,
        "usesTeams": False,
        "isBaseGame": 1,
        "isExpansion": 0,
        **changes,
    }


def score(number: int, text: Any = "", **changes: Any) -> dict[str, Any]:
    """A player's line of a play of a BG Stats export."""
    return {
        "playerRefId": number,
        "score": text,
        "winner": False,
        "newPlayer": False,
        "startPlayer": False,
        "rank": 0,
        "seatOrder": 0,
        **changes,
    }


def play(uuid: str, scores: Sequence[Mapping[str, Any]], **changes: Any) -> dict[str, Any]:
    """A play of a BG Stats export."""
    return {
        "uuid": uuid,
        "gameRefId": 1,
        "playDate": "2026-10-04 22:30:00",
        "playDateYmd": 20261005,
        "entryDate": "2026-10-05 23:10:00",
        "durationMin": 0,
        "usesTeams": False,
        "ignored": False,
        "manualWinner": False,
        "rounds": 0,
        "bggId": 0,
        "playImages": "[]",
        "playerScores": list(scores),
        **changes,
    }


def export(plays: Sequence[Mapping[str, Any]], **lists: Any) -> bytes:
    """A BG Stats export; players are `NAMES` and the one game is “Straßenbau”, unless given."""
    return json.dumps(
        {
            "players": [player(number, name) for number, name in enumerate(NAMES, start=1)],
            "locations": [{"id": 1, "uuid": "L-1", "name": "Café Rot"}],
            "games": [game(1, "Straßenbau")],
            "plays": list(plays),
            "tags": [],
            "groups": [],
            "challenges": [],
            "userInfo": {"meRefId": 1},
            **lists,
        }
    ).encode()


def bgg_player(name: str = "", **attributes: str) -> str:
    """A player's element of BoardGameGeek's plays."""
    given = {
        "username": "",
        "userid": "0",
        "name": name,
        "startposition": "",
        "color": "",
        "score": "",
        "new": "0",
        "rating": "0",
        "win": "0",
        **attributes,
    }
    return "<player" + "".join(f" {key}={quoteattr(value)}" for key, value in given.items()) + "/>"


def bgg_play(number: int, players: Sequence[str] | None, *, game: str = "Making Straights", **attributes: str) -> str:
    """A play's element; `players` None leaves their list away, as in most plays."""
    comment = attributes.pop("comment", "")
    given = {
        "id": str(number),
        "date": "2026-10-05",
        "quantity": "1",
        "length": "0",
        "incomplete": "0",
        "nowinstats": "0",
        "location": "",
        **attributes,
    }
    head = "".join(f" {key}={quoteattr(value)}" for key, value in given.items())
    listed = "" if players is None else f"<players>{''.join(players)}</players>"
    said = f"<comments>{comment}</comments>" if comment else ""
    kind = '<subtypes><subtype value="boardgame"/></subtypes>'
    item = f'<item name={quoteattr(game)} objecttype="thing" objectid="1">{kind}'
    return f"<play{head}>{item}</item>{said}{listed}</play>"


def bgg_plays(plays: Sequence[str], *, total: int | None = None) -> bytes:
    """An answer of BoardGameGeek's API."""
    count = len(plays) if total is None else total
    head = f'<?xml version="1.0" encoding="utf-8"?><plays username="ann" userid="7" total="{count}" page="1">'
    return (head + "".join(plays) + "</plays>").encode()
