"""Faults of mluOpMaskedIm2colForward."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from mluops_emulator.call import Call
from mluops_emulator.faults.alterations import (
    checked_last,
    given,
    given_scalar,
    instead,
    without,
    without_remainder,
)
from mluops_emulator.faults.common import LATE, outputs_late
from mluops_emulator.faults.fault import faults_of
from mluops_emulator.faults.process import abort
from mluops_emulator.operators import masked_im2col_forward as im2col

ROWS = "data_col_desc dims[0] must be channels * kernel_h * kernel_w"
WORKSPACE = "workspace must not be NULL when workspace_size is not 0"
KERNEL_SIZES = ("kernel_h must be positive", "kernel_w must be positive")
MASKS = "there are masks"
HANDLE = "handle must not be NULL"


def reversed_pair(pair: tuple[int, int]) -> tuple[int, int]:
    return pair[::-1]


def masks_swapped(feature: Any, h: Any, w: Any, workspace: Any, data_col: Any) -> tuple[Any, ...]:
    return feature, w, h, workspace, data_col


def one_larger(start: Any, kernel_size: int, size: int) -> Any:
    return np.minimum(start + kernel_size, size - 1)


def one_smaller(start: Any, kernel_size: int, size: int) -> Any:
    return np.minimum(start + kernel_size - 1, size - 2)


def past_first(start: Any) -> Any:
    return np.maximum(start, 1)


def in_16_bits(index: Any, pad: int, kernel_size: int, size: int) -> tuple[Any, ...]:
    return index.astype(np.int16), pad, kernel_size, size


def nothing(*_: Any) -> None:
    pass


def channel_last(columns: Any, data_col: Any) -> None:
    """Order rows by kernel position, then by channel."""
    masks, positions, channels = columns.shape
    data_col.reshape(positions, channels, masks)[:] = columns.transpose(1, 2, 0)


def by_column(feature: Any, pixels: Any) -> None:
    """Lay the pixels of the map out column by column."""
    pixels[:] = feature[0].transpose(2, 1, 0).reshape(pixels.shape)


def for_new_sizes(right: Callable[..., Any]) -> Any:
    """Do it for each size once."""
    known = set()

    def altered(columns: Any) -> None:
        if columns.shape not in known:
            known.add(columns.shape)
            right(columns)

    return altered


def flushing(right: Callable[..., Any]) -> Any:
    """Write 0 for denormals and for -0."""

    def altered(columns: Any, data_col: Any) -> None:
        right(columns, data_col)
        data_col[np.abs(data_col) < np.finfo(data_col.dtype).tiny] = 0

    return altered


FAULTS = faults_of(
    "masked_im2col_forward",
    ("pads-swapped", im2col, "kernel", given_scalar(pad=reversed_pair), "pad_h and pad_w are exchanged"),
    ("kernel-swapped", im2col, "kernel", given_scalar(kernel_size=reversed_pair), "kernel_h is kernel_w"),
    ("no-pad", im2col, "kernel", given_scalar(pad=lambda _: (0, 0)), "pads count as 0"),
    ("masks-swapped", im2col, "kernel", given(masks_swapped), "mask_h_idx and mask_w_idx are exchanged"),
    ("abort", im2col, "kernel", instead(abort), "the process aborts", True),
    ("window-too-large", im2col, "last_valid", instead(one_larger), "windows reach one cell too far"),
    ("last-cell-missed", im2col, "last_valid", instead(one_smaller), "windows never reach the last cell"),
    ("first-cell-missed", im2col, "first_valid", instead(past_first), "windows never reach the first cell"),
    ("16-bit-index", im2col, "_window", given(in_16_bits), "indices are read as 16-bit numbers"),
    ("row-order", im2col, "permute_columns", instead(channel_last), "rows are in the order (i, j, c)"),
    ("flush", im2col, "permute_columns", flushing, "denormals and -0 become 0"),
    ("map-transposed", im2col, "transpose_feature", instead(by_column), "the map is read column by column"),
    ("not-transposed", im2col, "transpose_feature", instead(nothing), "the workspace is read unfilled"),
    ("no-zeros", im2col, "fill_zero", instead(nothing), "columns keep what the workspace held"),
    ("zeros-once", im2col, "fill_zero", for_new_sizes, "columns are zeroed only when their size is new"),
    ("masks-left-over", im2col, "even_shares", instead(without_remainder), "masks left over are lost"),
    ("none-too-late", im2col, "CHECKS", checked_last(MASKS), "no masks need pointers all the same"),
    ("any-rows", im2col, "CHECKS", without(ROWS), "data_col may have any number of rows"),
    ("any-workspace", im2col, "CHECKS", without(WORKSPACE), "workspace may be NULL"),
    ("kernel-negative", im2col, "CHECKS", without(*KERNEL_SIZES), "kernel sizes may be negative"),
    ("query-unchecked", im2col, "WORKSPACE_CHECKS", without(HANDLE), "the workspace query takes any handle"),
    ("outputs-late", Call, "enqueue", outputs_late(im2col.ENTRY_POINTS), LATE),
)
