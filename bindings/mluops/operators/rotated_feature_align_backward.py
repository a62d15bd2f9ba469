"""mluOpRotatedFeatureAlignBackward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops.operators._call import Call

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle


def rotated_feature_align_backward(
    handle: Handle, top_output: Operand, bboxes: Operand, *, spatial_scale: float, points: int
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
    with Call(handle, top_output, bboxes) as call:
        top_output, bboxes = call.on_device(top_output), call.on_device(bboxes)
        bottom_input = call.output(top_output.shape, top_output.dtype)
        call.run(
            handle.library.mluOpRotatedFeatureAlignBackward,
            top_output.descriptor("NHWC"),
            top_output,
            bboxes.descriptor(),
            bboxes,
            spatial_scale,
            points,
            call.descriptor(bottom_input, "NHWC"),
            bottom_input,
        )
        return call.result(bottom_input)
