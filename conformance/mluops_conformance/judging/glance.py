"""Refusing an output at a glance: its measures bounded from below by two numbers.

Most wrong outputs are so far off that the sum and the maximum of their errors alone exceed a threshold. What
is not refused here may still be refused by a full comparison: nothing is accepted at a glance.
"""

from __future__ import annotations

from typing import Mapping

import numpy as np

from mluops_conformance.judging.tally import EPSILON
from mluops_conformance.judging.values import Threshold

SURELY = 1.001
"""How many times its threshold a measure must be: other orders of summation round differently."""


class Glance:
    """An expectation that many outputs are held against.

    Parameters
    ----------
    expected : ndarray
        float64, or integers.
    dtype : dtype
        The outputs'.
    scale : ndarray, optional
        The local scale.
    """

    def __init__(self, expected: np.ndarray, dtype: np.dtype, scale: np.ndarray | None) -> None:
        with np.errstate(over="ignore"):
            self._expected = expected.astype(dtype).astype(np.float64)
        magnitude = np.abs(self._expected)
        self._sum, self._largest = float(magnitude.sum()), float(magnitude.max(initial=0))
        self._unit = None if scale is None else max(float(scale.max(initial=0)), _smallest(dtype))

    def refuses(self, output: np.ndarray, thresholds: Mapping[str, Threshold]) -> bool:
        """Whether an output exceeds a threshold for certain; never where NaN or infinity are involved."""
        with np.errstate(all="ignore"):
            error = np.abs(output - self._expected)
        largest = float(error.max(initial=0))
        # Where the expectation is 0, the averages are replaced by the largest error.
        average = largest if self._sum < EPSILON else float(error.sum()) / (self._sum + EPSILON)
        least = {
            "diff1": average,
            "diff3": largest / max(1.0, self._largest + EPSILON),
            "diff3_2": largest,
            "pointwise": largest / self._unit if self._unit else 0.0,
        }
        return any(
            SURELY * thresholds[name].value < value < np.inf
            for name, value in least.items()
            if name in thresholds
        )


def _smallest(dtype: np.dtype) -> float:
    return float(np.finfo(dtype).tiny) if dtype.kind == "f" else 1.0
