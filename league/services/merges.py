"""Two players who are one: the results of one given to the other, and given back.

Terms: the *source* gives all it has and is archived, the *target* has it from then on; whoever names the source means
the target. Promises: a merge is refused where it would put one player on two seats, or into one tournament twice; each
session that changes hands has a new revision; an undo gives back exactly the sessions that were given, and those alone,
with the entries of tournaments that played them.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet, prefetch_related_objects
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.models import (
    BotMatchSeat,
    DivisionPlayer,
    JobState,
    PlannedEvening,
    Player,
    PlayerMerge,
    RevisionKind,
    Role,
    Score,
    Season,
    SeasonStatus,
    Seat,
    Session,
    SessionResult,
    SessionRevision,
    SignUp,
    Tournament,
    TournamentEntry,
)
from league.models.clubs import new_board_state
from league.services import audit, board_states, planned_evenings, standings, webhooks
from league.services import session_rows as rows
from league.services.access import Access
from league.services.errors import Conflict, InputError, NotFound, Problem, overtaken

# Sessions or tournaments that a refusal names; more of them help nobody.
_NAMED = 5
# Sessions that are stored anew in one statement.
_BATCH = 200


def merge(*, access: Access, source_id: int, target_id: int, now: datetime) -> PlayerMerge:
    """Give all results of the source to the target and archive the source.

    Raises NotFound for an unknown source, InputError for a target that can't be, Conflict where both sat in one session
    or bot match or entered one tournament, where a closed season is concerned, and while a bot match of the source is
    still to be played.
    """
    access.require(Role.ADMIN)
    with transaction.atomic():
        sessions, seasons = _locked_sessions(access, Seat.objects.filter(player=source_id))
        tournaments = _locked_tournaments(access, TournamentEntry.objects.filter(player=source_id))
        source, target = _locked_players(access, source_id, target_id)
        _check_open(seasons)
        _check_pair(source, target)
        _check_apart(source, target)
        held = set(Seat.objects.filter(player=source).values_list("session", flat=True))
        entered = set(TournamentEntry.objects.filter(player=source).values_list("tournament", flat=True))
        if held != {session.pk for session in sessions}:
            raise Conflict("changed_meanwhile", _("A session was recorded just now: repeat the request."))
        if entered != tournaments:
            raise overtaken()
        done = PlayerMerge.objects.create(
            club=access.club,
            source=source,
            target=target,
            sessions=[session.pk for session in sessions],
            member=source.member,
            was_archived_at=source.archived_at,
            merged_at=now,
        )
        member, source.member = source.member, None
        source.archived_at, source.merged_into = source.archived_at or now, target
        source.save(update_fields=["member", "archived_at", "merged_into"])
        if member is not None and target.member_id is None:
            target.member = member
            target.save(update_fields=["member"])
        seasons |= _take_along(source, target)
        _move_entries(TournamentEntry.objects.filter(player=source), taker=target)
        _hand_over(access, sessions, seasons, giver=source, taker=target, now=now)
        data = {"target": target.pk, "sessions": len(sessions), "merge": done.pk}
        audit.write(access=access, action="player.merged", object_id=source.pk, data=data, now=now)
        board_states.renew_club(access.club.pk)
    return done


def _take_along(source: Player, target: Player) -> dict[int, Season]:
    """Give the source's places in divisions and sign-ups to the target where it has none; return the seasons concerned.

    Undoing the merge leaves them there: who is to play in what division, and who comes, is said anew by then.
    """
    # The divisions of a closed season stay as they are, and with them its ranks.
    placed = DivisionPlayer.objects.filter(player=source, season__status=SeasonStatus.OPEN)
    # All seasons of the club are locked (`_locked_sessions`).
    seasons = {row.season_id: row.season for row in placed.select_related("season__league")}
    placed.exclude(season__in=DivisionPlayer.objects.filter(player=target).values("season")).update(player=target)
    placed.delete()
    answers = SignUp.objects.filter(player=source)
    evenings = sorted(answers.values_list("evening_id", flat=True))
    # Their answers decide who comes up from the waiting list: nobody may answer meanwhile.
    locked = list(PlannedEvening.objects.select_for_update().filter(pk__in=evenings).order_by("pk"))
    answers.exclude(evening__in=SignUp.objects.filter(player=target).values("evening")).update(player=target)
    answers.delete()
    for evening in locked:
        planned_evenings.settle(evening)
    return seasons


def undo(*, access: Access, source_id: int, now: datetime) -> PlayerMerge:
    """Take the merge of a player back: its sessions are its own again, those recorded since stay with the target.

    An entry of a tournament comes back where sessions of its tables do; one that had played none stays with the target,
    as places in divisions and sign-ups do. Raises NotFound for a player who is not merged, Conflict where that is not
    possible any more.
    """
    access.require(Role.ADMIN)
    with transaction.atomic():
        done = (
            PlayerMerge.objects.select_for_update(of=("self",))
            .filter(club=access.club, source=source_id, undone_at=None)
            .first()
        )
        if done is None:
            raise NotFound(source_id)
        given = Seat.objects.filter(player=done.target_id, session__in=done.sessions)
        sessions, seasons = _locked_sessions(access, given)
        playing = TournamentEntry.objects.filter(player=done.target_id, seats__table__sessions__in=sessions)
        _locked_tournaments(access, playing)
        source, target = _locked_players(access, done.source_id, done.target_id)
        _check_open(seasons)
        if target.merged_into_id is not None:
            message = _("“%(player)s” was merged in turn: take that back first.") % {"player": target.name}
            raise Conflict("merged_since", message)
        if source.erased_at is not None or target.erased_at is not None:
            raise Conflict("player_erased", _("One of the two is erased: there is nobody left to give the results to."))
        entries = list(playing.distinct().select_related("tournament"))
        _check_not_gone_on(entries, sessions)
        done.undone_at = now
        done.save(update_fields=["undone_at"])
        if done.member_id is not None:
            if target.member_id == done.member_id:
                target.member = None
                target.save(update_fields=["member"])
            # Linked to a third player since: it stays there.
            if not Player.objects.filter(member=done.member_id).exists():
                source.member = done.member
        source.archived_at, source.merged_into = done.was_archived_at, None
        source.save(update_fields=["member", "archived_at", "merged_into"])
        _move_entries(TournamentEntry.objects.filter(pk__in=[entry.pk for entry in entries]), taker=source)
        _hand_over(access, sessions, seasons, giver=target, taker=source, now=now)
        data = {"target": target.pk, "sessions": len(sessions), "merge": done.pk}
        audit.write(access=access, action="player.unmerged", object_id=source.pk, data=data, now=now)
        board_states.renew_club(access.club.pk)
    return done


def _locked_sessions(access: Access, seats: "Iterable[Seat]") -> tuple[list[Session], dict[int, Season]]:
    """The sessions of these seats and their seasons, all locked: the seasons first, each kind in order of its ids."""
    # All seasons of the club: in one where the player has no session yet, somebody may be about to record the first.
    every = Season.objects.select_for_update(of=("self",), no_key=True).filter(club=access.club)
    by_id = {season.pk: season for season in every.select_related("league").order_by("pk")}
    ids = {seat.session_id for seat in seats}
    locked = Session.objects.select_for_update(of=("self",)).filter(club=access.club, pk__in=ids)
    sessions = list(locked.order_by("pk"))
    concerned = {session.season_id for session in sessions if session.season_id is not None}
    return sessions, {pk: by_id[pk] for pk in sorted(concerned)}


def _locked_tournaments(access: Access, entries: "QuerySet[TournamentEntry]") -> set[int]:
    """Lock the tournaments of these entries, after seasons and sessions as whoever changes a tournament does."""
    concerned = sorted(set(entries.values_list("tournament_id", flat=True)))
    locked = Tournament.objects.select_for_update(of=("self",)).filter(club=access.club, pk__in=concerned)
    return {tournament.pk for tournament in locked.order_by("pk")}


def _locked_players(access: Access, source_id: int, target_id: int) -> tuple[Player, Player]:
    """Both, locked, so that no seat is given to either meanwhile."""
    players = Player.objects.select_for_update(of=("self",)).filter(club=access.club, pk__in=(source_id, target_id))
    found = {player.pk: player for player in players.order_by("pk")}
    if source_id not in found:
        raise NotFound(source_id)
    if target_id not in found:
        raise InputError([Problem(("into",), "unknown_player", _("Give the id of another player of this club."))])
    return found[source_id], found[target_id]


def _check_open(seasons: dict[int, Season]) -> None:
    closed = [str(season) for season in seasons.values() if season.status == SeasonStatus.CLOSED]
    if closed:
        message = _("Results of a closed season would change: %(seasons)s. Reopen it first.")
        raise Conflict("season_closed", message % {"seasons": ", ".join(closed)})


def _check_pair(source: Player, target: Player) -> None:
    """Raise where the two can't be one."""
    problem = ""
    if source == target:
        problem, code = _("A player can't be merged with itself: name another."), "same_player"
    elif target.archived_at is not None:
        problem, code = _("“%(player)s” is archived: merge into an active player."), "archived"
    elif (source.kind, source.bot) != (target.kind, target.bot):
        problem, code = _("“%(player)s” is of another kind: people merge with people, a bot with the same bot."), "kind"
    if problem:
        raise InputError([Problem(("into",), code, problem % {"player": target.name})])
    if source.merged_into_id is not None:
        raise Conflict("already_merged", _("“%(player)s” is merged already.") % {"player": source.name})
    if source.erased_at is not None:
        raise Conflict("player_erased", _("“%(player)s” is erased and can't be merged.") % {"player": source.name})


