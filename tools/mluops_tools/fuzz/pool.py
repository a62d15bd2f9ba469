"""Worker processes that draw, execute and judge examples, and a parent that outlives what ends them.

A crash or a hang ends one worker. The parent makes a record of it, and goes on with a fresh process.
"""

from __future__ import annotations

import gc
import hashlib
import multiprocessing
import os
import random
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, NamedTuple, Sequence, Union

import numpy as np
from mluops_conformance.errors import CaseDataError, UserError
from mluops_conformance.execution.backends import open_backend
from mluops_conformance.execution.options import EMULATED_DEVICES, PLACEMENTS, RunOptions
from mluops_conformance.execution.session import Session, apply_issue
from mluops_conformance.execution.values import Answers
from mluops_conformance.language.known_issues import issue_of, known_issues
from mluops_conformance.language.query import parse_queries
from mluops_conformance.operators import the_operator
from mluops_conformance.results.environment import describe
from mluops_conformance.results.record import Record, Started
from mluops_conformance.selftest.campaign import record_and_trail

from mluops_tools.fuzz.chained import chained
from mluops_tools.fuzz.draw import Space, ordinary, special, without_data
from mluops_tools.fuzz.illegal import Statuses, expecting, illegal
from mluops_tools.processes import (
    be_silent,
    end_of,
    leave_signals_to_parent,
    limit_processor_time,
)

if TYPE_CHECKING:
    from mluops_conformance.execution.backends import Backend
    from mluops_conformance.language.model import Case
    from mluops_conformance.operators.base import Scalar

GC_THRESHOLD = (50_000, 20, 50)
"""Examples leave few cycles, which Python's own thresholds look for all the time."""

AHEAD = 4
"""Examples that a worker has before it, so that it does not wait for the parent."""

WAKE_SECONDS = 0.2
"""The parent looks for examples without an end so often."""

QUEUES = (1, 2)
"""On so many queues calls take turns; ordinary ones stay on one."""

KINDS = ("ordinary", "ordinary", "special", "illegal", "illegal")
"""The kinds of examples; one is drawn."""

CHAINED = 0.3
"""The share of special cases that follow another call on the same queue, if one can be drawn."""

NOT_DEFINED = "not defined"
"""Instead of an outcome: the operator has no answer for the case, as for aligned boxes of two numbers."""

NOT_SELECTED = "not selected"
"""Instead of an outcome: the queries of the search leave the case out."""


class Number(NamedTuple):
    """The number of an example, from which all of it follows, within a space."""

    operator: str
    dtype: str
    seed: int
    number: int


class Example(NamedTuple):
    """A case, the placement of its buffers, and on how many queues its calls take turns."""

    case: Case
    placement: str = PLACEMENTS[0]
    queues: int = 1


Job = Union[Number, Example]


class Tried(NamedTuple):
    """The dimensions, scalars and job limit of a call that must compute, or must be refused."""

    call: str
    values: Mapping[str, Scalar]


@dataclass(frozen=True)
class Result:
    """The end of an example.

    Parameters
    ----------
    job : Number or Example
    outcome : str
        Of `OUTCOMES`, or `NOT_DEFINED`, or `NOT_SELECTED`.
    example, record : optional
        Of an example that is not good, or shows a known issue.
    digest : str
        A digest of the outputs, where the task asks for it.
    tried : Tried, optional
        The values of an example that was executed.
    seconds : float
        Processor time to draw, execute and judge it; 0 for a crash, and the task's limit for a hang.
    """

    job: Job
    outcome: str
    example: Example | None = None
    record: Record | None = None
    digest: str = ""
    tried: Tried | None = None
    seconds: float = 0.0

    @property
    def is_failure(self) -> bool:
        """Return True if the library is wrong, and not by a known issue.

        A verdict that proves nothing says something of the drawn case alone.
        """
        return self.record is not None and self.record.outcome not in ("mistrusted", "xfailed")


@dataclass(frozen=True)
class Place:
    """The device that the workers have, as the first of them tells it.

    Parameters
    ----------
    notice : str
        One line for people.
    backend, device : str
    names : tuple of str
        The names of the device that known issues may use.
    version : tuple of int
        The library's.
    parallelism : int
        How many workers can use it at once.
    space : Space
        The limits within which examples are drawn there.
    environment : dict
        The libraries, the device and the host.
    """

    notice: str
    backend: str
    device: str
    names: tuple[str, ...]
    version: tuple[int, ...]
    parallelism: int
    space: Space
    environment: Mapping[str, Any]


@dataclass(frozen=True)
class Task:
    """The orders of every worker.

    Parameters
    ----------
    options : RunOptions
    most_bytes : int
        The most bytes in all tensors of a case together.
    queries : tuple of str
        The selection of drawn cases; empty: all.
    digests : bool
        Whether results have a digest of the outputs.
    processor_seconds : float
        The most processor time of an example; 0: no limit.
    """

    options: RunOptions
    most_bytes: int = Space.most_bytes
    queries: tuple[str, ...] = ()
    digests: bool = False
    processor_seconds: float = 0.0


