"""box_iou_rotated: the overlap of rotated boxes, box by box or of every pair."""

from __future__ import annotations

from typing import Mapping

import numpy as np
from mluops_reference import box_iou_rotated

from mluops_conformance.operators.base import (
    Arrays,
    Criteria,
    Dim,
    Expectation,
    Operator,
    Param,
    Scalar,
    Tensor,
    Theory,
)
from mluops_conformance.operators.limits import Device, Limit
from mluops_conformance.operators.nms_rotated import ROTATED_BOXES


def _reference(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Expectation:
    ious = box_iou_rotated(**inputs, mode=int(scalars["mode"]), aligned=bool(scalars["aligned"]))
    return Expectation({"ious": ious})


def _scale(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Expectation:
    """Return 1 everywhere: a ratio of areas is off by a share of the larger box, whatever its own size."""
    shape = (len(inputs["bbox1"]),) if scalars["aligned"] else (len(inputs["bbox1"]), len(inputs["bbox2"]))
    return Expectation({"ious": np.ones(shape)})


OPERATIONS_ALIGNED, OPERATIONS_OF_A_PAIR = 60_000, 66_000


def _operations(inputs: Arrays, scalars: Mapping[str, Scalar], outputs: Arrays) -> float:
    each = OPERATIONS_ALIGNED if scalars["aligned"] else OPERATIONS_OF_A_PAIR
    return float(each * outputs["ious"].size)


_SEGMENT = 64
_BOX_BYTES, _ALIGNED_BYTES = 258 * 4, 260 * 4


def _batch(nbytes: int, device: Device) -> int:
    return device.usable_nram_bytes // nbytes // _SEGMENT * _SEGMENT


LIMITS = (
    Limit(
        "core_boxes",
        lambda device, itemsize, scalars: _batch(_BOX_BYTES, device),
        "boxes of bbox2 that a core holds at once",
        "(NRAM - 128 KiB) / (258 * 4 bytes), in whole runs of 64",
        "box_iou_rotated design document, 3.4",
        dim="m",
    ),
    Limit(
        "core_pairs",
        lambda device, itemsize, scalars: _batch(_ALIGNED_BYTES, device),
        "aligned boxes that a core holds at once",
        "(NRAM - 128 KiB) / (260 * 4 bytes), in whole runs of 64",
        "box_iou_rotated design document, 3.4",
        dim="n",
    ),
)

NOT_FINITE = dict.fromkeys(range(5), (np.nan, np.inf, -np.inf))
"""Any number of a box: `special.yaml` says what holds then."""

OPERATOR = Operator(
    name="box_iou_rotated",
    functions=("mluOpBoxIouRotated",),
    dtypes=("float32",),
    dims=(
        Dim("n", "first boxes", is_costly=True),
        Dim(
            "m",
            "second boxes; as many as the first where they are aligned",
            same_as="n where aligned",
            is_costly=True,
        ),
        Dim("aligned", "1: box by box; 0: every pair", 0, accepts=(0, 1)),
    ),
    params=(Param("mode", int, "0: over the union; 1: over the first box", 0, accepts=(0, 1)),),
    inputs=(
        Tensor(
            "bbox1",
            ("n", "5"),
            "x, y, width, height, angle in radians",
            fill={"fill": "rotated_boxes", "center": (0, 40)},
            special=NOT_FINITE,
        ),
        Tensor(
            "bbox2",
            ("m", "5"),
            "x, y, width, height, angle in radians",
            fill={"fill": "rotated_boxes", "center": (0, 40)},
            special=NOT_FINITE,
        ),
    ),
    outputs=(Tensor("ious", ("n", "m unless aligned"), "overlaps"),),
    criteria=Criteria(
        measures=("diff1", "diff2"),
        static={"float32": 3e-3},
        source="box_iou_rotated design document, 1.5.1",
    ),
    reference=_reference,
    scale=_scale,
    theory=Theory(_operations, "gtest, box_iou_rotated.cpp: 60000 an aligned pair, 66000 any other"),
    fills={ROTATED_BOXES.name: ROTATED_BOXES},
    own_limits=LIMITS,
)
