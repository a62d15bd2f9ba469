"""NumPy dtypes and mluOpDataType_t."""

from __future__ import annotations

import numpy as np
import pytest
from mluops.constants import mluOpDataType_t
from mluops.dtypes import to_mluop, to_numpy


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("float16", 1),
        ("float32", 2),
        ("float64", 14),
        ("int8", 3),
        ("int16", 4),
        ("int32", 6),
        ("int64", 9),
        ("uint8", 7),
        ("uint16", 13),
        ("uint32", 11),
        ("uint64", 12),
        ("bool", 8),
        ("complex64", 16),
    ],
)
def test_number_of_a_numpy_dtype_since_v0_5_0(name: str, number: int) -> None:
    assert to_mluop(name) == number
    assert to_numpy(number) == np.dtype(name)


def test_complex_half_is_a_pair_of_halves() -> None:
    assert to_numpy(mluOpDataType_t.MLUOP_DTYPE_COMPLEX_HALF).itemsize == 4


def test_bfloat16_reaches_the_host_as_its_bits() -> None:
    assert to_numpy(mluOpDataType_t.MLUOP_DTYPE_BFLOAT16) == np.uint16


@pytest.mark.parametrize("dtype", ["complex128", "datetime64[s]", ">f4"])
def test_a_dtype_that_mlu_ops_lacks_is_refused(dtype: str) -> None:
    with pytest.raises(TypeError, match="no data type"):
        to_mluop(dtype)


@pytest.mark.parametrize("number", [0, 5, 99])
def test_a_number_that_numpy_cannot_hold_is_refused(number: int) -> None:
    with pytest.raises(TypeError, match="NumPy has no dtype"):
        to_numpy(number)
