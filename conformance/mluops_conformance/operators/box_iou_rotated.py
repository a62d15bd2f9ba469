"""box_iou_rotated: the overlap of rotated boxes, box by box or of every pair."""

from __future__ import annotations

from itertools import product
from typing import Iterator, Mapping, Sequence

import numpy as np
from mluops_reference import box_iou_rotated
from mluops_reference.float32_hull import hull_area, is_certain

from mluops_conformance.operators._wrong_boxes import (
    CAUSES,
    HULL,
    MOST_UNEXPLAINED,
    RARE_ROUNDINGS,
    ROUNDINGS,
    blame,
)
from mluops_conformance.operators.base import (
    Arrays,
    Criteria,
    Dim,
    Expectation,
    Finding,
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


ROUNDING = 1e-4
"""An overlap that is off by more is examined; so near a float32 hull has to come to explain it."""

_PAIRS = 64
"""Pairs that are examined at once."""


def _examine(
    inputs: Arrays, scalars: Mapping[str, Scalar], outputs: Arrays, device: Device
) -> Sequence[Finding]:
    """Return which overlaps are wrong, and of which of them a float32 hull gives the very value."""
    exact = _reference(inputs, scalars).outputs["ious"].reshape(-1)
    got = outputs["ious"].reshape(-1).astype(np.float64)
    with np.errstate(invalid="ignore"):
        differs = ~((np.abs(got - exact) <= ROUNDING) | (got == exact) | (np.isnan(got) & np.isnan(exact)))
    wrong = np.flatnonzero(differs)
    if not wrong.size:
        return [Finding(f"no overlap is off by more than {ROUNDING:g}, but all together are too far off")]
    first, second = _pairs(inputs, scalars, wrong)
    found: list[Finding] = []
    seen = 0
    while seen < len(wrong) and sum(not finding.cause for finding in found) < MOST_UNEXPLAINED:
        part = slice(seen, seen + _PAIRS)
        found += _findings(first[part], second[part], wrong[part], got, exact, int(scalars["mode"]))
        seen += _PAIRS
    found.sort(key=lambda finding: finding.cause)  # what nothing explains comes first
    if seen < len(wrong):
        found.append(Finding(f"{len(wrong) - seen} more overlaps are off"))
    return found


def _pairs(
    inputs: Arrays, scalars: Mapping[str, Scalar], places: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = (places, places) if scalars["aligned"] else divmod(places, len(inputs["bbox2"]))
    return inputs["bbox1"][rows], inputs["bbox2"][columns]


def _findings(
    first: np.ndarray,
    second: np.ndarray,
    places: np.ndarray,
    got: np.ndarray,
    exact: np.ndarray,
    mode: int,
) -> Iterator[Finding]:
    explained = _hull_gives(first, second, got[places], mode)
    for pair, place in enumerate(places):
        cause = HULL if explained[pair] else ""
        told = blame(cause, first[pair], second[pair])
        yield Finding(f"overlap {place} is {got[place]:.9g} and not {exact[place]:.9g}: {told}", cause)


def _hull_gives(first: np.ndarray, second: np.ndarray, got: np.ndarray, mode: int) -> np.ndarray:
    """Mark the pairs of which a float32 hull, or fan, has the overlap `got` in one of several roundings."""
    given = np.zeros(len(got), bool)
    with np.errstate(all="ignore"):
        for seed, reciprocal, fan in product(ROUNDINGS, (False, True), (False, True)):
            values = _hull_overlap(first, second, mode, seed, reciprocal, fan)
            given |= np.abs(values - got) <= ROUNDING
        exact = box_iou_rotated(first, second, mode=0, aligned=True)
        doubtful = np.flatnonzero(~given & ~is_certain(first, second, exact, 0.0))
        for pair, fan in product(doubtful, (False, True)):
            one, other = (
                np.repeat(side[pair : pair + 1], RARE_ROUNDINGS, axis=0) for side in (first, second)
            )
            values = _hull_overlap(one, other, mode, 0, False, fan)
            given[pair] |= (np.abs(values - got[pair]) <= ROUNDING).any()
    return given


def _hull_overlap(
    first: np.ndarray, second: np.ndarray, mode: int, seed: int | None, reciprocal: bool, fan: bool
) -> np.ndarray:
    shared = hull_area(first, second, seed, reciprocal=reciprocal, fan=fan)
    one, other = first[:, 2] * first[:, 3], second[:, 2] * second[:, 3]
    overlap: np.ndarray = shared / (one if mode else one + other - shared)
    return overlap


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
    examine=_examine,
    causes={HULL: CAUSES[HULL]},
)
