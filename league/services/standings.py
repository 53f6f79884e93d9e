"""Keeping the stored standings true to the session results."""

from collections import defaultdict
from collections.abc import Iterable

from league.models import Season, SessionResult, Standing
from league.scoring.standings import SessionPlace, fold, sort_key

# Under the limit of variables that SQLite takes in one statement.
_BATCH = 500


def refresh(*, season: Season, players: Iterable[int]) -> None:
    """Bring the standings of these players (ids) up to date. Called inside the transaction that changed their results.

    The rows are made first and locked in the order of their ids, so that two results with the same players queue up
    instead of blocking each other, and the second counts what the first wrote.
    """
    ids = sorted(set(players))
    for start in range(0, len(ids), _BATCH):
        _refresh_batch(season, ids[start : start + _BATCH])


def _refresh_batch(season: Season, ids: list[int]) -> None:
    Standing.objects.bulk_create(
        [Standing(club_id=season.club_id, season=season, player_id=player) for player in ids], ignore_conflicts=True
    )
    rows = list(Standing.objects.select_for_update().filter(season=season, player_id__in=ids).order_by("player_id"))
    history: dict[int, list[SessionPlace]] = defaultdict(list)
    results = SessionResult.objects.filter(
        session__season=season, session__counts=True, player_id__in=ids, place__isnull=False
    ).values_list("player_id", "session_id", "session__played_on", "place")
    for player, session, played_on, place in results:
        history[player].append(SessionPlace(player, session, played_on, place or 0, 0))
    for row in rows:
        if not history[row.player_id]:
            row.sessions = row.place_total = row.wins = 0
            row.last_session_id = row.last_place = None
            row.sort_key = 0
            continue
        line = fold(history[row.player_id])
        row.sessions, row.place_total, row.wins = line.sessions, line.place_total, line.wins
        row.last_session_id, row.last_place = line.last_session, line.last_place
        row.sort_key = sort_key(line, season.ranking_rules)
    Standing.objects.bulk_update(
        rows, ["sessions", "place_total", "wins", "last_session", "last_place", "sort_key"], batch_size=_BATCH
    )
