"""Average the samples of many bins at once, as matrix products over small windows of the map.

Validity and weights of a sample factor into y and x, so a bin's average is ``Wy^T X Wx / count``. A few bins
that start close together share a window of the map; their kernels (the outer products of Wy and Wx) form one
matrix and one product gives all their channels. Windows lie in horizontal bands: a band's rows are widened to
float64 once, as [column, row, channel], so that any window of it is one contiguous matrix.

The data must be finite: a window multiplies cells that a bin does not touch by zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .numeric import run_starts
from .roi_sampling import AxisSamples

EXTENT, BAND_HEIGHT, WINDOW_STARTS = 16, 8, 32
"""Bins of up to EXTENT cells that start in the same BAND_HEIGHT rows share a band; those that start in the
same WINDOW_STARTS columns of it may share a window. Each doubling of the extent doubles both."""

WINDOW_BINS = 12
"""Bins of a window: a multiple of what BLAS kernels like; more would widen the window."""

STRIP_ELEMENTS = 1 << 22


class _Arrangement(NamedTuple):
    """Bins in the order of their windows; `windows` and `bands` bound the runs of either."""

    order: np.ndarray
    windows: np.ndarray
    bands: np.ndarray


class _Span(NamedTuple):
    """The cells from `first` to `stop` (exclusive), an element a window."""

    first: np.ndarray
    stop: np.ndarray


class _Strip:
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
    arrangement, span_y, span_x = _arrange(batch, y, x)
    order, windows, bands = arrangement
    kernels_y = _weights(y.select(order), windows, span_y)
    kernels_x = _weights(x.select(order), windows, span_x)
    heights = span_y.stop - span_y.first
    blocks = np.clip(STRIP_ELEMENTS // (heights * x.map_size), 1, channels)
    memory = np.empty((heights * blocks).max() * x.map_size)
    begins, lefts, rights = windows.tolist(), span_x.first.tolist(), span_x.stop.tolist()
    rows = rows[order]
    for first, last in zip(bands[:-1].tolist(), bands[1:].tolist()):
        image = input[batch[order[begins[first]]], span_y.first[first] : span_y.stop[first]]
        for channel in range(0, channels, blocks[first]):
            block = slice(channel, channel + blocks[first])
            strip = _Strip(image[:, :, block], memory, finite)
            for k in range(first, last):
                window = strip.window(lefts[k], rights[k])
                bins = rows[begins[k] : begins[k + 1]]
                _apply(kernels_y[k], kernels_x[k], window, bins, output[:, block])


def _apply(
    kernels_y: np.ndarray, kernels_x: np.ndarray, window: np.ndarray, rows: np.ndarray, output: np.ndarray
) -> None:
    """Multiply one window, [cells, channels], by its bins' kernels, [height, bins] and [width, bins]."""
    kernels = np.empty((len(kernels_x), *kernels_y.shape))
    kernels[...] = kernels_x[:, None]
    kernels.reshape(len(kernels_x), -1)[...] *= kernels_y.reshape(-1)  # inner loops as long as can be
    output[rows] = kernels.reshape(len(window), -1).T @ window


def _arrange(batch: np.ndarray, y: AxisSamples, x: AxisSamples) -> tuple[_Arrangement, _Span, _Span]:
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
    span_y = _Span(*(np.repeat(edge, windows_of_band) for edge in _fit(first_y, last_y, order, band_starts)))
    span_x = _Span(*_fit(first_x, last_x, order, starts))
    return _Arrangement(order, np.append(starts, len(order)), bands), span_y, span_x


def _fit(first: np.ndarray, last: np.ndarray, order: np.ndarray, starts: np.ndarray) -> list[np.ndarray]:
    return [np.minimum.reduceat(first[order], starts), np.maximum.reduceat(last[order], starts) + 1]


def _weights(samples: AxisSamples, windows: np.ndarray, span: _Span) -> list[np.ndarray]:
    """The kernels of each window's bins along one axis, [cells, bins], divided by the sample count."""
    bins = np.diff(windows)
    ends = np.cumsum(bins * (span.stop - span.first))
    starts = ends - bins * (span.stop - span.first)
    column = np.arange(windows[-1]) - np.repeat(windows[:-1], bins)
    stride = np.repeat(bins, bins)
    base = np.repeat(starts - span.first * bins, bins) + column

    grid = samples.grid
    which = np.repeat(np.arange(len(grid)), grid)
    i = np.arange(len(which)) - np.repeat(np.cumsum(grid) - grid, grid)
    inside, low, high, fraction = samples.select(which).taps(i)
    share = inside / grid[which]
    high_weight = share * fraction
    base, stride = base[which], stride[which]
    flat = np.bincount(base + low * stride, share - high_weight, ends[-1])
    flat += np.bincount(base + high * stride, high_weight, ends[-1])
    pieces = zip(starts.tolist(), ends.tolist(), bins.tolist())
    return [flat[start:end].reshape(-1, columns) for start, end, columns in pieces]
