"""Whether a copy is one: equal numbers may still differ in their bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from mluops_conformance.support.formatting import counted

BYTES_AT_ONCE = 1 << 18
"""Compared at a time: the working set stays in the second-level cache."""


def same_bits(first: np.ndarray[Any, Any], second: np.ndarray[Any, Any]) -> bool:
    """Whether two contiguous arrays of the same shape and dtype hold the same bits."""
    one, other = (array.reshape(-1).view(np.uint8) for array in (first, second))
    parts = (slice(start, start + BYTES_AT_ONCE) for start in range(0, one.size, BYTES_AT_ONCE))
    return one.size == other.size and all(bool((one[part] == other[part]).all()) for part in parts)


def differing_bits(actual: np.ndarray[Any, Any], expected: np.ndarray[Any, Any]) -> str:
    """Say where a pure copy is not the same bit for bit; empty where it is.

    Parameters
    ----------
    actual, expected : ndarray
        Of the same shape and dtype. -0 for 0, which every measure takes for equal, differs here, and so
        does a NaN with another payload.
    """
    places = np.flatnonzero(_words(actual) != _words(expected))
    if not places.size:
        return ""
    first = places[0]
    index = [int(place) for place in np.unravel_index(first, actual.shape)]
    values = f"{actual.reshape(-1)[first]!s} for {expected.reshape(-1)[first]!s}"
    elements = counted(places.size, "element")
    return f"a copy has {elements} with other bits, the first at {index}: {values}"


def _words(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The elements' bits as unsigned integers."""
    return np.ascontiguousarray(array).reshape(-1).view(f"u{array.itemsize}")
