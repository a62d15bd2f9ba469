"""The expected outputs, by every interpretation that a correct device may follow."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, Callable, Generic, Mapping, NamedTuple, Sequence, TypeVar

import numpy as np

from mluops_conformance.errors import CaseDataError
from mluops_conformance.execution.cache import Evaluate
from mluops_conformance.execution.inputs import dtype_name, dtype_of, scalars_of
from mluops_conformance.judging.measures import measure
from mluops_conformance.judging.rounding import nearest
from mluops_conformance.judging.thresholds import POINTWISE, resolve
from mluops_conformance.judging.verdict import Interpretation, RightAnswers
from mluops_conformance.operators.base import (
    Arrays,
    Criteria,
    Expectation,
    Operator,
    Reference,
    Scalar,
    Tensor,
)

if TYPE_CHECKING:
    from mluops_conformance.execution.session import Session
    from mluops_conformance.judging.values import Threshold
    from mluops_conformance.language.model import Case

T = TypeVar("T")

DOUBLE = "double"
IN_FLOAT32 = "float32 coordinates"
BASELINE_CHANNELS, BASELINE_ROWS = 8, 128
"""The baseline's own diff is an average: where channels or rows are independent, so many of them give it."""


@dataclass(frozen=True)
class Expected:
    """Expectations of a case.

    Parameters
    ----------
    interpretations : dict
        By output name; the first is the double-precision reference, the others are evaluated when asked for.
    valid : dict of str to int
        Leading elements of an output that count.
    notes : dict of str to float
        Figures that belong into the record.
    uncertain : tuple of tuple of int
        Groups of rows of the inputs on which a correct device may decide otherwise.
    refusal : str
        The reason why there is no right answer to what earlier calls gave; empty where there is one.
    """

    interpretations: dict[str, RightAnswers] = field(default_factory=dict)
    valid: dict[str, int] = field(default_factory=dict)
    notes: dict[str, float] = field(default_factory=dict)
    uncertain: tuple[tuple[int, ...], ...] = ()
    refusal: str = ""

    @property
    def is_made(self) -> bool:
        """Return whether the reference was asked."""
        return bool(self.interpretations or self.refusal)


class _Once(Generic[T]):
    """A function without arguments that is called at most once."""

    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function

    def __call__(self) -> T:
        return self._result

    @cached_property
    def _result(self) -> T:
        return self._function()


def expect(case: Case, operator: Operator, inputs: Arrays, session: Session) -> Expected:
    """Evaluate the references, their baselines and the local scale on the inputs of a case.

    Raises
    ------
    CaseDataError
        The operator is not defined for the inputs.
    """
    scalars = scalars_of(case)
    evaluate = _for_data_of(case, session.evaluating(inputs, scalars))
    counts = _Once(partial(_counts, operator, inputs, scalars))
    answering = _Answering(case, operator, session, evaluate, counts, _is_whole(operator, inputs))
    plain = evaluate(f"{operator.name} {DOUBLE}", operator.reference)
    double = _Reading(operator.reference, operator.baseline, operator.scale)
    further = [
        _Once(partial(answering.answers, name, reading))
        for name, reading in _further_readings(operator, case.dtype).items()
    ]
    return Expected(
        _right_answers(answering, double, plain, further, session.floors_first),
        plain.valid,
        dict(plain.notes),
        plain.uncertain,
    )


def _right_answers(
    answering: _Answering,
    double: _Reading,
    plain: Expectation,
    further: Sequence[Callable[[], Mapping[str, Interpretation]]],
    floors_first: bool,
) -> dict[str, RightAnswers]:
    """Return the right answers of each output; with floors first, others are computed if they are needed."""
    by_baseline = _Once(partial(answering.answers, DOUBLE, double, plain))
    at_floors = _Once(partial(answering.answers, DOUBLE, double._replace(baseline=None), plain))
    at_sight = _Once(partial(answering.at_sight, plain))
    if not floors_first:
        by_baseline()
    return {
        tensor.name: RightAnswers(
            partial(_of_output, by_baseline, tensor.name),
            [partial(_of_output, answers, tensor.name) for answers in further],
            [partial(_of_output, answers, tensor.name) for answers in (at_sight, at_floors)]
            if floors_first
            else (),
        )
        for tensor in answering.outputs
    }


