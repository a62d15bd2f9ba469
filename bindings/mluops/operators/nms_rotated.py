"""mluOpNmsRotated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mluops.array import DeviceArray
from mluops.calls import Call
from mluops.selection import Selection

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle
    from mluops.workspace import Scratch

ACCEPTS = {"boxes": ("float32",), "scores": ("float32",)}


def nms_rotated(
    handle: Handle,
    boxes: Operand,
    scores: Operand,
    iou_threshold: float,
    *,
    out: Operand | Selection | None = None,
    workspace: Scratch | None = None,
    synchronize: bool = True,
) -> Operand | Selection:
    """Select boxes by their scores, each suppressing later ones that overlap it by more than a threshold.

    Parameters
    ----------
    handle : Handle
    boxes : DeviceArray or ndarray, float32 [N, 5] or [N, 6]
        Centre x, y, width, height, angle in radians, and a label, which is ignored.
    scores : DeviceArray or ndarray, float32 [N]
    iou_threshold : float
        Rounded to float32.

    Returns
    -------
    DeviceArray or ndarray, int32 [result_num]
        Indices of the boxes kept, by descending score: a view of `out` where that is given. With
        `synchronize=False` a `Selection`, whose `result()` waits for it, and which `out` takes again.

    Raises
    ------
    MluOpError
        For what the library refuses.
    """
    call = Call(handle, "mluOpNmsRotated", accepts=ACCEPTS, workspace=workspace, synchronize=synchronize)
    call.give(boxes=boxes, scores=scores, iou_threshold=iou_threshold)
    number, _ = call.lengths("boxes", "N box_dim")
    output, count = (out.output, out.count) if isinstance(out, Selection) else (out, None)
    call.output("output", (number,), np.int32, output)
    call.output("result_num", (1,), np.int32, count, zeroed=True)  # not written where there are no boxes
    return _selected(handle, call.run(), synchronize)


def _selected(handle: Handle, results: dict[str, Any], synchronize: bool) -> Operand | Selection:
    output, count = results["output"], results["result_num"]
    if not synchronize:
        return Selection(handle, output, count)
    kept = count.numpy() if isinstance(count, DeviceArray) else count
    selected: Operand = output[: int(kept[0])]
    return selected
