"""Rotated feature alignment, forward."""

from __future__ import annotations

from typing import Any

import numpy as np

from .numeric import all_finite
from .rotated_feature_align import box_samples, check_shapes
from .tile_scatter import Samples, gather_by_tiles

__all__ = ["rotated_feature_align_forward", "rotated_feature_align_forward_baseline"]

_PIXELS_AT_ONCE = 1 << 14
_ELEMENTS_AT_ONCE = 1 << 22


def rotated_feature_align_forward(
    input: np.ndarray,
    bboxes: np.ndarray,
    *,
    spatial_scale: float,
    points: int,
    coordinates: Any = np.float64,
) -> np.ndarray:
    """Add to each pixel the bilinear samples at the points of its box.

    Source: open-mmlab/mmcv common/cuda/rotated_feature_align_cuda_kernel.cuh:14-62. The points of a box are
    those of `rotated_feature_align_backward`; a point outside the map adds nothing, and nothing is averaged.

    Parameters
    ----------
    input : ndarray, [batches, height, width, channels]
    bboxes : ndarray, [batches, height, width, 5]
        A box a pixel, (y, x, w, h, angle), in pixels of the image; the angle in radians.
    spatial_scale : float
        Map cells per image pixel. Rounded to float32.
    points : int
        1 (the centre) or 5 (the centre and the corners).
    coordinates : dtype
        float64; or float16 to compute the scaled box and its points in half, rounding after every operation
        as half kernels do (cos and sin are rounded once). Weights and sums are float64 in both cases.

    Returns
    -------
    ndarray, float64, [batches, height, width, channels]
        NaN and infinity follow the literal rule: a sample multiplies each of its four cells by its weight,
        also by a weight of 0.

    Raises
    ------
    ValueError
        `points` other than 1 or 5, or shapes that do not fit.
    """
    check_shapes("input", input, bboxes, points)
    channels = input.shape[3]
    with np.errstate(all="ignore"):
        output = input.astype(np.float64)
        source, target = input.reshape(-1, channels), output.reshape(-1, channels)
        finite = None if all_finite(source) else np.isfinite(source).all(axis=1)
        maps = input if finite is None else _without_specials(input)
        step = min(_PIXELS_AT_ONCE, max(1, _ELEMENTS_AT_ONCE // max(1, channels)))
        for start in range(0, len(source), step):
            pixels = np.arange(start, min(start + step, len(source)))
            samples = box_samples(bboxes, pixels, spatial_scale, points, np.dtype(coordinates), target.dtype)
            plain = np.isfinite(samples.weights).all(axis=0)
            if finite is not None:
                plain &= finite[samples.cells].all(axis=0)
            tiled, literal = samples.split(plain)
            gather_by_tiles(maps, tiled, target)
            _add_literally(source, literal, target)
    return output


def rotated_feature_align_forward_baseline(
    input: np.ndarray,
    bboxes: np.ndarray,
    *,
    spatial_scale: float,
    points: int,
    coordinates: Any = np.float32,
) -> np.ndarray:
    """Return the same sums as a correct device of the input's precision may compute them.

    Weights, products and sums are of the input's dtype and round after every operation; `coordinates` is the
    type of the box's points. The four products of a sample are summed first; samples follow in ascending
    order, and the pixel's own value comes last.

    Returns
    -------
    ndarray, the input's dtype, [batches, height, width, channels]
    """
    check_shapes("input", input, bboxes, points)
    source = input.reshape(-1, input.shape[3])
    sums = np.zeros_like(source)
    with np.errstate(all="ignore"):
        samples = box_samples(
            bboxes, np.arange(len(source)), spatial_scale, points, np.dtype(coordinates), source.dtype
        )
        values = np.zeros((len(samples.pixel), source.shape[1]), source.dtype)
        for cell, weight in zip(samples.cells, samples.weights):
            values += weight[:, None] * source[cell]
        _add_samples(sums, samples.pixel, values)
        sums += source
    return sums.reshape(input.shape)


def _add_samples(sums: np.ndarray, pixels: np.ndarray, samples: np.ndarray) -> None:
    """Add each pixel's samples in their order; `pixels` is ascending."""
    firsts = np.searchsorted(pixels, pixels)
    turn = np.arange(len(pixels)) - firsts
    for k in range(turn.max(initial=-1) + 1):
        now = turn == k
        sums[pixels[now]] += samples[now]


def _without_specials(input: np.ndarray) -> np.ndarray:
    """Return the map with 0 for NaN and infinity, whose entries are added literally."""
    return np.where(np.isfinite(input), input, input.dtype.type(0))


def _add_literally(source: np.ndarray, samples: Samples, target: np.ndarray) -> None:
    step = max(1, _ELEMENTS_AT_ONCE // max(1, source.shape[1]))
    for start in range(0, len(samples.pixel), step):
        part = samples.select(slice(start, start + step))
        for cell, weight in zip(part.cells, part.weights):
            np.add.at(target, part.pixel, weight[:, None] * source[cell].astype(target.dtype))
