"""What is given of a session, and whether it can be: checked whole before anything is written.

Terms: an *input* is what a client or form gave, as a typed value; *seated* is a seat whose player was found; a
*scored round* passed all checks and has its places. Promises: every problem found names the place in the input by its
path. Never: writes.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import cast

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.catalog import GAMES, GameInfo
from league.models import Club, Player, Season, SessionFormat, SessionStatus
from league.scoring import problems as codes
from league.scoring import rounds as round_scoring
from league.scoring import sessions as session_scoring
from league.scoring.sessions import Format, PlayedRound
from league.services import games
from league.services.clubs import is_text
from league.services.errors import InputError, NeedsConfirmation, Path, Problem, not_a_choice, out_of_range
from league.services.players import PlayerRef
from league.services.wording import sentence

# A season's id, or "league-slug/season-slug".
SeasonRef = int | str

# Far beyond any table, and within what every column holds.
MAXIMUM_SEAT = 99
MAXIMUM_ROUNDS = 1000
MAXIMUM_POINTS = 100_000

_FORMATS = frozenset(SessionFormat.values)
_STATUSES = frozenset(SessionStatus.values)
_OF_ANY_GAME = frozenset({SessionFormat.SINGLE_GAME, SessionFormat.SERIES})
# The most that sit at a game of the catalogue, which nearly every table keeps to.
_LARGEST = max(game.max_players for game in GAMES.values())
_LARGEST_OF_XXL = max(game.max_players for game in GAMES.values() if game.family == "xxl")


@dataclass(frozen=True, slots=True)
class SeatInput:
    """Who sits where: `seat` clockwise from 0 (None: the index in the list), for which rounds (from 1, inclusive)."""

    player: PlayerRef
    seat: int | None = None
    from_round: int = 1
    until_round: int | None = None


@dataclass(frozen=True, slots=True)
class ScoreInput:
    """A player's points, place, or both."""

    player: PlayerRef
    points: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class RoundInput:
    """One game as it was played, by its key; `note` is one of the catalogue's for that game."""

    game: str
    scores: tuple[ScoreInput, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class SessionInput:
    """A session: whole (`status` complete or incomplete) or so far (open); `table` is a tournament table's id."""

    format: str
    played_on: date
    players: tuple[SeatInput, ...]
    season: SeasonRef | None = None
    repeats: int = 1
    planned_rounds: int | None = None
    location: str = ""
    comment: str = ""
    rounds: tuple[RoundInput, ...] = ()
    status: str = SessionStatus.OPEN
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat with its player found."""

    player: Player
    number: int
    from_round: int
    until_round: int | None

    def plain(self) -> session_scoring.Seat:
        """The seat as `league/scoring` takes it."""
        return session_scoring.Seat(self.player.pk, self.number, self.from_round, self.until_round)

    def plays(self, round_number: int) -> bool:
        """Whether the player sits here in the round of that number (from 1)."""
        return self.plain().holds(round_number)


@dataclass(frozen=True, slots=True)
class ScoredRound:
    """A round that passed all checks: (player, points, place) in the order given, and the warnings confirmed."""

    number: int
    game: str
    note: str
    scores: tuple[tuple[Player, int | None, int | None], ...]
    warnings: tuple[Problem, ...]

    def played(self) -> PlayedRound:
        """The round as `league/scoring` takes it."""
        places = {player.pk: place for player, _points, place in self.scores if place is not None}
        points = {player.pk: points for player, points, _place in self.scores if points is not None}
        return PlayedRound(number=self.number, game=self.game, places=places, points=points)


def references(data: SessionInput) -> Iterable[tuple[Path, PlayerRef]]:
    """Every place of the input that names a player."""
    for index, seat in enumerate(data.players):
        yield ("players", index, "player"), seat.player
    for number, one in enumerate(data.rounds):
        for index, score in enumerate(one.scores):
            yield ("rounds", number, "scores", index, "player"), score.player


def games_of(data: SessionInput) -> Iterable[tuple[Path, str]]:
    """Every place of the input that names a game."""
    for number, one in enumerate(data.rounds):
        yield ("rounds", number, "game"), one.game


def check_shape(data: SessionInput) -> None:
    """Raise InputError, naming every such field, for numbers and texts that are too large for any session."""
    problems = []
    for field, text, maximum in (("location", data.location, 100), ("comment", data.comment, 500)):
        if len(text) > maximum:
            message = _("Give at most %(maximum)d characters.") % {"maximum": maximum}
            problems.append(Problem((field,), "too_long", message))
        elif not is_text(text):
            problems.append(Problem((field,), "invalid", _("Give one line of text without control characters.")))
    if data.planned_rounds is not None:
        problems += out_of_range(("planned_rounds",), data.planned_rounds, 1, MAXIMUM_ROUNDS)
    for index, seat in enumerate(data.players):
        if seat.seat is not None:
            problems += out_of_range(("players", index, "seat"), seat.seat, 0, MAXIMUM_SEAT)
        problems += out_of_range(("players", index, "from_round"), seat.from_round, 1, MAXIMUM_ROUNDS)
        if seat.until_round is not None:
            problems += out_of_range(("players", index, "until_round"), seat.until_round, 1, MAXIMUM_ROUNDS)
    if problems:
        raise InputError(problems)


def check_date(played_on: date, season: Season | None, now: datetime, *, club: Club) -> None:
    """Raise InputError for a day that has not begun at the club's tables, or is outside the season."""
    today = club.local_date(now)
    if played_on > today:
        message = _("Give a day up to today, which is %(today)s in the club's time zone, %(zone)s.")
        params = {"today": date_format(today, "SHORT_DATE_FORMAT"), "zone": club.time_zone}
        raise InputError([Problem(("played_on",), "in_the_future", message % params)])
    if season is not None and (
        played_on < season.starts_on or (season.ends_on is not None and played_on > season.ends_on)
    ):
        message = _("Give a day within the season: from %(start)s to %(end)s.")
        end = date_format(season.ends_on, "SHORT_DATE_FORMAT") if season.ends_on else "…"
        span = {"start": date_format(season.starts_on, "SHORT_DATE_FORMAT"), "end": end}
        raise InputError([Problem(("played_on",), "outside_season", message % span)])


def seats_of(data: SessionInput, players: Mapping[PlayerRef, Player]) -> list[Seated]:
    """The seats of the input. Raises InputError for a table where two sit on one seat, or one on two."""
    seats = [
        Seated(
            player=players[seat.player],
            number=index if seat.seat is None else seat.seat,
            from_round=seat.from_round,
            until_round=seat.until_round,
        )
        for index, seat in enumerate(data.players)
    ]
    if not seats:
        raise InputError([Problem(("players",), "required", _("Name the players in seat order, at least one."))])
    problems = []
    twice = set()
    for index, seat in enumerate(seats):
        own = [earlier for earlier in seats[:index] if earlier.player == seat.player]
        if any(seat.plain().first_shared(earlier.plain()) for earlier in own):
            twice.add(index)
            message = _("“%(player)s” is named twice: a player sits at a table once.") % {"player": seat.player.name}
            problems.append(Problem(("players", index, "player"), "player_twice", message))
    for problem in session_scoring.seat_problems(plain(seats)):
        if problem.index in twice:
            continue  # told already, and more plainly
        path: Path = ("players",) if problem.index is None else ("players", problem.index, "seat")
        problems.append(Problem(path, problem.code, sentence(problem.code, problem.params)))
    if problems:
        raise InputError(problems)
    return seats


def check_table(format_: str, count: int, *, club: Club, path: Path) -> None:
    """Raise InputError when no game of the format takes so many players at once.

    Too few may still become enough: others join before the first round.
    """
    any_game = format_ in _OF_ANY_GAME
    if count <= (_LARGEST if any_game else _LARGEST_OF_XXL):
        return
    if any_game:
        fitting = list(games.available(club=club).values())
    else:
        fitting = [game for game in GAMES.values() if game.family == "xxl"]
    maximum = max(game.max_players for game in fitting)
    if count > maximum:
        params = {"minimum": min(game.min_players for game in fitting), "maximum": maximum, "count": count}
        raise InputError([Problem(path, "players_out_of_range", sentence("players_out_of_range", params))])


def plain(seats: Iterable[Seated]) -> list[session_scoring.Seat]:
    """The seats as `league/scoring` takes them."""
    return [one.plain() for one in seats]


def check_plan(
    format_: str,
    played: Sequence[str],
    *,
    known: Mapping[str, GameInfo],
    repeats: int,
    planned: int | None,
    players: int,
    adding: bool = False,
) -> tuple[int, list[Problem]]:
    """The number of planned rounds and the warnings of the plan, for the games `played` so far, all of them `known`.

    `adding`: only the last game was given just now.
    """
    if format_ not in _FORMATS:
        raise InputError([not_a_choice(("format",), "unknown_format", SessionFormat.values)])
    own = {SessionFormat.PURE_XXL: 6 * repeats, SessionFormat.SINGLE_GAME: 1}.get(SessionFormat(format_))
    if own is not None and planned not in {None, own}:
        message = _("This format has %(planned)d rounds: leave the number out or give it so.") % {"planned": own}
        raise InputError([Problem(("planned_rounds",), "planned_fixed", message)])
    errors, warnings = session_scoring.plan_problems(
        cast(Format, format_), played, repeats=repeats, planned=planned, players=players, known=known
    )

    def word(problem: codes.Problem) -> Problem:
        path: Path = ({"planned": "planned_rounds"}.get(problem.field, problem.field),)
        if problem.index is not None or (adding and problem.field == "rounds"):
            path = _game_path(problem.index or 0, adding=adding)
        return Problem(path, problem.code, sentence(problem.code, problem.params, known))

    if errors:
        raise InputError(word(problem) for problem in errors)
    rounds = own if own is not None else planned
    if rounds is None:
        raise InputError([Problem(("planned_rounds",), "planned_required", sentence("planned_required", {}))])
    return rounds, [word(problem) for problem in warnings]


def _game_path(index: int, *, adding: bool) -> Path:
    return ("game",) if adding else ("rounds", index, "game")


def score(
    data: RoundInput,
    number: int,
    seats: Sequence[Seated],
    players: Mapping[PlayerRef, Player],
    *,
    game: GameInfo,
    path: Path,
) -> ScoredRound:
    """Check who plays `game` and what they scored. Raises InputError with every problem of the round."""
    expected = {seat.player.pk: seat.player for seat in seats if seat.plays(number)}
    problems = []
    seen: set[int] = set()
    for index, score in enumerate(data.scores):
        player = players[score.player]
        where: Path = (*path, "scores", index, "player")
        if player.pk in seen:
            message = _("“%(player)s” is named twice in this round.") % {"player": player.name}
            problems.append(Problem(where, "player_twice", message))
        elif player.pk not in expected:
            problems.append(Problem(where, "not_seated", sentence("not_seated", {"round": number})))
        seen.add(player.pk)
    missing = [player.name for pk, player in expected.items() if pk not in seen]
    if missing:
        message = _("Scores are missing for: %(players)s.") % {"players": ", ".join(missing)}
        problems.append(Problem((*path, "scores"), "player_missing", message))
    if problems:
        raise InputError(problems)
    entries = [round_scoring.Entry(points=score.points, place=score.place) for score in data.scores]

    def word(problem: codes.Problem) -> Problem:
        # What is wrong with the scores as a whole stands at their list: a round has no "points" of its own.
        where: Path = (*path, "scores" if problem.field in {"points", "place"} else problem.field)
        if problem.index is not None:
            where = (*path, "scores", problem.index, problem.field)
        return Problem(where, problem.code, sentence(problem.code, problem.params))

    try:
        result = round_scoring.score_round(game, entries, note=data.note)
    except codes.ScoringError as error:
        raise InputError(word(problem) for problem in error.problems) from error
    # Not every game has limits of its own.
    too_large = [
        word(codes.Problem("points_above", "points", index, {"maximum": MAXIMUM_POINTS}))
        if points > 0
        else word(codes.Problem("points_below", "points", index, {"minimum": -MAXIMUM_POINTS}))
        for index, points in enumerate(entry.points for entry in entries)
        if points is not None and abs(points) > MAXIMUM_POINTS
    ]
    if too_large:
        raise InputError(too_large)
    return ScoredRound(
        number=number,
        game=data.game,
        note=data.note,
        scores=tuple(
            (players[score.player], score.points, place)
            for score, place in zip(data.scores, result.places, strict=True)
        ),
        warnings=tuple(word(problem) for problem in result.warnings),
    )


def check_status(status: str, played: int, planned: int) -> None:
    """Raise InputError where the status and the number of rounds contradict each other."""
    problem = None
    if status not in _STATUSES:
        problem = not_a_choice(("status",), "unknown_status", SessionStatus.values)
    elif status == SessionStatus.COMPLETE and played < planned:
        message = _("Only %(played)d of %(planned)d rounds are given: say “incomplete” for a session ended early.")
        problem = Problem(("status",), "rounds_missing", message % {"played": played, "planned": planned})
    elif status == SessionStatus.INCOMPLETE and played == planned:
        message = _("All %(planned)d planned rounds are given: the session is complete.") % {"planned": planned}
        problem = Problem(("status",), "all_rounds_given", message)
    elif status == SessionStatus.INCOMPLETE and played == 0:
        problem = Problem(("status",), "no_rounds", _("A session without a round can't be ended."))
    if problem is not None:
        raise InputError([problem])


def confirmed_codes(warnings: Sequence[Problem], confirm: Collection[str]) -> set[str]:
    """The codes that were confirmed. Raises NeedsConfirmation with all warnings that were not."""
    known = {code for code, entry in codes.CODES.items() if entry.kind == "warning"} | {
        "ends_early",
        "possible_duplicate",
    }
    unknown = sorted(set(confirm) - known)
    if unknown:
        message = _("“%(code)s” is no code of a warning. Known: %(known)s.")
        raise InputError(
            Problem(("confirm",), "unknown_code", message % {"code": code, "known": ", ".join(sorted(known))})
            for code in unknown
        )
    open_warnings = [warning for warning in warnings if warning.code not in confirm]
    if open_warnings:
        raise NeedsConfirmation(open_warnings)
    return set(confirm)
