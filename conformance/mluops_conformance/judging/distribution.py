"""How the errors of an output are distributed, over sizes and over places; stored where an output fails."""

from __future__ import annotations

import numpy as np

from mluops_conformance.judging.chunks import Chunk, Chunks, flat
from mluops_conformance.judging.values import Distribution

LOWEST = -9
"""The histogram begins at a relative error of 10 to this power."""
PER_DECADE = 4
BINS = 12 * PER_DECADE

ROWS, COLUMNS = 32, 64
"""The largest map."""

SIGNS = ".0123456789!"
"""A map's signs: no error; the decades of errors, the largest 9; NaN or infinity that stands wrongly."""
_LARGEST, _SPECIAL = SIGNS.index("9"), SIGNS.index("!")


def distribution(actual: np.ndarray, expected: np.ndarray, largest: float) -> Distribution:
    """Count the errors of an output by size and by place, in one pass.

    Parameters
    ----------
    actual, expected : ndarray
        As in `tally.tally`.
    largest : float
        The largest absolute error, `Tally.error_max`.
    """
    chunks, grid = Chunks(actual, expected), _Grid(actual.shape)
    counts, special = np.zeros(BINS, np.int64), 0
    with np.errstate(all="ignore"):
        for chunk in chunks:
            if chunks.mismatched > special:
                special = chunks.mismatched
                places = _misplaced_specials(flat(actual)[chunk.place], flat(expected)[chunk.place])
                grid.mark(places + chunk.place.start, np.full(places.size, _SPECIAL))
            wrong = np.flatnonzero(chunk.error)
            counts += _histogram(chunk, wrong)
            decades = np.ceil(np.log10(chunk.error[wrong] / largest))
            grid.mark(wrong + chunk.place.start, np.maximum(_LARGEST + decades, 1).astype(np.intp))
    equal = int(actual.size - counts.sum() - special)
    return Distribution(tuple(actual.shape), equal, tuple(counts.tolist()), grid.lines())


class _Grid:
    """The last axis from left to right, the others from top to bottom; an output of one axis line by line."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        size = int(np.prod(shape, dtype=np.int64))
        self._width = shape[-1] if len(shape) > 1 else -(-size // min(ROWS, max(size // COLUMNS, 1)))
        self._height = -(-size // max(self._width, 1))
        self._columns, self._rows = min(self._width, COLUMNS), min(self._height, ROWS)
        self._marks = np.zeros((self._rows * self._columns, len(SIGNS)), bool)

    def mark(self, positions: np.ndarray, signs: np.ndarray) -> None:
        """Put signs at flat positions; where several meet in a cell, the last of `SIGNS` is seen."""
        row, column = positions // self._width, positions % self._width
        cell = row * self._rows // self._height * self._columns + column * self._columns // self._width
        self._marks[cell, signs] = True

    def lines(self) -> tuple[str, ...]:
        seen = np.where(self._marks.any(1), len(SIGNS) - 1 - self._marks[:, ::-1].argmax(1), 0)
        return tuple("".join(SIGNS[sign] for sign in row) for row in seen.reshape(self._rows, self._columns))


def _histogram(chunk: Chunk, wrong: np.ndarray) -> np.ndarray:
    relative = chunk.error[wrong] / np.abs(chunk.expected[wrong])
    bins = np.floor((np.log10(relative) - LOWEST) * PER_DECADE)
    return np.bincount(np.clip(bins, 0, BINS - 1).astype(np.intp), minlength=BINS)


def _misplaced_specials(actual: np.ndarray, expected: np.ndarray) -> np.ndarray:
    right = expected.astype(actual.dtype)
    same = (actual == right) | (np.isnan(actual) & np.isnan(right))
    return np.flatnonzero(~(np.isfinite(actual) & np.isfinite(right)) & ~same)
