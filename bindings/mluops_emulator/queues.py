"""Queues, notifiers and the order of work on them.

Nothing runs when it is queued: work runs when its queue is synchronised, so that a missing synchronisation
shows. Work says which memory it reads and writes; whatever touches that memory without being ordered after
the work is refused, whichever would have come first by luck.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Callable, Iterator, NamedTuple

from mluops_emulator.sites import Site
from mluops_emulator.violations import Kind, Misuse


class Access(NamedTuple):
    """Bytes `start` up to `end` of device memory that work reads or writes, and the argument's name."""

    start: int
    end: int
    writes: bool
    what: str

    def conflicts(self, other: Access) -> bool:
        """Return True if the order of the two accesses matters."""
        return (self.writes or other.writes) and self.start < other.end and other.start < self.end


@dataclass
class Work:
    """Something queued.

    Parameters
    ----------
    name : str
        The C function that queued it.
    site : Site
        The line that called this function.
    run : callable
        The device part.
    accesses : tuple of Access
        The memory that it uses.
    descriptors : tuple of int
        Addresses of the tensor descriptors that it was called with.
    timed : bool
        Whether its time counts as device time (marks of notifiers do not).
    """

    name: str
    site: Site
    run: Callable[[], None]
    accesses: tuple[Access, ...] = ()
    descriptors: tuple[int, ...] = ()
    timed: bool = True
    number: int = 0


@dataclass
class Queue:
    """A queue.

    Parameters
    ----------
    name : str
        For error messages.
    number : int
        Tells queues apart.
    pending : deque of Work
        What is not done yet, in order.
    after : dict
        By number of another queue, up to which work of that one this queue is ordered.
    failed : bool
        Whether work has failed since this was last asked.
    """

    name: str
    number: int
    pending: deque[Work] = field(default_factory=deque)
    after: dict[int, int] = field(default_factory=dict)
    failed: bool = False


@dataclass
class Notifier:
    """A mark in a queue. `time` is the device's clock, in seconds, when the mark was reached."""

    queue: Queue | None = None
    number: int = 0
    flags: int = 0
    after: dict[int, int] = field(default_factory=dict)
    time: float | None = None


class Scheduler:
    """All queues of a device.

    Parameters
    ----------
    report : callable
        Gets the name and site of failed work, and what it raised.

    Attributes
    ----------
    default : Queue
        The queue of NULL.
    clock : float
        Seconds for which the emulated device has been busy: host time spent in queued work.
    """

    def __init__(self, report: Callable[[str, Site, Exception], None]) -> None:
        self.default = Queue("the default queue", 0)
        self.clock = 0.0
        self._queues: list[Queue] = [self.default]
        self._created = count(1)
        self._submitted = count(1)
        self._report = report

    def create(self) -> Queue:
        """Make a further queue."""
        queue = Queue("a queue", next(self._created))
        self._queues.append(queue)
        return queue

    def retire(self, queue: Queue) -> None:
        """Take note that a queue is destroyed; what is pending on it remains for `run_all`."""
        self._queues = [other for other in self._queues if other is not queue or other.pending]

    def submit(self, queue: Queue, work: Work) -> None:
        """Queue `work`, unless its memory is in use by work of another queue that it is not ordered after."""
        self.require_ordered(work.accesses, queue)
        work.number = next(self._submitted)
        queue.pending.append(work)

    def require_ordered(self, accesses: tuple[Access, ...], queue: Queue) -> None:
        """Raise a Misuse where pending work outside the order of `queue` conflicts with `accesses`."""
        for other in self._queues:
            if other is queue or not other.pending:
                continue
            for work in other.pending:
                if work.number > queue.after.get(other.number, 0):
                    _refuse_conflict(accesses, work, other)

    def run(self, queue: Queue, through: int | None = None) -> bool:
        """Do the pending work of a queue, up to a number.

        Returns
        -------
        bool
            Whether all work of the queue since the last answer succeeded. Failures are reported, and the work
            behind them is done all the same.
        """
        if queue.pending:
            self._advance(queue, through)
        failed, queue.failed = queue.failed, False
        return not failed

    def run_all(self) -> bool:
        """Do everything pending on the device."""
        results = [self.run(queue) for queue in tuple(self._queues)]
        return all(results)

    def place(self, notifier: Notifier, queue: Queue, name: str, site: Site) -> None:
        """Mark the present end of a queue."""

        def reach() -> None:
            if notifier.number == mark.number:  # not placed anew since
                notifier.time = self.clock

        mark = Work(name, site, reach, timed=False)
        self.submit(queue, mark)
        notifier.queue, notifier.number, notifier.time = queue, mark.number, None
        notifier.after = dict(queue.after)

    def wait(self, queue: Queue, notifier: Notifier, name: str, site: Site) -> None:
        """Order further work of `queue` after the notifier's mark."""
        marked, number = notifier.queue, notifier.number
        if marked is None or marked is queue:
            return
        self.submit(queue, Work(name, site, partial(self._advance, marked, number), timed=False))
        for key, reached in {**notifier.after, marked.number: number}.items():
            queue.after[key] = max(queue.after.get(key, 0), reached)

    def reach(self, notifier: Notifier) -> bool:
        """Do the work before a notifier's mark."""
        return notifier.queue is None or self.run(notifier.queue, notifier.number)

    def is_done(self, queue: Queue, through: int | None = None) -> bool:
        """Return True if nothing is pending on a queue, up to a number."""
        return not queue.pending or (through is not None and queue.pending[0].number > through)

    def drop_all(self) -> None:
        """Forget all pending work."""
        for queue in self._queues:
            queue.pending.clear()

    def pending(self) -> Iterator[tuple[Queue, Work]]:
        """Everything that waits to be done."""
        for queue in self._queues:
            for work in queue.pending:
                yield queue, work

    def _advance(self, queue: Queue, through: int | None) -> None:
        while not self.is_done(queue, through):
            self._do(queue, queue.pending.popleft())

    def _do(self, queue: Queue, work: Work) -> None:
        start = time.perf_counter()
        try:
            work.run()
        except Exception as error:
            queue.failed = True
            self._report(work.name, work.site, error)
        finally:
            if work.timed:
                self.clock += time.perf_counter() - start


def _refuse_conflict(accesses: tuple[Access, ...], work: Work, queue: Queue) -> None:
    for access in accesses:
        for queued in work.accesses:
            if access.conflicts(queued):
                raise Misuse(Kind.NOT_SYNCHRONISED, _conflict_text(access, queued, work, queue))


def _conflict_text(access: Access, queued: Access, work: Work, queue: Queue) -> str:
    does = "writes" if queued.writes else "reads"
    return (
        f"`{access.what}` at {access.start:#x} is used while {work.name}, called at {work.site}, still waits "
        f"on {queue.name} and {does} `{queued.what}` there; synchronise that queue first."
    )
