"""A kernel that fails takes the context with it: what needs the device is refused from then on."""

from __future__ import annotations

import mluops
import numpy as np
import pytest
from mluops import DeviceArray, Handle, Queue, operators
from mluops.errors import CnrtKernelTrap, ExecutionFailed

BOXES, SCORES = np.ones((2, 5), np.float32), np.ones(2, np.float32)


@pytest.fixture
def lost():
    """A handle whose context a trap has taken, and an array from before."""
    library = mluops.load("emulator", faults=["any/device-error"])
    handle, array = Handle(library, Queue(library)), DeviceArray.from_numpy(library, SCORES)
    with pytest.raises(CnrtKernelTrap):
        operators.nms_rotated(handle, BOXES, SCORES, 0.5)
    yield handle, array
    array.close()
    handle.close()


def test_cnrt_answers_as_at_the_trap(lost):
    _, array = lost
    for call in (array.numpy, lambda: array.copy_from(SCORES), lambda: array.fill_bytes(0), array.copy):
        with pytest.raises(CnrtKernelTrap, match="go on in a new process"):
            call()
    with pytest.raises(CnrtKernelTrap):
        Queue(array.library)


def test_a_synchronisation_is_refused_again_and_again(lost):
    handle, _ = lost
    for _ in range(2):
        with pytest.raises(CnrtKernelTrap):
            handle.synchronize()


def test_operators_and_handles_are_refused(lost):
    handle, array = lost
    descriptor = array.descriptor()
    with pytest.raises(ExecutionFailed, match="mluOpAbs"):
        handle.library.mluOpAbs.checked(handle, descriptor, array, descriptor, array)
    with pytest.raises(ExecutionFailed, match="mluOpCreate"):
        Handle(handle.library)


def test_what_was_made_before_can_be_released(lost):
    handle, array = lost
    library = handle.library
    array.close()
    handle.close()
    library.symbols.close()
    leaks = [violation.text for violation in library.symbols.take_violations()]
    assert not [text for text in leaks if "device memory" in text or "handle" in text]


def test_a_new_emulator_is_another_device(lost):
    with Handle(mluops.load("emulator")) as handle:
        assert operators.nms_rotated(handle, BOXES, SCORES, 0.5).tolist() == [0]


def test_a_context_that_is_kept_serves_the_next_call():
    library = mluops.load("emulator", faults=["any/device-error"], keeps_context=True)
    with Handle(library) as handle, pytest.raises(CnrtKernelTrap):
        operators.nms_rotated(handle, BOXES, SCORES, 0.5)
    with DeviceArray.from_numpy(library, SCORES) as array:
        assert array.numpy().tolist() == [1, 1]
