"""What the pages of a tournament show, as plain values for templates: plans of tables, standings, a player's way.

Terms: see `league/web/tournaments.py`. Promises: names are those that the reader may see, and rounds that are not
published are for scorekeepers alone; long lists come in pages of `LINES`; each page is a fixed number of queries, and
what it reads grows with what it shows and not with the tournament. Never: changes what is stored.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import (
    RoundStatus,
    Session,
    Stage,
    StageEntry,
    StageStatus,
    Tournament,
    TournamentEntry,
    TournamentMetric,
    TournamentRound,
    TournamentSeat,
    TournamentStatus,
    TournamentTable,
    Visibility,
)
from league.models.games import games_by_key
from league.models.players import public_name
from league.pairing.values import Reason, TableKind
from league.scoring.tournaments import Scoring
from league.services import tie_break_words, tournament_company, tournament_sheets, tournament_standings, tournaments
from league.services.pairing_words import sentence_of
from league.services.tournament_company import SitsIn
from league.services.tournament_formats import rules_of
from league.services.tournament_standings import GroupTable, Line
from league.services.tournament_state import RoundValue, Scorer, SeatValue, TableValue, meeting_of
from league.web.reading import Pages, Rights

# Lines of a page: tables of a round, ranks of a table.
LINES = 100


def pages_of(number: int, count: int, size: int = LINES) -> tuple[Pages, int, int]:
    """The page nearest to the one asked for, of `count` lines, with where its lines begin and end."""
    last = max(1, -(-count // size))
    number = min(number, last)
    return Pages(number, number - 1 or None, number + 1 if number < last else None), (number - 1) * size, number * size


@dataclass(frozen=True, slots=True)
class Face:
    """What every page of a tournament shows: its stages, and the rounds that the reader may see, in order; by their ids
    which of these have been played at, or have their clock, and which have tables without a result.
    """

    row: Tournament
    rights: Rights
    stages: Sequence[Stage]
    rounds: Sequence[TournamentRound]
    begun_rounds: frozenset[int]
    open_rounds: frozenset[int]

    @property
    def current(self) -> TournamentRound | None:
        """The round that was published last, None before the first; of a plan that is out as a whole the one that play
        has come to: a table that is put off to another day holds nobody up.
        """
        published = [one for one in self.rounds if one.status == RoundStatus.PUBLISHED]
        if not published or not self.is_planned:
            return published[-1] if published else None
        its = [one for one in published if one.stage_id == published[-1].stage_id]
        came = max((at for at, one in enumerate(its) if one.pk in self.begun_rounds), default=0)
        is_over = its[came].pk in self.begun_rounds and its[came].pk not in self.open_rounds
        return its[min(came + 1, len(its) - 1)] if is_over else its[came]

    @property
    def is_planned(self) -> bool:
        """Whether the rounds of the stage that was published last were planned ahead."""
        last = next((one for one in reversed(self.rounds) if one.status == RoundStatus.PUBLISHED), None)
        return last is not None and rules_of(last.stage.format).ahead

    @property
    def began(self) -> list[Stage]:
        """The stages that began."""
        return [one for one in self.stages if one.status != StageStatus.WAITING]

    @property
    def brackets(self) -> list[Stage]:
        """Those of them that are brackets."""
        return [one for one in self.began if rules_of(one.format).bracket]

    @property
    def leagues(self) -> list[Stage]:
        """Those of them that are none: where everybody may meet everybody."""
        return [one for one in self.began if not rules_of(one.format).bracket]

    @property
    def is_over(self) -> bool:
        """Whether nothing is expected to change any more."""
        return self.row.status == TournamentStatus.FINISHED or self.row.archived_at is not None

    @property
    def undecided(self) -> TournamentRound | None:
        """Of a finished tournament the first round with a table that has no result, as after a session was voided."""
        if self.row.status != TournamentStatus.FINISHED:
            return None
        published = (one for one in self.rounds if one.status == RoundStatus.PUBLISHED)
        return next((one for one in published if one.pk in self.open_rounds), None)

    @property
    def is_cooperative(self) -> bool:
        """Whether the tables play together and not against each other, so that nobody is before anybody there."""
        return self.row.metric == TournamentMetric.CARDS_LEFT

    @property
    def ends_in_stages(self) -> bool:
        """Whether it is finished and had several stages: then what counts is where everybody ended in the whole."""
        return self.row.status == TournamentStatus.FINISHED and len(self.began) > 1

    @property
    def shows_sessions(self) -> bool:
        """Whether the reader may open the score sheets of the tables: those of a season as the season says."""
        season = self.row.season
        return self.rights.member or season is None or season.visibility == Visibility.PUBLIC

    def names(self, entries: Sequence[int] | None = None) -> dict[int, str]:
        """The names of these entries (None: of all), as the reader may see them: one query."""
        rows = TournamentEntry.objects.filter(tournament=self.row).order_by()
        if entries is not None:
            rows = rows.filter(pk__in=entries)
        shown = F("player__name") if self.rights.member else public_name("player__")
        return dict(rows.annotate(shown=shown).values_list("pk", "shown"))

    def homes(self, entries: Sequence[int]) -> dict[int, str]:
        """The clubs of those of these entries who are guests of one: one query."""
        rows = TournamentEntry.objects.filter(tournament=self.row, pk__in=entries).exclude(home_club="").order_by()
        return dict(rows.values_list("pk", "home_club"))


def face(tournament: Tournament, rights: Rights) -> Face:
    """Read it: two queries."""
    tables = TournamentTable.objects.filter(round=OuterRef("pk"), kind=TableKind.PLAYED)
    rounds = (
        TournamentRound.objects.filter(tournament=tournament)
        .select_related("stage")
        .annotate(was_played=Exists(tables.filter(decided=True)), is_open=Exists(tables.filter(decided=False)))
        .order_by("number")
    )
    if not rights.write:
        rounds = rounds.filter(status=RoundStatus.PUBLISHED)
    found = list(rounds)
    return Face(
        tournament,
        rights,
        stages=list(Stage.objects.filter(tournament=tournament)),
        rounds=found,
        begun_rounds=frozenset(one.pk for one in found if one.was_played or one.started_at is not None),
        open_rounds=frozenset(one.pk for one in found if one.is_open),
    )


def clock_ends(tournament: Tournament, round_: TournamentRound) -> datetime | None:
    """When the time of a round is over; None without a clock that runs."""
    if round_.started_at is None or tournament.round_minutes is None:
        return None
    return round_.started_at + timedelta(minutes=tournament.round_minutes)


def number_told(value: Fraction | float) -> str:
    """Tournament points as a table shows them."""
    return tie_break_words.figure_told("score", Fraction(value).limit_denominator(1000))


# --- Tables of a round ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Who sits at a table: `seat` from 1; `place`, `points` and the `games` won of a match are None where nothing is
    known. `won`: whether nobody there came before, be it by forfeit; `absent`: whether the player did not play there;
    `home`: the club of a guest, else "".
    """

    entry: int
    name: str
    seat: int
    place: int | None
    is_shared: bool
    points: int | None
    games: int | None
    won: bool
    absent: bool
    home: str = ""


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table of a round. `group` is 0 where the stage has one; `session` None where the reader finds none; `odd` says
    who sits in and who does not play.
    """

    number: int
    group: int
    match: str
    kind: str
    decided: bool
    is_open: bool
    seats: tuple[SeatLine, ...]
    session: int | None
    odd: tuple[str, ...]

    @property
    def is_played(self) -> bool:
        return self.kind == TableKind.PLAYED

    @property
    def games_counted(self) -> bool:
        """Whether it is a match of which is known how many games each won."""
        return any(seat.games is not None for seat in self.seats)

    @property
    def is_bye(self) -> bool:
        return self.kind == TableKind.BYE

    def status_of(self, seat: SeatLine) -> str:
        """How it stands with the table for one who sits there: as `status`, of a forfeit whether it was won."""
        if self.kind == TableKind.FORFEIT:
            return _("won by forfeit") if seat.won else _("lost by forfeit")
        return _("did not play") if seat.absent and self.decided else self.status

    @property
    def status(self) -> str:
        """How it stands with the table, in a word or two; "" where its places say it."""
        if not self.is_played:
            return unplayed_told(TableKind(self.kind), [seat.name for seat in self.seats])
        if self.decided:
            return ""
        return _("plays") if self.is_open else _("no result yet")


def unplayed_told(kind: TableKind, names: Sequence[str]) -> str:
    """How a table was decided without play; `names` are those at the table, of a forfeit the winner's first."""
    match kind:
        case TableKind.BYE:
            return _("bye")
        case TableKind.FORFEIT:
            return _("won by %(name)s by forfeit") % {"name": names[0]}
    return _("forfeit of both") if len(names) == 2 else _("nobody came")


