"""The content of a tensor descriptor, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mluops.constants import mluOpDataType_t, mluOpPointerMode_t, mluOpTensorLayout_t

DTYPE_BYTES: dict[int, int] = {
    mluOpDataType_t.MLUOP_DTYPE_HALF: 2,
    mluOpDataType_t.MLUOP_DTYPE_FLOAT: 4,
    mluOpDataType_t.MLUOP_DTYPE_DOUBLE: 8,
    mluOpDataType_t.MLUOP_DTYPE_INT8: 1,
    mluOpDataType_t.MLUOP_DTYPE_INT16: 2,
    mluOpDataType_t.MLUOP_DTYPE_INT31: 4,
    mluOpDataType_t.MLUOP_DTYPE_INT32: 4,
    mluOpDataType_t.MLUOP_DTYPE_INT64: 8,
    mluOpDataType_t.MLUOP_DTYPE_UINT8: 1,
    mluOpDataType_t.MLUOP_DTYPE_UINT16: 2,
    mluOpDataType_t.MLUOP_DTYPE_UINT32: 4,
    mluOpDataType_t.MLUOP_DTYPE_UINT64: 8,
    mluOpDataType_t.MLUOP_DTYPE_BOOL: 1,
    mluOpDataType_t.MLUOP_DTYPE_COMPLEX_HALF: 4,
    mluOpDataType_t.MLUOP_DTYPE_COMPLEX_FLOAT: 8,
    mluOpDataType_t.MLUOP_DTYPE_BFLOAT16: 2,
}


@dataclass(frozen=True)
class Descriptor:
    """The content of a tensor descriptor.

    `layout` and `dtype` are the numbers given: the library stores unknown ones too, and each operator refuses
    what it does not know. `element_num` is 0 until dimensions are set.
    """

    layout: int = mluOpTensorLayout_t.MLUOP_LAYOUT_ARRAY
    dtype: int = mluOpDataType_t.MLUOP_DTYPE_FLOAT
    dims: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    element_num: int = 0
    pointer_mode: int = mluOpPointerMode_t.MLUOP_POINTER_MODE_DEVICE
    onchip_dtype: int = mluOpDataType_t.MLUOP_DTYPE_INVALID
    position: int = 0
    scale: float = 1.0
    offset: int = 0

    def but(self, **fields: Any) -> Descriptor:
        """Return a copy with other fields. `dataclasses.replace` takes many times as long."""
        assert fields.keys() <= vars(self).keys()
        copy = object.__new__(Descriptor)
        vars(copy).update(vars(self), **fields)
        return copy

    @property
    def rank(self) -> int:
        return len(self.dims)

    @property
    def nbytes(self) -> int:
        """Bytes of the elements, for contiguous strides; an unknown dtype counts as one byte an element."""
        return self.element_num * DTYPE_BYTES.get(self.dtype, 1)

    @property
    def is_contiguous(self) -> bool:
        """True if the strides are those of a dense tensor; strides of dimensions of size 1 do not matter."""
        if self.element_num == 0:
            return True
        dense = dense_strides(self.dims)
        return all(
            stride == expected for size, stride, expected in zip(self.dims, self.strides, dense) if size != 1
        )


FRESH = Descriptor()
"""The content of a new descriptor."""


def dense_strides(dims: tuple[int, ...]) -> tuple[int, ...]:
    """Strides, in elements, of a dense tensor with the last dimension innermost."""
    strides = [1]
    for size in dims[:0:-1]:
        strides.append(strides[-1] * size)
    return tuple(strides[::-1]) if dims else ()
