"""rotated_feature_align_forward: a map to which the samples at the points of each pixel's box are added."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Mapping

import numpy as np
from mluops_reference import rotated_feature_align_forward, rotated_feature_align_forward_baseline

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
    Samples,
    channel_slice,
    criteria,
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
    aligned = function(
        inputs["input"], inputs["bboxes"], spatial_scale=scalars["spatial_scale"], points=scalars["points"]
    )
    return Expectation({"output": aligned})


def _scale(
    inputs: Arrays,
    scalars: Mapping[str, Scalar],
    align: Callable[..., NDArray[Any]] = rotated_feature_align_forward,
) -> Expectation:
    """Aligns absolute values, and samples a part of the greatest around each, 4 of which a sample gains in a
    pixel. A pixel's own value takes no part in that.
    """
    maps, dtype = magnitude(inputs["input"]), inputs["input"].dtype
    samples = samples_of(inputs["bboxes"], scalars, UNIT_ROUNDOFF["float32"])
    weights, far = 4 * shift_weight(samples.reach, dtype), samples.reach > NEAR * max(maps.shape[1:3])
    sampled = maps.copy()
    add_neighbours(sampled, np.maximum, weights[~far].max(initial=0))
    scale = _run(align, {**inputs, "input": sampled}, scalars)
    absolute = scale.outputs["output"]
    absolute -= sampled - maps
    absolute[~np.isfinite(absolute)] = 0
    _add_far(absolute, maps, samples, far, np.minimum(weights, 2 / POINTWISE[dtype.name]))
    return scale


def _add_far(
    absolute: NDArray[Any], maps: NDArray[Any], samples: Samples, far: NDArray[Any], weights: NDArray[Any]
) -> None:
    """Add to pixels that sample from afar the greatest value that each such sample may meet."""
    for sample in zip(*np.nonzero(far & samples.on_map)):
        greatest = maps[samples.pixels(sample)].max(axis=(0, 1))
        absolute[samples.source(sample)] += weights[sample] * greatest


CORNERS = 4


def _addends(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Arrays:
    """Return the addends of each pixel, [batch, height, width, 1]: itself and the corners of its samples.

    A sample counts where rounding may move it onto the map.
    """
    boxes = inputs["bboxes"]
    samples = samples_of(boxes, scalars, UNIT_ROUNDOFF[boxes.dtype.name])
    counts = 1 + CORNERS * samples.on_map.sum(axis=0)
    return {"output": counts.reshape(*boxes.shape[:3], 1)}


def _operations(inputs: Arrays, scalars: Mapping[str, Scalar], outputs: Arrays) -> float:
    return float(inputs["input"].size * scalars["points"])


_IN_HALF = partial(rotated_feature_align_forward, coordinates=np.float16)
_IN_FLOAT32 = partial(rotated_feature_align_forward, coordinates=np.float32)

OPERATOR = Operator(
    name="rotated_feature_align_forward",
    functions=("mluOpRotatedFeatureAlignForward",),
    dtypes=("float32", "float16"),
    dims=DIMS,
    params=PARAMS,
    inputs=(
        Tensor(
            "input",
            MAPS,
            "feature maps",
            layout="NHWC",
            fill={"fill": "uniform", "range": (-1, 1)},
        ),
        BBOXES,
    ),
    outputs=(Tensor("output", MAPS, "aligned feature maps", layout="NHWC"),),
    criteria=criteria("rotated_feature_align_forward design document, 1.5.1"),
    reference=partial(_run, rotated_feature_align_forward),
    baseline=partial(_run, rotated_feature_align_forward_baseline),
    interpretations={
        "half coordinates": Reading(
            partial(_run, _IN_HALF),
            partial(_run, partial(rotated_feature_align_forward_baseline, coordinates=np.float16)),
            partial(_scale, align=_IN_HALF),
            dtypes=("float16",),
        )
    },
    float32_coordinates=Reading(
        partial(_run, _IN_FLOAT32),
        partial(_run, rotated_feature_align_forward_baseline),
        partial(_scale, align=_IN_FLOAT32),
    ),
    scale=_scale,
    theory=Theory(_operations, "gtest, rotated_feature_align_forward.cpp: 1 an element and point"),
    addends=_addends,
    channelwise=("input", "output"),
    fills={ANCHOR_BOXES.name: ANCHOR_BOXES},
    own_limits=(channel_slice("rotated_feature_align_forward design document, 3.4"),),
)
