"""A line to copy: how a program posts a result to this club, or reads its standings."""

import json
from itertools import islice

from django.http import HttpRequest
from django.utils import timezone

from league.models import Club, Player, PlayerKind, Scope, Season, SeasonStatus
from league.web import addresses

# Stands where the reader's own token belongs.
PLACEHOLDER = "tl_…"
# Points for games 1 to 6 that the rules find plausible at a table of two.
_POINTS = {
    "xxl-1": (0, 31),
    "xxl-2": (24, 0),
    "xxl-3": (96, 64),
    "xxl-4": (51, 29),
    "xxl-5": (13, 22),
    "xxl-6": (120, 101),
}


def curl_example(request: HttpRequest, club: Club, token: str, scope: Scope) -> str:
    """A `curl` command that a token of this scope allows, with the club's newest season that is open.

    It posts an evening of the first two players; with a token that only reads it gets the standings.
    """
    season = Season.objects.filter(club=club, status=SeasonStatus.OPEN).select_related("league").first()
    root = addresses.public(request, f"/api/v1/clubs/{club.slug}/")
    head = f"-H 'Authorization: Bearer {token}'"
    if scope == Scope.READ:
        return f"curl {root}{f'seasons/{season.pk}/standings/' if season else 'seasons/'} \\\n  {head}"
    people = Player.objects.filter(club=club, archived_at=None, kind=PlayerKind.PERSON).order_by("pk")
    names = [*islice(people.values_list("name", flat=True), 2), "Ann", "Ben"][:2]
    body = {
        "season": f"{season.league.slug}/{season.slug}" if season else None,
        "format": "pure_xxl",
        "played_on": club.local_date(timezone.now()).isoformat(),
        "players": [{"player": name} for name in names],
        "rounds": [
            {
                "game": game,
                "scores": [{"player": name, "points": one} for name, one in zip(names, points, strict=True)],
            }
            for game, points in _POINTS.items()
        ],
        "status": "complete",
    }
    # In a shell's single quotes a single quote ends them: it is written as a closed, escaped and opened one.
    text = json.dumps(body, ensure_ascii=False).replace('}, {"game"', '},\n {"game"').replace("'", "'\\''")
    return f"curl {root}sessions/ \\\n  {head} \\\n  -H 'Content-Type: application/json' \\\n  -d '{text}'"
