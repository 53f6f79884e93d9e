"""Who plays in a tournament: entered, checked in, seeded, dropped out and back again; who sits with whom or not."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import by_values
from api.idempotency import Answer
from api.schema import page_of
from api.serializers.base import PageQuerySerializer
from api.serializers.sessions import NothingSerializer
from api.serializers.tournaments import (
    NO_WISH,
    ChangedEntriesSerializer,
    CheckInSerializer,
    EntryChangeSerializer,
    EntryQuerySerializer,
    EntrySerializer,
    NewEntriesSerializer,
    NewWishSerializer,
    ReturnedEntrySerializer,
    SeededSerializer,
    SeedsSerializer,
    SitOutSerializer,
    WishSerializer,
    WithdrawnEntrySerializer,
    WithdrawSerializer,
    entry_brief,
    entry_told,
)
from api.views.tournaments import TournamentView
from league.models import EntryAbsence, PairWish, TournamentEntry, name_key
from league.services import tournament_entries as service
from league.services.tournament_drop_outs import At
from league.services.tournament_sheets import named_entries


def _rows() -> QuerySet[TournamentEntry]:
    return TournamentEntry.objects.select_related("player").prefetch_related("absences")


def _tables(found: Iterable[At]) -> list[dict[str, int]]:
    return [{"round": at.round, "table": at.table} for at in found]


class EntryView(TournamentView):
    def told_entries(self, tournament_id: int, entries: Sequence[TournamentEntry]) -> dict[str, Any]:
        """These entries, with their players, as `ChangedEntriesSerializer` declares them, in the order given."""
        absences: dict[int, list[tuple[int, int | None]]] = defaultdict(list)
        rows = EntryAbsence.objects.filter(entry__tournament=tournament_id)
        for entry, first, last in rows.values_list("entry_id", "from_round", "until_round"):
            absences[entry].append((first, last))
        return {
            "version": self.present_version(tournament_id),
            "results": [entry_told(one, absences.get(one.pk, ())) for one in entries],
        }

    def changed(
        self,
        tournament_id: int,
        entry_id: int,
        change: Callable[..., Any],
        *,
        told: Callable[[Any], Mapping[str, object]] = lambda _answer: {},
        **values: Any,
    ) -> HttpResponse:
        """Change one entry, once a key, and answer with it and with what is `told` of the service's answer."""
        expected = self.version(tournament_id)

        def act() -> Answer:
            answer = change(
                access=self.access,
                tournament_id=tournament_id,
                entry_id=entry_id,
                expected=expected,
                now=self.now,
                **values,
            )
            return self.answer(200, {**self.shown(EntrySerializer, self.find(_rows(), entry_id)), **told(answer)})

        return self.once(act)


