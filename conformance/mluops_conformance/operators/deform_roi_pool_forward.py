"""deform_roi_pool_forward: regions of a map, each bin moved by its offset, pooled to a fixed size."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Mapping

import numpy as np
from mluops_reference import deform_roi_pool_forward, deform_roi_pool_forward_baseline

from mluops_conformance.judging.thresholds import POINTWISE
from mluops_conformance.operators._local_scale import (
    NEAR,
    add_neighbours,
    magnitude,
    over_neighbours,
    reach,
    shift_weight,
)
from mluops_conformance.operators._pooled_rois import (
    DIMS,
    MAPS,
    PARAMS,
    REGIONS,
    ROIS,
    SCALARS,
    images_of,
    samples_of_bins,
    too_many_samples,
)
from mluops_conformance.operators.base import (
    Arrays,
    Criteria,
    Expectation,
    Implied,
    Operator,
    Reading,
    Reference,
    Scalar,
    Tensor,
    Theory,
)
from mluops_conformance.operators.limits import Device, Limit, whole_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray


def _run(function: Callable[..., NDArray[Any]], inputs: Arrays, scalars: Mapping[str, Scalar]) -> Expectation:
    keywords = {name: scalars[name] for name in SCALARS}
    return Expectation(
        {"output": function(inputs["input"], inputs["rois"], inputs.get("offset"), **keywords)}
    )


def _scale(
    inputs: Arrays,
    scalars: Mapping[str, Scalar],
    pool: Callable[..., NDArray[Any]] = deform_roi_pool_forward,
) -> Expectation:
    """Pools absolute values and a part of the greatest around each, 4 of which a sample gains in a pixel."""
    maps, dtype = magnitude(inputs["input"]), inputs["input"].dtype
    size = max(maps.shape[1:3])
    reaches = reach(inputs["rois"][:, 1:], scalars["spatial_scale"], size)
    weights, far = 4 * shift_weight(reaches, dtype), reaches > NEAR * size
    least = 1 / POINTWISE[dtype.name]
    pooling = partial(_run, pool)
    of_far = None
    if far.any():
        of_far = _far_scale(maps, _chosen(inputs, far), scalars, weights[far], 2 * least, pooling)
    add_neighbours(maps, np.maximum, weights[~far].max(initial=0))
    scale = pooling({**inputs, "input": maps}, scalars)
    if of_far is not None:
        scale.outputs["output"][far] = of_far
    return scale


def _chosen(inputs: Arrays, rois: NDArray[Any]) -> Arrays:
    return {name: array if name == "input" else array[rois] for name, array in inputs.items()}


def _far_scale(
    maps: NDArray[Any],
    inputs: Arrays,
    scalars: Mapping[str, Scalar],
    weights: NDArray[Any],
    most: float,
    pooling: Reference,
) -> NDArray[Any]:
    """Return the scale of regions whose numbers are far larger than the map, each with a weight of its own.

    A sample that moves by more than half a pixel may be anywhere: it is off by `most` times the greatest
    absolute value of its channel, which is twice that value over the floor of the threshold.
    """
    plain, around = (
        pooling({**inputs, "input": used}, scalars).outputs["output"]
        for used in (maps, over_neighbours(np.maximum, maps))
    )
    batch = images_of(inputs["rois"], len(inputs["rois"]))
    greatest = maps.max(axis=(1, 2)).astype(np.float64)[batch][:, np.newaxis, np.newaxis]
    weights = weights[:, np.newaxis, np.newaxis, np.newaxis]
    return plain + np.where(weights < most, weights * around, most * greatest)


def _addends(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Arrays:
    """Return how many samples each bin adds up, [num_rois, 1, 1, 1]."""
    samples = samples_of_bins(inputs["rois"], scalars)
    return {"output": np.maximum(samples, 1).reshape(-1, 1, 1, 1)}


OPERATIONS_OF_A_SAMPLE = 8
"""Operations on one channel: 4 products and 3 sums of the interpolation, and 1 to add it to the bin's."""


def _operations(inputs: Arrays, scalars: Mapping[str, Scalar], outputs: Arrays) -> float:
    """Each sample of each bin, and a division by their number; the same for every channel.

    Samples outside of the map count as well. Coordinates and weights, which all channels share, do not.
    """
    bins, channels = scalars["pooled_height"] * scalars["pooled_width"], scalars["channels"]
    samples = samples_of_bins(inputs["rois"], scalars)
    return float(channels * bins * (OPERATIONS_OF_A_SAMPLE * samples + 1).sum())


_CHANNEL_PARTS = 9
"""Results, and four neighbours twice: they are loaded while those before are added up."""


def _channel_slice(device: Device, itemsize: int, scalars: Mapping[str, Scalar]) -> int:
    return whole_vectors(device.usable_nram_bytes // _CHANNEL_PARTS, itemsize)


LIMITS = (
    Limit(
        "channel_slice",
        _channel_slice,
        "channels that a core takes at once",
        "(NRAM - 128 KiB) / 9, in whole vectors of 128 bytes",
        "DeformRoiPoolForward design document, 3.1: 8 channels <= nram_limit - channels_align",
        dim="channels",
    ),
)

_IN_HALF = partial(deform_roi_pool_forward, coordinates=np.float16)
_IN_FLOAT32 = partial(deform_roi_pool_forward, coordinates=np.float32)

OPERATOR = Operator(
    name="deform_roi_pool_forward",
    functions=("mluOpDeformRoiPoolForward",),
    dtypes=("float32", "float16"),
    dims=DIMS,
    params=PARAMS,
    inputs=(
        MAPS,
        *REGIONS,
    ),
    outputs=(
        Tensor(
            "output", ("num_rois", "pooled_height", "pooled_width", "channels"), "pooled maps", layout="NHWC"
        ),
    ),
    criteria=Criteria(
        measures=("diff1", "diff2"),
        rates={"diff1": 10, "diff2": 10},
        source="DeformRoiPoolForward design document, 1.5.1",
    ),
    reference=partial(_run, deform_roi_pool_forward),
    baseline=partial(_run, deform_roi_pool_forward_baseline),
    interpretations={
        "half coordinates": Reading(
            partial(_run, _IN_HALF),
            partial(_run, partial(deform_roi_pool_forward_baseline, coordinates=np.float16)),
            partial(_scale, pool=_IN_HALF),
            dtypes=("float16",),
        )
    },
    float32_coordinates=Reading(
        partial(_run, _IN_FLOAT32),
        partial(_run, deform_roi_pool_forward_baseline),
        partial(_scale, pool=_IN_FLOAT32),
    ),
    scale=_scale,
    addends=_addends,
    sums_over_scale=_addends,
    implied=Implied("rois", too_many_samples),
    theory=Theory(_operations, "the formula: 8 a sample and 1 a bin, in each channel (gtest has no count)"),
    channelwise=("input", "output"),
    rowwise=("rois", "offset", "output"),
    fills={ROIS.name: ROIS},
    own_limits=LIMITS,
)
