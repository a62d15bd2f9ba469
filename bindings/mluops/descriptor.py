"""Tensor descriptors: layout, data type, dimensions and strides of an operand."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Sequence

from mluops.constants import MLUOP_DIM_MAX, mluOpTensorLayout_t
from mluops.dtypes import name_of, to_mluop
from mluops.errors import ArgumentOverflowError, ArgumentTypeError, ArgumentValueError
from mluops.lifetime import Resource, usable
from mluops.types import address_of, mluOpTensorDescriptor_t

if TYPE_CHECKING:
    from typing import Union

    from numpy.typing import DTypeLike

    from mluops.library import Library

    DataType = Union[DTypeLike, int]
    Layout = Union[str, int]

_LIMITS = {integer: 1 << (8 * ctypes.sizeof(integer) - 1) for integer in (ctypes.c_int, ctypes.c_int64)}

LAYOUTS = {name[len("MLUOP_LAYOUT_") :]: member for name, member in mluOpTensorLayout_t.__members__.items()}
"""Layouts by their short names, as "NHWC"."""


class TensorDescriptor(Resource):
    """The description of a tensor.

    Parameters
    ----------
    library : Library
    shape : sequence of int
        The dimensions, at most MLUOP_DIM_MAX. They cross the interface as int64 where the library takes these
        (v0.7.0 and later), otherwise as int32.
    dtype : dtype-like or mluOpDataType_t
        A NumPy dtype or the number of an mluOpDataType_t.
    layout : str or mluOpTensorLayout_t
        "ARRAY", "NHWC", "NCHW", …, or the number of an mluOpTensorLayout_t.
    strides : sequence of int, optional
        In elements, one for each dimension; those of a contiguous tensor otherwise.

    Raises
    ------
    MluOpError
        When the library does not take them.
    ArgumentTypeError, ArgumentValueError
        For a data type or layout that mlu-ops has not, for more than MLUOP_DIM_MAX dimensions, and for a
        dimension or stride that does not fit the library's integers.
    """

    used_by_tasks = True

    def __init__(
        self,
        library: Library,
        shape: Sequence[int],
        dtype: DataType,
        layout: Layout = "ARRAY",
        strides: Sequence[int] | None = None,
    ) -> None:
        raw = mluOpTensorDescriptor_t()
        usable(library).mluOpCreateTensorDescriptor.succeed(ctypes.byref(raw))
        super().__init__(library, raw, library.mluOpDestroyTensorDescriptor.succeed)
        try:
            set_descriptor(library, raw, shape, dtype, layout, strides)
        except Exception:
            self.close()
            raise
        self._set = tuple(shape), dtype, layout

    def __repr__(self) -> str:
        shape, dtype, layout = self._set
        text = f"{name_of(_code(dtype))}{list(shape)} {_layout_name(layout)}"
        place = () if self.closed else (f"at {address_of(self.raw, 'descriptor'):#x}",)
        return self._described(text, *place)


def set_descriptor(
    library: Library,
    desc: mluOpTensorDescriptor_t,
    shape: Sequence[int],
    dtype: DataType,
    layout: Layout = "ARRAY",
    strides: Sequence[int] | None = None,
) -> None:
    """Describe a tensor, as in `TensorDescriptor`, by a raw descriptor."""
    for name, value in (("shape", shape), ("strides", () if strides is None else strides)):
        if not hasattr(value, "__len__"):
            raise ArgumentTypeError(f"{name} must be a sequence of integers, not {value!r}")
    if len(shape) > MLUOP_DIM_MAX:
        raise ArgumentValueError(
            f"{len(shape)} dimensions are more than MLUOP_DIM_MAX, which is {MLUOP_DIM_MAX}"
        )
    code = _code(dtype)
    number = layout if isinstance(layout, int) else _layout(layout)
    wide = library.has("mluOpSetTensorDescriptor_v2")
    integer: Any = ctypes.c_int64 if wide else ctypes.c_int
    dims = _integers(integer, shape)
    if strides is None:
        setter = library.mluOpSetTensorDescriptor_v2 if wide else library.mluOpSetTensorDescriptor
        setter.checked(desc, number, code, len(shape), dims)
    elif len(strides) == len(shape):
        strided = library.mluOpSetTensorDescriptorEx_v2 if wide else library.mluOpSetTensorDescriptorEx
        strided.checked(desc, number, code, len(shape), dims, _integers(integer, strides))
    else:
        raise ArgumentValueError(f"{len(strides)} strides for {len(shape)} dimensions")


def _code(dtype: DataType) -> int:
    return dtype if isinstance(dtype, int) else to_mluop(dtype)


def _layout(name: str) -> int:
    number = LAYOUTS.get(name) if isinstance(name, str) else None
    if number is None:
        raise ArgumentValueError(f"no layout {name!r}; mlu-ops has {', '.join(LAYOUTS)}")
    return number


def _layout_name(layout: Layout) -> str:
    names = {int(number): name for name, number in LAYOUTS.items()}
    return layout if isinstance(layout, str) else names.get(int(layout), str(layout))


def _integers(integer: Any, values: Sequence[int]) -> Any:
    """Return a C array of `values`; ctypes itself would cut off their upper bits."""
    limit = _LIMITS[integer]
    for value in values:
        if type(value) is not int and not hasattr(value, "__index__"):
            raise ArgumentTypeError(f"dimensions and strides are integers, not {value!r}")
        if not -limit <= value < limit:
            raise ArgumentOverflowError(
                f"{value} does not fit the {integer.__name__} that this library takes"
            )
    return (integer * len(values))(*values)
