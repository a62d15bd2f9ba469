"""NumPy dtypes and mluOpDataType_t, one for the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mluops.constants import mluOpDataType_t

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

BFLOAT16_BITS = np.dtype(np.uint16)
"""NumPy has no bfloat16: to the host such data are the upper halves of float32's bits."""

COMPLEX_HALF = np.dtype([("real", np.float16), ("imag", np.float16)])

_CODES: dict[np.dtype[Any], mluOpDataType_t] = {
    np.dtype(np.float16): mluOpDataType_t.MLUOP_DTYPE_HALF,
    np.dtype(np.float32): mluOpDataType_t.MLUOP_DTYPE_FLOAT,
    np.dtype(np.float64): mluOpDataType_t.MLUOP_DTYPE_DOUBLE,
    np.dtype(np.int8): mluOpDataType_t.MLUOP_DTYPE_INT8,
    np.dtype(np.int16): mluOpDataType_t.MLUOP_DTYPE_INT16,
    np.dtype(np.int32): mluOpDataType_t.MLUOP_DTYPE_INT32,
    np.dtype(np.int64): mluOpDataType_t.MLUOP_DTYPE_INT64,
    np.dtype(np.uint8): mluOpDataType_t.MLUOP_DTYPE_UINT8,
    np.dtype(np.uint16): mluOpDataType_t.MLUOP_DTYPE_UINT16,
    np.dtype(np.uint32): mluOpDataType_t.MLUOP_DTYPE_UINT32,
    np.dtype(np.uint64): mluOpDataType_t.MLUOP_DTYPE_UINT64,
    np.dtype(np.bool_): mluOpDataType_t.MLUOP_DTYPE_BOOL,
    np.dtype(np.complex64): mluOpDataType_t.MLUOP_DTYPE_COMPLEX_FLOAT,
    COMPLEX_HALF: mluOpDataType_t.MLUOP_DTYPE_COMPLEX_HALF,
}

_DTYPES: dict[int, np.dtype[Any]] = {
    **{code: dtype for dtype, code in _CODES.items()},
    mluOpDataType_t.MLUOP_DTYPE_BFLOAT16: BFLOAT16_BITS,
}


def to_mluop(dtype: DTypeLike) -> mluOpDataType_t:
    """Return the mluOpDataType_t of a NumPy dtype.

    Raises
    ------
    TypeError
        When mlu-ops has no such type. A dtype named bfloat16 that another package registered counts as
        MLUOP_DTYPE_BFLOAT16; uint16 is MLUOP_DTYPE_UINT16, never bfloat16 by its bits.
    """
    found = np.dtype(dtype)
    code = _CODES.get(found)
    if code is not None:
        return code
    if found.name == "bfloat16":
        return mluOpDataType_t.MLUOP_DTYPE_BFLOAT16
    raise TypeError(f"mlu-ops has no data type for NumPy's {found}; it has {', '.join(map(str, _CODES))}")


def to_numpy(code: int) -> np.dtype[Any]:
    """Return the NumPy dtype that holds the elements of an mluOpDataType_t: for bfloat16 their bits.

    Raises
    ------
    TypeError
        For MLUOP_DTYPE_INVALID, MLUOP_DTYPE_INT31 (two int16 planes) and numbers that name no type.
    """
    dtype = _DTYPES.get(code)
    if dtype is None:
        raise TypeError(f"NumPy has no dtype for {code!r}")
    return dtype
