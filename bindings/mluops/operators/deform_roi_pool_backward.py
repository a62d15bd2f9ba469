"""mluOpDeformRoiPoolBackward."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mluops.calls import Call
from mluops.operands import several

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle
    from mluops.workspace import Scratch

LAYOUTS = {"grad_output": "NHWC", "input": "NHWC", "grad_input": "NHWC"}
FLOATS = ("float32", "float16")
ACCEPTS = {"grad_output": FLOATS, "input": FLOATS, "rois": FLOATS, "offset": FLOATS}


class PoolingGradients(NamedTuple):
    """The outputs of `deform_roi_pool_backward`.

    Attributes
    ----------
    grad_input : DeviceArray or ndarray, dtype and shape of `input`
    grad_offset : DeviceArray or ndarray, dtype and shape of `offset`, or None
        None without an offset.
    """

    grad_input: Operand
    grad_offset: Operand | None = None


def deform_roi_pool_backward(
    handle: Handle,
    grad_output: Operand,
    input: Operand,
    rois: Operand,
    offset: Operand | None = None,
    *,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sampling_ratio: int,
    gamma: float,
    out: PoolingGradients | None = None,
    workspace: Scratch | None = None,
    synchronize: bool = True,
) -> PoolingGradients:
    """Send the gradients of pooled bins back to the map that they sampled, and to the bins' offsets.

    Parameters
    ----------
    handle : Handle
    grad_output : DeviceArray or ndarray, float16 or float32 [rois_num, pooled_height, pooled_width, C]
        The gradient of what `deform_roi_pool_forward` gives.
    input : DeviceArray or ndarray, dtype of `grad_output`, [N, H, W, C]
        The map that was pooled.
    rois : DeviceArray or ndarray, dtype of `grad_output`, [rois_num, 5]
        Index into the batch, then x1, y1, x2, y2 in the image's pixels.
    offset, pooled_height, pooled_width, spatial_scale, sampling_ratio, gamma
        As for `deform_roi_pool_forward`.

    Returns
    -------
    PoolingGradients
        `grad_input` and `grad_offset`; `out` takes the same. The operator itself sets them to zero first, but
        leaves both as they are where the map has no pixels.

    Raises
    ------
    MluOpError
        For what the library refuses.
    """
    call = Call(
        handle,
        "mluOpDeformRoiPoolBackward",
        layouts=LAYOUTS,
        accepts=ACCEPTS,
        workspace=workspace,
        synchronize=synchronize,
    )
    call.give(grad_output=grad_output, input=input, rois=rois, offset=offset)
    call.give(pooled_height=pooled_height, pooled_width=pooled_width, spatial_scale=spatial_scale)
    call.give(sampling_ratio=sampling_ratio, gamma=gamma)
    grad_input, grad_offset = several(out, *PoolingGradients._fields)
    call.output("grad_input", call.lengths("input", "N H W C"), call.like("input"), grad_input)
    if offset is None:
        call.give(grad_offset=grad_offset)
    else:
        shape = call.lengths("offset", "rois_num 2 pooled_height pooled_width")
        call.output("grad_offset", shape, call.like("offset"), grad_offset)
    return PoolingGradients(**call.run())