class Drawing:
    """The draw of examples on a device.

    Parameters
    ----------
    space : Space
    device : str
        The emulated device whose checks state the statuses of illegal calls.
    """

    def __init__(self, space: Space, device: str = EMULATED_DEVICES[0]) -> None:
        self._space = space
        self._statuses = Statuses(device)

    def example(self, number: Number) -> Example:
        """Draw the example of a number."""
        chance = random.Random(" ".join(map(str, number)))
        operator, kind = the_operator(number.operator), chance.choice(KINDS)
        if not self._statuses.knows(operator):
            kind = KINDS[0]
        name = f"{kind}-{number.dtype}-{number.seed}-{number.number}"
        if kind == "illegal":
            case = illegal(operator, number.dtype, name, chance, self._space, self._statuses)
        else:
            draw = {"ordinary": ordinary, "special": special}[kind]
            case = draw(operator, number.dtype, name, chance, self._space)
        if kind == "special":  # a limit of the library may hold for another dtype alone
            case = expecting(case, operator, self._statuses) or case
            if case.data and chance.random() < CHAINED:
                case = chained(operator, case, chance, self._space, self._statuses)
        placement = PLACEMENTS[0] if case.refused else chance.choice(PLACEMENTS)
        queues = chance.choice(QUEUES) if kind == "special" else QUEUES[0]
        return Example(case.but(tags=frozenset({kind})), placement, queues)

    def is_expected(self, case: Case) -> bool:
        """Return whether the checks still refuse a case as it says; True for one that is not refused."""
        if not case.refused:
            return True
        return self._statuses.of(without_data(case), the_operator(case.operator)) == case.statuses


def drawing_at(place: Place) -> Drawing:
    """Return the draw of examples for a device, in any process."""
    known = (name for name in EMULATED_DEVICES if any(mine.startswith(name) for mine in place.names))
    return Drawing(place.space, next(known, EMULATED_DEVICES[0]))


class Executor:
    """The state of a worker: its session, and the draw of its examples."""

    def __init__(self, task: Task, card: int) -> None:
        backend = open_backend(task.options, card)
        self.session = Session(task.options, backend)
        self.session.floors_first = True
        self.place = _place(backend, task.most_bytes)
        self._drawing = drawing_at(self.place)
        self._selection = parse_queries(task.queries)
        self._digests = task.digests
        self._options = {
            (placement, queues): replace(task.options, placement=placement, queues=queues)
            for placement in PLACEMENTS
            for queues in QUEUES
        }

    def result(self, job: Job) -> Result:
        """Execute and judge one example."""
        example = job if isinstance(job, Example) else self._drawing.example(job)
        case = example.case
        if isinstance(job, Example):
            if not self._drawing.is_expected(case):
                return Result(job, NOT_DEFINED)
        elif not self._selection(case):
            return Result(job, NOT_SELECTED)
        self.session.options = self._options[example.placement, example.queues]
        obstacle = self.session.obstacle(case)
        if obstacle:
            return Result(job, obstacle[0])
        record, trail = record_and_trail(case, self.session)
        if record.reason.startswith(CaseDataError.__name__):
            return Result(job, NOT_DEFINED)
        digest = digest_of(trail[Answers].wholes) if trail and self._digests else ""
        tried = tried_by(case)
        if record.outcome == "passed":  # a known issue need not show in every drawn case
            return Result(job, "passed", digest=digest, tried=tried)
        record = self.session.apply_known_issue(case, record)
        return Result(job, record.outcome, example, record, digest, tried)


def tried_by(case: Case) -> Tried:
    """Return the values of a case."""
    limit: dict[str, Scalar] = {} if case.clusters is None else {"clusters": case.clusters}
    return Tried("refused" if case.refused else "computed", {**case.dims, **case.params, **limit})


def digest_of(answers: Mapping[str, Sequence[np.ndarray[Any, Any]]]) -> str:
    """Return a digest of the bits of all outputs."""
    digest = hashlib.sha256()
    for name, arrays in sorted(answers.items()):
        digest.update(name.encode())
        for array in arrays:
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _place(backend: Backend, most_bytes: int) -> Place:
    return Place(
        notice=backend.notice(),
        backend=backend.name,
        device=backend.device,
        names=tuple(backend.names),
        version=tuple(backend.library.version),
        parallelism=backend.parallelism(),
        space=Space(backend.figures, most_bytes),
        environment=describe(backend.library),
    )


def _serve(pipe: Connection, task: Task, card: int) -> None:
    """Be a worker: answer each job that comes, until the parent is gone or the device is lost."""
    leave_signals_to_parent()
    be_silent()
    try:
        executor = Executor(task, card)
    except Exception as error:
        pipe.send(error)
        return
    pipe.send(executor.place)
    spare_collections()
    with suppress(EOFError, OSError):
        while True:
            job = pipe.recv()
            if task.processor_seconds:
                limit_processor_time(task.processor_seconds)
            begun = time.process_time()
            result = executor.result(job)
            result = replace(result, seconds=time.process_time() - begun)
            pipe.send((result, bool(executor.session.lost_in)))
            if executor.session.lost_in:
                os._exit(0)


