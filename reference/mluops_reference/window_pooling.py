"""Average the samples of many bins at once, as matrix products over small windows of the map.

Validity and weights of a sample factor into y and x, so a bin's average is ``Wy^T X Wx / count``. A few bins
that start close together share a window of the map; their kernels (the outer products of Wy and Wx) form one
matrix and one product gives all their channels. Windows lie in horizontal bands: a band's rows are widened to
float64 once, as [column, row, channel], so that any window of it is one contiguous matrix.

The data must be finite: a window multiplies cells that a bin does not touch by zero.
"""

from __future__ import annotations

from typing import Callable, NamedTuple, Tuple

import numpy as np

from .bilinear import Taps, taps
from .numeric import run_starts
from .roi_sampling import AxisSamples

Shares = Callable[["Laid"], Tuple[np.ndarray, np.ndarray]]

EXTENT, BAND_HEIGHT, WINDOW_STARTS = 16, 8, 32
"""Bins of up to EXTENT cells that start in the same BAND_HEIGHT rows share a band; those that start in the
same WINDOW_STARTS columns of it may share a window. Each doubling of the extent doubles both."""

WINDOW_BINS = 12
"""Bins of a window: a multiple of what BLAS kernels like; more would widen the window."""

STRIP_ELEMENTS = 1 << 22


class Arrangement(NamedTuple):
    """Bins in the order of their windows; `windows` and `bands` bound the runs of either."""

    order: np.ndarray
    windows: np.ndarray
    bands: np.ndarray


class Span(NamedTuple):
    """The cells from `first` to `stop` (exclusive), an element a window."""

    first: np.ndarray
    stop: np.ndarray


class Strip:
    """Rows of one image in float64, [column, row, channel], widened from the left as windows ask for them."""

    def __init__(self, rows: np.ndarray, memory: np.ndarray, finite: bool) -> None:
        height, width, channels = rows.shape
        self._rows = rows.transpose(1, 0, 2)
        self._columns = memory[: rows.size].reshape(width, height, channels)
        self._finite = finite
        self._filled = 0

    def window(self, left: int, right: int) -> np.ndarray:
        """The cells of some columns, [cells, channels]; windows must come ordered by `left`."""
        start = max(left, self._filled)
        if start < right:
            self._columns[start:right] = self._rows[start:right]
            if not self._finite:
                np.nan_to_num(self._columns[start:right], copy=False, nan=0.0, posinf=0.0, neginf=0.0)
            self._filled = right
        return self._columns[left:right].reshape(-1, self._columns.shape[2])


