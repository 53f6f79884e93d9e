"""Results of tournament tables: taken over from their sessions, in the transaction that changes a session.

Promises: a table is decided exactly while its session is ended, not void and not disputed, or while it is a bye or a
forfeit; its seats hold what the session says. A player who has no place in the session comes behind all who have. Who
substitutes somebody plays for the session alone: the entry is whom the table was made for. Never: decides who is paired
next; a correction after the next tournament round was paired changes nothing in that round by itself.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db.models import F, Q
from django.utils.translation import gettext as _

from league.models import (
    Confirmation,
    Score,
    Session,
    SessionFormat,
    SessionResult,
    SessionStatus,
    Stage,
    Tournament,
    TournamentMetric,
    TournamentSeat,
    TournamentTable,
    TournamentTableKind,
)
from league.models.clubs import new_board_state
from league.services.errors import Conflict, InputError, Path, Problem, not_a_choice
from league.services.tournament_formats import plays_best_of


def follow(sessions: Iterable[Session]) -> None:
    """Take over what sessions say into their tables, where they are such; no query where none is.

    Called inside the transaction of the change, once the results are stored.
    """
    of_tables = {one.table_id: one for one in sessions if one.table_id is not None}
    if not of_tables:
        return
    counting = [pk for pk, session in of_tables.items() if _counts(session)]
    concerned = TournamentTable.objects.filter(pk__in=of_tables, kind=TournamentTableKind.PLAYED)
    tables = {table.pk: table for table in concerned.filter(Q(decided=True) | Q(pk__in=counting))}
    if not tables:
        # They go on, and nothing came of them yet.
        return
    # Locked in a fixed order: two results of one tournament wait for each other, and never both.
    of_tournaments = TournamentTable.objects.filter(pk__in=tables).values_list(
        "pk", "round__tournament", "round__tournament__metric"
    )
    metrics = {pk: metric for pk, _tournament, metric in of_tournaments}
    for tournament in sorted({one for _pk, one, _metric in of_tournaments}):
        Tournament.objects.filter(pk=tournament).update(version=F("version") + 1, board_state=new_board_state())
    results: dict[int, dict[int, SessionResult]] = defaultdict(dict)
    counted = [of_tables[pk].pk for pk in counting if pk in tables]
    for result in SessionResult.objects.filter(session__in=counted):
        results[result.session_id][result.player_id] = result
    seats: dict[int, list[TournamentSeat]] = defaultdict(list)
    for seat in TournamentSeat.objects.filter(table__in=tables).select_related("entry"):
        seats[seat.table_id].append(seat)
    for pk, table in tables.items():
        found = results.get(of_tables[pk].pk, {})
        _put(seats[pk], found)
        table.decided = any(seat.entry.player_id in found for seat in seats[pk])
        if metrics[pk] == TournamentMetric.GAME_POINTS:
            # Places alone say nothing where points are added up.
            table.decided = any(seat.game_points is not None for seat in seats[pk])
    # All are there, and nobody takes them away while the tournament is locked: to put them once more takes a fraction
    # of the time that `bulk_update` does.
    TournamentSeat.objects.bulk_create(
        [seat for its in seats.values() for seat in its],
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["place", "place_sum", "game_points"],
    )
    for decided in (True, False):
        changed = [pk for pk, table in tables.items() if table.decided is decided]
        if changed:
            TournamentTable.objects.filter(pk__in=changed).update(decided=decided)


def _counts(session: Session) -> bool:
    return (
        session.status != SessionStatus.OPEN
        and session.voided_at is None
        and session.confirmation != Confirmation.DISPUTED
    )


def _put(seats: list[TournamentSeat], results: dict[int, SessionResult]) -> None:
    """Put the results on the seats; places among those who sit here alone, whoever else was in the session."""
    given = {
        seat.pk: results[seat.entry.player_id].place
        for seat in seats
        if seat.entry.player_id in results and results[seat.entry.player_id].place is not None
    }
    places = sorted(place for place in given.values() if place is not None)
    for seat in seats:
        result, place = results.get(seat.entry.player_id), given.get(seat.pk)
        # Of a cooperative game nobody has a place.
        seat.place = None if not places else len(places) + 1 if place is None else places.index(place) + 1
        seat.place_sum = result.place_sum if result is not None and place is not None else None
        seat.game_points = result.points if result is not None else None


def renew_board(session: Session) -> None:
    """Let the pages of a locked session's tournament be read anew, since others sit at its table."""
    if session.table_id is not None:
        Tournament.objects.filter(rounds__tables=session.table_id).update(board_state=new_board_state())


