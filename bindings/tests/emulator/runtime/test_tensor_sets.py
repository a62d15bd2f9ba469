from __future__ import annotations

import ctypes

import pytest
from mluops.constants import mluOpStatus_t
from mluops.types import mluOpTensorDescriptor_t, mluOpTensorSetDescriptor_t

FLOAT, HALF, ARRAY = 2, 1, 4
BAD_PARAM = mluOpStatus_t.MLUOP_STATUS_BAD_PARAM


def ints(*values):
    return (ctypes.c_int * len(values))(*values)


@pytest.fixture
def tensor_set(machine):
    """A set of 2 tensors: 5 halves, then 3 x 4 floats."""
    found = mluOpTensorSetDescriptor_t()
    machine.library.mluOpCreateTensorSetDescriptor(ctypes.byref(found), 1, ints(2))
    init = machine.library.mluOpInitTensorSetMemberDescriptor
    assert init(found, 1, ints(0), ARRAY, HALF, 1, ints(5)) == 0
    assert init(found, 1, ints(1), ARRAY, FLOAT, 2, ints(3, 4)) == 0
    return found


def test_a_set_tells_its_dimensions(machine, tensor_set):
    rank, dims = ctypes.c_int(), ints(0)
    machine.library.mluOpGetTensorSetDescriptor(tensor_set, ctypes.byref(rank), dims)
    assert (rank.value, list(dims)) == (1, [2])


def test_the_size_of_a_set_is_that_of_its_members(machine, tensor_set):
    size = ctypes.c_int()
    machine.library.mluOpGetTensorSetDescriptorSize(tensor_set, ctypes.byref(size))
    assert size.value == 5 * 2 + 12 * 4


def test_the_data_of_a_member_follow_those_before_it(machine, tensor_set):
    data = machine.malloc(58)
    desc, address = mluOpTensorDescriptor_t(), ctypes.c_void_p()
    machine.library.mluOpGetTensorAndDataFromTensorSet(
        tensor_set, 1, ints(1), data, ctypes.byref(desc), ctypes.byref(address)
    )
    assert address.value == data + 10
    assert machine.library.mluOpGetTensorElementNum(desc) == 12


def test_a_member_keeps_position_and_scale(machine, tensor_set):
    init = machine.library.mluOpInitTensorSetMemberDescriptorPositionAndScale
    assert init(tensor_set, 1, ints(0), -2, 0.5) == 0
    desc, position = mluOpTensorDescriptor_t(), ctypes.c_int()
    machine.library.mluOpGetTensorAndDataFromTensorSet(
        tensor_set, 1, ints(0), machine.malloc(58), ctypes.byref(desc), ctypes.byref(ctypes.c_void_p())
    )
    machine.library.mluOpGetTensorDescriptorPosition(desc, ctypes.byref(position))
    assert position.value == -2


@pytest.mark.parametrize(("rank", "index"), [(1, (2,)), (1, (-1,)), (2, (0, 0))])
def test_an_index_outside_of_the_set_is_bad(machine, tensor_set, rank, index):
    init = machine.library.mluOpInitTensorSetMemberDescriptor
    assert init(tensor_set, rank, ints(*index), ARRAY, FLOAT, 1, ints(5)) == BAD_PARAM


def test_a_set_without_members_is_bad(machine):
    found = mluOpTensorSetDescriptor_t()
    create = machine.library.mluOpCreateTensorSetDescriptor
    assert create(ctypes.byref(found), 1, ints(0)) == BAD_PARAM


def test_a_destroyed_set_leaves_nothing(machine, tensor_set):
    machine.library.mluOpDestroyTensorSetDescriptor(tensor_set)
    assert machine.emulator.alive() == []
