"""What pages of players, games, bots and the hall of fame read: stored statistics, with names and as charts.

Terms: figures are those of `league/scoring/statistics.py`, a *share beaten* is 1 minus a relative place: the share of
the opponents at the table who did worse, equal ones counted half. Promises: a fixed number of queries a page; names are
read when a page is shown, so that figures of an erased player bear the neutral name. Never: computes statistics.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.template.defaultfilters import floatformat
from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from games.catalog import GAMES, GameInfo
from league.models import (
    Club,
    ClubGame,
    Player,
    PlayerKind,
    Rating,
    RatingBoard,
    RatingChange,
    Season,
    SeasonStatus,
    Standing,
    Statistics,
    StatisticsSubject,
    Visibility,
    name_key,
)
from league.scoring.ratings import is_provisional
from league.scoring.statistics import (
    ACHIEVEMENTS,
    Achievement,
    AchievementCode,
    GameFigures,
    Leader,
    Opponent,
    PlayerFigures,
    RoundMark,
    Run,
    SeatFigure,
    Strength,
    seat_figures,
)
from league.services import rule_words, statistics
from league.services.wording import game_title
from league.web import charts
from league.web.charts import Bar, BarChart, Cell, LineChart, Matrix, Point, Series, Sparkline
from league.web.reading import Pages, Rights

PLAYERS_A_PAGE = 50
SEASONS_A_PAGE = 12
# Who stands before the fold of a player's meetings.
OPPONENTS_SHOWN = 12
_HISTORY = 60
_RARE = 3
_SEASONS_OF_A_PLAYER = 12
_NOTHING = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Named:
    """A player as pages name one."""

    pk: int
    name: str
    is_bot: bool


def names(club: Club, players: Iterable[int], rights: Rights) -> dict[int, Named]:
    """The players of these ids: one query."""
    rows = Player.objects.filter(club=club, pk__in=set(players))
    return {one.pk: Named(one.pk, one.name if rights.member else one.public_name, bool(one.bot)) for one in rows}


def _around(page: int, *, more: bool) -> Pages:
    return Pages(page, page - 1 if page > 1 else None, page + 1 if more else None)


def day_of(text: str) -> date:
    """The day that figures give as text."""
    return date.fromisoformat(text)


def percent(relative: float | None) -> str:
    """A mean relative place as the share beaten, in words; a dash for None."""
    return _NOTHING if relative is None else _("%(number)s %%") % {"number": floatformat((1 - relative) * 100, 0)}


def known_games(club: Club) -> dict[str, GameInfo]:
    """All games of the catalogue and of the club, in the order in which they are listed: one query."""
    own = ClubGame.objects.filter(club=club).order_by("name", "pk")
    return {**GAMES, **{game.key: game.info() for game in own}}


# --- Players ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A line of the list of players; without figures for who has not played yet."""

    pk: int
    name: str
    is_guest: bool
    is_archived: bool
    sessions: int
    wins: int
    beaten: str
    last_day: date | None
    form: Sparkline | None


def people_rows(club: Club, *, page: int, search: str) -> tuple[list[PlayerRow], Pages]:
    """One page of the people of a club by name: two queries."""
    people = Player.objects.filter(club=club, kind=PlayerKind.PERSON, merged_into=None)
    if part := name_key(search):
        people = people.filter(name_key__contains=part)
    start = (page - 1) * PLAYERS_A_PAGE
    found = list(people.order_by("name_key", "pk")[start : start + PLAYERS_A_PAGE + 1])
    figures = statistics.player_figures(club_id=club.pk, players=[one.pk for one in found])
    rows = [_player_row(one, figures.get(one.pk)) for one in found[:PLAYERS_A_PAGE]]
    return rows, _around(page, more=len(found) > PLAYERS_A_PAGE)


def _player_row(player: Player, figures: PlayerFigures | None) -> PlayerRow:
    state = (player.pk, player.name, player.is_guest, player.archived_at is not None)
    if figures is None:
        return PlayerRow(*state, 0, 0, percent(None), None, None)
    totals = figures["totals"]
    last = [round(100 - 100 * (one["place"] - 1) / (one["players"] - 1)) for one in figures["form"][-10:]]
    form = charts.sparkline(last, name=_("Form of %(player)s") % {"player": player.name}) if len(last) > 1 else None
    day = day_of(totals["last_day"])
    return PlayerRow(*state, totals["sessions"], totals["wins"], percent(totals["relative"]), day, form)


