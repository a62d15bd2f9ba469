"""The values that cross the C interface, seen by a library that notes its arguments."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

import numpy as np
import pytest
from mluops import types
from mluops.constants import cnrtMemTransDir_t, mluOpDataType_t, mluOpStatus_t, mluOpTensorLayout_t
from mluops.errors import ArgumentTypeError, BadParam, MluOpError
from mluops.library import Library


def handle_at(address: int, kind: Any) -> Any:
    return ctypes.cast(address, kind)


def float_bits(value: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", value))[0])


HANDLE = handle_at(0x7FFF12345678, types.mluOpHandle_t)
DESC = [handle_at(0x7FFE00000000 + 16 * index, types.mluOpTensorDescriptor_t) for index in range(4)]


def call_nms(library: Library, **changed: Any) -> Any:
    arguments = {
        "handle": HANDLE,
        "iou_threshold": 0.1,
        "boxes_desc": DESC[0],
        "boxes": 0x8000_1234_5678_9ABC,
        "scores_desc": DESC[1],
        "scores": None,
        "workspace": 0x10,
        "workspace_size": 2**40 + 1,
        "output_desc": DESC[2],
        "output": 2**63,
        "result_num": 2**47 - 4,
    }
    arguments.update(changed)
    return library.mluOpNmsRotated(*arguments.values())


def test_pointers_and_sizes_cross_with_64_bits_and_floats_with_the_bits_of_float32(echo: Library) -> None:
    call_nms(echo)
    assert echo.symbols.noted(11) == [
        0x7FFF12345678,
        float_bits(0.1),
        0x7FFE00000000,
        0x8000_1234_5678_9ABC,
        0x7FFE00000010,
        0,
        0x10,
        2**40 + 1,
        0x7FFE00000020,
        2**63,
        2**47 - 4,
    ]


def test_integers_and_floats_keep_their_order_beyond_the_registers(echo: Library) -> None:
    echo.mluOpDeformRoiPoolForward(
        HANDLE, DESC[0], 1, DESC[1], 2, None, None, 7, -8, 0.25, 2**31 - 1, -0.0, DESC[3], 2**60
    )
    assert echo.symbols.noted(14)[7:] == [
        7,
        2**64 - 8,
        float_bits(0.25),
        2**31 - 1,
        float_bits(-0.0),
        0x7FFE00000030,
        2**60,
    ]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e-45, 3.4028235e38])
def test_special_floats_cross_unchanged(echo: Library, value: float) -> None:
    call_nms(echo, iou_threshold=value)
    assert echo.symbols.noted(2)[1] == float_bits(value)


def test_dims_have_32_bits_in_the_first_form(echo: Library) -> None:
    dims = (ctypes.c_int * 3)(1, -2, 2**31 - 1)
    echo.mluOpSetTensorDescriptor(DESC[0], mluOpTensorLayout_t.MLUOP_LAYOUT_ARRAY, 2, 3, dims)
    assert echo.symbols.noted(7)[1:] == [4, 2, 3, 1, 2**64 - 2, 2**31 - 1]


def test_dims_have_64_bits_in_the_second_form(echo: Library) -> None:
    dims = (ctypes.c_int64 * 2)(2**40, 3)
    echo.mluOpSetTensorDescriptor_v2(DESC[0], 4, mluOpDataType_t.MLUOP_DTYPE_FLOAT, 2, dims)
    assert echo.symbols.noted(6)[1:] == [4, 2, 2, 2**40, 3]


def test_dims_may_come_from_numpy(echo: Library) -> None:
    dims = np.array([2**40, 3], np.int64)
    echo.mluOpSetTensorDescriptor_v2(DESC[0], 4, 2, 2, np.ctypeslib.as_ctypes(dims))
    assert echo.symbols.noted(6)[4:] == [2**40, 3]


def test_dims_of_the_wrong_width_are_refused(echo: Library) -> None:
    with pytest.raises(ArgumentTypeError, match=r"argument 5 \(dimSize\)"):
        echo.mluOpSetTensorDescriptor_v2(DESC[0], 4, 2, 2, (ctypes.c_int * 2)(1, 2))


def test_a_bool_is_one_byte(echo: Library) -> None:
    echo.mluOpBoxIouRotated(HANDLE, 1, True, DESC[0], 0, DESC[1], 0, DESC[2], 0)
    assert echo.symbols.noted(3)[1:] == [1, 1]


def test_an_array_of_pointers_to_descriptors_is_filled(echo: Library) -> None:
    group = (types.mluOpTensorDescriptor_t * 2)()
    pointers = (ctypes.POINTER(types.mluOpTensorDescriptor_t) * 2)(
        *(ctypes.pointer(types.mluOpTensorDescriptor_t.from_buffer(group, 8 * index)) for index in range(2))
    )
    echo.mluOpCreateGroupTensorDescriptors(pointers, 2)
    assert [ctypes.cast(desc, ctypes.c_void_p).value for desc in group] == [0x7F0000000000, 0x7F0000000010]


def test_a_size_that_the_library_writes_has_64_bits(echo: Library) -> None:
    size = ctypes.c_size_t()
    echo.mluOpGetNmsRotatedWorkspaceSize(HANDLE, DESC[0], ctypes.byref(size))
    assert size.value == 2**40 + 3


def test_a_size_that_the_library_returns_has_64_bits(echo: Library) -> None:
    assert echo.mluOpGetTensorElementNum(DESC[0]) == 2**33 + 5


def test_a_c_string_is_bytes(echo: Library) -> None:
    assert echo.mluOpGetErrorString(mluOpStatus_t.MLUOP_STATUS_BAD_PARAM) == b"MLUOP_STATUS_BAD_PARAM"


def test_asynchronous_copies_pass_the_queue_before_the_direction(echo: Library) -> None:
    queue = handle_at(0x5550, types.cnrtQueue_t)
    echo.cnrtMemcpyAsync(1, 2, 2**33, queue, cnrtMemTransDir_t.cnrtMemcpyDevToHost)
    assert echo.symbols.noted(5) == [1, 2, 2**33, 0x5550, 2]


def test_a_status_is_a_member_of_its_enum(echo: Library) -> None:
    echo.symbols.answer(7)
    assert call_nms(echo) is mluOpStatus_t.MLUOP_STATUS_NOT_SUPPORTED


def test_an_unknown_status_is_its_number(echo: Library) -> None:
    echo.symbols.answer(4711)
    assert call_nms(echo) == 4711


def test_a_bad_status_raises_nothing_by_itself(echo: Library) -> None:
    echo.symbols.answer(3)
    assert echo.mluOpSetQueue(HANDLE, None) == mluOpStatus_t.MLUOP_STATUS_BAD_PARAM


def test_a_checked_call_raises_the_class_of_the_status(echo: Library) -> None:
    echo.symbols.answer(3)
    with pytest.raises(BadParam, match=r"mluOpSetQueue returned MLUOP_STATUS_BAD_PARAM \(3\): "):
        echo.mluOpSetQueue.checked(HANDLE, None)


def test_a_checked_call_raises_for_an_unknown_status_with_the_words_of_the_library(echo: Library) -> None:
    echo.symbols.answer(99)
    with pytest.raises(MluOpError, match=r"mluOpSetQueue returned an unknown status \(99\): no such status"):
        echo.mluOpSetQueue.checked(HANDLE, None)


def test_two_handles_in_each_others_place_are_refused(echo: Library) -> None:
    with pytest.raises(
        TypeError, match=r"mluOpNmsRotated, argument 1 \(handle\): expected mluOpHandle_t, got mluOpT"
    ):
        call_nms(echo, handle=DESC[0], boxes_desc=HANDLE)


def test_a_refused_argument_is_named_with_its_type(echo: Library) -> None:
    with pytest.raises(ArgumentTypeError) as refused:
        call_nms(echo, boxes_desc=0x7FFE00000000)
    assert str(refused.value) == (
        "mluOpNmsRotated, argument 3 (boxes_desc): expected const mluOpTensorDescriptor_t, got int"
    )


def test_a_refused_argument_is_a_ctypes_argument_error_too(echo: Library) -> None:
    with pytest.raises(ctypes.ArgumentError):
        call_nms(echo, iou_threshold="0.3")


@pytest.mark.parametrize("number", [2**31, -(2**31) - 1, 2**32])
def test_a_checked_call_refuses_an_integer_that_would_wrap(echo: Library, number: int) -> None:
    with pytest.raises(
        ArgumentTypeError, match=rf"mluOpSetTensorDescriptor, argument 4 \(dimNb\): {number} does not fit int"
    ):
        echo.mluOpSetTensorDescriptor.checked(
            DESC[0], mluOpTensorLayout_t.MLUOP_LAYOUT_ARRAY, mluOpDataType_t.MLUOP_DTYPE_FLOAT, number, None
        )


def test_a_number_beyond_double_precision_is_refused(echo: Library) -> None:
    with pytest.raises(
        ArgumentTypeError, match=r"argument 2 \(iou_threshold\): expected const float, got int"
    ):
        call_nms(echo, iou_threshold=10**400)


@pytest.mark.parametrize("arguments", [(), (HANDLE,), (HANDLE, None, None)], ids=len)
def test_a_wrong_number_of_arguments_is_refused_with_the_names(
    echo: Library, arguments: tuple[Any, ...]
) -> None:
    with pytest.raises(
        TypeError, match=rf"mluOpSetQueue takes 2 arguments \(handle, queue\), not {len(arguments)}"
    ):
        echo.mluOpSetQueue(*arguments)


def test_one_argument_is_no_plural(echo: Library) -> None:
    with pytest.raises(TypeError, match=r"mluOpGetErrorString takes 1 argument \(status\), not 0"):
        echo.mluOpGetErrorString()


def test_nothing_is_called_with_refused_arguments(echo: Library) -> None:
    echo.mluOpSetQueue(HANDLE, None)
    with pytest.raises(TypeError):
        echo.mluOpSetQueue(DESC[0], None)
    assert echo.symbols.noted(1) == [0x7FFF12345678]
