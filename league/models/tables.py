"""Flat tables of what is stored, for files that others read on: a row for each player and round, or each standing.

Promises: rows come in the order of the days, later recorded after earlier, rounds as played, players by their seats;
memory stays the same however many sessions there are, and so do the queries for each of their chunks. Sessions that
were voided are not told. Never: changes anything.
"""

from collections import defaultdict
from collections.abc import Iterator

from django.db.models import F, Q, QuerySet

from league.exchange.csv_tables import Cell
from league.models.players import public_name
from league.models.seasons import Season
from league.models.sessions import Score, Seat, Session
from league.models.standings import Standing

_SESSIONS_AT_A_TIME = 200
TableRow = dict[str, Cell]


def session_rows(sessions: "QuerySet[Session]", *, public: bool = False) -> Iterator[TableRow]:
    """Yield the rows of `SESSION_HEADERS` for each player of each round, with the `public` names if so asked.

    Three queries for 200 sessions.
    """
    ordered = sessions.filter(voided_at=None).order_by("played_on", "pk")
    after: Session | None = None
    while True:
        # From the last one on, not by counting: what is recorded meanwhile shifts nothing.
        chunk = ordered
        if after is not None:
            chunk = ordered.filter(Q(played_on__gt=after.played_on) | Q(played_on=after.played_on, pk__gt=after.pk))
        found = list(chunk[:_SESSIONS_AT_A_TIME])
        yield from _rows(found, public=public)
        if len(found) < _SESSIONS_AT_A_TIME:
            return
        after = found[-1]


def _rows(sessions: list[Session], *, public: bool) -> Iterator[TableRow]:
    seats: dict[tuple[int, int], int] = {}
    taken = Seat.objects.filter(session__in=sessions).order_by("from_round")
    for session_id, player_id, number in taken.values_list("session_id", "player_id", "number"):
        seats.setdefault((session_id, player_id), number)
    scores: dict[int, list[tuple[int, int, str, TableRow]]] = defaultdict(list)
    columns = ("round__session_id", "round__number", "round__game", "round__note")
    for session_id, number, game, note, player_id, player, points, place in Score.objects.filter(
        round__session__in=sessions
    ).values_list(*columns, "player_id", public_name("player__") if public else F("player__name"), "points", "place"):
        # Nobody sits there where a correction came between the two queries.
        seat = seats.get((session_id, player_id), 0)
        told: TableRow = {"round": number, "game": game, "note": note, "player": player, "seat": seat + 1}
        scores[session_id].append((number, seat, player, {**told, "points": points, "place": place}))
    for session in sessions:
        head: TableRow = {
            "session": session.pk,
            "date": session.played_on,
            "format": session.format,
            "planned": session.planned_rounds,
            "location": session.location,
            "comment": session.comment,
        }
        for _number, _seat, _name, row in sorted(scores[session.pk], key=lambda one: one[:3]):
            yield {**head, **row}


def standing_rows(season: Season, *, public: bool = False) -> Iterator[TableRow]:
    """Yield the rows of `STANDING_HEADERS`, the best first, with the `public` names if so asked. One query.

    `rank` is None below the season's minimum.
    """
    for one in Standing.objects.table(season):
        yield {
            "rank": vars(one)["rank"],
            "player": one.player.public_name if public else one.player.name,
            "sessions": one.sessions,
            "place_total": one.place_total,
            "place_average": one.place_average,
            "wins": one.wins,
            "last_played_on": one.last_session.played_on,
            "last_place": one.last_place,
            # None where nothing counts: there is no value then.
            "value": one.value if one.counted else None,
            "counted": one.counted,
            "game_points": one.game_points,
            "division": one.division.name if one.division is not None else None,
        }
