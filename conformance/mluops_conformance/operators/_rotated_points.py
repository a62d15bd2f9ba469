"""The sample points and tensors that both directions of rotated feature alignment share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, NamedTuple

import numpy as np

from mluops_conformance.fills.registry import Fill, FillContext, FillError, Option
from mluops_conformance.fills.stream import Stream
from mluops_conformance.operators._local_scale import ROUNDINGS, reach
from mluops_conformance.operators.base import Criteria, Dim, Param, Scalar, Tensor
from mluops_conformance.operators.limits import Device, Limit, whole_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Samples(NamedTuple):
    """The samples of each box, and the rectangles of pixels where rounding may move them: [points, boxes].

    Parameters
    ----------
    reach : ndarray
        The largest number on the way to a sample, at least the map's size; the centre's needs no sides.
    top, bottom, left, right : ndarray
        The first row and column of a rectangle, and those behind the last.
    shape : tuple of int
        Maps, height and width.
    """

    reach: NDArray[Any]
    top: NDArray[Any]
    bottom: NDArray[Any]
    left: NDArray[Any]
    right: NDArray[Any]
    shape: tuple[int, int, int]

    @property
    def on_map(self) -> NDArray[Any]:
        return (self.top < self.bottom) & (self.left < self.right)

    @property
    def maps(self) -> NDArray[Any]:
        """The map of each sample."""
        boxes = np.arange(self.reach.shape[1]) // (self.shape[1] * self.shape[2])
        return np.broadcast_to(boxes, self.reach.shape)

    def pixels(self, sample: tuple[int, int]) -> tuple[int, slice, slice]:
        """The rectangle of a sample."""
        rows, columns = (
            slice(self.top[sample], self.bottom[sample]),
            slice(self.left[sample], self.right[sample]),
        )
        return int(self.maps[sample]), rows, columns

    def source(self, sample: tuple[int, int]) -> tuple[int, ...]:
        """The pixel whose gradient a sample scatters."""
        return tuple(map(int, np.unravel_index(sample[1], self.shape)))


def samples_of(bboxes: NDArray[Any], scalars: Mapping[str, Scalar], unit_roundoff: float) -> Samples:
    shape = bboxes.shape[:3]
    boxes, scale, points = bboxes.reshape(-1, 5), scalars["spatial_scale"], int(scalars["points"])
    centre, corner = (reach(boxes[:, :numbers], scale, max(shape[1:])) for numbers in (2, 4))
    reaches = np.stack([centre, *[corner] * (points - 1)])
    shifts = ROUNDINGS * unit_roundoff * reaches
    rows, columns = (axis[:points] for axis in points_of(boxes, scale))
    return Samples(reaches, *_reached(rows, shifts, shape[1]), *_reached(columns, shifts, shape[2]), shape)


def _reached(positions: NDArray[Any], shifts: NDArray[Any], size: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The first pixel of an axis that a sample may have a share in, and the one behind the last.

    NaN counts as 0, where the reference puts it.
    """
    positions = np.nan_to_num(positions)
    low, high = np.floor(positions - shifts), np.floor(positions + shifts) + 2
    return np.clip(low, 0, size).astype(np.intp), np.clip(high, 0, size).astype(np.intp)


CLEARANCE = 1e-3
"""Map pixels between a point of `anchor_boxes` and -1 or the map's size, where its contribution jumps."""

DRAWS = 50


def _anchor_boxes(stream: Stream, context: FillContext) -> NDArray[Any]:
    """Boxes drawn until no point is on a limit, where float32 and float64 may take different sides."""
    pixels = np.indices(context.shape[:3]).reshape(3, -1)[1:].T.astype(np.float64)
    boxes = _draw(stream, context, pixels)
    for _ in range(DRAWS):
        unclear = _unclear(boxes, context)
        if not unclear.any():
            return boxes.reshape(context.shape)
        boxes[unclear] = _draw(stream, context, pixels[unclear])
    raise FillError(f"{context.tensor}: fill 'anchor_boxes' cannot keep its points off the map's limits")


def _draw(stream: Stream, context: FillContext, pixels: NDArray[Any]) -> NDArray[Any]:
    def uniform(option: str, columns: int) -> NDArray[Any]:
        low, high = context.options[option]
        return stream.uniform(len(pixels) * columns, low, high, np.float64).reshape(-1, columns)

    scale = context.params["spatial_scale"]
    centres, sides = pixels + uniform("shift", 2), uniform("side", 2)
    return np.hstack([centres / scale, sides / scale, uniform("angle", 1)]).astype(context.dtype)


