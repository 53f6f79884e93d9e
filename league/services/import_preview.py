"""What an import would do: whom the names of a file mean, which games, and what becomes of every play.

Terms: a *match* is a name of the file with what is decided of it; *undecided* is one on which a person has to speak;
the *fate* of a play is what becomes of it: `ready` (it will be stored), `imported` (it is here from this source
already), `duplicate` (the same result is here from elsewhere), `skipped` (by decision), `undecided`, `problem`.

Promises: every play has exactly one fate; a play is ready only if it passed the checks of `league/services/evenings`.
Never: writes.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from difflib import get_close_matches
from typing import Any

from games.catalog import GameInfo
from league.exchange.plays import FileGame, FileProblem, Play, PlayFile
from league.models import (
    Club,
    ClubGame,
    ImportMark,
    Player,
    PlayerKind,
    ScoredBy,
    Season,
    Session,
    SessionFormat,
    SessionStatus,
    name_key,
)
from league.scoring.sessions import PURE_XXL
from league.services import evenings, games
from league.services import session_rows as rows
from league.services.errors import InputError, Problem, ServiceError
from league.services.evenings import RoundInput, ScoredRound, ScoreInput, SeatInput, SessionInput
from league.services.players import PlayerRef

FATES = ("ready", "imported", "duplicate", "skipped", "undecided", "problem")
NEW, SKIP = "new", "skip"
# How alike two names have to be, from 0 to 1, to be shown as perhaps the same.
_ALIKE = 0.75
_SUGGESTIONS = 3
# Under the limit of variables that SQLite takes in one statement.
_BATCH = 500
# What a new game takes when nothing else is known: any table a form can hold.
_MOST_PLAYERS = 6


# --- Decisions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayerDecision:
    """What a name means: an existing player's id, `new` or `skip` (the plays with that name are left out)."""

    action: str
    player: int | None = None


@dataclass(frozen=True, slots=True)
class GameDecision:
    """What a game's name means: the key of a game, `new` (an own game of the club) or `skip`."""

    action: str
    game: str = ""
    high_wins: bool | None = None
    cooperative: bool | None = None


@dataclass(frozen=True, slots=True)
class Decisions:
    """What was decided, by the compared form of each name.

    `repeated` says of plays that stand for several: `once` (stored as one), `skip`, "" (not decided yet);
    `duplicates` whether what is here from elsewhere is stored once more: `skip` or `import`.
    """

    players: Mapping[str, PlayerDecision] = field(default_factory=dict)
    games: Mapping[str, GameDecision] = field(default_factory=dict)
    repeated: str = ""
    duplicates: str = SKIP

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "Decisions":
        """From what is stored."""
        return cls(
            players={key: PlayerDecision(**one) for key, one in stored.get("players", {}).items()},
            games={key: GameDecision(**one) for key, one in stored.get("games", {}).items()},
            repeated=stored.get("repeated", ""),
            duplicates=stored.get("duplicates", SKIP),
        )

    def plain(self) -> dict[str, Any]:
        """To be stored as JSON."""
        return {
            "players": {key: {"action": one.action, "player": one.player} for key, one in self.players.items()},
            "games": {
                key: {
                    "action": one.action,
                    "game": one.game,
                    "high_wins": one.high_wins,
                    "cooperative": one.cooperative,
                }
                for key, one in self.games.items()
            },
            "repeated": self.repeated,
            "duplicates": self.duplicates,
        }


# --- Matching ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayerMatch:
    """A name of the file: in how many plays, and what is decided ("": nothing yet) or follows by itself."""

    name: str
    plays: int
    action: str
    player: Player | None
    suggestions: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class GameMatch:
    """A game of the file; `high_wins` None where nobody said which score wins."""

    name: str
    plays: int
    action: str
    game: GameInfo | None
    suggestions: tuple[GameInfo, ...]
    high_wins: bool | None
    cooperative: bool
    by_places: bool
    most_players: int

    def info(self) -> GameInfo | None:
        """The game to score by; for a new one as it will be made. None where there is none yet."""
        if self.action == NEW and self.high_wins is not None:
            return ClubGame(key="", **self.fields(), name=self.name).info()
        return self.game if self.action == "game" else None

    def fields(self) -> dict[str, Any]:
        """The values of a new game besides its key and name."""
        return {
            "min_players": 1,
            "max_players": max(_MOST_PLAYERS, self.most_players),
            "scored_by": ScoredBy.PLACES if self.by_places and not self.cooperative else ScoredBy.POINTS,
            "high_wins": bool(self.high_wins),
            "cooperative": self.cooperative,
        }