@dataclass(frozen=True, slots=True)
class Played:
    """How tables are played, by their ids: the games `won` of a match by entry, who sits in, who is absent."""

    won: Mapping[int, Mapping[int, int]]
    sits_in: Mapping[int, Sequence[SitsIn]]
    absent: Collection[tuple[int, int]]


def played(seen: Face, tables: Sequence[int]) -> Played:
    """Read it: two queries, of matches four."""
    return Played(
        tournament_sheets.games_won(seen.row, pk__in=tables),
        tournament_company.who_sits_in(tables, public=not seen.rights.member),
        tournament_company.absent(pk__in=tables),
    )


def table_line(
    seen: Face,
    stage: Stage,
    table: TableValue,
    names: Mapping[int, str],
    how: Played,
    *,
    homes: Mapping[int, str] = MappingProxyType({}),
) -> TableLine:
    """A table as the reader may see it; `homes` are the clubs of guests where these are shown."""
    places = Counter(seat.place for seat in table.seats)
    won = how.won.get(table.id, {})
    missing = {seat.number for seat in table.seats if (table.id, seat.entry) in how.absent}
    seated = {seat.number: names[seat.entry] for seat in table.seats}
    odd = tournament_company.told(how.sits_in.get(table.id, ()), seated, missing, shares=seen.is_cooperative)
    return TableLine(
        number=table.number,
        group=table.group if stage.groups > 1 else 0,
        match=table.match,
        kind=str(table.kind),
        decided=table.decided,
        is_open=table.session_status == "open",
        seats=tuple(
            SeatLine(
                entry=seat.entry,
                name=names[seat.entry],
                seat=seat.number + 1,
                place=seat.place if table.decided and seat.number not in missing else None,
                is_shared=table.decided and places[seat.place] > 1,
                points=seat.game_points if table.decided else None,
                games=won.get(seat.entry),
                won=is_first(table, seat),
                absent=seat.number in missing,
                home=homes.get(seat.entry, ""),
            )
            for seat in table.seats
        ),
        session=table.session if seen.shows_sessions else None,
        odd=tuple(odd),
    )


