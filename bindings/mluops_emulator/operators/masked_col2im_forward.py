"""mluOpMaskedCol2imForward: the columns of a matrix copied to masked positions of a map of zeros."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np
from mluops.dtypes import to_numpy

from mluops_emulator import checks
from mluops_emulator.operators.access import require_within
from mluops_emulator.operators.arrays import transpose
from mluops_emulator.operators.tasks import even_shares, strided_tasks

if TYPE_CHECKING:
    from mluops.constants import mluOpStatus_t

    from mluops_emulator.call import Call
    from mluops_emulator.device import DeviceModel
    from mluops_emulator.operators.arrays import Array, Ints

_DESCRIPTORS = ("col_desc", "mask_h_idx_desc", "mask_w_idx_desc", "im_desc")

_SHAPES = (
    *checks.not_null(*_DESCRIPTORS),
    *checks.rank_is(2, "col_desc"),
    *checks.rank_is(4, "im_desc"),
    *checks.rank_is(1, "mask_h_idx_desc", "mask_w_idx_desc"),
    *checks.layout_is(checks.NCHW, "im_desc"),
    checks.dtype_in("col_desc", checks.HALF, checks.FLOAT),
    *checks.same_dtype("col_desc", "im_desc"),
    checks.dtype_in("mask_h_idx_desc", checks.INT32),
    checks.dtype_in("mask_w_idx_desc", checks.INT32),
    checks.dim_is("im_desc", 0, 1),
    *checks.dims_equal("mask_h_idx_desc", (0,), "mask_w_idx_desc", (0,)),
    *checks.dims_equal("col_desc", (1,), "mask_h_idx_desc", (0,)),
    *checks.dims_equal("col_desc", (0,), "im_desc", (1,)),
    *checks.contiguous(*_DESCRIPTORS),
    *checks.element_limit("col_desc", "mask_h_idx_desc", "im_desc"),
    *checks.no_zero_elements("im_desc"),
)

WORKSPACE_CHECKS = (
    *checks.not_null("handle", "workspace_size"),
    *_SHAPES,
    checks.done_unless("there are columns", lambda call: _columns(call) != 0),
)

SHAPE_CHECKS = (*checks.not_null("handle"), *_SHAPES)

POINTER_CHECKS = (
    checks.workspace_given(),
    *checks.not_null("col", "mask_h_idx", "mask_w_idx", "im"),
)


def workspace_size(call: Call) -> mluOpStatus_t:
    """Answer the bytes of `col` and of `im`; the emulated transpositions need none of their own."""
    status = checks.verdict(WORKSPACE_CHECKS, call)
    if status is not None:
        return status
    size = call["col_desc"].nbytes + call["im_desc"].nbytes
    call.emulator.host.store(call["workspace_size"], ctypes.c_size_t, size, "workspace_size")
    return checks.SUCCESS


def forward(call: Call) -> mluOpStatus_t:
    """Scatter the columns. Without columns the map is filled with zeros, and no pointer is checked."""
    status = checks.verdict(SHAPE_CHECKS, call)
    if status is not None:
        return status
    if is_without_columns(_columns(call)):
        return checks.launch((), call, lambda: fill_zero(_image(call)))
    return checks.launch(POINTER_CHECKS, call, lambda: _run(call))


def is_without_columns(columns: int) -> bool:
    return columns == 0


def _columns(call: Call) -> int:
    columns: int = call["mask_h_idx_desc"].element_num
    return columns


def _image(call: Call) -> Array:
    im = call["im_desc"]
    return call.array("im", to_numpy(im.dtype), im.dims, write=True)


def _run(call: Call) -> None:
    col, masks = call["col_desc"], call["mask_h_idx_desc"]
    dtype, image = to_numpy(col.dtype), _image(call)
    kernel(
        call.array("col", dtype, col.dims),
        call.array("mask_h_idx", np.int32, masks.dims),
        call.array("mask_w_idx", np.int32, masks.dims),
        call.array("workspace", dtype, (col.element_num + image.size,), write=True),
        image,
        device=call.device,
    )


ENTRY_POINTS = {
    "mluOpGetMaskedCol2imForwardWorkspaceSize": workspace_size,
    "mluOpMaskedCol2imForward": forward,
}


def kernel(
    col: Array,
    mask_h_idx: Ints,
    mask_w_idx: Ints,
    workspace: Array,
    im: Array,
    *,
    device: DeviceModel,
) -> None:
    """Fill with zeros, transpose, copy the columns, transpose back: a copy of bits, whatever the dtype.

    Parameters
    ----------
    col : [channels, columns]
    mask_h_idx, mask_w_idx : int32 [columns]
        Positions within the map. Of columns for one position, any may stay.
    workspace : [col.size + im.size]
        The columns as [columns, channels], then the map as [height * width, channels].
    im : [1, channels, height, width]
        Written.
    """
    _, channels, height, width = im.shape
    columns = workspace[: col.size].reshape(-1, channels)
    pixels = workspace[col.size :].reshape(height * width, channels)
    fill_zero(pixels)
    transpose_columns(col, columns)
    require_within(mask_h_idx, height, "an index of mask_h_idx", "rows of im")
    require_within(mask_w_idx, width, "an index of mask_w_idx", "columns of im")
    for share in shares(len(columns), channels, device, col.itemsize):
        pixels[position(mask_h_idx[share], mask_w_idx[share], width)] = columns[share]
    transpose_back(pixels, im)


def shares(columns: int, channels: int, device: DeviceModel, itemsize: int) -> list[slice] | list[Ints]:
    """Return each core's columns: a run of neighbours, or every so many where one column fills the chip."""
    if channels > on_chip_elements(device, itemsize):
        return [strided_tasks(columns, core, device.cores) for core in range(device.cores)]
    return even_shares(columns, device.cores)


def on_chip_elements(device: DeviceModel, itemsize: int) -> int:
    """Return how many elements fit on chip."""
    return device.usable_nram_bytes // itemsize


def fill_zero(memory: Array) -> None:
    memory[...] = 0


def transpose_columns(col: Array, columns: Array) -> None:
    """Copy from channels first to channels last."""
    transpose(col, columns)


def position(rows: Ints, columns: Ints, width: int) -> Ints:
    """Return the row-major positions of pixels."""
    return rows.astype(np.int64) * width + columns


def transpose_back(pixels: Array, im: Array) -> None:
    """Copy from channels last to channels first."""
    transpose(pixels, im.reshape(im.shape[1], -1))
