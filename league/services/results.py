"""The one door of every result: API, pages, importers and bot matches all end here.

Terms: a *session* is recorded whole (`record`) or opened and continued round by round (`record_round`, `join`,
`leave`, `substitute`, `end`). Promises: a call locks what it changes, checks all of the input before it writes any of
it, and stores rounds, results, standings and the audit event in one transaction: all or nothing. A session gets
complete by itself with its last planned round.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Prefetch, prefetch_related_objects
from django.utils.translation import gettext as _

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
from league.scoring.sessions import EveningRules, PlayedRound, SessionScore, score_session
from league.scoring.standings import SessionPlace
from league.services import audit, evenings, standings
from league.services.access import Access
from league.services.clubs import is_text
from league.services.errors import Conflict, InputError, NotFound, Path, Problem, out_of_range
from league.services.evenings import (
    RoundInput,
    ScoredRound,
    ScoreInput,
    SeasonRef,
    Seated,
    SeatInput,
    SessionInput,
    check_plan,
    check_status,
    confirmed_codes,
)
from league.services.players import PlayerRef, find
from league.services.wording import sentence

# --- Recording ------------------------------------------------------------------------------------------------------


def record(*, access: Access, data: SessionInput, confirm: Collection[str], now: datetime) -> Session:
    """Store a session with all its rounds so far.

    Raises InputError for what can't be, NeedsConfirmation for what is implausible and not named in `confirm`,
    Conflict for a closed season.
    """
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        season = find_season(club=access.club, reference=data.season)
        evenings.check_shape(data)
        evenings.check_date(data.played_on, season, now)
        players = find(club=access.club, references=evenings.references(data))
        seats = evenings.seats_of(data, players)
        for start in {seat.from_round for seat in seats}:
            evenings.check_table(data.format, sum(seat.plays(start) for seat in seats), path=("players",))
        planned, warnings = check_plan(
            data.format,
            [one.game for one in data.rounds],
            repeats=data.repeats,
            planned=data.planned_rounds,
            players=max(1, sum(seat.from_round == 1 for seat in seats)),
        )
        scored: list[ScoredRound] = []
        problems: list[Problem] = []
        for index, one in enumerate(data.rounds):
            try:
                scored.append(evenings.score(one, index + 1, seats, players, path=("rounds", index)))
            except InputError as error:
                problems.extend(error.problems)
        if problems:
            raise InputError(problems)
        check_status(data.status, len(scored), planned)
        confirmed = confirmed_codes([*warnings, *(warning for one in scored for warning in one.warnings)], confirm)
        ended = data.status != SessionStatus.OPEN or len(scored) == planned
        score = None
        if ended:
            score = _score(seats, [one.played() for one in scored], planned=planned, season=season)
        session = Session.objects.create(
            club=access.club,
            season=season,
            format=data.format,
            planned_rounds=planned,
            repeats=data.repeats if data.format == SessionFormat.PURE_XXL else 1,
            played_on=data.played_on,
            location=data.location,
            comment=data.comment,
            status=_status(len(scored), planned) if ended else SessionStatus.OPEN,
            counts=season is not None and score is not None and score.counts,
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
        if score is not None:
            _store_results(session, season, score)
        audit.write(
            access=access,
            action="session.recorded",
            object_id=session.pk,
            data={"season": season and season.pk, "rounds": len(scored), "status": session.status},
            now=now,
        )
    return session


def record_round(
    *,
    access: Access,
    session_id: int,
    data: RoundInput,
    confirm: Collection[str],
    now: datetime,
    number: int | None = None,
) -> Session:
    """Add the next round to an open session; the last planned one completes it.

    `number` (from 1; None: whichever is next) is the round's own, so that a form sent twice is stored once. Raises as
    `record` does, and Conflict when another round is next.
    """
    access.require_results(session_id)
    with transaction.atomic():
        session, season = _open_session(access, session_id)
        seats = _stored_seats(session)
        games = list(session.rounds.order_by("number").values_list("game", flat=True))
        following = len(games) + 1
        if number not in {None, following}:
            message = _("The next round of this session is number %(number)d.") % {"number": following}
            raise Conflict("not_the_next_round", message)
        number = following
        planned, warnings = check_plan(
            session.format,
            [*games, data.game],
            repeats=session.repeats,
            planned=session.planned_rounds,
            players=max(1, sum(seat.plays(number) for seat in seats)),
            adding=True,
        )
        references = [(("scores", i, "player"), score.player) for i, score in enumerate(data.scores)]
        seated = [seat.player.pk for seat in seats if seat.plays(number)]
        players = find(club=access.club, references=references, seated=seated)
        scored = evenings.score(data, number, seats, players, path=())
        fresh = [warning for warning in warnings if warning.code not in session.confirmed]
        confirmed = confirmed_codes([*fresh, *scored.warnings], confirm)
        session.confirmed = sorted({*session.confirmed, *({warning.code for warning in fresh} & confirmed)})
        _store_rounds(session, [scored])
        if number == planned:
            _finish(session, season)
        _save(session)
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
    access.require_results(session_id)
    with transaction.atomic():
        session, season = _open_session(access, session_id)
        played = session.rounds.count()
        check_status(SessionStatus.INCOMPLETE, played, session.planned_rounds)
        message = _("%(played)d of %(planned)d rounds were played; a session that is ended takes no more.")
        warning = Problem(("status",), "ends_early", message % {"played": played, "planned": session.planned_rounds})
        confirmed_codes([warning], confirm)
        session.confirmed = sorted({*session.confirmed, warning.code})
        _finish(session, season)
        _save(session)
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
    access.require_results(session_id)
    with transaction.atomic():
        session, _season = _open_session(access, session_id)
        played = session.rounds.count()
        sitting = [seat for seat in session.seats.all() if _goes_on(seat, played)]
        seated = [seat.player_id for seat in sitting]
        who = find(club=access.club, references=[(("player",), player)], seated=seated)[player]
        _get_up(who, sitting, played, path=("player",))
        _save(session)
        audit.write(
            access=access,
            action="session.player_left",
            object_id=session.pk,
            data={"player": who.pk, "after_round": played},
            now=now,
        )
    return session


def _goes_on(seat: Seat, played: int) -> bool:
    """Whether a seat is taken for any round to come."""
    return seat.until_round is None or seat.until_round > played


def _get_up(player: Player, sitting: Sequence[Seat], played: int, *, path: Path) -> int:
    """End what the player has of the seats that go on; return the seat's number."""
    own = [seat for seat in sitting if seat.player_id == player.pk]
    if not own:
        message = _("“%(player)s” does not sit at this table now.") % {"player": player.name}
        raise InputError([Problem(path, "not_seated", message)])
    for seat in own:
        if seat.from_round > played:
            # Nothing was played on the seat: the player was never here as far as the rounds go.
            seat.delete()
        else:
            seat.until_round = played
            seat.save(update_fields=["until_round"])
    return own[0].number