def is_first(table: TableValue, seat: SeatValue) -> bool:
    """Whether nobody came before this one at a table of several, by play or by forfeit."""
    if table.kind is TableKind.FORFEIT:
        return seat.entry == table.entries[0]
    return table.decided and seat.place == 1 and len(table.seats) > 1


@dataclass(frozen=True, slots=True)
class RoundPart:
    """Some of the tables of a round, of `count`; `progress` says how many of all are decided, byes apart, and is ""
    where there are none but byes.
    """

    tables: tuple[TableLine, ...]
    pages: Pages
    count: int
    progress: str


def round_part(seen: Face, round_: TournamentRound, *, page: int = 1, size: int = LINES) -> RoundPart:
    """A page of the tables of a round: seven queries, of matches nine."""
    rows: list[Any] = list(
        TournamentTable.objects.filter(round=round_).order_by("number").values_list(*_TABLE_COLUMNS, named=True)
    )
    pages, start, end = pages_of(page, len(rows), size)
    tables = _tables(rows[start:end])
    entries = sorted({entry for table in tables.values() for entry in table.entries})
    names, homes = seen.names(entries), seen.homes(entries)
    how = played(seen, list(tables))
    met = [row.decided for row in rows if row.kind != TableKind.BYE]
    progress = ngettext("%(done)d of %(all)d table decided", "%(done)d of %(all)d tables decided", len(met))
    return RoundPart(
        tables=tuple(table_line(seen, round_.stage, table, names, how, homes=homes) for table in tables.values()),
        pages=pages,
        count=len(rows),
        progress=progress % {"done": sum(met), "all": len(met)} if met else "",
    )


