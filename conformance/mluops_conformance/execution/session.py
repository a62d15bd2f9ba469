"""The state that the cases of one process share, and the cases that cannot be executed in it.

A session holds the library, a queue and a handle. Before a case, it names the obstacle to its execution.
After it, it applies the known issue of the case.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Mapping

import numpy as np
from mluops import CnrtError, Context, DeviceArray, Handle, MluOpError, Queue
from mluops.errors import CnrtAssert, CnrtDevice, CnrtKernelTrap, CnrtKernelUserTrap
from mluops.loading import CPU_BUILD

from mluops_conformance.execution.backends import Backend, open_backend
from mluops_conformance.execution.buffers import Decoy
from mluops_conformance.execution.cache import evaluating
from mluops_conformance.execution.execute import mode_of
from mluops_conformance.execution.inputs import WORTH_ASKING, available_device, available_host, need_of
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.fills.stream import seed_for
from mluops_conformance.language.expressions import satisfies
from mluops_conformance.language.known_issues import issue_of, known_issues
from mluops_conformance.language.model import misfit
from mluops_conformance.operators import the_operator
from mluops_conformance.results.outcomes import NOT_HARDWARE, cpu_settings

if TYPE_CHECKING:
    from mluops import Library

    from mluops_conformance.execution.cache import Evaluate
    from mluops_conformance.language.known_issues import KnownIssue
    from mluops_conformance.language.model import Case
    from mluops_conformance.operators.base import Arrays, Operator, Scalar
    from mluops_conformance.results.record import Record

    Evaluating = Callable[[Arrays, Mapping[str, Scalar]], Evaluate]


LOSING = (CnrtAssert, CnrtDevice, CnrtKernelTrap, CnrtKernelUserTrap)
"""After these a process's context on the device is lost, whatever its copies still seem to do."""

UNDECIDED = -1
"""Clusters of a context in which a change of limits has failed: the next case must not inherit them."""

NO_DRIVER = "no libcndrv is loaded with this library"


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
    floors_first : bool
        Compare at the floors of the thresholds first, so that an output which passes there needs no baseline,
        and before it without a local scale. Its record then states the floors.
    settings : dict of str to str
        The variables that a library for the CPU reads, once.
    lost_in : str
        The id of the case that lost this process the device; no case can be executed after it.
    """

    def __init__(self, options: RunOptions, backend: Backend | None = None) -> None:
        self.options = options
        self.backend: Backend = backend or open_backend(options)
        self.library = self.backend.library
        self.evaluating: Evaluating = evaluating
        self.floors_first = False
        self.settings = cpu_settings(os.environ) if self.backend.name == "cpu" else {}
        self.lost_in = ""
        self._queues: dict[int, Queue] = {}
        self._handles: dict[int, Handle] = {}
        self._turn = 0
        self._decoys: list[Decoy] = []
        self._context: Context | None = None
        self._clusters: int | None = None

    @property
    def queue(self) -> Queue:
        """The queue whose turn it is, created at first use."""
        if self._place not in self._queues:
            self._queues[self._place] = Queue(self.library)
        return self._queues[self._place]

    @property
    def handle(self) -> Handle:
        """The handle on the queue whose turn it is, created at first use."""
        if self._place not in self._handles:
            self._handles[self._place] = Handle(self.library, self.queue)
        return self._handles[self._place]

    def take_turns(self) -> None:
        """Make the next call on the next queue."""
        self._turn += 1

    @property
    def _place(self) -> int:
        """The number of the queue whose turn it is."""
        return self._turn % self.options.queues

    def decoy(self) -> Decoy:
        """Return a buffer for a call that must touch none."""
        return self._decoys.pop() if self._decoys else Decoy(self.library, self._decoys)

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
        """Return the record after the known issues of this backend, device and library are applied."""
        issue = issue_of(
            self.backend.sized(case),
            known_issues(self.options.known_issues),
            backend=self.backend.name,
            devices=self.backend.names,
            version=self.library.version,
            causes=record.causes,
        )
        return apply_issue(record, issue, date.today())

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
        while self._decoys:
            self._decoys.pop().free()
        self._release()
        if self._clusters is not None:
            self._limit(None)

    def _release(self) -> None:
        for resources in (self._handles, self._queues):
            for resource in resources.values():
                resource.close()
            resources.clear()


def device_responds(library: Library) -> bool:
    """Return whether the device makes queues and handles, and gives back what is copied to it."""
    sent = np.arange(64, dtype=np.uint8)
    try:
        with Queue(library) as queue, Handle(library, queue), DeviceArray.from_numpy(library, sent) as array:
            queue.synchronize()
            return bool(np.array_equal(array.numpy(), sent))
    except (CnrtError, MluOpError):
        return False


def obstacle(case: Case, backend: Backend, mode: str = "check") -> tuple[str, str] | None:
    """The outcome of a case that is not executed on this backend, and the reason; None for one that is.

    Parameters
    ----------
    mode : str
        The run's.
    """
    timeless = _timeless(case, backend) if mode_of(case, mode) == "perf" else ""
    if timeless:
        return "skipped", timeless
    if "device" in case.requires and not backend.hardware:
        return "skipped", f"only means something on a device; this run is {NOT_HARDWARE[backend.name][0]}"
    if case.series and not any(name.startswith(tuple(case.series)) for name in backend.names):
        return "unsupported", f"for {', '.join(sorted(case.series))}; this is {backend.device}"
    if not satisfies(backend.library.version, case.library):
        version = ".".join(map(str, backend.library.version))
        return "unsupported", f"for libmluops {case.library}; this is {version}"
    for call in case.calls:
        missing = missing_function(the_operator(call.operator), backend.library)
        if missing:
            return "unsupported", missing
    for why_not in (_cluster_obstacle, _size_obstacle):
        reason = why_not(case, backend)
        if reason:
            return "unsupported", reason
    short = _memory_obstacle(backend.sized(case), backend)
    return ("skipped", short) if short else None


def _timeless(case: Case, backend: Backend) -> str:
    """Return the reason why a case has no time to measure; empty if it has one."""
    if case.refused or case.call != "operator" or not case.compare:
        return "it computes nothing, so there is no time to measure"
    if case.after:
        return "it makes several calls: times are those of one"
    return "" if backend.hardware else f"only a device has times; this run is {NOT_HARDWARE[backend.name][0]}"


def missing_function(operator: Operator, library: Library) -> str:
    """Return the reason why the library cannot run the operator; empty if it can."""
    for names in filter(None, (operator.functions, operator.workspace_functions)):
        if not any(map(library.has, names)):
            return str(library.absence(getattr(library, names[0]).signature))
        if all(map(library.only_declares, names)):
            return (
                f"the emulator has no kernel of {names[0]}; a device, or a library for the CPU, may have one"
            )
        left_out = why_left_out(library.path, names) if library.backend == "cpu" else ""
        if left_out:
            return left_out
    return ""


def can_limit_clusters(library: Library) -> bool:
    """Return whether the driver's library, which limits clusters, is loaded too."""
    return library.has("cnSetCtxConfigParam")


