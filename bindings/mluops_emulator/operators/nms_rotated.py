"""mluOpNmsRotated: keep the best box, drop the boxes that overlap it, and so on with what is left."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from mluops_emulator import checks
from mluops_emulator.descriptors import DTYPE_BYTES
from mluops_emulator.device import clusters_of
from mluops_emulator.operators.arrays import transpose
from mluops_emulator.operators.overlaps import Overlaps
from mluops_emulator.operators.tasks import even_shares

if TYPE_CHECKING:
    from mluops.constants import mluOpStatus_t

    from mluops_emulator.call import Call
    from mluops_emulator.device import DeviceModel
    from mluops_emulator.operators.arrays import Floats, Ints

_DESCRIPTORS = ("boxes_desc", "scores_desc", "output_desc")

WORKSPACE_CHECKS = checks.not_null("handle", "boxes_desc", "workspace_size")

CHECKS = (
    *checks.not_null("handle", *_DESCRIPTORS),
    checks.dtype_in("boxes_desc", checks.FLOAT),
    checks.dtype_in("scores_desc", checks.FLOAT),
    checks.dtype_in("output_desc", checks.INT32),
    *checks.rank_is(2, "boxes_desc"),
    *checks.rank_is(1, "scores_desc", "output_desc"),
    *checks.contiguous(*_DESCRIPTORS),
    *checks.dims_equal("scores_desc", (0,), "boxes_desc", (0,)),
    *checks.dims_equal("output_desc", (0,), "boxes_desc", (0,)),
    checks.dim_is("boxes_desc", 1, 5, 6),
    *checks.element_limit("boxes_desc"),
    checks.done_unless("there are boxes", lambda call: call["boxes_desc"].element_num != 0),
    *checks.not_null("boxes", "scores", "output", "result_num"),
    checks.workspace_given(),
)


def workspace_size(call: Call) -> mluOpStatus_t:
    """Bytes of the boxes and of one score each."""
    status = checks.verdict(WORKSPACE_CHECKS, call)
    if status is not None:
        return status
    boxes = call["boxes_desc"]
    elements = boxes.element_num + (boxes.dims[0] if boxes.dims else 0)
    size = elements * DTYPE_BYTES.get(boxes.dtype, 0)
    call.emulator.host.store(call["workspace_size"], ctypes.c_size_t, size, "workspace_size")
    return checks.SUCCESS


def nms(call: Call) -> mluOpStatus_t:
    return checks.launch(CHECKS, call, lambda: _run(call))


def _run(call: Call) -> None:
    boxes, number = call["boxes_desc"], call["boxes_desc"].dims[0]
    kernel(
        call.array("boxes", np.float32, boxes.dims),
        call.array("scores", np.float32, (number,)),
        call.array("workspace", np.float32, (boxes.element_num + number,), write=True),
        call.array("output", np.int32, (number,), write=True),
        call.array("result_num", np.int32, (1,), write=True),
        iou_threshold=call["iou_threshold"],
        cores=call.device.cores_per_cluster if clusters_of(call.job) else 1,
        device=call.device,
    )


ENTRY_POINTS = {
    "mluOpGetNmsRotatedWorkspaceSize": workspace_size,
    "mluOpNmsRotated": nms,
}

FLUSH = 256
"""Kept boxes that are written to memory together."""

FLOATS_PER_PAIR = 244
"""The number of floats that a core keeps for each box while it computes the overlap with the best one."""

SEGMENT = 64
"""Boxes are computed in whole runs of so many."""

OUT = -np.inf
"""The score of boxes that have been kept or dropped; boxes given it are never kept."""


@np.errstate(all="ignore")
def kernel(
    boxes: Floats,
    scores: Floats,
    workspace: Floats,
    output: Ints,
    result_num: Ints,
    *,
    iou_threshold: float,
    cores: int,
    device: DeviceModel,
) -> None:
    """Select boxes, the best first.

    Parameters
    ----------
    boxes : float32 [n, 5 or 6]
        Centre x and y, width, height, angle in radians, and perhaps a label, which counts for nothing.
    scores : float32 [n]
    workspace : float32 [boxes.size + n]
        The boxes, transposed, and their scores as they change.
    output : int32 [n]
        The first `result_num` are written.
    result_num : int32 [1]
        Written.
    cores : int
        How many share the boxes: one, or those of a cluster.
    """
    fields, live = workspace[: boxes.size].reshape(boxes.shape[::-1]), workspace[boxes.size :]
    transpose(boxes, fields)
    live[:] = selectable(scores)
    pairs = boxes_of_a_core(device) * cores
    overlaps = Overlaps(fields, live, iou_threshold, pairs)
    shares = even_shares(len(live), min(cores, len(live)))
    starts = [share.start for share in shares]
    best_of_share = [best_within(live, share) for share in shares]
    block = np.empty(FLUSH, np.int32)
    kept = 0
    while True:
        best = best_of(live, best_of_share)
        if live[best] == OUT:
            break
        block[kept % FLUSH] = best
        kept += 1
        if kept % FLUSH == 0:
            flush(block, output, kept)
        gone = np.append(overlaps.suppressed_by(best), best)
        live[gone] = OUT
        for core in np.unique(np.searchsorted(starts, gone, side="right") - 1):
            best_of_share[core] = best_within(live, shares[core])
    flush(block, output, kept)
    result_num[0] = kept


def boxes_of_a_core(device: DeviceModel) -> int:
    """Boxes that a core computes with at a time, beside the indices that wait to be written."""
    return (device.usable_nram_bytes - FLUSH * 4) // (FLOATS_PER_PAIR * 4) // SEGMENT * SEGMENT


def selectable(scores: Floats) -> Floats:
    """The scores as a maximum sees them: NaN is never one."""
    return np.where(np.isnan(scores), np.float32(OUT), scores)


def best_within(live: Floats, share: slice) -> int:
    """The box with the highest score of a core's share, the first of equals."""
    return int(share.start + np.argmax(live[share]))


def best_of(live: Floats, boxes: list[int]) -> int:
    """The box with the highest score, the first of equals."""
    return max(boxes, key=lambda box: live[box])


def flush(block: Ints, output: Ints, kept: int) -> None:
    """Write the last block of kept boxes, full or not."""
    first = max(kept - 1, 0) // FLUSH * FLUSH
    output[first:kept] = block[: kept - first]
