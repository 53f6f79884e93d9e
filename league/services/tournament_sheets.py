"""Parts of a tournament as they are read: one tournament round with its tables, and who met whom in a stage.

Terms: see `league/services/tournament_state.py`; a *match* is a table of two that plays several games, and its *games
won* are those that an entry's player won alone. Promises: a tournament round is read without the rest of its
tournament, in as many queries for many tables as for few. Never: writes.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Q

from league.models import (
    Club,
    RoundStatus,
    Score,
    Session,
    SessionFormat,
    Tournament,
    TournamentEntry,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
)
from league.pairing.values import Reason
from league.services import tournament_company, tournaments
from league.services.errors import NotFound
from league.services.tournament_state import (
    RoundValue,
    Scorer,
    StageValue,
    TournamentState,
    game_of,
    load_tables,
    meeting_of,
)


@dataclass(frozen=True, slots=True)
class SheetSeat:
    """Who sits where, from 0, and what came of it; None where nothing is known."""

    entry: int
    number: int
    place: int | None
    place_sum: int | None
    game_points: int | None
    # Of a match that is decided.
    games_won: int | None
    # Whether there is a session, and the entry's player has no seat in it.
    absent: bool


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A table with its session that is not void, None where it has none."""

    number: int
    group: int
    match: str
    kind: str
    decided: bool
    seats: tuple[SheetSeat, ...]
    session: int | None
    session_status: str


@dataclass(frozen=True, slots=True)
class RoundSheet:
    """A tournament round; `entries` are those at its tables and in its reasons."""

    row: TournamentRound
    tables: tuple[SheetTable, ...]
    reasons: tuple[Reason, ...]
    entries: Mapping[int, "NamedEntry"]


def round_sheet(*, club: Club, tournament_id: int, number: int, drafts: bool) -> RoundSheet:
    """A tournament round with its tables, in eight queries, of matches in ten.

    Raises NotFound, without `drafts` also for a draft.
    """
    rows = TournamentRound.objects.filter(club=club, tournament=tournament_id, number=number)
    row = rows.select_related("stage", "tournament").first()
    if row is None or not (drafts or row.status == RoundStatus.PUBLISHED):
        raise NotFound(number)
    won = games_won(row.tournament, round=row)
    gone = tournament_company.absent(round=row)
    seats: dict[int, list[SheetSeat]] = defaultdict(list)
    found = TournamentSeat.objects.filter(table__round=row).order_by("table_id", "number")
    for seat in found.values_list("table_id", "entry_id", "number", "place", "place_sum", "game_points"):
        seats[seat[0]].append(SheetSeat(*seat[1:], won.get(seat[0], {}).get(seat[1]), (seat[0], seat[1]) in gone))
    sessions = {
        table: (pk, status)
        for pk, table, status in Session.objects.filter(table__round=row, voided_at=None).values_list(
            "pk", "table_id", "status"
        )
    }
    tables = tuple(
        SheetTable(
            number=one.number,
            group=one.group,
            match=one.match,
            kind=one.kind,
            decided=one.decided,
            seats=tuple(seats.get(one.pk, ())),
            session=sessions.get(one.pk, (None, ""))[0],
            session_status=sessions.get(one.pk, (None, ""))[1],
        )
        for one in TournamentTable.objects.filter(round=row).order_by("number")
    )
    concerned = {seat.entry for its in seats.values() for seat in its}
    reasons = tuple(
        Reason(code=one["code"], entrants=tuple(one["entries"]), figures=one["figures"]) for one in row.reasons
    )
    concerned |= {entry for reason in reasons for entry in reason.entrants}
    entries = named_entries(tournament_id)
    known = {pk: entries[pk] for pk in concerned if pk in entries}
    return RoundSheet(row=row, tables=tables, reasons=reasons, entries=known)


