"""Why an output is refused: its tally against its thresholds, in sentences."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Iterator, Mapping

import numpy as np

from mluops_conformance.judging.measures import MEASURES, Measure, is_degenerate
from mluops_conformance.judging.rounding import OWN_ROUNDINGS, bound, unit_roundoff
from mluops_conformance.judging.tally import Tally
from mluops_conformance.judging.values import Element, Threshold
from mluops_conformance.support.formatting import counted, short


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
    found = "accumulation error" if worst.error <= share * scale else "no mere accumulation error"
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
