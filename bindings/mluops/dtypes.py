"""NumPy dtypes and mluOpDataType_t, one for the other."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from mluops.constants import mluOpDataType_t
from mluops.errors import ArgumentTypeError

if TYPE_CHECKING:
    from typing import Union

    from numpy.typing import DTypeLike

    DataType = Union[DTypeLike, mluOpDataType_t]

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
    """Return the mluOpDataType_t of a NumPy dtype, or of the name "bfloat16".

    Raises
    ------
    ArgumentTypeError
        When mlu-ops has no such type. A dtype named bfloat16 that another package registered counts as
        MLUOP_DTYPE_BFLOAT16; uint16 is MLUOP_DTYPE_UINT16, never bfloat16 by its bits.
    """
    return dtype_and_code(dtype)[1]


def dtype_and_code(dtype: DataType) -> tuple[np.dtype[Any], mluOpDataType_t]:
    """Return the NumPy dtype that holds elements of a type, and its mluOpDataType_t.

    Parameters
    ----------
    dtype : dtype-like or mluOpDataType_t
        "bfloat16" is held by ml_dtypes' type where that is installed, by uint16 otherwise.

    Raises
    ------
    ArgumentTypeError
        When NumPy or mlu-ops has no such type; the message names those that there are.
    """
    try:
        return _known(dtype)  # type: ignore[arg-type]
    except TypeError:  # also of a list, which is not hashable
        pass
    return _resolved(dtype)


def _resolved(dtype: DataType) -> tuple[np.dtype[Any], mluOpDataType_t]:
    named = isinstance(dtype, str) and dtype == "bfloat16"  # NumPy's dtypes try to read a text that they meet
    if named or dtype is mluOpDataType_t.MLUOP_DTYPE_BFLOAT16:
        return _bfloat16(), mluOpDataType_t.MLUOP_DTYPE_BFLOAT16
    if isinstance(dtype, mluOpDataType_t):
        return to_numpy(dtype), dtype
    if dtype is None:  # float64 to NumPy
        raise ArgumentTypeError(f"no dtype is given; mlu-ops has {_accepted()}")
    try:
        found: np.dtype[Any] = np.dtype(dtype)
    except TypeError:
        raise ArgumentTypeError(f"no dtype {dtype!r}; mlu-ops has {_accepted()}") from None
    code = _CODES.get(found)
    if code is None and found.name == "bfloat16":
        code = mluOpDataType_t.MLUOP_DTYPE_BFLOAT16
    if code is None:
        raise ArgumentTypeError(f"mlu-ops has no data type for NumPy's {found}; it has {_accepted()}")
    return found, code


def holds(dtype: np.dtype[Any], code: mluOpDataType_t) -> bool:
    """Return whether host data of a NumPy dtype are elements of a type as they are, or its bits."""
    own, _ = dtype_and_code(code)
    return dtype == own or (code == mluOpDataType_t.MLUOP_DTYPE_BFLOAT16 and dtype == BFLOAT16_BITS)


_known = lru_cache(maxsize=64, typed=True)(_resolved)


def name_of(code: int) -> str:
    """Return the name of an mluOpDataType_t as NumPy has it: "float16" for MLUOP_DTYPE_HALF."""
    if code == mluOpDataType_t.MLUOP_DTYPE_BFLOAT16:
        return "bfloat16"
    if code == mluOpDataType_t.MLUOP_DTYPE_COMPLEX_HALF:
        return "complex32"
    return str(_DTYPES.get(code, code))


def _bfloat16() -> np.dtype[Any]:
    try:
        import ml_dtypes
    except ImportError:
        return BFLOAT16_BITS
    found: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
    return found


def _accepted() -> str:
    return ", ".join(name_of(code) for code in _DTYPES)


def to_numpy(code: int) -> np.dtype[Any]:
    """Return the NumPy dtype that holds the elements of an mluOpDataType_t: for bfloat16 their bits.

    Raises
    ------
    ArgumentTypeError
        For MLUOP_DTYPE_INVALID, MLUOP_DTYPE_INT31 (two int16 planes) and numbers that name no type.
    """
    dtype = _DTYPES.get(code)
    if dtype is None:
        raise ArgumentTypeError(f"NumPy has no dtype for {code!r}")
    return dtype
