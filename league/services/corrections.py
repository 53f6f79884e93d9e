"""Corrections of recorded sessions: changed, voided, restored; and what a change would move.

Terms: a *correction* is a new revision of the same session through the same checks as its first recording; a *void*
session enters nothing and can be restored; a *rehearsal* carries a change out and takes it back. Promises: nothing is
overwritten without a trace: each change leaves a revision with who, when and why; standings follow in the same
transaction. Never: changes a session of a closed season.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import F, prefetch_related_objects
from django.utils.translation import gettext as _

from league.models import (
    BotMatch,
    ChangedSession,
    Confirmation,
    Player,
    RevisionKind,
    Role,
    Score,
    Season,
    Session,
    SessionFormat,
    SessionResult,
    SessionRevision,
    SessionStatus,
    Standing,
)
from league.models.sheets import ScoreSheet, score_sheet
from league.services import audit, evenings, ratings, standings, tournament_previews, tournament_results, webhooks
from league.services import session_rows as rows
from league.services.access import Access
from league.services.clubs import is_text
from league.services.errors import Conflict, InputError, NeedsConfirmation, NotFound, Path, Problem, overtaken
from league.services.evenings import RoundInput, ScoreInput, SeatInput, SessionInput
from league.services.players import find
from league.services.tournament_changes import Overtaken
from league.services.tournament_previews import TournamentMoves

FIELDS = frozenset(
    {
        "format",
        "played_on",
        "players",
        "season",
        "repeats",
        "planned_rounds",
        "location",
        "comment",
        "rounds",
        "status",
    }
)
MAXIMUM_REASON = 300
# A format's own number of rounds can't be given with another format.
_OWN_PLAN = {SessionFormat.PURE_XXL, SessionFormat.SINGLE_GAME}


def correct(
    *,
    access: Access,
    session_id: int,
    changes: Mapping[str, Any],
    reason: str,
    expected: int | None,
    confirm: Collection[str],
    now: datetime,
) -> Session:
    """Change `FIELDS` of a session; what is not named stays. Without a difference nothing is stored.

    `expected` is the revision that the change was made for (None: whichever is there). Raises Stale for another one,
    InputError and NeedsConfirmation as `results.record` does (what was confirmed of a round that stays need not be
    again; `ends_early` where rounds are taken away from a complete session), Conflict for a closed season, a void
    session or a bot match.
    """
    access.require(Role.SCOREKEEPER)
    unknown = set(changes) - FIELDS
    if unknown:
        raise ValueError(f"no fields of a session: {sorted(unknown)}")
    reason = checked_reason(reason)
    with transaction.atomic():
        session, before, after = _locked_for_change(access, session_id, expected, changes)
        rows.check_not_void(session)
        if BotMatch.objects.filter(session=session).exists():
            raise Conflict("played_by_bots", _("What bots played can't be changed; void it instead."))
        was = rows.snapshot(session)
        rows.keep_first(session, was)
        stored = as_input(session)
        data = _changed(stored, changes, session)
        had = {one.game for one in stored.rounds}
        given = [(("rounds", index, "game"), one.game) for index, one in enumerate(data.rounds) if one.game not in had]
        tournament_results.check_games(session, given)
        seated = [seat.player.pk for seat in rows.stored_seats(session)]
        players = find(club=access.club, references=evenings.references(data), seated=seated)
        tournament_results.check_players(session, {players[seat.player].pk for seat in data.players})
        checked = rows.check(
            club=access.club,
            data=data,
            season=after,
            players=players,
            confirm=confirm,
            now=now,
            own=session.pk,
            settled=_settled(session, stored, data),
            warnings=_takes_away(session, data),
        )
        # What was confirmed earlier is no difference: that another session is alike may have changed by itself.
        if {**_put(session, data, checked, after, was), "confirmed": was["confirmed"]} == was:
            return Session.objects.get(pk=session.pk)
        moved = rows.placed_in(session, before, counted=bool(was["counts"]))
        created_at = {one.number: one.created_at for one in session.rounds.all()}
        for stale in (Score.objects.filter(round__session=session), session.rounds.all(), session.seats.all()):
            stale.delete()
        rows.save(session)
        rows.store_seats(session, checked.seats)
        rows.store_rounds(session, checked.scored, created_at=created_at)
        rows.replace_results(session, checked.score)
        for season, who in rows.placed_in(session, after, counted=session.counts).items():
            moved[season] = moved.get(season, set()) | who
        rows.write_revision(
            session, access=access, kind=RevisionKind.CORRECTED, now=now, checked=checked, reason=reason, was=was
        )
        _finish_change(
            session,
            moved=moved,
            was=was,
            access=access,
            action="session.corrected",
            fields=sorted(changes),
            now=now,
        )
    return Session.objects.get(pk=session.pk)


def void(*, access: Access, session_id: int, reason: str, expected: int | None = None, now: datetime) -> Session:
    """Take a session out of everything; it stays readable and can be restored. Raises as `correct` does."""
    return _set_void(access, session_id, reason, expected, now, void=True)


def void_all(*, access: Access, session_ids: Collection[int], reason: str, now: datetime) -> None:
    """Take sessions out of everything in few statements, as `void` takes one; those that are void stay as they are.

    Raises Conflict for a closed season, and for a session that came into another one just now; nothing is changed then.
    """
    access.require(Role.SCOREKEEPER)
    reason = checked_reason(reason)
    with transaction.atomic():
        found = Session.objects.filter(club=access.club, pk__in=session_ids, voided_at=None)
        named = {pk for pk in found.values_list("season_id", flat=True) if pk is not None}
        seasons = {pk: rows.find_season(club=access.club, reference=pk) for pk in sorted(named)}
        sessions = list(found.select_for_update().order_by("pk"))
        if any(session.season_id not in {None, *seasons} for session in sessions):
            raise overtaken()
        prefetch_related_objects(sessions, "seats", "rounds__scores", "results")
        told = set(SessionRevision.objects.filter(session__in=sessions).values_list("session_id", flat=True))
        moved: dict[int, dict[int, set[int]]] = {}
        for session in sessions:
            if session.pk not in told:
                rows.keep_first(session, rows.snapshot(session))
            # By what was read: `placed_in` would ask for each.
            placed = {one.player_id for one in session.results.all() if one.place is not None}
            moved[session.pk] = {session.season_id: placed} if session.season_id and session.counts else {}
            session.voided_at, session.counts = now, False
            session.revision += 1
        found.update(voided_at=now, counts=False, revision=F("revision") + 1)
        kind = RevisionKind.VOIDED
        rows.store_revisions(
            rows.revision_row(session, access=access, kind=kind, now=now, data=rows.snapshot(session), reason=reason)
            for session in sessions
        )
        for pk, season in seasons.items():
            if season is not None:
                concerned = set().union(*(its.get(pk, ()) for its in moved.values()))
                standings.refresh(season=season, players=concerned)
        revisions = {session.pk: {"revision": session.revision} for session in sessions}
        audit.write_many(access=access, action=f"session.{kind}", data=revisions, now=now)
        if webhooks.are_wanted(club=access.club):
            for session in sessions:
                rows.tell(session, access=access, events=["result.corrected"], now=now, seasons=moved[session.pk])


def restore(*, access: Access, session_id: int, reason: str, expected: int | None = None, now: datetime) -> Session:
    """Bring a void session back, by the rules that its season has now. Raises as `correct` does."""
    return _set_void(access, session_id, reason, expected, now, void=False)


def _set_void(
    access: Access, session_id: int, reason: str, expected: int | None, now: datetime, *, void: bool
) -> Session:
    access.require(Role.SCOREKEEPER)
    reason = checked_reason(reason)
    with transaction.atomic():
        session, season = rows.locked(access, session_id, expected=expected)
        if void:
            rows.check_not_void(session)
        elif session.voided_at is None:
            raise Conflict("not_void", _("This session is not void."))
        else:
            tournament_results.check_takes(session)
        was = rows.snapshot(session)
        rows.keep_first(session, was)
        moved = rows.placed_in(session, season, counted=bool(was["counts"]))
        session.voided_at = now if void else None
        score = rows.stored_score(session, season) if session.status != SessionStatus.OPEN else None
        session.counts = rows.counts(session, season, score)
        if not void:
            rows.replace_results(session, score)
            moved |= rows.placed_in(session, season, counted=session.counts)
        rows.save(session)
        kind = RevisionKind.VOIDED if void else RevisionKind.RESTORED
        rows.write_revision(session, access=access, kind=kind, now=now, reason=reason)
        _finish_change(session, moved=moved, was=was, access=access, action=f"session.{kind}", now=now)
    return Session.objects.get(pk=session.pk)


def _finish_change(
    session: Session,
    *,
    moved: Mapping[int, set[int]],
    was: Mapping[str, object],
    access: Access,
    action: str,
    fields: Sequence[str] = (),
    now: datetime,
) -> None:
    """Standings, audit trail and messages of a change; `moved`: the players concerned by id of the season."""
    for season in Season.objects.filter(pk__in=moved).order_by("pk"):
        standings.refresh(season=season, players=moved[season.pk])
    audit.write(
        access=access,
        action=action,
        object_id=session.pk,
        data={"revision": session.revision, **({"fields": fields} if fields else {})},
        now=now,
    )
    events = ["result.corrected"]
    if was["status"] == SessionStatus.OPEN != session.status:
        events.append("session.finished")
    rows.tell(session, access=access, events=events, now=now, seasons=moved)


def _locked_for_change(
    access: Access, session_id: int, expected: int | None, changes: Mapping[str, Any]
) -> tuple[Session, Season | None, Season | None]:
    """The session, the season it is in and the one it is to be in, all locked, the seasons in order of their ids."""
    plain = Session.objects.filter(club=access.club, pk=session_id).values_list("season_id", flat=True).first()
    target = changes.get("season", plain)
    if isinstance(target, str):
        league, _slash, slug = target.partition("/")
        named = Season.objects.filter(club=access.club, league__slug=league, slug=slug) if is_text(target) else None
        found = named.values_list("pk", flat=True).first() if named is not None else None
        if found is None:
            rows.find_season(club=access.club, reference=target)  # says what is wrong
        target = found
    seasons = {pk: rows.find_season(club=access.club, reference=pk) for pk in sorted({plain, target} - {None}, key=int)}
    session, before = rows.locked(access, session_id, expected=expected)
    if session.season_id != plain:
        raise overtaken()
    return session, before, seasons[target] if target is not None else None


def as_input(session: Session) -> SessionInput:
    """A stored session as it would be given anew: by ids; places only where there are no points."""
    prefetch_related_objects([session], "rounds__scores")
    return SessionInput(
        format=session.format,
        played_on=session.played_on,
        players=tuple(
            SeatInput(seat.player.pk, seat.number, seat.from_round, seat.until_round)
            for seat in rows.stored_seats(session)
        ),
        season=session.season_id,
        repeats=session.repeats,
        planned_rounds=session.planned_rounds,
        location=session.location,
        comment=session.comment,
        rounds=tuple(
            RoundInput(
                game=one.game,
                note=one.note,
                scores=tuple(
                    ScoreInput(score.player_id, score.points, score.place if score.points is None else None)
                    for score in sorted(one.scores.all(), key=lambda score: score.pk)
                ),
            )
            for one in session.rounds.all()
        ),
        status=session.status,
    )


def _changed(stored: SessionInput, changes: Mapping[str, Any], session: Session) -> SessionInput:
    """The session as it is to be. Where the status is not given, it follows from the rounds."""
    data = replace(stored, **changes)
    if "planned_rounds" not in changes and (data.format in _OWN_PLAN or data.format != stored.format):
        data = replace(data, planned_rounds=None if data.format in _OWN_PLAN else stored.planned_rounds)
    if "status" in changes or session.status == SessionStatus.OPEN:
        return data
    planned = data.planned_rounds
    if data.format in _OWN_PLAN:
        planned = 6 * data.repeats if data.format == SessionFormat.PURE_XXL else 1
    complete = planned is None or len(data.rounds) >= planned
    return replace(data, status=SessionStatus.COMPLETE if complete else SessionStatus.INCOMPLETE)


def _settled(session: Session, stored: SessionInput, data: SessionInput) -> dict[int, Collection[str]]:
    """Codes that were confirmed for what stays as it is."""
    settled: dict[int, Collection[str]] = {0: session.confirmed}
    for one, old, new in zip(session.rounds.all(), stored.rounds, data.rounds, strict=False):
        if old == new:
            settled[one.number] = one.confirmed
    return settled


def _takes_away(session: Session, data: SessionInput) -> list[Problem]:
    """The warning that a complete session would be one that ended early."""
    if session.status != SessionStatus.COMPLETE or data.status != SessionStatus.INCOMPLETE:
        return []
    message = _("The session was complete; with %(rounds)d rounds it counts as ended early.")
    return [Problem(("rounds",), "ends_early", message % {"rounds": len(data.rounds)})]


def _put(
    session: Session, data: SessionInput, checked: rows.Checked, season: Season | None, was: Mapping[str, object]
) -> dict[str, object]:
    """Put the new values on the session, unsaved; return the snapshot that it would have."""
    same_result = session.digest == checked.digest and session.played_on == data.played_on
    session.format, session.planned_rounds, session.repeats = data.format, checked.planned, checked.repeats
    session.season, session.played_on = season, data.played_on
    session.location, session.comment = data.location, data.comment
    early = {"ends_early"} & set(session.confirmed if checked.status == SessionStatus.INCOMPLETE else ())
    session.status, session.digest = checked.status, checked.digest
    session.confirmed = sorted({*checked.confirmed, *early})
    if session.season_id != was["season"]:
        session.confirmation = rows.asked(season, (seat.player for seat in checked.seats))
    elif session.confirmation and not same_result:
        # Whoever corrects what was disputed has decided; any other result is one that nobody has agreed with yet.
        disputed = session.confirmation == Confirmation.DISPUTED
        session.confirmation = Confirmation.CONFIRMED if disputed else Confirmation.AWAITED
    session.counts = rows.counts(session, season, checked.score)
    return rows.snapshot_of(session, checked)


def checked_reason(reason: str) -> str:
    """Return why a change was made, with single spaces. Raises InputError when nothing or too much is said."""
    reason = " ".join(reason.split())
    if not reason or len(reason) > MAXIMUM_REASON or not is_text(reason):
        message = _("Say why, in 1 to %(maximum)d characters.") % {"maximum": MAXIMUM_REASON}
        raise InputError([Problem(("reason",), "required", message)])
    return reason


# --- Rounds alone -----------------------------------------------------------------------------------------------------


def correct_round(
    *,
    access: Access,
    session_id: int,
    number: int,
    data: RoundInput,
    reason: str,
    expected: int | None,
    confirm: Collection[str],
    now: datetime,
) -> Session:
    """Change one round of a session (`number` from 1), as `correct` does; problems name places within the round."""
    access.require(Role.SCOREKEEPER)
    with transaction.atomic():
        session, _season = rows.locked(access, session_id, expected=expected)
        rounds = list(as_input(session).rounds)
        if not 1 <= number <= len(rounds):
            raise NotFound(number)
        rounds[number - 1] = data
        inside: Path = ("rounds", number - 1)

        def shorter(problems: Sequence[Problem]) -> list[Problem]:
            return [replace(one, path=one.path[2:]) if one.path[:2] == inside else one for one in problems]

        try:
            return correct(
                access=access,
                session_id=session_id,
                changes={"rounds": tuple(rounds)},
                reason=reason,
                expected=expected,
                confirm=confirm,
                now=now,
            )
        except InputError as error:
            raise InputError(shorter(error.problems)) from error
        except NeedsConfirmation as error:
            raise NeedsConfirmation(shorter(error.warnings)) from error


# --- What a change would move -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Placed:
    """A player's place and place sum in a session; None: not in it, or without a place."""

    place: int | None
    place_sum: int | None


