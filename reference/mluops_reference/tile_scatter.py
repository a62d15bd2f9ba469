"""Sparse weights between pixels and the cells of maps, applied as matrix products over small tiles.

A tile has entries of few pixels: their weights are a small dense matrix, [cells of the tile, pixels]. Its
product with the pixels' rows scatters them to the cells, that of its transpose with the cells gathers them.
Rows and weights must be finite: a row is multiplied by zero for every cell of the tile that it does not
reach.
"""

from __future__ import annotations

from typing import Iterator, NamedTuple, Sequence, Tuple

import numpy as np

from .numeric import run_starts

TILE_HEIGHT, TILE_WIDTH = 5, 5

_Tile = Tuple[
    int, int, int, np.ndarray, np.ndarray
]  # image, top, left, [cells, columns], pixel of each column


class Entries(NamedTuple):
    """Weighted contributions: to each `cell`, counted over all maps, `weight` times the row of `pixel`."""

    pixel: np.ndarray
    cell: np.ndarray
    weight: np.ndarray

    def select(self, index: np.ndarray | slice) -> Entries:
        """These entries alone."""
        return Entries(self.pixel[index], self.cell[index], self.weight[index])

    def split(self, mask: np.ndarray) -> tuple[Entries, Entries]:
        """The entries where the mask holds, and the others."""
        if mask.all():
            return self, self.select(slice(0))
        return self.select(np.flatnonzero(mask)), self.select(np.flatnonzero(~mask))


def add_by_tiles(source: np.ndarray, entries: Entries, map_size: tuple[int, int], target: np.ndarray) -> None:
    """Add to cells of maps: ``target[cell] += weight * source[pixel]`` for every entry.

    Parameters
    ----------
    source : ndarray, [pixels, channels]
    entries : Entries
        By rising pixel: so are a tile's, and each pixel of a tile becomes one column of its matrix.
    map_size : (height, width)
    target : ndarray, float64, [maps * height * width, channels]
    """
    channels = target.shape[1]
    maps = target.reshape(-1, *map_size, channels)
    gradient = np.empty((TILE_HEIGHT, TILE_WIDTH, channels))
    for image, top, left, matrix, rows in _tile_matrices(entries, maps.shape[:3]):
        values = source.take(rows, axis=0).astype(np.float64, copy=False)
        np.matmul(matrix, values, out=gradient.reshape(-1, channels))
        tile = maps[image, top : top + TILE_HEIGHT, left : left + TILE_WIDTH]
        tile += gradient[: tile.shape[0], : tile.shape[1]]


def gather_by_tiles(maps: np.ndarray, entries: Entries, target: np.ndarray) -> None:
    """Add cells of maps to rows: ``target[pixel] += weight * maps[cell]`` for every entry.

    Parameters
    ----------
    maps : ndarray, [maps, height, width, channels]
        Finite.
    entries : Entries
        By rising pixel.
    target : ndarray, float64, [pixels, channels]
    """
    channels = maps.shape[3]
    cells = np.zeros((TILE_HEIGHT, TILE_WIDTH, channels))
    for image, top, left, matrix, rows in _tile_matrices(entries, maps.shape[:3]):
        tile = maps[image, top : top + TILE_HEIGHT, left : left + TILE_WIDTH]
        cells[: tile.shape[0], : tile.shape[1]] = tile  # what is beyond the map has a weight of 0
        sums = matrix.T @ cells.reshape(-1, channels)
        sums += target.take(rows, axis=0)
        target[rows] = sums


def _tile_matrices(entries: Entries, shape: Sequence[int]) -> Iterator[_Tile]:
    """Yield the tiles that entries touch, each with its matrix of weights.

    Parameters
    ----------
    shape : (maps, height, width)
    """
    if len(entries.pixel) == 0:
        return
    tile_of, place_of, corner_of = _tiles(*shape)
    tiles = tile_of[entries.cell]
    # Few tiles fit a small type, which NumPy sorts by radix.
    order = np.argsort(tiles.astype(np.min_scalar_type(len(corner_of))), kind="stable")
    tiles, (pixel, cells, weights) = tiles[order], entries.select(order)

    starts = run_starts(tiles)
    changes = pixel[1:] != pixel[:-1]
    changes[starts[1:] - 1] = True  # a column begins with each tile, and with each pixel in it
    columns = np.append(0, np.cumsum(changes))
    bounds = np.append(columns[starts], columns[-1] + 1)
    widths = np.diff(bounds)

    # The matrices lie one behind the other: a tile's begins after all cells of the columns before it.
    size = TILE_HEIGHT * TILE_WIDTH
    lengths = np.diff(np.append(starts, len(tiles)))
    index = place_of[cells] * np.repeat(widths, lengths)
    index += columns
    index += np.repeat((size - 1) * bounds[:-1], lengths)
    matrices = np.bincount(index, weights, size * bounds[-1])
    rows = pixel[np.append(0, np.flatnonzero(changes) + 1)]
    for (image, top, left), first, last in zip(corner_of[tiles[starts]].tolist(), bounds, bounds[1:]):
        matrix = matrices[size * first : size * last].reshape(size, -1)
        yield image, top, left, matrix, rows[first:last]


def _tiles(maps: int, height: int, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each cell's tile, its place within the tile, and (image, top, left) of each tile."""
    image, row, column = np.indices((maps, height, width), sparse=True)
    down, across = -(-height // TILE_HEIGHT), -(-width // TILE_WIDTH)
    tile = (image * down + row // TILE_HEIGHT) * across + column // TILE_WIDTH
    place = np.broadcast_to(row % TILE_HEIGHT * TILE_WIDTH + column % TILE_WIDTH, tile.shape)
    corner = np.indices((maps, down, across)).reshape(3, -1).T * (1, TILE_HEIGHT, TILE_WIDTH)
    return tile.reshape(-1), place.reshape(-1), corner
