"""The addresses of allocations in a range that is nearly used up: 8 pages, gaps of one page."""

from __future__ import annotations

import mmap

import pytest
from mluops_emulator.memory import Memory
from mluops_emulator.violations import Refused

PAGE = mmap.PAGESIZE


@pytest.fixture
def memory():
    return Memory(0, 8 * PAGE, 1 << 30)


def test_a_page_that_belongs_to_nobody_follows_each_allocation(memory):
    assert [memory.allocate(PAGE, 0) for _ in range(4)] == [0, 2 * PAGE, 4 * PAGE, 6 * PAGE]


def test_a_freed_range_comes_back_when_the_others_are_used_up(memory):
    starts = [memory.allocate(PAGE, 0) for _ in range(4)]
    memory.release(starts[1])
    assert memory.allocate(PAGE, 0) == starts[1]


def test_a_range_between_live_allocations_is_found_only_if_large_enough(memory):
    starts = [memory.allocate(PAGE, 0) for _ in range(4)]
    memory.release(starts[1])
    with pytest.raises(Refused, match="no 12288 consecutive addresses"):
        memory.allocate(2 * PAGE, 0)


def test_neighbouring_freed_ranges_make_room_together(memory):
    starts = [memory.allocate(PAGE, 0) for _ in range(4)]
    memory.release(starts[1])
    memory.release(starts[2])
    assert memory.allocate(3 * PAGE, 0) == starts[1]


def test_an_address_with_a_new_owner_is_live(memory):
    start = memory.allocate(7 * PAGE, 0)
    memory.release(start)
    memory.allocate(7 * PAGE, 1)
    assert memory.find(start, 1, "x").number == 1
