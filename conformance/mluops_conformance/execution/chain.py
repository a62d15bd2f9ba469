"""The steps of a case of several calls: calls in a row on one queue, each judged by what it was given.

Only after the one synchronisation at the end is it known what the calls gave each other. So what is expected
of a call follows from the inputs that earlier calls left in its buffers: an error of one call is not charged
to the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Mapping, Sequence

import numpy as np

from mluops_conformance.errors import CaseDataError
from mluops_conformance.execution.answers import keep_answers
from mluops_conformance.execution.expectations import Expected, expect
from mluops_conformance.execution.inputs import dtype_of
from mluops_conformance.execution.steps import call, check_status, is_expected, synchronize
from mluops_conformance.execution.values import (
    Answers,
    Buffers,
    Called,
    Descriptors,
    Earlier,
    Fetched,
    Found,
    Given,
    Inputs,
    Repetition,
    Task,
    Verdicts,
    Workspace,
)
from mluops_conformance.judging.rounding import same_bits
from mluops_conformance.judging.values import PASSED
from mluops_conformance.operators.base import shape_of

if TYPE_CHECKING:
    from mluops_conformance.judging.values import OutputVerdict
    from mluops_conformance.operators.base import Arrays


def call_in_turn(
    task: Task, buffers: Buffers, descriptors: Descriptors, workspace: Workspace
) -> tuple[Called, Workspace]:
    """Call the operator without waiting; no call follows one that is refused, whose outputs it would read."""
    called, workspace = call(task, buffers, descriptors, workspace)
    if not is_expected(called, task.case.statuses):
        synchronize(task, called)  # the calls before it still use their buffers
        check_status(task, called)
    return called, workspace


def synchronize_once(task: Task, earlier: Earlier, called: Called) -> None:
    """Wait for all calls; a device does not tell in which of them something went wrong."""
    names = dict.fromkeys([*(given[Called].function for given in earlier.of.values()), called.function])
    synchronize(task, replace(called, function=" or ".join(names)))


def expect_linked(
    task: Task, inputs: Inputs, earlier: Earlier, expected: Expected
) -> tuple[Inputs, Expected]:
    """Compute the right answer to what the earlier calls gave, at the first of equal rows of calls."""
    if not task.case.links or expected.is_made:
        return inputs, expected
    arrays = {**inputs.arrays, **_linked(task, earlier)}
    try:
        made = expect(task.case, task.operator, arrays, task.session)
    except CaseDataError as error:
        made = Expected(refusal=str(error))
    return Inputs(arrays), made


def _linked(task: Task, earlier: Earlier) -> Arrays:
    """Return the linked inputs as the calls left them."""
    return {name: _left(earlier.of[link.step], link.tensor) for name, link in task.case.links.items()}


def _left(given: Given, name: str) -> np.ndarray:
    """Return a tensor of an earlier call, as it was fetched."""
    task = given[Task]
    tensor = task.operator.tensor(name)
    stored = given[Fetched].of[name].view(dtype_of(tensor, task.case))
    return np.require(stored.reshape(shape_of(tensor, task.case.dims)), requirements="A")


def keep_chained_answers(
    task: Task, inputs: Inputs, earlier: Earlier, expected: Expected, fetched: Fetched, answers: Answers
) -> tuple[Answers, Found]:
    """Keep the outputs of this call, unless nothing is expected of them.

    Of repeated calls count those that were given the same as the first: where an earlier call gives something
    else, the difference is charged to that call.
    """
    alike = all(same_bits(array, inputs.arrays[name]) for name, array in _linked(task, earlier).items())
    if expected.refusal or not alike:
        return answers, Found()
    return keep_answers(task, expected, fetched, answers)


def check_linked(
    task: Task, buffers: Buffers, descriptors: Descriptors, workspace: Workspace
) -> tuple[Called, Found]:
    """Call once more on the same memory, and look at the linked inputs before and after: they must be equal.

    Nothing may come between the calls of a row, so that a look between them is not possible.
    """
    before = {name: buffer.fetch().copy() for name, buffer in buffers.linked.items()}
    if not before:
        return Called(), Found()
    called, _ = call(task, buffers, descriptors, workspace)
    synchronize(task, called)
    for buffer in buffers.linked.values():
        buffer.fetch()
    changed = [name for name, buffer in buffers.linked.items() if not buffer.holds(before[name])]
    reasons = tuple(f"input `{name}`, {task.case.links[name]}, was changed by the call" for name in changed)
    return called, Found(reasons)


def refuse_data(expected: Expected, earlier: Earlier) -> Found:
    """Count a call without a right answer as a mistake of the case, unless an earlier call is wrong.

    Raises
    ------
    CaseDataError
        The earlier calls are right, and this operator is not defined for what they give.
    """
    verdicts = [verdict for given in earlier.of.values() for verdict in given[Verdicts].of]
    if expected.refusal and all(verdict.outcome == PASSED for verdict in verdicts):
        raise CaseDataError(expected.refusal)
    return Found()


@dataclass(frozen=True)
class Told:
    """The results of all calls of a case together, under the names of their steps.

    Parameters
    ----------
    found : Found
    disagreements : tuple of str
        The differences between repetitions.
    verdicts : Verdicts
        Those of the steps' outputs first, as `STEP.OUTPUT`.
    notes : dict of str to float
    """

    found: Found
    disagreements: tuple[str, ...]
    verdicts: Verdicts
    notes: dict[str, float]


def found_in(calls: Sequence[Given]) -> Found:
    """Add up the faults of all calls."""
    return sum((given[Found] for given in calls), Found())


def told_by(calls: Sequence[Given]) -> Told:
    """Put the results of the calls of a case together; the last one is the case's own, and has no name."""
    if len(calls) == 1:
        return _told_by_one(calls[0])
    named = dict(zip((*calls[-1][Earlier].of, ""), calls))
    faults = [
        Found(_prefixed(name, given[Found].reasons, ": "), given[Found].error)
        for name, given in named.items()
    ]
    return Told(
        sum(faults, Found()),
        tuple(
            text
            for name, given in named.items()
            for text in _prefixed(name, given[Repetition].disagreements, ".")
        ),
        _verdicts(named),
        {
            _prefixed(name, (key,), ": ")[0]: value
            for name, given in named.items()
            for key, value in {**given[Expected].notes, **given[Repetition].notes}.items()
        },
    )


def _told_by_one(given: Given) -> Told:
    repetition, notes = given[Repetition], given[Expected].notes
    return Told(given[Found], repetition.disagreements, given[Verdicts], {**notes, **repetition.notes})


def _verdicts(named: Mapping[str, Given]) -> Verdicts:
    """Return all verdicts; causes explain all failures only where no step has one."""
    own = named[""][Verdicts]
    steps: list[OutputVerdict] = [
        replace(verdict, name=f"{name}.{verdict.name}")
        for name, given in named.items()
        for verdict in given[Verdicts].of
        if name
    ]
    right = all(verdict.outcome == PASSED for verdict in steps)
    return Verdicts((*steps, *own.of), own.judged, own.causes if right else ())


def _prefixed(name: str, texts: Sequence[str], sign: str) -> tuple[str, ...]:
    return tuple(f"{name}{sign}{text}" if name else text for text in texts)