def _check_apart(source: Player, target: Player) -> None:
    """Raise Conflict where both sat at one table, and for a bot match that is not over."""
    shared = Session.objects.filter(seats__player=source).filter(seats__player=target).distinct().order_by("pk")
    if found := list(shared[: _NAMED + 1]):
        names = [
            _("session %(id)d of %(day)s") % {"id": one.pk, "day": date_format(one.played_on, "SHORT_DATE_FORMAT")}
            for one in found[:_NAMED]
        ]
        message = _("Both sat in one session, so they are two: %(sessions)s.")
        listed = ", ".join([*names, *(["…"] if len(found) > _NAMED else [])])
        raise Conflict("both_in_one_session", message % {"sessions": listed})
    waiting = (JobState.QUEUED, JobState.RUNNING)
    if BotMatchSeat.objects.filter(player=source, bot_match__job__state__in=waiting).exists():
        raise Conflict("bot_match_pending", _("A bot match of this player is still to be played: wait for its end."))

    both = Tournament.objects.filter(entries__player=source).filter(entries__player=target).distinct().order_by("pk")
    if names := list(both.values_list("name", flat=True)[: _NAMED + 1]):
        message = _("Both have entered one tournament: %(tournaments)s. Take one of the entries out first.")
        listed = ", ".join([*names[:_NAMED], *(["…"] if len(names) > _NAMED else [])])
        raise Conflict("both_in_one_tournament", message % {"tournaments": listed})


