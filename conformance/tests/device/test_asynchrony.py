"""A queue does its work when a call waits for it, and a copy has its sides in the right order."""

from __future__ import annotations

import mluops
import numpy as np
import pytest

BUSY, NOT_READY = "632014", "1"


@pytest.fixture
def library(device):
    return mluops.load(device.mluops, cnrt=device.cnrt)


@pytest.fixture
def pending(library):
    """A queue with a copy in it, the copy's source and target, and a notifier behind it."""
    source = np.arange(1000, dtype=np.float32)
    with mluops.Queue(library) as queue, mluops.Notifier(library) as notifier:
        target = mluops.DeviceArray.from_numpy(library, np.zeros_like(source))
        target.copy_from(source, queue)
        notifier.place(queue)
        yield queue, source, target, notifier


@pytest.mark.slow
def test_an_asynchronous_copy_is_done_at_synchronisation(pending):
    queue, source, target, _ = pending
    assert not target.numpy().any()
    queue.synchronize()
    assert np.array_equal(target.numpy(), source)


@pytest.mark.parametrize("answer", [BUSY, NOT_READY])
def test_unfinished_work_is_known_by_either_of_its_codes(pending, monkeypatch, answer):
    queue, _, _, notifier = pending
    monkeypatch.setenv("STANDIN_BUSY", answer)
    assert (queue.idle, notifier.reached) == (False, False)
    queue.synchronize()
    assert (queue.idle, notifier.reached) == (True, True)


@pytest.mark.slow
@pytest.mark.parametrize("cnrt", ["5.0.0", "6.14.1"])
def test_the_copy_of_every_release_takes_the_queue_before_the_direction(standin, cnrt):
    """CNRT 6.14.1 has newer names for it; were the two exchanged, no side of the copy would be right."""
    libraries = standin("0.7.1", cnrt)
    library = mluops.load(libraries.mluops, cnrt=libraries.cnrt)
    with mluops.Queue(library) as queue:
        target = mluops.DeviceArray.from_numpy(library, np.zeros(3))
        target.copy_from(mluops.DeviceArray.from_numpy(library, np.ones(3)), queue)
        queue.synchronize()
        assert target.numpy().all()
