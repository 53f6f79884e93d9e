"""Games: the catalogue, and what a club can log."""

from django.http import Http404, HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.idempotency import Answer
from api.serializers.games import (
    ClubGameListSerializer,
    ClubGameQuerySerializer,
    ClubGameSerializer,
    GameChangeSerializer,
    GameListSerializer,
    NewGameSerializer,
    club_game_data,
    game_data,
)
from api.views.base import ApiView, ClubView
from games.catalog import GAMES, GameInfo
from league.models import ClubGame, Role, name_key
from league.services import games


class GamesView(ApiView):
    @extend_schema(
        operation_id="list_games",
        summary=_("List the games of the catalogue"),
        description=_("With the scores that are possible and plausible for each size of table."),
        responses=GameListSerializer,
    )
    def get(self, request: Request) -> Response:
        return Response({"results": [game_data(game) for game in GAMES.values()], "next": None})


def _is_named(game: GameInfo, part: str) -> bool:
    return any(part in name_key(name) for name in (game.name, *game.titles.values()))


class ClubGamesView(ClubView):
    writes = Role.ADMIN
    query_shapes = {"GET": ClubGameQuerySerializer}

    @extend_schema(
        operation_id="list_club_games",
        summary=_("List the games that the club can log"),
        description=_("Those of the catalogue, then the club's own by name; all on one page."),
        parameters=[ClubGameQuerySerializer],
        responses=ClubGameListSerializer,
    )
    def get(self, request: Request, club: str) -> Response:
        own = ClubGame.objects.filter(club=self.access.club).order_by("name", "pk")
        listed: list[tuple[GameInfo, ClubGame | None]] = [(game, None) for game in GAMES.values()]
        listed += [(game.info(), game) for game in own]
        part = name_key(self.query.get("search", ""))
        results = [
            club_game_data(club, info, game)
            for info, game in listed
            if self.query.get("own") in {None, game is not None}
            and self.query.get("archived") in {None, game is not None and game.archived_at is not None}
            and _is_named(info, part)
        ]
        return Response({"results": results, "next": None})

    @extend_schema(
        operation_id="create_club_game",
        summary=_("Add a game of the club's own"),
        description=_("Its rounds fit sessions of the formats single_game and series."),
        request=NewGameSerializer,
        responses={201: ClubGameSerializer},
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        fields = self.body(NewGameSerializer)
        key, name = fields.pop("key"), fields.pop("name")

        def act() -> Answer:
            game = games.create(access=self.access, key=key, name=name, fields=fields, now=self.now)
            data = club_game_data(club, game.info(), game)
            return self.answer(201, data, data["url"])

        return self.once(act)


class ClubGameDetailView(ClubView):
    writes = Role.ADMIN

    @extend_schema(operation_id="get_club_game", summary=_("Read a game"), responses=ClubGameSerializer)
    def get(self, request: Request, club: str, game: str) -> Response:
        own = None if game in GAMES else ClubGame.objects.filter(club=self.access.club, key=game).first()
        if own is None and game not in GAMES:
            raise Http404
        return Response(club_game_data(club, own.info() if own is not None else GAMES[game], own))

    @extend_schema(
        operation_id="change_club_game",
        summary=_("Change or archive a game of the club's own"),
        description=_("What the places of stored rounds follow from stays as it is (409)."),
        request=GameChangeSerializer,
        responses=ClubGameSerializer,
    )
    def patch(self, request: Request, club: str, game: str) -> Response:
        changed = games.update(access=self.access, key=game, changes=self.body(GameChangeSerializer), now=self.now)
        return Response(club_game_data(club, changed.info(), changed))
