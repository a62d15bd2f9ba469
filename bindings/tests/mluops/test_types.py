"""C spellings and the ctypes types that stand for them."""

from __future__ import annotations

import ctypes

import pytest
from mluops import types
from mluops.types import ctype


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("void", None),
        ("const int", ctypes.c_int),
        ("unsigned int", ctypes.c_uint),
        ("const float", ctypes.c_float),
        ("const bool", ctypes.c_bool),
        ("size_t", ctypes.c_size_t),
        ("mluOpDataType_t", ctypes.c_int),
        ("cnrtMemTransDir_t", ctypes.c_int),
        ("const void*", ctypes.c_void_p),
        ("void**", ctypes.POINTER(ctypes.c_void_p)),
        ("const char*", ctypes.c_char_p),
        ("char*", ctypes.POINTER(ctypes.c_char)),
        ("const int[]", ctypes.POINTER(ctypes.c_int)),
        ("const int64_t[]", ctypes.POINTER(ctypes.c_int64)),
        ("mluOpTensorLayout_t*", ctypes.POINTER(ctypes.c_int)),
        ("const mluOpTensorDescriptor_t", types.mluOpTensorDescriptor_t),
        ("cnrtQueue_t*", ctypes.POINTER(types.cnrtQueue_t)),
        ("mluOpTensorDescriptor_t*[]", ctypes.POINTER(ctypes.POINTER(types.mluOpTensorDescriptor_t))),
        ("cnrtDeviceProp_t*", ctypes.POINTER(types.cnrtDeviceProp_t)),
    ],
)
def test_spelling(spelling: str, expected: object) -> None:
    assert ctype(spelling) is expected


def test_an_unknown_spelling_is_named() -> None:
    with pytest.raises(KeyError, match="cnnlHandle_t"):
        ctype("cnnlHandle_t")


def test_a_pointer_has_64_bits() -> None:
    assert ctypes.sizeof(types.mluOpHandle_t) == 8


def test_no_handle_converts_to_another() -> None:
    with pytest.raises((TypeError, ctypes.ArgumentError)):
        types.mluOpHandle_t.from_param(types.cnrtQueue_t())


def test_an_integer_is_no_handle() -> None:
    with pytest.raises((TypeError, ctypes.ArgumentError)):
        types.mluOpHandle_t.from_param(0x1000)


def test_the_properties_structure_has_room_for_all_that_a_library_may_write() -> None:
    assert ctypes.sizeof(types.cnrtDeviceProp_t) == 4096
