"""Atomic additions, against a loop that makes them one by one."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_emulator.operators.arithmetic import arithmetic_of
from mluops_emulator.operators.atomics import atomic_add


def spread(rng, number, rows):
    return rng.integers(0, rows, number)


def crowded(rng, number, rows):
    """Half of the additions to one row."""
    return np.where(rng.random(number) < 0.5, rows // 2, spread(rng, number, rows))


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("pattern", [spread, crowded])
@pytest.mark.parametrize(("number", "rows"), [(2000, 5), (2000, 300), (300, 70000), (50, 1)])
def test_each_row_receives_its_additions_in_order_rounded_after_each(dtype, pattern, number, rows):
    rng = np.random.default_rng(2)
    target = pattern(rng, number, rows)
    values = rng.standard_normal((number, 3)).astype(dtype)
    expected = np.zeros((rows, 3), dtype)
    for row, value in zip(target, values):
        expected[row] += value
    memory = np.zeros((rows, 3), np.float32)
    atomic_add(memory, target, lambda chosen: values[chosen].astype(np.float32), arithmetic_of(dtype))
    assert np.array_equal(memory, expected)


def test_additions_start_from_what_memory_holds():
    memory = np.float32([[5], [7]])
    atomic_add(memory, np.array([1]), lambda chosen: np.float32([[2]]), arithmetic_of(np.float32))
    assert memory.tolist() == [[5], [9]]


def test_nothing_to_add_leaves_memory_as_it_is():
    memory = np.float32([[5]])
    atomic_add(memory, np.array([], np.int64), lambda chosen: memory[:0], arithmetic_of(np.float32))
    assert memory.tolist() == [[5]]