def games_won(tournament: Tournament, **which: object) -> dict[int, dict[int, int]]:
    """The games won in matches that are decided: by table (its id) and entry, both of its entries.

    `which` says by lookups on a table which ones. A game whose first place is shared is nobody's, and one that somebody
    won as a substitute is not the entry's. Two queries, none where no table plays several games.
    """
    if tournament.session_format != SessionFormat.SERIES:
        return {}
    wanted = {f"table__{lookup}": value for lookup, value in which.items()}
    seats = TournamentSeat.objects.filter(
        **wanted, table__decided=True, table__sessions__voided_at=None, table__sessions__planned_rounds__gt=1
    )
    entries: dict[int, dict[int, int]] = defaultdict(dict)
    for table, entry, player in seats.values_list("table", "entry", "entry__player"):
        entries[table][player] = entry
    matches = {table: its for table, its in entries.items() if len(its) == 2}
    if not matches:
        return {}
    first: dict[tuple[int, int], list[int]] = defaultdict(list)
    scores = Score.objects.filter(round__session__table__in=matches, round__session__voided_at=None, place=1)
    for table, round_, player in scores.values_list("round__session__table", "round", "player"):
        first[table, round_].append(player)
    won = {table: dict.fromkeys(its.values(), 0) for table, its in matches.items()}
    for (table, _round), players in first.items():
        alone = matches[table].get(players[0])
        if len(players) == 1 and alone is not None:
            won[table][alone] += 1
    return won


def games_of_bracket(tournament: Tournament, stage: StageValue) -> dict[str, dict[int, int]]:
    """As `games_won`, of a bracket by match."""
    won = games_won(tournament, round__stage=stage.row)
    return {table.match: won[table.id] for _round, table in stage.tables() if table.id in won}


@dataclass(frozen=True, slots=True)
class NamedEntry:
    """An entry with its player's id and name."""

    id: int
    player: int
    name: str


def named(entry: TournamentEntry) -> NamedEntry:
    """An entry that was read with its player."""
    return NamedEntry(entry.pk, entry.player_id, entry.player.name)


def named_entries(tournament_id: int, ids: Collection[int] | None = None) -> dict[int, NamedEntry]:
    """Entries of a tournament by id, all of them or those."""
    rows = TournamentEntry.objects.filter(tournament=tournament_id)
    if ids is not None:
        rows = rows.filter(pk__in=ids)
    return {row[0]: NamedEntry(*row) for row in rows.values_list("pk", "player_id", "player__name")}


@dataclass(frozen=True, slots=True)
class CrossMeeting:
    """An entry's meeting with another one; `score` are the tournament points, None while nothing came of it."""

    entry: int
    round: int
    table: int
    session: int | None
    score: Fraction | float | None


def met_by(
    *, tournament: Tournament, stage: int, entries: Iterable[int], drafts: bool
) -> dict[int, list[CrossMeeting]]:
    """Whom each of these entries met in a stage (by its number), in order of the tournament rounds."""
    met: dict[int, list[CrossMeeting]] = {one: [] for one in entries}
    seen = Q() if drafts else Q(status=RoundStatus.PUBLISHED)
    rows = TournamentRound.objects.filter(seen, tournament=tournament, stage__number=stage).order_by("number")
    by_round = {row.pk: RoundValue(row) for row in rows}
    seats = TournamentSeat.objects.filter(table__round__in=by_round, entry__in=met)
    load_tables(by_round, {"pk__in": set(seats.values_list("table_id", flat=True))})
    game = game_of(tournament)
    scorer = Scorer(tournaments.scoring_of(tournament, low_game_points=game is not None and not game.high_wins))
    for round_ in by_round.values():
        for table in round_.tables:
            scores = meeting_of(round_, table, scorer).scores
            for entry in table.entries:
                if entry in met:
                    met[entry] += [
                        CrossMeeting(other, round_.row.number, table.number, table.session, scores.get(entry))
                        for other in table.entries
                        if other != entry
                    ]
    return met


def published(state: TournamentState) -> TournamentState:
    """What everybody may see of a tournament: the same without its drafts. Changes `state`, which nobody else holds."""
    for stage in state.stages:
        stage.rounds = [one for one in stage.rounds if one.is_published]
    return state
