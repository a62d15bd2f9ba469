"""deform_roi_pool_backward: gradients of bins, sent to the pixels that they sampled and to their offsets."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Mapping

import numpy as np
from mluops_reference import (
    deform_roi_pool_backward,
    deform_roi_pool_backward_baseline,
    deform_roi_pool_forward,
)

from mluops_conformance.judging.rounding import OWN_ROUNDINGS, unit_roundoff
from mluops_conformance.judging.thresholds import POINTWISE
from mluops_conformance.operators._local_scale import (
    NEAR,
    ROUNDINGS,
    UNIT_ROUNDOFF,
    add_neighbours,
    magnitude,
    over_neighbours,
    shift_weight,
)
from mluops_conformance.operators._pooled_rois import (
    DIMS,
    MAPS,
    PARAMS,
    REGIONS,
    ROIS,
    SCALARS,
    Grids,
    bins_by_image,
    grids_of,
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
    Scalar,
    Tensor,
    Theory,
)
from mluops_conformance.operators.limits import ALIGNMENT, Device, Limit, whole_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

Pool = Callable[..., Any]


def _run(function: Pool, inputs: Arrays, scalars: Mapping[str, Scalar]) -> Expectation:
    keywords = {name: scalars[name] for name in SCALARS}
    given = (inputs["grad_output"], inputs["input"], inputs["rois"], inputs.get("offset"))
    gradients = function(*given, **keywords)
    outputs = {"grad_input": gradients.grad_input}
    if gradients.grad_offset is not None:
        outputs["grad_offset"] = gradients.grad_offset
    return Expectation(outputs)


def _scale(
    inputs: Arrays,
    scalars: Mapping[str, Scalar],
    backward: Pool = deform_roi_pool_backward,
    forward: Pool = deform_roi_pool_forward,
) -> Expectation:
    """Return what absolute values add up to, and what they gain where rounding moves samples."""
    gradients = magnitude(inputs["grad_output"])
    grids = grids_of(inputs, scalars, inputs["input"].shape[1:3])
    scale = {"grad_input": _scale_of_pixels(gradients, inputs, scalars, grids, backward)}
    if "offset" in inputs:
        scale["grad_offset"] = _scale_of_offsets(gradients, inputs, scalars, grids, forward)
    return Expectation(scale)


def _scale_of_pixels(
    gradients: NDArray[Any], inputs: Arrays, scalars: Mapping[str, Scalar], grids: Grids, backward: Pool
) -> NDArray[Any]:
    """Scatters absolute values, 2 of which move between a pixel and those around it over a pixel."""
    maps, dtype = inputs["input"], inputs["input"].dtype
    weights, far = 2 * shift_weight(grids.reach, dtype), grids.reach > NEAR * max(maps.shape[1:3])
    zeros = np.broadcast_to(np.float32(0), maps.shape)

    def scattered(values: NDArray[Any]) -> NDArray[Any]:
        given = {**inputs, "grad_output": values, "input": zeros}
        absolute: NDArray[Any] = _run(partial(backward, of_offset=False), given, scalars).outputs[
            "grad_input"
        ]
        absolute[~np.isfinite(absolute)] = 0
        return absolute

    absolute = scattered(gradients)
    add_neighbours(absolute, np.add, weights[~far].max(initial=0))
    if far.any():
        weights = np.where(far, np.minimum(weights, 1 / POINTWISE[dtype.name]), 0)
        weights = weights.reshape(*gradients.shape[:3], 1)
        absolute += over_neighbours(np.add, scattered(weights * gradients))
        _add_lost(absolute, gradients / POINTWISE[dtype.name], inputs["rois"], grids)
    return absolute


LOST = 0.5
"""Map pixels: a sample that rounding moves by more may be on any pixel within that distance."""


def _add_lost(absolute: NDArray[Any], gradients: NDArray[Any], rois: NDArray[Any], grids: Grids) -> None:
    """Add the gradients of bins with lost samples to each pixel that one of them may be on."""
    lost = np.flatnonzero(grids.shift > LOST)
    rows, columns = (axis.select(lost).of_pixels(grids.shift[lost]) > 0 for axis in (grids.y, grids.x))
    images = images_of(rois, len(grids.shift))[lost]
    own = gradients.reshape(-1, gradients.shape[3])[lost]
    for image, row, column, gradient in zip(images, rows, columns, own):
        absolute[image][row[:, np.newaxis] & column] += gradient


LEVERS, LEVERS_BEYOND = 2, 6
"""Cells' absolute values that a sample's derivative adds up: along the axis two lines, which the other axis
weighs by 1 in all between two pixels, and by up to 3 in all between a last pixel and the limit of the map."""


def _scale_of_offsets(
    gradients: NDArray[Any], inputs: Arrays, scalars: Mapping[str, Scalar], grids: Grids, forward: Pool
) -> NDArray[Any]:
    """Pools the greatest absolute values around, of which a derivative has a multiple.

    Added are what a sample gains where rounding moves it within its cell or changes its region's side, and
    all of it where rounding may move it into another cell: the derivative jumps from cell to cell.
    """
    maps, dtype = magnitude(inputs["input"]), inputs["input"].dtype
    least, keywords = POINTWISE[dtype.name], {name: scalars[name] for name in SCALARS}
    gamma = abs(float(scalars["gamma"]))
    with np.errstate(all="ignore"):
        pooled = forward(over_neighbours(np.maximum, maps), inputs["rois"], inputs["offset"], **keywords)
        shares = np.einsum("rijc,rijc->rij", pooled, gradients).reshape(-1)
        jumps = _jumps(maps, gradients, inputs["rois"], grids) / (OWN_ROUNDINGS * unit_roundoff(dtype))
        sides = gamma * np.abs(grids.sides)
        levers = [np.where(axis.beyond_pixels(), LEVERS_BEYOND, LEVERS) for axis in (grids.y, grids.x)]
        within = (
            sides * (levers + 4 * shift_weight(grids.reach, dtype)) + gamma * grids.shift / least * levers
        )
        scale = within * shares + sides * jumps
    return np.moveaxis(scale.reshape(2, *gradients.shape[:3]), 0, 1)


def _jumps(maps: NDArray[Any], gradients: NDArray[Any], rois: NDArray[Any], grids: Grids) -> NDArray[Any]:
    """Return by how much the derivatives of bins may jump: [bins].

    That is the share of their samples that may be in another cell, times the most that a derivative can be.
    """
    share = np.zeros(len(grids.shift))
    for axis in (grids.y, grids.x):
        share += axis.on_lines(grids.shift) / np.maximum(axis.number, 1)
    share = np.where(grids.shift > LOST, 1, np.minimum(share, 1) * grids.doubtful)
    greatest = maps.max(axis=(1, 2)).astype(np.float64)[images_of(rois, len(rois))]
    most = LEVERS_BEYOND * np.einsum("rijc,rc->rij", gradients, greatest).reshape(-1)
    jumps: NDArray[Any] = share * most
    return jumps


def _addends(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Arrays:
    """Return how many values each element adds up.

    A pixel adds up the samples that may have a share in it, wherever rounding moves them: [batches, height,
    width, 1]. An offset's gradient adds up the channels of a sample, first vectors and then the lanes of one
    as the document has it, and then the samples: [num_rois, 1, 1, 1].
    """
    batches, height, width, channels = inputs["input"].shape
    grids, dtype = grids_of(inputs, scalars, (height, width)), inputs["input"].dtype
    shifts = ROUNDINGS * UNIT_ROUNDOFF[dtype.name] * grids.reach
    counts = np.zeros((batches, height, width, 1))
    for image, bins in bins_by_image(inputs["rois"], len(shifts), height + width):
        rows, columns = (axis.select(bins).of_pixels(shifts[bins]) for axis in (grids.y, grids.x))
        counts[image, :, :, 0] += rows.T @ columns
    lanes = ALIGNMENT // dtype.itemsize
    samples = samples_of_bins(inputs["rois"], scalars)
    additions = samples + -(-channels // lanes) + min(lanes, channels)
    return {"grad_input": counts, "grad_offset": additions.reshape(-1, 1, 1, 1)}


OPERATIONS_OF_A_SAMPLE, MORE_WITH_OFFSET = 13, 28
"""In each channel, of a sample on the map."""


def _operations(inputs: Arrays, scalars: Mapping[str, Scalar], outputs: Arrays) -> float:
    _, height, width, channels = inputs["input"].shape
    grids = grids_of(inputs, scalars, (height, width))
    samples = (grids.y.on_map() * grids.x.on_map()).sum()
    return float(channels * samples * (OPERATIONS_OF_A_SAMPLE + MORE_WITH_OFFSET * ("offset" in inputs)))


def _slice_of(parts: int) -> Callable[[Device, int, Mapping[str, Scalar]], int]:
    return lambda device, itemsize, scalars: whole_vectors(device.usable_nram_bytes // parts, itemsize)


_SOURCE = "mlu-ops v1.11.1, deform_roi_pool_union1.mlu; DeformRoiPoolBackward design document, 3.4"

LIMITS = (
    Limit(
        "channel_slice",
        _slice_of(5),
        "channels that a core takes at once without offset",
        "(NRAM - 128 KiB) / 5, in whole vectors of 128 bytes",
        _SOURCE,
        dim="channels",
    ),
    Limit(
        "offset_channel_slice",
        _slice_of(13),
        "channels that a core takes at once with offset",
        "(NRAM - 128 KiB) / 13, in whole vectors of 128 bytes",
        _SOURCE,
        dim="channels",
    ),
)


def _reading(coordinates: Any, baseline: Pool, *dtypes: str) -> Reading:
    """Return the formula with sample coordinates of a dtype."""
    backward, forward = (
        partial(function, coordinates=coordinates)
        for function in (deform_roi_pool_backward, deform_roi_pool_forward)
    )
    return Reading(
        partial(_run, backward),
        partial(_run, baseline),
        partial(_scale, backward=backward, forward=forward),
        dtypes,
    )


OPERATOR = Operator(
    name="deform_roi_pool_backward",
    functions=("mluOpDeformRoiPoolBackward",),
    dtypes=("float32", "float16"),
    dims=DIMS,
    params=PARAMS,
    inputs=(
        Tensor(
            "grad_output",
            ("num_rois", "pooled_height", "pooled_width", "channels"),
            "gradient of the pooled maps",
            layout="NHWC",
            fill={"fill": "uniform", "range": (-1, 1)},
        ),
        MAPS,
        *REGIONS,
    ),
    outputs=(
        Tensor("grad_input", ("batches", "hi", "wi", "channels"), "gradient of the maps", layout="NHWC"),
        Tensor(
            "grad_offset",
            ("num_rois", "2", "pooled_height", "pooled_width"),
            "gradient of the shifts",
            optional=True,
            only_with="offset",
        ),
    ),
    criteria=Criteria(
        measures=("diff1", "diff2", "diff4"),
        rates={"diff1": 10, "diff2": 10, "diff4": 1},
        by_series={"MLU2": ("diff1", "diff2")},
        source="DeformRoiPoolBackward design document, 1.5.1",
    ),
    reference=partial(_run, deform_roi_pool_backward),
    baseline=partial(_run, deform_roi_pool_backward_baseline),
    interpretations={
        "half coordinates": _reading(
            np.float16, partial(deform_roi_pool_backward_baseline, coordinates=np.float16), "float16"
        )
    },
    float32_coordinates=_reading(np.float32, deform_roi_pool_backward_baseline),
    scale=_scale,
    addends=_addends,
    atomic=True,
    implied=Implied("rois", too_many_samples),
    theory=Theory(
        _operations,
        "gtest, deform_roi_pool_backward.cpp: in each channel 13 a sample on the map, 28 more with offset",
    ),
    channelwise=("grad_output", "input", "grad_input"),
    fills={ROIS.name: ROIS},
    own_limits=LIMITS,
)
