"""Arrays that kernels pass on: names for annotations, as NumPy 1.20 has no NDArray, and a transposed copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Floats = NDArray[np.floating[Any]]
    Points = NDArray[np.complexfloating[Any, Any]]
    Ints = NDArray[np.integer[Any]]
    Bools = NDArray[np.bool_]

_ROWS_AT_ONCE = 64  # both sides stay in the cache


def transpose(source: Array, target: Array) -> None:
    """Copy a matrix to its transpose."""
    for first in range(0, len(target), _ROWS_AT_ONCE):
        rows = slice(first, first + _ROWS_AT_ONCE)
        target[rows] = np.ascontiguousarray(source[:, rows]).T
