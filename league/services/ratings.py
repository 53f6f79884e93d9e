"""Ratings of a club's players, computed anew from the sessions of a day on; see `figures.py` for when.

Terms: a *board* is people, bots, or cooperative games; a *family* is the catalogue's (`games/catalog.py`); a *key* is a
player on a board in a family. To *replay* is to go through the rated sessions from a day on, in order of day and
session, beginning with the ratings as they were before. What is rated: rounds of sessions that are ended, not void and
not waiting for confirmation, with or without a season. People are compared with people and bots with bots, at least
two in a round; of a table that plays together all have to be of one kind.

Promises: a replay gives what rating everything from the start would give, to the last bit, so that it may be broken off
and repeated; rows are written a few sessions at a time, so that others can write meanwhile; memory does not grow with
the number of sessions. Never: runs twice at once for one club; its caller takes care of that.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from games.catalog import GAMES, GameInfo
from league.models import (
    ClubGame,
    Confirmation,
    Player,
    PlayerKind,
    Rating,
    RatingBoard,
    RatingChange,
    Score,
    Session,
    SessionStatus,
)
from league.models.games import games_by_key
from league.scoring import cooperative
from league.scoring.cooperative import CooperativeFit, Setting
from league.scoring.ratings import START, Strength, rate, value

# Sessions that are read and written at a time.
_BATCH = 200
# Under the limit of variables that SQLite takes in one statement.
_FEW = 400
_BOARD_OF = {PlayerKind.PERSON: RatingBoard.PEOPLE, PlayerKind.BOT: RatingBoard.BOTS}


class Key(NamedTuple):
    """Whose rating, on which board and in which family of games."""

    player: int
    board: str
    family: str


class Position(NamedTuple):
    """Where a session stands in the order in which sessions are rated."""

    played_on: date
    session: int


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating as it is stored: of a cooperative board ``mu`` is a skill and ``sigma`` its deviation."""

    mu: float
    sigma: float
    value: float
    results: int


class _Line(NamedTuple):
    """A score as it is read, with what is known of its round and its player."""

    session: int
    played_on: date
    number: int
    game: str
    note: str
    player: int
    kind: str
    place: int | None
    points: int | None


_LINE = (
    "round__session_id",
    "round__session__played_on",
    "round__number",
    "round__game",
    "round__note",
    "player_id",
    "player__kind",
    "place",
    "points",
)
_CHANGE = ("club", "session", "played_on", "player", "board", "family", "mu", "sigma", "value", "results")
# The players by their ids, not as their rows happen to lie: sums of floats depend on the order.
_ORDER = ("round__session__played_on", "round__session_id", "round__number", "player_id")


def rated_sessions(club_id: int) -> QuerySet[Session]:
    """The club's sessions that enter ratings."""
    agreed = ["", Confirmation.CONFIRMED]
    return Session.objects.filter(club=club_id, voided_at=None, confirmation__in=agreed).exclude(
        status=SessionStatus.OPEN
    )


class Change(NamedTuple):
    """A row of `RatingChange`, in the order of `_CHANGE`."""

    session: Position
    key: Key
    rated: Rated


@dataclass(frozen=True, slots=True)
class Step:
    """Some sessions of a replay and the ratings after each; `until` is None behind the last one."""

    until: Position | None
    sessions: Sequence[int]
    changes: Sequence[Change]


