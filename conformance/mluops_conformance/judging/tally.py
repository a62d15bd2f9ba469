"""One pass over an output and its expectation: the sums, maxima and counts that every measure is made of."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mluops_conformance.judging.chunks import CHUNK, ELEMENTS_SHOWN, FIRST_CHUNK, Chunk, Chunks, flat
from mluops_conformance.judging.rounding import same_bits, unit_roundoff
from mluops_conformance.judging.values import Element

EPSILON = 1e-9
"""Keeps the vendor's quotients finite."""

RELATIVE_FROM = {np.dtype(np.float16): 1e-4, np.dtype(np.float32): 1e-6}
"""diff3 is relative where |expected| is at least this, and for every other dtype everywhere."""

ENOUGH = 100
"""diff4 says nothing about fewer distinct pairs."""

LIMIT = 256
"""Unequal points up to which distinct pairs are always counted."""


@dataclass
class Tally:
    """The result of one pass: a = actual, b = expected, sums in double over elements finite on both sides.

    Parameters
    ----------
    elements : int
        All elements, special ones included.
    error_sum, error_square_sum, error_max : float
        sum |a - b|, sum (a - b)^2, max |a - b|.
    expected_sum, expected_square_sum, expected_max : float
        sum |b|, sum b^2, max |b|.
    relative_max : float
        max |a - b| / (|b| + 1e-9), absolute where |b| is below `RELATIVE_FROM`.
    scaled_max : float, optional
        max |a - b| / max(scale, the smallest normal number), where a scale was given.
    below, above : int
        Elements with a < b and a > b.
    pair_ratio : float
        `DistinctPairs.ratio`.
    special : int
        Elements that are NaN or infinite on either side; `mismatched` of them on one side only, or otherwise.
    worst, mismatches : tuple of Element
        At most `ELEMENTS_SHOWN` each: by |a - b|, or its ratio to the scale if there is one; and by place.
    unit_roundoff : float
        That of the output's dtype; 0 for integers.
    """

    elements: int
    error_sum: float = 0.0
    error_square_sum: float = 0.0
    error_max: float = 0.0
    expected_sum: float = 0.0
    expected_square_sum: float = 0.0
    expected_max: float = 0.0
    relative_max: float = 0.0
    scaled_max: float | None = None
    below: int = 0
    above: int = 0
    pair_ratio: float = -1.0
    worst: tuple[Element, ...] = ()
    mismatches: tuple[Element, ...] = ()
    mismatched: int = 0
    special: int = 0
    unit_roundoff: float = 0.0


def tally(
    actual: np.ndarray, expected: np.ndarray, scale: np.ndarray | None = None, shown: int = ELEMENTS_SHOWN
) -> Tally:
    """Compare `actual` with `expected`, chunk by chunk, in less than a megabyte of extra memory.

    Parameters
    ----------
    actual : ndarray
        An output in its storage dtype: floating, integer or bool.
    expected : ndarray
        The reference's result of the same shape: float64, or integers for integer outputs.
    scale : ndarray, optional
        The size of what was added up in each element, of the same shape, not negative.
    shown : int
        How many of the worst elements to keep.

    Raises
    ------
    ValueError
        The shapes differ.
    TypeError
        An integer output has an expectation that is not of integers.
    """
    for name, other in (("expected", expected), ("scale", scale)):
        if other is not None and other.shape != actual.shape:
            raise ValueError(f"actual has shape {actual.shape}, {name} has {other.shape}")
    exact = _of_exact(actual, expected, scale)
    if exact is not None:
        return exact
    chunks, adder = Chunks(actual, expected), _Adder(actual, scale, shown)
    with np.errstate(all="ignore"):
        for chunk in chunks:
            adder.add(chunk)
    found = adder.found
    found.pair_ratio = adder.pairs.ratio()
    found.scaled_max = None if scale is None else adder.worst.largest
    found.worst = chunks.elements(adder.worst.positions)
    found.mismatches, found.mismatched = chunks.mismatches, chunks.mismatched
    found.special = chunks.special
    return found


