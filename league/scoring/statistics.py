"""What the sessions of a club say about its players and games, as values that a page only has to show.

Terms. A *sitting* is an ended session as it is read here. A *relative place* is the share of the opponents at the table
who did better, equal ones counted half: 0 for the first alone, 1 for the last alone, 1/2 on average at every table,
whatever its size and however many share a place. A *tally* takes sittings or rounds one after the other and gives the
figures at any time. A *streak* is an unbroken run. Figures are JSON-ready: players are ids, days are ISO dates, and
nothing holds a name.

Rulings. A final place counts where at least two players have one. A shared first place is a win. The *front* is a place
among the first three with somebody behind, so that the third of three is not in it. A record belongs to whoever reached
it first.

Promises: the same sittings in the same order give the same figures; tallies of two parts of a game's rounds, merged,
give that of the whole. Never: knows who may see what, or which rounds count; that is for the caller.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal, NamedTuple, TypedDict, get_args

from games.catalog import GameInfo
from league.scoring.sessions import PURE_XXL

# How many of the last sessions a form curve shows.
FORM = 30
_WEEK = timedelta(days=7)
_FRONT = 3
_BEFORE_THE_COMEBACK = 3
_BIG_TABLE = 6
_ROW_OF_WINS = 3
_SEVERAL_ROUNDS = 3
_MANY_OPPONENTS = 10
# Fewer than these are a table where the last is the second as well.
_FEWEST_FOR_LAST = 3


class Scored(NamedTuple):
    """A player's score in a round; `seat` counts clockwise from 0, None where it is not known."""

    player: int
    points: int | None
    place: int | None
    seat: int | None = None


class Played(NamedTuple):
    """A round: its number from 1, its game's key, its scores."""

    number: int
    game: str
    scores: Sequence[Scored]


@dataclass(frozen=True, slots=True)
class Sitting:
    """An ended session. `places` and `sums` are the final places and the place sums of who has a final place."""

    session: int
    day: date
    format: str
    is_complete: bool
    places: Mapping[int, int]
    sums: Mapping[int, int]
    rounds: Sequence[Played]


# --- Figures ----------------------------------------------------------------------------------------------------------


class FormPoint(TypedDict):
    """A final place among so many."""

    session: int
    day: str
    place: int
    players: int


class Meetings(TypedDict):
    """How often two were placed at one table, and where one of them was then."""

    met: int
    before: int
    level: int
    behind: int


class Opponent(TypedDict):
    """The meetings with another player, by final places and by places of rounds."""

    player: int
    sessions: Meetings
    rounds: Meetings


class Mark(TypedDict):
    """Points, and where they were first reached."""

    points: int
    day: str
    session: int


class Strength(TypedDict):
    """How a player does in a game. `relative` is the mean relative place of the `placed` rounds, None without one."""

    game: str
    sessions: int
    rounds: int
    placed: int
    wins: int
    relative: float | None
    best: Mark | None
    worst: Mark | None


class Run(TypedDict):
    """So many, from the first day to the last."""

    length: int
    since: str
    until: str


class Streak(TypedDict):
    """The longest run and the one that goes on; None where there is none."""

    longest: Run | None
    current: Run | None


class Streaks(TypedDict):
    """Of wins and of places in the front in sessions with a place; of calendar weeks with a session."""

    wins: Streak
    front: Streak
    weeks: Streak


AchievementCode = Literal[
    "first_win",
    "hat_trick",
    "photo_finish",
    "comeback",
    "table_of_six",
    "perfect_evening",
    "all_xxl_won",
    "ten_opponents",
    "nothing_left",
    "ten_sessions",
    "fifty_sessions",
    "hundred_sessions",
]
ACHIEVEMENTS: tuple[AchievementCode, ...] = get_args(AchievementCode)
_SESSIONS: Mapping[int, AchievementCode] = {10: "ten_sessions", 50: "fifty_sessions", 100: "hundred_sessions"}


