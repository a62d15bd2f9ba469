"""Rotated feature alignment, backward."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .bilinear import CORNERS, corners, taps
from .numeric import all_finite, float32, run_starts, widen
from .scatter import add_in_order

TILE_HEIGHT, TILE_WIDTH = 5, 5
"""Cells of the gradient that are gathered by one matrix product."""

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
    _check(top_output, bboxes, points)
    with np.errstate(all="ignore"):
        spread = _spread(bboxes, float32(spatial_scale), points, np.dtype(coordinates), np.dtype(np.float64))
        bottom_input = widen(top_output)
        source = top_output.reshape(len(spread.literal), -1)
        target = bottom_input.reshape(source.shape)
        literal = spread.literal if all_finite(source) else spread.literal | ~np.isfinite(source).all(axis=1)
        step = max(1, _ELEMENTS_AT_ONCE // max(1, source.shape[1]))
        regular = np.flatnonzero(~literal)
        for start in range(0, len(regular), step):
            _gather(source, spread, regular[start : start + step], top_output.shape[1:3], target)
        for pixel in np.flatnonzero(literal):
            inside = spread.inside[pixel]
            contributions = spread.weights[pixel, inside][:, None] * source[pixel].astype(np.float64)
            np.add.at(target, spread.cells[pixel, inside], contributions)
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
    the type of the box's points. Pixels are added in descending order, each before its own gradient.

    Returns
    -------
    ndarray, the input's dtype, [batches, height, width, channels]
    """
    _check(top_output, bboxes, points)
    with np.errstate(all="ignore"):
        spread = _spread(bboxes, float32(spatial_scale), points, np.dtype(coordinates), top_output.dtype)
        source = top_output.reshape(len(spread.literal), -1)[::-1]
        sums = np.zeros_like(source)
        for corner in range(spread.cells.shape[1]):
            inside = spread.inside[::-1, corner]
            contributions = spread.weights[::-1, corner][inside][:, None] * source[inside]
            add_in_order(sums, spread.cells[::-1, corner][inside], contributions)
        sums += source[::-1]
        return sums.reshape(top_output.shape)


class _Spread(NamedTuple):
    """Where each pixel's gradient goes: [pixels, points * corners] cells, row-major over all images, and
    weights.

    `literal` marks pixels with a weight that is not finite.
    """

    cells: np.ndarray
    weights: np.ndarray
    inside: np.ndarray
    literal: np.ndarray


def _check(top_output: np.ndarray, bboxes: np.ndarray, points: int) -> None:
    if points not in (1, 5):
        raise ValueError(f"points must be 1 or 5, not {points}")
    if top_output.ndim != 4:
        raise ValueError(f"top_output must be [batches, height, width, channels], not {top_output.shape}")
    if bboxes.shape != (*top_output.shape[:3], 5):
        raise ValueError(f"bboxes must be {(*top_output.shape[:3], 5)}, not {bboxes.shape}")


def _spread(
    bboxes: np.ndarray, spatial_scale: float, points: int, coordinates: np.dtype, dtype: np.dtype
) -> _Spread:
    batches, height, width, _ = bboxes.shape
    y, x = _sample_points(bboxes.reshape(-1, 5), spatial_scale, points, coordinates)
    at = corners(taps(y, height), taps(x, width), width, dtype)
    first_cell = np.repeat(np.arange(batches) * (height * width), height * width)
    cells = np.moveaxis(at.cells + first_cell[:, None], 0, 2).reshape(len(y), -1)
    weights = np.moveaxis(at.weights, 0, 2).reshape(len(y), -1)
    inside = np.repeat(at.inside, CORNERS, axis=1)
    return _Spread(cells, weights, inside, ~np.isfinite(weights).all(axis=1))


