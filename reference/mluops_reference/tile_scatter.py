"""Bilinear samples between pixels and the cells of maps, applied as matrix products over small tiles.

A tile has samples of few pixels: their weights are a small dense matrix, [cells of the tile, pixels]. Its
product with the pixels' rows scatters them to the cells, that of its transpose with the cells gathers them.
Rows and weights must be finite: a row is multiplied by zero for every cell of the tile that it does not
reach.
"""

from __future__ import annotations

from typing import Iterator, NamedTuple, Sequence, Tuple

import numpy as np

from .numeric import run_starts

_SIDE = 5
_REACH = _SIDE + 1  # the cells of a tile along an axis: samples that begin in the last reach one more
_CELLS = _REACH * _REACH

_Tile = Tuple[
    int, int, int, np.ndarray, np.ndarray
]  # image, top, left, [cells, columns], pixel of each column


class Samples(NamedTuple):
    """Bilinear samples at a point, n of them, each of one pixel.

    Attributes
    ----------
    pixel : ndarray, [n]
    cells : ndarray, [4, n]
        The cells beside the point in row-major order, counted over all maps.
    weights : ndarray, [4, n]
    """

    pixel: np.ndarray
    cells: np.ndarray
    weights: np.ndarray

    def select(self, index: np.ndarray | slice) -> Samples:
        """These samples alone."""
        return Samples(self.pixel[index], self.cells[:, index], self.weights[:, index])

    def split(self, mask: np.ndarray) -> tuple[Samples, Samples]:
        """The samples where the mask holds, and the others."""
        if mask.all():
            return self, self.select(slice(0))
        return self.select(np.flatnonzero(mask)), self.select(np.flatnonzero(~mask))


def add_by_tiles(source: np.ndarray, samples: Samples, map_size: tuple[int, int], target: np.ndarray) -> None:
    """Add to cells of maps: ``target[cell] += weight * source[pixel]`` for every corner of every sample.

    Parameters
    ----------
    source : ndarray, [pixels, channels]
    samples : Samples
        By rising pixel: so are a tile's, and each pixel of a tile becomes one column of its matrix.
    map_size : (height, width)
    target : ndarray, float64, [maps * height * width, channels]
    """
    channels = target.shape[1]
    maps = target.reshape(-1, *map_size, channels)
    gradient = np.empty((_REACH, _REACH, channels))
    for image, top, left, matrix, rows in _tile_matrices(samples, maps.shape[:3]):
        values = source.take(rows, axis=0).astype(np.float64, copy=False)
        np.matmul(matrix, values, out=gradient.reshape(_CELLS, channels))
        tile = maps[image, top : top + _REACH, left : left + _REACH]
        tile += gradient[: tile.shape[0], : tile.shape[1]]


def gather_by_tiles(maps: np.ndarray, samples: Samples, target: np.ndarray) -> None:
    """Add cells of maps to rows: ``target[pixel] += weight * maps[cell]`` for every corner of every sample.

    Parameters
    ----------
    maps : ndarray, [maps, height, width, channels]
        Finite.
    samples : Samples
        By rising pixel.
    target : ndarray, float64, [pixels, channels]
    """
    channels = maps.shape[3]
    cells = np.zeros((_REACH, _REACH, channels))
    for image, top, left, matrix, rows in _tile_matrices(samples, maps.shape[:3]):
        tile = maps[image, top : top + _REACH, left : left + _REACH]
        cells[: tile.shape[0], : tile.shape[1]] = tile  # what is beyond the map has a weight of 0
        sums = matrix.T @ cells.reshape(_CELLS, channels)
        sums += target.take(rows, axis=0)
        target[rows] = sums


def _tile_matrices(samples: Samples, shape: Sequence[int]) -> Iterator[_Tile]:
    """Yield the tiles in which samples begin, each with its matrix of weights.

    Parameters
    ----------
    shape : (maps, height, width)
    """
    if len(samples.pixel) == 0:
        return
    tile_of, place_of, corner_of = _tiles(*shape)
    tiles = tile_of[samples.cells[0]]
    # Few tiles fit a small type, which NumPy sorts by radix.
    order = np.argsort(tiles.astype(np.min_scalar_type(len(corner_of))), kind="stable")
    tiles, pixel, (first, right, below, _) = tiles[order], samples.pixel[order], samples.cells[:, order]

    starts = run_starts(tiles)
    changes = pixel[1:] != pixel[:-1]
    changes[starts[1:] - 1] = True  # a column begins with each tile, and with each pixel in it
    columns = np.append(0, np.cumsum(changes))
    bounds = np.append(columns[starts], columns[-1] + 1)

    # The matrices lie one behind the other: a tile's begins after all cells of the columns before it.
    lengths = np.diff(np.append(starts, len(tiles)))
    width = np.repeat(np.diff(bounds), lengths)
    across, down = (right - first) * width, (below != first) * (_REACH * width)
    index = place_of[first] * width + columns + np.repeat((_CELLS - 1) * bounds[:-1], lengths)
    index = np.stack([index, index + across, index + down, index + across + down])
    matrices = np.bincount(index.reshape(-1), samples.weights[:, order].reshape(-1), _CELLS * bounds[-1])
    rows = pixel[np.append(0, np.flatnonzero(changes) + 1)]
    for (image, top, left), begin, end in zip(corner_of[tiles[starts]].tolist(), bounds, bounds[1:]):
        matrix = matrices[_CELLS * begin : _CELLS * end].reshape(_CELLS, -1)
        yield image, top, left, matrix, rows[begin:end]


def _tiles(maps: int, height: int, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each cell's tile, its place within the tile, and (image, top, left) of each tile."""
    image, row, column = np.indices((maps, height, width), sparse=True)
    down, across = -(-height // _SIDE), -(-width // _SIDE)
    tile = (image * down + row // _SIDE) * across + column // _SIDE
    place = np.broadcast_to(row % _SIDE * _REACH + column % _SIDE, tile.shape)
    corner = np.indices((maps, down, across)).reshape(3, -1).T * (1, _SIDE, _SIDE)
    return tile.reshape(-1), place.reshape(-1), corner