def _of_exact(actual: np.ndarray, expected: np.ndarray, scale: np.ndarray | None) -> Tally | None:
    """Return the tally of a small output that is as expected bit by bit, all finite; None for another."""
    kinds, is_float = {actual.dtype.kind, expected.dtype.kind}, actual.dtype.kind == "f"
    if kinds not in ({"f"}, {"i"}) or not 0 < actual.size <= FIRST_CHUNK:
        return None
    with np.errstate(all="ignore"):
        stored = expected.astype(actual.dtype) if is_float else expected
        if not (same_bits(actual, stored) if is_float else (actual == stored).all()):
            return None
        magnitude = np.abs(stored.astype(np.float64)).reshape(-1)
        total = float(magnitude.sum())
        square = _square_sum(magnitude)
    if not math.isfinite(total):
        return None
    return Tally(
        elements=actual.size,
        expected_sum=total,
        expected_square_sum=square,
        expected_max=float(magnitude.max()),
        scaled_max=None if scale is None else 0.0,
        unit_roundoff=unit_roundoff(actual.dtype) if is_float else 0.0,
    )


class _Adder:
    def __init__(self, actual: np.ndarray, scale: np.ndarray | None, shown: int) -> None:
        is_float = actual.dtype.kind == "f"
        self.found = Tally(
            elements=actual.size, unit_roundoff=unit_roundoff(actual.dtype) if is_float else 0.0
        )
        self.pairs = DistinctPairs()
        self.worst = Worst(shown)
        self._scale = None if scale is None else flat(scale)
        self._smallest_scale = float(np.finfo(actual.dtype).tiny) if actual.dtype.kind == "f" else 1.0
        self._relative_from = RELATIVE_FROM.get(actual.dtype, 0.0)

    def add(self, chunk: Chunk) -> None:
        """Add a chunk to what was found; uses its `actual` and `expected` as room to work in."""
        found = self.found
        self.pairs.add(chunk)
        magnitude = np.abs(chunk.expected, out=chunk.expected)
        found.below += chunk.below
        found.above += chunk.above
        found.expected_sum += float(magnitude.sum())
        found.expected_square_sum += _square_sum(magnitude)
        found.expected_max = max(found.expected_max, float(magnitude.max()))
        if chunk.error_sum > 0:
            found.error_sum += chunk.error_sum
            found.error_square_sum += _square_sum(chunk.error)
            found.error_max = max(found.error_max, float(chunk.error.max()))
            self._add_relative(chunk.error, magnitude, room=chunk.actual)
            self._add_worst(chunk, room=chunk.actual)

    # Quotients are formed only where they could exceed the largest ones so far.

    def _add_relative(self, error: np.ndarray, magnitude: np.ndarray, room: np.ndarray) -> None:
        above = _positions_above(np.multiply(magnitude, self.found.relative_max, out=room), error)
        if above.size:
            error, magnitude = error[above], magnitude[above]
            unit = np.where(magnitude < self._relative_from, 1.0, magnitude + EPSILON)
            self.found.relative_max = max(self.found.relative_max, float(np.max(error / unit)))

    def _add_worst(self, chunk: Chunk, room: np.ndarray) -> None:
        if self._scale is None:
            if self.found.error_max > self.worst.bar:
                above = _positions_above(self.worst.bar, chunk.error)
                self.worst.offer(chunk.error[above], above + chunk.place.start)
            return
        scale = self._scale[chunk.place]
        above = _positions_above(np.multiply(scale, self.worst.bar, out=room), chunk.error)
        if above.size:
            unit = np.maximum(scale[above], self._smallest_scale)
            self.worst.offer(chunk.error[above] / unit, above + chunk.place.start)


def _positions_above(bar: float | np.ndarray, error: np.ndarray) -> np.ndarray:
    places: np.ndarray = (error > bar).nonzero()[0]
    return places