class Achievement(TypedDict):
    """What a player reached, and in which session for the first time."""

    code: AchievementCode
    day: str
    session: int


class Totals(TypedDict):
    """Sums over everything. `placed` are sessions with a place that counts, `relative` is the mean of these."""

    sessions: int
    placed: int
    wins: int
    front: int
    relative: float | None
    rounds: int
    round_wins: int
    first_day: str
    last_day: str


class Places(TypedDict):
    """How often place 1, 2, …: final places of sessions, places of rounds."""

    sessions: list[int]
    rounds: list[int]


class PlayerFigures(TypedDict):
    """All that a player's page shows of the sessions."""

    totals: Totals
    form: list[FormPoint]
    places: Places
    opponents: list[Opponent]
    games: list[Strength]
    streaks: Streaks
    achievements: list[Achievement]


class RoundMark(TypedDict):
    """Points of a round, who reached them first, and how often they were reached."""

    points: int
    times: int
    day: str
    session: int
    round: int
    players: list[int]


class SeatSums(TypedDict):
    """Of a seat: the rounds, and the sum of the relative places and of their squares."""

    rounds: int
    total: float
    squares: float


class GameFigures(TypedDict):
    """What the rounds of a game say.

    `highest` and `lowest` are points of one player, or of the table where it plays together; `closest` is the smallest
    distance from the first to the last at a table of three or more, its players in the order of their places;
    `clearest` the largest from the only first to the next. `tables` is how many rounds were played by two, three, …
    """

    rounds: int
    sessions: int
    first_day: str
    last_day: str
    highest: RoundMark | None
    lowest: RoundMark | None
    closest: RoundMark | None
    clearest: RoundMark | None
    tables: dict[str, int]
    seats: dict[str, SeatSums]


# --- Players ----------------------------------------------------------------------------------------------------------


def relative_places(places: Mapping[int, int]) -> dict[int, float]:
    """The relative place of each player; empty for fewer than two."""
    if len(places) < 2:
        return {}
    counts: dict[int, int] = defaultdict(int)
    for place in places.values():
        counts[place] += 1
    better, relative = 0, {}
    for place in sorted(counts):
        relative[place] = (better + (counts[place] - 1) / 2) / (len(places) - 1)
        better += counts[place]
    return {player: relative[place] for player, place in places.items()}


class _Run:
    """A streak as it is counted."""

    def __init__(self) -> None:
        self.longest: Run | None = None
        self.current: Run | None = None

    def hit(self, day: date, *, goes_on: bool = True) -> int:
        """Count one more, or begin anew; the length of the run."""
        told = day.isoformat()
        if self.current is None or not goes_on:
            self.current = {"length": 1, "since": told, "until": told}
        else:
            self.current = {**self.current, "length": self.current["length"] + 1, "until": told}
        if self.longest is None or self.current["length"] > self.longest["length"]:
            self.longest = self.current
        return self.current["length"]

    def lengthen(self, day: date) -> None:
        """Another day that belongs to what was counted last."""
        if self.current is not None:
            grown: Run = {**self.current, "until": day.isoformat()}
            self.longest = grown if self.longest is self.current else self.longest
            self.current = grown

    def miss(self) -> None:
        self.current = None

    def told(self) -> Streak:
        return {"longest": self.longest, "current": self.current}


@dataclass(slots=True)
class _Game:
    """What a player has of one game."""

    high_wins: bool
    sessions: int = 0
    rounds: int = 0
    placed: int = 0
    wins: int = 0
    relative: float = 0.0
    best: Mark | None = None
    worst: Mark | None = None

    def note(self, points: int, sitting: Sitting) -> None:
        mark: Mark = {"points": points, "day": sitting.day.isoformat(), "session": sitting.session}
        sign = 1 if self.high_wins else -1
        if self.best is None or sign * points > sign * self.best["points"]:
            self.best = mark
        if self.worst is None or sign * points < sign * self.worst["points"]:
            self.worst = mark