def match_players(club: Club, file: PlayFile, decisions: Decisions) -> dict[str, PlayerMatch]:
    """What each name of the file means, by its compared form, the most frequent first."""
    names: dict[str, str] = {}
    plays: Counter[str] = Counter()
    for play in file.plays:
        keys = {name_key(name): name for name in play.players}
        plays.update(keys.keys())
        for key, name in keys.items():
            names.setdefault(key, name)
    known = {
        player.name_key: player
        for player in Player.objects.filter(club=club, erased_at=None).select_related("merged_into")
    }
    by_id = {player.pk: player for player in known.values()}
    people = {
        key: player
        for key, player in known.items()
        if player.kind == PlayerKind.PERSON and player.merged_into_id is None and player.archived_at is None
    }
    found: dict[str, PlayerMatch] = {}
    for key, count in plays.most_common():
        decision = decisions.players.get(key)
        suggestions: tuple[Player, ...] = ()
        exact = known.get(key)
        if decision is not None:
            action = decision.action
            player = by_id.get(decision.player or 0)
            if action == "player" and player is None:
                action = ""  # gone since it was decided
        elif exact is not None:
            action, player = "player", exact
        else:
            suggestions = tuple(people[one] for one in _alike(key, people))
            action, player = ("" if suggestions else NEW), None
        if player is not None:
            player = player.merged_into or player
        found[key] = PlayerMatch(names[key], count, action, player, suggestions)
    return found


def _alike(key: str, known: Mapping[str, object]) -> list[str]:
    """Keys that are perhaps the same: of nearly the same letters, or of the same first word."""
    close = get_close_matches(key, known, _SUGGESTIONS, _ALIKE)
    first = key.split(" ", maxsplit=1)[0]
    same = [other for other in known if first == other.split(" ")[0] and first in {other, key}]
    return list(dict.fromkeys([*close, *same]))[:_SUGGESTIONS]


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum() or letter == "+")


def _names(game: GameInfo) -> Iterator[str]:
    """All that a game may be called in a file."""
    yield from (game.key, game.name, *game.titles.values())
    if game.family == "xxl":
        number = game.key.removeprefix("xxl-").replace("-plus", "+")
        yield from (number, f"XXL {number}", f"Spiel {number}", f"Game {number}")
        for title in (game.name, *game.titles.values()):
            yield from (f"XXL {number} {title}", f"{number} {title}")


def match_games(club: Club, file: PlayFile, decisions: Decisions) -> dict[str, GameMatch]:
    """What each game of the file means, by the compared form of its name, the most frequent first."""
    known = games.available(club=club)
    by_name: dict[str, GameInfo] = {}
    for game in known.values():
        for name in _names(game):
            by_name.setdefault(_plain(name), game)
    plays: Counter[str] = Counter()
    most: dict[str, int] = defaultdict(int)
    for play in file.plays:
        plays.update({one.game for one in play.rounds})
        for one in play.rounds:
            most[one.game] = max(most[one.game], len(one.scores))
    found: dict[str, GameMatch] = {}
    for name, count in plays.most_common():
        told = file.games.get(name) or FileGame(name)
        key = name_key(name)
        if key not in found:
            found[key] = _game_match(
                told,
                plays=count,
                most_players=most[name],
                decision=decisions.games.get(key),
                known=known,
                by_name=by_name,
            )
    return found


