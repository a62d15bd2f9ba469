"""The addresses of buffers."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.execution.buffers import GuardedBuffer, Placement


@pytest.mark.parametrize("itemsize", [2, 4, 8])
def test_an_unaligned_buffer_is_off_by_whole_elements(itemsize):
    leads = {Placement("unaligned", seed).lead(itemsize) for seed in range(100)}
    assert min(leads) >= itemsize
    assert all(lead % itemsize == 0 for lead in leads)


def test_aligned_buffers_keep_order_and_alignment():
    placement = Placement("aligned", 1)
    assert (placement.order(["a", "b", "c"]), placement.lead(4)) == (["a", "b", "c"], 0)


def test_shuffled_buffers_come_in_any_order_that_the_seed_decides():
    names = list("abcdef")
    assert Placement("shuffled", 1).order(names) == Placement("shuffled", 1).order(names)
    assert len({tuple(Placement("shuffled", seed).order(names)) for seed in range(20)}) > 1


@pytest.mark.parametrize("lead", [0, 2, 60])
def test_a_buffer_off_its_alignment_keeps_contents_and_zones(session, poke, lead):
    contents = np.arange(5, dtype=np.float32)
    buffer = GuardedBuffer(session.library, contents.nbytes, contents, lead)
    buffer.fetch()
    assert (buffer.holds(contents), buffer.damage(), buffer.address % 64) == (True, None, lead)
    poke(buffer.address - 2, np.uint16([0]))
    buffer.fetch()
    assert buffer.damage() == "written before its start, at bytes -2 to -1"
    buffer.close()