@dataclass(slots=True)
class Replay:
    """The club's ratings from a day on, computed and not stored."""

    club_id: int
    from_day: date
    # The last rating of each key within the replay.
    latest: dict[Key, Rated] = field(default_factory=dict)
    _strengths: dict[Key, Strength] = field(default_factory=dict)
    _fits: dict[tuple[str, str], CooperativeFit] = field(default_factory=dict)
    _games: dict[str, GameInfo] = field(default_factory=dict)

    def steps(self) -> Iterator[Step]:
        """All sessions from the day on, and at last an empty step."""
        sessions = rated_sessions(self.club_id).filter(played_on__gte=self.from_day).order_by("played_on", "pk")
        after: Position | None = None
        while True:
            rows = sessions if after is None else sessions.filter(_beyond(after, "played_on", "pk"))
            found = [Position(day, pk) for day, pk in rows.values_list("played_on", "pk")[:_BATCH]]
            if not found:
                break
            after = found[-1]
            yield Step(after, [one.session for one in found], list(self._rate([one.session for one in found])))
        yield Step(None, [], [])

    def rating(self, key: Key) -> Rated | None:
        """The rating of a key after the replay; None: it has none."""
        if key.board == RatingBoard.COOPERATIVE:
            raise ValueError("Cooperative ratings are those of a whole family at once.")
        if key not in self.latest:
            self._load([key])
            strength = self._strengths[key]
            return _of_strength(strength) if strength.results else None
        return self.latest[key]

    def deviations(self, keys: Collection[Key]) -> dict[Key, float]:
        """The deviations after the last session of each of these keys, which have one."""
        self._load(key for key in keys if key not in self.latest)
        return {key: self.latest[key].sigma if key in self.latest else self._strengths[key].sigma for key in keys}

    def fit(self, kind: str, family: str) -> CooperativeFit:
        """The results of a cooperative family so far, of people or of bots."""
        if (kind, family) not in self._fits:
            self._fits[kind, family] = CooperativeFit()
            keys = [key for key, game in GAMES.items() if game.cooperative and game.family == family]
            if family == "own":
                own = ClubGame.objects.filter(club=self.club_id, cooperative=True)
                keys = list(own.values_list("key", flat=True))
            before = rated_sessions(self.club_id).filter(played_on__lt=self.from_day)
            scores = Score.objects.filter(round__game__in=keys, round__session__in=before)
            for lines in self._rounds(scores):
                self._play_together(lines, only=(kind, family))
        return self._fits[kind, family]

    def _rounds(self, scores: QuerySet[Score]) -> Iterator[list[_Line]]:
        """Scores by round, in order."""
        rows = scores.order_by(*_ORDER).values_list(*_LINE).iterator(chunk_size=2000)
        for _round, lines in groupby((_Line(*row) for row in rows), key=lambda line: (line.session, line.number)):
            yield list(lines)

    def _rate(self, session_ids: Sequence[int]) -> Iterator[Change]:
        """The ratings after each of these sessions."""
        rounds = list(self._rounds(Score.objects.filter(round__session__in=session_ids)))
        self._know_games(lines[0].game for lines in rounds)
        self._load(key for lines in rounds for key, _place in self._compared(lines))
        for (day, session), its_rounds in groupby(rounds, key=lambda lines: (lines[0].played_on, lines[0].session)):
            touched: dict[Key, str] = {}
            for lines in its_rounds:
                touched |= self._play(lines)
            for key, rated in self._after(touched):
                self.latest[key] = rated
                yield Change(Position(day, session), key, rated)

    def _play(self, lines: Sequence[_Line]) -> dict[Key, str]:
        """Rate one round; whose ratings it changes, and of what kind they are."""
        if self._games[lines[0].game].cooperative:
            family = self._games[lines[0].game].family
            self.fit(lines[0].kind, family)
            return self._play_together(lines)
        touched: dict[Key, str] = {}
        for _board, compared in groupby(self._compared(lines), key=lambda one: one[0].board):
            keys, places = zip(*compared, strict=True)
            after = rate([self._strengths[key] for key in keys], places)
            self._strengths.update(zip(keys, after, strict=True))
            touched |= dict.fromkeys(keys, lines[0].kind)
        return touched

    def _compared(self, lines: Sequence[_Line]) -> Iterator[tuple[Key, int]]:
        """Who of a round is compared, with the place; people first, then bots."""
        info = self._games[lines[0].game]
        for kind, board in _BOARD_OF.items():
            placed = [(line.player, line.place) for line in lines if line.kind == kind and line.place is not None]
            if len(placed) >= 2 and not info.cooperative:
                yield from ((Key(player, board, info.family), place) for player, place in placed)

    def _play_together(self, lines: Sequence[_Line], only: tuple[str, str] | None = None) -> dict[Key, str]:
        """Add the result of a table that played together; `only`: if it is of this kind and family."""
        line = lines[0]
        self._know_games([line.game])
        info = self._games[line.game]
        is_of_one_kind = all(other.kind == line.kind for other in lines)
        if not is_of_one_kind or line.points is None or only not in {None, (line.kind, info.family)}:
            return {}
        players = [other.player for other in lines]
        self._fits[line.kind, info.family].add(
            setting=Setting(line.game, len(players), line.note),
            players=players,
            points=line.points,
            high_wins=info.high_wins,
        )
        return dict.fromkeys((Key(player, RatingBoard.COOPERATIVE, info.family) for player in players), line.kind)

    def _after(self, touched: Mapping[Key, str]) -> Iterator[tuple[Key, Rated]]:
        """The ratings that a session has changed."""
        together: dict[tuple[str, str], list[Key]] = {}
        for key, kind in touched.items():
            if key.board == RatingBoard.COOPERATIVE:
                together.setdefault((kind, key.family), []).append(key)
            else:
                yield key, _of_strength(self._strengths[key])
        for its, keys in together.items():
            skills = self._fits[its].skills([key.player for key in keys])
            for key in keys:
                skill = skills[key.player]
                shown = cooperative.value(skill.skill)
                yield key, Rated(skill.skill, skill.deviation, shown, skill.results)

    def _know_games(self, keys: Iterable[str]) -> None:
        unknown = set(keys) - self._games.keys()
        if unknown:
            self._games.update(games_by_key(self.club_id, unknown))

    def _load(self, keys: Iterable[Key]) -> None:
        """Read what is not known of these keys: their ratings before the day."""
        unknown: dict[tuple[str, str], list[int]] = {}
        for key in dict.fromkeys(keys):
            if key not in self._strengths:
                self._strengths[key] = START
                unknown.setdefault((key.board, key.family), []).append(key.player)
        for (board, family), players in unknown.items():
            newest = RatingChange.objects.filter(
                player=OuterRef("pk"), board=board, family=family, played_on__lt=self.from_day
            ).order_by("-played_on", "-session_id")
            for start in range(0, len(players), _FEW):
                some = Player.objects.filter(pk__in=players[start : start + _FEW])
                last = some.annotate(last=Subquery(newest.values("pk")[:1])).values_list("last", flat=True)
                rows = RatingChange.objects.filter(pk__in=[pk for pk in last if pk is not None])
                for player, mu, sigma, results in rows.values_list("player_id", "mu", "sigma", "results"):
                    self._strengths[Key(player, board, family)] = Strength(mu, sigma, results)