def pool_windows(
    input: np.ndarray,
    batch: np.ndarray,
    y: AxisSamples,
    x: AxisSamples,
    rows: np.ndarray,
    output: np.ndarray,
    *,
    finite: bool,
) -> None:
    """Write the averages of some bins.

    Parameters
    ----------
    input : ndarray, [batches, height, width, channels]
    batch : ndarray, [bins]
    y, x : AxisSamples
        Of these bins; each has at least one sample and touches finite cells only.
    rows : ndarray, [bins]
        The output row of each bin.
    output : ndarray, float64, [any, channels]
    finite : bool
        Whether all of `input` is finite; if not, cells that are not are read as zero.
    """
    channels = input.shape[3]
    arrangement, span_y, span_x = arrange(batch, y, x)
    order, windows, bands = arrangement
    kernels_y = kernels(lay_samples(y.select(order), windows, span_y), average_shares)
    kernels_x = kernels(lay_samples(x.select(order), windows, span_x), average_shares)
    heights = span_y.stop - span_y.first
    blocks = np.clip(STRIP_ELEMENTS // (heights * x.map_size), 1, channels)
    memory = np.empty((heights * blocks).max() * x.map_size)
    begins, lefts, rights = windows.tolist(), span_x.first.tolist(), span_x.stop.tolist()
    rows = rows[order]
    for first, last in zip(bands[:-1].tolist(), bands[1:].tolist()):
        image = input[batch[order[begins[first]]], span_y.first[first] : span_y.stop[first]]
        for channel in range(0, channels, blocks[first]):
            block = slice(channel, channel + blocks[first])
            strip = Strip(image[:, :, block], memory, finite)
            for k in range(first, last):
                window = strip.window(lefts[k], rights[k])
                bins = rows[begins[k] : begins[k + 1]]
                output[bins, block] = outer_kernels(kernels_y[k], kernels_x[k]).T @ window


def outer_kernels(kernels_y: np.ndarray, kernels_x: np.ndarray) -> np.ndarray:
    """Return a window's kernels, [width * height, bins], from those of both axes, [height or width, bins]."""
    both = np.empty((len(kernels_x), *kernels_y.shape))
    both[...] = kernels_x[:, None]
    both.reshape(len(kernels_x), -1)[...] *= kernels_y.reshape(-1)  # inner loops as long as can be
    return both.reshape(-1, kernels_y.shape[1])


def arrange(batch: np.ndarray, y: AxisSamples, x: AxisSamples) -> tuple[Arrangement, Span, Span]:
    """Sort bins into bands and windows, and fit both to the bins that they hold."""
    first_y, last_y = y.footprint()
    first_x, last_x = x.footprint()
    extent = np.maximum(last_y - first_y, last_x - first_x) + 1
    doublings = np.ceil(np.log2(np.maximum(extent, EXTENT) / EXTENT)).astype(np.int64)
    band = (doublings * (batch.max() + 1) + batch) * y.map_size + first_y // (BAND_HEIGHT << doublings)
    order = np.argsort(band * x.map_size + first_x, kind="stable")
    band, column = band[order], (first_x // (WINDOW_STARTS << doublings))[order]
    band_starts = run_starts(band)
    crowds = run_starts(band * x.map_size + column)
    rank = np.arange(len(order)) - np.repeat(crowds, np.diff(np.append(crowds, len(order))))
    starts = np.flatnonzero(rank % WINDOW_BINS == 0)
    bands = np.searchsorted(starts, np.append(band_starts, len(order)))
    windows_of_band = np.diff(bands)
    span_y = Span(*(np.repeat(edge, windows_of_band) for edge in _fit(first_y, last_y, order, band_starts)))
    span_x = Span(*_fit(first_x, last_x, order, starts))
    return Arrangement(order, np.append(starts, len(order)), bands), span_y, span_x


def _fit(first: np.ndarray, last: np.ndarray, order: np.ndarray, starts: np.ndarray) -> list[np.ndarray]:
    return [np.minimum.reduceat(first[order], starts), np.maximum.reduceat(last[order], starts) + 1]


class Laid(NamedTuple):
    """The samples of each window's bins along one axis, and the places of their cells in the kernels.

    Parameters
    ----------
    taps : Taps
    position, share : ndarray
        Of each sample; `share` is one over the number of the bin's samples, and 0 for one outside the map.
    low, high : ndarray
        The places of each sample's two cells in all kernels, one behind the other.
    pieces : list of tuple of int
        Where the kernels of each window begin and end, and how many bins it has.
    """

    taps: Taps
    position: np.ndarray
    share: np.ndarray
    low: np.ndarray
    high: np.ndarray
    pieces: list[tuple[int, int, int]]


def lay_samples(samples: AxisSamples, windows: np.ndarray, span: Span) -> Laid:
    """Lay out the samples of each window's bins along one axis.

    Parameters
    ----------
    samples : AxisSamples
        Of the bins in the order of their windows.
    windows : ndarray
        The bounds of the windows' bins.
    span : Span
        The cells of each window.
    """
    bins = windows[1:] - windows[:-1]
    ends = (bins * (span.stop - span.first)).cumsum()
    starts = ends - bins * (span.stop - span.first)
    column = np.arange(windows[-1]) - windows[:-1].repeat(bins)
    stride = bins.repeat(bins)
    base = (starts - span.first * bins).repeat(bins) + column

    grid = samples.grid
    which = np.arange(len(grid)).repeat(grid)
    i = np.arange(len(which)) - (grid.cumsum() - grid).repeat(grid)
    taken = samples.select(which)
    position = taken.position(i)
    at = taps(position, samples.map_size)
    base, stride = base[which], stride[which]
    return Laid(
        at,
        position,
        at.inside / taken.grid,
        base + at.low * stride,
        base + at.high * stride,
        [*zip(starts.tolist(), ends.tolist(), bins.tolist())],
    )


def average_shares(laid: Laid) -> tuple[np.ndarray, np.ndarray]:
    """Return the bilinear weights of each sample's two cells, divided by the number of its bin's samples."""
    high = laid.share * laid.taps.fraction
    return laid.share - high, high


def kernels(laid: Laid, shares: Shares) -> list[np.ndarray]:
    """Return the kernels of each window's bins along one axis, [cells, bins] a window.

    Parameters
    ----------
    laid : Laid
    shares : callable
        The samples to what each adds to its low cell and to its high cell.
    """
    low, high = shares(laid)
    size = laid.pieces[-1][1]
    flat = np.bincount(laid.low, low, size)
    flat += np.bincount(laid.high, high, size)
    return [flat[start:end].reshape(-1, columns) for start, end, columns in laid.pieces]