_TABLE_COLUMNS = ("pk", "round_id", "number", "group", "match", "kind", "decided")


def _tables(rows: Sequence[Any]) -> dict[int, TableValue]:
    """Tables by id with their seats and sessions, by rows of `_TABLE_COLUMNS`: two queries."""
    seats: dict[int, list[SeatValue]] = {row.pk: [] for row in rows}
    found = TournamentSeat.objects.filter(table__in=list(seats)).order_by("table_id", "number")
    for seat in found.values_list("table_id", "entry_id", "number", "place", "place_sum", "game_points"):
        seats[seat[0]].append(SeatValue(*seat[1:]))
    sessions = {
        table: (pk, status)
        for pk, table, status in Session.objects.filter(table__in=list(seats), voided_at=None).values_list(
            "pk", "table_id", "status"
        )
    }
    return {
        row.pk: TableValue(
            row.pk,
            row.number,
            row.group,
            row.match,
            TableKind(row.kind),
            row.decided,
            tuple(seat.entry for seat in seats[row.pk]),
            tuple(seats[row.pk]),
            *sessions.get(row.pk, (None, "")),
        )
        for row in rows
    }


def reasons_told(seen: Face, round_: TournamentRound) -> list[str]:
    """What is odd in a round, in sentences: one query, none where nothing is."""
    reasons = [
        Reason(code=one["code"], entrants=tuple(one["entries"]), figures=one["figures"]) for one in round_.reasons
    ]
    concerned = {entry for reason in reasons for entry in reason.entrants}
    names = seen.names(sorted(concerned)) if concerned else {}
    return [sentence_of(reason, names) for reason in reasons]


def quality_told(round_: TournamentRound) -> list[str]:
    """How good a seating is that was planned ahead, beside what can be; a sentence for each group."""
    quality: Mapping[str, object] = round_.quality
    found = quality.get("groups", [quality] if quality else [])
    parts = [one for one in found if isinstance(one, Mapping) and "repeats" in one] if isinstance(found, list) else []
    named = len(parts) > 1
    return [
        (_("Group %(number)d: ") % {"number": number} if named else "") + _quality(one)
        for number, one in enumerate(parts, start=1)
    ]


def _quality(one: Mapping[str, object]) -> str:
    repeats, bound = int(str(one["repeats"])), int(str(one.get("bound") or 0))
    if repeats == 0:
        told = _("Over all rounds nobody sits with anybody twice: proven best.")
    else:
        told = ngettext(
            "%(repeats)d repeated meeting over all rounds",
            "%(repeats)d repeated meetings over all rounds",
            repeats,
        ) % {"repeats": repeats}
        if one.get("is_proven"):
            told = _("%(told)s: proven best, fewer are impossible.") % {"told": told}
        elif bound == 0:
            told = _("%(told)s; whether none is possible is not proven either way.") % {"told": told}
        else:
            told = _("%(told)s; fewer than %(bound)d are provably impossible.") % {"told": told, "bound": bound}
        largest = int(str(one.get("largest") or 0))
        if largest > 2:
            told += " " + _("Nobody sits with the same person more than %(times)d times.") % {"times": largest}
    if one.get("is_reproducible") is False:
        told += " " + _("The search was ended early: the seed alone does not give this plan again (not reproducible).")
    return told


# --- Standings --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A column of a table: its code, name, and what it does in one sentence."""

    code: str
    name: str
    sentence: str


