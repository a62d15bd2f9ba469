"""Run cases on a library in a process of its own, which a fault may end, stop or drive in a circle."""

from __future__ import annotations

import faulthandler
import math
import multiprocessing
import os
import resource
import signal
import time
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Iterator, Mapping, Sequence

from mluops_conformance.execution.session import Session
from mluops_conformance.selftest.campaign import Catch, record_of

if TYPE_CHECKING:
    from mluops_conformance.execution.options import RunOptions
    from mluops_conformance.language.model import Case

CPU_SECONDS = 5
"""Processor time of a case that takes none without a fault."""
SLOWER = 20
"""A case may take so many times the processor time that it takes without a fault."""
PASSED = "passed"


@dataclass(frozen=True)
class Observation:
    """One executed case.

    Parameters
    ----------
    case : str
    outcome : str
        Of the record; "crashed" or "timeout" if the process ended in it.
    how, reason : str
        See `Catch`; empty for a good case.
    seconds : float
        Processor time.
    """

    case: str
    outcome: str
    how: str = ""
    reason: str = ""
    seconds: float = 0.0

    @property
    def is_good(self) -> bool:
        """Return True if nothing is wrong, or nothing but a known issue."""
        return not self.how


def options_of(options: RunOptions, library: Path, base: Path) -> RunOptions:
    """Return the options of a run on a library that is linked with the libraries of a base."""
    return replace(options, backend="cpu", library=str(library), cnrt=str(base / "libcnrt.so"))


def observe(
    cases: Sequence[Case],
    options: RunOptions,
    seconds: Mapping[str, float],
    until_caught: bool = True,
) -> Iterator[Observation]:
    """Execute cases in their order, in as many processes as it takes.

    Parameters
    ----------
    cases : sequence of Case
    options : RunOptions
    seconds : mapping of str to float
        Processor time of cases without a fault, by id.
    until_caught : bool
        End at the first case that is not good.

    Yields
    ------
    Observation
        Cases that cannot be executed on this library have none.
    """
    left = list(cases)
    while left:
        executed = 0
        for observation in _in_one_process(left, options, seconds):
            executed = [case.id for case in left].index(observation.case) + 1
            yield observation
            if until_caught and not observation.is_good:
                return
        left = left[executed:] if executed else []


def _in_one_process(
    cases: Sequence[Case], options: RunOptions, seconds: Mapping[str, float]
) -> Iterator[Observation]:
    """Execute cases until the process ends, or has lost its device."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_execute, args=(theirs, cases, options, seconds), daemon=True)
    process.start()
    theirs.close()
    try:
        yield from _received(ours, process, options.timeout, [case.id for case in cases])
    finally:
        process.kill()
        process.join()
        ours.close()


def _received(
    ours: Connection, process: multiprocessing.process.BaseProcess, limit: float, cases: Sequence[str]
) -> Iterator[Observation]:
    """Return what a process sends: a case's id when it begins, and its observation when it ends.

    What happens before a case begins, as in loading the library, is counted for that case.
    """
    running = cases[0]
    while True:
        if not ours.poll(limit):
            yield Observation(running, "timeout", "timeout", f"it waited for {limit:g} s")
            return
        try:
            message = ours.recv()
        except EOFError:
            process.join()
            if process.exitcode:
                yield _ended(running, process.exitcode)
            return
        if isinstance(message, Observation):
            running = next(iter(cases[cases.index(running) + 1 :]), running)
            yield message
        else:
            running = message


def _ended(case: str, code: int) -> Observation:
    if code == -signal.SIGXCPU:
        return Observation(case, "timeout", "timeout", "it used up its processor time")
    what = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    return Observation(case, "crashed", "crashed", f"the process ended by {what}")


def _execute(
    pipe: Connection, cases: Sequence[Case], options: RunOptions, seconds: Mapping[str, float]
) -> None:
    """Execute cases in this process, which nothing but this loads a library into."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    faulthandler.disable()  # an inherited one writes to a stream of its own
    session = Session(options)
    for case in cases:
        if session.lost_in:
            break
        if session.obstacle(case):
            continue
        pipe.send(case.id)
        _limit(CPU_SECONDS + SLOWER * seconds.get(case.id, options.timeout / SLOWER))
        begun = time.process_time()
        record = record_of(case, session)
        spent = time.process_time() - begun
        catch = Catch.of(record) if not record.is_good else None
        wrong = (catch.how, catch.reason) if catch else ("", "")
        pipe.send(Observation(case.id, record.outcome, *wrong, seconds=round(spent, 4)))
    pipe.close()
    os._exit(0)  # a faulty library may not end well


def _limit(seconds: float) -> None:
    """Let this process end when it has spent some more processor time."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time() + seconds), hard))