@dataclass(slots=True)
class _Met:
    """Meetings with one opponent: met, before, level, behind; of sessions and of rounds."""

    sessions: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    rounds: list[int] = field(default_factory=lambda: [0, 0, 0, 0])

    @staticmethod
    def told(counts: Sequence[int]) -> Meetings:
        return {"met": counts[0], "before": counts[1], "level": counts[2], "behind": counts[3]}


def _meet(counts: list[int], own: int, other: int) -> None:
    counts[0] += 1
    counts[1 if own < other else 2 if own == other else 3] += 1


def _count_place(counts: list[int], place: int) -> None:
    counts.extend([0] * (place - len(counts)))
    counts[place - 1] += 1


class PlayerTally:
    """The figures of one player from the sittings of this player alone, in the order in which they were played."""

    def __init__(self, player: int, games: Mapping[str, GameInfo]) -> None:
        self.player = player
        self._known = games
        self._sessions = self._placed = self._wins = self._front = self._rounds = self._round_wins = 0
        self._relative = 0.0
        self._days: list[date] = []
        self._form: list[FormPoint] = []
        self._session_places: list[int] = []
        self._round_places: list[int] = []
        self._met: dict[int, _Met] = defaultdict(_Met)
        self._games: dict[str, _Game] = {}
        self._win_run, self._front_run, self._week_run = _Run(), _Run(), _Run()
        self._achieved: dict[AchievementCode, Achievement] = {}
        self._beaten: set[int] = set()
        self._won_games: set[str] = set()

    def add(self, sitting: Sitting) -> None:
        """Add a sitting of the player, no earlier than those before it."""
        self._sessions += 1
        if code := _SESSIONS.get(self._sessions):
            self._achieve(code, sitting)
        self._attend(sitting.day)
        played: set[str] = set()
        for one in sitting.rounds:
            self._add_round(one, sitting, played)
        for game in played:
            self._games[game].sessions += 1
        place = sitting.places.get(self.player)
        if place is not None and len(sitting.places) > 1:
            self._add_place(place, sitting)

    def _attend(self, day: date) -> None:
        last = self._days[-1] if self._days else None
        self._days[1:] = [day]
        monday = day - timedelta(days=day.weekday())
        if last is None or (apart := monday - (last - timedelta(days=last.weekday()))) > timedelta(0):
            self._week_run.hit(day, goes_on=last is not None and apart == _WEEK)
        else:
            self._week_run.lengthen(day)

    def _add_round(self, one: Played, sitting: Sitting, played: set[str]) -> None:
        own = next((score for score in one.scores if score.player == self.player), None)
        if own is None:
            return
        known = self._known[one.game]
        game = self._games.setdefault(one.game, _Game(known.high_wins))
        played.add(one.game)
        self._rounds += 1
        game.rounds += 1
        if own.points is not None:
            game.note(own.points, sitting)
            if known.cooperative and one.game == "the-game" and own.points == 0:
                self._achieve("nothing_left", sitting)
        places = {score.player: score.place for score in one.scores if score.place is not None}
        if own.place is None or len(places) < 2:
            return
        _count_place(self._round_places, own.place)
        game.placed += 1
        game.relative += relative_places(places)[self.player]
        for other, place in places.items():
            if other != self.player:
                _meet(self._met[other].rounds, own.place, place)
        if own.place == 1:
            self._round_wins += 1
            game.wins += 1
            self._won_games.add(one.game)
            if self._won_games.issuperset(PURE_XXL):
                self._achieve("all_xxl_won", sitting)

    def _add_place(self, place: int, sitting: Sitting) -> None:
        places = sitting.places
        self._placed += 1
        self._relative += relative_places(places)[self.player]
        _count_place(self._session_places, place)
        self._form.append(
            {"session": sitting.session, "day": sitting.day.isoformat(), "place": place, "players": len(places)}
        )
        del self._form[:-FORM]
        for other, its in places.items():
            if other != self.player:
                _meet(self._met[other].sessions, place, its)
                if place < its:
                    self._beaten.add(other)
        if len(self._beaten) >= _MANY_OPPONENTS:
            self._achieve("ten_opponents", sitting)
        if place <= _FRONT and any(other > place for other in places.values()):
            self._front += 1
            self._front_run.hit(sitting.day)
        else:
            self._front_run.miss()
        if place > 1:
            self._win_run.miss()
            return
        self._wins += 1
        if self._win_run.hit(sitting.day) >= _ROW_OF_WINS:
            self._achieve("hat_trick", sitting)
        for code in _won_by(self.player, sitting):
            self._achieve(code, sitting)

    def _achieve(self, code: AchievementCode, sitting: Sitting) -> None:
        first: Achievement = {"code": code, "day": sitting.day.isoformat(), "session": sitting.session}
        self._achieved.setdefault(code, first)

    def figures(self) -> PlayerFigures | None:
        """The figures of all sittings so far; None without one."""
        if not self._days:
            return None
        opponents: list[Opponent] = [
            {"player": other, "sessions": _Met.told(met.sessions), "rounds": _Met.told(met.rounds)}
            for other, met in self._met.items()
        ]
        # Who was met most often comes first.
        opponents.sort(key=lambda one: (-one["sessions"]["met"], -one["rounds"]["met"], one["player"]))
        order = {key: number for number, key in enumerate(self._known)}
        return {
            "totals": {
                "sessions": self._sessions,
                "placed": self._placed,
                "wins": self._wins,
                "front": self._front,
                "relative": _mean(self._relative, self._placed),
                "rounds": self._rounds,
                "round_wins": self._round_wins,
                "first_day": self._days[0].isoformat(),
                "last_day": self._days[-1].isoformat(),
            },
            "form": list(self._form),
            "places": {"sessions": list(self._session_places), "rounds": list(self._round_places)},
            "opponents": opponents,
            "games": [
                {
                    "game": key,
                    "sessions": one.sessions,
                    "rounds": one.rounds,
                    "placed": one.placed,
                    "wins": one.wins,
                    "relative": _mean(one.relative, one.placed),
                    "best": one.best,
                    "worst": one.worst,
                }
                for key, one in sorted(self._games.items(), key=lambda item: order[item[0]])
            ],
            "streaks": {
                "wins": self._win_run.told(),
                "front": self._front_run.told(),
                "weeks": self._week_run.told(),
            },
            "achievements": list(self._achieved.values()),
        }


