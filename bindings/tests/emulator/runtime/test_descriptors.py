from __future__ import annotations

import ctypes

import numpy as np
import pytest
from mluops.constants import mluOpStatus_t
from mluops.types import mluOpTensorDescriptor_t
from mluops_emulator.descriptors import Descriptor
from mluops_emulator.violations import Kind

SUCCESS = mluOpStatus_t.MLUOP_STATUS_SUCCESS
BAD_PARAM = mluOpStatus_t.MLUOP_STATUS_BAD_PARAM
NOT_SUPPORTED = mluOpStatus_t.MLUOP_STATUS_NOT_SUPPORTED

FLOAT, ARRAY, NHWC = 2, 4, 1
HOST_MODE = 0


def ints(*values):
    return (ctypes.c_int * len(values))(*values)


def int64s(*values):
    return (ctypes.c_int64 * len(values))(*values)


@pytest.fixture
def desc(machine):
    return machine.descriptor()


@pytest.fixture
def library(machine):
    return machine.library


def content(library, desc, rank, suffix="", integer=ctypes.c_int):
    """Return the answer of the getter's Ex form: layout, dtype, dims, strides."""
    layout, dtype, found = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    dims, strides = (integer * rank)(), (integer * rank)()
    get = getattr(library, f"mluOpGetTensorDescriptorEx{suffix}")
    pointers = [ctypes.byref(number) for number in (layout, dtype, found)]
    assert get(desc, *pointers, dims, strides) == SUCCESS
    assert found.value == rank
    return layout.value, dtype.value, list(dims), list(strides)


def test_a_fresh_descriptor_has_no_elements(library, desc):
    assert library.mluOpGetTensorElementNum(desc) == 0


def test_dimensions_give_dense_strides(library, desc):
    library.mluOpSetTensorDescriptor(desc, NHWC, FLOAT, 4, ints(2, 3, 4, 5))
    assert content(library, desc, 4) == (NHWC, FLOAT, [2, 3, 4, 5], [60, 20, 5, 1])


def test_the_elements_are_the_product_of_the_dimensions(library, desc):
    library.mluOpSetTensorDescriptor(desc, ARRAY, FLOAT, 3, ints(2, 3, 4))
    assert library.mluOpGetTensorElementNum(desc) == 24
    library.mluOpGetTensorElementNum.checked(desc)  # 24 elements are no status


def test_strides_are_kept_as_given(library, desc):
    library.mluOpSetTensorDescriptorEx(desc, ARRAY, FLOAT, 2, ints(2, 3), ints(7, 2))
    assert content(library, desc, 2) == (ARRAY, FLOAT, [2, 3], [7, 2])


def test_int64_dimensions_pass_through_the_v2_forms(library, desc):
    library.mluOpSetTensorDescriptor_v2(desc, ARRAY, FLOAT, 2, int64s(1 << 33, 3))
    assert content(library, desc, 2, "_v2", ctypes.c_int64)[2:] == ([1 << 33, 3], [3, 1])
    assert library.mluOpGetTensorElementNum(desc) == 3 << 33


def test_int64_strides_pass_through_the_v2_forms(library, desc):
    library.mluOpSetTensorDescriptorEx_v2(desc, ARRAY, FLOAT, 1, int64s(3), int64s(1 << 40))
    assert content(library, desc, 1, "_v2", ctypes.c_int64)[3] == [1 << 40]


def test_dimensions_beyond_an_int_are_not_cut_short(library, desc):
    library.mluOpSetTensorDescriptor_v2(desc, ARRAY, FLOAT, 1, int64s(1 << 33))
    pointers = [ctypes.byref(ctypes.c_int()) for _ in range(3)]
    assert library.mluOpGetTensorDescriptor(desc, *pointers, ints(0)) == BAD_PARAM


def test_more_than_8_dimensions_are_kept(library, desc):
    library.mluOpSetTensorDescriptor(desc, ARRAY, FLOAT, 9, ints(*range(1, 10)))
    assert content(library, desc, 9)[2] == list(range(1, 10))


