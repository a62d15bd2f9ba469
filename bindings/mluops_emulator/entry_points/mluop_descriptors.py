"""mluOp: tensor descriptors, one by one and in groups."""

from __future__ import annotations

from ctypes import c_float, c_int, c_int64, c_void_p
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any, Callable, Optional

from mluops.constants import mluOpPointerMode_t, mluOpStatus_t

from mluops_emulator.descriptors import FRESH, Descriptor, dense_strides
from mluops_emulator.discovery import by_name
from mluops_emulator.objects import TensorDescriptor
from mluops_emulator.violations import Kind, Misuse, Refused

if TYPE_CHECKING:
    from mluops_emulator.emulator import Emulator

Address = Optional[int]

MAX_ELEMENTS = 2**63 - 1
INT32_MAX = 2**31 - 1


def mluOpCreateTensorDescriptor(emulator: Emulator, desc: Address) -> None:
    emulator.host.checked(desc, "desc")
    address = emulator.objects.create(TensorDescriptor(), emulator.inventory.number())
    emulator.host.store(desc, c_void_p, address, "desc")


def mluOpDestroyTensorDescriptor(emulator: Emulator, desc: Address) -> None:
    """Destroy a descriptor, unless a call that was given it still waits in a queue."""
    emulator.objects.get(desc, TensorDescriptor, "desc")
    for queue, work in emulator.scheduler.pending():
        if desc in work.descriptors:
            record = emulator.objects.record(desc)
            text = (
                f"{record} was given to {work.name}, called at {work.site}, which still waits on {queue.name}"
            )
            raise Misuse(Kind.RELEASED_WHILE_QUEUED, f"{text}; synchronise before destroying it.")
    emulator.objects.destroy(desc, TensorDescriptor, "desc")


def mluOpResetTensorDescriptor(emulator: Emulator, desc: Address) -> None:
    _object(emulator, desc).value = FRESH


def _set(
    emulator: Emulator, desc: Address, layout: int, dtype: int, rank: int, sizes: Address, integer: Any
) -> None:
    found = _object(emulator, desc)
    _require_numbers(layout, dtype)
    dims = _dims(emulator, found.value, rank, sizes, integer)
    found.value = _shaped(found.value, dims, dense_strides(dims), layout=layout, dtype=dtype)


def _set_ex(
    emulator: Emulator,
    desc: Address,
    layout: int,
    dtype: int,
    rank: int,
    sizes: Address,
    steps: Address,
    integer: Any,
) -> None:
    found = _object(emulator, desc)
    _require_numbers(layout, dtype)
    dims = _dims(emulator, found.value, rank, sizes, integer)
    strides = emulator.host.load_array(steps, integer, rank, "dimStride")
    found.value = _shaped(found.value, dims, strides, layout=layout, dtype=dtype)


def _set_dim(emulator: Emulator, desc: Address, rank: int, sizes: Address, integer: Any) -> None:
    found = _object(emulator, desc)
    dims = _dims(emulator, found.value, rank, sizes, integer)
    found.value = _shaped(found.value, dims, dense_strides(dims))


def _get(
    emulator: Emulator,
    desc: Address,
    layout: Address,
    dtype: Address,
    rank: Address,
    sizes: Address,
    integer: Any,
) -> None:
    value = _object(emulator, desc).value
    _require_fits(value.dims, integer, "dims")
    emulator.host.store(layout, c_int, value.layout, "layout")
    emulator.host.store(dtype, c_int, value.dtype, "dtype")
    emulator.host.store(rank, c_int, value.rank, "dimNb")
    emulator.host.store_array(sizes, integer, value.dims, "dimSize")


def _get_ex(
    emulator: Emulator,
    desc: Address,
    layout: Address,
    dtype: Address,
    rank: Address,
    sizes: Address,
    steps: Address,
    integer: Any,
) -> None:
    value = _object(emulator, desc).value
    _require_fits(value.strides, integer, "strides")
    _get(emulator, desc, layout, dtype, rank, sizes, integer)
    emulator.host.store_array(steps, integer, value.strides, "dimStride")


