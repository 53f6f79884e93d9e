"""Statistics of players, games and the club, computed after the answer from the sessions; see `figures.py` for when.

Terms: what is told of each is in `league/scoring/statistics.py`; a *kind of table* is people, where at least one sat
there, or bots among themselves. What counts is what is rated: sessions that are ended, not void and not waiting for
confirmation, with or without a season. Promises: a player's figures come from the sessions of that player alone, those
of a game from the rounds since New Year's Day before the first change, since each year's are kept apart; rows are read
one after the other, so that memory does not grow with them; computing twice changes nothing. Never: computed while
somebody waits for a page; what pages show is read by `player_figures`, `game_figures` and `club_figures`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any, NamedTuple, TypedDict, cast

from django.db import transaction
from django.db.models import Case, Exists, F, IntegerField, OuterRef, QuerySet, Subquery, Value, When, Window
from django.db.models.functions import Rank
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.catalog import GAMES, GameInfo
from league.models import (
    ClubGame,
    PlayerKind,
    Score,
    Season,
    Seat,
    SessionResult,
    SessionStatus,
    Standing,
    Statistics,
    StatisticsSubject,
)
from league.scoring.statistics import (
    AchievementCode,
    GameFigures,
    GameTally,
    Leader,
    Played,
    PlayerFigures,
    PlayerTally,
    Scored,
    Sitting,
    Strength,
    Totals,
    leaders,
    merged,
)
from league.services.ratings import rated_sessions

ACHIEVEMENTS: Mapping[AchievementCode, tuple[str | Promise, str | Promise]] = {
    "first_win": (_("First win"), _("Won a session.")),
    "hat_trick": (_("Hat-trick"), _("Won three sessions in a row.")),
    "photo_finish": (_("Photo finish"), _("Won a session of three games or more by one in the sum of places.")),
    "comeback": (_("Comeback"), _("Was last after three games and won the session.")),
    "table_of_six": (_("King of the big table"), _("Won a session against five others or more.")),
    "perfect_evening": (_("Perfect evening"), _("Won every game of an evening of Pure XXL.")),
    "all_xxl_won": (_("All six"), _("Won each of the six games of Pure XXL at least once.")),
    "ten_opponents": (_("Ten scalps"), _("Finished before ten different opponents.")),
    "nothing_left": (_("Nothing left"), _("Won The Game: not a card was left.")),
    "ten_sessions": (_("Regular"), _("Played ten sessions.")),
    "fifty_sessions": (_("Part of the furniture"), _("Played fifty sessions.")),
    "hundred_sessions": (_("Institution"), _("Played a hundred sessions.")),
}

# Players, sessions or rounds that are named in one statement; under the limit of variables that SQLite takes.
_FEW = 400
_CHUNK = 2000
# Who stands in the lists of the best.
_LEADERS = 5
_REGULARS = 8
_PODIUM = 3
_ENOUGH_ROUNDS = 10
_ENOUGH_SESSIONS = 10


class GameRow(TypedDict):
    """What is stored of a game: the figures by year and together, of people's tables and of bots' ones, and the
    players who have played it most and who are best at it."""

    years: dict[str, dict[str, GameFigures]]
    people: GameFigures | None
    bots: GameFigures | None
    most_played: list[Leader]
    strongest: list[Leader]


class ClubRow(TypedDict):
    """What is stored for the hall of fame: lists of the best people of the club; `regulars` are the ids of those who
    play most."""

    regulars: list[int]
    wins: list[Leader]
    sessions: list[Leader]
    relative: list[Leader]
    win_streaks: list[Leader]
    front_streaks: list[Leader]
    week_streaks: list[Leader]
    achievements: list[Leader]


@dataclass(frozen=True, slots=True)
class Computed:
    """New figures, not stored yet: None for a player without a session; of each game the years that were read."""

    club_id: int
    from_year: int
    players: Mapping[int, PlayerFigures | None]
    games: Mapping[str, Mapping[str, Mapping[str, GameFigures]]]


class _Line(NamedTuple):
    """A score as it is read."""

    session: int
    day: date
    number: int
    game: str
    player: int
    points: int | None
    place: int | None
    kind: str
    seat: int | None


_LINE = (
    "round__session_id",
    "round__session__played_on",
    "round__number",
    "round__game",
    "player_id",
    "points",
    "place",
    "player__kind",
    "seat",
)
_ORDER = ("round__session__played_on", "round__session_id", "round__number", "player_id")


def refresh(*, club_id: int, from_day: date, players: Collection[int], now: datetime) -> None:
    """Bring statistics up to date after changes of sessions of `players` (ids), none before `from_day`."""
    computed = compute(club_id=club_id, from_day=from_day, players=players)
    with transaction.atomic():
        store(computed, now=now)


def compute(*, club_id: int, from_day: date, players: Collection[int]) -> Computed:
    """The new figures of these players and of all games that were played since the year of `from_day`."""
    games = _games(club_id)
    return Computed(club_id, from_day.year, _players(club_id, players, games), _years(club_id, from_day.year, games))


def store(computed: Computed, *, now: datetime) -> None:
    """Store new figures, and after them the lists of the best; called in a transaction."""
    club_id = computed.club_id
    _replace_players(computed, now=now)
    standing = list(_standing(club_id))
    rows = Statistics.objects.filter(club=club_id, subject=StatisticsSubject.GAME)
    stored = {row.game: cast(GameRow, row.data) for row in rows}
    found: dict[str, GameRow] = {}
    for key in sorted(stored.keys() | computed.games.keys()):
        before = stored[key]["years"] if key in stored else {}
        years = {year: its for year, its in before.items() if int(year) < computed.from_year}
        years |= {year: dict(its) for year, its in computed.games.get(key, {}).items()}
        if years:
            found[key] = _game_row(key, years, standing)
    rows.delete()
    Statistics.objects.bulk_create(
        Statistics(club_id=club_id, subject=StatisticsSubject.GAME, game=key, data=row, computed_at=now)
        for key, row in found.items()
    )
    Statistics.objects.filter(club=club_id, subject=StatisticsSubject.CLUB).delete()
    if standing:
        Statistics.objects.create(
            club_id=club_id, subject=StatisticsSubject.CLUB, data=_club_row(standing), computed_at=now
        )


# --- Reading what is stored -------------------------------------------------------------------------------------------


def player_figures(*, club_id: int, players: Collection[int]) -> dict[int, PlayerFigures]:
    """The stored figures of these players by their ids; who has none is left out. One query."""
    rows = Statistics.objects.filter(club=club_id, subject=StatisticsSubject.PLAYER, player__in=players)
    return {player: cast(PlayerFigures, data) for player, data in rows.values_list("player_id", "data")}


def game_figures(*, club_id: int, games: Collection[str] | None = None) -> dict[str, GameRow]:
    """The stored figures of these games (None: of all) by their keys. One query."""
    rows = Statistics.objects.filter(club=club_id, subject=StatisticsSubject.GAME)
    if games is not None:
        rows = rows.filter(game__in=games)
    return {key: cast(GameRow, data) for key, data in rows.values_list("game", "data")}


def club_figures(*, club_id: int) -> ClubRow | None:
    """The stored lists of the best; None where nothing is computed yet. One query."""
    rows = Statistics.objects.filter(club=club_id, subject=StatisticsSubject.CLUB)
    return cast(ClubRow | None, rows.values_list("data", flat=True).first())


def first_three(seasons: Collection[Season]) -> list[Any]:
    """The standings of the first three of each of these seasons and of its divisions, and of whoever is level with the
    third; the best first, each with its `rank`. One query, none for no season."""
    if not seasons:
        return []
    unranked = Case(
        When(sessions__gte=F("season__minimum_sessions"), counted__gt=0, then=Value(0)),
        default=Value(1),
        output_field=IntegerField(),
    )
    place = Window(
        Rank(),
        partition_by=[F("season"), F("division")],
        order_by=[F("unranked").asc(), F("sort_key").asc(), F("tie_position").asc()],
    )
    rows = (
        Standing.objects.filter(season__in=[one.pk for one in seasons])
        .annotate(unranked=unranked)
        .annotate(rank=place)
        .filter(unranked=0, rank__lte=_PODIUM)
        .select_related("player", "division")
    )
    # Any: the type checker does not know the annotations.
    return list(
        rows.order_by("season", F("division__level").asc(nulls_first=True), "rank", "player__name_key", "player_id")
    )


# --- Players ----------------------------------------------------------------------------------------------------------


def _games(club_id: int) -> dict[str, GameInfo]:
    """All games of the catalogue and of the club."""
    return {**GAMES, **{game.key: game.info() for game in ClubGame.objects.filter(club=club_id).order_by("name", "pk")}}


def _players(club_id: int, players: Collection[int], games: Mapping[str, GameInfo]) -> dict[int, PlayerFigures | None]:
    """The figures of these players, some of them at a time: a session is read once for all of those."""
    ids = sorted(set(players))
    found: dict[int, PlayerFigures | None] = {}
    for start in range(0, len(ids), _FEW):
        tallies = {pk: PlayerTally(pk, games) for pk in ids[start : start + _FEW]}
        for sitting, present in _sittings(club_id, tallies):
            for pk in present:
                tallies[pk].add(sitting)
        found |= {pk: tally.figures() for pk, tally in tallies.items()}
    return found


def _sittings(club_id: int, players: Collection[int]) -> Iterator[tuple[Sitting, list[int]]]:
    """The sessions in which any of these players sat, in order, with those who did."""
    own = Seat.objects.filter(session=OuterRef("pk"), player__in=list(players))
    sessions = rated_sessions(club_id).filter(Exists(own)).order_by("played_on", "pk")
    rows = sessions.values_list("pk", "played_on", "format", "status")
    batch: list[tuple[int, date, str, str]] = []
    for row in rows.iterator(chunk_size=_CHUNK):
        batch.append(row)
        if len(batch) == _FEW:
            yield from _read(batch, players)
            batch = []
    yield from _read(batch, players)


def _read(
    batch: Collection[tuple[int, date, str, str]], players: Collection[int]
) -> Iterator[tuple[Sitting, list[int]]]:
    ids = [pk for pk, *_rest in batch]
    places: dict[int, dict[int, int]] = {pk: {} for pk in ids}
    sums: dict[int, dict[int, int]] = {pk: {} for pk in ids}
    placed = SessionResult.objects.filter(session__in=ids, place__isnull=False)
    for pk, player, place, total in placed.values_list("session_id", "player_id", "place", "place_sum"):
        if place is not None:  # asked for above; the type checker does not know
            places[pk][player] = place
            sums[pk][player] = total
    rounds: dict[int, list[Played]] = {pk: [] for pk in ids}
    present: dict[int, set[int]] = {pk: set() for pk in ids}
    for lines in _rounds(Score.objects.filter(round__session__in=ids)):
        first = lines[0]
        scores = [Scored(line.player, line.points, line.place, line.seat) for line in lines]
        rounds[first.session].append(Played(first.number, first.game, scores))
        present[first.session].update(line.player for line in lines)
    for pk, day, format_, status in batch:
        complete = status == SessionStatus.COMPLETE
        sitting = Sitting(pk, day, format_, complete, places[pk], sums[pk], rounds[pk])
        # Whose rounds all counted for somebody else may have a place without a score.
        yield sitting, sorted((present[pk] | places[pk].keys()) & set(players))


def _rounds(scores: "QuerySet[Score]") -> Iterator[list[_Line]]:
    """Scores by round, in order."""
    seat = Seat.objects.filter(session=OuterRef("round__session"), player=OuterRef("player")).order_by("from_round")
    rows = scores.annotate(seat=Subquery(seat.values("number")[:1])).order_by(*_ORDER).values_list(*_LINE)
    lines = (_Line(*row) for row in rows.iterator(chunk_size=_CHUNK))
    for _round, its in groupby(lines, key=lambda line: (line.session, line.number)):
        yield list(its)


def _replace_players(computed: Computed, *, now: datetime) -> None:
    ids = list(computed.players)
    for start in range(0, len(ids), _FEW):
        some = ids[start : start + _FEW]
        Statistics.objects.filter(club=computed.club_id, subject=StatisticsSubject.PLAYER, player__in=some).delete()
        Statistics.objects.bulk_create(
            Statistics(
                club_id=computed.club_id,
                subject=StatisticsSubject.PLAYER,
                player_id=pk,
                data=computed.players[pk],
                computed_at=now,
            )
            for pk in some
            if computed.players[pk] is not None
        )


# --- Games and the club -----------------------------------------------------------------------------------------------


def _years(club_id: int, from_year: int, games: Mapping[str, GameInfo]) -> dict[str, dict[str, dict[str, GameFigures]]]:
    """By game, year and kind of table: the figures of all rounds since New Year's Day."""
    sessions = rated_sessions(club_id).filter(played_on__gte=date(from_year, 1, 1))
    tallies: dict[tuple[str, str, str], GameTally] = {}
    for lines in _rounds(Score.objects.filter(round__session__in=sessions)):
        first = lines[0]
        people = {line.player for line in lines if line.kind == PlayerKind.PERSON}
        key = (first.game, str(first.day.year), "people" if people else "bots")
        holders = people or {line.player for line in lines}
        tally = tallies.get(key)
        if tally is None:
            tally = tallies[key] = GameTally(games[first.game])
        scores = [Scored(line.player, line.points, line.place, line.seat) for line in lines]
        played = Played(first.number, first.game, scores)
        tally.add(played, session=first.session, day=first.day, holders=holders.__contains__)
    found: dict[str, dict[str, dict[str, GameFigures]]] = {}
    for (game, year, kind), tally in tallies.items():
        figures = tally.figures()
        if figures is not None:
            found.setdefault(game, {}).setdefault(year, {})[kind] = figures
    return found