def _game_match(
    told: FileGame,
    *,
    plays: int,
    most_players: int,
    decision: GameDecision | None,
    known: Mapping[str, GameInfo],
    by_name: Mapping[str, GameInfo],
) -> GameMatch:
    action, game = "", None
    suggestions: tuple[GameInfo, ...] = ()
    high_wins, cooperative = told.high_wins, told.cooperative
    if decision is not None:
        action, game = decision.action, known.get(decision.game)
        if action == "game" and game is None:
            action = ""  # gone since it was decided
        if decision.high_wins is not None:
            high_wins = decision.high_wins
        if decision.cooperative is not None:
            cooperative = decision.cooperative
    else:
        exact = next((by_name[_plain(one)] for one in (told.name, *told.also[:1]) if _plain(one) in by_name), None)
        if exact is not None:
            action, game = "game", exact
        else:
            close = [near for one in (told.name, *told.also) for near in get_close_matches(_plain(one), by_name)]
            suggestions = tuple({by_name[one].key: by_name[one] for one in close}.values())[:_SUGGESTIONS]
    return GameMatch(
        name=told.name,
        plays=plays,
        action=action,
        game=game,
        suggestions=suggestions,
        high_wins=high_wins,
        cooperative=cooperative,
        by_places=told.by_places,
        most_players=most_players,
    )


# --- From a play to a session -----------------------------------------------------------------------------------------


class CanNotBe(Exception):
    """A play that fits no format; `code` is one of `import_words.OWN`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def session_input(
    play: Play,
    *,
    players: Mapping[str, int],
    keys: Mapping[str, str],
    known: Mapping[str, GameInfo],
    season: int | None,
) -> SessionInput:
    """A play as the service for results takes it. `players` are ids and `keys` of games by their compared names.

    Raises CanNotBe.
    """
    played = [keys[name_key(one.game)] for one in play.rounds]
    format_, planned = _plan(play, played, known)
    rounds = tuple(
        RoundInput(
            game,
            tuple(ScoreInput(players[name_key(score.player)], score.points, score.place) for score in one.scores),
            one.note,
        )
        for game, one in zip(played, play.rounds, strict=True)
    )
    repeats = 2 if format_ == SessionFormat.PURE_XXL and max(Counter(played).values()) > 1 else 1
    total = 6 * repeats if format_ == SessionFormat.PURE_XXL else planned or 1
    return SessionInput(
        format=format_,
        played_on=play.day,
        players=tuple(_seats(play, players)),
        season=season,
        repeats=repeats,
        planned_rounds=planned,
        location=play.location,
        comment=play.comment,
        rounds=rounds,
        status=SessionStatus.COMPLETE if len(rounds) >= total else SessionStatus.INCOMPLETE,
    )


def _plan(play: Play, played: Sequence[str], known: Mapping[str, GameInfo]) -> tuple[SessionFormat, int | None]:
    """The format, as the file says or else as the games show it, and the planned rounds where they are not fixed."""
    if play.format:
        format_ = SessionFormat(play.format)
    elif set(played) == set(PURE_XXL) and max(Counter(played).values()) == min(Counter(played).values()) <= 2:
        format_ = SessionFormat.PURE_XXL
    elif len(played) == 1:
        format_ = SessionFormat.SINGLE_GAME
    elif all(known[game].family == "xxl" for game in played):
        format_ = SessionFormat.INDIVIDUAL_XXL
    elif len(set(played)) == 1:
        format_ = SessionFormat.SERIES
    else:
        raise CanNotBe("other_games")
    if format_ in {SessionFormat.PURE_XXL, SessionFormat.SINGLE_GAME}:
        return format_, None
    return format_, max(play.planned or 0, len(played))


def _seats(play: Play, players: Mapping[str, int]) -> Iterator[SeatInput]:
    """Who sat where: for each player every run of rounds in which there is a score."""
    last = len(play.rounds)
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(play.rounds, start=1):
        for score in one.scores:
            numbers[score.player].append(number)
    for index, name in enumerate(play.players):
        seat, own = play.seats.get(name, index), numbers[name]
        start = 0
        for at, number in enumerate(own):
            if at + 1 == len(own) or own[at + 1] != number + 1:
                until = None if number == last else number
                yield SeatInput(players[name_key(name)], seat, own[start], until)
                start = at + 1


# --- The preview ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told:
    """A problem of a play or of the file: a code with its parameters, or a sentence that a service said."""

    line: int | None
    code: str
    params: Mapping[str, int | str]
    is_error: bool
    message: str = ""

    @classmethod
    def of_file(cls, problem: FileProblem) -> "Told":
        return cls(problem.line, problem.code, problem.params, problem.is_error)

    @classmethod
    def of_service(cls, line: int, error: ServiceError) -> "Iterator[Told]":
        """What a service refused of a play."""
        found: Sequence[Problem] = getattr(error, "problems", ()) or getattr(error, "warnings", ())
        for one in found:
            yield cls(line, one.code, {}, True, one.message)
        if not found:
            yield cls(line, str(getattr(error, "code", "refused")), {}, True, str(getattr(error, "message", error)))


@dataclass(slots=True)
class Preview:
    """All of it: matches, the fate of each play in the file's order, and problems by line."""

    file: PlayFile
    players: dict[str, PlayerMatch]
    games: dict[str, GameMatch]
    decisions: Decisions
    fates: list[str]
    problems: list[Told]
    repeated: int

    def ready(self) -> Iterator[Play]:
        """The plays that will be stored."""
        return (play for play, fate in zip(self.file.plays, self.fates, strict=True) if fate == "ready")

    def undecided_players(self) -> list[PlayerMatch]:
        return [one for one in self.players.values() if not one.action]

    def undecided_games(self) -> list[GameMatch]:
        """Games of which nobody said what they are, or of a new one which score wins."""
        return [one for one in self.games.values() if not one.action or (one.action == NEW and one.info() is None)]


