"""Tensor descriptors, read back from the stand-in."""

from __future__ import annotations

import ctypes
from typing import Any, Callable

import numpy as np
import pytest
from mluops import TensorDescriptor
from mluops.constants import mluOpDataType_t, mluOpTensorLayout_t
from mluops.errors import BadParam
from mluops.library import Library


def read(library: Library, desc: TensorDescriptor) -> tuple[int, int, list[int], list[int]]:
    layout, dtype, rank = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    dims, strides = (ctypes.c_int64 * 8)(), (ctypes.c_int64 * 8)()
    library.mluOpGetTensorDescriptorEx_v2.checked(
        desc, ctypes.byref(layout), ctypes.byref(dtype), ctypes.byref(rank), dims, strides
    )
    return layout.value, dtype.value, dims[: rank.value], strides[: rank.value]


def test_shape_dtype_and_layout_arrive(library: Library) -> None:
    with TensorDescriptor(library, (2, 3, 4, 5), np.float16, "NHWC") as desc:
        assert read(library, desc)[:3] == (1, 1, [2, 3, 4, 5])


def test_the_layout_is_array_by_default(library: Library) -> None:
    with TensorDescriptor(library, [7], "int32") as desc:
        assert read(library, desc)[:3] == (4, 6, [7])


def test_strides_arrive(library: Library) -> None:
    with TensorDescriptor(library, (2, 3), "float32", strides=(6, 2)) as desc:
        assert read(library, desc)[2:] == ([2, 3], [6, 2])


def test_dims_beyond_32_bits_arrive(library: Library) -> None:
    with TensorDescriptor(library, (2**40, 3), "float32", strides=(2**41, 1)) as desc:
        assert read(library, desc)[2:] == ([2**40, 3], [2**41, 1])


def test_dims_may_be_numpy_integers(library: Library) -> None:
    with TensorDescriptor(library, tuple(np.array([4, 5])), "float32") as desc:
        assert library.mluOpGetTensorElementNum(desc) == 20


@pytest.mark.parametrize(
    ("dtype", "layout"),
    [(mluOpDataType_t.MLUOP_DTYPE_BFLOAT16, mluOpTensorLayout_t.MLUOP_LAYOUT_NCL), (17, 10), (99, 77)],
    ids=["members", "numbers", "numbers of no member"],
)
def test_numbers_pass_as_they_are(library: Library, dtype: int, layout: int) -> None:
    with TensorDescriptor(library, (2,), dtype, layout) as desc:
        assert read(library, desc)[:2] == (int(layout), int(dtype))


@pytest.mark.parametrize("strides", [None, (3, 1)], ids=["contiguous", "strided"])
def test_a_library_before_v0_7_0_gets_dims_of_32_bits(load_standin: Callable[..., Any], strides: Any) -> None:
    library = load_standin("0.6.0").library
    with TensorDescriptor(library, (2, 3), "float32", strides=strides) as desc:
        assert library.mluOpGetTensorElementNum(desc) == 6


def test_dims_beyond_32_bits_are_refused_for_a_library_before_v0_7_0(
    load_standin: Callable[..., Any],
) -> None:
    with pytest.raises(OverflowError, match="2147483648 does not fit the c_int that this library takes"):
        TensorDescriptor(load_standin("0.6.0").library, (2**31,), "float32")


def test_dims_beyond_64_bits_are_refused(library: Library) -> None:
    with pytest.raises(OverflowError, match="does not fit"):
        TensorDescriptor(library, (2**63,), "float32")


def test_a_refusal_by_the_library_is_raised(library: Library) -> None:
    with pytest.raises(BadParam, match=r"mluOpSetTensorDescriptor_v2 returned MLUOP_STATUS_BAD_PARAM"):
        TensorDescriptor(library, (), "float32")


def test_an_unknown_layout_is_answered_with_the_known_ones(library: Library) -> None:
    with pytest.raises(ValueError, match="no layout 'NHCW'; mlu-ops has NCHW, NHWC, HWCN"):
        TensorDescriptor(library, (1, 2, 3, 4), "float32", "NHCW")


def test_strides_are_as_many_as_dimensions(library: Library) -> None:
    with pytest.raises(ValueError, match="1 strides for 2 dimensions"):
        TensorDescriptor(library, (2, 3), "float32", strides=(1,))
