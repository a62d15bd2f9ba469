"""Gradients of bins that are averaged over windows of the map (`window_pooling`), as matrix products.

The gradient of the map is the transpose of the average: ``K G`` for the kernels K of a window, [cells, bins],
and the gradients G of its bins, [bins, channels]. The gradient of a bin's place along x is ::

    sum over cells of  (Uy (x) Dx) * (X G^T)

where X is the window, [cells, channels], Dx the derivative of the weights along x, and Uy the weights along y
of the coordinate that is not clamped to the map; likewise along y.
"""

from __future__ import annotations

from typing import Iterator, NamedTuple

import numpy as np

from .roi_sampling import AxisSamples
from .window_pooling import (
    STRIP_ELEMENTS,
    Arrangement,
    Laid,
    Span,
    Strip,
    arrange,
    average_shares,
    kernels,
    lay_samples,
    outer_kernels,
)


class Arranged(NamedTuple):
    """Some bins in the order of their windows.

    Parameters
    ----------
    batch : ndarray, [bins]
        In the order given.
    y, x : Laid
        In the order of the windows.
    """

    batch: np.ndarray
    y: Laid
    x: Laid
    arrangement: Arrangement
    span_y: Span
    span_x: Span


def arranged(batch: np.ndarray, y: AxisSamples, x: AxisSamples) -> Arranged:
    """Sort bins into windows.

    Parameters
    ----------
    batch : ndarray, [bins]
    y, x : AxisSamples
        Of these bins; each has at least one sample and finite coordinates.
    """
    arrangement, span_y, span_x = arrange(batch, y, x)
    order, windows, _ = arrangement
    laid_y, laid_x = (
        lay_samples(axis.select(order), windows, span) for axis, span in ((y, span_y), (x, span_x))
    )
    return Arranged(batch, laid_y, laid_x, arrangement, span_y, span_x)


def spread_over_windows(gradients: np.ndarray, bins: Arranged, grad_input: np.ndarray) -> None:
    """Add the gradients of some bins to the cells that the bins average.

    Parameters
    ----------
    gradients : ndarray, [bins, channels]
        Finite.
    bins : Arranged
    grad_input : ndarray, float64, [batches, height, width, channels]
    """
    batch, y, x, (order, windows, bands), span_y, span_x = bins
    kernels_y, kernels_x = kernels(y, average_shares), kernels(x, average_shares)
    gradients = gradients[order]
    for first, last in zip(bands[:-1].tolist(), bands[1:].tolist()):
        rows = slice(int(span_y.first[first]), int(span_y.stop[first]))
        left, right = int(span_x.first[first:last].min()), int(span_x.stop[first:last].max())
        image = grad_input[batch[order[windows[first]]], rows, left:right]
        columns = np.zeros((right - left, image.shape[0], image.shape[2]))
        for k in range(first, last):
            own = gradients[windows[k] : windows[k + 1]].astype(np.float64)
            window = columns[span_x.first[k] - left : span_x.stop[k] - left]
            window += (outer_kernels(kernels_y[k], kernels_x[k]) @ own).reshape(window.shape)
        image += columns.transpose(1, 0, 2)


def place_gradients(input: np.ndarray, gradients: np.ndarray, bins: Arranged, *, finite: bool) -> np.ndarray:
    """Return what each bin's average gains when its samples move by one cell along x and along y.

    Parameters
    ----------
    input : ndarray, [batches, height, width, channels]
    gradients : ndarray, [bins, channels]
        Finite.
    bins : Arranged
        Each touches finite cells only.
    finite : bool
        True where all of `input` is finite; else cells that are not are read as zero.

    Returns
    -------
    ndarray, float64, [bins, 2]
        Along x, then along y. Where a sample lies between the last cell and the map's end the two cells along
        that axis are one, and it gives 0 along either axis.
    """
    batch, y, x, arrangement, span_y, span_x = bins
    order, windows, _ = arrangement
    pairs = [
        (kernels(y, _unclamped), kernels(x, _slopes)),
        (kernels(y, _slopes), kernels(x, _unclamped)),
    ]
    moved = np.zeros((len(order), 2))
    gradients = gradients[order]
    for k, products in _window_products(input, gradients, batch, arrangement, span_y, span_x, finite):
        for axis, (kernels_y, kernels_x) in enumerate(pairs):
            both = outer_kernels(kernels_y[k], kernels_x[k])
            moved[windows[k] : windows[k + 1], axis] += np.einsum("cb,cb->b", both, products)
    result = np.empty_like(moved)
    result[order] = moved
    return result


def _window_products(
    input: np.ndarray,
    gradients: np.ndarray,
    batch: np.ndarray,
    arrangement: Arrangement,
    span_y: Span,
    span_x: Span,
    finite: bool,
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield by blocks of channels each window's number, and its cells times its gradients, [cells, bins]."""
    order, windows, bands = arrangement
    channels, width = input.shape[3], input.shape[2]
    blocks = np.clip(STRIP_ELEMENTS // ((span_y.stop - span_y.first) * width), 1, channels)
    memory = np.empty(int(((span_y.stop - span_y.first) * blocks).max()) * width)
    for first, last in zip(bands[:-1].tolist(), bands[1:].tolist()):
        image = input[batch[order[windows[first]]], span_y.first[first] : span_y.stop[first]]
        for channel in range(0, channels, int(blocks[first])):
            block = slice(channel, channel + int(blocks[first]))
            strip = Strip(image[:, :, block], memory, finite)
            for k in range(first, last):
                window = strip.window(int(span_x.first[k]), int(span_x.stop[k]))
                own = gradients[windows[k] : windows[k + 1], block].astype(np.float64)
                yield k, window @ own.T


def _unclamped(laid: Laid) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of both cells by the coordinate itself; none where the two are one."""
    (_, low, high, _), position = laid.taps, laid.position
    apart = np.where(low == high, 0, laid.share)
    return apart * (high - position), apart * (position - low)


def _slopes(laid: Laid) -> tuple[np.ndarray, np.ndarray]:
    """Return the derivative of both cells' weights; none where the two are one."""
    apart = np.where(laid.taps.low == laid.taps.high, 0, laid.share)
    return -apart, apart