def look(
    *,
    club: Club,
    file: PlayFile,
    decisions: Decisions,
    season: Season | None,
    now: datetime,
    batch_id: int | None = None,
    tick: Callable[[], None] = lambda: None,
) -> Preview:
    """What an import of the file would do. `batch_id` is the import's own: what it stored is no duplicate to it.

    `tick` is called for every play, since a large file takes its time.
    """
    players = match_players(club, file, decisions)
    own_games = match_games(club, file, decisions)
    problems = [Told.of_file(problem) for problem in file.problems]
    for one in own_games.values():
        said = file.games.get(one.name)
        if one.game is not None and said is not None and said.high_wins not in {None, one.game.high_wins}:
            problems.append(Told(None, "direction_differs", {"game": one.name}, False))
    marked = _marked(club, file)
    judge = _Judge(club=club, players=players, own_games=own_games, decisions=decisions, season=season, now=now)
    fates = []
    for play in file.plays:
        fates.append("imported" if play.external_id in marked else judge.fate(play, problems))
        tick()
    _find_duplicates(file=file, fates=fates, judge=judge, problems=problems, batch_id=batch_id)
    problems.sort(key=lambda problem: problem.line or 0)
    return Preview(
        file=file,
        players=players,
        games=own_games,
        decisions=decisions,
        fates=fates,
        problems=problems,
        repeated=sum(play.quantity > 1 and play.external_id not in marked for play in file.plays),
    )


def _marked(club: Club, file: PlayFile) -> set[str]:
    """Which of the plays are here from this source."""
    ids = [play.external_id for play in file.plays]
    marks = ImportMark.objects.filter(club=club, source=file.source)
    return {
        one
        for start in range(0, len(ids), _BATCH)
        for one in marks.filter(external_id__in=ids[start : start + _BATCH]).values_list("external_id", flat=True)
    }


