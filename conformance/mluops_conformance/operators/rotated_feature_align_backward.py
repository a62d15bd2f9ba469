"""rotated_feature_align_backward: a gradient scattered to the sample points of each pixel's box."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Mapping

import numpy as np
from mluops_reference import rotated_feature_align_backward, rotated_feature_align_backward_baseline

from mluops_conformance.judging.thresholds import POINTWISE
from mluops_conformance.operators._local_scale import (
    NEAR,
    UNIT_ROUNDOFF,
    add_neighbours,
    magnitude,
    shift_weight,
)
from mluops_conformance.operators._rotated_points import (
    ANCHOR_BOXES,
    BBOXES,
    DIMS,
    MAPS,
    PARAMS,
    channel_slice,
    criteria,
    points_of,
    samples_of,
)
from mluops_conformance.operators.base import (
    Arrays,
    Expectation,
    Operator,
    Reading,
    Scalar,
    Tensor,
    Theory,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


def _run(function: Callable[..., NDArray[Any]], inputs: Arrays, scalars: Mapping[str, Scalar]) -> Expectation:
    gradient = function(
        inputs["top_output"],
        inputs["bboxes"],
        spatial_scale=scalars["spatial_scale"],
        points=scalars["points"],
    )
    return Expectation({"bottom_input": gradient})


def _scale(
    inputs: Arrays,
    scalars: Mapping[str, Scalar],
    scatter: Callable[..., NDArray[Any]] = rotated_feature_align_backward,
) -> Expectation:
    """Scatters absolute values, 2 of which move between a pixel and those around it over a pixel."""
    maps, dtype = magnitude(inputs["top_output"]), inputs["top_output"].dtype
    scattered = _run(scatter, {**inputs, "top_output": maps}, scalars)
    absolute = scattered.outputs["bottom_input"]
    absolute[~np.isfinite(absolute)] = 0
    samples = samples_of(inputs["bboxes"], scalars, UNIT_ROUNDOFF["float32"])
    weights, far = 2 * shift_weight(samples.reach, dtype), samples.reach > NEAR * max(maps.shape[1:3])
    of_far = np.minimum(weights, 1 / POINTWISE[dtype.name])
    add_neighbours(absolute, np.add, weights[~far].max(initial=0))
    for sample in zip(*np.nonzero(far & samples.on_map)):
        absolute[samples.pixels(sample)] += of_far[sample] * maps[samples.source(sample)]
    return scattered


def _addends(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Arrays:
    """Return the addends of each pixel, [batch, height, width, 1]: its own gradient, and the samples that may
    have a share in it, wherever rounding moves them to.

    Each sample adds one to the rectangle of pixels that it may reach: at its corners, with signs, so that
    running sums fill it.
    """
    boxes = inputs["bboxes"]
    at = samples_of(boxes, scalars, UNIT_ROUNDOFF[boxes.dtype.name])
    batch, height, width = at.shape
    grid = np.zeros((batch, height + 1, width + 1), np.int64)
    for row, column, sign in (
        (at.top, at.left, 1),
        (at.top, at.right, -1),
        (at.bottom, at.left, -1),
        (at.bottom, at.right, 1),
    ):
        np.add.at(grid, (at.maps, row, column), sign)
    counts = 1 + grid.cumsum(axis=1).cumsum(axis=2)
    return {"bottom_input": counts[:, :height, :width, np.newaxis]}


OPERATIONS_OF_A_POINT = 4
"""In each channel; as many more where the point is on the map."""


def _operations(inputs: Arrays, scalars: Mapping[str, Scalar], outputs: Arrays) -> float:
    _, height, width, channels = inputs["top_output"].shape
    points = points_of(inputs["bboxes"].reshape(-1, 5), scalars["spatial_scale"])
    rows, columns = (axis[: int(scalars["points"])] for axis in points)
    on_map = (rows >= -1) & (rows <= height) & (columns >= -1) & (columns <= width)
    return float(OPERATIONS_OF_A_POINT * channels * (on_map.size + np.count_nonzero(on_map)))


_IN_HALF = partial(rotated_feature_align_backward, coordinates=np.float16)
_IN_FLOAT32 = partial(rotated_feature_align_backward, coordinates=np.float32)

OPERATOR = Operator(
    name="rotated_feature_align_backward",
    functions=("mluOpRotatedFeatureAlignBackward",),
    dtypes=("float32", "float16"),
    dims=DIMS,
    params=PARAMS,
    inputs=(
        Tensor(
            "top_output",
            MAPS,
            "gradient of the aligned maps",
            layout="NHWC",
            fill={"fill": "uniform", "range": (-1, 1)},
        ),
        BBOXES,
    ),
    outputs=(Tensor("bottom_input", MAPS, "gradient of the maps", layout="NHWC"),),
    criteria=criteria("RotatedFeatureAlignBackward design document, 1.5.1"),
    reference=partial(_run, rotated_feature_align_backward),
    baseline=partial(_run, rotated_feature_align_backward_baseline),
    interpretations={
        "half coordinates": Reading(
            partial(_run, _IN_HALF),
            partial(_run, partial(rotated_feature_align_backward_baseline, coordinates=np.float16)),
            partial(_scale, scatter=_IN_HALF),
            dtypes=("float16",),
        )
    },
    float32_coordinates=Reading(
        partial(_run, _IN_FLOAT32),
        partial(_run, rotated_feature_align_backward_baseline),
        partial(_scale, scatter=_IN_FLOAT32),
    ),
    scale=_scale,
    theory=Theory(
        _operations,
        "gtest, rotated_feature_align_backward.cpp:152-173: 4 an element and point, 8 where it is on the map",
    ),
    addends=_addends,
    atomic=True,
    channelwise=("top_output", "bottom_input"),
    fills={ANCHOR_BOXES.name: ANCHOR_BOXES},
    own_limits=(
        channel_slice(
            "mlu-ops v1.11.1; RotatedFeatureAlignBackward design document, 3.1 and 3.2: nram_split_deal_num"
        ),
    ),
)
