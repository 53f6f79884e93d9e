"""A watch over bots at work, so that one that hangs in a choice keeps no worker.

Terms: *work* goes on in *steps*, a choice of a bot or a whole game; a step *hangs* when it has taken
`BOT_CHOICE_SECONDS`. The *playing* thread works, a *watching* thread beside it looks at it now and then. The *last
resort* is to begin the process anew; only a worker's own process has one.
Promises: a step that hangs ends the attempt at its job, with where and in which line it hung for the operator, in the
first of three ways that works. An exception is raised inside the step, which ends whatever Python does, a loop too.
What doesn't mind that, as a call that waits for something outside, goes with the process, which begins anew. What
doesn't even let another thread run, as a long computation in C, is ended by a timer that needs no Python: then
whoever started the process has to start it again, and the job's lease runs out as that of any dead worker.
While a long step is on, its job stays held, and is noticed to be cancelled. Time for which the whole process was
stopped counts for the timer alone.
Never: knows what a step does.
"""

import ctypes
import faulthandler
import logging
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread, get_ident
from types import TracebackType
from typing import Self

from django.conf import settings
from django.db import connection
from django.utils import translation
from django.utils.translation import gettext as _

from league.services import jobs

logger = logging.getLogger(__name__)

_LOOKS = 1.0  # seconds between two looks at the work, or less where a step may take little
_HOLD_EVERY = jobs.LEASE.total_seconds() / 4
# How long a step may go on after an exception was raised in it, before the process goes.
_GRACE = 5.0
# How much later than the watching thread the timer ends the process, seconds.
_TIMER_LATER = 30.0

# All that are under way in this process.
_watches: set["Watch"] = set()

# By its number: Celery puts something else in the place of `sys.stderr`.
_STANDARD_ERROR = 2

# At most one: what begins this process anew.
_last_resort: list[Callable[[], None]] = []


def have_last_resort(begin_anew: Callable[[], None]) -> None:
    """Let hanging work end this process, which `begin_anew` replaces by one of its kind and never returns from."""
    _last_resort[:] = [begin_anew]


class _Interrupted(Exception):
    """Raised in the playing thread by the watching one, which knows why."""


@contextmanager
def watched(*, claim: jobs.Claim, hold: Callable[[], None], where: Callable[[], str]) -> "Iterator[Watch]":
    """Work on a job in the block, with `Watch.went_on` after each step.

    `hold` stores how far the job is, as `Claim.progress` does; `where` says what hangs, in English, for the operator:
    both may be called by another thread. Raises jobs.Hung, and LostClaim where `hold` did.
    """
    watch = Watch(claim, hold, where)
    try:
        with watch:
            yield watch
    except _Interrupted:
        if watch.reason is None:
            raise
        raise watch.reason from None
    finally:
        # Again: the exception may have come while the block was being left.
        watch.over()


class Watch:
    """The watch over one stretch of work; made by `watched`."""

    def __init__(self, claim: jobs.Claim, hold: Callable[[], None], where: Callable[[], str]) -> None:
        self.reason: Exception | None = None
        self._claim, self._hold, self._where = claim, hold, where
        self._limit = float(settings.BOT_CHOICE_SECONDS)
        self._playing = get_ident()
        self._language = translation.get_language()  # of this thread alone
        self._steps = 0
        self._over = Event()
        self._interrupting = Lock()
        self._watching = Thread(target=self._look, name="watch", daemon=True)

    def went_on(self) -> None:
        """A step is done, or the work waits for its turn: nothing hangs."""
        self._steps += 1

    def __enter__(self) -> Self:
        if self._limit:
            _watches.add(self)
            # Before the first look: a step that lets no other thread run may be the first.
            self._set_timer()
            self._watching.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.over()

    def over(self) -> None:
        """The work is done, or was ended; nothing is raised any more. Once more does no harm."""
        _watches.discard(self)
        with self._interrupting:
            self._over.set()
        # What was raised in the last moment and has not come yet would come anywhere.
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._playing), None)
        if self._watching.ident is not None:
            self._watching.join()

    def _look(self) -> None:
        """The watching thread. It counts its own looks, not the clock, which goes on while the process is stopped."""
        pause = min(_LOOKS, self._limit / 4)
        seen, taken, held = self._steps, 0.0, 0.0
        try:
            while not self._over.wait(pause):
                self._set_timer()
                if self._steps != seen:
                    seen, taken, held = self._steps, 0.0, 0.0
                    continue
                taken += pause
                if taken >= self._limit:
                    self._end(seen, self._hung())
                    return
                if taken - held >= _HOLD_EVERY:
                    held = taken
                    try:
                        self._hold()
                    except jobs.LostClaim as error:
                        self._end(seen, error)
                        return
        except Exception:  # the watch must not end what it watches
            logger.exception("The watch over job %d has failed.", self._claim.job_id)
        finally:
            if _last_resort:
                faulthandler.cancel_dump_traceback_later()
            connection.close()

    def _set_timer(self) -> None:
        if _last_resort:
            faulthandler.dump_traceback_later(self._limit + _TIMER_LATER, exit=True, file=_STANDARD_ERROR)

    def _hung(self) -> jobs.Hung:
        frame = sys._current_frames().get(self._playing)
        lines = "".join(traceback.format_stack(frame)) if frame is not None else ""
        with translation.override(self._language):
            told = _("A bot took more than %(seconds)d seconds for one choice.") % {"seconds": self._limit}
        return jobs.Hung(told=told, trace=f"{lines}{self._where()}")

    def _end(self, seen: int, reason: Exception) -> None:
        """End the step: by an exception, or else with the process."""
        with self._interrupting:
            if self._over.is_set() or self._steps != seen:
                return
            self.reason = reason
            raised = ctypes.py_object(_Interrupted)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._playing), raised)
        if self._over.wait(min(_GRACE, self._limit)):
            return
        if isinstance(reason, jobs.Hung):
            jobs.end_hung(claim=self._claim, hung=reason)
        for begin_anew in _last_resort:
            logger.critical("Job %d hangs and can't be interrupted: this worker begins anew.", self._claim.job_id)
            # Others would wait for their leases to run out.
            for watch in list(_watches - {self}):
                watch._claim.give_back(error="")
            begin_anew()