class _Stands(NamedTuple):
    """What the lists of the best need of a person's figures."""

    player: int
    totals: Totals
    games: list[Strength]
    streaks: dict[str, dict[str, dict[str, int | str] | None]]
    achieved: int


def _standing(club_id: int) -> Iterator[_Stands]:
    """All people of the club who have figures."""
    rows = Statistics.objects.filter(
        club=club_id, subject=StatisticsSubject.PLAYER, player__kind=PlayerKind.PERSON
    ).order_by("player_id")
    parts = ("player_id", "data__totals", "data__games", "data__streaks", "data__achievements")
    for player, totals, games, streaks, achievements in rows.values_list(*parts).iterator(chunk_size=_CHUNK):
        yield _Stands(player, totals, games, streaks, len(achievements))


def _game_row(key: str, years: dict[str, dict[str, GameFigures]], standing: Iterable[_Stands]) -> GameRow:
    in_order = [years[year] for year in sorted(years)]
    own = [(one, its) for one in standing for its in one.games if its["game"] == key]
    return {
        "years": {year: years[year] for year in sorted(years)},
        "people": merged(its["people"] for its in in_order if "people" in its),
        "bots": merged(its["bots"] for its in in_order if "bots" in its),
        "most_played": leaders((_leader(one, its["rounds"]) for one, its in own), most=_LEADERS),
        "strongest": leaders(
            (
                _leader(one, its["relative"])
                for one, its in own
                if its["relative"] is not None and its["placed"] >= _ENOUGH_ROUNDS
            ),
            most=_LEADERS,
            lowest=True,
        ),
    }


