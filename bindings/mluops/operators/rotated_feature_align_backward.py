"""mluOpRotatedFeatureAlignBackward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops.calls import Call

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle
    from mluops.workspace import Scratch

LAYOUTS = {"top_output": "NHWC", "bottom_input": "NHWC"}
FLOATS = ("float32", "float16")
ACCEPTS = {"top_output": FLOATS, "bboxes": FLOATS}


def rotated_feature_align_backward(
    handle: Handle,
    top_output: Operand,
    bboxes: Operand,
    *,
    spatial_scale: float,
    points: int,
    out: Operand | None = None,
    workspace: Scratch | None = None,
    synchronize: bool = True,
) -> Operand:
    """Send the gradient of feature alignment back to the cells that the rotated boxes sampled.

    Parameters
    ----------
    handle : Handle
    top_output : DeviceArray or ndarray, float16 or float32 [N, H, W, C]
        The gradient of the aligned features.
    bboxes : DeviceArray or ndarray, dtype of `top_output`, [N, H, W, 5]
        Centre y, x, width, height and angle in radians.
    spatial_scale : float
        Cells of the feature map to a unit of `bboxes`; rounded to float32.
    points : int
        Sampling points of a box: 1, its centre, or 5, its corners too.

    Returns
    -------
    DeviceArray or ndarray, dtype and shape of `top_output`
        `bottom_input`, the gradient of the features.

    Raises
    ------
    MluOpError
        For what the library refuses.
    """
    call = Call(
        handle,
        "mluOpRotatedFeatureAlignBackward",
        layouts=LAYOUTS,
        accepts=ACCEPTS,
        workspace=workspace,
        synchronize=synchronize,
    )
    call.give(top_output=top_output, bboxes=bboxes, spatial_scale=spatial_scale, points=points)
    shape = call.lengths("top_output", "N H W C")
    call.output("bottom_input", shape, call.like("top_output"), out)
    return call.run()["bottom_input"]
