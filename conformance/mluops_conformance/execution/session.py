"""What the cases of one process share: the library, a queue and a handle on it."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Callable, Mapping

import numpy as np
from mluops import CnrtError, Context, DeviceArray, Handle, MluOpError, Queue
from mluops.errors import CnrtAssert, CnrtDevice, CnrtKernelTrap, CnrtKernelUserTrap

from mluops_conformance.execution.backends import Backend, open_backend
from mluops_conformance.execution.cache import evaluating
from mluops_conformance.execution.gate import obstacle
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.language.known_issues import issue_of, known_issues
from mluops_conformance.language.seeds import seed_for
from mluops_conformance.results.issues import apply_known_issue

if TYPE_CHECKING:
    from mluops import Library

    from mluops_conformance.execution.cache import Evaluate
    from mluops_conformance.language.model import Case
    from mluops_conformance.operators.base import Arrays, Scalar
    from mluops_conformance.results.record import Record

    Evaluating = Callable[[Arrays, Mapping[str, Scalar]], Evaluate]


LOSING = (CnrtAssert, CnrtDevice, CnrtKernelTrap, CnrtKernelUserTrap)
"""After these a process's context on the device is lost, whatever its copies still seem to do."""

UNDECIDED = -1
"""Clusters of a context in which a change of limits has failed: the next case must not inherit them."""


class Session:
    """An opened backend with its handle.

    Parameters
    ----------
    options : RunOptions
        Which backend, which seed, which thresholds.
    backend : Backend, optional
        An opened one; by default, the one that the options ask for is opened.

    Attributes
    ----------
    evaluating : callable
        Gets inputs and scalars, and gives what evaluates an operator's functions on them.
    lost_in : str
        The id of the case that lost this process the device; no case can be executed after it.
    """

    def __init__(self, options: RunOptions, backend: Backend | None = None) -> None:
        self.options = options
        self.backend: Backend = backend or open_backend(options)
        self.library = self.backend.library
        self.evaluating: Evaluating = evaluating
        self.lost_in = ""
        self._queue: Queue | None = None
        self._handle: Handle | None = None
        self._context: Context | None = None
        self._clusters: int | None = None

    @property
    def queue(self) -> Queue:
        """The queue, created at first use."""
        if self._queue is None:
            self._queue = Queue(self.library)
        return self._queue

    @property
    def handle(self) -> Handle:
        """The handle on the queue, created at first use."""
        if self._handle is None:
            self._handle = Handle(self.library, self.queue)
        return self._handle

    def prepare(self, case: Case) -> None:
        """Let the case have its clusters; what the emulator does at random depends on case and seed alone."""
        reseed = getattr(self.library.symbols, "reseed", None)
        if reseed is not None:
            reseed(seed_for(case.id, "emulator", self.options.seed))
        if case.clusters != self._clusters:
            self._limit(case.clusters)

    def _limit(self, clusters: int | None) -> None:
        """Change the context's limits. Handles read them when they are created, so the old one goes."""
        self._release()
        if self._context is None:
            self._context = Context(self.library)
        self._clusters = UNDECIDED
        if clusters is None:
            self._context.reset()
        else:
            self._context.limit(clusters)
        self._clusters = clusters

    def apply_known_issue(self, case: Case, record: Record) -> Record:
        """The record of a case in the light of the known issues of this backend, device and library."""
        issue = issue_of(
            self.backend.sized(case),
            known_issues(self.options.known_issues),
            backend=self.backend.name,
            devices=self.backend.names,
            version=self.library.version,
            causes=record.causes,
        )
        return apply_known_issue(record, issue, date.today())

    def obstacle(self, case: Case) -> tuple[str, str] | None:
        """The outcome of a case that is not executed, and the reason; None for one that is."""
        if self.lost_in:
            return "skipped", f"{self.lost_in} lost the device to this process; -n 1 goes on in a new one"
        return obstacle(case, self.backend, self.options.mode)

    def device_lost_after(self, case: Case, error: Exception | None) -> bool:
        """Return whether the device is lost, after a case that it did not carry out: no case can follow."""
        if not self.backend.emulated and (isinstance(error, LOSING) or not device_responds(self.library)):
            self.lost_in = case.id
        return bool(self.lost_in)

    def close(self) -> None:
        """Release handle and queue, and lift what limits there are; a lost device takes back nothing."""
        if self.lost_in:
            return
        self._release()
        if self._clusters is not None:
            self._limit(None)

    def _release(self) -> None:
        for resource in (self._handle, self._queue):
            if resource is not None:
                resource.close()
        self._handle = self._queue = None


def device_responds(library: Library) -> bool:
    """Return whether the device makes queues and handles, and gives back what is copied to it."""
    sent = np.arange(64, dtype=np.uint8)
    try:
        with Queue(library) as queue, Handle(library, queue), DeviceArray.from_numpy(library, sent) as array:
            queue.synchronize()
            return bool(np.array_equal(array.numpy(), sent))
    except (CnrtError, MluOpError):
        return False