def _cluster_obstacle(case: Case, backend: Backend) -> str:
    if case.clusters is None:
        return ""
    if not can_limit_clusters(backend.library):
        return f"limits clusters; {NO_DRIVER}"
    if case.clusters > backend.figures.clusters:
        return f"for {case.clusters} clusters; this device has {backend.figures.clusters}"
    return ""


def _size_obstacle(case: Case, backend: Backend) -> str:
    """Return the reason why the operator refuses the sizes of this device; empty if it takes them."""
    return misfit(case, the_operator(case.operator), backend.figures)


def _memory_obstacle(case: Case, backend: Backend) -> str:
    need = need_of(case)
    if need.device < WORTH_ASKING:
        return ""
    host = need.host + (0 if backend.hardware else need.device)  # without a device its memory is the host's
    for place, wanted, free in (
        ("host", host, available_host()),
        ("device", need.device, available_device(backend.library)),
    ):
        if wanted > free:
            return f"needs about {wanted / 1e9:.1f} GB of {place} memory; {free / 1e9:.1f} GB are free"
    return ""


@lru_cache(maxsize=256)
def why_left_out(library_path: str, functions: tuple[str, ...]) -> str:
    """Return why a library has none of these functions; empty where it has one, or nothing is known of it."""
    stored = _stored(Path(library_path).parent)
    if not stored or any(not set(functions).isdisjoint(built) for built in stored["folders"].values()):
        return ""
    for entry in stored["left_out"]:
        if any(name in entry["functions"] for name in functions):
            place = f" ({entry['place']})" if entry["place"] else ""
            return f"left out of the library for the CPU: {entry['reason']}{place}"
    return f"{functions[0]} was not selected when the library for the CPU was built"


@lru_cache(maxsize=4)
def _stored(folder: Path) -> dict[str, Any]:
    try:
        stored: dict[str, Any] = json.loads((folder / CPU_BUILD).read_text(encoding="utf-8"))
        return stored if {"folders", "left_out"} <= stored.keys() else {}
    except (OSError, ValueError, AttributeError):
        return {}


def apply_issue(record: Record, issue: KnownIssue | None, today: date) -> Record:
    """Return the record of a case after its known issue is applied.

    What the issue explains is `xfailed`, and a pass is `xpassed` where the case always fails. Anything else
    that goes wrong stays what it is, and so does everything once the issue has expired.
    """
    if issue is None:
        return record
    if today > issue.expires:
        return record if record.is_good else replace(record, reason=f"{record.reason}; expired: {issue}")
    if record.outcome == "passed":
        marked = replace(record, issue=str(issue))
        return marked if issue.fails == "sometimes" else _xpassed(marked)
    failures = record.failures if record.outcome == "failed" else (record.outcome,)
    if not issue.explains.issuperset(failures):
        return record
    return replace(record, outcome="xfailed", reason=f"{issue}: {record.reason}", issue=str(issue))


def _xpassed(record: Record) -> Record:
    return replace(
        record, outcome="xpassed", reason=f"it passed, although it is listed under: {record.issue}"
    )
