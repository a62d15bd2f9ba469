"""mluOpBoxIouRotated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mluops.calls import Call

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle

ACCEPTS = {"bbox1": ("float32",), "bbox2": ("float32",)}


def box_iou_rotated(
    handle: Handle,
    bbox1: Operand,
    bbox2: Operand,
    *,
    mode: int = 0,
    aligned: bool = False,
    out: Operand | None = None,
    synchronize: bool = True,
) -> Operand:
    """Return the overlap of rotated boxes.

    Parameters
    ----------
    handle : Handle
    bbox1 : DeviceArray or ndarray, float32 [n, 5]
    bbox2 : DeviceArray or ndarray, float32 [m, 5]
        x, y, width, height, angle in radians.
    mode : int
        0: intersection over union; 1: intersection over the area of the first box.
    aligned : bool
        True: box i of both, which are of one number; False: every pair.

    Returns
    -------
    DeviceArray or ndarray, float32, [n] where aligned, else [n, m]
        `ious`.

    Raises
    ------
    MluOpError
        For what the library refuses.
    """
    call = Call(handle, "mluOpBoxIouRotated", accepts=ACCEPTS, synchronize=synchronize)
    call.give(bbox1=bbox1, bbox2=bbox2, mode=mode, aligned=aligned)
    n, _ = call.lengths("bbox1", "n 5")
    m, _ = call.lengths("bbox2", "m 5")
    call.output("ious", (n,) if aligned else (n, m), np.float32, out)
    return call.run()["ious"]
