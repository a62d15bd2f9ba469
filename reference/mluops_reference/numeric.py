"""Numeric helpers of the references: rounded scalars, a search for special values, work in pieces."""

from __future__ import annotations

from typing import Iterator

import numpy as np

_FINITE_PIECE = 1 << 16


def float32(value: float) -> float:
    """A scalar as it arrives on the device: rounded to float32 by the C interface."""
    with np.errstate(over="ignore"):
        return float(np.float32(value))


def all_finite(array: np.ndarray) -> bool:
    """Return True if no element is NaN or infinite, without a mask of the array's size."""
    flat = array.reshape(-1)
    pieces = range(0, flat.size, _FINITE_PIECE)
    return all(np.isfinite(flat[start : start + _FINITE_PIECE]).all() for start in pieces)


def slices(costs: np.ndarray, limit: int) -> Iterator[slice]:
    """Cut items into runs of neighbours whose costs add up to about `limit`, at least one item each."""
    piece = np.maximum(np.cumsum(costs) - 1, 0) // limit
    bounds = np.flatnonzero(np.diff(piece, prepend=-1))
    for start, stop in zip(bounds, [*bounds[1:], len(costs)]):
        yield slice(int(start), int(stop))


def run_starts(keys: np.ndarray) -> np.ndarray:
    """Return the first index of each run of equal neighbours."""
    changes = np.empty(len(keys), dtype=bool)
    changes[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=changes[1:])
    starts: np.ndarray = changes.nonzero()[0]
    return starts
