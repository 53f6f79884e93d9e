"""What becomes of the tables that are out already when one who sits there drops out, and when that one comes back.

Terms: a *duel* is a table of two. Promises: what has begun is left alone; a duel that has not is lost by forfeit at
once, just as it would be by a round that is published later, and a round's reasons keep that it came from the drop-out;
who comes back has each of these played after all on which nothing was built since. Larger tables are nobody's forfeit:
the others play without.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from league.models import (
    Round,
    RoundStatus,
    Session,
    SessionStatus,
    StageStatus,
    Tournament,
    TournamentEntry,
    TournamentRound,
    TournamentStatus,
    TournamentTable,
    TournamentTableKind,
)
from league.pairing.values import Reason, TableKind
from league.services import tournament_state
from league.services.access import Access
from league.services.tournament_formats import rules_of
from league.services.tournament_plans import GONE
from league.services.tournament_rounds import (
    as_json,
    decide_by_forfeit,
    drop_sessions,
    open_sessions,
    order_of_play,
    reseat,
)
from league.services.tournament_state import RoundValue, StageValue, TableValue, TournamentState


@dataclass(frozen=True, slots=True, order=True)
class At:
    """A table: the number of its tournament round, and its own."""

    round: int
    table: int


@dataclass(frozen=True, slots=True)
class Departure:
    """Who dropped out; the tables `forfeited` by that, and the larger ones that have not begun, where the others play
    `without`.
    """

    entry: TournamentEntry
    forfeited: tuple[At, ...] = ()
    without: tuple[At, ...] = ()


@dataclass(frozen=True, slots=True)
class Return:
    """Who came back; the tables `opened` again by that, and those that stay decided by forfeit (`kept`)."""

    entry: TournamentEntry
    opened: tuple[At, ...] = ()
    kept: tuple[At, ...] = ()


def settle(tournament: Tournament, entry: TournamentEntry) -> Departure:
    """Decide the duels of an entry that are out and not begun, in a transaction that has locked the tournament with
    its sessions and stored that the entry plays no more.
    """
    if tournament.status not in {TournamentStatus.RUNNING, TournamentStatus.PAUSED}:
        return Departure(entry)
    waiting = TournamentTable.objects.filter(
        round__tournament=tournament,
        round__status=RoundStatus.PUBLISHED,
        kind=TournamentTableKind.PLAYED,
        decided=False,
        seats__entry=entry,
    ).values_list("pk", "round__number")
    if not waiting:
        return Departure(entry)
    ids = _not_begun(pk for pk, _number in waiting)
    state = tournament_state.load(tournament, tables_of={number for _pk, number in waiting})
    forfeited: list[At] = []
    without: list[At] = []
    for round_ in state.rounds:
        for table in round_.tables:
            at = At(round_.row.number, table.number)
            if table.id not in ids:
                continue
            if len(table.entries) > 2:
                without.append(at)
                continue
            drop_sessions([table.id])
            there = [one for one in table.entries if state.is_present(one, round_.row.number)]
            decide_by_forfeit(table, winner=there[0] if there else None)
            forfeited.append(at)
            round_.row.reasons = [*round_.row.reasons, as_json(Reason(code=GONE, entrants=(entry.pk,)))]
            round_.row.save(update_fields=["reasons"])
    return Departure(entry, tuple(forfeited), tuple(without))


def _not_begun(tables: Iterable[int]) -> set[int]:
    """Those of these tables at which nothing was played yet."""
    ids = set(tables)
    sessions = Session.objects.filter(table__in=ids, voided_at=None)
    begun = set(sessions.exclude(status=SessionStatus.OPEN).values_list("table", flat=True))
    begun |= set(Round.objects.filter(session__in=sessions).values_list("session__table", flat=True))
    return ids - begun


def reopen(access: Access, tournament: Tournament, entry: TournamentEntry, now: datetime) -> Return:
    """Let the duels be played that an entry lost by its drop-out, in a transaction that has locked the tournament with
    its sessions and stored that the entry plays again.
    """
    rounds = TournamentRound.objects.filter(tournament=tournament)
    concerned = [one.number for one in rounds if any(_names(reason, entry.pk) for reason in one.reasons)]
    if not concerned:
        return Return(entry)
    state = tournament_state.load(tournament, tables_of=concerned)
    opened: list[At] = []
    kept: list[At] = []
    # By the number of the round.
    to_play: dict[int, int] = {}
    for stage in state.stages:
        for round_ in stage.rounds:
            table = _lost(round_, entry.pk)
            if round_.row.number not in concerned or table is None:
                continue
            at = At(round_.row.number, table.number)
            if not _can_be_played(state, stage, round_, table):
                kept.append(at)
                continue
            opened.append(at)
            reseat(table.id, order_of_play(table), kind=TournamentTableKind.PLAYED)
            round_.row.reasons = without_gone(round_.row.reasons, table.entries)
            round_.row.save(update_fields=["reasons"])
            if round_.is_published:
                to_play[round_.row.number] = table.id
    _open_sessions(access, tournament, to_play, now)
    return Return(entry, tuple(opened), tuple(kept))


def _names(reason: Mapping[str, Any], entry: int) -> bool:
    return reason["code"] == GONE and entry in reason["entries"]


def without_gone(reasons: Iterable[Mapping[str, Any]], entries: Collection[int]) -> list[Mapping[str, Any]]:
    """Reasons that say no more of these entries that they are gone: their table is played after all."""
    found: list[Mapping[str, Any]] = []
    for reason in reasons:
        if reason["code"] != GONE:
            found.append(reason)
        elif left := [one for one in reason["entries"] if one not in entries]:
            found.append({**reason, "entries": left})
    return found


def _lost(round_: RoundValue, entry: int) -> TableValue | None:
    """The duel of a round that an entry lost by forfeit; None for none."""
    for table in round_.tables:
        if entry in table.entries and len(table.entries) == 2:
            is_lost = table.kind is TableKind.FORFEIT and table.entries[0] != entry
            return table if is_lost or table.kind is TableKind.DOUBLE_FORFEIT else None
    return None


def _can_be_played(state: TournamentState, stage: StageValue, round_: RoundValue, table: TableValue) -> bool:
    """Whether nothing was built yet on a table that nobody played, and both are there."""
    if state.row.status != TournamentStatus.RUNNING or stage.row.status != StageStatus.RUNNING:
        return False
    for one in table.entries:
        if not state.is_present(one, round_.row.number) or state.entries[one].player.archived_at is not None:
            return False
    rules = rules_of(stage.row.format)
    if rules.ahead:
        return True
    later = TournamentTable.objects.filter(round__stage=stage.row, round__number__gt=round_.row.number)
    return not (later.filter(seats__entry__in=table.entries) if rules.bracket else later).exists()


def _open_sessions(access: Access, tournament: Tournament, tables: Mapping[int, int], now: datetime) -> None:
    """Make the sessions of tables, each by the number of its round, as they stand now."""
    state = tournament_state.load(tournament, tables_of=tables.keys())
    for round_ in state.rounds:
        if round_.row.number in tables:
            open_sessions(access, tournament, state, round_, now, only=[tables[round_.row.number]])
