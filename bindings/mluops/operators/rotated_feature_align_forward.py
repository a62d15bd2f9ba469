"""mluOpRotatedFeatureAlignForward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops.calls import Call

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle
    from mluops.workspace import Scratch

LAYOUTS = {"input": "NHWC", "output": "NHWC"}
FLOATS = ("float32", "float16")
ACCEPTS = {"input": FLOATS, "bboxes": FLOATS}


def rotated_feature_align_forward(
    handle: Handle,
    input: Operand,
    bboxes: Operand,
    *,
    spatial_scale: float,
    points: int,
    out: Operand | None = None,
    workspace: Scratch | None = None,
    synchronize: bool = True,
) -> Operand:
    """Add to each pixel of a feature map its samples at the points of the rotated box that belongs to it.

    Parameters
    ----------
    handle : Handle
    input : DeviceArray or ndarray, float16 or float32 [N, H, W, C]
    bboxes : DeviceArray or ndarray, dtype of `input`, [N, H, W, 5]
        Centre y, x, width, height and angle in radians.
    spatial_scale : float
        Cells of the feature map to a unit of `bboxes`; rounded to float32.
    points : int
        Sampling points of a box: 1, its centre, or 5, its corners too. A point outside the map adds nothing.

    Returns
    -------
    DeviceArray or ndarray, dtype and shape of `input`
        `output`, which may not be `input`.

    Raises
    ------
    MluOpError
        For what the library refuses.
    """
    call = Call(
        handle,
        "mluOpRotatedFeatureAlignForward",
        layouts=LAYOUTS,
        accepts=ACCEPTS,
        workspace=workspace,
        synchronize=synchronize,
    )
    call.give(input=input, bboxes=bboxes, spatial_scale=spatial_scale, points=points)
    shape = call.lengths("input", "N H W C")
    call.output("output", shape, call.like("input"), out)
    return call.run()["output"]
