"""Tournament rounds with their tables, and what comes of them: standings, brackets, cross tables."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.pagination import DEFAULT_LIMIT, MAX_LIMIT
from api.serializers.base import PageQuerySerializer, QuerySerializer, StrictSerializer, confirm_field, id_field, shown
from api.serializers.corrections import OvertakenSerializer
from api.serializers.fields import MAX_ID, BooleanField, ChoiceField, IntegerField, QueryIntegerField
from api.serializers.sessions import session_url
from api.serializers.tournaments import EntryBriefSerializer, TieBreakSerializer, entry_brief, tie_break
from league.models import (
    RoundStatus,
    SessionStatus,
    StageFormat,
    TournamentRound,
    TournamentTableKind,
)
from league.pairing.brackets import Bracket, Match, Resolved, ResolvedMatch, Side, SourceKind, State
from league.pairing.values import Reason
from league.services.pairing_words import sentence_of
from league.services.tie_break_words import figure_told
from league.services.tournament_changes import KEPT_BASES
from league.services.tournament_formats import LARGEST_GROUPS, LARGEST_STAGES
from league.services.tournament_sheets import CrossMeeting, NamedEntry, RoundSheet, SheetTable
from league.services.tournament_standings import Line

# A cross table of more is read in parts.
LARGEST_WINDOW = 60
SOURCES = [one.value for one in SourceKind]
STATES = [one.value for one in State]

# --- In ---------------------------------------------------------------------------------------------------------------


class PairSerializer(StrictSerializer):
    """How the next tournament round is paired."""

    draw = IntegerField(
        min_value=0, max_value=1000, default=0, help_text=_("Another number draws others where chance has a say.")
    )


class MendSerializer(StrictSerializer):
    """How an overtaken tournament round is mended."""

    foresee = BooleanField(default=False, help_text=_("Only work out what would change, where that is a job."))


class SwapSerializer(StrictSerializer):
    """Two entries that exchange their seats."""

    first = id_field(help_text=_("The id of an entry."))
    second = id_field(help_text=_("The id of another one."))
    confirm = confirm_field()


class ClockSerializer(StrictSerializer):
    """Whether the clock of a tournament round runs."""

    runs = BooleanField(help_text=_("true: from now on, anew; false: no more."))


class ForfeitSerializer(StrictSerializer):
    """Who wins without play."""

    winner = id_field(allow_null=True, help_text=_("The id of an entry at the table; null: nobody."))


class StageQuerySerializer(QuerySerializer):
    """Which stage to read."""

    stage = QueryIntegerField(
        min_value=1, max_value=LARGEST_STAGES, required=False, help_text=_("Left out: the last that began.")
    )


class _WindowSerializer(QuerySerializer):
    start = QueryIntegerField(
        min_value=1, max_value=MAX_ID, default=1, help_text=_("The first line to send, counted from 1.")
    )
    limit = QueryIntegerField(
        min_value=1, max_value=MAX_LIMIT, default=DEFAULT_LIMIT, help_text=_("How many lines a page has at most.")
    )


class RankingQuerySerializer(_WindowSerializer):
    """Which lines of a ranking to read."""


class StandingsQuerySerializer(_WindowSerializer, StageQuerySerializer):
    """Which lines of which standings to read."""

    group = QueryIntegerField(
        min_value=1, max_value=LARGEST_GROUPS, required=False, help_text=_("Left out: all, one after another.")
    )


class CrossTableQuerySerializer(StandingsQuerySerializer):
    """Which lines of a cross table to read."""

    limit = QueryIntegerField(
        min_value=1, max_value=LARGEST_WINDOW, default=LARGEST_WINDOW, help_text=_("How many lines a page has at most.")
    )


class TournamentRoundQuerySerializer(PageQuerySerializer):
    """Which tournament rounds to list."""

    stage = QueryIntegerField(min_value=1, max_value=LARGEST_STAGES, required=False)
    status = ChoiceField(RoundStatus.choices, required=False)


# --- Out: tournament rounds -------------------------------------------------------------------------------------------


class TournamentRoundLineSerializer(serializers.Serializer[TournamentRound]):
    """A tournament round without its tables."""

    number = serializers.IntegerField(help_text=_("From 1, through all stages."))
    url = serializers.SerializerMethodField()
    stage = serializers.IntegerField(source="stage.number")
    status = ChoiceField(RoundStatus.choices, help_text=_("draft: seen by scorekeepers and above alone."))
    paired_at = serializers.DateTimeField()
    published_at = serializers.DateTimeField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True, help_text=_("From when its clock runs."))

    def get_url(self, round_: TournamentRound) -> str:
        return round_url(self.context["club"], round_.tournament_id, round_.number)


class TournamentSessionSerializer(serializers.Serializer[Any]):
    """The session by which a table is played."""

    id = id_field()
    url = serializers.CharField()
    status = ChoiceField(SessionStatus.choices)


class TournamentSeatSerializer(serializers.Serializer[Any]):
    """Who sits at a table, in order of seats, and what came of it."""

    entry = EntryBriefSerializer()
    place = serializers.IntegerField(allow_null=True)
    place_sum = serializers.IntegerField(allow_null=True)
    game_points = serializers.IntegerField(allow_null=True)
    games_won = serializers.IntegerField(
        allow_null=True, help_text=_("Of a decided match of several games between two; null elsewhere.")
    )
    absent = BooleanField(
        help_text=_("Whether it does not play at this table: somebody sits in, or the others play without.")
    )


class TournamentTableSerializer(serializers.Serializer[Any]):
    """A table of a tournament round."""

    number = serializers.IntegerField()
    group = serializers.IntegerField()
    match = serializers.CharField(allow_blank=True, help_text=_("The code of the match, in a bracket."))
    kind = ChoiceField(TournamentTableKind.choices)
    decided = BooleanField(help_text=_("Whether its places are known."))
    winner = id_field(
        allow_null=True, help_text=_("The id of the entry that won by forfeit; null for all other tables.")
    )
    seats = TournamentSeatSerializer(many=True)
    session = TournamentSessionSerializer(
        allow_null=True, help_text=_("null: nothing is played here, or not published yet.")
    )


class PairingReasonSerializer(serializers.Serializer[Any]):
    """Why something odd was decided."""

    code = serializers.CharField()
    sentence = serializers.CharField()
    entries = serializers.ListField(child=id_field(), help_text=_("Whom it concerns."))
    figures = serializers.DictField(child=serializers.FloatField())


class TournamentRoundSerializer(TournamentRoundLineSerializer):
    """A tournament round with its tables."""

    version = serializers.IntegerField(source="tournament.version", help_text=_("Of the tournament, for If-Match."))
    reasons = PairingReasonSerializer(many=True)
    quality = serializers.DictField(
        help_text=_("Of planned seatings: repeats, their lower bound, whether that is proven, and by which method.")
    )
    tables = TournamentTableSerializer(many=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        sheet: RoundSheet = instance
        club = self.context["club"]
        names = {pk: entry.name for pk, entry in sheet.entries.items()}
        briefs = {pk: entry_brief(entry) for pk, entry in sheet.entries.items()}
        rest = {
            "version": sheet.row.tournament.version,
            "reasons": [_reason(one, names) for one in sheet.reasons],
            # What the round was paired on is of use to the program alone.
            "quality": {name: value for name, value in sheet.row.quality.items() if name not in {"basis", KEPT_BASES}},
            "tables": [table_shown(table, briefs, club) for table in sheet.tables],
        }
        return {**shown(TournamentRoundLineSerializer, sheet.row, club=club), **rest}


class PairedSerializer(serializers.Serializer[Any]):
    """The tournament rounds that were paired or published: the next, or all of a stage that is planned ahead."""

    rounds = TournamentRoundLineSerializer(many=True)


class MendedSerializer(serializers.Serializer[Any]):
    """A tournament round that was mended; null where none of its matches can be played any more."""

    round = TournamentRoundSerializer(allow_null=True)


class ForeseenTableSerializer(serializers.Serializer[Any]):
    """A table at which others would sit; empty where there is none."""

    number = serializers.IntegerField()
    now = EntryBriefSerializer(many=True)
    then = EntryBriefSerializer(many=True)


class ForeseenSerializer(serializers.Serializer[Any]):
    """What a mending would change; nothing of it is stored."""

    version = serializers.IntegerField(help_text=_("Of the tournament, for If-Match."))
    tables = ForeseenTableSerializer(many=True)


class UndoneSerializer(serializers.Serializer[Any]):
    """The numbers of the tournament rounds that are taken back."""

    version = serializers.IntegerField()
    rounds = serializers.ListField(child=serializers.IntegerField())


class OvertakenListSerializer(serializers.Serializer[Any]):
    """All such tournament rounds, in order."""

    results = OvertakenSerializer(many=True)
    next = serializers.CharField(allow_null=True)


def round_url(club_slug: str, tournament_id: int, number: int) -> str:
    """Where a tournament round is, relative to the server's root."""
    kwargs = {"club": club_slug, "tournament_id": tournament_id, "number": number}
    return reverse("api:tournament-round", kwargs=kwargs)


