"""The elements with the largest errors of an array that is seen chunk by chunk."""

from __future__ import annotations

import numpy as np


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