def test_new_dimensions_keep_layout_and_dtype(library, desc):
    library.mluOpSetTensorDescriptor(desc, NHWC, 6, 1, ints(5))
    library.mluOpSetTensorDescriptorDim(desc, 2, ints(3, 4))
    assert content(library, desc, 2) == (NHWC, 6, [3, 4], [4, 1])


def test_unknown_positive_numbers_are_stored(library, desc):
    assert library.mluOpSetTensorDescriptor(desc, 99, 77, 1, ints(5)) == SUCCESS
    assert content(library, desc, 1)[:2] == (99, 77)


@pytest.mark.parametrize(("layout", "dtype"), [(-1, FLOAT), (ARRAY, -1)])
def test_negative_numbers_are_bad(library, desc, layout, dtype):
    assert library.mluOpSetTensorDescriptor(desc, layout, dtype, 1, ints(5)) == BAD_PARAM


@pytest.mark.parametrize("rank", [0, -1])
def test_no_dimensions_are_bad_in_device_mode(library, desc, rank):
    assert library.mluOpSetTensorDescriptor(desc, ARRAY, FLOAT, rank, ints(5)) == BAD_PARAM


def test_no_dimensions_are_one_element_in_host_mode(library, desc):
    library.mluOpSetTensorDescriptorPointerMode(desc, HOST_MODE)
    assert library.mluOpSetTensorDescriptor(desc, ARRAY, FLOAT, 0, None) == SUCCESS
    assert library.mluOpGetTensorElementNum(desc) == 1


def test_NULL_dimensions_are_bad(library, desc):
    assert library.mluOpSetTensorDescriptor(desc, ARRAY, FLOAT, 3, None) == BAD_PARAM


def test_a_refused_change_changes_nothing(library, desc):
    library.mluOpSetTensorDescriptor(desc, ARRAY, FLOAT, 1, ints(5))
    library.mluOpSetTensorDescriptor(desc, NHWC, -1, 2, ints(6, 7))
    assert content(library, desc, 1) == (ARRAY, FLOAT, [5], [1])


def test_a_product_beyond_int64_is_not_supported(library, desc):
    status = library.mluOpSetTensorDescriptor_v2(desc, ARRAY, FLOAT, 2, int64s(1 << 32, 1 << 32))
    assert status == NOT_SUPPORTED


def test_a_NULL_descriptor_is_bad(library):
    assert library.mluOpSetTensorDescriptor(None, ARRAY, FLOAT, 1, ints(5)) == BAD_PARAM


def test_NULL_is_no_violation(machine):
    machine.library.mluOpDestroyTensorDescriptor(None)
    assert machine.taken() == []


def test_device_memory_for_dimensions_is_a_violation(machine, desc):
    address = ctypes.cast(machine.malloc(4), ctypes.POINTER(ctypes.c_int))
    assert machine.library.mluOpSetTensorDescriptor(desc, ARRAY, FLOAT, 1, address) == BAD_PARAM
    assert [kind for kind, _ in machine.taken()] == [Kind.DEVICE_POINTER]


def test_a_reset_descriptor_is_fresh(library, desc):
    library.mluOpSetTensorDescriptor(desc, NHWC, 6, 1, ints(5))
    library.mluOpResetTensorDescriptor(desc)
    assert library.mluOpGetTensorElementNum(desc) == 0


@pytest.mark.parametrize("mode", [0, 1])
def test_the_pointer_mode_is_kept(library, desc, mode):
    library.mluOpSetTensorDescriptorPointerMode(desc, mode)
    found = ctypes.c_int(-1)
    library.mluOpGetTensorDescriptorPointerMode(desc, ctypes.byref(found))
    assert found.value == mode


def test_an_unknown_pointer_mode_is_bad(library, desc):
    assert library.mluOpSetTensorDescriptorPointerMode(desc, 2) == BAD_PARAM