def table_shown(table: SheetTable, briefs: Mapping[int, dict[str, Any]], club: str) -> dict[str, Any]:
    """A table as `TournamentTableSerializer` declares it; `briefs` are the entries by id."""
    session = None
    if table.session is not None:
        session = {"id": table.session, "url": session_url(club, table.session), "status": table.session_status}
    return {
        "number": table.number,
        "group": table.group,
        "match": table.match,
        "kind": table.kind,
        "decided": table.decided,
        # Of a forfeit who won sits first.
        "winner": table.seats[0].entry if table.kind == TournamentTableKind.FORFEIT else None,
        "seats": [
            {
                "entry": briefs[seat.entry],
                "place": seat.place,
                "place_sum": seat.place_sum,
                "game_points": seat.game_points,
                "games_won": seat.games_won,
                "absent": seat.absent,
            }
            for seat in table.seats
        ],
        "session": session,
    }


def _reason(reason: Reason, names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "code": reason.code,
        "sentence": sentence_of(reason, names),
        "entries": list(reason.entrants),
        "figures": dict(reason.figures),
    }


# --- Out: standings ---------------------------------------------------------------------------------------------------


class TieBreakFigureSerializer(serializers.Serializer[Any]):
    """An entry's figure in a tie-break, null where it has none, and as a table shows it."""

    code = serializers.CharField()
    # A number, a list of numbers, or null; said twice, null would be one value too many for the description.
    value = serializers.JSONField()
    text = serializers.CharField()


