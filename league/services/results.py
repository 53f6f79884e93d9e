"""The one door of every result: API, pages, importers and bot matches all end here.

Terms: a *session* is recorded whole (`record`) or opened and continued round by round (`record_round`, `join`,
`leave`, `substitute`, `end`). Promises: a call locks what it changes, checks all of the input before it writes any of
it, and stores rounds, results, standings and the audit event in one transaction: all or nothing. A session gets
complete by itself with its last planned round.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import cast

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import (
    Player,
    PlayerKind,
    RevisionKind,
    Role,
    Round,
    Score,
    Season,
    Seat,
    Session,
    SessionResult,
    SessionStatus,
)
from league.models.inserts import insert_like
from league.models.sheets import ScoreSheet, assembled
from league.scoring.sessions import SessionScore
from league.services import audit, evenings, games, standings, tournament_results, webhooks
from league.services import session_rows as rows
from league.services.access import Access
from league.services.errors import Conflict, InputError, NeedsConfirmation, Path, Problem, ServiceError, out_of_range
from league.services.evenings import (
    RoundInput,
    ScoreInput,
    SeasonRef,
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
    """Store a session with all its rounds so far. Raises as `record_sheet` does."""
    return record_sheet(access=access, data=data, confirm=confirm, now=now).session


def record_sheet(*, access: Access, data: SessionInput, confirm: Collection[str], now: datetime) -> ScoreSheet:
    """Store a session with all its rounds so far; return its sheet, made of what was stored without reading it again.

    Raises InputError for what can't be, NeedsConfirmation for what is implausible and not named in `confirm`,
    Conflict for a closed season.
    """
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        season = rows.find_season(club=access.club, reference=data.season)
        players = find(club=access.club, references=evenings.references(data))
        checked = rows.check(club=access.club, data=data, season=season, players=players, confirm=confirm, now=now)
        session = _session_row(access, data, season, checked, now)
        session.save(force_insert=True)
        seats = rows.store_seats(session, checked.seats)
        rounds = rows.store_rounds(session, checked.scored)
        if checked.score is not None:
            rows.store_results(session, season, checked.score)
        rows.write_revision(session, access=access, kind=RevisionKind.RECORDED, now=now, checked=checked)
        audit.write(
            access=access, action="session.recorded", object_id=session.pk, data=_about(session, checked), now=now
        )
        _tell(session, access, now, rounds=len(checked.scored), score=checked.score)
    seats.sort(key=lambda seat: (seat.number, seat.from_round))
    ended = checked.score.results if checked.score is not None else ()
    return assembled(session, seats, rounds, ended, checked.games)


def _session_row(
    access: Access, data: SessionInput, season: Season | None, checked: rows.Checked, now: datetime
) -> Session:
    """A session that passed all checks, not stored yet."""
    session = Session(
        club=access.club,
        season=season,
        table_id=data.table,
        format=data.format,
        planned_rounds=checked.planned,
        repeats=checked.repeats,
        played_on=data.played_on,
        location=data.location,
        comment=data.comment,
        status=checked.status,
        confirmation=rows.asked(season, (seat.player for seat in checked.seats)),
        digest=checked.digest,
        confirmed=checked.confirmed,
        created_by_id=access.actor.user_id,
        created_at=now,
    )
    session.counts = rows.counts(session, season, checked.score)
    return session


def _about(session: Session, checked: rows.Checked) -> dict[str, object]:
    """What the audit trail keeps of a recorded session."""
    return {"season": session.season_id, "rounds": len(checked.scored), "status": session.status}


def record_all(
    *,
    access: Access,
    entries: Sequence[SessionInput],
    season: SeasonRef | None,
    confirm: Collection[str],
    now: datetime,
) -> list[Session | InputError | NeedsConfirmation]:
    """Record sessions of one season (which is this one, whatever they say) in few statements; for each, in their
    order, the session or why it was refused.

    Checks and stores what `record` does, but looks for no duplicates: the caller did. Raises InputError for a player
    or game that is not the club's, Conflict for a closed season; nothing is stored then.
    """
    access.require(Role.SCOREKEEPER)
    outcomes: list[Session | InputError | NeedsConfirmation] = []
    stored: list[tuple[Session, rows.Checked]] = []
    with transaction.atomic():
        found = rows.find_season(club=access.club, reference=season)
        players = find(club=access.club, references=chain.from_iterable(map(evenings.references, entries)))
        known = games.find(club=access.club, references=chain.from_iterable(map(evenings.games_of, entries)))
        for data in entries:
            try:
                checked = rows.check(
                    club=access.club,
                    data=data,
                    season=found,
                    players=players,
                    confirm=confirm,
                    now=now,
                    known=known,
                )
            except (InputError, NeedsConfirmation) as error:
                outcomes.append(error)
            else:
                session = _session_row(access, data, found, checked, now)
                outcomes.append(session)
                stored.append((session, checked))
        _store_all(access, stored, found, now)
    return outcomes


def _store_all(
    access: Access, stored: Sequence[tuple[Session, rows.Checked]], season: Season | None, now: datetime
) -> None:
    """Store sessions with all that belongs to them, a table at a time."""
    Session.objects.bulk_create(session for session, _checked in stored)
    Seat.objects.bulk_create(seat for session, checked in stored for seat in rows.seat_rows(session, checked.seats))
    rounds = [one for session, checked in stored for one in rows.round_rows(session, checked.scored)]
    Round.objects.bulk_create(round_ for round_, _scores in rounds)
    Score.objects.bulk_create(score for _round, scores in rounds for score in scores)
    ended = [(session, checked.score) for session, checked in stored if checked.score is not None]
    SessionResult.objects.bulk_create(one for session, score in ended for one in rows.result_rows(session, score))
    if season is not None:
        places = [one for session, score in ended if session.counts for one in rows.places_of(session, score)]
        standings.add(season=season, results=places)
    rows.store_revisions(
        rows.revision_row(
            session,
            access=access,
            kind=RevisionKind.RECORDED,
            now=now,
            data=rows.snapshot_of(session, checked),
        )
        for session, checked in stored
    )
    about = {session.pk: _about(session, checked) for session, checked in stored}
    audit.write_many(access=access, action="session.recorded", data=about, now=now)
    if webhooks.are_wanted(club=access.club):
        for session, checked in stored:
            _tell(session, access, now, rounds=len(checked.scored), score=checked.score)


def open_all(
    *,
    access: Access,
    entries: Sequence[SessionInput],
    season: SeasonRef | None,
    confirm: Collection[str],
    now: datetime,
) -> tuple[SessionInput, InputError | NeedsConfirmation] | None:
    """Open sessions that differ in nothing but who sits there, their tables and planned rounds, all or none, in a
    fraction of the time that `record_all` takes; gives the first that can't be, and why.

    Each player is given by id, in order of seats, and sits at one table; the caller found them, active ones of the
    club, and looked for duplicates. Raises Conflict for a closed season.
    """
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        found = rows.find_season(club=access.club, reference=season)
        people = _people(access, found, entries)
        alike: dict[object, list[SessionInput]] = defaultdict(list)
        for data in entries:
            is_asked = any(seat.player in people for seat in data.players)
            alike[data.planned_rounds, len(data.players), is_asked].append(data)
        checked: list[tuple[list[SessionInput], rows.Checked]] = []
        for some in alike.values():
            # What the rules say of one they say of all.
            data = some[0]
            players = find(club=access.club, references=evenings.references(data))
            try:
                its = rows.check(
                    club=access.club, data=data, season=found, players=players, confirm=confirm, now=now, known={}
                )
            except (InputError, NeedsConfirmation) as error:
                return data, error
            checked.append((some, its))
        for some, its in checked:
            _open_alike(access, some, its, found, now)
    return None


def _people(access: Access, season: Season | None, entries: Sequence[SessionInput]) -> set[object]:
    """Those who are asked to agree to what they played, where the season asks anybody."""
    if season is None or not season.needs_confirmation:
        return set()
    seated = {seat.player for data in entries for seat in data.players}
    people = Player.objects.filter(club=access.club, kind=PlayerKind.PERSON, pk__in=seated)
    return set(people.values_list("pk", flat=True))


def _open_alike(
    access: Access, entries: Sequence[SessionInput], checked: rows.Checked, season: Season | None, now: datetime
) -> None:
    """Store open sessions that differ from the first, which was checked, in their tables and players alone."""
    pattern = _session_row(access, entries[0], season, checked, now)
    seated = [[cast(int, seat.player) for seat in data.players] for data in entries]
    ids = insert_like(
        pattern,
        {"table_id": [data.table for data in entries], "digest": [rows.digest_of_open(its) for its in seated]},
    )
    seats = [(pk, player, seat) for pk, its in zip(ids, seated, strict=True) for seat, player in enumerate(its)]
    sessions, players, numbers = zip(*seats, strict=True)
    insert_like(Seat(club=access.club), {"session_id": sessions, "player_id": players, "number": numbers})
    told = rows.snapshot_of(pattern, checked)
    snapshots = [
        {**told, "players": [rows.seat_told(player, seat) for seat, player in enumerate(its)]} for its in seated
    ]
    revision = rows.revision_row(pattern, access=access, kind=RevisionKind.RECORDED, now=now, data=told)
    insert_like(revision, {"session_id": ids, "data": snapshots})
    about = _about(pattern, checked)
    audit.write_many(access=access, action="session.recorded", data=dict.fromkeys(ids, about), now=now)


@dataclass(frozen=True, slots=True)
class Entry:
    """A session to record among others, with the codes of warnings that are right nevertheless."""

    data: SessionInput
    confirm: frozenset[str] = frozenset()


def record_many(
    *, access: Access, entries: Sequence[Entry], together: bool, now: datetime
) -> list[Session | ServiceError]:
    """Record many sessions; for each, in their order, the session or why it was refused.

    `together`: all or none, and where one is refused the list tells of all that are wrong and nothing is stored.
    Otherwise each is right or wrong for itself; either way one transaction stores them, so that a database that gives
    up half-way has stored nothing.
    """
    access.require(Role.SCOREKEEPER)
    outcomes: list[Session | ServiceError] = []
    with transaction.atomic():
        # Of two who send the same seasons in different orders neither waits for the other.
        rows.lock_seasons(club=access.club, references=[entry.data.season for entry in entries])
        for entry in entries:
            try:
                outcomes.append(record(access=access, data=entry.data, confirm=entry.confirm, now=now))
            except ServiceError as error:
                outcomes.append(error)
        if together and any(isinstance(outcome, ServiceError) for outcome in outcomes):
            transaction.set_rollback(True)
    return outcomes


def _tell(session: Session, access: Access, now: datetime, *, rounds: int, score: SessionScore | None) -> None:
    """Tell other programs of new rounds, and of the end that they or a call may have brought."""
    events = ["result.recorded"] if rounds else []
    seasons = {}
    if score is not None:
        events.append("session.finished")
        if session.counts and session.season_id is not None:
            seasons[session.season_id] = [one.player for one in score.results if one.place is not None]
    rows.tell(session, access=access, events=events, now=now, seasons=seasons)


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
        session, season = rows.open_session(access, session_id)
        seats = rows.stored_seats(session)
        played = list(session.rounds.order_by("number").values_list("game", flat=True))
        following = len(played) + 1
        if number not in {None, following}:
            message = _("The next round of this session is number %(number)d.") % {"number": following}
            raise Conflict("not_the_next_round", message)
        number = following
        named: list[tuple[Path, str]] = [*(((), key) for key in played), (("game",), data.game)]
        known = games.find(club=access.club, references=named, session_id=session.pk)
        tournament_results.check_games(session, [(("game",), data.game)])
        planned, warnings = check_plan(
            session.format,
            [*played, data.game],
            known=known,
            repeats=session.repeats,
            planned=session.planned_rounds,
            players=max(1, sum(seat.plays(number) for seat in seats)),
            adding=True,
        )
        references = [(("scores", i, "player"), score.player) for i, score in enumerate(data.scores)]
        seated = [seat.player.pk for seat in seats if seat.plays(number)]
        players = find(club=access.club, references=references, seated=seated)
        scored = evenings.score(data, number, seats, players, game=known[data.game], path=())
        fresh = [warning for warning in warnings if warning.code not in session.confirmed]
        rows.store_rounds(session, [scored])
        is_settled = number < planned and tournament_results.is_settled(session)
        if is_settled:
            # Won before the last of so many games, which nobody plays any more: it was not broken off.
            session.planned_rounds = planned = number
        result = rows.finish(session, season) if number == planned else None
        rows.refresh_digest(session)
        if result is not None:
            fresh += _entered_twice(session)
        confirmed_codes([*fresh, *scored.warnings], confirm)
        session.confirmed = sorted({*session.confirmed, *(warning.code for warning in fresh)})
        rows.save(session)
        rows.write_revision(session, access=access, kind=RevisionKind.ROUND_RECORDED, now=now)
        audit.write(
            access=access,
            action="round.recorded",
            object_id=session.pk,
            data={"round": number, "game": data.game, "status": session.status},
            now=now,
        )
        _tell(session, access, now, rounds=1, score=result)
    return session


def _entered_twice(session: Session) -> list[Problem]:
    """The warning that the evening that ends here stands in another session too, unless that was confirmed."""
    if "possible_duplicate" in session.confirmed:
        return []
    return rows.same_evening(session, by_points=session.rounds.filter(scores__points__isnull=False).exists())


def end(*, access: Access, session_id: int, confirm: Collection[str], now: datetime) -> Session:
    """End an open session before its last planned round; the season's rules say how it counts.

    Raises NeedsConfirmation (`ends_early`) unless confirmed, InputError when no round was played.
    """
    access.require_results(session_id)
    with transaction.atomic():
        session, season = rows.open_session(access, session_id)
        played = session.rounds.count()
        check_status(SessionStatus.INCOMPLETE, played, session.planned_rounds)
        message = _("%(played)d of %(planned)d rounds were played; a session that is ended takes no more.")
        warning = Problem(("status",), "ends_early", message % {"played": played, "planned": session.planned_rounds})
        warnings = [warning, *_entered_twice(session)]
        confirmed_codes(warnings, confirm)
        session.confirmed = sorted({*session.confirmed, *(one.code for one in warnings)})
        result = rows.finish(session, season)
        rows.save(session)
        rows.write_revision(session, access=access, kind=RevisionKind.ENDED, now=now)
        audit.write(access=access, action="session.ended", object_id=session.pk, data={"rounds": played}, now=now)
        _tell(session, access, now, rounds=0, score=result)
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
        session, _season = rows.open_session(access, session_id)
        played = session.rounds.count()
        sitting = [seat for seat in session.seats.all() if _goes_on(seat, played)]
        seated = [seat.player_id for seat in sitting]
        who = find(club=access.club, references=[(("player",), player)], seated=seated)[player]
        _get_up(who, sitting, played, path=("player",))
        rows.refresh_digest(session)
        rows.save(session)
        rows.write_revision(session, access=access, kind=RevisionKind.SEATS_CHANGED, now=now)
        tournament_results.renew_board(session)
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
        session, _season = rows.open_session(access, session_id)
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
            evenings.check_table(session.format, len(sitting) + 1, club=access.club, path=("player",))
        Seat.objects.create(club=access.club, session=session, player=newcomer, number=number, from_round=played + 1)
        rows.refresh_digest(session)
        rows.save(session)
        rows.write_revision(session, access=access, kind=RevisionKind.SEATS_CHANGED, now=now)
        tournament_results.renew_board(session)
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


__all__ = [
    "Entry",
    "RoundInput",
    "ScoreInput",
    "SeasonRef",
    "SeatInput",
    "SessionInput",
    "end",
    "join",
    "leave",
    "open_all",
    "record",
    "record_all",
    "record_many",
    "record_round",
    "record_sheet",
    "substitute",
]