def meetings_matrix(club: Club) -> Matrix | None:
    """The people with the most sessions against each other: three queries. None for fewer than two."""
    best = statistics.club_figures(club_id=club.pk)
    ids = best["regulars"] if best is not None else []
    if len(ids) < 2:
        return None
    figures = statistics.player_figures(club_id=club.pk, players=ids)
    known = names(club, ids, Rights(member=True))
    ids = sorted((pk for pk in ids if pk in figures and pk in known), key=lambda pk: name_key(known[pk].name))
    met = {pk: {one["player"]: one["sessions"] for one in figures[pk]["opponents"]} for pk in ids}

    def cell(own: int, other: int) -> Cell | None:
        if own == other:
            return None
        found = met[own].get(other)
        if found is None or not found["met"]:
            return Cell(_NOTHING)
        share = (found["before"] + found["level"] / 2) / found["met"]
        return Cell(f"{found['before']}:{found['behind']}", share)

    columns = [known[pk].name for pk in ids]
    return charts.matrix(
        _("Against each other"),
        columns,
        columns,
        [[cell(own, other) for other in ids] for own in ids],
        corner=_("How often the player of the row finished before and behind the player of the column."),
    )


@dataclass(frozen=True, slots=True)
class Badge:
    """An achievement in words; without a day where it is still to be reached."""

    code: str
    name: str | Promise
    rule: str | Promise
    day: date | None = None
    session: int | None = None


@dataclass(frozen=True, slots=True)
class StreakLine:
    """The longest run of a kind, and whether it goes on; `now` is the length of the one that does, 0 for none."""

    name: str
    longest: int
    since: date | None
    until: date | None
    now: int


@dataclass(frozen=True, slots=True)
class StrengthRow:
    """A game of a player."""

    game: GameInfo
    figures: Strength

    @property
    def beaten(self) -> str:
        return percent(self.figures["relative"])


@dataclass(frozen=True, slots=True)
class MeetingRow:
    """An opponent, the meetings, and how dark the share of those before is shaded (0 to 5)."""

    player: Named
    figures: Opponent

    @property
    def shade(self) -> int:
        met = self.figures["sessions"]
        return round((met["before"] + met["level"] / 2) / met["met"] * 5) if met["met"] else 0


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating now and how it came about; `query` leads to its board, `history` is None for a single result."""

    board: str
    family: str
    query: str
    value: float
    results: int
    is_provisional: bool
    history: LineChart | None


@dataclass(frozen=True, slots=True)
class Profile:
    """All that a player's page shows besides the player."""

    figures: PlayerFigures | None
    form: LineChart | None
    places: BarChart | None
    round_places: BarChart | None
    meetings: Sequence[MeetingRow]
    games: Sequence[StrengthRow]
    streaks: Sequence[StreakLine]
    reached: Sequence[Badge]
    missing: Sequence[Badge]

    @property
    def beaten(self) -> str:
        return percent(self.figures["totals"]["relative"] if self.figures else None)


def profile(club: Club, player: Player, *, today: date) -> Profile:
    """What a player's page shows of the sessions: three queries."""
    figures = statistics.player_figures(club_id=club.pk, players=[player.pk]).get(player.pk)
    if figures is None:
        return Profile(None, None, None, None, (), (), (), (), _badges({}))
    opponents = [one for one in figures["opponents"] if one["sessions"]["met"] or one["rounds"]["met"]]
    known = names(club, (one["player"] for one in opponents), Rights(member=True))
    games = known_games(club)
    reached = {one["code"]: one for one in figures["achievements"]}
    form = [
        Point(
            date_format(day_of(one["day"]), "SHORT_DATE_FORMAT"),
            one["place"],
            _("place %(place)s of %(players)s") % {"place": one["place"], "players": one["players"]},
        )
        for one in figures["form"]
    ]
    badges = _badges(reached)
    return Profile(
        figures=figures,
        form=charts.line_chart(_("Form"), [Series(_("Place"), form)], lower_is_better=True, heading=_("Day"))
        if len(form) > 1
        else None,
        places=_histogram(_("Places of sessions"), figures["places"]["sessions"]),
        round_places=_histogram(_("Places of single games"), figures["places"]["rounds"]),
        meetings=[MeetingRow(known[one["player"]], one) for one in opponents if one["player"] in known],
        games=[StrengthRow(games[one["game"]], one) for one in figures["games"] if one["game"] in games],
        streaks=_streaks(figures, today),
        reached=[badge for badge in badges if badge.day is not None],
        missing=[badge for badge in badges if badge.day is None],
    )


