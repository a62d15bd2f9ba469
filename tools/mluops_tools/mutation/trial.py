"""Run cases on a library in a process of its own, which a fault may end, stop or drive in a circle."""

from __future__ import annotations

import multiprocessing
import os
import time
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Iterator, Mapping, Sequence

from mluops_conformance.execution.session import Session
from mluops_conformance.selftest.campaign import Catch, record_of

from mluops_tools.processes import be_silent, end_of, limit_processor_time, processor_time

if TYPE_CHECKING:
    from mluops_conformance.execution.options import RunOptions
    from mluops_conformance.language.model import Case
    from mluops_conformance.results.record import Record

CPU_SECONDS = 5
"""Processor time of a case that takes none without a fault."""
SLOWER = 20
"""A case may take so many times the processor time that it takes without a fault."""
IDLE = 0.01
"""The share of its time limit that a process works at least if it does not wait for ever."""
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

    @classmethod
    def of(cls, record: Record, seconds: float) -> Observation:
        """Return the observation of a record."""
        catch = None if record.is_good else Catch.of(record)
        wrong = (catch.how, catch.reason) if catch else ("", "")
        return cls(record.id, record.outcome, *wrong, seconds=round(seconds, 4))

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
        if not _answers(ours, process, limit):
            yield Observation(running, "timeout", "timeout", f"it waited for {limit:g} s")
            return
        try:
            message = ours.recv()
        except EOFError:
            process.join()
            if process.exitcode:
                outcome, reason = end_of(process.exitcode)
                yield Observation(running, outcome, outcome, reason)
            return
        if isinstance(message, Observation):
            running = next(iter(cases[cases.index(running) + 1 :]), running)
            yield message
        else:
            running = message


def _answers(ours: Connection, process: multiprocessing.process.BaseProcess, limit: float) -> bool:
    """Wait for a message; return False once the process has neither sent one nor worked for some seconds.

    On a busy machine a process works slowly. Its processor time has a limit of its own.
    """
    assert process.pid is not None
    spent = processor_time(process.pid)
    while not ours.poll(limit):
        before, spent = spent, processor_time(process.pid)
        if spent - before < IDLE * limit:
            return False
    return True


def _execute(
    pipe: Connection, cases: Sequence[Case], options: RunOptions, seconds: Mapping[str, float]
) -> None:
    """Execute cases in this process, which nothing but this loads a library into."""
    be_silent()
    session = Session(options)
    for case in cases:
        if session.lost_in:
            break
        if session.obstacle(case):
            continue
        pipe.send(case.id)
        limit_processor_time(CPU_SECONDS + SLOWER * seconds.get(case.id, options.timeout / SLOWER))
        begun = time.process_time()
        record = record_of(case, session)
        spent = time.process_time() - begun
        pipe.send(Observation.of(record, spent))
    pipe.close()
    os._exit(0)  # a faulty library may not end well
