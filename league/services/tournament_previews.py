"""What a change of a session would move in its tournament: ranks, and rounds and stages that were made on the result.

Terms: a *rank move* is an entry's rank in the table of a stage or group, or in the whole tournament, before and after.
Promises: what is told of the time after a change is read while it stands, and nothing of it is kept. Never: writes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from league.models import Session, Tournament, TournamentStatus
from league.services import tournament_standings, tournament_state
from league.services.errors import overtaken
from league.services.tournament_changes import Overtaken, overtaken_rounds, overtaken_stages
from league.services.tournament_standings import GroupTable
from league.services.tournament_state import EntryValue, RoundValue, TableValue, TournamentState

# What somebody reads before a button is pressed; the top says most.
RANKS = 20


@dataclass(frozen=True, slots=True)
class Rank:
    """A rank; `rank_to` is behind it while a bracket has not decided between the two."""

    rank: int
    rank_to: int


@dataclass(frozen=True, slots=True)
class RankMove:
    """An entry's rank before and after; `stage` None: in the whole tournament, `group` None: the stage has one."""

    entry: EntryValue
    stage: int | None
    group: int | None
    before: Rank
    after: Rank


@dataclass(frozen=True, slots=True)
class TournamentMoves:
    """What a change of the session of a table would move in its tournament.

    `round` and `table` are the numbers of the table, `is_decided` whether it would have its result. `ranks` are the
    first of the ranks that move, the whole tournament's first, then the later stage's; `more` is how many follow them.
    `rounds` were paired on the result as it is, `stages` are the numbers of those that were seeded by it; `has_stages`
    says that several began.
    """

    tournament: Tournament
    round: int
    table: int
    is_decided: bool
    ranks: tuple[RankMove, ...]
    more: int
    rounds: tuple[Overtaken, ...]
    stages: tuple[int, ...]
    has_stages: bool

    @property
    def is_finished(self) -> bool:
        """Whether the ranks that move are final ones."""
        return self.tournament.status == TournamentStatus.FINISHED

    @property
    def leaves_open(self) -> bool:
        """Whether a table of a finished tournament would be without a result."""
        return self.is_finished and not self.is_decided


@dataclass(frozen=True, slots=True)
class After:
    """The tournament of a session while a change stands, and what was made on results that are others then."""

    state: TournamentState
    table: int
    rounds: tuple[Overtaken, ...]
    stages: tuple[int, ...]


def read_after(session: Session) -> After | None:
    """What is to be read while the change of a session stands; None for a session of no tournament."""
    tournament = Tournament.objects.filter(rounds__tables=session.table_id).first() if session.table_id else None
    if tournament is None or session.table_id is None:
        return None
    state = tournament_state.load(tournament)
    return After(state, session.table_id, tuple(overtaken_rounds(state)), tuple(overtaken_stages(state)))


def moves(after: After) -> TournamentMoves:
    """What the change moves, once it is taken back."""
    state = after.state
    stage, round_, table = next(
        (stage, one, table) for stage in state.stages for one, table in stage.tables() if table.id == after.table
    )
    tables_before = tournament_standings.tables_of(_as_stored(state, round_, table), keep=False)
    # Not kept: what they tell of is taken back. The other stages are as they were.
    fresh = tournament_standings.stage_tables(state, stage, tournament_standings.scoring_of(state))
    tables_after = [one for one in tables_before if one.stage != stage.row.number] + fresh
    found = list(_ranks(state, tables_before, tables_after))
    return TournamentMoves(
        tournament=state.row,
        round=round_.row.number,
        table=table.number,
        is_decided=table.decided,
        ranks=tuple(found[:RANKS]),
        more=max(0, len(found) - RANKS),
        rounds=after.rounds,
        stages=after.stages,
        has_stages=len({one.stage for one in tables_after}) > 1,
    )


def _as_stored(state: TournamentState, round_: RoundValue, table: TableValue) -> TournamentState:
    """The tournament with its row and this table as they are stored now: all else is as it was, and to read it takes
    long. Raises Conflict where the table is not there any more.
    """
    stored = RoundValue(round_.row)
    tournament_state.load_tables({round_.row.pk: stored}, {"pk": table.id})
    if not stored.tables:
        raise overtaken()
    tables = [stored.tables[0] if one.id == table.id else one for one in round_.tables]
    before = replace(round_, tables=tables)
    stages = [
        replace(stage, rounds=[before if one is round_ else one for one in stage.rounds]) for stage in state.stages
    ]
    # By its state the tables may be kept already.
    return replace(state, row=Tournament.objects.get(pk=state.row.pk), stages=stages)


def _ranks(state: TournamentState, before: Sequence[GroupTable], after: Sequence[GroupTable]) -> Iterator[RankMove]:
    several = len({one.stage for one in after}) > 1
    if several and state.row.status == TournamentStatus.FINISHED:
        was = {entry: Rank(rank, rank) for rank, entry in tournament_standings.ranks_of(before)}
        now = {entry: Rank(rank, rank) for rank, entry in tournament_standings.ranks_of(after)}
        yield from _moved(state, was, now, stage=None, group=None)
    groups = {stage.row.number: stage.row.groups for stage in state.stages}
    were = {(one.stage, one.group): one for one in before}
    for one in sorted(after, key=lambda one: (-one.stage, one.group)):
        # A stage may have begun, or been taken back, since.
        lines = were[one.stage, one.group].lines if (one.stage, one.group) in were else []
        yield from _moved(
            state,
            {line.entry: Rank(line.rank, line.rank_to) for line in lines},
            {line.entry: Rank(line.rank, line.rank_to) for line in one.lines},
            stage=one.stage,
            group=one.group if groups[one.stage] > 1 else None,
        )


def _moved(
    state: TournamentState,
    before: Mapping[int, Rank],
    after: Mapping[int, Rank],
    *,
    stage: int | None,
    group: int | None,
) -> Iterator[RankMove]:
    """Whose rank is another one, in the order of the ranks afterwards."""
    for entry, rank in after.items():
        if entry in before and before[entry] != rank:
            yield RankMove(state.entries[entry], stage, group, before[entry], rank)