def _counts(operator: Operator, inputs: Arrays, scalars: Mapping[str, Scalar]) -> Mapping[str, Arrays]:
    """Return the fields of an interpretation that count what each element adds up."""
    return {
        field: counting(inputs, scalars) if counting else {}
        for field, counting in (("addends", operator.addends), ("sums_over_scale", operator.sums_over_scale))
    }


def _of_output(answers: Callable[[], Mapping[str, Interpretation]], output: str) -> Interpretation:
    return answers()[output]


@dataclass(frozen=True)
class _Answering:
    """Makes the right answers to a case."""

    case: Case
    operator: Operator
    session: Session
    evaluate: Evaluate
    counts: Callable[[], Mapping[str, Arrays]]
    whole: bool

    @property
    def outputs(self) -> list[Tensor]:
        """The outputs that the case does not leave out."""
        absent = self.operator.absent_with(self.case.absent)
        return [tensor for tensor in self.operator.outputs if tensor.name not in absent]

    def at_sight(self, expectation: Expectation) -> dict[str, Interpretation]:
        """Return the plain answers with the expectation for their local scale, which is never smaller."""
        scale = {
            tensor.name: np.abs(expectation.outputs[tensor.name])
            for tensor in self.outputs
            if self.operator.scale is not None and dtype_of(tensor, self.case).kind == "f"
        }
        return {tensor.name: self._answer(DOUBLE, tensor, expectation, scale) for tensor in self.outputs}

    def answers(
        self, name: str, reading: _Reading, expectation: Expectation | None = None
    ) -> dict[str, Interpretation]:
        """Return the right answer of each output by one reading, evaluated unless it is given."""
        operator, evaluate = self.operator, self.evaluate
        if expectation is None:
            expectation = evaluate(f"{operator.name} {name}", reading.reference)
        scale = evaluate(f"{operator.name} {name}, scale", reading.scale).outputs if reading.scale else {}
        diffs = _baseline_diffs(
            operator, name, reading, evaluate, expectation, scale, self._widens, whole=self.whole
        )
        counts = self.counts()
        return {
            tensor.name: replace(
                self._answer(name, tensor, expectation, scale, diffs.get(tensor.name)),
                other_side=_other_side(operator, name, tensor.name, evaluate),
                addends=counts["addends"].get(tensor.name),
                sums_over_scale=counts["sums_over_scale"].get(tensor.name, 1.0),
            )
            for tensor in self.outputs
        }

    def _widens(self, output: str, diffs: Mapping[str, float]) -> bool:
        """Return whether the diffs of a baseline widen the thresholds of an output."""
        tensor, has_scale = self.operator.tensor(output), self.operator.scale is not None
        wide, least = (
            _limits(self.case, self.operator, tensor, self.session, baseline, has_scale)
            for baseline in (diffs, None)
        )
        return any(limit.value != least[name].value for name, limit in wide.items())

    def _answer(
        self,
        name: str,
        tensor: Tensor,
        expectation: Expectation,
        scale: Arrays,
        diffs: Mapping[str, float] | None = None,
    ) -> Interpretation:
        has_scale = tensor.name in scale
        limits = _limits(self.case, self.operator, tensor, self.session, diffs, has_scale)
        return Interpretation(name, _valid_part(expectation, tensor.name), limits, scale.get(tensor.name))


class _Reading(NamedTuple):
    """A reference with its baseline and its local scale, as far as there are any."""

    reference: Reference
    baseline: Reference | None
    scale: Reference | None


def _further_readings(operator: Operator, dtype: str) -> dict[str, _Reading]:
    """Return the readings that devices of this storage dtype may follow besides the plain one."""
    return {
        name: _Reading(reading.reference, reading.baseline, reading.scale)
        for name, reading in operator.interpretations.items()
        if not reading.dtypes or dtype in reading.dtypes
    }


def _other_side(
    operator: Operator, name: str, output: str, evaluate: Evaluate
) -> Callable[[], tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]] | None:
    """Return what gives the answer with coordinates rounded to float32, and its scale, when asked for."""
    reading = operator.float32_coordinates
    if reading is None or name != DOUBLE:
        return None
    return lambda: (
        evaluate(f"{operator.name} {IN_FLOAT32}", reading.reference).outputs[output],
        evaluate(f"{operator.name} {IN_FLOAT32}, scale", reading.scale).outputs[output],
    )


