"""Host memory: what NumPy takes as an array, and page-locked memory for asynchronous copies."""

from __future__ import annotations

import ctypes
import math
from operator import index
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from mluops.dtypes import dtype_and_code
from mluops.errors import ArgumentTypeError, ArgumentValueError
from mluops.lifetime import Resource, usable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mluops.dtypes import DataType
    from mluops.library import Library

_CPU = 1
"""kDLCPU of DLPack."""


def require_ndarray(name: str, array: object, wanted: str = "an ndarray or a DeviceArray") -> None:
    """Raise an ArgumentTypeError unless something is a plain ndarray; `name` is the argument's."""
    if type(array) is np.ndarray:
        return
    if isinstance(array, np.ma.MaskedArray):
        raise ArgumentTypeError(
            f"{name} is a masked array, whose mask would be lost; give {name}.filled(...)"
        )
    if not isinstance(array, np.ndarray):
        raise ArgumentTypeError(
            f"{name} must be {wanted}, not a {type(array).__name__}; np.asarray makes an ndarray"
        )


def host_array(name: str, value: Any, dtype: str | None = None) -> NDArray[Any]:
    """Return what NumPy makes of a value: an ndarray, a list, a tensor in host memory.

    Parameters
    ----------
    name : str
        The argument's name, for the errors.
    value : object
        An ndarray, a number, a nested list, or anything with `__array__`, `__array_interface__` or
        `__dlpack__`.
    dtype : str, optional
        The type of numbers in lists, which have none of their own.

    Raises
    ------
    ArgumentTypeError
        NumPy makes no array of it, or only one that differs: of objects, without a mask, without the device.
    """
    if not isinstance(value, np.ndarray):
        value = _converted(name, value, dtype)
    require_ndarray(name, value)
    if value.dtype.hasobject:
        raise ArgumentTypeError(f"{name} has the dtype object: its numbers do not form an array")
    array: NDArray[Any] = value
    return array


def _converted(name: str, value: Any, dtype: str | None) -> Any:
    _require_host(name, value)
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            return getattr(np, "from_dlpack")(value)  # noqa: B009 (NumPy 1.22 brought it)
        array = np.asarray(value)
    except Exception as error:
        kind = type(value).__name__
        raise ArgumentTypeError(f"{name}: NumPy makes no array of this {kind}: {error}") from error
    if array.dtype.kind in "OUSV" and not hasattr(value, "dtype"):
        raise ArgumentTypeError(f"{name} must be an array, not a {type(value).__name__}")
    return array if dtype is None or hasattr(value, "dtype") else _typed(name, array, dtype)


def _require_host(name: str, value: Any) -> None:
    device = getattr(value, "__dlpack_device__", None)
    if device is None or isinstance(value, np.ndarray):
        return
    kind, _ = device()
    if kind != _CPU:
        raise ArgumentTypeError(
            f"{name} is a {type(value).__name__} in the memory of a device: give its address to "
            "DeviceArray.borrow(library, shape, dtype, address, owner)"
        )


def _typed(name: str, array: NDArray[Any], dtype: str) -> NDArray[Any]:
    """Return the numbers of a list as `dtype`, where it holds them: floats are rounded, integers are not."""
    with np.errstate(over="ignore"):
        typed = array.astype(dtype)
    floats = array.dtype.kind == typed.dtype.kind == "f"
    if floats and np.array_equal(np.isinf(typed), np.isinf(array)):
        return typed
    if floats or not np.array_equal(typed, array):
        raise ArgumentTypeError(f"{name}: {dtype} does not hold these numbers")
    return typed


def writable_array(what: str, value: Any) -> NDArray[Any]:
    """Return an ndarray that a call may write; `what` is the argument's name."""
    require_ndarray(what, value)
    array: NDArray[Any] = value
    if not array.flags.writeable:
        raise ArgumentValueError(f"{what} is read-only, but the call writes it")
    return known_dtype(what, array)


def known_dtype(what: str, array: NDArray[Any]) -> NDArray[Any]:
    """Return an array whose dtype mlu-ops has; the ArgumentTypeError of another one names the argument."""
    try:
        dtype_and_code(array.dtype)
    except ArgumentTypeError as error:
        raise ArgumentTypeError(f"{what}: {error}") from None
    return array


def checked_shape(shape: Sequence[int]) -> tuple[int, ...]:
    """Return a shape as a tuple of integers.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
        It is no sequence of integers, or has a negative one.
    """
    try:
        found = tuple(map(index, shape))
    except TypeError:
        raise ArgumentTypeError(f"shape must be a sequence of integers, not {shape!r}") from None
    if found and min(found) < 0:
        raise ArgumentValueError(f"no array has the shape {list(found)}: a dimension is negative")
    return found


def pinned(library: Library, shape: Sequence[int], dtype: DataType) -> NDArray[Any]:
    """Return an uninitialised ndarray in page-locked memory, which asynchronous copies overlap with.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
        For a dtype that mlu-ops has not, and what is no shape.
    CnrtError
        When there is not enough memory.
    """
    shape = checked_shape(shape)
    element, _ = dtype_and_code(dtype)
    nbytes = math.prod(shape) * element.itemsize
    if not nbytes:
        return np.empty(shape, element)
    if nbytes >= 1 << 63:
        raise ArgumentValueError(f"shape: {list(shape)} has {nbytes} bytes, more than any host")
    bytes_ = np.asarray(_Pinned(usable(library), nbytes))
    return bytes_.view(element).reshape(shape)


class _Pinned(Resource):
    """Page-locked bytes; the ndarray around them keeps this alive."""

    def __init__(self, library: Library, nbytes: int) -> None:
        address = ctypes.c_void_p()
        library.cnrtHostMalloc.checked(ctypes.byref(address), nbytes)
        super().__init__(library, address, library.cnrtFreeHost.checked)
        self.__array_interface__ = {
            "shape": (nbytes,),
            "typestr": "|u1",
            "data": (address.value, False),
            "version": 3,
        }
