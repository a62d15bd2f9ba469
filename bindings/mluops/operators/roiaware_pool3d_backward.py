"""mluOpRoiAwarePool3dBackward, or mluOpRoiawarePool3dBackward, its name before v1.0.0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops.binding import whole
from mluops.calls import Call

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle
    from mluops.workspace import Scratch

FUNCTIONS = ("mluOpRoiAwarePool3dBackward", "mluOpRoiawarePool3dBackward")
FLOATS = ("float32", "float16")
ACCEPTS = {"pts_idx_of_voxels": ("int32",), "argmax": ("int32",), "grad_out": FLOATS}
VOXELS = ("boxes_num", "out_x", "out_y", "out_z")


def roiaware_pool3d_backward(
    handle: Handle,
    pts_idx_of_voxels: Operand,
    argmax: Operand,
    grad_out: Operand,
    *,
    pool_method: int,
    pts_num: int,
    out: Operand | None = None,
    workspace: Scratch | None = None,
    synchronize: bool = True,
) -> Operand:
    """Send the gradient of pooled voxels back to the points that they were pooled from.

    Parameters
    ----------
    handle : Handle
    pts_idx_of_voxels : DeviceArray or ndarray, int32 [boxes_num, out_x, out_y, out_z, max_pts_each_voxel]
        For each voxel the number of its points, then their indices. Used by average pooling.
    argmax : DeviceArray or ndarray, int32 [boxes_num, out_x, out_y, out_z, channels]
        The point that gave the maximum, -1 for none. Used by maximum pooling.
    grad_out : DeviceArray or ndarray, float16 or float32 [boxes_num, out_x, out_y, out_z, channels]
    pool_method : int
        0 for maximum, 1 for average.
    pts_num : int
        The number of points.

    Returns
    -------
    DeviceArray or ndarray, dtype of `grad_out`, [pts_num, channels]
        `grad_in`.

    Raises
    ------
    MluOpError
        For what the library refuses.
    """
    call = Call(handle, *FUNCTIONS, accepts=ACCEPTS, workspace=workspace, synchronize=synchronize)
    call.give(pts_idx_of_voxels=pts_idx_of_voxels, argmax=argmax, grad_out=grad_out)
    *voxels, max_pts_each_voxel = call.lengths(
        "pts_idx_of_voxels", "boxes_num out_x out_y out_z max_pts_each_voxel"
    )
    *_, channels = call.lengths("grad_out", "boxes_num out_x out_y out_z channels")
    call.give(pool_method=pool_method, **dict(zip(VOXELS, voxels)))
    call.give(channels=channels, max_pts_each_voxel=max_pts_each_voxel)
    call.output("grad_in", (whole("pts_num", pts_num), channels), call.like("grad_out"), out)
    return call.run()["grad_in"]
