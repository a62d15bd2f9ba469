"""Masked col2im, forward."""

from __future__ import annotations

from typing import Sequence

import numpy as np

__all__ = ["masked_col2im_forward"]

_CHANNELS_AT_ONCE = 128  # their columns and maps stay in the cache


def masked_col2im_forward(
    col: np.ndarray, mask_h_idx: np.ndarray, mask_w_idx: np.ndarray, *, im_shape: Sequence[int]
) -> np.ndarray:
    """Copy each column to its masked position of a map that is +0 elsewhere.

    Source: open-mmlab/mmcv common/cuda/masked_conv2d_cuda_kernel.cuh:50-66 ::

        im[0, c, mask_h_idx[k], mask_w_idx[k]] = col[c, k]

    Parameters
    ----------
    col : ndarray, [channels, mask_cnt]
        Of any dtype: elements are copied bit by bit.
    mask_h_idx, mask_w_idx : integer ndarray, [mask_cnt]
        Positions within the map. Where a position repeats, the last column stays.
    im_shape : (1, channels, height, width)

    Returns
    -------
    ndarray, the dtype of `col`, [1, channels, height, width]

    Raises
    ------
    ValueError
        A position outside the map, or shapes that do not fit.
    """
    _check(col, mask_h_idx, mask_w_idx, im_shape)
    _, channels, height, width = im_shape
    rows, columns = mask_h_idx.astype(np.int64), mask_w_idx.astype(np.int64)
    outside = np.flatnonzero((rows < 0) | (rows >= height) | (columns < 0) | (columns >= width))
    if outside.size:
        k = int(outside[0])
        raise ValueError(
            f"mask position {k} is ({rows[k]}, {columns[k]}), outside the map of {height} x {width}"
        )
    cells = rows * width + columns
    im = np.empty((channels, height * width), col.dtype)
    for start in range(0, channels, _CHANNELS_AT_ONCE):
        part = slice(start, start + _CHANNELS_AT_ONCE)
        im[part] = 0
        im[part, cells] = col[part]  # of a cell that repeats the last value stays
    return im.reshape(1, channels, height, width)


def _check(col: np.ndarray, mask_h_idx: np.ndarray, mask_w_idx: np.ndarray, im_shape: Sequence[int]) -> None:
    if mask_h_idx.ndim != 1 or mask_h_idx.shape != mask_w_idx.shape:
        raise ValueError(f"mask indices must be of one length, not {mask_h_idx.shape} and {mask_w_idx.shape}")
    if len(im_shape) != 4 or im_shape[0] != 1:
        raise ValueError(f"im_shape must be (1, channels, height, width), not {tuple(im_shape)}")
    if col.shape != (im_shape[1], len(mask_h_idx)):
        raise ValueError(f"col must be {(im_shape[1], len(mask_h_idx))}, not {col.shape}")
