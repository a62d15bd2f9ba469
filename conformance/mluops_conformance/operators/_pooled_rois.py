"""Dimensions, parameters, tensors and samples of deform_roi_pool, for both of its directions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, NamedTuple

import numpy as np

from mluops_conformance.fills.registry import Fill, FillContext, Option
from mluops_conformance.fills.stream import Stream
from mluops_conformance.operators._local_scale import ROUNDINGS, UNIT_ROUNDOFF, reach
from mluops_conformance.operators.base import Arrays, Dim, Param, Scalar, Tensor

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIMS = (
    Dim("batches", "feature maps"),
    Dim("hi", "height of a map"),
    Dim("wi", "width of a map"),
    Dim("channels", "channels of a map"),
    Dim("num_rois", "regions"),
    Dim("pooled_height", "bins of a region along its height"),
    Dim("pooled_width", "bins of a region along its width"),
)
PARAMS = (
    Param("spatial_scale", float, "ratio of the map's size to the image's", 1.0),
    Param("sampling_ratio", int, "samples of a bin along each axis; 0 or less: ceil(side / bins)", 0),
    Param("gamma", float, "factor of the offsets", 0.1),
)
MAPS = Tensor(
    "input",
    ("batches", "hi", "wi", "channels"),
    "feature maps",
    layout="NHWC",
    fill={"fill": "uniform", "range": (-1, 1)},
)
REGIONS = (
    Tensor(
        "rois",
        ("num_rois", "5"),
        "batch index, x1, y1, x2, y2 in image pixels",
        fill={"fill": "rois"},
        reversible=((1, 3), (2, 4)),
    ),
    Tensor(
        "offset",
        ("num_rois", "2", "pooled_height", "pooled_width"),
        "shifts of the bins along x and y, in units of gamma times the region's size",
        optional=True,
    ),
)
"""The tensors of the regions: where they are, and how far their bins are shifted."""

SCALARS = ("pooled_height", "pooled_width", "spatial_scale", "sampling_ratio", "gamma")


def samples_along(rois: NDArray[Any], scalars: Mapping[str, Scalar], axis: str) -> NDArray[Any]:
    """Return the number of samples that a bin of each region has along an axis."""
    if scalars["sampling_ratio"] > 0:
        return np.full(len(rois), float(scalars["sampling_ratio"]))
    first, last = (1, 3) if axis == "width" else (2, 4)
    sides = rois.astype(np.float64) * scalars["spatial_scale"]
    steps = np.ceil((sides[:, last] - sides[:, first]) / scalars[f"pooled_{axis}"])
    return np.where(np.isfinite(steps) & (steps > 0), steps, 0)


def samples_of_bins(rois: NDArray[Any], scalars: Mapping[str, Scalar]) -> NDArray[Any]:
    """Return the number of samples that a bin of each region has."""
    samples: NDArray[Any] = samples_along(rois, scalars, "height") * samples_along(rois, scalars, "width")
    return samples


class Axis(NamedTuple):
    """The samples of some bins along one axis of the map, at first, first + step and so on: [bins].

    Parameters
    ----------
    first, step : ndarray
        In map pixels. What is not a number counts as 0, where the reference puts it.
    number : ndarray
        Samples of a bin.
    size : int
        Pixels of the map.
    """

    first: NDArray[Any]
    step: NDArray[Any]
    number: NDArray[Any]
    size: int

    def select(self, bins: NDArray[Any] | slice) -> Axis:
        """Return the samples of these bins alone."""
        return Axis(self.first[bins], self.step[bins], self.number[bins], self.size)

    def within(self, low: NDArray[Any], high: NDArray[Any]) -> NDArray[Any]:
        """Count the samples of each bin from `low` to `high`, [bins or 1, places]: [bins, places]."""
        first, step, number = (values[:, np.newaxis] for values in self[:3])
        with np.errstate(all="ignore"):
            ends = (low - first) / step, (high - first) / step
        begin = np.maximum(np.ceil(np.minimum(*ends)), 0)
        end = np.minimum(np.floor(np.maximum(*ends)), number - 1)
        still = np.where((low <= first) & (first <= high), number, 0)
        counts: NDArray[Any] = np.where(step == 0, still, np.maximum(end - begin + 1, 0))
        return counts

    def on_map(self) -> NDArray[Any]:
        """Count the samples of each bin that are on the map: [bins]."""
        return self.within(np.array([[-1.0]]), np.array([[float(self.size)]]))[:, 0]

    def beyond_pixels(self) -> NDArray[Any]:
        """Return which bins have samples on the map that are not between two of its pixels: [bins]."""
        between = self.within(np.zeros((1, 1)), np.array([[float(self.size - 1)]]))[:, 0]
        return self.on_map() > between

    def of_pixels(self, shift: NDArray[Any]) -> NDArray[Any]:
        """Count the samples that may have a share in each pixel, moved by up to `shift`: [bins, pixels]."""
        pixels, radius = np.arange(float(self.size)), 1 + shift[:, np.newaxis]
        return self.within(pixels - radius, pixels + radius)

    def on_lines(self, shift: NDArray[Any]) -> NDArray[Any]:
        """Count the samples of each bin within `shift` of a pixel's centre or a limit of the map: [bins].

        Beyond it such a sample has other neighbours, or counts no more.
        """
        lines, radius = np.arange(-1.0, self.size + 1), np.minimum(shift, 0.5)[:, np.newaxis]
        counts: NDArray[Any] = np.zeros(len(shift))
        for some in _pieces(len(shift), len(lines)):
            near = self.select(some).within(lines - radius[some], lines + radius[some])
            counts[some] = np.minimum(near.sum(axis=1), self.number[some])
        return counts


@dataclass(frozen=True)
class Grids:
    """The samples of all bins, in the order [region, row, column], and how far rounding moves them: [bins].

    Parameters
    ----------
    y, x : Axis
    sides : ndarray, [2, bins]
        Width and height of each bin's region, in map pixels.
    reach : ndarray
        The largest number on the way to a sample, in map pixels, and at least the map's size.
    rounded : callable
        Lays out the samples as float32 does: along y, along x.
    """

    y: Axis
    x: Axis
    sides: NDArray[Any]
    reach: NDArray[Any]
    rounded: Callable[[], tuple[Axis, Axis]]

    @cached_property
    def shift(self) -> NDArray[Any]:
        """Return how far rounding to float32 moves samples, in map pixels."""
        return ROUNDINGS * UNIT_ROUNDOFF["float32"] * self.reach

    @cached_property
    def doubtful(self) -> NDArray[Any]:
        """False where float32 rounds nothing on the way: the samples stand where they are on every device."""
        y, x = (
            (exact.first != in_float.first) | (exact.step != in_float.step)
            for exact, in_float in zip((self.y, self.x), self.rounded())
        )
        doubtful: NDArray[Any] = y | x
        return doubtful


def grids_of(inputs: Arrays, scalars: Mapping[str, Scalar], map_shape: tuple[int, int]) -> Grids:
    """Lay out the samples of all bins on maps of (height, width)."""
    with np.errstate(all="ignore"):
        (x, side_x, move_x), (y, side_y, move_y) = (
            _along(axis, inputs, scalars, map_shape, np.float64) for axis in (0, 1)
        )
        largest = np.repeat(
            reach(inputs["rois"][:, 1:], scalars["spatial_scale"], max(map_shape)), _bins(scalars)
        )
        moved = np.maximum(np.abs(move_x), np.abs(move_y))
    largest = np.maximum(largest, np.where(np.isfinite(moved), moved, 0))
    rounded = partial(_in_float32, inputs, scalars, map_shape)
    return Grids(y, x, np.stack([side_x, side_y]), largest, rounded)


def _in_float32(
    inputs: Arrays, scalars: Mapping[str, Scalar], map_shape: tuple[int, int]
) -> tuple[Axis, Axis]:
    with np.errstate(all="ignore"):
        y, x = (_along(axis, inputs, scalars, map_shape, np.float32)[0] for axis in (1, 0))
    return y, x


def _bins(scalars: Mapping[str, Scalar]) -> int:
    return int(scalars["pooled_height"]) * int(scalars["pooled_width"])


def _along(
    axis: int, inputs: Arrays, scalars: Mapping[str, Scalar], map_shape: tuple[int, int], dtype: Any
) -> tuple[Axis, NDArray[Any], NDArray[Any]]:
    """Return the samples along x (0) or y (1), and each bin's side and move, all rounded to `dtype`."""
    scale, gamma = (dtype(np.float32(scalars[name])) for name in ("spatial_scale", "gamma"))
    shape = (len(inputs["rois"]), int(scalars["pooled_height"]), int(scalars["pooled_width"]))
    number = samples_along(inputs["rois"], scalars, ("width", "height")[axis]).reshape(-1, 1, 1)
    edges = inputs["rois"][:, 1:].astype(dtype) * scale - dtype(0.5)
    start, side = (
        values.reshape(-1, 1, 1) for values in (edges[:, axis], edges[:, axis + 2] - edges[:, axis])
    )
    bin_size = side / dtype(shape[2 - axis])
    step = bin_size / np.maximum(number, 1).astype(dtype)
    offset = inputs["offset"][:, axis].astype(dtype) if "offset" in inputs else np.zeros(shape, dtype)
    move = gamma * side * offset
    place = np.arange(shape[2 - axis]).astype(dtype).reshape((-1, 1) if axis else -1)
    first = ((start + move) + place * bin_size + dtype(0.5) * step).reshape(-1)
    steps, numbers, sides = (
        values.reshape(-1).repeat(shape[1] * shape[2]) for values in (step, number, side)
    )
    starts, steps = (np.where(np.isnan(values), 0, values) for values in (first, steps))
    return Axis(starts, steps, numbers, map_shape[1 - axis]), sides, move.reshape(-1)