def mluOpGetTensorElementNum(emulator: Emulator, desc: Address) -> int:
    return _object(emulator, desc).value.element_num


def mluOpSetTensorDescriptorPointerMode(emulator: Emulator, desc: Address, pointer_mode: int) -> None:
    if pointer_mode not in list(mluOpPointerMode_t):
        raise Refused(f"`pointer_mode` {pointer_mode} is no mluOpPointerMode_t.")
    _update(emulator, desc, pointer_mode=pointer_mode)


def mluOpGetTensorDescriptorPointerMode(emulator: Emulator, desc: Address, pointer_mode: Address) -> None:
    emulator.host.store(pointer_mode, c_int, _object(emulator, desc).value.pointer_mode, "pointer_mode")


def mluOpSetTensorDescriptorOnchipDataType(emulator: Emulator, desc: Address, onchip_dtype: int) -> None:
    _require_numbers(0, onchip_dtype)
    _update(emulator, desc, onchip_dtype=onchip_dtype)


def mluOpGetTensorDescriptorOnchipDataType(emulator: Emulator, desc: Address, onchip_dtype: Address) -> None:
    emulator.host.store(onchip_dtype, c_int, _object(emulator, desc).value.onchip_dtype, "onchip_dtype")


def mluOpSetTensorDescriptorPosition(emulator: Emulator, desc: Address, position: int) -> None:
    _update(emulator, desc, position=position)


def mluOpSetTensorDescriptorPositionAndScale(
    emulator: Emulator, desc: Address, position: int, scale: float
) -> None:
    _update(emulator, desc, position=position, scale=scale)


def mluOpSetTensorDescriptorPositionScaleAndOffset(
    emulator: Emulator, desc: Address, position: int, scale: float, offset: int
) -> None:
    _update(emulator, desc, position=position, scale=scale, offset=offset)


def mluOpGetTensorDescriptorPosition(emulator: Emulator, desc: Address, position: Address) -> None:
    emulator.host.store(position, c_int, _object(emulator, desc).value.position, "position")


def mluOpGetTensorDescriptorPositionAndScale(
    emulator: Emulator, desc: Address, position: Address, scale: Address
) -> None:
    mluOpGetTensorDescriptorPosition(emulator, desc, position)
    emulator.host.store(scale, c_float, _object(emulator, desc).value.scale, "scale")


def mluOpGetTensorDescriptorPositionScaleAndOffset(
    emulator: Emulator, desc: Address, position: Address, scale: Address, offset: Address
) -> None:
    mluOpGetTensorDescriptorPositionAndScale(emulator, desc, position, scale)
    emulator.host.store(offset, c_int, _object(emulator, desc).value.offset, "offset")


def mluOpCreateGroupTensorDescriptors(emulator: Emulator, group_desc: Address, desc_num: int) -> None:
    for variable in _group(emulator, group_desc, desc_num):
        mluOpCreateTensorDescriptor(emulator, variable)


def mluOpSetGroupTensorDescriptors(
    emulator: Emulator,
    group_desc: Address,
    group_layout: Address,
    group_dtype: Address,
    group_dimNb: Address,
    group_dimSize: Address,
    desc_num: int,
) -> None:
    """Set descriptors one behind the other; their dimensions follow each other in `group_dimSize`."""
    load = emulator.host.load_array
    variables = _group(emulator, group_desc, desc_num)
    layouts = load(group_layout, c_int, desc_num, "group_layout")
    dtypes = load(group_dtype, c_int, desc_num, "group_dtype")
    ranks = load(group_dimNb, c_int, desc_num, "group_dimNb")
    sizes = group_dimSize
    for variable, layout, dtype, rank in zip(variables, layouts, dtypes, ranks):
        desc = emulator.host.load(variable, c_void_p, "group_desc")
        _set(emulator, desc, layout, dtype, rank, sizes, c_int)
        sizes = sizes + rank * 4 if sizes else None