def _of_strength(strength: Strength) -> Rated:
    return Rated(strength.mu, strength.sigma, value(strength.mu), strength.results)


def _beyond(position: Position, day: str, session: str) -> Q:
    """Rows behind a position, by the names of their columns."""
    # The first half says nothing new, but an index on the day finds with it where to begin.
    later = Q(**{f"{day}__gt": position.played_on}) | Q(**{f"{session}__gt": position.session})
    return Q(**{f"{day}__gte": position.played_on}) & later


@dataclass(frozen=True, slots=True)
class Replayed:
    """A replay whose history is stored, and the keys whose ratings now are to be stored yet."""

    replay: Replay
    keys: frozenset[Key]


def replay(*, club_id: int, from_day: date) -> Replayed:
    """Store the history of ratings from a day on anew, some sessions a transaction. Then `settle` has to follow.

    Whoever breaks off in between leaves the days before untouched, so that the same call later makes everything good.
    """
    computed = Replay(club_id, from_day)
    keys: set[Key] = set()
    history = RatingChange.objects.filter(club=club_id, played_on__gte=from_day)
    for step in computed.steps():
        stale = history
        if step.until is not None:
            # Up to here; what stood behind is compared with what comes then.
            stale = history.exclude(_beyond(step.until, "played_on", "session_id"))
        with transaction.atomic():
            # A session may have had another day before, earlier or later than the one it has now.
            old = RatingChange.objects.filter(session__in=step.sessions)
            for rows in (stale, old):
                keys.update(Key(*key) for key in rows.order_by().values_list("player_id", "board", "family").distinct())
                rows.delete()
            _store(club_id, step.changes)
        if step.until is not None:
            history = RatingChange.objects.filter(_beyond(step.until, "played_on", "session_id"), club=club_id)
    return Replayed(computed, frozenset(keys | computed.latest.keys()))


def _store(club_id: int, changes: Sequence[Change]) -> None:
    """Insert rows of `RatingChange`: without making objects of them, which takes twice the time of all the rest."""
    known = {field.name: str(field.column) for field in RatingChange._meta.concrete_fields}
    columns = ", ".join(connection.ops.quote_name(known[name]) for name in _CHANGE)
    table, marks = connection.ops.quote_name(RatingChange._meta.db_table), ", ".join(["%s"] * len(_CHANGE))
    day = connection.ops.adapt_datefield_value
    rows = [
        (club_id, at.session, day(at.played_on), *key, rated.mu, rated.sigma, rated.value, rated.results)
        for at, key, rated in changes
    ]
    if rows:
        with connection.cursor() as cursor:
            # Names from the model, never from input.
            cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)  # noqa: S608  # nosec B608


