"""What each output must be, by every interpretation that a correct device may follow."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Iterator, Mapping

import numpy as np

from mluops_conformance.errors import CaseDataError
from mluops_conformance.execution.cache import Evaluate
from mluops_conformance.execution.inputs import dtype_of, scalars_of
from mluops_conformance.judging.measures import measure
from mluops_conformance.judging.thresholds import resolve
from mluops_conformance.judging.verdict import Interpretation
from mluops_conformance.operators.base import Arrays, Expectation, Operator, Reference, Scalar, Tensor

if TYPE_CHECKING:
    from mluops_conformance.execution.session import Session
    from mluops_conformance.judging.values import Threshold
    from mluops_conformance.language.model import Case

DOUBLE = "double"
BASELINE_CHANNELS, BASELINE_ROWS = 8, 128
"""The baseline's own diff is an average: where channels or rows are independent, so many of them give it."""


@dataclass
class Expected:
    """Expectations of a case.

    Parameters
    ----------
    interpretations : dict
        By output name; the first is the double-precision reference.
    valid : dict of str to int
        Leading elements of an output that count.
    notes : dict of str to float
        Figures that belong into the record.
    uncertain : tuple of tuple of int
        Groups of rows of the inputs on which a correct device may decide otherwise.
    """

    interpretations: dict[str, list[Interpretation]] = field(default_factory=dict)
    valid: dict[str, int] = field(default_factory=dict)
    notes: dict[str, float] = field(default_factory=dict)
    uncertain: tuple[tuple[int, ...], ...] = ()


def expect(case: Case, operator: Operator, inputs: Arrays, session: Session) -> Expected:
    """Evaluate the references, their baselines and the local scale on the inputs of a case.

    Raises
    ------
    CaseDataError
        The operator is not defined for the inputs.
    """
    evaluate = _for_data_of(case, session.evaluating(inputs, scalars_of(case)))
    scale = evaluate(f"{operator.name} scale", operator.scale).outputs if operator.scale else {}
    result = Expected()
    for name, reference, baseline in _interpretations(operator, case.dtype):
        expectation = evaluate(f"{operator.name} {name}", reference)
        if name == DOUBLE:
            result.valid, result.notes = expectation.valid, dict(expectation.notes)
            result.uncertain = expectation.uncertain
        diffs = _baseline_diffs(operator, name, baseline, evaluate, expectation, scale) if baseline else {}
        for tensor in operator.outputs:
            limits = _limits(case, operator, tensor, session, diffs.get(tensor.name), tensor.name in scale)
            expected = _valid_part(expectation, tensor.name)
            result.interpretations.setdefault(tensor.name, []).append(
                Interpretation(name, expected, limits, scale.get(tensor.name))
            )
    return result


def _for_data_of(case: Case, evaluate: Evaluate) -> Evaluate:
    """A refusal of a reference says whose mistake it is: sizes and scalars were checked before."""

    def evaluated(name: str, function: Reference) -> Expectation:
        try:
            return evaluate(name, function)
        except ValueError as error:
            raise CaseDataError(f"{case.origin}: a mistake in the case's data: {error}") from error

    return evaluated


def _interpretations(operator: Operator, dtype: str) -> Iterator[tuple[str, Reference, Reference | None]]:
    yield DOUBLE, operator.reference, operator.baseline
    if dtype == "float16":
        for name, reference in operator.interpretations.items():
            yield name, reference, operator.interpretation_baselines.get(name)


def _limits(
    case: Case,
    operator: Operator,
    tensor: Tensor,
    session: Session,
    baseline: Mapping[str, float] | None,
    pointwise: bool,
) -> dict[str, Threshold]:
    criteria = operator.criteria
    if session.options.static_thresholds:
        criteria = replace(criteria, rates={})
    return resolve(
        criteria,
        dtype_of(tensor, case).name,
        series=session.backend.device,
        baseline=baseline,
        case=case.thresholds,
        command_line=session.options.thresholds,
        pointwise=pointwise,
    )


def _valid_part(expectation: Expectation, name: str) -> np.ndarray[Any, Any]:
    expected, valid = expectation.outputs[name], expectation.valid.get(name)
    return expected if valid is None else expected.reshape(-1)[:valid]


def _baseline_diffs(
    operator: Operator,
    name: str,
    baseline: Reference,
    evaluate: Evaluate,
    expectation: Expectation,
    scale: Arrays,
) -> dict[str, dict[str, float]]:
    """How far a correct evaluation in the storage type is off, on a sample of what is independent."""

    def of_sample(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Expectation:
        return baseline(_sampled(operator, inputs), scalars)

    sample = f"{BASELINE_CHANNELS} channels, {BASELINE_ROWS} rows"
    computed = evaluate(f"{operator.name} {name}, baseline of {sample}", of_sample)
    expected, unit = _sampled(operator, expectation.outputs), _sampled(operator, scale)
    return {
        output: measure(actual, expected[output], unit.get(output))
        for output, actual in computed.outputs.items()
    }


def _sampled(operator: Operator, arrays: Arrays) -> Arrays:
    """The arrays, of those with independent channels only the first few, of independent rows an even few."""
    return {name: _sample(operator, name, array) for name, array in arrays.items()}


def _sample(operator: Operator, name: str, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if name in operator.rowwise:
        array = array[:: max(1, -(-len(array) // BASELINE_ROWS))]
    if name in operator.channelwise:
        array = array[..., :BASELINE_CHANNELS]
    return np.ascontiguousarray(array)