def _badges(reached: Mapping[AchievementCode, Achievement]) -> list[Badge]:
    """All achievements, those reached in the order in which they were."""
    found = []
    for code in ACHIEVEMENTS:
        name, rule = statistics.ACHIEVEMENTS[code]
        its = reached.get(code)
        found.append(Badge(code, name, rule, *((day_of(its["day"]), its["session"]) if its else ())))
    return sorted(found, key=lambda badge: (badge.day or date.max, badge.session or 0))


def _histogram(title: str, counts: Sequence[int]) -> BarChart | None:
    if not counts:
        return None
    # So that a table of three does not look like one where all are in front.
    bars = [Bar(f"{place}.", count) for place, count in enumerate(counts, 1)]
    return charts.bar_chart(title, bars, heading=_("Place"), counted=_("How often"))


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _streaks(figures: PlayerFigures, today: date) -> list[StreakLine]:
    def line(name: str, longest: Run | None, current: Run | None) -> StreakLine:
        now = current["length"] if current is not None else 0
        if longest is None:
            return StreakLine(name, 0, None, None, now)
        return StreakLine(name, longest["length"], day_of(longest["since"]), day_of(longest["until"]), now)

    its = figures["streaks"]
    weeks = its["weeks"]["current"]
    # Nobody says that a run of weeks is over, but the calendar.
    if weeks is not None and _monday(today) - _monday(day_of(weeks["until"])) > timedelta(weeks=1):
        weeks = None
    return [
        line(_("Wins in a row"), its["wins"]["longest"], its["wins"]["current"]),
        line(_("In front in a row"), its["front"]["longest"], its["front"]["current"]),
        line(_("Weeks in a row with a session"), its["weeks"]["longest"], weeks),
    ]


FAMILIES: Mapping[str, str] = {"xxl": "XXL", "the-game": "The Game", "und-tschuess": "und Tschüss"}


def family_name(family: str) -> str:
    """The name of a family of games."""
    return FAMILIES.get(family) or _("Games of the club")


def ratings(player: Player) -> list[Rated]:
    """The player's ratings, those with the most results first: a query, and one for each."""
    found = []
    for one in Rating.objects.filter(player=player).order_by("-results", "pk"):
        changes = RatingChange.objects.filter(player=player, board=one.board, family=one.family)
        newest = changes.order_by("-played_on", "-session_id").values_list("played_on", "value")[:_HISTORY]
        points = [Point(date_format(day, "SHORT_DATE_FORMAT"), round(value)) for day, value in reversed(newest)]
        name = family_name(one.family)
        history = None
        if len(points) > 1:
            title = _("Rating: %(games)s") % {"games": name}
            history = charts.line_chart(title, [Series(_("Rating"), points)], heading=_("Day"))
        state = (one.value, one.results, is_provisional(one.results))
        query = urlencode({"board": one.board, "family": one.family, "kind": player.kind})
        found.append(Rated(str(RatingBoard(one.board).label), name, query, *state, history))
    return found


def seasons_of(player: Player) -> "QuerySet[Standing]":
    """The player's lines in the newest seasons: one query."""
    rows = Standing.objects.filter(player=player).select_related("season__league")
    return rows.order_by("-season__starts_on", "pk")[:_SEASONS_OF_A_PLAYER]


# --- Games ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game in the list, with its rounds so far."""

    game: GameInfo
    rounds: int
    bot_rounds: int
    last_day: date | None