def mluOpDestroyGroupTensorDescriptors(emulator: Emulator, group_desc: Address, desc_num: int) -> None:
    for variable in _group(emulator, group_desc, desc_num):
        mluOpDestroyTensorDescriptor(emulator, emulator.host.load(variable, c_void_p, "group_desc"))


def _object(emulator: Emulator, desc: Address) -> TensorDescriptor:
    return emulator.objects.get(desc, TensorDescriptor, "desc")


def _update(emulator: Emulator, desc: Address, **fields: Any) -> None:
    found = _object(emulator, desc)
    found.value = found.value.but(**fields)


def _require_numbers(layout: int, dtype: int) -> None:
    """Unknown numbers are stored: only the operator that gets them knows what it takes."""
    if layout < 0 or dtype < 0:
        raise Refused(f"layout {layout} and dtype {dtype} must not be negative.")


def _dims(emulator: Emulator, value: Descriptor, rank: int, sizes: Address, integer: Any) -> tuple[int, ...]:
    if rank == 0 and value.pointer_mode == mluOpPointerMode_t.MLUOP_POINTER_MODE_HOST:
        return ()
    if rank <= 0:
        raise Refused(f"`dimNb` is {rank}; 0 is for the host pointer mode only.")
    return emulator.host.load_array(sizes, integer, rank, "dimSize")


def _shaped(value: Descriptor, dims: tuple[int, ...], strides: tuple[int, ...], **others: int) -> Descriptor:
    """`value` with dimensions, and with other fields; no dimensions at all make a scalar of one element."""
    elements = prod(dims)
    if abs(elements) > MAX_ELEMENTS:
        raise Refused(
            f"{dims} are more elements than an int64 counts.", mluOpStatus_t.MLUOP_STATUS_NOT_SUPPORTED
        )
    return value.but(dims=dims, strides=strides, element_num=elements, **others)


def _require_fits(numbers: tuple[int, ...], integer: Any, what: str) -> None:
    if integer is c_int and any(abs(number) > INT32_MAX for number in numbers):
        raise Refused(f"the {what} {numbers} need the _v2 form of this function.")


def _group(emulator: Emulator, group_desc: Address, desc_num: int) -> tuple[Address, ...]:
    if desc_num <= 0:
        raise Refused(f"`desc_num` is {desc_num}.")
    return emulator.host.load_array(group_desc, c_void_p, desc_num, "group_desc")


def _both_widths(name: str, function: Callable[..., None]) -> dict[str, Callable[..., None]]:
    return {
        name: partial(function, integer=c_int),
        f"{name}_v2": partial(function, integer=c_int64),
    }


ENTRY_POINTS = {
    **_both_widths("mluOpSetTensorDescriptor", _set),
    **_both_widths("mluOpSetTensorDescriptorEx", _set_ex),
    **_both_widths("mluOpSetTensorDescriptorDim", _set_dim),
    **_both_widths("mluOpGetTensorDescriptor", _get),
    **_both_widths("mluOpGetTensorDescriptorEx", _get_ex),
    **by_name(
        mluOpCreateTensorDescriptor,
        mluOpDestroyTensorDescriptor,
        mluOpResetTensorDescriptor,
        mluOpGetTensorElementNum,
        mluOpSetTensorDescriptorPointerMode,
        mluOpGetTensorDescriptorPointerMode,
        mluOpSetTensorDescriptorOnchipDataType,
        mluOpGetTensorDescriptorOnchipDataType,
        mluOpSetTensorDescriptorPosition,
        mluOpSetTensorDescriptorPositionAndScale,
        mluOpSetTensorDescriptorPositionScaleAndOffset,
        mluOpGetTensorDescriptorPosition,
        mluOpGetTensorDescriptorPositionAndScale,
        mluOpGetTensorDescriptorPositionScaleAndOffset,
        mluOpCreateGroupTensorDescriptors,
        mluOpSetGroupTensorDescriptors,
        mluOpDestroyGroupTensorDescriptors,
    ),
}