class _Judge:
    """Says what becomes of plays that are not here yet."""

    def __init__(
        self,
        *,
        club: Club,
        players: Mapping[str, PlayerMatch],
        own_games: Mapping[str, GameMatch],
        decisions: Decisions,
        season: Season | None,
        now: datetime,
    ) -> None:
        self.club, self.decisions, self.season, self.now = club, decisions, season, now
        self.players, self.games = players, own_games
        # New players have no id yet: numbers below 0 stand for them, which no player has.
        self.ids = {
            key: one.player.pk if one.player is not None else -1 - index
            for index, (key, one) in enumerate(players.items())
        }
        self.people: dict[PlayerRef, Player] = {
            self.ids[key]: one.player if one.player is not None else Player(pk=self.ids[key], name=one.name)
            for key, one in players.items()
        }
        self.known: dict[str, GameInfo] = {}
        self.keys: dict[str, str] = {}
        for key, game in own_games.items():
            info = game.info()
            if info is not None:
                self.keys[key] = info.key or f"new {key}"
                self.known[self.keys[key]] = info
        self.digests: dict[str, tuple[str, bool]] = {}

    def fate(self, play: Play, problems: list[Told]) -> str:
        """The fate of a play, whatever is stored; what is wrong with it goes to `problems`."""
        actions = {self.players[name_key(name)].action for name in play.players}
        needed = {name_key(one.game) for one in play.rounds}
        actions |= {self.games[key].action for key in needed}
        if SKIP in actions or (play.quantity > 1 and self.decisions.repeated == SKIP):
            return "skipped"
        if "" in actions or not needed <= self.keys.keys() or (play.quantity > 1 and not self.decisions.repeated):
            return "undecided"
        try:
            self._check(play, problems)
        except CanNotBe as refused:
            problems.append(Told(play.line, refused.code, {}, True))
        except InputError as error:
            problems.extend(Told.of_service(play.line, error))
        else:
            return "ready"
        return "problem"

    def _check(self, play: Play, problems: list[Told]) -> None:
        """Raise InputError or CanNotBe for what `results.record` would refuse."""
        data = session_input(play, players=self.ids, keys=self.keys, known=self.known, season=None)
        evenings.check_shape(data)
        evenings.check_date(data.played_on, self.season, self.now, club=self.club)
        seats = evenings.seats_of(data, self.people)
        planned, _warnings = evenings.check_plan(
            data.format,
            [one.game for one in data.rounds],
            known=self.known,
            repeats=data.repeats,
            planned=data.planned_rounds,
            players=max(1, sum(seat.from_round == 1 for seat in seats)),
        )
        scored = [
            evenings.score(one, number, seats, self.people, game=self.known[one.game], path=("rounds", number - 1))
            for number, one in enumerate(data.rounds, start=1)
        ]
        evenings.check_status(data.status, len(scored), planned)
        if play.winners and not self._won(play, scored):
            problems.append(Told(play.line, "winner_differs", {}, False))
        if min(self.ids[name_key(name)] for name in play.players) > 0:
            by_points = any(points is not None for one in scored for _player, points, _place in one.scores)
            self.digests[play.external_id] = (rows.digest(seats, scored), by_points)

    def _won(self, play: Play, scored: Sequence[ScoredRound]) -> bool:
        """Whether those who won by the scores are those whom the file calls winners."""
        first = {player.pk for player, _points, place in scored[0].scores if place == 1}
        return not first or first == {self.ids[name_key(name)] for name in play.winners}


def _find_duplicates(
    *, file: PlayFile, fates: list[str], judge: _Judge, problems: list[Told], batch_id: int | None
) -> None:
    """Let ready plays whose result is here from elsewhere be duplicates, unless they are wanted all the same.

    Plays of one file are never duplicates of each other: the program that wrote it keeps them apart.
    """
    if judge.decisions.duplicates != SKIP:
        return
    stored: dict[str, list[date]] = defaultdict(list)
    digests = sorted({digest for digest, _by_points in judge.digests.values()})
    sessions = Session.objects.filter(club=judge.club, voided_at=None)
    if batch_id is not None:
        sessions = sessions.exclude(pk__in=ImportMark.objects.filter(batch=batch_id).values("session"))
    for start in range(0, len(digests), _BATCH):
        found = sessions.filter(digest__in=digests[start : start + _BATCH])
        for digest, played_on in found.values_list("digest", "played_on"):
            stored[digest].append(played_on)
    for index, play in enumerate(file.plays):
        if fates[index] == "ready" and play.external_id in judge.digests:
            digest, by_points = judge.digests[play.external_id]
            window = rows.days_apart(by_points=by_points)
            if any(abs(played_on - play.day) <= window for played_on in stored[digest]):
                fates[index] = "duplicate"
                problems.append(Told(play.line, "stored_before", {}, False))
