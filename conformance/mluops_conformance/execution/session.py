"""What the cases of one process share: the library, a queue and a handle on it."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Callable, Mapping

from mluops import Context, Handle, Queue

from mluops_conformance.execution.aftermath import LOSING, works
from mluops_conformance.execution.backends import Backend, open_backend
from mluops_conformance.execution.cache import evaluating
from mluops_conformance.execution.gate import obstacle
from mluops_conformance.language.known_issues import issue_of, known_issues
from mluops_conformance.language.seeds import seed_for
from mluops_conformance.options import RunOptions
from mluops_conformance.results.issues import weigh

if TYPE_CHECKING:
    from mluops_conformance.artefacts.file import Artefact
    from mluops_conformance.execution.cache import Evaluate
    from mluops_conformance.language.model import Case
    from mluops_conformance.operators.base import Arrays, Scalar
    from mluops_conformance.results.record import Record

    Evaluating = Callable[[Arrays, Mapping[str, Scalar]], Evaluate]
    Keep = Callable[[Record, Callable[[Record], Artefact]], Record]


UNDECIDED = -1
"""Clusters of a context in which a change of limits has failed: the next case must not inherit them."""


def discard(record: Record, artefact: Callable[[Record], Artefact]) -> Record:
    """Keep no data of a case."""
    return record


class Session:
    """An opened backend with its handle.

    Parameters
    ----------
    options : RunOptions
        Which backend, which seed, which thresholds.
    card : int
        Which device, counted over the visible ones and beginning anew after the last.

    Attributes
    ----------
    keep : callable
        Gets the record of an executed case, and a function that gathers its data; gives the record.
    evaluating : callable
        Gets inputs and scalars, and gives what evaluates an operator's functions on them.
    lost_in : str
        The id of the case that lost this process the device; no case can be executed after it.
    """

    def __init__(self, options: RunOptions, card: int = 0) -> None:
        self.options = options
        self.backend: Backend = open_backend(options, card)
        self.library = self.backend.library
        self.keep: Keep = discard
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

    def weigh(self, case: Case, record: Record) -> Record:
        """The record of a case in the light of the known issues of this backend, device and library."""
        issue = issue_of(
            self.backend.sized(case),
            known_issues(self.options.known_issues),
            backend=self.backend.name,
            devices=self.backend.names,
            version=self.library.version,
            causes=record.causes,
        )
        return weigh(record, issue, date.today())

    def obstacle(self, case: Case) -> tuple[str, str] | None:
        """The outcome of a case that is not executed, and the reason; None for one that is."""
        if self.lost_in:
            return "skipped", f"{self.lost_in} lost the device to this process; -n 1 goes on in a new one"
        return obstacle(case, self.backend, self.options.mode)

    def examine(self, case: Case, error: Exception | None) -> bool:
        """After a case that the device did not carry out: whether it is lost, so that no case can follow."""
        if not self.backend.emulated and (isinstance(error, LOSING) or not works(self.library)):
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
