"""Search for an example that shows a fault: the draw and the worker are those of `fuzz`.

An example that fails counts only if it passes on the unchanged sources: one that fails there too would catch
every fault.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Iterator, Sequence

from mluops_conformance.errors import UserError

from mluops_tools.fuzz.campaign import numbers
from mluops_tools.fuzz.pool import NOT_DEFINED, NOT_SELECTED, Number, Result, Task, Worker
from mluops_tools.mutation.trial import CPU_SECONDS, PASSED, SLOWER, Observation

if TYPE_CHECKING:
    from mluops_conformance.execution.options import RunOptions
    from mluops_conformance.operators.base import Operator

SHORT_SECONDS = 0.25
"""Processor time of an example without a fault, of which `ENDLESS_SECONDS` with a fault are a hang."""
ENDLESS_SECONDS = CPU_SECONDS + SLOWER * SHORT_SECONDS
"""The most processor time of an example with a fault."""

LEAST_SECONDS = 1e-3
"""Counted for any example: the clock of some machines stands still meanwhile."""

START_SECONDS = 0.5
"""Counted for a process that starts: after a crash, and for an example that fails without the fault too."""


def searched(
    pairs: Sequence[tuple[Operator, str]], task: Task, unchanged: RunOptions, seconds: float
) -> Iterator[Observation]:
    """Execute examples, each of the operator that has used least processor time, until one shows a fault.

    Parameters
    ----------
    pairs : sequence of (Operator, str)
        Operators and their dtypes.
    task : Task
        The library with the fault, and the queries of the examples.
    unchanged : RunOptions
        The library without the fault.
    seconds : float
        Processor time of each operator.

    Yields
    ------
    Observation
        Of each executed example. Only the last one may be not good.

    Raises
    ------
    UserError
        The library without the fault cannot be opened either.
    """
    task = replace(task, processor_seconds=ENDLESS_SECONDS)
    right = replace(task, options=unchanged)
    try:
        worker = Worker(task)
    except UserError as error:
        Worker(right).close()
        yield Observation(_id(next(numbers(pairs, 0))), "crashed", "crashed", str(error))
        return
    with closing(worker):
        spent = dict.fromkeys(sorted({operator.name for operator, _ in pairs}), 0.0)
        for job, result, used in _results(worker, pairs, spent, seconds):
            if not result.is_failure:
                yield Observation(_id(job), result.outcome, seconds=used)
            elif not _passes(job, right, result.outcome):
                spent[job.operator] += START_SECONDS
                yield Observation(
                    _id(job), result.outcome, reason="it does not pass on unchanged sources", seconds=used
                )
            else:
                assert result.record is not None
                yield Observation.of(result.record, used)
                return


def _results(
    worker: Worker, pairs: Sequence[tuple[Operator, str]], spent: dict[str, float], seconds: float
) -> Iterator[tuple[Number, Result, float]]:
    """Execute examples until each operator has used its time.

    Yields
    ------
    Number, Result, float
        Of each executed example, with the time since the last one of its operator: examples that are not
        defined take time too.
    """
    jobs = {name: numbers([pair for pair in pairs if pair[0].name == name], 0) for name in spent}
    told = dict(spent)
    while min(spent.values()) < seconds:
        name = min(spent, key=spent.__getitem__)
        job = next(jobs[name])
        result = worker.result(job)
        spent[name] += START_SECONDS if result.outcome == "crashed" else max(result.seconds, LEAST_SECONDS)
        if result.outcome not in (NOT_DEFINED, NOT_SELECTED):
            yield job, result, spent[name] - told[name]
            told[name] = spent[name]


def _passes(job: Number, right: Task, outcome: str) -> bool:
    """Return True if an example passes without the fault, in little time if it has no end with the fault."""
    with closing(Worker(right)) as worker:
        result = worker.result(job)
    return result.outcome == PASSED and (outcome != "timeout" or result.seconds <= SHORT_SECONDS)


def _id(job: Number) -> str:
    """Return the operator, the dtype, the seed and the number of an example."""
    return f"{job.operator}/{job.dtype}-{job.seed}-{job.number}"