_NO_PLACE = Placed(None, None)


@dataclass(frozen=True, slots=True)
class PlayerMove:
    """What a change makes of a player's result in the session."""

    player: Player
    before: Placed
    after: Placed


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line in a season's table; `rank` is None below the season's minimum of sessions.

    `value` is what the season ranks by, made of `counted` sessions and missed evenings.
    """

    rank: int | None
    sessions: int
    place_average: float
    wins: int
    value: float
    counted: int


@dataclass(frozen=True, slots=True)
class StandingMove:
    """A player's line in a season's table before and after; None: not in it."""

    season: Season
    player: Player
    before: Line | None
    after: Line | None


@dataclass(frozen=True, slots=True)
class RatingMove:
    """A player's rating as it is shown, before and after; None: there is none."""

    player: Player
    board: str
    family: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class RatingMoves:
    """From which day on ratings are computed anew (None: they stay), and whose move.

    `is_told` is False where too many sessions were played since to say whose in an instant; then `players` is empty.
    """

    from_day: date | None
    is_told: bool
    players: tuple[RatingMove, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a change would make of a session (`sheet`), of its players' places, of the standings and of the ratings.

    `has_season` says whether it is or would be in one. `tournament` is None where it is no table of a tournament.
    """

    sheet: ScoreSheet
    players: tuple[PlayerMove, ...]
    standings: tuple[StandingMove, ...]
    ratings: RatingMoves
    has_season: bool
    tournament: TournamentMoves | None = None

    @property
    def tournament_rounds(self) -> tuple[Overtaken, ...]:
        """Tournament rounds that were paired on the result as it was."""
        return self.tournament.rounds if self.tournament is not None else ()

    @property
    def tournament_stages(self) -> tuple[int, ...]:
        """The numbers of stages into which others would have come, or by other seeds."""
        return self.tournament.stages if self.tournament is not None else ()


def rehearse(change: Callable[[], Session], *, access: Access, session_id: int | None) -> Preview:
    """Carry out a change, see what it moves, and take it back. Raises what the change raises.

    `session_id` is that of the session that is changed; None: the change records a new one.
    """
    stored = Session.objects.filter(club=access.club, pk=session_id or 0)
    due = ChangedSession.objects.filter(club=access.club).order_by("-pk")
    with transaction.atomic():
        left = list(stored.values_list("season_id", flat=True))
        earlier = due.values_list("pk", flat=True).first() or 0
        changed = change()
        mark = due.filter(session=changed, pk__gt=earlier).first()
        rated_after = _rated(mark)
        after = _results(changed.pk)
        sheet = score_sheet(Session.objects.select_related("season__league", "club").get(pk=changed.pk))
        tables_after = {pk: _table(pk) for pk in {*left, changed.season_id} if pk is not None}
        of_tournament = tournament_previews.read_after(changed)
        transaction.set_rollback(True)
    before = _results(session_id) if session_id is not None else {}
    tables_before = {pk: _table(pk) for pk in tables_after}
    concerned = {*before, *after}.union(*tables_before.values(), *tables_after.values())
    rated_before = _rated(mark)
    moved = ratings.compare(rated_before, rated_after) if rated_before and rated_after else ()
    players = Player.objects.in_bulk(concerned | {move.key.player for move in moved})
    found = Season.objects.select_related("league").in_bulk(tables_after)
    return Preview(
        sheet=sheet,
        players=tuple(
            PlayerMove(players[pk], before.get(pk, _NO_PLACE), after.get(pk, _NO_PLACE))
            for pk in sorted({*before, *after})
        ),
        standings=tuple(
            StandingMove(found[season], players[pk], tables_before[season].get(pk), line)
            for season in sorted(tables_after)
            for pk, line in _moved(tables_before[season], tables_after[season])
        ),
        ratings=RatingMoves(
            mark.from_day if mark is not None else None,
            mark is None or not (rated_before is None or rated_after is None),
            tuple(
                RatingMove(players[move.key.player], move.key.board, move.key.family, move.before, move.after)
                for move in moved
            ),
        ),
        has_season=bool(tables_after),
        tournament=tournament_previews.moves(of_tournament) if of_tournament is not None else None,
    )


def _rated(mark: ChangedSession | None) -> ratings.Replay | None:
    """The ratings that follow from what is stored at the moment, from the day of a change on."""
    return ratings.foresee(club_id=mark.club_id, from_day=mark.from_day) if mark is not None else None


def _results(session_id: int) -> dict[int, Placed]:
    rows_ = SessionResult.objects.filter(session=session_id).values_list("player_id", "place", "place_sum")
    return {player: Placed(place, place_sum) for player, place, place_sum in rows_}


def _table(season_id: int) -> dict[int, Line]:
    season = Season.objects.get(pk=season_id)
    return {
        row.player_id: Line(vars(row)["rank"], row.sessions, row.place_average, row.wins, row.value, row.counted)
        for row in Standing.objects.table(season)
    }


def _moved(before: Mapping[int, Line], after: Mapping[int, Line]) -> Iterator[tuple[int, Line | None]]:
    """Whose line is another one afterwards: (player's id, the line then)."""
    for pk in sorted({*before, *after}):
        if before.get(pk) != after.get(pk):
            yield pk, after.get(pk)