def _square_sum(values: np.ndarray) -> float:
    """Sum the squares of a chunk in halves: longer dot products start BLAS threads, which cost more."""
    half = CHUNK // 2
    return float(np.dot(values[:half], values[:half]) + np.dot(values[half:], values[half:]))


class DistinctPairs:
    """Collects the distinct pairs (actual, expected) of unequal points, as far as diff4's verdict needs them.

    The verdict asks whether all errors have one sign, over at least `ENOUGH` distinct pairs. So collecting
    ends, past `LIMIT` points, when enough distinct pairs are found or both signs were seen, and memory stays
    bounded. Zeros of either sign are the same value.
    """

    def __init__(self) -> None:
        self._kept: list[np.ndarray] = []
        self._below = 0
        self._above = 0
        self._closed = False

    def add(self, chunk: Chunk) -> None:
        """Take a chunk."""
        self._below += chunk.below
        self._above += chunk.above
        many = self._below + self._above > LIMIT
        if many and self._below and self._above:
            self._closed = True
        if self._closed or not chunk.below + chunk.above:
            return
        unequal = np.flatnonzero(chunk.error > 0)
        for places in (unequal[:LIMIT], unequal[LIMIT:]):
            if places.size and not self._closed:
                self._kept.append(_pairs(chunk, places))
            if many and not self._closed:
                self._kept = [self._distinct()]
                self._closed = self._kept[0].size >= ENOUGH

    def ratio(self) -> float:
        """The share of distinct pairs with actual < expected; -1 with fewer than `ENOUGH` distinct pairs.

        Where collecting ended early it is the share of points: 0 and 1, the only values that fail, are the
        same.
        """
        if self._below + self._above < ENOUGH:
            return -1.0
        if self._closed:
            return self._below / (self._below + self._above)
        distinct = self._distinct()
        if distinct.size < ENOUGH:
            return -1.0
        return float(np.count_nonzero(distinct.real < distinct.imag) / distinct.size)

    def _distinct(self) -> np.ndarray:
        return np.unique(np.concatenate(self._kept)) if self._kept else np.empty(0, np.complex128)


def _pairs(chunk: Chunk, places: np.ndarray) -> np.ndarray:
    pairs = np.empty(places.size, dtype=np.complex128)
    pairs.real = chunk.actual[places]
    pairs.imag = chunk.expected[places]
    return pairs + 0.0  # -0.0 becomes 0.0


class Worst:
    """The positions of the `count` largest keys offered; of equal keys, those that were offered first.

    `bar` is what a key must exceed to be kept, 0 to begin with: an element without an error is not a worst
    one.
    """

    def __init__(self, count: int) -> None:
        self.bar = 0.0
        self._count = count
        self._kept: list[tuple[float, int]] = []

    @property
    def largest(self) -> float:
        """The largest key; 0 when none was above 0."""
        return self._kept[0][0] if self._kept else 0.0

    @property
    def positions(self) -> tuple[int, ...]:
        """The positions, largest key first."""
        return tuple(position for _, position in self._kept)

    def offer(self, keys: np.ndarray, positions: np.ndarray) -> None:
        """Keep what is worse than the least of the worst so far; `positions` ascend, also between calls."""
        best = self._preselected(keys)
        offered = [(float(keys[i]), int(positions[i])) for i in best if keys[i] > self.bar]
        self._kept = sorted(self._kept + offered, key=lambda entry: (-entry[0], entry[1]))[: self._count]
        if len(self._kept) == self._count:
            self.bar = self._kept[-1][0]

    def _preselected(self, keys: np.ndarray) -> np.ndarray:
        """The `count` largest and all that equal the last of them, as far as `count` of those, in order."""
        if keys.size <= self._count:
            return np.arange(keys.size)
        least = np.partition(keys, -self._count)[-self._count]
        return np.concatenate([np.flatnonzero(keys > least), np.flatnonzero(keys == least)[: self._count]])
