"""An output and its expectation, chunk by chunk, as differences in double.

Floating outputs are compared with the expectation rounded to their own dtype: what a perfect device would
have stored. Integers are compared as integers. Positions where either side is NaN or infinite must hold the
same value (NaN counts as equal to NaN); they are counted apart, and stand in the chunks as two zeros.

The distribution of errors over sizes and places is stored where an output fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, Sequence

import numpy as np

from mluops_conformance.judging.rounding import same_bits
from mluops_conformance.judging.values import Distribution, Element

CHUNK = 16384
"""Elements at a time: the working set stays in the second-level cache."""

FIRST_CHUNK = 1024
"""The first chunk is small: the maxima it finds spare work in the others."""

ELEMENTS_SHOWN = 5
"""Special-value mismatches, and worst elements, that are kept."""

LOWEST = -9
"""The histogram begins at a relative error of 10 to this power."""
PER_DECADE = 4
BINS = 12 * PER_DECADE

ROWS, COLUMNS = 32, 64
"""The largest map."""

SIGNS = ".0123456789!"
"""A map's signs: no error; the decades of errors, the largest 9; NaN or infinity that stands wrongly."""
_LARGEST, _SPECIAL = SIGNS.index("9"), SIGNS.index("!")


@dataclass
class Chunk:
    """The elements `place` of the flattened pair, in double, and how many of a are below and above b.

    The arrays are buffers: the next chunk overwrites them, and a reader may.
    """

    place: slice
    error: np.ndarray  # |a - b|
    actual: np.ndarray  # a
    expected: np.ndarray  # b
    below: int
    above: int
    error_sum: float


class Chunks:
    """Iterates once over the chunks of a pair of arrays of one shape.

    Raises
    ------
    TypeError
        An integer output has an expectation that is not of integers.
    """

    def __init__(self, actual: np.ndarray, expected: np.ndarray) -> None:
        size = min(CHUNK, actual.size)
        floating = actual.dtype.kind == "f"
        self._wide = not floating and common_integer(actual.dtype, expected.dtype).itemsize > 4
        self._shape, self._size = actual.shape, actual.size
        self._actual, self._expected = flat(actual), flat(expected)
        self._buffers = [np.empty(size) for _ in range(3)]
        self._stored = np.empty(size, actual.dtype if floating else np.int64)
        self._mask = np.empty(size, bool)
        self._mismatches: list[int] = []
        self.mismatched = self.special = 0

    def __iter__(self) -> Iterator[Chunk]:
        bounds = [0, *range(FIRST_CHUNK, self._size, CHUNK), self._size]
        for start, stop in zip(bounds, bounds[1:]):
            if start < stop:
                yield self._load(slice(start, stop))

    def _load(self, place: slice) -> Chunk:
        # No method is kept in an attribute: such a cycle would hold the arrays until the next collection.
        return self._load_wide_integers(place) if self._wide else self._load_doubles(place)

    @property
    def mismatches(self) -> tuple[Element, ...]:
        """The first special-value mismatches of the chunks so far: `mismatched` in all, of `special`."""
        return self.elements(self._mismatches)

    def elements(self, positions: Sequence[int]) -> tuple[Element, ...]:
        """The elements at flat positions, the expectations as stored."""
        if not positions:
            return ()
        places = np.array(positions, np.intp)
        actual = self._actual[places].tolist()
        expected = self._expected[places].astype(self._stored.dtype).tolist()
        indices = np.transpose(np.unravel_index(places, self._shape or (1,))).tolist()
        return tuple(
            Element(tuple(index[: len(self._shape)]), a, b, float(abs(a - b)))
            for index, a, b in zip(indices, actual, expected)
        )

    def _load_doubles(self, place: slice) -> Chunk:
        size = place.stop - place.start
        actual, expected, error = (buffer[:size] for buffer in self._buffers)
        stored = self._stored[:size]
        np.copyto(stored, self._expected[place], casting="unsafe")
        np.copyto(expected, stored)
        if self._is_exact(self._actual[place], stored) and np.isfinite(expected.sum()):
            actual[...], error[...] = expected, 0
            return Chunk(place, error, actual, expected, 0, 0, 0.0)
        np.copyto(actual, self._actual[place])
        chunk = self._difference(place, actual, expected, error)
        if np.isfinite(chunk.error_sum):
            return chunk
        self._set_specials_aside(place.start, actual, expected)
        return self._difference(place, actual, expected, error)

    def _is_exact(self, actual: np.ndarray, stored: np.ndarray) -> bool:
        """Return whether floating numbers have the expected bits; most correct outputs do, in most chunks."""
        return actual.dtype == stored.dtype and same_bits(actual, stored)

    def _difference(self, place: slice, actual: np.ndarray, expected: np.ndarray, error: np.ndarray) -> Chunk:
        mask = self._mask[: error.size]
        np.subtract(actual, expected, out=error)
        below = int(np.count_nonzero(np.less(error, 0, out=mask)))
        above = int(np.count_nonzero(np.greater(error, 0, out=mask)))
        np.abs(error, out=error)
        return Chunk(place, error, actual, expected, below, above, float(error.sum()))

    def _set_specials_aside(self, start: int, actual: np.ndarray, expected: np.ndarray) -> None:
        special = ~(np.isfinite(actual) & np.isfinite(expected))
        self.special += int(np.count_nonzero(special))
        same = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
        wrong = np.flatnonzero(special & ~same)
        self.mismatched += wrong.size
        room = ELEMENTS_SHOWN - len(self._mismatches)
        self._mismatches.extend(start + int(i) for i in wrong[:room])
        actual[special] = 0.0
        expected[special] = 0.0

    def _load_wide_integers(self, place: slice) -> Chunk:
        """Integers that a double cannot hold: the difference is taken before it is rounded."""
        common = common_integer(self._actual.dtype, self._expected.dtype)
        actual, expected = self._actual[place].astype(common), self._expected[place].astype(common)
        lower = actual < expected
        distance = np.where(lower, expected - actual, actual - expected)
        below = int(np.count_nonzero(lower))
        above = int(np.count_nonzero(distance)) - below
        # A signed difference that overflowed is right again when read as unsigned.
        error = distance.view(np.dtype(f"u{common.itemsize}")).astype(np.float64)
        sides = actual.astype(np.float64), expected.astype(np.float64)
        return Chunk(place, error, *sides, below, above, float(error.sum()))


def flat(array: np.ndarray) -> Any:
    """One-dimensional access; slices are views, or copies where the array is not contiguous."""
    return array.reshape(-1) if array.flags.c_contiguous else array.flat


def common_integer(actual: np.dtype, expected: np.dtype) -> np.dtype:
    """The integer dtype that holds both; bool counts as uint8."""
    common = np.promote_types(np.promote_types(actual, expected), np.uint8)
    if common.kind not in "iu":
        raise TypeError(f"an output of {actual} needs an expectation of integers, not of {expected}")
    return common


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