def _mean(total: float, count: int) -> float | None:
    return total / count if count else None


def _won_by(player: int, sitting: Sitting) -> Iterator[AchievementCode]:
    """What a win says beyond itself."""
    yield "first_win"
    if len(sitting.places) >= _BIG_TABLE:
        yield "table_of_six"
    others = [total for other, total in sitting.sums.items() if other != player and other in sitting.places]
    several = len(sitting.rounds) >= _SEVERAL_ROUNDS  # of a single one the next is always one behind
    if several and player in sitting.sums and others and min(others) - sitting.sums[player] == 1:
        yield "photo_finish"
    own = [score.place for one in sitting.rounds for score in one.scores if score.player == player]
    if (
        sitting.format == "pure_xxl"
        and sitting.is_complete
        and len(own) == len(sitting.rounds)
        and all(place == 1 for place in own)
    ):
        yield "perfect_evening"
    if _was_last_early(player, sitting):
        yield "comeback"


def _was_last_early(player: int, sitting: Sitting) -> bool:
    """Whether a player was last, or one of the last, after three rounds of a session that went on."""
    early = sitting.rounds[:_BEFORE_THE_COMEBACK]
    if len(sitting.rounds) <= _BEFORE_THE_COMEBACK:
        return False
    sums: dict[int, list[int]] = defaultdict(list)
    for one in early:
        for score in one.scores:
            if score.place is not None:
                sums[score.player].append(score.place)
    # Compared are those who played all three: fewer places add up to less.
    totals = {other: sum(places) for other, places in sums.items() if len(places) == len(early)}
    if player not in totals or len(totals) < _FEWEST_FOR_LAST:
        return False
    return totals[player] == max(totals.values()) > min(totals.values())


