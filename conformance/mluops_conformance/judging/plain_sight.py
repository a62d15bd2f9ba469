"""Faults of an output that anyone sees at once: it is all zero, or one value, where it must not be."""

from __future__ import annotations

import numpy as np

from mluops_conformance.judging.values import UNWRITTEN_INT32
from mluops_conformance.support.formatting import exact

ALL_ZERO, CONSTANT, SPECIAL, VALUES = "all zero", "constant", "NaN or infinity", "values"
"""Kinds of faults of an output, in the words of `OutputVerdict.fault`."""


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
