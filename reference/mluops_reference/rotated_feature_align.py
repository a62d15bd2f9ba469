"""Rotated feature alignment, backward."""

from __future__ import annotations

from typing import Any

import numpy as np

from .bilinear import corners, taps
from .numeric import all_finite, float32
from .scatter import add_in_order
from .tile_scatter import Samples, add_by_tiles

__all__ = ["rotated_feature_align_backward", "rotated_feature_align_backward_baseline"]

_PIXELS_AT_ONCE = 1 << 14
_ELEMENTS_AT_ONCE = 1 << 22


def rotated_feature_align_backward(
    top_output: np.ndarray,
    bboxes: np.ndarray,
    *,
    spatial_scale: float,
    points: int,
    coordinates: Any = np.float64,
) -> np.ndarray:
    """Spread each pixel's gradient over itself and over the bilinear corners of its box's sample points.

    Source: open-mmlab/mmcv common/cuda/rotated_feature_align_cuda_kernel.cuh:63-128. A box is (y, x, w, h,
    angle); after scaling, point 0 is the centre, points 1 to 4 are the box's corners, ::

        (x, y) +/- (w / 2) (cos, sin) +/- (h / 2) (-sin, cos)

    Parameters
    ----------
    top_output : ndarray, [batches, height, width, channels]
        Gradient of the output.
    bboxes : ndarray, [batches, height, width, 5]
        A box a pixel, in pixels of the image; the angle in radians.
    spatial_scale : float
        Map cells per image pixel. Rounded to float32.
    points : int
        1 or 5.
    coordinates : dtype
        float64; or float16 to compute the scaled box and its points in half, rounding after every operation
        as half kernels do (cos and sin are rounded once). Weights and sums are float64 in both cases.

    Returns
    -------
    ndarray, float64, [batches, height, width, channels]
        Gradient of the input. NaN and infinity follow the literal rule: they also reach the corners of
        weight 0.

    Raises
    ------
    ValueError
        `points` other than 1 or 5, or shapes that do not fit.
    """
    check_shapes("top_output", top_output, bboxes, points)
    channels = top_output.shape[3]
    with np.errstate(all="ignore"):
        bottom_input = top_output.astype(np.float64)
        source, target = top_output.reshape(-1, channels), bottom_input.reshape(-1, channels)
        finite = None if all_finite(source) else np.isfinite(source).all(axis=1)
        step = min(_PIXELS_AT_ONCE, max(1, _ELEMENTS_AT_ONCE // max(1, channels)))
        for start in range(0, len(source), step):
            pixels = np.arange(start, min(start + step, len(source)))
            samples = box_samples(bboxes, pixels, spatial_scale, points, np.dtype(coordinates), target.dtype)
            plain = np.isfinite(samples.weights).all(axis=0)
            if finite is not None:
                plain &= finite[samples.pixel]
            tiled, literal = samples.split(plain)
            add_by_tiles(source, tiled, top_output.shape[1:3], target)
            _add_literally(source, literal, target)
    return bottom_input


def rotated_feature_align_backward_baseline(
    top_output: np.ndarray,
    bboxes: np.ndarray,
    *,
    spatial_scale: float,
    points: int,
    coordinates: Any = np.float32,
) -> np.ndarray:
    """The same gradient as a correct device of the input's precision may compute it.

    Weights, products and sums are of `top_output`'s dtype and round after every operation; `coordinates` is
    the type of the box's points. Pixels are added in descending order, and last each one's own gradient.

    Returns
    -------
    ndarray, the input's dtype, [batches, height, width, channels]
    """
    check_shapes("top_output", top_output, bboxes, points)
    source = top_output.reshape(-1, top_output.shape[3])
    sums = np.zeros_like(source)
    with np.errstate(all="ignore"):
        pixels = np.arange(len(source))[::-1]
        samples = box_samples(bboxes, pixels, spatial_scale, points, np.dtype(coordinates), source.dtype)
        shares = samples.weights.T[:, :, None] * source[samples.pixel][:, None]
        add_in_order(sums, samples.cells.T.reshape(-1), shares.reshape(-1, source.shape[1]))
        sums += source
    return sums.reshape(top_output.shape)


def check_shapes(name: str, maps: np.ndarray, bboxes: np.ndarray, points: int) -> None:
    """Raise ValueError for arguments that do not fit; `name` is the parameter that `maps` came as."""
    if points not in (1, 5):
        raise ValueError(f"points must be 1 or 5, not {points}")
    if maps.ndim != 4:
        raise ValueError(f"{name} must be [batches, height, width, channels], not {maps.shape}")
    if bboxes.shape != (*maps.shape[:3], 5):
        raise ValueError(f"bboxes must be {(*maps.shape[:3], 5)}, not {bboxes.shape}")


def box_samples(
    bboxes: np.ndarray,
    pixels: np.ndarray,
    spatial_scale: float,
    points: int,
    coordinates: np.dtype,
    dtype: np.dtype,
) -> Samples:
    """Return the samples inside of the map at the points of some pixels' boxes, in pixel order.

    `coordinates` is the type of the points, `dtype` that of the weights.
    """
    _, height, width, _ = bboxes.shape
    y, x = _sample_points(bboxes.reshape(-1, 5)[pixels], spatial_scale, points, coordinates)
    rows, columns = taps(y.reshape(-1), height), taps(x.reshape(-1), width)
    at = corners(rows, columns, width, dtype)
    inside = np.flatnonzero(at.inside)
    pixel = inside // points
    cells = at.cells.take(inside, axis=1)
    cells += (pixels - pixels % (height * width))[pixel]
    return Samples(pixels[pixel], cells, at.weights.take(inside, axis=1))


def _sample_points(
    boxes: np.ndarray, spatial_scale: float, points: int, dtype: np.dtype
) -> tuple[np.ndarray, np.ndarray]:
    """The y and x of each box's sample points, [boxes, points], every operation rounded to `dtype`."""
    scale = np.float64(float32(spatial_scale)).astype(dtype)
    y, x, w, h = (boxes[:, field].astype(dtype) * scale for field in range(4))
    if points == 1:
        return y[:, None], x[:, None]
    angle = boxes[:, 4].astype(np.float64)
    cos, sin = np.cos(angle).astype(dtype), np.sin(angle).astype(dtype)
    half_w, half_h = w / dtype.type(2), h / dtype.type(2)
    w_x, w_y = cos * half_w, sin * half_w
    h_x, h_y = -sin * half_h, cos * half_h
    return (
        np.stack([y, y + w_y + h_y, y - w_y + h_y, y - w_y - h_y, y + w_y - h_y], axis=1),
        np.stack([x, x + w_x + h_x, x - w_x + h_x, x - w_x - h_x, x + w_x - h_x], axis=1),
    )


def _add_literally(source: np.ndarray, samples: Samples, target: np.ndarray) -> None:
    step = max(1, _ELEMENTS_AT_ONCE // max(1, source.shape[1]))
    for start in range(0, len(samples.pixel), step):
        part = samples.select(slice(start, start + step))
        values = source[part.pixel].astype(target.dtype)
        for cell, weight in zip(part.cells, part.weights):
            np.add.at(target, cell, weight[:, None] * values)
