"""nms_rotated: boxes in descending order of score, less those that overlap a better one."""

from __future__ import annotations

from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, Mapping

import numpy as np
from mluops_reference import nms_rotated
from mluops_reference.nms_rotated import Decisions, is_decided

from mluops_conformance.fills.registry import Fill, FillContext, Option
from mluops_conformance.fills.stream import Stream
from mluops_conformance.operators import _wrong_boxes
from mluops_conformance.operators.base import (
    Arrays,
    Criteria,
    Dim,
    Expectation,
    Groups,
    Operator,
    Param,
    Scalar,
    Tensor,
    Theory,
)
from mluops_conformance.operators.limits import Device, Limit

if TYPE_CHECKING:
    from numpy.typing import NDArray


_DECISIONS = Decisions()
"""Spare an evaluation after `_settle` has moved a few boxes the pairs of all others."""


def _reference(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Expectation:
    output, result_num, margin, uncertain = nms_rotated(
        inputs["boxes"], inputs["scores"], scalars["iou_threshold"], decisions=_DECISIONS
    )
    padded = np.zeros(len(inputs["boxes"]), np.int32)
    padded[:result_num] = output[:result_num]
    return Expectation(
        {"output": padded, "result_num": np.array([result_num], np.int32)},
        valid={"output": int(result_num)},
        notes={"margin": float(margin)},
        uncertain=tuple(map(tuple, uncertain.tolist())),
    )


OPERATIONS_OF_A_KEPT_BOX = 60_000


def _operations(inputs: Arrays, scalars: Mapping[str, Scalar], outputs: Arrays) -> float:
    return OPERATIONS_OF_A_KEPT_BOX * float(outputs["result_num"][0])


def _rotated_boxes(stream: Stream, context: FillContext) -> NDArray[Any]:
    """Clusters, each of a first box and variations of it, in random order; labels behind."""
    count = context.shape[0]
    clusters = ceil(count / context.options["cluster"])
    of_cluster = (np.arange(count) % clusters)[stream.permutation(count)]
    boxes = np.zeros(context.shape, np.float64)
    boxes[:, :5] = _varied(stream, _firsts(stream, context, clusters)[of_cluster], context)
    step = context.options["step"]
    if step:
        boxes[:, :4] = np.rint(boxes[:, :4] / step) * step
    boxes[:, 5:] = stream.integers(count, 0, context.options["labels"])[:, None]
    return boxes.astype(context.dtype)


def _firsts(stream: Stream, context: FillContext, clusters: int) -> NDArray[Any]:
    """One box (x, y, width, height, angle) a cluster."""

    def uniform(option: str, columns: int) -> NDArray[Any]:
        low, high = context.options[option]
        return stream.uniform(clusters * columns, low, high, np.float64).reshape(-1, columns)

    random = context.options["place"] == "random"
    centres = uniform("center", 2) if random else _grid(context, clusters)
    return np.concatenate([centres, uniform("size", 2), uniform("angle", 1)], axis=1)


def _grid(context: FillContext, clusters: int) -> NDArray[Any]:
    """Centres of the cells of a square grid over the range of centres."""
    low, _ = context.options["center"]
    rows, columns = np.divmod(np.arange(clusters), _cells(clusters))
    centres: NDArray[Any] = low + (np.column_stack([columns, rows]) + 0.5) * _cell(context, clusters)
    return centres


def _cells(clusters: int) -> int:
    return max(ceil(sqrt(clusters)), 1)


def _cell(context: FillContext, clusters: int) -> float:
    low, high = context.options["center"]
    return float(high - low) / _cells(clusters)


_VARIED = {"all": 5, "along": 1}
"""The number of tried changes of a box: along its width, across, in width, in height, of the angle."""


def _varied(stream: Stream, boxes: NDArray[Any], context: FillContext) -> NDArray[Any]:
    """The boxes, moved along their sides, resized and turned, by up to `spread` of their sides.

    Slim boxes are turned less, so that as much of them overlaps. Every change is at least a fifth of
    `spread`: a near copy of a box is a case of its own, on which float32 algorithms go wrong.
    """
    spread = context.options["spread"]
    amount = stream.uniform(boxes.size, 0.2 * spread, spread, np.float64)
    change = np.where(stream.uint32(boxes.size) & np.uint32(1), amount, -amount).reshape(boxes.shape).T
    change[_VARIED[context.options["vary"]] :] = 0
    x, y, width, height, angle = boxes.T
    along, across, cos, sin = change[0] * width, change[1] * height, np.cos(angle), np.sin(angle)
    varied = np.empty(boxes.shape)
    varied[:, 0] = x + along * cos - across * sin
    varied[:, 1] = y + along * sin + across * cos
    varied[:, 2:4] = boxes[:, 2:4] * (1 + change[2:4].T)
    varied[:, 4] = angle + change[4] * np.minimum(width, height) / np.maximum(width, height)
    return varied


def _rotated_boxes_check(context: FillContext) -> str | None:
    options = context.options
    if options["cluster"] < 1 or options["labels"] < 1:
        return "needs at least one box a cluster and one label"
    if options["place"] == "random":
        return None
    cell = _cell(context, max(ceil(context.shape[0] / options["cluster"]), 1))
    widest = sqrt(2) * options["size"][1] * (1 + 3 * options["spread"])
    if widest <= cell:
        return None
    return f"has cells {cell:g} wide, and boxes up to {widest:g} across would overlap their neighbours"


DECIDABLE = "decidable"
"""The boxes are moved a little where float32 may get a pair wrong that decides on the output."""

ROTATED_BOXES = Fill(
    "rotated_boxes",
    (
        Option("center", "pair", (0, 100), "range of both coordinates of a cluster's centre"),
        Option("size", "pair", (1, 40), "width and height of a cluster's first box"),
        Option("angle", "pair", (-3.2, 3.2), "its angle in radians"),
        Option("cluster", "integer", 3, "boxes of a cluster"),
        Option("spread", "number", 0.2, "greatest difference from the first box, as a share of its size"),
        Option(
            "vary",
            "choice",
            "all",
            "all: place, size and angle; along: the place along the width alone, with edges on one line",
            tuple(_VARIED),
        ),
        Option("place", "choice", "random", "of clusters; on a grid they do not meet", ("random", "grid")),
        Option("step", "number", 0, "places and sizes are multiples of it; 0: they are not"),
        Option("labels", "integer", 4, "labels of six-column boxes"),
        Option(
            "pairs",
            "choice",
            DECIDABLE,
            "decidable: no pair that float32 may judge wrongly; any: all pairs",
            (DECIDABLE, "any"),
        ),
    ),
    _rotated_boxes,
    "clusters of overlapping boxes (x, y, width, height, angle[, label])",
    check=_rotated_boxes_check,
)


_NUDGES = 50


def _settle(
    fills: Mapping[str, Any], inputs: Arrays, scalars: Mapping[str, Scalar], pairs: Groups, stream: Stream
) -> Arrays:
    """Move and turn the worse box of each pair until the pair is decided."""
    spec = fills["boxes"]
    if spec.name != ROTATED_BOXES.name or spec.options.get("pairs", DECIDABLE) != DECIDABLE:
        return inputs
    boxes = inputs["boxes"].copy()
    left = np.array(pairs)
    for _ in range(_NUDGES):
        worse = np.unique(left[:, 1])
        boxes[worse] = _nudged(stream, boxes[worse].astype(np.float64))
        better, worse = left.T
        left = left[~is_decided(boxes[better], boxes[worse], scalars["iou_threshold"])]
        if not left.size:
            break
    return {**inputs, "boxes": boxes}


def _nudged(stream: Stream, boxes: NDArray[Any]) -> NDArray[Any]:
    """The boxes, moved by up to a tenth of their shorter side, and turned by as much at their ends."""
    change = stream.uniform(len(boxes) * 3, -0.1, 0.1, np.float64).reshape(-1, 3)
    shorter, longer = np.sort(np.abs(boxes[:, 2:4]), axis=1).T
    boxes[:, :2] += change[:, :2] * shorter[:, np.newaxis]
    boxes[:, 4] += 2 * change[:, 2] * shorter / longer
    return boxes


_BOX_BYTES = 244 * 4
"""A box while its overlap with the best one is computed."""
_SAVED_BYTES = 256 * 4
"""Indices of kept boxes that wait to be written."""
_SEGMENT = 64


def _core_boxes(device: Device, itemsize: int, scalars: Mapping[str, Scalar]) -> int:
    return (device.usable_nram_bytes - _SAVED_BYTES) // _BOX_BYTES // _SEGMENT * _SEGMENT


def _cluster_boxes(device: Device, itemsize: int, scalars: Mapping[str, Scalar]) -> int:
    return device.cores_per_cluster * _core_boxes(device, itemsize, scalars)


LIMITS = (
    Limit(
        "core_boxes",
        _core_boxes,
        "boxes that a core holds while it computes overlaps",
        "(NRAM - 128 KiB - 256 * 4 bytes) / (244 * 4 bytes), in whole runs of 64",
        "mlu-ops v1.11.1, nms_rotated_union1.mlu: 244 floats a box, 256 indices that wait to be written",
        dim="N",
    ),
    Limit(
        "cluster_boxes",
        _cluster_boxes,
        "boxes that the cores of a cluster hold",
        "core_boxes * cores of a cluster",
        "nms_rotated design document, 3.3",
        dim="N",
    ),
    Limit(
        "sram_boxes",
        lambda device, itemsize, scalars: _wrong_boxes.sram_boxes(device),
        "boxes that the SRAM of a cluster holds with their scores",
        "(SRAM - 128 KiB - 28 bytes) / 24 bytes",
        "mlu-ops v1.11.1, nms_rotated_union1.mlu: five numbers and a score a box, and seven numbers",
        dim="N",
    ),
)

OPERATOR = Operator(
    name="nms_rotated",
    functions=("mluOpNmsRotated",),
    dtypes=("float32",),
    dims=(
        Dim("N", "boxes", is_costly=True),
        Dim("box_dim", "columns of a box: 5, or 6 with a label", 5, accepts=(5, 6)),
    ),
    params=(
        Param(
            "iou_threshold",
            float,
            "a box goes where its IoU with a better one is greater",
            0.3,
            special=(0.0, 1.0, -1.0, np.inf, np.nan),
        ),
    ),
    inputs=(
        Tensor(
            "boxes",
            ("N", "box_dim"),
            "x, y, width, height, angle in radians[, label]",
            fill={"fill": "rotated_boxes"},
            special=dict.fromkeys((2, 3), (0.0, -1.0)),
        ),
        Tensor("scores", ("N",), "scores, distinct", fill={"fill": "distinct_uniform"}),
    ),
    outputs=(
        Tensor(
            "output", ("N",), "indices of the boxes that stay, best first", "int32", counted_by="result_num"
        ),
        Tensor("result_num", ("1",), "how many boxes stay", "int32", described=False),
    ),
    criteria=Criteria(
        measures=("diff3",), static={"int32": 0.0}, source="nms_rotated design document, 1.5.1"
    ),
    reference=_reference,
    theory=Theory(_operations, "gtest, nms_rotated.cpp:462-467: 60000 for each box that stays"),
    workspace_functions=("mluOpGetNmsRotatedWorkspaceSize",),
    least_workspace=lambda scalars, itemsize: int(scalars["N"] * (scalars["box_dim"] + 1)) * itemsize,
    fills={ROTATED_BOXES.name: ROTATED_BOXES},
    own_limits=LIMITS,
    settle=_settle,
    examine=_wrong_boxes.examine,
    compare=_wrong_boxes.compare,
    causes=_wrong_boxes.CAUSES,
)
