"""Why an output is refused: its tally against its thresholds, in sentences."""

from __future__ import annotations

import math
from typing import Iterator, Mapping

import numpy as np

from mluops_conformance.judging.measures import ACCEPTANCE
from mluops_conformance.judging.tally import EPSILON, Tally
from mluops_conformance.judging.values import Threshold
from mluops_conformance.support.formatting import counted, short

AVERAGED = frozenset({"diff1", "diff2"})
"""Measures that divide by the expectation's sum; where that is 0, the absolute error is judged instead."""


def reasons(found: Tally, thresholds: Mapping[str, Threshold]) -> Iterator[str]:
    """A sentence for each thing that is wrong, special values first; nothing for an output that passes.

    A measure equal to its threshold passes. diff4 is refused only where all errors have one sign, and by a
    negative threshold never.
    """
    if found.mismatched:
        first = found.mismatches[0]
        yield (
            f"{found.mismatched} of {counted(found.elements, 'element')} differ in NaN or infinity, "
            f"the first at {first.index}: actual {first.actual}, expected {first.expected}"
        )
    for name, threshold in thresholds.items():
        value = _judged(name, found)
        if _is_refused(name, value, threshold.value):
            yield _sentence(name, value, threshold.value, found)


def is_degenerate(found: Tally) -> bool:
    """Whether the vendor's 1e-9 is all that the averages would divide by."""
    return found.elements > 0 and found.expected_sum < EPSILON


def distance(found: Tally, thresholds: Mapping[str, Threshold]) -> float:
    """How many times its threshold the worst measure is; infinite with special-value mismatches."""
    if found.mismatched:
        return math.inf
    return max((_times(name, found, threshold.value) for name, threshold in thresholds.items()), default=0.0)


def accumulation(
    found: Tally, dtype: np.dtype, scale: np.ndarray | None, addends: int | None
) -> Iterator[str]:
    """Whether the worst element is off by no more than n additions in the storage type may cost, n u S |x_i|.

    Says nothing without a number of addends above one.
    """
    if addends is None or addends < 2 or dtype.kind != "f" or not found.worst:
        return
    worst = found.worst[0]
    magnitude = float(abs(worst.expected) if scale is None else scale[worst.index])
    digits = np.finfo(dtype).nmant + 1
    bound = addends * 2.0**-digits
    explained = worst.error <= bound * magnitude
    yield (
        f"{'accumulation error' if explained else 'no mere accumulation error'}: {worst.index} is off by "
        f"{short(worst.error)}, and {addends} addends of magnitude {short(magnitude)} in all, "
        f"summed one by one in {dtype}, may lose {addends} x 2^-{digits} = {short(bound)} of it"
    )


def _times(name: str, found: Tally, threshold: float) -> float:
    value = _judged(name, found)
    if name == "diff4" or not threshold:
        return math.inf if _is_refused(name, value, threshold) else 0.0
    return value / threshold


def _judged(name: str, found: Tally) -> float:
    if name in AVERAGED and is_degenerate(found):
        return found.error_max
    return ACCEPTANCE[name](found)


def _is_refused(name: str, value: float, threshold: float) -> bool:
    if name == "diff4":
        return threshold >= 0 and value in (0.0, 1.0)
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