def _seat_newcomer(
    access: Access, session_id: int, player: PlayerRef, *, seat: int | None, leaver: PlayerRef | None, now: datetime
) -> Session:
    access.require_results(session_id)
    with transaction.atomic():
        session, _season = _open_session(access, session_id)
        references: list[tuple[Path, PlayerRef]] = [(("player",), player)]
        if leaver is not None:
            references.append((("substitutes",), leaver))
        played = session.rounds.count()
        ever = list(session.seats.all())
        sitting = [one for one in ever if _goes_on(one, played)]
        seated = [one.player_id for one in sitting]
        found = find(club=access.club, references=references, seated=seated)
        newcomer = found[player]
        if newcomer.pk in seated:
            message = _("“%(player)s” sits at this table already.") % {"player": newcomer.name}
            raise InputError([Problem(("player",), "already_seated", message)])
        leaving = None
        own = next((one.number for one in ever if one.player_id == newcomer.pk), None)
        if leaver is not None:
            number, leaving = _get_up(found[leaver], sitting, played, path=("substitutes",)), found[leaver].pk
        elif seat is not None:
            if problems := out_of_range(("seat",), seat, 0, evenings.MAXIMUM_SEAT):
                raise InputError(problems)
            number = seat
        else:
            number = own if own is not None else 1 + max((one.number for one in ever), default=-1)
        if own is not None and own != number:
            message = sentence("seat_changed", {"seat": own})
            raise InputError([Problem(("player",), "seat_changed", message)])
        if any(one.number == number and one.player_id != leaving for one in sitting):
            raise InputError([Problem(("seat",), "seat_taken", _("This seat is taken: give a free one or none."))])
        if leaving is None:
            evenings.check_table(session.format, len(sitting) + 1, path=("player",))
        Seat.objects.create(club=access.club, session=session, player=newcomer, number=number, from_round=played + 1)
        _save(session)
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
        season = seasons.filter(league__slug=league, slug=slug).first() if is_text(reference) else None
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