def _sample_points(
    bboxes: np.ndarray, spatial_scale: float, points: int, dtype: np.dtype
) -> tuple[np.ndarray, np.ndarray]:
    """The y and x of each box's sample points, [boxes, points], every operation rounded to `dtype`."""
    scale = np.float64(spatial_scale).astype(dtype)
    y, x, w, h = (bboxes[:, field].astype(dtype) * scale for field in range(4))
    if points == 1:
        return y[:, None], x[:, None]
    angle = bboxes[:, 4].astype(np.float64)
    cos, sin = np.cos(angle).astype(dtype), np.sin(angle).astype(dtype)
    half_w, half_h = w / dtype.type(2), h / dtype.type(2)
    w_x, w_y = cos * half_w, sin * half_w
    h_x, h_y = -sin * half_h, cos * half_h
    return (
        np.stack([y, y + w_y + h_y, y - w_y + h_y, y - w_y - h_y, y + w_y - h_y], axis=1),
        np.stack([x, x + w_x + h_x, x - w_x + h_x, x - w_x - h_x, x + w_x - h_x], axis=1),
    )


def _gather(
    source: np.ndarray, spread: _Spread, pixels: np.ndarray, map_size: tuple[int, int], target: np.ndarray
) -> None:
    """Add the spread gradients of some pixels, tile by tile of the target: a small dense matrix times rows
    of `source`.

    Entries of a tile are sorted by pixel, as `pixels` is, so that every pixel of a tile is one column of
    the matrix.
    """
    inside = spread.inside[pixels]
    cells = spread.cells[pixels][inside]
    weights = spread.weights[pixels][inside]
    pixels = np.repeat(pixels, inside.sum(axis=1))
    tile_of, place_of, corner_of = _tiles(len(target), map_size)
    tiles = tile_of[cells]
    order = np.argsort(
        tiles.astype(np.min_scalar_type(len(corner_of))), kind="stable"
    )  # radix, for few tiles
    tiles, pixels, weights, places = tiles[order], pixels[order], weights[order], place_of[cells[order]]

    starts = run_starts(tiles)
    column_starts = run_starts(tiles * np.int64(len(target)) + pixels)
    column_pixels = pixels[column_starts]
    first_columns = np.searchsorted(column_starts, np.append(starts, len(tiles)))
    columns = np.repeat(np.arange(len(column_starts)), np.diff(np.append(column_starts, len(tiles))))
    columns -= np.repeat(first_columns[:-1], np.diff(np.append(starts, len(tiles))))

    images = target.reshape(-1, *map_size, target.shape[1])
    corners_of_tiles = corner_of[tiles[starts]].tolist()
    bounds = np.append(starts, len(tiles)).tolist()
    for k, (image, top, left) in enumerate(corners_of_tiles):
        entries = slice(bounds[k], bounds[k + 1])
        rows = column_pixels[first_columns[k] : first_columns[k + 1]]
        index = places[entries] * len(rows) + columns[entries]
        kernel = np.bincount(index, weights[entries], TILE_HEIGHT * TILE_WIDTH * len(rows))
        gradient = kernel.reshape(-1, len(rows)) @ widen(source[rows])
        window = images[image, top : top + TILE_HEIGHT, left : left + TILE_WIDTH]
        height, width, channels = window.shape
        window += gradient.reshape(TILE_HEIGHT, TILE_WIDTH, channels)[:height, :width]


def _tiles(cells: int, map_size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tile of each cell, its place within the tile, and (image, top, left) of each tile."""
    height, width = map_size
    image, row, column = np.indices((cells // (height * width), height, width), sparse=True)
    down, across = -(-height // TILE_HEIGHT), -(-width // TILE_WIDTH)
    tile = (image * down + row // TILE_HEIGHT) * across + column // TILE_WIDTH
    place = np.broadcast_to(row % TILE_HEIGHT * TILE_WIDTH + column % TILE_WIDTH, tile.shape)
    corner = np.indices((len(image), down, across)).reshape(3, -1).T * (1, TILE_HEIGHT, TILE_WIDTH)
    return tile.reshape(-1), place.reshape(-1), corner
