"""The rounds of a tournament: paired, published, changed and taken back, with their tables."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import by_values
from api.idempotency import Answer
from api.schema import page_of
from api.serializers.corrections import OvertakenSerializer
from api.serializers.journal import JobSerializer
from api.serializers.sessions import NothingSerializer
from api.serializers.tournament_rounds import (
    ClockSerializer,
    ForeseenSerializer,
    ForfeitSerializer,
    MendedSerializer,
    MendSerializer,
    OvertakenListSerializer,
    PairedSerializer,
    PairSerializer,
    SwapSerializer,
    TournamentRoundLineSerializer,
    TournamentRoundQuerySerializer,
    TournamentRoundSerializer,
    TournamentTableSerializer,
    UndoneSerializer,
    round_url,
    table_shown,
)
from api.serializers.tournaments import entry_brief
from api.views.tournaments import TournamentView
from league.models import Role, RoundStatus, Tournament, TournamentRound
from league.services import tournament_asked, tournament_changes, tournament_rounds, tournament_state
from league.services.errors import NotFound
from league.services.moments import one_moment
from league.services.tournament_sheets import RoundSheet, named_entries, round_sheet


def _rows() -> QuerySet[TournamentRound]:
    return TournamentRound.objects.select_related("stage")


class TournamentRoundView(TournamentView):
    def sheet(self, tournament_id: int, number: int) -> RoundSheet:
        """The tournament round as it is stored. Raises NotFound, for members also for a draft."""
        with one_moment():
            return round_sheet(club=self.access.club, tournament_id=tournament_id, number=number, drafts=self.organises)

    def told_table(self, tournament_id: int, number: int, table: int) -> dict[str, Any]:
        """A table as `TournamentTableSerializer` declares it."""
        sheet = self.sheet(tournament_id, number)
        briefs = {pk: entry_brief(entry) for pk, entry in sheet.entries.items()}
        found = next(one for one in sheet.tables if one.number == table)
        return table_shown(found, briefs, self.access.club.slug)

    def lines(self, tournament_id: int, numbers: Sequence[int]) -> dict[str, Any]:
        """The tournament rounds of these numbers as `PairedSerializer` declares them."""
        rows = _rows().filter(tournament=tournament_id, number__in=numbers).order_by("number")
        return {"rounds": [self.shown(TournamentRoundLineSerializer, one) for one in rows]}

    def changed(self, tournament_id: int, number: int, change: Callable[..., object], **values: Any) -> HttpResponse:
        """Change a tournament round, once a key, and answer with it."""
        expected = self.version(tournament_id)

        def act() -> Answer:
            change(
                access=self.access,
                tournament_id=tournament_id,
                number=number,
                expected=expected,
                now=self.now,
                **values,
            )
            return self.answer(200, self.shown(TournamentRoundSerializer, self.sheet(tournament_id, number)))

        return self.once(act)


class TournamentRoundsView(TournamentRoundView):
    query_shapes = {"GET": TournamentRoundQuerySerializer}

    @extend_schema(
        operation_id="list_tournament_rounds",
        summary=_("List the rounds of a tournament"),
        description=_("Drafts for scorekeepers and above alone."),
        parameters=[TournamentRoundQuerySerializer],
        responses=page_of(TournamentRoundLineSerializer),
    )
    def get(self, request: Request, club: str, tournament_id: int) -> Response:
        rows = _rows().filter(tournament=self.row(tournament_id))
        rows = by_values(rows, self.query, {"stage": "stage__number", "status": "status"})
        if not self.organises:
            rows = rows.filter(status=RoundStatus.PUBLISHED)
        return self.listed(TournamentRoundLineSerializer, rows)

    @extend_schema(
        operation_id="pair_round",
        summary=_("Pair the next tournament round"),
        description=_(
            "Or all of a stage that is planned ahead; a draft until it is published. Above 200 players (64 at "
            "tables of three and more, 32 in the Dutch system), and of a fixed schedule, it is a job (202): `Location` "
            "is where to ask how far it is."
        ),
        request=PairSerializer,
        responses={201: PairedSerializer, 202: JobSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int) -> HttpResponse:
        expected = self.version(tournament_id)
        draw = self.body(PairSerializer, optional=True)["draw"]

        def act() -> Answer:
            made = tournament_rounds.pair(
                access=self.access, tournament_id=tournament_id, draw=draw, expected=expected, now=self.now
            )
            if made.job is not None:
                job = self.shown(JobSerializer, made.job)
                return self.answer(202, job, job["url"])
            numbers = [one.number for one in made.rounds]
            return self.answer(201, self.lines(tournament_id, numbers), round_url(club, tournament_id, numbers[0]))

        return self.once(act)


class PublishAllView(TournamentRoundView):
    @extend_schema(
        operation_id="publish_rounds",
        summary=_("Publish all tournament rounds that are drafts"),
        description=_(
            "All or none, as for a stage that is planned ahead. The answer has those that were drafts. Above 400 "
            "tables it is a job (202): `Location` is where to ask how far it is."
        ),
        request={"application/json": NothingSerializer},
        responses={200: PairedSerializer, 202: JobSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int) -> HttpResponse:
        expected = self.version(tournament_id)
        self.body(NothingSerializer, optional=True)

        def act() -> Answer:
            made = tournament_rounds.publish_all(
                access=self.access, tournament_id=tournament_id, expected=expected, now=self.now
            )
            if made.job is not None:
                job = self.shown(JobSerializer, made.job)
                return self.answer(202, job, job["url"])
            return self.answer(200, self.lines(tournament_id, [one.number for one in made.rounds]))

        return self.once(act)


class UndoView(TournamentRoundView):
    @extend_schema(
        operation_id="undo_round",
        summary=_("Take the last tournament round back"),
        description=_("Of a stage that is planned ahead all that are drafts. Refused once anything was played in it."),
        request={"application/json": NothingSerializer},
        responses={200: UndoneSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int) -> HttpResponse:
        expected = self.version(tournament_id)
        self.body(NothingSerializer, optional=True)

        def act() -> Answer:
            numbers = tournament_rounds.undo(
                access=self.access, tournament_id=tournament_id, expected=expected, now=self.now
            )
            return self.answer(200, {"version": self.present_version(tournament_id), "rounds": numbers})

        return self.once(act)


class StopView(TournamentRoundView):
    @extend_schema(
        operation_id="stop_pairing",
        summary=_("Have a fixed schedule that is being planned take what is there"),
        description=_(
            "The job ends its search and stores the best plan that it has, whose `quality` is then not reproducible: "
            "the seed alone does not give it again. Refused for other formats, which have nothing before their end."
        ),
        request={"application/json": NothingSerializer},
        responses={200: JobSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int) -> HttpResponse:
        self.body(NothingSerializer, optional=True)

        def act() -> Answer:
            job = tournament_asked.stop(access=self.access, tournament_id=tournament_id, now=self.now)
            return self.answer(200, self.shown(JobSerializer, job))

        return self.once(act)


class OvertakenView(TournamentRoundView):
    reads = Role.SCOREKEEPER

    @extend_schema(
        operation_id="list_overtaken_rounds",
        summary=_("List the tournament rounds that were paired on results that are others now"),
        description=_("Each can be kept as it is or mended."),
        responses=OvertakenListSerializer,
    )
    def get(self, request: Request, club: str, tournament_id: int) -> Response:
        found = tournament_changes.overtaken_rounds(tournament_state.load(self.row(tournament_id)))
        return Response({"results": [self.shown(OvertakenSerializer, one) for one in found], "next": None})


class TournamentRoundDetailView(TournamentRoundView):
    @extend_schema(
        operation_id="get_tournament_round",
        summary=_("Read a tournament round with its tables"),
        responses=TournamentRoundSerializer,
    )
    def get(self, request: Request, club: str, tournament_id: int, number: int) -> Response:
        return Response(self.shown(TournamentRoundSerializer, self.sheet(tournament_id, number)))


class _TurnRoundView(TournamentRoundView):
    turn: Callable[..., object]

    def post(self, request: Request, club: str, tournament_id: int, number: int) -> HttpResponse:
        self.body(NothingSerializer, optional=True)
        return self.changed(tournament_id, number, self.turn)


def _turning(operation: str, summary: Any, description: Any) -> Any:
    """Describe a view of a change that needs to be told nothing."""
    post = extend_schema(
        operation_id=operation,
        summary=summary,
        description=description,
        request={"application/json": NothingSerializer},
        responses={200: TournamentRoundSerializer},
    )
    return extend_schema_view(post=post)


@_turning(
    "publish_round",
    _("Publish a tournament round"),
    _("Everybody sees it, and each table that is played gets its session."),
)
class PublishView(_TurnRoundView):
    turn = staticmethod(tournament_rounds.publish)


@_turning(
    "unpublish_round",
    _("Make a published tournament round a draft again"),
    _("Its sessions go. Refused once anything was played in it."),
)
class UnpublishView(_TurnRoundView):
    turn = staticmethod(tournament_rounds.unpublish)


@_turning(
    "keep_round",
    _("Say that an overtaken tournament round stays as it is"),
    _("In a bracket it can't: there the winner goes on."),
)
class KeepView(_TurnRoundView):
    turn = staticmethod(tournament_changes.keep)


class MendView(TournamentRoundView):
    reads = Role.SCOREKEEPER

    @extend_schema(
        operation_id="foresee_mending",
        summary=_("Read what mending an overtaken tournament round would change"),
        description=_(
            "Where mending is a job, what the job found that was asked with `foresee`; refused (409 `not_foreseen`) "
            "where there was none since the tournament's last change."
        ),
        responses=ForeseenSerializer,
    )
    def get(self, request: Request, club: str, tournament_id: int, number: int) -> Response:
        row = self.row(tournament_id)
        found = tournament_changes.foresee(access=self.access, tournament_id=tournament_id, number=number, now=self.now)
        return Response(self._foreseen(row, number, found.tables))

    def _foreseen(self, tournament: Tournament, number: int, after: Mapping[int, tuple[int, ...]]) -> dict[str, Any]:
        """As `ForeseenSerializer` declares it."""
        sheet = self.sheet(tournament.pk, number)
        # In a bracket others may come than sit there.
        briefs = {pk: entry_brief(entry) for pk, entry in named_entries(tournament.pk).items()}
        before = {table.number: tuple(seat.entry for seat in table.seats) for table in sheet.tables}
        lines = [
            {
                "number": table,
                "now": [briefs[one] for one in before.get(table, ())],
                "then": [briefs[one] for one in after.get(table, ())],
            }
            for table in sorted({*before, *after})
            if set(before.get(table, ())) != set(after.get(table, ()))
        ]
        told: dict[str, Any] = self.shown(ForeseenSerializer, {"version": tournament.version, "tables": lines})
        return told

    @extend_schema(
        operation_id="mend_round",
        summary=_("Pair anew what was not played yet in an overtaken tournament round"),
        description=_(
            "What was played stays. Above 100 players (64 at tables of three and more, 32 in the Dutch system), "
            "brackets apart, it is a job (202): `Location` is where to ask how far it is. With `foresee` nothing is "
            "stored but what would change, to be read here by GET; mending after that stores just that seating, or "
            "nothing if the tournament was changed."
        ),
        request=MendSerializer,
        responses={200: MendedSerializer, 202: JobSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int, number: int) -> HttpResponse:
        expected = self.version(tournament_id)
        foresees = self.body(MendSerializer, optional=True)["foresee"]
        target: dict[str, Any] = {"access": self.access, "tournament_id": tournament_id, "number": number}

        def act() -> Answer:
            if foresees:
                job = tournament_changes.ask_foresight(**target, expected=expected, now=self.now).job
            else:
                job = tournament_changes.mend(**target, expected=expected, now=self.now).job
            if job is not None:
                told = self.shown(JobSerializer, job)
                return self.answer(202, told, told["url"])
            try:
                shown = self.shown(TournamentRoundSerializer, self.sheet(tournament_id, number))
            except NotFound:
                # Its last match waits again.
                shown = None
            return self.answer(200, {"round": shown})

        return self.once(act)


class SwapView(TournamentRoundView):
    @extend_schema(
        operation_id="swap_seats",
        summary=_("Let two entries exchange their seats"),
        description=_("What that breaks answers 422 with the codes to send in `confirm` if it shall be nevertheless."),
        request=SwapSerializer,
        responses={200: TournamentRoundSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int, number: int) -> HttpResponse:
        values = self.body(SwapSerializer)
        return self.changed(
            tournament_id,
            number,
            tournament_changes.swap,
            first=values["first"],
            second=values["second"],
            confirm=frozenset(values["confirm"]),
        )


class ClockView(TournamentRoundView):
    @extend_schema(
        operation_id="set_clock",
        summary=_("Start the clock of a tournament round, or stop it"),
        request=ClockSerializer,
        responses={200: TournamentRoundSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int, number: int) -> HttpResponse:
        return self.changed(tournament_id, number, tournament_rounds.set_clock, **self.body(ClockSerializer))


class TableView(TournamentRoundView):
    def changed_table(
        self, tournament_id: int, number: int, table: int, change: Callable[..., object], **values: Any
    ) -> HttpResponse:
        """Change a table, once a key, and answer with it."""
        expected = self.version(tournament_id)

        def act() -> Answer:
            change(
                access=self.access,
                tournament_id=tournament_id,
                number=number,
                table=table,
                expected=expected,
                now=self.now,
                **values,
            )
            return self.answer(200, self.told_table(tournament_id, number, table))

        return self.once(act)


class ForfeitView(TableView):
    @extend_schema(
        operation_id="forfeit_table",
        summary=_("Decide a table without play"),
        description=_("Refused once anything was played there."),
        request=ForfeitSerializer,
        responses={200: TournamentTableSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int, number: int, table: int) -> HttpResponse:
        winner = self.body(ForfeitSerializer)["winner"]
        return self.changed_table(tournament_id, number, table, tournament_changes.forfeit, winner=winner)

    @extend_schema(
        operation_id="take_forfeit_back",
        summary=_("Let a table be played that was decided by forfeit"),
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request, club: str, tournament_id: int, number: int, table: int) -> Response:
        expected = self.version(tournament_id)
        tournament_changes.take_forfeit_back(
            access=self.access,
            tournament_id=tournament_id,
            number=number,
            table=table,
            expected=expected,
            now=self.now,
        )
        return Response(status=204)


class OpenTableView(TableView):
    @extend_schema(
        operation_id="open_table",
        summary=_("Make the session of a table whose last one was voided"),
        description=_("A table that has one keeps it."),
        request={"application/json": NothingSerializer},
        responses={200: TournamentTableSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int, number: int, table: int) -> HttpResponse:
        self.body(NothingSerializer, optional=True)
        return self.changed_table(tournament_id, number, table, tournament_changes.open_table)