class EntriesView(EntryView):
    query_shapes = {"GET": EntryQuerySerializer}

    @extend_schema(
        operation_id="list_entries",
        summary=_("List who has entered a tournament"),
        parameters=[EntryQuerySerializer],
        responses=page_of(EntrySerializer),
    )
    def get(self, request: Request, club: str, tournament_id: int) -> Response:
        rows = by_values(_rows().filter(tournament=self.row(tournament_id)), self.query, {"status": "status"})
        if part := name_key(self.query.get("search", "")):
            rows = rows.filter(player__name_key__contains=part)
        return self.listed(EntrySerializer, rows)

    @extend_schema(
        operation_id="enter_tournament",
        summary=_("Enter players, all or none"),
        description=_(
            "Players of the club by id or name, or guests by name, who become players of the club. Into a running "
            "tournament they come from its next tournament round on."
        ),
        request=NewEntriesSerializer,
        responses={201: ChangedEntriesSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int) -> HttpResponse:
        expected = self.version(tournament_id)
        entries = self.body(NewEntriesSerializer)["entries"]

        def act() -> Answer:
            made = service.enter(
                access=self.access, tournament_id=tournament_id, entries=entries, expected=expected, now=self.now
            )
            return self.answer(201, self.told_entries(tournament_id, made))

        return self.once(act)


class EntryDetailView(EntryView):
    @extend_schema(operation_id="get_entry", summary=_("Read an entry"), responses=EntrySerializer)
    def get(self, request: Request, club: str, tournament_id: int, entry_id: int) -> Response:
        rows = _rows().filter(tournament=tournament_id)
        return Response(self.shown(EntrySerializer, self.find(rows, entry_id)))

    @extend_schema(
        operation_id="change_entry",
        summary=_("Change an entry"),
        request=EntryChangeSerializer,
        responses=EntrySerializer,
    )
    def patch(self, request: Request, club: str, tournament_id: int, entry_id: int) -> Response:
        expected = self.version(tournament_id)
        service.update(
            access=self.access,
            tournament_id=tournament_id,
            entry_id=entry_id,
            changes=self.body(EntryChangeSerializer),
            expected=expected,
            now=self.now,
        )
        return Response(self.shown(EntrySerializer, self.find(_rows(), entry_id)))

    @extend_schema(
        operation_id="remove_entry",
        summary=_("Delete an entry that never sat at a table"),
        description=_("Any other one drops out instead."),
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request, club: str, tournament_id: int, entry_id: int) -> Response:
        expected = self.version(tournament_id)
        service.remove(
            access=self.access, tournament_id=tournament_id, entry_id=entry_id, expected=expected, now=self.now
        )
        return Response(status=204)


class WithdrawView(EntryView):
    @extend_schema(
        operation_id="withdraw_entry",
        summary=_("Let an entry drop out"),
        description=_(
            "It is paired no more; what it played stays. Tables of two that are published and not begun are lost by "
            "forfeit."
        ),
        request=WithdrawSerializer,
        responses={200: WithdrawnEntrySerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int, entry_id: int) -> HttpResponse:
        values = self.body(WithdrawSerializer, optional=True)
        return self.changed(
            tournament_id,
            entry_id,
            service.withdraw,
            told=lambda found: {"forfeited": _tables(found.forfeited), "without": _tables(found.without)},
            no_show=values["no_show"],
        )


class ReturnView(EntryView):
    @extend_schema(
        operation_id="return_entry",
        summary=_("Let an entry play on that dropped out"),
        description=_(
            "From the next tournament round on. Tables that it lost by the drop-out are played after all where nothing "
            "was built on them."
        ),
        request={"application/json": NothingSerializer},
        responses={200: ReturnedEntrySerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int, entry_id: int) -> HttpResponse:
        self.body(NothingSerializer, optional=True)
        return self.changed(
            tournament_id,
            entry_id,
            service.bring_back,
            told=lambda found: {"opened": _tables(found.opened), "kept": _tables(found.kept)},
        )


class SitOutView(EntryView):
    @extend_schema(
        operation_id="sit_out",
        summary=_("Let an entry miss tournament rounds"),
        description=_("Those that are not paired yet. Replaces what was said of these and later ones before."),
        request=SitOutSerializer,
        responses={200: EntrySerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int, entry_id: int) -> HttpResponse:
        return self.changed(tournament_id, entry_id, service.sit_out, **self.body(SitOutSerializer))


class CheckInView(EntryView):
    @extend_schema(
        operation_id="check_in",
        summary=_("Note who is here, or is not after all"),
        request=CheckInSerializer,
        responses={200: ChangedEntriesSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int) -> HttpResponse:
        expected = self.version(tournament_id)
        values = self.body(CheckInSerializer)

        def act() -> Answer:
            found = service.check_in(
                access=self.access,
                tournament_id=tournament_id,
                entry_ids=values["entries"],
                is_here=values["is_here"],
                expected=expected,
                now=self.now,
            )
            return self.answer(200, self.told_entries(tournament_id, found))

        return self.once(act)


class SeedsView(EntryView):
    @extend_schema(
        operation_id="give_seeds",
        summary=_("Give seeds by hand, by rating or by lot"),
        description=_("Before the tournament begins; those there were are replaced."),
        request=SeedsSerializer,
        responses={200: SeededSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int) -> HttpResponse:
        expected = self.version(tournament_id)
        values = self.body(SeedsSerializer)

        def seed() -> list[TournamentEntry]:
            if values["how"] == "hand":
                return service.seed_by_hand(
                    access=self.access,
                    tournament_id=tournament_id,
                    order=values["order"],
                    expected=expected,
                    now=self.now,
                )
            if values["how"] == "rating":
                return service.seed_by_rating(
                    access=self.access,
                    tournament_id=tournament_id,
                    family=values["family"],
                    expected=expected,
                    now=self.now,
                )
            return service.seed_by_lot(access=self.access, tournament_id=tournament_id, expected=expected, now=self.now)

        def act() -> Answer:
            seeded = sum(one.seed is not None for one in seed())
            return self.answer(200, {"version": self.present_version(tournament_id), "seeded": seeded})

        return self.once(act)


class WishesView(EntryView):
    query_shapes = {"GET": PageQuerySerializer}

    @extend_schema(
        operation_id="list_wishes",
        summary=_("List who is kept apart or together"),
        parameters=[PageQuerySerializer],
        responses=page_of(WishSerializer),
    )
    def get(self, request: Request, club: str, tournament_id: int) -> Response:
        rows = PairWish.objects.filter(tournament=self.row(tournament_id))
        return self.listed(WishSerializer, rows.select_related("first__player", "second__player"))

    @extend_schema(
        operation_id="set_wish",
        summary=_("Keep two entries apart or together, or no more"),
        description=_("It holds from the next pairing on."),
        request=NewWishSerializer,
        responses={200: WishSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int) -> HttpResponse:
        expected = self.version(tournament_id)
        values = self.body(NewWishSerializer)

        def act() -> Answer:
            service.set_wish(
                access=self.access,
                tournament_id=tournament_id,
                first=values["first"],
                second=values["second"],
                kind=None if values["kind"] == NO_WISH else values["kind"],
                expected=expected,
                now=self.now,
            )
            pair = sorted((values["first"], values["second"]))
            found = named_entries(tournament_id, pair)
            first, second = (entry_brief(found[one]) for one in pair)
            return self.answer(200, {"first": first, "second": second, "kind": values["kind"]})

        return self.once(act)