def spare_collections() -> None:
    """Let Python look for cycles seldom in this process, and not among what it has now."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLD)


class Worker:
    """A worker process as its parent sees it.

    Parameters
    ----------
    task : Task
    card : int
        Which of the visible devices it uses.

    Raises
    ------
    Exception
        Whatever kept the worker from opening its device.
    """

    def __init__(self, task: Task, card: int = 0) -> None:
        self._task, self._card = task, card
        self.jobs: deque[Job] = deque()
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("fork")  # the parent has no library loaded, and one thread
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._task, self._card), daemon=True)
        self._process.start()
        theirs.close()
        try:
            answer = self.pipe.recv()
        except EOFError:
            self._process.join()
            answer = UserError(f"the library ends its process: {end_of(self._process.exitcode or 0)[1]}")
        if isinstance(answer, Exception):
            raise answer
        self.place: Place = answer
        self._since = time.monotonic()

    def give(self, job: Job) -> None:
        """Give the worker one more job."""
        if not self.jobs:
            self._since = time.monotonic()
        self.jobs.append(job)
        with suppress(OSError):  # it is gone: its answer will be the end of the pipe
            self.pipe.send(job)

    def result(self, job: Job) -> Result:
        """Execute one job while no other is given."""
        self.give(job)
        return self.take()

    def take(self) -> Result:
        """Wait for the first job, and return its result; a fresh process follows one that ended."""
        if not self.pipe.poll(max(self._since + self._task.options.timeout - time.monotonic(), 0)):
            return self._ended(hangs=True)
        try:
            result, is_last = self.pipe.recv()
        except (EOFError, OSError):
            return self._ended()
        self.jobs.popleft()
        self._since = time.monotonic()
        if is_last:
            self.restart()
        return result  # type: ignore[no-any-return]

    @property
    def is_late(self) -> bool:
        """Return whether the first job takes longer than an example may."""
        return bool(self.jobs) and time.monotonic() > self._since + self._task.options.timeout

    def _ended(self, hangs: bool = False) -> Result:
        """Make a result of the job during which the process ended, and restart it."""
        job = self.jobs.popleft()
        if hangs:
            outcome, reason = "timeout", f"no end after {self._task.options.timeout:g} s"
        else:
            self._process.join()
            outcome, reason = end_of(self._process.exitcode or 0)
        self.restart()
        example = job if isinstance(job, Example) else drawing_at(self.place).example(job)
        result = _result_without_worker(job, example, self.place, self._task.options, outcome, reason)
        return replace(result, seconds=self._task.processor_seconds) if outcome == "timeout" else result

    def restart(self) -> None:
        """Go on in a fresh process, with the jobs that are left."""
        self.close()
        self._start()
        left, self.jobs = self.jobs, deque()
        for job in left:
            self.give(job)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _result_without_worker(
    job: Job, example: Example, place: Place, options: RunOptions, outcome: str, reason: str
) -> Result:
    case = example.case
    begun = Started(case.id, case.operator, place.backend, place.device, "fuzz:1", options.seed, "")
    issue = issue_of(
        case,
        known_issues(options.known_issues),
        backend=place.backend,
        devices=place.names,
        version=place.version,
    )
    record = apply_issue(begun.finished(outcome, reason), issue, date.today())
    return Result(job, record.outcome, example, record, tried=tried_by(case))


class Pool:
    """Workers that share one stream of jobs.

    Parameters
    ----------
    task : Task
    workers : int, optional
        How many; by default as many as the device takes.
    """

    def __init__(self, task: Task, workers: int | None = None) -> None:
        self.options = task.options
        first = Worker(task, 0)
        self.place = first.place
        count = workers or first.place.parallelism
        self.workers = [first, *(Worker(task, card) for card in range(1, count))]

    def run(self, jobs: Iterator[Job], until: Callable[[], bool] = lambda: False) -> Iterator[Result]:
        """Execute jobs, and give their results as they come.

        Parameters
        ----------
        until : callable
            No result is waited for once it holds.
        """
        for worker in self.workers:
            self._feed(worker, jobs)
        while any(worker.jobs for worker in self.workers) and not until():
            by_pipe = {worker.pipe: worker for worker in self.workers if worker.jobs}
            ready = {by_pipe[pipe] for pipe in wait(list(by_pipe), WAKE_SECONDS)}  # type: ignore[index]
            for worker in self.workers:
                if worker in ready or worker.is_late:
                    yield worker.take()
                    self._feed(worker, jobs)

    def _feed(self, worker: Worker, jobs: Iterator[Job]) -> None:
        while len(worker.jobs) < AHEAD:
            job = next(jobs, None)
            if job is None:
                return
            worker.give(job)

    def drop(self) -> None:
        """Leave jobs that are not finished: their workers go on in fresh processes."""
        for worker in self.workers:
            if worker.jobs:
                worker.jobs.clear()
                worker.restart()

    def close(self) -> None:
        """End the workers."""
        for worker in self.workers:
            worker.close()