# --- Storing ----------------------------------------------------------------------------------------------------------


def _status(played: int, planned: int) -> SessionStatus:
    return SessionStatus.COMPLETE if played == planned else SessionStatus.INCOMPLETE


def _seats_with_players() -> "Prefetch[str]":
    return Prefetch("seats", Seat.objects.select_related("player"))


def _stored_seats(session: Session) -> list[Seated]:
    """The session's seats in one query, or none where they are read already."""
    prefetch_related_objects([session], _seats_with_players())
    return [Seated(seat.player, seat.number, seat.from_round, seat.until_round) for seat in session.seats.all()]


def _store_rounds(session: Session, scored: Sequence[ScoredRound]) -> None:
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


def _save(session: Session) -> None:
    """Store what a change may have changed on the session itself; one revision more."""
    session.revision += 1
    session.save(update_fields=["status", "confirmed", "counts", "revision"])


def _stored_score(session: Session, season: Season | None) -> SessionScore:
    rounds = session.played_rounds()
    return _score(_stored_seats(session), rounds, planned=session.planned_rounds, season=season)


def _score(
    seats: Sequence[Seated], rounds: Sequence[PlayedRound], *, planned: int, season: Season | None
) -> SessionScore:
    rules = season.evening_rules if season is not None else EveningRules()
    return score_session(evenings.plain(seats), rounds, planned=planned, rules=rules)


def _finish(session: Session, season: Season | None) -> None:
    """End a session with the rounds it has: its results, and the standings of the players in it."""
    score = _stored_score(session, season)
    session.status = _status(len(session.rounds.all()), session.planned_rounds)
    session.counts = score.counts and season is not None
    _store_results(session, season, score)


def _results(session: Session, score: SessionScore) -> list[SessionResult]:
    return [
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


def _store_results(session: Session, season: Season | None, score: SessionScore) -> None:
    SessionResult.objects.bulk_create(_results(session, score))
    if season is not None and session.counts:
        standings.add(
            season=season,
            results=[
                SessionPlace(one.player, session.pk, session.played_on, one.place, len(score.results))
                for one in score.results
                if one.place is not None
            ],
        )


def recompute(*, sessions: Sequence[Session], season: Season) -> None:
    """Store the results of ended sessions anew by the season's rules. The caller refreshes the standings.

    Reads all sessions in a fixed number of queries: the season is locked meanwhile, and nobody can record.
    """
    prefetch_related_objects(sessions, _seats_with_players(), "rounds__scores")
    results: list[SessionResult] = []
    changed: dict[bool, list[int]] = {True: [], False: []}
    for session in sessions:
        score = _stored_score(session, season)
        if session.counts != score.counts:
            session.counts = score.counts
            changed[score.counts].append(session.pk)
        results += _results(session, score)
    SessionResult.objects.filter(session__in=sessions).delete()
    SessionResult.objects.bulk_create(results)
    for counts, ids in changed.items():
        Session.objects.filter(pk__in=ids).update(counts=counts)


__all__ = [
    "RoundInput",
    "ScoreInput",
    "SeasonRef",
    "SeatInput",
    "SessionInput",
    "end",
    "find_season",
    "join",
    "leave",
    "recompute",
    "record",
    "record_round",
    "substitute",
]
