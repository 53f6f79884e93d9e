"""The boards of ratings, for members: they hold what was played in seasons that are not public, too."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.models import ChangedSession, PlayerKind, Rating, RatingBoard, Role
from league.scoring.ratings import ESTABLISHED
from league.services.access import Access
from league.web.access import club_page
from league.web.rating_words import board_title
from league.web.reading import page_number, rights_of

PLAYERS_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class Tab:
    """A board that can be chosen."""

    board: RatingBoard
    family: str
    kind: PlayerKind

    @property
    def title(self) -> str:
        return board_title(self.board, self.family, self.kind)

    @property
    def query(self) -> str:
        """The query of the board's address."""
        return urlencode({"board": self.board, "family": self.family, "kind": self.kind})


@require_safe
@club_page(Role.MEMBER)
def ratings(request: HttpRequest, access: Access) -> HttpResponseBase:
    """One board, by `?board=`, `family=` and `kind=`; the first one where these name none."""
    tabs = [Tab(*found) for found in Rating.objects.boards(access.club.pk)]
    asked = [request.GET.get(name, "") for name in ("board", "family", "kind")]
    chosen = next((tab for tab in tabs if [tab.board, tab.family, tab.kind] == asked), next(iter(tabs), None))
    context: dict[str, Any] = {
        "club": access.club,
        "rights": rights_of(access.role),
        "tabs": tabs,
        "chosen": chosen,
        "established": ESTABLISHED,
        # Somebody's result came in a moment ago.
        "is_due": ChangedSession.objects.filter(club=access.club).exists(),
    }
    if chosen is not None:
        rows = Rating.objects.board(club_id=access.club.pk, board=chosen.board, family=chosen.family, kind=chosen.kind)
        page = Paginator(rows, PLAYERS_A_PAGE).get_page(page_number(request, "page"))
        context |= {"page": page, "together": chosen.board == RatingBoard.COOPERATIVE}
    return render(request, "web/ratings.html", context)
