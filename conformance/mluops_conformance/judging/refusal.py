"""Explain the refusal of an output in sentences, and state the smallest error that would be refused.

A verdict is worth what it would have refused. Take an output that passes, and let the element with the
largest local scale be wrong by a share of that scale. The resolution is the smallest such share that is
refused. It is 0 where outputs are exact, and 1 where an element may be wrong by all that was added up in
it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Iterator, Mapping

import numpy as np

from mluops_conformance.judging.measures import MEASURES, Measure, is_degenerate
from mluops_conformance.judging.rounding import OWN_ROUNDINGS, bound, unit_roundoff
from mluops_conformance.judging.tally import Tally
from mluops_conformance.judging.values import UNWRITTEN_INT32, Element, Threshold
from mluops_conformance.support.formatting import counted, exact, short

ALL_ZERO, CONSTANT, SPECIAL, VALUES = "all zero", "constant", "NaN or infinity", "values"
"""Kinds of faults of an output, in the words of `OutputVerdict.fault`."""

BLIND = 1.0
"""A passed output of this resolution, or a larger one, is mistrusted: nothing wrong in it would be seen."""


def reasons(found: Tally, thresholds: Mapping[str, Threshold]) -> Iterator[str]:
    """Yield a sentence for each thing that is wrong, special values first; nothing for a right output."""
    if found.mismatched:
        first = found.mismatches[0]
        yield (
            f"{found.mismatched} of {counted(found.elements, 'element')} differ in NaN or infinity, "
            f"the first at {first.index}: actual {first.actual}, expected {first.expected}"
        )
    for measure, threshold in _deciding(found, thresholds):
        if measure.refuses(found, threshold.value):
            yield measure.sentence(found, threshold.value)


def distance(found: Tally, thresholds: Mapping[str, Threshold]) -> float:
    """Return how many times its threshold the worst measure is; infinite with special-value mismatches."""
    if found.mismatched:
        return math.inf
    times = (measure.excess(found, limit.value) for measure, limit in _deciding(found, thresholds))
    return max(times, default=0.0)


def accumulation(worst: Element, dtype: np.dtype, scale: float, addends: int) -> Iterator[str]:
    """Say whether an element is off by no more than its additions in the storage dtype may cost.

    Says nothing of an element with less than two addends.

    Parameters
    ----------
    worst : Element
    dtype : dtype
        The storage dtype.
    scale : float
        Its local scale: the sum of the magnitudes of its addends.
    addends : int
    """
    if addends < 2 or dtype.kind != "f" or not math.isfinite(scale):
        return
    share = float(bound(addends, dtype))
    found = "accumulation error" if worst.error <= share * scale else "more than an accumulation error"
    yield (
        f"{found}: {worst.index} is off by {short(worst.error)}, and {addends} addends of magnitude "
        f"{short(scale)} in all, summed one by one in {dtype}, may lose "
        f"({addends} + {OWN_ROUNDINGS}) x {short(unit_roundoff(dtype))} = {short(share)} of it"
    )


def _deciding(found: Tally, thresholds: Mapping[str, Threshold]) -> Iterator[tuple[Measure, Threshold]]:
    """Yield the measures that decide.

    Where the expectation is 0, averages have nothing to divide by. The pointwise measure decides alone where
    there is a local scale; without one, nothing was added up, and the output has to be 0 exactly.
    """
    for name, threshold in thresholds.items():
        measure = MEASURES[name]
        if not measure.averaged or not is_degenerate(found):
            yield measure, threshold
        elif found.scaled_max is None:
            yield measure, replace(threshold, value=0.0) if found.expected_sum == 0 else threshold


def plain_fault(actual: np.ndarray, expected: np.ndarray) -> tuple[str, str]:
    """Find an output that holds one value where the expectation holds several.

    Parameters
    ----------
    actual : ndarray
        An output that is refused.
    expected : ndarray
        A right answer of the same shape.

    Returns
    -------
    fault : str
        `ALL_ZERO`, `CONSTANT`, or nothing.
    sentence : str
        The same in words; empty without a fault.
    """
    if actual.size == 0:
        return "", ""
    first = actual.flat[0]
    if not _is_all(actual, first) or _is_unwritten(first):
        return "", ""
    if first == 0:
        return ALL_ZERO, "it is all zero, under status SUCCESS"
    if actual.size == 1 or _is_all(expected, expected.flat[0]):
        return "", ""
    return CONSTANT, f"it holds {exact(first.item())} everywhere, under status SUCCESS"


def _is_unwritten(value: np.generic) -> bool:
    return value.dtype.kind == "i" and value.item() == UNWRITTEN_INT32


def _is_all(array: np.ndarray, value: np.generic) -> bool:
    return bool(np.all(np.isnan(array) if value != value else array == value))


def resolution(
    found: Tally,
    thresholds: Mapping[str, Threshold],
    largest_scale: float,
    rounding: float = 0.0,
) -> float:
    """Return the smallest error of one element, as a share of the largest local scale, that is refused.

    Parameters
    ----------
    found : Tally
        Of the output.
    thresholds : mapping of measure to Threshold
    largest_scale : float
        The largest local scale; the largest magnitude that is expected where an output has none.
    rounding : float
        The share that rounding alone may cost an element, which is never refused.

    Returns
    -------
    float
        Infinite where nothing is refused.
    """
    exact = found.scaled_max is None and found.expected_sum == 0
    shares = [0.0] if exact else []
    for name, limit in thresholds.items():
        least_seen = MEASURES[name].least_seen
        if least_seen is not None:
            shares.append(least_seen(found, limit.value, largest_scale))
    return max(min(shares, default=np.inf), rounding)