def settle(replayed: Replayed, *, players: Collection[int]) -> None:
    """Store the ratings as they are after a replay; `players` are the ids of those whose sessions were changed."""
    computed = replayed.replay
    now = _outcome(computed, replayed.keys | _stored_keys(computed.club_id, players))
    for key, rated in now.items():
        if rated is None:
            Rating.objects.filter(player=key.player, board=key.board, family=key.family).delete()
    Rating.objects.bulk_create(
        [
            Rating(
                club_id=computed.club_id,
                player_id=key.player,
                board=key.board,
                family=key.family,
                mu=rated.mu,
                sigma=rated.sigma,
                value=rated.value,
                results=rated.results,
            )
            for key, rated in sorted(now.items())
            if rated is not None
        ],
        update_conflicts=True,
        unique_fields=["player", "board", "family"],
        update_fields=["mu", "sigma", "value", "results"],
    )


def _stored_keys(club_id: int, players: Collection[int]) -> set[Key]:
    """The keys of players: whose only session is void has no history that would tell of the board."""
    ids = sorted(players)
    found: set[Key] = set()
    for start in range(0, len(ids), _FEW):
        stored = Rating.objects.filter(club=club_id, player__in=ids[start : start + _FEW])
        found.update(Key(*key) for key in stored.values_list("player_id", "board", "family"))
    return found


def _outcome(computed: Replay, keys: Collection[Key]) -> dict[Key, Rated | None]:
    """The ratings after a replay of these keys, None for those that have none any more."""
    found = {key: computed.rating(key) for key in keys if key.board != RatingBoard.COOPERATIVE}
    for family in {key.family for key in keys if key.board == RatingBoard.COOPERATIVE}:
        for kind in PlayerKind.values:
            found |= _of_family(computed, kind, family)
    return found


def _of_family(computed: Replay, kind: str, family: str) -> dict[Key, Rated | None]:
    """The ratings of everybody in a cooperative family: each result says something about all the others too.

    The deviation is that after the player's last session, since all of them would take long.
    """
    board = RatingBoard.COOPERATIVE
    stored = Rating.objects.filter(club=computed.club_id, board=board, family=family, player__kind=kind)
    found: dict[Key, Rated | None] = {Key(pk, board, family): None for pk in stored.values_list("player_id", flat=True)}
    means = {Key(pk, board, family): mean for pk, mean in computed.fit(kind, family).means().items()}
    deviations = computed.deviations(means)
    for key, (skill, results) in means.items():
        found[key] = Rated(skill, deviations[key], cooperative.value(skill), results)
    return found


# --- What a change would move -----------------------------------------------------------------------------------------


# Few enough for an instant: nobody else can write while a change is rehearsed.
FORESEEN = 50


@dataclass(frozen=True, slots=True)
class Moved:
    """A player's rating as it is shown, before and after; None: there is none."""

    key: Key
    before: int | None
    after: int | None


def foresee(*, club_id: int, from_day: date) -> Replay | None:
    """The ratings that follow from what is stored now, from a day on; None where more than `FORESEEN` sessions were
    played since. Stores nothing."""
    later = rated_sessions(club_id).filter(played_on__gte=from_day).order_by().values("pk")
    if later[: FORESEEN + 1].count() > FORESEEN:
        return None
    computed = Replay(club_id, from_day)
    for _step in computed.steps():
        pass
    return computed


def compare(before: Replay, after: Replay) -> tuple[Moved, ...]:
    """Whose rating is shown as another number after than before, of two replays from the same day."""
    keys = before.latest.keys() | after.latest.keys()
    shown: list[dict[Key, int]] = [
        {key: round(rated.value) for key, rated in _outcome(one, keys).items() if rated is not None}
        for one in (before, after)
    ]
    earlier, later = shown
    moves = (Moved(key, earlier.get(key), later.get(key)) for key in sorted(earlier.keys() | later.keys()))
    return tuple(one for one in moves if one.before != one.after)
