"""The steps after a case's calls: keep what came out, and judge it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Sequence

import numpy as np

from mluops_conformance.execution.buffers import unwritten
from mluops_conformance.execution.expectations import Expected
from mluops_conformance.execution.inputs import dtype_of, scalars_of
from mluops_conformance.execution.values import Answers, Fetched, Found, Inputs, Repetition, Task, Verdicts
from mluops_conformance.judging.rounding import differing_bits, disagreement, is_among
from mluops_conformance.judging.values import FAILED, MISTRUSTED, PASSED, GtestVerdict, OutputVerdict
from mluops_conformance.judging.vendor import Evaluator, limits_of
from mluops_conformance.judging.verdict import Comparison, RightAnswers, compare_until_match, explained, judge
from mluops_conformance.operators.base import Arrays, Tensor, shape_of
from mluops_conformance.support.formatting import counted

if TYPE_CHECKING:
    from mluops_conformance.execution.values import Array
    from mluops_conformance.operators.base import Examine

WORST_FIRST = (FAILED, MISTRUSTED, PASSED)


def keep_answers(task: Task, expected: Expected, fetched: Fetched, answers: Answers) -> tuple[Answers, Found]:
    """Keep each output of this call, unless a call before gave the same bits."""
    outputs = {tensor.name: _output(task, fetched, tensor) for tensor in task.outputs}
    kept, wholes, found = dict(answers.of), dict(answers.wholes), Found()
    for tensor in task.outputs:
        name, whole = tensor.name, outputs[tensor.name]
        valid = expected.valid.get(name)
        actual = whole if valid is None else whole.reshape(-1)[:valid]
        before = kept.get(name, ())
        if not is_among(actual, before):
            found += _check_written(name, _claimed(tensor, outputs))
            kept[name] = (*before, actual)
            wholes[name] = (*wholes.get(name, ()), whole)
    kept_all = Answers(kept, wholes, answers.calls)
    return (
        replace(kept_all, calls=(*answers.calls, outputs)) if kept_all.count > answers.count else answers
    ), found


def _output(task: Task, fetched: Fetched, tensor: Tensor) -> Array:
    """Return all of an output as the call left it."""
    actual = fetched.of[tensor.name].view(dtype_of(tensor, task.case))
    return actual.reshape(shape_of(tensor, task.case.dims))


def _claimed(tensor: Tensor, outputs: Arrays) -> Array:
    """Return what counts of an output by the call's own word."""
    whole = outputs[tensor.name]
    if not tensor.counted_by:
        return whole
    count = int(outputs[tensor.counted_by].reshape(-1)[0])
    return whole.reshape(-1)[: min(max(count, 0), whole.size)]


def compare_answers(task: Task, expected: Expected, answers: Answers) -> Repetition:
    """Find equal calls that differ by more than the order of atomic additions explains."""
    disagreements = []
    for name, distinct in answers.of.items():
        addends = scale = None
        if task.operator.atomic and len(distinct) > 1:
            right = expected.interpretations[name].scaled
            scale = right.scale
            addends = None if right.addends is None else int(right.addends.max(initial=0))
        why = disagreement(distinct, task.case.repeat, addends=addends, scale=scale)
        if why:
            disagreements.append(f"{name}: {why}")
    notes = {f"distinct {name}": len(distinct) for name, distinct in answers.of.items()}
    return Repetition(tuple(disagreements), notes)


def judge_outputs(
    task: Task, inputs: Inputs, expected: Expected, answers: Answers, before: Verdicts
) -> Verdicts:
    """Measure every distinct output against its expectation, and keep the worst verdict."""
    if answers.count == before.judged:
        return before
    evaluator = Evaluator()
    verdicts = tuple(
        _worst_verdict(task, expected, name, distinct, evaluator) for name, distinct in answers.of.items()
    )
    judged = Verdicts(verdicts, answers.count)
    examine = task.operator.examine
    if examine is None or all(verdict.outcome != FAILED for verdict in verdicts):
        return judged
    return _examined(task, inputs, expected, answers, judged, examine)


def _examined(
    task: Task, inputs: Inputs, expected: Expected, answers: Answers, judged: Verdicts, examine: Examine
) -> Verdicts:
    """Say what is wrong in the operator's own terms; decisions within rounding are not."""
    device = task.session.backend.figures.limited_to(task.case.clusters)
    found = [
        examine(inputs.arrays, scalars_of(task.case), outputs, device)
        for outputs in answers.calls
        if _differs(expected, outputs)
    ]
    findings = [finding for of_call in found for finding in of_call]
    counts = {tensor.counted_by for tensor in task.outputs}
    wrong = {verdict.name for verdict in judged.of if verdict.outcome == FAILED}
    verdicts = tuple(
        explained(verdict, findings)
        if wrong & {verdict.name, task.operator.tensor(verdict.name).counted_by}
        and not (findings and verdict.name in counts)
        else verdict
        for verdict in judged.of
    )
    causes = {finding.cause for finding in findings}
    return Verdicts(verdicts, judged.judged, () if "" in causes else tuple(sorted(causes)))


def _differs(expected: Expected, outputs: Arrays) -> bool:
    """Return whether the outputs of a call are not the expected ones."""
    for name, rights in expected.interpretations.items():
        right = rights[0].expected
        if not np.array_equal(outputs[name].reshape(-1)[: right.size], right.reshape(-1)):
            return True
    return False


def _worst_verdict(
    task: Task,
    expected: Expected,
    name: str,
    answers: Sequence[Array],
    evaluator: Evaluator,
) -> OutputVerdict:
    rights = expected.interpretations[name]
    compared = [_compared(actual, rights) for actual in answers]
    verdicts = [_judged(task, expected, name, *pair) for pair in zip(answers, compared)]
    worst = min(range(len(answers)), key=lambda index: WORST_FIRST.index(verdicts[index].outcome))
    gtest = _evaluated(task, evaluator, answers[worst], compared[worst][0])
    return replace(verdicts[worst], gtest=gtest)


def _compared(actual: Array, rights: RightAnswers) -> Sequence[Comparison]:
    """Compare at stricter thresholds first, where there are any: they cost less."""
    for stricter in rights.stricter:
        found = compare_until_match(actual, [stricter()])
        if not found[0].reasons:
            return found
    return compare_until_match(actual, rights)


def _judged(
    task: Task, expected: Expected, name: str, actual: Array, compared: Sequence[Comparison]
) -> OutputVerdict:
    rights = expected.interpretations[name]
    verdict = judge(name, actual, rights, compared)
    if not task.operator.criteria.bitwise or verdict.outcome == FAILED:
        return verdict
    wrong = differing_bits(actual, rights[0].expected)
    return replace(verdict, outcome=FAILED, reasons=(wrong,)) if wrong else verdict


def _evaluated(task: Task, evaluator: Evaluator, actual: Array, plain: Comparison) -> GtestVerdict:
    """Return the verdict of the vendor's tool, which knows one right answer."""
    limits = limits_of(plain.right.thresholds, task.case.thresholds)
    return evaluator.evaluate(actual, plain.right.expected, limits, plain.found)


def _check_written(name: str, actual: Array) -> Found:
    places = unwritten(actual)
    if not places.size:
        return Found()
    if places.size == actual.size:
        return Found((f"status SUCCESS, but `{name}` was not written at all",))
    if places[0] == actual.size - places.size:
        return Found((f"`{name}` was not written from element {places[0]} of {actual.size} on",))
    index = [int(i) for i in np.unravel_index(places[0], actual.shape)]
    where = f"{counted(places.size, 'place')}, first at {index}"
    return Found((f"`{name}` was not written at {where}",))
