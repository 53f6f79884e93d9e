"""Figures that follow from the sessions, computed after the answer: ratings and statistics.

Terms: a *changed session* is the row that says so (`league/models/figures.py`); to *ring* is to call a worker, as in
`jobs.py`. Promises: the row is written in the transaction of the change (`session_rows.py`) and goes in that of the new
figures, so that a lost message or a dead worker delays figures and never leaves them wrong; one worker at a time
computes for a club. Never: keeps a request waiting, or an import: figures follow when it is over.
"""

import fcntl
import logging
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date

from celery import current_app, shared_task
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from league.models import ChangedSession, Job, JobKind, JobState, Player, Session
from league.services import ratings, statistics

logger = logging.getLogger(__name__)

TASK = "league.services.figures.refresh"
# A worker called just now takes along what was changed since, or else the sweep calls one.
_RING_EVERY = 2.0  # seconds
# How many clubs one sweep rings for; the next one goes on.
_SWEEP_LIMIT = 1000
# Under the limit of variables that SQLite takes in one statement.
_FEW = 400
_LOCK = 0x66696775 << 32  # any number that is ours, with a club's id below it; see management/migrations.py

_rung: dict[int, float] = {}


def note_all(*, club_id: int) -> None:
    """Have all figures of a club computed anew, where its sessions came in without them; called in a transaction."""
    first = Session.objects.filter(club=club_id).order_by("played_on", "pk").first()
    if first is not None:
        players = list(Player.objects.filter(club=club_id).order_by("pk").values_list("pk", flat=True))
        ChangedSession.objects.create(club_id=club_id, session=first, from_day=first.played_on, players=players)
        ring_after_commit(club_id)


# --- The doorbell -----------------------------------------------------------------------------------------------------


def ring_after_commit(club_id: int) -> None:
    """Call a worker once the transaction around is committed, unless one was called just now."""
    # Robust: by then the change is committed, so that a fault in ringing must not look like one of the request.
    transaction.on_commit(lambda: _ring(club_id, every=_RING_EVERY), robust=True)


def _ring(club_id: int, *, every: float = 0.0) -> bool:
    """Call a worker; a broker that is down is no error, the sweep calls again."""
    now = time.monotonic()
    if now - _rung.get(club_id, -every) < every:
        return True
    _rung[club_id] = now
    try:
        current_app.send_task(TASK, args=[club_id], retry=False)
    except Exception as error:  # whatever the transport raises, the change stands in the database
        logger.warning("The broker can't be reached for figures of club %d; the sweep rings again: %r", club_id, error)
        return False
    return True


def sweep() -> int:
    """Ring for clubs whose figures are due. Safe to run anywhere, several times at once. Returns for how many."""
    clubs = ChangedSession.objects.exclude(club__in=_importing()).order_by().values_list("club_id", flat=True)
    rung = 0
    for club_id in clubs.distinct()[:_SWEEP_LIMIT]:
        if not _ring(club_id):
            break
        rung += 1
    return rung


@shared_task(name=TASK)
def refresh(club_id: int) -> None:
    """The task: bring the club's figures up to date, if they are not."""
    refresh_figures(club_id=club_id)


# --- Computing --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Due:
    """Changed sessions: the ids of their rows, the earliest day, the players of all."""

    rows: Collection[int]
    from_day: date
    players: frozenset[int]


def refresh_figures(*, club_id: int) -> bool:
    """Compute what is due until nothing is. False where another worker does so, or an import is under way."""
    with _turn(club_id) as ours:
        if not ours or club_id in _importing():
            return False
        while (due := _due(club_id)) is not None:
            replayed = ratings.replay(club_id=club_id, from_day=due.from_day)
            computed = statistics.compute(club_id=club_id, from_day=due.from_day, players=due.players)
            with transaction.atomic():
                ratings.settle(replayed, players=due.players)
                statistics.store(computed, now=timezone.now())
                # These alone: a change that was stored meanwhile has its own row, and its turn is next.
                _forget(due.rows)
    return True


def _importing() -> set[int]:
    """Clubs whose imports go on: figures of each part of one would be computed for nothing."""
    going_on = Job.objects.filter(
        kind__in=[JobKind.IMPORT, JobKind.IMPORT_UNDO], state__in=[JobState.QUEUED, JobState.RUNNING]
    )
    return set(going_on.values_list("club_id", flat=True))


def _due(club_id: int) -> _Due | None:
    rows: list[int] = []
    first = date.max
    players: set[int] = set()
    changes = ChangedSession.objects.filter(club=club_id).order_by("pk").values_list("pk", "from_day", "players")
    for pk, day, its_players in changes.iterator(chunk_size=2000):
        rows.append(pk)
        first = min(first, day)
        players.update(its_players)
    return _Due(rows, first, frozenset(players)) if rows else None


def _forget(rows: Collection[int]) -> None:
    ids = list(rows)
    for start in range(0, len(ids), _FEW):
        ChangedSession.objects.filter(pk__in=ids[start : start + _FEW]).delete()


@contextmanager
def _turn(club_id: int) -> Iterator[bool]:
    """Whether this worker alone computes for the club now; nobody waits. A process that dies gives its turn back."""
    if connection.vendor == "postgresql":
        ours = _ask("SELECT pg_try_advisory_lock(%s)", club_id)
        try:
            yield ours
        finally:
            if ours:
                try:
                    _ask("SELECT pg_advisory_unlock(%s)", club_id)
                except DatabaseError:
                    connection.close()  # and the lock with it
        return
    # SQLite belongs to one host; a lock of its own would keep everybody from writing.
    folder = settings.DATA_DIR / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{club_id}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def lock_of(club_id: int) -> int:
    """The number of PostgreSQL's advisory lock under which a club's figures are computed."""
    return _LOCK | (club_id & 0xFFFFFFFF)


def _ask(question: str, club_id: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(question, [lock_of(club_id)])
        row = cursor.fetchone()
    return bool(row and row[0])