def _unclear(boxes: NDArray[Any], context: FillContext) -> NDArray[Any]:
    """Return which boxes have a point on a limit, of those points that the operator uses."""
    near, used = np.zeros(len(boxes), bool), int(context.params["points"])
    for points, size in zip(points_of(boxes, context.params["spatial_scale"]), context.shape[1:3]):
        for limit in (-1, size):
            near |= (np.abs(points[:used] - limit) < CLEARANCE).any(axis=0)
    return near


def points_of(boxes: NDArray[Any], scale: float) -> tuple[NDArray[Any], NDArray[Any]]:
    """Rows and columns of the centre and the four corners, each of shape (5, boxes)."""
    y, x, width, height = boxes[:, :4].astype(np.float64).T * scale
    across = np.array([[1], [-1], [-1], [1]]) * width / 2
    along = np.array([[1], [1], [-1], [-1]]) * height / 2
    with np.errstate(invalid="ignore"):
        cos, sin = np.cos(boxes[:, 4].astype(np.float64)), np.sin(boxes[:, 4].astype(np.float64))
        rows, columns = y + sin * across + cos * along, x + cos * across - sin * along
    return np.vstack([y[np.newaxis], rows]), np.vstack([x[np.newaxis], columns])


def _anchor_boxes_check(context: FillContext) -> str | None:
    scale = context.params["spatial_scale"]
    if scale <= 0:
        return f"needs a spatial_scale above 0, got {scale}"
    largest = max(*(size + abs(end) for size in context.shape[1:3] for end in context.options["shift"]))
    largest = max(largest, *map(abs, context.options["side"])) / scale
    if largest <= float(np.finfo(context.dtype).max):
        return None
    return (
        f"has coordinates up to {largest:.0f} at spatial_scale {scale:g}, which {context.dtype} cannot hold"
    )


ANCHOR_BOXES = Fill(
    "anchor_boxes",
    (
        Option("shift", "pair", (-1.5, 1.5), "from its pixel to a centre along each axis, in map pixels"),
        Option("side", "pair", (0.5, 4), "width and height in map pixels"),
        Option("angle", "pair", (-3.2, 3.2), "angle in radians"),
    ),
    _anchor_boxes,
    "(y, x, width, height, angle) in image pixels, near the pixel that it belongs to",
    check=_anchor_boxes_check,
)

_BOX_BYTES = 64
_SEGMENTS = 10
"""SEG_NUM: a value and its four products or neighbours, twice."""


def _channel_slice(device: Device, itemsize: int, scalars: Mapping[str, Scalar]) -> int:
    return whole_vectors((device.usable_nram_bytes - _BOX_BYTES) // _SEGMENTS, itemsize)


def channel_slice(source: str) -> Limit:
    """Return the limit of channels that a core takes at once, which both directions share."""
    return Limit(
        "channel_slice",
        _channel_slice,
        "channels that a core takes at once",
        "(NRAM - 128 KiB - 64 bytes) / 10, in whole vectors of 128 bytes",
        source,
        dim="channels",
    )


def criteria(source: str) -> Criteria:
    """Return the criteria of both directions."""
    return Criteria(
        measures=("diff1", "diff2", "diff4"),
        rates={"diff1": 10, "diff2": 10, "diff4": 1},
        by_series={"MLU2": ("diff1", "diff2")},
        source=source,
    )


DIMS = (
    Dim("batch", "feature maps"),
    Dim("height", "height of a map"),
    Dim("width", "width of a map"),
    Dim("channels", "channels of a map"),
)
MAPS = tuple(dim.name for dim in DIMS)
"""The shape of the maps."""

PARAMS = (
    Param("spatial_scale", float, "ratio of the map's size to the image's", 1.0),
    Param("points", int, "sample points of a box: 1 (centre) or 5 (and corners)", 1, accepts=(1, 5)),
)
BBOXES = Tensor(
    "bboxes",
    (*MAPS[:3], "5"),
    "y, x, width, height in image pixels, angle in radians",
    fill={"fill": "anchor_boxes"},
)
