"""Where everybody stands in a tournament: by stage and group, and in the end as a whole.

Terms: a *line* is an entry's rank with its score and the figure of each tie-break. Promises: computed from the stored
results alone; kept for a state of the tournament, so that a page that is read often computes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.core.cache import cache

from league.models import StageFormat, StageStatus, Tournament
from league.pairing.brackets import standing
from league.pairing.values import TableKind
from league.scoring.tie_breaks import Ranked, Value, rank
from league.scoring.tournaments import Meeting, Scoring
from league.services import tournament_plans, tournament_state, tournaments
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


def kept_tables(tournament: Tournament) -> list[GroupTable]:
    """As `tables_of`; reads the tournament only where its tables are not in the cache."""
    found: list[GroupTable] | None = cache.get(_key(tournament))
    return found if found is not None else tables_of(tournament_state.load(tournament))


def _key(tournament: Tournament) -> str:
    return f"tournament-tables:{tournament.pk}:{tournament.board_state}"


def tables_of(state: TournamentState, *, keep: bool = True) -> list[GroupTable]:
    """The tables of all stages that began, in order; kept in the cache by the tournament's state.

    `keep` is not for what was read at several moments: its row may be of a later state than its tables.
    """
    key = _key(state.row)
    found: list[GroupTable] | None = cache.get(key)
    if found is None:
        scoring = scoring_of(state)
        found = [
            table
            for stage in state.stages
            if stage.row.status != StageStatus.WAITING
            for table in stage_tables(state, stage, scoring)
        ]
        if keep:
            cache.set(key, found, _KEPT_SECONDS)
    return found


def stage_tables(state: TournamentState, stage: StageValue, scoring: Scoring) -> list[GroupTable]:
    """The tables of a stage, group by group."""
    meetings = meetings_of(state, stage, scoring)
    played = {one.entry_id: 0 for one in stage.places}
    for _round, table in stage.tables():
        if table.kind is TableKind.PLAYED and table.decided:
            for entry in table.entries:
                played[entry] = played.get(entry, 0) + 1
    if rules_of(stage.row.format).bracket:
        return [GroupTable(stage.row.number, 1, _bracket_lines(stage, played))]
    if stage.row.format == StageFormat.FINAL_TABLES:
        # The groups are those that its players come from: at the tables they are mixed.
        everybody = [one.entry_id for one in stage.places]
        lines = _lines(state, stage, everybody, meetings, scoring=scoring, played=played)
        return [GroupTable(stage.row.number, 1, lines)]
    return [
        GroupTable(stage.row.number, group, _lines(state, stage, members, meetings, scoring=scoring, played=played))
        for group, members in stage.groups().items()
    ]


def meetings_of(state: TournamentState, stage: StageValue, scoring: Scoring) -> list[Meeting]:
    """Every published table of the stage as scoring takes it, and what was asked to sit out.

    A table without a result is among them: who plays there has not missed the round. Tie-breaks count tournament rounds
    from the stage's first.
    """
    first = min((one.row.number for one in stage.rounds), default=1)
    scorer = Scorer(scoring)
    # The byes of a draft are decided, too, and nobody else's business yet.
    found = [meeting_of(one, table, scorer, first=first) for one, table in stage.tables() if one.is_published]
    return found + tournament_state.requested_meetings(state, stage, first=first)


def _lines(
    state: TournamentState,
    stage: StageValue,
    members: Sequence[int],
    meetings: Sequence[Meeting],
    *,
    scoring: Scoring,
    played: dict[int, int],
) -> tuple[Line, ...]:
    if stage.row.format == StageFormat.FINAL_TABLES and not stage.row.options["crossing"]:
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


def ranked_across(state: TournamentState, stage: StageValue, entries: Sequence[int], scoring: Scoring) -> list[int]:
    """Entries of different groups, the best first, by score and then by the tie-breaks, as if they were one group."""
    meetings = meetings_of(state, stage, scoring)
    predetermined = stage.row.format in _PREDETERMINED
    found = rank(
        [one.entry_id for one in stage.places],
        meetings,
        state.row.tie_breaks,
        lots_seed=state.row.seed,
        scoring=scoring,
        predetermined=predetermined,
    )
    return [one.entrant for one in found if one.entrant in set(entries)]


def _final_lines(
    state: TournamentState,
    stage: StageValue,
    members: Sequence[int],
    meetings: Sequence[Meeting],
    *,
    scoring: Scoring,
    played: dict[int, int],
) -> tuple[Line, ...]:
    """Of final tables for places: who sits at the first table is before all of the second, and so on."""
    lines: list[Line] = []
    seated: set[int] = set()
    for table in (table for one, table in stage.tables() if one.is_published):
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
    # Who is gone loses by forfeit in a draft already, which is nobody else's business yet.
    seen = replace(stage, rounds=[one for one in stage.rounds if one.is_published])
    found = standing(bracket, tournament_plans.resolved(seen))
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
    return ranks_of(tables_of(state))


def ranks_of(tables: Sequence[GroupTable]) -> list[tuple[int, int]]:
    """As `final_ranks`, by the tables of all stages that began."""
    found: list[tuple[int, int]] = []
    placed: set[int] = set()
    for stage in sorted({table.stage for table in tables}, reverse=True):
        lines = [line for table in tables if table.stage == stage for line in table.lines]
        rest = sorted((line for line in lines if line.entry not in placed), key=lambda line: (line.rank, line.entry))
        before = rank_before = 0
        for line in rest:
            # Equal places of different groups share a rank.
            if line.rank != rank_before:
                before, rank_before = len(found), line.rank
            found.append((before + 1, line.entry))
            placed.add(line.entry)
    return found
