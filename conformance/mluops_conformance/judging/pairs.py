"""Distinct pairs of unequal values, for diff4."""

from __future__ import annotations

import numpy as np

from mluops_conformance.judging.chunks import Chunk

ENOUGH = 100
"""diff4 says nothing about fewer distinct pairs."""

LIMIT = 256
"""Unequal points up to which distinct pairs are always counted."""


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
