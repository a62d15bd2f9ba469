"""mluOpNmsRotated."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from mluops.constants import cnrtMemTransDir_t
from mluops.operators._call import Call, lengths

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle


def nms_rotated(handle: Handle, boxes: Operand, scores: Operand, iou_threshold: float) -> Operand:
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
        Indices of the boxes kept, by descending score.

    Raises
    ------
    MluOpError
        For what the library refuses.
    """
    number, _ = lengths("boxes", boxes, "N box_dim")
    with Call(handle, boxes, scores) as call:
        library = call.library
        boxes, scores = call.on_device(boxes), call.on_device(scores)
        output, result_num = call.output((number,), np.int32), call.scratch(4)
        library.cnrtMemset.checked(result_num, 0, 4)  # it is not written where there are no boxes
        workspace, workspace_size = call.workspace(
            library.mluOpGetNmsRotatedWorkspaceSize, boxes.descriptor()
        )
        call.run(
            library.mluOpNmsRotated,
            iou_threshold,
            boxes.descriptor(),
            boxes,
            scores.descriptor(),
            scores,
            workspace,
            workspace_size,
            call.descriptor(output),
            output,
            result_num,
        )
        kept = ctypes.c_int32()
        library.cnrtMemcpy.checked(ctypes.byref(kept), result_num, 4, cnrtMemTransDir_t.cnrtMemcpyDevToHost)
        output.truncate(kept.value)
        return call.result(output)