def _club_row(standing: Iterable[_Stands]) -> ClubRow:
    people = list(standing)

    def longest(name: str) -> list[Leader]:
        runs = ((one, one.streaks[name]["longest"]) for one in people)
        found: Iterator[Leader] = (
            {
                "player": one.player,
                "value": float(run["length"]),
                "since": str(run["since"]),
                "until": str(run["until"]),
            }
            for one, run in runs
            if run is not None and int(run["length"]) > 1
        )
        return leaders(found, most=_LEADERS)

    return {
        "regulars": [one.player for one in sorted(people, key=lambda one: -one.totals["placed"])[:_REGULARS]],
        "wins": leaders((_leader(one, one.totals["wins"]) for one in people), most=_LEADERS),
        "sessions": leaders((_leader(one, one.totals["sessions"]) for one in people), most=_LEADERS),
        "relative": leaders(
            (
                _leader(one, one.totals["relative"])
                for one in people
                if one.totals["relative"] is not None and one.totals["placed"] >= _ENOUGH_SESSIONS
            ),
            most=_LEADERS,
            lowest=True,
        ),
        "win_streaks": longest("wins"),
        "front_streaks": longest("front"),
        "week_streaks": longest("weeks"),
        "achievements": leaders((_leader(one, one.achieved) for one in people), most=_LEADERS),
    }


def _leader(one: _Stands, value: float) -> Leader:
    return {
        "player": one.player,
        "value": value,
        "since": one.totals["first_day"],
        "until": one.totals["last_day"],
    }