def _check_not_gone_on(entries: Sequence[TournamentEntry], sessions: Sequence[Session]) -> None:
    """Raise Conflict where an entry's tables have other sessions than those that are given back."""
    ids = [session.pk for session in sessions]
    for entry in entries:
        played = Session.objects.filter(table__seats__entry=entry, voided_at=None)
        if played.exclude(pk__in=ids).exists():
            message = _("The tournament “%(tournament)s” went on since: take its later rounds or results back first.")
            raise Conflict("tournament_went_on", message % {"tournament": entry.tournament.name})


def _move_entries(entries: "QuerySet[TournamentEntry]", *, taker: Player) -> None:
    """Give entries of tournaments, which are locked, to a player."""
    concerned = list(entries.values_list("tournament_id", flat=True))
    entries.update(player=taker)
    Tournament.objects.filter(pk__in=concerned).update(version=F("version") + 1, board_state=new_board_state())


def _hand_over(
    access: Access,
    sessions: Sequence[Session],
    seasons: dict[int, Season],
    *,
    giver: Player,
    taker: Player,
    now: datetime,
) -> None:
    """Give all that the giver has in these sessions to the taker, and bring the standings of both up to date."""
    ids = [session.pk for session in sessions]
    told = SessionRevision.objects.filter(session__in=ids).values("session")
    for session in Session.objects.filter(pk__in=ids).exclude(pk__in=told):
        # Before anything moves: the history begins with how it was.
        rows.keep_first(session, rows.snapshot(session))
    Seat.objects.filter(session__in=ids, player=giver).update(player=taker)
    Score.objects.filter(round__session__in=ids, player=giver).update(player=taker)
    SessionResult.objects.filter(session__in=ids, player=giver).update(player=taker)
    BotMatchSeat.objects.filter(bot_match__session__in=ids, player=giver).update(player=taker)
    for season in seasons.values():
        standings.refresh(season=season, players=[giver.pk, taker.pk])
    # In few statements however many sessions there are: nobody in the club can record meanwhile.
    prefetch_related_objects(sessions, "seats", "rounds__scores", "results")
    for session in sessions:
        rows.refresh_digest(session)
        session.revision += 1
    Session.objects.bulk_update(sessions, ["digest", "revision"], batch_size=_BATCH)
    kind, reason = RevisionKind.CORRECTED, _reason(giver, taker)
    rows.store_revisions(
        (
            rows.revision_row(session, access=access, kind=kind, now=now, data=rows.snapshot(session), reason=reason)
            for session in sessions
        ),
        also=[giver.pk],
    )
    if webhooks.are_wanted(club=access.club):
        for session in sessions:
            season_id = session.season_id if session.counts else None
            moved = {season_id: {giver.pk, taker.pk}} if season_id is not None else {}
            rows.tell(session, access=access, events=["result.corrected"], now=now, seasons=moved)


def _reason(giver: Player, taker: Player) -> str:
    # Ids: a revision never names a player, who may be erased.
    return f"player {giver.pk} → {taker.pk}"


def moved_by(reason: str) -> tuple[int, int] | None:
    """(giver, taker) where the reason of a revision is a merge's or its undoing's, and no sentence of a person."""
    found = re.fullmatch(r"player ([0-9]{1,18}) → ([0-9]{1,18})", reason)
    return (int(found[1]), int(found[2])) if found else None
