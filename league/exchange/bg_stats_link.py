"""A link that opens BG Stats on a phone with a play filled in.

Terms: a *push* is one play as BG Stats takes it over from a link: an address of its makers' with the play as JSON in
the parameter `data`. docs/exports.md says which of its fields are filled and from what. Promises: `winner` stands for
every player, since BG Stats would otherwise work it out from the scores and can't know how places are summed here.
Never: sends anything; whoever opens the link does.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote

ADDRESS = "https://app.bgstatsapp.com/createPlay.html"
SOURCE = "Tischliga"


@dataclass(frozen=True, slots=True)
class PushPlayer:
    """A player's row: `score` "" for none, `rank` from 1, 0 for none."""

    source_id: str
    name: str
    score: str
    rank: int
    winner: bool


@dataclass(frozen=True, slots=True)
class Push:
    """A play: `board` is the variant ("" for none); without points (`no_points`) the ranks say who won."""

    source_id: str
    day: date
    game: str
    game_source_id: str
    board: str
    high_wins: bool
    no_points: bool
    location: str
    comment: str
    players: Sequence[PushPlayer]


def link(push: Push) -> str:
    """The address that opens BG Stats with this play."""
    play = {
        "sourceName": SOURCE,
        "sourcePlayId": push.source_id,
        # No time of day is known; at noon it is the same day in nearly every zone.
        "playDate": f"{push.day.isoformat()} 12:00:00",
        "durationMin": 0,
        "location": push.location,
        "board": push.board,
        "comments": push.comment,
        "game": {
            "name": push.game,
            "sourceGameId": push.game_source_id,
            "highestWins": push.high_wins,
            "noPoints": push.no_points,
        },
        "players": [
            {
                "name": one.name,
                "sourcePlayerId": one.source_id,
                "score": one.score,
                "rank": one.rank,
                "winner": one.winner,
            }
            for one in push.players
        ],
    }
    text = json.dumps({name: value for name, value in play.items() if value != ""}, ensure_ascii=False)
    return f"{ADDRESS}?data={quote(text, safe='')}"
