"""Masked im2col, forward."""

from __future__ import annotations

import numpy as np

__all__ = ["masked_im2col_forward"]

_ELEMENTS_AT_ONCE = 1 << 22


def masked_im2col_forward(
    feature: np.ndarray,
    mask_h_idx: np.ndarray,
    mask_w_idx: np.ndarray,
    *,
    kernel_h: int,
    kernel_w: int,
    pad_h: int,
    pad_w: int,
) -> np.ndarray:
    """Copy the kernel window of each masked position into a column.

    Source: open-mmlab/mmcv common/cuda/masked_conv2d_cuda_kernel.cuh:11-48 ::

        data_col[(c * kernel_h + i) * kernel_w + j, m] = feature[0, c, h[m] - pad_h + i, w[m] - pad_w + j]

    and +0 where that is outside the map.

    Parameters
    ----------
    feature : ndarray, [1, channels, height, width]
        Of any dtype: elements are copied bit by bit.
    mask_h_idx, mask_w_idx : integer ndarray, [mask_cnt]
        Output positions; any value, also negative.
    kernel_h, kernel_w, pad_h, pad_w : int
        Pads may be negative.

    Returns
    -------
    ndarray, the feature's dtype, [channels * kernel_h * kernel_w, mask_cnt]

    Raises
    ------
    ValueError
        Shapes that do not fit.
    """
    if feature.ndim != 4 or len(feature) != 1:
        raise ValueError(f"feature must be [1, channels, height, width], not {feature.shape}")
    if mask_h_idx.ndim != 1 or mask_h_idx.shape != mask_w_idx.shape:
        raise ValueError(f"mask indices must be of one length, not {mask_h_idx.shape} and {mask_w_idx.shape}")
    _, channels, height, width = feature.shape
    outside = height * width
    rows = mask_h_idx.astype(np.int64) - pad_h + np.arange(kernel_h)[:, None]
    columns = mask_w_idx.astype(np.int64) - pad_w + np.arange(kernel_w)[:, None]
    rows = np.where((rows >= 0) & (rows < height), rows * width, outside)[:, None]
    columns = np.where((columns >= 0) & (columns < width), columns, outside)
    index = np.minimum(rows + columns, outside).reshape(-1)

    output = np.empty((channels, len(index)), feature.dtype)
    step = max(1, _ELEMENTS_AT_ONCE // max(1, len(index), outside))
    for start in range(0, channels, step):
        part = slice(start, start + step)
        padded = np.zeros((len(output[part]), outside + 1), feature.dtype)
        padded[:, :outside] = feature[0, part].reshape(-1, outside)
        np.take(padded, index, axis=1, out=output[part], mode="clip")
    return output.reshape(channels * kernel_h * kernel_w, -1)
