"""Queues, in which a device works through its tasks, and notifiers, which mark places in them."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from mluops.constants import cnrtRet_t
from mluops.errors import CnrtError, status_error
from mluops.lifetime import Resource
from mluops.types import cnrtNotifier_t, cnrtQueue_t

if TYPE_CHECKING:
    from mluops.library import CFunction, Library

_UNFINISHED = frozenset({cnrtRet_t.cnrtErrorBusy, cnrtRet_t.cnrtErrorNotReady})
"""CNRT's header documents the first, mlu-ops' own tests expect the second."""


class Queue(Resource):
    """A queue of the current device.

    Raises
    ------
    CnrtError
        When CNRT cannot make one.
    """

    def __init__(self, library: Library) -> None:
        library.ensure_own_process()
        raw = cnrtQueue_t()
        library.cnrtQueueCreate.checked(ctypes.byref(raw))
        super().__init__(library, raw, library.cnrtQueueDestroy)
        self._kept: list[object] = []

    @property
    def idle(self) -> bool:
        """Whether all tasks have finished."""
        return _finished(self.library.cnrtQueueQuery, self)

    def synchronize(self) -> None:
        """Wait until all tasks have finished; their errors, if any, are raised here."""
        kept, self._kept = self._kept, []  # what another thread keeps meanwhile is not waited for
        try:
            self.library.cnrtQueueSync.checked(self)
        except CnrtError:
            self._kept += kept
            raise

    def keep(self, *buffers: object) -> None:
        """Keep what pending tasks use from being collected before the next `synchronize`."""
        self._kept.extend(buffers)

    def wait_for(self, notifier: Notifier) -> None:
        """Let the tasks that come next wait until `notifier`, placed in another queue, is reached."""
        self.library.cnrtQueueWaitNotifier.checked(notifier, self, 0)


class Notifier(Resource):
    """A mark in a queue, which keeps the time at which the device reached it.

    Parameters
    ----------
    library : Library
    flags : int, optional
        Members of `cnrtNotifierFlags`, or-ed; CNRT's default otherwise.
    """

    def __init__(self, library: Library, flags: int | None = None) -> None:
        library.ensure_own_process()
        raw = cnrtNotifier_t()
        if flags is None:
            library.cnrtNotifierCreate.checked(ctypes.byref(raw))
        else:
            library.cnrtNotifierCreateWithFlags.checked(ctypes.byref(raw), flags)
        super().__init__(library, raw, library.cnrtNotifierDestroy)

    @property
    def reached(self) -> bool:
        """Whether everything before the notifier in its queue has finished."""
        return _finished(self.library.cnrtQueryNotifier, self)

    def place(self, queue: Queue | None = None) -> None:
        """Put the notifier behind what `queue`, or the default queue, has to do now."""
        self.library.cnrtPlaceNotifier.checked(self, queue)

    def wait(self) -> None:
        """Wait until the notifier is reached."""
        self.library.cnrtWaitNotifier.checked(self)

    def duration_us(self, start: Notifier) -> float:
        """Return the microseconds from `start` to this notifier by the clock of the device."""
        return self._time(self.library.cnrtNotifierDuration, start)

    def elapsed_ms(self, start: Notifier) -> float:
        """Return the milliseconds from `start` to this notifier by the clock of the host."""
        return self._time(self.library.cnrtNotifierElapsedTime, start)

    def _time(self, measure: CFunction, start: Notifier) -> float:
        time = ctypes.c_float()
        measure.checked(start, self, ctypes.byref(time))
        return time.value


def _finished(query: CFunction, resource: Resource) -> bool:
    status = query(resource)
    if status and status not in _UNFINISHED:
        raise status_error(query.name, status, query.library.describe(query.name, status))
    return not status
