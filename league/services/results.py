"""The one door of every result: API, pages, importers and bot matches all end here.

Terms: a *session* is recorded whole (`record`) or opened and continued round by round (`record_round`, `join`,
`leave`, `substitute`, `end`). Promises: a call locks what it changes, checks all of the input before it writes any of
it, and stores rounds, results, standings and the audit event in one transaction: all or nothing. A session gets
complete by itself with its last planned round.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import cast

from django.db import transaction
from django.utils.translation import gettext as _

from games.catalog import GAMES
from league.models import (
    Club,
    Player,
    Role,
    Round,
    Score,
    Season,
    SeasonStatus,
    Seat,
    Session,
    SessionFormat,
    SessionResult,
    SessionStatus,
)
from league.scoring import problems as codes
from league.scoring import rounds as round_scoring
from league.scoring import sessions as session_scoring
from league.scoring.sessions import EveningRules, Format
from league.services import audit, standings
from league.services.access import Access
from league.services.errors import Conflict, InputError, NeedsConfirmation, NotFound, Path, Problem
from league.services.players import PlayerRef, find
from league.services.wording import sentence

# A season's id, or "league-slug/season-slug".
SeasonRef = int | str


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
    """One game as it was played; `note` is one of the catalogue's for that game."""

    game: str
    scores: tuple[ScoreInput, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class SessionInput:
    """A session: whole (`status` complete or incomplete) or so far (open)."""

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


@dataclass(frozen=True, slots=True)
class _Seated:
    """A seat with its player found."""

    player: Player
    number: int
    from_round: int
    until_round: int | None

    def plays(self, round_number: int) -> bool:
        return self.from_round <= round_number and (self.until_round is None or round_number <= self.until_round)


@dataclass(frozen=True, slots=True)
class _ScoredRound:
    """A round that passed all checks: (player, points, place) in the order given, and the warnings confirmed."""

    number: int
    game: str
    note: str
    scores: tuple[tuple[Player, int | None, int | None], ...]
    warnings: tuple[Problem, ...]


# --- Recording ------------------------------------------------------------------------------------------------------


def record(*, access: Access, data: SessionInput, confirm: Collection[str], now: datetime) -> Session:
    """Store a session with all its rounds so far.

    Raises InputError for what can't be, NeedsConfirmation for what is implausible and not named in `confirm`,
    Conflict for a closed season.
    """
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        season = find_season(club=access.club, reference=data.season)
        check_date(data.played_on, season, now)
        players = find(club=access.club, references=_references(data))
        seats = _seats(data, players)
        planned, warnings = _plan(
            data.format,
            [one.game for one in data.rounds],
            repeats=data.repeats,
            planned=data.planned_rounds,
            players=max(1, sum(seat.from_round == 1 for seat in seats)),
        )
        scored: list[_ScoredRound] = []
        problems: list[Problem] = []
        for index, one in enumerate(data.rounds):
            try:
                scored.append(_score(one, index + 1, seats, players, path=("rounds", index)))
            except InputError as error:
                problems.extend(error.problems)
        if problems:
            raise InputError(problems)
        _check_status(data.status, len(scored), planned)
        confirmed = _confirm([*warnings, *(warning for one in scored for warning in one.warnings)], confirm)
        session = Session.objects.create(
            club=access.club,
            season=season,
            format=data.format,
            planned_rounds=planned,
            repeats=data.repeats if data.format == SessionFormat.PURE_XXL else 1,
            played_on=data.played_on,
            location=data.location,
            comment=data.comment,
            confirmed=sorted({warning.code for warning in warnings} & confirmed),
            created_by_id=access.actor.user_id,
        )
        Seat.objects.bulk_create(
            Seat(
                club=access.club,
                session=session,
                player=seat.player,
                number=seat.number,
                from_round=seat.from_round,
                until_round=seat.until_round,
            )
            for seat in seats
        )
        _store_rounds(session, scored)
        ended = data.status != SessionStatus.OPEN or len(scored) == planned
        _settle(session, season, ended=ended)
        audit.write(
            access=access,
            action="session.recorded",
            object_id=session.pk,
            data={"season": season and season.pk, "rounds": len(scored), "status": session.status},
            now=now,
        )
    return session


def record_round(
    *, access: Access, session_id: int, data: RoundInput, confirm: Collection[str], now: datetime
) -> Session:
    """Add the next round to an open session; the last planned one completes it. Raises as `record` does."""
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        session, season = _open_session(access, session_id)
        seats = _stored_seats(session)
        games = list(session.rounds.order_by("number").values_list("game", flat=True))
        number = len(games) + 1
        planned, warnings = _plan(
            session.format,
            [*games, data.game],
            repeats=session.repeats,
            planned=session.planned_rounds,
            players=max(1, sum(seat.plays(number) for seat in seats)),
            adding=True,
        )
        references = [(("scores", i, "player"), score.player) for i, score in enumerate(data.scores)]
        scored = _score(data, number, seats, find(club=access.club, references=references), path=())
        fresh = [warning for warning in warnings if warning.code not in session.confirmed]
        confirmed = _confirm([*fresh, *scored.warnings], confirm)
        session.confirmed = sorted({*session.confirmed, *({warning.code for warning in fresh} & confirmed)})
        _store_rounds(session, [scored])
        _settle(session, season, ended=number == planned)
        audit.write(
            access=access,
            action="round.recorded",
            object_id=session.pk,
            data={"round": number, "game": data.game, "status": session.status},
            now=now,
        )
    return session


def end(*, access: Access, session_id: int, confirm: Collection[str], now: datetime) -> Session:
    """End an open session before its last planned round; the season's rules say how it counts.

    Raises NeedsConfirmation (`ends_early`) unless confirmed, InputError when no round was played.
    """
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        session, season = _open_session(access, session_id)
        played = session.rounds.count()
        _check_status(SessionStatus.INCOMPLETE, played, session.planned_rounds)
        message = _("%(played)d of %(planned)d rounds were played; a session that is ended takes no more.")
        warning = Problem(("status",), "ends_early", message % {"played": played, "planned": session.planned_rounds})
        _confirm([warning], confirm)
        session.confirmed = sorted({*session.confirmed, warning.code})
        _settle(session, season, ended=True)
        audit.write(access=access, action="session.ended", object_id=session.pk, data={"rounds": played}, now=now)
    return session


# --- Who sits at the table --------------------------------------------------------------------------------------------


def join(*, access: Access, session_id: int, player: PlayerRef, seat: int | None, now: datetime) -> Session:
    """Let a player in from the next round on, on a free seat (None: behind the last; the own one on coming back).

    Raises InputError for a player who sits here already or a seat that is taken.
    """
    return _seat_newcomer(access, session_id, player, seat=seat, leaver=None, now=now)


def substitute(*, access: Access, session_id: int, player: PlayerRef, for_player: PlayerRef, now: datetime) -> Session:
    """Let `player` take the seat of `for_player` from the next round on. Raises as `join` and `leave` do."""
    return _seat_newcomer(access, session_id, player, seat=None, leaver=for_player, now=now)


def leave(*, access: Access, session_id: int, player: PlayerRef, now: datetime) -> Session:
    """Let a player get up after the rounds so far. Raises InputError for a player who does not sit here."""
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        session, season = _open_session(access, session_id)
        who = find(club=access.club, references=[(("player",), player)])[player]
        played = session.rounds.count()
        _get_up(session, who, played, path=("player",))
        _settle(session, season, ended=False)
        audit.write(
            access=access,
            action="session.player_left",
            object_id=session.pk,
            data={"player": who.pk, "after_round": played},
            now=now,
        )
    return session


def _get_up(session: Session, player: Player, played: int, *, path: Path) -> Seat:
    seat = session.seats.filter(player=player, until_round=None).first()
    if seat is None:
        message = _("“%(player)s” does not sit at this table now.") % {"player": player.name}
        raise InputError([Problem(path, "not_seated", message)])
    if seat.from_round > played:
        # Nothing was played on the seat: the player was never here as far as the rounds go.
        seat.delete()
    else:
        seat.until_round = played
        seat.save(update_fields=["until_round"])
    return seat


def _seat_newcomer(
    access: Access, session_id: int, player: PlayerRef, *, seat: int | None, leaver: PlayerRef | None, now: datetime
) -> Session:
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        session, season = _open_session(access, session_id)
        references: list[tuple[Path, PlayerRef]] = [(("player",), player)]
        if leaver is not None:
            references.append((("substitutes",), leaver))
        found = find(club=access.club, references=references)
        newcomer = found[player]
        played = session.rounds.count()
        sitting = list(session.seats.select_related("player"))
        if any(one.player_id == newcomer.pk and one.until_round is None for one in sitting):
            message = _("“%(player)s” sits at this table already.") % {"player": newcomer.name}
            raise InputError([Problem(("player",), "already_seated", message)])
        own = next((one.number for one in sitting if one.player_id == newcomer.pk), None)
        if leaver is not None:
            number = _get_up(session, found[leaver], played, path=("substitutes",)).number
        elif seat is not None:
            number = seat
        else:
            number = own if own is not None else 1 + max((one.number for one in sitting), default=-1)
        if own is not None and own != number:
            message = sentence("seat_changed", {"seat": own})
            raise InputError([Problem(("player",), "seat_changed", message)])
        if leaver is None and any(one.number == number and one.until_round is None for one in sitting):
            message = _("Seat %(seat)d is taken: give a free one or none.") % {"seat": number}
            raise InputError([Problem(("seat",), "seat_taken", message)])
        Seat.objects.create(club=access.club, session=session, player=newcomer, number=number, from_round=played + 1)
        _settle(session, season, ended=False)
        audit.write(
            access=access,
            action="session.player_joined",
            object_id=session.pk,
            data={
                "player": newcomer.pk,
                "seat": number,
                "from_round": played + 1,
                "substitutes": found[leaver].pk if leaver is not None else None,
            },
            now=now,
        )
    return session


# --- Finding and locking ----------------------------------------------------------------------------------------------


def find_season(*, club: Club, reference: SeasonRef | None) -> Season | None:
    """The season that is meant, locked until the transaction ends, since its rules decide what is stored.

    Raises InputError for an unknown one, Conflict for a closed one.
    """
    if reference is None:
        return None
    seasons = Season.objects.select_for_update(of=("self",), no_key=True).filter(club=club)
    if isinstance(reference, int):
        season = seasons.filter(pk=reference).first()
    else:
        league, _slash, slug = reference.partition("/")
        season = seasons.filter(league__slug=league, slug=slug).first()
    if season is None:
        message = _("No season of this club is “%(season)s”: give its id or “league/season” by their short names.")
        raise InputError([Problem(("season",), "unknown_season", message % {"season": reference})])
    if season.status == SeasonStatus.CLOSED:
        raise Conflict("season_closed", _("The season “%(season)s” is closed.") % {"season": season.name})
    return season


def _open_session(access: Access, session_id: int) -> tuple[Session, Season | None]:
    """The session and its season, both locked, the season first as everywhere."""
    plain = Session.objects.filter(club=access.club, pk=session_id).values_list("season_id", flat=True).first()
    season = find_season(club=access.club, reference=plain) if plain is not None else None
    session = Session.objects.select_for_update().filter(club=access.club, pk=session_id).first()
    if session is None:
        raise NotFound(session_id)
    if session.status != SessionStatus.OPEN:
        raise Conflict("session_ended", _("This session is ended; it takes no more rounds or players."))
    session.season = season
    return session, season


# --- Checking ---------------------------------------------------------------------------------------------------------


def _references(data: SessionInput) -> Iterable[tuple[Path, PlayerRef]]:
    for index, seat in enumerate(data.players):
        yield ("players", index, "player"), seat.player
    for number, one in enumerate(data.rounds):
        for index, score in enumerate(one.scores):
            yield ("rounds", number, "scores", index, "player"), score.player


def check_date(played_on: date, season: Season | None, now: datetime) -> None:
    """Raise InputError for a day in the future or outside the season."""
    # A day of grace: the server's clock may stand in another time zone than the table.
    if played_on > now.date() + timedelta(days=1):
        raise InputError([Problem(("played_on",), "in_the_future", _("Give a day up to today."))])
    if season is not None and (
        played_on < season.starts_on or (season.ends_on is not None and played_on > season.ends_on)
    ):
        message = _("Give a day within the season: from %(start)s to %(end)s.")
        span = {"start": season.starts_on.isoformat(), "end": season.ends_on.isoformat() if season.ends_on else "…"}
        raise InputError([Problem(("played_on",), "outside_season", message % span)])


def _seats(data: SessionInput, players: dict[PlayerRef, Player]) -> list[_Seated]:
    seats = [
        _Seated(
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
    plain = [session_scoring.Seat(one.player.pk, one.number, one.from_round, one.until_round) for one in seats]
    for problem in session_scoring.seat_problems(plain):
        path: Path = ("players",) if problem.index is None else ("players", problem.index, "seat")
        problems.append(Problem(path, problem.code, sentence(problem.code, problem.params)))
    if problems:
        raise InputError(problems)
    return seats


def _plan(
    format_: str,
    games: Sequence[str],
    *,
    repeats: int,
    planned: int | None,
    players: int,
    adding: bool = False,
) -> tuple[int, list[Problem]]:
    """The number of planned rounds and the warnings of the plan. `adding`: only the last game was given just now."""
    if format_ not in SessionFormat.values:
        message = _("Choose one of: %(choices)s.") % {"choices": ", ".join(SessionFormat.values)}
        raise InputError([Problem(("format",), "unknown_format", message)])
    own = {SessionFormat.PURE_XXL: 6 * repeats, SessionFormat.SINGLE_GAME: 1}.get(SessionFormat(format_))
    if own is not None and planned not in {None, own}:
        message = _("This format has %(planned)d rounds: leave the number out or give it so.") % {"planned": own}
        raise InputError([Problem(("planned_rounds",), "planned_fixed", message)])
    unknown = [index for index, game in enumerate(games) if game not in GAMES]
    if unknown:
        message = _("No game of the catalogue is “%(game)s”. Choose one of: %(choices)s.")
        raise InputError(
            Problem(
                _game_path(index, adding=adding),
                "unknown_game",
                message % {"game": games[index], "choices": ", ".join(GAMES)},
            )
            for index in unknown
        )
    errors, warnings = session_scoring.plan_problems(
        cast(Format, format_), games, repeats=repeats, planned=planned, players=players
    )

    def word(problem: codes.Problem) -> Problem:
        path: Path = ({"planned": "planned_rounds"}.get(problem.field, problem.field),)
        if problem.index is not None or (adding and problem.field == "rounds"):
            path = _game_path(problem.index or 0, adding=adding)
        return Problem(path, problem.code, sentence(problem.code, problem.params))

    if errors:
        raise InputError(word(problem) for problem in errors)
    rounds = own if own is not None else planned
    if rounds is None:
        raise InputError([Problem(("planned_rounds",), "planned_required", sentence("planned_required", {}))])
    return rounds, [word(problem) for problem in warnings]


def _game_path(index: int, *, adding: bool) -> Path:
    return ("game",) if adding else ("rounds", index, "game")


def _score(
    data: RoundInput, number: int, seats: Sequence[_Seated], players: dict[PlayerRef, Player], *, path: Path
) -> _ScoredRound:
    """Check who plays and what they scored. Raises InputError with every problem of the round."""
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
        where: Path = (*path, problem.field)
        if problem.index is not None:
            where = (*path, "scores", problem.index, problem.field)
        return Problem(where, problem.code, sentence(problem.code, problem.params))

    try:
        result = round_scoring.score_round(GAMES[data.game], entries, note=data.note)
    except codes.ScoringError as error:
        raise InputError(word(problem) for problem in error.problems) from error
    return _ScoredRound(
        number=number,
        game=data.game,
        note=data.note,
        scores=tuple(
            (players[score.player], score.points, place)
            for score, place in zip(data.scores, result.places, strict=True)
        ),
        warnings=tuple(word(problem) for problem in result.warnings),
    )


def _check_status(status: str, played: int, planned: int) -> None:
    problem = None
    if status not in SessionStatus.values:
        message = _("Choose one of: %(choices)s.") % {"choices": ", ".join(SessionStatus.values)}
        problem = Problem(("status",), "unknown_status", message)
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


def _confirm(warnings: Sequence[Problem], confirm: Collection[str]) -> set[str]:
    """The codes that were confirmed. Raises NeedsConfirmation with all warnings that were not."""
    known = {code for code, entry in codes.CODES.items() if entry.kind == "warning"} | {"ends_early"}
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


# --- Storing ----------------------------------------------------------------------------------------------------------


def _stored_seats(session: Session) -> list[_Seated]:
    return [
        _Seated(seat.player, seat.number, seat.from_round, seat.until_round)
        for seat in session.seats.select_related("player")
    ]


def _store_rounds(session: Session, scored: Sequence[_ScoredRound]) -> None:
    rounds = Round.objects.bulk_create(
        Round(
            club_id=session.club_id,
            session=session,
            number=one.number,
            game=one.game,
            note=one.note,
            confirmed=sorted({warning.code for warning in one.warnings}),
        )
        for one in scored
    )
    Score.objects.bulk_create(
        Score(club_id=session.club_id, round=stored, player=player, points=points, place=place)
        for stored, one in zip(rounds, scored, strict=True)
        for player, points, place in one.scores
    )


def _settle(session: Session, season: Season | None, *, ended: bool) -> None:
    """Bring the status, the stored results and the standings in line with the rounds; one revision more."""
    if ended:
        played = session.rounds.count()
        session.status = SessionStatus.COMPLETE if played == session.planned_rounds else SessionStatus.INCOMPLETE
    session.revision += 1
    session.save(update_fields=["status", "confirmed", "revision"])
    if ended:
        recompute(sessions=[session], season=season)
        if season is not None:
            players = SessionResult.objects.filter(session=session).values_list("player_id", flat=True)
            standings.refresh(season=season, players=players)


def recompute(*, sessions: Sequence[Session], season: Season | None) -> None:
    """Store the results of ended sessions anew by the season's rules. The caller refreshes the standings."""
    rules = season.evening_rules if season is not None else EveningRules()
    results = []
    for session in sessions:
        seats = [
            session_scoring.Seat(seat.player_id, seat.number, seat.from_round, seat.until_round)
            for seat in session.seats.all()
        ]
        score = session_scoring.score_session(
            seats, session.played_rounds(), planned=session.planned_rounds, rules=rules
        )
        session.counts = score.counts and season is not None
        results += [
            SessionResult(
                club_id=session.club_id,
                session=session,
                player_id=one.player,
                place_sum=one.place_sum,
                rounds_played=one.rounds_played,
                rounds_missed=one.rounds_missed,
                place=one.place,
                reason=one.reason,
            )
            for one in score.results
        ]
    SessionResult.objects.filter(session__in=sessions).delete()
    SessionResult.objects.bulk_create(results)
    Session.objects.bulk_update(sessions, ["counts"])
