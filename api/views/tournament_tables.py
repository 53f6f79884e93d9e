"""What comes of a tournament: standings, the ranking as a whole, brackets, cross tables; read, never changed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec

from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import InvalidRequest
from api.serializers.tournament_rounds import (
    BracketSerializer,
    CrossTableQuerySerializer,
    CrossTableSerializer,
    RankingQuerySerializer,
    RankingSerializer,
    StageQuerySerializer,
    StandingsQuerySerializer,
    TournamentStandingsSerializer,
    line_shown,
    matches_shown,
    meeting_shown,
)
from api.serializers.tournaments import entry_brief
from api.views.tournaments import TournamentView
from league.models import StageStatus, Tournament
from league.services import tournament_plans, tournament_sheets, tournament_standings, tournament_state
from league.services.moments import one_moment
from league.services.tournament_formats import rules_of
from league.services.tournament_sheets import named_entries
from league.services.tournament_standings import GroupTable, Line
from league.services.tournament_state import TournamentState

P = ParamSpec("P")


def _of_one_moment(get: Callable[P, Response]) -> Callable[P, Response]:
    """Let a view read the tournament as it stood at one moment, however many queries it takes."""

    @wraps(get)
    def steady(*args: P.args, **kwargs: P.kwargs) -> Response:
        with one_moment():
            return get(*args, **kwargs)

    return steady


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines of a stage with their groups, None as stage while no stage began; those of the page, and the next one."""

    stage: int | None
    page: tuple[tuple[int, Line], ...]
    next: str | None


class TableOfTournamentView(TournamentView):
    def window(self, rows: Sequence[Any]) -> tuple[Sequence[Any], str | None]:
        """The rows from `start` on, at most `limit`, and the address of those that follow."""
        start, limit = self.query["start"] - 1, self.query["limit"]
        if start + limit >= len(rows):
            return rows[start:], None
        query = self.request.query_params.copy()
        query["start"] = str(start + limit + 1)
        return rows[start : start + limit], f"{self.request.path}?{query.urlencode()}"

    def stage(self, begun: Iterable[int]) -> int | None:
        """The stage that is asked for, of those that `begun`. Raises InvalidRequest (400) for any other."""
        known = sorted(set(begun))
        asked: int | None = self.query.get("stage", known[-1] if known else None)
        if asked is not None and asked not in known:
            message = _t("There is nothing of this stage. Stages that there are: %(known)s.")
            text = message % {"known": ", ".join(map(str, known)) or "-"}
            raise InvalidRequest(place="parameter", details={"stage": [ErrorDetail(text, code="unknown_stage")]})
        return asked

    def lines(self, tables: Sequence[GroupTable]) -> _Lines:
        """The lines of the page that is asked for."""
        stage, group = self.stage(table.stage for table in tables), self.query.get("group")
        rows = [
            (table.group, line)
            for table in tables
            if table.stage == stage and group in {None, table.group}
            for line in table.lines
        ]
        page, following = self.window(rows)
        return _Lines(stage, tuple(page), following)

    def seen(self, row: Tournament) -> TournamentState:
        """The tournament as the asker may see it."""
        state = tournament_state.load(row)
        return state if self.organises else tournament_sheets.published(state)


class TournamentStandingsView(TableOfTournamentView):
    query_shapes = {"GET": StandingsQuerySerializer}

    @extend_schema(
        operation_id="get_tournament_standings",
        summary=_("Read the standings of a stage"),
        description=_("By group and rank, with the figure of every tie-break and the one that decided."),
        parameters=[StandingsQuerySerializer],
        responses=TournamentStandingsSerializer,
    )
    @_of_one_moment
    def get(self, request: Request, club: str, tournament_id: int) -> Response:
        row = self.row(tournament_id)
        found = self.lines(tournament_standings.kept_tables(row))
        entries = named_entries(tournament_id, [line.entry for _group, line in found.page])
        results = [line_shown(group, line, entries[line.entry], row.tie_breaks) for group, line in found.page]
        return Response({"stage": found.stage, "results": results, "next": found.next})


class TournamentRankingView(TableOfTournamentView):
    query_shapes = {"GET": RankingQuerySerializer}

    @extend_schema(
        operation_id="get_tournament_ranking",
        summary=_("Read the ranking of a tournament as a whole"),
        description=_("Who came into the last stage is before who did not. Equals of different groups share a rank."),
        parameters=[RankingQuerySerializer],
        responses=RankingSerializer,
    )
    @_of_one_moment
    def get(self, request: Request, club: str, tournament_id: int) -> Response:
        tables = tournament_standings.kept_tables(self.row(tournament_id))
        page, following = self.window(tournament_standings.ranks_of(tables))
        entries = named_entries(tournament_id, [entry for _rank, entry in page])
        results = [{"rank": rank, "entry": entry_brief(entries[entry])} for rank, entry in page]
        return Response({"results": results, "next": following})


class CrossTableView(TableOfTournamentView):
    query_shapes = {"GET": CrossTableQuerySerializer}

    @extend_schema(
        operation_id="get_cross_table",
        summary=_("Read who met whom in a stage"),
        description=_("By group and rank; at most 60 lines a page."),
        parameters=[CrossTableQuerySerializer],
        responses=CrossTableSerializer,
    )
    @_of_one_moment
    def get(self, request: Request, club: str, tournament_id: int) -> Response:
        row = self.row(tournament_id)
        found = self.lines(tournament_standings.kept_tables(row))
        order = [line.entry for _group, line in found.page]
        met = tournament_sheets.met_by(tournament=row, stage=found.stage or 0, entries=order, drafts=self.organises)
        named = {*order, *(one.entry for its in met.values() for one in its)}
        entries = named_entries(tournament_id, named)
        results = [
            {
                "group": group,
                "rank": line.rank,
                "entry": entry_brief(entries[line.entry]),
                "meetings": [meeting_shown(one, entries) for one in met[line.entry]],
            }
            for group, line in found.page
        ]
        return Response({"stage": found.stage, "results": results, "next": found.next})


class BracketView(TableOfTournamentView):
    query_shapes = {"GET": StageQuerySerializer}

    @extend_schema(
        operation_id="get_bracket",
        summary=_("Read the bracket of a stage"),
        description=_("Every match with who comes into it from where, and what came of it."),
        parameters=[StageQuerySerializer],
        responses=BracketSerializer,
    )
    @_of_one_moment
    def get(self, request: Request, club: str, tournament_id: int) -> Response:
        state = self.seen(self.row(tournament_id))
        brackets = {
            stage.row.number: stage
            for stage in state.stages
            if rules_of(stage.row.format).bracket and stage.row.status != StageStatus.WAITING
        }
        number = self.stage(brackets)
        if number is None:
            return Response({"stage": None, "format": None, "finished": False, "matches": []})
        stage = brackets[number]
        resolved = tournament_plans.resolved(stage)
        tables = {table.match: {"round": round_.row.number, "table": table.number} for round_, table in stage.tables()}
        won = tournament_sheets.games_of_bracket(state.row, stage)
        entries = named_entries(tournament_id)
        matches = matches_shown(tournament_plans.bracket_of(stage), resolved, entries, tables, won)
        data = {"stage": number, "format": stage.row.format, "finished": resolved.finished, "matches": matches}
        return Response(data)
