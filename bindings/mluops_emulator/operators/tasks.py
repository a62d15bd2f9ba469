"""The split of work: tasks over cores, channels over slices of on-chip memory, and the order of arrival."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

import numpy as np

if TYPE_CHECKING:
    from mluops_emulator.operators.arrays import Ints

ALIGN_BYTES = 128
"""Vectors on chip start and end at multiples of this many bytes."""


def strided_tasks(tasks: int, core: int, cores: int) -> Ints:
    """Tasks of one core when each takes every `cores`-th (`task = taskId; task += taskDim`)."""
    return np.arange(core, tasks, cores)


def tasks_of_all(tasks: int, cores: int) -> Ints:
    """Return the strided tasks of every core, core by core."""
    return np.concatenate([strided_tasks(tasks, core, cores) for core in range(max(min(cores, tasks), 1))])


def even_shares(tasks: int, cores: int) -> list[slice]:
    """Consecutive tasks of each core that has any, one of the remainder to each of the first ones."""
    share, remainder = divmod(tasks, cores)
    starts = [core * share + min(core, remainder) for core in range(min(cores, tasks) + 1)]
    return [slice(first, last) for first, last in zip(starts, starts[1:])]


def aligned_elements(nbytes: int, itemsize: int) -> int:
    """Elements that fit in `nbytes` when they must fill whole alignment units; one unit at least."""
    unit = ALIGN_BYTES // itemsize
    return max(nbytes // itemsize // unit, 1) * unit


def channel_slices(channels: int, limit: int) -> Iterator[slice]:
    """Slices of `limit` channels, the last one with what remains."""
    for first in range(0, channels, limit):
        yield slice(first, min(first + limit, channels))


def arrival_order(tasks: int, cores: int, rng: np.random.Generator) -> Ints:
    """Strided tasks in an order in which they may reach memory.

    Each core takes its tasks in ascending order; whose turn it is, is random.
    """
    turns = rng.permutation(np.arange(tasks) % cores)
    order = np.empty(tasks, np.int64)
    for core in range(min(cores, tasks)):
        order[turns == core] = strided_tasks(tasks, core, cores)
    return order