# --- Games ------------------------------------------------------------------------------------------------------------


class GameTally:
    """The figures of one game from its rounds, in the order in which they were played."""

    def __init__(self, game: GameInfo) -> None:
        self._game = game
        self._figures: GameFigures | None = None
        self._last_session: int | None = None

    def add(
        self, one: Played, *, session: int, day: date, holders: Callable[[int], bool] = lambda player: True
    ) -> None:
        """Add a round; `holders` says which players may hold a record."""
        told = day.isoformat()
        figures = self._figures
        if figures is None:
            figures = self._figures = _no_rounds(told)
        figures["rounds"] += 1
        figures["sessions"] += session != self._last_session
        self._last_session = session
        figures["last_day"] = max(figures["last_day"], told)
        size = str(len(one.scores))
        figures["tables"][size] = figures["tables"].get(size, 0) + 1

        def mark(points: int, players: Sequence[int]) -> RoundMark:
            return {
                "points": points,
                "times": 1,
                "day": told,
                "session": session,
                "round": one.number,
                "players": list(players),
            }

        scores = [(score.points, score.player) for score in one.scores if score.points is not None]
        own = [(points, player) for points, player in scores if holders(player)]
        if self._game.cooperative and scores:
            # One result for the whole table.
            own = scores[:1] if own else []
        if own:
            for name, points in (("highest", max(own)[0]), ("lowest", min(own)[0])):
                who = [player for its, player in (scores if self._game.cooperative else own) if its == points]
                self._keep(figures, name, mark(points, who))
        places = {score.player: score.place for score in one.scores if score.place is not None}
        self._seat(figures, one, places)
        if not self._game.cooperative and len(scores) == len(places) == len(one.scores):
            self._distances(figures, one, mark)

    def _distances(self, figures: GameFigures, one: Played, mark: Callable[[int, Sequence[int]], RoundMark]) -> None:
        ranked = sorted(one.scores, key=lambda score: (score.place or 0, score.player))
        points = [score.points or 0 for score in ranked]
        players = [score.player for score in ranked]
        if len(ranked) >= _FEWEST_FOR_LAST:
            self._keep(figures, "closest", mark(abs(points[0] - points[-1]), players))
        if len(ranked) > 1 and ranked[1].place != 1:
            self._keep(figures, "clearest", mark(abs(points[0] - points[1]), players[:1]))

    @staticmethod
    def _seat(figures: GameFigures, one: Played, places: Mapping[int, int]) -> None:
        relative = relative_places(places)
        for score in one.scores:
            if score.seat is None or score.player not in relative:
                continue
            key, value = str(score.seat), relative[score.player]
            sums = figures["seats"].setdefault(key, {"rounds": 0, "total": 0.0, "squares": 0.0})
            sums["rounds"] += 1
            sums["total"] += value
            sums["squares"] += value * value

    @staticmethod
    def _keep(figures: GameFigures, name: str, new: RoundMark) -> None:
        figures[name] = _better(name, figures[name], new)  # type: ignore[literal-required]  # one of _MARKS

    def figures(self) -> GameFigures | None:
        """The figures of all rounds so far; None without one."""
        return self._figures


_MARKS = ("highest", "lowest", "closest", "clearest")
_HIGH_MARKS = {"highest", "clearest"}


def _no_rounds(day: str) -> GameFigures:
    return {
        "rounds": 0,
        "sessions": 0,
        "first_day": day,
        "last_day": day,
        "highest": None,
        "lowest": None,
        "closest": None,
        "clearest": None,
        "tables": {},
        "seats": {},
    }


