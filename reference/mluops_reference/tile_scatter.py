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
    maps = target.reshape(-1, *map_size, target.shape[1])
    for image, top, left, matrix, rows in _tile_matrices(entries, len(source), maps.shape[:3]):
        gradient = matrix @ source[rows].astype(np.float64)
        tile = maps[image, top : top + TILE_HEIGHT, left : left + TILE_WIDTH]
        height, width, channels = tile.shape
        tile += gradient.reshape(TILE_HEIGHT, TILE_WIDTH, channels)[:height, :width]


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
    for image, top, left, matrix, rows in _tile_matrices(entries, len(target), maps.shape[:3]):
        tile = maps[image, top : top + TILE_HEIGHT, left : left + TILE_WIDTH]
        cells[: tile.shape[0], : tile.shape[1]] = tile  # what is beyond the map has a weight of 0
        target[rows] += matrix.T @ cells.reshape(-1, channels)


def _tile_matrices(entries: Entries, pixels: int, shape: Sequence[int]) -> Iterator[_Tile]:
    """Yield the tiles that entries touch, each with its matrix of weights.

    Parameters
    ----------
    pixels : int
        How many there are.
    shape : (maps, height, width)
    """
    if len(entries.pixel) == 0:
        return
    tile_of, place_of, corner_of = _tiles(*shape)
    tiles = tile_of[entries.cell]
    # Few tiles fit a small type, which NumPy sorts by radix.
    order = np.argsort(tiles.astype(np.min_scalar_type(len(corner_of))), kind="stable")
    tiles, (pixel, cells, weights) = tiles[order], entries.select(order)
    places = place_of[cells]

    starts = run_starts(tiles)
    bounds = np.append(starts, len(tiles))
    column_starts = run_starts(tiles * np.int64(pixels) + pixel)
    column_pixels = pixel[column_starts]
    first_columns = np.searchsorted(column_starts, bounds)
    columns = np.repeat(np.arange(len(column_starts)), np.diff(np.append(column_starts, len(tiles))))
    columns -= np.repeat(first_columns[:-1], np.diff(bounds))

    for k, (image, top, left) in enumerate(corner_of[tiles[starts]].tolist()):
        part = slice(bounds[k], bounds[k + 1])
        rows = column_pixels[first_columns[k] : first_columns[k + 1]]
        index = places[part] * len(rows) + columns[part]
        matrix = np.bincount(index, weights[part], TILE_HEIGHT * TILE_WIDTH * len(rows))
        yield image, top, left, matrix.reshape(-1, len(rows)), rows


def _tiles(maps: int, height: int, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each cell's tile, its place within the tile, and (image, top, left) of each tile."""
    image, row, column = np.indices((maps, height, width), sparse=True)
    down, across = -(-height // TILE_HEIGHT), -(-width // TILE_WIDTH)
    tile = (image * down + row // TILE_HEIGHT) * across + column // TILE_WIDTH
    place = np.broadcast_to(row % TILE_HEIGHT * TILE_WIDTH + column % TILE_WIDTH, tile.shape)
    corner = np.indices((maps, down, across)).reshape(3, -1).T * (1, TILE_HEIGHT, TILE_WIDTH)
    return tile.reshape(-1), place.reshape(-1), corner