def played_games(club: Club) -> list[PlayedGame]:
    """All games of the catalogue and of the club, those that are played most first: two queries."""
    rows = Statistics.objects.filter(club=club, subject=StatisticsSubject.GAME)
    parts = ("game", "data__people__rounds", "data__people__last_day", "data__bots__rounds")
    stored = {key: (rounds or 0, last, by_bots or 0) for key, rounds, last, by_bots in rows.values_list(*parts)}
    found = []
    for key, game in known_games(club).items():
        rounds, last, by_bots = stored.get(key, (0, None, 0))
        found.append(PlayedGame(game, rounds, by_bots, day_of(last) if last else None))
    return sorted(found, key=lambda one: -one.rounds)


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record: what it is, the points, who, when, how often it was reached."""

    name: str
    points: int
    times: int
    day: date
    session: int
    players: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat, counted from 1 as people do, with the share beaten and how far off it may be."""

    number: int
    rounds: int
    beaten: str
    margin: str
    differs: bool


@dataclass(frozen=True, slots=True)
class LeaderLine:
    """One of the best at something, with the rank among them (shared by equal ones)."""

    rank: int
    player: Named
    value: str
    since: date | None
    until: date | None


@dataclass(frozen=True, slots=True)
class TableFigures:
    """What a game's page shows of people's tables, or of bots'."""

    figures: GameFigures
    records: Sequence[RecordLine]
    seats: Sequence[SeatLine]
    seat_chart: BarChart | None
    sizes: BarChart | None

    @property
    def first_day(self) -> date:
        return day_of(self.figures["first_day"])

    @property
    def last_day(self) -> date:
        return day_of(self.figures["last_day"])

    @property
    def has_odd_seat(self) -> bool:
        return any(one.differs for one in self.seats)


@dataclass(frozen=True, slots=True)
class GamePage:
    """All that a game's page shows besides the game."""

    people: TableFigures | None
    bots: TableFigures | None
    most_played: Sequence[LeaderLine]
    strongest: Sequence[LeaderLine]


def game_page(club: Club, game: GameInfo) -> GamePage:
    """What a game's page shows: two queries."""
    row = statistics.game_figures(club_id=club.pk, games=[game.key]).get(game.key)
    if row is None:
        return GamePage(None, None, (), ())
    ids = {one["player"] for one in (*row["most_played"], *row["strongest"])}
    for kind in (row["people"], row["bots"]):
        ids |= {player for mark in _marks(kind) for player in mark["players"]}
    known = names(club, ids, Rights(member=True))
    return GamePage(
        people=_table_figures(game, row["people"], known),
        bots=_table_figures(game, row["bots"], known),
        most_played=leader_lines(row["most_played"], known, _whole),
        strongest=leader_lines(row["strongest"], known, percent),
    )


def _marks(figures: GameFigures | None) -> list[RoundMark]:
    if figures is None:
        return []
    found = (figures["highest"], figures["lowest"], figures["closest"], figures["clearest"])
    return [mark for mark in found if mark is not None]


