"""Faults of mluOpMaskedCol2imForward."""

from __future__ import annotations

from typing import Any

import numpy as np

from mluops_emulator.call import Call
from mluops_emulator.faults.alterations import given, instead, without, without_remainder
from mluops_emulator.faults.common import EARLY, inputs_early
from mluops_emulator.faults.fault import faults_of
from mluops_emulator.operators import masked_col2im_forward as col2im

WORKSPACE = "workspace must not be NULL when workspace_size is not 0"
LENGTHS = "mask_h_idx_desc dims[0] must be equal to mask_w_idx_desc dims[0]"
COLUMNS = "col_desc dims[1] must be equal to mask_h_idx_desc dims[0]"
CHANNELS = "col_desc dims[0] must be equal to im_desc dims[1]"
LAYOUT = "the layout of im_desc must be MLUOP_LAYOUT_NCHW"
BATCH = "im_desc dims[0] must be 1"
MASKS = "there are columns"


def masks_swapped(col: Any, h: Any, w: Any, workspace: Any, im: Any) -> tuple[Any, ...]:
    return col, w, h, workspace, im


def in_16_bits(rows: Any, columns: Any, width: int) -> Any:
    return (rows * width + columns).astype(np.uint16)


def nothing(*_: Any) -> None:
    pass


def as_stored(col: Any, columns: Any) -> None:
    columns[:] = col.reshape(columns.shape)


def channels_last(pixels: Any, im: Any) -> None:
    im.reshape(pixels.shape)[:] = pixels


def flushing(right: Any) -> Any:
    """Write 0 for denormals and for -0."""

    def altered(pixels: Any, im: Any) -> None:
        right(pixels, im)
        im[np.abs(im) < np.finfo(im.dtype).tiny] = 0

    return altered


def last_channel_lost(right: Any) -> Any:
    def altered(pixels: Any, im: Any) -> None:
        right(pixels, im)
        im[:, -1] = 0

    return altered


def one_left_over(right: Any) -> Any:
    """Take the last column for none where columns are copied one by one."""

    def altered(columns: int, channels: int, device: Any, itemsize: int) -> Any:
        if channels > col2im.on_chip_elements(device, itemsize):
            return right(columns - 1, channels, device, itemsize)
        return right(columns, channels, device, itemsize)

    return altered


FAULTS = faults_of(
    "masked_col2im_forward",
    ("masks-swapped", col2im, "kernel", given(masks_swapped), "mask_h_idx and mask_w_idx are exchanged"),
    ("16-bit-position", col2im, "position", instead(in_16_bits), "positions are 16-bit numbers"),
    ("no-zeros", col2im, "fill_zero", instead(nothing), "the map keeps what the workspace held"),
    ("not-transposed", col2im, "transpose_columns", instead(as_stored), "col is read column by column"),
    ("columns-unread", col2im, "transpose_columns", instead(nothing), "the workspace is read unfilled"),
    ("not-transposed-back", col2im, "transpose_back", instead(channels_last), "im is written channels last"),
    ("flush", col2im, "transpose_back", flushing, "denormals and -0 become 0"),
    ("last-channel", col2im, "transpose_back", last_channel_lost, "the last channel is lost"),
    ("columns-left-over", col2im, "even_shares", instead(without_remainder), "columns left over are lost"),
    ("last-of-large", col2im, "shares", one_left_over, "the last column is lost where one fills the chip"),
    ("no-columns-refused", col2im, "is_without_columns", instead(lambda _: False), "K = 0 needs pointers"),
    ("none-too-late", col2im, "WORKSPACE_CHECKS", without(MASKS), "the query answers without columns"),
    ("any-length", col2im, "SHAPE_CHECKS", without(LENGTHS), "masks may be of different lengths"),
    ("any-columns", col2im, "SHAPE_CHECKS", without(COLUMNS), "col may have any number of columns"),
    ("any-channels", col2im, "SHAPE_CHECKS", without(CHANNELS), "col and im may differ in channels"),
    ("any-layout", col2im, "SHAPE_CHECKS", without(LAYOUT), "im may have any layout"),
    ("any-batch", col2im, "SHAPE_CHECKS", without(BATCH), "im may have several images"),
    ("any-workspace", col2im, "POINTER_CHECKS", without(WORKSPACE), "workspace may be NULL"),
    (
        "query-unchecked",
        col2im,
        "WORKSPACE_CHECKS",
        without("handle must not be NULL"),
        "the query takes any handle",
    ),
    ("inputs-early", Call, "enqueue", inputs_early(col2im.ENTRY_POINTS), EARLY),
)
