"""Atomic additions to memory in a given order, vectorised.

Additions to different rows do not see each other, so the n-th additions to all rows are done at once: a wave.
Each row still receives its additions one by one, in order, rounded after each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Iterator, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from mluops_emulator.operators.arithmetic import Arithmetic
    from mluops_emulator.operators.arrays import Floats, Ints

_NARROW_WAVE = 8  # rows; rows that have still more additions are summed one after the other
_BLOCK_ELEMENTS = 1 << 15  # numbers in flight, so that they stay in the host's cache


class _Schedule(NamedTuple):
    order: Ints  # the additions, row by row, those of a row by arrival
    first: Ints  # where in `order` each row starts, for the rows that occur
    lengths: Ints  # their numbers of additions


def atomic_add(memory: Floats, rows: Ints, addends: Callable[[Ints], Floats], arithmetic: Arithmetic) -> None:
    """Add to rows of `memory` in order of arrival, each sum rounded to the storage type.

    Parameters
    ----------
    memory : float32 [m, channels]
        On the storage type's grid; changed in place.
    rows : int [n]
        The row of each addition, by arrival.
    addends : callable
        Given k additions by their places in `rows`, what they add: float32 [k, channels].
    """
    if len(rows) == 0:
        return
    schedule = _schedule(rows, len(memory))
    depth = _wave_count(schedule.lengths)
    block = max(_BLOCK_ELEMENTS // memory.shape[1], 1)
    for wave in _waves(schedule, depth):
        for first in range(0, len(wave), block):
            additions = wave[first : first + block]
            target = rows.take(additions)
            memory[target] = add(memory.take(target, axis=0), addends(additions), arithmetic)
    for hot in np.flatnonzero(schedule.lengths > depth):
        last = schedule.first[hot] + schedule.lengths[hot]
        for first in range(schedule.first[hot] + depth, last, block):
            additions = schedule.order[first : min(first + block, last)]
            row = memory[rows[additions[0]]]
            row[:] = arithmetic.running_sum(np.concatenate([row[np.newaxis], addends(additions)]))


def add(memory: Floats, addends: Floats, arithmetic: Arithmetic) -> Floats:
    return arithmetic.rounded(memory + addends)


def _schedule(rows: Ints, limit: int) -> _Schedule:
    order = np.argsort(_compact(rows, limit), kind="stable")
    lengths = np.bincount(rows, minlength=limit)
    lengths = lengths[lengths > 0]
    return _Schedule(order, np.cumsum(lengths) - lengths, lengths)


def _compact(numbers: Ints, limit: int) -> Ints:
    """Numbers below `limit` as 16-bit ones where they fit: NumPy sorts those by radix."""
    return numbers.astype(np.uint16) if limit <= 1 << 16 else numbers


def _wave_count(lengths: Ints) -> int:
    """The number of waves that are not narrow."""
    return int(np.sort(lengths)[-_NARROW_WAVE]) if len(lengths) >= _NARROW_WAVE else 0


def _waves(schedule: _Schedule, depth: int) -> Iterator[Ints]:
    """The additions of each of the first `depth` waves."""
    rank = np.arange(len(schedule.order)) - np.repeat(schedule.first, schedule.lengths)
    early = rank < depth
    rank = rank[early]
    by_wave = schedule.order[early][np.argsort(_compact(rank, depth), kind="stable")]
    yield from np.split(by_wave, np.cumsum(np.bincount(rank, minlength=depth))[:-1]) if depth else ()
