"""mluOpMaskedIm2colForward: windows of a feature map copied to columns of a matrix, zeros beyond the map."""

from __future__ import annotations

import ctypes
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from mluops.dtypes import to_numpy

from mluops_emulator import checks
from mluops_emulator.checks import Check
from mluops_emulator.operators.arrays import transpose
from mluops_emulator.operators.tasks import even_shares

if TYPE_CHECKING:
    from mluops.constants import mluOpStatus_t

    from mluops_emulator.call import Call
    from mluops_emulator.device import DeviceModel
    from mluops_emulator.operators.arrays import Array, Bools, Ints

_DESCRIPTORS = ("feature_desc", "mask_h_idx_desc", "mask_w_idx_desc", "data_col_desc")

_SHAPES = (
    *checks.layout_is(checks.NCHW, "feature_desc"),
    *checks.rank_is(4, "feature_desc"),
    checks.dtype_in("feature_desc", checks.HALF, checks.FLOAT),
    *checks.same_dtype("feature_desc", "data_col_desc"),
    checks.dtype_in("mask_h_idx_desc", checks.INT32),
    checks.dtype_in("mask_w_idx_desc", checks.INT32),
    checks.dim_is("feature_desc", 0, 1),
    *checks.rank_is(1, "mask_h_idx_desc", "mask_w_idx_desc"),
    *checks.dims_equal("mask_h_idx_desc", (0,), "mask_w_idx_desc", (0,)),
    *checks.rank_is(2, "data_col_desc"),
    Check(
        "data_col_desc dims[0] must be channels * kernel_h * kernel_w",
        lambda call: (
            call["data_col_desc"].dims[0]
            == call["feature_desc"].dims[1] * call["kernel_h"] * call["kernel_w"]
        ),
    ),
    *checks.dims_equal("data_col_desc", (1,), "mask_h_idx_desc", (0,)),
    *checks.positive("kernel_h", "kernel_w"),
    *checks.contiguous(*_DESCRIPTORS),
    *checks.element_limit(*_DESCRIPTORS),
    *checks.no_zero_elements("feature_desc"),
    checks.done_unless("there are masks", lambda call: call["mask_h_idx_desc"].element_num != 0),
)

WORKSPACE_CHECKS = (*checks.not_null("handle", *_DESCRIPTORS, "workspace_size"), *_SHAPES)

CHECKS = (
    *checks.not_null("handle", *_DESCRIPTORS),
    *_SHAPES,
    checks.workspace_given(),
    *checks.not_null("feature", "mask_h_idx", "mask_w_idx", "data_col"),
)


def workspace_size(call: Call) -> mluOpStatus_t:
    """Bytes of the feature and of the columns; the emulated transpositions need none of their own."""
    status = checks.verdict(WORKSPACE_CHECKS, call)
    if status is not None:
        return status
    size = call["feature_desc"].nbytes + call["data_col_desc"].nbytes
    call.emulator.host.store(call["workspace_size"], ctypes.c_size_t, size, "workspace_size")
    return checks.SUCCESS


def forward(call: Call) -> mluOpStatus_t:
    return checks.launch(CHECKS, call, lambda: _run(call))


def _run(call: Call) -> None:
    feature, masks, data_col = call["feature_desc"], call["mask_h_idx_desc"], call["data_col_desc"]
    dtype = to_numpy(feature.dtype)
    kernel(
        call.array("feature", dtype, feature.dims),
        call.array("mask_h_idx", np.int32, masks.dims),
        call.array("mask_w_idx", np.int32, masks.dims),
        call.array("workspace", dtype, (feature.element_num + data_col.element_num,), write=True),
        call.array("data_col", dtype, data_col.dims, write=True),
        kernel_size=(call["kernel_h"], call["kernel_w"]),
        pad=(call["pad_h"], call["pad_w"]),
        device=call.device,
    )


ENTRY_POINTS = {
    "mluOpGetMaskedIm2colForwardWorkspaceSize": workspace_size,
    "mluOpMaskedIm2colForward": forward,
}


_MASKS_AT_ONCE = 1 << 8


class _Window(NamedTuple):
    """The window of each mask on one axis of the map, [masks, n] each."""

    cells: Ints
    positions: Ints  # of the cells in the window
    exists: Bools  # windows reach over the border by different lengths


def kernel(
    feature: Array,
    mask_h_idx: Ints,
    mask_w_idx: Ints,
    workspace: Array,
    data_col: Array,
    *,
    kernel_size: tuple[int, int],
    pad: tuple[int, int],
    device: DeviceModel,
) -> None:
    """Transpose the feature, fill with zeros, copy the windows, permute: a copy of bits, whatever the dtype.

    Parameters
    ----------
    feature : [1, channels, height, width]
    mask_h_idx, mask_w_idx : int32 [masks]
        Where each window starts on the padded map.
    workspace : [feature.size + data_col.size]
        The feature as [height, width, channels], then the columns as [masks, kernel_h*kernel_w, channels].
    data_col : [channels*kernel_h*kernel_w, masks]
        Written; rows by channel, then by kernel_h, then by kernel_w.
    """
    _, channels, height, width = feature.shape
    pixels = workspace[: feature.size].reshape(height * width, channels)
    columns = workspace[feature.size :].reshape(-1, channels)
    transpose_feature(feature, pixels)
    fill_zero(columns)
    every = np.arange(len(mask_h_idx))
    masks = np.concatenate([every[:0], *(every[share] for share in even_shares(len(every), device.cores))])
    for first in range(0, len(masks), _MASKS_AT_ONCE):
        own = masks[first : first + _MASKS_AT_ONCE]
        rows = _window(mask_h_idx[own], pad[0], kernel_size[0], height)
        cols = _window(mask_w_idx[own], pad[1], kernel_size[1], width)
        source = _grid(rows.cells, cols.cells, width)
        target = _grid(rows.positions, cols.positions, kernel_size[1])
        target += own[:, np.newaxis, np.newaxis] * prod(kernel_size)
        seen = rows.exists[:, :, np.newaxis] & cols.exists[:, np.newaxis, :]
        columns[target[seen]] = pixels[source[seen]]
    permute_columns(columns.reshape(len(mask_h_idx), -1, channels), data_col)


def transpose_feature(feature: Array, pixels: Array) -> None:
    """From channels first to channels last."""
    transpose(feature.reshape(feature.shape[1], -1), pixels)


def fill_zero(columns: Array) -> None:
    columns[:] = 0


def _window(index: Ints, pad: int, kernel_size: int, size: int) -> _Window:
    start = index.astype(np.int64)[:, np.newaxis] - pad
    first, last = first_valid(start), last_valid(start, kernel_size, size)
    number = last - first + 1
    step = np.arange(number.max(initial=0))
    return _Window(first + step, first + step - start, step < number)


def first_valid(start: Ints) -> Ints:
    """The first cell of each window that is on the map."""
    return np.maximum(start, 0)


def last_valid(start: Ints, kernel_size: int, size: int) -> Ints:
    """The last cell of each window that is on the map; before the first where none is."""
    return np.minimum(start + kernel_size - 1, size - 1)


def _grid(rows: Ints, columns: Ints, width: int) -> Ints:
    """Row-major indices of all rows by all columns, [masks, rows, columns]."""
    return rows[:, :, np.newaxis] * width + columns[:, np.newaxis, :]


def permute_columns(columns: Array, data_col: Array) -> None:
    """Axes 2, 1, 0: from [masks, positions, channels] to [channels, positions, masks]."""
    data_col.reshape(columns.shape[::-1])[:] = columns.transpose(2, 1, 0)
