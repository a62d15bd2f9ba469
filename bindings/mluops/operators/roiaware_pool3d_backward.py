"""mluOpRoiAwarePool3dBackward, or mluOpRoiawarePool3dBackward, its name before v1.0.0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops.operators._call import Call, lengths

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle

FUNCTIONS = ("mluOpRoiAwarePool3dBackward", "mluOpRoiawarePool3dBackward")


def roiaware_pool3d_backward(
    handle: Handle,
    pts_idx_of_voxels: Operand,
    argmax: Operand,
    grad_out: Operand,
    *,
    pool_method: int,
    pts_num: int,
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
    *voxels, max_pts_each_voxel = lengths(
        "pts_idx_of_voxels", pts_idx_of_voxels, "boxes_num out_x out_y out_z max_pts_each_voxel"
    )
    *_, channels = lengths("grad_out", grad_out, "boxes_num out_x out_y out_z channels")
    with Call(handle, pts_idx_of_voxels, argmax, grad_out) as call:
        pts_idx_of_voxels, argmax = call.on_device(pts_idx_of_voxels), call.on_device(argmax)
        grad_out = call.on_device(grad_out)
        grad_in = call.output((pts_num, channels), grad_out.dtype)
        call.run(
            handle.library.first(*FUNCTIONS),
            pool_method,
            *voxels,
            channels,
            max_pts_each_voxel,
            pts_idx_of_voxels.descriptor(),
            pts_idx_of_voxels,
            argmax.descriptor(),
            argmax,
            grad_out.descriptor(),
            grad_out,
            call.descriptor(grad_in),
            grad_in,
        )
        return call.result(grad_in)
