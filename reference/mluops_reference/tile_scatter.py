"""Add weighted rows to cells of maps, as matrix products over small tiles of the maps.

A tile takes entries from few pixels: its gradient is a small dense matrix, [cells of the tile, pixels],
times the rows of those pixels. Rows and weights must be finite: a pixel's row is multiplied by zero for
every cell of the tile that it does not reach.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .numeric import run_starts

TILE_HEIGHT, TILE_WIDTH = 5, 5


class Entries(NamedTuple):
    """Weighted contributions: to each `cell`, counted over all maps, `weight` times the row of `pixel`."""

    pixel: np.ndarray
    cell: np.ndarray
    weight: np.ndarray

    def select(self, index: np.ndarray | slice) -> Entries:
        """These entries alone."""
        return Entries(self.pixel[index], self.cell[index], self.weight[index])


def add_by_tiles(source: np.ndarray, entries: Entries, map_size: tuple[int, int], target: np.ndarray) -> None:
    """Add entries to a target.

    Parameters
    ----------
    source : ndarray, [pixels, channels]
    entries : Entries
        By rising pixel: so are a tile's, and each pixel of a tile becomes one column of its matrix.
    map_size : (height, width)
    target : ndarray, float64, [maps * height * width, channels]
    """
    if len(entries.pixel) == 0:
        return
    tile_of, place_of, corner_of = _tiles(len(target), map_size)
    tiles = tile_of[entries.cell]
    # Few tiles fit a small type, which NumPy sorts by radix.
    order = np.argsort(tiles.astype(np.min_scalar_type(len(corner_of))), kind="stable")
    tiles, (pixels, cells, weights) = tiles[order], entries.select(order)
    places = place_of[cells]

    starts = run_starts(tiles)
    bounds = np.append(starts, len(tiles))
    column_starts = run_starts(tiles * np.int64(len(source)) + pixels)
    column_pixels = pixels[column_starts]
    first_columns = np.searchsorted(column_starts, bounds)
    columns = np.repeat(np.arange(len(column_starts)), np.diff(np.append(column_starts, len(tiles))))
    columns -= np.repeat(first_columns[:-1], np.diff(bounds))

    maps = target.reshape(-1, *map_size, target.shape[1])
    for k, (image, top, left) in enumerate(corner_of[tiles[starts]].tolist()):
        part = slice(bounds[k], bounds[k + 1])
        rows = column_pixels[first_columns[k] : first_columns[k + 1]]
        index = places[part] * len(rows) + columns[part]
        matrix = np.bincount(index, weights[part], TILE_HEIGHT * TILE_WIDTH * len(rows))
        gradient = matrix.reshape(-1, len(rows)) @ source[rows].astype(np.float64)
        tile = maps[image, top : top + TILE_HEIGHT, left : left + TILE_WIDTH]
        height, width, channels = tile.shape
        tile += gradient.reshape(TILE_HEIGHT, TILE_WIDTH, channels)[:height, :width]


def _tiles(cells: int, map_size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tile of each cell, its place within the tile, and (image, top, left) of each tile."""
    height, width = map_size
    image, row, column = np.indices((cells // (height * width), height, width), sparse=True)
    down, across = -(-height // TILE_HEIGHT), -(-width // TILE_WIDTH)
    tile = (image * down + row // TILE_HEIGHT) * across + column // TILE_WIDTH
    place = np.broadcast_to(row % TILE_HEIGHT * TILE_WIDTH + column % TILE_WIDTH, tile.shape)
    corner = np.indices((len(image), down, across)).reshape(3, -1).T * (1, TILE_HEIGHT, TILE_WIDTH)
    return tile.reshape(-1), place.reshape(-1), corner