class TournamentLineOfStandingsSerializer(serializers.Serializer[Any]):
    """An entry's line in the table of a stage or group."""

    group = serializers.IntegerField()
    rank = serializers.IntegerField()
    rank_to = serializers.IntegerField(help_text=_("Behind the rank while a bracket has not decided between them."))
    is_shared = BooleanField()
    entry = EntryBriefSerializer()
    played = serializers.IntegerField(help_text=_("How many tables."))
    score = serializers.FloatField(allow_null=True, help_text=_("null in a bracket."))
    tie_breaks = TieBreakFigureSerializer(many=True)
    decided_by = TieBreakSerializer(
        allow_null=True, help_text=_("The tie-break that put it behind the line before; null: the score did.")
    )


class TournamentStandingsSerializer(serializers.Serializer[Any]):
    """The lines of a stage, group by group; stage null: the tournament has not begun."""

    stage = serializers.IntegerField(allow_null=True)
    results = TournamentLineOfStandingsSerializer(many=True)
    next = serializers.CharField(allow_null=True)


class RankingLineSerializer(serializers.Serializer[Any]):
    """An entry's rank in the tournament as a whole."""

    rank = serializers.IntegerField()
    entry = EntryBriefSerializer()


class RankingSerializer(serializers.Serializer[Any]):
    """The ranking of a tournament, the best first."""

    results = RankingLineSerializer(many=True)
    next = serializers.CharField(allow_null=True)


def line_shown(group: int, line: Line, entry: NamedEntry, codes: list[str]) -> dict[str, Any]:
    """A line as `TournamentLineOfStandingsSerializer` declares it; `codes` are those of the tie-breaks."""
    return {
        "group": group,
        "rank": line.rank,
        "rank_to": line.rank_to,
        "is_shared": line.is_shared,
        "entry": entry_brief(entry),
        "played": line.played,
        "score": None if line.score is None else float(line.score),
        "tie_breaks": [
            {"code": code, "value": _plain(value), "text": figure_told(code, value)}
            for code, value in zip(codes, line.values, strict=False)
        ],
        "decided_by": tie_break(line.decided_by) if line.decided_by else None,
    }


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, int):
        return value
    return list(value) if isinstance(value, tuple) else float(value)


# --- Out: who met whom ------------------------------------------------------------------------------------------------


class CrossMeetingSerializer(serializers.Serializer[CrossMeeting]):
    """A meeting with another entry."""

    entry = EntryBriefSerializer()
    round = serializers.IntegerField()
    table = serializers.IntegerField()
    session = id_field(allow_null=True)
    score = serializers.FloatField(allow_null=True, help_text=_("Tournament points; null: nothing came of it yet."))


class CrossLineSerializer(serializers.Serializer[Any]):
    """An entry with everybody it met."""

    group = serializers.IntegerField()
    rank = serializers.IntegerField()
    entry = EntryBriefSerializer()
    meetings = CrossMeetingSerializer(many=True)


