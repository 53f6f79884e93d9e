"""Where everybody stands in a tournament: by stage and group, and in the end as a whole.

Terms: a *line* is an entry's rank with its score and the figure of each tie-break. Promises: computed from the stored
results alone; kept for a state of the tournament, so that a page that is read often computes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.core.cache import cache

from league.models import StageFormat, StageStatus
from league.pairing.brackets import standing
from league.pairing.values import TableKind
from league.scoring.tie_breaks import Ranked, Value, rank
from league.scoring.tournaments import Meeting, Scoring
from league.services import tournament_plans, tournaments
from league.services.tournament_formats import rules_of
from league.services.tournament_state import Scorer, StageValue, TournamentState, meeting_of

# What was computed for a state is true for good; so long it is worth its room.
_KEPT_SECONDS = 24 * 3600
_PREDETERMINED = frozenset({StageFormat.ROUND_ROBIN, StageFormat.FIXED_SCHEDULE})


@dataclass(frozen=True, slots=True)
class Line:
    """An entry in a table; `rank_to` is behind `rank` while a bracket has not decided between them.

    `decided_by` is the tie-break that put it behind the one before, "" where the score did.
    """

    entry: int
    rank: int
    rank_to: int
    is_shared: bool
    score: Fraction | None
    values: tuple[Value, ...]
    decided_by: str
    played: int


@dataclass(frozen=True, slots=True)
class GroupTable:
    """The table of a stage, or of one of its groups."""

    stage: int
    group: int
    lines: tuple[Line, ...]


def scoring_of(state: TournamentState) -> Scoring:
    """How the tournament gives its points; its game says which points are best."""
    low = state.game is not None and not state.game.high_wins
    return tournaments.scoring_of(state.row, low_game_points=low)


def tables_of(state: TournamentState) -> list[GroupTable]:
    """The tables of all stages that began, in order; kept in the cache by the tournament's state."""
    key = f"tournament-tables:{state.row.pk}:{state.row.board_state}"
    found: list[GroupTable] | None = cache.get(key)
    if found is None:
        scoring = scoring_of(state)
        found = [
            table
            for stage in state.stages
            if stage.row.status != StageStatus.WAITING
            for table in stage_tables(state, stage, scoring)
        ]
        cache.set(key, found, _KEPT_SECONDS)
    return found


def stage_tables(state: TournamentState, stage: StageValue, scoring: Scoring) -> list[GroupTable]:
    """The tables of a stage, group by group."""
    meetings = meetings_of(stage, scoring)
    played = {one.entry_id: 0 for one in stage.places}
    for _round, table in stage.tables():
        if table.kind is TableKind.PLAYED and table.decided:
            for entry in table.entries:
                played[entry] = played.get(entry, 0) + 1
    if rules_of(stage.row.format).bracket:
        return [GroupTable(stage.row.number, 1, _bracket_lines(stage, played))]
    return [
        GroupTable(stage.row.number, group, _lines(state, stage, members, meetings, scoring=scoring, played=played))
        for group, members in stage.groups().items()
    ]


def meetings_of(stage: StageValue, scoring: Scoring) -> list[Meeting]:
    """Every table of the stage that is decided, as scoring takes it; tie-breaks count rounds from the stage's first."""
    first = min((one.row.number for one in stage.rounds), default=1)
    scorer = Scorer(scoring)
    return [meeting_of(one, table, scorer, first=first) for one, table in stage.tables() if table.decided]


def _lines(
    state: TournamentState,
    stage: StageValue,
    members: Sequence[int],
    meetings: Sequence[Meeting],
    *,
    scoring: Scoring,
    played: dict[int, int],
) -> tuple[Line, ...]:
    if stage.row.format == StageFormat.FINAL_TABLES:
        return _final_lines(state, stage, members, meetings, scoring=scoring, played=played)
    return _ranked(
        state, members, meetings, scoring=scoring, played=played, predetermined=stage.row.format in _PREDETERMINED
    )


def _ranked(
    state: TournamentState,
    members: Sequence[int],
    meetings: Sequence[Meeting],
    *,
    scoring: Scoring,
    played: dict[int, int],
    predetermined: bool,
    above: int = 0,
) -> tuple[Line, ...]:
    found: list[Ranked] = rank(
        members,
        meetings,
        state.row.tie_breaks,
        lots_seed=state.row.seed,
        scoring=scoring,
        predetermined=predetermined,
    )
    return tuple(
        Line(
            entry=one.entrant,
            rank=above + one.rank,
            rank_to=above + one.rank,
            is_shared=one.is_shared,
            score=one.score,
            values=one.values,
            decided_by=one.decided_by,
            played=played.get(one.entrant, 0),
        )
        for one in found
    )


def _final_lines(
    state: TournamentState,
    stage: StageValue,
    members: Sequence[int],
    meetings: Sequence[Meeting],
    *,
    scoring: Scoring,
    played: dict[int, int],
) -> tuple[Line, ...]:
    """Of final tables: who sits at the first table is before all of the second, and so on."""
    lines: list[Line] = []
    seated: set[int] = set()
    for _round, table in stage.tables():
        its = [one for one in meetings if set(one.entrants) == set(table.entries)]
        lines += _ranked(
            state, table.entries, its, scoring=scoring, played=played, predetermined=True, above=len(lines)
        )
        seated.update(table.entries)
    rest = [one for one in members if one not in seated]
    if rest:
        lines += _ranked(state, rest, [], scoring=scoring, played=played, predetermined=True, above=len(lines))
    return tuple(lines)


def _bracket_lines(stage: StageValue, played: dict[int, int]) -> tuple[Line, ...]:
    bracket = tournament_plans.bracket_of(stage)
    found = standing(bracket, tournament_plans.resolved(stage))
    return tuple(
        Line(
            entry=one.entrant,
            rank=one.rank_from,
            rank_to=one.rank_to,
            is_shared=one.rank_from != one.rank_to,
            score=None,
            values=(),
            decided_by="",
            played=played.get(one.entrant, 0),
        )
        for one in found
    )


def final_ranks(state: TournamentState) -> list[tuple[int, int]]:
    """(rank, entry) of the whole tournament, the best first.

    The last stage that began comes first; behind who is in it come those who ended in the stages before, by their place
    in their group, then group by group.
    """
    tables = tables_of(state)
    found: list[tuple[int, int]] = []
    placed: set[int] = set()
    for stage in reversed([stage for stage in state.stages if stage.row.status != StageStatus.WAITING]):
        lines = [line for table in tables if table.stage == stage.row.number for line in table.lines]
        rest = sorted((line for line in lines if line.entry not in placed), key=lambda line: (line.rank, line.entry))
        above = len(found)
        for line in rest:
            # As many as are before: equal places of different groups share a rank.
            before = sum(one.rank < line.rank for one in rest)
            found.append((above + before + 1, line.entry))
            placed.add(line.entry)
    return found