def _better(name: str, one: RoundMark | None, other: RoundMark | None) -> RoundMark | None:
    """Which of two marks stands: the farther one, the earlier of equal ones, both counted."""
    if one is None or other is None:
        return one or other
    if one["points"] == other["points"]:
        first = min(one, other, key=lambda mark: (mark["day"], mark["session"], mark["round"]))
        return {**first, "times": one["times"] + other["times"]}
    return max(one, other, key=lambda mark: mark["points"] if name in _HIGH_MARKS else -mark["points"])


def merged(parts: Iterable[GameFigures]) -> GameFigures | None:
    """The figures of all parts together, each of other sessions; None for none."""
    whole: GameFigures | None = None
    for part in parts:
        if whole is None:
            whole = _no_rounds(part["first_day"])
        whole["rounds"] += part["rounds"]
        whole["sessions"] += part["sessions"]
        whole["first_day"] = min(whole["first_day"], part["first_day"])
        whole["last_day"] = max(whole["last_day"], part["last_day"])
        for name in _MARKS:
            whole[name] = _better(name, whole[name], part[name])  # type: ignore[literal-required]  # one of _MARKS
        for size, count in part["tables"].items():
            whole["tables"][size] = whole["tables"].get(size, 0) + count
        for seat, sums in part["seats"].items():
            old = whole["seats"].get(seat, {"rounds": 0, "total": 0.0, "squares": 0.0})
            whole["seats"][seat] = {
                "rounds": old["rounds"] + sums["rounds"],
                "total": old["total"] + sums["total"],
                "squares": old["squares"] + sums["squares"],
            }
    return whole


# A seat is judged from so many rounds on.
FEWEST_ROUNDS = 10


@dataclass(frozen=True, slots=True)
class SeatFigure:
    """How a seat does: its mean relative place in so many rounds, and the standard error of the mean.

    `seat` counts from 0. `error` is None for a single round, which says nothing of how far results spread.
    """

    seat: int
    rounds: int
    relative: float
    error: float | None

    @property
    def differs(self) -> bool:
        """Whether the mean is farther from the even 1/2 than twice its error: by chance one seat in twenty is.

        False below `FEWEST_ROUNDS`: few rounds spread too little to tell their error, and two alike have none.
        """
        if self.error is None or self.rounds < FEWEST_ROUNDS:
            return False
        return abs(self.relative - 0.5) > 2 * self.error


def seat_figures(seats: Mapping[str, SeatSums]) -> tuple[SeatFigure, ...]:
    """The seats in their order. The error is the deviation of the sample (n - 1) by the root of the rounds."""
    found = []
    for seat, sums in sorted(seats.items(), key=lambda item: int(item[0])):
        count = sums["rounds"]
        mean = sums["total"] / count
        error = None
        if count > 1:
            # Not below 0 by rounding, where all are equal.
            variance = max(sums["squares"] - count * mean * mean, 0.0) / (count - 1)
            error = math.sqrt(variance / count)
        found.append(SeatFigure(int(seat), count, mean, error))
    return tuple(found)


# --- The best of a club -----------------------------------------------------------------------------------------------


class Leader(TypedDict):
    """One of the best at something; `since` and `until` are days, "" where there are none."""

    player: int
    value: float
    since: str
    until: str


def leaders(entries: Iterable[Leader], *, most: int, lowest: bool = False) -> list[Leader]:
    """The best so many, those equal to the last of them included up to twice as many; the earlier ones first."""
    ranked = sorted(
        (entry for entry in entries if lowest or entry["value"] > 0),
        key=lambda one: (one["value"] if lowest else -one["value"], one["since"], one["player"]),
    )
    last = ranked[min(most, len(ranked)) - 1]["value"] if ranked else 0
    return [one for place, one in enumerate(ranked[: 2 * most]) if place < most or one["value"] == last]
