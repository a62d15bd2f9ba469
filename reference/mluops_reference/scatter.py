"""Adding values to the places that an index names, where places repeat."""

from __future__ import annotations

import numpy as np

from .numeric import run_starts

_AT_IS_FAST = hasattr(np.lib, "NumpyVersion") and np.lib.NumpyVersion(np.__version__) >= "1.25.0"

ELEMENTS_AT_ONCE = 1 << 15 if _AT_IS_FAST else 1 << 19
"""The number of elements for which a call of `scatter_add` is fastest. `bincount` passes over all sums."""


def scatter_add(sums: np.ndarray, index: np.ndarray, values: np.ndarray) -> None:
    """``sums[index] += values`` with repeats, for contiguous float64 or complex128 `sums` and an intp
    `index`, where -1 is the last place.

    numpy.add.at was slow before NumPy 1.25.
    """
    if _AT_IS_FAST:
        np.add.at(sums, index, values)
        return
    if index.min(initial=0) < 0:
        index = np.where(index < 0, index + len(sums), index)
    if np.iscomplexobj(sums):
        sums.real += np.bincount(index, values.real, len(sums))
        sums.imag += np.bincount(index, values.imag, len(sums))
    else:
        sums += np.bincount(index, values, len(sums))


def add_in_order(sums: np.ndarray, index: np.ndarray, rows: np.ndarray) -> None:
    """``sums[index[k]] += rows[k]`` one k after the other, each sum rounded to the dtype of `sums`.

    Before NumPy 1.25 all places take their first row at once, then their second, and so on: the sums are the
    same.
    """
    if _AT_IS_FAST:
        if sums.ndim == 2 and sums.flags.c_contiguous:  # one dimension is several times as fast
            width = sums.shape[1]
            index = (index[:, np.newaxis] * width + np.arange(width)).reshape(-1)
            sums, rows = sums.reshape(-1), rows.reshape(-1)
        np.add.at(sums, index, rows)
        return
    order = np.argsort(index, kind="stable")
    places = index[order]
    starts = run_starts(places)
    lengths = np.diff(np.append(starts, len(places)))
    for turn in range(lengths.max(initial=0)):
        running = lengths > turn
        sums[places[starts[running]]] += rows[order[starts[running] + turn]]
