"""A tournament read whole, as plain values: for pairing, ranking, pages and the API.

Terms: see `league/models/tournaments.py`. Promises: the number of queries does not depend on how many play; rows become
values here and nowhere else. Never: writes.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import F

from games.catalog import GAMES, GameInfo
from league.models import (
    ClubGame,
    EntryAbsence,
    EntryStatus,
    PairWish,
    PairWishKind,
    RoundStatus,
    Session,
    Stage,
    StageEntry,
    StageStatus,
    Tournament,
    TournamentEntry,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
)
from league.pairing.sizes import LARGEST, SMALLEST
from league.pairing.values import Entrant, PastRound, Table, TableKind, Wishes
from league.scoring.tournaments import Kind, Meeting, Scoring, scored
from league.services.moments import one_moment
from league.services.tournament_formats import rules_of

# What a tournament's scores give a round that somebody asked to sit out; without it, as much as a missed one.
REQUESTED_BYE = "requested_bye"
# Calling the enumeration itself costs more than the rest of a row.
_KINDS = {kind.value: kind for kind in TableKind}


class PlayerValue(NamedTuple):
    """Who plays: a player of the club with the names that members and others read."""

    id: int
    name: str
    nickname: str
    archived_at: datetime | None

    @property
    def public_name(self) -> str:
        """As `Player.public_name`."""
        return self.nickname or self.name


class EntryValue(NamedTuple):
    """A player in a tournament; `seed` is None until seeds are given."""

    id: int
    status: str
    seed: int | None
    first_round: int
    fixed_table: int | None
    player: PlayerValue

    @property
    def player_id(self) -> int:
        """The id of who plays."""
        return self.player.id


# Seats and tables are tuples: a large tournament has thousands of them, and a tuple is made in a third of the time.
class SeatValue(NamedTuple):
    """Who sat where (from 0) and what came of it; None where nothing is known."""

    entry: int
    number: int
    place: int | None
    place_sum: int | None
    game_points: int | None


class TableValue(NamedTuple):
    """A table of a tournament round; `session` is that of its session that is not void, with its status."""

    id: int
    number: int
    group: int
    match: str
    kind: TableKind
    decided: bool
    # Who sits here, in order of seats.
    entries: tuple[int, ...]
    seats: tuple[SeatValue, ...]
    session: int | None
    session_status: str

    @property
    def places(self) -> dict[int, int]:
        """The places by entry; none while the table is not decided or nobody played."""
        return {seat.entry: seat.place for seat in self.seats if seat.place is not None} if self.decided else {}


@dataclass(slots=True)
class RoundValue:
    """A tournament round with its tables, in order."""

    row: TournamentRound
    tables: list[TableValue] = field(default_factory=list)

    @property
    def is_published(self) -> bool:
        """Whether everybody sees it, and its tables can be played."""
        return self.row.status == RoundStatus.PUBLISHED

    @property
    def is_decided(self) -> bool:
        """Whether every table has its result."""
        return all(table.decided for table in self.tables)


class StagePlace(NamedTuple):
    """An entry in a stage, with its seed and group there."""

    entry_id: int
    seed: int
    group: int


@dataclass(slots=True)
class StageValue:
    """A stage with its entries (by seed) and tournament rounds, in order."""

    row: Stage
    places: list[StagePlace] = field(default_factory=list)
    rounds: list[RoundValue] = field(default_factory=list)

    @property
    def group_of(self) -> dict[int, int]:
        """The group of each entry."""
        return {one.entry_id: one.group for one in self.places}

    def groups(self) -> dict[int, list[int]]:
        """The entries of each group, by seed."""
        found: dict[int, list[int]] = defaultdict(list)
        for one in self.places:
            found[one.group].append(one.entry_id)
        return dict(sorted(found.items()))

    def tables(self) -> Iterator[tuple[RoundValue, TableValue]]:
        """Every table with its tournament round."""
        for one in self.rounds:
            for table in one.tables:
                yield one, table


@dataclass(slots=True)
class TournamentState:
    """All of a tournament."""

    row: Tournament
    entries: dict[int, EntryValue]
    absences: dict[int, list[EntryAbsence]]
    wishes: list[PairWish]
    stages: list[StageValue]
    # What is played at every table; None where a session has games of its own choice.
    game: GameInfo | None

    @property
    def current(self) -> StageValue | None:
        """The stage that is being played, None before the first and after the last."""
        return next((stage for stage in self.stages if stage.row.status == StageStatus.RUNNING), None)

    @property
    def following(self) -> StageValue | None:
        """The stage that comes next, None where no more do."""
        return next((stage for stage in self.stages if stage.row.status == StageStatus.WAITING), None)

    @property
    def rounds(self) -> list[RoundValue]:
        """The tournament rounds of all stages, in order."""
        return [one for stage in self.stages for one in stage.rounds]

    @property
    def table_limits(self) -> tuple[int, int]:
        """The smallest and the largest table that is made where tables are not of two."""
        largest = LARGEST if self.game is None else min(LARGEST, self.game.max_players)
        smallest = min(SMALLEST, self.row.table_size)
        if self.game is not None:
            smallest = max(smallest, self.game.min_players)
        return smallest, max(largest, self.row.table_size)

    @property
    def next_number(self) -> int:
        """The number of the tournament round that comes next."""
        return max((one.row.number for one in self.rounds), default=0) + 1

    def is_present(self, entry: int, number: int) -> bool:
        """Whether an entry takes part in the tournament round of that number."""
        row = self.entries[entry]
        if row.status in {EntryStatus.WITHDRAWN, EntryStatus.NO_SHOW} or row.first_round > number:
            return False
        return not any(
            one.from_round <= number and (one.until_round is None or number <= one.until_round)
            for one in self.absences.get(entry, ())
        )

    def entrants(self, stage: StageValue, number: int, *, group: int | None = None) -> list[Entrant]:
        """The entries of a stage (of one group of it) as pairing takes them, for a tournament round."""
        # Not their first round, which counts from the tournament's first: `present` heeds it, and pairing counts those
        # of the stage.
        return [
            Entrant(id=one.entry_id, seed=one.seed, present=self.is_present(one.entry_id, number))
            for one in stage.places
            if group is None or one.group == group
        ]

    def pair_wishes(self, present: Iterable[int]) -> Wishes:
        """What the organiser asks of the tables, of those who are there."""
        there = set(present)
        pairs: dict[str, set[tuple[int, int]]] = {kind: set() for kind in PairWishKind.values}
        for wish in self.wishes:
            if wish.first_id in there and wish.second_id in there:
                pairs[wish.kind].add((wish.first_id, wish.second_id))
        fixed = {
            pk: self.entries[pk].fixed_table or 0 for pk in sorted(there) if self.entries[pk].fixed_table is not None
        }
        return Wishes(
            apart=frozenset(pairs[PairWishKind.APART]), together=frozenset(pairs[PairWishKind.TOGETHER]), fixed=fixed
        )


def requested_byes(state: TournamentState, stage: StageValue) -> Iterator[tuple[RoundValue, int]]:
    """Who asked to sit a published tournament round out and had no table in it; none where all meetings are planned."""
    if rules_of(stage.row.format).ahead or rules_of(stage.row.format).bracket:
        return
    for one in stage.rounds if state.absences else ():
        seated = {entry for table in one.tables for entry in table.entries}
        for place in stage.places if one.is_published else ():
            asked = any(
                absence.from_round <= one.row.number <= (absence.until_round or one.row.number)
                for absence in state.absences.get(place.entry_id, ())
            )
            if asked and place.entry_id not in seated:
                yield one, place.entry_id


def requested_meetings(state: TournamentState, stage: StageValue, *, first: int = 1) -> list[Meeting]:
    """What tournament rounds that somebody asked to sit out are worth, where the tournament says so."""
    worth = state.row.scores.get(REQUESTED_BYE)
    if worth is None:
        return []
    score = Fraction(str(worth))
    return [
        Meeting(one.row.number - first + 1, (entry,), "bye", scores={entry: score}, requested=True)
        for one, entry in requested_byes(state, stage)
    ]


class Scorer:
    """How a tournament gives its points; a large one has few different tables, each of which is scored once."""

    def __init__(self, scoring: Scoring) -> None:
        self.scoring = scoring
        self._known: dict[object, tuple[Fraction | float, ...]] = {}

    def points(
        self, kind: Kind, places: tuple[int | None, ...], points: tuple[int | None, ...]
    ) -> tuple[Fraction | float, ...]:
        """The tournament points of each seat of a decided table; empty where nothing came of it."""
        key = (kind, places, points)
        if key not in self._known:
            seats = tuple(range(len(places)))
            found = scored(
                self.scoring,
                1,
                seats,
                kind,
                places={seat: place for seat, place in zip(seats, places, strict=True) if place is not None},
                game_points={seat: one for seat, one in zip(seats, points, strict=True) if one is not None},
            )
            self._known[key] = tuple(found.scores[seat] for seat in seats) if found.scores else ()
        return self._known[key]


def past_rounds(stage: StageValue, scoring: Scoring, *, group: int | None = None) -> list[PastRound]:
    """The tournament rounds of a stage as pairing takes them, with the points that were scored."""
    scorer = Scorer(scoring)
    return [
        PastRound(
            number=one.row.number,
            tables=tuple(
                Table(
                    entrants=table.entries,
                    kind=table.kind,
                    places=table.places,
                    scores={entry: float(score) for entry, score in meeting_of(one, table, scorer).scores.items()},
                )
                for table in one.tables
                if group is None or table.group == group
            ),
        )
        for one in stage.rounds
    ]


def points_of(table: TableValue, scorer: Scorer) -> tuple[Fraction | float, ...]:
    """The tournament points of each seat of a table; empty while it is not decided, and where nothing came of it."""
    if not table.decided:
        return ()
    places = tuple([seat.place for seat in table.seats])
    return scorer.points(table.kind.value, places, tuple([seat.game_points for seat in table.seats]))


def meeting_of(round_: RoundValue, table: TableValue, scorer: Scorer, *, first: int = 1) -> Meeting:
    """A table as scoring takes it, its tournament round counted from `first`; without scores while not decided."""
    number, entries = round_.row.number - first + 1, table.entries
    if not table.decided:
        return Meeting(number, entries, table.kind.value)
    places = tuple([seat.place for seat in table.seats])
    points = tuple([seat.game_points for seat in table.seats])
    known = scorer.points(table.kind.value, places, points)
    return Meeting(
        number,
        entries,
        table.kind.value,
        _known(entries, places),
        dict(zip(entries, known, strict=True)) if known else {},
        _known(entries, points),
    )


def _known(entries: tuple[int, ...], values: tuple[int | None, ...]) -> dict[int, int]:
    """The values by entry, of those who have one."""
    if None not in values:
        return dict(zip(entries, values, strict=True))  # type: ignore[arg-type]
    return {entry: one for entry, one in zip(entries, values, strict=True) if one is not None}


def load(tournament: Tournament, *, tables_of: Collection[int] | None = None) -> TournamentState:
    """Read the tournament as of one moment: ten queries, and one more where its game is the club's own.

    `tables_of` are the numbers of the rounds that come with their tables, None for all; the others come without.
    """
    with one_moment():
        return _load(tournament, tables_of)


def _load(tournament: Tournament, tables_of: Collection[int] | None) -> TournamentState:
    found: Any = TournamentEntry.objects.filter(tournament=tournament).order_by(F("seed").asc(nulls_last=True), "pk")
    entries = {
        pk: EntryValue(pk, status, seed, first_round, fixed_table, PlayerValue._make(player))
        for pk, status, seed, first_round, fixed_table, *player in found.values_list(*_ENTRY_COLUMNS)
    }
    absences: dict[int, list[EntryAbsence]] = defaultdict(list)
    for absence in EntryAbsence.objects.filter(entry__tournament=tournament):
        absences[absence.entry_id].append(absence)
    stages = [StageValue(row) for row in Stage.objects.filter(tournament=tournament)]
    by_stage = {stage.row.pk: stage for stage in stages}
    places = StageEntry.objects.filter(stage__tournament=tournament).order_by("seed")
    for stage_id, *place in places.values_list("stage_id", "entry_id", "seed", "group"):
        by_stage[stage_id].places.append(StagePlace(*place))
    by_round: dict[int, RoundValue] = {}
    for row in TournamentRound.objects.filter(tournament=tournament).order_by("number"):
        by_round[row.pk] = RoundValue(row)
        by_stage[row.stage_id].rounds.append(by_round[row.pk])
    which: dict[str, Any] = {"round__tournament": tournament}
    if tables_of is not None:
        which["round__number__in"] = tables_of
    load_tables(by_round, which)
    return TournamentState(
        row=tournament,
        entries=entries,
        absences=dict(absences),
        wishes=list(PairWish.objects.filter(tournament=tournament)),
        stages=stages,
        game=game_of(tournament),
    )


_ENTRY_COLUMNS = (
    *("pk", "status", "seed", "first_round", "fixed_table"),
    *("player_id", "player__name", "player__nickname", "player__archived_at"),
)


def game_of(tournament: Tournament) -> GameInfo | None:
    """What is played at every table; None where a session has games of its own choice."""
    if not tournament.game or tournament.game in GAMES:
        return GAMES.get(tournament.game)
    own = ClubGame.objects.filter(club=tournament.club_id, key=tournament.game).first()
    return own.info() if own is not None else None


def load_tables(by_round: Mapping[int, RoundValue], which: Mapping[str, Any]) -> None:
    """Read tables into their tournament rounds, given by id; `which` says by lookups on a table which ones."""
    of_table = {f"table__{lookup}": value for lookup, value in which.items()}
    # In no order: the database would sort thousands of them by what nobody asks for.
    sessions: dict[int, tuple[int, str]] = {
        table: (pk, status)
        for pk, table, status in Session.objects.filter(**of_table, voided_at=None)
        .order_by()
        .values_list("pk", "table_id", "status")
    }
    seats: dict[int, list[SeatValue]] = defaultdict(list)
    found: Any = TournamentSeat.objects.filter(**of_table).order_by("table_id", "number")
    for row in found.values_list("table_id", "entry_id", "number", "place", "place_sum", "game_points"):
        seats[row[0]].append(SeatValue._make(row[1:]))
    entry_of = itemgetter(0)
    tables = TournamentTable.objects.filter(**which).order_by("number")
    for pk, round_, number, group, match, kind, decided in tables.values_list(
        "pk", "round_id", "number", "group", "match", "kind", "decided"
    ):
        its = tuple(seats.get(pk, ()))
        by_round[round_].tables.append(
            TableValue(
                pk,
                number,
                group,
                match,
                _KINDS[kind],
                decided,
                tuple(map(entry_of, its)),
                its,
                *sessions.get(pk, _NO_SESSION),
            )
        )


_NO_SESSION: tuple[None, str] = (None, "")
