"""Why an output is refused: its tally against its thresholds, in sentences."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Iterator, Mapping

import numpy as np

from mluops_conformance.judging.measures import ACCEPTANCE
from mluops_conformance.judging.rounding import OWN_ROUNDINGS, bound, unit_roundoff
from mluops_conformance.judging.tally import EPSILON, Tally
from mluops_conformance.judging.values import Element, Threshold
from mluops_conformance.support.formatting import counted, short

AVERAGED = frozenset({"diff1", "diff2"})
"""Measures that divide by the expectation's sum; where that is 0, the absolute error is judged instead."""


ONE_SIDED = 4.0
"""Unit roundoffs that errors of one side may be on average. A rounded constant, such as the reciprocal of a
count, moves all of them to one side, by one; the product with it rounds once more."""


def reasons(found: Tally, thresholds: Mapping[str, Threshold]) -> Iterator[str]:
    """A sentence for each thing that is wrong, special values first; nothing for an output that passes.

    A measure equal to its threshold passes. diff4 is refused only where all errors have one sign and are
    larger than one constant that is rounded for all of them makes them (`ONE_SIDED`); by a negative threshold
    never.
    """
    if found.mismatched:
        first = found.mismatches[0]
        yield (
            f"{found.mismatched} of {counted(found.elements, 'element')} differ in NaN or infinity, "
            f"the first at {first.index}: actual {first.actual}, expected {first.expected}"
        )
    for name, threshold in _judging(found, thresholds):
        value = _judged(name, found)
        if _is_refused(name, value, threshold.value, found):
            yield _sentence(name, value, threshold.value, found)


def is_degenerate(found: Tally) -> bool:
    """Whether the vendor's 1e-9 is all that the averages would divide by."""
    return found.elements > 0 and found.expected_sum < EPSILON


def distance(found: Tally, thresholds: Mapping[str, Threshold]) -> float:
    """How many times its threshold the worst measure is; infinite with special-value mismatches."""
    if found.mismatched:
        return math.inf
    times = (_times(name, found, threshold.value) for name, threshold in _judging(found, thresholds))
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
    found = "accumulation error" if worst.error <= share * scale else "no mere accumulation error"
    yield (
        f"{found}: {worst.index} is off by {short(worst.error)}, and {addends} addends of magnitude "
        f"{short(scale)} in all, summed one by one in {dtype}, may lose "
        f"({addends} + {OWN_ROUNDINGS}) x {short(unit_roundoff(dtype))} = {short(share)} of it"
    )


def _judging(found: Tally, thresholds: Mapping[str, Threshold]) -> Iterator[tuple[str, Threshold]]:
    """Yield the thresholds that decide.

    Where the expectation is 0, averages have nothing to divide by. The pointwise measure decides alone where
    there is a local scale; without one, nothing was added up, and the output has to be 0 exactly.
    """
    for name, threshold in thresholds.items():
        if name not in AVERAGED or not is_degenerate(found):
            yield name, threshold
        elif found.scaled_max is None:
            yield name, replace(threshold, value=0.0) if found.expected_sum == 0 else threshold


def _times(name: str, found: Tally, threshold: float) -> float:
    value = _judged(name, found)
    if name == "diff4" or not threshold:
        return math.inf if _is_refused(name, value, threshold, found) else 0.0
    return value / threshold


def _judged(name: str, found: Tally) -> float:
    if name in AVERAGED and is_degenerate(found):
        return found.error_max
    return ACCEPTANCE[name](found)


def _is_refused(name: str, value: float, threshold: float, found: Tally) -> bool:
    if name == "diff4":
        average = found.error_sum / (found.expected_sum + EPSILON)
        return threshold >= 0 and value in (0.0, 1.0) and average > ONE_SIDED * found.unit_roundoff
    return not (value <= threshold and math.isfinite(value))


def _sentence(name: str, value: float, threshold: float, found: Tally) -> str:
    if name == "diff4":
        side = "above" if found.above else "below"
        return (
            f"all {found.above + found.below} errors lie {side} the expectation, so diff4 is {short(value)}"
        )
    if name in AVERAGED and is_degenerate(found):
        return f"the expectation is 0, and the absolute error, {short(value)}, is above {short(threshold)}"
    return f"{name} is {short(value)}, above {short(threshold)}"