@dataclass(frozen=True, slots=True)
class RankLine:
    """A line of a table; `rank_to` is behind `rank` while more ranks are possible.

    `decided_by` says in words what put it behind the one before, "" for the first, and of one that `is_level` with it
    that nothing did. `figures` are the values with the names of their tie-breaks, `home` is the club of a guest.
    """

    entry: int
    name: str
    rank: int
    rank_to: int
    is_shared: bool
    score: str
    values: tuple[str, ...]
    decided_by: str
    played: int
    is_level: bool = False
    figures: tuple[str, ...] = ()
    home: str = ""


@dataclass(frozen=True, slots=True)
class RankTable:
    """The lines of a group; `group` is 0 where the stage has one. `begins` says that its first line is among them."""

    group: int
    lines: tuple[RankLine, ...]
    begins: bool


def tie_breaks(tournament: Tournament) -> list[TieBreak]:
    """The chain of the tournament, the first decides first."""
    return [
        TieBreak(code, tie_break_words.name_of(code), tie_break_words.sentence_of(code))
        for code in tournament.tie_breaks
    ]


def rank_tables(seen: Face, tables: Sequence[GroupTable], stage: Stage, start: int, end: int) -> list[RankTable]:
    """The lines from `start` to before `end` of a stage, its groups one after another: two queries."""
    found: list[RankTable] = []
    passed = 0
    its = [table for table in tables if table.stage == stage.number]
    shown = [line.entry for table in its for line in table.lines][start:end]
    names, homes = seen.names(shown), seen.homes(shown)
    for table in its:
        first, last = max(start - passed, 0), min(end - passed, len(table.lines))
        if first < last:
            lines = tuple(
                _rank_line(seen, names, table.lines[at], table.lines[at - 1] if at else None, homes)
                for at in range(first, last)
            )
            found.append(RankTable(table.group if stage.groups > 1 else 0, lines, first == 0))
        passed += len(table.lines)
    return found


def rank_line_count(tables: Sequence[GroupTable], stage: Stage) -> int:
    """How many lines a stage has in all groups."""
    return sum(len(table.lines) for table in tables if table.stage == stage.number)


def _rank_line(
    seen: Face,
    names: Mapping[int, str],
    line: Line,
    before: Line | None,
    homes: Mapping[int, str] = MappingProxyType({}),
) -> RankLine:
    told = [
        (tie_break_words.name_of(code), tie_break_words.figure_told(code, value))
        for code, value in zip(seen.row.tie_breaks, line.values, strict=False)
    ]
    return RankLine(
        entry=line.entry,
        name=names[line.entry],
        rank=line.rank,
        rank_to=line.rank_to,
        is_shared=line.is_shared,
        score=number_told(line.score) if line.score is not None else "",
        values=tuple(value for _name, value in told),
        decided_by=_decided_by(seen.row, line, before),
        played=line.played,
        is_level=before is not None and line.rank == before.rank,
        figures=tuple(f"{name}: {value}" for name, value in told),
        home=homes.get(line.entry, ""),
    )


def counted(tournament: Tournament) -> str:
    """What is added up, as the heading of a column."""
    if tournament.metric == TournamentMetric.CARDS_LEFT:
        return _("Cards left")
    if tournament.metric == TournamentMetric.PLACE_SUM:
        return tie_break_words.name_of("place_sum")
    return _("Points")


def _decided_by(tournament: Tournament, line: Line, before: Line | None) -> str:
    if before is None:
        return ""
    if line.score is None:
        return "" if line.rank == before.rank else _("Bracket")
    if line.rank == before.rank:
        return _("level in everything")
    if line.decided_by:
        return tie_break_words.name_of(line.decided_by)
    return counted(tournament) if line.score != before.score else _("Final table")


