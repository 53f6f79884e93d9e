"""Files of a club: tables as CSV and JSON, the archive, links into BG Stats."""

from django.http import FileResponse, HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import by_days, by_season
from api.serializers.exports import (
    BgStatsLinkListSerializer,
    SessionRowSerializer,
    SessionRowsQuerySerializer,
    SessionTableQuerySerializer,
    TableQuerySerializer,
)
from api.views.base import ClubView
from league.exchange import csv_tables, json_tables
from league.models import Role, Season, Session
from league.models.pushes import push_links
from league.models.sheets import score_sheet
from league.models.tables import session_rows, standing_rows
from league.services import archives

CSV = "text/csv"
ZIP = "application/zip"


class TableView(ClubView):
    def table(self, headers: csv_tables.Headers, rows: csv_tables.Rows, name: str) -> StreamingHttpResponse:
        """Rows as CSV, in the language and with the delimiter asked for."""
        language = self.query.get("language") or (get_language() or "en").split("-")[0]
        delimiter = self.query.get("delimiter") or csv_tables.USUAL_DELIMITER[language]
        pieces = csv_tables.table(headers[language], rows, language=language, delimiter=delimiter)
        response = StreamingHttpResponse(pieces, content_type=f"{CSV}; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
        return response

    def rows(self) -> csv_tables.Rows:
        """The rows of the club's sessions that are asked for."""
        sessions = by_season(Session.objects.filter(club=self.access.club), self.query)
        return session_rows(by_days(sessions, self.query))


class StandingsTableView(TableView):
    query_shapes = {"GET": TableQuerySerializer}

    @extend_schema(
        operation_id="export_standings",
        tags=["seasons"],
        summary=_("A season's standings as a CSV table"),
        parameters=[TableQuerySerializer],
        responses={(200, CSV): OpenApiTypes.STR},
    )
    def get(self, request: Request, club: str, season_id: int) -> HttpResponseBase:
        season = self.find(Season.objects.all(), season_id)
        return self.table(csv_tables.STANDING_HEADERS, standing_rows(season), f"{club}-standings")


class SessionsTableView(TableView):
    query_shapes = {"GET": SessionTableQuerySerializer}

    @extend_schema(
        operation_id="export_sessions_csv",
        tags=["sessions"],
        summary=_("Sessions as a CSV table, a row for each player and round"),
        description=_("All of them, oldest first; what was voided is left out. An import reads such a table back."),
        parameters=[SessionTableQuerySerializer],
        responses={(200, CSV): OpenApiTypes.STR},
    )
    def get(self, request: Request, club: str) -> HttpResponseBase:
        return self.table(csv_tables.SESSION_HEADERS, self.rows(), f"{club}-sessions")


class SessionsArrayView(TableView):
    query_shapes = {"GET": SessionRowsQuerySerializer}

    @extend_schema(
        operation_id="export_sessions_json",
        tags=["sessions"],
        summary=_("Sessions as a JSON array, a row for each player and round"),
        description=_("The rows of the CSV table, all in one answer."),
        parameters=[SessionRowsQuerySerializer],
        responses=SessionRowSerializer(many=True),
    )
    def get(self, request: Request, club: str) -> HttpResponseBase:
        return StreamingHttpResponse(json_tables.array(self.rows()), content_type="application/json")


class ArchiveView(ClubView):
    # Nobody below; of admins the service lets through whoever has an owner behind it.
    reads = Role.ADMIN

    @extend_schema(
        operation_id="export_archive",
        tags=["clubs"],
        summary=_("Download the archive of the club"),
        description=_(
            "For owners, and for tokens of owners with the scope club:admin: one zip file with everything of the club "
            "but secrets. Refused (409) while an import is under way."
        ),
        responses={(200, ZIP): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, club: str) -> HttpResponseBase:
        file = archives.export_club(access=self.access, now=self.now)
        name = f"{club}-{timezone.localdate(self.now).isoformat()}.zip"
        return FileResponse(file, as_attachment=True, filename=name, content_type=ZIP)


class BgStatsLinksView(ClubView):
    @extend_schema(
        operation_id="list_bg_stats_links",
        summary=_("List links that take the session over into BG Stats"),
        description=_("One for each participant of an ended session; each names its participant first."),
        responses=BgStatsLinkListSerializer,
    )
    def get(self, request: Request, club: str, session_id: int) -> Response:
        session = self.find(Session.objects.select_related("season__league"), session_id)
        links = [
            {"player": {"id": player.pk, "name": player.name}, "url": url}
            for player, url in push_links(score_sheet(session))
        ]
        return Response({"results": links, "next": None})
