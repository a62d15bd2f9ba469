"""mluOpNmsRotated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

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
    library = handle.library
    with Call(handle, boxes, scores) as call:
        boxes, scores = call.on_device(boxes), call.on_device(scores)
        output = call.output((number,), np.int32)
        result_num = call.scratch((1,), np.int32)
        result_num.fill_bytes(0)  # the library does not write it where there are no boxes
        workspace = call.workspace(library.mluOpGetNmsRotatedWorkspaceSize, boxes.descriptor())
        call.run(
            library.mluOpNmsRotated,
            iou_threshold,
            boxes.descriptor(),
            boxes,
            scores.descriptor(),
            scores,
            workspace,
            workspace.nbytes,
            output.descriptor(),
            output,
            result_num,
        )
        return call.result(output.leading(int(result_num.numpy()[0])))
