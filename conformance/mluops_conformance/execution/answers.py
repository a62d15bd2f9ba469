"""The steps after a case's calls: keep what came out, and judge it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from mluops_conformance.execution.buffers import unwritten
from mluops_conformance.execution.inputs import dtype_of, scalars_of
from mluops_conformance.judging.bits import differing_bits
from mluops_conformance.judging.repetition import disagreement, is_among
from mluops_conformance.judging.values import FAILED, MISTRUSTED, PASSED, GtestVerdict, OutputVerdict
from mluops_conformance.judging.vendor import Evaluator, limits_of
from mluops_conformance.judging.verdict import Comparison, compare_until_match, explained, judge
from mluops_conformance.operators.base import Arrays, Tensor, shape_of
from mluops_conformance.support.formatting import counted

if TYPE_CHECKING:
    from mluops_conformance.execution.steps import State
    from mluops_conformance.operators.base import Examine

WORST_FIRST = (FAILED, MISTRUSTED, PASSED)


def keep_answers(state: State) -> None:
    """Keep each output of this call, unless a call before gave the same bits."""
    outputs = {tensor.name: _output(state, tensor) for tensor in state.operator.outputs}
    new = False
    for tensor in state.operator.outputs:
        whole = outputs[tensor.name]
        valid = state.expected.valid.get(tensor.name)
        actual = whole if valid is None else whole.reshape(-1)[:valid]
        answers = state.answers.setdefault(tensor.name, [])
        if not is_among(actual, answers):
            _check_written(state, tensor.name, _claimed(tensor, outputs))
            answers.append(actual)
            state.wholes.setdefault(tensor.name, []).append(whole)
            new = True
    if new:
        state.calls.append(outputs)


def _output(state: State, tensor: Tensor) -> np.ndarray[Any, Any]:
    """All of an output as the call left it."""
    actual = state.bytes[tensor.name].view(dtype_of(tensor, state.case))
    return actual.reshape(shape_of(tensor, state.case.dims))


def _claimed(tensor: Tensor, outputs: Arrays) -> np.ndarray[Any, Any]:
    """What counts of an output by the call's own word."""
    whole = outputs[tensor.name]
    if not tensor.counted_by:
        return whole
    count = int(outputs[tensor.counted_by].reshape(-1)[0])
    return whole.reshape(-1)[: min(max(count, 0), whole.size)]


def compare_answers(state: State) -> None:
    """Equal calls may differ by no more than the order of atomic additions explains."""
    addends = state.addends() if state.operator.atomic else None
    for name, answers in state.answers.items():
        scale = state.expected.interpretations[name][0].scale
        why = disagreement(answers, state.case.repeat, addends=addends, scale=scale)
        if why:
            state.disagreements.append(f"{name}: {why}")
        state.expected.notes[f"distinct {name}"] = len(answers)


def judge_outputs(state: State) -> None:
    """Measure every distinct output against its expectation, and keep the worst verdict."""
    evaluator = Evaluator()
    state.verdicts = []
    for name, answers in state.answers.items():
        compared = [compare_until_match(actual, state.expected.interpretations[name]) for actual in answers]
        verdicts = [_judged(state, name, *pair) for pair in zip(answers, compared)]
        worst = min(range(len(answers)), key=lambda index: WORST_FIRST.index(verdicts[index].outcome))
        gtest = _evaluated(state, evaluator, answers[worst], compared[worst][0])
        state.verdicts.append(replace(verdicts[worst], gtest=gtest))
    if state.operator.examine is not None and any(verdict.outcome == FAILED for verdict in state.verdicts):
        _examine(state, state.operator.examine)


def _examine(state: State, examine: Examine) -> None:
    """Say what is wrong in the operator's own terms; decisions within rounding are not."""
    device = state.session.backend.figures.limited_to(state.case.clusters)
    found = [
        examine(state.inputs, scalars_of(state.case), outputs, device)
        for outputs in state.calls
        if _differs(state, outputs)
    ]
    findings = [finding for of_call in found for finding in of_call]
    counts = {tensor.counted_by for tensor in state.operator.outputs}
    wrong = {verdict.name for verdict in state.verdicts if verdict.outcome == FAILED}
    state.verdicts = [
        explained(verdict, findings)
        if wrong & {verdict.name, state.operator.tensor(verdict.name).counted_by}
        and not (findings and verdict.name in counts)
        else verdict
        for verdict in state.verdicts
    ]
    causes = {finding.cause for finding in findings}
    state.causes = () if "" in causes else tuple(sorted(causes))


def _differs(state: State, outputs: Arrays) -> bool:
    """Whether the outputs of a call are not the expected ones."""
    for name, rights in state.expected.interpretations.items():
        expected = rights[0].expected
        if not np.array_equal(outputs[name].reshape(-1)[: expected.size], expected.reshape(-1)):
            return True
    return False


def _judged(
    state: State, name: str, actual: np.ndarray[Any, Any], compared: Sequence[Comparison]
) -> OutputVerdict:
    verdict = judge(
        name,
        actual,
        state.expected.interpretations[name],
        compared=compared,
        discriminate=state.case.discriminate,
        addends=state.addends if state.operator.addends else None,
        decoys={f"a copy of `{input}`": array for input, array in state.inputs.items()},
    )
    if not state.operator.criteria.bitwise or verdict.outcome == FAILED:
        return verdict
    wrong = differing_bits(actual, state.expected.interpretations[name][0].expected)
    return replace(verdict, outcome=FAILED, reasons=(wrong,)) if wrong else verdict


def _evaluated(
    state: State, evaluator: Evaluator, actual: np.ndarray[Any, Any], plain: Comparison
) -> GtestVerdict:
    """What the vendor's tool, which knows one right answer, would say of an output."""
    limits = limits_of(plain.right.thresholds, state.case.thresholds)
    return evaluator.evaluate(actual, plain.right.expected, limits, plain.found)


def _check_written(state: State, name: str, actual: np.ndarray[Any, Any]) -> None:
    places = unwritten(actual)
    if not places.size:
        return
    if places.size == actual.size:
        state.reasons.append(f"status SUCCESS, but nothing of `{name}` was written")
    elif places[0] == actual.size - places.size:
        state.reasons.append(f"`{name}` was not written from element {places[0]} of {actual.size} on")
    else:
        index = [int(i) for i in np.unravel_index(places[0], actual.shape)]
        state.reasons.append(f"`{name}` was not written at {counted(places.size, 'place')}, first at {index}")