def final_lines(seen: Face, tables: Sequence[GroupTable], start: int, end: int) -> list[RankLine]:
    """Where everybody stands in the whole tournament, from the line `start` to before `end`: two queries."""
    ranks = tournament_standings.ranks_of(tables)
    counts = Counter(rank for rank, _entry in ranks)
    played: Counter[int] = Counter()
    for table in tables:
        for line in table.lines:
            played[line.entry] += line.played
    shown = [entry for _rank, entry in ranks[start:end]]
    names, homes = seen.names(shown), seen.homes(shown)
    return [
        RankLine(
            entry, names[entry], rank, rank, counts[rank] > 1, "", (), "", played[entry], home=homes.get(entry, "")
        )
        for rank, entry in ranks[start:end]
    ]


def line_of(seen: Face, tables: Sequence[GroupTable], entry: int) -> RankLine | None:
    """Where an entry stands in the last of its stages, in the end in the whole tournament; None before it is in one."""
    if seen.ends_in_stages:
        ranks = tournament_standings.ranks_of(tables)
        at = next((at for at, (_rank, one) in enumerate(ranks) if one == entry), None)
        return None if at is None else final_lines(seen, tables, at, at + 1)[0]
    found = next((one for table in reversed(tables) for one in table.lines if one.entry == entry), None)
    return None if found is None else _rank_line(seen, seen.names([entry]), found, None)


# --- A player's way ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stop:
    """A round on a player's way. `table` is None where the player has none; `others` sit there as well.

    `score`: the tournament points won, "" where nothing came of it yet; `ends`: when the clock of the round does.
    """

    round: int
    table: TableLine | None
    seat: SeatLine | None
    others: tuple[SeatLine, ...]
    score: str
    ends: datetime | None

    @property
    def status(self) -> str:
        """How it stands with the table for this player, as `TableLine.status_of`; "" without one."""
        return self.table.status_of(self.seat) if self.table is not None and self.seat is not None else ""


def way(seen: Face, entry: int) -> list[Stop]:
    """An entry's tables in the rounds that the reader may see, the newest first: seven queries, of matches nine, one
    more for a game of the club's own."""
    tables = _tables_of(seen, entry)
    how = played(seen, [table.id for table in tables.values()])
    names = seen.names(sorted({one for table in tables.values() for one in table.entries}))
    stages = set(StageEntry.objects.filter(entry=entry).values_list("stage_id", flat=True))
    scorer = Scorer(scoring_of(seen.row))
    return [
        _stop(seen, round_, tables.get(round_.pk), entry, names=names, scorer=scorer, how=how)
        for round_ in reversed(seen.rounds)
        if round_.pk in tables or round_.stage_id in stages
    ]


def _tables_of(seen: Face, entry: int) -> dict[int, TableValue]:
    """The tables of an entry, by the id of the round."""
    rounds = [one.pk for one in seen.rounds]
    rows: list[Any] = list(
        TournamentTable.objects.filter(seats__entry=entry, round__in=rounds)
        .order_by("number")
        .values_list(*_TABLE_COLUMNS, named=True)
    )
    tables = _tables(rows)
    return {row.round_id: tables[row.pk] for row in rows}


def _stop(
    seen: Face,
    round_: TournamentRound,
    table: TableValue | None,
    entry: int,
    *,
    names: Mapping[int, str],
    scorer: Scorer,
    how: Played,
) -> Stop:
    if table is None:
        return Stop(round_.number, None, None, (), "", None)
    line = table_line(seen, round_.stage, table, names, how)
    score = meeting_of(RoundValue(round_), table, scorer).scores.get(entry)
    return Stop(
        round=round_.number,
        table=line,
        seat=next(seat for seat in line.seats if seat.entry == entry),
        others=tuple(seat for seat in line.seats if seat.entry != entry),
        score="" if score is None else number_told(score),
        ends=clock_ends(seen.row, round_),
    )


def scoring_of(tournament: Tournament) -> Scoring:
    """How the tournament gives its points; its game says which points are best. One query for a game of the club's."""
    key = tournament.game
    game = games_by_key(tournament.club_id, [key])[key] if key else None
    return tournaments.scoring_of(tournament, low_game_points=game is not None and not game.high_wins)