def record_lines(game: GameInfo, figures: GameFigures, known: Mapping[int, Named]) -> list[RecordLine]:
    """The records of a game, the best points first. What is reached time and again, as no card left, is none."""
    best, worst = ("highest", "lowest") if game.high_wins else ("lowest", "highest")
    kinds = [
        (_("Best points"), figures[best]),  # type: ignore[literal-required]  # one of two names
        (_("Worst points"), figures[worst]),  # type: ignore[literal-required]  # one of two names
        (_("Clearest win: points ahead of the next"), figures["clearest"]),
        (_("Closest round: points from first to last"), figures["closest"]),
    ]
    return [
        RecordLine(
            name,
            mark["points"],
            mark["times"],
            day_of(mark["day"]),
            mark["session"],
            tuple(known[player] for player in mark["players"] if player in known),
        )
        for name, mark in kinds
        if mark is not None and mark["times"] <= max(_RARE, figures["rounds"] // 10)
    ]


def _table_figures(game: GameInfo, figures: GameFigures | None, known: Mapping[int, Named]) -> TableFigures | None:
    if figures is None:
        return None
    seats = seat_figures(figures["seats"])
    sizes = sorted((int(size), count) for size, count in figures["tables"].items())
    return TableFigures(
        figures=figures,
        records=record_lines(game, figures, known),
        seats=[_seat_line(one) for one in seats],
        seat_chart=charts.bar_chart(
            _("Opponents beaten by seat"),
            [Bar(str(one.seat + 1), round((1 - one.relative) * 100), percent(one.relative)) for one in seats],
            heading=_("Seat"),
            counted=_("Opponents beaten"),
        )
        if seats
        else None,
        sizes=charts.bar_chart(
            _("Rounds by number of players"),
            [Bar(str(size), count) for size, count in sizes],
            heading=_("Players"),
            counted=_("Rounds"),
        )
        if len(sizes) > 1
        else None,
    )


def _seat_line(one: SeatFigure) -> SeatLine:
    margin = _NOTHING if one.error is None else f"± {floatformat(one.error * 200, 0)}"
    return SeatLine(one.seat + 1, one.rounds, percent(one.relative), margin, one.differs)


def _whole(value: float) -> str:
    return str(number_format(value, 0))


def leader_lines(entries: Sequence[Leader], known: Mapping[int, Named], word: Any) -> list[LeaderLine]:
    """A list of the best, with ranks; `word` words a value."""
    found: list[LeaderLine] = []
    values: list[float] = []
    for place, one in enumerate(entries, 1):
        values.append(one["value"])
        rank = found[-1].rank if found and values[-2:] == [one["value"]] * 2 else place
        if one["player"] in known:
            since, until = (day_of(text) if text else None for text in (one["since"], one["until"]))
            found.append(LeaderLine(rank, known[one["player"]], word(one["value"]), since, until))
    return found


# --- Bots -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BotRow:
    """A line of the bots' leaderboard; `placed` are the rounds that the share beaten is of."""

    player: Named
    bot: str
    rounds: int
    wins: int
    placed: int
    relative: float | None
    ratings: Sequence[tuple[str, float, int]]

    @property
    def is_provisional(self) -> bool:
        """Whether the share is of so few games that a rating would not be ranked either."""
        return is_provisional(self.placed)

    @property
    def beaten(self) -> str:
        return percent(self.relative)


def bot_rows(club: Club) -> tuple[list[BotRow], Matrix | None]:
    """The bots of a club, those who beat most first, and how each does in each game: four queries.

    Behind them stand those with few games, whose share says little, in the same order.
    """
    bots = list(Player.objects.filter(club=club, kind=PlayerKind.BOT, merged_into=None).order_by("name_key", "pk"))
    figures = statistics.player_figures(club_id=club.pk, players=[one.pk for one in bots])
    rated: dict[int, list[tuple[str, float, int]]] = {}
    for one in Rating.objects.filter(club=club, player__in=bots).order_by("-results", "pk"):
        rated.setdefault(one.player_id, []).append((family_name(one.family), one.value, one.results))
    rows = []
    for bot in bots:
        games = figures[bot.pk]["games"] if bot.pk in figures else []
        placed = sum(one["placed"] for one in games)
        total = sum(one["relative"] * one["placed"] for one in games if one["relative"] is not None)
        rows.append(
            BotRow(
                Named(bot.pk, bot.name, True),
                bot.bot,
                sum(one["rounds"] for one in games),
                sum(one["wins"] for one in games),
                placed,
                total / placed if placed else None,
                rated.get(bot.pk, []),
            )
        )
    rows.sort(key=lambda row: (row.is_provisional, 2.0 if row.relative is None else row.relative))
    known = known_games(club)
    by_game = {pk: {one["game"]: one["relative"] for one in its["games"]} for pk, its in figures.items()}
    keys = [key for key in known if any(its.get(key) is not None for its in by_game.values())]
    played = [row for row in rows if row.relative is not None]
    if not played:
        return rows, None
    cells = [[_share_cell(by_game[row.player.pk].get(key)) for key in keys] for row in played]
    columns = [game_title(known[key]) for key in keys]
    title = _("Opponents beaten by game")
    return rows, charts.matrix(title, [row.player.name for row in played], columns, cells)


def _share_cell(relative: float | None) -> Cell:
    return Cell(_NOTHING) if relative is None else Cell(percent(relative), 1 - relative)


# --- Seasons and the hall of fame -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TopLine:
    """One of the first three of a season's table."""

    rank: int
    player: Named
    value: str


@dataclass(frozen=True, slots=True)
class Top:
    """The first three of a season, or of one of its divisions; `value_name` says what it ranks by."""

    division: str
    value_name: str
    lines: tuple[TopLine, ...]


def tops(seasons: Collection[Season], rights: Rights) -> dict[int, tuple[Top, ...]]:
    """The first three (and who is level with the third) of each of these seasons by its id: one query."""
    by_id = {one.pk: one for one in seasons}
    found: dict[int, dict[str, list[TopLine]]] = {}
    for one in statistics.first_three(seasons):
        name = one.player.name if rights.member else one.player.public_name
        value = rule_words.value_told(by_id[one.season_id], one.value, one.counted)
        line = TopLine(one.rank, Named(one.player_id, name, bool(one.player.bot)), value)
        division = one.division.name if one.division is not None else ""
        found.setdefault(one.season_id, {}).setdefault(division, []).append(line)
    return {
        season: tuple(
            Top(division, rule_words.value_name(by_id[season]), tuple(lines)) for division, lines in its.items()
        )
        for season, its in found.items()
    }


@dataclass(frozen=True, slots=True)
class SeasonTop:
    """A season with its first three."""

    season: Season
    tops: tuple[Top, ...]


def closed_seasons(club: Club, rights: Rights, *, page: int) -> tuple[list[SeasonTop], Pages]:
    """One page of the closed seasons that the reader may see, newest first, with their winners: two queries."""
    seasons = Season.objects.filter(club=club, status=SeasonStatus.CLOSED).select_related("league")
    if not rights.member:
        seasons = seasons.filter(visibility=Visibility.PUBLIC)
    start = (page - 1) * SEASONS_A_PAGE
    found = list(seasons.order_by("-starts_on", "name", "pk")[start : start + SEASONS_A_PAGE + 1])
    first = tops(found[:SEASONS_A_PAGE], rights)
    rows = [SeasonTop(one, first.get(one.pk, ())) for one in found[:SEASONS_A_PAGE]]
    return rows, _around(page, more=len(found) > SEASONS_A_PAGE)


@dataclass(frozen=True, slots=True)
class BestList:
    """A list of the best with its heading; `dated` where each entry has days of its own."""

    name: str
    lines: Sequence[LeaderLine]
    dated: bool = False


@dataclass(frozen=True, slots=True)
class GameRecords:
    """The records of one game."""

    game: GameInfo
    lines: Sequence[RecordLine]


def best_lists(club: Club) -> list[BestList]:
    """The lists of the best people of a club, empty ones left out: two queries."""
    row = statistics.club_figures(club_id=club.pk)
    if row is None:
        return []
    kinds = [
        (_("Most wins"), row["wins"], _whole, False),
        (_("Most opponents beaten, from ten sessions on"), row["relative"], percent, False),
        (_("Most sessions"), row["sessions"], _whole, False),
        (_("Longest winning streak"), row["win_streaks"], _whole, True),
        (_("Longest streak in front"), row["front_streaks"], _whole, True),
        (_("Most weeks in a row"), row["week_streaks"], _whole, True),
        (_("Most achievements"), row["achievements"], _whole, False),
    ]
    known = names(club, (one["player"] for _name, its, _word, _dated in kinds for one in its), Rights(member=True))
    return [
        BestList(name, leader_lines(entries, known, word), dated) for name, entries, word, dated in kinds if entries
    ]


def all_records(club: Club) -> list[GameRecords]:
    """The records of people in every game that was played: three queries."""
    rows = Statistics.objects.filter(club=club, subject=StatisticsSubject.GAME)
    stored: dict[str, GameFigures] = {
        key: people for key, people in rows.values_list("game", "data__people") if people is not None
    }
    ids = {player for its in stored.values() for mark in _marks(its) for player in mark["players"]}
    known = names(club, ids, Rights(member=True))
    return [
        GameRecords(game, record_lines(game, stored[key], known)[:2])
        for key, game in known_games(club).items()
        if key in stored
    ]
