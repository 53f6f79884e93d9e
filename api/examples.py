"""Example bodies for the documentation of the API; a test posts each of them."""

from drf_spectacular.utils import OpenApiExample

_POINTS = {
    "xxl-1": (0, 14, 23, 23),
    "xxl-2": (31, 0, 8, 17),
    "xxl-3": (96, 54, 120, 71),
    "xxl-4": (64, 51, 0, 22),
    "xxl-5": (12, 40, 27, 9),
    "xxl-6": (120, 95, 95, 140),
}
_NAMES = ("Ann", "Ben", "Cem", "Dora")


def _round(game: str) -> dict[str, object]:
    scores = [{"player": name, "points": points} for name, points in zip(_NAMES, _POINTS[game], strict=True)]
    return {"game": game, "scores": scores}


NEW_SESSION = OpenApiExample(
    "A whole evening of Pure XXL",
    request_only=True,
    value={
        "season": "monday-league/2026",
        "format": "pure_xxl",
        "played_on": "2026-11-02",
        "location": "Café Rot",
        "players": [{"player": name} for name in _NAMES],
        "rounds": [_round(game) for game in _POINTS],
        "status": "complete",
    },
)
NEW_ROUND = OpenApiExample("The first game of an evening", request_only=True, value=_round("xxl-1"))
NEW_TOURNAMENT = OpenApiExample(
    "Groups of four, then a bracket of their best two",
    request_only=True,
    value={
        "name": "Winter Cup",
        "slug": "winter-cup",
        "starts_on": "2026-12-05",
        "session_format": "series",
        "game": "xxl-6-plus",
        "games_per_table": 3,
        "stages": [
            {"format": "round_robin", "groups": 2, "advance": 2},
            {"format": "single_elimination", "options": {"best_of": 3, "third_place": True}},
        ],
    },
)
WANTED_PAR = OpenApiExample(
    "Three at a table of experts",
    request_only=True,
    value={"game": "the-game", "seats": 3, "options": {"minimum": 3}, "games": 10_000},
)
NEW_BOT_MATCH = OpenApiExample(
    "Three random bots",
    request_only=True,
    value={"game": "xxl-6", "players": ["Bot 1", "Bot 2", "Bot 3"], "seed": 7},
)