def check_takes(session: Session) -> None:
    """Raise Conflict where a void session, which is locked, can't come back to the table that it was played at.

    Its table is locked from here on: whoever changes who sits there waits.
    """
    if session.table_id is None:
        return
    list(Tournament.objects.select_for_update(of=("self",)).filter(rounds__tables=session.table_id))
    table = TournamentTable.objects.filter(pk=session.table_id).first()
    if table is None:
        return
    if Session.objects.filter(table=table, voided_at=None).exists():
        raise Conflict("table_has_session", _("Its tournament table is played as another session by now."))
    if table.kind != TournamentTableKind.PLAYED:
        message = _("Its tournament table is decided without play by now: take that back first.")
        raise Conflict("table_not_played", message)
    made_for = set(TournamentSeat.objects.filter(table=table).values_list("entry__player", flat=True))
    if not made_for <= set(session.seats.values_list("player", flat=True)):
        raise Conflict("table_has_others", _("Others sit at its tournament table by now."))


def check_players(session: Session, players: Collection[int]) -> None:
    """Raise InputError for a correction by which nobody is left in a session of those whom its table was made for."""
    if session.table_id is None:
        return
    seats = TournamentSeat.objects.filter(table=session.table_id).select_related("entry__player")
    if seats and not any(seat.entry.player_id in players for seat in seats):
        message = _("This is a tournament table of %(players)s: at least one of them plays here.")
        names = ", ".join(seat.entry.player.name for seat in seats)
        raise InputError([Problem(("players",), "others_at_table", message % {"players": names})])


def agreed_game(session: Session) -> str:
    """The key of the game that a tournament's table plays; empty for all other sessions and for several games."""
    if session.table_id is None or session.format not in {SessionFormat.SINGLE_GAME, SessionFormat.SERIES}:
        return ""
    named = TournamentTable.objects.filter(pk=session.table_id).values_list("round__tournament__game", flat=True)
    return named.first() or ""


def check_games(session: Session, played: Iterable[tuple[Path, str]]) -> None:
    """Raise InputError for rounds of a tournament's table, by path and game, that are of another game than agreed."""
    agreed = agreed_game(session)
    if agreed:
        wrong = [not_a_choice(path, "another_game", [agreed]) for path, game in played if game != agreed]
        if wrong:
            raise InputError(wrong)


def is_settled(session: Session) -> bool:
    """Whether an open session of a match for the best of several games has its winner before the last of them."""
    if session.table_id is None:
        return False
    stage = Stage.objects.filter(rounds__tables=session.table_id).first()
    if stage is None or session.format != SessionFormat.SERIES or not plays_best_of(stage.format, stage.options):
        return False
    # What was planned when the table came out is the best of its match, and somebody may have corrected it since.
    needed = session.planned_rounds // 2 + 1
    wins: dict[int, int] = defaultdict(int)
    first: dict[int, list[int]] = defaultdict(list)
    for round_, player in Score.objects.filter(round__session=session, place=1).values_list("round_id", "player_id"):
        first[round_].append(player)
    for players in first.values():
        if len(players) == 1:
            wins[players[0]] += 1
    return max(wins.values(), default=0) >= needed