def test_the_onchip_dtype_is_kept(library, desc):
    library.mluOpSetTensorDescriptorOnchipDataType(desc, 3)
    found = ctypes.c_int(-1)
    library.mluOpGetTensorDescriptorOnchipDataType(desc, ctypes.byref(found))
    assert found.value == 3


def test_position_scale_and_offset_are_kept(library, desc):
    library.mluOpSetTensorDescriptorPositionScaleAndOffset(desc, -3, 1.5, 7)
    position, scale, offset = ctypes.c_int(), ctypes.c_float(), ctypes.c_int()
    pointers = [ctypes.byref(number) for number in (position, scale, offset)]
    library.mluOpGetTensorDescriptorPositionScaleAndOffset(desc, *pointers)
    assert (position.value, scale.value, offset.value) == (-3, 1.5, 7)


def test_a_position_alone_keeps_the_scale(library, desc):
    library.mluOpSetTensorDescriptorPositionAndScale(desc, 1, 2.5)
    library.mluOpSetTensorDescriptorPosition(desc, 4)
    position, scale = ctypes.c_int(), ctypes.c_float()
    library.mluOpGetTensorDescriptorPositionAndScale(desc, ctypes.byref(position), ctypes.byref(scale))
    assert (position.value, scale.value) == (4, 2.5)


def test_a_destroyed_descriptor_tells_its_history(machine, desc):
    machine.library.mluOpDestroyTensorDescriptor(desc)
    assert machine.library.mluOpGetTensorElementNum(desc) == 0
    [(kind, text)] = machine.taken()
    assert kind is Kind.DESTROYED_OBJECT
    assert f"destroyed at {__file__}" in text


def test_a_handle_is_no_descriptor(machine):
    handle = ctypes.cast(machine.handle(), ctypes.c_void_p).value
    machine.library.mluOpGetTensorElementNum(ctypes.cast(handle, mluOpTensorDescriptor_t))
    assert [kind for kind, _ in machine.taken()] == [Kind.FOREIGN_OBJECT]


def test_a_random_number_is_no_descriptor(machine):
    machine.library.mluOpGetTensorElementNum(ctypes.cast(0x1234, mluOpTensorDescriptor_t))
    assert [kind for kind, _ in machine.taken()] == [Kind.FOREIGN_OBJECT]


@pytest.fixture
def group(machine):
    """Two descriptors of a group, and the array of pointers to them that the group functions take."""
    variables = (mluOpTensorDescriptor_t * 2)()
    pointer = ctypes.POINTER(mluOpTensorDescriptor_t)
    addresses = (pointer * 2)(*(ctypes.cast(ctypes.byref(variables, offset), pointer) for offset in (0, 8)))
    assert machine.library.mluOpCreateGroupTensorDescriptors(addresses, 2) == SUCCESS
    return variables, addresses


def test_a_group_is_set_from_consecutive_dimensions(library, group):
    variables, addresses = group
    sizes = ints(2, 3, 4, 5, 6)
    status = library.mluOpSetGroupTensorDescriptors(
        addresses, ints(ARRAY, NHWC), ints(FLOAT, 6), ints(1, 4), sizes, 2
    )
    assert status == SUCCESS
    assert content(library, variables[0], 1) == (ARRAY, FLOAT, [2], [1])
    assert content(library, variables[1], 4) == (NHWC, 6, [3, 4, 5, 6], [120, 30, 6, 1])


def test_a_group_is_destroyed_together(machine, group):
    machine.library.mluOpDestroyGroupTensorDescriptors(group[1], 2)
    assert machine.emulator.alive() == []


@pytest.mark.parametrize(
    ("dims", "strides", "contiguous"),
    [
        ((2, 3), (3, 1), True),
        ((2, 3), (4, 1), False),
        ((1, 3), (99, 1), True),  # core/util.cpp:48: a dimension of size 1 may have any stride
        ((0, 3), (7, 7), True),  # tensors with zero elements skip the check
    ],
)
def test_contiguity(dims, strides, contiguous):
    descriptor = Descriptor(dims=dims, strides=strides, element_num=int(np.prod(dims)))
    assert descriptor.is_contiguous is contiguous