ELEMENTS_AT_ONCE = 1 << 20


def _pieces(bins: int, places: int) -> Iterator[slice]:
    """Split so many bins, so that those of a piece have few places together."""
    step = max(1, ELEMENTS_AT_ONCE // places)
    return (slice(first, first + step) for first in range(0, bins, step))


def images_of(rois: NDArray[Any], count: int) -> NDArray[Any]:
    """Return the image of each region, or of each of `count` bins."""
    images = np.nan_to_num(rois[:, 0].astype(np.float64)).astype(np.intp)
    return np.repeat(images, count // max(len(images), 1))


def bins_by_image(rois: NDArray[Any], count: int, places: int) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield images and some of their bins, of `count` in all, so that these have few places together."""
    images = images_of(rois, count)
    for image in np.unique(images).tolist():
        own = np.flatnonzero(images == image)
        for some in _pieces(len(own), places):
            yield image, own[some]


MOST_SAMPLES = 1 << 24
"""The most samples of a bin: more are a mistake, and the reference would need gigabytes for one bin."""


def too_many_samples(rois: NDArray[Any], scalars: Mapping[str, Scalar]) -> str | None:
    """Say which region takes more samples in a bin than are tested."""
    sides = np.abs(rois[:, 3:5].astype(np.float64) - rois[:, 1:3]) * abs(scalars["spatial_scale"])
    bins = np.array([scalars["pooled_width"], scalars["pooled_height"]])
    ratio = scalars["sampling_ratio"]
    finite = np.where(np.isfinite(sides), sides, 0)
    samples = np.ceil(finite / bins) if ratio <= 0 else np.full_like(finite, ratio)
    number = samples.prod(axis=1)
    worst = int(np.argmax(number)) if len(number) else 0
    if not len(number) or number[worst] <= MOST_SAMPLES:
        return None
    across, down = samples[worst]
    return (
        f"region {worst} takes {across:.0f} x {down:.0f} samples a bin, and at most {MOST_SAMPLES} are tested"
    )


def _rois(stream: Stream, context: FillContext) -> NDArray[Any]:
    rois = np.empty(context.shape, np.float64)
    rois[:, 0] = stream.integers(len(rois), 0, context.dims["batches"])
    rois[:, 1], rois[:, 3] = _spans(stream, context, context.dims["wi"], context.dims["pooled_width"])
    rois[:, 2], rois[:, 4] = _spans(stream, context, context.dims["hi"], context.dims["pooled_height"])
    return rois.astype(context.dtype)


def _spans(
    stream: Stream, context: FillContext, extent: int, pooled: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return starts and ends of the regions along one axis, in image pixels that the dtype can hold."""
    count = context.shape[0]
    image = min(extent / context.params["spatial_scale"], float(np.finfo(context.dtype).max))
    room = 1 + 2 * context.options["margin"]
    low, high = np.minimum(context.options["side"], image / room)
    grid = pooled / context.params["spatial_scale"]
    side = stream.uniform(count, low, high, np.float64)
    if context.params["sampling_ratio"] <= 0:
        side = grid * _between_steps(side / grid)
    slack = image - room * side
    start = context.options["margin"] * side + slack * stream.uniform(count, 0, 1, np.float64)
    return start, start + side


def _between_steps(quotient: NDArray[Any]) -> NDArray[Any]:
    """Lowered where the fraction is near 0 or 1.

    A bin has ceil(quotient) samples along the axis, a step that devices may round to either side of.
    """
    fraction = quotient % 1
    lowered = quotient - np.where(fraction < 0.1, fraction + 0.1, np.maximum(fraction - 0.9, 0))
    return np.where(quotient < 1, np.minimum(quotient, 0.9), lowered)


def _rois_check(context: FillContext) -> str | None:
    if context.params["spatial_scale"] > 0:
        return None
    return f"needs a spatial_scale above 0, got {context.params['spatial_scale']}"


ROIS = Fill(
    "rois",
    (
        Option("side", "pair", (16, 300), "shortest and longest side in image pixels; the image is the most"),
        Option("margin", "number", 0, "least distance from the image's edges, as a share of the side"),
    ),
    _rois,
    "(batch index, x1, y1, x2, y2) inside of the image, whose size is the map's / spatial_scale",
    check=_rois_check,
)