def _for_data_of(case: Case, evaluate: Evaluate) -> Evaluate:
    """A refusal of a reference says whose mistake it is: sizes and scalars were checked before."""

    def evaluated(name: str, function: Reference) -> Expectation:
        try:
            return evaluate(name, function)
        except ValueError as error:
            raise CaseDataError(f"{case.origin}: a mistake in the case's data: {error}") from error

    return evaluated


def _limits(
    case: Case,
    operator: Operator,
    tensor: Tensor,
    session: Session,
    baseline: Mapping[str, float] | None,
    pointwise: bool,
) -> dict[str, Threshold]:
    criteria = operator.criteria
    return resolve(
        _static(criteria) if session.options.static_thresholds else criteria,
        dtype_name(tensor, case),
        series=session.backend.device,
        baseline=baseline,
        case=case.thresholds,
        command_line=session.options.thresholds,
        pointwise=pointwise,
    )


@lru_cache(maxsize=None)
def _static(criteria: Criteria) -> Criteria:
    return replace(criteria, rates={})


def _valid_part(expectation: Expectation, name: str) -> np.ndarray[Any, Any]:
    expected, valid = expectation.outputs[name], expectation.valid.get(name)
    return expected if valid is None else expected.reshape(-1)[:valid]


def _baseline_diffs(
    operator: Operator,
    name: str,
    reading: _Reading,
    evaluate: Evaluate,
    expectation: Expectation,
    scale: Arrays,
    widens: Callable[[str, Mapping[str, float]], bool],
    *,
    whole: bool,
) -> dict[str, dict[str, float]]:
    """Return how far a correct evaluation in the storage type is off, on a sample of what is independent.

    A baseline that would widen the thresholds of an output is held against the other side of pixels too.

    Parameters
    ----------
    widens : function of an output's name and its diffs
        Returns whether they widen its thresholds.
    whole : bool
        The sample is all that there is.
    """
    if reading.baseline is None:
        return {}

    def on_sample(what: str, function: Reference) -> Arrays:
        label = f"{operator.name} {what} of {BASELINE_CHANNELS} channels, {BASELINE_ROWS} rows"
        return evaluate(label, lambda given, scalars: function(_sampled(operator, given), scalars)).outputs

    computed = on_sample(f"{name}, baseline", reading.baseline)
    if _adds_up_samples(operator) and not whole:
        expected = on_sample(name, reading.reference)
        unit = on_sample(f"{name}, scale", reading.scale) if reading.scale else {}
    else:
        expected, unit = _sampled(operator, expectation.outputs), _sampled(operator, scale)
    found = _measured(computed, expected, unit)
    other_side = operator.float32_coordinates
    if name != DOUBLE or other_side is None or not any(widens(*diffs) for diffs in found.items()):
        return found
    other = on_sample(IN_FLOAT32, other_side.reference)
    other_unit = on_sample(f"{IN_FLOAT32}, scale", other_side.scale)
    nearer = {
        output: nearest(actual, expected[output], other[output], unit[output], POINTWISE[actual.dtype.name])
        for output, actual in computed.items()
    }
    return _measured(
        computed, nearer, {output: np.maximum(unit[output], other_unit[output]) for output in computed}
    )


def _measured(computed: Arrays, expected: Arrays, unit: Arrays) -> dict[str, dict[str, float]]:
    return {
        output: measure(actual, expected[output], unit.get(output)) for output, actual in computed.items()
    }


def _adds_up_samples(operator: Operator) -> bool:
    """Return whether an output adds up channels or rows, so that of a sample it is another one."""
    sampled = [names for names in (operator.channelwise, operator.rowwise) if names]
    return any(output.name not in names for names in sampled for output in operator.outputs)


def _is_whole(operator: Operator, inputs: Arrays) -> bool:
    return all(_sample(operator, name, array).shape == array.shape for name, array in inputs.items())


def _sampled(operator: Operator, arrays: Arrays) -> Arrays:
    """The arrays, of those with independent channels only the first few, of independent rows an even few."""
    return {name: _sample(operator, name, array) for name, array in arrays.items()}


def _sample(operator: Operator, name: str, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if name in operator.rowwise:
        array = array[:: max(1, -(-len(array) // BASELINE_ROWS))]
    if name in operator.channelwise:
        array = array[..., :BASELINE_CHANNELS]
    return np.ascontiguousarray(array)