class CrossTableSerializer(serializers.Serializer[Any]):
    """The cross table of a stage by rank; who did not meet is left out."""

    stage = serializers.IntegerField(allow_null=True)
    results = CrossLineSerializer(many=True)
    next = serializers.CharField(allow_null=True)


def meeting_shown(meeting: CrossMeeting, entries: Mapping[int, NamedEntry]) -> dict[str, Any]:
    """A meeting as `CrossMeetingSerializer` declares it."""
    return {
        "entry": entry_brief(entries[meeting.entry]),
        "round": meeting.round,
        "table": meeting.table,
        "session": meeting.session,
        "score": None if meeting.score is None else float(meeting.score),
    }


# --- Out: brackets ----------------------------------------------------------------------------------------------------


class MatchSourceSerializer(serializers.Serializer[Any]):
    """Who takes a side of a match."""

    kind = ChoiceField(SOURCES)
    seed = serializers.IntegerField(allow_null=True)
    match = serializers.CharField(allow_blank=True, help_text=_("The code of the match it is winner or loser of."))


class MatchSerializer(serializers.Serializer[Any]):
    """A match of a bracket."""

    code = serializers.CharField()
    side = ChoiceField([one.value for one in Side])
    round = serializers.IntegerField(help_text=_("Within its side, from 1."))
    wave = serializers.IntegerField(help_text=_("Those of one wave can be played at once."))
    best_of = serializers.IntegerField()
    is_reset = BooleanField(help_text=_("Played only if the second side won the match before."))
    state = ChoiceField(STATES)
    sources = MatchSourceSerializer(many=True)
    entrants = serializers.SerializerMethodField(help_text=_("By side; null while unknown."))
    winner = id_field(allow_null=True, help_text=_("The id of the entry that goes on, or has won."))
    games_won = serializers.ListField(
        child=serializers.IntegerField(allow_null=True),
        help_text=_("By side; null while unknown, and where no match of several games was played."),
    )
    reason = PairingReasonSerializer(allow_null=True, help_text=_("Why it is void."))
    table = serializers.SerializerMethodField(help_text=_("Where it is played; null while it is not paired."))

    @extend_schema_field(serializers.ListField(child=EntryBriefSerializer(allow_null=True)))
    def get_entrants(self, match: dict[str, Any]) -> Any:
        return match["entrants"]

    @extend_schema_field(
        {
            "type": ["object", "null"],
            "properties": {"round": {"type": "integer"}, "table": {"type": "integer"}},
            "required": ["round", "table"],
        }
    )
    def get_table(self, match: dict[str, Any]) -> Any:
        return match["table"]


class BracketSerializer(serializers.Serializer[Any]):
    """The bracket of a stage, its matches in order of play; stage null: none has begun."""

    stage = serializers.IntegerField(allow_null=True)
    format = ChoiceField(StageFormat.choices, allow_null=True)
    finished = BooleanField()
    matches = MatchSerializer(many=True)


def matches_shown(
    bracket: Bracket,
    resolved: Resolved,
    entries: Mapping[int, NamedEntry],
    tables: Mapping[str, dict[str, int]],
    won: Mapping[str, Mapping[int, int]],
) -> list[dict[str, Any]]:
    """The matches as `MatchSerializer` declares them; by code, `tables` says where they are played, and `won` how many
    games each entry won.
    """
    names = {pk: entry.name for pk, entry in entries.items()}
    briefs = {pk: entry_brief(entry) for pk, entry in entries.items()}
    return [
        _match(match, resolved.matches[match.code], names, briefs, won.get(match.code, {}))
        | {"table": tables.get(match.code)}
        for match in bracket.matches
    ]


def _match(
    plan: Match,
    known: ResolvedMatch,
    names: Mapping[int, str],
    briefs: Mapping[int, dict[str, Any]],
    won: Mapping[int, int],
) -> dict[str, Any]:
    return {
        "code": plan.code,
        "side": plan.side.value,
        "round": plan.round,
        "wave": plan.wave,
        "best_of": plan.best_of,
        "is_reset": plan.reset,
        "state": known.state.value,
        "sources": [
            {"kind": source.kind.value, "seed": source.seed or None, "match": source.code} for source in plan.sources
        ],
        "entrants": [briefs[one] if one is not None else None for one in known.entrants],
        "winner": known.winner,
        "games_won": [won.get(one) if one is not None else None for one in known.entrants],
        "reason": _reason(known.reason, names) if known.reason is not None else None,
    }
