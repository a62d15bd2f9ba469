"""Queues, in which a device works through its tasks, and notifiers, which mark places in them."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import TYPE_CHECKING, Any

from mluops.constants import cnrtRet_t
from mluops.errors import ArgumentTypeError, Closed, status_error
from mluops.lifetime import Resource, usable
from mluops.pending import Same
from mluops.types import address_of, cnrtNotifier_t, cnrtQueue_t, raw_queue

if TYPE_CHECKING:
    from mluops.functions import CFunction
    from mluops.library import Library

_UNFINISHED = frozenset({cnrtRet_t.cnrtErrorBusy, cnrtRet_t.cnrtErrorNotReady})
"""CNRT's header documents the first, mlu-ops' own tests expect the second."""


class Queue(Resource):
    """A queue of the current device.

    Attributes
    ----------
    address : int
        The address behind its cnrtQueue_t.

    Raises
    ------
    CnrtError
        When CNRT cannot make one.
    """

    def __init__(self, library: Library) -> None:
        raw = cnrtQueue_t()
        usable(library).cnrtQueueCreate.checked(ctypes.byref(raw))
        self.address = address_of(raw, "queue")
        super().__init__(library, raw, partial(_destroy, library, self.address))

    @classmethod
    def borrow(cls, library: Library, address: Any, owner: object = None) -> Queue:
        """Use a queue that somebody else created and will destroy.

        Parameters
        ----------
        library : Library
        address : int or ctypes pointer
            The cnrtQueue_t; 0 for the default queue.
        owner : object, optional
            Kept alive as long as the queue is borrowed.

        Raises
        ------
        ArgumentTypeError, ArgumentValueError
            `address` is not an address, or of something else.
        """
        queue = cls.__new__(cls)
        queue.address = address_of(address, "address", cnrtQueue_t)
        Resource.__init__(queue, usable(library), raw_queue(queue.address), None, owner)
        return queue

    @property
    def idle(self) -> bool:
        """True if all tasks have finished."""
        return _finished(self.library.cnrtQueueQuery, self)

    def synchronize(self) -> None:
        """Wait until all tasks have finished; their errors, if any, are raised here."""
        self.library.ensure_own_process()
        self.library.cnrtQueueSync.checked(self)

    def keep(self, *buffers: object) -> None:
        """Keep what pending tasks use from being collected before the queue is synchronised."""
        self.library.pending.keep(self.address, map(Same, buffers))

    def wait_for(self, notifier: Notifier) -> None:
        """Let the tasks that come next wait until `notifier`, placed in another queue, is reached."""
        self.library.cnrtQueueWaitNotifier.checked(notifier, self, 0)

    def __repr__(self) -> str:
        return self._described(f"at {self.address:#x}")


def require_queue(library: Library, queue: object) -> None:
    """Raise an ArgumentTypeError unless something is None, or an open Queue of a library."""
    if queue is None:
        return
    if not isinstance(queue, Queue):
        raise ArgumentTypeError(
            f"queue must be a Queue, not a {type(queue).__name__}: Queue.borrow(library, address) makes one "
            "of a cnrtQueue_t"
        )
    if queue.closed:
        raise Closed("queue is closed")
    if not library.shares_memory_with(queue.library):
        raise ArgumentTypeError(f"queue belongs to another library, {queue.library!r}")


def _destroy(library: Library, address: int, raw: cnrtQueue_t) -> None:
    """Destroy a queue, once what is kept for it has been used."""
    if library.pending.count(address):
        library.cnrtQueueSync(raw)
        library.pending.take(address)
    library.cnrtQueueDestroy.checked(raw)


class Notifier(Resource):
    """A mark in a queue, which keeps the time at which the device reached it.

    Parameters
    ----------
    library : Library
    flags : int, optional
        Members of `cnrtNotifierFlags`, or-ed; CNRT's default otherwise.
    """

    def __init__(self, library: Library, flags: int | None = None) -> None:
        usable(library)
        raw = cnrtNotifier_t()
        if flags is None:
            library.cnrtNotifierCreate.checked(ctypes.byref(raw))
        else:
            library.cnrtNotifierCreateWithFlags.checked(ctypes.byref(raw), flags)
        super().__init__(library, raw, library.cnrtNotifierDestroy.checked)

    @property
    def reached(self) -> bool:
        """True if everything before the notifier in its queue has finished."""
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
